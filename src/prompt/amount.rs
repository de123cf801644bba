//! Amounts: what counts as one in a reply, and with which alternatives one may, must or must not be named.

use serde_json::Value;

use crate::domain::{Ask, Choice, Fault, Motion};

/// Decimals after which a point still reads as a decimal point only: in `15.000k` it may stand between thousands.
const DECIMALS_MAX: usize = 2;

/// Reads an amount in English figures: `15000`, `15,000`, `$15,000`, `15k`, `12.5k`, with blank space around the number and
/// its dollar sign. Nothing is guessed: commas must stand between thousands, a point is allowed only before `k` and one or
/// two decimals, and the result must be a whole number. There may be no sign, no exponent and no other word.
///
/// # Errors
/// * [`Fault::AmountUnreadable`]: it is not of this form.
/// * [`Fault::AmountOutOfRange`]: it is greater than any `u32`.
pub fn read_amount(text: &str) -> Result<u32, Fault> {
    let text = text.trim();
    let text = text.strip_prefix('$').map_or(text, str::trim_start);
    let (figures, thousands) = match text.strip_suffix(['k', 'K']) {
        Some(figures) => (figures, true),
        None => (text, false),
    };
    let (whole, decimals) = match figures.split_once('.') {
        Some((whole, decimals)) if thousands && (1..=DECIMALS_MAX).contains(&decimals.len()) => (whole, decimals),
        Some(_) => return Err(Fault::AmountUnreadable),
        None => (figures, ""),
    };
    if thousands && whole.contains(',') {
        return Err(Fault::AmountUnreadable);
    }
    let mut value = whole_number(whole)?;
    if thousands {
        value = value.saturating_mul(1_000).saturating_add(thousandths(decimals)?);
    }
    u32::try_from(value).map_err(|_| Fault::AmountOutOfRange)
}

/// Reads the amount of a JSON reply: `null` is none, a whole number counts as it is, a text as [`read_amount`] reads it.
pub(super) fn read_json_amount(value: &Value) -> Result<Option<u32>, Fault> {
    match value {
        Value::Null => Ok(None),
        Value::Number(number) => {
            // A number with a point or an exponent is no `u64` here, not even `15000.0`.
            let whole = number.as_u64().ok_or(Fault::AmountUnreadable)?;
            u32::try_from(whole).map(Some).map_err(|_| Fault::AmountOutOfRange)
        }
        Value::String(text) => read_amount(text).map(Some),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(Fault::AmountUnreadable),
    }
}

/// Whether a choice may answer a question: it must be on offer, and its amount must be what this alternative takes here.
///
/// A ballot never carries an amount, which is asked for afterwards; a statement and a straw poll may leave it out; a
/// practice round needs it. The least amount is 1. The greatest is the motion's, in a practice round the situation's
/// greatest income.
///
/// # Errors
/// [`Fault::UnknownAlternative`], [`Fault::AmountUncalledFor`], [`Fault::AmountMissing`], [`Fault::AmountOutOfRange`].
pub fn check_choice(motion: &Motion, ask: &Ask, choice: Choice) -> Result<Choice, Fault> {
    let offered = match ask {
        Ask::Amount { alternative } => choice.alternative == *alternative,
        _ => ask.options().contains(&choice.alternative),
    };
    let alternative = motion.alternatives.get(choice.alternative.index()).filter(|_| offered);
    let takes_amount = alternative.ok_or(Fault::UnknownAlternative)?.takes_amount && !matches!(ask, Ask::Ballot { .. });
    let needs_amount = takes_amount && matches!(ask, Ask::Amount { .. } | Ask::Application { .. });
    match choice.amount {
        None if needs_amount => Err(Fault::AmountMissing),
        None => Ok(choice),
        Some(_) if !takes_amount => Err(Fault::AmountUncalledFor),
        Some(amount) if (1..=amount_max(motion, ask)).contains(&amount) => Ok(choice),
        Some(_) => Err(Fault::AmountOutOfRange),
    }
}

/// The greatest amount that a reply to this question may name; 0 where none may be named.
pub(super) fn amount_max(motion: &Motion, ask: &Ask) -> u32 {
    match (motion.amount_max, ask) {
        (None, _) => 0,
        (Some(_), Ask::Application { situation, .. }) => situation.income_max(),
        (Some(greatest), _) => greatest,
    }
}

/// `15000` or `15,000`.
fn whole_number(figures: &str) -> Result<u64, Fault> {
    let mut groups = figures.split(',');
    let first = groups.next().unwrap_or_default();
    let grouped = first.len() < figures.len();
    let fits = !first.is_empty() && (first == "0" || !first.starts_with('0')) && (!grouped || first.len() <= 3);
    if !fits || first == "0" && grouped {
        return Err(Fault::AmountUnreadable);
    }
    let mut value = digits(first, 0)?;
    for group in groups {
        if group.len() != 3 {
            return Err(Fault::AmountUnreadable);
        }
        value = digits(group, value)?;
    }
    Ok(value)
}

/// Decimals of a thousand: `5` are 500, `25` are 250.
fn thousandths(decimals: &str) -> Result<u64, Fault> {
    let value = digits(decimals, 0)?;
    Ok((decimals.len()..3).fold(value, |value, _| value * 10))
}

/// Digits that follow those of a number. A number too great for a `u64` stays the greatest.
fn digits(figures: &str, before: u64) -> Result<u64, Fault> {
    figures.bytes().try_fold(before, |value, byte| match byte {
        b'0'..=b'9' => Ok(value.saturating_mul(10).saturating_add(u64::from(byte - b'0'))),
        _ => Err(Fault::AmountUnreadable),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_are_read_as_they_are_written() {
        for (text, amount) in [
            ("15000", 15_000),
            (" 15000\n", 15_000),
            ("15,000", 15_000),
            ("$15,000", 15_000),
            (" $ 15000 ", 15_000),
            ("15k", 15_000),
            ("15K", 15_000),
            ("$15k", 15_000),
            ("12.5k", 12_500),
            ("12.25k", 12_250),
            ("12.50k", 12_500),
            ("0.5k", 500),
            ("1,234,567", 1_234_567),
            ("999", 999),
            ("0", 0),
            ("0k", 0),
            ("4294967295", u32::MAX),
        ] {
            assert_eq!(read_amount(text), Ok(amount), "{text:?}");
        }
    }

    #[test]
    fn whatever_could_be_read_in_two_ways_or_is_no_figure_is_unreadable() {
        for text in [
            "",
            " ",
            "$",
            "k",
            "$k",
            ".",
            ",",
            "15.000",
            "15.000k",
            "15,00",
            "15,0000",
            "1500,000",
            "15,000k",
            ",150",
            "15,",
            "0,500",
            "015",
            "the third",
            "about 15k",
            "15000 dollars",
            "15 000",
            "15_000",
            "-15000",
            "+15000",
            "1e4",
            "15000.",
            "15000.0",
            ".5k",
            "12.k",
            "12.345k",
            "12.5",
            "15kk",
            "15 k",
            "15,000.00",
            "15000$",
            "$$15",
            "€15",
            "**15000**",
            "none",
            "null",
            "15k or 12k",
            "13000 > 12000",
            "１５０００",
            "fifteen",
            "0x10",
            "\u{a0}k",
        ] {
            assert_eq!(read_amount(text), Err(Fault::AmountUnreadable), "{text:?}");
        }
    }

    #[test]
    fn a_number_that_no_income_reaches_is_out_of_range_however_long_it_is() {
        for text in ["4294967296".to_owned(), "9".repeat(1_000_000), "4294968k".to_owned()] {
            assert_eq!(read_amount(&text), Err(Fault::AmountOutOfRange));
        }
    }

    #[test]
    fn a_json_amount_is_null_a_whole_number_or_a_text() {
        assert_eq!(read_json_amount(&json!(null)), Ok(None));
        assert_eq!(read_json_amount(&json!(15000)), Ok(Some(15_000)));
        assert_eq!(read_json_amount(&json!("$15k")), Ok(Some(15_000)));
        assert_eq!(read_json_amount(&json!(5_000_000_000_u64)), Err(Fault::AmountOutOfRange));
        let whole_only: Value = serde_json::from_str("[15000.0, -1, 1e4, true, [15000], {}, \"none\", \"\"]").unwrap();
        for value in whole_only.as_array().unwrap() {
            assert_eq!(read_json_amount(value), Err(Fault::AmountUnreadable), "{value}");
        }
    }
}
