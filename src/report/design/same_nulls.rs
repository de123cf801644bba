//! Null arms that are other arms under another name: what tells their arms apart does nothing in them.

use std::collections::{BTreeMap, BTreeSet};

use super::overruled::effective;
use crate::chance::Pairing;
use crate::domain::Digest;
use crate::plan::{Plan, Resolved, digest_of};

/// So many arms of one kind are told by name.
const TOLD: usize = 4;

/// A remark for each set of arms that give the same sessions, where a null is among them and they stand for arms that differ. A null
/// that is like the one arm that it stands beside is a finding, and no slip.
pub(super) fn same_nulls(resolved: &Resolved) -> Vec<String> {
    let identities = resolved.identities.iter().map(|(_, identity)| identity);
    let arms = resolved.experiment.arms.iter().zip(identities);
    let arms: Vec<(&Plan, Digest)> = arms.map(|(plan, of)| (&**plan, digest_of(&effective(plan, of)))).collect();
    let of_arm: BTreeMap<&str, &Digest> = arms.iter().map(|(plan, digest)| (plan.arm.as_str(), digest)).collect();
    let mut alike: BTreeMap<&Digest, Vec<usize>> = BTreeMap::new();
    for (place, (_, digest)) in arms.iter().enumerate() {
        alike.entry(digest).or_default().push(place);
    }
    let is_told = |set: &&Vec<usize>| {
        let stand_for = set.iter().map(|place| of_arm.get(arms[*place].0.drawn_as()));
        set.iter().any(|place| arms[*place].0.null.is_some()) && stand_for.collect::<BTreeSet<_>>().len() > 1
    };
    let mut sets: Vec<&Vec<usize>> = alike.values().filter(is_told).collect();
    sets.sort();
    sets.iter().map(|set| words(&set.iter().map(|place| arms[*place].0).collect::<Vec<_>>())).collect()
}

fn words(set: &[&Plan]) -> String {
    let mut told: Vec<String> = set.iter().take(TOLD).map(|plan| plan.arm.clone()).collect();
    let more = set.len().saturating_sub(TOLD);
    told.extend((more > 0).then(|| format!("{more} more")));
    let last = told.pop().unwrap_or_default();
    let same = match set[0].pairing {
        Pairing::CommonRandomNumbers => "the same sessions",
        Pairing::Independent => "the same sessions but for their draws",
    };
    format!(
        "design.nulls: {} and {last} give {same}, for what tells their arms apart does nothing in them: read them as one null",
        told.join(", ")
    )
}
