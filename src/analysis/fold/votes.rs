//! Folds calls for a vote and tallies.

use crate::analysis::column::{join_names, put_row};
use crate::analysis::counts::ChoiceCounts;
use crate::analysis::facts::{VoteFacts, VoteForce};
use crate::analysis::fold::state::{ForeignRecord, SessionFold, foreign_record};
use crate::analysis::measures;
use crate::analysis::part::PhasePart;
use crate::analysis::purpose::ChoicePurpose;
use crate::analysis::tables::{OptionCounts, TallyRow};
use crate::domain::{AlternativeId, AlternativeName, Choice, NamedChoice, Record, SeatName, Step, TallyReport};

/// An answer to a call for a vote or to its confirmation. An invalid answer is a no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assent {
    Yes,
    No,
}

impl From<bool> for Assent {
    fn from(yes: bool) -> Self {
        if yes { Assent::Yes } else { Assent::No }
    }
}

impl SessionFold {
    pub(super) fn fold_vote_call(&mut self, seat: usize, answer: Assent) {
        let calls = answer == Assent::Yes;
        self.seats[seat].votes_called += u64::from(calls);
        if let Some(part) = &mut self.part {
            part.seats[seat].called = Some(calls);
            part.callers.extend(calls.then_some(seat));
        }
    }

    pub(super) fn fold_vote_agreement(&mut self, seat: usize, answer: Assent) {
        self.floor_direct(|routing| routing.vote_answered);
        self.change_part(|part| part.seats[seat].agreed = Some(answer == Assent::Yes));
    }

    pub(super) fn fold_tally(&mut self, record: &Record, report: &TallyReport) -> Result<(), ForeignRecord> {
        self.none_pending(record)?;
        self.votes_held += 1;
        self.ballots[0] += u64::from(report.valid);
        self.ballots[1] += u64::from(report.abstained);
        let vote = self.vote_facts().ok_or_else(|| foreign_record(record, "a count in", record.at.phase.as_str()))?;
        let (own, force, heard) = (vote.options.clone(), vote.force, vote.heard);
        let unknown =
            report.counts.iter().find(|count| own.as_ref().is_some_and(|own| !own.contains(&count.alternative)));
        if let Some(unknown) = unknown {
            return Err(foreign_record(record, "option", unknown.alternative.as_str()));
        }
        if force == VoteForce::Deciding {
            self.deciding_passes = match &self.decided_in {
                Some(last) if *last == record.at.phase => self.deciding_passes,
                Some(last) if last.is_other_pass_of(&record.at.phase) => self.deciding_passes + 1,
                _ => 1,
            };
            self.is_last_count_void = report.is_void();
            self.tie_break = report.tie_break.filter(|_| report.decided.is_some() && !report.by_default);
        }
        if own.is_none() {
            let counts = self.counts_by_alternative(record, report)?;
            if force == VoteForce::Deciding && self.facts.arm.offers_choice() {
                // Each pass may put another question, so that the first ballots are those of the pass.
                if self.decided_in.as_ref() != Some(&record.at.phase) {
                    self.first_majority = measures::absolute_majority(&counts, report.valid);
                }
                self.option_counts[0] = OptionCounts { counts, valid: report.valid };
            }
        }
        if force == VoteForce::Deciding {
            self.decided_in = Some(record.at.phase.clone());
        }
        if heard.result {
            self.floor_direct(|routing| match report.decided {
                Some(_) => routing.tally_decided,
                None => routing.tally_open,
            });
        }
        if let Some(part) = &mut self.part {
            part.worth_a_row = true;
            part.tally = Some((report.decided.is_some(), report.abstained));
        }
        let counts: Vec<u32> = report.counts.iter().map(|count| count.count).collect();
        let winners: Vec<String> = report.winners.iter().map(NamedChoice::to_string).collect();
        let tied = (winners.len() > 1).then(|| join_names(winners.iter().map(String::as_str))).flatten();
        for count in &report.counts {
            let named = NamedChoice { alternative: count.alternative.clone(), amount: count.amount };
            let row = TallyRow {
                phase: record.at.phase.clone(),
                round: record.at.round,
                vote: Some(self.votes_held),
                purpose: ChoicePurpose::Vote,
                rule: Some(report.rule),
                base: Some(report.base),
                eligible: report.eligible,
                valid: report.valid,
                invalid: report.invalid,
                abstained: Some(report.abstained),
                abstained_by_choice: Some(report.by_choice),
                threshold: report.threshold,
                quorum_met: report.quorum_met,
                count: count.count,
                ratio: count.points,
                condorcet_winner: report.condorcet_winner.clone(),
                is_winner: Some(report.winners.contains(&named)),
                tied_winners: tied.clone(),
                tie_break: report.tie_break,
                tie_ballots: join_names(report.tie_ballots.iter().map(SeatName::as_str)),
                decided: Some(report.decides_for(&named)),
                margin: measures::winning_margin(&counts),
                void: Some(report.is_void()),
                decided_for: report.decided.as_ref().map(NamedChoice::to_string),
                by_default: Some(report.by_default),
                alternative: named.alternative,
                amount: named.amount,
            };
            put_row(&self.key, &row, &mut self.rows.tallies);
        }
        Ok(())
    }

    /// What is known of the votes of the current phase.
    pub(super) fn vote_facts(&self) -> Option<&VoteFacts> {
        self.current_phase()?.vote.as_ref()
    }

    /// The options of the current phase's vote, if it has options of its own.
    pub(super) fn own_options(&self) -> Option<&[AlternativeName]> {
        self.vote_facts()?.options.as_deref()
    }

    /// The ballots for each alternative, summed over the amounts that they name.
    fn counts_by_alternative(&self, record: &Record, report: &TallyReport) -> Result<Vec<u32>, ForeignRecord> {
        let mut counts = vec![0; self.facts.arm.alternatives.len()];
        for count in &report.counts {
            let sum: &mut u32 = &mut counts[self.find_alternative(record, &count.alternative)?];
            *sum = sum.saturating_add(count.count);
        }
        Ok(counts)
    }

    /// Writes the tally rows of a straw poll, which has no tally in the records.
    pub(super) fn straw_tally(&mut self, part: &PhasePart, poll: &ChoiceCounts) {
        let valid: u32 = poll.counts.iter().sum();
        let ids = (0..self.facts.arm.alternatives.len() as u32).map(AlternativeId);
        let mut rows: Vec<(Choice, u32)> = Vec::new();
        for id in ids {
            let named = poll.exact.iter().filter(|(choice, _)| choice.alternative == id);
            let before = rows.len();
            rows.extend(named.map(|(choice, count)| (*choice, *count)));
            if rows.len() == before {
                rows.push((id.into(), 0));
            }
        }
        let counts: Vec<u32> = rows.iter().map(|(_, count)| *count).collect();
        for (choice, count) in rows {
            let row = TallyRow {
                phase: part.phase.clone(),
                round: part.round,
                vote: None,
                purpose: self.choice_purpose(part, Step::StrawPoll),
                rule: None,
                base: None,
                eligible: poll.settled,
                valid,
                invalid: poll.settled - valid,
                abstained: None,
                abstained_by_choice: None,
                threshold: None,
                quorum_met: None,
                alternative: self.facts.arm.alternatives[choice.alternative.index()].clone(),
                amount: choice.amount,
                count,
                ratio: None,
                condorcet_winner: None,
                is_winner: None,
                tied_winners: None,
                tie_break: None,
                tie_ballots: None,
                decided: None,
                margin: measures::winning_margin(&counts),
                void: None,
                decided_for: None,
                by_default: None,
            };
            put_row(&self.key, &row, &mut self.rows.tallies);
        }
    }

    /// Checks that every ballot that takes an amount has one.
    ///
    /// # Errors
    /// If an amount is still to be named.
    pub(super) fn none_pending(&self, record: &Record) -> Result<(), ForeignRecord> {
        let Some(part) = self.part.as_ref().filter(|part| part.pending > 0) else { return Ok(()) };
        let place = part.seats.iter().position(|seat| seat.pending.is_some()).unwrap_or_default();
        Err(foreign_record(record, "what comes before the amount of", self.facts.arm.seats[place].name.as_str()))
    }
}
