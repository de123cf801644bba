//! A cache of filled texts: arms with the same parameter values have the same texts.
//!
//! The scenario fills them in.

use std::cell::RefCell;

use indexmap::IndexMap;

use crate::config::problem::Problem;
use crate::plan::Scalar;
use crate::prompt::Pack;

/// Arms that share a text are close together in a design, so only the newest texts are searched.
const LOOKED_THROUGH: usize = 128;

/// The texts filled in so far.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    own: RefCell<Vec<OwnText>>,
    of_packs: RefCell<Vec<(Pack, String, RenderedText)>>,
}

/// The filled text, or its problem.
type RenderedText = Result<String, Problem>;

#[derive(Debug, Clone)]
struct OwnText {
    text: String,
    path: String,
    values: IndexMap<String, Scalar>,
    words: RenderedText,
}

impl Texts {
    /// The text at a path of the scenario with these values; `fill` makes it if it is not cached.
    ///
    /// # Errors
    /// Those of `fill`.
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

    /// The text of a pack's template; `fill` makes it if it is not cached.
    ///
    /// # Errors
    /// Those of `fill`.
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
