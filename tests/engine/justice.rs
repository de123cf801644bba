//! The justice experiment, phase by phase, on simulated seats.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fixtures::trial::{folded, justice, whole};
use ekklesia::domain::{
    Adjourned, Briefing, Consequence, EntryKind, Event, Faulted, Matter, NamedChoice, PaidIncome, Payment,
    PaymentStage, PaymentTables, Payoff, Record, Reply, RoundOpened, SeatId, SeatName, Step, StopReason, Verdict,
    Voice,
};
use ekklesia::mechanism::pay_cents;
use ekklesia::plan::Plan;

/// Seats that all want the same and say so: they agree as soon as they may.
const OF_ONE_MIND: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 0, precision: 1000 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }, { name: Dave }, { name: Eve }]
";

/// Seats without an opinion: they hardly ever agree.
const AT_RANDOM: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: {} } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }, { name: Dave }, { name: Eve }]
";

fn arm(seats: &str, rest: &str) -> Arc<Plan> {
    justice(&format!("{seats}{rest}"))
}

fn at_step(records: &[Record], step: Step) -> Vec<&Record> {
    records.iter().filter(|record| record.at.step == step).collect()
}

/// What a payment is for, its situation, its multiplier and what each seat got.
type Paid<'r> = (PaymentStage, &'r str, Option<u32>, Vec<(&'r Payoff, &'r PaidIncome)>);

fn payments(records: &[Record]) -> Vec<Paid<'_>> {
    let paid = records.iter().filter_map(|record| match &record.event {
        Event::Paid(Payment { tables: Some(PaymentTables { stage, situation, multiplier }), payoffs, .. }) => {
            let incomes = payoffs.iter().map(|payoff| (payoff, payoff.income.as_ref().unwrap()));
            Some((*stage, situation.as_str(), *multiplier, incomes.collect()))
        }
        _ => None,
    });
    paid.collect()
}

fn end(records: &[Record]) -> (Verdict, StopReason) {
    match &records.last().unwrap().event {
        Event::Adjourned(Adjourned { verdict, stop, .. }) => (*verdict, *stop),
        other => panic!("{other:?}"),
    }
}

#[test]
fn everyone_ranks_four_times_practises_four_times_and_is_paid_five_times() {
    let records = whole(&arm(OF_ONE_MIND, ""), 1);
    let ranked = at_step(&records, Step::Ranking);
    let phases: Vec<&str> = ranked.iter().map(|record| record.at.phase.as_str()).collect();
    for phase in ["ranking_1", "ranking_2", "ranking_3", "ranking_4"] {
        assert_eq!(phases.iter().filter(|name| **name == phase).count(), 5, "{phase}");
    }
    assert_eq!(at_step(&records, Step::Application).len(), 20);
    let paid = payments(&records);
    let situations: Vec<&str> = paid.iter().map(|(_, situation, ..)| *situation).collect();
    assert_eq!(situations, ["A", "B", "C", "D", "sample"]);
    for (stage, situation, multiplier, payoffs) in &paid {
        assert_eq!(payoffs.len(), 5, "{situation}");
        assert_eq!(multiplier.is_some(), *stage == PaymentStage::Settlement);
    }
    assert_eq!(end(&records), (Verdict::Carried, StopReason::Decided));
}

#[test]
fn the_balance_is_the_sum_of_all_pay_and_pay_follows_from_the_income() {
    let plan = arm(OF_ONE_MIND, "");
    let mechanism = plan.income_principles().unwrap();
    let mut balances: BTreeMap<SeatName, u64> = BTreeMap::new();
    for (stage, .., payoffs) in payments(&whole(&plan, 3)) {
        for (payoff, income) in payoffs {
            let rate = match stage {
                PaymentStage::Application => mechanism.application_cents,
                PaymentStage::Settlement => mechanism.settlement_cents,
            };
            let cents = pay_cents(income.income, rate);
            assert_eq!(payoff.payoff_cents, Some(cents as i64));
            let balance = balances.entry(payoff.seat.clone()).or_default();
            *balance += cents;
            assert_eq!(income.balance_cents, *balance);
        }
    }
}

#[test]
fn an_agreement_pays_everyone_from_one_table_and_none_from_tables_by_lot() {
    let agreed = whole(&arm(OF_ONE_MIND, ""), 1);
    let (.., payoffs) = &payments(&agreed)[4];
    assert!(payoffs.iter().all(|(_, paid)| paid.alternative.is_some() && paid.table == payoffs[0].1.table));
    let plan = arm(AT_RANDOM, "discussion: { rounds: 1, vote: every_round }\n");
    let mut tables = BTreeSet::new();
    for replicate in 1..=10 {
        let records = whole(&plan, replicate);
        assert_eq!(end(&records), (Verdict::NoDecision, StopReason::RoundsUsedUp));
        let (.., payoffs) = payments(&records).pop().unwrap();
        assert!(payoffs.iter().all(|(_, paid)| paid.alternative.is_none()));
        tables.insert(payoffs.iter().map(|(_, paid)| paid.table).collect::<Vec<_>>());
    }
    assert!(
        tables.iter().any(|tables| tables.iter().any(|table| *table != tables[0])),
        "each seat has a lot of its own"
    );
}

#[test]
fn settlement_draws_do_not_depend_on_the_talk() {
    let draws = |rest: &str| {
        let records = whole(&arm(AT_RANDOM, rest), 2);
        let (_, _, multiplier, payoffs) = payments(&records).pop().unwrap();
        (multiplier, payoffs.iter().map(|(_, paid)| (paid.class, paid.table)).collect::<Vec<_>>())
    };
    let short = draws("discussion: { rounds: 1, vote: every_round }\n");
    assert_eq!(short, draws("discussion: { rounds: 4, vote: every_round, order: fixed, private_reasoning: false }\n"));
    assert_eq!(short, draws("discussion: { rounds: 3, vote: on_call }\nparameters: { applications_count: 0 }\n"));
}

#[test]
fn a_vote_is_called_by_one_agreed_to_by_all_others_and_held_once_a_round() {
    let plan = arm(OF_ONE_MIND, "discussion: { rounds: 6, vote: on_call, rounds_min: 3 }\n");
    let records = whole(&plan, 1);
    let calls = at_step(&records, Step::VoteCall);
    assert!(calls.iter().all(|record| record.at.round >= 3), "nobody is asked before the first round that allows it");
    let (last, before) = calls.split_last().unwrap();
    assert!(last.reply() == Some(Reply::Assent(true)), "the first yes ends the asking");
    assert!(before.iter().all(|record| record.reply() == Some(Reply::Assent(false))));
    let caller = last.seat.clone().unwrap();
    let confirmed = at_step(&records, Step::Confirmation);
    assert_eq!(confirmed.len(), 4);
    assert!(confirmed.iter().all(|record| record.seat != Some(caller.clone())));
    assert_eq!(at_step(&records, Step::Tally).len(), 1);
}

#[test]
fn in_a_round_in_which_somebody_declines_there_is_no_ballot() {
    let plan = arm(AT_RANDOM, "discussion: { rounds: 4, vote: on_call, rounds_min: 1 }\n");
    for replicate in 1..=10 {
        let records = whole(&plan, replicate);
        for round in 1..=4 {
            let at = |step| at_step(&records, step).into_iter().filter(move |record| record.at.round == round);
            let agreed = at(Step::Confirmation).count() > 0
                && at(Step::Confirmation).all(|record| record.reply() == Some(Reply::Assent(true)));
            assert_eq!(at(Step::Ballot).count(), if agreed { 5 } else { 0 });
            assert_eq!(at(Step::Tally).count(), usize::from(agreed));
            let called = at(Step::VoteCall).any(|record| record.reply() == Some(Reply::Assent(true)));
            assert_eq!(at(Step::Confirmation).count(), if called { 4 } else { 0 });
        }
    }
}

#[test]
fn seats_are_asked_to_call_in_an_order_of_their_own_or_all_at_once() {
    let sequential = arm(AT_RANDOM, "discussion: { rounds: 4, vote: on_call, rounds_min: 1 }\n");
    let firsts: BTreeSet<_> =
        (1..=12).map(|replicate| at_step(&whole(&sequential, replicate), Step::VoteCall)[0].seat.clone()).collect();
    assert!(firsts.len() > 2, "{firsts:?}");
    let at_once = arm(AT_RANDOM, "discussion: { rounds: 4, vote: on_call, rounds_min: 1, vote_call: simultaneous }\n");
    for replicate in 1..=5 {
        let records = whole(&at_once, replicate);
        for round in 1..=4 {
            let asked = at_step(&records, Step::VoteCall).into_iter().filter(|record| record.at.round == round).count();
            assert_eq!(asked, 5);
        }
    }
}

#[test]
fn a_ballot_for_a_constraint_is_complete_with_its_amount_only() {
    let plan = arm(AT_RANDOM, "discussion: { rounds: 3, vote: every_round }\ndecision: { invalid: abstain }\n");
    let mut with_amount = 0;
    for replicate in 1..=5 {
        let records = whole(&plan, replicate);
        for round in 1..=3 {
            let in_round = |step| at_step(&records, step).into_iter().filter(move |record| record.at.round == round);
            let asked: BTreeSet<_> = in_round(Step::Amount).map(|record| record.seat.clone()).collect();
            let needing: BTreeSet<_> = in_round(Step::Ballot)
                .filter(|record| match record.reply() {
                    Some(Reply::Choice(choice)) => choice.alternative.as_str().starts_with("average_"),
                    _ => false,
                })
                .map(|record| record.seat.clone())
                .collect();
            assert_eq!(asked, needing);
            with_amount += asked.len();
        }
        for record in at_step(&records, Step::Tally) {
            let Event::Tallied(report) = &record.event else { panic!("{record:?}") };
            let pairs: BTreeSet<_> = report.counts.iter().map(|count| (&count.alternative, count.amount)).collect();
            assert_eq!(pairs.len(), report.counts.len());
            assert_eq!(report.counts.iter().map(|count| count.count).sum::<u32>(), report.valid);
        }
    }
    assert!(with_amount > 0);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn whoever_spoke_last_does_not_open_the_next_round() {
    let plan = arm(AT_RANDOM, "discussion: { rounds: 10, order: random, vote: at_end }\n");
    for replicate in 1..=20 {
        let records = whole(&plan, replicate);
        let orders: Vec<&Vec<SeatName>> = records
            .iter()
            .filter_map(|record| match &record.event {
                Event::RoundOpened(RoundOpened { order, situation: None, .. }) => Some(order),
                _ => None,
            })
            .collect();
        assert_eq!(orders.len(), 10);
        for pair in orders.windows(2) {
            assert_ne!(pair[0].last(), pair[1].first());
        }
    }
}

#[test]
fn thinking_comes_before_speaking_and_only_the_thinker_remembers_it() {
    let plan = arm(AT_RANDOM, "discussion: { rounds: 2, private_reasoning: true, vote: at_end }\n");
    let records = whole(&plan, 1);
    let turns: Vec<(Step, u32, u32)> = records
        .iter()
        .filter(|record| matches!(record.at.step, Step::Reasoning | Step::Statement))
        .map(|record| (record.at.step, record.at.round, record.at.turn))
        .collect();
    assert_eq!(turns.len(), 20);
    for pair in turns.chunks(2) {
        assert_eq!((pair[0].0, pair[1].0), (Step::Reasoning, Step::Statement));
        assert_eq!((pair[0].1, pair[0].2), (pair[1].1, pair[1].2));
    }
    let last = records.iter().rposition(|record| record.at.step == Step::Statement).unwrap();
    let state = folded(&plan, 1, &records[..=last]);
    for seat in 0..5 {
        let (brief, _) = state.memory().recall_brief(SeatId(seat));
        let thoughts = brief.own.iter().filter(|entry| entry.kind == EntryKind::OwnReasoning).count();
        assert_eq!(thoughts, 2, "seat {seat}");
    }
}

#[test]
fn a_countdown_is_given_when_two_rounds_remain_unless_the_end_is_not_announced() {
    let told = |announced: &str| -> Vec<u32> {
        let plan = arm(AT_RANDOM, &format!("discussion: {{ rounds: 5, vote: at_end{announced} }}\n"));
        let records = whole(&plan, 1);
        let talk = records.iter().filter(|record| record.at.phase.as_str() == "discussion");
        let instructed = talk.filter(|record| matches!(record.event, Event::Briefed(_)));
        instructed.map(|record| record.at.round).collect()
    };
    assert_eq!(told(""), [4]);
    assert_eq!(told(", announce_end: true"), [4]);
    assert_eq!(told(", announce_end: false"), [0_u32; 0]);
}

#[test]
fn an_intervention_reaches_those_it_is_addressed_to() {
    let plan = arm(
        AT_RANDOM,
        "
discussion: { rounds: 2, vote: at_end }
interventions:
  - { at: { phase: discussion, round: 2 }, to: [Bob], as: human, text: \"Only you know this.\" }
  - { at: { phase: discussion, round: 1 }, as: facilitator, text: \"All of you know this.\" }
",
    );
    let records = whole(&plan, 1);
    let told: Vec<(u32, usize, Voice)> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Briefed(Briefing { text, to, by, .. }) if text.ends_with("know this.") => {
                Some((record.at.round, to.len(), *by))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [(1, 0, Voice::Facilitator), (2, 1, Voice::Human)]);
    let state = folded(&plan, 1, &records[..records.len() - 1]);
    for seat in 0..5 {
        let (brief, _) = state.memory().recall_brief(SeatId(seat));
        let alone = brief.pinned.iter().any(|entry| entry.text == "[HUMAN] Only you know this.");
        assert_eq!(alone, seat == 1);
        assert!(brief.remarks.iter().any(|remark| &*remark.text == "All of you know this."));
    }
}

#[test]
fn a_manipulator_is_told_to_push_what_the_others_rank_lowest() {
    let plan = arm(
        "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: { risk_aversion: 0, precision: 1000 } } }
seats: [{ name: Alice, role: manipulator }, { name: Bob }, { name: Carol }]
",
        "discussion: { rounds: 2, vote: at_end }\n",
    );
    let records = whole(&plan, 1);
    let mut scores: BTreeMap<String, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| record.at.phase.as_str() == "ranking_3") {
        if let (Some(Reply::Ranking { order, .. }), true) =
            (record.reply(), record.seat != Some(SeatName::new("Alice")))
        {
            for (below, name) in order.iter().rev().enumerate() {
                *scores.entry(name.to_string()).or_default() += below;
            }
        }
    }
    let least = plan.motion.alternatives.iter().map(|a| a.name.as_str()).min_by_key(|name| scores[*name]).unwrap();
    let told: Vec<_> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Briefed(Briefing { to, what: Matter::Instruction { pushes: Some(target), .. }, .. }) => {
                Some((to.clone(), target.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [(vec![SeatName::new("Alice")], least)]);
    let pushed = records.iter().filter(|record| record.seat == Some(SeatName::new("Alice"))).all(|record| {
        let is_least =
            |stance: &Option<NamedChoice>| stance.as_ref().is_some_and(|stance| stance.alternative.as_str() == least);
        !matches!(record.reply(), Some(Reply::Statement { stance, .. }) if !is_least(&stance))
    });
    assert!(pushed, "a manipulator speaks for what it was told to push");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn who_fails_the_test_twice_is_asked_nothing_more_where_failing_excludes() {
    let seats = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { justice: {} } }
seats: [{ name: Alice }, { name: Bob, mind: { random: {} } }, { name: Carol }]
";
    let rest = |failing: &str| {
        format!(
            "parameters: {{ comprehension: {failing}, comprehension_pass_mark: 4 }}\n\
             discussion: {{ rounds: 2, vote: every_round }}\n"
        )
    };
    let mut excluded = 0;
    for replicate in 1..=4 {
        let records = whole(&arm(seats, &rest("excludes")), replicate);
        let last = records.iter().rposition(|record| record.at.step == Step::Comprehension).unwrap();
        let bob = |record: &&Record| record.seat == Some(SeatName::new("Bob"));
        let tests: Vec<u32> = records[..=last]
            .iter()
            .filter(bob)
            .filter(|r| r.at.step == Step::Comprehension)
            .map(|r| r.at.round)
            .collect();
        let passed = records[..=last].iter().filter(bob).any(|r| r.test_result().is_some_and(|(_, passed)| passed));
        assert!(passed || tests == [1, 2], "{tests:?}");
        if !passed {
            excluded += 1;
            let later = records[last + 1..].iter().filter(bob).filter(|record| record.at.step != Step::Integration);
            assert_eq!(later.count(), 0);
            for record in at_step(&records, Step::Tally) {
                assert!(matches!(&record.event, Event::Tallied(report) if report.eligible == 2));
            }
        }
        let kept = whole(&arm(seats, &rest("recorded")), replicate);
        let (.., payoffs) = payments(&kept).pop().unwrap();
        assert_eq!(payoffs.len(), 3);
    }
    assert!(excluded > 0);
}

#[test]
fn an_imposed_decision_is_paid_without_a_vote() {
    let plan = arm(
        OF_ONE_MIND,
        "discussion: { rounds: 0 }\ndecision: { rule: imposed, imposed: { alternative: average_floor, amount: 13000 } }\n",
    );
    let records = whole(&plan, 1);
    assert_eq!(end(&records), (Verdict::Imposed, StopReason::Imposed));
    assert!(at_step(&records, Step::Ballot).is_empty());
    let (.., payoffs) = payments(&records).pop().unwrap();
    assert!(payoffs.iter().all(|(_, paid)| paid.amount == Some(13_000)));
}

#[test]
fn a_supermajority_needs_its_share_of_members() {
    let plan = arm(
        AT_RANDOM,
        "discussion: { rounds: 8, vote: every_round }\ndecision: { rule: supermajority, threshold: 3/5 }\n",
    );
    let mut decided = 0;
    for replicate in 1..=10 {
        for record in at_step(&whole(&plan, replicate), Step::Tally) {
            let Event::Tallied(report) = &record.event else { panic!("{record:?}") };
            assert_eq!(report.threshold, Some(3));
            let most = report.counts.iter().map(|count| count.count).max().unwrap();
            assert_eq!(report.decided.is_some(), most >= 3 && report.invalid == 0);
            decided += usize::from(report.decided.is_some());
        }
    }
    assert!(decided > 0);
}

#[test]
fn memories_are_rewritten_at_ends_of_rounds_and_phases_and_never_between_two_speakers() {
    let plan = arm(OF_ONE_MIND, "");
    let records = whole(&plan, 1);
    let rewritten = at_step(&records, Step::Integration);
    assert!(!rewritten.is_empty());
    for (place, record) in records.iter().enumerate() {
        if !matches!(record.at.step, Step::Integration | Step::Compression) {
            continue;
        }
        let after =
            records[place..].iter().find(|r| !matches!(r.at.step, Step::Integration | Step::Compression)).unwrap();
        assert!(!matches!(after.at.step, Step::Reasoning | Step::Statement), "{after:?}");
    }
    let last_question = records.iter().rposition(|record| record.seat.is_some()).unwrap();
    assert_eq!(records[last_question].at.step, Step::Ranking, "a memory that nobody reads again is not rewritten");
}

#[test]
fn a_memory_of_policy_none_shows_nothing_and_is_never_rewritten() {
    let records = whole(&arm(OF_ONE_MIND, "memory: { policy: none }\n"), 1);
    for record in &records {
        assert!(!matches!(record.at.step, Step::Integration | Step::Compression));
        if let Some(given) = record.event.given() {
            assert!(given.shown.floor.is_empty() && given.shown.own.is_empty() && given.shown.pinned == 0);
        }
    }
}

#[test]
fn a_ballot_that_stays_invalid_is_recorded_and_never_replaced() {
    let seats = AT_RANDOM.replace("random: {}", "random: { malformed: 0.7 }");
    let mut invalid = 0;
    for policy in ["void_round", "abstain", "exclude"] {
        let plan = arm(
            &seats,
            &format!("discussion: {{ rounds: 3, vote: every_round }}\ndecision: {{ invalid: {policy} }}\n"),
        );
        for record in whole(&plan, 1) {
            if let Event::Tallied(report) = &record.event {
                invalid += report.invalid;
                assert_eq!(report.valid + report.invalid, 5);
            }
            if let Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }) = &record.event {
                assert_eq!(record.attempt, Some(2));
            }
        }
    }
    assert!(invalid > 0);
}

#[test]
fn where_all_are_asked_at_once_nobody_confirms_its_own_call() {
    let plan = arm(AT_RANDOM, "discussion: { rounds: 3, vote: on_call, rounds_min: 1, vote_call: simultaneous }\n");
    let mut confirmed = 0;
    for replicate in 1..=8 {
        let records = whole(&plan, replicate);
        for round in 1..=3 {
            let at = |step| at_step(&records, step).into_iter().filter(move |record| record.at.round == round);
            let called = |record: &&Record| record.reply() == Some(Reply::Assent(true));
            let callers: BTreeSet<_> = at(Step::VoteCall).filter(called).map(|record| record.seat.clone()).collect();
            let others: BTreeSet<_> = at(Step::Confirmation).map(|record| record.seat.clone()).collect();
            assert!(callers.is_disjoint(&others));
            assert!(callers.is_empty() == others.is_empty() || callers.len() == 5);
            confirmed += others.len();
        }
    }
    assert!(confirmed > 0);
}

#[test]
fn a_session_whose_seats_were_all_excluded_ends_without_a_verdict() {
    let seats = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 1 } } }
seats: [{ name: Alice }, { name: Bob }]
";
    let records = whole(&arm(seats, "parameters: { comprehension: excludes }\n"), 1);
    assert_eq!(end(&records), (Verdict::NotApplicable, StopReason::NobodyLeft));
    assert!(payments(&records).is_empty());
}
