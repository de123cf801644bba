//! The fixed words of replies in the language of the session: assent, and the signs of typed marks.

use crate::domain::{Fault, Language, Reply, Sign};
use crate::text::sign_word;

/// What a typed mark says: the word of its tag in small letters.
pub(super) fn read_sign(word: &str, language: Language) -> Option<Sign> {
    let signs = [Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];
    signs.into_iter().find(|sign| sign_word(*sign, language).to_lowercase() == word)
}

/// Yes or no.
pub(super) fn assent(word: &str, language: Language) -> Result<Reply, Fault> {
    match word.trim() {
        "" => Err(Fault::Empty),
        yes if yes == language.yes() => Ok(Reply::Assent(true)),
        no if no == language.no() => Ok(Reply::Assent(false)),
        _ => Err(Fault::Unreadable),
    }
}
