//! The points that a rule gives an alternative, from the ballots of the vote: who voted how, counted again.

use ekklesia::choice::ranked::{Points, RunoffTies};
use ekklesia::choice::{Terms, recount};
use ekklesia::domain::{Event, NamedChoice, Ratio, Record, RuleKind, TallyReport};
use ekklesia::metrics::{Roll, elections};
use super::{Picked, Worked, real};

/// What points are under a rule.
fn meaning(rule: RuleKind) -> &'static str {
    match rule {
        RuleKind::Plurality | RuleKind::Majority | RuleKind::Supermajority | RuleKind::Unanimity => "first places",
        RuleKind::TwoRound => "first places in the first round",
        RuleKind::RandomBallot => "first places, which are its chances",
        RuleKind::InstantRunoff => "first places among the last that stood, 0 of those dropped before",
        RuleKind::Approval => "ballots that approve of it",
        RuleKind::Score => "the sum of its scores",
        RuleKind::Borda => "on each ballot 1 for each alternative below it and 1/2 for each tied with it",
        RuleKind::Copeland => {
            "1 for each alternative that it beats, one against one, and 1/2 for each that it ties with"
        }
        RuleKind::Minimax => "its greatest defeat, one against one, below 0; 0 where nobody beats it",
        RuleKind::KemenyYoung => "pairs of opinions that agree with the best order that begins with it",
        RuleKind::Schulze
        | RuleKind::RankedPairs
        | RuleKind::Stv
        | RuleKind::AmendmentAgenda
        | RuleKind::Imposed
        | RuleKind::Mean
        | RuleKind::Median => "nothing",
    }
}

/// The points of an alternative, counted again from the ballots picked.
pub(super) fn work(
    picked: &Picked<'_>,
    (report, choice, told): (&TallyReport, &NamedChoice, Ratio),
) -> Worked {
    let arm = picked.arm();
    let names = |record: &&Record| match &record.event {
        Event::Voted { ballot, .. } => {
            let seat = record.seat.as_ref()?;
            Some(format!("{seat}: {}", ballot.told(ekklesia::domain::Language::En)))
        }
        _ => None,
    };
    let ballots: Vec<String> = picked.records.iter().filter_map(names).collect();
    let roll = Roll { base: report.base, amount_tolerance: 0 };
    let voted = elections(picked.records.iter().copied(), picked.case.facts, &roll);
    let counted = voted.elections.iter().find(|election| election.told.as_ref() == Some(report)).and_then(|election| {
        let terms = Terms { strength: arm.strength, runoff_ties: RunoffTies::Together, ..Terms::default() };
        recount(&election.ballots, &[report.rule], &terms).pop()?.ok()?.count.points
    });
    let place = arm.alternatives.iter().position(|name| *name == choice.alternative);
    let Some((Points { of, unit }, place)) = counted.zip(place) else {
        return Err("the ballots cannot be counted again".to_owned());
    };
    let rule = report.rule.as_str();
    let exact = if unit == 1 { String::new() } else { format!("{}/{unit} = ", of[place]) };
    real(Some(of[place] as f64 / unit as f64), "")
}
