//! Exact numbers as people and models write them.

use crate::domain::Language;

/// Why a text is no number of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFault {
    /// It is not of the form that [`read_number`] takes.
    Unreadable,
    /// It is further from 0 than any number of a field.
    TooLarge,
}

/// How numbers are written in a language.
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

/// Reads a number in the figures of a language, with blank space around the number and its dollar sign. Returns it in units of the
/// last of `decimals` places: `-1.5` with two decimals is -150.
///
/// In English `15000`, `15,000`, `$15,000`, `15k`, `12.5k` and, with decimals, `-0.25`; in Spanish `15.000`, `15 mil`, `12,5k`,
/// `-0,25`; in Chinese `1.5万`, `15千`, with digits and signs of full width, too. Nothing is guessed: signs between thousands must
/// stand where they belong, there are at most so many decimals (one or two before a word for a power of ten), and there is no
/// exponent and no other word.
///
/// # Errors
/// [`NumberFault`].
pub fn read_number(text: &str, language: Language, decimals: u8) -> Result<i64, NumberFault> {
    match language {
        Language::En => read_figures(text, &ENGLISH, decimals),
        Language::Es => read_figures(text, &SPANISH, decimals),
        Language::Zh => read_figures(&text.chars().map(half_width).collect::<String>(), &CHINESE, decimals),
    }
}

/// Writes a number of so many units of the last place as [`read_number`] reads it, without signs between thousands.
pub fn write_number(value: i64, language: Language, decimals: u8) -> String {
    let point = match language {
        Language::Es => SPANISH.point,
        Language::En | Language::Zh => ENGLISH.point,
    };
    let unit = 10_u64.pow(decimals.into());
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    match decimals {
        0 => format!("{sign}{size}"),
        _ => format!("{sign}{}{point}{:0>width$}", size / unit, size % unit, width = decimals.into()),
    }
}

/// The character of half width for one of full width.
fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

fn read_figures(text: &str, how: &Figures, decimals: u8) -> Result<i64, NumberFault> {
    let text = text.trim();
    let (is_negative, text) = match text.strip_prefix(['-', '−']) {
        Some(text) => (true, text),
        None => (false, text),
    };
    let text = text.strip_prefix('$').map_or(text, str::trim_start);
    let unit = how.units.iter().find_map(|(word, power, most)| Some((text.strip_suffix(word)?, *power, *most)));
    let (figures, power, most) = unit.unwrap_or((text, 0, decimals.into()));
    let (whole, fraction) = match figures.split_once(how.point) {
        Some((whole, fraction)) if (1..=most).contains(&fraction.len()) => (whole, fraction),
        Some(_) => return Err(NumberFault::Unreadable),
        None => (figures, ""),
    };
    if power > 0 && whole.contains(how.group) {
        return Err(NumberFault::Unreadable);
    }
    let places = power + u32::from(decimals);
    let value = read_whole(whole, how.group)?.saturating_mul(10_u64.saturating_pow(places));
    // Of a thousand, the decimals `5` are 500, `25` are 250.
    let fraction =
        (fraction.len()..places as usize).fold(read_digits(fraction, 0)?, |value, _| value.saturating_mul(10));
    let value = i64::try_from(value.saturating_add(fraction)).map_err(|_| NumberFault::TooLarge)?;
    Ok(if is_negative { -value } else { value })
}

/// `15000` or `15,000`.
fn read_whole(figures: &str, group: char) -> Result<u64, NumberFault> {
    let mut groups = figures.split(group);
    let first = groups.next().unwrap_or_default();
    let is_grouped = first.len() < figures.len();
    let fits = !first.is_empty() && (first == "0" || !first.starts_with('0')) && (!is_grouped || first.len() <= 3);
    if !fits || first == "0" && is_grouped {
        return Err(NumberFault::Unreadable);
    }
    groups.try_fold(read_digits(first, 0)?, |value, group| match group.len() {
        3 => read_digits(group, value),
        _ => Err(NumberFault::Unreadable),
    })
}

/// Digits that follow those of a number. A number too great for a `u64` stays the greatest.
fn read_digits(figures: &str, before: u64) -> Result<u64, NumberFault> {
    figures.bytes().try_fold(before, |value, byte| match byte {
        b'0'..=b'9' => Ok(value.saturating_mul(10).saturating_add(u64::from(byte - b'0'))),
        _ => Err(NumberFault::Unreadable),
    })
}
