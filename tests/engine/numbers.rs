//! Numbers of phases as expressions: over parameters when the plan is made, and the number of passes when a block begins.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_every_cut, read, whole, write_agenda};
use ekklesia::domain::{Computed, Event, Record};
use ekklesia::plan::Plan;

/// An agenda of which every number is an expression.
const NUMBERS: &str = "agenda:
  - name: loop
    repeat: { times: parameters.n - 1 }
    phases:
      - { name: talk, discussion: { rounds: parameters.n, speakers: parameters.n // 2, statement_min_length: 4 * parameters.n } }
  - name: form
    ask:
      - { id: scaled, scale: { from: 0 - parameters.n, to: 2 * parameters.n }, question: \"A?\" }
      - { id: score, score: { options: [a, b], max: 3 * parameters.n }, question: \"B?\" }
      - { id: shared, allocation: { options: [a, b], points: 10 * parameters.n }, question: \"C?\" }
      - { id: words, text: { chars: [parameters.n, 20 * parameters.n], count: [1, parameters.n] }, question: \"D?\" }
      - { id: exact, number: { min: 0, max: parameters.n, decimals: parameters.n - 1 }, question: \"E?\" }
  - { name: pairs, assign: { pair: { groups: { size: parameters.n }, by: lot, uneven: true }, job: { roles: { chief: parameters.n - 1, rest: rest }, by: lot } } }
  - { name: few, vote: { over: [x, y, z], ballot: ranking, rule: borda, tie_break: lot, top: parameters.n, winners: parameters.n } }
  - { name: spread, vote: { over: [x, y, z], ballot: allocation, rule: score, tie_break: lot, points: 7 * parameters.n } }
";

fn write(folder: &Path, agenda: &str, more: &str) -> std::path::PathBuf {
    let config = write_agenda(folder, agenda, more);
    let scenario = folder.join("own/scenario.yaml");
    let written = std::fs::read_to_string(&scenario).unwrap();
    std::fs::write(scenario, written.replace("\nparameters:", "\nparameters:\n  n: { type: int, default: 2 }"))
        .unwrap();
    config
}

fn plan(agenda: &str, more: &str) -> Arc<Plan> {
    let place = tempfile::tempdir().unwrap();
    Arc::clone(&read(&write(place.path(), agenda, more)).arms[0])
}

/// What the same agenda with numbers in the place of expressions is in the plan.
fn with_numbers(n: i64) -> String {
    let number = |text: &str| -> String {
        let of = |factor: i64| (factor * n).to_string();
        match text {
            "parameters.n" => of(1),
            "parameters.n - 1" => (n - 1).to_string(),
            "parameters.n // 2" => (n / 2).to_string(),
            "0 - parameters.n" => of(-1),
            _ => of(text.split(' ').next().unwrap().parse().unwrap()),
        }
    };
    let texts = [
        "parameters.n - 1",
        "parameters.n // 2",
        "0 - parameters.n",
        "4 * parameters.n",
        "20 * parameters.n",
        "2 * parameters.n",
        "3 * parameters.n",
        "10 * parameters.n",
        "7 * parameters.n",
        "parameters.n",
    ];
    // The bound of a number stays an expression of the plan.
    let bound = "max: parameters.n, decimals";
    let kept = NUMBERS.replace(bound, "max: BOUND, decimals");
    texts.iter().fold(kept, |agenda, text| agenda.replace(text, &number(text))).replace("BOUND", "parameters.n")
}

#[test]
fn an_expression_over_parameters_stands_for_its_number_in_every_arm() {
    for n in [2, 3] {
        let more = format!("parameters: {{ n: {n} }}\n");
        let (computed, written) = (plan(NUMBERS, &more), plan(&with_numbers(n), &more));
        let agenda = |plan: &Plan| serde_json::to_string(&plan.agenda).unwrap();
        assert_eq!(agenda(&computed), agenda(&written));
        assert_eq!(computed.digest, written.digest, "a session of the one is a session of the other");
    }
    let place = tempfile::tempdir().unwrap();
    let factor = "design: { factors: { size: { key: parameters.n, levels: [2, 3] } } }\n";
    let arms = read(&write(place.path(), NUMBERS, factor));
    let counts: Vec<usize> = arms.arms.iter().map(|arm| arm.agenda.len()).collect();
    assert_eq!(counts, [5, 6], "one pass and two");
}

#[test]
fn settings_of_phases_in_a_config_and_on_the_command_line_take_expressions() {
    let more = "agenda: { talk: { rounds: 2 * parameters.n } }\nparameters: { n: 3 }\n";
    let plan = plan(NUMBERS, more);
    let ekklesia::plan::PhaseKind::Discussion(talk) = &plan.agenda[0].kind else { panic!("a talk") };
    assert_eq!(talk.rounds.get(), 6);
    let place = tempfile::tempdir().unwrap();
    let config = write(place.path(), NUMBERS, "");
    ekklesia(&["check", text(&config), "--set", "agenda.talk.rounds=parameters.n + 1"])
        .says(0, &["talk: talk, 3 rounds"]);
}

fn passes(records: &[Record], block: &str) -> usize {
    let of_block = |record: &&Record| record.at.phase.as_str().starts_with(&format!("{block}@"));
    let opened = records.iter().filter(of_block).filter(|record| record.event.is_phase_opened());
    opened.count()
}

#[test]
fn a_number_of_passes_that_reads_the_session_is_found_when_the_block_begins() {
    let agenda = "agenda:
  - { name: survey, ask: [ { id: n, number: { min: 0, max: 5 }, question: \"How many?\" } ] }
  - { name: sum, compute: { n_all: \"max(everyone.n) - 1\" } }
  - name: loop
    repeat: { times: n_all, max: 3 }
    phases:
      - { name: step, when: \"not pass.last or pass.first\", brief: { text: \"Step {{ pass.number }}.\" } }
  - { name: vote, vote: {} }
";
    let plan = plan(agenda, "");
    let mut found = BTreeSet::new();
    for replicate in 1..=12 {
        let records = whole(&plan, replicate);
        let computed = records.iter().find_map(|record| match &record.event {
            Event::Computed(Computed { values, .. }) => serde_json::to_value(values).ok(),
            _ => None,
        });
        let times =
            computed.unwrap().to_string().chars().filter(|c| c.is_ascii_digit() || *c == '-').collect::<String>();
        let times: i64 = times.parse().unwrap_or(0);
        let expected = match times.clamp(0, 3) {
            0 => 0,
            1 => 1,
            // The last pass leaves its only phase out.
            more => more - 1,
        };
        assert_eq!(passes(&records, "step") as i64, expected, "{times}");
        found.insert(expected);
    }
    assert!(found.len() > 1, "{found:?}");
    check_every_cut(&plan, 1, &whole(&plan, 1));
}

#[test]
fn numbers_that_are_not_known_in_time_are_mistakes_with_a_way_out() {
    for (phase, messages) in [
        ("discussion: { rounds: other }", ["it may read only parameters", "until: round >= EXPRESSION"]),
        ("discussion: { rounds: parameters.m }", ["no parameter \"m\"", "known here: n"]),
        ("discussion: { rounds: parameters.n / 4 }", ["no whole number", "talk.discussion.rounds"]),
        ("discussion: { rounds: 3 + }", ["talk.discussion.rounds", "`3 +`"]),
        ("discussion: { speakers: 0 - parameters.n }", ["-2 is outside 1 … 10000", "talk.discussion.speakers"]),
        (
            "repeat: { times: other }, phases: [ { name: b, brief: { text: B } } ]",
            ["it may read only parameters", "max: N"],
        ),
        (
            "repeat: { times: 3, max: 4 }, phases: [ { name: b, brief: { text: B } } ]",
            ["by times, or by until with max", "talk.repeat"],
        ),
        (
            "repeat: { times: other + 1, max: 4 }, phases: [ { name: b, brief: { text: B } } ]",
            ["other", "talk.repeat.times"],
        ),
        (
            "vote: { over: [a, b], rule: borda, tie_break: lot, winners: talk.decided }",
            ["it may read only parameters", "winners"],
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let config = write(
            place.path(),
            &format!("agenda:\n  - {{ name: talk, {phase} }}\n  - {{ name: vote, vote: {{}} }}\n"),
            "",
        );
        ekklesia(&["check", text(&config)]).says(2, &messages);
    }
}

#[test]
fn shares_and_weights_of_a_vote_take_expressions() {
    let vote = |threshold: &str, quorum: &str, weight: &str| {
        format!(
            "agenda:\n  - {{ name: last, vote: {{ over: [x, y, z], rule: supermajority, threshold: {threshold}, quorum: {quorum}, weights: {{ Ann: {weight} }} }} }}\n"
        )
    };
    for (computed, written) in [
        (vote("(parameters.n + 1) / 5", "1 / parameters.n", "2 * parameters.n"), vote("3/5", "1/2", "4")),
        (vote("\"max(0.6, 2/3)\"", "0.25 * parameters.n", "parameters.n - 1"), vote("2/3", "1/2", "1")),
    ] {
        assert_eq!(plan(&computed, "").digest, plan(&written, "").digest, "{computed}");
    }
    let place = tempfile::tempdir().unwrap();
    for (agenda, expected) in [
        (vote("parameters.m", "1/2", "1"), "the scenario declares no parameter \"m\""),
        (vote("parameters.n", "1/2", "1"), "a supermajority is more than 1/2 and at most 1"),
        (vote("2/3", "parameters.n > 1", "1"), "expected a ratio as in 2/3, a decimal as in 0.75, or an expression"),
        (vote("2/3", "everyone.x", "1"), "it may read only parameters"),
        (vote("2/3", "1/2", "parameters.n / 4"), "0.5 is no whole number"),
    ] {
        ekklesia(&["check", text(&write(place.path(), &agenda, ""))]).says(2, &[expected, "agenda.last.vote."]);
    }
}

#[test]
fn a_setting_takes_the_place_of_one_that_cannot_stand_beside_it() {
    let agenda = "agenda:
  - name: loop
    repeat: { until: done, max: 4 }
    phases: [ { name: step, compute: { done: pass.number > 2 } } ]
  - { name: form, ask: [ { id: a, number: { min: 0, max: 10 }, question: \"A?\" } ] }
  - { name: few, vote: { over: [x, y, z], rule: approval, tie_break: lot, winners: 2, question: \"B?\" } }
";
    let place = tempfile::tempdir().unwrap();
    let phases = |more: &str| -> Vec<Vec<String>> {
        let arms = &read(&write(place.path(), agenda, more)).arms;
        arms.iter().map(|arm| arm.agenda.iter().map(|phase| phase.name.to_string()).collect()).collect()
    };
    let passes = |more: &str| -> Vec<usize> {
        let of_arm = |names: &Vec<String>| names.iter().filter(|name| name.starts_with("step@")).count();
        phases(more).iter().map(of_arm).collect()
    };
    assert_eq!(passes("agenda: { loop: { repeat: { times: 2 } } }\n"), [2]);
    assert_eq!(passes("agenda: { loop: { repeat: { max: 3 } } }\n"), [3]);
    assert_eq!(passes("agenda: { loop: { repeat: { times: \"parameters.n + 1\" } } }\n"), [3]);
    let levels = "{ a: { times: 1 }, b: { until: done, max: 3 } }";
    for (key, levels, expected) in
        [("agenda.loop.repeat.times", "[1, 2]", [1, 2]), ("agenda.loop.repeat", levels, [1, 3])]
    {
        let more = format!("design: {{ factors: {{ f: {{ key: {key}, levels: {levels} }} }} }}\n");
        assert_eq!(passes(&more), expected, "{key}");
        let above = format!("agenda: {{ loop: {{ repeat: {{ until: done, max: 2 }} }} }}\n{more}");
        assert_eq!(passes(&above), expected, "{key} over settings of the config");
    }
    let kinds = "agenda: { form: { a: { scale: { from: 1, to: 5 } } }, few: { budget: 4, costs: { x: 1, y: 2, z: 3 } }, loop: { for: { each: [s, t] } } }\n";
    assert_eq!(phases(kinds), [["step@s", "step@t", "form", "few"]]);
    for (both, expected) in [
        ("loop: { repeat: { times: 2, until: done, max: 3 } }", "a block is repeated by times, or by until with max"),
        ("form: { a: { scale: { from: 1, to: 5 }, yes_no: {} } }", "a field is exactly one of"),
        ("few: { winners: 1, budget: 4, costs: { x: 1, y: 2, z: 3 } }", "write winners or budget"),
    ] {
        let config = write(place.path(), agenda, &format!("agenda: {{ {both} }}\n"));
        ekklesia(&["check", text(&config)]).says(2, &[expected]);
    }
}
