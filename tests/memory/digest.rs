//! What a digest leaves standing: where the talk stands, beside a memory and in its place.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::sync::Arc;

use crate::fixtures::cli::{self, ekklesia, text};
use crate::fixtures::forked::{Parent, SESSION, minutes_of, quoted};
use crate::fixtures::trial::{folded, plan, whole};
use ekklesia::domain::{
    Choice, EntryKind, Extent, Mark, Named, Number, OwnEntry, PhaseName, Reply, SeatId, Seq, Sign, Step,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::memory::{FloorEvent, Memory, RENDERED_LIMIT_MIN, RemarkHeader};
use ekklesia::plan::Plan;

fn digest(settings: &str) -> Arc<Plan> {
    plan(&format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{{ count: 3 }}]\n\
         memory: {{ policy: {{ digest: {{ every: 12, words: 20, keep: 1 }} }}{settings} }}\n"
    ))
}

/// A talk that is said line by line; everybody is asked to agree.
struct Talk {
    memory: Memory,
    seats: u32,
    said: u32,
}

impl Talk {
    fn new(plan: &Plan, seats: u32) -> Self {
        let mut memory = Memory::new(plan.memory, &plan.motion, (0..seats).map(|seat| format!("Seat {seat}")));
        memory.begin_part(&PhaseName::new("talk"));
        Self { memory, seats, said: 0 }
    }

    /// The next statement: by whom, what, what it favours, and its marks with the statements that they name, counted from 0.
    fn say(&mut self, seat: u32, words: &str, favours: Option<u32>, marks: &[(Sign, Option<u32>)]) {
        let number = |place: u32| Number { round: place / 10 + 1, turn: place % 10 + 1 };
        let Number { round, turn } = number(self.said);
        let said = RemarkHeader { seq: Seq(self.said.into()), round, turn, speaker: Some(SeatId(seat)) };
        let names = |of: Option<u32>| of.map_or(Named::Nothing, |place| Named::Number(number(place)));
        let marks: Vec<Mark> = marks.iter().map(|(sign, of)| Mark { sign: *sign, names: names(*of) }).collect();
        let meant = self.memory.proposals(SeatId(seat)).resolve_marks(SeatId(seat), &marks);
        let stance = favours.map(|place| Choice { alternative: ekklesia::domain::AlternativeId(place), amount: None });
        self.memory.add_remark(said, FloorEvent::Statement, &format!("Seat {seat}"), words, stance);
        self.memory.add_marks(&meant, self.seats - 1);
        self.said += 1;
    }

    fn told(&self, seat: u32) -> String {
        let (brief, shown) = self.memory.recall_brief(SeatId(seat));
        assert_eq!(brief.standing.as_ref().map(|told| told.extent), shown.standing);
        brief.standing.map_or(String::new(), |told| told.words.into_owned())
    }

    fn told_short(&self, seat: u32) -> Option<String> {
        let (brief, shown) = self.memory.recall_short(SeatId(seat));
        if shown.standing != Some(Extent::Short) {
            return None;
        }
        assert!(brief.remarks.statements.is_empty() && brief.remarks.notices.is_empty());
        assert!(brief.own.is_empty() && brief.summaries.is_empty() && brief.recalled.is_empty());
        brief.standing.map(|told| told.words.into_owned())
    }
}

#[test]
fn it_says_what_was_marked_and_declared_and_nothing_else() {
    use Sign::{Decision, Oppose, Proposal, Support};
    let mut talk = Talk::new(&digest(", statement_max_length: 30"), 5);
    assert_eq!(talk.told(0), "", "nobody has said anything");
    talk.say(0, "I propose that we decide to accept.", None, &[]);
    talk.say(1, "[PROPOSAL] Let us wait\nfor the report that was promised.", Some(0), &[(Proposal, None)]);
    talk.say(2, "[PROPOSAL] Now.", Some(1), &[(Proposal, None)]);
    talk.say(0, "[SUPPORT #1.2][OPPOSE #1.3]", Some(0), &[(Support, Some(1)), (Oppose, Some(2))]);
    talk.say(2, "[OPPOSE #1.2]", Some(0), &[(Oppose, Some(1))]);
    talk.say(2, "[PROPOSAL #1.3] In May.", None, &[(Proposal, Some(2))]);
    talk.say(3, "[DECISION] So be it.", Some(1), &[(Decision, None)]);
    let decisions = "Decisions stated:\n- #1.7 Seat 3 (favours against): \"[DECISION] So be it.\"";
    let open = "Open proposals:\n\
                - #1.2 Seat 1 (favours for; supported by Seat 0; opposed by Seat 2): \"[PROPOSAL] Let us wait for...\"\n\
                - #1.6 Seat 2 (supported by nobody; opposed by nobody): \"[PROPOSAL #1.3] In May.\"";
    let head = "Where the talk stands (statements by their numbers):";
    let whole = format!(
        "{head}\n{decisions}\n{open}\nClosed proposals:\n- #1.3 Seat 2: modified by #1.6\nSeats heard last:\n\
         - Seat 1: 1 statement; favours for (#1.2); proposals, decisions and changes of position: #1.2\n\
         - Seat 0: 2 statements; favours for (#1.4)\n\
         - Seat 2: 3 statements; favours for (#1.5); proposals, decisions and changes of position: #1.3, #1.5, #1.6\n\
         - Seat 3: 1 statement; favours against (#1.7); proposals, decisions and changes of position: #1.7"
    );
    for seat in 0..5 {
        assert_eq!(talk.told(seat), whole);
        assert_eq!(talk.told_short(seat).unwrap(), format!("{head}\n{decisions}\n{open}"));
    }
}

#[test]
fn its_length_does_not_grow_with_the_talk_nor_with_the_table_and_what_is_left_out_is_counted() {
    let plan = digest(", statement_max_length: 40");
    let lines = |rounds: u32, seats: u32| {
        let mut talk = Talk::new(&plan, seats);
        for place in 0..rounds * seats {
            let marks = match place % 3 {
                0 => vec![(Sign::Proposal, None)],
                1 => vec![(Sign::Decision, None)],
                _ => (0..place).rev().filter(|of| of % 3 == 0).take(3).map(|of| (Sign::Support, Some(of))).collect(),
            };
            talk.say(
                place % seats,
                "I say a few words too many to be kept as a whole.",
                Some(place / seats % 2),
                &marks,
            );
        }
        talk.told(0)
    };
    // All that grows is the digits of numbers.
    let (short, long) = (lines(10, 40), lines(40, 40));
    assert!(long.len() < short.len() + 200, "{} after 400 statements, {} after 1 600", short.len(), long.len());
    assert!(lines(4, 400).len() < short.len() + 400);
    let count = |heading: &str| {
        let from = long.lines().skip_while(|line| *line != heading).skip(1);
        from.take_while(|line| line.starts_with("- ")).count()
    };
    assert_eq!((count("Decisions stated:"), count("Open proposals:"), count("Seats heard last:")), (9, 9, 13));
    // A third of 1 600 statements decide, and eight of these are quoted; 28 of 40 seats are not named.
    assert!(
        long.contains("Decisions stated:\n- and 525 earlier\n")
            && long.contains("Seats heard last:\n- and 28 earlier\n")
    );
    assert!(long.lines().any(|line| line.ends_with(" earlier") && line.starts_with("- Seat ")));
}

#[test]
fn it_goes_before_what_is_pinned_does_and_never_takes_the_last_of_the_room() {
    let mut talk = Talk::new(&digest(", memory_character_limit: 1000"), 3);
    let pinned = |chars: usize| OwnEntry {
        seq: Seq(1_000),
        phase: PhaseName::new("talk"),
        round: 1,
        kind: EntryKind::Instruction,
        text: "x".repeat(chars),
    };
    talk.say(0, "[PROPOSAL] Let us wait.", Some(0), &[(Sign::Proposal, None)]);
    let length = talk.told(1).chars().count();
    assert!(length > 100);
    // Beside it there is room for as much as is always shown.
    talk.memory.keep_entry(SeatId(1), pinned(1_000 - length - RENDERED_LIMIT_MIN as usize));
    talk.memory.keep_entry(SeatId(2), pinned(1_000 - length - RENDERED_LIMIT_MIN as usize + 1));
    assert_eq!((talk.told(1).chars().count(), talk.told(2).as_str()), (length, ""));
    for seat in [1, 2] {
        let (brief, shown) = talk.memory.recall_brief(SeatId(seat));
        assert_eq!((brief.pinned.len(), shown.floor.len()), (1, 1), "what is pinned and the statement stay");
        assert!(talk.told_short(seat).is_some(), "in the place of a memory it has the room of the memory");
    }
    // A model that takes less is told less before it is told nothing of the newest.
    assert!(talk.memory.can_halve(SeatId(0)));
    talk.memory.halve_brief(SeatId(0));
    assert_eq!((talk.told(0).as_str(), talk.memory.recall_brief(SeatId(0)).1.floor.len()), ("", 1));
}

#[test]
fn what_was_answered_in_a_phase_that_a_seat_forgot_was_never_answered_for_it() {
    use Sign::{Oppose, Proposal, Support};
    let mut talk = Talk::new(&digest(""), 5);
    let head = "Where the talk stands (statements by their numbers):";
    let open = |told: &str| told.lines().find(|line| line.starts_with("- #1.1")).unwrap().to_owned();
    talk.say(1, "[PROPOSAL] In May.", None, &[(Proposal, None)]);
    talk.memory.begin_part(&PhaseName::new("second"));
    talk.say(0, "[SUPPORT #1.1]", None, &[(Support, Some(0))]);
    talk.say(2, "[SUPPORT #1.1]", None, &[(Support, Some(0))]);
    talk.say(3, "[SUPPORT #1.1]", None, &[(Support, Some(0))]);
    assert!(talk.told(0).contains("- #1.1 Seat 1: accepted by #1.4"), "{}", talk.told(0));
    assert!(talk.memory.recall_brief(SeatId(0)).0.heard.backed.is_some());
    for seat in [0, 4] {
        talk.memory.forget_unpinned(SeatId(seat), Some(&PhaseName::new("second")));
        let expected = format!(
            "{head}\nOpen proposals:\n- #1.1 Seat 1 (supported by nobody; opposed by nobody): \"[PROPOSAL] In May.\"\n\
             Seats heard last:\n- Seat 1: 1 statement; proposals, decisions and changes of position: #1.1"
        );
        assert_eq!(talk.told(seat), expected, "seat {seat}");
        let heard = talk.memory.recall_brief(SeatId(seat)).0.heard;
        assert!(heard.backed.is_none(), "it does not know that it supported anything");
        assert_eq!(heard.proposal.unwrap().seq, Seq(0), "it may answer what it does not know that it answered");
    }
    talk.memory.begin_part(&PhaseName::new("third"));
    talk.say(2, "[OPPOSE #1.1]", None, &[(Oppose, Some(0))]);
    for seat in [0, 4] {
        assert!(open(&talk.told(seat)).contains("(supported by nobody; opposed by Seat 2)"), "{}", talk.told(seat));
    }
    assert!(talk.told(3).contains("- #1.1 Seat 1: accepted by #1.4"), "nobody else forgets");
    // Whoever forgets the proposal, too, is told of none.
    talk.memory.forget_unpinned(SeatId(4), Some(&PhaseName::new("talk")));
    assert!(!talk.told(4).contains("#1.1"), "{}", talk.told(4));
    assert!(talk.told(4).contains("- Seat 2: 1 statement"), "{}", talk.told(4));
}

#[test]
fn what_a_seat_was_made_to_forget_it_is_not_told_again() {
    let mut talk = Talk::new(&digest(""), 3);
    talk.say(0, "[PROPOSAL] Let us wait.", Some(0), &[(Sign::Proposal, None)]);
    talk.say(1, "[DECISION] We wait.", Some(0), &[(Sign::Decision, None)]);
    talk.memory.forget_unpinned(SeatId(2), None);
    assert_eq!((talk.told(2).as_str(), talk.told_short(2)), ("", None));
    assert!(talk.memory.recall_brief(SeatId(2)).0.heard.proposal.is_none());
    assert!(talk.told(0).contains("Let us wait") && talk.told_short(0).is_some());
    talk.say(0, "I still think so.", None, &[]);
    let head = "Where the talk stands (statements by their numbers):";
    assert_eq!(talk.told(2), format!("{head}\nSeats heard last:\n- Seat 0: 1 statement"));
}

#[test]
fn what_is_told_is_heard_and_can_be_reacted_to() {
    let mut talk = Talk::new(&digest(", memory_character_limit: 900"), 4);
    talk.say(0, "[PROPOSAL] Let us wait.", Some(0), &[(Sign::Proposal, None)]);
    talk.say(1, "No.", Some(1), &[]);
    (0..6).for_each(|_| talk.say(2, &"so many words ".repeat(20), None, &[]));
    let (brief, shown) = talk.memory.recall_brief(SeatId(3));
    assert!(shown.floor.start > 1, "neither of the first two is shown in its own words");
    let heard = |place: u32| brief.heard.count(ekklesia::domain::AlternativeId(place));
    assert_eq!((heard(0), heard(1)), (1, 1));
    assert_eq!(brief.heard.proposal.unwrap().number, Number { round: 1, turn: 1 });
    let (brief, _) = talk.memory.recall_short(SeatId(3));
    let heard = |place: u32| brief.heard.count(ekklesia::domain::AlternativeId(place));
    assert_eq!((heard(0), heard(1)), (1, 0), "a position is no part of a short brief");
    assert!(brief.heard.proposal.is_some());
}

/// Voters who propose and call votes, under digests.
const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice, mind: { voter: { copy: 0.6 } } }, { name: Bob, mind: { voter: { copy: 0.6 } } },
  { name: Carol, mind: { random: { malformed: 0.1 } } }, { name: Dave, mind: { voter: { copy: 0.2 } } }]
discussion: { rounds: 5, order: volunteer, vote: on_call, proposals: true }
decision: { rule: unanimity }
memory: { policy: { digest: { every: 3, words: 20, keep: 1 } }, memory_character_limit: 4000 }
interventions: [{ at: { phase: discussion, round: 3 }, to: [Bob], forget: all }]
replicates: 2
";

#[test]
fn small_questions_are_put_with_decisions_and_open_proposals_alone() {
    let (mut short, mut whole_ones) = (0, 0);
    for replicate in 1..=6 {
        let plan = plan(BODY);
        let records = whole(&plan, replicate);
        for cut in 0..records.len() {
            let deliberation: Deliberation<'_> = folded(&plan, replicate, &records[..cut]);
            let Next::Ask(queries) = deliberation.next() else { continue };
            for query in queries {
                let is_small = matches!(query.id.at.step, Step::Volunteer | Step::VoteCall | Step::Confirmation);
                let proposals = deliberation.memory().proposals(SeatId(0));
                let is_told = !proposals.active.is_empty() || !proposals.decisions.is_empty();
                match query.shown.standing {
                    Some(Extent::Short) => {
                        assert!(is_small && is_told && query.shown.floor.is_empty() && query.shown.own.is_empty());
                        short += 1;
                    }
                    Some(Extent::Whole) => whole_ones += 1,
                    None => {}
                }
                // Bob was made to forget what there was.
                let has_forgotten = query.id.seat.as_str() == "Bob" && query.id.at.round >= 3;
                assert!(!is_small || !is_told || has_forgotten || query.shown.standing == Some(Extent::Short));
            }
        }
        let said =
            |record: &&ekklesia::domain::Record| record.event.given().is_some_and(|g| g.shown.standing.is_some());
        assert!(records.iter().filter(said).count() > 5, "the record says what was told");
    }
    assert!(short > 20 && whole_ones > 20, "{short} short briefs, {whole_ones} with all of it");
}

#[test]
fn sessions_with_digests_are_replayed_forked_and_looked_into() {
    let parent = Parent::run(BODY);
    ekklesia(&["replay", text(&parent.folder())]).says(0, &["no divergence"]);
    let minutes = fs::read(minutes_of(&parent.folder())).unwrap();
    let said = parent.answer("Alice", "discussion", 2, "statement");
    let said = &said["event"]["Answered"]["values"];
    let change = format!(
        "at: {{ seat: Alice, phase: discussion, round: 2, step: statement }}\nstatement: {}\nstance: {}\n",
        quoted(&said["statement"]),
        said["stance"].as_str().unwrap()
    );
    let (fork, told) = parent.fork("same", &change, &[]);
    told.says(0, &["all of them the parent's"]);
    assert!(fs::read(minutes_of(&fork)).unwrap() == minutes);
    // Another proposal is another record, and what all are told of it follows from it.
    let change = "at: { seat: Alice, phase: discussion, round: 2, step: statement }\n\
                  statement: \"[PROPOSAL] Let us count the ballots twice.\"\nstance: against\n";
    let (fork, told) = parent.fork("other", change, &[]);
    told.says(0, &["the first that differs"]);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    let session = fork.join("sessions").join(SESSION);
    let records = cli::json_lines(&session.join("minutes.jsonl"));
    let short = records.iter().rfind(|record| {
        let event = record["event"].as_object().unwrap().values().next().unwrap();
        event["given"]["shown"]["standing"] == "short"
    });
    let record = short.expect("a small question");
    let (seat, seq) = (record["seat"].as_str().unwrap(), record["seq"].to_string());
    let told = ekklesia(&["context", text(&session), "--seat", seat, "--at", &seq]);
    told.says(
        0,
        &["a short brief: beside what is pinned, decisions and open proposals, ", "left out of a short brief"],
    );
}

#[test]
fn a_proposal_that_only_the_words_tell_of_finds_reactions() {
    let mut found = 0;
    for replicate in 1..=6 {
        let plan = plan(BODY);
        let records = whole(&plan, replicate);
        for record in &records {
            let Some(Reply::Statement { .. }) = record.reply() else { continue };
            let (marks, given) = (record.event.marks(), record.event.given().unwrap());
            let mut deliberation = Deliberation::convene(&plan, replicate);
            records[..record.seq.0 as usize].iter().for_each(|before| deliberation.evolve(before));
            for of in marks.iter().filter(|mark| mark.ignored.is_none()).filter_map(|mark| mark.of) {
                let place = deliberation
                    .memory()
                    .remarks(ekklesia::domain::SeatId(0))
                    .iter()
                    .position(|remark| remark.seq == of)
                    .unwrap();
                found += usize::from(!given.shown.floor.contains(&(place as u32)) && given.shown.standing.is_some());
            }
        }
    }
    assert!(found > 0, "every proposal that was reacted to was shown in its own words");
}
