//! One against the next.

use super::Pairwise;
use super::rule::Count;

/// The amendment agenda: the first alternative is voted on against the second, the winner against the third, and so on in the
/// order of the alternatives; where a vote is tied, what stood before stands. Source: Black 1958, "The theory of committees and
/// elections"; Farquharson 1969.
pub fn amendment_agenda(pairwise: &Pairwise) -> Count {
    let challenge = |holder: usize, next: usize| if pairwise.margin(next, holder) > 0 { next } else { holder };
    let winner = (0..pairwise.alternatives()).reduce(challenge);
    Count { winners: Vec::from_iter(winner), points: None }
}
