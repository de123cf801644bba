//! The context windows of models for which the config sets none.

use std::fmt;
use std::sync::Arc;

use super::{ArmPlan, OpenAiModel, Plan};
use crate::domain::ContextWindow;

/// A seat whose pinned parts exceed its model's window.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OverfullSeat {
    /// The seat's model, as the config names it.
    pub model: String,
    /// The error message.
    pub message: String,
}

/// The month of the table, according to the makers' documentation.
pub const TABLE_OF: &str = "2026-11";
/// Families of hosted models by name prefix, longest first, with their windows in tokens; the smallest of each family. Models on
/// the user's own server, such as Ollama's `gemma3:1b`, are omitted: their window depends on how the server was started.
const TABLE: [(&str, u32); 45] = [
    // developers.openai.com, models (2026-11), and vercel.com, AI Gateway, for 5.4 and 5.5 (2026-05).
    ("gpt-5-chat", 128_000),
    ("gpt-5", 400_000),
    ("gpt-5.1-chat", 128_000),
    ("gpt-5.1", 400_000),
    ("gpt-5.2-chat", 128_000),
    ("gpt-5.2", 400_000),
    ("gpt-5.4-mini", 400_000),
    ("gpt-5.4-nano", 400_000),
    ("gpt-5.4", 1_050_000),
    ("gpt-5.5", 1_000_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4", 8_192),
    ("gpt-3.5-turbo", 16_385),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    // openai/gpt-oss model card (2025-08).
    ("gpt-oss", 131_072),
    // platform.claude.com, models (2026-11).
    ("claude-fable-5-1", 1_000_000),
    ("claude-opus-5", 1_000_000),
    ("claude-sonnet-5-5", 1_000_000),
    ("claude-haiku-5-5", 1_000_000),
    ("claude-opus-4-6", 1_000_000),
    ("claude-sonnet-4-6", 1_000_000),
    ("claude-", 200_000),
    // ai.google.dev, models; of Gemma, huggingface.co/blog/gemma3 (2025-03).
    ("gemini-2.0-flash", 1_048_576),
    ("gemini-2.5-flash", 1_048_576),
    ("gemini-2.5-pro", 1_048_576),
    ("gemma-3-270m", 32_768),
    ("gemma-3-1b", 32_768),
    ("gemma-3", 131_072),
    // Meta's model cards; servers put `meta-` before some of the names (2025-04).
    ("llama-3-8b", 8_192),
    ("llama-3-70b", 8_192),
    ("llama-3.1", 131_072),
    ("llama-3.2", 131_072),
    ("llama-3.3", 131_072),
    ("llama-4-scout", 1_048_576),
    ("llama-4-maverick", 1_048_576),
    // novita.ai and vercel.com, model pages: 131 072 for the first version, 256 000 for later ones (2025-11).
    ("kimi-k2", 131_072),
    // The window of Qwen3 without an extension that its server must enable: openrouter.ai/qwen/qwen3-32b (2025-04).
    ("qwen3", 32_768),
    // vercel.com, AI Gateway, and help.aliyun.com (2025-07).
    ("glm-4.5", 128_000),
    // api-docs.deepseek.com (2025-12); servers report more for later versions.
    ("deepseek-chat", 128_000),
    ("deepseek-reasoner", 128_000),
    ("deepseek-v3.1", 128_000),
    ("deepseek-v3.2", 128_000),
];

/// The window of a known model in tokens, by its name at a server. It ignores a maker's prefix, as in `openai/gpt-4o`, and the
/// suffix `:free`; the point in `claude-opus-4.6` counts as `-`.
pub fn known_window(model: &str) -> Option<u32> {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    let name = name.strip_suffix(":free").unwrap_or(&name);
    let name = name.strip_prefix("meta-").filter(|rest| rest.starts_with("llama-")).unwrap_or(name);
    let name = if name.starts_with("claude-") { name.replace('.', "-") } else { name.to_owned() };
    let belongs = |family: &str| {
        name.strip_prefix(family).is_some_and(|rest| family.ends_with('-') || rest.is_empty() || rest.starts_with('-'))
    };
    TABLE.iter().find(|(family, _)| belongs(family)).map(|(_, tokens)| *tokens)
}

impl Plan {
    /// The models asked whose window the config does not set, without duplicates, in the config's order.
    pub fn models_without_window(&self) -> impl Iterator<Item = &OpenAiModel> {
        let asked: std::collections::BTreeSet<usize> = self.models_asked().collect();
        asked.into_iter().map(|place| &self.models[place]).filter(|model| model.context_window.is_none())
    }

    /// The plan with detected windows. Settings of the config take precedence, and the digest does not change.
    #[must_use]
    pub fn with_learnt_windows(self: &Arc<Self>, learnt: &[ContextWindow]) -> Arc<Self> {
        if learnt.is_empty() {
            return Arc::clone(self);
        }
        let mut shared: ArmPlan = (*self.shared).clone();
        for model in &mut shared.models {
            let window = learnt.iter().find(|window| window.model == model.name);
            model.context_window = model.context_window.or(window.map(|window| window.tokens));
        }
        let fork = self.fork_with(|after| after.with_learnt_windows(learnt));
        Arc::new(Plan { shared: Arc::new(shared), fork, ..(**self).clone() })
    }
}

/// A model whose context window is unknown to the config, its server and the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnknownWindow {
    /// Its name in the config.
    pub name: String,
    /// Its name at the server.
    pub model: String,
    /// Why the server could not be asked; `None` if it did not report the window.
    pub unreached: Option<String>,
}

impl UnknownWindow {
    /// An unknown window of this model.
    pub fn for_model(model: &OpenAiModel, unreached: Option<String>) -> Self {
        Self { name: model.name.clone(), model: model.model.clone(), unreached }
    }

    /// Advice to the author.
    pub fn way_out(&self) -> String {
        let write = format!("write its number into models.{}.openai, as in context_window: 8192", self.name);
        if self.unreached.is_some() { format!("or {write}") } else { write }
    }
}

impl fmt::Display for UnknownWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nobody knows the context window of {:?}: the table of {TABLE_OF} does not have it, ", self.model)?;
        match &self.unreached {
            None => f.write_str("and its server does not tell it"),
            Some(reason) => write!(f, "and its server cannot be asked: {reason}"),
        }
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
            ("gpt-5.1", Some(400_000)),
            ("gpt-5.4-mini-2026-03-17", Some(400_000)),
            ("gpt-5.9", None),
            ("openai/gpt-oss-120b", Some(131_072)),
            ("gpt-oss:20b", None),
            ("anthropic/claude-opus-4.6", Some(1_000_000)),
            ("claude-sonnet-4-5-20250929", Some(200_000)),
            ("google/gemma-3-27b-it", Some(131_072)),
            ("google/gemma-3-1b-it", Some(32_768)),
            ("google/gemma-3n-e4b-it", None),
            ("gemma3:1b", None),
            ("meta-llama/Meta-Llama-3.1-8B-Instruct", Some(131_072)),
            ("meta-llama/llama-4-maverick", Some(1_048_576)),
            ("moonshotai/kimi-k2:free", Some(131_072)),
            ("qwen/qwen3-32b", Some(32_768)),
            ("z-ai/glm-4.5-air", Some(128_000)),
            ("deepseek/deepseek-chat-v3-0324", Some(128_000)),
            ("smollm2-135m", None),
            ("", None),
        ] {
            assert_eq!(known_window(model), tokens, "{model}");
        }
    }
}
