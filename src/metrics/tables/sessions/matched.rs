//! Columns of what the votes of a session are matched to.

use super::Col;
use crate::domain::{Event, Record, Target};
use crate::metrics::measures;
use crate::metrics::why::{Of, Plain, Reach, Working};

/// What the votes are matched to; nothing where votes are held once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// The other session.
    pub target: Option<Target>,
    /// How often every seat voted, and what the session took by then, where that was told.
    pub sampled: Option<(u32, Option<u64>)>,
}

impl Matched {
    /// Takes a record down.
    pub fn take(&mut self, record: &Record) {
        match &record.event {
            Event::SessionConvened { target, .. } => self.target.clone_from(target),
            Event::Sampled { samples, taken } => self.sampled = Some((*samples, *taken)),
            _ => {}
        }
    }
}

/// Which session, by what, and how well.
pub(super) static MATCHED: &[Col] = &[
    Col::text("match_to", "session that the votes of this one are matched to; empty where votes are held once", |r| {
        r.totals.as_ref()?.matched.target.as_ref().map(|target| target.of.session.as_str())
    })
.why(Reach::Session, &[Of::Convened], Working::Plain(Plain::Field("event.target.of.session")))
    .source("SessionConvened"),
    Col::text(
        "match_unit",
        "what is made equal: total_tokens or completion_tokens as model servers count them, or calls: answers, those that did not count included",
        |r| r.totals.as_ref()?.matched.target.as_ref().map(|target| target.unit.as_str()),
    )
.why(Reach::Session, &[Of::Convened], Working::Plain(Plain::Field("event.target.unit")))
    .source("SessionConvened"),
    Col::count("match_samples", "samples of the vote of every seat; empty where votes are held once", |r| {
        r.totals.as_ref()?.matched.sampled.map(|(samples, _)| u64::from(samples))
    })
.why(Reach::Session, &[Of::Sampled], Working::Plain(Plain::Field("event.samples")))
    .unit("samples")
    .source("Sampled"),
    Col::real(
        "match_ratio",
        "consumption of the session (in match_unit) as a share of that of the other session (match_to); empty where an answer did not tell it, and where votes are held once",
        |r| {
            let totals = r.totals.as_ref()?;
            measures::ratio(totals.matched.sampled?.1?, totals.matched.target.as_ref()?.amount)
        },
    )
.why(Reach::Session, &[Of::Convened, Of::Sampled], Working::Plain(Plain::MatchRatio))
    .formula("taken / amount of match_to")
    .source("SessionConvened, Sampled"),
];
