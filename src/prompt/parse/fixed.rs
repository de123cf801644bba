//! The small parts of replies: the fixed words of assent and of typed marks, names, and whole numbers.

use crate::domain::{Fault, Language, Reply, Sign, URGENCY_MAX};
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

pub(super) fn urgency(urgency: Option<u32>) -> Result<Reply, Fault> {
    match urgency {
        Some(urgency) if urgency > URGENCY_MAX => Err(Fault::Unreadable),
        urgency => Ok(Reply::Urgency(urgency)),
    }
}

pub(super) fn name(words: &str) -> Result<Reply, Fault> {
    match words.trim() {
        "" => Err(Fault::Empty),
        name => Ok(Reply::Name(name.to_owned())),
    }
}

/// Whether a seat recognises what it took part in, and as what: its words, but for blank ones and the word for none.
pub(super) fn recognition(word: &str, which: Option<&str>, language: Language) -> Result<Reply, Fault> {
    let Reply::Assent(recognised) = assent(word, language)? else {
        unreachable!("invariant: a word is yes or no, or a fault")
    };
    let which = which.map(str::trim).filter(|words| !words.is_empty() && !language.is_none(words));
    Ok(Reply::Recognition { recognised, recognised_as: which.map(str::to_owned) })
}

pub(super) fn table_number(text: &str) -> Result<u32, Fault> {
    let text = text.trim();
    // `parse` alone would take a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::Unreadable);
    }
    text.parse().map_err(|_| Fault::Unreadable)
}
