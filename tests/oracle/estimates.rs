//! Cells about amounts: how far they are from the right one, and from each other; worked out in whole numbers as far as they go.

use ekklesia::domain::{Event, Record, Truth};
use super::spread::positions;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// How many there are.
    N,
    /// The squared error of their mean.
    CrowdError,
    /// Their mean squared error.
    IndividualMse,
    /// Their variance.
    Diversity,
    /// The squared error of their median.
    MedianError,
    /// The squared error of the amount decided for.
    Result,
    /// Its distance from the right one, over the right one.
    Relative,
}

/// The amount that is right, and where that is said.
pub(super) fn right_amount(picked: &Picked<'_>) -> Option<(i128, String)> {
    if let Some(item) = &picked.case.facts.item {
        let amount = item.key.as_ref()?.amount()?;
        return Some((i128::from(amount), format!("{amount} is right, the key of {}", item.row())));
    }
    picked.case.all.iter().find_map(|record| match &record.event {
        Event::Dealt { truth: Some(Truth::Amount(amount)), .. } => {
            Some((i128::from(*amount), format!("{} says that {amount} is right", named(record))))
        }
        _ => None,
    })
}

impl Estimate {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        if picked.arm().alternatives.len() != 1 {
            return absent("the motion is not about an amount alone");
        }
        if matches!(self, Estimate::Result | Estimate::Relative) {
            return self.of_decided(picked);
        }
        // Where a session has several such polls, the last one counts.
        let is_last = |record: &&Record| {
            picked.last().is_some_and(|last| (last.at.round, &last.at.phase) == (record.at.round, &record.at.phase))
        };
        let of_last: Vec<&Record> = picked.records.iter().copied().filter(is_last).collect();
        let (held, _) = positions(&of_last, picked.arm());
        let mut amounts: Vec<i128> = held.iter().filter_map(|held| held.amount.map(i128::from)).collect();
        if amounts.is_empty() {
            return absent("nobody named an amount here");
        }
        let listed: Vec<String> =
            held.iter().filter_map(|held| Some(format!("{} {}", held.seat, held.amount?))).collect();
        let (n, sum) = (amounts.len() as i128, amounts.iter().sum::<i128>());
        match self {
            Estimate::N => return worked(n),
            Estimate::Diversity => {
                let squares: i128 = amounts.iter().map(|x| x * x).sum();
                return real(Some((n * squares - sum * sum) as f64 / (n * n) as f64), "");
            }
            _ => {}
        }
        let Some((t, said)) = right_amount(picked) else {
            return Err("nobody knows which amount is right".to_owned());
        };
        let value = match self {
            Estimate::IndividualMse => {
                let errors: i128 = amounts.iter().map(|x| (x - t) * (x - t)).sum();
                errors as f64 / n as f64
            }
            Estimate::MedianError => {
                amounts.sort_unstable();
                let twice = amounts[(amounts.len() - 1) / 2] + amounts[amounts.len() / 2];
                let off = twice - 2 * t;
                (off * off) as f64 / 4.0
            }
            _ => {
                let off = sum - n * t;
                (off * off) as f64 / (n * n) as f64
            }
        };
        real(Some(value), "")
    }

    /// How far the amount decided for is from the right one.
    fn of_decided(self, picked: &Picked<'_>) -> Worked {
        match (decided(picked), right_amount(picked)) {
            (None, _) => absent("nothing was decided for"),
            (_, None) => absent("nobody knows which amount is right"),
            (Some(_), Some((0, _))) if self == Estimate::Relative => absent("0 is right, and nothing is a part of it"),
            (Some(amount), Some((t, said))) => {
                let off = i128::from(amount) - t;
                let (worked, value) = match self {
                    Estimate::Relative => (format!("|{amount} - {t}| / {t}"), off.abs() as f64 / t as f64),
                    _ => (format!("({amount} - {t})^2"), (off * off) as f64),
                };
                real(Some(value), "")
            }
        }
    }
}

/// The amount decided for.
fn decided(picked: &Picked<'_>) -> Option<u32> {
    picked.records.iter().find_map(|record| match &record.event {
        Event::Adjourned { decided: Some(decided), .. } => decided.amount,
        _ => None,
    })
}
