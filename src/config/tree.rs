//! A tree of values in which every value and key has its place.
//!
//! Config, scenario, command line and design are merged as trees before they are decoded. The tree does not interpret values,
//! except that merging treats tagged values differently.

use crate::config::problem::{Problem, SourcePlace};
use crate::plan::Origin;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value as written.
    pub value: Value,
    /// Where it was written.
    pub place: SourcePlace,
}

/// A YAML value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing, or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// Any other number; finite.
    Real(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping in the author's order; keys are unique.
    Map(Vec<MapEntry>),
}

/// A key of a mapping and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct MapEntry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub place: SourcePlace,
    /// The value.
    pub node: Node,
}

impl MapEntry {
    /// A key that was written where its value was.
    pub fn new(key: impl Into<String>, node: Node) -> Self {
        Self { key: key.into(), place: node.place.clone(), node }
    }
}

impl Node {
    /// An empty mapping.
    pub fn empty_map(place: SourcePlace) -> Self {
        Self { value: Value::Map(Vec::new()), place }
    }

    /// A text node.
    pub fn from_text(text: &str, place: SourcePlace) -> Self {
        Self { value: Value::Text(text.to_string()), place }
    }

    /// The text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a fork removes a value: `null` for a dotted key.
    pub fn is_taking_away(&self) -> bool {
        self.value == Value::Null && self.place.origin == Origin::Fork
    }

    /// The entries of a mapping; empty for other values.
    pub fn entries(&self) -> &[MapEntry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; empty for other values.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of a mapping, to change them; empty for other values.
    pub fn entries_mut(&mut self) -> &mut [MapEntry] {
        match &mut self.value {
            Value::Map(entries) => entries,
            _ => &mut [],
        }
    }

    /// The items of a list, to change them; empty for other values.
    pub fn items_mut(&mut self) -> &mut [Node] {
        match &mut self.value {
            Value::List(items) => items,
            _ => &mut [],
        }
    }

    /// The value under a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Removes a key from a mapping and returns its entry.
    pub fn remove_key(&mut self, key: &str) -> Option<MapEntry> {
        let Value::Map(entries) = &mut self.value else { return None };
        let at = entries.iter().position(|entry| entry.key == key)?;
        Some(entries.remove(at))
    }

    /// Inserts a key into a mapping, or replaces it. Has no effect on other values.
    pub fn insert_entry(&mut self, entry: MapEntry) {
        let Value::Map(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|old| old.key == entry.key) {
            Some(old) => *old = entry,
            None => entries.push(entry),
        }
    }

    /// Inserts a default of the program into a mapping that does not have the key.
    pub fn insert_default(&mut self, key: &str, value: Value) {
        if self.get(key).is_none() {
            self.insert_entry(MapEntry::new(key, Self { value, place: SourcePlace::of_default() }));
        }
    }

    /// Replaces the text at a dotted path; has no effect on other values.
    pub fn replace_text_at(&mut self, path: &str, text: impl Into<String>) {
        if let Some(Value::Text(old)) = self.find_mut(path).map(|node| &mut node.value) {
            *old = text.into();
        }
    }

    /// The segment for an item of a list in a dotted path: its `name`, or its position from 0.
    pub fn segment(&self, position: usize) -> String {
        self.get("name").and_then(Node::as_text).map_or_else(|| position.to_string(), str::to_string)
    }

    /// The place of the value at a dotted path, or of the innermost existing part.
    pub fn place_of(&self, path: &str) -> &SourcePlace {
        let mut node = self;
        for segment in path.split('.').filter(|segment| !segment.is_empty()) {
            match node.child(segment) {
                Some(child) => node = child,
                None => break,
            }
        }
        &node.place
    }

    /// The value at a dotted path, if it exists.
    pub fn find(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, segment| node.child(segment))
    }

    /// The value at a dotted path, to change it; the node itself if the path is empty.
    pub fn find_mut(&mut self, path: &str) -> Option<&mut Node> {
        path.split('.').filter(|segment| !segment.is_empty()).try_fold(self, |node, segment| node.child_mut(segment))
    }

    /// The entries of the mapping at a dotted path; empty if there is none.
    pub fn entries_at(&self, path: &str) -> &[MapEntry] {
        self.find(path).map(Node::entries).unwrap_or_default()
    }

    /// The items of the list at a dotted path; empty if there is none.
    pub fn items_at(&self, path: &str) -> &[Node] {
        self.find(path).map(Node::items).unwrap_or_default()
    }

    /// The text at a dotted path, if there is one.
    pub fn text_at(&self, path: &str) -> Option<&str> {
        self.find(path)?.as_text()
    }

    /// A problem with the value at a dotted path.
    pub fn problem(&self, path: &str, message: impl Into<String>) -> Problem {
        Problem::at_place(self.place_of(path), path, message)
    }

    /// A problem with a name at a dotted path that nothing of a kind has.
    pub fn unknown_name<'a>(
        &self,
        path: &str,
        named: (&str, &str),
        known: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        Problem::unknown_name(self.place_of(path), path, named, known)
    }

    /// A problem between two values. It is placed at the value of the higher layer; the hint gives the place of the other.
    pub fn clash(&self, one: &str, other: &str, message: impl Into<String>) -> Problem {
        let (first, second) = (self.place_of(one), self.place_of(other));
        let ((path, place), (other, elsewhere)) = match first.origin >= second.origin {
            true => ((one, first), (other, second)),
            false => ((other, second), (one, first)),
        };
        let hint = match elsewhere {
            SourcePlace { origin: Origin::Default, .. } => {
                self.find(other).map(|value| format!("{other} is {} unless it is given", value.to_text()))
            }
            SourcePlace { line: 0, file, .. } => Some(format!("{other} is of {file}")),
            SourcePlace { line, file, .. } if file != &place.file => Some(format!("{other} stands in {file}:{line}")),
            SourcePlace { line, .. } => (*line != place.line).then(|| format!("{other} stands in line {line}")),
        };
        Problem::at_place(place, path, message).with_hint(hint)
    }

    /// The place of the last key of a dotted path; for an item of a list, the place of the item.
    pub fn key_place_of(&self, path: &str) -> &SourcePlace {
        let entry_of = |(holder, key): (&str, &str)| {
            let holder = if holder.is_empty() { Some(self) } else { self.find(holder) };
            holder.and_then(|holder| holder.entries().iter().find(|entry| entry.key == key))
        };
        // A key may have a dot itself, as `seat.gross`.
        let last = path.rmatch_indices('.').take(2).map(|(dot, _)| (&path[..dot], &path[dot + 1..]));
        let entry = last.chain([("", path)]).find_map(entry_of);
        entry.map_or_else(|| self.place_of(path), |entry| &entry.place)
    }

    /// Sets the origin of every value and key.
    #[must_use]
    pub fn with_origin(mut self, origin: Origin) -> Self {
        self.set_origin(origin);
        self
    }

    fn set_origin(&mut self, origin: Origin) {
        self.place.origin = origin;
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.set_origin(origin)),
            Value::Map(entries) => entries.iter_mut().for_each(|entry| {
                entry.place.origin = origin;
                entry.node.set_origin(origin);
            }),
            _ => {}
        }
    }

    /// Converts the value to JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => (*truth).into(),
            Value::Int(number) => (*number).into(),
            Value::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => (*number as i64).into(),
            Value::Real(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(Node::to_json).collect(),
            Value::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json()));
                serde_json::Value::Object(pairs.collect())
            }
        }
    }

    /// A text as it is; any other value as JSON on one line.
    pub fn to_text(&self) -> String {
        self.as_text().map_or_else(|| self.to_json().to_string(), str::to_owned)
    }

    /// Formats the value as YAML on one line, cut at a maximum width.
    pub fn to_flow(&self) -> String {
        const WIDTH: usize = 80;
        let written = self.whole_flow();
        match written.char_indices().nth(WIDTH) {
            Some((cut, _)) => format!("{}…", &written[..cut]),
            None => written,
        }
    }

    fn whole_flow(&self) -> String {
        match &self.value {
            Value::Text(text) => {
                let is_bare = text.starts_with(char::is_alphabetic)
                    && text.chars().all(|c| c.is_alphanumeric() || "_./- ".contains(c))
                    && !["true", "false", "null"].contains(&text.as_str());
                if is_bare { text.clone() } else { self.to_json().to_string() }
            }
            Value::List(items) => format!("[{}]", items.iter().map(Node::whole_flow).collect::<Vec<_>>().join(", ")),
            Value::Map(entries) if entries.is_empty() => "{}".to_string(),
            Value::Map(entries) => {
                let entries = entries.iter().map(|entry| format!("{}: {}", entry.key, entry.node.whole_flow()));
                format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Real(_) => self.to_text(),
        }
    }

    /// The value of a key, or of an item of a list.
    pub fn child(&self, segment: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(_) => self.get(segment),
            Value::List(items) => {
                let place = items.iter().enumerate().position(|(i, item)| item.segment(i) == segment);
                // A phase inside a block goes by its own name.
                place.map_or_else(
                    || items.iter().find_map(|item| item.get("phases")?.child(segment)),
                    |place| items.get(place),
                )
            }
            _ => None,
        }
    }

    /// Mutable access to the value at one segment of a dotted path.
    pub fn child_mut(&mut self, segment: &str) -> Option<&mut Node> {
        match &mut self.value {
            Value::Map(entries) => entries.iter_mut().find(|entry| entry.key == segment).map(|entry| &mut entry.node),
            Value::List(items) => {
                let place = items.iter().enumerate().position(|(i, item)| item.segment(i) == segment)?;
                items.get_mut(place)
            }
            _ => None,
        }
    }
}

/// The place of the key after some segments of a dotted path; within the argument if it is on the command line.
pub fn key_place(path: &SourcePlace, before: &[&str]) -> SourcePlace {
    let is_typed = path.origin == Origin::CommandLine && path.column > 0;
    let chars = before.iter().map(|segment| segment.chars().count() + 1).sum::<usize>();
    let column = u32::try_from(chars).unwrap_or(u32::MAX).saturating_add(1);
    SourcePlace { column: if is_typed { column } else { path.column }, ..path.clone() }
}
