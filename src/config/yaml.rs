//! Parses YAML 1.2 into a tree with the place of every key and value.
//!
//! The size, nodes, depth and aliases of documents are limited, so that a small file cannot exhaust memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::budget::BudgetBreach;
use serde_yaml::options::{AliasLimits, DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_yaml::{Location, Spanned};

use crate::config::{MapEntry, Node, Problem, Problems, SourcePlace, Value};
use crate::plan::Origin;

/// The greatest size of a document, in bytes.
pub const BYTES_MAX: usize = 1_000_000;
/// The greatest number of values and keys in a document, with aliases expanded.
const NODES_MAX: usize = 20_000;
/// The greatest number of aliases, and of anchors.
const ALIASES_MAX: usize = 1_000;
/// The greatest depth of nesting.
const DEPTH_MAX: usize = 32;

/// Spaces from word processors and web pages that look like plain ones or are invisible.
const SPACES: [char; 5] = ['\u{a0}', '\u{202f}', '\u{3000}', '\u{200b}', '\u{feff}'];
const NO_PLAIN_SPACE: &str = "an invisible character that is no plain space stands here";

/// Reads one YAML document.
///
/// # Errors
/// The first error: the document is too large, not UTF-8, not YAML, not a mapping, or repeats a key.
pub fn read_document(bytes: &[u8], file: &str, origin: Origin) -> Result<Node, Problem> {
    node_or_problem(|problems| gather_document(bytes, file, origin, problems))
}

fn node_or_problem(gather: impl FnOnce(&mut Problems) -> Option<Node>) -> Result<Node, Problem> {
    let mut problems = Problems::default();
    let node = gather(&mut problems);
    match problems.iter().next() {
        Some(problem) => Err(problem.clone()),
        None => Ok(node.expect("invariant: a value without a problem was read")),
    }
}

/// Reads one YAML document and reports all its YAML errors; `None` if it cannot be read to its end. If a key is repeated, the
/// first wins, completed by keys that only the second has.
pub fn gather_document(bytes: &[u8], file: &str, origin: Origin, problems: &mut Problems) -> Option<Node> {
    if bytes.len() > BYTES_MAX {
        problems.push(Problem::of_file(file, format!("larger than {BYTES_MAX} bytes")));
        return None;
    }
    let text = problems.ok_or_report(decode_text(bytes, file))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let node = gather_value(&text, file, origin, problems)?;
    match node.value {
        Value::Map(_) => return Some(node),
        Value::Null => problems.push(Problem::of_file(file, "the file is empty")),
        _ => problems.push(Problem::at_place(&node.place, "", "expected a mapping (`key: value` lines)")),
    }
    None
}

/// Reads one YAML value, for example `unanimity`, `3` or `{ voter: { copy: 0.5 } }`.
///
/// # Errors
/// If it is not YAML.
pub fn read_value(text: &str, file: &str, origin: Origin) -> Result<Node, Problem> {
    node_or_problem(|problems| gather_value(text, file, origin, problems))
}

fn gather_value(text: &str, file: &str, origin: Origin, problems: &mut Problems) -> Option<Node> {
    if text.trim().is_empty() {
        return Some(Node { value: Value::Null, place: SourcePlace::of_file(origin, file) });
    }
    match serde_yaml::from_str_with_options(text, yaml_options()) {
        Ok(content) => Some(TreeBuilder { origin, file: Arc::from(file), problems }.build_node(content)),
        Err(error) => {
            problems.push(explain_error(&error, file, text));
            None
        }
    }
}

/// Decodes the text of a file.
///
/// # Errors
/// If it is not a text, or not UTF-8.
pub fn decode_text<'a>(bytes: &'a [u8], file: &str) -> Result<&'a str, Problem> {
    let as_utf8 = Some("save it as UTF-8".to_string());
    let formats: [(&[u8], &str); 3] =
        [(b"PK\x03\x04", "a Word, Excel or zip file"), (b"{\\rtf", "a rich text file"), (b"%PDF", "a PDF file")];
    if let Some((_, format)) = formats.iter().find(|(head, _)| bytes.starts_with(head)) {
        let problem = Problem::of_file(file, format!("not a text file: it is {format}"));
        return Err(problem.with_advice("save it as plain text in UTF-8"));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let message = "written in UTF-16, which Windows programs call Unicode; UTF-8 is expected";
        return Err(Problem::of_file(file, message).with_hint(as_utf8));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let read = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let problem = Problem::of_file(file, "not a text file (not UTF-8)");
        match std::str::from_utf8(read) {
            Ok(read) if !bytes.contains(&0) => Problem { path: String::new(), ..place_after(read, problem) },
            _ => problem,
        }
        .with_hint(as_utf8.clone())
    })?;
    match text.find('\0') {
        Some(zero) => Err(place_after(&text[..zero], Problem::of_file(file, "not a text file (holds a zero byte)"))
            .with_advice("delete it, or save the whole file as UTF-8")),
        None => Ok(text),
    }
}

/// Places the problem after the text read so far.
fn place_after(read: &str, problem: Problem) -> Problem {
    let count = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
    let line = count(read.matches('\n').count());
    let last = read.rsplit('\n').next().unwrap_or_default();
    Problem { line: Some(line), column: Some(count(last.chars().count())), ..problem }
}

fn yaml_options() -> serde_yaml::Options {
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

/// Fragments of the library's messages, each with a plain message and a hint.
const PLAINER: [(&str, &str, &str); 25] = [
    ("mapping values are not allowed", "a key has no place here", "mend the indentation, or quote a text with `: `"),
    ("simple key expected", "this line is no `key: value`", "write key: value, with a space behind the colon"),
    ("did not find expected key", "this line is indented unlike those above it", "indent it like its section"),
    (
        "did not find expected '-'",
        "this line is no item of the list above it",
        "begin it with `- `, indented like the others",
    ),
    ("block sequence entries", "an item of a list stands among keys", "put each item of a list on a line of its own"),
    ("expected ',' or ", "a comma or a closing bracket is missing before this", "write { key: value, key: value }"),
    ("unclosed bracket", "this bracket is not closed", "close it with ] or }"),
    ("':' indicator", "a bracket above this is not closed", "close it; ` #` begins a comment"),
    ("valid inside a block", "a bracket above this is not closed", "close it; ` #` begins a comment"),
    ("misplaced bracket", "this bracket closes nothing", "delete it, or open it before"),
    ("unclosed quote", "a quotation mark is not closed", "close it with a second one"),
    ("multiline quoted scalar", "a quotation mark above this is not closed", "close it with a second one"),
    ("trailing content after", "this stands behind a closing quotation mark", "write a comma, or use the other marks"),
    ("escape", "a backslash in \"…\" begins an unknown code", "quote the text with ' instead"),
    ("hexadecimal", "a backslash in \"…\" begins an unknown code", "quote the text with ' instead"),
    ("unexpected character", "a text cannot begin with this character", "put the text in quotes"),
    ("scanning an anchor", "a name is missing behind this * or &", "put a text that begins with * or & in quotes"),
    ("unknown anchor", "no anchor has the name behind this *", "put a text that begins with * in quotes"),
    ("unsupported tag", "tags, as in !name, are not read", "put a text that begins with ! in quotes"),
    ("expected <document start>", "this line belongs to nothing above it", "a config is lines of key: value"),
    ("expected string scalar", "a key is a text, no list or mapping", "put a text that begins with { or [ in quotes"),
    ("recursive references", "an alias stands inside its anchor", "write the value out"),
    ("null into string", "a key is a text", "write a key before the colon"),
    ("recursion limit", "more than 32 levels within each other", "write them less deep"),
    ("alias replay limit", "the aliases exceed the limit of values", "write the values out, and use fewer aliases"),
];

fn explain_error(error: &serde_yaml::Error, file: &str, text: &str) -> Problem {
    let error = error.without_snippet();
    let location = error.location().unwrap_or(Location::UNKNOWN);
    let place = place_of(location, Origin::Config, &Arc::from(file));
    if let serde_yaml::Error::Budget { breach, .. } = error {
        let (message, hint) = explain_breach(breach);
        return Problem::at_place(&place, "", message).with_hint(hint.map(str::to_string));
    }
    let told = |message: &str, hint: &str| Problem::at_place(&place, "", message).with_advice(hint);
    let line = text.lines().nth((place.line as usize).saturating_sub(1)).unwrap_or_default();
    let words = first_line(&error.to_string(), location);
    if words.contains("tab") || line.trim_start_matches(' ').starts_with('\t') {
        return explain_tab(text, place);
    }
    if line.contains(SPACES) {
        return told(NO_PLAIN_SPACE, "delete it and type a space");
    }
    match PLAINER.iter().find(|(part, _, _)| words.contains(part)) {
        Some((_, message, hint)) => told(message, hint),
        None => Problem::at_place(&place, "", words),
    }
}

/// The problem of the first line that is indented with a tab.
fn explain_tab(text: &str, place: SourcePlace) -> Problem {
    let is_indented = |line: &str| line.trim_start_matches(' ').starts_with('\t');
    let place = match (1..).zip(text.lines()).find(|(_, line)| is_indented(line)) {
        Some((number, line)) => {
            let column = u32::try_from(line.find('\t').unwrap_or(0) + 1).unwrap_or(u32::MAX);
            SourcePlace { line: number, column, ..place }
        }
        None => place,
    };
    let problem = Problem::at_place(&place, "", "a tab indents this line; YAML is indented with spaces");
    problem.with_advice("replace each tab by two spaces")
}

fn explain_breach(breach: &BudgetBreach) -> (String, Option<&'static str>) {
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

/// The library's message without the place, which is reported separately.
fn first_line(rendered: &str, location: Location) -> String {
    let words = rendered.lines().next().unwrap_or_default();
    match words.split_once(" at line ") {
        Some((what, _)) if location != Location::UNKNOWN => what.to_string(),
        _ => words.to_string(),
    }
}

fn place_of(location: Location, origin: Origin, file: &Arc<str>) -> SourcePlace {
    SourcePlace {
        origin,
        file: file.clone(),
        line: u32::try_from(location.line()).unwrap_or(0),
        column: u32::try_from(location.column()).unwrap_or(0),
    }
}

/// A value from the YAML library.
enum Content {
    Null,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Spanned<Content>>),
    Map(Vec<(Spanned<String>, Spanned<Content>)>),
}

/// Builds the tree, and reports repeated keys.
struct TreeBuilder<'a> {
    origin: Origin,
    file: Arc<str>,
    problems: &'a mut Problems,
}

impl TreeBuilder<'_> {
    fn build_node(&mut self, content: Spanned<Content>) -> Node {
        let place = place_of(content.referenced, self.origin, &self.file);
        let value = match content.value {
            Content::Null => Value::Null,
            Content::Bool(truth) => Value::Bool(truth),
            Content::Int(number) => Value::Int(number),
            Content::Real(number) if number.is_finite() => Value::Real(number),
            // Infinity and NaN are rejected wherever a number is expected.
            Content::Real(number) => Value::Text(number.to_string()),
            Content::Text(text) => Value::Text(text),
            Content::List(items) => Value::List(items.into_iter().map(|item| self.build_node(item)).collect()),
            Content::Map(entries) => Value::Map(self.build_entries(entries)),
        };
        Node { value, place }
    }

    fn build_entries(&mut self, written: Vec<(Spanned<String>, Spanned<Content>)>) -> Vec<MapEntry> {
        let mut entries: Vec<MapEntry> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (Spanned { value: key, referenced, .. }, content) in written {
            let place = place_of(referenced, self.origin, &self.file);
            let node = self.build_node(content);
            if key.contains(SPACES) {
                let problem = Problem::at_place(&place, "", NO_PLAIN_SPACE);
                self.problems.push(problem.with_advice("delete it and type a space"));
            }
            let key = key.trim_matches(SPACES).to_string();
            if let Some(earlier) = known.get(&key).map(|at| &mut entries[*at]) {
                earlier.node.underlay(&node);
                let hint = format!("the first stands in line {}", earlier.place.line);
                let problem = Problem::at_place(&place, "", format!("the key \"{key}\" is given twice"));
                self.problems.push(problem.with_advice(hint));
                continue;
            }
            known.insert(key.clone(), entries.len());
            entries.push(MapEntry { key, place, node });
        }
        entries
    }
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

    fn visit_bool<E>(self, truth: bool) -> Result<Content, E> {
        Ok(Content::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Content, E> {
        Ok(Content::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Content, E> {
        // An integer outside this range is too large for every key, so it is rejected there.
        Ok(i64::try_from(number).map_or(Content::Real(number as f64), Content::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Content, E> {
        Ok(Content::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Content, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(access)).map(Content::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Content::Map(entries))
    }
}
