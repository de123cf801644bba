//! Conducts a session from its current state to its end: asks, minutes the answers, and lets them take effect.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use futures::FutureExt;
use futures::future::{MaybeDone, join_all, maybe_done};

use super::visibility::{Leak, Visibility};
use crate::domain::{Answer, Draft, Outage, PhaseName, Query, QuestionId, Step, Verdict};
use crate::engine::{Deliberation, Next};
use crate::ports::{Backend, Minutes};

/// Why a session stopped before its end. The minutes so far are kept, and the session can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum Halt<E: std::error::Error + 'static> {
    /// A question got no answer.
    #[error("{question}: {outage}")]
    Outage {
        /// The question.
        question: Box<QuestionId>,
        /// The reason.
        outage: Outage,
    },
    /// A record could not be written, or differs from the one in the minutes.
    #[error("{0}")]
    Minutes(#[source] E),
    /// A brief held something that its seat had not witnessed.
    #[error(transparent)]
    Leak(#[from] Leak),
    /// A condition of the agenda has no value, as in a division by zero.
    #[error("{phase}: {reason}")]
    Undefined {
        /// The phase before which it was looked at.
        phase: PhaseName,
        /// What is wrong with it, in words.
        reason: String,
    },
    /// The user stopped the run between two asks.
    #[error("interrupted")]
    Interrupted,
}

/// Conducts a session until it adjourns, from the current state of the deliberation and of the account.
///
/// The questions of one ask are answered concurrently and admitted in order. If one answer fails, nothing of the ask is minuted.
/// The other answers are in the call record, or can be recomputed.
///
/// # Errors
/// [`Halt`], with everything minuted so far kept.
pub async fn conduct_deliberation<M>(
    (deliberation, visibility): (&mut Deliberation<'_>, &mut Visibility),
    backend: &dyn Backend,
    minutes: &mut M,
    stop: &AtomicBool,
) -> Result<Verdict, Halt<M::Error>>
where
    M: Minutes,
    M::Error: std::error::Error + 'static,
{
    let recorded = !deliberation.plan().is_simulated();
    loop {
        let drafts = match deliberation.next() {
            Next::Adjourned(verdict) => {
                minutes.flush().map_err(Halt::Minutes)?;
                if recorded {
                    minutes.sync().map_err(Halt::Minutes)?;
                }
                return Ok(verdict);
            }
            Next::Undefined { phase, reason } => {
                minutes.flush().map_err(Halt::Minutes)?;
                return Err(Halt::Undefined { phase, reason });
            }
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                if stop.load(Ordering::Relaxed) {
                    minutes.flush().map_err(Halt::Minutes)?;
                    return Err(Halt::Interrupted);
                }
                if recorded {
                    minutes.flush().map_err(Halt::Minutes)?;
                }
                for query in &queries {
                    visibility.check_query(query)?;
                }
                let answers = collect_answers(backend, &queries).await;
                let mut drafts = Vec::with_capacity(queries.len());
                for (query, answer) in queries.iter().zip(answers) {
                    match answer {
                        Ok(answer) => drafts.push(deliberation.admit(query, answer)),
                        Err(outage) => {
                            minutes.flush().map_err(Halt::Minutes)?;
                            return Err(halt_for_outage(query.id.clone(), outage));
                        }
                    }
                }
                drafts
            }
        };
        for draft in drafts {
            let round_ends = draft.at.step == Step::Closing;
            commit_draft(deliberation, visibility, minutes, draft).map_err(Halt::Minutes)?;
            if recorded && round_ends {
                minutes.sync().map_err(Halt::Minutes)?;
            }
        }
    }
}

/// In the order of the questions.
async fn collect_answers(backend: &dyn Backend, queries: &[Query<'_>]) -> Vec<Result<Answer, Outage>> {
    let mut asked: Vec<_> = queries.iter().map(|query| maybe_done(backend.answer(query))).collect();
    // Minds answer on the first poll; only pending answers are worth wakers of their own.
    poll_fn(|context| {
        for answer in &mut asked {
            let _is_ready = answer.poll_unpin(context);
        }
        Poll::Ready(())
    })
    .await;
    join_all(asked.iter_mut().filter(|answer| matches!(answer, MaybeDone::Future(_)))).await;
    let given = asked.iter_mut().map(|answer| Pin::new(answer).take_output());
    given.map(|answer| answer.expect("invariant: every question was answered or lost")).collect()
}

/// Minutes a draft before it takes effect.
fn commit_draft<M: Minutes>(
    deliberation: &mut Deliberation<'_>,
    visibility: &mut Visibility,
    minutes: &mut M,
    draft: Draft,
) -> Result<(), M::Error> {
    let record = deliberation.minute(draft);
    minutes.append(&record)?;
    visibility.witness_record(&record);
    deliberation.evolve(&record);
    Ok(())
}

fn halt_for_outage<E: std::error::Error + 'static>(question: QuestionId, outage: Outage) -> Halt<E> {
    match outage {
        Outage::Interrupted => Halt::Interrupted,
        outage => Halt::Outage { question: Box::new(question), outage },
    }
}
