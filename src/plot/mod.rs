//! Numbers and labels → pictures as SVG text that stands in a page and takes its colours.
//!
//! Charts with axes are drawn by the crate `kuva`, which nothing else knows. What must lead somewhere when it is clicked, or stands
//! in a line of text, is drawn here: `kuva` has no links, and sets all sizes in pixels. Colours are those of the page, by the classes
//! `f0` … `f7` (areas), `s0` … `s7` (lines) and the variables `--c0` … `--c7`, so that light, dark and print need one picture.
//!
//! Labels are escaped as all text of pages is. The same numbers give the same text. Nothing is computed here but places.

mod curves;
mod flow;
mod lines;

pub use curves::{Chart, Curve, Scale, curves};
pub use flow::{Flow, Ribbon, Stage, flow};
pub use lines::{Spark, share, spark};

use crate::text::escape_html;

/// Colours there are; further categories share the last one, which says nothing.
pub const COLOURS: usize = 8;

/// The end of a class's name for a category: its number, or `x` where there is no colour left.
pub fn colour(place: usize) -> String {
    if place < COLOURS { place.to_string() } else { "x".to_owned() }
}

/// A place in a picture, to a hundredth.
fn place(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The beginning of a picture that is read out by its title: of one that holds links as a group of them.
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
