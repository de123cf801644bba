//! The structure of what was written: every mistake of it is found at once, and mended so that what it means can be
//! checked for all the rest.
//!
//! What is declared is the schema's affair, what references mean is lowering's.

use std::collections::BTreeSet;

use super::declared::Declared;
use super::tree::{Node, Value};
use super::walker::Walker;
use super::{Problem, Problems, schema};

/// A problem at or under the second path may only follow from a broken value at the first, or from one above it. `*` is any
/// segment; `**` at the end is any number of them, and takes nothing above the first.
const FOLLOWS: [(&str, &str); 51] = [
    ("agenda.**", "discussion"),
    ("agenda.**", "interventions.*.at"),
    ("agenda.**", "memory"),
    ("agenda.**", "seats.*.mind"),
    ("agenda.**", "seats.*.role"),
    ("agenda.**", "straw_polls"),
    ("alternatives.**", "alternatives"),
    ("alternatives.**", "decision"),
    ("alternatives.**", "mechanism"),
    ("alternatives.**", "seats.*.mind"),
    ("decision.chair", "seats"),
    ("decision.imposed", "decision.rule"),
    ("decision.rule", "decision"),
    ("decision.rule", "discussion"),
    ("decision.threshold", "decision.rule"),
    ("decision.weights.*", "seats"),
    ("design.factors.**", "design"),
    ("design.factors.**", "primary"),
    ("discussion.rounds", "discussion"),
    ("discussion.rounds", "interventions.*.at.round"),
    ("discussion.vote", "discussion"),
    ("items.**", "primary.metric"),
    ("mechanism.**", "agenda"),
    ("mechanism.**", "alternatives"),
    ("mechanism.**", "decision.imposed"),
    ("mechanism.**", "memory"),
    ("mechanism.**", "parameters"),
    ("mechanism.**", "seats.*.mind"),
    ("memory.memory_compression_target", "memory.memory_compression_threshold"),
    ("memory.memory_compression_target", "memory.policy.compact.threshold"),
    ("memory.memory_compression_threshold", "memory.memory_compression_target"),
    ("memory.policy.compact.threshold", "memory.memory_compression_target"),
    ("models", "seats"),
    ("panel", "memory.notes"),
    ("parameters.*", "agenda"),
    ("parameters.*", "motion"),
    ("parameters.*", "presets"),
    ("parameters.*.*.**", "mechanism"),
    ("parameters.*.*.**", "parameters"),
    ("parameters.*.*.**", "presets"),
    ("personas.*", "seats.*.personas"),
    ("personas.*", "seats.*.draw"),
    ("seat_defaults.model", "seats"),
    ("seats.*.count", "exhibits.*.to"),
    ("seats.*.count", "interventions.*.to"),
    ("seats.*.count", "seats.*.name"),
    ("seats.*.name", "design"),
    ("seats.*.name", "exhibits.*.to"),
    ("seats.*.name", "interventions.*.to"),
    ("seats.*.name", "seats"),
    ("seats.*.role", "seats.*.role"),
];

/// The structural mistakes of an experiment, and where they were mended.
#[derive(Debug, Default)]
pub struct Findings {
    problems: Problems,
    mended: Vec<String>,
}

impl Findings {
    /// Checks and mends a config, a scenario, and the values that the command line or a fork gives to dotted keys.
    pub fn of(config: Option<&mut Node>, scenario: Option<&mut Node>, changes: &mut Vec<(String, Node)>) -> Self {
        let mut found = Self::default();
        config.into_iter().for_each(|tree| found.config(tree));
        scenario.into_iter().for_each(|tree| found.scenario(tree));
        found.changes(changes);
        found
    }

    /// Checks and mends a config.
    fn config(&mut self, tree: &mut Node) {
        self.walk(Declared::whole(schema::of_config()), tree, "");
        self.levels(tree);
    }

    /// Checks and mends a scenario.
    fn scenario(&mut self, tree: &mut Node) {
        self.walk(Declared::whole(schema::of_scenario()), tree, "");
        let Some(Value::Map(presets)) = tree.child_mut("presets").map(|presets| &mut presets.value) else { return };
        for preset in presets {
            let Value::Map(words) = &mut preset.node.value else { continue };
            for word in words {
                let Value::Map(values) = &mut word.node.value else { continue };
                values.retain_mut(|value| {
                    let is_sound = value.key.starts_with("parameters.") || self.value(&value.key, &value.node);
                    if !is_sound {
                        self.mended.push(value.key.clone());
                    }
                    is_sound
                });
            }
        }
    }

    /// Leaves out changes of which the value is broken.
    fn changes(&mut self, changes: &mut Vec<(String, Node)>) {
        changes.retain(|(path, value)| {
            let is_sound = self.value(path, value);
            if !is_sound {
                self.mended.push(path.clone());
            }
            is_sound
        });
    }

    /// Checks a whole tree that was merged of sound parts. It is not mended: what is wrong is how the parts go together.
    ///
    /// # Errors
    /// Every mistake.
    pub fn merged(tree: &Node) -> Result<(), Problems> {
        let mut found = Self::default();
        found.walk(Declared::whole(schema::of_config()), &mut tree.clone(), "");
        found.problems.none()
    }

    /// What is wrong with the keys and levels of a tree's factors.
    pub fn of_levels(tree: &Node) -> Problems {
        let mut found = Self::default();
        found.levels(tree);
        found.problems
    }

    /// The same of a tree that differs in some sections from one that is sound: only these are checked.
    ///
    /// # Errors
    /// Every mistake.
    pub fn differing(tree: &Node, sound: &Node) -> Result<(), Problems> {
        let whole = Declared::whole(schema::of_config());
        let mut walker = Walker::new(whole);
        for section in tree.entries().iter().filter(|section| sound.get(&section.key) != Some(&section.node)) {
            match whole.property(&section.key) {
                Some(declared) => walker.whole(declared, &mut section.node.clone(), &section.key),
                None => return Self::merged(tree),
            }
        }
        walker.problems.none()
    }

    /// What is wrong, with what else was found: problems that only follow from a mistake here are left out.
    pub fn with(self, others: &Problems) -> Problems {
        let hidden = Hidden::behind(&self.mended);
        let mut problems = self.problems;
        others.iter().filter(|problem| !hidden.holds(problem)).for_each(|problem| problems.push(problem.clone()));
        problems
    }

    fn walk(&mut self, declared: Declared, tree: &mut Node, path: &str) {
        let mut walker = Walker::new(declared);
        walker.whole(declared, tree, path);
        self.problems.extend(walker.problems);
        self.mended.extend(walker.mended);
    }

    /// Checks a value for a dotted key; whether it is sound.
    fn value(&mut self, path: &str, value: &Node) -> bool {
        let problems = value_problems(path, value);
        let is_sound = problems.is_empty();
        self.problems.extend(problems);
        is_sound
    }

    /// Checks the keys and levels of the factors.
    fn levels(&mut self, tree: &Node) {
        let factors = tree.find("design.factors").map(Node::entries).unwrap_or_default();
        for factor in factors {
            let path = format!("design.factors.{}", factor.key);
            if let (Some(key), Some(levels)) = (factor.node.get("key"), factor.node.get("levels")) {
                let Some(text) = key.as_text() else { continue };
                match unknown_key(text, &key.place, &format!("{path}.key")) {
                    Some(problem) => self.broken_key(problem, text),
                    None => {
                        let values = levels.items().iter().chain(levels.entries().iter().map(|entry| &entry.node));
                        // A level of a list that is no single value lacks a label: the design tells that.
                        let is_single =
                            |value: &&Node| !matches!(value.value, Value::Null | Value::List(_) | Value::Map(_));
                        let is_list = matches!(levels.value, Value::List(_));
                        let values = values.filter(|value| !is_list || is_single(value));
                        values.for_each(|value| _ = self.value(text, value));
                    }
                }
            }
            let labels = factor.node.get("set").map(Node::entries).unwrap_or_default();
            for (label, value) in labels.iter().flat_map(|label| label.node.entries().iter().map(move |v| (label, v))) {
                match unknown_key(&value.key, &value.place, &format!("{path}.set.{}", label.key)) {
                    Some(problem) => self.broken_key(problem, &value.key),
                    None => _ = self.value(&value.key, &value.node),
                }
            }
        }
    }

    fn broken_key(&mut self, problem: Problem, key: &str) {
        self.problems.push(problem);
        self.mended.push(key.to_string());
    }
}

/// What may only follow from a mistake of structure: looked up, as there may be thousands of both.
struct Hidden<'a> {
    mended: BTreeSet<Vec<&'a str>>,
    holders: BTreeSet<Vec<&'a str>>,
    followers: BTreeSet<&'static str>,
}

impl<'a> Hidden<'a> {
    fn behind(mended: &'a [String]) -> Self {
        let mended: BTreeSet<Vec<&str>> = mended.iter().map(|path| path.split('.').collect()).collect();
        let holders = mended.iter().map(|path| path[..path.len() - 1].to_vec()).collect();
        let follows = |(broken, _): &&(&str, &str)| mended.iter().any(|path| is_at_or_above(path, broken));
        let followers = FOLLOWS.iter().filter(follows).map(|(_, other)| *other).collect();
        Self { mended, holders, followers }
    }

    /// Whether a problem is that of a value that was mended or of what holds it, or may only follow from one.
    fn holds(&self, problem: &Problem) -> bool {
        let path: Vec<&str> = problem.path.split('.').collect();
        self.holders.contains(&path)
            || (1..=path.len()).any(|depth| self.mended.contains(&path[..depth]))
            || self.followers.iter().any(|other| begins(&path, other))
    }
}

/// Whether a path begins as a pattern says.
fn begins(path: &[&str], pattern: &str) -> bool {
    let mut path = path.iter();
    pattern.split('.').all(|segment| path.next().is_some_and(|found| segment == "*" || segment == *found))
}

/// Whether a path is that of a pattern, or leads to it; under a pattern that ends with `**`, whether it begins so.
fn is_at_or_above(path: &[&str], pattern: &str) -> bool {
    match pattern.strip_suffix(".**") {
        Some(pattern) => begins(path, pattern),
        None => {
            let pattern: Vec<&str> = pattern.split('.').collect();
            let same = path.iter().zip(&pattern).all(|(found, segment)| *segment == "*" || segment == found);
            path.len() <= pattern.len() && same
        }
    }
}

/// A config with its structure mended, and the mistakes of it: what it names can be read before all is right.
pub fn mended_config(tree: &Node) -> (Node, Problems) {
    let mut mended = tree.clone();
    let found = Findings::of(Some(&mut mended), None, &mut Vec::new());
    (mended, found.problems)
}

/// Whether a value for a dotted key is sound.
pub fn is_sound(path: &str, value: &Node) -> bool {
    value_problems(path, value).is_empty()
}

fn value_problems(path: &str, value: &Node) -> Problems {
    let whole = Declared::whole(schema::of_config());
    let segments: Vec<&str> = path.split('.').collect();
    match whole.find(&segments) {
        Ok(_) if value.is_taking_away() => Problems::default(),
        Ok(Some(declared)) => {
            let mut walker = Walker::new(whole);
            walker.whole(declared, &mut value.clone(), path);
            walker.problems
        }
        Ok(None) => Problems::default(),
        Err(depth) => Problems::from(Walker::new(whole).unknown(&segments, depth, &value.place)),
    }
}

/// Whether some key of a config or scenario is so called.
pub fn is_key(word: &str) -> bool {
    [schema::of_config(), schema::of_scenario()]
        .into_iter()
        .any(|schema| !Declared::whole(schema).homes(word).is_empty())
}

/// What is wrong with a dotted key that a factor names; the empty key is the design's affair.
fn unknown_key(key: &str, place: &super::Place, path: &str) -> Option<Problem> {
    let whole = Declared::whole(schema::of_config());
    let segments: Vec<&str> = key.split('.').collect();
    let depth = whole.find(&segments).err().filter(|_| !key.is_empty())?;
    let mut problem = Walker::new(whole).unknown(&segments, depth, place);
    let dotted = key.replace(['/', ':', '>', ' '], ".");
    if dotted != key && whole.find(&dotted.split('.').collect::<Vec<_>>()).is_ok() {
        problem.hint = Some(format!("did you mean \"{dotted}\"?"));
    }
    Some(Problem { message: format!("the config has no key \"{}\"", problem.path), path: path.to_string(), ..problem })
}
