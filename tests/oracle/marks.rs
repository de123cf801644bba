//! Cells about marks: proposals, reactions, decisions. Statuses are worked out anew from the marks in the records.

use std::collections::{BTreeMap, BTreeSet};

use ekklesia::domain::{Event, Marked, Named, Number, Record, SeatName, Seq, Sign, Step};
use ekklesia::metrics::{ArmFacts, MarksRead, OnFailing};
use ekklesia::metrics::why::lost;
use super::{Picked, Reach, Worked, absent, named, worked};

/// A cell about marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// The number of the row's statement.
    Number,
    /// The number of the proposal in whose place the row's stands.
    Replaces,
    /// Seats that support it.
    Supports,
    /// Seats that oppose it.
    Opposes,
    /// How it stands.
    Status,
    /// Since which record.
    Since,
    /// The proposal that takes its place.
    ReplacedBy,
    /// Which of its statement's marks the row's is.
    Place,
    /// What it says of the statement.
    Sign,
    /// The number that it names.
    Target,
    /// The record of the proposal that it means.
    Of,
    /// Why it counts for nothing.
    Ignored,
    /// All signs of a statement.
    Signs,
    /// What each of them names.
    Targets,
    /// Proposals that are active.
    Open,
    /// Decisions that were stated.
    Decisions,
    /// Proposals that were made.
    Made,
}

/// How a proposal stands that nothing settled.
const ACTIVE: &str = "active";

/// How a proposal came to stand.
struct Standing {
    status: &'static str,
    since: Seq,
    replaced_by: Option<Number>,
}

/// The marks of a statement; none of any other record.
fn marks_of(record: &Record) -> &[Marked] {
    match &record.event {
        Event::Spoke { marks, .. } => marks,
        _ => &[],
    }
}

fn number_of(record: &Record) -> Number {
    Number { round: record.at.round, turn: record.at.turn }
}

fn target(mark: &Marked) -> String {
    match mark.names {
        Named::Number(number) => number.to_string(),
        Named::Nothing | Named::Unreadable => String::new(),
    }
}

impl Marks {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let is_session = picked.case.scope.table() == "sessions";
        if is_session && picked.arm().phases.iter().all(|phase| phase.marks == MarksRead::No) {
            return absent("no marks are read from statements in this arm");
        }
        match self {
            Marks::Made => made(picked),
            Marks::Open => open(picked),
            Marks::Decisions => decisions(picked),
            Marks::Supports | Marks::Opposes | Marks::Status | Marks::Since | Marks::ReplacedBy => {
                let own = picked.case.scope.number("seq").map(Seq);
                let made = picked.records.iter().find(|record| Some(record.seq) == own);
                made.map_or_else(|| absent("there is no such proposal"), |made| self.of_proposal(picked, made))
            }
            _ => match picked.last() {
                Some(record) => self.of_statement(picked, record),
                None => absent("there is no such record"),
            },
        }
    }

    fn of_proposal(self, picked: &Picked<'_>, made: &Record) -> Worked {
        let wanted = match self {
            Marks::Supports => Sign::Support,
            Marks::Opposes => Sign::Oppose,
            _ => return self.of_standing(picked, made),
        };
        let mut count = 0;
        for record in &picked.records {
            if let Some(mark) = meant(record, made).rfind(|mark| reacts(mark)) {
                count += usize::from(mark.sign == wanted);
            }
        }
        if steps.is_empty() {
        }
        worked(count)
    }

    fn of_standing(self, picked: &Picked<'_>, made: &Record) -> Worked {
        let Standing { steps, status, since, replaced_by } = standing((&picked.records, picked.arm()), made, u64::MAX);
        match self {
            Marks::Status => worked(status),
            Marks::Since => worked(since.0),
            _ => match replaced_by {
                Some(number) => worked(number),
                None => absent("its seat made no proposal that names it"),
            },
        }
    }

    fn of_statement(self, picked: &Picked<'_>, record: &Record) -> Worked {
        let marks = marks_of(record);
        let read = || vec![format!("read from {}, field event.marks", named(record))];
        match self {
            Marks::Number => {
                let number = number_of(record);
                let words = format!("round {} and turn {} of {}: {number}", number.round, number.turn, named(record));
                return worked(number);
            }
            Marks::Replaces => {
                let proposal = marks.iter().find(|mark| mark.proposes());
                let earlier = proposal.filter(|mark| mark.of.is_some() && mark.ignored.is_none());
                return match earlier {
                    Some(mark) => worked(target(mark)),
                    None => absent("it takes no other proposal's place"),
                };
            }
            Marks::Signs | Marks::Targets if marks.is_empty() => return absent("the statement carries no marks"),
            Marks::Signs => {
                let signs: Vec<&str> = marks.iter().map(|mark| mark.sign.as_str()).collect();
                return worked(signs.join("|"));
            }
            Marks::Targets => {
                let targets: Vec<String> = marks.iter().map(target).collect();
                return match targets.iter().all(String::is_empty) {
                    true => absent("the marks name no statement"),
                    false => worked(targets.join("|")),
                };
            }
            _ => {}
        }
        let place = picked.case.scope.number::<usize>("place");
        let Some((place, mark)) = place.and_then(|place| Some((place, marks.get(place.checked_sub(1)?)?))) else {
            return absent("the statement has no such mark");
        };
        match self {
            Marks::Place => worked(place),
            Marks::Sign => worked(mark.sign.as_str()),
            Marks::Target => match target(mark) {
                none if none.is_empty() => absent("the mark names no number"),
                number => worked(number),
            },
            Marks::Of => match mark.of {
                Some(seq) => worked(seq.0),
                None => absent("the mark means no proposal"),
            },
            _ => match mark.ignored {
                Some(reason) => worked(reason.as_str()),
                None => absent("the mark counts"),
            },
        }
    }
}

/// The marks of a statement that react to a proposal or replace it, and count.
fn meant<'r>(record: &'r Record, made: &Record) -> impl DoubleEndedIterator<Item = &'r Marked> {
    let seq = made.seq;
    let is_later = record.seq > seq;
    let moves = |mark: &Marked| mark.sign != Sign::Decision && mark.ignored.is_none();
    marks_of(record).iter().filter(move |mark| is_later && mark.of == Some(seq) && moves(mark))
}

fn reacts(mark: &Marked) -> bool {
    matches!(mark.sign, Sign::Support | Sign::Oppose)
}

/// The places of the records that a cell about a proposal comes from, in the order of the minutes: its own statement, and what
/// became of it.
pub(super) fn about(reach: Reach, (all, arm): (&[Record], &ArmFacts), own: usize) -> Vec<usize> {
    let made = &all[own];
    let later = || (own + 1..all.len()).filter(|place| meant(&all[*place], made).next().is_some());
    let mut found: BTreeSet<usize> = [own].into();
    match reach {
        Reach::Reactions => {
            let reactions = later().filter(|place| meant(&all[*place], made).any(reacts));
            let latest: BTreeMap<Option<&SeatName>, usize> =
                reactions.map(|place| (all[place].seat.as_ref(), place)).collect();
            found.extend(latest.into_values());
        }
        Reach::Moves => {
            let tests = left_out(all, arm);
            let records: Vec<&Record> = all.iter().collect();
            let Standing { since, status, .. } = standing((&records, arm), made, u64::MAX);
            let until = if status == ACTIVE { u64::MAX } else { since.0 };
            found.extend(tests.into_iter().chain(later()).filter(|place| all[*place].seq.0 <= until));
        }
        _ => {
            let takes_place = |place: &usize| meant(&all[*place], made).any(|mark| mark.sign == Sign::Proposal);
            found.extend(later().find(takes_place));
        }
    }
    found.into_iter().collect()
}

/// Follows a proposal from statement to statement, up to the record of this number.
fn standing((records, arm): (&[&Record], &ArmFacts), made: &Record, until: u64) -> Standing {
    let mut found = Standing { status: ACTIVE, since: made.seq, replaced_by: None };
    let mut reactions: BTreeMap<SeatName, Sign> = BTreeMap::new();
    for record in records.iter().filter(|record| record.seq > made.seq && record.seq.0 <= until) {
        let Some(seat) = &record.seat else { continue };
        for mark in meant(record, made) {
            let mut settles = None;
            match mark.sign {
                Sign::Support | Sign::Oppose => {
                    reactions.insert(seat.clone(), mark.sign);
                    let others = others((records, arm), record.seq);
                    let of = |sign: Sign| reactions.values().filter(|latest| **latest == sign).count();
                    let (supports, opposes) = (of(Sign::Support), of(Sign::Oppose));
                    let word = mark.sign.as_str();
                    let s = if others == 1 { "" } else { "s" };
                    if 2 * supports > others {
                        settles = Some("accepted");
                    } else if 2 * opposes > others {
                        settles = Some("rejected");
                    }
                }
                Sign::Proposal => {
                    found.replaced_by = found.replaced_by.or(Some(number_of(record)));
                    settles = Some("modified");
                }
                Sign::Decision => {}
            }
            if let Some(status) = settles.filter(|_| found.status == ACTIVE) {
                (found.status, found.since) = (status, record.seq);
            }
        }
    }
    if found.steps.is_empty() {
    }
    found
}

/// Whether a record ends a test that excludes who fails it.
fn is_test(record: &Record, arm: &ArmFacts) -> bool {
    let phase = || arm.phases.iter().find(|phase| phase.name == record.at.phase);
    (record.at.step == Step::Comprehension && lost(record).is_some() || matches!(record.event, Event::Tested { .. }))
        && phase().is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
}

fn is_passed(record: &Record) -> bool {
    matches!(record.event, Event::Tested { passed: true, .. })
}

/// The places of all such tests of the seats that failed one.
fn left_out(all: &[Record], arm: &ArmFacts) -> Vec<usize> {
    let tests: Vec<usize> = (0..all.len()).filter(|place| is_test(&all[*place], arm)).collect();
    let seat = |place: &usize| all[*place].seat.as_ref();
    let failed: BTreeSet<Option<&SeatName>> =
        tests.iter().filter(|place| !is_passed(&all[**place])).map(seat).collect();
    tests.into_iter().filter(|place| failed.contains(&seat(place))).collect()
}

/// How many seats take part by a record, beside one: all but those that had failed a test that excludes.
fn others((records, arm): (&[&Record], &ArmFacts), by: Seq) -> usize {
    let mut out: BTreeMap<&SeatName, bool> = BTreeMap::new();
    for record in records.iter().filter(|record| record.seq < by && is_test(record, arm)) {
        if let Some(seat) = &record.seat {
            out.insert(seat, !is_passed(record));
        }
    }
    (arm.seats.len() - out.values().filter(|failed| **failed).count()).saturating_sub(1)
}

/// The proposals that are active at the end of the row's round.
fn open(picked: &Picked<'_>) -> Worked {
    let made = picked.records.iter().filter(|record| marks_of(record).iter().any(Marked::proposes));
    let until = picked.last().map_or(0, |record| record.seq.0);
    let active: Vec<String> = made
        .filter(|record| standing((&picked.records, picked.arm()), record, until).status == ACTIVE)
        .map(|record| number_of(record).to_string())
        .collect();
    let listed = if active.is_empty() { "none".to_owned() } else { active.join(", ") };
    worked(active.len())
}

/// The proposals that were made.
fn made(picked: &Picked<'_>) -> Worked {
    let by = picked.records.iter().filter(|record| marks_of(record).iter().any(Marked::proposes));
    let listed: Vec<String> = by.map(|record| number_of(record).to_string()).collect();
    let n = listed.len();
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    worked(n)
}

/// The decisions that were stated by the end of the row's round.
fn decisions(picked: &Picked<'_>) -> Worked {
    let stated = |record: &Record| marks_of(record).iter().filter(|mark| mark.decides()).count();
    let by = picked.records.iter().filter(|record| stated(record) > 0);
    let listed: Vec<String> = by.map(|record| number_of(record).to_string()).collect();
    let n: usize = picked.records.iter().map(|record| stated(record)).sum();
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    worked(n)
}
