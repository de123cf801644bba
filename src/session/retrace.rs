//! Retraces a session from its minutes, record by record, without asking anybody.
//!
//! The answers come from the minutes. Everything else is computed again and must match: declarations, the seats asked, and what
//! they were shown. This does not prove that the answers were given; a replay does.

use std::ops::ControlFlow;

use crate::domain::{AlternativeName, Answer, Motion, Query, Record, Reply, Seq};
use crate::engine::{Deliberation, Next};
use crate::memory::Memory;

/// A record before it takes effect.
#[derive(Debug)]
pub struct TracedRecord<'t> {
    /// The record.
    pub record: &'t Record,
    /// The question that it answers; `None` if it is no seat's answer.
    pub query: Option<&'t Query<'t>>,
    /// Whether all records before it have taken effect: it is no answer, or the first to its ask, whose answers take effect
    /// together.
    pub begins: bool,
    /// What the seats remember before it.
    pub memory: &'t Memory,
}

/// A record that does not follow from those before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {} {reason}; `ekklesia replay` tells what it should be", seq.0)]
pub struct RetraceError {
    /// The record.
    pub seq: Seq,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// Retraces a session that has just been convened until its records end or `see` breaks. Returns the state reached. `see` gets
/// each record before it takes effect.
///
/// # Errors
/// The first [`RetraceError`].
pub fn retrace_session<'p>(
    begun: Deliberation<'p>,
    records: &[Record],
    see: &mut dyn FnMut(&TracedRecord<'_>) -> ControlFlow<()>,
) -> Result<Deliberation<'p>, RetraceError> {
    let mut deliberation = begun;
    let mut rest = records;
    while let Some(first) = rest.first() {
        let misfit = |record: &Record, reason| Err(RetraceError { seq: record.seq, reason });
        let taken = match deliberation.next() {
            Next::Undefined { .. } => return misfit(first, "stands where a condition has no value"),
            Next::Adjourned(_) => return misfit(first, "stands after the end of the session"),
            Next::Declare(draft) => {
                if deliberation.minute(*draft) != *first {
                    return misfit(first, "is not what the procedure declares here");
                }
                if see(&TracedRecord { record: first, query: None, begins: true, memory: deliberation.memory() })
                    .is_break()
                {
                    return Ok(deliberation);
                }
                1
            }
            Next::Ask(queries) => {
                let answered = queries.len().min(rest.len());
                for ((query, record), place) in queries.iter().zip(rest).zip(0..) {
                    if !is_answer(&deliberation, query, record) || record.seq.0 != first.seq.0 + place {
                        return misfit(record, "is no answer to what is asked here, with what is shown");
                    }
                    if see(&TracedRecord {
                        record,
                        query: Some(query),
                        begins: place == 0 && query.id.attempt == 0,
                        memory: deliberation.memory(),
                    })
                    .is_break()
                    {
                        drop(queries);
                        return Ok(deliberation);
                    }
                }
                answered
            }
        };
        for record in &rest[..taken] {
            deliberation.evolve(record);
        }
        rest = &rest[taken..];
    }
    Ok(deliberation)
}

/// Whether the record's own answer to this question yields the record.
fn is_answer(deliberation: &Deliberation<'_>, query: &Query<'_>, record: &Record) -> bool {
    let Some(answer) = answer_of(record, query, deliberation.plan().motion_asked(query)) else { return false };
    let draft = deliberation.admit(query, answer);
    let (seat, attempt) = draft.answered.unzip();
    (draft.at, seat, attempt, draft.event)
        == (record.at.clone(), record.seat.clone(), record.attempt, record.event.clone())
}

/// The answer that a record holds; `None` if it holds none, or names an alternative or a field that there is not.
fn answer_of(record: &Record, query: &Query<'_>, motion: &Motion) -> Option<Answer> {
    let given = record.event.given()?;
    let find = |name: &AlternativeName| motion.find(name.as_str());
    let (parsed, field) = match (record.event.faulted(), record.event.inquired()) {
        (Some(faulted), _) => (Err(faulted.fault), faulted.field.clone()),
        (None, Some(inquired)) => (Ok(Reply::Inquiry(inquired.inquiry.clone())), None),
        (None, None) => match (record.form_values(), query.ask.form_asked()) {
            (Some(values), Some(asked)) => (Ok(Reply::Form(asked.form.order_values(values)?)), None),
            (Some(_), _) => return None,
            (None, _) => (Ok(record.full_reply()?.find(find)?), None),
        },
    };
    let (usage, model_served, state) = (given.usage, given.model_served.clone(), given.state.clone());
    Some(Answer { raw: record.event.raw().to_owned(), parsed, field, usage, model_served, state })
}
