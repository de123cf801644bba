//! Who hears whom: what an author writes of it, and the links of each replicate. The file of edges is another's affair.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::json;

use super::config::Config;
use super::decimal::parts_per_million;
use super::scenario::Soundness;
use super::tree::Node;
use super::{PersonaFile, Plan, Problem, Problems, edges, suggest};
use crate::chance::{Pairing, Purpose, SessionSeed, session_seed};
use crate::domain::{Links, Moment, PhaseName, SeatId, Step};
use crate::memory::MemoryPlan;

/// Where a config says who hears whom.
pub(super) const KEY: &str = "discussion.network";

/// Who hears whom in the discussion.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = also_a_word)]
pub enum NetworkConfig {
    /// Every seat hears every other.
    Complete,
    /// Every seat hears itself alone.
    #[serde(rename = "self")]
    Alone,
    /// Every seat hears the one before it and the one after it; the last and the first are neighbours.
    Ring,
    /// One seat hears all and is heard by all; the others hear nobody else.
    Star(Option<StarConfig>),
    /// A ring in which seats hear several neighbours, and some of these links lead to a seat drawn by lot instead (Watts and
    /// Strogatz 1998); drawn for each replicate, the same in every arm.
    SmallWorld(SmallWorldConfig),
    /// What a file says: CSV with the columns `from` and `to`, names of seats, and `weight` if there is one. The seat under `to`
    /// hears the seat under `from`; minds that take weighted means weigh it so, unless they have weights of their own.
    #[serde(rename = "file")]
    Edges(String),
}

/// Whether nobody hears another. Then nothing that depends on what others say or choose is told to anybody.
pub(super) fn is_alone(config: &Config) -> bool {
    config.discussion.network == Some(NetworkConfig::Alone)
}

/// What memories keep, and how: where nobody hears another, nothing of votes but the own ballot.
pub(super) fn kept(config: &Config, memory: MemoryPlan) -> MemoryPlan {
    match is_alone(config) {
        true => MemoryPlan { routing: memory.routing.alone(), ..memory },
        false => memory,
    }
}

/// Whom all hear.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StarConfig {
    /// The seat that hears all and is heard by all; left out, the first.
    hub: Option<String>,
}

/// How small the world is.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SmallWorldConfig {
    /// How many neighbours each seat hears before any link is moved, half of them on either side: an even number, less than there
    /// are seats.
    #[schemars(range(min = 2))]
    neighbours: u32,
    /// With which probability a link is moved.
    #[schemars(range(min = 0, max = 1))]
    rewired: f64,
}

/// A network whose settings may be left out is a word, too.
fn also_a_word(schema: &mut Schema) {
    let kinds = schema
        .get_mut("oneOf")
        .and_then(serde_json::Value::as_array_mut)
        .expect("invariant: a network is one of several");
    let is_star = |kind: &serde_json::Value| kind["properties"].get("star").is_some();
    let place = kinds.iter().position(is_star).expect("invariant: a network may be a star");
    let settings = &mut kinds[place]["properties"]["star"];
    *settings = settings["anyOf"][0].take();
    let word = json!({ "type": "string", "const": "star", "description": kinds[place]["description"] });
    kinds.insert(place, word);
}

/// Who hears whom in the sessions of an arm.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Network {
    /// Every seat hears every other.
    Complete,
    /// Every seat hears itself alone.
    Alone,
    /// Every seat hears its two neighbours.
    Ring,
    /// One seat hears all and is heard by all.
    Star {
        /// That seat.
        hub: SeatId,
    },
    /// A ring of which some links are moved by lot.
    SmallWorld {
        /// How many neighbours a seat has before that.
        neighbours: u32,
        /// With which probability a link is moved, in parts per million.
        rewired_ppm: u32,
    },
    /// What a file says, in its order.
    Edges(Vec<Edge>),
}

/// A seat hears another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Edge {
    /// Who is heard.
    pub from: SeatId,
    /// Who hears it.
    pub to: SeatId,
    /// The weight of what it hears from there, in millionths; `None` where the file has no weights.
    pub weight_ppm: Option<u64>,
}

impl Network {
    /// What the file says of how much one seat weighs what it hears from another, or itself, in the order of the file: who is heard, who
    /// hears, and the weight in millionths; nothing where there is no file or it has no weights.
    pub fn weights(&self) -> impl Iterator<Item = (SeatId, SeatId, u64)> + '_ {
        let edges = if let Network::Edges(edges) = self { edges.as_slice() } else { &[] };
        edges.iter().filter_map(|edge| Some((edge.from, edge.to, edge.weight_ppm?)))
    }

    /// Whether it differs from replicate to replicate.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Network::SmallWorld { .. })
    }

    /// Its name in words and files.
    pub fn word(&self) -> &'static str {
        match self {
            Network::Complete => "complete",
            Network::Alone => "self",
            Network::Ring => "ring",
            Network::Star { .. } => "star",
            Network::SmallWorld { .. } => "small_world",
            Network::Edges(_) => "file",
        }
    }

    /// The links of so many seats; `None` where everyone hears everyone.
    fn links(&self, seats: usize, seed: &SessionSeed) -> Option<Links> {
        let count = seats as u32;
        let all = || (0..count).map(SeatId);
        let mut hears = vec![Vec::new(); seats];
        match self {
            Network::Complete => return None,
            Network::Alone => {}
            Network::Ring => lattice(count, 2).into_iter().for_each(|(one, other)| join(&mut hears, one, other)),
            Network::Star { hub } => all().for_each(|seat| join(&mut hears, hub.0, seat.0)),
            Network::SmallWorld { neighbours, rewired_ppm } => {
                let links = small_world(count, (*neighbours, *rewired_ppm), seed);
                links.into_iter().for_each(|(one, other)| join(&mut hears, one, other));
            }
            Network::Edges(edges) => edges.iter().for_each(|edge| hears[edge.to.index()].push(edge.from)),
        }
        Some(Links::of(hears))
    }
}

impl Plan {
    /// Who hears whom in a replicate; `None` where everyone hears everyone. Drawn by replicate alone, so that every arm has the
    /// same.
    pub fn links(&self, replicate: u32) -> Option<Links> {
        let seed = session_seed(self.seed, replicate, Pairing::CommonRandomNumbers, "");
        self.network.links(self.seats.len(), &seed)
    }
}

fn join(hears: &mut [Vec<SeatId>], one: u32, other: u32) {
    hears[one as usize].push(SeatId(other));
    hears[other as usize].push(SeatId(one));
}

/// The links of a ring in which each of `count` seats has `neighbours` neighbours, half of them on either side: first those at
/// distance 1, then those at distance 2, and so on.
fn lattice(count: u32, neighbours: u32) -> Vec<(u32, u32)> {
    (1..=neighbours / 2).flat_map(|apart| (0..count).map(move |seat| (seat, (seat + apart) % count))).collect()
}

/// A ring of which links are moved. Source: Watts and Strogatz 1998, "Collective dynamics of 'small-world' networks", Nature 393,
/// methods of figure 1: link by link, first those at distance 1; a link's far end is moved with a probability to a seat drawn
/// from all with which there is no link yet. A seat that is linked with all keeps its link.
fn small_world(count: u32, (neighbours, rewired_ppm): (u32, u32), seed: &SessionSeed) -> Vec<(u32, u32)> {
    let mut links = lattice(count, neighbours);
    let mut linked = vec![vec![false; count as usize]; count as usize];
    for (one, other) in &links {
        linked[*one as usize][*other as usize] = true;
        linked[*other as usize][*one as usize] = true;
    }
    let at = Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Convening };
    for (item, link) in (0u32..).zip(&mut links) {
        // Each link draws for itself, so that no draw of one moves another's.
        let mut draws = seed.at_moment(Purpose::Network, &at, item);
        let (one, other) = *link;
        let free: Vec<u32> = (0..count).filter(|seat| *seat != one && !linked[one as usize][*seat as usize]).collect();
        if !draws.happens(rewired_ppm) || free.is_empty() {
            continue;
        }
        let new = free[draws.below(free.len() as u64) as usize];
        for (seat, is_linked) in [(other, false), (new, true)] {
            linked[one as usize][seat as usize] = is_linked;
            linked[seat as usize][one as usize] = is_linked;
        }
        *link = (one, new);
    }
    links
}

/// The network of one arm; `None` when it names what is not there, or its file could not be read, which was told.
pub fn lower(
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
            match hub.map_or(Some(SeatId(0)), |hub| seat(config, hub)) {
                Some(hub) => Ok(Network::Star { hub }),
                None if seats == Soundness::Sound => {
                    Err(no_seat(config, hub.unwrap_or_default(), |m| tree.problem(&format!("{KEY}.star.hub"), m)))
                }
                None => return None,
            }
        }
        NetworkConfig::SmallWorld(small) => small_world_of(small, (count, seats), tree),
        NetworkConfig::Edges(name) => return edges::lower(config, (name, files), seats, tree, problems),
    };
    problems.keep(lowered)
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

pub(super) fn seat(config: &Config, name: &str) -> Option<SeatId> {
    config.seats.iter().position(|seat| seat.name == name).map(|place| SeatId(place as u32))
}

pub(super) fn no_seat(config: &Config, name: &str, problem: impl Fn(String) -> Problem) -> Problem {
    let known = config.seats.iter().map(|seat| seat.name.as_str());
    problem(format!("no seat is named \"{name}\"")).with_hint(suggest(name, known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seed(replicate: u32) -> SessionSeed {
        session_seed(7, replicate, Pairing::CommonRandomNumbers, "")
    }

    fn heard(network: &Network, seats: usize) -> Vec<Vec<u32>> {
        let links = network.links(seats, &seed(1)).expect("not everyone hears everyone");
        (0..seats as u32).map(|seat| links.heard_by(SeatId(seat)).iter().map(|other| other.0).collect()).collect()
    }

    #[test]
    fn rings_and_stars_are_what_they_are_called() {
        assert_eq!(heard(&Network::Ring, 4), [vec![1, 3], vec![0, 2], vec![1, 3], vec![0, 2]]);
        assert_eq!(heard(&Network::Star { hub: SeatId(1) }, 3), [vec![1], vec![0, 2], vec![1]]);
        assert_eq!(heard(&Network::Alone, 2), [vec![], Vec::<u32>::new()]);
        assert_eq!(Network::Complete.links(3, &seed(1)), None);
        let edge = |from, to, weight_ppm| Edge { from: SeatId(from), to: SeatId(to), weight_ppm };
        let edges = Network::Edges(vec![edge(0, 1, Some(250_000)), edge(1, 1, Some(750_000)), edge(1, 2, Some(0))]);
        assert_eq!(heard(&edges, 3), [vec![], vec![0], vec![1]]);
        let weights: Vec<(u32, u32, u64)> = edges.weights().map(|(from, to, ppm)| (from.0, to.0, ppm)).collect();
        assert_eq!(weights, [(0, 1, 250_000), (1, 1, 750_000), (1, 2, 0)]);
    }

    proptest! {
        #[test]
        fn a_small_world_has_the_links_of_its_ring_and_moves_the_share_that_it_should(
            seats in 3u32..40, half in 1u32..4, rewired_ppm in 0u32..=1_000_000, replicate in 1u32..50
        ) {
            prop_assume!(2 * half < seats);
            let ring = lattice(seats, 2 * half);
            let links = small_world(seats, (2 * half, rewired_ppm), &seed(replicate));
            prop_assert_eq!(links.len(), ring.len());
            let mut ends: Vec<(u32, u32)> = links.iter().map(|(one, other)| (*one.min(other), *one.max(other))).collect();
            prop_assert!(ends.iter().all(|(one, other)| one != other && *other < seats));
            ends.sort_unstable();
            ends.dedup();
            prop_assert_eq!(ends.len(), ring.len(), "no link is there twice");
            let moved = links.iter().zip(&ring).filter(|(new, old)| new != old).count();
            if rewired_ppm == 0 {
                prop_assert_eq!(moved, 0);
            }
            if rewired_ppm == 1_000_000 && seats > 4 * half + 1 + 2 * half {
                prop_assert_eq!(moved, ring.len());
            }
        }
    }

    #[test]
    fn links_are_moved_as_often_as_the_probability_says() {
        let ring = lattice(30, 4);
        let moved = (1..=200).map(|replicate| {
            let links = small_world(30, (4, 200_000), &seed(replicate));
            links.iter().zip(&ring).filter(|(new, old)| new != old).count()
        });
        let share = moved.sum::<usize>() as f64 / (200.0 * ring.len() as f64);
        // 12 000 links: the standard error is 0.0037.
        assert!((share - 0.2).abs() < 0.015, "{share}");
    }
}
