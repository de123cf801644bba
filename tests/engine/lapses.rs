//! Sessions in which seats are told to forget a phase: nothing of it reaches them, and they are cut, folded and told of as any
//! other.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, POLICIES, any_model, check_cuts, justice, whole};
use ekklesia::domain::{
    Event, Forgotten, MemoryAct, OwnEntry, Places, Query, Record, Remark, Remarks, Reminded, Reply, SeatId, Seq,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::memory::{EventKinds, HistoryInBrief};
use ekklesia::plan::Plan;
use ekklesia::session::{OmissionReason, Visibility, build_seat_view};

/// Two talks with votes, and seats that are made to forget one of them at several times: what is over, and what is under way.
fn talks(memory: &str, order: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("motion");
    copy(&trial::repository().join("scenarios/motion"), &scenario);
    let written = std::fs::read_to_string(scenario.join("scenario.yaml")).unwrap();
    let talk = "  - { name: discussion, discussion: {} }\n";
    assert!(written.contains(talk));
    let written = written.replace(talk, &format!("  - {{ name: before, discussion: {{}} }}\n{talk}"));
    std::fs::write(scenario.join("scenario.yaml"), written).unwrap();
    let config = folder.path().join("config.yaml");
    let text = format!(
        "experiment: trial
scenario: motion
seed: 42
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ voter: {{ copy: 0.6 }} }} }}]
straw_polls: [each_round, after]
discussion: {{ rounds: 3, order: {order}, vote: at_end, private_reasoning: true, proposals: true }}
decision: {{ rule: unanimity }}
memory: {memory}
interventions:
  - {{ at: {{ phase: before, round: 3 }}, to: [Carol], forget: discussion }}
  - {{ at: {{ phase: discussion, round: 2 }}, to: [Alice], forget: before }}
  - {{ at: {{ phase: discussion, round: 3 }}, to: [Bob], forget: discussion }}
  - {{ at: {{ phase: vote }}, to: [Alice, Carol], forget: before }}
"
    );
    std::fs::write(&config, text).unwrap();
    Arc::clone(&trial::read(&config).arms[0])
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (entry, to) = (entry.as_ref().unwrap().path(), to.join(entry.as_ref().unwrap().file_name()));
        if entry.is_dir() { copy(&entry, &to) } else { _ = std::fs::copy(&entry, &to).unwrap() }
    }
}

fn plans() -> Vec<(String, Arc<Plan>)> {
    let orders = ["fixed", "simultaneous", "volunteer"];
    let of = |(place, memory): (usize, &&str)| {
        let order = orders[place % 3];
        (format!("{memory}, {order}"), talks(memory, order))
    };
    let more = "{ history_in_brief: full, recall: { search: { top_k: 2 } }, statement_max_length: 60 }";
    POLICIES.iter().chain([&more]).enumerate().map(of).collect()
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_session_that_forgets_a_phase_is_cut_anywhere_and_folds_to_the_same() {
    for (what, plan) in plans() {
        let records = whole(&plan, 1);
        let forgets =
            |record: &&Record| matches!(record.event, Event::Reminded(Reminded { act: MemoryAct::Forget { .. }, .. }));
        assert_eq!(records.iter().filter(forgets).count(), 4, "{what}");
        check_cuts(&plan, 1, &records, sample_cases(0..=records.len(), 5));
    }
}

/// The same question with these remarks instead of its own, of which it shows these positions; its record owns up to them.
fn showing<'q>(query: &Query<'q>, remarks: &'q [Remark], places: &'q Places) -> Query<'q> {
    let mut query = query.clone();
    query.shown.floor = 0..remarks.len() as u32;
    query.shown.notices = None;
    query.shown.forgotten = Forgotten::default();
    query.shown.recalled.clear();
    query.brief.recalled.clear();
    let remarks = places.over(remarks);
    let remarks = Remarks { pinned: query.brief.remarks.pinned, ..remarks };
    query.brief.remarks = remarks;
    query
}

/// What is tried on one question after the other, and how often.
struct Trial<'t> {
    what: &'t str,
    plan: &'t Plan,
    tried: &'t mut BTreeMap<&'static str, u32>,
    /// What each seat was last shown of its own, entries and summaries, before it forgot anything.
    before: BTreeMap<SeatId, (Vec<OwnEntry>, Vec<OwnEntry>)>,
    /// The records by which seats were to forget a phase.
    orders: Vec<Record>,
}

fn verdict(account: &Visibility, query: &Query<'_>) -> Result<(), String> {
    account.clone().check_query(query).map_err(|leak| leak.to_string())
}

impl Trial<'_> {
    fn caught(&mut self, sort: &'static str, account: &Visibility, query: &Query<'_>) {
        let told = verdict(account, query).expect_err(sort);
        assert!(told.contains("which it was to forget"), "{}: {sort}: {told}", self.what);
        *self.tried.entry(sort).or_default() += 1;
    }

    /// A statement that the seat forgot stands among the others, and beside them.
    fn show_statements(&mut self, account: &Visibility, query: &Query<'_>) {
        let Some(part) = query.shown.forgotten.statements.first() else { return };
        let places = Places::of(query.brief.remarks.floor);
        let place = places.statements.iter().find(|place| part.contains(place));
        if self.plan.memory.history != HistoryInBrief::None || self.plan.memory.pin != EventKinds::default() {
            return;
        }
        let Some(place) = place else { return };
        self.caught("statement", account, &showing(query, query.brief.remarks.floor, &places));
        let none: [Remark; 0] = [];
        let nothing = Places::of(&none);
        let mut recalling = showing(query, &none, &nothing);
        recalling.brief.remarks.floor = query.brief.remarks.floor;
        recalling.shown.floor = place + 1..place + 1;
        (recalling.brief.recalled, recalling.shown.recalled) = (vec![*place], vec![*place]);
        recalling.brief.heard.proposal = None;
        self.caught("recalled", account, &recalling);
    }

    /// What the seat kept and wrote before it forgot is shown it again.
    fn show_its_own(&mut self, account: &Visibility, query: &Query<'_>) {
        let forgotten = &query.shown.forgotten;
        let (own, summaries) = self.before.entry(query.seat).or_default().clone();
        let orders = self.orders.clone();
        let is_to_forget = |entry: &OwnEntry| {
            orders.iter().any(|order| match &order.event {
                Event::Reminded(Reminded { to, act: MemoryAct::Forget { phase: Some(phase) }, .. }) => {
                    to.contains(&query.id.seat) && *phase == entry.phase && entry.seq < order.seq
                }
                _ => false,
            })
        };
        if !forgotten.own.is_empty() && own.iter().any(&is_to_forget) {
            let mut leaking = query.clone();
            leaking.shown.own = 0..own.len() as u32;
            leaking.shown.forgotten.own.clear();
            leaking.brief.own = own.as_slice().into();
            self.caught("own entry", account, &leaking);
        }
        if !forgotten.summaries.is_empty() && summaries.iter().any(&is_to_forget) {
            let mut leaking = query.clone();
            leaking.shown.summaries = 0..summaries.len() as u32;
            leaking.shown.forgotten.summaries.clear();
            leaking.brief.summaries = summaries.as_slice().into();
            self.caught("summary", account, &leaking);
        }
        if forgotten.own.is_empty() && forgotten.summaries.is_empty() {
            self.before.insert(query.seat, (query.brief.own.to_vec(), query.brief.summaries.to_vec()));
        }
    }

    /// Where the talk stands is told as whoever has forgotten nothing knows it, and a seat acts on what it forgot that it said.
    fn tell_of_reactions(&mut self, account: &Visibility, query: &Query<'_>, all: &[Query<'_>]) {
        let Some(told) = &query.brief.standing else { return };
        let mut otherwise = |sort: &'static str, leaking: &Query<'_>| {
            let leak = verdict(account, leaking).expect_err(sort);
            assert!(leak.contains("is told that the talk stands otherwise"), "{}: {sort}: {leak}", self.what);
            *self.tried.entry(sort).or_default() += 1;
        };
        let others = all.iter().filter_map(|other| other.brief.standing.as_ref());
        for other in others.filter(|other| other.extent == told.extent && other.words != told.words) {
            let mut leaking = query.clone();
            leaking.brief.standing = Some(other.clone());
            otherwise("standing", &leaking);
        }
        for other in all.iter().filter(|other| other.seat != query.seat) {
            let (own, others) = (&query.brief.heard, &other.brief.heard);
            let mut leaking = query.clone();
            (leaking.brief.heard.backed, leaking.brief.heard.own_proposal) = (others.backed, others.own_proposal);
            if (own.backed, own.own_proposal) != (others.backed, others.own_proposal) {
                otherwise("reaction", &leaking);
            }
        }
    }

    /// The record does not tell what was left out, or tells that something was left out that was not to be forgotten.
    fn tell_falsely(&self, account: &Visibility, query: &Query<'_>) {
        if !query.shown.forgotten.is_empty() {
            let mut hiding = query.clone();
            hiding.shown.forgotten = Forgotten::default();
            verdict(account, &hiding).expect_err("a record that does not tell what was left out");
        }
        if let Some(place) = query.brief.remarks.statements.first() {
            let mut hiding = query.clone();
            hiding.shown.forgotten.statements.push(*place..*place + 1);
            assert!(verdict(account, &hiding).is_err(), "{}", self.what);
        }
    }
}

#[test]
fn whatever_a_seat_forgot_is_caught_where_it_is_shown_all_the_same() {
    let mut tried: BTreeMap<&str, u32> = BTreeMap::new();
    for (what, plan) in plans() {
        let records = whole(&plan, 1);
        let mut account = Visibility::new(&plan);
        let mut deliberation = Deliberation::convene(&plan, 1);
        let mut trial =
            Trial { what: &what, plan: &plan, tried: &mut tried, before: BTreeMap::new(), orders: Vec::new() };
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    assert_eq!(verdict(&account, query), Ok(()), "{what}: {}", query.id);
                    trial.show_statements(&account, query);
                    trial.show_its_own(&account, query);
                    trial.tell_falsely(&account, query);
                    trial.tell_of_reactions(&account, query, &queries);
                }
            }
            trial.orders.extend(record.event.is_reminded().then(|| record.clone()));
            account.witness_record(record);
            deliberation.evolve(record);
        }
    }
    for sort in ["statement", "recalled", "own entry", "summary", "standing", "reaction"] {
        assert!(tried.get(sort).is_some_and(|times| *times > 5), "{tried:?}");
    }
}

#[test]
fn a_session_of_justice_forgets_one_of_its_many_phases() {
    let plan = justice(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 1 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
parameters: { applications_count: 1 }
discussion: { rounds: 2, order: random, vote: at_end, private_reasoning: true }
interventions:
  - { at: { phase: discussion, round: 1 }, to: [Alice], forget: applications }
  - { at: { phase: settlement }, to: [Bob], forget: discussion }
  - { at: { phase: ranking_4 }, to: [Carol], forget: ranking_1 }
",
    );
    let records = whole(&plan, 1);
    check_cuts(&plan, 1, &records, (0..=records.len()).step_by(3));
}

#[test]
fn a_seat_is_told_that_it_forgot_and_by_which_record() {
    let plan = talks("{ policy: full }", "fixed");
    let records = whole(&plan, 1);
    let forgot = records.iter().find(|record| {
        matches!(&record.event, Event::Reminded(Reminded { to, .. }) if to[0].as_str() == "Alice" && record.at.round == 2)
    });
    let forgot = forgot.unwrap().seq;
    let is_later = |record: &&Record| {
        record.seq > forgot && record.event.given().is_some() && record.seat.as_ref().unwrap().as_str() == "Alice"
    };
    let answer = records.iter().find(is_later).unwrap();
    let seen = build_seat_view(Deliberation::convene(&plan, 1), &records, answer.seq, &any_model()).unwrap();
    let heard = records.iter().filter(|record| record.at.phase.as_str() == "before" && record.seq < forgot);
    let heard: Vec<Seq> = heard
        .filter(|record| matches!(record.reply(), Some(Reply::Statement { .. })))
        .map(|record| record.seq)
        .collect();
    assert!(heard.len() > 4);
    for seq in heard {
        let omitted = seen.omitted.iter().find(|omitted| omitted.seq == seq).unwrap();
        assert_eq!(omitted.why, OmissionReason::Forgotten(forgot));
    }
    assert!(seen.entries.iter().any(|entry| records[entry.seq.0 as usize].at.phase.as_str() == "discussion"));
    assert!(seen.omitted.iter().all(|omitted| records[omitted.seq.0 as usize].at.phase.as_str() != "discussion"
        || omitted.why == OmissionReason::Unremembered));
}
