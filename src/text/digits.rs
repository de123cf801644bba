//! Parses numbers that consist of digits alone.

use std::str::FromStr;

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
