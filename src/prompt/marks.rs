//! Marks of a statement in JSON that stand apart from its words, under the key `marks`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::domain::{Ask, Fault, Language, Mark, Named, Reply, Sign};
use crate::prompt::members::{Members, write_members};
use crate::text::{SIGNS, parse_marks, render_tag, sign_word};

/// How many marks a reply may have beside those in its words.
pub const MARKS_MAX: usize = 4;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkObject {
    mark: String,
    to: Option<String>,
}

/// The schema of the marks; each names a statement by its number, or nothing. `None` where none are asked for.
pub(super) fn build_marks_schema(ask: &Ask, language: Language) -> Option<Value> {
    ask.reads_marks().then(|| {
        let sign = json!({ "type": "string", "enum": SIGNS.map(|sign| write_sign(sign, language)) });
        let to = json!({ "type": ["string", "null"], "maxLength": 22 });
        let mark = json!({
            "type": "object",
            "properties": { "mark": sign, "to": to },
            "required": ["mark", "to"],
            "additionalProperties": false,
        });
        json!({ "type": "array", "items": mark, "maxItems": MARKS_MAX })
    })
}

/// The reply without its marks, and their tags. What a mark names stands in its tag as it was written, so that nothing is lost where
/// it is no number.
///
/// # Errors
/// [`Fault::Unreadable`] of marks that have not their form, are too many, or are given twice.
pub(super) fn split_marks(ask: &Ask, language: Language, raw: &str) -> Result<(String, Vec<String>), Fault> {
    let untouched = || Ok((raw.to_owned(), Vec::new()));
    if !ask.reads_marks() {
        return untouched();
    }
    let Ok(Members(members)) = serde_json::from_str(raw) else { return untouched() };
    let (written, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|(key, _)| key == "marks");
    let marks: Vec<MarkObject> = match written.as_slice() {
        [] => return untouched(),
        [(_, marks)] => Option::deserialize(marks).map_err(|_| Fault::Unreadable)?.unwrap_or_default(),
        _ => return Err(Fault::Unreadable),
    };
    if marks.len() > MARKS_MAX {
        return Err(Fault::Unreadable);
    }
    let tags = marks.into_iter().map(|mark| tag(mark, language)).collect::<Result<_, _>>()?;
    Ok((write_members(rest), tags))
}

fn tag(MarkObject { mark, to }: MarkObject, language: Language) -> Result<String, Fault> {
    let sign = SIGNS.into_iter().find(|sign| write_sign(*sign, language) == mark).ok_or(Fault::Unreadable)?;
    let bare = render_tag(Mark { sign, names: Named::Nothing }, language);
    let Some(to) = to else { return Ok(bare) };
    let inside: String =
        to.chars().map(|c| if c.is_control() || "[]\u{2028}\u{2029}".contains(c) { '?' } else { c }).collect();
    let inside = if inside.trim().is_empty() { "?" } else { inside.trim() };
    Ok(format!("{} {inside}]", bare.trim_end_matches(']')))
}

/// A statement behind the tags of its marks, so that others hear them; not of those that its words carry already.
pub(super) fn add_tags(reply: Reply, tags: &[String], language: Language) -> Reply {
    let Reply::Statement { text, stance, opinion } = reply else { return reply };
    let said = parse_marks(&text, language);
    let is_new = |tag: &&String| !parse_marks(tag, language).iter().all(|mark| said.contains(mark));
    let tags: String = tags.iter().filter(is_new).map(|tag| format!("{tag} ")).collect();
    Reply::Statement { text: (tags + &text).into(), stance, opinion }
}

/// The word of a mark: that of its tag in small letters.
fn write_sign(sign: Sign, language: Language) -> String {
    sign_word(sign, language).to_lowercase()
}
