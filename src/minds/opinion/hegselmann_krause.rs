//! Bounded confidence, all at once: everybody takes the mean of all opinions that are not too far from its own.
//!
//! Source: Hegselmann and Krause 2002, "Opinion dynamics and bounded confidence", Journal of Artificial Societies and Social
//! Simulation 5(3). The own opinion is one of those; the bound is closed: what is exactly as far away still counts.
//!
//! Distances are compared in whole billionths, so that 0.4 is as far from 0.25 as 0.15 is from 0.

/// Whether a distance is within a bound, the bound included.
pub fn is_within(distance: f64, bound: f64) -> bool {
    billionths(distance) <= billionths(bound)
}

/// Whether it is nearer than the bound.
pub fn is_nearer(distance: f64, bound: f64) -> bool {
    billionths(distance) < billionths(bound)
}

/// The mean of the own opinion and those of the others that lie within the bound.
///
/// ```
/// use ekklesia::minds::near_mean;
/// assert_eq!(near_mean(0.5, &[0.0, 0.25, 1.0], 0.25), 0.375);
/// ```
pub fn near_mean(own: f64, others: &[f64], bound: f64) -> f64 {
    let (mut sum, mut count) = (own, 1.0);
    for other in others {
        if is_within((other - own).abs(), bound) {
            sum += other;
            count += 1.0;
        }
    }
    sum / count
}

/// Rounded by hand: half a billionth up, so that no library's rounding is in it.
fn billionths(number: f64) -> i64 {
    (number * 1e9 + 0.5) as i64
}
