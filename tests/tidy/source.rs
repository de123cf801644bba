//! A source file as the checks read it: its words without comments and literals, and with or without its tests.
//!
//! This is a scanner, not a parser: it knows just enough of Rust to tell code from text and to match braces.

/// A file of the tree, by its path from the root with `/` between folders.
pub struct Source {
    pub path: String,
    pub raw: String,
    /// The same with every comment, string and character literal made blank; lines keep their numbers.
    pub code: String,
    /// `code` with everything under `#[cfg(test)]` made blank too; nothing of a file `tests.rs`.
    pub shipped: String,
}

/// A word or a mark, and the line it stands on, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Source {
    pub fn new(path: &str, raw: &str) -> Self {
        let code = blank_text(raw);
        // A file `tests.rs` is its parent's `#[cfg(test)] mod tests`.
        let shipped = if path.ends_with("/tests.rs") { String::new() } else { blank_tests(&code) };
        Self { path: path.to_owned(), raw: raw.to_owned(), code, shipped }
    }

    /// The module path: `src/a/mod.rs` is `a`, `src/a/b.rs` is `a::b`, `src/lib.rs` and `src/main.rs` are the root.
    pub fn module(&self) -> Vec<&str> {
        let inner = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let inner = inner.strip_suffix(".rs").unwrap_or(inner);
        let mut parts: Vec<&str> = inner.split('/').collect();
        if matches!(parts.as_slice(), [.., "mod"] | ["lib"] | ["main"]) {
            parts.pop();
        }
        parts
    }
}

/// Splits code into words and marks; `::` is one mark.
pub fn tokens(code: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for (index, text) in code.lines().enumerate() {
        let line = index + 1;
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            found.push(Token { text: rest[..length].to_owned(), line });
            rest = rest[length..].trim_start();
        }
    }
    found
}

/// Whether `needle` stands at `place`.
pub fn stands_at(tokens: &[Token], place: usize, needle: &[Token]) -> bool {
    tokens.len() >= place + needle.len() && needle.iter().zip(&tokens[place..]).all(|(n, t)| n.text == t.text)
}

/// The place of the mark that closes the one at `open`; the end when nothing does.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    tokens.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Makes comments and literals blank.
fn blank_text(raw: &str) -> String {
    let chars: Vec<char> = raw.chars().collect();
    let mut code = String::with_capacity(raw.len());
    let mut at = 0;
    while at < chars.len() {
        let end = text_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// Where the comment or literal that starts at `at` ends; `at` itself when none starts there.
fn text_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match (chars[at], next) {
        ('/', Some('/')) => chars[at..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| at + n),
        ('/', Some('*')) => block_comment_end(chars, at),
        ('"', _) => string_end(chars, at),
        ('r' | 'b' | 'c', _) if at == 0 || !is_word(chars[at - 1]) => prefixed_end(chars, at),
        ('\'', Some('\\')) => quote_end(chars, at + 3),
        ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], open: usize) -> usize {
    let mut at = open + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// The end of `r"…"`, `r#"…"#`, `b"…"`, `b'…'`, `br"…"`, `c"…"`; the start when the letters are a plain word.
fn prefixed_end(chars: &[char], start: usize) -> usize {
    let letters = chars[start..].iter().take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
    let mut at = start + letters;
    let is_raw = chars[start..at].contains(&'r');
    let hashes = chars[at..].iter().take_while(|&&c| c == '#').count();
    if is_raw && chars.get(at + hashes) == Some(&'"') {
        at += hashes + 1;
        while at < chars.len() {
            let closes =
                chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
            if closes {
                return at + 1 + hashes;
            }
            at += 1;
        }
        return chars.len();
    }
    match chars.get(at) {
        Some('"') => string_end(chars, at),
        Some('\'') if chars[start] == 'b' && letters == 1 => {
            quote_end(chars, if chars.get(at + 1) == Some(&'\\') { at + 3 } else { at + 2 })
        }
        _ => start,
    }
}

fn quote_end(chars: &[char], from: usize) -> usize {
    let rest = chars.get(from..).unwrap_or_default();
    rest.iter().position(|&c| c == '\'').map_or(chars.len(), |n| from + n + 1)
}

fn blank_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut shipped = code.to_owned();
    while let Some(start) = shipped.find(MARK) {
        let end = item_end(&shipped, start + MARK.len());
        let blank: String = shipped[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        shipped.replace_range(start..end, &blank);
    }
    shipped
}

/// The end of the item that starts at `from`: its `;`, or the brace that closes its first one.
fn item_end(code: &str, from: usize) -> usize {
    let (mut braces, mut others) = (0, 0);
    for (offset, c) in code[from..].char_indices() {
        match c {
            '(' | '[' => others += 1,
            ')' | ']' => others -= 1,
            '{' => braces += 1,
            '}' => braces -= 1,
            _ => {}
        }
        let ends = (c == ';' && braces == 0 && others == 0) || (c == '}' && braces == 0);
        if ends {
            return from + offset + 1;
        }
    }
    code.len()
}
