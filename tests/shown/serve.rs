//! What `serve` answers, to whom, and that it disturbs nothing: real sockets on 127.0.0.1, and folders as runs leave them.
//!
//! Nothing here waits for a clock: what is awaited comes, or the test hangs and is stopped from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{self, ekklesia, everything, text};
use crate::fixtures::sample::law_cases;
use crate::fixtures::served::{Stream, begin, line, served};
use crate::fixtures::trial::write_config;
use proptest::prelude::*;

const BODY: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Ann, mind: { voter: { copy: 0.4 } } }
  - { name: Bob, mind: { voter: { copy: 0.4 } } }
  - { name: Cid, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 2, order: random, vote: at_end }
";

/// A folder with one experiment that was run.
fn run(place: &Path, name: &str) {
    let config = write_config(place, BODY);
    ekklesia(&["run", text(&config), "--out", text(&place.join("results").join(name))]).says(0, &["2 of 2 sessions"]);
}

#[test]
fn only_this_machines_own_pages_are_answered() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let server = served(&place.path().join("results"));
    let port = server.address.port();
    let own = format!("127.0.0.1:{port}");
    for host in [own.clone(), format!("localhost:{port}"), format!("LOCALHOST:{port}")] {
        assert_eq!(server.raw("GET", "/", &[("Host", &host)]).status, 200, "{host}");
    }
    for host in [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        &format!("127.0.0.1.evil.example:{port}"),
        "",
        &format!("evil.example:{port}"),
        &format!("[::1]:{port}"),
        &format!("[::ffff:127.0.0.1]:{port}"),
        &format!("0.0.0.0:{port}"),
        &format!("2130706433:{port}"),
        &format!("user@127.0.0.1:{port}"),
    ] {
        let refused = server.raw("GET", "/e/one/live", &[("Host", host)]);
        assert!([400, 403].contains(&refused.status), "{host}: {}", refused.status);
        assert!(!refused.body.contains("one"), "{}", refused.body);
    }
    assert_eq!(server.raw("GET", &format!("http://evil.example:{port}/"), &[("Host", &own)]).status, 403);
    assert_eq!(server.raw("GET", "/", &[("Host", &own), ("Host", "evil.example")]).status, 403);
    for (name, value, status) in [
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", &format!("http://{own}"), 200),
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Sec-Fetch-Site", "same-origin", 200),
        ("Sec-Fetch-Site", "none", 200),
    ] {
        assert_eq!(server.raw("GET", "/", &[("Host", &own), (name, value)]).status, status, "{name}: {value}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let refused = server.raw(method, "/", &[("Host", &own), ("Content-Length", "0")]);
        assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert_eq!(server.raw("HEAD", "/", &[("Host", &own)]).status, 200);
    assert!(server.address.ip().is_loopback());
}

#[test]
fn every_answer_says_what_it_may_do_and_calls_nobody_else() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let server = served(&place.path().join("results"));
    for path in [
        "/",
        "/e/one/",
        "/e/one/s/baseline-r000001",
        "/e/one/watch",
        "/serve.css",
        "/watch.js",
        "/index.js",
        "/nothing",
    ] {
        let answer = server.get(path);
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}: {name}");
        }
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert!(!answer.body.contains("http://") && !answer.body.contains("https://"), "{path} names another place");
        assert!(!answer.body.contains("onclick") && !answer.body.contains("innerHTML"), "{path}");
    }
}

#[test]
fn names_are_looked_up_and_nothing_outside_is_read() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let results = place.path().join("results");
    fs::create_dir_all(place.path().join("secret/sessions/talk-r000001")).unwrap();
    fs::write(place.path().join("secret/sessions/talk-r000001/minutes.jsonl"), line(0, "a secret")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(place.path().join("secret"), results.join("link")).unwrap();
        let sessions = results.join("one/sessions");
        symlink(place.path().join("secret/sessions/talk-r000001"), sessions.join("linked-r000001")).unwrap();
        fs::create_dir(sessions.join("inner-r000001")).unwrap();
        let minutes = place.path().join("secret/sessions/talk-r000001/minutes.jsonl");
        symlink(minutes, sessions.join("inner-r000001/minutes.jsonl")).unwrap();
    }
    let server = served(&results);
    let index = server.get("/").body;
    assert!(
        !index.contains("/e/link") && index.contains("link: this is a link that leads out of the folder"),
        "{index}"
    );
    for path in [
        "/e/link/watch",
        "/e/../secret/watch",
        "/e/..%2fsecret/watch",
        "/e/..%252fsecret/watch",
        "/e/..%5csecret/watch",
        "/e/one/s/..%2f..%2f..%2fsecret",
        "/e/one/s/..%252f..%252fsecret",
        "/e/one/s/baseline-r000001%00",
        "/e/one/s/nobody-r000001",
        "/e/%2e%2e/secret/watch",
        "/e/..%2f..%2fsecret/live",
        "/e/one/../../secret",
        "/e/%00/watch",
        "/e/one%00/watch",
        "/e/./watch",
        "/e/.%2fone/watch",
        "/etc/passwd",
        "//etc/passwd",
        "/e//watch",
        "/e/%ff%fe/watch",
    ] {
        let answer = server.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("secret") && !answer.body.contains("root:"), "{path}: {}", answer.body);
    }
    assert_eq!(server.get("/e/one/live?session=../../secret").status, 400);
    assert_eq!(server.get("/e/one/live?session=a%2Fb").status, 400);
    assert_eq!(server.get("/e/one/live?from=no-cursor").status, 400);
    assert_eq!(server.get("/e/one/live?from=a%0A:1,2").status, 400);
    let many = server.get("/e/one/live?from=a:0000001-1000000");
    assert!(many.status == 400 && many.body.contains("more sessions than can have been told"), "{many:?}");
    let mut stream = Stream::open(&server, "/e/one/live", None);
    let state = stream.until("state").data;
    for session in ["inner-r000001/minutes.jsonl", "linked-r000001"] {
        let line = format!("sessions/{session}: this is a link that leads out of the folder; it is not followed");
        assert!(state.contains(&line), "{line}: {state}");
    }
    assert!(state.contains("\"unreadable\":1") && !state.contains("\"session\":\"linked-r000001\""), "{state}");
    stream.until("record");
    assert!(!stream.heard.iter().any(|event| event.data.contains("a secret")));
}

#[test]
fn a_folder_is_shown_as_it_is_and_nothing_in_it_changes() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let results = place.path().join("results");
    fs::create_dir(results.join("no experiment")).unwrap();
    fs::create_dir_all(results.join("<b>half & written/sessions/talk-r000001")).unwrap();
    fs::create_dir_all(results.join("other/inputs")).unwrap();
    fs::write(results.join("other/inputs/config.yaml"), "experiment: [").unwrap();
    fs::create_dir_all(results.join("other/sessions/talk-r000001")).unwrap();
    let old = "{\"seq\":0,\"at\":{},\"event\":{\"Convened\":{\"format\":2}}}\n";
    fs::write(results.join("other/sessions/talk-r000001/minutes.jsonl"), old).unwrap();
    fs::remove_dir_all(results.join("one/sessions/baseline-r000002")).unwrap();
    fs::create_dir(results.join("one/sessions/baseline-r000009")).unwrap();
    let before = everything(&results);
    let server = served(&results);
    let index = server.get("/").body;
    assert!(index.contains("1 of 2") && index.contains("unfinished"), "{index}");
    for what in ["baseline-r000002 has no folder", "baseline-r000009 is not in the plan"] {
        assert!(index.contains(what), "{what}: {index}");
    }
    assert!(index.contains("&lt;b&gt;half &amp; written") && !index.contains("<b>"), "{index}");
    assert!(
        index.contains("inputs&#x2f;config.yaml is missing") || index.contains("inputs/config.yaml is missing"),
        "{index}"
    );
    assert!(index.contains("what was planned cannot be read"), "{index}");
    assert!(!index.contains("no experiment<"), "{index}");
    assert!(index.contains("All seats are simulated: rules, not people"), "{index}");
    let watch = server.get("/e/one/watch").body;
    assert!(watch.contains("1 of 2") && watch.contains("All seats are simulated: rules, not people"), "{watch}");
    assert_eq!(server.get("/e/%3Cb%3Ehalf%20%26%20written/watch").status, 200);
    let mut stream = Stream::open(&server, "/e/other/live", None);
    let unreadable = stream.until("unreadable");
    assert!(unreadable.data.contains("format 2; this version of ekklesia reads format 9"), "{unreadable:?}");
    let mut stream = Stream::open(&server, "/e/one/live", None);
    stream.until("record");
    assert!(everything(&results) == before, "something was written");
    let empty = tempfile::tempdir().unwrap();
    let index = served(empty.path()).get("/").body;
    assert!(index.contains("There is no experiment in this folder yet"), "{index}");
}

/// The records of a folder's sessions as they lie there.
fn lying(root: &Path) -> BTreeMap<String, Vec<serde_json::Value>> {
    let mut all = BTreeMap::new();
    for session in fs::read_dir(root.join("sessions")).unwrap() {
        let session = session.unwrap();
        let minutes = fs::read_to_string(session.path().join("minutes.jsonl")).unwrap();
        let records = minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        all.insert(session.file_name().into_string().unwrap(), records);
    }
    all
}

#[test]
fn the_stream_of_an_experiment_is_its_minutes_wherever_it_was_cut() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let root = place.path().join("results/one");
    let server = served(&root);
    let lying = lying(&root);
    let all: usize = lying.values().map(Vec::len).sum();
    let whole = |stream: &mut Stream| {
        let mut records = BTreeMap::<String, Vec<serde_json::Value>>::new();
        for _ in 0..all {
            let event = stream.until("record");
            let mut data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
            records.entry(data["session"].as_str().unwrap().to_owned()).or_default().push(data["record"].take());
        }
        records
    };
    assert!(whole(&mut Stream::open(&server, "/e/one/live", None)) == lying);
    let one = format!("/e/one/live?session={}", lying.keys().next_back().unwrap());
    let mut runner = proptest::test_runner::TestRunner::new(law_cases(8));
    let cuts = prop::collection::vec(0..all, 1..5);
    let law = |cuts: Vec<usize>| {
        let (mut id, mut records) = (None, Vec::new());
        for cut in cuts.into_iter().chain([usize::MAX]) {
            let mut stream = Stream::open(&server, "/e/one/live", id.as_deref());
            let left = all - records.len();
            for _ in 0..cut.min(left) {
                let event = stream.until("record");
                records.push(event.data);
                id = Some(event.id.unwrap());
            }
        }
        let mut heard = BTreeMap::<String, Vec<serde_json::Value>>::new();
        for record in records {
            let mut data: serde_json::Value = serde_json::from_str(&record).unwrap();
            heard.entry(data["session"].as_str().unwrap().to_owned()).or_default().push(data["record"].take());
        }
        prop_assert!(heard == lying);
        Ok(())
    };
    runner.run(&cuts, law).unwrap();
    let mut stream = Stream::open(&server, &one, None);
    for record in &lying[lying.keys().next_back().unwrap()] {
        let data: serde_json::Value = serde_json::from_str(&stream.until("record").data).unwrap();
        assert_eq!(&data["record"], record);
    }
}

#[test]
fn what_is_written_at_full_speed_reaches_its_reader_once_and_in_order() {
    const RECORDS: u64 = 6_000;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("one/sessions/talk-r000001");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("minutes.jsonl"), "").unwrap();
    let server = served(&place.path().join("one"));
    let writer = std::thread::spawn(move || {
        use std::io::Write;
        let mut minutes = fs::OpenOptions::new().append(true).open(folder.join("minutes.jsonl")).unwrap();
        for seq in 0..RECORDS {
            let line = line(seq, "words");
            // Torn in two, so that the reader meets torn lines.
            let (head, tail) = line.as_bytes().split_at(line.len() / 2);
            minutes.write_all(head).unwrap();
            minutes.write_all(tail).unwrap();
        }
    });
    let (mut stream, mut id) = (Stream::open(&server, "/e/one/live", None), None::<String>);
    for seq in 0..RECORDS {
        if seq % 1777 == 1776 {
            stream = Stream::open(&server, "/e/one/live", id.as_deref());
        }
        let event = stream.until("record");
        let data: serde_json::Value = serde_json::from_str(&event.data).unwrap();
        assert_eq!(data["record"]["seq"], seq);
        id = event.id;
    }
    writer.join().unwrap();
}

#[test]
fn a_run_in_another_process_is_followed_to_its_end_and_not_disturbed() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (watched, alone) = (place.path().join("results/watched"), place.path().join("alone"));
    fs::create_dir_all(&watched).unwrap();
    let server = served(&place.path().join("results"));
    assert_eq!(server.get("/e/watched/watch").status, 404, "nothing was begun");
    let mut index = Stream::open(&server, "/live", None);
    index.until("rows");
    let mut running = cli::begun(&["run", text(&config), "--replicates", "30", "--out", text(&watched)]);
    while !index.until("rows").data.contains("watched") {}
    let mut stream = Stream::open(&server, "/e/watched/live", None);
    let mut records = 0;
    loop {
        let event = stream.next();
        records += u64::from(event.kind == "record");
        if event.kind == "state" && event.data.contains("\"finished\":true") {
            break;
        }
    }
    assert!(running.wait().unwrap().success());
    let all: usize = lying(&watched).values().map(Vec::len).sum();
    while records < all as u64 {
        stream.until("record");
        records += 1;
    }
    ekklesia(&["run", text(&config), "--replicates", "30", "--out", text(&alone)]).says(0, &[]);
    cli::assert_same(&watched, &alone);
}

#[test]
fn the_served_report_is_the_report_and_its_sessions_come_one_by_one() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let results = place.path().join("results");
    let file = place.path().join("one.html");
    ekklesia(&["report", text(&results.join("one")), "--out", text(&file)]).says(0, &[]);
    let file = fs::read_to_string(file).unwrap();
    let before = everything(&results);
    let server = begin(&["serve", text(&results), "--port", "0"]);
    let served = server.get("/e/one/");
    let overview = |page: &str| {
        let (_, from) = page.split_once("<div id=\"overview-view\">").unwrap();
        from.split_once("<div id=\"session-view\">").unwrap().0.to_owned()
    };
    assert_eq!(overview(&served.body), overview(&file));
    let policy = served.header("content-security-policy").unwrap();
    let in_page = policy.strip_suffix("; frame-ancestors 'none'").unwrap();
    assert!(served.body.contains(in_page) && policy.contains("connect-src 'self'") && !file.contains("connect-src"));
    for session in ["baseline-r000001", "baseline-r000002"] {
        let piece = server.get(&format!("/e/one/s/{session}")).body;
        assert!(piece.contains(session) && file.contains(&piece), "{piece}");
        assert!(!served.body.contains(&piece));
    }
    assert_eq!(server.get("/e/one/s/baseline-r000003").status, 404);
    assert_eq!(server.get("/e/one/s/..%2f..%2fplan.yaml").status, 404);
    let tag = served.header("etag").unwrap();
    let host = server.address.to_string();
    assert_eq!(server.raw("GET", "/e/one/", &[("Host", &host), ("If-None-Match", tag)]).status, 304);
    assert!(everything(&results) == before, "something was written");
}

#[test]
fn the_program_tells_its_address_and_ends_with_ctrl_c() {
    let place = tempfile::tempdir().unwrap();
    run(place.path(), "one");
    let results = place.path().join("results");
    let mut server = begin(&["serve", text(&results), "--port", "0"]);
    let port = server.address.port().to_string();
    ekklesia(&["serve", text(&results), "--port", &port]).says(1, &["is taken", "--port 0 for any that is free"]);
    ekklesia(&["serve", text(&place.path().join("none"))]).says(2, &["none", "No such file"]);
    #[cfg(unix)]
    {
        let child = server.program();
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}
