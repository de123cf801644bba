//! Models' own tokenizers, if the program was built with the feature `tokenizers`.
//!
//! The program contains the vocabularies, so that a text has equally many tokens on every machine. Memory budgets use
//! `tokens_at_most` instead, which is equal for all seats.

use super::tokens_at_most;
use crate::domain::spelled;

/// A vocabulary by which a model's tokens are counted.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Tokenizer {
    /// Of GPT-4o, GPT-4.1, GPT-5, the o series and gpt-oss.
    O200kBase,
    /// Of GPT-4 and GPT-3.5.
    Cl100kBase,
    /// Of Codex and `text-davinci-003`.
    P50kBase,
    /// Of GPT-3 and GPT-2.
    R50kBase,
}

/// The length of the parts that are tokenized separately, in bytes. The expressions that split a text into words fail on a run of
/// about a million blanks. A cut costs at most one token.
#[cfg(feature = "tokenizers")]
const PART: usize = 1 << 16;

impl Tokenizer {
    /// All tokenizers.
    pub const ALL: [Self; 4] = [Self::O200kBase, Self::Cl100kBase, Self::P50kBase, Self::R50kBase];
    /// Whether the program contains the vocabularies.
    pub const ARE_BUILT_IN: bool = cfg!(feature = "tokenizers");

    /// Counts the tokens of a text. Special tokens such as `<|endoftext|>` count as plain text.
    ///
    /// Without the vocabularies, the result is an estimate, and the program rejects configs that name a tokenizer.
    pub fn count_tokens(self, text: &str) -> u64 {
        #[cfg(feature = "tokenizers")]
        return self.count_with_vocabulary(text);
        #[cfg(not(feature = "tokenizers"))]
        return tokens_at_most(text);
    }

    /// Counts a text's tokens with a model's own tokenizer if known, else with the fixed estimate, which errs high.
    pub fn tokens_of(tokenizer: Option<Self>, text: &str) -> u64 {
        tokenizer.map_or_else(|| tokens_at_most(text), |own| own.count_tokens(text))
    }

    #[cfg(feature = "tokenizers")]
    fn count_with_vocabulary(self, mut text: &str) -> u64 {
        let vocabulary = match self {
            Tokenizer::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Tokenizer::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
            Tokenizer::P50kBase => tiktoken_rs::p50k_base_singleton(),
            Tokenizer::R50kBase => tiktoken_rs::r50k_base_singleton(),
        };
        let mut tokens = 0;
        while !text.is_empty() {
            let part = &text[..text.floor_char_boundary(PART)];
            tokens += vocabulary.count_ordinary(part) as u64;
            text = &text[part.len()..];
        }
        tokens
    }
}

spelled!(Tokenizer);
