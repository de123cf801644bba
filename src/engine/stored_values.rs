//! Values of the record as expressions read them.

use crate::domain::{FieldValue, Truth};
use crate::expression::{Fraction, Value};

/// What is right, as expressions read it.
pub(super) fn read_truth(truth: &Truth) -> Value {
    match truth {
        Truth::Alternative(name) => Value::Text(name.as_str().into()),
        Truth::Amount(amount) => Value::Number(Fraction::from(*amount)),
    }
}

/// A value of a field as expressions read it.
pub(super) fn read_value(value: &FieldValue) -> Value {
    let texts = |names: &mut dyn Iterator<Item = &String>| {
        Value::List(names.map(|name| Value::Text(name.as_str().into())).collect())
    };
    match value {
        FieldValue::YesNo(yes) => Value::YesNo(*yes),
        FieldValue::Number(number) => {
            let (units, unit) = number.to_fraction();
            Value::Number(
                Fraction::from_fraction(units.into(), unit.into()).expect("invariant: a decimal is a fraction"),
            )
        }
        FieldValue::Words(words) => Value::Text(words.clone()),
        FieldValue::Options(names) => texts(&mut names.iter()),
        FieldValue::Ranks(ranks) => texts(&mut ranks.iter().flatten()),
        FieldValue::Shares(shares) => {
            let points =
                shares.iter().map(|(name, points)| (Value::Text(name.as_str().into()), Fraction::from(*points)));
            Value::Points(points.collect())
        }
        FieldValue::Numbers(_) => Value::Missing,
    }
}
