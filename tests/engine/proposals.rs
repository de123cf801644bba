//! Proposals, reactions and decisions: what marks mean and what becomes of proposals, worked out again from the words alone.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{experiment, folded, plan, whole};
use ekklesia::analysis::{SessionFacts, SessionFold};
use ekklesia::domain::{
    Digest, Ignored, Mark, Marked, Named, Number, ProposalStatus, Record, Reply, SeatId, Seq, Sign,
};
use ekklesia::memory::{MarkedStatement, Proposal, Proposals};
use ekklesia::plan::Plan;
use ekklesia::store::tables::{experiment_facts, session_facts};
use proptest::prelude::*;

/// A table of seats that mark at random, and of some that follow their rule.
fn body(order: &str, rounds: u32) -> String {
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n\
         seats: [{{ count: 3, name: \"Rand {{n}}\", mind: {{ random: {{ malformed: 0.1 }} }} }}, \
         {{ count: 3, name: \"Voter {{n}}\", mind: {{ voter: {{ copy: 0.5 }} }} }}]\n\
         discussion: {{ rounds: {rounds}, order: {order}, proposals: true }}\n"
    )
}

/// A proposal as the words alone tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    seq: u64,
    number: (u32, u32),
    seat: String,
    /// What each seat said of it, in order.
    said: Vec<(String, bool)>,
    status: &'static str,
    since: u64,
    replaced_by: Option<(u32, u32)>,
}

/// The tags of a text: the word, and what stands behind it.
fn tags(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while rest.starts_with('[') && rest.contains(']') {
            let close = rest.find(']').unwrap();
            let inside = &rest[1..close];
            let word: String = inside.chars().take_while(|c| *c != ' ').collect();
            if !["PROPOSAL", "SUPPORT", "OPPOSE", "DECISION"].contains(&word.as_str()) {
                break;
            }
            found.push((word.to_lowercase(), inside[word.len()..].trim().to_owned()));
            rest = rest[close + 1..].trim_start();
        }
    }
    found
}

/// Why a mark counts for nothing, or an empty text; and the record of the proposal that it means.
fn meaning(
    (seat, at): (&str, (u32, u32)),
    (tags, place): (&[(String, String)], usize),
    heard: &[&Told],
) -> (&'static str, Option<u64>) {
    let (word, named) = &tags[place];
    let is_reaction = word == "support" || word == "oppose";
    let number = named.strip_prefix('#').and_then(|number| {
        let (round, turn) = number.split_once('.')?;
        Some((round.parse().ok()?, turn.parse().ok()?))
    });
    let same = |(other, what): &(String, String)| match is_reaction {
        true => (other == "support" || other == "oppose") && what == named,
        false => other == word,
    };
    let is_repeated = match is_reaction {
        true => tags[place + 1..].iter().any(same),
        false => tags[..place].iter().any(same),
    };
    let meant = number.and_then(|number| heard.iter().rfind(|told| told.number == number && told.number != at));
    let owner = meant.map(|told| told.seat.as_str());
    let reason = match (word.as_str(), owner) {
        _ if is_repeated => "repeated",
        ("proposal" | "decision", _) if named.is_empty() => "",
        _ if number.is_none() => "unnamed",
        (_, None) => "unknown",
        ("support" | "oppose", Some(owner)) if owner == seat => "own",
        ("proposal", Some(owner)) if owner != seat => "not_own",
        _ => "",
    };
    (reason, meant.map(|told| told.seq))
}

impl Told {
    fn new(seq: u64, number: (u32, u32), seat: &str) -> Self {
        Self { seq, number, seat: seat.to_owned(), said: Vec::new(), status: "active", since: seq, replaced_by: None }
    }

    /// Supports and oppositions that count.
    fn counts(&self) -> (usize, usize) {
        let latest: BTreeMap<&String, bool> = self.said.iter().map(|(seat, is)| (seat, *is)).collect();
        let supports = latest.values().filter(|is| **is).count();
        (supports, latest.len() - supports)
    }

    /// A mark that means it.
    fn meant(&mut self, (seat, word): (&str, &str), (seq, at): (u64, (u32, u32)), others: usize) {
        let moves = if word == "proposal" {
            self.replaced_by = self.replaced_by.or(Some(at));
            "modified"
        } else {
            self.said.push((seat.to_owned(), word == "support"));
            match self.counts() {
                (supports, _) if supports * 2 > others => "accepted",
                (_, opposes) if opposes * 2 > others => "rejected",
                _ => return,
            }
        };
        if self.status == "active" {
            (self.status, self.since) = (moves, seq);
        }
    }
}

/// Reads a session's words: what each mark comes to, statement by statement, and all proposals.
fn told(records: &[Record], seats: usize, order: &str) -> (BTreeMap<u64, Vec<String>>, Vec<Told>) {
    let (mut marks, mut all): (BTreeMap<u64, Vec<String>>, Vec<Told>) = Default::default();
    for record in records {
        let Some(Reply::Statement { text, .. }) = record.reply() else { continue };
        let (seat, at) = (record.seat.as_ref().unwrap().to_string(), (record.at.round, record.at.turn));
        let tags = tags(&text);
        let heard: Vec<&Told> = all.iter().filter(|told| order != "simultaneous" || told.number.0 < at.0).collect();
        let meant: Vec<_> = (0..tags.len()).map(|place| meaning((&seat, at), (&tags, place), &heard)).collect();
        for ((word, _), (reason, meant)) in tags.iter().zip(meant) {
            marks.entry(record.seq.0).or_default().push(format!("{word} {reason}"));
            if let (true, Some(seq)) = (reason.is_empty() && word != "decision", meant) {
                let told = all.iter_mut().find(|told| told.seq == seq).unwrap();
                told.meant((&seat, word), (record.seq.0, at), seats - 1);
            }
            if word == "proposal" && reason != "repeated" {
                all.push(Told::new(record.seq.0, at, &seat));
            }
        }
    }
    (marks, all)
}

/// The marks in the minutes, as the oracle writes them.
fn minuted(records: &[Record]) -> BTreeMap<u64, Vec<String>> {
    let word = |mark: &Marked| format!("{} {}", mark.sign.as_str(), mark.ignored.map_or("", Ignored::as_str));
    let marked = records.iter().filter(|record| !record.event.marks().is_empty());
    marked.map(|record| (record.seq.0, record.event.marks().iter().map(word).collect())).collect()
}

/// The proposals that the engine holds after some records, without what was said of them.
fn held(plan: &Plan, replicate: u32, records: &[Record]) -> Vec<Told> {
    let state = folded(plan, replicate, records);
    let all = &state.memory().proposals(SeatId(0)).all;
    let number = |place: usize| (all[place].stated.number.round, all[place].stated.number.turn);
    let told = |place: usize| Told {
        status: all[place].status.as_str(),
        since: all[place].since.0.0,
        replaced_by: all[place].replaced_by.map(number),
        ..Told::new(all[place].stated.seq.0, number(place), plan.seats[all[place].stated.seat.index()].name.as_str())
    };
    (0..all.len()).map(told).collect()
}

/// Five cells of each row of the table.
fn table(facts: SessionFacts, records: &[Record]) -> Vec<Vec<String>> {
    let mut fold = SessionFold::new(facts);
    records.iter().for_each(|record| fold.fold_record(record).unwrap());
    let rows = fold.finish_completed(Digest::of(b"minutes")).unwrap().rows;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(rows.proposals.as_slice());
    // Behind them stand whether the statement was asked for again, its pass and its group.
    let cells = |row: csv::StringRecord| row.iter().skip(row.len() - 8).take(5).map(str::to_owned).collect();
    reader.records().map(|row| cells(row.unwrap())).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn marks_and_proposals_are_what_the_words_alone_tell() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (order, rounds) in [("random", 5), ("fixed", 3), ("simultaneous", 4), ("volunteer", 6)] {
        let experiment = experiment(&body(order, rounds));
        let plan: &Arc<Plan> = &experiment.arms[0];
        let (_, arms) = experiment_facts(&experiment);
        for replicate in 1..=12 {
            let records = whole(plan, replicate);
            let (marks, all) = told(&records, plan.seats.len(), order);
            assert_eq!(minuted(&records), marks, "{order}, replicate {replicate}");
            marks.values().flatten().for_each(|mark| *seen.entry(mark.clone()).or_default() += 1);
            all.iter().for_each(|told| *seen.entry(told.status.to_owned()).or_default() += 1);
            let bare: Vec<Told> = all.iter().map(|told| Told { said: Vec::new(), ..told.clone() }).collect();
            assert_eq!(held(plan, replicate, &records), bare, "{order}, replicate {replicate}");
            let cells = |told: &Told| {
                let (supports, opposes) = told.counts();
                let replaced_by = told.replaced_by.map_or(String::new(), |(r, t)| format!("#{r}.{t}"));
                let counts = [supports.to_string(), opposes.to_string()];
                [&counts[..], &[told.status.to_owned(), told.since.to_string(), replaced_by]].concat()
            };
            let expected: Vec<Vec<String>> = all.iter().map(cells).collect();
            assert_eq!(table(session_facts(&arms[0], plan, replicate), &records), expected);
        }
    }
    let all = "active|accepted|rejected|modified|proposal |proposal unknown|proposal not_own|support |support unknown|\
               support own|support repeated|oppose |oppose own|decision |decision repeated|decision unknown";
    let never: Vec<&str> = all.split('|').filter(|what| !seen.contains_key(*what)).collect();
    assert!(never.is_empty(), "{never:?} never came about: {seen:?}");
}

#[test]
fn where_marks_are_not_read_a_tag_is_a_word_like_any_other() {
    let script = "seats: [{ name: Ann, mind: { scripted: { list: [{ statement: \"[PROPOSAL] Close it.\", marks: [decision] }] } } }]\n\
                  models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                  decision: { rule: imposed, imposed: { alternative: for } }\n";
    for (proposals, text, signs) in [
        ("", "[PROPOSAL] Close it.", &[][..]),
        (", proposals: true", "[DECISION] [PROPOSAL] Close it.", &[Sign::Decision, Sign::Proposal]),
    ] {
        let plan = plan(&format!("{script}discussion: {{ rounds: 1{proposals} }}\n"));
        let records = whole(&plan, 1);
        let spoke = records.iter().find_map(|record| match record.reply() {
            Some(Reply::Statement { text, .. }) => {
                Some((text, record.event.marks().iter().map(|mark| mark.sign).collect()))
            }
            _ => None,
        });
        assert_eq!(spoke, Some((Arc::from(text), signs.to_vec())));
    }
}

/// A statement: the seat, and its marks, each a sign and the position of the statement that it names, if any.
type Said = (u32, Vec<(Sign, Option<usize>)>);

fn number(place: usize) -> Number {
    Number { round: place as u32 / 4 + 1, turn: place as u32 % 4 + 1 }
}

/// Lets statements be made one after the other.
fn made(said: &[Said], others: u32) -> Proposals {
    let mut proposals = Proposals::default();
    for (place, (seat, marks)) in said.iter().enumerate() {
        let names = |of: &Option<usize>| of.map_or(Named::Nothing, |place| Named::Number(number(place)));
        let marks: Vec<Mark> = marks.iter().map(|(sign, of)| Mark { sign: *sign, names: names(of) }).collect();
        let meant = proposals.resolve_marks(SeatId(*seat), &marks);
        assert_eq!(meant.len(), marks.len(), "no mark is lost");
        let (seq, seat) = (Seq(place as u64), SeatId(*seat));
        proposals.apply_marks(
            MarkedStatement { seq, number: number(place), seat, place, stance: None },
            &meant,
            others,
        );
    }
    proposals
}

#[test]
fn a_status_moves_as_it_is_said_to() {
    use Sign::{Oppose, Proposal, Support};
    let status = |said: &[Said], others| made(said, others).all[0].status;
    let proposal = || (0, vec![(Proposal, None)]);
    let say = |seat, sign| (seat, vec![(sign, Some(0))]);
    let cases: [(Vec<Said>, u32, ProposalStatus); 12] = [
        (vec![proposal()], 4, ProposalStatus::Active),
        (vec![proposal(), say(1, Support), say(2, Support)], 4, ProposalStatus::Active),
        (vec![proposal(), say(1, Support), say(2, Support), say(3, Support)], 4, ProposalStatus::Accepted),
        (vec![proposal(), say(1, Oppose), say(2, Oppose), say(3, Oppose)], 4, ProposalStatus::Rejected),
        (vec![proposal(), say(1, Support), say(1, Support), say(1, Support)], 4, ProposalStatus::Active),
        (vec![proposal(), say(0, Support), say(0, Support)], 1, ProposalStatus::Active),
        (vec![proposal(), say(1, Support), say(1, Oppose), say(2, Support)], 3, ProposalStatus::Active),
        (vec![proposal(), say(0, Proposal)], 4, ProposalStatus::Modified),
        (vec![proposal(), say(1, Proposal)], 4, ProposalStatus::Active),
        (vec![proposal(), say(1, Support), say(1, Oppose)], 1, ProposalStatus::Accepted),
        (vec![proposal(), say(0, Proposal), say(1, Support)], 1, ProposalStatus::Modified),
        (vec![proposal(), say(1, Support)], 0, ProposalStatus::Accepted),
    ];
    for (said, others, expected) in cases {
        assert_eq!(status(&said, others), expected, "{said:?} of {others} others");
    }
}

fn any_said() -> impl Strategy<Value = Vec<Said>> {
    let signs = prop::sample::select(vec![Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision]);
    let mark = (signs, prop::option::weighted(0.8, 0usize..24));
    prop::collection::vec((0u32..5, prop::collection::vec(mark, 0..4)), 0..24)
}

proptest! {
    #![proptest_config(law_cases(64))]

    #[test]
    fn one_reaction_of_a_seat_counts_and_never_its_own(said in any_said()) {
        let proposals = made(&said, 4);
        for proposal in &proposals.all {
            prop_assert!(proposal.supporters.is_disjoint(&proposal.opponents));
            prop_assert!(!proposal.has_reacted(proposal.stated.seat), "it reacted to its own");
            prop_assert!(proposal.supporters.len() + proposal.opponents.len() <= 4);
        }
    }

    #[test]
    fn a_status_once_settled_stays_and_what_is_active_has_no_majority(said in any_said()) {
        let mut settled: BTreeMap<Seq, (ProposalStatus, Seq)> = BTreeMap::new();
        for until in 0..=said.len() {
            let proposals = made(&said[..until], 4);
            for (place, proposal) in proposals.all.iter().enumerate() {
                let now = (proposal.status, proposal.since.0);
                let is_active = proposal.status == ProposalStatus::Active;
                prop_assert_eq!(proposals.active.contains(&place), is_active);
                if is_active {
                    prop_assert!(proposal.supporters.len() * 2 <= 4 && proposal.opponents.len() * 2 <= 4);
                    prop_assert!(proposal.replaced_by.is_none());
                    prop_assert!(!settled.contains_key(&proposal.stated.seq));
                } else {
                    prop_assert_eq!(*settled.entry(proposal.stated.seq).or_insert(now), now);
                }
            }
        }
    }

    #[test]
    fn a_seats_own_open_proposals_are_its_active_ones_that_it_is_shown_in_order(
        said in any_said(), seat in 0u32..5, from in 0usize..24,
    ) {
        let proposals = made(&said, 4);
        let is_own = |proposal: &&Proposal| {
            let is_shown = proposal.stated.place >= from;
            is_shown && proposal.stated.seat == SeatId(seat) && proposal.status == ProposalStatus::Active
        };
        let expected: Vec<Number> = proposals.all.iter().filter(is_own).map(|proposal| proposal.stated.number).collect();
        let open = proposals.own_open(SeatId(seat), |place| place >= from);
        prop_assert_eq!(open.iter().map(|own| own.number).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_a_seat_is_to_answer_is_anothers_active_and_new_to_it(said in any_said(), seat in 0u32..5, from in 0usize..24) {
        let proposals = made(&said, 4);
        let seat = SeatId(seat);
        if let Some(found) = proposals.to_answer(seat, |place| place >= from) {
            let proposal = proposals.find_proposal(found.seq).unwrap();
            prop_assert_eq!(proposal.status, ProposalStatus::Active);
            prop_assert!(proposal.stated.seat != seat && proposal.stated.place >= from);
            prop_assert!(!proposal.has_reacted(seat));
        }
    }
}
