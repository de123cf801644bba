//! Forms: what a question asks for, field by field.

use super::number::write_number;
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
    /// The word that begins its line in a reply by lines, in the language of the form, without the colon. Empty for the only field of
    /// a form if it is a text: then the whole reply is the text.
    pub anchor: String,
    /// What it asks for.
    pub kind: FieldKind,
    /// Whether it must be answered. An approval must be: it may approve of nothing.
    pub presence: Presence,
}

/// Whether a field must be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must have a value.
    Required,
    /// It must be answered, but by `null`, or by the word for nothing, if it has no value.
    MayBeNothing,
    /// It may also be left out.
    MayBeLeftOut,
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
    /// Several whole numbers in a fixed order, between the same bounds.
    Numbers {
        /// The least.
        min: u32,
        /// The greatest.
        max: u32,
        /// How many.
        count: u32,
    },
    /// Yes or no.
    YesNo,
    /// A text; blank space around it does not count.
    Text {
        /// The least number of characters; 0 if it may be blank.
        chars_min: u32,
        /// The greatest number of characters.
        chars_max: u32,
        /// Whether it is one line.
        one_line: bool,
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
    /// Several numbers.
    Numbers(Vec<i64>),
    /// Yes or no.
    YesNo(bool),
    /// A text without blank space around it.
    Text(String),
}

/// The values of a form, one for each field; `None` for a field without a value that may have none.
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
    /// The field does not occur in the reply.
    NotAnswered,
    /// The value, or the name of an option, is blank, or it is nothing where there must be something.
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
    /// There are more or fewer numbers than asked for.
    WrongCount,
    /// The text is too short.
    TooShort,
    /// The text is too long.
    TooLong,
}

impl FieldReason {
    /// The reason in words for an author.
    pub fn describe(self) -> &'static str {
        match self {
            FieldReason::NotAnswered => "is missing",
            FieldReason::Missing => "has no value",
            FieldReason::Unreadable => "does not have the form asked for",
            FieldReason::SaidTwice => "is answered twice",
            FieldReason::UnknownOption => "names something that is not on offer",
            FieldReason::NamedTwice => "names an option twice",
            FieldReason::NotARanking => "does not rank every option once",
            FieldReason::NotScored => "does not score every option once",
            FieldReason::OutOfRange => "is out of range",
            FieldReason::WrongTotal => "does not add up",
            FieldReason::WrongCount => "has too many or too few numbers",
            FieldReason::TooShort => "is too short",
            FieldReason::TooLong => "is too long",
        }
    }

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

    /// Whether it is a text of several lines.
    pub fn is_passage(&self) -> bool {
        matches!(self.kind, FieldKind::Text { one_line: false, .. })
    }

    /// Whether the whole reply is its text.
    pub fn is_whole_reply(&self) -> bool {
        self.anchor.is_empty()
    }

    /// Whether words say that it has no value: the word for nothing in a text, and blank words where they are no value of it.
    pub(super) fn is_nothing(&self, words: &str, language: Language) -> bool {
        match (self.presence, &self.kind) {
            (Presence::Required, _) => false,
            (_, FieldKind::Text { chars_min, .. }) => words.is_empty() && *chars_min > 0 || language.is_none(words),
            (Presence::MayBeLeftOut, _) => words.is_empty(),
            (Presence::MayBeNothing, _) => false,
        }
    }

    /// What it asks for, for an author: `one of for, against, or null`.
    pub fn describe(&self) -> String {
        let named = |options: &[String]| options.join(", ");
        let what = match &self.kind {
            FieldKind::Choice { options } => format!("one of {}", named(options)),
            FieldKind::Approval { options } => format!("a list of any of {}", named(options)),
            FieldKind::Ranking { options, .. } => format!("a list from best to worst of {}", named(options)),
            FieldKind::Score { options, max } => format!("a number from 0 to {max} for each of {}", named(options)),
            FieldKind::Allocation { options, points } => format!("{points} points shared among {}", named(options)),
            FieldKind::Number { min, max, decimals } => {
                let [min, max] = [min, max].map(|bound| write_number(*bound, Language::En, *decimals));
                format!("a number from {min} to {max}")
            }
            FieldKind::Numbers { min, max, count } => format!("a list of {count} numbers from {min} to {max}"),
            FieldKind::YesNo => "true or false".to_owned(),
            FieldKind::Text { .. } => "a text".to_owned(),
        };
        if self.presence == Presence::Required { what } else { format!("{what}, or null") }
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
        (FieldKind::Numbers { min, max, count }, FieldValue::Numbers(numbers)) => {
            let bounds = i64::from(*min)..=i64::from(*max);
            if numbers.len() != *count as usize {
                Some(FieldReason::WrongCount)
            } else {
                numbers.iter().any(|number| !bounds.contains(number)).then_some(FieldReason::OutOfRange)
            }
        }
        (FieldKind::YesNo, FieldValue::YesNo(_)) => None,
        (FieldKind::Text { chars_min, chars_max, one_line }, FieldValue::Text(text)) => {
            let chars = text.chars().count();
            if text.is_empty() && *chars_min > 0 {
                Some(FieldReason::Missing)
            } else if chars < *chars_min as usize {
                Some(FieldReason::TooShort)
            } else if *one_line && text.contains(['\n', '\r']) {
                Some(FieldReason::Unreadable)
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
