//! `import rawls`: a config of Rawls_v3 becomes one of ours, and nothing of it is dropped in silence.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::law_cases;
use ekklesia::config::yaml;
use ekklesia::config::{MapEntry, Node, Problems, ResolvedExperiment, Value};
use ekklesia::plan::Origin;
use ekklesia::store::inputs::{Inputs, Overrides};
use ekklesia::store::rawls::{ImportedConfig, LeftOutValue, ValueFate, convert_config};
use proptest::prelude::*;

const DATA: &str = "tests/data/rawls";
const CONVERTED: [&str; 4] = ["everything", "minimal", "manipulator", "mandarin"];
/// Two agents, so that a mistake elsewhere is the first.
const AGENTS: &str = "agents: [{ name: Ada, personality: A }, { name: Bo, personality: B }]\n";

fn tree_of(name: &str) -> Node {
    let bytes = fs::read(format!("{DATA}/{name}.yaml")).unwrap();
    yaml::read_document(&bytes, &format!("{name}.yaml"), Origin::Config).unwrap()
}

fn imported(text: &str) -> Result<ImportedConfig, Problems> {
    Ok(convert_config(&yaml::read_document(text.as_bytes(), "their.yaml", Origin::Config)?, "their.yaml")?)
}

fn config_of(imported: &ImportedConfig) -> Node {
    yaml::read_document(imported.yaml.as_bytes(), "ours.yaml", Origin::Config).unwrap()
}

/// The value under a dotted path of the config that comes out, as JSON.
fn ours(text: &str, path: &str) -> serde_json::Value {
    let config = config_of(&imported(&format!("{AGENTS}{text}")).unwrap());
    let found = path.split('.').try_fold(&config, |node, key| node.get(key));
    found.map_or(serde_json::Value::Null, Node::to_json)
}

/// What of the file was left out: `fate path`.
fn left_out(text: &str) -> Vec<String> {
    let imported = imported(&format!("{AGENTS}{text}")).unwrap();
    let of_the_file = |item: &&LeftOutValue| {
        item.fate != ValueFate::OursByDefault && !item.reason.ends_with(" (the framework's default)")
    };
    imported.left_out.iter().filter(of_the_file).map(|item| format!("{:?} {}", item.fate, item.path)).collect()
}

/// Every value that is no mapping and no list of mappings, by its path.
fn leaves(path: &str, node: &Node, found: &mut Vec<String>) {
    let under = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            entries.iter().for_each(|entry| leaves(&under(&entry.key), &entry.node, found));
        }
        Value::List(items) if items.iter().any(|item| matches!(item.value, Value::Map(_))) => {
            items.iter().enumerate().for_each(|(i, item)| leaves(&under(&item.segment(i)), item, found));
        }
        _ => found.push(path.to_owned()),
    }
}

/// The paths that the comments of a config name: as the source of a line, or at its top.
fn named(config: &str) -> Vec<&str> {
    let sources = config.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.rsplit_once("  # from "));
    let listed = config.lines().filter_map(|line| line.strip_prefix("# "));
    let listed = listed.filter_map(|line| {
        let line = line.strip_prefix("not carried over: ").unwrap_or(line);
        let line = line.strip_prefix("carried over in part: ").unwrap_or(line);
        line.split_once(": ").map(|(path, _)| path)
    });
    sources.flat_map(|(_, paths)| paths.split(", ")).chain(listed).collect()
}

#[track_caller]
fn assert_all_named(tree: &Node) {
    let imported = convert_config(tree, "their.yaml").unwrap();
    let named = named(&imported.yaml);
    let mut paths = Vec::new();
    leaves("", tree, &mut paths);
    let lost: Vec<&String> = paths.iter().filter(|path| !named.contains(&path.as_str())).collect();
    assert!(lost.is_empty(), "dropped in silence: {lost:?}\n{}", imported.yaml);
}

#[test]
fn every_config_becomes_the_one_beside_it() {
    for name in CONVERTED {
        let imported = convert_config(&tree_of(name), &format!("{name}.yaml")).unwrap();
        let expected = fs::read_to_string(format!("{DATA}/{name}.expected.yaml")).unwrap();
        assert_eq!(imported.yaml, expected, "{name}");
        for item in &imported.left_out {
            assert!(expected.contains(&format!("\n# {item}\n")), "{name} does not tell: {item}");
        }
    }
}

#[test]
fn every_value_is_a_source_or_is_listed() {
    CONVERTED.iter().for_each(|name| assert_all_named(&tree_of(name)));
}

#[test]
fn no_key_of_the_framework_is_taken_for_an_unknown_one() {
    let imported = convert_config(&tree_of("everything"), "everything.yaml").unwrap();
    let unknown = imported.left_out.iter().filter(|item| item.reason == "unknown key").map(|item| item.path.as_str());
    let planted = ["agents.Eve.nickname", "houserules.snacks", "houserules.breaks.first", "houserules.breaks.second"];
    assert_eq!(unknown.collect::<Vec<_>>(), planted);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    let problem = convert_config(&tree_of("mistakes"), "mistakes.yaml").unwrap_err();
    assert_eq!(format!("{problem}\n"), fs::read_to_string(format!("{DATA}/mistakes.expected.txt")).unwrap());
    for (wrong, expected) in [
        ("phase2_rounds: 0", "2:16: phase2_rounds: 0 is not in 1 … 1000000"),
        ("phase2_rounds: \"6\"", "2:16: phase2_rounds: expected a whole number, found the text \"6\""),
        (
            "distribution_range_phase2: [2]",
            "2:28: distribution_range_phase2: expected two numbers, [least, most], found a list",
        ),
        (
            "distribution_range_phase1: [2, 1]",
            "2:28: distribution_range_phase1: expected two positive numbers, the smaller first",
        ),
        (
            "income_class_probabilities: { high: 0.5 }",
            "2:29: income_class_probabilities: the probabilities add up to 1.45, not to 1",
        ),
        (
            "speaking_order_strategy: rondom",
            "2:26: speaking_order_strategy: unknown value \"rondom\"; did you mean \"random\"?",
        ),
        ("language: Klingon", "2:11: language: expected English, Spanish or Mandarin, found \"Klingon\""),
        ("logging: loud", "2:10: logging: expected a mapping, found the text \"loud\""),
        ("logging: { use_colors: 3 }", "2:24: logging.use_colors: expected true or false, found 3"),
        ("seed: -1", "2:7: seed: -1 is not in 0 … 9007199254740991"),
        ("manipulator: { name: Adda }", "2:22: manipulator.name: no agent is named \"Adda\"; did you mean \"Ada\"?"),
        (
            "phase2_settings: { memory_management: { guidance_style: poem } }",
            "2:57: phase2_settings.memory_management.guidance_style: unknown value \"poem\"; known here: narrative, structured",
        ),
    ] {
        let problem = imported(&format!("{AGENTS}{wrong}\n")).unwrap_err();
        assert_eq!(problem.to_string(), format!("their.yaml:{expected}"), "{wrong}");
    }
    for (wrong, expected) in [
        ("seed: 1", "their.yaml:1:1: the key \"agents\" is missing"),
        ("agents: none", "their.yaml:1:9: agents: expected a list, found the text \"none\""),
        ("agents: [{ name: A, personality: P }]", "their.yaml:1:9: agents: expected a list of at least two agents"),
        ("agents: [{ name: A, personality: P }, 3]", "their.yaml:1:39: agents.1: expected a mapping, found 3"),
        (
            "agents: [{ name: A, personality: P }, { name: B }]",
            "their.yaml:1:39: agents.B: the key \"personality\" is missing",
        ),
        (
            "agents: [{ name: A, personality: P }, { name: A, personality: P }]",
            "their.yaml:1:47: agents.A.name: an earlier agent has the name \"A\"",
        ),
        (
            "agents: [{ name: A, personality: P, temperature: 2.5 }, { name: B, personality: P }]",
            "their.yaml:1:50: agents.A.temperature: 2.5 is not in 0 … 2",
        ),
        (
            "agents: [{ name: A, personality: P, memory_character_limit: 100 }, { name: B, personality: P }]",
            "their.yaml:1:61: agents.A.memory_character_limit: 100 is less than 300",
        ),
        (
            "agents: [{ name: A, personality: P, model: ollama/ }, { name: B, personality: P }]",
            "their.yaml:1:18: agents.A.name: the agent's model has no name",
        ),
    ] {
        assert_eq!(imported(wrong).unwrap_err().to_string(), expected, "{wrong}");
    }
}

#[test]
fn what_decides_the_order_of_speaking_is_weighed_as_there() {
    for (text, order) in [
        ("", "random"),
        ("speaking_order_strategy: random", "random"),
        ("speaking_order_strategy: conversational", "random"),
        ("speaking_order_strategy: fixed", "rotating"),
        ("randomize_speaking_order: no", "rotating"),
        ("randomize_speaking_order: true\nspeaking_order_strategy: fixed", "rotating"),
        ("randomize_speaking_order: false\nspeaking_order_strategy: random", "rotating"),
    ] {
        assert_eq!(ours(text, "discussion.order"), order, "{text}");
    }
}

#[test]
fn a_manipulator_is_a_seat_with_the_role_unless_it_is_switched_off() {
    let role = |text: &str| {
        let imported = imported(&format!("{AGENTS}{text}")).unwrap();
        config_of(&imported).get("seats").unwrap().items()[1].get("role").map(Node::to_json)
    };
    assert_eq!(
        role("manipulator: { name: Bo, target_strategy: least_popular_after_round1 }"),
        Some("manipulator".into())
    );
    assert_eq!(role("manipulator: { name: Bo, enabled: false }"), None);
    assert_eq!(role("manipulator: { type: disruptive }"), None);
    assert_eq!(
        left_out("manipulator: { name: Bo, target_strategy: fixed, target: maximizing_floor, tiebreak_order: [a] }"),
        [
            "NotCarriedOver manipulator.target_strategy",
            "NotCarriedOver manipulator.target",
            "NotCarriedOver manipulator.tiebreak_order"
        ]
    );
}

#[test]
fn classes_are_equal_where_the_framework_takes_them_so() {
    for (text, weights) in [
        ("", "0.2/0.2/0.2/0.2/0.2"),
        ("income_class_probabilities: {}", "0.05/0.1/0.5/0.25/0.1"),
        ("income_class_probabilities: { high: 0.1, medium_high: 0.05 }", "0.1/0.05/0.5/0.25/0.1"),
    ] {
        assert_eq!(ours(text, "parameters.sample_weights"), weights, "{text}");
    }
}

#[test]
fn what_has_too_many_decimals_is_rounded_and_listed() {
    let thirds = "income_class_probabilities: { high: 0.333333333, medium_high: 0.333333333, medium: 0.333333334, \
                  medium_low: 0, low: 0 }";
    assert_eq!(ours(thirds, "parameters.sample_weights"), "0.333333/0.333333/0.333334/0.0/0.0");
    assert!(left_out(thirds).contains(&"CarriedInPart income_class_probabilities".to_owned()));
    let range = "distribution_range_phase2: [0.66666, 1.5]";
    assert_eq!(ours(range, "parameters.settlement_multiplier_min"), 0.667);
    assert!(left_out(range).contains(&"CarriedInPart distribution_range_phase2".to_owned()));
    let share = "phase2_settings: { memory_compression_threshold: 0.6 }";
    assert!(ours(share, "memory.memory_compression_threshold").is_null());
    assert!(left_out(share).contains(&"NotCarriedOver phase2_settings.memory_compression_threshold".to_owned()));
}

#[test]
fn one_of_a_list_of_models_is_drawn_for_each_agent_by_the_seed_and_the_draw_is_reported() {
    let list = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"];
    let drawn = |seed: i64| -> Vec<String> {
        let agents: Vec<String> = (1..=40)
            .map(|n| format!("- {{ name: Agent_{n}, personality: P, model: [{}] }}", list.join(", ")))
            .collect();
        let imported = imported(&format!("seed: {seed}\nagents:\n{}\n", agents.join("\n"))).unwrap();
        let config = config_of(&imported);
        let models = config.get("models").unwrap();
        let seats = config.get("seats").unwrap().items().iter().enumerate();
        seats
            .map(|(n, seat)| {
                let model = models.get(seat.get("model").unwrap().as_text().unwrap()).unwrap();
                let model = model.find("openai.model").unwrap().as_text().unwrap().to_owned();
                let item = imported.left_out.iter().find(|item| item.path == format!("agents.Agent_{}.model", n + 1));
                let item = item.unwrap().to_string();
                assert!(
                    item.starts_with("carried over in part: ") && item.contains(&format!("\"{model}\" was drawn")),
                    "{item}"
                );
                model
            })
            .collect()
    };
    let first = drawn(7);
    assert_eq!(first, drawn(7));
    assert_ne!(first, drawn(8));
    for model in list {
        let times = first.iter().filter(|drawn| *drawn == model).count();
        assert!((5..=25).contains(&times), "{model}: {times} of 40");
    }
    for (model, expected) in [
        ("[]", "agents.A.model: the list of models is empty"),
        ("[1, 2]", "agents.A.model: expected a list of texts, found a list"),
        ("{ a: 1 }", "agents.A.model: expected text, found a mapping"),
    ] {
        let text = format!("agents: [{{ name: A, personality: P, model: {model} }}, {{ name: B, personality: P }}]");
        let problem = imported(&text).unwrap_err().to_string();
        assert!(problem.ends_with(expected), "{problem}");
    }
}

#[test]
fn the_share_that_memories_are_compressed_to_is_carried_over() {
    let read = |threshold: &str, target: &str| {
        let text = format!("phase2_settings: {{ {threshold}memory_compression_target: {target} }}");
        let share = |key: &str| ours(&text, &format!("memory.memory_compression_{key}"));
        (share("threshold"), share("target"), left_out(&text))
    };
    assert_eq!(read("", "0.5"), (0.9.into(), 0.5.into(), vec![]));
    assert_eq!(read("memory_compression_threshold: 0.55, ", "0.5"), (0.55.into(), 0.5.into(), vec![]));
    let target = vec!["NotCarriedOver phase2_settings.memory_compression_target".to_owned()];
    assert_eq!(
        read("memory_compression_threshold: 0.8, ", "0.8"),
        (0.8.into(), serde_json::Value::Null, target.clone())
    );
    assert_eq!(read("", "0"), (0.9.into(), serde_json::Value::Null, target));
}

#[test]
fn a_memory_of_5000_characters_has_room_for_the_results_of_its_file() {
    let place = tempfile::tempdir().unwrap();
    let theirs = place.path().join("theirs.yaml");
    let agents = ["Agent_1", "Agent_2"].map(|name| {
        format!("- {{ name: {name}, personality: You are a student, model: \"ollama/gemma3:1b\", temperature: 0, memory_character_limit: 5000 }}\n")
    });
    let rest = "phase2_rounds: 5\ndistribution_range_phase2: [2, 6]\noriginal_values_mode: { enabled: true }\n";
    fs::write(&theirs, format!("language: English\nseed: 42\nagents:\n{}{rest}", agents.concat())).unwrap();
    let config = place.path().join("ours.yaml");
    ekklesia(&["import", "rawls", text(&theirs), "--out", text(&config)]).says(0, &["written"]);
    let set = ["--set", "models.gemma3-1b={ simulated: {} }"];
    ekklesia(&[&["check", text(&config)], &set[..]].concat()).says(0, &[]);
    let results = place.path().join("results");
    ekklesia(&[&["run", text(&config), "--out", text(&results)], &set[..]].concat()).says(0, &["1 of 1 sessions"]);
}

#[test]
fn every_event_goes_through_the_model_unless_updates_are_selective() {
    let routed = |text: &str| ours(text, "memory.routing").as_object().unwrap().clone();
    for (text, count) in [("", 1), ("selective_memory_updates: true", 1), ("selective_memory_updates: false", 11)] {
        let routed = routed(text);
        assert_eq!((routed.len(), &routed["statement"]), (count, &"integrated".into()), "{text}");
        assert!(routed.values().all(|strategy| strategy == "integrated"));
    }
}

fn resolved(config: &Path) -> Result<ResolvedExperiment, Problems> {
    Inputs::read_config(config, Overrides::default())?.resolve()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_comes_out_is_a_config_that_runs() {
    let place = tempfile::tempdir().unwrap();
    for name in CONVERTED {
        let config = place.path().join(format!("{name}.yaml"));
        ekklesia(&["import", "rawls", &format!("{DATA}/{name}.yaml"), "--out", text(&config)]).says(0, &["written"]);
        let arms = resolved(&config).unwrap_or_else(|problem| panic!("{problem}")).experiment.arms;
        assert_eq!(arms.len(), 1, "{name}");
        let results = place.path().join(format!("results/{name}"));
        let models = yaml::read_document(&fs::read(&config).unwrap(), "ours.yaml", Origin::Config).unwrap();
        let models = models.get("models").unwrap().entries().iter();
        let set: Vec<String> = models.map(|model| format!("models.{}={{ simulated: {{}} }}", model.key)).collect();
        let mut arguments = vec!["run", text(&config), "--out", text(&results)];
        set.iter().for_each(|set| arguments.extend(["--set", set]));
        ekklesia(&arguments).says(0, &["1 of 1 sessions completed"]);
    }
}

#[test]
fn the_scenario_is_built_in_wherever_the_new_file_is() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("mine.yaml");
    ekklesia(&["import", "rawls", &format!("{DATA}/minimal.yaml"), "--out", text(&out)]).says(0, &["written"]);
    let config = yaml::read_document(&fs::read(&out).unwrap(), "ours.yaml", Origin::Config).unwrap();
    assert_eq!(config.get("scenario").unwrap().as_text(), Some("builtin:justice"));
    assert!(resolved(&out).is_ok());
}

#[test]
fn names_are_made_of_what_a_name_holds() {
    let tree = yaml::read_document(AGENTS.as_bytes(), "their.yaml", Origin::Config).unwrap();
    for (file, expected) in [
        ("configs/their_config.yaml", "their_config"),
        ("a b.c.yml", "a-b-c"),
        ("C:\\data\\run-1.yaml", "run-1"),
        ("2024.yaml", "rawls-2024"),
        ("null.yaml", "rawls-null"),
        ("ü.yaml", "rawls"),
    ] {
        let config = config_of(&convert_config(&tree, file).unwrap());
        assert_eq!(config.get("experiment").unwrap().as_text(), Some(expected), "{file}");
    }
    for (name, expected) in [
        ("Dr. Who", "Dr Who"),
        ("'7'", "Agent 7"),
        ("''", "Agent"),
        ("艾丽丝", "艾丽丝"),
        ("'-x'", "Agent -x"),
        ("O'Hara", "O'Hara"),
    ] {
        let text = format!("agents: [{{ name: {name}, personality: A }}, {{ name: Bo, personality: B }}]");
        let config = config_of(&imported(&text).unwrap());
        assert_eq!(config.get("seats").unwrap().items()[0].get("name").unwrap().as_text(), Some(expected), "{name}");
    }
    for (model, expected) in
        [("gpt-4.1-nano", "gpt-4-1-nano"), ("a/b:c", "b-c"), ("ollama/3e5", "model-3e5"), ("x/true", "model-true")]
    {
        let text =
            format!("agents: [{{ name: A, personality: A, model: \"{model}\" }}, {{ name: B, personality: B }}]");
        let config = config_of(&imported(&text).unwrap());
        assert_eq!(config.get("models").unwrap().entries()[0].key, expected, "{model}");
    }
}

#[test]
fn a_file_without_a_seed_gets_the_same_one_every_time() {
    let seed = ours("", "seed");
    assert!((0..1_i64 << 31).contains(&seed.as_i64().unwrap()), "{seed}");
    assert_eq!(ours("# a comment", "seed"), seed);
    assert_ne!(ours("phase2_rounds: 9", "seed"), seed);
    assert!(ours("seed: null", "seed").is_i64());
}

#[test]
fn the_file_is_printed_or_written_once_and_the_rest_is_told_on_stderr() {
    let place = tempfile::tempdir().unwrap();
    let file = format!("{DATA}/manipulator.yaml");
    let printed = ekklesia(&["import", "rawls", &file]);
    printed.says(0, &["not carried over: manipulator.tiebreak_seed: 1002153269 — "]);
    let config = yaml::read_document(printed.stdout.as_bytes(), "stdout", Origin::Config).unwrap();
    assert_eq!(config.get("experiment").unwrap().as_text(), Some("manipulator"));

    let out = place.path().join("mine.yaml");
    ekklesia(&["import", "rawls", &file, "--out", text(&out)]).says(0, &["mine.yaml: written", "not carried over: "]);
    assert_eq!(fs::read_to_string(&out).unwrap(), printed.stdout);
    fs::write(&out, "mine").unwrap();
    ekklesia(&["import", "rawls", &file, "--out", text(&out)]).says(2, &["mine.yaml", "already"]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");

    let nowhere = place.path().join("no/such/mine.yaml");
    ekklesia(&["import", "rawls", &file, "--out", text(&nowhere)]).says(1, &[text(&nowhere)]);
    let missing = place.path().join("missing.yaml");
    ekklesia(&["import", "rawls", text(&missing)]).says(2, &["missing.yaml: no such file"]);
    let wrong = format!("{DATA}/mistakes.yaml");
    let told = ekklesia(&["import", "rawls", &wrong]);
    told.says(2, &["mistakes.yaml:5:18: agents.Ada.temperature"]);
    assert_eq!(told.stdout, "");
    assert!(Path::new("docs/src/howto/coming-from-rawls-v3.md").exists(), "the help names it");
}

/// The tree without what `keep` says no to, counting keys of the file and of its sections.
fn thinned(tree: &Node, keep: &[bool]) -> Node {
    let mut keep = keep.iter().copied().cycle();
    let mut kept = |entry: &MapEntry| entry.key == "agents" || keep.next() == Some(true);
    let mut tree = tree.clone();
    if let Value::Map(entries) = &mut tree.value {
        entries.retain(|entry| kept(entry));
        for entry in entries.iter_mut().filter(|entry| entry.key != "income_class_probabilities") {
            if let Value::Map(inner) = &mut entry.node.value {
                inner.retain(|entry| kept(entry));
            }
        }
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..law_cases(16) })]

    #[test]
    fn nothing_is_dropped_whichever_keys_are_there(keep in prop::collection::vec(any::<bool>(), 97)) {
        assert_all_named(&thinned(&tree_of("everything"), &keep));
    }

    #[test]
    #[ignore = "slowest: `.ci/full` runs it"]
    fn it_resolves_whichever_keys_are_there(keep in prop::collection::vec(any::<bool>(), 97)) {
        let tree = thinned(&tree_of("everything"), &keep);
        let place = tempfile::tempdir().unwrap();
        let config = place.path().join("ours.yaml");
        fs::write(&config, convert_config(&tree, "their.yaml").unwrap().yaml).unwrap();
        let resolved = resolved(&config);
        prop_assert!(resolved.is_ok(), "{}", resolved.unwrap_err());
    }

    #[test]
    fn names_and_personalities_arrive_as_they_are(persona in any::<String>(), key in any::<String>()) {
        let mut tree = tree_of("minimal");
        let agent = tree.child_mut("agents").unwrap().child_mut("Bo").unwrap();
        let place = agent.place.clone();
        agent.insert_entry(MapEntry { key: "personality".to_owned(), place: place.clone(), node: Node::from_text(&persona, place.clone()) });
        let unknown = format!("x{key}");
        tree.insert_entry(MapEntry { key: unknown.clone(), place: place.clone(), node: Node::from_text(&persona, place) });
        let imported = convert_config(&tree, "their.yaml").unwrap();
        let config = config_of(&imported);
        prop_assert_eq!(config.get("seats").unwrap().items()[1].get("persona").unwrap().as_text(), Some(persona.as_str()));
        let listed = imported.left_out.iter().find(|item| item.path == unknown).unwrap();
        prop_assert_eq!(listed.value.clone(), Some(serde_json::Value::from(persona).to_string()));
    }
}
