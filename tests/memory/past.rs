//! What stands for the past in a memory is shown for as long as there is room for it beside the last turn.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::{Arc, Mutex};

use crate::fixtures::recount::{Happening, OWN_NAMES, SEATS, Saying, happen, motion, usual};
use crate::fixtures::trial::{self, folded, go_on_with};
use ekklesia::domain::{Answer, EntryKind, Fault, Outage, OwnEntry, PhaseName, Query, SeatId, Seq, Step};
use ekklesia::engine::Deliberation;
use ekklesia::memory::{CompactPolicy, DigestPolicy, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, RewriteReason};
use ekklesia::ports::Backend;
use ekklesia::service::seating::Seating;
use futures::FutureExt;
use futures::future::BoxFuture;

const SEAT: SeatId = SeatId(0);

fn plan(policy: MemoryPolicy, limit: u64) -> MemoryPlan {
    MemoryPlan { policy, history: HistoryInBrief::for_policy(policy), memory_character_limit: limit, ..usual() }
}

/// A talk of so many statements of so many characters; whenever it is due, the first seat makes its memory shorter.
fn talked(plan: MemoryPlan, statements: usize, length: usize) -> Memory {
    let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
    (0..statements).for_each(|number| talk(&mut memory, number, length));
    memory
}

fn talk(memory: &mut Memory, number: usize, length: usize) {
    let saying = Saying { speaker: number % SEATS, text: "x".repeat(length), stance: None, marks: Vec::new() };
    happen(memory, number, &Happening::Said(saying));
    if let Some(chars_max) = memory.compression_due(SEAT) {
        let (seq, phase) = (Seq(number as u64), PhaseName::new("talk"));
        let text = "y".repeat(chars_max as usize);
        let entry = OwnEntry { seq, phase, round: 1, kind: EntryKind::Rewritten, text };
        memory.apply_rewrite(SEAT, entry, RewriteReason::Compression);
    }
}

/// How many texts stand for the past in what the seat is shown, and how many statements there are beside them.
fn shown(memory: &Memory) -> (usize, usize) {
    let (brief, _) = memory.recall_brief(SEAT);
    (brief.summaries.iter().count(), brief.remarks.statements.iter().count())
}

#[test]
fn a_seat_whose_model_takes_little_is_shown_what_it_wrote_of_the_past() {
    let digest = DigestPolicy { every: 4, words: 200, keep: 1 };
    let compact = CompactPolicy { threshold_ppm: 900_000, keep: 1 };
    for policy in [MemoryPolicy::Selective, MemoryPolicy::Compact(compact), MemoryPolicy::Digest(digest)] {
        let mut memory = talked(plan(policy, 50_000), 40, 20);
        // The model refuses what is longer than some hundreds of characters, as one with a small context window does.
        for _ in 0..6 {
            memory.halve_brief(SEAT);
            memory.restore_brief(SEAT);
        }
        for number in 40..140 {
            talk(&mut memory, number, 20);
            let (summaries, statements) = shown(&memory);
            assert!(number < 50 || summaries > 0, "{policy:?}, statement {number}: the past is left out");
            let is_replaced = policy == MemoryPolicy::Selective;
            assert!(statements > 0 || is_replaced, "{policy:?}, statement {number}: the last turn is left out");
        }
    }
}

#[test]
fn the_least_limit_has_room_for_the_past_and_the_last_turn() {
    let compact = CompactPolicy { threshold_ppm: 900_000, keep: 1 };
    for policy in [MemoryPolicy::Selective, MemoryPolicy::Compact(compact)] {
        let plan = MemoryPlan { history: HistoryInBrief::None, ..plan(policy, 300) };
        let mut memory = talked(plan, 8, 20);
        for number in 8..60 {
            talk(&mut memory, number, 20);
            let (summaries, statements) = shown(&memory);
            // Under the selective policy the text stands for the last turn, too, where it has just been written.
            let is_replaced = policy == MemoryPolicy::Selective;
            assert!(
                summaries == 1 && (statements > 0 || is_replaced),
                "{policy:?}, statement {number}: {summaries}, {statements}"
            );
        }
    }
}

#[test]
fn many_digests_leave_room_for_the_talk() {
    let digest = DigestPolicy { every: 4, words: 200, keep: 1 };
    let memory = talked(plan(MemoryPolicy::Digest(digest), 3_000), 400, 60);
    let (digests, statements) = shown(&memory);
    assert!(digests > 0 && statements > 1, "{digests}, {statements}");
}

#[test]
fn a_model_that_takes_little_when_it_writes_takes_nothing_from_what_the_seat_is_shown() {
    let compact = CompactPolicy { threshold_ppm: 900_000, keep: 1 };
    let mut memory = talked(plan(MemoryPolicy::Compact(compact), 50_000), 40, 60);
    let before = memory.recall_brief(SEAT).1;
    memory.demand_rewrite(SEAT);
    let all = memory.recall_oldest(SEAT).1;
    for _ in 0..20 {
        memory.halve_oldest(SEAT);
    }
    assert!(memory.recall_oldest(SEAT).1.floor.len() < all.floor.len());
    assert_eq!(memory.recall_brief(SEAT).1, before);
}

#[test]
fn a_question_that_fits_beside_nothing_is_put_with_nothing_and_the_next_one_as_before() {
    for policy in [MemoryPolicy::Selective, MemoryPolicy::Full, MemoryPolicy::Shuffled] {
        let mut memory = talked(plan(policy, 50_000), 40, 60);
        let mut halvings = 0;
        while memory.can_halve(SEAT) {
            memory.halve_brief(SEAT);
            halvings += 1;
            assert!(halvings < 30);
        }
        assert_eq!(shown(&memory), (0, 0));
        memory.restore_brief(SEAT);
        let (_, statements) = shown(&memory);
        assert!(statements > 1, "{policy:?}: {statements}");
    }
}

/// A model to which one question of one seat is too long until nothing that may be dropped stands beside it.
struct Choked<'m> {
    minds: &'m Seating,
    /// The round of that question.
    round: u32,
    /// Of each question of that seat's: its round, how much it was shown, and whether that was too long.
    asked: Mutex<Vec<(u32, usize, bool)>>,
}

impl Backend for Choked<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let shown = query.brief.remarks.len() + query.brief.own.len() + query.brief.summaries.len();
        let is_it = query.seat == SEAT && query.id.at.step == Step::Statement;
        let is_too_long = is_it && query.id.at.round == self.round && shown > 0;
        if is_it {
            self.asked.lock().unwrap().push((query.id.at.round, shown, is_too_long));
        }
        async move {
            let answer = self.minds.answer(query).await?;
            Ok(if is_too_long { Answer { parsed: Err(Fault::ContextTooLong), ..answer } } else { answer })
        }
        .boxed()
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_goes_on_as_before_when_one_question_was_put_with_what_is_pinned_alone() {
    let mut halved = 0;
    for memory in trial::POLICIES {
        let plan = trial::plan(&format!(
            "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 12, order: fixed, vote: at_end, private_reasoning: true }}
memory: {memory}
"
        ));
        let mut deliberation = Deliberation::convene(&plan, 1);
        let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
        let choked = Choked { minds: &minds, round: 8, asked: Mutex::default() };
        let mut kept = Vec::new();
        // Every question is proven on the way.
        go_on_with(&mut deliberation, &choked, &mut kept).unwrap();
        let asked = choked.asked.into_inner().unwrap();
        let refused: Vec<usize> =
            asked.iter().filter(|(.., is_too_long)| *is_too_long).map(|(_, shown, _)| *shown).collect();
        let at = asked.iter().position(|(round, _, is_too_long)| *round == 8 && !is_too_long).unwrap();
        assert_eq!(asked[at].1, 0, "{memory}: it is put with nothing in the end");
        let least = refused.last().copied().unwrap_or(0);
        halved += usize::from(refused.len() > 1 && least > 0);
        assert!(refused.windows(2).all(|pair| pair[1] <= pair[0]), "{memory}: {refused:?}");
        for (round, shown, _) in &asked[at + 1..] {
            assert!(*shown > 0 || least == 0, "{memory}: in round {round} it is shown nothing");
        }
        let (_, next, _) = asked[at + 1];
        assert!(next + 1 >= least, "{memory}: {next} after {refused:?}");
        // It is the same wherever it is cut.
        for cut in (0..kept.len()).step_by(7) {
            let mut again = kept[..cut].to_vec();
            let choked = Choked { minds: &minds, round: 8, asked: Mutex::default() };
            go_on_with(&mut folded(&plan, 1, &kept[..cut]), &choked, &mut again).unwrap();
            assert!(again == kept, "{memory}: cut after {cut}");
        }
    }
    assert!(halved > 5, "{halved} policies showed something to be left out, more than once");
}
