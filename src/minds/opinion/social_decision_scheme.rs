//! Social decision schemes: the decision depends on how many members favoured each alternative before the talk.
//!
//! Source: Davis 1973, "Group decision and social interaction: a theory of social decision schemes", Psychological Review 80(2).
//! A scheme D has the probability of each decision for each distribution π of first positions; those of decisions are π·D.
//! Demonstrably right answers win as soon as one or two see them: Laughlin and Ellis 1986, "Demonstrability and social
//! combination processes on mathematical intellective tasks", Journal of Experimental Social Psychology 22(3).
//!
//! Here each seat declares its favourite in its first statement and keeps it. Its vote is the decision of the scheme on the first
//! positions that it heard. One draw serves all seats, so ballots agree if all have heard all. If the scheme leaves the group hung,
//! each seat votes for its own favourite.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

/// A scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Scheme {
    /// Each alternative with the probability of its share.
    Proportional,
    /// What more than half favour; without it as proportional.
    MajorityElseProportional,
    /// What more than half favour; without it none.
    MajorityElseHung,
    /// What two thirds favour; without it none.
    TwoThirds,
    /// What is right as soon as one favours it; without it as proportional.
    TruthWins,
    /// What is right as soon as two favour it; without it as proportional among the rest.
    TruthSupportedWins,
}

impl Scheme {
    /// Whether it depends on which alternative is right.
    pub fn needs_truth(self) -> bool {
        matches!(self, Scheme::TruthWins | Scheme::TruthSupportedWins)
    }

    /// Replaces the first positions, one count per alternative, by the row of D: relative weights of the decisions, all 0 if the
    /// group is hung. `truth` is the place of the right alternative.
    ///
    /// ```
    /// use ekklesia::minds::Scheme;
    /// let decided = |scheme: Scheme, mut counts: [u64; 2]| {
    ///     scheme.decide(&mut counts, None);
    ///     counts
    /// };
    /// assert_eq!(decided(Scheme::Proportional, [4, 2]), [4, 2]);
    /// assert_eq!(decided(Scheme::TwoThirds, [4, 2]), [1, 0]);
    /// assert_eq!(decided(Scheme::MajorityElseHung, [3, 3]), [0, 0]);
    /// ```
    pub fn decide(self, counts: &mut [u64], truth: Option<usize>) {
        // A loop, because an iterator's sum uses wide loads that wait for counts just written.
        let mut total = 0;
        for count in counts.iter() {
            total += count;
        }
        let most = |count: u64| 2 * count > total;
        match self {
            Scheme::Proportional => {}
            Scheme::MajorityElseProportional => {
                if counts.iter().any(|count| most(*count)) {
                    mark_decisive(counts, most);
                }
            }
            Scheme::MajorityElseHung => mark_decisive(counts, most),
            Scheme::TwoThirds => mark_decisive(counts, |count| count > 0 && 3 * count >= 2 * total),
            Scheme::TruthWins | Scheme::TruthSupportedWins => {
                let needed = if self == Scheme::TruthWins { 1 } else { 2 };
                match truth {
                    Some(truth) if counts[truth] >= needed => {
                        counts.fill(0);
                        counts[truth] = 1;
                    }
                    Some(truth) if total > counts[truth] => counts[truth] = 0,
                    // Nobody is wrong, or the right alternative is unknown.
                    _ => {}
                }
            }
        }
    }
}

/// Gives weight 1 to the decisive alternative, of which there is at most one, and 0 to the others.
fn mark_decisive(counts: &mut [u64], decides: impl Fn(u64) -> bool) {
    counts.iter_mut().for_each(|count| *count = u64::from(decides(*count)));
}

spelled!(Scheme);
