//! What is minuted: an answer, a draw or a decision. What can be computed from these is a consequence and is not minuted.

use serde::{Deserialize, Serialize};

use super::{
    AlternativeName, Base, Consequence, Digest, Fault, MindState, RuleKind, SeatName, Shown, TieBreak, Usage, Verdict,
};

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

/// The kinds of phases an agenda may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKindName {
    /// The facilitator tells the seats something.
    Brief,
    /// Every seat answers a private poll.
    Ask,
    /// The seats talk, round by round.
    Discussion,
    /// The seats vote once.
    Ballot,
}

/// How many ballots an alternative got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyCount {
    /// The alternative.
    pub alternative: AlternativeName,
    /// Its ballots.
    pub count: u32,
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A vote decided.
    Decided,
    /// All rounds were used up without a decision.
    RoundsUsedUp,
    /// The agenda's vote was held and decided nothing.
    Undecided,
    /// The agenda holds no vote and is at its end.
    AgendaDone,
}

/// A count of ballots and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyReport {
    /// The decision rule.
    pub rule: RuleKind,
    /// What the rule's shares are shares of.
    pub base: Base,
    /// Seats that could vote, after exclusions.
    pub eligible: u32,
    /// Valid ballots.
    pub valid: u32,
    /// Invalid ballots, whatever follows from them.
    pub invalid: u32,
    /// Abstentions, with those that invalid ballots became.
    pub abstained: u32,
    /// The least count that wins; absent where a rule has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u32>,
    /// Ballots per alternative, in the scenario's order.
    pub counts: Vec<TallyCount>,
    /// The winners by the rule alone; more than one is a tie, none is no decision.
    pub winners: Vec<AlternativeName>,
    /// The tie-break that was applied; absent where none was needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie_break: Option<TieBreak>,
    /// The alternative decided for; absent for no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<AlternativeName>,
}

/// One line of the minutes, without its coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Event {
    /// The session begins.
    SessionConvened {
        /// The version of the minutes' format.
        format: u32,
        /// The digest of the session's own plan.
        plan: Digest,
        /// The arm's name.
        arm: String,
        /// The replicate, from 1.
        replicate: u32,
    },
    /// A phase opens.
    PhaseOpened {
        /// Its kind.
        kind: PhaseKindName,
    },
    /// The facilitator tells every seat something.
    Instructed {
        /// The words.
        text: String,
    },
    /// A round opens; its speaking order is drawn.
    RoundOpened {
        /// The seats in the order in which they speak.
        order: Vec<SeatName>,
    },
    /// A seat spoke on the floor.
    Spoke {
        /// The words in full.
        text: String,
        /// The alternative it declared to favour; absent when it declared none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stance: Option<AlternativeName>,
        /// What belongs to every answer.
        given: Given,
    },
    /// A seat passed its turn.
    Passed {
        /// What belongs to every answer.
        given: Given,
    },
    /// A seat answered a straw poll.
    Polled {
        /// Its choice.
        alternative: AlternativeName,
        /// The options in the order in which they were shown.
        options: Vec<AlternativeName>,
        /// The words of the answer.
        raw: String,
        /// What belongs to every answer.
        given: Given,
    },
    /// A seat voted.
    Balloted {
        /// Its choice.
        alternative: AlternativeName,
        /// The options in the order in which they were shown.
        options: Vec<AlternativeName>,
        /// The words of the ballot.
        raw: String,
        /// What belongs to every answer.
        given: Given,
    },
    /// An answer did not count.
    Faulted {
        /// Why.
        fault: Fault,
        /// What follows.
        then: Consequence,
        /// The options in the order in which they were shown.
        options: Vec<AlternativeName>,
        /// The words as they came.
        raw: String,
        /// What belongs to every answer.
        given: Given,
    },
    /// Ballots were counted.
    Tallied(TallyReport),
    /// A round closed; what the public history has dropped so far.
    RoundClosed {
        /// Remarks dropped from the public history since the session began.
        dropped_remarks: u32,
        /// Their length in characters, as rendered.
        dropped_chars: u64,
    },
    /// The session ended.
    Adjourned {
        /// How.
        verdict: Verdict,
        /// Why.
        stop: StopReason,
        /// The alternative decided for; absent for no decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided: Option<AlternativeName>,
    },
}

impl Event {
    /// What belongs to every answer; `None` for events that no seat answered.
    pub fn given(&self) -> Option<&Given> {
        match self {
            Event::Spoke { given, .. }
            | Event::Passed { given }
            | Event::Polled { given, .. }
            | Event::Balloted { given, .. }
            | Event::Faulted { given, .. } => Some(given),
            Event::SessionConvened { .. }
            | Event::PhaseOpened { .. }
            | Event::Instructed { .. }
            | Event::RoundOpened { .. }
            | Event::Tallied(_)
            | Event::RoundClosed { .. }
            | Event::Adjourned { .. } => None,
        }
    }
}
