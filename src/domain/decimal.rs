//! Exact decimal numbers of answers.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

use super::Language;

/// The most decimal places.
const PLACES_MAX: u8 = 15;
/// The least number with more than 15 digits.
const UNITS_END: u64 = 10_u64.pow(PLACES_MAX as u32);

/// A decimal number of at most 15 digits, in the fewest decimal places: 2.50 is 25 tenths. In JSON it is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    units: i64,
    places: u8,
}

impl Decimal {
    /// The number of so many units of the last of `places` decimal places.
    ///
    /// # Panics
    /// If it has more than 15 places without those that are 0.
    pub fn new(units: i64, places: u8) -> Self {
        Self::reduced(units, places).expect("invariant: a decimal has at most 15 places")
    }

    /// The same in the fewest places; `None` if it has more than 15 of them.
    fn reduced(mut units: i64, mut places: u8) -> Option<Self> {
        if units == 0 {
            return Some(Self { units, places: 0 });
        }
        while places > 0 && units % 10 == 0 {
            units /= 10;
            places -= 1;
        }
        (places <= PLACES_MAX).then_some(Self { units, places })
    }

    /// The number in units of the last of `places` decimal places; `None` if it has more places, or is too large.
    pub fn in_units(self, places: u8) -> Option<i64> {
        let more = places.checked_sub(self.places)?;
        self.units.checked_mul(10_i64.checked_pow(more.into())?)
    }

    /// The number as a fraction: its numerator and its denominator, a power of 10.
    pub fn to_fraction(self) -> (i64, i64) {
        (self.units, 10_i64.pow(self.places.into()))
    }

    /// Reads a number of JSON, which may have an exponent; `None` if it has more than 15 digits.
    pub fn from_json(number: &Number) -> Option<Self> {
        let text = number.to_string();
        let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return Self::parse(&text) };
        let (number, exponent) = (Self::parse(digits)?, exponent.parse::<i32>().ok()?);
        let places = i32::from(number.places).checked_sub(exponent)?;
        if let Ok(places) = u8::try_from(places) {
            return Self::reduced(number.units, places);
        }
        let zeros = 10_i64.checked_pow(places.checked_neg()?.try_into().ok()?)?;
        let units = number.units.checked_mul(zeros)?;
        (units.unsigned_abs() < UNITS_END).then(|| Self::new(units, 0))
    }

    /// Reads `-12.5`: digits with at most one point and no exponent; `None` otherwise, and where there are more than 15 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_whole = !whole.is_empty() && is_number(whole) && is_number(fraction) && !digits.ends_with('.');
        let all = format!("{whole}{fraction}");
        let units: i64 = (is_whole && all.trim_start_matches('0').len() <= 15).then(|| all.parse().ok())??;
        let places = u8::try_from(fraction.len()).ok()?;
        Self::reduced(if text.starts_with('-') { -units } else { units }, places)
    }

    /// The number with the decimal point of a language.
    pub fn told(self, language: Language) -> String {
        match language {
            Language::Es => self.to_string().replace('.', ","),
            Language::En | Language::Zh => self.to_string(),
        }
    }
}

impl From<i64> for Decimal {
    fn from(units: i64) -> Self {
        Self::new(units, 0)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = 10_u64.pow(self.places.into());
        let (sign, size) = (if self.units < 0 { "-" } else { "" }, self.units.unsigned_abs());
        match self.places {
            0 => write!(f, "{sign}{size}"),
            places => write!(f, "{sign}{}.{:0>width$}", size / unit, size % unit, width = places.into()),
        }
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The shortest text of a number of at most 15 digits is the number itself.
        let number: Number = self.to_string().parse().expect("invariant: a decimal is a number in JSON");
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Decimal::from_json(&number).ok_or_else(|| D::Error::custom("expected a number of at most 15 digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn every_decimal_survives_its_text_and_its_json(units in -999_999_999_999_999_i64..=999_999_999_999_999, places in 0_u8..=15) {
            let number = Decimal::new(units, places);
            proptest::prop_assert_eq!(number.in_units(places), Some(units));
            proptest::prop_assert_eq!(Decimal::parse(&number.to_string()), Some(number));
            let json = serde_json::to_string(&number).expect("a number");
            proptest::prop_assert_eq!(serde_json::from_str::<Decimal>(&json).expect("a number"), number);
        }
    }

    #[test]
    fn decimals_have_the_fewest_places() {
        let cases = [("2.50", "2.5"), ("-0.40", "-0.4"), ("20", "20"), ("0.0", "0"), ("007", "7")];
        for (text, expected) in cases {
            assert_eq!(Decimal::parse(text).expect(text).to_string(), expected);
        }
        for text in ["1e-70", "1e-16", "1e15", "123456789012345.5", "1e400"] {
            let number: Option<serde_json::Number> = serde_json::from_str(text).ok();
            assert_eq!(number.and_then(|number| Decimal::from_json(&number)), None, "{text}");
        }
        for text in ["", "-", ".5", "5.", "1e3", "1,5", "+1", "1.2.3", "1234567890123456", "٣"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!((Decimal::new(25, 1).in_units(0), Decimal::new(25, 1).in_units(3)), (None, Some(2_500)));
    }
}
