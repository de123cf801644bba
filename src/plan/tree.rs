//! What was written, as a tree in which every value and key knows its place.
//!
//! Config, scenario, command line and design are merged here, before anything is given a type; what a value means is
//! not known here, but for which values are one of several kinds.

use super::declared::Declared;
use super::{Origin, Place, Problem, suggest};

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What was written.
    pub value: Value,
    /// Where.
    pub place: Place,
}

/// What can be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing, or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; finite.
    Real(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping in the author's order; keys are unique.
    Map(Vec<Entry>),
}

/// A key of a mapping and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// The value.
    pub node: Node,
}

impl Node {
    /// An empty mapping.
    pub fn empty_map(place: Place) -> Self {
        Self { value: Value::Map(Vec::new()), place }
    }

    /// A text.
    pub fn text(text: &str, place: Place) -> Self {
        Self { value: Value::Text(text.to_string()), place }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is how a fork takes a value away: `null` under a dotted key.
    pub fn is_taking_away(&self) -> bool {
        self.value == Value::Null && self.place.origin == Origin::Fork
    }

    /// The entries, if this is a mapping; else none.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items, if this is a list; else none.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The value under a key, if this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// Takes a key out of a mapping; `None` if it is not there.
    pub fn take(&mut self, key: &str) -> Option<Entry> {
        let Value::Map(entries) = &mut self.value else {
            return None;
        };
        let at = entries.iter().position(|entry| entry.key == key)?;
        Some(entries.remove(at))
    }

    /// Puts a key into a mapping, in place of the same key or at the end. Does nothing to any other value.
    pub fn put(&mut self, entry: Entry) {
        let Value::Map(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|old| old.key == entry.key) {
            Some(old) => *old = entry,
            None => entries.push(entry),
        }
    }

    /// The name by which an item of a list is found in a dotted path: the `name` it carries, else its position from 0.
    pub fn segment(&self, position: usize) -> String {
        match self.get("name").and_then(Node::as_text) {
            Some(name) => name.to_string(),
            None => position.to_string(),
        }
    }

    /// The place nearest to a dotted path: of the value itself, or of the innermost part that is there.
    pub fn place_of(&self, path: &str) -> &Place {
        let mut node = self;
        for segment in path.split('.').filter(|segment| !segment.is_empty()) {
            match node.child(segment) {
                Some(child) => node = child,
                None => break,
            }
        }
        &node.place
    }

    /// The value at a dotted path, if it is there.
    pub fn find(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, segment| node.child(segment))
    }

    /// A problem with the value at a dotted path.
    pub fn problem(&self, path: &str, message: impl Into<String>) -> Problem {
        Problem::at(self.place_of(path), path, message)
    }

    /// A problem that two values make together: it stands at the one that was said last, the config's and not the
    /// scenario's; the hint tells where the other stands.
    pub fn clash(&self, one: &str, other: &str, message: impl Into<String>) -> Problem {
        let (first, second) = (self.place_of(one), self.place_of(other));
        let ((path, place), (other, elsewhere)) = match first.origin >= second.origin {
            true => ((one, first), (other, second)),
            false => ((other, second), (one, first)),
        };
        let hint = match elsewhere {
            Place { origin: Origin::Default, .. } => {
                self.find(other).map(|value| format!("{other} is {} unless it is given", value.to_text()))
            }
            Place { line: 0, file, .. } => Some(format!("{other} is of {file}")),
            Place { line, file, .. } if file != &place.file => Some(format!("{other} stands in {file}:{line}")),
            Place { line, .. } => (*line != place.line).then(|| format!("{other} stands in line {line}")),
        };
        Problem::at(place, path, message).with_hint(hint)
    }

    /// Where the key at the end of a dotted path stands; of an item of a list, the item.
    pub fn key_place_of(&self, path: &str) -> &Place {
        let (holder, key) = path.rsplit_once('.').unwrap_or(("", path));
        let holder = if holder.is_empty() { Some(self) } else { self.find(holder) };
        let entry = holder.and_then(|holder| holder.entries().iter().find(|entry| entry.key == key));
        entry.map_or_else(|| self.place_of(path), |entry| &entry.place)
    }

    /// Lays another tree over this one, of which that is declared: mappings are joined key by key, everything else is
    /// replaced. So is a value that is one of several kinds, by one of another kind.
    pub fn overlay(&mut self, upper: Node, declared: Option<Declared>) {
        let is_other_kind = declared.is_some_and(Declared::is_one_of)
            && self.entries().iter().any(|entry| upper.get(&entry.key).is_none());
        match (&mut self.value, upper.value) {
            (Value::Map(_), Value::Map(entries)) if !is_other_kind => {
                self.place = upper.place;
                for entry in entries {
                    let below = declared.and_then(|declared| declared.below(&entry.key));
                    self.overlay_entry(entry, below);
                }
            }
            (_, value) => {
                self.value = value;
                self.place = upper.place;
            }
        }
    }

    /// Fills in what is missing: keys of `lower` that this tree does not have, at every level.
    pub fn underlay(&mut self, lower: &Node) {
        for below in lower.entries() {
            match self.child_mut(&below.key) {
                Some(node) => node.underlay(&below.node),
                None => self.put(below.clone()),
            }
        }
    }

    /// Sets the value at a dotted path; seats are found by name, missing mappings on the way are made. A mapping set as a
    /// whole section is laid over the section, so that what it does not name stays.
    ///
    /// # Errors
    /// When the path leads through something that is neither a mapping nor a list with such an item.
    pub fn set(&mut self, path: &str, value: Node) -> Result<(), Problem> {
        let place = value.place.clone();
        self.set_at(path, value, &place)
    }

    /// The same with a dotted path that stands elsewhere than the value.
    ///
    /// # Errors
    /// As [`Node::set`] has them.
    pub fn set_at(&mut self, path: &str, value: Node, place_of_path: &Place) -> Result<(), Problem> {
        let mut node = self;
        let segments: Vec<&str> = path.split('.').collect();
        if let Some(empty) = segments.iter().position(|segment| segment.is_empty()) {
            let place = key_place(place_of_path, &segments[..empty]);
            return Err(Problem::at(&place, path, "a dotted path has no empty parts"));
        }
        for (depth, segment) in segments.iter().enumerate() {
            let place = key_place(place_of_path, &segments[..depth]);
            if matches!(node.value, Value::Null) {
                node.value = Value::Map(Vec::new());
                node.place = place.clone();
            }
            if matches!(node.value, Value::Map(_)) && node.get(segment).is_none() {
                let node_of_key = Node::empty_map(place.clone());
                node.put(Entry { key: (*segment).to_string(), place: place.clone(), node: node_of_key });
            }
            if node.child(segment).is_none() {
                return Err(node.no_way(&segments[..depth], segment, path, &place));
            }
            node = node.child_mut(segment).expect("invariant: the child was there a moment ago");
        }
        match segments.len() {
            1 => node.overlay(value, Declared::of_config().below(path)),
            _ => *node = value,
        }
        Ok(())
    }

    /// Takes the value at a dotted path away, so that `below` stands there, or nothing. Where nothing is written, nothing is
    /// taken away.
    ///
    /// # Errors
    /// When the path leads to an item of a list, or through one that is not there.
    pub fn unset(&mut self, path: &str, below: Option<&Node>, place_of_path: &Place) -> Result<(), Problem> {
        let mut node = self;
        let segments: Vec<&str> = path.split('.').collect();
        for (depth, segment) in segments.iter().enumerate() {
            let is_last = depth + 1 == segments.len();
            match (&node.value, node.child(segment)) {
                (Value::List(_), Some(_)) if is_last => {
                    let message = "an item of a list is not taken away by itself; write the whole list without it";
                    return Err(Problem::at(place_of_path, path, message));
                }
                (Value::List(_), None) => return Err(node.no_way(&segments[..depth], segment, path, place_of_path)),
                (_, None) => return Ok(()),
                (_, Some(_)) if is_last && below.is_none() => {
                    node.take(segment);
                    return Ok(());
                }
                _ => node = node.child_mut(segment).expect("invariant: the child was there a moment ago"),
            }
        }
        below.into_iter().for_each(|below| *node = below.clone());
        Ok(())
    }

    /// The same tree with every value and key attributed to another origin.
    #[must_use]
    pub fn attributed(mut self, origin: Origin) -> Self {
        self.place.origin = origin;
        match &mut self.value {
            Value::List(items) => {
                for item in items {
                    *item = item.clone().attributed(origin);
                }
            }
            Value::Map(entries) => {
                for entry in entries {
                    entry.place.origin = origin;
                    entry.node = entry.node.clone().attributed(origin);
                }
            }
            _ => {}
        }
        self
    }

    /// The value as JSON on one line, which is YAML too.
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

    /// A text as it is, any other value as JSON on one line.
    pub fn to_text(&self) -> String {
        self.as_text().map_or_else(|| self.to_json().to_string(), str::to_owned)
    }

    /// The value as YAML within a line; a long one is cut.
    pub fn to_flow(&self) -> String {
        const WIDTH: usize = 80;
        let written = self.whole_flow();
        match written.chars().count() > WIDTH {
            true => written.chars().take(WIDTH).chain("…".chars()).collect(),
            false => written,
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

    fn child(&self, segment: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(_) => self.get(segment),
            Value::List(items) => {
                let place = items.iter().enumerate().position(|(i, item)| item.segment(i) == segment)?;
                items.get(place)
            }
            _ => None,
        }
    }

    /// The value under one segment of a dotted path, to be changed.
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

    fn overlay_entry(&mut self, entry: Entry, declared: Option<Declared>) {
        let Value::Map(entries) = &mut self.value else { return };
        match entries.iter_mut().find(|old| old.key == entry.key) {
            Some(old) => {
                old.place = entry.place;
                old.node.overlay(entry.node, declared);
            }
            None => entries.push(entry),
        }
    }

    fn no_way(&self, before: &[&str], segment: &str, path: &str, place: &Place) -> Problem {
        let before = before.join(".");
        match &self.value {
            Value::List(items) => {
                let names: Vec<String> = items.iter().enumerate().map(|(i, item)| item.segment(i)).collect();
                Problem::at(place, path, format!("{before} has no item \"{segment}\""))
                    .with_hint(suggest(segment, names.iter().map(String::as_str)))
            }
            _ => Problem::at(place, path, format!("{before} is not a mapping, so it has no \"{segment}\"")),
        }
    }
}

/// Where the key after some segments of a dotted path stands: on the command line, within the argument; anywhere else, where
/// the path does.
pub fn key_place(path: &Place, before: &[&str]) -> Place {
    let is_typed = path.origin == Origin::CommandLine && path.column > 0;
    let chars = before.iter().map(|segment| segment.chars().count() + 1).sum::<usize>();
    let column = u32::try_from(chars).unwrap_or(u32::MAX).saturating_add(1);
    Place { column: if is_typed { column } else { path.column }, ..path.clone() }
}
