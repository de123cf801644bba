//! Random protocols are checked, held, cut, flipped, forked and foreseen.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use super::told::{answered_at_random, check_changes};
use crate::fixtures::attended::flip_bytes;
use crate::fixtures::cli::{ekklesia, json_lines, text};
use crate::fixtures::protocol::{KINDS, MODELS, Protocol, SIMULATED, computing_protocol, protocol};
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{check_told_audiences, folded, go_on, kind, read, whole};
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Computed, Event, Faulted, PhaseSkipped, Record, Step, Verdict, order_by_group};
use ekklesia::minds::Mind;
use ekklesia::plan::Plan;
use proptest::prelude::*;
use serde_json::Value;

fn opened(records: &[Record]) -> Vec<&str> {
    let reached =
        |event: &Event| matches!(event, Event::PhaseOpened(_) | Event::PhaseSkipped(PhaseSkipped { block: None, .. }));
    let reading = order_by_group(records).into_iter();
    reading.filter(|record| reached(&record.event)).map(|record| record.at.phase.as_str()).collect()
}

/// What took place and was drawn at each coordinate, without the numbers of records and what seats remember.
fn list_draws(records: &[Record]) -> BTreeMap<String, String> {
    let mut drawn = BTreeMap::new();
    let is_memory = |record: &&Record| matches!(record.at.step, Step::Integration | Step::Compression);
    for record in records.iter().filter(|record| !is_memory(record)) {
        let what = match (&record.event, record.event.answered()) {
            (_, Some(answered)) => format!("{:?} of {:?}: {}", answered.values, answered.options, answered.raw),
            (Event::Faulted(Faulted { fault, options, raw, .. }), _) => format!("{fault:?} {options:?} {raw}"),
            (Event::Computed(_) | Event::Assigned(_) | Event::RoundOpened(_) | Event::Paid(_), _) => {
                format!("{:?}", record.event)
            }
            _ => continue,
        };
        let at = format!("{:?} {:?} {:?} {}", record.at, record.seat, record.attempt, kind(record));
        // What is computed for a group, its seats and the session are several records of one moment.
        let entry: &mut String = drawn.entry(at).or_default();
        entry.push_str(&what);
    }
    drawn
}

/// A count decides by default only what the plan names, and nothing before its last round; the last count of all has a decision.
fn check_defaults(plan: &Plan, records: &[Record]) {
    for record in records {
        let Some(report) = record.event.tallied() else { continue };
        let place = plan.agenda.iter().position(|phase| phase.name == record.at.phase).unwrap();
        let terms = plan.vote_terms(place);
        let default = terms.electorate.otherwise.filter(|_| terms.is_binding).map(|id| terms.motion.named(id.into()));
        if report.by_default {
            assert_eq!(report.decided, default);
        }
        if default.is_some() && plan.is_last_count((place, record.at.round), |pass| pass.of) {
            assert!(report.decided.is_some(), "{report:?}");
        }
    }
    let adjourned = records.last().and_then(|record| record.event.adjourned()).unwrap();
    assert!(adjourned.verdict != Verdict::ByDefault || adjourned.decided.is_some());
}

proptest! {
    #![proptest_config(law_cases(24))]

    #[test]
    fn a_random_protocol_is_held_and_goes_on_after_any_record(
        protocol in protocol(&KINDS, 4),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&protocol.write(place.path(), SIMULATED)).arms[0]);
        let records = whole(&plan, 1);
        let reached = opened(&records);
        prop_assert_eq!(reached.iter().collect::<BTreeSet<_>>().len(), reached.len(), "no phase is reached twice");
        let order: Vec<usize> = reached.iter().map(|name| plan.agenda.iter().position(|phase| phase.name.as_str() == *name).unwrap()).collect();
        prop_assert!(order.is_sorted(), "{reached:?}");
        check_told_audiences(&plan, 1, &records);
        check_defaults(&plan, &records);
        let never: Vec<String> = plan.find_unreachable().into_iter().flat_map(|part| part.phases).collect();
        let is_opened = |record: &&Record| record.event.is_phase_opened();
        for record in records.iter().filter(is_opened) {
            prop_assert!(!never.iter().any(|phase| record.at.phase.written() == phase), "{} takes place", record.at.phase);
        }
        for cut in cuts {
            let mut kept = records[..cut.index(records.len())].to_vec();
            let mut state = folded(&plan, 1, &kept);
            go_on(&mut state, &plan, &mut kept).unwrap();
            prop_assert_eq!(&kept, &records);
        }
    }

    #[test]
    fn no_value_of_a_random_protocol_is_missing_that_is_not_foreseen(protocol in computing_protocol()) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&protocol.write(place.path(), SIMULATED)).arms[0]);
        let foreseen = plan.find_missing_places().values;
        for record in (1..4).flat_map(|replicate| whole(&plan, replicate)) {
            let Some(Computed { name, values }) = record.event.computed() else { continue };
            let is_missing = values.iter().any(|(_, value)| value.is_none());
            prop_assert!(!is_missing || foreseen.contains(name), "{} is missing in {}", name, record.at.phase);
        }
    }

    #[test]
    fn an_answer_of_a_random_protocol_shows_itself_first_where_it_is_listed(
        protocol in protocol(&KINDS, 4),
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&protocol.write(place.path(), SIMULATED)).arms[0]);
        check_changes(&answered_at_random(&plan), 3);
    }

    #[test]
    fn a_random_protocol_of_models_was_foreseen(
        protocol in protocol(&KINDS[..12], 3),
    ) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&protocol.write(place.path(), MODELS)).arms[0]);
        assert_foreseen(&plan, 2, &Mind::Voter { copy_ppm: 400_000 });
    }

    #[test]
    fn further_draws_and_briefs_move_no_other_draw(protocol in protocol(&KINDS, 4)) {
        let draws = |is_extended: bool| {
            let place = tempfile::tempdir().unwrap();
            let written = Protocol { is_extended, ..protocol.clone() }.write(place.path(), SIMULATED);
            let plan = answered_at_random(&read(&written).arms[0]);
            (1..=2).map(|replicate| list_draws(&whole(&plan, replicate))).collect::<Vec<_>>()
        };
        for (few, many) in draws(false).iter().zip(&draws(true)) {
            for (at, what) in few {
                prop_assert_eq!(Some(what), many.get(at), "{}", at);
            }
        }
    }
}

proptest! {
    #![proptest_config(law_cases(5))]

    #[test]
    fn a_flipped_byte_of_a_random_protocol_is_named(protocol in protocol(&KINDS, 3)) {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&protocol.write(place.path(), SIMULATED)).arms[0]);
        let flipped = flip_bytes(&plan, 1, 41);
        prop_assert!(flipped.values().sum::<usize>() > 1);
    }

    #[test]
    fn a_random_protocol_is_forked_at_any_answer(
        protocol in protocol(&KINDS, 3),
        which in any::<prop::sample::Index>(),
    ) {
        let place = tempfile::tempdir().unwrap();
        let config = protocol.write(place.path(), SIMULATED);
        let parent = place.path().join("parent");
        ekklesia(&["run", text(&config), "--out", text(&parent)]).says(0, &[]);
        let session = parent.join("sessions/baseline-r000001");
        let minutes = json_lines(&session.join("minutes.jsonl"));
        let answers: Vec<&Value> = minutes
            .iter()
            .filter(|record| record["at"]["step"] == "ask" && !record["event"]["Answered"].is_null())
            .collect();
        prop_assume!(!answers.is_empty());
        let answer = answers[which.index(answers.len())];
        // A seat is in one group at a time.
        let phase = answer["at"]["phase"].as_str().unwrap().split('#').next();
        let at = serde_json::json!({ "seat": answer["seat"], "phase": phase });
        let change = serde_json::json!({ "at": at, "answer": answer["event"]["Answered"]["values"] });
        let (file, fork) = (place.path().join("change.yaml"), place.path().join("fork"));
        fs::write(&file, change.to_string()).unwrap();
        let told = ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&fork)]);
        told.says(0, &["all of them the parent's"]);
        let own = fork.join("sessions/baseline-r000001/minutes.jsonl");
        prop_assert!(fs::read(session.join("minutes.jsonl")).unwrap() == fs::read(own).unwrap());
    }
}
