//! How the page of methods writes names, numbers and lists. Nothing here knows what a plan is.

use serde::Serialize;

/// Why writing into a page cannot fail.
pub(super) const WROTE: &str = "invariant: a string takes every character";

/// A number of thousandths as a decimal number.
pub(super) fn thousandths(value: u32) -> String {
    let text = format!("{}.{:03}", value / 1000, value % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number of millionths as a decimal number.
pub(super) fn millionths(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    let text = format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value of a closed set, as configs and the record spell it.
pub(super) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("invariant: a word has a JSON form");
    value.as_str().unwrap_or_default().to_owned()
}

/// A name as a span of code.
pub(super) fn code(name: &str) -> String {
    format!("`{}`", inert(name).replace('`', "'"))
}

/// A line of text without what would act on a page or a terminal.
pub(super) fn inert(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text as a block that is shown as it is, word for word.
pub(super) fn block(text: &str) -> String {
    text.lines().map(|line| format!("    {}\n", inert(line))).collect()
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A number with its noun, which takes an s for more than one.
pub(super) fn count(number: u64, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_written_without_needless_zeros() {
        assert_eq!([800, 1_250, 1_000, 2_005].map(thousandths), ["0.8", "1.25", "1", "2.005"]);
        assert_eq!([0, 400_000, -1_500_000, 12_000_000].map(millionths), ["0", "0.4", "-1.5", "12"]);
    }

    #[test]
    fn names_cannot_leave_their_span() {
        assert_eq!(code("a`b\nc"), "`a'b c`");
    }

    #[test]
    fn the_last_of_a_list_follows_an_and() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([list(&names[..1]), list(&names[..2]), list(&names)], ["a", "a and b", "a, b and c"]);
    }
}
