//! Cells about what seats held or chose: counts over alternatives, and what follows from them.

use std::collections::BTreeSet;

use ekklesia::domain::{AlternativeName, Event, Record, SeatName};
use ekklesia::metrics::ArmFacts;
use ekklesia::metrics::option_of_share;
use super::fields::{compared_with_key, right};
use ekklesia::metrics::why::lost;
use super::{Picked, Worked, absent, real, worked};

/// A cell over positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Seats with a position, where they were asked.
    N,
    /// Stances declared; 0 where none was.
    Declared,
    /// The most frequent alternatives.
    Modal,
    /// The share of the most frequent.
    ModalShare,
    /// The share of the alternative that the column names.
    OptionShare,
    /// Entropy over its maximum.
    EntropyNorm,
    /// The share of pairs that agree on the alternative.
    PairAgreement,
    /// The share of pairs that agree on alternative and amount.
    PairAgreementExact,
    /// Whether all chose the same.
    Trivial,
    /// The alternative of the last position.
    Alternative,
    /// Its amount.
    Amount,
    /// Whether that alternative is the item's key.
    Correct,
    /// As many equally frequent alternatives would be as diverse.
    EffectiveOptions,
    /// The share of the key.
    CorrectShare,
    /// Whether the key alone is the most frequent.
    GroupCorrect,
}

/// One seat's position: what it chose or declared.
pub(super) struct Held<'r> {
    pub seat: &'r SeatName,
    pub alternative: &'r AlternativeName,
    pub amount: Option<u32>,
}

/// The positions that records tell, and the seats whose answer did not count. A ballot for an alternative that takes an amount
/// counts when the amount is named.
pub(super) fn positions<'r>(records: &[&'r Record], arm: &ArmFacts) -> (Vec<Held<'r>>, Vec<&'r SeatName>) {
    let mut pending: Vec<(&SeatName, &AlternativeName)> = Vec::new();
    let (mut held, mut invalid) = (Vec::new(), Vec::new());
    for record in records {
        let Some(seat) = &record.seat else { continue };
        match &record.event {
            Event::Spoke { stance: Some(alternative), stance_amount: amount, .. }
            | Event::Polled { alternative, amount, .. }
            | Event::Applied { alternative, amount, .. } => {
                held.push(Held { seat, alternative, amount: *amount });
            }
            Event::Balloted { alternative, amount: None, .. } if takes_amount(alternative, arm) => {
                pending.push((seat, alternative));
            }
            Event::Balloted { alternative, amount, .. } => held.push(Held { seat, alternative, amount: *amount }),
            Event::Voted { ballot, .. } => match ballot.first() {
                Some(alternative) => held.push(Held { seat, alternative, amount: None }),
                None => invalid.push(seat),
            },
            Event::AmountNamed { amount, .. } => {
                if let Some(place) = pending.iter().rposition(|(name, _)| *name == seat) {
                    let (seat, alternative) = pending.remove(place);
                    held.push(Held { seat, alternative, amount: Some(*amount) });
                }
            }
            _ if lost(record).is_some() => invalid.push(seat),
            _ => {}
        }
    }
    (held, invalid)
}

/// The seats that abstained by choice: their answer is valid, and no position.
pub(super) fn abstained<'r>(records: &[&'r Record]) -> Vec<&'r SeatName> {
    let abstained = records.iter().filter(|record| matches!(record.event, Event::Abstained { .. }));
    abstained.filter_map(|record| record.seat.as_ref()).collect()
}

/// Whether choosing an alternative means naming an amount.
pub(super) fn takes_amount(name: &AlternativeName, arm: &ArmFacts) -> bool {
    arm.alternatives.iter().zip(&arm.takes_amount).any(|(known, takes)| known == name && *takes)
}

/// Counts of alternatives, with the seats behind each; those without a position have a count of 0.
pub(super) fn counted(held: &[Held<'_>], arm: &ArmFacts) -> (Vec<u64>, String) {
    let of = |name: &AlternativeName| -> Vec<&str> {
        held.iter().filter(|held| held.alternative == name).map(|held| held.seat.as_str()).collect()
    };
    let seats: Vec<Vec<&str>> = arm.alternatives.iter().map(of).collect();
    let words: Vec<String> = arm
        .alternatives
        .iter()
        .zip(&seats)
        .map(|(name, seats)| match seats.is_empty() {
            true => format!("{name} 0"),
            false => format!("{name} {} ({})", seats.len(), seats.join(", ")),
        })
        .collect();
    (seats.iter().map(|seats| seats.len() as u64).collect(), format!("counts: {}", words.join(", ")))
}

/// Whose answers are no positions, and why.
fn not_counted(why: &str, seats: &[&SeatName]) -> Option<String> {
    let names: Vec<&str> = seats.iter().map(|seat| seat.as_str()).collect();
    (!names.is_empty()).then(|| format!("{why}, and not counted: {}", names.join(", ")))
}

impl Spread {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        if self == Spread::Declared && !picked.is_talk() {
            return absent("this row is no round of talk");
        }
        // Where a session has several such polls, the last one counts.
        let part = |record: &Record| (record.at.phase.clone(), record.at.round);
        let of_last: Vec<&Record> = match (self, picked.last()) {
            (Spread::Alternative | Spread::Amount | Spread::Correct, _) | (_, None) => picked.records.clone(),
            (_, Some(last)) => picked.records.iter().copied().filter(|record| part(record) == part(last)).collect(),
        };
        if of_last.is_empty() && self != Spread::Declared {
            return absent("nobody chose here: no such poll or vote was held, or no stance was declared");
        }
        let (held, invalid) = positions(&of_last, picked.arm());
        let (counts, words) = counted(&held, picked.arm());
        let n: u64 = counts.iter().sum();
        let top = counts.iter().copied().max().unwrap_or(0);
        match self {
            Spread::N | Spread::Declared => {
                worked(n)
            }
            _ if n == 0 => Err("nobody has a valid position here".to_owned()),
            Spread::Modal => {
                let names = picked.arm().alternatives.iter().zip(&counts).filter(|(_, count)| **count == top);
                let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
                worked(names.join("|"))
            }
            Spread::ModalShare => {
                let share = top as f64 / n as f64;
                real(Some(share), "")
            }
            Spread::OptionShare => option_share(picked, &counts, n),
            Spread::EntropyNorm => entropy(&counts, n),
            Spread::PairAgreement => pairs(&counts, n),
            Spread::PairAgreementExact => exact(&held, n),
            Spread::Trivial => {
                let amounts: BTreeSet<Option<u32>> = held.iter().map(|held| held.amount).collect();
                let (different, what) = match counts.len() {
                    1 => (amounts.len(), "different amounts"),
                    _ => (counts.iter().filter(|count| **count > 0).count(), "alternatives with a count above 0"),
                };
                let flag = u8::from(different == 1);
                worked(flag)
            }
            Spread::EffectiveOptions => {
                let squares: u64 = counts.iter().map(|count| count * count).sum();
                let value = (n * n) as f64 / squares as f64;
                real(Some(value), "")
            }
            Spread::CorrectShare | Spread::GroupCorrect => self.right(picked, &counts),
            Spread::Alternative | Spread::Amount => self.last(&held),
            Spread::Correct => match held.last() {
                Some(last) => {
                    let said = format!("last valid answer of {}: {}", last.seat, last.alternative);
                    let amount = last.amount.map(u64::from);
                    compared_with_key(picked, vec![said], last.alternative.as_str(), amount)
                }
                None => absent("nobody has a valid position here"),
            },
        }
    }

    /// How many hold the key, and whether more hold it than any other alternative.
    fn right(self, picked: &Picked<'_>, counts: &[u64]) -> Worked {
        let Some((key, said)) = right(picked) else { return absent("nobody knows which alternative is right") };
        let (mut right, mut others) = (0, Vec::new());
        for (name, count) in picked.arm().alternatives.iter().zip(counts) {
            if *name == key { right = *count } else { others.push(*count) }
        }
        let n = right + others.iter().sum::<u64>();
        if self == Spread::CorrectShare {
            let share = right as f64 / n as f64;
            return real(Some(share), "");
        }
        let most = others.into_iter().max().unwrap_or(0);
        let flag = u8::from(right > most);
        worked(flag)
    }

    fn last(self, held: &[Held<'_>]) -> Worked {
        let Some(last) = held.last() else { return absent("nobody has a valid position here") };
        let amount = last.amount.map_or("no amount".to_owned(), |amount| format!("amount {amount}"));
        match (self, last.amount) {
            (Spread::Amount, None) => {
                Err(format!("{} was chosen without an amount", last.alternative))
            }
            (Spread::Amount, Some(amount)) => worked(amount),
            _ => worked(last.alternative),
        }
    }
}

/// The share of the alternative that the column names.
fn option_share(picked: &Picked<'_>, counts: &[u64], n: u64) -> Worked {
    let name = option_of_share(picked.case.column).unwrap_or_default();
    let Some(place) = picked.arm().alternatives.iter().position(|other| other.as_str() == name) else {
        return Err(format!("{name} is not offered here"));
    };
    let share = counts[place] as f64 / n as f64;
    real(Some(share), "")
}

fn entropy(counts: &[u64], n: u64) -> Worked {
    if counts.len() < 2 {
        return Err("there are fewer than two alternatives".to_owned());
    }
    let mut sum = 0.0;
    let mut terms = Vec::new();
    for count in counts.iter().filter(|count| **count > 0) {
        let p = *count as f64 / n as f64;
        sum -= p * libm::log(p);
        terms.push(format!("{count}/{n} ln {count}/{n}"));
    }
    let most = libm::log(counts.len() as f64);
    let value = sum / most;
    real(Some(value), "")
}

fn pairs(counts: &[u64], n: u64) -> Worked {
    if n < 2 {
        return Err("there are fewer than two positions, so no pair".to_owned());
    }
    let agreeing: u64 = counts.iter().map(|count| count * count.saturating_sub(1)).sum();
    let terms: Vec<String> =
        counts.iter().filter(|count| **count > 0).map(|count| format!("{count}*{}", count - 1)).collect();
    let value = agreeing as f64 / (n * (n - 1)) as f64;
    real(Some(value), "")
}

fn exact(held: &[Held<'_>], n: u64) -> Worked {
    let mut kinds: Vec<(&AlternativeName, Option<u32>)> =
        held.iter().map(|held| (held.alternative, held.amount)).collect();
    kinds.sort();
    kinds.dedup();
    let count = |kind: &(&AlternativeName, Option<u32>)| {
        held.iter().filter(|held| (held.alternative, held.amount) == *kind).count() as u64
    };
    let counts: Vec<u64> = kinds.iter().map(count).collect();
    let words: Vec<String> = kinds
        .iter()
        .zip(&counts)
        .map(|((name, amount), count)| match amount {
            Some(amount) => format!("{name} {amount}: {count}"),
            None => format!("{name}: {count}"),
        })
        .collect();
    pairs(&counts, n)
}
