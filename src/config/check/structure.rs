//! Checks the structure of what an author wrote against the schema.
//!
//! An invalid value is reported and removed, or replaced by a placeholder if it is required, so that the rest can be checked in
//! the same run. The schema covers types, keys, words and constant ranges; lowering checks references.

use std::collections::BTreeSet;

use crate::config::check::declared::{ChoiceKind, SchemaPart};
use crate::config::check::hints::join_path;
use crate::config::check::{foreign, hints};
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::openai::SECRET_KEYS;

/// The structural errors of trees, and the dotted paths of the removed values.
#[derive(Debug, Default)]
pub struct StructureCheck {
    /// The errors found so far.
    pub problems: Problems,
    rejected: BTreeSet<String>,
}

impl StructureCheck {
    /// Checks a config, a scenario, and the values that the command line or a fork gives to dotted keys.
    pub fn of_sources(
        config: Option<&mut Node>,
        scenario: Option<&mut Node>,
        changes: &mut Vec<(String, Node)>,
    ) -> Self {
        let mut check = Self::default();
        if let Some(tree) = config {
            check.check_tree(SchemaPart::of_config(), tree, "");
            check.check_factors(tree);
        }
        if let Some(tree) = scenario {
            check.check_tree(SchemaPart::of_scenario(), tree, "");
            check.check_presets(tree);
        }
        changes.retain(|(path, value)| check.check_dotted(path, value));
        check
    }

    /// Checks a tree merged from valid parts; errors can only arise from their combination.
    ///
    /// # Errors
    /// Every error found.
    pub fn of_merged(tree: &Node) -> Result<(), Problems> {
        let mut check = Self::default();
        check.check_tree(SchemaPart::of_config(), &mut tree.clone(), "");
        check.problems.into_result()
    }

    /// Checks the sections in which a tree differs from a valid one.
    ///
    /// # Errors
    /// Every error found.
    pub fn of_differing(tree: &Node, sound: &Node) -> Result<(), Problems> {
        let mut check = Self::default();
        for section in tree.entries().iter().filter(|section| sound.get(&section.key) != Some(&section.node)) {
            match SchemaPart::of_config().property(&section.key) {
                Some(declared) => check.check_tree(declared, &mut section.node.clone(), &section.key),
                None => return Self::of_merged(tree),
            }
        }
        check.problems.into_result()
    }

    /// Checks the keys and levels of a tree's factors.
    pub fn of_factors(tree: &Node) -> Problems {
        let mut check = Self::default();
        check.check_factors(tree);
        check.problems
    }

    /// The structural problems, then the problems of meaning that no rejected value explains. A problem at or under a rejected
    /// value, or of the mapping that contains it, counts as explained. So does a problem with the number of seats of roles, if a number
    /// that the scenario gives was rejected. The others are marked as possible consequences, unless all structural problems are outside
    /// the only section that they depend on.
    pub fn with_meaning(self, meaning: &Problems) -> Problems {
        let rejected: BTreeSet<Vec<&str>> = self.rejected.iter().map(|path| path.split('.').collect()).collect();
        let holders: BTreeSet<&[&str]> = rejected.iter().map(|path| &path[..path.len() - 1]).collect();
        let is_role_size = |path: &Vec<&str>| matches!(path[..], ["roles", _, "seats"] | ["roles", _] | ["roles"]);
        let lacks_role_sizes = rejected.iter().any(is_role_size);
        let is_explained = |problem: &Problem| {
            let path: Vec<&str> = problem.path.split('.').collect();
            let counts_roles = matches!(path[..], ["seats"] | ["seats", _, "role"]);
            lacks_role_sizes && counts_roles
                || holders.contains(&path[..])
                || (1..=path.len()).any(|depth| rejected.contains(&path[..depth]))
        };
        let is_within = |earlier: &Problem, section: &str| earlier.path.split('.').next() == Some(section);
        let may_follow = |problem: &Problem| {
            self.problems.iter().any(|earlier| problem.depends_on.is_none_or(|section| is_within(earlier, section)))
        };
        let unexplained = meaning.iter().filter(|problem| !is_explained(problem));
        let marked: Vec<Problem> =
            unexplained.map(|problem| Problem { may_follow: may_follow(problem), ..problem.clone() }).collect();
        let mut problems = self.problems;
        marked.into_iter().for_each(|problem| problems.push(problem));
        problems
    }

    /// Checks a tree and removes invalid values from it.
    pub fn check_tree(&mut self, declared: SchemaPart, node: &mut Node, path: &str) {
        if !self.check_value(declared, node, path) {
            *node = declared.placeholder("", &node.place);
            self.rejected.insert(path.to_string());
        }
    }

    fn report_problem(&mut self, place: &SourcePlace, path: &str, message: impl Into<String>, hint: Option<String>) {
        self.problems.push(Problem::at_place(place, path, message).with_hint(hint));
    }

    fn report_unexpected(&mut self, expected: &str, node: &Node, path: &str, hint: Option<String>) {
        let is_secret = path.split('.').any(|segment| SECRET_KEYS.contains(&segment));
        let message = match is_secret {
            true => format!("expected {expected}"),
            false => format!("expected {expected}, found {}", hints::describe_value(&node.value)),
        };
        self.report_problem(&node.place, path, message, hint);
    }

    /// Checks a value and its contents; `false` if nothing of it is usable.
    fn check_value(&mut self, declared: SchemaPart, node: &mut Node, path: &str) -> bool {
        let (kinds, forms) = (declared.kinds(), declared.forms());
        if !kinds.is_empty() {
            return self.check_choice(declared, &kinds, node, path);
        }
        if let Some(form) = forms.iter().find(|form| form.accepts_value(&node.value)) {
            return self.check_value(*form, node, path);
        }
        if !forms.is_empty() {
            let forms: Vec<String> = forms.iter().map(|form| hints::describe_form(*form)).collect();
            self.report_unexpected(&forms.join(" or "), node, path, None);
            return false;
        }
        if let Some(message) = hints::check_bounds(declared, &node.value) {
            self.report_problem(&node.place, path, message, None);
            return false;
        }
        if !declared.accepts_value(&node.value) {
            let types: Vec<&str> = declared.types().collect();
            let hint = hints::suggest_type(&types, node, path).or_else(|| hints::suggest_mapping(declared));
            self.report_unexpected(&hints::describe_types(declared), node, path, hint);
            return false;
        }
        match &mut node.value {
            Value::Map(entries) => {
                self.check_mapping(declared, entries, &node.place, path);
                true
            }
            Value::List(items) => self.check_list(declared, items, &node.place, path),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Text(_) => true,
        }
    }

    fn check_list(&mut self, declared: SchemaPart, items: &mut [Node], place: &SourcePlace, path: &str) -> bool {
        if let Some(length) = declared.length().filter(|length| *length != items.len()) {
            self.report_problem(place, path, format!("expected a list of {length}, found {}", items.len()), None);
            return false;
        }
        for (position, item) in items.iter_mut().enumerate() {
            let Some(declared) = declared.item(position) else { continue };
            let segment = item.segment(position);
            let path_of_item = join_path(path, &segment);
            if !self.check_value(declared, item, &path_of_item) {
                *item = declared.placeholder(&segment, &item.place);
                self.rejected.insert(path_of_item);
            }
        }
        true
    }

    /// Checks a value that is a word, or a mapping from one word to its settings.
    fn check_choice(&mut self, declared: SchemaPart, kinds: &[ChoiceKind], node: &mut Node, path: &str) -> bool {
        let words: Vec<&str> = hints::list_words(kinds).collect();
        let one_of = format!("one of {}", words.join(", "));
        let find = |word: &str| kinds.iter().find(|kind| kind.word == word);
        if let Value::Map(entries) = &mut node.value {
            return match entries.iter().filter(|entry| find(&entry.key).is_some()).count() {
                0 if entries.len() == 1 => {
                    let MapEntry { key, place, .. } = &entries[0];
                    let hint = hints::suggest_kind(declared, kinds, key);
                    self.report_problem(place, path, format!("unknown value \"{key}\""), hint);
                    false
                }
                1 => {
                    self.take_unknown_keys(declared, entries, path);
                    self.check_settings(kinds, &mut entries[0], path)
                }
                _ => {
                    self.report_problem(&node.place, path, format!("expected exactly {one_of}"), None);
                    false
                }
            };
        }
        let Some(text) = node.as_text() else {
            self.report_unexpected(&one_of, node, path, hints::suggest_choice(kinds, node));
            return false;
        };
        let (message, hint) = match find(text) {
            Some(ChoiceKind { is_word: true, .. } | ChoiceKind { settings: None, .. }) => return true,
            Some(ChoiceKind { settings: Some(settings), word, .. }) => {
                (format!("\"{word}\" needs its settings: write {}", hints::show_settings(word, *settings)), None)
            }
            None => (format!("unknown value \"{text}\""), suggest_word(text, words)),
        };
        self.report_problem(&node.place, path, message, hint);
        false
    }

    /// Checks the settings of a tagged value's only word.
    fn check_settings(&mut self, kinds: &[ChoiceKind], entry: &mut MapEntry, path: &str) -> bool {
        let Some(kind) = kinds.iter().find(|kind| kind.word == entry.key) else { return false };
        let path_of_settings = join_path(path, &entry.key);
        let Some(settings) = kind.settings else {
            let hint = Some(format!("write {} alone", kind.word));
            self.report_problem(&entry.place, path, format!("\"{}\" takes no settings", kind.word), hint);
            return false;
        };
        if !self.check_value(settings, &mut entry.node, &path_of_settings) {
            entry.node = settings.placeholder("", &entry.node.place);
            self.rejected.insert(path_of_settings);
        }
        true
    }

    fn check_mapping(&mut self, declared: SchemaPart, entries: &mut Vec<MapEntry>, place: &SourcePlace, path: &str) {
        if !declared.is_open() {
            self.take_unknown_keys(declared, entries, path);
        }
        let (required, either) = (declared.required_keys(), declared.required_one_of());
        entries.retain_mut(|entry| {
            let Some(part) = declared.part_of_key(&entry.key) else { return true };
            let path_of_entry = join_path(path, &entry.key);
            if self.check_value(part, &mut entry.node, &path_of_entry) {
                return true;
            }
            self.rejected.insert(path_of_entry);
            // Keep an author's name: other keys may refer to it. A counted seat keeps its count, because its name is a pattern.
            let is_name = declared.property(&entry.key).is_none() && !part.kinds().is_empty();
            let is_needed =
                required.contains(&entry.key.as_str()) || either.iter().skip(1).any(|key| *key == entry.key);
            if is_name || is_needed {
                entry.node = part.placeholder(&entry.key, &entry.node.place);
            }
            is_name || is_needed
        });
        let is_missing = |key: &&str| !entries.iter().any(|entry| entry.key == **key);
        let mut missing: Vec<&str> = required.into_iter().filter(is_missing).collect();
        if either.iter().all(is_missing) {
            missing.extend(either.first());
        }
        for key in missing {
            if self.rejected.insert(join_path(path, key)) {
                self.report_problem(place, path, format!("the key \"{key}\" is missing"), None);
            }
            let Some(part) = declared.property(key) else { continue };
            let node = part.placeholder(path.rsplit('.').next().unwrap_or_default(), place);
            entries.push(MapEntry::new(key, node));
        }
    }

    /// Reports and removes unknown keys. If a missing known key was probably meant, the value is read as that key.
    fn take_unknown_keys(&mut self, declared: SchemaPart, entries: &mut Vec<MapEntry>, path: &str) {
        let keys = declared.keys();
        let (known, unknown): (Vec<MapEntry>, Vec<MapEntry>) =
            entries.drain(..).partition(|entry| keys.contains(&entry.key.as_str()));
        *entries = known;
        for entry in unknown {
            let written = join_path(path, &entry.key);
            if let Some(problems) = foreign::check_older_section(declared.root_schema(), &entry, &written) {
                self.rejected.insert("memory".to_string());
                self.problems.extend(problems);
                continue;
            }
            let suggestion = hints::suggest_key(declared, path, &entry.key);
            self.report_problem(&entry.place, &written, "unknown key", suggestion.hint);
            let meant = keys.iter().find(|key| suggestion.meant.as_ref() == Some(&join_path(path, key)));
            let free = meant.filter(|key| !entries.iter().any(|entry| entry.key == **key));
            entries.extend(free.map(|key| MapEntry { key: (*key).to_string(), ..entry }));
            self.rejected.insert(suggestion.meant.unwrap_or(written));
        }
    }

    /// Checks a value for a dotted key; `false` if it is invalid.
    fn check_dotted(&mut self, path: &str, value: &Node) -> bool {
        let problems = find_dotted_problems(path, value);
        let is_sound = problems.is_empty();
        if !is_sound {
            self.rejected.insert(path.to_string());
        }
        self.problems.extend(problems);
        is_sound
    }

    /// Checks the values that a scenario's presets set, and removes invalid ones.
    fn check_presets(&mut self, tree: &mut Node) {
        let Some(Value::Map(presets)) = tree.child_mut("presets").map(|presets| &mut presets.value) else { return };
        for preset in presets {
            let Value::Map(words) = &mut preset.node.value else { continue };
            for word in words {
                let Value::Map(values) = &mut word.node.value else { continue };
                values
                    .retain(|value| value.key.starts_with("parameters.") || self.check_dotted(&value.key, &value.node));
            }
        }
    }

    fn check_factors(&mut self, tree: &Node) {
        for factor in tree.entries_at("design.factors") {
            let path = format!("design.factors.{}", factor.key);
            if let (Some(key), Some(levels)) = (factor.node.get("key"), factor.node.get("levels")) {
                // A level in a list that is not a single value lacks a label; lowering the design reports it.
                let is_single = |item: &&Node| !matches!(item.value, Value::Null | Value::List(_) | Value::Map(_));
                let values = levels.items().iter().filter(is_single);
                let values = values.chain(levels.entries().iter().map(|entry| &entry.node));
                let key_text = key.as_text().unwrap_or_default();
                self.check_level(key_text, &key.place, &format!("{path}.key"), values);
            }
            for level in factor.node.entries_at("set") {
                for value in level.node.entries() {
                    let path = format!("{path}.set.{}", level.key);
                    self.check_level(&value.key, &value.place, &path, std::iter::once(&value.node));
                }
            }
        }
    }

    /// Checks a key that a factor sets, and its values. Lowering the design reports an empty key.
    fn check_level<'n>(&mut self, key: &str, place: &SourcePlace, path: &str, values: impl Iterator<Item = &'n Node>) {
        let segments: Vec<&str> = key.split('.').collect();
        match SchemaPart::of_config().find_path(&segments) {
            Err(depth) if !key.is_empty() => {
                self.report_problem(
                    place,
                    path,
                    format!("the config has no key \"{}\"", segments[..=depth].join(".")),
                    hints::suggest_path(SchemaPart::of_config(), &segments, depth),
                );
                self.rejected.insert(key.to_string());
            }
            Ok(_) => values.for_each(|value| _ = self.check_dotted(key, value)),
            Err(_) => {}
        }
    }
}

/// A config without its structural errors, and the errors. The files it names can then be read despite errors.
pub fn check_config(tree: &Node) -> (Node, Problems) {
    let mut checked = tree.clone();
    let check = StructureCheck::of_sources(Some(&mut checked), None, &mut Vec::new());
    (checked, check.problems)
}

/// The structural errors in a value for a dotted key.
pub fn find_dotted_problems(path: &str, value: &Node) -> Problems {
    let whole = SchemaPart::of_config();
    let segments: Vec<&str> = path.split('.').collect();
    match whole.find_path(&segments) {
        Ok(Some(declared)) if !value.is_taking_away() => {
            let mut check = StructureCheck::default();
            check.check_tree(declared, &mut value.clone(), path);
            check.problems
        }
        Ok(_) => Problems::default(),
        Err(depth) => Problem::at_place(&value.place, segments[..=depth].join("."), "unknown key")
            .with_hint(hints::suggest_path(whole, &segments, depth))
            .into(),
    }
}
