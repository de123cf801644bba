//! What the live view tells: the report's own words where the report's links lead, whoever reads beside, and whatever becomes of the
//! folder meanwhile.
//!
//! Nothing here waits for a clock: what is awaited comes, or the test hangs and is stopped from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::served::{Served, Stream, line, served};
use crate::fixtures::trial::{self, write_config};
use serde_json::Value;

const BODY: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } } ]
straw_polls: [before, each_round, after]
discussion: { rounds: 2, order: random, vote: at_end }
";

fn run(place: &Path) -> PathBuf {
    let out = place.join("all/one");
    ekklesia(&["run", text(&write_config(place, BODY)), "--out", text(&out)]).says(0, &["2 of 2 sessions"]);
    out
}

/// The sessions of a folder, and how many records each has.
fn lying(out: &Path) -> Vec<(String, u64)> {
    let sessions = fs::read_dir(out.join("sessions")).unwrap();
    let counted = sessions.map(|session| {
        let session = session.unwrap();
        let minutes = fs::read_to_string(session.path().join("minutes.jsonl")).unwrap();
        (session.file_name().into_string().unwrap(), minutes.lines().count() as u64)
    });
    counted.collect()
}

/// Hears a session's records from one to before another, in order.
fn hears(stream: &mut Stream, session: &str, from: u64, to: u64) {
    for seq in from..to {
        let data: Value = serde_json::from_str(&stream.until("record").data).unwrap();
        assert_eq!((data["session"].as_str(), data["seq"].as_u64()), (Some(session), Some(seq)));
    }
}

fn follow(server: &Served, session: &str) -> Stream {
    Stream::open(server, &format!("/e/one/live?session={session}"), None)
}

/// What elements show, with blanks of any kind as one.
fn words_of(html: &str) -> String {
    let shown: String = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words)).collect();
    let plain = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&#x2f;", "/"),
        ("&amp;", "&"),
    ];
    let shown = plain.iter().fold(shown, |shown, (written, meant)| shown.replace(written, meant));
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every record that is told live stands in the report, where the live view's link to it leads, in the same words. Returns what was
/// told beside each.
fn told_alike(place: &Path, out: &Path, session: &str, records: u64) -> Vec<String> {
    let page = place.join("page.html");
    ekklesia(&["report", text(&out.join("sessions").join(session)), "--out", text(&page)]).says(0, &[]);
    let page = fs::read_to_string(page).unwrap();
    let server = served(out);
    let name = out.file_name().unwrap().to_str().unwrap();
    let mut stream = Stream::open(&server, &format!("/e/{name}/live?session={session}"), None);
    let mut notes = Vec::new();
    for seq in 0..records {
        let data: Value = serde_json::from_str(&stream.until("record").data).unwrap();
        // As `watch.js` makes the address.
        let address = format!(" id=\"{}/{}\"", data["session"].as_str().unwrap(), data["seq"]);
        let (_, entry) = page.split_once(&address).unwrap_or_else(|| panic!("{address} is not in the report"));
        let next = format!(" id=\"{session}/{}\"", seq + 1);
        let entry = entry.split(&next).next().unwrap();
        // Of a count the report has a table.
        let is_listed = entry.contains("<ul class=\"lines\">");
        let entry = words_of(entry);
        let texts = |key: &str| {
            let all = data[key].as_array().unwrap().iter();
            all.map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        notes.extend(texts("notes"));
        let lines = if is_listed { texts("lines") } else { Vec::new() };
        let told = texts("notes").into_iter().chain(lines).chain([data["what"].as_str().unwrap().to_owned()]);
        for words in told.chain(data["words"].as_str().map(str::to_owned)) {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(entry.contains(&words), "{session}/{seq}: {words:?} is not in {entry:?}");
        }
    }
    notes
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn each_record_is_told_live_in_the_reports_words_and_its_link_leads_there() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let mut notes = Vec::new();
    for (config, replicates) in [("conformity", "1"), ("motion-nulls", "2"), ("estimation", "1")] {
        let (file, out) = (trial::repository().join(format!("configs/{config}.yaml")), place.join(config));
        ekklesia(&["run", text(&file), "--replicates", replicates, "--out", text(&out)]).says(0, &[]);
        let mut sessions = lying(&out);
        sessions.sort();
        // Four and the last.
        let one_in = sessions.len().div_ceil(4);
        for (session, records) in sample_cases(sessions, one_in) {
            notes.extend(told_alike(place, &out, &session, records));
        }
    }
    let ballots = ["for > against", "against > for"];
    let seat = |(place, ballot): (usize, &&str)| {
        format!("  - {{ name: Seat{place}, mind: {{ scripted: {{ list: [ {{ ballot: \"{ballot}\" }} ] }} }} }}\n")
    };
    let body = format!(
        "replicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}discussion: {{ rounds: 0, vote: at_end }}\ndecision: {{ rule: ranked_pairs, strength: winning_votes, tie_break: lot }}\n",
        ballots.iter().enumerate().map(seat).collect::<String>()
    );
    let out = place.join("weighed");
    ekklesia(&["run", text(&write_config(place, &body)), "--out", text(&out)]).says(0, &[]);
    for (session, records) in lying(&out) {
        notes.extend(told_alike(place, &out, &session, records));
    }
    for note in ["strength winning votes", "tie-break lot", "right is "] {
        assert!(notes.iter().any(|told| told.contains(note)), "{note:?} is told nowhere");
    }
}

#[test]
fn an_id_that_no_reader_has_is_refused_and_one_of_other_minutes_begins_again() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path());
    let server = served(&place.path().join("all"));
    let host = server.address.to_string();
    for id in ["-1", "17", "talk", "a:1=-3.0", "a:1=3.xyz", "a:1=99999999999999999999999.0", "a:9-1", "../x:1"] {
        let headers = [("Host", host.as_str()), ("Last-Event-ID", id)];
        let refused = server.raw("GET", "/e/one/live", &headers);
        assert!(refused.status == 400 && refused.body.contains("not an id of this stream"), "{id}: {refused:?}");
    }
    let (session, records) = lying(&out).into_iter().min().unwrap();
    let (head, digits) = session.split_at(session.len() - 6);
    for told in ["999999.00000000", "2.00000000"] {
        let id = format!("{head}:{digits}={told}");
        let mut stream = Stream::open(&server, &format!("/e/one/live?session={session}"), Some(&id));
        assert!(stream.until("again").data.contains(&session));
        hears(&mut stream, &session, 0, records);
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn readers_do_not_wait_for_each_other_and_one_that_never_read_has_missed_nothing() {
    const RECORDS: u64 = 5_000;
    let place = tempfile::tempdir().unwrap();
    let session = place.path().join("one/sessions/talk-r000001");
    fs::create_dir_all(&session).unwrap();
    let words = "words ".repeat(200);
    let minutes: String = (0..RECORDS).map(|seq| line(seq, &words)).collect();
    let half = minutes.match_indices('\n').nth(RECORDS as usize / 2).unwrap().0 + 1;
    fs::write(session.join("minutes.jsonl"), &minutes[..half]).unwrap();
    let server = served(&place.path().join("one"));
    let mut idle: Vec<Stream> = (0..8).map(|_| follow(&server, "talk-r000001")).collect();
    let mut readers = [follow(&server, "talk-r000001"), follow(&server, "talk-r000001")];
    for reader in &mut readers {
        hears(reader, "talk-r000001", 0, RECORDS / 2 + 1);
    }
    fs::write(session.join("minutes.jsonl"), &minutes).unwrap();
    for reader in &mut readers {
        hears(reader, "talk-r000001", RECORDS / 2 + 1, RECORDS);
    }
    // Of those that are told nothing the first takes it all up at last; the others go away unread.
    hears(&mut idle[0], "talk-r000001", 0, RECORDS);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_that_vanishes_is_told_to_be_gone_and_is_told_anew_when_a_run_makes_it_again() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path());
    let server = served(&place.path().join("all"));
    let (session, records) = lying(&out).into_iter().min().unwrap();
    let mut stream = follow(&server, &session);
    hears(&mut stream, &session, 0, records);
    fs::remove_dir_all(out.join("sessions").join(&session)).unwrap();
    assert!(stream.until("gone").data.contains(&session));
    assert!(server.get("/").body.contains("1 of 2"));
    run(place.path());
    hears(&mut stream, &session, 0, records);
    assert!(server.get("/").body.contains("2 of 2"));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_that_is_resumed_is_told_on_where_it_was_cut() {
    let place = tempfile::tempdir().unwrap();
    let out = run(place.path());
    let (session, records) = lying(&out).into_iter().min().unwrap();
    let folder = out.join("sessions").join(&session);
    let minutes = fs::read_to_string(folder.join("minutes.jsonl")).unwrap();
    let cut = minutes.match_indices('\n').nth(records as usize / 2).unwrap().0 + 1;
    // The last line is torn, as a crash leaves it.
    fs::write(folder.join("minutes.jsonl"), &minutes[..cut + 20]).unwrap();
    fs::remove_file(folder.join("run.json")).unwrap();
    let server = served(&place.path().join("all"));
    let mut stream = follow(&server, &session);
    hears(&mut stream, &session, 0, records / 2 + 1);
    run(place.path());
    hears(&mut stream, &session, records / 2 + 1, records);
    assert!(!stream.heard.iter().any(|event| event.kind == "again"), "nothing was told twice");
    assert_eq!(fs::read_to_string(folder.join("minutes.jsonl")).unwrap(), minutes);
}
