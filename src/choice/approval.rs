//! The approval rule.

use super::ranked::{Points, VoteCount};

/// Approval: the most weighted approvals, and at least one. Source: Brams and Fishburn 1978, "Approval voting", American
/// Political Science Review 72(3).
///
/// ```
/// use ekklesia::choice::approval;
///
/// let (bread, both) = ([true, false], [true, true]);
/// assert_eq!(approval(2, [(&bread[..], 1), (&both[..], 2)]).winners, [0]);
/// ```
///
/// # Panics
/// If a ballot has another number of alternatives.
pub fn approval<'b>(alternatives: usize, ballots: impl IntoIterator<Item = (&'b [bool], u64)>) -> VoteCount {
    let mut of = vec![0; alternatives];
    for (approved, weight) in ballots {
        assert!(approved.len() == alternatives, "invariant: all ballots are over the same alternatives");
        for (points, is_approved) in of.iter_mut().zip(approved) {
            *points += if *is_approved { i128::from(weight) } else { 0 };
        }
    }
    VoteCount::of_most_voted(Points { of, unit: 1 })
}
