//! Blocks that take place for each of several things.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::config::lower::texts;
use crate::config::scenario::{AgendaBlock, Scenario};
use crate::config::written::each::ForConfig;
use crate::config::written::participants::SeatsConfig;
use crate::plan::{Scalar, SeatSet, Thing};

/// The number of seats that is reckoned with where no config says it.
const SEATS_USUAL: u32 = 12;

/// What a block takes place for, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenThings<'a> {
    /// Words.
    Words(&'a [String]),
    /// The texts under a name, by the position of the name, with the name.
    Texts(usize, &'a str),
    /// The items of the config.
    Items,
    /// The seats that an expression selects.
    Seats(&'a str),
}

/// Reads what a block takes place for.
pub fn read_things<'a>(each: &'a ForConfig, scenario: &Scenario) -> WrittenThings<'a> {
    match &each.each {
        _ if each.is_for_items() => WrittenThings::Items,
        SeatsConfig::Names(words) => WrittenThings::Words(words),
        SeatsConfig::Expression(Scalar::Text(text)) => {
            let text = text.trim();
            match texts::find_texts(&scenario.written.agenda, text) {
                Some(position) => WrittenThings::Texts(position, text),
                None => WrittenThings::Seats(text),
            }
        }
        SeatsConfig::Expression(_) => WrittenThings::Seats("everyone"),
    }
}

/// The words for each of which a block takes place.
pub fn words_of(each: &ForConfig) -> &[String] {
    match &each.each {
        SeatsConfig::Names(words) => words,
        SeatsConfig::Expression(_) => &[],
    }
}

/// Reckons how many passes blocks for texts or seats may have, with this many seats, or as many as are usual.
pub fn reckon_passes(scenario: &Scenario, seats: Option<u32>) -> Vec<AgendaBlock> {
    let seats = seats.unwrap_or(SEATS_USUAL);
    let reckon = |block: &AgendaBlock| {
        let most = block.each.as_ref().and_then(|each| match read_things(each, scenario) {
            WrittenThings::Words(_) => None,
            WrittenThings::Texts(_, name) => Some(texts::list_ids(scenario, name, seats).len() as u32),
            WrittenThings::Items => Some(scenario.items.of_loops.len() as u32),
            WrittenThings::Seats(name) => Some(scenario.written.roles.get(name).map_or(seats, |role| role.seats)),
        });
        AgendaBlock { times: most.map(|most| most.max(1)).or(block.times), ..block.clone() }
    };
    scenario.blocks.iter().map(reckon).collect()
}

/// The thing that the passes of a block take place for; `None` of seats that `lower_seats` does not know.
pub fn lower_thing(
    each: &ForConfig,
    scenario: &Scenario,
    lower_seats: &dyn Fn(&SeatsConfig) -> Option<SeatSet>,
) -> Option<Thing> {
    let (name, order) = (each.name().to_owned(), each.order);
    Some(match read_things(each, scenario) {
        WrittenThings::Words(words) => Thing::Word { name, words: words.to_vec().into(), order },
        WrittenThings::Texts(pool, _) => Thing::Text { name, pool, order },
        WrittenThings::Items => Thing::Item { name, items: Arc::clone(&scenario.items.of_loops), order },
        WrittenThings::Seats(_) => Thing::Seat { name, seats: lower_seats(&each.each)?, order },
    })
}

/// The things of the blocks around a place, of the innermost first; `block` is the innermost, by its position.
pub fn things_around(scenario: &Scenario, block: Option<usize>) -> impl Iterator<Item = &ForConfig> {
    let within = scenario.written.agenda.iter().find_map(|phase| {
        let depth = phase.within.iter().position(|around| Some(*around) == block)?;
        Some(&phase.within[..=depth])
    });
    within.unwrap_or_default().iter().rev().filter_map(|around| scenario.blocks[*around].each.as_ref())
}

/// What the thing of a pass is that is called by a name within a block; `None` if none is.
pub fn find_thing<'a>(scenario: &'a Scenario, block: Option<usize>, name: &str) -> Option<WrittenThings<'a>> {
    let each = things_around(scenario, block).find(|each| each.name() == name)?;
    Some(read_things(each, scenario))
}

/// The names of the things of passes within a block.
pub fn list_things(scenario: &Scenario, block: Option<usize>) -> IndexSet<&str> {
    things_around(scenario, block).map(ForConfig::name).collect()
}
