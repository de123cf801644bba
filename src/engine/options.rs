//! The options of a vote: those that it always has, or those that are found when it opens, among texts or seats.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ballot_box::{Cast, Vote};
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::chance::DrawPurpose;
use crate::choice::{Elected, Money, OptionPoints, elect_by_equal_shares, elect_greedily, elect_number};
use crate::domain::{
    Alternative, AlternativeId, Ballot, Moment, Motion, NamedChoice, Ratio, SeatId, Step, TallyCount, TallyReport,
    TieBreak,
};
use crate::plan::{BudgetMethod, Network, PhaseKind, SeatSet, SeveralWinners, VoteOver, VoteTerms};
use crate::text::join_lines;

impl<'p> Deliberation<'p> {
    /// The terms of the vote of a phase, with the options that were found when it opened.
    pub(super) fn vote_terms(&self, place: usize) -> VoteTerms<'_> {
        let terms = self.plan.vote_terms(place);
        let held = self.held_votes.get(&place).and_then(|vote| vote.motion.as_ref());
        let open = self.find_open_vote(place).and_then(|vote| vote.motion.as_ref());
        open.or(held).map_or(terms, |motion| VoteTerms { motion, ..terms })
    }

    /// What a ballot is about that a voter is asked for in the phase of this place; `None` if the plan says it.
    pub(super) fn motion_put_to(&self, voter: SeatId, place: usize) -> Option<&Arc<Motion>> {
        let vote = self.find_open_vote(place)?;
        vote.own_motions.get(&voter).or(vote.motion.as_ref())
    }

    /// The vote of this place, with the options that there are now.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn open_vote(&self, place: usize) -> Result<Vote, String> {
        let vote = Vote { place: Some(place), ..Vote::default() };
        let PhaseKind::Vote(planned) = &self.phase(place).kind else { return Ok(vote) };
        match (&planned.over, &planned.motion) {
            (VoteOver::Texts(pool), Some(all)) => {
                Ok(Vote { motion: Some(self.find_live_texts(place, *pool, all)), ..vote })
            }
            (VoteOver::Winners(winners), Some(all)) => {
                let named = self.world_at(place).list_winners(&winners.vote, winners.assumed.unwrap_or(winners.part));
                let all = match winners.pool {
                    Some(pool) => self.find_live_texts(place, pool, all),
                    None => Arc::new(all.as_ref().clone()),
                };
                let won = all.alternatives.iter().filter(|option| named.contains(&option.name)).cloned().collect();
                Ok(Vote { motion: Some(Arc::new(Motion { alternatives: won, ..all.as_ref().clone() })), ..vote })
            }
            (VoteOver::Seats(set), Some(all)) => self.open_vote_over_seats(place, set, all),
            _ => Ok(vote),
        }
    }

    /// The texts that are live now, within groups those of the group.
    fn find_live_texts(&self, place: usize, pool: usize, all: &Motion) -> Arc<Motion> {
        let group = self.phase(place).group.as_ref().map(|group| group.number);
        let options = self.texts[pool].list_live(group).into_iter().map(|(id, state)| {
            let label = join_lines(state.text.as_deref().unwrap_or_default());
            Alternative::of_text(id, label)
        });
        let alternatives = options.collect();
        Arc::new(Motion { alternatives, ..all.clone() })
    }

    /// A vote over the seats that some voter may vote for, with the own options of each voter that may not vote for all of them.
    fn open_vote_over_seats(&self, place: usize, set: &SeatSet, all: &Motion) -> Result<Vote, String> {
        let selected = |voter: SeatId| Ok((voter, self.select_seats_for(voter, place, set)?));
        let own: Vec<(SeatId, Vec<SeatId>)> =
            self.asked_at(Step::Ballot).map(selected).collect::<Result<_, String>>()?;
        let union: BTreeSet<SeatId> = own.iter().flat_map(|(_, seats)| seats).copied().collect();
        let motion = |seats: &mut dyn Iterator<Item = SeatId>| {
            Arc::new(Motion { alternatives: seats.map(|seat| self.seat_option(seat)).collect(), ..all.clone() })
        };
        let own_motions = own.iter().filter(|(_, seats)| seats.len() < union.len());
        let own_motions = own_motions.map(|(voter, seats)| (*voter, motion(&mut seats.iter().copied()))).collect();
        let motion = Some(motion(&mut union.iter().copied()));
        Ok(Vote { place: Some(place), motion, own_motions, ..Vote::default() })
    }

    /// A seat as an option, which seats call by its public name.
    fn seat_option(&self, seat: SeatId) -> Alternative {
        Alternative::of_seat(self.seat_name(seat), self.public_name(seat))
    }

    /// The seats that are asked for a ballot: those that take part, vote, and have an option.
    pub(super) fn find_voters(&self) -> Vec<SeatId> {
        let own = &self.course.vote.own_motions;
        let has_option = |seat: &SeatId| own.get(seat).is_none_or(|motion| !motion.alternatives.is_empty());
        self.asked_at(Step::Ballot).filter(has_option).collect()
    }

    /// How many seats may vote, and how many ballots they have together. Where no seat hears another, excluded seats count,
    /// so that the number does not tell who was excluded.
    pub(super) fn count_electorate(&self, terms: &VoteTerms<'_>) -> (u32, u32) {
        let voters = match self.plan.network {
            Network::Alone => {
                let seats = self.plan.seat_ids();
                seats.filter(|seat| self.plan.seats[seat.index()].is_asked_at(Step::Ballot)).collect()
            }
            _ => self.find_voters(),
        };
        (voters.len() as u32, voters.iter().map(|voter| terms.electorate.weight(*voter)).sum())
    }

    /// Forgets the ballots of those who may vote at a place.
    pub(super) fn clear_ballots(&mut self, place: usize) {
        for seat in self.plan.seat_ids() {
            if self.is_gathered_at(place, seat) {
                self.standing[seat.index()].cast = Cast::Nothing;
            }
        }
    }

    /// Begins a vote with fewer than two options: nobody is asked. `false` if seats are to be asked.
    pub(super) fn begin_unopposed(&mut self, place: usize, round: u32) -> bool {
        match self.course.vote.motion.as_ref().map(|motion| motion.alternatives.len()) {
            Some(0) => self.finish(place, round),
            Some(1) => {
                self.clear_ballots(place);
                self.course.stage = Stage::Counting(place, round);
            }
            _ => return false,
        }
        true
    }

    /// The count of a vote, in which an option without rival wins unopposed.
    pub(super) fn count_vote(&self, at: &Moment, place: usize) -> TallyReport {
        let terms = self.vote_terms(place);
        let mut report = self.count(at, &terms);
        let planned = self.phase(place).kind.as_vote();
        let is_found_at_opening = planned.is_some_and(|vote| vote.over.is_found_at_opening());
        if let (true, [only]) = (is_found_at_opening, terms.motion.alternatives.as_slice()) {
            let winner = NamedChoice { alternative: only.name.clone(), amount: None };
            report.decided = terms.is_binding.then(|| winner.clone());
            report.winners = vec![winner];
            (report.quorum_met, report.uncounted, report.tie_break) = (None, None, None);
        }
        if let Some(several) = planned.and_then(|vote| vote.winners.as_ref())
            && terms.motion.alternatives.len() > 1
        {
            self.elect_several(&mut report, several, at, &terms);
        }
        let default = terms.electorate.otherwise.filter(|_| terms.is_binding && report.decided.is_none());
        if let Some(default) = default.filter(|_| self.is_last_count(place, at.round)) {
            report.decided = Some(terms.motion.named(default.into()));
            report.by_default = true;
        }
        report
    }

    /// Whether no other count follows if this one, in a round of the phase of this place, decides nothing.
    fn is_last_count(&self, place: usize, round: u32) -> bool {
        let is_last_round = matches!(self.phase(place).kind, PhaseKind::Discussion(_))
            && (self.stops_here(place) || self.ends_after(place, round) == Ok(true));
        let round = if is_last_round { u32::MAX } else { round };
        self.plan.is_last_count((place, round), |pass| self.count_passes(pass))
    }

    /// What is decided by default once a discussion is over in which no vote decided; `None` if nothing is.
    pub(super) fn default_after(&self, place: usize) -> Option<NamedChoice> {
        let terms = self.vote_terms(place);
        let default = terms.electorate.otherwise.filter(|_| terms.decides)?;
        let is_last = self.plan.is_last_count((place, u32::MAX), |pass| self.count_passes(pass));
        is_last.then(|| terms.motion.named(default.into()))
    }

    /// Lets several options win: those with the most points, or with the most ballots where there are no points, or those that a budget
    /// pays for.
    fn elect_several(&self, report: &mut TallyReport, several: &SeveralWinners, at: &Moment, terms: &VoteTerms<'_>) {
        if report.winners.is_empty() {
            return;
        }
        let worth = |count: &TallyCount| match count.points {
            Some(Ratio { of, unit }) => (i128::from(of), i128::from(unit)),
            None => (i128::from(count.count), 1),
        };
        let points: Vec<OptionPoints> = report.counts.iter().map(worth).collect();
        let tie_break = terms.decision.tie_break;
        let order: Vec<usize> = match tie_break {
            TieBreak::Lot => {
                let lots = self.seed.at_moment(DrawPurpose::TieBreak, at, 1).draw_order(points.len() as u32);
                lots.into_iter().map(|place| place as usize).collect()
            }
            _ => (0..points.len()).collect(),
        };
        let Elected { winners, is_tied } = match several {
            SeveralWinners::Number(number) => elect_number(&points, &order, *number as usize),
            SeveralWinners::Budget { budget, costs, method } => {
                let money = Money { budget: *budget, costs };
                match method {
                    BudgetMethod::Greedy => elect_greedily(&points, &order, money),
                    BudgetMethod::EqualShares => {
                        elect_by_equal_shares(&self.list_scores(terms, points.len()), &points, &order, money)
                    }
                }
            }
        };
        let named = |place: usize| NamedChoice { alternative: report.counts[place].alternative.clone(), amount: None };
        let names: Vec<NamedChoice> = winners.into_iter().map(named).collect();
        let is_decided = terms.is_binding && !names.is_empty() && !(is_tied && tie_break == TieBreak::NoDecision);
        report.tie_break = (terms.is_binding && is_tied).then_some(tie_break);
        report.winners = names;
        report.decided = is_decided.then(|| report.join_winners());
    }

    /// The scores of every ballot, 1 for an approval, with its weight.
    fn list_scores(&self, terms: &VoteTerms<'_>, options: usize) -> Vec<(Vec<u32>, u32)> {
        let score = |ballot: &Ballot<AlternativeId>, id: AlternativeId| {
            ballot.score(&id).or_else(|| ballot.approves(&id).map(u32::from)).unwrap_or(0)
        };
        let scores = |(cast, weight): (&Cast, u32)| match cast {
            Cast::Over(ballot) => {
                Some(((0..options as u32).map(|id| score(ballot, AlternativeId(id))).collect(), weight))
            }
            _ => None,
        };
        self.ballots(terms.electorate).filter(|(_, weight)| *weight > 0).filter_map(scores).collect()
    }
}
