//! `compare` as a user meets it: what it prints, what it refuses, and that nothing but the folder decides what it says.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, ekklesia, text};
use crate::fixtures::trial::write_agenda;
use serde_json::{Value, from_str};

const CONFIG: &str = "
experiment: talk-by-rule
scenario: SCENARIO
seed: 7
replicates: 12
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 4, name: \"Member {n}\", mind: { voter: { copy: 0.5 } } } ]
discussion: { vote: every_round }
straw_polls: [before, after]
design:
  factors:
    talk: { key: discussion.rounds, levels: { long: 3, short: 1 } }
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

fn experiment(folder: &Path, config: &str) -> PathBuf {
    let scenario = fs::canonicalize("scenarios/motion").unwrap();
    fs::write(folder.join("config.yaml"), config.replace("SCENARIO", text(&scenario))).unwrap();
    let out = folder.join("out");
    ekklesia(&["run", text(&folder.join("config.yaml")), "--out", text(&out)]).says(0, &[]);
    out
}

fn json(arguments: &[&str]) -> Value {
    let told = ekklesia(&[&["compare", "--json"], arguments].concat());
    assert_eq!(told.code, Some(0), "{told:#?}");
    from_str(&told.stdout).unwrap()
}

#[test]
fn a_comparison_tells_what_it_is_and_fits_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let told = ekklesia(&["compare", text(&out), "--metric", "time_to_decision", "--by", "arm"]);
    told.tells(&[
        "talk-by-rule · rounds used when the decision fell (time_to_decision)\n  48 sessions · seed 7 · paired by session\n",
        "simulated minds: rules, not people and not language models\n",
        "exploratory: the config announces no primary comparison\n",
        "baseline: long-unanimity, the first arm, because the config names none\n",
        "\n short-majority − long-unanimity\n",
        "censored",
        "least possible",
        "sign-flip permutation",
    ]);
    for line in told.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let again = ekklesia(&["compare", text(&out), "--metric", "time_to_decision", "--by", "arm"]);
    assert_eq!(told.stdout, again.stdout);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn arms_that_drew_apart_are_told_of_in_sessions_and_never_in_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let config = CONFIG.replace("design:\n", "design:\n  pairing: independent\n");
    let out = experiment(folder.path(), &config);
    let compared = |more: &[&str]| ekklesia(&[&["compare", text(&out), "--metric"], more].concat());
    let told = compared(&["time_to_decision", "--by", "talk"]);
    told.says(0, &["arms independent", "random labels: "]);
    let sentence = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(sentence.contains("sessions have no number and are left out"), "{sentence}");
    let words = told.stdout.replace("block.", "");
    assert!(!words.contains("block"), "{words}");
    let json = json(&[text(&out), "--metric", "time_to_decision", "--by", "talk"]);
    let methods = json["methods"].to_string();
    assert!(!methods.contains("block"), "{methods}");
    compared(&["rank_footrule_mean"]).says(2, &["has no number on some side"]);
}

#[test]
fn every_test_and_interval_is_explained_with_its_source_and_a_paragraph_tells_what_to_beware_of() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let told = ekklesia(&["compare", text(&out), "--metric", "carried", "--by", "arm"]);
    let words = told.stdout.replace("\n ", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for (used, explained) in [
        ("Newcombe, ", "Newcombe: interval of the difference of two shares"),
        ("Wilson", "Wilson: score interval of a share (Wilson 1927)"),
        ("McNemar's exact test", "McNemar: exact test of the blocks whose sides differ"),
        ("Holm over 3 contrasts", "Holm: p of several contrasts"),
        ("unadjusted 95 % Newcombe interval", "intervals are unadjusted: each is for its contrast alone"),
        ("paired blocks", "paired blocks, each one replicate in every arm compared"),
    ] {
        assert!(words.contains(used) && words.contains(explained), "{used}: {explained}\n{words}");
    }
    for unused in ["random sign flips: ", "all sign flips: ", "random labels: ", "Fisher: ", " d: "] {
        assert!(!words.contains(unused), "{unused}\n{words}");
    }
    let told = ekklesia(&["compare", text(&out), "--metric", "straw_after_modal_share", "--by", "talk"]);
    let words = told.stdout.replace("\n ", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for (used, explained) in [
        ("all sign flips (", "all sign flips: if the sides were alike"),
        ("sign flips, 12 of 12 blocks", "The interval holds the differences that the same test does not reject at .05"),
        (" sign flips ", "sign flips: interval of an arm's mean"),
    ] {
        assert!(words.contains(used) && words.contains(explained), "{used}: {explained}\n{words}");
    }
    for line in told.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

/// As many replicates as a pair needs to differ in, or fewer: five cannot give a p below .05, whatever they show.
#[test]
fn few_pairs_and_equal_differences_have_no_interval_and_the_output_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), &CONFIG.replace("replicates: 12", "replicates: 5"));
    let sessions = out.join("sessions.csv");
    let written = fs::read_to_string(&sessions).unwrap();
    let compared = |words: &dyn Fn(&str, usize) -> String| {
        let mut lines = written.lines();
        let header = lines.next().unwrap();
        let column = header.split(',').position(|name| name == "words").unwrap();
        let place = |row: &str, column: usize| {
            let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
            let replicate = cells[header.split(',').position(|name| name == "replicate").unwrap()].parse().unwrap();
            cells[column] = words(row, replicate);
            cells.join(",")
        };
        let rows: Vec<String> = lines.map(|row| place(row, column)).collect();
        fs::write(&sessions, format!("{header}\n{}\n", rows.join("\n"))).unwrap();
        let arguments = [
            "compare",
            text(&out),
            "--metric",
            "words",
            "--by",
            "arm",
            "--baseline",
            "short-majority",
            "--tables-alone",
        ];
        let told = ekklesia(&arguments);
        told.says(0, &[]);
        let json = json(&arguments[1..]);
        assert!(json["compared"]["contrasts"][0]["main"]["interval"].is_null(), "{json}");
        told.stdout
    };
    let five = compared(&|row, replicate| match row.contains("short-majority") {
        true => "100".to_owned(),
        false => (100 + replicate * replicate).to_string(),
    });
    assert!(five.contains("no 95 % interval: 5 pairs cannot reach p < .05\n"), "{five}");
    let equal = compared(&|_, _| "100".to_owned());
    assert!(equal.contains("no 95 % interval: all 5 differences are equal\n"), "{equal}");
}

#[test]
fn equal_means_are_told_as_such_and_never_as_the_absence_of_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let same = CONFIG.replace("levels: [unanimity, majority]", "levels: [majority, plurality]");
    let out = experiment(folder.path(), &same.replace("replicates: 12", "replicates: 3"));
    let told = json(&[text(&out), "--metric", "straw_before_modal_share", "--by", "rule"]);
    let sentence = told["sentences"][0].as_str().unwrap();
    assert!(
        sentence.starts_with(
            "The sample means of straw_before_modal_share were equal under rule = plurality and under rule = majority (0."
        ),
        "{sentence}"
    );
    assert!(sentence.contains(" Equal sample means do not show that the sides do not differ."), "{sentence}");
    let warnings = told["compared"]["contrasts"][0]["warnings"].to_string();
    assert!(warnings.contains("\"equal_in_every_block\"") && !warnings.contains("no_difference"), "{warnings}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn each_contrast_asked_for_is_found_in_the_json() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let by = json(&[text(&out), "--metric", "carried", "--by", "talk"]);
    let contrast = &by["compared"]["contrasts"][0];
    assert_eq!((&contrast["first"], &contrast["second"]), (&Value::from("short"), &Value::from("long")));
    assert_eq!(contrast["pairs"].as_array().unwrap().len(), 2);
    assert_eq!((by["analysis"].as_str(), by["resamples"].as_u64()), (Some("exploratory"), Some(10_000)));
    let arms = json(&[text(&out), "--metric", "outcome=no_decision", "--baseline", "short-majority"]);
    let firsts: Vec<_> = arms["compared"]["contrasts"].as_array().unwrap().iter().map(|c| c["first"].clone()).collect();
    assert_eq!(firsts, ["long-unanimity", "long-majority", "short-unanimity"]);
    assert_eq!(arms["baseline_from"], "command_line");
    // Not carried is no decision.
    let carried = json(&[text(&out), "--metric", "carried", "--baseline", "short-majority"]);
    let difference = |told: &Value| told["compared"]["contrasts"][0]["main"]["difference"].as_f64().unwrap();
    assert!((difference(&carried) + difference(&arms)).abs() < 1e-12);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_cannot_be_compared_is_refused_with_what_was_meant() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let path = text(&out);
    for (arguments, words) in [
        (&["--metric", "caried"][..], "no column \"caried\"; did you mean \"carried\"?"),
        (&["--metric", "result"], "result holds text; say of which value"),
        (&["--metric", "result=fo"], "no session has result \"fo\"; did you mean \"for\"?"),
        (&["--metric", "results=for"], "did you mean \"result\"?"),
        (&["--metric", "status"], "status is no metric"),
        (&["--metric", "carried", "--by", "rul"], "no factor \"rul\"; did you mean \"rule\"?"),
        (&["--metric", "carried", "--baseline", "long-majorty"], "did you mean \"long-majority\"?"),
        (&["--metric", "carried", "--unit", "item"], "no session is about one item"),
        (&["--metric", "rank_footrule_mean"], "on both sides in no block"),
    ] {
        ekklesia(&[&["compare", path], arguments].concat()).says(2, &[words]);
    }
    let session = out.join("sessions/long-majority-r000001");
    ekklesia(&["compare", text(&session), "--metric", "carried"]).says(2, &["nothing to be compared with"]);
    let other = tempfile::tempdir().unwrap();
    let one_arm = CONFIG.split("design:").next().unwrap();
    let one = experiment(other.path(), one_arm);
    ekklesia(&["compare", text(&one), "--metric", "carried"]).says(2, &["only one arm"]);
}

/// A baseline without numbers is answered with options under which there is something to compare.
#[test]
fn what_is_advised_in_place_of_a_baseline_without_numbers_can_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let agenda =
        "agenda:\n  - { name: rate, compute: { rated: mean(s.index for s in everyone if s.index <= parameters.n) } }\n";
    let scenario = format!("scenario: own\nparameters: {{ n: {{ type: int, default: 0, range: [0, 5] }} }}\n{agenda}");
    fs::write(folder.path().join("scenario.yaml"), scenario).unwrap();
    let config = "experiment: own\nscenario: .\nseed: 1\nreplicates: 2\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                  seats: [ { count: 3 } ]\ndesign: { factors: { women: { key: parameters.n, levels: { none: 0, one: 1, two: 2 } } }, \
                  baseline: { women: none } }\n";
    let out = experiment(folder.path(), config);
    let asked = ["compare", text(&out), "--metric", "var_rated"];
    for by in [&["--by", "women"][..], &[]] {
        let asked = [&asked[..], by].concat();
        ekklesia(&asked)
            .says(2, &["no session of none has a number of it; --baseline one compares arms that have numbers"]);
        ekklesia(&[&asked[..], &["--baseline", "one"]].concat()).says(0, &["baseline: one, named on the command line"]);
    }
}

#[test]
fn a_table_that_is_not_of_the_plan_is_refused_by_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let path = out.join("sessions.csv");
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let without = |place: usize| {
        let kept: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, line)| *line).collect();
        kept.join("\n")
    };
    let digest = lines[3].split(',').find(|cell| cell.starts_with("b3:")).unwrap();
    let strange = lines[3].replacen(digest, "b3:0", 1);
    for (text, words) in [
        (without(2), "line 3 is of session \"long-unanimity-r000003\", the plan's is \"long-unanimity-r000002\""),
        (without(lines.len() - 1), "holds 47 sessions, the plan calls for 48"),
        (without(0), "not the columns of this plan"),
        (whole.replacen(lines[3], &strange, 1), "line 4: session \"long-unanimity-r000003\" is of another plan"),
        (whole.replacen("completed,,carried", "completed,carried", 1), "sessions.csv"),
    ] {
        fs::write(&path, text).unwrap();
        let told = ekklesia(&["compare", cli::text(&out), "--metric", "carried"]);
        told.says(2, &[words, "sessions.csv"]);
    }
    fs::remove_file(&path).unwrap();
    ekklesia(&["compare", cli::text(&out), "--metric", "carried"]).says(2, &["sessions.csv", "ekklesia run"]);
}

/// A group that fails where it is not of one mind after a round: the script of one of its seats ends there.
const FAILING: &str = "
experiment: talk-by-rule
scenario: SCENARIO
seed: 7
replicates: 12
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.5 } } }
  - name: Ann
    mind:
      scripted:
        table:
          - { phase: discussion, round: 1, step: statement, statement: \"Yes.\", stance: for }
          - { phase: discussion, round: 1, step: ballot, choice: for }
discussion: { vote: every_round, rounds: 3 }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

#[test]
fn a_failed_session_is_no_number_and_takes_its_block_along() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = fs::canonicalize("scenarios/motion").unwrap();
    fs::write(folder.path().join("config.yaml"), FAILING.replace("SCENARIO", text(&scenario))).unwrap();
    let out = folder.path().join("out");
    ekklesia(&["run", text(&folder.path().join("config.yaml")), "--out", text(&out)]).says(1, &["has no line"]);
    let failed = |arm: &str, replicate: u32| {
        let run = out.join(format!("sessions/{arm}-r{replicate:06}/run.json"));
        fs::read_to_string(run).unwrap().contains("\"failed\"")
    };
    let whole = (1..=12).filter(|&replicate| !failed("unanimity", replicate) && !failed("majority", replicate));
    let failures =
        (1..=12).map(|replicate| u64::from(failed("unanimity", replicate)) + u64::from(failed("majority", replicate)));
    let (blocks, failures): (usize, u64) = (whole.count(), failures.sum());
    assert!((2..12).contains(&blocks) && failures > 0, "some fail and some do not");
    let told = json(&[text(&out), "--metric", "carried", "--by", "arm"]);
    let counted = |name: &str| told["sessions"][name].as_u64();
    assert_eq!((counted("failed"), counted("measured")), (Some(failures), Some(24 - failures)));
    assert_eq!(told["compared"]["contrasts"][0]["main"]["blocks"], blocks);
}

#[test]
fn what_is_not_complete_is_no_number_and_resumable() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let path = out.join("sessions.csv");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace(",completed,", ",incomplete,")).unwrap();
    ekklesia(&["compare", text(&out), "--metric", "carried"]).says(4, &["48 of 48 sessions are not complete", "run"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_announced_after_sessions_were_run_is_exploratory_and_so_is_a_pilot() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("announced.yaml");
    let out = folder.path().join("out");
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/motion");
    let run = |primary: &str, more: &[&str]| {
        let baseline = "  baseline: { talk: long, rule: unanimity }\n";
        let body = CONFIG.replace("SCENARIO", text(&scenario));
        fs::write(&config, format!("{body}{baseline}primary: {{ metric: {primary}, contrast: talk }}\n")).unwrap();
        let told = ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
        assert_eq!(told.code, Some(0), "{told:#?}");
    };
    let compared = |out: &Path| ekklesia(&["compare", text(out)]).stdout.replace("\n ", " ").replace('\n', " ");
    run("words", &[]);
    assert!(compared(&out).contains("primary: announced in the config"));
    run("statements", &[]);
    let told = compared(&out);
    assert!(told.contains("primary.metric was changed from words to statements"), "{told}");
    assert!(!told.contains("announced before the run"), "{told}");
    run("words", &["--pilot", "2"]);
    let told = compared(&folder.path().join("out-pilot"));
    assert!(told.contains("this is a pilot of a design with 12 replicates"), "{told}");
}

#[test]
fn variances_of_choices_are_no_share_of_variances_of_numbers() {
    let place = tempfile::tempdir().unwrap();
    let numbers = "experiment: numbers\nscenario: SCENARIO\nseed: 3\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { degroot: {} } }\nseats: [{ count: 5 }]\n\
                   replicates: 6\ndiscussion: { rounds: 2 }\nstraw_polls: [before, after]\ndesign: { nulls: [no_talk, polya, random] }\n";
    let out = experiment(place.path(), numbers);
    let told = json(&[text(&out)]);
    for (measure, expected) in [("agreement", [false, false, false]), ("variance", [false, false, true])] {
        let measure = told["nulls"].as_array().unwrap().iter().find(|one| one["name"] == measure).unwrap();
        let rows = measure["nulls"].as_array().unwrap();
        let apart: Vec<bool> = rows.iter().map(|row| row["undefined"] == "other_scale").collect();
        assert_eq!(apart, expected, "{measure}");
        assert!(rows.iter().zip(expected).all(|(row, apart)| row["left"].is_null() == apart), "{measure}");
    }
    ekklesia(&["compare", text(&out)]).says(0, &["opinions of baseline and of random are not of one kind"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn without_a_metric_a_baseline_that_there_is_not_is_refused_as_such_and_one_that_is_not_complete_can_be_completed() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    ekklesia(&["compare", text(&out), "--baseline", "long-majorty"])
        .says(2, &["no arm \"long-majorty\"; did you mean \"long-majority\"?"]);
    // As it stands where a run was stopped before the arm's first session was complete.
    let table = out.join("sessions.csv");
    let written = fs::read_to_string(&table).unwrap();
    let rows = written.lines().map(|row| match row.contains(",short-majority,") {
        true => row.replacen(",completed,", ",incomplete,", 1),
        false => row.to_owned(),
    });
    let rows: Vec<String> = rows.collect();
    fs::write(&table, rows.join("\n") + "\n").unwrap();
    ekklesia(&["compare", text(&out), "--baseline", "short-majority"])
        .says(4, &["12 of 48 sessions are not complete", "ekklesia run"]);
    ekklesia(&["compare", text(&out)]).says(3, &["sessions.csv is not what the records make"]);
    fs::write(&table, written).unwrap();
    ekklesia(&["compare", text(&out)]).says(0, &["exploratory: the config announces no primary comparison;"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_the_records_do_not_bear_out_is_compared_by_nobody_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), CONFIG);
    let session = out.join("sessions/long-majority-r000003");
    let minutes = session.join("minutes.jsonl");
    let whole = fs::read(&minutes).unwrap();
    let cut = whole.len() - whole.len() / 3;
    let forged = String::from_utf8(whole.clone()).unwrap().replacen("\"omitted\":0", "\"omitted\":9", 1);
    for damaged in [&whole[..cut], forged.as_bytes()] {
        assert_ne!(damaged, whole);
        fs::write(&minutes, damaged).unwrap();
        let told = ekklesia(&["compare", text(&out)]);
        told.says(
            3,
            &["counted nowhere, because its record is not what it wrote", "long-majority-r000003/minutes.jsonl"],
        );
        assert_eq!(told.stdout, "");
    }
    fs::write(&minutes, &whole).unwrap();
    for table in ["sessions.csv", "rounds.csv"] {
        let written = fs::read_to_string(out.join(table)).unwrap();
        let (before, last) = written.trim_end().rsplit_once(',').unwrap();
        fs::write(out.join(table), format!("{before},{last}1\n")).unwrap();
        let words = format!("{table} is not what the records make; `ekklesia run` makes the tables again");
        ekklesia(&["compare", text(&out), "--metric", "carried"]).says(3, &[&words]);
        ekklesia(&["compare", text(&out), "--metric", "carried", "--tables-alone"])
            .says(0, &["exploratory", "the tables were not"]);
        fs::write(out.join(table), written).unwrap();
    }
    ekklesia(&["compare", text(&out)]).says(0, &[]);
    fs::remove_dir_all(&session).unwrap();
    let gone = "sessions/long-majority-r000003 has no folder";
    ekklesia(&["compare", text(&out)]).says(4, &["sessions.csv is not what the records make", gone, "ekklesia run"]);
    ekklesia(&["replay", text(&out)]).says(4, &[&format!("not replayed: {gone}"), "no divergence"]);
    ekklesia(&["search", text(&out), "favour"]).says(0, &[&format!("not searched: {gone}")]);
    ekklesia(&["run", text(&folder.path().join("config.yaml")), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["compare", text(&out)]).says(0, &[]);
}

#[test]
fn an_invalid_answer_in_a_poll_takes_no_share_from_a_table_of_numbers_and_choices() {
    let place = tempfile::tempdir().unwrap();
    let mixed = "experiment: mixed\nscenario: SCENARIO\nseed: 3\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                 seats: [{ count: 4, mind: { degroot: {} } }, { name: Z, mind: { random: { malformed: 0.7 } } }]\nreplicates: 8\n\
                 discussion: { rounds: 2 }\nstraw_polls: [before, after]\ndesign: { nulls: [no_talk, random] }\n";
    let out = experiment(place.path(), mixed);
    let mut rounds = csv::Reader::from_path(out.join("rounds.csv")).unwrap();
    let source = rounds.headers().unwrap().iter().position(|name| name == "opinion_source").unwrap();
    let sources: std::collections::BTreeSet<String> =
        rounds.records().map(|row| row.unwrap()[source].to_owned()).filter(|source| !source.is_empty()).collect();
    assert!(sources.iter().any(|source| source.contains("|stance")), "{sources:?}");
    assert!(sources.iter().any(|source| !source.contains("stance")), "somebody's answer is invalid: {sources:?}");
    let told = json(&[text(&out)]);
    let measure = told["nulls"].as_array().unwrap().iter().find(|one| one["name"] == "variance").unwrap();
    let apart: Vec<bool> =
        measure["nulls"].as_array().unwrap().iter().map(|row| row["undefined"] == "other_scale").collect();
    assert_eq!(apart, [false, true], "no_talk has the same seats, random has none that tells a number: {measure}");
}

/// Six replicates, and what a run that extends them to more leaves.
fn extended(folder: &Path, primary: &str, steps: &[&str]) -> PathBuf {
    let config = CONFIG.replace("replicates: 12", "replicates: 6") + primary;
    let out = experiment(folder, &config);
    for replicates in steps {
        let config = folder.join("config.yaml");
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", replicates]).says(0, &[]);
    }
    out
}

fn in_one_line(told: &str) -> String {
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn replicates_that_were_added_after_results_were_seen_are_reported_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let primary = "primary: { metric: words, contrast: talk }\n";
    let out = extended(folder.path(), primary, &[]);
    let told = ekklesia(&["compare", text(&out)]);
    told.says(0, &["primary: announced in the config\n"]);
    assert!(in_one_line(&told.stdout).contains("; the comparison announced before the run;"), "{told:#?}");
    assert_eq!(json(&[text(&out)])["deviations"], serde_json::json!([]));
    assert!(!fs::read_to_string(out.join("methods.md")).unwrap().contains("Deviations"));
    let run = |replicates: &str| {
        let config = folder.path().join("config.yaml");
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", replicates])
    };
    run("8").says(0, &["replicates was 6 and is now 8, with 24 sessions done"]);
    let told = in_one_line(&ekklesia(&["compare", text(&out)]).stdout);
    let words = "replicates were extended from 6 to 8 after results had been seen";
    for place in [
        format!("exploratory: {words}"),
        "deviation: replicates was 6 and is now 8, with 24 sessions done".to_owned(),
        format!("; an exploratory comparison; {words}"),
    ] {
        assert!(told.contains(&place), "{place}: {told}");
    }
    run("9").says(0, &[]);
    let words = "replicates were extended 2 times, from 6 to 9 after results had been seen";
    let told = json(&[text(&out)]);
    let change = |from: &str, to: &str, done: u32| serde_json::json!({ "what": "replicates", "from": from, "to": to, "sessions_done": done });
    assert_eq!(told["deviations"], serde_json::json!([change("6", "8", 24), change("8", "9", 32)]));
    assert_eq!(
        (&told["analysis"], &told["exploratory_because"]),
        (&Value::from("exploratory"), &serde_json::json!([words]))
    );
    assert!(told["sentences"][0].as_str().unwrap().contains(words), "{told}");
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    for line in
        ["\n- `replicates` was `6` and is now `8`, with 24 sessions done.\n", "is now `9`, with 32 sessions done.\n"]
    {
        assert!(methods.contains(line), "{methods}");
    }
    let page = folder.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    assert!(fs::read_to_string(page).unwrap().contains(words));
}

#[test]
fn as_many_replicates_as_were_announced_are_no_deviation_and_fewer_or_more_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = extended(folder.path(), "primary: { metric: words, replicates: 9 }\n", &["8"]);
    let told = ekklesia(&["compare", text(&out)]).stdout;
    assert!(
        in_one_line(&told).contains("exploratory: 9 replicates of each arm are announced, and the design has 8 "),
        "{told}"
    );
    let run = |replicates: &str| {
        let config = folder.path().join("config.yaml");
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", replicates]).says(0, &[]);
    };
    run("9");
    ekklesia(&["compare", text(&out)]).says(0, &["primary: announced in the config\n"]);
    assert_eq!(json(&[text(&out)])["deviations"], serde_json::json!([]));
    run("10");
    let told = in_one_line(&ekklesia(&["compare", text(&out)]).stdout);
    assert!(told.contains("replicates were extended from 9 to 10 after results had been seen"), "{told}");
}

#[test]
fn fewer_replicates_and_another_tolerance_of_what_is_correct_are_deviations() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), &CONFIG.replace("replicates: 12", "replicates: 8"));
    for arm in ["short-majority", "short-unanimity", "long-majority", "long-unanimity"] {
        for replicate in 7..=8 {
            fs::remove_dir_all(out.join(format!("sessions/{arm}-r{replicate:06}"))).unwrap();
        }
    }
    let config = folder.path().join("config.yaml");
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "6"]).says(0, &[]);
    let told = in_one_line(&ekklesia(&["compare", text(&out)]).stdout);
    assert!(told.contains("replicates were reduced from 8 to 6 after results had been seen"), "{told}");

    let guesses = tempfile::tempdir().unwrap();
    let out = guesses.path().join("out");
    let run = |within: &str| {
        let set = format!("correct_within={within}");
        ekklesia(&["run", "configs/estimation.yaml", "--replicates", "2", "--set", &set, "--out", text(&out)])
    };
    run("0.1").says(0, &[]);
    run("0.2").says(0, &["correct_within was 0.1 and is now 0.2"]);
    for (metric, is_exploratory) in [("correct", true), ("words", false)] {
        let told = json(&[text(&out), "--metric", metric]);
        let because = told["exploratory_because"].to_string();
        assert_eq!(because.contains("correct_within was changed from 0.1 to 0.2"), is_exploratory, "{metric}: {told}");
        assert_eq!(told["deviations"][0]["what"], "correct_within");
    }
}

#[test]
fn shares_of_options_are_metrics_and_several_metrics_are_one_family() {
    let folder = tempfile::tempdir().unwrap();
    let primary = "primary: { metric: [share_for, straw_after_share_for], contrast: talk }\n";
    let out = extended(folder.path(), primary, &[]);
    let told = ekklesia(&["compare", text(&out)]);
    told.says(0, &["primary: announced in the config\n"]);
    assert!(in_one_line(&told.stdout).contains("; Holm over 2 contrasts of all metrics "), "{told:#?}");
    for line in told.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let both = json(&[text(&out)]);
    let contrasts = both["compared"]["contrasts"].as_array().unwrap();
    let metrics: Vec<&str> = contrasts.iter().map(|contrast| contrast["metric"].as_str().unwrap()).collect();
    assert_eq!(metrics, ["share_for", "straw_after_share_for"]);
    assert_eq!((both["tests"].as_u64(), both["metrics"].as_array().unwrap().len()), (Some(2), 2));
    let p = |contrast: &Value| contrast["main"]["test"]["p"].as_f64().unwrap();
    let least = contrasts.iter().map(p).fold(1.0, f64::min);
    let adjusted = contrasts.iter().map(|contrast| contrast["p_adjusted"].as_f64().unwrap()).fold(1.0, f64::min);
    assert!((adjusted - (2.0 * least).min(1.0)).abs() < 1e-12, "{adjusted} {least}");
    let same = json(&[text(&out), "--metric", "straw_after_share_for", "--metric", "share_for"]);
    assert_eq!(same["analysis"], "primary");
    // The shares of all options of a poll sum to 1, and the modal one is the greatest.
    let mut table = csv::Reader::from_path(out.join("sessions.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    for row in table.records().map(Result::unwrap) {
        let cell = |name: &str| row[place(name)].parse::<f64>().unwrap();
        for when in ["straw_before", "straw_after"] {
            let [one, other] = ["for", "against"].map(|option| cell(&format!("{when}_share_{option}")));
            assert!((one + other - 1.0).abs() < 1e-5, "{row:?}");
            assert!((one.max(other) - cell(&format!("{when}_modal_share"))).abs() < 1e-9, "{row:?}");
        }
        let [one, other] = ["share_for", "share_against"].map(cell);
        assert!((one + other - 1.0).abs() < 1e-5, "{row:?}");
        match &row[place("result")] {
            "for" => assert!(one > 0.5, "{row:?}"),
            _ => assert!(one < 1.0, "{row:?}"),
        }
    }
    for (primary, words) in [
        ("[share_four]", "no alternative is named \"four\""),
        ("[words, words]", "words is listed twice"),
        ("[]", "the list is empty"),
        ("[words, wrods]", "no column \"wrods\""),
    ] {
        let config = folder.path().join("config.yaml");
        let body = fs::read_to_string(&config).unwrap().replace("[share_for, straw_after_share_for]", primary);
        fs::write(folder.path().join("wrong.yaml"), body).unwrap();
        ekklesia(&["check", text(&folder.path().join("wrong.yaml"))]).says(2, &[words]);
    }
}

#[test]
fn a_number_is_no_percentage_because_of_its_name() {
    const AGENDA: &str = "variables: { session_share: { start: 0 } }
agenda:
  - { name: talk, discussion: { rounds: 1 } }
  - { name: given, ask: [ { id: own_share, number: { min: 20, max: 40 }, question: How many? } ] }
  - { name: note, compute: { session_share: \"30\" } }
  - { name: vote, vote: {} }
";
    let folder = tempfile::tempdir().unwrap();
    let design = "design: { factors: { rule: { key: decision.rule, levels: [majority, plurality] } } }\n\
                  primary: { metric: [var_session_share, ans_given_own_share, final_stance_share], contrast: rule }\n";
    let (config, out) = (write_agenda(folder.path(), AGENDA, design), folder.path().join("out"));
    let told = cli::run(&config, &out, &[]);
    told.says(0, &["(30.0 against 30.0;"]);
    assert!(!told.stdout.contains("3000 %"), "{told:#?}");
    for (metric, scale) in
        [("var_session_share", "number"), ("ans_given_own_share", "number"), ("final_stance_share", "share")]
    {
        assert_eq!(json(&[text(&out), "--metric", metric])["metrics"][0]["scale"], scale, "{metric}");
    }
}

/// A talk in which few groups decide under unanimity.
const DOUBTFUL: &str = "agenda:
  - { name: talk, discussion: { rounds: 2, vote: every_round } }
";

#[test]
fn the_sentence_at_the_end_of_a_run_tells_what_is_left_out_and_where_test_and_interval_disagree() {
    let folder = tempfile::tempdir().unwrap();
    let seats = "seats: [ { count: 3, name: \"Member {n}\", mind: { random: {} } } ]\nmodels: { sim: { simulated: {} } }\n\
                 design: { factors: { rule: { key: decision.rule, levels: [plurality, unanimity] } } }\n";
    let (mut disagreeing, mut left_out) = (0, 0);
    for (metric, replicates) in
        ["carried", "time_to_decision"].into_iter().flat_map(|name| [4, 6, 8].map(|n| (name, n)))
    {
        let primary = format!("{seats}primary: {{ metric: {metric}, contrast: rule }}\n");
        let config = write_agenda(folder.path(), DOUBTFUL, &primary);
        let out = folder.path().join(format!("{metric}-{replicates}"));
        let told = cli::run(&config, &out, &["--replicates", &replicates.to_string()]);
        let contrast = json(&[text(&out)])["compared"]["contrasts"][0].clone();
        let disagrees = contrast["warnings"].as_array().unwrap().contains(&Value::from("disagree"));
        let words = in_one_line(&told.stdout);
        assert_eq!(
            words.contains("although Newcombe's interval does not hold 0; the conclusion follows p."),
            disagrees,
            "{words}"
        );
        disagreeing += u64::from(disagrees);
        let planned = contrast["blocks_planned"].as_u64().unwrap();
        let lost = planned - contrast["main"]["blocks"].as_u64().unwrap();
        let told = format!("{lost} of {planned} blocks have no number on some side and are left out).");
        assert_eq!(words.contains(&told), lost > 0, "{words}");
        left_out += lost;
    }
    assert!(disagreeing > 0 && left_out > 0, "{disagreeing} {left_out}");
}

#[test]
fn an_interaction_is_a_difference_of_differences_with_an_interval_and_a_test() {
    let folder = tempfile::tempdir().unwrap();
    let out = experiment(folder.path(), &CONFIG.replace("replicates: 12", "replicates: 40"));
    let told = json(&[text(&out), "--metric", "words", "--by", "talk:rule"]);
    let contrast = &told["compared"]["contrasts"][0];
    assert_eq!(contrast["factor"], "talk:rule");
    let means = told["compared"]["arms"].as_array().unwrap();
    let mean = |arm: &str| means.iter().find(|one| one["arm"] == arm).unwrap()["mean"].as_f64().unwrap();
    let expected =
        (mean("short-majority") - mean("long-majority")) - (mean("short-unanimity") - mean("long-unanimity"));
    let main = &contrast["main"];
    assert!((main["difference"].as_f64().unwrap() - expected).abs() < 1e-9, "{contrast}");
    let [low, high] = ["low", "high"].map(|end| main["interval"][end].as_f64().unwrap());
    assert_eq!(low > 0.0 || high < 0.0, main["test"]["p"].as_f64().unwrap() < 0.05);
    let told = ekklesia(&["compare", text(&out), "--metric", "words", "--by", "talk:rule"]);
    let words = in_one_line(&told.stdout);
    for part in [
        "talk:rule: (short − long) under majority − (short − long) under unanimity",
        "The difference in the mean of the words on the floor (words) by talk (short − long) was",
        "under rule = majority than under rule = unanimity",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    ekklesia(&["compare", text(&out), "--metric", "words", "--by", "talk:rul"]).says(2, &["did you mean \"rule\"?"]);
    let apart = tempfile::tempdir().unwrap();
    let out = experiment(apart.path(), &CONFIG.replace("design:\n", "design:\n  pairing: independent\n"));
    ekklesia(&["compare", text(&out), "--metric", "words", "--by", "talk:rule"]).says(2, &["have no blocks"]);
}

/// A form and a variable for each kind of range, missing where no lot falls.
const RANGES: &str = "agenda:
  - { name: talk, discussion: { rounds: 1 } }
  - { name: roll, compute: { lot: \"draw_integer(1, 2)\", seat.most: 0 } }
  - { name: given, when: lot == 1, ask: [ { id: much, number: { min: 0, max: 10 }, question: How many? } ] }
  - { name: live, when: lot == 1, ask: [ { id: upto, number: { min: 0, max: seat.most }, question: How many? } ] }
  - { name: note, compute: { no: \"(1 == 2) if lot == 1 else missing\", five: \"5 if lot == 1 else missing\" } }
  - { name: vote, vote: {} }
";

#[test]
fn bounds_for_missing_numbers_come_from_what_limits_the_metric_and_not_from_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let design = "design: { factors: { rule: { key: decision.rule, levels: [majority, plurality] } } }\n";
    let config = write_agenda(folder.path(), RANGES, design);
    let out = folder.path().join("out");
    cli::run(&config, &out, &["--replicates", "12"]).says(0, &[]);
    for (metric, range, bounded) in [
        ("var_no", (0.0, 1.0), true),
        ("ans_given_much", (0.0, 10.0), true),
        ("ans_live_upto", (0.0, 0.0), false),
        ("var_five", (5.0, 5.0), false),
    ] {
        let contrast = json(&[text(&out), "--metric", metric])["compared"]["contrasts"][0].clone();
        let sessions = &contrast["sessions"];
        assert!(sessions["measured"].as_u64() < sessions["planned"].as_u64(), "{metric}: {contrast}");
        assert_eq!(
            (contrast["range"][0].as_f64(), contrast["range"][1].as_f64()),
            (Some(range.0), Some(range.1)),
            "{metric}"
        );
        let rules = contrast["other_rules"].as_array().unwrap();
        let least = rules.iter().find(|rule| rule["rule"] == "least_difference").unwrap();
        assert_eq!(
            least["difference"].as_f64().is_some_and(|difference| difference < 0.0),
            bounded,
            "{metric}: {least}"
        );
        let told = ekklesia(&["compare", text(&out), "--metric", metric]).stdout;
        assert_eq!(told.contains("no bounds: the limits of the metric are not known"), !bounded, "{told}");
    }
}

/// A variable that no session has, after more than twenty others, in a design with a vote.
#[test]
fn the_summary_lists_announced_variables_first_even_if_no_session_has_a_number() {
    let many: String = (0..24).map(|n| format!("a{n}: {n}, ")).collect();
    let agenda = |vote: &str| {
        format!(
            "agenda:\n  - {{ name: note, compute: {{ {many}never: \"5 if 1 == 2 else missing\", \
             seat.part: \"5 if seat.index == 1 else missing\" }} }}\n  - name: block\n    repeat: {{ times: 2 }}\n    \
             phases:\n      - {{ name: again, compute: {{ last: pass.number }} }}\n      - {{ name: put, when: pass.first, \
             ask: [ {{ id: q, number: {{ min: 0, max: 9 }}, question: How many? }} ] }}\n{vote}"
        )
    };
    let design = "design: { factors: { rule: { key: decision.rule, levels: [majority, plurality] } } }\n\
                  primary: { metric: [var_never, var_last], contrast: rule }\n";
    for (vote, others) in [("  - { name: vote, vote: {} }\n", false), ("", true)] {
        let folder = tempfile::tempdir().unwrap();
        let (config, out) = (write_agenda(folder.path(), &agenda(vote), design), folder.path().join("out"));
        let told = cli::run(&config, &out, &[]);
        told.says(
            0,
            &["var_never              majority: no session has a number", "plurality: no session has a number"],
        );
        told.says(0, &["var_last               majority: 2, 2 to 2, as last set"]);
        assert!(
            in_one_line(&told.stdout).contains("var_never has no numbers to compare and is left out."),
            "{told:#?}"
        );
        assert_eq!(told.stdout.contains("var_a0 "), others, "{told:#?}");
        let answered = told.stdout.lines().find(|line| line.starts_with(" ans_put_q "));
        assert_eq!(answered.is_some_and(|line| line.ends_with("as last answered")), others, "{told:#?}");
        let first = told.stdout.find("var_never").unwrap();
        assert!(told.stdout.find("var_a0 ").is_none_or(|other| first < other), "{told:#?}");
        let page = folder.path().join("page.html");
        ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
        let html = fs::read_to_string(&page).unwrap();
        assert!(html.contains("have no more than one value: a0: 0; a1: 1"), "{}", html.len());
        assert!(html.contains("part of seats: 5 (") && html.contains(" missing)"), "{}", html.len());
    }
}
