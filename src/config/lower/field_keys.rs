//! The right answers to fields of forms.

use crate::config::lower::formula::write_scalar;
use crate::config::written::scenario::{FieldConfig, KeyConfig};
use crate::domain::{Decimal, Field, FieldKind, FieldValue, Form, Presence};
use crate::plan::{Pass, Scalar};
use crate::question::FieldReason;

/// The right answer to a valid field of a kind; `None` if it has none.
///
/// # Errors
/// A message, if the field cannot have such an answer.
pub fn lower_key(field: &FieldConfig, kind: FieldKind) -> Result<Option<FieldValue>, String> {
    let Some(key) = field.key.as_ref().filter(|key| !is_item_key(key)) else { return Ok(None) };
    if field.seat_options().is_some() {
        return Err("an option that is a seat is not right in every session; compute what counts as right".to_owned());
    }
    let value = match (&kind, key) {
        (FieldKind::Choice { .. }, KeyConfig::One(option)) => FieldValue::Words(write_scalar(option).into()),
        (FieldKind::Approval { .. }, KeyConfig::Several(options)) => FieldValue::Options(options.clone()),
        (FieldKind::Ranking { .. }, KeyConfig::Several(options)) => {
            FieldValue::Ranks(options.iter().map(|option| vec![option.clone()]).collect())
        }
        (FieldKind::Number { .. }, KeyConfig::One(number)) => {
            let number = write_scalar(number);
            FieldValue::Number(Decimal::parse(&number).ok_or_else(|| format!("{number} is no number"))?)
        }
        (FieldKind::YesNo, KeyConfig::One(Scalar::Bool(yes))) => FieldValue::YesNo(*yes),
        (FieldKind::YesNo, KeyConfig::One(Scalar::Text(text))) if text == "yes" || text == "no" => {
            FieldValue::YesNo(text == "yes")
        }
        (kind, _) => return Err(format!("the right answer here is {}", describe_key(kind))),
    };
    let checked = Field { id: field.id.clone(), anchor: String::new(), kind, presence: Presence::Required };
    checked.check_value(value).map(Some).map_err(|fault| {
        let computed = match (fault.reason, key) {
            (FieldReason::UnknownOption, KeyConfig::One(_)) => {
                "; it is written as the option is, or item.key, and cannot be computed, because one key goes for all sessions: compute \
                 what is right in a `compute` phase, and compare answers with it there"
            }
            _ => "",
        };
        format!("the right answer {}{computed}", fault.reason.describe())
    })
}

/// Whether the right answer to a field is the key of the item that its pass takes place for.
pub fn is_item_key(key: &KeyConfig) -> bool {
    matches!(key, KeyConfig::One(Scalar::Text(text)) if text.trim() == "item.key")
}

/// The right answers that are the key of the item that the passes take place for, by the ids of their fields.
///
/// # Errors
/// A message, if the key is no answer to the field.
pub fn lower_item_keys(
    fields: &[FieldConfig],
    form: &Form,
    passes: &[Pass],
) -> Result<Vec<(String, FieldValue)>, String> {
    let Some(item) = passes.iter().rev().find_map(Pass::item) else { return Ok(Vec::new()) };
    let mut keys = Vec::new();
    for (written, field) in fields.iter().zip(&form.fields).filter(|(field, _)| field.key.iter().any(is_item_key)) {
        let Some(text) = item.key.as_deref() else { continue };
        let key = match &field.kind {
            FieldKind::Approval { .. } | FieldKind::Ranking { .. } => {
                KeyConfig::Several(text.split('|').map(|option| option.trim().to_owned()).collect())
            }
            FieldKind::YesNo if matches!(text, "true" | "false") => KeyConfig::One(Scalar::Bool(text == "true")),
            _ => KeyConfig::One(Scalar::Text(text.to_owned())),
        };
        let written = FieldConfig { key: Some(key), ..written.clone() };
        let key = lower_key(&written, field.kind.clone());
        let key = key.map_err(|message| format!("the item {} has the key \"{text}\": {message}", item.id))?;
        keys.extend(key.map(|key| (field.id.clone(), key)));
    }
    Ok(keys)
}

/// What the right answer to such a field is.
fn describe_key(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Choice { .. } => "one of the options",
        FieldKind::Approval { .. } => "a list of the options to approve of",
        FieldKind::Ranking { .. } => "a list of all options, the best first",
        FieldKind::Number { .. } => "a number",
        FieldKind::YesNo => "true or false",
        FieldKind::Score { .. }
        | FieldKind::Allocation { .. }
        | FieldKind::Numbers { .. }
        | FieldKind::Text { .. }
        | FieldKind::Texts { .. } => {
            "not to be given: scores, points and texts have none; compute what counts as right"
        }
    }
}
