//! The count of the vote under way: ballots to a tally, winners, and the tie-break. The rules themselves are `choice`'s.

use num_integer::Integer;

use super::ballot_box::Cast;
use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::choice::ranked::{Counting, Pairwise, Points, drawn_ballot};
use crate::choice::{self, BlankBallots, Bundle, Tally, TallyForm, count_options};
use crate::domain::{
    AlternativeId, Ballot, BallotForm, Choice, Moment, Ratio, RuleKind, SeatId, TallyCount, TallyReport, TieBreak,
};
use crate::plan::VoteTerms;

/// What was voted for, and what it got.
struct Entry {
    choice: Choice,
    count: u32,
    points: Option<Ratio>,
}

/// What a rule made of a vote.
struct Counted {
    entries: Vec<Entry>,
    tally: Tally,
    winners: Vec<Choice>,
    condorcet: Option<AlternativeId>,
}

/// What was decided among winners.
#[derive(Default)]
struct Decided {
    choice: Option<Choice>,
    /// The tie-break that decided, where one was needed.
    by: Option<TieBreak>,
    /// Whose ballots were looked at for it.
    ballots: Vec<SeatId>,
}

impl Deliberation<'_> {
    /// Counts the ballots of the vote under way, each as often as its seat weighs.
    pub(super) fn count(&self, at: &Moment, terms: &VoteTerms<'_>) -> TallyReport {
        let (motion, rule) = (terms.motion, terms.decision);
        let cast: Vec<(&Cast, u32)> = self.ballots(terms.electorate).filter(|(_, weight)| *weight > 0).collect();
        let weigh = |what: &Cast| cast.iter().filter(|(cast, _)| *cast == what).map(|(_, weight)| weight).sum();
        let blank = BlankBallots { invalid: weigh(&Cast::Invalid), abstained: weigh(&Cast::Abstained) };
        let mut counted = match terms.voting.form {
            BallotForm::Choice | BallotForm::Amount => counted_choices(&cast, blank, terms),
            BallotForm::Approval
            | BallotForm::Ranking { .. }
            | BallotForm::Score { .. }
            | BallotForm::Allocation { .. } => counted_over(&cast, blank, terms),
        };
        let members = counted.tally.valid + blank.invalid + blank.abstained;
        let quorum_met = terms.electorate.quorum_met(counted.tally.valid, members);
        if quorum_met == Some(false) {
            counted.winners.clear();
        }
        let decided = if terms.is_binding { self.decided_among(&counted, at, terms) } else { Decided::default() };
        let Counted { entries, tally, winners, condorcet } = counted;
        let counts = entries.iter().map(|entry| TallyCount {
            alternative: motion.name(entry.choice.alternative).clone(),
            amount: entry.choice.amount,
            count: entry.count,
            points: entry.points,
        });
        TallyReport {
            rule: rule.rule,
            base: rule.base,
            eligible: tally.eligible,
            valid: tally.valid,
            invalid: blank.invalid,
            abstained: tally.abstained,
            by_choice: blank.abstained,
            threshold: tally.threshold,
            quorum_met,
            counts: counts.collect(),
            winners: winners.iter().map(|winner| motion.named(*winner)).collect(),
            condorcet_winner: condorcet.map(|id| motion.name(id).clone()),
            uncounted: tally.uncounted.as_ref().map(ToString::to_string),
            tie_break: decided.by,
            tie_ballots: decided.ballots.iter().map(|seat| self.seat_name(*seat).clone()).collect(),
            decided: decided.choice.map(|choice| motion.named(choice)),
            by_default: false,
            non_binding: !terms.is_binding,
            sampled: None,
            elects_several: terms.elects_several,
        }
    }

    /// What is decided for among the winners, and the tie-break where one was needed.
    fn decided_among(&self, counted: &Counted, at: &Moment, terms: &VoteTerms<'_>) -> Decided {
        let (rule, winners) = (terms.decision, counted.winners.as_slice());
        let mut lots = self.seed.at_moment(DrawPurpose::TieBreak, at, 0);
        let mut lot = |below| lots.draw_below(below);
        if rule.rule == RuleKind::RandomBallot && !winners.is_empty() {
            let drawn = drawn_ballot(&counted.tally.ballots.to_preferences(), lot);
            return Decided { choice: drawn.map(|place| counted.entries[place].choice), ..Decided::default() };
        }
        let (mut tied, mut ballots) = (winners.to_vec(), Vec::new());
        match rule.tie_break {
            TieBreak::Chair => {
                let chair = terms.electorate.chair.expect("invariant: whoever breaks ties is a seat");
                // The chair's ballot of another group is about other options.
                let is_here = self.course.vote.place.is_none_or(|place| self.is_gathered_at(place, chair));
                if is_here && tied.len() > 1 && self.told_apart(chair, &mut tied, terms) {
                    ballots.push(chair);
                }
            }
            TieBreak::RandomBallot => self.draw_ballots((&mut tied, &mut ballots), &mut lot, terms),
            TieBreak::Lot | TieBreak::AgendaOrder | TieBreak::StatusQuo | TieBreak::NoDecision => {}
        }
        let is_left = tied.len() > 1 && matches!(rule.tie_break, TieBreak::Chair | TieBreak::RandomBallot);
        let by = if is_left { TieBreak::Lot } else { rule.tie_break };
        let choice = choice::break_tie(by, &tied, terms.motion, lot);
        Decided { choice, by: (winners.len() > 1).then_some(by), ballots }
    }

    /// Leaves of the tied those that a seat's ballot puts highest; whether the seat has a valid ballot.
    fn told_apart(&self, seat: SeatId, tied: &mut Vec<Choice>, terms: &VoteTerms<'_>) -> bool {
        *tied = match &self.standing[seat.index()].cast {
            Cast::Nothing | Cast::Invalid | Cast::Abstained => return false,
            Cast::For(choice) => choice::named_of(*choice, tied, terms.decision.amount_tolerance),
            Cast::Over(ballot) => choice::highest_of(ballot, tied),
        };
        true
    }

    /// Draws valid ballots, none twice, each with a chance by its weight, until they leave one of the tied or none is left.
    fn draw_ballots(
        &self,
        (tied, drawn): (&mut Vec<Choice>, &mut Vec<SeatId>),
        lot: &mut impl FnMut(u64) -> u64,
        terms: &VoteTerms<'_>,
    ) {
        let weight = |seat: SeatId| u64::from(terms.electorate.weight(seat));
        let is_valid = |seat: &SeatId| {
            weight(*seat) > 0 && matches!(self.standing[seat.index()].cast, Cast::For(_) | Cast::Over(_))
        };
        let mut left: Vec<SeatId> = self.participants().filter(is_valid).collect();
        while tied.len() > 1 && !left.is_empty() {
            let mut rest = lot(left.iter().map(|seat| weight(*seat)).sum());
            let is_next = |seat: &SeatId| match rest.checked_sub(weight(*seat)) {
                Some(less) => {
                    rest = less;
                    false
                }
                None => true,
            };
            let place = left.iter().position(is_next).expect("invariant: a lot is below the weight of all ballots");
            let seat = left.remove(place);
            self.told_apart(seat, tied, terms);
            drawn.push(seat);
        }
    }
}

/// Counts ballots for one alternative, or for an amount.
fn counted_choices(cast: &[(&Cast, u32)], blank: BlankBallots, terms: &VoteTerms<'_>) -> Counted {
    let (motion, rule) = (terms.motion, terms.decision);
    let chosen = |(cast, weight): &(&Cast, u32)| {
        if let Cast::For(choice) = cast { Some((*choice, *weight)) } else { None }
    };
    let ballots: Vec<(Choice, u32)> = cast.iter().filter_map(chosen).collect();
    let options = count_options(motion, &ballots, rule.amount_tolerance);
    let bundle = |(place, option): (usize, &choice::OptionCount)| Bundle {
        ballot: choice::TallyBallot::Choice(place),
        weight: 1,
        count: option.count.into(),
    };
    let bundles = options.iter().enumerate().map(bundle).collect();
    let form = (TallyForm::Choice, options.len());
    let tally = choice::count_tally(rule, &terms.count_terms(), form, bundles, blank);
    let amounts = || -> Vec<(u32, u64)> {
        ballots.iter().filter_map(|(ballot, weight)| Some((ballot.amount?, u64::from(*weight)))).collect()
    };
    let middle = match rule.rule {
        _ if tally.is_void => None,
        RuleKind::Mean => choice::mean(&amounts()),
        RuleKind::Median => choice::median(&amounts()),
        _ => None,
    };
    let of_middle = middle.and_then(|amount| Some(Choice { alternative: motion.only()?, amount: Some(amount) }));
    let winners = tally.winners.iter().map(|place| options[*place].choice).chain(of_middle).collect();
    let entry = |option: &choice::OptionCount| Entry { choice: option.choice, count: option.count, points: None };
    Counted { entries: options.iter().map(entry).collect(), tally, winners, condorcet: None }
}

/// Counts ballots that say more than one choice.
fn counted_over(cast: &[(&Cast, u32)], blank: BlankBallots, terms: &VoteTerms<'_>) -> Counted {
    let (voting, alternatives) = (terms.voting, terms.motion.alternatives.len());
    let over = |(cast, weight): &(&Cast, u32)| {
        if let Cast::Over(ballot) = cast { Some((ballot.clone(), *weight)) } else { None }
    };
    let ballots: Vec<(Ballot<AlternativeId>, u32)> = cast.iter().filter_map(over).collect();
    let mut counts = vec![0; alternatives];
    for (ballot, weight) in &ballots {
        ballot.top().into_iter().for_each(|id| counts[id.index()] += weight);
    }
    let form = choice::form_of(voting.form).expect("invariant: these ballots say more than one choice");
    let bundles = ballots.iter().map(|(ballot, weight)| choice::bundle_ballot(alternatives, ballot, *weight)).collect();
    let tally = choice::count_tally(terms.decision, &terms.count_terms(), (form, alternatives), bundles, blank);
    let entries = counts.iter().enumerate().map(|(place, count)| Entry {
        choice: AlternativeId(place as u32).into(),
        count: *count,
        points: tally.points.as_ref().map(|points| ratio(points, place)),
    });
    let entries = entries.collect();
    let condorcet = matches!(voting.form, BallotForm::Ranking { .. }).then(|| {
        let orders = tally.ballots.to_preferences();
        let winner = Counting::new(&orders).pairwise().ok().and_then(Pairwise::condorcet_winner);
        winner.filter(|_| !ballots.is_empty()).map(|place| AlternativeId(place as u32))
    });
    let winners = tally.winners.iter().map(|place| AlternativeId(*place as u32).into()).collect();
    Counted { entries, winners, tally, condorcet: condorcet.flatten() }
}

/// The points at a place, in lowest terms.
fn ratio(points: &Points, place: usize) -> Ratio {
    let (of, unit) = (points.of[place], points.unit);
    let divisor = unit.gcd(&of.unsigned_abs());
    let fits = "invariant: points of a session's ballots are few";
    Ratio {
        of: i64::try_from(of / i128::try_from(divisor).expect(fits)).expect(fits),
        unit: u64::try_from(unit / divisor).expect(fits),
    }
}
