//! Plan → what the fold of a session must know.

use std::sync::Arc;

use crate::metrics::{AnswersBy, ArmFacts, Determinism, PhaseFacts, SeatFacts, SessionFacts, Votes};
use crate::plan::{PhaseKind, Plan, Sitter};

/// What all sessions of a plan have in common; made once an arm.
pub fn arm_facts(plan: &Plan) -> ArmFacts {
    let determinism = if plan.is_simulated() { Determinism::Recomputed } else { Determinism::Recorded };
    ArmFacts {
        experiment: plan.experiment.clone(),
        arm: plan.arm.clone(),
        levels: plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone())).collect(),
        plan_digest: plan.digest.clone(),
        determinism,
        seats: plan
            .seats
            .iter()
            .map(|seat| SeatFacts {
                name: seat.name.clone(),
                answers_by: match seat.sitter {
                    Sitter::Mind(_) => AnswersBy::Mind,
                    Sitter::Model(_) => AnswersBy::Model,
                },
            })
            .collect(),
        alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
        phases: plan.agenda.iter().map(|phase| phase_facts(phase.name.clone(), &phase.kind)).collect(),
    }
}

/// What the fold of one session must know.
pub fn session_facts(arm: &Arc<ArmFacts>, plan: &Plan, replicate: u32) -> SessionFacts {
    SessionFacts { arm: Arc::clone(arm), replicate, session: plan.session_name(replicate) }
}

fn phase_facts(name: crate::domain::PhaseName, kind: &PhaseKind) -> PhaseFacts {
    let (poll, rounds_max, votes) = match kind {
        PhaseKind::Brief { .. } => (None, 0, Votes::None),
        PhaseKind::Ask { time } => (Some(*time), 0, Votes::None),
        PhaseKind::Discussion(talk) if talk.votes_in_rounds() => (None, talk.rounds.get(), Votes::EachRound),
        PhaseKind::Discussion(talk) => (None, talk.rounds.get(), Votes::None),
        PhaseKind::Ballot => (None, 0, Votes::Once),
        _ => (None, 0, Votes::None),
    };
    PhaseFacts { name, kind: kind.name(), poll, rounds_max, votes }
}
