//! The amounts that a seat had heard named before it named another one.
//!
//! Which of them moved it, or whether any did, is told nowhere.

use serde::Serialize;

use super::moves::Spoken;

/// Of so many seats each is told with its amount; of more the one that named least and the one that named most.
const SEATS: usize = 3;

/// What seats that were heard had named for the alternative that a seat declares, each what it named last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Amounts {
    /// The alternative; empty where there is one alone.
    pub of: String,
    /// How many seats had named an amount.
    pub seats: u64,
    /// Whether all of them are told.
    pub is_all: bool,
    /// Those that are told: all of them in the order in which they spoke, or the one with the least amount and the one with the most.
    pub told: Vec<Named>,
}

/// An amount that a seat named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Who.
    pub seat: String,
    /// The amount.
    pub amount: String,
    /// The record.
    pub seq: u64,
}

/// What those who are heard named last for an alternative; `None` where nobody named an amount for it.
pub(super) fn amounts(heard: &[&Spoken], alternative: &str) -> Option<Amounts> {
    let mut last: Vec<(&Spoken, u64)> = Vec::new();
    for one in heard.iter().filter(|one| one.alternative == alternative) {
        let Some(amount) = one.amount else { continue };
        last.retain(|(known, _)| known.seat != one.seat);
        last.push((one, amount));
    }
    let is_all = last.len() <= SEATS;
    let seats = last.len() as u64;
    let told = match is_all {
        true => last,
        // Of equal amounts the first.
        false => {
            let least = last.iter().min_by_key(|(_, amount)| *amount).copied();
            let most = last.iter().rev().max_by_key(|(_, amount)| *amount).copied();
            least.into_iter().chain(most).collect()
        }
    };
    let named = |(one, amount): (&Spoken, u64)| Named {
        seat: one.seat.clone(),
        amount: super::in_digits(amount),
        seq: one.seq,
    };
    let of = alternative.to_owned();
    (seats > 0).then(|| Amounts { of, seats, is_all, told: told.into_iter().map(named).collect() })
}

impl Amounts {
    /// The same in a few words, for a line: ` after Member 5 (1 200)`, ` after 7 others (900 to 1 400)`.
    pub fn in_a_line(&self) -> String {
        match self.told.as_slice() {
            [one] => format!(" after {} ({})", one.seat, one.amount),
            [first, .., last] if !self.is_all => {
                format!(" after {} others ({} to {})", self.seats, first.amount, last.amount)
            }
            told => {
                let told: Vec<String> = told.iter().map(|one| format!("{} ({})", one.seat, one.amount)).collect();
                match told.as_slice() {
                    [all @ .., last] if all.len() > 1 => format!(" after {} and {last}", all.join(", ")),
                    told => format!(" after {}", told.join(" and ")),
                }
            }
        }
    }
}
