//! One question put to one seat.

use super::{AlternativeId, Brief, Fault, MindState, QuestionId, SeatId, Shown};

/// What is asked. The options are in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Speak on the floor, and declare which option you favour.
    Statement {
        /// What may be favoured.
        options: Vec<AlternativeId>,
        /// The least length of the text, in Unicode scalar values.
        chars_min: u32,
    },
    /// Say privately which option you favour; it binds nobody.
    StrawPoll {
        /// What may be chosen.
        options: Vec<AlternativeId>,
    },
    /// Vote.
    Ballot {
        /// What may be chosen.
        options: Vec<AlternativeId>,
    },
}

impl Ask {
    /// The options in the order in which they are shown.
    pub fn options(&self) -> &[AlternativeId] {
        match self {
            Ask::Statement { options, .. } | Ask::StrawPoll { options } | Ask::Ballot { options } => options,
        }
    }
}

/// One question, with everything the seat may use to answer it.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    /// Its coordinate.
    pub id: QuestionId,
    /// Who is asked.
    pub seat: SeatId,
    /// What is asked.
    pub ask: Ask,
    /// Why it is asked again; `None` on the first try.
    pub retry: Option<Fault>,
    /// What the seat is shown.
    pub brief: Brief<'a>,
    /// The same as coordinates.
    pub shown: Shown,
    /// What the seat's mind kept for itself.
    pub state: &'a MindState,
}
