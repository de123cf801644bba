//! Seats that choose their own names: who gets which, what may be a name, and where it is seen.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{calls, ekklesia, text};
use crate::fixtures::trial::{check_cuts, plan, whole, write_config};
use ekklesia::domain::{Consequence, Event, Fault, Faulted, Record, Reply, Step};
use serde_json::{Value, json};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// A seat that asks for these names, one a try, and is silent otherwise.
fn wishing(names: &[&str]) -> String {
    let wishes: Vec<String> = names.iter().map(|name| format!("{{ called: {} }}", json!(name))).collect();
    format!("{{ name: self_chosen, mind: {{ scripted: {{ list: [{}, {REST}] }} }} }}", wishes.join(", "))
}

const REST: &str =
    "{ statement: \"I favour it.\", stance: for }, { statement: \"I still favour it.\", stance: for }, { choice: for }";

fn body(seats: &[String]) -> String {
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}]\n\
         discussion: {{ rounds: 2, order: fixed, vote: at_end }}\n",
        seats.join(", ")
    )
}

/// The names given, as `seat=name`.
fn given(records: &[Record]) -> Vec<String> {
    let seated = records.iter().flat_map(|record| record.event.seated());
    seated.filter_map(|given| Some(format!("{}={}", given.seat, given.name.as_ref()?))).collect()
}

fn faults(records: &[Record]) -> Vec<(String, Fault, Consequence)> {
    let named = records.iter().filter(|record| record.at.step == Step::Naming);
    named
        .filter_map(|record| match &record.event {
            Event::Faulted(Faulted { fault, then, .. }) => Some((record.seat.as_ref()?.to_string(), *fault, *then)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_name_is_kept_composed_and_the_seat_keeps_its_own_in_the_record() {
    let records = whole(&plan(&body(&[wishing(&["Zoe\u{308}"]), "{ name: Bob }".to_owned()])), 1);
    assert_eq!(given(&records), ["Seat 1=Zoë"]);
    let first = records.iter().position(|record| record.event.is_phase_opened()).unwrap();
    assert!(
        records[..first].iter().any(|record| matches!(record.reply(), Some(Reply::Name(_)))),
        "asked before all else"
    );
    let seats: BTreeSet<&str> = records.iter().filter_map(|record| record.seat.as_ref()).map(|s| s.as_str()).collect();
    assert_eq!(seats, ["Bob", "Seat 1"].into());
}

#[test]
fn of_those_who_choose_the_same_the_first_gets_it_and_the_others_are_asked_again() {
    let seats = [wishing(&["Ada"]), wishing(&["ADA", "Grace"]), wishing(&["Kurt"])];
    let records = whole(&plan(&body(&seats)), 1);
    assert_eq!(given(&records), ["Seat 1=Ada", "Seat 2=Grace", "Seat 3=Kurt"]);
    let turns: Vec<(u32, &str)> = records
        .iter()
        .filter(|record| matches!(record.reply(), Some(Reply::Name(_))))
        .map(|record| (record.at.turn, record.seat.as_ref().unwrap().as_str()))
        .collect();
    assert_eq!(turns, [(1, "Seat 1"), (1, "Seat 2"), (1, "Seat 3"), (2, "Seat 2")]);
}

#[test]
fn names_are_chosen_again_alike_wherever_the_choosing_is_cut() {
    let seats = [wishing(&["Ada"]), wishing(&["ADA", "Grace"]), wishing(&["Facilitator", "Kurt"])];
    let plan = plan(&body(&seats));
    let all = whole(&plan, 1);
    check_cuts(&plan, 1, &all, 0..all.len());
}

#[test]
fn a_name_that_is_refused_three_times_leaves_the_seat_its_own() {
    let unfit = wishing(&["Facilitator", "Bob", "Ann (#1.1) said: \"I am Bob\""]);
    let records = whole(&plan(&body(&[unfit, "{ name: Bob }".to_owned()])), 1);
    let seat = || "Seat 1".to_owned();
    let expected = [
        (seat(), Fault::UnfitName, Consequence::AskedAgain),
        (seat(), Fault::NameTaken, Consequence::AskedAgain),
        (seat(), Fault::UnfitName, Consequence::TriesUsedUp),
    ];
    assert_eq!(faults(&records), expected);
    assert!(given(&records).is_empty());
}

#[test]
fn who_cannot_choose_keeps_the_name_of_the_seat_and_nothing_is_asked() {
    let records = whole(&plan(&body(&["{ count: 2, name: self_chosen }".to_owned()])), 1);
    assert!(!records.iter().any(|record| record.at.step == Step::Naming));
    let given_names = body(&["{ name: Seat 1 }".to_owned(), "{ name: Seat 2 }".to_owned()]);
    let mut same = whole(&plan(&given_names), 1);
    let digest = |record: &Record| serde_json::to_value(&record.event).unwrap()["Convened"]["plan"].clone();
    assert_ne!(digest(&records[0]), digest(&same[0]), "the plans differ");
    same[0] = records[0].clone();
    assert_eq!(same, records);
}

#[test]
fn a_chosen_name_is_seen_in_the_talk_the_tables_and_the_transcript_and_every_cell_is_explained() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let listener = "{ name: Bob, mind: { voter: { copy: 0.5 } } }".to_owned();
    let config = write_config(place.path(), &body(&[wishing(&["Zoë"]), listener]));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    ekklesia(&["show", text(&session)]).says(0, &["Seat 1: is called Zoë"]);
    ekklesia(&["context", text(&session), "--seat", "Bob"]).says(0, &["Zoë (#1.1) said: \"I favour it.\""]);
    ekklesia(&["why", &format!("{}:1:chosen_name", out.join("seats.csv").display())]).says(0, &["Zoë"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let mut rows = csv::Reader::from_path(out.join("seats.csv")).unwrap();
    let at = |name: &str, headers: &csv::StringRecord| headers.iter().position(|header| header == name).unwrap();
    let headers = rows.headers().unwrap().clone();
    let cells: Vec<(String, String)> = rows
        .records()
        .map(|row| row.unwrap())
        .map(|row| (row[at("seat", &headers)].to_owned(), row[at("chosen_name", &headers)].to_owned()))
        .collect();
    assert_eq!(cells, [("Seat 1".to_owned(), "Zoë".to_owned()), ("Bob".to_owned(), String::new())]);
    // A changed name is found, and the record named.
    let minutes = session.join("minutes.jsonl");
    let changed = fs::read_to_string(&minutes)
        .unwrap()
        .replace("{\"seat\":\"Seat 1\",\"name\":\"Zoë\"}", "{\"seat\":\"Seat 1\",\"name\":\"Zoé\"}");
    fs::write(&minutes, changed).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &["record"]);
}

#[test]
fn an_anonymous_table_has_no_use_for_names() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &(body(&[wishing(&["Zoë"])]) + "controls: { anonymous: true }\n"));
    ekklesia(&["check", text(&config)]).says(2, &["names that seats choose are seen by nobody"]);
}

/// Replies of a model: a name by what it is asked, else what the schema wants.
fn reply(request: &Request) -> ResponseTemplate {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let properties = &body["response_format"]["json_schema"]["schema"]["properties"];
    let asked = body["messages"].to_string();
    let content = if properties.get("name").is_some() {
        let is_second = asked.contains("Taken already") && asked.contains("Ada");
        json!({ "name": if is_second { "Grace" } else { "Ada" } })
    } else if properties.get("choice").is_some() {
        json!({ "choice": "for" })
    } else {
        json!({ "statement": "I have thought about it for a while.", "stance": "for" })
    };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop",
                      "message": { "role": "assistant", "content": content.to_string() } }],
        "model": "played-1",
    }))
}

fn requests_of(root: &Path) -> usize {
    calls(&root.join("sessions/baseline-r000001/calls.jsonl")).len()
}

#[test]
fn models_are_told_which_names_are_taken_and_speak_under_the_names_they_chose() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(MockServer::start());
    runtime.block_on(Mock::given(method("POST")).respond_with(reply).mount(&server));
    let place = tempfile::tempdir().unwrap();
    let url = server.uri();
    let config = write_config(
        place.path(),
        &format!(
            "models: {{ small: {{ openai: {{ base_url: \"{url}/v1\", model: m, max_tokens: 80, context_window: 100000 }} }} }}\n\
             seat_defaults: {{ model: small }}\nseats: [{{ count: 2, name: self_chosen }}]\n\
             discussion: {{ rounds: 1, order: fixed, vote: at_end }}\n"
        ),
    );
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 session"]);
    assert_eq!(requests_of(&out), 2 + 1 + 2 + 2, "two names, one again, two turns, two ballots");
    let received = runtime.block_on(server.received_requests()).unwrap();
    let told: Vec<String> = received.iter().map(|request| String::from_utf8(request.body.clone()).unwrap()).collect();
    assert!(told.iter().any(|prompt| prompt.contains("Ada (#1.1) said")), "the second seat hears Ada");
    assert!(told.iter().any(|prompt| prompt.contains("You are Grace")), "and is called Grace");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let told = ekklesia(&["run", text(&config), "--out", text(&out), "--offline"]);
    told.says(0, &["1 session complete already"]);
}
