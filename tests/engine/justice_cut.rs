//! A session of the justice experiment is cut after any record, and goes on as if nothing had happened.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, LazyLock};

use crate::engine::justice_replay::KINDS;
use crate::fixtures::attended::conduct_in;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{check_cuts, folded, go_on_with, justice, kind, whole};
use ekklesia::domain::{Answer, Event, Fault, Faulted, Outage, Query, Record, Step};
use ekklesia::engine::Deliberation;
use ekklesia::plan::Plan;
use ekklesia::ports::Backend;
use ekklesia::service::seating::Seating;
use ekklesia::store::results::ResultsFolder;
use futures::FutureExt;
use futures::future::BoxFuture;

/// A replicate in which replies fail at every step of one plan or another.
const REPLICATE: u32 = 4;

/// Two seats whose every third reply cannot be read, and one that follows its tastes.
const FAULTY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.3 } } }
seats: [{ name: Alice, mind: { justice: { risk_aversion: { uniform: [0, 4] } } } }, { name: Bob }, { name: Carol }]
";

/// Two seats that agree as soon as they may; the second is told to push something else.
const PUSHED: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 0, precision: 1000 } } }
seats: [{ name: Alice }, { name: Bob, role: manipulator }]
";

/// What is told to one and to all, before, within and after the talk.
const TOLD: &str = "
interventions:
  - { at: { phase: ranking_2 }, to: [Bob], as: human, text: \"Only you know this.\" }
  - { at: { phase: applications, round: 1 }, text: \"Take your time.\" }
  - { at: { phase: discussion, round: 2 }, to: [Alice, Bob], text: \"Two of you know this.\" }
  - { at: { phase: discussion, round: 2 }, as: human, text: \"All of you know this.\" }
  - { at: { phase: settlement }, text: \"Now you are paid.\" }
";

/// Memories so small that they are rewritten and compressed all the time.
const SMALL: &str = "
memory: { memory_character_limit: 4600, memory_compression_threshold: 0.26, memory_compression_target: 0.17,
  public_history_max_length: 900, statement_max_length: 90 }
";

/// Every way of voting and of speaking, every policy and style, and every consequence of failing, a few at a time.
static PLANS: LazyLock<Vec<(String, Arc<Plan>)>> = LazyLock::new(read_plans);

fn read_plans() -> Vec<(String, Arc<Plan>)> {
    let excludes = "comprehension: excludes, comprehension_pass_mark: 1";
    let drawn = "applications: drawn";
    let on_call = "vote: on_call, rounds_min: 1";
    let variants = [
        (FAULTY, excludes, format!("rounds: 3, order: random, {on_call}"), TOLD.to_owned()),
        (
            FAULTY,
            drawn,
            format!("rounds: 2, order: simultaneous, {on_call}, vote_call: simultaneous"),
            SMALL.to_owned(),
        ),
        (
            FAULTY,
            "comprehension: none",
            "rounds: 2, order: williams, vote: every_round".to_owned(),
            "memory: { policy: full, guidance_style: structured }\ndecision: { invalid: exclude }\n".to_owned(),
        ),
        (
            FAULTY,
            excludes,
            "rounds: 2, order: rotating, vote: at_end, private_reasoning: false".to_owned(),
            format!("memory: {{ policy: none }}\nstraw_polls: [before, each_round, after]\n{TOLD}"),
        ),
        (
            PUSHED,
            drawn,
            format!("rounds: 3, order: rotating, {on_call}, vote_call: simultaneous"),
            format!("{TOLD}{SMALL}"),
        ),
        (
            PUSHED,
            "comprehension: recorded",
            "rounds: 2, order: random".to_owned(),
            "decision: { rule: imposed, imposed: { alternative: average_range, amount: 15000 } }\n".to_owned(),
        ),
        (PUSHED, "average: unweighted", "rounds: 2, order: random, vote: every_round".to_owned(), TOLD.to_owned()),
    ];
    let made = variants.into_iter().map(|(seats, parameters, discussion, rest)| {
        let body = format!(
            "{seats}parameters: {{ applications_count: 1, {parameters} }}\n\
             discussion: {{ {discussion} }}\ncontrols: {{ option_order: seeded }}\n{rest}"
        );
        (discussion, justice(&body))
    });
    made.collect()
}

#[test]
fn the_plans_meet_every_kind_of_record_and_a_fault_at_every_step() {
    let (mut kinds, mut faulted) = (BTreeSet::new(), BTreeSet::new());
    for (_, plan) in PLANS.iter() {
        for record in whole(plan, REPLICATE) {
            if record.event.is_faulted() {
                faulted.insert(record.at.step.as_str().to_owned());
            }
            kinds.insert(kind(&record));
        }
    }
    for kind in KINDS.into_iter().chain(["imposition"]) {
        assert!(kinds.contains(kind), "no {kind} in {kinds:?}");
    }
    for step in [
        Step::Ranking,
        Step::Comprehension,
        Step::Application,
        Step::Reasoning,
        Step::Statement,
        Step::StrawPoll,
        Step::VoteCall,
        Step::Confirmation,
        Step::Ballot,
        Step::Amount,
        Step::Integration,
        Step::Compression,
    ] {
        assert!(faulted.contains(step.as_str()), "no fault at {}: {faulted:?}", step.as_str());
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_justice_session_folded_to_any_record_goes_on_to_the_same_minutes() {
    for (_, plan) in PLANS.iter() {
        let all = whole(plan, REPLICATE);
        check_cuts(plan, REPLICATE, &all, sample_cases(0..=all.len(), 5));
    }
}

#[test]
fn folded_memory_is_the_live_memory_after_every_record_of_a_justice_session() {
    for (what, plan) in PLANS.iter() {
        let all = whole(plan, REPLICATE);
        let compared = sample_cases(0..all.len(), 5);
        let mut live = Deliberation::convene(plan, REPLICATE);
        for (number, record) in all.iter().enumerate() {
            // What procedure calls for is asked of the live state before every record, and never of the folded one.
            let _ = live.next();
            live.evolve(record);
            if !compared.contains(&number) {
                continue;
            }
            let folded = folded(plan, REPLICATE, &all[..=number]);
            assert!(folded.memory() == live.memory(), "{what}: after record {number}");
            assert_eq!(format!("{:?}", folded.next()), format!("{:?}", live.next()), "{what}: after record {number}");
        }
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn resumed_justice_minutes_equal_the_whole_wherever_they_are_cut() {
    for (what, plan) in PLANS.iter() {
        let root = tempfile::tempdir().unwrap();
        let folder = ResultsFolder::open_for_writing(root.path()).unwrap();
        let all = conduct_in(&folder, (plan, REPLICATE), None);
        let path = folder.minutes(&plan.session_name(REPLICATE)).path().to_owned();
        let ends: Vec<usize> = (0..all.len()).filter(|&at| all[at] == b'\n').map(|at| at + 1).collect();
        // After every record, and in every line: near its end, and after its first byte.
        let cuts = ends.iter().flat_map(|end| [end - 9, *end, end + 1]).filter(|at| *at <= all.len());
        for cut in sample_cases(cuts, 14).into_iter().chain([0, 1]) {
            fs::write(&path, &all[..cut]).unwrap();
            assert!(conduct_in(&folder, (plan, REPLICATE), None) == all, "{what}: cut after {cut} bytes");
        }
    }
}

/// Minds behind a window: what is shown beyond so many remarks and entries is too much for them.
struct Narrow<'m> {
    minds: &'m Seating,
    shown_max: usize,
}

impl Backend for Narrow<'_> {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let shown = query.brief.remarks.len() + query.brief.own.len();
        async move {
            let answer = self.minds.answer(query).await?;
            let too_long = shown > self.shown_max;
            Ok(if too_long { Answer { parsed: Err(Fault::ContextTooLong), ..answer } } else { answer })
        }
        .boxed()
    }
}

#[test]
fn a_seat_that_is_shown_less_is_shown_as_little_after_a_cut() {
    let body = format!(
        "{FAULTY}parameters: {{ applications_count: 1 }}\n\
         discussion: {{ rounds: 2, order: simultaneous, vote: every_round }}\n"
    );
    let plan = justice(&body);
    let run = |records: &[Record]| {
        let mut deliberation = folded(&plan, REPLICATE, records);
        let minds = Seating::new(Arc::clone(&plan), *deliberation.seed(), None);
        let mut kept = records.to_vec();
        go_on_with(&mut deliberation, &Narrow { minds: &minds, shown_max: 5 }, &mut kept).unwrap();
        kept
    };
    let all = run(&[]);
    let too_long =
        |record: &&Record| matches!(record.event, Event::Faulted(Faulted { fault: Fault::ContextTooLong, .. }));
    assert!(all.iter().filter(too_long).count() > 3, "some briefs were too long");
    for cut in sample_cases(0..=all.len(), 5) {
        assert_eq!(run(&all[..cut]), all, "cut after {cut} records");
    }
}
