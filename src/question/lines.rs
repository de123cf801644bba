//! Forms by lines. Each field has a line that begins with its anchor, as in `CHOICE: for`. A text continues to the next anchor or to
//! the end of the reply. Lines outside a text and without an anchor are ignored. A reply to a form of one text without an anchor is
//! that text.

use super::form::{FieldFault, FieldReason, check_name};
use super::json::{collect_shares, read_assent, read_field_number};
use crate::domain::{Field, FieldKind, FieldValue, FieldValues, Form, Language, Presence};
use crate::text::parse_digits;

/// Writes values as a reply by lines. Texts are written as they are: one with a line that begins with an anchor reads differently.
///
/// # Panics
/// If there is not one value for each field.
pub fn write_lines(form: &Form, values: &FieldValues) -> String {
    assert_eq!(form.fields.len(), values.len(), "invariant: each field has its value");
    let lines = form.fields.iter().zip(values).map(|(field, value)| {
        let words = value.as_ref().map_or(form.language.none().to_owned(), |value| write_value(field, value, form));
        let are_below = value.is_some() && matches!(field.kind, FieldKind::Texts { .. });
        if field.is_whole_reply() {
            words
        } else {
            format!("{}:{}{words}", field.anchor, if are_below { "\n" } else { " " })
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// A value in words; several texts as numbered lines.
pub(super) fn write_value(field: &Field, value: &FieldValue, form: &Form) -> String {
    match (&field.kind, value) {
        (FieldKind::Texts { .. }, FieldValue::Options(texts)) => number_lines(texts),
        _ => value.told(form.language),
    }
}

/// Texts as numbered lines.
pub fn number_lines(texts: &[String]) -> String {
    let lines = (1_u32..).zip(texts).map(|(number, text)| format!("{number}. {text}"));
    lines.collect::<Vec<String>>().join("\n")
}

/// The texts of numbered lines. A line without a number continues the text before it.
fn read_numbered(words: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for line in words.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let behind = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let numbered = behind.strip_prefix(['.', ')', '、', '．']).filter(|_| behind.len() < line.len());
        match (numbered, texts.last_mut()) {
            (Some(text), _) => texts.push(text.trim().to_owned()),
            (None, Some(last)) => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            (None, None) => texts.push(line.to_owned()),
        }
    }
    texts
}

/// The lines of a text in one line, with a blank between two. Other white space stays.
pub(super) fn join_lines(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<&str>>().join(" ")
}

/// Reads a reply by lines.
///
/// # Errors
/// The first fault, in the order of the fields.
pub fn read_lines(form: &Form, raw: &str) -> Result<FieldValues, FieldFault> {
    if raw.trim().is_empty() {
        return Err(FieldFault { field: None, reason: FieldReason::Missing });
    }
    form.fields.iter().map(|field| read_field(form, field, raw)).collect()
}

fn read_field(form: &Form, field: &Field, raw: &str) -> Result<Option<FieldValue>, FieldFault> {
    if field.is_whole_reply() {
        return read_words(field, raw.trim(), form.language);
    }
    match (find_words(form, field, raw)?, field.presence) {
        (Some(words), _) => read_words(field, &words, form.language),
        (None, Presence::MayBeLeftOut) => Ok(None),
        (None, Presence::Required | Presence::MayBeNothing) => Err(field.fault(FieldReason::NotAnswered)),
    }
}

/// The value that the words of a field stand for; `None` for the language's word for nothing if the field may have no value.
pub(super) fn read_words(field: &Field, words: &str, language: Language) -> Result<Option<FieldValue>, FieldFault> {
    let is_option = matches!(&field.kind, FieldKind::Choice { options } if options.iter().any(|name| name == words));
    let is_none = language.is_none(words) && !is_option;
    match (field.presence, &field.kind) {
        (Presence::MayBeNothing | Presence::MayBeLeftOut, _) if is_none => return Ok(None),
        _ if field.is_nothing(words, language) => return Ok(None),
        (Presence::Required, FieldKind::Number { .. }) if is_none => return Err(field.fault(FieldReason::Missing)),
        (_, FieldKind::Text { .. }) => {}
        _ if words.is_empty() => return Err(field.fault(FieldReason::Missing)),
        _ => {}
    }
    let value = read_value(field, words, language).map_err(|reason| field.fault(reason))?;
    field.check_value(value).map(Some)
}

/// The words behind the anchor of a field, without blank space around them; `None` if the anchor does not occur.
fn find_words(form: &Form, field: &Field, raw: &str) -> Result<Option<String>, FieldFault> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in raw.lines() {
        let words = line.trim_start();
        if let Some(rest) = behind_anchor(words, field, form.language) {
            found.push(rest.to_owned());
            is_open = field.is_passage();
        } else if begins_with_anchor(form, words) {
            is_open = false;
        } else if is_open && let Some(passage) = found.last_mut() {
            passage.push('\n');
            passage.push_str(line);
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.trim().to_owned())),
        [first, others @ ..] if others.iter().all(|other| other.trim() == first.trim()) => {
            Err(field.fault(FieldReason::Unreadable))
        }
        _ => Err(field.fault(FieldReason::SaidTwice)),
    }
}

/// Whether a line begins with an anchor of the form.
pub fn begins_with_anchor(form: &Form, line: &str) -> bool {
    form.fields.iter().any(|field| behind_anchor(line.trim_start(), field, form.language).is_some())
}

/// The rest of a line that begins with the anchor of a field. In Chinese, the colon may be of full or half width.
fn behind_anchor<'l>(line: &'l str, field: &Field, language: Language) -> Option<&'l str> {
    let rest = line.strip_prefix(&field.anchor).filter(|_| !field.is_whole_reply())?;
    match language {
        Language::En | Language::Es => rest.strip_prefix(':'),
        Language::Zh => rest.strip_prefix([':', '：']),
    }
}

fn read_value(field: &Field, words: &str, language: Language) -> Result<FieldValue, FieldReason> {
    let name = |name: &str| name.trim().to_owned();
    match &field.kind {
        FieldKind::Choice { .. } => Ok(FieldValue::Words(words.into())),
        FieldKind::Approval { options } if language.is_none(words) && !options.iter().any(|name| name == words) => {
            Ok(FieldValue::Options(Vec::new()))
        }
        FieldKind::Approval { .. } => Ok(FieldValue::Options(words.split([',', '，']).map(name).collect())),
        FieldKind::Ranking { .. } => {
            let rank = |rank: &str| rank.split(['=', '＝']).map(name).collect();
            Ok(FieldValue::Ranks(words.split(['>', '＞']).map(rank).collect()))
        }
        FieldKind::Score { options, .. } | FieldKind::Allocation { options, .. } => {
            let share = |pair: &str| {
                let (option, share) = pair.rsplit_once(['=', '＝']).ok_or(FieldReason::Unreadable)?;
                check_name(options, &name(option))?;
                Ok((name(option), parse_digits(share.trim()).ok_or(FieldReason::Unreadable)?))
            };
            collect_shares(words.split([',', '，']).map(share))
        }
        FieldKind::Number { decimals, .. } => read_field_number(words, language, *decimals),
        FieldKind::Numbers { .. } => {
            let number = |number: &str| parse_digits(number.trim()).ok_or(FieldReason::Unreadable);
            words.split([',', '，']).map(number).collect::<Result<_, _>>().map(FieldValue::Numbers)
        }
        FieldKind::YesNo => read_assent(words, language),
        FieldKind::Text { .. } => Ok(FieldValue::Words(words.into())),
        FieldKind::Texts { .. } => Ok(FieldValue::Options(read_numbered(words))),
    }
}
