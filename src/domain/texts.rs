//! Texts that seats wrote and that are kept under a name.

use serde::{Deserialize, Serialize};

use super::SeatName;

/// A text that is kept, or no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptText {
    /// The letter under which it is read, the same for all its versions.
    pub letter: String,
    /// Its author.
    pub author: SeatName,
    /// Its place among the texts of its author, from 1.
    pub place: u32,
    /// Its version, from 1.
    pub version: u32,
    /// Its words; absent if its author withdrew it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The letter of this number, from 0: A to Z, then AA and so on.
pub fn letter_of(number: u32) -> String {
    let (mut rest, mut letters) = (number + 1, Vec::new());
    while rest > 0 {
        rest -= 1;
        letters.push(b'A' + (rest % 26) as u8);
        rest /= 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

/// The number of a letter, from 0; `None` if it is none.
pub fn number_of_letter(letter: &str) -> Option<u32> {
    let add = |number: u32, letter: u8| match letter {
        b'A'..=b'Z' => number.checked_mul(26)?.checked_add(u32::from(letter - b'A') + 1),
        _ => None,
    };
    letter.bytes().try_fold(0, add)?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_and_its_number_are_each_others() {
        for (number, letter) in [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letter_of(number), letter);
            assert_eq!(number_of_letter(letter), Some(number));
        }
        assert_eq!(number_of_letter(""), None);
        assert_eq!(number_of_letter("a"), None);
    }
}
