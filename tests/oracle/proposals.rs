//! Cells about proposals, reactions to them, and decisions. How proposals stand is computed from the marks in the records.

use std::collections::BTreeMap;

use ekklesia::analysis::why::RecordKind;
use ekklesia::analysis::{ArmFacts, MarksRead, OnFailing};
use ekklesia::domain::{Event, Marked, Named, Number, PhaseOpened, Record, SeatName, Seq, Sign};

use super::{Cell, list, show};

/// The marks of a statement; none of any other record.
fn marks_of(record: &Record) -> &[Marked] {
    record.event.marks()
}

pub fn number_of(record: &Record) -> Number {
    Number { round: record.at.round, turn: record.at.turn }
}

/// The number that a mark names; an empty text where it names none.
pub fn target_of(mark: &Marked) -> String {
    match mark.names {
        Named::Number(number) => number.to_string(),
        Named::Nothing | Named::Unreadable => String::new(),
    }
}

/// The marks of a later statement that count and react to a proposal or replace it.
fn list_moves<'r>(record: &'r Record, proposal: &Record) -> impl DoubleEndedIterator<Item = &'r Marked> {
    let seq = proposal.seq;
    let is_later = record.seq > seq;
    let moves = |mark: &Marked| mark.sign != Sign::Decision && mark.ignored.is_none();
    marks_of(record).iter().filter(move |mark| is_later && mark.of == Some(seq) && moves(mark))
}

/// How a proposal stands.
pub struct Standing {
    pub status: &'static str,
    pub since: Seq,
    pub replaced_by: Option<Number>,
}

/// Follows a proposal from statement to statement, up to a record.
fn follow(records: &[&Record], arm: &ArmFacts, proposal: &Record, until: Seq) -> Standing {
    let mut standing = Standing { status: "active", since: proposal.seq, replaced_by: None };
    let mut reactions: BTreeMap<&SeatName, Sign> = BTreeMap::new();
    for record in records.iter().filter(|record| record.seq <= until) {
        let Some(seat) = &record.seat else { continue };
        for mark in list_moves(record, proposal) {
            let mut settled = None;
            if mark.sign == Sign::Proposal {
                standing.replaced_by = standing.replaced_by.or(Some(number_of(record)));
                settled = Some("modified");
            } else {
                reactions.insert(seat, mark.sign);
                let others = count_others(records, arm, record);
                let is_most = |sign| 2 * reactions.values().filter(|latest| **latest == sign).count() > others;
                if is_most(Sign::Support) {
                    settled = Some("accepted");
                } else if is_most(Sign::Oppose) {
                    settled = Some("rejected");
                }
            }
            if let Some(status) = settled.filter(|_| standing.status == "active") {
                (standing.status, standing.since) = (status, record.seq);
            }
        }
    }
    standing
}

/// Counts the seats beside one that speak in the phase of a record: all that take part in it but those that had failed a test that excludes.
fn count_others(records: &[&Record], arm: &ArmFacts, by: &Record) -> usize {
    let excludes = |record: &Record| {
        let phase = arm.phases.iter().find(|phase| phase.name == record.at.phase);
        phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
    };
    let tests = records
        .iter()
        .filter(|record| record.seq < by.seq && RecordKind::Tested.matches_record(record, arm) && excludes(record));
    let failed: BTreeMap<_, bool> =
        tests.map(|test| (&test.seat, !test.test_result().is_some_and(|(_, passed)| passed))).collect();
    let who = records.iter().find_map(|record| match &record.event {
        Event::PhaseOpened(PhaseOpened { who, .. }) if record.at.phase == by.at.phase => Some(who),
        _ => None,
    });
    let has_failed = |name: &SeatName| failed.iter().any(|(seat, failed)| *failed && seat.as_ref() == Some(name));
    let takes_part = |name: &SeatName| who.is_none_or(|who| who.contains(name)) && !has_failed(name);
    arm.seats.iter().filter(|seat| seat.speaks && takes_part(&seat.name)).count().saturating_sub(1)
}

impl<'c> Cell<'c> {
    /// The statement that made the row's proposal.
    fn proposal(&self) -> Option<&'c Record> {
        let seq = self.row.cell_number("seq").map(Seq);
        self.records.iter().copied().find(|record| Some(record.seq) == seq)
    }

    pub(super) fn standing(&self) -> Option<Standing> {
        Some(follow(&self.records, self.arm(), self.proposal()?, Seq(u64::MAX)))
    }

    pub(super) fn mark(&self) -> Option<&'c Marked> {
        marks_of(self.last()?).get(self.row.cell_number::<usize>("place")?.checked_sub(1)?)
    }

    /// Counts the seats whose latest reaction to the row's proposal is this.
    pub(super) fn count_reactions(&self, wanted: Sign) -> Option<String> {
        let proposal = self.proposal()?;
        let is_reaction = |mark: &&Marked| matches!(mark.sign, Sign::Support | Sign::Oppose);
        let latest = self.records.iter().filter_map(|record| list_moves(record, proposal).rfind(is_reaction));
        show(latest.filter(|mark| mark.sign == wanted).count())
    }

    /// Counts marks; a session of which no marks are read has an empty cell.
    pub(super) fn count_marks(&self, is_counted: fn(&Marked) -> bool) -> Option<String> {
        let is_read = self.arm().phases.iter().any(|phase| phase.marks == MarksRead::Yes);
        let marks = self.records.iter().flat_map(|record| marks_of(record));
        is_read.then(|| marks.filter(|mark| is_counted(mark)).count().to_string())
    }
}

/// The number of the proposal that the row's replaces.
pub fn read_replaces(cell: &Cell<'_>) -> Option<String> {
    let proposal = marks_of(cell.last()?).iter().find(|mark| mark.proposes())?;
    (proposal.of.is_some() && proposal.ignored.is_none()).then(|| target_of(proposal))
}

/// Which of its statement's marks the row's is.
pub fn read_place(cell: &Cell<'_>) -> Option<String> {
    cell.mark()?;
    show(cell.row.cell_text("place")?)
}

pub fn list_signs(cell: &Cell<'_>) -> Option<String> {
    list(marks_of(cell.last()?).iter().map(|mark| mark.sign.as_str()))
}

/// What each mark of a statement names; empty where none names anything.
pub fn list_targets(cell: &Cell<'_>) -> Option<String> {
    let targets: Vec<String> = marks_of(cell.last()?).iter().map(target_of).collect();
    if targets.iter().all(String::is_empty) { None } else { list(targets) }
}

/// Counts the proposals that are active at the end of the row's round.
pub fn count_open(cell: &Cell<'_>) -> Option<String> {
    let until = cell.last().map_or(Seq(0), |record| record.seq);
    let proposals = cell.records.iter().filter(|record| marks_of(record).iter().any(Marked::proposes));
    show(proposals.filter(|made| follow(&cell.records, cell.arm(), made, until).status == "active").count())
}
