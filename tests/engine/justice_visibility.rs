//! Nobody in the justice experiment is shown what it has not witnessed: honest sessions pass, made-up leaks are caught.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use crate::engine::visibility::{assert_caught, verdict};
use crate::fixtures::trial::{folded, justice, whole};
use ekklesia::domain::{
    AlternativeId, Brief, Briefing, EntryKind, Event, Matter, OwnEntry, Payment, Places, Query, Record, Remark, SeatId,
    Step,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.1 } } }
seats: [{ name: Alice }, { name: Bob, role: manipulator }, { name: Carol }]
parameters: { applications_count: 1 }
interventions: [{ at: { phase: discussion, round: 1 }, to: [Carol], text: \"Only Carol knows this.\" }]
";

fn table(rest: &str) -> Arc<Plan> {
    justice(&format!("{SEATS}{rest}"))
}

fn account(plan: &Plan, records: &[Record]) -> Visibility {
    let mut visibility = Visibility::new(plan);
    records.iter().for_each(|record| visibility.witness_record(record));
    visibility
}

/// Goes through a session: before every ask, its questions and the account so far, which has checked nothing.
fn at_every_ask(plan: &Plan, records: &[Record], mut look: impl FnMut(&Visibility, &[Query<'_>])) {
    let mut deliberation = Deliberation::convene(plan, 1);
    for (number, record) in records.iter().enumerate() {
        if let Next::Ask(queries) = deliberation.next() {
            look(&account(plan, &records[..number]), &queries);
        }
        deliberation.evolve(record);
    }
}

/// The same question with one more entry among those that are not pinned, which its record owns up to.
fn keeping<'q>(query: &Query<'q>, own: &'q [OwnEntry]) -> Query<'q> {
    let mut query = query.clone();
    query.shown.own.end = query.shown.own.start + own.len() as u32;
    query.brief = Brief { own: own.into(), ..query.brief };
    query
}

fn pinning<'q>(query: &Query<'q>, pinned: &'q [OwnEntry]) -> Query<'q> {
    let mut query = query.clone();
    query.shown.pinned = pinned.len() as u32;
    query.brief = Brief { pinned, ..query.brief };
    query
}

/// The same with the floor from another position on.
fn hearing<'q>(query: &Query<'q>, floor: &'q [Remark], from: usize) -> Query<'q> {
    let mut query = query.clone();
    query.shown.floor.start = from as u32;
    query.shown.notices = None;
    let shown = query.shown.floor.clone();
    let mut places = Places::of(floor);
    places.statements.retain(|place| shown.contains(place));
    places.notices.retain(|place| shown.contains(place));
    let places = Box::leak(Box::new(places));
    query.brief = Brief { remarks: places.over(floor), ..query.brief };
    query
}

#[test]
fn honest_justice_sessions_pass_with_an_account_that_has_checked_nothing_and_with_one_that_has() {
    for rest in [
        "discussion: { rounds: 3, order: random, vote: on_call, rounds_min: 1 }\n",
        "discussion: { rounds: 3, order: simultaneous, vote: every_round }\n",
        "discussion: { rounds: 3, order: williams, vote: at_end }\nmemory: { policy: full }\n",
        "discussion: { rounds: 3, order: rotating, vote: on_call, rounds_min: 1, vote_call: simultaneous }\n\
         memory: { memory_character_limit: 6000, memory_compression_threshold: 0.3, memory_compression_target: 0.2, \
         public_history_max_length: 700 }\n",
    ] {
        let plan = table(rest);
        let records = whole(&plan, 1);
        let mut asked = 0;
        at_every_ask(&plan, &records, |visibility, queries| {
            for query in queries {
                assert_eq!(verdict(visibility, query), Ok(()), "{rest}");
                asked += 1;
            }
        });
        assert!(asked > 50);
    }
}

#[test]
fn an_entry_of_another_seat_is_caught_of_whatever_kind_it_is() {
    let plan = table("discussion: { rounds: 2, order: random, vote: every_round }\n");
    let records = whole(&plan, 1);
    let mut kinds = std::collections::BTreeSet::new();
    at_every_ask(&plan, &records, |visibility, queries| {
        for query in queries {
            for other in queries.iter().filter(|other| other.seat != query.seat) {
                for entry in other.brief.own {
                    let own = [query.brief.own.to_vec(), vec![entry.clone()]].concat();
                    assert_caught(visibility, &keeping(query, &own), entry.seq.0, "not its own");
                    kinds.insert(entry.kind);
                }
            }
        }
    });
    for kind in [EntryKind::OwnReasoning, EntryKind::OwnBallot, EntryKind::OwnRanking, EntryKind::OwnApplication] {
        assert!(kinds.contains(&kind), "{kind:?} of {kinds:?}");
    }
    assert!(kinds.contains(&EntryKind::OwnTest) && kinds.contains(&EntryKind::Rewritten), "{kinds:?}");
}

#[test]
fn results_and_instructions_of_another_seat_are_caught_where_they_are_pinned() {
    let plan = table("discussion: { rounds: 2, order: random, vote: every_round }\n");
    let records = whole(&plan, 1);
    // What the seats hold at the end, of which one seat was told alone and all were paid.
    let state = folded(&plan, 1, &records);
    let pinned = |seat: u32| state.memory().recall_brief(SeatId(seat)).0.pinned.to_vec();
    let told: Vec<OwnEntry> = (0..3).flat_map(pinned).filter(|entry| entry.kind == EntryKind::Instruction).collect();
    assert_eq!(told.len(), 2, "Carol is told something, and Bob what to push");
    let mut tried = 0;
    at_every_ask(&plan, &records, |visibility, queries| {
        let last = queries.iter().map(|query| query.brief.pinned.len()).max().unwrap();
        for query in queries.iter().filter(|_| last > 0) {
            let others = told.iter().filter(|entry| !pinned(query.seat.0).contains(entry));
            for entry in others {
                let leaked = [query.brief.pinned, std::slice::from_ref(entry)].concat();
                assert_caught(visibility, &pinning(query, &leaked), entry.seq.0, "not its own");
                tried += 1;
            }
        }
    });
    assert!(tried > 50);
    // One record pays all seats: a seat that was left out of it may not be shown it.
    let paid = records.iter().position(|record| matches!(record.event, Event::Paid(_))).unwrap();
    let mut unpaid = records.clone();
    let Event::Paid(Payment { payoffs, .. }) = &mut unpaid[paid].event else { unreachable!() };
    payoffs.retain(|payoff| payoff.seat.as_str() != "Alice");
    let state = folded(&plan, 1, &records[..=paid]);
    let Next::Ask(queries) = state.next() else { panic!("memories are rewritten after pay") };
    let visibility = account(&plan, &unpaid[..=paid]);
    for query in &queries {
        match query.id.seat.as_str() {
            "Alice" => assert_caught(&visibility, query, paid as u64, "not its own"),
            _ => assert_eq!(verdict(&visibility, query), Ok(())),
        }
    }
}

#[test]
fn what_a_seat_was_not_told_to_push_is_caught() {
    let plan = table("discussion: { rounds: 1, order: random, vote: every_round }\n");
    let records = whole(&plan, 1);
    let mut tried = 0;
    at_every_ask(&plan, &records, |visibility, queries| {
        for query in queries {
            for other in (0..4).map(AlternativeId).map(Some).chain([None]).filter(|other| *other != query.pushes) {
                let mut query = query.clone();
                query.pushes = other;
                assert_caught(visibility, &query, 0, "not told to");
                tried += 1;
            }
        }
    });
    assert!(tried > 100);
    // An account in which nobody was told catches the seat that was.
    let told = |record: &Record| {
        matches!(&record.event, Event::Briefed(Briefing { what: Matter::Instruction { pushes: Some(_), .. }, .. }))
    };
    let last = records.iter().position(told).unwrap();
    let speaks = last + records[last..].iter().position(|record| record.seat.is_some()).unwrap();
    let mut untold = records.clone();
    let Event::Briefed(Briefing { what: Matter::Instruction { pushes, .. }, .. }) = &mut untold[last].event else {
        unreachable!()
    };
    *pushes = None;
    let mut caught = 0;
    for cut in speaks..records.len() {
        let state = folded(&plan, 1, &records[..cut]);
        let Next::Ask(queries) = state.next() else { continue };
        for query in queries.iter().filter(|query| query.id.seat.as_str() == "Bob") {
            assert_caught(&account(&plan, &untold[..cut]), query, 0, "not told to");
            caught += 1;
        }
    }
    assert!(caught > 2);
}

/// A memory that was compressed shows the floor from a later remark on, and a memory that was shortened has room again for
/// earlier ones. What was not looked at the first time is looked at then.
#[test]
fn a_remark_from_before_a_compression_is_still_checked() {
    let plan = table(
        "discussion: { rounds: 4, order: rotating, vote: at_end, private_reasoning: false }\n\
         memory: { memory_character_limit: 6000, memory_compression_threshold: 0.3, memory_compression_target: 0.2 }\n",
    );
    let records = whole(&plan, 1);
    let compressed = |record: &Record| record.at.step == Step::Compression && record.reply().is_some();
    assert!(records.iter().any(compressed));
    let all = folded(&plan, 1, &records);
    let floor = all.memory().remarks(ekklesia::domain::SeatId(0));
    let mut tried = 0;
    at_every_ask(&plan, &records, |visibility, queries| {
        for query in queries.iter().filter(|query| query.id.at.step == Step::Statement) {
            let start = query.shown.floor.start as usize;
            assert_eq!(verdict(visibility, &hearing(query, floor, 0)), Ok(()), "it has heard all of it");
            for place in 0..start {
                let mut changed = floor.to_vec();
                changed[place].text = format!("{}!", changed[place].text).into();
                let (seq, forged) = (floor[place].seq.0, hearing(query, &changed, place));
                assert_caught(visibility, &forged, seq, "not said so");
                // The same after the seat was honestly shown what came later.
                let mut visibility = visibility.clone();
                visibility.check_query(query).unwrap();
                assert_caught(&visibility, &forged, seq, "not said so");
                tried += 1;
            }
        }
    });
    assert!(tried > 10, "{tried}");
}

#[test]
fn an_own_entry_from_before_a_rewriting_is_still_checked() {
    let plan = table("discussion: { rounds: 2, order: random, vote: at_end }\n");
    let records = whole(&plan, 1);
    let mut tried = 0;
    at_every_ask(&plan, &records, |visibility, queries| {
        let [query, other, ..] = queries else { return };
        if query.shown.own.start == 0 || query.brief.own.is_empty() || other.brief.own.is_empty() {
            return;
        }
        let mut visibility = visibility.clone();
        visibility.check_query(query).unwrap();
        // Its own entries from one earlier on; the one before is another seat's.
        let leaked = [vec![other.brief.own.first().unwrap().clone()], query.brief.own.to_vec()].concat();
        let mut forged = query.clone();
        forged.shown.own.start -= 1;
        forged.brief = Brief { own: leaked.as_slice().into(), ..query.brief.clone() };
        assert_caught(&visibility, &forged, leaked[0].seq.0, "not its own");
        tried += 1;
    });
    assert!(tried > 5, "{tried}");
}
