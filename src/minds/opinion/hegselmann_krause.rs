//! Bounded confidence, all at once: everybody takes the mean of all opinions that are not too far from its own.
//!
//! Source: Hegselmann and Krause 2002, "Opinion dynamics and bounded confidence", Journal of Artificial Societies and Social
//! Simulation 5(3). The own opinion is one of those; the bound is closed: what is exactly as far away still counts.
//!
//! Distances are compared in whole billionths, so that 0.4 is as far from 0.25 as 0.15 is from 0.

/// Billionths in one.
const BILLION: f64 = 1e9;

/// Whether a distance is within a bound, the bound included.
pub fn is_within(distance: f64, bound: f64) -> bool {
    distance * BILLION < billionths(bound) + 0.5
}

/// Whether it is nearer than the bound.
pub fn is_nearer(distance: f64, bound: f64) -> bool {
    distance * BILLION < billionths(bound) - 0.5
}

/// The mean of the own opinion and those of the others that lie within the bound.
///
/// ```
/// use ekklesia::minds::near_mean;
/// assert_eq!(near_mean(0.5, &[0.0, 0.25, 1.0], 0.25), 0.375);
/// ```
pub fn near_mean(own: f64, others: &[f64], bound: f64) -> f64 {
    let limit = billionths(bound) + 0.5;
    let (mut sum, mut count) = (own, 1.0);
    for other in others {
        // Without a branch: which are near is not to be foreseen.
        let counts = if (other - own).abs() * BILLION < limit { 1.0 } else { 0.0 };
        sum += counts * other;
        count += counts;
    }
    sum / count
}

/// A whole number of them, half of one up.
fn billionths(number: f64) -> f64 {
    (number * BILLION + 0.5) as i64 as f64
}
