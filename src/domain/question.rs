//! A question as a form: what it asks for, field by field, and the values that are answered. How replies are asked for and read is
//! not here.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Decimal, Language, NamedValues};

/// The greatest number of a field, in units of its last decimal place. Greater ones would lose digits in JSON.
pub const NUMBER_MAX: i64 = 1_000_000_000_000_000;
/// The greatest score, and the most points that are shared.
pub const POINTS_MAX: u32 = 1_000_000;

/// A form. Its fields are asked and answered together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Form {
    /// The fields, in the order in which they are asked.
    pub fields: Vec<Field>,
    /// The language of fixed words and figures.
    pub language: Language,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
        /// How many may be ranked at most; `None` if all may.
        top: Option<u32>,
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
    /// Several texts, each of one line; blank space around them does not count.
    Texts {
        /// The least number of characters of each; at least 1.
        chars_min: u32,
        /// The greatest number of characters of each.
        chars_max: u32,
        /// The least number of texts; at least 1.
        count_min: u32,
        /// The greatest number of texts.
        count_max: u32,
    },
}

impl FieldKind {
    /// Gives it the bounds of amounts, if it is a number.
    pub fn set_amounts(&mut self, amounts: std::ops::RangeInclusive<u32>) {
        if let FieldKind::Number { min, max, .. } = self {
            (*min, *max) = (i64::from(*amounts.start()), i64::from(*amounts.end()));
        }
    }

    /// Gives it other options, if it has any.
    pub fn set_options(&mut self, names: Vec<String>) {
        match self {
            FieldKind::Choice { options }
            | FieldKind::Approval { options }
            | FieldKind::Ranking { options, .. }
            | FieldKind::Score { options, .. }
            | FieldKind::Allocation { options, .. } => *options = names,
            FieldKind::Number { .. }
            | FieldKind::Numbers { .. }
            | FieldKind::YesNo
            | FieldKind::Text { .. }
            | FieldKind::Texts { .. } => {}
        }
    }
}

/// A form as it is put to seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormAsked {
    /// The form.
    pub form: Form,
    /// The words that ask for each field, in the order of the fields.
    pub questions: Vec<String>,
    /// What fields measure about the motion, by their ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(String, Measure)>,
}

/// What a field of a form measures about the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The alternative that a seat favours: a choice among the alternatives.
    Stance,
    /// How far a seat favours the first of two alternatives, from the least number to the greatest; the amount where an amount alone is
    /// decided.
    Opinion,
    /// All alternatives, the best first.
    Ranking,
    /// How certain a seat is of the stance or the ranking in its form, from the least number to the greatest.
    Certainty,
}

/// A value of a field. Options are named as in the form. In the minutes it is the JSON that its kind suggests: a text, a list of
/// names, a list of ranks, names with shares, a number, a list of numbers, `true` or `false`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// Yes or no.
    YesNo(bool),
    /// A number.
    Number(Decimal),
    /// One option, or a text without blank space around it.
    Words(Arc<str>),
    /// The options approved of, or several texts, in the order written.
    Options(Vec<String>),
    /// The ranks from best to worst; options of one rank stand together.
    Ranks(Vec<Vec<String>>),
    /// Several whole numbers.
    Numbers(Vec<i64>),
    /// Scores or points, in the order written.
    Shares(IndexMap<String, u32>),
}

/// The values of a form, one for each field; `None` for a field without a value that may have none.
pub type FieldValues = Vec<Option<FieldValue>>;

impl Form {
    /// Names the values of the form.
    ///
    /// # Panics
    /// If there is not one value for each field.
    pub fn name_values(&self, values: FieldValues) -> NamedValues {
        assert_eq!(self.fields.len(), values.len(), "invariant: each field has its value");
        self.fields.iter().map(|field| field.id.clone()).zip(values).collect()
    }

    /// The values in the order of the fields; `None` if they are not those of this form.
    pub fn order_values(&self, values: &NamedValues) -> Option<FieldValues> {
        let are_own = self.fields.iter().map(|field| field.id.as_str()).eq(values.iter().map(|(name, _)| name));
        are_own.then(|| values.iter().map(|(_, value)| value.cloned()).collect())
    }
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            FieldValue::YesNo(yes) => yes.serialize(serializer),
            FieldValue::Number(number) => number.serialize(serializer),
            FieldValue::Words(words) => words.serialize(serializer),
            FieldValue::Options(names) => names.serialize(serializer),
            FieldValue::Ranks(ranks) => ranks.serialize(serializer),
            FieldValue::Numbers(numbers) => numbers.serialize(serializer),
            FieldValue::Shares(shares) => shares.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FieldValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        FieldValue::from_json(&value).ok_or_else(|| D::Error::custom(format!("{value} is no value of a field")))
    }
}

impl FieldValue {
    /// The value that a JSON value stands for; `None` if it is none of a field. An empty list is one of names.
    pub fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(yes) => Some(FieldValue::YesNo(*yes)),
            Value::Number(number) => Decimal::from_json(number).map(FieldValue::Number),
            Value::String(words) => Some(FieldValue::Words(words.as_str().into())),
            Value::Array(values) => {
                let names = |values: &[Value]| -> Option<Vec<String>> {
                    values.iter().map(|name| name.as_str().map(str::to_owned)).collect()
                };
                let ranks = || values.iter().map(|rank| names(rank.as_array()?)).collect::<Option<_>>();
                let numbers = || values.iter().map(Value::as_i64).collect::<Option<_>>();
                let names = names(values).map(FieldValue::Options);
                names.or_else(|| ranks().map(FieldValue::Ranks)).or_else(|| numbers().map(FieldValue::Numbers))
            }
            Value::Object(shares) => {
                let share =
                    |(name, share): (&String, &Value)| Some((name.clone(), u32::try_from(share.as_u64()?).ok()?));
                shares.iter().map(share).collect::<Option<_>>().map(FieldValue::Shares)
            }
        }
    }

    /// The value in words, as a reply by lines has it.
    pub fn told(&self, language: Language) -> String {
        match self {
            FieldValue::YesNo(true) => language.yes().to_owned(),
            FieldValue::YesNo(false) => language.no().to_owned(),
            FieldValue::Number(number) => number.told(language),
            FieldValue::Words(words) => words.to_string(),
            FieldValue::Options(names) if names.is_empty() => language.none().to_owned(),
            FieldValue::Options(names) => names.join(", "),
            FieldValue::Ranks(ranks) => ranks.iter().map(|rank| rank.join(" = ")).collect::<Vec<_>>().join(" > "),
            FieldValue::Numbers(numbers) => numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
            FieldValue::Shares(shares) => {
                shares.iter().map(|(name, share)| format!("{name} = {share}")).collect::<Vec<_>>().join(", ")
            }
        }
    }
}
