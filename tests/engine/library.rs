//! Shipped designs of published experiments: what they compute, recomputed from the raw answers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::repository;
use crate::oracle::check_cells;

type Row = BTreeMap<String, String>;

fn run_config(place: &Path, name: &str, settings: &[&str]) -> PathBuf {
    let (config, out) = (repository().join(format!("configs/{name}.yaml")), place.join(name));
    let set = settings.iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = ["run", text(&config), "--out", text(&out)].into_iter().chain(set).collect();
    ekklesia(&arguments).says(0, &[]);
    out
}

/// The numbers of valid answers to a field, in the order of the seats, by session and pass.
fn numbers(out: &Path, field: &str) -> BTreeMap<(String, u32), Vec<(String, f64)>> {
    let mut all: BTreeMap<(String, u32), Vec<(String, f64)>> = BTreeMap::new();
    for row in rows(out, "values").iter().filter(|row| row["field"] == field && row["status"] == "valid") {
        let pass = row["pass"].parse().unwrap_or(1);
        let number = row["value_n"].parse().unwrap();
        all.entry((row["session"].clone(), pass)).or_default().push((row["seat"].clone(), number));
    }
    all
}

/// The value of a variable in a pass, of a seat or of the session.
fn variable(variables: &[Row], session: &str, pass: u32, (name, seat): (&str, &str)) -> Option<f64> {
    let is_it = |row: &&Row| {
        row["session"] == session
            && row["name"] == name
            && row["seat"] == seat
            && row["pass"].parse().unwrap_or(1) == pass
    };
    variables.iter().find(is_it)?["value_n"].parse().ok()
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 2e-6, "{found}, not {expected}");
}

/// The quantile of type 7 (Hyndman and Fan 1996).
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = share * (sorted.len() - 1) as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    sorted[below] + (at - at.floor()) * (sorted[above] - sorted[below])
}

fn by_session(out: &Path, table: &str) -> BTreeMap<String, Vec<Row>> {
    let mut all: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows(out, table) {
        all.entry(row["session"].clone()).or_default().push(row);
    }
    all
}

/// The values of a variable of the session, by pass; 1 outside loops.
fn texts_of(variables: &[Row], name: &str) -> BTreeMap<u32, String> {
    let own = variables.iter().filter(|row| row["name"] == name && row["seat"].is_empty());
    own.map(|row| (row["pass"].parse().unwrap_or(1), row["value"].clone())).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn wolves_and_villagers_die_by_their_votes_and_at_random_the_wolves_win_eleven_of_twelve() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "werewolf", &["replicates=100"]);
    let [tallies, assignments, variables] =
        ["tallies", "assignments", "variables"].map(|table| by_session(&out, table));
    let (mut villagers_won, mut hanged_first) = (0, 0);
    let sessions = rows(&out, "sessions");
    assert_eq!(sessions.len(), 200);
    for session in &sessions {
        let name = &session["session"];
        let of_role = |role: &str| -> BTreeSet<String> {
            let own = assignments[name].iter().filter(|row| row["role"] == role);
            own.map(|row| row["seat"].clone()).collect()
        };
        let (mut wolves, mut villagers) = (of_role("wolf"), of_role("villager"));
        assert_eq!((wolves.len(), villagers.len()), (2, 5));
        let decided = |phase: &str, pass: u32| {
            let is_it = |row: &&Row| {
                row["session"] == *name
                    && row["phase"] == phase
                    && row["pass"] == pass.to_string()
                    && row["decided"] == "1"
            };
            tallies[name].iter().find(is_it).map(|row| row["alternative"].clone())
        };
        let mut pass = 0;
        while !wolves.is_empty() && wolves.len() < villagers.len() {
            pass += 1;
            let counted: BTreeSet<String> = tallies[name]
                .iter()
                .filter(|row| row["phase"] == "kill" && row["pass"] == pass.to_string())
                .map(|row| row["alternative"].clone())
                .collect();
            assert_eq!(counted, villagers, "{name}: the wolves may kill any villager alive");
            assert!(villagers.remove(&decided("kill", pass).unwrap()));
            if wolves.len() >= villagers.len() {
                break;
            }
            let hanged = decided("lynch", pass).unwrap();
            hanged_first += u32::from(pass == 1 && wolves.contains(&hanged));
            assert!(wolves.remove(&hanged) || villagers.remove(&hanged));
        }
        assert_eq!(decided("kill", pass + 1), None, "{name}: the game is over");
        let won = if wolves.is_empty() { "no" } else { "yes" };
        assert_eq!(texts_of(&variables[name], "wolves_won")[&1], won, "{name}");
        villagers_won += u32::from(wolves.is_empty());
    }
    // One in twelve of 200 games, and two in six; four standard errors are 16 and 27.
    assert!((1..=33).contains(&villagers_won), "{villagers_won}");
    assert!((40..=94).contains(&hanged_first), "{hanged_first}");
}

#[test]
fn a_subject_errs_in_critical_trials_as_its_answers_say() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "conformity_series", &["replicates=15"]);
    let [values, variables] = ["values", "variables"].map(|table| by_session(&out, table));
    let mut rates: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for session in rows(&out, "sessions") {
        let (name, arm) = (&session["session"], &session["arm"]);
        let line = |variable: &str| texts_of(&variables[name], variable);
        let (right, said) = (line("right"), line("said"));
        let answered = |field: &str, pass: u32| -> BTreeSet<String> {
            let is_it = |row: &&Row| row["field"] == field && row["pass"] == pass.to_string();
            values[name].iter().filter(is_it).map(|row| row["value"].clone()).collect()
        };
        let (mut critical, mut erred, mut yielded, mut neutral) = (0, 0, 0, 0);
        for pass in 1..=18 {
            let of = |line: &str| BTreeSet::from([format!("line {line}")]);
            let others = if arm == "alone" { BTreeSet::new() } else { of(&said[&pass]) };
            assert_eq!(answered("theirs", pass), others, "{name} {pass}");
            let expected = match arm.as_str() {
                "alone" => BTreeSet::new(),
                "majority" => of(&said[&pass]),
                _ => of(&right[&pass]),
            };
            assert_eq!(answered("allied", pass), expected, "{name} {pass}");
            let (mine, is_critical) = (answered("mine", pass), right[&pass] != said[&pass]);
            let is_wrong = mine != of(&right[&pass]);
            critical += u32::from(is_critical);
            erred += u32::from(is_critical && is_wrong);
            yielded += u32::from(is_critical && mine == of(&said[&pass]));
            neutral += u32::from(!is_critical && is_wrong);
        }
        assert_eq!((critical, neutral), (12, 0), "{name}");
        assert_near(session["var_error_rate"].parse().unwrap(), f64::from(erred) / 12.0);
        assert_near(session["var_yield_rate"].parse().unwrap(), f64::from(yielded) / 12.0);
        let of_arm = rates.entry(arm.clone()).or_default();
        *of_arm = (of_arm.0 + erred, of_arm.1 + critical);
    }
    // Asch's rates, within four standard errors of 180 trials.
    for (arm, expected) in [("alone", 0.0_f64), ("majority", 0.368), ("ally", 0.055)] {
        let (erred, critical) = rates[arm];
        let (rate, error) = (f64::from(erred) / f64::from(critical), (expected * (1.0 - expected) / 180.0).sqrt());
        assert!((rate - expected).abs() <= 4.0 * error, "{arm}: {rate}");
    }
}

#[test]
fn agents_are_right_as_the_sum_says_and_most_of_them_decide() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "multiagent_debate", &["replicates=40"]);
    let (answers, variables) = (numbers(&out, "value"), by_session(&out, "variables"));
    let mut accuracy: BTreeMap<(String, u32), f64> = BTreeMap::new();
    for session in rows(&out, "sessions") {
        let name = &session["session"];
        let number = |variable: &str, pass: u32| texts_of(&variables[name], variable)[&pass].parse::<f64>().unwrap();
        let [a, b, c, d, e, f] = ["a", "b", "c", "d", "e", "f"].map(|letter| number(letter, 1));
        assert!([a, b, c, d, e, f].iter().all(|drawn| (10.0..=30.0).contains(drawn)));
        let right = a + b * c + d - e * f;
        for pass in 1..=3 {
            let given: Vec<f64> = answers[&(name.clone(), pass)].iter().map(|(_, value)| *value).collect();
            let support = |value: f64| given.iter().filter(|other| **other == value).count();
            let most = given.iter().map(|value| support(*value)).max().unwrap();
            let majority = given.iter().copied().filter(|value| support(*value) == most).fold(f64::MIN, f64::max);
            let share = given.iter().filter(|value| **value == right).count() as f64 / 3.0;
            assert_near(number("accuracy", pass), share);
            assert_near(number("agreement", pass), most as f64 / 3.0);
            assert_near(number("majority", pass), majority);
            *accuracy.entry((session["arm"].clone(), pass)).or_default() += share / 40.0;
            if pass == 3 {
                let is_right = texts_of(&variables[name], "majority_right")[&1] == "yes";
                assert_eq!(is_right, majority == right, "{name}");
            }
        }
    }
    let of = |arm: &str, pass: u32| accuracy[&(arm.to_owned(), pass)];
    assert_near(of("alone", 1), of("alone", 3));
    assert_near(of("alone", 1), of("debate", 1));
    assert!(of("debate", 3) > of("debate", 1), "{accuracy:?}");
}

#[test]
fn the_closest_guesses_share_the_prize() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "beauty_contest", &[]);
    let shares = BTreeMap::from([("two_thirds", 0.666_667), ("half", 0.5)]);
    let mut won: BTreeMap<(String, String), f64> = BTreeMap::new();
    for ((session, _), guesses) in numbers(&out, "guess") {
        let mean = guesses.iter().map(|(_, guess)| guess).sum::<f64>() / guesses.len() as f64;
        let goal = shares[session.split("-r").next().unwrap()] * mean;
        let least = guesses.iter().map(|(_, guess)| (guess - goal).abs()).fold(f64::MAX, f64::min);
        let closest: Vec<_> = guesses.iter().filter(|(_, guess)| (guess - goal).abs() - least < 1e-5).collect();
        for (seat, _) in &guesses {
            let is_closest = closest.iter().any(|(other, _)| other == seat);
            *won.entry((session.clone(), seat.clone())).or_default() +=
                if is_closest { 20.0 / closest.len() as f64 } else { 0.0 };
        }
    }
    let payoffs = rows(&out, "payoffs");
    assert_eq!(payoffs.len(), 48);
    for row in payoffs {
        assert_near(row["payoff"].parse().unwrap(), won[&(row["session"].clone(), row["seat"].clone())]);
    }
}

#[test]
fn a_panel_estimates_until_it_agrees() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "delphi", &["replicates=12"]);
    let (estimates, variables) = (numbers(&out, "value"), rows(&out, "variables"));
    let mut lengths = BTreeSet::new();
    let tolerance = |session: &str| if session.starts_with("strict") { 0.1 } else { 0.5 };
    for (session, pass) in estimates.keys() {
        let values: Vec<f64> = estimates[&(session.clone(), *pass)].iter().map(|(_, value)| *value).collect();
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(&values, share));
        for (name, expected) in [("low", low), ("middle", middle), ("high", high), ("spread", high - low)] {
            assert_near(variable(&variables, session, *pass, (name, "")).unwrap(), expected);
        }
        let is_last = !estimates.contains_key(&(session.clone(), pass + 1));
        assert_eq!(is_last, *pass == 4 || high - low <= tolerance(session) * middle, "{session} {pass}");
        lengths.extend(is_last.then_some(*pass));
    }
    assert!(lengths.len() > 1, "{lengths:?}");
}

#[test]
fn like_attitudes_come_together_and_shifts_are_differences() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "polarisation", &[]);
    let (before, after) = (numbers(&out, "attitude"), numbers(&out, "later"));
    let (variables, assignments) = (rows(&out, "variables"), rows(&out, "assignments"));
    for ((session, _), attitudes) in &before {
        let of = |group: &str| {
            let is_in = |seat: &String| {
                let is_it = |row: &Row| row["session"] == *session && row["seat"] == *seat && row["group"] == group;
                assignments.iter().any(is_it)
            };
            attitudes.iter().filter(|(seat, _)| is_in(seat)).map(|(_, attitude)| *attitude).collect::<Vec<f64>>()
        };
        let [low, high] = ["1", "2"].map(of);
        assert_eq!([low.len(), high.len()], [3, 3]);
        if session.starts_with("alike") {
            assert!(low.iter().all(|one| high.iter().all(|other| one <= other)), "{low:?} {high:?}");
        }
        for (seat, first) in attitudes {
            let (_, later) = after[&(session.clone(), 1)].iter().find(|(other, _)| other == seat).unwrap();
            let value = |name| variable(&variables, session, 1, (name, seat)).unwrap();
            assert_near(value("shift"), later - first);
            assert_near(value("extremity"), (later - 4.0).abs() - (first - 4.0).abs());
        }
    }
}

#[test]
fn only_the_two_cards_are_right() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "wason", &["replicates=30"]);
    let mut right: BTreeMap<(String, String), f64> = BTreeMap::new();
    for row in rows(&out, "values") {
        let cards: BTreeSet<&str> = row["value"].split(", ").collect();
        let expected = cards == BTreeSet::from(["7", "E"]);
        assert_eq!(row["correct"], if expected { "1" } else { "0" }, "{row:?}");
        *right.entry((row["session"].clone(), row["field"].clone())).or_default() += f64::from(u8::from(expected));
    }
    assert!(right.values().sum::<f64>() > 10.0, "{right:?}");
    for row in rows(&out, "sessions") {
        for (field, column) in [("cards", "correct_alone_cards"), ("choice", "correct_together_choice")] {
            assert_near(row[column].parse().unwrap(), right[&(row["session"].clone(), field.to_owned())] / 6.0);
        }
    }
    assert!(check_cells(&out, 17).contains("values:correct"));
}

/// The valid answers to the fields of a phase, by session, seat and field.
fn answers_of(out: &Path, phase: &str) -> BTreeMap<[String; 3], String> {
    let own = rows(out, "values").into_iter().filter(|row| row["phase"] == phase && row["status"] == "valid");
    own.map(|row| (["session", "seat", "field"].map(|key| row[key].clone()), row["value"].clone())).collect()
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sd_of(values: &[f64]) -> f64 {
    let mean = mean_of(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64).sqrt()
}

#[test]
fn citizens_of_a_poll_learn_and_change_as_their_answers_say() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "deliberative_poll", &[]);
    let (before, after) = (answers_of(&out, "before"), answers_of(&out, "after"));
    let [variables, assignments, tallies, texts] =
        ["variables", "assignments", "tallies", "texts"].map(|table| by_session(&out, table));
    let keys = [("source", "the gas plant"), ("price", "25 cents"), ("licence", "six years")];
    let citizens: Vec<String> = (1..=10).map(|number| format!("Citizen {number}")).collect();
    for session in rows(&out, "sessions") {
        let name = &session["session"];
        let cell = |column: &str| session[column].parse::<f64>().unwrap();
        let answer = |all: &BTreeMap<[String; 3], String>, seat: &str, field: &str| {
            all[&[name.clone(), seat.to_owned(), field.to_owned()]].clone()
        };
        let known =
            |all, seat: &str| keys.iter().filter(|(field, key)| answer(all, seat, field) == *key).count() as f64;
        let gains: Vec<f64> = citizens.iter().map(|seat| known(&after, seat) - known(&before, seat)).collect();
        assert_near(cell("var_gain"), mean_of(&gains));
        for (field, key) in keys {
            let right = citizens.iter().filter(|seat| answer(&after, seat, field) == key).count() as f64;
            assert_near(cell(&format!("correct_after_{field}")), right / 10.0);
        }
        for proposal in ["wind", "levy", "gas"] {
            let opinions = |all| -> Vec<f64> {
                citizens.iter().map(|seat| answer(all, seat, proposal).parse().unwrap()).collect()
            };
            let (first, last) = (opinions(&before), opinions(&after));
            assert_near(cell(&format!("var_change_{proposal}")), mean_of(&last) - mean_of(&first));
            assert_near(cell(&format!("var_spread_{proposal}")), sd_of(&last) - sd_of(&first));
            match session["arm"].as_str() {
                "poll" => assert!(sd_of(&last) < sd_of(&first), "{name}: they moved halfway to the mean"),
                _ => assert_eq!(first, last, "{name}"),
            }
        }
        assert_eq!(
            variables[name].iter().filter(|row| row["name"] == "gain").count(),
            10,
            "{name}: experts learn nothing"
        );
        if session["arm"] != "poll" {
            assert!(!assignments.contains_key(name) && !texts.contains_key(name));
            continue;
        }
        // Each group elects one of its own, who writes the question that both experts answer.
        let of_group =
            |seat: &String| assignments[name].iter().find(|own| own["seat"] == *seat).unwrap()["group"].clone();
        let elected: BTreeSet<(String, String)> = tallies[name]
            .iter()
            .filter(|row| row["phase"] == "spokesperson" && row["decided"] == "1")
            .map(|row| (row["group"].clone(), row["alternative"].clone()))
            .collect();
        let wrote: BTreeSet<(String, String)> =
            texts[name].iter().map(|row| (of_group(&row["author"]), row["author"].clone())).collect();
        assert_eq!((elected.len(), &elected), (2, &wrote), "{name}");
    }
    let replies = answers_of(&out, "reply");
    assert_eq!(replies.len(), 2 * 6, "the last question of each of six sessions has two answers");
}

/// The index of cohesion of each party, and of all members: the distance of yeas and nays as a share of both (Rice 1925).
fn rice_of(voices: &BTreeMap<String, f64>) -> [f64; 4] {
    ["Left", "Centre", "Right", ""].map(|party| {
        let own: Vec<f64> =
            voices.iter().filter(|(seat, _)| seat.starts_with(party)).map(|(_, voice)| *voice).collect();
        let (yeas, nays) =
            (own.iter().filter(|voice| **voice > 0.0).count(), own.iter().filter(|voice| **voice < 0.0).count());
        yeas.abs_diff(nays) as f64 / (yeas + nays) as f64
    })
}

#[test]
fn parties_are_as_cohesive_as_the_ballots_of_their_members() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "parliament", &["replicates=6"]);
    let [ballots, variables, texts] = ["ballots", "variables", "texts"].map(|table| by_session(&out, table));
    let mut adopted_in_all = 0;
    for session in rows(&out, "sessions") {
        let name = &session["session"];
        let cell = |column: &str| session[column].parse::<f64>().unwrap();
        let mut divisions: BTreeMap<(String, u32), BTreeMap<String, f64>> = BTreeMap::new();
        for row in &ballots[name] {
            let voice = if ["adopt", "pass"].contains(&row["alternative"].as_str()) { 1.0 } else { -1.0 };
            let division = (row["phase"].clone(), row["pass"].parse().unwrap_or(1));
            assert_eq!(divisions.entry(division).or_default().insert(row["seat"].clone(), voice), None);
        }
        assert!(divisions.len() == 4 && divisions.values().all(|voices| voices.len() == 11), "{name}");
        let (mut of_parties, mut of_house, mut adopted) = (0.0, 0.0, Vec::new());
        for ((phase, pass), voices) in &divisions {
            let [left, centre, right, house] = rice_of(voices);
            (of_parties, of_house) = (of_parties + left + centre + right, of_house + house);
            let has_passed = voices.values().filter(|voice| **voice > 0.0).count() >= 6;
            if phase == "final" {
                assert_eq!(session["result"], if has_passed { "pass" } else { "reject" });
                assert_near(cell("var_final_left"), left);
                continue;
            }
            adopted.extend(has_passed.then_some(*pass));
            for (variable_name, expected) in
                [("rice_left", left), ("rice_centre", centre), ("rice_right", right), ("rice_house", house)]
            {
                assert_near(variable(&variables[name], name, *pass, (variable_name, "")).unwrap(), expected);
            }
        }
        assert_near(cell("var_discipline"), of_parties / 12.0);
        assert_near(cell("var_unity_of_house"), of_house / 4.0);
        assert_near(cell("var_adopted"), adopted.len() as f64);
        // The first seat of each party has moved an amendment, and the bill is read out with those that were adopted.
        let movers: BTreeSet<&str> = texts[name].iter().map(|row| row["author"].as_str()).collect();
        assert_eq!(movers, BTreeSet::from(["Centre 1", "Left 1", "Right 1"]));
        let minutes = std::fs::read_to_string(out.join(format!("sessions/{name}/minutes.jsonl"))).unwrap();
        for (pass, letter) in [(1, "A"), (2, "B"), (3, "C")] {
            assert_eq!(minutes.contains(&format!("Amended by {letter}:")), adopted.contains(&pass), "{name} {letter}");
        }
        // A roll is called in the open arm alone.
        let folder = out.join(format!("sessions/{name}"));
        let context = ekklesia(&["context", text(&folder), "--seat", "Centre 1", "--at", "final:0:ballot"]);
        assert_eq!(context.stdout.contains("Left 1 voted: "), session["arm"] == "open", "{}", context.stdout);
        adopted_in_all += adopted.len();
    }
    assert!((1..36).contains(&adopted_in_all));
}

#[test]
fn reviewers_have_found_a_defect_as_their_answers_say() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "code_review", &[]);
    let (before, after) = (answers_of(&out, "review"), answers_of(&out, "again"));
    let ballots = by_session(&out, "ballots");
    let mut found_after: BTreeMap<String, f64> = BTreeMap::new();
    for session in rows(&out, "sessions") {
        let name = &session["session"];
        let share = |all: &BTreeMap<[String; 3], String>, field: &str, value: &str| {
            let is_it = |number: u32| all[&[name.clone(), format!("Reviewer {number}"), field.to_owned()]] == value;
            [1, 2, 3].map(is_it)
        };
        let of = |hits: [bool; 3]| hits.iter().filter(|hit| **hit).count() as f64 / 3.0;
        let is_faulty = session["arm"].starts_with("faulty");
        let [first, last] = [&before, &after].map(|all| share(all, "line", if is_faulty { "7" } else { "0" }));
        let cells = [
            ("var_found_before", of(first)),
            ("var_found_after", of(last)),
            ("var_approved_before", of(share(&before, "verdict", "approve"))),
            ("var_approved_after", of(share(&after, "verdict", "approve"))),
            ("var_talked_out", first.iter().zip(last).filter(|(first, last)| **first && !last).count() as f64),
            ("var_talked_into", first.iter().zip(last).filter(|(first, last)| !**first && *last).count() as f64),
        ];
        for (column, expected) in cells {
            assert_near(session[column].parse().unwrap(), expected);
        }
        let approving = ballots[name].iter().filter(|row| row["alternative"] == "approve").count();
        let merged = if approving >= 2 { ("approve", "1.000000") } else { ("reject", "0.000000") };
        assert_eq!((&*session["result"], &*session["var_merged"]), merged, "{name}");
        assert_eq!(session["correct"], if (approving >= 2) == is_faulty { "0" } else { "1" }, "{name}");
        *found_after.entry(session["arm"].clone()).or_default() += of(last) / 20.0;
    }
    assert!(found_after["faulty-honest"] > found_after["faulty-pushes"], "{found_after:?}");
}

/// What a session has of the answers to a field are those of the last period, although roles change and other seats answered before.
#[test]
fn a_mean_of_answers_is_that_of_the_last_period() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "trust", &["replicates=3"]);
    let sent = numbers(&out, "sent");
    let mut count = 0;
    for session in rows(&out, "sessions") {
        let of_last = &sent[&(session["session"].clone(), 4)];
        let mean = of_last.iter().map(|(_, number)| number).sum::<f64>() / of_last.len() as f64;
        let told: f64 = session["ans_send_sent"].parse().unwrap();
        assert!((told - mean).abs() < 1e-6, "{told} {mean}");
        count += 1;
    }
    assert_eq!(count, 6);
    check_cells(&out, 1);
}

/// Every answer, variable and group of the long tables stands in the wide one, in the row of its seat and pass.
#[test]
fn a_wide_table_holds_what_the_long_ones_hold() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "public_goods", &["replicates=2"]);
    let wide = place.path().join("wide.csv");
    ekklesia(&["export", text(&out), "--wide", "seat,pass", "--out", text(&wide)]).says(0, &["rows, "]);
    ekklesia(&["export", text(&out), "--wide", "seat", "--format", "parquet"]).says(2, &["cannot be used with"]);
    let of_wide: BTreeMap<[String; 3], Row> = rows(place.path(), "wide")
        .into_iter()
        .map(|row| (["session", "seat", "pass"].map(|key| row[key].clone()), row))
        .collect();
    let find = |row: &Row| &of_wide[&["session", "seat", "pass"].map(|key| row[key].clone())];
    let mut count = 0;
    for row in rows(&out, "values") {
        let about = if row["target"].is_empty() { String::new() } else { format!("_{}", row["target"]) };
        assert_eq!(find(&row)[&format!("ans_{}_{}{about}", row["phase"], row["field"])], row["value"]);
        count += 1;
    }
    for row in rows(&out, "variables") {
        assert_eq!(find(&row)[&format!("var_{}", row["name"])], row["value"]);
        count += 1;
    }
    let is_given = |name: &str| name.starts_with("ans_") || name.starts_with("var_");
    let filled = |row: &Row| row.iter().filter(|(name, cell)| is_given(name) && !cell.is_empty()).count();
    assert_eq!(of_wide.values().map(filled).sum::<usize>(), count);
    // Partners keep the group of the first pass.
    for row in rows(&out, "assignments").iter().filter(|row| row["arm"].ends_with("partners")) {
        for pass in 1..=10 {
            let key = [&row["session"], &row["seat"], &pass.to_string()].map(Clone::clone);
            assert_eq!(of_wide[&key]["group_team"], row["group"]);
        }
    }
}

/// The winners by the Schulze method, by margins (Schulze 2011, section 2.1), of ballots that give options places. An option without a
/// place is below all others.
fn schulze_winners(ballots: &[BTreeMap<&str, u32>], options: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut strength: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for one in options {
        for other in options.iter().filter(|other| *other != one) {
            let margin = |ballot: &BTreeMap<&str, u32>| match ballot[other].cmp(&ballot[one]) {
                Ordering::Greater => 1,
                Ordering::Equal => 0,
                Ordering::Less => -1,
            };
            let margin: i64 = ballots.iter().map(margin).sum();
            strength.insert((one, other), margin.max(0));
        }
    }
    for through in options {
        for from in options.iter().filter(|from| *from != through) {
            for to in options.iter().filter(|to| *to != through && *to != from) {
                let around = strength[&(*from, *through)].min(strength[&(*through, *to)]);
                let direct = strength.get_mut(&(*from, *to)).unwrap();
                *direct = (*direct).max(around);
            }
        }
    }
    let beats = |one: &&str, other: &&str| one == other || strength[&(*one, *other)] >= strength[&(*other, *one)];
    let winners = options.iter().filter(|one| options.iter().all(|other| beats(one, other)));
    winners.map(|one| (*one).to_owned()).collect()
}

#[test]
fn the_group_statement_is_the_schulze_winner_of_the_citizens_rankings() {
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "group_statement", &["replicates=10"]);
    let (ballots, tallies, texts) = (rows(&out, "ballots"), rows(&out, "tallies"), rows(&out, "texts"));
    let votes: BTreeSet<(&str, &str)> =
        tallies.iter().map(|row| (row["session"].as_str(), row["vote"].as_str())).collect();
    // Ten sessions with one vote, and ten with two.
    assert_eq!(votes.len(), 30);
    let is_of = |row: &Row, vote: (&str, &str)| (row["session"].as_str(), row["vote"].as_str()) == vote;
    let mut tied = 0;
    for vote in votes {
        let mut ranked: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
        for row in ballots.iter().filter(|row| is_of(row, vote)) {
            assert!(row["seat"].starts_with("Citizen"));
            let rank = row["rank"].parse().unwrap_or(u32::MAX);
            ranked.entry(&row["seat"]).or_default().insert(&row["alternative"], rank);
        }
        let ranked: Vec<BTreeMap<&str, u32>> = ranked.into_values().collect();
        let counted = tallies.iter().filter(|row| is_of(row, vote));
        let options: BTreeSet<&str> = counted.clone().map(|row| row["alternative"].as_str()).collect();
        let marked = |column: &str| -> BTreeSet<String> {
            counted.clone().filter(|row| row[column] == "1").map(|row| row["alternative"].clone()).collect()
        };
        let winners = schulze_winners(&ranked, &options);
        assert_eq!(marked("is_winner"), winners, "{vote:?}");
        assert!(marked("decided").len() == 1 && marked("decided").is_subset(&winners), "{vote:?}");
        tied += usize::from(winners.len() > 1);
    }
    assert!(tied > 0 && tied < 30, "{tied}");
    // Each mediator has a letter of its own, which stays when it writes again.
    let mut letters: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for row in &texts {
        assert!(row["author"].starts_with("Mediator") && (50..=1_500).contains(&row["text"].chars().count()));
        letters.entry((&row["session"], &row["author"])).or_default().insert(&row["letter"]);
    }
    assert!(letters.len() == 80 && letters.values().all(|own| own.len() == 1));
    assert_eq!(texts.iter().filter(|row| row["version"] == "2").count(), 40);
}

#[test]
fn what_a_scenario_adds_can_be_announced_and_who_hears_is_told() {
    let check = |name: &str, set: &[&str], code: i32, told: &[&str]| {
        let config = repository().join(format!("configs/{name}.yaml"));
        let set = set.iter().flat_map(|setting| ["--set", setting]);
        let arguments: Vec<&str> = ["check", text(&config)].into_iter().chain(set).collect();
        ekklesia(&arguments).says(code, told);
    };
    check("wason", &["primary.metric=correct_together_choice"], 0, &[]);
    check("beauty_contest", &["primary.metric=[ans_guessing_guess, var_points, var_goal]"], 0, &[]);
    check("beauty_contest", &["primary.metric=ans_guessing_gues"], 2, &["did you mean \"ans_guessing_guess\""]);
    check("wason", &["primary.metric=ans_together_choice"], 2, &["the answers of ans_together_choice are no numbers"]);
    check("group_statement", &[], 0, &["opinion: talk, 1 round · who citizen · heard_by mediator"]);
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "nominal_group", &["replicates=1"]);
    let methods = std::fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("Every vote had a rule of its own, which stands with it above."), "{methods}");
}

/// Fractions of whole numbers, for what voters have left.
fn minus((one, of_one): (i128, i128), (other, of_other): (i128, i128)) -> (i128, i128) {
    let (of, unit) = (one * of_other - other * of_one, of_one * of_other);
    let common = num_integer::gcd(of, unit).max(1);
    (of / common, unit / common)
}

fn is_less((one, of_one): (i128, i128), (other, of_other): (i128, i128)) -> bool {
    one * of_other < other * of_one
}

/// The least amount at which voters who each give it, or all that they have, pay a cost together.
fn even_payment(cost: i128, held: &[(i128, i128)]) -> Option<(i128, i128)> {
    let mut left: Vec<(i128, i128)> = held.to_vec();
    left.sort_by(|one, other| (one.0 * other.1).cmp(&(other.0 * one.1)));
    let mut due = (cost, 1);
    for (place, held) in left.iter().enumerate() {
        let payers = (left.len() - place) as i128;
        let each = (due.0, due.1 * payers);
        if !is_less(*held, each) {
            return Some(each);
        }
        due = minus(due, *held);
    }
    None
}

/// Equal shares of a budget, by its definition: in each step the winner costs its voters the least for each unit, and in the end the
/// money goes to those with the most approvals.
#[test]
fn each_project_is_the_cheapest_for_those_who_want_it() {
    let costs = [40, 25, 35, 10, 55, 30, 20, 15];
    let names = ["playground", "trees", "crossing", "benches", "workshop", "lights", "garden", "festival"];
    let place = tempfile::tempdir().unwrap();
    let out = run_config(place.path(), "participatory_budget", &["replicates=12"]);
    let mut wanted: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
    for row in rows(&out, "ballots").iter().filter(|row| row["chosen"] == "1") {
        let project = names.iter().position(|name| *name == row["alternative"]).unwrap();
        wanted.entry((row["session"].clone(), row["seat"].clone())).or_default().insert(project);
    }
    let mut by_shares = 0;
    for session in rows(&out, "sessions") {
        let own = wanted.iter().filter(|((name, _), _)| *name == session["session"]);
        let voters: Vec<&BTreeSet<usize>> = own.map(|(_, wants)| wants).collect();
        let number = rows(&out, "seats").iter().filter(|row| row["session"] == session["session"]).count() as i128;
        let mut held = vec![(100, number); voters.len()];
        let approvals = |project: usize| voters.iter().filter(|wants| wants.contains(&project)).count();
        let price = |project: usize, held: &[(i128, i128)]| {
            let of_voters: Vec<(i128, i128)> =
                voters.iter().zip(held).filter(|(wants, _)| wants.contains(&project)).map(|(_, held)| *held).collect();
            let each = even_payment(costs[project], &of_voters)?;
            (!of_voters.is_empty()).then_some((each.0, each.1 * costs[project]))
        };
        let mut open: BTreeSet<usize> = (0..8).collect();
        let mut left = 100;
        let minutes =
            std::fs::read_to_string(out.join("sessions").join(&session["session"]).join("minutes.jsonl")).unwrap();
        let tally = minutes.lines().find(|line| line.contains("\"Tallied\"")).unwrap();
        let tally: serde_json::Value = serde_json::from_str(tally).unwrap();
        let winners = tally["event"]["Tallied"]["winners"].as_array().unwrap();
        let winners = winners.iter().map(|winner| winner["alternative"].as_str().unwrap());
        let order: Vec<usize> = winners.map(|winner| names.iter().position(|name| *name == winner).unwrap()).collect();
        // The result has them in the order of the options.
        let decided: BTreeSet<usize> = order.iter().copied().collect();
        let decided: Vec<&str> = decided.into_iter().map(|place| names[place]).collect();
        assert_eq!(session["result"], decided.join("+"));
        for winner in order {
            let shares = open.iter().filter_map(|project| Some((*project, price(*project, &held)?)));
            let shares: Vec<(usize, (i128, i128))> = shares.filter(|_| session["arm"] == "shares").collect();
            if let Some((_, own)) = shares.iter().find(|(project, _)| *project == winner) {
                assert!(shares.iter().all(|(_, other)| !is_less(*other, *own)), "{session:?}");
                let each = (own.0 * costs[winner], own.1);
                for (wants, held) in voters.iter().zip(&mut held) {
                    if wants.contains(&winner) {
                        *held = if is_less(each, *held) { minus(*held, each) } else { (0, 1) };
                    }
                }
                by_shares += 1;
            } else {
                assert!(shares.is_empty(), "{session:?}");
                let fits = open.iter().filter(|project| costs[**project] <= left);
                assert_eq!(approvals(winner), fits.map(|project| approvals(*project)).max().unwrap());
            }
            open.remove(&winner);
            left -= costs[winner];
            assert!(left >= 0);
        }
        assert!(open.iter().all(|project| costs[*project] > left || approvals(*project) == 0), "{session:?}");
    }
    assert!(by_shares > 12, "{by_shares}");
}
