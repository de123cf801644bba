//! The golden vectors of randomness: a draw of today is a draw of every later version.

use ekklesia::chance::{Draws, Pairing, Purpose, SessionSeed, canonical, session_seed};
use ekklesia::domain::{Moment, PhaseName, QuestionId, SeatName, Step};
use ekklesia::statistics::bootstrap_mean;

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
    let stream = || -> Draws { seed.at(Purpose::Choice, &question(), 0) };
    let (mut a, mut b, mut c, mut d, mut e) = (stream(), stream(), stream(), stream(), stream());
    vec![
        format!("below 6: {}", many(12, || a.below(6))),
        format!("below 2^63+1: {}", many(4, || b.below((1 << 63) + 1))),
        format!("unit: {}", many(3, || format!("{:?}", c.unit()))),
        format!("weighted 1 0 3: {}", many(12, || d.weighted(&[1, 0, 3]))),
        format!("happens 250000: {}", many(12, || u8::from(e.happens(250_000)))),
        format!("lots 8: {:?}", stream().lots(8)),
    ]
}

#[test]
fn randomness_is_what_it_was() {
    let shared = session_seed(42, 7, Pairing::CommonRandomNumbers, "unanimity");
    let own = session_seed(42, 7, Pairing::Independent, "unanimity");
    let mut lines = vec![
        format!("canonical: {}", hex(&canonical(&question()))),
        format!("session seed, common random numbers: {}", hex(shared.as_bytes())),
        format!("session seed, independent: {}", hex(own.as_bytes())),
    ];
    for purpose in Purpose::ALL {
        let mut draws = shared.at(purpose, &question(), 0);
        let drawn = many(3, || format!("{:016x}", draws.bits()));
        lines.push(format!("{}: {drawn}", purpose.as_str()));
    }
    lines.push(format!("choice, item 1: {:016x}", shared.at(Purpose::Choice, &question(), 1).bits()));
    lines.push(format!("tie_break, nobody: {:016x}", shared.at_moment(Purpose::TieBreak, &question().at, 0).bits()));
    lines.extend(samplers(&shared));
    let changes = [0.1, -0.2, 0.3, 0.25, 0.0, 0.4, -0.1];
    lines.push(format!("bootstrap: {:?}", bootstrap_mean(&changes, 42).unwrap()));
    let text = lines.join("\n") + "\n";
    assert_eq!(text, include_str!("../data/chance.txt"), "\n{text}");
}
