//! Functions of lists. Missing elements are left out.

use std::sync::Arc;

use super::failure::FailureCause;
use super::function::Function;
use super::number::Fraction;
use super::value::Value;

/// The value of a function of one list that reads nothing else.
pub(super) fn apply_to_list(function: Function, items: &[Value]) -> Result<Value, FailureCause> {
    match function {
        Function::Count => Ok(count_to_value(list_given(items).count())),
        Function::Share => share_of_true(items),
        Function::Sorted => sort_ascending(items),
        Function::Sum => Ok(Value::Number(add_numbers(items)?)),
        _ => {
            let numbers = collect_numbers(items)?;
            if numbers.is_empty() {
                return Ok(Value::Missing);
            }
            match function {
                Function::Mean => Ok(Value::Number(find_mean(&numbers)?)),
                Function::Median => find_quantile(numbers, Fraction::from_fraction(1, 2)?),
                Function::Sd => find_deviation(&numbers),
                Function::Min => Ok(numbers.into_iter().min().map_or(Value::Missing, Value::Number)),
                Function::Max => Ok(numbers.into_iter().max().map_or(Value::Missing, Value::Number)),
                _ => Err(FailureCause::Unchecked),
            }
        }
    }
}

/// The sum of the numbers in a list; 0 if there are none.
pub(super) fn add_numbers(items: &[Value]) -> Result<Fraction, FailureCause> {
    list_given(items).try_fold(Fraction::ZERO, |sum, item| sum.checked_add(require_number(item)?))
}

/// The quantile of type 7 (Hyndman and Fan 1996), the default of R and NumPy; missing if there are no numbers.
pub(super) fn quantile_of_list(items: &[Value], share: Fraction) -> Result<Value, FailureCause> {
    if share.is_negative() || share > Fraction::ONE {
        return Err(FailureCause::Undefined("the share of a quantile is not between 0 and 1"));
    }
    find_quantile(collect_numbers(items)?, share)
}

fn find_quantile(mut numbers: Vec<Fraction>, share: Fraction) -> Result<Value, FailureCause> {
    numbers.sort_unstable();
    let Some(last) = numbers.len().checked_sub(1) else { return Ok(Value::Missing) };
    let place = share.checked_mul(count_to_number(last))?;
    let below = usize::try_from(place.floor().numerator()).unwrap_or(last).min(last);
    let (low, high) = (numbers[below], numbers[(below + 1).min(last)]);
    let step = place.checked_sub(place.floor())?.checked_mul(high.checked_sub(low)?)?;
    Ok(Value::Number(low.checked_add(step)?))
}

/// The place of a value in a list, from 1; missing if an option, a seat or a text is not in the list.
///
/// A number has 1 plus the count of larger numbers, so the largest has 1 and equal numbers share the better place. Anything else has
/// the place of its first occurrence.
pub(super) fn rank_in_list(value: &Value, items: &[Value]) -> Result<Value, FailureCause> {
    let is_among_numbers = || items.iter().any(|item| matches!(item, Value::Number(_)));
    if let Some(number) = value.as_number().filter(|_| matches!(value, Value::Number(_)) || is_among_numbers()) {
        let larger = collect_numbers(items)?.into_iter().filter(|other| *other > number).count();
        return Ok(count_to_value(larger + 1));
    }
    for (place, item) in list_given(items).enumerate() {
        if are_equal(value, item)? {
            return Ok(count_to_value(place + 1));
        }
    }
    Ok(Value::Missing)
}

/// The n largest numbers of a list, largest first; of anything else, the first n.
pub(super) fn take_top(items: &[Value], n: Fraction) -> Result<Value, FailureCause> {
    let n = match n.to_integer() {
        Some(n) if n >= 0 => usize::try_from(n).unwrap_or(usize::MAX),
        _ => return Err(FailureCause::Undefined("the number of elements for `top` is not a whole number from 0")),
    };
    let mut kept: Vec<Value> = list_given(items).cloned().collect();
    if kept.iter().any(|item| matches!(item, Value::Number(_))) {
        let mut numbers = collect_numbers(&kept)?;
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        kept = numbers.into_iter().map(Value::Number).collect();
    }
    kept.truncate(n);
    Ok(Value::List(kept.into()))
}

/// Whether two values that are given are equal.
pub(super) fn are_equal(left: &Value, right: &Value) -> Result<bool, FailureCause> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => Ok(left == right),
        (Value::YesNo(left), Value::YesNo(right)) => Ok(left == right),
        (Value::Text(left), Value::Text(right)) => Ok(left == right),
        (Value::Option(left), Value::Option(right)) => Ok(left.option == right.option),
        (Value::Seat(left), Value::Seat(right)) => Ok(left == right),
        // The key of an item is a text, and a number or yes or no may be meant.
        (text @ Value::Text(_), Value::Number(number)) | (Value::Number(number), text @ Value::Text(_)) => {
            Ok(text.as_number() == Some(*number))
        }
        (text @ Value::Text(_), Value::YesNo(yes)) | (Value::YesNo(yes), text @ Value::Text(_)) => {
            Ok(text.as_truth() == Some(*yes))
        }
        _ => Err(FailureCause::Unchecked),
    }
}

/// The elements that are not missing.
pub(super) fn list_given(items: &[Value]) -> impl Iterator<Item = &Value> {
    items.iter().filter(|item| !matches!(item, Value::Missing))
}

fn collect_numbers(items: &[Value]) -> Result<Vec<Fraction>, FailureCause> {
    list_given(items).map(require_number).collect()
}

fn require_number(value: &Value) -> Result<Fraction, FailureCause> {
    value.as_number().ok_or(FailureCause::Unchecked)
}

fn share_of_true(items: &[Value]) -> Result<Value, FailureCause> {
    let conditions = list_given(items).map(|item| match item.as_truth() {
        Some(is_true) => Ok(Fraction::from(u8::from(is_true))),
        None => Err(FailureCause::Unchecked),
    });
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    if conditions.is_empty() { Ok(Value::Missing) } else { find_mean(&conditions).map(Value::Number) }
}

/// Numbers from the smallest, or texts by their code points.
fn sort_ascending(items: &[Value]) -> Result<Value, FailureCause> {
    let texts = list_given(items).map(|item| match item {
        Value::Text(text) => Some(Arc::clone(text)),
        _ => None,
    });
    if let Some(mut texts) = texts.collect::<Option<Vec<_>>>() {
        texts.sort_unstable();
        return Ok(Value::List(texts.into_iter().map(Value::Text).collect()));
    }
    let mut numbers = collect_numbers(items)?;
    numbers.sort_unstable();
    Ok(Value::List(numbers.into_iter().map(Value::Number).collect()))
}

fn find_mean(numbers: &[Fraction]) -> Result<Fraction, FailureCause> {
    let sum = numbers.iter().try_fold(Fraction::ZERO, |sum, number| sum.checked_add(*number))?;
    sum.checked_div(count_to_number(numbers.len()))
}

/// The standard deviation of a sample: the sum of squares is divided by n − 1. Missing for one number.
fn find_deviation(numbers: &[Fraction]) -> Result<Value, FailureCause> {
    if numbers.len() < 2 {
        return Ok(Value::Missing);
    }
    let mean = find_mean(numbers)?;
    let mut squares = Fraction::ZERO;
    for number in numbers {
        let distance = number.checked_sub(mean)?;
        squares = squares.checked_add(distance.checked_mul(distance)?)?;
    }
    Ok(Value::Number(squares.checked_div(count_to_number(numbers.len() - 1))?.square_root()?))
}

fn count_to_number(count: usize) -> Fraction {
    Fraction::from(u64::try_from(count).expect("invariant: a list has fewer than 2^64 elements"))
}

fn count_to_value(count: usize) -> Value {
    Value::Number(count_to_number(count))
}
