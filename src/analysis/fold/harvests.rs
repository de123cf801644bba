//! Folds harvests of a common stock.

use crate::analysis::column::put_row;
use crate::analysis::fold::state::{ForeignRecord, Harvests, SessionFold, foreign_record};
use crate::analysis::measures;
use crate::analysis::tables::{HarvestRow, HarvestTotals};
use crate::domain::{Harvest, Record};

impl SessionFold {
    pub(super) fn fold_harvest(
        &mut self,
        record: &Record,
        (stock, left, grown): (u32, u32, u32),
        harvests: &[Harvest],
    ) -> Result<(), ForeignRecord> {
        let arm = self.facts.arm.clone();
        let commons = arm.commons.as_ref().ok_or_else(|| foreign_record(record, "a harvest of", "no common stock"))?;
        let sustainable = u64::from(commons.sustainable_harvest(stock));
        if self.harvests.rounds == 0 {
            self.harvests.sustainable = sustainable;
        }
        self.harvests.rounds += 1;
        self.harvests.is_collapsed = commons.is_collapsed(left);
        for harvest in harvests {
            let seat = self.find_seat(record, &harvest.seat)?;
            let is_over = u64::from(harvest.got) * harvests.len() as u64 > sustainable;
            self.harvests.single[0] += 1;
            self.harvests.single[1] += u64::from(is_over);
            let gain = self.seats[seat].gain.unwrap_or(0) + u64::from(harvest.got);
            self.seats[seat].gain = Some(gain);
            let row = HarvestRow {
                seq: record.seq,
                phase: record.at.phase.clone(),
                round: record.at.round,
                seat: harvest.seat.clone(),
                stock,
                asked: harvest.asked,
                tries_before: u32::from(self.seats[seat].tries_before),
                got: harvest.got,
                over_use: is_over,
                gain,
                left,
                grown,
            };
            put_row(&self.key, &row, &mut self.rows.harvests);
        }
        Ok(())
    }

    /// `None` without a harvest.
    pub(super) fn harvest_totals(&self) -> Option<HarvestTotals> {
        let Harvests { rounds, single: [all, over], sustainable, is_collapsed } = self.harvests;
        let gains: Vec<u64> = self.seats.iter().map(|seat| seat.gain.unwrap_or(0)).collect();
        let total_gain: u64 = gains.iter().sum();
        let most = u64::from(self.facts.arm.rounds_max()) * sustainable;
        (rounds > 0 && all > 0).then(|| HarvestTotals {
            survival_time: rounds,
            collapsed: is_collapsed,
            total_gain,
            efficiency: (most > 0).then(|| 1.0 - most.saturating_sub(total_gain) as f64 / most as f64),
            equality: measures::gini(&gains).map(|gini| 1.0 - gini),
            over_usage: over as f64 / all as f64,
        })
    }
}
