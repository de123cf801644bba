//! What seats are told follows from nothing but what `check` lists: if one answer had been another, whatever else changes first is listed
//! as a disclosure of that answer.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{folded, go_on, kind, read, repository, whole};
use ekklesia::domain::{Briefing, Event, LoopEnded, PhaseSkipped, Record, Step, order_by_group};
use ekklesia::minds::Mind;
use ekklesia::plan::{ArmPlan, DisclosedValue, ITSELF, Phase, PhaseDisclosure, PhaseKind, Plan, Seat, Sitter};
use serde_json::Value;

/// The plan with seats that answer at random, whatever they are shown.
pub fn answered_at_random(plan: &Plan) -> Arc<Plan> {
    let seat =
        |seat: &Seat| Seat { sitter: Sitter::Mind(Mind::Random { malformed_ppm: 0, abstain_ppm: 0 }), ..seat.clone() };
    let shared = ArmPlan { seats: plan.seats.iter().map(seat).collect(), ..(*plan.shared).clone() };
    Arc::new(Plan { shared: Arc::new(shared), ..plan.clone() })
}

/// The answers to forms that may be changed: the position of the record, the field, and another answer to it.
fn list_changes(records: &[Record]) -> Vec<(usize, String, Value)> {
    let values = |record: &Record| {
        let answered = record.event.answered().filter(|_| record.at.step.as_str() == "ask")?;
        serde_json::to_value(&answered.values).unwrap().as_object().cloned()
    };
    let all: Vec<(usize, serde_json::Map<String, Value>)> =
        records.iter().enumerate().filter_map(|(place, record)| Some((place, values(record)?))).collect();
    let mut changes = Vec::new();
    for (place, own) in &all {
        for (field, value) in own.iter().filter(|(_, value)| !value.is_null()) {
            let phase = records[*place].at.phase.written();
            let others = all.iter().filter(|(other, _)| records[*other].at.phase.written() == phase);
            let mut others = others.filter_map(|(_, values)| values.get(field)).filter(|other| !other.is_null());
            if let Some(other) = others.find(|other| *other != value) {
                changes.push((*place, field.clone(), other.clone()));
            }
        }
    }
    changes
}

/// The record with another answer to a field.
fn change_answer(record: &Record, field: &str, value: &Value) -> Record {
    fn put(tree: &mut Value, field: &str, value: &Value) {
        let Some(entries) = tree.as_object_mut() else { return };
        if let Some(values) = entries.get_mut("values").and_then(Value::as_object_mut) {
            values.insert(field.to_owned(), value.clone());
            return;
        }
        entries.values_mut().for_each(|inner| put(inner, field, value));
    }
    let mut tree = serde_json::to_value(record).unwrap();
    put(&mut tree, field, value);
    serde_json::from_value(tree).unwrap()
}

/// What a record shows beside the state of the session: whether it is heard by a seat, or something takes place.
fn is_outward(record: &Record) -> bool {
    let is_inner = matches!(record.event, Event::Computed(_) | Event::RoundClosed(_) | Event::Reminded(_));
    // What a seat is asked about its own memory follows from what it has been told.
    !is_inner && !matches!(record.at.step, Step::Integration | Step::Compression)
}

/// Whether a record says for whom something is computed, or that it is not: no seat is told.
fn opens_computation(plan: &Plan, record: &Record) -> bool {
    let is_opening =
        matches!(&record.event, Event::PhaseOpened(_) | Event::PhaseSkipped(PhaseSkipped { block: None, .. }));
    let is_computed = |phase: &Phase| phase.name == record.at.phase && matches!(phase.kind, PhaseKind::Compute(_));
    is_opening && plan.agenda.iter().any(is_computed)
}

/// Whether two events show the same. How much of its memory a seat was shown with a question is no matter.
fn is_same_event(one: &Event, other: &Event) -> bool {
    match (one.answered(), other.answered()) {
        (Some(one), Some(other)) => {
            (&one.values, &one.options, &one.raw) == (&other.values, &other.options, &other.raw)
        }
        _ => one == other,
    }
}

/// The values that a disclosed value tells of: its own name without its parts, and what it is computed from.
fn bases(value: &DisclosedValue) -> BTreeSet<&str> {
    let name = value.name.strip_prefix("ballot in ").unwrap_or(&value.name);
    let base = name.split('.').next().unwrap_or(name);
    std::iter::once(base).chain(value.computed_from.iter().map(String::as_str)).collect()
}

/// Whether a change of a field that shows itself first in this record is listed.
fn is_listed(plan: &Plan, listed: &[PhaseDisclosure], changed: &BTreeSet<String>, of: &Record) -> bool {
    let Some(phase) = plan.agenda.iter().find(|phase| phase.name == of.at.phase) else { return false };
    let mut parts: BTreeSet<String> = phase.within.iter().map(|block| plan.blocks[*block].name.clone()).collect();
    parts.insert(phase.name.written().to_owned());
    // A loop that ends, or a block that is left out, shows itself at what comes next.
    if let Event::PhaseSkipped(PhaseSkipped { block: Some(block), .. }) | Event::LoopEnded(LoopEnded { block }) =
        &of.event
    {
        parts.insert(block.clone());
    }
    for other in &plan.agenda {
        if let (PhaseKind::Assign(rules), Some(group)) = (&other.kind, &phase.group)
            && rules.iter().any(|rule| rule.name == group.assignment)
        {
            parts.insert(other.name.written().to_owned());
        }
    }
    listed.iter().filter(|disclosure| parts.contains(&disclosure.phase)).any(|disclosure| {
        disclosure.values.iter().any(|value| {
            // The answer is another seat's than the one that is told.
            let is_of_reader = value.of.as_deref() == Some(ITSELF) && value.computed_from.is_empty();
            !is_of_reader && bases(value).iter().any(|base| changed.contains(*base))
        })
    })
}

/// Changes answers of a session of this plan, one at a time, and follows it from there.
pub fn check_changes(plan: &Arc<Plan>, sample: usize) -> usize {
    let listed = plan.list_disclosures();
    let records = whole(plan, 1);
    let mut shown = 0;
    for (place, field, value) in sample_cases(list_changes(&records), sample) {
        let mut kept = records[..=place].to_vec();
        kept[place] = change_answer(&records[place], &field, &value);
        let mut state = folded(plan, 1, &kept);
        // A bound or a number of passes may have no value now.
        if go_on(&mut state, plan, &mut kept).is_err() {
            continue;
        }
        // The answer about a seat has its number behind the name of the field.
        let about = field.rsplit_once('_').filter(|(_, number)| number.parse::<u32>().is_ok());
        let written = about.map_or(field.as_str(), |(name, _)| name);
        let mut changed = BTreeSet::from([field.clone(), written.to_owned()]);
        for phase in &plan.agenda {
            let PhaseKind::Form(form) = &phase.kind else { continue };
            let position = form.asked.form.fields.iter().position(|own| own.id == written);
            changed.extend(form.kept.iter().filter(|kept| Some(kept.field) == position).map(|kept| kept.name.clone()));
        }
        // What a seat is told alone of its own answer is no news to it, and is not listed.
        let is_told_itself = |record: &&Record| matches!(&record.event, Event::Briefed(Briefing { to, .. }) if records[place].seat.iter().eq(to));
        let outward = |all: &[Record]| {
            // What one group does sooner or later changes only the order of the records of groups.
            let later = order_by_group(all).into_iter().filter(|record| record.seq.0 > records[place].seq.0);
            let shown = later.filter(|record| is_outward(record) && !opens_computation(plan, record));
            shown.filter(|record| !is_told_itself(record)).cloned().collect::<Vec<_>>()
        };
        let (before, after) = (outward(&records), outward(&kept));
        let is_same = |(one, other): &(&Record, &Record)| one.at == other.at && is_same_event(&one.event, &other.event);
        let Some((one, other)) = before.iter().zip(&after).find(|pair| !is_same(pair)) else { continue };
        shown += 1;
        // Where one record is left out, the earlier of the two is the one that is new.
        let is_told = is_listed(plan, &listed, &changed, one) || is_listed(plan, &listed, &changed, other);
        assert!(
            is_told,
            "{field} of {:?} in {} changes {} ({:?}) into {} ({:?}), and no disclosure says so: {listed:#?}",
            records[place].seat,
            records[place].at.phase,
            kind(one),
            one,
            kind(other),
            other
        );
    }
    shown
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn in_shipped_designs_an_answer_shows_itself_first_where_it_is_listed() {
    let mut shown = 0;
    for config in [
        "public_goods",
        "group_statement",
        "nominal_group",
        "delphi",
        "trust",
        "werewolf",
        "beauty_contest",
        "deliberative_poll",
        "wason",
        "parliament",
        "participatory_budget",
        "conformity_series",
        "code_review",
        "polarisation",
        "multiagent_debate",
    ] {
        let experiment = read(&repository().join(format!("configs/{config}.yaml")));
        for plan in experiment.arms.iter().filter(|plan| plan.null.is_none()).take(2) {
            shown += check_changes(&answered_at_random(plan), 7);
        }
    }
    assert!(shown > 20, "{shown} changes showed themselves");
}
