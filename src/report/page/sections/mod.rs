//! The parts of the page, each with a heading of its own. One file a part.

mod ballots;
mod commons;
mod convergence;
mod facts;
mod flow;
mod integrity;
mod items;
mod memory;
mod methods;
mod outcome;
mod overview;
mod pay;
mod sessions;
mod speaking;

use super::Section;
use super::course::Course;
use super::parts::{self, Part};
use super::provenance::Provenance;
use super::templates::Templates;
use crate::plan::{Experiment, Sitter};
use crate::report::{ArmRecount, Comparison, Report, counted};

/// What the parts are made of.
pub struct Gathered<'g> {
    /// The experiment; `None` where its inputs cannot be read.
    pub experiment: Option<&'g Experiment>,
    /// The numbers of its summary; `None` likewise.
    pub report: Option<&'g Report>,
    /// The sessions that are shown, in the order of the plan.
    pub courses: &'g [Course],
    /// What `compare` tells without arguments, or why it tells nothing.
    pub comparison: Result<Comparison, String>,
    /// What other rules make of the ballots.
    pub recounts: &'g [ArmRecount],
    /// Where all this comes from.
    pub provenance: &'g Provenance,
}

/// Why a part is left out.
pub struct Absent(pub &'static str);

/// A part that is shown only where sessions have something for it: address, heading, pieces.
type Made = (&'static str, &'static str, fn(&Gathered<'_>) -> Result<Vec<Part>, Absent>);

const MADE: [Made; 10] = [
    ("outcome", "Outcome", outcome::parts),
    ("convergence", "Convergence over rounds", convergence::parts),
    ("flow", "From first to last position", flow::parts),
    ("speaking", "Who spoke", speaking::parts),
    ("ballots", "Ballots and other rules", ballots::parts),
    ("pay", "Payoffs and counterfactuals", pay::parts),
    ("commons", "The common stock", commons::parts),
    ("memory", "Memory and cost", memory::parts),
    ("integrity", "Integrity", integrity::parts),
    ("methods", "Methods", methods::parts),
];

/// The parts of the page that these sessions have something for, in order; the first tells which are left out, and why.
pub fn sections(gathered: &Gathered<'_>, templates: &Templates) -> Vec<Section> {
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for (id, title, of) in MADE {
        match of(gathered) {
            Ok(pieces) => made.push(Section { id, title, html: parts::html(&pieces, templates) }),
            Err(Absent(_)) if gathered.report.is_none() => left_out.push(format!("{title}: the plan cannot be read.")),
            Err(Absent(why)) => left_out.push(format!("{title}: {why}.")),
        }
    }
    let mut all = vec![overview::section(gathered, &left_out, templates), sessions::section(gathered, templates)];
    all.append(&mut made);
    all
}

impl<'g> Gathered<'g> {
    /// The arms that sessions are of, in the order of the design.
    pub fn arms(&self) -> Vec<&'g str> {
        let mut arms: Vec<&str> = Vec::new();
        for course in self.courses.iter().filter(|course| !course.arm.is_empty()) {
            if arms.last() != Some(&course.arm.as_str()) {
                arms.push(&course.arm);
            }
        }
        arms
    }

    /// The sessions that count.
    pub fn complete(&self) -> impl Iterator<Item = &'g Course> + Clone {
        self.courses.iter().filter(|course| course.is_complete())
    }

    /// Those that are not read, though they may be complete.
    pub fn unread(&self) -> impl Iterator<Item = &Course> {
        self.courses.iter().filter(|course| course.status == "not read")
    }

    /// Whether there is one alternative alone in every arm and item, so that nobody can favour another.
    pub fn has_one_alternative(&self) -> bool {
        self.experiment.is_some_and(|experiment| {
            experiment.arms.iter().all(|plan| plan.motion.only().is_some())
                && experiment.items.values().all(|item| item.options.is_empty())
        })
    }

    /// The arm that an arm is a null of; `None` for an arm of the author's.
    pub fn null_of(&self, arm: &str) -> Option<&'g str> {
        let plan = self.experiment?.arms.iter().find(|plan| plan.arm == arm)?;
        plan.null.as_ref().map(|null| null.of.as_str())
    }
}
/// That of so many arms only the first are shown, and where all are; `None` where all are shown.
fn first_arms(shown: usize, all: usize, file: &str) -> Option<String> {
    (all > shown).then(|| format!("The first {shown} of {}; {file} has all.", counted(all as u64, "arm")))
}

/// Who sits at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sitting {
    /// One sentence that stands on top of every page.
    pub words: &'static str,
    /// `people`, `simulated`, `mixed` or `unknown`: what is printed below each page.
    pub class: &'static str,
}

/// Who sits at the table of an experiment.
pub fn sitting(experiment: Option<&Experiment>) -> Sitting {
    let Some(experiment) = experiment else {
        let words = "Who answered for the seats cannot be told, because the plan cannot be read: take no word here for a person's.";
        return Sitting { words, class: "unknown" };
    };
    let seats = || experiment.arms.iter().flat_map(|plan| &plan.seats);
    let minds = seats().any(|seat| matches!(seat.sitter, Sitter::Mind(_)));
    let models = seats().any(|seat| matches!(seat.sitter, Sitter::Model(_)));
    let people = seats().any(|seat| matches!(seat.sitter, Sitter::Person(_)));
    let words = match (minds, models, people) {
        (true, false, false) => {
            "All seats are simulated: rules, not people and not language models. What they say was made by a program."
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
