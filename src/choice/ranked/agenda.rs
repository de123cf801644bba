//! The amendment agenda.

use super::Pairwise;
use super::count::VoteCount;

/// The amendment agenda: the first alternative is voted on against the second, the winner against the third, and so on; at a tie
/// the present holder stays. Source: Black 1958, "The theory of committees and elections"; Farquharson 1969.
///
/// # Panics
/// If a place in the order is not an alternative.
pub fn amendment_agenda(pairwise: &Pairwise, order: impl IntoIterator<Item = usize>) -> VoteCount {
    let challenge = |holder: usize, next: usize| if pairwise.margin(next, holder) > 0 { next } else { holder };
    let winner = order.into_iter().reduce(challenge);
    VoteCount { winners: Vec::from_iter(winner), points: None }
}
