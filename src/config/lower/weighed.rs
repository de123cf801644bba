//! Assigns the weights of an edge file to seats whose minds take weighted means.
//!
//! The network determines who hears whom. Weights written in a mind are kept.

use std::collections::BTreeMap;

use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::minds::{EdgeWeights, InfluenceWeights, Mind, OpinionRule, Opinionated};
use crate::plan::{Network, Origin, Seat, Sitter};

/// Gives the file's weights to minds that take means and name none; reports seats with two weights of their own.
pub fn assign_edge_weights(
    mut seats: Option<Vec<Seat>>,
    network: Option<&Network>,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Vec<Seat>> {
    let mut of_seats = weights_by_listener(network);
    for (place, seat) in (0u32..).zip(seats.iter_mut().flatten()) {
        let Some(of_seat) = of_seats.remove(&place) else { continue };
        let Sitter::Mind(Mind::Opinionated(mind)) = &mut seat.sitter else { continue };
        let name = mind.rule.name();
        let Some(weights) = mean_weights(mind).filter(|weights| **weights == InfluenceWeights::Equal) else { continue };
        let path = format!("seats.{}.mind.{name}.self_weight", seat.name);
        let written = tree.find(&path).is_some_and(|node| node.place.origin != Origin::Default);
        if written && of_seat.own.is_some() {
            let message = format!("the file of the network says, too, how much {} weighs itself", seat.name);
            let hint = format!("leave out self_weight, or the row from {0} to {0}", seat.name);
            problems.push(tree.problem(&path, message).with_advice(hint));
        }
        *weights = InfluenceWeights::Edges(of_seat);
    }
    seats
}

/// Whether a seat takes its weights from an edge file.
pub fn goes_by_edges(seat: &Seat) -> bool {
    let Sitter::Mind(Mind::Opinionated(mind)) = &seat.sitter else { return false };
    matches!(
        &mind.rule,
        OpinionRule::Degroot { weights: InfluenceWeights::Edges(_), .. }
            | OpinionRule::FriedkinJohnsen { weights: InfluenceWeights::Edges(_), .. }
    )
}

/// The weights of a mind that takes weighted means.
fn mean_weights(mind: &mut Opinionated) -> Option<&mut InfluenceWeights> {
    match &mut mind.rule {
        OpinionRule::Degroot { weights, .. } | OpinionRule::FriedkinJohnsen { weights, .. } => Some(weights),
        _ => None,
    }
}

/// The weights of each listener in the network, by its position.
fn weights_by_listener(network: Option<&Network>) -> BTreeMap<u32, EdgeWeights> {
    let mut found: BTreeMap<u32, EdgeWeights> = BTreeMap::new();
    for (from, to, ppm) in network.into_iter().flat_map(Network::weights) {
        let of_seat = found.entry(to.0).or_default();
        match from == to {
            true => of_seat.own = Some(ppm),
            false => drop(of_seat.others.insert(from.0, ppm)),
        }
    }
    found
}
