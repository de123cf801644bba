//! What is minuted: an answer, a draw or a decision. What can be computed from these is a consequence and is not minuted.

use crate::domain::Briefing;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    AlternativeName, Answered, ComputedValues, Consequence, ContextWindow, Digest, FORMAT_VERSION, Fault,
    FirstOpinions, Given, Inquiry, LearntForm, Marked, MemoryAct, MemoryReport, NamedChoice, Needed, Number, Payment,
    PhaseKindName, PhaseName, SeatName, Seated, Seq, Spared, StopReason, TallyReport, Target, Truth, Verdict, Voice,
};

/// One line of the minutes, without its coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::EnumIs)]
#[serde(deny_unknown_fields)]
pub enum Event {
    /// The session begins.
    Convened(Convened),
    /// A phase opens.
    PhaseOpened(PhaseOpened),
    /// A phase or block does not take place, because its condition does not hold or nobody would take part.
    PhaseSkipped(PhaseSkipped),
    /// A block ends before its last pass, or within a pass: its condition holds, a vote decided, or nothing is left to repeat it for. The
    /// record stands at its last phase.
    LoopEnded(LoopEnded),
    /// Who sits where, and whom it hears, as it was drawn for this session; or by which names seats go that chose one.
    Seated {
        /// Every seat of which something was drawn, or that chose a name.
        seats: Vec<Seated>,
    },
    /// The facilitator, or a human, tells seats something, hands them an exhibit, or gives them their part of the case or their notes.
    Briefed(Briefing),
    /// Seats' memories are to be made shorter, or to forget, whatever their policy says.
    Reminded(Reminded),
    /// A statement was marked: seats' memories keep it from now on, whatever becomes of the rest, until they are made to forget it.
    Marked {
        /// Whose; empty when everyone's.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<SeatName>,
        /// In whose name.
        #[serde(default, skip_serializing_if = "super::spelled::is_default")]
        by: Voice,
        /// The phase of the statement.
        phase: PhaseName,
        /// Its public number in that phase.
        statement: Number,
        /// Its record; absent where nobody had made such a statement by then, so that nothing is marked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Seq>,
    },
    /// Seats were paid.
    Paid(Payment),
    /// A variable was computed, or texts of seats are kept.
    Computed(Computed),
    /// Seats were put into groups, or got roles.
    Assigned(Assigned),
    /// A round opens: its speaking order is drawn, or a situation is put before the seats.
    RoundOpened(RoundOpened),
    /// A seat gave a valid answer. The step says what it was asked.
    Answered(Answered),
    /// A seat asked to see something before it answers; the question is put again, with what was found.
    Inquired(Inquired),
    /// An answer did not count.
    Faulted(Faulted),
    /// Ballots were counted.
    Tallied(TallyReport),
    /// A round closed; what the public history has dropped so far.
    RoundClosed(RoundClosed),
    /// The session ended.
    Adjourned(Adjourned),
}

/// The session begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Convened {
    /// The version of the minutes' format.
    pub format: u32,
    /// The digest of the session's own plan.
    pub plan: Digest,
    /// The arm's name.
    pub arm: String,
    /// The replicate, from 1.
    pub replicate: u32,
    /// Whose statements are shown in the place of the session's own; absent where its own are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lender: Option<Needed>,
    /// The context windows of the models that the config says none of, as far as they were learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<ContextWindow>,
    /// How the models are asked to phrase their replies of which the config leaves that open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<LearntForm>,
    /// The session before it in its panel, with whose minutes it begins; absent where none came before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Needed>,
    /// What the independent votes of the session are matched to; absent where votes are held once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// What the seats of a null begin with; absent where each begins with what its own mind has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstOpinions>,
    /// The right answer of the case, which nobody is told; absent where the scenario knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<Truth>,
}

/// A phase opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseOpened {
    /// Its kind.
    pub kind: PhaseKindName,
    /// The seats that take part, in the plan's order; absent where all that are present do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub who: Vec<SeatName>,
    /// The seats that hear what is said, counted or answered, in the plan's order, beside whoever speaks; absent where all hear
    /// statements and counts, and nobody hears answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_by: Option<Vec<SeatName>>,
    /// For each seat, in the plan's order, the others whose statements it hears in this talk; absent where it hears those that it hears
    /// in the whole session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hears: Option<IndexMap<SeatName, Vec<SeatName>>>,
    /// What its pass takes place for where the coordinate has a number in its place: a word, the id of an item, the letter of a text or
    /// a seat; of nested blocks joined by points, outer ones first. Absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
}

/// A phase or block does not take place, because its condition does not hold or nobody would take part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseSkipped {
    /// The block that is left out as a whole; absent of a phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// Whether nobody would take part; absent where the condition does not hold.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub nobody: bool,
}

/// A block ends before its last pass, or within a pass: its condition holds, a vote decided, or nothing is left to repeat it for. The
/// record stands at its last phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopEnded {
    /// The block.
    pub block: String,
}

/// Seats' memories are to be made shorter, or to forget, whatever their policy says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reminded {
    /// Whose; empty when everyone's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<SeatName>,
    /// What is to be done.
    pub act: MemoryAct,
    /// The seats among them whose memory stays as it is, with the reason; absent where there are none, and of forgetting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spared: Vec<Spared>,
}

/// A variable was computed, or texts of seats are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computed {
    /// The name of the variable, or of the texts.
    pub name: String,
    /// What it is now.
    pub values: ComputedValues,
}

/// Seats were put into groups, or got roles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assigned {
    /// The name of the assignment.
    pub name: String,
    /// The seats of each group, in the plan's order; the groups count from 1. Of roles, the seats of each.
    pub groups: Vec<Vec<SeatName>>,
    /// The roles; none where groups are assigned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
}

/// A round opens: its speaking order is drawn, or a situation is put before the seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundOpened {
    /// The seats in the order in which they speak; nobody where a situation is put before the seats.
    pub order: Vec<SeatName>,
    /// The situation that is put before the seats; absent in a talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub situation: Option<String>,
    /// What every income was multiplied with, in thousandths; absent where nothing was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<u32>,
}

/// A seat asked to see something before it answers; the question is put again, with what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inquired {
    /// What it asked to see.
    pub inquiry: Inquiry,
    /// The records found: statements, the best first, or the one that handed the exhibit out; none when nothing was.
    pub found: Vec<Seq>,
    /// The words as they came.
    pub raw: String,
    /// What belongs to every answer.
    pub given: Given,
}

/// An answer did not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faulted {
    /// Why.
    pub fault: Fault,
    /// The field of the form that the fault is about; absent where it is about the whole answer, or no form was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What follows.
    pub then: Consequence,
    /// The options in the order in which they were shown; absent where none were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<AlternativeName>,
    /// The words as they came.
    pub raw: String,
    /// What belongs to every answer.
    pub given: Given,
}

/// A round closed; what the public history has dropped so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundClosed {
    /// Statements dropped from the public history since the session began; where seats hear differently, from that of whoever
    /// lost most.
    pub dropped_remarks: u32,
    /// Their length in characters, as the public history is measured.
    pub dropped_chars: u64,
    /// What each seat's memory holds, in the plan's order.
    pub memory: Vec<MemoryReport>,
    /// How alike the statements of the round are, in millionths; absent where the plan does not ask, or fewer than two seats
    /// spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convergence: Option<u32>,
}

/// The session ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjourned {
    /// How.
    pub verdict: Verdict,
    /// Why.
    pub stop: StopReason,
    /// What was decided for; absent for no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<NamedChoice>,
}

/// A function for each kind of event, which gives what the event holds if it is of that kind.
macro_rules! events_of_a_kind {
    ($($(#[$doc:meta])* $name:ident: $kind:ident($held:ty);)+) => {
        impl Event {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> Option<&$held> {
                    match self {
                        Event::$kind(held) => Some(held),
                        _ => None,
                    }
                }
            )+
        }
    };
}

events_of_a_kind! {
    /// How the session begins.
    convened: Convened(Convened);
    /// The phase that opens.
    phase_opened: PhaseOpened(PhaseOpened);
    /// What does not take place.
    phase_skipped: PhaseSkipped(PhaseSkipped);
    /// The block that ends.
    loop_ended: LoopEnded(LoopEnded);
    /// What seats are told.
    briefed: Briefed(Briefing);
    /// What becomes of memories.
    reminded: Reminded(Reminded);
    /// What is paid.
    paid: Paid(Payment);
    /// What is computed.
    computed: Computed(Computed);
    /// Who is in which group, or has which role.
    assigned: Assigned(Assigned);
    /// The round that opens.
    round_opened: RoundOpened(RoundOpened);
    /// The valid answer.
    answered: Answered(Answered);
    /// What a seat asked to see.
    inquired: Inquired(Inquired);
    /// The answer that did not count.
    faulted: Faulted(Faulted);
    /// What was counted.
    tallied: Tallied(TallyReport);
    /// The round that closes.
    round_closed: RoundClosed(RoundClosed);
    /// How the session ended.
    adjourned: Adjourned(Adjourned);
}

impl Event {
    /// What it says of who sits where, whom it hears and what it is called; nothing of other events.
    pub fn seated(&self) -> &[Seated] {
        match self {
            Event::Seated { seats } => seats,
            _ => &[],
        }
    }

    /// The words of an answer as they came; empty if its values hold them in full, and of records that no seat answered.
    pub fn raw(&self) -> &str {
        match self {
            Event::Answered(Answered { raw, .. })
            | Event::Inquired(Inquired { raw, .. })
            | Event::Faulted(Faulted { raw, .. }) => raw,
            _ => "",
        }
    }

    /// The options in the order in which they were shown; empty if none were.
    pub fn options(&self) -> &[AlternativeName] {
        match self {
            Event::Answered(Answered { options, .. }) | Event::Faulted(Faulted { options, .. }) => options,
            _ => &[],
        }
    }

    /// The marks that a statement carries.
    pub fn marks(&self) -> &[Marked] {
        self.answered().map_or(&[], |answered| &answered.marks)
    }

    /// The format of minutes that begin with this event, if it is another than that of this version.
    pub fn other_format(&self) -> Option<u32> {
        self.convened().map(|convened| convened.format).filter(|format| *format != FORMAT_VERSION)
    }

    /// Whether it opens a round of talk, and not one in which a situation is put before the seats.
    pub fn opens_talk_round(&self) -> bool {
        self.round_opened().is_some_and(|opened| opened.situation.is_none())
    }

    /// Whether seats are made to forget something.
    pub fn makes_forget(&self) -> bool {
        self.reminded().is_some_and(|reminded| matches!(reminded.act, MemoryAct::Forget { .. }))
    }

    /// Whether a question was too long for the model.
    pub fn is_too_long(&self) -> bool {
        self.faulted().is_some_and(|faulted| faulted.fault == Fault::ContextTooLong)
    }

    /// What belongs to every answer; `None` for events that no seat answered.
    pub fn given(&self) -> Option<&Given> {
        match self {
            Event::Answered(Answered { given, .. })
            | Event::Inquired(Inquired { given, .. })
            | Event::Faulted(Faulted { given, .. }) => Some(given),
            _ => None,
        }
    }
}
