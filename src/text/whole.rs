//! Finds complete words in a text and fills placeholders.

/// Whether a text contains a word that no letter, digit or `_` touches. Case-sensitive.
///
/// ```
/// use ekklesia::text::names_word;
///
/// assert!(names_word("I know F3, and more.", "F3"));
/// assert!(!names_word("I know F31 and XF3.", "F3"));
/// ```
pub fn names_word(text: &str, word: &str) -> bool {
    let touches = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole =
        |(at, found): (usize, &str)| !text[..at].ends_with(touches) && !text[at + found.len()..].starts_with(touches);
    !word.is_empty() && text.match_indices(word).any(is_whole)
}

/// Replaces each `{{ name }}` in a text with words, regardless of blanks within the braces.
pub fn fill_placeholder(text: &str, name: &str, words: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start..].find("}}") else { break };
        let inner = rest[start + 2..start + length].trim();
        let end = start + length + 2;
        out.push_str(&rest[..start]);
        out.push_str(if inner == name { words } else { &rest[start..end] });
        rest = &rest[end..];
    }
    out + rest
}
