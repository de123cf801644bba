//! One change to one answer, which makes a fork differ from its parent.

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
    /// A backend that makes this change.
    pub fn new(inner: &'b dyn Backend, change: &'b Change, plan: &'b Plan) -> Self {
        Self { inner, change, plan }
    }

    fn applies_to(&self, query: &Query<'_>) -> bool {
        let (at, change) = (&query.id.at, self.change);
        change.step == at.step && change.round == at.round && change.phase == at.phase && change.seat == query.id.seat
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
            if inquires || !self.applies_to(query) {
                return Ok(own);
            }
            let reply = match (&self.change.reply, &query.ask) {
                // A seat cannot take more than the stock.
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
