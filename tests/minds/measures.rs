//! Forms that measure stances and opinions: opinion minds answer them from what they hold, and they count like straw polls.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::write_file;

const MOTION: &str = "motion: { text: \"Build it?\" }\nalternatives: [ { name: yes_please, label: Yes }, { name: no_thanks, label: No } ]\n";
const FORM: &str = "[ { id: side, measures: stance, choice: { options: [yes_please, no_thanks] }, question: \"Which?\" }, \
     { id: degree, measures: opinion, number: { min: -1, max: 1, decimals: 3 }, question: \"How far?\" }, \
     { id: percent, scale: { from: 0, to: 100 }, measures: opinion, question: \"In percent?\" } ]";
/// Four seats of equal weights, which agree on the mean after one step.
const SEATS: &str = "seats:\n  - { name: A, mind: { degroot: { self_weight: 0.25, opinion: 0.1 } } }\n  - { name: B, mind: { degroot: { self_weight: 0.25, opinion: 0.2 } } }\n  \
     - { name: C, mind: { degroot: { self_weight: 0.25, opinion: 0.6 } } }\n  - { name: D, mind: { degroot: { self_weight: 0.25, opinion: 0.9 } } }\n";

fn write(place: &Path, scenario: &str, more: &str) -> PathBuf {
    let folder = place.join("s");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scenario.yaml"), scenario).unwrap();
    let body = "experiment: t\nscenario: s\nseed: 5\nreplicates: 3\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n";
    write_file(place, "config.yaml", format!("{body}{more}"))
}

fn run(scenario: &str, more: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write(place.path(), scenario, more), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    (place, out)
}

/// A number in its shortest form; other words as they are.
fn shorten(cell: &str) -> String {
    cell.parse::<f64>().map_or_else(|_| cell.to_owned(), |number| number.to_string())
}

/// The cells of a table in columns that begin so.
fn cells(out: &Path, table: &str, begin: &str) -> Vec<BTreeMap<String, String>> {
    let all = rows(out, table).into_iter();
    all.map(|row| row.into_iter().filter(|(name, _)| name.starts_with(begin)).collect()).collect()
}

#[test]
fn a_degroot_group_answers_scales_by_its_consensus_and_the_columns_are_those_of_straw_polls() {
    let agenda = format!(
        "agenda:\n  - {{ name: first, ask: {FORM} }}\n  - {{ name: talk, discussion: {{ rounds: 2 }} }}\n  - {{ name: last, ask: {FORM} }}\n"
    );
    let (_place, out) = run(&format!("scenario: s\n{MOTION}{agenda}"), SEATS);
    let answers =
        |column: &str| -> Vec<String> { rows(&out, "seats").iter().map(|row| shorten(&row[column])).collect() };
    let three = |one: [&str; 4]| -> Vec<String> { one.repeat(3).into_iter().map(str::to_owned).collect() };
    assert_eq!(answers("ans_first_percent"), three(["10", "20", "60", "90"]));
    assert_eq!(answers("ans_first_degree"), three(["-0.8", "-0.6", "0.2", "0.8"]));
    assert_eq!(answers("ans_first_side"), three(["no_thanks", "no_thanks", "yes_please", "yes_please"]));
    // The mean of 0.1, 0.2, 0.6 and 0.9 is 0.45.
    assert_eq!(answers("ans_last_percent"), three(["45"; 4]));
    assert_eq!(answers("ans_last_degree"), three(["-0.1"; 4]));
    assert_eq!(answers("ans_last_side"), three(["no_thanks"; 4]));
    let polled = "agenda: [ { name: talk, discussion: { rounds: 2 } } ]\n";
    let (_other, polls) =
        run(&format!("scenario: s\n{MOTION}{polled}"), &format!("{SEATS}straw_polls: [before, after]\n"));
    for (table, begin) in
        [("sessions", "straw_"), ("sessions", "trivial"), ("seats", "straw_"), ("sessions", "public_")]
    {
        let (found, expected) = (cells(&out, table, begin), cells(&polls, table, begin));
        assert!(!found.is_empty() && found.iter().all(|row| !row.is_empty()), "{table} {begin}");
        assert_eq!(found, expected, "{table} {begin}");
    }
    let shift: Vec<f64> = rows(&out, "sessions").iter().map(|row| row["straw_shift_net"].parse().unwrap()).collect();
    assert!(shift.iter().all(|net| net.abs() < 1e-9), "DeGroot keeps the mean: {shift:?}");
    // Of rows, the ballots of both are the same answers.
    let ballots = |out: &Path| -> Vec<[String; 4]> {
        let all = rows(out, "ballots").into_iter();
        all.map(|row| ["session", "seat", "purpose", "alternative"].map(|column| row[column].clone())).collect()
    };
    assert_eq!(ballots(&out), ballots(&polls));
    ekklesia(&["why", &format!("{}:1:straw_after_modal_share", out.join("sessions.csv").display())])
        .says(0, &["4 records enter", "answers side: “no_thanks”"]);
}

#[test]
fn an_opinion_alone_feeds_shifts_and_an_amount_is_the_opinion_where_it_alone_is_decided() {
    let scale = "[ { id: percent, scale: { from: 0, to: 100 }, measures: opinion, question: \"In percent?\" } ]";
    let agenda = format!(
        "agenda:\n  - {{ name: first, ask: {scale} }}\n  - {{ name: talk, discussion: {{ rounds: 1 }} }}\n  - {{ name: last, ask: {scale} }}\n"
    );
    let pulled = SEATS
        .replace("degroot: { self_weight: 0.25, ", "friedkin_johnsen: { stubbornness: 1, pull: 0.5, attractor: 1, ");
    let (_place, out) = run(&format!("scenario: s\n{MOTION}{agenda}"), &pulled);
    for session in rows(&out, "sessions") {
        // Each moves half the way to 1: from 0.1, 0.2, 0.6 and 0.9 by 0.45, 0.4, 0.2 and 0.05.
        assert_eq!(
            (session["straw_shift_n"].as_str(), session["straw_shift_net"].as_str()),
            ("4", "0.275000"),
            "{session:?}"
        );
        assert_eq!(session["straw_after_modal_share"], "", "no stance was asked for");
    }
    let amount = "motion: { text: \"How many?\" }\nalternatives: [ { name: it, label: It, takes_amount: true } ]\n\
                  amount: { unit: stones, min: 0, max: 200 }\ntruth: { amount: 100 }\n";
    let field = "[ { id: stones, number: { min: 0, max: 200 }, measures: opinion, question: \"How many?\" } ]";
    let agenda = format!(
        "agenda:\n  - {{ name: first, ask: {field} }}\n  - {{ name: talk, discussion: {{ rounds: 2 }} }}\n  - {{ name: last, ask: {field} }}\n"
    );
    let rule = "decision: { rule: median, of: members, invalid: abstain }\n";
    let (_place, out) = run(&format!("scenario: s\n{amount}{agenda}"), &format!("{SEATS}{rule}"));
    let polled = "agenda: [ { name: talk, discussion: { rounds: 2 } } ]\n";
    let more = format!("{SEATS}{rule}straw_polls: [before, after]\n");
    let (_other, polls) = run(&format!("scenario: s\n{amount}{polled}"), &more);
    let answers: Vec<String> = rows(&out, "seats").iter().map(|row| shorten(&row["ans_last_stones"])).collect();
    assert_eq!(answers, vec!["90"; 12]);
    assert_eq!(cells(&out, "sessions", "straw_"), cells(&polls, "sessions", "straw_"));
    assert_eq!(cells(&out, "sessions", "straw_")[0]["straw_before_estimates_n"], "4");
}

#[test]
fn a_ranking_and_its_certainty_feed_the_columns_of_rankings() {
    let three = "motion: { text: \"Which?\" }\nalternatives: [ { name: a, label: A }, { name: b, label: B }, { name: c, label: C } ]\n";
    let fields = "[ { id: order, measures: ranking, ranking: { options: [a, b, c] }, question: \"Rank.\" }, \
         { id: sure, measures: certainty, scale: { from: 0, to: 8 }, question: \"How sure?\" } ]";
    let agenda = format!(
        "agenda:\n  - {{ name: first, ask: {fields} }}\n  - {{ name: talk, discussion: {{ rounds: 2 }} }}\n  - {{ name: last, ask: {fields} }}\n"
    );
    let seats = "seats: [ { count: 4, mind: { voter: { copy: 0.9 } } } ]\n";
    let (_place, out) = run(&format!("scenario: s\n{three}{agenda}"), seats);
    let (mut moved, mut ranked) = (0, Vec::new());
    for row in rows(&out, "seats") {
        let orders = ["first", "last"].map(|time| row[&format!("ans_{time}_order")].split(" > ").collect::<Vec<_>>());
        for (time, order) in ["first", "last"].iter().zip(&orders) {
            for (name, rank) in order.iter().zip(1..) {
                assert_eq!(row[&format!("{time}_rank_{name}")], rank.to_string(), "{row:?}");
                let cells = [&row["session"], &row["seat"], *name, &rank.to_string(), "no_opinion"];
                ranked.push(cells.map(str::to_owned));
            }
            assert_eq!(shorten(&row[&format!("ans_{time}_sure")]), "4");
            assert_eq!(row[&format!("{time}_certainty")], "no_opinion");
            assert_eq!(row[&format!("{time}_certainty_n")], "3");
        }
        let apart = |name: &&str| {
            let place = |order: &[&str]| order.iter().position(|other| other == name).unwrap();
            place(&orders[0]).abs_diff(place(&orders[1]))
        };
        let footrule: usize = ["a", "b", "c"].iter().map(apart).sum();
        assert_eq!(row["rank_footrule"], footrule.to_string());
        moved += usize::from(footrule > 0);
    }
    assert!(moved > 0, "some seats copy what they heard");
    let columns = ["session", "seat", "alternative", "rank", "certainty"];
    let mut found: Vec<[String; 5]> =
        rows(&out, "ballots").iter().map(|row| columns.map(|column| row[column].clone())).collect();
    found.sort();
    ranked.sort();
    assert_eq!(found, ranked);
    let counted: Vec<String> = rows(&out, "rounds").iter().map(|row| row["ranking_n"].clone()).collect();
    assert_eq!(counted.iter().filter(|n| *n == "4").count(), 6, "{counted:?}");
    ekklesia(&["why", &format!("{}:1:last_certainty", out.join("seats.csv").display())])
        .says(0, &["The record that enters", "answers order: ", "sure: “4”"]);
}

#[test]
fn a_certainty_beside_a_stance_is_the_nearest_of_five_words() {
    let form = FORM.replace(
        "[ {",
        "[ { id: sure, measures: certainty, number: { min: 0, max: 1, decimals: 2 }, question: \"Sure?\" }, {",
    );
    let answers = ["0", "0.12", "0.13", "0.5", "0.87", "1"];
    let lines: Vec<String> = answers
        .iter()
        .enumerate()
        .map(|(place, sure)| {
            let values = format!("{{ sure: {sure}, side: no_thanks, degree: 0, percent: 50 }}");
            format!("  - {{ name: S{place}, mind: {{ scripted: {{ list: [ {{ answer: {values} }} ] }} }} }}\n")
        })
        .collect();
    let scenario = format!("scenario: s\n{MOTION}agenda: [ {{ name: asked, ask: {form} }} ]\n");
    let (_place, out) = run(&scenario, &format!("seats:\n{}", lines.concat()));
    let found: Vec<String> = rows(&out, "ballots").iter().take(6).map(|row| row["certainty"].clone()).collect();
    assert_eq!(found, ["very_unsure", "very_unsure", "unsure", "no_opinion", "sure", "very_sure"]);
}

#[test]
fn what_a_field_cannot_measure_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let check = |motion: &str, field: &str, expected: &[&str]| {
        let scenario = format!("scenario: s\n{motion}agenda: [ {{ name: asked, ask: {field} }} ]\n");
        let config = write(place.path(), &scenario, "seats: [ { count: 3 } ]\n");
        let told = ekklesia(&["check", text(&config)]);
        told.says(2, &[&["agenda.asked.ask"], expected, &["1 problem"]].concat());
    };
    let stance = |kind: &str| format!("[ {{ id: a, measures: stance, question: \"Q\", {kind} }} ]");
    let opinion = |kind: &str| format!("[ {{ id: a, measures: opinion, question: \"Q\", {kind} }} ]");
    let ranking = |kind: &str| format!("[ {{ id: a, measures: ranking, question: \"Q\", {kind} }} ]");
    let wanted = "a stance is a choice among the alternatives: write choice: { options: [yes_please, no_thanks] }";
    check(MOTION, &stance("choice: { options: [yes_please, maybe] }"), &[wanted]);
    check(MOTION, &stance("yes_no: {}"), &[wanted]);
    check("", &stance("choice: { options: [a, b] }"), &["a stance is a choice among the alternatives"]);
    check(MOTION, &opinion("yes_no: {}"), &["an opinion is a scale, or a number from one written number to another"]);
    check(MOTION, &opinion("number: { min: 0, max: \"everyone[0].index\" }"), &["an opinion is a scale, or a number"]);
    check("", &opinion("scale: { from: 1, to: 7 }"), &["an opinion is about two alternatives, or about an amount"]);
    let wanted = "a ranking that measures something is over the alternatives: write ranking: { options: [yes_please, no_thanks] }";
    check(MOTION, &ranking("choice: { options: [yes_please, no_thanks] }"), &[wanted]);
    check(MOTION, &ranking("ranking: { options: [yes_please, maybe] }"), &[wanted]);
    check(
        MOTION,
        &ranking("ranking: { options: [yes_please, no_thanks] }, optional: true"),
        &["a ranking of the alternatives is always given: leave out `optional`"],
    );
    let certainty = |kind: &str| format!("[ {{ id: a, measures: certainty, question: \"Q\", {kind} }} ]");
    check(
        MOTION,
        &certainty("yes_no: {}"),
        &["a certainty is a scale, or a number from one written number to another"],
    );
    check(MOTION, &certainty("scale: { from: 1, to: 5 }"), &["a certainty is that of a stance or a ranking"]);
    let about = "{ per: others, form: [ { id: a, measures: opinion, question: \"Q\", scale: { from: 1, to: 7 } } ] }";
    check(MOTION, about, &["what is asked about other seats measures nothing about the motion"]);
}
