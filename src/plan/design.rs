//! The design: factors and levels → arms, each with the values it sets.

use super::names::{check_label, check_word};
use super::tree::{Node, Value};
use super::{Level, Origin, Problem};

/// More arms than this are taken for a slip.
const ARMS_MAX: usize = 10_000;
/// What is the same for every arm of an experiment.
const NOT_IN_ARMS: [&str; 7] = ["about", "design", "experiment", "personas", "replicates", "scenario", "seed"];

/// An arm of the design.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// Its level labels joined by `-`; `baseline` without factors.
    pub name: String,
    /// One level a factor.
    pub levels: Vec<Level>,
    /// Dotted keys and the values this arm gives them.
    pub values: Values,
}

/// Dotted keys and the values given to them.
type Values = Vec<(String, Node)>;

struct Factor {
    name: String,
    levels: Vec<(String, Values)>,
}

/// Reads the arms: every combination of levels, the last factor changing fastest.
///
/// # Errors
/// The first mistake in `design.factors`.
pub fn arms(tree: &Node) -> Result<Vec<Arm>, Problem> {
    let written = tree.get("design").and_then(|design| design.get("factors"));
    let mut factors: Vec<Factor> = Vec::new();
    for entry in written.map(Node::entries).unwrap_or_default() {
        let factor = factor(&entry.key, &entry.node)?;
        check_apart(&factors, &factor, &entry.node)?;
        factors.push(factor);
    }
    let count = factors.iter().try_fold(1usize, |product, factor| product.checked_mul(factor.levels.len()));
    if count.is_none_or(|count| count > ARMS_MAX) {
        return Err(tree.problem("design.factors", format!("the design has more than {ARMS_MAX} arms")));
    }
    let mut arms = vec![Arm { name: String::new(), levels: Vec::new(), values: Vec::new() }];
    for factor in &factors {
        arms = arms.iter().flat_map(|arm| factor.levels.iter().map(|level| arm.with(&factor.name, level))).collect();
    }
    if factors.is_empty() {
        arms[0].name = "baseline".to_string();
    }
    Ok(arms)
}

impl Arm {
    /// Lets a change have the last word: a fork's is about one session and outdoes the arm's level; the command line's
    /// would be lost in every arm that sets the key, and is refused.
    ///
    /// # Errors
    /// When a change from the command line concerns a key of the design.
    pub fn change(&mut self, path: &str, value: &Node) -> Result<(), Problem> {
        let Some((key, _)) = self.values.iter().find(|(key, _)| overlaps(key, path)) else { return Ok(()) };
        if value.place.origin != Origin::Fork {
            let message = format!("the design sets {key} in every arm; change the factor's levels instead");
            return Err(Problem::at(&value.place, path, message));
        }
        self.values.push((path.to_string(), value.clone()));
        Ok(())
    }

    fn with(&self, factor: &str, (label, values): &(String, Values)) -> Self {
        let mut arm = self.clone();
        if !arm.name.is_empty() {
            arm.name.push('-');
        }
        arm.name.push_str(label);
        let sets = values.iter().map(|(key, node)| (key.clone(), node.to_text())).collect();
        arm.levels.push(Level { factor: factor.to_string(), label: label.clone(), sets });
        arm.values.extend(values.iter().cloned());
        arm
    }
}

fn factor(name: &str, node: &Node) -> Result<Factor, Problem> {
    let path = format!("design.factors.{name}");
    check_word(name).map_err(|message| Problem::at(&node.place, &path, message))?;
    let levels = match (node.get("key"), node.get("levels"), node.get("set")) {
        (Some(key), Some(levels), None) => {
            let key_path = format!("{path}.key");
            let key_text = key.as_text().unwrap_or_default();
            check_key(key_text).map_err(|problem| Problem::at(&key.place, key_path, problem))?;
            let values = single_levels(levels, &format!("{path}.levels"))?;
            values.into_iter().map(|(label, value)| (label, vec![(key_text.to_string(), value)])).collect()
        }
        (None, None, Some(set)) => set_levels(set, &format!("{path}.set"))?,
        _ => {
            let message = "a factor has either `key` and `levels`, or `set`";
            return Err(Problem::at(&node.place, path, message));
        }
    };
    if levels.is_empty() {
        return Err(Problem::at(&node.place, path, "a factor has at least one level"));
    }
    for (i, (label, _)) in levels.iter().enumerate() {
        check_label(label).map_err(|message| Problem::at(&node.place, &path, message))?;
        if levels[..i].iter().any(|(earlier, _)| earlier == label) {
            return Err(Problem::at(&node.place, path, format!("the level \"{label}\" is given twice")));
        }
    }
    Ok(Factor { name: name.to_string(), levels })
}

fn single_levels(levels: &Node, path: &str) -> Result<Vec<(String, Node)>, Problem> {
    match &levels.value {
        Value::List(items) => items.iter().map(|item| Ok((label_of(item, path)?, as_arm(item)))).collect(),
        Value::Map(entries) => Ok(entries.iter().map(|entry| (entry.key.clone(), as_arm(&entry.node))).collect()),
        _ => Err(Problem::at(&levels.place, path, "expected a list of values, or a mapping of labels to values")),
    }
}

fn set_levels(set: &Node, path: &str) -> Result<Vec<(String, Values)>, Problem> {
    let mut levels = Vec::new();
    for level in set.entries() {
        let mut values = Vec::new();
        for value in level.node.entries() {
            let path = format!("{path}.{}", level.key);
            check_key(&value.key).map_err(|message| Problem::at(&value.place, path, message))?;
            values.push((value.key.clone(), as_arm(&value.node)));
        }
        levels.push((level.key.clone(), values));
    }
    Ok(levels)
}

fn label_of(item: &Node, path: &str) -> Result<String, Problem> {
    match &item.value {
        Value::Text(text) => Ok(text.clone()),
        Value::Int(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        Value::Real(number) => Ok(number.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => {
            let message = "a level that is not a single value needs a label: write levels: { label: value, … }";
            Err(Problem::at(&item.place, path, message))
        }
    }
}

fn as_arm(node: &Node) -> Node {
    node.clone().attributed(Origin::Arm)
}

fn check_key(key: &str) -> Result<(), String> {
    let root = key.split('.').next().unwrap_or_default();
    if NOT_IN_ARMS.contains(&root) {
        return Err(format!("\"{root}\" is the same for every arm"));
    }
    if key.is_empty() {
        return Err("a factor's key is a dotted key of the config".to_string());
    }
    Ok(())
}

fn check_apart(earlier: &[Factor], factor: &Factor, node: &Node) -> Result<(), Problem> {
    let keys = |factor: &Factor| -> Vec<String> {
        factor.levels.iter().flat_map(|(_, values)| values.iter().map(|(key, _)| key.clone())).collect()
    };
    for other in earlier {
        for theirs in keys(other) {
            if let Some(key) = keys(factor).iter().find(|key| overlaps(key, &theirs)) {
                let message = format!("the factors {} and {} both set {key}", other.name, factor.name);
                return Err(Problem::at(&node.place, format!("design.factors.{}", factor.name), message));
            }
        }
    }
    Ok(())
}

fn overlaps(one: &str, other: &str) -> bool {
    one == other || one.starts_with(&format!("{other}.")) || other.starts_with(&format!("{one}."))
}
