//! A seat alone at the table, and a seat beside one that never speaks: both are sessions like any other.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{Server, ekklesia, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, plan, write_config};
use ekklesia::domain::{Adjourned, Consequence, Event, Faulted, Record, Reply, SeatName, Step, StopReason, Verdict};
use serde_json::Value;

const ALONE: &str = "seats: [{ name: Alice";
const BESIDE: &str = "seats: [{ name: Bob, model: sim, mind: { silent: {} } }, { name: Alice";

fn with_model(server: &Server, seats: &str) -> String {
    let url = server.base_url();
    format!(
        "models:\n  sim: {{ simulated: {{}} }}\n  small: {{ openai: {{ base_url: \"{url}\", model: played, max_tokens: 60 }} }}\n\
         {seats}, model: small }}]\ndecision: {{ invalid: abstain, of: valid }}\n\
         discussion: {{ rounds: 4, order: random, vote: at_end }}\n"
    )
}

fn roles(request: &Value) -> Vec<&str> {
    request["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect()
}

/// The values of a column of a table without quoted cells.
fn column(root: &Path, table: &str, name: &str) -> Vec<String> {
    let mut rows = csv::Reader::from_path(root.join(table)).unwrap();
    let place = rows.headers().unwrap().iter().position(|header| header == name).unwrap();
    rows.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

#[test]
fn a_model_facing_silence_is_asked_by_a_user_in_every_prompt_from_the_first_turn_on() {
    let server = Server::start();
    for seats in [ALONE, BESIDE] {
        let place = tempfile::tempdir().unwrap();
        let config = write_config(place.path(), &with_model(&server, seats));
        let out = place.path().join("out");
        let before = server.requests();
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 session"]);
        let requests = server.bodies().split_off(before);
        assert!(requests.len() >= 5, "four turns and a ballot");
        for request in &requests {
            let roles = roles(request);
            assert_eq!(roles[..2], ["system", "user"], "{request}");
            assert_eq!(roles.last(), Some(&"user"), "{request}");
            assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
            let words = request["messages"].to_string();
            assert!(!words.contains("Bob (#"), "who is silent said nothing: {words}");
        }
        assert_eq!(column(&out, "sessions.csv", "status"), ["completed"]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence", "no seat was shown anything"]);
        ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).says(0, &["Alice"]);
    }
}

#[test]
fn who_is_silent_passes_every_turn_and_its_ballot_is_an_abstention_where_the_rules_make_it_one() {
    let place = tempfile::tempdir().unwrap();
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [{ name: Alice, mind: { voter: { copy: 0 } } }, { name: Bob, mind: { silent: {} } }]\n\
                straw_polls: [before]\ndecision: { invalid: INVALID, of: valid, rule: majority }\n\
                discussion: { rounds: 3, order: fixed, vote: at_end }\n";
    for (invalid, abstained, outcome) in [("abstain", "1", "carried"), ("void_round", "0", "no_decision")] {
        let config = write_config(place.path(), &body.replace("INVALID", invalid));
        let out = place.path().join(invalid);
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        assert_eq!(column(&out, "sessions.csv", "outcome"), [outcome]);
        assert_eq!(column(&out, "tallies.csv", "abstained").last().unwrap(), abstained, "the last count is the vote's");
        assert_eq!(column(&out, "seats.csv", "mind"), ["voter", "silent"]);
        assert_eq!(column(&out, "seats.csv", "statements"), ["3", "0"]);
        assert_eq!(column(&out, "seats.csv", "words")[1], "0");
        assert_eq!(column(&out, "rounds.csv", "passes")[1..4], ["1", "1", "1"], "between the poll and the vote");
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        let methods = fs::read_to_string(out.join("methods.md")).unwrap();
        assert!(methods.contains("says and chooses nothing"), "{methods}");
    }
}

#[test]
fn one_seat_and_a_silent_pair_come_to_an_end_whatever_the_order_and_the_vote() {
    let seatings = [
        ("{ name: Alice, mind: { voter: { copy: 0.5 } } }", Verdict::Carried),
        ("{ name: Alice, mind: { silent: {} } }", Verdict::NoDecision),
        ("{ name: Alice, mind: { silent: {} } }, { name: Bob, mind: { silent: {} } }", Verdict::NoDecision),
    ];
    let mut cases = Vec::new();
    for order in ["fixed", "random", "rotating", "williams", "simultaneous"] {
        for vote in ["at_end", "every_round", "on_call"] {
            cases.extend(seatings.map(|(seats, wanted)| (order, vote, seats, wanted)));
        }
    }
    for (order, vote, seats, wanted) in sample_cases(cases, 4) {
        let plan = plan(&format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{seats}]\n\
             discussion: {{ rounds: 3, order: {order}, vote: {vote}, private_reasoning: true }}\n"
        ));
        let records = trial::whole(&plan, 1);
        let Event::Adjourned(Adjourned { verdict, .. }) = records.last().unwrap().event else { panic!("{records:?}") };
        let ends_undecided = vote == "on_call" && wanted == Verdict::Carried && verdict == Verdict::NoDecision;
        assert!(verdict == wanted || ends_undecided, "{order} {vote} {seats}: {verdict:?}");
        let spoke = records.iter().any(|record| matches!(record.reply(), Some(Reply::Statement { .. })));
        assert_eq!(spoke, seats.contains("voter"), "{order} {vote} {seats}");
    }
}

#[test]
fn who_is_silent_fails_the_test_ranks_nothing_and_is_paid_for_nothing_it_did_not_choose() {
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [{ name: Alice, mind: { justice: {} } }, { name: Bob, mind: { silent: {} } }]\n\
                discussion: { rounds: 4, order: random }\n";
    let plan = trial::justice(body);
    let records = trial::whole(&plan, 1);
    let bob = |event: fn(&Event) -> bool| {
        let of = records.iter().filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Bob"));
        of.filter(|record| event(&record.event)).count()
    };
    let steps = [Step::Ranking, Step::Application, Step::Comprehension];
    let is_answered = |record: &Record| steps.contains(&record.at.step) && record.reply().is_some();
    assert!(!records.iter().any(|record| is_answered(record) && record.seat == Some(SeatName::new("Bob"))));
    assert!(bob(|event| matches!(event, Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }))) > 0);
    let last = &records.last().unwrap().event;
    assert!(
        matches!(last, Event::Adjourned(Adjourned { stop: StopReason::RoundsUsedUp | StopReason::Decided, .. })),
        "{last:?}"
    );
}
