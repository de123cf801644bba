//! The ranked rules, and the count of ballots under them.

use std::cell::OnceCell;

use super::{
    CountRefusal, DefeatStrength, Pairwise, Preferences, RunoffTies, VoteCount, absolute_majority, amendment_agenda,
    borda, copeland, instant_runoff, kemeny, minimax, plurality, random_ballot, ranked_pairs, schulze, supermajority,
    two_round, unanimity,
};

/// The most alternatives that are compared pair by pair.
pub const PAIRED_ALTERNATIVES_MAX: usize = 500;

/// A rule that chooses from ranked ballots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankedRule {
    /// Most first places.
    Plurality,
    /// First places from more than half of the base: this weight, or the ballots if they weigh more.
    Majority(u64),
    /// First places from at least this share of the base, as numerator and denominator.
    Supermajority(u32, u32, u64),
    /// First places from all of the base.
    Unanimity(u64),
    /// Most points by place.
    Borda,
    /// Most pairs won.
    Copeland,
    /// The weakest worst defeat.
    Minimax(DefeatStrength),
    /// The strongest paths.
    Schulze(DefeatStrength),
    /// Defeats locked in, strongest first.
    RankedPairs(DefeatStrength),
    /// The order with the greatest pairwise agreement.
    KemenyYoung,
    /// Drops the last until one is left.
    InstantRunoff(RunoffTies),
    /// A runoff between the first two.
    TwoRound,
    /// All that may win if a ballot is drawn.
    RandomBallot,
    /// One against the next, in the order of the alternatives.
    AmendmentAgenda,
}

/// Counts ballots under several rules, with shared work done once.
#[derive(Debug)]
pub struct Counting<'p> {
    preferences: &'p Preferences,
    pairwise: OnceCell<Pairwise>,
}

impl<'p> Counting<'p> {
    /// Prepares the count of these ballots.
    pub fn new(preferences: &'p Preferences) -> Self {
        Self { preferences, pairwise: OnceCell::new() }
    }

    /// The ballots.
    pub fn preferences(&self) -> &'p Preferences {
        self.preferences
    }

    /// The pairwise comparisons.
    ///
    /// # Errors
    /// [`CountRefusal::TooManyAlternatives`] above [`PAIRED_ALTERNATIVES_MAX`].
    pub fn pairwise(&self) -> Result<&Pairwise, CountRefusal> {
        let alternatives = self.preferences.alternative_count();
        if alternatives > PAIRED_ALTERNATIVES_MAX {
            return Err(CountRefusal::TooManyAlternatives { alternatives, most: PAIRED_ALTERNATIVES_MAX });
        }
        Ok(self.pairwise.get_or_init(|| Pairwise::from_preferences(self.preferences)))
    }

    /// Counts the ballots under a rule. Without ballots, or without alternatives, nobody wins.
    ///
    /// # Errors
    /// A [`CountRefusal`] if there is no exact result within the limits.
    pub fn count_rule(&self, rule: RankedRule) -> Result<VoteCount, CountRefusal> {
        let preferences = self.preferences;
        if preferences.weight() == 0 {
            return Ok(VoteCount { winners: Vec::new(), points: None });
        }
        match rule {
            RankedRule::Plurality => plurality(preferences),
            RankedRule::Majority(voters) => absolute_majority(preferences, voters),
            RankedRule::Supermajority(share, whole, voters) => supermajority(preferences, (share, whole), voters),
            RankedRule::Unanimity(voters) => unanimity(preferences, voters),
            RankedRule::Borda => Ok(borda(preferences)),
            RankedRule::Copeland => Ok(copeland(self.pairwise()?)),
            RankedRule::Minimax(strength) => Ok(minimax(self.pairwise()?, strength)),
            RankedRule::Schulze(strength) => Ok(schulze(self.pairwise()?, strength)),
            RankedRule::RankedPairs(strength) => ranked_pairs(self.pairwise()?, strength),
            RankedRule::KemenyYoung => Ok(kemeny(self.pairwise()?)?.count),
            RankedRule::InstantRunoff(ties) => instant_runoff(preferences, ties),
            RankedRule::TwoRound => two_round(preferences, self.pairwise()?),
            RankedRule::RandomBallot => random_ballot(preferences),
            RankedRule::AmendmentAgenda => Ok(amendment_agenda(self.pairwise()?, 0..preferences.alternative_count())),
        }
    }
}
