//! The amounts that a seat heard before it named a different one. The page does not say whether any of them had an influence.

use serde::Serialize;

use super::choices::format_amount;
use super::spoken::Spoken;

/// The most seats to list with their amounts. Of more seats, only the least and the greatest amount are listed.
const SEATS: usize = 3;

/// The last amount that each heard seat named for one alternative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeardAmounts {
    /// The alternative; empty if the session has only one.
    pub of: String,
    /// The number of seats that had named an amount.
    pub seats: u64,
    /// Whether all of them are listed.
    pub is_all: bool,
    /// The listed amounts: all in speaking order, or the least and the greatest.
    pub listed: Vec<NamedAmount>,
}

/// An amount that a seat named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedAmount {
    /// The seat.
    pub seat: String,
    /// The amount, formatted.
    pub amount: String,
    /// The record of its statement.
    pub seq: u64,
}

/// The amounts last named for an alternative; `None` if no heard seat named one.
pub(super) fn collect_amounts(heard: &[&Spoken], alternative: &str) -> Option<HeardAmounts> {
    let mut last: Vec<(&Spoken, u64)> = Vec::new();
    for one in heard.iter().filter(|one| one.alternative == alternative) {
        let Some(amount) = one.amount else { continue };
        last.retain(|(known, _)| known.seat != one.seat);
        last.push((one, amount));
    }
    let is_all = last.len() <= SEATS;
    let seats = last.len() as u64;
    let listed = match is_all {
        true => last,
        // If amounts are equal, take the first.
        false => {
            let least = last.iter().min_by_key(|(_, amount)| *amount).copied();
            let most = last.iter().rev().max_by_key(|(_, amount)| *amount).copied();
            least.into_iter().chain(most).collect()
        }
    };
    let named = |(one, amount): (&Spoken, u64)| NamedAmount {
        seat: one.seat.clone(),
        amount: format_amount(amount),
        seq: one.seq,
    };
    let of = alternative.to_owned();
    (seats > 0).then(|| HeardAmounts { of, seats, is_all, listed: listed.into_iter().map(named).collect() })
}
