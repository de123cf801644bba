//! Votes that are taken again and again, until they took as much as a debate on the same question in the same replicate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, Server, assert_same, contents, ekklesia, json_lines, run, text, values_at};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::trial::write_config;
use serde_json::Value;

const DESIGN: &str = "
design:
  factors:
    method:
      set:
        debate: { discussion.rounds: 2 }
        votes: { discussion.rounds: 0 }
    order: { key: discussion.order, levels: [fixed, random] }
  match: { arm: { method: votes }, to: { method: debate }, unit: UNIT }
decision: { rule: plurality, invalid: abstain, tie_break: lot }
";

/// Seats that are now and then asked again, so that debates take more or fewer answers.
const MINDS: &str = "
replicates: 4
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.3 } } }
seats: [ { count: 3, name: \"Member {n}\" } ]
";

fn body(seats: &str, unit: &str) -> String {
    format!("{seats}{}", DESIGN.replace("UNIT", unit))
}

fn models(server: &Server) -> String {
    let url = server.base_url();
    format!(
        "
replicates: 2
models: {{ small: {{ openai: {{ base_url: \"{url}\", model: played, max_tokens: 60, concurrency: 3, timeout_s: 20 }} }} }}
seat_defaults: {{ model: small }}
seats: [ {{ count: 3, name: \"Member {{n}}\" }} ]
"
    )
}

fn minutes(out: &Path, session: &str) -> PathBuf {
    out.join("sessions").join(session).join("minutes.jsonl")
}

/// The event of the first record of a kind.
fn event<'r>(records: &'r [Value], kind: &str) -> &'r Value {
    records.iter().find_map(|record| record["event"].get(kind)).unwrap_or_else(|| panic!("no {kind}"))
}

/// What answers took: each is one call, and tells its tokens where a model gave it.
fn taken(records: &[Value], unit: &str) -> u64 {
    let answers = records.iter().filter(|record| record.get("attempt").is_some());
    let of = |record: &Value| {
        let given = record["event"].as_object().and_then(|kinds| kinds.values().next()).expect("an event");
        let tokens = |key: &str| given["given"]["usage"][key].as_u64();
        match unit {
            "calls" => 1,
            "completion_tokens" => tokens("completion_tokens").expect("a model counts"),
            _ => {
                tokens("prompt_tokens").expect("a model counts") + tokens("completion_tokens").expect("a model counts")
            }
        }
    };
    answers.map(of).sum()
}

/// Checks every matched session against the session that it is matched to, and returns how many samples each took.
fn checked(out: &Path, replicates: u32, unit: &str) -> Vec<u64> {
    let mut samples = Vec::new();
    for (order, replicate) in ["fixed", "random"].iter().flat_map(|order| (1..=replicates).map(move |r| (order, r))) {
        let name = |arm: &str| format!("{arm}-{order}-r{replicate:06}");
        let debate = json_lines(&minutes(out, &name("debate")));
        let votes = json_lines(&minutes(out, &name("votes")));
        let target = &event(&votes, "Convened")["target"];
        assert_eq!(target["of"]["session"], name("debate"), "the same replicate and the other factor's level");
        assert_eq!((&target["unit"], &target["amount"]), (&unit.into(), &taken(&debate, unit).into()));
        let sampled = &event(&votes, "Tallied")["sampled"];
        let all = taken(&votes, unit);
        assert_eq!(sampled["taken"], all, "what was taken is the sum over its answers");
        assert!(all >= taken(&debate, unit), "as much as the debate, or more");
        let last = sampled["samples"].as_u64().expect("a number");
        let before: Vec<Value> =
            votes.iter().filter(|record| record["at"]["round"].as_u64() < Some(last)).cloned().collect();
        assert!(taken(&before, unit) < taken(&debate, unit), "one sample less would not have been enough");
        let tally = event(&votes, "Tallied");
        assert_eq!(tally["eligible"], 3 * last, "every seat's ballots of every sample are counted");
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for ballot in votes.iter().filter_map(|record| values_at(record, "ballot")) {
            *counts.entry(ballot["choice"].as_str().expect("a name")).or_default() += 1;
        }
        for count in tally["counts"].as_array().expect("a list") {
            let named = count["alternative"].as_str().expect("a name");
            assert_eq!(count["count"], *counts.get(named).unwrap_or(&0), "{named}");
        }
        samples.push(last);
    }
    samples
}

/// A column of `sessions.csv` in the arms that vote, in order; its cells hold no quotes.
fn column(out: &Path, name: &str) -> Vec<String> {
    let table = fs::read_to_string(out.join("sessions.csv")).expect("a table");
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let place = |name: &str| header.iter().position(|column| *column == name).expect("a column");
    let (method, wanted) = (place("arm_method"), place(name));
    lines.filter(|cells| cells[method] == "votes").map(|cells| cells[wanted].to_owned()).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn votes_are_taken_until_they_took_as_many_calls_as_the_debate() {
    let place = tempfile::tempdir().expect("a folder");
    let config = write_config(place.path(), &body(MINDS, "calls"));
    let (out, other) = (place.path().join("out"), place.path().join("other"));
    run(&config, &out, &["--jobs", "1"]).says(0, &[]);
    let samples = checked(&out, 4, "calls");
    assert!(samples.iter().any(|n| *n != samples[0]), "debates that took more are matched by more votes: {samples:?}");
    let told: Vec<String> = samples.iter().map(ToString::to_string).collect();
    assert_eq!(column(&out, "match_samples"), told);
    assert!(column(&out, "match_ratio").iter().all(|ratio| ratio.parse::<f64>().expect("a number") >= 1.0));
    assert!(column(&out, "match_unit").iter().all(|unit| unit == "calls"));
    let methods = fs::read_to_string(out.join("methods.md")).expect("methods");
    assert!(methods.contains("as many answers as that of `debate-fixed`"), "{methods}");
    // All samples are one vote: it is counted again whole, and explained by the ballots of all of them.
    for replicate in 1..=4 {
        let session = format!("votes-fixed-r{replicate:06}");
        let report = json_lines(&minutes(&out, &session));
        let report = event(&report, "Tallied");
        let again = ekklesia(&["retally", text(&out.join("sessions").join(&session)), "--winners-only", "--json"]);
        let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
        let [vote] = again["elections"].as_array().expect("a list").as_slice() else { panic!("not one vote: {again}") };
        assert_eq!((&vote["held"]["vote"], &vote["ballots"]), (&1.into(), &report["valid"]));
        assert_eq!(vote["ballots"].as_u64().unwrap_or(0) + vote["absent"].as_u64().unwrap_or(0), report["eligible"]);
        let rules = vote["rules"].as_array().expect("a list");
        let plurality = rules.iter().find(|count| count["rule"] == "plurality").expect("a rule");
        let winners = report["winners"].as_array().expect("a list").iter().map(|winner| winner["alternative"].clone());
        assert_eq!(plurality["winners"], winners.collect::<Value>());
    }
    let tallies = fs::read_to_string(out.join("tallies.csv")).expect("a table");
    let row = tallies.lines().position(|line| line.contains("votes-fixed-r000001")).expect("a row");
    let why = ekklesia(&["why", &format!("{}:{row}:count", text(&out.join("tallies.csv"))), "--json"]);
    let why: Value = serde_json::from_str(&why.stdout).expect("JSON");
    let of_session = json_lines(&minutes(&out, "votes-fixed-r000001"));
    let settled = event(&of_session, "Tallied")["eligible"].as_u64().expect("a number");
    assert!(why["records"].as_array().expect("a list").len() as u64 > settled, "{why}");
    run(&config, &other, &["--jobs", "2"]).says(0, &[]);
    assert_same(&out, &other);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    ekklesia(&["context", text(&minutes(&out, "votes-fixed-r000001").with_file_name("")), "--seat", "Member 1"])
        .says(0, &[]);
}

/// Two seats that are unsure of two things, and a talk that takes as much as five votes.
const UNSURE: &str = "
replicates: 300
models: { sim: { simulated: {} } }
seats: [ { count: 2, model: sim, name: \"Member {n}\", mind: { polya: { opinion: 0.7 } } } ]
decision: { rule: plurality, tie_break: lot }
design:
  factors: { method: { set: { debate: { discussion.rounds: 4 }, votes: { discussion.rounds: 0 } } } }
  match: { arm: { method: votes }, to: { method: debate }, unit: calls }
";

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_seat_that_answers_as_often_as_it_believes_draws_every_vote_anew_and_one_that_holds_something_does_not() {
    let place = tempfile::tempdir().expect("a folder");
    let cast = |mind: &str, replicates: u32| {
        let out = place.path().join(&mind[..5]);
        let config = write_config(place.path(), &UNSURE.replace("polya: { opinion: 0.7 }", mind));
        run(&config, &out, &["--replicates", &replicates.to_string()]).says(0, &[]);
        let mut cast: BTreeMap<(u32, String), Vec<bool>> = BTreeMap::new();
        for replicate in 1..=replicates {
            for record in json_lines(&minutes(&out, &format!("votes-r{replicate:06}"))) {
                if let Some(ballot) = values_at(&record, "ballot") {
                    let seat = record["seat"].as_str().expect("a seat").to_owned();
                    cast.entry((replicate, seat)).or_default().push(ballot["choice"] == "for");
                }
            }
        }
        cast.into_values().collect::<Vec<Vec<bool>>>()
    };
    let share = |all: &[bool]| all.iter().filter(|one| **one).count() as f64 / all.len() as f64;
    let drawn = cast("polya: { opinion: 0.7 }", 300);
    assert!(drawn.len() == 600 && drawn.iter().all(|votes| votes.len() == 5), "{}", drawn.len());
    // 3 000 votes: one standard error is 0.0084; of 2 400 pairs in a row 0.58 agree, give or take 0.0101 and less than 0.02.
    assert!((share(&drawn.concat()) - 0.7).abs() < 0.034, "{}", share(&drawn.concat()));
    let alike: Vec<bool> = drawn.iter().flat_map(|votes| votes.windows(2).map(|pair| pair[0] == pair[1])).collect();
    assert!((share(&alike) - 0.58).abs() < 0.05, "{}", share(&alike));
    let held = cast("voter: { copy: 0.5 }", 30);
    assert_eq!(held.len(), 60);
    assert!(held.iter().all(|votes| votes.iter().all(|vote| *vote == votes[0])));
}

#[test]
fn votes_that_were_cut_and_debates_that_are_missing_are_made_again() {
    let place = tempfile::tempdir().expect("a folder");
    let config = write_config(place.path(), &body(MINDS, "calls"));
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    run(&config, &whole, &[]).says(0, &[]);
    copy(&whole, &cut);
    for (session, share) in [("votes-fixed-r000001", 2), ("votes-random-r000002", 3), ("debate-fixed-r000003", 2)] {
        let file = minutes(&cut, session);
        let bytes = fs::read(&file).expect("minutes");
        fs::write(&file, &bytes[..bytes.len() - bytes.len() / share]).expect("a file");
        fs::remove_file(file.with_file_name("run.json")).expect("a file");
    }
    run(&config, &cut, &[]).says(0, &[]);
    assert_same(&whole, &cut);
}

#[test]
fn votes_are_matched_to_the_debate_that_was_minuted_and_to_no_other() {
    let place = tempfile::tempdir().expect("a folder");
    let config = write_config(place.path(), &body(MINDS, "calls"));
    let out = place.path().join("out");
    run(&config, &out, &[]).says(0, &[]);
    let (one, other) = (minutes(&out, "debate-fixed-r000001"), minutes(&out, "votes-fixed-r000001"));
    let votes = fs::read_to_string(&other).expect("minutes");
    let amount = event(&json_lines(&other), "Convened")["target"]["amount"].as_u64().expect("a number");
    let forged = votes.replacen(&format!("\"amount\":{amount}"), &format!("\"amount\":{}", amount + 30), 1);
    fs::write(&other, forged).expect("a file");
    ekklesia(&["replay", text(&out)]).says(3, &["votes-fixed-r000001"]);
    fs::write(&other, votes).expect("a file");
    let debate = fs::read_to_string(&one).expect("minutes");
    fs::write(&one, debate.replacen("discussion", "discussiom", 1)).expect("a file");
    ekklesia(&["replay", text(&out)]).says(3, &["votes-fixed-r000001", "debate-fixed-r000001"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn tokens_are_what_servers_told_and_every_sample_is_asked_for_in_the_same_words() {
    let place = tempfile::tempdir().expect("a folder");
    let server = Server::start();
    for unit in ["total_tokens", "completion_tokens"] {
        let config = write_config(place.path(), &body(&models(&server), unit));
        let (out, offline) = (place.path().join(unit), place.path().join(format!("{unit}-offline")));
        run(&config, &out, &[]).says(0, &[]);
        checked(&out, 2, unit);
        let ratios = column(&out, "match_ratio");
        assert!(ratios.iter().all(|ratio| ratio.parse::<f64>().expect("a number") >= 1.0), "{ratios:?}");
        // Only what plan, inputs and calls hold.
        cli::copy_recorded(&out, &offline);
        run(&config, &offline, &["--offline"]).says(0, &[]);
        assert_eq!(contents(&out), contents(&offline));
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    }
    let asked: Vec<String> = server.bodies().iter().map(|body| body["messages"].to_string()).collect();
    let ballots: Vec<&String> = asked
        .iter()
        .filter(|words| words.contains("The group votes now") && !words.contains("Your last reply"))
        .collect();
    let mut different: Vec<&&String> = ballots.iter().filter(|words| !words.contains("I have read")).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 3, "each seat has one question, however often it is put");
}

#[test]
fn what_cannot_be_matched_is_told_before_anything_is_run() {
    let place = tempfile::tempdir().expect("a folder");
    let told = |text: &str, words: &[&str]| {
        let config = write_config(place.path(), text);
        ekklesia(&["check", cli::text(&config)]).says(2, words);
    };
    let with = |from: &str, to: &str| body(MINDS, "calls").replace(from, to);
    told(&body(MINDS, "total_tokens"), &["only model servers count tokens", "Member 1", "write unit: calls"]);
    told(&with("method: votes }", "method: vote }"), &["no level \"vote\"", "votes"]);
    told(&with("{ method: votes }", "{ methods: votes }"), &["no factor is named \"methods\"", "method"]);
    told(&with("to: { method: debate }", "to: { method: votes }"), &["not matched to itself"]);
    told(&with("to: { method: debate }", "to: { order: fixed }"), &["names other factors"]);
    told(&with("arm: { method: votes }", "arm: {}"), &["design.match.arm", "names no factor"]);
    told(&with("votes: { discussion.rounds: 0 }", "votes: { discussion.rounds: 1 }"), &["seats of this arm talk"]);
    told(&with("rule: plurality", "rule: unanimity"), &["adds up none"]);
    told(&with("invalid: abstain", "invalid: abstain, roll_call: true"), &["who voted for what"]);
    let without = "  match: { arm";
    told(&with(without, "  exclude: [{ method: debate, order: fixed }]\n  match: { arm"), &["which is not run"]);
}
