//! Nobody is shown what they have not witnessed: honest sessions pass, and every made-up leak is caught.

use std::sync::Arc;

use crate::fixtures::trial::{self, folded, plan, whole};
use ekklesia::domain::{
    Brief, EntryKind, Extent, Opinion, OwnEntry, Places, Query, Record, Remark, SeatId, Step, Told,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

fn table(order: &str, vote: &str) -> Arc<Plan> {
    table_with(order, vote, "")
}

fn table_with(order: &str, vote: &str, section: &str) -> Arc<Plan> {
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
straw_polls: [before, each_round, after]
discussion: {{ rounds: 3, order: {order}, vote: {vote} }}
decision: {{ rule: unanimity }}
{section}
"
    ))
}

/// The account of some records, and the questions that are put after them.
fn questions<'d>(deliberation: &'d Deliberation<'_>, plan: &Plan, records: &[Record]) -> (Visibility, Vec<Query<'d>>) {
    let mut visibility = Visibility::new(plan);
    records.iter().for_each(|record| visibility.witness_record(record));
    match deliberation.next() {
        Next::Ask(queries) => (visibility, queries),
        _ => (visibility, Vec::new()),
    }
}

/// Whether a question passes, put to an account that has checked nothing yet.
pub fn verdict(visibility: &Visibility, query: &Query<'_>) -> Result<(), String> {
    visibility.clone().check_query(query).map_err(|leak| leak.to_string())
}

#[track_caller]
pub fn assert_caught(visibility: &Visibility, query: &Query<'_>, seq: u64, reason: &str) {
    let caught = verdict(visibility, query).expect_err("a leak");
    assert!(caught.contains(&format!("record {seq}, ")) && caught.contains(reason), "{caught}");
    assert!(caught.contains(&query.id.to_string()), "the question is named: {caught}");
}

/// The same question with other remarks, which its record owns up to.
fn showing<'q>(query: &Query<'q>, remarks: &'q [Remark]) -> Query<'q> {
    let mut query = query.clone();
    query.shown.floor = 0..remarks.len() as u32;
    query.shown.notices = None;
    let places = Box::leak(Box::new(Places::of(remarks)));
    query.brief = Brief { remarks: places.over(remarks), ..query.brief };
    query
}

/// The same question with other own entries, which its record owns up to.
fn keeping<'q>(query: &Query<'q>, own: &'q [OwnEntry]) -> Query<'q> {
    let mut query = query.clone();
    query.shown.own = 0..own.len() as u32;
    query.brief = Brief { own: own.into(), ..query.brief };
    query
}

/// Every remark of a session, in order, as its memory holds them.
fn all_remarks(plan: &Plan, records: &[Record]) -> Vec<Remark> {
    let mut longest = Vec::new();
    let mut deliberation = Deliberation::convene(plan, 1);
    for record in records {
        if let Next::Ask(queries) = deliberation.next() {
            longest = queries[0].brief.remarks.to_vec();
        }
        deliberation.evolve(record);
    }
    longest
}

#[test]
fn honest_sessions_pass_in_every_order() {
    for order in ["fixed", "random", "simultaneous", "volunteer"] {
        for vote in ["at_end", "every_round"] {
            let plan = table(order, vote);
            let records = whole(&plan, 1);
            let mut asked = 0;
            for cut in 0..records.len() {
                let deliberation = folded(&plan, 1, &records[..cut]);
                let (visibility, queries) = questions(&deliberation, &plan, &records[..cut]);
                for query in &queries {
                    assert_eq!(verdict(&visibility, query), Ok(()), "{order}, {vote}, after {cut} records");
                    asked += 1;
                }
            }
            assert!(asked > 20);
        }
    }
}

#[test]
fn honest_sessions_pass_under_every_memory_policy() {
    for memory in trial::POLICIES {
        let plan = plan(&format!(
            "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ random: {{ malformed: 1 }} }} }}]
discussion: {{ rounds: 4, order: random, vote: every_round, private_reasoning: true, proposals: true }}
decision: {{ rule: unanimity, invalid: void_round, roll_call: true }}
memory: {memory}
"
        ));
        let records = whole(&plan, 1);
        // One account that has checked all before, and at each question one that has checked nothing.
        let mut account = Visibility::new(&plan);
        let mut deliberation = Deliberation::convene(&plan, 1);
        let mut asked = 0;
        for (number, record) in records.iter().enumerate() {
            if let Next::Ask(queries) = deliberation.next() {
                let (fresh, _) = questions(&deliberation, &plan, &records[..number]);
                for query in &queries {
                    assert_eq!(account.check_query(query).map_err(|leak| leak.to_string()), Ok(()), "{memory}");
                    assert_eq!(verdict(&fresh, query), Ok(()), "{memory}");
                    asked += 1;
                }
            }
            account.witness_record(record);
            deliberation.evolve(record);
        }
        assert!(asked > 20);
    }
}

#[test]
fn what_was_put_back_or_summed_up_by_another_is_caught() {
    let plan = plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ random: {{ malformed: 1 }} }} }}]
discussion: {{ rounds: 6, order: fixed, vote: every_round }}
decision: {{ rule: unanimity, invalid: void_round }}
memory: {}
",
        trial::POLICIES[5]
    ));
    let records = whole(&plan, 1);
    let mut tried = [0; 2];
    for cut in 0..records.len() {
        let deliberation = folded(&plan, 1, &records[..cut]);
        let (visibility, queries) = questions(&deliberation, &plan, &records[..cut]);
        for query in &queries {
            for place in 0..query.brief.summaries.len() {
                let mut changed = query.brief.summaries.to_vec();
                let is_put_back = changed[place].kind == EntryKind::PutBack;
                match is_put_back {
                    true => changed[place].text.push('!'),
                    false => changed[place].seq.0 -= 1,
                }
                let mut query = query.clone();
                query.brief = Brief { summaries: changed.as_slice().into(), ..query.brief };
                let reason = if is_put_back { "not said so" } else { "not its own" };
                assert_caught(&visibility, &query, changed[place].seq.0, reason);
                tried[usize::from(is_put_back)] += 1;
            }
        }
    }
    assert!(tried[0] > 3 && tried[1] > 3, "{tried:?}");
}

/// A table of seats that propose and react, with digests and room to tell where the talk stands.
fn talk(order: &str) -> Arc<Plan> {
    plan(&format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ random: {{ malformed: 0.1 }} }} }}, {{ name: Dave }}]
discussion: {{ rounds: 4, order: {order}, vote: on_call, proposals: true }}
decision: {{ rule: unanimity }}
memory: {}
interventions: [{{ at: {{ phase: discussion, round: 3 }}, to: [Bob], forget: all }}]
",
        trial::POLICIES[8]
    ))
}

#[test]
fn a_word_about_the_talk_that_does_not_follow_from_what_was_heard_is_caught() {
    let mut forgotten = 0;
    for order in ["fixed", "simultaneous", "volunteer"] {
        let plan = talk(order);
        let records = whole(&plan, 1);
        // What is told in the end, and whoever was made to forget is not told.
        let mut later: Vec<(Extent, String)> = Vec::new();
        let mut tried = [0; 5];
        for cut in (0..records.len()).rev() {
            let deliberation = folded(&plan, 1, &records[..cut]);
            let (visibility, queries) = questions(&deliberation, &plan, &records[..cut]);
            for query in &queries {
                assert_eq!(verdict(&visibility, query), Ok(()), "{order}, after {cut} records");
                let Some(told) = &query.brief.standing else { continue };
                let with = |words: String| {
                    let mut query = query.clone();
                    query.brief.standing = Some(Told { extent: told.extent, words: words.into() });
                    query
                };
                // Proposals and positions of statements that were made after the question.
                for (_, words) in later.iter().filter(|(extent, words)| *extent == told.extent && *words != told.words)
                {
                    assert_otherwise(&visibility, &with(words.clone()));
                    tried[0] += 1;
                }
                // A reaction that nobody showed.
                if told.words.contains("opposed by nobody") {
                    assert_otherwise(&visibility, &with(told.words.replace("opposed by nobody", "opposed by Dave")));
                    tried[1] += 1;
                }
                // What another seat is told that has forgotten less.
                for other in queries.iter().filter_map(|other| other.brief.standing.as_ref()) {
                    if other.extent == told.extent && other.words != told.words {
                        assert_otherwise(&visibility, &with(other.words.to_string()));
                        tried[2] += 1;
                    }
                }
                // What the record does not own up to, or says is something else.
                let mut silent = query.clone();
                silent.shown.standing = None;
                let caught = verdict(&visibility, &silent).unwrap_err();
                assert!(caught.contains("would not say all that is shown"), "{caught}");
                tried[3] += 1;
                if told.extent == Extent::Short {
                    assert!(query.brief.remarks.is_empty() && query.brief.own.is_empty());
                    tried[4] += 1;
                }
            }
            if later.len() < 3 {
                let told = queries.iter().filter_map(|query| query.brief.standing.as_ref());
                later.extend(told.map(|told| (told.extent, told.words.to_string())));
            }
        }
        assert!(tried[0] > 20 && tried[1] > 3 && tried[3] > 20 && tried[4] > 3, "{order}: {tried:?}");
        forgotten += tried[2];
    }
    assert!(forgotten > 0, "what one was made to forget is told to others only");
}

#[track_caller]
fn assert_otherwise(visibility: &Visibility, query: &Query<'_>) {
    let caught = verdict(visibility, query).expect_err("a leak");
    assert!(caught.contains("told that the talk stands otherwise"), "{caught}");
}

#[test]
fn a_remark_from_the_future_is_caught_everywhere() {
    let plan = table("fixed", "at_end");
    let records = whole(&plan, 1);
    let all = all_remarks(&plan, &records);
    let mut tried = 0;
    for cut in 0..records.len() {
        let deliberation = folded(&plan, 1, &records[..cut]);
        let (visibility, queries) = questions(&deliberation, &plan, &records[..cut]);
        for query in &queries {
            let heard = query.brief.remarks.len();
            for until in heard + 1..=all.len() {
                assert_caught(&visibility, &showing(query, &all[..until]), all[until - 1].seq.0, "not heard yet");
                tried += 1;
            }
        }
    }
    assert!(tried > 20);
}

#[test]
fn a_remark_of_the_same_breath_is_caught() {
    let plan = table("simultaneous", "at_end");
    let records = whole(&plan, 1);
    let all = all_remarks(&plan, &records);
    let mut tried = 0;
    for cut in 0..records.len() {
        let deliberation = folded(&plan, 1, &records[..cut]);
        let (visibility, queries) = questions(&deliberation, &plan, &records[..cut]);
        for query in queries.iter().filter(|query| query.id.at.step == Step::Statement) {
            // What others have already answered in this very ask is minuted, and yet nobody has heard it.
            let minuted = all.iter().filter(|remark| (remark.seq.0 as usize) < cut).count();
            for until in query.brief.remarks.len() + 1..=minuted {
                assert_caught(&visibility, &showing(query, &all[..until]), all[until - 1].seq.0, "not heard yet");
                tried += 1;
            }
        }
    }
    assert!(tried > 3);
}

#[test]
fn a_public_history_that_the_record_does_not_tell_of_is_caught() {
    let plan = table("random", "every_round");
    let records = whole(&plan, 1);
    let end = records.iter().rposition(|record| record.at.step == Step::StrawPoll).unwrap();
    let deliberation = folded(&plan, 1, &records[..end]);
    let (visibility, queries) = questions(&deliberation, &plan, &records[..end]);
    let (query, floor) = (&queries[0], queries[0].brief.remarks.floor);
    let from = query.shown.history.expect("the whole history is shown") as usize;
    assert_eq!(query.brief.full_from, Some(floor[from].seq));
    let mut cut = query.clone();
    cut.brief.full_from = None;
    assert_caught(&visibility, &cut, floor[from].seq.0, "its record does not tell of");
    let mut later = query.clone();
    later.shown.history = Some(from as u32 + 1);
    assert_caught(&visibility, &later, floor[from + 1].seq.0, "its record does not tell of");
    let mut account = Visibility::new(&table_with("random", "every_round", "memory: { history_in_brief: none }"));
    records[..end].iter().for_each(|record| account.witness_record(record));
    assert_caught(&account, query, floor[from].seq.0, "its record does not tell of");
}

#[test]
fn a_statement_cut_by_the_limit_of_another_seat_is_caught() {
    let plan = plan(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0 } } }
seats: [{ name: Alice }, { name: Bob, memory: { statement_max_length: 12 } }, { name: Carol }]
discussion: { rounds: 3, order: fixed, vote: every_round }
memory: { history_in_brief: none, statement_max_length: 16 }
",
    );
    let records = whole(&plan, 1);
    let end = records.iter().rposition(|record| record.at.step == Step::Ballot).unwrap() - 2;
    let deliberation = folded(&plan, 1, &records[..end]);
    let (visibility, queries) = questions(&deliberation, &plan, &records[..end]);
    let of_seat = |name: &str| queries.iter().find(|query| query.id.seat.as_str() == name).unwrap();
    let (alice, bob) = (of_seat("Alice"), of_seat("Bob"));
    assert_eq!((verdict(&visibility, alice), verdict(&visibility, bob)), (Ok(()), Ok(())));
    let kept = |query: &Query<'_>| query.brief.remarks.to_vec();
    let differs = |(place, remark): (usize, &Remark)| remark.kept_bytes != kept(bob)[place].kept_bytes;
    let (place, seq) = kept(alice)
        .iter()
        .enumerate()
        .find_map(|(place, remark)| differs((place, remark)).then_some((place, remark.seq.0)))
        .expect("a statement longer than both limits");
    let mut changed = kept(bob);
    changed[place].kept_bytes = kept(alice)[place].kept_bytes;
    assert_caught(&visibility, &showing(bob, &changed), seq, "not said so");
}

#[test]
fn another_text_speaker_or_record_is_caught_wherever_it_stands() {
    let plan = table("random", "every_round");
    let records = whole(&plan, 1);
    let end = records.iter().rposition(|record| record.at.step == Step::StrawPoll).unwrap();
    let deliberation = folded(&plan, 1, &records[..end]);
    let (visibility, queries) = questions(&deliberation, &plan, &records[..end]);
    let query = &queries[0];
    let honest = query.brief.remarks.to_vec();
    assert!(honest.len() > 8 && honest.iter().any(|remark| remark.speaker.is_none()));
    for place in 0..honest.len() {
        let seq = honest[place].seq.0;
        let mut changed = honest.clone();
        changed[place].text = format!("{}!", changed[place].text).into();
        assert_caught(&visibility, &showing(query, &changed), seq, "not said so");
        let mut changed = honest.clone();
        changed[place].speaker = match honest[place].speaker {
            Some(SeatId(0)) | None => Some(SeatId(1)),
            Some(_) => Some(SeatId(0)),
        };
        assert_caught(&visibility, &showing(query, &changed), seq, "not said so");
        let mut changed = honest.clone();
        changed[place].seq.0 += 1;
        assert_caught(&visibility, &showing(query, &changed), seq + 1, "not said so");
        // Less of it than memories keep, and the number of another statement.
        let mut changed = honest.clone();
        changed[place].kept_bytes -= 1;
        assert_caught(&visibility, &showing(query, &changed), seq, "not said so");
        let mut changed = honest.clone();
        changed[place].opinion = Opinion::percent(70);
        assert_caught(&visibility, &showing(query, &changed), seq, "not said so");
        for change in [|remark: &mut Remark| remark.turn += 1, |remark: &mut Remark| remark.round += 1] {
            let mut changed = honest.clone();
            change(&mut changed[place]);
            if honest[place].speaker.is_some() {
                assert_caught(&visibility, &showing(query, &changed), seq, "not said so");
            }
        }
    }
    // Left out in the middle, all that follows stands where it was not said.
    let mut changed = honest.clone();
    changed.remove(2);
    let caught = verdict(&visibility, &showing(query, &changed));
    assert!(caught.unwrap_err().contains("not said so"));
}

#[test]
fn another_seats_ballot_is_caught() {
    let plan = table("fixed", "every_round");
    let records = whole(&plan, 1);
    let second = records.iter().position(|r| r.event.is_round_opened() && r.at.round == 2).unwrap();
    let polled = second + records[second..].iter().position(|r| r.at.step == Step::StrawPoll).unwrap();
    let deliberation = folded(&plan, 1, &records[..polled]);
    let (visibility, queries) = questions(&deliberation, &plan, &records[..polled]);
    assert_eq!(queries.len(), 3);
    for query in &queries {
        assert_eq!(query.brief.own.len(), 1, "everyone remembers a ballot of its own");
        assert_eq!(verdict(&visibility, query), Ok(()));
        for other in queries.iter().filter(|other| other.seat != query.seat) {
            assert_caught(
                &visibility,
                &keeping(query, &other.brief.own.to_vec()),
                other.brief.own.first().unwrap().seq.0,
                "not its own",
            );
        }
        // A statement of its own is no entry of its own either: it is on the floor.
        let mut entries = query.brief.own.to_vec();
        entries[0].seq = query.brief.remarks.last().unwrap().seq;
        assert_caught(&visibility, &keeping(query, &entries), entries[0].seq.0, "not its own");
    }
}

#[test]
fn a_record_that_does_not_own_up_to_all_that_is_shown_is_caught() {
    let plan = table("fixed", "every_round");
    let records = whole(&plan, 1);
    let end = records.iter().rposition(|record| record.at.step == Step::StrawPoll).unwrap();
    let deliberation = folded(&plan, 1, &records[..end]);
    let (visibility, queries) = questions(&deliberation, &plan, &records[..end]);
    let query = &queries[0];
    for change in [
        |query: &mut Query<'_>| query.shown.floor.end -= 1,
        |query: &mut Query<'_>| query.shown.floor.start += 1,
        |query: &mut Query<'_>| query.shown.own.end -= 1,
        |query: &mut Query<'_>| query.shown.own.start += 1,
    ] {
        let mut query = query.clone();
        change(&mut query);
        let caught = verdict(&visibility, &query).unwrap_err();
        assert!(caught.contains("would not say all that is shown"), "{caught}");
    }
    // The right number of remarks from the wrong place is no better.
    let mut query = query.clone();
    query.shown.floor = 1..query.shown.floor.end + 1;
    assert!(verdict(&visibility, &query).is_err());
}
