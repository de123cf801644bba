//! Mistakes in the names of kept texts, and in what blocks take place for.

use crate::config::lower::chosen_seats::names_seats;
use crate::config::lower::each::{WrittenThings, read_things, things_around};
use crate::config::lower::field_keys::is_item_key;
use crate::config::lower::grouping::{find_groups, list_roles};
use crate::config::lower::scope::{RESERVED, is_value_name};
use crate::config::lower::texts;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::each::ForConfig;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{FieldConfig, PhaseConfig};
use crate::expression::{Function, KEYWORDS};
use crate::plan::PassOrder;

/// The most words of a list.
const WORDS_MAX: usize = 1_000;

/// Reports what is wrong with the names under which texts are kept.
pub fn check_texts(scenario: &Scenario, problems: &mut Problems) {
    let mut told: Vec<&str> = Vec::new();
    for (phase, nodes) in scenario.written.agenda.iter().zip(scenario.phase_nodes()) {
        let Some(ask) = &phase.ask else { continue };
        let (list, key) = match nodes.get("ask").and_then(|ask| ask.get("form")) {
            Some(list) => (list, "ask.form"),
            None => (nodes.get("ask").unwrap_or(nodes), "ask"),
        };
        for (position, field) in ask.fields().iter().enumerate() {
            let Some(name) = field.keep_as.as_deref() else { continue };
            let node = list.items().get(position).unwrap_or(list);
            let own_twice = ask.fields()[..position].iter().any(|other| other.keep_as.as_deref() == Some(name));
            let message = if field.text.is_none() {
                Some("only texts are kept: write text: {}, or leave keep_as out".to_owned())
            } else if ask.per().is_some() {
                Some("no texts are kept of a form about each of several seats".to_owned())
            } else if let Some(message) = find_two_groups(scenario, phase, name) {
                Some(message)
            } else if own_twice {
                Some(format!("another field of this form keeps its texts as \"{name}\""))
            } else if told.contains(&name) {
                None
            } else {
                told.push(name);
                find_text_clash(scenario, name)
            };
            if let Some(message) = message {
                let path = format!("agenda.{}.{key}.{position}.keep_as", phase.name);
                problems.push(Problem::at_place(node.place_of("keep_as"), path, message));
            }
        }
    }
}

/// Reports fields whose right answer or options are those of an item, and which no block for items holds.
fn check_item_keys(scenario: &Scenario, problems: &mut Problems) {
    for phase in &scenario.written.agenda {
        let is_in_loop =
            || scenario.blocks_around(phase).any(|block| block.each.as_ref().is_some_and(ForConfig::is_for_items));
        let mut fields = phase.fields().iter();
        if let Some(read) = fields.find_map(read_of_item).filter(|_| !is_in_loop()) {
            let path = format!("agenda.{}.ask", phase.name);
            let message = format!("{read} is that of a pass's item: ask it in a block with for: {{ each: items }}");
            problems.push(scenario.tree.problem(&path, message));
        }
    }
}

/// Reports what is wrong with what blocks take place for.
pub fn check_things(scenario: &Scenario, problems: &mut Problems) {
    check_item_keys(scenario, problems);
    let nodes = scenario.agenda_names();
    for (position, block) in scenario.blocks.iter().enumerate() {
        let inside = || scenario.written.agenda.iter().filter(|phase| phase.within.contains(&position));
        let has_groups = inside().any(|phase| find_groups(scenario, phase).is_some());
        if block.live_times.is_some() && has_groups {
            let path = format!("agenda.{}.repeat.times", block.name);
            let message = "in groups, and around them, a number of passes reads parameters alone";
            let problem = scenario.tree.problem(&path, message);
            problems.push(problem.with_advice("write until: pass.number >= EXPRESSION, and max: N"));
        }
        let Some(each) = &block.each else { continue };
        let node = nodes.iter().find(|(name, _)| *name == block.name).map_or(&scenario.tree, |(_, node)| *node);
        let path = format!("agenda.{}.for", block.name);
        let list = node.get("for").unwrap_or(node);
        let mut tell = |key: &str, message: String| {
            problems.push(Problem::at_place(list.place_of(key), format!("{path}.{key}"), message));
        };
        if node.get("repeat").is_some() {
            tell("each", "a block is repeated or takes place for each of several things, and not both".to_owned());
        }
        if has_groups {
            let message = "a block for each of several things takes place outside groups, and holds none; before it, mark the group of each seat, as in { groups: NAME, compute: { seat.table: group.number } }, and in it choose seats by the mark, as in who: seat.table == 1";
            tell("each", message.to_owned());
        }
        check_each(scenario, each, &mut tell);
        if each.is_for_items() {
            let keyed = inside().flat_map(|phase| phase.fields().iter());
            let read = keyed.filter_map(read_of_item).next();
            if let Some(read) = read.filter(|_| each.order != PassOrder::Fixed) {
                tell("order", format!("with {read} the items are in the order of the file: leave `order` out"));
            }
        }
        if let Some(message) = find_thing_clash(scenario, each.name()).filter(|_| !each.is_for_items()) {
            tell("as", message);
        } else if things_around(scenario, Some(position)).skip(1).any(|around| around.name() == each.name()) {
            let message =
                format!("a block around this one calls something else \"{}\"; choose another name", each.name());
            tell("as", message);
        }
    }
    let is_alone = |node: &&Node| node.get("for").is_some() && node.get("phases").is_none();
    for node in scenario.agenda_nodes().into_iter().filter(is_alone) {
        let path = format!("agenda.{}.for", node.segment(0));
        let message = "only a block takes place for each of several things: write phases: [...]";
        problems.push(Problem::at_place(node.place_of("for"), path, message));
    }
}

/// What a field reads of the item of its pass before the session begins, as it is written.
fn read_of_item(field: &FieldConfig) -> Option<&'static str> {
    match field {
        field if field.key.iter().any(is_item_key) => Some("key: item.key"),
        field if field.has_item_options() => Some("options: item.options"),
        _ => None,
    }
}

fn check_each(scenario: &Scenario, each: &ForConfig, tell: &mut impl FnMut(&str, String)) {
    match (&each.each, read_things(each, scenario)) {
        (SeatsConfig::Names(words), _) if words.is_empty() || words.len() > WORDS_MAX => {
            tell("each", format!("the list has 1 to {WORDS_MAX} words, this one has {}", words.len()));
        }
        (SeatsConfig::Names(words), _) => {
            if let Some(twice) = (1..words.len()).find(|place| words[..*place].contains(&words[*place])) {
                tell("each", format!("\"{}\" is listed twice", words[twice]));
            }
            if let Some(empty) = words.iter().find(|word| word.trim().is_empty()) {
                tell("each", format!("\"{empty}\" is an empty word"));
            }
        }
        (_, WrittenThings::Items) if each.name() != "item" => {
            tell("as", "the item of a pass is called `item`: leave `as` out".to_owned());
        }
        (_, WrittenThings::Seats(name)) if !names_seats(name, scenario) => {
            let message = format!(
                "\"{name}\" is nothing that a block takes place for: write a list of words, a name under which texts are kept, or seats, as in everyone or seat.index <= 3"
            );
            tell("each", message);
        }
        _ => {}
    }
}

/// What is wrong with the name of the thing of a pass.
fn find_thing_clash(scenario: &Scenario, name: &str) -> Option<String> {
    let is_text = texts::find_texts(&scenario.written.agenda, name).is_some();
    find_clash(scenario, name).or_else(|| is_text.then(|| format!("texts are kept as \"{name}\", too; rename one")))
}

/// What is wrong with keeping texts under a name in the groups of a phase: texts of other groups are kept under it.
fn find_two_groups(scenario: &Scenario, phase: &PhaseConfig, name: &str) -> Option<String> {
    let own = find_groups(scenario, phase)?;
    let keepers = texts::list_keepers(scenario, name);
    let other = keepers.iter().filter_map(|(_, groups)| *groups).find(|groups| *groups != own)?;
    Some(format!("texts are kept as \"{name}\" in the groups of {other}, too; choose another name"))
}

/// What is wrong with a name of kept texts.
fn find_text_clash(scenario: &Scenario, name: &str) -> Option<String> {
    let message = "the thing of a pass is called \"this\"; choose another name";
    if name == "this" { Some(message.to_owned()) } else { find_clash(scenario, name) }
}

/// What is wrong with a name that expressions read.
fn find_clash(scenario: &Scenario, name: &str) -> Option<String> {
    if !is_value_name(name) {
        Some(format!("\"{name}\" is no name: small letters, digits and `_`, a letter first"))
    } else if RESERVED.contains(&name) || KEYWORDS.contains(&name) {
        Some(format!("\"{name}\" means something else in expressions; choose another name"))
    } else if Function::find_by_name(name).is_some() {
        Some(format!("\"{name}\" is a function; choose another name"))
    } else if scenario.variables.contains_key(name) {
        Some(format!("a variable is called \"{name}\", too; rename one"))
    } else if scenario.written.roles.contains_key(name) || list_roles(scenario).iter().any(|role| role.2 == name) {
        Some(format!("a role is called \"{name}\", too; rename one"))
    } else if scenario.agenda_names().iter().any(|(other, _)| *other == name) {
        Some(format!("a phase or block is called \"{name}\", too; rename one"))
    } else {
        None
    }
}
