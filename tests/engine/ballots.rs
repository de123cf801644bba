//! A seat's own ballot in expressions and texts: the option that it chose, or those that it approved or ranked.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole, write_agenda};
use ekklesia::domain::{Ballot, Briefing, Computed, Event, FieldValue, Record, Reply};
use ekklesia::plan::Plan;

const AGENDA: &str = "agenda:
  - name: loop
    repeat: { times: 2 }
    phases:
      - { name: pick, vote: { over: [red, tan], rule: plurality, tie_break: lot, binding: false } }
      - { name: rank, vote: { over: [x, y, z], rule: borda, tie_break: lot, binding: false } }
      - { name: chair, vote: { over: others, ballot: choice, rule: plurality, tie_break: lot, binding: false } }
      - { name: set, compute: { seat.colour: seat.pick.name, seat.best: \"seat.rank[0].name\", seat.ranked: count(seat.rank), seat.of: seat.chair.index } }
      - { name: told, brief: { text: \"You chose {{ seat.pick.label }} and {% for o in seat.rank %}{{ o.name }} {% endfor %}, {{ seat.chair.name }}.\" } }
      - { name: reds, who: \"seat.pick.name == 'red'\", ask: [ { id: sure, yes_no: {}, question: \"Is {{ seat.pick.name }} best?\" } ] }
  - { name: last, compute: { seat.final: seat.pick.name } }
  - { name: vote, vote: {} }
";

fn arm(agenda: &str) -> Arc<Plan> {
    let place = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write_agenda(place.path(), agenda, "")).arms[0])
}

/// What each seat chose in a phase; nothing of an invalid ballot.
fn chosen(records: &[Record], phase: &str) -> BTreeMap<String, Vec<String>> {
    let own = records.iter().filter(|record| record.at.phase.as_str() == phase);
    let ballot = own.filter_map(|record| {
        let named: Vec<String> = match record.reply()? {
            Reply::Choice(choice) => vec![choice.alternative.to_string()],
            Reply::Ballot(Ballot::Ranking(levels)) => levels.iter().flatten().map(ToString::to_string).collect(),
            _ => return None,
        };
        Some((record.seat.as_ref()?.to_string(), named))
    });
    ballot.collect()
}

/// The values that a variable of seats got in a phase.
fn computed(records: &[Record], phase: &str, variable: &str) -> BTreeMap<String, Option<String>> {
    let own = records.iter().filter(|record| record.at.phase.as_str() == phase);
    let values = own.filter_map(|record| match &record.event {
        Event::Computed(Computed { name, values }) if name == variable => Some(values),
        _ => None,
    });
    let word = |value: &FieldValue| match value {
        FieldValue::Words(words) => words.to_string(),
        other => format!("{other:?}"),
    };
    values.flat_map(|values| values.iter().map(|(seat, value)| (seat.unwrap().to_string(), value.map(word)))).collect()
}

#[test]
fn an_own_ballot_is_what_the_seat_chose_or_ranked_in_this_pass() {
    let plan = arm(AGENDA);
    for replicate in 1..=4 {
        let records = whole(&plan, replicate);
        for pass in 1..=2 {
            let (picked, ranked) =
                (chosen(&records, &format!("pick@{pass}")), chosen(&records, &format!("rank@{pass}")));
            for (name, ballots) in [("colour", &picked), ("best", &ranked)] {
                let values = computed(&records, &format!("set@{pass}"), name);
                assert_eq!(values.len(), 3, "{values:?}");
                for (seat, value) in values {
                    assert_eq!(value.as_ref(), ballots.get(&seat).map(|named| &named[0]), "{seat}");
                }
            }
            let told = records.iter().filter(|record| record.at.phase.as_str() == format!("told@{pass}"));
            for record in told {
                let Event::Briefed(Briefing { text, to, .. }) = &record.event else { continue };
                if let Some(named) = ranked.get(&to[0].to_string()) {
                    assert!(text.contains(&named.join(" ")), "{text}");
                }
                if let Some(named) = picked.get(&to[0].to_string()) {
                    assert!(text.contains(&format!("You chose {}", named[0])), "{text}");
                }
            }
            let asked = records.iter().filter(|record| record.at.phase.as_str() == format!("reds@{pass}"));
            let asked = asked.filter_map(|record| record.seat.as_ref().map(ToString::to_string));
            for seat in asked {
                assert_eq!(picked[&seat], ["red"]);
            }
        }
        assert_eq!(
            computed(&records, "last", "final"),
            computed(&records, "set@2", "colour"),
            "after the loop it is the last pass"
        );
    }
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn what_a_ballot_is_must_be_clear_and_others_ballots_are_private() {
    let first = "{ name: poll, vote: { over: [a, b], rule: plurality, tie_break: lot, binding: false } }";
    for (first, phase, message) in [
        ("{ name: poll, vote: {} }", "compute: { seat.x: seat.poll.name }", "write ballot: choice on the vote"),
        (
            "{ name: poll, vote: { over: [a, b], rule: score, tie_break: lot, binding: false } }",
            "compute: { seat.x: seat.poll.name }",
            "expressions cannot read scores and points",
        ),
        (
            first,
            "ask: [ { id: n, number: { min: 0, max: \"count(1 for s in group if s.poll.name == 'a')\" }, question: \"N?\" } ]",
            "a question may not depend on what other seats said",
        ),
        (first, "ask: [ { id: n, yes_no: {}, question: \"{{ others[0].poll.name }}?\" } ]", "poll"),
        (first, "ask: [ { id: n, yes_no: {}, question: \"{{ seat.poll.voters }}?\" } ]", "voters"),
        (first, "compute: { seat.x: seat.pol.name }", "poll"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let agenda = format!("agenda:\n  - {first}\n  - {{ name: then, {phase} }}\n  - {{ name: vote, vote: {{}} }}\n");
        ekklesia(&["check", text(&write_agenda(place.path(), &agenda, ""))]).says(2, &[message]);
    }
}
