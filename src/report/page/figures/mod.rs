//! The figures of an experiment. A figure that has nothing to show about these sessions is absent.

mod amounts;
mod arms;
mod collected;
mod facts;
mod moves;
mod outcome;
mod rounds;
mod value_figure;
mod values;

use super::gathered::Gathered;
use crate::figure::Figure;

pub use outcome::{describe_finding, lead_figures};
pub use value_figure::ValueFigure;

/// A group of figures under one heading.
pub struct FigureGroup {
    /// The address of the section.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The figures.
    pub figures: Vec<Figure>,
    /// A line under the figures; empty without one.
    pub note: String,
}

/// A function that draws figures from the sessions.
type Draw = fn(&Gathered<'_>) -> Vec<Figure>;

/// The address of the section on answers and values.
pub const VALUES: &str = "values";

const GROUPS: [(&str, &str, &[Draw]); 6] = [
    ("results", "Results", &[outcome::draw_others, outcome::draw_polls, outcome::draw_items]),
    (VALUES, "Answers and values", &[values::draw_values]),
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
        &[
            amounts::draw_payoffs,
            amounts::draw_computed_pay,
            amounts::draw_forgone,
            rounds::draw_memory,
            amounts::draw_cost,
        ],
    ),
];

/// All figures but those of the first screen, by section. Sections without a figure or a note are absent.
pub fn draw_groups(gathered: &Gathered<'_>) -> Vec<FigureGroup> {
    let leads: Vec<String> = lead_figures(gathered).into_iter().map(|figure| figure.name).collect();
    let is_below = |figure: &Figure| !figure.marks.is_empty() && !leads.contains(&figure.name);
    let groups = GROUPS.into_iter().map(|(id, title, draw)| FigureGroup {
        id,
        title,
        figures: draw.iter().flat_map(|draw| draw(gathered)).filter(is_below).collect(),
        note: match id {
            VALUES => values::describe_constants(gathered),
            "rules" => amounts::describe_no_decision(gathered),
            _ => String::new(),
        },
    });
    groups.filter(|group| !group.figures.is_empty() || !group.note.is_empty()).collect()
}

/// All figures, those of the first screen first. A single session has its grid of seats by steps, too.
pub fn draw_figures(gathered: &Gathered<'_>) -> Vec<Figure> {
    let groups = draw_groups(gathered);
    let rest = groups.into_iter().flat_map(|group| group.figures).chain(moves::draw_stance_grid(gathered));
    lead_figures(gathered).into_iter().chain(rest).filter(|figure| !figure.marks.is_empty()).collect()
}
