//! Cells about a common stock, worked out again from the records of its harvests.

use ekklesia::domain::{Event, Harvest, Record};
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about a harvest, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HarvestCell {
    /// Who took.
    Seat,
    /// What it asked for.
    Asked,
    /// What it got.
    Got,
    /// Whether that is more than its part.
    OverUse,
    /// What it took in all.
    Gain,
    /// Rounds with a harvest.
    SurvivalTime,
    /// Whether the stock is gone.
    Collapsed,
    /// What all took.
    TotalGain,
    /// That over what could have been taken.
    Efficiency,
    /// One less the Gini coefficient.
    Equality,
    /// The share of harvests above their part.
    OverUsage,
}

/// A harvest as its record has it.
struct Taken<'r> {
    record: &'r Record,
    stock: u32,
    all: &'r [Harvest],
    left: u32,
}

fn taken<'r>(record: &'r Record) -> Option<Taken<'r>> {
    match &record.event {
        Event::Harvested { stock, harvests, left, .. } => {
            Some(Taken { record, stock: *stock, all: harvests, left: *left })
        }
        _ => None,
    }
}

impl HarvestCell {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let harvests: Vec<Taken<'_>> = picked.records.iter().filter_map(|record| taken(record)).collect();
        let (Some(commons), Some(last)) = (&picked.arm().commons, harvests.last()) else {
            return absent("there is no common stock");
        };
        match self {
            HarvestCell::Seat | HarvestCell::Asked | HarvestCell::Got | HarvestCell::OverUse => {
                self.of_seat(picked, last)
            }
            HarvestCell::Gain => gain(picked, &harvests),
            HarvestCell::SurvivalTime => worked(harvests.len()),
            HarvestCell::Collapsed => {
                let value = u8::from(last.left == 0 || last.left < commons.collapse_below);
                let said = format!(
                    "{} left {}; none, or below {}: {value}",
                    named(last.record),
                    last.left,
                    commons.collapse_below
                );
                worked(value)
            }
            HarvestCell::TotalGain => {
                let each: Vec<u64> = harvests.iter().map(total).collect();
                worked(each.iter().sum::<u64>())
            }
            HarvestCell::Efficiency => efficiency(picked, &harvests),
            HarvestCell::Equality => equality(picked, &harvests),
            HarvestCell::OverUsage => {
                let all: usize = harvests.iter().map(|taken| taken.all.len()).sum();
                let over =
                    |taken: &Taken<'_>| taken.all.iter().filter(|harvest| is_over(picked, taken, harvest)).count();
                let over: usize = harvests.iter().map(over).sum();
                real(Some(over as f64 / all as f64), "")
            }
        }
    }

    fn of_seat(self, picked: &Picked<'_>, taken: &Taken<'_>) -> Worked {
        let seat = picked.case.scope.seat();
        let Some(harvest) = taken.all.iter().find(|harvest| Some(&harvest.seat) == seat.as_ref()) else {
            return absent(format!("{} names no such seat", named(taken.record)));
        };
        let said = |what: &str| vec![format!("{} says that {} {what}", named(taken.record), harvest.seat)];
        match self {
            HarvestCell::Asked => match harvest.asked {
                Some(asked) => worked(asked),
                None => absent(format!("{} gave no admissible answer", harvest.seat)),
            },
            HarvestCell::Got => worked(harvest.got),
            HarvestCell::OverUse => {
                let (most, n) = (sustainable(picked, taken), taken.all.len());
                let value = u8::from(is_over(picked, taken, harvest));
                worked(value,
                )
            }
            _ => worked(&harvest.seat),
        }
    }
}

fn joined(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn total(taken: &Taken<'_>) -> u64 {
    taken.all.iter().map(|harvest| u64::from(harvest.got)).sum()
}

/// f(t): the stock less the least that must be left for it to be there again.
fn sustainable(picked: &Picked<'_>, taken: &Taken<'_>) -> u64 {
    let Some(commons) = &picked.arm().commons else { return 0 };
    let (stock, growth) = (u64::from(taken.stock), u64::from(commons.growth));
    let least = (0..=stock).find(|left| left * growth >= stock * 1_000 && *left >= u64::from(commons.collapse_below));
    least.map_or(0, |left| stock - left)
}

fn is_over(picked: &Picked<'_>, taken: &Taken<'_>, harvest: &Harvest) -> bool {
    u64::from(harvest.got) * taken.all.len() as u64 > sustainable(picked, taken)
}

fn got_of(harvests: &[Taken<'_>], seat: &str) -> Vec<u64> {
    let all = harvests.iter().flat_map(|taken| taken.all);
    all.filter(|harvest| harvest.seat.as_str() == seat).map(|harvest| u64::from(harvest.got)).collect()
}

fn gain(picked: &Picked<'_>, harvests: &[Taken<'_>]) -> Worked {
    let Some(seat) = picked.case.scope.seat() else { return absent("the row is of no seat") };
    let got = got_of(harvests, seat.as_str());
    if got.is_empty() {
        return absent(format!("{seat} took part in no harvest"));
    }
    worked(got.iter().sum::<u64>())
}

fn efficiency(picked: &Picked<'_>, harvests: &[Taken<'_>]) -> Worked {
    let Some(first) = harvests.first() else { return absent("there is no harvest") };
    let (each, rounds) = (sustainable(picked, first), u64::from(picked.arm().rounds_max()));
    let (most, got) = (each * rounds, harvests.iter().map(total).sum::<u64>());
    let value = (most > 0).then(|| 1.0 - most.saturating_sub(got) as f64 / most as f64);
    real(value, "nothing can be taken for ever")
}

fn equality(picked: &Picked<'_>, harvests: &[Taken<'_>]) -> Worked {
    let gains: Vec<u64> = picked.seat_names().iter().map(|seat| got_of(harvests, seat).iter().sum()).collect();
    let sum: u64 = gains.iter().sum();
    let differences: u64 = gains.iter().flat_map(|one| gains.iter().map(move |other| one.abs_diff(*other))).sum();
    let value = (sum > 0).then(|| 1.0 - differences as f64 / (2 * gains.len() as u64 * sum) as f64);
    real(value, "nobody took anything")
}
