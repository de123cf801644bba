//! How the domain's enums are spelt in tables: as in the minutes.

use crate::domain::{Base, PhaseKindName, RuleKind, StopReason, TieBreak, Voice};

/// The spelling of a phase's kind.
pub fn phase_kind(kind: PhaseKindName) -> &'static str {
    match kind {
        PhaseKindName::Brief => "brief",
        PhaseKindName::Ask => "ask",
        PhaseKindName::Ranking => "ranking",
        PhaseKindName::Comprehension => "comprehension",
        PhaseKindName::Applications => "applications",
        PhaseKindName::Settle => "settle",
        PhaseKindName::Discussion => "discussion",
        PhaseKindName::Ballot => "ballot",
    }
}

/// The spelling of the reason for an end.
pub fn stop(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Decided => "decided",
        StopReason::RoundsUsedUp => "rounds_used_up",
        StopReason::Undecided => "undecided",
        StopReason::Imposed => "imposed",
        StopReason::Converged => "converged",
        StopReason::Collapsed => "collapsed",
        StopReason::NobodyLeft => "nobody_left",
        StopReason::AgendaDone => "agenda_done",
    }
}

/// The spelling of a rule.
pub fn rule(rule: RuleKind) -> &'static str {
    rule.as_str()
}

/// The spelling of a rule's base.
pub fn base(base: Base) -> &'static str {
    match base {
        Base::Members => "members",
        Base::Valid => "valid",
    }
}

/// The spelling of a tie-break.
pub fn tie_break(tie_break: TieBreak) -> &'static str {
    match tie_break {
        TieBreak::Lot => "lot",
        TieBreak::AgendaOrder => "agenda_order",
        TieBreak::StatusQuo => "status_quo",
        TieBreak::NoDecision => "no_decision",
        TieBreak::Chair => "chair",
        TieBreak::RandomBallot => "random_ballot",
    }
}

/// The spelling of in whose name something is told.
pub fn voice(voice: Voice) -> &'static str {
    match voice {
        Voice::Facilitator => "facilitator",
        Voice::Human => "human",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    fn minuted(value: impl Serialize) -> String {
        serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn tables_spell_as_the_minutes_do() {
        use {PhaseKindName as P, RuleKind as R, StopReason as S, TieBreak as T};
        [P::Brief, P::Ask, P::Ranking, P::Comprehension, P::Applications, P::Discussion, P::Ballot, P::Settle]
            .into_iter()
            .for_each(|value| assert_eq!(phase_kind(value), minuted(value)));
        [S::Decided, S::RoundsUsedUp, S::Undecided, S::Imposed, S::Converged, S::NobodyLeft, S::AgendaDone]
            .into_iter()
            .for_each(|value| assert_eq!(stop(value), minuted(value)));
        R::ALL.into_iter().for_each(|value| assert_eq!(rule(value), minuted(value)));
        [Base::Members, Base::Valid].into_iter().for_each(|value| assert_eq!(base(value), minuted(value)));
        [Voice::Facilitator, Voice::Human].into_iter().for_each(|value| assert_eq!(voice(value), minuted(value)));
        [T::Lot, T::AgendaOrder, T::StatusQuo, T::NoDecision, T::Chair, T::RandomBallot]
            .into_iter()
            .for_each(|value| assert_eq!(tie_break(value), minuted(value)));
    }
}
