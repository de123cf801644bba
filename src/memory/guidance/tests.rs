//! How a tally reads.

use super::*;
use crate::domain::tests::{make_alternative, make_motion};
use crate::domain::{AlternativeName, Base, RuleKind};

fn motion(language: Language) -> Motion {
    let alternatives = ["Juror 1", "Juror 2"].map(|name| make_alternative(name, name));
    Motion { language, ..make_motion("", alternatives.to_vec(), None) }
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
        by_default: false,
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

#[test]
fn a_tally_says_that_it_was_decided_by_default_and_not_by_ballots() {
    let by_default = |quorum_met: Option<bool>, tie_break: Option<TieBreak>| TallyReport {
        by_default: true,
        quorum_met,
        ..report(tie_break, Some("Juror 2"))
    };
    let counted = "The ballots were counted: Juror 1: 1, Juror 2: 1;";
    for (report, language, expected) in [
        (by_default(None, None), En, format!("{counted} no decision by ballots, decided by default: Juror 2.")),
        (
            by_default(None, Some(TieBreak::NoDecision)),
            En,
            format!("{counted} tied; no decision by ballots, decided by default: Juror 2."),
        ),
        (by_default(Some(false), None), En, format!("{counted} too few valid ballots, decided by default: Juror 2.")),
        (
            by_default(None, None),
            Es,
            "Se contaron los votos: Juror 1: 1, Juror 2: 1; sin decisión por los votos, decidido por defecto: Juror 2."
                .to_owned(),
        ),
        (
            by_default(None, None),
            Zh,
            "计票结果：Juror 1：1，Juror 2：1；投票没有作出决定，按默认规则决定：Juror 2。".to_owned(),
        ),
    ] {
        assert_eq!(tally_line(&report, motion(language).tongue()), expected);
    }
}
