//! How a memory's entries read: they quote and never paraphrase. What is counted against a limit is what is written here.

use std::borrow::Cow;

use super::Said;
use crate::domain::{AlternativeName, Certainty, NamedChoice, Remark, TallyCount, TallyReport};
use crate::text;

/// The part of a remark's text that memories keep, with the marker where it was cut.
pub fn kept_text(remark: &Remark) -> Cow<'_, str> {
    let kept = remark.kept_bytes as usize;
    if kept == remark.text.len() {
        Cow::Borrowed(&remark.text)
    } else {
        Cow::Owned(format!("{}{}", &remark.text[..kept], text::MARKER))
    }
}

/// A remark as others read it: `Alice (#2.3) said: "…"`, or `[FACILITATOR] …`.
pub fn remark_line(remark: &Remark, public_name: &str) -> String {
    let text = kept_text(remark);
    match remark.speaker {
        Some(_) => format!("{public_name} (#{}.{}) said: \"{text}\"", remark.round, remark.turn),
        None => format!("[FACILITATOR] {text}"),
    }
}

/// The length of [`remark_line`] without the text, in characters.
pub fn frame_chars(said: &Said, public_name: &str) -> u64 {
    match said.speaker {
        Some(_) => text::chars(public_name) + digits(said.round) + digits(said.turn) + 14,
        None => 14,
    }
}

/// A seat's own ballot, as it reads it; `None` is an invalid one.
pub fn ballot_line(choice: Option<&NamedChoice>) -> String {
    match choice {
        Some(choice) => format!("You voted: {choice}"),
        None => "Your ballot was invalid.".to_owned(),
    }
}

/// The announcement of a count.
pub fn tally_line(report: &TallyReport) -> String {
    let counts: Vec<String> = report.counts.iter().map(count_line).collect();
    let outcome = match &report.decided {
        Some(choice) => format!("decided: {choice}"),
        None => "no decision".to_owned(),
    };
    let invalid = if report.invalid > 0 { format!(", invalid {}", report.invalid) } else { String::new() };
    format!("The ballots were counted: {}{invalid}; {outcome}.", counts.join(", "))
}

fn count_line(count: &TallyCount) -> String {
    match count.amount {
        Some(amount) => format!("{} {amount}: {}", count.alternative, count.count),
        None => format!("{} {}", count.alternative, count.count),
    }
}

fn digits(number: u32) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0)) + 1
}

/// A seat's own ranking, as it reads it: `You ranked: a > b > c (sure)`.
pub fn ranking_line(order: &[AlternativeName], certainty: Certainty) -> String {
    let names: Vec<&str> = order.iter().map(AlternativeName::as_str).collect();
    format!("You ranked: {} ({})", names.join(" > "), certainty.as_str())
}

/// A seat's own choice in a practice round, as it reads it: `Situation A: you chose average_floor 13000 (sure)`.
pub fn application_line(situation: &str, choice: &NamedChoice, certainty: Certainty) -> String {
    format!("Situation {situation}: you chose {choice} ({})", certainty.as_str())
}

/// The announcement that a seat calls a vote.
pub fn call_line(public_name: &str) -> String {
    format!("{public_name} calls a vote.")
}

/// The announcement that a seat agrees to vote now.
pub fn agreed_line(public_name: &str) -> String {
    format!("{public_name} agrees to vote now.")
}

/// The announcement that a seat does not agree to vote now.
pub fn declined_line(public_name: &str) -> String {
    format!("{public_name} does not agree to vote now.")
}
