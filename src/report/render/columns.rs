//! The lines of the summary: a name in its column, and words behind it.

use crate::report::amounts::Amounts;
use crate::report::lines::padded;
use crate::report::numbers::grouped;
use crate::report::plain::on_line;
use crate::text::put_line;

/// Columns of a name.
pub(super) const NAME: usize = 23;

/// A name in its column, of whatever script.
pub(super) fn named(name: &str) -> String {
    padded(&on_line(name), NAME - 1) + " "
}

pub(super) fn line(out: &mut String, name: &str, text: &str) {
    put_line!(out, " {name:<24}{text}");
}

/// The median of amounts, and their range.
pub(super) fn in_words(amounts: &Amounts) -> String {
    let (least, greatest) = (grouped(amounts.least.into()), grouped(amounts.greatest.into()));
    // The median of two neighbours may end in a half; more digits it never has.
    let half = if amounts.median.fract() > 0.0 { ".5" } else { "" };
    let unit = amounts.unit.as_ref().map_or(String::new(), |unit| format!(" {}", on_line(unit)));
    format!("median {}{half}{unit} (range {least} – {greatest})", grouped(amounts.median as u64))
}
