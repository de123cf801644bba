//! Bounded confidence, all at once: each seat takes the mean of all opinions that are near its own.
//!
//! Source: Hegselmann and Krause 2002, "Opinion dynamics and bounded confidence", Journal of Artificial Societies and Social
//! Simulation 5(3). The mean includes the own opinion. The bound is closed: a distance equal to it counts.
//!
//! Distances are compared in whole billionths, so that 0.4 is as far from 0.25 as 0.15 is from 0. Opinions are also added in
//! whole billionths: a sum of floats depends on its order and each seat begins with its own opinion, so seats that hear the same
//! opinions would end a billionth apart.

const BILLION: f64 = 1e9;

/// Whether a distance is at most the bound.
pub fn is_within(distance: f64, bound: f64) -> bool {
    distance * BILLION < to_billionths(bound) as f64 + 0.5
}

/// Whether a distance is below the bound.
pub fn is_nearer(distance: f64, bound: f64) -> bool {
    distance * BILLION < to_billionths(bound) as f64 - 0.5
}

/// The mean of the own opinion and those within the bound, computed in whole billionths.
///
/// ```
/// use ekklesia::minds::near_mean;
/// assert_eq!(near_mean(0.5, &[0.0, 0.25, 1.0], 0.25), 0.375);
/// ```
pub fn near_mean(own: f64, others: &[f64], bound: f64) -> f64 {
    mean_with(own, others.iter().copied().filter(|other| is_within((other - own).abs(), bound)))
}

/// The mean of the own opinion and all others, computed in whole billionths.
pub(super) fn mean_with(own: f64, others: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        others.fold((to_billionths(own), 1), |(sum, count), other| (sum + to_billionths(other), count + 1_i64));
    sum as f64 / (count as f64 * BILLION)
}

/// Rounds half up.
fn to_billionths(number: f64) -> i64 {
    (number * BILLION + 0.5) as i64
}
