//! The plan of a session with an item.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{ArmPlan, HandOut, Item, ItemAmount, PhaseKind, Plan, Seat, Sitter, VoteOver, VotePhase, digest_of};
use crate::domain::{Digest, Motion};
use crate::minds::Mind;

impl Plan {
    /// The plan of an item's sessions, which shares everything that items do not change.
    pub fn of_item(&self, item: &Arc<Item>) -> Plan {
        let mut plan = self.with_question(&item.text);
        if !item.options.is_empty() {
            Arc::make_mut(&mut plan.motion).alternatives = item.alternatives();
        }
        if let Some(amount) = &item.amount {
            amount.apply_to_motion(Arc::make_mut(&mut plan.motion));
        }
        plan.adapt_vote_motions();
        // The key is part of the digest only if it affects the session, through signals or minds.
        let signals = self.evidence.as_deref().and_then(|evidence| evidence.signals.as_ref());
        let told = item.key.as_ref().filter(|_| signals.is_some() || seats_needing_truth(self).next().is_some());
        let own = [
            ("arm", self.digest.to_string()),
            ("item", item.id.clone()),
            ("item.text", item.text.clone()),
            ("item.options", item.options.join("|")),
        ];
        let own = own.into_iter().chain(told.map(|key| ("item.key", key.to_string())));
        let own = own.chain((!item.named.is_empty()).then(|| ("item.columns", item.named_text())));
        let own = own.chain(item.amount.as_ref().map(|amount| ("item.amount", amount.range_text())));
        let own = own.chain((!item.shown.is_empty()).then(|| ("item.shown", item.shown_text())));
        plan.digest = digest_of(&own.collect::<BTreeMap<_, _>>());
        plan.item = Some(Arc::clone(item));
        plan.fill_scripts(item);
        plan.fill_exhibits(item);
        plan.fork = self.fork_with(|after| Arc::new(after.of_item(item)));
        plan.translations = self.translations.iter().map(|other| Arc::new(other.of_item(item))).collect();
        plan
    }

    /// Gives votes over the alternatives, if they have words of their own, the alternatives and amounts of the motion.
    fn adapt_vote_motions(&mut self) {
        let whole = Arc::clone(&self.motion);
        for phase in &mut self.agenda {
            if let PhaseKind::Vote(vote) = &mut phase.kind
                && vote.over == VoteOver::Alternatives
                && let Some(own) = &vote.motion
            {
                let motion = Some(Arc::new(Motion { text: own.text.clone(), ..(*whole).clone() }));
                *vote = Arc::new(VotePhase { motion, ..(**vote).clone() });
            }
        }
    }

    /// Fills in the alternatives that the item names in scripts.
    fn fill_scripts(&mut self, item: &Item) {
        let reads = |seat: &Seat| matches!(&seat.sitter, Sitter::Mind(Mind::Scripted(script)) if script.reads_items());
        if !self.seats.iter().any(reads) {
            return;
        }
        let named = |column: &str| {
            let id = self.motion.find(item.named.get(column)?.as_str())?;
            Some((id, self.motion.alternatives[id.index()].label.clone()))
        };
        let mut seats = self.seats.clone();
        for seat in &mut seats {
            if let Sitter::Mind(Mind::Scripted(script)) = &mut seat.sitter {
                *script = script.of_item(&named);
            }
        }
        self.shared = Arc::new(ArmPlan { seats, ..(*self.shared).clone() });
    }

    /// Fills in the texts of the columns that seats are shown.
    fn fill_exhibits(&mut self, item: &Item) {
        if item.shown.is_empty() {
            return;
        }
        let of_item = |handed: &HandOut| {
            let Some(text) = item.shown.get(handed.exhibit.name()).filter(|_| handed.of_items) else {
                return Some(handed.clone());
            };
            let (exhibit, digest) = (handed.exhibit.with_text(text), Digest::of_text(text));
            (!text.is_empty()).then(|| HandOut { exhibit, digest, ..handed.clone() })
        };
        let exhibits = self.exhibits.iter().filter_map(of_item).collect();
        self.shared = Arc::new(ArmPlan { exhibits, ..(*self.shared).clone() });
    }

    /// The plan with another question in its texts.
    fn with_question(&self, text: &str) -> Plan {
        let mut plan = self.clone();
        if let Some(questions) = &self.shared.questions {
            Arc::make_mut(&mut plan.motion).text = questions.motion.join(text);
            for (place, parts) in &questions.briefs {
                if let PhaseKind::Brief { text: own, .. } = &mut plan.agenda[*place].kind {
                    *own = parts.join(text);
                }
            }
            for (place, parts) in &questions.votes {
                if let PhaseKind::Vote(vote) = &mut plan.agenda[*place].kind
                    && let Some(own) = &vote.motion
                {
                    let motion = Some(Arc::new(Motion { text: parts.join(text), ..(**own).clone() }));
                    *vote = Arc::new(VotePhase { motion, ..(**vote).clone() });
                }
            }
            for (place, field, parts) in &questions.forms {
                if let PhaseKind::Form(asked) = &mut plan.agenda[*place].kind {
                    Arc::make_mut(&mut Arc::make_mut(asked).asked).questions[*field] = parts.join(text);
                }
            }
        }
        plan
    }

    /// The plan without the parts that items change, for its identity.
    pub fn of_no_item(&self, items: &IndexMap<String, Arc<Item>>) -> Plan {
        if items.is_empty() {
            return self.clone();
        }
        let mut plan = self.with_question("{{ item.text }}");
        if items.values().any(|item| !item.options.is_empty()) {
            Arc::make_mut(&mut plan.motion).alternatives.clear();
        }
        if items.values().any(|item| item.amount.is_some()) {
            ItemAmount { unit: "{{ item.unit }}".to_string(), min: 0, max: 0 }
                .apply_to_motion(Arc::make_mut(&mut plan.motion));
        }
        plan
    }
}

/// The message for a missing truth.
pub const UNSAID: &str =
    "this scheme depends on which alternative is right, and neither the scenario nor a key of the items says it";

/// The seats whose minds need the right answer.
pub fn seats_needing_truth(plan: &Plan) -> impl Iterator<Item = &Seat> {
    plan.seats.iter().filter(|seat| matches!(&seat.sitter, Sitter::Mind(mind) if mind.needs_truth()))
}
