//! Reads the framework's file: values with paths and checked types, and a ledger that accounts for each value.

use std::collections::BTreeSet;

use super::left_out::{LeftOutValue, ValueFate};
use super::writing::one_line;
use crate::config::{Node, Problem, Value, suggest_word};

/// A mapping of the file.
pub struct RawlsSection<'a> {
    path: String,
    node: &'a Node,
}

/// A value of the file.
pub struct RawlsValue<'a> {
    /// Its dotted path.
    pub path: String,
    /// The value.
    pub node: &'a Node,
}

/// A value of our config with the paths of its sources. Without any path, it is the framework's default.
#[derive(Debug, Clone)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// The paths.
    pub from: Vec<String>,
}

/// Records what happened to each value of the file.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The addresses of the values, because paths may be ambiguous: keys and names may contain dots.
    accounted: BTreeSet<*const Node>,
    left_out: Vec<(u32, u32, LeftOutValue)>,
    same: Vec<String>,
}

impl<T> Sourced<T> {
    /// The framework's default.
    pub fn default_of(value: T) -> Self {
        Self { value, from: Vec::new() }
    }

    /// The comment that names the value's origin.
    pub fn origin(&self) -> String {
        self.origin_or("# the framework's default")
    }

    /// The comment that names the value's origin, with `default` if the file has none.
    pub fn origin_or(&self, default: &str) -> String {
        match self.from.is_empty() {
            true => default.to_string(),
            false => format!("# from {}", one_line(&self.from.join(", "))),
        }
    }
}

impl<'a> RawlsSection<'a> {
    /// The file's root.
    ///
    /// # Errors
    /// When the root is not a mapping.
    pub fn from_root(node: &'a Node) -> Result<Self, Problem> {
        RawlsValue { path: String::new(), node }.to_section()
    }

    /// The value of a key. A null is accounted for and counts as missing.
    pub fn get(&self, key: &str, ledger: &mut Ledger) -> Option<RawlsValue<'a>> {
        let given = RawlsValue { path: self.path_of(key), node: self.node.get(key)? };
        if given.node.value == Value::Null {
            if !ledger.is_accounted(&given) {
                ledger.account_same(&given, "nothing is written, as if the key were not there");
            }
            return None;
        }
        Some(given)
    }

    /// The mapping of a key.
    ///
    /// # Errors
    /// When the value is not a mapping.
    pub fn section(&self, key: &str, ledger: &mut Ledger) -> Result<Option<RawlsSection<'a>>, Problem> {
        self.get(key, ledger).map(|given| given.to_section()).transpose()
    }

    /// The value of a required key.
    ///
    /// # Errors
    /// When the key is missing.
    pub fn get_required(&self, key: &str) -> Result<RawlsValue<'a>, Problem> {
        match self.node.get(key) {
            Some(node) => Ok(RawlsValue { path: self.path_of(key), node }),
            None => {
                Err(Problem::at_place(&self.node.place, self.path.clone(), format!("the key \"{key}\" is missing")))
            }
        }
    }

    /// All values of the mapping.
    pub fn values(&self) -> impl Iterator<Item = RawlsValue<'a>> {
        self.node.entries().iter().map(|entry| RawlsValue { path: self.path_of(&entry.key), node: &entry.node })
    }

    fn path_of(&self, key: &str) -> String {
        join_path(&self.path, key)
    }
}

impl<'a> RawlsValue<'a> {
    /// The value as a mapping.
    ///
    /// # Errors
    /// When the value is not a mapping.
    pub fn to_section(&self) -> Result<RawlsSection<'a>, Problem> {
        match &self.node.value {
            Value::Map(_) => Ok(RawlsSection { path: self.path.clone(), node: self.node }),
            _ => Err(self.kind_problem("a mapping")),
        }
    }

    /// The value as a list of mappings. The path of each has its name, or its number from 0 if it has none.
    ///
    /// # Errors
    /// When the value or an item has another type.
    pub fn to_sections(&self) -> Result<Vec<RawlsSection<'a>>, Problem> {
        let Value::List(items) = &self.node.value else { return Err(self.kind_problem("a list")) };
        let named = items.iter().enumerate();
        named.map(|(i, node)| RawlsValue { path: join_path(&self.path, &node.segment(i)), node }.to_section()).collect()
    }

    /// The value as text.
    ///
    /// # Errors
    /// When the value is not text.
    pub fn as_text(&self) -> Result<&'a str, Problem> {
        self.node.as_text().ok_or_else(|| self.kind_problem("text"))
    }

    /// The value as true or false, or as `yes`, `no`, `on` or `off`, which the framework's YAML accepts.
    ///
    /// # Errors
    /// When the value is none of these.
    pub fn as_truth(&self) -> Result<bool, Problem> {
        match &self.node.value {
            Value::Bool(truth) => Ok(*truth),
            Value::Text(word) if ["yes", "on", "true"].contains(&word.to_lowercase().as_str()) => Ok(true),
            Value::Text(word) if ["no", "off", "false"].contains(&word.to_lowercase().as_str()) => Ok(false),
            _ => Err(self.kind_problem("true or false")),
        }
    }

    /// The value as a whole number in a range. Accepts `50_000` and `5.0`, as the framework does.
    ///
    /// # Errors
    /// When the value has another type or is out of range.
    pub fn as_whole_number(&self, least: i64, most: i64) -> Result<i64, Problem> {
        let number = match &self.node.value {
            Value::Int(number) => *number,
            Value::Real(number) if number.fract() == 0.0 && number.abs() < 9e15 => *number as i64,
            Value::Text(text) if text.contains('_') => {
                text.replace('_', "").parse().map_err(|_| self.kind_problem("a whole number"))?
            }
            _ => return Err(self.kind_problem("a whole number")),
        };
        match (least..=most).contains(&number) {
            true => Ok(number),
            false if most == i64::MAX => Err(self.problem(format!("{number} is less than {least}"))),
            false => Err(self.problem(format!("{number} is not in {least} … {most}"))),
        }
    }

    /// The value as a number in a range.
    ///
    /// # Errors
    /// When the value has another type or is out of range.
    pub fn as_number(&self, least: f64, most: f64) -> Result<f64, Problem> {
        let number = match self.node.value {
            Value::Int(number) => number as f64,
            Value::Real(number) => number,
            _ => return Err(self.kind_problem("a number")),
        };
        match (least..=most).contains(&number) {
            true => Ok(number),
            false => Err(self.problem(format!("{number} is not in {least} … {most}"))),
        }
    }

    /// The value as one of the known words.
    ///
    /// # Errors
    /// When the word is unknown.
    pub fn as_word(&self, known: &[&'static str]) -> Result<&'static str, Problem> {
        let text = self.as_text()?;
        known.iter().find(|word| **word == text).copied().ok_or_else(|| {
            self.problem(format!("unknown value {text:?}")).with_hint(suggest_word(text, known.iter().copied()))
        })
    }

    /// The value as a list of texts.
    ///
    /// # Errors
    /// When the value or an item has another type.
    pub fn to_texts(&self) -> Result<Vec<&'a str>, Problem> {
        let Value::List(items) = &self.node.value else { return Err(self.kind_problem("a list of texts")) };
        items.iter().map(|item| item.as_text().ok_or_else(|| self.kind_problem("a list of texts"))).collect()
    }

    /// The value as a range of multipliers: two positive numbers, the smaller first.
    ///
    /// # Errors
    /// When the value is anything else.
    pub fn as_multipliers(&self) -> Result<(f64, f64), Problem> {
        let expected = || self.kind_problem("two numbers, [least, most]");
        let Value::List(items) = &self.node.value else { return Err(expected()) };
        let [least, most] = &items[..] else { return Err(expected()) };
        let number = |node| RawlsValue { path: self.path.clone(), node }.as_number(f64::MIN, f64::MAX);
        let (least, most) = (number(least)?, number(most)?);
        match 0.0 < least && least < most {
            true => Ok((least, most)),
            false => Err(self.problem("expected two positive numbers, the smaller first")),
        }
    }

    /// The value as JSON on one line.
    pub fn to_json(&self) -> String {
        self.node.to_json().to_string()
    }

    /// An error about the value.
    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::at_place(&self.node.place, self.path.clone(), message)
    }

    fn kind_problem(&self, what: &str) -> Problem {
        let found = match &self.node.value {
            Value::Null => "nothing".to_string(),
            Value::Bool(_) | Value::Int(_) | Value::Real(_) => self.to_json(),
            Value::Text(text) => format!("the text {text:?}"),
            Value::List(_) => "a list".to_string(),
            Value::Map(_) => "a mapping".to_string(),
        };
        self.problem(format!("expected {what}, found {found}"))
    }
}

impl Ledger {
    /// Accounts for a value that the config contains.
    pub fn account_used<T>(&mut self, given: &RawlsValue<'_>, value: T) -> Sourced<T> {
        self.accounted.insert(given.node);
        Sourced { value, from: vec![given.path.clone()] }
    }

    /// Accounts for a value that matches our behaviour without a key.
    pub fn account_same(&mut self, given: &RawlsValue<'_>, reason: &str) {
        self.accounted.insert(given.node);
        self.same.push(format!("{}: {} — {reason}", one_line(&given.path), one_line(&given.to_json())));
    }

    /// Accounts for a value without a counterpart in the config.
    pub fn not_carried(&mut self, given: &RawlsValue<'_>, reason: impl Into<String>) {
        self.leave_out(ValueFate::NotCarriedOver, given, reason);
    }

    /// Accounts for a value that the config approximates.
    pub fn in_part(&mut self, given: &RawlsValue<'_>, reason: impl Into<String>) {
        self.leave_out(ValueFate::CarriedInPart, given, reason);
    }

    /// Accounts for a value as not carried over, unless it is already accounted for.
    pub fn not_carried_yet(&mut self, given: &RawlsValue<'_>, reason: &str) {
        if !self.is_accounted(given) {
            self.not_carried(given, reason);
        }
    }

    /// Accounts for a value that the config approximates, from the file or the framework's default.
    pub fn in_part_or_default(
        &mut self,
        section: &RawlsSection<'_>,
        key: &str,
        value: serde_json::Value,
        reason: &str,
    ) {
        if let Some(given) = section.get(key, self) {
            return self.in_part(&given, reason);
        }
        let item = LeftOutValue {
            fate: ValueFate::CarriedInPart,
            path: section.path_of(key),
            value: Some(value.to_string()),
            reason: format!("{reason} (the framework's default)"),
        };
        self.left_out.push((section.node.place.line, section.node.place.column, item));
    }

    /// Lists a mapping as carried over in part, without accounting for its values.
    pub fn part_of_it(&mut self, given: &RawlsValue<'_>, reason: &str) {
        self.list_left_out(ValueFate::CarriedInPart, given, reason.to_string());
    }

    /// Lists one of our keys that the file does not decide.
    pub fn add_own_default(&mut self, path: &str, reason: &str) {
        let item = LeftOutValue {
            fate: ValueFate::OursByDefault,
            path: path.to_string(),
            value: None,
            reason: reason.to_string(),
        };
        self.left_out.push((u32::MAX, 0, item));
    }

    /// Accounts for all remaining values as unknown keys.
    pub fn leave_unknown(&mut self, tree: &Node) {
        let mut leaves = Vec::new();
        self.collect_unaccounted("", tree, &mut leaves);
        for leaf in leaves {
            self.not_carried(&leaf, "unknown key");
        }
    }

    fn is_accounted(&self, given: &RawlsValue<'_>) -> bool {
        self.accounted.contains(&std::ptr::from_ref(given.node))
    }

    /// The values left out, in the order of the file, and those that match our behaviour.
    pub fn close(mut self) -> (Vec<LeftOutValue>, Vec<String>) {
        self.left_out.sort_by_key(|(line, column, _)| (*line, *column));
        (self.left_out.into_iter().map(|(_, _, item)| item).collect(), self.same)
    }

    /// Collects the values that are not accounted for, except mappings and lists of mappings.
    fn collect_unaccounted<'a>(&self, path: &str, node: &'a Node, leaves: &mut Vec<RawlsValue<'a>>) {
        match &node.value {
            _ if self.accounted.contains(&std::ptr::from_ref(node)) => {}
            Value::Map(entries) if !entries.is_empty() => {
                for entry in entries {
                    self.collect_unaccounted(&join_path(path, &entry.key), &entry.node, leaves);
                }
            }
            Value::List(items) if items.iter().any(|item| matches!(item.value, Value::Map(_))) => {
                for (i, item) in items.iter().enumerate() {
                    self.collect_unaccounted(&join_path(path, &item.segment(i)), item, leaves);
                }
            }
            _ => leaves.push(RawlsValue { path: path.to_string(), node }),
        }
    }

    fn leave_out(&mut self, fate: ValueFate, given: &RawlsValue<'_>, reason: impl Into<String>) {
        self.accounted.insert(given.node);
        self.list_left_out(fate, given, reason.into());
    }

    fn list_left_out(&mut self, fate: ValueFate, given: &RawlsValue<'_>, reason: String) {
        let item = LeftOutValue { fate, path: given.path.clone(), value: Some(given.to_json()), reason };
        self.left_out.push((given.node.place.line, given.node.place.column, item));
    }
}

/// The whole number of a key that the config contains; `None` if the section or the key is missing.
///
/// # Errors
/// When the value is no whole number in the range.
pub fn read_whole_number(
    section: Option<&RawlsSection<'_>>,
    key: &str,
    least: i64,
    most: i64,
    ledger: &mut Ledger,
) -> Result<Option<Sourced<i64>>, Problem> {
    let Some(given) = section.and_then(|section| section.get(key, ledger)) else { return Ok(None) };
    Ok(Some(ledger.account_used(&given, given.as_whole_number(least, most)?)))
}

/// The truth value of a key that the config contains; `None` if the section or the key is missing.
///
/// # Errors
/// When the value is neither true nor false.
pub fn read_truth(
    section: Option<&RawlsSection<'_>>,
    key: &str,
    ledger: &mut Ledger,
) -> Result<Option<Sourced<bool>>, Problem> {
    let Some(given) = section.and_then(|section| section.get(key, ledger)) else { return Ok(None) };
    Ok(Some(ledger.account_used(&given, given.as_truth()?)))
}

fn join_path(path: &str, segment: &str) -> String {
    match path.is_empty() {
        true => segment.to_string(),
        false => format!("{path}.{segment}"),
    }
}
