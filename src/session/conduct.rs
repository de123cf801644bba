//! Takes a session from where it stands to its end: asks what is called for, minutes, lets it take effect.

use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::join_all;

use super::visibility::{Leak, Visibility};
use crate::domain::{Draft, Outage, QuestionId, Step, Verdict};
use crate::engine::{Deliberation, Next};
use crate::ports::{Backend, Minutes};

/// Why a session stopped before its end. Whatever was minuted stays, and the session can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum Halt<E: std::error::Error + 'static> {
    /// An answer could not be had.
    #[error("{question}: {outage}")]
    Outage {
        /// The question.
        question: Box<QuestionId>,
        /// Why.
        outage: Outage,
    },
    /// A record could not be kept, or is not the one that was kept before.
    #[error("{0}")]
    Minutes(#[source] E),
    /// A brief held what its seat had not witnessed.
    #[error(transparent)]
    Leak(#[from] Leak),
    /// The user stopped the run between two asks.
    #[error("interrupted")]
    Interrupted,
}

/// Conducts a session until it adjourns, from where its state and the account of what was witnessed stand.
///
/// The questions of one ask are worked on concurrently and admitted in their order. Nothing of an ask is minuted when one
/// of its answers could not be had: the others are in the call record, or can be recomputed.
///
/// # Errors
/// [`Halt`], with everything minuted so far kept.
pub async fn conduct<M>(
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
            Next::Declare(draft) => vec![draft],
            Next::Ask(queries) => {
                if stop.load(Ordering::Relaxed) {
                    minutes.flush().map_err(Halt::Minutes)?;
                    return Err(Halt::Interrupted);
                }
                if recorded {
                    minutes.flush().map_err(Halt::Minutes)?;
                }
                for query in &queries {
                    visibility.check(query)?;
                }
                let answers = join_all(queries.iter().map(|query| backend.answer(query))).await;
                let mut drafts = Vec::with_capacity(queries.len());
                for (query, answer) in queries.iter().zip(answers) {
                    match answer {
                        Ok(answer) => drafts.push(deliberation.admit(query, answer)),
                        Err(outage) => {
                            minutes.flush().map_err(Halt::Minutes)?;
                            return Err(halted(query.id.clone(), outage));
                        }
                    }
                }
                drafts
            }
        };
        for draft in drafts {
            let round_ends = draft.at.step == Step::Closing;
            commit(deliberation, visibility, minutes, draft).map_err(Halt::Minutes)?;
            if recorded && round_ends {
                minutes.sync().map_err(Halt::Minutes)?;
            }
        }
    }
}

/// Minutes a draft, and only then lets it take effect.
fn commit<M: Minutes>(
    deliberation: &mut Deliberation<'_>,
    visibility: &mut Visibility,
    minutes: &mut M,
    draft: Draft,
) -> Result<(), M::Error> {
    let record = deliberation.minute(draft);
    minutes.append(&record)?;
    visibility.witness(&record);
    deliberation.evolve(&record);
    Ok(())
}

fn halted<E: std::error::Error + 'static>(question: QuestionId, outage: Outage) -> Halt<E> {
    match outage {
        Outage::Interrupted => Halt::Interrupted,
        outage => Halt::Outage { question: Box::new(question), outage },
    }
}
