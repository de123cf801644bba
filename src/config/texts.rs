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
    own: TextCache<(String, String, IndexMap<String, Scalar>)>,
    of_packs: TextCache<(Pack, String)>,
}

/// The filled text, or its problem.
type RenderedText = Result<String, Problem>;

/// Texts by what each follows from.
type TextCache<K> = RefCell<Vec<(K, RenderedText)>>;

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
        let is_it = |key: &(String, String, IndexMap<_, _>)| key.1 == path && key.0 == text && key.2 == *values;
        look_up(&self.own, is_it, || ((text.to_string(), path.to_string(), values.clone()), fill()))
    }

    /// The text of a pack's template; `fill` makes it if it is not cached.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn of_pack(&self, pack: &Pack, template: &str, fill: impl FnOnce() -> RenderedText) -> RenderedText {
        let is_it = |key: &(Pack, String)| key.1 == template && key.0.is(pack);
        look_up(&self.of_packs, is_it, || ((pack.clone(), template.to_string()), fill()))
    }
}

fn look_up<K>(
    cache: &TextCache<K>,
    is_it: impl Fn(&K) -> bool,
    make: impl FnOnce() -> (K, RenderedText),
) -> RenderedText {
    let known =
        cache.borrow().iter().rev().take(LOOKED_THROUGH).find(|(key, _)| is_it(key)).map(|(_, text)| text.clone());
    known.unwrap_or_else(|| {
        let (key, text) = make();
        cache.borrow_mut().push((key, text.clone()));
        text
    })
}
