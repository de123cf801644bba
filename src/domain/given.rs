//! What stands in the record of every answer, whatever was asked. What the answer says is not here.

use serde::{Deserialize, Serialize};

use super::{Event, MindState, Shown, Usage};

/// What every answer's record tells beside the answer: what was shown, what it used, what the mind keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// What the seat was shown.
    pub shown: Shown,
    /// What the call used; absent where no service was called or it did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The model the service says it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_served: Option<String>,
    /// The mind's state after the answer.
    #[serde(default, skip_serializing_if = "MindState::is_empty")]
    pub state: MindState,
}

impl Event {
    /// What belongs to every answer; `None` for events that no seat answered.
    pub fn given(&self) -> Option<&Given> {
        match self {
            Event::Ranked { given, .. }
            | Event::Tested { given, .. }
            | Event::Applied { given, .. }
            | Event::Reasoned { given, .. }
            | Event::Spoke { given, .. }
            | Event::Passed { given }
            | Event::Volunteered { given, .. }
            | Event::CallAnswered { given, .. }
            | Event::Confirmed { given, .. }
            | Event::Polled { given, .. }
            | Event::Balloted { given, .. }
            | Event::Voted { given, .. }
            | Event::Abstained { given, .. }
            | Event::AmountNamed { given, .. }
            | Event::HarvestAsked { given, .. }
            | Event::Integrated { given, .. }
            | Event::Compressed { given, .. }
            | Event::Inquired { given, .. }
            | Event::Named { given, .. }
            | Event::Noted { given, .. }
            | Event::Recognised { given, .. }
            | Event::Faulted { given, .. } => Some(given),
            Event::SessionConvened { .. }
            | Event::Seated { .. }
            | Event::Networked { .. }
            | Event::NamesGiven { .. }
            | Event::NotesBrought { .. }
            | Event::PhaseOpened { .. }
            | Event::Exhibited { .. }
            | Event::Dealt { .. }
            | Event::Instructed { .. }
            | Event::Reminded { .. }
            | Event::Marked { .. }
            | Event::SituationOpened { .. }
            | Event::Paid { .. }
            | Event::Harvested { .. }
            | Event::RoundOpened { .. }
            | Event::Sampled { .. }
            | Event::Tallied(_)
            | Event::Imposed { .. }
            | Event::RoundClosed { .. }
            | Event::Adjourned { .. } => None,
        }
    }
}
