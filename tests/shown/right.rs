//! What is right stands where the outcome is told: in the summary of a run, at the end of a session, and on the page.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{Told, ekklesia, text};
use crate::fixtures::trial::repository;

fn run(place: &Path, name: &str, more: &[&str]) -> (Told, PathBuf) {
    let (config, out) =
        (repository().join(format!("configs/{name}.yaml")), place.join(format!("{name}{}", more.len())));
    let told = ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
    told.says(0, &[]);
    (told, out)
}

/// What a command printed, on one line.
fn joined(told: &Told) -> String {
    told.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn has(told: &Told, words: &str) {
    assert!(joined(told).contains(words), "{words:?} is not said: {}", told.stdout);
}

/// The last line of a session as it is shown, and its outcome in the table.
fn ends(out: &Path, session: &str) -> String {
    let told = ekklesia(&["show", text(&out.join("sessions").join(session))]);
    told.says(0, &[]);
    let last = told.stdout.trim_end().lines().last().unwrap().strip_prefix("## Outcome: ").unwrap();
    last.rsplit_once(" [").unwrap().0.to_owned()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_summary_says_how_many_were_right_and_what_is_right() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "hidden_profile", &["--replicates", "20"]);
    has(&told, "correct 0 of 20 decisions: 0 % (95 % 0 – 16); right is adler");
    assert_eq!(told.stdout.matches("right is adler").count(), 6, "{}", told.stdout);
    assert_eq!(
        ends(&out, "hidden-none-r000001"),
        "carried: “Candidate Brandt” · a vote decided · right is “Candidate Adler”"
    );
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("id=\"figure-metric-correct\""));
    let json = ekklesia(&[
        "run",
        text(&repository().join("configs/hidden_profile.yaml")),
        "--out",
        text(&out),
        "--replicates",
        "20",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let of = json["arms"].as_array().unwrap().iter().find(|arm| arm["arm"] == "hidden-none").unwrap();
    let (told, _) =
        run(place.path(), "hidden_profile", &["--replicates", "1", "--follow", "--set", "experiment=followed"]);
    // Each line of a session begins with its name, and outcomes are broken over two.
    let joined = format!("{}{}", told.stdout, told.stderr);
    let words = joined.split_whitespace().filter(|word| !word.contains("-r0000")).collect::<Vec<_>>().join(" ");
    let said = words.matches("decided · right is “Candidate Adler”").count();
    assert_eq!(said, 6, "{told:#?}");
    assert_eq!((&of["right"]["is"], &of["right"]["correct"]["correct"]), (&"adler".into(), &0.into()), "{of}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_truth_that_is_drawn_is_told_session_by_session_and_what_was_not_decided_is_neither_right_nor_wrong() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "jury", &["--replicates", "10"]);
    has(&told, "what is right differs between sessions");
    has(&told, "not counted: ");
    for line in told.stdout.lines().filter(|line| !line.contains("ekklesia ")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let (mut right, mut seen) = (0, 0);
    for replicate in 1..=10 {
        let last = ends(&out, &format!("majority-r{replicate:06}"));
        let Some(decided) = last.strip_prefix("carried: ") else { continue };
        let chosen = decided.split(" · ").next().unwrap();
        right += u64::from(last.ends_with(&format!(" · right is {chosen}")));
        seen += 1;
    }
    has(&told, &format!("correct {right} of {seen} decisions"));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_right_amount_is_told_with_its_unit_and_of_items_each_its_own() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "estimation", &["--replicates", "1"]);
    assert!(!told.stdout.contains("right is"), "items tell their keys in their rows: {}", told.stdout);
    let last = ends(&out, "alone-iox-r000001");
    assert!(last.ends_with(" · right is 1 198"), "{last}");
    let config = fs::read_to_string(repository().join("configs/estimation.yaml")).unwrap();
    let (before, behind) = config.split_once("items:").unwrap();
    let behind = behind.split_once("seed:").unwrap().1.split("primary:").next().unwrap();
    let scenario = format!("scenario: {}", repository().join("scenarios/estimation").display());
    let alone = format!("{}seed:{behind}", before.replace("scenario: ../scenarios/estimation", &scenario));
    let file = place.path().join("ox.yaml");
    fs::write(&file, alone).unwrap();
    let told = ekklesia(&["run", text(&file), "--out", text(&place.path().join("ox")), "--replicates", "2"]);
    has(&told, "right is 1 198 pounds");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_decision_that_a_lot_made_says_so_wherever_it_is_told_and_the_summary_counts_them() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "debate_qa", &["--replicates", "2"]);
    let read = |table: &str, columns: [&str; 4]| -> Vec<[String; 4]> {
        let mut table = csv::Reader::from_path(out.join(format!("{table}.csv"))).unwrap();
        let head = table.headers().unwrap().clone();
        let at = columns.map(|name| head.iter().position(|one| one == name).unwrap());
        table.records().map(|row| row.unwrap()).map(|row| at.map(|at| row[at].to_owned())).collect()
    };
    let by_lot: Vec<String> = read("tallies", ["session", "purpose", "tie_break", "decided"])
        .into_iter()
        .filter(|[_, purpose, by, decided]| purpose == "vote" && by == "lot" && decided == "1")
        .map(|[session, ..]| session)
        .collect();
    let sessions = read("sessions", ["session", "arm", "result", "correct"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let mut seen = 0;
    for arm in sessions.iter().map(|row| &row[1]).collect::<std::collections::BTreeSet<_>>() {
        let own: Vec<_> = sessions.iter().filter(|row| row[1] == *arm && !row[2].is_empty()).collect();
        let drawn: Vec<_> = own.iter().filter(|row| by_lot.contains(&row[0])).collect();
        let right = drawn.iter().filter(|row| row[3] == "1").count();
        if !drawn.is_empty() {
            let words = format!("{} of {} decisions; {right} of these right", drawn.len(), own.len());
            has(&told, &format!("tie broken by lot: {words}"));
            seen += 1;
        }
        for row in own {
            let is_drawn = by_lot.contains(&row[0]);
            let begins = format!("<th scope=\"row\"><a href=\"#{}\">", row[0]);
            let listed = page.split(&begins).nth(1).unwrap().split("</tr>").next().unwrap();
            assert_eq!(listed.contains(", the tie broken by lot, "), is_drawn, "{listed}");
            let article = page.split(&format!("<article class=\"session\" id=\"{}\"", row[0])).nth(1).unwrap();
            let head = article.split("The group decided for ").nth(1).unwrap().split("</p>").next().unwrap();
            assert_eq!(head.contains("), the tie broken by lot; that is "), is_drawn, "{head}");
        }
    }
    assert!(seen > 0 && sessions.len() > by_lot.len(), "{} of {}", by_lot.len(), sessions.len());
    assert_eq!(joined(&told).matches("tie broken by lot").count(), seen);
}

#[test]
fn what_a_run_says_in_the_end_names_the_page() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "first", &["--replicates", "2"]);
    told.says(0, &[&format!("\n report  ekklesia report {}\n", text(&out))]);
}

#[test]
fn what_was_imposed_is_no_decision_that_was_right_or_wrong() {
    let place = tempfile::tempdir().unwrap();
    let imposed = ["--replicates", "3", "--set", "decision={ rule: imposed, imposed: { alternative: adler } }"];
    let (told, out) = run(place.path(), "hidden_profile", &imposed);
    assert!(told.stdout.contains("right is adler") && !told.stdout.contains(" decisions"), "{}", told.stdout);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!page.contains(" 3 decisions") && !page.contains(" 0 decisions"), "nobody decided");
}

/// The cells of a column of the table of sessions, with those of the column `arm`; empty ones are left out.
fn cells(out: &Path, column: &str) -> Vec<(String, String)> {
    let mut table = csv::Reader::from_path(out.join("sessions.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let [arm, own] = ["arm", column].map(|name| header.iter().position(|known| known == name).unwrap());
    let rows = table.records().map(|row| row.map(|row| (row[arm].to_owned(), row[own].to_owned())).unwrap());
    rows.filter(|(_, cell)| !cell.is_empty()).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn of_critical_trials_the_share_that_conformed_is_told_first_and_what_is_right_apart_from_the_others() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "conformity", &["--replicates", "3"]);
    let ones = |column: &str| cells(&out, column).iter().filter(|(arm, one)| arm == "majority" && one == "1").count();
    let (conformed, right) = (ones("conformed"), ones("correct"));
    let words = joined(&told);
    let majority = words.split(" setting = majority ").nth(1).unwrap().split(" setting = ").next().unwrap();
    assert!(majority.contains(&format!(" conformed {conformed} of 36 decisions: ")), "{majority}");
    let correct = majority.split(" · correct ").nth(1).unwrap().split(" · ").next().unwrap();
    let numbers: Vec<usize> = correct.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    assert_eq!((numbers[0] + numbers[2], numbers[1], numbers[3]), (right, 36, 18), "{correct}");
    assert!(correct.ends_with(" in others"), "{correct}");
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.find("id=\"figure-items-conformed\"").unwrap() < page.find("id=\"figure-items-right\"").unwrap());
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_error_of_estimates_is_told_over_items_of_several_units_as_the_column_has_it() {
    let place = tempfile::tempdir().unwrap();
    let (told, out) = run(place.path(), "estimation", &["--replicates", "2"]);
    for arm in ["alone", "star"] {
        let errors: Vec<f64> = cells(&out, "result_relative_error")
            .into_iter()
            .filter_map(|(of, cell)| (of == arm).then(|| cell.parse().unwrap()))
            .collect();
        assert_eq!(errors.len(), 16);
        let mean = format!("{:.1} % ", 100.0 * errors.iter().sum::<f64>() / 16.0);
        let words = joined(&told);
        let own = words.split(&format!(" contact = {arm} ")).nth(1).unwrap();
        let own = own.split(" contact = ").next().unwrap();
        assert!(own.contains(&format!("{mean}off what is right (mean over 8 items, 16 decisions)")), "{own}");
    }
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("id=\"figure-items-error\"") && page.contains("The decisions were off by, on average: "));
}

#[test]
fn that_all_answered_alike_before_the_talk_is_told_where_they_were_asked_and_nowhere_else() {
    let place = tempfile::tempdir().unwrap();
    let (told, _) = run(place.path(), "hidden_profile", &["--replicates", "2"]);
    let words = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words.matches(" all answered alike before the talk in 2 of 2").count(), 6);
    let (told, out) = run(place.path(), "jury", &["--replicates", "2"]);
    assert!(!told.stdout.contains("before the talk") && !told.stdout.contains("trivial"), "{}", told.stdout);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("no poll"));
}
