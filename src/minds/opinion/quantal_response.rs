//! Rankings by quantal response: each place is a choice among the alternatives left.

use crate::chance::Draws;
use crate::domain::AlternativeId;
use crate::minds::coordinates::PROBABILITY_STEPS;
use crate::minds::quantal_response;

/// Draws all places behind the first, each with probabilities e^(λ·utility) over their sum among the alternatives left. The
/// complete ranking then has the product of these probabilities (Luce 1959, *Individual Choice Behavior*; Plackett 1975, *The
/// analysis of permutations*, Applied Statistics 24(2)). Utilities are in millionths; `at` gives the draws of a place, counted
/// from 0.
pub(super) fn draw_later_places(
    order: &mut [AlternativeId],
    utilities: &[i64],
    precision: f64,
    at: impl Fn(u32) -> Draws,
) {
    for place in 1..order.len().saturating_sub(1) {
        let left = &mut order[place..];
        left.sort_unstable();
        let mut shares: Vec<f64> = left.iter().map(|id| utilities[id.index()] as f64 * 1e-6).collect();
        quantal_response(&mut shares, precision);
        let next = draw_place(&shares, at(place as u32));
        left[..=next].rotate_right(1);
    }
}

/// Draws a position with these probabilities.
pub(super) fn draw_place(shares: &[f64], mut draws: Draws) -> usize {
    let parts: Vec<u64> = shares.iter().map(|share| (share * PROBABILITY_STEPS) as u64).collect();
    draws.draw_weighted(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{DrawPurpose, Pairing, session_seed};
    use crate::domain::SeatName;
    use crate::minds::coordinates::convening_question;

    #[test]
    fn each_ranking_comes_as_often_as_plackett_and_luce_say_and_the_first_place_stays() {
        let utilities = [0, 500_000, 1_200_000, 300_000];
        let worth: Vec<f64> = utilities.iter().map(|one| (2.0 * f64::from(*one) * 1e-6).exp()).collect();
        let utilities = utilities.map(i64::from);
        let sessions = 20_000;
        let mut counts = std::collections::BTreeMap::new();
        for session in 0..sessions {
            let seed = session_seed(7, session, Pairing::CommonRandomNumbers, "rankings");
            let mut order = [2, 3, 1, 0].map(AlternativeId);
            let at = |place| seed.at_question(DrawPurpose::Choice, &convening_question(&SeatName::new("Ann")), place);
            draw_later_places(&mut order, &utilities, 2.0, at);
            assert_eq!(order[0], AlternativeId(2));
            *counts.entry(order.map(AlternativeId::index)).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        for (order, count) in counts {
            let of = |place: usize| worth[order[place]] / order[place..].iter().map(|id| worth[*id]).sum::<f64>();
            let (expected, all) = (of(1) * of(2), f64::from(sessions));
            let error = (expected * (1.0 - expected) / all).sqrt();
            assert!((f64::from(count) / all - expected).abs() < 4.0 * error, "{order:?}: {count} of {all}, {expected}");
        }
    }

    #[test]
    fn at_the_greatest_precision_the_better_always_comes_first() {
        let seed = session_seed(7, 1, Pairing::CommonRandomNumbers, "rankings");
        let mut order = [3, 0, 1, 2].map(AlternativeId);
        let at = |place| seed.at_question(DrawPurpose::Choice, &convening_question(&SeatName::new("Ann")), place);
        draw_later_places(&mut order, &[0, 400_000, 900_000, 1_000_000], 1_000.0, at);
        assert_eq!(order.map(AlternativeId::index), [3, 2, 1, 0]);
    }
}
