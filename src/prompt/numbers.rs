//! How templates print numbers.

use minijinja::value::ValueKind;
use minijinja::{Error, Output, State, Value};

use crate::domain::Language;

/// Whole numbers from here on are not all exact.
const WHOLE_MAX: f64 = 9e15;

/// A number as a template prints it: whole numbers without a point, others with up to 12 digits, so that `0.1 + 0.2` is
/// `0.3`. `None` for what is no number with a fraction.
pub fn render_number(value: &Value) -> Option<String> {
    if value.kind() != ValueKind::Number || value.is_integer() {
        return None;
    }
    let number = f64::try_from(value.clone()).ok().filter(|number| number.is_finite())?;
    if number.fract() == 0.0 && number.abs() < WHOLE_MAX {
        return Some(format!("{number:.0}"));
    }
    let rounded: f64 = format!("{number:.11e}").parse().ok()?;
    Some(rounded.to_string())
}

/// Writes a value without escaping; whole numbers without a point, others with up to 12 digits.
pub fn write_value(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match render_number(value) {
        Some(number) => Ok(out.write_str(&number)?),
        None => minijinja::escape_formatter(out, state, value),
    }
}

/// `32000` → `32,000`; in Spanish `32.000`.
pub fn thousands(number: u32, language: Language) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(if language == Language::Es { '.' } else { ',' });
        }
        shown.push(digit);
    }
    shown
}

/// Cents as dollars: `130` → `1.30`; in Spanish `1,30`.
pub fn dollars_and_cents(cents: u64, language: Language) -> String {
    format!("{}{}{:02}", cents / 100, decimal_sign(language), cents % 100)
}

/// What stands before decimals.
fn decimal_sign(language: Language) -> &'static str {
    if language == Language::Es { "," } else { "." }
}

/// Parts per million as a percentage: `63060` → `6.306 %`; in Spanish `6,306 %`, in Chinese `6.306%`.
pub fn percent(ppm: u32, language: Language) -> String {
    let decimals = format!("{:04}", ppm % 10_000);
    let decimals = decimals.trim_end_matches('0');
    let point = if decimals.is_empty() { "" } else { decimal_sign(language) };
    let blank = if language == Language::Zh { "" } else { " " };
    format!("{}{point}{decimals}{blank}%", ppm / 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_people_write_them() {
        let cases = [
            (0.25, "0.25"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (-0.5, "-0.5"),
            (1.0 / 3.0, "0.333333333333"),
            (1e-7, "0.0000001"),
        ];
        for (number, written) in cases {
            assert_eq!(render_number(&Value::from(number)).as_deref(), Some(written));
        }
        assert_eq!(render_number(&Value::from(7)), None);
        assert_eq!(render_number(&Value::from("0.5")), None);
    }

    #[test]
    fn numbers_are_shown_in_english_figures() {
        assert_eq!(
            [0, 999, 1_000, 32_000, 1_234_567].map(|number| thousands(number, Language::En)),
            ["0", "999", "1,000", "32,000", "1,234,567"]
        );
        assert_eq!(
            [0, 5, 130, 100_000].map(|cents| dollars_and_cents(cents, Language::En)),
            ["0.00", "0.05", "1.30", "1000.00"]
        );
        assert_eq!(
            [63_060, 100_000, 1, 1_000_000].map(|ppm| percent(ppm, Language::En)),
            ["6.306 %", "10 %", "0.0001 %", "100 %"]
        );
    }

    #[test]
    fn numbers_are_shown_in_the_figures_of_the_language() {
        let shown =
            |language| [thousands(1_234_567, language), dollars_and_cents(1_230, language), percent(63_060, language)];
        assert_eq!(shown(Language::Es), ["1.234.567", "12,30", "6,306 %"]);
        assert_eq!(shown(Language::Zh), ["1,234,567", "12.30", "6.306%"]);
    }
}
