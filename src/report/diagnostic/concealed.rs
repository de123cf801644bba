//! What is never told of a line in which something is wrong: keys and passwords that an author wrote where their names belong.
//!
//! Every sign of them becomes a `*`, so that columns stay. It does not look for keys in other places.

use crate::plan::{Problem, is_variable};

/// The keys whose values are names of variables, or would be keys.
const KEYS: [&str; 2] = ["api_key_env", "api_key"];

/// What ends a value that is not quoted.
const ENDS: [char; 6] = [' ', '\t', ',', '}', ']', '#'];

/// Whether a problem is one of such a value.
pub(super) fn is_of_key(problem: &Problem) -> bool {
    KEYS.contains(&problem.path.rsplit('.').next().unwrap_or_default())
}

/// A line without keys, and without what addresses hold of passwords.
pub(super) fn concealed(line: &str) -> String {
    without_passwords(&without_keys(line))
}

/// A text that begins with a value: the value is covered, unless it names a variable.
pub(super) fn covered(text: &str) -> String {
    let blank: usize = text.chars().take_while(|c| matches!(c, ' ' | '\t' | '[' | '{' | '-')).map(char::len_utf8).sum();
    let (before, text) = text.split_at(blank);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (mark, value) = text.split_at(quote.map_or(0, char::len_utf8));
    let end = value.find(|c| quote.map_or(ENDS.contains(&c), |quote| c == quote)).unwrap_or(value.len());
    let (value, rest) = value.split_at(end);
    // A key of a mapping is no value.
    let is_told = is_variable(value) || KEYS.iter().any(|key| value.strip_suffix(':').unwrap_or(value) == *key);
    let value = if is_told { value.to_owned() } else { stars(value) };
    format!("{before}{mark}{value}{rest}")
}

fn without_keys(line: &str) -> String {
    let Some((place, key)) =
        KEYS.iter().filter_map(|key| Some((line.find(key)?, *key))).min_by_key(|(place, _)| *place)
    else {
        return line.to_owned();
    };
    let (before, rest) = line.split_at(place + key.len());
    let value = rest.trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix([':', '=']);
    let Some(value) = value else { return format!("{before}{}", without_keys(rest)) };
    let between = &rest[..rest.len() - value.len()];
    format!("{before}{between}{}", without_keys(&covered(value)))
}

/// Between `//` and `@`, and behind `?` or `#`, addresses hold users, passwords and tokens. A password may hold any sign: an address in
/// quotes goes to its quote, and what may be of one that is not is covered, too.
fn without_passwords(line: &str) -> String {
    let Some((before, rest)) = line.split_once("://") else { return line.to_owned() };
    let quote = before.rfind(['"', '\'']).filter(|place| !before[place + 1..].contains([' ', '\t', ',', ':']));
    let quote = quote.and_then(|place| before[place..].chars().next());
    let end = match quote {
        Some(quote) => rest.find(quote),
        None => [", ", " #"].iter().filter_map(|end| rest.find(end)).min(),
    };
    let (address, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let host = address.rfind('@').unwrap_or(0);
    let (user, address) = address.split_at(host);
    let query = address.find(['?', '#']).map_or(address.len(), |place| place + 1);
    let (address, query) = address.split_at(query);
    // What closes a mapping or a list is no part of an address without quotes.
    let signs = if quote.is_some() { query } else { query.trim_end_matches(['}', ']', ' ', '\t']) };
    let closing = &query[signs.len()..];
    format!("{before}://{}{address}{}{closing}{}", stars(user), stars(signs), without_passwords(rest))
}

fn stars(words: &str) -> String {
    "*".repeat(words.chars().count())
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
        ] {
            assert_eq!(concealed(line), told);
            assert_eq!(line.chars().count(), told.chars().count());
        }
    }

    #[test]
    fn a_value_alone_in_its_line_is_covered() {
        assert_eq!(covered("sk-1234"), "*******");
        assert_eq!(covered("api_key_env: MY_KEY"), "api_key_env: MY_KEY");
    }
}
