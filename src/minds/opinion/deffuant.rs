//! Bounded confidence in pairs: a seat moves towards the one that it meets if their opinions are near enough.
//!
//! Source: Deffuant, Neau, Amblard and Weisbuch 2000, "Mixing beliefs among interacting agents", Advances in Complex Systems
//! 3(1–4). Both move by an equal part of their distance, so that their mean stays constant; the bound is open.
//!
//! The model draws one pair at a time. Here all speakers of a round are put in one random order: the first meets the second, the
//! third the fourth, and so on; if their number is odd, the last meets nobody.

use super::hegselmann_krause::is_nearer;

/// The next opinion after a meeting at this distance.
///
/// ```
/// use ekklesia::minds::converged_opinion;
/// assert_eq!(converged_opinion(0.5, 0.75, (0.25, 0.5), 0.5), 0.625);
/// assert_eq!(converged_opinion(0.5, 0.75, (0.25, 0.25), 0.5), 0.5);
/// ```
pub fn converged_opinion(own: f64, other: f64, (distance, bound): (f64, f64), convergence: f64) -> f64 {
    if is_nearer(distance, bound) { own + convergence * (other - own) } else { own }
}

/// The other seat of a pair if all are paired in this order; `None` if the seat is left over or not in it.
pub fn find_partner(seat: u32, order: &[u32]) -> Option<u32> {
    let place = order.iter().position(|other| *other == seat)?;
    order.get(place ^ 1).copied()
}
