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

/// A text among those under one name: the group in which it was written, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextId {
    /// The number of the group, from 1; 0 outside groups.
    pub group: u32,
    /// The number of its letter, from 0.
    pub number: u32,
}

/// How many texts a group may have under one name.
const TEXTS_OF_GROUP: u32 = 1 << 16;

impl TextId {
    /// The letter under which it is read: of a text of a group with the number of the group, as in `A2`.
    pub fn letter(self) -> String {
        let letter = letter_of(self.number);
        if self.group == 0 { letter } else { format!("{letter}{}", self.group) }
    }

    /// The text of a letter; `None` if it is none.
    pub fn of_letter(letter: &str) -> Option<Self> {
        let digits = letter.find(|c: char| c.is_ascii_digit()).unwrap_or(letter.len());
        let (letter, group) = letter.split_at(digits);
        let group = if group.is_empty() { 0 } else { group.parse().ok().filter(|group| *group > 0)? };
        Some(Self { group, number: number_of_letter(letter)? })
    }

    /// The text as one number, in the order of groups and letters.
    pub fn code(self) -> u32 {
        self.group * TEXTS_OF_GROUP + self.number
    }

    /// The text of such a number.
    pub fn of_code(code: u32) -> Self {
        Self { group: code / TEXTS_OF_GROUP, number: code % TEXTS_OF_GROUP }
    }
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
    fn a_text_its_letter_and_its_code_are_each_others() {
        for (group, number, letter) in [(0, 0, "A"), (0, 27, "AB"), (1, 0, "A1"), (12, 26, "AA12")] {
            let text = TextId { group, number };
            assert_eq!(text.letter(), letter);
            assert_eq!(TextId::of_letter(letter), Some(text));
            assert_eq!(TextId::of_code(text.code()), text);
        }
        for none in ["", "1", "a1", "A0", "A1B", "A-1"] {
            assert_eq!(TextId::of_letter(none), None, "{none}");
        }
    }

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
