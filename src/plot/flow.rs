//! Alluvial diagrams: how seats move between positions from stage to stage.

use super::{begin, colour, place};
use crate::text::escape_html;

const WIDTH: f64 = 560.0;
/// The height of a stage, without gaps.
const HEIGHT: f64 = 220.0;
const GAP: f64 = 10.0;
const NODE: f64 = 12.0;
/// The height of the stage names.
const HEAD: f64 = 24.0;
/// The space for labels at either side.
const SIDE: f64 = 110.0;
/// Maximum characters of a label; the title holds the full name.
const LABEL: usize = 16;

/// An alluvial diagram.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flow {
    /// The accessible name.
    pub title: String,
    /// One sentence that describes the diagram.
    pub about: String,
    /// The stages, from left to right.
    pub stages: Vec<Stage>,
    /// The ribbons between adjacent stages.
    pub ribbons: Vec<Ribbon>,
}

/// One moment at which every seat has a position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stage {
    /// The name.
    pub name: String,
    /// The positions from top to bottom: name, colour number and number of seats.
    pub nodes: Vec<(String, usize, u64)>,
}

/// The seats that move from one position to a position of the next stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ribbon {
    /// The index of the left stage.
    pub stage: usize,
    /// The index of the position in the left stage.
    pub from: usize,
    /// The index of the position in the next stage.
    pub to: usize,
    /// The number of seats.
    pub count: u64,
    /// A link within the page to the list of these seats.
    pub address: String,
}

/// Draws a diagram as SVG.
pub fn flow(of: &Flow) -> String {
    let most = of.stages.iter().map(|stage| stage.nodes.iter().map(|node| node.2).sum::<u64>()).max().unwrap_or(0);
    let nodes = of.stages.iter().map(|stage| stage.nodes.len()).max().unwrap_or(0);
    let unit = if most > 0 { HEIGHT / most as f64 } else { 0.0 };
    let height = HEAD + HEIGHT + GAP * nodes.saturating_sub(1) as f64 + 4.0;
    let steps = of.stages.len().saturating_sub(1).max(1) as f64;
    let x = |stage: usize| SIDE + (WIDTH - 2.0 * SIDE - NODE) * stage as f64 / steps;
    // The top of each node, by stage.
    let tops: Vec<Vec<f64>> = of.stages.iter().map(|stage| tops(stage, unit)).collect();
    let mut out = String::new();
    begin(&mut out, (WIDTH, height), "group", (&of.title, &of.about));
    ribbons(&mut out, of, (unit, &tops), x);
    for (number, stage) in of.stages.iter().enumerate() {
        let (left, is_last) = (x(number), number + 1 == of.stages.len());
        let middle = place(left + NODE / 2.0);
        out.push_str(&format!(
            "<text x=\"{middle}\" y=\"14\" font-size=\"12\" text-anchor=\"middle\">{}</text>",
            escape_html(&stage.name)
        ));
        for ((name, number_of_colour, count), top) in stage.nodes.iter().zip(&tops[number]) {
            let size = *count as f64 * unit;
            out.push_str(&format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{NODE}\" height=\"{}\" class=\"f{}\"/>",
                place(left),
                place(*top),
                place(size.max(1.0)),
                colour(*number_of_colour)
            ));
            // Outer labels lie outside the diagram; inner ones have space for the number only.
            let (at, anchor, words) = match (number, is_last) {
                (0, _) => (left - 5.0, "end", format!("{} {count}", shortened(name))),
                (_, true) => (left + NODE + 5.0, "start", format!("{} {count}", shortened(name))),
                _ => (left + NODE + 5.0, "start", count.to_string()),
            };
            out.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"{anchor}\"><title>{}: {count}</title>{}</text>",
                place(at),
                place(top + size / 2.0 + 4.0),
                escape_html(name),
                escape_html(&words)
            ));
        }
    }
    out.push_str("</svg>");
    out
}

fn tops(stage: &Stage, unit: f64) -> Vec<f64> {
    let mut top = HEAD;
    let begin = stage.nodes.iter().map(|node| {
        let own = top;
        top += node.2 as f64 * unit + GAP;
        own
    });
    begin.collect()
}

/// Draws the ribbons. Their width is proportional to the number of seats.
fn ribbons(out: &mut String, of: &Flow, (unit, tops): (f64, &[Vec<f64>]), x: impl Fn(usize) -> f64) {
    let mut left: Vec<Vec<f64>> = tops.to_vec();
    let mut right: Vec<Vec<f64>> = tops.to_vec();
    for ribbon in &of.ribbons {
        let (from, to) = (&of.stages[ribbon.stage].nodes[ribbon.from], &of.stages[ribbon.stage + 1].nodes[ribbon.to]);
        let size = ribbon.count as f64 * unit;
        let begin = left[ribbon.stage][ribbon.from];
        let end = right[ribbon.stage + 1][ribbon.to];
        left[ribbon.stage][ribbon.from] += size;
        right[ribbon.stage + 1][ribbon.to] += size;
        let (near, far) = (x(ribbon.stage) + NODE, x(ribbon.stage + 1));
        let middle = place((near + far) / 2.0);
        let path = format!(
            "M{near} {begin}C{middle} {begin} {middle} {end} {far} {end}V{low_end}C{middle} {low_end} {middle} {low} {near} {low}Z",
            near = place(near),
            far = place(far),
            begin = place(begin),
            end = place(end),
            low = place(begin + size),
            low_end = place(end + size),
        );
        let words = format!("{} to {}: {}", from.0, to.0, ribbon.count);
        out.push_str(&format!(
            "<a href=\"{}\" aria-label=\"{label}\"><path d=\"{path}\" class=\"ribbon f{}\"><title>{label}</title></path></a>",
            escape_html(&ribbon.address),
            colour(from.1),
            label = escape_html(&words),
        ));
    }
}

/// Shortens a label to `LABEL` characters.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LABEL { name.to_owned() } else { name.chars().take(LABEL - 1).chain(['…']).collect() }
}
