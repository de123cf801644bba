//! Votes: whom to ask to call one, what was cast, and the count.

use super::deliberation::{Cast, Deliberation, Vote};
use crate::chance::Purpose;
use crate::choice::{self, Profile, counted};
use crate::domain::{AlternativeId, Choice, Event, Moment, RuleKind, SeatId, Step, TallyCount, TallyReport, Voice};
use crate::memory::guidance;
use crate::plan::SeatRole;

impl Deliberation<'_> {
    /// Begins a vote on call: nobody has called it, and this is the order in which seats are asked.
    pub(super) fn begin_call(&mut self, place: usize, round: u32) {
        let present: Vec<SeatId> = self.present().collect();
        let mut uncalled = self.by_lot(Purpose::VoteCall, &self.moment(place, round, Step::VoteCall), &present);
        uncalled.reverse();
        self.vote = Vote { uncalled, callers: vec![false; self.plan.seats.len()], ..Vote::default() };
    }

    /// The voters whose ballots still lack the amount that their alternative takes.
    pub(super) fn without_amount(&self) -> Vec<SeatId> {
        let lacks = |seat: &SeatId| match self.standing[seat.index()].cast {
            Cast::For(choice) => self.takes_amount(choice.alternative) && choice.amount.is_none(),
            Cast::Nothing | Cast::Invalid => false,
        };
        self.present().filter(lacks).collect()
    }

    pub(super) fn takes_amount(&self, alternative: AlternativeId) -> bool {
        self.plan.motion.alternatives[alternative.index()].takes_amount
    }

    /// Counts the ballots of the vote under way.
    pub(super) fn count(&self, at: &Moment) -> TallyReport {
        let (motion, rule) = (&self.plan.motion, &self.plan.decision);
        let mut ballots: Vec<Choice> = Vec::new();
        let mut invalid = 0;
        for cast in self.ballots() {
            match cast {
                Cast::For(choice) => ballots.push(choice),
                Cast::Invalid => invalid += 1,
                Cast::Nothing => {}
            }
        }
        let options = counted(motion, &ballots, rule.amount_tolerance);
        let counts = options.iter().map(|option| option.count).collect();
        let tally = choice::tally(rule, &Profile { counts, valid: ballots.len() as u32, invalid });
        let amounts: Vec<(u32, u64)> = ballots.iter().filter_map(|ballot| Some((ballot.amount?, 1))).collect();
        let middle = match rule.rule {
            RuleKind::Mean => Some(choice::mean(&amounts)),
            RuleKind::Median => Some(choice::median(&amounts)),
            _ => None,
        };
        let winners: Vec<Choice> = match middle {
            // Some ballot counts where any wins.
            Some(amount) if !tally.winners.is_empty() => {
                motion.only().map(|alternative| Choice { alternative, amount }).into_iter().collect()
            }
            _ => tally.winners.iter().map(|place| options[*place].choice).collect(),
        };
        let lot = |n| self.seed.at_moment(Purpose::TieBreak, at, 0).below(n);
        let decided = choice::break_tie(rule.tie_break, &winners, motion, lot);
        let counts = options.iter().map(|option| TallyCount {
            alternative: motion.name(option.choice.alternative).clone(),
            amount: option.choice.amount,
            count: option.count,
        });
        TallyReport {
            rule: rule.rule,
            base: rule.base,
            eligible: tally.eligible,
            valid: tally.valid,
            invalid,
            abstained: tally.abstained,
            threshold: tally.threshold,
            counts: counts.collect(),
            winners: winners.iter().map(|winner| motion.named(*winner)).collect(),
            tie_break: (winners.len() > 1).then_some(rule.tie_break),
            decided: decided.map(|choice| motion.named(choice)),
        }
    }

    /// What all hear of a count: with a roll call the ballots, too, in the plan's order.
    pub(super) fn tally_text(&self, report: &TallyReport) -> String {
        if !self.plan.roll_call {
            return guidance::tally_line(report, self.plan.motion.tongue());
        }
        let ballots = self.present().filter_map(|seat| match self.standing[seat.index()].cast {
            Cast::For(choice) => Some((self.public_name(seat), Some(self.plan.motion.named(choice)))),
            Cast::Invalid => Some((self.public_name(seat), None)),
            Cast::Nothing => None,
        });
        guidance::roll_call(report, self.plan.decision.invalid, ballots, self.plan.motion.tongue())
    }

    /// The next manipulator from this position in the plan on that has something to push.
    pub(super) fn next_manipulator(&self, from: usize) -> Option<usize> {
        let seats = self.plan.seats.iter().enumerate().skip(from);
        seats
            .filter(|(seat, planned)| planned.role == SeatRole::Manipulator && !self.standing[*seat].is_excluded)
            .map(|(seat, _)| seat)
            .find(|seat| self.least_popular(SeatId(*seat as u32)).is_some())
    }

    /// What is told to a manipulator.
    pub(super) fn manipulation(&self, seat: SeatId) -> Event {
        let target = self.least_popular(seat).expect("invariant: a manipulator is told what to push");
        let text = self.plan.prompts.manipulation(&self.plan.motion, target);
        let text = text.expect("invariant: templates were rehearsed");
        let (to, pushes) = (vec![self.seat_name(seat).clone()], Some(self.plan.motion.name(target).clone()));
        Event::Instructed { text, to, by: Voice::Facilitator, pushes }
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
