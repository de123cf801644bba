//! What the live view says of calls is what the record says, whenever one looks.

use super::*;
use crate::store::calls::Spending;

fn question(seat: &str) -> serde_json::Value {
    let at = serde_json::json!({ "phase": "talk", "round": 1, "turn": 0, "step": "straw_poll" });
    serde_json::json!({ "at": at, "seat": seat, "attempt": 0 })
}

fn begun(seat: &str, since: u64) -> String {
    let usage = serde_json::json!({ "prompt_tokens": 50, "completion_tokens": 50 });
    let request = crate::domain::Digest::of(seat.as_bytes()).to_string();
    format!(
        "{{\"begun\":{},\"asked\":\"m\",\"request\":\"{request}\",\"started_unix_ms\":{since},\"at_most\":{usage}}}\n",
        question(seat)
    )
}

fn answered(seat: &str, tokens: u64) -> String {
    let request = crate::domain::Digest::of(seat.as_bytes()).to_string();
    let usage = serde_json::json!({ "prompt_tokens": tokens, "completion_tokens": 1 });
    format!(
        "{{\"question\":{},\"asked\":\"m\",\"request\":\"{request}\",\"raw\":\"for\",\"usage\":{usage},\"attempts\":[]}}\n",
        question(seat)
    )
}

struct Place {
    folder: tempfile::TempDir,
    calls: CallTail,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("sessions/s")).unwrap();
        let calls = CallTail::new(&Arc::new(ResultsFolder::open_unchecked(folder.path())), "s");
        Self { folder, calls }
    }

    fn write(&self, text: &str) {
        std::fs::write(self.folder.path().join("sessions/s/calls.jsonl"), text).unwrap();
    }

    fn asked(&mut self) -> Vec<(String, u64)> {
        self.calls.read_added(u64::MAX).unwrap();
        self.calls.asked_seats().into_iter().map(|asked| (asked.seat, asked.since_unix_ms)).collect()
    }

    fn tokens(&self) -> u64 {
        self.calls.used().values().map(|usage| Spending::from_usage(*usage, None).tokens).sum()
    }
}

#[test]
fn who_is_being_asked_and_what_was_used_follow_the_record_wherever_it_was_cut() {
    let whole = begun("Bob", 5) + &begun("Ann", 3) + &answered("Ann", 10) + &begun("Zoe", 9) + &answered("Bob", 20);
    for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let mut place = Place::new();
        place.write(&whole[..end]);
        place.asked();
        place.write(&whole);
        assert_eq!(place.asked(), [("Zoe".to_owned(), 9)], "cut at {end}");
        assert_eq!((place.tokens(), place.calls.problem()), (32, None));
    }
}

#[test]
fn a_line_that_cannot_be_read_is_named_and_those_behind_it_count() {
    let mut place = Place::new();
    place.write(&(begun("Ann", 3) + "{\"question\":7}\n" + &answered("Ann", 10)));
    assert_eq!((place.asked(), place.tokens()), (Vec::new(), 11));
    assert!(place.calls.problem().unwrap().starts_with("sessions/s/calls.jsonl:2: "), "{:?}", place.calls.problem());
    // Another record in its place is read from its beginning.
    std::fs::remove_file(place.folder.path().join("sessions/s/calls.jsonl")).unwrap();
    assert_eq!((place.asked(), place.tokens(), place.calls.problem()), (Vec::new(), 0, None));
    place.write(&begun("Bob", 4));
    assert_eq!(place.asked(), [("Bob".to_owned(), 4)]);
}

#[test]
fn a_person_is_waited_for_until_the_answer_or_the_end_of_the_run() {
    let mut place = Place::new();
    let asked = begun("Ann", 3);
    let typed = format!("{}}}\n", &asked[..asked.find(",\"at_most\"").unwrap()]);
    place.write(&typed);
    assert_eq!((place.asked(), place.tokens()), (vec![("Ann".to_owned(), 3)], 0));
    let request = crate::domain::Digest::of(b"Ann").to_string();
    let ended =
        format!("{{\"unanswered\":{},\"asked\":\"m\",\"request\":\"{request}\",\"attempts\":[]}}\n", question("Ann"));
    place.write(&(typed + &ended));
    assert_eq!((place.asked(), place.tokens(), place.calls.problem()), (Vec::new(), 0, None));
}
