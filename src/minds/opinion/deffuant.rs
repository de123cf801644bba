//! Bounded confidence, two by two: who meets somebody whose opinion is near enough moves towards it.
//!
//! Source: Deffuant, Neau, Amblard and Weisbuch 2000, "Mixing beliefs among interacting agents", Advances in Complex Systems
//! 3(1–4). The two move by the same part of their distance, so that their mean stays what it was; the bound is open.
//!
//! The model draws one pair at a time. Here all who spoke in a round are drawn up in one order by lot, and the first meets the second,
//! the third the fourth, and so on; of an odd number the last meets nobody.

use super::hegselmann_krause::is_nearer;

/// The next opinion of one who met somebody at this distance.
///
/// ```
/// use ekklesia::minds::converged_opinion;
/// assert_eq!(converged_opinion(0.5, 0.75, (0.25, 0.5), 0.5), 0.625);
/// assert_eq!(converged_opinion(0.5, 0.75, (0.25, 0.25), 0.5), 0.5);
/// ```
pub fn converged_opinion(own: f64, other: f64, (distance, bound): (f64, f64), convergence: f64) -> f64 {
    if is_nearer(distance, bound) { own + convergence * (other - own) } else { own }
}

/// Who stands beside a seat where all are paired in this order; `None` where it is left over, or not among them.
pub fn find_partner(seat: u32, order: &[u32]) -> Option<u32> {
    let place = order.iter().position(|other| *other == seat)?;
    order.get(place ^ 1).copied()
}
