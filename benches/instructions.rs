//! Counts instructions per record, which no other load on the machine can move, and compares them with those in `instructions.txt`.
//!
//! `cargo bench --bench instructions` runs this program under `valgrind --tool=callgrind`, once for each end of a stretch of
//! rounds, and divides the difference in instructions by the difference in records, so that what a session costs at its beginning
//! and end falls out. Everything is counted: the engine, the minds, the minutes and their file. The program fails if a count is more
//! than a tenth above the one in the file; after a change that is meant to cost more, write the new counts into the file.
//! `cargo bench --bench instructions -- WORK SEATS ROUNDS` does one piece of work, to be profiled by hand.
#![expect(clippy::print_stdout, reason = "a measurement is told to whoever took it")]

mod counted;
mod setting;

use std::process::ExitCode;

use counted::count;
use setting::Setting;

/// The counts that are compared with: `NAME = INSTRUCTIONS`, a line each.
const BEFORE: &str = include_str!("instructions.txt");

/// What is done with a session, in the order of the first number on the command line.
const CONDUCT: u32 = 0;
const CONDUCT_JUSTICE: u32 = 1;
const REPLAY: u32 = 2;
const FOLD: u32 = 3;
const PLAY: u32 = 4;

/// Name, work, seats, and the rounds at the ends of the stretch.
const BENCHES: [(&str, u32, u32, u32, u32); 6] = [
    ("conduct, 5 seats", CONDUCT, 5, 10, 210),
    ("conduct, 50 seats", CONDUCT, 50, 10, 30),
    ("conduct justice, 5 seats", CONDUCT_JUSTICE, 5, 10, 110),
    ("replay, 5 seats", REPLAY, 5, 10, 210),
    ("fold tables, 5 seats", FOLD, 5, 10, 210),
    ("play a game, 20 seats", PLAY, 20, 5, 25),
];

fn main() -> ExitCode {
    // Cargo adds `--bench` to what it starts.
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    if let [work, seats, rounds] = numbers[..] {
        println!("{} records", run(work, seats, rounds));
        return ExitCode::SUCCESS;
    }
    let mut are_cheap = true;
    for (name, work, seats, from, to) in BENCHES {
        let now = count_per_record(work, seats, from, to);
        let before = instructions_before(name);
        let is_cheap = now * 10 <= before * 11;
        are_cheap &= is_cheap;
        let change = 100.0 * (now as f64 / before as f64 - 1.0);
        println!(
            "{name:<26} {now:>7} a record, before {before:>7}, {change:+.1} %{}",
            if is_cheap { "" } else { " TOO MUCH" }
        );
    }
    if are_cheap { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn instructions_before(name: &str) -> u64 {
    let written = BEFORE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
    written.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("instructions.txt has no count for {name}"))
}

/// Instructions per record of a stretch of rounds; of replay and fold without those of the session that they read.
fn count_per_record(work: u32, seats: u32, from: u32, to: u32) -> u64 {
    let stretch = |work: u32| {
        let (records_from, from) = count(&[work, seats, from]);
        let (records_to, to) = count(&[work, seats, to]);
        (to - from, records_to - records_from)
    };
    let (all, records) = stretch(work);
    let conducted = if matches!(work, REPLAY | FOLD) { stretch(CONDUCT).0 } else { 0 };
    (all - conducted) / records
}

/// Does the work; returns the number of records of the session.
fn run(work: u32, seats: u32, rounds: u32) -> u64 {
    let setting = match work {
        CONDUCT_JUSTICE => Setting::justice(seats, rounds),
        PLAY => Setting::game(seats, rounds),
        _ => Setting::new(seats, rounds),
    };
    let records = setting.run();
    match work {
        REPLAY => assert_eq!(setting.replay(), records, "the same session"),
        FOLD => assert!(setting.fold_tables() > 0, "answers are folded"),
        _ => {}
    }
    records
}
