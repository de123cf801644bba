//! Decimals as whole numbers of a small unit, through their shortest decimal text: 0.1 is exactly 100 000 millionths.

/// Reads a number of at most `decimals` decimals as a whole number of its unit.
///
/// # Errors
/// When it is less than 0, has more decimals, or is too large; the reason in words.
pub fn scaled(number: f64, decimals: usize) -> Result<u64, String> {
    if !number.is_finite() || number < 0.0 {
        return Err(format!("{number} is less than 0"));
    }
    let text = number.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if fraction.len() > decimals {
        return Err(format!("{text} has more than {} decimals", in_words(decimals)));
    }
    let digits = format!("{whole}{fraction:0<decimals$}");
    digits.parse().map_err(|_| format!("{text} is too large"))
}

/// Reads a probability as parts per million.
///
/// # Errors
/// When it is outside 0 … 1 or has more than six decimals; the reason in words.
pub fn parts_per_million(probability: f64) -> Result<u32, String> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(format!("{probability} is no probability: outside 0 … 1"));
    }
    scaled(probability, 6).map(|ppm| u32::try_from(ppm).expect("invariant: at most one million"))
}

fn in_words(decimals: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(decimals).map_or_else(|| decimals.to_string(), |word| (*word).to_string())
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

    #[test]
    fn thousandths_and_cents_are_exact() {
        assert_eq!((scaled(1.25, 3), scaled(0.8, 3), scaled(2.0, 3)), (Ok(1_250), Ok(800), Ok(2_000)));
        assert_eq!((scaled(5.0, 2), scaled(0.07, 2)), (Ok(500), Ok(7)));
        assert_eq!(scaled(0.005, 2), Err("0.005 has more than two decimals".to_string()));
        assert!(scaled(1e300, 2).is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_part_per_million_survives_its_decimal_text(ppm in 0u32..=1_000_000) {
            let probability: f64 = format!("{}.{:06}", ppm / 1_000_000, ppm % 1_000_000).parse().expect("a number");
            proptest::prop_assert_eq!(parts_per_million(probability), Ok(ppm));
        }
    }
}
