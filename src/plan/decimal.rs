//! Converts decimals to integers of a small unit through their shortest decimal text: 0.1 is exactly 100 000 millionths.

use num_integer::Integer;

use super::Scalar;

/// Converts a number with at most `decimals` decimals to an integer of the last decimal's unit.
///
/// # Errors
/// A message, if the number is negative, has more decimals, or is too large.
pub fn scale_decimal(number: f64, decimals: usize) -> Result<u64, String> {
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

/// Converts a probability to parts per million.
///
/// # Errors
/// A message, if the probability is outside 0 … 1 or has more than six decimals.
pub fn parts_per_million(probability: f64) -> Result<u32, String> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(format!("{probability} is no probability: outside 0 … 1"));
    }
    scale_decimal(probability, 6).map(|ppm| u32::try_from(ppm).expect("invariant: at most one million"))
}

fn in_words(decimals: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(decimals).map_or_else(|| decimals.to_string(), |word| (*word).to_string())
}

/// The maximum number of decimals of a ratio.
const DECIMALS: usize = 6;

/// Parses the threshold of a supermajority: a ratio such as `2/3`, or a decimal.
///
/// # Errors
/// A message about what is wrong.
pub fn parse_threshold_text(text: &str) -> Result<(u32, u32), String> {
    parse_threshold(&Scalar::Text(text.to_owned()))
}

/// Reads the threshold of a supermajority as a ratio of integers.
///
/// # Errors
/// A message about what is wrong.
pub fn parse_threshold(written: &Scalar) -> Result<(u32, u32), String> {
    parse_share(written, |whole| whole / 2, "a supermajority is more than 1/2 and at most 1")
}

/// Reads the share of members that a quorum needs, as a ratio of integers.
///
/// # Errors
/// A message about what is wrong.
pub fn parse_quorum(written: &Scalar) -> Result<(u32, u32), String> {
    parse_share(written, |_| 0, "a quorum is more than 0 and at most 1")
}

/// Reads a share from `a/b` or a decimal. It must exceed `least` of the denominator.
fn parse_share(written: &Scalar, least: impl Fn(u64) -> u64, wrong: &str) -> Result<(u32, u32), String> {
    let shape = || {
        let found = match written {
            Scalar::Text(text) => format!(", found the text {text:?}"),
            _ => String::new(),
        };
        format!("expected a ratio as in 2/3, or a decimal as in 0.75{found}")
    };
    let whole = 10u64.pow(DECIMALS as u32);
    let (share, whole) = match written {
        Scalar::Text(text) => match text.split_once('/') {
            Some((share, whole)) => {
                let number = |text: &str| text.trim().parse::<u32>().map(u64::from).map_err(|_| shape());
                (number(share)?, number(whole)?)
            }
            None => {
                let number = text.trim().parse::<f64>().map_err(|_| shape())?;
                (scale_decimal(number, DECIMALS)?, whole)
            }
        },
        Scalar::Int(number) => (u64::try_from(*number).map_err(|_| shape())?.saturating_mul(whole), whole),
        Scalar::Real(number) => (scale_decimal(*number, DECIMALS)?, whole),
        Scalar::Bool(_) => return Err(shape()),
    };
    if whole == 0 || share > whole || share <= least(whole) {
        return Err(wrong.to_string());
    }
    let common = share.gcd(&whole);
    let narrow = |number: u64| u32::try_from(number / common).map_err(|_| shape());
    Ok((narrow(share)?, narrow(whole)?))
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
        assert_eq!(
            (scale_decimal(1.25, 3), scale_decimal(0.8, 3), scale_decimal(2.0, 3)),
            (Ok(1_250), Ok(800), Ok(2_000))
        );
        assert_eq!((scale_decimal(5.0, 2), scale_decimal(0.07, 2)), (Ok(500), Ok(7)));
        assert_eq!(scale_decimal(0.005, 2), Err("0.005 has more than two decimals".to_string()));
        assert!(scale_decimal(1e300, 2).is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_part_per_million_survives_its_decimal_text(ppm in 0u32..=1_000_000) {
            let probability: f64 = format!("{}.{:06}", ppm / 1_000_000, ppm % 1_000_000).parse().expect("a number");
            proptest::prop_assert_eq!(parts_per_million(probability), Ok(ppm));
        }
    }

    #[test]
    fn ratios_are_exact_and_reduced() {
        let text = |text: &str| parse_threshold(&Scalar::Text(text.to_string()));
        assert_eq!((text("2/3"), text("4/6"), text("0.6")), (Ok((2, 3)), Ok((2, 3)), Ok((3, 5))));
        assert_eq!((parse_threshold(&Scalar::Real(0.75)), parse_threshold(&Scalar::Int(1))), (Ok((3, 4)), Ok((1, 1))));
        assert_eq!(text("500001/1000000"), Ok((500_001, 1_000_000)));
        for written in
            ["1/2", "2/4", "0.5", "4/3", "0/0", "1/0", "x", "2/x", "-2/3", "0.6666667", "NaN", "inf", "3/5/7"]
        {
            assert!(text(written).is_err(), "{written}");
        }
        assert_eq!((parse_quorum(&Scalar::Real(0.5)), parse_quorum(&Scalar::Int(1))), (Ok((1, 2)), Ok((1, 1))));
        assert!(parse_quorum(&Scalar::Int(0)).is_err() && parse_quorum(&Scalar::Text("3/2".to_string())).is_err());
        assert!(
            parse_threshold(&Scalar::Int(2)).is_err()
                && parse_threshold(&Scalar::Int(0)).is_err()
                && parse_threshold(&Scalar::Int(-1)).is_err()
        );
    }

    #[test]
    fn just_above_one_half_is_a_supermajority_also_of_an_odd_whole() {
        assert_eq!(parse_threshold(&Scalar::Text("2/3".to_string())), Ok((2, 3)));
        assert_eq!(parse_threshold(&Scalar::Text("3/5".to_string())), Ok((3, 5)));
        assert!(parse_threshold(&Scalar::Text("1/3".to_string())).is_err());
    }
}
