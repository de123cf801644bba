//! A model's seat from prompt to answer: against a server that plays real responses, and against the record alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fixtures::played::*;
use ekklesia::domain::*;
use ekklesia::ports::Backend;
use ekklesia::prompt::AnswerForm;
use ekklesia::service::models::{ModelSeats, Reuse};
use ekklesia::service::openai::Clients;
use ekklesia::store::calls::CallRecord;
use serde_json::json;
use wiremock::ResponseTemplate;

#[tokio::test]
async fn a_ballot_is_asked_under_a_schema_and_recorded_before_it_is_returned() {
    let (answer, requests, lines) = ask(vec![vote("for")], &ballot(0)).await;
    let answer = answer.unwrap();
    assert_eq!(answer.parsed, Ok(Reply::Choice(AlternativeId(0).into())));
    assert_eq!(answer.raw, "{\"choice\": \"for\"}");
    assert_eq!(answer.model_served.as_deref(), Some("smollm2-135m"));
    assert_eq!(answer.usage.unwrap().completion_tokens, 8);
    let request = &requests[0];
    assert_eq!(request["max_tokens"], 40);
    assert_eq!(request["temperature"], 0.7);
    let form = &request["response_format"];
    assert_eq!(form["type"], "json_schema");
    assert_eq!(form["json_schema"]["strict"], true);
    let schema = &form["json_schema"]["schema"];
    assert_eq!(schema["properties"]["choice"]["enum"], json!(["against", "for"]), "the order shown");
    let messages = request["messages"].as_array().unwrap();
    assert_eq!(messages.first().unwrap()["role"], "system");
    assert_eq!(messages.last().unwrap()["role"], "user");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["raw"], "{\"choice\": \"for\"}");
    assert_eq!(lines[0]["finish_reason"], "stop");
    assert_eq!(lines[0]["fingerprint"], "b0-unknown");
    assert_eq!(lines[0]["attempts"][0]["status"], 200);
}

#[tokio::test]
async fn a_memory_is_a_text_under_a_schema_that_ends_it() {
    let words = completion(json!({ "role": "assistant", "content": "{\"text\": \" I doubt it.\"}" }), "stop");
    let ask_for = Ask::Compression { chars_max: 200, words_max: None, focus: None };
    let (answer, requests, _) = ask(vec![words], &query(ask_for, 0)).await;
    assert_eq!(answer.unwrap().parsed, Ok(Reply::Note("I doubt it.".into())));
    let schema = &requests[0]["response_format"]["json_schema"]["schema"];
    assert!(schema["properties"]["text"]["maxLength"].as_u64().is_some_and(|most| most <= 200));
    let (answer, requests, _) = ask(vec![vote("for")], &query(Ask::VoteCall, 0)).await;
    assert_eq!(answer.unwrap().parsed, Err(Fault::Unreadable), "a choice is no yes");
    let schema = &requests[0]["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["properties"]["answer"]["enum"], json!(["yes", "no"]));
}

#[tokio::test]
async fn what_a_real_server_says_in_free_text_is_no_answer() {
    let (answer, ..) = ask(vec![real("json_schema")], &ballot(0)).await;
    assert_eq!(answer.unwrap().parsed, Err(Fault::Unreadable), "another schema's object");
    let (answer, ..) = ask(vec![real("ok")], &statement()).await;
    assert_eq!(answer.unwrap().parsed, Err(Fault::CutByLength));
}

#[tokio::test]
async fn faults_of_the_seat_are_answers_and_not_outages() {
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I cannot vote." });
    let openai_overflow = ResponseTemplate::new(400).set_body_json(json!({
        "error": { "message": "too many tokens", "type": "invalid_request_error", "param": "messages",
                   "code": "context_length_exceeded" },
    }));
    let empty = completion(json!({ "role": "assistant", "content": null }), "stop");
    // Only the server's word makes a refusal, not words that sound like one.
    let sorry = completion(json!({ "role": "assistant", "content": "I'm sorry, but I can't vote on this." }), "stop");
    let cases = [
        (real("finish_length"), Fault::CutByLength, "The city's proposal to"),
        (completion(refusal, "stop"), Fault::Refused, "I cannot vote."),
        (
            real("context_overflow"),
            Fault::ContextTooLong,
            "request (6028 tokens) exceeds the available context size (2048 tokens), try increasing it",
        ),
        (openai_overflow, Fault::ContextTooLong, "too many tokens"),
        (empty, Fault::Empty, ""),
        (sorry, Fault::Unreadable, "I'm sorry, but I can't vote on this."),
    ];
    for (response, fault, raw) in cases {
        let (answer, requests, lines) = ask(vec![response], &ballot(0)).await;
        let answer = answer.unwrap();
        assert_eq!((answer.parsed, answer.raw.as_str()), (Err(fault), raw));
        assert_eq!((requests.len(), lines.len()), (1, 1), "asked once and recorded");
    }
}

#[tokio::test]
async fn a_failing_service_is_tried_again_and_every_attempt_is_recorded() {
    let html = ResponseTemplate::new(500).set_body_string("<html>\n<h1>busy</h1></html>");
    let (answer, requests, lines) = ask(vec![html, vote("against")], &ballot(0)).await;
    assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(1).into())));
    assert_eq!(requests.len(), 2);
    let attempts = lines[0]["attempts"].as_array().unwrap();
    assert_eq!(attempts[0]["status"], 500);
    assert_eq!(attempts[0]["failure"], "<html> <h1>busy</h1></html>");
    assert_eq!(attempts[1]["status"], 200);
}

#[tokio::test]
async fn a_server_that_never_answered_is_given_up_soon_and_no_answer_is_recorded() {
    let busy = ResponseTemplate::new(503).set_body_json(json!({ "error": { "message": "loading", "code": 503 } }));
    let (answer, requests, lines) = ask(vec![busy], &ballot(0)).await;
    let words = answer.unwrap_err().to_string();
    assert!(words.ends_with("/v1: HTTP 503: loading (after 4 attempts)"), "{words}");
    assert_eq!((requests.len(), lines.len()), (4, 1));
    assert!(lines[0].get("question").is_none(), "no answer is recorded");
    assert_eq!(lines[0]["attempts"].as_array().unwrap().len(), 4, "but what was tried");
    let (answer, requests, _) = ask(vec![ResponseTemplate::new(200).set_body_string("<html>")], &ballot(0)).await;
    assert!(answer.unwrap_err().to_string().contains("not a chat completion"));
    assert_eq!(requests.len(), 4);
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_waited_for_as_long_as_it_takes() {
    for (name, value) in
        [("retry-after", "0"), ("retry-after-ms", "2"), ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]
    {
        let limited = ResponseTemplate::new(429).insert_header(name, value).set_body_string("slow down");
        let responses = [vec![limited; 9], vec![vote("for")]].concat();
        let (answer, requests, lines) = ask(responses, &ballot(0)).await;
        assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())));
        assert_eq!(requests.len(), 10);
        let attempts = lines[0]["attempts"].as_array().unwrap();
        let statuses: Vec<u64> = attempts.iter().map(|attempt| attempt["status"].as_u64().unwrap()).collect();
        assert_eq!(statuses, [[429; 9].as_slice(), &[200]].concat(), "every attempt is recorded");
        assert!(requests.windows(2).all(|pair| pair[0] == pair[1]), "the same is asked again");
    }
}

#[tokio::test]
async fn a_wish_that_is_longer_than_the_patience_ends_the_call_at_once() {
    let limited =
        ResponseTemplate::new(429).insert_header("retry-after", "86400").set_body_string("come back tomorrow");
    let (answer, requests, _) = ask(vec![limited], &ballot(0)).await;
    let words = answer.unwrap_err().to_string();
    assert!(words.ends_with("HTTP 429: come back tomorrow; it asks to wait 86400 s"), "{words}");
    assert_eq!(requests.len(), 1);
}

#[tokio::test]
async fn a_server_that_goes_down_in_between_is_waited_for_and_the_user_is_told_once() {
    let down = ResponseTemplate::new(503).set_body_string("down");
    let responses = [vec![vote("for")], vec![down; 12], vec![vote("against")]].concat();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(responses).await;
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let clients = Clients::with_retries(QUICK);
    let seats = seats(plan, Some(&clients), CallRecord::open(&file).unwrap().0);
    seats.answer(&ballot(0)).await.unwrap();
    assert!(clients.take_news().is_empty());
    let answers = futures::future::join_all(
        [ballot(1), ballot(2), ballot(3)].map(async |query| seats.answer(&query).await.unwrap().parsed),
    );
    assert!(answers.await.iter().all(|parsed| *parsed == Ok(Reply::Choice(AlternativeId(1).into()))));
    let news = clients.take_news();
    assert_eq!(news.len(), 2, "{news:?}");
    assert!(news[0].contains("HTTP 503: down; no call begins until it answers"), "{news:?}");
    assert!(news[1].contains("answers again"), "{news:?}");
}

#[tokio::test]
async fn of_a_failure_that_passes_with_the_first_wait_nothing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let down = ResponseTemplate::new(502).set_body_string("down");
    let server = serve(vec![vote("for"), down, vote("against")]).await;
    let clients = Clients::with_retries(QUICK);
    let record = CallRecord::open(&folder.path().join("calls.jsonl")).unwrap().0;
    let seats = seats(plan(&format!("{}/v1", server.uri()), MOTION), Some(&clients), record);
    seats.answer(&ballot(0)).await.unwrap();
    seats.answer(&ballot(1)).await.unwrap();
    assert_eq!(clients.take_news(), Vec::<String>::new());
}

#[tokio::test]
async fn with_no_time_to_try_again_a_call_is_tried_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(vec![vote("for"), ResponseTemplate::new(500), vote("for")]).await;
    let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
    Arc::make_mut(&mut plan.shared).models[0].retry_for_s = 0;
    let seats = live_on(plan, &file);
    seats.answer(&ballot(0)).await.unwrap();
    assert!(seats.answer(&ballot(1)).await.unwrap_err().to_string().contains("HTTP 500"));
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_rate_changes_when_calls_are_made_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(vec![vote("for")]).await;
    let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let model = &mut Arc::make_mut(&mut plan.shared).models[0];
    (model.requests_per_minute, model.tokens_per_minute) = (Some(60_000), Some(60_000_000));
    let seats = live_on(plan, &file);
    for attempt in 0..5 {
        assert_eq!(seats.answer(&ballot(attempt)).await.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())));
    }
    let requests = server.received_requests().await.unwrap();
    assert!(requests.len() == 5);
}

#[tokio::test]
async fn a_mistake_in_the_request_is_not_tried_again_whatever_its_body_is() {
    let numeric =
        json!({ "error": { "message": "'messages' is required", "code": 400, "type": "invalid_request_error" } });
    for (response, words) in [
        (ResponseTemplate::new(400).set_body_json(numeric), "HTTP 400: 'messages' is required"),
        (
            ResponseTemplate::new(404).set_body_string("<html>no</html>"),
            "HTTP 404: <html>no</html>; check base_url and the model's name, smollm2-135m",
        ),
        (ResponseTemplate::new(422), "HTTP 422: the response is empty"),
    ] {
        let (answer, requests, _) = ask(vec![response], &ballot(0)).await;
        let outage = answer.unwrap_err().to_string();
        assert!(outage.ends_with(words), "{outage}");
        assert_eq!(requests.len(), 1);
    }
}

#[tokio::test]
async fn a_key_is_sent_and_never_told() {
    // Cargo sets this variable for tests, so that none has to be changed here.
    let key = env!("CARGO_PKG_DESCRIPTION");
    let echo =
        json!({ "error": { "message": format!("Incorrect API key provided: {key}"), "code": "invalid_api_key" } });
    let server = serve(vec![ResponseTemplate::new(401).set_body_json(echo)]).await;
    let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
    Arc::make_mut(&mut plan.shared).models[0].api_key_env = Some("CARGO_PKG_DESCRIPTION".to_owned());
    let clients = Clients::with_retries(QUICK);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let record = || CallRecord::open(&file).unwrap().0;
    let outage = seats(plan.clone(), Some(&clients), record()).answer(&ballot(0)).await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 1, "a bad key is not tried again");
    assert_eq!(requests[0].headers["authorization"], format!("Bearer {key}").as_str());
    assert!(outage.to_string().contains("HTTP 401: Incorrect API key provided: [key]"), "{outage}");
    assert!(!format!("{outage:?}").contains(key));
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("[key]") && !kept.contains(key), "{kept}");
    Arc::make_mut(&mut plan.shared).models[0].api_key_env = Some("EKKLESIA_NO_SUCH_KEY".to_owned());
    let outage = seats(plan, Some(&clients), record()).answer(&ballot(0)).await.unwrap_err();
    assert!(outage.to_string().contains("EKKLESIA_NO_SUCH_KEY"), "{outage}");
}

#[tokio::test]
async fn requests_say_which_seat_of_which_session_is_asked_what_and_for_the_how_manyth_time() {
    let server = serve(vec![vote("for")]).await;
    let plan = plan(&format!("{}/v1", server.uri()), MOTION);
    let folder = tempfile::tempdir().unwrap();
    let mut query = ballot(0);
    query.id.attempt = 2;
    query.id.at.phase = PhaseName::new("投票 100%");
    live_on(plan, &folder.path().join("calls.jsonl")).answer(&query).await.unwrap();
    let requests = server.received_requests().await.unwrap();
    let header = |name: &str| requests[0].headers[name].to_str().unwrap().to_owned();
    let found =
        ["experiment", "session", "seat", "attempt", "question"].map(|name| header(&format!("x-ekklesia-{name}")));
    assert_eq!(found[..4], ["test", "baseline-r000001", "Bob", "2"]);
    let question = format!("%E6%8A%95%E7%A5%A8 100%25:{}:{}:ballot", query.id.at.round, query.id.at.turn);
    assert_eq!(found[4], question);
    let body: serde_json::Value = serde_json::from_slice(&requests[0].body).unwrap();
    assert!(!body.to_string().contains("ekklesia"), "headers are no part of what is digested: {body}");
}

#[tokio::test]
async fn a_server_that_is_down_is_named_without_its_credentials() {
    // Held without anybody listening, so that no other server is given it meanwhile.
    let held = tokio::net::TcpSocket::new_v4().unwrap();
    held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = held.local_addr().unwrap().port();
    let plan = plan(&format!("http://user:secret@127.0.0.1:{port}/v1"), MOTION);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let seats = live_on(plan, &file);
    let outage = seats.answer(&ballot(0)).await.unwrap_err().to_string();
    assert!(outage.starts_with(&format!("http://127.0.0.1:{port}/v1: ")), "{outage}");
    assert!(outage.contains("refused") && outage.contains("after 4 attempts"), "{outage}");
    assert!(!outage.contains("secret"));
    assert!(!std::fs::read_to_string(&file).unwrap().contains("secret"));
}

#[tokio::test]
async fn what_a_model_thought_is_kept_apart_from_its_reply() {
    let spellings = [
        json!({ "content": "{\"choice\":\"for\"}", "reasoning_content": "Hm." }),
        json!({ "content": "{\"choice\":\"for\"}", "reasoning": "Hm.", "reasoning_content": null }),
        json!({ "content": "{\"choice\":\"for\"}", "reasoning": "Hm.", "reasoning_content": "Hm." }),
        json!({ "content": "<think>\nHm.\n</think>\n{\"choice\":\"for\"}", "reasoning": { "effort": 1 } }),
    ];
    for message in spellings {
        let (answer, _, lines) = ask(vec![completion(message, "stop")], &ballot(0)).await;
        let answer = answer.unwrap();
        assert_eq!(
            (answer.parsed, answer.raw.as_str()),
            (Ok(Reply::Choice(AlternativeId(0).into())), "{\"choice\":\"for\"}")
        );
        assert_eq!((&lines[0]["thinking"], &lines[0]["raw"]), (&json!("Hm."), &json!("{\"choice\":\"for\"}")));
    }
}

#[tokio::test]
async fn a_key_that_a_server_echoes_is_not_written_down_but_one_as_short_as_a_word_changes_no_reply() {
    // A server without keys may be given anything in their stead, and it may be said.
    for (variable, key, kept) in [
        ("CARGO_PKG_DESCRIPTION", env!("CARGO_PKG_DESCRIPTION"), "[key]"),
        ("CARGO_PKG_NAME", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_NAME")),
    ] {
        let finish = if kept == "[key]" { key } else { "stop" };
        let echo = completion(json!({ "role": "assistant", "content": format!("CHOICE: {key}") }), finish);
        let server = serve(vec![echo]).await;
        let mut plan = plan(&format!("{}/v1", server.uri()), MOTION);
        Arc::make_mut(&mut plan.shared).models[0].api_key_env = Some(variable.to_owned());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("calls.jsonl");
        live_on(plan, &file).answer(&ballot(0)).await.unwrap();
        let lines = std::fs::read_to_string(&file).unwrap();
        assert!(lines.contains(&format!("CHOICE: {kept}")), "{lines}");
        assert!(kept == key || !lines.contains(key), "{lines}");
    }
}

/// A record with one answered ballot, and the file it is in.
async fn recorded(response: ResponseTemplate) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    let server = serve(vec![response]).await;
    let seats = live(&server, &file);
    seats.answer(&ballot(0)).await.unwrap();
    assert_eq!((seats.calls_live(), seats.answers_recorded()), (1, 0));
    // Only the line of the answer, without that of the call's beginning.
    let lines = std::fs::read_to_string(&file).unwrap();
    let (begun, answered) = lines.split_once('\n').unwrap();
    assert!(begun.starts_with("{\"begun\":") && answered.lines().count() == 1, "{lines}");
    std::fs::write(&file, answered).unwrap();
    (folder, file)
}

#[tokio::test]
async fn recorded_answers_need_no_server_and_faults_come_back_too() {
    for (response, parsed) in [
        (vote("for"), Ok(Reply::Choice(AlternativeId(0).into()))),
        (real("finish_length"), Err(Fault::CutByLength)),
        (real("context_overflow"), Err(Fault::ContextTooLong)),
    ] {
        let (_folder, file) = recorded(response).await;
        let elsewhere = plan("http://127.0.0.1:1/v1", MOTION);
        let offline = seats(elsewhere, None, CallRecord::read(&file).unwrap().0);
        assert_eq!(offline.answer(&ballot(0)).await.unwrap().parsed, parsed);
        assert_eq!((offline.calls_live(), offline.answers_recorded()), (0, 1));
        let outage = offline.answer(&ballot(1)).await.unwrap_err();
        assert!(matches!(outage, Outage::NotRecorded { .. }), "{outage}");
    }
}

#[tokio::test]
async fn another_prompt_diverges_from_the_record() {
    let (_folder, file) = recorded(vote("for")).await;
    let changed = plan("http://127.0.0.1:1/v1", "Should the city close Main Street?");
    let offline = seats(changed, None, CallRecord::read(&file).unwrap().0);
    let outage = offline.answer(&ballot(0)).await.unwrap_err();
    assert!(matches!(outage, Outage::Diverged { .. }), "{outage}");
}

#[tokio::test]
async fn a_fork_copies_the_answers_its_own_requests_got_and_asks_the_rest_anew() {
    let (folder, file) = recorded(vote("for")).await;
    let branch = folder.path().join("branch.jsonl");
    let server = serve(vec![vote("against")]).await;
    let clients = Clients::with_retries(QUICK);
    for (motion, choice, called) in [(MOTION, AlternativeId(0), 0), ("Should the street close?", AlternativeId(1), 1)] {
        let _ = std::fs::remove_file(&branch);
        let reuse = Reuse::Fork(CallRecord::read(&file).unwrap().0);
        let fork = ModelSeats::new(
            Arc::new(plan(&format!("{}/v1", server.uri()), motion)),
            1,
            Some(&clients),
            CallRecord::open(&branch).unwrap().0,
            reuse,
            Arc::new(AtomicBool::new(false)),
        );
        assert_eq!(fork.answer(&ballot(0)).await.unwrap().parsed, Ok(Reply::Choice(choice.into())));
        assert_eq!(fork.calls_live(), called);
        assert_eq!(CallRecord::read(&branch).unwrap().0.calls_of_models(), 1);
    }
}

#[tokio::test]
async fn after_an_interrupt_no_call_begins() {
    let server = serve(vec![vote("for")]).await;
    let plan = Arc::new(plan(&format!("{}/v1", server.uri()), MOTION));
    let stop = Arc::new(AtomicBool::new(true));
    let seats = ModelSeats::new(plan, 1, Some(&Clients::new()), CallRecord::empty(), Reuse::Own, stop);
    assert_eq!(seats.answer(&ballot(0)).await.unwrap_err(), Outage::Interrupted);
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_torn_last_line_is_dropped_and_a_broken_one_before_it_is_an_error() {
    let (_folder, file) = recorded(vote("for")).await;
    let whole = std::fs::read_to_string(&file).unwrap();
    for end in 1..whole.len() {
        std::fs::write(&file, format!("{whole}{}", &whole[..end])).unwrap();
        let (record, torn) = CallRecord::read(&file).unwrap();
        let torn = torn.unwrap();
        assert_eq!((record.calls_of_models(), torn.line, torn.bytes), (1, 2, end));
    }
    CallRecord::open(&file).unwrap().1.unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), whole, "the torn line is cut from the file");
    std::fs::write(&file, format!("{}\n{whole}", &whole[..20])).unwrap();
    let error = CallRecord::open(&file).unwrap_err().to_string();
    assert!(error.contains("calls.jsonl:1: "), "{error}");
}

#[tokio::test]
async fn a_line_may_stand_twice_but_not_with_two_answers() {
    let (_folder, file) = recorded(vote("for")).await;
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{whole}{whole}")).unwrap();
    assert_eq!(CallRecord::open(&file).unwrap().0.calls_of_models(), 1);
    let other = whole.replace("\\\"for\\\"", "\\\"against\\\"");
    assert_ne!(other, whole);
    std::fs::write(&file, format!("{whole}{other}")).unwrap();
    let error = CallRecord::open(&file).unwrap_err().to_string();
    assert!(error.contains("calls.jsonl:2: a second, different answer"), "{error}");
}

#[test]
fn a_prompt_is_told_from_the_seats_own_perspective() {
    let remark = |seq, round, turn, speaker: Option<u32>, text: &str, kept: usize| Remark {
        seq: Seq(seq),
        round,
        turn,
        speaker: speaker.map(SeatId),
        text: text.into(),
        kept_bytes: kept as u32,
        stance: None,
        opinion: None,
    };
    let remarks = [
        remark(2, 0, 0, None, "Welcome.", 8),
        remark(4, 1, 1, Some(0), "Lanes keep children safe on the way.", 23),
        remark(5, 1, 2, Some(1), "Parking matters too.", 20),
        remark(6, 1, 3, Some(2), "I drive.", 8),
    ];
    let own = [OwnEntry {
        seq: Seq(8),
        phase: PhaseName::new("discussion"),
        round: 1,
        kind: EntryKind::OwnBallot,
        text: "You voted: against".to_owned(),
    }];
    let mut query =
        query(Ask::Statement { options: options(), chars_min: 0, chars_max: None, marks: false, opinion: false }, 1);
    query.retry = Some(Fault::UnknownAlternative);
    let places = Places::of(&remarks);
    query.brief.remarks = places.over(&remarks);
    query.brief.own = own.as_slice().into();
    let plan = plan("http://127.0.0.1:1/v1", MOTION);
    let agents: Vec<&Agent> = plan.seats.iter().map(|seat| &seat.agent).collect();
    for (form, golden) in [
        (AnswerForm::JsonSchema, include_str!("../data/prompts/statement_json.txt")),
        (AnswerForm::Anchored, include_str!("../data/prompts/statement_anchored.txt")),
    ] {
        let messages = plan.prompts.messages(&plan.motion, &agents, &query, (form, 300)).unwrap();
        let told: Vec<String> = messages.iter().map(|m| format!("== {}\n{}\n", m.role.as_str(), m.content())).collect();
        assert_eq!(told.concat(), golden, "\n{}", told.concat());
    }
}

#[tokio::test]
async fn a_model_that_may_look_things_up_is_told_so_and_shown_what_was_found() {
    let content = r#"{"look_up": "the cost", "page": null, "choice": "for"}"#;
    let reply = completion(json!({ "role": "assistant", "content": content }), "stop");
    let query = Query { offer: Offer { look_up: true, page: true }, ..ballot(0) };
    let (answer, requests, _) = ask(vec![reply], &query).await;
    assert_eq!(answer.unwrap().parsed, Ok(Reply::Inquiry(Inquiry::LookUp("the cost".to_owned()))));
    let schema = &requests[0]["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["look_up", "page", "choice"]));
    let told = requests[0]["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(told.contains("give \"look_up\" the words to look for"), "{told}");
    // Once it is shown what was found nothing more is offered.
    let (text, stance) = ("It costs nine.".to_owned(), None);
    let kept_bytes = text.len() as u32;
    let floor = [Remark {
        seq: Seq(3),
        round: 1,
        turn: 2,
        speaker: Some(SeatId(0)),
        text: text.into(),
        kept_bytes,
        stance,
        opinion: None,
    }];
    let inquiry = Inquiry::LookUp("the cost".to_owned());
    let mut query = ballot(1);
    query.brief.remarks.floor = &floor;
    query.brief.found = Some(Found { inquiry: &inquiry, remarks: &[0], page: None });
    let (answer, requests, _) = ask(vec![vote("for")], &query).await;
    assert_eq!(answer.unwrap().parsed, Ok(Reply::Choice(AlternativeId(0).into())));
    let told = requests[0]["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(told.starts_with("You looked up \"the cost\" and found:\nAlice (#1.2) said: \"It costs nine.\""), "{told}");
    assert!(requests[0]["response_format"]["json_schema"]["schema"]["properties"].get("look_up").is_none());
}
