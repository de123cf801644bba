//! A seat reads what it did itself, what it was paid and what it was told alone in the words of its own records, under every
//! policy: another seat's words under the right number are caught, and so is one letter.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use crate::fixtures::trial::{self, POLICIES, go_on};
use ekklesia::domain::{Before, Digest, Donor, EntryKind, Needed, OwnEntry, Query, SeatId};
use ekklesia::engine::{Deliberation, Next, handed_on};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;

/// Every kind of entry. What nothing in a session makes is told apart from the rest.
const KINDS: [EntryKind; 14] = [
    EntryKind::Exhibit,
    EntryKind::Instruction,
    EntryKind::Marked,
    EntryKind::OwnReasoning,
    EntryKind::OwnBallot,
    EntryKind::OwnRanking,
    EntryKind::OwnApplication,
    EntryKind::OwnAnswer,
    EntryKind::OwnTest,
    EntryKind::Notes,
    EntryKind::Results,
    EntryKind::Decision,
    EntryKind::Rewritten,
    EntryKind::PutBack,
];

/// Whether sessions make entries of a kind. A new kind is to be named here and above.
fn is_made(kind: EntryKind) -> bool {
    match kind {
        EntryKind::Decision => false,
        // Of scenarios with a case, whose proof stands in `tests/minds/evidence.rs`.
        EntryKind::Dealt => false,
        EntryKind::Exhibit
        | EntryKind::Instruction
        | EntryKind::Marked
        | EntryKind::OwnReasoning
        | EntryKind::OwnBallot
        | EntryKind::OwnRanking
        | EntryKind::OwnApplication
        | EntryKind::OwnAnswer
        | EntryKind::OwnTest
        | EntryKind::Notes
        | EntryKind::Results
        | EntryKind::Rewritten
        | EntryKind::PutBack => true,
    }
}

/// Seats that are told and shown things alone, that rank, are tested, choose, are paid, think, vote with amounts and fail to.
const JUSTICE: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.3 } } }
seats: [{ name: Alice }, { name: Bob, role: manipulator }, { name: Carol, mind: { justice: { risk_aversion: 1 } } }]
parameters: { applications_count: 2 }
discussion: { rounds: 2, order: random, vote: every_round, private_reasoning: true }
interventions:
  - { at: { phase: discussion, round: 1 }, to: [Carol], text: \"Only Carol knows this.\" }
  - { at: { phase: discussion, round: 1 }, to: [Alice], as: human, text: \"Only Alice knows this.\" }
exhibits: { letter: { file: letter.txt, to: [Alice] }, reply: { file: reply.txt, to: [Bob, Carol] } }
";

/// The same sections as for motions, with limits that leave room for what is pinned.
const JUSTICE_POLICIES: [&str; 8] = [
    "{ memory_character_limit: 9000, memory_compression_threshold: 0.3, memory_compression_target: 0.2 }",
    "{ reasoning_max_length: 12, statement_max_length: 30 }",
    "{ policy: full, reasoning_max_length: 12 }",
    "{ policy: none }",
    "{ policy: { window: { statements: 2 } }, pin: [own_ranking, own_ballot] }",
    "{ policy: { digest: { every: 2, words: 9, keep: 1 } }, memory_character_limit: 9000 }",
    "{ policy: { compact: { threshold: 0.5, keep: 1 } }, memory_character_limit: 9000, \
     memory_compression_target: 0.3, reinject: [tally_open, own_ballot, own_ranking, own_application] }",
    "{ routing: { own_ballot: skip, own_ranking: direct, own_reasoning: skip } }",
];

/// Seats that name amounts in polls, some of them invalid.
const ESTIMATES: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.3 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
discussion: { rounds: 3, order: random, vote: at_end, private_reasoning: true }
straw_polls: [before, each_round, after]
";

const MOTION: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol, mind: { random: { malformed: 1 } } }]
discussion: { rounds: 5, order: random, vote: every_round, private_reasoning: true, proposals: true }
decision: { rule: unanimity, invalid: void_round }
";

/// Who brings what it noted when the group met before, and keeps what was marked for it.
const NOTES: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
discussion: { rounds: 3, order: random, vote: at_end }
interventions:
  - { at: { phase: discussion, round: 2 }, to: [Alice], mark: \"#1.1\" }
  - { at: { phase: discussion, round: 2 }, to: [Bob], mark: \"#1.2\" }
  - { at: { phase: discussion, round: 3 }, to: [Carol], mark: \"#2.3\" }
panel: { waves: 3 }
";

fn planned(body: &str, write: fn(&std::path::Path, &str) -> std::path::PathBuf) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "Dear Alice, it costs 11.\n").unwrap();
    fs::write(folder.path().join("reply.txt"), "Dear all, it costs 12.\n").unwrap();
    Arc::clone(&trial::read(&write(folder.path(), body)).arms[0])
}

/// The last session of a panel, with what the sessions before it handed on.
fn last_of_panel(memory: &str) -> Arc<Plan> {
    let arm = trial::plan(&format!("{NOTES}memory: {memory}\n"));
    let mut plan = Arc::new(arm.of_wave(1));
    for wave in 2..=3 {
        let records = trial::whole(&plan, 1);
        let (names, notes) = handed_on(&plan, &records);
        let needed = Needed { session: plan.session_name(1), minutes: Digest::of(b"the minutes") };
        plan = Arc::new(arm.of_wave(wave).with_previous_outcome(Before { needed, names, notes }));
    }
    plan
}

/// Plans under every policy, and whose statements are shown where it is another group's.
fn plans() -> Vec<(String, Arc<Plan>, Option<Donor>)> {
    let mut plans = Vec::new();
    for memory in JUSTICE_POLICIES {
        let shorter = "  - { at: { phase: discussion, round: 2 }, compact: {} }\nexhibits: {";
        let has_shorter = memory.contains("compact") || memory.contains("digest");
        let body = if has_shorter { JUSTICE.replace("exhibits: {", shorter) } else { JUSTICE.to_owned() };
        let plan = planned(&format!("{body}memory: {memory}\n"), trial::write_justice);
        plans.push((format!("justice, {memory}"), plan, None));
    }
    for memory in POLICIES {
        let plan = planned(&format!("{ESTIMATES}memory: {memory}\n"), trial::write_estimation);
        plans.push((format!("estimates, {memory}"), plan, None));
        let plan = planned(&format!("{MOTION}memory: {memory}\n"), trial::write_config);
        plans.push((format!("motion, {memory}"), plan, None));
    }
    for notes in ["{ notes: { max_lines: 2 } }", "{ notes: { max_lines: 40 }, memory_character_limit: 1600 }"] {
        plans.push((format!("panel, {notes}"), last_of_panel(notes), None));
    }
    let design = "replicates: 2\ndesign: { factors: { memory: { key: memory.policy, levels: [selective, shuffled] } }, \
                  baseline: { memory: selective } }\n";
    let experiment = trial::experiment(&format!("{}{design}", MOTION.replace(", proposals: true", "")));
    let arm = |name: &str| Arc::clone(experiment.arms.iter().find(|arm| arm.arm == name).unwrap());
    let (baseline, shuffled) = (arm("selective"), arm("shuffled"));
    let lender = Needed { session: baseline.session_name(2), minutes: Digest::of(b"the minutes") };
    plans.push(("shuffled".to_owned(), shuffled, Some(Donor::of(lender, &trial::whole(&baseline, 2)))));
    plans
}

fn convened<'p>(plan: &'p Plan, donor: Option<&Donor>) -> (Deliberation<'p>, Visibility) {
    let (deliberation, account) = (Deliberation::convene(plan, 1), Visibility::new(plan));
    match donor {
        Some(donor) => (deliberation.borrowing(donor.clone()), account.with_donor(donor)),
        None => (deliberation, account),
    }
}

/// The three lists of a brief.
fn lists(query: &Query<'_>) -> [Vec<OwnEntry>; 3] {
    [query.brief.pinned.to_vec(), query.brief.own.to_vec(), query.brief.summaries.to_vec()]
}

/// What is tried in one session.
struct Trial<'t> {
    what: &'t str,
    account: &'t Visibility,
    tried: &'t mut BTreeMap<(EntryKind, &'static str), u32>,
}

impl Trial<'_> {
    /// The same question with another entry at a place of a list is caught, and the record is named.
    fn caught(&mut self, sort: &'static str, query: &Query<'_>, (list, place): (usize, usize), forged: OwnEntry) {
        let (mut all, seq, kind) = (lists(query), forged.seq, forged.kind);
        if all[list][place] == forged {
            return;
        }
        all[list][place] = forged;
        let mut query = query.clone();
        match list {
            0 => query.brief.pinned = &all[0],
            1 => query.brief.own = all[1].as_slice().into(),
            _ => query.brief.summaries = all[2].as_slice().into(),
        }
        let leak = self.account.clone().check_query(&query);
        let told = leak.expect_err(&format!("{}: {}: {sort} of {kind:?}", self.what, query.id)).to_string();
        assert!(told.contains(&format!("record {}, ", seq.0)), "{}: {sort} of {kind:?}: {told}", self.what);
        *self.tried.entry((kind, sort)).or_default() += 1;
    }
}

/// The text with one letter changed: the first, one in the middle, or the last.
fn misspelt(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let places = BTreeSet::from([0, letters.len() / 2, letters.len().saturating_sub(1)]);
    let changed = |place: usize| {
        let mut letters = letters.clone();
        letters[place] = if letters[place] == 'x' { 'y' } else { 'x' };
        letters.into_iter().collect()
    };
    places.into_iter().filter(|place| *place < letters.len()).map(changed).collect()
}

/// Every entry that a question shows, in words that are not its own.
fn forge(trial: &mut Trial<'_>, query: &Query<'_>, others: &BTreeMap<(SeatId, EntryKind), BTreeSet<String>>) {
    for (list, entries) in lists(query).iter().enumerate() {
        for (place, entry) in entries.iter().enumerate() {
            let at = (list, place);
            let with = |text: String| OwnEntry { text, ..entry.clone() };
            for text in misspelt(&entry.text) {
                trial.caught("a letter", query, at, with(text));
            }
            trial.caught("more", query, at, with(format!("{} And more.", entry.text)));
            trial.caught("an ending", query, at, with("Carol owns 900 dollars...".to_owned()));
            for ((seat, kind), texts) in others {
                if *seat != query.seat && *kind == entry.kind {
                    for text in texts.iter().filter(|text| may_be_told(text, entry)) {
                        trial.caught("another's words", query, at, with(text.clone()));
                    }
                }
            }
            for kind in KINDS.into_iter().filter(|kind| *kind != entry.kind) {
                trial.caught("another kind", query, at, OwnEntry { kind, ..entry.clone() });
            }
            if let Some(other) = entries.iter().find(|other| other.seq != entry.seq && list != 2) {
                trial.caught("another place", query, at, other.clone());
            }
        }
    }
}

/// Whether another seat's words differ from an entry that may be the beginning of the same.
fn may_be_told(text: &str, entry: &OwnEntry) -> bool {
    let beginning = |text: &str| text.strip_suffix("...").unwrap_or(text).to_owned();
    !beginning(text).starts_with(&beginning(&entry.text)) && !beginning(&entry.text).starts_with(&beginning(text))
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_entry_in_other_words_than_its_seat_may_read_is_caught_whatever_its_kind_and_the_policy() {
    let mut tried = BTreeMap::new();
    for (what, plan, donor) in plans() {
        let (mut session, _) = convened(&plan, donor.as_ref());
        let mut kept = Vec::new();
        go_on(&mut session, &plan, &mut kept).unwrap();
        let (mut deliberation, mut account) = convened(&plan, donor.as_ref());
        let mut others: BTreeMap<(SeatId, EntryKind), BTreeSet<String>> = BTreeMap::new();
        // What was shown already is not looked at again, so that each entry is tried once, when it is new.
        let mut seen = BTreeSet::new();
        for record in &kept {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    for entry in lists(query).into_iter().flatten() {
                        others.entry((query.seat, entry.kind)).or_default().insert(entry.text);
                    }
                }
                for query in &queries {
                    assert_eq!(account.clone().check_query(query).map_err(|leak| leak.to_string()), Ok(()), "{what}");
                    let news = |list: &Vec<OwnEntry>| list.iter().map(|entry| entry.seq).collect::<Vec<_>>();
                    if seen.insert((query.seat, lists(query).each_ref().map(news))) {
                        forge(&mut Trial { what: &what, account: &account, tried: &mut tried }, query, &others);
                    }
                }
            }
            account.witness_record(record);
            deliberation.evolve(record);
        }
    }
    for kind in KINDS.into_iter().filter(|kind| is_made(*kind)) {
        for sort in ["a letter", "more", "an ending", "another's words", "another kind"] {
            // All are told the same, so that nobody has words of its own to put back.
            let is_possible = (kind, sort) != (EntryKind::PutBack, "another's words");
            assert!(!is_possible || tried.get(&(kind, sort)) > Some(&2), "{kind:?}, {sort}: {tried:?}");
        }
    }
    assert!(tried.keys().any(|(_, sort)| *sort == "another place"));
}
