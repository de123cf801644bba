//! The digits of numbers: parsing them, and how many to print.

use std::str::FromStr;

/// Smaller numbers come from rounding in sums and count as zero.
const LEAST: f64 = 1e-9;

/// Parses a number of ASCII digits; `None` for any other text, even with a sign, which `parse` would accept, and for a number too great
/// for its type.
///
/// ```
/// use ekklesia::text::parse_digits;
///
/// assert_eq!(parse_digits::<u32>("007"), Some(7));
/// assert_eq!(parse_digits::<u32>("+7").or(parse_digits("")), None);
/// ```
pub fn parse_digits<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The decimals with which a number that is not zero does not read as zero: those given, or more where they would show zeros alone.
///
/// ```
/// use ekklesia::text::extend_decimals;
///
/// assert_eq!(extend_decimals(5.56e-5, 3), 5);
/// assert_eq!([extend_decimals(0.0, 3), extend_decimals(0.25, 3)], [3, 3]);
/// ```
pub fn extend_decimals(value: f64, decimals: usize) -> usize {
    let size = value.abs();
    let is_hidden = (LEAST..=0.5 * 10f64.powi(-(decimals as i32))).contains(&size);
    if is_hidden { (-size.log10()).ceil() as usize } else { decimals }
}

/// Whether a blank between these characters separates the thousands of a number: before it stands a digit, behind it exactly three.
///
/// ```
/// use ekklesia::text::is_digit_group;
///
/// assert!(is_digit_group("range 10".chars(), "692 – 26 900".chars()));
/// assert!(!is_digit_group("in 3".chars(), "rounds".chars()) && !is_digit_group("of 3".chars(), "1999".chars()));
/// ```
pub fn is_digit_group(mut before: impl DoubleEndedIterator<Item = char>, behind: impl Iterator<Item = char>) -> bool {
    before.next_back().is_some_and(|c| c.is_ascii_digit())
        && behind.take(4).take_while(char::is_ascii_digit).count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_zero_does_not_read_as_zero() {
        for (value, decimals, written) in [
            (5.56e-5, 3, "0.00006"),
            (-4e-4, 3, "-0.0004"),
            (5e-4, 3, "0.0005"),
            (0.5, 0, "0.5"),
            (0.4, 0, "0.4"),
            (0.6, 0, "1"),
            (0.0123, 3, "0.012"),
            (0.0, 3, "0.000"),
            (5.6e-17, 2, "0.00"),
        ] {
            assert_eq!(format!("{value:.*}", extend_decimals(value, decimals)), written);
        }
    }
}
