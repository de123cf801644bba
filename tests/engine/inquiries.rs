//! What seats ask to see before they answer, and what is recalled beside their memory: recorded, proven, and the same again.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli;
use crate::fixtures::desk::copy::copy;
use crate::fixtures::trial::{self, check_cuts, kind, repository, whole};
use ekklesia::domain::{Event, Found, Inquired, Inquiry, Query, Record, Reply, Seq, Step};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

/// Alice says three things and then looks one up; Bob asks for a page, and for one that is not there.
const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - name: Alice
    mind:
      scripted:
        list:
          - { statement: \"The river floods each spring.\" }
          - { statement: \"A dam costs nine million.\" }
          - { look_up: \"spring floods\", statement: \"As I said, it floods.\" }
          - { look_up: \"zzz\", choice: for }
  - name: Bob
    mind:
      scripted:
        table:
          - { phase: discussion, round: 1, step: statement, statement: \"Who pays for the dam?\" }
          - { phase: discussion, round: 2, step: statement, page: \"report 2\", statement: \"The report says who pays.\" }
          - { phase: discussion, round: 3, step: statement, page: \"report 99\", raw: \"hm\" }
          - { phase: vote, round: 0, step: ballot, look_up: \"the dam\", choice: for }
  - { name: Carol, mind: { random: { malformed: 0.2 } } }
discussion: { rounds: 3, order: fixed, vote: at_end }
";

const MEMORY: &str = "memory: { look_up: true, exhibit_token_limit: 100, policy: { window: { statements: 1 } } }\n";

/// A copy of the shipped motion with an exhibit of several pages, and a config beside it.
fn table(body: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    copy(&repository().join("scenarios/motion"), &place.path().join("motion"));
    let lines: Vec<String> = (1..=90).map(|line| format!("This is line {line}.")).collect();
    fs::write(place.path().join("report.txt"), lines.join("\n")).unwrap();
    let exhibits = "exhibits: { report: { file: report.txt, to: [Bob, Carol] } }\n";
    let config = place.path().join("config.yaml");
    fs::write(&config, format!("experiment: trial\nscenario: motion\nseed: 42\n{SEATS}{exhibits}{body}")).unwrap();
    (place, config)
}

fn planned(body: &str) -> Arc<Plan> {
    let (_place, config) = table(body);
    Arc::clone(&trial::read(&config).arms[0])
}

/// What a seat asked to see, in order: the record, what, and what was found.
fn inquiries(records: &[Record], seat: &str) -> Vec<(u64, Inquiry, Vec<Seq>)> {
    let own = records.iter().filter(|record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat));
    let asked = own.filter_map(|record| match &record.event {
        Event::Inquired(Inquired { inquiry, found, .. }) => Some((record.seq.0, inquiry.clone(), found.clone())),
        _ => None,
    });
    asked.collect()
}

fn statement(records: &[Record], text: &str) -> Seq {
    let said = |record: &&Record| matches!(record.reply(), Some(Reply::Statement { text: said, .. }) if *said == *text);
    records.iter().find(said).unwrap().seq
}

#[test]
fn a_seat_finds_what_it_has_heard_and_answers_then() {
    let plan = planned(MEMORY);
    let records = whole(&plan, 1);
    let alice = inquiries(&records, "Alice");
    assert_eq!(alice.len(), 2);
    assert_eq!(alice[0].1, Inquiry::LookUp("spring floods".to_owned()));
    assert_eq!(alice[0].2, [statement(&records, "The river floods each spring.")]);
    assert_eq!(alice[1].2, [], "nothing was found, and that is on record, too");
    let next = &records[alice[0].0 as usize + 1];
    assert_eq!((next.at.step, next.attempt), (Step::Statement, Some(1)), "the same question again");
    let shown = &next.event.given().unwrap().shown;
    assert!(shown.inquired && shown.found.len() == 1);
    assert_eq!(next.tries_before(), Some(0), "which is no second try");
    // Bob gets the page of his exhibit; what is not there is not shown.
    let bob = inquiries(&records, "Bob");
    assert_eq!(bob.iter().map(|(_, _, found)| found.len()).collect::<Vec<_>>()[..2], [1, 0]);
    let page = &records[bob[0].0 as usize + 1].event.given().unwrap().shown.page;
    assert_eq!(page.as_ref().map(|page| (page.exhibit.as_str(), page.page)), Some(("report", 2)));
    let lost = records.iter().filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Bob"));
    let faults = lost.filter(|record| kind(record) == "Faulted").count();
    assert_eq!(faults, 3, "an inquiry costs no try, and whoever fails after it has all of them");
}

#[test]
fn what_is_found_is_proven_and_every_made_up_find_is_caught() {
    let plan = planned(MEMORY);
    let records = whole(&plan, 1);
    let mut account = Visibility::new(&plan);
    let mut deliberation = Deliberation::convene(&plan, 1);
    let mut tried = [0; 4];
    for record in &records {
        if let Next::Ask(queries) = deliberation.next() {
            for query in &queries {
                let verdict = |query: &Query<'_>| account.clone().check_query(query).map_err(|leak| leak.to_string());
                assert_eq!(verdict(query), Ok(()), "{}", query.id);
                let Some(found) = query.brief.found else { continue };
                let caught = |query: &Query<'_>, reason: &str| {
                    let told = verdict(query).unwrap_err();
                    assert!(told.contains(reason), "{reason}: {told}");
                };
                if !found.remarks.is_empty() {
                    // A find that nobody made, and one that its record does not own up to.
                    let mut forged = query.clone();
                    let other: Vec<u32> = vec![found.remarks[0] + 1];
                    forged.brief.found = Some(Found { remarks: &other, ..found });
                    forged.shown.found.clone_from(&other);
                    caught(&forged, "");
                    let mut forged = query.clone();
                    forged.shown.found.clear();
                    caught(&forged, "would not say all that is shown");
                    tried[0] += 1;
                }
                if let Some(page) = found.page {
                    let mut forged = query.clone();
                    let other = format!("{page}!");
                    forged.brief.found = Some(Found { page: Some(&other), ..found });
                    caught(&forged, "not what was found");
                    let mut forged = query.clone();
                    forged.shown.page.as_mut().unwrap().page += 1;
                    caught(&forged, "not what was found");
                    tried[1] += 1;
                }
                let mut forged = query.clone();
                forged.shown.inquired = false;
                caught(&forged, "would not say all that is shown");
                tried[2] += 1;
            }
            // Nobody is shown a find that it did not ask for.
            let query = &queries[0];
            if query.brief.found.is_none() {
                let (mut forged, inquiry) = (query.clone(), Inquiry::LookUp("dam".to_owned()));
                forged.brief.found = Some(Found { inquiry: &inquiry, remarks: &[], page: None });
                assert!(account.clone().check_query(&forged).is_err());
                tried[3] += 1;
            }
        }
        account.witness_record(record);
        deliberation.evolve(record);
    }
    assert!(tried.iter().all(|tried| *tried > 0), "{tried:?}");
}

#[test]
fn older_statements_are_recalled_and_a_made_up_one_is_caught() {
    let memory = "memory: { recall: { search: { top_k: 2 } }, policy: { window: { statements: 1 } } }\n";
    let plan = planned(memory);
    let records = whole(&plan, 1);
    let mut account = Visibility::new(&plan);
    let mut deliberation = Deliberation::convene(&plan, 1);
    let mut recalled = 0;
    for record in &records {
        if let Next::Ask(queries) = deliberation.next() {
            for query in &queries {
                let verdict = |query: &Query<'_>| account.clone().check_query(query).map_err(|leak| leak.to_string());
                assert_eq!(verdict(query), Ok(()));
                assert!(query.brief.recalled.len() <= 2);
                recalled += query.brief.recalled.len();
                let end = query.brief.remarks.floor.len() as u32;
                for (places, reason) in
                    [(vec![query.shown.floor.start], "twice"), (vec![0], "not said so"), (vec![end], "twice")]
                {
                    let mut forged = query.clone();
                    forged.brief.recalled.clone_from(&places);
                    forged.shown.recalled = places;
                    let told = verdict(&forged).unwrap_err();
                    // The first thing on the floor is no statement.
                    assert!(told.contains(reason) || told.contains("twice"), "{told}");
                }
                if !query.brief.recalled.is_empty() {
                    let mut forged = query.clone();
                    forged.shown.recalled.clear();
                    assert!(verdict(&forged).unwrap_err().contains("would not say all that is shown"));
                }
            }
        }
        account.witness_record(record);
        deliberation.evolve(record);
    }
    assert!(recalled > 3, "{recalled}");
}

#[test]
fn a_session_with_inquiries_is_cut_anywhere_and_folds_to_the_same() {
    for body in [MEMORY, "memory: { look_up: true, recall: { search: { top_k: 3 } }, policy: none }\n"] {
        let plan = planned(body);
        let records = whole(&plan, 1);
        check_cuts(&plan, 1, &records, 0..=records.len());
    }
}

/// A seat that looks something up wherever it may: it volunteers, thinks, speaks, calls votes and agrees to them.
fn eager(vote_call: &str) -> String {
    let steps = |round: u32| {
        let line = |step: &str, reply: &str| {
            format!("{{ phase: discussion, round: {round}, step: {step}, look_up: the river, {reply} }}")
        };
        let said = format!("statement: \"The river floods, I say in round {round}.\"");
        let calls = if round < 3 { "assent: false" } else { "assent: true" };
        let lines = [("volunteer", "urgency: 3"), ("reasoning", "note: It floods."), ("statement", said.as_str())];
        let votes = [("vote_call", calls), ("confirmation", "assent: true")];
        lines.into_iter().chain(votes).map(|(step, reply)| line(step, reply)).collect::<Vec<_>>()
    };
    let mut lines: Vec<String> = (1..=3).flat_map(steps).collect();
    lines.push("{ phase: discussion, round: 3, step: ballot, look_up: the river, choice: for }".to_owned());
    lines.push("{ phase: straw_after, round: 0, step: straw_poll, look_up: the river, choice: for }".to_owned());
    let seat = |name: &str| format!("{{ name: {name}, mind: {{ scripted: {{ table: [{}] }} }} }}", lines.join(", "));
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{}, {}]\nstraw_polls: [after]\n\
         discussion: {{ rounds: 3, order: volunteer, private_reasoning: true, vote: on_call, rounds_min: 1, \
         vote_call: {vote_call} }}\nmemory: {{ look_up: true }}\n",
        seat("Alice"),
        seat("Bob")
    )
}

#[test]
fn a_seat_looks_up_once_a_turn_and_what_is_asked_outside_every_turn_is_one_of_its_own() {
    for vote_call in ["sequential", "simultaneous"] {
        let plan = trial::plan(&eager(vote_call));
        let records = whole(&plan, 1);
        let mut asked: BTreeMap<(String, u32), Vec<Step>> = BTreeMap::new();
        let (mut offered, mut refused) = (BTreeSet::new(), BTreeSet::new());
        for record in &records {
            if let (Some(seat), Event::Inquired(_)) = (&record.seat, &record.event) {
                asked.entry((seat.to_string(), record.at.round)).or_default().push(record.at.step);
            }
            if let Some(given) = record.event.given().filter(|_| kind(record) != "Inquired") {
                let steps = if given.shown.inquired { &mut offered } else { &mut refused };
                steps.insert(record.at.step);
            }
        }
        for seat in ["Alice", "Bob"] {
            for round in [1, 2] {
                assert_eq!(asked[&(seat.to_owned(), round)], [Step::Volunteer], "{seat} in round {round}");
            }
            assert_eq!(asked[&(seat.to_owned(), 3)], [Step::Volunteer, Step::Ballot], "{seat}");
            assert_eq!(asked[&(seat.to_owned(), 0)], [Step::StrawPoll], "{seat}");
        }
        assert!(refused.contains(&Step::Reasoning) && refused.contains(&Step::Statement), "{refused:?}");
        assert!(refused.contains(&Step::VoteCall), "{refused:?}");
        assert_eq!(offered, BTreeSet::from([Step::Volunteer, Step::StrawPoll, Step::Ballot]));
        // A session cut anywhere knows in whose turn something was looked up.
        check_cuts(&plan, 1, &records, 0..=records.len());
    }
}

#[test]
fn whoever_did_not_look_up_before_it_spoke_may_do_so_when_it_is_asked_for_a_vote() {
    let body = eager("sequential").replace("step: volunteer, look_up: the river,", "step: volunteer,");
    let body = body.replace("step: reasoning, look_up: the river,", "step: reasoning,");
    let body = body.replace("round: 1, step: statement, look_up: the river,", "round: 1, step: statement,");
    let records = whole(&trial::plan(&body), 1);
    let asked = records.iter().filter(|record| kind(record) == "Inquired" && (1..3).contains(&record.at.round));
    let steps: Vec<(u32, Step)> = asked.map(|record| (record.at.round, record.at.step)).collect();
    assert_eq!(steps, [(1, Step::VoteCall), (1, Step::VoteCall), (2, Step::Statement), (2, Step::Statement)]);
}

#[test]
fn a_page_takes_nothing_from_looking_up_in_the_same_turn() {
    let (_place, config) = table(MEMORY);
    let text = fs::read_to_string(&config).unwrap();
    let seats = "seats:
  - name: Bob
    mind:
      scripted:
        table:
          - { phase: discussion, round: 1, step: reasoning, page: \"report 1\", note: Hm. }
          - { phase: discussion, round: 1, step: statement, look_up: floods, statement: It floods. }
          - { phase: vote, round: 0, step: ballot, choice: for }
  - { name: Carol, mind: { random: {} } }
discussion: { rounds: 1, order: fixed, private_reasoning: true, vote: at_end }
";
    let (head, rest) = (text.split_once("seats:").unwrap().0, text.split_once("vote: at_end }\n").unwrap().1);
    fs::write(&config, format!("{head}{seats}{rest}")).unwrap();
    let bob = inquiries(&whole(&trial::read(&config).arms[0], 1), "Bob");
    let (page, words) = (Inquiry::Page("report 1".to_owned()), Inquiry::LookUp("floods".to_owned()));
    assert_eq!(bob[..2].iter().map(|(_, inquiry, _)| inquiry.clone()).collect::<Vec<_>>(), [page, words]);
}

#[test]
fn without_the_keys_nothing_is_offered_and_nothing_recalled() {
    let plan = planned("");
    let records = whole(&plan, 1);
    assert!(records.iter().all(|record| kind(record) != "Inquired"), "a script that would look up says its line");
    let lines = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect::<String>();
    assert!(!lines.contains("recalled") && !lines.contains("inquired") && !lines.contains("\"found\""));
}

#[test]
fn what_a_seat_was_told_to_forget_is_found_no_more() {
    let forget = "interventions: [{ at: { phase: discussion, round: 3 }, to: [Alice], forget: all }]\n";
    let plan = planned(&format!("{MEMORY}{forget}"));
    let records = whole(&plan, 1);
    assert_eq!(inquiries(&records, "Alice")[0].2, []);
}

#[test]
fn a_mistake_in_recall_or_in_a_script_that_looks_up_is_told() {
    use ekklesia::store::inputs::{Inputs, Overrides};
    for (body, old, new, expected) in [
        ("memory: { recall: { search: { top_k: 0 } } }\n", "", "", "top_k"),
        ("memory: { recall: { search: { top_k: 101 } } }\n", "", "", "100"),
        ("memory: { recall: { searches: { top_k: 1 } } }\n", "", "", "search"),
        ("memory: { look_up: maybe }\n", "", "", "look_up"),
        (MEMORY, "look_up: \"the dam\"", "look_up: \" \"", "asks for nothing"),
        (MEMORY, "look_up: \"the dam\"", "look_up: x, page: y", "one thing"),
    ] {
        let (_place, config) = table(body);
        let text = fs::read_to_string(&config).unwrap().replace(old, new);
        fs::write(&config, text).unwrap();
        let inputs = Inputs::read_config(&config, Overrides::default());
        let told = match inputs {
            Ok(inputs) => inputs.resolve().unwrap_err().to_string(),
            Err(problems) => problems.to_string(),
        };
        assert!(told.contains(expected), "{expected}: {told}");
    }
}

#[test]
fn words_that_were_cut_off_are_found_by_whoever_studies_the_record_and_by_no_seat() {
    let (place, config) = table("memory: { look_up: true, statement_max_length: 40 }\n");
    let text = fs::read_to_string(&config).unwrap();
    let seats = "seats:
  - name: Alice
    mind:
      scripted:
        list:
          - { statement: \"The river floods each spring, and nobody has ever said so much of the zeppelin.\" }
          - { look_up: zeppelin, statement: So I said. }
          - { choice: for }
  - name: Bob
    mind:
      scripted:
        list:
          - { look_up: zeppelin, statement: So you said. }
          - { look_up: floods, statement: It floods. }
          - { choice: for }
discussion: { rounds: 2, order: fixed, vote: at_end }
";
    let (head, rest) = (text.split_once("seats:").unwrap().0, text.split_once("vote: at_end }\n").unwrap().1);
    let rest = rest.replace(", Carol", "");
    fs::write(&config, format!("{head}{seats}{rest}")).unwrap();
    let records = whole(&trial::read(&config).arms[0], 1);
    let looked = |seat| -> Vec<(Inquiry, usize)> {
        inquiries(&records, seat).into_iter().map(|(_, inquiry, found)| (inquiry, found.len())).collect()
    };
    let words = |words: &str| Inquiry::LookUp(words.to_owned());
    assert_eq!(looked("Alice"), [(words("zeppelin"), 0)], "not even by the seat that said it");
    assert_eq!(looked("Bob"), [(words("zeppelin"), 0), (words("floods"), 1)]);
    let results = place.path().join("results");
    cli::ekklesia(&["run", cli::text(&config), "--out", cli::text(&results)]).says(0, &[]);
    cli::ekklesia(&["search", cli::text(&results), "zeppelin"])
        .says(0, &["  > The river floods each spring, and nobody has ever said"]);
}

/// Models that look things up, ask for pages, and are recalled older statements.
fn models(place: &Path, base_url: &str) -> PathBuf {
    copy(&repository().join("scenarios/motion"), &place.join("motion"));
    let lines: Vec<String> = (1..=90).map(|line| format!("This is line {line}.")).collect();
    fs::write(place.join("report.txt"), lines.join("\n")).unwrap();
    let config = place.join("config.yaml");
    let body = format!(
        "experiment: trial\nscenario: motion\nseed: 42\nreplicates: 3\n{}exhibits: {{ report: {{ file: report.txt }} }}\n\
         memory: {{ look_up: true, recall: {{ search: {{ top_k: 2 }} }}, exhibit_token_limit: 100, policy: {{ window: {{ tokens: 400 }} }} }}\n",
        cli::mixed(base_url, "random").replace("rounds: 2", "rounds: 4")
    );
    let script = "      { phase: discussion, round: 3, step: statement, pass: true },\n      { phase: discussion, round: 4, step: statement, look_up: \"thought about\", pass: true },\n      { phase: vote,";
    fs::write(&config, body.replace("      { phase: vote,", script)).unwrap();
    config
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_models_look_up_is_recorded_replayed_and_made_again_offline() {
    let place = tempfile::tempdir().unwrap();
    let server = cli::Server::start();
    let config = models(place.path(), &server.base_url());
    let (live, offline) = (place.path().join("live"), place.path().join("copy"));
    cli::ekklesia(&["run", cli::text(&config), "--out", cli::text(&live)]).says(0, &[]);
    let (mut looked, mut paged, mut scripted) = (0, 0, 0);
    for number in 1..=3 {
        let minutes = live.join(format!("sessions/baseline-r00000{number}/minutes.jsonl"));
        for record in cli::json_lines(&minutes) {
            let inquiry = &record["event"]["Inquired"]["inquiry"];
            looked += usize::from(inquiry["look_up"].is_string());
            paged += usize::from(inquiry["page"].is_string());
            scripted += usize::from(inquiry["look_up"].is_string() && record["seat"] == "Carol");
        }
    }
    assert!(looked > 3 && paged > 3 && scripted == 3, "{looked} {paged} {scripted}");
    let asked: Vec<String> = server.bodies().iter().map(|body| body["messages"].to_string()).collect();
    for words in [
        "You looked up \\\"what was thought\\\" and found:",
        "[PAGE report ",
        "[END OF PAGE report ",
        "[EXHIBIT report]",
        "[END OF EXHIBIT report]",
        "Once, you may first",
    ] {
        assert!(asked.iter().any(|messages| messages.contains(words)), "{words}");
    }
    let calls = server.requests();
    cli::copy_recorded(&live, &offline);
    cli::ekklesia(&["run", cli::text(&config), "--offline", "--out", cli::text(&offline)]).says(0, &[]);
    cli::assert_same(&live, &offline);
    for folder in [&live, &offline] {
        cli::ekklesia(&["replay", cli::text(folder)]).says(0, &["no divergence"]);
    }
    assert_eq!(server.requests(), calls, "neither asks anybody");
    // A change to what somebody says in the end leaves what it looked up before.
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Carol, phase: discussion, round: 4 }\nstatement: I change my mind.\n").unwrap();
    let (session, fork) = (live.join("sessions/baseline-r000001"), place.path().join("fork"));
    let arguments = ["fork", cli::text(&session), "--change", cli::text(&change), "--out", cli::text(&fork)];
    cli::ekklesia(&arguments).says(0, &[]);
    cli::ekklesia(&["replay", cli::text(&fork)]).says(0, &["no divergence"]);
    for verb in [vec!["show", cli::text(&session)], vec!["context", cli::text(&session), "--seat", "Alice"]] {
        cli::ekklesia(&verb).says(0, &[]);
    }
    cli::ekklesia(&["show", cli::text(&session)]).says(0, &["exhibit report is shown", "looks up, and finds"]);
}
