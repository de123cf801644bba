//! Counts instructions per record, which no other load on the machine can move: with few and many seats, early and late.
//!
//! `cargo bench --bench instructions` runs this program under `valgrind --tool=callgrind`, once for each end of a stretch of
//! rounds, and divides the difference in instructions by the difference in records. What a session costs at its beginning
//! and end falls out of the difference. Everything is counted: the engine, the minds, the minutes and their file.
//! A round has three records beside its answers, and they cost less than half of one; so a record costs less among few
//! seats, and an answer, which then bears more of the round, costs more.
//! `cargo bench --bench instructions -- SEATS ROUNDS` conducts one session, to be profiled by hand.
#![expect(clippy::print_stdout, reason = "a measurement is told to whoever took it")]

mod counted;
mod setting;

use counted::count;
use setting::Setting;

/// Seats, and the rounds at the ends of the stretch measured.
const STRETCHES: [(u32, u32, u32); 4] = [(5, 10, 210), (5, 9_800, 10_000), (50, 10, 30), (1_000, 10, 12)];

fn main() {
    // Cargo adds `--bench` to what it starts.
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    match numbers[..] {
        [seats, rounds] => println!("{} records", Setting::new(seats, rounds).run()),
        _ => STRETCHES.iter().for_each(|stretch| measure(*stretch)),
    }
}

fn measure((seats, from, to): (u32, u32, u32)) {
    let (records_before, before) = count(&[seats, from]);
    let (records_after, after) = count(&[seats, to]);
    let per_record = (after - before) / (records_after - records_before);
    // Each seat speaks and votes once a round.
    let per_answer = (after - before) / u64::from(2 * seats * (to - from));
    println!("{seats:>5} seats, rounds {from:>5} to {to:>5}: {per_record:>6} a record, {per_answer:>6} an answer");
}
