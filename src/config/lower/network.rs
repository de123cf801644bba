//! The network: who hears whom, and the links of each replicate. Another module reads edge files.

use std::collections::BTreeMap;

use crate::config::lower::edges;
use crate::config::personas::PersonaFile;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::{Config, NetworkConfig, SmallWorldConfig};
use crate::config::written::scenario::TalkConfig;
use crate::domain::SeatId;
use crate::plan::{Network, parts_per_million};

/// The dotted key of the network.
pub const KEY: &str = "discussion.network";

/// Whether no seat hears another. If so, seats see nothing that depends on the others' statements or choices.
pub fn is_alone(config: &Config) -> bool {
    config.discussion.network == Some(NetworkConfig::Alone)
}

/// The network of one arm; `None` if it refers to something unknown, or its file had a reported error.
pub fn lower_network(
    config: &Config,
    files: &BTreeMap<String, PersonaFile>,
    seats: Soundness,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Network> {
    match config.discussion.network.as_ref().unwrap_or(&NetworkConfig::Complete) {
        NetworkConfig::Edges(name) => edges::lower_edges(config, (name, files), seats, tree, problems),
        written => problems.ok_or_report(lower_named(written, (config, seats), (KEY, tree))).flatten(),
    }
}

/// The network of a talk, if the talk has its own and it is another than that of the session.
///
/// # Errors
/// If it is a file of edges or refers to something unknown, or if the session is one in which no seat hears another.
pub fn lower_talk_network(
    (own, phase): (&TalkConfig, &str),
    (config, seats): (&Config, Soundness),
    tree: &Node,
) -> Result<Option<Network>, Problem> {
    let Some(written) = own.network.as_ref().filter(|own| Some(*own) != config.discussion.network.as_ref()) else {
        return Ok(None);
    };
    let key = format!("agenda.{phase}.discussion.network");
    let is_default = *written == NetworkConfig::Complete && config.discussion.network.is_none();
    match written {
        _ if is_default => Ok(None),
        NetworkConfig::Edges(_) => Err(tree
            .problem(&format!("{key}.file"), "a file of edges is the network of the whole session")
            .with_advice(format!("write {KEY} in the config"))),
        _ if is_alone(config) => Err(tree
            .problem(&key, format!("with {KEY}: self no seat hears another in any talk, nor how others voted"))
            .with_advice(format!("leave {KEY} out, and say network: self in the other talks"))),
        written => lower_named(written, (config, seats), (&key, tree)),
    }
}

/// A network without a file, written at a key; `None` if it names a seat and not all seats are known.
fn lower_named(
    written: &NetworkConfig,
    (config, seats): (&Config, Soundness),
    (key, tree): (&str, &Node),
) -> Result<Option<Network>, Problem> {
    let count = config.seats.len();
    Ok(Some(match written {
        NetworkConfig::Complete => Network::Complete,
        NetworkConfig::Alone => Network::Alone,
        NetworkConfig::Ring if count < 3 && seats == Soundness::Sound => {
            return Err(tree.problem(key, format!("a ring has at least 3 seats; there are {count}")));
        }
        NetworkConfig::Ring => Network::Ring,
        NetworkConfig::Star(star) => {
            let hub = star.as_ref().and_then(|star| star.hub.as_deref());
            match hub.map_or(Some(SeatId(0)), |hub| find_seat(config, hub)) {
                Some(hub) => Network::Star { hub },
                None if seats == Soundness::Sound => {
                    let wrong = |message: String| tree.problem(&format!("{key}.star.hub"), message);
                    return Err(no_seat(config, hub.unwrap_or_default(), wrong));
                }
                None => return Ok(None),
            }
        }
        NetworkConfig::SmallWorld(small) => small_world_of(small, (count, seats), (key, tree))?,
        NetworkConfig::Edges(_) => unreachable!("invariant: files are read elsewhere"),
    }))
}

fn small_world_of(
    SmallWorldConfig { neighbours, rewired }: &SmallWorldConfig,
    (count, seats): (usize, Soundness),
    (path, tree): (&str, &Node),
) -> Result<Network, Problem> {
    let wrong = |key: &str, message: String| Err(tree.problem(&format!("{path}.small_world.{key}"), message));
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
