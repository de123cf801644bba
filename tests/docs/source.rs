//! What a source file says of a type: its members with their doc comments, in the order of the code.
//!
//! It reads text, line by line, as the formatter lays it out. It is no parser of Rust.

use std::fs;
use std::path::Path;

/// A variant of an enum, or a field of a struct.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Member {
    /// Its name as it is written in files.
    pub name: String,
    /// Its type; empty for a variant without one value of its own.
    pub of: String,
    /// Its doc comment on one line.
    pub doc: String,
    /// The fields of a variant that has some.
    pub fields: Vec<Member>,
}

/// A type's own doc comment on one line, and its members.
///
/// # Panics
/// When the file has no such type, or a member without a comment.
pub fn members(file: &str, name: &str) -> (String, Vec<Member>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let read = members_in(&text, name).unwrap_or_else(|| panic!("{file} has no `{name}`"));
    let bare = read.1.iter().find(|member| member.doc.is_empty());
    assert_eq!(bare, None, "{file}: {name} has a member without a comment");
    read
}

fn members_in(text: &str, name: &str) -> Option<(String, Vec<Member>)> {
    let lines: Vec<&str> = text.lines().collect();
    let opens = |line: &str| {
        let rest = line.strip_prefix("pub enum ").or_else(|| line.strip_prefix("pub struct "))?;
        (rest.strip_suffix(" {")?.split('<').next() == Some(name)).then_some(())
    };
    let begin = lines.iter().position(|line| opens(line).is_some())?;
    let head = lines[..begin].iter().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
    let mut head: Vec<&str> = head.copied().collect();
    head.reverse();
    let is_snake = head.iter().any(|line| line.contains("rename_all = \"snake_case\""));
    let doc = joined(head.iter().filter_map(|line| line.strip_prefix("///")));
    let mut members: Vec<Member> = Vec::new();
    let (mut comment, mut renamed, mut attribute) = (Vec::new(), None, false);
    for line in lines[begin + 1..].iter().take_while(|line| **line != "}") {
        let (indent, code) = (line.len() - line.trim_start().len(), line.trim());
        if attribute || code.starts_with("#[") {
            renamed = code.split_once("rename = \"").and_then(|(_, rest)| rest.split('"').next()).or(renamed);
            attribute = !code.ends_with(']');
        } else if let Some(words) = code.strip_prefix("///") {
            comment.push(words);
        } else if let Some(mut member) = declared(code) {
            member.doc = joined(comment.drain(..));
            let written =
                if is_snake && indent == 4 && member.of.is_empty() { snake(&member.name) } else { member.name };
            member.name = renamed.take().map_or(written, str::to_owned);
            match members.last_mut() {
                Some(variant) if indent == 8 => variant.fields.push(member),
                _ => members.push(member),
            }
        }
    }
    Some((doc, members))
}

/// A member of one line of code, without its comment; `None` for a brace.
fn declared(code: &str) -> Option<Member> {
    let code = code.trim_end_matches([',', '{']).trim().trim_start_matches("pub ");
    if code.is_empty() || code == "}" {
        return None;
    }
    let (name, of) = match (code.split_once(": "), code.split_once('(')) {
        (Some((name, of)), _) => (name, of),
        (None, Some((name, _))) => (name, ""),
        (None, None) => (code, ""),
    };
    Some(Member { name: name.to_owned(), of: of.to_owned(), ..Member::default() })
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
