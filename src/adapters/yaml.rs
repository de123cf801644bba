//! YAML 1.2 text → tree, with the place of every key and value.
//!
//! Documents are bounded in size, nodes, depth and aliases, so that no small file can ask for much memory. What the
//! values mean is not known here.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::budget::BudgetBreach;
use serde_yaml::options::{AliasLimits, DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_yaml::{Location, Spanned};

use crate::plan::{Entry, Node, Origin, Place, Problem, Problems, Value};

mod slips;

/// The largest document that is read, in bytes.
pub const BYTES_MAX: usize = 1_000_000;
/// The most values and keys a document may hold, aliases written out.
const NODES_MAX: usize = 20_000;
/// The most aliases, and the most anchors.
const ALIASES_MAX: usize = 1_000;
/// The deepest nesting.
const DEPTH_MAX: usize = 32;

/// Reads one YAML document.
///
/// # Errors
/// The first mistake, when it is too large, not UTF-8, not YAML, not a mapping, or has a key twice.
pub fn read(bytes: &[u8], file: &str, origin: Origin) -> Result<Node, Problem> {
    let mut problems = Problems::default();
    let node = gather(bytes, file, origin, &mut problems);
    match problems.iter().next() {
        Some(problem) => Err(problem.clone()),
        None => Ok(node.expect("invariant: a document without a problem was read")),
    }
}

/// Reads one YAML document and tells all that is wrong with it as YAML; `None` when it cannot be read to its end. A key that
/// is given twice is told, and what is below both is taken together.
pub fn gather(bytes: &[u8], file: &str, origin: Origin, problems: &mut Problems) -> Option<Node> {
    if bytes.len() > BYTES_MAX {
        problems.push(Problem::of_file(file, format!("larger than {BYTES_MAX} bytes")));
        return None;
    }
    let text = problems.keep(text(bytes, file))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let node = gather_value(&text, file, origin, problems)?;
    match node.value {
        Value::Map(_) => return Some(node),
        Value::Null => problems.push(Problem::of_file(file, "the file is empty")),
        _ => problems.push(Problem::at(&node.place, "", "expected a mapping (`key: value` lines)")),
    }
    None
}

/// Reads one YAML value, such as `unanimity`, `3` or `{ voter: { copy: 0.5 } }`.
///
/// # Errors
/// When it is not YAML.
pub fn read_value(text: &str, file: &str, origin: Origin) -> Result<Node, Problem> {
    let mut problems = Problems::default();
    let node = gather_value(text, file, origin, &mut problems);
    match problems.iter().next() {
        Some(problem) => Err(problem.clone()),
        None => Ok(node.expect("invariant: a value without a problem was read")),
    }
}

fn gather_value(text: &str, file: &str, origin: Origin, problems: &mut Problems) -> Option<Node> {
    if text.trim().is_empty() {
        let value = Value::Null;
        let place = Place::file(origin, file);
        return Some(Node { value, place });
    }
    let lines: Vec<&str> = text.lines().collect();
    let read: Result<Spanned<Content>, _> = serde_yaml::from_str_with_options(text, options());
    match read {
        Ok(content) => {
            let mut builder = Builder {
                origin,
                file: Arc::from(file),
                lines,
                reached: Reached::default(),
                problems,
                is_readable: true,
            };
            let node = builder.node(content);
            builder.is_readable.then_some(node)
        }
        Err(error) => {
            problems.push(located(&error, file, &lines));
            None
        }
    }
}

/// The text of a file.
///
/// # Errors
/// When it is none, or not in UTF-8.
pub fn text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, Problem> {
    let as_utf8 = Some("save it as UTF-8".to_string());
    let formats: [(&[u8], &str); 3] =
        [(b"PK\x03\x04", "a Word, Excel or zip file"), (b"{\\rtf", "a rich text file"), (b"%PDF", "a PDF file")];
    if let Some((_, format)) = formats.iter().find(|(head, _)| bytes.starts_with(head)) {
        let problem = Problem::of_file(file, format!("not a text file: it is {format}"));
        return Err(problem.with_hint(Some("save it as plain text in UTF-8".to_string())));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let message = "written in UTF-16, which Windows programs call Unicode; UTF-8 is expected";
        return Err(Problem::of_file(file, message).with_hint(as_utf8));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let read = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let problem = Problem::of_file(file, "not a text file (not UTF-8)");
        match std::str::from_utf8(read) {
            Ok(read) if !bytes.contains(&0) => Problem { path: String::new(), ..after(read, problem) },
            _ => problem,
        }
        .with_hint(as_utf8.clone())
    })?;
    match text.find('\0') {
        Some(zero) => Err(after(&text[..zero], Problem::of_file(file, "not a text file (holds a zero byte)"))
            .with_hint(Some("delete it, or save the whole file as UTF-8".to_string()))),
        None => Ok(text),
    }
}

/// The problem, placed behind what was read so far.
fn after(read: &str, problem: Problem) -> Problem {
    let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
    let line = count(read.matches('\n').count());
    let last = read.rsplit('\n').next().unwrap_or_default();
    Problem { line: Some(line), column: Some(count(last.chars().count())), ..problem }
}

fn options() -> serde_yaml::Options {
    let budget = serde_yaml::budget! {
        max_nodes: NODES_MAX,
        max_events: 4 * NODES_MAX,
        max_aliases: ALIASES_MAX,
        max_anchors: ALIASES_MAX,
        max_depth: DEPTH_MAX,
        max_documents: 1,
    };
    let mut alias_limits = AliasLimits::default();
    alias_limits.max_total_replayed_events = NODES_MAX;
    alias_limits.max_replay_stack_depth = DEPTH_MAX;
    serde_yaml::options! {
        budget: budget,
        alias_limits: alias_limits,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

fn located(error: &serde_yaml::Error, file: &str, lines: &[&str]) -> Problem {
    let error = error.without_snippet();
    let location = error.location().unwrap_or(Location::UNKNOWN);
    let place = place_of(location, Origin::Config, &Arc::from(file));
    let message = match error {
        serde_yaml::Error::Budget { breach, .. } => {
            let (message, hint) = beyond(breach);
            return Problem::at(&place, "", message).with_hint(hint.map(str::to_string));
        }
        serde_yaml::Error::RecursiveReferencesRequireWeakTypes { .. } => {
            "an alias stands inside its anchor".to_string()
        }
        serde_yaml::Error::NullIntoString { .. } => "a key is a text".to_string(),
        other => {
            let message = first_line(&other.to_string(), location);
            let slip = slips::explain(&message, lines, (place.line as usize, place.column as usize));
            let position = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            let place = Place { line: position(slip.line), column: position(slip.column), ..place };
            return Problem::at(&place, "", slip.message).with_hint(slip.hint);
        }
    };
    Problem::at(&place, "", message)
}

/// Which bound of a document is broken, and a way out.
fn beyond(breach: &BudgetBreach) -> (String, Option<&'static str>) {
    match breach {
        BudgetBreach::Documents { .. } => {
            ("a second document begins here".to_string(), Some("keep one document a file, without lines of `---`"))
        }
        BudgetBreach::Depth { .. } => (format!("more than {DEPTH_MAX} levels within each other"), None),
        BudgetBreach::Aliases { .. } | BudgetBreach::Anchors { .. } => {
            (format!("more than {ALIASES_MAX} aliases or anchors"), Some("write the values out"))
        }
        _ => (format!("more than {NODES_MAX} values"), Some("long lists of people or items are read from CSV files")),
    }
}

/// The library's words without the place, which is told apart.
fn first_line(rendered: &str, location: Location) -> String {
    let words = rendered.lines().next().unwrap_or_default();
    match words.split_once(" at line ") {
        Some((what, _)) if location != Location::UNKNOWN => what.to_string(),
        _ => words.to_string(),
    }
}

fn place_of(location: Location, origin: Origin, file: &Arc<str>) -> Place {
    Place {
        origin,
        file: file.clone(),
        line: u32::try_from(location.line()).unwrap_or(0),
        column: u32::try_from(location.column()).unwrap_or(0),
    }
}

/// A value as the YAML library tells it.
enum Content {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Spanned<Content>>),
    Map(Vec<(Spanned<String>, Spanned<Content>)>),
}

/// Makes the tree, and tells what is YAML and cannot have been meant.
struct Builder<'a> {
    origin: Origin,
    file: Arc<str>,
    lines: Vec<&'a str>,
    reached: Reached,
    problems: &'a mut Problems,
    /// Whether the tree says what the author meant, as far as can be told.
    is_readable: bool,
}

/// Whether these are items of a list without their `- `: the name that each item begins with stands there again.
fn is_items(content: &Content) -> bool {
    let Content::Map(entries) = content else { return false };
    let is_name = |(key, _): &&(Spanned<String>, Spanned<Content>)| key.value == "name";
    entries.first().is_some_and(|entry| is_name(&entry)) && entries.iter().filter(is_name).count() > 1
}

/// How far a text was gone through: columns count characters, and thousands of values may stand in one line.
#[derive(Default)]
struct Reached {
    line: usize,
    column: usize,
    byte: usize,
}

impl Reached {
    /// Where the character at a place begins in its line: from where the last one began, if that is before it.
    fn byte(&mut self, lines: &[&str], place: &Place) -> usize {
        let (line, column) = (place.line as usize, place.column as usize);
        if line != self.line || column < self.column || self.column == 0 {
            *self = Self { line, column: 1, byte: 0 };
        }
        let text = line.checked_sub(1).and_then(|line| lines.get(line)).copied().unwrap_or_default();
        let ahead = column.saturating_sub(self.column);
        self.byte = text[self.byte..].char_indices().nth(ahead).map_or(text.len(), |(start, _)| self.byte + start);
        self.column = column.max(1);
        self.byte
    }
}

impl Builder<'_> {
    fn node(&mut self, content: Spanned<Content>) -> Node {
        let place = place_of(content.referenced, self.origin, &self.file);
        let value = match content.value {
            Content::Null => Value::Null,
            Content::Bool(truth) => Value::Bool(truth),
            Content::Int(number) => Value::Int(number),
            Content::Real(number) => {
                let before = self.before(&place);
                if let Some((message, hint)) = slips::number(self.token(&place), &before) {
                    self.tell(&place, message, Some(hint));
                    self.is_readable = false;
                }
                // Only a number is judged by its words: with a tag, they are not those of the number.
                let words = self.token(&place_of(content.defined, self.origin, &self.file)).to_string();
                let is_number = words.parse::<f64>().is_ok() || !number.is_finite();
                if is_number { Value::number(&words, number) } else { Value::Real(number) }
            }
            Content::Text(text) => {
                let meant = self.text(text.clone(), &place);
                let is_bare = meant != text && slips::is_blank_around(&text);
                if is_bare { slips::scalar(meant) } else { Value::Text(meant) }
            }
            Content::List(items) => Value::List(items.into_iter().map(|item| self.node(item)).collect()),
            Content::Map(entries) => Value::Map(self.entries(entries)),
        };
        Node { value, place }
    }

    /// The items of a list whose author wrote none of its `- `: each begins where the first key stands again, which is told once.
    fn items(&mut self, content: Spanned<Content>) -> Node {
        let place = place_of(content.referenced, self.origin, &self.file);
        let Content::Map(written) = content.value else { return self.node(content) };
        let mut items: Vec<Vec<(Spanned<String>, Spanned<Content>)>> = Vec::new();
        for (key, content) in written {
            match items.last_mut().filter(|item| item.iter().all(|(other, _)| other.value != key.value)) {
                Some(item) => item.push((key, content)),
                None => items.push(vec![(key, content)]),
            }
        }
        let first = match items.first().and_then(|item| item.first()) {
            Some((key, Spanned { value: Content::Text(text), .. })) => format!("{}: {text}", key.value),
            _ => "name: …".to_string(),
        };
        if let Some((again, _)) = items.get(1).and_then(|item| item.first()) {
            let again = place_of(again.referenced, self.origin, &self.file);
            let is_flow = items[0].first().is_some_and(|(key, _)| key.referenced.line() == u64::from(again.line));
            let hint = match is_flow {
                true => format!("write [{{ {first} }}, …]"),
                false => format!("begin each item with `- `, as in - {first}"),
            };
            let message = "a second item begins here, and the items of a list are not divided".to_string();
            self.tell(&again, message, Some(hint));
        }
        let mut nodes = Vec::new();
        for item in items {
            let place = item
                .first()
                .map_or_else(|| place.clone(), |(key, _)| place_of(key.referenced, self.origin, &self.file));
            nodes.push(Node { value: Value::Map(self.entries(item)), place });
        }
        Node { value: Value::List(nodes), place }
    }

    fn entries(&mut self, written: Vec<(Spanned<String>, Spanned<Content>)>) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (key, content) in written {
            let place = place_of(key.referenced, self.origin, &self.file);
            if key.value == "<<" {
                let hint = "write the keys out where they belong".to_string();
                self.tell(&place, "merge keys (`<<`) are not part of YAML 1.2".to_string(), Some(hint));
                self.is_readable = false;
                continue;
            }
            if let Some(slip) = slips::bullet(&key.value) {
                self.tell(&place, slip.0, Some(slip.1));
                self.is_readable = false;
                continue;
            }
            let key = self.text(key.value, &place);
            let node = if is_items(&content.value) { self.items(content) } else { self.node(content) };
            // The rest of a number with commas is told where the number belongs.
            if is_piece(&key, &node) && entries.last().is_some_and(|before| before.node.place.line == place.line) {
                entries.push(Entry { key, place, node });
                continue;
            }
            match known.get(&key).map(|at| &mut entries[*at]) {
                Some(earlier) => {
                    let hint = match earlier.place.line == place.line {
                        true => "the first stands on this line, too".to_string(),
                        false => format!("the first stands in line {}", earlier.place.line),
                    };
                    earlier.node.underlay(&node);
                    self.tell(&place, format!("the key \"{key}\" is given twice"), Some(hint));
                }
                None => {
                    known.insert(key.clone(), entries.len());
                    entries.push(Entry { key, place, node });
                }
            }
        }
        entries
    }

    /// A key or text as it was meant.
    fn text(&mut self, text: String, place: &Place) -> String {
        let (line, column) = (place.line as usize, place.column as usize);
        let start = self.reached.byte(&self.lines, place);
        let Some(slip) = slips::in_text(&text, &self.lines, (line, column), start) else { return text };
        let position = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let place = Place { line: position(slip.line), column: position(slip.column), ..place.clone() };
        self.tell(&place, slip.message, slip.hint);
        self.is_readable &= slip.meant.is_some();
        slip.meant.unwrap_or(text)
    }

    /// What stands before a place in its line.
    fn before(&self, place: &Place) -> String {
        let line = (place.line as usize).checked_sub(1).and_then(|line| self.lines.get(line)).copied();
        line.unwrap_or_default().chars().take((place.column as usize).saturating_sub(1)).collect()
    }

    /// What stands at a place, up to the next blank space or comma.
    fn token(&mut self, place: &Place) -> &str {
        let line = (place.line as usize).checked_sub(1).and_then(|line| self.lines.get(line)).copied();
        let rest = &line.unwrap_or_default()[self.reached.byte(&self.lines, place)..];
        let mut tokens = rest.split([' ', ',', ']', '}', '\t']);
        tokens.find(|token| !token.starts_with(['&', '!'])).unwrap_or_default()
    }

    fn tell(&mut self, place: &Place, message: String, hint: Option<String>) {
        self.problems.push(Problem::at(place, "", message).with_hint(hint));
    }
}

/// Whether an entry is digits without a value, as a comma in a number leaves them.
fn is_piece(key: &str, node: &Node) -> bool {
    matches!(node.value, Value::Null) && !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_none<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Content, E> {
        Ok(Content::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Content, E> {
        Ok(Content::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Content, E> {
        // What no tree holds as a whole number is too large for every place of one, and is refused there.
        Ok(i64::try_from(number).map_or(Content::Real(number as f64), Content::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Content, E> {
        Ok(Content::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_string()))
    }

    fn visit_string<E>(self, text: String) -> Result<Content, E> {
        Ok(Content::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Content::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Content::Map(entries))
    }
}
