//! Faults that memories of agents elsewhere were found to have, each tried here. One more cannot be had: a lock that is taken twice,
//! for there is no lock below the rim (`tests/tidy.rs::nothing_banned_is_written`).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, everything, text};
use crate::fixtures::recount::{NAMES, OWN_NAMES, chars, entry, motion, said, usual};
use crate::fixtures::shipped::shipped;
use crate::fixtures::trial::{self, go_on_with, justice, plan, whole};
use ekklesia::domain::{
    Answer, Ask, Before, Consequence, Digest, EntryKind, Event, Fault, Faulted, Needed, Outage, Query, Reply, SeatId,
    SeatNotes, Seq, Shown, Step,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::memory::notice::unlabelled_entry;
use ekklesia::memory::{
    self, CompactPolicy, FloorEvent, Memory, MemoryPlan, MemoryPolicy, RewriteReason, Window, guidance,
};
use ekklesia::ports::Backend;
use ekklesia::prompt::{AnswerForm, parse};
use ekklesia::service::seating::Seating;
use ekklesia::text::{abridge_text, truncate_text};
use futures::FutureExt;
use futures::future::BoxFuture;
use unicode_segmentation::UnicodeSegmentation;

const SEAT: SeatId = SeatId(1);

fn memory(plan: MemoryPlan) -> Memory {
    Memory::new(plan, &motion(), OWN_NAMES)
}

fn say(memory: &mut Memory, number: usize, text: &str) {
    memory.add_remark(said(number, Some(0)), FloorEvent::Statement, NAMES[0], text, None);
}

fn shown(memory: &Memory) -> Vec<String> {
    memory.recall_brief(SEAT).0.remarks.iter().map(|remark| remark.text.to_string()).collect()
}

#[test]
fn a_limit_of_300_never_yields_303() {
    let mut memory = memory(usual());
    for (number, text) in ["x".repeat(299), "x".repeat(300), "x".repeat(301), "word ".repeat(200)].iter().enumerate() {
        say(&mut memory, number, text);
        let kept = guidance::kept_text(memory.remarks(ekklesia::domain::SeatId(0)).last().unwrap()).into_owned();
        assert!(chars(&kept) <= 300, "{}", chars(&kept));
        assert_eq!(kept == *text, text.len() <= 300, "what fits is untouched, and what does not is marked");
    }
    let mut thought = "x".repeat(900);
    memory.keep_entry(SEAT, entry(9, EntryKind::OwnReasoning, &thought));
    assert_eq!(chars(unlabelled_entry(memory.recall_brief(SEAT).0.own.last().unwrap())), 200);
    abridge_text(&thought.clone(), 300).apply(&mut thought);
    assert_eq!(chars(&thought), 300);
}

#[test]
fn what_a_seat_wrote_or_thought_never_reads_as_the_words_of_whoever_spoke_before() {
    let mut memory = memory(usual());
    say(&mut memory, 0, "Let us begin.");
    let own = |memory: &Memory| memory.recall_brief(SEAT).0.own.last().unwrap().text.clone();
    memory.keep_entry(SEAT, entry(1, EntryKind::OwnReasoning, "Too costly."));
    assert_eq!(own(&memory), "You thought: Too costly.");
    memory.apply_rewrite(SEAT, entry(2, EntryKind::Rewritten, "So it is."), RewriteReason::Integration);
    assert_eq!(own(&memory), "[MEMORY] So it is.");
    // A writer that was shown the mark may repeat it.
    memory.apply_rewrite(SEAT, entry(3, EntryKind::Rewritten, "[MEMORY] So it is."), RewriteReason::Integration);
    assert_eq!(own(&memory), "[MEMORY] So it is.");
}

#[test]
fn a_cut_counts_characters_and_never_splits_one() {
    let text = "Ä👨‍👩‍👧e\u{301}漢".repeat(90);
    let mut memory = memory(usual());
    say(&mut memory, 0, &text);
    let kept = guidance::kept_text(&memory.remarks(ekklesia::domain::SeatId(0))[0]).into_owned();
    assert!(chars(&kept) <= 300 && kept.len() > 300, "bytes are not counted");
    let whole = kept.strip_suffix("...").unwrap();
    assert!(text.grapheme_indices(true).any(|(start, _)| start == whole.len()), "{whole:?}");
    for max in 0..40 {
        let mut cut = text.clone();
        truncate_text(&text, max).apply(&mut cut);
        assert!(chars(&cut) <= u64::from(max));
    }
}

#[test]
fn dropping_a_few_never_drops_all() {
    for policy in [
        MemoryPolicy::Selective,
        MemoryPolicy::Window(Window::Statements(5)),
        MemoryPolicy::Window(Window::Tokens(1)),
        MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 900_000, keep: 9 }),
        MemoryPolicy::Digest(memory::DigestPolicy { every: 2, words: 5, keep: 7 }),
        MemoryPolicy::Shuffled,
    ] {
        let mut memory = memory(MemoryPlan { policy, memory_character_limit: 300, ..usual() });
        for number in 0..40 {
            say(&mut memory, number, &format!("This is statement {number}."));
            let newest = format!("This is statement {number}.");
            assert_eq!(shown(&memory).last(), Some(&newest), "{policy:?}");
            if memory.can_halve(SEAT) && number == 20 {
                // Where less than the least would be left, one question is put with nothing; then the newest is there again.
                memory.halve_brief(SEAT);
                memory.restore_brief(SEAT);
                assert_eq!(shown(&memory).last(), Some(&newest), "{policy:?}");
            }
        }
    }
}

#[test]
fn a_window_holds_whole_turns_and_never_none() {
    let in_window = |window, texts: &[&str]| {
        let mut memory = memory(MemoryPlan { policy: MemoryPolicy::Window(window), ..usual() });
        texts.iter().enumerate().for_each(|(number, text)| say(&mut memory, number, text));
        shown(&memory)
    };
    assert_eq!(in_window(Window::Statements(2), &["one", "two", "three"]), ["two", "three"]);
    assert_eq!(in_window(Window::Tokens(1), &["one", "two"]), ["two"]);
    assert_eq!(in_window(Window::Tokens(2_000), &["one", "two"]), ["one", "two"]);
}

#[test]
fn summaries_go_on_when_the_lists_they_were_made_of_are_shorter() {
    for (policy, every) in [
        (MemoryPolicy::Digest(memory::DigestPolicy { every: 3, words: 20, keep: 1 }), 3),
        (MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 500_000, keep: 1 }), 0),
    ] {
        let plan = MemoryPlan { policy, public_history_max_length: 300, memory_character_limit: 600, ..usual() };
        let (mut memory, mut written) = (memory(plan), Vec::new());
        for number in 0..300 {
            if number % 50 == 49 {
                memory.forget_unpinned(SEAT, None);
            }
            say(&mut memory, number, &format!("This is what was said as number {number}, and it is not short."));
            if memory.compression_due(SEAT).is_some() {
                let text = entry(number, EntryKind::Rewritten, "So much for that.");
                memory.apply_rewrite(SEAT, text, RewriteReason::Compression);
                written.push(number);
            }
        }
        assert!(memory.dropped_statements().0 > 250, "the public history is shorter by far");
        let pause = written.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(pause <= every + 12 && *written.last().unwrap() > 285, "{policy:?}: {written:?}");
    }
}

#[test]
fn a_summary_stands_for_what_its_writer_was_shown_and_for_nothing_else() {
    let policy = MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 900_000, keep: 1 });
    let mut memory = memory(MemoryPlan { policy, memory_character_limit: 100_000, ..usual() });
    for number in 0..100 {
        say(&mut memory, number, &format!("This is statement {number} of a hundred."));
    }
    // The writer's model takes a small part at once.
    memory.halve_brief(SEAT);
    memory.halve_oldest(SEAT);
    memory.halve_oldest(SEAT);
    memory.demand_rewrite(SEAT);
    let (mut replaced, mut parts) = (Vec::new(), 0);
    while memory.is_demanded(SEAT) {
        let (brief, part) = memory.recall_oldest(SEAT);
        assert!(brief.remarks.len() < 60, "it is a part");
        replaced.extend(brief.remarks.iter().map(|remark| remark.seq.0));
        let Shown { floor, .. } = part;
        memory.apply_rewrite(SEAT, entry(100 + parts, EntryKind::Rewritten, "A part."), RewriteReason::Compression);
        parts += 1;
        let all = memory.in_hand(SEAT);
        assert_eq!(all.remarks.len(), 100 - floor.end as usize, "what it was not shown is still there");
    }
    assert!(parts > 1, "{parts}");
    assert_eq!(replaced, (0..99).collect::<Vec<u64>>(), "all of it, each once, in parts of which each was read");
}

/// Refuses what is longer than so many things as too long, and remembers what it was asked.
struct Narrow<'m> {
    minds: &'m Seating,
    most: usize,
    asked: std::sync::Mutex<Vec<(Shown, bool)>>,
}

impl Backend for Narrow<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let is_too_long = query.brief.remarks.len() + query.brief.own.len() > self.most;
        self.asked.lock().unwrap().push((query.shown.clone(), is_too_long));
        async move {
            let answer = self.minds.answer(query).await?;
            Ok(if is_too_long { Answer { parsed: Err(Fault::ContextTooLong), ..answer } } else { answer })
        }
        .boxed()
    }
}

#[test]
fn what_was_refused_as_too_long_is_never_sent_again_as_it_was() {
    let plan = plan(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice }]
discussion: { rounds: 30, order: fixed, vote: at_end, private_reasoning: true }
memory: { statement_max_length: 200 }
",
    );
    let mut deliberation = Deliberation::convene(&plan, 1);
    let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
    let narrow = Narrow { minds: &minds, most: 9, asked: std::sync::Mutex::default() };
    go_on_with(&mut deliberation, &narrow, &mut Vec::new()).unwrap();
    let asked = narrow.asked.into_inner().unwrap();
    let refused: Vec<usize> = (0..asked.len() - 1).filter(|place| asked[*place].1).collect();
    assert!(!refused.is_empty());
    for place in refused {
        let length = |(shown, _): &(Shown, bool)| shown.floor.len() + shown.own.len();
        assert!(length(&asked[place + 1]) < length(&asked[place]), "{:?}", &asked[place..place + 2]);
    }
}

#[test]
fn disagree_is_not_counted_as_agree() {
    let ask = Ask::Confirmation { caller: Some(SeatId(0)) };
    let read = |form, raw: &str| parse(&ask, &motion(), form, raw);
    let assents = |reply: &Result<Reply, Fault>| format!("{reply:?}").contains("true");
    assert!(assents(&read(AnswerForm::Anchored, "ANSWER: yes")));
    for raw in
        ["disagree", "I disagree", "not agree", "I do not agree", "no, I cannot say yes", "unsupported", "yesterday"]
    {
        for raw in [raw.to_owned(), format!("ANSWER: {raw}"), format!("{{\"answer\": \"{raw}\"}}")] {
            for form in [AnswerForm::Anchored, AnswerForm::JsonSchema] {
                assert!(!assents(&read(form, &raw)), "{raw}");
            }
        }
    }
}

#[test]
fn what_is_looked_up_is_sought_in_all_that_was_heard_and_the_newest_comes_first() {
    let mut memory = memory(MemoryPlan { look_up: true, recall: Some(5), ..usual() });
    for number in 0..900 {
        say(&mut memory, number, &format!("The dam is number {number}."));
    }
    assert_eq!(memory.look_up(SEAT, "dam"), [899, 898, 897, 896, 895]);
    assert_eq!(memory.look_up(SEAT, "number 3 dam")[0], 3, "what is old is found, too");
    let (_, shown) = memory.recall_brief(SEAT);
    let older = shown.floor.start;
    assert_eq!(shown.recalled, (older - 5..older).collect::<Vec<u32>>());
}

#[test]
fn of_many_lines_of_notes_the_newest_are_brought_and_not_the_first_200() {
    let arm = plan(
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [{ name: Ann }, { name: Ben }]\n\
         panel: { waves: 2 }\nmemory: { notes: { max_lines: 200 } }\n",
    );
    let lines = (1..=900).map(|line| format!("This is line {line}.")).collect();
    let needed = Needed { session: "any".to_owned(), minutes: Digest::of(b"its minutes") };
    let notes = vec![SeatNotes { seat: arm.seats[0].name.clone(), lines }];
    let plan = Arc::new(arm.of_wave(2).with_previous_outcome(Before { needed, names: Vec::new(), notes }));
    let records = whole(&plan, 1);
    let asked = records.iter().position(|record| record.at.step == Step::Statement).unwrap();
    let state = trial::folded(&plan, 1, &records[..asked]);
    let (brief, _) = state.memory().recall_brief(SeatId(0));
    let brought: Vec<&str> = brief.pinned[0].text.lines().skip(1).collect();
    assert_eq!((brought.len(), brought[0], brought[199]), (200, "This is line 701.", "This is line 900."));
}

#[test]
fn a_ranking_that_failed_is_missing_and_not_a_default() {
    let plan = justice(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 1 } } }
seats: [{ name: Alice, mind: { random: { malformed: 1 } } }, { name: Bob }]
parameters: { applications_count: 1 }
discussion: { rounds: 1, order: fixed, vote: at_end }
",
    );
    let records = whole(&plan, 1);
    let of = |seat: &str| {
        let own = records.iter().filter(|record| record.at.step == Step::Ranking);
        own.filter(|record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat)).collect::<Vec<_>>()
    };
    assert!(of("Bob").iter().any(|record| record.reply().is_some()));
    let of_alice = of("Alice");
    assert!(of_alice.iter().all(|record| record.event.is_faulted()));
    assert!(
        of_alice
            .iter()
            .any(|record| matches!(record.event, Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. })))
    );
    // Nor does her memory hold one.
    let mut deliberation = Deliberation::convene(&plan, 1);
    let mut asked = 0;
    for record in &records {
        if let Next::Ask(queries) = deliberation.next() {
            for query in queries.iter().filter(|query| query.seat == SeatId(0)) {
                let mut own = query.brief.pinned.iter().chain(query.brief.own);
                assert!(own.all(|entry| entry.kind != EntryKind::OwnRanking));
                asked += 1;
            }
        }
        deliberation.evolve(record);
    }
    assert!(
        asked > 5
            && deliberation.memory().remarks(ekklesia::domain::SeatId(0)).iter().all(|remark| remark.seq > Seq(0))
    );
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_a_server_says_of_its_errors_is_never_a_seats_words() {
    use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    const WORDS: &str = "STATEMENT: I am for it. CHOICE: for";
    for answer in [
        ResponseTemplate::new(500).set_body_string(WORDS),
        ResponseTemplate::new(401).set_body_json(serde_json::json!({ "error": { "message": WORDS } })),
        ResponseTemplate::new(200).set_body_json(serde_json::json!({ "error": { "message": WORDS } })),
        ResponseTemplate::new(200).set_body_string(WORDS),
    ] {
        let server = runtime.block_on(MockServer::start());
        runtime.block_on(Mock::given(method("POST")).respond_with(answer.clone()).mount(&server));
        let place = tempfile::tempdir().unwrap();
        let body = format!(
            "models: {{ small: {{ openai: {{ base_url: \"{}/v1\", model: m, timeout_s: 5, retry_for_s: 1, context_window: 4096 }} }} }}\n\
             seat_defaults: {{ model: small }}\nseats: [{{ name: Ann }}, {{ name: Ben }}]\n\
             discussion: {{ rounds: 1, order: fixed, vote: at_end }}\n",
            server.uri()
        );
        let (config, out) = (trial::write_config(place.path(), &body), place.path().join("out"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(1, &[]);
        for (path, bytes) in everything(&out) {
            let told = String::from_utf8_lossy(&bytes);
            // What went wrong is told where a run is described and as what came of attempts, and nowhere else.
            let is_attempt = |line: &str| line.starts_with("{\"unanswered\":") || !line.contains("I am for it");
            let is_attempts = path.ends_with("calls.jsonl") && told.lines().all(is_attempt);
            let may_tell = path.ends_with("run.json") || is_attempts;
            assert!(may_tell || !told.contains("I am for it"), "{}: {told}", path.display());
            let is_minutes = path.ends_with("minutes.jsonl");
            assert!(!is_minutes || !told.contains("\"values\":{\"text\""), "{told}");
        }
    }
}

#[test]
fn the_limits_tried_here_and_measured_elsewhere_are_those_of_a_config_that_says_nothing() {
    let plan = plan("models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [{ count: 2 }]\n");
    assert_eq!(plan.memory, shipped());
}
