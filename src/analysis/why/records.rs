//! Selects the records of a session behind a cell, by distance from its row and by kind.

use crate::analysis::facts::{AnswersBy, ArmFacts, VoteFacts, VoteForce};
use crate::analysis::why::TracedRow;
use crate::analysis::why::{memory, proposals};
use crate::domain::{
    Consequence, Event, Fault, Faulted, Matter, Measure, PaymentStage, PollTime, Record, Reply, SeatName, Step,
    list_reading_places,
};

/// The distance from a row within which its records lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowReach {
    /// The record that the row is made from.
    Own,
    /// `Own`, and what says who hears it: the opening of its phase, and the network.
    HeardOwn,
    /// `Own`, and the ballot that an amount completes.
    Question,
    /// The row's speaking turn.
    Turn,
    /// The row's round, or its part of a phase outside rounds.
    Part,
    /// `Part`, and the opening of its phase.
    OpenedPart,
    /// `Part`, only the row's seat.
    SeatPart,
    /// The row's phase.
    Phase,
    /// The session, only the row's seat.
    Seat,
    /// The session.
    Session,
    /// The session up to the end of the row's part.
    SoFar,
    /// The row's seat, up to the row's record or, without one, to the end of the row's part.
    SeatSoFar,
    /// The tallies before the row's record, and that record.
    VotesBefore,
    /// The seat's last declared stance, the row's record, and the ballot that its amount completes.
    LastStance,
    /// The records that a tally counts: a vote's ballots with its tally, or a straw poll's answers.
    Counted,
    /// The records of the row's part that enter the seat's memory.
    Remembered,
    /// The row's proposal, and each seat's latest reaction to it.
    Reactions,
    /// The row's proposal, the statements that changed it until it was settled, and the tests that excluded seats.
    Moves,
    /// The row's proposal, and the first proposal that replaces it.
    Successor,
}

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// Every record.
    Any,
    /// The start of the session.
    Convened,
    /// The seating, with what was drawn.
    Seated,
    /// A seat's own part of the case.
    Case,
    /// The names that seats chose.
    Named,
    /// The start of a phase.
    PhaseOpened,
    /// The opening of a phase in which only some seats take part.
    LimitedPhase,
    /// The start of a round, with the speaking order.
    RoundOpened,
    /// The end of a round, with the memory reports.
    RoundClosed,
    /// The end of the session.
    Adjourned,
    /// A count of sampled votes.
    Sampled,
    /// A tally of ballots.
    Tallied,
    /// `Tallied`, of a vote over the alternatives from which the result of the session comes.
    DecidingTally,
    /// A payment.
    Paid,
    /// Values that a phase computed, or texts that are kept.
    Computed,
    /// Seats that were put into groups.
    Assigned,
    /// A payment for a practice round.
    PaidApplication,
    /// The payment of the settlement.
    PaidSettlement,
    /// A statement.
    Spoke,
    /// A statement that declares a stance.
    Stance,
    /// A statement that declares an opinion.
    Opinion,
    /// A statement that carries marks.
    Marked,
    /// A statement with a stance or an opinion, or a valid answer to a straw poll.
    Position,
    /// An answer that settles whether a seat volunteers to speak, valid or not.
    Volunteered,
    /// A passed turn.
    Passed,
    /// A turn without a valid statement.
    Forfeit,
    /// A thought before a turn.
    Reasoned,
    /// An answer that settles a straw poll, valid or not.
    Poll,
    /// `Poll`, in the poll before the talk.
    PollBefore,
    /// `Poll`, in the poll after the talk.
    PollAfter,
    /// An answer that settles a ballot or its amount, valid or not.
    Ballot,
    /// `Ballot`, in a vote over the alternatives.
    AlternativesBallot,
    /// `Ballot`, in a vote over the alternatives from which the result of the session comes.
    DecidingBallot,
    /// A ranking.
    Ranked,
    /// An answer that settles a form, valid or not.
    Answered,
    /// A valid answer to the recognition probe.
    Recognised,
    /// An answer that settles the recognition probe, valid or not.
    Probed,
    /// An answer that settles a test, valid or not.
    Tested,
    /// An answer that settles whether a seat calls a vote, valid or not.
    CallAnswered,
    /// A call for a vote.
    Called,
    /// An answer that settles whether a seat agrees to vote, valid or not.
    Confirmed,
    /// A memory rewritten to take in events.
    Integrated,
    /// A memory shortened because it was nearly full.
    Compressed,
    /// A memory left unchanged because the tries were used up.
    RewriteLost,
    /// A seat asked to see something before it answers.
    Inquired,
    /// Every answer, including invalid ones.
    Answer,
    /// An answer that settles its question. This kind and the next four exclude the recognition probe.
    Settled,
    /// A valid answer at the first try.
    FirstTry,
    /// A valid answer after a repeated question.
    Reasked,
    /// The last answer to a question whose tries were used up, without a refusal.
    Invalid,
    /// The last answer to a question whose tries were used up, with a refusal.
    Refused,
    /// An answer from a language model.
    Call,
}

/// The records picked from those that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPick {
    /// All.
    All,
    /// The first.
    First,
    /// The last.
    Last,
    /// The first and the last.
    Ends,
    /// The first in the phase and pass of the last vote.
    FirstOfPass,
    /// The same, and the last of all.
    EndsOfPass,
    /// Those in the phase and pass in which the session's last record of these kinds lies.
    OfPass,
}

/// The records behind a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Records {
    /// The distance from the row.
    pub reach: RowReach,
    /// The kinds that count; empty if the cell comes from the plan alone.
    pub of: &'static [RecordKind],
    /// The pick among them.
    pub take: RecordPick,
}

/// Whether an answer settles its question.
pub fn settles_question(record: &Record) -> bool {
    record.attempt.is_some()
        && !matches!(record.event, Event::Faulted(Faulted { then: Consequence::AskedAgain, .. }) | Event::Inquired(_))
}

/// Whether a record is among the settled questions that tables count, which exclude the recognition probe.
fn is_counted(record: &Record) -> bool {
    settles_question(record) && record.at.step != Step::Recognition
}

impl RecordKind {
    /// Whether a record is of this kind.
    pub fn matches_record(self, record: &Record, arm: &ArmFacts) -> bool {
        let event = &record.event;
        let step = record.at.step;
        let valid_at = |wanted: Step| step == wanted && record.reply().is_some();
        let lost_at = |wanted: Step| step == wanted && record.final_fault().is_some();
        let settled_at = |wanted: Step| valid_at(wanted) || lost_at(wanted);
        let tables = event.paid().and_then(|payment| payment.tables.as_ref());
        let is_poll_record = || settled_at(step) && is_poll(step, record, arm);
        let poll_at =
            |time| is_poll_record() && arm.find_phase(&record.at.phase).is_some_and(|phase| phase.poll == Some(time));
        let paid_for = |wanted| tables.is_some_and(|tables| tables.stage == wanted);
        match self {
            RecordKind::Any => true,
            RecordKind::Convened => event.is_convened(),
            RecordKind::Seated => event.is_seated() && step == Step::Convening,
            RecordKind::Case => event.briefed().is_some_and(|told| matches!(told.what, Matter::Case { .. })),
            RecordKind::Named => event.is_seated() && step == Step::Naming,
            RecordKind::PhaseOpened => event.is_phase_opened(),
            RecordKind::LimitedPhase => event.phase_opened().is_some_and(|opened| !opened.who.is_empty()),
            RecordKind::RoundOpened => event.opens_talk_round(),
            RecordKind::RoundClosed => event.is_round_closed(),
            RecordKind::Adjourned => event.is_adjourned(),
            RecordKind::Sampled => event.tallied().is_some_and(|tally| tally.sampled.is_some()),
            RecordKind::Tallied => event.is_tallied(),
            RecordKind::Computed => event.is_computed(),
            RecordKind::Assigned => event.is_assigned(),
            RecordKind::Paid => event.is_paid(),
            RecordKind::PaidApplication => paid_for(PaymentStage::Application),
            RecordKind::PaidSettlement => paid_for(PaymentStage::Settlement),
            RecordKind::Spoke => matches!(record.reply(), Some(Reply::Statement { .. })),
            RecordKind::Stance => matches!(record.reply(), Some(Reply::Statement { stance: Some(_), .. })),
            RecordKind::Opinion => matches!(record.reply(), Some(Reply::Statement { opinion: Some(_), .. })),
            RecordKind::Position => match record.reply() {
                Some(Reply::Statement { stance, opinion, .. }) => stance.is_some() || opinion.is_some(),
                reply => reply.is_some() && is_poll(step, record, arm),
            },
            RecordKind::Marked => !event.marks().is_empty(),
            RecordKind::Volunteered => settled_at(Step::Volunteer),
            RecordKind::Passed => record.reply() == Some(Reply::Pass),
            RecordKind::Forfeit => lost_at(Step::Statement),
            RecordKind::Reasoned => valid_at(Step::Reasoning),
            RecordKind::Poll => is_poll_record(),
            RecordKind::PollBefore => poll_at(PollTime::Before),
            RecordKind::PollAfter => poll_at(PollTime::After),
            RecordKind::Ballot => settled_at(Step::Ballot) || settled_at(Step::Amount),
            RecordKind::AlternativesBallot => {
                RecordKind::Ballot.matches_record(record, arm) && is_over_alternatives(record, arm)
            }
            RecordKind::DecidingBallot => RecordKind::Ballot.matches_record(record, arm) && is_deciding(record, arm),
            RecordKind::DecidingTally => event.is_tallied() && is_deciding(record, arm),
            RecordKind::Ranked => {
                valid_at(Step::Ranking) || valid_at(Step::Ask) && is_measured(record, arm, &[Measure::Ranking])
            }
            RecordKind::Answered => settled_at(Step::Ask),
            RecordKind::Recognised => valid_at(Step::Recognition),
            RecordKind::Probed => settled_at(Step::Recognition),
            RecordKind::Tested => settled_at(Step::Comprehension),
            RecordKind::CallAnswered => settled_at(Step::VoteCall),
            RecordKind::Called => step == Step::VoteCall && record.reply() == Some(Reply::Assent(true)),
            RecordKind::Confirmed => settled_at(Step::Confirmation),
            RecordKind::Integrated => valid_at(Step::Integration),
            RecordKind::Compressed => valid_at(Step::Compression),
            RecordKind::Inquired => event.is_inquired(),
            RecordKind::RewriteLost => lost_at(Step::Integration) || lost_at(Step::Compression),
            RecordKind::Answer => record.attempt.is_some(),
            RecordKind::Settled => is_counted(record),
            RecordKind::FirstTry => {
                is_counted(record) && record.final_fault().is_none() && record.tries_before() == Some(0)
            }
            RecordKind::Reasked => {
                is_counted(record) && record.final_fault().is_none() && record.tries_before() > Some(0)
            }
            RecordKind::Invalid => {
                is_counted(record) && record.final_fault().is_some_and(|fault| fault != Fault::Refused)
            }
            RecordKind::Refused => is_counted(record) && record.final_fault() == Some(Fault::Refused),
            RecordKind::Call => is_call(record, arm),
        }
    }
}

/// What is known of the votes of a record's phase.
fn vote_of<'a>(record: &Record, arm: &'a ArmFacts) -> Option<&'a VoteFacts> {
    arm.find_phase(&record.at.phase)?.vote.as_ref()
}

fn is_over_alternatives(record: &Record, arm: &ArmFacts) -> bool {
    vote_of(record, arm).is_some_and(|vote| vote.options.is_none())
}

fn is_deciding(record: &Record, arm: &ArmFacts) -> bool {
    is_over_alternatives(record, arm) && vote_of(record, arm).is_some_and(|vote| vote.force == VoteForce::Deciding)
}

/// Whether a record is of a straw poll, or of a form that measures what a poll does.
fn is_poll(step: Step, record: &Record, arm: &ArmFacts) -> bool {
    step == Step::StrawPoll || step == Step::Ask && is_measured(record, arm, &[Measure::Stance, Measure::Opinion])
}

/// Whether a record is of a form that counts like a straw poll and measures one of these.
fn is_measured(record: &Record, arm: &ArmFacts, wanted: &[Measure]) -> bool {
    let phase = arm.find_phase(&record.at.phase);
    phase.is_some_and(|phase| wanted.iter().any(|measure| phase.find_measure(*measure).is_some()))
}

/// Whether a language model was called. A question that was too long to be sent is not a call.
fn is_call(record: &Record, arm: &ArmFacts) -> bool {
    let by_model = |name: &SeatName| {
        let seat = arm.seats.iter().position(|seat| seat.name == *name);
        seat.is_some_and(|seat| arm.answers_by(seat, &record.at) == AnswersBy::Model)
    };
    record.was_put() && record.attempt.is_some() && record.seat.as_ref().is_some_and(by_model)
}

impl RowReach {
    /// Whether a record lies within reach of a row. `own` is the index of the row's own record, `end` that of the last record of
    /// its part, `read` the place of each record in the order of reading.
    fn covers_record(
        self,
        place: usize,
        (all, arm, read): (&[Record], &ArmFacts, &[usize]),
        scope: &TracedRow,
        (own, end): (Option<usize>, Option<usize>),
    ) -> bool {
        let record = &all[place];
        let in_phase = || scope.phase() == Some(record.at.phase.as_str());
        let in_part = || in_phase() && scope.round() == Some(record.at.round);
        let of_seat = || scope.seat().is_none_or(|seat| record.concerns(&seat));
        match self {
            RowReach::Own => own == Some(place),
            RowReach::HeardOwn => {
                own == Some(place)
                    || in_phase() && record.event.is_phase_opened()
                    || record.event.seated().iter().any(|seat| seat.hears.is_some())
            }
            RowReach::Question => own.is_some_and(|own| {
                own == place
                    || all[own].at.step == Step::Amount
                        && record.at.step == Step::Ballot
                        && record.reply().is_some()
                        && in_part()
                        && record.seat == all[own].seat
            }),
            RowReach::Turn => {
                in_part() && scope.turn() == Some(record.at.turn) && record.seat.as_ref() == scope.seat().as_ref()
            }
            RowReach::Part => in_part(),
            RowReach::OpenedPart => in_part() || in_phase() && record.event.is_phase_opened(),
            RowReach::SeatPart => in_part() && of_seat(),
            RowReach::Phase => in_phase(),
            RowReach::Seat => of_seat(),
            RowReach::Session => true,
            RowReach::SoFar => end.is_some_and(|end| read[place] <= read[end]),
            RowReach::SeatSoFar => of_seat() && own.or(end).is_some_and(|end| read[place] <= read[end]),
            RowReach::VotesBefore => own.is_some_and(|own| {
                own == place || read[place] < read[own] && matches!(record.event, Event::Tallied(_))
            }),
            RowReach::LastStance => {
                let stance = |other: &Record| {
                    other.seat == record.seat && matches!(other.reply(), Some(Reply::Statement { stance: Some(_), .. }))
                };
                let is_last =
                    |own: usize| place < own && of_seat() && stance(record) && !all[place + 1..own].iter().any(stance);
                RowReach::Question.covers_record(place, (all, arm, read), scope, (own, end)) || own.is_some_and(is_last)
            }
            RowReach::Remembered => {
                in_part() && scope.seat().is_some_and(|seat| memory::enters_memory(record, &seat, arm))
            }
            // `list_records` picks these among all records.
            RowReach::Reactions | RowReach::Moves | RowReach::Successor => false,
            RowReach::Counted => {
                let is_poll = match record.at.step {
                    Step::StrawPoll => true,
                    Step::Ask => arm.find_phase(&record.at.phase).is_some_and(|phase| phase.poll.is_some()),
                    _ => false,
                };
                // A sampled vote continues over several rounds and is tallied after the last sample.
                let is_sampled = |own: usize| {
                    let tally = all[own].event.tallied();
                    place <= own && tally.is_some_and(|tally| tally.sampled.is_some()) && in_phase()
                };
                (in_part() || own.is_some_and(is_sampled))
                    && own.map_or(is_poll, |own| own == place || record.attempt.is_some() && !is_poll)
            }
        }
    }
}

impl Records {
    /// The indices of the selected records, in the order of the minutes.
    pub fn select_places(&self, all: &[Record], arm: &ArmFacts, scope: &TracedRow) -> Vec<usize> {
        let is_part =
            |record: &Record| scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round);
        if matches!(self.reach, RowReach::Reactions | RowReach::Moves | RowReach::Successor) {
            return scope
                .own_record(all)
                .map_or(Vec::new(), |own| proposals::list_records(self.reach, (all, arm), scope, own));
        }
        let bounds = (scope.own_record(all), all.iter().rposition(is_part));
        let mut read = vec![0; all.len()];
        list_reading_places(all).into_iter().enumerate().for_each(|(when, place)| read[place] = when);
        let mut found: Vec<usize> = Vec::new();
        for (place, record) in all.iter().enumerate() {
            if self.of.iter().any(|kind| kind.matches_record(record, arm))
                && self.reach.covers_record(place, (all, arm, &read), scope, bounds)
            {
                found.push(place);
            }
        }
        match (self.take, found.as_slice()) {
            (RecordPick::First, [first, ..]) => vec![*first],
            (RecordPick::Last, [.., last]) => vec![*last],
            (RecordPick::Ends, [first, .., last]) => vec![*first, *last],
            (RecordPick::FirstOfPass, _) => find_first_of_pass(all, &found).into_iter().collect(),
            (RecordPick::EndsOfPass, [.., last]) => {
                let first = find_first_of_pass(all, &found).filter(|first| first != last);
                first.into_iter().chain([*last]).collect()
            }
            (RecordPick::OfPass, _) => {
                let is_kind = |record: &&Record| self.of.iter().any(|kind| kind.matches_record(record, arm));
                let last = all.iter().rev().find(is_kind).map(|record| &record.at.phase);
                found.retain(|place| Some(&all[*place].at.phase) == last);
                found
            }
            _ => found,
        }
    }
}

/// The place of the first record in the phase and pass of the last count.
fn find_first_of_pass(all: &[Record], found: &[usize]) -> Option<usize> {
    let last = found.iter().rev().find(|place| all[**place].event.is_tallied())?;
    found.iter().copied().find(|place| all[*place].at.phase == all[*last].at.phase)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::analysis::facts::{Determinism, MemoryFacts, MemoryIntake, PassNumbers, PhaseFacts};
    use crate::analysis::why::TracedRow;
    use crate::analysis::{ColumnLayout, OnFailing, PhaseVotes};
    use crate::domain::{Answered, Given, Moment, PhaseName, Seq};

    fn arm() -> ArmFacts {
        let poll = PhaseFacts {
            name: PhaseName::new("before"),
            kind: crate::domain::PhaseKindName::Ask,
            poll: Some(PollTime::Before),
            rounds_max: 0,
            passes: PassNumbers::default(),
            votes: PhaseVotes::None,
            on_failing: OnFailing::Stays,
            marks: crate::analysis::MarksRead::No,
            fields: Vec::new(),
            keys: Vec::new(),
            measures: Vec::new(),
            about: Default::default(),
            vote: None,
            remember: None,
        };
        ArmFacts {
            experiment: "e".to_owned(),
            arm: "baseline".to_owned(),
            levels: Vec::new(),
            plan_digest: crate::domain::Digest::of(b"plan"),
            determinism: Determinism::Recomputed,
            language: "en".to_owned(),
            wording: "scenario".to_owned(),
            prompts_digest: crate::domain::Digest::of(b"prompts"),
            seats: Vec::new(),
            pools: Vec::new(),
            starts: Default::default(),
            repeated_columns: Default::default(),
            alternatives: Vec::new(),
            labels: Vec::new(),
            takes_amount: Vec::new(),
            strength: crate::choice::ranked::DefeatStrength::Margins,
            unit: None,
            amounts: None,
            correct_within_ppm: 0,
            later: None,
            phases: vec![poll],
            regions: BTreeMap::new(),
            memory: MemoryFacts {
                policy: "none".to_owned(),
                kept: MemoryIntake::Nothing,
                written_by: None,
                tariff: None,
            },
            convergence: crate::analysis::ConvergenceFacts::default(),
            mechanism: None,
            layout: std::sync::Arc::new(ColumnLayout::default()),
        }
    }

    fn record(seq: u64, (phase, round, step): (&str, u32, Step), (seat, attempt): (&str, u8), event: Event) -> Record {
        let at = Moment { phase: PhaseName::new(phase), round, turn: 0, step };
        Record { seq: Seq(seq), at, seat: Some(SeatName::new(seat)), attempt: Some(attempt), event }
    }

    fn passed() -> Event {
        Event::Answered(Answered::of_reply(Reply::Pass))
    }

    fn fault(fault: Fault, then: Consequence) -> Event {
        Event::Faulted(Faulted {
            fault,
            field: None,
            then,
            options: Vec::new(),
            raw: "?".to_owned(),
            given: Given::default(),
        })
    }

    /// 0 Ann is asked again and 1 loses the poll; 2 Bob passes in round 1, 3 Ann refuses in round 2, 4 Bob answers at the second try,
    /// 5 Ann refuses the recognition probe.
    fn records() -> Vec<Record> {
        let (poll, talk) = (("before", 0, Step::StrawPoll), |round| ("talk", round, Step::Statement));
        let probe = ("session", 0, Step::Recognition);
        vec![
            record(0, poll, ("Ann", 0), fault(Fault::Empty, Consequence::AskedAgain)),
            record(1, poll, ("Ann", 1), fault(Fault::Empty, Consequence::TriesUsedUp)),
            record(2, talk(1), ("Bob", 0), passed()),
            record(3, talk(2), ("Ann", 0), fault(Fault::Refused, Consequence::TriesUsedUp)),
            record(4, talk(2), ("Bob", 1), passed()),
            record(5, probe, ("Ann", 0), fault(Fault::Refused, Consequence::TriesUsedUp)),
        ]
    }

    #[test]
    fn kinds_of_answers_are_told_apart() {
        let (arm, all) = (arm(), records());
        let cases: [(RecordKind, &[u64]); 12] = [
            (RecordKind::Answer, &[0, 1, 2, 3, 4, 5]),
            (RecordKind::Probed, &[5]),
            (RecordKind::Settled, &[1, 2, 3, 4]),
            (RecordKind::Poll, &[1]),
            (RecordKind::PollBefore, &[1]),
            (RecordKind::PollAfter, &[]),
            (RecordKind::Invalid, &[1]),
            (RecordKind::Refused, &[3]),
            (RecordKind::Forfeit, &[3]),
            (RecordKind::FirstTry, &[2]),
            (RecordKind::Reasked, &[4]),
            (RecordKind::Call, &[]),
        ];
        for (kind, expected) in cases {
            let found: Vec<u64> =
                all.iter().filter(|record| kind.matches_record(record, &arm)).map(|record| record.seq.0).collect();
            assert_eq!(found, expected, "{kind:?}");
        }
    }

    #[test]
    fn reach_is_what_its_name_says() {
        let (arm, all) = (arm(), records());
        let cells = [("phase", "talk"), ("round", "2"), ("seat", "Bob")];
        let cells: BTreeMap<String, String> = cells.map(|(name, cell)| (name.to_owned(), cell.to_owned())).into();
        let part = TracedRow::new("seat_rounds", cells.clone());
        let own = TracedRow::new(
            "answers",
            [cells, [("seq".to_owned(), "2".to_owned())].into()].into_iter().flatten().collect(),
        );
        let cases: [(&TracedRow, RowReach, RecordPick, &[usize]); 9] = [
            (&part, RowReach::Session, RecordPick::All, &[0, 1, 2, 3, 4, 5]),
            (&part, RowReach::Session, RecordPick::Ends, &[0, 5]),
            (&part, RowReach::Session, RecordPick::Last, &[5]),
            (&part, RowReach::Phase, RecordPick::First, &[2]),
            (&part, RowReach::Part, RecordPick::All, &[3, 4]),
            (&part, RowReach::SeatPart, RecordPick::All, &[4]),
            (&part, RowReach::Seat, RecordPick::All, &[2, 4]),
            (&own, RowReach::Own, RecordPick::All, &[2]),
            (&own, RowReach::SeatSoFar, RecordPick::All, &[2]),
        ];
        for (scope, reach, take, expected) in cases {
            let found = Records { reach, of: &[RecordKind::Any], take }.select_places(&all, &arm, scope);
            assert_eq!(found, expected, "{reach:?} {take:?}");
        }
    }
}
