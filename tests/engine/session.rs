//! The driver's promises: write ahead, faults and outages apart, nothing heard before its time.

use std::sync::atomic::AtomicBool;

use crate::fixtures::trial::{self, go_on, go_on_with, plan, whole};
use ekklesia::domain::{
    Adjourned, Answer, Consequence, Event, Faulted, MindState, Outage, Query, Record, Reply, Step, Verdict,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::ports::{Backend, Minutes};
use ekklesia::session::{Halt, Visibility, conduct_deliberation};
use futures::FutureExt;
use futures::executor::block_on;
use futures::future::BoxFuture;

const TALK: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { voter: { copy: 0.5 } } }
  - { name: Bob, mind: { random: { malformed: 0.3 } } }
  - { name: Carol, mind: { voter: { copy: 0.5 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 3, order: random, vote: at_end }
";

/// Minutes of which one record cannot be appended.
struct Full(Vec<Record>, usize);

#[derive(Debug, thiserror::Error)]
#[error("no space left")]
struct NoSpace;

impl Minutes for Full {
    type Error = NoSpace;

    fn append(&mut self, record: &Record) -> Result<(), NoSpace> {
        if self.0.len() == self.1 {
            return Err(NoSpace);
        }
        self.0.push(record.clone());
        Ok(())
    }

    fn flush(&mut self) -> Result<(), NoSpace> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), NoSpace> {
        Ok(())
    }
}

#[test]
fn a_record_that_cannot_be_appended_takes_no_effect() {
    let plan = plan(TALK);
    let all = whole(&plan, 1);
    for room in 0..all.len() {
        let mut deliberation = Deliberation::convene(&plan, 1);
        let seating = ekklesia::service::seating::Seating::new(plan.clone(), *deliberation.seed(), None);
        let mut visibility = Visibility::new(&plan);
        let mut full = Full(Vec::new(), room);
        let halted = block_on(conduct_deliberation(
            (&mut deliberation, &mut visibility),
            &seating,
            &mut full,
            &AtomicBool::new(false),
        ));
        assert!(matches!(halted, Err(Halt::Minutes(NoSpace))));
        // The state is that of the records kept, not of the one that was not.
        let mut kept = full.0.clone();
        go_on(&mut deliberation, &plan, &mut kept).unwrap();
        assert_eq!(kept, all);
    }
}

/// Answers for everyone, and cannot be reached from a certain question on.
struct Failing {
    inner: ekklesia::service::seating::Seating,
    answers: std::sync::atomic::AtomicUsize,
    fails_at: usize,
}

impl Backend for Failing {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let number = self.answers.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if number == self.fails_at {
            let outage = Outage::Unreachable { url: "http://127.0.0.1:9".to_owned(), reason: "refused".to_owned() };
            return std::future::ready(Err(outage)).boxed();
        }
        self.inner.answer(query)
    }
}

#[test]
fn an_outage_leaves_no_record() {
    let plan = plan(TALK);
    let all = whole(&plan, 1);
    let answers = all.iter().filter(|record| record.seat.is_some()).count();
    for fails_at in 0..answers {
        let mut deliberation = Deliberation::convene(&plan, 1);
        let inner = ekklesia::service::seating::Seating::new(plan.clone(), *deliberation.seed(), None);
        let failing = Failing { inner, answers: 0.into(), fails_at };
        let mut kept = Vec::new();
        let halted = go_on_with(&mut deliberation, &failing, &mut kept);
        assert!(matches!(halted, Err(Halt::Outage { .. })));
        assert_eq!(kept, all[..kept.len()], "what was minuted is a beginning of the whole");
        go_on(&mut deliberation, &plan, &mut kept).unwrap();
        assert_eq!(kept, all);
    }
}

/// Says what it was shown, so that hearing can be seen.
struct Parrot;

impl Backend for Parrot {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let reply = match query.id.at.step {
            Step::Statement => {
                let text = format!("I was shown {} remarks so far.", query.brief.remarks.len());
                Reply::Statement { text: text.into(), stance: None, opinion: None }
            }
            _ => Reply::Choice(query.ask.options()[0].into()),
        };
        let answer = Answer {
            raw: String::new(),
            parsed: Ok(reply),
            field: None,
            usage: None,
            model_served: None,
            state: MindState::default(),
        };
        std::future::ready(Ok(answer)).boxed()
    }
}

#[test]
fn nobody_hears_what_is_said_at_the_same_time() {
    let plan = plan(&TALK.replace("order: random", "order: simultaneous"));
    let opening = plan.agenda.iter().filter(|p| matches!(p.kind, ekklesia::plan::PhaseKind::Brief { .. })).count();
    let mut kept = Vec::new();
    go_on_with(&mut Deliberation::convene(&plan, 1), &Parrot, &mut kept).unwrap();
    let mut said = 0;
    for record in &kept {
        if let Some(Reply::Statement { text, .. }) = record.reply() {
            // The countdown stands at the start of the second of three rounds.
            let countdown = usize::from(record.at.round >= 2);
            let heard = opening + 3 * (record.at.round as usize - 1) + countdown;
            assert_eq!(*text, *format!("I was shown {heard} remarks so far."));
            said += 1;
        }
    }
    assert_eq!(said, 9);
    // The same holds when the session is cut in the middle of the ask and goes on.
    for cut in 0..kept.len() {
        let mut again = kept[..cut].to_vec();
        go_on_with(&mut trial::folded(&plan, 1, &kept[..cut]), &Parrot, &mut again).unwrap();
        assert_eq!(again, kept);
    }
}

#[test]
fn a_seat_whose_tries_are_used_up_forfeits_and_the_session_goes_on() {
    let plan = plan(&TALK.replace("malformed: 0.3", "malformed: 1"));
    let records = whole(&plan, 1);
    let of_bob: Vec<&Record> =
        records.iter().filter(|r| r.seat.as_ref().is_some_and(|seat| seat.as_str() == "Bob")).collect();
    assert!(!of_bob.is_empty() && of_bob.len().is_multiple_of(usize::from(plan.tries_max)));
    for (number, record) in of_bob.iter().enumerate() {
        let Event::Faulted(Faulted { then, .. }) = &record.event else {
            panic!("Bob said something readable: {record:?}")
        };
        let attempt = number % usize::from(plan.tries_max);
        assert_eq!(record.attempt, Some(attempt as u8));
        let last = attempt + 1 == usize::from(plan.tries_max);
        assert_eq!(*then, if last { Consequence::TriesUsedUp } else { Consequence::AskedAgain });
    }
    assert!(matches!(records.last().map(|r| &r.event), Some(Event::Adjourned(_))));
}

#[test]
fn a_question_asked_again_says_why() {
    let plan = plan(&TALK.replace("malformed: 0.3", "malformed: 1"));
    let records = whole(&plan, 1);
    let cut =
        records.iter().position(|r| matches!(r.event, Event::Faulted(Faulted { then: Consequence::AskedAgain, .. })));
    let cut = cut.unwrap();
    let Event::Faulted(Faulted { fault, .. }) = &records[cut].event else { unreachable!() };
    // The poll is one ask: the others answer first, then Bob is asked again.
    let mut deliberation = trial::folded(&plan, 1, &records[..=cut]);
    for record in &records[cut + 1..] {
        if record.attempt == Some(1) {
            let Next::Ask(queries) = deliberation.next() else { panic!("an ask is under way") };
            assert_eq!(queries.len(), 1);
            assert_eq!(queries[0].retry, Some(*fault));
            return;
        }
        deliberation.evolve(record);
    }
    panic!("Bob was never asked again");
}

#[test]
fn a_vote_that_decides_ends_the_talk_and_the_poll_after_it_is_still_held() {
    let body = TALK.replace("vote: at_end", "vote: every_round").replace("malformed: 0.3", "malformed: 0");
    let plan = plan(&format!("{body}decision: {{ rule: plurality, tie_break: agenda_order }}\n"));
    let records = whole(&plan, 1);
    let rounds = records.iter().filter(|r| r.event.is_round_opened()).count();
    assert_eq!(rounds, 1, "plurality with a tie-break decides at once");
    assert!(records.iter().any(|r| r.at.phase.as_str() == "straw_after"));
    let Some(Event::Adjourned(Adjourned { verdict, .. })) = records.last().map(|r| &r.event) else { panic!("no end") };
    assert_eq!(*verdict, Verdict::Carried);
}

/// From the records alone: each text replaces the stretch that its writer was shown, no stretch twice and none left out.
#[test]
fn what_a_text_replaces_is_what_its_writer_was_shown() {
    let (mut parts, mut texts) = (0, 0);
    for memory in trial::POLICIES {
        let plan = plan(&format!(
            "
models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.1 }} }} }}
seats: [{{ name: Alice }}, {{ name: Bob }}, {{ name: Carol }}]
discussion: {{ rounds: 6, order: random, vote: at_end, private_reasoning: true, statement_min_length: 200 }}
memory: {memory}
"
        ));
        let mut replaced = [0; 3];
        let mut sums = [0; 3];
        for record in whole(&plan, 1) {
            let Some((given, name)) = record.event.given().zip(record.seat.as_ref()) else { continue };
            let seat = plan.seats.iter().position(|seat| seat.name == *name).unwrap();
            let (shown, notices) = (&given.shown, given.shown.notices());
            if record.at.step == Step::Compression && record.reply().is_some() {
                assert_eq!(shown.floor.start, replaced[seat], "{memory}: half-open, in order, without a gap");
                assert!(
                    shown.floor.end > shown.floor.start || !shown.own.is_empty(),
                    "{memory}: something is replaced"
                );
                replaced[seat] = shown.floor.end;
                sums[seat] += 1;
                texts += 1;
                parts += u32::from(record.at.turn > 0);
            } else if record.at.step != Step::Compression {
                assert!(notices.start >= replaced[seat], "{memory}: what was replaced is not shown again");
                assert!(shown.summaries.end >= sums[seat].min(1) || shown.summaries.is_empty());
            }
        }
    }
    assert!(texts > 20 && parts > 2, "{texts} texts, {parts} of them not the first of their end of a round");
}
