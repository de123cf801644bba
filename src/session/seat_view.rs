//! What one seat had before it when it answered one question: what it was shown, in full, and what it had witnessed but was not
//! shown, with reasons.
//!
//! What a seat witnessed comes from the account in `witnessed`; what it was shown comes from its memory.

mod account;
mod sights;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::retrace::{RetraceError, TracedRecord, retrace_session};
use super::witnessed::Witnessed;
use super::wording::QuestionWording;
use crate::domain::{Extent, MemoryReport, QuestionId, Record, SeatId, Seq, Shown, Step};
use crate::plan::OpenAiModel;
use crate::prompt::PromptError;
use account::SeatAccount;
pub use sights::{Prompts, SeatSight, SeatSights, collect_sights};

/// What one seat had before it when it answered.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatView {
    /// The question.
    pub question: QuestionId,
    /// The record that answers it.
    pub seq: Seq,
    /// The question as a model gets it.
    pub wording: QuestionWording,
    /// What was shown, by the answer's record.
    pub shown: Shown,
    /// What was shown of memory and public history, in the prompt's order; statements that the seat looked up come last.
    pub entries: Vec<ShownEntry>,
    /// The summary of the talk, and its extent; `None` if it was not shown.
    pub standing: Option<(Extent, String)>,
    /// What was witnessed or answered and is not shown, oldest first.
    pub omitted: Vec<Omission>,
    /// The session whose statements are heard instead of the group's own; `None` if the group hears its own.
    pub lender: Option<String>,
    /// The full texts heard instead of the group's statements, by record; empty if the group hears its own.
    pub lent: BTreeMap<Seq, String>,
    /// The size of the seat's memory.
    pub memory: MemoryReport,
    /// The number of unpinned statements in the public history, and their measured length in characters.
    pub history: (u64, u64),
    /// The number of statements that the public history has dropped so far, and their measured length in characters.
    pub history_dropped: (u64, u64),
    /// The records of the seat's earlier rewrites: integrations, and compressions.
    pub rewritings: (Vec<Seq>, Vec<Seq>),
    /// The records of prompts that were too long for the model; each makes later briefs shorter. First those that the model
    /// refused, then those that were not put because the estimate exceeded the window.
    pub refusals: (Vec<Seq>, Vec<Seq>),
    /// The limit of the seat's brief since then, in characters, pinned entries included; `None` if nothing was too long.
    pub allowance: Option<u64>,
    /// The limit of what it is shown to shorten its memory, likewise.
    pub allowance_to_write: Option<u64>,
    /// The result of a rewrite; `None` for other questions.
    pub rewritten: Option<MemoryRewrite>,
}

/// A memory before and after a rewrite, without pinned entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryRewrite {
    /// What the new text was to replace.
    pub before: Vec<ShownEntry>,
    /// What replaced it: the text, and entries put back after it. Equals `before` if the rewrite failed.
    pub after: Vec<ShownEntry>,
    /// The rest of the memory, which is unchanged.
    pub rest: Vec<ShownEntry>,
}

/// An entry that was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownEntry {
    /// The record it comes from.
    pub seq: Seq,
    /// The text, as in the prompt.
    pub text: String,
    /// Whether it is never dropped or replaced.
    pub is_pinned: bool,
    /// Whether only the public history holds it.
    pub is_history: bool,
    /// Whether it is shown only because the seat asked to see it.
    pub is_found: bool,
    /// The kept length with the marker, and the full length, in characters; `None` if the text was not cut.
    pub cut: Option<(u64, u64)>,
}

/// A record that was witnessed and not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// The record; for another group's statement, the one that it replaces.
    pub seq: Seq,
    /// The reason.
    pub why: OmissionReason,
    /// Whether it is another group's statement, heard instead of the record's.
    pub is_lent: bool,
}

/// Why a record was not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OmissionReason {
    /// The memory's policy keeps nothing.
    Policy,
    /// The memory's routing skips its kind.
    Routing,
    /// The question was a small one: its brief shows only pinned entries, decisions and open proposals.
    ShortBrief,
    /// It is older than the memory's window.
    Window,
    /// The public history dropped it to stay within its limit.
    HistoryLimit,
    /// The memory dropped it to stay within its limit, or to show less to a model that refused a prompt.
    MemoryLimit,
    /// The text that the seat wrote in this record replaced it.
    Replaced(Seq),
    /// The seat was rewriting its memory, and the text does not replace it.
    Stays,
    /// The seat was made to forget it in this record.
    Forgotten(Seq),
    /// Nobody hears it, because another group's statement replaces it.
    Lent,
    /// An answer of the seat's own that no memory keeps, such as a straw poll, a pass, or a try that did not count.
    Unremembered,
}

/// Why there is no view.
#[derive(Debug, thiserror::Error)]
pub enum SeatViewError {
    /// The records do not follow from each other.
    #[error(transparent)]
    Misfit(#[from] RetraceError),
    /// A template fails on this question.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The record answers no question.
    #[error("record {} answers no question", .0.0)]
    NoAnswer(Seq),
}

/// What a seat had before it when it answered in the record `wanted`. The session must have just been convened. `model` words the
/// question: the seat's own, or any other if the seat reads no prompt.
///
/// # Errors
/// [`SeatViewError`].
pub fn build_seat_view(
    begun: crate::engine::Deliberation<'_>,
    records: &[Record],
    wanted: Seq,
    model: &OpenAiModel,
) -> Result<SeatView, SeatViewError> {
    let plan = begun.plan();
    let seat = records.get(wanted.0 as usize).and_then(|record| record.seat.as_ref());
    let seat = plan.seats.iter().position(|other| Some(&other.name) == seat).ok_or(SeatViewError::NoAnswer(wanted))?;
    let mut account = SeatAccount::new(plan, SeatId(seat as u32), records);
    let agents = plan.agents(begun.replicate());
    let lender = begun.donor().map(|donor| donor.lender.session.clone());
    let mut view: Option<Result<SeatView, PromptError>> = None;
    let mut witnessed = Witnessed::of_session(&begun);
    let mut see = |traced: &TracedRecord<'_>| {
        match &view {
            // The answers to one ask take effect together.
            Some(_) if traced.begins => return ControlFlow::Break(()),
            Some(_) => return ControlFlow::Continue(()),
            None if traced.begins => witnessed.witness_until(records, traced.record.seq),
            None => {}
        }
        match traced.query.filter(|_| traced.record.seq == wanted) {
            Some(query) => {
                let worded = QuestionWording::for_model(plan.plan_at(query), &agents, query, model);
                view = Some(worded.map(|wording| account.build_view((traced, &witnessed), &query.brief, wording)));
            }
            None => account.note_record(traced),
        }
        ControlFlow::Continue(())
    };
    let after = retrace_session(begun, records, &mut see)?;
    let mut view = SeatView { lender, ..view.ok_or(SeatViewError::NoAnswer(wanted))?? };
    if matches!(view.question.at.step, Step::Integration | Step::Compression) {
        view.rewritten = Some(account.build_rewrite(&view, &witnessed, &after.memory().in_hand(SeatId(seat as u32))));
    }
    Ok(view)
}
