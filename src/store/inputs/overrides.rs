//! The changes that the command line makes to a config: values for dotted keys, with their column in the argument.

use crate::config::yaml;
use crate::config::{Node, Problem, Problems, SourcePlace, Value};
use crate::plan::Origin;

const COMMAND_LINE: &str = "--set";

/// The changes that the command line makes to a config.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Each `dotted.key=value`, in order; the value is YAML.
    pub set: Vec<String>,
    /// The experiment's seed.
    pub seed: Option<u64>,
    /// The replicates of each arm.
    pub replicates: Option<u64>,
    /// The replicates of each arm in the full design, if only a pilot runs. It changes no key.
    pub pilot_of: Option<u64>,
    /// The session whose fork the folder holds, if it is forked more than once. It changes no key.
    pub fork_of: Option<ForkedSession>,
}

/// A session that is forked more than once with the same change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForkedSession {
    /// Its name.
    pub name: String,
    /// The number of its forks.
    pub replicates: u32,
}

impl Overrides {
    /// Whether the command line changes nothing.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// Parses the changes into dotted keys and values, in order.
    pub(super) fn changes(&self, problems: &mut Problems) -> Vec<(String, Node)> {
        let mut changes = Vec::new();
        for set in &self.set {
            let shown = format!("{COMMAND_LINE} {set}");
            let Some((key, value)) = set.split_once('=') else {
                let problem = Problem::of_file(&shown, "expected dotted.key=value");
                problems.push(problem.with_hint(Some("write KEY=VALUE, as in discussion.rounds=3".to_string())));
                continue;
            };
            if key.trim().is_empty() {
                let problem = Problem::of_file(&shown, "a key is missing before the `=`");
                problems.push(problem.with_hint(Some(format!("write discussion.rounds={value}"))));
                continue;
            }
            let before = u32::try_from(key.chars().count() + 1).unwrap_or(u32::MAX);
            changes.extend(problems.ok_or_report(parse_change(key, value, &shown, before)));
        }
        for (key, value) in [("seed", self.seed), ("replicates", self.replicates)] {
            if let Some(value) = value {
                let change = parse_change(key, &value.to_string(), &format!("--{key} {value}"), 0);
                changes.extend(problems.ok_or_report(change));
            }
        }
        changes
    }

    /// The text of `overrides.yaml`, with values as JSON.
    pub(super) fn to_yaml(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: serde_json::Value| text.push_str(&format!("{key}: {value}\n"));
        if !self.set.is_empty() {
            line("set", self.set.clone().into());
        }
        if let Some(seed) = self.seed {
            line("seed", seed.into());
        }
        if let Some(replicates) = self.replicates {
            line("replicates", replicates.into());
        }
        if let Some(whole) = self.pilot_of {
            line("pilot_of", whole.into());
        }
        if let Some(ForkedSession { name, replicates }) = &self.fork_of {
            line("fork_of", name.clone().into());
            line("fork_replicates", (*replicates).into());
        }
        text
    }

    pub(super) fn from_yaml(bytes: &[u8], file: &str) -> Result<Self, Problem> {
        let tree = yaml::read_document(bytes, file, Origin::CommandLine)?;
        let mut overrides = Self::default();
        let mut forked = (None, None);
        let strange = |key: &str| tree.problem(key, "this is not what was kept here");
        for entry in tree.entries() {
            let number = match entry.node.value {
                Value::Int(number) => u64::try_from(number).ok(),
                _ => None,
            };
            match entry.key.as_str() {
                "seed" => overrides.seed = Some(number.ok_or_else(|| strange("seed"))?),
                "replicates" => overrides.replicates = Some(number.ok_or_else(|| strange("replicates"))?),
                "pilot_of" => overrides.pilot_of = Some(number.ok_or_else(|| strange("pilot_of"))?),
                "fork_of" => forked.0 = Some(entry.node.as_text().ok_or_else(|| strange("fork_of"))?.to_string()),
                "fork_replicates" => {
                    let replicates = number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
                    forked.1 = Some(replicates.ok_or_else(|| strange("fork_replicates"))?);
                }
                "set" => {
                    for item in entry.node.items() {
                        overrides.set.push(item.as_text().ok_or_else(|| strange("set"))?.to_string());
                    }
                }
                other => return Err(tree.problem(other, "unknown key")),
            }
        }
        overrides.fork_of = forked.0.zip(forked.1).map(|(name, replicates)| ForkedSession { name, replicates });
        Ok(overrides)
    }
}

/// Parses one change. The value begins after `before` characters of the argument.
fn parse_change(key: &str, value: &str, shown: &str, before: u32) -> Result<(String, Node), Problem> {
    let key = key.trim();
    let mut node = yaml::read_value(value, shown, Origin::CommandLine).map_err(|problem| Problem {
        path: key.to_string(),
        line: None,
        column: problem.column.filter(|_| problem.line == Some(1)).map(|column| column.saturating_add(before)),
        ..problem
    })?;
    shift_places(&mut node, before);
    Ok((key.to_string(), node))
}

/// Converts the places of a value, which begins after `before` characters of the argument, to columns of the argument.
fn shift_places(node: &mut Node, before: u32) {
    let place = |place: &mut SourcePlace| {
        // An empty value has no place of its own: use the end of the key.
        place.column = if place.line > 1 { 0 } else { place.column.max(1).saturating_add(before) };
        place.line = 0;
    };
    place(&mut node.place);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift_places(item, before)),
        Value::Map(entries) => {
            for entry in entries {
                place(&mut entry.place);
                shift_places(&mut entry.node, before);
            }
        }
        _ => {}
    }
}

/// Moves a problem about a key on the command line from the value to the key.
pub(super) fn place_at_key(problem: Problem) -> Problem {
    const OF_KEYS: [&str; 3] =
        ["unknown key", "the scenario declares no such parameter", "only the config itself can say this"];
    let is_of_key = OF_KEYS.contains(&problem.message.as_str())
        && problem.option().is_some_and(|(_, argument)| argument.starts_with(&problem.path));
    let before = problem.path.rfind('.').map_or(0, |dot| problem.path[..=dot].chars().count());
    match is_of_key {
        true => Problem { column: u32::try_from(before + 1).ok(), ..problem },
        false => problem,
    }
}
