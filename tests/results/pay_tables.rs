//! The tables of a session with rankings, practice rounds, votes on call, amounts, pay and rewritten memories, against values
//! computed by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::fixtures::minuted::justice::{facts, minutes, payoff, tables};
use crate::fixtures::minuted::{self, Minutes, expect, rows, written};
use crate::fixtures::sample::sample_cases;
use ekklesia::analysis::*;
use ekklesia::domain::*;
use ekklesia::report::{Filter, Sheet, Summary, Transcript, render};

fn folded(records: &[Record]) -> FoldedSession {
    let mut fold = SessionFold::new(facts());
    for record in records {
        fold.fold_record(record).unwrap();
    }
    fold.finish_completed(Digest::of(b"minutes")).unwrap()
}

fn table(name: &str) -> Vec<BTreeMap<String, String>> {
    rows(written(vec![folded(&minutes())]).path(), name)
}

fn misfit(records: &[Record]) -> String {
    let mut fold = SessionFold::new(facts());
    records.iter().find_map(|record| fold.fold_record(record).err()).expect("a misfit").to_string()
}

#[test]
fn a_session_that_decides_on_call_and_pays_has_the_numbers_computed_by_hand() {
    let sessions = table("sessions");
    // Paid: 120 + 60 cents to two seats, 750 + 2000 + 1500 to three. Footrule: Ann 8, Bob 0, Cy one ranking. All favour the decision.
    expect(
        &sessions[0],
        "outcome=carried result=average_floor amount=13000 carried=1 rounds_max=4 rounds_used=3 censored=0 time_to_decision=3 \
         votes_called=3 votes_held=2 first_ballot_majority=average_floor fbm_matches_final=1 rank_footrule_mean=4.000000 \
         payoff_applications_cents_mean=90.000000 payoff_settlement_cents_mean=1416.666667 binding=0 same_as_average=1 \
         n_invalid=4 n_forfeit=0 memory_cut_chars=210 memory_dropped_chars=120 memory_rewrites=1 seats_excluded=0 final_stance_share=1.000000",
    );
}

#[test]
fn rounds_tell_who_called_and_who_declined() {
    let rounds = table("rounds");
    let phases: Vec<(&str, &str)> = rounds.iter().map(|row| (row["phase"].as_str(), row["round"].as_str())).collect();
    let talk = [("talk", "1"), ("talk", "2"), ("talk", "3")];
    assert_eq!(
        phases,
        [&[("ranking_1", "0"), ("applications", "1")][..], &talk, &[("settlement", "0"), ("ranking_2", "0")]].concat()
    );
    expect(&rounds[0], "phase_kind=ranking vote_called= called_by= declined_by= vote_held=0");
    expect(&rounds[1], "phase_kind=applications statements= words= stance_n= ballot_n= n_invalid=1");
    expect(
        &rounds[2],
        "stance_n=3 stance_pair_agreement=0.333333 stance_pair_agreement_exact=0.000000 vote_called=1 called_by=Ann declined_by=Cy \
         vote_held=0 decided= ballot_n=",
    );
    expect(
        &rounds[3],
        "vote_called=1 called_by=Cy declined_by= vote_held=1 decided=0 ballot_modal=average_floor ballot_modal_share=1.000000 \
         ballot_pair_agreement=1.000000 ballot_pair_agreement_exact=0.333333 n_switch=1 switch_n=1 n_reasked=1",
    );
    expect(&rounds[4], "decided=1 ballot_pair_agreement_exact=1.000000");
}

#[test]
fn all_that_would_call_are_callers_and_second_nothing() {
    let mut m = Minutes(minutes());
    let end = m.0.pop().unwrap();
    let order = Event::RoundOpened(RoundOpened { order: Vec::new(), situation: None, multiplier: None });
    m.put(("talk", 4, 0, Step::Order), None, order);
    m.call(4, "Cy", "yes");
    m.call(4, "Ann", "yes");
    m.call(4, "Bob", "no");
    m.confirm(4, "Bob", "no");
    m.0.push(end);
    let folder = written(vec![folded(&m.0)]);
    let rounds = rows(folder.path(), "rounds");
    expect(rounds.last().unwrap(), "round=4 vote_called=1 called_by=Cy|Ann declined_by=Bob vote_held=0");
    let seats = rows(folder.path(), "seat_rounds");
    let last = &seats[seats.len() - 3..];
    let cells = ["seat=Ann called_vote=1 seconded=", "seat=Bob seconded=0", "seat=Cy called_vote=1 seconded="];
    last.iter().zip(cells).for_each(|(row, cells)| expect(row, cells));
}

#[test]
fn seats_have_traits_attributes_rankings_and_pay() {
    let seats = table("seats");
    expect(
        &seats[0],
        "seat=Ann seat_index=1 role=member model=sim model_served= mind=voter trait_risk_aversion=2.500000 trait_fairness= \
         persona_id=p2 attr_age= language=en straw_before= final_ballot=average_floor final_amount=13000 first_rank_floor=1 \
         first_rank_average_range=4 last_rank_floor=4 last_rank_average_range=1 first_certainty=very_unsure first_certainty_n=1 \
         last_certainty_n=5 rank_footrule=8 switched=0 class=low income=15000 payoff_applications_cents=120 \
         payoff_settlement_cents=750 payoff_total_cents=870 statements=1 words=3 votes_called=1 n_invalid=0",
    );
    assert_eq!(seats[0]["attr_ideology"], "left, \"mostly\"");
    expect(&seats[1], "trait_risk_aversion=-0.250000 rank_footrule=0 persona_id= attr_ideology=");
    expect(
        &seats[2],
        "role=manipulator model_served=m first_rank_floor=1 last_rank_floor=1 rank_footrule= switched=1 class=medium \
         payoff_applications_cents= payoff_total_cents=1500 votes_called=2 n_invalid=4 test_correct= excluded=0",
    );
    let header: Vec<String> = table_specs(&facts().arm.layout)[2].columns.iter().map(|c| c.name.clone()).collect();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    assert_eq!(place("trait_risk_aversion"), place("mind") + 1);
    assert_eq!(place("attr_ideology"), place("persona_id") + 1);
    assert_eq!(place("last_rank_floor"), place("first_rank_floor") + 4);
}

#[test]
fn seat_rounds_tell_of_talk_votes_and_memory() {
    let all = table("seat_rounds");
    let of = |phase: &str, round: &str, seat: &str| {
        all.iter().find(|row| row["phase"] == phase && row["round"] == round && row["seat"] == seat).unwrap()
    };
    // Three seats in ranking 1, the practice round, three rounds of talk, the settlement and ranking 2.
    assert_eq!(all.len(), 21);
    // Ann's memory took in without a call: what she was told, her thought, three statements, a call and two answers to it.
    expect(
        of("talk", "1", "Ann"),
        "position=1 spoke=1 words=3 chars=13 speaking_share=0.750000 stance=average_floor stance_amount=12000 switched= called_vote=1 \
         seconded= ballot= memory_policy=full memory_entries=3 memory_chars=400 heard_chars=500 shown_chars=400 dropped_entries=2 \
         cut_chars=60 dropped_chars=40 compressions=0 integrations=0 model_calls_saved=8 tokens=22 memory_tokens=120 summaries=1 decisions= \
         proposals_open=",
    );
    expect(of("talk", "1", "Bob"), "called_vote=0 seconded=1 model_calls_saved=6");
    expect(of("talk", "1", "Cy"), "spoke=1 words=0 called_vote= seconded=0 dropped_chars=0");
    expect(of("talk", "2", "Cy"), "switched=1 called_vote=1 seconded= ballot=average_floor ballot_amount=13000");
    expect(of("talk", "3", "Ann"), "spoke=0 words=0 integrations=1 integrations_failed=0 speaking_share=0.000000");
    expect(of("talk", "3", "Cy"), "integrations=0 compressions=0 integrations_failed=1");
    expect(of("applications", "1", "Ann"), "spoke= words= ballot= memory_chars= model_calls_saved=2");
    expect(of("ranking_1", "0", "Bob"), "model_calls_saved=1 tokens=11");
}

#[test]
fn ballots_hold_rankings_practice_choices_and_amounts() {
    let ballots = table("ballots");
    let of = |purpose: &str| ballots.iter().filter(|row| row["purpose"] == purpose).collect::<Vec<_>>();
    // Five valid rankings of four, one that is not; three practice choices; two votes of three.
    let (rankings, applications, votes) = (of("ranking"), of("application"), of("vote"));
    assert_eq!((rankings.len(), applications.len(), votes.len()), (21, 3, 6));
    expect(
        rankings[4],
        "seat=Bob form=ranking binding=0 vote= alternative=average_floor rank=1 shown_position=3 certainty=sure matches_stance= \
         options_shown=floor|average|average_floor|average_range",
    );
    expect(rankings[20], "seat=Cy status=invalid alternative= rank= certainty=");
    expect(
        applications[0],
        "form=choice binding=1 alternative=average_floor amount=12000 certainty=sure raw={} round=1",
    );
    assert_eq!(applications[0]["reasoning"], "Because,\nI think.");
    expect(applications[2], "seat=Cy status=invalid alternative= amount=");
    expect(votes[2], "vote=1 seat=Cy amount=13000 origin=reasked tries=2 raw=3 amount_raw=$13000 matches_stance=1");
    expect(votes[3], "vote=2 seat=Ann amount=13000 origin=first_try tries=1");
}

#[test]
fn a_ballot_whose_amount_is_lost_is_invalid() {
    let mut records = minutes();
    let place = records.iter().position(|record| matches!(record.reply(), Some(Reply::Amount(_)))).unwrap();
    records[place].event = Event::Faulted(Faulted {
        field: None,
        fault: Fault::Refused,
        then: Consequence::TriesUsedUp,
        options: Vec::new(),
        raw: "No.".to_owned(),
        given: Given::default(),
    });
    let folder = written(vec![folded(&records)]);
    let ballots = rows(folder.path(), "ballots");
    let vote = ballots.iter().find(|row| row["purpose"] == "vote").unwrap();
    expect(vote, "seat=Ann status=refused alternative= amount= shown_position= raw=3 amount_raw=No.");
    let rounds = rows(folder.path(), "rounds");
    expect(&rounds[3], "ballot_n=2 n_refused=1");
}

#[test]
fn tallies_have_a_row_for_each_amount() {
    let tallies = table("tallies");
    assert_eq!(tallies.len(), 9);
    expect(
        &tallies[2],
        "vote=1 alternative=average_floor amount=12000 count=2 is_winner=0 decided=0 margin=1 threshold=3",
    );
    expect(&tallies[3], "alternative=average_floor amount=13000 count=1");
    expect(&tallies[7], "vote=2 alternative=average_floor amount=13000 count=3 is_winner=1 decided=1 margin=3");
    expect(&tallies[8], "alternative=average_range amount= count=0 decided=0");
}

#[test]
fn answers_have_a_value_and_a_number() {
    let answers = table("answers");
    let of = |step: &str| answers.iter().find(|row| row["step"] == step && row["status"] == "valid").unwrap();
    expect(of("ranking"), "value=floor|average|average_floor|average_range value_n=1");
    expect(of("application"), "value=average_floor value_n=12000");
    expect(of("reasoning"), "value= value_n=9");
    expect(of("statement"), "value=average_floor value_n=12000");
    expect(of("vote_call"), "value=no value_n=0");
    expect(of("confirmation"), "value=yes value_n=1");
    expect(of("ballot"), "value=average_floor value_n=");
    expect(of("amount"), "value= value_n=12000");
    expect(of("integration"), "value= value_n=10");
}

#[test]
fn statements_hold_interventions_thoughts_and_amounts() {
    let statements = table("statements");
    expect(&statements[0], "kind=intervention seat= turn=0 position= origin= tries= by=human to=Ann words=4");
    expect(&statements[1], "kind=statement seat=Ann stance=average_floor stance_amount=12000 by= to=");
    assert_eq!(statements[1]["reasoning"], "Hm, \"12\".");
    expect(&statements[3], "seat=Cy stance=floor stance_amount= reasoning=");
}

#[test]
fn what_is_told_to_all_is_an_intervention_only_in_talk() {
    let mut m = Minutes::default();
    let by = Voice::Facilitator;
    let told = |text: &str| Event::Briefed(Briefing { by, ..Briefing::new(text.into(), vec![]) });
    m.put(("ranking_1", 0, 0, Step::Brief), None, told("Rank."));
    m.put(("talk", 0, 0, Step::Brief), None, told("Talk."));
    m.0.extend(minutes().pop());
    let folder = written(vec![folded(&m.0)]);
    let statements = rows(folder.path(), "statements");
    assert_eq!(statements.len(), 1);
    expect(&statements[0], "phase=talk round=0 kind=intervention by=facilitator to= text=Talk.");
}

#[test]
fn payoffs_tell_what_bound_and_what_was_average() {
    let payoffs = table("payoffs");
    expect(
        &payoffs[0],
        "stage=application round=1 seat=Ann situation=A principle=average_floor amount=12000 table=1 class=low income=12000 \
         payoff_cents=120 binding=1 same_as_average=0 multiplier=",
    );
    expect(
        &payoffs[1],
        "seat=Bob principle=average amount= table=3 income=6000 payoff_cents=60 binding= same_as_average=1",
    );
    expect(
        &payoffs[3],
        "stage=settlement round=0 seat=Bob situation=sample class=high income=40000 binding=0 same_as_average=1 multiplier=1.250000",
    );
}

#[test]
fn counterfactuals_are_the_published_chit() {
    let counterfactuals = table("counterfactuals");
    // Two principles without an amount, four distinct lows, four distinct ranges, for each of five payments; and the decided amount.
    assert_eq!(counterfactuals.len(), 5 * 10 + counterfactuals[20..].iter().filter(|row| row["chosen"] == "1").count());
    let of = |principle: &str, amount: &str| {
        let found = counterfactuals.iter().find(|row| row["principle"] == principle && row["amount"] == amount);
        found.unwrap_or_else(|| panic!("{principle} {amount}"))
    };
    // The original's chit for situation A, class low.
    for (principle, amount, cells) in [
        ("floor", "", "table=4 income=13000 payoff_cents=130 chosen=0"),
        ("average", "", "table=3 income=6000 payoff_cents=60 chosen=0"),
        ("average_floor", "12000", "table=1 income=12000 payoff_cents=120 chosen=1"),
        ("average_floor", "10000", "table=2 income=10000 payoff_cents=100 chosen=0"),
        ("average_range", "25000", "table=3 income=6000 payoff_cents=60 chosen=0"),
        ("average_range", "16000", "table=1 income=12000 payoff_cents=120 chosen=0"),
    ] {
        expect(of(principle, amount), cells);
    }
    expect(&counterfactuals[20], "stage=settlement seat=Ann principle=floor table=4 income=18750 payoff_cents=938");
}

#[test]
fn where_a_table_was_drawn_by_lot_nothing_was_chosen() {
    let mut records = minutes();
    let place = records.iter().position(|record| record.at.phase.as_str() == "settlement").unwrap();
    records[place].event = Event::Paid(Payment {
        tables: tables(PaymentStage::Settlement, "sample", None),
        unit: None,
        payoffs: vec![payoff("Ann", None, 2, 1, (22_000, 1100))],
    });
    let folder = written(vec![folded(&records)]);
    let payoffs = rows(folder.path(), "payoffs");
    expect(&payoffs[2], "seat=Ann principle= amount= table=2 class=medium_high binding= same_as_average= multiplier=");
    expect(&rows(folder.path(), "sessions")[0], "binding= same_as_average= payoff_settlement_cents_mean=1100.000000");
    assert!(rows(folder.path(), "counterfactuals").iter().skip(20).all(|row| row["chosen"] == "0"));
}

#[test]
fn what_no_session_of_the_plan_can_hold_is_named() {
    let edited = |place: fn(&Event) -> bool, edit: fn(&mut Event)| {
        let mut records = minutes();
        edit(&mut records.iter_mut().find(|record| place(&record.event)).unwrap().event);
        misfit(&records)
    };
    let paid = |event: &Event| matches!(event, Event::Paid(_));
    let wrong_income = edited(paid, |event| {
        let Event::Paid(Payment { payoffs, .. }) = event else { return };
        payoffs[0].income.as_mut().unwrap().income = 12_001;
    });
    assert!(wrong_income.ends_with("an income of 12001 is not in the plan"), "{wrong_income}");
    let huge = edited(paid, |event| {
        let Event::Paid(Payment { tables: Some(tables), .. }) = event else { return };
        tables.multiplier = Some(u32::MAX);
    });
    assert!(huge.ends_with("a multiplier of thousandths: 4294967295 is not in the plan"), "{huge}");
    let no_amount = edited(paid, |event| {
        let Event::Paid(Payment { payoffs, .. }) = event else { return };
        payoffs[0].income.as_mut().unwrap().amount = None;
    });
    assert!(no_amount.ends_with("a payment by average_floor is not in the plan"), "{no_amount}");
    let strange = edited(
        |event| matches!(event, Event::Seated { .. }),
        |event| {
            let Event::Seated { seats } = event else { return };
            seats[0].traits[0].name = "charm".to_owned();
        },
    );
    assert_eq!(strange, "record 1: trait charm is not in the plan");
    let short = edited(
        |event| event.answered().is_some_and(|answered| answered.values.find("ranking").is_some()),
        |event| {
            let Event::Answered(Answered { values, .. }) = event else { return };
            let Some(Some(FieldValue::Ranks(ranks))) = values.find("ranking") else { return };
            let mut ranks = ranks.clone();
            ranks[3] = vec!["floor".to_owned()];
            let others = std::mem::take(values).into_iter().filter(|(name, _)| name != "ranking");
            values.extend(std::iter::once(("ranking".into(), Some(FieldValue::Ranks(ranks)))).chain(others));
        },
    );
    assert_eq!(short, "record 2: an incomplete ranking of Ann is not in the plan");
    let few = edited(
        |event| event.is_round_closed(),
        |event| {
            let Event::RoundClosed(RoundClosed { memory, .. }) = event else { return };
            memory.pop();
        },
    );
    assert!(few.ends_with("a number of memories: 2 is not in the plan"), "{few}");
    let mut records = minutes();
    records.retain(|record| !matches!(record.reply(), Some(Reply::Amount(_))));
    let early = misfit(&records);
    assert!(early.ends_with("what comes before the amount of Ann is not in the plan"), "{early}");
    records.retain(|record| record.at.step != Step::Ballot || record.reply().is_none());
    let mut m = Minutes(records);
    m.0.truncate(m.0.len() - 1);
    m.answer(("talk", 3, 0, Step::Amount), ("Bob", 0), (Reply::Amount(1), ""), &[]);
    assert!(misfit(&m.0).ends_with("an amount of Bob is not in the plan"));
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn odd_minutes_are_refused_or_folded_and_never_panic() {
    let records = minutes();
    let facts = facts();
    let fold = |records: Vec<&Record>| {
        let mut fold = SessionFold::new(facts.clone());
        if records.iter().all(|record| fold.fold_record(record).is_ok()) {
            drop(fold.finish_completed(Digest::of(b"odd")));
        }
    };
    for left_out in 0..records.len() {
        fold(records.iter().enumerate().filter(|(place, _)| *place != left_out).map(|(_, record)| record).collect());
        fold(records[left_out..].iter().collect());
    }
    let pairs = (0..records.len()).flat_map(|one| (0..records.len()).map(move |other| (one, other)));
    for (one, other) in sample_cases(pairs, 13) {
        let mut swapped: Vec<&Record> = records.iter().collect();
        swapped.swap(one, other);
        fold(swapped);
        let mut moved = records[one].clone();
        moved.at = records[other].at.clone();
        fold(records[..one].iter().chain([&moved]).chain(&records[one..]).collect());
    }
}

#[test]
fn the_summary_tells_amounts_beneath_their_alternative() {
    let mut summary = Summary::new("justice", 42);
    summary.add(&folded(&minutes()));
    let report = summary.report();
    let amounts = report.arms[0].choices[2].amounts.as_ref().unwrap();
    assert_eq!((amounts.n, amounts.least, amounts.greatest), (1, 13_000, 13_000));
    let text = render(&report, Duration::from_millis(1300), None, Sheet::PAGE);
    let lines: Vec<&str> = text.lines().collect();
    let place = lines.iter().position(|line| line.trim_start().starts_with("average_floor ")).unwrap();
    assert_eq!(lines[place + 1], "   amount                median 13 000 dollars a year (range 13 000 – 13 000)");
    assert!(text.contains("rounds to a decision    median 3 of 4"), "{text}");
}

#[test]
fn a_transcript_shows_what_happened_and_what_was_private() {
    let mut all = Transcript::new(facts(), Filter::default());
    let text: String = minutes().iter().map(|record| all.take(record)).collect();
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "seats, as drawn [1]\n\n- Ann: persona p2, risk\\_aversion 2.5\n",
        "*private* **Ann** ranks floor › average › average\\_floor › average\\_range · very unsure · shown in the order ",
        "### round 1 · situation A [5]",
        "*private* **Ann** applies “average\\_floor 12 000” · sure · shown in the order ",
        "- Ann: average\\_floor 12 000, table 1, class low, income 12 000, paid \\$1.20, balance \\$1.20",
        "*to Ann only* **Human** says [",
        "*private* **Ann** thinks [",
        "· favours “average\\_floor 12 000” [",
        "*only recorded* **Bob** does not call a vote [",
        "**Ann** calls a vote [",
        "**Bob** agrees to vote now [",
        "confirmation, try 1: unreadable · tries used up, it counts as a no",
        "*private* **Ann** names the amount 12 000 [",
        "- average\\_floor 13 000: 3",
        "*private* **Ann** rewrites its memory, given what happened [",
        "settlement, situation sample · incomes × 1.25 [",
        "carried: “average\\_floor 13 000” · a vote decided",
    ] {
        assert!(flat(&text).contains(flat(part).as_str()), "{part}\n\n{text}");
    }
    let mut one = Transcript::new(facts(), Filter { seat: Some(SeatName::new("Bob")), phases: None });
    let text = flat(&minutes().iter().map(|record| one.take(record)).collect::<String>());
    assert!(text.contains("- Bob: ") && !text.contains("- Ann: ") && !text.contains("Human") && !text.contains("p2"));
}

#[test]
fn the_page_of_methods_counts_what_was_folded() {
    let folder = written(vec![folded(&minutes()), SessionFold::new(facts()).finish_stopped(Status::Incomplete)]);
    let page = std::fs::read_to_string(folder.path().join("methods.md")).unwrap();
    let sessions = rows(folder.path(), "sessions");
    let answers = format!("| `short` | {} | {} | ", sessions[0]["answers"], sessions[0]["n_first_try"]);
    let counted = ["# Methods\n", "| `short` | 2 | 1 | 0 | 1 | 1 | 1 |\n", "| `short` | 1 | 0 | 0 | 0 |\n", &answers];
    let told = ["Models that answered, as their services name them: `m`.", "Simulated minds are rules."];
    assert!(counted.iter().chain(&told).all(|part| page.contains(part)), "{page}");
}

/// The session after a test that excludes who fails: Ann passes at the second try, Bob at the first, Cy loses both.
fn tested() -> (SessionFacts, Vec<Record>) {
    let mut facts = facts();
    let arm = Arc::make_mut(&mut facts.arm);
    let mut test = minuted::phase("test", PhaseKindName::Comprehension, None, 0, PhaseVotes::None);
    test.on_failing = OnFailing::IsExcluded;
    arm.phases.insert(0, test);
    let mut m = Minutes::default();
    for (round, seat, correct) in [(1, "Ann", 1), (1, "Bob", 4), (1, "Cy", 2), (2, "Ann", 3)] {
        let at = ("test", round, 0, Step::Comprehension);
        m.answer(at, (seat, 0), (Reply::Test(vec![1]), ""), &[]);
        let Some(Record { event: Event::Answered(Answered { values, .. }), .. }) = m.0.last_mut() else {
            unreachable!()
        };
        values.extend(test_values((correct, correct > 2)));
    }
    m.fault(("test", 2, 0, Step::Comprehension), ("Cy", 0), Fault::Unreadable, Consequence::TriesUsedUp);
    let mut records = minutes();
    for record in &mut records {
        if let Event::Paid(Payment { payoffs, .. }) = &mut record.event {
            payoffs.retain(|payoff| payoff.seat.as_str() != "Cy");
        }
    }
    m.0.extend(records);
    (facts, m.0)
}

#[test]
fn an_excluded_seat_was_not_paid_nothing_but_not_paid() {
    let (mut facts, records) = tested();
    let fold = |facts| {
        let mut fold = SessionFold::new(facts);
        records.iter().for_each(|record| fold.fold_record(record).unwrap());
        fold.finish_completed(Digest::of(b"minutes")).unwrap()
    };
    let folder = written(vec![fold(facts.clone())]);
    let seats = rows(folder.path(), "seats");
    expect(&seats[0], "test_correct=3 excluded=0 payoff_total_cents=870");
    expect(&seats[1], "test_correct=4 excluded=0 payoff_total_cents=2060");
    expect(
        &seats[2],
        "test_correct= excluded=1 payoff_applications_cents= payoff_settlement_cents= payoff_total_cents=",
    );
    // 750 + 2000 cents over the two that were paid.
    expect(&rows(folder.path(), "sessions")[0], "seats_excluded=1 payoff_settlement_cents_mean=1375.000000");
    let settled = rows(folder.path(), "seat_rounds").into_iter().filter(|row| row["phase"] == "settlement");
    assert_eq!(settled.map(|row| row["seat"].clone()).collect::<Vec<_>>(), ["Ann", "Bob"]);
    let page = std::fs::read_to_string(folder.path().join("methods.md")).unwrap();
    assert!(page.contains("Seats excluded for failing the comprehension test: 1.\n"), "{page}");
    // Where failing is only recorded, nobody is excluded.
    Arc::make_mut(&mut facts.arm).phases[0].on_failing = OnFailing::Stays;
    expect(&rows(written(vec![fold(facts)]).path(), "sessions")[0], "seats_excluded=0");
}

#[test]
fn an_imposed_decision_is_told_without_a_share() {
    let mut records = minutes();
    let Event::Adjourned(Adjourned { verdict, stop, .. }) = &mut records.last_mut().unwrap().event else {
        panic!("the end")
    };
    (*verdict, *stop) = (Verdict::Imposed, StopReason::Imposed);
    let mut summary = Summary::new("justice", 42);
    summary.add(&folded(&records));
    let text = render(&summary.report(), Duration::from_millis(1300), None, Sheet::PAGE);
    assert!(text.contains("\n imposed: average_floor 13000\n") && !text.contains("group choice"), "{text}");
}
