//! What was right, and what seats were told of it alone, in words: the truth, signals and facts of a case. The words that they were told
//! are inputs, and stand in the record.

use std::fmt::Write as _;

use super::words::{WROTE, code, count, list, millionths};
use crate::plan::{Evidence, Plan, SharedFacts, TruthRule};

/// The case of an arm; empty where nobody is told anything of one and nothing is right.
pub(super) fn put_evidence(out: &mut String, plan: &Plan) {
    let Some(evidence) = plan.evidence.as_deref() else { return };
    let said = [evidence.truth.as_ref().map(|truth| right(truth, plan)), signals(evidence), facts(evidence)];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if !said.is_empty() {
        writeln!(out, "\n{}", said.join(" ")).expect(WROTE);
    }
}

fn right(truth: &TruthRule, plan: &Plan) -> String {
    let name = |place: usize| code(plan.motion.alternatives[place].name.as_str());
    match truth {
        TruthRule::Alternative(id) => {
            format!("{} was right in every session, and no seat knew it.", name(id.index()))
        }
        TruthRule::Amount(amount) => {
            let unit = plan.motion.unit.as_deref().map_or(String::new(), |unit| format!(" {}", code(unit)));
            format!(
                "The right amount was {amount}{unit} in every session, and no seat knew it; `correct` is 1 for an amount {}.",
                correct_amounts(plan)
            )
        }
        TruthRule::Drawn(shares) => {
            let shares = shares.iter().enumerate();
            let shares: Vec<String> =
                shares.map(|(place, share)| format!("{} ({})", name(place), millionths(i64::from(*share)))).collect();
            format!(
                "Which alternative was right was drawn for each replicate, with the probabilities {}; no seat was told.",
                list(&shares)
            )
        }
    }
}

/// Which amounts count as right.
pub(super) fn correct_amounts(plan: &Plan) -> String {
    match plan.correct_within_ppm {
        0 => "that is exactly right".to_owned(),
        ppm => format!("that misses the right one by at most the share {} of it", millionths(i64::from(ppm))),
    }
}

fn signals(evidence: &Evidence) -> Option<String> {
    let accuracy = millionths(i64::from(evidence.signals.as_ref()?.accuracy_ppm));
    Some(format!(
        "Before anything was said every seat was told alone to which alternative its own evidence points: with probability {accuracy} to the \
         right one, else to one of the others, each as likely, drawn for each seat and replicate."
    ))
}

fn facts(evidence: &Evidence) -> Option<String> {
    let all = evidence.facts.len();
    if all == 0 {
        return None;
    }
    let ids = |places: &[usize]| -> Vec<String> {
        places.iter().filter_map(|place| Some(code(evidence.facts.get(*place)?.id.as_str()))).collect()
    };
    let (shared, which) = match &evidence.shared {
        SharedFacts::Named(places) => (places.len(), format!(" ({})", list(&ids(places)))),
        SharedFacts::Count(count) => ((*count as usize).min(all), ", drawn for each replicate,".to_owned()),
    };
    let each = format!(
        "told to {} alone, drawn for each replicate so that no seat had two more of them than another",
        count(evidence.held_by.into(), "seat")
    );
    let known = match shared {
        0 => format!("each was {each}"),
        shared if shared >= all => "every seat was told all of them".to_owned(),
        shared => format!("{shared}{which} were told to every seat, and each of the others was {each}"),
    };
    let withheld: Vec<String> = evidence.withheld.iter().map(|id| code(id.as_str())).collect();
    let withheld = match withheld.as_slice() {
        [] => String::new(),
        ids => format!(" Nobody was told {}, whoever would have been.", list(ids)),
    };
    Some(format!(
        "There were {} of the case, which a statement cites by their ids: {known}.{withheld}",
        count(all as u64, "fact")
    ))
}
