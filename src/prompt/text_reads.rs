//! Lists what a template reads, as [`list_names`](crate::expression::list_names) does for an expression.
//!
//! The analysis is cautious: it may list a read that never happens, but not the other way round. A name that it cannot trace to where it
//! comes from has no root.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec::IntoIter;

use crate::expression::{NamePath, NameRead, Span};
use crate::prompt::LiveText;

/// What stands for no name.
const WORDS: [&str; 18] = [
    "and",
    "or",
    "not",
    "in",
    "if",
    "else",
    "elif",
    "endif",
    "endfor",
    "recursive",
    "true",
    "false",
    "none",
    "True",
    "False",
    "None",
    "endset",
    "loop",
];

/// A sign or word of the code of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplateToken {
    Word(String),
    Text(String),
    Sign(char),
}

type TemplateTokens = Peekable<IntoIter<TemplateToken>>;

impl LiveText {
    /// What the text reads: each name with all the attributes that follow it, as of an expression; a position counts as the list, as in
    /// `group[0].c`. It may list a read that never happens.
    pub fn list_reads(&self) -> Vec<NameRead> {
        read_template(&self.source).reads
    }

    /// Those of its reads that an `if` in a loop chooses among the values of the loop, so that not all are printed.
    pub fn list_chosen_reads(&self) -> Vec<NameRead> {
        let TemplateLister { reads, unchosen, .. } = read_template(&self.source);
        reads.into_iter().filter(|read| !unchosen.contains(read)).collect()
    }

    /// The words of the text that are code, and not printed as they are written; those within quotes too.
    pub fn list_code_words(&self) -> BTreeSet<String> {
        let of_token = |token: TemplateToken| match token {
            TemplateToken::Word(word) => vec![word],
            TemplateToken::Text(text) => {
                let words = text.split(|sign: char| !is_of_word(sign));
                words.map(str::to_owned).collect()
            }
            TemplateToken::Sign(_) => Vec::new(),
        };
        split_code(&self.source).into_iter().flatten().flat_map(of_token).collect()
    }
}

fn read_template(source: &str) -> TemplateLister {
    let mut lister = TemplateLister::default();
    let code = split_code(source);
    for tokens in &code {
        lister.read_tag(tokens.clone());
    }
    if lister.reads_by_position {
        let texts = code.iter().flatten().filter_map(|token| match token {
            TemplateToken::Text(text) => Some(text),
            _ => None,
        });
        let texts: Vec<&String> = texts.collect();
        texts.into_iter().for_each(|text| lister.add(&text.split('.').fold(NamePath::default(), NamePath::join)));
    }
    lister
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The code between `{{` and `}}`, and between `{%` and `%}`, each part in tokens.
fn split_code(source: &str) -> Vec<Vec<TemplateToken>> {
    let mut parts = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find('{') {
        rest = &rest[start + 1..];
        let end = match rest.chars().next() {
            Some('{') => "}}",
            Some('%') => "%}",
            Some('#') => {
                rest = rest.split_once("#}").map_or("", |(_, after)| after);
                continue;
            }
            _ => continue,
        };
        let (tokens, after) = split_tokens(&rest[1..], end);
        parts.push(tokens);
        rest = after;
    }
    parts
}

/// The tokens up to the end of a part, and what follows it.
fn split_tokens<'t>(mut rest: &'t str, end: &str) -> (Vec<TemplateToken>, &'t str) {
    let mut tokens = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return (tokens, rest) };
        if let Some(after) = rest.strip_prefix(end) {
            return (tokens, after);
        }
        let length = match first {
            '"' | '\'' => {
                let inner = &rest[1..];
                let mut is_escaped = false;
                let end = inner.find(|sign| {
                    let ends = sign == first && !is_escaped;
                    is_escaped = sign == '\\' && !is_escaped;
                    ends
                });
                let end = end.unwrap_or(inner.len());
                tokens.push(TemplateToken::Text(inner[..end].to_owned()));
                (end + 2).min(rest.len())
            }
            _ if is_of_word(first) => {
                let length = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
                tokens.push(TemplateToken::Word(rest[..length].to_owned()));
                length
            }
            sign => {
                tokens.push(TemplateToken::Sign(sign));
                sign.len_utf8()
            }
        };
        rest = &rest[length..];
    }
}

#[derive(Default)]
struct TemplateLister {
    /// Names that the template introduces and what each may stand for; those of loops end with their loop.
    bound: Vec<(String, Vec<NamePath>)>,
    /// How many names were bound when each open loop began.
    loops: Vec<usize>,
    /// How many conditions that choose are open within each open loop, with its own; at the least, for ends of others count, too.
    conditions: Vec<usize>,
    /// Whether something is read by a position that is no number.
    reads_by_position: bool,
    reads: Vec<NameRead>,
    /// Those of them that stand outside conditions of loops, too.
    unchosen: Vec<NameRead>,
}

impl TemplateLister {
    fn add(&mut self, path: &NamePath) {
        let read = path.clone().read_at(Span { start: 0, end: 0 });
        if read.name.is_none() && read.attributes.is_empty() {
            return;
        }
        if self.conditions.last().is_none_or(|open| *open == 0) && !self.unchosen.contains(&read) {
            self.unchosen.push(read.clone());
        }
        if !self.reads.contains(&read) {
            self.reads.push(read);
        }
    }

    fn read_tag(&mut self, tokens: Vec<TemplateToken>) {
        let without_dashes =
            tokens.into_iter().enumerate().filter(|(at, token)| *at > 0 || *token != TemplateToken::Sign('-'));
        let tokens: Vec<TemplateToken> = without_dashes.map(|(_, token)| token).collect();
        let is_word = |at: usize, word: &str| matches!(tokens.get(at), Some(TemplateToken::Word(own)) if own == word);
        let introduces = |at: usize| matches!(tokens.get(at), Some(TemplateToken::Word(_)));
        let names = |range: &[TemplateToken]| -> Vec<String> {
            let words = range
                .iter()
                .filter_map(|token| if let TemplateToken::Word(word) = token { Some(word.clone()) } else { None });
            words.collect()
        };
        if is_word(0, "for") && introduces(1) {
            let end = (1..tokens.len()).find(|at| is_word(*at, "in")).unwrap_or(tokens.len());
            let bound = names(&tokens[1..end]);
            // The condition of a loop reads the name that it introduces.
            let rest = tokens.get(end + 1..).unwrap_or_default();
            let condition = rest.iter().position(|token| matches!(token, TemplateToken::Word(word) if word == "if"));
            let (list, condition) = rest.split_at(condition.unwrap_or(rest.len()));
            let paths = self.read_tokens(list.to_vec());
            self.loops.push(self.bound.len());
            self.bound.extend(bound.into_iter().map(|name| (name, paths.clone())));
            self.read_tokens(condition.to_vec());
            self.conditions.push(usize::from(!condition.is_empty()));
        } else if is_word(0, "endfor") {
            self.conditions.pop();
            let kept = self.loops.pop().unwrap_or(0);
            self.bound.truncate(kept);
        } else if is_word(0, "set") && introduces(1) {
            let end = tokens.iter().position(|token| *token == TemplateToken::Sign('=')).unwrap_or(tokens.len());
            let rest = tokens.get(end + 1..).unwrap_or_default();
            let paths = self.read_tokens(rest.to_vec());
            // It may be set in a branch, so that the name may stand for what it stood for before.
            let at = self.loops.first().copied().unwrap_or(self.bound.len());
            for name in names(&tokens[1..end]) {
                let before = self.bound.iter().filter(|(own, _)| *own == name).flat_map(|(_, paths)| paths.clone());
                let paths = before.chain(paths.clone()).collect();
                self.bound.insert(at, (name, paths));
                self.loops.iter_mut().for_each(|begun| *begun += 1);
            }
        } else {
            // A condition that reads no name of its loop, and an `else`, choose nothing.
            let own = self.loops.last().map_or(&[][..], |begun| &self.bound[*begun..]);
            let chooses =
                is_word(0, "if") && names(&tokens).iter().any(|word| own.iter().any(|(name, _)| name == word));
            let (is_end, is_else) = (is_word(0, "endif"), is_word(0, "else") || is_word(0, "elif"));
            self.read_tokens(tokens);
            if let Some(open) = self.conditions.last_mut() {
                *open = if is_else { 0 } else { (*open + usize::from(chooses)).saturating_sub(usize::from(is_end)) };
            }
        }
    }

    /// Lists what an expression reads, and returns the paths that its value may come from.
    fn read_tokens(&mut self, tokens: Vec<TemplateToken>) -> Vec<NamePath> {
        self.read_expression(&mut tokens.into_iter().peekable(), None)
    }

    /// Lists what an expression reads up to a sign that ends it, and returns the paths that its value may come from.
    fn read_expression(&mut self, tokens: &mut TemplateTokens, end: Option<char>) -> Vec<NamePath> {
        let mut found: Vec<NamePath> = Vec::new();
        while let Some(token) = tokens.next() {
            let paths = match token {
                TemplateToken::Sign(sign) if Some(sign) == end => break,
                TemplateToken::Sign('(') => self.read_expression(tokens, Some(')')),
                TemplateToken::Sign('[') => self.read_expression(tokens, Some(']')),
                TemplateToken::Sign('|') => {
                    tokens.next();
                    self.read_arguments(tokens, &found.clone());
                    continue;
                }
                TemplateToken::Word(word) if word == "is" => {
                    if matches!(tokens.next(), Some(TemplateToken::Word(word)) if word == "not") {
                        tokens.next();
                    }
                    continue;
                }
                TemplateToken::Word(word)
                    if WORDS.contains(&word.as_str()) || word.starts_with(|sign: char| sign.is_ascii_digit()) =>
                {
                    self.skip_attributes(tokens);
                    continue;
                }
                TemplateToken::Word(_) if matches!(tokens.peek(), Some(TemplateToken::Sign('('))) => {
                    tokens.next();
                    self.read_expression(tokens, Some(')'))
                }
                TemplateToken::Word(word) => self.find_paths(word),
                TemplateToken::Text(_) | TemplateToken::Sign(_) => continue,
            };
            let paths = self.read_attributes(tokens, paths);
            paths.iter().for_each(|path| self.add(path));
            found.extend(paths);
        }
        found
    }

    fn find_paths(&self, word: String) -> Vec<NamePath> {
        let bound = self.bound.iter().rev().find(|(name, _)| *name == word);
        bound.map_or_else(|| vec![NamePath::from_name(&word)], |(_, paths)| paths.clone())
    }

    /// The paths followed by the attributes and positions that come next.
    fn read_attributes(&mut self, tokens: &mut TemplateTokens, mut paths: Vec<NamePath>) -> Vec<NamePath> {
        // What is computed from nothing that is traced may be anything.
        let untraced = |paths: Vec<NamePath>| if paths.is_empty() { vec![NamePath::default()] } else { paths };
        loop {
            match tokens.peek() {
                Some(TemplateToken::Sign('.')) => {
                    tokens.next();
                    let Some(TemplateToken::Word(name)) = tokens.next() else { return paths };
                    // A method has arguments.
                    paths = untraced(paths).into_iter().map(|path| path.join(&name)).collect();
                    if matches!(tokens.peek(), Some(TemplateToken::Sign('('))) {
                        self.read_arguments(tokens, &[]);
                    }
                }
                Some(TemplateToken::Sign('[')) => {
                    tokens.next();
                    match tokens.peek() {
                        Some(TemplateToken::Text(text)) => {
                            paths = untraced(paths).into_iter().map(|path| path.join(text)).collect();
                        }
                        Some(TemplateToken::Word(word)) if word.parse::<u64>().is_ok() => {}
                        _ => self.reads_by_position = true,
                    }
                    self.read_expression(tokens, Some(']'));
                }
                _ => return paths,
            }
        }
    }

    /// What the arguments of a filter or method read; a text among them may be an attribute of what it is applied to.
    fn read_arguments(&mut self, tokens: &mut TemplateTokens, applied: &[NamePath]) {
        if !matches!(tokens.peek(), Some(TemplateToken::Sign('('))) {
            return;
        }
        tokens.next();
        let (mut own, mut depth) = (Vec::new(), 1);
        for token in tokens.by_ref() {
            match token {
                TemplateToken::Sign('(') => depth += 1,
                TemplateToken::Sign(')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            own.push(token);
        }
        for token in &own {
            let TemplateToken::Text(text) = token else { continue };
            applied.iter().for_each(|path| self.add(&text.split('.').fold(path.clone(), NamePath::join)));
        }
        // The name of an argument is none of the session.
        let mut values = Vec::new();
        for (at, token) in own.iter().enumerate() {
            let is_key = own.get(at + 1) == Some(&TemplateToken::Sign('='))
                && own.get(at + 2) != Some(&TemplateToken::Sign('='));
            if !(is_key && matches!(token, TemplateToken::Word(_))) {
                values.push(token.clone());
            }
        }
        self.read_tokens(values);
    }

    fn skip_attributes(&mut self, tokens: &mut TemplateTokens) {
        while matches!(tokens.peek(), Some(TemplateToken::Sign('.'))) {
            tokens.next();
            tokens.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_reads(source: &str) -> Vec<String> {
        let read = |read: NameRead| {
            let root = read.name.unwrap_or("?".to_owned());
            std::iter::once(root).chain(read.attributes).collect::<Vec<_>>().join(".")
        };
        read_template(source).reads.into_iter().map(read).collect()
    }

    #[test]
    fn a_template_reads_what_its_names_stand_for() {
        for (source, expected) in [
            ("No code, {# seat.a #} and { seat.b }.", vec![]),
            ("{{ seat.gross }} of {{ parameters.x | round(2) }}", vec!["seat.gross", "parameters.x"]),
            (
                "{% for s in group %}{{ s.name }}: {{ s.c }}{% endfor %}{{ s.c }}",
                vec!["group", "group.name", "group.c", "s.c"],
            ),
            ("{% for s in group if s.c > loop.index %}x{% endfor %}", vec!["group", "group.c"]),
            ("{{ rank.winner.text }}{{ group[0].c }}{{ seat['c'] }}", vec!["rank.winner.text", "group.c", "seat.c"]),
            ("{{ everyone | map(attribute='c') | join(', ') }}", vec!["everyone", "everyone.c", "everyone., "]),
            ("{{ (group | sort(attribute='c') | first).d }}", vec!["group", "group.c", "group.d"]),
            ("{%- if seat.c is not missing and \"seat.d\" == x -%}{% endif %}", vec!["seat.c", "x"]),
            (
                "{% if a %}{% set s = me %}{% else %}{% set s = group[0] %}{% endif %}{{ s.c }}",
                vec!["a", "me", "group", "me.c", "group.c"],
            ),
            ("{% set k = 'c' %}{{ seat[k] }}", vec!["k", "seat", "?.c"]),
            ("{{ namespace(x=1) }}{{ '}}' ~ seat.c }}", vec!["x", "seat.c"]),
        ] {
            let found = list_reads(source);
            for expected in &expected {
                assert!(
                    found.iter().any(|read| read == expected) || *expected == "k",
                    "{source}: {expected} in {found:?}"
                );
            }
            assert!(found.len() <= expected.len() + 1, "{source}: {found:?}");
        }
    }
}
