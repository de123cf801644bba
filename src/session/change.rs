//! One change to one answer: what makes a fork differ from its parent.

use futures::future::BoxFuture;

use crate::domain::{Answer, Ask, Choice, Language, Outage, Query, Reply};
use crate::engine::admissible;
use crate::plan::{Change, Plan};
use crate::ports::Backend;

/// A backend with one of its answers changed.
pub struct ChangedBackend<'b> {
    inner: &'b dyn Backend,
    change: &'b Change,
    plan: &'b Plan,
}

impl<'b> ChangedBackend<'b> {
    /// Changes one answer of a backend.
    pub fn new(inner: &'b dyn Backend, change: &'b Change, plan: &'b Plan) -> Self {
        Self { inner, change, plan }
    }

    fn applies_to(&self, query: &Query<'_>) -> bool {
        let (at, change) = (&query.id.at, self.change);
        change.step == at.step && change.round == at.round && change.phase == at.phase && change.seat == query.id.seat
    }
}

impl Backend for ChangedBackend<'_> {
    /// A change that says what the seat says anyway is no change: the seat's own answer stands, raw words and all. So do
    /// replies that cannot be used while the seat may try again: what is changed is what it says in the end.
    /// Otherwise the words change and not the mind: its state is the one it would have had.
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        Box::pin(async move {
            let own = self.inner.answer(query).await?;
            // What a seat asks to see is not what it says in the end.
            let inquires = matches!(&own.parsed, Ok(Reply::Inquiry(inquiry)) if query.offer.allows(inquiry));
            if inquires || !self.applies_to(query) {
                return Ok(own);
            }
            let reply = match (&self.change.reply, &query.ask) {
                // Nobody takes more than there is.
                (Reply::Amount(amount), Ask::Amount { pool: Some(pool), .. }) => {
                    Reply::Amount((*amount).min(pool.stock))
                }
                (reply, _) => reply.clone(),
            };
            let counts = own.parsed.clone().and_then(|reply| admissible(&self.plan.motion, &query.ask, reply));
            let tries_before = query.id.attempt.saturating_sub(query.shown.inquired.into());
            let is_asked_again = counts.is_err() && tries_before + 1 < self.plan.tries_max;
            if is_asked_again || own.parsed.as_ref().is_ok_and(|own| is_same_reply(own, &reply)) {
                return Ok(own);
            }
            let raw = match &reply {
                Reply::Statement { text, .. } => text.clone(),
                Reply::Pass => String::new(),
                Reply::Choice(choice) | Reply::Opined(choice, _) => self.plan.motion.named(*choice).to_string(),
                Reply::Ballot(ballot) => ballot.map(|id| self.plan.motion.name(*id).clone()).told(Language::En),
                Reply::Amount(amount) => amount.to_string(),
                Reply::Abstention => self.plan.motion_for(query.seat).language.abstain().to_owned(),
                _ => String::new(),
            };
            Ok(Answer { raw, parsed: Ok(reply), usage: None, model_served: None, state: own.state })
        })
    }
}

/// Whether a seat says anyway what it is made to say. A change that names no amount leaves the one that the seat names.
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
