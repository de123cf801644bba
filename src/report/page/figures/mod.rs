//! The figures of an experiment. A figure that has nothing to show about these sessions is absent.

mod amounts;
mod facts;
mod moves;
mod outcome;
mod rounds;

use super::course::Course;
use super::gathered::Gathered;
use crate::figure::{Colour, Figure};
use crate::report::counted;

pub use outcome::{describe_finding, lead_figures};

/// The arms that a figure with a panel for each arm shows; the data tables have all.
const PANELS_MAX: usize = 8;

/// A group of figures under one heading.
pub struct FigureGroup {
    /// The address of the section.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// A function that draws figures from the sessions.
type Draw = fn(&Gathered<'_>) -> Vec<Figure>;

const GROUPS: [(&str, &str, &[Draw]); 5] = [
    ("results", "Results", &[outcome::draw_others, outcome::draw_polls, outcome::draw_items]),
    (
        "rounds",
        "Round by round",
        &[rounds::draw_decided, rounds::draw_stances, rounds::draw_agreement, rounds::draw_waves],
    ),
    ("moves", "Moves", &[moves::draw_flows, moves::draw_influence, facts::draw_facts, moves::draw_speaking]),
    ("rules", "Other rules", &[amounts::draw_rules]),
    (
        "amounts",
        "Payoffs, memory and cost",
        &[amounts::draw_payoffs, amounts::draw_forgone, rounds::draw_memory, amounts::draw_cost],
    ),
];

/// All figures but those of the first screen, by section. Sections without a figure are absent.
pub fn draw_groups(gathered: &Gathered<'_>) -> Vec<FigureGroup> {
    let leads: Vec<String> = lead_figures(gathered).into_iter().map(|figure| figure.name).collect();
    let is_below = |figure: &Figure| !figure.marks.is_empty() && !leads.contains(&figure.name);
    let groups = GROUPS.into_iter().map(|(id, title, draw)| FigureGroup {
        id,
        title,
        figures: draw.iter().flat_map(|draw| draw(gathered)).filter(is_below).collect(),
    });
    groups.filter(|group| !group.figures.is_empty()).collect()
}

/// All figures, those of the first screen first. A single session has its grid of seats by steps, too.
pub fn draw_figures(gathered: &Gathered<'_>) -> Vec<Figure> {
    let groups = draw_groups(gathered);
    let rest = groups.into_iter().flat_map(|group| group.figures).chain(moves::draw_stance_grid(gathered));
    lead_figures(gathered).into_iter().chain(rest).filter(|figure| !figure.marks.is_empty()).collect()
}

/// The findings of several arms in one sentence; of many arms the first two.
fn join_findings(told: &[String]) -> String {
    match told {
        [first, second, rest @ ..] if rest.len() > 1 => {
            format!("{first}; {second}; and {} more", counted(rest.len() as u64, "arm"))
        }
        all => all.join("; "),
    }
}

/// What a line or row is called and coloured if a figure compares arms. With one arm the name would say nothing.
fn series_of_arm(gathered: &Gathered<'_>, arm: &str) -> (String, Colour) {
    let has_others = gathered.arms().len() > 1;
    let name = if has_others { gathered.labels.arm(arm).to_owned() } else { String::new() };
    (name, gathered.labels.arm_colour(arm))
}

/// What a row of an arm is called; with one arm it stands for all groups.
fn name_row(gathered: &Gathered<'_>, arm: &str) -> String {
    let (name, _) = series_of_arm(gathered, arm);
    if name.is_empty() { "all groups".to_owned() } else { name }
}

/// The complete sessions of an arm.
fn sessions_of<'g>(gathered: &Gathered<'g>, arm: &str) -> Vec<&'g Course> {
    gathered.complete().filter(|course| course.arm == arm).collect()
}

/// The arms of a figure with a panel for each, and a note about those left out.
fn shown_arms<'g>(gathered: &Gathered<'g>) -> (Vec<&'g str>, String) {
    let mut arms = gathered.arms();
    let all = arms.len();
    arms.truncate(PANELS_MAX);
    let note = match all > PANELS_MAX {
        true => format!(" The first {PANELS_MAX} of {} are shown; the tables have all.", counted(all as u64, "arm")),
        false => String::new(),
    };
    (arms, note)
}
