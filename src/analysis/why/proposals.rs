//! Selects the records that determine a proposal's fate.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::facts::{ArmFacts, OnFailing};
use crate::analysis::why::{RecordKind, RowReach, TracedRow};
use crate::domain::{Marked, Record, SeatName, Sign};

/// The indices of the records behind a cell about a proposal, in the order of the minutes: its own statement, and the later ones
/// within reach.
pub(super) fn list_records(
    reach: RowReach,
    (all, arm): (&[Record], &ArmFacts),
    row: &TracedRow,
    own: usize,
) -> Vec<usize> {
    let means = |place: &usize, counts: fn(Sign) -> bool| {
        let is_meant = |mark: &Marked| mark.of == Some(all[own].seq) && mark.ignored.is_none() && counts(mark.sign);
        all[*place].event.marks().iter().any(is_meant)
    };
    let later = own + 1..all.len();
    let mut found: BTreeSet<usize> = [own].into();
    match reach {
        RowReach::Reactions => {
            let reactions = later.filter(|place| means(place, |sign| matches!(sign, Sign::Support | Sign::Oppose)));
            let latest: BTreeMap<Option<&SeatName>, usize> =
                reactions.map(|place| (all[place].seat.as_ref(), place)).collect();
            found.extend(latest.into_values());
        }
        RowReach::Moves => {
            let moves = later.filter(|place| means(place, |sign| sign != Sign::Decision));
            // A settled proposal does not change.
            let settled = row.cell_number("status_seq").filter(|seq| *seq > all[own].seq.0);
            let until = settled.unwrap_or(u64::MAX);
            let limited = (0..all.len()).filter(|place| RecordKind::LimitedPhase.matches_record(&all[*place], arm));
            found.extend(
                list_exclusions(all, arm).chain(limited).chain(moves).filter(|place| all[*place].seq.0 <= until),
            );
        }
        _ => found.extend(later.into_iter().find(|place| means(place, |sign| sign == Sign::Proposal))),
    }
    found.into_iter().collect()
}

/// The indices of all answers to excluding tests by seats that failed one.
fn list_exclusions<'r>(all: &'r [Record], arm: &ArmFacts) -> impl Iterator<Item = usize> + use<'r> {
    let excludes = |record: &Record| {
        let phase = arm.find_phase(&record.at.phase);
        phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
    };
    let tests: Vec<usize> = (0..all.len())
        .filter(|place| RecordKind::Tested.matches_record(&all[*place], arm) && excludes(&all[*place]))
        .collect();
    let has_failed = |place: &usize| all[*place].test_result().is_none_or(|(_, passed)| !passed);
    let failed: BTreeSet<Option<&SeatName>> =
        tests.iter().filter(|place| has_failed(place)).map(|place| all[*place].seat.as_ref()).collect();
    tests.into_iter().filter(move |place| failed.contains(&all[*place].seat.as_ref()))
}
