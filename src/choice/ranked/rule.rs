//! The rules by name, and what a count gives.

use std::cell::OnceCell;

use super::{
    Pairwise, Preferences, RunoffTies, Strength, Whole, absolute_majority, amendment_agenda, borda, copeland,
    instant_runoff, kemeny, minimax, plurality, random_ballot, ranked_pairs, schulze, supermajority, two_round,
    unanimity,
};

/// How many states of a count are followed before it is refused.
pub(super) const STATES_MAX: usize = 20_000;

/// The most binary digits of the parts of a vote that transfers leave.
pub(super) const DIGITS_MAX: u64 = 1 << 17;

/// The most alternatives that are compared pair by pair.
pub const PAIRED_ALTERNATIVES_MAX: usize = 500;

/// A rule that chooses from ranked ballots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankedRule {
    /// Most first places.
    Plurality,
    /// More than half of the whole as first places.
    Majority(Whole),
    /// At least this share of the whole as first places, as numerator and denominator.
    Supermajority(u32, u32, Whole),
    /// The whole as first places.
    Unanimity(Whole),
    /// Most points by place.
    Borda,
    /// Most pairs won.
    Copeland,
    /// The least greatest defeat.
    Minimax(Strength),
    /// The strongest paths.
    Schulze(Strength),
    /// Defeats locked in, strongest first.
    RankedPairs(Strength),
    /// The order that most pairs of opinions agree with.
    KemenyYoung,
    /// The last are dropped until one is left.
    InstantRunoff(RunoffTies),
    /// The two first are voted on again.
    TwoRound,
    /// A ballot is drawn: all that may win.
    RandomBallot,
    /// One against the next, in the order of the agenda.
    AmendmentAgenda,
}

/// What a rule gives each alternative, where it gives anything: whole numbers, in parts of one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// For each alternative.
    pub of: Vec<i128>,
    /// How many of these parts are one point, from 1.
    pub unit: u128,
}

/// A count: who wins, ties kept, and by what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The winners, in the order of the alternatives; more than one is a tie, none is no decision.
    pub winners: Vec<usize>,
    /// The points that decided; `None` for rules that give none.
    pub points: Option<Points>,
}

/// Why a rule cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It would take too long with so many alternatives.
    #[error("it is exact up to {most} alternatives, and there are {alternatives}")]
    TooManyAlternatives {
        /// How many there are.
        alternatives: usize,
        /// How many it takes.
        most: usize,
    },
    /// There are too many ways of breaking ties within the count.
    #[error("ties within the count can be broken in more than {STATES_MAX} ways")]
    TooManyTies,
    /// Ballots that tie many at the top would count in parts too small for 128 bits.
    #[error("ballots tie so many at the top that their parts cannot be summed exactly")]
    TooFine,
    /// Each transfer of votes doubles the digits of an exact share.
    #[error("exact shares of transferred votes become longer than {DIGITS_MAX} binary digits")]
    TooLong,
}

/// Ballots that are counted under several rules; what rules share is worked out once.
#[derive(Debug)]
pub struct Counting<'p> {
    preferences: &'p Preferences,
    pairwise: OnceCell<Pairwise>,
}

/// Counts ballots under a rule. Without ballots, or without alternatives, nobody wins.
///
/// # Errors
/// A [`Refusal`] where the exact result would take too long.
pub fn count(rule: RankedRule, preferences: &Preferences) -> Result<Count, Refusal> {
    Counting::of(preferences).under(rule)
}

impl<'p> Counting<'p> {
    /// Begins to count.
    pub fn of(preferences: &'p Preferences) -> Self {
        Self { preferences, pairwise: OnceCell::new() }
    }

    /// The ballots.
    pub fn preferences(&self) -> &'p Preferences {
        self.preferences
    }

    /// Who is preferred to whom.
    ///
    /// # Errors
    /// [`Refusal::TooManyAlternatives`] above [`PAIRED_ALTERNATIVES_MAX`].
    pub fn pairwise(&self) -> Result<&Pairwise, Refusal> {
        let alternatives = self.preferences.alternatives();
        if alternatives > PAIRED_ALTERNATIVES_MAX {
            return Err(Refusal::TooManyAlternatives { alternatives, most: PAIRED_ALTERNATIVES_MAX });
        }
        Ok(self.pairwise.get_or_init(|| Pairwise::of(self.preferences)))
    }

    /// The count under a rule.
    ///
    /// # Errors
    /// A [`Refusal`] where the exact result would take too long.
    pub fn under(&self, rule: RankedRule) -> Result<Count, Refusal> {
        let preferences = self.preferences;
        if preferences.weight() == 0 {
            return Ok(Count { winners: Vec::new(), points: None });
        }
        match rule {
            RankedRule::Plurality => plurality(preferences),
            RankedRule::Majority(of) => absolute_majority(preferences, (1, 2), of),
            RankedRule::Supermajority(share, whole, of) => supermajority(preferences, (share, whole), of),
            RankedRule::Unanimity(of) => unanimity(preferences, of),
            RankedRule::Borda => Ok(borda(preferences)),
            RankedRule::Copeland => Ok(copeland(self.pairwise()?)),
            RankedRule::Minimax(strength) => Ok(minimax(self.pairwise()?, strength)),
            RankedRule::Schulze(strength) => Ok(schulze(self.pairwise()?, strength)),
            RankedRule::RankedPairs(strength) => ranked_pairs(self.pairwise()?, strength),
            RankedRule::KemenyYoung => Ok(kemeny(self.pairwise()?)?.count),
            RankedRule::InstantRunoff(ties) => instant_runoff(preferences, ties),
            RankedRule::TwoRound => two_round(preferences, self.pairwise()?),
            RankedRule::RandomBallot => random_ballot(preferences),
            RankedRule::AmendmentAgenda => Ok(amendment_agenda(self.pairwise()?, 0..preferences.alternatives())),
        }
    }
}

impl Count {
    /// A count of which the greatest points win.
    pub(in crate::choice) fn of_most(points: Points) -> Self {
        let most = points.of.iter().max().copied();
        Self { winners: places(&points.of, |of| Some(of) == most), points: Some(points) }
    }

    /// The same, but nobody wins without points.
    pub(in crate::choice) fn of_most_voted(points: Points) -> Self {
        match points.of.iter().all(|of| *of == 0) {
            true => Self { winners: Vec::new(), points: Some(points) },
            false => Self::of_most(points),
        }
    }
}

/// The places at which something holds.
pub(super) fn places(of: &[i128], holds: impl Fn(i128) -> bool) -> Vec<usize> {
    of.iter().enumerate().filter(|(_, of)| holds(**of)).map(|(place, _)| place).collect()
}
