//! Votes about an amount alone: nothing compares alternatives where there is one, and prompts ask for amounts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::write_file;
use crate::oracle::check_cells;

/// A jury that must agree on one sum, and may hang.
const DAMAGES: &str = "scenario: damages
title: A jury that sets damages
motion: { text: \"How many dollars does the jury award?\" }
alternatives: [ { name: award, label: An award, takes_amount: true } ]
amount: { unit: dollars, min: 0, max: 1000 }
decision: { rule: unanimity, invalid: abstain }
agenda:
  - { name: talk, discussion: { rounds: 2 } }
  - { name: final, vote: { decides: true } }
languages:
  es: { motion: { text: ¿Cuántos dólares? }, alternatives: { award: { name: indemnización, label: Una indemnización } } }
  zh: { motion: { text: 多少美元？ }, alternatives: { award: { name: 赔偿, label: 一笔赔偿 } } }
";

fn write(place: &Path, rest: &str) -> PathBuf {
    let scenario = place.join("damages");
    fs::create_dir_all(&scenario).unwrap();
    fs::write(scenario.join("scenario.yaml"), DAMAGES).unwrap();
    let body = format!("experiment: damages\nscenario: damages\nseed: 5\nreplicates: 2\n{rest}");
    write_file(place, "config.yaml", body)
}

#[test]
fn columns_that_compare_alternatives_are_empty_where_there_is_one() {
    let place = tempfile::tempdir().unwrap();
    let config = write(
        place.path(),
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { random: {} } }\n\
         seats: [ { count: 4 } ]\nstraw_polls: [before, each_round, after]\n",
    );
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    let assert_empty = |table: &str, columns: &[&str]| {
        let rows = rows(&out, table);
        assert!(!rows.is_empty());
        for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, *column))) {
            assert_eq!(row[column], "", "{table}: {column}");
        }
    };
    assert_empty(
        "sessions",
        &[
            "first_ballot_majority",
            "fbm_matches_final",
            "straw_before_modal_share",
            "straw_after_modal_share",
            "n_switch",
            "switch_n",
            "switch_rate",
            "public_private_gap",
            "public_private_n",
            "final_stance_share",
            "share_award",
            "straw_before_share_award",
        ],
    );
    assert_empty(
        "rounds",
        &[
            "n_switch",
            "switch_n",
            "switch_rate",
            "to_majority_switches",
            "from_majority_switches",
            "stance_modal",
            "straw_modal_share",
            "ballot_modal_share",
            "ballot_pair_agreement",
            "straw_effective_options",
        ],
    );
    assert_empty("seats", &["switched", "influence_in", "influence_n"]);
    assert_empty("seat_rounds", &["switched"]);
    assert_empty("ballots", &["matches_stance"]);
    // Amounts are compared all the same.
    assert!(rows(&out, "sessions").iter().all(|row| row["trivial_consensus"] == "0"));
    assert!(rows(&out, "rounds").iter().any(|row| !row["straw_pair_agreement_exact"].is_empty()));
}

#[test]
fn prompts_about_an_amount_alone_ask_for_the_amount_and_tell_that_all_must_name_the_same() {
    let place = tempfile::tempdir().unwrap();
    for (language, favoured, polled, rule) in [
        (
            "en",
            "and the amount you favour, in dollars, as a whole number from 0 to 1000.",
            "which amount do you favour now",
            "The rule is that all name the same amount.",
        ),
        (
            "es",
            "y la cantidad que prefiere, en dollars, como número entero de 0 a 1000.",
            "¿qué cantidad prefiere ahora",
            "La regla es que todos indiquen la misma cantidad.",
        ),
        (
            "zh",
            "并说明你倾向的数额，单位是dollars，是从0到1000的整数。",
            "你现在倾向哪个数额",
            "规则是所有人说出同一个数额。",
        ),
    ] {
        let model = "models: { small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: any, context_window: 100000 } } }\n";
        let config = write(
            place.path(),
            &format!(
                "language: {language}\n{model}seat_defaults: {{ model: small }}\nseats: [ {{ count: 3 }} ]\nstraw_polls: [each_round]\n"
            ),
        );
        let shown = |step: &str| ekklesia(&["check", text(&config), "--show", step]);
        let statement = shown("Member 1:statement");
        statement.says(0, &[]);
        assert!(flat(&statement.stdout).contains(&flat(favoured)), "{}", statement.stdout);
        assert!(!statement.stdout.contains("(award)"), "{}", statement.stdout);
        let poll = shown("Member 1:straw_poll");
        assert!(flat(&poll.stdout).contains(&flat(polled)), "{}", poll.stdout);
        let ballot = shown("Member 1:ballot");
        assert!(flat(&ballot.stdout).contains(&flat(rule)), "{}", ballot.stdout);
    }
}

/// Words without line breaks and blanks.
fn flat(words: &str) -> String {
    words.split_whitespace().collect()
}

#[test]
fn an_amount_is_compared_in_its_unit_and_methods_do_not_say_that_every_session_decided() {
    let place = tempfile::tempdir().unwrap();
    let config = write(
        place.path(),
        "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { random: {} } }\n\
         seats: [ { count: 4 } ]\ndecision: { rule: plurality, tie_break: lot }\n\
         design: { factors: { rounds: { key: discussion.rounds, levels: [1, 2] } } }\n\
         primary: { metric: amount, contrast: rounds }\n",
    );
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["Amount decided for, in dollars: "]);
    ekklesia(&["compare", text(&out)]).says(0, &["amount decided for, in dollars (amount)"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Amount decided for, in dollars: equal under "), "the headline names the unit");
    assert!(!page.contains("in dollars (dollars)"), "the axis names it once");
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("\nEvery session was to decide on this motion:\n"), "{methods}");
}
