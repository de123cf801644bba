//! What is minuted: an answer, a draw or a decision. What can be computed from these is a consequence and is not minuted.

use crate::domain::Briefing;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    AlternativeName, Answered, ComputedValues, Consequence, ContextWindow, Digest, Fault, FirstOpinions, Given,
    Inquiry, LearntForm, MemoryAct, MemoryReport, NamedChoice, Needed, Number, Payment, PhaseKindName, PhaseName,
    SeatName, Seated, Seq, Spared, StopReason, TallyReport, Target, Truth, Verdict, Voice,
};

/// One line of the minutes, without its coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Event {
    /// The session begins.
    Convened {
        /// The version of the minutes' format.
        format: u32,
        /// The digest of the session's own plan.
        plan: Digest,
        /// The arm's name.
        arm: String,
        /// The replicate, from 1.
        replicate: u32,
        /// Whose statements are shown in the place of the session's own; absent where its own are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lender: Option<Needed>,
        /// The context windows of the models that the config says none of, as far as they were learnt.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        windows: Vec<ContextWindow>,
        /// How the models are asked to phrase their replies of which the config leaves that open.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        forms: Vec<LearntForm>,
        /// The session before it in its panel, with whose minutes it begins; absent where none came before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Needed>,
        /// What the independent votes of the session are matched to; absent where votes are held once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
        /// What the seats of a null begin with; absent where each begins with what its own mind has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<FirstOpinions>,
        /// The right answer of the case, which nobody is told; absent where the scenario knows none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        truth: Option<Truth>,
    },
    /// A phase opens.
    PhaseOpened {
        /// Its kind.
        kind: PhaseKindName,
        /// The seats that take part, in the plan's order; absent where all that are present do.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        who: Vec<SeatName>,
        /// The seats that hear what is said, counted or answered, in the plan's order, beside whoever speaks; absent where all hear
        /// statements and counts, and nobody hears answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heard_by: Option<Vec<SeatName>>,
        /// For each seat, in the plan's order, the others whose statements it hears in this talk; absent where it hears those that it hears
        /// in the whole session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hears: Option<IndexMap<SeatName, Vec<SeatName>>>,
    },
    /// A phase or block does not take place, because its condition does not hold or nobody would take part.
    PhaseSkipped {
        /// The block that is left out as a whole; absent of a phase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        block: Option<String>,
        /// Whether nobody would take part; absent where the condition does not hold.
        #[serde(default, skip_serializing_if = "is_false")]
        nobody: bool,
    },
    /// A repeated block ends before its last pass, or within a pass, because its condition holds; the record stands at its last phase.
    LoopEnded {
        /// The block.
        block: String,
    },
    /// Who sits where, and whom it hears, as it was drawn for this session; or by which names seats go that chose one.
    Seated {
        /// Every seat of which something was drawn, or that chose a name.
        seats: Vec<Seated>,
    },
    /// The facilitator, or a human, tells seats something, hands them an exhibit, or gives them their part of the case or their notes.
    Briefed(Briefing),
    /// Seats' memories are to be made shorter, or to forget, whatever their policy says.
    Reminded {
        /// Whose; empty when everyone's.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<SeatName>,
        /// What is to be done.
        act: MemoryAct,
        /// The seats among them whose memory stays as it is, with the reason; absent where there are none, and of forgetting.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        spared: Vec<Spared>,
    },
    /// A statement was marked: seats' memories keep it from now on, whatever becomes of the rest, until they are made to forget it.
    Marked {
        /// Whose; empty when everyone's.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<SeatName>,
        /// In whose name.
        #[serde(default, skip_serializing_if = "Voice::is_facilitator")]
        by: Voice,
        /// The phase of the statement.
        phase: PhaseName,
        /// Its public number in that phase.
        statement: Number,
        /// Its record; absent where nobody had made such a statement by then, so that nothing is marked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Seq>,
    },
    /// A situation is put before the seats.
    SituationOpened {
        /// Its name.
        situation: String,
        /// What every income was multiplied with, in thousandths; absent where nothing was drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        multiplier: Option<u32>,
    },
    /// Seats were paid.
    Paid(Payment),
    /// A variable was computed, or texts of seats are kept.
    Computed {
        /// The name of the variable, or of the texts.
        name: String,
        /// What it is now.
        values: ComputedValues,
    },
    /// Seats were put into groups, or got roles.
    Assigned {
        /// The name of the assignment.
        name: String,
        /// The seats of each group, in the plan's order; the groups count from 1. Of roles, the seats of each.
        groups: Vec<Vec<SeatName>>,
        /// The roles; none where groups are assigned.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        roles: Vec<String>,
    },
    /// A round opens; its speaking order is drawn.
    RoundOpened {
        /// The seats in the order in which they speak.
        order: Vec<SeatName>,
    },
    /// A seat gave a valid answer. The step says what it was asked.
    Answered(Answered),
    /// A seat asked to see something before it answers; the question is put again, with what was found.
    Inquired {
        /// What it asked to see.
        inquiry: Inquiry,
        /// The records found: statements, the best first, or the one that handed the exhibit out; none when nothing was.
        found: Vec<Seq>,
        /// The words as they came.
        raw: String,
        /// What belongs to every answer.
        given: Given,
    },
    /// An answer did not count.
    Faulted {
        /// Why.
        fault: Fault,
        /// The field of the form that the fault is about; absent where it is about the whole answer, or no form was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        /// What follows.
        then: Consequence,
        /// The options in the order in which they were shown; absent where none were.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<AlternativeName>,
        /// The words as they came.
        raw: String,
        /// What belongs to every answer.
        given: Given,
    },
    /// Independent votes were taken until they took as much as what they are matched to.
    Sampled {
        /// How often every seat voted.
        samples: u32,
        /// How much of the unit the session took by then; absent where an answer did not tell it, so that no more votes were taken.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<u64>,
    },
    /// Ballots were counted.
    Tallied(TallyReport),
    /// A decision was imposed on the group.
    Imposed {
        /// The alternative.
        alternative: AlternativeName,
        /// The amount, where the alternative takes one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<u32>,
    },
    /// A round closed; what the public history has dropped so far.
    RoundClosed {
        /// Statements dropped from the public history since the session began; where seats hear differently, from that of whoever
        /// lost most.
        dropped_remarks: u32,
        /// Their length in characters, as the public history is measured.
        dropped_chars: u64,
        /// What each seat's memory holds, in the plan's order.
        memory: Vec<MemoryReport>,
        /// How alike the statements of the round are, in millionths; absent where the plan does not ask, or fewer than two seats
        /// spoke.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        convergence: Option<u32>,
    },
    /// The session ended.
    Adjourned {
        /// How.
        verdict: Verdict,
        /// Why.
        stop: StopReason,
        /// What was decided for; absent for no decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decided: Option<NamedChoice>,
    },
}

fn is_false(truth: &bool) -> bool {
    !truth
}

impl Event {
    /// What seats are told; `None` of other events.
    pub fn briefed(&self) -> Option<&Briefing> {
        match self {
            Event::Briefed(briefing) => Some(briefing),
            _ => None,
        }
    }

    /// What it says of who sits where, whom it hears and what it is called; nothing of other events.
    pub fn seated(&self) -> &[Seated] {
        match self {
            Event::Seated { seats } => seats,
            _ => &[],
        }
    }

    /// What belongs to every answer; `None` for events that no seat answered.
    pub fn given(&self) -> Option<&Given> {
        match self {
            Event::Answered(Answered { given, .. }) | Event::Inquired { given, .. } | Event::Faulted { given, .. } => {
                Some(given)
            }
            _ => None,
        }
    }
}
