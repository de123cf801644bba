//! The golden vectors of randomness: a draw of today is a draw of every later version.

use std::collections::BTreeSet;

use ekklesia::analysis::statistics::{Resampling, StreamKey, mean_interval};
use ekklesia::chance::{DrawPurpose, Draws, Pairing, SessionSeed, canonical_bytes, session_seed};
use ekklesia::domain::{Moment, PhaseName, QuestionId, SeatName, Step};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fixtures::cli::{ekklesia, text};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn question() -> QuestionId {
    QuestionId {
        at: Moment { phase: PhaseName::new("discussion"), round: 3, turn: 2, step: Step::Statement },
        seat: SeatName::new("Zoë"),
        attempt: 1,
    }
}

fn many<T: ToString>(count: usize, mut draw: impl FnMut() -> T) -> String {
    let drawn: Vec<String> = (0..count).map(|_| draw().to_string()).collect();
    drawn.join(" ")
}

fn samplers(seed: &SessionSeed) -> Vec<String> {
    let stream = || -> Draws { seed.at_question(DrawPurpose::Choice, &question(), 0) };
    let (mut a, mut b, mut c, mut d, mut e) = (stream(), stream(), stream(), stream(), stream());
    vec![
        format!("below 6: {}", many(12, || a.draw_below(6))),
        format!("below 2^63+1: {}", many(4, || b.draw_below((1 << 63) + 1))),
        format!("unit: {}", many(3, || format!("{:?}", c.draw_unit()))),
        format!("weighted 1 0 3: {}", many(12, || d.draw_weighted(&[1, 0, 3]))),
        format!("happens 250000: {}", many(12, || u8::from(e.draw_event(250_000)))),
        format!("lots 8: {:?}", stream().draw_order(8)),
    ]
}

#[test]
fn randomness_is_what_it_was() {
    let shared = session_seed(42, 7, Pairing::CommonRandomNumbers, "unanimity");
    let own = session_seed(42, 7, Pairing::Independent, "unanimity");
    let mut lines = vec![
        format!("canonical: {}", hex(&canonical_bytes(&question()))),
        format!("session seed, common random numbers: {}", hex(shared.as_bytes())),
        format!("session seed, independent: {}", hex(own.as_bytes())),
    ];
    for &purpose in DrawPurpose::ALL {
        let mut draws = shared.at_question(purpose, &question(), 0);
        let drawn = many(3, || format!("{:016x}", draws.next_bits()));
        lines.push(format!("{}: {drawn}", purpose.as_str()));
    }
    lines.push(format!("choice, item 1: {:016x}", shared.at_question(DrawPurpose::Choice, &question(), 1).next_bits()));
    lines.push(format!(
        "tie_break, nobody: {:016x}",
        shared.at_moment(DrawPurpose::TieBreak, &question().at, 0).next_bits()
    ));
    lines.extend(samplers(&shared));
    // Too many different changes to count every pattern of their signs.
    let changes: Vec<f64> = (0..40).map(|k| f64::from(k * k % 41) / 10.0).collect();
    let interval = mean_interval(&changes, &StreamKey::of_design(42), 2_000, Resampling::all_ranges);
    lines.push(format!("sign flips: {:?}", interval.expect("an interval")));
    let text = lines.join("\n") + "\n";
    assert_eq!(text, include_str!("../data/chance.txt"), "\n{text}");
}

/// Each row of `run --draws` is the first draw of the stream that its coordinate has in the documentation.
#[test]
fn draws_that_a_run_writes_down_are_those_of_their_coordinates() {
    let place = tempfile::tempdir().expect("a folder");
    let (out, dump) = (place.path().join("out"), place.path().join("draws.csv"));
    ekklesia(&["run", "configs/first.yaml", "--replicates", "2", "--out", text(&out), "--draws", text(&dump)])
        .says(0, &[]);
    let seeds: Vec<SessionSeed> =
        [1, 2].map(|replicate| session_seed(42, replicate, Pairing::CommonRandomNumbers, "baseline")).to_vec();
    let mut purposes = BTreeSet::new();
    let mut seeds_seen = BTreeSet::new();
    for row in csv::Reader::from_path(&dump).expect("a dump").records() {
        let row = row.expect("a row");
        let seed = seeds.iter().find(|seed| hex(&seed.as_bytes()[..8]) == row[0]).expect("the seed of a session");
        let mut bytes = Vec::new();
        name(&row[1], &mut bytes);
        name(&row[2], &mut bytes);
        for number in [&row[3], &row[4]] {
            bytes.extend(number.parse::<u32>().expect("a number").to_le_bytes());
        }
        name(&row[5], &mut bytes);
        name(&row[6], &mut bytes);
        bytes.push(row[7].parse().expect("an attempt"));
        bytes.extend(row[8].parse::<u32>().expect("an item").to_le_bytes());
        let mut stream = ChaCha8Rng::from_seed(*blake3::keyed_hash(seed.as_bytes(), &bytes).as_bytes());
        assert_eq!(format!("{:016x}", stream.next_u64()), row[9], "{row:?}");
        purposes.insert(row[1].to_owned());
        seeds_seen.insert(row[0].to_owned());
    }
    assert_eq!(seeds_seen.len(), 2);
    assert!(purposes.contains("choice") && purposes.len() > 2, "{purposes:?}");
}

fn name(name: &str, bytes: &mut Vec<u8>) {
    bytes.extend(u32::try_from(name.len()).expect("a short name").to_le_bytes());
    bytes.extend(name.as_bytes());
}
