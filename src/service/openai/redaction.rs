//! Removes the API key from a server's texts, even within longer texts: plain, percent- or JSON-escaped, in base64 or in
//! hexadecimal.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::NO_PAD;
use secrecy::{ExposeSecret, SecretString};

/// The minimum length in bytes of a key that is redacted in replies: without and with a digit. Real keys have 30 or more; shorter
/// ones are placeholders (`none`, `test`) that replies may contain by chance.
const SECRET_BYTES_MIN: usize = 16;
const SECRET_BYTES_MIN_WITH_FIGURE: usize = 8;

/// The minimum length in error texts, where an unnecessary redaction changes no answer.
const SECRET_BYTES_MIN_IN_ERRORS: usize = 6;

const REDACTED: &str = "[key]";

/// A key and its encoded forms.
pub(super) struct Redaction {
    key: SecretString,
    forms: Vec<ApiKeyForm>,
}

/// An encoded form of the key.
struct ApiKeyForm {
    text: SecretString,
    /// Whether the characters before and after it also hold bits of the key.
    spills: (bool, bool),
}

impl Redaction {
    pub(super) fn new(key: SecretString) -> Self {
        let plain = key.expose_secret();
        let mut forms = vec![ApiKeyForm::from_text(plain.to_owned())];
        if plain.len() >= SECRET_BYTES_MIN_IN_ERRORS {
            for alphabet in [&alphabet::STANDARD, &alphabet::URL_SAFE] {
                let engine = GeneralPurpose::new(alphabet, NO_PAD);
                forms.extend((0..3).map(|before| in_base64(plain.as_bytes(), before, &engine)));
            }
            let hex = |upper: bool| -> String {
                let digits =
                    plain.bytes().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") });
                digits.collect()
            };
            forms.extend([ApiKeyForm::from_text(hex(false)), ApiKeyForm::from_text(hex(true))]);
        }
        Self { key, forms }
    }

    pub(super) fn key(&self) -> &SecretString {
        &self.key
    }

    /// Whether the key is long enough to be redacted in replies.
    pub(super) fn is_secret(&self) -> bool {
        let key = self.key.expose_secret();
        let has_figure = key.bytes().any(|byte| byte.is_ascii_digit());
        key.len() >= if has_figure { SECRET_BYTES_MIN_WITH_FIGURE } else { SECRET_BYTES_MIN }
    }

    /// Redacts the key in all its forms, unless it is shorter than `SECRET_BYTES_MIN_IN_ERRORS`.
    pub(super) fn redact(&self, words: &str) -> String {
        if self.key.expose_secret().len() < SECRET_BYTES_MIN_IN_ERRORS {
            return words.to_owned();
        }
        self.forms.iter().fold(words.to_owned(), |words, form| form.cover_in(words))
    }
}

impl ApiKeyForm {
    /// A form with byte-aligned ends.
    fn from_text(text: String) -> Self {
        Self { text: SecretString::from(text), spills: (false, false) }
    }

    fn cover_in(&self, words: String) -> String {
        let form = self.text.expose_secret().as_bytes();
        let bytes = words.as_bytes();
        let (mut covered, mut kept, mut at) = (String::new(), 0, 0);
        while let Some(next) = bytes.get(at..).and_then(|rest| find_start(rest, form[0])) {
            at += next;
            let Some(length) = matched_length(&bytes[at..], form) else {
                at += 1;
                continue;
            };
            let is_of_base64 =
                |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte));
            let start = at - usize::from(self.spills.0 && at > kept && is_of_base64(at - 1));
            let end = at + length + usize::from(self.spills.1 && is_of_base64(at + length));
            let padding = bytes[end..].iter().take_while(|byte| self.spills.1 && **byte == b'=').count();
            covered.push_str(&words[kept..start]);
            covered.push_str(REDACTED);
            kept = end + padding;
            at = kept;
        }
        if kept == 0 { words } else { covered + &words[kept..] }
    }
}

/// The base64 characters that depend on the key alone, if it follows `before` bytes (modulo 3).
fn in_base64(key: &[u8], before: usize, engine: &GeneralPurpose) -> ApiKeyForm {
    let encoded = engine.encode([vec![0; before], key.to_vec()].concat());
    // A base64 character holds six bits.
    let (first, last) = ((before * 8).div_ceil(6), (before + key.len()) * 8 / 6);
    let spills = (before > 0, !(before + key.len()).is_multiple_of(3));
    ApiKeyForm { text: SecretString::from(encoded[first..last].to_owned()), spills }
}

/// The position of the form's first byte or of an escape.
fn find_start(words: &[u8], first: u8) -> Option<usize> {
    memchr::memchr3(first, b'%', b'\\', words)
}

/// The length of the form at the start of `words`, each byte plain or escaped; `None` if it does not match. A byte that begins an
/// escape may also be plain, so several readings are tried; the longest counts.
fn matched_length(words: &[u8], form: &[u8]) -> Option<usize> {
    let next = |ends: Vec<usize>, byte: &u8| -> Vec<usize> {
        ends.into_iter().flat_map(|end| encoded_lengths(&words[end..], *byte).map(move |length| end + length)).collect()
    };
    form.iter().fold(vec![0], next).into_iter().max()
}

/// The lengths of all encodings of a byte at the start of `words`: plain, `%XX`, `\uXXXX`, and a slash or quote after a
/// backslash.
fn encoded_lengths(words: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    let is_code = |digits: Option<&[u8]>| {
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) == Some(byte.into())
    };
    let itself = (words.first() == Some(&byte)).then_some(1);
    let escaped = match words {
        [b'%', ..] if is_code(words.get(1..3)) => Some(3),
        [b'\\', b'u', ..] if is_code(words.get(2..6)) => Some(6),
        [b'\\', second, ..] if *second == byte && matches!(byte, b'/' | b'"') => Some(2),
        _ => None,
    };
    itself.into_iter().chain(escaped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn redaction(key: &str) -> Redaction {
        Redaction::new(SecretString::from(key))
    }

    #[test]
    fn a_key_is_taken_out_of_errors_however_short_and_out_of_replies_where_it_is_no_word() {
        for (key, of_errors, of_replies) in [
            ("sk-planted-0123456789", true, true),
            ("sk-secret-1", true, true),
            ("no-key-required!", true, true),
            ("not-needed", true, false),
            ("ollama", true, false),
            ("none", false, false),
            ("a1", false, false),
            ("", false, false),
        ] {
            let redaction = redaction(key);
            let words = redaction.redact(&format!("Incorrect API key: {key}."));
            assert_eq!(words == "Incorrect API key: [key].", of_errors, "{key}: {words}");
            assert_eq!(redaction.is_secret(), of_replies, "{key}");
        }
    }

    #[test]
    fn words_without_the_key_stay_as_they_are() {
        let redaction = redaction("sk-planted/0123456789+end");
        for words in ["", "%", "100 % sure \\ or \\u00e9", "sk-planted", "c2stcGxhbnRlZC8w", "ümläut %73k"] {
            assert_eq!(redaction.redact(words), words);
        }
    }

    /// Every way to write a byte that servers use.
    fn escape(byte: u8, how: u8) -> String {
        match how % 5 {
            0 => format!("%{byte:02X}"),
            1 => format!("%{byte:02x}"),
            2 => format!("\\u{byte:04x}"),
            3 if byte == b'/' => "\\/".to_owned(),
            _ => char::from(byte).to_string(),
        }
    }

    proptest! {
        #[test]
        fn whatever_form_the_key_has_nothing_of_it_remains(
            key in "[!-~]{8,60}", before in "[ -~ü]{0,9}", after in "[ -~ü]{0,9}", how in proptest::collection::vec(0_u8..5, 60),
        ) {
            let redaction = redaction(&key);
            let escaped: String = key.bytes().zip(&how).map(|(byte, how)| escape(byte, *how)).collect();
            let covered = redaction.redact(&format!("{before} {escaped} {after}"));
            prop_assert!(covered.contains(REDACTED), "{}", covered);
            prop_assert!(!covered.contains(&escaped), "{}", covered);
            for alphabet in [&alphabet::STANDARD, &alphabet::URL_SAFE] {
                let engine = GeneralPurpose::new(alphabet, NO_PAD);
                let encoded = engine.encode(format!("{before}{key}{after}"));
                let covered = redaction.redact(&format!("({encoded}=)"));
                let rest = covered.replace(REDACTED, "").trim_matches(['(', ')', '=']).len();
                // Of what stands before and after, each shares at most a character with the key.
                let most = (before.len() * 8).div_ceil(6) + (after.len() * 8).div_ceil(6);
                prop_assert!(covered.contains(REDACTED) && rest <= most, "{} in {}", rest, covered);
            }
            let hex: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
            prop_assert_eq!(redaction.redact(&hex), REDACTED);
            prop_assert_eq!(redaction.redact(&hex.to_uppercase()), REDACTED);
        }
    }
}
