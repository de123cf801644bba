//! The keys and passwords of a file, which a message or a hint may quote.
//!
//! They are known from what is covered in its lines; what is covered there is settled elsewhere. Words of ours stay as they are.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::plan::{config_schema, scenario_schema};

/// The letters of the shortest value that is a secret, and of the shortest piece of one.
const SECRET: usize = 3;
const PIECE: usize = 6;

/// What ends a value where it is not known whether a comma or a blank is of it.
const ENDS: [char; 5] = [' ', '\t', ',', '}', ']'];

/// What is covered in a text, the longest first: one may be a part of another.
#[derive(Debug, Default)]
pub(super) struct Hidden(BTreeSet<(Reverse<usize>, String)>);

impl Hidden {
    /// Takes what stands in a line and is covered where it is told.
    pub(super) fn note(&mut self, written: &str, told: &str) {
        let (mut run, mut is_covered) = (String::new(), false);
        for (written, told) in written.chars().zip(told.chars()) {
            if told == '*' {
                run.push(written);
                is_covered |= written != told;
                continue;
            }
            self.take_run(if is_covered { &run } else { "" });
            run.clear();
            is_covered = false;
        }
        self.take_run(if is_covered { &run } else { "" });
    }

    /// Takes a value with what may be quoted of it: as it is meant, as it is written, its beginning, and its pieces that are no words.
    fn take_run(&mut self, run: &str) {
        let run = run.trim_matches([':', ',', ' ']);
        let meant = run.replace("\\\"", "\"").replace("''", "'").replace("\\\\", "\\");
        self.take(&meant.escape_debug().to_string());
        self.take(&meant);
        self.take(run);
        self.take(run.split(ENDS).next().unwrap_or_default());
        // A hint may put a blank behind a colon.
        self.take(&run.replacen(':', ": ", 1));
        self.take(run.split_once(':').map_or("", |(_, behind)| behind));
        let is_mixed = |piece: &&str| {
            let has = |kind: fn(char) -> bool| piece.chars().any(kind);
            piece.chars().count() >= PIECE && has(char::is_alphabetic) && has(char::is_numeric)
        };
        run.split(|c: char| !c.is_alphanumeric()).filter(is_mixed).for_each(|piece| self.take(piece));
    }

    fn take(&mut self, value: &str) {
        let length = value.chars().count();
        if length >= SECRET {
            self.0.insert((Reverse(length), value.to_owned()));
        }
    }

    /// Words of ours that may quote an author's, without those that are hidden.
    pub(super) fn without(&self, words: &str) -> String {
        let among = self.0.iter().map(|(_, secret)| secret).filter(|secret| words.contains(*secret));
        among.fold(words.to_owned(), |words, secret| uncovered(&words, secret))
    }
}

/// Words without a value where it stands as a whole; where it could be a word of ours, only as far as it is quoted.
fn uncovered(words: &str, secret: &str) -> String {
    let is_word = is_word(secret);
    if is_word && is_known(secret) {
        return words.to_owned();
    }
    let (mut out, mut from) = (String::with_capacity(words.len()), 0);
    for (place, _) in words.match_indices(secret) {
        let end = place + secret.len();
        let (before, behind) = (words[..place].chars().next_back(), words[end..].chars().next());
        let (first, last) = (secret.chars().next(), secret.chars().next_back());
        let is_whole = !(are_joined(before, first) || are_joined(last, behind));
        let is_quoted = [before, behind].iter().all(|c| matches!(c, Some('"' | '\'' | '`')));
        if if is_word { is_quoted } else { is_whole } {
            out.push_str(&words[from..place]);
            out.push_str(&"*".repeat(secret.chars().count()));
            from = end;
        }
    }
    out + &words[from..]
}

/// Whether two neighbours are of one word.
fn are_joined(one: Option<char>, next: Option<char>) -> bool {
    [one, next].iter().all(|c| c.is_some_and(char::is_alphanumeric))
}

/// Whether a value may be a word or number of ours as well.
fn is_word(value: &str) -> bool {
    value.chars().all(|c| c.is_alphabetic() || c == '_') || value.chars().all(char::is_numeric)
}

/// Whether it is a key of a config or a scenario.
fn is_known(word: &str) -> bool {
    fn has(schema: &serde_json::Value, word: &str) -> bool {
        match schema {
            serde_json::Value::Object(parts) => {
                let properties = parts.get("properties").and_then(serde_json::Value::as_object);
                properties.is_some_and(|keys| keys.contains_key(word)) || parts.values().any(|part| has(part, word))
            }
            serde_json::Value::Array(parts) => parts.iter().any(|part| has(part, word)),
            _ => false,
        }
    }
    has(&config_schema(), word) || has(&scenario_schema(), word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(lines: &[(&str, &str)], words: &str) -> String {
        let mut hidden = Hidden::default();
        lines.iter().for_each(|(written, told)| hidden.note(written, told));
        hidden.without(words)
    }

    #[test]
    fn a_value_is_covered_as_a_whole_and_the_longest_first() {
        for (written, told, words, expected) in [
            ("\"p4$x9!zq\"", "\"********\"", "export p4$x9!zq=…", "export ********=…"),
            ("ab-cd-ef-12", "***********", "the variable ab-cd-ef-12, which", "the variable ***********, which"),
            ("?key=abc sk-abcdefgh", "?******* ***********", "of sk-abcdefgh or key=abc", "of *********** or *******"),
            ("\"ge\\\"heim1\"", "\"*********\"", "of ge\"heim1", "of ********"),
            ("\"ge\\\"heim1\"", "\"*********\"", "of \"ge\\\"heim1\"", "of \"*********\""),
            ("'ge''heim'", "'********'", "of \"ge'heim\"", "of \"*******\""),
            ("x9z,model: m", "************", "of x9z", "of ***"),
            ("me:geheim@host", "**************", "write me: geheim@host", "write ***************"),
            ("sk_Zx81kQw0", "***********", "of Zx81kQw0…", "of ********…"),
            ("//geheim@host", "//******@host", "unknown word \"geheim\"", "unknown word \"******\""),
        ] {
            assert_eq!(without(&[(written, told)], words), expected);
        }
    }

    #[test]
    fn words_of_ours_stay_as_they_are() {
        for (written, told) in [
            ("?key=abc", "?*******"),
            ("//model@host", "//*****@host"),
            ("//token@host", "//*****@host"),
            ("sk-the-api", "**********"),
            ("[x], model: m", "[*], ****** *"),
            ("the unknown key", "*** ******* ***"),
            ("//1024@host", "//****@host"),
        ] {
            for words in [
                "write api_key_env: NAME, the environment variable that holds the key",
                "unknown key; did you mean \"model\"?",
                "max_tokens: 0 is outside 1 … 1024",
                "this is the name of an environment variable, never the key itself",
                "write model: …",
            ] {
                assert_eq!(without(&[(written, told)], words), words, "{written}");
            }
        }
    }
}
