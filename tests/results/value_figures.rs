//! The figures of answers, variables and payments: every mark is what a reader works out from `values.csv`, `variables.csv` and
//! `payoffs.csv`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{column, ekklesia, run, text};
use crate::fixtures::trial::{repository, write_file};

type Row = BTreeMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// Runs a config and writes its figures; returns the results and the figures.
fn drawn(place: &Path, config: &Path) -> (PathBuf, PathBuf) {
    let (out, figures) = (place.join("out"), place.join("figures"));
    run(config, &out, &[]).says(0, &[]);
    ekklesia(&["export", text(&out), "--format", "figures", "--out", text(&figures)]).says(0, &[]);
    (out, figures)
}

/// What a folder says of a figure in words; `None` if it has no such figure.
fn caption(figures: &Path, name: &str) -> Option<Row> {
    rows(&figures.join("figures.csv")).into_iter().find(|row| row["name"] == name)
}

/// The cells of rows by arm, pass and session; of yes and no, 1 and 0.
fn group<'r>(own: impl Iterator<Item = &'r Row>) -> BTreeMap<(String, String), BTreeMap<String, Vec<f64>>> {
    let mut groups: BTreeMap<(String, String), BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    for row in own.filter(|row| !row["value_n"].is_empty()) {
        let sessions = groups.entry((row["arm"].clone(), row["pass"].clone())).or_default();
        sessions.entry(row["session"].clone()).or_default().push(row["value_n"].parse().unwrap());
    }
    groups
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Compares the marks of a curve over passes with the rows of a table.
fn assert_curve<'r>(
    figures: &Path,
    name: &str,
    labels: &BTreeMap<String, String>,
    own: impl Iterator<Item = &'r Row>,
) -> usize {
    let marks = rows(&figures.join(format!("{name}.csv")));
    let groups = group(own);
    assert_eq!(marks.len(), groups.len(), "{name}");
    for ((arm, pass), sessions) in &groups {
        let is_its = |mark: &&Row| mark["series"] == labels[arm] && mark["at"] == *pass;
        let mark = marks.iter().find(is_its).unwrap_or_else(|| panic!("{name}: no mark of {arm} in pass {pass}"));
        let means: Vec<f64> = sessions.values().map(|values| mean(values)).collect();
        let value: f64 = mark["value"].parse().unwrap();
        let expected = mean(&means);
        assert!((value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name}: {mark:?}, not {expected}");
        assert_eq!(mark["n"], sessions.len().to_string(), "{name}: {mark:?}");
        let all: Vec<f64> = sessions.values().flatten().copied().collect();
        let is_whole = all.iter().all(|number| number.fract() == 0.0 && number.abs() < 1000.0);
        if is_whole {
            let (least, most) =
                (all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(f64::MIN, f64::max));
            assert!(
                mark["text"].replace('−', "-").starts_with(&format!("{least} to {most}, quartiles")),
                "{name}: {mark:?}"
            );
        }
    }
    marks.len()
}

#[test]
fn curves_of_a_public_good_are_means_over_sessions_of_the_rows_of_their_tables() {
    let place = tempfile::tempdir().unwrap();
    let (out, figures) = drawn(place.path(), &repository().join("configs/public_goods.yaml"));
    let (values, variables) = (rows(&out.join("values.csv")), rows(&out.join("variables.csv")));
    let label = |row: &Row| format!("punishment: {}, matching: {}", row["arm_punishment"], row["arm_matching"]);
    let labels: BTreeMap<String, String> = values.iter().map(|row| (row["arm"].clone(), label(row))).collect();
    let of = |name: &'static str| move |row: &&Row| row["name"] == name;
    let mut seen = assert_curve(&figures, "answers-c", &labels, values.iter().filter(|row| row["field"] == "c"));
    // Only two arms punish.
    seen += assert_curve(&figures, "answers-p", &labels, values.iter().filter(|row| row["field"] == "p"));
    seen += assert_curve(&figures, "variable-gross", &labels, variables.iter().filter(of("gross")));
    seen += assert_curve(&figures, "variable-net", &labels, variables.iter().filter(of("net")));
    assert_eq!(seen, 40 + 20 + 40 + 40);
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    let page = fs::read_to_string(page).unwrap();
    let first = page.split("id=\"overview\"").nth(1).unwrap().split("</section>").next().unwrap();
    assert!(first.contains("16 sessions complete, without a vote. Answers to c, asked in contribute."), "{first:.900}");
    assert!(
        first.contains("id=\"figure-answers-c\"") && page.contains("<h2 id=\"values-title\">Answers and values</h2>")
    );
    assert_eq!(page.matches("id=\"figure-answers-c\"").count(), 1, "a figure of the first screen stands there alone");
}

#[test]
fn a_panel_that_stops_early_counts_on_the_passes_that_it_reached() {
    let place = tempfile::tempdir().unwrap();
    let (out, figures) = drawn(place.path(), &repository().join("configs/delphi.yaml"));
    let (values, variables) = (rows(&out.join("values.csv")), rows(&out.join("variables.csv")));
    let labels: BTreeMap<String, String> =
        ["strict", "loose"].map(|arm| (arm.to_owned(), format!("tolerance: {arm}"))).into();
    let mut seen =
        assert_curve(&figures, "answers-value", &labels, values.iter().filter(|row| row["field"] == "value"));
    for name in ["middle", "low", "high", "spread"] {
        let own = variables.iter().filter(|row| row["name"] == name);
        seen += assert_curve(&figures, &format!("variable-{name}"), &labels, own);
    }
    assert!(seen > 30, "{seen}");
    // The lengths of texts, between their quartiles.
    for mark in rows(&figures.join("answers-reason.csv")) {
        let is_its =
            |row: &&Row| row["field"] == "reason" && labels[&row["arm"]] == mark["series"] && row["pass"] == mark["at"];
        let mut words: Vec<f64> =
            values.iter().filter(is_its).map(|row| ekklesia::text::word_count(&row["value"]) as f64).collect();
        words.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| {
            let at = share * (words.len() - 1) as f64;
            let (below, above) = (words[at.floor() as usize], words[at.ceil() as usize]);
            below + at.fract() * (above - below)
        };
        let written = ["value", "low", "high"].map(|column| mark[column].parse::<f64>().unwrap());
        assert_eq!(written, [0.5, 0.25, 0.75].map(quantile), "{mark:?}");
        assert_eq!(mark["n"], words.len().to_string());
    }
}

/// A form whose answers are often no answers, in one arm of two.
const SCENARIO: &str = "scenario: own
parameters: { asks: { type: bool, default: true } }
variables: { pot: { start: 25 }, stake: { of: seat, start: seat.index } }
agenda:
  - name: first
    when: parameters.asks
    ask:
      - { id: x, number: { min: 0, max: 10 }, question: \"How many?\" }
      - { id: colour, choice: { options: [red, blue, green] }, question: \"Which?\" }
      - { id: order, ranking: { options: [red, blue, green] }, question: \"In which order?\" }
      - { id: points, allocation: { options: [red, blue], points: 10 }, question: \"How many points?\" }
      - { id: fair, yes_no: {}, question: \"Is it fair?\" }
  - { name: sum, compute: { pot: \"pot + count(everyone.x)\", steady: \"1\" } }
";

const CONFIG: &str = "experiment: own
scenario: own
seed: 3
replicates: 7
models: { sim: { simulated: {} } }
seats: [ { count: 4, name: \"Seat {n}\", model: sim, mind: { random: { malformed: 0.7 } } } ]
design:
  factors:
    asked: { set: { yes: { parameters.asks: true }, no: { parameters.asks: false } } }
";

fn write_own(place: &Path, scenario: &str) -> PathBuf {
    write_file(place, "own/scenario.yaml", scenario);
    write_file(place, "config.yaml", CONFIG)
}

#[test]
fn missing_and_faulty_answers_are_left_out_and_counted_and_an_arm_without_any_has_no_mark() {
    let place = tempfile::tempdir().unwrap();
    let (out, figures) = drawn(place.path(), &write_own(place.path(), SCENARIO));
    let values = rows(&out.join("values.csv"));
    let of = |field: &'static str| values.iter().filter(move |row| row["field"] == field);
    let statuses: BTreeSet<&str> = values.iter().map(|row| row["status"].as_str()).collect();
    assert!(statuses.contains("invalid") && statuses.contains("valid"), "{statuses:?}");
    assert!(values.iter().all(|row| row["arm"] == "yes"));

    let marks = rows(&figures.join("answers-x.csv"));
    let answered: BTreeMap<(String, String), BTreeMap<String, Vec<f64>>> = group(of("x"));
    let sessions = &answered[&("yes".to_owned(), String::new())];
    let expected = mean(&sessions.values().map(|values| mean(values)).collect::<Vec<_>>());
    assert_eq!(marks.len(), 1, "{marks:?}");
    assert_eq!((marks[0]["series"].as_str(), marks[0]["n"].clone()), ("asked: yes", sessions.len().to_string()));
    assert!((marks[0]["value"].parse::<f64>().unwrap() - expected).abs() < 1e-12, "{marks:?}");
    let missing = of("x").filter(|row| row["value"].is_empty()).count();
    assert!(missing > 1);
    let said = caption(&figures, "answers-x").unwrap()["reading"].clone();
    assert!(said.contains(&format!("{missing} answers are missing and left out.")), "{said}");
    assert!(said.contains("The question was: “How many?”"), "{said}");

    // Shares of options, of first places and of yes, and mean points, each over the sessions with an answer.
    let mut by_session: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for row in values.iter().filter(|row| row["status"] == "valid") {
        by_session.entry((&row["field"], &row["session"])).or_default().push(&row["value"]);
    }
    let over_sessions = |field: &str, of: &dyn Fn(&str) -> f64| {
        let own = by_session.iter().filter(|((known, _), _)| *known == field);
        mean(
            &own.map(|(_, answers)| mean(&answers.iter().map(|answer| of(answer)).collect::<Vec<_>>()))
                .collect::<Vec<_>>(),
        )
    };
    let points = |answer: &str, option: &str| {
        let part = answer.split(", ").find_map(|part| part.strip_prefix(&format!("{option} = ")).map(str::to_owned));
        part.unwrap().parse::<f64>().unwrap()
    };
    let share = |is: bool| f64::from(u8::from(is));
    for (figure, field) in [("answers-colour", "colour"), ("answers-order", "order"), ("answers-points", "points")] {
        let marks = rows(&figures.join(format!("{figure}.csv")));
        assert!(marks.len() >= 2, "{marks:?}");
        for mark in marks {
            let option = mark["panel"].as_str();
            let expected = over_sessions(field, &|answer| match field {
                "colour" => share(answer == option),
                "order" => share(answer.split(" > ").next() == Some(option)),
                _ => points(answer, option),
            });
            assert!((mark["value"].parse::<f64>().unwrap() - expected).abs() < 1e-12, "{figure}: {mark:?} {expected}");
        }
    }
    let fair = rows(&figures.join("answers-fair.csv"));
    let expected = over_sessions("fair", &|answer| share(answer == "yes"));
    assert!((fair[0]["value"].parse::<f64>().unwrap() - expected).abs() < 1e-12, "{fair:?} {expected}");

    assert!(caption(&figures, "variable-steady").is_none(), "a variable that never differs has no figure");
    assert_eq!(rows(&figures.join("variable-pot.csv")).len(), 2);
}

#[test]
fn an_optional_answer_that_was_left_empty_is_not_told_to_be_missing() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
agenda:
  - name: first
    ask:
      - { id: x, number: { min: 0, max: 10 }, optional: true, question: \"How many?\" }
      - { id: y, number: { min: 0, max: 10 }, question: \"How many?\" }
";
    let config = write_own(place.path(), scenario);
    let seats = "seats:\n  - { name: Ann, model: sim, mind: { rule: { x: \"4 if draw_uniform(0, 1) < 0.5 else missing\", y: \"5\" } } }\n  \
                 - { name: Bob, model: sim, mind: { random: { malformed: 0.9 } } }\n";
    let (before, _) = CONFIG.split_once("seats:").unwrap();
    fs::write(&config, format!("{before}{seats}")).unwrap();
    let (out, figures) = drawn(place.path(), &config);
    let values = rows(&out.join("values.csv"));
    let count = |field: &str, status: &str| {
        let own = values.iter().filter(|row| row["field"] == field && row["status"] == status);
        own.filter(|row| row["value"].is_empty()).count()
    };
    let said = caption(&figures, "answers-x").unwrap()["reading"].clone();
    let (empty, faulty) = (count("x", "valid"), count("x", "invalid"));
    assert!(empty > 1 && faulty > 1, "{empty} {faulty}");
    assert!(said.contains(&format!(" {empty} answers were left empty, as this optional field allows.")), "{said}");
    assert!(said.contains(&format!(" {faulty} answers are missing and left out.")), "{said}");
    let said = caption(&figures, "answers-y").unwrap()["reading"].clone();
    assert!(!said.contains("left empty"), "{said}");
}

#[test]
fn a_caption_names_the_roles_that_are_taken_together() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
roles: { naive: { seats: 2 }, confederate: { seats: 1 } }
agenda:
  - { name: first, ask: [ { id: x, number: { min: 0, max: 10 }, question: \"How many?\" } ] }
  - { name: last, who: naive, ask: [ { id: y, number: { min: 0, max: 10 }, question: \"How many?\" } ] }
  - { name: sum, compute: { seat.twice: \"2 * seat.x\", most: \"max(everyone.x)\" } }
";
    let config = write_own(place.path(), scenario);
    let (before, _) = CONFIG.split_once("seats:").unwrap();
    let seats = "seats:\n  - { name: Ann, role: naive, model: sim }\n  - { name: Bob, role: naive, model: sim }\n  \
                 - { name: Cem, role: confederate, model: sim }\n";
    fs::write(&config, format!("{before}{seats}")).unwrap();
    let (_, figures) = drawn(place.path(), &config);
    let has_both = |name: &str| {
        let said = caption(&figures, name).unwrap()["reading"].clone();
        said.contains(" Seats of the roles confederate and naive are taken together.")
    };
    let told = ["answers-x", "variable-twice", "answers-y", "variable-most"].map(has_both);
    assert_eq!(told, [true, true, false, false]);
}

#[test]
fn the_summary_has_the_numbers_of_the_table_of_sessions_and_methods_say_where_variables_begin() {
    let place = tempfile::tempdir().unwrap();
    let config = write_own(place.path(), SCENARIO);
    let out = place.path().join("out");
    let told = ekklesia(&["run", text(&config), "--out", text(&out), "--json"]).says(0, &[]).stdout.clone();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let (arms, pots) = (column(&out, "arm"), column(&out, "var_pot"));
    for arm in told["arms"].as_array().unwrap() {
        let own = arms.iter().zip(&pots).filter(|(name, pot)| **name == arm["arm"] && !pot.is_empty());
        let own: Vec<f64> = own.map(|(_, pot)| pot.parse().unwrap()).collect();
        let values = arm["values"].as_array().unwrap();
        let pot = values.iter().find(|value| value["name"] == "var_pot").unwrap();
        assert!((pot["mean"].as_f64().unwrap() - mean(&own)).abs() < 1e-9, "{pot}");
        assert_eq!(pot["n"], own.len(), "{pot}");
        let has_x = values.iter().any(|value| value["name"] == "ans_first_x");
        assert_eq!(has_x, arm["arm"] == "yes", "{values:?}");
    }
    let again = place.path().join("again");
    run(&config, &again, &[]).says(0, &["answers and variables", "ans_first_x", "yes: ", "var_pot", "no: "]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("\n- `pot` of the session: `25`\n"), "{methods}");
    let stake = "\n- `seat.stake` of every seat: in the order of the seats `1`, `2`, `3` and `4`\n";
    assert!(methods.contains(stake), "{methods}");
}

#[test]
fn rounds_before_the_first_declared_stance_have_no_mark() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
motion: { text: \"Adopt?\" }
alternatives: [ { name: adopt, label: Adopt }, { name: reject, label: Reject } ]
agenda:
  - { name: chat, discussion: { rounds: 2, stance: false } }
  - { name: talk, discussion: { rounds: 2 } }
  - { name: final, vote: {} }
";
    let config = write_own(place.path(), scenario);
    let alone = CONFIG.split("design:").next().unwrap().replace(", mind: { random: { malformed: 0.7 } }", "");
    fs::write(&config, alone).unwrap();
    let (out, figures) = drawn(place.path(), &config);
    let silent =
        rows(&out.join("rounds.csv")).iter().filter(|row| row["phase"] == "chat" && row["stance_n"] == "0").count();
    assert_eq!(silent, 14, "the first two rounds of seven sessions declare nothing");
    let rounds: BTreeSet<String> =
        rows(&figures.join("stances.csv")).into_iter().map(|mark| mark["at"].clone()).collect();
    assert_eq!(rounds, BTreeSet::from(["3".to_owned(), "4".to_owned()]));
}

/// Sessions that end as soon as all seats agree, or after so many passes as their arm has, and that pay in two units.
const UNTIL: &str = "scenario: own
parameters: { limit: { type: int, default: 6 } }
agenda:
  - name: game
    repeat: { until: agreed, max: parameters.limit }
    phases:
      - { name: pick, ask: [ { id: colour, choice: { options: [red, blue] }, question: \"Which?\" } ] }
      - { name: look, compute: { reds: count(1 for s in everyone if s.colour == \"red\"), agreed: reds == 3 or reds == 0 } }
  - { name: wage, pay: { seat: seat.index, unit: tokens } }
  - { name: bonus, pay: { seat: reds, unit: tokens } }
  - { name: prize, pay: { seat: \"3 if agreed else 1\" } }
";

const UNTIL_CONFIG: &str = "experiment: own
scenario: own
seed: 3
replicates: 8
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { rule: { colour: \"'red' if draw_uniform(0, 1) < 0.7 else 'blue'\" } } }
seats: [ { count: 3, name: \"Seat {n}\" } ]
design:
  factors:
    limit: { key: parameters.limit, levels: { short: 2, long: 6 } }
";

/// The means of the values of each session in its first and in its last pass, by arm.
fn list_ends<'r>(own: impl Iterator<Item = (&'r Row, f64)>) -> BTreeMap<&'r str, Vec<(f64, f64)>> {
    let mut sessions: BTreeMap<(&str, &str), BTreeMap<u32, Vec<f64>>> = BTreeMap::new();
    for (row, value) in own {
        let Ok(pass) = row["pass"].parse::<u32>() else { continue };
        let passes = sessions.entry((row["arm"].as_str(), row["session"].as_str())).or_default();
        passes.entry(pass).or_default().push(value);
    }
    let mut ends: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for ((arm, _), passes) in sessions {
        let (Some(first), Some(last)) = (passes.values().next(), passes.values().next_back()) else { continue };
        ends.entry(arm).or_default().push((mean(first), mean(last)));
    }
    ends
}

/// The words of a finding about an arm of `limit`; empty without any.
fn find_words<'f>(finding: &'f str, arm: &str) -> &'f str {
    let words = finding.split_once(&format!("limit: {arm}: ")).map_or("", |(_, words)| words);
    words.split(';').next().unwrap_or_default().trim_end_matches('.')
}

#[test]
fn a_headline_takes_each_session_on_its_own_last_occasion() {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "own/scenario.yaml", UNTIL);
    let config = write_file(place.path(), "config.yaml", UNTIL_CONFIG);
    let (out, figures) = drawn(place.path(), &config);
    let (values, variables) = (rows(&out.join("values.csv")), rows(&out.join("variables.csv")));
    let of = |name: &'static str| {
        let own = variables.iter().filter(move |row| row["name"] == name);
        own.map(|row| (row, row["value_n"].parse::<f64>().unwrap()))
    };
    let colours = values.iter().map(|row| (row, f64::from(u8::from(row["value"] == "red"))));
    let percent = |share: f64| format!("{:.0} %", (100.0 * share + 1e-9).round());
    for (arm, ends) in list_ends(of("agreed")) {
        let (begun, ended): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        let finding = caption(&figures, "variable-agreed").unwrap()["finding"].clone();
        assert!(finding.starts_with("Yes from each session's first to its last occasion: "), "{finding}");
        let expected = format!("{} to {}", percent(mean(&begun)), percent(mean(&ended)));
        assert_eq!(find_words(&finding, arm), expected, "{arm}");
    }
    for (arm, ends) in list_ends(of("reds")) {
        let finding = caption(&figures, "variable-reds").unwrap()["finding"].clone();
        assert!(finding.starts_with("The mean from each session's first to its last occasion: "), "{finding}");
        let (first, last) = find_words(&finding, arm).split_once(" to ").unwrap();
        let (begun, ended): (Vec<f64>, Vec<f64>) = ends.into_iter().unzip();
        for (written, expected) in [(first, mean(&begun)), (last, mean(&ended))] {
            assert!((written.parse::<f64>().unwrap() - expected).abs() < 0.006, "{arm}: {finding}, not {expected}");
        }
    }
    for (arm, ends) in list_ends(colours) {
        let caption = caption(&figures, "answers-colour").unwrap();
        assert!(caption["finding"].starts_with("The greatest on each session's last occasion: "), "{caption:?}");
        assert!(caption["reading"].contains("counts are of the answers of all sessions"), "{caption:?}");
        assert!(
            caption["reading"].contains("the headline takes each session on its own last occasion."),
            "{caption:?}"
        );
        let red = mean(&ends.iter().map(|end| end.1).collect::<Vec<_>>());
        let expected = match red {
            red if (red - 0.5).abs() < 1e-9 => "red and blue 50 % each".to_owned(),
            red if red > 0.5 => format!("red {}", percent(red)),
            red => format!("blue {}", percent(1.0 - red)),
        };
        assert_eq!(find_words(&caption["finding"], arm), expected, "{arm}");
    }
    // The last point of the curve is about the slowest sessions alone.
    let marks = rows(&figures.join("variable-agreed.csv"));
    let last = marks.iter().rfind(|mark| mark["series"] == "limit: short").unwrap();
    assert!(last["n"].parse::<u32>().unwrap() < 8, "{last:?}");
    let told = rows(&figures.join("answers-colour.csv"));
    assert!(told.iter().all(|mark| mark["text"].ends_with(" answers")), "{told:?}");
}

#[test]
fn payments_have_a_figure_for_each_unit_with_means_over_sessions() {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "own/scenario.yaml", UNTIL);
    let config = write_file(place.path(), "config.yaml", UNTIL_CONFIG);
    let (out, figures) = drawn(place.path(), &config);
    let payoffs = rows(&out.join("payoffs.csv"));
    for (name, unit, called) in [("pay", "tokens", "tokens"), ("pay-2", "", "units")] {
        let mut sessions: BTreeMap<(&str, &str), BTreeMap<&str, f64>> = BTreeMap::new();
        for row in payoffs.iter().filter(|row| row["unit"] == unit) {
            let seats = sessions.entry((row["arm"].as_str(), row["session"].as_str())).or_default();
            *seats.entry(row["seat"].as_str()).or_default() += row["payoff"].parse::<f64>().unwrap();
        }
        let marks = rows(&figures.join(format!("{name}.csv")));
        assert_eq!(marks.len(), 2, "{marks:?}");
        for mark in &marks {
            let own = sessions.iter().filter(|((arm, _), _)| mark["series"] == format!("limit: {arm}"));
            let means: Vec<f64> = own.map(|(_, seats)| mean(&seats.values().copied().collect::<Vec<_>>())).collect();
            let value: f64 = mark["value"].parse().unwrap();
            assert!((value - mean(&means)).abs() < 1e-9, "{mark:?}, not {means:?}");
            assert_eq!(mark["n"], "8", "{mark:?}");
        }
        let caption = caption(&figures, name).unwrap();
        assert_eq!(caption["title"], format!("What seats were paid, in {called}"));
        assert!(caption["finding"].starts_with(&format!("The mean payoff of a seat, in {called}: limit: short: ")));
    }
    // The interval of the mean over sessions that differ.
    let marks = rows(&figures.join("pay.csv"));
    assert!(marks.iter().any(|mark| !mark["low"].is_empty() && mark["low"] != mark["high"]), "{marks:?}");
    assert!(caption(&figures, "payoffs").is_none(), "the figure of another mechanism");
}

#[test]
fn items_have_no_first_and_last_but_a_least_and_a_greatest() {
    let place = tempfile::tempdir().unwrap();
    let scenario = "scenario: own
agenda:
  - name: quiz
    for: { each: items }
    phases:
      - name: answer
        ask:
          - { id: size, number: { min: 0, max: 9 }, question: \"How many? ({{ item.text }})\" }
          - { id: sure, choice: { options: [yes, no] }, question: \"Sure?\" }
      - { name: mark, compute: { right_size: item.key + 0, weight: \"2 if item.key > 4 else 1\" } }
";
    let config = "experiment: own
scenario: own
seed: 3
replicates: 4
models: { sim: { simulated: {} } }
items: { file: items.csv, id: name, text: words, key: right, per: loop }
seats: [ { count: 2, name: \"Seat {n}\", model: sim, mind: { rule: { size: \"4\", sure: \"'yes'\" } } } ]
";
    write_file(place.path(), "own/scenario.yaml", scenario);
    let items = "name,words,right\nlegs,How many legs?,8\nmoons,How many moons?,0\nstars,How many stars?,5\n";
    write_file(place.path(), "items.csv", items);
    let config = write_file(place.path(), "config.yaml", config);
    let (_, figures) = drawn(place.path(), &config);
    for (name, finding) in [
        ("variable-right-size", "The mean by item, from the least to the greatest: 0 (moons) to 8 (legs)."),
        ("variable-weight", "The mean by item, from the least to the greatest: 1 (moons) to 2 (legs and stars)."),
        ("answers-size", "The mean by item, from the least to the greatest: 4 (legs and moons and stars)."),
        ("answers-sure", "The greatest over all items: yes (legs) and yes (moons) and yes (stars) 100 % each."),
    ] {
        let caption = caption(&figures, name).unwrap();
        assert_eq!(caption["finding"], finding, "{name}");
        assert!(caption["reading"].contains("takes each session on its last occasion for each item"), "{caption:?}");
    }
}

/// A form that is asked twice, in arms of two factors, and two values of which one is the same in all arms of a block.
const TWICE: &str = "scenario: own
parameters: { a: { type: int, default: 1 }, b: { type: int, default: 1 } }
motion: { text: \"How many?\" }
alternatives: [ { name: estimate, label: The estimate, takes_amount: true } ]
amount: { unit: sweets, min: 0, max: 9 }
truth: { amount: 5 }
agenda:
  - { name: before, ask: [ { id: x, number: { min: 0, max: 9 }, question: \"How many?\" } ] }
  - { name: after, ask: [ { id: x, number: { min: 0, max: 9 }, question: \"How many?\" } ] }
  - { name: sum, compute: { m: \"parameters.a + mean(everyone.after.x)\", n: \"mean(everyone.after.x)\" } }
  - { name: prize, pay: { seat: seat.index, unit: tokens, rate: 0.5, fee: 2 } }
";

const TWICE_CONFIG: &str = "experiment: own
scenario: own
seed: 3
replicates: 4
models: { sim: { simulated: {} } }
seats: [ { count: 3, name: \"Seat {n}\", model: sim, mind: { random: {} } } ]
design:
  factors:
    a: { key: parameters.a, levels: { one: 1, two: 2, three: 3, four: 4 } }
    b: { key: parameters.b, levels: { low: 1, high: 2 } }
  baseline: { a: one, b: low }
primary: { metric: [var_m, var_n], contrast: a }
";

#[test]
fn lines_that_are_drawn_side_by_side_have_the_places_of_their_occasions_in_the_data() {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "own/scenario.yaml", TWICE);
    let config = write_file(place.path(), "config.yaml", TWICE_CONFIG);
    let (_, figures) = drawn(place.path(), &config);
    for (name, lines) in [("answers-x", 8), ("interaction", 4)] {
        let marks = rows(&figures.join(format!("{name}.csv")));
        for at in ["1", "2"] {
            let series: BTreeSet<&String> =
                marks.iter().filter(|mark| mark["at"] == at).map(|mark| &mark["series"]).collect();
            assert_eq!(series.len(), lines, "{name}: {marks:?}");
        }
        assert_eq!(marks.len(), 2 * lines, "{name}: {marks:?}");
    }
    let caption = caption(&figures, "pay").unwrap();
    assert!(caption["reading"].contains("with any fee, is in the column payoff_cents of payoffs.csv"), "{caption:?}");
}

#[test]
fn cautions_name_their_metric_and_how_many_more_there_are_and_the_summary_cuts_between_values() {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "own/scenario.yaml", TWICE);
    let config = write_file(place.path(), "config.yaml", TWICE_CONFIG);
    let out = place.path().join("out");
    let told = run(&config, &out, &[]);
    told.says(
        0,
        &[
            "four-high: 7.58",
            "\n not listed: 2, in sessions.csv: ans_before_x, ans_after_x\n",
            "4 sessions without a group decision · right is 5 sweets\n",
        ],
    );
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let first = page.split("id=\"overview\"").nth(1).unwrap().split("</ul>").next().unwrap();
    for caution in [
        "a: two against a: one: only 4 blocks.",
        "a: three against a: one: only 4 blocks.",
        "a: four against a: one: only 4 blocks.",
        "Value of the variable n, a: two against a: one: both sides have the same number in every block.",
        "2 more cautions: see “The complete output of ekklesia compare” under Methods.",
    ] {
        assert_eq!(first.matches(&format!("<li>{caution}</li>")).count(), 1, "{caution}: {first}");
    }
    assert_eq!(first.matches("<li>").count(), 5, "{first}");
    let session = text(&out.join("sessions/one-low-r000001")).to_owned();
    ekklesia(&["show", &session]).says(0, &["- Seat 2: 2 tokens; only recorded: 300 cents in money, with any fee\n"]);
}
