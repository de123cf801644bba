//! How a choice with its amount is written on the page.

use crate::report::grouped;

/// Rewrites a choice from the tables with the page's format of amounts.
pub(super) fn reformat_choice(choice: String) -> String {
    match choice.rsplit_once(' ').map(|(name, amount)| (name, amount.parse())) {
        Some((name, Ok(amount))) => with_amount(name.to_owned(), Some(amount)),
        _ => choice,
    }
}

/// An alternative with its amount, if it has one.
pub(super) fn with_amount(alternative: String, amount: Option<u64>) -> String {
    match amount {
        Some(amount) if !alternative.is_empty() => format!("{alternative} {}", format_amount(amount)),
        _ => alternative,
    }
}

/// An amount in groups of digits, joined by no-break spaces.
pub(super) fn format_amount(amount: u64) -> String {
    grouped(amount).replace(' ', "\u{a0}")
}

/// A choice without its amount.
pub fn strip_amount(choice: &str) -> &str {
    let is_amount = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '\u{a0}');
    choice.rsplit_once(' ').filter(|(_, rest)| is_amount(rest)).map_or(choice, |(name, _)| name)
}
