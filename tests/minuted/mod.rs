//! Minutes and facts written by hand, and the tables made from them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(dead_code, reason = "each test file uses its own part of this")]

#[path = "../shipped/mod.rs"]
mod shipped;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ekklesia::adapters::tables::TableSet;
use ekklesia::domain::*;
use ekklesia::metrics::*;

pub fn name(text: &str) -> AlternativeName {
    AlternativeName::new(text)
}

pub fn names(list: &[&str]) -> Vec<AlternativeName> {
    list.iter().map(|text| name(text)).collect()
}

pub fn phase(text: &str, kind: PhaseKindName, poll: Option<PollTime>, rounds_max: u32, votes: Votes) -> PhaseFacts {
    PhaseFacts {
        name: PhaseName::new(text),
        kind,
        poll,
        rounds_max,
        votes,
        on_failing: OnFailing::Stays,
        marks: MarksRead::No,
    }
}

/// Numbers records as they are written down.
#[derive(Default)]
pub struct Minutes(pub Vec<Record>);

impl Minutes {
    pub fn put(&mut self, (phase, round, turn, step): (&str, u32, u32, Step), seat: Option<(&str, u8)>, event: Event) {
        self.0.push(Record {
            seq: Seq(self.0.len() as u64),
            at: Moment { phase: PhaseName::new(phase), round, turn, step },
            seat: seat.map(|(seat, _)| SeatName::new(seat)),
            attempt: seat.map(|(_, attempt)| attempt),
            event,
        });
    }

    pub fn poll(&mut self, phase: &str, choices: [&str; 3]) {
        for (seat, choice) in ["Ann", "Bob", "Cy"].into_iter().zip(choices) {
            let event = Event::Polled {
                alternative: name(choice),
                amount: None,
                opinion: None,
                options: names(&["against", "for"]),
                raw: choice.to_owned(),
                given: Given::default(),
            };
            self.put((phase, 0, 0, Step::StrawPoll), Some((seat, 0)), event);
        }
    }

    pub fn say(&mut self, round: u32, turn: u32, seat: &str, text: &str, stance: Option<&str>) {
        self.say_amount(round, turn, seat, text, stance.map(|stance| (stance, None)));
    }

    pub fn say_amount(&mut self, round: u32, turn: u32, seat: &str, text: &str, stance: Option<(&str, Option<u32>)>) {
        let event = Event::Spoke {
            text: text.to_owned(),
            stance: stance.map(|(alternative, _)| name(alternative)),
            stance_amount: stance.and_then(|(_, amount)| amount),
            opinion: None,
            marks: Vec::new(),
            given: Given::default(),
        };
        self.put(("talk", round, turn, Step::Statement), Some((seat, 0)), event);
    }

    pub fn fault(&mut self, at: (&str, u32, u32, Step), seat: (&str, u8), fault: Fault, then: Consequence) {
        let usage = Some(Usage { prompt_tokens: 100, completion_tokens: 7, thinking_tokens: Some(3) });
        let given = Given { usage, model_served: Some("m".to_owned()), ..Given::default() };
        self.put(
            at,
            Some(seat),
            Event::Faulted { fault, then, options: names(&["for", "against"]), raw: "?".to_owned(), given },
        );
    }
}

/// A seat on a mind.
pub fn seat(name: &str) -> SeatFacts {
    SeatFacts {
        name: SeatName::new(name),
        answers_by: AnswersBy::Mind,
        role: "member",
        model: "sim".to_owned(),
        mind: Some("voter".to_owned()),
        // A dollar and two for a million tokens.
        tariff: Some(Tariff { input_nano_per_mtok: 1_000_000_000, output_nano_per_mtok: 2_000_000_000 }),
        pool: None,
        weight: 1,
    }
}

/// An arm of these seats that decides between `for` and `against`, and pays nothing.
pub fn arm(seats: &[&str], phases: Vec<PhaseFacts>) -> ArmFacts {
    ArmFacts {
        experiment: "first, \"second\"".to_owned(),
        arm: "short".to_owned(),
        levels: vec![("talk".to_owned(), "short".to_owned())],
        plan_digest: Digest::of(b"plan"),
        determinism: Determinism::Recorded,
        language: "en".to_owned(),
        wording: "scenario".to_owned(),
        prompts_digest: Digest::of(b"prompts"),
        seats: seats.iter().copied().map(seat).collect(),
        pools: Vec::new(),
        alternatives: names(&["for", "against"]),
        unit: None,
        amounts: None,
        takes_amount: vec![false; 2],
        ballot: ekklesia::domain::BallotForm::Choice,
        strength: ekklesia::choice::ranked::Strength::Margins,
        phases,
        memory: MemoryFacts {
            policy: "full".to_owned(),
            kept: Kept::AsItComes(shipped::direct()),
            written_by: None,
            tariff: None,
        },
        convergence: ConvergenceFacts::default(),
        mechanism: None,
        commons: None,
        layout: Arc::new(Layout { factors: vec!["talk".to_owned()], ..Layout::default() }),
    }
}

/// A routing that appends everything as it comes.
/// The files of these sessions.
pub fn written(sessions: Vec<Folded>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let layout = Arc::clone(&sessions[0].facts.arm.layout);
    let mut set = TableSet::create(folder.path(), &layout, "# Methods\n".to_owned()).unwrap();
    for session in sessions {
        set.add(session).unwrap();
    }
    set.finish().unwrap();
    folder
}

pub fn rows(folder: &Path, table: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join(format!("{table}.csv"))).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// Asserts the cells of a row, written as `name=value` separated by spaces.
pub fn expect(row: &BTreeMap<String, String>, cells: &str) {
    for cell in cells.split_whitespace() {
        let (column, value) = cell.split_once('=').unwrap();
        assert_eq!(row.get(column).map(String::as_str), Some(value), "column {column}");
    }
}
