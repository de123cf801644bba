//! The page of methods says what a plan says, arm by arm, and nothing that differs between equal runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::fixtures::desk::{BASE, Desk};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{read, write_config, write_file};
use ekklesia::store::inputs::{Inputs, Overrides};
use ekklesia::store::tables::{ResultsScope, experiment_facts, render_design};

const TWO_ARMS: &str = "\
discussion: { rounds: 3, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [majority, unanimity] }
";

#[test]
fn a_page_tells_the_plan_and_what_differs_between_arms() {
    let desk = Desk::new();
    let experiment = desk.resolve(&format!("{BASE}{TWO_ARMS}")).unwrap().experiment;
    let page = render_design(&experiment, &ResultsScope::Whole);
    for part in [
        "# Methods: `base`\n",
        "It varied 1 factor in 2 arms, with 3 sessions each (the replicates of the arm) and 6 sessions in all.",
        "the seed 7. The same replicate shares its draws in every arm (common random numbers)",
        "- Factor `rule`, 2 levels:\n  - `majority` sets `decision.rule` to `majority`.\n  - `unanimity` sets",
        "No arm was named as the baseline; `ekklesia compare` then takes the first. The config announces no comparison",
        "| `majority` | `majority` | 3 | `b3:",
        "3 of them were simulated, by a rule that is neither a person nor a language model; language models answered for 1.",
        "- `Alice`: member; simulated mind `voter` (`copy` 0.5); persona `A teacher.`.\n",
        "- `Bob`: member; language model `qwen`, temperature 0.7, at most ",
        "- `Member 1` and `Member 2`: member; simulated mind `voter` (`copy` 0.3); no persona.\n",
        "- `for`, put to the seats as `For the motion`\n",
        "The seats talked for at most 3 rounds.",
        "and could declare which alternative it favours. When 2 rounds remained every seat was told so. A secret vote closed each",
        "A secret vote closed each round, and a decision ended the talk.",
        "The language models asked were `qwen`.",
        "In the arm `majority`:\n\nThe rule was `majority`: an alternative was decided for when more than half of the seats that may vote choose it.",
        "In the arm `unanimity`:\n\nThe rule was `unanimity`: ",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    assert_eq!(page.matches("## Seats\n").count(), 1);
    assert!(!page.contains("127.0.0.1") && !page.contains(&desk.folder.path().display().to_string()));
}

#[test]
fn a_phase_that_an_arm_leaves_out_is_said_not_to_take_place_in_it() {
    let place = tempfile::tempdir().unwrap();
    let ask = "ask: [ { id: x, number: { min: 0, max: 10 }, question: Why } ]";
    let scenario = format!(
        "scenario: own\nparameters: {{ helped: {{ type: bool, default: false }} }}\nagenda:\n  - {{ name: first, when: \"true\", {ask} }}\n  \
         - {{ name: help, when: parameters.helped, who: [Ada], {ask} }}\n  - name: again\n    when: \"true\"\n    repeat: {{ times: 2 }}\n    \
         phases: [ {{ name: last, {ask} }} ]\n"
    );
    fs::write(place.path().join("scenario.yaml"), scenario).unwrap();
    let config = place.path().join("config.yaml");
    let seats =
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { name: Ada }, { name: Ben } ]\n";
    let page = |helped: bool| {
        let more = format!("parameters: {{ helped: {helped} }}\n");
        fs::write(&config, format!("experiment: trial\nscenario: .\nseed: 4\n{seats}{more}")).unwrap();
        render_design(&read(&config), &ResultsScope::Whole)
    };
    let without = page(false);
    assert!(
        without.contains("A session had 3 phases, each pass of a repeated block counted:\n\n1. `first`. Every"),
        "{without}"
    );
    assert!(
        without.contains("\n2. `help` did not take place in this arm.\n\n3. `last`, in each of the 2 passes"),
        "{without}"
    );
    assert!(!without.contains("only if") && !without.contains("Where only some take part"), "{without}");
    let with = page(true);
    assert!(
        with.contains("A session had at most 4 phases")
            && with.contains("\n2. `help`, only if `parameters.helped`, in which")
    );
}

#[test]
fn a_page_says_everyone_in_plain_words() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "scenario: own\nagenda:\n  - { name: q, ask: { per: everyone, form: [ { id: p, number: { min: 0, max: 10 }, question: \"How for {{ target.name }}?\" } ] } }\n  \
                  - { name: r, ask: [ { id: s, score: { options: everyone, max: 4 }, question: Rate } ] }\n  \
                  - { name: o, ask: [ { id: t, score: { options: others, max: 4 }, question: Rate } ] }\n";
    fs::write(place.path().join("scenario.yaml"), agenda).unwrap();
    let seats =
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { name: Ada }, { name: Ben } ]\n";
    let config = write_file(place.path(), "config.yaml", format!("experiment: trial\nscenario: .\nseed: 4\n{seats}"));
    let page = render_design(&read(&config), &ResultsScope::Whole);
    assert!(page.contains("a form of 1 question, once about each seat, all at once"), "{page}");
    assert!(page.contains("`s` (a score from 0 to 4 for each of `Ada` and `Ben`):"), "{page}");
    assert!(
        page.contains("`t` (a score from 0 to 4 for each of `Ada` and `Ben`; of these, the seats selected by `others`"),
        "{page}"
    );
}

#[test]
fn a_page_says_that_a_seat_could_pass_only_where_one_could_and_counts_down_only_from_two_rounds() {
    let desk = Desk::new();
    let page = |config: &str| render_design(&desk.resolve(config).unwrap().experiment, &ResultsScope::Whole);
    let script = |lines: &str| {
        let seat = format!("{{ name: Cy, model: sim, mind: {{ scripted: {{ table: [{lines}] }} }} }}");
        page(&BASE.replace("seats:\n", &format!("seats:\n  - {seat}\n")))
    };
    let table = |line: &str| script(&format!("{{ phase: discussion, round: 1, step: statement, {line} }}"));
    assert!(table("pass: true").contains("favours; a seat that follows a script could pass."));
    assert!(!table("statement: I would rather wait.").contains("pass."));
    assert!(!page(&format!("{BASE}discussion: {{ rounds: 1 }}\n")).contains("remained"));
}

#[test]
fn facts_tell_who_sits_where_and_share_their_open_columns() {
    let desk = Desk::new();
    let experiment = desk.resolve(&format!("{BASE}{TWO_ARMS}")).unwrap().experiment;
    let (layout, arms) = experiment_facts(&experiment);
    assert_eq!(layout.factors, ["rule"]);
    assert!(arms.iter().all(|arm| arm.layout == layout));
    let seats: Vec<(&str, Option<&str>)> =
        arms[0].seats.iter().map(|seat| (seat.model.as_str(), seat.mind.as_deref())).collect();
    assert_eq!(seats[..2], [("sim", Some("voter")), ("qwen", None)]);
    assert!(arms[0].decides_in_rounds());
}

#[test]
fn the_shipped_experiments_on_justice_have_a_page_and_open_columns() {
    for config in ["configs/justice.yaml", "configs/justice-memory-by-rule.yaml", "configs/justice-rawls.yaml"] {
        let inputs = Inputs::read_config(Path::new(config), Overrides::default()).unwrap();
        let experiment = inputs.resolve().unwrap().experiment;
        let (layout, arms) = experiment_facts(&experiment);
        assert_eq!(layout.ranked, ["floor", "average", "average_floor", "average_range"], "{config}");
        assert_eq!(layout.traits, ["risk_aversion", "fairness", "precision", "persuasion"], "{config}");
        assert!(arms.iter().all(|arm| arm.mechanism.is_some() && arm.takes_amount == [false, false, true, true]));
        let page = render_design(&experiment, &ResultsScope::Whole);
        for part in ["practice rounds (situations `A`, ", "one number drawn from ", "simulated mind `justice`"] {
            assert!(page.contains(part), "{config}: {part}\n\n{page}");
        }
    }
}

/// The files of a folder whose names end so.
fn shipped(folder: &str, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    files.sort();
    files
}

#[test]
fn every_shipped_experiment_has_a_page_that_names_all_it_varied_and_who_sat_there() {
    let configs = shipped("configs", ".yaml");
    assert!(configs.len() >= 6);
    for config in sample_cases(configs, 4) {
        let experiment = Inputs::read_config(&config, Overrides::default()).unwrap().resolve().unwrap().experiment;
        let page = render_design(&experiment, &ResultsScope::Whole);
        let shown = config.display();
        for heading in ["Design", "Scenario", "Seats", "Procedure", "Decision", "Memory", "Questions and answers"] {
            assert_eq!(page.matches(&format!("\n## {heading}\n")).count(), 1, "{shown}: {heading}");
        }
        for plan in &experiment.arms {
            assert!(page.contains(plan.digest.as_str()) && page.contains(plan.prompts.digest().as_str()), "{shown}");
            let levels = plan.levels.iter().flat_map(|level| &level.sets);
            for (key, value) in levels {
                assert!(page.contains(&format!("`{key}` to `{value}`")), "{shown}: {key}\n\n{page}");
            }
            for phase in &plan.agenda {
                // A comma leads to who takes part, a bracket to what a block says, "did not" to a phase that this arm leaves out. The
                // passes and groups of a block are one entry.
                let name = phase.name.written();
                let is_named = [". ", ", ", " (", " did not take place"]
                    .iter()
                    .any(|next| page.contains(&format!(". `{name}`{next}")));
                assert!(is_named, "{shown}: {}", phase.name);
            }
            // Items that bring options of their own are in their file.
            let are_of_items = experiment.items.values().any(|item| !item.options.is_empty());
            for alternative in plan.motion.alternatives.iter().filter(|_| !are_of_items) {
                assert!(page.contains(&alternative.label), "{shown}: {}", alternative.name);
            }
            let by_model = plan.models.iter().filter(|_| !plan.is_simulated());
            by_model.for_each(|model| assert!(page.contains(&format!("were `{}`.", model.model)), "{shown}"));
            assert_eq!(plan.is_simulated(), page.contains("All were simulated: a mind is a rule"), "{shown}");
        }
        // What a page may not hold: where things lie, when they were, and sentences that broke in two.
        for part in ["http", "  -  ", " .", " ,", "..", "``", " s "] {
            let prose = page.lines().filter(|line| !line.starts_with("    ") && !line.contains("persona `"));
            prose.for_each(|line| assert!(!line.contains(part), "{shown}: {part:?} in {line}"));
        }
    }
}

#[test]
fn the_flow_of_sessions_adds_up_arm_by_arm() {
    let desk = Desk::new();
    let config = BASE.replace("qwen: {", "unused: {").replace(", model: qwen }", " }");
    fs::write(desk.path("config.yaml"), format!("{config}{TWO_ARMS}")).unwrap();
    let out = desk.path("out");
    let (config, shown) = (desk.path("config.yaml"), out.display().to_string());
    let mut run = Command::new(crate::fixtures::sample::program());
    run.args(["run", config.to_str().unwrap(), "--out", &shown]);
    assert!(run.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    let page = fs::read_to_string(out.join("methods.md")).unwrap();
    let sessions = fs::read_to_string(out.join("sessions.csv")).unwrap();
    let head: Vec<&str> = sessions.lines().next().unwrap().split(',').collect();
    let of = |row: &str, column: &str| {
        let place = head.iter().position(|name| *name == column).unwrap();
        row.split(',').nth(place).unwrap().to_owned()
    };
    for arm in ["majority", "unanimity"] {
        let rows: Vec<&str> = sessions.lines().skip(1).filter(|row| of(row, "arm") == arm).collect();
        let count = |column: &str| rows.iter().map(|row| of(row, column).parse::<u64>().unwrap()).sum::<u64>();
        let unsettled = rows.iter().filter(|row| of(row, "n_invalid") != "0" || of(row, "n_refused") != "0").count();
        let flow = format!("| `{arm}` | 3 | 0 | 0 | 3 | {unsettled} | 3 |\n");
        assert!(page.contains(&flow), "{flow}\n\n{page}");
        let carried = rows.iter().filter(|row| of(row, "outcome") == "carried").count();
        assert!(page.contains(&format!("| `{arm}` | {carried} | 0 | {} | 0 |\n", 3 - carried)), "{page}");
        let answers = format!(
            "| `{arm}` | {} | {} | {} | {} | {} | {} |\n",
            count("answers"),
            count("n_first_try"),
            count("n_reasked"),
            count("n_invalid"),
            count("n_refused"),
            count("n_forfeit")
        );
        assert!(page.contains(&answers), "{answers}\n\n{page}");
    }
    assert!(
        page.contains("Of the 6 sessions planned, 6 were completed, 0 failed, and 0 were not begun or not finished.")
    );
    let (version, repository) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    let citation =
        format!("The ekklesia developers. *ekklesia*, version {version}. Computer software. <{repository}>\n");
    assert!(page.contains("\n## How to cite\n\nCite the program ") && page.ends_with(&citation), "{page}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_pilot_and_a_fork_say_what_they_are_and_do_so_again_offline() {
    let desk = Desk::new();
    let config = BASE.replace("qwen: {", "unused: {").replace(", model: qwen }", " }");
    fs::write(desk.path("config.yaml"), format!("{config}{TWO_ARMS}")).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(crate::fixtures::sample::program());
        assert!(command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    };
    let path = |name: &str| desk.path(name).to_str().unwrap().to_owned();
    let page = |folder: &str| fs::read_to_string(desk.path(folder).join("methods.md")).unwrap();
    run(&["run", &path("config.yaml"), "--out", &path("out"), "--pilot", "2"]);
    let pilot = page("out-pilot");
    for part in [
        "**This is a pilot.** Of 3 replicates of each arm that the experiment is designed with, the first 2 were run here",
        "its sessions are not data of the experiment",
        " was piloted with ekklesia ",
        "The pilot varied 1 factor in 2 arms, with 2 sessions each",
    ] {
        assert!(pilot.contains(part), "{part}\n\n{pilot}");
    }
    run(&["run", &path("out-pilot"), "--offline", "--out", &path("copy")]);
    assert_eq!(page("copy"), pilot);
    run(&["replay", &path("out-pilot")]);
    run(&["run", &path("config.yaml"), "--out", &path("out")]);
    assert!(!page("out").contains("pilot"));
    fs::write(desk.path("change.yaml"), "at: { seat: Alice, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let session = path("out/sessions/unanimity-r000001");
    run(&["fork", &session, "--change", &path("change.yaml"), "--out", &path("fork")]);
    let fork = page("fork");
    for part in [
        "**This is a fork, not a session that happened.** This folder holds one session. It branched off the session `unanimity-r000001`",
        "    at: { seat: Alice, phase: discussion, round: 1 }\n    silent: true\n",
        "The design that the parent belongs to varied 1 factor in 2 arms",
        "Nothing else of it was run here.",
    ] {
        assert!(fork.contains(part), "{part}\n\n{fork}");
    }
    run(&["replay", &path("fork")]);
}

/// What a page says of one setting, and says nowhere else.
const SAYS: [(&str, &str); 18] = [
    (
        "memory: { policy: { window: { statements: 4 } } }",
        "`window`: seats remembered the newest 4 statements, and what happened since",
    ),
    (
        "memory: { policy: { window: { tokens: 400 } } }",
        "the newest statements of 400 tokens together, by an estimate that errs high",
    ),
    (
        "memory: { policy: { digest: { every: 6, words: 50, keep: 2 } } }",
        "Whenever 6 statements stood in no digest yet, the newest 2 not counted, a seat wrote a digest of them of at most 50 words",
    ),
    (
        "memory: { policy: { compact: { keep: 2 } } }",
        "From 0.9 of its limit on, a seat wrote one text of at most 0.6 of it in the place of all but 2 newest",
    ),
    (
        "memory: { policy: { selective: { focus: who pays } } }",
        "\nWho made its memory shorter was told to keep above all:\n\n    who pays\n",
    ),
    ("memory: { policy: full }", "remembered everything, uncut, and no limit held but that of their models.\n"),
    ("memory: { policy: none }", "and the question, and nothing of what happened before.\n"),
    (
        "memory: { policy: none, history_in_brief: full }",
        "Of what happened before the history common to all held 100000 characters",
    ),
    (
        "memory: { history_in_brief: current_round }",
        "Beside the memory stood the statements of the round under way, in full.",
    ),
    (
        "memory: { summary_model: qwen }",
        "Seats did not rewrite their memories themselves; for all of them that was done by language model `qwen`",
    ),
    ("memory: { context_margin: 0.7 }", "prompt and reply within 0.7 of its context window, where one was learnt"),
    (
        "memory: { recall: { search: { top_k: 3 } } }",
        "Every prompt showed, besides, those 3 of the older statements that shared the most telling words",
    ),
    ("memory: { look_up: true }", "could once, before it answered, look up what it had heard"),
    (
        "discussion: { order: volunteer }",
        "Before each every seat said privately whether it wanted to speak in it, and how urgently, from 0 to 10.",
    ),
    ("exhibits: { report: { file: report.txt, to: [Bob] } }", ", shown to `Bob` whole\n"),
    (
        "exhibits: { report: { file: report.txt } }\nmemory: { exhibit_token_limit: 100 }",
        " pages that a seat could ask for, one a question\n",
    ),
    (
        "panel: { waves: 3 }",
        "the same agents met in 3 sessions, each on the seat and by the name it had at the first; of what was said",
    ),
    (
        "panel: { waves: 2 }\nmemory: { notes: { max_lines: 20 } }",
        "at the next meeting its prompts held the newest 20 lines of them.",
    ),
];

#[test]
fn a_page_says_of_memories_what_the_design_uses_and_nothing_else() {
    let desk = Desk::new();
    let lines: Vec<String> = (1..=40).map(|line| format!("This is line {line}.")).collect();
    fs::write(desk.path("report.txt"), lines.join("\n")).unwrap();
    let page = |body: &str| {
        let resolved = desk.resolve(&format!("{BASE}{body}\n"));
        render_design(&resolved.unwrap_or_else(|problem| panic!("{body}: {problem}")).experiment, &ResultsScope::Whole)
    };
    let pages: Vec<String> = SAYS.iter().map(|(body, _)| page(body)).collect();
    for (place, (body, words)) in SAYS.iter().enumerate() {
        for (other, page) in pages.iter().enumerate() {
            assert_eq!(
                page.contains(words),
                place == other,
                "{words}\n\nof {body}, in the page of {}:\n\n{page}",
                SAYS[other].0
            );
        }
        let double = ["  ", " .", " ,", "..", "``", " ;"];
        let prose = pages[place].lines().filter(|line| !line.starts_with(' ') && !line.contains("persona `"));
        prose.for_each(|line| assert!(!double.iter().any(|part| line.contains(part)), "{line}"));
    }
    // Names that seats chose, and what arms differ in.
    let named = page("");
    assert!(!named.contains("chose the one that it went by"));
    let chosen = BASE.replace("{ name: Bob,", "{ name: Bob, naming: self_chosen,");
    let chosen = render_design(&desk.resolve(&chosen).unwrap().experiment, &ResultsScope::Whole);
    assert!(chosen.contains("`Bob` chose the one that it went by, before anything else"), "{chosen}");
    let arms = "design: { factors: { recall: { key: memory.look_up, levels: [true, false] } } }";
    let arms = page(arms);
    let looking = &arms[arms.find("## Memory").unwrap()..];
    let (with, without) = looking.split_once("In the arm `false`:").unwrap();
    assert!(with.contains("In the arm `true`:") && with.contains("look up what it had heard"));
    assert!(!without.contains("look up what it had heard"));
}

#[test]
fn a_page_says_whether_every_arm_seats_the_same_personas() {
    const DESIGN: &str = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
        personas: { women: { file: women.csv, id: pid, text: persona }, men: { file: men.csv, id: pid, text: persona } }\n\
        seats: [ { name: S1, personas: men }, { name: S2, personas: men } ]\nreplicates: 8\n";
    let place = tempfile::tempdir().unwrap();
    for pool in ["women", "men"] {
        let rows: String = (1..=4).map(|n| format!("{pool}{n},One of the {pool}.\n")).collect();
        fs::write(place.path().join(format!("{pool}.csv")), format!("pid,persona\n{rows}")).unwrap();
    }
    for (factor, shares) in [
        ("key: decision.rule, levels: [majority, unanimity]", true),
        ("key: seats.S1.personas, levels: [men, women]", false),
    ] {
        let config =
            write_config(place.path(), &format!("{DESIGN}design: {{ factors: {{ first: {{ {factor} }} }} }}\n"));
        let experiment = read(&config);
        let second =
            |arm: usize| (1..=8).map(|replicate| experiment.arms[arm].draw_personas(replicate)[1]).collect::<Vec<_>>();
        assert_eq!(second(0) == second(1), shares, "the second seat draws from the same pool in both arms");
        let page = render_design(&experiment, &ResultsScope::Whole);
        assert_eq!(page.contains("without replacement, and were the same in every arm."), shares, "{page}");
        assert_eq!(page.contains("(common random numbers): who sits there, lots"), shares, "{page}");
        assert_eq!(page.contains("so that a seat may have had another persona in another arm."), !shares, "{page}");
    }
    // Each arm agrees with the next, and the first not with the last.
    let seats = |pools: &[&str]| {
        let seats = pools.iter().zip(1..).map(|(pool, number)| format!("{{ name: S{number}, personas: {pool} }}"));
        seats.collect::<Vec<_>>().join(", ")
    };
    let levels = [&["men", "women"][..], &["men"], &["men", "men"]].map(|pools| format!("[ {} ]", seats(pools)));
    let factor = format!("key: seats, levels: {{ a: {}, b: {}, c: {} }}", levels[0], levels[1], levels[2]);
    let config = write_config(place.path(), &format!("{DESIGN}design: {{ factors: {{ first: {{ {factor} }} }} }}\n"));
    let page = render_design(&read(&config), &ResultsScope::Whole);
    assert!(!page.contains("without replacement, and were the same in every arm."), "{page}");
}

#[test]
fn a_page_counts_the_sessions_of_panels_as_they_are() {
    let desk = Desk::new();
    let page =
        |body: &str| render_design(&desk.resolve(&format!("{BASE}{body}\n")).unwrap().experiment, &ResultsScope::Whole);
    let two = page("panel: { waves: 2 }\nmemory: { notes: { max_lines: 20 } }");
    assert!(two.contains("had one arm of 6 sessions: 3 replicates of 2 waves."), "{two}");
    assert!(two.contains("from one meeting to the next they kept notes. Sessions of one panel are not independent."));
    assert!(!page("").contains("panel"));
}

#[test]
fn a_page_says_what_was_right_and_who_was_told_what_alone() {
    let page = |config: &str, set: &[&str]| {
        let set = set.iter().map(|one| one.to_string()).collect();
        let inputs = Inputs::read_config(Path::new(config), Overrides { set, ..Overrides::default() }).unwrap();
        let page = render_design(&inputs.resolve().unwrap().experiment, &ResultsScope::Whole);
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let hidden = page("configs/hidden_profile.yaml", &["withhold=[A3]"]);
    for words in [
        "`adler` was right in every session, and no seat knew it.",
        "There were 15 facts of the case, which a statement cites by their ids:",
        "were told to every seat, and each of the others was told to 1 seat alone, drawn for each replicate so that no seat had two more",
        "every seat was told all of them.",
        "Nobody was told `A3`, whoever would have been.",
    ] {
        assert!(hidden.contains(words), "{words}: {hidden}");
    }
    let jury = page("configs/jury.yaml", &[]);
    for words in [
        "Which alternative was right was drawn for each replicate, with the probabilities `guilty` (",
        "with probability 0.7 to the right one, else to one of the others",
    ] {
        assert!(jury.contains(words), "{words}: {jury}");
    }
    let plain = page("configs/first.yaml", &[]);
    assert!(!plain.contains("was right") && !plain.contains("told alone"), "{plain}");
    let paid = page("configs/justice.yaml", &[]);
    assert!(paid.contains("its incomes multiplied with one number drawn from 0.8 to 1.25, paid 500 cents"), "{paid}");
    let (one, same) = ("parameters.settlement_multiplier_min=1", "parameters.settlement_multiplier_max=1");
    assert!(page("configs/justice.yaml", &[one, same]).contains("its incomes as they are, paid 500 cents"));
    let twice = ["parameters.settlement_multiplier_min=2", "parameters.settlement_multiplier_max=2"];
    assert!(page("configs/justice.yaml", &twice).contains("its incomes multiplied with 2, paid 500 cents"));
}

/// A form that each seat of a block answers in a pass of its own.
const SAY: &str = "ask: [ { id: x, number: { min: 0, max: 9 }, question: \"After {{ seen }}: how many?\" } ]";

/// Agendas of three seats in which `SAY` stands for the form, and what a page says of them.
const IN_PASSES: [(&str, &[&str]); 6] = [
    (
        "  - name: turn\n    for: { each: everyone, as: speaker }\n    phases:\n      - { name: mark, compute: { seen: pass.number } }\n      \
         - { name: say, who: seat == speaker, heard_by: everyone, SAY }\n",
        &[
            "A session had 6 phases, each pass of a repeated block counted:\n",
            "`mark`, in each of the 3 passes of `turn`, one for each seat (`speaker`). Values were computed:",
            "`say`, in each of the 3 passes of `turn`, one for each seat (`speaker`), in which only `speaker` takes part, heard by every \
             seat. In each pass `speaker` alone answered a form of 1 question, so that seats answered one after the other; its answers \
             were then announced to those who heard the phase:\n",
            "- The words of the question `x` in `say` showed `seen` to `speaker` alone.\n",
        ],
    ),
    (
        "  - name: turn\n    for: { each: everyone, as: speaker }\n    phases:\n      - { name: mark, compute: { seen: pass.number } }\n      \
         - { name: say, who: seat == speaker, SAY }\n",
        &[
            "In each pass `speaker` alone privately answered a form of 1 question, so that seats answered one after the other:\n",
        ],
    ),
    (
        "  - name: turn\n    for: { each: seat.index >= 2, as: speaker }\n    phases:\n      \
         - { name: mark, compute: { seen: pass.number } }\n      - { name: say, who: seat == speaker, SAY }\n",
        &[
            "A session had at most 6 phases",
            "`mark`, in each of the at most 3 passes of `turn`, one for each seat selected by `seat.index >= 2` when they began. Values",
        ],
    ),
    (
        "  - name: again\n    repeat: { until: seen > 5, max: 2 }\n    phases:\n      - name: turn\n        for: { each: everyone, as: speaker }\n        \
         phases:\n          - { name: mark, compute: { seen: pass.number } }\n          - { name: say, who: seat == speaker, SAY }\n",
        &[
            "A session had at most 12 phases",
            "`say`, in each of the at most 2 passes of `again` and of the 3 passes of `turn`, one for each seat (`speaker`)",
            "- The end of `again` showed something about `seen` to every seat.\n",
        ],
    ),
    (
        "  - { name: mark, compute: { seen: 1 } }\n  - name: turn\n    repeat: { times: 2 }\n    phases:\n      \
         - { name: say, when: pass.number > seen, SAY }\n",
        &[
            "A session had at most 3 phases",
            "`say`, in each of the at most 2 passes of `turn`, only if `pass.number > seen`. Every seat privately answered a form of 1 \
             question, all at once:\n",
            "- Whether `say` took place showed something about `seen` to every seat.\n",
            "- The words of the question `x` in `say` showed `seen` to every seat.\n",
        ],
    ),
    (
        "  - { name: choose, vote: { over: [blue, green], question: Which?, rule: plurality, tie_break: lot, open: in_turn } }\n  \
         - { name: close, brief: { text: \"It is {{ choose.winner.name }}.\" } }\n",
        &[
            "A session had 2 phases:\n",
            "one after the other in the order of the seats, and everyone heard each ballot when it was cast",
            "- The open ballots of `choose` showed the ballot of every seat to every seat.\n",
            "- The text of `close` showed `choose.winner.name` to every seat.\n",
        ],
    ),
];

#[test]
fn a_page_says_who_answers_in_turn_how_often_and_what_seats_are_shown() {
    let seats = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { name: Ada }, { name: Ben }, { name: Cleo } ]\n";
    for (agenda, parts) in IN_PASSES {
        let place = tempfile::tempdir().unwrap();
        let scenario = format!("scenario: own\nagenda:\n{}", agenda.replace("SAY", SAY));
        write_file(place.path(), "scenario.yaml", scenario);
        let body = format!("experiment: trial\nscenario: .\nseed: 4\n{seats}");
        let page = render_design(&read(&write_file(place.path(), "config.yaml", body)), &ResultsScope::Whole);
        for part in parts {
            assert!(page.contains(part), "{part}\n\n{page}");
        }
    }
}
