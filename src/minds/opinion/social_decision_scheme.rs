//! Social decision schemes: what a group decides follows from how many of its members favoured what before the talk.
//!
//! Source: Davis 1973, "Group decision and social interaction: a theory of social decision schemes", Psychological Review 80(2). A
//! scheme D has the probability of each decision for each distribution π of first positions; those of decisions are π·D. That what can
//! be shown to be right wins as soon as one or two see it: Laughlin and Ellis 1986, "Demonstrability and social combination processes on
//! mathematical intellective tasks", Journal of Experimental Social Psychology 22(3).
//!
//! Here everybody says in its first statement what it favours and keeps to it. When it votes it votes for what the scheme makes of the
//! positions it heard first from each, drawn by one lot for all: where all have heard all, ballots agree. Where the scheme has the
//! group hang everybody votes for what it favours itself.

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
    /// Whether it depends on what is right.
    pub fn needs_truth(self) -> bool {
        matches!(self, Scheme::TruthWins | Scheme::TruthSupportedWins)
    }

    /// Puts the row of D in the place of a distribution of first positions, one count an alternative: relative weights of the
    /// decisions, whole numbers; all 0 where the group hangs. `truth` is the right alternative, as a place.
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
        // A loop of its own: the sum of an iterator is made of wide loads, which wait for counts that were just written.
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
                    // Nobody but the one who is right is there.
                    _ => {}
                }
            }
        }
    }
}

/// For certain what decides, which is one of them at the most, or nothing.
fn mark_decisive(counts: &mut [u64], decides: impl Fn(u64) -> bool) {
    counts.iter_mut().for_each(|count| *count = u64::from(decides(*count)));
}

spelled!(Scheme);
