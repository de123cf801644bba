//! Items all the way through: what is told of them, and what a session with one can be put through.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{self, assert_same, column, contents, ekklesia, text};
use crate::fixtures::trial::{check_cuts, read, whole, write_agenda, write_config};
use ekklesia::plan::PlannedSession;
use serde_json::Value;

const QUESTIONS: &str = "qid,question,answers,right\nq1,Is it so?,Yes|No,Yes\nq2,\"Which,\nthen?\",Red|Green|Blue,Blue\nq3,How many?,One|Two,\n";
const ITEMS: &str = "items: { file: questions.csv, id: qid, text: question, options: answers, key: right }\n";
const PLAIN: &str = "items: { file: questions.csv, id: qid, text: question }\n";
const BODY: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ count: 3, name: \"Juror {n}\", mind: { voter: { copy: 0.5 } } }]
straw_polls: [before, after]
decision: { rule: plurality, tie_break: lot }
design: { factors: { talk: { key: discussion.rounds, levels: { silent: 0, talk: 2 } } } }
";

/// A folder with the questions and a config about them.
struct Quiz {
    place: tempfile::TempDir,
    config: PathBuf,
}

impl Quiz {
    fn new(body: &str) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("questions.csv"), QUESTIONS).expect("a file");
        let config = write_config(place.path(), body);
        Self { place, config }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn run(&self, out: &str) -> cli::Told {
        ekklesia(&["run", text(&self.config), "--out", text(&self.path(out))])
    }
}

fn asked() -> Quiz {
    Quiz::new(&format!("{BODY}{ITEMS}"))
}

#[test]
fn the_summary_adds_up_no_letters_of_different_questions_and_tells_what_was_right() {
    let quiz = asked();
    let told = quiz.run("out");
    told.says(0, &["correct  decided for", "letters are each item's own options"]);
    assert!(!told.stdout.contains("group choice"), "{}", told.stdout);
    let again = ekklesia(&["run", text(&quiz.config), "--out", text(&quiz.path("out")), "--json"]);
    let report: Value = serde_json::from_str(&again.stdout).expect("JSON");
    let (arms, out) = (column(&quiz.path("out"), "arm"), quiz.path("out"));
    let (items, results, right) = (column(&out, "item"), column(&out, "result"), column(&out, "correct"));
    for arm in report["arms"].as_array().expect("arms") {
        let rows = || (0..arms.len()).filter(|row| arms[*row] == arm["arm"].as_str().expect("a name"));
        assert_eq!(arm["choices"], serde_json::json!([]));
        let correct = &arm["items"]["correct"];
        let count = |value: &str| rows().filter(|row| right[*row] == value).count() as u64;
        assert_eq!(correct["correct"].as_u64(), Some(count("1")));
        assert_eq!(correct["sessions"].as_u64(), Some(count("0") + count("1")));
        assert_eq!(correct["without_key"].as_u64(), Some(2));
        for item in arm["items"]["items"].as_array().expect("items") {
            assert_eq!(item["sessions"].as_u64(), Some(2));
            for decided in item["decided"].as_array().expect("what was decided for") {
                let (id, letter) = (item["item"].as_str().expect("an id"), decided[0].as_str().expect("a letter"));
                let sessions = rows().filter(|row| items[*row] == id && results[*row] == letter).count() as u64;
                assert_eq!(decided[1].as_u64(), Some(sessions));
            }
        }
    }
}

/// What seats chose in the straw poll before the talk: one list a session of an arm that has valid choices.
fn chosen_before(out: &Path, arm: &str) -> Vec<Vec<String>> {
    let mut table = csv::Reader::from_path(out.join("seats.csv")).expect("a table");
    let header = table.headers().expect("a header").clone();
    let place = |name: &str| header.iter().position(|column| column == name).expect("the column");
    let [session, of, straw] = ["session", "arm", "straw_before"].map(place);
    let mut units: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
    for row in table.records().map(|row| row.expect("a row")) {
        if &row[of] == arm && !row[straw].is_empty() {
            units.entry(row[session].to_owned()).or_default().push(row[straw].to_owned());
        }
    }
    units.into_values().filter(|unit| unit.len() > 1).collect()
}

/// Krippendorff's alpha of names from pairs of ratings: one less observed over expected disagreement.
fn alpha(units: &[Vec<String>]) -> f64 {
    let differ =
        |all: &[&String]| all.iter().map(|one| all.iter().filter(|other| other != &one).count()).sum::<usize>() as f64;
    let all: Vec<&String> = units.iter().flatten().collect();
    let n = all.len() as f64;
    let observed: f64 =
        units.iter().map(|unit| differ(&unit.iter().collect::<Vec<_>>()) / (unit.len() - 1) as f64).sum();
    1.0 - observed / n * (n * (n - 1.0)) / differ(&all)
}

#[test]
fn how_reliably_seats_choose_over_the_items_is_told_for_each_arm() {
    let quiz = asked();
    let out = quiz.path("out");
    quiz.run("out").says(0, &[]);
    let again = ekklesia(&["run", text(&quiz.config), "--out", text(&out), "--json"]);
    let report: Value = serde_json::from_str(&again.stdout).expect("JSON");
    let arms = report["arms"].as_array().expect("arms");
    assert_eq!(arms.len(), 2);
    for arm in arms {
        let rows = arm["reliability"].as_array().expect("sources");
        let sources: Vec<&str> = rows.iter().map(|row| row["source"].as_str().expect("a word")).collect();
        assert_eq!(sources, ["straw_before", "straw_after", "final_ballot"]);
        let units = chosen_before(&out, arm["arm"].as_str().expect("a name"));
        assert_eq!(rows[0]["units"].as_u64(), Some(units.len() as u64));
        assert_eq!(rows[0]["ratings"].as_u64(), Some(units.iter().map(Vec::len).sum::<usize>() as u64));
        let told = rows[0]["krippendorff_alpha"].as_f64().expect("choices that differ");
        assert!((told - alpha(&units)).abs() < 1e-9, "{told} {units:?}");
    }
}

#[test]
fn without_a_vote_no_decision_is_told_as_right_or_missing() {
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("questions.csv"), QUESTIONS).expect("a file");
    let agenda = "agenda:\n  - { name: talk, discussion: { rounds: 1 } }\n";
    let config = write_agenda(place.path(), agenda, &format!("{ITEMS}decision: {{ tie_break: no_decision }}\n"));
    let [out, figures, page] = ["out", "figures", "page.html"].map(|name| place.path().join(name));
    let told = cli::run(&config, &out, &[]);
    told.says(0, &["6 of 6 sessions completed"]);
    for words in [" correct", "without a decision", "decided for"] {
        assert!(!told.stdout.contains(words), "{words}: {told:#?}");
    }
    let methods = fs::read_to_string(out.join("methods.md")).expect("a page");
    assert!(methods.contains("Each session was about one of 3 questions"), "{methods}");
    assert!(methods.contains("No vote was held, so nothing was decided."), "{methods}");
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    assert!(!figures.join("items-right.csv").exists());
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    assert!(!fs::read_to_string(page).expect("a page").contains("decisions were right"));
}

#[test]
fn alternatives_that_all_items_share_are_counted_and_the_items_stand_beside() {
    let quiz = Quiz::new(&format!("{BODY}{PLAIN}"));
    quiz.run("out").says(0, &["group choice", " for ", "no key", "q3"]);
}

#[test]
fn the_prompt_of_any_item_can_be_shown_and_the_one_shown_is_named() {
    let quiz = asked();
    let config = text(&quiz.config);
    let show = |more: &[&str]| ekklesia(&[&["check", config, "--show", "Juror 1:ballot"], more].concat());
    show(&[])
        .says(0, &["arm silent · item q1", "this is the first item; --item ID shows another of 3 items", "Is it so?"]);
    let design = ekklesia(&["check", config]);
    design.says(0, &["a: Yes · b: No", "a: Red · b: Green · c: Blue"]);
    assert!(!design.stdout.contains(" alternatives\n"), "{}", design.stdout);
    let named = show(&["--item", "q2", "--arm", "talk"]);
    named.says(0, &["arm talk · item q2", "- c: Blue"]);
    assert!(!named.stdout.contains("--item"), "{}", named.stdout);
    let json: Value = serde_json::from_str(&show(&["--item", "q3", "--json"]).stdout).expect("JSON");
    assert_eq!(json["item"], "q3");
    show(&["--item", "q22"]).says(2, &["--item q22: no such item; did you mean \"q2\"?; the items are q1, q2, q3"]);
    ekklesia(&["check", config, "--arm", "talk"]).says(2, &["--arm talk goes with --show"]);
    ekklesia(&["check", config, "--item", "q2"]).says(2, &["--item q2 goes with --show"]);
    let none = Quiz::new(BODY);
    let told = ekklesia(&["check", text(&none.config), "--show", "Juror 1:ballot", "--item", "q2"]);
    told.says(2, &["--item q2: the experiment has no items"]);
    ekklesia(&["check", config]).says(0, &["2 arms · 3 items · 12 sessions"]);
}

#[test]
fn a_session_with_an_item_is_cut_after_any_record_and_goes_on_to_the_same_minutes() {
    let quiz = asked();
    let experiment = read(&quiz.config);
    let session = PlannedSession::find_by_name(&experiment, "talk-iq2-r000002").expect("a session of the plan");
    let plan = session.plan();
    let records = whole(&plan, session.replicate);
    assert!(records.len() > 20);
    check_cuts(&plan, session.replicate, &records, 0..records.len());
}

#[test]
fn folders_with_items_are_resumed_and_replayed_and_what_was_changed_is_named() {
    let quiz = asked();
    quiz.run("whole").says(0, &[]);
    quiz.run("torn").says(0, &[]);
    let (whole, torn) = (quiz.path("whole"), quiz.path("torn"));
    let session = torn.join("sessions/silent-iq3-r000001");
    let minutes = fs::read(session.join("minutes.jsonl")).expect("minutes");
    fs::write(session.join("minutes.jsonl"), &minutes[..minutes.len() / 2]).expect("a file");
    fs::remove_file(session.join("run.json")).expect("a file");
    fs::remove_dir_all(torn.join("sessions/talk-iq1-r000002")).expect("a folder");
    quiz.run("torn").says(0, &["10 sessions complete already", "is left out and its record made again"]);
    assert_same(&whole, &torn);
    ekklesia(&["replay", text(&torn)]).says(0, &["12 sessions, no divergence"]);
    let session = torn.join("sessions/talk-iq2-r000001");
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).expect("minutes");
    fs::write(session.join("minutes.jsonl"), minutes.replacen("Which", "Whose", 1)).expect("a file");
    ekklesia(&["replay", text(&session)]).says(3, &["talk-iq2-r000001", "record 2"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_with_an_item_is_forked_among_the_options_of_its_own() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    let parent = quiz.path("out/sessions/talk-iq2-r000001");
    let before = contents(&quiz.path("out"));
    let fork = |name: &str, ballot: &str| {
        let change = quiz.path("change.yaml");
        let text_of = format!("at: {{ seat: Juror 1, phase: vote, step: ballot }}\nballot: {ballot}\n");
        fs::write(&change, text_of).expect("a file");
        ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&quiz.path(name))])
    };
    for letter in ["a", "b", "c"] {
        fork(letter, letter).says(0, &[]);
        assert_eq!(column(&quiz.path(letter), "item"), ["q2"]);
        ekklesia(&["replay", text(&quiz.path(letter))]).says(0, &["1 session, no divergence"]);
    }
    // Of three forks that cast every option one casts what was cast.
    let minutes = |folder: &str| fs::read(quiz.path(folder).join("sessions/talk-iq2-r000001/minutes.jsonl"));
    let old = minutes("out").expect("minutes");
    let same = ["a", "b", "c"].iter().filter(|fork| minutes(fork).expect("minutes") == old).count();
    assert_eq!(same, 1);
    fork("d", "d").says(2, &["a, b, c"]);
    assert_eq!(contents(&quiz.path("out")), before);
}

#[test]
fn why_names_the_settings_that_choose_an_item() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    let row = column(&quiz.path("out"), "session").iter().position(|name| name == "silent-iq3-r000001").expect("a row");
    let why =
        |column: &str| ekklesia(&["why", &format!("{}:{}:{column}", quiz.path("out/sessions.csv").display(), row + 1)]);
    why("item").says(0, &["value    q3", "items.file", "items.id"]);
    why("plan_digest").says(0, &["arms.", "digest"]);
    why("session").says(0, &["silent-iq3-r000001", "items.id", "replicates"]);
    why("correct").says(0, &["value    empty"]);
}

#[test]
fn the_page_of_methods_tells_which_items_there_are_and_where_they_came_from() {
    let quiz = Quiz::new(&format!("{BODY}{}", ITEMS.replace("right }", "right, sample: 2 }")));
    quiz.run("out").says(0, &[]);
    let page = fs::read_to_string(quiz.path("out/methods.md")).expect("a page");
    let ids: Vec<String> = read(&quiz.config).items.keys().map(|id| format!("`{id}`")).collect();
    assert!(!page.contains("main street") && !page.contains("`motion`:"), "no seat heard the parameter: {page}");
    for said in [
        format!("one of 2 questions, which the tables name in the column `item`: {}. ", ids.join(" and ")),
        "holds 3 questions, of which 2 were drawn by a lot".to_owned(),
        "columns `qid` and `question`, digest `b3:".to_owned(),
        "(column `answers`)".to_owned(),
        "the right alternative (column `right`)".to_owned(),
        "told every seat a text with the question of the session.".to_owned(),
    ] {
        assert!(page.contains(&said), "{said}: {page}");
    }
}

#[test]
fn a_key_that_is_put_right_is_a_recorded_deviation_and_the_page_of_methods_says_where() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    let before = fs::read_to_string(quiz.path("out/methods.md")).expect("a page");
    fs::write(quiz.path("questions.csv"), QUESTIONS.replace("Yes|No,Yes", "Yes|No,No")).expect("a file");
    quiz.run("out").says(0, &["items.q1.key was a and is now b, with 12 sessions done"]);
    let kept: Value =
        serde_json::from_slice(&fs::read(quiz.path("out/experiment.json")).expect("a file")).expect("JSON");
    let deviation = serde_json::json!({ "what": "items.q1.key", "from": "a", "to": "b", "sessions_done": 12 });
    assert!(kept["deviations"].as_array().expect("deviations").contains(&deviation), "{kept}");
    ekklesia(&["compare", text(&quiz.path("out")), "--metric", "correct"])
        .says(0, &["exploratory", "items.q1.key was", "changed from a to b when 12 sessions were done"]);
    let page = fs::read_to_string(quiz.path("out/methods.md")).expect("a page");
    assert!(page.contains("`experiment.json` tells under `deviations` whether a key was changed"), "{page}");
    assert_ne!(page, before, "the digest of the file is another");
    ekklesia(&["replay", text(&quiz.path("out"))]).says(0, &["no divergence"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_block_of_several_sessions_is_the_mean_over_those_with_a_number_in_every_arm() {
    // Without a lot a tie decides nothing, so `correct` is empty in some sessions.
    let body = BODY.replace("tie_break: lot", "tie_break: no_decision").replace("replicates: 2", "replicates: 12");
    let quiz = Quiz::new(&format!("{body}{ITEMS}"));
    quiz.run("out").says(0, &[]);
    let (arms, items, right) =
        (column(&quiz.path("out"), "arm"), column(&quiz.path("out"), "item"), column(&quiz.path("out"), "correct"));
    let half = arms.len() / 2;
    let pairs: Vec<usize> = (0..half).filter(|row| !right[*row].is_empty() && !right[row + half].is_empty()).collect();
    let keyed = items.iter().filter(|item| *item != "q3").count();
    assert!(2 * pairs.len() < keyed, "some session has no number");
    let out = quiz.path("out");
    for (unit, block) in [("item", 2), ("replicate", 12)] {
        let arguments = ["compare", text(&out), "--metric", "correct", "--unit", unit];
        let told = ekklesia(&arguments);
        told.says(0, &["   left out     ", "in another arm has no number; a block is the"]);
        let found: Value =
            serde_json::from_str(&ekklesia(&[&arguments[..], &["--json"]].concat()).stdout).expect("JSON");
        let contrast = &found["compared"]["contrasts"][0];
        assert_eq!(contrast["main"]["sessions"].as_u64(), Some(2 * pairs.len() as u64), "{unit}");
        assert_eq!(contrast["blocks_planned"].as_u64(), Some(block), "{unit}");
        let blocks: std::collections::BTreeSet<String> = pairs
            .iter()
            .map(|row| if unit == "item" { items[*row].clone() } else { format!("{}", row % 12) })
            .collect();
        assert_eq!(contrast["main"]["blocks"].as_u64(), Some(blocks.len() as u64), "{unit}");
    }
}

fn table(out: &Path, name: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut table = csv::Reader::from_path(out.join(name)).expect("a table");
    table.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn each_choice_of_a_seat_is_right_or_wrong_where_its_item_has_a_key() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    let out = quiz.path("out");
    let keys = std::collections::BTreeMap::from([("q1", "a"), ("q2", "c")]);
    let right = |item: &str, choice: &str| match keys.get(item) {
        Some(key) if !choice.is_empty() => if *key == choice { "1" } else { "0" }.to_owned(),
        _ => String::new(),
    };
    let ballots = table(&out, "ballots.csv");
    assert_eq!(ballots.len(), 12 * 3 * 3);
    for row in &ballots {
        assert_eq!(row["correct"], right(&row["item"], &row["alternative"]), "{row:?}");
    }
    for row in &table(&out, "seats.csv") {
        for (flag, choice) in [
            ("straw_before_correct", "straw_before"),
            ("straw_after_correct", "straw_after"),
            ("final_ballot_correct", "final_ballot"),
        ] {
            assert_eq!(row[flag], right(&row["item"], &row[choice]), "{flag}: {row:?}");
        }
    }
    let row = |name: &str| ballots.iter().position(|row| row["item"] == name).expect("a row") + 1;
    let why = |row: usize| ekklesia(&["why", &format!("{}:{row}:correct", out.join("ballots.csv").display())]);
    why(row("q2")).says(0, &["alternative"]);
    why(row("q3")).says(0, &["value    empty"]);
}

#[test]
fn a_transcript_and_a_summary_tell_the_options_and_which_is_right() {
    let quiz = asked();
    quiz.run("out").tells(&[
        "correct: of the decisions, those for the item's key, which is marked *",
        // (1/2 + 1/3) / 2
        "by lot 42 %: the mean over 2 items of 1 / options",
    ]);
    let show = |name: &str| ekklesia(&["show", text(&quiz.path(&format!("out/sessions/{name}")))]);
    show("talk-iq2-r000001")
        .says(0, &["- item: q2\n  - question: Which, then?\n  - a: Red\n  - b: Green\n  - c: Blue (the key)\n"]);
    show("talk-iq3-r000001").says(0, &["- item: q3\n  - question: How many?\n  - a: One\n  - b: Two\n  - no key\n"]);
    let again = ekklesia(&["run", text(&quiz.config), "--out", text(&quiz.path("out")), "--json"]);
    let report: Value = serde_json::from_str(&again.stdout).expect("JSON");
    let chance = &report["arms"][0]["items"]["correct"]["chance"];
    assert!((chance["level"].as_f64().expect("a level") - 5.0 / 12.0).abs() < 1e-12, "{chance}");
}

#[test]
fn chance_stands_beside_correct_and_beside_nothing_else() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    let compared = |metric: &str| ekklesia(&["compare", text(&quiz.path("out")), "--metric", metric, "--json"]);
    let json = |metric: &str| -> Value { serde_json::from_str(&compared(metric).stdout).expect("JSON") };
    assert!((json("correct")["chance"]["level"].as_f64().expect("a level") - 5.0 / 12.0).abs() < 1e-12);
    assert!(json("carried")["chance"].is_null());
    ekklesia(&["compare", text(&quiz.path("out")), "--metric", "correct"])
        .says(0, &[" chance: 0.417, the mean over 2 items", "by lot it would be 0.417"]);
    // Without options of their own the items have those of the scenario, which are two.
    let plain = Quiz::new(&format!("{BODY}items: {{ file: questions.csv, id: qid, text: question, key: who }}\n"));
    fs::write(plain.path("questions.csv"), "qid,question,who\nq1,Is it so?,for\nq2,Is it?,against\n").expect("a file");
    plain.run("out").says(0, &["by lot 50 %"]);
}

#[test]
fn a_unit_that_was_announced_is_the_primary_one() {
    let body = BODY.replace("talk: 2 } } } }", "talk: 2 } } }, baseline: { talk: silent } }");
    let primary = "primary: { metric: carried, contrast: talk, unit: item }\n";
    let quiz = Quiz::new(&format!("{body}{ITEMS}{primary}"));
    quiz.run("out").says(0, &[]);
    let compared = |more: &[&str]| ekklesia(&[&["compare", text(&quiz.path("out"))], more].concat());
    compared(&[]).says(0, &["paired by item", "primary: announced in the config", "each one item in every arm"]);
    compared(&["--unit", "session"])
        .says(0, &["exploratory: the primary unit is the item", "one replicate of one item"]);
    let page = fs::read_to_string(quiz.path("out/methods.md")).expect("a page");
    assert!(page.contains("with the item, averaged over its replicates, as the unit"), "{page}");
    let config = fs::read_to_string(&quiz.config).expect("a config");
    fs::write(&quiz.config, config.replace(", unit: item", "")).expect("a file");
    quiz.run("out").says(0, &["primary.unit was item and is now left out, with 12 sessions done"]);
    compared(&[]).says(0, &["exploratory", "primary.unit was changed from item to not given"]);
}

#[test]
fn an_item_that_is_added_is_a_deviation_and_its_key_is_none() {
    let quiz = asked();
    quiz.run("out").says(0, &[]);
    fs::write(quiz.path("questions.csv"), format!("{QUESTIONS}q4,Is it new?,Yes|No,No\n")).expect("a file");
    let told = quiz.run("out");
    told.says(0, &["12 sessions complete already"]);
    assert!(!told.stderr.contains("items.q4.key"), "{}", told.stderr);
    let deviations = || -> Vec<String> {
        let kept = fs::read(quiz.path("out/experiment.json")).expect("a file");
        let kept: Value = serde_json::from_slice(&kept).expect("JSON");
        let all = kept["deviations"].as_array().expect("deviations").clone();
        all.iter().map(|deviation| deviation["what"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(deviations(), ["items", "items.q4"]);
    let compared = ekklesia(&["compare", text(&quiz.path("out")), "--metric", "correct"]);
    assert!(compared.stdout.contains("items was changed from"), "{}", compared.stdout);
    assert!(!compared.stdout.contains("items.q4.key"), "{}", compared.stdout);
    // A key that is found for a question that had none bears on what is correct.
    fs::write(
        quiz.path("questions.csv"),
        format!("{QUESTIONS}q4,Is it new?,Yes|No,No\n").replace("One|Two,", "One|Two,Two"),
    )
    .expect("a file");
    quiz.run("out").says(0, &["items.q3.key was left out and is now b, with 16 sessions done"]);
    let told = ekklesia(&["compare", text(&quiz.path("out")), "--metric", "correct"]).stdout;
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("items.q3.key was changed from not given to b when 16 sessions were done"), "{told}");
}

#[test]
fn a_hundred_arms_of_a_thousand_items_are_planned_without_a_plan_of_each() {
    let place = tempfile::tempdir().expect("a folder");
    let rows: String = (0..1_000).map(|n| format!("i{n},Question {n}?,Yes|No,Yes\n")).collect();
    fs::write(place.path().join("questions.csv"), format!("qid,question,answers,right\n{rows}")).expect("a file");
    let levels: Vec<String> = (0..100).map(|level| (100 + level).to_string()).collect();
    let factor = format!("len: {{ key: memory.statement_max_length, levels: [{}] }}", levels.join(", "));
    let design = BODY.replace("talk: { key: discussion.rounds, levels: { silent: 0, talk: 2 } }", &factor);
    let experiment =
        read(&write_config(place.path(), &format!("{design}{ITEMS}").replace("replicates: 2", "replicates: 1")));
    let sessions: Vec<PlannedSession> = PlannedSession::for_experiment(&experiment).collect();
    assert_eq!(sessions.len(), 100_000);
    // Whatever there are of sessions, there is one plan an arm and one question an item.
    assert_eq!(Arc::strong_count(&experiment.arms[7]), 1 + 1_000);
    assert_eq!(Arc::strong_count(&experiment.items["i7"]), 1 + 100);
    assert!(std::mem::size_of::<PlannedSession>() <= 32);
}

#[test]
fn a_letter_that_means_another_thing_in_another_item_is_not_counted_without_a_word() {
    let caution =
        "a is another option in another item, so this counts a letter and no choice; correct compares choices";
    let quiz = Quiz::new(&format!("{BODY}{ITEMS}primary: {{ metric: result=a }}\n"));
    let told = ekklesia(&["check", text(&quiz.config)]);
    let words = told.stdout + &told.stderr;
    let warned = "primary.metric: result=a counts the letter a, which is another option in another item";
    assert!(words.split_whitespace().collect::<Vec<_>>().join(" ").contains(warned), "{words}");
    quiz.run("out").says(0, &[]);
    let compare = |quiz: &Quiz, metric: &str| {
        let told = ekklesia(&["compare", text(&quiz.path("out")), "--metric", metric]);
        assert_eq!(told.code, Some(0), "{told:#?}");
        told.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(compare(&quiz, "result=a").contains(caution));
    assert!(!compare(&quiz, "correct").contains("another option"));
    let told = ekklesia(&["compare", text(&quiz.path("out")), "--metric", "first_ballot_majority=a", "--json"]);
    let comparison: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert!(comparison["notes"].to_string().contains(caution), "{comparison}");
    // Options that are the same in every item, or the scenario's own, are one thing.
    let same = Quiz::new(&format!("{BODY}{PLAIN}primary: {{ metric: result=for }}\n"));
    let told = ekklesia(&["check", text(&same.config)]);
    assert!(!(told.stdout + &told.stderr).contains("letter"));
    same.run("out").says(0, &[]);
    assert!(!compare(&same, "result=for").contains("another option"));
}
