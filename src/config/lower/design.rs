//! Lowers the design (factors and levels) to arms and the values that each sets.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::config::arms::{ARMS_MAX, Arm, NamedLevel};
use crate::config::lower::scope::write_node;
use crate::config::overrides::root_of;
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::tree::{MapEntry, Node, Value, key_place};
use crate::plan::{FactorSetting, FactorSettings, Level, Origin, as_word, check_apart, check_label, check_word};

/// The maximum number of levels in a hint, and of characters in their labels.
const SHOWN_MAX: usize = 24;
/// Sections that are the same for all arms of an experiment.
const NOT_IN_ARMS: &str = "about design experiment items panel personas primary prompts replicates scenario seed";

struct Factor {
    name: String,
    /// Empty if they cannot be read.
    levels: Vec<(String, Vec<MapEntry>)>,
    /// The keys that the readable levels set.
    keys: Vec<String>,
}

/// The arms of an experiment.
#[derive(Debug, Clone)]
pub struct DesignDraft {
    /// The arms to run, in order; at least one. After an error, those that are known.
    pub arms: Vec<Arm>,
    /// The arm that the others are compared with; `None` if the author names none.
    pub baseline: Option<String>,
    /// Which arms are known.
    pub knowledge: Knowledge,
}

/// How much is known about a design's arms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Knowledge {
    /// Every arm is known.
    Whole,
    /// It is unknown which arms are excluded.
    NotWhichAreRun,
    /// Some factors have unreadable levels; the list contains the sections of the config that they set.
    NotAllLevels(Vec<String>),
}

/// Lowers the design to every combination of levels that is not excluded; the last factor changes fastest.
pub fn lower_design(tree: &Node, problems: &mut Problems) -> DesignDraft {
    let mut factors = lower_factors(tree, problems);
    let mut unread: Vec<Factor> = factors.extract_if(.., |factor| factor.levels.is_empty()).collect();
    let combinations = factors.iter().try_fold(1usize, |product, factor| product.checked_mul(factor.levels.len()));
    if combinations.is_none_or(|count| count > ARMS_MAX) {
        problems.push(tree.problem("design.factors", format!("the design has more than {ARMS_MAX} arms")));
        unread.append(&mut factors);
    }
    let mut arms = vec![Arm { name: String::new(), levels: Vec::new(), values: Vec::new(), null: None }];
    for factor in &factors {
        arms =
            arms.iter().flat_map(|arm| factor.levels.iter().map(|level| arm.with_level(&factor.name, level))).collect();
    }
    if factors.is_empty() {
        arms[0].name = "baseline".to_string();
    }
    let every = arms.clone();
    let unread_keys: Vec<String> = unread.iter().flat_map(|factor| factor.keys.clone()).collect();
    let is_read = unread.is_empty();
    factors.append(&mut unread);
    let is_known_which = exclude_arms(&mut arms, &factors, tree, problems);
    let baseline = lower_baseline(&every, &arms, &factors, tree, problems);
    let knowledge = match (is_read, is_known_which) {
        (true, true) => Knowledge::Whole,
        (true, false) => Knowledge::NotWhichAreRun,
        (false, _) => Knowledge::NotAllLevels(unread_keys.iter().map(|key| root_of(key).to_string()).collect()),
    };
    DesignDraft { arms, baseline, knowledge }
}

/// The settings of each factor. Other functions report errors in the design.
pub fn factor_settings(tree: &Node) -> Vec<FactorSettings> {
    let factors = lower_factors(tree, &mut Problems::default());
    let all = factors.into_iter().map(|Factor { name, levels, .. }| {
        let keys: IndexSet<&str> = levels.iter().flat_map(|(_, values)| values).map(|value| &*value.key).collect();
        let settings = keys.into_iter().map(|key| {
            let value =
                |values: &[MapEntry]| values.iter().find(|value| value.key == key).map(|value| value.node.to_flow());
            let levels = levels.iter().map(|(label, values)| (label.clone(), value(values))).collect();
            FactorSetting { key: key.to_owned(), levels }
        });
        let differ = |setting: &FactorSetting| setting.levels.iter().any(|(_, value)| *value != setting.levels[0].1);
        FactorSettings { settings: settings.filter(differ).collect(), factor: name }
    });
    all.collect()
}

fn lower_factors(tree: &Node, problems: &mut Problems) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    for entry in tree.entries_at("design.factors") {
        let mut factor = lower_factor(entry, problems);
        leave_out_strangers(&mut factor, entry, tree, problems);
        problems.ok_or_report(check_factors_apart(&factors, &factor, &entry.node));
        factors.push(factor);
    }
    factors
}

/// Reports a factor's keys that lead into an undefined factor, exhibit or model, and removes their values from the levels.
fn leave_out_strangers(factor: &mut Factor, entry: &MapEntry, tree: &Node, problems: &mut Problems) {
    let path = format!("design.factors.{}", entry.key);
    let key = entry.node.get("key").and_then(|key| Some((key.as_text()?, &key.place, format!("{path}.key"))));
    let labels = entry.node.entries_at("set");
    let of_label = |label: &'_ MapEntry| format!("{path}.set.{}", label.key);
    let set = labels.iter().flat_map(|label| {
        label.node.entries().iter().map(move |value| (value.key.as_str(), &value.place, of_label(label)))
    });
    let strange: Vec<(&str, Problem)> = key
        .into_iter()
        .chain(set)
        .filter_map(|(key, place, path)| Some((key, check_named(key, place, &path, tree).err()?)))
        .collect();
    for (_, values) in &mut factor.levels {
        values.retain(|value| !strange.iter().any(|(key, _)| *key == value.key));
    }
    strange.into_iter().for_each(|(_, problem)| problems.push(problem));
}

/// Checks that a dotted key into a named factor, exhibit or model refers to one that exists.
///
/// # Errors
/// If it does not exist.
pub fn check_named(key: &str, place: &SourcePlace, path: &str, tree: &Node) -> Result<(), Problem> {
    const SECTIONS: [(&str, &str); 3] = [("design.factors", "factor"), ("exhibits", "exhibit"), ("models", "model")];
    let within = |section: &str| key.strip_prefix(section)?.strip_prefix('.')?.split_once('.');
    let named = SECTIONS.iter().find_map(|(section, what)| Some((section, what, within(section)?.0)));
    let Some((section, what, name)) = named else { return Ok(()) };
    let known: Vec<&str> = tree.entries_at(section).iter().map(|entry| entry.key.as_str()).collect();
    if name.is_empty() || known.contains(&name) {
        return Ok(());
    }
    let place = key_place(place, &section.split('.').collect::<Vec<_>>());
    Err(Problem::unknown_name(&place, path, (what, name), known))
}

/// Removes excluded arms; returns whether all exclusions could be read.
fn exclude_arms(arms: &mut Vec<Arm>, factors: &[Factor], tree: &Node, problems: &mut Problems) -> bool {
    let mut is_known = true;
    let mut at_level: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, arm) in arms.iter().enumerate() {
        for level in &arm.levels {
            at_level.entry((&level.factor, &level.label)).or_default().push(place);
        }
    }
    let (mut is_run, mut left) = (vec![true; arms.len()], arms.len());
    for (position, item) in tree.items_at("design.exclude").iter().enumerate() {
        let path = format!("design.exclude.{position}");
        if item.entries().is_empty() {
            problems.push(Problem::at_place(&item.place, path, "names no factor, and so would exclude every arm"));
            is_known = false;
            continue;
        }
        let Some(named) = named_levels(item, &path, factors, problems) else {
            is_known = false;
            continue;
        };
        if factors.iter().any(|factor| factor.levels.is_empty()) {
            continue;
        }
        // Few of thousands of arms are at any one level, so search only the rarest level named.
        let of_levels = named.iter().map(|level| at_level.get(&(level.factor.as_str(), level.label.as_str())));
        let rarest = of_levels.map(|at| at.map(Vec::as_slice).unwrap_or_default()).min_by_key(|at| at.len());
        let is_excluded = |place: &&usize| {
            is_run[**place] && named.iter().all(|level| arms[**place].has_level(&level.factor, &level.label))
        };
        let excluded: Vec<usize> = rarest.unwrap_or_default().iter().filter(is_excluded).copied().collect();
        if excluded.len() == left {
            problems.push(tree.problem("design.exclude", "every arm is excluded"));
            return false;
        }
        if excluded.is_empty() {
            let message = "excludes nothing: every arm that it names is excluded before";
            problems.push(Problem::at_place(&item.place, path, message));
        }
        left -= excluded.len();
        excluded.into_iter().for_each(|place| is_run[place] = false);
    }
    let mut is_run = is_run.into_iter();
    arms.retain(|_| is_run.next().unwrap_or(true));
    is_known
}

fn lower_baseline(
    every: &[Arm],
    arms: &[Arm],
    factors: &[Factor],
    tree: &Node,
    problems: &mut Problems,
) -> Option<String> {
    let path = "design.baseline";
    let written = tree.find(path)?;
    let missing: Vec<&str> =
        factors.iter().map(|factor| factor.name.as_str()).filter(|name| written.get(name).is_none()).collect();
    if factors.is_empty() {
        problems.push(tree.problem(path, "the design has no factors: its one arm is the baseline"));
        return None;
    }
    let is_known = |name: &str| factors.iter().any(|factor| factor.name == name);
    // A misspelt factor is not reported as missing, too.
    if !missing.is_empty() && written.entries().iter().all(|entry| is_known(&entry.key)) {
        let message =
            format!("the baseline is one arm: it names a level of each factor; {} is missing", missing.join(", "));
        problems.push(tree.problem(path, message));
    }
    let named = named_levels(written, path, factors, problems).filter(|_| missing.is_empty())?;
    // If the levels of a factor are unreadable, no arm has any of them.
    let name =
        every.iter().find(|arm| named.iter().all(|level| arm.has_level(&level.factor, &level.label)))?.name.clone();
    if !arms.iter().any(|arm| arm.name == name) {
        problems.push(tree.problem(path, format!("the arm {name} is excluded")));
        return None;
    }
    Some(name)
}

/// The levels that a reference to arms names; `None` if one is wrong.
fn named_levels(written: &Node, path: &str, factors: &[Factor], problems: &mut Problems) -> Option<Vec<NamedLevel>> {
    let mut named = Some(Vec::new());
    for entry in written.entries() {
        let level = named_level(entry, &format!("{path}.{}", entry.key), factors);
        match (problems.ok_or_report(level), &mut named) {
            (Some(level), Some(named)) => named.push(level),
            _ => named = None,
        }
    }
    named
}

fn named_level(entry: &MapEntry, path: &str, factors: &[Factor]) -> Result<NamedLevel, Problem> {
    let (factor, label) = (&entry.key, &entry.node);
    let Some(known) = factors.iter().find(|known| &known.name == factor) else {
        let known = factors.iter().map(|known| known.name.as_str());
        return Err(Problem::unknown_name(&entry.place, path, ("factor", factor), known));
    };
    let label_text = label_of(label, path)?;
    if !known.levels.is_empty() && !known.levels.iter().any(|(known, _)| known == &label_text) {
        let problem =
            Problem::at_place(&label.place, path, format!("the factor {factor} has no level \"{label_text}\""));
        return Err(problem.with_hint(suggest_word(&label_text, known.levels.iter().map(|(label, _)| label.as_str()))));
    }
    Ok(NamedLevel { factor: factor.to_string(), label: label_text })
}

impl Arm {
    fn with_level(&self, factor: &str, (label, values): &(String, Vec<MapEntry>)) -> Self {
        let mut arm = self.clone();
        if !arm.name.is_empty() {
            arm.name.push('-');
        }
        arm.name.push_str(label);
        let sets = values.iter().map(|entry| (entry.key.clone(), entry.node.to_flow())).collect();
        arm.levels.push(Level { factor: factor.to_string(), label: label.clone(), sets });
        arm.values.extend(values.iter().cloned());
        arm
    }
}

fn lower_factor(entry: &MapEntry, problems: &mut Problems) -> Factor {
    let (name, node) = (entry.key.as_str(), &entry.node);
    let path = format!("design.factors.{name}");
    if name == "arm" {
        let message = "\"arm\" is what a combination of levels is called; choose another name for the factor";
        problems.push(Problem::at_place(&entry.place, &path, message));
    }
    let wrong = |message: String| {
        Problem::at_place(&entry.place, &path, message).with_hint(as_word(name).map(|word| format!("write {word}")))
    };
    problems.ok_or_report(check_word(name).map_err(wrong));
    let mut keys: Vec<String> = node.text_at("key").map(str::to_string).into_iter().collect();
    let set = node.entries_at("set");
    keys.extend(set.iter().flat_map(|level| level.node.entries()).map(|value| value.key.clone()));
    let levels = lower_levels(node, &path, problems).unwrap_or_default();
    check_labels(&levels, node, &path, problems);
    Factor { name: name.to_string(), levels, keys }
}

/// Reads the levels of a factor; `None` if they are unknown.
fn lower_levels(node: &Node, path: &str, problems: &mut Problems) -> Option<Vec<(String, Vec<MapEntry>)>> {
    let levels = match (node.get("key"), node.get("levels"), node.get("set")) {
        (Some(key), Some(levels), None) => {
            let key_path = format!("{path}.key");
            let key_text = key.as_text().unwrap_or_default();
            let is_sound = problems.ok_or_report(check_key(key_text, &key.place, &key_path));
            let values = single_levels(levels, &format!("{path}.levels"), problems)?;
            // An invalid key sets nothing.
            let entry = |node| MapEntry { key: key_text.to_string(), place: key.place.clone(), node };
            let of_key = |value| is_sound.map(|()| entry(value)).into_iter().collect();
            values.into_iter().map(|(label, value)| (label, of_key(value))).collect()
        }
        (None, None, Some(set)) => set_levels(set, &format!("{path}.set"), problems),
        _ => {
            problems.push(Problem::at_place(&node.place, path, "a factor has either `key` and `levels`, or `set`"));
            return None;
        }
    };
    if levels.is_empty() {
        problems.push(Problem::at_place(&node.place, path, "a factor has at least one level"));
    }
    Some(levels)
}

fn check_labels(levels: &[(String, Vec<MapEntry>)], node: &Node, path: &str, problems: &mut Problems) {
    let list = node.get("levels").filter(|written| !written.items().is_empty());
    if let Some(list) = list {
        problems.ok_or_report(check_own_labels(levels, list, path));
    }
    let entries = node.get("levels").or_else(|| node.get("set")).map(Node::entries).unwrap_or_default();
    // Grouped by lower case, so that each label is compared with few others.
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (i, (label, _)) in levels.iter().enumerate() {
        if let (None, Some(entry)) = (list, entries.get(i)) {
            let hint = as_word(label).map(|word| format!("write {word}"));
            let wrong = |message: String| Problem::at_place(&entry.place, path, message).with_hint(hint);
            problems.ok_or_report(check_label(label).map_err(wrong));
        }
        let earlier = alike.entry(label.to_ascii_lowercase()).or_default();
        problems
            .ok_or_report(check_apart(label, earlier).map_err(|message| Problem::at_place(&node.place, path, message)));
        if earlier.contains(&label.as_str()) {
            problems.push(Problem::at_place(&node.place, path, format!("the level \"{label}\" is given twice")));
        }
        earlier.push(label);
    }
}

/// Checks that each value in a list can be a label. If one cannot, the hint labels all of them.
fn check_own_labels(levels: &[(String, Vec<MapEntry>)], list: &Node, path: &str) -> Result<(), Problem> {
    let wrong = levels.iter().zip(list.items()).find_map(|((label, _), item)| Some((item, check_label(label).err()?)));
    let Some((item, message)) = wrong else { return Ok(()) };
    let labelled = |(label, item): (&String, &Node)| {
        let word = if check_label(label).is_ok() { Some(label.clone()) } else { as_word(label) };
        Some(format!("{}: {}", word.filter(|word| word.len() <= SHOWN_MAX)?, item.to_flow()))
    };
    let labelled: Option<Vec<String>> = levels.iter().map(|(label, _)| label).zip(list.items()).map(labelled).collect();
    let hint = match labelled.filter(|labelled| labelled.len() <= SHOWN_MAX) {
        Some(labelled) => format!("write levels: {{ {} }}", labelled.join(", ")),
        None => "write levels: { label: value, … }".to_string(),
    };
    Err(Problem::at_place(&item.place, path, message).with_advice(hint))
}

fn single_levels(levels: &Node, path: &str, problems: &mut Problems) -> Option<Vec<(String, Node)>> {
    match &levels.value {
        Value::List(items) => {
            let pairs = items.iter().map(|item| <&[MapEntry; 1]>::try_from(item.entries()).ok());
            if let Some(pairs) = pairs.collect::<Option<Vec<_>>>().filter(|pairs| !pairs.is_empty()) {
                let labelled = pairs.iter().map(|[entry]| format!("{}: {}", entry.key, entry.node.to_flow()));
                let hint = format!("write levels: {{ {} }}", labelled.collect::<Vec<_>>().join(", "));
                let problem = Problem::at_place(&levels.place, path, "labels and their values are no list");
                problems.push(problem.with_advice(hint));
                return None;
            }
            let labelled = items.iter().map(|item| Some((problems.ok_or_report(label_of(item, path))?, as_arm(item))));
            // Collect before the first error counts, so that each error is reported.
            labelled.collect::<Vec<_>>().into_iter().collect()
        }
        Value::Map(entries) => Some(entries.iter().map(|entry| (entry.key.clone(), as_arm(&entry.node))).collect()),
        _ => {
            let message = "expected a list of values, or a mapping of labels to values";
            problems.push(Problem::at_place(&levels.place, path, message));
            None
        }
    }
}

fn set_levels(set: &Node, path: &str, problems: &mut Problems) -> Vec<(String, Vec<MapEntry>)> {
    let mut levels = Vec::new();
    for level in set.entries() {
        let mut values = Vec::new();
        let path = format!("{path}.{}", level.key);
        for (position, value) in level.node.entries().iter().enumerate() {
            let earlier = &level.node.entries()[..position];
            problems.ok_or_report(check_alone(value, earlier, &path));
            if problems.ok_or_report(check_key(&value.key, &value.place, &path)).is_some() {
                values.push(MapEntry { node: as_arm(&value.node), ..value.clone() });
            }
        }
        levels.push((level.key.clone(), values));
    }
    levels
}

/// The label by which references name a level.
///
/// # Errors
/// If the level is not a single value.
pub fn label_of(item: &Node, path: &str) -> Result<String, Problem> {
    if let Value::Null | Value::List(_) | Value::Map(_) = item.value {
        let message = "a level that is not a single value needs a label: write levels: { label: value, … }";
        return Err(Problem::at_place(&item.place, path, message));
    }
    Ok(write_node(item))
}

fn as_arm(node: &Node) -> Node {
    node.clone().with_origin(Origin::Arm)
}

fn check_key(key: &str, place: &SourcePlace, path: &str) -> Result<(), Problem> {
    let root = root_of(key);
    if NOT_IN_ARMS.split(' ').any(|fixed| fixed == root) {
        let problem = Problem::at_place(place, path, format!("\"{root}\" is the same for every arm"));
        let hint = match root {
            "design" => "a factor sets keys of other sections".to_string(),
            _ => format!("write {root} once, outside the design"),
        };
        return Err(problem.with_advice(hint));
    }
    if key.is_empty() {
        return Err(Problem::at_place(place, path, "a factor's key is a dotted key of the config"));
    }
    Ok(())
}

/// Checks that a level does not set both a key and a section that contains it: one would silently override the other.
fn check_alone(value: &MapEntry, earlier: &[MapEntry], path: &str) -> Result<(), Problem> {
    let Some(other) = earlier.iter().find(|other| keys_overlap(&other.key, &value.key)) else { return Ok(()) };
    let (whole, part) = if other.key.len() < value.key.len() { (other, value) } else { (value, other) };
    let rest = part.key.strip_prefix(&whole.key).unwrap_or_default().trim_start_matches('.');
    let message = format!("the level sets {} and {}, and one of them outdoes the other", other.key, value.key);
    let hint = format!("write {rest} within {}, or write each key of {} with dots", whole.key, whole.key);
    Err(Problem::at_place(&value.place, path, message).with_advice(hint))
}

fn check_factors_apart(earlier: &[Factor], factor: &Factor, node: &Node) -> Result<(), Problem> {
    for other in earlier {
        for theirs in &other.keys {
            if let Some(key) = factor.keys.iter().find(|key| keys_overlap(key, theirs)) {
                let message = format!("the factors {} and {} both set {key}", other.name, factor.name);
                return Err(Problem::at_place(&node.place, format!("design.factors.{}", factor.name), message));
            }
        }
    }
    Ok(())
}

/// Whether two dotted keys are equal, or one contains the other.
pub fn keys_overlap(one: &str, other: &str) -> bool {
    one == other || one.starts_with(&format!("{other}.")) || other.starts_with(&format!("{one}."))
}
