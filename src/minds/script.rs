//! What a confederate says: a list in order of the questions, or a table by coordinate.
//!
//! A script is said as it is written. A line that does not fit its question is a fault of the seat, as it would be of anyone.

use crate::domain::{
    AlternativeId, Answer, Ask, Fault, MindState, Motion, Outage, PhaseName, Query, QuestionId, Reply, Step,
};
use crate::minds::{choice, simulated, statement};

/// A confederate's lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Script {
    /// One line for each question put to the seat, in order; re-asks take a line too.
    List(Vec<Line>),
    /// A line for each coordinate (phase, round, step); the same on every attempt.
    Table(Vec<(PhaseName, u32, Step, Line)>),
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A statement.
    Statement {
        /// The words.
        text: String,
        /// The declared favourite.
        stance: Option<AlternativeId>,
    },
    /// The seat passes.
    Pass,
    /// A choice in a poll or ballot.
    Choice(AlternativeId),
    /// A reply that cannot be read, as it comes.
    Malformed(String),
}

impl Script {
    /// Says the line for a query. The state of a list is one number: how many lines were said.
    pub(super) fn answer(&self, motion: &Motion, query: &Query<'_>) -> Result<Answer, Outage> {
        let (line, state) = match self {
            Script::List(lines) => {
                let said = query.state.0.first().copied().unwrap_or(0);
                let line = usize::try_from(said).ok().and_then(|place| lines.get(place));
                (line, MindState(vec![said.saturating_add(1)]))
            }
            Script::Table(lines) => (find(lines, &query.id), MindState::default()),
        };
        match line {
            Some(line) => Ok(line.answer(motion, query, state)),
            None => Err(Outage::ScriptEnded { seat: query.id.seat.to_string(), question: Box::new(query.id.clone()) }),
        }
    }
}

/// The first line of a table for a question.
fn find<'a>(lines: &'a [(PhaseName, u32, Step, Line)], id: &QuestionId) -> Option<&'a Line> {
    let is_meant = |(phase, round, step, _): &&(PhaseName, u32, Step, Line)| {
        (phase, *round, *step) == (&id.at.phase, id.at.round, id.at.step)
    };
    lines.iter().find(is_meant).map(|(_, _, _, line)| line)
}

impl Line {
    fn answer(&self, motion: &Motion, query: &Query<'_>, state: MindState) -> Answer {
        match (self, &query.ask) {
            (Line::Statement { text, .. }, Ask::Statement { .. }) if text.trim().is_empty() => {
                simulated(text.clone(), Err(Fault::Empty), state)
            }
            (Line::Statement { text, stance }, Ask::Statement { .. }) => statement(query, text.clone(), *stance, state),
            (Line::Pass, Ask::Statement { .. }) => simulated(String::new(), Ok(Reply::Pass), state),
            (Line::Choice(chosen), Ask::StrawPoll { .. } | Ask::Ballot { .. }) => choice(motion, query, *chosen, state),
            (Line::Malformed(raw), _) if raw.trim().is_empty() => simulated(raw.clone(), Err(Fault::Empty), state),
            (Line::Malformed(raw), _) => simulated(raw.clone(), Err(Fault::Unreadable), state),
            (Line::Statement { text: raw, .. }, Ask::StrawPoll { .. } | Ask::Ballot { .. }) => {
                simulated(raw.clone(), Err(Fault::Ambiguous), state)
            }
            (Line::Pass, Ask::StrawPoll { .. } | Ask::Ballot { .. }) => {
                simulated(String::new(), Err(Fault::Ambiguous), state)
            }
            (Line::Choice(chosen), Ask::Statement { .. }) => {
                simulated(motion.name(*chosen).to_string(), Err(Fault::Ambiguous), state)
            }
            _ => simulated(String::new(), Err(Fault::Unreadable), state),
        }
    }
}
