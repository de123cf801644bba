//! Writes the converted config: quoted values, a comment after each line, and valid names.

use std::fmt::Display;

use super::reading::Sourced;
use crate::text::{join_lines, put};

/// The text of the config.
#[derive(Debug, Default)]
pub struct YamlDraft {
    text: String,
}

impl YamlDraft {
    /// Writes the key of a section.
    pub fn open_section(&mut self, depth: usize, key: &str) {
        put!(self.text, "{}{key}:\n", indent_spaces(depth));
    }

    /// Writes a key, its value (which must be YAML), and a comment unless it is empty.
    pub fn write_line(&mut self, depth: usize, key: &str, value: &str, comment: &str) {
        let space = if comment.is_empty() { "" } else { "  " };
        put!(self.text, "{}{key}: {value}{space}{comment}\n", indent_spaces(depth));
    }

    /// Writes a key and a value, with a comment that names the value's origin.
    pub fn write_sourced(&mut self, depth: usize, key: &str, sourced: &Sourced<impl Display>) {
        self.write_line(depth, key, &sourced.value.to_string(), &sourced.origin());
    }

    /// Writes a comment on a line of its own.
    pub fn write_comment(&mut self, depth: usize, comment: &str) {
        put!(self.text, "{}# {comment}\n", indent_spaces(depth));
    }

    /// The text written so far.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn indent_spaces(depth: usize) -> String {
    "  ".repeat(depth)
}

/// Quotes a text on one line: JSON's quoting, with escapes for characters that YAML cannot print.
pub fn quote_yaml(text: &str) -> String {
    let mut out = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        if is_unprintable(c) { put!(out, "\\u{:04x}", u32::from(c)) } else { out.push(c) }
    }
    out
}

/// A number with a decimal point.
pub fn decimal_text(number: f64) -> String {
    let text = number.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// Escapes control characters and line ends for a comment.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if is_unprintable(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// Whether YAML cannot print a character, or takes it for a line end or a byte order mark.
fn is_unprintable(c: char) -> bool {
    c.is_control() || "\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}".contains(c)
}

/// A valid name for an experiment or model, with `-` for other characters. An invalid name gets the prefix `otherwise`.
pub fn plain_name(text: &str, otherwise: &str) -> String {
    const LENGTH_MAX: usize = 60;
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let plain: String = plain.trim_matches('-').chars().take(LENGTH_MAX).collect();
    let starts = plain.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    match starts && is_told_apart(&plain) {
        true => plain,
        false if plain.is_empty() => otherwise.to_string(),
        false => format!("{otherwise}-{plain}"),
    }
}

/// A valid name for a seat, with spaces for other characters.
pub fn seat_name(text: &str) -> String {
    const LENGTH_MAX: usize = 70;
    let plain: String = text.chars().map(|c| if c.is_alphanumeric() || " _-'".contains(c) { c } else { ' ' }).collect();
    let mut plain = join_lines(&plain);
    while plain.len() > LENGTH_MAX {
        plain.pop();
    }
    let plain = plain.trim_end();
    let starts = plain.chars().next().is_some_and(char::is_alphanumeric);
    match starts && is_told_apart(plain) {
        true => plain.to_string(),
        false if plain.is_empty() => "Agent".to_string(),
        false => format!("Agent {plain}"),
    }
}

/// Whether programs that read tables see a name: neither a number nor a missing or logical value.
fn is_told_apart(name: &str) -> bool {
    const OTHERS: [&str; 10] = ["NA", "NaN", "nan", "NULL", "None", "null", "T", "F", "TRUE", "FALSE"];
    !name.bytes().all(|byte| byte.is_ascii_digit()) && !OTHERS.contains(&name)
}
