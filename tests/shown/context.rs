//! `context`: what is told is what the prompt held, and nothing that a seat witnessed is missing from the account.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use crate::fixtures::cli::{self, Server, ekklesia, mixed, text};
use crate::fixtures::trial::{POLICIES, any_model, go_on_with, justice, plan, repository, whole, write_config};
use ekklesia::domain::{
    Answer, Briefing, Consequence, Event, Extent, Fault, Faulted, Outage, Payment, Query, Record, Reply, SeatName, Seq,
    Step,
};
use ekklesia::engine::Deliberation;
use ekklesia::memory::RENDERED_LIMIT_MIN;
use ekklesia::plan::{PhaseKind, Plan, PlannedSession, Sitter, SpeakingOrder};
use ekklesia::ports::Backend;
use ekklesia::prompt::Role;
use ekklesia::service::openai::Request;
use ekklesia::service::seating::Seating;
use ekklesia::session::{MemoryRewrite, OmissionReason, SeatView, build_seat_view, retrace_session};
use ekklesia::store::calls::CallLine;
use ekklesia::store::inputs::Inputs;
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;

/// Voters, a seat that is often unreadable, and every way of asking.
const TABLE: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice, mind: { voter: { copy: 0.5 } } }, { name: Bob, mind: { random: { malformed: 0.2 } } }, { count: 2 }]
straw_polls: [before, each_round, after]
interventions:
  - { at: { phase: discussion, round: 2 }, to: [Alice], text: \"Only you know this.\" }
  - { at: { phase: discussion, round: 3 }, as: human, text: \"All of you know this.\" }
decision: { rule: unanimity }
";

/// Justice with memories so small that they are rewritten and compressed all the time.
const SMALL: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 1 } } }
seats: [{ name: Alice }, { name: Bob, mind: { random: { malformed: 0.2 } } }, { name: Carol }]
parameters: { applications_count: 1 }
discussion: { rounds: 3, order: random, vote: every_round, private_reasoning: true }
memory: { memory_character_limit: 4000, memory_compression_threshold: 0.3, memory_compression_target: 0.2,
  public_history_max_length: 900, statement_max_length: 90, reasoning_max_length: 60 }
";

/// What is done to the memories of two of them.
const ACTS: &str = "
  - { at: { phase: discussion, round: 3 }, to: [Bob], forget: all }
  - { at: { phase: straw_after }, to: [Alice], forget: discussion }
";

const COMPRESSION: &str = "memory_compression_threshold: 0.3, memory_compression_target: 0.2,";

/// A session, and what there is to tell of each of its answers.
struct Session {
    what: &'static str,
    plan: Arc<Plan>,
    records: Vec<Record>,
    views: Vec<(Record, SeatView)>,
}

/// Sessions under every policy, in every order of speaking, within limits of any tightness.
static SESSIONS: LazyLock<Vec<Session>> = LazyLock::new(hold_sessions);

fn hold_sessions() -> Vec<Session> {
    let talk = |order: &str, memory: &str| {
        plan(&format!("{TABLE}discussion: {{ rounds: 4, order: {order}, vote: at_end }}\nmemory: {{ {memory} }}\n"))
    };
    let proposals = plan(&format!(
        "{TABLE}discussion: {{ rounds: 6, order: volunteer, vote: on_call, proposals: true }}\nmemory: {}\n",
        POLICIES[8]
    ));
    let plans = [
        ("selective", talk("random", "policy: selective")),
        ("a short history", talk("fixed", "public_history_max_length: 400, guidance_style: structured")),
        ("a short memory", talk("simultaneous", "memory_character_limit: 500, statement_max_length: 40")),
        ("full", talk("random", "policy: full, statement_max_length: 20")),
        ("justice", justice(SMALL)),
        ("none", talk("fixed", "policy: none")),
        (
            "a window and a short history",
            talk(
                "fixed",
                "policy: { window: { statements: 2 } }, history_in_brief: full, public_history_max_length: 400",
            ),
        ),
        (
            "justice, nothing rewritten",
            justice(&SMALL.replace(COMPRESSION, "").replace("{ memory_", "{ policy: full, memory_")),
        ),
        ("volunteers", talk("volunteer", "policy: selective")),
        ("proposals", proposals),
    ];
    let acts = |memory: &str| {
        let acts = if memory.contains("none, ") { "" } else { ACTS };
        let body = TABLE.replace("interventions:\n", &format!("interventions:\n{acts}"));
        plan(&format!("{body}discussion: {{ rounds: 4, vote: on_call }}\nmemory: {memory}\n"))
    };
    let policies = POLICIES.iter().map(|memory| (*memory, acts(memory)));
    let held = plans.into_iter().chain(policies).map(|(what, plan)| {
        let records = whole(&plan, 1);
        let views = views(&plan, &records);
        Session { what, plan, records, views }
    });
    held.collect()
}

/// A view of every answer.
fn views(plan: &Plan, records: &[Record]) -> Vec<(Record, SeatView)> {
    let answers = records.iter().filter(|record| record.event.given().is_some());
    answers
        .map(|record| {
            (
                record.clone(),
                build_seat_view(Deliberation::convene(plan, 1), records, record.seq, &any_model()).unwrap(),
            )
        })
        .collect()
}

#[test]
fn the_entries_shown_are_the_prompts_in_its_order() {
    let mut entries = 0;
    for Session { what, views, .. } in &*SESSIONS {
        for (record, seen) in views {
            let shown = &record.event.given().unwrap().shown;
            assert_eq!(&seen.shown, shown);
            let pinned = seen.entries.iter().filter(|entry| entry.is_pinned).count();
            assert_eq!(pinned as u32, shown.pinned + shown.pinned_remarks, "{what}: record {}", record.seq.0);
            let told = seen.wording.messages.iter().filter(|message| message.role != Role::System);
            let told = told.map(|message| message.content()).collect::<Vec<_>>().join("\n");
            let mut rest = told.as_str();
            for entry in &seen.entries {
                let place = rest.find(&entry.text);
                let place = place.unwrap_or_else(|| panic!("{what}: record {}: {entry:?} in {rest:?}", record.seq.0));
                rest = &rest[place + entry.text.len()..];
                entries += 1;
            }
        }
    }
    assert!(entries > 2_000, "only {entries} entries were compared");
}

#[test]
fn what_was_shown_and_what_was_omitted_is_what_was_witnessed() {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for Session { what, plan, records, views: all } in &*SESSIONS {
        for (record, seen) in all {
            let shown: BTreeSet<Seq> = seen.entries.iter().map(|entry| entry.seq).collect();
            let omitted: BTreeSet<Seq> = seen.omitted.iter().map(|omitted| omitted.seq).collect();
            assert!(shown.is_disjoint(&omitted), "{what}: record {}", record.seq.0);
            assert_eq!(shown.len(), seen.entries.len(), "{what}: a record is an entry once");
            assert_eq!(omitted_of_memory(records, seen), seen.shown.omitted, "{what}: record {}", record.seq.0);
            let witnessed: BTreeSet<Seq> = shown.union(&omitted).copied().collect();
            assert_eq!(witnessed, audible(plan, records, record), "{what}: record {}", record.seq.0);
            for omitted in &seen.omitted {
                let reason = match omitted.why {
                    OmissionReason::Lent => panic!("{what}: every group hears its own words"),
                    OmissionReason::Policy => "policy",
                    OmissionReason::Routing => "routing",
                    OmissionReason::Window => "window",
                    OmissionReason::Unremembered => "unremembered",
                    OmissionReason::ShortBrief => {
                        assert!(seen.shown.standing == Some(Extent::Short) && record.at.step.is_small());
                        "short brief"
                    }
                    OmissionReason::Forgotten(by) => {
                        assert!(by < record.seq && omitted.seq < by, "{what}: record {}", record.seq.0);
                        assert!(matches!(records[by.0 as usize].event, Event::Reminded(_)));
                        "forgotten"
                    }
                    OmissionReason::HistoryLimit => "history",
                    OmissionReason::MemoryLimit => {
                        assert!(record.at.step.as_str() != "compression", "what it holds stays");
                        "memory"
                    }
                    OmissionReason::Stays => {
                        assert_eq!(record.at.step.as_str(), "compression");
                        "stays"
                    }
                    OmissionReason::Replaced(by) => {
                        let (rewriting, before) = all.iter().find(|(other, _)| other.seq == by).unwrap();
                        assert_eq!(rewriting.seat, record.seat, "{what}: its own memory");
                        assert!(by < record.seq && omitted.seq < by);
                        let is_rewriting =
                            matches!(rewriting.reply(), Some(Reply::Note(_))) && rewriting.at.step != Step::Reasoning;
                        let had = before.entries.iter().any(|entry| entry.seq == omitted.seq);
                        assert!(is_rewriting && had, "{what}: record {} replaces what it was not shown", by.0);
                        "replaced"
                    }
                };
                *reasons.entry(reason).or_default() += 1;
            }
            let history =
                seen.omitted.iter().filter(|omitted| omitted.why == OmissionReason::HistoryLimit).count() as u64;
            assert!(history <= seen.history_dropped.0);
        }
    }
    let all = [
        "forgotten",
        "history",
        "memory",
        "policy",
        "replaced",
        "routing",
        "short brief",
        "stays",
        "unremembered",
        "window",
    ];
    assert_eq!(reasons.keys().copied().collect::<Vec<_>>(), all);
    assert!(reasons.values().all(|count| *count > 20), "{reasons:?}");
}

/// What the record counts as omitted: remarks and own entries, of which those that were put back behind a summary stand there
/// in another place. Summaries are no entries, and answers that nobody remembers never were.
fn omitted_of_memory(records: &[Record], seen: &SeatView) -> u32 {
    let is_summary = |seq: Seq| records[seq.0 as usize].at.step == Step::Compression;
    let omitted =
        seen.omitted.iter().filter(|omitted| omitted.why != OmissionReason::Unremembered && !is_summary(omitted.seq));
    let summaries = seen.entries.iter().filter(|entry| is_summary(entry.seq)).count();
    let forgotten: usize = seen.shown.forgotten.summaries.iter().map(|part| part.len()).sum();
    (omitted.count() + seen.shown.summaries.len() - forgotten - summaries) as u32
}

/// What a seat has witnessed by the time of one of its answers, found from the records: what is answered takes effect when
/// its ask is answered in full.
fn audible(plan: &Plan, records: &[Record], answer: &Record) -> BTreeSet<Seq> {
    let at_once =
        |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(talk) if talk.order == SpeakingOrder::Simultaneous);
    let is_together = plan.agenda.iter().any(|phase| at_once(&phase.kind));
    let ask = |record: &Record| {
        let turn = if is_together { 0 } else { record.at.turn };
        (record.at.phase.clone(), record.at.round, record.at.step, turn)
    };
    let before = &records[..answer.seq.0 as usize];
    let begun = before.iter().rposition(|record| ask(record) != ask(answer)).map_or(0, |last| last + 1);
    let is_own = |record: &&Record| record.seat == answer.seat;
    let is_told = |seat: &SeatName| answer.seat.as_ref() == Some(seat);
    let kept = |record: &&Record| match &record.event {
        Event::Tallied(_) => true,
        Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }) if record.at.step.as_str() == "confirmation" => {
            true
        }
        Event::Briefed(Briefing { to, .. }) => to.is_empty() || to.iter().any(is_told),
        Event::Paid(Payment { payoffs, .. }) => payoffs.iter().any(|payoff| is_told(&payoff.seat)),
        _ => match (record.at.step, record.reply()) {
            (Step::Statement, Some(Reply::Statement { .. })) | (Step::Confirmation, Some(_)) => true,
            (Step::VoteCall, Some(Reply::Assent(true))) => true,
            (Step::Ballot, Some(Reply::Choice(choice))) => {
                let place = plan.motion.find(choice.alternative.as_str()).unwrap();
                is_own(record) && !plan.motion.alternatives[place.index()].takes_amount
            }
            _ => is_own(record),
        },
    };
    let earlier = before[..begun].iter().filter(kept);
    let tries = before[begun..].iter().filter(|record| is_own(record));
    earlier.chain(tries).map(|record| record.seq).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_rewriting_shows_the_memory_before_and_after() {
    let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut put_back = 0;
    for Session { what, plan, views, .. } in &*SESSIONS {
        for (record, seen) in views {
            let Some(MemoryRewrite { before, after, rest }) = &seen.rewritten else {
                assert!(!["integration", "compression"].contains(&record.at.step.as_str()));
                continue;
            };
            assert!(before.iter().all(|entry| entry.seq < record.seq && !entry.is_pinned));
            let replaced: BTreeSet<Seq> = before.iter().map(|entry| entry.seq).collect();
            assert!(!replaced.is_empty(), "{what}: record {} stands for nothing", record.seq.0);
            match record.reply() {
                Some(Reply::Note(text)) => {
                    assert_eq!(after[0].seq, record.seq, "{what}");
                    assert!(after[0].text == format!("[MEMORY] {text}") || after[0].cut.is_some());
                    assert!(after[1..].iter().all(|entry| replaced.contains(&entry.seq)), "{what}");
                    assert!(rest.iter().all(|entry| !replaced.contains(&entry.seq)), "{what}");
                    put_back += after.len() - 1;
                }
                _ => assert_eq!(before, after),
            }
            kinds.entry(record.at.step.as_str()).or_default().insert(plan.memory.policy.config_name());
        }
    }
    assert_eq!(kinds["integration"], BTreeSet::from(["selective"]));
    assert_eq!(kinds["compression"], BTreeSet::from(["compact", "digest", "selective"]));
    assert!(put_back > 10, "only {put_back} entries were put back");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_text_that_was_cut_says_from_which_length_to_which() {
    // A statement is cut in a seat's own memory alone, which is shown where no public history is.
    let plan = justice(&SMALL.replace("{ memory_", "{ history_in_brief: none, memory_"));
    let records = whole(&plan, 1);
    let mut cuts = BTreeSet::new();
    for (_, seen) in views(&plan, &records) {
        for entry in &seen.entries {
            let record = &records[entry.seq.0 as usize];
            let full = match (record.at.step, record.reply()) {
                (Step::Statement, Some(Reply::Statement { text, .. })) => text,
                (Step::Reasoning, Some(Reply::Note(text))) => text,
                _ => continue,
            };
            let chars = full.chars().count() as u64;
            let most = if record.at.step.as_str() == "reasoning" { 60 } else { 90 };
            assert_eq!(entry.cut.is_some(), chars > most, "{entry:?}");
            if let Some((kept, of)) = entry.cut {
                assert!(kept <= most && of == chars);
                cuts.insert(record.at.step.as_str());
            }
        }
    }
    assert_eq!(cuts, BTreeSet::from(["reasoning", "statement"]));
}

/// Minds behind a window: what is shown beyond so many remarks and entries is too much for them.
struct Narrow<'m>(&'m Seating);

impl Backend for Narrow<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let is_too_long = query.shown.floor.len() + query.shown.own.len() > 5;
        async move {
            let answer = self.0.answer(query).await?;
            Ok(if is_too_long { Answer { parsed: Err(Fault::ContextTooLong), ..answer } } else { answer })
        }
        .boxed()
    }
}

#[test]
fn a_prompt_that_was_refused_as_too_long_is_told_with_all_that_follows() {
    let plan = plan(&format!("{TABLE}discussion: {{ rounds: 4, order: random, vote: at_end }}\n"));
    let mut deliberation = Deliberation::convene(&plan, 1);
    let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
    let mut kept = Vec::new();
    go_on_with(&mut deliberation, &Narrow(&minds), &mut kept).unwrap();
    let mut after = 0;
    for (record, seen) in views(&plan, &kept) {
        let refused = |other: &&Record| {
            let too_long = matches!(other.event, Event::Faulted(Faulted { fault: Fault::ContextTooLong, .. }));
            too_long && other.seat == record.seat && other.seq < record.seq
        };
        let was_put = |other: &&Record| !matches!(&other.event, Event::Faulted(Faulted { raw, .. }) if raw.is_empty());
        let (put, unput): (Vec<&Record>, Vec<&Record>) = kept.iter().filter(refused).partition(was_put);
        let numbers = |of: Vec<&Record>| of.iter().map(|other| other.seq).collect::<Vec<_>>();
        assert_eq!(seen.refusals, (numbers(put), numbers(unput)));
        let shown: usize = seen.entries.iter().map(|entry| entry.text.chars().count()).sum();
        let pinned = seen.entries.iter().filter(|entry| entry.is_pinned).map(|entry| entry.text.chars().count());
        let least = pinned.sum::<usize>() as u64 + RENDERED_LIMIT_MIN;
        // What is shown to make a memory shorter has a bound of its own.
        let is_rewritten = record.at.step.as_str() == "compression";
        let most = if is_rewritten { seen.allowance_to_write } else { seen.allowance };
        // Of what is to be rewritten at least one thing is shown, however long.
        assert!(is_rewritten || most.is_none_or(|most| shown as u64 <= most.max(least)), "{shown} of {most:?}");
        let any = [&seen.refusals.0, &seen.refusals.1].iter().any(|refusals| !refusals.is_empty());
        assert_eq!(seen.allowance.or(seen.allowance_to_write).is_some(), any);
        assert_eq!(omitted_of_memory(&kept, &seen), seen.shown.omitted);
        after += usize::from(seen.allowance.is_some());
    }
    assert!(after > 10, "only {after} prompts came after a refusal");
}

/// A results folder of a table of models, minds and a script.
fn recorded(folder: &Path) -> std::path::PathBuf {
    let server = Server::start();
    let body = mixed(&server.base_url(), "fixed").replace("model: played", "model: played, context_window: 4096");
    let (config, out) = (write_config(folder, &body), folder.join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    out
}

#[test]
fn the_prompt_told_is_the_very_request_that_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let out = recorded(folder.path());
    let experiment = Inputs::read_results(&out).unwrap().resolve().unwrap().experiment;
    let plan = PlannedSession::find_by_name(&experiment, "baseline-r000001").unwrap().plan();
    let of = |file: &str| fs::read_to_string(out.join("sessions/baseline-r000001").join(file)).unwrap();
    let records: Vec<Record> = of("minutes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_calls = of("calls.jsonl");
    let calls = of_calls.lines().filter(|line| line.starts_with("{\"question\""));
    let calls: Vec<CallLine> = calls.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(calls.len() > 6);
    for call in calls {
        let answer = records.iter().find(|record| record.question().as_ref() == Some(&call.question)).unwrap();
        let seat = plan.seats.iter().find(|seat| seat.name == call.question.seat).unwrap();
        let Sitter::Model(place) = seat.sitter else { panic!("a mind is called") };
        let model = &plan.models[place];
        let wording = build_seat_view(Deliberation::convene(&plan, 1), &records, answer.seq, model).unwrap().wording;
        assert_eq!(
            Request::new(model, wording.messages, wording.schema, wording.reply_tokens_max).digest(),
            call.request
        );
    }
    let told = ekklesia(&["context", text(&out.join("sessions/baseline-r000001")), "--seat", "Alice"]);
    told.says(
        0,
        &["of 3 216 tokens, window 4 096", "the server counted 90", "--- system", "--- the reply's JSON schema"],
    );
    assert!(!told.stdout.contains("simulated"), "{}", told.stdout);
}

#[test]
fn an_answer_is_found_by_its_number_or_its_place_and_is_the_last_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("first");
    let config = repository().join("configs/first.yaml");
    ekklesia(&["run", text(&config), "--replicates", "1", "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/talk-r000001");
    let records = cli::json_lines(&session.join("minutes.jsonl"));
    let asked = |more: &[&str]| -> Value {
        let told = ekklesia(&[&["context", text(&session), "--seat", "Bob", "--json"], more].concat());
        assert_eq!(told.code, Some(0), "{told:#?}");
        serde_json::from_str(&told.stdout).unwrap()
    };
    let answers: Vec<&Value> = records.iter().filter(|record| record["seat"] == "Bob").collect();
    assert_eq!(asked(&[])["answer"]["seq"], answers.last().unwrap()["seq"]);
    for answer in &answers {
        let at = &answer["at"];
        let place = format!("{}:{}:{}", at["phase"].as_str().unwrap(), at["round"], at["step"].as_str().unwrap());
        let (by_number, by_place) = (asked(&["--at", &answer["seq"].to_string()]), asked(&["--at", &place]));
        assert_eq!(by_number, by_place);
        assert_eq!(by_number["answer"]["seq"], answer["seq"]);
        assert_eq!(by_number["simulated"], true);
        let shown = by_number["shown"].as_array().unwrap().len() + by_number["omitted"].as_array().unwrap().len();
        assert_eq!(by_number["usage"]["memory_entries"], by_number["shown"].as_array().unwrap().len());
        assert!(shown > 0 || at["step"] == "straw_poll");
    }
    let told = ekklesia(&["context", text(&session), "--seat", "Bob", "--at", "discussion:3:statement"]);
    told.tells(&[
        "this seat is simulated and reads no prompt",
        "memory     [",
        "history    [",
        "archive",
        "shown, oldest first",
    ]);
    let above = told.stdout.split("\n--- system").next().unwrap();
    assert!(above.lines().all(|line| line.chars().count() <= 80), "{above}");
}

#[test]
fn what_cannot_be_told_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("first");
    let config = repository().join("configs/first.yaml");
    ekklesia(&["run", text(&config), "--replicates", "1", "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/talk-r000001");
    let said = |more: &[&str]| ekklesia(&[&["context", text(&session), "--seat"], more].concat());
    said(&["Bop"]).says(2, &["no seat \"Bop\" in this session; there are Alice, Bob"]);
    said(&["Bob", "--at", "0"])
        .says(2, &["record 0 is no answer of Bob: it is convening, session of arm", "Bob answers in records"]);
    said(&["Bob", "--at", "99999"]).says(2, &["there is no record 99999: the session has"]);
    said(&["Bob", "--at", "discussion:2:ballot"])
        .says(2, &["Bob answers nothing at \"discussion:2:ballot\"", "discussion:1:statement"]);
    // The end of a place may be left out.
    let complete = said(&["Bob", "--at", "discussion:2:statement"]).says(0, &[]).stdout.clone();
    assert_eq!(said(&["Bob", "--at", "discussion:2"]).says(0, &[]).stdout, complete);
    said(&["Bob", "--at", "discuss"]).says(2, &["Bob answers nothing at \"discuss\""]);
    let minutes = session.join("minutes.jsonl");
    let whole = fs::read_to_string(&minutes).unwrap();
    fs::write(&minutes, whole.replacen("\"round\":1", "\"round\":2", 1)).unwrap();
    said(&["Bob"]).says(3, &["changed since they were written"]);
    fs::remove_file(session.join("run.json")).unwrap();
    let half: String = whole.split_inclusive('\n').take(30).collect();
    fs::write(&minutes, format!("{half}{{\"seq\":30,")).unwrap();
    said(&["Bob"]).says(0, &["the last line is incomplete (10 bytes) and is left out", "30 in all"]);
    fs::write(&minutes, whole.split_inclusive('\n').take(1).collect::<String>()).unwrap();
    said(&["Bob"]).says(2, &["Bob has answered nothing yet in this session"]);
    fs::write(&minutes, format!("{half}no record\n")).unwrap();
    said(&["Bob"]).says(1, &["minutes.jsonl:31: "]);
}

/// Whatever is done to minutes, they are refused or they still hold together: nothing panics.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn minutes_that_do_not_hold_together_are_refused_and_the_record_is_named() {
    let Session { plan, records, .. } = &SESSIONS[4];
    let stop = |records: &[Record]| {
        retrace_session(Deliberation::convene(plan, 1), records, &mut |_| std::ops::ControlFlow::Continue(())).map(drop)
    };
    assert_eq!(stop(records), Ok(()));
    let mut refused = 0;
    for place in 0..records.len() {
        let mut without = records.clone();
        without.remove(place);
        let mut twice = records.clone();
        twice.insert(place, records[place].clone());
        let mut other_seat = records.clone();
        other_seat[place].seat = Some(SeatName::new("Nobody"));
        let mut other_event = records.clone();
        other_event[place].event = records[(place + 7) % records.len()].event.clone();
        let unknown = serde_json::to_string(&records[place]).unwrap().replace("average", "avarice");
        let mut unknown_name = records.clone();
        unknown_name[place] = serde_json::from_str(&unknown).unwrap();
        for changed in [without, twice, other_seat, other_event, unknown_name] {
            refused += usize::from(stop(&changed).is_err());
        }
    }
    assert!(refused > 3 * records.len(), "only {refused} of {} are refused", 5 * records.len());
    let mut other = records.clone();
    other[9].seq = Seq(10);
    assert_eq!(stop(&other).unwrap_err().seq, Seq(10));
}
