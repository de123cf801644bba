//! Amounts: what counts as one in a reply, and with which alternatives one may, must or must not be named.

use serde_json::Value;

use crate::domain::{Ask, BallotForm, Choice, Fault, Language, Motion};

/// How amounts are written in a language.
struct Figures {
    /// What stands between thousands, and before decimals.
    group: char,
    point: char,
    /// The words for a power of ten behind a number, with that power, and the decimals that a number before it may have: fewer
    /// than would read as thousands where the same sign stands between these.
    units: &'static [(&'static str, u32, usize)],
}

const ENGLISH: Figures = Figures { group: ',', point: '.', units: &[("k", 3, 2), ("K", 3, 2)] };
const SPANISH: Figures =
    Figures { group: '.', point: ',', units: &[(" mil", 3, 2), ("mil", 3, 2), ("k", 3, 2), ("K", 3, 2)] };
const CHINESE: Figures = Figures { group: ',', point: '.', units: &[("万", 4, 2), ("千", 3, 2)] };

/// Reads an amount in the figures of a language, with blank space around the number and its dollar sign: in English `15000`,
/// `15,000`, `$15,000`, `15k`, `12.5k`; in Spanish `15000`, `15.000`, `$15.000`, `15 mil`, `12,5 mil`, `12,5k`; in Chinese `15000`,
/// `15,000`, `1.5万`, `15千`, with digits and signs of full width, too. Nothing is guessed: signs between thousands must stand
/// there, decimals are allowed only before a word for a power of ten, one or two, and the result must be a whole number. There
/// may be no sign, no exponent and no other word.
///
/// # Errors
/// * [`Fault::AmountUnreadable`]: it is not of this form.
/// * [`Fault::AmountOutOfRange`]: it is greater than any `u32`.
pub fn read_amount(text: &str, language: Language) -> Result<u32, Fault> {
    match language {
        Language::En => read_figures(text, &ENGLISH),
        Language::Es => read_figures(text, &SPANISH),
        Language::Zh => read_figures(&text.chars().map(half_width).collect::<String>(), &CHINESE),
    }
}

/// The character of half width for one of full width.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

fn read_figures(text: &str, how: &Figures) -> Result<u32, Fault> {
    let text = text.trim();
    let text = text.strip_prefix('$').map_or(text, str::trim_start);
    let unit = how.units.iter().find_map(|(word, power, most)| Some((text.strip_suffix(word)?, *power, *most)));
    let (figures, power, decimals_max) = unit.unwrap_or((text, 0, 0));
    let (whole, decimals) = match figures.split_once(how.point) {
        Some((whole, decimals)) if (1..=decimals_max).contains(&decimals.len()) => (whole, decimals),
        Some(_) => return Err(Fault::AmountUnreadable),
        None => (figures, ""),
    };
    if power > 0 && whole.contains(how.group) {
        return Err(Fault::AmountUnreadable);
    }
    let value = whole_number(whole, how.group)?;
    let value = value.saturating_mul(10_u64.pow(power)).saturating_add(fraction(decimals, power)?);
    u32::try_from(value).map_err(|_| Fault::AmountOutOfRange)
}

/// Reads the amount of a JSON reply: `null` is none, a whole number counts as it is, a text as [`read_amount`] reads it.
pub(super) fn read_json_amount(value: &Value, language: Language) -> Result<Option<u32>, Fault> {
    match value {
        Value::Null => Ok(None),
        Value::Number(number) => {
            // A number with a point or an exponent is no `u64` here, not even `15000.0`.
            let whole = number.as_u64().ok_or(Fault::AmountUnreadable)?;
            u32::try_from(whole).map(Some).map_err(|_| Fault::AmountOutOfRange)
        }
        Value::String(text) => read_amount(text, language).map(Some),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(Fault::AmountUnreadable),
    }
}

/// Whether a choice may answer a question: it must be on offer, and its amount must be what this alternative takes here.
///
/// A ballot carries no amount, which is asked for afterwards; a statement and a straw poll may leave it out; a
/// practice round needs it. Where the motion has one alternative, an amount is all that there is to say, and nothing leaves it
/// out. Least and greatest amount are the motion's, in a practice round 1 and the situation's greatest income.
///
/// # Errors
/// [`Fault::UnknownAlternative`], [`Fault::AmountUncalledFor`], [`Fault::AmountMissing`], [`Fault::AmountOutOfRange`].
pub fn check_choice(motion: &Motion, ask: &Ask, choice: Choice) -> Result<Choice, Fault> {
    let offered = match ask {
        Ask::Amount { alternative, .. } => choice.alternative == *alternative,
        _ => ask.options().contains(&choice.alternative),
    };
    let alternative = motion.alternatives.get(choice.alternative.index()).filter(|_| offered);
    let is_named_later = matches!(ask, Ask::Ballot { form: BallotForm::Choice, .. });
    let takes_amount = alternative.ok_or(Fault::UnknownAlternative)?.takes_amount && !is_named_later;
    let is_all = motion.only().is_some();
    let needs_amount = takes_amount && (is_all || matches!(ask, Ask::Amount { .. } | Ask::Application { .. }));
    match choice.amount {
        None if needs_amount => Err(Fault::AmountMissing),
        None => Ok(choice),
        Some(_) if !takes_amount => Err(Fault::AmountUncalledFor),
        Some(amount) if (amount_min(motion, ask)..=amount_max(motion, ask)).contains(&amount) => Ok(choice),
        Some(_) => Err(Fault::AmountOutOfRange),
    }
}

/// The least amount that a reply to this question may name.
pub(super) fn amount_min(motion: &Motion, ask: &Ask) -> u32 {
    if matches!(ask, Ask::Application { .. }) { 1 } else { motion.amount_min }
}

/// The greatest amount that a reply to this question may name; 0 where none may be named.
pub(super) fn amount_max(motion: &Motion, ask: &Ask) -> u32 {
    match (motion.amount_max, ask) {
        (None, _) => 0,
        (Some(_), Ask::Application { situation, .. }) => situation.income_max(),
        (Some(_), Ask::Amount { pool: Some(pool), .. }) => pool.stock,
        (Some(greatest), _) => greatest,
    }
}

/// `15000` or `15,000`.
fn whole_number(figures: &str, group: char) -> Result<u64, Fault> {
    let mut groups = figures.split(group);
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

/// Decimals of a power of ten: of a thousand, `5` are 500, `25` are 250.
fn fraction(decimals: &str, power: u32) -> Result<u64, Fault> {
    let value = digits(decimals, 0)?;
    Ok((decimals.len()..power as usize).fold(value, |value, _| value * 10))
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
            assert_eq!(read_amount(text, Language::En), Ok(amount), "{text:?}");
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
            assert_eq!(read_amount(text, Language::En), Err(Fault::AmountUnreadable), "{text:?}");
        }
    }

    #[test]
    fn a_number_that_no_income_reaches_is_out_of_range_however_long_it_is() {
        for text in ["4294967296".to_owned(), "9".repeat(1_000_000), "4294968k".to_owned()] {
            assert_eq!(read_amount(&text, Language::En), Err(Fault::AmountOutOfRange));
        }
    }

    #[test]
    fn a_json_amount_is_null_a_whole_number_or_a_text() {
        assert_eq!(read_json_amount(&json!(null), Language::En), Ok(None));
        assert_eq!(read_json_amount(&json!(15000), Language::En), Ok(Some(15_000)));
        assert_eq!(read_json_amount(&json!("$15k"), Language::En), Ok(Some(15_000)));
        assert_eq!(read_json_amount(&json!(5_000_000_000_u64), Language::En), Err(Fault::AmountOutOfRange));
        let whole_only: Value = serde_json::from_str("[15000.0, -1, 1e4, true, [15000], {}, \"none\", \"\"]").unwrap();
        for value in whole_only.as_array().unwrap() {
            assert_eq!(read_json_amount(value, Language::En), Err(Fault::AmountUnreadable), "{value}");
        }
        // A key by which a library knows JSON within JSON, plain and escaped: a reply that holds it is no number.
        for key in
            ["$serde_json::private::RawValue", "\\u0024serde_json::private::RawValue", "$serde_json::private::Number"]
        {
            let value: Value = serde_json::from_str(&format!("{{\"{key}\":\"15000\"}}")).unwrap();
            assert_eq!(read_json_amount(&value, Language::En), Err(Fault::AmountUnreadable), "{key}");
        }
    }

    #[test]
    fn each_language_has_its_own_figures_and_reads_no_others() {
        let read = |text: &str| Language::ALL.map(|language| read_amount(text, language).ok());
        for (text, amounts) in [
            ("15000", [Some(15_000), Some(15_000), Some(15_000)]),
            ("15,000", [Some(15_000), None, Some(15_000)]),
            ("15.000", [None, Some(15_000), None]),
            ("$1.234.567", [None, Some(1_234_567), None]),
            ("12,5 mil", [None, Some(12_500), None]),
            ("12,5k", [None, Some(12_500), None]),
            ("12.5k", [Some(12_500), None, None]),
            ("12.5 mil", [None, None, None]),
            ("15 mil", [None, Some(15_000), None]),
            ("12.000,50", [None, None, None]),
            ("1.5万", [None, None, Some(15_000)]),
            ("1.25万", [None, None, Some(12_500)]),
            ("1.256万", [None, None, None]),
            ("15千", [None, None, Some(15_000)]),
            ("１５０００", [None, None, Some(15_000)]),
            ("１５，０００", [None, None, Some(15_000)]),
            ("＄１．５万", [None, None, Some(15_000)]),
            ("一万五千", [None, None, None]),
            ("15000美元", [None, None, None]),
            ("mil", [None, None, None]),
            ("万", [None, None, None]),
        ] {
            assert_eq!(read(text), amounts, "{text:?}");
        }
    }
}
