//! The figures of an experiment as files: every number is that of the tables or of `compare`, and each can be drawn again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{column, ekklesia, run, text};
use crate::fixtures::trial::{write_agenda, write_config};

const BODY: &str = "
replicates: 12
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 5, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
straw_polls: [before, after]
discussion: { rounds: 4, order: random, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
    order: { key: discussion.order, levels: [random, fixed] }
";

type Row = BTreeMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

#[test]
fn every_figure_is_written_in_four_formats_and_listed_with_its_caption() {
    let place = tempfile::tempdir().unwrap();
    let (config, out, figures) =
        (write_config(place.path(), BODY), place.path().join("out"), place.path().join("figures"));
    run(&config, &out, &[]).says(0, &[]);
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)])
        .says(0, &["figures, each as SVG, PDF, PNG and CSV"]);
    let listed = rows(&figures.join("figures.csv"));
    let names: Vec<&str> = listed.iter().map(|row| row["name"].as_str()).collect();
    for name in [
        "choices",
        "contrasts",
        "interaction",
        "polls",
        "decided",
        "stances",
        "agreement",
        "influence",
        "speaking",
        "rules",
        "memory",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let loader = fs::read_to_string(out.join("load.R")).unwrap();
    for row in &listed {
        let (name, begins) =
            (&row["name"], |end: &str| fs::read(figures.join(format!("{}.{end}", row["name"]))).unwrap());
        assert!(
            begins("svg").starts_with(b"<svg xmlns=")
                && begins("pdf").starts_with(b"%PDF-")
                && begins("png").starts_with(b"\x89PNG"),
            "{name}"
        );
        assert!(!row["title"].is_empty() && !row["finding"].is_empty() && !row["reading"].is_empty(), "{name}");
        let is_one_of_many = name.starts_with("metric-") || name.starts_with("flow-");
        let function = format!("figure_{} <- ", name.replace('-', "_"));
        assert!(is_one_of_many || loader.contains(&function), "load.R cannot draw {name}");
    }
    assert_eq!(fs::read_dir(&figures).unwrap().count(), 4 * listed.len() + 1);
    let again = ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]);
    again.says(2, &["is there already; give --out another path"]);
}

#[test]
fn the_numbers_are_those_of_the_tables_and_of_compare() {
    let place = tempfile::tempdir().unwrap();
    let (config, out, figures) =
        (write_config(place.path(), BODY), place.path().join("out"), place.path().join("figures"));
    run(&config, &out, &[]).says(0, &[]);
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures), "--width", "85"]).says(0, &[]);
    let sessions = rows(&out.join("sessions.csv"));
    let labels = [("random", "order: random"), ("fixed", "order: fixed")];
    let mut seen = 0;
    for mark in rows(&figures.join("choices.csv")) {
        let own = sessions.iter().filter(|row| {
            let (_, order) = labels.iter().find(|(level, _)| *level == row["arm_order"]).unwrap();
            mark["series"] == format!("rule: {}, {order}", row["arm_rule"])
        });
        let chosen = match mark["panel"].as_str() {
            "For the motion" => "for",
            "Against the motion" => "against",
            _ => "",
        };
        let count = own.clone().filter(|row| row["result"] == chosen).count();
        let share: f64 = mark["value"].parse().unwrap();
        assert_eq!(mark["n"], own.clone().count().to_string());
        assert!((share - count as f64 / own.count() as f64).abs() < 1e-12, "{mark:?}");
        seen += 1;
    }
    assert!(seen >= 8, "{seen}");
    let compared = ekklesia(&["compare", text(&out), "--json"]).stdout;
    let compared: serde_json::Value = serde_json::from_str(&compared).unwrap();
    let contrasts = compared["compared"]["contrasts"].as_array().unwrap();
    let marks = rows(&figures.join("contrasts.csv"));
    assert_eq!(marks.len(), contrasts.len());
    for (mark, contrast) in marks.iter().zip(contrasts) {
        let number = |value: &serde_json::Value| value.as_f64().map_or(String::new(), |value| value.to_string());
        assert_eq!(mark["value"], number(&contrast["main"]["difference"]));
        assert_eq!(mark["low"], number(&contrast["main"]["interval"]["low"]));
        assert_eq!(mark["n"], contrast["main"]["blocks"].to_string());
    }
    assert!(compared["tests"].as_u64().unwrap() > 1);
    let listed = rows(&figures.join("figures.csv"));
    let caption = listed.iter().find(|row| row["name"] == "contrasts").unwrap();
    assert!(caption["reading"].contains("bars are unadjusted 95 % intervals"), "{caption:?}");
    let finding = &caption["finding"];
    assert!(finding.contains("; unadjusted 95 % interval ") && finding.contains("; Holm-adjusted p "), "{finding}");
    let svg = fs::read_to_string(figures.join("choices.svg")).unwrap();
    assert!(svg.contains("width=\"321.3\""), "85 mm are 321.3 CSS pixels: {svg:.200}");
}

#[test]
fn a_group_that_has_decided_counts_in_every_later_round() {
    let place = tempfile::tempdir().unwrap();
    let (config, out, figures) =
        (write_config(place.path(), BODY), place.path().join("out"), place.path().join("figures"));
    run(&config, &out, &[]).says(0, &[]);
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    let sessions = rows(&out.join("sessions.csv"));
    let mut last = BTreeMap::new();
    for mark in rows(&figures.join("decided.csv")) {
        assert_eq!(mark["n"], "12", "every session of an arm counts in every round");
        let round: u64 = mark["at"].parse().unwrap();
        let own = sessions
            .iter()
            .filter(|row| mark["series"] == format!("rule: {}, order: {}", row["arm_rule"], row["arm_order"]));
        let decided = own
            .filter(|row| round > 0 && row["carried"] == "1" && row["rounds_used"].parse::<u64>().unwrap() <= round)
            .count();
        let share: f64 = mark["value"].parse().unwrap();
        assert!((share - decided as f64 / 12.0).abs() < 1e-12, "{mark:?}");
        let before = last.insert(mark["series"].clone(), share).unwrap_or(0.0);
        assert!(share >= before, "the share of groups that have decided never falls");
    }
    assert_eq!(last.len(), 4);
    let listed = rows(&figures.join("figures.csv"));
    let finding = &listed.iter().find(|row| row["name"] == "memory").unwrap()["finding"];
    let seat_rounds = rows(&out.join("seat_rounds.csv"));
    // The finding names two arms.
    let mut checked = 0;
    for series in last.keys() {
        let Some((_, told)) = finding.split_once(&format!("{series}: ")) else { continue };
        checked += 1;
        let is_own = |row: &&Row| *series == format!("rule: {}, order: {}", row["arm_rule"], row["arm_order"]);
        let own: Vec<&Row> = sessions.iter().filter(is_own).collect();
        let in_last_round = |session: &Row| {
            let is_last = |row: &&Row| row["session"] == session["session"] && row["round"] == session["rounds_used"];
            let kept = seat_rounds.iter().filter(is_last).map(|row| row["memory_chars"].parse::<f64>().unwrap());
            kept.sum::<f64>() / 5.0
        };
        let expected = own.iter().map(|session| in_last_round(session)).sum::<f64>() / own.len() as f64;
        let told = told.split(';').next().unwrap().trim_end_matches('.');
        let told: String = told.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        assert!((told.parse::<f64>().unwrap() - expected).abs() <= 0.5, "{series}: {expected}: {finding}");
    }
    assert_eq!(checked, 2, "{finding}");
}

#[test]
fn captions_name_the_interval_and_the_unit_that_compare_takes() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("items.csv"), "id,text\na,Adopt?\nb,Pay?\nc,Close?\n").unwrap();
    let agenda = "variables: { n: {} }\nagenda:\n  - { name: sum, compute: { n: \"draw_uniform(0, 1)\" } }\n  - { name: final, vote: {} }";
    let captions = |unit: &str, metric: &str| {
        let place = tempfile::tempdir_in(place.path()).unwrap();
        let more = format!(
            "items: {{ file: ../items.csv, id: id, text: text }}\n\
             design: {{ factors: {{ rule: {{ key: decision.rule, levels: [majority, unanimity] }} }} }}\n\
             primary: {{ metric: {metric}, contrast: rule, unit: {unit} }}\n"
        );
        let (config, out) = (write_agenda(place.path(), agenda, &more), place.path().join("out"));
        run(&config, &out, &[]).says(0, &[]);
        let figures = place.path().join("figures");
        ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
        let listed = rows(&figures.join("figures.csv"));
        let reading = |name: &str| listed.iter().find(|row| row["name"] == name).unwrap()["reading"].clone();
        (reading(&format!("metric-{metric}").replace('_', "-")), reading("variable-n"))
    };
    let (metric, values) = captions("item", "carried");
    assert!(metric.contains("Bars are 95 % intervals by inverted sign-flip tests over items. "), "{metric}");
    assert!(values.contains("sign-flip tests over six sessions or more; "), "{values}");
    assert!(values.contains(" ekklesia compare takes items as independent, so its intervals may differ."), "{values}");
    let (metric, values) = captions("session", "carried");
    assert!(metric.contains("Bars are Wilson's 95 % intervals of a share of sessions. "), "{metric}");
    assert!(!values.contains("as independent"), "{values}");
    let (metric, _) = captions("session", "var_n");
    assert!(metric.contains("Bars are 95 % intervals by inverted sign-flip tests over sessions. "), "{metric}");
}

#[test]
fn a_folder_without_a_complete_session_has_no_figure() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), BODY), place.path().join("out"));
    run(&config, &out, &["--replicates", "1"]).says(0, &[]);
    fs::remove_dir_all(out.join("sessions")).unwrap();
    let told = ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&place.path().join("figures"))]);
    told.says(4, &["there is nothing to draw yet; no session is complete"]);
    assert!(!place.path().join("figures").exists());
}

#[test]
fn the_last_vote_of_each_session_is_counted_in_whichever_pass_it_was_held() {
    const AGENDA: &str = "agenda:
  - name: bargain
    repeat: { until: ballot.decided, max: 5 }
    phases: [ { name: ballot, vote: { over: [x, y], rule: unanimity } } ]
";
    let place = tempfile::tempdir().unwrap();
    let (config, out, figures) = (
        write_agenda(
            place.path(),
            AGENDA,
            "models: { sim: { simulated: {} } }\nseats: [ { count: 3, name: \"Member {n}\", mind: { random: {} } } ]\n",
        ),
        place.path().join("out"),
        place.path().join("figures"),
    );
    run(&config, &out, &["--replicates", "12"]).says(0, &[]);
    let last_passes: BTreeSet<String> = column(&out, "votes_held").into_iter().collect();
    assert!(last_passes.len() > 2, "{last_passes:?}");
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    let marks = rows(&figures.join("rules.csv"));
    // Sessions that decided nothing have nothing to agree with.
    let decided = column(&out, "result").iter().filter(|result| !result.is_empty()).count().to_string();
    assert!(!marks.is_empty() && marks.iter().all(|mark| mark["n"] == decided), "{decided}: {marks:?}");
}

#[test]
fn other_rules_are_compared_with_decisions_of_the_vote_that_gives_the_result_and_ties_are_told_apart() {
    let seats = "models: { sim: { simulated: {} } }\nseats:\n  - { name: Ann, mind: { scripted: { list: [ { choice: for } ] } } }\n  \
                 - { name: Bob, mind: { scripted: { list: [ { choice: against } ] } } }\n";
    let page = |vote: &str, tie_break: &str| {
        let place = tempfile::tempdir().unwrap();
        let more = format!("{seats}decision: {{ rule: plurality, tie_break: {tie_break} }}\n");
        let config = write_agenda(place.path(), &format!("agenda:\n  - {{ name: final, vote: {vote} }}"), &more);
        let out = place.path().join("out");
        run(&config, &out, &[]).says(0, &[]);
        ekklesia(&["report", text(&out)]).says(0, &[]);
        fs::read_to_string(out.join("report.html")).unwrap()
    };
    let drawn = page("{}", "lot");
    assert!(drawn.contains("100 % (100 % tied)"), "both sessions drew their result between two that plurality ties");
    assert!(drawn.contains("Least agreement with the decisions, 0 %: unanimity, majority, supermajority of 2/3."));
    let other = page("{ over: alternatives, decides: false }", "lot");
    assert!(!other.contains("Other rules"), "no vote gives the result");
    let undecided = page("{}", "no_decision");
    assert!(!undecided.contains("id=\"figure-rules\""), "nothing was decided");
    assert!(undecided.contains("No session decided anything, so no rule can agree with a decision."));
    assert!(undecided.contains("Results under the chosen rule"));
}
