//! The terms of each vote of a plan.

use super::{Condition, Discussion, Pass, Phase, PhaseKind, Plan, VoteEnds, VoteOver, VotePhase, VoteTerms};
use crate::domain::{Moment, OpenBallots, PhaseName, Step};
use crate::expression::list_names;

impl Plan {
    /// The terms of the votes in discussions, which are the defaults of every vote.
    pub fn talk_terms(&self) -> VoteTerms<'_> {
        VoteTerms {
            decision: &self.decision,
            voting: &self.voting,
            electorate: &self.electorate,
            motion: &self.motion,
            open: if self.roll_call { OpenBallots::Announced } else { OpenBallots::Never },
            is_announced: true,
            is_binding: true,
            decides: self.vote_phases().all(|(_, vote)| !vote.decides),
            elects_several: false,
        }
    }

    /// The terms of a vote in the phase at this position.
    pub fn vote_terms(&self, place: usize) -> VoteTerms<'_> {
        let PhaseKind::Vote(vote) = &self.agenda[place].kind else { return self.talk_terms() };
        VoteTerms {
            decision: &vote.decision,
            voting: &vote.voting,
            electorate: &vote.electorate,
            motion: vote.motion.as_ref().unwrap_or(&self.motion),
            open: vote.open,
            is_announced: vote.is_announced,
            is_binding: vote.is_binding,
            decides: vote.decides,
            elects_several: vote.winners.is_some(),
        }
    }

    /// The vote with words of its own in which a ballot, or its amount, is asked for at a moment; `None` if there is none.
    pub fn own_vote_at(&self, at: &Moment) -> Option<&VotePhase> {
        let mut own = self.vote_phases().filter(|(_, vote)| vote.motion.is_some());
        let is_asked = matches!(at.step, Step::Ballot | Step::Amount);
        own.find(|(place, _)| is_asked && self.agenda[*place].name == at.phase).map(|(_, vote)| vote)
    }

    /// Whether a vote over options of its own is held at a moment. Stances, facts and what is right are about the alternatives.
    pub fn votes_on_own_options(&self, at: &Moment) -> bool {
        self.own_vote_at(at).is_some_and(|vote| vote.over != VoteOver::Alternatives)
    }

    /// Whether a phase is a vote over seats.
    pub fn votes_over_seats(&self, phase: &PhaseName) -> bool {
        let mut votes = self.vote_phases();
        votes.any(|(place, vote)| matches!(vote.over, VoteOver::Seats(_)) && self.agenda[place].name == *phase)
    }

    /// Whether the result is the letter of a text, which names another text in each session.
    pub fn decides_on_texts(&self) -> bool {
        self.vote_phases().any(|(_, vote)| vote.over.texts().is_some() && vote.is_binding && vote.decides)
    }

    /// Whether a phase is a vote over texts.
    pub fn votes_on_texts(&self, phase: &PhaseName) -> bool {
        let mut votes = self.vote_phases();
        votes.any(|(place, vote)| vote.over.texts().is_some() && self.agenda[place].name == *phase)
    }

    /// The discussions of the agenda.
    pub fn discussions(&self) -> impl Iterator<Item = &Discussion> {
        self.agenda.iter().filter_map(|phase| phase.kind.as_discussion())
    }

    /// The votes of the agenda with their positions.
    pub fn vote_phases(&self) -> impl Iterator<Item = (usize, &VotePhase)> {
        self.agenda.iter().enumerate().filter_map(|(place, phase)| Some((place, phase.kind.as_vote()?)))
    }

    /// Whether a count in a round of the phase at this position is the last one, so that it decides by default: not before the last round of
    /// the last discussion that votes in rounds, and not before the last pass of a block that ends when the vote decides. `passes` says how
    /// many passes a block has.
    pub fn is_last_count(&self, (place, round): (usize, u32), passes: impl Fn(&Pass) -> u32) -> bool {
        let phase = &self.agenda[place];
        let is_last = |pass: &Pass| pass.number >= passes(pass);
        let reads_vote = |until: &Condition| {
            let reads = list_names(&until.formula.expression);
            reads.iter().any(|read| read.name.as_deref() == Some(phase.name.written()))
        };
        if let Some(talk) = phase.kind.as_discussion() {
            let is_later = |position: usize| self.votes_in_same_pass(place, position);
            if round < talk.rounds.get() || (place + 1..self.agenda.len()).any(is_later) {
                return false;
            }
        }
        let ends = phase.kind.as_vote().map_or(VoteEnds::Nothing, |vote| vote.ends);
        let mut ended = phase.within.iter().map(|block| (*block, &self.blocks[*block])).filter(|(position, block)| {
            let is_left = ends == VoteEnds::Session || ends == VoteEnds::Block && phase.within.last() == Some(position);
            is_left || block.until.as_ref().is_some_and(reads_vote)
        });
        ended.all(|(_, block)| {
            let pass = phase.passes.get(block.around).filter(|pass| pass.block == block.name);
            pass.is_none_or(is_last)
        })
    }

    /// Whether a discussion at another position votes in rounds, in the same pass and group.
    pub fn votes_in_same_pass(&self, place: usize, other: usize) -> bool {
        let (phase, other) = (&self.agenda[place], &self.agenda[other]);
        let group = |phase: &Phase| phase.group.as_ref().map(|group| group.number);
        other.kind.votes_in_rounds() && other.passes == phase.passes && group(other) == group(phase)
    }

    /// The terms of every vote that may be held: of each vote of the agenda, and of the votes in discussions if there are any.
    pub fn all_vote_terms(&self) -> impl Iterator<Item = VoteTerms<'_>> {
        let votes = self.agenda.iter().enumerate().filter(|(_, phase)| phase.kind.holds_votes());
        votes.map(|(place, _)| self.vote_terms(place))
    }
}
