//! The usage of recorded calls, call by call and in total.

use super::{CallRecord, FormLine};
use crate::domain::{QuestionId, Usage};
use crate::plan::Price;
use crate::store::calls::{Attempt, Spending};

/// One item that a recorded call was charged for.
#[derive(Debug, Clone, Copy)]
pub enum Charge<'r> {
    /// A call that brought an answer.
    Answer {
        /// The question; `None` for the probe that shows whether a server enforces schemas.
        question: Option<&'r QuestionId>,
        /// The model that was asked; `None` in records of earlier versions.
        asked: Option<&'r str>,
        /// The usage that the server reported.
        usage: Option<Usage>,
    },
    /// An attempt without reported usage.
    Untold {
        /// The question; `None` for the probe that shows whether a server enforces schemas.
        question: Option<&'r QuestionId>,
        /// The model that was asked; `None` in records of earlier versions.
        asked: Option<&'r str>,
        /// The most that it may have used.
        at_most: Usage,
    },
}

impl CallRecord {
    /// The total spending, at the prices of the models. Unreported usage counts at its maximum.
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
    /// The question, if it is one of the session's, and the model that was asked.
    pub fn question_and_model(&self) -> (Option<&'r QuestionId>, Option<&'r str>) {
        match self {
            Charge::Answer { question, asked, .. } | Charge::Untold { question, asked, .. } => (*question, *asked),
        }
    }
}

/// The attempts without reported usage.
fn unreported_charges<'r>(
    question: Option<&'r QuestionId>,
    asked: Option<&'r str>,
    attempts: &'r [Attempt],
) -> impl Iterator<Item = Charge<'r>> {
    let untold = attempts.iter().filter_map(|attempt| attempt.at_most);
    untold.map(move |at_most| Charge::Untold { question, asked, at_most })
}

/// The charges of the probe that shows whether a server enforces schemas.
fn of_probe(line: &FormLine) -> impl Iterator<Item = Charge<'_>> {
    let asked = Some(line.asked.as_str());
    line.probe.iter().flat_map(move |probe| {
        let answer = probe.raw.as_ref().map(|_| Charge::Answer { question: None, asked, usage: probe.usage });
        answer.into_iter().chain(unreported_charges(None, asked, &probe.attempts))
    })
}
