//! The count of the vote under way: ballots to a tally, winners, and the tie-break. The rules themselves are `choice`'s.

use super::deliberation::{Cast, Deliberation};
use crate::chance::Purpose;
use crate::choice::ranked::{Count, Counting, Points, Preferences, RunoffTies, drawn_ballot};
use crate::choice::{self, Ballots, Outcome, Profile, Tally, Terms, counted, recount};
use crate::domain::{
    AlternativeId, Ballot, BallotForm, Base, Choice, InvalidBallots, Moment, Ratio, RuleKind, TallyCount, TallyReport,
    TieBreak,
};

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
    uncounted: Option<String>,
    /// The ballots as orders of the entries.
    orders: Preferences,
}

impl Deliberation<'_> {
    /// Counts the ballots of the vote under way.
    pub(super) fn count(&self, at: &Moment) -> TallyReport {
        let (motion, rule) = (&self.plan.motion, &self.plan.decision);
        let invalid = self.ballots().filter(|cast| **cast == Cast::Invalid).count() as u32;
        let counted = match self.plan.voting.form {
            BallotForm::Choice | BallotForm::Amount => self.counted_choices(invalid),
            BallotForm::Approval | BallotForm::Ranking { .. } | BallotForm::Score { .. } => self.counted_over(invalid),
        };
        let (tie_break, decided) = self.decided_among(&counted, at);
        let Counted { entries, tally, winners, condorcet, uncounted, .. } = counted;
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
            invalid,
            abstained: tally.abstained,
            threshold: tally.threshold,
            counts: counts.collect(),
            winners: winners.iter().map(|winner| motion.named(*winner)).collect(),
            condorcet_winner: condorcet.map(|id| motion.name(id).clone()),
            uncounted,
            tie_break,
            decided: decided.map(|choice| motion.named(choice)),
        }
    }

    /// Counts ballots for one alternative, or for an amount.
    fn counted_choices(&self, invalid: u32) -> Counted {
        let (motion, rule) = (&self.plan.motion, &self.plan.decision);
        let chosen = |cast: &Cast| if let Cast::For(choice) = cast { Some(*choice) } else { None };
        let ballots: Vec<Choice> = self.ballots().filter_map(chosen).collect();
        let options = counted(motion, &ballots, rule.amount_tolerance);
        let counts: Vec<u32> = options.iter().map(|option| option.count).collect();
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
            // Whoever has a ballot may win.
            None if rule.rule == RuleKind::RandomBallot && !tally.winners.is_empty() => {
                options.iter().filter(|option| option.count > 0).map(|option| option.choice).collect()
            }
            _ => tally.winners.iter().map(|place| options[*place].choice).collect(),
        };
        let tops = options.iter().enumerate().map(|(place, option)| {
            let order = choice::ranked::Ranking::of_levels(options.len(), &[[place]]);
            (order, u64::from(option.count))
        });
        let orders = Preferences::new(options.len(), tops);
        let entry = |option: &choice::Counted| Entry { choice: option.choice, count: option.count, points: None };
        let entries = options.iter().map(entry).collect();
        Counted { entries, tally, winners, condorcet: None, uncounted: None, orders }
    }

    /// Counts ballots that say more than one choice.
    fn counted_over(&self, invalid: u32) -> Counted {
        let (rule, voting, alternatives) =
            (&self.plan.decision, &self.plan.voting, self.plan.motion.alternatives.len());
        let cast: Vec<&Ballot<AlternativeId>> = self.ballots().filter_map(Cast::over).collect();
        let mut counts = vec![0; alternatives];
        for ballot in &cast {
            ballot.top().into_iter().for_each(|id| counts[id.index()] += 1);
        }
        let profile = Profile { counts: counts.clone(), valid: cast.len() as u32, invalid };
        let tally = choice::tally(rule, &profile);
        let absent = match rule.base {
            Base::Members => tally.eligible - tally.valid,
            Base::Valid => 0,
        };
        let form = choice::form_of(voting.form).expect("invariant: these ballots say more than one choice");
        let bundles = cast.iter().map(|ballot| choice::bundle(alternatives, ballot)).collect();
        let ballots = Ballots::new(form, alternatives, bundles, u64::from(absent));
        let terms = Terms {
            strength: voting.strength,
            runoff_ties: RunoffTies::Together,
            threshold: rule.threshold.unwrap_or(Terms::default().threshold),
            seats: 1,
        };
        let outcome = recount(&ballots, &[rule.rule], &terms).pop().expect("invariant: every rule has its outcome");
        let uncounted = outcome.as_ref().err().map(ToString::to_string);
        let nobody = Count { winners: Vec::new(), points: None };
        let Count { winners, points } = outcome.map_or(nobody, |Outcome { count, .. }| count);
        let is_void = rule.invalid == InvalidBallots::VoidRound && invalid > 0;
        let entries = counts.iter().enumerate().map(|(place, count)| Entry {
            choice: AlternativeId(place as u32).into(),
            count: *count,
            points: points.as_ref().map(|points| ratio(points, place)),
        });
        let orders = ballots.preferences();
        let condorcet = matches!(voting.form, BallotForm::Ranking { .. }).then(|| {
            let counting = Counting::of(&orders);
            let winner = counting.pairwise().ok().and_then(choice::ranked::Pairwise::condorcet_winner);
            winner.filter(|_| !cast.is_empty()).map(|place| AlternativeId(place as u32))
        });
        let winners = winners.into_iter().filter(|_| !is_void).map(|place| AlternativeId(place as u32).into());
        Counted {
            entries: entries.collect(),
            winners: winners.collect(),
            tally,
            condorcet: condorcet.flatten(),
            uncounted,
            orders,
        }
    }

    /// What is decided for among the winners, and the tie-break where one was needed.
    fn decided_among(&self, counted: &Counted, at: &Moment) -> (Option<TieBreak>, Option<Choice>) {
        let (rule, winners) = (&self.plan.decision, counted.winners.as_slice());
        let mut lots = self.seed.at_moment(Purpose::TieBreak, at, 0);
        if winners.is_empty() || rule.rule != RuleKind::RandomBallot {
            let decided = choice::break_tie(rule.tie_break, winners, &self.plan.motion, |below| lots.below(below));
            return ((winners.len() > 1).then_some(rule.tie_break), decided);
        }
        let drawn = drawn_ballot(&counted.orders, |below| lots.below(below));
        (None, drawn.map(|place| counted.entries[place].choice))
    }
}

/// The points at a place, in lowest terms.
fn ratio(points: &Points, place: usize) -> Ratio {
    let (of, unit) = (points.of[place], points.unit);
    let (mut divisor, mut rest) = (unit, of.unsigned_abs());
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let fits = "invariant: points of a session's ballots are few";
    Ratio {
        of: i64::try_from(of / i128::try_from(divisor).expect(fits)).expect(fits),
        unit: u64::try_from(unit / divisor).expect(fits),
    }
}
