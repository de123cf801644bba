//! One change to one answer, which makes a fork differ from its parent.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use crate::domain::{
    AlternativeId, Answer, Choice, Fault, Language, Motion, Outage, PhaseName, Query, Record, Reply, Step,
};
use crate::engine::{Deliberation, admissible};
use crate::plan::{Change, ChangedAnswer, Plan};
use crate::ports::Backend;
use crate::prompt::{UnfitAnswer, read_fields};
use crate::question::write_lines;
use crate::session::retrace::{RetraceError, retrace_session};

/// What a seat was asked where a change is made: the steps of its answers in that phase and round.
pub fn find_steps_asked(records: &[Record], change: &Change) -> BTreeSet<Step> {
    let is_there = |record: &&Record| {
        record.seat.as_ref() == Some(&change.seat)
            && is_phase(change, &record.at.phase)
            && record.at.round == change.round
    };
    records.iter().filter(is_there).map(|record| record.at.step).collect()
}

/// Checks that fields of a change answer the question that a session put. The session has just been convened and has these records.
///
/// # Errors
/// A record that does not follow from those before it; inside, what is wrong with which field.
///
/// # Panics
/// If the session did not put the question, see [`find_steps_asked`].
pub fn check_fields(
    begun: Deliberation<'_>,
    records: &[Record],
    change: &Change,
    fields: &Map<String, Value>,
) -> Result<Result<(), UnfitAnswer>, RetraceError> {
    let mut read = None;
    let plan = begun.plan();
    retrace_session(begun, records, &mut |traced| match traced.query.filter(|query| is_meant(change, query)) {
        Some(query) => {
            read = Some(read_fields(&query.ask, plan.motion_asked(query), fields).map(drop));
            ControlFlow::Break(())
        }
        None => ControlFlow::Continue(()),
    })?;
    Ok(read.expect("invariant: the session put the question"))
}

fn is_meant(change: &Change, query: &Query<'_>) -> bool {
    let at = &query.id.at;
    change.step == at.step && change.round == at.round && is_phase(change, &at.phase) && change.seat == query.id.seat
}

/// A backend with one of its answers changed.
pub struct ChangedBackend<'b> {
    inner: &'b dyn Backend,
    change: &'b Change,
    plan: &'b Plan,
}

impl<'b> ChangedBackend<'b> {
    /// A backend that makes this change.
    pub fn new(inner: &'b dyn Backend, change: &'b Change, plan: &'b Plan) -> Self {
        Self { inner, change, plan }
    }
}

impl Backend for ChangedBackend<'_> {
    /// Keeps the seat's own answer, raw text included, if it equals the change or if the seat will be asked again. Otherwise
    /// replaces the reply and keeps the state of the mind.
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        Box::pin(async move {
            let own = self.inner.answer(query).await?;
            // An inquiry is not yet the answer.
            let inquires = matches!(&own.parsed, Ok(Reply::Inquiry(inquiry)) if query.offer.allows(inquiry));
            if inquires || !is_meant(self.change, query) {
                return Ok(own);
            }
            let motion = self.plan.motion_asked(query);
            let reply = match (&self.change.answer, &query.ask) {
                (ChangedAnswer::Reply(reply), _) => match among_options(reply, self.plan, query) {
                    Some(reply) => Ok(reply),
                    None => Err(Fault::UnknownAlternative),
                },
                // A fork is refused before it begins if its parent's question has other fields; the same question put again after
                // the change may have, and then this is no answer to it.
                (ChangedAnswer::Fields(fields), ask) => read_fields(ask, motion, fields).map_err(|_| Fault::Unreadable),
            };
            let counts = own.parsed.clone().and_then(|reply| admissible(motion, &query.ask, reply));
            let tries_before = query.id.attempt.saturating_sub(query.shown.inquired.into());
            let is_asked_again = counts.is_err() && tries_before + 1 < self.plan.tries_max;
            let is_same = matches!((&own.parsed, &reply), (Ok(own), Ok(reply)) if is_same_reply(own, reply));
            if is_asked_again || is_same {
                return Ok(own);
            }
            let raw = match (&reply, &self.change.answer) {
                (Ok(reply), _) => tell_reply(reply, self.plan, (motion, query)),
                (Err(_), ChangedAnswer::Fields(fields)) => Value::Object(fields.clone()).to_string(),
                (Err(_), ChangedAnswer::Reply(reply)) => {
                    tell_reply(reply, self.plan, (self.plan.motion_at(query.seat, &query.id.at), query))
                }
            };
            Ok(Answer { raw, parsed: reply, field: None, usage: None, model_served: None, state: own.state })
        })
    }
}

/// Whether a phase is the one of a change. Of a phase in groups the seat says in which.
fn is_phase(change: &Change, phase: &PhaseName) -> bool {
    change.phase.occurrence() == phase.occurrence()
}

/// A changed ballot by the options that its voter has; `None` if she does not have one of those that it names.
fn among_options(reply: &Reply, plan: &Plan, query: &Query<'_>) -> Option<Reply> {
    let Some(motion) = &query.motion else { return Some(reply.clone()) };
    let written = plan.motion_at(query.seat, &query.id.at);
    let find = |id: &AlternativeId| motion.find(written.name(*id).as_str());
    match reply {
        Reply::Choice(choice) => {
            find(&choice.alternative).map(|alternative| Reply::Choice(Choice { alternative, ..*choice }))
        }
        Reply::Ballot(ballot) => ballot.find(find).map(Reply::Ballot),
        Reply::Reasoned { ballot, reasoning } => {
            Some(among_options(ballot, plan, query)?.with_reasoning(Some(reasoning.clone())))
        }
        other => Some(other.clone()),
    }
}

/// The words of a changed answer, as they stand in the minutes. The motion has the alternatives that the reply names.
fn tell_reply(reply: &Reply, plan: &Plan, (motion, query): (&Motion, &Query<'_>)) -> String {
    match reply {
        Reply::Statement { text, .. } | Reply::Note(text) | Reply::Name(text) => text.to_string(),
        Reply::Choice(choice) | Reply::Opined(choice, _) => motion.named(*choice).to_string(),
        Reply::Ballot(ballot) => ballot.map(|id| motion.name(*id).clone()).told(Language::En),
        Reply::Amount(amount) => amount.to_string(),
        Reply::Abstention => plan.motion_for(query.seat).language.abstain().to_owned(),
        Reply::Reasoned { ballot, reasoning } => format!("{}: {reasoning}", tell_reply(ballot, plan, (motion, query))),
        Reply::Assent(yes) => if *yes { Language::En.yes() } else { Language::En.no() }.to_owned(),
        Reply::Ranking { order, certainty } => {
            let names: Vec<&str> = order.iter().map(|id| plan.motion.name(*id).as_str()).collect();
            format!("{} ({})", names.join(" > "), certainty.as_str())
        }
        Reply::Application { choice, certainty, reasoning } => {
            format!("{} ({}) {reasoning}", plan.motion.named(*choice), certainty.as_str()).trim_end().to_owned()
        }
        Reply::Test(answers) => answers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        Reply::Urgency(urgency) => urgency.map_or(Language::En.none().to_owned(), |urgency| urgency.to_string()),
        Reply::Recognition { recognised: true, recognised_as } => {
            recognised_as.as_deref().unwrap_or_else(|| Language::En.yes()).to_owned()
        }
        Reply::Recognition { recognised: false, .. } => Language::En.no().to_owned(),
        Reply::Form(values) => {
            let asked = query.ask.form_asked().expect("invariant: only a form is answered by values");
            write_lines(&asked.form, values)
        }
        Reply::Notes(note) => note.append.as_deref().unwrap_or_default().to_owned(),
        Reply::Pass | Reply::Inquiry(_) => String::new(),
    }
}

/// Whether the seat's own reply equals the change. A change without an amount matches any amount.
fn is_same_reply(own: &Reply, changed: &Reply) -> bool {
    let same = |own: &Choice, changed: &Choice| {
        own.alternative == changed.alternative && (changed.amount.is_none() || own.amount == changed.amount)
    };
    match (own, changed) {
        (Reply::Choice(own) | Reply::Opined(own, _), Reply::Choice(changed)) => same(own, changed),
        (
            Reply::Statement { text, stance: Some(own), .. },
            Reply::Statement { text: other, stance: Some(changed), .. },
        ) => text == other && same(own, changed),
        _ => own == changed,
    }
}
