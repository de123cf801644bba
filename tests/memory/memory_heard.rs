//! Laws of small questions, and of what minds hear of what they are shown.

use crate::fixtures::recount::{Naive, after, chars, happenings, line, plans, seats};
use crate::fixtures::sample::law_cases;
use ekklesia::domain::{AlternativeId, Remark, SeatId};
use ekklesia::memory::guidance::shown_text;
use ekklesia::memory::{Memory, RENDERED_LIMIT_MIN};
use proptest::prelude::*;

proptest! {
    #![proptest_config(law_cases(64))]

    #[test]
    fn what_was_too_much_for_a_small_question_is_not_put_again(plan in plans(), events in happenings()) {
        let mut memory = after(plan, &events);
        let shown = |memory: &Memory| {
            let (brief, _) = memory.recall_short(SeatId(0));
            let told = brief.standing.as_ref().map_or(0, |told| chars(&told.words));
            let own = brief.summaries.iter().chain(brief.own.iter()).map(|entry| chars(&entry.text)).sum::<u64>();
            let pinned = brief.remarks.pinned;
            let floating = brief.all_remarks().filter(|remark| {
                !pinned.iter().any(|place| brief.remarks.floor[*place as usize].seq == remark.seq)
            });
            told + own + floating.map(|remark| chars(&line(remark, &shown_text(remark, &brief), brief.style))).sum::<u64>()
        };
        let (before, promised) = (shown(&memory), memory.can_halve_short(SeatId(0)));
        memory.halve_short(SeatId(0));
        prop_assert!(shown(&memory) <= (before / 2).max(RENDERED_LIMIT_MIN));
        prop_assert_eq!(shown(&memory) < before, promised);
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
