//! The usage of recorded calls, call by call.

use super::{CallRecord, FormLine};
use crate::domain::{QuestionId, Usage};
use crate::store::calls::Attempt;

/// An answer or an attempt of a recorded call that a server may charge for.
#[derive(Debug, Clone, Copy)]
pub struct Charge<'r> {
    /// The question; `None` for the probe that shows whether a server enforces schemas.
    pub question: Option<&'r QuestionId>,
    /// The model that was asked, by its name in the config; `None` in records of earlier versions.
    pub asked: Option<&'r str>,
    /// What was used.
    pub usage: ChargedUsage,
}

/// The usage of a charge.
#[derive(Debug, Clone, Copy)]
pub enum ChargedUsage {
    /// Of an answer, as the server reported it.
    Answer(Option<Usage>),
    /// The most that an attempt without reported usage may have used.
    Untold(Usage),
}

impl ChargedUsage {
    /// The usage that the budget counts: the reported one, else the most that it may have been.
    pub fn at_most(self) -> Usage {
        match self {
            ChargedUsage::Answer(usage) => usage.unwrap_or_default(),
            ChargedUsage::Untold(at_most) => at_most,
        }
    }
}

impl CallRecord {
    /// The total milliseconds of the session's own attempts.
    pub fn attempts_ms(&self) -> u64 {
        let own = self.lines.calls.values().filter(|line| !line.taken_over && !line.typed);
        let answered = own.flat_map(|line| &line.attempts);
        let unanswered = self.lines.unanswered.iter().flat_map(|line| &line.attempts);
        answered.chain(unanswered).map(|attempt| attempt.wall_ms).sum()
    }

    /// All charges, without answers that a fork copied from its parent or that people typed.
    pub fn charges(&self) -> impl Iterator<Item = Charge<'_>> {
        let own = self.lines.calls.values().filter(|line| !line.taken_over && !line.typed);
        let answered = own.flat_map(|line| {
            let (question, asked) = (Some(&line.question), line.asked.as_deref());
            let answer = Charge { question, asked, usage: ChargedUsage::Answer(line.usage) };
            std::iter::once(answer).chain(unreported_charges(question, asked, &line.attempts))
        });
        let probes = self.lines.forms.iter().flat_map(probe_charges);
        let unanswered = self.lines.unanswered.iter();
        answered.chain(probes).chain(
            unanswered.flat_map(|line| unreported_charges(Some(&line.unanswered), Some(&line.asked), &line.attempts)),
        )
    }
}

/// The attempts without reported usage.
fn unreported_charges<'r>(
    question: Option<&'r QuestionId>,
    asked: Option<&'r str>,
    attempts: &'r [Attempt],
) -> impl Iterator<Item = Charge<'r>> {
    let untold = attempts.iter().filter_map(|attempt| attempt.at_most);
    untold.map(move |at_most| Charge { question, asked, usage: ChargedUsage::Untold(at_most) })
}

/// The charges of the probe that shows whether a server enforces schemas.
fn probe_charges(line: &FormLine) -> impl Iterator<Item = Charge<'_>> {
    let asked = Some(line.asked.as_str());
    line.probe.iter().flat_map(move |probe| {
        let usage = probe.raw.as_ref().map(|_| ChargedUsage::Answer(probe.usage));
        let answer = usage.map(|usage| Charge { question: None, asked, usage });
        answer.into_iter().chain(unreported_charges(None, asked, &probe.attempts))
    })
}
