//! What is decided by default where no vote decides.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{column, ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, repository, whole, write_agenda, write_file};
use crate::oracle::check_cells;
use ekklesia::domain::{Adjourned, Record, StopReason, Verdict};

/// Three seats that vote in the phase `v` by these expressions.
fn seats(votes: [&str; 3]) -> String {
    let seat = |(name, vote): (&str, &str)| format!("  - {{ name: {name}, mind: {{ rule: {{ v: \"{vote}\" }} }} }}\n");
    let all: String = ["Ann", "Bob", "Cleo"].into_iter().zip(votes).map(seat).collect();
    format!("models: {{ sim: {{ simulated: {{}} }} }}\nseats:\n{all}")
}

/// What each count decided for, and whether by default.
fn list_counts(records: &[Record]) -> Vec<(Option<String>, bool)> {
    let counts = records.iter().filter_map(|record| record.event.tallied());
    counts.map(|report| (report.decided.as_ref().map(ToString::to_string), report.by_default)).collect()
}

/// The counts of a session, and how it ended. It goes on to the same minutes wherever it was cut.
fn hold(place: &Path, agenda: &str, votes: [&str; 3], more: &str) -> (Vec<(Option<String>, bool)>, Adjourned) {
    let config = write_agenda(place, agenda, &format!("{}{more}", seats(votes)));
    let plan = read(&config).arms[0].clone();
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    (list_counts(&records), records.last().unwrap().event.adjourned().unwrap().clone())
}

fn by_ballots(decided: &str) -> (Option<String>, bool) {
    (Some(decided.to_owned()), false)
}

fn by_default(decided: &str) -> (Option<String>, bool) {
    (Some(decided.to_owned()), true)
}

const NONE: (Option<String>, bool) = (None, false);

#[test]
fn a_jury_acquits_unless_all_vote_guilty_and_everything_says_so() {
    let place = tempfile::tempdir().unwrap();
    let scenario = repository().join("scenarios/jury");
    let seat = "{ name: N, model: sim, mind: { rule: { verdict: \"'V'\" } } }";
    let seats: Vec<String> = [("Ann", "guilty"), ("Bob", "guilty"), ("Cleo", "not_guilty")]
        .map(|(name, verdict)| seat.replace('N', name).replace('V', verdict))
        .into();
    let body = format!(
        "experiment: acquits\nscenario: {}\nseed: 3\nreplicates: 4\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seats: [ {} ]\ndiscussion: {{ rounds: 0 }}\ndecision: {{ rule: unanimity, otherwise: not_guilty }}\n",
        text(&scenario),
        seats.join(", ")
    );
    let config = write_file(place.path(), "config.yaml", body);
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &["not_guilty is decided by default"]);
    let ran = ekklesia(&["run", text(&config), "--out", text(&out)]);
    ran.says(0, &["decided by default", "4 sessions"]);
    check_cells(&out, 1);
    for row in rows(&out, "sessions") {
        let read = |name: &str| row[name].as_str();
        assert_eq!([read("outcome"), read("result"), read("carried")], ["by_default", "not_guilty", "0"]);
        assert!(["0", "1"].contains(&read("correct")), "{}", read("correct"));
    }
    for row in rows(&out, "tallies") {
        let read = |name: &str| row[name].as_str();
        assert_eq!([read("by_default"), read("decided_for"), read("is_winner")], ["1", "not_guilty", "0"]);
    }
    let session = out.join("sessions/baseline-r000001");
    let shown = ekklesia(&["show", text(&session)]);
    shown.says(0, &["otherwise the verdict is", "decided by default"]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("`not_guilty` was decided for by default"), "{methods}");
    assert!(methods.contains("By default: no vote decided"), "{methods}");
    let recount = ekklesia(&["retally", text(&session), "--rule", "unanimity", "--rule", "majority"]);
    recount.says(0, &["not_guilty (default)", "guilty"]);
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    assert_eq!(column(&out, "outcome").len(), 4);
}

#[test]
fn a_vote_in_every_round_decides_by_default_in_the_last_round_alone() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda: [ { name: v, discussion: {} } ]";
    let more = "discussion: { rounds: 3, vote: every_round }\ndecision: { rule: unanimity, otherwise: against }\n";
    let (counts, end) = hold(place.path(), agenda, ["'for'", "'for'", "'against'"], more);
    assert_eq!(counts, [NONE, NONE, by_default("against")]);
    assert_eq!((end.verdict, end.stop), (Verdict::ByDefault, StopReason::RoundsUsedUp));
    let place = tempfile::tempdir().unwrap();
    let (counts, end) = hold(place.path(), agenda, ["'for'"; 3], more);
    assert_eq!((counts, end.verdict), (vec![by_ballots("for")], Verdict::Carried));
    // A talk that ends early has its last round then.
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda: [ { name: v, discussion: { until: round >= 2 } } ]";
    let (counts, _) = hold(place.path(), agenda, ["'for'", "'for'", "'against'"], more);
    assert_eq!(counts, [NONE, by_default("against")]);
    // Where nobody calls a vote, nothing is counted, and the talk is over without agreement.
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda: [ { name: v, discussion: {} } ]";
    let more =
        "discussion: { rounds: 2, vote: on_call, rounds_min: 1 }\ndecision: { rule: unanimity, otherwise: against }\n";
    let (counts, end) = hold(place.path(), agenda, ["'for'", "'for'", "'against'"], more);
    assert!(counts.iter().all(|(decided, _)| decided.is_none()), "{counts:?}");
    assert_eq!(end.decided.unwrap().to_string(), "against");
    assert_eq!(end.verdict, Verdict::ByDefault);
}

#[test]
fn a_discussion_that_is_left_out_leaves_the_last_word_to_the_one_before() {
    let agenda = |left_out: &str| format!("agenda: [ {{ name: v, discussion: {{}} }}, {left_out} ]");
    let more = "discussion: { rounds: 2, vote: every_round }\ndecision: { rule: unanimity, otherwise: against }\n";
    let split = ["'for'", "'for'", "'against'"];
    for (left_out, expected) in [
        ("{ name: w, discussion: {}, when: v.winner.name == 'for' }", [NONE, NONE]),
        ("{ name: w, discussion: {}, who: seat.index > 9 }", [NONE, NONE]),
        // A block has passes of its own, so that no discussion follows in the pass of the first.
        (
            "{ name: b, repeat: { times: 2 }, when: v.winner.name == 'for', phases: [ { name: w, discussion: {} } ] }",
            [NONE, by_default("against")],
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (counts, end) = hold(place.path(), &agenda(left_out), split, more);
        assert_eq!((counts, end.verdict), (expected.into(), Verdict::ByDefault), "{left_out}");
        assert_eq!(end.decided.unwrap().to_string(), "against");
    }
    // So does a block that ends before its last discussion.
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:\n  - name: b\n    repeat: { until: not v.decided, max: 2 }\n    phases: [ { name: v, discussion: {} }, { name: w, discussion: {} } ]";
    let (counts, end) = hold(place.path(), agenda, split, more);
    assert_eq!((counts, end.verdict), (vec![NONE, NONE], Verdict::ByDefault));
    // Where no discussion was held, there is nothing to decide by default.
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda: [ { name: v, discussion: {}, when: count(1 for s in seats) > 9 } ]";
    let (_, end) = hold(place.path(), agenda, split, more);
    assert_eq!(end.decided, None);
}

#[test]
fn a_vote_that_is_repeated_until_it_decides_does_so_by_default_in_the_last_pass() {
    let block = |settings: &str, vote: &str| {
        format!("agenda:\n  - name: match\n    repeat: {settings}\n    phases: [ {{ name: v, vote: {vote} }} ]\n")
    };
    let vote = "{ decides: true, rule: unanimity, otherwise: against }";
    let ends = "{ rule: unanimity, otherwise: against, ends: block }";
    let split = ["'for'", "'for'", "'against'"];
    let default = || by_default("against");
    for (agenda, expected) in [
        (block("{ until: v.decided, max: 3 }", vote), vec![NONE, NONE, default()]),
        (block("{ times: 3 }", ends), vec![NONE, NONE, default()]),
        // Each pass is a question of its own.
        (block("{ times: 3 }", vote), vec![default(), default(), default()]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (counts, end) = hold(place.path(), &agenda, split, "");
        assert_eq!((counts, end.verdict), (expected, Verdict::ByDefault), "{agenda}");
    }
}

#[test]
fn a_tie_and_a_missed_quorum_are_decided_by_default_and_options_of_a_vote_may_be_it() {
    let vote = |settings: &str| format!("agenda: [ {{ name: v, vote: {{ decides: true, {settings} }} }} ]");
    for (settings, votes, expected) in [
        (
            "rule: plurality, tie_break: no_decision, weights: { Cleo: 0 }, otherwise: for",
            ["'for'", "'against'", "'for'"],
            by_default("for"),
        ),
        (
            "rule: plurality, tie_break: lot, weights: { Cleo: 0 }, otherwise: for",
            ["'for'", "'for'", "'for'"],
            by_ballots("for"),
        ),
        ("over: [a, b, c], rule: majority, otherwise: c", ["'a'", "'b'", "'c'"], by_default("c")),
        (
            "rule: plurality, invalid: abstain, quorum: 1/1, otherwise: against",
            ["'for'", "'for'", "missing"],
            by_default("against"),
        ),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (counts, end) = hold(place.path(), &vote(settings), votes, "");
        let verdict = if expected.1 { Verdict::ByDefault } else { Verdict::Carried };
        assert_eq!((counts, end.verdict), (vec![expected], verdict), "{settings}");
    }
}

#[test]
fn a_default_that_cannot_be_decided_is_refused() {
    let refused = |agenda: &str, more: &str, words: &[&str]| {
        let place = tempfile::tempdir().unwrap();
        let config = write_agenda(place.path(), agenda, &format!("{}{more}", seats(["'for'"; 3])));
        ekklesia(&["check", text(&config)]).says(2, words);
    };
    let vote = |settings: &str| format!("agenda: [ {{ name: v, vote: {{ {settings} }} }} ]");
    let plain = "agenda: [ { name: v, vote: {} } ]";
    refused(plain, "decision: { otherwise: agains }\n", &["no alternative is named \"agains\"", "against"]);
    refused(&vote("otherwise: nothing"), "", &["agenda.v.vote.otherwise", "no alternative is named \"nothing\""]);
    refused(&vote("over: [a, b], rule: plurality, otherwise: for"), "", &["no alternative is named \"for\""]);
    refused(&vote("over: everyone, rule: plurality, otherwise: Ann"), "", &["only a vote over alternatives or a list"]);
    refused(&vote("binding: false, otherwise: for"), "", &["a vote that is not binding decides nothing"]);
    let imposed = "decision: { rule: imposed, imposed: { alternative: for }, otherwise: for }\n";
    refused(plain, imposed, &["nobody votes where the decision is imposed"]);
    let place = tempfile::tempdir().unwrap();
    let config = write_agenda(
        place.path(),
        &vote("over: others, rule: plurality, tie_break: lot"),
        &format!("{}decision: {{ otherwise: against }}\n", seats(["'Bob'", "'Ann'", "'Ann'"])),
    );
    ekklesia(&["check", text(&config)]).says(0, &[]);
}

#[test]
fn an_alternative_with_an_amount_is_no_default() {
    let place = tempfile::tempdir().unwrap();
    let scenario = repository().join("scenarios/estimation");
    let body = format!(
        "experiment: amounts\nscenario: {}\nseed: 3\nreplicates: 1\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats: [ {{ count: 3 }} ]\ndecision: {{ rule: majority, otherwise: estimate }}\n",
        text(&scenario)
    );
    let config = write_file(place.path(), "config.yaml", body);
    ekklesia(&["check", text(&config)]).says(2, &["decision.otherwise", "\"estimate\" takes an amount"]);
}

#[test]
fn the_summary_says_how_many_defaults_followed_a_void_vote() {
    let place = tempfile::tempdir().unwrap();
    let seats = "seats: [ { name: Ann, mind: { random: { malformed: 1 } } }, { name: Bob, mind: { random: {} } } ]\n";
    for (invalid, expected) in [("void_round", true), ("abstain", false)] {
        let more = format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\n{seats}decision: {{ rule: unanimity, otherwise: against, invalid: {invalid} }}\n"
        );
        let config = write_agenda(place.path(), "agenda: [ { name: v, vote: {} } ]", &more);
        let ran = ekklesia(&["run", text(&config), "--out", text(&place.path().join(invalid))]);
        ran.says(0, &["decided by default", "2 sessions"]);
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_told = words.contains("2 of them after a vote that invalid ballots made void");
        let (_, after) = ran.stdout.split_once("decided by default").unwrap();
        assert!(after.lines().take(2).all(|line| line.chars().count() <= 80), "{}", ran.stdout);
        assert_eq!(is_told, expected, "{}", ran.stdout);
    }
}
