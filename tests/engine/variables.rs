//! Computed values: in the minutes, in what seats read, in bounds of numbers, in pay and in tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, whole, write_file, write_own_scenario};
use crate::oracle::check_cells;
use ekklesia::domain::{Briefing, Computed, Event, Record};

/// A public-goods game of one group after Fehr and Gächter 2000, with a fine that no seat can exceed and a die.
const GAME: &str = "parameters: { endowment: { type: int, default: 20 }, mpcr: { type: number, default: 0.4 } }
variables: { richest: { start: \"'nobody yet'\" }, rounds: { start: 0 } }
agenda:
  - name: period
    repeat: { times: 3 }
    phases:
      - name: contribute
        ask:
          - id: c
            number: { min: 0, max: parameters.endowment }
            question: \"Period {{ pass.number }} of 3, richest: {{ richest }}.{% if not pass.first %} You earned {{ seat.gross }}.{% endif %} How many?\"
      - name: gross
        compute:
          rounds: rounds + 1
          pot: sum(everyone.c)
          seat.gross: \"parameters.endowment - default(seat.c, 0) + parameters.mpcr * pot\"
          seat.gain: \"seat.gross - previous(gross)\"
          best: \"draw_choice(seats)\"
          richest: best.name
          seat.die: \"draw_integer(1, 6)\"
      - name: shown
        brief: { text: \"{% for s in group %}{{ s.name }}: {{ s.c }}. {% endfor %}{{ best }} leads. You earn {{ seat.gross }}.\" }
      - { name: fine, ask: [ { id: f, number: { min: 0, max: floor(seat.gross), decimals: 1 }, question: \"Of {{ seat.gross }}, how much?\" } ] }
  - { name: payment, pay: { seat: \"total(gross) - total(f)\", unit: tokens, rate: 0.05, fee: 2 } }
";

const SEATS: [&str; 4] = ["Ann", "Bob", "Cleo", "Dan"];

fn write_game(place: &Path, agenda: &str) -> PathBuf {
    let head = "scenario: game\nmotion: { text: A game. }\nalternatives: [ { name: left, label: Left }, { name: right, label: Right } ]\n";
    write_own_scenario(place, "motion", |_| format!("{head}{agenda}"));
    let seats: String =
        SEATS.map(|name| format!("  - {{ name: {name}, mind: {{ random: {{ malformed: 0.6 }} }} }}\n")).concat();
    let body = format!(
        "experiment: game\nscenario: own\nseed: 5\nreplicates: 4\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n{seats}"
    );
    write_file(place, "config.yaml", body)
}

/// Runs a game and replays it: its place, its config and its results.
fn play_game(agenda: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_game(place.path(), agenda), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    (place, config, out)
}

#[track_caller]
fn refuse_game(agenda: &str, words: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    ekklesia(&["check", text(&write_game(place.path(), agenda))]).refuses(words);
}

/// Tenths, as a cell has them.
fn tenths(cell: &str) -> i64 {
    (cell.parse::<f64>().unwrap() * 10.0).round() as i64
}

/// The game recomputed from the raw answers, in whole tenths of tokens.
#[test]
fn payoffs_are_those_of_the_game_recomputed_from_the_answers() {
    let (_place, _, out) = play_game(GAME);
    check_cells(&out, 1);
    let (values, variables, payoffs) = (rows(&out, "values"), rows(&out, "variables"), rows(&out, "payoffs"));
    let (mut missing, mut checked) = (0, 0);
    for replicate in 1..=4 {
        let session = format!("baseline-r{replicate:06}");
        let answer = |field: &str, seat: &str, pass: u32| {
            let mut all = values.iter().filter(|row| row["session"] == session && row["seat"] == seat);
            let row = all.find(|row| row["field"] == field && row["pass"] == pass.to_string()).unwrap();
            (row["status"] == "valid").then(|| tenths(&row["value_n"]))
        };
        let computed = |name: &str, seat: &str, pass: u32| {
            let mut all = variables.iter().filter(|row| row["session"] == session && row["seat"] == seat);
            let row = all.find(|row| row["name"] == name && row["pass"] == pass.to_string()).unwrap();
            (!row["value_n"].is_empty()).then(|| tenths(&row["value_n"]))
        };
        let mut earned = [0; 4];
        let mut before = [None; 4];
        for pass in 1..=3 {
            let given = SEATS.map(|seat| answer("c", seat, pass));
            missing += given.iter().filter(|given| given.is_none()).count();
            let pot: i64 = given.iter().flatten().sum();
            assert_eq!(computed("pot", "", pass), Some(pot));
            assert_eq!(computed("rounds", "", pass), Some(10 * i64::from(pass)));
            for (place, seat) in SEATS.iter().enumerate() {
                let gross = 200 - given[place].unwrap_or(0) + pot * 4 / 10;
                assert_eq!(computed("gross", seat, pass), Some(gross), "{session} {seat} {pass}");
                assert_eq!(computed("gain", seat, pass), before[place].map(|before: i64| gross - before));
                let fine = answer("f", seat, pass);
                assert!(fine.is_none_or(|fine| (0..=gross / 10 * 10).contains(&fine)), "{fine:?} of {gross}");
                let die = computed("die", seat, pass).unwrap();
                assert!((10..=60).contains(&die) && die % 10 == 0);
                earned[place] += gross - fine.unwrap_or(0);
                before[place] = Some(gross);
            }
        }
        for (seat, earned) in SEATS.iter().zip(earned) {
            let row = payoffs.iter().find(|row| row["session"] == session && row["seat"] == *seat).unwrap();
            assert_eq!(
                (tenths(&row["payoff"]), row["unit"].as_str(), row["stage"].as_str()),
                (earned, "tokens", "pay")
            );
            // Half a cent goes to the even one: 0.05 of a tenth of a token is half a cent.
            let cents = row["payoff_cents"].parse::<i64>().unwrap();
            assert!((2 * cents - (earned + 400)).abs() <= 1, "{cents} for {earned}");
            checked += 1;
        }
    }
    assert!(missing > 0 && checked == 16, "{missing} of the answers are missing");
}

/// What seats read follows from what was computed, and every cut of a session goes on alike.
#[test]
fn texts_print_what_was_computed_and_every_cut_goes_on_alike() {
    let place = tempfile::tempdir().unwrap();
    let config = write_game(place.path(), GAME);
    let plan = Arc::clone(&read(&config).arms[0]);
    let records: Vec<Record> = whole(&plan, 1);
    let mut told = 0;
    for record in &records {
        let Event::Briefed(Briefing { text, to, .. }) = &record.event else { continue };
        let [seat] = &to[..] else { panic!("each seat has words of its own: {to:?}") };
        let gross = records[..record.seq.0 as usize].iter().rev().find_map(|record| match &record.event {
            Event::Computed(Computed { name, values }) if name == "gross" => values
                .iter()
                .find(|(own, _)| *own == Some(seat))
                .map(|(_, value)| value.unwrap().told(Default::default())),
            _ => None,
        });
        assert!(text.ends_with(&format!("You earn {}.", gross.unwrap())), "{text}");
        assert!(text.starts_with("Ann: "), "{text}");
        told += 1;
    }
    assert_eq!(told, 12);
    check_every_cut(&plan, 1, &records);
}

/// Deductions that seats give and receive, in each pass and over all, against the values of the table.
#[test]
fn forms_about_each_other_seat_are_asked_at_once_and_added_up() {
    let agenda = "parameters: { strict: { type: bool, default: true } }
agenda:
  - name: period
    repeat: { times: 2 }
    phases:
      - { name: punish, ask: { per: others, form: [ { id: p, number: { min: 0, max: 10 }, question: \"Points for {{ target.name }}?\" }, { id: ok, yes_no: {}, question: \"Is {{ target }} fair?\" } ] } }
      - { name: next, ask: { per: seat.index == me.index + 1, form: [ { id: q, number: { min: 0, max: pass.number }, question: How many? } ] } }
      - { name: sums, compute: { seat.got: received(p), seat.gave: given(p), seat.handed: received(q), seat.all: total(got) } }
";
    let (_place, _, out) = play_game(agenda);
    check_cells(&out, 1);
    let (values, variables) = (rows(&out, "values"), rows(&out, "variables"));
    let (mut lost, mut last) = (0, 0);
    for row in &variables {
        let of = |value: &&BTreeMap<String, String>, field: &str| {
            (&value["session"], &value["pass"], value["field"].as_str()) == (&row["session"], &row["pass"], field)
        };
        let (seat, name) = (row["seat"].as_str(), row["name"].as_str());
        let sum = |field: &str, column: &str| -> i64 {
            let own =
                values.iter().filter(|value| of(value, field) && value[column] == seat && value["status"] == "valid");
            own.map(|value| tenths(&value["value_n"])).sum()
        };
        match name {
            "got" => assert_eq!(tenths(&row["value_n"]), sum("p", "target")),
            "gave" => assert_eq!(tenths(&row["value_n"]), sum("p", "seat")),
            "handed" => assert_eq!(tenths(&row["value_n"]), sum("q", "target")),
            _ => {
                let own = variables.iter().filter(|other| {
                    (&other["session"], &other["seat"], other["name"].as_str())
                        == (&row["session"], &row["seat"], "got")
                        && other["pass"] <= row["pass"]
                });
                assert_eq!(tenths(&row["value_n"]), own.map(|other| tenths(&other["value_n"])).sum::<i64>());
            }
        }
    }
    for value in &values {
        assert!(value["target"] != value["seat"], "nobody is asked about oneself");
        lost += i32::from(value["status"] != "valid");
        if value["field"] == "q" {
            assert!(value["seat"] != "Dan", "there is no seat after the last");
            last += 1;
        }
    }
    assert!(lost > 0 && last > 0, "{lost} answers are lost, {last} are about the next seat");
    let (again, refused) = ("{ per: others, ", "`p` is asked about each of several seats");
    let wrong = agenda.replace("seat.all: total(got)", "seat.all: seat.p").replace(again, "{ ");
    refuse_game(&wrong, &["say about which seats the form is asked"]);
    refuse_game(&agenda.replace("total(got)", "seat.p"), &[refused]);
}

/// Points for other seats and for words, read by option, added up, and printed, against the values of the table.
#[test]
fn points_are_read_by_their_options() {
    let agenda = "parameters: { strict: { type: bool, default: true } }
agenda:
  - name: period
    repeat: { times: 2 }
    phases:
      - { name: give, ask: [ { id: gift, allocation: { options: others, points: 12 }, question: Divide 12 points. }, { id: plan, score: { options: [park, town hall], max: 5 }, question: How good? } ] }
      - { name: sums, compute: { seat.got: received(gift), seat.gave: given(gift), seat.own: 'sum(s.gift[seat] for s in others)', seat.lead: 'seat.plan.park - seat.plan[\"town hall\"]' } }
      - { name: shown, brief: { text: \"{% for s in others %}{{ s.name }} gave {{ s.gift[me] }}. {% endfor %}Park {{ seat.plan.park }}, hall {{ seat.plan['town hall'] }}.\" } }
";
    let (_place, _, out) = play_game(agenda);
    check_cells(&out, 1);
    let points = |value: &str, option: &str| -> Option<i64> {
        let parts = value.split(", ").filter_map(|part| part.split_once(" = "));
        parts.filter(|(own, _)| *own == option).map(|(_, number)| number.parse().unwrap()).next()
    };
    let (values, variables) = (rows(&out, "values"), rows(&out, "variables"));
    let mut lost = 0;
    for row in &variables {
        let seat = row["seat"].as_str();
        let given = |field: &str| {
            let of_pass = values.iter().filter(|value| {
                (&value["session"], &value["pass"], value["field"].as_str()) == (&row["session"], &row["pass"], field)
            });
            of_pass
                .filter(|value| value["status"] == "valid")
                .map(|value| (&value["seat"], &value["value"]))
                .collect::<Vec<_>>()
        };
        let (gifts, plans) = (given("gift"), given("plan"));
        let got: i64 = gifts.iter().filter_map(|(_, value)| points(value, seat)).sum();
        let plan = plans.iter().find(|(own, _)| *own == seat).map(|(_, value)| value);
        let expected = match row["name"].as_str() {
            "got" | "own" => Some(got),
            "gave" => Some(if gifts.iter().any(|(own, _)| *own == seat) { 12 } else { 0 }),
            _ => plan.map(|plan| points(plan, "park").unwrap() - points(plan, "town hall").unwrap()),
        };
        lost += i32::from(expected.is_none());
        assert_eq!(row["value"], expected.map_or(String::new(), |number| number.to_string()), "{row:?}");
    }
    assert!(lost > 0, "some answers are lost");
    let wrong = agenda
        .replace("seat.plan.park -", "seat.plan.parc -")
        .replace("hall {{ seat.plan['town hall'] }}", "{{ seat.plan.hall }}");
    refuse_game(&wrong, &["`seat.plan` has no option `parc`; did you mean `park`?", "seat.plan.hall"]);
}

/// What a vote came to is read by its name, in conditions, values and texts; a vote that was not held is missing.
#[test]
fn votes_are_read_by_name() {
    let agenda = "parameters: { strict: { type: bool, default: true } }
agenda:
  - { name: early, when: later.decided, brief: { text: Never. } }
  - name: block
    repeat: { times: 2 }
    phases:
      - { name: colour, vote: { over: [red, green, blue], rule: plurality, tie_break: lot, binding: false } }
      - { name: later, when: pass.number == 2, vote: { rule: majority, tie_break: lot } }
      - name: read
        compute:
          colour_won: colour.winner.name
          colour_votes: sum(colour.options.count)
          best: max(colour.options.count)
          is_decided: later.decided
  - { name: told, brief: { text: \"{{ colour.winner.name }} wins{% for o in colour.options %} {{ o.name }}={{ o.count }}{% endfor %}; {{ later.winner.label }}\" } }
";
    let place = tempfile::tempdir().unwrap();
    let wrong = agenda
        .replace("colour.winner.name\n", "colour.winer.name\n")
        .replace("when: later.decided", "when: colour.decided");
    let config = write_game(place.path(), &wrong);
    ekklesia(&["check", text(&config)]).says(2, &["did you mean `winner`", "`colour` is set only later"]);
    let agenda = agenda.replace("  - { name: early, when: later.decided, brief: { text: Never. } }\n", "");
    let (config, out) = (write_game(place.path(), &agenda), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "30"]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let (tallies, variables) = (rows(&out, "tallies"), rows(&out, "variables"));
    let mut named = 0;
    for row in &variables {
        let is_of = |tally: &&BTreeMap<String, String>, phase: &str| {
            (&tally["session"], &tally["pass"], tally["phase"].as_str()) == (&row["session"], &row["pass"], phase)
        };
        let counts = || {
            tallies.iter().filter(|tally| is_of(tally, "colour")).map(|tally| tally["count"].parse::<i64>().unwrap())
        };
        match row["name"].as_str() {
            "colour_votes" => assert_eq!(tenths(&row["value_n"]), 10 * counts().sum::<i64>()),
            "best" => assert_eq!(tenths(&row["value_n"]), 10 * counts().max().unwrap()),
            "is_decided" => assert_eq!(row["value"].is_empty(), row["pass"] == "1"),
            // A vote that an invalid ballot voids has no winner, and neither has a tie of a vote that is not binding.
            "colour_won" if row["value"].is_empty() => {}
            "colour_won" => {
                let most =
                    tallies.iter().filter(|tally| is_of(tally, "colour") && tally["alternative"] == row["value"]);
                let most: Vec<i64> = most.map(|tally| tally["count"].parse().unwrap()).collect();
                assert_eq!(most, [counts().max().unwrap()], "{row:?}");
                assert_eq!(counts().filter(|count| *count == most[0]).count(), 1, "{row:?}");
                named += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(named > 0, "no vote has a winner");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
}

/// A payment before the end is remembered, and nobody is shown another's.
#[test]
fn a_payment_in_the_middle_is_its_seat_s_own() {
    let agenda = "parameters: { strict: { type: bool, default: true } }
agenda:
  - { name: first, pay: { seat: 10 * seat.index, unit: tokens } }
  - { name: ask, ask: [ { id: c, number: { min: 0, max: 1 }, question: How many? } ] }
";
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_game(place.path(), agenda), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no seat was shown anything that it had not witnessed"]);
    ekklesia(&["context", text(&out.join("sessions/baseline-r000001")), "--seat", "Bob"])
        .says(0, &["You were paid 20 tokens."]);
}

/// In a block for seats each seat answers in a pass of its own, and all of them count as one pass of the block around.
#[test]
fn a_mean_of_answers_takes_the_seats_that_answer_in_turn_as_one_pass() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - name: round
    repeat: { times: 3 }
    phases:
      - name: queue
        for: { each: everyone, as: turn, order: lot }
        phases:
          - { name: guess, who: seat == turn, ask: [ { id: c, number: { min: 0, max: 9 }, question: How many? } ] }
";
    let (config, out) = (write_game(place.path(), agenda), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let values = rows(&out, "values");
    for session in rows(&out, "sessions") {
        let own = values.iter().filter(|row| row["session"] == session["session"] && row["pass"].starts_with("3."));
        let last: Vec<f64> = own.filter_map(|row| row["value_n"].parse().ok()).collect();
        assert!(last.len() > 1);
        let told: f64 = session["ans_guess_c"].parse().unwrap();
        assert!((told - last.iter().sum::<f64>() / last.len() as f64).abs() < 1e-6);
    }
    check_cells(&out, 1);
}

/// The name of a parameter is not that of a value which is computed later.
#[test]
fn a_value_may_have_the_name_of_a_parameter_that_is_read_before() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "parameters: { accuracy: { type: number, default: 0.5 } }
agenda:
  - { name: draw, compute: { seat.right: \"draw_uniform(0, 1) < parameters.accuracy\" } }
  - { name: share, compute: { accuracy: mean((1 if s.right else 0) for s in everyone) } }
";
    ekklesia(&["check", text(&write_game(place.path(), agenda))]).says(0, &["computes accuracy"]);
}

/// A start follows from the arm's parameters and from each seat, in what is computed of it and in the tables.
#[test]
fn a_start_is_an_expression_of_parameters_and_of_the_seat() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "parameters: { endowment: { type: int, default: 20 } }
variables:
  pot: { start: 2 * parameters.endowment + 1/3 }
  word: { start: \"'yes'\" }
  rich: { of: seat, start: seat.index > 2 }
  wealth: { of: seat, start: parameters.endowment * seat.index }
agenda:
  - { name: half, compute: { seat.half: seat.wealth / 2, early: pot + 1, told: word } }
";
    let config = write_game(place.path(), agenda);
    let body = fs::read_to_string(&config).unwrap();
    fs::write(&config, body + "design: { factors: { size: { key: parameters.endowment, levels: [10, 30] } } }\n")
        .unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let (sessions, seats) = (rows(&out, "sessions"), rows(&out, "seats"));
    for (size, pot, early) in [("10", "20.333333", "21.333333"), ("30", "60.333333", "61.333333")] {
        let of_arm = |row: &&BTreeMap<String, String>| row["arm_size"] == size;
        let session = sessions.iter().find(of_arm).unwrap();
        let found = ["var_pot", "var_early", "var_word", "var_told"].map(|column| session[column].as_str());
        assert_eq!(found, [pot, early, "yes", "yes"]);
        let wealth = |column: &str| {
            let own = seats.iter().filter(|row| of_arm(row) && row["session"] == session["session"]);
            own.map(|row| row[column].clone()).collect::<Vec<String>>().join(" ")
        };
        let each =
            |of: &dyn Fn(u32) -> u32| (1..=4).map(|seat| format!("{}.000000", of(seat))).collect::<Vec<_>>().join(" ");
        let endowment: u32 = size.parse().unwrap();
        assert_eq!(wealth("var_wealth"), each(&|seat| endowment * seat));
        assert_eq!(wealth("var_half"), each(&|seat| endowment * seat / 2));
        assert_eq!(wealth("var_rich"), "0.000000 0.000000 1.000000 1.000000");
    }
}

/// Values that are set in an outer block, in an inner one and in both, read within the inner block, after it and in a block behind both.
#[test]
fn earlier_passes_are_those_of_the_innermost_block_that_sets_the_value() {
    let agenda = |inner: &str| {
        format!(
            "variables: {{ steps: {{ start: 0 }} }}
agenda:
  - name: outer
    repeat: {{ times: 3 }}
    phases:
      - {{ name: reset, compute: {{ both: 0 }} }}
      - name: inner
        {inner}
        phases:
          - {{ name: look, compute: {{ last: \"default(previous(v), -1)\", rounds: count(past(v)), all: total(v) }} }}
          - {{ name: ask, ask: [ {{ id: f, number: {{ min: -99, max: 99 }}, question: \"f?\" }} ] }}
          - {{ name: step, compute: {{ steps: steps + 1, both: both + 1, in_both: \"default(previous(both), -1)\" }} }}
      - {{ name: set, compute: {{ v: 10 * pass.number, before: previous(steps), of_inner: count(past(steps)), of_round: \"default(previous(both), -1)\" }} }}
  - name: later
    repeat: {{ times: 3 }}
    phases:
      - {{ name: after, compute: {{ over: previous(v) }} }}
"
        )
    };
    for inner in ["repeat: { times: 4 }", "for: { each: everyone }"] {
        let place = tempfile::tempdir().unwrap();
        let (config, out) = (write_game(place.path(), &agenda(inner)), place.path().join("out"));
        let rule = fs::read_to_string(&config).unwrap();
        let rule = rule.replace("random: { malformed: 0.6 }", "rule: { f: \"default(previous(v), -1)\" }");
        fs::write(&config, rule).unwrap();
        ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        let mut read = 0;
        for row in rows(&out, "variables").into_iter().chain(rows(&out, "values")) {
            let passes: Vec<i64> = row["pass"].split('.').map(|number| number.parse().unwrap()).collect();
            let (round, turn) = (passes[0], passes.get(1).copied().unwrap_or_default());
            let of_rounds = if round == 1 { -1 } else { 10 * (round - 1) };
            let expected = match row.get("name").unwrap_or_else(|| &row["field"]).as_str() {
                "last" | "f" => of_rounds,
                "rounds" => round - 1,
                "all" => 5 * round * (round - 1),
                "in_both" if turn == 1 => -1,
                "in_both" => turn - 1,
                "before" => 4 * round - 1,
                "of_inner" => 3,
                "of_round" if round == 1 => -1,
                "of_round" => 4,
                "over" => 20,
                _ => continue,
            };
            assert_eq!(row["value_n"].parse::<f64>().unwrap(), expected as f64, "{inner}: {row:?}");
            read += 1;
        }
        assert_eq!(read, 12 * 4 + 12 * 4 + 3 * 3 + 3);
    }
}

#[test]
fn a_total_covers_the_passes_of_all_blocks_that_are_over() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - name: game
    repeat: { times: 2 }
    phases:
      - name: play
        repeat: { times: 3 }
        phases:
          - { name: give, ask: [ { id: c, number: { min: 0, max: 9 }, question: \"c?\" } ] }
          - { name: earn, compute: { seat.g: \"seat.c + 1\", seat.so_far: total(g) } }
      - { name: sum, compute: { seat.of_game: total(g), seat.replied: total(c) } }
  - name: once
    repeat: { times: 1 }
    phases:
      - { name: more, compute: { seat.z: 1 } }
  - name: again
    repeat: { times: 2 }
    phases:
      - { name: yet_more, compute: { seat.z: 10 } }
  - { name: all, compute: { seat.whole: total(g), seat.by_game: total(of_game), seat.answers: total(c), seat.of_blocks: total(z) } }
";
    let (config, out) = (write_game(place.path(), agenda), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "3"]).says(0, &[]);
    let variables = rows(&out, "variables");
    let value = |row: &BTreeMap<String, String>| row["value_n"].parse::<f64>().unwrap_or(0.0);
    for row in &variables {
        let sum = |name: &str, pass: &str| -> f64 {
            let of_seat = variables.iter().filter(|other| {
                (&other["session"], &other["seat"], other["name"].as_str()) == (&row["session"], &row["seat"], name)
            });
            of_seat.filter(|other| other["pass"].starts_with(pass)).map(value).sum()
        };
        let game = row["pass"].split('.').next().unwrap();
        match row["name"].as_str() {
            "of_game" => assert_eq!(value(row), sum("g", &format!("{game}."))),
            "whole" => assert_eq!((value(row), value(row)), (sum("g", ""), sum("of_game", ""))),
            "by_game" => assert_eq!(value(row), sum("g", "")),
            "answers" => assert_eq!(value(row), sum("replied", "")),
            "of_blocks" => assert_eq!(value(row), 21.0),
            _ => {}
        }
    }
    assert!(variables.iter().any(|row| row["name"] == "whole" && value(row) > 9.0));
}

#[test]
fn values_that_would_always_be_missing_are_mistakes() {
    let place = tempfile::tempdir().unwrap();
    let looped = |computed: &str| {
        format!(
            "agenda:\n  - {{ name: loop, repeat: {{ times: 2 }}, phases: [ {{ name: step, compute: {{ {computed} }} }} ] }}\n"
        )
    };
    let start = "variables: { a: { start: 0 } }\n";
    for (agenda, message) in [
        (looped("a: b + 1, b: a + 1"), "agenda.step.compute.a: `a` would always be missing"),
        (looped("a: b + 1, b: a + 1"), "agenda.step.compute.b: `b` would always be missing"),
        (looped("seat.a: seat.a + 5"), "variables: { a: { of: seat, start: 0 } }"),
        (looped("a: previous(a) + 1"), "agenda.step.compute.a: `a` would always be missing"),
        (looped("a: \"max(1, a)\""), "agenda.step.compute.a: `a` would always be missing"),
        (
            "agenda:\n  - { name: told, brief: { text: \"q is {{ q }}\" } }\n  - { name: two, compute: { q: 3 } }\n".to_owned(),
            "agenda.told.brief.text: `q` is set only later",
        ),
        (
            "agenda:\n  - { name: one, ask: [ { id: c, yes_no: {}, question: \"{{ seat.d }}?\" } ] }\n  - { name: two, ask: [ { id: d, yes_no: {}, question: \"d?\" } ] }\n".to_owned(),
            "`d` is set only later",
        ),
    ] {
        ekklesia(&["check", text(&write_game(place.path(), &agenda))]).says(2, &[message]);
    }
    for agenda in [
        start.to_owned() + &looped("a: b + 1, b: a + 1"),
        looped("a: \"default(b, 0) + 1\", b: a + 1"),
        looped("a: \"1 if pass.first else a + 1\""),
        looped("a: total(a) + 1"),
        looped("number: pass.number + 1, seat.index_twice: seat.index * 2"),
        "agenda:\n  - { name: told, brief: { text: \"{% if q is missing %}Later.{% else %}{{ q }}{% endif %}\" } }\n  - { name: two, compute: { q: 3 } }\n".to_owned(),
    ] {
        ekklesia(&["check", text(&write_game(place.path(), &agenda))]).says(0, &[]);
    }
}

#[test]
fn mistakes_in_computed_values_are_told_together() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "parameters: { endowment: { type: int, default: 20 } }
variables: { pot: { of: seat, start: 1 } }
agenda:
  - { name: early, compute: { x: late + 1 } }
  - { name: one, compute: { pot: \"1\", seat.seat: \"2\", sum: \"3\", y: \"seat.c\", z: \"everyone.c\", w: \"prevous(c)\", v: \"1 +\" } }
  - { name: ask, ask: [ { id: c, number: { min: 0, max: \"sum(everyone.c)\" }, question: \"{{ seat.d }} {{ others }} {% for s in others %}{{ s.c }}{% endfor %}\" } ] }
  - { name: two, compute: { late: \"1\", u: \"draw_integer(1, 2)\" } }
  - { name: told, brief: { text: \"{{ seats.c }} {{ lat }}\" } }
  - { name: paid, pay: { seat: \"'words'\", rate: \"draw_integer(1, 2)\" } }
";
    let config = write_game(place.path(), agenda);
    let checked = ekklesia(&["check", text(&config)]);
    checked.refuses(&[
        "agenda.early.compute.x: `late` is set only later",
        "agenda.one.compute.pot: a name has one meaning, and `pot` is a value of each seat in variables.pot: rename one of the two, or write seat.pot",
        "agenda.one.compute.seat.seat: \"seat\" means something else",
        "agenda.one.compute.sum: \"sum\" is a function",
        "this is about the session, and not about one seat",
        "a variable holds one value, texts or seats, and this is a list of numbers",
        "did you mean `previous`",
        "at the end of `1 +`",
        "a question may not depend on what other seats said",
        "agenda.paid.pay.seat: a payment is a number, and this is a text",
        "nothing is drawn in a payment",
    ]);
}

/// A clash names both places, the caret is at the name, and a value of a group is found where its bare name is written.
#[test]
fn a_clash_names_both_places_and_a_bare_name_the_value_that_is_meant() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "agenda:
  - { name: teams, assign: { team: { groups: { count: 2 }, by: lot } } }
  - name: play
    groups: team
    phases:
      - { name: one, compute: { group.offered: 1, seat.offered: 2 } }
      - { name: two, compute: { group.pot: 1, seat.given: 2 } }
      - { name: told, brief: { text: \"It is {{ pot }}.\" } }
  - { name: guess, ask: [ { id: z, choice: { options: [red, blue] }, key: urn, question: \"Which?\" } ] }
";
    let config = write_game(place.path(), agenda);
    let checked = ekklesia(&["check", text(&config)]);
    checked.refuses(&[
        "agenda.one.compute.seat.offered: a name has one meaning, and `offered` is a value of each group in agenda.one.compute.group.offered: rename one of the two",
        ":47: agenda.two.compute.seat.given: \"given\" is a function; choose another name",
        "agenda.told.brief.text: unknown variable pot",
        "= write group.pot",
        "the right answer names something that is not on offer; it is written as the option is, or item.key, and cannot be computed",
    ]);
}

/// A division by zero ends the session with the expression, and other sessions go on.
#[test]
fn an_expression_without_a_value_ends_its_session_and_names_the_expression() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "parameters: { endowment: { type: int, default: 20 } }
agenda:
  - { name: ask, ask: [ { id: c, number: { min: 0, max: 1 }, question: How many? } ] }
  - { name: part, compute: { seat.portion: seat.c / sum(everyone.c) } }
";
    let (config, out) = (write_game(place.path(), agenda), place.path().join("out"));
    ekklesia(&["check", text(&config)]).says(0, &["computes seat.portion"]);
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "40"])
        .says(1, &["division by zero", "seat.c / sum(everyone.c)"]);
}

/// Filters of the template language do not hide what a text may not print.
#[test]
fn the_words_of_a_question_print_nothing_of_others_whatever_the_filter() {
    let place = tempfile::tempdir().unwrap();
    let check = |words: &str| {
        let agenda = format!(
            "agenda:\n  - {{ name: one, ask: [ {{ id: c, number: {{ min: 0, max: 9 }}, question: How many? }} ] }}\n  \
             - {{ name: two, ask: [ {{ id: d, number: {{ min: 0, max: 9 }}, question: '{words}' }} ] }}\n"
        );
        ekklesia(&["check", text(&write_game(place.path(), &agenda))])
    };
    for secret in [
        "{{ others[0].c }}",
        "{{ (others | first) | attr(\"c\") }}",
        "{{ others | sort(attribute=\"c\") | join }}",
        "{{ others | unique(attribute=\"c\") | list }}",
        "{{ others | map(attribute=\"c\") | join(\",\") }}",
        "{{ others | max(attribute=\"c\") }}",
        "{{ others | groupby(\"c\") | length }}",
        "Who? {% for other in others | selectattr(\"c\", \"gt\", 5) %}{{ other.name }}{% endfor %}",
    ] {
        check(secret).says(2, &["cannot print another seat's c"]);
    }
    check("{{ debug() }}").says(2, &["unknown variable debug"]);
    check("{{ others | map(attribute=\"name\") | join(\", \") }}: {{ me.c }}?").says(0, &[]);
}

#[test]
fn texts_compute_with_parameters_that_are_no_whole_numbers() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "parameters: { share: { type: number, default: 0.25 } }\nagenda:\n  \
        - { name: told, brief: { text: \"{{ parameters.share }} {{ parameters.share * 4 }} {{ 1 - parameters.share }} \
        {% if parameters.share == 0.25 and parameters.share < 10 %}quarter{% endif %}\" } }\n  \
        - { name: pass, repeat: { times: 2 }, phases: [ { name: again, brief: { text: \"{{ pass.number * parameters.share }}\" } } ] }\n";
    let plan = Arc::clone(&read(&write_game(place.path(), agenda)).arms[0]);
    let told: Vec<String> = whole(&plan, 1)
        .iter()
        .filter_map(|record| match &record.event {
            Event::Briefed(Briefing { text, .. }) => Some(text.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["0.25 1 0.75 quarter", "0.25", "0.5"]);
}

/// Storable votes after Casella 2005: a member spends some of its votes on each motion and keeps the rest for the next one.
const STORED: &str = "variables: { bank: { of: seat, start: 1 } }
agenda:
  - name: motion
    repeat: { times: 4 }
    phases:
      - name: cast
        ask:
          - { id: votes, allocation: { options: [yes, no, kept], points: seat.bank }, question: \"You have {{ seat.bank }}. How many?\" }
          - { id: liked, score: { options: [dogs, cats], max: 2 * seat.bank + 0.5 }, question: How much? }
      - { name: count, compute: { seat.bank: \"default(seat.votes['kept'], seat.bank) + 1\", tally: \"sum(s.votes['yes'] - s.votes['no'] for s in everyone)\" } }
";

#[test]
fn points_and_scores_are_bounded_by_what_a_seat_has() {
    let (place, config, out) = play_game(STORED);
    check_cells(&out, 1);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("points shared among `yes`, `no` and `kept`; they add up to `seat.bank`"), "{methods}");
    assert!(
        methods.contains("a score from 0 for each of `dogs` and `cats`; the greatest is `2 * seat.bank + 0.5`"),
        "{methods}"
    );
    let shares = |cell: &str| -> BTreeMap<String, u64> {
        let part = |part: &str| part.split_once(" = ").map(|(name, number)| (name.to_owned(), number.parse().unwrap()));
        cell.split(", ").filter_map(part).collect()
    };
    let (mut bank, mut greatest) = (BTreeMap::new(), 0);
    for row in rows(&out, "values").iter().filter(|row| row["status"] == "valid") {
        let key = (row["session"].clone(), row["seat"].clone(), row["pass"].parse::<u64>().unwrap());
        let (given, pass) = (shares(&row["value"]), key.2);
        if row["field"] == "votes" {
            let has: u64 = given.values().sum();
            assert!((1..=pass).contains(&has), "{row:?}");
            if let Some(left) = bank.get(&(key.0.clone(), key.1.clone(), pass - 1)) {
                assert_eq!(has, left + 1, "{row:?}");
            }
            bank.insert(key, given["kept"]);
            greatest = greatest.max(has);
        } else {
            assert!(given.values().all(|score| *score <= 2 * pass), "{row:?}");
        }
    }
    assert!(greatest > 2, "nobody saved votes");
    let plan = read(&config).arms[0].clone();
    check_every_cut(&plan, 1, &whole(&plan, 1));
    let debts = STORED.replace("start: 1", "start: -1");
    let config = write_game(place.path(), &debts);
    ekklesia(&["run", text(&config), "--out", text(&place.path().join("debts"))])
        .says(1, &["`seat.bank` of the field votes is -1, and points go from 0 to 1000000"]);
    let config = write_game(place.path(), &STORED.replace("points: seat.bank", "points: seat.bankk"));
    ekklesia(&["check", text(&config)])
        .says(2, &["agenda.cast.ask.0.allocation.points", "`seat` has no attribute `bankk`"]);
    let config = write_game(place.path(), &STORED.replace("points: seat.bank", "points: seat.liked"));
    ekklesia(&["check", text(&config)]).says(2, &["agenda.cast.ask.0.allocation.points"]);
}
