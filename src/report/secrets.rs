//! Keys and passwords that an author wrote where only their names belong: each of their characters is shown as `*`, so that columns
//! stay.
//!
//! It does not know a secret by its look: what stands under the keys of which it is a common mistake is covered, unless it is clearly
//! harmless, and so is what addresses hold of users, passwords and tokens. Rather too much is covered than too little.

use std::ops::Range;

use crate::config::{SECRET_KEYS, is_plain_address, is_variable};

/// The longest address or name that is shown, in characters.
const HARMLESS_MAX: usize = 300;

/// The lines of a text without secrets. The value of a key may go on in lines that are indented by more than the key.
pub fn cover_secrets_in_lines(text: &str) -> Vec<String> {
    let mut covered_beyond = None;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let indent = line.len() - line.trim_start().len();
        if covered_beyond.is_some_and(|key| indent > key || line.trim().is_empty()) {
            lines.push(format!("{}{}", &line[..indent], cover(&line[indent..])));
            continue;
        }
        covered_beyond = find_secrets(line).last().filter(|secret| secret.end == line.len()).map(|secret| {
            let before = &line[..secret.start];
            let key = SECRET_KEYS.iter().filter_map(|key| before.rfind(key)).max().unwrap_or(0);
            let is_first = before[..key].chars().all(|c| matches!(c, ' ' | '-' | '"' | '\''));
            if is_first { key } else { indent }
        });
        lines.push(cover_secrets(line));
    }
    lines
}

/// A line or message without secrets.
pub fn cover_secrets(line: &str) -> String {
    let (mut shown, mut reached) = (String::with_capacity(line.len()), 0);
    for secret in find_secrets(line) {
        shown.push_str(&cover_addresses(&line[reached..secret.start]));
        shown.push_str(&cover(&line[secret.clone()]));
        reached = secret.end;
    }
    shown + &cover_addresses(&line[reached..])
}

/// The values of secret keys that are not clearly harmless, in order. One without quotes, or with codes in it, ends nobody knows where:
/// all behind it is covered.
fn find_secrets(line: &str) -> Vec<Range<usize>> {
    let value_behind = |key: &str, place: usize| {
        let behind = line[place + key.len()..].trim_start_matches(['"', '\'', ' ']);
        let value = behind.strip_prefix([':', '='])?.trim_start_matches([' ', '"', '\'']);
        (!is_harmless(key, value)).then(|| line.len() - value.len())
    };
    let of_key = |key: &'static str| line.match_indices(key).filter_map(move |(place, _)| value_behind(key, place));
    let mut starts: Vec<usize> = SECRET_KEYS.into_iter().flat_map(of_key).collect();
    starts.sort_unstable();
    let mut secrets: Vec<Range<usize>> = Vec::new();
    for start in starts {
        if secrets.last().is_some_and(|secret| start < secret.end) {
            continue;
        }
        let quote = line[..start].chars().next_back().filter(|c| matches!(c, '"' | '\''));
        let closing = quote.and_then(|quote| line[start..].find(quote)).map(|length| start + length);
        let is_plain = |end: &usize| !line[start..*end].contains('\\') && !line[*end..].starts_with("''");
        secrets.push(start..closing.filter(is_plain).unwrap_or(line.len()));
    }
    secrets
}

/// Whether a text begins with the name of a variable or a plain address, and then ends, or goes on as YAML or a sentence does.
fn is_harmless(key: &str, text: &str) -> bool {
    let is_end = |c: char| matches!(c, ' ' | '"' | '\'' | ',' | '}' | ']');
    let end = text.char_indices().take(HARMLESS_MAX).find(|(_, c)| is_end(*c)).map(|(place, _)| place);
    let is_short = text.len() <= HARMLESS_MAX;
    let Some(end) = end.or(is_short.then_some(text.len())) else { return false };
    let (value, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(['"', '\'', '}', ']', ' ']);
    let is_over = rest.is_empty() || rest.starts_with(", ") || rest.starts_with('#');
    let is_name = match key {
        "api_key_env" => is_variable(value),
        "base_url" => is_plain_address(value),
        _ => false,
    };
    is_over && (is_name || value == "…")
}

/// A text without what stands before the `@` of an address or behind its `?` or `#`.
fn cover_addresses(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, address)) = rest.split_once("://") {
        let end = address.find(", ").or_else(|| address.find(" #")).unwrap_or(address.len());
        let (address, behind) = address.split_at(end);
        let host = address.rfind('@').unwrap_or(0);
        let query = address[host..].find(['?', '#']).map_or(end, |query| host + query + 1);
        shown.extend([before, "://", &cover(&address[..host]), &address[host..query], &cover(&address[query..])]);
        rest = behind;
    }
    shown.push_str(rest);
    // A scheme may be forgotten or misspelt.
    shown.split_inclusive([' ', '"', '\'']).map(cover_user).collect()
}

/// A word without the user and password of `user:password@host`.
fn cover_user(word: &str) -> String {
    let host = word.rfind('@').filter(|host| word[..*host].contains(':') && !word.contains("://"));
    host.map_or_else(|| word.to_owned(), |host| format!("{}{}", cover(&word[..host]), &word[host..]))
}

fn cover(secret: &str) -> String {
    "*".repeat(secret.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_covered_and_columns_stay() {
        for line in [
            "api_key_env: sk-geheim # mine",
            "{ model: m, api_key_env: \"sk-a geheim\", modle: n }",
            "api_key: 'sk-geheim'",
            "--set models.a.openai.api_key=geheim",
            "api_key_env: [sk-geheim]",
            "api_key_env: abcd,defg}geheim",
            "api_key: correct horse geheim",
            "api_key: !geheim",
            "base_url: \"https://me:geheim@host/v1\"",
            "base_url: https://host/v1?key=geheim",
            "base_url: \"https:/me:geheim@host/v1\"",
            "{\"base_url\":'https://me:ge''geheim@host/v1'}",
            "base_url: { a: \"p4,!geheim\" }",
            "{api_key_env: MY_KEY,api_key: geheim}",
            "base_ulr: https://me:a,b}c geheim@host/v1 # mine",
            "base_ulr: \"https://me:ge\\\"geheim@host/v1\"",
            "base_ulr: me:geheim@host/v1",
            "endpoint: http://host:80/v1?token=geheim",
            "# was me:geheim@[::1]:80, see below",
        ] {
            let shown = cover_secrets(line);
            assert!(!shown.contains("geheim") && shown.chars().count() == line.chars().count(), "{line}\n{shown}");
        }
    }

    #[test]
    fn what_holds_no_secret_is_shown() {
        for line in [
            "{ base_url: \"http://127.0.0.1:8000/v1\", api_key_env: MY_KEY, modle: n }",
            "  api_key_env: MY_KEY # its variable",
            "base_url: http://localhost:8080/v1",
            "authors: [{ name: A. Author, email: a@b.example }]",
            "write api_key_env: NAME, the environment variable that holds the key",
            "write api_key_env: …",
            "at: { phase: talk, round: 3 } # @ home",
        ] {
            assert_eq!(cover_secrets(line), line);
        }
    }

    #[test]
    fn a_value_that_goes_on_in_the_next_lines_is_covered_there() {
        for (text, shown) in [
            (
                "base_url: >-\n  me:geheim@host\n\n  geheim\nmodel: m",
                "base_url: **\n  **************\n\n  ******\nmodel: m",
            ),
            ("- base_url: |\n    geheim\n  model: m", "- base_url: *\n    ******\n  model: m"),
            ("a:\n  base_url:\n    geheim\n  model: m", "a:\n  base_url:\n    ******\n  model: m"),
            ("base_url: http://host/v1\nmodel: m", "base_url: http://host/v1\nmodel: m"),
        ] {
            assert_eq!(cover_secrets_in_lines(text).join("\n"), shown);
        }
    }
}
