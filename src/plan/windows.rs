//! The context windows of models that the config says nothing about.

use std::sync::Arc;

use super::{ArmPlan, OpenAiModel, Plan};
use crate::domain::ContextWindow;

/// The month in which the table was made, as its makers' documentation had it.
pub const TABLE_OF: &str = "2026-11";
/// Families of hosted models by the beginning of the name that servers give them, the longest first, and tokens. Where the
/// members of a family differ, the least stands here.
const TABLE: [(&str, u32); 13] = [
    ("gpt-5-chat", 128_000),
    ("gpt-5", 400_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4", 8_192),
    ("gpt-3.5-turbo", 16_385),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    ("claude-", 200_000),
    ("gemini-2.0-flash", 1_048_576),
    ("gemini-2.5-flash", 1_048_576),
    ("gemini-2.5-pro", 1_048_576),
];

/// The window of a known model, in tokens, by the name that servers give it; a maker's name before it is left out, as in
/// `openai/gpt-4o`.
pub fn known_window(model: &str) -> Option<u32> {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let belongs = |family: &str| {
        name.strip_prefix(family).is_some_and(|rest| family.ends_with('-') || rest.is_empty() || rest.starts_with('-'))
    };
    TABLE.iter().find(|(family, _)| belongs(family)).map(|(_, tokens)| *tokens)
}

impl Plan {
    /// The models asked whose window the config does not say, each once, in the order of the config.
    pub fn windowless(&self) -> impl Iterator<Item = &OpenAiModel> {
        let asked: std::collections::BTreeSet<usize> = self.models_asked().collect();
        asked.into_iter().map(|place| &self.models[place]).filter(|model| model.context_window.is_none())
    }

    /// The same plan with windows that were learnt. What the config says stands, and the plan's digest stays as it is.
    #[must_use]
    pub fn within(self: &Arc<Self>, learnt: &[ContextWindow]) -> Arc<Self> {
        if learnt.is_empty() {
            return Arc::clone(self);
        }
        let mut shared: ArmPlan = (*self.shared).clone();
        for model in &mut shared.models {
            let window = learnt.iter().find(|window| window.model == model.name);
            model.context_window = model.context_window.or(window.map(|window| window.tokens));
        }
        Arc::new(Plan { shared: Arc::new(shared), ..(**self).clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_model_is_known_with_date_and_maker_and_no_other_that_only_begins_alike() {
        for (model, tokens) in [
            ("gpt-4o", Some(128_000)),
            ("gpt-4o-mini", Some(128_000)),
            ("gpt-4.1-2025-04-14", Some(1_047_576)),
            ("openai/gpt-5-chat-latest", Some(128_000)),
            ("anthropic/claude-sonnet-4", Some(200_000)),
            ("GPT-4", Some(8_192)),
            ("o3-mini", Some(200_000)),
            ("o30", None),
            ("gpt-4.5-preview", None),
            ("gpt-5.1", None),
            ("smollm2-135m", None),
            ("", None),
        ] {
            assert_eq!(known_window(model), tokens, "{model}");
        }
    }
}
