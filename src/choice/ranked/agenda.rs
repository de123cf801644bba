//! One against the next.

use super::Pairwise;
use super::count::VoteCount;

/// The amendment agenda: the first alternative is voted on against the second, the winner against the third, and so on in this
/// order; where a vote is tied, what stood before stands. Source: Black 1958, "The theory of committees and elections"; Farquharson
/// 1969.
///
/// # Panics
/// When the order has a place that is none of an alternative.
pub fn amendment_agenda(pairwise: &Pairwise, order: impl IntoIterator<Item = usize>) -> VoteCount {
    let challenge = |holder: usize, next: usize| if pairwise.margin(next, holder) > 0 { next } else { holder };
    let winner = order.into_iter().reduce(challenge);
    VoteCount { winners: Vec::from_iter(winner), points: None }
}
