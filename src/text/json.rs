//! Text as JSON writes it between quotes.

use std::borrow::Cow;
use std::io::Write;

/// The number of bytes checked together.
const TOGETHER: usize = 32;

/// A text as `serde_json` writes it, without the quotes.
///
/// # Panics
/// Never: escapes keep UTF-8 valid.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    let mut rest = text.as_bytes();
    let mut next = escaped_at(rest);
    if next.is_none() {
        return Cow::Borrowed(text);
    }
    let mut json = Vec::with_capacity(text.len() + text.len() / 16 + 16);
    while let Some(place) = next {
        json.extend_from_slice(&rest[..place]);
        write_escaped(rest[place], &mut json);
        rest = &rest[place + 1..];
        next = escaped_at(rest);
    }
    json.extend_from_slice(rest);
    Cow::Owned(String::from_utf8(json).expect("invariant: escapes are ASCII and replace ASCII"))
}

/// The position of the first byte that JSON escapes.
fn escaped_at(bytes: &[u8]) -> Option<usize> {
    let is_escaped = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    let (together, last) = bytes.as_chunks::<TOGETHER>();
    // A fold without early exit compiles to vector instructions.
    let is_there = |bytes: &[u8; TOGETHER]| bytes.iter().fold(false, |any, byte| any | is_escaped(byte));
    match together.iter().position(is_there) {
        Some(place) => {
            let within = together[place].iter().position(is_escaped).expect("invariant: one of them is");
            Some(place * TOGETHER + within)
        }
        None => last.iter().position(is_escaped).map(|place| together.len() * TOGETHER + place),
    }
}

fn write_escaped(byte: u8, json: &mut Vec<u8>) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        control => {
            return write!(json, "\\u{control:04x}").expect("invariant: a list of bytes takes all");
        }
    };
    json.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quoted(text: &str) -> String {
        format!("\"{}\"", escape_json(text))
    }

    #[test]
    fn every_character_of_one_byte_is_written_as_the_library_writes_it() {
        for byte in 0..0x80_u8 {
            for before in [0, 1, TOGETHER - 1, TOGETHER, 2 * TOGETHER - 1] {
                let words = format!("{}{}é", "x".repeat(before), char::from(byte));
                assert_eq!(quoted(&words), serde_json::to_string(&words).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_the_library_writes_it(text: String, long in "[ -~\n\"é汉]{0,200}") {
            prop_assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
            prop_assert_eq!(quoted(&long), serde_json::to_string(&long).unwrap());
        }
    }
}
