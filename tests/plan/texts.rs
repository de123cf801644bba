//! The texts of a scenario: which are templates, and what they may print; and a mechanism whose settings are left as they are.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::desk::copy::copy;
use ekklesia::config::ResolvedExperiment;
use ekklesia::mechanism::{Average, Multiplier};
use ekklesia::plan::{PhaseKind, Plan, TestFailurePolicy};
use ekklesia::store::inputs::{Inputs, Overrides};

const SCENARIO: &str = r#"
scenario: trial
title: A trial
parameters:
  town: { type: text, default: Altdorf, help: The name of the town. }
motion: { text: "What does {{ parameters.town }} do?" }
alternatives:
  - { name: park, label: "A park for {{ parameters.town }}" }
  - { name: none, label: "Nothing {of this}, #1" }
agenda:
  - { name: welcome, brief: { text: Welcome. } }
  - { name: talk, discussion: {} }
  - { name: vote, vote: {} }
default_mind: { voter: { copy: 0.3 } }
discussion: { rounds: 1 }
"#;
const CONFIG: &str = "
experiment: trial
scenario: scenario
seed: 1
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ count: 3 }]
";

/// A folder with a scenario on the prompts of the shipped motion, and a config.
fn desk(scenario: &str, config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(Path::new("scenarios/motion"), &folder.path().join("scenario"));
    fs::write(folder.path().join("scenario/scenario.yaml"), scenario).unwrap();
    fs::write(folder.path().join("config.yaml"), config).unwrap();
    fs::write(folder.path().join("items.csv"), "id,text\nx,Now?\ny,Then?\n").unwrap();
    folder
}

fn plans(scenario: &str, config: &str) -> Result<Vec<Arc<Plan>>, String> {
    let folder = desk(scenario, config);
    let inputs = Inputs::read_config(&folder.path().join("config.yaml"), Overrides::default());
    let resolved = inputs.and_then(|inputs| inputs.resolve());
    let shown = format!("{}/", folder.path().display());
    resolved.map(|resolved| resolved.experiment.arms).map_err(|problems| problems.to_string().replace(&shown, ""))
}

#[test]
fn a_label_is_a_template_over_parameters_as_the_motion_is() {
    let design = "design: { factors: { town: { key: parameters.town, levels: [Altdorf, Bern] } } }\n";
    let arms = plans(SCENARIO, &format!("{CONFIG}{design}")).unwrap();
    for (plan, town) in arms.iter().zip(["Altdorf", "Bern"]) {
        assert_eq!(plan.motion.text, format!("What does {town} do?"));
        assert_eq!(plan.motion.alternatives[0].label, format!("A park for {town}"));
        // Braces that open no tag are words.
        assert_eq!(plan.motion.alternatives[1].label, "Nothing {of this}, #1");
    }
    let folder = desk(SCENARIO, CONFIG);
    let shown = ekklesia(&["check", text(&folder.path().join("config.yaml")), "--show", "Member 1:ballot"]);
    shown.says(0, &["- park: A park for Altdorf"]);
}

#[test]
fn what_a_label_prints_and_nobody_declares_is_told_with_its_line() {
    let wrong = SCENARIO.replace("A park for {{ parameters.town }}", "A park for {{ parameters.twon }}");
    let told = plans(&wrong, CONFIG).unwrap_err();
    assert!(told.contains("scenario/scenario.yaml:8:"), "{told}");
    assert!(told.contains("alternatives.park.label: unknown variable parameters.twon"), "{told}");
    assert!(told.contains("did you mean \"parameters.town\"?"), "{told}");
    let open = plans(&SCENARIO.replace("A park for {{ parameters.town }}", "A park {{ parameters.town"), CONFIG);
    assert!(open.unwrap_err().contains("alternatives.park.label: the template fails"));
    let alone = SCENARIO.replace("A park for {{ parameters.town }}", "{{ parameters.town }}");
    let empty = plans(&alone, &format!("{CONFIG}parameters: {{ town: \"\" }}\n")).unwrap_err();
    assert!(empty.contains("parameters.town: empty, and so is alternatives.park.label, which prints it"), "{empty}");
}

#[test]
fn a_unit_is_a_template_over_parameters() {
    let coin = "parameters:\n  coin: { type: text, default: francs, help: What is counted. }\n";
    let (scenario, unit) = ("estimation", "unit: pounds");
    let folder = desk(SCENARIO, &CONFIG.replace("scenario: scenario", &format!("scenario: {scenario}")));
    copy(&Path::new("scenarios").join(scenario), &folder.path().join(scenario));
    let file = folder.path().join(scenario).join("scenario.yaml");
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains(unit) && written.contains("\nparameters:\n"), "{scenario}: {written}");
    let printed = |words: &str| written.replacen("parameters:\n", coin, 1).replace(unit, words);
    let units = |words: &str| {
        fs::write(&file, printed(words)).unwrap();
        let inputs = Inputs::read_config(&folder.path().join("config.yaml"), Overrides::default());
        let resolved = inputs.and_then(|inputs| inputs.resolve()).map_err(|problems| problems.to_string());
        resolved.map(|resolved| resolved.experiment.arms[0].motion.unit.clone())
    };
    assert_eq!(units("unit: \"{{ parameters.coin }}\"").unwrap().as_deref(), Some("francs"));
    let told = units("unit: \"{{ parameters.coins }}\"").unwrap_err();
    assert!(told.contains("unit: unknown variable parameters.coins; did you mean"), "{told}");
}

#[test]
fn the_question_of_an_item_is_printed_by_motion_and_briefs_and_nowhere_else() {
    let asking = SCENARIO.replace("What does {{ parameters.town }} do?", "{{ item.text }}");
    let items = format!("{CONFIG}items: {{ file: items.csv, id: id, text: text }}\n");
    let brief = asking.replace("brief: { text: Welcome. }", "brief: { text: \"Think: {{ item.text }}\" }");
    assert_eq!(plans(&brief, &items).unwrap().len(), 1);
    let told_alone = "facts:\n  - { id: F1, text: \"Of {{ item.text }}\" }\n  - { id: F2, text: Two }\ndeal: { intro: \"On {{ item.text }}\" }\n";
    let label = brief.replace("A park for {{ parameters.town }}", "A park: {{ item.text | lower }}");
    let told = plans(&format!("{label}{told_alone}"), &items).unwrap_err();
    for path in ["alternatives.park.label", "facts.0.text", "deal.intro"] {
        assert!(
            told.contains(&format!("{path}: unknown variable item.text; only the motion and briefs print")),
            "{told}"
        );
    }
    assert_eq!(told.matches("unknown variable").count(), 3, "{told}");
}

/// A scenario that pays, without a setting of its own.
const PAYING: &str = r#"
scenario: valley
title: A valley
parameters:
  wording: { type: text, default: neutral, help: Read by the prompts. }
  frame: { type: text, default: gain, help: Read by the prompts. }
motion: { text: By which rule shall the valley share its water? }
alternatives:
  - { name: driest, label: The driest field }
  - { name: total, label: The average }
mechanism:
  income_principles:
    principles: { driest: floor, total: average }
    classes: [high, medium_high, medium, medium_low, low]
    sample:
      weights: { high: 0.1, medium_high: 0.2, medium: 0.4, medium_low: 0.2, low: 0.1 }
      tables: [[30000, 26000, 22000, 14000, 8000], [24000, 21000, 18000, 15000, 12000]]
agenda:
  - { name: talk, discussion: {} }
  - { name: vote, vote: {} }
  - { name: harvest, pay: { mechanism: income_principles } }
default_mind: { quantal_response: {} }
discussion: { rounds: 1 }
"#;

fn paying(scenario: &str) -> Result<Arc<Plan>, String> {
    resolved_paying(scenario).map(|mut resolved| resolved.experiment.arms.remove(0))
}

fn resolved_paying(scenario: &str) -> Result<ResolvedExperiment, String> {
    let folder = desk(scenario, CONFIG);
    copy(Path::new("scenarios/justice/prompts"), &folder.path().join("scenario/prompts"));
    // These tell of what the scenario has none of.
    for template in ["explanation", "vote_process"] {
        fs::remove_file(folder.path().join(format!("scenario/prompts/en/{template}.j2"))).unwrap();
    }
    let inputs = Inputs::read_config(&folder.path().join("config.yaml"), Overrides::default());
    inputs.and_then(|inputs| inputs.resolve()).map_err(|problems| problems.to_string())
}

#[test]
fn a_mechanism_whose_settings_are_left_out_pays_by_its_tables_as_they_are_written() {
    let plan = paying(PAYING).unwrap();
    let income = plan.income_principles().unwrap();
    let one = Multiplier { least: 1_000, greatest: 1_000 };
    assert_eq!((income.settlement, income.drawn, income.average), (one, None, Average::Weighted));
    assert_eq!((income.application_cents, income.settlement_cents), (100, 500));
    assert_eq!(income.sample.weights_ppm, [100_000, 200_000, 400_000, 200_000, 100_000]);
    assert!(income.applications.is_empty());
    // Whoever reads the plan finds what holds, and what was left out is no part of what a session is.
    let resolved = resolved_paying(PAYING).unwrap();
    for line in [
        "average: weighted",
        "sample_weights: scenario",
        "comprehension: none",
        "settlement_multiplier_max: 1",
        "dollars_per_10000_settlement: 5",
    ] {
        assert!(resolved.plan_yaml.contains(&format!("  {line} # default\n")), "{line}: {}", resolved.plan_yaml);
    }
    assert!(resolved.identities[0].1.keys().all(|key| !key.starts_with("parameters.average")));
}

#[test]
fn what_a_scenario_asks_and_practises_is_asked_and_practised_unless_a_parameter_says_otherwise() {
    let more = r#"    situations:
      A:
        weights: { high: 0.2, medium_high: 0.2, medium: 0.2, medium_low: 0.2, low: 0.2 }
        tables: [[5, 4, 3, 2, 1], [9, 4, 3, 2, 0]]
    comprehension:
      - { alternative: driest }
      - { alternative: total }
      - { alternative: driest }
agenda:
  - { name: test, ask: { comprehension: {} } }
  - { name: practice, ask: { application: {} } }
"#;
    let whole = PAYING.replace("agenda:\n", more);
    let plan = paying(&whole).unwrap();
    let test = plan.agenda.iter().find_map(|phase| match &phase.kind {
        PhaseKind::Comprehension(test) => Some((test.questions.len(), test.pass_mark, test.failing)),
        _ => None,
    });
    assert_eq!(test, Some((3, 2, TestFailurePolicy::Recorded)));
    let income = plan.income_principles().unwrap();
    assert_eq!(income.applications.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["A"]);
    assert!(!income.applications[0].weights_shown);
    let none = "  comprehension: { type: choice, choices: [none, recorded], default: none, help: The test. }\n  \
                applications_count: { type: int, default: 0, range: [0, 4], help: Practice. }\nmotion:";
    let plan = paying(&whole.replace("motion:", none)).unwrap();
    assert!(
        plan.agenda.iter().all(|phase| !matches!(phase.kind, PhaseKind::Comprehension(_) | PhaseKind::Applications))
    );
    let near = none.replace("comprehension:", "comprehensions:");
    let told = paying(&whole.replace("motion:", &near)).unwrap_err();
    assert!(told.contains("parameters.comprehensions: this is nearly the name of a setting"), "{told}");
    assert!(told.contains("did you mean \"comprehension\"?"), "{told}");
}
