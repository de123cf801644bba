//! How models are asked to phrase their replies, where the config leaves it to be found out. No server is asked here.

use std::sync::Arc;

use super::{Answers, ArmPlan, OpenAiModel, Plan};
use crate::domain::{LearntForm, ReplyForm};

impl Plan {
    /// The models asked whose form of reply the config leaves open, each once, in the order of the config.
    pub fn models_without_form(&self) -> impl Iterator<Item = &OpenAiModel> {
        let asked: std::collections::BTreeSet<usize> = self.models_asked().collect();
        asked.into_iter().map(|place| &self.models[place]).filter(|model| model.answers == Answers::Auto)
    }

    /// The same plan with forms that were learnt. What the config says stands, and the plan's digest stays as it is.
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
        Arc::new(Plan { shared: Arc::new(shared), ..(**self).clone() })
    }
}
