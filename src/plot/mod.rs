//! Charts as inline SVG in the page's colours.
//!
//! The crate `kuva` draws charts with axes, and only `curves` uses it. This module draws linked and inline graphics itself:
//! `kuva` has no links and sets all sizes in pixels. Colours come from the page: the classes `f0` … `f7` (areas) and `s0` … `s7`
//! (lines) and the variables `--c0` … `--c7`. One graphic serves light, dark and print.
//!
//! Labels are escaped. Equal input gives equal SVG.

mod curves;
mod flow;
mod lines;

pub use curves::{Chart, Curve, Scale, curves};
pub use flow::{Flow, Ribbon, Stage, flow};
pub use lines::{Spark, share, spark};

use crate::text::escape_html;

/// The number of colours; further categories share a neutral one.
pub const COLOURS: usize = 8;

/// The suffix of a category's colour class: its number, or `x` beyond `COLOURS`.
pub fn colour(place: usize) -> String {
    if place < COLOURS { place.to_string() } else { "x".to_owned() }
}

/// Formats a coordinate with at most two decimals.
fn place(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Begins an SVG with an accessible name; `role` is `group` if it holds links.
fn begin(out: &mut String, (width, height): (f64, f64), role: &str, (title, about): (&str, &str)) {
    let (width, height, title) = (place(width), place(height), escape_html(title));
    out.push_str(&format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"{role}\" aria-label=\"{title}\"><title>{title}</title>"
    ));
    if !about.is_empty() {
        out.push_str(&format!("<desc>{}</desc>", escape_html(about)));
    }
}

#[cfg(test)]
mod tests;
