//! The frame of a seat's prompts: who it is and what is deliberated. It stands before everything else, whatever is remembered.

use crate::domain::{Agent, AlternativeId, Ask, Motion, SeatId};
use crate::prompt::facts::Facts;
use crate::prompt::{Pack, PromptError};

impl Pack {
    /// The frame before a question with all options. `agents` has one entry a seat.
    ///
    /// # Errors
    /// When the template fails on these very facts; whatever can be found without them was found by [`Pack::compile`].
    ///
    /// # Panics
    /// When `agents` lacks the seat.
    pub fn frame(&self, motion: &Motion, agents: &[&Agent], seat: SeatId) -> Result<String, PromptError> {
        let options = (0..motion.alternatives.len() as u32).map(AlternativeId).collect();
        let ask = Ask::Statement { options, chars_min: 0, chars_max: None, marks: false, opinion: false };
        self.render("system", &Facts::of_question(self.known(), motion, agents, seat, &ask, 1))
    }
}
