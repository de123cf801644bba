//! A memory that counts everything anew each time it is asked, to compare the real one with, and made-up events for both.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part of this")]

mod draw;
mod naive;
mod recall;
#[path = "../shipped/mod.rs"]
pub mod shipped;
mod sight;
mod standing;

use std::ops::Range;

pub use draw::{happenings, kinds, limited, plans, plans_of, rewriting, texts, usual, windows, witnessed};
use ekklesia::domain::{
    Alternative, AlternativeId, AlternativeName, Brief, Choice, EntryKind, Extent, GuidanceStyle, Mark, Motion, Named,
    Number, OwnEntry, PhaseName, Remark, SeatId, Seq, Shown, Sign, Voice,
};
use ekklesia::memory::{FloorEvent, Memory, MemoryPlan, Rewriting, Said, guidance, notice};
pub use naive::Naive;

pub const SEATS: usize = 3;
/// The last is as long as a name may be.
pub const NAMES: [&str; SEATS] =
    ["Alice", "Čeněk", "Bob who has the longest name that anyone has ever had at this table, 80 letters."];

/// What the seats are called in the plan, whatever names they go by.
pub const OWN_NAMES: [&str; SEATS] = ["A", "Čeněk", "Robert"];

/// A statement.
#[derive(Debug, Clone)]
pub struct Saying {
    pub speaker: usize,
    pub text: String,
    pub stance: Option<(u32, Option<u32>)>,
    /// With the happenings that they name, by their numbers.
    pub marks: Vec<(Sign, Option<usize>)>,
}

/// Something that happens to memories.
#[derive(Debug, Clone)]
pub enum Happening {
    /// Handed out to all seats, or to one; before all else.
    Exhibited {
        to: Option<usize>,
        text: String,
    },
    Said(Saying),
    Announced {
        event: FloorEvent,
        text: String,
    },
    Kept {
        seat: usize,
        kind: EntryKind,
        text: String,
    },
    Rewrote {
        seat: usize,
        why: Rewriting,
        text: String,
    },
    Left {
        seat: usize,
        why: Rewriting,
    },
    Halved {
        seat: usize,
    },
    HalvedOldest {
        seat: usize,
    },
    HalvedShort {
        seat: usize,
    },
    /// It has answered, or lost its turn.
    Answered {
        seat: usize,
    },
    Demanded {
        seat: usize,
    },
    Forgot {
        seat: usize,
    },
    /// A phase of this number is forgotten, whether it has begun or not.
    ForgotPhase {
        seat: usize,
        phase: usize,
    },
    /// What was said in the happening of this number is marked for a seat; nothing is where nothing was said in it.
    Marked {
        seat: usize,
        of: usize,
    },
    RoundBegan,
}

/// How many things happen in a phase.
pub const PHASE: usize = 12;

/// The number of the phase in which something of this number happens.
pub fn phase_of(number: usize) -> usize {
    number / PHASE
}

fn phase(number: usize) -> PhaseName {
    PhaseName::new(&format!("talk {number}"))
}

pub fn motion() -> Motion {
    let alternative = |name: &str, takes_amount| Alternative {
        name: AlternativeName::new(name),
        label: name.to_owned(),
        status_quo: false,
        takes_amount,
        said: None,
    };
    let long = "x".repeat(80);
    let alternatives = vec![alternative("for", false), alternative("average_floor", true), alternative(&long, true)];
    Motion {
        text: "Yes or no?".to_owned(),
        alternatives,
        amount_max: Some(u32::MAX),
        amount_min: 1,
        unit: None,
        language: Default::default(),
    }
}

pub fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

pub fn entry(number: usize, kind: EntryKind, text: &str) -> OwnEntry {
    let (seq, phase) = (Seq(number as u64), phase(phase_of(number)));
    OwnEntry { seq, phase, round: 1, kind, text: text.to_owned() }
}

pub fn said(number: usize, speaker: Option<usize>) -> Said {
    let turn = if speaker.is_some() { number as u32 % 7 + 1 } else { 0 };
    Said { seq: Seq(number as u64), round: number as u32 / 7, turn, speaker: speaker.map(|seat| SeatId(seat as u32)) }
}

/// By how much the statements that a seat is shown are longer than the public history counts them.
pub fn longer_than_counted(memory: &Memory, seat: SeatId) -> u64 {
    let (brief, _) = memory.recall(seat);
    let (motion, style) = (motion(), brief.style);
    let statements = brief.remarks.statements.iter().map(|place| &brief.remarks.floor[*place as usize]);
    let speakers = statements.filter_map(|remark| Some((remark, remark.speaker?.index())));
    let longer = speakers.map(|(remark, seat)| {
        let shown = chars(&guidance::remark_line(remark, NAMES[seat], style, &motion));
        let counted = chars(&guidance::remark_line(remark, OWN_NAMES[seat], GuidanceStyle::Narrative, &motion));
        shown.saturating_sub(counted)
    });
    longer.sum()
}

/// Lets the real memory witness something.
pub fn happen(memory: &mut Memory, number: usize, happening: &Happening) {
    let id = |seat: &usize| SeatId(*seat as u32);
    if number.is_multiple_of(PHASE) {
        memory.begin_part(&phase(phase_of(number)));
    }
    match happening {
        Happening::Said(Saying { speaker, text, stance, marks }) => {
            let stance = stance.map(|(place, amount)| Choice { alternative: AlternativeId(place), amount });
            let numbered = |number: usize| said(number, Some(0));
            let names = |of: Option<usize>| match of.map(numbered) {
                Some(Said { round, turn, .. }) => Named::Number(Number { round, turn }),
                None => Named::Nothing,
            };
            let marks: Vec<Mark> = marks.iter().map(|(sign, of)| Mark { sign: *sign, names: names(*of) }).collect();
            let meant = memory.proposals(id(speaker)).meant(id(speaker), &marks);
            memory.witness(said(number, Some(*speaker)), FloorEvent::Statement, NAMES[*speaker], text, stance);
            memory.mark(&meant, SEATS as u32 - 1);
        }
        Happening::Exhibited { to: None, text } => {
            memory.witness(said(number, None), FloorEvent::Exhibit, "", text, None);
        }
        Happening::Exhibited { to: Some(seat), text } => {
            memory.keep(id(seat), entry(number, EntryKind::Exhibit, text));
        }
        Happening::Announced { event, text } => memory.witness(said(number, None), *event, "", text, None),
        Happening::Kept { seat, kind, text } => memory.keep(id(seat), entry(number, *kind, text)),
        Happening::Rewrote { seat, why, text } => {
            memory.rewrite(id(seat), entry(number, EntryKind::Rewritten, text), *why);
        }
        Happening::Left { seat, why } => memory.leave(id(seat), *why),
        Happening::Halved { seat } => memory.halve(id(seat)),
        Happening::HalvedOldest { seat } => memory.halve_oldest(id(seat)),
        Happening::HalvedShort { seat } => memory.halve_short(id(seat)),
        Happening::Answered { seat } => memory.restore(id(seat)),
        Happening::Demanded { seat } => memory.demand(id(seat)),
        Happening::Forgot { seat } => memory.forget(id(seat), None),
        Happening::ForgotPhase { seat, phase: number } => memory.forget(id(seat), Some(&phase(*number))),
        Happening::Marked { seat, of } => {
            let (style, Said { round, turn, .. }) = (memory.recall(id(seat)).0.style, said(*of, Some(0)));
            let phase = phase(phase_of(*of));
            let Some(remark) = memory.statement(&phase, Number { round, turn }) else { return };
            let name = NAMES[remark.speaker.expect("a statement").index()];
            let text = notice::marked(
                &guidance::remark_line(remark, name, style, &motion()),
                Voice::Facilitator,
                Default::default(),
            );
            memory.keep(id(seat), OwnEntry { phase, ..entry(number, EntryKind::Marked, &text) });
        }
        Happening::RoundBegan => memory.begin_part(&phase(phase_of(number))),
    }
}

/// What a seat is shown, thing by thing, by its number in each list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub summaries: Vec<u32>,
    pub statements: Vec<u32>,
    pub notices: Vec<u32>,
    pub pinned_remarks: usize,
    pub own: Vec<u32>,
    pub pinned: usize,
    pub omitted: u32,
    pub recalled: Vec<u32>,
    pub told: Option<(Extent, String)>,
    /// Whether something earlier is left out that nothing stands for.
    pub is_cut: bool,
}

/// What the real memory shows, by what it lends and what it puts on record; the two must agree.
pub fn seen((brief, shown): &(Brief<'_>, Shown)) -> Seen {
    let remarks = &brief.remarks;
    let left = |range: &Range<u32>, forgotten: &[Range<u32>]| {
        assert!(
            forgotten.iter().all(|part| part.start < part.end && range.start <= part.start && part.end <= range.end)
        );
        let is_forgotten = |place: &u32| forgotten.iter().any(|part| part.contains(place));
        range.clone().filter(|place| !is_forgotten(place)).collect::<Vec<u32>>()
    };
    let of_kind = |places: Vec<u32>, of_speaker: bool| {
        let is_so = |place: &u32| {
            !remarks.pinned.contains(place) && remarks.floor[*place as usize].speaker.is_some() == of_speaker
        };
        places.into_iter().filter(is_so).collect::<Vec<u32>>()
    };
    let statements = of_kind(left(&shown.floor, &shown.forgotten.statements), true);
    assert_eq!(statements, remarks.statements.to_vec(), "every statement within the positions is shown");
    let notices = of_kind(left(&shown.notices(), &shown.forgotten.notices), false);
    assert!(remarks.notices.iter().all(|place| notices.contains(place)));
    assert_eq!(brief.recalled, shown.recalled);
    assert_eq!(brief.standing.as_ref().map(|told| told.extent), shown.standing);
    let (own, summaries) = (left(&shown.own, &shown.forgotten.own), left(&shown.summaries, &shown.forgotten.summaries));
    assert_eq!((own.len(), summaries.len()), (brief.own.len(), brief.summaries.len()));
    assert_eq!((own.len(), summaries.len()), (brief.own.iter().count(), brief.summaries.iter().count()));
    assert_eq!((shown.pinned_remarks as usize, shown.pinned as usize), (remarks.pinned.len(), brief.pinned.len()));
    Seen {
        summaries,
        statements,
        notices: remarks.notices.to_vec(),
        pinned_remarks: remarks.pinned.len(),
        own,
        pinned: brief.pinned.len(),
        omitted: shown.omitted,
        recalled: shown.recalled.clone(),
        told: brief.standing.as_ref().map(|told| (told.extent, told.words.to_string())),
        is_cut: brief.is_cut,
    }
}

/// All seats.
pub fn seats() -> impl Iterator<Item = SeatId> {
    (0..SEATS as u32).map(SeatId)
}

/// A memory to which all of this has happened.
pub fn after(plan: MemoryPlan, events: &[Happening]) -> Memory {
    let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
    events.iter().enumerate().for_each(|(number, happening)| happen(&mut memory, number, happening));
    memory
}

/// A remark as it is written.
pub fn line(remark: &Remark, style: GuidanceStyle) -> String {
    guidance::remark_line(remark, remark.speaker.map_or("", |seat| NAMES[seat.index()]), style, &motion())
}
