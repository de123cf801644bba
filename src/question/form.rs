//! The faults of a form's values, and the shortest and longest values that a form allows.

use indexmap::IndexMap;

use super::number::write_number;
use crate::domain::{Decimal, Fault, Field, FieldKind, FieldValue, FieldValues, Form, Language, Presence};

/// Why a reply does not answer a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}", field.as_ref().map_or(String::new(), |field| format!("{field}: ")), reason.as_str())]
pub struct FieldFault {
    /// The field's id; `None` if the fault is one of the complete reply.
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
    /// The value, or the name of an option, is blank; or a required value is null.
    Missing,
    /// The value, or the complete reply, does not have the form that was asked for.
    Unreadable,
    /// The reply has two different answers to the field.
    SaidTwice,
    /// A name is no option of the field.
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
    /// There are more or fewer numbers or texts than asked for.
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
            FieldReason::WrongCount => "has too many or too few numbers or texts",
            FieldReason::TooShort => "is too short",
            FieldReason::TooLong => "is too long",
        }
    }

    /// The fault of an answer for this reason.
    pub fn as_fault(self) -> Fault {
        match self {
            FieldReason::NotAnswered | FieldReason::Unreadable | FieldReason::WrongCount => Fault::Unreadable,
            FieldReason::Missing => Fault::Empty,
            FieldReason::SaidTwice => Fault::Ambiguous,
            FieldReason::UnknownOption => Fault::UnknownAlternative,
            FieldReason::NamedTwice => Fault::NamedTwice,
            FieldReason::NotARanking => Fault::NotARanking,
            FieldReason::NotScored => Fault::NotScored,
            FieldReason::OutOfRange => Fault::OutOfRange,
            FieldReason::WrongTotal => Fault::WrongTotal,
            FieldReason::TooShort => Fault::TooShort,
            FieldReason::TooLong => Fault::TooLong,
        }
    }

    /// The reason as an identifier.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Field {
    /// A fault of this field.
    pub fn fault(&self, reason: FieldReason) -> FieldFault {
        FieldFault { field: Some(self.id.clone()), reason }
    }

    /// Whether its text may have several lines.
    pub fn is_passage(&self) -> bool {
        matches!(self.kind, FieldKind::Text { one_line: false, .. } | FieldKind::Texts { .. })
    }

    /// Whether the complete reply is its text, without an anchor.
    pub fn is_whole_reply(&self) -> bool {
        self.anchor.is_empty()
    }

    /// Whether words mean that the field has no value: the language's word for nothing, or blank words if a blank is no valid value.
    pub(super) fn is_nothing(&self, words: &str, language: Language) -> bool {
        match (self.presence, &self.kind) {
            (Presence::Required, _) => false,
            (_, FieldKind::Text { chars_min, .. }) => words.is_empty() && *chars_min > 0 || language.is_none(words),
            (Presence::MayBeLeftOut, _) => words.is_empty(),
            (Presence::MayBeNothing, _) => false,
        }
    }

    /// What the field asks for, in words for an author: `one of for, against, or null`.
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
            FieldKind::Texts { count_min, count_max, .. } => format!("a list of {count_min} to {count_max} texts"),
        };
        if self.presence == Presence::Required { what } else { format!("{what}, or null") }
    }

    /// Checks a value against the limits of [`FieldKind`].
    pub fn check_value(&self, value: FieldValue) -> Result<FieldValue, FieldFault> {
        find_fault(&self.kind, &value).map_or(Ok(value), |reason| Err(self.fault(reason)))
    }
}

/// Whether values are as short or as long as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerLength {
    /// As little as a form allows.
    Least,
    /// As much as it allows.
    Most,
}

/// Values of a form that take as few or as many characters as it allows. `words` writes a text between two lengths in characters.
///
/// # Panics
/// If a field of numbers allows none.
pub fn build_extreme_values(
    form: &Form,
    extent: AnswerLength,
    words: &dyn Fn(&Field, u32, u32) -> String,
) -> FieldValues {
    let extreme = |field: &Field| {
        let value = Some(extreme_value(field, extent, words));
        let nothing = match (&field.kind, field.presence) {
            (FieldKind::Approval { .. }, _) => Some(FieldValue::Options(Vec::new())),
            (_, Presence::Required) => return value,
            _ => None,
        };
        let length = |value: &Option<FieldValue>| {
            value.as_ref().map_or(form.language.none().len(), |value| value.told(form.language).len())
        };
        let is_longer = length(&nothing) > length(&value);
        if is_longer == (extent == AnswerLength::Least) { value } else { nothing }
    };
    form.fields.iter().map(extreme).collect()
}

fn extreme_value(field: &Field, extent: AnswerLength, words: &dyn Fn(&Field, u32, u32) -> String) -> FieldValue {
    let is_short = extent == AnswerLength::Least;
    let length = |name: &&String| name.len();
    match &field.kind {
        FieldKind::Choice { options } => {
            let name = if is_short { options.iter().min_by_key(length) } else { options.iter().max_by_key(length) };
            FieldValue::Words(name.map(String::as_str).unwrap_or_default().into())
        }
        FieldKind::Approval { options } if is_short => {
            FieldValue::Options(options.iter().min_by_key(length).cloned().into_iter().collect())
        }
        FieldKind::Approval { options } => FieldValue::Options(options.clone()),
        FieldKind::Ranking { options, truncated, top, .. } => {
            let most = top.map_or(options.len(), |top| options.len().min(top as usize));
            let ranked = if is_short && *truncated { 1 } else { most };
            FieldValue::Ranks(options.iter().take(ranked).map(|name| vec![name.clone()]).collect())
        }
        FieldKind::Score { options, max } => {
            let score = if is_short { 0 } else { *max };
            FieldValue::Shares(options.iter().map(|name| (name.clone(), score)).collect())
        }
        FieldKind::Allocation { options, points } => {
            // Few digits: nines, and the rest in one number. Many: tens, then hundreds and so on.
            let mut shares: IndexMap<String, u32> = options.iter().map(|name| (name.clone(), 0)).collect();
            let mut left = *points;
            let steps: &[u32] = if is_short { &[9] } else { &[10, 90, 900, 9_000, 90_000] };
            for step in steps {
                for share in shares.values_mut() {
                    if left >= *step {
                        *share += step;
                        left -= step;
                    }
                }
            }
            if let Some(first) = shares.values_mut().next() {
                *first += left;
            }
            FieldValue::Shares(shares)
        }
        FieldKind::Number { min, max, decimals } => {
            // A bound may be shorter than a number beside it: 10 and 9.5.
            let beside = (0..=3).flat_map(|by| [*min + by, *max - by]).filter(|units| (*min..=*max).contains(units));
            let round = (1..=u32::from(*decimals)).filter_map(|places| {
                let unit = 10_i64.pow(places);
                Some(min.div_euclid(unit) * unit + unit).filter(|units| units <= max)
            });
            let numbers = beside.chain(round).map(|units| Decimal::new(units, *decimals));
            let length = |number: &Decimal| number.to_string().len();
            let number = if is_short { numbers.min_by_key(length) } else { numbers.max_by_key(length) };
            FieldValue::Number(number.expect("invariant: a number lies within its bounds"))
        }
        FieldKind::Numbers { min, max, count } => {
            FieldValue::Numbers(vec![i64::from(if is_short { *min } else { *max }); *count as usize])
        }
        FieldKind::YesNo => FieldValue::YesNo(!is_short),
        FieldKind::Text { chars_min, chars_max, .. } => FieldValue::Words(words(field, *chars_min, *chars_max).into()),
        FieldKind::Texts { chars_min, chars_max, count_min, count_max } => {
            let count = if is_short { *count_min } else { *count_max };
            FieldValue::Options((0..count).map(|_| words(field, *chars_min, *chars_max)).collect())
        }
    }
}

/// Checks the values of a form, one for each field.
///
/// # Errors
/// The first fault, in the order of the fields.
pub fn check_values(form: &Form, values: &FieldValues) -> Result<(), FieldFault> {
    if form.fields.len() != values.len() {
        return Err(FieldFault { field: None, reason: FieldReason::Unreadable });
    }
    form.fields.iter().zip(values).try_for_each(|(field, value)| match value {
        None if field.presence == Presence::Required => Err(field.fault(FieldReason::Missing)),
        None => Ok(()),
        Some(value) => find_fault(&field.kind, value).map_or(Ok(()), |reason| Err(field.fault(reason))),
    })
}

fn find_fault(kind: &FieldKind, value: &FieldValue) -> Option<FieldReason> {
    match (kind, value) {
        (FieldKind::Choice { options }, FieldValue::Words(name)) => find_misnamed(options, std::iter::once(&**name)),
        (FieldKind::Approval { options }, FieldValue::Options(names)) => {
            find_misnamed(options, names.iter().map(String::as_str))
        }
        (FieldKind::Ranking { options, ties, truncated, top }, FieldValue::Ranks(ranks)) => {
            let named = ranks.iter().flatten().map(String::as_str);
            let count = named.clone().count();
            let is_full = (*truncated || count == options.len()) && top.is_none_or(|top| count <= top as usize);
            let are_apart = ranks.iter().all(|rank| rank.len() == 1 || *ties && !rank.is_empty());
            match find_misnamed(options, named) {
                Some(FieldReason::NamedTwice) => Some(FieldReason::NotARanking),
                None if ranks.is_empty() || !is_full || !are_apart => Some(FieldReason::NotARanking),
                other => other,
            }
        }
        (FieldKind::Score { options, max }, FieldValue::Shares(scores)) => find_misscored(options, scores)
            .or_else(|| scores.values().any(|score| score > max).then_some(FieldReason::OutOfRange)),
        (FieldKind::Allocation { options, points }, FieldValue::Shares(shares)) => {
            let sum: u64 = shares.values().copied().map(u64::from).sum();
            find_misscored(options, shares).or_else(|| (sum != u64::from(*points)).then_some(FieldReason::WrongTotal))
        }
        (FieldKind::Number { min, max, decimals }, FieldValue::Number(number)) => match number.in_units(*decimals) {
            Some(units) => (!(*min..=*max).contains(&units)).then_some(FieldReason::OutOfRange),
            None => Some(FieldReason::Unreadable),
        },
        (FieldKind::Numbers { min, max, count }, FieldValue::Numbers(numbers)) => {
            let bounds = i64::from(*min)..=i64::from(*max);
            if numbers.len() != *count as usize {
                Some(FieldReason::WrongCount)
            } else {
                numbers.iter().any(|number| !bounds.contains(number)).then_some(FieldReason::OutOfRange)
            }
        }
        (FieldKind::YesNo, FieldValue::YesNo(_)) => None,
        (FieldKind::Text { chars_min, chars_max, one_line }, FieldValue::Words(text)) => {
            let broken = || if *one_line { find_break(text) } else { None };
            find_shortness(text, *chars_min).or_else(broken).or_else(|| find_length(text, *chars_max))
        }
        (FieldKind::Texts { chars_min, chars_max, count_min, count_max }, FieldValue::Options(texts)) => {
            let fits = (*count_min..=*count_max).contains(&(texts.len() as u32));
            let misfit = |text: &String| {
                find_shortness(text, *chars_min).or_else(|| find_break(text)).or_else(|| find_length(text, *chars_max))
            };
            if fits { texts.iter().find_map(misfit) } else { Some(FieldReason::WrongCount) }
        }
        _ => Some(FieldReason::Unreadable),
    }
}

/// Whether a text has fewer than `least` characters.
fn find_shortness(text: &str, least: u32) -> Option<FieldReason> {
    if text.is_empty() && least > 0 {
        Some(FieldReason::Missing)
    } else {
        (text.chars().count() < least as usize).then_some(FieldReason::TooShort)
    }
}

/// Whether a text that must have one line has more.
fn find_break(text: &str) -> Option<FieldReason> {
    text.contains(['\n', '\r']).then_some(FieldReason::Unreadable)
}

/// Whether a text has more than `most` characters.
fn find_length(text: &str, most: u32) -> Option<FieldReason> {
    (text.chars().count() > most as usize).then_some(FieldReason::TooLong)
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

/// The first fault of names that must be different options.
fn find_misnamed<'n>(options: &[String], names: impl Iterator<Item = &'n str>) -> Option<FieldReason> {
    let mut seen: Vec<&str> = Vec::new();
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

/// The first fault of names that must be all options, in any order.
fn find_misscored(options: &[String], shares: &IndexMap<String, u32>) -> Option<FieldReason> {
    match find_misnamed(options, shares.keys().map(String::as_str)) {
        None if shares.len() != options.len() => Some(FieldReason::NotScored),
        other => other,
    }
}
