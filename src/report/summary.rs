//! The numbers of a run, arm by arm. The text and the JSON are made from the same [`Report`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::analysis::statistics::{Interval, Resampling, StreamKey, mean_interval, median, wilson_interval};
use crate::analysis::{
    AnswersBy, ArmFacts, ConvergenceEffect, Determinism, Effort, FoldedSession, HarvestTotals, SeatFacts,
    SessionTotals, Status,
};
use crate::domain::{AlternativeName, Dollars, NamedChoice, Verdict};
use crate::report::arm::levels_in_words;
use crate::report::items::{ItemCounts, ItemsReport};
use crate::report::lots::Lots;
use crate::report::reliability::{Reliability, reliability};
use crate::report::right::{Right, RightCounts};

/// Patterns of signs that an interval draws if there are too many to count all; as many as `compare` draws.
const FLIPS: u32 = 10_000;

/// Collects sessions, in the order of the plan.
#[derive(Debug)]
pub struct Summary {
    experiment: String,
    seed: u64,
    arms: Vec<ArmSessions>,
}

#[derive(Debug)]
struct ArmSessions {
    facts: Arc<ArmFacts>,
    completed: Completed,
    items: ItemCounts,
    right: RightCounts,
    lots: Lots,
    incomplete: u64,
    failed: u64,
}

/// What the numbers need of the completed sessions of an arm. Of a session nothing is kept but values that a median is of.
#[derive(Debug)]
struct Completed {
    sessions: u64,
    voted: u64,
    undecided: u64,
    /// What the first session with an imposed result was given.
    imposed: Option<Option<NamedChoice>>,
    /// How many sessions decided for each alternative, and the amounts with it.
    results: BTreeMap<AlternativeName, (u64, Vec<u32>)>,
    harvests: Vec<HarvestTotals>,
    /// The modal shares of the polls before and after the talk, of sessions with both.
    straw: Vec<(f64, f64)>,
    converged_rounds: Vec<f64>,
    /// Rounds to the decision; infinite where there was none.
    times: Vec<f64>,
    /// What seats chose, in the order of [`SessionTotals::chosen`]; only with items.
    chosen: [Vec<Vec<u32>>; 3],
    trivial_consensus: u64,
    polled_before: u64,
    effort: Effort,
    answers: u64,
    cost: Option<Dollars>,
}

impl Default for Completed {
    fn default() -> Self {
        Self {
            sessions: 0,
            voted: 0,
            undecided: 0,
            imposed: None,
            results: BTreeMap::new(),
            harvests: Vec::new(),
            straw: Vec::new(),
            converged_rounds: Vec::new(),
            times: Vec::new(),
            chosen: Default::default(),
            trivial_consensus: 0,
            polled_before: 0,
            effort: Effort::default(),
            answers: 0,
            cost: Some(Dollars::NONE),
        }
    }
}

impl Completed {
    fn add(&mut self, totals: &SessionTotals) {
        self.sessions += 1;
        self.voted += u64::from(totals.verdict.is_voted());
        self.undecided += u64::from(matches!(totals.verdict, Verdict::NoDecision | Verdict::NoQuorum));
        if totals.verdict == Verdict::Imposed && self.imposed.is_none() {
            self.imposed = Some(totals.result.clone());
        }
        if let Some(result) = &totals.result {
            if !self.results.contains_key(&result.alternative) {
                self.results.insert(result.alternative.clone(), (0, Vec::new()));
            }
            if let Some((sessions, amounts)) = self.results.get_mut(&result.alternative) {
                *sessions += 1;
                amounts.extend(result.amount);
            }
        }
        self.harvests.extend(totals.harvests);
        self.straw.extend(totals.straw_before_modal_share.zip(totals.straw_after_modal_share));
        self.converged_rounds.extend(totals.converged_round.map(f64::from));
        if totals.censored.is_some() {
            self.times.push(totals.time_to_decision.map_or(f64::INFINITY, |time| time as f64));
        }
        if totals.chosen.iter().any(|chosen| !chosen.is_empty()) || self.has_chosen() {
            self.choose(&totals.chosen);
        }
        self.trivial_consensus += u64::from(totals.trivial_consensus == Some(true));
        self.polled_before += u64::from(totals.trivial_consensus.is_some());
        self.spend(&totals.effort);
    }

    fn has_chosen(&self) -> bool {
        !self.chosen[0].is_empty()
    }

    /// Keeps what seats chose. Sessions before the first in which any did chose nothing.
    fn choose(&mut self, chosen: &[Vec<u32>; 3]) {
        let before = self.sessions as usize - 1;
        for (all, own) in self.chosen.iter_mut().zip(chosen) {
            all.resize(before.max(all.len()), Vec::new());
            all.push(own.clone());
        }
    }

    fn spend(&mut self, effort: &Effort) {
        self.answers += effort.settled_questions();
        self.cost = self.cost.zip(effort.cost()).map(|(sum, cost)| sum.plus(cost));
        let sum = &mut self.effort;
        sum.first_try += effort.first_try;
        sum.reasked += effort.reasked;
        sum.invalid += effort.invalid;
        sum.refused += effort.refused;
        sum.calls += effort.calls;
        sum.prompt_tokens += effort.prompt_tokens;
        sum.completion_tokens += effort.completion_tokens;
    }
}

/// A run in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Sessions, however far they got.
    pub sessions: u64,
    /// Sessions that ran to their end.
    pub completed: u64,
    /// Sessions that failed.
    pub failed: u64,
    /// The least and the greatest number of seats of an arm.
    pub seats: (u64, u64),
    /// `recomputed` when every arm is; else `recorded`.
    pub determinism: &'static str,
    /// Whether any seat is simulated.
    pub simulated_minds: bool,
    /// Whether every seat of every arm is.
    #[serde(skip)]
    pub minds_alone: bool,
    /// The seats of a session that people answer for, by the least and the most of any arm.
    #[serde(skip_serializing_if = "no_seats")]
    pub human_seats: (u64, u64),
    /// The arms.
    pub arms: Vec<ArmReport>,
}

/// An arm in numbers, over its completed sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmReport {
    /// Its name.
    pub arm: String,
    /// Its levels in words; empty where it has none.
    #[serde(skip)]
    pub levels: String,
    /// The labels of the alternatives that have one, by their names, in the scenario's order.
    #[serde(skip)]
    pub labels: Vec<(String, String)>,
    /// Sessions that ran to their end.
    pub completed: u64,
    /// The decision that was given instead of voted for, with its amount; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imposed: Option<String>,
    /// What groups chose, in the scenario's order, no decision last; empty where the agenda holds no vote, and where each item has
    /// options of its own.
    pub choices: Vec<ChoiceShare>,
    /// The outcomes item by item; absent in an experiment without items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ItemsReport>,
    /// What is right, and how many decided for it; absent where nobody knows, and in an experiment with items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<Right>,
    /// The decisions that a lot made among tied alternatives; absent where it made none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_lot: Option<Lots>,
    /// How straw polls moved; `None` without sessions that have both.
    pub straw: Option<StrawChange>,
    /// How long a common stock lasted; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stock: Option<Lasted>,
    /// Rounds to a decision; `None` where no vote is held in a round.
    pub time_to_decision: Option<TimeToDecision>,
    /// Sessions whose statements became alike; `None` where nothing follows from that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converged: Option<Converged>,
    /// How reliably seats choose the same over the sessions; left out in an experiment without items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Reliability>,
    /// How answers came.
    pub integrity: Integrity,
    /// Answers given by language models.
    pub calls: u64,
    /// Tokens of prompts, over the calls that reported them.
    pub prompt_tokens: u64,
    /// Tokens of replies, over the calls that reported them.
    pub completion_tokens: u64,
    /// What the answers cost, in dollars; `None` where that of one is not known.
    pub cost_usd: Option<Dollars>,
    /// Attempts of which nobody told what they used: most of them brought no answer.
    pub attempts_untold: u64,
    /// The most that these may have cost, in dollars; `None` where a price is not known.
    pub cost_untold_usd_at_most: Option<Dollars>,
}

/// How long a common stock lasted, and what was taken of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lasted {
    /// The median of the rounds in which there was a harvest, the one in which the stock was gone among them.
    pub median_rounds: f64,
    /// Rounds at the most.
    pub rounds_max: u32,
    /// Sessions in which it was gone before they were over, or with them.
    pub collapsed: u64,
    /// The mean of what all seats took together.
    pub mean_gain: f64,
    /// What that is counted in; `None` where the scenario does not say.
    #[serde(skip)]
    pub unit: Option<String>,
}

/// How often statements became alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Converged {
    /// Sessions in which a round reached the threshold.
    pub sessions: u64,
    /// The median of the first such rounds; `None` without one.
    pub median_round: Option<f64>,
    /// The threshold.
    pub threshold: f64,
    /// The profile.
    pub profile: &'static str,
    /// Whether it ended the talk.
    pub ends_talk: bool,
}

/// How often groups chose one alternative, or none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceShare {
    /// The alternative; `None` is no decision.
    pub alternative: Option<String>,
    /// Sessions that ended so.
    pub sessions: u64,
    /// Their share of completed sessions with a vote.
    pub share: f64,
    /// Wilson's 95 % interval of the share.
    pub interval: Interval,
    /// The amounts decided for with it; absent where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
}

/// The amounts that groups decided for with one alternative.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Amounts {
    /// Sessions with an amount.
    pub n: u64,
    /// The median.
    pub median: f64,
    /// The least.
    pub least: u32,
    /// The greatest.
    pub greatest: u32,
    /// What they are counted in; `None` where the scenario does not say.
    #[serde(skip)]
    pub unit: Option<String>,
}

/// The mean modal share of straw polls before and after the talk, over sessions that have both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrawChange {
    /// Sessions with both.
    pub n: u64,
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// After less before.
    pub change: f64,
    /// The 95 % interval of the change over sessions by inverted sign flips; `None` for fewer than six, and if all are equal.
    pub interval: Option<Interval>,
}

/// Rounds to a decision, sessions cut off at the last round counting as longer than any.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeToDecision {
    /// The median; `None` when half of the sessions or more were cut off.
    pub median: Option<f64>,
    /// Rounds at the most.
    pub rounds_max: u32,
    /// Sessions that ended without a decision.
    pub censored: u64,
}

/// How answers came: settled questions by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Integrity {
    /// Questions settled.
    pub answers: u64,
    /// Valid at the first try.
    pub first_try: u64,
    /// Valid after a re-ask.
    pub reasked: u64,
    /// Tries used up with a fault.
    pub invalid: u64,
    /// Tries used up with a refusal.
    pub refused: u64,
    /// Sessions that failed.
    pub failed_sessions: u64,
    /// Sessions whose poll before the talk was unanimous.
    pub trivial_consensus: u64,
    /// Sessions with an answer to such a poll, the denominator.
    pub polled_before: u64,
}

impl Summary {
    /// Begins a summary; the seed is the experiment's and seeds the sign flips.
    pub fn new(experiment: &str, seed: u64) -> Self {
        Self { experiment: experiment.to_owned(), seed, arms: Vec::new() }
    }

    /// Adds a session.
    pub fn add(&mut self, folded: &FoldedSession) {
        let facts = &folded.facts.arm;
        let place = self.arms.iter().position(|arm| arm.facts.arm == facts.arm).unwrap_or_else(|| {
            let facts = Arc::clone(facts);
            let (items, right, lots) = (ItemCounts::default(), RightCounts::default(), Lots::default());
            self.arms.push(ArmSessions {
                facts,
                completed: Completed::default(),
                items,
                right,
                lots,
                incomplete: 0,
                failed: 0,
            });
            self.arms.len() - 1
        });
        let arm = &mut self.arms[place];
        // Items may have more options or fewer; those that have the most have all of them.
        if facts.alternatives.len() > arm.facts.alternatives.len() {
            arm.facts = Arc::clone(facts);
        }
        match (&folded.session.status, &folded.session.totals) {
            (Status::Completed, Some(totals)) => {
                match &folded.facts.item {
                    Some(item) => arm.items.add(item, facts, totals),
                    None => arm.right.add(folded.session.key.as_ref(), totals, facts.unit.as_deref()),
                }
                arm.lots.add(folded.session.key.as_ref(), totals);
                arm.completed.add(totals);
            }
            (Status::Failed(_), _) => arm.failed += 1,
            (Status::Completed | Status::Incomplete, _) => arm.incomplete += 1,
        }
    }

    /// The numbers.
    pub fn report(&self) -> Report {
        let completed = self.arms.iter().map(|arm| arm.completed.sessions).sum();
        let failed = self.arms.iter().map(|arm| arm.failed).sum();
        let incomplete: u64 = self.arms.iter().map(|arm| arm.incomplete).sum();
        let seats = || self.arms.iter().map(|arm| arm.facts.seats.len() as u64);
        let recomputed = self.arms.iter().all(|arm| arm.facts.determinism == Determinism::Recomputed);
        let is_mind = |seat: &SeatFacts| seat.answers_by == AnswersBy::Mind;
        let is_person = |seat: &&SeatFacts| seat.answers_by == AnswersBy::Person;
        let people = || self.arms.iter().map(|arm| arm.facts.seats.iter().filter(is_person).count() as u64);
        Report {
            experiment: self.experiment.clone(),
            seed: self.seed,
            sessions: completed + failed + incomplete,
            completed,
            failed,
            seats: (seats().min().unwrap_or(0), seats().max().unwrap_or(0)),
            determinism: if recomputed { Determinism::Recomputed } else { Determinism::Recorded }.as_str(),
            simulated_minds: self.arms.iter().any(|arm| arm.facts.seats.iter().any(is_mind)),
            minds_alone: self.arms.iter().all(|arm| arm.facts.seats.iter().all(is_mind)),
            human_seats: (people().min().unwrap_or(0), people().max().unwrap_or(0)),
            arms: self.arms.iter().map(|arm| arm.report(self.seed)).collect(),
        }
    }
}

fn no_seats(seats: &(u64, u64)) -> bool {
    *seats == (0, 0)
}

impl Amounts {
    pub(super) fn of(amounts: Vec<u32>, unit: Option<&str>) -> Option<Self> {
        let values: Vec<f64> = amounts.iter().copied().map(f64::from).collect();
        Some(Self {
            n: amounts.len() as u64,
            median: median(&values)?,
            least: amounts.iter().copied().min()?,
            greatest: amounts.iter().copied().max()?,
            unit: unit.map(str::to_owned),
        })
    }
}

impl ArmSessions {
    fn report(&self, seed: u64) -> ArmReport {
        let completed = &self.completed;
        let effort = &completed.effort;
        ArmReport {
            arm: self.facts.arm.clone(),
            levels: levels_in_words(&self.facts.levels),
            labels: self.labels(),
            completed: completed.sessions,
            imposed: self.imposed(),
            choices: if self.items.differ() { Vec::new() } else { self.choices() },
            items: self.items.report(),
            right: self.right.report(),
            by_lot: self.lots.report(),
            straw: self.straw(seed),
            stock: self.stock(),
            time_to_decision: self.time_to_decision(),
            converged: self.converged(),
            reliability: reliability(&completed.chosen, self.facts.seats.len()),
            integrity: Integrity {
                answers: completed.answers,
                first_try: effort.first_try,
                reasked: effort.reasked,
                invalid: effort.invalid,
                refused: effort.refused,
                failed_sessions: self.failed,
                trivial_consensus: completed.trivial_consensus,
                polled_before: completed.polled_before,
            },
            calls: effort.calls,
            prompt_tokens: effort.prompt_tokens,
            completion_tokens: effort.completion_tokens,
            cost_usd: completed.cost,
            attempts_untold: 0,
            cost_untold_usd_at_most: Some(Dollars::NONE),
        }
    }

    fn labels(&self) -> Vec<(String, String)> {
        let both = self.facts.alternatives.iter().map(ToString::to_string).zip(self.facts.labels.iter().cloned());
        both.filter(|(name, label)| !label.is_empty() && label != name).collect()
    }

    /// What was imposed, which is no choice of a group and has no share.
    fn imposed(&self) -> Option<String> {
        self.completed.imposed.as_ref()?.as_ref().map(ToString::to_string)
    }

    fn choices(&self) -> Vec<ChoiceShare> {
        let n = self.completed.voted;
        if n == 0 {
            return Vec::new();
        }
        let share = |alternative: Option<String>, sessions: u64, amounts: Option<Amounts>| ChoiceShare {
            alternative,
            sessions,
            share: sessions as f64 / n as f64,
            interval: wilson_interval(sessions, n).expect("invariant: a share is of at least one session"),
            amounts,
        };
        let mut choices = Vec::with_capacity(self.facts.alternatives.len() + 1);
        for name in &self.facts.alternatives {
            let (sessions, amounts) = self.completed.results.get(name).cloned().unwrap_or_default();
            choices.push(share(Some(name.to_string()), sessions, Amounts::of(amounts, self.facts.amount_unit())));
        }
        choices.push(share(None, self.completed.undecided, None));
        choices
    }

    fn stock(&self) -> Option<Lasted> {
        let all = &self.completed.harvests;
        let rounds: Vec<f64> = all.iter().map(|harvests| harvests.survival_time as f64).collect();
        Some(Lasted {
            median_rounds: median(&rounds)?,
            rounds_max: self.facts.rounds_max(),
            collapsed: all.iter().filter(|harvests| harvests.collapsed).count() as u64,
            mean_gain: all.iter().map(|harvests| harvests.total_gain as f64).sum::<f64>() / all.len() as f64,
            unit: self.facts.unit.clone(),
        })
    }

    /// Nothing where an amount alone is decided, for which everybody answers alike whatever the amount.
    fn straw(&self, seed: u64) -> Option<StrawChange> {
        if self.facts.alternatives.len() == 1 {
            return None;
        }
        let pairs = &self.completed.straw;
        if pairs.is_empty() {
            return None;
        }
        let n = pairs.len() as f64;
        let changes: Vec<f64> = pairs.iter().map(|(before, after)| after - before).collect();
        Some(StrawChange {
            n: pairs.len() as u64,
            before: pairs.iter().map(|(before, _)| before).sum::<f64>() / n,
            after: pairs.iter().map(|(_, after)| after).sum::<f64>() / n,
            change: changes.iter().sum::<f64>() / n,
            interval: mean_interval(&changes, &StreamKey::of_design(seed), FLIPS, Resampling::all_ranges),
        })
    }

    fn converged(&self) -> Option<Converged> {
        let (threshold, following) = self.facts.convergence.asked?;
        let rounds = &self.completed.converged_rounds;
        (following != ConvergenceEffect::Nothing).then(|| Converged {
            sessions: rounds.len() as u64,
            median_round: median(rounds),
            threshold: f64::from(threshold) / 1e6,
            profile: self.facts.convergence.profile.as_str(),
            ends_talk: following == ConvergenceEffect::Ends,
        })
    }

    fn time_to_decision(&self) -> Option<TimeToDecision> {
        let times = &self.completed.times;
        (!times.is_empty()).then(|| TimeToDecision {
            median: median(times).filter(|median| median.is_finite()),
            rounds_max: self.facts.rounds_max(),
            censored: times.iter().filter(|time| time.is_infinite()).count() as u64,
        })
    }
}
