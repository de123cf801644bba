//! Weights of seats, a quorum, and ties that ballots break.

use std::fs;
use std::path::PathBuf;

use ekklesia::choice::{
    BlankBallots, Bundle, CountTerms, Tally, TallyForm, bundle_ballot, count_tally as told_by, form_of, highest_of,
    mean, median,
};
use ekklesia::domain::{
    Adjourned, AlternativeId, AlternativeName, Ballot, Choice, Event, Record, Reply, SeatName, Step, TieBreak, Verdict,
};

use super::{FRUIT, OX, SEATS, assert_cuts, assert_explained, column, tally, voted, write};
use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, whole};

/// Who cast which ballot over alternatives, by the scenario's order; of one choice as an order of it alone.
fn cast(records: &[Record], names: &[&str]) -> Vec<(SeatName, Ballot<AlternativeId>)> {
    let id = |name: &AlternativeName| AlternativeId(names.iter().position(|one| *one == name.as_str()).unwrap() as u32);
    let voted = records.iter().filter_map(|record| {
        let ballot = match record.reply().filter(|_| record.at.step == Step::Ballot)? {
            Reply::Ballot(ballot) => ballot.map(id),
            Reply::Choice(choice) => Ballot::Ranking(vec![vec![id(&choice.alternative)]]),
            _ => return None,
        };
        Some((record.seat.clone().unwrap(), ballot))
    });
    voted.collect()
}

const FRUITS: [&str; 4] = ["apple", "pear", "plum", "nothing"];

fn weight_of(seat: &SeatName) -> u32 {
    match seat.as_str() {
        "Seat 1" => 0,
        "Seat 2" => 2,
        "Vera" => 3,
        _ => 1,
    }
}

/// Of a seat that weighs nothing the ballot is left out; one that weighs three is cast three times.
#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_weight_is_so_many_ballots_under_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    let choices = ["plurality", "majority", "unanimity", "supermajority, threshold: 2/3", "random_ballot"];
    let choices = choices.into_iter().map(|rule| format!("rule: {rule}, ballot: choice"));
    for decision in choices.chain(voted()) {
        let weights = "weights: { Vera: 3, Seat 1: 0, Seat 2: 2 }";
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision}, {weights} }}\n"));
        let plan = read(&config).arms[0].clone();
        for replicate in 1..=12 {
            let records = whole(&plan, replicate);
            let (report, cast) = (tally(&records), cast(&records, &FRUITS));
            let repeated = cast.iter().flat_map(|(seat, ballot)| vec![ballot.clone(); weight_of(seat) as usize]);
            let bundles: Vec<Bundle> = match form_of(plan.voting.form).unwrap() {
                TallyForm::Choice => {
                    let place = |ballot: &Ballot<AlternativeId>| ballot.first().unwrap().index();
                    let bundle =
                        |place| Bundle { ballot: ekklesia::choice::TallyBallot::Choice(place), weight: 1, count: 1 };
                    repeated.map(|ballot| bundle(place(&ballot))).collect()
                }
                _ => repeated.map(|ballot| bundle_ballot(4, &ballot, 1)).collect(),
            };
            assert_eq!(report.valid + report.invalid, 6, "{decision}");
            let form = (form_of(plan.voting.form).unwrap(), 4);
            let terms = CountTerms { strength: plan.voting.strength, ..CountTerms::default() };
            let blank = BlankBallots { invalid: report.invalid, abstained: 0 };
            let told: Tally = told_by(&plan.decision, &terms, form, bundles, blank);
            let id = |name: &AlternativeName| FRUITS.iter().position(|one| *one == name.as_str()).unwrap();
            let winners: Vec<usize> = report.winners.iter().map(|winner| id(&winner.alternative)).collect();
            assert_eq!(winners, told.winners, "{decision}");
            let numbers = (report.eligible, report.valid, report.abstained, report.threshold);
            assert_eq!(numbers, (told.eligible, told.valid, told.abstained, told.threshold), "{decision}");
            if let (Some(points), false) = (&told.points, form.0 == TallyForm::Choice) {
                for (place, count) in report.counts.iter().enumerate() {
                    let of = count.points.unwrap();
                    assert_eq!(i128::from(of.of) * points.unit as i128, points.of[place] * i128::from(of.unit));
                }
            }
        }
    }
}

#[test]
fn amounts_weigh_as_much_as_their_seats() {
    let folder = tempfile::tempdir().unwrap();
    for (rule, middle) in [("mean", mean as fn(&[(u32, u64)]) -> Option<u32>), ("median", median)] {
        let decision = format!("decision: {{ rule: {rule}, weights: {{ Vera: 3, Seat 1: 0, Seat 2: 2 }} }}\n");
        let config = write(folder.path(), OX, &format!("{SEATS}{decision}"));
        let plan = read(&config).arms[0].clone();
        for replicate in 1..=12 {
            let records = whole(&plan, replicate);
            let amount = |record: &Record| match (record.at.step, record.reply()) {
                (Step::Ballot, Some(Reply::Choice(choice))) => {
                    Some((choice.amount.unwrap(), weight_of(record.seat.as_ref().unwrap()).into()))
                }
                _ => None,
            };
            let amounts: Vec<(u32, u64)> = records.iter().filter_map(amount).collect();
            assert_eq!(tally(&records).decided.and_then(|decided| decided.amount), middle(&amounts), "{rule}");
        }
    }
}

#[test]
fn without_its_quorum_a_vote_decides_nothing_and_the_verdict_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let seats = SEATS.replace("malformed: 0.3", "malformed: 0.7");
    let decision = "decision: { rule: plurality, quorum: 3/4, of: valid, weights: { Vera: 2 } }";
    let config = write(folder.path(), FRUIT, &format!("{seats}{decision}\n"));
    let plan = read(&config).arms[0].clone();
    let mut met = [0, 0];
    for replicate in 1..=30 {
        let records = whole(&plan, replicate);
        let (report, cast) = (tally(&records), cast(&records, &FRUITS));
        let valid: u32 = cast.iter().map(|(seat, _)| if seat.as_str() == "Vera" { 2 } else { 1 }).sum();
        assert_eq!((report.valid, report.valid + report.invalid), (valid, 5));
        assert_eq!(report.quorum_met, Some(valid >= 4));
        assert_eq!(report.decided.is_some(), valid >= 4);
        let Some(Event::Adjourned(Adjourned { verdict, .. })) = records.last().map(|record| &record.event) else {
            panic!("an end")
        };
        assert_eq!(*verdict, if valid >= 4 { Verdict::Carried } else { Verdict::NoQuorum });
        met[usize::from(valid >= 4)] += 1;
    }
    assert!(met.iter().all(|times| *times > 0), "{met:?}");
    assert_cuts(&config);
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_tie_is_broken_by_the_ballots_that_the_tally_names() {
    let folder = tempfile::tempdir().unwrap();
    let seats = SEATS.replace("mind: { voter: { copy: 0.5 } }", "mind: { random: { malformed: 0.6 } }");
    for rule in ["plurality", "approval", "copeland, ties: true, truncated: true", "score, score_max: 1"] {
        for tie_break in ["chair, chair: Vera", "random_ballot"] {
            let decision = format!("decision: {{ rule: {rule}, tie_break: {tie_break} }}\n");
            let config = write(folder.path(), FRUIT, &format!("{seats}{decision}"));
            let plan = read(&config).arms[0].clone();
            let (mut told, mut lots) = (0, 0);
            for replicate in 1..=80 {
                let records = whole(&plan, replicate);
                let (report, cast) = (tally(&records), cast(&records, &FRUITS));
                let id = |name: &AlternativeName| {
                    Choice::from(AlternativeId(FRUITS.iter().position(|one| *one == name.as_str()).unwrap() as u32))
                };
                let mut tied: Vec<Choice> = report.winners.iter().map(|winner| id(&winner.alternative)).collect();
                assert_eq!(report.tie_break.is_some(), tied.len() > 1);
                for seat in &report.tie_ballots {
                    assert!(tied.len() > 1, "no ballot is looked at without need");
                    let (_, ballot) = cast.iter().rfind(|(voter, _)| voter == seat).unwrap();
                    tied = highest_of(ballot, &tied);
                }
                let Some(by) = report.tie_break else { continue };
                assert!(tied.contains(&id(&report.decided.unwrap().alternative)));
                assert_eq!(by == TieBreak::Lot, tied.len() > 1, "{rule} {tie_break}");
                assert!(by == TieBreak::Lot || by == plan.decision.tie_break);
                told += u32::from(by != TieBreak::Lot);
                lots += u32::from(by == TieBreak::Lot);
            }
            assert!(told > 0 && (lots > 0 || tie_break == "random_ballot"), "{rule} {tie_break}: {told} {lots}");
        }
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_folder_of_weighted_ballots_is_replayed_counted_again_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let decision =
        "decision: { rule: borda, quorum: 0.5, tie_break: chair, chair: Vera, weights: { Vera: 3, Seat 1: 0 } }";
    let config = write(folder.path(), FRUIT, &format!("{SEATS}{decision}\n"));
    let out = folder.path().join("out");
    let said = ["at least 1/2 of members", "Vera 3", "the ballot of the chair breaks a tie"];
    ekklesia(&["check", text(&config)]).says(0, &said);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["3 sessions, no divergence"]);
    let (seats, weights) = (column(&out, "ballots.csv", "seat"), column(&out, "ballots.csv", "weight"));
    let purposes = column(&out, "ballots.csv", "purpose");
    for ((seat, weight), purpose) in seats.iter().zip(&weights).zip(&purposes) {
        let of = match seat.as_str() {
            _ if purpose != "vote" => "",
            "Vera" => "3",
            "Seat 1" => "0",
            _ => "1",
        };
        assert_eq!(weight, of, "{seat} {purpose}");
    }
    assert!(column(&out, "tallies.csv", "quorum_met").iter().any(|met| met == "1"));
    assert_explained(&out, &["ballots", "tallies", "sessions"], &["ballots:weight", "tallies:quorum_met"]);
    let tied = folder.path().join("tied");
    let decision = "decision: { rule: plurality, tie_break: chair, chair: Vera }";
    let config = write(folder.path(), FRUIT, &format!("{SEATS}{decision}\n"));
    ekklesia(&["run", text(&config), "--out", text(&tied), "--replicates", "12"]).says(0, &[]);
    assert_explained(&tied, &["tallies"], &["tallies:tie_ballots"]);
    // The points of a count and of the same counted again.
    let told = ekklesia(&["retally", text(&out), "--rule", "borda", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    let votes: Vec<&serde_json::Value> =
        told["elections"].as_array().unwrap().iter().filter(|one| one["held"]["purpose"] == "vote").collect();
    let (points, at) = (column(&out, "tallies.csv", "points"), column(&out, "tallies.csv", "purpose"));
    let points: Vec<f64> =
        points.iter().zip(&at).filter(|(_, at)| *at == "vote").map(|(points, _)| points.parse().unwrap()).collect();
    let of = |one: &serde_json::Value| {
        let (count, unit) = (&one["rules"][0], one["rules"][0]["points_unit"].as_f64().unwrap());
        count["points"].as_array().unwrap().iter().map(|points| points.as_f64().unwrap() / unit).collect::<Vec<f64>>()
    };
    let again: Vec<f64> = votes.into_iter().flat_map(of).collect();
    assert_eq!(points, again);
    let preflib = folder.path().join("preflib");
    ekklesia(&["export", text(&out), "--format", "preflib", "--out", text(&preflib)]).says(0, &[]);
    let voted = fs::read_dir(&preflib).unwrap().map(|file| file.unwrap().path());
    let voted: Vec<PathBuf> = voted.filter(|path| text(path).contains("-vote")).collect();
    let valid = column(&out, "tallies.csv", "valid");
    assert_eq!(voted.len(), 3);
    for path in voted {
        let written = fs::read_to_string(path).unwrap();
        let voters = written.lines().find_map(|line| line.strip_prefix("# NUMBER VOTERS: ")).unwrap();
        assert!(voters.parse::<u32>().unwrap() > 3 && valid.iter().any(|valid| valid == voters), "{written}");
    }
}

#[test]
fn weights_a_quorum_and_a_chair_that_cannot_be_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let says = |decision: &str, said: &[&str]| {
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
        ekklesia(&["check", text(&config)]).says(2, said);
    };
    says("weights: { Wera: 2 }", &["no seat is named \"Wera\"", "Vera"]);
    says("weights: { Vera: 10001 }", &["0 … 10000"]);
    says("weights: { Vera: 0, Seat 1: 0, Seat 2: 0, Seat 3: 0 }", &["no ballot counts for anything"]);
    says("quorum: 1.5", &["a quorum is more than 0 and at most 1"]);
    says("tie_break: chair", &["whose ballot decides a tie is missing", "chair: Alice"]);
    says("tie_break: lot, chair: Vera", &["only the tie-break chair has one"]);
    says("tie_break: chair, chair: Bob", &["no seat is named \"Bob\""]);
    let imposed = "rule: imposed, imposed: { alternative: plum }, weights: { Vera: 2 }, quorum: 1/2";
    says(imposed, &["decision.weights", "decision.quorum", "nobody votes where the decision is imposed"]);
}
