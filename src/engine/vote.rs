//! Votes: whom to ask to call one, and what was cast. It is counted elsewhere.

use super::ballot_box::{Cast, Vote, Voter};
use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::domain::{
    AlternativeId, Ballot, Briefing, Event, Matter, Motion, OpenBallots, SeatId, Step, TallyReport, Voted,
};
use crate::memory::guidance;
use crate::plan::{Network, SeatRole, VoteTerms};

impl Deliberation<'_> {
    /// Begins a vote on call: nobody has called it, and this is the order in which seats are asked.
    pub(super) fn begin_call(&mut self, place: usize, round: u32) {
        let present: Vec<SeatId> = self.asked_at(Step::VoteCall).collect();
        let mut uncalled = self.by_lot(DrawPurpose::VoteCall, &self.moment(place, round, Step::VoteCall), &present);
        uncalled.reverse();
        self.course.vote = Vote { uncalled, callers: vec![false; self.plan.seats.len()], ..Vote::default() };
    }

    /// The voters whose ballots still lack the amount that their alternative takes.
    pub(super) fn without_amount(&self) -> Vec<SeatId> {
        let lacks = |seat: &SeatId| match &self.standing[seat.index()].cast {
            Cast::For(choice) => self.takes_amount(choice.alternative) && choice.amount.is_none(),
            Cast::Nothing | Cast::Invalid | Cast::Over(_) | Cast::Abstained => false,
        };
        self.participants().filter(lacks).collect()
    }

    /// The terms of the vote in the phase in which seats are asked.
    pub(super) fn asked_terms(&self) -> VoteTerms<'_> {
        self.vote_terms(self.asked().phase)
    }

    pub(super) fn takes_amount(&self, alternative: AlternativeId) -> bool {
        self.asked_terms().motion.alternatives[alternative.index()].takes_amount
    }

    /// A ballot by names; `None` where it is invalid or not cast.
    pub(super) fn voted(&self, cast: &Cast, motion: &Motion) -> Option<Voted> {
        match cast {
            Cast::For(choice) => Some(Voted::For(motion.named(*choice))),
            Cast::Over(ballot) => Some(Voted::Over(ballot.map(|id| motion.name(*id).clone()))),
            Cast::Abstained => Some(Voted::Abstained),
            Cast::Nothing | Cast::Invalid => None,
        }
    }

    /// The seats with valid ballots in the vote under way, in the plan's order.
    pub(super) fn list_voters(&self, place: usize) -> Vec<Voter> {
        let voter = |seat: SeatId| match &self.standing[seat.index()].cast {
            Cast::For(choice) => Some(Voter { seat, tops: vec![choice.alternative], named: vec![choice.alternative] }),
            Cast::Over(ballot) => {
                let named = match ballot {
                    Ballot::Approval(approved) => approved.clone(),
                    Ballot::Ranking(levels) => levels.iter().flatten().copied().collect(),
                    Ballot::Score(_) => Vec::new(),
                };
                Some(Voter { seat, tops: ballot.top().into_iter().copied().collect(), named })
            }
            Cast::Nothing | Cast::Invalid | Cast::Abstained => None,
        };
        self.gathered_at(place).into_iter().filter_map(voter).collect()
    }

    /// What all hear of a count: with a roll call the ballots, too, in the plan's order.
    pub(super) fn tally_text(&self, report: &TallyReport, place: usize) -> String {
        let terms = self.vote_terms(place);
        let tongue = terms.motion.tongue();
        if terms.open != OpenBallots::Announced {
            return guidance::tally_line(report, tongue);
        }
        let ballots = self.gathered_at(place).into_iter().filter_map(|seat| match &self.standing[seat.index()].cast {
            Cast::Nothing => None,
            cast => Some((self.public_name(seat), self.voted(cast, terms.motion))),
        });
        guidance::roll_call(report, terms.decision.invalid, ballots, tongue)
    }

    /// The next manipulator from this position in the plan on that has something to push.
    pub(super) fn next_manipulator(&self, from: usize) -> Option<usize> {
        // What is unpopular is known from the others' rankings.
        if self.plan.network == Network::Alone {
            return None;
        }
        let seats = self.plan.seats.iter().enumerate().skip(from);
        seats
            .filter(|(_, planned)| planned.role == SeatRole::Manipulator)
            .map(|(seat, _)| seat)
            .filter(|seat| self.participants().any(|own| own.index() == *seat))
            .find(|seat| self.least_popular(SeatId(*seat as u32)).is_some())
    }

    /// What is told to a manipulator.
    pub(super) fn manipulation(&self, seat: SeatId) -> Event {
        let target = self.least_popular(seat).expect("invariant: a manipulator is told what to push");
        let text = self.plan.prompts.manipulation(&self.plan.motion, target);
        let text = text.expect("invariant: templates were rehearsed");
        let what = Matter::Instruction { pushes: Some(self.plan.motion.name(target).clone()), group: None };
        Event::Briefed(Briefing { what, ..Briefing::new(text, vec![self.seat_name(seat).clone()]) })
    }

    /// The alternative with the least Borda score over the others' last rankings; the first of the scenario among equals.
    /// `None` when nobody else has ranked.
    ///
    /// Source: Borda 1781, "Mémoire sur les élections au scrutin"; here a place counts how many alternatives stand below it.
    fn least_popular(&self, seat: SeatId) -> Option<AlternativeId> {
        let mut scores = vec![0u64; self.plan.motion.alternatives.len()];
        let mut is_ranked = false;
        for (place, standing) in self.standing.iter().enumerate() {
            let Some(ranking) = standing.ranking.as_ref().filter(|_| place != seat.index()) else { continue };
            is_ranked = true;
            for (below, alternative) in (0u64..).zip(ranking.iter().rev()) {
                scores[alternative.index()] += below;
            }
        }
        let least = (0u32..).zip(&scores).min_by_key(|(_, score)| **score);
        least.filter(|_| is_ranked).map(|(place, _)| AlternativeId(place))
    }
}
