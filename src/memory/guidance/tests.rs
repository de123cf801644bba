//! How a tally reads.

use super::*;
use crate::domain::{Alternative, AlternativeName, Base, RuleKind};

fn motion(language: Language) -> Motion {
    let alternative = |name: &str| Alternative {
        name: AlternativeName::new(name),
        label: name.to_owned(),
        status_quo: false,
        takes_amount: false,
        said: None,
    };
    Motion {
        text: String::new(),
        alternatives: ["Juror 1", "Juror 2"].map(alternative).to_vec(),
        amount_max: None,
        amount_min: 1,
        unit: None,
        language,
    }
}

fn report(tie_break: Option<TieBreak>, decided: Option<&str>) -> TallyReport {
    let named = |name: &str| NamedChoice { alternative: AlternativeName::new(name), amount: None };
    let count =
        |name: &str| TallyCount { alternative: AlternativeName::new(name), amount: None, count: 1, points: None };
    TallyReport {
        rule: RuleKind::Plurality,
        base: Base::Valid,
        eligible: 2,
        valid: 2,
        invalid: 0,
        abstained: 0,
        by_choice: 0,
        threshold: None,
        quorum_met: None,
        condorcet_winner: None,
        uncounted: None,
        counts: vec![count("Juror 1"), count("Juror 2")],
        winners: vec![named("Juror 1"), named("Juror 2")],
        tie_break,
        tie_ballots: Vec::new(),
        decided: decided.map(named),
        non_binding: false,
        sampled: None,
        elects_several: false,
    }
}

#[test]
fn a_tally_is_no_riddle_of_numbers_and_says_how_a_tie_was_broken() {
    let (winner, lot) = (Some("Juror 2"), Some(TieBreak::Lot));
    for (tie_break, decided, language, expected) in [
        (None, winner, En, "The ballots were counted: Juror 1: 1, Juror 2: 1; decided: Juror 2."),
        (lot, winner, En, "The ballots were counted: Juror 1: 1, Juror 2: 1; tied; decided by lot: Juror 2."),
        (
            Some(TieBreak::AgendaOrder),
            winner,
            En,
            "The ballots were counted: Juror 1: 1, Juror 2: 1; tied; decided by the order of the options: Juror 2.",
        ),
        (Some(TieBreak::NoDecision), None, En, "The ballots were counted: Juror 1: 1, Juror 2: 1; tied; no decision."),
        (lot, winner, Es, "Se contaron los votos: Juror 1: 1, Juror 2: 1; empate; decisión por sorteo: Juror 2."),
        (lot, winner, Zh, "计票结果：Juror 1：1，Juror 2：1；平局；抽签决定：Juror 2。"),
    ] {
        let motion = motion(language);
        assert_eq!(tally_line(&report(tie_break, decided), motion.tongue()), expected);
    }
}
