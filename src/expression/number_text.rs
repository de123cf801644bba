//! Numbers as text: the decimals that YAML writes, the shortest form in print, and the form in JSON.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number::{ArithmeticError, Fraction, divide_scaled};

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
            0.. => digits.checked_mul(scale).map_or(Err(ArithmeticError::Overflow), Self::from_integer),
            _ => Self::from_fraction(digits, scale),
        };
        number.map_err(|_| NumberTextError::TooLarge)
    }

    /// Reads what [`Display`](fmt::Display) prints: a decimal number or `1/3`.
    fn parse_exact(text: &str) -> Result<Self, NumberTextError> {
        let Some((above, below)) = text.split_once('/') else {
            return Self::parse(text);
        };
        let parts = [Self::parse(above)?, Self::parse(below)?].map(Self::to_integer);
        let [Some(above), Some(below)] = parts else { return Err(NumberTextError::Malformed) };
        Self::from_fraction(above, below).map_err(|_| NumberTextError::Malformed)
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
        let mut text = self.absolute().floor().numerator().to_string();
        if self.is_negative() {
            text.insert(0, '-');
        }
        if places > 0 {
            text.push('.');
        }
        let mut rest = self.absolute().numerator() % self.denominator();
        for _ in 0..places {
            let (digit, left) = divide_scaled(rest, 1, self.denominator());
            text.push_str(&digit.to_string());
            rest = left;
        }
        f.write_str(&text)
    }
}

impl Serialize for Fraction {
    /// Writes a whole number that fits 64 bits as a number, and every other value as a string in its printed form: most readers of
    /// JSON would read a decimal as a float.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_integer().map(i64::try_from) {
            Some(Ok(integer)) => serializer.serialize_i64(integer),
            Some(Err(_)) | None => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Fraction {
    /// Reads an integer, or a string that holds a decimal number or a fraction. A float is an error, because its digits are lost.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Fraction;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a whole number, or a decimal number in quotes")
            }

            fn visit_i64<E: de::Error>(self, integer: i64) -> Result<Fraction, E> {
                Ok(integer.into())
            }

            fn visit_u64<E: de::Error>(self, integer: u64) -> Result<Fraction, E> {
                Ok(integer.into())
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Fraction, E> {
                Fraction::parse_exact(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, F64Deserializer, I64Deserializer, StrDeserializer, U64Deserializer};

    use super::*;

    /// A number as a serialiser writes it.
    struct Written(Fraction);

    impl fmt::Display for Written {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }

    fn read_text(text: &str) -> Result<Fraction, Error> {
        let reader: StrDeserializer<'_, Error> = text.into_deserializer();
        Fraction::deserialize(reader)
    }

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

    #[test]
    fn whole_numbers_are_read_as_numbers_and_floats_are_not() {
        let integer: I64Deserializer<Error> = (-7_i64).into_deserializer();
        assert_eq!(Fraction::deserialize(integer), Ok(Fraction::from(-7_i64)));
        let unsigned: U64Deserializer<Error> = u64::MAX.into_deserializer();
        assert_eq!(Fraction::deserialize(unsigned), Ok(Fraction::from(u64::MAX)));
        let float: F64Deserializer<Error> = 0.5.into_deserializer();
        let message = Fraction::deserialize(float).expect_err("a float").to_string();
        assert_eq!(
            message,
            "invalid type: floating point `0.5`, expected a whole number, or a decimal number in quotes"
        );
        for text in ["x", "1/0", "1/", "0.5/2", ""] {
            assert!(read_text(text).is_err(), "{text}");
        }
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
        fn every_number_survives_its_written_form(above in any::<i128>(), below in 1..i128::MAX, shift in 0_u32..126) {
            let number = Fraction::from_fraction((above >> shift).max(-i128::MAX), (below >> shift).max(1)).expect("it fits");
            prop_assert_eq!(read_text(&Written(number).to_string()), Ok(number));
        }

        #[test]
        fn any_text_is_a_number_or_an_error(text in "[-+0-9.eE/]{0,12}") {
            if let Ok(number) = Fraction::parse(&text) {
                prop_assert!(text.contains(|letter: char| letter.is_ascii_digit()), "{} is {}", text, number);
            }
        }
    }
}
