//! The fold of one session's records into rows.
//!
//! Rows become CSV bytes as soon as they are known; no record is kept. A record costs the same whatever came before it,
//! a round costs a pass over its seats.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::{
    AlternativeName, Consequence, Digest, Event, Fault, Given, Moment, PollTime, Record, SeatName, Seq, Step,
    StopReason, TallyReport, Verdict,
};
use crate::metrics::column::put_row;
use crate::metrics::effort::{AnswerStatus, Effort};
use crate::metrics::facts::SessionFacts;
use crate::metrics::key::key_cells;
use crate::metrics::measures;
use crate::metrics::part::{Count, Part};
use crate::metrics::tables::{AnswerRow, BallotRow, SessionRow, SessionTotals, StatementRow, Status, TallyRow, joined};

/// What a choice is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The straw poll before the talk.
    StrawBefore,
    /// The straw poll that closes a round.
    StrawRound,
    /// The straw poll after the talk.
    StrawAfter,
    /// A vote.
    Vote,
}

impl Purpose {
    /// The spelling used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::StrawBefore => "straw_before",
            Purpose::StrawRound => "straw_round",
            Purpose::StrawAfter => "straw_after",
            Purpose::Vote => "vote",
        }
    }
}

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

/// What settles, or does not settle, a choice.
struct Choice<'a> {
    alternative: Option<&'a AlternativeName>,
    options: &'a [AlternativeName],
    raw: &'a str,
    fault: Option<Fault>,
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
    seat_index: BTreeMap<SeatName, usize>,
    alternative_index: BTreeMap<AlternativeName, usize>,
    seats: Vec<SeatState>,
    held: Vec<u32>,
    part: Option<Part>,
    rows: Rows,
    effort: Effort,
    statements: u64,
    forfeits: u64,
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
            seat_index: arm
                .seats
                .iter()
                .enumerate()
                .map(|(place, seat)| (seat.name.clone(), place))
                .collect(),
            alternative_index: arm.alternatives.iter().cloned().zip(0..).collect(),
            seats: vec![SeatState::default(); arm.seats.len()],
            held: vec![0; arm.alternatives.len()],
            facts,
            part: None,
            rows: Rows::default(),
            effort: Effort::default(),
            statements: 0,
            forfeits: 0,
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
        let answered = match (&record.seat, record.attempt) {
            (Some(name), Some(attempt)) => {
                let seat = *self
                    .seat_index
                    .get(name)
                    .ok_or_else(|| misfit(record, "seat", name.as_str()))?;
                Some(Answered {
                    seq: record.seq,
                    at: &record.at,
                    name,
                    seat,
                    attempt,
                })
            }
            _ => None,
        };
        match (&record.event, answered) {
            (Event::RoundOpened { order }, _) => self.open_round(record, order)?,
            (Event::Tallied(report), _) => self.tallied(record, report)?,
            (Event::Adjourned { verdict, stop, decided }, _) => self.end = Some((*verdict, *stop, decided.clone())),
            (Event::Spoke { text, stance, given }, Some(answered)) => {
                self.spoke(record, answered, text, stance.as_ref(), given)?
            }
            (Event::Passed { given }, Some(answered)) => {
                self.answer(answered, given, None, Some("pass"));
                self.settle(answered, None);
                self.turn(answered, "pass", None, None);
            }
            (
                Event::Polled {
                    alternative,
                    options,
                    raw,
                    given,
                }
                | Event::Balloted {
                    alternative,
                    options,
                    raw,
                    given,
                },
                Some(answered),
            ) => {
                self.answer(answered, given, None, Some(alternative.as_str()));
                self.choice(
                    record,
                    answered,
                    Choice {
                        alternative: Some(alternative),
                        options,
                        raw,
                        fault: None,
                    },
                )?;
            }
            (
                Event::Faulted {
                    fault,
                    then,
                    options,
                    raw,
                    given,
                },
                Some(answered),
            ) => {
                self.answer(answered, given, Some(*fault), None);
                match (then, record.at.step) {
                    (Consequence::AskedAgain, _) => {}
                    (Consequence::TriesUsedUp, Step::StrawPoll | Step::Ballot) => {
                        self.choice(
                            record,
                            answered,
                            Choice {
                                alternative: None,
                                options,
                                raw,
                                fault: Some(*fault),
                            },
                        )?;
                    }
                    (Consequence::TriesUsedUp, _) => {
                        self.settle(answered, Some(*fault));
                        self.forfeits += 1;
                        self.turn(answered, "forfeit", None, None);
                    }
                }
            }
            _ => {}
        }
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
            private_gap: gaps.fold((0, 0), |(differing, n), differs| {
                (differing + u64::from(differs), n + 1)
            }),
            speaking_gini: measures::gini(&words),
            statements: self.statements,
            words: words.iter().sum(),
            forfeits: self.forfeits,
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
        Folded {
            facts: self.facts,
            session,
            rows: Rows::default(),
        }
    }

    /// Moves to the record's part and ends a straw poll that the record is no part of.
    fn enter(&mut self, record: &Record) -> Result<(), Misfit> {
        let at = &record.at;
        let same = self
            .part
            .as_ref()
            .is_some_and(|part| part.round == at.round && part.phase == at.phase);
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
        self.part = Some(Part::open(
            place,
            &phases[place],
            at.round,
            self.seats.len(),
            &self.held,
        ));
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

    fn open_round(&mut self, record: &Record, order: &[SeatName]) -> Result<(), Misfit> {
        self.rounds_used += 1;
        let Some(part) = &mut self.part else { return Ok(()) };
        part.worth_a_row = true;
        for (name, position) in order.iter().zip(1..) {
            let seat = *self
                .seat_index
                .get(name)
                .ok_or_else(|| misfit(record, "seat", name.as_str()))?;
            if let Some(place) = part.positions.get_mut(seat) {
                *place = Some(position);
            }
        }
        Ok(())
    }

    fn spoke(
        &mut self,
        record: &Record,
        answered: Answered<'_>,
        text: &str,
        stance: Option<&AlternativeName>,
        given: &Given,
    ) -> Result<(), Misfit> {
        let place = stance.map(|name| self.alternative(record, name)).transpose()?;
        let words = text.unicode_words().count() as u64;
        self.answer(answered, given, None, stance.map(AlternativeName::as_str));
        self.settle(answered, None);
        self.turn(answered, "statement", stance, Some((text, words)));
        for field in [answered.name.as_str(), text] {
            self.transcript.update(&(field.len() as u64).to_le_bytes());
            self.transcript.update(field.as_bytes());
        }
        self.statements += 1;
        let seat = &mut self.seats[answered.seat];
        seat.words += words;
        if let Some(place) = place {
            let before = seat.stance.replace(place);
            self.held[place] += 1;
            if let Some(before) = before {
                self.held[before] -= 1;
            }
            if let Some(part) = &mut self.part {
                part.stance(place, before);
            }
        }
        Ok(())
    }

    /// Writes a turn on the floor.
    fn turn(
        &mut self,
        answered: Answered<'_>,
        kind: &'static str,
        stance: Option<&AlternativeName>,
        said: Option<(&str, u64)>,
    ) {
        let Some(part) = &mut self.part else { return };
        match (kind, said) {
            (_, Some((_, words))) => part.statement(answered.seat, words),
            ("pass", None) => part.turns[1] += 1,
            (_, None) => part.turns[2] += 1,
        }
        let row = StatementRow {
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            turn: answered.at.turn,
            seat: answered.name.clone(),
            seq: answered.seq,
            position: part.positions.get(answered.seat).copied().flatten(),
            kind,
            stance: stance.cloned(),
            words: said.map(|(_, words)| words),
            attempt: answered.attempt,
            text: said.map(|(text, _)| text.to_owned()),
        };
        put_row(&self.key, &row, &mut self.rows.statements);
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

    /// Takes a settled choice of a straw poll or a vote.
    fn choice(&mut self, record: &Record, answered: Answered<'_>, choice: Choice<'_>) -> Result<(), Misfit> {
        self.settle(answered, choice.fault);
        let place = choice
            .alternative
            .map(|name| self.alternative(record, name))
            .transpose()?;
        let Some(part) = &mut self.part else { return Ok(()) };
        let alternatives = self.facts.arm.alternatives.len();
        let vote = answered.at.step == Step::Ballot;
        let count = if vote { &mut part.ballot } else { &mut part.straw };
        let count = count.get_or_insert_with(|| Count {
            counts: vec![0; alternatives],
            settled: 0,
        });
        count.settled += 1;
        if let Some(place) = place {
            count.counts[place] += 1;
        }
        let seat = &mut self.seats[answered.seat];
        let matches = place.zip(seat.stance).map(|(choice, stance)| choice == stance);
        if !vote && matches.is_some() {
            seat.differs = matches.map(|matches| !matches);
        }
        let shown = choice
            .alternative
            .and_then(|name| choice.options.iter().position(|option| option == name));
        let part = self.part.as_ref().expect("invariant: the part was just borrowed");
        let row = BallotRow {
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            seq: answered.seq,
            vote: vote.then_some(self.votes_held + 1),
            purpose: self.purpose(part, answered.at.step),
            seat: answered.name.clone(),
            status: AnswerStatus::of(choice.fault),
            attempt: answered.attempt,
            alternative: choice.alternative.cloned(),
            shown_position: shown.map(|place| place as u32 + 1),
            options_shown: joined(choice.options.iter().map(AlternativeName::as_str)).unwrap_or_default(),
            matches_stance: matches,
            raw: choice.raw.to_owned(),
        };
        put_row(&self.key, &row, &mut self.rows.ballots);
        Ok(())
    }

    fn tallied(&mut self, record: &Record, report: &TallyReport) -> Result<(), Misfit> {
        self.votes_held += 1;
        let counts: Vec<u32> = report.counts.iter().map(|count| count.count).collect();
        if self.votes_held == 1 {
            let first = measures::absolute_majority(&counts).map(|place| &report.counts[place].alternative);
            self.first_majority = first.map(|name| self.alternative(record, name)).transpose()?;
        }
        if let Some(part) = &mut self.part {
            part.worth_a_row = true;
            part.tallied(report);
        }
        let tied = (report.winners.len() > 1)
            .then(|| joined(report.winners.iter().map(AlternativeName::as_str)))
            .flatten();
        for count in &report.counts {
            let row = TallyRow {
                phase: record.at.phase.clone(),
                round: record.at.round,
                vote: Some(self.votes_held),
                purpose: Purpose::Vote,
                rule: Some((report.rule, report.base)),
                eligible: report.eligible,
                valid: report.valid,
                invalid: report.invalid,
                abstained: Some(report.abstained),
                threshold: report.threshold,
                alternative: count.alternative.clone(),
                count: count.count,
                is_winner: Some(report.winners.contains(&count.alternative)),
                tied_winners: tied.clone(),
                tie_break: report.tie_break,
                decided: Some(report.decided.as_ref() == Some(&count.alternative)),
                margin: measures::margin(&counts),
            };
            put_row(&self.key, &row, &mut self.rows.tallies);
        }
        Ok(())
    }

    /// Writes the count of a straw poll, which the minutes leave to be computed.
    fn straw_tally(&mut self, part: &Part, poll: &Count) {
        let valid = poll.counts.iter().sum();
        for (alternative, count) in self.facts.arm.alternatives.iter().zip(&poll.counts) {
            let row = TallyRow {
                phase: part.phase.clone(),
                round: part.round,
                vote: None,
                purpose: self.purpose(part, Step::StrawPoll),
                rule: None,
                eligible: poll.settled,
                valid,
                invalid: poll.settled - valid,
                abstained: None,
                threshold: None,
                alternative: alternative.clone(),
                count: *count,
                is_winner: None,
                tied_winners: None,
                tie_break: None,
                decided: None,
                margin: measures::margin(&poll.counts),
            };
            put_row(&self.key, &row, &mut self.rows.tallies);
        }
    }

    fn purpose(&self, part: &Part, step: Step) -> Purpose {
        match (step, self.facts.arm.phases[part.place].poll) {
            (Step::Ballot, _) => Purpose::Vote,
            (_, Some(PollTime::Before)) => Purpose::StrawBefore,
            (_, Some(PollTime::After)) => Purpose::StrawAfter,
            (_, Some(PollTime::EachRound) | None) => Purpose::StrawRound,
        }
    }

    fn alternative(&self, record: &Record, name: &AlternativeName) -> Result<usize, Misfit> {
        self.alternative_index
            .get(name)
            .copied()
            .ok_or_else(|| misfit(record, "alternative", name.as_str()))
    }
}

fn misfit(record: &Record, what: &str, name: &str) -> Misfit {
    Misfit {
        seq: record.seq,
        what: format!("{what} {name}"),
    }
}
