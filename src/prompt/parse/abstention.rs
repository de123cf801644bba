//! Whether a ballot says that its seat abstains: the word in the place of what is voted for, and nothing else.

use super::Reading;
use super::anchors::{Anchored, word};
use crate::prompt::abstention::place;
use crate::question::{Field, FieldKind, Form, read_json, read_lines};

impl Reading<'_> {
    /// In JSON: an object with this one key.
    pub(super) fn abstains_in_json(&self, raw: &str) -> bool {
        self.abstention_form().is_some_and(|form| read_json(&form, raw).is_ok())
    }

    /// In lines: one line with this anchor.
    pub(super) fn abstains_in_lines(&self, said: &Anchored<'_>) -> bool {
        self.abstention_form().is_some_and(|form| read_lines(&form, said.raw).is_ok())
    }

    /// The form of an abstention; `None` where a seat may not abstain.
    fn abstention_form(&self) -> Option<Form> {
        let (key, anchor) = place(self.ask)?;
        let language = self.motion.language;
        let kind = FieldKind::Choice { options: vec![language.abstain().to_owned()] };
        let anchor = word(anchor.trim_end_matches(':'), language).to_owned();
        Some(Form { fields: vec![Field { id: key.to_owned(), anchor, kind, is_optional: false }], language })
    }
}
