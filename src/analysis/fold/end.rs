//! Ends the fold of a session and computes its totals.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::analysis::column::put_row;
use crate::analysis::counts::{MarkCounts, Stances};
use crate::analysis::facts::MarksRead;
use crate::analysis::fold::state::{FoldedSession, Rows, SeatState, SessionFold};
use crate::analysis::measures;
use crate::analysis::tables::{SeatRow, SessionRow, SessionTotals, Status};
use crate::domain::{AlternativeName, Choice, Digest, NamedChoice, Verdict};

impl SessionFold {
    /// Ends the fold of a completed session. `minutes_digest` is the digest of its minutes.
    ///
    /// # Errors
    /// If the records do not end with an adjournment. The error holds the session as incomplete.
    pub fn finish_completed(mut self, minutes_digest: Digest) -> Result<FoldedSession, Box<FoldedSession>> {
        self.close_part();
        let Some((verdict, stop, result)) = self.end.take() else {
            return Err(Box::new(self.finish_stopped(Status::Incomplete)));
        };
        let arm = self.facts.arm.clone();
        let timed = arm.decides_in_rounds() && verdict.is_voted();
        let first = self.first_majority.map(|place| arm.alternatives[place].clone());
        let is_alternative = |decided: &&NamedChoice| arm.alternatives.contains(&decided.alternative);
        let final_stance = result
            .as_ref()
            .filter(|_| arm.offers_choice())
            .filter(is_alternative)
            .map(|decided| self.final_stance(&decided.alternative));
        let (polls, chosen, gap) = (self.polls_changed(), self.item_ratings(), self.private_gap());
        let (marks, served) = (self.marks_counted(), self.models_served());
        let (answer_means, variable_means) = (self.answer_means(), self.variable_means());
        let correct_shares = self.correct_shares();
        self.write_proposals();
        let seats = self.seat_rows();
        let words: Vec<u64> = seats.iter().map(|seat| seat.words).collect();
        let totals = SessionTotals {
            verdict,
            stop,
            tie_break: self.tie_break,
            trivial_consensus: self.trivial,
            rounds_used: self.rounds_used,
            censored: timed.then_some(verdict != Verdict::Carried),
            time_to_decision: (timed && verdict == Verdict::Carried).then_some(self.rounds_used),
            votes_called: self.votes_called,
            votes_held: u64::from(self.votes_held),
            deciding_passes: self.deciding_passes,
            is_last_count_void: self.is_last_count_void,
            answer_means,
            correct_shares,
            variables: std::mem::take(&mut self.variables),
            variable_means,
            straw_before_modal_share: self.before,
            straw_after_modal_share: self.after,
            option_counts: std::mem::take(&mut self.option_counts),
            straw_shifts: self.poll_opinions.opinion_shifts(),
            fbm_matches_final: first.as_ref().map(|first| is_decided_for(first, result.as_ref())),
            first_ballot_majority: first,
            private_gap: gap,
            rank_footrule_mean: measures::mean(&seats.iter().filter_map(SeatRow::footrule).collect::<Vec<u64>>()),
            paid_cents_mean: paid_means(&seats),
            seats_excluded: seats.iter().filter(|seat| seat.excluded).count() as u64,
            final_stance,
            settlement: self.settlement,
            speaking_gini: measures::gini(&words),
            statements: seats.iter().map(|seat| seat.statements).sum(),
            words: words.iter().sum(),
            forfeits: self.forfeits,
            cut_chars: self.cut_chars,
            dropped_chars: self.dropped_chars,
            rewrites: self.rewrites,
            effort: self.effort,
            models_served: served,
            matched: std::mem::take(&mut self.matched),
            windows: std::mem::take(&mut self.windows),
            forms: std::mem::take(&mut self.forms),
            cited: self.citation_totals(),
            transcript: Digest::of(self.transcript.finalize().as_bytes()),
            minutes_digest,
            estimates: self.estimates,
            result_error: result.as_ref().and_then(|result| self.result_error(result)),
            right_amount: self.right_amount(),
            result,
            converged_round: self.converged_round,
            switches: self.switches,
            polls,
            chosen,
            spoke: seats.iter().filter(|seat| seat.statements > 0).count() as u64,
            ballots: (self.votes_held > 0).then_some(self.ballots),
            marks,
        };
        seats.iter().for_each(|row| put_row(&self.key, row, &mut self.rows.seats));
        let (rows, mut folded) = (std::mem::take(&mut self.rows), self.finish_stopped(Status::Completed));
        folded.session.totals = Some(totals);
        folded.rows = rows;
        Ok(folded)
    }

    /// The seats whose last stance and later private answer differ, and the seats that have both.
    fn private_gap(&self) -> (u64, u64) {
        let gaps: Vec<bool> = self.seats.iter().filter_map(|seat| seat.differs).collect();
        (gaps.iter().filter(|differs| **differs).count() as u64, gaps.len() as u64)
    }

    /// The models that servers reported, sorted and without duplicates.
    fn models_served(&self) -> Vec<String> {
        let served: BTreeSet<&String> = self.seats.iter().flat_map(|seat| &seat.models).collect();
        served.into_iter().cloned().collect()
    }

    /// Ends the fold of a session that did not complete: it has a row in `sessions` and no other rows.
    pub fn finish_stopped(self, status: Status) -> FoldedSession {
        let arm = &self.facts.arm;
        let session = SessionRow {
            status,
            arm: Arc::clone(arm),
            key: self.right_alternative(),
            right: self.right_answer(),
            misleading: self.facts.item.as_ref().map_or_else(Vec::new, |item| item.misleading.clone()),
            totals: None,
            distinct_transcript: None,
        };
        FoldedSession { facts: self.facts, session, rows: Rows::default() }
    }

    /// The seats whose last declared stance is this alternative, and the seats that declared a stance.
    fn final_stance(&self, decided: &AlternativeName) -> (u64, u64) {
        let alternatives = &self.facts.arm.alternatives;
        let stances = self.seats.iter().filter_map(|seat| seat.stance);
        stances.fold((0, 0), |(favouring, n), stance| {
            (favouring + u64::from(alternatives[stance.alternative.index()] == *decided), n + 1)
        })
    }

    /// The squared error of the decided amount, if the session decides an amount alone.
    fn result_error(&self, result: &NamedChoice) -> Option<f64> {
        let (amount, right) = (result.amount?, self.right_amount()?);
        let off = f64::from(amount) - f64::from(right);
        (self.facts.arm.alternatives.len() == 1).then_some(off * off)
    }

    /// `None` if no phase reads marks.
    fn marks_counted(&self) -> Option<MarkCounts> {
        let reads = self.facts.arm.phases.iter().any(|phase| phase.marks == MarksRead::Yes);
        reads.then(|| self.proposed.mark_counts())
    }

    /// Choices before and after the talk and last ballots, in a session with an item.
    fn item_ratings(&self) -> [Vec<u32>; 3] {
        if self.facts.item.is_none() {
            return Default::default();
        }
        let of = |which: fn(&SeatState) -> Option<Choice>| {
            self.seats.iter().filter_map(|seat| which(seat).map(|choice| choice.alternative.0)).collect()
        };
        [of(|seat| seat.straws[0]), of(|seat| seat.straws[1]), of(|seat| seat.ballot)]
    }

    /// Changes from the straw poll before the talk to the one after it; `None` if the right alternative is unknown.
    fn polls_changed(&self) -> Option<Stances> {
        let key = self.key_place()?;
        let mut changed = Stances::default();
        for seat in &self.seats {
            if let [Some(before), Some(after)] = seat.straws {
                changed.count_stance(before.alternative.index(), after.alternative.index(), Some(key));
            }
        }
        Some(changed)
    }

    /// Takes the seats' states and returns their rows.
    fn seat_rows(&mut self) -> Vec<SeatRow> {
        let words = self.seats.iter().map(|seat| seat.words).sum();
        let right = self.right_answer();
        let seats = std::mem::take(&mut self.seats);
        let row = |(place, seat): (usize, SeatState)| {
            let stance = seat.stance.map(|stance| stance.alternative.index());
            let influence = stance.map_or([0; 2], |stance| self.influence.earned_changes(&seat.credit, stance));
            let mattr_50 = self.language.varied[place].value();
            SeatRow { influence, mattr_50, ..seat.into_row(&self.facts, place, (words, right.clone())) }
        };
        seats.into_iter().enumerate().map(row).collect()
    }
}

fn is_decided_for(alternative: &AlternativeName, result: Option<&NamedChoice>) -> bool {
    result.is_some_and(|result| result.alternative == *alternative)
}

/// Mean payment in cents for practice rounds and in the settlement, over the seats that were paid.
fn paid_means(seats: &[SeatRow]) -> [Option<f64>; 2] {
    [0, 1].map(|stage| {
        let paid: Vec<u64> = seats.iter().filter_map(|seat| seat.paid_cents[stage]).collect();
        measures::mean(&paid)
    })
}
