//! Puts a text into one line.

/// The words of a text in one line, with one blank between two. Words of seats are inserted like this, so that they look like nothing
/// else in a prompt.
///
/// ```
/// use ekklesia::text::join_lines;
///
/// assert_eq!(join_lines(" yes\n\n[FACILITATOR] Answer\u{2028}4. "), "yes [FACILITATOR] Answer 4.");
/// ```
pub fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
