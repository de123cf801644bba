//! How much a seat that takes means weighs each of those it hears, where a file of edges says it and its mind does not.
//!
//! It does not say who hears whom: that is the network's. Weights that are written in a mind stay as they are.

use std::collections::BTreeMap;

use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::minds::{EdgeWeights, InfluenceWeights, Mind, OpinionRule, Opinionated};
use crate::plan::{Network, Origin, Seat, Sitter};

/// Gives the weights of a file to the minds that take means and name none; told of where a seat has two weights of its own.
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
            problems.push(tree.problem(&path, message).with_hint(Some(hint)));
        }
        *weights = InfluenceWeights::Edges(of_seat);
    }
    seats
}

/// Whether a seat weighs those it hears by a file of edges.
pub fn goes_by_edges(seat: &Seat) -> bool {
    let Sitter::Mind(Mind::Opinionated(mind)) = &seat.sitter else { return false };
    matches!(
        &mind.rule,
        OpinionRule::Degroot { weights: InfluenceWeights::Edges(_), .. }
            | OpinionRule::FriedkinJohnsen { weights: InfluenceWeights::Edges(_), .. }
    )
}

/// The weights of a mind that takes weighted means; `None` of any other.
fn mean_weights(mind: &mut Opinionated) -> Option<&mut InfluenceWeights> {
    match &mut mind.rule {
        OpinionRule::Degroot { weights, .. } | OpinionRule::FriedkinJohnsen { weights, .. } => Some(weights),
        OpinionRule::HegselmannKrause { .. }
        | OpinionRule::Deffuant { .. }
        | OpinionRule::QVoter { .. }
        | OpinionRule::Majority { .. }
        | OpinionRule::ArgumentExchange { .. }
        | OpinionRule::SocialDecisionScheme(_)
        | OpinionRule::QuantalResponse { .. }
        | OpinionRule::Polya { .. }
        | OpinionRule::Juror => None,
    }
}

/// What a file says of each seat that hears somebody with a weight, by its place at the table.
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
