//! What a count gives, and why there may be none.

/// How many states of a count are followed before it is refused.
pub(super) const STATES_MAX: usize = 20_000;

/// The most binary digits of the parts of a vote that transfers leave.
pub(super) const DIGITS_MAX: u64 = 1 << 17;

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
pub struct VoteCount {
    /// The winners, in the order of the alternatives; more than one is a tie, none is no decision.
    pub winners: Vec<usize>,
    /// The points that decided; `None` for rules that give none.
    pub points: Option<Points>,
}

/// Why a rule cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountRefusal {
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

impl VoteCount {
    /// A count of which the greatest points win.
    pub(in crate::choice) fn of_most(points: Points) -> Self {
        let most = points.of.iter().max().copied();
        Self { winners: matching_places(&points.of, |of| Some(of) == most), points: Some(points) }
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
pub(super) fn matching_places(of: &[i128], holds: impl Fn(i128) -> bool) -> Vec<usize> {
    of.iter().enumerate().filter(|(_, of)| holds(**of)).map(|(place, _)| place).collect()
}
