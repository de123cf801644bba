//! What every seat of a session had before it at each answer, as record numbers, in one pass.
//!
//! Only prompts are worded, and only on request; all other words are in the records.

use std::ops::ControlFlow;

use super::account::SeatAccount;
use super::{Omission, SeatViewError};
use crate::domain::{Extent, Record, SeatId, Seq};
use crate::engine::Deliberation;
use crate::plan::Respondent;
use crate::prompt::{LineCache, PromptError};
use crate::session::retrace::{TracedRecord, retrace_session};
use crate::session::witnessed::Witnessed;
use crate::session::wording::QuestionWording;

/// What one seat had before it at one answer.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatSight {
    /// The record of the answer.
    pub seq: Seq,
    /// The records shown, in the prompt's order; those that were looked up come last.
    pub shown: Vec<Seq>,
    /// The shown statements that were cut.
    pub cut: Vec<Seq>,
    /// The extent of the summary of the talk; `None` if it was not shown.
    pub standing: Option<Extent>,
    /// What was witnessed or answered and is not shown, oldest first.
    pub omitted: Vec<Omission>,
    /// For a rewrite, what the new text was to replace.
    pub replaced: Vec<Seq>,
    /// The prompt; `None` if nobody read one, or prompts are left out.
    pub wording: Option<QuestionWording>,
}

/// Whether prompts are worded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompts {
    /// Those that a model or a person read.
    Worded,
    /// None.
    LeftOut,
}

/// What the seats of a session had before them, as far as its records are consistent.
#[derive(Debug, Default)]
pub struct SeatSights {
    /// One for each answer, in the order of records.
    pub sights: Vec<SeatSight>,
    /// Why they end before the records do; `None` if they do not.
    pub stopped: Option<String>,
}

/// What the seats had before them at each answer of a session, which must have just been convened.
pub fn collect_sights(begun: Deliberation<'_>, records: &[Record], prompts: Prompts) -> SeatSights {
    let plan = begun.plan();
    let agents = plan.agents(begun.replicate());
    // By the plan, and by that of a fork since it departed from its parent.
    let lines = [LineCache::default(), LineCache::default()];
    let mut accounts: Vec<SeatAccount<'_>> =
        (0..plan.seats.len() as u32).map(|seat| SeatAccount::new(plan, SeatId(seat), records)).collect();
    let mut seen = SeatSights::default();
    let mut failed: Option<PromptError> = None;
    let mut witnessed = Witnessed::of_session(&begun);
    let mut see = |traced: &TracedRecord<'_>| {
        if traced.begins {
            witnessed.witness_until(records, traced.record.seq);
        }
        let answering = traced.query.map(|query| query.seat.index());
        if let Some(query) = traced.query {
            let mut sight = accounts[query.seat.index()].build_sight(traced, &witnessed, &query.brief);
            let plan = plan.plan_at(query);
            let lines = &lines[usize::from(query.departed)];
            let worded = match (prompts, plan.respondent(query.seat, query.id.at.step)) {
                (Prompts::Worded, Respondent::Model(place)) => {
                    Some(QuestionWording::with_lines(lines, (plan, &agents), query, &plan.models[place]))
                }
                (Prompts::Worded, Respondent::Person(_)) => Some(QuestionWording::for_person(plan, &agents, query)),
                (Prompts::Worded, Respondent::Mind(_) | Respondent::Rule) | (Prompts::LeftOut, _) => None,
            };
            match worded.transpose() {
                Ok(wording) => sight.wording = wording,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            seen.sights.push(sight);
        }
        // Another seat's answer changes nothing here, except that it may show what this seat has forgotten.
        for (seat, account) in accounts.iter_mut().enumerate() {
            if answering.is_none_or(|other| other == seat) || account.is_forgetting() {
                account.note_record(traced);
            }
        }
        ControlFlow::Continue(())
    };
    let stopped = retrace_session(begun, records, &mut see).err().map(SeatViewError::from);
    seen.stopped = stopped.or(failed.map(SeatViewError::from)).map(|why| why.to_string());
    seen
}
