//! Cells about what seats chose or declared: counts over alternatives, and what follows from them.

use std::collections::{BTreeMap, BTreeSet};

use ekklesia::analysis::ArmFacts;
use ekklesia::domain::{AlternativeName, Record, Reply, SeatName, Step};

use super::{Cell, flag, list, real, share, show};

/// What a seat chose or declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<'r> {
    pub seat: &'r SeatName,
    pub alternative: AlternativeName,
    pub amount: Option<u32>,
}

/// The positions in records, in their order.
pub struct Positions<'r> {
    pub valid: Vec<Position<'r>>,
    /// Answers that do not count.
    pub invalid: usize,
}

/// Whether choosing an alternative means naming an amount.
fn takes_amount(arm: &ArmFacts, name: &AlternativeName) -> bool {
    arm.alternatives.iter().zip(&arm.takes_amount).any(|(known, takes)| known == name && *takes)
}

/// Lists the positions in records. A ballot for an alternative that takes an amount counts once the amount is named.
pub fn list_positions<'r>(records: &[&'r Record], arm: &ArmFacts) -> Positions<'r> {
    let mut pending: BTreeMap<&SeatName, AlternativeName> = BTreeMap::new();
    let (mut valid, mut invalid) = (Vec::new(), 0);
    for record in records {
        let Some(seat) = &record.seat else { continue };
        let (alternative, amount) = match record.reply() {
            Some(
                Reply::Statement { stance: Some(choice), .. }
                | Reply::Choice(choice)
                | Reply::Opined(choice, _)
                | Reply::Application { choice, .. },
            ) => (Some(choice.alternative), choice.amount),
            Some(Reply::Ballot(ballot)) => {
                invalid += usize::from(ballot.first().is_none());
                (ballot.first().cloned(), None)
            }
            Some(Reply::Amount(amount)) if record.at.step == Step::Amount => (pending.remove(seat), Some(amount)),
            _ => {
                invalid += usize::from(record.final_fault().is_some());
                (None, None)
            }
        };
        let Some(alternative) = alternative else { continue };
        let is_ballot = record.at.step == Step::Ballot;
        if is_ballot && amount.is_none() && takes_amount(arm, &alternative) {
            pending.insert(seat, alternative);
        } else {
            valid.push(Position { seat, alternative, amount });
        }
    }
    Positions { valid, invalid }
}

impl<'c> Cell<'c> {
    /// The valid positions in all records.
    pub(super) fn positions(&self) -> Vec<Position<'c>> {
        list_positions(&self.records, self.arm()).valid
    }

    /// The valid positions in the last poll or vote.
    pub(super) fn last_positions(&self) -> Option<Vec<Position<'c>>> {
        let last = &self.last()?.at;
        let is_last = |record: &&&Record| record.at.phase == last.phase && record.at.round == last.round;
        let records: Vec<&Record> = self.records.iter().filter(is_last).copied().collect();
        Some(list_positions(&records, self.arm()).valid)
    }

    /// How many hold each alternative, in the order of the scenario; `None` where nobody holds one, or there is nothing to choose.
    fn counts(&self) -> Option<Vec<usize>> {
        self.choices()?;
        let positions = self.last_positions()?;
        let count = |name: &AlternativeName| positions.iter().filter(|position| position.alternative == *name).count();
        let counts: Vec<usize> = self.arm().alternatives.iter().map(count).collect();
        Some(counts).filter(|counts| counts.iter().sum::<usize>() > 0)
    }
}

pub fn count_positions(cell: &Cell<'_>) -> Option<String> {
    show(cell.last_positions()?.len())
}

pub fn count_stances(cell: &Cell<'_>) -> Option<String> {
    cell.is_talk().then(|| cell.positions().len().to_string())
}

pub fn list_modes(cell: &Cell<'_>) -> Option<String> {
    let counts = cell.counts()?;
    let most = counts.iter().max()?;
    list(cell.arm().alternatives.iter().zip(&counts).filter(|(_, count)| *count == most).map(|(name, _)| name))
}

/// The share of the most frequent alternative.
pub fn modal_share(cell: &Cell<'_>) -> Option<String> {
    let counts = cell.counts()?;
    share(*counts.iter().max()?, counts.iter().sum())
}

pub fn share_of_column(cell: &Cell<'_>) -> Option<String> {
    let counts = cell.counts()?;
    let place = cell.arm().alternatives.iter().position(|name| name.as_str() == cell.name)?;
    share(counts[place], counts.iter().sum())
}

/// Shannon's entropy over its maximum.
pub fn normalised_entropy(counts: &[usize]) -> Option<f64> {
    let n: usize = counts.iter().sum();
    let shares = counts.iter().filter(|count| **count > 0).map(|count| *count as f64 / n as f64);
    let entropy: f64 = shares.map(|share| -share * libm::log(share)).sum();
    (n > 0 && counts.len() > 1).then(|| entropy / libm::log(counts.len() as f64))
}

pub fn entropy_norm(cell: &Cell<'_>) -> Option<String> {
    real(normalised_entropy(&cell.counts()?)?)
}

/// The share of pairs of seats that agree, pair by pair.
fn agreeing_share<T: PartialEq>(held: &[T]) -> Option<String> {
    let pairs =
        || held.iter().enumerate().flat_map(|(place, one)| held[place + 1..].iter().map(move |other| one == other));
    share(pairs().filter(|agree| *agree).count(), pairs().count())
}

pub fn pair_agreement(cell: &Cell<'_>) -> Option<String> {
    cell.choices()?;
    let positions = cell.last_positions()?;
    agreeing_share(&positions.iter().map(|position| position.alternative.clone()).collect::<Vec<_>>())
}

/// The share of pairs that hold the same alternative with the same amount.
pub fn exact_pair_agreement(cell: &Cell<'_>) -> Option<String> {
    let positions = cell.last_positions()?;
    agreeing_share(
        &positions.iter().map(|position| (position.alternative.clone(), position.amount)).collect::<Vec<_>>(),
    )
}

pub fn is_unanimous(cell: &Cell<'_>) -> Option<String> {
    let positions = cell.last_positions()?;
    let alternatives: BTreeSet<_> = positions.iter().map(|position| position.alternative.clone()).collect();
    let amounts: BTreeSet<_> = positions.iter().map(|position| position.amount).collect();
    let is_about_amount = cell.arm().alternatives.len() == 1;
    (!positions.is_empty())
        .then(|| u8::from(if is_about_amount { amounts.len() } else { alternatives.len() } == 1).to_string())
}

/// How many equally frequent alternatives would be as diverse.
pub fn effective_options(cell: &Cell<'_>) -> Option<String> {
    let counts = cell.counts()?;
    let n: usize = counts.iter().sum();
    share(n * n, counts.iter().map(|count| count * count).sum())
}

/// How many hold the right alternative, and how many hold each of the others.
fn split_by_truth(cell: &Cell<'_>) -> Option<(usize, Vec<usize>)> {
    let (counts, right) = (cell.counts()?, cell.right_alternative()?);
    let place = cell.arm().alternatives.iter().position(|name| name == right);
    let others = counts.iter().enumerate().filter(|(other, _)| Some(*other) != place);
    Some((place.map_or(0, |place| counts[place]), others.map(|(_, count)| *count).collect()))
}

pub fn correct_share(cell: &Cell<'_>) -> Option<String> {
    let (right, others) = split_by_truth(cell)?;
    share(right, right + others.iter().sum::<usize>())
}

/// Whether the right alternative alone is the most frequent.
pub fn is_group_correct(cell: &Cell<'_>) -> Option<String> {
    let (right, others) = split_by_truth(cell)?;
    flag(others.iter().all(|other| right > *other) && right > 0)
}

pub fn last_alternative(cell: &Cell<'_>) -> Option<String> {
    show(cell.positions().last()?.alternative.clone())
}

pub fn last_amount(cell: &Cell<'_>) -> Option<String> {
    show(cell.positions().last()?.amount?)
}

pub fn is_last_correct(cell: &Cell<'_>) -> Option<String> {
    let positions = cell.positions();
    let last = positions.last()?;
    flag(cell.is_right(&last.alternative, last.amount)?)
}
