//! The shipped fishery: its months follow from what was asked for, and its exact values.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::repository;

type Row = BTreeMap<String, String>;

fn run_commons(place: &Path, settings: &[&str]) -> PathBuf {
    let (config, out) = (repository().join("configs/commons.yaml"), place.join("out"));
    let set = settings.iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = ["run", text(&config), "--out", text(&out)].into_iter().chain(set).collect();
    ekklesia(&arguments).says(0, &[]);
    out
}

/// What each of `asked` gets: all, or a share in proportion, with the greatest remainders first and in the order of `queue` if they are
/// equal.
fn ration(stock: u64, asked: &[u64], queue: &[usize]) -> Vec<u64> {
    let wanted: u64 = asked.iter().sum();
    if wanted <= stock {
        return asked.to_vec();
    }
    let mut got: Vec<u64> = asked.iter().map(|asked| asked * stock / wanted).collect();
    let mut order = queue.to_vec();
    order.sort_by_key(|seat| std::cmp::Reverse(asked[*seat] * stock % wanted));
    let left = stock - got.iter().sum::<u64>();
    order.into_iter().take(left as usize).for_each(|seat| got[seat] += 1);
    got
}

/// The lake after a month, with growth in tenths.
fn grow(left: u64, (most, growth, collapse_below): (u64, u64, u64)) -> u64 {
    if left == 0 || left < collapse_below { 0 } else { most.min(left * growth / 10) }
}

/// The measures of a session from its catches by month and seat.
fn measure(catches: &[Vec<u64>], over: u64, most: u64) -> [f64; 4] {
    let seats = catches[0].len();
    let gains: Vec<u64> = (0..seats).map(|seat| catches.iter().map(|month| month[seat]).sum()).collect();
    let total: u64 = gains.iter().sum();
    let apart: u64 = gains.iter().flat_map(|one| gains.iter().map(|other| one.abs_diff(*other))).sum();
    let equality = 1.0 - apart as f64 / (2 * seats as u64 * total) as f64;
    let efficiency = (total as f64 / most as f64).min(1.0);
    [total as f64, efficiency, equality, over as f64 / (catches.len() * seats) as f64]
}

#[test]
fn whatever_is_asked_for_the_months_follow_from_each_other() {
    for lake in [(100, 20, 5), (37, 15, 3), (9, 30, 0)] {
        let place = tempfile::tempdir().unwrap();
        let (most, growth, collapse_below) = lake;
        let settings = [
            format!("parameters.stock_max={most}"),
            format!("parameters.growth={}.{}", growth / 10, growth % 10),
            format!("parameters.collapse_below={collapse_below}"),
            "parameters.months=7".to_owned(),
            "replicates=3".to_owned(),
        ];
        let out = run_commons(place.path(), &settings.each_ref().map(String::as_str));
        let (values, variables) = (rows(&out, "values"), rows(&out, "variables"));
        let mut rationed = 0;
        for session in rows(&out, "sessions") {
            let own = |row: &&Row| row["session"] == session["session"];
            let asked_in = |pass: u64| -> Vec<u64> {
                let month = values.iter().filter(own).filter(|row| row["pass"] == pass.to_string());
                month.map(|row| row["value"].parse().unwrap()).collect()
            };
            let found = |pass: u64, name: &str| -> Vec<String> {
                let month = variables.iter().filter(own).filter(|row| row["pass"] == pass.to_string());
                month.filter(|row| row["name"] == name).map(|row| row["value"].clone()).collect()
            };
            let (mut stock, mut catches, mut over) = (most, Vec::new(), 0);
            for pass in 1..=7 {
                let asked = asked_in(pass);
                assert_eq!(asked.is_empty(), stock == 0, "there is no month once the lake is empty");
                if stock == 0 {
                    break;
                }
                assert!(asked.iter().all(|asked| *asked <= stock));
                let queue = found(pass, "queue")[0].clone();
                let queue: Vec<usize> = queue
                    .split(", ")
                    .map(|name| name.trim_start_matches("Fisher ").parse::<usize>().unwrap() - 1)
                    .collect();
                let got = ration(stock, &asked, &queue);
                let shown: Vec<String> = got.iter().map(u64::to_string).collect();
                assert_eq!(found(pass, "got"), shown, "{}: {asked:?} of {stock}", session["session"]);
                assert_eq!(got.iter().sum::<u64>(), stock.min(asked.iter().sum()));
                rationed += u64::from(asked.iter().sum::<u64>() > stock);
                let needed = (stock * 10).div_ceil(growth).max(collapse_below);
                let sustainable = stock.saturating_sub(needed);
                over += got.iter().filter(|got| **got * 5 > sustainable).count() as u64;
                stock = grow(stock - got.iter().sum::<u64>(), lake);
                assert_eq!(found(pass, "stock"), [stock.to_string()]);
                catches.push(got);
            }
            let needed = (most * 10).div_ceil(growth).max(collapse_below);
            let expected = measure(&catches, over, most.saturating_sub(needed) * 7);
            let columns = ["var_total_gain", "var_efficiency", "var_equality", "var_over_usage"];
            for (column, expected) in columns.into_iter().zip(expected) {
                let found: f64 = session[column].parse().unwrap();
                assert!((found - expected).abs() < 2e-6, "{}: {column} {found}, not {expected}", session["session"]);
            }
            assert_eq!(session["var_survival_time"].parse::<f64>().unwrap(), catches.len() as f64);
            assert_eq!(session["var_collapsed"].parse::<f64>().unwrap(), f64::from(u8::from(stock == 0)));
        }
        assert!(rationed > 0, "nothing was shared out");
    }
}

#[test]
fn a_tenth_lasts_for_ever_a_fifth_is_all_and_a_little_more_than_the_others_runs_away() {
    let place = tempfile::tempdir().unwrap();
    let out = run_commons(place.path(), &["replicates=8"]);
    let (sessions, payoffs) = (rows(&out, "sessions"), rows(&out, "payoffs"));
    let number = |row: &Row, column: &str| row[column].parse::<f64>().unwrap();
    let columns = ["survival_time", "collapsed", "total_gain", "efficiency", "equality", "over_usage"];
    for session in &sessions {
        let measures = columns.map(|column| number(session, &format!("var_{column}")));
        match session["arm"].as_str() {
            "tenth" => assert_eq!(measures, [12.0, 0.0, 600.0, 1.0, 1.0, 0.0]),
            "fifth" => assert_eq!(measures, [1.0, 1.0, 100.0, 0.166667, 1.0, 1.0]),
            "selfish" => assert!(measures[1] == 1.0 && measures[0] < 12.0, "{measures:?}"),
            _ => {}
        }
        let paid = payoffs.iter().filter(|row| row["session"] == session["session"]);
        let paid: Vec<f64> = paid.map(|row| number(row, "payoff")).collect();
        assert_eq!((paid.len(), paid.iter().sum::<f64>()), (5, measures[2]));
        assert!(payoffs.iter().all(|row| row["unit"] == "tons"));
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

/// Another answer in one month changes the lake from then on, and a seat is never asked for more than there is.
#[test]
fn a_fork_changes_one_catch_and_what_follows_from_it() {
    let place = tempfile::tempdir().unwrap();
    let out = run_commons(place.path(), &["replicates=1"]);
    let session = out.join("sessions/tenth-r000001");
    for (asked, expected) in [(40, "40"), (7, "100")] {
        let (change, fork) = (place.path().join(format!("{asked}.yaml")), place.path().join(format!("fork{asked}")));
        std::fs::write(&change, format!("at: {{ seat: Fisher 2, phase: fish@3 }}\nanswer: {{ asked: {asked} }}\n"))
            .unwrap();
        ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)])
            .says(0, &["the first that differs"]);
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        let variables = rows(&fork, "variables");
        let is_stock = |row: &&Row| row["name"] == "stock" && row["pass"] == "3";
        assert_eq!(variables.iter().find(is_stock).unwrap()["value"], expected);
    }
    let change = place.path().join("too_much.yaml");
    std::fs::write(&change, "at: { seat: Fisher 2, phase: fish@3 }\nanswer: { asked: 101 }\n").unwrap();
    let fork = place.path().join("too_much");
    let told = ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]);
    assert_eq!(told.code, Some(2), "{told:#?}");
}

#[test]
fn passes_are_counted_by_parameters() {
    let check = |settings: &[&str]| {
        let set = settings.iter().flat_map(|setting| ["--set", setting]);
        ekklesia(&["check", "configs/commons.yaml"].into_iter().chain(set).collect::<Vec<&str>>())
    };
    check(&["parameters.months=3"]).says(0, &["at most 3 passes"]);
    check(&["agenda.month.repeat.max=2 * parameters.months"]).says(0, &["at most 24 passes"]);
    check(&["agenda.month.repeat.max=4"]).says(0, &["at most 4 passes"]);
    for (wrong, message) in [
        ("0", "0 is outside 1 … 1000"),
        ("1.5", "expected a whole number, or an expression"),
        ("stock", "it may read only parameters"),
        ("parameters.months / 7", "is no whole number"),
        ("2000", "2000 is outside 1 … 1000"),
        ("parameters.moths", "the scenario declares no parameter \"moths\""),
    ] {
        let told = check(&[&format!("agenda.month.repeat.max={wrong}")]);
        told.says(2, &["agenda.month.repeat.max: ", message, "1 problem"]);
    }
    // One arm can have other passes than the next.
    let arms = [
        "design.factors={ months: { key: parameters.months, levels: [2, 1000] } }",
        "design.baseline={ months: 2 }",
        "primary={ metric: var_efficiency, contrast: months }",
    ];
    check(&arms).says(0, &["agenda of 2 ", "agenda of 1000 ", "at most 1000"]);
    check(&[&arms[..], &["agenda.month.repeat.max=parameters.months * 2"]].concat())
        .says(2, &["2000 is outside 1 … 1000"]);
}
