//! Writes and parses the tags that mark statements. A tag is in capitals and brackets, at the start of a line or directly after
//! another tag; prose is never interpreted.

use super::parse_digits;
use crate::domain::{Language, Mark, Named, Number, Sign};

/// All signs.
pub const SIGNS: [Sign; 4] = [Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];

/// The word of a tag in a language.
pub fn sign_word(sign: Sign, language: Language) -> &'static str {
    match (language, sign) {
        (Language::En, Sign::Proposal) => "PROPOSAL",
        (Language::En, Sign::Support) => "SUPPORT",
        (Language::En, Sign::Oppose) => "OPPOSE",
        (Language::En, Sign::Decision) => "DECISION",
        (Language::Es, Sign::Proposal) => "PROPUESTA",
        (Language::Es, Sign::Support) => "APOYO",
        (Language::Es, Sign::Oppose) => "RECHAZO",
        (Language::Es, Sign::Decision) => "DECISIÓN",
        (Language::Zh, Sign::Proposal) => "提案",
        (Language::Zh, Sign::Support) => "支持",
        (Language::Zh, Sign::Oppose) => "反对",
        (Language::Zh, Sign::Decision) => "决定",
    }
}

/// Writes a mark as a tag of a language, such as `[PROPOSAL]` or `[SUPPORT #3.2]`. Omits an unreadable reference.
pub fn render_tag(mark: Mark, language: Language) -> String {
    let word = sign_word(mark.sign, language);
    match mark.names {
        Named::Number(number) => format!("[{word} {number}]"),
        Named::Nothing | Named::Unreadable => format!("[{word}]"),
    }
}

/// The marks of a text in a language, in order.
///
/// ```
/// use ekklesia::domain::{Language, Mark, Named, Number, Sign};
/// use ekklesia::text::parse_marks;
///
/// let said = "[OPPOSE #1.2] Too dear.\n[PROPOSAL] Let us wait.\nI say [SUPPORT #1.1] in prose.";
/// let second = Number { round: 1, turn: 2 };
/// assert_eq!(
///     parse_marks(said, Language::En),
///     [
///         Mark { sign: Sign::Oppose, names: Named::Number(second) },
///         Mark { sign: Sign::Proposal, names: Named::Nothing },
///     ]
/// );
/// ```
pub fn parse_marks(text: &str, language: Language) -> Vec<Mark> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some((mark, behind)) = parse_first_tag(rest, language) {
            found.push(mark);
            rest = behind;
        }
    }
    found
}

/// Parses a statement number such as `#3.2`; `None` for other text.
pub fn parse_statement_number(text: &str) -> Option<Number> {
    let (round, turn) = text.trim().strip_prefix('#')?.split_once('.')?;
    Some(Number { round: parse_digits(round)?, turn: parse_digits(turn)? })
}

/// Parses the tag at the start of a text, and returns the text after it.
fn parse_first_tag(text: &str, language: Language) -> Option<(Mark, &str)> {
    let (inside, behind) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    let (word, named) = match inside.split_once([' ', '\t']) {
        Some((word, named)) => (word, named.trim()),
        None => (inside, ""),
    };
    let sign = SIGNS.iter().find(|sign| sign_word(**sign, language) == word)?;
    let names = match named {
        "" => Named::Nothing,
        named => parse_statement_number(named).map_or(Named::Unreadable, Named::Number),
    };
    Some((Mark { sign: *sign, names }, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(round: u32, turn: u32) -> Named {
        Named::Number(Number { round, turn })
    }

    #[test]
    fn a_tag_stands_at_the_start_of_a_line_in_capitals_and_in_brackets() {
        let cases: [(&str, &[(Sign, Named)]); 14] = [
            ("[PROPOSAL] Close at six.", &[(Sign::Proposal, Named::Nothing)]),
            ("  [SUPPORT #3.2]", &[(Sign::Support, of(3, 2))]),
            ("Well.\n[OPPOSE #3.2] No.", &[(Sign::Oppose, of(3, 2))]),
            ("[DECISION] [SUPPORT #1.1] Done.", &[(Sign::Decision, Named::Nothing), (Sign::Support, of(1, 1))]),
            ("[PROPOSAL #1.2] Better.", &[(Sign::Proposal, of(1, 2))]),
            ("[SUPPORT  #1.2 ]", &[(Sign::Support, of(1, 2))]),
            ("[SUPPORT Bob]", &[(Sign::Support, Named::Unreadable)]),
            ("[SUPPORT #1.2 #1.3]", &[(Sign::Support, Named::Unreadable)]),
            ("[SUPPORT #99999999999.1]", &[(Sign::Support, Named::Unreadable)]),
            ("I [SUPPORT #3.2] it", &[]),
            ("[Proposal] x", &[]),
            ("[PROPOSALS] x", &[]),
            ("PROPOSAL: x", &[]),
            ("[PROPOSAL", &[]),
        ];
        for (text, expected) in cases {
            let expected: Vec<Mark> =
                expected.iter().map(|(sign, names)| Mark { sign: *sign, names: *names }).collect();
            assert_eq!(parse_marks(text, Language::En), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_as_a_tag_is_read_again(round: u32, turn: u32, which in 0usize..4, language in 0usize..3, is_named: bool, behind: String) {
            let names = if is_named { of(round, turn) } else { Named::Nothing };
            let (mark, language) = (Mark { sign: SIGNS[which], names }, Language::ALL[language]);
            let text = format!("{} {behind}", render_tag(mark, language));
            let read = |language| parse_marks(&text, language).first().copied();
            prop_assert_eq!(read(language), Some(mark));
            for other in Language::ALL.into_iter().filter(|other| *other != language) {
                prop_assert_ne!(read(other), Some(mark));
            }
        }

        #[test]
        fn any_text_is_read(text: String) {
            prop_assert!(parse_marks(&text, Language::En).len() <= text.len());
        }
    }
}
