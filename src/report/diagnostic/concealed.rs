//! What is never told of a line in which something is wrong: keys and passwords that an author wrote where their names belong, or in
//! an address.
//!
//! Every sign of them becomes a `*`, so that columns stay. It does not look for keys in other places; what looks like a user and a
//! password before a host is covered wherever it stands. A line is gone through once, however long it is and however many values it has.

use crate::plan::{Problem, is_variable};

/// The keys whose values are names of variables, or would be keys.
const KEYS: [&str; 2] = ["api_key_env", "api_key"];

/// The same and the key whose value is an address.
const COVERED: [&str; 3] = [KEYS[0], KEYS[1], ADDRESS];
const ADDRESS: &str = "base_url";

/// What ends a value that is not quoted.
const ENDS: [char; 6] = [' ', '\t', ',', '}', ']', '#'];

/// What a line leaves open of a value.
#[derive(Debug, Clone, Copy)]
enum Open {
    /// It begins in one of the next lines, which are indented by more than this.
    Due { key: &'static str, indent: usize },
    /// It goes on as long as lines are indented by more than this.
    Deeper { indent: usize },
    /// It goes on up to this quote.
    Quoted(char),
}

/// The key of such a value, where a problem is one of it.
pub(super) fn key_of(problem: &Problem) -> Option<&'static str> {
    let last = problem.path.rsplit('.').next();
    COVERED.into_iter().find(|key| last == Some(key))
}

/// Words of ours without keys, and without what addresses hold of passwords.
pub(super) fn concealed(words: &str) -> String {
    without_users(&without_passwords(&without_keys(words)))
}

/// What an author wrote in one line, without the values of keys and what addresses hold of passwords.
pub(super) fn concealed_line(line: &str) -> String {
    without_users(&without_passwords(&without_values(line, line).0))
}

/// The same of the lines of a file, whose values may go on in the next ones.
pub(super) fn concealed_lines(lines: &[String]) -> Vec<String> {
    let mut open = None;
    let mut told = Vec::with_capacity(lines.len());
    for line in lines {
        let (covered, left) = after(open, line);
        open = left;
        told.push(without_users(&without_passwords(&covered)));
    }
    told
}

/// A text that begins with the value of a key: the value is covered, unless it names a variable or is an address without secrets.
pub(super) fn covered(key: &str, text: &str) -> String {
    let (before, text) = unindented(text);
    // A key of a mapping is no value, and that of a text in lines of its own stands below.
    let word = text.trim_start_matches(['"', '\'']);
    if COVERED.iter().any(|key| word.starts_with(key)) || key == ADDRESS && text.starts_with(['|', '>']) {
        return format!("{before}{text}");
    }
    let (mark, value, rest) = parted(text, |text| unquoted(key, text));
    format!("{before}{mark}{}{rest}", told(key, value))
}

/// Words of ours where they name a key and a value. Words follow the key's path in them, too: a value ends with its first word.
fn without_keys(words: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(words.len()), words);
    while let Some((_, between, value)) = given(rest, &KEYS) {
        let (before, text) = unindented(value);
        let (mark, value, behind) = parted(text, |text| text.find(ENDS).unwrap_or(text.len()));
        out.extend([between, before, mark, &variable(value)]);
        rest = behind;
    }
    out + rest
}

/// What stands before a value, and the rest.
fn unindented(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| !matches!(c, ' ' | '\t' | '[' | '{' | '-')).unwrap_or(text.len()))
}

/// The quote before a value, the value, and the rest; `end` tells where a value without quotes ends.
fn parted(text: &str, end: impl FnOnce(&str) -> usize) -> (&str, &str, &str) {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (mark, value) = text.split_at(quote.map_or(0, char::len_utf8));
    let end = quote.map_or_else(|| end(value), |quote| closing(value, quote).unwrap_or(value.len()));
    let (value, rest) = value.split_at(end);
    (mark, value, rest)
}

/// The first of some keys that a text gives a value: the key, the text up to the value, and what begins with it.
fn given<'a>(text: &'a str, keys: &[&'static str]) -> Option<(&'static str, &'a str, &'a str)> {
    let key_at = |place: usize| keys.iter().find(|key| text[place..].starts_with(**key)).map(|key| (place, *key));
    let found = text.char_indices().filter_map(|(place, _)| key_at(place));
    found.into_iter().find_map(|(place, key)| {
        let behind = text[place + key.len()..].trim_start_matches(['"', '\'', ' ', '\t']);
        let value = behind.strip_prefix([':', '='])?;
        Some((key, &text[..text.len() - value.len()], value))
    })
}

/// A line behind others that may have left a value open.
fn after(open: Option<Open>, line: &str) -> (String, Option<Open>) {
    let words = line.trim_start();
    let (blank, is_empty) = (&line[..line.len() - words.len()], words.is_empty());
    match open {
        Some(_) if is_empty => (line.to_owned(), open),
        Some(Open::Deeper { indent }) if blank.len() > indent => (format!("{blank}{}", stars(words)), open),
        Some(Open::Due { .. }) if words.starts_with('#') => (without_values(line, line).0, open),
        Some(Open::Due { key, indent }) if blank.len() > indent => {
            let (value, behind, open) = valued(key, indent, words);
            let (rest, open) = match open {
                Some(_) => (behind.to_owned(), open),
                None => without_values(behind, line),
            };
            (format!("{blank}{value}{rest}"), open)
        }
        Some(Open::Quoted(quote)) => match closing(words, quote) {
            Some(end) => {
                let (rest, open) = without_values(&words[end..], line);
                (format!("{blank}{}{rest}", stars(&words[..end])), open)
            }
            None => (format!("{blank}{}", stars(words)), open),
        },
        _ => without_values(line, line),
    }
}

/// A part of a line without the values of keys, and what of the last one is left open.
fn without_values(part: &str, line: &str) -> (String, Option<Open>) {
    let (mut out, mut rest, mut due) = (String::with_capacity(part.len()), part, None);
    let blank = line.len() - line.trim_start().len();
    while let Some((key, between, value)) = given(rest, &COVERED) {
        let before = between.rfind(key).map_or("", |place| between[..place].trim_end_matches(['"', '\'']));
        // In a flow the lines that follow are indented by more than the one it begins in, else by more than the key is.
        let is_block = before.chars().all(|c| matches!(c, ' ' | '\t' | '-')) && line.starts_with(before);
        let (value, behind, open) = valued(key, if is_block { before.len() } else { blank }, value);
        out.extend([between, &value]);
        match open {
            // Behind it there can be no more than a comment.
            Some(Open::Due { .. }) => due = due.or(open),
            Some(_) => return (out + behind, due.or(open)),
            None => {}
        }
        rest = behind;
    }
    (out + rest, due)
}

/// What a text that begins with the value of a key tells of it, the rest, and what of the value is left open.
fn valued<'a>(key: &'static str, indent: usize, text: &'a str) -> (String, &'a str, Option<Open>) {
    let (before, text) = text.split_at(properties(key, text));
    let deeper = Some(Open::Deeper { indent });
    match text.chars().next() {
        None | Some('#') => {
            // An anchor or a tag alone may be a password that begins like one.
            let blank = before.len() - before.trim_start().len();
            (format!("{}{}", &before[..blank], stars(&before[blank..])), text, Some(Open::Due { key, indent }))
        }
        Some('|' | '>') if is_header(text) => (before.to_owned(), text, deeper),
        Some('[' | '{') => {
            let count = |sign: [char; 2]| text.matches(sign).count();
            let is_open = count(['[', '{']) > count([']', '}']);
            (format!("{before}{}", stars_between(text)), "", deeper.filter(|_| is_open))
        }
        Some(quote @ ('"' | '\'')) => match closing(&text[1..], quote) {
            Some(end) => (format!("{before}{quote}{}", told(key, &text[1..=end])), &text[end + 1..], None),
            None => (format!("{before}{quote}{}", stars(&text[1..])), "", Some(Open::Quoted(quote))),
        },
        Some(_) => {
            let (value, rest) = text.split_at(unquoted(key, text));
            let covered = told(key, value);
            let is_last = covered != value && rest.chars().all(char::is_whitespace);
            (format!("{before}{covered}"), rest, deeper.filter(|_| is_last))
        }
    }
}

/// Whether `|` or `>` begins a text in lines of its own, and not a value.
fn is_header(text: &str) -> bool {
    let signs = text[1..].split([' ', '\t']).next().unwrap_or_default();
    signs.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-'))
}

/// How far blanks, an anchor and a tag go before a value. A key may begin like one of these.
fn properties(key: &str, text: &str) -> usize {
    let mut rest = text.trim_start();
    while key != KEYS[1] && rest.starts_with(['&', '!']) {
        rest = rest.split_once([' ', '\t']).map_or("", |(_, rest)| rest).trim_start();
    }
    text.len() - rest.len()
}

/// Where a value that is not quoted ends. A password may hold any sign: what may be of one is covered, too.
fn unquoted(key: &str, text: &str) -> usize {
    let end = address_end(text).unwrap_or(text.len());
    // What closes a mapping or a list is no part of a value.
    let end = text[..end].trim_end_matches(['}', ']', ',', ' ', '\t']).len();
    // In a flow without blanks the name of a variable ends before the next key.
    let word = text[..end].find(ENDS).unwrap_or(end);
    let is_variable = key == KEYS[0] && is_variable(&text[..word]) && is_before_key(&text[word..end]);
    if is_variable { word } else { end }
}

/// Whether a text is a comma and a key.
fn is_before_key(text: &str) -> bool {
    let words = text.strip_prefix(',').map(|rest| rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'));
    words.is_some_and(|rest| rest.starts_with(':'))
}

/// Where a comma or a comment begins that ends a value without quotes.
fn address_end(text: &str) -> Option<usize> {
    text.as_bytes().windows(2).position(|signs| signs == b", " || signs == b" #")
}

/// Where the quote is that closes a value, which YAML doubles or escapes within it.
fn closing(value: &str, quote: char) -> Option<usize> {
    let mut signs = value.char_indices().peekable();
    while let Some((place, c)) = signs.next() {
        match c {
            '\\' if quote == '"' => _ = signs.next(),
            '\'' if quote == '\'' && signs.next_if(|(_, next)| *next == quote).is_some() => {}
            c if c == quote => return Some(place),
            _ => {}
        }
    }
    None
}

fn told(key: &str, value: &str) -> String {
    match key {
        // Our own hints leave it to the author.
        _ if value == "…" => value.to_owned(),
        ADDRESS => address(value),
        // No variable's name stands there.
        _ if key == KEYS[1] => stars(value),
        _ => variable(value),
    }
}

fn variable(value: &str) -> String {
    if value == "…" || is_variable(value) { value.to_owned() } else { stars(value) }
}

/// An address that is given as a value: as it is, where it is no more than `http://host:port/path`; without user and token, where it is that
/// with them; else nothing of it.
fn address(value: &str) -> String {
    let scheme = ["http://", "https://"].into_iter().find(|scheme| value.starts_with(scheme));
    let Some(scheme) = scheme else {
        // `http://` is what is forgotten most: an address is known by its port or its dots.
        let (host, port) = host_and_port(value);
        let has_name = host.contains('.') && !host.contains(char::is_uppercase);
        let is_known = is_place(value) && (port.is_some() || has_name);
        return if is_known { value.to_owned() } else { stars(value) };
    };
    let (user, place, query) = sides(&value[scheme.len()..]);
    match is_place(place.strip_prefix('@').unwrap_or(place).trim_end_matches(['?', '#'])) {
        true => format!("{scheme}{}{place}{}", stars(user), stars(query)),
        false => stars(value),
    }
}

/// Whether this is `host:port/path` and no more.
fn is_place(place: &str) -> bool {
    let (host, port) = host_and_port(place);
    let path = place.find('/').map_or("", |slash| &place[slash..]);
    let is_numbered = host.starts_with('[') && host.ends_with(']');
    let of_host =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_') || is_numbered && matches!(c, ':' | '[' | ']');
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '~' | '%' | ':');
    !host.is_empty()
        && host.chars().all(of_host)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
        && path.chars().all(of_path)
}

fn host_and_port(place: &str) -> (&str, Option<&str>) {
    let host = &place[..place.find('/').unwrap_or(place.len())];
    match host.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (host, None),
    }
}

/// What stands of an address before `@`, from there to `?` or `#`, and behind that. Where one of these comes before `@`, it is not known
/// which is of a password: then all stands before.
fn sides(address: &str) -> (&str, &str, &str) {
    let (host, query) = (address.rfind('@'), address.find(['?', '#']));
    if let (Some(host), Some(query)) = (host, query)
        && query < host
    {
        return (address, "", "");
    }
    let (before, query) = address.split_at(query.map_or(address.len(), |place| place + 1));
    let (user, place) = before.split_at(host.unwrap_or(0));
    (user, place, query)
}

/// Between `//` and `@`, and behind `?` or `#`, addresses hold users, passwords and tokens. A password may hold any sign: an address in
/// quotes goes to its quote, and what may be of one that is not is covered, too.
fn without_passwords(line: &str) -> String {
    let (mut out, mut left) = (String::with_capacity(line.len()), line);
    while let Some((before, rest)) = left.split_once("://") {
        let quote = before.rfind(['"', '\'']).filter(|place| !before[place + 1..].contains([' ', '\t', ',', ':']));
        let quote = quote.and_then(|place| before[place..].chars().next());
        let end = quote.map_or_else(|| address_end(rest), |quote| closing(rest, quote));
        let (address, rest) = rest.split_at(end.unwrap_or(rest.len()));
        // What closes a mapping or a list is no part of an address without quotes.
        let signs = if quote.is_some() { address } else { address.trim_end_matches(['}', ']', ' ', '\t']) };
        let (user, place, query) = sides(signs);
        out.extend([before, "://", &stars(user), place, &stars(query), &address[signs.len()..]]);
        left = rest;
    }
    out + left
}

/// What looks like `user:password@host`, whatever stands before it: an address whose scheme was forgotten or misspelt, under whatever
/// key. Words end at blanks and quotes alone: a password may hold any other sign.
fn without_users(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for word in line.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '\'')) {
        let key = word.find('=').filter(|end| !word[..*end].contains(':')).map_or(0, |end| end + 1);
        let begin = key + word[key..].find(|c| !matches!(c, '[' | '{' | '(' | '<')).unwrap_or(0);
        let is_host = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
        // An address with its scheme is covered elsewhere.
        let host =
            word.rfind('@').filter(|place| *place > begin && is_host(&word[place + 1..]) && !word.contains("://"));
        let between = host.and_then(|host| word[begin..host].find(':').map(|colon| (begin + colon, host)));
        match between {
            Some((colon, host)) if begin < colon && colon + 1 < host && !is_harmless(&word[begin..host]) => {
                out.push_str(&word[..begin]);
                out.push_str(&stars(&word[begin..host]));
                out.push_str(&word[host..]);
            }
            _ => out.push_str(word),
        }
    }
    out
}

/// Whether what looks like a user and a password is the beginning of an address for mail, or a time.
fn is_harmless(words: &str) -> bool {
    let is_number = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let (user, password) = words.split_once(':').unwrap_or((words, ""));
    user.eq_ignore_ascii_case("mailto") && !password.contains(':') || is_number(user) && is_number(password)
}

fn stars(words: &str) -> String {
    "*".repeat(words.chars().count())
}

/// The same for all but what parts the values of a list or mapping.
fn stars_between(words: &str) -> String {
    let parts = |c: char| matches!(c, '[' | ']' | '{' | '}' | ',' | ' ');
    let (mut out, mut rest) = (String::with_capacity(words.len()), words);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let quoted = if matches!(c, '"' | '\'') { closing(rest, c).unwrap_or(rest.len()) } else { 0 };
        out.push(if parts(c) || matches!(c, '"' | '\'') { c } else { '*' });
        out.push_str(&stars(&rest[..quoted]));
        rest = &rest[quoted..];
        // The quote that closes.
        if quoted > 0 && rest.starts_with(c) {
            out.push(c);
            rest = &rest[1..];
        }
    }
    out
}

#[cfg(test)]
mod tests;
