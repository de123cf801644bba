//! The network: which seats hear which.

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{Links, Moment, SeatId, Step};

/// The network of an arm.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Network {
    /// Every seat hears every other.
    Complete,
    /// Every seat hears only itself.
    #[strum(serialize = "self")]
    Alone,
    /// Every seat hears its two neighbours.
    Ring,
    /// One seat hears all others and is heard by all.
    Star {
        /// The seat at the centre.
        hub: SeatId,
    },
    /// A ring with some links rewired at random.
    SmallWorld {
        /// The number of neighbours of each seat before rewiring.
        neighbours: u32,
        /// The probability that a link is rewired, in parts per million.
        rewired_ppm: u32,
    },
    /// The edges of a file, in its order.
    #[strum(serialize = "file")]
    Edges(Vec<Edge>),
}

/// A seat hears another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Edge {
    /// The seat that is heard.
    pub from: SeatId,
    /// The seat that hears it.
    pub to: SeatId,
    /// The weight of the seat that is heard, in parts per million; `None` if the file has no weights.
    pub weight_ppm: Option<u64>,
}

impl Network {
    /// The weights of a file in its order: the seat heard, the listener (possibly itself), and parts per million; may be empty.
    pub fn weights(&self) -> impl Iterator<Item = (SeatId, SeatId, u64)> + '_ {
        let edges = if let Network::Edges(edges) = self { edges.as_slice() } else { &[] };
        edges.iter().filter_map(|edge| Some((edge.from, edge.to, edge.weight_ppm?)))
    }

    /// Whether it differs between replicates.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Network::SmallWorld { .. })
    }

    /// The name of the kind in configs and tables.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// The links between `seats` seats; `None` if every seat hears every other.
    pub fn links(&self, seats: usize, seed: &SessionSeed) -> Option<Links> {
        let count = seats as u32;
        let all = || (0..count).map(SeatId);
        let mut hears = vec![Vec::new(); seats];
        match self {
            Network::Complete => return None,
            Network::Alone => {}
            Network::Ring => {
                ring_lattice(count, 2).into_iter().for_each(|(one, other)| link_seats(&mut hears, one, other))
            }
            Network::Star { hub } => all().for_each(|seat| link_seats(&mut hears, hub.0, seat.0)),
            Network::SmallWorld { neighbours, rewired_ppm } => {
                let links = small_world(count, (*neighbours, *rewired_ppm), seed);
                links.into_iter().for_each(|(one, other)| link_seats(&mut hears, one, other));
            }
            Network::Edges(edges) => edges.iter().for_each(|edge| hears[edge.to.index()].push(edge.from)),
        }
        Some(Links::of(hears))
    }
}

fn link_seats(hears: &mut [Vec<SeatId>], one: u32, other: u32) {
    hears[one as usize].push(SeatId(other));
    hears[other as usize].push(SeatId(one));
}

/// The links of a ring in which each of `count` seats has `neighbours` neighbours, half on either side: first the links at
/// distance 1, then those at distance 2, and so on.
fn ring_lattice(count: u32, neighbours: u32) -> Vec<(u32, u32)> {
    (1..=neighbours / 2).flat_map(|apart| (0..count).map(move |seat| (seat, (seat + apart) % count))).collect()
}

/// A ring with rewired links. Source: Watts and Strogatz 1998, "Collective dynamics of 'small-world' networks", Nature 393,
/// methods of figure 1. Links are visited in the order of their distance. With the given probability, a link's far end moves to a
/// seat drawn from those not yet linked. A seat linked with all others keeps its link.
fn small_world(count: u32, (neighbours, rewired_ppm): (u32, u32), seed: &SessionSeed) -> Vec<(u32, u32)> {
    let mut links = ring_lattice(count, neighbours);
    let mut linked = vec![vec![false; count as usize]; count as usize];
    for (one, other) in &links {
        linked[*one as usize][*other as usize] = true;
        linked[*other as usize][*one as usize] = true;
    }
    let at = Moment::outside_phases(Step::Convening);
    for (item, link) in (0u32..).zip(&mut links) {
        // Each link has its own stream, so draws do not affect each other.
        let mut draws = seed.at_moment(DrawPurpose::Network, &at, item);
        let (one, other) = *link;
        let free: Vec<u32> = (0..count).filter(|seat| *seat != one && !linked[one as usize][*seat as usize]).collect();
        if !draws.draw_event(rewired_ppm) || free.is_empty() {
            continue;
        }
        let new = free[draws.draw_below(free.len() as u64) as usize];
        for (seat, is_linked) in [(other, false), (new, true)] {
            linked[one as usize][seat as usize] = is_linked;
            linked[seat as usize][one as usize] = is_linked;
        }
        *link = (one, new);
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Pairing, session_seed};
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
            let ring = ring_lattice(seats, 2 * half);
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
        let ring = ring_lattice(30, 4);
        let moved = (1..=200).map(|replicate| {
            let links = small_world(30, (4, 200_000), &seed(replicate));
            links.iter().zip(&ring).filter(|(new, old)| new != old).count()
        });
        let share = moved.sum::<usize>() as f64 / (200.0 * ring.len() as f64);
        // 12 000 links: the standard error is 0.0037.
        assert!((share - 0.2).abs() < 0.015, "{share}");
    }
}
