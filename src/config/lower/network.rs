//! The network: who hears whom, and the links of each replicate. Another module reads edge files.

use std::collections::BTreeMap;

use crate::config::lower::edges;
use crate::config::personas::PersonaFile;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::{Config, NetworkConfig, SmallWorldConfig};
use crate::domain::SeatId;
use crate::memory::MemoryPlan;
use crate::plan::{Network, parts_per_million};

/// The dotted key of the network.
pub const KEY: &str = "discussion.network";

/// Whether no seat hears another. If so, seats see nothing that depends on the others' statements or choices.
pub fn is_alone(config: &Config) -> bool {
    config.discussion.network == Some(NetworkConfig::Alone)
}

/// Adapts memories to the network: if no seat hears another, they keep no votes except their own.
pub fn restrict_memory(config: &Config, memory: MemoryPlan) -> MemoryPlan {
    match is_alone(config) {
        true => MemoryPlan { routing: memory.routing.without_group_votes(), ..memory },
        false => memory,
    }
}

/// The network of one arm; `None` if it refers to something unknown, or its file had a reported error.
pub fn lower_network(
    config: &Config,
    files: &BTreeMap<String, PersonaFile>,
    seats: Soundness,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Network> {
    let count = config.seats.len();
    let lowered = match config.discussion.network.as_ref().unwrap_or(&NetworkConfig::Complete) {
        NetworkConfig::Complete => Ok(Network::Complete),
        NetworkConfig::Alone => Ok(Network::Alone),
        NetworkConfig::Ring if count < 3 && seats == Soundness::Sound => {
            Err(tree.problem(KEY, format!("a ring has at least 3 seats; there are {count}")))
        }
        NetworkConfig::Ring => Ok(Network::Ring),
        NetworkConfig::Star(star) => {
            let hub = star.as_ref().and_then(|star| star.hub.as_deref());
            match hub.map_or(Some(SeatId(0)), |hub| find_seat(config, hub)) {
                Some(hub) => Ok(Network::Star { hub }),
                None if seats == Soundness::Sound => {
                    Err(no_seat(config, hub.unwrap_or_default(), |m| tree.problem(&format!("{KEY}.star.hub"), m)))
                }
                None => return None,
            }
        }
        NetworkConfig::SmallWorld(small) => small_world_of(small, (count, seats), tree),
        NetworkConfig::Edges(name) => return edges::lower_edges(config, (name, files), seats, tree, problems),
    };
    problems.ok_or_report(lowered)
}

fn small_world_of(
    SmallWorldConfig { neighbours, rewired }: &SmallWorldConfig,
    (count, seats): (usize, Soundness),
    tree: &Node,
) -> Result<Network, Problem> {
    let wrong = |key: &str, message: String| Err(tree.problem(&format!("{KEY}.small_world.{key}"), message));
    if !neighbours.is_multiple_of(2) || *neighbours == 0 {
        return wrong("neighbours", format!("{neighbours} is no even number: half of them are on either side"));
    }
    if *neighbours as usize >= count && seats == Soundness::Sound {
        return wrong("neighbours", format!("{neighbours} neighbours are too many: there are {count} seats"));
    }
    match parts_per_million(*rewired) {
        Ok(rewired_ppm) => Ok(Network::SmallWorld { neighbours: *neighbours, rewired_ppm }),
        Err(message) => wrong("rewired", message),
    }
}

pub fn find_seat(config: &Config, name: &str) -> Option<SeatId> {
    config.seats.iter().position(|seat| seat.name == name).map(|place| SeatId(place as u32))
}

pub fn no_seat(config: &Config, name: &str, problem: impl Fn(String) -> Problem) -> Problem {
    let known = config.seats.iter().map(|seat| seat.name.as_str());
    problem(format!("no seat is named \"{name}\"")).with_hint(suggest_word(name, known))
}
