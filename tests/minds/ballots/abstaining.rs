//! Votes for nothing by choice, ballots by what alternatives are worth, and the order of an amendment agenda.

use std::fs;

use ekklesia::domain::{Adjourned, AlternativeName, Ballot, Event, Record, Reply, Step, Verdict};

use super::{FRUIT, OX, assert_cuts, assert_explained, column, tally, voted, write};
use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, whole};

/// Seats of whom some abstain, some cannot be read, and one always abstains.
const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 5, name: \"Seat {n}\", mind: { random: { malformed: 0.3, abstain: 0.4 } } }
  - { name: Vera, mind: { voter: { copy: 0.5 } } }
  - { name: Sil, mind: { silent: {} } }
replicates: 3
";

fn abstained(records: &[Record]) -> usize {
    records.iter().filter(|record| matches!(record.reply(), Some(Reply::Abstention))).count()
}

#[test]
fn who_abstains_is_counted_stays_a_member_and_never_voids_a_vote() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = 0;
    for decision in voted().into_iter().chain(["rule: plurality, ballot: choice".to_owned()]) {
        let written = format!("{SEATS}decision: {{ {decision}, abstain: true, invalid: abstain }}\n");
        let plan = read(&write(folder.path(), FRUIT, &written)).arms[0].clone();
        for replicate in 1..=6 {
            let records = whole(&plan, replicate);
            let (report, by_choice) = (tally(&records), abstained(&records) as u32);
            assert_eq!(report.by_choice, by_choice, "{decision}");
            assert_eq!((report.eligible, report.valid + report.abstained), (7, 7), "{decision}");
            assert_eq!(report.abstained, by_choice + report.invalid, "{decision}");
            all += by_choice;
        }
    }
    assert!(all > 200, "{all}");
    // Where one invalid ballot voids a vote, an abstention does not.
    let seats = SEATS.replace("malformed: 0.3, ", "");
    let written =
        format!("{seats}decision: {{ rule: plurality, ballot: choice, abstain: true, invalid: void_round }}\n");
    let plan = read(&write(folder.path(), FRUIT, &written)).arms[0].clone();
    let records = whole(&plan, 1);
    assert!(abstained(&records) > 0 && !tally(&records).winners.is_empty());
    // Where nobody may, nobody does.
    let plan = read(&write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ rule: plurality, ballot: choice }}\n")));
    assert!((1..=6).all(|replicate| abstained(&whole(&plan.arms[0], replicate)) == 0));
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_quorum_is_missed_as_often_as_so_many_abstain() {
    let folder = tempfile::tempdir().unwrap();
    let written = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { abstain: 0.5 } } }
seats: [{ count: 4 }]
decision: { rule: plurality, ballot: choice, abstain: true, quorum: 3/4, tie_break: lot }
";
    let plan = read(&write(folder.path(), FRUIT, written)).arms[0].clone();
    let mut missed = 0;
    for replicate in 1..=400 {
        let records = whole(&plan, replicate);
        let report = tally(&records);
        assert_eq!(report.quorum_met, Some(report.valid >= 3));
        let verdict = match &records.last().unwrap().event {
            Event::Adjourned(Adjourned { verdict, .. }) => *verdict,
            _ => unreachable!("a session ends"),
        };
        assert_eq!(verdict == Verdict::NoQuorum, report.valid < 3);
        missed += u32::from(report.valid < 3);
    }
    // Of four who vote with probability one half fewer than three do with probability 11/16: 275 of 400, deviation 9.3.
    assert!((240..=310).contains(&missed), "{missed}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn abstentions_are_cut_replayed_explained_told_and_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    for (place, (scenario, decision)) in
        [(FRUIT, "rule: borda, truncated: true"), (FRUIT, "rule: plurality, ballot: choice"), (OX, "rule: median")]
            .into_iter()
            .enumerate()
    {
        let decision =
            format!("decision: {{ {decision}, abstain: true, quorum: 1/3, roll_call: true, invalid: abstain }}\n");
        let config = write(folder.path(), scenario, &format!("{SEATS}{decision}"));
        assert_cuts(&config);
        let out = folder.path().join(format!("out{place}"));
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3 sessions completed"]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence", "no seat was shown anything"]);
        if place == 1 {
            assert_explained(&out, &["ballots", "tallies"], &["tallies:quorum_met"]);
            for column in ["quorum_met", "abstained_by_choice", "abstained"] {
                let cell = format!("{}:1:{column}", text(&out.join("tallies.csv")));
                ekklesia(&["why", &cell]).says(0, &["abstains", "vote, tally"]);
            }
            let numbers = |name: &str| -> Vec<u32> {
                column(&out, "tallies.csv", name).iter().map(|cell| cell.parse().unwrap()).collect()
            };
            let (all, by_choice) = (numbers("abstained"), numbers("abstained_by_choice"));
            let both = by_choice.iter().zip(numbers("invalid")).map(|(by_choice, invalid)| by_choice + invalid);
            assert_eq!(all, both.collect::<Vec<_>>());
            // Who abstains is a member of the quorum, and no invalid ballot.
            assert!(numbers("valid").iter().zip(&all).all(|(valid, abstained)| valid + abstained == 7));
        }
        let status = column(&out, "ballots.csv", "status");
        let rows = status.iter().filter(|status| *status == "abstained").count();
        let told: usize = (1..=3).map(|replicate| abstained(&whole(&read(&config).arms[0], replicate))).sum();
        assert_eq!(rows, told);
        assert!(rows >= 3, "Sil abstains in every session");
        let shown = ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]);
        shown.says(0, &["abstains · shown in the order", "abstained"]);
        ekklesia(&["retally", text(&out), "--rule", "plurality"]).says(0, &[]);
    }
}

#[test]
fn a_fork_may_have_a_seat_abstain_and_a_script_may_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let written = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0 } } }
seats:
  - { count: 3, name: \"Seat {n}\" }
  - name: Con
    mind: { scripted: { table: [
        { phase: discussion, round: 1, step: statement, pass: true }, { phase: discussion, round: 2, step: statement, pass: true },
        { phase: vote, round: 0, step: ballot, abstains: true } ] } }
  - name: App
    mind: { scripted: { table: [
        { phase: discussion, round: 1, step: statement, pass: true }, { phase: discussion, round: 2, step: statement, pass: true },
        { phase: vote, round: 0, step: ballot, ballot: \"pear, plum\" } ] } }
decision: { rule: approval, abstain: true }
";
    let config = write(folder.path(), FRUIT, written);
    let records = whole(&read(&config).arms[0], 1);
    assert_eq!(abstained(&records), 1);
    let both = Ballot::Approval(["pear", "plum"].map(AlternativeName::new).to_vec());
    assert!(records.iter().any(|record| record.reply() == Some(Reply::Ballot(both.clone()))));
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions completed"]);
    let (change, fork) = (folder.path().join("change.yaml"), folder.path().join("fork"));
    fs::write(&change, "at: { seat: Seat 2, phase: vote }\nballot: abstain\n").unwrap();
    let session = out.join("sessions/baseline-r000001");
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)])
        .says(0, &["the first that differs"]);
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    assert_eq!(column(&fork, "tallies.csv", "abstained")[0], "2");
}

#[test]
fn an_option_called_like_abstaining_and_a_second_agenda_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |scenario: &str, decision: &str, says: &[&str]| {
        let config = write(folder.path(), scenario, &format!("{SEATS}decision: {{ {decision} }}\n"));
        ekklesia(&["check", text(&config)]).says(2, says);
    };
    let named = FRUIT.replace("name: plum,", "name: abstain,");
    check(&named, "rule: plurality, abstain: true", &["decision.abstain", "an alternative is called \"abstain\""]);
    check(FRUIT, "rule: borda, agenda: [apple]", &["only the rule amendment_agenda has one"]);
    check(
        FRUIT,
        "rule: amendment_agenda, agenda: [apple, pear, plum]",
        &["nothing is missing: every alternative has its turn"],
    );
    check(
        FRUIT,
        "rule: amendment_agenda, agenda: [apple, pears, pear, nothing, apple]",
        &["no alternative is named \"pears\"", "did you mean", "apple is there twice"],
    );
}

/// In a cycle the option that is entered last wins, so that the agenda decides; counted again it does as well.
#[test]
fn the_order_of_an_amendment_agenda_is_a_factor_of_a_design() {
    let folder = tempfile::tempdir().unwrap();
    let ranks = |name: &str, order: &str| {
        format!("  - name: {name}\n    mind: {{ scripted: {{ list: [{{ ranking: [{order}], certainty: sure }}] }} }}\n")
    };
    let seats =
        [("A", "apple, pear, plum, nothing"), ("B", "pear, plum, apple, nothing"), ("C", "plum, apple, pear, nothing")];
    let seats: String = seats.into_iter().map(|(name, order)| ranks(name, order)).collect();
    let written = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 0 }}\n\
         decision: {{ rule: amendment_agenda }}\ndesign:\n  factors:\n    agenda:\n      set:\n        \
         as_listed: {{ decision.agenda: [apple, pear, plum, nothing] }}\n        pear_last: {{ decision.agenda: [nothing, plum, apple, pear] }}\n        \
         apple_last: {{ decision.agenda: [pear, nothing, plum, apple] }}\n  baseline: {{ agenda: as_listed }}\n"
    );
    let config = write(folder.path(), FRUIT, &written);
    let decided = |arm: usize| tally(&whole(&read(&config).arms[arm], 1)).decided.unwrap().to_string();
    // Listed: apple beats pear, plum beats apple, plum beats nothing.
    assert_eq!([decided(0), decided(1), decided(2)], ["plum", "pear", "apple"]);
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3 sessions completed"]);
    for (arm, winner) in [("as_listed", "plum"), ("pear_last", "pear"), ("apple_last", "apple")] {
        let session = out.join(format!("sessions/{arm}-r000001"));
        let told = ekklesia(&["retally", text(&session), "--rule", "amendment_agenda", "--json"]);
        told.says(0, &[&format!("\"{winner}\"")]);
    }
}

/// What is worth more than the mean is approved of, and scores fall with what it is worth.
#[test]
fn a_mind_with_weights_approves_and_scores_by_them() {
    let folder = tempfile::tempdir().unwrap();
    for decision in ["rule: approval", "rule: score, score_max: 10"] {
        let written = format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {{ degroot: {{}} }} }}\nseats: [{{ count: 6 }}]\n\
             straw_polls: [before]\ndiscussion: {{ rounds: 0 }}\ndecision: {{ {decision} }}\n"
        );
        let plan = read(&write(folder.path(), FRUIT, &written)).arms[0].clone();
        let mut several = 0;
        for replicate in 1..=10 {
            let records = whole(&plan, replicate);
            for record in &records {
                let Some(Reply::Ballot(ballot)) = record.reply() else { continue };
                let given = record.event.given().unwrap();
                // The state: steps, what was heard, and a weight an alternative in billionths.
                let weights = &given.state.0[2..6];
                let (least, most) = (*weights.iter().min().unwrap(), *weights.iter().max().unwrap());
                match ballot {
                    Ballot::Approval(approved) => {
                        let names = ["apple", "pear", "plum", "nothing"].iter().zip(weights);
                        let above = names.filter(|(_, weight)| 4 * **weight > 1_000_000_000).map(|(name, _)| *name);
                        assert_eq!(
                            approved.iter().map(AlternativeName::as_str).collect::<Vec<_>>(),
                            above.collect::<Vec<_>>()
                        );
                        several += usize::from(approved.len() > 1);
                    }
                    Ballot::Score(scores) => {
                        for (score, weight) in scores.iter().zip(weights) {
                            let exact = 10.0 * (weight - least) as f64 / (most - least) as f64;
                            assert!((f64::from(score.score) - exact).abs() <= 0.5 + 1e-9);
                            several += usize::from((1..10).contains(&score.score));
                        }
                    }
                    Ballot::Ranking(_) => unreachable!("nobody was asked for one"),
                }
            }
        }
        assert!(several > 10, "{decision}");
    }
}

/// Who stands too near to the middle abstains.
#[test]
fn the_indifferent_abstain() {
    let folder = tempfile::tempdir().unwrap();
    let seat = |opinion: f64| {
        let name = (1000.0 * opinion) as u32;
        format!("  - {{ name: O{name}, mind: {{ degroot: {{ opinion: {opinion}, indifference: 0.2 }} }} }}\n")
    };
    let seats: String = [0.3, 0.4, 0.401, 0.5, 0.599, 0.6, 0.7].map(seat).concat();
    let two = FRUIT
        .replace("  - { name: plum, label: Plums }\n  - { name: nothing, label: Nothing, status_quo: true }\n", "");
    let written = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 0 }}\n\
         decision: {{ rule: plurality, ballot: choice, abstain: true }}\n"
    );
    let plan = read(&write(folder.path(), &two, &written)).arms[0].clone();
    let records = whole(&plan, 1);
    let voted = |record: &Record| match record.reply().filter(|_| record.at.step == Step::Ballot) {
        Some(Reply::Choice(choice)) => Some(choice.alternative.to_string()),
        Some(Reply::Abstention) => Some("abstain".to_owned()),
        _ => None,
    };
    let told: Vec<String> = records.iter().filter_map(voted).collect();
    assert_eq!(told, ["pear", "pear", "abstain", "abstain", "abstain", "apple", "apple"]);
}
