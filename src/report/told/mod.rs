//! The wording of records: what happened, who could hear it, and the words themselves.
//!
//! The texts are not escaped; terminal and page layouts escape them.

mod answered;
mod declared;
mod phrases;
mod plan_words;
mod reader;
mod telling;

use crate::domain::Record;

pub(in crate::report) use phrases::{format_dollars, spell_out, weighs_wins};
pub use plan_words::PlanWords;
pub(in crate::report) use plan_words::{fit_into_sentences, shorten_labels};
pub use reader::Reader;
pub use telling::{RecordAudience, RecordForm, RecordWording};

impl Reader {
    /// Words the next record.
    pub fn take(&mut self, record: &Record) -> RecordWording {
        self.learn_from(record);
        let told = match &record.seat {
            Some(seat) => answered::word_answer(record, self.floor(&record.at.phase), &self.plan).by(seat.as_str()),
            None => declared::word_declaration(record, self),
        };
        self.finish_telling(record, told)
    }
}
