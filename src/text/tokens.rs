//! A fixed estimate of tokens that errs high: no tokenizer is at hand, and a brief must not depend on what other sessions
//! learnt.

/// How many tokens a text may have at the most, for tokenizers that merge frequent words.
///
/// Each started three letters of a word are one, every digit and every other ASCII character is one, blank space counts one for
/// each run of it, and every other character counts its bytes in UTF-8, as a tokenizer that falls back to bytes would. English
/// prose comes out about a third above what common tokenizers count.
///
/// ```
/// use ekklesia::text::tokens_at_most;
///
/// assert_eq!(tokens_at_most("deliberation"), 4);
/// assert_eq!(tokens_at_most("a b"), 3);
/// assert_eq!(tokens_at_most("公"), 3);
/// ```
pub fn tokens_at_most(text: &str) -> u64 {
    let (mut tokens, mut letters, mut was_blank) = (0, 0u64, false);
    for character in text.chars() {
        let is_blank = character.is_ascii_whitespace();
        if character.is_ascii_alphabetic() {
            tokens += u64::from(letters.is_multiple_of(3));
            letters += 1;
        } else {
            letters = 0;
            tokens += match character {
                _ if is_blank => u64::from(!was_blank),
                _ if character.is_ascii() => 1,
                _ => character.len_utf8() as u64,
            };
        }
        was_blank = is_blank;
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
