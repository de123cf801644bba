//! Probabilities as whole parts per million, through their shortest decimal text: 0.1 is exactly 100 000.

/// Reads a probability.
///
/// # Errors
/// When it is outside 0 … 1 or has more than six decimals; the reason in words.
pub fn parts_per_million(probability: f64) -> Result<u32, String> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(format!("{probability} is no probability: outside 0 … 1"));
    }
    let text = probability.abs().to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    if decimals.len() > 6 {
        return Err(format!("{text} has more than six decimals"));
    }
    let digits = format!("{whole}{decimals:0<6}");
    digits.parse().map_err(|_| format!("{text} is no probability"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_decimals_are_exact_and_seven_are_refused() {
        for (probability, expected) in
            [(0.0, 0), (-0.0, 0), (1.0, 1_000_000), (0.1, 100_000), (0.000001, 1), (0.3, 300_000)]
        {
            assert_eq!(parts_per_million(probability), Ok(expected));
        }
        assert!(parts_per_million(0.0000001).is_err());
        assert!(parts_per_million(1.000001).is_err());
        assert!(parts_per_million(-0.1).is_err());
        assert!(parts_per_million(f64::NAN).is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_part_per_million_survives_its_decimal_text(ppm in 0u32..=1_000_000) {
            let probability: f64 = format!("{}.{:06}", ppm / 1_000_000, ppm % 1_000_000).parse().expect("a number");
            proptest::prop_assert_eq!(parts_per_million(probability), Ok(ppm));
        }
    }
}
