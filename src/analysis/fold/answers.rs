//! Folds answers: writes their rows and counts settled questions.

use crate::analysis::column::put_row;
use crate::analysis::effort::AnswerStatus;
use crate::analysis::fold::state::{AnswerCoordinates, SessionFold};
use crate::analysis::tables::AnswerRow;
use crate::domain::{Dollars, Fault, Given, Step};

impl SessionFold {
    /// Writes the row of an answer and adds its effort to the session, the seat and the part.
    pub(super) fn write_answer(
        &mut self,
        answered: AnswerCoordinates<'_>,
        (calls, given, cost): (u64, &Given, Option<Dollars>),
        (status, fault): (AnswerStatus, Option<Fault>),
        (value, value_n): (Option<String>, Option<u64>),
    ) {
        let seat = &mut self.seats[answered.seat];
        self.effort.add_answer(calls, given, cost);
        seat.effort.add_answer(calls, given, cost);
        if let Some(served) = given.model_served.as_ref().filter(|served| !seat.models.contains(*served)) {
            seat.models.insert(served.clone());
        }
        if let Some(part) = &mut self.part {
            part.worth_a_row = true;
            part.effort.add_answer(calls, given, cost);
            part.seats[answered.seat].took_part = true;
            part.seats[answered.seat].effort.add_answer(calls, given, cost);
        }
        let row = AnswerRow {
            seq: answered.seq,
            phase: answered.at.phase.clone(),
            round: answered.at.round,
            turn: answered.at.turn,
            step: answered.at.step,
            attempt: answered.put_before,
            tries_before: answered.attempt,
            seat: answered.name.clone(),
            status,
            fault,
            value,
            value_n,
            omitted_records: given.shown.omitted,
            usage: given.usage,
            cost_usd: cost,
            model_served: given.model_served.clone(),
        };
        put_row(&self.key, &row, &mut self.rows.answers);
    }

    /// Counts a settled question. The recognition probe is ignored: its answer must not decide whether the session is analysed.
    pub(super) fn settle_question(&mut self, answered: AnswerCoordinates<'_>, fault: Option<Fault>) {
        if answered.at.step == Step::Recognition {
            return;
        }
        let status = AnswerStatus::from_fault(fault);
        self.effort.settle_question(status, answered.attempt);
        self.seats[answered.seat].effort.settle_question(status, answered.attempt);
        self.seats[answered.seat].tries_before = answered.attempt;
        if let Some(part) = &mut self.part {
            part.effort.settle_question(status, answered.attempt);
            part.seats[answered.seat].effort.settle_question(status, answered.attempt);
        }
    }
}
