//! What seats are told: exhibits and the case before names are chosen, notes after that, and what the agenda says.

use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{Briefing, EntryKind, Matter, OwnEntry, Record};
use crate::memory::{FloorEvent, notice};

impl Deliberation<'_> {
    /// Tells seats the first thing of this position, chooses names once those before them were told, or goes to the first phase.
    pub(super) fn prepare(&mut self, position: usize) {
        let before = self.first_told[0].len();
        match self.first_told.iter().flatten().nth(position) {
            _ if position == before => self.name(),
            Some(_) => self.course.stage = Stage::Preparing(position),
            None => self.enter(0),
        }
    }

    /// Goes to the notes that seats brought, or to the first phase.
    pub(super) fn bring(&mut self) {
        match self.first_told[1].is_empty() {
            true => self.enter(0),
            false => self.course.stage = Stage::Preparing(self.first_told[0].len()),
        }
    }

    /// Seats are told something from now on. What is told to some is theirs alone.
    pub(super) fn brief_seats(&mut self, record: &Record, briefing: &Briefing) {
        let Record { seq, at, .. } = record;
        let text = self.plan.briefing_text(briefing);
        let (event, kind) = match &briefing.what {
            Matter::Instruction { .. } => (FloorEvent::Instruction, EntryKind::Instruction),
            Matter::Exhibit { .. } => {
                self.handed_out_in.push(*seq);
                (FloorEvent::Exhibit, EntryKind::Exhibit)
            }
            Matter::Case { signal, facts } => {
                self.hold_case(&briefing.to, signal.as_ref(), facts);
                (FloorEvent::Instruction, EntryKind::Dealt)
            }
            Matter::Decision { .. } => {
                self.admit_hearers(None);
                (FloorEvent::TallyDecided, EntryKind::Instruction)
            }
            Matter::Notes { .. } => {
                self.hold_notes(briefing);
                (FloorEvent::Instruction, EntryKind::Notes)
            }
        };
        if briefing.to.is_empty() {
            return self.announce(*seq, at.round, event, text.unwrap_or_default());
        }
        for name in &briefing.to {
            let seat = self.seat_id(name);
            let shown = || {
                let meeting = self.plan.wave.as_ref().map_or(1, |wave| wave.number);
                let shown = Some(self.shown_notes(seat)).filter(|shown| !shown.is_empty())?;
                Some(notice::notes_text(meeting, &shown, self.plan.motion.language))
            };
            let Some(text) = (if kind == EntryKind::Notes { shown() } else { text.clone() }) else { continue };
            self.memory.keep_entry(seat, OwnEntry { seq: *seq, phase: at.phase.clone(), round: at.round, kind, text });
        }
    }
}
