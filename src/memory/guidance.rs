//! How a memory's entries read: they quote and never paraphrase. What is counted against a limit is what is written here.

use std::borrow::Cow;

use super::Said;
use crate::domain::{GuidanceStyle, InvalidBallots, Motion, NamedChoice, Remark, TallyCount, TallyReport};
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

/// A remark as others read it: `Alice (#2.3) said: "…"`, or
/// `Round: 2 | Speaker: Alice | Favours: for | Number: #2.3 | Statement: …`, where what nobody declared is left out; an
/// announcement is `[FACILITATOR] …` in either style. No words make a line, a quotation or a field of their own.
///
/// # Panics
/// When the remark declares an alternative that is not of this motion.
pub fn remark_line(remark: &Remark, public_name: &str, style: GuidanceStyle, motion: &Motion) -> String {
    let said = Said { seq: remark.seq, round: remark.round, turn: remark.turn, speaker: remark.speaker };
    let favours = remark.stance.map(|choice| motion.named(choice));
    line(&said, public_name, favours.as_ref(), style, &kept_text(remark))
}

/// How a statement begins, in one line, for its own seat to know it by.
pub fn beginning(remark: &Remark) -> String {
    /// Its length in characters at the most.
    const CHARS_MAX: u32 = 40;
    let mut kept = kept_text(remark).into_owned();
    text::truncate(&kept.clone(), CHARS_MAX).apply(&mut kept);
    quoted(&kept, GuidanceStyle::Narrative).into_owned()
}

/// An announcement as seats read it: a human's words and exhibits have their mark already.
pub fn announced(remark: &Remark) -> Cow<'_, str> {
    match kept_text(remark) {
        Cow::Borrowed(text) => read_aloud(text),
        Cow::Owned(text) => Cow::Owned(read_aloud(&text).into_owned()),
    }
}

/// The text of an announcement as seats read it.
pub fn read_aloud(text: &str) -> Cow<'_, str> {
    if text.starts_with(super::notice::HUMAN) || text.starts_with(super::notice::EXHIBIT) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("[FACILITATOR] {text}"))
    }
}

/// The length of [`remark_line`] without the text, in characters.
pub fn frame_chars(said: &Said, public_name: &str, favours: Option<&NamedChoice>, style: GuidanceStyle) -> u64 {
    text::chars(&line(said, public_name, favours, style, ""))
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

/// The same with a roll call: below it a line for each ballot, by public names, in the order given; a ballot of `None` is
/// invalid.
pub fn roll_call<'n>(
    report: &TallyReport,
    invalid: InvalidBallots,
    ballots: impl Iterator<Item = (&'n str, Option<NamedChoice>)>,
) -> String {
    let lines = ballots.map(|(name, choice)| roll_line(name, choice.as_ref(), invalid));
    std::iter::once(tally_line(report)).chain(lines).collect::<Vec<_>>().join("\n")
}

/// A ballot as all hear it: what was chosen, or what an invalid one counts as.
pub fn roll_line(public_name: &str, choice: Option<&NamedChoice>, invalid: InvalidBallots) -> String {
    match (choice, invalid) {
        (Some(choice), _) => format!("{public_name} voted: {choice}"),
        (None, InvalidBallots::VoidRound) => format!("{public_name}: invalid ballot"),
        (None, InvalidBallots::Abstain) => format!("{public_name}: abstention (invalid ballot)"),
        (None, InvalidBallots::Exclude) => format!("{public_name}: not counted (invalid ballot)"),
    }
}

/// A seat's words as they are quoted, character by character: whatever could end the quotation and begin one of another's is shown
/// as what it resembles. Line breaks become blanks; quotation marks `"` become `'` where they enclose the words, and bars `|`
/// become `¦` where these separate fields. The record keeps the words as they are.
pub(super) fn quoted(text: &str, style: GuidanceStyle) -> Cow<'_, str> {
    let shown = |c: char| match (c, style) {
        ('\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}', _) => ' ',
        ('"', GuidanceStyle::Narrative) => '\'',
        ('|', GuidanceStyle::Structured) => '¦',
        (other, _) => other,
    };
    if text.contains(|c| shown(c) != c) { Cow::Owned(text.chars().map(shown).collect()) } else { Cow::Borrowed(text) }
}

/// The one place where a remark is written: a frame is counted by writing it around nothing.
pub(super) fn line(
    said: &Said,
    public_name: &str,
    favours: Option<&NamedChoice>,
    style: GuidanceStyle,
    text: &str,
) -> String {
    let Said { round, turn, .. } = said;
    let quoted = || quoted(text, style);
    match (said.speaker, style, favours) {
        (None, _, _) => read_aloud(text).into_owned(),
        (Some(_), GuidanceStyle::Narrative, _) => format!("{public_name} (#{round}.{turn}) said: \"{}\"", quoted()),
        (Some(_), GuidanceStyle::Structured, Some(choice)) => {
            let favours = format!("Favours: {choice}");
            format!(
                "Round: {round} | Speaker: {public_name} | {favours} | Number: #{round}.{turn} | Statement: {}",
                quoted()
            )
        }
        (Some(_), GuidanceStyle::Structured, None) => {
            format!("Round: {round} | Speaker: {public_name} | Number: #{round}.{turn} | Statement: {}", quoted())
        }
    }
}

fn count_line(count: &TallyCount) -> String {
    match count.amount {
        Some(amount) => format!("{} {amount}: {}", count.alternative, count.count),
        None => format!("{} {}", count.alternative, count.count),
    }
}
