//! Each record once, in order, wherever the reader was cut off and whatever became of the folder meanwhile.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::serve::folder_watcher::Survey;

fn record(seq: usize, words: &str) -> String {
    let at = r#"{"phase":"session","round":0,"turn":0,"step":"brief"}"#;
    let words = serde_json::to_string(words).unwrap();
    format!("{{\"seq\":{seq},\"at\":{at},\"event\":{{\"Briefed\":{{\"text\":{words}}}}}}}\n")
}

fn end(seq: usize) -> String {
    let at = r#"{"phase":"session","round":0,"turn":0,"step":"adjournment"}"#;
    format!(
        "{{\"seq\":{seq},\"at\":{at},\"event\":{{\"Adjourned\":{{\"verdict\":\"no_decision\",\"stop\":\"rounds_used_up\"}}}}}}\n"
    )
}

fn write(root: &Path, session: &str, text: &str) {
    let folder = root.join("sessions").join(session);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("minutes.jsonl"), text).unwrap();
}

fn reading(root: &Path, cursor: &str) -> StreamReading {
    StreamReading::new(root.to_owned(), SessionFilter::All, Cursor::parse(cursor, 10_000).unwrap())
}

/// What a reader makes of messages: each session's records, begun again where it is told so.
fn heard(told: &mut BTreeMap<String, Vec<u64>>, message: &StreamMessage) {
    let data: serde_json::Value = serde_json::from_str(&message.data).unwrap();
    let session = data["session"].as_str().unwrap().to_owned();
    match message.kind {
        "record" => told.entry(session).or_default().push(data["record"]["seq"].as_u64().unwrap()),
        "again" | "gone" => drop(told.remove(&session)),
        _ => {}
    }
}

proptest! {
    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn every_record_is_told_once_and_in_order_wherever_the_reader_is_cut_off(
        lengths in prop::collection::vec((0_usize..12, any::<bool>()), 1..6),
        steps in prop::collection::vec((0_usize..6, 0_usize..400, 0_usize..8), 0..12),
    ) {
        let place = tempfile::tempdir().unwrap();
        let name = |number: usize| format!("talk-r{number:06}");
        let texts: Vec<String> = lengths.iter().map(|(length, ends)| {
            let records: String = (0..*length).map(|seq| record(seq, "words")).collect();
            records + &if *ends { end(*length) } else { String::new() }
        }).collect();
        let mut written = vec![0_usize; texts.len()];
        let (mut survey, mut cursor, mut told) = (Survey::new(place.path().to_owned()), String::new(), BTreeMap::new());
        let last = (0..texts.len()).map(|number| (number, usize::MAX, usize::MAX));
        for (number, more, cut) in steps.into_iter().chain(last) {
            let number = number % texts.len();
            written[number] = texts[number].len().min(written[number].saturating_add(more));
            write(place.path(), &name(number), &texts[number][..written[number]]);
            survey.refresh_state();
            // The connection is lost after so many messages; the next reader has nothing but the last id.
            let mut reading = reading(place.path(), &cursor);
            let mut left = cut;
            while left > 0 {
                let messages = reading.next_messages(survey.state());
                if messages.is_empty() { break; }
                for message in messages.iter().take(left) {
                    prop_assert_eq!(message.kind, "record");
                    heard(&mut told, message);
                    cursor.clone_from(&message.id);
                }
                left = left.saturating_sub(messages.len());
            }
        }
        for (number, text) in texts.iter().enumerate() {
            let records: Vec<u64> = (0..text.matches('\n').count() as u64).collect();
            prop_assert_eq!(told.get(&name(number)).cloned().unwrap_or_default(), records);
        }
    }
}

#[test]
fn a_session_that_is_run_again_is_told_again_and_one_that_goes_is_told_to_go() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    write(root, "talk-r000001", &(record(0, "a") + &record(1, "b")));
    write(root, "talk-r000002", &(record(0, "a") + &end(1)));
    let mut survey = Survey::new(root.to_owned());
    survey.refresh_state();
    let mut live = reading(root, "");
    let mut told = BTreeMap::new();
    let cursor = live
        .next_messages(survey.state())
        .iter()
        .inspect(|message| heard(&mut told, message))
        .last()
        .unwrap()
        .id
        .clone();
    assert_eq!(told["talk-r000001"], [0, 1]);
    fs::create_dir(root.join("failed")).unwrap();
    fs::rename(root.join("sessions/talk-r000001"), root.join("failed/talk-r000001.1")).unwrap();
    write(root, "talk-r000001", &(record(0, "other") + &record(1, "b") + &record(2, "c")));
    fs::rename(root.join("sessions/talk-r000002"), root.join("sessions/talk-r000003")).unwrap();
    survey.refresh_state();
    for mut reading in [live, reading(root, &cursor)] {
        let mut told = told.clone();
        let messages = reading.next_messages(survey.state());
        assert!(messages.iter().any(|message| message.kind == "again"), "{messages:?}");
        messages.iter().for_each(|message| heard(&mut told, message));
        assert_eq!(told["talk-r000001"], [0, 1, 2]);
        assert_eq!(told.get("talk-r000002"), None, "{messages:?}");
        assert_eq!(told["talk-r000003"], [0, 1]);
    }
}

#[test]
fn ten_thousand_sessions_that_are_gone_are_told_some_at_once_and_none_is_left_out() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    write(root, "talk-r000001", &record(0, "a"));
    let mut survey = Survey::new(root.to_owned());
    survey.refresh_state();
    let mut reading = reading(root, "a:00001-10000");
    let (mut gone, mut last) = (0, String::new());
    loop {
        let messages = reading.next_messages(survey.state());
        let Some(message) = messages.last() else { break };
        last.clone_from(&message.id);
        assert!(messages.len() <= MESSAGES + 1, "{}", messages.len());
        assert!(messages.iter().all(|message| message.id.len() < 60), "{last}");
        gone += messages.iter().filter(|message| message.kind == "gone").count();
    }
    assert_eq!(gone, 10_000);
    assert!(last.starts_with("talk-r:000001=1."), "{last}");
}

#[test]
fn who_is_cut_off_between_sessions_that_are_gone_is_told_of_all_of_them() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    let mut survey = Survey::new(root.to_owned());
    survey.refresh_state();
    let first = reading(root, "a:1-3;b:").next_messages(survey.state());
    let kinds: Vec<&str> = first.iter().map(|message| message.kind).collect();
    assert_eq!(kinds, ["gone"; 4]);
    for (told, left) in [(1, 4), (3, 4), (4, 0)] {
        assert_eq!(reading(root, &first[told - 1].id).next_messages(survey.state()).len(), left);
    }
}

#[test]
fn a_line_that_is_no_record_is_said_and_nothing_behind_it_is_told() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    write(root, "talk-r000001", &(record(0, "a") + "no record\n" + &record(2, "c")));
    write(root, "talk-r000002", &format!("{}\n", r#"{"seq":0,"event":{"Convened":{"format":3}}}"#));
    let mut survey = Survey::new(root.to_owned());
    survey.refresh_state();
    let mut reading = reading(root, "");
    let mut messages = Vec::new();
    loop {
        let more = reading.next_messages(survey.state());
        if more.is_empty() {
            break;
        }
        messages.extend(more);
    }
    let kinds: Vec<&str> = messages.iter().map(|message| message.kind).collect();
    assert_eq!(kinds, ["record", "unreadable", "unreadable"]);
    assert!(messages[1].data.contains("line 2 is no record"), "{messages:?}");
    let other = format!("format 3; this version of ekklesia reads format {}", crate::domain::FORMAT_VERSION);
    assert!(messages[2].data.contains(&other), "{messages:?}");
}
