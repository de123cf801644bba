//! Configs good and broken, the identity of sessions, and the inputs that are kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::adapters::yaml;
use ekklesia::domain::{Digest, PollTime};
use ekklesia::minds::{Line, Mind, Script};
use ekklesia::plan::{Node, Origin, PhaseKind, Problem, Resolved, Sitter, SpeakingOrder, Value, first_difference};

const BASE: &str = "\
experiment: base
scenario: scenario
seed: 7
replicates: 3
models:
  sim: { simulated: {} }
  qwen: { openai: { base_url: \"http://127.0.0.1:8080/v1\", model: qwen, temperature: 0.7, api_key_env: KEY } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, persona: \"A teacher.\", mind: { voter: { copy: 0.5 } } }
  - { name: Bob, model: qwen }
  - { count: 2, name: \"Member {n}\" }
straw_polls: [before]
";

/// A folder with the shipped scenario and a config beside it.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(Path::new("scenarios/motion"), &folder.path().join("scenario"));
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, config: &str, overrides: Overrides) -> Result<Inputs, Problem> {
        fs::write(self.path("config.yaml"), config).expect("a config written");
        Inputs::read(&self.path("config.yaml"), overrides)
    }

    fn resolve(&self, config: &str) -> Result<Resolved, Problem> {
        self.read(config, Overrides::default())?.resolve()
    }

    fn digests(&self, config: &str) -> BTreeMap<String, Digest> {
        let resolved = self.resolve(config).expect("a config without mistakes");
        resolved.experiment.arms.iter().map(|plan| (plan.arm.clone(), plan.digest.clone())).collect()
    }

    fn digest(&self, config: &str) -> Digest {
        self.digests(config).remove("baseline").expect("one arm")
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder to copy") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).expect("a file copied")),
        }
    }
}

fn value(text: &str) -> Value {
    yaml::read_value(text, "test", Origin::Config).expect("YAML").value
}

#[test]
fn every_broken_config_says_where_and_what() {
    let mut cases: Vec<PathBuf> =
        fs::read_dir("tests/data/configs").expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    assert!(cases.len() >= 25, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let expected = fs::read_to_string(case.join("expected.txt")).expect("expected.txt");
        let result = Inputs::read(&case.join("config.yaml"), Overrides::default()).and_then(|inputs| inputs.resolve());
        let found = match result {
            Ok(resolved) => {
                let names: Vec<&str> = resolved.experiment.arms.iter().map(|plan| plan.arm.as_str()).collect();
                format!("arms: {}", names.join(", "))
            }
            Err(problem) => problem.to_string().replace(&format!("{}/", case.display()), ""),
        };
        if found != expected.trim_end() {
            wrong.push(format!("{}\n  expected {}\n  found    {found}", case.display(), expected.trim_end()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scalars_are_those_of_yaml_1_2() {
    for text in ["yes", "no", "on", "off", "y", "n", "10-2", "5/6", "12:30:00", "1_000", "2024-01-02", "=", "Bob"] {
        assert_eq!(value(text), Value::Text(text.to_string()), "{text}");
    }
    assert_eq!(value("true"), Value::Bool(true));
    assert_eq!(value("false"), Value::Bool(false));
    assert_eq!(value("0x10"), Value::Int(16));
    assert_eq!(value("-3"), Value::Int(-3));
    assert_eq!(value("0.5"), Value::Real(0.5));
    assert_eq!(value("1e3"), Value::Real(1000.0));
    assert_eq!(value("~"), Value::Null);
    assert_eq!(value("'5'"), Value::Text("5".to_string()));
}

#[test]
fn every_key_and_value_knows_its_line_and_column() {
    let tree = yaml::read(b"a: 1\nb:\n  - { c: x }\n  - 'y'\n", "f", Origin::Config).expect("YAML");
    let place = |node: &Node| (node.place.line, node.place.column);
    let list = tree.get("b").expect("b");
    assert_eq!(place(tree.get("a").expect("a")), (1, 4));
    assert_eq!((tree.entries()[1].place.line, tree.entries()[1].place.column), (2, 1));
    assert_eq!(place(list.items()[0].get("c").expect("c")), (3, 10));
    assert_eq!(place(&list.items()[1]), (4, 5));
}

#[test]
fn bombs_are_refused() {
    let mut laughs = String::from("a: &a [x, x, x, x, x, x, x, x, x, x]\n");
    for (name, before) in [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d"), ("f", "e"), ("g", "f")] {
        let aliases = vec![format!("*{before}"); 10].join(", ");
        laughs.push_str(&format!("{name}: &{name} [{aliases}]\n"));
    }
    let deep = format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000));
    let wide = format!("a: [{}]", "1,".repeat(60_000));
    let long = format!("a: {}", "x".repeat(yaml::BYTES_MAX));
    for (name, text) in [("laughs", laughs), ("deep", deep), ("wide", wide), ("long", long)] {
        assert!(yaml::read(text.as_bytes(), "f", Origin::Config).is_err(), "{name}");
    }
}

#[test]
fn files_that_are_no_yaml_are_refused_in_words() {
    let told = |bytes: &[u8]| yaml::read(bytes, "f", Origin::Config).expect_err("a refusal").to_string();
    assert_eq!(told(b""), "f: the file is empty");
    assert_eq!(told(b"# only a comment\n"), "f: the file is empty");
    assert_eq!(told(b"\xff\xfe\x00"), "f: not a text file (not UTF-8)");
    assert_eq!(told(b"a: \0"), "f: not a text file (holds a zero byte)");
    assert_eq!(told(b"- a\n"), "f:1:1: expected a mapping (`key: value` lines)");
    let missing = Inputs::read(Path::new("no/such.yaml"), Overrides::default()).expect_err("a refusal");
    assert_eq!(missing.to_string(), "no/such.yaml: no such file");
}

#[test]
fn the_first_config_has_two_arms_and_five_seats() {
    let inputs = Inputs::read(Path::new("configs/first.yaml"), Overrides::default()).expect("inputs");
    let experiment = inputs.resolve().expect("a plan").experiment;
    assert_eq!((experiment.name.as_str(), experiment.replicates), ("first", 20));
    assert_eq!(experiment.factors, ["talk"]);
    let phases = |arm: usize| -> Vec<String> {
        experiment.arms[arm].agenda.iter().map(|phase| phase.name.to_string()).collect()
    };
    assert_eq!(phases(0), ["welcome", "straw_before", "straw_after", "vote"]);
    assert_eq!(phases(1), ["welcome", "straw_before", "discussion", "straw_after", "vote"]);
    let plan = &experiment.arms[1];
    assert_eq!((plan.arm.as_str(), plan.session_name(3).as_str()), ("talk", "talk-r000003"));
    let names: Vec<&str> = plan.seats.iter().map(|seat| seat.name.as_str()).collect();
    assert_eq!(names, ["Alice", "Bob", "Member 1", "Member 2", "Zoe"]);
    assert!(plan.is_simulated());
    assert!(matches!(plan.seats[4].sitter, Sitter::Mind(Mind::Random { malformed_ppm: 50_000 })));
}

#[test]
fn the_config_wins_over_the_scenario_and_the_scenario_over_the_defaults() {
    let desk = Desk::new();
    let resolved = desk.resolve(&format!("{BASE}discussion: {{ order: fixed }}\n")).expect("a plan");
    let plan = &resolved.experiment.arms[0];
    let PhaseKind::Discussion(discussion) = &plan.agenda[2].kind else { panic!("no discussion") };
    assert_eq!((discussion.order, discussion.rounds.get()), (SpeakingOrder::Fixed, 3));
    assert!(matches!(plan.agenda[1].kind, PhaseKind::Ask { time: PollTime::Before }));
    for line in [
        "  order: fixed # config",
        "  vote: at_end # scenario",
        "  statement_min_length: 10 # default",
        "scenario: motion # config",
    ] {
        assert!(resolved.plan_yaml.lines().any(|found| found == line), "{line}\n{}", resolved.plan_yaml);
    }
    let model = &plan.models[0];
    assert_eq!((model.max_tokens, model.concurrency, model.timeout_s), (400, 4, 60));
    assert!(matches!(plan.seats[2].sitter, Sitter::Mind(Mind::Voter { copy_ppm: 300_000 })));
}

#[test]
fn votes_in_every_round_take_the_place_of_the_ballot() {
    let desk = Desk::new();
    let config = format!("{BASE}discussion: {{ vote: every_round }}\ncontrols: {{ anonymous: true }}\n");
    let resolved = desk.resolve(&config.replace("[before]", "[each_round]")).expect("a plan");
    let plan = &resolved.experiment.arms[0];
    let names: Vec<&str> = plan.agenda.iter().map(|phase| phase.name.as_str()).collect();
    assert_eq!(names, ["welcome", "discussion"]);
    let PhaseKind::Discussion(discussion) = &plan.agenda[1].kind else { panic!("no discussion") };
    assert!(discussion.vote_each_round && discussion.poll_each_round);
    assert_eq!(plan.seats[1].agent.public_name, "Participant 2");
    assert_eq!(plan.seats[1].agent.name, "Bob");
}

#[test]
fn scripts_are_read_line_by_line() {
    let desk = Desk::new();
    let mind = "mind: { scripted: { list: [{ statement: Hear me, stance: for }, { pass: true }, { choice: against }, { raw: '?' }] } }";
    let resolved = desk.resolve(&BASE.replace("mind: { voter: { copy: 0.5 } }", mind)).expect("a plan");
    let Sitter::Mind(Mind::Scripted(Script::List(lines))) = &resolved.experiment.arms[0].seats[0].sitter else {
        panic!("no list")
    };
    assert!(matches!(&lines[0], Line::Statement { text, stance: Some(stance) } if text == "Hear me" && stance.0 == 0));
    assert_eq!(lines[1], Line::Pass);
    assert!(matches!(lines[2], Line::Choice(choice) if choice.0 == 1));
    assert_eq!(lines[3], Line::Malformed("?".to_string()));
}

#[test]
fn form_changes_no_digest() {
    let desk = Desk::new();
    let base = desk.digest(BASE);
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
        ("a model nobody uses", BASE.replace("models:\n", "models:\n  spare: { simulated: {} }\n")),
        ("a mind nobody uses", BASE.replace("model: qwen }", "model: qwen, mind: { voter: { copy: 1 } } }")),
        ("the arm's name", format!("{BASE}design: {{ factors: {{ s: {{ key: language, levels: [en] }} }} }}\n")),
    ] {
        let digests: Vec<Digest> = desk.digests(&config).into_values().collect();
        assert_eq!(digests, [base.clone()], "{what}");
    }
}

#[test]
fn whatever_changes_a_session_changes_its_digest() {
    let desk = Desk::new();
    let mut seen = vec![desk.digest(BASE)];
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
        ("seed: 7", "seed: 7\nmemory: { statement_max_length: 299 }"),
        ("seed: 7", "seed: 7\nmemory: { enable_truncation: false }"),
        ("seed: 7", "seed: 7\nmemory: { memory_character_limit: 4000 }"),
        ("seed: 7", "seed: 7\nmemory: { public_history_max_length: 4000 }"),
        ("seed: 7", "seed: 7\ndesign: { pairing: independent }"),
    ] {
        assert!(BASE.contains(from), "{from}");
        let digest = desk.digest(&BASE.replacen(from, to, 1));
        assert!(!seen.contains(&digest), "{to}");
        seen.push(digest);
    }
}

#[test]
fn prompts_enter_the_digest_by_their_words_and_not_by_their_line_ends() {
    let desk = Desk::new();
    let base = desk.digest(BASE);
    let folder = desk.path("scenario/prompts/en");
    let template = fs::read_dir(folder).expect("prompts").next().expect("a template").expect("a template").path();
    let text = fs::read_to_string(&template).expect("a text");
    fs::write(&template, text.replace('\n', "\r\n")).expect("written");
    assert_eq!(desk.digest(BASE), base);
    fs::write(&template, format!("{text} More.")).expect("written");
    assert_ne!(desk.digest(BASE), base);
}

#[test]
fn more_arms_and_replicates_leave_the_old_digests_alone() {
    let desk = Desk::new();
    let two =
        format!("{BASE}design: {{ factors: {{ rule: {{ key: decision.rule, levels: [unanimity, majority] }} }} }}\n");
    let three = two.replace("majority]", "majority, plurality]").replace("replicates: 3", "replicates: 9");
    let (old, new) = (desk.digests(&two), desk.digests(&three));
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
fn arms_are_the_product_of_the_factors_in_order() {
    let desk = Desk::new();
    let config = format!(
        "{BASE}design:\n  factors:\n    a: {{ key: seats.Alice.mind.voter.copy, levels: {{ low: 0.1, high: 0.9 }} }}\n    \
         b: {{ set: {{ x: {{ decision.rule: unanimity, decision.tie_break: lot }}, y: {{}} }} }}\n"
    );
    let resolved = desk.resolve(&config).expect("a plan");
    let names: Vec<&str> = resolved.experiment.arms.iter().map(|plan| plan.arm.as_str()).collect();
    assert_eq!(names, ["low-x", "low-y", "high-x", "high-y"]);
    assert!(matches!(resolved.experiment.arms[2].seats[0].sitter, Sitter::Mind(Mind::Voter { copy_ppm: 900_000 })));
    assert_eq!(resolved.experiment.arms[0].levels[1].factor, "b");
    assert!(resolved.plan_yaml.contains("seats.Alice.mind.voter.copy: 0.9 # arm"), "{}", resolved.plan_yaml);
}

#[test]
fn the_command_line_wins_and_its_mistakes_are_its_own() {
    let desk = Desk::new();
    let with = |set: &[&str]| {
        let set = set.iter().map(|one| one.to_string()).collect();
        let overrides = Overrides { set, seed: Some(99), replicates: Some(40), fork: Vec::new() };
        desk.read(BASE, overrides).and_then(|inputs| inputs.resolve())
    };
    let resolved =
        with(&["seats.Member 2.mind={ random: { malformed: 0.1 } }", "decision.rule=unanimity"]).expect("a plan");
    let plan = &resolved.experiment.arms[0];
    assert_eq!((plan.seed, resolved.experiment.replicates), (99, 40));
    assert!(matches!(plan.seats[3].sitter, Sitter::Mind(Mind::Random { malformed_ppm: 100_000 })));
    assert!(resolved.plan_yaml.contains("  rule: unanimity # --set"));
    let told = |set: &str| with(&[set]).expect_err("a refusal").to_string();
    assert_eq!(
        told("decision.rule=majorty"),
        "--set: decision.rule: unknown value \"majorty\"; did you mean \"majority\"?"
    );
    assert_eq!(told("seats.Bop.model=sim"), "--set: seats.Bop.model: seats has no item \"Bop\"; did you mean \"Bob\"?");
    let section = with(&["decision={ rule: plurality }"]).expect("a plan");
    assert!(
        section.plan_yaml.contains("  rule: plurality # --set") && section.plan_yaml.contains("status_quo # scenario")
    );
    assert_eq!(told("nonsense"), "--set: expected dotted.key=value, found \"nonsense\"");
    assert_eq!(told("scenario=other"), "--set: scenario: only the config itself can say this");
    assert_eq!(told("decsion.rule=lot"), "--set: decsion: unknown key; did you mean \"decision\"?");
}

#[test]
fn kept_inputs_resolve_to_the_same_experiment() {
    let desk = Desk::new();
    let overrides = Overrides {
        set: vec!["discussion.rounds=2".to_string()],
        seed: Some(5),
        replicates: None,
        fork: vec![("decision.rule".to_string(), "unanimity".to_string())],
    };
    let inputs = desk.read(&BASE.replace('\n', "\r\n"), overrides).expect("inputs");
    let results = desk.path("results/base");
    inputs.write(&results).expect("kept");
    fs::write(results.join("inputs/scenario/prompts/en/stale.j2"), "stale").expect("written");
    inputs.write(&results).expect("kept again");
    let kept = Inputs::read_results(&results).expect("kept inputs");
    assert_eq!(kept.overrides(), inputs.overrides());
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
    let tree = yaml::read(resolved.plan_yaml.as_bytes(), "plan.yaml", Origin::Config).expect("YAML");
    let persona = tree.get("seats").expect("seats").items()[0].get("persona").expect("a persona");
    assert_eq!(persona.as_text(), Some("Line\nbreak: # \"quoted\" \u{85} ü 好 yes"));
    let arms = tree.get("arms").expect("arms").items();
    assert_eq!(arms[0].get("name").and_then(Node::as_text), Some("baseline"));
    assert!(arms[0].get("digest").and_then(Node::as_text).is_some_and(|digest| digest.starts_with("b3:")));
}

proptest::proptest! {
    #[test]
    fn no_mutilated_config_makes_a_panic(at in 0usize..600, cut in 0usize..40, insert in "[a-z0-9:{}\\[\\], \n'\"*&!-]{0,6}") {
        let characters: Vec<char> = include_str!("data/configs/good_two_factors/config.yaml").chars().collect();
        let at = at.min(characters.len());
        let rest = characters[at..].iter().skip(cut);
        let config: String = characters[..at].iter().copied().chain(insert.chars()).chain(rest.copied()).collect();
        let desk = Desk::new();
        let config = config.replace("../../../../scenarios/motion", "scenario");
        if let Err(problem) = desk.resolve(&config) {
            proptest::prop_assert!(!problem.message.is_empty());
            proptest::prop_assert!(!problem.to_string().contains('\n'), "{}", problem);
        }
    }
}
