//! What a page is made of, and who answered for the seats.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::course::SessionCourse;
use super::figures::ValueFigure;
use super::labels::Labels;
use super::other_rules::RuleResult;
use super::provenance::Provenance;
use crate::plan::{Experiment, Sitter};
use crate::report::{ArmRecount, Comparison, ItemsReport, Report};

/// What a page is made of.
pub struct Gathered<'g> {
    /// The experiment; `None` if its inputs cannot be read.
    pub experiment: Option<&'g Experiment>,
    /// The numbers of its summary; `None` if its inputs cannot be read.
    pub report: Option<&'g Report>,
    /// The sessions, in plan order.
    pub courses: &'g [SessionCourse],
    /// The default comparison of `compare`, or why there is none.
    pub comparison: Result<Comparison, String>,
    /// The elections counted under every rule.
    pub recounts: &'g [ArmRecount],
    /// The last votes under other rules and thresholds.
    pub rule_results: &'g [RuleResult],
    /// Where the numbers come from.
    pub provenance: &'g Provenance,
    /// The words and colours of arms and options.
    pub labels: Labels,
    /// The names of the sessions whose transcripts the page can open.
    pub held: BTreeSet<String>,
    /// The figures of answers and values, once they are drawn.
    pub value_figures: OnceLock<Vec<ValueFigure>>,
}

impl<'g> Gathered<'g> {
    /// The arms that have sessions, in design order.
    pub fn arms(&self) -> Vec<&'g str> {
        let mut arms: Vec<&str> = self.courses.iter().map(|course| course.arm.as_str()).collect();
        arms.retain(|arm| !arm.is_empty());
        arms.dedup();
        arms
    }

    /// The sessions that count.
    pub fn complete(&self) -> impl Iterator<Item = &'g SessionCourse> + Clone {
        self.courses.iter().filter(|course| course.is_complete())
    }

    /// The sessions that were not read, though they may be complete.
    pub fn unread(&self) -> impl Iterator<Item = &SessionCourse> {
        self.courses.iter().filter(|course| course.status == "not read")
    }

    /// Whether no complete session decided anything: its agenda holds no vote, and nothing was imposed.
    pub fn decides_nothing(&self) -> bool {
        self.report.is_some_and(|report| {
            let decided = |items: &ItemsReport| items.items.iter().any(|item| !item.decided.is_empty());
            report
                .arms
                .iter()
                .all(|arm| arm.choices.is_empty() && arm.imposed.is_none() && !arm.items.as_ref().is_some_and(decided))
        })
    }

    /// Whether every arm and item has a single alternative, so that no seat can favour another.
    pub fn has_one_alternative(&self) -> bool {
        self.experiment.is_some_and(|experiment| {
            experiment.arms.iter().all(|plan| plan.motion.only().is_some())
                && experiment.items.values().all(|item| item.options.is_empty())
        })
    }

    /// Whether items have options of their own, so that an option means something else in each.
    pub fn has_own_options(&self) -> bool {
        self.experiment.is_some_and(|experiment| experiment.items.values().any(|item| !item.options.is_empty()))
    }
}

/// Who answered for the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    /// One sentence at the top of every page.
    pub words: &'static str,
    /// `people`, `simulated`, `mixed` or `unknown`: what is printed at the foot of each sheet.
    pub class: &'static str,
}

/// Who answered for the seats of an experiment.
pub fn sitting(experiment: Option<&Experiment>) -> Sitting {
    let Some(experiment) = experiment else {
        let words =
            "The plan cannot be read, so nobody knows who answered for the seats. Take no word here for a person's.";
        return Sitting { words, class: "unknown" };
    };
    let seats = || experiment.arms.iter().flat_map(|plan| &plan.seats);
    let minds = seats().any(|seat| matches!(seat.sitter, Sitter::Mind(_)));
    let models = seats().any(|seat| matches!(seat.sitter, Sitter::Model(_)));
    let people = seats().any(|seat| matches!(seat.sitter, Sitter::Person(_)));
    let words = match (minds, models, people) {
        (true, false, false) => {
            "All seats are simulated: rules, not people and not language models. A program made up what they say."
        }
        (false, true, false) => "All seats are simulated by language models. Nobody here is a person.",
        (true, true, false) => {
            "All seats are simulated: some by rules, some by language models. Nobody here is a person."
        }
        (false, false, true) => "People answer for all seats.",
        (true, false, true) => {
            "People answer for some seats; the others are simulated by rules, which are neither people nor language models."
        }
        (false, true, true) => "People answer for some seats; the others are simulated by language models.",
        (true, true, true) => "People answer for some seats; the others are simulated, by rules or by language models.",
        (false, false, false) => "Nobody sits at the table.",
    };
    let class = match (minds || models, people) {
        (true, false) => "simulated",
        (true, true) => "mixed",
        (false, _) => "people",
    };
    Sitting { words, class }
}
