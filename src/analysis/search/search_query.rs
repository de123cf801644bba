//! Search queries: loose words, of which a record holds at least one, and quoted phrases, all of which it holds.
//!
//! A loose word also matches inside longer words. The words of a phrase match only in full.

use std::ops::Range;

use crate::text::split_terms;

/// A query to the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuestion {
    /// All different words, including those of phrases, in order.
    pub words: Vec<String>,
    /// The phrases, each at least one word.
    pub phrases: Vec<Vec<String>>,
    /// The words outside quotes.
    loose: Vec<String>,
}

/// The reason why a text is not a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoQuestion {
    /// It holds no letter and no digit.
    #[error("the query holds no word: a word has a letter or a digit")]
    Empty,
    /// A quote is not closed.
    #[error("a quote in the query is not closed: quotes stand around words that follow one another")]
    OpenQuote,
}

impl SearchQuestion {
    /// Parses a query. Quotes are `"`, or `“` and `”`.
    ///
    /// # Errors
    /// [`NoQuestion`].
    pub fn parse(text: &str) -> Result<Self, NoQuestion> {
        let parts: Vec<&str> = text.split(['"', '“', '”']).collect();
        if parts.len().is_multiple_of(2) {
            return Err(NoQuestion::OpenQuote);
        }
        let words = |part: &&str| split_terms(part).map(|term| term.word.into_owned()).collect::<Vec<_>>();
        let phrases: Vec<Vec<String>> =
            parts.iter().skip(1).step_by(2).map(words).filter(|phrase| !phrase.is_empty()).collect();
        let loose: Vec<String> = parts.iter().step_by(2).flat_map(words).collect();
        let mut all: Vec<String> = Vec::new();
        for word in parts.iter().flat_map(words) {
            if !all.contains(&word) {
                all.push(word);
            }
        }
        if all.is_empty() {
            return Err(NoQuestion::Empty);
        }
        Ok(Self { words: all, phrases, loose })
    }

    /// Whether a word occurs outside quotes and so also matches inside longer words.
    pub(super) fn is_loose(&self, word: &str) -> bool {
        self.loose.iter().any(|loose| loose == word)
    }

    /// The byte ranges of matching words and phrases in a text, sorted and disjoint.
    pub fn find_matches(&self, text: &str) -> Vec<Range<usize>> {
        let found: Vec<_> = split_terms(text).collect();
        let mut places: Vec<Range<usize>> = Vec::new();
        for (start, term) in found.iter().enumerate() {
            let holds = |phrase: &&Vec<String>| {
                let here = found[start..].iter().map(|term| term.word.as_ref());
                here.take(phrase.len()).eq(phrase.iter().map(String::as_str))
            };
            let phrase = self.phrases.iter().filter(holds).map(Vec::len).max();
            let words = phrase.or_else(|| self.loose.iter().any(|word| term.word.contains(word.as_str())).then_some(1));
            let Some(words) = words else { continue };
            let end = found[start + words - 1].place.end;
            match places.last_mut() {
                Some(last) if last.end >= term.place.start => last.end = last.end.max(end),
                _ => places.push(term.place.start..end),
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_once_and_phrases_whole() {
        let question = SearchQuestion::parse("Floor \"low class\" floor “the low” class").unwrap();
        assert_eq!(question.words, ["floor", "low", "class", "the"]);
        assert_eq!(question.phrases, [vec!["low", "class"], vec!["the", "low"]]);
    }

    #[test]
    fn what_holds_no_word_or_leaves_a_quote_open_is_no_question() {
        for empty in ["", "  ", "— …", "\"\"", "\" ! \""] {
            assert_eq!(SearchQuestion::parse(empty), Err(NoQuestion::Empty), "{empty}");
        }
        assert_eq!(SearchQuestion::parse("a \"b"), Err(NoQuestion::OpenQuote));
    }

    #[test]
    fn matches_are_words_that_hold_the_words_and_whole_phrases() {
        let places = |question: &str, text: &'static str| {
            let places = SearchQuestion::parse(question).unwrap().find_matches(text);
            places.into_iter().map(|place| &text[place]).collect::<Vec<_>>()
        };
        assert_eq!(places("low", "Low, lower, LOW, lo."), ["Low", "lower", "LOW"]);
        assert_eq!(places("\"low\"", "Low, lower, LOW."), ["Low", "LOW"]);
        assert_eq!(places("ÉBR", "zébrure"), ["zébrure"]);
        assert_eq!(places("\"low class\"", "A class, low. The low class."), ["low class"]);
        assert_eq!(places("\"a b\" \"b c\"", "a b c, c b"), ["a b c"]);
        assert_eq!(places("c \"a b\"", "a b c, a"), ["a b", "c"]);
    }
}
