//! What is known of a session is what its record says, however it was read.

use std::fs::File;

use proptest::prelude::*;

use super::*;

/// The line of a record that says something, or ends the session.
fn line(seq: usize, words: Option<&str>) -> String {
    let at = |step: &str| serde_json::json!({ "phase": "talk", "round": 2, "turn": 1, "step": step });
    let given = serde_json::json!({ "anything": { "at": "all" } });
    let line = match words {
        Some(words) => format!(
            "{{\"seq\":{seq},\"at\":{},\"seat\":\"Bob\",\"attempt\":0,\"event\":{{\"Answered\":{{\"values\":{{\"text\":{}}},\"given\":{given}}}}}}}",
            at("statement"),
            serde_json::to_string(words).unwrap()
        ),
        None => format!("{{\"seq\":{seq},\"at\":{},\"event\":{{\"Adjourned\":{{}}}}}}", at("adjournment")),
    };
    line + "\n"
}

proptest! {
    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn what_is_known_does_not_depend_on_when_one_looked(
        words in prop::collection::vec("(\"|,|attempt|:|event|\\{|[a-z])*", 1..30),
        is_ended in any::<bool>(),
        stops in prop::collection::vec(0_usize..4000, 0..6),
        is_long in any::<bool>(),
    ) {
        let place = tempfile::tempdir().unwrap();
        let long = "x".repeat(if is_long { 70_000 } else { 0 });
        let mut whole: String = words.iter().enumerate().map(|(seq, words)| line(seq, Some(&format!("{words}\",\"attempt\":{long}")))).collect();
        if is_ended { whole += &line(words.len(), None); }
        let mut session = WatchedSession::new_unread(0, 0);
        let mut stops: Vec<usize> = stops.into_iter().map(|stop| stop.min(whole.len())).chain([whole.len()]).collect();
        stops.sort_unstable();
        for stop in stops {
            fs::write(place.path().join("minutes.jsonl"), &whole[..stop]).unwrap();
            session.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 1).unwrap();
        }
        session.count_answers((&ResultsFolder::open_unchecked(place.path()), "."), 2).unwrap();
        prop_assert_eq!(session.records, words.len() as u64 + u64::from(is_ended));
        prop_assert_eq!(session.answers, Some(words.len() as u64));
        prop_assert_eq!(session.bytes, whole.len() as u64);
        prop_assert_eq!(session.stage, if is_ended { SessionStage::Completed } else { SessionStage::Unfinished });
        prop_assert_eq!(session.at.as_deref(), Some("talk, round 2"));
        prop_assert!(!session.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 3).unwrap(), "nothing changed");
    }
}

#[test]
fn what_is_no_record_is_said_to_be_unreadable() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("minutes.jsonl"), line(0, Some("a")) + "not a record\n").unwrap();
    let mut session = WatchedSession::new_unread(0, 0);
    session.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 1).unwrap();
    assert_eq!((session.stage, session.records), (SessionStage::Unreadable, 2));
}

#[test]
fn a_line_that_is_too_long_is_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("minutes.jsonl");
    fs::write(&path, line(0, Some("a"))).unwrap();
    let mut grown = WatchedSession::new_unread(0, 0);
    grown.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 1).unwrap();
    assert_eq!(grown.stage, SessionStage::Unfinished);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(LINE_BYTES_MAX as u64 + 3 * BLOCK).unwrap();
    grown.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 2).unwrap();
    let mut found = WatchedSession::new_unread(0, 0);
    found.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 1).unwrap();
    for session in [grown, found] {
        assert_eq!((session.stage, session.records), (SessionStage::Unreadable, 1));
    }
}

#[test]
fn a_number_that_no_record_can_have_does_no_harm() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("minutes.jsonl");
    let last = line(0, Some("a")).replace("\"seq\":0", "\"seq\":18446744073709551615");
    fs::write(&path, line(0, Some(&"x".repeat(70_000))) + &last).unwrap();
    let mut session = WatchedSession::new_unread(0, 0);
    session.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 1).unwrap();
    assert_eq!(session.records, u64::MAX);
    fs::write(&path, fs::read_to_string(&path).unwrap() + &last).unwrap();
    session.refresh_from((&ResultsFolder::open_unchecked(place.path()), "."), 2).unwrap();
    assert_eq!(session.records, u64::MAX);
}
