//! Blocks that take place for each of several things.

use crate::config::lower::texts;
use crate::config::scenario::{Block, Scenario};
use crate::config::written::each::{ForConfig, PassOrder};
use crate::config::written::participants::SeatsConfig;
use crate::plan::{Pass, Scalar, Thing};

/// The number of seats that is reckoned with where no config says it.
const SEATS_USUAL: u32 = 12;

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
        let most = name.map(|name| {
            texts::count_at_most(&scenario.written.agenda, name).saturating_mul(seats.unwrap_or(SEATS_USUAL))
        });
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

/// The things of the blocks around a place, of the innermost first; `block` is the innermost, by its position.
pub fn things_around(scenario: &Scenario, block: Option<usize>) -> impl Iterator<Item = &ForConfig> {
    let within = scenario.written.agenda.iter().find_map(|phase| {
        let depth = phase.within.iter().position(|around| Some(*around) == block)?;
        Some(&phase.within[..=depth])
    });
    within.unwrap_or_default().iter().rev().filter_map(|around| scenario.blocks[*around].each.as_ref())
}

/// Whether a name is that of the thing of a pass within a block: `Some(Some(position))` of texts, `Some(None)` of words.
pub fn find_thing(scenario: &Scenario, block: Option<usize>, name: &str) -> Option<Option<usize>> {
    let each = things_around(scenario, block).find(|each| each.name == name)?;
    Some(texts_of(each).and_then(|texts| texts::find_texts(&scenario.written.agenda, texts)))
}

/// The names of the things of passes within a block.
pub fn list_things(scenario: &Scenario, block: Option<usize>) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for each in things_around(scenario, block) {
        if !names.contains(&each.name.as_str()) {
            names.push(&each.name);
        }
    }
    names
}
