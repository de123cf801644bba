//! Estimation: keys and amounts of items, feedback without names, networks, and the errors of a crowd, on values known beforehand.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::law_cases;
use crate::fixtures::trial::{self, folded, read, repository, whole, write_file, write_own_scenario};
use ekklesia::domain::{
    Adjourned, Choice, Convened, EntryKind, Event, FieldValue, NamedChoice, PhaseName, Record, Reply, SeatId, Step,
};
use ekklesia::plan::{Experiment, Plan};
use proptest::prelude::*;

/// Four seats that stand at these thousandths at first and take half of what they hear, on an amount from 0 to 1000.
fn four(thousandths: [u32; 4], more: &str) -> Arc<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let seats: String = thousandths
        .iter()
        .zip(["Ann", "Bob", "Cy", "Dee"])
        .map(|(at, name)| {
            format!(
                "  - {{ name: {name}, mind: {{ degroot: {{ self_weight: 0.5, opinion: {} }} }} }}\n",
                f64::from(*at) / 1e3
            )
        })
        .collect();
    let items = "id,text,unit,least,most,right\nq,How many?,sheep,0,1000,400\n";
    fs::write(folder.path().join("items.csv"), items).unwrap();
    let body = format!(
        "experiment: t\nscenario: {}\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}\
         items: {{ file: items.csv, id: id, text: text, key: right, amount: {{ unit: unit, min: least, max: most }} }}\n{more}",
        repository().join("scenarios/estimation").display()
    );
    let config = write_file(folder.path(), "config.yaml", body);
    let experiment: Arc<Experiment> = read(&config);
    Arc::new(experiment.arms[0].of_item(&experiment.items["q"]))
}

/// What each seat voted for, in the order of their names.
fn named(records: &[Record]) -> Vec<u32> {
    let mut named = BTreeMap::new();
    for record in records {
        if record.at.step == Step::Ballot
            && let Some(Reply::Choice(Choice { amount: Some(amount), .. })) = record.reply()
        {
            named.insert(record.seat.clone().unwrap().to_string(), amount);
        }
    }
    named.into_values().collect()
}

fn decided(records: &[Record]) -> Option<NamedChoice> {
    match &records.last().unwrap().event {
        Event::Adjourned(Adjourned { decided, .. }) => decided.clone(),
        _ => panic!("a session ends"),
    }
}

#[test]
fn an_amount_is_correct_where_it_misses_the_right_one_by_at_most_the_declared_share_of_it() {
    let seats = [("Ann", 0.38), ("Bob", 0.4), ("Cy", 0.421), ("Dee", 0.44)];
    let seats: String = seats
        .iter()
        .map(|(name, at)| {
            format!("  - {{ name: {name}, mind: {{ degroot: {{ self_weight: 0.5, opinion: {at} }} }} }}\n")
        })
        .collect();
    // Ballots are 380, 400, 421 and 440, their mean is 410, and 400 is right.
    let cases: [(&str, [&str; 4], &str); 5] = [
        ("", ["0", "1", "0", "0"], "0"),
        ("correct_within: 0.024999\n", ["0", "1", "0", "0"], "0"),
        ("correct_within: 0.025\n", ["0", "1", "0", "0"], "1"),
        ("correct_within: 0.05\n", ["1", "1", "0", "0"], "1"),
        ("correct_within: 0.1\n", ["1", "1", "1", "1"], "1"),
    ];
    for (within, ballots, decided) in cases {
        for by_item in [true, false] {
            let place = tempfile::tempdir().unwrap();
            fs::write(place.path().join("items.csv"), "id,text,unit,least,most,right\nq,How many?,sheep,0,1000,400\n")
                .unwrap();
            let items = "items: { file: items.csv, id: id, text: text, key: right, amount: { unit: unit, min: least, max: most } }\n";
            // Without items the scenario itself says what is right.
            write_own_scenario(place.path(), "estimation", |shipped| match by_item {
                true => shipped,
                false => shipped.replace("max: 2400", "max: 1000").replace("amount: 1198", "amount: 400"),
            });
            let body = format!(
                "experiment: t\nscenario: own\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n\
                 {seats}{}discussion: {{ rounds: 0 }}\ndecision: {{ rule: mean }}\n{within}",
                if by_item { items } else { "" }
            );
            let config = write_file(place.path(), "config.yaml", body);
            let out = place.path().join("out");
            ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions"]);
            let cells = |table: &str, column: &str| -> Vec<String> {
                let mut reader = csv::Reader::from_path(out.join(table)).unwrap();
                let place = reader.headers().unwrap().iter().position(|name| name == column).expect(column);
                reader.records().map(|row| row.unwrap()[place].to_owned()).collect()
            };
            assert_eq!(cells("sessions.csv", "amount"), ["410"]);
            assert_eq!(cells("sessions.csv", "correct"), [decided], "{within}{by_item}");
            assert_eq!(cells("ballots.csv", "correct"), [ballots; 3].concat(), "{within}{by_item}");
            for column in ["straw_before_correct", "final_ballot_correct"] {
                assert_eq!(cells("seats.csv", column), ballots, "{within}{by_item}");
            }
            for cell in ["sessions.csv:1:correct", "ballots.csv:3:correct", "seats.csv:1:final_ballot_correct"] {
                ekklesia(&["why", text(&out.join(cell))]).says(0, &["estimate "]);
            }
        }
    }
}

#[test]
fn a_complete_network_averages_and_a_star_averages_around_its_centre() {
    let complete = |rounds: u32, rule: &str| {
        four([100, 200, 400, 900], &format!("discussion: {{ rounds: {rounds} }}\ndecision: {{ rule: {rule} }}\n"))
    };
    assert_eq!(named(&whole(&complete(0, "mean"), 1)), [100, 200, 400, 900]);
    // x/2 + (sum of the others)/6.
    assert_eq!(named(&whole(&complete(1, "mean"), 1)), [300, 333, 400, 567]);
    for (rule, amount) in [("mean", 400), ("median", 367)] {
        assert_eq!(decided(&whole(&complete(1, rule), 1)).unwrap().amount, Some(amount), "{rule}");
    }
    let star =
        |rounds: u32| four([100, 200, 400, 900], &format!("discussion: {{ rounds: {rounds}, network: star }}\n"));
    assert_eq!(named(&whole(&star(1), 1)), [300, 150, 250, 500]);
    assert_eq!(named(&whole(&star(2), 1)), [300, 225, 275, 400]);
    let ring = four([100, 200, 400, 900], "discussion: { rounds: 1, network: ring }\n");
    // x/2 + (both neighbours)/4.
    assert_eq!(named(&whole(&ring, 1)), [325, 225, 475, 575]);
}

/// Feedback in so many rounds, and no talk.
fn delphi(rounds: u32) -> String {
    format!("discussion: {{ rounds: 0 }}\nparameters: {{ feedback: {rounds} }}\n")
}

/// The whole amounts that seats gave in a field, in their order.
fn estimated(records: &[Record], phase: &str, field: &str) -> Vec<i64> {
    let asked = records.iter().filter(|record| record.at.phase == PhaseName::new(phase));
    let value = |record: &Record| match record.form_values()?.find(field)?? {
        FieldValue::Number(number) => number.in_units(0),
        _ => None,
    };
    asked.filter_map(value).collect()
}

#[test]
fn under_feedback_each_seat_goes_half_the_way_to_the_median_that_the_minutes_tell() {
    let records = whole(&four([100, 200, 400, 900], &delphi(2)), 1);
    assert_eq!(estimated(&records, "first", "alone"), [100, 200, 400, 900]);
    assert_eq!(estimated(&records, "estimates@1", "guess"), [100, 200, 400, 900]);
    assert_eq!(estimated(&records, "estimates@2", "guess"), [200, 250, 350, 600]);
    assert_eq!(estimated(&records, "last", "after"), [250, 275, 325, 450]);
    assert_eq!(named(&records), [250, 275, 325, 450]);
    let told: Vec<(String, u32)> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Briefed(told) => Some((told.text.clone(), told.group()?.billionths())),
            _ => None,
        })
        .collect();
    let words = "The median of the estimates is 300.".to_owned();
    assert_eq!(told, [(words.clone(), 300_000_000), (words, 300_000_000)]);
    assert_eq!(decided(&records).unwrap().amount, Some(300));
    assert!(!records.iter().any(|record| matches!(record.reply(), Some(Reply::Statement { .. }))), "nobody speaks");
    // Without feedback nobody moves.
    assert_eq!(named(&whole(&four([100, 200, 400, 900], &delphi(0)), 1)), [100, 200, 400, 900]);
    // Who heard statements heeds these and not the median.
    let both = "discussion: { rounds: 1 }\nparameters: { feedback: 1 }\n";
    assert_eq!(named(&whole(&four([100, 200, 400, 900], both), 1)), [300, 333, 400, 567]);
}

/// The estimates that a seat gave and remembers at the end.
fn own_answers(plan: &Arc<Plan>, seat: u32) -> Vec<String> {
    let state = folded(plan, 1, &whole(plan, 1));
    let (brief, _) = state.memory().recall_brief(SeatId(seat));
    let named = brief.own.iter().chain(brief.pinned).filter(|entry| entry.kind == EntryKind::OwnAnswer);
    named.map(|entry| entry.text.clone()).collect()
}

#[test]
fn a_seat_remembers_its_own_estimates_and_no_one_elses() {
    let plan = four([100, 200, 400, 900], &delphi(2));
    for (seat, named) in [(0, [100, 100, 200, 250]), (3, [900, 900, 600, 450])] {
        let kept = own_answers(&plan, seat);
        let asked = "A private estimate that nobody hears from you: what do you think now? (sheep)";
        let lines = named.iter().map(|amount| format!("You answered: «{asked}» {amount}"));
        assert_eq!(kept, lines.collect::<Vec<_>>(), "seat {seat}");
    }
    // They are routed like other events (an integration replaces them), and a policy that keeps nothing keeps none of them.
    let memories = [
        ("{ routing: { own_answer: skip } }", 0),
        ("{ routing: { own_answer: integrated } }", 0),
        ("{ policy: none }", 0),
        ("{ policy: { window: { statements: 1 } }, pin: [own_answer] }", 4),
    ];
    for (memory, kept) in memories {
        let plan = four([100, 200, 400, 900], &format!("{}memory: {memory}\n", delphi(2)));
        assert_eq!(own_answers(&plan, 0).len(), kept, "{memory}");
    }
    // A poll about alternatives is no estimate.
    let seats = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 3 } ]\n";
    assert!(own_answers(&trial::plan(&format!("{seats}straw_polls: [before, after]\n")), 0).is_empty());
}

#[test]
fn half_a_unit_is_rounded_up_whatever_the_mean_of_two_fractions_comes_to() {
    // In binary the mean of 0.053 and 0.142 lies below 0.0975, and the amount is 97.5 all the same.
    assert_eq!(named(&whole(&four([120, 163, 163, 53], &delphi(1)), 1)), [131, 153, 153, 98]);
}

#[test]
fn an_estimate_has_the_bounds_and_the_unit_of_its_item() {
    let config = repository().join("configs/estimation.yaml");
    let told = ekklesia(&["check", text(&config), "--show", "Member 1:ask"]);
    told.says(0, &["what do you think now? (pounds)", "0 to 2400"]);
    let told = ekklesia(&["check", text(&config), "--item", "everest", "--show", "Member 1:ask"]);
    told.says(0, &["what do you think now? (metres)", "5000 to 12000"]);
}

#[test]
fn where_a_group_stands_is_told_to_all_alike_or_not_at_all() {
    let place = tempfile::tempdir().unwrap();
    let check = |from: &str, to: &str| {
        write_own_scenario(place.path(), "estimation", |shipped| {
            assert!(shipped.contains(from), "{from}");
            shipped.replace(from, to)
        });
        let seats = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 3 } ]\n";
        let config = write_file(
            place.path(),
            "config.yaml",
            format!("experiment: t\nscenario: own\nseed: 7\n{seats}parameters: {{ feedback: 1 }}\n"),
        );
        ekklesia(&["check", text(&config)])
    };
    check("name: told, brief", "name: told, who: [Member 1], brief")
        .says(2, &["agenda.told.brief.opinion", "all seats"]);
    check("is {{ middle }}.", "is {{ middle }}, yours {{ seat.guess }}.").says(2, &["agenda.told.brief.opinion"]);
    check("opinion: middle", "opinion: middle > 3").says(2, &["where the group stands is a number"]);
    check("opinion: middle", "opinion: midle").says(2, &["agenda.told.brief.opinion", "midle"]);
    // Only what measures the amount that is decided may leave out its bounds.
    check("id: guess, measures: opinion", "id: guess").says(2, &["agenda.estimates.ask.0.number", "write min and max"]);
}

proptest! {
    #![proptest_config(law_cases(12))]

    #[test]
    fn feedback_keeps_the_median_and_halves_every_distance_from_it(at in prop::array::uniform4(0u32..=1000)) {
        let records = whole(&four(at, &delphi(1)), 1);
        let mut sorted = at;
        sorted.sort_unstable();
        let median = (sorted[1] + sorted[2]).div_ceil(2);
        for (now, before) in named(&records).into_iter().zip(at) {
            // Half a unit up.
            prop_assert_eq!(now, (before + median).div_ceil(2));
        }
    }
}

/// The cells of some columns of a table that a run left, as they are written.
fn cells(folder: &Path, table: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(table)).unwrap();
    let header = reader.headers().unwrap().clone();
    let place = |name: &&str| header.iter().position(|column| column == *name).unwrap_or_else(|| panic!("no {name}"));
    let places: Vec<usize> = columns.iter().map(place).collect();
    reader.records().map(|row| row.unwrap()).map(|row| places.iter().map(|at| row[*at].to_owned()).collect()).collect()
}

/// A number of six decimals, in millionths.
fn millionths(cell: &str) -> i128 {
    let (whole, decimals) = cell.split_once('.').unwrap();
    assert_eq!(decimals.len(), 6, "{cell}");
    whole.parse::<i128>().unwrap() * 1_000_000 + decimals.parse::<i128>().unwrap()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_crowds_error_is_its_members_error_less_their_diversity_to_the_last_digit_in_every_session() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (repository().join("configs/estimation.yaml"), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "2"]).says(0, &["off what is right"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let mut seen = 0;
    for poll in ["straw_before", "straw_after"] {
        let columns = ["crowd_error", "individual_mse", "diversity"].map(|column| format!("{poll}_{column}"));
        for row in cells(&out, "sessions.csv", &columns.each_ref().map(String::as_str)) {
            // Eight estimates: every mean of squares has at most six decimals, so that nothing was rounded.
            assert_eq!(millionths(&row[0]), millionths(&row[1]) - millionths(&row[2]), "{row:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 2 * 5 * 8 * 2);
    // Feedback and talk narrow what is named; being alone does not. The same seats came to every arm with the same estimates.
    let rows =
        cells(&out, "sessions.csv", &["arm", "item", "straw_before_diversity", "straw_after_diversity", "result_unit"]);
    let first: BTreeMap<&str, &str> = rows.iter().take(16).map(|row| (row[1].as_str(), row[4].as_str())).collect();
    assert_eq!((first.len(), first["ox"], first["mars"]), (8, "pounds", "days"));
    for row in &rows {
        let (before, after) = (millionths(&row[2]), millionths(&row[3]));
        assert!(if row[0] == "alone" { before == after } else { after < before }, "{row:?}");
    }
    let before = |arm: &str| rows.iter().filter(|row| row[0] == arm).map(|row| &row[2]).collect::<Vec<_>>();
    assert_eq!(before("alone"), before("chat"));
    let cell = format!("{}:1:straw_before_crowd_error", out.join("sessions.csv").display());
    ekklesia(&["why", &cell]).says(0, &["first", "alone"]);
    ekklesia(&["show", text(&out.join("sessions/alone-iox-r000001"))])
        .says(0, &["right is 1 198 pounds; nobody is told"]);
}

#[test]
fn without_items_the_scenarios_own_truth_counts() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = repository().join("scenarios/estimation");
    let body = "seed: 7\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\nseats: [ { count: 3 } ]\n";
    let config =
        write_file(folder.path(), "config.yaml", format!("experiment: t\nscenario: {}\n{body}", scenario.display()));
    let experiment = read(&config);
    let records = whole(&experiment.arms[0], 1);
    let right = records.iter().find_map(|record| match &record.event {
        Event::Convened(Convened { truth: Some(truth), .. }) => truth.amount(),
        _ => None,
    });
    assert_eq!(right, Some(1198));
    assert!(records.iter().any(|record| record.at.phase == PhaseName::new("estimate")));
}

#[test]
fn keys_and_amounts_of_items_that_cannot_be_are_told_each_in_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "id,text,unit,least,most,right\na,How many?,sheep,0,1000,many\nb,How many?,sheep,0,1000,1001\nc,How many?,sheep,9,9,9\n\
                d,How many?,,0,10,3\ne,How many?,sheep,-1,10,3\n";
    fs::write(folder.path().join("items.csv"), rows).unwrap();
    let items =
        "items: { file: items.csv, id: id, text: text, key: right, amount: { unit: unit, min: least, max: most } }\n";
    let base = format!(
        "experiment: t\nscenario: {}\nseed: 7\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [ {{ count: 3 }} ]\n",
        repository().join("scenarios/estimation").display()
    );
    let config = write_file(folder.path(), "config.yaml", format!("{base}{items}"));
    ekklesia(&["check", text(&config)]).refuses(&[
        "items.csv:2",
        "the key \"many\", which is no whole number from 0 to 1000",
        "items.csv:3",
        "the key \"1001\", which is no whole number from 0 to 1000",
        "items.csv:4",
        "the least amount 9, which is not below the greatest 9",
        "items.csv:5",
        "has no unit",
        "items.csv:6",
        "the least amount \"-1\"",
    ]);
    fs::write(&config, format!("{base}{}", items.replace("unit: unit", "unit: units"))).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["items.amount.unit", "units"]);
    let motion = base.replace("scenarios/estimation", "scenarios/motion");
    fs::write(&config, format!("{motion}{items}")).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["items.amount", "where the scenario has an `amount`"]);
}
