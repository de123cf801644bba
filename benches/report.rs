//! How long `report` takes on all cores, as a user waits for it: few and many sessions of ten rounds, and one of many rounds.
//!
//! The whole program is measured, with the reading of its folder and the writing of the page. Every seat is simulated and no
//! session ends before its rounds are used up, so that sessions are as long as they can be.

use std::fs;
use std::path::Path;
use std::process::Command;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Scenario, sessions and rounds.
const SIZES: [(&str, u32, u32); 6] = [
    ("motion", 20, 10),
    ("motion", 1_000, 10),
    ("justice", 20, 10),
    ("justice", 1_000, 10),
    ("motion", 1, 100),
    ("motion", 1, 1_000),
];

fn reports(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("report");
    group.sample_size(10);
    for (scenario, sessions, rounds) in SIZES {
        let place = tempfile::tempdir().expect("a folder");
        let results = place.path().join("results");
        let config = config(place.path(), scenario, rounds);
        ekklesia(&[
            Path::new("run"),
            &config,
            Path::new("--out"),
            &results,
            "--replicates".as_ref(),
            sessions.to_string().as_ref(),
        ]);
        group.throughput(Throughput::Elements(u64::from(sessions * rounds)));
        let size = format!("{scenario}, {sessions} sessions, {rounds} rounds");
        let page = || ekklesia(&[Path::new("report"), &results]);
        group.bench_function(BenchmarkId::new("page", &size), |bencher| bencher.iter(page));
    }
    group.finish();
}

/// Five seats of which two never change their minds, so that no vote is unanimous.
fn config(place: &Path, scenario: &str, rounds: u32) -> std::path::PathBuf {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(scenario);
    let seats = match scenario {
        "justice" => {
            "
seat_defaults: { model: sim, mind: { justice: { precision: 4 } } }
seats:
  - { name: Alice, mind: { justice: { risk_aversion: 0, persuasion: 0 } } }
  - { name: Bob, mind: { justice: { risk_aversion: 12, persuasion: 0 } } }
  - { count: 3, name: \"Member {n}\" }
discussion: { private_reasoning: true, "
        }
        _ => {
            "
seat_defaults: { model: sim, mind: { voter: { copy: 0.3 } } }
seats:
  - { count: 2, name: \"Stubborn {n}\", mind: { voter: { copy: 0 } } }
  - { count: 3, name: \"Member {n}\" }
decision: { rule: unanimity, of: members, tie_break: no_decision }
discussion: { vote: every_round, "
        }
    };
    let text = format!(
        "experiment: measured\nscenario: {}\nseed: 42\nmodels: {{ sim: {{ simulated: {{}} }} }}{seats} rounds: {rounds} }}\nstraw_polls: [before, after]\n",
        shipped.display()
    );
    let path = place.join("config.yaml");
    fs::write(&path, text).expect("the folder can be written to");
    path
}

/// Runs the program to its end.
fn ekklesia(arguments: &[&Path]) {
    let ended = Command::new(env!("CARGO_BIN_EXE_ekklesia")).args(arguments).output().expect("the program was built");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

criterion_group!(benches, reports);
criterion_main!(benches);
