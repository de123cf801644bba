//! Lookups in a schema: what is declared at a place, where else a key is declared, what could stand in for a broken value.
//!
//! Only the part of JSON Schema that our own schemas use is known here.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::config::problem::SourcePlace;
use crate::config::schema;
use crate::config::tree::{MapEntry, Node, Value};

/// Every key that is declared anywhere.
static KNOWN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let mut known = BTreeSet::new();
    gather_keys(schema::of_config(), &mut known);
    gather_keys(schema::of_scenario(), &mut known);
    known
});

fn gather_keys(part: &'static Json, known: &mut BTreeSet<&'static str>) {
    match part {
        Json::Object(entries) => {
            let properties = entries.get("properties").and_then(Json::as_object);
            known.extend(properties.into_iter().flat_map(|properties| properties.keys()).map(String::as_str));
            entries.values().for_each(|part| gather_keys(part, known));
        }
        Json::Array(parts) => parts.iter().for_each(|part| gather_keys(part, known)),
        _ => {}
    }
}

/// A schema and the whole that its references point into.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPart {
    root: &'static Json,
    part: &'static Json,
}

/// One kind of a value that is one of several: its word, and its settings where it has some.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceKind {
    /// The word.
    pub word: &'static str,
    /// What is declared of its settings; `None` when it takes none.
    pub settings: Option<SchemaPart>,
    /// Whether the word may stand alone.
    pub is_word: bool,
}

impl ChoiceKind {
    /// What is declared of settings that may not be left out.
    pub fn required_settings(&self) -> Option<SchemaPart> {
        self.settings.filter(|_| !self.is_word)
    }
}

impl SchemaPart {
    /// A whole schema.
    pub fn from_root(root: &'static Json) -> Self {
        Self { root, part: root }
    }

    /// The schema of a config.
    pub fn of_config() -> Self {
        Self::from_root(schema::of_config())
    }

    /// The schema of a scenario.
    pub fn of_scenario() -> Self {
        Self::from_root(schema::of_scenario())
    }

    /// The whole schema that this is a part of.
    pub fn root_schema(self) -> Self {
        Self::from_root(self.root)
    }

    /// Whether a value is one of several kinds.
    pub fn is_choice(self) -> bool {
        !self.kinds().is_empty() || self.keyword_parts("anyOf").any(|part| !part.kinds().is_empty())
    }

    /// What is declared of a key, whether it is named here or by the author.
    pub fn part_of_key(self, key: &str) -> Option<Self> {
        self.property(key).or_else(|| self.of_any_key())
    }

    fn resolve_part(self, part: &'static Json) -> Self {
        let target = part.get("$ref").and_then(Json::as_str);
        let target = target.and_then(|target| self.root.pointer(target.trim_start_matches('#')));
        match target {
            Some(target) => Self { root: self.root, part: target }.resolve_part(target),
            None => Self { root: self.root, part },
        }
    }

    fn keyword_part(self, keyword: &str) -> Option<Self> {
        self.part.get(keyword).filter(|part| part.is_object()).map(|part| self.resolve_part(part))
    }

    fn keyword_parts(self, keyword: &str) -> impl Iterator<Item = Self> {
        self.part.get(keyword).and_then(Json::as_array).into_iter().flatten().map(move |part| self.resolve_part(part))
    }

    /// The names of the JSON types that are taken; none where anything is.
    pub fn types(self) -> impl Iterator<Item = &'static str> {
        let one = self.part.get("type").and_then(Json::as_str);
        let some = self.part.get("type").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        one.into_iter().chain(some)
    }

    /// Whether a value is of a type that is taken. A value of any type is where none is declared.
    pub fn accepts_value(self, value: &Value) -> bool {
        let is_of = |kind: &str| match value {
            Value::Null => kind == "null",
            Value::Bool(_) => kind == "boolean",
            Value::Int(_) => kind == "integer" || kind == "number",
            Value::Real(_) => kind == "number",
            Value::Text(_) => kind == "string",
            Value::List(_) => kind == "array",
            Value::Map(_) => kind == "object",
        };
        self.types().next().is_none() || self.types().any(is_of)
    }

    /// The kinds of a value that is one of several; none for any other value.
    pub fn kinds(self) -> Vec<ChoiceKind> {
        let kind = |part: Self| {
            if let Some(word) = part.part.get("const").and_then(Json::as_str) {
                return Some(ChoiceKind { word, settings: None, is_word: true });
            }
            let (word, settings) = part.properties().next()?;
            Some(ChoiceKind { word, settings: Some(settings), is_word: false })
        };
        let mut kinds: Vec<ChoiceKind> = Vec::new();
        for kind in self.keyword_parts("oneOf").filter_map(kind) {
            // A word whose settings may be left out is declared twice.
            match kinds.iter_mut().find(|known| known.word == kind.word) {
                Some(known) => known.settings = known.settings.or(kind.settings),
                None => kinds.push(kind),
            }
        }
        kinds
    }

    /// The forms that a value may have; none for a value of one form.
    pub fn forms(self) -> Vec<Self> {
        self.keyword_parts("anyOf").filter(|part| part.part.get("type").is_some()).collect()
    }

    /// The keys of a mapping that are named, with what is declared of them.
    pub fn properties(self) -> impl Iterator<Item = (&'static str, Self)> {
        let properties = self.part.get("properties").and_then(Json::as_object);
        properties.into_iter().flatten().map(move |(key, part)| (key.as_str(), self.resolve_part(part)))
    }

    /// What is declared of a named key.
    pub fn property(self, key: &str) -> Option<Self> {
        self.part.get("properties").and_then(|properties| properties.get(key)).map(|part| self.resolve_part(part))
    }

    /// What is declared of keys that the author names.
    pub fn of_any_key(self) -> Option<Self> {
        self.keyword_part("additionalProperties")
    }

    /// Whether a mapping takes keys that are not named.
    pub fn is_open(self) -> bool {
        self.part.get("additionalProperties") != Some(&Json::Bool(false))
    }

    /// What is declared of an item of a list.
    pub fn item(self, position: usize) -> Option<Self> {
        self.keyword_parts("prefixItems").nth(position).or_else(|| self.keyword_part("items"))
    }

    /// How many items a list of a fixed length has.
    pub fn length(self) -> Option<usize> {
        self.part.get("prefixItems").and_then(Json::as_array).map(Vec::len)
    }

    /// The keys that must be there; of alternatives the first.
    pub fn required_keys(self) -> Vec<&'static str> {
        let names = |part: &'static Json| -> Vec<&'static str> {
            part.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect()
        };
        names(self.part)
    }

    /// Keys of which one must be there.
    pub fn required_one_of(self) -> Vec<&'static str> {
        self.keyword_parts("anyOf").flat_map(Self::required_keys).collect()
    }

    /// A bound of a number.
    pub fn bound(self, keyword: &str) -> Option<f64> {
        self.part.get(keyword).and_then(Json::as_f64)
    }

    /// What is declared at a dotted path, where items of lists go by name; the number of segments that lead to something
    /// when the next does not.
    ///
    /// # Errors
    /// That number.
    pub fn find_path(self, segments: &[&str]) -> Result<Option<Self>, usize> {
        let mut here = self;
        for (depth, segment) in segments.iter().enumerate() {
            let kind = here.kinds().into_iter().find(|kind| kind.word == *segment).and_then(|kind| kind.settings);
            let form = here.forms().into_iter().find_map(|form| form.property(segment));
            let next = kind.or(form).or_else(|| here.property(segment)).or_else(|| here.of_any_key());
            match next.or_else(|| here.item(0)) {
                Some(next) => here = next,
                None if here.is_open() && here.kinds().is_empty() && here.types().all(|kind| kind == "object") => {
                    return Ok(None);
                }
                None => return Err(depth),
            }
        }
        Ok(Some(here))
    }

    /// The keys that may stand here.
    pub fn keys(self) -> Vec<&'static str> {
        let kinds = self.kinds();
        match kinds.is_empty() {
            true => self.properties().map(|(key, _)| key).collect(),
            false => kinds.iter().map(|kind| kind.word).collect(),
        }
    }

    /// The dotted paths at which a key is declared, the shallowest first; what an author names is `*`.
    pub fn paths_of_key(self, key: &str) -> Vec<String> {
        let mut homes = Vec::new();
        // Thousands of keys may be unknown, and most stand nowhere at all.
        if KNOWN.contains(key) {
            self.gather_homes(key, "", &mut homes);
        }
        homes.sort_by_key(|home| home.matches('.').count());
        homes
    }

    fn gather_homes(self, key: &str, path: &str, homes: &mut Vec<String>) {
        let join = |segment: &str| if path.is_empty() { segment.to_string() } else { format!("{path}.{segment}") };
        for (name, part) in self.properties() {
            if name == key {
                homes.push(join(name));
            }
            part.gather_homes(key, &join(name), homes);
        }
        for kind in self.kinds() {
            if let Some(settings) = kind.settings {
                settings.gather_homes(key, &join(kind.word), homes);
            }
        }
        for inner in self.of_any_key().into_iter().chain(self.keyword_part("items")) {
            inner.gather_homes(key, &join("*"), homes);
        }
    }

    /// A value that can be decoded in place of a wrong one; `segment` is its own name where it needs one.
    pub fn placeholder(self, segment: &str, place: &SourcePlace) -> Node {
        let node = |value: Value| Node { value, place: place.clone() };
        if let Some(kind) = self.kinds().first() {
            let Some(settings) = kind.required_settings() else { return Node::from_text(kind.word, place.clone()) };
            let entry = MapEntry {
                key: kind.word.to_string(),
                place: place.clone(),
                node: settings.placeholder(segment, place),
            };
            return node(Value::Map(vec![entry]));
        }
        if let Some(form) = self.forms().first() {
            return form.placeholder(segment, place);
        }
        let least = self.bound("minimum").or_else(|| self.bound("maximum")).unwrap_or(0.0);
        match self.types().next() {
            Some("string") => Node::from_text(segment, place.clone()),
            // Bounds of whole numbers are whole.
            Some("integer") => node(Value::Int(least as i64)),
            Some("number") => node(Value::Real(least)),
            Some("boolean") => node(Value::Bool(false)),
            Some("array") => {
                let items = (0..self.length().unwrap_or(0)).filter_map(|position| self.item(position));
                node(Value::List(items.map(|item| item.placeholder(segment, place)).collect()))
            }
            Some("object") => {
                let keys = self.required_keys().into_iter().chain(self.required_one_of().into_iter().take(1));
                let entries = keys.filter_map(|key| {
                    let node = self.property(key)?.placeholder(segment, place);
                    Some(MapEntry { key: key.to_string(), place: place.clone(), node })
                });
                node(Value::Map(entries.collect()))
            }
            _ => node(Value::Null),
        }
    }
}
