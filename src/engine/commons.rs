//! The common stock: each round of talk begins with a harvest. Every seat is asked in private how much it takes, all at once; then it is
//! minuted what each got and what is left, and all are told. What a stock does by itself is the mechanism's affair.

use super::deliberation::{Deliberation, Stage};
use crate::chance::DrawPurpose;
use crate::domain::{Event, Harvest, LastHarvest, Pool, QuestionId, SeatId, Step, Voice};
use crate::mechanism::{Feedback, ration_stock};
use crate::memory::notice::{self, HarvestReport};

/// How things stand with the stock.
#[derive(Debug, Clone, Default)]
pub(super) struct Stock {
    /// What there is.
    pub units: u32,
    /// Whether it is gone.
    pub is_collapsed: bool,
    /// What each seat asked for in the round; one entry a seat.
    pub asked: Vec<Option<u32>>,
    /// The last harvest: what there was, what all got together, and what each seat got, one entry a seat.
    last: Option<(u32, u32, Vec<u32>)>,
}

impl Stock {
    /// As it is before anybody took anything.
    pub fn full(units: u32, seats: usize) -> Self {
        Self { units, asked: vec![None; seats], ..Self::default() }
    }
}

impl Deliberation<'_> {
    /// What opens a round of talk: the harvest where there is a stock, else the first turn.
    pub(super) fn begin_talk(&mut self, place: usize, round: u32) {
        if self.plan.commons().is_none() {
            return self.next_turn(place, round, 0);
        }
        self.stock.asked.fill(None);
        self.ask_participants(place, round, Step::Harvest);
    }

    /// What a seat is told of the stock when it is asked.
    pub(super) fn pool(&self, seat: SeatId, place: usize, round: u32) -> Pool {
        let last = self.stock.last.as_ref().map(|(stock, total, got)| LastHarvest {
            stock: *stock,
            total: *total,
            own: got[seat.index()],
        });
        let rounds = self.discussion(place).rounds.get();
        Pool { stock: self.stock.units, round, rounds, seats: self.participants().count() as u32, last }
    }

    /// What each seat gets.
    pub(super) fn harvest(&self, place: usize, round: u32) -> Event {
        let commons = self.plan.commons().expect("invariant: only a common stock is harvested");
        let present: Vec<SeatId> = self.participants().collect();
        let asked: Vec<Option<u32>> = present.iter().map(|seat| self.stock.asked[seat.index()]).collect();
        let lot = |seat: &SeatId| {
            let at = self.moment(place, round, Step::Harvest);
            let question = QuestionId { at, seat: self.seat_name(*seat).clone(), attempt: 0 };
            self.seed.at_question(DrawPurpose::Ration, &question, 0).next_bits()
        };
        let lots: Vec<u64> = present.iter().map(lot).collect();
        let wanted: Vec<u32> = asked.iter().map(|asked| asked.unwrap_or(0)).collect();
        let got = ration_stock(self.stock.units, &wanted, &lots);
        let left = self.stock.units - got.iter().sum::<u32>();
        let harvests = present.iter().zip(asked).zip(got).map(|((seat, asked), got)| Harvest {
            seat: self.seat_name(*seat).clone(),
            asked,
            got,
        });
        Event::Harvested {
            stock: self.stock.units,
            harvests: harvests.collect(),
            left,
            grown: commons.grow_stock(left),
        }
    }

    /// The stock is what the harvest left, grown.
    pub(super) fn harvested(&mut self, (stock, harvests): (u32, &[Harvest]), (left, grown): (u32, u32)) {
        let commons = self.plan.commons().expect("invariant: only a common stock is harvested");
        let mut got = vec![0; self.plan.seats.len()];
        for harvest in harvests {
            got[self.seat_id(&harvest.seat).index()] = harvest.got;
        }
        self.stock.last = Some((stock, got.iter().sum(), got));
        self.stock.is_collapsed = commons.is_collapsed(left);
        self.stock.units = grown;
    }

    /// What all are told of it.
    pub(super) fn harvest_told(&self, round: u32) -> Event {
        let commons = self.plan.commons().expect("invariant: only a common stock is harvested");
        let (stock, _, got) = self.stock.last.as_ref().expect("invariant: what is told was harvested");
        let named: Vec<(&str, u32)> =
            self.participants().map(|seat| (self.public_name(seat), got[seat.index()])).collect();
        let total = got.iter().sum::<u32>();
        let told = HarvestReport {
            round,
            unit: &commons.unit,
            stock: *stock,
            named: if commons.feedback == Feedback::ByName { &named } else { &[] },
            total,
            left: stock - total,
            grown: (!self.stock.is_collapsed).then_some(self.stock.units),
        };
        let text = notice::harvest_line(&told, self.plan.motion.language);
        Event::Instructed { text, to: Vec::new(), by: Voice::Facilitator, pushes: None, group: None }
    }

    /// All know what was harvested: there is talk, unless there is nothing left to talk about.
    pub(super) fn after_harvest(&mut self, place: usize, round: u32) {
        match self.stock.is_collapsed {
            true => self.finish(place, round),
            false => self.next_turn(place, round, 0),
        }
    }

    /// Goes on after all were asked.
    pub(super) fn all_asked_for(&mut self, place: usize, round: u32) {
        self.stage = Stage::Harvesting(place, round);
    }
}
