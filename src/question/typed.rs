//! Forms as a person types them: one line for each field that is no text, in the order of the form, then the text. An option may be
//! typed by its number in the order shown. A reply in which a line begins with an anchor is read by lines instead. Where there are
//! several texts, only the first is typed without an anchor, and the others must be ones that may be left out.

use super::form::{FieldFault, FieldReason};
use super::lines::{begins_with_anchor, read_lines, read_words};
use crate::domain::{Field, FieldKind, FieldValues, Form, Presence};
use crate::text::parse_digits;

/// Reads what a person typed.
///
/// # Errors
/// The first fault, in the order of the fields. A line too many is unreadable, and so is a reply without a text that must be typed with
/// its anchor.
pub fn read_typed(form: &Form, raw: &str) -> Result<FieldValues, FieldFault> {
    if raw.lines().any(|line| begins_with_anchor(form, line)) {
        return read_lines(form, raw);
    }
    let whole = |reason| FieldFault { field: None, reason };
    if raw.trim().is_empty() {
        return Err(whole(FieldReason::Missing));
    }
    let mut texts = form.fields.iter().enumerate().filter(|(_, field)| field.is_passage());
    let text = texts.next();
    if texts.any(|(_, field)| field.presence != Presence::MayBeLeftOut) {
        return Err(whole(FieldReason::Unreadable));
    }
    let mut rest = raw.trim();
    let mut values: FieldValues = form.fields.iter().map(|_| None).collect();
    for (place, field) in form.fields.iter().enumerate().filter(|(_, field)| !field.is_passage()) {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        values[place] = read_words(field, &name_options(field, line.trim()), form.language)?;
        rest = behind;
    }
    match text {
        Some((place, field)) => values[place] = read_words(field, rest.trim(), form.language)?,
        None if !rest.trim().is_empty() => return Err(whole(FieldReason::Unreadable)),
        None => {}
    }
    Ok(values)
}

/// Replaces the numbers of options by their names; anything else stays as it is.
fn name_options(field: &Field, line: &str) -> String {
    let (options, separators): (_, &[char]) = match &field.kind {
        FieldKind::Choice { options } => (options, &[]),
        FieldKind::Approval { options } => (options, &[',', '，']),
        FieldKind::Ranking { options, .. } => (options, &['>', '＞', '=', '＝']),
        FieldKind::Score { options, .. } | FieldKind::Allocation { options, .. } => {
            let named = line.split_inclusive([',', '，']).map(|pair| match pair.split_once(['=', '＝']) {
                Some((option, share)) => format!("{} = {share}", name_option(options, option)),
                None => pair.to_owned(),
            });
            return named.collect();
        }
        FieldKind::Number { .. }
        | FieldKind::Numbers { .. }
        | FieldKind::YesNo
        | FieldKind::Text { .. }
        | FieldKind::Texts { .. } => {
            return line.to_owned();
        }
    };
    let pieces = line.split_inclusive(separators).map(|piece| {
        let end = piece.trim_end_matches(separators);
        name_option(options, end) + &piece[end.len()..]
    });
    pieces.collect()
}

/// The name of the option with the typed number, counted from 1. The name of an option stays as it is, even if it is a number.
fn name_option(options: &[String], typed: &str) -> String {
    let number = typed.trim();
    if options.iter().any(|name| name == number) {
        return number.to_owned();
    }
    let place = parse_digits::<usize>(number).and_then(|number| number.checked_sub(1));
    place.and_then(|place| options.get(place)).cloned().unwrap_or_else(|| typed.to_owned())
}
