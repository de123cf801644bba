//! Cells about marks: proposals, reactions, decisions. Statuses are worked out anew from the marks in the records.

use std::collections::BTreeMap;

use crate::domain::{Event, Marked, Named, Number, Record, SeatName, Seq, Sign};
use crate::metrics::facts::OnFailing;
use crate::metrics::why::records::lost;
use crate::metrics::why::{Picked, Worked, absent, named, worked};

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
}

/// How a proposal came to stand.
struct Standing {
    steps: Vec<String>,
    reactions: BTreeMap<SeatName, Sign>,
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
        match self {
            Marks::Open => open(picked),
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
        let Standing { steps, reactions, status, since, replaced_by } = standing(picked, made, u64::MAX);
        let count = |sign: Sign| reactions.values().filter(|latest| **latest == sign).count();
        match self {
            Marks::Supports => worked(steps, count(Sign::Support)),
            Marks::Opposes => worked(steps, count(Sign::Oppose)),
            Marks::Status => worked(steps, status),
            Marks::Since => worked(steps, since.0),
            _ => match replaced_by {
                Some(number) => worked(steps, number),
                None => Worked { steps, value: Err("its seat made no proposal that names it".to_owned()) },
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
                return worked(vec![words], number);
            }
            Marks::Replaces => {
                let proposal = marks.iter().find(|mark| mark.proposes());
                let earlier = proposal.filter(|mark| mark.of.is_some() && mark.ignored.is_none());
                return match earlier {
                    Some(mark) => worked(read(), target(mark)),
                    None => absent("it takes no other proposal's place"),
                };
            }
            Marks::Signs | Marks::Targets if marks.is_empty() => return absent("the statement carries no marks"),
            Marks::Signs => {
                let signs: Vec<&str> = marks.iter().map(|mark| mark.sign.as_str()).collect();
                return worked(read(), signs.join("|"));
            }
            Marks::Targets => {
                let targets: Vec<String> = marks.iter().map(target).collect();
                return match targets.iter().all(String::is_empty) {
                    true => absent("the marks name no statement"),
                    false => worked(read(), targets.join("|")),
                };
            }
            _ => {}
        }
        let place = picked.case.scope.number::<usize>("place");
        let Some((place, mark)) = place.and_then(|place| Some((place, marks.get(place.checked_sub(1)?)?))) else {
            return absent("the statement has no such mark");
        };
        match self {
            Marks::Place => worked(read(), place),
            Marks::Sign => worked(read(), mark.sign.as_str()),
            Marks::Target => match target(mark) {
                none if none.is_empty() => absent("the mark names no number"),
                number => worked(read(), number),
            },
            Marks::Of => match mark.of {
                Some(seq) => worked(read(), seq.0),
                None => absent("the mark means no proposal"),
            },
            _ => match mark.ignored {
                Some(reason) => worked(read(), reason.as_str()),
                None => absent("the mark counts"),
            },
        }
    }
}

/// Follows a proposal from statement to statement, up to the record of this number.
fn standing(picked: &Picked<'_>, made: &Record, until: u64) -> Standing {
    let mut found = Standing {
        steps: Vec::new(),
        reactions: BTreeMap::new(),
        status: "active",
        since: made.seq,
        replaced_by: None,
    };
    for record in picked.records.iter().filter(|record| record.seq > made.seq && record.seq.0 <= until) {
        let Some(seat) = &record.seat else { continue };
        let meant = marks_of(record).iter().filter(|mark| mark.of == Some(made.seq) && mark.ignored.is_none());
        for mark in meant {
            let mut settles = None;
            match mark.sign {
                Sign::Support | Sign::Oppose => {
                    found.reactions.insert(seat.clone(), mark.sign);
                    let others = others(picked, record.seq);
                    let of = |sign: Sign| found.reactions.values().filter(|latest| **latest == sign).count();
                    let (supports, opposes) = (of(Sign::Support), of(Sign::Oppose));
                    let word = mark.sign.as_str();
                    found.steps.push(format!(
                        "{}: {word}; support {supports} and opposition {opposes} of {others} others",
                        named(record)
                    ));
                    if 2 * supports > others {
                        settles = Some("accepted");
                    } else if 2 * opposes > others {
                        settles = Some("rejected");
                    }
                }
                Sign::Proposal => {
                    found.steps.push(format!("{} takes its place", named(record)));
                    found.replaced_by = found.replaced_by.or(Some(number_of(record)));
                    settles = Some("modified");
                }
                Sign::Decision => {}
            }
            if let Some(status) = settles.filter(|_| found.status == "active") {
                (found.status, found.since) = (status, record.seq);
            }
        }
    }
    if found.steps.is_empty() {
        found.steps.push("nobody reacted to it, and nothing took its place".to_owned());
    }
    found
}

/// How many seats take part by a record, beside one: all but those that had failed a test that excludes.
fn others(picked: &Picked<'_>, by: Seq) -> usize {
    let excludes = |record: &Record| {
        let phase = picked.arm().phases.iter().find(|phase| phase.name == record.at.phase);
        phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
    };
    let mut out: BTreeMap<&SeatName, bool> = BTreeMap::new();
    for record in picked.records.iter().filter(|record| record.seq < by && marks_of(record).is_empty()) {
        let is_test = lost(record).is_some() || matches!(record.event, Event::Tested { .. });
        let failed = !matches!(record.event, Event::Tested { passed: true, .. });
        if let (Some(seat), true) = (&record.seat, is_test && excludes(record)) {
            out.insert(seat, failed);
        }
    }
    (picked.arm().seats.len() - out.values().filter(|failed| **failed).count()).saturating_sub(1)
}

/// The proposals that are active at the end of the row's round.
fn open(picked: &Picked<'_>) -> Worked {
    let made = picked.records.iter().filter(|record| marks_of(record).iter().any(Marked::proposes));
    let until = picked.last().map_or(0, |record| record.seq.0);
    let active: Vec<String> = made
        .filter(|record| standing(picked, record, until).status == "active")
        .map(|record| number_of(record).to_string())
        .collect();
    let listed = if active.is_empty() { "none".to_owned() } else { active.join(", ") };
    worked(vec![format!("active: {listed}: {}", active.len())], active.len())
}
