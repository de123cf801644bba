//! How templates print numbers.

use minijinja::value::ValueKind;
use minijinja::{Error, Output, State, Value};

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
///
/// # Errors
/// If the value cannot be written.
pub fn write_value(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match render_number(value) {
        Some(number) => Ok(out.write_str(&number)?),
        None => minijinja::escape_formatter(out, state, value),
    }
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
}
