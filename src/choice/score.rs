//! The score rule.

use super::ranked::{Points, VoteCount};

/// Score, or range voting: the greatest sum of weighted scores. If all scores are 0, every alternative wins, as long as there is
/// a ballot. Source: Smith 2000, "Range voting"; Hillinger 2005, "The case for utilitarian voting".
///
/// ```
/// use ekklesia::choice::score;
///
/// assert_eq!(score(3, [(&[5, 3, 0][..], 1), (&[0, 4, 5][..], 1)]).winners, [1]);
/// ```
///
/// # Panics
/// If a ballot has another number of alternatives.
pub fn score<'b>(alternatives: usize, ballots: impl IntoIterator<Item = (&'b [u32], u64)>) -> VoteCount {
    let (mut of, mut voted) = (vec![0; alternatives], 0_u128);
    for (scores, weight) in ballots {
        assert!(scores.len() == alternatives, "invariant: all ballots are over the same alternatives");
        voted += u128::from(weight);
        for (points, score) in of.iter_mut().zip(scores) {
            *points += i128::from(weight) * i128::from(*score);
        }
    }
    let points = Points { of, unit: 1 };
    if voted == 0 { VoteCount { winners: Vec::new(), points: Some(points) } } else { VoteCount::of_most(points) }
}
