//! Scenarios that say as little as possible, and the settings of single phases.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, whole, write_file};
use ekklesia::domain::{Event, Record};
use ekklesia::plan::Plan;

/// A talk of volunteers, a vote over options of its own and a question: no motion, no alternatives, no mind, no prompts.
const SCENARIO: &str = "scenario: clinic
agenda:
  - { name: welcome, brief: { text: How should the clinic cut waiting times? } }
  - name: weekly
    repeat: { times: 2 }
    phases:
      - { name: talk, discussion: { rounds: 2, order: volunteer, private_reasoning: true } }
      - { name: doubts, discussion: {} }
  - { name: prefer, vote: { over: [buses, bikes], question: What should the town buy? } }
  - { name: after, ask: [ { id: satisfied, scale: { from: 1, to: 7 }, question: How satisfied are you? } ] }
  - { name: sum, compute: { seat.twice: 2 * seat.satisfied } }
";

const CONFIG: &str = "experiment: bare
scenario: own
seed: 5
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 4, name: \"S{n}\" } ]
discussion: { rounds: 1 }
";

fn write(folder: &Path, scenario: &str, more: &str) -> PathBuf {
    write_file(folder, "own/scenario.yaml", scenario);
    write_file(folder, "config.yaml", format!("{CONFIG}{more}"))
}

/// The rounds of each discussion of a session, in order.
fn rounds(plan: &Arc<Plan>) -> Vec<(String, usize)> {
    let mut all: Vec<(String, usize)> = Vec::new();
    for Record { at, event, .. } in whole(plan, 1) {
        match event {
            Event::PhaseOpened(_) => all.push((at.phase.to_string(), 0)),
            Event::RoundOpened(_) => all.last_mut().unwrap().1 += 1,
            _ => {}
        }
    }
    all.retain(|(_, rounds)| *rounds > 0);
    all
}

#[test]
fn a_scenario_of_a_name_and_an_agenda_runs_is_cut_anywhere_and_replayed() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write(place.path(), SCENARIO, ""), place.path().join("out"));
    let plan = Arc::clone(&read(&config).arms[0]);
    let expected = [("talk@1", 2), ("doubts@1", 1), ("talk@2", 2), ("doubts@2", 1)];
    assert_eq!(rounds(&plan), expected.map(|(name, rounds)| (name.to_owned(), rounds)));
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    // The shares are those of the options that the vote is over.
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[" buses ", " bikes "]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let asked = ekklesia(&["check", text(&config), "--show", "S1:doubts@2"]);
    asked.says(0, &["say what you think, in your own words", "Reply in JSON: {\"statement\": \"…\"}"]);
    assert!(!asked.stdout.contains("The question:") && !asked.stdout.contains("stance"), "{}", asked.stdout);
    // The templates that were used are kept with the inputs.
    let kept = fs::read(out.join("inputs/scenario/prompts/en/statement.j2")).unwrap();
    assert_eq!(kept, fs::read("src/prompt/templates/en/statement.j2").unwrap());
}

#[test]
fn a_choice_without_alternatives_is_a_mistake_with_its_place() {
    let place = tempfile::tempdir().unwrap();
    let vote = SCENARIO.replace("{ over: [buses, bikes], question: What should the town buy? }", "{}");
    for (scenario, more, expected) in [
        (vote.as_str(), "", "agenda.prefer.vote: there is nothing to vote on"),
        (SCENARIO, "straw_polls: [before]\n", "straw_polls: there is nothing to poll"),
        (SCENARIO, "agenda: { prefer: { over: alternatives } }\n", "agenda.prefer.vote: there is nothing to vote on"),
        (
            &SCENARIO
                .replace(
                    "ask: [ { id: satisfied, scale: { from: 1, to: 7 }, question: How satisfied are you? } ]",
                    "ask: { ranking: {} }",
                )
                .replace("seat.twice: 2 * seat.satisfied", "one: 1"),
            "",
            "agenda.after.ask: this asks about alternatives",
        ),
    ] {
        ekklesia(&["check", text(&write(place.path(), scenario, more))]).says(2, &[expected]);
    }
    let config = write(place.path(), &format!("{SCENARIO}default_mind: {{ voter: {{}} }}\n"), "");
    ekklesia(&["check", text(&config)])
        .says(2, &["this mind favours one of the alternatives, and the scenario has none"]);
}

#[test]
fn settings_of_a_phase_are_overruled_in_a_config_an_arm_and_on_the_command_line() {
    let place = tempfile::tempdir().unwrap();
    let arms = "agenda:
  doubts: { rounds: 3 }
  weekly: { repeat: { times: 1 } }
  sum: { seat.twice: 3 * seat.satisfied }
design:
  factors:
    talk: { key: agenda.talk.rounds, levels: [0, 4] }
    scale: { key: agenda.after.satisfied.scale.to, levels: [5, 9] }
  baseline: { talk: 0, scale: 5 }
";
    let config = write(place.path(), SCENARIO, arms);
    let experiment = read(&config);
    let of_arms: Vec<_> = experiment.arms.iter().map(rounds).collect();
    let talk = |rounds| vec![("talk@1".to_owned(), rounds), ("doubts@1".to_owned(), 3)];
    assert_eq!(of_arms, [talk(0)[1..].to_vec(), talk(0)[1..].to_vec(), talk(4), talk(4)]);
    let digests: BTreeSet<String> = experiment.arms.iter().map(|plan| plan.digest.to_string()).collect();
    assert_eq!(digests.len(), 4);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--set", "agenda.doubts.rounds=2", "--out", text(&out)]).says(0, &[]);
    for row in csv::Reader::from_path(out.join("values.csv")).unwrap().deserialize().map(Result::unwrap) {
        let row: std::collections::BTreeMap<String, String> = row;
        let (scale, value): (i64, i64) = (row["arm"][2..].parse().unwrap(), row["value"].parse().unwrap());
        assert!((1..=scale).contains(&value), "{row:?}");
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn settings_of_what_the_agenda_does_not_have_are_mistakes_with_a_remedy() {
    let place = tempfile::tempdir().unwrap();
    for (setting, expected) in [
        ("{ tallk: { rounds: 1 } }", "did you mean \"talk\"?"),
        ("{ talk: { round: 1 } }", "did you mean \"rounds\"?"),
        ("{ talk: { rounds: -1 } }", "discussion.rounds: -1 is outside 0"),
        ("{ after: { satisfid: { scale: { to: 5 } } } }", "did you mean \"satisfied\"?"),
        ("{ sum: { seat.twicee: 1 } }", "did you mean \"seat.twice\"?"),
        ("{ weekly: { rounds: 1 } }", "a block has no setting of this name"),
        (
            "{ talk: { discussion: { rounds: 1 } } }",
            "the kind of a phase is left out in its settings: write agenda.talk.KEY",
        ),
    ] {
        let config = write(place.path(), SCENARIO, &format!("agenda: {setting}\n"));
        ekklesia(&["check", text(&config)]).says(2, &[expected]);
    }
}

#[test]
fn a_text_that_a_value_can_never_be_is_a_mistake() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own\nparameters: { net: { type: choice, choices: [ring, star], default: ring, help: Who hears whom } }
roles: { judge: { seats: 1 }, debater: { seats: 3 } }
agenda:
  - { name: pick, ask: [ { id: side, choice: { options: [taxed, free] }, question: Which? }, { id: why, text: { chars: [1, 9] }, question: Why? } ] }
  - { name: poll, vote: { over: [yes, no], rule: plurality, tie_break: lot, binding: false } }
  - { name: sides, assign: { camp: { roles: { left: 1, right: rest }, by: lot } } }
  - name: each
    for: { each: [park, bus], as: issue }
    phases: [ { name: told, who: VARIED, brief: { text: So. } } ]
";
    for (condition, meant) in [
        ("seat.side == \"taxd\"", "`seat.side` is never \"taxd\", only one of: taxed, free; did you mean `taxed`?"),
        ("\"fre\" != seat.side", "did you mean `free`?"),
        ("seat.role in [\"judge\", \"debator\"]", "did you mean `debater`?"),
        ("seat.camp != \"lefd\"", "did you mean `left`?"),
        ("issue == \"parc\"", "did you mean `park`?"),
        ("parameters.net == \"sta\"", "did you mean `star`?"),
        ("\"taxd\" in seats.side", "`seats.side` is never \"taxd\""),
        ("seat.side == \"S!\"", "`seat.side` is never \"S!\", only one of: taxed, free"),
        ("poll.winner.name == \"yess\"", "`poll.winner.name` is never \"yess\", only one of: yes, no"),
    ] {
        let config = write(place.path(), &scenario.replace("VARIED", &format!("'{condition}'")), "");
        ekklesia(&["check", text(&config)]).says(2, &[meant]);
        let right = condition
            .replace("taxd", "taxed")
            .replace("fre\"", "free\"")
            .replace("S!", "free")
            .replace("yess", "yes")
            .replace("debator", "debater");
        let right = right.replace("lefd", "left").replace("parc", "park").replace("sta\"", "star\"");
        let config = write(place.path(), &scenario.replace("VARIED", &format!("'{right}'")), "");
        ekklesia(&["check", text(&config)]).says(0, &[]);
    }
    let config = write(place.path(), &scenario.replace("VARIED", "'seat.why == \"anything\"'"), "");
    ekklesia(&["check", text(&config)]).says(0, &[]);
}

#[test]
fn an_expression_reads_the_truth_and_signals_and_a_question_only_the_own_signal() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
motion: { text: Which jar is it? }
alternatives: [ { name: red, label: Red }, { name: blue, label: Blue } ]
truth: { drawn: { red: 0.5, blue: 0.5 } }
signals: { accuracy: 0.7, text: \"You saw a {{ signal }} ball.\" }
agenda:
  - { name: guess, ask: [ { id: jar, choice: { options: [red, blue] }, question: \"QUESTION\" } ] }
  - { name: right, compute: { seat.hit: seat.jar == truth, seat.own: seat.jar == seat.signal, seat.honest: seat.signal == truth, jar_is: truth } }
  - { name: payment, pay: { seat: \"10 if seat.hit else 0\", unit: points } }
";
    let out = place.path().join("out");
    let config = write(place.path(), &scenario.replace("QUESTION", "Which? You saw {{ seat.signal }}."), "");
    let ruled = CONFIG.replace("{ model: sim }\n", "{ model: sim, mind: { rule: { jar: seat.signal } } }\n");
    fs::write(&config, ruled.replace("replicates: 3", "replicates: 20")).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let rows = rows(&out, "variables");
    let value = |name: &str, replicate: &str, seat: &str| {
        let row = rows.iter().find(|row| row["name"] == name && row["replicate"] == replicate && row["seat"] == seat);
        row.unwrap()["value"].clone()
    };
    let mut hits = 0;
    for session in rows.iter().filter(|row| row["name"] == "jar_is") {
        let truth = &session["value"];
        for row in rows.iter().filter(|row| row["name"] == "hit" && row["replicate"] == session["replicate"]) {
            let (replicate, seat) = (row["replicate"].as_str(), row["seat"].as_str());
            assert_eq!(value("own", replicate, seat), "yes", "a rule answers by its own signal");
            assert_eq!(
                row["value"],
                value("honest", replicate, seat),
                "the signal is right where it is the {truth} jar"
            );
            hits += usize::from(row["value"] == "yes");
        }
    }
    assert!((44..69).contains(&hits), "of 80 signals {hits} are right, and 56 are expected");
    for (question, told) in [
        ("Is it {{ jar_is }}?", "set only later"),
        ("Which?\", help: \"{{ others[0].signal }}", "cannot print another seat's signal"),
    ] {
        let config = write(place.path(), &scenario.replace("QUESTION", question), "");
        ekklesia(&["check", text(&config)]).says(2, &[told]);
    }
    let chosen = scenario
        .replace("{ name: payment, pay:", "{ name: payment, when: \"truth == 'red'\", who: seat.signal == truth, pay:");
    let told = ekklesia(&["check", "--json", text(&write(place.path(), &chosen.replace("QUESTION", "Which?"), ""))]);
    let design: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    let disclosed = design["arms"][0]["disclosures"].as_array().unwrap().iter();
    let of = |by: &str, name: &str| {
        let names =
            disclosed.clone().filter(|part| part["by"] == by).flat_map(|part| part["values"].as_array().unwrap());
        names.into_iter().any(|value| value["name"] == name)
    };
    assert!(of("when", "truth") && of("who", "truth") && of("who", "signal"), "{:#}", design["arms"][0]["disclosures"]);
    let early = scenario.replace("agenda:\n", "agenda:\n  - { name: known, compute: { jar_was: truth } }\n");
    let config = write(place.path(), &early.replace("QUESTION", "It is {{ jar_was }}."), "");
    ekklesia(&["check", text(&config)]).says(2, &["would show what is right"]);
}

#[test]
fn a_question_that_reads_its_own_answer_is_a_mistake() {
    let place = tempfile::tempdir().unwrap();
    let scenario = |field: &str| {
        format!(
            "scenario: own\nagenda:\n  - name: loop\n    repeat: {{ times: 2 }}\n    phases:\n      - {{ name: ask, ask: [ {{ id: g, {field} }} ] }}\n"
        )
    };
    for field in [
        "number: { min: 0, max: 10 }, question: \"You said {{ seat.g }}.\"",
        "number: { min: 0, max: \"10 - default(seat.g, 0)\" }, question: How many?",
    ] {
        let config = write(place.path(), &scenario(field), "");
        ekklesia(&["check", text(&config)]).says(2, &["`g` is answered only here", "previous(g)"]);
    }
    let twice = "scenario: own\nagenda:\n  - { name: first, ask: [ { id: g, number: { min: 0, max: 9 }, question: How many? } ] }\n  \
                 - { name: second, ask: [ { id: g, number: { min: 0, max: \"default(seat.FORM.g, 9)\" }, question: And now? } ] }\n";
    for (form, code) in [("first", 0), ("second", 2)] {
        ekklesia(&["check", text(&write(place.path(), &twice.replace("FORM", form), ""))]).says(code, &[]);
    }
    let earlier = "number: { min: 0, max: \"10 - default(previous(g), 0)\" }, question: How many?";
    ekklesia(&["check", text(&write(place.path(), &scenario(earlier), ""))]).says(0, &[]);
}

#[test]
fn a_rule_reads_the_seat_that_it_is_asked_about_and_what_a_brief_tells_of_others() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
agenda:
  - { name: give, ask: [ { id: c, number: { min: 0, max: 9 }, question: How many? }, { id: side, choice: { options: [taxed, free] }, question: Which? } ] }
  - { name: shown, brief: { text: \"{% for s in everyone %}{{ s.name }}: {{ s.c }}. {% endfor %}\" } }
  - { name: punish, ask: { per: others, form: [ { id: p, number: { min: 0, max: 9 }, question: \"And {{ target.name }}?\" } ] } }
";
    let ruled = |scenario: &str, rule: &str| {
        let config = write(place.path(), scenario, "");
        let mind = format!("{{ model: sim, mind: {{ rule: {{ {rule} }} }} }}\n");
        fs::write(&config, CONFIG.replace("{ model: sim }\n", &mind)).unwrap();
        config
    };
    let out = place.path().join("out");
    let config = ruled(scenario, "c: seat.index, p: 9 - target.c if target.c < seat.c else 0");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let values = rows(&out, "values");
    let number = |seat: &str| seat.trim_start_matches('S').parse::<u32>().unwrap();
    let mut punished = 0;
    for row in values.iter().filter(|row| row["field"] == "p") {
        let (own, target) = (number(&row["seat"]), number(&row["target"]));
        assert_eq!(row["value"], if target < own { 9 - target } else { 0 }.to_string(), "{own} about {target}");
        punished += 1;
    }
    assert_eq!(punished, 3 * 4 * 3);
    let untold = scenario.replace("{{ s.c }}", "");
    let some_told = scenario.replace("{{ s.c }}", "{% if s.side == 'free' %}{{ s.c }}{% endif %}");
    let (before, told) = scenario.split_once("  - { name: shown").unwrap();
    let (told, punish) = told.split_once('\n').unwrap();
    let told_later = format!("{before}{punish}  - {{ name: shown{told}\n");
    for scenario in [&some_told, &told_later] {
        ekklesia(&["check", text(&ruled(scenario, "p: target.c"))]).says(2, &["only what a brief tells them all"]);
    }
    for (scenario, rule, told) in [
        (untold.as_str(), "p: target.c", "only what a brief tells them all"),
        (scenario, "c: target.c", "`target`"),
        (scenario, "side: \"'b'\"", "\"b\" is no option, only: taxed, free"),
        (scenario, "side: \"'fre' if seat.index > 1 else draw_choice(['taxed', 'free'])\"", "did you mean `free`?"),
    ] {
        ekklesia(&["check", text(&ruled(scenario, rule))]).says(2, &[told]);
    }
}

#[test]
fn an_expression_reads_the_amount_that_a_vote_decided() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
motion: { text: How much? }
alternatives: [ { name: award, label: An award, takes_amount: true } ]
amount: { unit: dollars, min: 0, max: 900 }
decision: { rule: unanimity }
agenda:
  - { name: final, vote: { decides: true } }
  - { name: read, compute: { agreed: final.winner.amount, over: \"default(final.winner.amount, 0) - 100\" } }
";
    for (rule, agreed, over) in [("300 + 0", "300", "200"), ("100 * seat.index", "", "-100")] {
        let out = place.path().join(agreed);
        let config = write(place.path(), scenario, "");
        let mind = format!("{{ model: sim, mind: {{ rule: {{ final: {rule} }} }} }}\n");
        fs::write(&config, CONFIG.replace("{ model: sim }\n", &mind)).unwrap();
        ekklesia(&["run", text(&config), "--out", text(&out.join("out"))]).says(0, &[]);
        let out = out.join("out");
        assert!(rows(&out, "sessions").iter().all(|row| row["amount"] == agreed), "{rule}");
        for row in rows(&out, "variables") {
            assert_eq!(row["value"], if row["name"] == "agreed" { agreed } else { over }, "{rule}");
        }
    }
}

#[test]
fn a_text_that_prints_what_there_is_not_is_told_what_is_wrong() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
agenda:
  - { name: give, ask: [ { id: c, number: { min: 0, max: 9 }, question: How many? } ] }
  - { name: pick, vote: { over: [yes, no], rule: plurality, tie_break: lot, binding: false } }
  - { name: pairs, assign: { pair: { groups: { size: 2 }, by: lot } } }
  - { name: sums, compute: { mean_c: mean(everyone.c) } }
  - { name: apart, groups: pair, brief: { text: \"You. GROUP\" } }
  - { name: mark, ask: { per: others, form: [ { id: p, number: { min: 0, max: 9 }, question: \"{{ target.name }} QUESTION\" } ] } }
  - { name: told, brief: { text: \"So. BRIEF\" } }
";
    for (place_of, text_of, told) in [
        ("BRIEF", "{{ pick.winner.nane }}", "there is no pick.winner.nane"),
        ("BRIEF", "{% for s in everyone %}{{ loop.lst }}{% endfor %}", "there is no loop.lst"),
        ("GROUP", "{{ everyone }}", "write group"),
        ("QUESTION", "{{ target.c }}", "tell the rest in a brief before"),
    ] {
        let written = scenario.replace(place_of, text_of);
        ekklesia(&["check", text(&write(place.path(), &written, ""))]).says(2, &[told]);
    }
    let written = scenario.replace("BRIEF", "{{ mean_c | round(1) }}").replace("GROUP", "{{ group.number }}");
    ekklesia(&["check", text(&write(place.path(), &written, ""))]).says(0, &[]);
}
