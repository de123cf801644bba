//! The parts of the page, each with a heading of its own. One file a part.

mod overview;
mod sessions;

use super::Section;
use super::course::Course;
use super::templates::Templates;
use crate::plan::{Experiment, Sitter};
use crate::report::Report;

/// What the parts are made of.
pub struct Gathered<'g> {
    /// The experiment; `None` where its inputs cannot be read.
    pub experiment: Option<&'g Experiment>,
    /// The numbers of its summary; `None` likewise.
    pub report: Option<&'g Report>,
    /// The sessions that are shown, in the order of the plan.
    pub courses: &'g [Course],
}

/// The parts of the page that these sessions have something for, in order.
pub fn sections(gathered: &Gathered<'_>, templates: &Templates) -> Vec<Section> {
    vec![overview::section(gathered, templates), sessions::section(gathered, templates)]
}

/// Who sits at the table, in one sentence that stands on top of every page.
pub fn banner(experiment: Option<&Experiment>) -> String {
    let Some(experiment) = experiment else {
        return "Who answered for the seats cannot be told, because the plan cannot be read: take no word here for a person's.".to_owned();
    };
    let seats = || experiment.arms.iter().flat_map(|plan| &plan.seats);
    let minds = seats().any(|seat| matches!(seat.sitter, Sitter::Mind(_)));
    let models = seats().any(|seat| matches!(seat.sitter, Sitter::Model(_)));
    let people = seats().any(|seat| matches!(seat.sitter, Sitter::Person(_)));
    match (minds, models, people) {
        (true, false, false) => "All seats are simulated: rules, not people and not language models. What they say was made by a program.",
        (false, true, false) => "All seats are simulated by language models. Nobody here is a person.",
        (true, true, false) => "All seats are simulated: some by rules, some by language models. Nobody here is a person.",
        (false, false, true) => "People answer for all seats.",
        (true, false, true) => "People answer for some seats; the others are simulated by rules, which are neither people nor language models.",
        (false, true, true) => "People answer for some seats; the others are simulated by language models.",
        (true, true, true) => "People answer for some seats; the others are simulated, by rules or by language models.",
        (false, false, false) => "Nobody sits at the table.",
    }
    .to_owned()
}
