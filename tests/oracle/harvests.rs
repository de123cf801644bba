//! Cells about a common stock and what seats took from it.

use ekklesia::domain::{Event, Harvest, Record};
use ekklesia::mechanism::Commons;

use super::{Cell, flag, real, share, show};

/// A harvest as its record has it.
struct Taken<'r> {
    stock: u64,
    harvests: &'r [Harvest],
    left: u32,
}

impl Taken<'_> {
    fn total(&self) -> u64 {
        self.harvests.iter().map(|harvest| u64::from(harvest.got)).sum()
    }

    /// Whether a seat took more than its part of what the stock can bear.
    fn is_over(&self, harvest: &Harvest, commons: &Commons) -> bool {
        u64::from(harvest.got) * self.harvests.len() as u64 > find_sustainable(self.stock, commons)
    }
}

/// The stock less the least that must be left for it to grow back.
fn find_sustainable(stock: u64, commons: &Commons) -> u64 {
    let growth = u64::from(commons.growth);
    let is_enough = |left: &u64| left * growth >= stock * 1_000 && *left >= u64::from(commons.collapse_below);
    (0..=stock).find(is_enough).map_or(0, |left| stock - left)
}

impl<'c> Cell<'c> {
    fn taken(&self) -> Option<(&'c Commons, Vec<Taken<'c>>)> {
        let taken = |record: &&'c Record| match &record.event {
            Event::Harvested { stock, harvests, left, .. } => {
                Some(Taken { stock: u64::from(*stock), harvests, left: *left })
            }
            _ => None,
        };
        let all: Vec<Taken<'c>> = self.records.iter().filter_map(taken).collect();
        Some((self.arm().commons.as_ref()?, all)).filter(|(_, all)| !all.is_empty())
    }

    /// The last harvest of the row's seat.
    pub(super) fn harvest(&self) -> Option<&'c Harvest> {
        let seat = self.seat()?;
        self.taken()?.1.last()?.harvests.iter().find(|harvest| harvest.seat == seat)
    }
}

pub fn is_over_use(cell: &Cell<'_>) -> Option<String> {
    let (commons, all) = cell.taken()?;
    flag(all.last()?.is_over(cell.harvest()?, commons))
}

/// What each seat took, harvest by harvest.
fn gain_of(all: &[Taken<'_>], seat: &str) -> Option<u64> {
    let harvests = all.iter().flat_map(|taken| taken.harvests);
    let own = harvests.filter(|harvest| harvest.seat.as_str() == seat);
    own.map(|harvest| u64::from(harvest.got)).reduce(|sum, got| sum + got)
}

pub fn sum_gain(cell: &Cell<'_>) -> Option<String> {
    show(gain_of(&cell.taken()?.1, cell.seat()?.as_str())?)
}

/// Counts the rounds with a harvest.
pub fn survival_time(cell: &Cell<'_>) -> Option<String> {
    show(cell.taken()?.1.len())
}

pub fn has_collapsed(cell: &Cell<'_>) -> Option<String> {
    let (commons, all) = cell.taken()?;
    let left = all.last()?.left;
    flag(left == 0 || left < commons.collapse_below)
}

pub fn sum_total_gain(cell: &Cell<'_>) -> Option<String> {
    show(cell.taken()?.1.iter().map(Taken::total).sum::<u64>())
}

/// What was taken over what could have been taken for ever, at most 1.
pub fn efficiency(cell: &Cell<'_>) -> Option<String> {
    let (commons, all) = cell.taken()?;
    let rounds: u32 = cell.arm().phases.iter().map(|phase| phase.rounds_max).sum();
    let most = find_sustainable(all[0].stock, commons) * u64::from(rounds);
    let got: u64 = all.iter().map(Taken::total).sum();
    share(got.min(most) as usize, most as usize)
}

/// One less Gini's coefficient of what seats took, pair by pair.
pub fn equality(cell: &Cell<'_>) -> Option<String> {
    let (_, all) = cell.taken()?;
    let gains: Vec<u64> = cell.seat_names().iter().map(|seat| gain_of(&all, seat).unwrap_or(0)).collect();
    let sum: u64 = gains.iter().sum();
    let differences: u64 = gains.iter().flat_map(|one| gains.iter().map(|other| one.abs_diff(*other))).sum();
    if sum == 0 { None } else { real(1.0 - differences as f64 / (2 * gains.len() as u64 * sum) as f64) }
}

/// The share of harvests above their part.
pub fn over_usage(cell: &Cell<'_>) -> Option<String> {
    let (commons, all) = cell.taken()?;
    let over = |taken: &Taken<'_>| taken.harvests.iter().filter(|harvest| taken.is_over(harvest, commons)).count();
    share(all.iter().map(over).sum(), all.iter().map(|taken| taken.harvests.len()).sum())
}
