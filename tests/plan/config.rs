//! Configs good and broken: what they mean, and the exact words about what is wrong with them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::desk::{self, BASE, Desk};
use crate::fixtures::sample::{law_cases, sample_cases};
use crate::fixtures::trial;
use ekklesia::config::yaml;
use ekklesia::config::{Node, Value};
use ekklesia::domain::{AlternativeId, Choice, PollTime, Reply};
use ekklesia::memory::{CompactPolicy, MemoryPolicy, Window};
use ekklesia::minds::{Mind, Said, Script};
use ekklesia::plan::{Origin, PhaseKind, RoundVotes, Sitter, SpeakingOrder};
use ekklesia::store::inputs::{Inputs, Overrides};

fn value(text: &str) -> Value {
    yaml::read_value(text, "test", Origin::Config).expect("YAML").value
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_broken_config_says_where_and_what() {
    let mut cases: Vec<PathBuf> =
        fs::read_dir("tests/data/configs").expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    assert!(cases.len() >= 25, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in sample_cases(cases, 4) {
        let expected = fs::read_to_string(case.join("expected.txt")).expect("expected.txt");
        let whole = desk::with_prompts(&case);
        let case = whole.as_ref().map_or(case, |folder| folder.path().to_path_buf());
        let result =
            Inputs::read_config(&case.join("config.yaml"), Overrides::default()).and_then(|inputs| inputs.resolve());
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
fn a_section_that_is_set_as_a_whole_replaces_what_is_of_another_kind_and_keeps_what_is_of_the_same() {
    let config = Path::new("tests/data/configs/good_section_of_another_kind/config.yaml");
    let inputs = Inputs::read_config(config, Overrides::default()).expect("inputs");
    let arms = inputs.resolve().expect("a design").experiment.arms;
    let compact = |threshold_ppm| MemoryPolicy::Compact(CompactPolicy { threshold_ppm, keep: 2 });
    let expected = [
        (compact(900_000), Some(3), false),
        (MemoryPolicy::Window(Window::Statements(3)), None, false),
        (compact(800_000), Some(3), false),
        (compact(900_000), Some(3), true),
    ];
    for (plan, (policy, recall, is_simulated)) in arms.iter().zip(expected) {
        assert_eq!((plan.memory.policy, plan.memory.recall), (policy, recall), "{}", plan.arm);
        assert_eq!(plan.is_simulated(), is_simulated, "{}", plan.arm);
    }
    assert_eq!(arms.len(), 4);
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
    let tree = yaml::read_document(b"a: 1\nb:\n  - { c: x }\n  - 'y'\n", "f", Origin::Config).expect("YAML");
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
        assert!(yaml::read_document(text.as_bytes(), "f", Origin::Config).is_err(), "{name}");
    }
}

#[test]
fn files_that_are_no_yaml_are_refused_in_words() {
    let told = |bytes: &[u8]| yaml::read_document(bytes, "f", Origin::Config).expect_err("a refusal").to_string();
    assert_eq!(told(b""), "f: the file is empty");
    assert_eq!(told(b"# only a comment\n"), "f: the file is empty");
    assert_eq!(
        told(b"\xff\xfea\x00"),
        "f: written in UTF-16, which Windows programs call Unicode; UTF-8 is expected; save it as UTF-8"
    );
    assert_eq!(told(b"a: 1\nb: \xe4"), "f:2:4: not a text file (not UTF-8); save it as UTF-8");
    assert_eq!(
        told(b"a: \0"),
        "f:1:4: not a text file (holds a zero byte); delete it, or save the whole file as UTF-8"
    );
    assert_eq!(told(b"- a\n"), "f:1:1: expected a mapping (`key: value` lines)");
    assert_eq!(told(b"a: &a [*a]\n"), "f:1:8: an alias stands inside its anchor; write the value out");
    assert_eq!(
        told(b"a: 1\n---\nb: 2\n"),
        "f:2:1: a second document begins here; keep one document a file, without lines of `---`"
    );
    let missing = Inputs::read_config(Path::new("no/such.yaml"), Overrides::default()).expect_err("a refusal");
    assert_eq!(missing.to_string(), "no/such.yaml: no such file");
}

#[test]
fn the_first_config_has_two_arms_and_five_seats() {
    let inputs = Inputs::read_config(Path::new("configs/first.yaml"), Overrides::default()).expect("inputs");
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
    assert!(matches!(plan.seats[4].sitter, Sitter::Mind(Mind::Random { malformed_ppm: 50_000, .. })));
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
    assert!(discussion.votes == RoundVotes::EveryRound && discussion.poll_each_round);
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
    let said: Vec<&Said> = lines.iter().map(|line| &line.said).collect();
    let choice = |place| Choice { alternative: AlternativeId(place), amount: None };
    let statement = Reply::Statement { text: "Hear me".into(), stance: Some(choice(0)), opinion: None };
    let replies = [statement, Reply::Pass, Reply::Choice(choice(1))].map(Said::Reply);
    assert_eq!(said, replies.iter().chain([&Said::Malformed("?".to_owned())]).collect::<Vec<_>>());
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
        let overrides = Overrides { set, seed: Some(99), replicates: Some(40), ..Overrides::default() };
        desk.read(BASE, overrides).and_then(|inputs| inputs.resolve())
    };
    let resolved =
        with(&["seats.Member 2.mind={ random: { malformed: 0.1 } }", "decision.rule=unanimity"]).expect("a plan");
    let plan = &resolved.experiment.arms[0];
    assert_eq!((plan.seed, resolved.experiment.replicates), (99, 40));
    assert!(matches!(plan.seats[3].sitter, Sitter::Mind(Mind::Random { malformed_ppm: 100_000, .. })));
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
    assert_eq!(told("nonsense"), "--set: expected dotted.key=value; write KEY=VALUE, as in discussion.rounds=3");
    assert_eq!(told("scenario=other"), "--set: scenario: only the config itself can say this");
    for (factors, wrong) in [
        ("{ talk: { key: discussion.rounds, levels: { silent: 0, long: four } } }", "discussion.rounds"),
        ("{ rule: { key: decision.rule, levels: [majority, majorty] } }", "majorty"),
        ("{ talk: { key: discussion.roundz, levels: [1, 2] } }", "discussion.roundz"),
        ("{ new: { set: { a: { decision.rule: majorty }, b: { decision.rule: majority } } } }", "majorty"),
    ] {
        let design = format!("design={{ factors: {factors} }}");
        let told = told(&design);
        assert!(told.contains(wrong) && told.starts_with("--set"), "{told}");
    }
    assert_eq!(told("decsion.rule=lot"), "--set: decsion: unknown key; did you mean \"decision.rule\"?");
}

thread_local! {
    /// One folder for all cases of a law: to copy the scenario for each would take longer than to check it.
    static DESK: Desk = Desk::new();
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..law_cases(64) })]

    #[test]
    fn no_mutilated_config_makes_a_panic(at in 0usize..600, cut in 0usize..40, insert in "[a-z0-9:{}\\[\\], \n'\"*&!-]{0,6}") {
        let characters: Vec<char> = include_str!("../data/configs/good_two_factors/config.yaml").chars().collect();
        let at = at.min(characters.len());
        let rest = characters[at..].iter().skip(cut);
        let config: String = characters[..at].iter().copied().chain(insert.chars()).chain(rest.copied()).collect();
        let config = config.replace("../../../../scenarios/motion", "scenario");
        if let Err(problems) = DESK.with(|desk| desk.resolve(&config)) {
            proptest::prop_assert!(!problems.is_empty());
            for problem in problems.iter() {
                proptest::prop_assert!(!problem.message.is_empty());
                proptest::prop_assert!(!problem.to_string().contains('\n'), "{}", problem);
            }
        }
    }
}

#[test]
fn a_scenario_needs_no_title_no_help_and_no_mind_and_its_seats_then_answer_at_random() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = |line: &str| {
        trial::write_own_scenario(folder.path(), "motion", |shipped| {
            let is_left =
                |line: &&str| !["title:", "    help:", "default_mind:"].iter().any(|key| line.starts_with(key));
            let kept: Vec<&str> = shipped.lines().filter(is_left).collect();
            format!("{}\n{line}\n", kept.join("\n"))
        });
        let config = folder.path().join("config.yaml");
        let seats = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 3 } ]\n";
        fs::write(&config, format!("experiment: t\nscenario: own\nseed: 7\n{seats}")).expect("a config");
        trial::whole(&trial::read(&config).arms[0], 1)
    };
    let unsaid = records("");
    assert_eq!(unsaid[1..], records("default_mind: { random: {} }")[1..]);
    assert_ne!(unsaid[1..], records("default_mind: { voter: { copy: 0.3 } }")[1..]);
}
