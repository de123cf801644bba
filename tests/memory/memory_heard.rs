//! Laws of small questions, and of what minds hear of what they are shown.

use crate::fixtures::recount::{Happening, Naive, Saying, after, happenings, measure_brief, plans, seats, usual};
use crate::fixtures::sample::law_cases;
use ekklesia::domain::{AlternativeId, Remark, SeatId, Sign};
use ekklesia::memory::{EventKind, EventKinds, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN};
use proptest::prelude::*;

/// The length of what the first seat is shown with a small question, beside what memories keep of pinned entries.
fn count_short_chars(memory: &Memory) -> u64 {
    let (statements, _, others) = measure_brief(&memory.recall_short(SeatId(0)).0);
    statements + others
}

proptest! {
    #![proptest_config(law_cases(64))]

    #[test]
    fn what_was_too_much_for_a_small_question_is_not_put_again(plan in plans(), events in happenings()) {
        let mut memory = after(plan, &events);
        let (before, promised) = (count_short_chars(&memory), memory.can_halve_short(SeatId(0)));
        memory.halve_short(SeatId(0));
        prop_assert!(count_short_chars(&memory) <= (before / 2).max(RENDERED_LIMIT_MIN));
        prop_assert_eq!(count_short_chars(&memory) < before, promised);
    }

    #[test]
    fn heard_stances_are_those_of_others_and_amounts_the_latest_of_anyone(plan in plans(), events in happenings()) {
        let memory = after(plan, &events);
        let mut naive = Naive::new(plan);
        events.iter().enumerate().for_each(|(number, happening)| naive.happen(number, happening));
        for (seat, is_small) in seats().flat_map(|seat| [(seat, false), (seat, true)]) {
            let (brief, _) = if is_small { memory.recall_short(seat) } else { memory.recall_brief(seat) };
            // What is shown in full, and of what else it is told what it declares.
            let mut said: Vec<&Remark> = brief.all_remarks().collect();
            let of = brief.standing.as_ref().map_or(Vec::new(), |told| naive.declared(seat.index(), told.extent));
            said.extend(of.into_iter().map(|place| &memory.remarks(ekklesia::domain::SeatId(0))[place]));
            said.sort_by_key(|remark| remark.seq);
            said.dedup_by_key(|remark| remark.seq);
            for alternative in (0..3).map(AlternativeId) {
                let stances = || said.iter().filter_map(|remark| Some((remark.speaker, remark.stance?)));
                let counted = stances().filter(|(by, choice)| *by != Some(seat) && choice.alternative == alternative);
                prop_assert_eq!(brief.heard.count(alternative) as usize, counted.count());
                let amounts = stances().filter(|(_, choice)| choice.alternative == alternative);
                prop_assert_eq!(brief.heard.amount(alternative), amounts.filter_map(|(_, choice)| choice.amount).next_back());
            }
        }
    }
}

#[test]
fn halving_counts_all_that_the_public_history_shows_of_a_pinned_statement() {
    let plan = MemoryPlan {
        policy: MemoryPolicy::Shuffled,
        history: HistoryInBrief::Full,
        pin: EventKinds::from_kinds(&[EventKind::Proposal]),
        enable_truncation: false,
        memory_character_limit: RENDERED_LIMIT_MIN,
        ..usual()
    };
    let spoke = |length, marks| Happening::Said(Saying { speaker: 0, text: "x".repeat(length), stance: None, marks });
    // With its frame of 21 characters, the proposal has 500, of which memories keep 300. The others have 221, 160 and 160.
    let events = [spoke(200, vec![]), spoke(479, vec![(Sign::Proposal, None)]), spoke(139, vec![]), spoke(139, vec![])];
    let mut memory = after(plan, &events);
    assert_eq!(count_short_chars(&memory), 221 + (500 - 300) + 160 + 160);
    memory.halve_short(SeatId(0));
    assert_eq!(count_short_chars(&memory), 160 + 160, "at most 370");
}
