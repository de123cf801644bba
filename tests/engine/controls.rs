//! Controls: what of a deliberation is held constant or varied on purpose has the effect that it promises, and no other.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{self, assert_same, copy_recorded, ekklesia, everything, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{self, list_problems, repository, whole};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::prompt::AnswerForm;

const CONTROLS: &str = "configs/motion-controls.yaml";

/// A variant of one template of the motion, in a folder of its own.
const VARIANT: &str = "In one line, {{ name }}: {% for option in options %}{{ option.name }} {% endfor %}?\r\n";

/// A config on the shipped motion with a variant called `terse` beside it.
fn with_variant(body: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("words/en")).unwrap();
    fs::write(place.path().join("words/en/statement.j2"), VARIANT).unwrap();
    fs::write(place.path().join("words/README.md"), "Shorter.\r\n").unwrap();
    let config = trial::write_config(place.path(), &format!("prompts: {{ terse: words }}\n{body}"));
    (place, config)
}

/// The messages of every question of a session on minds, by the question's step and its place in the session.
fn messages(plan: &Arc<Plan>) -> Vec<(String, Vec<String>)> {
    let (mut deliberation, agents) = (Deliberation::convene(plan, 1), plan.agents(1));
    let agents: Vec<_> = agents.iter().collect();
    let mut records = whole(plan, 1).into_iter();
    let mut found = Vec::new();
    loop {
        if let Next::Ask(queries) = deliberation.next() {
            for query in queries {
                let form = (AnswerForm::JsonSchema, 400);
                let messages = plan.prompts.messages(&plan.motion, &agents, &query, form).unwrap();
                let words = messages.into_iter().map(|message| message.content()).collect();
                found.push((query.id.at.step.as_str().to_owned(), words));
            }
        }
        let Some(record) = records.next() else { return found };
        deliberation.evolve(&record);
    }
}

/// What a column holds, each value once.
fn values(rows: &[BTreeMap<String, String>], column: &str) -> BTreeSet<String> {
    rows.iter().map(|row| row[column].clone()).collect()
}

#[test]
fn a_variant_words_what_it_overrules_and_nothing_else() {
    let arms = trial::read(&repository().join(CONTROLS)).arms.clone();
    let of_order = |order: &str| arms.iter().filter(move |plan| plan.levels[1].label == order).collect::<Vec<_>>();
    for order in ["random", "simultaneous", "volunteer"] {
        let [own, other] = of_order(order)[..] else { panic!("two wordings") };
        let (own, other) = (messages(own), messages(other));
        assert_eq!(own.len(), other.len());
        let mut reworded = 0;
        for ((step, own), (_, other)) in own.iter().zip(&other) {
            let differing: Vec<(&String, &String)> = own.iter().zip(other).filter(|(a, b)| a != b).collect();
            match step.as_str() {
                "statement" => {
                    assert_eq!(differing.len(), 1, "one message of {own:#?}");
                    assert!(differing[0].1.contains("what speaks for the other one"), "{differing:#?}");
                    assert!(!differing[0].0.contains("what speaks for the other one"), "{differing:#?}");
                    reworded += 1;
                }
                _ => assert!(differing.is_empty(), "{step}: {differing:#?}"),
            }
        }
        assert!(reworded >= 4, "{order}: {reworded}");
    }
}

#[test]
fn a_variant_is_kept_told_in_every_session_and_read_from_the_results_alone() {
    let body = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice }, { name: Bob }]
discussion: { rounds: 1 }
replicates: 2
design: { factors: { wording: { key: controls.prompts, levels: [scenario, terse] } } }
";
    let (place, config) = with_variant(body);
    let out = place.path().join("out");
    let run = ["run", text(&config), "--out", text(&out)];
    ekklesia(&run).says(0, &[]);
    let kept = everything(&out.join("inputs/prompts"));
    assert_eq!(
        kept,
        everything(&place.path().join("words")).into_iter().map(|(k, v)| (Path::new("terse").join(k), v)).collect()
    );
    let sessions = rows(&out, "sessions");
    for row in &sessions {
        assert_eq!(row["prompts"], row["arm_wording"]);
    }
    assert_eq!(values(&sessions, "prompts_digest").len(), 2, "a digest for each set of prompts");
    assert_eq!(values(&sessions, "plan_digest").len(), 2);
    let once = everything(&out);
    let plan = String::from_utf8(once[Path::new("plan.yaml")].clone()).unwrap();
    assert!(plan.contains("terse: \"prompts/terse\""), "no path of this machine: {plan}");
    for column in ["prompts", "prompts_digest"] {
        let cell = format!("{}:3:{column}", text(&out.join("sessions.csv")));
        ekklesia(&["why", &cell]).says(0, &["prompts.terse"]);
    }
    // Simulated seats read no prompts: whatever words, the same talk.
    assert_eq!(values(&sessions, "result"), values(&sessions[..2], "result"));

    // A changed template is another experiment, and is said to be.
    let template = place.path().join("words/en/statement.j2");
    fs::write(&template, "Other words, {{ name }}.").unwrap();
    ekklesia(&run).says(2, &["prompts.statement"]);
    fs::remove_dir_all(place.path().join("words")).unwrap();
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn models_asked_in_other_words_give_the_same_folder_offline_and_can_be_asked_in_the_first_ones_in_a_fork() {
    let server = cli::Server::start();
    let body = format!("{}\ncontrols: {{ prompts: terse }}\n", cli::mixed(&server.base_url(), "random"));
    let (place, config) = with_variant(&body);
    let (live, copy) = (place.path().join("live"), place.path().join("copy"));
    ekklesia(&["run", text(&config), "--out", text(&live)]).says(0, &[]);
    let is_terse = |body: &serde_json::Value| body["messages"].to_string().contains("In one line, ");
    let asked = server.bodies();
    assert!(asked.iter().any(is_terse) && !asked.iter().any(|body| body.to_string().contains("Your turn to speak")));
    copy_recorded(&live, &copy);
    ekklesia(&["run", text(&config), "--offline", "--out", text(&copy)]).says(0, &[]);
    assert_same(&live, &copy);

    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { controls.prompts: scenario }\n").unwrap();
    let (session, fork) = (live.join("sessions/baseline-r000001"), place.path().join("fork"));
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let anew = server.bodies().split_off(asked.len());
    assert!(!anew.is_empty() && !anew.iter().any(is_terse), "the first words again");
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    assert_eq!(values(&rows(&fork, "sessions"), "prompts"), BTreeSet::from(["scenario".to_owned()]));
}

#[test]
fn what_is_wrong_with_a_variant_is_told_where_it_stands() {
    const SEATS: &str = "models: { sim: { simulated: {} } }\nseats: [{ name: Alice, model: sim }]\n";
    let told = |change: &dyn Fn(&Path), body: &str| {
        let (place, config) = with_variant(&format!("{SEATS}{body}"));
        change(place.path());
        list_problems(&config)
    };
    let write = |file: &'static str, text: &'static str| {
        move |place: &Path| {
            fs::create_dir_all(place.join(file).parent().unwrap()).unwrap();
            fs::write(place.join(file), text).unwrap();
        }
    };
    let nothing = |_: &Path| {};
    let cases = [
        (told(&nothing, "controls: { prompts: ters }\n"), "no prompts are named \"ters\""),
        (told(&nothing, "controls: { prompts: terse }\nlanguage: es\n"), "have no template in \"es\""),
        (
            told(
                &|place| {
                    write("words/es/ballot.j2", "¿?")(place);
                    write("words/es/statement.j2", "¿?")(place);
                },
                "",
            ),
            "words/en has no ballot.j2",
        ),
        (told(&write("words/fr/statement.j2", "Oui ?"), ""), "the scenario has no prompts in \"fr\""),
        (
            told(&write("words/en/statement.j2", "{{ nmae }}"), "controls: { prompts: terse }\n"),
            "words/en/statement.j2:1:4: unknown variable nmae",
        ),
        (
            told(&write("words/en/statment.j2", "Speak, {{ name }}."), "controls: { prompts: terse }\n"),
            "words/en/statment.j2",
        ),
        (told(&|place| fs::remove_dir_all(place.join("words")).unwrap(), ""), "words: no such folder"),
        (told(&|place| fs::remove_dir_all(place.join("words/en")).unwrap(), ""), "words holds no template"),
        (told(&nothing, "design: { factors: { w: { key: prompts.terse, levels: [a, b] } } }\n"), "prompts"),
    ];
    for (told, expected) in &cases {
        assert!(told.contains(expected), "{expected:?} is not in:\n{told}");
        assert_eq!(told.lines().count(), 1, "one problem: {told}");
    }
}
