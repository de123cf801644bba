//! Talk within the fold of a session.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::{AlternativeName, Given, Record, SeatName};
use crate::metrics::column::put_row;
use crate::metrics::fold::{Answered, Misfit, SessionFold, misfit};
use crate::metrics::tables::StatementRow;

impl SessionFold {
    pub(super) fn open_round(&mut self, record: &Record, order: &[SeatName]) -> Result<(), Misfit> {
        self.rounds_used += 1;
        let Some(part) = &mut self.part else { return Ok(()) };
        part.worth_a_row = true;
        for (name, position) in order.iter().zip(1..) {
            let seat = self.seat_names.get_index_of(name).ok_or_else(|| misfit(record, "seat", name.as_str()))?;
            if let Some(place) = part.positions.get_mut(seat) {
                *place = Some(position);
            }
        }
        Ok(())
    }

    pub(super) fn spoke(
        &mut self,
        record: &Record,
        answered: Answered<'_>,
        text: &str,
        stance: Option<&AlternativeName>,
        given: &Given,
    ) -> Result<(), Misfit> {
        let place = stance.map(|name| self.alternative(record, name)).transpose()?;
        let words = text.unicode_words().count() as u64;
        self.answer(answered, given, None, stance.map(AlternativeName::as_str));
        self.settle(answered, None);
        self.turn(answered, "statement", stance, Some((text, words)));
        for field in [answered.name.as_str(), text] {
            self.transcript.update(&(field.len() as u64).to_le_bytes());
            self.transcript.update(field.as_bytes());
        }
        self.statements += 1;
        let seat = &mut self.seats[answered.seat];
        seat.words += words;
        if let Some(place) = place {
            let before = seat.stance.replace(place);
            self.held[place] += 1;
            if let Some(before) = before {
                self.held[before] -= 1;
            }
            if let Some(part) = &mut self.part {
                part.stance(place, before);
            }
        }
        Ok(())
    }

    /// Writes a turn on the floor.
    pub(super) fn turn(
        &mut self,
        answered: Answered<'_>,
        kind: &'static str,
        stance: Option<&AlternativeName>,
        said: Option<(&str, u64)>,
    ) {
        let Some(part) = &mut self.part else { return };
        match (kind, said) {
            (_, Some((_, words))) => part.statement(answered.seat, words),
            ("pass", None) => part.turns[1] += 1,
            (_, None) => part.turns[2] += 1,
        }
        let row = StatementRow {
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            turn: answered.at.turn,
            seat: answered.name.clone(),
            seq: answered.seq,
            position: part.positions.get(answered.seat).copied().flatten(),
            kind,
            stance: stance.cloned(),
            words: said.map(|(_, words)| words),
            attempt: answered.attempt,
            text: said.map(|(text, _)| text.to_owned()),
        };
        put_row(&self.key, &row, &mut self.rows.statements);
    }
}
