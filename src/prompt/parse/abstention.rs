//! Whether a ballot says that its seat abstains: exactly the word, in the place of what is voted for, and nothing else.

use super::Reading;
use super::anchors::{Anchored, Extent};
use super::ballots::Pairs;
use super::objects::read_object;
use crate::prompt::abstention::place;

impl Reading<'_> {
    /// In JSON: an object with this one key.
    pub(super) fn abstains_in_json(&self, raw: &str) -> bool {
        let Some((key, _)) = place(self.ask) else { return false };
        let said = read_object::<Pairs>(raw).map(|pairs| pairs.0);
        matches!(said.as_deref(), Ok([(one, word)]) if one == key && word.as_str() == Some(self.motion.language.abstain()))
    }

    /// In lines: one line with this anchor.
    pub(super) fn abstains_in_lines(&self, said: &Anchored<'_>) -> bool {
        let Some((_, anchor)) = place(self.ask) else { return false };
        said.one(anchor, Extent::Line).is_ok_and(|word| word == self.motion.language.abstain())
    }
}
