//! Settings of minds that do nothing in any arm.

use crate::minds::{Mind, Opinionated, Rule, TraitValue};
use crate::plan::{PhaseKind, Plan, Resolved, Sitter};

const NOTHING: TraitValue = TraitValue::Fixed(0);
/// The attractor that is taken where none is written.
const BETWEEN: TraitValue = TraitValue::Fixed(500_000);

/// Says what the minds of arms that are no nulls have and never use.
pub(super) fn inert(resolved: &Resolved) -> Vec<String> {
    let own = || resolved.experiment.arms.iter().filter(|plan| plan.null.is_none());
    let minds: Vec<(&Plan, &Opinionated)> =
        own().flat_map(|plan| opinionated(plan).map(move |mind| (&**plan, mind))).collect();
    // Only where each seat that has a setting leaves it idle, for the levels of a factor may differ.
    let is_idle = |has: &dyn Fn(&Opinionated) -> bool, does_nothing: &dyn Fn(&Plan, &Opinionated) -> bool| {
        let mut having = minds.iter().filter(|(_, mind)| has(mind)).peekable();
        having.peek().is_some() && having.all(|(plan, mind)| does_nothing(plan, mind))
    };
    let told = [
        (
            is_idle(&has_attractor, &|_, mind| pull(mind) == Some(NOTHING)),
            "attractor of friedkin_johnsen has no effect: pull, the share that it has in the anchor, is 0; write one",
        ),
        (
            is_idle(&|mind| pull(mind).is_some_and(|pull| pull != NOTHING), &|_, mind| is_unanchored(mind)),
            "pull of friedkin_johnsen has no effect: stubbornness is 0, so no anchor holds",
        ),
        (
            is_idle(&|mind| mind.indifference.is_some(), &|plan, _| !plan.voting.may_abstain),
            "indifference has no effect: no seat may abstain; write decision.abstain: true",
        ),
        (
            is_idle(&|mind| matches!(mind.rule, Rule::SocialDecisionScheme(_)), &|plan, _| !talks(plan)),
            "social_decision_scheme votes as seats favour at first: it goes by positions that are heard, and nobody talks",
        ),
    ];
    told.into_iter().filter(|(is_idle, _)| *is_idle).map(|(_, words)| words.to_owned()).collect()
}

fn opinionated(plan: &Plan) -> impl Iterator<Item = &Opinionated> {
    plan.seats.iter().filter_map(|seat| match &seat.sitter {
        Sitter::Mind(Mind::Opinionated(mind)) => Some(mind),
        _ => None,
    })
}

fn has_attractor(mind: &Opinionated) -> bool {
    matches!(mind.rule, Rule::FriedkinJohnsen { attractor, .. } if attractor != BETWEEN)
}

fn pull(mind: &Opinionated) -> Option<TraitValue> {
    match mind.rule {
        Rule::FriedkinJohnsen { pull, .. } => Some(pull),
        _ => None,
    }
}

fn is_unanchored(mind: &Opinionated) -> bool {
    matches!(mind.rule, Rule::FriedkinJohnsen { stubbornness: NOTHING, .. })
}

fn talks(plan: &Plan) -> bool {
    plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Discussion(_)))
}
