//! A second way from records to numbers, over the records as JSON and nothing of the program.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use serde_json::Value;

use super::Row;

/// The inside of an event, and its kind.
fn event(record: &Value) -> (&str, &Value) {
    let (kind, inside) = record["event"].as_object().unwrap().iter().next().unwrap();
    (kind, inside)
}

/// The words of each seat that spoke.
fn spoken(records: &[Value]) -> Vec<u64> {
    let mut by: BTreeMap<&str, u64> = BTreeMap::new();
    for record in records.iter().filter(|record| event(record).0 == "Spoke") {
        let text = event(record).1["text"].as_str().unwrap();
        let n = unicode_segmentation::UnicodeSegmentation::unicode_words(text).count();
        *by.entry(record["seat"].as_str().unwrap()).or_default() += n as u64;
    }
    by.into_values().collect()
}

/// What each seat was paid, or this one.
fn paid(records: &[Value], seat: Option<&str>) -> Vec<u64> {
    let mut by: BTreeMap<String, u64> = BTreeMap::new();
    for payoff in records.iter().flat_map(|record| event(record).1["payoffs"].as_array().unwrap()) {
        if seat.is_none_or(|seat| payoff["seat"] == seat) {
            *by.entry(payoff["seat"].to_string()).or_default() += payoff["payoff_cents"].as_u64().unwrap();
        }
    }
    by.into_values().collect()
}

/// How far the last ranking of each seat with two or more is from its first.
fn footrules(records: &[Value]) -> Vec<u64> {
    let mut by: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for record in records {
        by.entry(record["seat"].as_str().unwrap()).or_default().push(&event(record).1["order"]);
    }
    let place =
        |order: &Value, name: &Value| order.as_array().unwrap().iter().position(|other| other == name).unwrap() as i64;
    let apart = |all: Vec<&Value>| {
        let (first, last) = (all[0], all[all.len() - 1]);
        let names = first.as_array().unwrap().iter();
        names.map(|name| (place(first, name) - place(last, name)).unsigned_abs()).sum()
    };
    by.into_values().filter(|all| all.len() > 1).map(apart).collect()
}

/// Recomputes a number from records alone; `None` for columns that this oracle does not know.
pub fn oracle(table: &str, column: &str, row: &Row, records: &[Value], seats: usize) -> Option<String> {
    let real = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    let of = |kind: &str| records.iter().filter(|record| event(record).0 == kind).count();
    let tokens = |key: &str| {
        records.iter().map(|record| event(record).1["given"]["usage"][key].as_u64().unwrap_or(0)).sum::<u64>()
    };
    let mean = |all: &[u64]| (!all.is_empty()).then(|| all.iter().sum::<u64>() as f64 / all.len() as f64);
    Some(match (table, column) {
        ("rounds" | "sessions", "speaking_gini") => {
            let words = spoken(records);
            let (n, sum) = (seats as f64, words.iter().sum::<u64>() as f64);
            // Silent seats: each differs from every speaker by all of the speaker's words, in both orders.
            let silent = (seats - words.len()) as u64;
            let apart: u64 =
                words.iter().map(|a| words.iter().map(|b| a.abs_diff(*b)).sum::<u64>() + 2 * silent * a).sum();
            real((sum > 0.0).then(|| apart as f64 / (2.0 * n * sum)))
        }
        ("rounds" | "sessions", "n_invalid" | "n_refused" | "n_reasked" | "n_first_try" | "n_forfeit" | "calls") => {
            records.len().to_string()
        }
        ("rounds" | "sessions", "statements") if !row[column].is_empty() => of("Spoke").to_string(),
        ("rounds" | "sessions", "words") if !row[column].is_empty() => spoken(records).iter().sum::<u64>().to_string(),
        ("rounds" | "sessions", "prompt_tokens" | "completion_tokens" | "thinking_tokens") => {
            tokens(column).to_string()
        }
        ("rounds" | "sessions", "cached_prompt_tokens") => {
            let is_reported = |record| event(record).1["given"]["usage"][column].is_u64();
            let is_known = records.is_empty() || records.iter().any(is_reported);
            if is_known { tokens(column).to_string() } else { String::new() }
        }
        ("sessions", "votes_held") => of("Tallied").to_string(),
        ("sessions", "rounds_used") => of("RoundOpened").to_string(),
        ("sessions", "rank_footrule_mean") => real(mean(&footrules(records))),
        ("seats", "rank_footrule") => footrules(records).first().map_or(String::new(), u64::to_string),
        ("sessions", "payoff_applications_cents_mean" | "payoff_settlement_cents_mean") => {
            real(mean(&paid(records, None)))
        }
        ("seats", "payoff_applications_cents" | "payoff_settlement_cents" | "payoff_total_cents") => {
            paid(records, Some(&row["seat"])).first().map_or(String::new(), u64::to_string)
        }
        ("rounds", "n_switch" | "switch_n") if !row[column].is_empty() => switches(column, row, records),
        ("tallies", "margin") if !row["vote"].is_empty() => {
            let tally = records.iter().find(|record| event(record).0 == "Tallied").unwrap();
            let mut counts: Vec<u64> = event(tally).1["counts"]
                .as_array()
                .unwrap()
                .iter()
                .map(|count| count["count"].as_u64().unwrap())
                .collect();
            counts.sort_unstable();
            counts.reverse();
            (counts[0] - counts[1]).to_string()
        }
        _ => return spread(column, records, row),
    })
}

fn switches(column: &str, row: &Row, records: &[Value]) -> String {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let (mut switched, mut n) = (0, 0);
    for record in records {
        let (seat, stance) = (record["seat"].as_str().unwrap(), event(record).1["stance"].as_str().unwrap());
        let before = last.insert(seat, stance);
        if record["at"]["phase"] == row["phase"] && record["at"]["round"] == row["round"].parse::<u64>().unwrap() {
            n += u32::from(before.is_some());
            switched += u32::from(before.is_some_and(|before| before != stance));
        }
    }
    if column == "n_switch" { switched.to_string() } else { n.to_string() }
}

/// Modal shares, entropies and agreement, of the counts of alternatives in these records.
fn spread(column: &str, records: &[Value], row: &Row) -> Option<String> {
    let measure = ["_modal_share", "_entropy_norm", "_pair_agreement"].into_iter().find(|end| column.ends_with(end))?;
    if row[column].is_empty() {
        return None;
    }
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    // A ballot whose amount stays unnamed does not count.
    let mut balloted: BTreeMap<&str, &str> = BTreeMap::new();
    for record in records {
        let (kind, inside) = event(record);
        let seat = record["seat"].as_str().unwrap();
        let name = inside["alternative"].as_str().or(inside["stance"].as_str());
        match (kind, name) {
            ("Spoke" | "Polled", Some(name)) => *counts.entry(name.to_owned()).or_default() += 1.0,
            ("Balloted", Some(name)) => drop(balloted.insert(seat, name)),
            ("Faulted", _) => drop(balloted.remove(seat)),
            _ => {}
        }
    }
    balloted.values().for_each(|name| *counts.entry((*name).to_owned()).or_default() += 1.0);
    let n: f64 = counts.values().sum();
    let alternatives =
        records.iter().find_map(|record| Some(event(record).1["options"].as_array()?.len())).filter(|n| *n > 0);
    let value = match measure {
        "_modal_share" => counts.values().copied().fold(0.0, f64::max) / n,
        "_entropy_norm" => -counts.values().map(|c| c / n * (c / n).ln()).sum::<f64>() / (alternatives? as f64).ln(),
        _ => counts.values().map(|c| c * (c - 1.0)).sum::<f64>() / (n * (n - 1.0)),
    };
    Some(format!("{:.6}", value + 0.0))
}
