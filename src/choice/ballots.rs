//! The ballots of one vote, in the form in which they were cast.

use super::ranked::{Preferences, Ranking};
use crate::domain::spelled;

/// A ballot as it was cast.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TallyBallot {
    /// One alternative; nothing about the others.
    Choice(usize),
    /// Whether the voter approves of each alternative.
    Approval(Vec<bool>),
    /// An order, perhaps with ties and gaps.
    Ranking(Ranking),
    /// The score of each alternative.
    Score(Vec<u32>),
}

/// The form that all ballots of a vote share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TallyForm {
    /// One alternative each.
    Choice,
    /// Any number of alternatives each.
    Approval,
    /// An order each.
    Ranking,
    /// A score for each alternative, from 0 to this.
    Score(u32),
}

/// Equal ballots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    /// The ballot.
    pub ballot: TallyBallot,
    /// The weight of each.
    pub weight: u64,
    /// The number of ballots.
    pub count: u64,
}

/// The ballots of one vote, in bundles of equal ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballots {
    form: TallyForm,
    alternatives: usize,
    bundles: Vec<Bundle>,
    absent: u64,
}

impl TallyForm {
    /// Whether a ballot has this form over so many alternatives.
    pub fn admits(self, ballot: &TallyBallot, alternatives: usize) -> bool {
        match (self, ballot) {
            (TallyForm::Choice, TallyBallot::Choice(one)) => *one < alternatives,
            (TallyForm::Approval, TallyBallot::Approval(approved)) => approved.len() == alternatives,
            (TallyForm::Ranking, TallyBallot::Ranking(ranking)) => ranking.alternative_count() == alternatives,
            (TallyForm::Score(most), TallyBallot::Score(scores)) => {
                scores.len() == alternatives && scores.iter().all(|score| *score <= most)
            }
            _ => false,
        }
    }
}

impl Ballots {
    /// The ballots of a vote. `absent` is the weight of those who could have voted and did not; it only adds to the base of
    /// shares. Bundles keep their order and are not merged. A bundle without weight or count has no effect.
    ///
    /// # Panics
    /// If a ballot is not of this form, or all weights with `absent` sum to 2⁶³ or more.
    pub fn new(form: TallyForm, alternatives: usize, bundles: Vec<Bundle>, absent: u64) -> Self {
        let are_of_form = bundles.iter().all(|bundle| form.admits(&bundle.ballot, alternatives));
        assert!(are_of_form, "invariant: all ballots of a vote have one form");
        let weight = bundles.iter().try_fold(u128::from(absent), |sum, bundle| {
            sum.checked_add(u128::from(bundle.weight) * u128::from(bundle.count))
        });
        assert!(weight.is_some_and(|weight| weight < 1 << 63), "invariant: ballots weigh less than 2⁶³ together");
        Self { form, alternatives, bundles, absent }
    }

    /// The form of all ballots.
    pub fn form(&self) -> TallyForm {
        self.form
    }

    /// The number of alternatives.
    pub fn alternative_count(&self) -> usize {
        self.alternatives
    }

    /// The bundles, as they were given.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles
    }

    /// The number of ballots.
    pub fn ballot_count(&self) -> u64 {
        self.bundles.iter().map(|bundle| bundle.count).sum()
    }

    /// The weight of all ballots.
    pub fn weight(&self) -> u64 {
        self.bundles.iter().map(|bundle| bundle.weight * bundle.count).sum()
    }

    /// The weight of all who could have voted: the base of shares.
    pub fn voter_weight(&self) -> u64 {
        self.weight() + self.absent
    }

    /// The weight of those who could have voted and did not.
    pub fn absent_weight(&self) -> u64 {
        self.absent
    }

    /// These bundles with other counts.
    ///
    /// # Panics
    /// If there are not as many counts as bundles, or all weights sum to 2⁶³ or more.
    pub fn cast_so_often(&self, counts: &[u64]) -> Self {
        assert!(counts.len() == self.bundles.len(), "invariant: every bundle has its count");
        let bundles = self.bundles.iter().zip(counts).map(|(bundle, count)| Bundle { count: *count, ..bundle.clone() });
        Self::new(self.form, self.alternatives, bundles.collect(), self.absent)
    }

    /// Merges equal ballots of equal weight, in a fixed order, and drops those without effect.
    pub fn merge_equal(&self) -> Self {
        let counting = self.bundles.iter().filter(|bundle| bundle.weight > 0 && bundle.count > 0);
        let mut bundles: Vec<Bundle> = counting.cloned().collect();
        bundles.sort_by(|one, other| (&one.ballot, one.weight).cmp(&(&other.ballot, other.weight)));
        bundles.dedup_by(|next, kept| {
            let is_same = next.ballot == kept.ballot && next.weight == kept.weight;
            kept.count += if is_same { next.count } else { 0 };
            is_same
        });
        Self { bundles, ..*self }
    }

    /// The ballots as orders, see [`Ballots::ballot_to_ranking`].
    pub fn to_preferences(&self) -> Preferences {
        let order = |bundle: &Bundle| (self.ballot_to_ranking(&bundle.ballot), bundle.weight * bundle.count);
        Preferences::new(self.alternatives, self.bundles.iter().map(order))
    }

    /// A ballot as an order: a choice gives only the first place, scores rank from the greatest down, and approvals give none.
    pub fn ballot_to_ranking(&self, ballot: &TallyBallot) -> Ranking {
        match ballot {
            TallyBallot::Choice(one) => Ranking::of_levels(self.alternatives, &[[*one]]),
            TallyBallot::Approval(_) => Ranking::of_levels::<[usize; 1]>(self.alternatives, &[]),
            TallyBallot::Ranking(ranking) => ranking.clone(),
            TallyBallot::Score(scores) => order_of(scores),
        }
    }
}

/// The order of scores, greatest first, equal ones tied.
fn order_of(scores: &[u32]) -> Ranking {
    let mut values = scores.to_vec();
    values.sort_unstable_by(|one, other| other.cmp(one));
    values.dedup();
    let level = |value: &u32| (0..scores.len()).filter(|one| scores[*one] == *value).collect::<Vec<_>>();
    Ranking::of_levels(scores.len(), &values.iter().map(level).collect::<Vec<_>>())
}

spelled!(TallyForm);
