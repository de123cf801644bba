//! A fixed, high estimate of token counts, so that prompts depend neither on a tokenizer nor on other sessions.

/// Estimates a text's tokens from above, for tokenizers that merge frequent words.
///
/// Every started group of four ASCII letters is one token, including a blank before it. Every digit, other ASCII character, line
/// break and further blank is one. Any other character counts its bytes in UTF-8, as in a tokenizer that falls back to bytes.
/// The estimate exceeds common tokenizers' counts for English prose, but not always for a single rare word.
///
/// ```
/// use ekklesia::text::tokens_at_most;
///
/// assert_eq!(tokens_at_most("deliberation"), 3);
/// assert_eq!(tokens_at_most("a b"), 2);
/// assert_eq!(tokens_at_most("13,000\n"), 7);
/// assert_eq!(tokens_at_most("公"), 3);
/// ```
pub fn tokens_at_most(text: &str) -> u64 {
    let (mut tokens, mut letters, mut is_space_before) = (0, 0u64, false);
    for character in text.chars() {
        if character.is_ascii_alphabetic() {
            tokens += u64::from(letters.is_multiple_of(4));
            letters += 1;
            is_space_before = false;
            continue;
        }
        letters = 0;
        // A blank is part of the next word; a second blank is not.
        tokens += match character {
            ' ' => u64::from(is_space_before),
            _ if character.is_ascii() => 1,
            _ => character.len_utf8() as u64,
        };
        is_space_before = character == ' ';
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_longer_text_never_has_fewer_tokens(text in "\\PC{0,60}", more in "\\PC{0,20}") {
            let longer = format!("{text}{more}");
            prop_assert!(tokens_at_most(&longer) >= tokens_at_most(&text));
            prop_assert!(tokens_at_most(&text) <= text.len() as u64);
        }
    }
}
