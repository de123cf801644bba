//! What is to be known of who speaks, and of who is heard.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::williams_rows;
use crate::mechanism::Mechanism;
use crate::plan::{Discussion, PhaseKind, Plan, RoundVotes, SpeakingOrder};

fn talks(plan: &Plan) -> impl Iterator<Item = &Discussion> {
    plan.agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Discussion(talk) => Some(talk),
        _ => None,
    })
}

/// Squares of orders that are not whole, by the rounds that they would take.
pub(super) fn broken_squares(arms: &[Arc<Plan>]) -> Vec<String> {
    let mut broken: BTreeMap<(usize, u32), &str> = BTreeMap::new();
    for plan in arms {
        let rows = williams_rows(plan.seats.len()) as u32;
        let cut = talks(plan).filter(|talk| talk.order == SpeakingOrder::Williams);
        for talk in cut.filter(|talk| !talk.rounds.get().is_multiple_of(rows)) {
            broken.entry((plan.seats.len(), talk.rounds.get())).or_insert(&plan.arm);
        }
    }
    let told = broken.into_iter().map(|((seats, rounds), arm)| {
        let rows = williams_rows(seats);
        format!(
            "discussion.order: a Williams square of {seats} seats has {rows} rows and the talk of {arm} {rounds} rounds: who speaks \
             where, and after whom, is balanced over {rows} rounds, or a multiple of them, alone"
        )
    });
    told.collect()
}

/// Arms that hear another group and are still told what their own came to.
pub(super) fn own_counts(arms: &[Arc<Plan>]) -> Vec<String> {
    let mut told: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for plan in arms.iter().filter(|plan| plan.lender.is_some()) {
        let own = own_of(plan);
        if !own.is_empty() {
            told.entry(own.join(" and ")).or_default().push(&plan.arm);
        }
    }
    let words = told.into_iter().map(|(own, arms)| {
        let (hear, their) = match arms.as_slice() {
            [arm] => (format!("{arm} hears"), "its"),
            [first, others @ ..] => (format!("{first} and {} more hear", others.len()), "their"),
            [] => (String::new(), ""),
        };
        format!("{hear} the statements of another group and {own} of {their} own, which is no other group's doing")
    });
    words.collect()
}

/// That models answer the poll before the talk anew in nulls that ask them.
pub(super) fn first_opinions_anew(arms: &[Arc<Plan>]) -> Option<String> {
    let asks = |plan: &&Arc<Plan>| plan.null.is_some() && plan.models_asked().next().is_some();
    let first = arms.iter().find(asks)?;
    Some(format!(
        "design.nulls: models answer anew before the talk in {} and in every null that asks them: who sits there, lots and orders are \
         those of the arm, its first opinions are not",
        first.arm
    ))
}

/// What the seats of a plan are told in its rounds that is no statement.
fn own_of(plan: &Plan) -> Vec<&'static str> {
    let polls = talks(plan).any(|talk| talk.poll_told).then_some("the polls");
    let votes = talks(plan).any(|talk| talk.votes != RoundVotes::Never).then_some("the votes");
    let harvests = matches!(plan.mechanism, Some(Mechanism::Commons(_))).then_some("the harvests");
    [polls, votes, harvests].into_iter().flatten().collect()
}
