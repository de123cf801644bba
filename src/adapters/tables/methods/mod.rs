//! `methods.md`: what was done and what was recorded, in sentences that can be pasted into a paper.
//!
//! No date, no path, no time: equal runs write equal pages. What may differ between them is in `run.json`.

mod design;
mod evidence;
mod held;
mod medium;
mod memory;
mod procedure;
mod recorded;
mod seats;
mod words;

use std::fmt::Write as _;

pub use held::Held;
pub(super) use recorded::Methods;

use crate::plan::{Experiment, Plan};
use words::{WROTE, code};

/// What every arm of an experiment does: the part of the page that no session is needed for.
pub fn design(experiment: &Experiment, held: &Held) -> String {
    let mut out = format!(
        "# Methods: {}\n\n{}## Design\n\n{}",
        code(&experiment.name),
        held.words(experiment.replicates),
        design::design(experiment, held)
    );
    let arms: Vec<(&str, Vec<(&str, String)>)> =
        experiment.arms.iter().map(|plan| (plan.arm.as_str(), described(plan, experiment))).collect();
    let Some((_, first)) = arms.first() else { return out };
    for (place, (heading, text)) in first.iter().enumerate() {
        writeln!(out, "\n## {heading}\n").expect(WROTE);
        if arms.iter().all(|(_, parts)| parts[place].1 == *text) {
            out.push_str(text);
            continue;
        }
        put_apart(&mut out, &arms, place);
    }
    out
}

/// One part of the page where arms differ in it: each text once, with the arms that it is about.
fn put_apart(out: &mut String, arms: &[(&str, Vec<(&str, String)>)], place: usize) {
    let mut texts: Vec<(&str, Vec<String>)> = Vec::new();
    for (arm, parts) in arms {
        let text = parts[place].1.as_str();
        match texts.iter_mut().find(|(other, _)| *other == text) {
            Some((_, arms)) => arms.push(code(arm)),
            None => texts.push((text, vec![code(arm)])),
        }
    }
    for (number, (text, arms)) in texts.iter().enumerate() {
        let gap = if number == 0 { "" } else { "\n" };
        let arm = if arms.len() == 1 { "arm" } else { "arms" };
        writeln!(out, "{gap}In the {arm} {}:\n\n{}", words::list(arms), text.trim_end()).expect(WROTE);
    }
}

/// What was decided, and what there was to know of it.
fn scenario(plan: &Plan, experiment: &Experiment) -> String {
    let mut out = medium::scenario(plan, experiment);
    evidence::put_evidence(&mut out, plan);
    out
}

/// One arm, part by part; the parts are the same for all arms.
fn described(plan: &Plan, experiment: &Experiment) -> Vec<(&'static str, String)> {
    vec![
        ("Scenario", scenario(plan, experiment)),
        ("Seats", seats::seats(plan)),
        ("Procedure", procedure::procedure(plan)),
        ("Decision", procedure::decision(plan)),
        ("Memory", memory::memory(plan)),
        ("Questions and answers", medium::questions(plan)),
    ]
}
