//! What `init` leaves runs at once, and completions are scripts that their shells can read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::fixtures::cli::{self, ekklesia, ended, everything, program, text};
use crate::fixtures::sample::sample_cases;

#[test]
fn a_starter_runs_in_its_own_folder_and_replays() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("my-study");
    ekklesia(&["init", text(&folder)]).says(0, &["experiment.yaml", "ekklesia run experiment.yaml", "personas.csv"]);
    let there = |arguments: &[&str]| ended(program(arguments).current_dir(&folder));
    there(&["run", "experiment.yaml", "--replicates", "2"]).says(0, &["my-study · 4 of 4 sessions completed"]);
    there(&["replay", "results/my-study"]).says(0, &["no divergence"]);
    there(&["show", "results/my-study/sessions/talk-r000001"]).says(0, &["Alice"]);
    let seats = fs::read_to_string(folder.join("results/my-study/seats.csv")).unwrap();
    assert!(seats.lines().next().unwrap().contains("persona_id"));
}

#[test]
fn the_commands_of_the_starters_readme_are_those_of_the_program() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("study");
    ekklesia(&["init", text(&folder)]).says(0, &[]);
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("ekklesia ")).collect();
    assert_eq!(commands.len(), 4);
    for command in commands {
        let arguments: Vec<&str> = command.split(' ').collect();
        ended(program(&arguments).current_dir(&folder)).says(0, &[]);
    }
}

#[test]
fn a_starter_holds_the_shipped_scenario_and_personas() {
    let place = tempfile::tempdir().unwrap();
    ekklesia(&["init", text(&place.path().join("s"))]).says(0, &[]);
    let made = cli::everything(&place.path().join("s"));
    let scenario = String::from_utf8(made[Path::new("scenario/scenario.yaml")].clone()).unwrap();
    let shipped = fs::read_to_string("scenarios/motion/scenario.yaml").unwrap();
    let (in_english, _) = shipped.split_once("\n# The same texts in other languages.").unwrap();
    assert!(scenario.ends_with(in_english.split_once('\n').unwrap().1));
    assert!(!made.keys().any(|path| path.starts_with("scenario/prompts")));
    assert!(made[Path::new("personas.csv")] == fs::read("configs/personas.csv").unwrap());
}

/// The blocks of YAML that a starter's config holds out of use: the lines of each, and whether it takes the place of the line
/// below it, as the words above say.
fn blocks(config: &str) -> Vec<(std::ops::Range<usize>, bool)> {
    let lines: Vec<&str> = config.lines().collect();
    let is_unused =
        |line: &str| line.strip_prefix('#').is_some_and(|yaml| !yaml.starts_with(' ') || yaml.starts_with("  "));
    let mut blocks: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
    let mut replaces = false;
    for (place, line) in lines.iter().enumerate() {
        match blocks.last_mut() {
            Some((last, _)) if is_unused(line) && last.end == place => last.end += 1,
            _ if is_unused(line) => blocks.push((place..place + 1, replaces)),
            _ if line.is_empty() => replaces = false,
            _ => replaces |= line.starts_with("# ") && line.contains("in place of the line below"),
        }
    }
    blocks
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_block_out_of_use_can_be_put_to_use_alone_and_all_together() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("s");
    ekklesia(&["init", text(&folder)]).says(0, &["ekklesia check experiment.yaml"]);
    let config = fs::read_to_string(folder.join("experiment.yaml")).unwrap();
    let blocks = blocks(&config);
    assert!(blocks.len() >= 5, "{blocks:?}");
    let using = |used: &[(std::ops::Range<usize>, bool)]| -> String {
        let is_used = |place: usize| used.iter().any(|(lines, _)| lines.contains(&place));
        let is_replaced = |place: usize| used.iter().any(|(lines, replaces)| *replaces && lines.end == place);
        let lines = config.lines().enumerate().filter(|(place, _)| !is_replaced(*place));
        lines
            .map(|(place, line)| line.strip_prefix(if is_used(place) { "#" } else { "" }).unwrap().to_owned() + "\n")
            .collect()
    };
    let singly = blocks.chunks(1);
    for used in sample_cases(singly.chain([&blocks[..]]), 3) {
        let text = using(used);
        fs::write(folder.join("experiment.yaml"), &text).unwrap();
        let told = ended(program(&["check", "experiment.yaml"]).current_dir(&folder));
        assert_eq!(told.code, Some(0), "{used:?}: {told:#?}\n{text}");
        assert!(!told.stdout.contains("warning") || used.len() > 1, "{used:?}: {told:#?}");
    }
    assert_eq!(using(&[]), config);
}

#[test]
fn a_starter_overwrites_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("full");
    fs::create_dir(&folder).unwrap();
    ekklesia(&["init", text(&folder)]).says(0, &["full/"]);
    fs::write(folder.join("experiment.yaml"), "mine").unwrap();
    ekklesia(&["init", text(&folder)]).says(2, &["is not empty"]);
    assert_eq!(fs::read_to_string(folder.join("experiment.yaml")).unwrap(), "mine");
    ekklesia(&["init", text(&folder.join("experiment.yaml"))]).says(2, &["is no folder"]);
}

#[test]
fn a_folder_whose_name_is_none_for_an_experiment_gets_another() {
    let place = tempfile::tempdir().unwrap();
    let cases = [
        ("true", "true", ""),
        ("2024-pilot", "2024-pilot", ""),
        ("2024", "my-experiment", "\"2024\" is all digits"),
        ("1e5", "my-experiment", "\"1e5\" reads as a number"),
        ("NA", "my-experiment", "\"NA\" means something else to programs that read tables"),
        ("ä b", "my-experiment", "\"ä b\" is no name for a folder"),
    ];
    for (folder, name, why) in sample_cases(cases, 3) {
        let folder = place.path().join(folder);
        let told = ekklesia(&["init", text(&folder)]);
        told.says(0, &[&format!("results/{name}")]);
        let lines: Vec<&str> = told.stdout.split_whitespace().collect();
        assert!(lines.join(" ").contains(why), "{told:?}");
        let is_renamed = told.stdout.contains(" named   my-experiment, since an experiment cannot be called so");
        assert_eq!(is_renamed, !why.is_empty(), "{told:?}");
        let told = ended(program(&["run", "experiment.yaml", "--replicates", "1"]).current_dir(&folder));
        told.says(0, &[&format!("{name} · 2 of 2")]);
    }
}

#[test]
fn the_next_steps_can_be_typed_whatever_the_folder_is_called() {
    let place = tempfile::tempdir().unwrap();
    for folder in ["plain", "my exp", "it's $HOME; true", "~"] {
        let told = ended(program(&["init", folder]).current_dir(place.path()));
        told.says(0, &[]);
        let steps: Vec<&str> = told.stdout.lines().filter_map(|line| line.get(9..)).collect();
        let go = steps.iter().find(|step| step.starts_with("cd ")).unwrap();
        let mut shell = Command::new("bash");
        shell.args(["-euc", &format!("{go}; cat experiment.yaml")]).current_dir(place.path());
        ended(&mut shell).says(0, &["scenario: scenario"]);
    }
}

#[test]
fn every_schema_that_a_starter_names_is_there() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("study");
    ekklesia(&["init", text(&folder)]).says(0, &[]);
    for yaml in ["experiment.yaml", "scenario/scenario.yaml"] {
        let yaml = folder.join(yaml);
        let written = fs::read_to_string(&yaml).unwrap();
        // An editor looks for the comment at the top of the file.
        let schema = written.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap();
        let schema = fs::read_to_string(yaml.with_file_name(schema)).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&schema).unwrap().is_object());
    }
}

#[test]
fn completions_name_every_verb_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let told = ekklesia(&["completions", shell]);
        let verbs = ["run", "check", "why", "compare", "replay", "fork", "show", "export", "import", "schema", "init"];
        told.says(0, &verbs);
        told.says(0, &["ekklesia", "without-program", "completions"]);
    }
    ekklesia(&["completions", "tcsh"]).says(2, &["possible values"]);
}

#[test]
fn every_verb_has_a_manual_page_that_tells_what_its_help_tells() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one/man1"), dir.path().join("other"));
    ekklesia(&["man", "--out", text(&one)]).says(0, &["pages in"]);
    ekklesia(&["man", "--out", text(&other)]).says(0, &[]);
    assert_eq!(everything(&one), everything(&other), "pages hold no date");
    let help = ekklesia(&["--help"]).stdout;
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs = verbs.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let verbs: Vec<&str> = verbs.filter(|verb| *verb != "help").collect();
    assert!(verbs.contains(&"run") && verbs.contains(&"man"), "{verbs:?}");
    for verb in verbs {
        let page = fs::read_to_string(one.join(format!("ekklesia-{verb}.1"))).unwrap().replace('\\', "");
        let told = ekklesia(&[verb, "--help"]).stdout;
        let options = told.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 3);
        for option in options.map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric())) {
            let option = option.split(['=', '[']).next().unwrap();
            assert!(page.contains(option), "{verb}: {option}");
        }
        let about = told.lines().next().unwrap().trim_end_matches('.');
        let first: String = about.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        assert!(page.contains(&first), "{verb}: {first}");
    }
    let page = fs::read_to_string(one.join("ekklesia.1")).unwrap();
    assert!(
        ["EXIT STATUS", "130", "EXAMPLES", "ekklesia 0.", "ekklesia\\-serve(1)"]
            .iter()
            .all(|words| page.contains(words)),
        "{page}"
    );
    assert!(one.join("ekklesia-import-rawls.1").exists());
}

#[test]
fn bash_completes_a_verb_and_an_option() {
    let script = ekklesia(&["completions", "bash"]).stdout;
    let asked = "\nCOMP_WORDS=(ekklesia exp); COMP_CWORD=1; _ekklesia ekklesia exp ekklesia; echo \"${COMPREPLY[@]}\"
COMP_WORDS=(ekklesia export --form); COMP_CWORD=2; _ekklesia ekklesia --form export; echo \"${COMPREPLY[@]}\"\n";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &format!("{script}{asked}")]).stdin(Stdio::null());
    let told = ended(&mut bash);
    assert_eq!(told.stdout.lines().collect::<Vec<_>>(), ["export", "--format"], "{told:?}");
}
