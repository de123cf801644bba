//! Value parsers of arguments. The plan checks the ranges.

use std::ops::RangeInclusive;

use super::retally::every_rule;
use crate::config::suggest_word;
use crate::domain::RuleKind;

/// Rounds from A to B. Also accepts `2-4` for `2..4`.
pub fn parse_rounds(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str, open: u32| match text {
        "" => Ok(open),
        text => text
            .parse::<u32>()
            .map_err(|_| format!("{text:?} is not the number of a round; write one as 3, several as 2..4, 2.. or ..4")),
    };
    let dashed = text.split_once('-').filter(|(first, last)| !first.is_empty() && !last.is_empty());
    let (first, last) = match text.split_once("..").or(dashed) {
        None if text.is_empty() => return Err("expected A..B, such as 2..4".to_owned()),
        None => (number(text, 0)?, number(text, 0)?),
        Some((first, last)) => (number(first, 0)?, number(last, u32::MAX)?),
    };
    if first > last { Err(format!("round {first} comes after round {last}")) } else { Ok(first..=last) }
}

/// A seed; the plan checks its range.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number from 0 to 9007199254740991 (2^53 - 1)".to_owned())
}

/// An amount of dollars, from 0.
pub fn parse_dollars(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| "expected an amount of dollars from 0".to_owned())
}

/// A number of replicates; the plan checks its range.
pub fn parse_replicates(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number from 1 to 1000000".to_owned())
}

/// A rule that chooses among alternatives by ballots.
pub fn parse_rule(text: &str) -> Result<RuleKind, String> {
    let known = every_rule();
    known.iter().find(|rule| rule.as_str() == text).copied().ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|rule| rule.as_str()).collect();
        suggest_word(text, names.iter().copied()).unwrap_or_else(|| format!("rules are {}", names.join(", ")))
    })
}
