//! Phases that `check` says never take place, and why. The law that none of them is ever held is with the random protocols.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, write_file};
use serde_json::Value;

/// Writes an agenda as a scenario of its own, and a config of four simulated seats.
fn write(place: &Path, agenda: &str, more: &str) -> std::path::PathBuf {
    let scenario = format!(
        "scenario: own\nparameters: {{ on: {{ type: bool, default: false }}, n: {{ type: int, default: 2 }} }}\nagenda:\n{agenda}\n"
    );
    fs::write(place.join("scenario.yaml"), scenario).unwrap();
    let body = format!(
        "experiment: t\nscenario: .\nseed: 1\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n\
         seats: [ {{ count: 4 }} ]\n{more}"
    );
    write_file(place, "config.yaml", body)
}

const ASK: &str = "  - { name: a, ask: [ { id: x, number: { min: 0, max: 9 }, question: How many? } ] }\n";

/// What is said of an agenda that begins with a question for a number, x.
fn told(agenda: &str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let experiment = read(&write(place.path(), &format!("{ASK}{agenda}"), ""));
    experiment.arms[0].find_unreachable().into_iter().map(|part| part.message).collect()
}

#[test]
fn what_parameters_passes_and_order_leave_out_is_told_with_the_reason() {
    let brief = |name: &str, more: &str| format!("  - {{ name: {name}, {more}brief: {{ text: Hear. }} }}\n");
    let block = |more: &str| {
        format!(
            "  - name: loop\n    {more}\n    phases: [ {{ name: b, brief: {{ text: B. }} }}, {{ name: c, brief: {{ text: C. }} }} ]\n"
        )
    };
    let groups = |when: &str| {
        format!(
            "  - {{ name: match, when: {when}, assign: {{ team: {{ groups: {{ size: 2 }}, by: lot }} }} }}\n  - name: play\n    groups: \
             team\n    phases: [ {{ name: b, discussion: {{}} }} ]\n"
        )
    };
    let cases: [(String, &[&str]); 23] = [
        (brief("b", ""), &[]),
        (brief("b", "when: parameters.on, "), &["b never takes place: its when `parameters.on` is never true"]),
        (brief("b", "when: parameters.n == 2, "), &[]),
        (brief("b", "when: 1 > 2 and mean(everyone.x) > 3, "), &["b never takes place: its when `1 > 2 and mean(everyone.x) > 3` is never true"]),
        (brief("b", "when: mean(everyone.x) > 3 and 1 > 2, "), &["b never takes place: its when `mean(everyone.x) > 3 and 1 > 2` is never true"]),
        (brief("b", "when: 1 > 2 or mean(everyone.x) > 3, "), &[]),
        (brief("b", "when: not (1 < 2 or mean(everyone.x) > 3), "), &["b never takes place: its when `not (1 < 2 or mean(everyone.x) > 3)` is never true"]),
        (brief("b", "when: mean(everyone.x) > 30, "), &[]),
        (brief("b", "who: seat.index > 4, "), &["b never takes place: who `seat.index > 4` selects nobody"]),
        (brief("b", "who: seat.index > parameters.n, "), &[]),
        (brief("b", "who: seat.x > 3, "), &[]),
        (block("when: parameters.n > 2"), &["b, c never take place: the when `parameters.n > 2` of the block loop is never true"]),
        (block("repeat: { times: parameters.n - 2, max: 3 }"), &["b, c never take place: the block loop has 0 passes"]),
        (block("repeat: { times: \"sum(everyone.x)\", max: 3 }"), &[]),
        (block("repeat: { until: parameters.n == 2, max: 3 }"), &["c never takes place: the block loop ends after b, where its until `parameters.n == 2` is always true"]),
        (block("repeat: { until: pass.number > 1, max: 3 }"), &[]),
        (
            "  - { name: loop, repeat: { until: pass.number == 1, max: 3 }, phases: [ { name: b, brief: { text: B. } } ] }\n".to_owned(),
            &["loop never repeats: the block loop ends after b, where its until `pass.number == 1` is always true"],
        ),
        (
            "  - { name: loop, repeat: { times: 3 }, phases: [ { name: b, when: pass.number > 3, brief: { text: B. } }, { name: c, when: not pass.first, brief: { text: C. } } ] }\n".to_owned(),
            &["b never takes place: its when `pass.number > 3` is never true"],
        ),
        (groups("true"), &[]),
        (groups("parameters.on"), &["match never takes place: its when `parameters.on` is never true", "b never takes place: no phase assigns team before it, so that its groups are empty"]),
        (groups("mean(everyone.x) > 3"), &[]),
        ("  - { name: talk, discussion: { rounds: 3, until: round >= 1 } }\n".to_owned(), &["talk always ends after its first round: its until `round >= 1` is true at once"]),
        ("  - { name: talk, discussion: { rounds: 3, until: round >= 2 } }\n".to_owned(), &[]),
    ];
    for (agenda, expected) in cases {
        assert_eq!(told(&agenda), expected, "{agenda}");
    }
}

/// The warnings of `check` about phases that never take place, and what the arms leave out.
fn warned(agenda: &str, more: &str) -> (Vec<String>, Vec<u64>) {
    let place = tempfile::tempdir().unwrap();
    let config = write(place.path(), &format!("{ASK}{agenda}"), more);
    let design: Value =
        serde_json::from_str(&ekklesia(&["check", "--json", text(&config)]).says(0, &[]).stdout).unwrap();
    let warnings = design["warnings"].as_array().unwrap().iter();
    let own = warnings.filter(|warning| warning["lint"] == "unreachable-phase");
    let left_out = |arm: &Value| arm["unreachable"].as_array().unwrap().len() as u64;
    let arms = design["arms"].as_array().unwrap();
    (own.map(|warning| warning["message"].as_str().unwrap().to_owned()).collect(), arms.iter().map(left_out).collect())
}

#[test]
fn what_some_arms_leave_out_is_a_treatment_and_what_all_leave_out_a_warning_unless_it_is_a_switch() {
    let switch = "  - { name: b, when: parameters.on, brief: { text: B. } }\n";
    let factor = "design: { factors: { on: { key: parameters.on, levels: [true, false] } }, baseline: { on: true } }\n";
    assert_eq!(warned(switch, factor), (vec![], vec![0, 1]));
    assert_eq!(warned(switch, ""), (vec![], vec![1]));
    let both = "  - { name: b, when: 2 > 3 or parameters.on and 1 > 2, brief: { text: B. } }\n";
    let message = "b never takes place: its when `2 > 3 or parameters.on and 1 > 2` is never true".to_owned();
    assert_eq!(warned("  - { name: b, when: 1 > 2, brief: { text: B. } }\n", factor).0.len(), 1);
    assert_eq!(warned(both, factor), (vec![message], vec![1, 1]), "no parameter would have it held");
    let follows = "  - { name: match, when: parameters.on, assign: { team: { groups: { size: 2 }, by: lot } } }\n  - name: play\n    groups: \
                   team\n    phases: [ { name: b, discussion: {} } ]\n";
    assert_eq!(warned(follows, ""), (vec![], vec![2]));
}

/// What other parameters would have held is by parameters, in whichever pass they would.
#[test]
fn a_part_is_by_parameters_if_others_would_have_it_held() {
    let brief = |when: &str| format!("{{ name: b, when: {when}, brief: {{ text: B. }} }}");
    let looped = |repeat: &str, phases: &str| {
        format!(
            "  - name: loop\n    repeat: {{ {repeat} }}\n    phases: [ {{ name: stage, compute: {{ part: pass.number }} }}, {phases} ]\n"
        )
    };
    let groups = "  - { name: match, when: parameters.on, assign: { team: { groups: { size: 2 }, by: lot } } }\n  - name: play\n    groups: \
                  team\n    phases: [ { name: b, discussion: {} } ]\n";
    let cases: [(String, &[bool]); 12] = [
        (looped("times: 4", &brief("pass.number > 2 and parameters.on")), &[true]),
        (looped("times: 4", &brief("part > 2 and parameters.on")), &[true]),
        (looped("times: 4", &brief("pass.number > 4 and parameters.on")), &[false]),
        (looped("times: 4", &brief("pass.number > parameters.n + 3")), &[true]),
        (looped("times: parameters.n - 1, max: 3", &brief("pass.number > 1")), &[true]),
        (looped("until: parameters.n == 2, max: 3", &brief("true")), &[true]),
        (looped("until: pass.number == 1, max: 3", &brief("true")), &[false]),
        (looped("times: 2", "{ name: b, who: seat.index > parameters.n + 2, brief: { text: B. } }"), &[true]),
        (looped("times: 2", "{ name: b, who: seat.index > 4, brief: { text: B. } }"), &[false]),
        (groups.to_owned(), &[true, true]),
        ("  - { name: talk, discussion: { rounds: 3, until: round >= parameters.n - 1 } }\n".to_owned(), &[true]),
        ("  - { name: talk, discussion: { rounds: 3, until: round >= 1 } }\n".to_owned(), &[false]),
    ];
    for (agenda, expected) in cases {
        let place = tempfile::tempdir().unwrap();
        let experiment = read(&write(place.path(), &format!("{ASK}{agenda}"), ""));
        let parts = experiment.arms[0].find_unreachable();
        let by_parameters: Vec<bool> = parts.iter().map(|part| part.by_parameters).collect();
        assert_eq!(by_parameters, expected, "{agenda}{parts:#?}");
        let is_warned = !warned(&agenda, "").0.is_empty();
        assert_eq!(is_warned, expected.contains(&false), "{agenda}");
    }
}

#[test]
fn what_comes_after_a_vote_that_ends_the_block_with_any_ballot_is_told() {
    let after = |vote: &str, ends: &str| {
        let vote = format!("{{ over: [red, tan], {vote} }}");
        let vote = if ends.is_empty() { vote } else { vote.replace(" }", &format!(", ends: {ends} }}")) };
        format!(
            "      - {{ name: v, vote: {vote} }}\n      - {{ name: c, brief: {{ text: C. }} }}\n      - {{ name: d, brief: {{ text: D. }} }}\n"
        )
    };
    let looped = |vote: &str, ends: &str| {
        let phases = after(vote, ends);
        format!(
            "  - name: loop\n    repeat: {{ times: 2 }}\n    phases:\n      - {{ name: b, brief: {{ text: B. }} }}\n{phases}"
        )
    };
    let plurality = "rule: plurality, tie_break: lot";
    let message = |ended: &str| {
        format!(
            "c, d take place only in sessions in which the vote v decides nothing: it ends {ended} as soon as one ballot counts"
        )
    };
    let cases = [
        (looped(plurality, "block"), vec![message("the block loop")]),
        (looped(plurality, ""), vec![]),
        (looped("rule: majority", "block"), vec![]),
        (looped("rule: plurality, tie_break: no_decision", "block"), vec![]),
        (looped(plurality, "block").replace("name: v,", "name: v, when: pass.last,"), vec![]),
        (after(plurality, "session").replace("      - ", "  - "), vec![message("the session")]),
    ];
    for (agenda, expected) in cases {
        assert_eq!(warned(&agenda, "").0, expected, "{agenda}");
    }
}
