//! Minds with an opinion in whole sessions: they do what their models say, step by step, and the tables tell it.

use std::collections::BTreeMap;
use std::fs;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{self, plan, whole};
use ekklesia::domain::{Record, Reply, Step};

/// Opinions declared in a session's statements, by round and seat.
fn declared(records: &[Record]) -> BTreeMap<(u32, String), f64> {
    let opinion = |record: &Record| match record.reply() {
        Some(Reply::Statement { opinion: Some(opinion), .. }) => {
            let seat = record.seat.as_ref()?.as_str().to_owned();
            Some(((record.at.round, seat), f64::from(opinion.billionths()) / 1e9))
        }
        _ => None,
    };
    records.iter().filter_map(opinion).collect()
}

/// Those of one round, in the order of the names.
fn in_round(records: &[Record], round: u32) -> Vec<f64> {
    declared(records).into_iter().filter(|((of, _), _)| *of == round).map(|(_, opinion)| opinion).collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() <= within), "{found:?} {expected:?}");
}

/// A table of seats with these minds, that talk all at once so many rounds.
fn table(minds: &[(&str, &str)], rounds: u32, order: &str) -> String {
    let seats = minds.iter().map(|(name, mind)| format!("  - {{ name: {name}, mind: {mind} }}\n"));
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{}discussion: {{ rounds: {rounds}, order: {order}, vote: \
         at_end }}\nmemory: {{ policy: full, public_history_max_length: 10000000 }}\nstraw_polls: [before, after]\n",
        seats.collect::<String>()
    )
}

#[test]
fn a_group_that_averages_ends_where_its_weights_say_in_whatever_order_it_speaks() {
    let minds = [
        ("A", "{ degroot: { opinion: 0, self_weight: 0.5, weights: { B: 0.5 } } }"),
        ("B", "{ degroot: { opinion: 0, self_weight: 0.5, weights: { A: 0.25, C: 0.25 } } }"),
        ("C", "{ degroot: { opinion: 1, self_weight: 0.5, weights: { B: 0.5 } } }"),
    ];
    let all_at_once = whole(&plan(&table(&minds, 60, "simultaneous")), 1);
    assert_near(&in_round(&all_at_once, 1), &[0.0, 0.0, 1.0], 0.0);
    assert_near(&in_round(&all_at_once, 2), &[0.0, 0.25, 0.5], 1e-9);
    assert_near(&in_round(&all_at_once, 60), &[0.25; 3], 1e-6);
    // What is said in the round under way waits for the next step, so that turns make no difference.
    let in_turn = whole(&plan(&table(&minds, 60, "random")), 1);
    assert_eq!(declared(&in_turn), declared(&all_at_once));
    // The poll after the talk comes a step later than the last statement.
    let polled = all_at_once.iter().filter_map(|record| match record.reply() {
        Some(Reply::Opined(_, opinion)) => Some(f64::from(opinion.billionths()) / 1e9),
        _ => None,
    });
    let two_rounds: Vec<f64> = {
        let records = whole(&plan(&table(&minds, 1, "simultaneous")), 1);
        records
            .iter()
            .filter_map(|record| match record.reply() {
                Some(Reply::Opined(_, opinion)) => Some(f64::from(opinion.billionths()) / 1e9),
                _ => None,
            })
            .collect()
    };
    assert_eq!(polled.count(), 6);
    assert_near(&two_rounds, &[0.0, 0.0, 1.0, 0.0, 0.25, 0.5], 1e-9);
}

#[test]
fn a_shift_is_what_each_seat_moved_between_the_polls() {
    let minds = [
        ("A", "{ degroot: { opinion: 0, self_weight: 0.5, weights: { B: 0.5 } } }"),
        ("B", "{ degroot: { opinion: 0, self_weight: 0.5, weights: { A: 0.25, C: 0.25 } } }"),
        ("C", "{ degroot: { opinion: 1, self_weight: 0.5, weights: { B: 0.5 } } }"),
        ("D", "{ silent: {} }"),
    ];
    let place = tempfile::tempdir().expect("a folder");
    let config = trial::write_config(place.path(), &table(&minds, 1, "simultaneous"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions"]);
    let mut sessions = csv::Reader::from_path(out.join("sessions.csv")).expect("sessions");
    let names = sessions.headers().expect("a header").clone();
    let row = sessions.records().next().expect("a row").expect("cells");
    let cell = |name: &str| row[names.iter().position(|other| other == name).expect(name)].to_owned();
    // Who answers no poll has not moved; of the others, one stays, one goes up by a quarter and one down by a half.
    assert_eq!((cell("straw_shift_n").as_str(), cell("straw_shift_net").as_str()), ("3", "-0.083333"));
    let asked = format!("{}:1:straw_shift_net", text(&out.join("sessions.csv")));
    ekklesia(&["why", &asked]).says(0, &["-0.083333", "of C, first try", "straw_poll"]);
}

#[test]
fn an_anchored_group_comes_to_the_published_opinions() {
    let minds = [
        (
            "A",
            "{ friedkin_johnsen: { opinion: 0.25, stubbornness: 0.22, self_weight: 0.22, weights: { B: 0.12, C: 0.36, D: 0.3 } } }",
        ),
        (
            "B",
            "{ friedkin_johnsen: { opinion: 0.25, stubbornness: 0.215, self_weight: 0.215, weights: { A: 0.147, C: 0.344, D: 0.294 } } }",
        ),
        ("C", "{ friedkin_johnsen: { opinion: 0.75, stubbornness: 1, self_weight: 1, weights: {} } }"),
        (
            "D",
            "{ friedkin_johnsen: { opinion: 0.85, stubbornness: 0.286, self_weight: 0.286, weights: { A: 0.09, B: 0.178, C: 0.446 } } }",
        ),
    ];
    let records = whole(&plan(&table(&minds, 60, "simultaneous")), 1);
    assert_near(&in_round(&records, 60), &[0.6002, 0.5998, 0.75, 0.7499], 5e-5);
}

#[test]
fn bounded_confidence_takes_the_published_step_and_meetings_keep_the_mean() {
    let five = |mind: &str| -> Vec<(&str, String)> {
        let opinions = ["0", "0.1", "0.4", "0.5", "1"];
        ["A", "B", "C", "D", "E"].into_iter().zip(opinions.map(|opinion| mind.replace("OPINION", opinion))).collect()
    };
    let minds = five("{ hegselmann_krause: { opinion: OPINION, confidence: 0.15 } }");
    let minds: Vec<(&str, &str)> = minds.iter().map(|(name, mind)| (*name, mind.as_str())).collect();
    let records = whole(&plan(&table(&minds, 3, "simultaneous")), 1);
    assert_near(&in_round(&records, 2), &[0.05, 0.05, 0.45, 0.45, 1.0], 1e-9);
    let minds = five("{ deffuant: { opinion: OPINION, confidence: 1, convergence: 0.3 } }");
    let minds: Vec<(&str, &str)> = minds.iter().map(|(name, mind)| (*name, mind.as_str())).collect();
    let records = whole(&plan(&table(&minds, 40, "simultaneous")), 1);
    for round in 1..=40 {
        assert_near(&[in_round(&records, round).iter().sum::<f64>()], &[2.0], 1e-6);
    }
    let last = in_round(&records, 40);
    assert!(last.iter().all(|opinion| (opinion - 0.4).abs() < 0.01), "{last:?}");
}

/// Esteban and Ray's sum over pairs, as it is written, of opinions rounded to six decimals.
fn esteban_ray_by_pairs(opinions: &[f64], alpha: f64) -> f64 {
    let places: Vec<i64> = opinions.iter().map(|opinion| (opinion * 1e6 + 0.5).floor() as i64).collect();
    let share = |place: i64| places.iter().filter(|other| **other == place).count() as f64 / places.len() as f64;
    let groups: std::collections::BTreeSet<i64> = places.iter().copied().collect();
    let pairs = groups.iter().flat_map(|one| groups.iter().map(move |other| (*one, *other)));
    pairs.map(|(one, other)| share(one).powf(1.0 + alpha) * share(other) * (one - other).abs() as f64 / 1e6).sum()
}

#[test]
fn seats_with_equal_inputs_stay_equal_under_bounded_confidence_and_polarisation_counts_them_as_one_group() {
    let place = tempfile::tempdir().expect("a folder");
    let first = ["0.013", "0.107", "0.2", "0.283", "0.291", "0.606", "0.7", "0.717", "0.859", "0.9", "0.931"];
    let minds: Vec<(String, String)> = (0..)
        .zip(first)
        .map(|(seat, opinion)| {
            (format!("S{seat:02}"), format!("{{ hegselmann_krause: {{ opinion: {opinion}, confidence: 0.3 }} }}"))
        })
        .collect();
    let minds: Vec<(&str, &str)> = minds.iter().map(|(name, mind)| (name.as_str(), mind.as_str())).collect();
    let table = table(&minds, 8, "simultaneous");
    let records = whole(&plan(&table), 1);
    let mut equal_inputs = 0;
    for round in 1..8 {
        let (now, next) = (in_round(&records, round), in_round(&records, round + 1));
        let near = |own: f64| now.iter().map(|other| (other - own).abs() < 0.3 + 1e-10).collect::<Vec<bool>>();
        for (one, other) in (0..now.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
            if near(now[one]) == near(now[other]) {
                equal_inputs += 1;
                assert_eq!(next[one].to_bits(), next[other].to_bits(), "seats {one} and {other} after round {round}");
            }
        }
    }
    assert!(equal_inputs > 50, "{equal_inputs}");
    // The tables group them as a reference does that goes by the printed opinions.
    let (config, out) = (trial::write_config(place.path(), &table), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions"]);
    let mut reader = csv::Reader::from_path(out.join("rounds.csv")).expect("rounds");
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(|row| row.expect("a row")).collect();
    let mut seats = csv::Reader::from_path(out.join("seat_rounds.csv")).expect("seats");
    let seats: Vec<BTreeMap<String, String>> = seats.deserialize().map(|row| row.expect("a row")).collect();
    for row in rows.iter().filter(|row| row["phase_kind"] == "discussion" && row["round"] != "0") {
        let is_here = |seat: &&BTreeMap<String, String>| seat["phase"] == row["phase"] && seat["round"] == row["round"];
        let printed: Vec<f64> = seats.iter().filter(is_here).filter_map(|seat| seat["opinion"].parse().ok()).collect();
        assert_eq!(printed.len(), first.len());
        for (column, alpha) in [("esteban_ray", 1.3), ("esteban_ray_1", 1.0)] {
            let found: f64 = row[column].parse().expect("a number");
            let expected = esteban_ray_by_pairs(&printed, alpha);
            assert!((found - expected).abs() <= 5.1e-7, "{column} in round {}: {found} {expected}", row["round"]);
        }
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_group_that_copies_ends_where_a_member_began_as_often_as_its_share() {
    let minds = [
        ("A", "{ q_voter: { q: 1, opinion: 1 } }"),
        ("B", "{ q_voter: { q: 1, opinion: 0 } }"),
        ("C", "{ q_voter: { q: 1, opinion: 0 } }"),
    ];
    let plan = plan(&table(&minds, 40, "simultaneous"));
    let sessions = 400;
    let mut firsts = 0;
    for replicate in 1..=sessions {
        let stances: Vec<String> = whole(&plan, replicate)
            .iter()
            .filter_map(|record| match (record.at.step, record.reply()) {
                (Step::Ballot, Some(Reply::Choice(choice))) => Some(choice.alternative.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(stances.len(), 3);
        assert!(stances.iter().all(|stance| *stance == stances[0]), "forty rounds are enough for three");
        firsts += u32::from(stances[0] == "for");
    }
    // The Wilson interval at 99 %.
    let (n, share, z) = (f64::from(sessions), f64::from(firsts) / f64::from(sessions), 2.576);
    let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    assert!((centre - 1.0 / 3.0).abs() < half, "{firsts} of {sessions}");
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn voters_agree_on_an_alternative_with_the_probability_of_its_first_share() {
    // The share of voters is a martingale, so that P(all for) is the first share: 0, 1/3, 2/3 or 1 of three, each seen for itself.
    let plan = plan(
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { voter: { copy: 0.6 } } }\n\
         seats: [{ count: 3 }]\nstraw_polls: [before]\nmemory: { policy: { window: { statements: 3 } }, history_in_brief: none }\n\
         discussion: { rounds: 40, order: simultaneous, vote: at_end }\n",
    );
    let mut of_share = [[0u32; 2]; 4];
    for replicate in 1..=600 {
        let records = whole(&plan, replicate);
        let chosen = |is_ballot: bool| -> Vec<bool> {
            let choice = |record: &Record| {
                let step = if is_ballot { Step::Ballot } else { Step::StrawPoll };
                let reply = record.reply().filter(|_| record.at.step == step)?;
                Some(reply.choice()?.0.alternative.as_str() == "for")
            };
            records.iter().filter_map(choice).collect()
        };
        let (first, last) = (chosen(false), chosen(true));
        assert_eq!([first.len(), last.len()], [3, 3]);
        assert!(last.iter().all(|one| *one == last[0]), "forty rounds are enough for three");
        let share = first.iter().filter(|one| **one).count();
        of_share[share][usize::from(last[0])] += 1;
    }
    assert_eq!([of_share[0][1], of_share[3][0]], [0, 0], "who agree have nothing else to copy");
    for (share, [against, all]) in of_share.iter().enumerate().take(3).skip(1) {
        let (n, p) = (f64::from(against + all), share as f64 / 3.0);
        let found = f64::from(*all) / n;
        assert!(n > 150.0 && (found - p).abs() < 3.0 * (p * (1.0 - p) / n).sqrt(), "{share} of 3: {found} of {n}");
    }
}

/// Each mind as it is written, for tables of seats that are alike.
const KINDS: [&str; 11] = [
    "{ degroot: {} }",
    "{ friedkin_johnsen: { stubbornness: { uniform: [0, 1] }, attractor: 1, pull: 0.2 } }",
    "{ hegselmann_krause: { confidence: 0.3 } }",
    "{ deffuant: { confidence: 0.5 } }",
    "{ q_voter: { q: 2, noise: 0.1 } }",
    "{ majority: {} }",
    "{ argument_exchange: { homophily: 2 } }",
    "{ social_decision_scheme: { scheme: majority_else_proportional } }",
    "{ quantal_response: { utilities: { for: 1, against: 0.8 } } }",
    "{ polya: { opinion: 0.6 } }",
    "{ voter: { copy: 0.3 } }",
];

#[test]
fn every_model_gives_the_same_bytes_and_whole_sessions_of_all_sorts() {
    let mut digests = String::new();
    for mind in KINDS {
        let seats: String = (1..=5).map(|n| format!("  - {{ name: Seat {n}, mind: {mind} }}\n")).collect();
        let all = format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 4, order: \
             volunteer, vote: on_call, private_reasoning: true, proposals: true, statement_min_length: 20 }}\nstraw_polls: [before, \
             each_round, after]\nmemory: {{ policy: full }}\n"
        );
        let plan = plan(&all);
        let mut digest = blake3::Hasher::new();
        for replicate in 1..=3 {
            let records = whole(&plan, replicate);
            let faults = records.iter().filter(|record| record.event.is_faulted()).count();
            assert_eq!(faults, 0, "{mind}");
            for record in &records[1..] {
                digest.update(serde_json::to_string(record).unwrap().as_bytes());
            }
        }
        let name = mind.trim_start_matches("{ ").split(':').next().unwrap();
        digests.push_str(&format!("{name} {}\n", &digest.finalize().to_hex()[..16]));
    }
    let golden = trial::repository().join("tests/data/opinions.txt");
    if std::env::var_os("EKKLESIA_REFRESH").is_some() {
        fs::write(&golden, &digests).unwrap();
    }
    assert_eq!(fs::read_to_string(&golden).unwrap_or_default(), digests);
}

#[test]
fn a_mind_makes_a_step_for_each_round_that_it_heard_however_seldom_it_is_asked() {
    // With two speakers in a round most seats are not asked in most rounds, unless they are polled.
    for mind in KINDS {
        let seats: String = (1..=5).map(|n| format!("  - {{ name: Seat {n}, mind: {mind} }}\n")).collect();
        let polled = |polls: &str| {
            let all = format!(
                "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}discussion: {{ rounds: 6, order: \
                 random, vote: at_end }}\nagenda: {{ discussion: {{ speakers: 2 }} }}\nstraw_polls: [{polls}]\nmemory: {{ policy: full }}\n"
            );
            let plan = plan(&all);
            let last = |replicate| {
                let records = whole(&plan, replicate);
                let is_last =
                    |record: &&Record| record.at.step == Step::Ballot || record.at.phase.as_str() == "straw_after";
                let replies =
                    records.iter().filter(is_last).map(|record| format!("{:?} {:?}", record.seat, record.reply()));
                replies.collect::<Vec<String>>()
            };
            (1..=3).map(last).collect::<Vec<_>>()
        };
        assert_eq!(polled("before, after"), polled("before, each_round, after"), "{mind}");
    }
}

#[test]
fn opinions_are_in_the_tables_and_the_sessions_replay() {
    let folder = tempfile::tempdir().unwrap();
    let minds = [
        ("Ann", "{ friedkin_johnsen: { opinion: 0.25 } }"),
        ("Bob", "{ polya: { opinion: { uniform: [0.5, 1] } } }"),
        ("Cy", "{ voter: { copy: 0.5 } }"),
    ];
    let config = trial::write_config(folder.path(), &(table(&minds, 3, "random") + "replicates: 2\n"));
    let out = folder.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let mut reader = csv::Reader::from_path(out.join("seat_rounds.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let first = |seat: &str| rows.iter().find(|row| row["seat"] == seat && row["round"] == "1").unwrap();
    assert_eq!(first("Ann")["opinion"], "0.250000");
    assert_eq!(first("Cy")["opinion"], "");
    let polled = rows.iter().find(|row| row["seat"] == "Ann" && row["phase"] == "straw_before").unwrap();
    assert_eq!((polled["straw_opinion"].as_str(), polled["opinion"].as_str()), ("0.250000", ""));
    let mut reader = csv::Reader::from_path(out.join("statements.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert!(rows.iter().any(|row| row["seat"] == "Bob" && !row["opinion"].is_empty()));
    let mut reader = csv::Reader::from_path(out.join("seats.csv")).unwrap();
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!((rows[0]["mind"].as_str(), rows[0]["trait_opinion"].as_str()), ("friedkin_johnsen", "0.250000"));
}

#[test]
fn an_amount_has_arguments_for_more_and_for_less_as_many_as_are_written() {
    let place = tempfile::tempdir().expect("a folder");
    let (config, out) = (place.path().join("config.yaml"), place.path().join("out"));
    let scenario = trial::repository().join("scenarios/estimation");
    let body = format!(
        "experiment: pool\nscenario: {}\nseed: 3\nreplicates: 5\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ argument_exchange: {{ arguments: 7, pool: 4 }} }} }}\nseats: [{{ count: 6 }}]\n",
        scenario.display()
    );
    fs::write(&config, body).expect("a config");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["5 of 5 sessions"]);
    let statements = fs::read_to_string(out.join("statements.csv")).expect("statements");
    let cited = statements.split("[A").skip(1).filter_map(|rest| rest.split(']').next()?.parse::<u32>().ok());
    let cited: std::collections::BTreeSet<u32> = cited.collect();
    assert_eq!(cited, (0..8).collect(), "eight arguments, of which each seat holds seven");
}

/// Groups that lean begin where they are told, and each keeps as many arguments as are written.
#[test]
fn groups_that_lean_begin_with_so_many_arguments_for_their_side() {
    let minds: Vec<(String, String)> = (0..8)
        .map(|place| {
            let opinion = if place < 4 { 0.75 } else { 0.25 };
            (
                format!("S{place}"),
                format!("{{ argument_exchange: {{ arguments: 8, pool: 10, homophily: 3, opinion: {opinion} }} }}"),
            )
        })
        .collect();
    let minds: Vec<(&str, &str)> = minds.iter().map(|(name, mind)| (name.as_str(), mind.as_str())).collect();
    let plan = plan(&table(&minds, 12, "simultaneous"));
    for replicate in 1..=5 {
        let records = whole(&plan, replicate);
        assert_near(&in_round(&records, 1), &[0.75, 0.75, 0.75, 0.75, 0.25, 0.25, 0.25, 0.25], 0.0);
        for (_, opinion) in declared(&records) {
            assert_near(&[(opinion * 8.0).fract()], &[0.0], 1e-6);
        }
    }
}

/// Arguments may be the facts that were dealt: a seat begins where they speak for, cites none that it does not know, and takes over what
/// it hears.
#[test]
fn facts_that_were_dealt_are_arguments_and_are_taken_over() {
    let place = tempfile::tempdir().expect("a folder");
    let (config, out) = (place.path().join("config.yaml"), place.path().join("out"));
    let scenario = trial::repository().join("scenarios/hidden_profile");
    let body = |mind: &str| {
        format!(
            "experiment: facts\nscenario: {}\nseed: 3\nreplicates: 6\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
             seat_defaults: {{ model: sim, mind: {{ {mind} }} }}\nseats: [{{ count: 4 }}]\ndiscussion: {{ rounds: 6 }}\n",
            scenario.display()
        )
    };
    fs::write(&config, body("argument_exchange: { facts: true, arguments: 30 }")).expect("a config");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["6 of 6 sessions"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let rows = |table: &str| -> Vec<BTreeMap<String, String>> {
        csv::Reader::from_path(out.join(table)).expect("a table").deserialize().map(Result::unwrap).collect()
    };
    let told = |row: &BTreeMap<String, String>, key: &str| -> Vec<String> {
        row[key].split([' ', '|', ',']).filter(|id| !id.is_empty()).map(str::to_owned).collect()
    };
    let mut knows: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in rows("seats.csv") {
        knows.insert((row["session"].clone(), row["seat"].clone()), told(&row, "facts"));
    }
    let mut taken = 0;
    for row in rows("statements.csv").into_iter().filter(|row| row["kind"] == "statement") {
        let cited = told(&row, "facts");
        assert_eq!(cited.len(), 1, "{row:?}");
        let known = &knows[&(row["session"].clone(), row["seat"].clone())];
        let is_own = known.contains(&cited[0]);
        assert!(is_own || row["round"] != "1", "nobody cites in the first round what it was not told: {row:?}");
        taken += usize::from(!is_own);
    }
    assert!(taken > 5, "what was heard is taken over: {taken}");
    fs::write(&config, body("argument_exchange: { facts: true, opinion: 0.5 }")).expect("a config");
    ekklesia(&["check", text(&config)]).says(2, &["follows from the facts that it is told"]);
}

#[test]
fn where_a_seat_stands_at_first_is_drawn_between_bounds_whatever_its_model() {
    for (mind, settings) in [
        ("degroot", ""),
        ("friedkin_johnsen", ""),
        ("hegselmann_krause", ""),
        ("deffuant", ""),
        ("q_voter", ""),
        ("majority", ""),
        ("argument_exchange", ""),
        ("social_decision_scheme", "scheme: proportional, "),
        ("polya", ""),
    ] {
        let body = |least: f64, most: f64| {
            let mind = format!("{{ {mind}: {{ {settings}opinion: {{ uniform: [{least}, {most}] }} }} }}");
            table(&[("A", &mind), ("B", &mind), ("C", &mind)], 1, "random")
        };
        for (least, most, favoured) in [(0.0, 0.05, "against"), (0.95, 1.0, "for")] {
            let records = whole(&plan(&body(least, most)), 1);
            let polled = records.iter().filter(|record| record.at.step == Step::StrawPoll);
            let first = polled.filter_map(|record| Some(record.reply()?.choice()?.0.alternative.to_string()));
            let first: Vec<String> = first.take(3).collect();
            // Belief is drawn from: one in twenty may answer otherwise.
            let alike = first.iter().filter(|choice| *choice == favoured).count();
            assert!(alike == 3 || mind == "polya" && alike > 0, "{mind} {least} {first:?}");
        }
    }
}

#[test]
fn how_noisy_a_seat_is_may_be_drawn_and_is_told_among_its_traits() {
    let mind = "{ q_voter: { q: 2, noise: { uniform: [0.4, 0.6] }, opinion: 1 } }";
    let minds: Vec<(String, &str)> = (0..8).map(|place| (format!("P{place}"), mind)).collect();
    let minds: Vec<(&str, &str)> = minds.iter().map(|(name, mind)| (name.as_str(), *mind)).collect();
    let place = tempfile::tempdir().expect("a folder");
    let config = trial::write_config(place.path(), &table(&minds, 1, "random"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["1 of 1 sessions"]);
    let mut seats = csv::Reader::from_path(out.join("seats.csv")).expect("seats");
    let noise = seats.headers().expect("a header").iter().position(|name| name == "trait_noise").expect("a column");
    let drawn: Vec<f64> = seats.records().map(|row| row.expect("cells")[noise].parse().expect("a number")).collect();
    assert!(drawn.len() == 8 && drawn.iter().all(|noise| (0.4..=0.6).contains(noise)), "{drawn:?}");
    assert!(drawn.iter().any(|noise| *noise != drawn[0]), "{drawn:?}");
}
