//! Reply text → reply, strictly: nothing guesses a choice out of prose.
//!
//! In both forms a name counts only when it equals an option's name after blank space around it is dropped: `For` and
//! `**for**` are no `for`. A statement loses the blank space around it and is otherwise kept as it came. A stance may be
//! withheld (`null` in JSON, `none` in the anchored form). A model cannot pass: both forms ask for words.

use serde::{Deserialize, Deserializer};

use crate::domain::{AlternativeId, Ask, Fault, Motion, Reply};
use crate::prompt::AnswerForm;

/// Reads a reply in the form that was asked for.
///
/// The JSON form is exactly one object, `{"statement": "…", "stance": "for"}` or `{"choice": "for"}`: both keys of a
/// statement must be there, none twice, none besides, and nothing may stand around it. The anchored form is one line
/// `CHOICE: for`, or one line `STANCE: for` and a passage from `STATEMENT:` to the other anchor or the end; lines without
/// an anchor count for nothing outside that passage.
///
/// # Errors
/// * [`Fault::Empty`]: nothing was said, or a statement or choice is blank.
/// * [`Fault::Unreadable`]: it does not have the form.
/// * [`Fault::Ambiguous`]: an anchor stands twice and says two things.
/// * [`Fault::UnknownAlternative`]: it names something that is not an option of this question.
/// * [`Fault::TooShort`]: the statement is shorter than the question demands.
pub fn parse(ask: &Ask, motion: &Motion, form: AnswerForm, raw: &str) -> Result<Reply, Fault> {
    if raw.trim().is_empty() {
        return Err(Fault::Empty);
    }
    match (ask, form) {
        (Ask::Statement { chars_min, .. }, AnswerForm::JsonSchema) => {
            let said: StatementObject = read_object(raw)?;
            let stance = match said.stance {
                None => None,
                Some(name) => Some(option(ask, motion, &name)?),
            };
            statement(&said.statement, stance, *chars_min)
        }
        (Ask::Statement { chars_min, .. }, AnswerForm::Anchored) => {
            let words = anchored(raw, "STATEMENT:", Extent::Passage)?;
            let name = anchored(raw, "STANCE:", Extent::Line)?;
            let stance = match option(ask, motion, &name) {
                Err(Fault::UnknownAlternative) if name == "none" => None,
                known_or_fault => Some(known_or_fault?),
            };
            statement(&words, stance, *chars_min)
        }
        (Ask::StrawPoll { .. } | Ask::Ballot { .. }, AnswerForm::JsonSchema) => {
            let said: ChoiceObject = read_object(raw)?;
            option(ask, motion, &said.choice).map(|id| Reply::Choice(id.into()))
        }
        (Ask::StrawPoll { .. } | Ask::Ballot { .. }, AnswerForm::Anchored) => {
            let name = anchored(raw, "CHOICE:", Extent::Line)?;
            option(ask, motion, &name).map(|id| Reply::Choice(id.into()))
        }
        _ => Err(Fault::Unreadable),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementObject {
    statement: String,
    // An `Option` field may by default be left out; reading it by hand makes the key compulsory.
    #[serde(deserialize_with = "string_or_null")]
    stance: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceObject {
    choice: String,
}

fn string_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// Reads exactly one object. A JSON array would do for serde, too, and is turned away.
fn read_object<'de, T: Deserialize<'de>>(raw: &'de str) -> Result<T, Fault> {
    if !raw.trim_start().starts_with('{') {
        return Err(Fault::Unreadable);
    }
    serde_json::from_str(raw).map_err(|_| Fault::Unreadable)
}

/// How far an anchor reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Line,
    Passage,
}

const ANCHORS: [&str; 3] = ["CHOICE:", "STANCE:", "STATEMENT:"];

/// What stands behind an anchor, without the blank space around it.
fn anchored(raw: &str, anchor: &str, extent: Extent) -> Result<String, Fault> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in raw.lines() {
        if let Some(rest) = line.trim_start().strip_prefix(anchor) {
            found.push(rest.to_owned());
            open = extent == Extent::Passage;
        } else if starts_with_anchor(line) {
            open = false;
        } else if open && let Some(passage) = found.last_mut() {
            passage.push('\n');
            passage.push_str(line);
        }
    }
    match found.as_slice() {
        [] => Err(Fault::Unreadable),
        [one] => Ok(one.trim().to_owned()),
        [first, others @ ..] if others.iter().all(|other| other.trim() == first.trim()) => Err(Fault::Unreadable),
        _ => Err(Fault::Ambiguous),
    }
}

fn starts_with_anchor(line: &str) -> bool {
    ANCHORS.iter().any(|anchor| line.trim_start().starts_with(anchor))
}

/// The option of that name, among those of this question.
fn option(ask: &Ask, motion: &Motion, name: &str) -> Result<AlternativeId, Fault> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Fault::Empty);
    }
    motion.find(name).filter(|id| ask.options().contains(id)).ok_or(Fault::UnknownAlternative)
}

fn statement(words: &str, stance: Option<AlternativeId>, chars_min: u32) -> Result<Reply, Fault> {
    let text = words.trim();
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    if text.chars().count() < chars_min as usize {
        return Err(Fault::TooShort);
    }
    Ok(Reply::Statement { text: text.to_owned(), stance: stance.map(Into::into) })
}

#[cfg(test)]
mod tests;
