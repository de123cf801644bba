//! What an author meant who wrote something else than YAML, or YAML that says something else than it seems to.
//!
//! Guesses, from the text around a place: they word a problem and point at it. Nothing is changed by them in silence.

use crate::plan::{Value, is_key};

/// What is probably wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub hint: Option<String>,
    /// The text as it was probably meant; `None` when that is not known.
    pub meant: Option<String>,
}

const SPACES: [char; 8] =
    ['\u{a0}', '\u{2007}', '\u{202f}', '\u{3000}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{feff}'];
const BULLETS: [char; 7] = ['•', '·', '●', '‣', '–', '—', '−'];
const QUOTES: [char; 10] = ['“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»'];

impl Slip {
    fn at((line, column): (usize, usize), message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { line, column, message: message.into(), hint: Some(hint.into()), meant: None }
    }

    fn meant(self, text: String) -> Self {
        Self { meant: Some(text), ..self }
    }
}

/// The part of a line from a column on, which counts characters from 1.
pub fn behind(line: &str, column: usize) -> &str {
    let start = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(start, _)| start);
    &line[start..]
}

/// Whether a text begins or ends with a space of another kind.
pub fn is_blank_around(text: &str) -> bool {
    text.starts_with(SPACES) || text.ends_with(SPACES)
}

/// What a bare text is once the spaces of another kind around it are gone.
pub fn scalar(text: String) -> Value {
    match text.as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) if number.is_finite() => Value::Real(number),
            _ => Value::Text(text),
        },
    }
}

/// What is wrong with a key that begins with the bullet of a word processor, and a way out.
pub fn bullet(key: &str) -> Option<(String, String)> {
    let rest = key.strip_prefix(BULLETS)?.strip_prefix(' ')?;
    let bullet: String = key.chars().take(1).collect();
    Some((format!("{bullet} begins no item of a list"), format!("write - {}: …, with a plain hyphen", rest.trim())))
}

/// What is wrong with digits that the library takes for a number with decimals; `None` when it is one. `before` is what stands
/// before them in their line.
pub fn number(token: &str, before: &str) -> Option<(String, String)> {
    let digits = token.trim_start_matches(['-', '+']);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.strip_prefix('0')?.trim_start_matches('0');
    let is_name = ["name:", "experiment:"].iter().any(|key| before.trim_end().ends_with(key));
    let hint = match is_name {
        true => format!("a name holds a letter: write n{token}"),
        false => format!("write {number}, or put it in quotes if it is a text"),
    };
    Some((format!("the number {token} begins with a zero"), hint))
}

/// What is wrong with a key or text that is YAML; `place` is where it begins, `start` the byte in its line.
pub fn in_text(text: &str, lines: &[&str], place: (usize, usize), start: usize) -> Option<Slip> {
    let (number, column) = place;
    let line = number.checked_sub(1).and_then(|line| lines.get(line))?;
    let (before, written) = line.split_at_checked(start)?;
    if written.starts_with(['"', '\'', '|', '>', '&', '*', '!']) {
        return None;
    }
    let (first, last) = (text.chars().next()?, text.chars().last()?);
    if QUOTES.contains(&first) && QUOTES.contains(&last) && text.chars().count() > 1 {
        let meant: String = text.chars().skip(1).take(text.chars().count() - 2).collect();
        let hint = format!("write \"{meant}\" with plain quotation marks, or none");
        let message = "typographic quotation marks do not quote: they are part of the text";
        return Some(Slip::at(place, message, hint).meant(meant));
    }
    if is_blank_around(text) {
        let found = place_of_any(line, &SPACES, column).map_or(place, |column| (number, column));
        // One that indents a line hides to what the line belongs.
        let is_indent = SPACES.contains(&first) && before.trim().is_empty();
        let meant = (!is_indent).then(|| text.trim_matches(SPACES).trim().to_string());
        return Some(Slip { meant, ..invisible(found) });
    }
    if before.trim().is_empty() {
        // A key stands before a colon and a space; a text alone on its line may be a key that lacks the space.
        let is_key = written.strip_prefix(text).is_some_and(|rest| rest.trim_start().starts_with(':'));
        if let Some(slip) = missing_space(line, number).filter(|_| !is_key) {
            return Some(slip);
        }
    }
    let next = lines.get(number).map(|next| next.trim_start()).unwrap_or_default();
    if next.starts_with("- ") && text.contains(next.trim_end()) {
        let column = lines.get(number).map_or(1, |line| line.len() - next.len() + 1);
        let message = "this line is read as the end of the text in the line above";
        return Some(Slip::at((number + 1, column), message, "indent it like the other items of the list"));
    }
    None
}

/// What is probably wrong where the library met something that is no YAML.
pub fn explain(message: &str, lines: &[&str], place: (usize, usize)) -> Slip {
    let (number, _) = place;
    let near: Vec<usize> = [number, number.saturating_sub(1), number + 1].into_iter().filter(|n| *n > 0).collect();
    let line = |number: usize| number.checked_sub(1).and_then(|line| lines.get(line)).copied().unwrap_or_default();
    let within_reach = if message.contains("tab") { 3 } else { 1 };
    for number in near.iter().copied().take(within_reach) {
        let indent = line(number).len() - line(number).trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line(number)[..indent].find('\t') {
            let message = "a tab indents this line; YAML is indented with spaces";
            return Slip::at((number, tab + 1), message, "replace each tab by two spaces");
        }
    }
    for number in near.iter().copied().take(2) {
        if let Some(column) = place_of_any(line(number), &SPACES, 1) {
            return invisible((number, column));
        }
    }
    for number in near.iter().copied().take(2) {
        if let Some(slip) = missing_space(line(number), number).or_else(|| no_item(line(number), number)) {
            return slip;
        }
    }
    structural(message, lines, place).unwrap_or_else(|| Slip {
        line: place.0,
        column: place.1,
        message: in_words(message),
        hint: hint_of(message),
        meant: None,
    })
}

/// Quotes and brackets that stay open, and lines that are indented like nothing above.
fn structural(message: &str, lines: &[&str], place: (usize, usize)) -> Option<Slip> {
    let (number, _) = place;
    let line = lines.get(number.checked_sub(1)?).copied().unwrap_or_default();
    if message.contains("trailing content after") {
        if behind(line, place.1).starts_with(['"', '\'']) && line.contains(['{', '[']) {
            return Some(Slip::at(place, "a comma is missing before this", "write { key: value, key: value }"));
        }
        let (mark, within) = if message.contains("single") { ("'", "''") } else { ("\"", "\\\"") };
        let hint = format!("a {mark} within {mark}…{mark} is written {within}");
        return Some(Slip::at(place, format!("the text in {mark} ended before this"), hint));
    }
    if let Some(slip) = cut_by_a_comment(lines, message) {
        return Some(slip);
    }
    if let Some(slip) = misplaced(message, lines, place) {
        return Some(slip);
    }
    let open = still_open(lines, place, message);
    if let Some((at, mark)) = open {
        return Some(match mark {
            '"' | '\'' => Slip::at(at, "this quotation mark is not closed", format!("close it with a second {mark}")),
            '[' => Slip::at(at, "unclosed bracket '['", "close it with ]"),
            _ => Slip::at(at, "unclosed bracket '{'", "close it with }"),
        });
    }
    if message.contains("did not find expected ',' or '}'") {
        return Some(between(line, place));
    }
    let of_indent = message.contains("did not find expected key") || message.contains("did not find expected '-'");
    if of_indent && line.trim_start().starts_with("- ") {
        let column = line.chars().count() - line.trim_start().chars().count() + 1;
        let above = lines.get(..number - 1)?.iter().rposition(|line| line.trim_start().starts_with("- "));
        if let Some(above) = above.filter(|above| above + 1 == number - 1) {
            let hint = format!("indent it like line {}", above + 1);
            return Some(Slip::at((number, column), "this item is indented unlike the item above it", hint));
        }
        let hint = "leave the - out, or indent it like the other items of the list";
        return Some(Slip::at((number, column), "an item of a list (`- `) stands among keys here", hint));
    }
    if message.contains("mapping values are not allowed") {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let above = lines.get(..number - 1)?.iter().rposition(|line| !line.trim().is_empty());
        let deeper = above.filter(|above| indent(lines[*above]) < indent(line));
        let beside = above.filter(|above| indent(lines[*above]) == indent(line) && !lines[*above].contains(": "));
        if let (Some(above), 1) = (beside, line.matches(": ").count()) {
            let at = (above + 1, indent(line) + 1);
            return Some(Slip::at(at, "this line is no `key: value`", "write key: value, with a colon and a space"));
        }
        return Some(match deeper {
            Some(above) if line.matches(": ").count() < 2 => {
                let message = format!("this line stands below line {}, which has a value already", above + 1);
                Slip::at((number, indent(line) + 1), message, format!("indent it like line {}", above + 1))
            }
            _ => match second_key(line, place) {
                Some((column, word, _)) => {
                    let message = format!("a second key \"{word}\" on this line");
                    Slip::at((number, column), message, "write each key on a line of its own")
                }
                None => Slip::at(place, "a second `: ` on this line", colon_hint(line, place)),
            },
        });
    }
    None
}

/// Folders divided by backslashes, and a first key that is indented.
fn misplaced(message: &str, lines: &[&str], place: (usize, usize)) -> Option<Slip> {
    let (number, _) = place;
    let line = lines.get(number.checked_sub(1)?).copied().unwrap_or_default();
    let is_path = ["scenario:", "file:"].iter().any(|key| line.contains(key));
    if is_path && (message.contains("escape") || message.contains("hexadecimal")) {
        let hint = "write / between the names of folders, on every system";
        return Some(Slip::at(place, in_words(message), hint));
    }
    if message.contains("expected <document start>") {
        let is_key = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let first = lines.iter().position(is_key).filter(|first| lines[*first].starts_with(' '));
        if let Some(first) = first.filter(|first| first + 1 < number) {
            let message = "the first key is indented, and those below it are not";
            return Some(Slip::at((first + 1, 1), message, "begin it at the left edge"));
        }
    }
    None
}

/// The last quotation mark or bracket before a place that is open there, where the message speaks of one.
fn still_open(lines: &[&str], place: (usize, usize), message: &str) -> Option<((usize, usize), char)> {
    let of_quotes =
        message.contains("quoted scalar") && !message.contains("escape") && !message.contains("hexadecimal")
            || message.contains("unclosed quote");
    let of_brackets = message.contains("bracket")
        || message.contains("flow")
        || message.contains("':' indicator")
        || message.contains("inside a block");
    if !of_quotes && !of_brackets {
        return None;
    }
    let mut open: Vec<((usize, usize), char)> = Vec::new();
    for (i, line) in lines.iter().enumerate().take(place.0) {
        let mut quote: Option<((usize, usize), char)> = None;
        let mut earlier = ' ';
        for (column, character) in line.chars().enumerate() {
            let at = (i + 1, column + 1);
            match (quote, character) {
                (Some((_, mark)), _) if mark == character && earlier != '\\' => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if " \t[{,(:".contains(earlier) => quote = Some((at, character)),
                (None, '#') if earlier == ' ' => break,
                (None, '[' | '{') if of_brackets => open.push((at, character)),
                (None, ']' | '}') if of_brackets => drop(open.pop()),
                _ => {}
            }
            earlier = character;
        }
        // A quotation mark that the next line does not close is where this began.
        if let Some(quote) = quote.filter(|_| of_quotes) {
            return Some(quote);
        }
    }
    open.pop()
}

/// What stands between two keys in brackets where a comma or a bracket should.
fn between(line: &str, place: (usize, usize)) -> Slip {
    if let Some(column) = place_of_any(line, &['，', '、'], 1) {
        return Slip::at(
            (place.0, column),
            "this comma is of another width and divides nothing",
            "write a plain comma",
        );
    }
    let rest = behind(line, place.1);
    if rest.starts_with(':') {
        return match second_key(line, place) {
            Some((column, word, before)) => {
                let message = format!("a comma is missing before \"{word}\"");
                let hint = format!("write {}, {word}: …", before.trim_end_matches([';', ' ']));
                Slip::at((place.0, column), message, hint)
            }
            None => Slip::at(place, "a second `: ` in one value", colon_hint(line, place)),
        };
    }
    let before: String = line.chars().take(place.1.saturating_sub(1)).collect();
    if rest.starts_with(['{', '[']) && before.trim_end().ends_with(char::is_alphanumeric) {
        return Slip::at(place, "a bracket begins within a text", "put a text that holds { or [ in quotes");
    }
    Slip::at(place, "a comma or a closing bracket is missing before this", "write { key: value, key: value }")
}

/// The key of a config or scenario that stands right before a colon and behind another value: its column, the key, and
/// what it stands behind.
fn second_key(line: &str, place: (usize, usize)) -> Option<(usize, String, String)> {
    let before: String = line.chars().take(place.1.saturating_sub(1)).collect();
    let before = before.trim_end();
    let start = before.rfind([' ', ',', '{', '[', ';']).map_or(0, |at| at + 1);
    let word = before[start..].trim_matches(['"', '\'']);
    let entry = before[..start].rfind(['{', '[', ',']).map_or(0, |at| at + 1);
    let behind = before[entry..start].trim();
    let is_second = !behind.is_empty() && behind.contains(':') && is_key(word);
    is_second.then(|| (before[..start].chars().count() + 1, word.to_string(), behind.to_string()))
}

/// What to do with a colon in the value that is read at this place: a name has none, quotes or not.
fn colon_hint(line: &str, place: (usize, usize)) -> &'static str {
    let before: String = line.chars().take(place.1.saturating_sub(1)).collect();
    let entry = before.rsplit([',', '{']).next().unwrap_or_default();
    match entry.trim_start_matches([' ', '-']).starts_with("name:") {
        true => "a name holds no colon",
        false => "put a text that holds `: ` in quotes",
    }
}

/// A bracket that stays open because a comment begins before it is closed.
fn cut_by_a_comment(lines: &[&str], message: &str) -> Option<Slip> {
    if !["bracket", "flow", "':' indicator", "inside a block"].iter().any(|words| message.contains(words)) {
        return None;
    }
    lines.iter().enumerate().find_map(|(i, line)| {
        let (before, comment) = line.split_once(" #").filter(|(before, _)| before.matches('"').count() % 2 == 0)?;
        let count = |text: &str, marks: [char; 2]| text.matches(marks).count();
        let is_open = count(before, ['[', '{']) > count(before, [']', '}']);
        let closes = count(comment, [']', '}']) > count(comment, ['[', '{']);
        (is_open && closes).then(|| {
            let place = (i + 1, before.chars().count() + 2);
            Slip::at(
                place,
                "a comment begins here and hides the closing bracket",
                "put a text that holds ` #` in quotes",
            )
        })
    })
}

/// A `-item` or `* item` at the beginning of a line.
fn no_item(line: &str, number: usize) -> Option<Slip> {
    let start = line.trim_start();
    let column = line.chars().count() - start.chars().count() + 1;
    if let Some(rest) = start.strip_prefix("* ") {
        let hint = format!("write - {}", rest.trim());
        return Some(Slip::at((number, column), "* begins no item of a list", hint));
    }
    let rest =
        start.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '{'))?;
    Some(Slip::at((number, column), "a space is missing after the - of an item", format!("write - {}", rest.trim())))
}

/// A `key:value` at the beginning of a line.
fn missing_space(line: &str, number: usize) -> Option<Slip> {
    let start = line.trim_start();
    let start = start.strip_prefix("- ").map_or(start, str::trim_start);
    let (key, rest) = start.split_once([':', '：'])?;
    let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let column = line.chars().count() - rest.chars().count();
    let shown: String = rest.trim_matches(SPACES).trim().chars().take(40).collect();
    if is_key && start[key.len()..].starts_with('：') {
        let message = format!("the colon after \"{key}\" is of another width and is none");
        return Some(Slip::at((number, column), message, format!("write {key}: {shown}").trim_end()));
    }
    if is_key && rest.starts_with(SPACES) {
        return Some(invisible((number, column + 1)));
    }
    if !is_key || rest.is_empty() || rest.starts_with([' ', '/', ':', '\t']) || rest.contains(": ") {
        return None;
    }
    let message = format!("a space is missing after \"{key}:\"");
    Some(Slip::at((number, column), message, format!("write {key}: {shown}")))
}

fn invisible(place: (usize, usize)) -> Slip {
    let message = "an invisible character that is no plain space, as word processors and web pages have them";
    Slip::at(place, message, "delete it and type a space where one is meant")
}

fn place_of_any(line: &str, wanted: &[char], from: usize) -> Option<usize> {
    let found = line.chars().enumerate().skip(from.saturating_sub(1)).find(|(_, character)| wanted.contains(character));
    found.map(|(column, _)| column + 1)
}

/// The library's words, plainer where it has plainer ones.
fn in_words(message: &str) -> String {
    let plainer = [
        ("did not find expected key", "this line is indented unlike the lines above it"),
        ("did not find expected '-'", "this line is indented like the list above it, and is no item of it"),
        ("simple key expected", "this line is no `key: value`"),
        ("expected <document start>", "this line belongs to nothing above it"),
        ("expected string scalar", "a key is a text, and no list or mapping"),
        ("recursion limit", "more than 32 levels within each other"),
        ("scanning an anchor", "a name is missing behind this * or &"),
        ("unknown anchor", "no anchor has the name behind this *"),
        ("misplaced bracket", "this bracket closes nothing"),
        ("escape", "a backslash in \"…\" begins a code that is not known"),
        ("hexadecimal", "a backslash in \"…\" begins a code that is not known"),
        ("unexpected character: ``'", "a text cannot begin with `"),
        ("unexpected character: `", "a text cannot begin with this character"),
        ("non-finite", "no finite number"),
        ("alias replay limit", "the aliases stand for more values than the limit of 20000"),
    ];
    let found = plainer.iter().find(|(words, _)| message.contains(words));
    found.map_or_else(|| message.to_string(), |(_, plainer)| (*plainer).to_string())
}

fn hint_of(message: &str) -> Option<String> {
    let hints = [
        ("unexpected character: ``'", "delete lines of three ` as Markdown has them, or put the text in quotes"),
        ("unexpected character", "put a text that begins with it in quotes"),
        ("expected <document start>", "a config is written as lines of key: value"),
        ("expected string scalar", "put a text that begins with { or [ in quotes"),
        ("scanning an anchor", "put a text that begins with * or & in quotes"),
        ("misplaced bracket", "delete it, or open it before"),
        ("hexadecimal", "write two backslashes, or put the text in ' instead of \""),
        ("unknown anchor", "a text that begins with * is put in quotes"),
        ("unsupported tag", "a text that begins with ! is put in quotes"),
        ("simple key expected", "write key: value, with a colon and a space; a text that goes on is indented"),
        ("did not find expected key", "indent it like the other keys of the same section"),
        ("did not find expected '-'", "begin it with - like the other items, or indent it like the key above the list"),
        ("block sequence entries", "put each item of a list on a line of its own"),
        ("unknown escape", "write two backslashes, or put the text in ' instead of \""),
        ("non-finite", "write a number"),
        ("multiple YAML documents", "keep one document a file: remove the line ---"),
        ("alias replay limit", "write the values out, and use fewer aliases"),
        ("comment intercepting", "put the text in quotes"),
    ];
    hints.iter().find(|(words, _)| message.contains(words)).map(|(_, hint)| (*hint).to_string())
}
