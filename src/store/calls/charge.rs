//! What recorded calls took. It reads no file.

use super::{CallRecord, FormLine};
use crate::domain::{QuestionId, Usage};
use crate::plan::Price;
use crate::store::calls::{Attempt, Spending};

/// Something that a recorded call took.
#[derive(Debug, Clone, Copy)]
pub enum Charge<'r> {
    /// A call that brought an answer.
    Answer {
        /// The question that was put; `None` for the one that shows whether schemas are enforced.
        question: Option<&'r QuestionId>,
        /// The model that it was put to; `None` in records of earlier versions.
        asked: Option<&'r str>,
        /// What the server says it used.
        usage: Option<Usage>,
    },
    /// An attempt of which nobody told what it used.
    Untold {
        /// The question that was put; `None` for the one that shows whether schemas are enforced.
        question: Option<&'r QuestionId>,
        /// The model that it was put to; `None` in records of earlier versions.
        asked: Option<&'r str>,
        /// The most that it may have used.
        at_most: Usage,
    },
}

impl CallRecord {
    /// What the calls took, at the prices of the models that they were put to; where nobody knows, what it may have been at the
    /// most.
    pub fn total_spending(&self, price: impl Fn(&str) -> Option<Price>) -> Spending {
        let each = self.charges().map(|charge| {
            let (_, asked) = charge.question_and_model();
            let usage = match charge {
                Charge::Answer { usage, .. } => usage.unwrap_or_default(),
                Charge::Untold { at_most, .. } => at_most,
            };
            Spending::from_usage(usage, asked.and_then(&price))
        });
        each.fold(Spending::default(), Spending::saturating_add)
    }

    /// The milliseconds of all attempts at calls that were made for the session, one after the other.
    pub fn attempts_ms(&self) -> u64 {
        let own = self.lines.calls.values().filter(|line| !line.taken_over && !line.typed);
        let answered = own.flat_map(|line| &line.attempts);
        let unanswered = self.lines.unanswered.iter().flat_map(|line| &line.attempts);
        answered.chain(unanswered).map(|attempt| attempt.wall_ms).sum()
    }

    /// What each call took, but for answers that were taken over from a parent session, or typed by people.
    pub fn charges(&self) -> impl Iterator<Item = Charge<'_>> {
        let own = self.lines.calls.values().filter(|line| !line.taken_over && !line.typed);
        let answered = own.flat_map(|line| {
            let (question, asked) = (Some(&line.question), line.asked.as_deref());
            let answer = Charge::Answer { question, asked, usage: line.usage };
            std::iter::once(answer).chain(unreported_charges(question, asked, &line.attempts))
        });
        let unanswered = self.lines.unanswered.iter();
        let answered = answered.chain(self.lines.forms.iter().flat_map(of_probe));
        answered.chain(
            unanswered.flat_map(|line| unreported_charges(Some(&line.unanswered), Some(&line.asked), &line.attempts)),
        )
    }
}

impl<'r> Charge<'r> {
    /// The question that was put, if it is one of the session's, and the model that it was put to.
    pub fn question_and_model(&self) -> (Option<&'r QuestionId>, Option<&'r str>) {
        match self {
            Charge::Answer { question, asked, .. } | Charge::Untold { question, asked, .. } => (*question, *asked),
        }
    }
}

/// The attempts of which nobody told what they used.
fn unreported_charges<'r>(
    question: Option<&'r QuestionId>,
    asked: Option<&'r str>,
    attempts: &'r [Attempt],
) -> impl Iterator<Item = Charge<'r>> {
    let untold = attempts.iter().filter_map(|attempt| attempt.at_most);
    untold.map(move |at_most| Charge::Untold { question, asked, at_most })
}

/// What was taken by the question that shows whether schemas are enforced, where it was put.
fn of_probe(line: &FormLine) -> impl Iterator<Item = Charge<'_>> {
    let asked = Some(line.asked.as_str());
    line.probe.iter().flat_map(move |probe| {
        let answer = probe.raw.as_ref().map(|_| Charge::Answer { question: None, asked, usage: probe.usage });
        answer.into_iter().chain(unreported_charges(None, asked, &probe.attempts))
    })
}
