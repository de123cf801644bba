//! Forms: what a question asks for, field by field.

use crate::domain::Language;

/// The greatest number of a field, in units of its last decimal place. Greater ones would lose digits in JSON.
pub const NUMBER_MAX: i64 = 1_000_000_000_000_000;

/// A form. Its fields are asked and answered together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The fields, in the order in which they are asked.
    pub fields: Vec<Field>,
    /// The language of fixed words and figures.
    pub language: Language,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON and in tables, `[a-z][a-z0-9_]*`.
    pub id: String,
    /// The word that begins its line in a reply by lines, in the language of the form, without the colon.
    pub anchor: String,
    /// What it asks for.
    pub kind: FieldKind,
    /// Whether it may stay empty. An approval is not optional: it may approve of nothing.
    pub is_optional: bool,
}

/// What a field asks for. Options are named as the seat reads them, in the order in which they are shown. Names contain no `,`, `=`
/// or `>` and no blank space at their ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// One option.
    Choice {
        /// The options.
        options: Vec<String>,
    },
    /// Any number of options, or none.
    Approval {
        /// The options.
        options: Vec<String>,
    },
    /// Options from best to worst.
    Ranking {
        /// The options.
        options: Vec<String>,
        /// Whether options may share a rank.
        ties: bool,
        /// Whether options may be left out.
        truncated: bool,
    },
    /// A score for each option.
    Score {
        /// The options.
        options: Vec<String>,
        /// The greatest score; the least is 0.
        max: u32,
    },
    /// Points given to options, which must add up.
    Allocation {
        /// The options.
        options: Vec<String>,
        /// What they add up to.
        points: u32,
    },
    /// A number within bounds.
    Number {
        /// The least, in units of the last place, at least -[`NUMBER_MAX`].
        min: i64,
        /// The greatest, in units of the last place, at most [`NUMBER_MAX`].
        max: i64,
        /// The decimal places, at most 15.
        decimals: u8,
    },
    /// Yes or no.
    YesNo,
    /// A text; blank space around it does not count.
    Text {
        /// The least number of characters.
        chars_min: u32,
        /// The greatest number of characters.
        chars_max: u32,
    },
}

/// A value of a field. Options are named as in the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// One option.
    Option(String),
    /// The options approved of, in the order written.
    Options(Vec<String>),
    /// The ranks from best to worst; options of one rank stand together.
    Ranks(Vec<Vec<String>>),
    /// Scores or points, in the order written.
    Shares(Vec<(String, u32)>),
    /// A number, in units of the last place.
    Number(i64),
    /// Yes or no.
    YesNo(bool),
    /// A text without blank space around it.
    Text(String),
}

/// The values of a form, one for each field; `None` for an optional field that stayed empty.
pub type Values = Vec<Option<FieldValue>>;

/// Why a reply is no answer to a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", field.as_ref().map_or(String::new(), |field| format!("{field}: ")), reason.as_str())]
pub struct FieldFault {
    /// The field; `None` if the whole reply is meant.
    pub field: Option<String>,
    /// The reason.
    pub reason: FieldReason,
}

/// The reason of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FieldReason {
    /// The value, or the name of an option, is blank.
    Missing,
    /// The value, or the whole reply, does not have the form that was asked for.
    Unreadable,
    /// The field is answered twice, and differently.
    SaidTwice,
    /// An option is named that is not on offer.
    UnknownOption,
    /// An option is named twice.
    NamedTwice,
    /// Not every option has a rank of its own.
    NotARanking,
    /// Not every option has a score or points.
    NotScored,
    /// A number is outside its bounds.
    OutOfRange,
    /// The points do not add up.
    WrongTotal,
    /// The text is too short.
    TooShort,
    /// The text is too long.
    TooLong,
}

impl FieldReason {
    /// The reason as one word.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Field {
    /// A fault of this field.
    pub fn fault(&self, reason: FieldReason) -> FieldFault {
        FieldFault { field: Some(self.id.clone()), reason }
    }

    /// Whether it is a text.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, FieldKind::Text { .. })
    }

    /// Checks what [`FieldKind`] demands.
    ///
    /// # Errors
    /// The reason why the value is none of this field.
    pub fn check_value(&self, value: FieldValue) -> Result<FieldValue, FieldFault> {
        find_fault(&self.kind, &value).map_or(Ok(value), |reason| Err(self.fault(reason)))
    }
}

fn find_fault(kind: &FieldKind, value: &FieldValue) -> Option<FieldReason> {
    match (kind, value) {
        (FieldKind::Choice { options }, FieldValue::Option(name)) => find_misnamed(options, std::iter::once(name)),
        (FieldKind::Approval { options }, FieldValue::Options(names)) => find_misnamed(options, names.iter()),
        (FieldKind::Ranking { options, ties, truncated }, FieldValue::Ranks(ranks)) => {
            let named = ranks.iter().flatten();
            let is_full = *truncated || named.clone().count() == options.len();
            let are_apart = ranks.iter().all(|rank| rank.len() == 1 || *ties && !rank.is_empty());
            match find_misnamed(options, named) {
                Some(FieldReason::NamedTwice) => Some(FieldReason::NotARanking),
                None if ranks.is_empty() || !is_full || !are_apart => Some(FieldReason::NotARanking),
                other => other,
            }
        }
        (FieldKind::Score { options, max }, FieldValue::Shares(scores)) => find_misscored(options, scores)
            .or_else(|| scores.iter().any(|(_, score)| score > max).then_some(FieldReason::OutOfRange)),
        (FieldKind::Allocation { options, points }, FieldValue::Shares(shares)) => {
            let sum = shares.iter().fold(0_u64, |sum, (_, share)| sum + u64::from(*share));
            find_misscored(options, shares).or_else(|| (sum != u64::from(*points)).then_some(FieldReason::WrongTotal))
        }
        (FieldKind::Number { min, max, .. }, FieldValue::Number(number)) => {
            (!(min..=max).contains(&number)).then_some(FieldReason::OutOfRange)
        }
        (FieldKind::YesNo, FieldValue::YesNo(_)) => None,
        (FieldKind::Text { chars_min, chars_max }, FieldValue::Text(text)) => {
            let chars = text.chars().count();
            if text.is_empty() {
                Some(FieldReason::Missing)
            } else if chars < *chars_min as usize {
                Some(FieldReason::TooShort)
            } else {
                (chars > *chars_max as usize).then_some(FieldReason::TooLong)
            }
        }
        _ => Some(FieldReason::Unreadable),
    }
}

/// Checks that an option has this name.
///
/// # Errors
/// [`FieldReason::Missing`] if the name is empty, else [`FieldReason::UnknownOption`].
pub(super) fn check_name(options: &[String], name: &str) -> Result<(), FieldReason> {
    match options.iter().any(|option| option == name) {
        true => Ok(()),
        false if name.is_empty() => Err(FieldReason::Missing),
        false => Err(FieldReason::UnknownOption),
    }
}

fn find_misnamed<'n>(options: &[String], names: impl Iterator<Item = &'n String>) -> Option<FieldReason> {
    let mut seen: Vec<&String> = Vec::new();
    let mut is_repeated = false;
    for name in names {
        if let Err(reason) = check_name(options, name) {
            return Some(reason);
        }
        // A reply may repeat a name a million times; the list stays as long as the options.
        if seen.contains(&name) {
            is_repeated = true;
        } else {
            seen.push(name);
        }
    }
    is_repeated.then_some(FieldReason::NamedTwice)
}

fn find_misscored(options: &[String], shares: &[(String, u32)]) -> Option<FieldReason> {
    match find_misnamed(options, shares.iter().map(|(name, _)| name)) {
        Some(FieldReason::NamedTwice) => Some(FieldReason::NotScored),
        None if shares.len() != options.len() => Some(FieldReason::NotScored),
        other => other,
    }
}
