//! Numbers as text: the decimals that YAML writes, and the shortest form in print.

use std::fmt;

use num_bigint::BigInt;

use super::number::Fraction;

/// The reason why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberTextError {
    /// The text is not a decimal number.
    Malformed,
    /// The number, or the power of ten that it is divided by, is 2^127 or more.
    TooLarge,
}

impl Fraction {
    /// Reads a decimal number exactly, in the forms of YAML 1.2: an optional sign, digits with at most one point (`2.5`, `.5`, `5.`)
    /// and an optional exponent (`1e-3`, `2.5E+6`). `0.4` is 2/5.
    ///
    /// # Errors
    /// If the text has another form (hexadecimal, octal, `.inf`, `.nan`, blank space), or if the fraction does not fit.
    pub fn parse(text: &str) -> Result<Self, NumberTextError> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (digits, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let power = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let has_digits = !(whole.is_empty() && fraction.is_empty()) && is_digits(whole) && is_digits(fraction);
        if !has_digits || power.is_empty() || !is_digits(power) {
            return Err(NumberTextError::Malformed);
        }
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self::ZERO);
        }
        let zeros = all.len() - all.trim_end_matches('0').len();
        let exponent: i64 = exponent.parse().map_err(|_| NumberTextError::TooLarge)?;
        let places = |length: usize| i64::try_from(length).map_err(|_| NumberTextError::TooLarge);
        let exponent = exponent.checked_add(places(zeros)? - places(fraction.len())?);
        let power = exponent.ok_or(NumberTextError::TooLarge)?;
        let scale = u32::try_from(power.unsigned_abs()).ok().and_then(|places| 10_i128.checked_pow(places));
        let (digits, scale) = significant.parse::<i128>().ok().zip(scale).ok_or(NumberTextError::TooLarge)?;
        let digits = if text.starts_with('-') { -digits } else { digits };
        let number = match power {
            0.. => digits.checked_mul(scale).and_then(|whole| Self::from_integer(whole).ok()),
            _ => Self::from_fraction(digits, scale).ok(),
        };
        number.ok_or(NumberTextError::TooLarge)
    }

    /// The decimal places that the number needs; `None` if no finite number of places is enough.
    fn count_decimals(self) -> Option<usize> {
        let mut rest = self.denominator();
        let mut divide_out = |prime: i128| {
            let mut times = 0;
            while rest % prime == 0 {
                rest /= prime;
                times += 1;
            }
            times
        };
        let places = divide_out(2).max(divide_out(5));
        (rest == 1).then_some(places)
    }
}

impl fmt::Display for Fraction {
    /// Prints the exact value in the shortest form: `2.5`, `-0.4`, `20`. A value without a finite decimal form prints as a
    /// fraction, `1/3`; stored values always have one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(places) = self.count_decimals() else {
            return write!(f, "{}/{}", self.numerator(), self.denominator());
        };
        let units =
            BigInt::from(self.absolute().numerator()) * BigInt::from(10).pow(places as u32) / self.denominator();
        let digits = format!("{units:0width$}", width = places + 1);
        let (whole, decimals) = digits.split_at(digits.len() - places);
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if places > 0 { "." } else { "" };
        write!(f, "{sign}{whole}{point}{decimals}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_read_exactly() {
        let cases = [
            ("0.4", 2, 5),
            ("-0.40", -2, 5),
            ("+5", 5, 1),
            (".5", 1, 2),
            ("5.", 5, 1),
            ("007", 7, 1),
            ("1e3", 1000, 1),
            ("25e-1", 5, 2),
            ("1.5E+2", 150, 1),
            ("0e999999999999", 0, 1),
            ("0.000001", 1, 1_000_000),
            ("-.5e1", -5, 1),
            ("1000e-3", 1, 1),
            ("100", 100, 1),
        ];
        for (text, above, below) in cases {
            assert_eq!(
                Fraction::parse(text).map(|number| (number.numerator(), number.denominator())),
                Ok((above, below)),
                "{text}"
            );
        }
        for text in [
            "", "-", ".", "e3", "1e", "1e+", "1.2.3", "0x1f", "0o7", ".inf", ".nan", "1,5", " 1", "1_000", "--1",
            "1e1.5", "٣", "1/3",
        ] {
            assert_eq!(Fraction::parse(text), Err(NumberTextError::Malformed), "{text}");
        }
        let too_large = "170141183460469231731687303715884105728";
        for text in [
            too_large,
            "1e39",
            "1e-39",
            "1e99999999999999999999",
            "1e-9223372036854775807",
            "1.000000000000000000000000000000000000001",
        ] {
            assert_eq!(Fraction::parse(text), Err(NumberTextError::TooLarge), "{text}");
        }
    }

    #[test]
    fn numbers_print_in_the_shortest_form() {
        for (text, expected) in [
            ("2.50", "2.5"),
            ("-0.4", "-0.4"),
            ("20", "20"),
            ("-0", "0"),
            ("1e-6", "0.000001"),
            ("-1000000.25", "-1000000.25"),
        ] {
            assert_eq!(Fraction::parse(text).map(|number| number.to_string()), Ok(expected.to_owned()));
        }
        assert_eq!(Fraction::from_fraction(-1, 3).map(|number| number.to_string()), Ok("-1/3".to_owned()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn stored_values_survive_their_text(units in any::<i64>()) {
            let number = Fraction::from_fraction(units.into(), 1_000_000).expect("it fits");
            let text = number.to_string();
            prop_assert_eq!(Fraction::parse(&text), Ok(number));
            prop_assert!(!text.contains('.') || !text.ends_with('0'), "{}", text);
            prop_assert!(!text.ends_with('.'), "{}", text);
        }

        #[test]
        fn any_text_is_a_number_or_an_error(text in "[-+0-9.eE/]{0,12}") {
            if let Ok(number) = Fraction::parse(&text) {
                prop_assert!(text.contains(|letter: char| letter.is_ascii_digit()), "{} is {}", text, number);
            }
        }
    }
}
