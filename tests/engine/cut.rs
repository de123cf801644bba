//! A session is cut after any record, and goes on as if nothing had happened.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock, Mutex};

use crate::fixtures::attended::conduct_in;
use crate::fixtures::cli::{Server, mixed};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, check_cuts, folded, go_on_with, plan, whole};
use ekklesia::domain::{Answer, MindState, Outage, Query, QuestionId, Record, Usage};
use ekklesia::engine::Deliberation;
use ekklesia::plan::Plan;
use ekklesia::ports::Backend;
use ekklesia::prompt::{AnswerForm, parse};
use ekklesia::service::openai::Clients;
use ekklesia::store::calls::CallLine;
use ekklesia::store::results::ResultsFolder;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::runtime::Runtime;

/// Every kind of step: polls before, within and after, re-asks, forfeits, statements in turn or at once, votes each round.
static PLANS: LazyLock<Vec<Arc<Plan>>> = LazyLock::new(read_plans);

fn read_plans() -> Vec<Arc<Plan>> {
    let mut plans = Vec::new();
    for order in ["fixed", "random", "simultaneous"] {
        for vote in ["at_end", "every_round"] {
            plans.push(plan(&format!(
                "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim }}
seats:
  - {{ name: Alice, mind: {{ voter: {{ copy: 0.6 }} }} }}
  - {{ name: Bob, mind: {{ random: {{ malformed: 0.5 }} }} }}
  - name: Carol
    mind:
      scripted:
        table:
          - {{ phase: straw_before, round: 0, step: straw_poll, choice: for }}
          - {{ phase: discussion, round: 1, step: statement, statement: \"I have thought about it.\", stance: for }}
          - {{ phase: discussion, round: 1, step: straw_poll, raw: \"hm\" }}
          - {{ phase: discussion, round: 2, step: statement, pass: true }}
          - {{ phase: discussion, round: 2, step: straw_poll, choice: against }}
          - {{ phase: discussion, round: 1, step: ballot, choice: against }}
          - {{ phase: discussion, round: 2, step: ballot, choice: for }}
          - {{ phase: straw_after, round: 0, step: straw_poll, choice: for }}
          - {{ phase: vote, round: 0, step: ballot, choice: for }}
          - {{ phase: session, round: 0, step: recognition, recognises: \"A study of streets.\" }}
controls: {{ recognition_probe: true }}
straw_polls: [before, each_round, after]
discussion: {{ rounds: 2, order: {order}, vote: {vote} }}
decision: {{ rule: unanimity }}
memory: {{ memory_character_limit: 400, public_history_max_length: 600, statement_max_length: 80 }}
"
            )));
        }
    }
    plans.extend(trial::POLICIES.iter().map(|memory| of_memory(memory, "rotating")));
    plans.extend([0, 7, 8].map(|policy| of_memory(trial::POLICIES[policy], "volunteer")));
    plans.extend(["random", "simultaneous"].map(of_own_settings));
    plans
}

fn of_own_settings(order: &str) -> Arc<Plan> {
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}
seats:
  - {{ name: Alice, language: es }}
  - {{ name: Bob, private_reasoning: true, memory: {{ memory_character_limit: 900, statement_max_length: 40 }} }}
  - {{ name: Carol, memory: {{ public_history_max_length: 300, memory_compression_threshold: 0.2, memory_compression_target: 0.1 }} }}
discussion: {{ rounds: 4, order: {order}, vote: every_round }}
decision: {{ rule: unanimity }}
memory: {{ memory_character_limit: 1500, public_history_max_length: 2000 }}
"
    ))
}

#[test]
fn a_seat_thinks_privately_at_its_own_turns_if_it_alone_is_to() {
    for order in ["random", "simultaneous"] {
        let records = whole(&of_own_settings(order), 1);
        let turns = |step: &str, seat: &str| -> Vec<(u32, u32)> {
            let at = records.iter().filter(|record| record.at.step.as_str() == step && record.at.turn > 0);
            let own = at.filter(|record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat));
            own.map(|record| (record.at.round, record.at.turn)).collect()
        };
        for seat in ["Alice", "Bob", "Carol"] {
            let (thought, said) = (turns("reasoning", seat), turns("statement", seat));
            let thought: std::collections::BTreeSet<_> = thought.into_iter().collect();
            let said: std::collections::BTreeSet<_> = said.into_iter().collect();
            assert!(!said.is_empty());
            assert_eq!(thought, if seat == "Bob" { said } else { Default::default() }, "{order} {seat}");
        }
    }
}

/// Statements that are marked: one that was made, one that comes later, and one after something was forgotten.
const MARKS: &str = "
  - { at: { phase: discussion, round: 2 }, mark: \"#1.2\" }
  - { at: { phase: discussion, round: 2 }, to: [Carol], as: human, mark: \"#4.1\" }
  - { at: { phase: discussion, round: 3 }, to: [Bob, Carol], mark: \"#2.1\" }";

/// A session under a memory policy, of seats that copy each other, fail now and then, and vote in each round.
fn of_memory(memory: &str, order: &str) -> Arc<Plan> {
    let rewrites = !["window", "policy: full", "policy: none"].iter().any(|word| memory.contains(word));
    let shortened = "  - { at: { phase: discussion, round: 2 }, to: [Alice, Bob], compact: { focus: who said what } }";
    let shortened = if rewrites { shortened } else { "" };
    // The others have no room for what is marked.
    let roomy = ["statement_max_length: 80", "policy: full", "statements: 3"];
    let marks = if roomy.iter().any(|word| memory.contains(word)) { MARKS } else { "" };
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ voter: {{ copy: 0.6 }} }} }},
  {{ name: Dave, mind: {{ random: {{ malformed: 1 }} }} }}]
straw_polls: [each_round]
discussion: {{ rounds: 4, order: {order}, vote: every_round, private_reasoning: true, proposals: true }}
decision: {{ rule: unanimity, invalid: void_round, roll_call: true }}
memory: {memory}
interventions:
  - {{ at: {{ phase: discussion, round: 3 }}, to: [Bob], forget: discussion }}
  - {{ at: {{ phase: discussion, round: 4 }}, forget: all }}
{shortened}{marks}
"
    ))
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_session_folded_to_any_record_goes_on_to_the_same_minutes() {
    for plan in PLANS.iter() {
        let all = whole(plan, 1);
        check_cuts(plan, 1, &all, sample_cases(0..=all.len(), 5));
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn folded_memory_is_the_live_memory_after_every_record() {
    for plan in PLANS.iter() {
        let all = whole(plan, 1);
        let compared = sample_cases(0..all.len(), 5);
        let mut live = Deliberation::convene(plan, 1);
        for (number, record) in all.iter().enumerate() {
            live.evolve(record);
            if !compared.contains(&number) {
                continue;
            }
            let folded = folded(plan, 1, &all[..=number]);
            assert_eq!(format!("{:?}", folded.memory()), format!("{:?}", live.memory()));
            assert_eq!(format!("{:?}", folded.next()), format!("{:?}", live.next()));
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn resumed_minutes_equal_the_whole_wherever_they_are_cut() {
    for plan in PLANS.iter() {
        let root = tempfile::tempdir().unwrap();
        let folder = ResultsFolder::open_for_writing(root.path()).unwrap();
        let all = conduct_in(&folder, (plan, 1), None);
        let path = folder.minutes(&plan.session_name(1)).path().to_owned();
        // In the middle of every line, where the torn rest is dropped, and after every record.
        let cuts = ends(&all).into_iter().flat_map(|end| [end.saturating_sub(9), end]);
        for cut in sample_cases(cuts, 11).into_iter().chain([0, 1]) {
            fs::write(&path, &all[..cut]).unwrap();
            assert!(conduct_in(&folder, (plan, 1), None) == all, "cut after {cut} bytes");
        }
    }
}

/// A model that answers by the question alone, writes each call down, and is asked nothing that is written down.
struct Recorded<'r> {
    plan: &'r Plan,
    calls: &'r Mutex<BTreeMap<QuestionId, String>>,
    made: Mutex<u64>,
}

impl Backend for Recorded<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let mut calls = self.calls.lock().expect("no test panics here");
        let raw = calls.entry(query.id.clone()).or_insert_with(|| {
            *self.made.lock().expect("no test panics here") += 1;
            say(query)
        });
        let parsed = parse(&query.ask, &self.plan.motion, AnswerForm::JsonSchema, raw);
        let usage = Some(Usage {
            prompt_tokens: query.brief.remarks.len() as u64,
            completion_tokens: 1,
            thinking_tokens: None,
            cached_prompt_tokens: None,
        });
        let answer = Answer {
            raw: raw.clone(),
            parsed,
            field: None,
            usage,
            model_served: Some("mock".to_owned()),
            state: MindState::default(),
        };
        std::future::ready(Ok(answer)).boxed()
    }
}

/// A reply that depends on the question and on what is shown; now and then one that cannot be read.
fn say(query: &Query<'_>) -> String {
    let shown = query.brief.remarks.last().map_or("nothing", |remark| &*remark.text);
    let digest = blake3::hash(format!("{} after {shown}", query.id).as_bytes());
    let choice = ["for", "against"][usize::from(digest.as_bytes()[0] % 2)];
    match (digest.as_bytes()[1] % 5, query.id.at.step) {
        (0, _) => format!("I would rather talk about {choice}."),
        (_, ekklesia::domain::Step::Statement) => {
            format!("{{\"statement\": \"I say {} to this.\", \"stance\": \"{choice}\"}}", digest.to_hex())
        }
        _ => format!("{{\"choice\": \"{choice}\"}}"),
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn calls_before_and_after_the_cut_are_the_calls_of_the_whole() {
    for plan in PLANS.iter() {
        let calls = Mutex::default();
        let model = Recorded { plan, calls: &calls, made: Mutex::default() };
        let mut kept = Vec::new();
        go_on_with(&mut Deliberation::convene(plan, 1), &model, &mut kept).unwrap();
        let all: Vec<Record> = kept;
        let calls_of_the_whole = *model.made.lock().unwrap();
        assert!(all.iter().any(|record| record.attempt == Some(1)), "some reply could not be read");
        for cut in sample_cases(0..=all.len(), 5) {
            // What was recorded by then: the questions minuted so far.
            let minuted: Vec<QuestionId> = all[..cut].iter().filter_map(Record::question).collect();
            let mut known = calls.lock().unwrap().clone();
            known.retain(|question, _| minuted.contains(question));
            let (before, known) = (known.len() as u64, Mutex::new(known));
            let model = Recorded { plan, calls: &known, made: Mutex::default() };
            let mut again = all[..cut].to_vec();
            go_on_with(&mut folded(plan, 1, &all[..cut]), &model, &mut again).unwrap();
            assert_eq!(again, all, "cut after {cut} records");
            assert_eq!(before + *model.made.lock().unwrap(), calls_of_the_whole);
        }
    }
}

/// The ends of the lines of a file.
fn ends(text: &[u8]) -> Vec<usize> {
    (0..text.len()).filter(|&at| text[at] == b'\n').map(|at| at + 1).collect()
}

/// The ends of minutes that a crash can leave beside a call record, from nothing to all of it: an ask is minuted when the
/// calls of all its models are recorded, never before.
fn minutes_within(minutes: &[u8], calls: &[u8], order: &str) -> Vec<usize> {
    let recorded: Vec<QuestionId> = calls
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n") && line.starts_with(b"{\"question\""))
        .map(|line| serde_json::from_slice::<CallLine>(line).unwrap().question)
        .collect();
    let records: Vec<Record> =
        minutes.split_inclusive(|byte| *byte == b'\n').map(|line| serde_json::from_slice(line).unwrap()).collect();
    let questions: Vec<QuestionId> = records.iter().filter_map(Record::question).collect();
    let one_ask = |a: &QuestionId, b: &QuestionId| {
        let alone = a.at.step == ekklesia::domain::Step::Statement && order != "simultaneous";
        let same = a.at.phase == b.at.phase && a.at.round == b.at.round && a.at.step == b.at.step;
        same && a.attempt == b.attempt && (!alone || a.at.turn == b.at.turn)
    };
    let is_lost =
        |question: &QuestionId| ["Alice", "Dora"].contains(&question.seat.as_str()) && !recorded.contains(question);
    let possible = |record: &Record| match record.question() {
        Some(question) => !questions.iter().any(|other| one_ask(&question, other) && is_lost(other)),
        None => true,
    };
    let count = records.iter().take_while(|record| possible(record)).count();
    std::iter::once(0).chain(ends(minutes).into_iter().take(count)).collect()
}

/// How many whole lines of a call record hold an answer; another tells of context windows.
fn answers(calls: &[u8]) -> usize {
    calls
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.starts_with(b"{\"question\"") && line.ends_with(b"\n"))
        .count()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_models_session_is_cut_in_both_its_files_and_no_recorded_question_is_asked_again() {
    // In the last of these the models are asked for digests, too, all of them at once.
    let digests = "memory: { policy: { digest: { every: 2, words: 20, keep: 1 } } }\n";
    for (order, memory) in [("fixed", ""), ("simultaneous", ""), ("fixed", digests)] {
        let server = Server::start();
        let plan = plan(&format!("{}{memory}", mixed(&server.base_url(), order)));
        let runtime = Runtime::new().unwrap();
        let clients = Clients::new();
        let root = tempfile::tempdir().unwrap();
        let folder = ResultsFolder::open_for_writing(root.path()).unwrap();
        let name = plan.session_name(1);
        let minutes = conduct_in(&folder, (&plan, 1), Some((&clients, runtime.handle())));
        let calls = fs::read(folder.calls(&name).path()).unwrap();
        let questions = answers(&calls);
        assert_eq!(server.requests(), questions);
        let asks_for_digests = String::from_utf8_lossy(&calls).matches("\"compression\"").count();
        assert_eq!(asks_for_digests > 2, !memory.is_empty(), "{asks_for_digests}");
        let cuts = ends(&calls).into_iter().flat_map(|end| [end - 9, end]);
        for cut in sample_cases(cuts, 7).into_iter().chain([0, 1]) {
            let answered = answers(&calls[..cut]);
            let possible = minutes_within(&minutes, &calls[..cut], order);
            let last = *possible.last().unwrap();
            // With all minutes that there can be, with half of them, with none, and with a last line torn in writing.
            for kept in [last, possible[possible.len() / 2], 0, last.saturating_sub(9)] {
                fs::write(folder.calls(&name).path(), &calls[..cut]).unwrap();
                fs::write(folder.minutes(&name).path(), &minutes[..kept]).unwrap();
                let before = server.requests();
                let again = conduct_in(&folder, (&plan, 1), Some((&clients, runtime.handle())));
                assert!(again == minutes, "{order}: calls cut after {cut} bytes, minutes after {kept}");
                assert_eq!(answered + server.requests() - before, questions, "each question is answered once");
                assert_eq!(answers(&fs::read(folder.calls(&name).path()).unwrap()), questions);
            }
        }
    }
}
