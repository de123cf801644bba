//! What is never told of a line in which something is wrong: keys and passwords that an author wrote where their names belong, or in
//! an address.
//!
//! Every sign of them becomes a `*`, so that columns stay. It does not look for keys in other places; what looks like a user and a
//! password before a host is covered wherever it stands.

use crate::plan::{Problem, is_variable};

/// The keys whose values are names of variables, or would be keys.
const KEYS: [&str; 2] = ["api_key_env", "api_key"];

/// The same and the key whose value is an address.
const COVERED: [&str; 3] = [KEYS[0], KEYS[1], ADDRESS];
const ADDRESS: &str = "base_url";

/// What ends a value that is not quoted.
const ENDS: [char; 6] = [' ', '\t', ',', '}', ']', '#'];

/// The letters of the shortest word that is a secret.
const SECRET: usize = 3;

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

/// The words that stand in a line and are covered where it is told; shorter ones than `SECRET` are no secrets.
pub(super) fn hidden(written: &str, told: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (written, told) in written.chars().zip(told.chars()) {
        match words.last_mut() {
            Some(word) if written != told && written.is_alphanumeric() => word.push(written),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| word.chars().count() >= SECRET);
    words
}

/// Words of ours that may quote an author's, without those that are hidden.
pub(super) fn without<'a>(words: &str, hidden: impl IntoIterator<Item = &'a String>) -> String {
    hidden.into_iter().fold(words.to_owned(), |words, secret| words.replace(secret, &stars(secret)))
}

/// A text that begins with the value of a key: the value is covered, unless it names a variable or is an address without secrets.
pub(super) fn covered(key: &str, text: &str) -> String {
    let blank: usize = text.chars().take_while(|c| matches!(c, ' ' | '\t' | '[' | '{' | '-')).map(char::len_utf8).sum();
    let (before, text) = text.split_at(blank);
    // A key of a mapping is no value, and that of a text in lines of its own stands below.
    if COVERED.iter().any(|key| text.starts_with(key)) || key == ADDRESS && text.starts_with(['|', '>']) {
        return format!("{before}{text}");
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (mark, value) = text.split_at(quote.map_or(0, char::len_utf8));
    let end = match quote {
        Some(quote) => closing(value, quote).unwrap_or(value.len()),
        None => unquoted(key, value),
    };
    let (value, rest) = value.split_at(end);
    format!("{before}{mark}{}{rest}", told(key, value))
}

fn without_keys(words: &str) -> String {
    let Some((key, between, value)) = given(words, &KEYS) else { return words.to_owned() };
    format!("{between}{}", without_keys(&covered(key, value)))
}

/// The first of some keys that a text gives a value: the key, the text up to the value, and what begins with it.
fn given<'a>(text: &'a str, keys: &[&'static str]) -> Option<(&'static str, &'a str, &'a str)> {
    let mut from = 0;
    loop {
        let rest = &text[from..];
        let found = keys.iter().filter_map(|key| Some((rest.find(key)?, *key)));
        let (place, key) = found.min_by_key(|(place, _)| *place)?;
        from += place + key.len();
        if let Some(value) = text[from..].trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix([':', '=']) {
            return Some((key, &text[..text.len() - value.len()], value));
        }
    }
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
            let (value, open) = valued(key, indent, words, line);
            (format!("{blank}{value}"), open)
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
    let Some((key, between, value)) = given(part, &COVERED) else { return (part.to_owned(), None) };
    let before = between.rfind(key).map_or("", |place| between[..place].trim_end_matches(['"', '\'']));
    // In a flow the lines that follow are indented by more than the one it begins in, else by more than the key is.
    let is_block = before.chars().all(|c| matches!(c, ' ' | '\t' | '-')) && line.starts_with(before);
    let indent = if is_block { before.len() } else { line.len() - line.trim_start().len() };
    let (value, open) = valued(key, indent, value, line);
    (format!("{between}{value}"), open)
}

/// A text that begins with the value of a key, and what of it is left open.
fn valued(key: &'static str, indent: usize, text: &str, line: &str) -> (String, Option<Open>) {
    let (before, text) = text.split_at(properties(text));
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (covered, rest) = match (quote, text.chars().next()) {
        (None, None | Some('#')) => {
            return (format!("{before}{}", without_values(text, line).0), Some(Open::Due { key, indent }));
        }
        (None, Some('|' | '>')) => return (format!("{before}{text}"), Some(Open::Deeper { indent })),
        (None, Some('[' | '{')) => {
            let count = |sign: [char; 2]| text.matches(sign).count();
            let open = (count(['[', '{']) > count([']', '}'])).then_some(Open::Deeper { indent });
            return (format!("{before}{}", stars_between(text)), open);
        }
        (Some(quote), _) => {
            let value = &text[1..];
            let Some(end) = closing(value, quote) else {
                return (format!("{before}{quote}{}", stars(value)), Some(Open::Quoted(quote)));
            };
            (format!("{quote}{}", told(key, &value[..end])), &value[end..])
        }
        (None, Some(_)) => {
            let end = unquoted(key, text);
            let (value, rest) = text.split_at(end);
            let covered = told(key, value);
            if rest.trim_end().is_empty() && covered != value {
                return (format!("{before}{covered}{rest}"), Some(Open::Deeper { indent }));
            }
            (covered, rest)
        }
    };
    let (rest, open) = without_values(rest, line);
    (format!("{before}{covered}{rest}"), open)
}

/// How far blanks, an anchor and a tag go before a value.
fn properties(text: &str) -> usize {
    let mut rest = text.trim_start();
    while rest.starts_with(['&', '!']) {
        rest = rest.split_once([' ', '\t']).map_or("", |(_, rest)| rest).trim_start();
    }
    text.len() - rest.len()
}

/// Where a value that is not quoted ends. A password may hold any sign: what may be of one is covered, too.
fn unquoted(key: &str, text: &str) -> usize {
    if key != ADDRESS {
        return text.find(ENDS).unwrap_or(text.len());
    }
    let end = [", ", " #"].iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    // What closes a mapping or a list is no part of an address.
    text[..end].trim_end_matches(['}', ']', ',', ' ', '\t']).len()
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
        _ if is_variable(value) => value.to_owned(),
        _ => stars(value),
    }
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
    let Some((before, rest)) = line.split_once("://") else { return line.to_owned() };
    let quote = before.rfind(['"', '\'']).filter(|place| !before[place + 1..].contains([' ', '\t', ',', ':']));
    let quote = quote.and_then(|place| before[place..].chars().next());
    let end = match quote {
        Some(quote) => closing(rest, quote),
        None => [", ", " #"].iter().filter_map(|end| rest.find(end)).min(),
    };
    let (address, rest) = rest.split_at(end.unwrap_or(rest.len()));
    // What closes a mapping or a list is no part of an address without quotes.
    let signs = if quote.is_some() { address } else { address.trim_end_matches(['}', ']', ' ', '\t']) };
    let ending = &address[signs.len()..];
    let (user, place, query) = sides(signs);
    format!("{before}://{}{place}{}{ending}{}", stars(user), stars(query), without_passwords(rest))
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
            Some((colon, host)) if begin < colon && colon + 1 < host => {
                out.push_str(&word[..begin]);
                out.push_str(&stars(&word[begin..host]));
                out.push_str(&word[host..]);
            }
            _ => out.push_str(word),
        }
    }
    out
}

fn stars(words: &str) -> String {
    "*".repeat(words.chars().count())
}

/// The same for all but what parts the values of a list or mapping.
fn stars_between(words: &str) -> String {
    let parts = |c: char| matches!(c, '[' | ']' | '{' | '}' | ',' | ' ' | '"' | '\'');
    words.chars().map(|c| if parts(c) { c } else { '*' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_passwords_are_covered_and_columns_stay() {
        for (line, told) in [
            ("api_key_env: sk-1234 # mine", "api_key_env: ******* # mine"),
            ("{ model: m, api_key_env: \"sk-a b\", modle: n }", "{ model: m, api_key_env: \"******\", modle: n }"),
            ("api_key: 'sk-1'", "api_key: '****'"),
            ("--set models.a.openai.api_key=sk-1", "--set models.a.openai.api_key=****"),
            ("api_key_env: MY_KEY, concurrency: 4", "api_key_env: MY_KEY, concurrency: 4"),
            ("api_key_env: gsk_Zx81kQw0aPmN4LrT7uVb", "api_key_env: ************************"),
            ("api_key_env: [sk-1]", "api_key_env: [****]"),
            ("base_url: \"https://me:geheim@host/v1\"", "base_url: \"https://*********@host/v1\""),
            ("base_url: https://host/v1?key=abc", "base_url: https://host/v1?*******"),
            ("{ base_url: https://host/v1#abc }", "{ base_url: https://host/v1#*** }"),
            (
                "{ base_url: 'https://me:a,b}c d\"@host/v1', model: m }",
                "{ base_url: 'https://***********@host/v1', model: m }",
            ),
            ("base_url: https://me:a,b}c d@host/v1 # mine", "base_url: https://**********@host/v1 # mine"),
            ("{ base_url: https://me:a/b@host, model: m }", "{ base_url: https://******@host, model: m }"),
            ("the api_key of Bob", "the api_key of Bob"),
            ("api_key: \"sk\\\"geheim\"", "api_key: \"**********\""),
            ("base_url: \"me:geheim@host/v1\"", "base_url: \"*****************\""),
            ("base_url: \"https:/me:geheim@host/v1\"", "base_url: \"************************\""),
            ("{ base_url: host/v1?key=geheim, model: m }", "{ base_url: ******************, model: m }"),
            ("base_url: \"https://me:ge\\\"heim@host/v1\"", "base_url: \"https://***********@host/v1\""),
            ("{\"base_url\":'https://me:ge''heim@host/v1'}", "{\"base_url\":'https://***********@host/v1'}"),
            ("base_url: &a \"me:ge #heim@host\" # mine", "base_url: &a \"****************\" # mine"),
            ("base_url: https://host/v1?key=a@geheim", "base_url: ****************************"),
            ("{ base_url: localhost:8080/v1, modle: n }", "{ base_url: localhost:8080/v1, modle: n }"),
            ("base_url: https://me:geheim", "base_url: *****************"),
            ("base_url: [me:geheim@host, a]", "base_url: [**************, *]"),
            ("x.base_url=me:geheim@host", "x.base_url=**************"),
            ("base_ulr: \"https://me:ge\\\"heim@host/v1\"", "base_ulr: \"https://***********@host/v1\""),
            ("{ base_url: http://127.0.0.1:8000/v1, modle: n }", "{ base_url: http://127.0.0.1:8000/v1, modle: n }"),
            ("base_ulr: me:geheim@host/v1", "base_ulr: *********@host/v1"),
            ("{ base_ulr: \"http:/me:geheim@host\", model: m }", "{ base_ulr: \"***************@host\", model: m }"),
            ("# was me:geheim@[::1]:80, see below", "# was *********@[::1]:80, see below"),
            ("endpoint: http://me:geheim@host:80/v1", "endpoint: http://*********@host:80/v1"),
            ("--set models.a.openai.base_ulr=me:ge=h,eim@host", "--set models.a.openai.base_ulr=***********@host"),
            ("[me:geheim@host]", "[*********@host]"),
            (
                "authors: [{ name: A. Author, email: a@b.example }]",
                "authors: [{ name: A. Author, email: a@b.example }]",
            ),
            ("at: { phase: talk, round: 3 } # @ home", "at: { phase: talk, round: 3 } # @ home"),
            ("base_url: \"http://[::1]:8000/v1/\" # mine", "base_url: \"http://[::1]:8000/v1/\" # mine"),
        ] {
            assert_eq!(concealed_line(line), told);
            assert_eq!(line.chars().count(), told.chars().count());
        }
    }

    #[test]
    fn an_address_whose_scheme_was_forgotten_is_told() {
        for address in ["localhost:8080", "127.0.0.1:8080/v1", "api.example.org"] {
            assert_eq!(told(ADDRESS, address), address);
        }
        assert_eq!(told(ADDRESS, "sk-geheim"), "*********");
        assert_eq!(told(ADDRESS, "me:geheim"), "*********");
    }

    #[test]
    fn a_value_that_goes_on_in_the_next_lines_is_covered_there_and_what_follows_it_is_told() {
        for (text, told) in [
            (
                "base_url: >-\n  me:geheim@host\n\n  geheim\nmodel: m",
                "base_url: >-\n  **************\n\n  ******\nmodel: m",
            ),
            ("- base_url: |\n    geheim\n  model: m", "- base_url: |\n    ******\n  model: m"),
            ("base_url:\n  # mine\n  me:geheim@host\nmodel: m", "base_url:\n  # mine\n  **************\nmodel: m"),
            ("base_url:\n  http://host/v1\nmodel: m", "base_url:\n  http://host/v1\nmodel: m"),
            (
                "base_url: \"https://me:\\\"ge\n heim@host\", model: m",
                "base_url: \"***************\n *********\", model: m",
            ),
            ("base_url: me:ge\n heim@host\nmodel: m", "base_url: *****\n *********\nmodel: m"),
            ("api_key:\n  sk-geheim\nmodel: m", "api_key:\n  *********\nmodel: m"),
            ("{ base_url:\n    me:geheim@host,\n  model: m }", "{ base_url:\n    **************,\n  model: m }"),
            ("base_url: http://host/v1\n   model: m", "base_url: http://host/v1\n   model: m"),
        ] {
            let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
            assert_eq!(concealed_lines(&lines).join("\n"), told);
        }
    }

    #[test]
    fn a_value_alone_in_its_line_is_covered() {
        assert_eq!(covered("api_key", "sk-1234"), "*******");
        assert_eq!(covered("api_key_env", "api_key_env: MY_KEY"), "api_key_env: MY_KEY");
        assert_eq!(covered(ADDRESS, "me:geheim@host"), "**************");
        assert_eq!(covered(ADDRESS, "http://host/v1"), "http://host/v1");
    }
}
