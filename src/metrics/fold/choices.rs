//! Straw polls and votes within the fold of a session.

use crate::domain::{AlternativeName, Fault, PollTime, Record, Step, TallyReport};
use crate::metrics::column::put_row;
use crate::metrics::effort::AnswerStatus;
use crate::metrics::fold::{Answered, Misfit, SessionFold};
use crate::metrics::measures;
use crate::metrics::part::{Count, Part};
use crate::metrics::tables::{BallotRow, TallyRow, joined};

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

/// What settles, or does not settle, a choice.
pub(super) struct Choice<'a> {
    pub alternative: Option<&'a AlternativeName>,
    pub options: &'a [AlternativeName],
    pub raw: &'a str,
    pub fault: Option<Fault>,
}

impl SessionFold {
    /// Takes a settled choice of a straw poll or a vote.
    pub(super) fn choice(&mut self, record: &Record, answered: Answered<'_>, choice: Choice<'_>) -> Result<(), Misfit> {
        self.settle(answered, choice.fault);
        let place = choice.alternative.map(|name| self.alternative(record, name)).transpose()?;
        let Some(part) = &mut self.part else { return Ok(()) };
        let alternatives = self.facts.arm.alternatives.len();
        let vote = answered.at.step == Step::Ballot;
        let count = if vote { &mut part.ballot } else { &mut part.straw };
        let count = count.get_or_insert_with(|| Count { counts: vec![0; alternatives], settled: 0 });
        count.settled += 1;
        if let Some(place) = place {
            count.counts[place] += 1;
        }
        let seat = &mut self.seats[answered.seat];
        let matches = place.zip(seat.stance).map(|(choice, stance)| choice == stance);
        if !vote && matches.is_some() {
            seat.differs = matches.map(|matches| !matches);
        }
        let shown = choice.alternative.and_then(|name| choice.options.iter().position(|option| option == name));
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

    pub(super) fn tallied(&mut self, record: &Record, report: &TallyReport) -> Result<(), Misfit> {
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
            .then(|| joined(report.winners.iter().map(|winner| winner.alternative.as_str())))
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
                is_winner: Some(report.winners.iter().any(|winner| winner.alternative == count.alternative)),
                tied_winners: tied.clone(),
                tie_break: report.tie_break,
                decided: Some(report.decided.as_ref().map(|choice| &choice.alternative) == Some(&count.alternative)),
                margin: measures::margin(&counts),
            };
            put_row(&self.key, &row, &mut self.rows.tallies);
        }
        Ok(())
    }

    /// Writes the count of a straw poll, which the minutes leave to be computed.
    pub(super) fn straw_tally(&mut self, part: &Part, poll: &Count) {
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

    pub(super) fn purpose(&self, part: &Part, step: Step) -> Purpose {
        match (step, self.facts.arm.phases[part.place].poll) {
            (Step::Ballot, _) => Purpose::Vote,
            (_, Some(PollTime::Before)) => Purpose::StrawBefore,
            (_, Some(PollTime::After)) => Purpose::StrawAfter,
            (_, Some(PollTime::EachRound) | None) => Purpose::StrawRound,
        }
    }
}
