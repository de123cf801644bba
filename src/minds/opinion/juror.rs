//! Sincere jurors: each seat holds the alternative of its own evidence, whatever others say.
//!
//! Source: Condorcet 1785, "Essai sur l'application de l'analyse à la probabilité des décisions rendues à la pluralité des voix".
//! Where each of n members is right with probability p, independently, the number of right votes is binomial.
//!
//! The scenario sets how often a signal is right. A seat whose memory does not show its signal holds a drawn alternative.

/// The probability that at least `needed` of n members are right, each with probability p.
///
/// ```
/// use ekklesia::minds::right_at_least;
/// assert_eq!(right_at_least(2, 3, 0.5), 0.5);
/// ```
pub fn right_at_least(needed: u32, members: u32, accuracy: f64) -> f64 {
    let (members, certain) = (members as usize, accuracy >= 1.0);
    if certain {
        return if needed as usize <= members { 1.0 } else { 0.0 };
    }
    // P(k + 1) = P(k) · (n − k) / (k + 1) · p / (1 − p), in logarithms so that many members do not underflow.
    let odds = libm::log(accuracy) - libm::log(1.0 - accuracy);
    let mut exactly = members as f64 * libm::log(1.0 - accuracy);
    let mut sum = 0.0;
    for right in 0..=members {
        if right >= needed as usize {
            sum += libm::exp(exactly);
        }
        if right < members {
            exactly += libm::log((members - right) as f64) - libm::log((right + 1) as f64) + odds;
        }
    }
    sum
}
