//! Averaging with an anchor: talk moves a seat only part of the way from its first opinion and its attractor.
//!
//! Source: Friedkin and Johnsen 1990, "Social influence and opinions", Journal of Mathematical Sociology 15(3–4); 1999, "Social
//! influence networks and opinion change", Advances in Group Processes 16. With x(0) the first opinions, the next ones are
//! λ·(W·x) + (1 − λ)·x(0), where λ = 1 − stubbornness. The attractor b with its pull κ represents a bias that comes from nobody
//! in the group: the anchor is then (1 − κ)·x(0) + κ·b.

/// The anchor of a seat.
pub fn opinion_anchor(first: f64, attractor: f64, pull: f64) -> f64 {
    (1.0 - pull) * first + pull * attractor
}

/// The next opinion, from the weighted mean of the present ones and the anchor.
///
/// ```
/// use ekklesia::minds::{anchored_opinion, averaged_opinion};
/// assert_eq!(anchored_opinion(averaged_opinion(0.0, &[(0.5, 1.0)]), 0.0, 0.5), 0.25);
/// ```
pub fn anchored_opinion(averaged: f64, anchor: f64, stubbornness: f64) -> f64 {
    (1.0 - stubbornness) * averaged + stubbornness * anchor
}
