//! The rules by name, and what a count gives.

use super::{
    Pairwise, Preferences, Strength, absolute_majority, amendment_agenda, borda, copeland, instant_runoff, kemeny,
    minimax, plurality, ranked_pairs, schulze, two_round, unanimity,
};

/// A rule that chooses from ranked ballots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankedRule {
    /// Most first places.
    Plurality,
    /// More than half of the first places.
    Majority,
    /// At least this share of the first places, as numerator and denominator.
    Supermajority(u32, u32),
    /// All first places.
    Unanimity,
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
    InstantRunoff,
    /// The two first are voted on again.
    TwoRound,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It would take too long with so many alternatives.
    TooManyAlternatives {
        /// How many there are.
        alternatives: usize,
        /// How many it takes.
        most: usize,
    },
    /// There are too many ways of breaking ties within the count.
    TooManyTies,
}

/// Counts ballots under a rule. Without ballots, or without alternatives, nobody wins.
///
/// # Errors
/// A [`Refusal`] where the exact result would take too long.
pub fn count(rule: RankedRule, preferences: &Preferences) -> Result<Count, Refusal> {
    if preferences.weight() == 0 {
        return Ok(Count { winners: Vec::new(), points: None });
    }
    Ok(match rule {
        RankedRule::Plurality => plurality(preferences),
        RankedRule::Majority => absolute_majority(preferences, (1, 2)),
        RankedRule::Supermajority(share, whole) => super::share::at_least(preferences, (share, whole)),
        RankedRule::Unanimity => unanimity(preferences),
        RankedRule::Borda => borda(preferences),
        RankedRule::Copeland => copeland(&Pairwise::of(preferences)),
        RankedRule::Minimax(strength) => minimax(&Pairwise::of(preferences), strength),
        RankedRule::Schulze(strength) => schulze(&Pairwise::of(preferences), strength),
        RankedRule::RankedPairs(strength) => ranked_pairs(&Pairwise::of(preferences), strength)?,
        RankedRule::KemenyYoung => kemeny(&Pairwise::of(preferences))?.count,
        RankedRule::InstantRunoff => instant_runoff(preferences),
        RankedRule::TwoRound => two_round(preferences),
        RankedRule::AmendmentAgenda => amendment_agenda(&Pairwise::of(preferences)),
    })
}

impl Count {
    /// A count of which the greatest points win.
    pub(super) fn of_most(points: Points) -> Self {
        let most = points.of.iter().max().copied();
        Self { winners: places(&points.of, |of| Some(of) == most), points: Some(points) }
    }
}

/// The places at which something holds.
pub(super) fn places(of: &[i128], holds: impl Fn(i128) -> bool) -> Vec<usize> {
    of.iter().enumerate().filter(|(_, of)| holds(**of)).map(|(place, _)| place).collect()
}
