//! How the cost of a memory grows: instructions of hearing and of recalling, over seats, over rounds heard before and over the
//! length of a statement, each with the exponent of the power law that fits best.
//!
//! `cargo bench --bench curves` runs this program under `valgrind --tool=callgrind`, once without what is measured and once with
//! it done many times, and divides the difference. An exponent is the slope of the least-squares line through the
//! logarithms: 0 where nothing grows, 1 where cost grows as fast.
#![expect(clippy::print_stdout, reason = "a measurement is told to whoever took it")]

mod counted;
mod remembering;

use std::hint::black_box;

use counted::count;
use ekklesia::domain::SeatId;
use ekklesia::memory::{MemoryPlan, MemoryPolicy, Window};
use remembering::{LENGTHS, POLICIES, ROUNDS, SEATS, TURNS, after, hear, plan};

/// What is measured: hearing a statement, then recalling under each policy, then what is searched for.
const HEAR: u32 = 0;
const RECALL: u32 = 1;
const RECALL_BY_SEARCH: u32 = RECALL + POLICIES.len() as u32;
const LOOK_UP: u32 = RECALL_BY_SEARCH + 1;

/// How often it is done.
const TIMES: u32 = 100;

/// Seats, rounds and a statement's length where they do not vary.
const USUAL: (u32, u32, u32) = (10, 100, 200);

fn main() {
    // Cargo adds `--bench` to what it starts.
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    if let [what, times, seats, rounds, length] = numbers[..] {
        println!("{times}");
        return run(what, times, (seats as usize, u64::from(rounds), length as usize));
    }
    let of = |sizes: &[u64]| sizes.iter().map(|size| *size as u32).collect::<Vec<u32>>();
    let (seats, rounds, lengths) = (of(&SEATS.map(|n| n as u64)), of(&ROUNDS), of(&LENGTHS.map(|n| n as u64)));
    for what in HEAR..=LOOK_UP {
        curve(what, "seats", &seats, |seats| (seats, USUAL.1, USUAL.2));
        curve(what, "rounds", &rounds, |rounds| (USUAL.0, rounds, USUAL.2));
        curve(what, "length", &lengths, |length| (USUAL.0, USUAL.1, length));
    }
}

fn name(what: u32) -> String {
    match what {
        HEAR => "hear".to_owned(),
        RECALL_BY_SEARCH => "recall, with search".to_owned(),
        LOOK_UP => "look up".to_owned(),
        policy => format!("recall, {}", POLICIES[(policy - RECALL) as usize].0),
    }
}

fn curve(what: u32, over: &str, sizes: &[u32], setting: impl Fn(u32) -> (u32, u32, u32)) {
    let cost = |size: &u32| {
        let (seats, rounds, length) = setting(*size);
        let counted = |times: u32| count(&[what, times, seats, rounds, length]).1;
        counted(TIMES).saturating_sub(counted(0)) / u64::from(TIMES)
    };
    let costs: Vec<u64> = sizes.iter().map(cost).collect();
    let told: Vec<String> = sizes.iter().zip(&costs).map(|(size, cost)| format!("{size}: {cost}")).collect();
    println!("{:<30} over {over:<7} exponent {:5.2}   {}", name(what), exponent(sizes, &costs), told.join("  "));
}

/// The slope of the least-squares line through the logarithms.
fn exponent(sizes: &[u32], costs: &[u64]) -> f64 {
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(costs).map(|(size, cost)| (libm::log(f64::from(*size)), libm::log(*cost as f64))).collect();
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let cross: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let square: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    cross / square
}

/// Hears all that, then does what is measured so many times.
fn run(what: u32, times: u32, (seats, rounds, length): (usize, u64, usize)) {
    let plan = match what {
        HEAR => plan(MemoryPolicy::Selective),
        RECALL_BY_SEARCH | LOOK_UP => {
            MemoryPlan { recall: Some(5), look_up: true, ..plan(MemoryPolicy::Window(Window::Statements(20))) }
        }
        policy => plan(POLICIES[(policy - RECALL) as usize].1),
    };
    let text: String = "We should share the costs. ".chars().cycle().take(length).collect();
    let mut memory = after(plan, seats, rounds, &text);
    for time in 0..u64::from(times) {
        match what {
            HEAR => hear(&mut memory, rounds * TURNS + time, &text),
            LOOK_UP => drop(black_box(memory.look_up(SeatId(3), "the costs we share"))),
            _ => drop(black_box(memory.recall_brief(SeatId(3)))),
        }
    }
    black_box(memory);
}
