//! The result of a count, and the reasons why there may be none.

/// The most states that a count follows.
pub(super) const STATES_MAX: usize = 20_000;

/// The most binary digits of the parts of a vote after transfers.
pub(super) const DIGITS_MAX: u64 = 1 << 17;

/// The points of each alternative, as whole parts of one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    /// By alternative.
    pub of: Vec<i128>,
    /// How many parts are one point, from 1.
    pub unit: u128,
}

/// The winners of a count, ties kept, and their points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoteCount {
    /// The winners, in the order of the alternatives; several are a tie, none is no decision.
    pub winners: Vec<usize>,
    /// The points that decided; `None` if the rule gives none.
    pub points: Option<Points>,
}

/// Why a rule cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountRefusal {
    /// The count would take too long with so many alternatives.
    #[error("it is exact up to {most} alternatives, and there are {alternatives}")]
    TooManyAlternatives {
        /// Their number.
        alternatives: usize,
        /// The most that the rule counts.
        most: usize,
    },
    /// There are too many ways of breaking ties within the count.
    #[error("ties within the count can be broken in more than {STATES_MAX} ways")]
    TooManyTies,
    /// The parts of ballots with ties at the top would be too small for 128 bits.
    #[error("ballots tie so many at the top that their parts cannot be summed exactly")]
    TooFine,
    /// Each transfer of votes doubles the digits of an exact share.
    #[error("exact shares of transferred votes become longer than {DIGITS_MAX} binary digits")]
    TooLong,
}

impl VoteCount {
    /// The greatest points win.
    pub(in crate::choice) fn of_most(points: Points) -> Self {
        let most = points.of.iter().max().copied();
        Self { winners: matching_places(&points.of, |of| Some(of) == most), points: Some(points) }
    }

    /// The greatest points win; nobody wins if all have 0.
    pub(in crate::choice) fn of_most_voted(points: Points) -> Self {
        match points.of.iter().all(|of| *of == 0) {
            true => Self { winners: Vec::new(), points: Some(points) },
            false => Self::of_most(points),
        }
    }
}

/// The places with matching points.
pub(super) fn matching_places(of: &[i128], holds: impl Fn(i128) -> bool) -> Vec<usize> {
    of.iter().enumerate().filter(|(_, of)| holds(**of)).map(|(place, _)| place).collect()
}
