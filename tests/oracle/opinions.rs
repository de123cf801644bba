//! Cells about opinions: numbers from 0 to 1 that seats declared, or that their amount or their choice of two alternatives comes to.

use std::collections::BTreeMap;

use ekklesia::domain::{Event, Opinion, Record};
use ekklesia::metrics::measures::{esteban_ray, vdeijk_a};
use super::spread::positions;
use super::{Of, Picked, Worked, absent, real, worked};

/// A cell about opinions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinions {
    /// Seats with one.
    N,
    /// What they come from.
    Source,
    /// Their mean.
    Mean,
    /// Their standard deviation.
    Sd,
    /// Their variance.
    Variance,
    /// Seats that had one before.
    ShiftN,
    /// How far they moved.
    ShiftAbs,
    /// How far towards 1.
    ShiftNet,
    /// Seats with one in the polls before and after the talk.
    PollShiftN,
    /// How far they moved towards 1 from one to the other.
    PollShiftNet,
    /// Van der Eijk's agreement.
    VanDerEijk,
    /// Esteban and Ray's polarisation.
    Polarisation,
    /// The same with α 1.
    PolarisationOne,
}

const ONE: u32 = Opinion::ONE;

/// The steps in which opinions are printed, from 0 to 1.
const STEPS: u32 = 1_000_000;

/// A seat's opinion, in billionths.
struct Told<'p> {
    seat: &'p str,
    x: u32,
    source: &'static str,
    /// The one that it told before.
    before: Option<u32>,
}

/// An opinion and what it comes from.
fn told(record: &Record, picked: &Picked<'_>) -> Option<(u32, &'static str)> {
    let (Event::Spoke { opinion: declared, .. } | Event::Polled { opinion: declared, .. }) = &record.event else {
        return None;
    };
    match declared {
        // The weight on one of many alternatives is no place on a scale.
        Some(_) if picked.arm().alternatives.len() > 2 => return None,
        Some(declared) => return Some((declared.billionths(), "opinion")),
        None => {}
    }
    let (held, _) = positions(&[record], picked.arm());
    let choice = held.first()?.alternative;
    match picked.arm().alternatives.as_slice() {
        [first, _] => Some((if first == choice { ONE } else { 0 }, "stance")),
        [_] => {
            let [least, greatest] = picked.arm().amounts?.map(u128::from);
            let above = u128::from(held.first()?.amount?).checked_sub(least)?;
            let range = greatest.checked_sub(least).filter(|range| *range > 0 && above <= *range)?;
            let billionths = (2 * above * u128::from(ONE) + range) / (2 * range);
            Some((u32::try_from(billionths).ok()?, "amount"))
        }
        _ => None,
    }
}

/// The opinions of the row's part: in a round of talk those of statements, elsewhere those of polls.
fn opinions<'p>(picked: &'p Picked<'_>) -> Vec<Told<'p>> {
    let (scope, is_talk) = (picked.case.scope, picked.is_talk());
    let is_here =
        |record: &Record| scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round);
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    let mut now: BTreeMap<&str, Told<'p>> = BTreeMap::new();
    for record in picked.records.iter().filter(|record| matches!(record.event, Event::Spoke { .. }) == is_talk) {
        let (Some(seat), Some((x, source))) = (&record.seat, told(record, picked)) else { continue };
        let before = last.insert(seat.as_str(), x);
        if is_here(record) {
            now.insert(seat.as_str(), Told { seat: seat.as_str(), x, source, before });
        }
    }
    picked.seat_names().into_iter().filter_map(|name| now.remove(name)).collect()
}

/// The opinions of the polls after the talk, with those of the polls before it; of several the last.
fn polled<'p>(picked: &'p Picked<'_>) -> Vec<Told<'p>> {
    let mut last: [BTreeMap<&str, (u32, &'static str)>; 2] = Default::default();
    for record in picked.records.iter().copied() {
        let place = [Of::PollBefore, Of::PollAfter].iter().position(|of| of.fits(record, picked.arm()));
        let (Some(place), Some(seat), Some(found)) = (place, &record.seat, told(record, picked)) else { continue };
        last[place].insert(seat.as_str(), found);
    }
    let told = |seat: &'p str| {
        let (x, source) = *last[1].get(seat)?;
        Some(Told { seat, x, source, before: last[0].get(seat).map(|(x, _)| *x) })
    };
    picked.seat_names().into_iter().filter_map(told).collect()
}

fn number(billionths: u32) -> f64 {
    f64::from(billionths) / f64::from(ONE)
}

impl Opinions {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let all = if matches!(self, Opinions::PollShiftN | Opinions::PollShiftNet) {
            polled(picked)
        } else {
            opinions(picked)
        };
        let listed: Vec<String> =
            all.iter().map(|told| format!("{} {:.6} ({})", told.seat, number(told.x), told.source)).collect();
        if all.is_empty() {
            return absent("nobody told an opinion here");
        }
        let numbers: Vec<f64> = all.iter().map(|told| number(told.x)).collect();
        let n = numbers.len() as f64;
        let places: Vec<u32> = all.iter().map(|told| (told.x + 500) / 1_000).collect();
        let mean = numbers.iter().sum::<f64>() / n;
        let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        match self {
            Opinions::N => worked(all.len()),
            Opinions::Source => {
                let mut sources: Vec<&str> = all.iter().map(|told| told.source).collect();
                sources.sort_unstable();
                sources.dedup();
                worked(sources.join("|"))
            }
            Opinions::Mean => real(Some(mean), ""),
            Opinions::Sd => real(Some(libm::sqrt(variance)), ""),
            Opinions::Variance => real(Some(variance), ""),
            Opinions::ShiftN
            | Opinions::ShiftAbs
            | Opinions::ShiftNet
            | Opinions::PollShiftN
            | Opinions::PollShiftNet => self.shifts(&all),
            Opinions::VanDerEijk => {
                let mut bins = [0_u32; 7];
                places.iter().for_each(|x| bins[(*x * 7 / STEPS).min(6) as usize] += 1);
                real(vdeijk_a(&bins), "")
            }
            Opinions::Polarisation => real(esteban_ray(&places, STEPS, 1.3), ""),
            Opinions::PolarisationOne => real(esteban_ray(&places, STEPS, 1.0), ""),
        }
    }

    fn shifts(self, all: &[Told<'_>]) -> Worked {
        let mut shifts = Vec::new();
        for told in all {
            let Some(before) = told.before else { continue };
            let shift = (f64::from(told.x) - f64::from(before)) / f64::from(ONE);
            shifts.push(shift);
        }
        let n = shifts.len();
        if self == Opinions::ShiftN || self == Opinions::PollShiftN && n > 0 {
            return worked(n);
        }
        if n == 0 {
            return Err("no seat had told an opinion before".to_owned());
        }
        let sum: f64 = shifts.iter().map(|shift| if self == Opinions::ShiftAbs { shift.abs() } else { *shift }).sum();
        real(Some(sum / n as f64), "")
    }
}
