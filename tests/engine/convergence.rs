//! Talks whose statements become alike: what follows is what the config says, is minuted, and is made again wherever the session is cut.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{check_cuts, plan, whole, write_config};
use ekklesia::analysis::measures::ConvergenceProfile;
use ekklesia::domain::{Adjourned, Event, Record, RoundClosed, StopReason, Verdict};
use ekklesia::plan::Plan;
use ekklesia::session::forecast_session;

/// Two seats that say different things in round 1, the same in round 2 and other things in round 3; and how the talk converges.
fn body(convergence: &str, vote: &str) -> String {
    let seat = |name: &str, first: &str, last: &str| {
        let ballot = if name == "Alice" { "for" } else { "against" };
        format!(
            "  - name: {name}
    mind:
      scripted:
        table:
          - {{ phase: discussion, round: 1, step: statement, statement: \"{first}\", stance: for }}
          - {{ phase: discussion, round: 2, step: statement, statement: \"We agree on the dam.\", stance: for }}
          - {{ phase: discussion, round: 3, step: statement, statement: \"{last}\", stance: for }}
          - {{ phase: discussion, round: 1, step: ballot, choice: {ballot} }}
          - {{ phase: discussion, round: 2, step: ballot, choice: {ballot} }}
          - {{ phase: discussion, round: 3, step: ballot, choice: {ballot} }}
          - {{ phase: vote, round: 0, step: ballot, choice: for }}
"
        )
    };
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
{}{}{}discussion: {{ rounds: 3, order: fixed, vote: {vote}, convergence: {convergence} }}
decision: {{ rule: unanimity }}
",
        seat("Alice", "The river floods every spring!", "No more words."),
        seat("Bob", "Fish need a way past it, do they not? Farmers too.\\n\\n- one\\n- two", "Let us vote"),
        seat("Carol", "Money comes first", "A third thing entirely: bridges, roads and schools.")
    )
}

fn closings(records: &[Record]) -> Vec<Option<u32>> {
    let closing = |record: &Record| match record.event {
        Event::RoundClosed(RoundClosed { convergence, .. }) => Some(convergence),
        _ => None,
    };
    records.iter().filter_map(closing).collect()
}

fn end(records: &[Record]) -> (Verdict, StopReason) {
    match records.last().unwrap().event {
        Event::Adjourned(Adjourned { verdict, stop, .. }) => (verdict, stop),
        ref other => panic!("{other:?} is no end"),
    }
}

#[test]
fn a_talk_ends_after_the_round_in_which_it_converges_only_where_the_author_says_stop() {
    for (vote, ends) in [
        ("at_end", (Verdict::Carried, StopReason::Decided)),
        ("every_round", (Verdict::NoDecision, StopReason::Converged)),
    ] {
        let stopped = whole(&plan(&body("{ action: stop }", vote)), 1);
        let found = closings(&stopped);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].unwrap() < 800_000 && found[1] == Some(1_000_000), "{found:?}");
        assert_eq!(end(&stopped), ends, "{vote}");
        for action in ["warn", "continue"] {
            let all = closings(&whole(&plan(&body(&format!("{{ action: {action} }}"), vote)), 1));
            assert_eq!((all.len(), &all[..2]), (3, &found[..]), "{action}");
        }
    }
    // A threshold that no round reaches stops nothing; one that every round reaches stops at once.
    assert_eq!(closings(&whole(&plan(&body("{ action: stop, threshold: 0.01 }", "at_end")), 1)).len(), 1);
    let strict = closings(&whole(&plan(&body("{ action: continue, profile: strict }", "at_end")), 1));
    let balanced = closings(&whole(&plan(&body("{ action: continue, profile: balanced }", "at_end")), 1));
    assert_ne!(strict[0], balanced[0], "profiles weigh differently");
    assert_eq!(ConvergenceProfile::default(), ConvergenceProfile::Balanced);
}

#[test]
fn what_is_not_asked_for_is_not_minuted() {
    let body = body("{}", "at_end").replace(", convergence: {}", "");
    let records = whole(&plan(&body), 1);
    assert_eq!(closings(&records), [None; 3]);
    assert!(!serde_json::to_string(&records).unwrap().contains("convergence"));
}

#[test]
fn a_talk_that_converges_is_the_same_wherever_it_is_cut() {
    for vote in ["at_end", "every_round"] {
        let plan: Arc<Plan> = plan(&body("{ action: stop }", vote));
        let all = whole(&plan, 1);
        check_cuts(&plan, 1, &all, 0..=all.len());
    }
}

#[test]
fn what_a_stop_spares_was_foreseen() {
    for convergence in ["{ action: stop }", "{ action: warn }"] {
        let plan = plan(&body(convergence, "every_round"));
        let asked = whole(&plan, 1).iter().filter(|record| record.attempt.is_some()).count() as u64;
        let forecast = forecast_session(&plan).unwrap();
        assert!(forecast.questions.contains(asked), "{asked} {:?}", forecast.questions);
        let rounds = if convergence.contains("stop") { (1, 3) } else { (3, 3) };
        assert_eq!((forecast.questions.low, forecast.questions.high), (rounds.0 * 6, rounds.1 * 6));
    }
}

fn run(folder: &Path, body: &str) -> std::path::PathBuf {
    let out = folder.join("out");
    ekklesia(&["run", text(&write_config(folder, body)), "--out", text(&out)]).says(0, &[]);
    out
}

#[test]
fn it_is_proven_told_and_in_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let out = run(folder.path(), &body("{ action: stop, profile: semantic }", "every_round"));
    ekklesia(&["replay", text(&out)]).says(0, &[]);
    let minutes = out.join("sessions/baseline-r000001/minutes.jsonl");
    let sound = fs::read_to_string(&minutes).unwrap();
    fs::write(&minutes, sound.replace("\"convergence\":1000000", "\"convergence\":999999")).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &["convergence"]);
    fs::write(&minutes, sound).unwrap();
    let rows = |table: &str| -> Vec<std::collections::BTreeMap<String, String>> {
        csv::Reader::from_path(out.join(table)).unwrap().deserialize().map(Result::unwrap).collect()
    };
    let rounds = rows("rounds.csv");
    let talk: Vec<&str> = rounds
        .iter()
        .filter(|row| row["phase_kind"] == "discussion" && row["round"] != "0")
        .map(|row| row["convergence"].as_str())
        .collect();
    assert_eq!((talk.len(), talk[1]), (2, "1.000000"));
    let session = &rows("sessions.csv")[0];
    assert_eq!((session["stop_reason"].as_str(), session["converged_round"].as_str()), ("converged", "2"));
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("by the profile semantic, reached 0.8, the talk ended after it"), "{methods}");
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).says(0, &["statements had become alike"]);
}

#[test]
fn a_warning_is_in_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let told = ekklesia(&[
        "run",
        text(&write_config(folder.path(), &body("{ action: warn }", "at_end"))),
        "--out",
        text(&folder.path().join("out")),
    ]);
    told.says(0, &["converged", "1 of 1 session"]);
}
