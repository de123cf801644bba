//! Folds marks of statements and the proposals that they make.

use crate::analysis::column::put_row;
use crate::analysis::fold::state::{AnswerCoordinates, ProposalLog, SeatState, SessionFold};
use crate::analysis::tables::{MarkRow, ProposalRow};
use crate::domain::{Choice, Marked, Named, Number, SeatId};
use crate::memory::MarkedStatement;

/// The number that a mark names, as text.
pub(super) fn format_target(names: Named) -> Option<String> {
    names.number().map(|number| number.to_string())
}

impl SessionFold {
    /// Writes the rows of a statement's marks and applies them to the proposals.
    pub(super) fn fold_marks(
        &mut self,
        answered: AnswerCoordinates<'_>,
        text: &str,
        stance: Option<Choice>,
        marks: &[Marked],
    ) {
        if marks.is_empty() {
            return;
        }
        let at = answered.at;
        for (mark, place) in marks.iter().zip(1..) {
            let row = MarkRow {
                phase: at.phase.clone(),
                round: at.round,
                turn: at.turn,
                seat: answered.name.clone(),
                seq: answered.seq,
                place,
                mark: mark.sign,
                target: format_target(mark.names),
                proposal_seq: mark.of,
                ignored: mark.ignored,
                attempt: answered.attempt,
            };
            put_row(&self.key, &row, &mut self.rows.marks);
        }
        let number = Number { round: at.round, turn: at.turn };
        let seat = SeatId(answered.seat as u32);
        let stated = MarkedStatement { seq: answered.seq, number, seat, place: 0, stance };
        let takes_part = |seat: &SeatState| seat.speaks && !seat.is_excluded;
        let taking_part = self.seats.iter().filter(|seat| takes_part(seat)).count() as u32;
        self.proposed.all.apply_marks(stated, marks, taking_part.saturating_sub(1));
        if marks.iter().any(Marked::proposes) {
            self.proposed.said.push((at.phase.clone(), text.to_owned(), answered.attempt));
        }
    }

    pub(super) fn write_proposals(&mut self) {
        let ProposalLog { all, said } = std::mem::take(&mut self.proposed);
        let arm = &self.facts.arm;
        let number = |place: usize| all.all[place].stated.number.to_string();
        for (proposal, (phase, text, attempt)) in all.all.iter().zip(said) {
            let MarkedStatement { seq, number: own, seat, stance, .. } = proposal.stated;
            let row = ProposalRow {
                proposal: own.to_string(),
                phase,
                round: own.round,
                turn: own.turn,
                seat: arm.seats[seat.index()].name.clone(),
                seq,
                text,
                stance: stance.map(|stance| arm.alternatives[stance.alternative.index()].clone()),
                replaces: proposal.replaces.map(number),
                supports: proposal.supporters.len() as u32,
                opposes: proposal.opponents.len() as u32,
                status: proposal.status,
                status_seq: proposal.since.0,
                replaced_by: proposal.replaced_by.map(number),
                attempt,
            };
            put_row(&self.key, &row, &mut self.rows.proposals);
        }
    }
}
