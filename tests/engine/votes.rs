//! Several votes in a session: with settings and options of their own, heard or not, binding or not, and what a decision ends.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, folded, read, whole, write_motion_agenda};
use crate::oracle::check_cells;
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Adjourned, Event, LoopEnded, Record, SeatId, Step, StopReason, Verdict};
use ekklesia::minds::Mind;
use ekklesia::plan::Plan;

/// A vote that binds nobody and of which nobody hears, two over options of their own, and one that decides.
const AGENDA: &str = "agenda:
  - { name: probe, vote: { binding: false, announce: false, ballot: ranking, rule: borda } }
  - { name: budget, vote: { over: [low, { name: high, label: A high budget }], question: Which budget?, rule: plurality, tie_break: lot } }
  - { name: order, vote: { over: [north, south, east], rule: borda, tie_break: agenda_order, open: in_turn, weights: { Bob: 3 } } }
  - { name: final, vote: { decides: true, open: announced } }
  - { name: coda, vote: { over: [yes_please, no_thanks], rule: unanimity } }
  - { name: after, ask: [ { id: sure, yes_no: {}, question: Sure? } ] }
";

/// What one scripted seat votes: in `budget`, in `order` and in `final`.
fn scripted(name: &str, [budget, order, last]: [&str; 3]) -> String {
    format!(
        "  - name: {name}\n    mind: {{ scripted: {{ table: [\n      {{ phase: probe, round: 0, step: ballot, ballot: for > against }},\n      \
         {{ phase: budget, round: 0, step: ballot, choice: {budget} }},\n      \
         {{ phase: order, round: 0, step: ballot, ballot: \"{order}\" }},\n      \
         {{ phase: final, round: 0, step: ballot, choice: {last} }},\n      \
         {{ phase: coda, round: 0, step: ballot, choice: yes_please }},\n      \
         {{ phase: after, round: 0, step: ask, answer: {{ sure: true }} }} ] }} }}\n"
    )
}

fn seats() -> String {
    scripted("Ann", ["high", "south > north > east", "for"])
        + &scripted("Bob", ["low", "north > east > south", "for"])
        + "  - { name: Cleo, mind: { random: { malformed: 0.3 } } }\n"
}

fn write_votes(place: &Path, agenda: &str, seats: &str, more: &str) -> PathBuf {
    let body = format!(
        "experiment: votes\nscenario: own\nseed: 4\nreplicates: 3\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 1 }}\n{more}"
    );
    write_motion_agenda(place, agenda, &body)
}

fn assert_cut_anywhere(plan: &Arc<Plan>) -> Vec<Record> {
    let records = whole(plan, 1);
    check_every_cut(plan, 1, &records);
    records
}

#[test]
fn each_vote_has_its_own_settings_options_count_and_rows() {
    let place = tempfile::tempdir().unwrap();
    let decision = "decision: { rule: majority, invalid: exclude, of: valid, tie_break: agenda_order }\n";
    let config = write_votes(place.path(), AGENDA, &seats(), decision);
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &["order: borda"]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let tallies: Vec<_> = rows(&out, "tallies").into_iter().filter(|row| row["replicate"] == "1").collect();
    let counted = |phase: &str, column: &str| -> Vec<String> {
        tallies.iter().filter(|row| row["phase"] == phase).map(|row| row[column].clone()).collect()
    };
    assert_eq!(counted("probe", "decided"), ["0", "0"], "a vote that is not binding decides nothing");
    assert_eq!(counted("budget", "alternative"), ["low", "high"]);
    assert_eq!(counted("order", "alternative"), ["north", "south", "east"]);
    assert_eq!(counted("order", "rule"), ["borda"; 3]);
    assert_eq!(counted("final", "decided"), ["1", "0"]);
    assert_eq!(counted("final", "vote"), ["4", "4"]);
    let ballots = rows(&out, "ballots");
    for row in &ballots {
        assert_eq!(row["binding"], if row["phase"] == "probe" { "0" } else { "1" }, "{row:?}");
        let weight = if row["phase"] == "order" && row["seat"] == "Bob" { "3" } else { "1" };
        assert_eq!(row["weight"], weight, "{row:?}");
    }
    let sessions = rows(&out, "sessions");
    assert!(sessions.iter().all(|row| row["result"] == "for" && row["outcome"] == "carried"), "{sessions:?}");
    assert!(sessions.iter().all(|row| row["votes_held"] == "5" && row["first_ballot_majority"] == "for"));
    check_cells(&out, 1);
    ekklesia(&["replay", text(&out.join("sessions/baseline-r000001"))]).says(0, &[]);
    ekklesia(&["retally", text(&out), "--rule", "borda"]).says(0, &["vote in probe", "vote in order"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    for words in ["Which budget?", "It was not binding", "one after the other", "Nobody heard the result"] {
        assert!(methods.contains(words), "{words}: {methods}");
    }
    let (change, fork) = (place.path().join("change.yaml"), place.path().join("fork"));
    fs::write(&change, "at: { seat: Ann, phase: order }\nballot: east > south > north\n").unwrap();
    let parent = out.join("sessions/baseline-r000001");
    ekklesia(&["fork", text(&parent), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let forked = rows(&fork, "ballots");
    let first = forked.iter().find(|row| row["phase"] == "order" && row["seat"] == "Ann" && row["rank"] == "1");
    assert_eq!(first.unwrap()["alternative"], "east");
}

#[test]
fn a_session_of_several_votes_goes_on_after_any_record_and_seats_hear_what_they_may() {
    let place = tempfile::tempdir().unwrap();
    let plan = Arc::clone(&read(&write_votes(place.path(), AGENDA, &seats(), "")).arms[0]);
    let records = assert_cut_anywhere(&plan);
    let end = folded(&plan, 1, &records);
    let heard_by = |seat: u32| -> Vec<String> {
        let remarks = end.memory().remarks(SeatId(seat)).iter();
        remarks.map(|remark| format!("{}: {}", records[remark.seq.0 as usize].at.phase, remark.text)).collect()
    };
    let (heard, heard_by_bob) = (heard_by(0), heard_by(1));
    let told = |phase: &str| heard.iter().filter(|line| line.starts_with(&format!("{phase}: "))).count();
    assert_eq!(told("probe"), 0, "nobody hears a vote that is not announced: {heard:?}");
    assert_eq!(told("budget"), 1);
    assert_eq!(told("order"), 3, "the ballots of the two others and the count: {heard:?}");
    let of_ann = "order: Ann voted: south > north > east";
    assert!(!heard.iter().any(|line| line == of_ann), "{heard:?}");
    assert!(heard_by_bob.iter().any(|line| line == of_ann), "{heard_by_bob:?}");
    let in_turn: Vec<&str> = records
        .iter()
        .filter(|record| record.at.phase.as_str() == "order" && record.at.step == Step::Ballot)
        .filter_map(|record| record.seat.as_ref().map(|seat| seat.as_str()))
        .collect();
    assert!(in_turn.is_sorted(), "one seat votes after the other: {in_turn:?}");
    assert!(heard.iter().any(|line| line.starts_with("final: ") && line.contains("\nAnn voted: for\nBob voted: for")));
}

/// The phases that opened, and the blocks that ended early.
fn course(records: &[Record]) -> Vec<String> {
    let word = |record: &Record| match &record.event {
        Event::PhaseOpened(_) => Some(record.at.phase.to_string()),
        Event::LoopEnded(LoopEnded { block }) => Some(format!("]{block}")),
        _ => None,
    };
    records.iter().filter_map(word).collect()
}

#[test]
fn a_decision_ends_nothing_or_the_block_or_the_session() {
    let agenda = |ends: &str| {
        format!(
            "agenda:\n  - name: loop\n    repeat: {{ times: 3 }}\n    phases:\n      - {{ name: pick, vote: {{ {ends} }} }}\n      \
             - {{ name: sure, ask: [ {{ id: ok, yes_no: {{}}, question: \"Sure?\" }} ] }}\n  - {{ name: end, brief: {{ text: The end. }} }}\n"
        )
    };
    // Ann and Bob disagree in the first pass and agree from the second on.
    let seat = |name: &str, first: &str| {
        format!(
            "  - name: {name}\n    mind: {{ scripted: {{ table: [ {{ phase: pick@1, round: 0, step: ballot, choice: {first} }}, \
             {{ phase: pick, round: 0, step: ballot, choice: for }}, {{ phase: sure, round: 0, step: ask, answer: {{ ok: true }} }} ] }} }}\n"
        )
    };
    let seats = seat("Ann", "for") + &seat("Bob", "against");
    let whole_course = ["pick@1", "sure@1", "pick@2", "sure@2", "pick@3", "sure@3", "end"];
    for (ends, expected) in [
        ("rule: unanimity", whole_course.to_vec()),
        ("rule: unanimity, ends: block", vec!["pick@1", "sure@1", "pick@2", "]loop", "end"]),
        ("rule: unanimity, ends: session", vec!["pick@1", "sure@1", "pick@2"]),
        ("rule: unanimity, binding: false", whole_course.to_vec()),
    ] {
        let place = tempfile::tempdir().unwrap();
        let plan = Arc::clone(&read(&write_votes(place.path(), &agenda(ends), &seats, "")).arms[0]);
        let records = assert_cut_anywhere(&plan);
        assert_eq!(course(&records), expected, "{ends}");
        let Event::Adjourned(Adjourned { verdict, stop, .. }) = records.last().unwrap().event else { panic!("no end") };
        let is_binding = !ends.contains("false");
        assert_eq!(verdict, if is_binding { Verdict::Carried } else { Verdict::NotApplicable }, "{ends}");
        assert_eq!(stop, if is_binding { StopReason::Decided } else { StopReason::AgendaDone }, "{ends}");
    }
}

#[test]
fn votes_in_rounds_take_the_place_of_the_next_vote_over_the_alternatives() {
    let agenda = "agenda:
  - { name: straw, vote: { binding: false } }
  - { name: talk, discussion: {} }
  - { name: colour, vote: { over: [red, blue], rule: plurality, tie_break: lot } }
  - { name: vote, vote: {} }
  - { name: again, vote: { rule: plurality, tie_break: lot } }
";
    let seats =
        "  - { name: Ann, mind: { voter: { copy: 0.5 } } }\n  - { name: Bob, mind: { voter: { copy: 0.5 } } }\n";
    let place = tempfile::tempdir().unwrap();
    for (votes, expected) in [
        ("at_end", vec!["straw", "talk", "colour", "vote", "again"]),
        ("every_round", vec!["straw", "talk", "colour", "again"]),
    ] {
        let config = write_votes(place.path(), agenda, seats, "");
        let written = fs::read_to_string(&config).unwrap().replace("rounds: 1", &format!("rounds: 2, vote: {votes}"));
        fs::write(&config, written).unwrap();
        let plan = Arc::clone(&read(&config).arms[0]);
        let records = assert_cut_anywhere(&plan);
        assert_eq!(course(&records), expected);
        assert!(plan.vote_phases().all(|(place, vote)| vote.decides == (plan.agenda[place].name.as_str() == "again")));
    }
}

#[test]
fn several_votes_of_models_were_foreseen() {
    let agenda = "agenda:
  - { name: probe, vote: { binding: false, ballot: approval, rule: approval } }
  - { name: talk, discussion: {} }
  - name: loop
    repeat: { times: 2 }
    phases:
      - { name: order, vote: { over: [red, tan, sky], rule: borda, tie_break: lot, open: in_turn, ends: block } }
      - { name: more, discussion: {} }
  - { name: final, vote: { rule: plurality, tie_break: lot, abstain: true, open: announced } }
  - { name: after, ask: [ { id: sure, yes_no: {}, question: Sure? } ] }
";
    let place = tempfile::tempdir().unwrap();
    let seats = "  - { name: Ann }\n  - { name: Bob }\n  - { name: Cleo }\n";
    let config = write_votes(place.path(), agenda, seats, "");
    let model = "sim: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, answers: json_schema, context_window: 100000 } }";
    let written = fs::read_to_string(&config).unwrap().replace("sim: { simulated: {} }", model);
    fs::write(&config, written).unwrap();
    let plan = Arc::clone(&read(&config).arms[0]);
    assert_foreseen(&plan, 3, &Mind::Voter { copy_ppm: 400_000 });
}

#[test]
fn mistakes_in_votes_are_reported_at_once_with_their_keys() {
    let place = tempfile::tempdir().unwrap();
    let broken = "agenda:
  - { name: a, ballot: {} }
  - { name: b, vote: { over: [one] } }
";
    let config = write_votes(place.path(), broken, &seats(), "");
    ekklesia(&["check", text(&config)]).says(2, &["here it is called \"vote\""]);
    let broken = "agenda:
  - { name: b, vote: { over: [one] } }
  - { name: c, vote: { over: [one, one], ends: block } }
  - { name: d, vote: { over: candidates, question: \"\" } }
  - { name: e, vote: { binding: false, decides: true } }
  - { name: f, vote: { decides: true } }
";
    let config = write_votes(place.path(), broken, "  - { name: Ann }\n", "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "2 to 100 options",
        "\"one\" is listed twice",
        "no block holds this vote",
        "\"candidates\" is nothing to vote on",
        "agenda.d.vote.question",
        "a vote that is not binding decides nothing",
        "the result comes from one vote",
    ]);
    let broken = "agenda:
  - { name: a, vote: { over: [x, y], rule: approval, budget: 10, winners: 2 } }
  - { name: b, vote: { over: [x, y], rule: approval, tie_break: lot, budget: 10, costs: { x: 0, z: 3 } } }
  - { name: c, vote: { over: [x, y], rule: approval, tie_break: lot, costs: { x: 1, y: 2 } } }
  - { name: d, vote: { over: [x, y], rule: schulze, tie_break: chair, chair: Ann, budget: seats, costs: { x: 1, y: 2 } } }
  - { name: e, vote: { over: [x, y], rule: borda, tie_break: lot, budget: 5, costs: { x: 1, y: 2 }, method: equal_shares } }
  - { name: f, vote: { over: [x, y], rule: approval, tie_break: lot, budget: 5 } }
";
    let config = write_votes(place.path(), broken, "  - { name: Ann }\n", "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "agenda.a.vote.budget: write winners or budget",
        "agenda.b.vote.costs.x: expected a whole number",
        "agenda.b.vote.costs.z: no option is called \"z\"",
        "the cost of \"y\" is missing",
        "agenda.c.vote.costs: this belongs to a vote with a budget",
        "agenda.d.vote.budget: several win by points",
        "agenda.d.vote.budget: write tie_break",
        "agenda.d.vote.budget: expected a whole number",
        "agenda.e.vote.method: equal shares are spent by approvals or scores",
        "agenda.f.vote.budget: the key \"costs\" is missing",
    ]);
    let broken = "agenda:
  - { name: a, vote: { threshold: 2/3 } }
  - { name: b, vote: { rule: supermajority } }
  - { name: c, vote: { rule: imposed } }
  - { name: d, vote: { weights: { Zoe: 2 } } }
  - { name: e, vote: { over: [x, y], rule: mean } }
  - { name: f, vote: { quorum: 5/4 } }
";
    let config = write_votes(place.path(), broken, "  - { name: Ann }\n", "");
    ekklesia(&["check", text(&config)]).refuses(&[
        "agenda.a.vote.threshold: only the rule supermajority has a threshold",
        "agenda.b.vote.rule: a supermajority needs `threshold`",
        "agenda.c.vote.rule",
        "no seat is named \"Zoe\"",
        "agenda.e.vote.rule",
        "agenda.f.vote.quorum",
    ]);
}

/// A vote that asks for reasons, by seats that give some, abstain with some, and give none.
const REASONED: &str = "agenda:
  - { name: plain, vote: { binding: false, announce: false } }
  - { name: why, vote: { over: [north, south], rule: plurality, tie_break: lot, abstain: true, reasons: true } }
  - { name: last, vote: { rule: borda, reasons: true } }
";

#[test]
fn a_ballot_asks_for_reasons_which_are_in_the_record_and_its_rows_and_nobody_hears_them() {
    let place = tempfile::tempdir().unwrap();
    let line = |name: &str, why: &str, last: &str| {
        format!(
            "  - name: {name}\n    mind: {{ scripted: {{ table: [\n      {{ phase: plain, round: 0, step: ballot, choice: for }},\n      \
             {{ phase: why, round: 0, step: ballot, {why} }},\n      {{ phase: last, round: 0, step: ballot, {last} }} ] }} }}\n"
        )
    };
    let seats = line(
        "Ann",
        "answer: { choice: north, reasoning: It is warmer. }",
        "answer: { ranking: [for, against], reasoning: As I said. }",
    ) + &line("Bob", "answer: { choice: abstain, reasoning: I live elsewhere. }", "ballot: against > for")
        + "  - { name: Cleo, mind: { random: { malformed: 0.3 } } }\n";
    let config = write_votes(place.path(), REASONED, &seats, "");
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &["ballots ask for reasons"]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let ballots = rows(&out, "ballots");
    for row in &ballots {
        let expected = match (row["phase"].as_str(), row["seat"].as_str()) {
            ("why", "Ann") => "It is warmer.",
            ("why", "Bob") => "I live elsewhere.",
            ("last", "Ann") => "As I said.",
            _ => "",
        };
        assert_eq!(row["reasoning"], expected, "{row:?}");
    }
    assert_eq!(ballots.iter().filter(|row| row["reasoning"] == "As I said.").count(), 6, "a row for each option");
    let abstained = ballots.iter().filter(|row| row["status"] == "abstained" && row["seat"] == "Bob");
    assert_eq!(abstained.count(), 3, "reasons make no ballot invalid");
    check_cells(&out, 1);
    let session = out.join("sessions/baseline-r000001");
    ekklesia(&["replay", text(&session)]).says(0, &[]);
    ekklesia(&["show", text(&session)]).says(0, &["It is warmer."]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    ekklesia(&["search", text(&out), "warmer"]).says(0, &["It is warmer."]);
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = assert_cut_anywhere(&plan);
    let given: Vec<&str> = records.iter().filter_map(Record::ballot_reasoning).collect();
    assert_eq!(given, ["It is warmer.", "I live elsewhere.", "As I said."]);
    let server =
        "openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, context_window: 100000, answers: anchored }";
    let models = place.path().join("models.yaml");
    let unscripted = fs::read_to_string(&config).unwrap().replace("simulated: {}", server);
    let (before, _) = unscripted.split_once("seats:\n").unwrap();
    fs::write(&models, format!("{before}seats: [ {{ name: Ann }}, {{ name: Bob }}, {{ name: Cleo }} ]\n")).unwrap();
    ekklesia(&["check", text(&models), "--show", "Cleo:last"]).says(0, &["REASONING: (your reasons, in at most 300"]);
    let question = ekklesia(&["check", text(&models), "--show", "Cleo:plain"]);
    assert!(!question.stdout.contains("REASONING"), "{}", question.stdout);
    assert_foreseen(&Arc::clone(&read(&models).arms[0]), 2, &Mind::Voter { copy_ppm: 400_000 });
    let (change, fork) = (place.path().join("change.yaml"), place.path().join("fork"));
    fs::write(&change, "at: { seat: Ann, phase: why }\nanswer: { choice: south, reasoning: It is cooler. }\n").unwrap();
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let forked = rows(&fork, "ballots");
    let changed = forked.iter().find(|row| row["phase"] == "why" && row["seat"] == "Ann").unwrap();
    assert_eq!([&changed["alternative"], &changed["reasoning"]], ["south", "It is cooler."]);
    assert_foreseen(&plan, 3, &Mind::Voter { copy_ppm: 400_000 });
}
