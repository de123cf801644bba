//! Exact numbers as people and models write them.

use crate::domain::Language;

/// Why a text cannot be read as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFault {
    /// It does not have the form that [`read_number`] accepts.
    Unreadable,
    /// It is further from 0 than any number that a field can hold.
    TooLarge,
}

/// How numbers are written in a language.
struct Figures {
    /// The separator of thousands, and that of decimals.
    group: char,
    point: char,
    /// Words behind a number that multiply it by a power of ten: the word, the power, and the most decimals of the number before it.
    /// These are fewer than three, because three could be meant as thousands.
    units: &'static [(&'static str, u32, usize)],
}

const ENGLISH: Figures = Figures { group: ',', point: '.', units: &[("k", 3, 2), ("K", 3, 2)] };
const SPANISH: Figures =
    Figures { group: '.', point: ',', units: &[(" mil", 3, 2), ("mil", 3, 2), ("k", 3, 2), ("K", 3, 2)] };
const CHINESE: Figures = Figures { group: ',', point: '.', units: &[("万", 4, 2), ("千", 3, 2)] };

/// Reads a number as a language writes it. Blank space around the number and its dollar sign is ignored. Returns the number in units
/// of the last of `decimals` places: `-1.5` with two decimals is -150.
///
/// In English `15000`, `15,000`, `$15,000`, `15k`, `12.5k` and, with decimals, `-0.25`; in Spanish `15.000`, `15 mil`, `12,5k`,
/// `-0,25`; in Chinese `1.5万`, `15千`, also with digits and signs of full width. Nothing is guessed: separators of thousands must be in
/// their places, there are at most `decimals` decimals (one or two before a word for a power of ten), and there is no exponent and
/// no other word.
///
/// # Errors
/// [`NumberFault`] for any other text, and for a number beyond 64 bits.
pub fn read_number(text: &str, language: Language, decimals: u8) -> Result<i64, NumberFault> {
    match language {
        Language::En => read_figures(text, &ENGLISH, decimals),
        Language::Es => read_figures(text, &SPANISH, decimals),
        Language::Zh => read_figures(&text.chars().map(half_width).collect::<String>(), &CHINESE, decimals),
    }
}

/// Writes a number, given in units of the last of `decimals` places, as [`read_number`] reads it, without separators of thousands.
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
    let (is_negative, text) = text.strip_prefix(['-', '−']).map_or((false, text), |text| (true, text));
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
    // Behind a word for a thousand, the decimals `5` are 500 and `25` are 250.
    let fraction =
        (fraction.len()..places as usize).fold(read_digits(fraction, 0)?, |value, _| value.saturating_mul(10));
    let value = i64::try_from(value.saturating_add(fraction)).map_err(|_| NumberFault::TooLarge)?;
    Ok(if is_negative { -value } else { value })
}

/// Reads a whole number such as `15000` or `15,000`.
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

/// Appends digits to the number `before`. A number too great for a `u64` becomes the greatest one.
fn read_digits(figures: &str, before: u64) -> Result<u64, NumberFault> {
    figures.bytes().try_fold(before, |value, byte| match byte {
        b'0'..=b'9' => Ok(value.saturating_mul(10).saturating_add(u64::from(byte - b'0'))),
        _ => Err(NumberFault::Unreadable),
    })
}
