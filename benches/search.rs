//! A search of 100 000 statements: read, and asked.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ekklesia::analysis::search::{SearchQuestion, ShownTexts, Sieve};
use ekklesia::store::archive::Archive;
use ekklesia::store::results::ResultsFolder;
use tempfile::TempDir;

const SESSIONS: u32 = 100;
const STATEMENTS: u32 = 1_000;
/// Words of a statement, and how many different ones there are; the n-th most frequent is n times as rare as the first.
const WORDS: usize = 50;
const VOCABULARY: f64 = 30_000.0;

/// A folder of sessions in which nothing but talk was minuted.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut state = 1_u64;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
        format!("w{}", libm::pow(VOCABULARY, share) as u32)
    };
    for session in 1..=SESSIONS {
        let path = folder.path().join(format!("sessions/baseline-r{session:06}"));
        fs::create_dir_all(&path).expect("a folder");
        let mut minutes = String::new();
        for seq in 0..STATEMENTS {
            let text: Vec<String> = (0..WORDS).map(|_| word()).collect();
            let (round, turn, text) = (seq / 5 + 1, seq % 5 + 1, text.join(" "));
            let shown = format!(r#"{{"floor":{{"start":0,"end":{seq}}},"own":{{"start":0,"end":0}},"omitted":0}}"#);
            writeln!(
                minutes,
                r#"{{"seq":{seq},"at":{{"phase":"discussion","round":{round},"turn":{turn},"step":"statement"}},"seat":"Seat {turn}","attempt":0,"event":{{"Answered":{{"values":{{"statement":"{text}"}},"given":{{"shown":{shown}}}}}}}}}"#
            )
            .expect("a string takes every character");
        }
        fs::write(path.join("minutes.jsonl"), minutes).expect("a file");
    }
    folder
}

fn search(criterion: &mut Criterion) {
    let root = archive();
    let folder = ResultsFolder::open_unchecked(root.path());
    let texts = ShownTexts::default();
    let mut group = criterion.benchmark_group("search, 100 000 statements");
    group.sample_size(10);
    group.bench_function("read", |bencher| {
        bencher.iter(|| black_box(Archive::open(&folder, &texts).expect("an archive")));
    });
    let archive = Archive::open(&folder, &texts).expect("an archive");
    for query in ["w20000", "w1", "w1 w7 w300 w20000", "\"w1 w2\""] {
        let question = SearchQuestion::parse(query).expect("a question");
        group.bench_function(format!("asked: {query}"), |bencher| {
            bencher.iter(|| black_box(archive.find_records(&question, &Sieve::default(), (10, 5)).expect("an answer")));
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
