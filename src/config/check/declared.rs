//! Looks up declarations in a schema, and placeholders for invalid values.
//!
//! It supports only the part of JSON Schema that our own schemas use.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value as Json;

use crate::config::problem::SourcePlace;
use crate::config::schema;
use crate::config::tree::{MapEntry, Node, Value};

/// Every key that either schema declares.
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

/// A part of a schema, with the root schema that its references resolve in.
#[derive(Debug, Clone, Copy)]
pub struct SchemaPart {
    root: &'static Json,
    part: &'static Json,
}

/// One variant of a tagged value: its word, and its settings if it has any.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceKind {
    /// The tag.
    pub word: &'static str,
    /// The declaration of its settings; `None` if it takes none.
    pub settings: Option<SchemaPart>,
    /// Whether the word is valid without settings.
    pub is_word: bool,
}

impl ChoiceKind {
    /// The declaration of settings that are required.
    pub fn required_settings(&self) -> Option<SchemaPart> {
        self.settings.filter(|_| !self.is_word)
    }
}

impl SchemaPart {
    /// A complete schema.
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

    /// The root schema of this part.
    pub fn root_schema(self) -> Self {
        Self::from_root(self.root)
    }

    /// Whether a value is one of several variants.
    pub fn is_choice(self) -> bool {
        !self.kinds().is_empty() || self.keyword_parts("anyOf").any(|part| !part.kinds().is_empty())
    }

    /// The declaration of a key: a named key, or any key that the author may choose.
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

    /// The names of the accepted JSON types; empty if any type is accepted.
    pub fn types(self) -> impl Iterator<Item = &'static str> {
        let one = self.part.get("type").and_then(Json::as_str);
        let some = self.part.get("type").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
        one.into_iter().chain(some)
    }

    /// Whether a value has an accepted type. Without a declared type, every value is accepted.
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

    /// The variants of a tagged value; empty for any other value.
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
            // A word with optional settings is declared twice.
            match kinds.iter_mut().find(|known| known.word == kind.word) {
                Some(known) => known.settings = known.settings.or(kind.settings),
                None => kinds.push(kind),
            }
        }
        kinds
    }

    /// The alternative forms of a value; empty for a value with one form.
    pub fn forms(self) -> Vec<Self> {
        self.keyword_parts("anyOf").filter(|part| part.part.get("type").is_some()).collect()
    }

    /// The named keys of a mapping and their declarations.
    pub fn properties(self) -> impl Iterator<Item = (&'static str, Self)> {
        let properties = self.part.get("properties").and_then(Json::as_object);
        properties.into_iter().flatten().map(move |(key, part)| (key.as_str(), self.resolve_part(part)))
    }

    /// The declaration of a named key.
    pub fn property(self, key: &str) -> Option<Self> {
        self.part.get("properties").and_then(|properties| properties.get(key)).map(|part| self.resolve_part(part))
    }

    /// The declaration of keys that the author chooses.
    pub fn of_any_key(self) -> Option<Self> {
        self.keyword_part("additionalProperties")
    }

    /// Whether a mapping accepts keys that the schema does not name.
    pub fn is_open(self) -> bool {
        self.part.get("additionalProperties") != Some(&Json::Bool(false))
    }

    /// The declaration of an item of a list.
    pub fn item(self, position: usize) -> Option<Self> {
        self.keyword_parts("prefixItems").nth(position).or_else(|| self.keyword_part("items"))
    }

    /// The number of items in a list of fixed length.
    pub fn length(self) -> Option<usize> {
        self.part.get("prefixItems").and_then(Json::as_array).map(Vec::len)
    }

    /// The required keys; if there are alternatives, those of the first.
    pub fn required_keys(self) -> Vec<&'static str> {
        let keys = self.part.get("required").and_then(Json::as_array);
        keys.into_iter().flatten().filter_map(Json::as_str).collect()
    }

    /// Keys of which at least one is required.
    pub fn required_one_of(self) -> Vec<&'static str> {
        self.keyword_parts("anyOf").flat_map(Self::required_keys).collect()
    }

    /// A bound of a number.
    pub fn bound(self, keyword: &str) -> Option<f64> {
        self.part.get(keyword).and_then(Json::as_f64)
    }

    /// The declaration at a dotted path, in which names stand for items of lists; `None` if any value is accepted there.
    ///
    /// # Errors
    /// The number of segments that lead to a declaration, if the next segment does not.
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

    /// The accepted keys.
    pub fn keys(self) -> Vec<&'static str> {
        let kinds = self.kinds();
        match kinds.is_empty() {
            true => self.properties().map(|(key, _)| key).collect(),
            false => kinds.iter().map(|kind| kind.word).collect(),
        }
    }

    /// The dotted paths at which a key is declared, shallowest first; `*` stands for a name that the author chooses.
    pub fn paths_of_key(self, key: &str) -> Vec<String> {
        let mut homes = Vec::new();
        // There may be thousands of unknown keys; most are declared nowhere.
        if KNOWN.contains(key) {
            self.gather_homes(key, "", &mut Vec::new(), &mut homes);
        }
        homes.sort_by_key(|home| home.matches('.').count());
        homes
    }

    /// Adds the paths below `path`. `holders` are the mappings around; what one of them holds again is left out.
    fn gather_homes(self, key: &str, path: &str, holders: &mut Vec<*const Json>, homes: &mut Vec<String>) {
        let own: *const Json = self.part;
        if holders.contains(&own) {
            return;
        }
        holders.push(own);
        let join = |segment: &str| if path.is_empty() { segment.to_string() } else { format!("{path}.{segment}") };
        for (name, part) in self.properties() {
            if name == key {
                homes.push(join(name));
            }
            part.gather_homes(key, &join(name), holders, homes);
        }
        for kind in self.kinds() {
            if let Some(settings) = kind.settings {
                settings.gather_homes(key, &join(kind.word), holders, homes);
            }
        }
        for inner in self.of_any_key().into_iter().chain(self.keyword_part("items")) {
            inner.gather_homes(key, &join("*"), holders, homes);
        }
        holders.pop();
    }

    /// A decodable value to replace an invalid one; `segment` is its own name if it needs one.
    pub fn placeholder(self, segment: &str, place: &SourcePlace) -> Node {
        let node = |value: Value| Node { value, place: place.clone() };
        if let Some(kind) = self.kinds().first() {
            let Some(settings) = kind.required_settings() else { return Node::from_text(kind.word, place.clone()) };
            return node(Value::Map(vec![MapEntry::new(kind.word, settings.placeholder(segment, place))]));
        }
        if let Some(form) = self.forms().first() {
            return form.placeholder(segment, place);
        }
        let least = self.bound("minimum").or_else(|| self.bound("maximum")).unwrap_or(0.0);
        match self.types().next() {
            Some("string") => Node::from_text(segment, place.clone()),
            // Bounds of integers are integers.
            Some("integer") => node(Value::Int(least as i64)),
            Some("number") => node(Value::Real(least)),
            Some("boolean") => node(Value::Bool(false)),
            Some("array") => {
                let items = (0..self.length().unwrap_or(0)).filter_map(|position| self.item(position));
                node(Value::List(items.map(|item| item.placeholder(segment, place)).collect()))
            }
            Some("object") => {
                let keys = self.required_keys().into_iter().chain(self.required_one_of().into_iter().take(1));
                let entries =
                    keys.filter_map(|key| Some(MapEntry::new(key, self.property(key)?.placeholder(segment, place))));
                node(Value::Map(entries.collect()))
            }
            _ => node(Value::Null),
        }
    }
}
