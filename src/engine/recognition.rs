//! The last question of a session: whether a seat recognises what it took part in.
//!
//! Nothing is done with the answers. They come after all that they could influence: no memory is rewritten for the question, no
//! seat hears another's answer, and what is carried over to the next session of a panel was taken before.

use super::asking::OUTSIDE;
use super::deliberation::Deliberation;
use super::stage::Stage;
use crate::domain::{SeatId, Step};

impl Deliberation<'_> {
    /// The session is over but for this question, where it is put.
    pub(super) fn probe(&mut self) {
        let present: Vec<SeatId> = self.present().filter(|_| self.plan.controls.recognition_probe).collect();
        match present.is_empty() {
            true => self.course.stage = Stage::Adjourning,
            false => self.ask_some(OUTSIDE, 0, Step::Recognition, present),
        }
    }
}
