//! Inline graphics: a share with its interval, and a sparkline over rounds.

use super::{begin, colour, place};

const BAR: (f64, f64) = (100.0, 10.0);
const SPARK: (f64, f64) = (120.0, 30.0);
/// The margin around a sparkline.
const FREE: f64 = 3.0;

/// A sparkline over rounds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spark {
    /// The accessible name.
    pub title: String,
    /// One value from 0 to 1 per round; `None` if the round has none.
    pub values: Vec<Option<f64>>,
    /// The maximum number of rounds; sparklines side by side share it.
    pub rounds_max: usize,
    /// The colour's number.
    pub colour: usize,
}

/// Draws a share as a bar with its interval. The bar is hidden from screen readers, since the text beside it gives the numbers.
pub fn share(value: f64, interval: Option<(f64, f64)>, number: usize) -> String {
    let x = |value: f64| place(value.clamp(0.0, 1.0) * BAR.0);
    let (width, height) = BAR;
    let mut out = format!("<svg viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    out.push_str(&format!("<rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" class=\"rule\" vector-effect=\"non-scaling-stroke\"/>"));
    let colour = colour(number);
    out.push_str(&format!(
        "<rect x=\"0\" y=\"1.5\" width=\"{}\" height=\"7\" class=\"f{colour}\" fill-opacity=\".55\"/>",
        x(value)
    ));
    if let Some((low, high)) = interval {
        let (low, high) = (x(low), x(high));
        out.push_str(&format!(
            "<path d=\"M{low} 5H{high}M{low} 2.5V7.5M{high} 2.5V7.5\" class=\"axis ink\" vector-effect=\"non-scaling-stroke\"/>"
        ));
    }
    out.push_str("</svg>");
    out
}

/// Draws a sparkline. The line breaks at rounds without a value.
pub fn spark(of: &Spark) -> String {
    let (width, height) = SPARK;
    let rounds = of.rounds_max.max(of.values.len()).max(2);
    let x = |round: usize| place(FREE + (width - 2.0 * FREE) * round as f64 / (rounds - 1) as f64);
    let y = |value: f64| place(height - FREE - (height - 2.0 * FREE) * value.clamp(0.0, 1.0));
    let mut out = String::new();
    begin(&mut out, SPARK, "img", (&of.title, ""));
    let (top, bottom) = (y(1.0), y(0.0));
    out.push_str(&format!("<path d=\"M0 {top}H{width}M0 {bottom}H{width}\" class=\"rule\"/>"));
    let mut path = String::new();
    let mut is_broken = true;
    for (round, value) in of.values.iter().enumerate() {
        let Some(value) = value else {
            is_broken = true;
            continue;
        };
        path.push_str(&format!("{}{} {}", if is_broken { 'M' } else { 'L' }, x(round), y(*value)));
        is_broken = false;
    }
    let number = colour(of.colour);
    out.push_str(&format!("<path d=\"{path}\" class=\"curve s{number}\"/>"));
    for (round, value) in of.values.iter().enumerate().filter_map(|(round, value)| Some((round, (*value)?))) {
        out.push_str(&format!("<circle cx=\"{}\" cy=\"{}\" r=\"2\" class=\"f{number}\"/>", x(round), y(value)));
    }
    out.push_str("</svg>");
    out
}
