//! What seats vote by, all the way through: whole sessions are counted again from their minutes, cut, replayed, forked and explained.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod abstaining;
mod weighed;
mod worded;

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};

use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{check_cuts, read, whole};
use crate::oracle::check_cells;
use ekklesia::choice::{Ballots, CountTerms, bundle_ballot, form_of, mean, median, recount_ballots};
use ekklesia::domain::{AlternativeId, AlternativeName, Ballot, Event, Record, Reply, Step, TallyReport};

/// An ox is weighed: one alternative, of which the amount alone is decided.
const OX: &str = "\
scenario: ox
title: What an ox weighs
motion: { text: How heavy is the ox when dressed? }
alternatives: [{ name: weight, label: The weight of the dressed ox, takes_amount: true }]
amount: { unit: pounds, min: 0, max: 2000 }
agenda:
  - { name: discussion, discussion: {} }
  - { name: vote, vote: {} }
default_mind: { voter: { copy: 0.3 } }
discussion: { rounds: 2, order: random, vote: at_end }
decision: { rule: median, of: valid, invalid: abstain, tie_break: lot }
";

const QUESTION: &str = "Name the {{ alternative.label }}, in {{ unit }} from {{ amount_min }} to {{ amount_max }}.";

/// Seats of every kind of mind; some reply so that nobody can read it.
const SEATS: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Seat {n}\", mind: { random: { malformed: 0.3 } } }
  - { name: Vera, mind: { voter: { copy: 0.5 } } }
straw_polls: [before, each_round, after]
replicates: 3
";

fn write(folder: &Path, scenario: &str, config: &str) -> PathBuf {
    let own = folder.join("scenario");
    fs::create_dir_all(own.join("prompts/en")).unwrap();
    fs::write(own.join("scenario.yaml"), scenario).unwrap();
    fs::write(own.join("prompts/en/amount.j2"), QUESTION).unwrap();
    let path = folder.join("config.yaml");
    fs::write(&path, format!("experiment: trial\nscenario: scenario\nseed: 7\n{config}")).unwrap();
    path
}

/// The amounts balloted in the vote that a count closes.
fn amounts(records: &[Record]) -> Vec<(u32, u64)> {
    let ballots = records.iter().filter_map(|record| match (record.at.step, record.reply()) {
        (Step::Ballot, Some(Reply::Choice(choice))) => Some((choice.amount.unwrap(), 1)),
        _ => None,
    });
    ballots.collect()
}

fn tally(records: &[Record]) -> TallyReport {
    let mut tallies = records.iter().filter_map(|record| match &record.event {
        Event::Tallied(report) => Some(report.clone()),
        _ => None,
    });
    tallies.next_back().unwrap()
}

/// A session cut after any record goes on to the same minutes.
fn assert_cuts(config: &Path) {
    for plan in &read(config).arms {
        let records = whole(plan, 1);
        check_cuts(plan, 1, &records, sample_cases(0..records.len(), 5));
    }
}

fn column(folder: &Path, table: &str, name: &str) -> Vec<String> {
    let mut table = csv::Reader::from_path(folder.join(table)).unwrap();
    let place = table.headers().unwrap().iter().position(|column| column == name).unwrap();
    table.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

/// The cells of a folder's tables follow from the records that `why` names, these columns have values, and `why` explains each cell of a
/// row of some tables.
fn assert_explained(out: &Path, tables: &[&str], filled: &[&str]) {
    let seen = check_cells(out, 1);
    assert!(filled.iter().all(|column| seen.contains(*column)), "{filled:?}: {seen:?}");
    for table in tables {
        let file = out.join(format!("{table}.csv"));
        let mut reader = csv::Reader::from_path(&file).unwrap();
        let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        for (place, row) in rows.iter().enumerate().skip(rows.len() / 2).take(1) {
            let cells = header.iter().zip(row).filter(|(_, cell)| !cell.contains('\n'));
            for (name, cell) in sample_cases(cells, 7) {
                let told = ekklesia(&["why", &format!("{}:{}:{name}", file.display(), place + 1), "--json"]);
                assert_eq!(told.code, Some(0), "{table}:{}:{name} {cell:?} {told:#?}", place + 1);
            }
        }
    }
}

#[test]
fn an_amount_alone_is_decided_by_the_middle_of_the_ballots() {
    for (rule, middle) in [("mean", mean as fn(&[(u32, u64)]) -> Option<u32>), ("median", median)] {
        let folder = tempfile::tempdir().unwrap();
        let config = write(folder.path(), OX, &format!("{SEATS}decision: {{ rule: {rule} }}\n"));
        let plan = read(&config).arms[0].clone();
        for replicate in 1..=20 {
            let records = whole(&plan, replicate);
            let (report, expected) = (tally(&records), middle(&amounts(&records)));
            assert_eq!(report.decided.and_then(|decided| decided.amount), expected);
            assert!(amounts(&records).iter().all(|(amount, _)| *amount <= 2000));
        }
        assert_cuts(&config);
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_folder_of_amounts_is_told_replayed_forked_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), OX, SEATS);
    let out = folder.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &["the median of the amounts", "from 0 to 2 000 pounds"]);
    ekklesia(&["check", text(&config), "--show", "Vera:ballot"]).says(0, &["in pounds from 0 to 2000"]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["3 sessions, no divergence"]);
    assert_eq!(column(&out, "sessions.csv", "result_value"), column(&out, "sessions.csv", "amount"));
    assert_eq!(column(&out, "sessions.csv", "result_unit"), ["pounds"; 3]);
    assert!(column(&out, "ballots.csv", "form").iter().all(|form| form == "amount"));
    assert_explained(&out, &["sessions", "ballots", "tallies", "seats"], &["sessions:result_value"]);
    let change = folder.path().join("change.yaml");
    fs::write(&change, "at: { seat: Vera, phase: vote }\nballot: 1197\n").unwrap();
    let (session, fork) = (out.join("sessions/baseline-r000001"), folder.path().join("fork"));
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    ekklesia(&["replay", text(&fork)]).says(0, &["1 session, no divergence"]);
    let named = column(&fork, "seats.csv", "final_amount");
    assert_eq!(named.last().map(String::as_str), Some("1197"));
    fs::write(&change, "at: { seat: Vera, phase: vote }\nballot: 2001\n").unwrap();
    ekklesia(&["fork", text(&session), "--change", text(&change)]).says(2, &["2001 is outside 0 … 2000"]);
}

/// A group chooses among four, so that rules differ.
const FRUIT: &str = "\
scenario: fruit
title: What to plant
motion: { text: What do we plant? }
alternatives:
  - { name: apple, label: Apples }
  - { name: pear, label: Pears }
  - { name: plum, label: Plums }
  - { name: nothing, label: Nothing, status_quo: true }
agenda:
  - { name: discussion, discussion: {} }
  - { name: vote, vote: {} }
default_mind: { voter: { copy: 0.3 } }
discussion: { rounds: 2, order: random, vote: at_end }
decision: { rule: borda, of: members, invalid: abstain, tie_break: lot }
";

/// What `decision` may say, over every form and every rule that counts it.
fn voted() -> Vec<String> {
    let ranked =
        ["plurality", "majority", "unanimity", "borda", "copeland", "kemeny_young", "instant_runoff", "two_round"];
    let ranked = ranked.into_iter().chain(["random_ballot", "amendment_agenda", "minimax", "schulze", "ranked_pairs"]);
    let mut all: Vec<String> = ranked.map(|rule| format!("rule: {rule}, ballot: ranking")).collect();
    all.push("rule: supermajority, threshold: 2/3, ballot: ranking".to_owned());
    all.push("rule: schulze, strength: winning_votes, ties: true, truncated: true".to_owned());
    all.extend(
        ["rule: approval", "rule: score", "rule: score, score_max: 9", "rule: score, ballot: allocation"]
            .map(str::to_owned),
    );
    all
}

fn ballots(records: &[Record]) -> Vec<Ballot<AlternativeName>> {
    let voted = records.iter().filter_map(|record| match record.reply() {
        Some(Reply::Ballot(ballot)) => Some(ballot),
        _ => None,
    });
    voted.collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_rule_counts_the_ballots_that_the_minutes_hold() {
    let folder = tempfile::tempdir().unwrap();
    for decision in voted() {
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
        let plan = read(&config).arms[0].clone();
        for replicate in 1..=12 {
            let records = whole(&plan, replicate);
            let (report, cast) = (tally(&records), ballots(&records));
            assert_eq!(report.valid as usize, cast.len(), "{decision}");
            assert_eq!(report.valid + report.invalid, 4, "{decision}");
            let names: Vec<&AlternativeName> = report.counts.iter().map(|count| &count.alternative).collect();
            let id = |name: &AlternativeName| AlternativeId(names.iter().position(|one| *one == name).unwrap() as u32);
            let bundles = cast.iter().map(|ballot| bundle_ballot(4, &ballot.map(id), 1)).collect();
            let again = Ballots::new(form_of(plan.voting.form).unwrap(), 4, bundles, report.invalid.into());
            let terms = CountTerms {
                strength: plan.voting.strength,
                threshold: plan.decision.threshold.unwrap_or((2, 3)),
                ..CountTerms::default()
            };
            let count = recount_ballots(&again, &[report.rule], &terms).remove(0).unwrap().count;
            let winners: Vec<AlternativeId> = report.winners.iter().map(|winner| id(&winner.alternative)).collect();
            assert_eq!(
                winners,
                count.winners.iter().map(|one| AlternativeId(*one as u32)).collect::<Vec<_>>(),
                "{decision}"
            );
            for (place, told) in report.counts.iter().enumerate() {
                let points = count.points.as_ref().map(|points| (points.of[place], points.unit));
                let told = told.points.map(|points| (i128::from(points.of), u128::from(points.unit)));
                assert!(match (points, told) {
                    (Some((of, unit)), Some((same, of_unit))) => of * of_unit as i128 == same * unit as i128,
                    (None, None) => true,
                    _ => false,
                });
            }
            if let Some(decided) = &report.decided {
                assert!(report.winners.contains(decided), "{decision}");
            }
        }
    }
}

#[test]
fn approvals_and_scores_are_summed_as_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    for rule in ["approval", "score", "score, ballot: allocation, points: 7"] {
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ rule: {rule} }}\n"));
        let plan = read(&config).arms[0].clone();
        for replicate in 1..=12 {
            let records = whole(&plan, replicate);
            for count in tally(&records).counts {
                let of = |ballot: &Ballot<AlternativeName>| match ballot {
                    Ballot::Approval(approved) => i64::from(approved.contains(&count.alternative)),
                    _ => i64::from(ballot.score(&count.alternative).unwrap()),
                };

                let sum: i64 = ballots(&records).iter().map(of).sum();
                assert_eq!(count.points.map(|points| (points.of, points.unit)), Some((sum, 1)), "{rule}");
            }
            if rule.contains("allocation") {
                let total = |ballot: &Ballot<AlternativeName>| match ballot {
                    Ballot::Score(scores) => scores.iter().map(|one| one.score).sum::<u32>(),
                    _ => 0,
                };
                assert!(ballots(&records).iter().all(|ballot| total(ballot) == 7), "{rule}");
            }
        }
    }
}

#[test]
fn a_session_with_ballots_of_each_form_is_cut_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    for decision in [
        "rule: borda",
        "rule: approval, roll_call: true",
        "rule: score, roll_call: true",
        "rule: score, ballot: allocation",
    ] {
        assert_cuts(&write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n")));
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_folder_of_each_form_is_replayed_forked_counted_again_and_explained() {
    let cases = [
        ("rule: borda", "ranking", "\"plum > pear > apple > nothing\"", "plum > pear", "not a ranking"),
        ("rule: approval", "approval", "\"plum, pear\"", "plum, plum", "named twice"),
        ("rule: score", "score", "\"apple = 0, pear = 1, plum = 5, nothing = 0\"", "plum = 9", "not scored"),
        (
            "rule: score, ballot: allocation",
            "allocation",
            "\"apple = 0, pear = 3, plum = 7, nothing = 0\"",
            "apple = 1, pear = 3, plum = 7, nothing = 0",
            "wrong total",
        ),
    ];
    for (decision, form, ballot, wrong, why) in cases {
        let folder = tempfile::tempdir().unwrap();
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
        let out = folder.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["3 sessions, no divergence"]);
        let filled: &[&str] = match form {
            "ranking" => &["ballots:rank", "tallies:points", "tallies:condorcet_winner"],
            "approval" => &["ballots:chosen", "tallies:points"],
            _ => &["ballots:score", "tallies:points"],
        };
        let forms = column(&out, "ballots.csv", "form");
        assert!(forms.iter().any(|other| other == form), "{forms:?}");
        assert_explained(&out, &["ballots", "tallies"], filled);
        // Rankings that were voted by agree more or less, as those that were asked for privately do.
        let agreement = column(&out, "rounds.csv", "kendall_w");
        let place = agreement.iter().position(|cell| !cell.is_empty());
        assert_eq!(place.is_some(), form == "ranking");
        for column in ["ranking_n", "kendall_w", "mean_kendall_tau"].into_iter().filter(|_| place.is_some()) {
            let cell = format!("{}:{}:{column}", out.join("rounds.csv").display(), place.unwrap() + 1);
            ekklesia(&["why", &cell]).says(0, &["votes "]);
        }
        ekklesia(&["retally", text(&out)]).says(0, &[]);
        let change = folder.path().join("change.yaml");
        fs::write(&change, format!("at: {{ seat: Vera, phase: vote }}\nballot: {ballot}\n")).unwrap();
        let (session, fork) = (out.join("sessions/baseline-r000001"), folder.path().join("fork"));
        ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
        ekklesia(&["replay", text(&fork)]).says(0, &["1 session, no divergence"]);
        fs::write(&change, format!("at: {{ seat: Vera, phase: vote }}\nballot: \"{wrong}\"\n")).unwrap();
        ekklesia(&["fork", text(&session), "--change", text(&change)]).says(2, &[why, "as in ballot"]);
    }
}

#[test]
fn a_ballot_that_a_rule_cannot_count_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let says = |decision: &str, said: &[&str]| {
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
        ekklesia(&["check", text(&config)]).says(2, said);
    };
    says(
        "rule: borda, ballot: approval",
        &["the rule borda counts no ballots of the form approval", "ballot: ranking"],
    );
    says("rule: stv", &["elects several", "retally"]);
    says(
        "rule: approval, ties: true, score_max: 3",
        &["only ballots of the form ranking", "only ballots of the form score"],
    );
    says("rule: borda, strength: margins", &["only minimax, schulze and ranked_pairs"]);
    says("rule: score, score_max: 0", &["1 … 1000"]);
    says("rule: score, points: 3", &["only ballots of the form allocation share points"]);
    says("rule: borda, ballot: allocation", &["counts no ballots of the form allocation"]);
}

#[test]
fn each_form_is_asked_for_in_words() {
    let folder = tempfile::tempdir().unwrap();
    for (decision, words) in [
        ("rule: borda", "Rank the options, the best first"),
        ("rule: schulze, ties: true, truncated: true", "Options may share a place. You may leave options out"),
        ("rule: approval", "every option that you approve of"),
        ("rule: score, score_max: 9", "a score from 0, the worst, to 9, the best"),
    ] {
        let config = write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
        ekklesia(&["check", text(&config), "--show", "Vera:ballot"]).says(0, &[words]);
    }
}

/// A confederate at the table of the fruit, who says nothing and votes so.
fn confederate(line: &str) -> String {
    let speaks = |round| {
        format!(
            "{{ phase: discussion, round: {round}, step: statement, statement: \"Plums.\", stance: plum }}, \
             {{ phase: discussion, round: {round}, step: straw_poll, choice: plum }}, "
        )
    };
    let polls = ["straw_before", "straw_after"]
        .map(|phase| format!("{{ phase: {phase}, round: 0, step: straw_poll, choice: plum }}, "));
    let table =
        format!("{}{}{}{{ phase: vote, round: 0, step: ballot, {line} }}", speaks(1), speaks(2), polls.concat());
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nstraw_polls: [before, each_round, after]\n\
         replicates: 2\nseats:\n  - {{ count: 3 }}\n  - {{ name: Dora, mind: {{ scripted: {{ table: [{table}] }} }} }}\n"
    )
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_confederate_casts_the_ballot_that_is_written_in_every_form() {
    let cases = [
        ("rule: borda", "plum > pear > apple > nothing", "not a ranking", "plum = pear > apple > nothing"),
        ("rule: schulze, ties: true, truncated: true", "plum = pear > apple", "not a ranking", "plum > plum"),
        ("rule: approval", "pear, plum", "named twice", "plum, plum"),
        ("rule: approval", "none", "unknown alternative", "plum, cherry"),
        (
            "rule: score, score_max: 9",
            "apple = 0, pear = 1, plum = 9, nothing = 0",
            "score out of range",
            "apple = 0, pear = 1, plum = 10, nothing = 0",
        ),
    ];
    for (decision, ballot, why, wrong) in cases {
        let folder = tempfile::tempdir().unwrap();
        let body = |line: &str| format!("{}decision: {{ {decision}, tie_break: lot }}\n", confederate(line));
        let config = write(folder.path(), FRUIT, &body(&format!("ballot: \"{ballot}\"")));
        let out = folder.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        for replicate in 1..=2 {
            let minutes =
                fs::read_to_string(out.join(format!("sessions/baseline-r00000{replicate}/minutes.jsonl"))).unwrap();
            let records: Vec<Record> = minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let cast: Vec<String> = records
                .iter()
                .filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Dora"))
                .filter_map(|record| match record.reply() {
                    Some(Reply::Ballot(ballot)) => Some(ballot.told(ekklesia::domain::Language::En)),
                    _ => None,
                })
                .collect();
            assert_eq!(cast, [ballot], "{decision}");
        }
        ekklesia(&["replay", text(&out)]).says(0, &["2 sessions, no divergence"]);
        let points = column(&out, "tallies.csv", "points");
        if let Some(row) = points.iter().position(|points| !points.is_empty()) {
            let why = ekklesia(&["why", &format!("{}:{}:points", out.join("tallies.csv").display(), row + 1)]);
            why.says(0, &["Tallied", "Dora"]);
        }
        let config = write(folder.path(), FRUIT, &body(&format!("ballot: \"{wrong}\"")));
        ekklesia(&["check", text(&config)]).says(2, &[why, "as in ballot", "seats.Dora.mind.scripted.table.6.ballot"]);
    }
    let folder = tempfile::tempdir().unwrap();
    let config =
        write(folder.path(), FRUIT, &format!("{}decision: {{ rule: plurality }}\n", confederate("ballot: plum")));
    ekklesia(&["check", text(&config)]).says(2, &["seats vote by one choice here", "write `choice: <alternative>`"]);
}
