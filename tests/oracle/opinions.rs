//! Cells about opinions: numbers from 0 to 1 that seats declared, or that their amount or choice of two alternatives comes to.

use std::collections::BTreeMap;

use ekklesia::analysis::measures::vdeijk_a;
use ekklesia::analysis::why::RecordKind;
use ekklesia::domain::{Opinion, Record, Reply, Step};

use super::positions::list_positions;
use super::{Cell, list, real, show};

const ONE: u32 = Opinion::ONE;
/// Opinions are printed in millionths.
const MILLION: u32 = 1_000_000;

/// A seat's opinion.
struct Held {
    billionths: u32,
    source: &'static str,
    /// The opinion that the seat had before.
    before: Option<u32>,
}

impl Held {
    fn number(&self) -> f64 {
        f64::from(self.billionths) / f64::from(ONE)
    }
}

/// The opinion in a record, in billionths, and where it comes from.
fn read_opinion(record: &Record, cell: &Cell<'_>) -> Option<(u32, &'static str)> {
    let opinion = match record.reply()? {
        Reply::Statement { opinion, .. } => opinion,
        reply => reply.choice().filter(|_| record.at.step == Step::StrawPoll)?.1,
    };
    let alternatives = &cell.arm().alternatives;
    if let Some(opinion) = opinion {
        // The weight on one of many alternatives is no place on a scale.
        return (alternatives.len() <= 2).then_some((opinion.billionths(), "opinion"));
    }
    let positions = list_positions(&[record], cell.arm()).valid;
    let position = positions.first()?;
    match alternatives.as_slice() {
        [first, _] => Some((if position.alternative == *first { ONE } else { 0 }, "stance")),
        [_] => {
            let [least, greatest] = cell.arm().amounts?.map(u128::from);
            let above = u128::from(position.amount?).checked_sub(least)?;
            let range = greatest.checked_sub(least).filter(|range| *range > 0 && above <= *range)?;
            let billionths = (2 * above * u128::from(ONE) + range) / (2 * range);
            Some((u32::try_from(billionths).ok()?, "amount"))
        }
        _ => None,
    }
}

/// The opinions of the row's part, seat by seat: those of statements in a round of talk, those of polls elsewhere.
fn list_opinions(cell: &Cell<'_>) -> Vec<Held> {
    let (mut last, mut here) = (BTreeMap::new(), BTreeMap::new());
    for record in
        cell.records.iter().filter(|record| matches!(record.reply(), Some(Reply::Statement { .. })) == cell.is_talk())
    {
        let (Some(seat), Some((billionths, source))) = (&record.seat, read_opinion(record, cell)) else { continue };
        let before = last.insert(seat, billionths);
        if cell.is_here(record) {
            here.insert(seat, Held { billionths, source, before });
        }
    }
    cell.arm().seats.iter().filter_map(|seat| here.remove(&seat.name)).collect()
}

/// The last opinions of the polls after the talk, with those of the polls before it.
fn list_polled(cell: &Cell<'_>) -> Vec<Held> {
    let poll = |of: RecordKind| -> BTreeMap<_, _> {
        let own = cell.records.iter().filter(|record| of.matches_record(record, cell.arm()));
        own.filter_map(|record| Some((record.seat.as_ref()?, read_opinion(record, cell)?))).collect()
    };
    let (before, after) = (poll(RecordKind::PollBefore), poll(RecordKind::PollAfter));
    let held = |(seat, (billionths, source))| Held { billionths, source, before: before.get(seat).map(|(x, _)| *x) };
    after.into_iter().map(held).collect()
}

/// Lists the opinions of the row; `None` where there are none.
fn opinions(cell: &Cell<'_>) -> Option<Vec<Held>> {
    let all = if cell.row.table() == "sessions" { list_polled(cell) } else { list_opinions(cell) };
    Some(all).filter(|all| !all.is_empty())
}

pub fn count_opinions(cell: &Cell<'_>) -> Option<String> {
    show(opinions(cell)?.len())
}

pub fn list_sources(cell: &Cell<'_>) -> Option<String> {
    let mut sources: Vec<&str> = opinions(cell)?.iter().map(|held| held.source).collect();
    sources.sort_unstable();
    sources.dedup();
    list(sources)
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

pub fn mean_and_variance(cell: &Cell<'_>) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = opinions(cell)?.iter().map(Held::number).collect();
    let centre = mean(&numbers);
    Some((centre, mean(&numbers.iter().map(|x| (x - centre) * (x - centre)).collect::<Vec<f64>>())))
}

/// How far seats moved towards 1 that had an opinion before.
fn shifts(cell: &Cell<'_>) -> Option<Vec<f64>> {
    let shift = |held: &Held| Some((f64::from(held.billionths) - f64::from(held.before?)) / f64::from(ONE));
    Some(opinions(cell)?.iter().filter_map(shift).collect())
}

/// Counts the seats that had an opinion before; a session in which none had has an empty cell.
pub fn count_shifts(cell: &Cell<'_>) -> Option<String> {
    let n = shifts(cell)?.len();
    if n == 0 && cell.row.table() == "sessions" { None } else { show(n) }
}

pub fn mean_shift(cell: &Cell<'_>) -> Option<String> {
    let shifts = shifts(cell)?;
    if shifts.is_empty() { None } else { real(mean(&shifts)) }
}

pub fn mean_absolute_shift(cell: &Cell<'_>) -> Option<String> {
    let shifts: Vec<f64> = shifts(cell)?.into_iter().map(f64::abs).collect();
    if shifts.is_empty() { None } else { real(mean(&shifts)) }
}

fn list_millionths(cell: &Cell<'_>) -> Option<Vec<u32>> {
    Some(opinions(cell)?.iter().map(|held| (held.billionths + 500) / 1_000).collect())
}

/// Van der Eijk's agreement over seven equal parts of the scale.
pub fn van_der_eijk(cell: &Cell<'_>) -> Option<String> {
    let mut bins = [0; 7];
    list_millionths(cell)?.iter().for_each(|x| bins[(x * 7 / MILLION).min(6) as usize] += 1);
    real(vdeijk_a(&bins)?)
}

/// Esteban and Ray's polarisation, pair by pair.
pub fn esteban_ray(cell: &Cell<'_>, alpha: f64) -> Option<String> {
    let places = list_millionths(cell)?;
    let group = |x: u32| places.iter().filter(|place| **place == x).count() as f64 / places.len() as f64;
    let n = places.len() as f64;
    let of_pair = |one: u32, other: u32| {
        libm::pow(group(one), alpha) / (n * n) * f64::from(one.abs_diff(other)) / f64::from(MILLION)
    };
    real(places.iter().flat_map(|one| places.iter().map(move |other| (*one, *other))).map(|(a, b)| of_pair(a, b)).sum())
}
