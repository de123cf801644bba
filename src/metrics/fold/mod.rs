//! The fold of one session's records into rows.
//!
//! Rows become CSV bytes as soon as they are known; no record is kept. A record costs the same whatever came before it,
//! a round costs a pass over its seats.

mod choices;
mod talk;

pub use choices::Purpose;

use indexmap::IndexSet;

use crate::domain::{
    AlternativeName, Consequence, Digest, Event, Fault, Given, Moment, Record, SeatName, Seq, Step, StopReason, Verdict,
};
use crate::metrics::column::put_row;
use crate::metrics::effort::{AnswerStatus, Effort};
use crate::metrics::facts::SessionFacts;
use crate::metrics::key::key_cells;
use crate::metrics::measures;
use crate::metrics::part::Part;
use crate::metrics::tables::{AnswerRow, SessionRow, SessionTotals, Status};
use choices::Choice;

/// A record that does not belong to the session that the fold was made for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {}: {what} is not in the plan", seq.0)]
pub struct Misfit {
    /// The record.
    pub seq: Seq,
    /// What is not known: `seat Bob`, `phase talk`, `alternative maybe`.
    pub what: String,
}

/// A session's rows as CSV, one buffer a table; all empty unless the session is completed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Rounds.
    pub rounds: Vec<u8>,
    /// Turns on the floor.
    pub statements: Vec<u8>,
    /// Straw polls and votes, seat by seat.
    pub ballots: Vec<u8>,
    /// Straw polls and votes, alternative by alternative.
    pub tallies: Vec<u8>,
    /// Questions.
    pub answers: Vec<u8>,
}

/// A folded session.
#[derive(Debug, Clone, PartialEq)]
pub struct Folded {
    /// The session.
    pub facts: SessionFacts,
    /// Its row in the table of sessions.
    pub session: SessionRow,
    /// Its rows in all other tables.
    pub rows: Rows,
}

/// What is kept of a seat.
#[derive(Debug, Clone, Default)]
struct SeatState {
    stance: Option<usize>,
    words: u64,
    /// Whether the last poll differed from the stance declared last by then.
    differs: Option<bool>,
}

/// The coordinates of an answer.
#[derive(Clone, Copy)]
struct Answered<'a> {
    seq: Seq,
    at: &'a Moment,
    name: &'a SeatName,
    seat: usize,
    attempt: u8,
}

/// The fold of one session.
pub struct SessionFold {
    facts: SessionFacts,
    key: Vec<u8>,
    seat_names: IndexSet<SeatName>,
    seats: Vec<SeatState>,
    held: Vec<u32>,
    part: Option<Part>,
    rows: Rows,
    effort: Effort,
    statements: u64,
    forfeits: u64,
    dropped_chars: u64,
    rounds_used: u64,
    votes_held: u32,
    trivial: Option<bool>,
    before: Option<f64>,
    after: Option<f64>,
    first_majority: Option<usize>,
    end: Option<(Verdict, StopReason, Option<AlternativeName>)>,
    transcript: blake3::Hasher,
}

impl SessionFold {
    /// Begins the fold of a session.
    pub fn new(facts: SessionFacts) -> Self {
        let arm = &facts.arm;
        Self {
            key: key_cells(&facts),
            seat_names: arm.seats.iter().map(|seat| seat.name.clone()).collect(),
            seats: vec![SeatState::default(); arm.seats.len()],
            held: vec![0; arm.alternatives.len()],
            facts,
            part: None,
            rows: Rows::default(),
            effort: Effort::default(),
            statements: 0,
            forfeits: 0,
            dropped_chars: 0,
            rounds_used: 0,
            votes_held: 0,
            trivial: None,
            before: None,
            after: None,
            first_majority: None,
            end: None,
            transcript: blake3::Hasher::new(),
        }
    }

    /// Takes the next record, in the order of the minutes.
    ///
    /// # Errors
    /// When it names a phase, seat or alternative that the session does not have.
    pub fn take(&mut self, record: &Record) -> Result<(), Misfit> {
        self.enter(record)?;
        match &record.event {
            Event::RoundOpened { order } => self.open_round(record, order),
            Event::Tallied(report) => self.tallied(record, report),
            Event::RoundClosed { dropped_chars, .. } => {
                self.dropped_chars = *dropped_chars;
                Ok(())
            }
            Event::Adjourned { verdict, stop, decided } => {
                self.end = Some((*verdict, *stop, decided.as_ref().map(|choice| choice.alternative.clone())));
                Ok(())
            }
            _ => self.take_answer(record),
        }
    }

    /// Takes a record if a seat answered it.
    fn take_answer(&mut self, record: &Record) -> Result<(), Misfit> {
        let Some(answered) = self.answered(record)? else {
            return Ok(());
        };
        match &record.event {
            Event::Spoke { text, stance, given, .. } => self.spoke(record, answered, text, stance.as_ref(), given),
            Event::Passed { given } => {
                self.answer(answered, given, None, Some("pass"));
                self.settle(answered, None);
                self.turn(answered, "pass", None, None);
                Ok(())
            }
            Event::Polled { alternative, options, raw, given, .. }
            | Event::Balloted { alternative, options, raw, given } => {
                self.answer(answered, given, None, Some(alternative.as_str()));
                self.choice(record, answered, Choice { alternative: Some(alternative), options, raw, fault: None })
            }
            Event::Faulted { fault, then, options, raw, given } => {
                self.answer(answered, given, Some(*fault), None);
                match then {
                    Consequence::AskedAgain => Ok(()),
                    Consequence::TriesUsedUp => {
                        self.lost(record, answered, Choice { alternative: None, options, raw, fault: Some(*fault) })
                    }
                }
            }
            _ => Ok(()),
        }
    }

    fn answered<'a>(&self, record: &'a Record) -> Result<Option<Answered<'a>>, Misfit> {
        let (Some(name), Some(attempt)) = (&record.seat, record.attempt) else {
            return Ok(None);
        };
        let seat = self.seat_names.get_index_of(name).ok_or_else(|| misfit(record, "seat", name.as_str()))?;
        Ok(Some(Answered { seq: record.seq, at: &record.at, name, seat, attempt }))
    }

    /// Takes an answer whose tries are used up: a lost choice or a forfeited turn.
    fn lost(&mut self, record: &Record, answered: Answered<'_>, choice: Choice<'_>) -> Result<(), Misfit> {
        if matches!(record.at.step, Step::StrawPoll | Step::Ballot) {
            return self.choice(record, answered, choice);
        }
        self.settle(answered, choice.fault);
        self.forfeits += 1;
        self.turn(answered, "forfeit", None, None);
        Ok(())
    }

    /// Ends the fold of a session that ran to its end; the digest is that of its minutes.
    ///
    /// # Errors
    /// When the records do not end with an adjournment: the session then counts as incomplete.
    pub fn completed(mut self, minutes_digest: Digest) -> Result<Folded, Box<Folded>> {
        self.close_part();
        let Some((verdict, stop, result)) = self.end.take() else {
            return Err(Box::new(self.stopped(Status::Incomplete)));
        };
        let arm = self.facts.arm.clone();
        let timed = arm.decides_in_rounds() && verdict != Verdict::NotApplicable;
        let first = self.first_majority.map(|place| arm.alternatives[place].clone());
        let words: Vec<u64> = self.seats.iter().map(|seat| seat.words).collect();
        let gaps = self.seats.iter().filter_map(|seat| seat.differs);
        let totals = SessionTotals {
            verdict,
            stop,
            trivial_consensus: self.trivial,
            rounds_used: self.rounds_used,
            censored: timed.then_some(verdict != Verdict::Carried),
            time_to_decision: (timed && verdict == Verdict::Carried).then_some(self.rounds_used),
            votes_held: u64::from(self.votes_held),
            straw_before_modal_share: self.before,
            straw_after_modal_share: self.after,
            fbm_matches_final: first.as_ref().map(|first| result.as_ref() == Some(first)),
            first_ballot_majority: first,
            private_gap: gaps.fold((0, 0), |(differing, n), differs| (differing + u64::from(differs), n + 1)),
            speaking_gini: measures::gini(&words),
            statements: self.statements,
            words: words.iter().sum(),
            forfeits: self.forfeits,
            dropped_chars: self.dropped_chars,
            effort: self.effort,
            transcript: Digest::of(self.transcript.finalize().as_bytes()),
            minutes_digest,
            result,
        };
        let rows = std::mem::take(&mut self.rows);
        let mut folded = self.stopped(Status::Completed);
        folded.session.totals = Some(totals);
        folded.rows = rows;
        Ok(folded)
    }

    /// Ends the fold of a session that did not run to its end: it has a row in `sessions` and no other.
    pub fn stopped(self, status: Status) -> Folded {
        let arm = &self.facts.arm;
        let session = SessionRow {
            status,
            seats: arm.seats.len() as u64,
            rounds_max: u64::from(arm.rounds_max()),
            determinism: arm.determinism,
            plan_digest: arm.plan_digest.clone(),
            totals: None,
            distinct_transcript: None,
        };
        Folded { facts: self.facts, session, rows: Rows::default() }
    }

    /// Moves to the record's part and ends a straw poll that the record is no part of.
    fn enter(&mut self, record: &Record) -> Result<(), Misfit> {
        let at = &record.at;
        let same = self.part.as_ref().is_some_and(|part| part.round == at.round && part.phase == at.phase);
        if same {
            return Ok(());
        }
        self.close_part();
        if matches!(at.step, Step::Convening | Step::Adjournment) {
            return Ok(());
        }
        let phases = &self.facts.arm.phases;
        let place = phases
            .iter()
            .position(|phase| phase.name == at.phase)
            .ok_or_else(|| misfit(record, "phase", at.phase.as_str()))?;
        self.part = Some(Part::open(place, &phases[place], at.round, self.seats.len(), &self.held));
        Ok(())
    }

    fn close_part(&mut self) {
        let Some(part) = self.part.take() else { return };
        if let Some(poll) = &part.straw {
            self.straw_tally(&part, poll);
            let share = measures::modal_share(&poll.counts);
            match self.purpose(&part, Step::StrawPoll) {
                Purpose::StrawBefore => {
                    self.before = share;
                    self.trivial = share.map(|_| poll.counts.iter().filter(|count| **count > 0).count() == 1);
                }
                Purpose::StrawAfter => self.after = share,
                Purpose::StrawRound | Purpose::Vote => {}
            }
        }
        if part.worth_a_row {
            let row = part.row(self.seats.len(), &self.facts.arm.alternatives);
            put_row(&self.key, &row, &mut self.rows.rounds);
        }
    }

    /// Writes an answer, whether it settles its question or not.
    fn answer(&mut self, answered: Answered<'_>, given: &Given, fault: Option<Fault>, value: Option<&str>) {
        let by = self.facts.arm.seats[answered.seat].answers_by;
        self.effort.answer(by, given);
        if let Some(part) = &mut self.part {
            part.worth_a_row = true;
            part.effort.answer(by, given);
        }
        let row = AnswerRow {
            seq: answered.seq,
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            turn: answered.at.turn,
            step: answered.at.step,
            attempt: answered.attempt,
            seat: answered.name.clone(),
            fault,
            value: value.map(str::to_owned),
            omitted: given.shown.omitted,
            usage: given.usage,
            model_served: given.model_served.clone(),
        };
        put_row(&self.key, &row, &mut self.rows.answers);
    }

    fn settle(&mut self, answered: Answered<'_>, fault: Option<Fault>) {
        let status = AnswerStatus::of(fault);
        self.effort.settle(status, answered.attempt);
        if let Some(part) = &mut self.part {
            part.effort.settle(status, answered.attempt);
        }
    }

    fn alternative(&self, record: &Record, name: &AlternativeName) -> Result<usize, Misfit> {
        let place = self.facts.arm.alternatives.iter().position(|alternative| alternative == name);
        place.ok_or_else(|| misfit(record, "alternative", name.as_str()))
    }
}

fn misfit(record: &Record, what: &str, name: &str) -> Misfit {
    Misfit { seq: record.seq, what: format!("{what} {name}") }
}
