//! The reply forms of models, if the config leaves them to be determined.

use std::sync::Arc;

use super::{Answers, ArmPlan, OpenAiModel, Plan};
use crate::domain::{LearntForm, ReplyForm};

impl Plan {
    /// The models asked whose reply form the config leaves open, without duplicates, in the config's order.
    pub fn models_without_form(&self) -> impl Iterator<Item = &OpenAiModel> {
        let asked: std::collections::BTreeSet<usize> = self.models_asked().collect();
        asked.into_iter().map(|place| &self.models[place]).filter(|model| model.answers == Answers::Auto)
    }

    /// The plan with detected reply forms. Settings of the config take precedence, and the digest does not change.
    #[must_use]
    pub fn with_learnt_forms(self: &Arc<Self>, learnt: &[LearntForm]) -> Arc<Self> {
        if learnt.is_empty() {
            return Arc::clone(self);
        }
        let mut shared: ArmPlan = (*self.shared).clone();
        for model in shared.models.iter_mut().filter(|model| model.answers == Answers::Auto) {
            match learnt.iter().find(|learnt| learnt.model == model.name).map(|learnt| learnt.form) {
                Some(ReplyForm::JsonSchema) => model.answers = Answers::JsonSchema,
                Some(ReplyForm::Anchored) => model.answers = Answers::Anchored,
                None => {}
            }
        }
        let fork = self.fork_with(|after| after.with_learnt_forms(learnt));
        Arc::new(Plan { shared: Arc::new(shared), fork, ..(**self).clone() })
    }
}
