//! Blocks that take place for each of several things.

use crate::config::lower::conditions::is_value_name;
use crate::config::lower::scope::RESERVED;
use crate::config::lower::texts;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Block, Scenario};
use crate::config::tree::Node;
use crate::config::written::each::{ForConfig, PassOrder};
use crate::config::written::participants::SeatsConfig;
use crate::expression::{Function, KEYWORDS};
use crate::plan::{Pass, Scalar, Thing};

/// The number of seats that is reckoned with where no config says it.
const SEATS_USUAL: u32 = 12;
/// The most words of a list.
const WORDS_MAX: usize = 1_000;

/// The name of kept texts for each of which a block takes place.
pub fn texts_of(each: &ForConfig) -> Option<&str> {
    match &each.each {
        SeatsConfig::Expression(Scalar::Text(name)) => Some(name.trim()),
        _ => None,
    }
}

/// The words for each of which a block takes place.
pub fn words_of(each: &ForConfig) -> &[String] {
    match &each.each {
        SeatsConfig::Names(words) => words,
        SeatsConfig::Expression(_) => &[],
    }
}

/// Reckons how many passes blocks for texts may have, with this many seats, or as many as are usual.
pub fn reckon_passes(scenario: &Scenario, seats: Option<u32>) -> Vec<Block> {
    let reckon = |block: &Block| {
        let name = block.each.as_ref().and_then(texts_of);
        let most = name.map(|name| texts::count_at_most(scenario, name).saturating_mul(seats.unwrap_or(SEATS_USUAL)));
        Block { times: most.map(|most| most.max(1)).or(block.times), ..block.clone() }
    };
    scenario.blocks.iter().map(reckon).collect()
}

/// The pass of this number, from 1.
pub fn pass_of(block: &Block, number: u32, of: u32, scenario_texts: &dyn Fn(&str) -> Option<usize>) -> Pass {
    let thing = block.each.as_ref().and_then(|each| {
        let is_by_lot = each.order == PassOrder::Lot;
        match texts_of(each) {
            Some(name) => Some(Thing::Text { name: each.name.clone(), pool: scenario_texts(name)?, is_by_lot }),
            None => {
                let words = words_of(each).to_vec();
                Some(Thing::Word { name: each.name.clone(), words: words.into(), is_by_lot })
            }
        }
    });
    Pass { block: block.name.clone(), number, of, thing }
}

/// Reports what is wrong with what blocks take place for.
pub fn check_things(scenario: &Scenario, problems: &mut Problems) {
    let nodes = scenario.agenda_names();
    for (position, block) in scenario.blocks.iter().enumerate() {
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
        let inside = scenario.written.agenda.iter().filter(|phase| phase.within.contains(&position));
        if inside.into_iter().any(|phase| texts::is_in_groups(scenario, phase)) {
            tell("each", "a block for each of several things takes place outside groups, and holds none".to_owned());
        }
        check_each(scenario, each, &mut tell);
        let earlier = scenario.blocks[..position].iter().filter_map(|block| block.each.as_ref());
        let is_other = |other: &ForConfig| other.name == each.name && texts_of(other) != texts_of(each);
        if let Some(message) = find_clash(scenario, &each.name) {
            tell("as", message);
        } else if earlier.clone().any(is_other) {
            tell("as", format!("another block calls something else \"{}\"; choose another name", each.name));
        }
    }
    check_nodes(scenario.tree.get("agenda").map(Node::items).unwrap_or_default(), problems);
}

fn check_each(scenario: &Scenario, each: &ForConfig, tell: &mut impl FnMut(&str, String)) {
    match (&each.each, texts_of(each)) {
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
        (_, Some(name)) if texts::find_texts(scenario, name).is_some() => {}
        _ => tell("each", "write a list of words, or the name under which texts are kept".to_owned()),
    }
}

fn check_nodes(items: &[Node], problems: &mut Problems) {
    for (position, item) in items.iter().enumerate() {
        if item.get("for").is_some() && item.get("phases").is_none() {
            let path = format!("agenda.{}.for", item.segment(position));
            let message = "only a block takes place for each of several things: write phases: [...]";
            problems.push(Problem::at_place(item.place_of("for"), path, message));
        }
        check_nodes(item.get("phases").map(Node::items).unwrap_or_default(), problems);
    }
}

/// What is wrong with the name of the thing of a pass.
fn find_clash(scenario: &Scenario, name: &str) -> Option<String> {
    let is_taken = scenario.variables.contains_key(name)
        || scenario.written.roles.contains_key(name)
        || texts::find_texts(scenario, name).is_some()
        || scenario.agenda_names().iter().any(|(other, _)| *other == name);
    if !is_value_name(name) {
        Some(format!("\"{name}\" is no name: small letters, digits and `_`, a letter first"))
    } else if RESERVED.contains(&name) || KEYWORDS.contains(&name) || Function::find_by_name(name).is_some() {
        Some(format!("\"{name}\" means something else in expressions; choose another name"))
    } else {
        is_taken.then(|| format!("something else is called \"{name}\", too; rename one"))
    }
}

/// Whether a name is that of the thing of a pass: `Some(Some(position))` of texts, `Some(None)` of words.
pub fn find_thing(scenario: &Scenario, name: &str) -> Option<Option<usize>> {
    let each = scenario.blocks.iter().filter_map(|block| block.each.as_ref()).find(|each| each.name == name)?;
    Some(texts_of(each).and_then(|texts| texts::find_texts(scenario, texts)))
}

/// The names of things of passes.
pub fn list_things(scenario: &Scenario) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for each in scenario.blocks.iter().filter_map(|block| block.each.as_ref()) {
        if !names.contains(&each.name.as_str()) {
            names.push(&each.name);
        }
    }
    names
}
