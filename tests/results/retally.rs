//! Ballots are counted again from the records alone, of sessions and of PrefLib files; what is exported counts alike.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{self, repository, write_config};
use serde_json::Value;

const TENNESSEE: &str = "# TITLE: Capital of Tennessee\n# NUMBER ALTERNATIVES: 4\n# NUMBER VOTERS: 100\n\
    # ALTERNATIVE NAME 1: Memphis\n# ALTERNATIVE NAME 2: Nashville\n# ALTERNATIVE NAME 3: Chattanooga\n\
    # ALTERNATIVE NAME 4: Knoxville\n42: 1,2,3,4\n26: 2,3,4,1\n15: 3,4,2,1\n17: 4,3,2,1\n";

const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 4, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.5 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 2, order: random, vote: every_round }
decision: { invalid: abstain }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority, plurality] }
";

fn write(place: &Path, name: &str, content: &str) -> PathBuf {
    let path = place.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// What a recount prints as JSON.
fn recounted(arguments: &[&str]) -> Value {
    let told = ekklesia(&[&["retally", "--json"], arguments].concat());
    assert_eq!(told.code, Some(0), "{told:?}");
    serde_json::from_str(&told.stdout).unwrap()
}

fn rule<'j>(election: &'j Value, rule: &str) -> &'j Value {
    election["rules"].as_array().unwrap().iter().find(|count| count["rule"] == rule).unwrap()
}

#[test]
fn a_preflib_file_is_counted_under_every_rule() {
    let place = tempfile::tempdir().unwrap();
    let path = write(place.path(), "tennessee.soc", TENNESSEE);
    let json = recounted(&[text(&path), "--resamples", "50"]);
    let election = &json["elections"][0];
    for (name, winner) in [("plurality", "Memphis"), ("borda", "Nashville"), ("instant_runoff", "Knoxville")] {
        assert_eq!(rule(election, name)["winners"], serde_json::json!([winner]), "{name}");
    }
    assert_eq!(election["condorcet_winner"], "Nashville");
    assert_eq!(election["above"][1], serde_json::json!([58, 0, 68, 68]));
    assert_eq!(rule(election, "kemeny_young")["points"], serde_json::json!([345, 393, 357, 291]));
    let best = ["Nashville", "Chattanooga", "Knoxville", "Memphis"];
    assert_eq!(election["kemeny"], serde_json::json!({ "orders": 1, "agreement": 393, "order": best }));
    assert_eq!(rule(election, "plurality")["fewest"], serde_json::json!({ "exactly": 8 }));
    assert_eq!(rule(election, "instant_runoff")["pivotal_ballots"], 17);
    let refused = rule(election, "approval")["refused"].as_str().unwrap();
    assert_eq!(refused, "needs approval ballots, and these are ranking ballots");
    let drawn = &rule(election, "plurality")["bootstrap"];
    let times = |of: &Value| of.as_array().unwrap().iter().map(|times| times.as_u64().unwrap()).sum::<u64>();
    assert!(times(&drawn["alone"]) + times(&drawn["tied"]) >= 50, "{drawn}");
    // Drawn ballots are found from the seed.
    assert_eq!(recounted(&[text(&path), "--resamples", "50"]), json);
    assert_ne!(recounted(&[text(&path), "--resamples", "50", "--seed", "1"])["elections"], json["elections"]);
    let told = ekklesia(&["retally", text(&path)]);
    told.tells(&[
        "Capital of Tennessee",
        "Condorcet winner: Nashville",
        "best order by Kemeny: Nashville > Chattanooga > Knoxville > Memphis; agreement",
        "rules disagree",
        "Knoxville: instant_runoff, stv",
    ]);
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{}", told.stdout);
}

#[test]
fn all_best_orders_of_a_cycle_are_counted_and_one_is_told_where_kemenys_rule_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let path = write(place.path(), "cycle.soc", "# NUMBER ALTERNATIVES: 3\n1: 1,2,3\n1: 2,3,1\n1: 3,1,2\n");
    let of = |rule: &str| recounted(&[text(&path), "--winners-only", "--rule", rule])["elections"][0].clone();
    let best = serde_json::json!({ "orders": 3, "agreement": 5, "order": ["1", "2", "3"] });
    assert_eq!(of("kemeny_young")["kemeny"], best);
    assert!(of("borda").get("kemeny").is_none());
    ekklesia(&["retally", text(&path)]).says(0, &["one of 3 best orders by Kemeny: 1 > 2 > 3; agreement 5"]);
}

#[test]
fn what_rules_leave_open_can_be_said() {
    let place = tempfile::tempdir().unwrap();
    let tied = "# NUMBER ALTERNATIVES: 3\n2: 1,2,3\n1: 2,3,1\n1: 3,2,1\n";
    let path = write(place.path(), "tied.soc", tied);
    let winners = |more: &[&str], name: &str| {
        let json = recounted(&[&[text(&path), "--winners-only", "--rule", name], more].concat());
        rule(&json["elections"][0], name)["winners"].clone()
    };
    assert_eq!(winners(&[], "instant_runoff"), serde_json::json!(["1"]));
    assert_eq!(winners(&["--irv-ties", "branches"], "instant_runoff"), serde_json::json!(["1", "2", "3"]));
    assert_eq!(winners(&[], "supermajority"), serde_json::json!([]));
    assert_eq!(winners(&["--seats", "2"], "stv"), serde_json::json!(["1", "2", "3"]));
    let more = "# NUMBER ALTERNATIVES: 2\n3: 1,2\n2: 2,1\n";
    let path = write(place.path(), "more.soc", more);
    let json = recounted(&[text(&path), "--winners-only", "--threshold", "3/5", "--rule", "supermajority"]);
    assert_eq!(rule(&json["elections"][0], "supermajority")["winners"], serde_json::json!(["1"]));
    assert!(rule(&json["elections"][0], "supermajority").get("fewest").is_none());
}

#[test]
fn what_cannot_be_counted_is_said_with_a_way_out() {
    let place = tempfile::tempdir().unwrap();
    let choices = "# NUMBER ALTERNATIVES: 3\n# BALLOT FORM: choice\n2: 1\n1: 3\n";
    let choices = write(place.path(), "choices.soi", choices);
    let broken = write(place.path(), "broken.soc", "# NUMBER ALTERNATIVES: 2\n1: 1,3\n");
    ekklesia(&["retally", text(&choices)]).says(0, &["not counted: borda", "needs ranking or score"]);
    let cases: [(&[&str], &[&str]); 7] = [
        (
            &[text(&choices), "--rule", "borda"],
            &["borda: needs ranking or score ballots, and these are choice ballots"],
        ),
        (&[text(&choices), "--rule", "bordo"], &["borda"]),
        (&[text(&broken)], &["broken.soc:2: 3 is no alternative; there are 2"]),
        (&["nowhere"], &["nowhere: neither the folder of an experiment nor of a session"]),
        (&[text(place.path()), "--threshold", "1/3"], &["a supermajority is more than 1/2 and at most 1"]),
        (&[text(place.path()), "--threshold", "67%"], &["expected a ratio as in 2/3, or a decimal"]),
        (&[], &["<PATH>"]),
    ];
    for (arguments, words) in cases {
        ekklesia(&[&["retally"], arguments].concat()).says(2, words);
    }
    let empty = tempfile::tempdir().unwrap();
    ekklesia(&["retally", text(empty.path())]).says(2, &["nor has it PrefLib files: .soc .soi .toc .toi .cat"]);
}

/// What an arm's results hang on follows from its last elections of a kind, and is told in a line.
fn sums_up(arm: &Value, elections: &[Value], told: &str) {
    let held = |election: &Value, key: &str| election["held"][key].as_str().unwrap().to_owned();
    let is_of_kind = |election: &&Value| ["arm", "purpose", "phase"].iter().all(|key| held(election, key) == arm[key]);
    let of_kind: Vec<&Value> = elections.iter().filter(is_of_kind).collect();
    let is_last = |(place, election): &(usize, &&Value)| {
        of_kind[place + 1..].iter().all(|next| held(next, "session") != held(election, "session"))
    };
    let last =
        of_kind.iter().enumerate().filter(is_last).map(|(_, election)| rule(election, arm["rule"].as_str().unwrap()));
    let last: Vec<&Value> = last.collect();
    assert_eq!(last.len() as u64, arm["sessions"].as_u64().unwrap());
    let hangs = &arm["hangs_on"];
    let one = last.iter().filter(|count| count["fewest"] == serde_json::json!({ "exactly": 1 })).count() as u64;
    assert_eq!(hangs["by_one_ballot"], one);
    let seats: Vec<usize> = last.iter().filter_map(|count| Some(count["pivotal_seats"].as_array()?.len())).collect();
    let mean = seats.iter().sum::<usize>() as f64 / seats.len() as f64;
    assert!((hangs["pivotal_seats_mean"].as_f64().unwrap() - mean).abs() < 1e-12, "{hangs}");
    let line = format!("{one} of {}", hangs["of_sessions"]);
    let is_told = |row: &&str| {
        row.split_whitespace().next() == arm["rule"].as_str()
            && row.contains(&line)
            && row.contains(&format!("{mean:.1}"))
    };
    assert!(told.lines().any(|row| is_told(&row)), "{arm}\n{told}");
}

#[test]
fn the_rule_of_a_vote_gives_what_the_session_found_and_no_table_is_read() {
    let place = tempfile::tempdir().unwrap();
    let results = place.path().join("out");
    ekklesia(&["run", text(&write_config(place.path(), BODY)), "--out", text(&results)]).says(0, &[]);
    for entry in fs::read_dir(&results).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            fs::remove_file(path).unwrap();
        }
    }
    let json = recounted(&[text(&results), "--resamples", "20"]);
    let elections = json["elections"].as_array().unwrap();
    let votes: Vec<&Value> = elections.iter().filter(|election| election["held"]["purpose"] == "vote").collect();
    let polls = |purpose: &str| elections.iter().filter(|election| election["held"]["purpose"] == purpose).count();
    assert_eq!((polls("straw_before"), polls("straw_after")), (9, 9));
    assert!(votes.len() >= 9 && votes.iter().any(|vote| vote["held"]["invalid"] != 0), "{}", votes.len());
    for vote in &votes {
        let winners = &rule(vote, vote["held"]["rule"].as_str().unwrap())["winners"];
        match vote["held"]["decided"].as_str() {
            Some(decided) => assert!(winners.as_array().unwrap().iter().any(|winner| winner == decided), "{vote}"),
            None => assert!(winners.as_array().unwrap().len() != 1, "{vote}"),
        }
        for count in vote["rules"].as_array().unwrap() {
            let seats = count["pivotal_seats"].as_array().map_or(0, Vec::len);
            assert_eq!(count["pivotal_ballots"].as_u64().unwrap_or(0), seats as u64);
            assert_eq!(seats > 0, count["fewest"] == serde_json::json!({ "exactly": 1 }), "{count}");
        }
    }
    // By arm, the last vote under the arm's own rule is what was decided.
    for arm in
        json["arms"].as_array().unwrap().iter().filter(|arm| arm["purpose"] == "vote" && arm["rule"] == arm["arm"])
    {
        assert_eq!(arm["sessions"].as_u64().unwrap(), arm["same"].as_u64().unwrap() + arm["tied"].as_u64().unwrap());
    }
    let told = ekklesia(&["retally", text(&results), "--resamples", "20"]);
    told.says(0, &["elections of 9 sessions", "as decided", "what the result hangs on", "rules disagree in"]);
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{}", told.stdout);
    for arm in json["arms"].as_array().unwrap() {
        sums_up(arm, elections, &told.stdout);
    }
    let winners = ekklesia(&["retally", text(&results), "--winners-only"]);
    assert!(!winners.stdout.contains("hangs on"), "{}", winners.stdout);
    ekklesia(&["retally", text(&results.join("sessions/unanimity-r000001"))]).says(0, &["decided by unanimity"]);
    // What is exported and read back counts alike.
    let files = place.path().join("files");
    ekklesia(&["export", text(&results), "--format", "preflib", "--out", text(&files)]).says(0, &["of 9 sessions"]);
    let read = recounted(&[text(&files), "--winners-only"]);
    assert_eq!(read["elections"].as_array().unwrap().len(), elections.len());
    for file in read["elections"].as_array().unwrap() {
        let title = file["title"].as_str().unwrap();
        let path = Path::new(file["path"].as_str().unwrap()).file_stem().unwrap().to_str().unwrap();
        let is_it = |election: &&Value| {
            let held = &election["held"];
            let word = |key: &str| held[key].as_str().unwrap().to_owned();
            let round =
                held["round"].as_u64().filter(|round| *round > 0).map_or(String::new(), |round| format!("-{round}"));
            let vote = held["vote"].as_u64().map_or(String::new(), |vote| vote.to_string());
            path == format!("{}-{}{round}-{}{vote}", word("session"), word("phase"), word("purpose"))
        };
        let election = elections.iter().find(is_it).unwrap_or_else(|| panic!("{title} {path}"));
        let winners =
            |of: &Value| of["rules"].as_array().unwrap().iter().map(|rule| rule["winners"].clone()).collect::<Vec<_>>();
        assert_eq!(winners(file), winners(election), "{path}");
    }
    // Minutes that were changed are no ballots.
    let minutes = results.join("sessions/plurality-r000001/minutes.jsonl");
    let text_of = fs::read_to_string(&minutes).unwrap();
    fs::write(&minutes, text_of.replacen("\"alternative\":\"for\"", "\"alternative\":\"against\"", 1)).unwrap();
    ekklesia(&["retally", text(&results)]).says(3, &["changed since they were written"]);
}

const RANKED: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: {} } }
seats: [{ count: 5 }]
discussion: { rounds: 1, order: random, vote: at_end }
design: { factors: { rule: { key: decision.rule, levels: [schulze, minimax] } } }
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn ballots_are_counted_again_by_the_strength_and_the_share_of_their_plan_unless_others_are_said() {
    let place = tempfile::tempdir().unwrap();
    let scenario = trial::repository().join("scenarios/hidden_profile");
    let run = |name: &str, body: &str| -> PathBuf {
        let config = write(
            place.path(),
            &format!("{name}.yaml"),
            &format!("experiment: {name}\nscenario: {}\nseed: 42\n{body}", scenario.display()),
        );
        let out = place.path().join(name);
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        out
    };
    let winning = run("winning", &format!("{RANKED}decision: {{ strength: winning_votes, tie_break: lot }}\n"));
    let margins = run("margins", &format!("{RANKED}decision: {{ tie_break: lot }}\n"));
    let three_quarters = RANKED.replace("levels: [schulze, minimax]", "levels: [supermajority]");
    let share = run("share", &format!("{three_quarters}decision: {{ threshold: 3/4, ballot: ranking }}\n"));
    let strengths = |out: &Path, more: &[&str]| -> Vec<String> {
        let json = recounted(&[&[text(out), "--winners-only"], more].concat());
        let elections = json["elections"].as_array().unwrap().clone();
        let mut all: Vec<String> =
            elections.iter().map(|one| format!("{} {}", one["strength"], one["threshold"]).replace('"', "")).collect();
        all.dedup();
        all
    };
    assert_eq!(strengths(&winning, &[]), ["winning_votes 2/3"]);
    assert_eq!(strengths(&margins, &[]), ["margins 2/3"]);
    assert_eq!(strengths(&share, &[]), ["margins 3/4"]);
    assert_eq!(strengths(&winning, &["--strength", "margins", "--threshold", "4/5"]), ["margins 4/5"]);
    assert_eq!(strengths(&margins, &["--strength", "winning-votes"]), ["winning_votes 2/3"]);
    // What the session found is found again, in the points as well.
    let session = winning.join("sessions/minimax-r000001");
    let json = recounted(&[text(&session), "--rule", "minimax", "--winners-only"]);
    let told = ekklesia(&["retally", text(&session), "--resamples", "0"]);
    told.says(0, &["defeats by winning votes"]);
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{}", told.stdout);
    let told = ekklesia(&["retally", text(&margins.join("sessions/minimax-r000001"))]);
    assert!(told.code == Some(0) && !told.stdout.contains("winning votes"), "{told:?}");
    ekklesia(&["retally", text(&winning), "--winners-only"]).says(0, &["count defeats by winning votes"]);
    ekklesia(&["retally", text(&share.join("sessions/supermajority-r000001"))]).says(0, &["a supermajority is 3/4"]);
    // A share is written as in a config: six of nine are two thirds, and more than 0.6 of them.
    let place = tempfile::tempdir().unwrap();
    let nine = write(place.path(), "nine.soc", "# NUMBER ALTERNATIVES: 2\n6: 1,2\n3: 2,1\n");
    for (threshold, fewest) in [("2/3", 1), ("0.6", 1), ("0.666666", 1), ("0.666667", 1), ("5/9", 2)] {
        let counted = recounted(&[text(&nine), "--threshold", threshold, "--rule", "supermajority"]);
        let rule = &counted["elections"][0]["rules"][0];
        let winners = if threshold == "0.666667" { 0 } else { 1 };
        assert_eq!(rule["winners"].as_array().unwrap().len(), winners, "{threshold}");
        assert_eq!(rule["fewest"]["exactly"], fewest, "{threshold}");
    }
    let election = &json["elections"][0];
    let mut table = csv::Reader::from_path(winning.join("tallies.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let own = rows.iter().filter(|row| &row[at("session")] == "minimax-r000001" && &row[at("purpose")] == "vote");
    let points: Vec<f64> = own.map(|row| row[at("points")].parse().unwrap()).collect();
    let again: Vec<f64> =
        rule(election, "minimax")["points"].as_array().unwrap().iter().map(|points| points.as_f64().unwrap()).collect();
    assert_eq!(points, again);
}

#[test]
fn the_margin_of_each_rule_is_told_of_one_election() {
    let place = tempfile::tempdir().unwrap();
    let path = write(place.path(), "tennessee.soc", TENNESSEE);
    let json = recounted(&[text(&path), "--winners-only"]);
    let margin = |name: &str| rule(&json["elections"][0], name).get("margin").and_then(Value::as_f64);
    // First places 42, 26, 17, 15; Borda's points 194 and 173; 3 and 2 pairs won; defeats by 16 and by 36 for the first two.
    assert_eq!(margin("plurality"), Some(16.0));
    assert_eq!(margin("borda"), Some(21.0));
    assert_eq!(margin("copeland"), Some(1.0));
    assert_eq!(margin("kemeny_young"), Some(36.0));
    for none in ["schulze", "instant_runoff", "two_round", "random_ballot", "approval"] {
        assert_eq!(margin(none), None, "{none}");
    }
    let told = ekklesia(&["retally", text(&path)]);
    let line = told.stdout.lines().find(|line| line.starts_with(" borda")).unwrap();
    assert!(line.contains(" 21 "), "{line}");
}

#[test]
fn without_a_ballot_that_counts_nobody_wins_and_nothing_is_said_to_be_tied() {
    let place = tempfile::tempdir().unwrap();
    let path = write(place.path(), "none.soc", "# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 0\n");
    let json = recounted(&[text(&path)]);
    for count in json["elections"][0]["rules"].as_array().unwrap() {
        assert_eq!(count["winners"], serde_json::json!([]), "{count}");
    }
    let told = ekklesia(&["retally", text(&path)]);
    assert!(told.code == Some(0) && !told.stdout.contains("ties"), "{told:?}");
    assert!(told.stdout.lines().filter(|line| line.starts_with(" random_ballot")).all(|line| line.contains("nobody")));
    // Ballots that rank nothing tie all where pairs are compared, and are no first places.
    let path = write(place.path(), "empty.soi", "# NUMBER ALTERNATIVES: 3\n3: \n");
    let json = recounted(&[text(&path)]);
    for (name, winners) in [("schulze", 3), ("borda", 3), ("plurality", 0), ("instant_runoff", 0), ("random_ballot", 0)]
    {
        assert_eq!(rule(&json["elections"][0], name)["winners"].as_array().unwrap().len(), winners, "{name}");
    }
}

/// A vote in which nobody can give a valid ballot, or everybody does.
const UNREADABLE: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ count: 3 }]
discussion: { rounds: 1, order: random, vote: at_end }
decision: { invalid: abstain }
design:
  factors:
    minds: { key: seat_defaults.mind, levels: { read: { voter: { copy: 0.4 } }, unread: { random: { malformed: 1.0 } } } }
";

#[test]
fn what_is_not_exported_is_told_by_name_with_the_reason_and_nothing_at_all_is_no_success() {
    let place = tempfile::tempdir().unwrap();
    let run = |name: &str, body: &str| {
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let (config, out) = (write_config(&folder, body), folder.join("out"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        out
    };
    let export = |results: &Path, files: &Path| {
        ekklesia(&["export", text(results), "--format", "preflib", "--out", text(files)])
    };
    let (some, files) = (run("some", UNREADABLE), place.path().join("files"));
    let told = export(&some, &files);
    told.says(0, &["2 files of 2 of 4 sessions", "2 sessions (no ballot is valid): unread-r000001, unread-r000002"]);
    assert_eq!(fs::read_dir(&files).unwrap().count(), 2);
    // Without one valid ballot nothing is written, not even a folder, and that is no success.
    let body = UNREADABLE.replace("read: { voter: { copy: 0.4 } }, ", "");
    let (none, files) = (run("none", &body), place.path().join("no files"));
    export(&none, &files)
        .says(1, &["there is nothing to write; left out: 2 sessions (no ballot is valid): unread-r000001, "]);
    assert!(!files.exists());
    // Sessions that go on may still bring ballots.
    for session in ["read-r000001", "read-r000002"] {
        fs::remove_dir_all(some.join("sessions").join(session)).unwrap();
    }
    export(&some, &files)
        .says(4, &["2 sessions (not complete; `ekklesia run` completes what is missing): read-r000001, read-r000002"]);
    ekklesia(&["retally", text(&some)]).says(0, &["2 sessions not complete, whose ballots are left out"]);
    assert!(!files.exists());
}

#[test]
fn where_there_is_nothing_to_count_it_is_said_whether_another_run_may_bring_it() {
    let place = tempfile::tempdir().unwrap();
    let run = |name: &str, code: i32, mind: &str, decision: &str| {
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        let body = format!(
            "replicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {mind} }}\n\
             seats: [{{ count: 3 }}]\ndiscussion: {{ rounds: 0, vote: at_end }}\ndecision: {decision}\n"
        );
        let (config, out) = (write_config(&folder, &body), folder.join("out"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(code, &[]);
        out
    };
    let nothing = "there is nothing to count: no vote, straw poll or ranking";
    let imposed = run("imposed", 0, "{ voter: { copy: 0.4 } }", "{ rule: imposed, imposed: { alternative: for } }");
    ekklesia(&["retally", text(&imposed)]).says(1, &[nothing]);
    let mute = "{ scripted: { table: [ { phase: discussion, round: 9, step: ballot, choice: for } ] } }";
    let failed = run("failed", 1, mute, "{ rule: plurality }");
    ekklesia(&["retally", text(&failed)]).says(1, &[nothing, "2 sessions failed, whose ballots are left out"]);
    fs::remove_dir_all(failed.join("sessions")).unwrap();
    ekklesia(&["retally", text(&failed)]).says(4, &[nothing, "2 sessions not complete"]);
}

#[test]
fn of_sessions_that_decided_nothing_no_rule_is_told_to_give_another_winner() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (repository().join("configs/jury.yaml"), place.path().join("jury"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "12"]).says(0, &[]);
    let json = recounted(&[text(&out), "--resamples", "0"]);
    let (mut hung, mut somebody) = (0, 0);
    for arm in json["arms"].as_array().unwrap() {
        let (name, rule) = (arm["arm"].as_str().unwrap(), arm["rule"].as_str().unwrap());
        let count = |key: &str| arm[key].as_u64().unwrap();
        let of = |decides: bool| {
            let is_it =
                |one: &&Value| one["held"]["arm"] == name && one["held"]["session_decided"].is_null() != decides;
            json["elections"].as_array().unwrap().iter().filter(is_it).collect::<Vec<_>>()
        };
        let wins = |election: &&Value| {
            let rules = election["rules"].as_array().unwrap();
            let count = rules.iter().find(|one| one["rule"] == rule).unwrap();
            !count["winners"].as_array().unwrap().is_empty()
        };
        let of_hung = of(false).iter().filter(|election| wins(election)).count() as u64;
        assert_eq!(count("somebody"), of_hung, "{arm}");
        let of_decided = of(true).iter().filter(|election| !wins(election)).count() as u64;
        assert_eq!(count("nobody"), of_decided, "{arm}");
        assert!(count("other") + count("tied") <= of(true).len() as u64, "{arm}");
        (hung, somebody) = (hung + of(false).len(), somebody + of_hung);
    }
    assert!(hung > 0 && somebody > 0);
    let told = ekklesia(&["retally", text(&out)]);
    told.says(0, &["nobody  somebody", "Somebody: a"]);
    assert!(told.stdout.lines().all(|line| line.chars().count() <= 80), "{}", told.stdout);
}

#[test]
fn of_sessions_that_held_no_vote_no_rule_is_compared_with_a_decision() {
    let place = tempfile::tempdir().unwrap();
    let (folder, config, out) = (place.path().join("talk"), place.path().join("talk.yaml"), place.path().join("out"));
    fs::create_dir(&folder).unwrap();
    let scenario = "scenario: talk\nmotion: { text: \"Which?\" }\nalternatives: [ { name: a, label: A }, { name: b, label: B } ]\n\
                    agenda: [ { name: talk, discussion: { rounds: 1 } } ]\n";
    fs::write(folder.join("scenario.yaml"), scenario).unwrap();
    let body = "experiment: talk\nscenario: talk\nseed: 3\nreplicates: 10\nmodels: { sim: { simulated: {} } }\n\
                seat_defaults: { model: sim }\nseats: [ { count: 3 } ]\nstraw_polls: [after]\n";
    fs::write(&config, body).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let json = recounted(&[text(&out), "--resamples", "0"]);
    let (arms, elections) = (json["arms"].as_array().unwrap(), json["elections"].as_array().unwrap());
    assert!(!arms.is_empty() && !elections.is_empty());
    for arm in arms {
        assert_eq!(arm["without_vote"], arm["sessions"], "{arm}");
        for count in ["same", "tied", "other", "nobody", "somebody"] {
            assert_eq!(arm[count], 0, "{arm}");
        }
    }
    assert!(elections.iter().all(|one| one["held"]["session_verdict"] == "not_applicable"));
    let told = ekklesia(&["retally", text(&out)]);
    let words = told.says(0, &["what the result hangs on", "10 sessions held no vote"]).stdout.clone();
    assert!(!words.contains("would have decided") && !words.contains("Somebody"), "{words}");
    let session = out.join("sessions").join(elections[0]["held"]["session"].as_str().unwrap());
    let told = ekklesia(&["retally", text(&session)]);
    assert!(!told.says(0, &["the session held no vote"]).stdout.contains("decided nothing"), "{told:#?}");
    // The page has no such table either.
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!page.contains("What other rules would have decided"));
}
