//! The numbers of a run by arm. Text and JSON are rendered from the same [`Report`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::analysis::statistics::{Interval, median, wilson_interval};
use crate::analysis::{
    AnswersBy, ArmFacts, ConvergenceEffect, Determinism, Effort, FoldedSession, SeatFacts, SessionTotals, Status,
};
use crate::domain::{AlternativeName, Dollars, NamedChoice, Verdict};
use crate::report::amounts::Amounts;
use crate::report::arm::levels_in_words;
use crate::report::items::{ItemCounts, ItemsReport};
use crate::report::lots::Lots;
use crate::report::numbers::{counted, sign_flip_interval};
use crate::report::reliability::{Reliability, reliability};
use crate::report::right::{Right, RightCounts};
use crate::report::values::{ValueCounts, ValueReport};

/// Stands for every text that sessions decided for: their letters name other texts in each session, so they are never added up.
pub const A_TEXT: &str = "a collected text";

/// Collects sessions in the order of the plan.
#[derive(Debug)]
pub struct Summary {
    experiment: String,
    seed: u64,
    primary: Vec<String>,
    arms: Vec<ArmSessions>,
}

#[derive(Debug)]
struct ArmSessions {
    facts: Arc<ArmFacts>,
    completed: Completed,
    items: ItemCounts,
    right: RightCounts,
    lots: Lots,
    values: ValueCounts,
    incomplete: u64,
    failed: u64,
}

/// The sums over the completed sessions of an arm. Single values are kept only for medians and intervals.
#[derive(Debug, Default)]
struct Completed {
    sessions: u64,
    voted: u64,
    undecided: u64,
    by_default: u64,
    void_before_default: u64,
    /// The least and the greatest number of passes in which the vote was counted from whose last pass the result comes.
    passes: Option<[u32; 2]>,
    /// The result of the first session with an imposed one.
    imposed: Option<Option<NamedChoice>>,
    /// The number of decisions for each alternative, and their amounts.
    results: BTreeMap<AlternativeName, (u64, Vec<u32>)>,
    /// The modal shares of the polls before and after the discussion, for sessions with both.
    straw: Vec<(f64, f64)>,
    converged_rounds: Vec<f64>,
    /// Rounds to the decision; infinite without one.
    times: Vec<f64>,
    /// The choices of seats, in the order of [`SessionTotals::chosen`]; only with items.
    chosen: [Vec<Vec<u32>>; 3],
    trivial_consensus: u64,
    polled_before: u64,
    effort: Effort,
}

impl Completed {
    fn add(&mut self, totals: &SessionTotals) {
        self.sessions += 1;
        self.voted += u64::from(totals.verdict.is_voted());
        self.undecided += u64::from(matches!(totals.verdict, Verdict::NoDecision | Verdict::NoQuorum));
        if totals.deciding_passes > 0 {
            let [least, most] = self.passes.unwrap_or([totals.deciding_passes; 2]);
            self.passes = Some([least.min(totals.deciding_passes), most.max(totals.deciding_passes)]);
        }
        let is_default = totals.verdict == Verdict::ByDefault;
        self.by_default += u64::from(is_default);
        self.void_before_default += u64::from(is_default && totals.is_last_count_void);
        if totals.verdict == Verdict::Imposed && self.imposed.is_none() {
            self.imposed = Some(totals.result.clone());
        }
        if let Some(result) = &totals.result {
            let (sessions, amounts) = self.results.entry(result.alternative.clone()).or_default();
            *sessions += 1;
            amounts.extend(result.amount);
        }
        self.straw.extend(totals.straw_before_modal_share.zip(totals.straw_after_modal_share));
        self.converged_rounds.extend(totals.converged_round.map(f64::from));
        if totals.censored.is_some() {
            self.times.push(totals.time_to_decision.map_or(f64::INFINITY, |time| time as f64));
        }
        if totals.chosen.iter().any(|chosen| !chosen.is_empty()) || !self.chosen[0].is_empty() {
            self.add_choices(&totals.chosen);
        }
        self.trivial_consensus += u64::from(totals.trivial_consensus == Some(true));
        self.polled_before += u64::from(totals.trivial_consensus.is_some());
        self.effort.add_effort(&totals.effort);
    }

    /// Adds the choices of a session. Earlier sessions without choices get empty lists.
    fn add_choices(&mut self, chosen: &[Vec<u32>; 3]) {
        let before = self.sessions as usize - 1;
        for (all, own) in self.chosen.iter_mut().zip(chosen) {
            all.resize(before.max(all.len()), Vec::new());
            all.push(own.clone());
        }
    }
}

/// The numbers of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's seed.
    pub seed: u64,
    /// All sessions.
    pub sessions: u64,
    /// Completed sessions.
    pub completed: u64,
    /// Failed sessions.
    pub failed: u64,
    /// The smallest and the largest number of seats of an arm.
    pub seats: (u64, u64),
    /// `recomputed` if every arm is; otherwise `recorded`.
    pub determinism: &'static str,
    /// Whether any seat is simulated.
    pub simulated_minds: bool,
    /// Whether every seat of every arm is simulated.
    #[serde(skip)]
    pub minds_alone: bool,
    /// The smallest and the largest number of seats of an arm that people answer for.
    #[serde(skip_serializing_if = "is_no_seats")]
    pub human_seats: (u64, u64),
    /// The announced metrics that are answers to forms or variables.
    #[serde(skip)]
    pub primary: Vec<String>,
    /// The arms.
    pub arms: Vec<ArmReport>,
}

impl Report {
    /// The seats of an arm, in words.
    pub(super) fn count_seats(&self) -> String {
        match self.seats {
            (least, most) if least == most => counted(least, "seat"),
            (least, most) => format!("{least} to {most} seats"),
        }
    }

    /// The sessions that are neither completed nor failed.
    pub fn count_unfinished(&self) -> u64 {
        self.sessions.saturating_sub(self.completed + self.failed)
    }
}

/// The numbers of an arm, over its completed sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmReport {
    /// The arm's name.
    pub arm: String,
    /// Its levels in words; empty without levels.
    #[serde(skip)]
    pub levels: String,
    /// Names and labels of the labelled alternatives, in the scenario's order.
    #[serde(skip)]
    pub labels: Vec<(String, String)>,
    /// Completed sessions.
    pub completed: u64,
    /// The imposed decision with its amount; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imposed: Option<String>,
    /// The decisions, in the scenario's order, then no decision; empty if the agenda has no vote, or if items have their own
    /// options. Texts are one alternative, [`A_TEXT`].
    pub choices: Vec<ChoiceShare>,
    /// The outcomes by item; absent in an experiment without items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ItemsReport>,
    /// The right answer and the decisions for it; absent without a key, and in an experiment with items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<Right>,
    /// The least and the greatest number of passes in which the deciding vote was counted, the last of which gives the result; absent where
    /// it was counted in one pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_of_votes: Option<[u32; 2]>,
    /// Completed sessions in which no vote decided, and what `otherwise` names was decided for; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_default: Option<u64>,
    /// Those of them in which invalid ballots made the last vote void; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void_before_default: Option<u64>,
    /// The decisions in which a lot broke a tie; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_lot: Option<Lots>,
    /// The change of straw polls; `None` if no session has polls before and after.
    pub straw: Option<StrawChange>,
    /// The rounds to a decision; `None` if no votes are held in rounds.
    pub time_to_decision: Option<TimeToDecision>,
    /// The sessions whose statements converged; `None` if convergence has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub converged: Option<Converged>,
    /// The agreement of seats over the sessions; absent in an experiment without items.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Reliability>,
    /// The numbers of the fields of forms and of the variables of the session, announced ones first; of an agenda with a vote the announced
    /// ones alone; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueReport>,
    /// The outcomes of the questions.
    pub integrity: Integrity,
    /// Answers given by language models.
    pub calls: u64,
    /// Prompt tokens, over the calls that reported them.
    pub prompt_tokens: u64,
    /// Reply tokens, over the calls that reported them.
    pub completion_tokens: u64,
    /// The cost of the answers, in dollars; `None` if the cost of one is unknown.
    pub cost_usd: Option<Dollars>,
    /// Attempts without reported usage, most of them without an answer.
    pub attempts_untold: u64,
    /// The upper limit of their cost, in dollars; `None` if a price is unknown.
    pub cost_untold_usd_at_most: Option<Dollars>,
}

/// The convergence of statements.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Converged {
    /// Sessions in which a round reached the threshold.
    pub sessions: u64,
    /// The median of the first such round; `None` without one.
    pub median_round: Option<f64>,
    /// The threshold of similarity, from 0 to 1.
    pub threshold: f64,
    /// The convergence profile.
    pub profile: &'static str,
    /// Whether convergence ends the discussion.
    pub ends_talk: bool,
}

/// The number of decisions for one alternative, or without a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChoiceShare {
    /// The alternative; `None` means no decision.
    pub alternative: Option<String>,
    /// Sessions with this result.
    pub sessions: u64,
    /// Their share of completed sessions with a vote.
    pub share: f64,
    /// Wilson's 95 % interval of the share.
    pub interval: Interval,
    /// The decided amounts; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
}

/// The mean modal share of straw polls before and after the discussion, over sessions with both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrawChange {
    /// Sessions with both.
    pub n: u64,
    /// The mean before the discussion.
    pub before: f64,
    /// The mean after it.
    pub after: f64,
    /// `after` − `before`.
    pub change: f64,
    /// The 95 % interval of the change, by inversion of the sign-flip test; `None` for fewer than six sessions or equal changes.
    pub interval: Option<Interval>,
}

/// Rounds to a decision. Sessions without one are censored: they count as longer than any other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeToDecision {
    /// The median; `None` if at least half of the sessions are censored.
    pub median: Option<f64>,
    /// The maximum number of rounds.
    pub rounds_max: u32,
    /// The number of censored sessions.
    pub censored: u64,
}

/// Settled questions by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Integrity {
    /// All settled questions.
    pub answers: u64,
    /// Valid at the first attempt.
    pub first_try: u64,
    /// Valid at a later attempt.
    pub reasked: u64,
    /// Attempts used up, the last one with a fault.
    pub invalid: u64,
    /// Attempts used up, the last one with a refusal.
    pub refused: u64,
    /// Failed sessions.
    pub failed_sessions: u64,
    /// Sessions with a unanimous poll before the discussion.
    pub trivial_consensus: u64,
    /// Sessions with an answer to such a poll: the denominator.
    pub polled_before: u64,
}

impl Summary {
    /// Begins a summary. The experiment's seed determines the sign flips.
    pub fn new(experiment: &str, seed: u64) -> Self {
        Self { experiment: experiment.to_owned(), seed, primary: Vec::new(), arms: Vec::new() }
    }

    /// Sets the announced metrics.
    #[must_use]
    pub fn with_primary(self, primary: Vec<String>) -> Self {
        Self { primary, ..self }
    }

    /// Adds a session.
    pub fn add(&mut self, folded: &FoldedSession) {
        let facts = &folded.facts.arm;
        let place = self.arms.iter().position(|arm| arm.facts.arm == facts.arm).unwrap_or_else(|| {
            self.arms.push(ArmSessions {
                facts: Arc::clone(facts),
                completed: Completed::default(),
                items: ItemCounts::default(),
                right: RightCounts::default(),
                lots: Lots::default(),
                values: ValueCounts::with_primary(&self.primary),
                incomplete: 0,
                failed: 0,
            });
            self.arms.len() - 1
        });
        let arm = &mut self.arms[place];
        // Items differ in their number of options; the largest set contains all.
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
                arm.values.add(&folded.session);
            }
            (Status::Failed(_), _) => arm.failed += 1,
            (Status::Completed | Status::Incomplete, _) => arm.incomplete += 1,
        }
    }

    /// The report on the sessions added so far.
    pub fn report(&self) -> Report {
        let completed = self.arms.iter().map(|arm| arm.completed.sessions).sum();
        let failed = self.arms.iter().map(|arm| arm.failed).sum();
        let incomplete: u64 = self.arms.iter().map(|arm| arm.incomplete).sum();
        let seat_range = |is_counted: fn(&SeatFacts) -> bool| {
            let count = |arm: &ArmSessions| arm.facts.seats.iter().filter(|seat| is_counted(seat)).count() as u64;
            let counts = || self.arms.iter().map(count);
            (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
        };
        let recomputed = self.arms.iter().all(|arm| arm.facts.determinism == Determinism::Recomputed);
        let is_mind = |seat: &SeatFacts| seat.answers_by == AnswersBy::Mind;
        Report {
            experiment: self.experiment.clone(),
            seed: self.seed,
            sessions: completed + failed + incomplete,
            completed,
            failed,
            seats: seat_range(|_| true),
            determinism: if recomputed { Determinism::Recomputed } else { Determinism::Recorded }.as_str(),
            simulated_minds: self.arms.iter().any(|arm| arm.facts.seats.iter().any(is_mind)),
            minds_alone: self.arms.iter().all(|arm| arm.facts.seats.iter().all(is_mind)),
            human_seats: seat_range(|seat| seat.answers_by == AnswersBy::Person),
            primary: self.primary.iter().filter(|name| self.is_value(name)).cloned().collect(),
            arms: self.arms.iter().map(|arm| arm.report(self.seed)).collect(),
        }
    }

    /// Whether a metric is an answer to a form or a variable, as a number.
    fn is_value(&self, metric: &str) -> bool {
        self.arms.iter().any(|arm| {
            let layout = &arm.facts.layout;
            layout.answers.iter().any(|column| column.is_number && column.name() == metric)
                || layout.keyed.iter().any(|column| column.correct_name() == metric)
                || layout.variables.iter().any(|column| column.is_number && column.column_name() == metric)
        })
    }
}

fn is_no_seats(seats: &(u64, u64)) -> bool {
    *seats == (0, 0)
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
            // An imposed decision is not a choice of the group, so it has no share.
            imposed: completed.imposed.clone().flatten().map(|choice| choice.to_string()),
            choices: if self.items.differ() { Vec::new() } else { self.choices() },
            items: self.items.report(),
            right: self.right.report(),
            last_of_votes: completed.passes.filter(|[_, most]| *most > 1),
            by_default: Some(completed.by_default).filter(|sessions| *sessions > 0),
            void_before_default: Some(completed.void_before_default).filter(|sessions| *sessions > 0),
            by_lot: self.lots.report(),
            straw: self.straw(seed),
            time_to_decision: self.time_to_decision(),
            converged: self.converged(),
            reliability: reliability(&completed.chosen, self.facts.seats.len()),
            values: if self.decides() { self.values.report_primary(seed) } else { self.values.report(seed) },
            integrity: Integrity {
                answers: effort.settled_questions(),
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
            cost_usd: effort.cost(),
            attempts_untold: 0,
            cost_untold_usd_at_most: Some(Dollars::NONE),
        }
    }

    fn labels(&self) -> Vec<(String, String)> {
        let both = self.facts.alternatives.iter().map(ToString::to_string).zip(self.facts.labels.iter().cloned());
        both.filter(|(name, label)| !label.is_empty() && label != name).collect()
    }

    /// Whether anything was decided on: by a vote, or by what was imposed.
    fn decides(&self) -> bool {
        self.completed.voted > 0 || self.completed.imposed.is_some()
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
        if self.facts.decides_on_texts() {
            let decided = self.completed.results.values().map(|(sessions, _)| sessions).sum();
            return vec![share(Some(A_TEXT.to_owned()), decided, None), share(None, self.completed.undecided, None)];
        }
        let known = self.facts.decided_options();
        let others = self.completed.results.keys().filter(|name| !known.contains(name));
        let options: Vec<&AlternativeName> = known.iter().chain(others).collect();
        if options.is_empty() {
            return Vec::new();
        }
        let of_option = |name: &AlternativeName| {
            let (sessions, amounts) = self.completed.results.get(name).cloned().unwrap_or_default();
            share(Some(name.to_string()), sessions, Amounts::from_values(amounts, self.facts.amount_unit()))
        };
        options.into_iter().map(of_option).chain([share(None, self.completed.undecided, None)]).collect()
    }

    /// `None` if only an amount is decided, because then all answers name the same alternative.
    fn straw(&self, seed: u64) -> Option<StrawChange> {
        let pairs = &self.completed.straw;
        if self.facts.alternatives.len() == 1 || pairs.is_empty() {
            return None;
        }
        let n = pairs.len() as f64;
        let changes: Vec<f64> = pairs.iter().map(|(before, after)| after - before).collect();
        Some(StrawChange {
            n: pairs.len() as u64,
            before: pairs.iter().map(|(before, _)| before).sum::<f64>() / n,
            after: pairs.iter().map(|(_, after)| after).sum::<f64>() / n,
            change: changes.iter().sum::<f64>() / n,
            interval: sign_flip_interval(&changes, seed),
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
