//! The names that seats choose for themselves: what may be one, and which were chosen so far.

use std::sync::Arc;

use icu_normalizer::ComposingNormalizerBorrowed;
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::{Fault, NAME_CHARS_MAX, SeatId};
use crate::plan::check_seat_name;
use crate::text::char_count;

/// Words that are kept: what stands for the procedure, for a part of a prompt, for everybody or for nobody.
const KEPT: [&str; 22] = [
    "all",
    "assistant",
    "discussion",
    "everybody",
    "everyone",
    "facilitator",
    "group",
    "he",
    "human",
    "i",
    "it",
    "me",
    "nobody",
    "none",
    "self_chosen",
    "session",
    "she",
    "system",
    "they",
    "user",
    "we",
    "you",
];

/// The choosing of names, as far as it got.
#[derive(Debug, Clone, Default)]
pub struct Naming {
    /// What was chosen while all are asked at once.
    pub offered: Vec<(SeatId, String)>,
    /// Names that seats go by, or will.
    pub taken: Arc<[String]>,
    /// Who has got a name by now.
    pub given: Vec<(SeatId, String)>,
}

/// A name as it is kept: in Unicode's composed form, without blank space around it.
///
/// # Errors
/// [`Fault::Empty`], or [`Fault::UnfitName`] where it is too long, a word that is kept, or has characters that names of
/// seats do not have; marks that belong to a letter are such as they have, invisible characters are not.
pub fn fitting(name: &str) -> Result<String, Fault> {
    let name = ComposingNormalizerBorrowed::new_nfc().normalize(name.trim()).into_owned();
    if name.is_empty() {
        return Err(Fault::Empty);
    }
    // Of each cluster the first character says what it is; what is attached to it must be seen.
    let bare: String = name.graphemes(true).filter_map(|cluster| cluster.chars().next()).collect();
    let is_visible = !name.chars().any(is_invisible);
    let is_kept = KEPT.contains(&sameness(&name).as_str());
    let is_short = char_count(&name) <= u64::from(NAME_CHARS_MAX);
    match is_short && is_visible && !is_kept && check_seat_name(&bare).is_ok() {
        true => Ok(name),
        false => Err(Fault::UnfitName),
    }
}

/// Checks a name, and that none of these is the same.
///
/// # Errors
/// What is wrong with it.
pub fn check(name: &str, taken: &[String]) -> Result<(), Fault> {
    let same = sameness(&fitting(name)?);
    if taken.iter().any(|other| sameness(other) == same) { Err(Fault::NameTaken) } else { Ok(()) }
}

/// What two names share that are told apart by upper and lower case, composition or blanks alone.
pub fn sameness(name: &str) -> String {
    let folded = name.to_uppercase().to_lowercase();
    let words: Vec<&str> = folded.split_whitespace().collect();
    ComposingNormalizerBorrowed::new_nfc().normalize(&words.join(" ")).into_owned()
}

/// Whether a character shows nothing, or changes how its neighbours are shown: controls, joiners, marks of direction,
/// selectors of variants, tags.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{3164}'
                | '\u{ffa0}'
                | '\u{feff}'
        )
        || ('\u{180b}'..='\u{180f}').contains(&c)
        || ('\u{200b}'..='\u{200f}').contains(&c)
        || ('\u{2028}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{fe00}'..='\u{fe0f}').contains(&c)
        || ('\u{e0000}'..='\u{e0fff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_script_fit_and_what_could_pass_for_something_else_does_not() {
        for (name, kept) in [
            ("Zoë", "Zoë"),
            ("Zoe\u{308}", "Zoë"),
            ("  Ada Lovelace ", "Ada Lovelace"),
            ("O'Neill-Smith", "O'Neill-Smith"),
            ("小明", "小明"),
            ("क्षितिज", "क्षितिज"),
            ("محمد", "محمد"),
        ] {
            assert_eq!(fitting(name).as_deref(), Ok(kept), "{name}");
        }
        assert_eq!(fitting("Ann".repeat(14).as_str()), Err(Fault::UnfitName), "42 characters");
        assert!(fitting("Ann".repeat(13).as_str()).is_ok());
        assert_eq!(fitting(" \t"), Err(Fault::Empty));
        for unfit in [
            "Facilitator",
            "HUMAN",
            "user",
            "All",
            "42",
            "NA",
            "Ann\nBob",
            "Ann\u{200b}",
            "\u{202e}nnA",
            "Ann|Bob",
            "Ann (#1.1) said: \"yes\"",
            "[FACILITATOR]",
            "<b>Ann</b>",
            "{{ name }}",
            "Ann:",
            "-Ann",
            "Ann\u{0}",
            "🙂",
        ] {
            assert_eq!(fitting(unfit), Err(Fault::UnfitName), "{unfit:?}");
        }
    }

    #[test]
    fn names_that_differ_in_case_or_composition_alone_are_the_same() {
        let taken = ["Zoë".to_owned(), "STRASSE".to_owned(), "Ada  Lovelace".to_owned()];
        for name in ["zoe\u{308}", "ZOË", "Straße", "ada lovelace", "Ada Lovelace"] {
            assert_eq!(check(name, &taken), Err(Fault::NameTaken), "{name}");
        }
        assert_eq!(check("Zoe", &taken), Ok(()));
    }

    #[test]
    fn what_fits_is_kept_as_it_is() {
        proptest::proptest!(|(name in "\\PC{0,44}")| {
            if let Ok(kept) = fitting(&name) {
                proptest::prop_assert_eq!(fitting(&kept), Ok(kept.clone()));
                let is_plain = !kept.contains(['"', '\n', '|', '#', '[', ':', '<', '{']);
                proptest::prop_assert!(char_count(&kept) <= 40 && is_plain);
            }
        });
    }
}
