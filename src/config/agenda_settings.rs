//! Settings of phases in a config: `agenda: { PHASE: { KEY: … } }` over those that the scenario has.

use indexmap::IndexMap;

use crate::config::check::declared::SchemaPart;
use crate::config::check::structure::StructureCheck;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::scenario::FieldConfig;
use crate::plan::Scalar;

/// The section of a config.
pub const AGENDA: &str = "agenda";
/// Keys of every phase and block; any other belongs to the phase's kind.
const OF_PHASE: [&str; 8] = ["who", "when", "heard_by", "forget", "remember", "groups", "repeat", "for"];
/// What may have keys that take the place of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingHolder {
    /// A phase or block.
    Phase,
    /// A field of a form.
    Field,
    /// A mapping under this key.
    Key(&'static str),
    /// Anything else, such as a mapping whose keys are names.
    Other,
}

impl SettingHolder {
    /// What a mapping under a key of this is.
    fn inner(self, key: &str) -> Self {
        match (self, key) {
            (SettingHolder::Phase, "repeat") => SettingHolder::Key("repeat"),
            (SettingHolder::Other, "groups") => SettingHolder::Key("groups"),
            _ => SettingHolder::Other,
        }
    }

    /// The keys that give way where a key is set: exactly one of them may be given.
    fn list_replaced(self, key: &str) -> &'static [&'static str] {
        match (self, key) {
            (SettingHolder::Phase, "repeat") => &["for"],
            (SettingHolder::Phase, "for") => &["repeat"],
            (SettingHolder::Key("repeat"), "times") => &["until", "max"],
            (SettingHolder::Key("repeat"), "until") => &["times"],
            (SettingHolder::Key("vote"), "winners") => &["budget", "costs", "method"],
            (SettingHolder::Key("vote"), "budget") => &["winners"],
            (SettingHolder::Key("groups"), "size") => &["count"],
            (SettingHolder::Key("groups"), "count") => &["size"],
            (SettingHolder::Field, key) if FieldConfig::KINDS.contains(&key) => &FieldConfig::KINDS,
            _ => &[],
        }
    }
}

/// Removes the keys of a mapping that give way to a key, unless they are written together with it, which is a mistake. A number of passes
/// that is an expression may keep the most passes that stand beside it.
fn drop_replaced(node: &mut Node, holder: SettingHolder, (setting, written): (&MapEntry, &[MapEntry])) {
    let keeps_max = setting.key == "times" && setting.node.as_text().is_some() && node.get("until").is_none();
    for replaced in holder.list_replaced(&setting.key) {
        let is_kept = *replaced == setting.key || *replaced == "max" && keeps_max;
        if !is_kept && !written.iter().any(|entry| entry.key == *replaced) {
            node.remove_key(replaced);
        }
    }
}

/// Removes the keys that give way to the last key of a dotted path that is about to be set, such as `agenda.loop.repeat.times`.
pub fn drop_replaced_at(node: &mut Node, segments: &[&str], value: &Node) {
    if let [AGENDA, _, "repeat", key] = segments {
        let entry = MapEntry::new(*key, value.clone());
        drop_replaced(node, SettingHolder::Key("repeat"), (&entry, &[]));
    }
}

/// The kinds that have settings.
const KINDS: [&str; 6] = ["brief", "ask", "discussion", "vote", "pay", "assign"];

impl Scenario {
    /// The scenario with a config's settings of phases and values of parameters; `None` after an error, which is reported, or if the
    /// agenda has one already.
    pub fn with_settings(
        &self,
        settings: &Node,
        parameters: &IndexMap<String, Scalar>,
        problems: &mut Problems,
    ) -> Option<Self> {
        if self.agenda == Soundness::Broken {
            return None;
        }
        let before = problems.len();
        let mut tree = self.source.clone();
        let agenda = tree.child_mut(AGENDA).expect("invariant: a scenario has an agenda");
        for of_phase in settings.entries() {
            let path = format!("{AGENDA}.{}", of_phase.key);
            let Some(phase) = phase_mut(agenda, &of_phase.key) else {
                let known = self.blocks.iter().map(|block| block.name.as_str()).chain(self.phase_names());
                let problem = Problem::at_place(&of_phase.place, path, "the agenda has no phase of this name");
                problems.push(problem.with_hint(suggest_word(&of_phase.key, known)));
                continue;
            };
            for setting in of_phase.node.entries() {
                problems.ok_or_report(set_in_phase(phase, setting, (of_phase.node.entries(), &path)));
            }
        }
        let mut check = StructureCheck::default();
        if let Some(declared) = SchemaPart::of_scenario().property(AGENDA) {
            check.check_tree(declared, agenda, AGENDA);
        }
        problems.extend(check.problems);
        if problems.len() > before {
            return None;
        }
        let mut changed = Self::with_parameters(tree, parameters, problems)?;
        changed.take_items(self.items.clone());
        (problems.len() == before).then_some(changed)
    }
}

/// The phase or block of a name, in blocks, too.
fn phase_mut<'n>(list: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    for item in list.items_mut() {
        if item.text_at("name") == Some(name) {
            return Some(item);
        }
        if let Some(found) = item.child_mut("phases").and_then(|inner| phase_mut(inner, name)) {
            return Some(found);
        }
    }
    None
}

/// Sets a key of a phase, which is one of those that are written together.
fn set_in_phase(phase: &mut Node, setting: &MapEntry, (written, path): (&[MapEntry], &str)) -> Result<(), Problem> {
    let is_of_phase = OF_PHASE.contains(&setting.key.split('.').next().unwrap_or_default());
    if let Some(compute) = phase.child_mut("compute").filter(|_| !is_of_phase) {
        return set_computed(compute, &setting.key, &setting.node, path);
    }
    let setting = &spread_key(setting);
    if is_of_phase {
        lay_over(phase, SettingHolder::Phase, (setting, written));
        return Ok(());
    }
    let wrong = |message: &str| Problem::at_place(&setting.place, format!("{path}.{}", setting.key), message);
    let kind_name = KINDS.into_iter().find(|kind| phase.get(kind).is_some());
    let holder = if kind_name == Some("vote") { SettingHolder::Key("vote") } else { SettingHolder::Other };
    let Some(kind) = kind_name.and_then(|kind| phase.child_mut(kind)) else {
        return Err(wrong(&format!("a block has no setting of this name; it has {}", OF_PHASE.join(", "))));
    };
    let fields = match &kind.value {
        Value::List(_) => Some(kind),
        Value::Map(_) if kind.get("form").is_some() && setting.key != "per" => kind.child_mut("form"),
        Value::Map(_) if kind_name == Some(setting.key.as_str()) => {
            return Err(wrong(&format!("the kind of a phase is left out in its settings: write {path}.KEY")));
        }
        Value::Map(_) => {
            lay_over(kind, holder, (setting, written));
            return Ok(());
        }
        _ => None,
    };
    let Some(Value::List(fields)) = fields.map(|fields| &mut fields.value) else {
        return Err(wrong("this form is declared elsewhere, and its fields cannot be set here"));
    };
    let id_of = |field: &Node| field.text_at("id").map(str::to_owned);
    let known: Vec<String> = fields.iter().filter_map(id_of).collect();
    match fields.iter_mut().find(|field| id_of(field).as_ref() == Some(&setting.key)) {
        Some(field) => {
            lay_entries_over(field, SettingHolder::Field, setting.node.entries());
            Ok(())
        }
        None => {
            let hint = suggest_word(&setting.key, known.iter().map(String::as_str));
            Err(wrong("the form has no field of this name").with_hint(hint))
        }
    }
}

/// The same setting under the first part of a dotted key, with a mapping for each other part.
fn spread_key(setting: &MapEntry) -> MapEntry {
    let MapEntry { key, place, node } = setting;
    let Some((first, rest)) = key.split_once('.') else { return setting.clone() };
    let inner = spread_key(&MapEntry { key: rest.to_owned(), place: place.clone(), node: node.clone() });
    let mut node = Node::empty_map(node.place.clone());
    node.insert_entry(inner);
    MapEntry { key: first.to_owned(), place: place.clone(), node }
}

/// Sets a computed value, whose name may have dots: `seat.gross` is one key, written whole or as a path.
fn set_computed(compute: &mut Node, name: &str, value: &Node, path: &str) -> Result<(), Problem> {
    if let Value::Map(entries) = &value.value {
        return entries
            .iter()
            .try_for_each(|entry| set_computed(compute, &format!("{name}.{}", entry.key), &entry.node, path));
    }
    match compute.child_mut(name) {
        Some(old) => {
            *old = value.clone();
            Ok(())
        }
        None => {
            let hint = suggest_word(name, compute.entries().iter().map(|entry| entry.key.as_str()));
            let problem = Problem::at_place(&value.place, format!("{path}.{name}"), "the phase computes no such value");
            Err(problem.with_hint(hint))
        }
    }
}

/// Sets keys: mappings are merged, anything else is replaced, and a key that takes the place of others removes these.
fn lay_entries_over(node: &mut Node, holder: SettingHolder, settings: &[MapEntry]) {
    settings.iter().for_each(|setting| lay_over(node, holder, (setting, settings)));
}

/// Sets one of the keys that are written together.
fn lay_over(node: &mut Node, holder: SettingHolder, (setting, written): (&MapEntry, &[MapEntry])) {
    drop_replaced(node, holder, (setting, written));
    match node.child_mut(&setting.key) {
        Some(old) if matches!(old.value, Value::Map(_)) && matches!(setting.node.value, Value::Map(_)) => {
            lay_entries_over(old, holder.inner(&setting.key), setting.node.entries());
        }
        _ => node.insert_entry(setting.clone()),
    }
}
