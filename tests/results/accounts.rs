//! What tables, `why`, `context` and `show` say of look-ups, proposals and memories agrees, and can be read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::fixtures::cli::{Server, ekklesia, json_lines, mixed, statement_of, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;
use serde_json::Value;

type Row = BTreeMap<String, String>;

/// Seats that look things up and then answer, or fail to.
const LOOKING: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - name: Alice
    mind: { scripted: { list: [ { statement: \"The river floods.\" }, { look_up: river, statement: \"As I said.\" }, { look_up: river, choice: for } ] } }
  - name: Bob
    mind: { scripted: { list: [ { look_up: river, raw: hm }, { statement: \"Well, the dam is dear.\" }, { raw: hm }, { look_up: nothing, statement: \"So let us wait a year.\" }, { choice: against } ] } }
discussion: { rounds: 2, order: fixed, vote: at_end }
memory: { look_up: true, policy: { window: { statements: 1 } } }
";

/// Proposals of which some are settled, some replaced, and some ignored.
const PROPOSING: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 4, name: \"Rand {n}\", mind: { random: {} } }, { count: 3, name: \"Voter {n}\", mind: { voter: { copy: 0.5 } } } ]
discussion: { rounds: 6, order: random, proposals: true }
replicates: 2
";

fn run(config: &Path, out: &Path) {
    ekklesia(&["run", text(config), "--out", text(out)]).says(0, &[]);
}

fn rows(out: &Path, table: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(out.join(format!("{table}.csv"))).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// What `why` says of a cell, with one blank between words.
fn why(out: &Path, table: &str, row: usize, column: &str) -> String {
    let cell = format!("{}:{}:{column}", text(&out.join(format!("{table}.csv"))), row + 1);
    let told = ekklesia(&["why", &cell]);
    assert_eq!(told.code, Some(0), "{told:#?}");
    told.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_look_up_is_no_try_in_any_table_and_in_nothing_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&write_config(folder.path(), LOOKING), &out);
    let answers = rows(&out, "answers");
    let inquiries: Vec<usize> = (0..answers.len()).filter(|row| answers[*row]["status"] == "inquiry").collect();
    assert_eq!(inquiries.len(), 4);
    let (again, inquiries) = (inquiries[2], [inquiries[0], inquiries[1], inquiries[3]]);
    for place in &inquiries {
        // Where seats vote all at once, another's answer may come between.
        let after = (place + 1..).find(|after| answers[*after]["seat"] == answers[*place]["seat"]).unwrap();
        let (row, next) = (&answers[*place], &answers[after]);
        assert_eq!([&*row["value"], &row["origin"], &row["tries"], &row["fault"]], ["look_up", "", "", ""]);
        assert!(["0", "1"].contains(&row["value_n"].as_str()), "{row:?}");
        assert_eq!([&*next["origin"], &next["tries"], &next["attempt"]], ["first_try", "1", "1"], "{next:?}");
        why(&out, "answers", *place, "value_n");
        let told = why(&out, "answers", *place, "tries");
        assert!(told.contains("value empty") && told.contains("asks to see something first"), "{told}");
        let told = why(&out, "answers", after, "tries");
        assert!(told.contains(" value 1 ") && told.contains(", first try, shown what it asked to see"), "{told}");
        assert!(told.contains("before it, and no try:") && !told.contains(", asked again, try"), "{told}");
    }
    // What follows a look-up, or comes before one, and cannot be read is a try.
    for (round, tried) in [("1", [("", "0"), ("1", "1"), ("2", "2")]), ("2", [("1", "0"), ("", "1"), ("2", "2")])] {
        let bob: Vec<&Row> = answers.iter().filter(|row| row["seat"] == "Bob" && row["round"] == round).collect();
        let tries: Vec<_> = bob.iter().map(|row| (row["tries"].as_str(), row["attempt"].as_str())).collect();
        assert_eq!(tries, tried, "{bob:#?}");
        assert_eq!(bob[2]["origin"], "reasked");
    }
    let told = why(&out, "answers", again + 1, "origin");
    assert!(told.contains(", asked again, try 2, shown what it asked to see"), "{told}");
    let session = out.join("sessions/baseline-r000001");
    let told = ekklesia(&["context", text(&session), "--seat", "Alice", "--at", "discussion:2:statement", "--json"]);
    let shown: Value = serde_json::from_str(&told.stdout).unwrap();
    let found: Vec<&Value> =
        shown["shown"].as_array().unwrap().iter().filter(|entry| entry["looked_up"] == true).collect();
    assert_eq!(
        found.iter().map(|entry| &entry["shown"]).collect::<Vec<_>>(),
        ["Alice (#1.1) said: \"The river floods.\""]
    );
    let of = |entry: &&Value| entry["record"]["seq"] == found[0]["record"]["seq"];
    assert_eq!(shown["omitted"].as_array().unwrap().iter().filter(of).count(), 0, "what was found was shown");
    assert_eq!((shown["attempt"].as_u64(), shown["inquired"].as_bool()), (Some(1), Some(true)));
    let told = ekklesia(&["context", text(&session), "--seat", "Alice", "--at", "discussion:2:statement"]);
    assert!(told.stdout.contains("it had asked to see something first, and was shown what was found"), "{told:#?}");
    assert!(!told.stdout.contains("try 2") && !told.stdout.contains("attempt 2"), "{told:#?}");
    let told = ekklesia(&["show", text(&session)]);
    told.says(0, &["**Bob** statement, try 1: unreadable"]);
    assert!(!told.stdout.contains("try 2"), "{}", told.stdout);
    counts_agree(&out);
}

/// The counts of the other tables are those of the table of answers.
fn counts_agree(out: &Path) {
    let answers = rows(out, "answers");
    let count = |session: &str, part: Option<(&str, &str)>, origin: &str| {
        let of = |row: &&Row| {
            row["session"] == session
                && part.is_none_or(|part| (row["phase"].as_str(), row["round"].as_str()) == part)
                && (row["status"].as_str(), row["origin"].as_str()) == ("valid", origin)
        };
        answers.iter().filter(of).count().to_string()
    };
    for row in rows(out, "sessions") {
        assert_eq!(row["n_first_try"], count(&row["session"], None, "first_try"));
        assert_eq!(row["n_reasked"], count(&row["session"], None, "reasked"));
    }
    for row in rows(out, "rounds") {
        assert_eq!(
            row["n_reasked"],
            count(&row["session"], Some((&row["phase"], &row["round"])), "reasked"),
            "{row:?}"
        );
    }
    for table in ["statements", "ballots"] {
        for row in rows(out, table).iter().filter(|row| !row["seat"].is_empty()) {
            let own = answers.iter().find(|other| (&other["session"], &other["seq"]) == (&row["session"], &row["seq"]));
            let told = |row: &Row| (row["tries"].clone(), row["origin"].clone());
            assert_eq!(own.map(told), Some(told(row)), "{row:?}");
        }
    }
}

#[test]
fn what_models_look_up_is_counted_alike_in_every_table() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let body = mixed(&server.base_url(), "random") + "memory: { look_up: true }\nreplicates: 3\n";
    run(&write_config(folder.path(), &body), &out);
    let answers = rows(&out, "answers");
    assert!(answers.iter().any(|row| row["status"] == "inquiry"));
    counts_agree(&out);
}

/// The records that `why` says enter a cell.
fn entering(out: &Path, table: &str, row: usize, column: &str) -> Vec<Value> {
    let cell = format!("{}:{}:{column}", text(&out.join(format!("{table}.csv"))), row + 1);
    let told = ekklesia(&["why", &cell, "--json"]);
    assert_eq!(told.code, Some(0), "{told:#?}");
    serde_json::from_str::<Value>(&told.stdout).unwrap()["records"].as_array().unwrap().clone()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn why_a_proposal_stands_as_it_does_names_the_records_that_moved_it_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&write_config(folder.path(), PROPOSING), &out);
    let proposals = rows(&out, "proposals");
    let mut kinds = BTreeMap::<String, usize>::new();
    for row in &proposals {
        *kinds.entry(row["status"].clone()).or_default() += 1;
    }
    for (place, row) in sample_cases(proposals.iter().enumerate(), 6) {
        let own: u64 = row["seq"].parse().unwrap();
        let minutes = json_lines(&out.join(format!("sessions/{}/minutes.jsonl", row["session"])));
        // The marks that mean it and count, by record, oldest first.
        let means = |record: &Value, signs: &[&str]| {
            let marks = record["event"]["Answered"]["marks"].as_array().cloned().unwrap_or_default();
            let of = |mark: &Value| mark["of"] == own && mark["ignored"].is_null();
            marks.iter().any(|mark| of(mark) && signs.contains(&mark["sign"].as_str().unwrap()))
        };
        let said = |signs: &[&str]| -> Vec<(u64, String)> {
            let found = minutes.iter().filter(|record| record["seq"].as_u64() > Some(own) && means(record, signs));
            found.map(|record| (record["seq"].as_u64().unwrap(), record["seat"].as_str().unwrap().to_owned())).collect()
        };
        let reactions = said(&["support", "oppose"]);
        let latest: BTreeMap<&String, u64> = reactions.iter().map(|(seq, seat)| (seat, *seq)).collect();
        let mut expected: Vec<u64> = latest.into_values().chain([own]).collect();
        expected.sort_unstable();
        let seqs = |column: &str| -> Vec<u64> {
            entering(&out, "proposals", place, column).iter().map(|record| record["seq"].as_u64().unwrap()).collect()
        };
        assert_eq!(seqs("supports"), expected, "{row:?}");
        assert_eq!(seqs("opposes"), expected, "{row:?}");
        let settled: u64 = row["status_seq"].parse().unwrap();
        let until = if row["status"] == "active" { u64::MAX } else { settled };
        let moved = said(&["support", "oppose", "proposal"]).into_iter().map(|(seq, _)| seq);
        let expected: Vec<u64> = [own].into_iter().chain(moved.filter(|seq| *seq <= until)).collect();
        assert_eq!(seqs("status"), expected, "{row:?}");
        assert_eq!(seqs("status_seq"), expected, "{row:?}");
        let successor = said(&["proposal"]).first().map(|(seq, _)| *seq);
        let expected: Vec<u64> = [own].into_iter().chain(successor).collect();
        assert_eq!(seqs("replaced_by"), expected, "{row:?}");
        assert_eq!(row["replaced_by"].is_empty(), successor.is_none());
    }
    assert!(kinds.len() > 2, "{kinds:?}");
}

#[test]
fn one_of_anything_is_told_in_the_singular_and_a_silent_round_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { silent: {} } }\nseats: [ { count: 2 } ]\n\
                discussion: { rounds: 1, order: volunteer, vote: at_end }\n";
    run(&write_config(folder.path(), body), &out);
    let told = ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]);
    told.says(0, &["round 1 · nobody speaks ["]);
    assert!(!told.stdout.contains("speaking order"), "{}", told.stdout);
    let rounds = rows(&out, "sessions");
    assert_eq!(rounds[0]["rounds_used"], "1");
    let told = why(&out, "sessions", 0, "rounds_used");
    assert!(told.contains(" value 1 round means"), "{told}");
}

/// A group that hears another's words, beside one that hears its own; a memory too short for all of them.
const BORROWING: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { name: Alice, mind: { random: { malformed: 0.2 } } }, { count: 2 } ]
discussion: { rounds: 4, order: fixed, vote: at_end }
memory: { memory_character_limit: 600 }
design:
  factors: { memory: { key: memory.policy, levels: [shuffled, selective] } }
  baseline: { memory: selective }
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_told_of_another_groups_words_names_that_group_and_lists_the_own_words_as_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    run(&write_config(folder.path(), BORROWING), &out);
    let (session, lender) = (out.join("sessions/shuffled-r000001"), "selective-r000002");
    let told = ekklesia(&["show", text(&session)]);
    told.tells(&[
        "the group hears those of selective-r000002 [0]",
        " · heard by nobody: another group's words stand in its place [",
    ]);
    let own = ekklesia(&["show", text(&out.join("sessions/selective-r000001"))]);
    assert!(!own.stdout.contains("another group") && !own.stdout.contains("heard by nobody"), "{own:#?}");
    let texts = |session: &Path| -> BTreeMap<u64, String> {
        let records = json_lines(&session.join("minutes.jsonl")).into_iter();
        let spoke =
            |record: Value| Some((record["seq"].as_u64()?, statement_of(&record)?["statement"].as_str()?.to_owned()));
        records.filter_map(spoke).collect()
    };
    let (real, lent) = (texts(&session), texts(&out.join("sessions").join(lender)));
    let (mut shown_lent, mut dropped_lent) = (0, 0);
    for row in rows(&out, "answers").iter().filter(|row| row["session"] == "shuffled-r000001") {
        let at = ["context", text(&session), "--seat", &row["seat"], "--at", &row["seq"]];
        let told = ekklesia(&[at.as_slice(), &["--json"]].concat());
        assert_eq!(told.code, Some(0), "{told:#?}");
        let context: Value = serde_json::from_str(&told.stdout).unwrap();
        assert_eq!(context["lender"], lender);
        let spoken_before = real.keys().filter(|seq| **seq < row["seq"].parse().unwrap()).count();
        let (mut unheard, mut counted) = (0, 0);
        for entry in context["shown"].as_array().unwrap().iter().chain(context["omitted"].as_array().unwrap()) {
            let (seq, words) = (entry["record"]["seq"].as_u64().unwrap(), entry["record"]["text"].as_str().unwrap());
            let is_statement = entry["record"]["kind"] == "statement";
            if entry["lent"] == true {
                let other = |text: &String| words.starts_with(text.as_str()) || text.starts_with(words);
                assert!(is_statement && lent.values().any(other), "{entry}");
                assert!(words.chars().count() <= real[&seq].chars().count());
                shown_lent += usize::from(entry["why"].is_null() && words != real[&seq]);
                dropped_lent += usize::from(entry["why"].is_string());
            } else if is_statement {
                assert_eq!((entry["why"].as_str(), words), (Some("lent"), real[&seq].as_str()), "{entry}");
                unheard += 1;
            }
            counted += u64::from(entry["why"].as_str().is_some_and(|why| !["lent", "unremembered"].contains(&why)));
        }
        assert_eq!(unheard, spoken_before, "each of the group's own statements is told as not shown, once");
        assert_eq!(counted.to_string(), row["omitted_records"], "{row:?}");
        let told = ekklesia(&at).stdout;
        let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("in the place of what this group said, seats heard statements of selective-r000002"));
        assert_eq!(words.contains("another group's words stand in their place"), unheard > 0, "{told}");
        assert!(
            told.lines().take_while(|line| *line != "--- system").all(|line| !line.is_ascii() || line.len() <= 80),
            "{told}"
        );
    }
    assert!(shown_lent > 20 && dropped_lent > 5, "{shown_lent} {dropped_lent}");
}

#[test]
fn seats_have_the_decisions_and_open_proposals_of_their_round_and_the_size_of_their_memories() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let memory = "memory: { policy: { digest: { every: 4, words: 20, keep: 2 } } }\n";
    run(&write_config(folder.path(), &format!("{PROPOSING}{memory}")), &out);
    let (marks, rounds) = (rows(&out, "marks"), rows(&out, "rounds"));
    let (mut decided, mut written) = (0, 0);
    for row in rows(&out, "seat_rounds") {
        let of_part = |other: &&Row| ["session", "phase", "round"].iter().all(|key| other[*key] == row[*key]);
        let round = rounds.iter().find(of_part).unwrap();
        assert_eq!(row["proposals_open"], round["proposals_open"], "{row:?}");
        if row["phase"] != "discussion" || row["round"] == "0" {
            assert_eq!((row["decisions"].as_str(), row["memory_tokens"].as_str()), ("", ""));
            continue;
        }
        let number = |row: &Row| row["round"].parse::<u32>().unwrap();
        let counts = |mark: &&Row| {
            mark["session"] == row["session"] && mark["mark"] == "decision" && mark["ignored"] != "repeated"
        };
        let stated = marks.iter().filter(counts).filter(|mark| number(mark) <= number(&row)).count();
        assert_eq!(row["decisions"], stated.to_string(), "{row:?}");
        decided += stated;
        let [tokens, chars, entries, summaries] = ["memory_tokens", "memory_chars", "memory_entries", "summaries"]
            .map(|key| row[key].parse::<u64>().unwrap());
        // No estimate has more tokens than the text has bytes, nor fewer than a quarter of its letters.
        assert!(chars / 5 < tokens && tokens <= 4 * chars + 2 * entries && summaries < entries, "{row:?}");
        written += summaries;
    }
    assert!(decided > 10 && written > 10, "{decided} {written}");
    for column in ["memory_tokens", "summaries", "decisions", "proposals_open"] {
        let told = why(&out, "seat_rounds", 40, column);
        assert!(told.contains("value "), "{told}");
    }
}
