//! Statements that a facilitator marks: who keeps them, in which words, until when, and who never does.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::sync::Arc;

use crate::fixtures::trial::{self, POLICIES, any_model, plan, whole};
use ekklesia::domain::{
    Brief, EntryKind, Event, MemoryAct, OwnEntry, PhaseName, Query, Record, Reminded, Reply, SeatName, Seq, Voice,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::memory::{MemoryPolicy, guidance};
use ekklesia::plan::Plan;
use ekklesia::session::{OmissionReason, Visibility, build_seat_view};

const MARKS: &str = "
  - { at: { phase: discussion, round: 2 }, mark: \"#1.2\" }
  - { at: { phase: discussion, round: 3 }, to: [Bob], as: human, mark: \"#1.3\", phase: discussion }
  - { at: { phase: discussion, round: 3 }, mark: \"#4.1\" }
  - { at: { phase: discussion, round: 4 }, to: [Alice], forget: discussion }
  - { at: { phase: discussion, round: 4 }, to: [Carol], forget: vote }
  - { at: { phase: discussion, round: 4 }, to: [Alice, Carol], mark: \"#2.1\" }
  - { at: { phase: vote }, to: [Alice, Bob], forget: all }
";

fn body(memory: &str, order: &str) -> String {
    format!(
        "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol, mind: {{ voter: {{ copy: 0.6 }} }} }}]
discussion: {{ rounds: 5, order: {order}, vote: at_end }}
straw_polls: [each_round, after]
memory: {memory}
interventions: {MARKS}
"
    )
}

/// Every policy that keeps anything, with little room beside what is marked.
const MEMORIES: [&str; 7] = [
    POLICIES[0],
    POLICIES[1],
    POLICIES[3],
    "{ policy: { window: { tokens: 1700 } }, statement_max_length: 80 }",
    "{ policy: { compact: { threshold: 0.5, keep: 2 } }, memory_character_limit: 800, statement_max_length: 80, \
     memory_compression_target: 0.45, reinject: [tally_open, own_ballot, instruction] }",
    "{ policy: { digest: { every: 3, words: 20, keep: 2 } }, memory_character_limit: 800, statement_max_length: 80 }",
    POLICIES[8],
];

/// All of these, and every order in which seats may speak.
fn plans() -> Vec<Arc<Plan>> {
    let mut plans = Vec::new();
    for memory in MEMORIES {
        plans.push(plan(&body(memory, "random")));
    }
    for order in ["fixed", "simultaneous", "volunteer"] {
        plans.push(plan(&body(POLICIES[0], order)));
        plans.push(plan(&body("{ policy: full, guidance_style: structured }", order)));
    }
    plans
}

/// What each seat is to keep, by the records alone: by the record that marked it, the statement's.
#[derive(Default)]
struct Account {
    kept: BTreeMap<SeatName, BTreeMap<Seq, (Seq, PhaseName, Voice)>>,
    forgotten: BTreeMap<SeatName, Vec<Seq>>,
}

impl Account {
    fn take(&mut self, plan: &Plan, record: &Record) {
        let seats = |to: &[SeatName]| match to {
            [] => plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            to => to.to_vec(),
        };
        match &record.event {
            Event::Marked { to, by, phase, of: Some(of), .. } => {
                for seat in seats(to) {
                    self.kept.entry(seat).or_default().insert(record.seq, (*of, phase.clone(), *by));
                }
            }
            Event::Reminded(Reminded { to, act: MemoryAct::Forget { phase: forgotten }, .. }) => {
                for seat in seats(to) {
                    let kept = self.kept.entry(seat.clone()).or_default();
                    let is_lost = |phase: &PhaseName| forgotten.as_ref().is_none_or(|forgotten| forgotten == phase);
                    let lost = kept.iter().filter(|(_, (_, phase, _))| is_lost(phase)).map(|(seq, _)| *seq);
                    self.forgotten.entry(seat.clone()).or_default().extend(lost);
                    kept.retain(|_, (_, phase, _)| !is_lost(phase));
                }
            }
            _ => {}
        }
    }
}

fn marked<'b>(brief: &'b Brief<'_>) -> Vec<&'b OwnEntry> {
    brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked).collect()
}

#[test]
fn what_is_marked_is_kept_in_the_words_in_which_it_was_heard_until_it_is_forgotten() {
    let (mut shown, mut lost) = (0, 0);
    for plan in plans() {
        let records = whole(&plan, 1);
        let (mut deliberation, mut account) = (Deliberation::convene(&plan, 1), Account::default());
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    let name = &plan.seats[query.seat.index()].name;
                    let kept = account.kept.get(name).cloned().unwrap_or_default();
                    let told = marked(&query.brief);
                    assert_eq!(
                        told.iter().map(|entry| entry.seq).collect::<Vec<_>>(),
                        kept.keys().copied().collect::<Vec<_>>()
                    );
                    for (entry, (of, _, by)) in told.iter().zip(kept.values()) {
                        let remark = query.brief.remarks.floor.iter().find(|remark| remark.seq == *of).unwrap();
                        let speaker = &plan.seats[remark.speaker.unwrap().index()].agent.public_name;
                        let voice = if *by == Voice::Human { "[HUMAN]" } else { "[FACILITATOR]" };
                        let line = guidance::remark_line(
                            (remark, &guidance::kept_text(remark)),
                            speaker,
                            query.brief.style,
                            &plan.motion,
                        );
                        assert_eq!(entry.text, format!("{voice} {line}"));
                        shown += 1;
                    }
                    lost += account.forgotten.get(name).map_or(0, Vec::len);
                }
            }
            account.take(&plan, record);
            deliberation.evolve(record);
        }
    }
    assert!(shown > 500 && lost > 100, "{shown}, {lost}");
}

#[test]
fn a_statement_that_was_not_made_is_marked_for_nobody_and_its_record_says_so() {
    let mut found = [0, 0];
    for plan in plans() {
        let records = whole(&plan, 1);
        for record in &records {
            let Event::Marked { statement, phase, of, .. } = &record.event else { continue };
            let is_it = |other: &&Record| {
                let at = &other.at;
                matches!(other.reply(), Some(Reply::Statement { .. }))
                    && (at.phase == *phase && at.round == statement.round && at.turn == statement.turn)
            };
            let before = &records[..record.seq.0 as usize];
            assert_eq!(*of, before.iter().find(is_it).map(|other| other.seq), "{statement}");
            found[usize::from(of.is_some())] += 1;
        }
    }
    assert!(found[0] > 10 && found[1] > 10, "{found:?}");
}

#[test]
fn marks_that_were_not_made_for_a_seat_or_not_so_are_caught() {
    let mut tried = [0; 3];
    for plan in plans() {
        let records = whole(&plan, 1);
        let (mut deliberation, mut visibility) = (Deliberation::convene(&plan, 1), Visibility::new(&plan));
        let mut earlier: BTreeMap<(SeatName, Seq), OwnEntry> = BTreeMap::new();
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    let verdict = |pinned: &[OwnEntry]| {
                        let mut query: Query<'_> = query.clone();
                        query.shown.pinned = pinned.len() as u32;
                        query.brief = Brief { pinned, ..query.brief };
                        visibility.clone().check_query(&query).map_err(|leak| leak.to_string())
                    };
                    let honest = query.brief.pinned.to_vec();
                    assert_eq!(verdict(&honest), Ok(()));
                    let name = &plan.seats[query.seat.index()].name;
                    for place in 0..honest.len() {
                        if honest[place].kind == EntryKind::Marked {
                            let mut changed = honest.clone();
                            changed[place].text = changed[place].text.replace("said: \"", "said: \"no, ") + "!";
                            assert!(verdict(&changed).unwrap_err().contains("not said so"));
                            tried[0] += 1;
                        }
                    }
                    for ((owner, seq), entry) in &earlier {
                        if honest.iter().any(|own| own.seq == *seq) {
                            continue;
                        }
                        let leaking = [honest.clone(), vec![entry.clone()]].concat();
                        let caught = verdict(&leaking).unwrap_err();
                        let is_own = owner == name;
                        let was_own = earlier.contains_key(&(name.clone(), *seq));
                        let reason = if is_own || was_own { "was to forget" } else { "not its own" };
                        assert!(
                            caught.contains(&format!("record {}, which", seq.0)) && caught.contains(reason),
                            "{caught}"
                        );
                        tried[if is_own || was_own { 1 } else { 2 }] += 1;
                    }
                    for entry in marked(&query.brief) {
                        earlier.insert((name.clone(), entry.seq), entry.clone());
                    }
                }
            }
            visibility.witness_record(record);
            deliberation.evolve(record);
        }
    }
    assert!(tried.iter().all(|tried| *tried > 50), "{tried:?}");
}

#[test]
fn context_shows_a_mark_as_pinned_and_tells_by_which_record_it_was_forgotten() {
    let model = any_model();
    let mut found = [0; 2];
    for plan in plans().into_iter().take(4) {
        assert!(plan.memory.policy != MemoryPolicy::None);
        let records = whole(&plan, 1);
        let mut account = Account::default();
        for record in &records {
            if record.event.given().is_some() {
                let seen = build_seat_view(Deliberation::convene(&plan, 1), &records, record.seq, &model).unwrap();
                let name = record.seat.as_ref().unwrap();
                for seq in account.kept.get(name).into_iter().flat_map(BTreeMap::keys) {
                    let entry = seen.entries.iter().find(|entry| entry.seq == *seq).unwrap();
                    assert!(
                        entry.is_pinned
                            && seen.wording.messages.iter().any(|message| message.content().contains(&entry.text)),
                        "{entry:?}"
                    );
                    found[0] += 1;
                }
                for seq in account.forgotten.get(name).into_iter().flatten() {
                    let omitted = seen.omitted.iter().find(|omitted| omitted.seq == *seq).unwrap();
                    assert!(matches!(omitted.why, OmissionReason::Forgotten(_)), "{omitted:?}");
                    found[1] += 1;
                }
            }
            account.take(&plan, record);
        }
    }
    assert!(found.iter().all(|found| *found > 5), "{found:?}");
}

#[test]
fn a_run_with_marks_is_replayed_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let config = trial::write_config(folder.path(), &body("{ memory_character_limit: 2000 }", "fixed"));
    let run = |arguments: &[&str]| {
        let output = Command::new(crate::fixtures::sample::program()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let out = folder.path().join("out").display().to_string();
    run(&["run", &config.display().to_string(), "--out", &out]);
    run(&["replay", &out]);
    let session = fs::read_dir(folder.path().join("out/sessions")).unwrap().next().unwrap().unwrap().path();
    let shown = run(&["show", &session.display().to_string()]);
    assert!(shown.contains("statement \\#1.2 of discussion, record "), "{shown}");
    assert!(shown.contains("nothing is marked: statement \\#4.1 of discussion was not made by then"), "{shown}");
    let methods = fs::read_to_string(folder.path().join("out/methods.md")).unwrap();
    assert!(methods.contains("had every seat remember the statement #1.2 of `discussion`, at the start of round 2 of"));
}
