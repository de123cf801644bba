//! `search` against a naive recount of every record, and on archives that are not as they should be.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, ekklesia, ended, program, text};
use crate::fixtures::trial::{repository, write_config};
use proptest::prelude::*;
use serde_json::{Value, json};

mod naive;

use naive::Naive;

/// A folder with sessions of hand-made minutes.
struct Archive(tempfile::TempDir);

impl Archive {
    fn of(sessions: &[(&str, &[Value])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inputs")).unwrap();
        let archive = Self(folder);
        for (name, records) in sessions {
            let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
            archive.write(name, &lines);
        }
        archive
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn minutes(&self, session: &str) -> PathBuf {
        self.path().join("sessions").join(session).join("minutes.jsonl")
    }

    fn write(&self, session: &str, lines: &str) {
        fs::create_dir_all(self.minutes(session).parent().unwrap()).unwrap();
        fs::write(self.minutes(session), lines).unwrap();
    }

    fn search(&self, arguments: &[&str]) -> Value {
        search(self.path(), arguments)
    }
}

fn search(path: &Path, arguments: &[&str]) -> Value {
    let told = ekklesia(&[&["search", text(path)], arguments, &["--json"]].concat());
    assert_eq!(told.code, Some(0), "{told:#?}");
    serde_json::from_str(&told.stdout).unwrap()
}

fn convened(arm: &str) -> Value {
    let event = json!({ "Convened": { "format": ekklesia::domain::FORMAT_VERSION, "plan": format!("b3:{}", "0".repeat(64)), "arm": arm, "replicate": 1 } });
    json!({ "seq": 0, "at": { "phase": "session", "round": 0, "turn": 0, "step": "convening" }, "event": event })
}

fn spoke(seq: u64, round: u32, seat: &str, words: &str) -> Value {
    let given =
        json!({ "shown": { "floor": { "start": 0, "end": 0 }, "own": { "start": 0, "end": 0 }, "omitted": 0 } });
    let at = json!({ "phase": "discussion", "round": round, "turn": 1, "step": "statement" });
    json!({ "seq": seq, "at": at, "seat": seat, "attempt": 0, "event": { "Answered": { "values": { "statement": words }, "given": given } } })
}

/// One session of statements, after its first record.
fn talk(statements: &[&str]) -> Vec<Value> {
    let spoken = statements.iter().zip(1..).map(|(words, seq)| spoke(seq, seq as u32, "Ann", words));
    [convened("baseline")].into_iter().chain(spoken).collect()
}

/// Session and record of each hit, in order.
fn places(found: &Value) -> Vec<(String, u64)> {
    let hits = found["hits"].as_array().unwrap().iter();
    hits.map(|hit| (hit["session"].as_str().unwrap().to_owned(), hit["record"]["seq"].as_u64().unwrap())).collect()
}

fn scores(found: &Value) -> Vec<f64> {
    found["hits"].as_array().unwrap().iter().map(|hit| hit["score"].as_f64().unwrap()).collect()
}

/// The shipped experiments, a few sessions each.
fn shipped() -> (tempfile::TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let runs = [("first", "3"), ("justice", "2")].map(|(name, replicates)| {
        let (config, out) = (repository().join(format!("configs/{name}.yaml")), folder.path().join(name));
        ekklesia(&["run", text(&config), "--replicates", replicates, "--out", text(&out)]).says(0, &[]);
        out
    });
    (folder, runs)
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn scores_and_order_are_those_of_a_naive_recount() {
    let (_folder, runs) = shipped();
    let mut hits = 0;
    for out in &runs {
        let naive = Naive::read(out);
        for query in ["income", "the lowest income of the class", "I favour", "yes no for against", "favour: 12000"] {
            let found = search(out, &[query, "--top", "100000", "--context", "0"]);
            let expected = naive.ranked(query, |_| true);
            assert_eq!(places(&found), expected.iter().map(|hit| hit.place.clone()).collect::<Vec<_>>(), "{query}");
            for (score, expected) in scores(&found).into_iter().zip(&expected) {
                assert!((score - expected.score).abs() < 2e-6, "{query}: {score} {}", expected.score);
            }
            assert_eq!(found["found"], expected.len());
            hits += expected.len();
        }
    }
    assert!(hits > 1000, "only {hits} hits were compared");
}

/// Whether a text is among what a filter lets through.
type Passes<'p> = &'p dyn Fn(&naive::Text) -> bool;

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_filter_takes_records_away_and_changes_no_score() {
    let (_folder, [first, justice]) = shipped();
    let session = first.join("sessions/talk-r000002");
    let cases: [(&Path, &[&str], Passes<'_>); 11] = [
        (&first, &["--seat", "Zoe"], &|text| text.seat == "Zoe"),
        (&first, &["--phase", "discussion"], &|text| text.phase == "discussion"),
        (&first, &["--round", "2..3"], &|text| (2..=3).contains(&text.round)),
        (&first, &["--round", "2-3"], &|text| (2..=3).contains(&text.round)),
        (&first, &["--round", "0"], &|text| text.round == 0),
        (&first, &["--round", "..1"], &|text| text.round <= 1),
        (&first, &["--kind", "straw_poll"], &|text| text.kind == "straw_poll"),
        (&first, &["--arm", "silent"], &|text| text.session.starts_with("silent-")),
        (&first, &["--seat", "Bob", "--kind", "statement", "--round", "2.."], &|text| {
            text.seat == "Bob" && text.kind == "statement" && text.round >= 2
        }),
        (&justice, &["--kind", "integration", "--seat", "Alice"], &|text| {
            text.kind == "integration" && text.seat == "Alice"
        }),
        (&session, &[], &|text| text.session == "talk-r000002"),
    ];
    let (naive_first, naive_justice) = (Naive::read(&first), Naive::read(&justice));
    for (path, arguments, passes) in cases {
        let naive = if path == justice { &naive_justice } else { &naive_first };
        let query = "for against I the income favour";
        let found = search(path, &[&[query, "--top", "100000", "--context", "0"], arguments].concat());
        let expected = naive.ranked(query, passes);
        assert!(!expected.is_empty(), "{arguments:?} lets nothing through");
        assert_eq!(places(&found), expected.iter().map(|hit| hit.place.clone()).collect::<Vec<_>>(), "{arguments:?}");
        let off = scores(&found).into_iter().zip(&expected).find(|(score, hit)| (score - hit.score).abs() > 2e-6);
        assert_eq!(off.map(|(score, _)| score), None, "{arguments:?}");
    }
}

#[test]
fn last_means_the_newest_that_the_other_filters_leave_of_each_session() {
    let records: Vec<Value> = (1..=9).map(|n| spoke(n, n as u32, ["Ann", "Bob"][n as usize % 2], "word")).collect();
    let archive = Archive::of(&[("a-r000001", &records), ("b-r000001", &records[..4])]);
    let of = |arguments: &[&str]| places(&archive.search(&[&["word", "--context", "0"], arguments].concat()));
    let at = |places: &[(&str, u64)]| places.iter().map(|(name, seq)| ((*name).to_owned(), *seq)).collect::<Vec<_>>();
    assert_eq!(of(&["--last", "2"]), at(&[("a-r000001", 9), ("a-r000001", 8), ("b-r000001", 4), ("b-r000001", 3)]));
    assert_eq!(of(&["--last", "1", "--seat", "Ann"]), at(&[("a-r000001", 8), ("b-r000001", 4)]));
    assert_eq!(of(&["--last", "1", "--seat", "Ann", "--round", "..3"]), at(&[("a-r000001", 2), ("b-r000001", 2)]));
}

#[test]
fn of_equal_scores_the_newest_comes_first() {
    let archive =
        Archive::of(&[("b-r000001", &talk(&["one", "one", "two one"])), ("a-r000001", &talk(&["one", "one"]))]);
    let found = places(&archive.search(&["one"]));
    let seqs: Vec<(&str, u64)> = found.iter().map(|(session, seq)| (session.as_str(), *seq)).collect();
    assert_eq!(seqs, [("a-r000001", 2), ("b-r000001", 2), ("a-r000001", 1), ("b-r000001", 1), ("b-r000001", 3)]);
}

#[test]
fn a_word_is_found_inside_longer_words_and_never_before_those_that_hold_it_whole() {
    let said = ["Zebras!", "a ZEBRA zebra zebra", "zeb", &"filler ".repeat(300), "the grand subzebu", "no horse"];
    let long = format!("zeb {}", "filler ".repeat(400));
    let said: Vec<&str> = said.into_iter().chain([long.as_str()]).collect();
    let archive = Archive::of(&[("a-r000001", &talk(&said))]);
    let held = |query: &str| places(&archive.search(&[query])).into_iter().map(|(_, seq)| seq).collect::<Vec<_>>();
    assert_eq!(held("zeb"), [3, 7, 2, 1, 5]);
    assert_eq!(held("EBRA"), [2, 1]);
    assert_eq!(held("\"zeb\""), [3, 7]);
    assert_eq!(held("zeb \"the grand\""), [5]);
    let found = archive.search(&["zeb", "--context", "0"]);
    assert_eq!(found["words"], json!([{ "word": "zeb", "records": 5 }]));
    assert_eq!(found["hits"][4]["matches"], json!([[10, 17]]), "the word that holds it is marked");
}

/// A run whose scenario and config hand out texts, and whose items are a table.
fn handing_out(place: &Path) -> PathBuf {
    fs::write(place.join("report.txt"), "The herd was counted.\nTwo zebras limped.\n").unwrap();
    fs::write(place.join("secret.txt"), "An okapi hid.\n").unwrap();
    fs::write(place.join("items.csv"), "id,text\nq1,Is a quagga striped?\nq2,Is a tapir striped?\n").unwrap();
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }\n\
                seats: [{ name: Ann }, { name: Bob }]\ndiscussion: { rounds: 1, vote: at_end }\n\
                items: { file: items.csv, id: id, text: text }\n\
                exhibits: { report: { file: report.txt }, secret: { file: secret.txt, to: [Bob] } }\n";
    let config = write_config(place, body);
    let out = place.join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    out
}

#[test]
fn texts_that_seats_were_shown_are_found_with_their_file_and_line() {
    let place = tempfile::tempdir().unwrap();
    let out = handing_out(place.path());
    let hit = |query: &str, more: &[&str]| {
        let found = search(&out, &[&[query, "--context", "1"], more].concat());
        assert_eq!(found["notes"], json!([]));
        found["hits"][0].clone()
    };
    let report = hit("zebra", &["--kind", "exhibit"]);
    assert_eq!(report["record"]["kind"], "exhibit");
    assert_eq!(report["place"], format!("{}/inputs/exhibits/report.txt:2", text(&out)));
    assert_eq!(hit("okapi", &[])["place"], format!("{}/inputs/exhibits/secret.txt:1", text(&out)));
    let item = hit("tapir", &["--kind", "item"]);
    assert_eq!(
        (&item["session"], &item["place"]),
        (&json!("baseline-iq2-r000001"), &json!(format!("{}/inputs/items.csv:3", text(&out))))
    );
    assert_eq!(search(&out, &["quagga", "--item", "q2"])["found"], 0);
    ekklesia(&["search", text(&out), "limp", "--top", "1"])
        .says(0, &["· exhibit ·", "report.txt:2", "Two zebras limped."]);
    // What the index was made of counts the texts, too.
    fs::write(out.join("inputs/exhibits/report.txt"), "The herd was counted.\nTwo wolves limped.\n").unwrap();
    let told = ekklesia(&["search", text(&out), "zebra"]);
    told.says(
        0,
        &["no record answers zebra", "not searched: exhibits of 2 records, because the inputs do not hold the text"],
    );
    fs::write(out.join("inputs/exhibits/report.txt"), "The herd was counted.\nTwo zebras limped.\n").unwrap();
    assert_eq!(search(&out, &["zebra"])["found"], 2);
    fs::remove_file(out.join("inputs/items.csv")).unwrap();
    let told = ekklesia(&["search", text(&out), "zebra"]);
    told.says(0, &["not searched: exhibits and items, since the inputs cannot be read", "no record answers zebra"]);
}

#[test]
fn a_phrase_is_words_that_follow_one_another() {
    let said = ["The low class, again.", "A class so low.", "low, low CLASS", "class low class", "low\nclass"];
    let archive = Archive::of(&[("a-r000001", &talk(&said))]);
    let held = |query: &str| places(&archive.search(&[query])).into_iter().map(|(_, seq)| seq).collect::<BTreeSet<_>>();
    assert_eq!(held("\"low class\""), BTreeSet::from([1, 3, 4, 5]));
    assert_eq!(held("“LOW Class” again"), BTreeSet::from([1, 3, 4, 5]));
    assert_eq!(held("\"low low class\""), BTreeSet::from([3]));
    assert_eq!(held("\"low class\" \"class low\""), BTreeSet::from([4]));
    assert_eq!(held("\"again low\""), BTreeSet::new());
    let found = archive.search(&["\"low class\" again"]);
    let hit = found["hits"].as_array().unwrap().iter().find(|hit| hit["record"]["seq"] == 1).unwrap();
    assert_eq!(hit["matches"], json!([[4, 13], [15, 20]]));
}

#[test]
fn minutes_that_changed_are_searched_as_they_are() {
    let archive = Archive::of(&[("a-r000001", &talk(&["the wolf came", "nobody came"]))]);
    let found = |word: &str| archive.search(&[word])["found"].as_u64().unwrap();
    assert_eq!((found("wolf"), found("bear")), (1, 0));
    let edited = fs::read_to_string(archive.minutes("a-r000001")).unwrap().replace("wolf", "bear");
    archive.write("a-r000001", &edited);
    assert_eq!((found("wolf"), found("bear")), (0, 1));
    archive.write("a-r000001", &format!("{edited}{}\n", spoke(3, 3, "Bob", "a bear!")));
    assert_eq!(found("bear"), 2);
    archive.write("b-r000001", &format!("{}\n", spoke(0, 1, "Bob", "bear bear")));
    assert_eq!(found("bear"), 3);
    fs::remove_dir_all(archive.path().join("sessions/a-r000001")).unwrap();
    assert_eq!(found("bear"), 1);
}

#[test]
fn a_torn_last_line_and_a_line_that_is_no_record_are_left_out_and_told() {
    let archive = Archive::of(&[("a-r000001", &talk(&["one wolf", "two wolves"]))]);
    let lines = fs::read_to_string(archive.minutes("a-r000001")).unwrap();
    archive.write("a-r000001", &format!("{lines}{{\"seq\":3,\"at\":{{\"pha"));
    let told = ekklesia(&["search", text(archive.path()), "wolf"]);
    told.says(0, &["1 of 2 records", "a-r000001: its last line is not whole (19 bytes) and is left out"]);
    archive.write("a-r000001", &lines.replacen("{\"seq\":1", "{\"sequence\":1", 1));
    let told = ekklesia(&["search", text(archive.path()), "wolves"]);
    told.says(
        0,
        &["1 of 1 record ", "1 of its lines are left out, being no records of this version; the first is line 2"],
    );
    archive.write("a-r000001", "");
    ekklesia(&["search", text(archive.path()), "wolf"]).says(0, &["no record answers wolf; searched 0 records"]);
}

#[test]
fn a_hit_is_shown_with_its_neighbours_in_the_minutes() {
    let said: Vec<String> = (1..=30).map(|n| format!("statement {n}")).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let archive = Archive::of(&[("a-r000001", &talk(&said))]);
    let around = |query: &str, arguments: &[&str]| {
        let found = archive.search(&[&[query], arguments].concat());
        let seqs = |list: &Value| {
            list.as_array().unwrap().iter().map(|line| line["seq"].as_u64().unwrap()).collect::<Vec<_>>()
        };
        (seqs(&found["hits"][0]["before"]), seqs(&found["hits"][0]["after"]))
    };
    assert_eq!(around("15", &[]), (vec![10, 11, 12, 13, 14], vec![16, 17, 18, 19, 20]));
    assert_eq!(around("2", &[]), (vec![0, 1], vec![3, 4, 5, 6, 7]));
    assert_eq!(around("29", &["--context", "2"]), (vec![27, 28], vec![30]));
    assert_eq!(around("15", &["--context", "0"]), (vec![], vec![]));
    assert_eq!(archive.search(&["statement"])["hits"].as_array().unwrap().len(), 10);
    assert_eq!(archive.search(&["statement", "--top", "12"])["hits"].as_array().unwrap().len(), 12);
}

#[test]
fn hostile_words_are_shown_and_do_nothing() {
    let hostile = "wolf \u{1b}[2J\u{1b}]0;title\u{7} \u{202e}flow \u{9b}31m\r\n\u{0}";
    let archive = Archive::of(&[("a-r000001", &talk(&[hostile, "quiet wolf", hostile]))]);
    let told = ekklesia(&["search", text(archive.path()), "wolf"]);
    told.says(0, &["\\u{1b}[2J", "\\u{202e}"]);
    let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!told.stdout.chars().any(acts), "{:?}", told.stdout);
    let query = "\u{1b}[31mnothing";
    assert!(!ekklesia(&["search", text(archive.path()), query]).stdout.chars().any(acts));
    assert_eq!(archive.search(&["quiet wolf"])["hits"][1]["record"]["text"], hostile);
    let json = ekklesia(&["search", text(archive.path()), "wolf", "--json"]);
    json.says(0, &["\\u202eflow", "\\u009b31m"]);
    assert!(!json.stdout.chars().any(acts), "{:?}", json.stdout);
}

/// Sessions of two arms and two items, one statement each.
fn items() -> Archive {
    let of = |arm: &str| vec![convened(arm), spoke(1, 1, "Ann", "a floor")];
    let sessions: Vec<(String, Vec<Value>)> = ["loud", "loud-i"]
        .into_iter()
        .flat_map(|arm| ["q1", "q-r2"].map(|item| (format!("{arm}-i{item}-r000001"), of(arm))))
        .collect();
    let sessions: Vec<(&str, &[Value])> = sessions.iter().map(|(name, lines)| (name.as_str(), &lines[..])).collect();
    Archive::of(&sessions)
}

#[test]
fn an_item_is_searched_in_every_arm_and_the_sessions_searched_are_counted() {
    let archive = items();
    let names = |arguments: &[&str]| {
        let found = archive.search(&[&["floor"], arguments].concat());
        let mut names: Vec<String> = places(&found).into_iter().map(|(name, _)| name).collect();
        names.sort();
        assert_eq!(found["sessions"], names.len());
        names
    };
    assert_eq!(names(&[]).len(), 4);
    assert_eq!(names(&["--item", "q1"]), ["loud-i-iq1-r000001", "loud-iq1-r000001"]);
    assert_eq!(names(&["--item", "q-r2", "--arm", "loud"]), ["loud-iq-r2-r000001"]);
    assert_eq!(names(&["--arm", "loud-i"]), ["loud-i-iq-r2-r000001", "loud-i-iq1-r000001"]);
    let path = text(archive.path());
    ekklesia(&["search", path, "floor", "--arm", "loud"]).says(0, &["2 of 2 records in 2 sessions answer floor"]);
    ekklesia(&["search", path, "floor", "--item", "q2"]).says(2, &["no item \"q2\" said anything; there are q-r2, q1"]);
    let plain = Archive::of(&[("loud-r000001", &[convened("loud"), spoke(1, 1, "Ann", "a floor")])]);
    ekklesia(&["search", text(plain.path()), "floor", "--item", "q1"]).says(2, &["the experiment has no items"]);
}

#[test]
fn a_session_is_named_by_its_folder_or_its_name() {
    let archive = items();
    let place = tempfile::tempdir().unwrap();
    let results = place.path().join("results");
    fs::create_dir(&results).unwrap();
    fs::rename(archive.path(), results.join("quiz")).unwrap();
    let found = |name: &str| ended(program(&["search", name, "floor"]).current_dir(place.path()));
    for name in ["results/quiz/sessions/loud-iq1-r000001", "results/quiz/loud-iq1-r000001", "loud-iq1-r000001"] {
        found(name).says(0, &["1 of 1 record in 1 session answer floor", "loud-iq1-r000001 · record 1"]);
    }
    found("loud-iq9-r000001").says(2, &["neither the folder of an experiment nor of a session; a session is named by"]);
    fs::create_dir_all(results.join("other/sessions/loud-iq1-r000001")).unwrap();
    found("loud-iq1-r000001").says(2, &["is the name of several sessions:", "results/other/sessions/loud-iq1-r000001"]);
}

#[test]
fn where_nothing_is_found_it_says_so_and_names_what_comes_near() {
    let archive = Archive::of(&[("a-r000001", &talk(&["fairness matters", "a fair floor", "the floor"]))]);
    let told = ekklesia(&["search", text(archive.path()), "flor"]);
    told.says(
        0,
        &["no record answers flor; searched 3 records in 1 session", "no record holds \"flor\"; near it: floor"],
    );
    ekklesia(&["search", text(archive.path()), "\"fairn\""]).says(0, &["near it: fairness"]);
    ekklesia(&["search", text(archive.path()), "floor", "--round", "9"])
        .says(0, &["none of the 0 records that the filters let through answers floor; without filters 2 would"]);
    let partly = ekklesia(&["search", text(archive.path()), "floor xylophone"]);
    partly.says(0, &["2 of 3 records in 1 session answer floor xylophone", "no record holds \"xylophone\""]);
}

#[test]
fn what_cannot_be_searched_is_refused_with_the_reason() {
    let archive = Archive::of(&[("a-r000001", &talk(&["word"]))]);
    let path = text(archive.path());
    for (arguments, words) in [
        (vec![path, ""], "the query holds no word"),
        (vec![path, " — \"\" "], "the query holds no word"),
        (vec![path, "\"open"], "a quote in the query is not closed"),
        (vec![path, "word", "--seat", "Anne"], "no seat \"Anne\" said anything; there are Ann; did you mean"),
        (vec![path, "word", "--phase", "talk"], "no phase \"talk\" said anything; there are discussion"),
        (vec![path, "word", "--arm", "b"], "no arm \"b\" said anything; there are baseline"),
        (vec![path, "word", "--kind", "speech"], "possible values: statement"),
        (vec![path, "word", "--round", "4..2"], "round 4 comes after round 2"),
        (vec![path, "word", "--round", "x"], "\"x\" is not the number of a round; write one as 3, several as 2..4"),
        (vec![path, "word", "--round", "2-"], "\"2-\" is not the number of a round; write one as 3, several as 2..4"),
        (vec![path, "word", "--last", "0"], "0 is not in 1.."),
        (vec!["nowhere", "word"], "neither the folder of an experiment nor of a session"),
    ] {
        ekklesia(&[vec!["search"], arguments].concat()).says(2, &[words]);
    }
}

#[test]
fn a_search_writes_nothing() {
    let (_folder, [first, _]) = shipped();
    let before = cli::everything(&first);
    search(&first, &["for"]);
    assert_eq!(cli::everything(&first), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// However sessions are put together, and whatever is asked: the naive recount's hits in the naive recount's order.
    #[test]
    fn any_archive_is_ranked_as_the_naive_recount_ranks_it(
        sessions in prop::collection::vec(prop::collection::vec("([abcd]|é|É|[ab]{3})( [abcd]|, [ab]{1,3}|É[ab]){0,6}", 0..8), 1..5),
        query in "[abe]( [abcdé]{1,2}){0,2}( \"[ab] [abc]\")?",
    ) {
        use ekklesia::analysis::search::{IndexedSession, Passage, SearchIndex, SearchQuestion, Sieve};
        let mut naive = Naive::default();
        let mut parts: Vec<SearchIndex> = Vec::new();
        let mut whole = SearchIndex::default();
        for (number, said) in sessions.iter().enumerate() {
            let name = format!("s{number}");
            let session = IndexedSession { name: name.clone(), ..IndexedSession::default() };
            let mut part = SearchIndex::default();
            part.sessions.push(session.clone());
            whole.sessions.push(session);
            for (seq, words) in said.iter().enumerate() {
                let seq = seq as u64;
                let passage = Passage { seq, offset: 0, phase: "p", round: 1, seat: Some("Ann"), kind: "statement", text: words };
                part.add_passage(&passage);
                whole.add_passage(&passage);
                naive.add(&name, seq, words);
            }
            parts.push(part);
        }
        let mut merged = SearchIndex::default();
        parts.into_iter().for_each(|part| merged.append(part));
        let question = SearchQuestion::parse(&query).unwrap();
        let ranked = whole.rank_records(&question, &Sieve::default(), usize::MAX);
        prop_assert_eq!(&merged.rank_records(&question, &Sieve::default(), usize::MAX), &ranked);
        let index = whole;
        let name = |session: u32| index.sessions[session as usize].name.clone();
        let found: Vec<(String, u64)> = ranked.hits.iter().map(|hit| (name(hit.document.session), hit.document.seq)).collect();
        let expected = naive.ranked(&query, |_| true);
        let scores: BTreeMap<_, _> = expected.iter().map(|hit| (hit.place.clone(), hit.score)).collect();
        prop_assert_eq!(&found, &expected.iter().map(|hit| hit.place.clone()).collect::<Vec<_>>());
        for hit in &ranked.hits {
            let expected = scores[&(name(hit.document.session), hit.document.seq)];
            prop_assert!((hit.score as f64 / 1e6 - expected).abs() < 2e-6);
        }
    }
}
