//! Laws of forms: what a form allows survives in all three ways, and whatever else is read is allowed, too.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::lines::write_value;
use super::*;
use crate::domain::{Decimal, Field, FieldKind, FieldValue, FieldValues, Form, Language, NUMBER_MAX, Presence};

const NAMES: [&str; 6] = ["for", "against", "later", "no_tax", "half", "all_of_it"];

fn options() -> impl Strategy<Value = Vec<String>> {
    prop::sample::subsequence(NAMES.to_vec(), 1..=NAMES.len())
        .prop_shuffle()
        .prop_map(|names| names.into_iter().map(str::to_owned).collect())
}

fn kind() -> impl Strategy<Value = FieldKind> {
    prop_oneof![
        options().prop_map(|options| FieldKind::Choice { options }),
        options().prop_map(|options| FieldKind::Approval { options }),
        (options(), any::<bool>(), any::<bool>(), prop::option::of(1_u32..9)).prop_map(
            |(options, ties, truncated, top)| {
                FieldKind::Ranking { options, ties, truncated, top: top.filter(|_| truncated) }
            }
        ),
        (options(), 1_u32..200).prop_map(|(options, max)| FieldKind::Score { options, max }),
        (options(), 1_u32..200).prop_map(|(options, points)| FieldKind::Allocation { options, points }),
        (-NUMBER_MAX..=NUMBER_MAX, -NUMBER_MAX..=NUMBER_MAX, 0_u8..6).prop_map(|(one, other, decimals)| {
            FieldKind::Number { min: one.min(other), max: one.max(other), decimals }
        }),
        (0_u32..9, 9_u32..200, 1_u32..4).prop_map(|(min, max, count)| FieldKind::Numbers { min, max, count }),
        Just(FieldKind::YesNo),
        (0_u32..4, 4_u32..60, any::<bool>()).prop_map(|(chars_min, chars_max, one_line)| FieldKind::Text {
            chars_min,
            chars_max,
            one_line
        }),
        (1_u32..4, 4_u32..60, 1_u32..3, 3_u32..5).prop_map(|(chars_min, chars_max, count_min, count_max)| {
            FieldKind::Texts { chars_min, chars_max, count_min, count_max }
        }),
    ]
}

fn form() -> impl Strategy<Value = Form> {
    let language = prop::sample::select(vec![Language::En, Language::Es, Language::Zh]);
    let presence = prop::sample::select(vec![Presence::Required, Presence::MayBeNothing, Presence::MayBeLeftOut]);
    (prop::collection::vec((kind(), presence), 1..5), language).prop_map(|(kinds, language)| {
        let is_text = kinds.len() == 1 && matches!(kinds[0].0, FieldKind::Text { .. });
        let field = |(place, (kind, presence))| {
            let presence = if matches!(kind, FieldKind::Approval { .. }) { Presence::Required } else { presence };
            let id = format!("{}_{place}", ["choice", "words", "how_much"][place % 3]);
            let anchor = if is_text && presence == Presence::Required { String::new() } else { id.to_uppercase() };
            Field { anchor, id, kind, presence }
        };
        Form { fields: kinds.into_iter().enumerate().map(field).collect(), language }
    })
}

/// A value that the field allows, drawn from a number.
fn draw_value(kind: &FieldKind, lot: u64) -> FieldValue {
    let pick = |many: usize, salt: u64| {
        (lot.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(salt as u32) % many.max(1) as u64) as usize
    };
    let turned = |options: &[String]| {
        let mut options = options.to_vec();
        let by = pick(options.len(), 7);
        options.rotate_left(by);
        options
    };
    match kind {
        FieldKind::Choice { options } => FieldValue::Words(options[pick(options.len(), 3)].clone().into()),
        FieldKind::Approval { options } => FieldValue::Options(turned(options)[..pick(options.len() + 1, 5)].to_vec()),
        FieldKind::Ranking { options, ties, truncated, top } => {
            let mut names = turned(options);
            if *truncated {
                let most = top.map_or(options.len(), |top| options.len().min(top as usize));
                names.truncate(1 + pick(most, 9));
            }
            let size = if *ties { 1 + pick(3, 11) } else { 1 };
            FieldValue::Ranks(names.chunks(size).map(<[String]>::to_vec).collect())
        }
        FieldKind::Score { options, max } => {
            let score = |(place, name)| (name, pick(*max as usize + 1, place as u64) as u32);
            FieldValue::Shares(turned(options).into_iter().enumerate().map(score).collect())
        }
        FieldKind::Allocation { options, points } => {
            let mut left = *points;
            let last = options.len() - 1;
            let share = |(place, name)| {
                let share = if place == last { left } else { pick(left as usize + 1, place as u64) as u32 };
                left -= share;
                (name, share)
            };
            FieldValue::Shares(options.iter().cloned().enumerate().map(share).collect())
        }
        FieldKind::Number { min, max, decimals } => {
            FieldValue::Number(Decimal::new(min + (lot % ((max - min) as u64 + 1)) as i64, *decimals))
        }
        FieldKind::Numbers { min, max, count } => {
            let number = |place| i64::from(*min) + pick((max - min) as usize + 1, u64::from(place)) as i64;
            FieldValue::Numbers((0..*count).map(number).collect())
        }
        FieldKind::YesNo => FieldValue::YesNo(lot.is_multiple_of(2)),
        FieldKind::Text { chars_min, chars_max, one_line } => {
            let text = draw_text(*chars_min, *chars_max, lot);
            FieldValue::Words(if *one_line { text.replace('\n', "/").into() } else { text.into() })
        }
        FieldKind::Texts { chars_min, chars_max, count_min, count_max } => {
            let count = count_min + pick((count_max - count_min) as usize + 1, 13) as u32;
            let text = |place: u32| draw_text(*chars_min, *chars_max, lot.rotate_left(place)).replace('\n', "/");
            FieldValue::Options((0..count).map(text).collect())
        }
    }
}

fn draw_text(chars_min: u32, chars_max: u32, lot: u64) -> String {
    let words = "Ja7: 艾\"a\\b\"\nso = it > goes, 3.5 and on. ";
    // A text that may be blank is not drawn blank: where it may also be nothing, a blank one is nothing in lines.
    let length = u64::from(chars_min.max(1)) + lot % u64::from(chars_max - chars_min.max(1) + 1);
    let drawn: String = words.chars().cycle().skip((lot % 17) as usize).take(length as usize).collect();
    // Blank space around a text does not count.
    let inner = drawn.trim();
    format!("{inner}{}", "x".repeat(length as usize - inner.chars().count()))
}

/// FieldValues that the form allows, drawn from as many numbers as it has fields.
pub(crate) fn draw_values(form: &Form, lots: &[u64]) -> FieldValues {
    let value = |(field, lot): (&Field, &u64)| {
        let is_empty = field.presence != Presence::Required && lot.is_multiple_of(3);
        (!is_empty).then(|| draw_value(&field.kind, *lot))
    };
    form.fields.iter().zip(lots).map(value).collect()
}

/// Writes values as a reply in JSON.
pub(crate) fn write_json(form: &Form, values: &FieldValues) -> String {
    assert_eq!(form.fields.len(), values.len(), "invariant: each field has its value");
    let write = |field: &Field, value: &FieldValue| match value {
        FieldValue::Words(words) => json!(words),
        FieldValue::Options(names) => json!(names),
        FieldValue::Ranks(ranks) if matches!(field.kind, FieldKind::Ranking { ties: true, .. }) => json!(ranks),
        FieldValue::Ranks(ranks) => json!(ranks.iter().flatten().collect::<Vec<_>>()),
        FieldValue::Shares(shares) => json!(shares),
        FieldValue::Number(number) => json!(number),
        FieldValue::Numbers(numbers) => json!(numbers),
        FieldValue::YesNo(yes) => json!(if *yes { form.language.yes() } else { form.language.no() }),
    };
    let fields = form.fields.iter().zip(values);
    let fields = fields
        .map(|(field, value)| (field.id.clone(), value.as_ref().map_or(Value::Null, |value| write(field, value))));
    Value::Object(fields.collect()).to_string()
}

/// Writes values as a person types them; by lines if there is a value that is typed by its anchor only.
pub(crate) fn write_typed(form: &Form, values: &FieldValues) -> String {
    assert_eq!(form.fields.len(), values.len(), "invariant: each field has its value");
    let mut fields: Vec<(&Field, &Option<FieldValue>)> = form.fields.iter().zip(values).collect();
    fields.sort_by_key(|(field, _)| field.is_passage());
    let later_texts = fields.iter().filter(|(field, _)| field.is_passage()).skip(1);
    if later_texts.clone().any(|(field, value)| value.is_some() || field.presence != Presence::MayBeLeftOut) {
        return write_lines(form, values);
    }
    let typed = fields.len() - later_texts.count();
    fields.truncate(typed);
    let lines = fields.into_iter().map(|(field, value)| match (&field.kind, value) {
        (_, None) => form.language.none().to_owned(),
        (FieldKind::Choice { options }, Some(FieldValue::Words(name))) => options
            .iter()
            .position(|option| **option == **name)
            .map_or(name.to_string(), |place| (place + 1).to_string()),
        (_, Some(value)) => write_value(field, value, form),
    });
    lines.collect::<Vec<String>>().join("\n")
}

proptest! {
    #[test]
    fn every_value_that_a_form_allows_survives_in_all_three_ways(form in form(), lots in prop::collection::vec(any::<u64>(), 4)) {
        let values = draw_values(&form, &lots);
        let json = write_json(&form, &values);
        prop_assert_eq!(read_json(&form, &json), Ok(values.clone()), "{}", &json);
        let lines = write_lines(&form, &values);
        prop_assert_eq!(read_lines(&form, &lines), Ok(values.clone()), "{}", &lines);
        let typed = write_typed(&form, &values);
        prop_assert_eq!(read_typed(&form, &typed), Ok(values.clone()), "{}", &typed);
    }

    #[test]
    fn whatever_is_read_is_allowed_and_is_read_the_same_when_it_is_written_again(
        form in form(),
        lots in prop::collection::vec(any::<u64>(), 4),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), "[ a-z0-9:,=>{}\\[\\]\"\n.-]{0,3}"), 0..4),
    ) {
        let values = draw_values(&form, &lots);
        type Read = fn(&Form, &str) -> Result<FieldValues, FieldFault>;
        let ways: [(String, Read); 3] = [
            (write_json(&form, &values), read_json),
            (write_lines(&form, &values), read_lines),
            (write_typed(&form, &values), read_typed),
        ];
        for (written, read) in ways {
            let mut raw = written.clone();
            for (place, piece) in &cuts {
                let mut place = place.index(raw.len() + 1);
                while !raw.is_char_boundary(place) {
                    place -= 1;
                }
                raw.insert_str(place, piece);
            }
            if let Ok(found) = read(&form, &raw) {
                prop_assert_eq!(found.len(), form.fields.len());
                for (field, value) in form.fields.iter().zip(&found) {
                    match value {
                        None => prop_assert!(field.presence != Presence::Required),
                        Some(value) => prop_assert_eq!(field.check_value(value.clone()), Ok(value.clone())),
                    }
                }
                prop_assert_eq!(read_json(&form, &write_json(&form, &found)), Ok(found));
            }
        }
    }

    #[test]
    fn prose_around_an_option_or_a_number_is_never_an_answer(before in "[A-Za-z]{2,9} ", behind in " [A-Za-z]{2,9}", number in 0_u32..9999) {
        let number_kind = FieldKind::Number { min: 0, max: 100_000, decimals: 0 };
        for (kind, words) in [(number_kind, number.to_string()), (FieldKind::Choice { options: vec!["for".to_owned()] }, "for".to_owned())] {
            let field = Field { id: "it".to_owned(), anchor: "IT".to_owned(), kind, presence: Presence::Required };
            let form = Form { fields: vec![field], language: Language::En };
            for prose in [format!("{before}{words}"), format!("{words}{behind}"), format!("{before}{words}{behind}")] {
                prop_assert!(read_lines(&form, &format!("IT: {prose}")).is_err(), "{prose}");
                prop_assert!(read_lines(&form, &prose).is_err());
                prop_assert!(read_typed(&form, &prose).is_err());
                let (within, behind) = (serde_json::json!({ "it": prose }).to_string(), serde_json::json!({ "it": words }));
                prop_assert!(read_json(&form, &within).is_err());
                let around = format!("{prose} {behind}");
                prop_assert!(read_json(&form, &around).is_err());
            }
        }
    }

    #[test]
    fn a_number_is_read_as_it_was_written(value in -NUMBER_MAX..=NUMBER_MAX, decimals in 0_u8..6) {
        for language in [Language::En, Language::Es, Language::Zh] {
            prop_assert_eq!(read_number(&write_number(value, language, decimals), language, decimals), Ok(value));
        }
    }
}
