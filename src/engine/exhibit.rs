//! Exhibits are handed out before anything else happens.

use super::deliberation::{Deliberation, Stage};
use crate::domain::{EntryKind, Event, OwnEntry, Record};
use crate::memory::FloorEvent;
use crate::plan::HandOut;

impl Deliberation<'_> {
    /// Hands out the next exhibit, by its position in the plan, or goes on to the case.
    pub(super) fn hand_out(&mut self, from: usize) {
        match self.plan.exhibits.get(from) {
            Some(_) => self.stage = Stage::HandingOut(from),
            None => self.deal(),
        }
    }

    /// An exhibit as it is minuted.
    pub(super) fn exhibition(&self, position: usize) -> Event {
        let HandOut { exhibit, digest, to, .. } = &self.plan.exhibits[position];
        Event::Exhibited {
            exhibit: exhibit.name().to_owned(),
            text: digest.clone(),
            pages: exhibit.page_count(),
            to: to.clone(),
        }
    }

    /// The seats have it before them from now on.
    pub(super) fn handed_out(&mut self, record: &Record, position: usize) {
        let HandOut { exhibit, to, .. } = &self.plan.exhibits[position];
        let Record { seq, at, .. } = record;
        self.handed_out_in.push(*seq);
        if to.is_empty() {
            self.announce(*seq, at.round, FloorEvent::Exhibit, exhibit.shown_text().to_owned());
        }
        for name in to {
            let (phase, kind, text) = (at.phase.clone(), EntryKind::Exhibit, exhibit.shown_text().to_owned());
            self.memory.keep_entry(self.seat_id(name), OwnEntry { seq: *seq, phase, round: at.round, kind, text });
        }
        self.hand_out(position + 1);
    }
}
