//! What servers of many kinds say, and what is made of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "each test file uses its own part of this")]
mod played;

use ekklesia::domain::*;
use played::*;
use serde_json::Value;
use wiremock::ResponseTemplate;

/// The cases of a file under `tests/data/servers/`.
fn cases(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{}/tests/data/servers/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(!cases.is_empty());
    cases
}

fn word<'c>(case: &'c Value, key: &str) -> Option<&'c str> {
    case[key].as_str()
}

#[tokio::test]
async fn an_error_of_any_shape_keeps_its_status_and_its_words() {
    for case in cases("errors.json") {
        let name = word(&case, "name").unwrap();
        let status = case["status"].as_u64().unwrap();
        let response = ResponseTemplate::new(status as u16).set_body_string(word(&case, "body").unwrap());
        let (answer, requests, lines) = ask(vec![response, vote("for")], &ballot(0)).await;
        let words = word(&case, "words").unwrap();
        let attempts = lines[0]["attempts"].as_array().unwrap();
        assert_eq!(attempts[0]["status"], status, "{name}: the status is kept");
        let told = format!("HTTP {status}: {}", attempts[0]["failure"].as_str().unwrap());
        let expected = words.replace("error 502: ", "").replace("error 402: ", "").replace("error 429: ", "");
        match word(&case, "then").unwrap() {
            "passes" => {
                assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())), "{name}");
                assert_eq!((requests.len(), attempts.len()), (2, 2), "{name}");
                assert_eq!(told, expected, "{name}");
            }
            "stops" => {
                let outage = answer.expect_err(name).to_string();
                assert!(outage.contains(words), "{name}: {outage}");
                assert_eq!((requests.len(), attempts.len()), (1, 1), "{name}: nothing is asked again");
            }
            "too_long" => {
                let answer = answer.expect(name);
                assert_eq!(answer.parsed, Err(Fault::ContextTooLong), "{name}");
                assert!(answer.raw.starts_with(words), "{name}: {}", answer.raw);
                assert_eq!(requests.len(), 1, "{name}");
            }
            then => panic!("{name}: {then}"),
        }
    }
}

#[tokio::test]
async fn a_reply_is_read_whatever_stands_around_it() {
    for case in cases("replies.json") {
        let name = word(&case, "name").unwrap();
        let response = ResponseTemplate::new(200).set_body_json(&case["body"]);
        let (answer, requests, lines) = ask(vec![response], &ballot(0)).await;
        let answer = answer.expect(name);
        let fault = answer.parsed.err().map(Fault::as_str);
        assert_eq!((fault, answer.raw.as_str()), (word(&case, "fault"), word(&case, "raw").unwrap()), "{name}");
        assert_eq!(requests.len(), 1, "{name}: what was made is paid for, and asked for again by the engine alone");
        for (key, of) in [("finish_reason", "finish_reason"), ("model", "model"), ("fingerprint", "fingerprint")] {
            assert_eq!(word(&lines[0], of), word(&case, key), "{name}: {key}");
        }
        assert_eq!(lines[0]["usage"], case["usage"], "{name}: usage");
    }
}
