//! Independent votes: every seat casts its ballot again and again, until the session took as much as the one it is matched to.
//!
//! A sample is a round of the ballot's phase. Nothing is told between two samples, and no seat remembers the ballots that it
//! cast before, so that every one of them is an answer to the same question in the same words.

use super::ballot_box::Cast;
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{OpenBallots, SampledVotes, SeatId, Step};
use crate::plan::Electorate;

impl Deliberation<'_> {
    /// The round of a vote outside rounds: 0, or 1 where it is the first of several samples.
    pub(super) fn first_sample(&self) -> u32 {
        u32::from(self.plan.matched.is_some())
    }

    /// Which sample a question belongs to, from 0; 0 where votes are taken once.
    pub(super) fn sample(&self, step: Step, round: u32) -> u32 {
        if matches!(step, Step::Ballot | Step::Amount) { round.saturating_sub(1) * self.first_sample() } else { 0 }
    }

    /// Asks every seat for a ballot.
    pub(super) fn begin_sample(&mut self, place: usize, round: u32) {
        self.clear_ballots(place);
        let voters = self.find_voters();
        if self.vote_terms(place).open == OpenBallots::InTurn {
            self.course.vote.unasked = voters.into_iter().rev().collect();
            return self.ask_next_voter(place, round);
        }
        self.ask_some(place, round, Step::Ballot, voters);
    }

    /// Asks the next seat for its ballot, where seats vote in turn; or counts the ballots.
    fn ask_next_voter(&mut self, place: usize, round: u32) {
        match self.course.vote.unasked.pop() {
            Some(seat) => self.ask_some(place, round, Step::Ballot, vec![seat]),
            None => self.course.stage = Stage::Counting(place, round),
        }
    }

    /// All ballots are in: they are counted, unless more samples are due.
    pub(super) fn after_ballots(&mut self, place: usize, round: u32) {
        if self.plan.matched.is_none() {
            return self.ask_next_voter(place, round);
        }
        let casts: Vec<Cast> =
            self.asked_at(Step::Ballot).map(|seat| self.standing[seat.index()].cast.clone()).collect();
        self.course.vote.sampled.extend(casts);
        match self.is_sampled() {
            true => self.course.stage = Stage::Counting(place, round),
            false => self.begin_sample(place, round + 1),
        }
    }

    /// Whether enough was taken: as much as of what the votes are matched to, or so much that nobody can tell. A session that
    /// is only rehearsed is matched to nothing, and one sample is taken.
    fn is_sampled(&self) -> bool {
        let Some(target) = &self.target else { return true };
        self.taken.of(target.unit).is_none_or(|taken| taken >= target.amount)
    }

    /// How often every seat voted, and what the session took by then.
    pub(super) fn count_samples(&self, samples: u32) -> SampledVotes {
        SampledVotes { samples, taken: self.target.as_ref().and_then(|target| self.taken.of(target.unit)) }
    }

    /// The ballots to count, with what they weigh: of all samples, which count once each, or of the one vote.
    pub(super) fn ballots(&self, electorate: &Electorate) -> impl Iterator<Item = (&Cast, u32)> {
        let is_here = |seat: &SeatId| self.course.vote.place.is_none_or(|place| self.is_gathered_at(place, *seat));
        let seats = (0..self.standing.len() as u32).map(SeatId).filter(is_here);
        let once = seats.map(move |seat| (&self.standing[seat.index()].cast, electorate.weight(seat)));
        self.course.vote.sampled.iter().map(|cast| (cast, 1)).chain(once.filter(|_| self.plan.matched.is_none()))
    }
}
