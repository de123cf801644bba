//! A common stock: what is taken, what grows back, what all are told, and when it is gone. On values known beforehand.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::{law_cases, sample_cases};
use crate::fixtures::trial::{folded, go_on, read, repository, whole};
use ekklesia::domain::{
    Answer, Consequence, EntryKind, Event, Fault, Harvest, Record, Reply, SeatId, Step, StopReason, Verdict,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::{Experiment, Plan};
use proptest::prelude::*;

/// An experiment in the fishery with these seats and more.
fn fishery(seats: &str, more: &str) -> Arc<Experiment> {
    let folder = tempfile::tempdir().unwrap();
    read(&written(folder.path(), seats, more))
}

fn written(folder: &Path, seats: &str, more: &str) -> std::path::PathBuf {
    let scenario = repository().join("scenarios/commons");
    let body = format!(
        "experiment: t\nscenario: {}\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\n\
         seats: {seats}\n{more}",
        scenario.display()
    );
    let config = folder.join("config.yaml");
    fs::write(&config, body).unwrap();
    config
}

/// Five seats with one mind.
fn five(mind: &str, more: &str) -> Arc<Plan> {
    Arc::clone(&fishery(&format!("[ {{ count: 5, name: \"F{{n}}\", mind: {{ {mind} }} }} ]"), more).arms[0])
}

/// One month: what there was, what each got, what was left, what that grew to.
type Month = (u32, Vec<u32>, u32, u32);

fn months(records: &[Record]) -> Vec<Month> {
    let of = |record: &Record| match &record.event {
        Event::Harvested { stock, harvests, left, grown } => {
            Some((*stock, harvests.iter().map(|harvest| harvest.got).collect(), *left, *grown))
        }
        _ => None,
    };
    records.iter().filter_map(of).collect()
}

fn end(records: &[Record]) -> (Verdict, StopReason) {
    match records.last().unwrap().event {
        Event::Adjourned { verdict, stop, .. } => (verdict, stop),
        _ => panic!("a session ends"),
    }
}

#[test]
fn a_seat_remembers_what_it_asked_for() {
    let plan = five("fixed_share: { share: 0.1 }", "discussion: { rounds: 2 }\n");
    let state = folded(&plan, 1, &whole(&plan, 1));
    let (brief, _) = state.memory().recall_brief(SeatId(2));
    let own = brief.own.iter().filter(|entry| entry.kind == EntryKind::OwnAnswer);
    let own: Vec<&str> = own.map(|entry| entry.text.as_str()).collect();
    assert_eq!(own, ["Round 1: you asked for 10 tons.", "Round 2: you asked for 10 tons."]);
}

#[test]
fn a_tenth_each_lasts_all_twelve_months_and_gives_everyone_120() {
    let records = whole(&five("fixed_share: { share: 0.1 }", ""), 1);
    let months = months(&records);
    assert_eq!(months, vec![(100, vec![10; 5], 50, 100); 12]);
    let each: u32 = months.iter().map(|(_, got, ..)| got[0]).sum();
    assert_eq!(each, 120);
    assert_eq!(end(&records), (Verdict::NotApplicable, StopReason::AgendaDone));
    let spoken = records.iter().filter(|record| matches!(record.reply(), Some(Reply::Statement { .. }))).count();
    assert_eq!(spoken, 60, "five seats speak in each month");
}

#[test]
fn a_fifth_each_takes_it_all_in_the_first_month_and_gives_everyone_20() {
    let records = whole(&five("fixed_share: { share: 0.2 }", ""), 1);
    assert_eq!(months(&records), [(100, vec![20; 5], 0, 0)]);
    assert_eq!(end(&records), (Verdict::NotApplicable, StopReason::Collapsed));
    assert!(
        !records.iter().any(|record| matches!(record.reply(), Some(Reply::Statement { .. }))),
        "nothing is left to talk about"
    );
}

#[test]
fn the_harvest_comes_before_the_talk_of_its_month_and_is_told_before_anybody_speaks() {
    let records = whole(&five("conditional_cooperator: { initial: 0.06 }", ""), 1);
    for month in 1..=12 {
        let of: Vec<&Record> = records.iter().filter(|record| record.at.round == month).collect();
        let place = |is: &dyn Fn(&Event) -> bool| of.iter().position(|record| is(&record.event)).unwrap();
        let asked = of.iter().rposition(|record| matches!(record.event, Event::HarvestAsked { .. })).unwrap();
        let harvested = place(&|event| matches!(event, Event::Harvested { .. }));
        let told = place(&|event| matches!(event, Event::Instructed { text, .. } if text.starts_with("Round ")));
        let spoken = of.iter().position(|record| matches!(record.reply(), Some(Reply::Statement { .. }))).unwrap();
        assert!(asked < harvested && harvested < told && told < spoken, "month {month}");
    }
    // As much as the others: six of a hundred each, for ever.
    assert!(months(&records).iter().all(|(stock, got, ..)| *stock == 100 && *got == [6; 5]));
}

#[test]
fn a_conditional_cooperator_takes_what_the_others_took_on_average() {
    let script = |amounts: [u32; 3]| {
        let lines = amounts.iter().zip(1..).map(|(amount, round)| {
            let at = |step: &str| format!("phase: months, round: {round}, step: {step}");
            format!("{{ {}, amount: {amount} }}, {{ {}, pass: true }}", at("harvest"), at("statement"))
        });
        format!("mind: {{ scripted: {{ table: [ {} ] }} }}", lines.collect::<Vec<_>>().join(", "))
    };
    let seats = format!(
        "[ {{ name: Ann, {} }}, {{ name: Bob, {} }}, {{ name: Cy, mind: {{ conditional_cooperator: {{ initial: 0.02, slope: 0.5, bias: 0.01 }} }} }} ]",
        script([10, 20, 0]),
        script([30, 0, 0])
    );
    let records = whole(&fishery(&seats, "discussion: { rounds: 3 }\n").arms[0], 1);
    let got: Vec<Vec<u32>> = months(&records).into_iter().map(|(_, got, ..)| got).collect();
    // 2 of 100; then half of (10 + 30)/2 of 100 and one more; then half of (20 + 0)/2 of 100 and one more.
    assert_eq!(got, [[10, 30, 2], [20, 0, 11], [0, 0, 6]]);
}

#[test]
fn who_asks_for_more_than_there_is_gets_in_proportion_and_nobody_may_ask_for_more_than_all() {
    let greedy = |amount: u32| {
        format!("mind: {{ scripted: {{ table: [ {{ phase: months, round: 1, step: harvest, amount: {amount} }} ] }} }}")
    };
    let seats = format!(
        "[ {{ name: Ann, {} }}, {{ name: Bob, {} }}, {{ name: Cy, {} }} ]",
        greedy(100),
        greedy(50),
        greedy(101)
    );
    let records = whole(&fishery(&seats, "discussion: { rounds: 1 }\n").arms[0], 1);
    let harvests = records.iter().find_map(|record| match &record.event {
        Event::Harvested { harvests, .. } => Some(harvests.clone()),
        _ => None,
    });
    let of = |seat: &str, asked, got| Harvest { seat: ekklesia::domain::SeatName::new(seat), asked, got };
    assert_eq!(harvests.unwrap(), [of("Ann", Some(100), 67), of("Bob", Some(50), 33), of("Cy", None, 0)]);
    let faults = records.iter().filter(|record| matches!(record.event, Event::Faulted { .. })).count();
    assert_eq!(faults, 3, "Cy was asked three times");
}

#[test]
fn under_total_feedback_nobody_is_named() {
    let told = |feedback: &str| -> Vec<String> {
        let more = format!("parameters: {{ feedback: {feedback} }}\ndiscussion: {{ rounds: 2, order: nobody }}\n");
        let records = whole(&five("fixed_share: { share: 0.1 }", &more), 1);
        assert!(!records.iter().any(|record| matches!(record.reply(), Some(Reply::Statement { .. }))));
        let text = |record: &Record| match &record.event {
            Event::Instructed { text, .. } if record.at.step == Step::Brief && record.at.round > 0 => {
                Some(text.clone())
            }
            _ => None,
        };
        records.iter().filter_map(text).filter(|text| text.starts_with("Round")).collect()
    };
    assert_eq!(told("total")[0], "Round 1: of 100 tons you took 50 together. 50 were left, which have grown to 100.");
    assert_eq!(
        told("by_name")[1],
        "Round 2: of 100 tons you took 50 together (F1: 10, F2: 10, F3: 10, F4: 10, F5: 10). 50 were left, which have grown to 100."
    );
}

proptest! {
    #![proptest_config(law_cases(12))]

    #[test]
    fn whatever_is_taken_the_months_follow_from_each_other(shares in prop::array::uniform5(0u32..=30), below in 0u32..20) {
        let seats: Vec<String> = shares
            .iter()
            .zip(1..)
            .map(|(share, n)| format!("{{ name: F{n}, mind: {{ fixed_share: {{ share: {} }} }} }}", f64::from(*share) / 100.0))
            .collect();
        let more = format!("parameters: {{ collapse_below: {below}, growth: 1.5 }}\ndiscussion: {{ rounds: 6, order: nobody }}\n");
        let records = whole(&fishery(&format!("[ {} ]", seats.join(", ")), &more).arms[0], 1);
        let months = months(&records);
        let mut there = 100;
        for (place, (stock, got, left, grown)) in months.iter().enumerate() {
            prop_assert_eq!(*stock, there);
            prop_assert_eq!(got.iter().sum::<u32>() + left, *stock);
            // An empty stock is gone even if no limit says so.
            let is_gone = *left == 0 || *left < below;
            prop_assert_eq!(*grown, if is_gone { 0 } else { (left * 3 / 2).min(100) });
            prop_assert_eq!(is_gone || place == 5, place + 1 == months.len());
            there = *grown;
        }
    }
}

/// Seats that fail now and then, and a script that takes too much.
fn rough() -> Arc<Plan> {
    let seats = "[ { name: Ann, mind: { random: { malformed: 0.6 } } }, { name: Bob, mind: { fixed_share: { share: { uniform: [0, 0.1] } } } }, \
                 { name: Cy, mind: { conditional_cooperator: { initial: 0.05, bias: 0.02 } } } ]";
    let more = "straw_polls: [before, after]\ndiscussion: { rounds: 4, vote: at_end }\nmemory: { memory_character_limit: 400 }\n";
    Arc::clone(&fishery(seats, more).arms[0])
}

#[test]
fn a_session_is_cut_after_any_record_and_goes_on_as_if_nothing_had_happened() {
    let plan = rough();
    for replicate in 1..=3 {
        let all = whole(&plan, replicate);
        for cut in sample_cases(0..=all.len(), 5) {
            let mut kept = all[..cut].to_vec();
            let mut deliberation: Deliberation<'_> = folded(&plan, replicate, &all[..cut]);
            go_on(&mut deliberation, &plan, &mut kept).unwrap();
            assert_eq!(kept, all, "cut after {cut} records of replicate {replicate}");
        }
    }
}

#[test]
fn the_shipped_experiment_runs_is_replayed_and_was_foreseen() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (repository().join("configs/commons.yaml"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "3"])
        .says(0, &["15 of 15 sessions completed"]);
    let methods = std::fs::read_to_string(out.join("methods.md")).unwrap();
    for said in ["a common stock of 100 ", "With fewer than 5 left", "multiplied with 2, up to 100."] {
        assert!(methods.contains(said), "{said}: {methods}");
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence", "no seat was shown anything"]);
    let told = ekklesia(&["show", text(&out.join("sessions/fifth-r000001"))]);
    told.says(0, &["asks for 20 of the stock", "too few to grow back", "the common stock was gone"]);
}

#[test]
fn an_empty_stock_is_gone_whatever_the_limit_and_nothing_is_harvested_after_it() {
    let plan = five("fixed_share: { share: 0.2 }", "parameters: { collapse_below: 0 }\n");
    let records = whole(&plan, 1);
    assert_eq!(months(&records), [(100, vec![20; 5], 0, 0)]);
    assert_eq!(end(&records).1, StopReason::Collapsed);
    // Nor in a second discussion.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("commons");
    let shipped = fs::read_to_string(repository().join("scenarios/commons/scenario.yaml")).unwrap();
    let talk = "  - { name: months, discussion: {} }\n";
    assert!(shipped.contains(talk), "{shipped}");
    for part in std::iter::once("scenario.yaml".to_owned()).chain(templates()) {
        let to = copy.join(&part);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(repository().join("scenarios/commons").join(&part), to).unwrap();
    }
    let twice = shipped.replace(talk, &format!("{talk}  - {{ name: autumn, discussion: {{}} }}\n"));
    fs::write(copy.join("scenario.yaml"), twice).unwrap();
    let body =
        fs::read_to_string(written(folder.path(), "[ { count: 5, mind: { fixed_share: { share: 0.2 } } } ]", ""))
            .unwrap();
    let body = body.replace(&repository().join("scenarios/commons").display().to_string(), &copy.display().to_string());
    let config = folder.path().join("twice.yaml");
    fs::write(&config, body).unwrap();
    let records = whole(&read(&config).arms[0], 1);
    assert_eq!(months(&records).len(), 1);
}

/// What a stock becomes follows from what a seat took otherwise, and nobody takes more than there is.
#[test]
fn a_fork_changes_one_harvest_and_what_follows_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = written(folder.path(), "[ { count: 5, name: \"F{n}\", mind: { fixed_share: { share: 0.1 } } } ]", "");
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions completed"]);
    let session = out.join("sessions/baseline-r000001");
    let fork = |name: &str, change: &str| {
        let (file, fork) = (folder.path().join(format!("{name}.yaml")), folder.path().join(name));
        fs::write(&file, change).unwrap();
        (ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&fork)]), fork)
    };
    for (asked, third, fourth) in [(40, (20, 40), 40), (7, (53, 100), 100), (999, (0, 0), 0)] {
        let (told, fork) =
            fork(&format!("h{asked}"), &format!("at: {{ seat: F2, phase: months, round: 3 }}\nharvest: {asked}\n"));
        told.says(0, &["the first that differs"]);
        ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
        let mut table = csv::Reader::from_path(fork.join("harvests.csv")).unwrap();
        let header = table.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
        let cell =
            |row: &csv::StringRecord, name: &str| row[header.iter().position(|one| one == name).unwrap()].to_owned();
        let of =
            |round: &str, seat: &str| rows.iter().find(|row| cell(row, "round") == round && cell(row, "seat") == seat);
        let f2 = of("3", "F2").unwrap();
        assert_eq!(cell(f2, "asked"), asked.min(100).to_string());
        assert_eq!((cell(f2, "left"), cell(f2, "grown")), (third.0.to_string(), third.1.to_string()));
        assert_eq!(of("4", "F1").map_or("0".to_owned(), |row| cell(row, "stock")), fourth.to_string());
    }
    let (same, _) = fork("same", "at: { seat: F2, phase: months, round: 3 }\nharvest: 10\n");
    same.says(0, &["all of them the parent's"]);
    let (wrong, _) = fork("wrong", "at: { seat: F2, phase: welcome }\nharvest: 10\n");
    assert_eq!(wrong.code, Some(2));
}

/// Who looks far enough ahead takes what grows back; who does not takes all. Blind takes anything.
#[test]
fn a_quantal_harvester_takes_what_is_worth_most_the_likelier() {
    // Beside others who take 40 of 100 an amount of 10 is worth more than all when foresight is above 25/7: 10 + 20·f > 500/7 + 0.
    let mind = |precision: u32, foresight: f64| {
        format!("quantal_harvester: {{ precision: {precision}, foresight: {foresight} }}")
    };
    let lasting = months(&whole(&five(&mind(1000, 5.0), ""), 1));
    assert_eq!(lasting, vec![(100, vec![10; 5], 50, 100); 12]);
    let greedy = months(&whole(&five(&mind(1000, 0.0), ""), 1));
    assert_eq!(greedy, [(100, vec![20; 5], 0, 0)]);
    // At precision 0 every amount is as likely: 50 on average, of which five are too many.
    let plan = five(&mind(0, 1.0), "");
    let asked = |replicate| {
        let records = whole(&plan, replicate);
        let of = |record: &Record| match record.event {
            Event::HarvestAsked { amount, .. } if record.at.round == 1 => Some(f64::from(amount)),
            _ => None,
        };
        records.iter().filter_map(of).sum::<f64>() / 5.0
    };
    let mean = (1..=60).map(asked).sum::<f64>() / 60.0;
    assert!((mean - 50.0).abs() < 7.0, "{mean}");
    // The probabilities are those of the worths: λ·(u(a) − u(b)) is the log of the odds.
    let commons = ekklesia::mechanism::Commons {
        unit: String::new(),
        stock_max: 100,
        growth: 2_000,
        collapse_below: 5,
        feedback: ekklesia::mechanism::Feedback::Total,
    };
    let pool = ekklesia::domain::Pool { stock: 100, round: 1, rounds: 12, seats: 5, last: None };
    let worths = ekklesia::minds::harvest_worths(&commons, &pool, 1.0, 0.1);
    assert_eq!([worths[0], worths[10], worths[55], worths[60]], [0.2, 0.3, 0.57, 0.6]);
    let shares = ekklesia::minds::quantal_shares(&worths, 4.0);
    assert!(((shares[55] / shares[10]).ln() - 4.0 * 0.27).abs() < 1e-9);
}

/// Whatever a seat says, and however its words were read, more than there is in the month is no answer; all of it is one.
#[test]
fn a_harvest_above_the_stock_of_its_month_is_a_fault_and_asked_again() {
    let plan = five("fixed_share: { share: 0.12 }", "");
    let records = whole(&plan, 1);
    let is_second = |record: &Record| record.at.round == 2 && matches!(record.event, Event::HarvestAsked { .. });
    let before = records.iter().position(is_second).unwrap();
    let deliberation = folded(&plan, 1, &records[..before]);
    let Next::Ask(queries) = deliberation.next() else { panic!("all are asked at once") };
    assert_eq!(queries.len(), 5);
    let answered = |reply: Reply| {
        let (raw, state) = (String::new(), queries[0].state.clone());
        let answer = Answer { raw, parsed: Ok(reply), field: None, usage: None, model_served: None, state };
        deliberation.admit(&queries[0], answer).event
    };
    // Sixty of a hundred were taken, and forty are eighty; the question itself admits up to a hundred.
    for (amount, is_taken) in [(0, true), (79, true), (80, true), (81, false), (100, false), (u32::MAX, false)] {
        match answered(Reply::Amount(amount)) {
            Event::HarvestAsked { amount: asked, .. } => assert!(is_taken && asked == amount, "{amount}"),
            Event::Faulted { fault, then, .. } => {
                assert_eq!((fault, then), (Fault::AmountOutOfRange, Consequence::AskedAgain), "{amount}");
                assert!(!is_taken, "{amount}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(answered(Reply::Pass), Event::Faulted { fault: Fault::Ambiguous, .. }));
}

/// The files of the shipped prompts, below the scenario's folder.
fn templates() -> impl Iterator<Item = String> {
    let names = fs::read_dir(repository().join("scenarios/commons/prompts/en")).unwrap();
    names.map(|entry| format!("prompts/en/{}", entry.unwrap().file_name().into_string().unwrap()))
}

#[test]
fn what_cannot_be_is_told_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let seats = "[ { count: 5, name: \"F{n}\" } ]";
    let check = |more: &str, expected: &[&str]| {
        let config = written(folder.path(), seats, more);
        ekklesia(&["check", text(&config)]).says(2, expected);
    };
    check("discussion: { rounds: 0 }\n", &["discussion.rounds", "order: nobody"]);
    check("discussion: { network: self }\n", &["discussion.network", "told what others took"]);
    check("parameters: { collapse_below: 101 }\n", &["mechanism.commons.collapse_below", "101 is outside 0 … 100"]);
    check("parameters: { stock_max: 2.5 }\n", &["mechanism.commons.stock_max"]);
    check("parameters: { growth: 1.0005 }\n", &["mechanism.commons.growth"]);
    // Every amount is weighed each time: of ten thousand that is quick, of many more it is not.
    let quantal = |stock: u32| {
        format!(
            "parameters: {{ stock_max: {stock} }}\nseat_defaults: {{ model: sim, mind: {{ quantal_harvester: {{}} }} }}\n"
        )
    };
    let other = |more: &str| {
        let config = written(folder.path(), "[ { count: 5, name: \"F{n}\" } ]", more);
        let text = fs::read_to_string(&config).unwrap().replacen("seat_defaults: { model: sim }\n", "", 1);
        fs::write(&config, text).unwrap();
        config
    };
    let config = other(&quantal(100_000));
    ekklesia(&["check", text(&config)])
        .says(2, &["quantal_harvester", "up to 10000, and the stock is 100000", "greater units"]);
    ekklesia(&["check", text(&other(&quantal(10_000)))]).says(0, &["5 × quantal_harvester mind"]);
    let mind = "seat_defaults: { model: sim, mind: { quantal_response: {} } }\n";
    ekklesia(&["check", text(&other(mind))]).says(2, &["decides an amount alone", "the mind quantal_harvester"]);
    let motion = repository().join("scenarios/motion");
    let config = folder.path().join("motion.yaml");
    let body = "seed: 7\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { fixed_share: {} } }\nseats: [ { count: 3 } ]\n";
    fs::write(&config, format!("experiment: t\nscenario: {}\n{body}", motion.display())).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["fixed_share", "the scenario has no mechanism `commons`"]);
}

/// The rows of a table that a run left, by column.
fn rows(folder: &Path, table: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join(table)).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| header.iter().map(str::to_owned).zip(row.iter().map(str::to_owned)).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn tables_tell_who_took_what_and_what_it_comes_to() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (repository().join("configs/commons.yaml"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "2"])
        .says(0, &["10 of 10 sessions completed"]);
    ekklesia(&["show", text(&out.join("sessions/fifth-r000001"))])
        .says(0, &["harvest: of 100 are left 0, which grow to 0 [", "- Fisher 1: asked for 20, got 20\n"]);
    let sessions = rows(&out, "sessions.csv");
    let of = |arm: &str| {
        let row = sessions.iter().find(|row| row["arm"] == arm).unwrap();
        ["survival_time", "collapsed", "total_gain", "efficiency", "equality", "over_usage", "stop_reason"]
            .map(|name| row[name].clone())
    };
    assert_eq!(of("tenth"), ["12", "0", "600", "1.000000", "1.000000", "0.000000", "agenda_done"]);
    assert_eq!(of("fifth"), ["1", "1", "100", "0.166667", "1.000000", "1.000000", "collapsed"]);
    let harvests = rows(&out, "harvests.csv");
    for session in &sessions {
        let own: Vec<_> = harvests.iter().filter(|row| row["session"] == session["session"]).collect();
        assert_eq!(own.len().to_string(), (session["survival_time"].parse::<usize>().unwrap() * 5).to_string());
        let number = |row: &std::collections::BTreeMap<String, String>, name: &str| row[name].parse::<u64>().unwrap();
        assert_eq!(own.iter().map(|row| number(row, "got")).sum::<u64>(), number(session, "total_gain"));
        let over = own.iter().filter(|row| row["over_use"] == "1").count();
        assert_eq!(format!("{:.6}", over as f64 / own.len() as f64), session["over_usage"]);
        for seat in rows(&out, "seats.csv").iter().filter(|row| row["session"] == session["session"]) {
            let last = own.iter().rfind(|row| row["seat"] == seat["seat"]).unwrap();
            assert_eq!(
                (&last["gain"], number(last, "stock") - number(last, "left") >= number(last, "got")),
                (&seat["gain"], true)
            );
        }
    }
    let cell = |table: &str, row: usize, column: &str| {
        ekklesia(&["why", &format!("{}:{row}:{column}", out.join(table).display())])
    };
    cell("sessions.csv", 1, "efficiency").says(0, &["12 records enter", "Harvested"]);
    cell("harvests.csv", 1, "over_use").says(0, &["value    0", "Harvested"]);
}

#[test]
fn a_harvest_tells_whether_the_seat_was_asked_again_as_its_answer_does() {
    let place = tempfile::tempdir().unwrap();
    let seats = "[ { count: 3, name: \"F{n}\", mind: { random: { malformed: 0.6 } } } ]";
    let config = written(place.path(), seats, "discussion: { rounds: 4 }\nreplicates: 4\n");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["4 of 4 sessions completed"]);
    let (harvests, answers) = (rows(&out, "harvests.csv"), rows(&out, "answers.csv"));
    let mut seen = std::collections::BTreeSet::new();
    for (place, harvest) in harvests.iter().enumerate() {
        let is_its = |answer: &&std::collections::BTreeMap<String, String>| {
            answer["step"] == "harvest"
                && ["session", "round", "seat"].iter().all(|name| answer[*name] == harvest[*name])
        };
        let last = answers.iter().rfind(is_its).unwrap();
        assert_eq!(harvest["origin"], last["origin"], "{harvest:?}");
        assert_eq!(harvest["asked"].is_empty(), last["status"] != "valid", "{harvest:?}");
        let what = (harvest["origin"].clone(), harvest["asked"].is_empty());
        if seen.insert(what) {
            let cell = format!("{}:{}:origin", out.join("harvests.csv").display(), place + 1);
            ekklesia(&["why", &cell]).says(0, &[&harvest["origin"]]);
        }
    }
    let kinds = [("first_try", false), ("reasked", false), ("reasked", true)];
    assert!(kinds.iter().all(|(origin, is_lost)| seen.contains(&((*origin).to_owned(), *is_lost))), "{seen:?}");
}
