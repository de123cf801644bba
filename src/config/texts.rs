//! The texts of a scenario that were filled in, each once: arms that give its parameters the same values read the same words.
//!
//! What is filled in, and how, is the scenario's affair.

use std::cell::RefCell;

use indexmap::IndexMap;

use crate::config::problem::Problem;
use crate::plan::Scalar;
use crate::prompt::Pack;

/// Arms that share a text stand close together in a design, so only the newest are looked through.
const LOOKED_THROUGH: usize = 128;

/// The texts that were filled in so far.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    own: RefCell<Vec<OwnText>>,
    of_packs: RefCell<Vec<(Pack, String, RenderedText)>>,
}

/// The words, or what is wrong with the text.
type RenderedText = Result<String, Problem>;

/// A text of the scenario's own.
#[derive(Debug, Clone)]
struct OwnText {
    text: String,
    path: String,
    values: IndexMap<String, Scalar>,
    words: RenderedText,
}

impl Texts {
    /// The words of the text at a path of the scenario with these values; `fill` makes them where they are not known.
    ///
    /// # Errors
    /// As `fill` has them.
    pub fn get_or_fill(
        &self,
        (text, path): (&str, &str),
        values: &IndexMap<String, Scalar>,
        fill: impl FnOnce() -> RenderedText,
    ) -> RenderedText {
        let is_it = |own: &&OwnText| own.path == path && own.text == text && own.values == *values;
        let known = self.own.borrow().iter().rev().take(LOOKED_THROUGH).find(is_it).map(|own| own.words.clone());
        known.unwrap_or_else(|| {
            let words = fill();
            let (text, path, values) = (text.to_string(), path.to_string(), values.clone());
            self.own.borrow_mut().push(OwnText { text, path, values, words: words.clone() });
            words
        })
    }

    /// The words of a pack's template that tells what the pack was compiled for; `fill` makes them where they are not known.
    ///
    /// # Errors
    /// As `fill` has them.
    pub fn of_pack(&self, pack: &Pack, template: &str, fill: impl FnOnce() -> RenderedText) -> RenderedText {
        let is_it = |(other, name, _): &&(Pack, String, RenderedText)| name == template && other.is(pack);
        let known =
            self.of_packs.borrow().iter().rev().take(LOOKED_THROUGH).find(is_it).map(|(.., words)| words.clone());
        known.unwrap_or_else(|| {
            let words = fill();
            self.of_packs.borrow_mut().push((pack.clone(), template.to_string(), words.clone()));
            words
        })
    }
}
