//! Laws of the memory: what a seat is shown is within its limits, newest first, and counted truly.
//!
//! The limits hold for the floor and the entries that are not pinned. Pinned entries are exempt: they are counted apart, and
//! beside them there is always room for `RENDERED_LIMIT_MIN`.

use crate::fixtures::recount::{
    Happening, NAMES, Naive, OWN_NAMES, SEATS, Saying, after, chars, entry, happen, happenings, kinds, limited, line,
    longer_than_counted, measure_brief, motion, plans, plans_of, rewriting, said, seats, seen, texts, usual, windows,
    witnessed,
};
use crate::fixtures::sample::law_cases;
use ekklesia::domain::{
    AlternativeId, Choice, Circles, EntryKind, GuidanceStyle, OwnEntry, SeatId, Seq, SparedBecause, StatementChars,
    Stretch,
};
use ekklesia::memory::{
    CompactPolicy, DigestPolicy, EventKind, EventKinds, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy,
    RENDERED_LIMIT_MIN, RewriteReason, Routing, Strategy as Routed, Window, guidance,
};
use ekklesia::text::join_lines;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// The lengths of what a seat is shown, see [`measure_brief`].
fn rendered(memory: &Memory, seat: SeatId) -> (u64, u64, u64) {
    measure_brief(&memory.recall_brief(seat).0)
}

fn has_whole_clusters(text: &str, kept_bytes: usize) -> bool {
    kept_bytes == 0 || text.grapheme_indices(true).any(|(start, cluster)| start + cluster.len() == kept_bytes)
}

proptest! {
    #![proptest_config(law_cases(64))]

    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn every_answer_equals_a_naive_recount_after_every_event(plan in plans(), events in happenings()) {
        let (mut memory, mut naive) = (Memory::new(plan, &motion(), OWN_NAMES), Naive::new(plan));
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            naive.happen(number, happening);
            prop_assert_eq!((memory.dropped_statements().0 as usize, memory.public_chars(SeatId(0))), (naive.dropped(), naive.public_chars()));
            for (place, seat) in seats().enumerate() {
                prop_assert_eq!(seen(&memory.recall_brief(seat)), naive.shown(place));
                prop_assert_eq!(seen(&memory.recall_oldest(seat)), naive.shown_oldest(place));
                prop_assert_eq!(seen(&memory.recall_short(seat)), naive.shown_short(place));
                prop_assert_eq!(memory.report(seat), naive.report(place));
                prop_assert_eq!(memory.integration_due(seat), naive.integration_due(place));
                prop_assert_eq!(memory.compression_due(seat), naive.compression_due(place));
            }
        }
    }

    /// One memory for all whose limits differ is as good as a memory for each.
    #[test]
    fn every_seat_with_limits_of_its_own_is_shown_what_it_would_be_if_they_held_for_all(
        plan in plans(), other in plans(), events in happenings()
    ) {
        let own = MemoryPlan {
            statement_max_length: other.statement_max_length,
            reasoning_max_length: other.reasoning_max_length,
            enable_truncation: other.enable_truncation,
            memory_character_limit: other.memory_character_limit,
            public_history_max_length: other.public_history_max_length,
            compression_threshold_ppm: other.compression_threshold_ppm,
            compression_target_ppm: other.compression_target_ppm,
            ..plan
        };
        let plan_of = |seat: SeatId| if seat.0.is_multiple_of(2) { plan } else { own };
        let plans: Vec<MemoryPlan> = seats().map(plan_of).collect();
        let names = OWN_NAMES.iter().map(|name| (*name).into()).collect();
        let mut memory = Memory::with_circles(&plans, &motion(), (names, Circles::one(SEATS)));
        let mut alike = [plan, own].map(|plan| Memory::new(plan, &motion(), OWN_NAMES));
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            alike.iter_mut().for_each(|memory| happen(memory, number, happening));
            for seat in seats() {
                let uniform = &alike[seat.index() % 2];
                let [here, there] = [&memory, uniform].map(|memory| {
                    let brief = memory.recall_brief(seat);
                    let (remarks, own) = (brief.0.remarks.to_vec(), brief.0.own.to_vec());
                    let others = (brief.0.summaries.to_vec(), brief.0.pinned.to_vec());
                    let seen = [brief, memory.recall_oldest(seat), memory.recall_short(seat)].map(|brief| seen(&brief));
                    (seen, remarks, own, others)
                });
                prop_assert_eq!(here, there);
                prop_assert_eq!(memory.report(seat), uniform.report(seat));
                prop_assert_eq!(memory.compression_due(seat), uniform.compression_due(seat));
                prop_assert_eq!(memory.dropped_to(seat), uniform.dropped_statements());
            }
        }
    }

    #[test]
    fn what_is_shown_keeps_every_limit_after_every_event(
        plan in plans_of(limited()), events in happenings()
    ) {
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            for seat in seats() {
                let (statements, pinned, others) = rendered(&memory, seat);
                let room = plan.memory_character_limit.saturating_sub(pinned).max(RENDERED_LIMIT_MIN);
                prop_assert!(others <= room, "{others} beside {pinned}");
                let once_more = if plan.recall.is_some() { room } else { 0 };
                // The newest statement stays in the public history, however long it is.
                let newest = memory.remarks(seat).iter().rfind(|remark| remark.speaker.is_some());
                let newest = newest.map_or(0, |remark| chars(&line(remark, &remark.text, plan.guidance_style)));
                let (brief, _) = memory.recall_brief(seat);
                let pinned_in_full = brief.remarks.pinned.iter().map(|place| {
                    let remark = &brief.remarks.floor[*place as usize];
                    chars(&guidance::shown_text(remark, &brief)) - chars(&guidance::kept_text(remark))
                });
                let public = plan.public_history_max_length.max(newest) + longer_than_counted(&memory, seat) + pinned_in_full.sum::<u64>();
                let most = once_more + room - others + if plan.history == HistoryInBrief::None { 0 } else { public };
                prop_assert!(statements <= most, "{statements} beside {others} and {pinned}");
                prop_assert!(memory.report(seat).chars <= room + pinned);
            }
        }
    }

    #[test]
    fn what_is_counted_is_what_is_written(plan in plans(), events in happenings()) {
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            for seat in seats() {
                let (statements, pinned, others) = measure_brief(&memory.memory_brief(seat));
                prop_assert_eq!(memory.report(seat).chars, statements + pinned + others);
            }
        }
    }

    #[test]
    fn every_character_that_a_seat_could_hear_is_shown_or_cut_or_dropped(plan in plans(), events in happenings()) {
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            for seat in seats() {
                for (brief, shown) in [memory.recall_brief(seat), memory.recall_short(seat)] {
                    let mut expected = StatementChars::default();
                    for (place, remark) in memory.remarks(seat)[..shown.floor.end as usize].iter().enumerate() {
                        if remark.speaker.is_none() {
                            continue;
                        }
                        expected.heard += chars(&remark.text);
                        let place = place as u32;
                        let is_listed = |list: Stretch<'_, u32>| list.iter().any(|other| *other == place);
                        let is_shown = is_listed(brief.remarks.statements)
                            || is_listed(brief.remarks.pinned.into())
                            || is_listed(brief.recalled.as_slice().into());
                        if !is_shown {
                            continue;
                        }
                        let text = guidance::shown_text(remark, &brief);
                        let is_whole = text.len() == remark.text.len();
                        let words = chars(&text) - if is_whole { 0 } else { 3 };
                        expected.shown += words;
                        expected.cut += chars(&remark.text) - words;
                    }
                    prop_assert_eq!(memory.count_shown_chars(seat, &shown), expected);
                }
            }
        }
    }

    #[test]
    fn the_public_history_shows_statements_in_full_and_each_once(plan in plans_of(limited()), events in happenings()) {
        let plan = MemoryPlan { history: HistoryInBrief::Full, ..plan };
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            for seat in seats().filter(|seat| memory.allowance(*seat).is_none()) {
                let (brief, shown) = memory.recall_brief(seat);
                let statements = brief.remarks.floor.iter().enumerate().filter(|(_, remark)| remark.speaker.is_some());
                let newest = statements.map(|(place, _)| place as u32).rfind(|place| !memory.is_pinned(seat, *place as usize));
                let Some(newest) = newest else { continue };
                prop_assert!(shown.history.is_some_and(|from| from <= newest), "the newest stays");
                for place in brief.remarks.statements.iter().filter(|place| Some(**place) >= shown.history) {
                    let remark = &brief.remarks.floor[*place as usize];
                    prop_assert_eq!(&*guidance::shown_text(remark, &brief), &*remark.text);
                }
                let listed = brief.remarks.statements.iter().chain(brief.remarks.pinned).chain(&brief.recalled);
                let mut listed: Vec<u32> = listed.copied().collect();
                let all = listed.len();
                listed.sort_unstable();
                listed.dedup();
                prop_assert_eq!(listed.len(), all);
            }
        }
    }

    #[test]
    fn the_newest_thing_is_shown_unless_it_is_too_long_all_alone(
        plan in plans_of(prop_oneof![Just(MemoryPolicy::Full), windows(), rewriting()]),
        events in prop::collection::vec(witnessed(), 0..60)
    ) {
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            for seat in seats() {
                let (brief, _) = memory.recall_brief(seat);
                let (_, pinned, _) = rendered(&memory, seat);
                let told = brief.standing.as_ref().map_or(0, |told| chars(&told.words));
                let room = match plan.policy {
                    MemoryPolicy::Full => u64::MAX,
                    _ => plan.memory_character_limit.saturating_sub(pinned).max(RENDERED_LIMIT_MIN) - told,
                };
                // A window of tokens always shows one statement; a pinned one takes no place in it.
                let mut heard = memory.remarks(seat).iter().enumerate();
                let has_spoken = heard.any(|(place, remark)| remark.speaker.is_some() && !memory.is_pinned(seat, place));
                if matches!(plan.policy, MemoryPolicy::Window(Window::Tokens(_))) && !has_spoken {
                    continue;
                }
                let (routed, newest, length) = match happening {
                    Happening::Kept { seat: keeper, kind, text } if *keeper as u32 == seat.0 => {
                        let newest = if plan.pins_entry(*kind) { brief.pinned.last() } else { brief.own.last() };
                        (plan.routing.of_entry(*kind), newest.map(|entry| entry.seq), chars(text))
                    }
                    Happening::Kept { .. } => continue,
                    _ => {
                        let newest = memory.remarks(ekklesia::domain::SeatId(0)).last().unwrap();
                        let event = match happening {
                            Happening::Announced { event, .. } => *event,
                            _ => FloorEvent::Statement,
                        };
                        let length = chars(&line(newest, &guidance::kept_text(newest), brief.style));
                        (plan.routing.of_floor(event), brief.remarks.last().map(|remark| remark.seq), length)
                    }
                };
                if routed != Routed::Skip && length <= room {
                    prop_assert_eq!(newest, Some(Seq(number as u64)));
                }
            }
        }
    }

    #[test]
    fn pinned_entries_are_never_cut_dropped_or_replaced(
        plan in plans_of(prop_oneof![Just(MemoryPolicy::Full), windows(), rewriting()]), events in happenings()
    ) {
        let mut memory = Memory::new(plan, &motion(), OWN_NAMES);
        let mut pinned: [Vec<OwnEntry>; SEATS] = Default::default();
        for (number, happening) in events.iter().enumerate() {
            happen(&mut memory, number, happening);
            if let Happening::Exhibited { to: Some(seat), text } = happening {
                pinned[*seat].push(entry(number, EntryKind::Exhibit, text));
            }
            if let Happening::Kept { seat, kind, text } = happening
                && plan.pins_entry(*kind)
                && plan.routing.of_entry(*kind) != Routed::Skip
            {
                pinned[*seat].push(entry(number, *kind, text));
            }
            for (place, seat) in seats().enumerate() {
                let (brief, _) = memory.recall_brief(seat);
                // What was marked goes with what is forgotten of it.
                let others = brief.pinned.iter().filter(|entry| entry.kind != EntryKind::Marked);
                prop_assert_eq!(others.collect::<Vec<_>>(), pinned[place].iter().collect::<Vec<_>>());
                prop_assert!(brief.own.iter().all(|entry| !plan.pins_entry(entry.kind)));
            }
        }
    }

    #[test]
    fn a_halved_seat_is_shown_half_and_nobody_else_less(plan in plans(), events in happenings()) {
        let mut memory = after(plan, &events);
        let shown = |memory: &Memory, seat| {
            let (floor, _, own) = rendered(memory, SeatId(seat));
            floor + own
        };
        let (before, others) = (shown(&memory, 0), shown(&memory, 1));
        let promised = memory.can_halve(SeatId(0));
        memory.halve_brief(SeatId(0));
        prop_assert!(shown(&memory, 0) <= (before / 2).max(RENDERED_LIMIT_MIN));
        prop_assert_eq!(shown(&memory, 0) < before, promised);
        prop_assert_eq!(shown(&memory, 1), others);
        // It comes to an end, whatever the limits.
        let halvings = (0..64).take_while(|_| {
            memory.halve_brief(SeatId(0));
            memory.can_halve(SeatId(0))
        });
        prop_assert!(halvings.count() < 64);
    }

    #[test]
    fn a_cut_splits_no_cluster_and_cutting_again_changes_nothing(plan in plans(), events in happenings()) {
        let memory = after(plan, &events);
        for remark in memory.remarks(ekklesia::domain::SeatId(0)) {
            prop_assert!(has_whole_clusters(&remark.text, remark.kept_bytes as usize));
            let mut again = Memory::new(plan, &motion(), OWN_NAMES);
            let is_exhibit = remark.text.starts_with("[EXHIBIT ");
            let announced = if is_exhibit { FloorEvent::Exhibit } else { FloorEvent::Instruction };
            let event = remark.speaker.map_or(announced, |_| FloorEvent::Statement);
            let number = remark.seq.0 as usize;
            let name = remark.speaker.map_or("", |seat| NAMES[seat.index()]);
            let text = guidance::kept_text(remark);
            let by = said(number, remark.speaker.map(SeatId::index));
            again.add_remark(by, event, name, text.as_ref(), remark.stance);
            prop_assert_eq!(guidance::kept_text(&again.remarks(ekklesia::domain::SeatId(0))[0]), text);
        }
    }

    #[test]
    fn an_own_entry_is_cut_between_clusters_and_once(plan in plans(), kind in kinds(), text in texts()) {
        let kept = |text: &str| {
            let memory = after(plan, &[Happening::Kept { seat: 0, kind, text: text.to_owned() }]);
            let (brief, _) = memory.recall_brief(SeatId(0));
            let words = |entry: &OwnEntry| entry.text.strip_prefix("You thought: ").unwrap_or(&entry.text).to_owned();
            brief.pinned.iter().chain(brief.own).map(words).next()
        };
        // A thought is put into one line before it is cut.
        let text = if kind == EntryKind::OwnReasoning { join_lines(&text) } else { text };
        if let Some(once) = kept(&text) {
            prop_assert_eq!(kept(&once), Some(once.clone()));
            let whole = once == text || has_whole_clusters(&text, once.len() - 3);
            prop_assert!(whole, "{once:?}");
        }
    }

    #[test]
    fn a_memory_made_shorter_part_by_part_is_replaced_once_and_whole(
        plan in plans_of(rewriting()), events in prop::collection::vec(witnessed(), 0..60)
    ) {
        let mut memory = after(plan, &events);
        if memory.spared_reason(SeatId(0)) == Some(SparedBecause::ShortAlready) {
            memory.demand_rewrite(SeatId(0));
            prop_assert!(!memory.is_demanded(SeatId(0)), "what is short stays as it is");
            return Ok(());
        }
        memory.demand_rewrite(SeatId(0));
        let (mut statements, mut notices, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for number in events.len().. {
            if !memory.is_demanded(SeatId(0)) {
                break;
            }
            let part = seen(&memory.recall_oldest(SeatId(0)));
            prop_assert!(part.statements.len() + part.notices.len() + part.own.len() > 0, "each part holds something new");
            statements.extend(part.statements);
            notices.extend(part.notices);
            own.extend(part.own);
            let text = entry(number, EntryKind::Rewritten, "That much I keep.");
            memory.apply_rewrite(SeatId(0), text, RewriteReason::Compression);
        }
        for places in [&statements, &notices, &own] {
            prop_assert!(places.is_sorted_by(|a, b| a < b), "in order, and nothing twice: {places:?}");
        }
        let keep = match plan.policy {
            MemoryPolicy::Compact(compact) => compact.keep as usize,
            MemoryPolicy::Digest(digest) => digest.keep as usize,
            _ => 0,
        };
        let is_replaced = |place: usize| memory.remarks(ekklesia::domain::SeatId(0))[place].speaker.is_some() && !memory.is_pinned(ekklesia::domain::SeatId(0), place);
        let spoken = (0..memory.remarks(ekklesia::domain::SeatId(0)).len()).filter(|place| is_replaced(*place));
        let mut all: Vec<u32> = spoken.map(|place| place as u32).collect();
        all.truncate(all.len().saturating_sub(keep));
        if plan.routing.statement != Routed::Skip {
            prop_assert_eq!(statements, all, "all but the newest was replaced");
        }
    }

    #[test]
    fn equal_events_leave_equal_memories(plan in plans(), events in happenings()) {
        prop_assert_eq!(after(plan, &events), after(plan, &events));
    }

    #[test]
    fn the_full_policy_shows_all_and_the_empty_one_nothing(
        plan in plans_of(Just(MemoryPolicy::Full)), events in prop::collection::vec(witnessed(), 0..60)
    ) {
        let plan = MemoryPlan { history: HistoryInBrief::None, routing: usual().routing, recall: None, ..plan };
        let full = after(plan, &events);
        let none = after(MemoryPlan { policy: MemoryPolicy::None, ..plan }, &events);
        for seat in seats() {
            let (brief, shown) = full.recall_brief(seat);
            prop_assert_eq!((shown.floor.start, shown.own.start, shown.omitted), (0, 0, 0));
            prop_assert!(brief.remarks.iter().all(|remark| remark.kept_bytes as usize == remark.text.len()));
            let witnessed = (brief.remarks.len() + brief.own.len() + brief.pinned.len()) as u32;
            let (brief, shown) = none.recall_brief(seat);
            prop_assert_eq!(brief.remarks.len() + brief.pinned.len() + brief.own.len(), 0);
            prop_assert_eq!(shown.omitted, witnessed);
            for memory in [&full, &none] {
                prop_assert_eq!(memory.integration_due(seat), None);
                prop_assert_eq!(memory.compression_due(seat), None);
            }
        }
    }
}

fn said_so(text: &str) -> Happening {
    Happening::Said(Saying { speaker: 0, text: text.to_owned(), stance: None, marks: Vec::new() })
}

fn spoke(length: usize) -> Happening {
    said_so(&"x".repeat(length))
}

#[test]
fn a_statement_reads_in_the_style_of_the_plan() {
    let stance = |amount| Choice { alternative: AlternativeId(1), amount };
    for (style, stance, expected) in [
        (GuidanceStyle::Narrative, Some(stance(Some(13_000))), "Alice (#2.1) said: \"Let us!\""),
        (GuidanceStyle::Structured, None, "Round: 2 | Speaker: Alice | Number: #2.1 | Statement: Let us!"),
        (
            GuidanceStyle::Structured,
            Some(stance(Some(13_000))),
            "Round: 2 | Speaker: Alice | Favours: average_floor 13000 | Number: #2.1 | Statement: Let us!",
        ),
        (
            GuidanceStyle::Structured,
            Some(stance(None)),
            "Round: 2 | Speaker: Alice | Favours: average_floor | Number: #2.1 | Statement: Let us!",
        ),
    ] {
        let mut memory = Memory::new(MemoryPlan { guidance_style: style, ..usual() }, &motion(), OWN_NAMES);
        memory.add_remark(said(14, Some(0)), FloorEvent::Statement, "Alice", "Let us!", stance);
        let remark = &memory.remarks(SeatId(0))[0];
        assert_eq!(line(remark, &remark.text, style), expected);
    }
}

#[test]
fn an_announcement_is_marked_in_either_style() {
    let memory =
        after(usual(), &[Happening::Announced { event: FloorEvent::TallyOpen, text: "No decision.".to_owned() }]);
    for style in [GuidanceStyle::Narrative, GuidanceStyle::Structured] {
        let remark = &memory.remarks(SeatId(0))[0];
        assert_eq!(line(remark, &remark.text, style), "[FACILITATOR] No decision.");
    }
}

#[test]
fn an_integrated_text_replaces_own_entries_and_leaves_the_floor() {
    let mut memory = after(usual(), &[spoke(50)]);
    memory.keep_entry(SeatId(1), entry(1, EntryKind::OwnRanking, "You ranked them."));
    memory.keep_entry(SeatId(1), entry(2, EntryKind::Results, "You were paid 12."));
    assert_eq!(memory.integration_due(SeatId(0)), None);
    // 600 characters less the 17 of the results and the 9 of the mark.
    assert_eq!(memory.integration_due(SeatId(1)), Some((Seq(1), 574)));
    memory.apply_rewrite(
        SeatId(1),
        entry(3, EntryKind::Rewritten, "I care for the floor."),
        RewriteReason::Integration,
    );
    assert_eq!(memory.integration_due(SeatId(1)), None);
    let (brief, shown) = memory.recall_brief(SeatId(1));
    let texts = |entries: Stretch<'_, OwnEntry>| entries.iter().map(|entry| entry.text.clone()).collect::<Vec<_>>();
    assert_eq!(
        (texts(brief.pinned.into()), texts(brief.own)),
        (vec!["You were paid 12.".into()], vec!["[MEMORY] I care for the floor.".into()])
    );
    assert_eq!((shown.floor, shown.own, shown.omitted), (0..1, 1..2, 1));
}

#[test]
fn a_compressed_text_also_replaces_what_was_heard_by_this_seat_alone() {
    let mut memory = after(usual(), &[spoke(250), spoke(250), spoke(250)]);
    assert_eq!(memory.compression_due(SeatId(1)), Some(591), "600 less the mark");
    memory.apply_rewrite(SeatId(1), entry(3, EntryKind::Rewritten, &"word ".repeat(200)), RewriteReason::Compression);
    assert_eq!(memory.compression_due(SeatId(1)), None);
    let (brief, shown) = memory.recall_brief(SeatId(1));
    assert_eq!((shown.floor, shown.summaries, shown.own, shown.omitted), (3..3, 0..1, 0..0, 3));
    let summary = &brief.summaries.first().unwrap().text;
    assert!(chars(summary) <= 600 && summary.starts_with("[MEMORY] word") && summary.ends_with("word..."));
    assert_eq!(memory.recall_brief(SeatId(2)).1.floor, 0..3, "nobody else forgets");
    happen(&mut memory, 4, &spoke(20));
    assert_eq!(memory.recall_brief(SeatId(1)).1.floor, 3..4, "what follows is heard");
}

#[test]
fn a_decision_waits_for_every_seat_until_it_has_dealt_with_it() {
    let mut memory = after(usual(), &[spoke(10), spoke(10)]);
    let decided = |memory: &mut Memory, number| {
        memory.add_remark(said(number, None), FloorEvent::TallyDecided, "", "Decided.", None);
    };
    decided(&mut memory, 2);
    memory.skip_rewrite(SeatId(0), RewriteReason::Integration);
    decided(&mut memory, 3);
    let first = |memory: &Memory, seat| memory.integration_due(SeatId(seat)).map(|(seq, _)| seq.0);
    assert_eq!([first(&memory, 0), first(&memory, 1), first(&memory, 2)], [Some(3), Some(2), Some(2)]);
    memory.apply_rewrite(SeatId(1), entry(4, EntryKind::Rewritten, "So it is."), RewriteReason::Compression);
    assert_eq!([first(&memory, 0), first(&memory, 1), first(&memory, 2)], [Some(3), None, Some(2)]);
}

#[test]
fn a_seat_whose_model_takes_less_rewrites_its_memory_shorter() {
    let mut memory = after(usual(), &[spoke(300), spoke(300), spoke(250)]);
    memory.halve_brief(SeatId(0));
    // Of its 900 characters it is shown 455 at the most, frames counted; the target is 60 % of these, less the mark.
    assert_eq!(memory.compression_due(SeatId(0)), Some(264));
    assert_eq!(memory.compression_due(SeatId(1)), Some(591));
}

fn say(memory: &mut Memory, number: usize, text: &str) {
    happen(memory, number, &said_so(text));
}

fn sum_up(memory: &mut Memory, number: usize, text: &str) {
    memory.apply_rewrite(SeatId(1), entry(number, EntryKind::Rewritten, text), RewriteReason::Compression);
}

/// What a seat is shown of its summaries and of the floor.
fn told(memory: &Memory) -> Vec<String> {
    let (brief, _) = memory.recall_brief(SeatId(1));
    let summaries = brief.summaries.iter().map(|entry| entry.text.clone());
    summaries.chain(brief.remarks.iter().map(|remark| remark.text.to_string())).collect()
}

#[test]
fn digests_stand_one_after_the_other_before_what_is_newer() {
    let policy = MemoryPolicy::Digest(DigestPolicy { every: 2, words: 3, keep: 1 });
    let mut memory = after(MemoryPlan { policy, ..usual() }, &[]);
    say(&mut memory, 0, "one");
    say(&mut memory, 1, "two");
    assert_eq!(memory.compression_due(SeatId(1)), None, "one statement beside the newest is too little");
    say(&mut memory, 2, "three");
    assert!(memory.compression_due(SeatId(1)).is_some());
    sum_up(&mut memory, 3, "Of one and two.");
    assert_eq!(told(&memory), ["[MEMORY] Of one and...", "three"]);
    say(&mut memory, 4, "four");
    say(&mut memory, 5, "five");
    assert_eq!(memory.recall_oldest(SeatId(1)).1.floor, 2..4, "half-open, from where the last ended");
    sum_up(&mut memory, 6, "Of three and four.");
    assert_eq!(told(&memory), ["[MEMORY] Of one and...", "[MEMORY] Of three and...", "five"]);
    assert_eq!(memory.compression_due(SeatId(1)), None);
}

#[test]
fn what_an_author_names_is_put_back_after_the_text_that_replaced_it() {
    let policy = MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 700_000, keep: 1 });
    let reinject = EventKinds::from_kinds(&[EventKind::TallyOpen]);
    let mut memory = after(MemoryPlan { policy, reinject, ..usual() }, &[spoke(300), spoke(200)]);
    memory.add_remark(said(2, None), FloorEvent::TallyOpen, "", "No decision.", None);
    say(&mut memory, 3, &"y".repeat(200));
    say(&mut memory, 4, "Last.");
    assert!(memory.compression_due(SeatId(1)).is_some());
    sum_up(&mut memory, 5, "It was long.");
    assert_eq!(told(&memory), ["[MEMORY] It was long.", "[FACILITATOR] No decision.", "Last."]);
    // The next text replaces the first, and what was put back is put back again.
    memory.demand_rewrite(SeatId(1));
    assert_eq!(memory.compression_due(SeatId(1)), None, "nothing but the newest is left");
    say(&mut memory, 6, "More.");
    memory.demand_rewrite(SeatId(1));
    sum_up(&mut memory, 7, "It was longer.");
    assert_eq!(told(&memory), ["[MEMORY] It was longer.", "[FACILITATOR] No decision.", "More."]);
}

#[test]
fn what_failed_is_not_due_again_before_something_new_is_heard() {
    let mut memory = after(usual(), &[spoke(300), spoke(300), spoke(300)]);
    assert!(memory.compression_due(SeatId(1)).is_some());
    memory.skip_rewrite(SeatId(1), RewriteReason::Compression);
    assert_eq!(memory.compression_due(SeatId(1)), None);
    assert!(memory.compression_due(SeatId(0)).is_some(), "it is due for everyone else");
    say(&mut memory, 4, "New.");
    assert!(memory.compression_due(SeatId(1)).is_some());
}

#[test]
fn what_is_skipped_is_heard_and_not_remembered() {
    let routing =
        Routing { statement: Routed::Skip, tally_open: Routed::Skip, own_ballot: Routed::Skip, ..usual().routing };
    let plan = MemoryPlan { routing, history: HistoryInBrief::CurrentRound, ..usual() };
    let mut memory = after(plan, &[spoke(5), Happening::RoundBegan, spoke(6)]);
    memory.add_remark(said(3, None), FloorEvent::TallyOpen, "", "No decision.", None);
    memory.keep_entry(SeatId(1), entry(4, EntryKind::OwnBallot, "You voted."));
    let (brief, shown) = memory.recall_brief(SeatId(1));
    assert_eq!((brief.remarks.statements.to_vec(), brief.remarks.notices.len(), brief.own.len()), (vec![1], 0, 0));
    assert_eq!(shown.omitted, 3, "a statement, a count and a ballot");
    assert_eq!(memory.report(SeatId(1)).chars, 0);
}
