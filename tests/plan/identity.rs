//! What makes a session the one it is, and the inputs that are kept.

use std::collections::BTreeMap;
use std::fs;

use crate::fixtures::desk::{BASE, Desk};
use ekklesia::config::Node;
use ekklesia::config::yaml;
use ekklesia::domain::Digest;
use ekklesia::plan::{Origin, first_difference};
use ekklesia::store::inputs::{Inputs, Overrides};

fn digests(desk: &Desk, config: &str) -> BTreeMap<String, Digest> {
    let resolved = desk.resolve(config).expect("a config without mistakes");
    resolved.experiment.arms.iter().map(|plan| (plan.arm.clone(), plan.digest.clone())).collect()
}

fn digest(desk: &Desk, config: &str) -> Digest {
    digests(desk, config).remove("baseline").expect("one arm")
}

#[test]
fn form_changes_no_digest() {
    let desk = Desk::new();
    let base = digest(&desk, BASE);
    let mut reversed: Vec<&str> = BASE.lines().collect();
    reversed.swap(0, 2);
    for (what, config) in [
        ("line ends", BASE.replace('\n', "\r\n")),
        ("comments", BASE.replace('\n', " # a comment\n")),
        ("order of keys", reversed.join("\n")),
        ("replicates", BASE.replace("replicates: 3", "replicates: 30")),
        ("base_url", BASE.replace("8080", "9090")),
        ("api_key_env", BASE.replace("KEY", "OTHER")),
        ("concurrency", BASE.replace("model: qwen,", "model: qwen, concurrency: 9, timeout_s: 5,")),
        ("about", format!("{BASE}about: {{ title: x }}\n")),
        ("a default said", format!("{BASE}memory: {{ statement_max_length: 300 }}\nlanguage: en\n")),
        ("other defaults said", BASE.replace("model: qwen }", "model: qwen, role: member }")),
        ("no interventions", format!("{BASE}interventions: []\ndecision: {{ amount_tolerance: 0 }}\n")),
        ("a model nobody uses", BASE.replace("models:\n", "models:\n  spare: { simulated: {} }\n")),
        ("a mind nobody uses", BASE.replace("model: qwen }", "model: qwen, mind: { voter: { copy: 1 } } }")),
        ("the arm's name", format!("{BASE}design: {{ factors: {{ s: {{ key: language, levels: [en] }} }} }}\n")),
    ] {
        let digests: Vec<Digest> = digests(&desk, &config).into_values().collect();
        assert_eq!(digests, std::slice::from_ref(&base), "{what}");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn whatever_changes_a_session_changes_its_digest() {
    let desk = Desk::new();
    let mut seen = vec![digest(&desk, BASE)];
    for (from, to) in [
        ("experiment: base", "experiment: other"),
        ("seed: 7", "seed: 8"),
        ("model: qwen,", "model: qwen2,"),
        ("0.7", "0.8"),
        ("temperature", "max_tokens: 401, temperature"),
        ("temperature", "answers: anchored, temperature"),
        ("Alice", "Anna"),
        ("A teacher.", "A baker."),
        ("copy: 0.5", "copy: 0.6"),
        ("count: 2", "count: 3"),
        ("model: qwen }", "model: sim }"),
        ("[before]", "[before, after]"),
        ("seed: 7", "seed: 7\nparameters: { motion: Another motion. }"),
        ("seed: 7", "seed: 7\ndiscussion: { rounds: 2 }"),
        ("seed: 7", "seed: 7\ndiscussion: { order: fixed }"),
        ("seed: 7", "seed: 7\ndiscussion: { vote: every_round }"),
        ("seed: 7", "seed: 7\ndiscussion: { statement_min_length: 11 }"),
        ("seed: 7", "seed: 7\ndecision: { rule: plurality }"),
        ("seed: 7", "seed: 7\ndecision: { of: valid }"),
        ("seed: 7", "seed: 7\ndecision: { invalid: exclude }"),
        ("seed: 7", "seed: 7\ndecision: { tie_break: lot }"),
        ("seed: 7", "seed: 7\ncontrols: { anonymous: true }"),
        ("seed: 7", "seed: 7\ncontrols: { option_order: latin }"),
        ("seed: 7", "seed: 7\ncontrols: { recognition_probe: true }"),
        ("seed: 7", "seed: 7\nmemory: { statement_max_length: 299 }"),
        ("seed: 7", "seed: 7\nmemory: { enable_truncation: false }"),
        ("seed: 7", "seed: 7\nmemory: { memory_character_limit: 4000 }"),
        ("seed: 7", "seed: 7\nmemory: { public_history_max_length: 4000 }"),
        ("seed: 7", "seed: 7\nmemory: { policy: full }"),
        ("seed: 7", "seed: 7\nmemory: { guidance_style: structured }"),
        ("seed: 7", "seed: 7\nmemory: { reasoning_max_length: 100 }"),
        ("seed: 7", "seed: 7\nmemory: { memory_compression_threshold: 0.9 }"),
        ("seed: 7", "seed: 7\nmemory: { memory_compression_target: 0.5 }"),
        ("seed: 7", "seed: 7\nmemory: { routing: { statement: integrated } }"),
        ("seed: 7", "seed: 7\ndiscussion: { private_reasoning: true }"),
        ("seed: 7", "seed: 7\ndiscussion: { vote: on_call }"),
        ("seed: 7", "seed: 7\ndiscussion: { vote: on_call, rounds_min: 2 }"),
        ("seed: 7", "seed: 7\ndiscussion: { vote: on_call, vote_call: simultaneous }"),
        ("seed: 7", "seed: 7\ndiscussion: { order: williams }"),
        ("seed: 7", "seed: 7\ndecision: { rule: supermajority, threshold: 2/3 }"),
        ("seed: 7", "seed: 7\ndecision: { rule: supermajority, threshold: 3/4 }"),
        ("seed: 7", "seed: 7\ndecision: { rule: imposed, imposed: { alternative: for } }"),
        ("seed: 7", "seed: 7\ndecision: { rule: imposed, imposed: { alternative: against } }"),
        ("seed: 7", "seed: 7\ndecision: { amount_tolerance: 1 }"),
        ("seed: 7", "seed: 7\ninterventions: [{ at: { phase: vote }, text: Hear. }]"),
        ("seed: 7", "seed: 7\ninterventions: [{ at: { phase: vote }, text: Hear this. }]"),
        ("seed: 7", "seed: 7\ninterventions: [{ at: { phase: vote }, text: Hear., as: human }]"),
        ("seed: 7", "seed: 7\ninterventions: [{ at: { phase: vote }, text: Hear., to: [Bob] }]"),
        ("temperature", "context_window: 4096, temperature"),
        ("seed: 7", "seed: 7\ndesign: { pairing: independent }"),
    ] {
        assert!(BASE.contains(from), "{from}");
        let digest = digest(&desk, &BASE.replacen(from, to, 1));
        assert!(!seen.contains(&digest), "{to}");
        seen.push(digest);
    }
}

#[test]
fn prompts_enter_the_digest_by_their_words_and_not_by_their_line_ends() {
    let desk = Desk::new();
    let base = digest(&desk, BASE);
    let template = desk.path("scenario/prompts/en/statement.j2");
    fs::create_dir_all(template.parent().expect("a folder")).expect("made");
    let text = fs::read_to_string("src/prompt/templates/en/statement.j2").expect("a text");
    fs::write(&template, &text).expect("written");
    assert_eq!(digest(&desk, BASE), base);
    fs::write(&template, text.replace('\n', "\r\n")).expect("written");
    assert_eq!(digest(&desk, BASE), base);
    fs::write(&template, format!("{text} More.")).expect("written");
    assert_ne!(digest(&desk, BASE), base);
}

#[test]
fn more_arms_and_replicates_leave_the_old_digests_alone() {
    let desk = Desk::new();
    let two =
        format!("{BASE}design: {{ factors: {{ rule: {{ key: decision.rule, levels: [unanimity, majority] }} }} }}\n");
    let three = two.replace("majority]", "majority, plurality]").replace("replicates: 3", "replicates: 9");
    let (old, new) = (digests(&desk, &two), digests(&desk, &three));
    assert_eq!((old.len(), new.len()), (2, 3));
    for (arm, digest) in old {
        assert_eq!(new.get(&arm), Some(&digest), "{arm}");
    }
}

#[test]
fn the_first_difference_names_its_key() {
    let desk = Desk::new();
    let identity = |config: &str| desk.resolve(config).expect("a plan").identities.remove(0).1;
    let (old, new) = (identity(BASE), identity(&BASE.replace("copy: 0.5", "copy: 0.25")));
    assert_eq!(first_difference(&old, &old), None);
    let difference = first_difference(&old, &new).expect("a difference");
    assert_eq!(difference.key, "seats.Alice.mind.voter.copy");
    assert_eq!((difference.old.as_deref(), difference.new.as_deref()), (Some("0.5"), Some("0.25")));
}

#[test]
fn kept_inputs_resolve_to_the_same_experiment() {
    let desk = Desk::new();
    let overrides = Overrides { set: vec!["discussion.rounds=2".to_string()], seed: Some(5), ..Overrides::default() };
    let change = desk.path("change.yaml");
    fs::write(&change, "set: { decision.rule: unanimity }\n").expect("written");
    let inputs = desk.read(&BASE.replace('\n', "\r\n"), overrides).expect("inputs");
    let inputs = inputs.with_change(&change).expect("a change");
    let results = desk.path("results/base");
    inputs.write(&results).expect("kept");
    fs::write(results.join("inputs/scenario/prompts/en/stale.j2"), "stale").expect("written");
    inputs.write(&results).expect("kept again");
    let kept = Inputs::read_results(&results).expect("kept inputs");
    assert_eq!(kept.change_bytes(), inputs.change_bytes());
    let (live, kept) = (inputs.resolve().expect("a plan"), kept.resolve().expect("a plan"));
    assert_eq!(live.plan_yaml, kept.plan_yaml);
    assert_eq!(live.identities, kept.identities);
    assert_eq!(fs::read(results.join("inputs/config.yaml")).expect("a config"), BASE.replace('\n', "\r\n").as_bytes());
    assert!(live.plan_yaml.contains("rule: unanimity # fork"));
    assert!(!live.plan_yaml.contains(&*desk.folder.path().to_string_lossy()));
}

#[test]
fn plan_yaml_is_yaml() {
    let desk = Desk::new();
    let odd = BASE.replace("A teacher.", "Line\\nbreak: # \\\"quoted\\\" \\u0085 ü 好 yes");
    let resolved = desk.resolve(&odd).expect("a plan");
    let tree = yaml::read_document(resolved.plan_yaml.as_bytes(), "plan.yaml", Origin::Config).expect("YAML");
    let persona = tree.get("seats").expect("seats").items()[0].get("persona").expect("a persona");
    assert_eq!(persona.as_text(), Some("Line\nbreak: # \"quoted\" \u{85} ü 好 yes"));
    let arms = tree.get("arms").expect("arms").items();
    assert_eq!(arms[0].get("name").and_then(Node::as_text), Some("baseline"));
    assert!(arms[0].get("digest").and_then(Node::as_text).is_some_and(|digest| digest.starts_with("b3:")));
}

#[test]
fn personas_enter_the_digest_by_their_contents_and_not_by_their_path() {
    let desk = Desk::new();
    let config = |file: &str, id: &str| {
        let drawn = BASE.replace("name: \"Member {n}\"", "name: \"Member {n}\", personas: people");
        format!("{drawn}personas: {{ people: {{ file: {file}, id: {id}, text: persona }} }}\n")
    };
    let text = "pid,other,persona\na,1,You are A.\nb,2,You are B.\n";
    fs::write(desk.path("one.csv"), text).expect("written");
    fs::write(desk.path("two.csv"), text.replace('\n', "\r\n")).expect("written");
    fs::write(desk.path("three.csv"), text.replace("B.", "C.")).expect("written");
    let one = digest(&desk, &config("one.csv", "pid"));
    assert_eq!(digest(&desk, &config("two.csv", "pid")), one);
    assert_ne!(digest(&desk, &config("three.csv", "pid")), one);
    assert_ne!(digest(&desk, &config("one.csv", "other")), one);
    let unused = format!("{BASE}personas: {{ people: {{ file: one.csv, id: pid, text: persona }} }}\n");
    assert_eq!(digest(&desk, &unused), digest(&desk, BASE));

    let inputs = desk.read(&config("one.csv", "pid"), Overrides::default()).expect("inputs");
    let results = desk.path("results/base");
    inputs.write(&results).expect("kept");
    fs::write(results.join("inputs/personas/stale.csv"), "stale").expect("written");
    fs::remove_file(desk.path("one.csv")).expect("removed");
    inputs.write(&results).expect("kept again");
    assert!(!results.join("inputs/personas/stale.csv").exists());
    assert_eq!(fs::read(results.join("inputs/personas/people.csv")).expect("kept"), text.as_bytes());
    let kept = Inputs::read_results(&results).expect("kept inputs").resolve().expect("a plan");
    assert_eq!(kept.experiment.arms[0].digest, one);
    assert_eq!(kept.plan_yaml, inputs.resolve().expect("a plan").plan_yaml);
    assert!(kept.plan_yaml.contains("file: \"personas/people.csv\" # config"), "{}", kept.plan_yaml);
}

#[test]
fn the_mechanism_enters_the_digest() {
    let desk = Desk::new();
    let folder = desk.path("justice");
    let copied = std::process::Command::new("cp").args(["-r", "scenarios/justice"]).arg(&folder).status();
    assert!(copied.expect("cp").success());
    let config = BASE.replace("scenario: scenario", "scenario: justice");
    let base = digest(&desk, &config);
    let file = folder.join("scenario.yaml");
    let text = fs::read_to_string(&file).expect("a scenario");
    for (from, to) in [
        ("[32000,", "[32001,"),
        ("medium: 0.40, medium_low: 0.20", "medium: 0.41, medium_low: 0.19"),
        ("{ alternative: average_floor, amount: 13000 }", "{ alternative: average_floor, amount: 13001 }"),
        ("title: A group", "title: Another group"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&file, text.replacen(from, to, 1)).expect("written");
        assert_eq!(digest(&desk, &config) == base, from.starts_with("title"), "{to}");
    }
}
