//! What one seat had before it when it answered one question: what it was shown, word by word, and what it had witnessed and
//! was not shown, each with the reason.
//!
//! The account of what a seat witnessed is kept from the records and the floor alone, as far as that can be done; what was
//! shown is the memory's word.

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
    /// What was shown, as the answer's record has it.
    pub shown: Shown,
    /// What was shown of memory and public history, in the prompt's order: what stands for things long past, then the oldest
    /// first.
    pub entries: Vec<ShownEntry>,
    /// Where the talk stood, as far as that was told: after what stands for things long past.
    pub standing: Option<(Extent, String)>,
    /// What was witnessed or answered and is not shown, oldest first.
    pub omitted: Vec<Omission>,
    /// The session whose statements are heard in the place of the group's own; `None` where its own are heard.
    pub lender: Option<String>,
    /// What is heard in the place of statements, in full, by their records; empty where the group hears its own.
    pub lent: BTreeMap<Seq, String>,
    /// What the seat's memory holds.
    pub memory: MemoryReport,
    /// What the public history holds: statements, and their length in characters as it is measured.
    pub history: (u64, u64),
    /// What the public history has dropped since the session began, counted likewise.
    pub history_dropped: (u64, u64),
    /// The records in which the seat rewrote its memory before: given what happened, and because it was nearly full.
    pub rewritings: (Vec<Seq>, Vec<Seq>),
    /// The records in which a prompt was too long for its model: it is shown less from each of them on. First those in which the
    /// model refused it, then those in which it was not put, since by the estimate it could not fit.
    pub refusals: (Vec<Seq>, Vec<Seq>),
    /// How long what is shown may be since then, in characters, what is pinned counted; `None` where nothing was too long.
    pub allowance: Option<u64>,
    /// The same of what it is shown to make its memory shorter.
    pub allowance_to_write: Option<u64>,
    /// For the rewriting of a memory: what came of it.
    pub rewritten: Option<MemoryRewrite>,
}

/// A memory before and after it was rewritten; what is never replaced stands in neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryRewrite {
    /// What the new text was to take the place of.
    pub before: Vec<ShownEntry>,
    /// What stands in its place: the text, and what was put back behind it; the same as before where it failed.
    pub after: Vec<ShownEntry>,
    /// The rest of the memory, which stays as it is.
    pub rest: Vec<ShownEntry>,
}

/// Something that was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownEntry {
    /// The record it comes from.
    pub seq: Seq,
    /// What was shown, as the prompt has it.
    pub text: String,
    /// Whether it is never dropped or replaced.
    pub is_pinned: bool,
    /// Whether only the public history holds it, and the memory does not.
    pub is_history: bool,
    /// Whether neither does, and the seat had asked to see it.
    pub is_found: bool,
    /// Where a text was cut: the length that was kept, with the marker, and its own, in characters.
    pub cut: Option<(u64, u64)>,
}

/// Something that was witnessed and not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    /// The record it comes from, or in whose place it stands.
    pub seq: Seq,
    /// Why.
    pub why: OmissionReason,
    /// Whether it is another group's statement that stands in the place of the record's.
    pub is_lent: bool,
}

/// Why something was not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OmissionReason {
    /// The memory's policy keeps nothing.
    Policy,
    /// The memory's routing skips what is of its kind.
    Routing,
    /// The question was a small one: beside what is pinned it shows decisions and open proposals alone.
    ShortBrief,
    /// It is older than the memory's window.
    Window,
    /// The public history had dropped it to stay within its limit.
    HistoryLimit,
    /// The memory had dropped it to stay within its limit, or to show less to a model that refused a prompt.
    MemoryLimit,
    /// The seat rewrote its memory in this record, and its text took the place of it.
    Replaced(Seq),
    /// The seat was rewriting its memory, and this stays as it is beside the text.
    Stays,
    /// The seat was made to forget it in this record.
    Forgotten(Seq),
    /// Nobody hears it: another group's words stand in its place.
    Lent,
    /// It is an answer of the seat's own that no memory keeps: a straw poll, a pass, a call that was not made, a try that did
    /// not count.
    Unremembered,
}

/// Why there is no view.
#[derive(Debug, thiserror::Error)]
pub enum SeatViewError {
    /// The minutes do not hold together.
    #[error(transparent)]
    Misfit(#[from] RetraceError),
    /// A template fails on this question.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The record answers no question.
    #[error("record {} answers no question", .0.0)]
    NoAnswer(Seq),
}

/// What a seat of a session that has just been convened had before it when it answered in the record of this number. `model` words the question: the seat's own, or
/// any other for a seat that reads no prompt.
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
            // Effects wait for the last answer to the same ask.
            Some(_) if traced.begins => return ControlFlow::Break(()),
            Some(_) => return ControlFlow::Continue(()),
            None if traced.begins => witnessed.witness_until(records, traced.record.seq),
            None => {}
        }
        match traced.query.filter(|_| traced.record.seq == wanted) {
            Some(query) => {
                let worded = QuestionWording::for_model(plan, &agents, query, model);
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
