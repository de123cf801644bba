//! How seats make their memories shorter: what they are told to keep, how much simulated seats write, what becomes of a text that is too
//! long, and what a facilitator's demand does.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::{Arc, Mutex};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{experiment, go_on_with, plan, whole, write_config};
use ekklesia::analysis::SessionFold;
use ekklesia::domain::{
    Answer, Ask, Digest, Event, MemoryAct, Outage, Query, Record, Reminded, Reply, RoundClosed, Spared, SparedBecause,
    Step,
};
use ekklesia::engine::Deliberation;
use ekklesia::plan::Plan;
use ekklesia::ports::Backend;
use ekklesia::service::seating::Seating;
use ekklesia::store::tables::{experiment_facts, session_facts};
use futures::FutureExt;
use futures::future::BoxFuture;

/// Minds, and by round what each was told to keep.
struct Heard<'m> {
    minds: &'m Seating,
    told: Mutex<Vec<(u32, Option<String>)>>,
}

impl Backend for Heard<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        if let Ask::Compression { focus, .. } = &query.ask {
            self.told.lock().unwrap().push((query.id.at.round, focus.as_ref().map(ToString::to_string)));
        }
        self.minds.answer(query).boxed()
    }
}

/// What the seats of four rounds of talk were told to keep, with the round.
fn told(policy: &str, limit: u32, more: &str) -> Vec<(u32, Option<String>)> {
    let plan = plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 4, order: fixed, vote: at_end }}
memory: {{ policy: {policy}, memory_character_limit: {limit}, history_in_brief: none }}
{more}
"
    ));
    let mut deliberation = Deliberation::convene(&plan, 1);
    let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
    let heard = Heard { minds: &minds, told: Mutex::default() };
    go_on_with(&mut deliberation, &heard, &mut Vec::new()).unwrap();
    heard.told.into_inner().unwrap()
}

#[test]
fn every_policy_that_makes_memories_shorter_tells_its_focus_and_no_other() {
    for (policy, focus) in [
        ("selective", None),
        ("{ selective: {} }", None),
        ("{ selective: { focus: \" who pays \" } }", Some("who pays")),
        ("{ compact: { focus: who pays } }", Some("who pays")),
        ("{ compact: {} }", None),
        ("{ digest: { every: 3, focus: who pays } }", Some("who pays")),
        ("{ digest: { every: 3 } }", None),
    ] {
        let told = told(policy, 400, "");
        assert!(!told.is_empty(), "{policy}");
        assert!(told.iter().all(|(_, heard)| heard.as_deref() == focus), "{policy}: {told:?}");
    }
}

#[test]
fn a_facilitators_focus_stands_in_the_place_of_the_policys_for_once() {
    let compact = "interventions: [{ at: { phase: discussion, round: 3 }, compact: { focus: who promised } }]";
    let told = told("{ selective: { focus: who pays } }", 900, compact);
    let promised: Vec<u32> =
        told.iter().filter(|(_, focus)| focus.as_deref() == Some("who promised")).map(|(round, _)| *round).collect();
    assert_eq!(promised, [3, 3, 3], "{told:?}");
    assert!(told.len() > 3 && told.iter().all(|(_, focus)| focus.is_some()), "{told:?}");
}

/// Minds, of which Alice writes so many characters more than her memory takes over.
struct Verbose<'m> {
    minds: &'m Seating,
    over: u64,
}

impl Backend for Verbose<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let answer = self.minds.answer(query);
        async move {
            let mut answer = answer.await?;
            if let Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. } = &query.ask
                && query.id.seat.as_str() == "Alice"
            {
                answer.parsed = Ok(Reply::Note("a".repeat((chars_max + self.over) as usize).into()));
            }
            Ok(answer)
        }
        .boxed()
    }
}

/// Four rounds in which memories are integrated and made shorter.
const REWRITING: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice }, { name: Bob }]
discussion: { rounds: 4, order: fixed, vote: at_end }
memory: { policy: selective, memory_character_limit: 400, history_in_brief: none, routing: { statement: integrated } }
";

#[test]
fn a_text_that_is_longer_than_was_allowed_is_cut_and_says_so_in_its_record_and_in_its_status() {
    for (over, status) in [(0, "valid"), (1, "cut"), (77, "cut")] {
        let experiment = experiment(REWRITING);
        let plan: &Arc<Plan> = &experiment.arms[0];
        let mut deliberation = Deliberation::convene(plan, 1);
        let minds = Seating::new(Arc::clone(plan), *deliberation.seed(), None);
        let mut kept = Vec::new();
        go_on_with(&mut deliberation, &Verbose { minds: &minds, over }, &mut kept).unwrap();
        let mut written = 0;
        for record in &kept {
            let Some(Reply::Note(text)) = record.reply() else { continue };
            let cut_chars = &record.cut_chars();
            written += 1;
            match record.seat.as_ref().unwrap().as_str() {
                // Three points stand where the text is cut.
                "Alice" => assert_eq!(*cut_chars, if over > 0 { over + 3 } else { 0 }, "{}", text.len()),
                _ => assert_eq!(*cut_chars, 0),
            }
        }
        assert!(written > 4, "{written}");
        let (_, arms) = experiment_facts(&experiment);
        let mut fold = SessionFold::new(session_facts(&arms[0], plan, 1));
        kept.iter().for_each(|record| fold.fold_record(record).unwrap());
        let folded = fold.finish_completed(Digest::of(b"minutes")).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(folded.rows.answers.as_slice());
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        let of = |seat: &str| {
            let own = rows.iter().filter(|row| row.iter().any(|cell| cell == seat));
            own.filter(|row| row.iter().any(|cell| cell == "integration" || cell == "compression")).collect::<Vec<_>>()
        };
        assert!(!of("Alice").is_empty() && !of("Bob").is_empty());
        for row in of("Alice") {
            assert!(row.iter().any(|cell| cell == status), "{row:?}");
        }
        assert!(of("Bob").iter().all(|row| row.iter().any(|cell| cell == "valid")));
    }
}

/// Lengths of the texts that a session's simulated seats wrote when they made their memories shorter.
fn lengths(records: &[Record]) -> Vec<usize> {
    let written = records.iter().filter_map(|record| match (record.at.step, record.reply()) {
        (Step::Compression, Some(Reply::Note(text))) => Some(text.chars().count()),
        _ => None,
    });
    written.collect()
}

#[test]
fn simulated_seats_write_as_much_as_the_compression_target_leaves_them() {
    let longest = |target: f64| {
        let plan = plan(&format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{{ count: 8 }}]\n\
             discussion: {{ rounds: 20, order: fixed, vote: at_end }}\nmemory: {{ policy: {{ compact: {{ threshold: 0.9, keep: 1 }} }}, \
             memory_character_limit: 5000, memory_compression_target: {target}, history_in_brief: none }}\n"
        ));
        lengths(&whole(&plan, 1)).into_iter().max().expect("a memory is made shorter")
    };
    for target in [0.1, 0.3, 0.6] {
        let (found, most) = (longest(target), (5_000.0 * target) as usize);
        assert!(found <= most && found + 200 > most, "{found} of {most}");
    }
}

#[test]
fn a_demand_below_the_target_makes_a_memory_shorter_or_says_why_it_stays() {
    let body = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
discussion: { rounds: 4, order: fixed, vote: at_end }
memory: { policy: { compact: { threshold: 0.9, keep: 1 } }, memory_character_limit: 50000, history_in_brief: none }
interventions:
  - { at: { phase: welcome }, compact: {} }
  - { at: { phase: discussion, round: 4 }, to: [Alice, Bob], compact: {} }
";
    let records = whole(&plan(body), 1);
    let demands = records.iter().filter_map(|record| match &record.event {
        Event::Reminded(Reminded { act: MemoryAct::Compact { .. }, spared, .. }) => Some(spared.clone()),
        _ => None,
    });
    let demands: Vec<Vec<Spared>> = demands.collect();
    let why: Vec<(&str, SparedBecause)> = demands[0].iter().map(|spared| (spared.seat.as_str(), spared.why)).collect();
    let nothing = SparedBecause::NothingToReplace;
    assert_eq!(why, [("Alice", nothing), ("Bob", nothing), ("Carol", nothing)]);
    assert_eq!(demands[1], [], "in the fourth round there is something to make shorter");
    // Three rounds of three statements are far below the target of 30 000 characters.
    let asked: Vec<(u32, &str)> = records
        .iter()
        .filter(|record| record.at.step == Step::Compression)
        .map(|record| (record.at.round, record.seat.as_ref().unwrap().as_str()))
        .collect();
    assert_eq!(asked, [(4, "Alice"), (4, "Bob")]);
    let closed = |round: u32| {
        records.iter().find_map(|record| match &record.event {
            Event::RoundClosed(RoundClosed { memory, .. }) if record.at.round == round => {
                Some(memory.iter().map(|of| of.chars).collect::<Vec<u64>>())
            }
            _ => None,
        })
    };
    let (before, after) = (closed(3).unwrap(), closed(4).unwrap());
    assert!(after[0] < before[0] && after[1] < before[1] && after[2] > before[2], "{before:?} {after:?}");
    assert!(lengths(&records).iter().all(|length| *length < before[0] as usize * 6 / 10), "{:?}", lengths(&records));
    // A reader of the session is told both.
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&write_config(place.path(), body)), "--out", text(&out)]).says(0, &["1 of 1 sessions"]);
    ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]).tells(&[
        "the memory of every seat is to be made shorter",
        "the memory of Alice stays as it is, because it holds nothing that its policy replaces by a text",
        "the memory of Alice, Bob is to be made shorter",
    ]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}
