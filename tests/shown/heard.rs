//! What the page says about estimates: whom a seat had heard before it moved, what all were told, and how far the decision is from the
//! right amount. The expected words are computed from the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::Server;
use crate::fixtures::trial::write_config;
use crate::shown::happened::{cells, find_session_row, has, of_scenario, ran, read, session};

/// An amount as the page writes it.
fn grouped(amount: &str) -> String {
    let (head, tail) = amount.split_at(amount.len().saturating_sub(3));
    if head.is_empty() { tail.to_owned() } else { format!("{head} {tail}") }
}

/// Groups that estimate, and what their page tells.
fn estimating(seats: u32, discussion: &str) -> (tempfile::TempDir, std::path::PathBuf, String) {
    let place = tempfile::tempdir().unwrap();
    let body = format!("replicates: 3\nseats: [ {{ count: {seats}, name: \"M{{n}}\" }} ]\n{discussion}");
    let (out, page) = of_scenario(place.path(), "estimation", &body);
    (place, out, page)
}

/// Whom a seat hears, as the minutes have it: everyone where nothing is minuted.
fn hears(out: &Path, name: &str, listener: &str, speaker: &str) -> bool {
    let minutes = fs::read_to_string(out.join(format!("sessions/{name}/minutes.jsonl"))).unwrap();
    let records = minutes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let seats = records.into_iter().filter_map(|record| record["event"].get("Seated")?.get("seats").cloned());
    let told: Vec<_> = seats.flat_map(|seats| seats.as_array().unwrap().clone()).collect();
    let Some(own) = told.iter().find(|one| one["seat"] == listener && one.get("hears").is_some()) else {
        return listener != speaker;
    };
    own["hears"].as_array().unwrap().iter().any(|one| one == speaker)
}

/// What a move is told to come after, worked out from the table of statements.
fn expected(heard: &[(&str, &str, &str)], amount: &str) -> String {
    let told = |(seat, amount, seq): &(&str, &str, &str)| format!("{seat} ({}) [{seq}]", grouped(amount));
    let edge = |(seat, amount, seq): &(&str, &str, &str)| format!("{} ({seat}) [{seq}]", grouped(amount));
    let number = |one: &&(&str, &str, &str)| one.1.parse::<u64>().unwrap();
    match heard {
        [one] => format!(", after hearing {}", told(one)),
        [one, other] => format!(", after hearing {} and {}", told(one), told(other)),
        [one, next, other] => format!(", after hearing {}, {} and {}", told(one), told(next), told(other)),
        all => {
            let (least, most) = (all.iter().min_by_key(number).unwrap(), all.iter().rev().max_by_key(number).unwrap());
            let same = all.iter().filter(|one| one.1 == amount).map(|one| format!("{} [{}]", one.0, one.2));
            let same = same.collect::<Vec<_>>().join(" and ");
            let same = if same.is_empty() { same } else { format!(", including the same amount from {same}") };
            format!(
                ", after hearing {} others, whose amounts ranged from {} to {}{same}",
                all.len(),
                edge(least),
                edge(most)
            )
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_move_of_an_estimate_tells_whom_its_seat_had_heard_in_the_network_with_amounts_and_records() {
    for (seats, network) in [(5, "network: star"), (5, "network: ring"), (4, ""), (7, "order: simultaneous")] {
        let (_place, out, page) = estimating(seats, &format!("discussion: {{ rounds: 3, {network} }}"));
        let mut seen = 0;
        let mut statements = cells(&out, "statements", &["session", "seat", "round", "seq", "stance_amount"]);
        statements.retain(|row| !row[4].is_empty());
        for row in &statements {
            let [name, seat, round, seq, amount] = row.as_slice() else { panic!("{row:?}") };
            let before = (round.parse::<u64>().unwrap() - 1).to_string();
            let of_before = || statements.iter().filter(|other| other[0] == *name && other[2] == before);
            let Some(own) = of_before().find(|other| other[1] == *seat) else { continue };
            if own[4] == *amount {
                continue;
            }
            let heard: Vec<(&str, &str, &str)> = of_before()
                .filter(|other| hears(&out, name, seat, &other[1]))
                .map(|other| (other[1].as_str(), other[4].as_str(), other[3].as_str()))
                .collect();
            let words = format!(
                "{seat} moved from “The estimate {}” to “The estimate {}” in round {round} [{seq}]{} It said:",
                grouped(&own[4]),
                grouped(amount),
                expected(&heard, amount)
            );
            has(&session(&page, name), &words);
            seen += 1;
        }
        assert!(seen > 10, "{network}: {seen}");
        assert!(!page.contains("; the seat hears no other seat"));
    }
}

#[test]
fn the_table_of_sessions_lists_the_seats_whose_estimates_moved_and_the_session_says_whom_they_had_heard() {
    let (_place, out, page) = estimating(5, "discussion: { rounds: 3, network: star }");
    let statements = cells(&out, "statements", &["session", "seat", "seq", "stance_amount"]);
    let ballots = cells(&out, "ballots", &["session", "seat", "purpose", "amount"]);
    let mut hub_moved = 0;
    for name in cells(&out, "sessions", &["session"]).iter().map(|row| &row[0]) {
        let polled = ballots.iter().filter(|row| row[0] == *name && row[2] == "straw_before");
        let mut stood: BTreeMap<&str, &str> = polled.map(|row| (row[1].as_str(), row[3].as_str())).collect();
        let (mut movers, mut moves): (Vec<&str>, u64) = (Vec::new(), 0);
        for row in statements.iter().filter(|row| row[0] == *name && !row[3].is_empty()) {
            let (seat, amount) = (row[1].as_str(), row[3].as_str());
            if stood.insert(seat, amount).is_some_and(|before| before != amount) {
                moves += 1;
                if !movers.contains(&seat) {
                    movers.push(seat);
                }
            }
        }
        assert!(movers.len() > 1, "{name}: {movers:?}");
        let row = find_session_row(&page, name);
        assert_eq!((&row["movers"], &row["moves"]), (&movers.join(", "), &moves.to_string()), "{name}");
        let told = session(&page, name);
        for spoke in movers.iter().filter(|seat| **seat != "M1") {
            let moved = told.split(&format!("{spoke} moved from “")).nth(1).unwrap();
            let (moved, _) = moved.split_once(" It said:").unwrap();
            assert!(moved.contains(", after hearing M1 ("), "the hub alone is heard: {moved}");
        }
        if let Some((_, moved)) = told.split_once("M1 moved from “") {
            let (moved, _) = moved.split_once(" It said:").unwrap();
            assert!(moved.contains(", after hearing 4 others, "), "and it hears all: {moved}");
            hub_moved += 1;
        }
    }
    assert!(hub_moved > 0, "the hub moves");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_move_of_a_mind_that_heeds_nothing_is_told_so_and_one_of_a_seat_that_hears_nobody_too() {
    let talk = |network: &str| format!("replicates: 4\ndiscussion: {{ rounds: 4{network} }}\n");
    let alone = talk(", network: self");
    let moves = |told: &str| told.matches(" moved from “").count();
    let place = tempfile::tempdir().unwrap();
    let random = "seats: [ { count: 3, mind: { random: {} } } ]\n";
    let (_, page) = of_scenario(place.path(), "motion", &format!("{alone}{random}"));
    let told = read(&page);
    let unheeded = told.matches("; the rule of its mind ignores what others say").count();
    assert!(unheeded > 0);
    assert_eq!(moves(&told), unheeded);
    // A model answers each question by a lot of its own: it moves, and nobody has said anything to it.
    let server = Server::start();
    let played = format!(
        "models: {{ played: {{ openai: {{ base_url: \"{}\", model: played, max_tokens: 60 }} }} }}\nseats: [ {{ count: 3, model: played }} ]\n",
        server.base_url()
    );
    for (talk, is_alone) in [(alone, true), (talk(""), false)] {
        let place = tempfile::tempdir().unwrap();
        let config = write_config(place.path(), &format!("{talk}{played}"));
        let (_, page) = ran(place.path(), &config);
        let told = read(&page);
        let (moves, deaf) = (moves(&told), told.matches("; the seat hears no other seat").count());
        assert!(moves > 0);
        assert_eq!(deaf, if is_alone { moves } else { 0 });
        assert_eq!(told.contains(" had spoken for “"), !is_alone, "those alone are told who were heard");
    }
}

#[test]
fn a_session_and_its_row_say_how_far_the_decision_is_from_the_right_amount() {
    let (_place, out, page) = estimating(5, "discussion: { rounds: 0 }\nparameters: { feedback: 3 }");
    for row in cells(&out, "sessions", &["session", "amount", "result_relative_error"]) {
        let [name, amount, error] = row.as_slice() else { panic!("{row:?}") };
        let (decided, right) = (amount.parse::<u64>().unwrap(), 1198);
        let side = if decided > right { "above" } else { "below" };
        let off = grouped(&decided.abs_diff(right).to_string());
        let off = format!("{off} pounds ({:.1} %) {side} the right amount", 100.0 * error.parse::<f64>().unwrap());
        let own = session(&page, name);
        has(&own, &format!("; that is {off}."));
        assert_eq!(find_session_row(&page, name)["outcome"], format!("The estimate {}, {off}", grouped(amount)));
        let count = |words: &str| own.matches(words).count();
        let counts = (count("right answer is 1 198"), count("right is 1 198"));
        assert_eq!(counts, (1, 1), "at the top, and in the record that says so");
    }
    let minutes = fs::read_to_string(out.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
    let records = minutes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let records: Vec<serde_json::Value> = records.collect();
    let own = session(&page, "baseline-r000001");
    let dealt = records.iter().find(|record| record["event"].get("Convened").is_some()).unwrap();
    has(&own, &format!("The right answer is 1 198 pounds [{}].", dealt["seq"]));
}
