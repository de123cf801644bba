//! Session seeds and the streams under them.

use crate::chance::Draws;
use crate::domain::{Moment, QuestionId, SeatName};

/// Whether the arms of a design share their draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// The same replicate draws the same lots and noise in every arm.
    CommonRandomNumbers,
    /// Every arm draws its own.
    Independent,
}

/// What a stream is drawn for. A purpose never reads another's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Who speaks when.
    SpeakingOrder,
    /// In which order options are shown.
    OptionOrder,
    /// Which of tied winners is taken.
    TieBreak,
    /// What a mind thinks before the session.
    Opinion,
    /// What a mind chooses.
    Choice,
    /// Whether a reply is malformed.
    Malformed,
    /// The words of a simulated statement: display only.
    Words,
}

/// The seed of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionSeed([u8; 32]);

/// Derives the seed of a session.
pub fn session_seed(_experiment: u64, _replicate: u32, _pairing: Pairing, _arm: &str) -> SessionSeed {
    SessionSeed([0; 32])
}

impl SessionSeed {
    /// The stream for a purpose at a question, and an item within it. The caller sets turn 0 where the order of speaking must move nothing.
    pub fn at(&self, _purpose: Purpose, _question: &QuestionId, _item: u32) -> Draws {
        Draws::default()
    }

    /// lot
    pub fn lot(&self, p: Purpose, q: &QuestionId) -> u64 { self.at(p, q, 0).bits() }
    /// The stream for a purpose at a moment that belongs to no seat.
    pub fn at_moment(&self, purpose: Purpose, moment: &Moment, item: u32) -> Draws {
        self.at(
            purpose,
            &QuestionId {
                at: moment.clone(),
                seat: SeatName::new(""),
                attempt: 0,
            },
            item,
        )
    }
}
