//! How votes are asked for in words of the scenario's own, told in a transcript, and cast by confederates on items of their own.

use std::fs;
use std::path::{Path, PathBuf};

use super::{FRUIT, SEATS, tally, write};
use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::{read, whole, write_config};

/// A template of a scenario for one form of ballots.
fn template(folder: &Path, name: &str, words: &str) {
    fs::create_dir_all(folder.join("scenario/prompts/en")).unwrap();
    fs::write(folder.join(format!("scenario/prompts/en/{name}.j2")), words).unwrap();
}

#[test]
fn a_scenario_may_ask_for_ballots_of_each_form_in_its_own_words() {
    let names = "{% for option in options %}{{ option.name }}{% if not loop.last %}, {% endif %}{% endfor %}";
    let ranking = format!(
        "Order {names}{{% if ties %}} with ties{{% endif %}}{{% if truncated %}} or fewer{{% endif %}}, {{{{ name }}}}."
    );
    let folder = tempfile::tempdir().unwrap();
    let config = |decision: &str| write(folder.path(), FRUIT, &format!("{SEATS}decision: {{ {decision} }}\n"));
    config("rule: borda");
    template(folder.path(), "ballot_ranking", &ranking);
    template(folder.path(), "ballot_approval", &format!("Which of {names} will do?"));
    template(folder.path(), "ballot_score", &format!("Mark {names} up to {{{{ score_max }}}}."));
    let options = "apple, pear, plum, nothing";
    for (decision, asked, form) in [
        ("rule: borda", format!("Order {options}, Vera.\n"), "\"ranking\""),
        (
            "rule: schulze, ties: true, truncated: true",
            format!("Order {options} with ties or fewer, Vera.\n"),
            "\"ranking\"",
        ),
        ("rule: approval, abstain: true", format!("Which of {options} will do?\n"), "\"approves\""),
        ("rule: score, score_max: 9", format!("Mark {options} up to 9.\n"), "\"scores\""),
    ] {
        let told = ekklesia(&["check", text(&config(decision)), "--show", "Vera:ballot"]);
        // How to reply follows from how ballots are read, whoever words the question.
        told.says(0, &[&asked, form]);
        assert!(!told.stdout.contains("The group votes now"), "{}", told.stdout);
        assert_eq!(told.stdout.contains("You may also abstain"), decision.contains("abstain"), "{}", told.stdout);
    }
    // A vote by one choice is asked for as ever, and a mistake is found although this arm votes by something else.
    ekklesia(&["check", text(&config("rule: plurality")), "--show", "Vera:ballot"]).says(0, &["Choose one option"]);
    template(folder.path(), "ballot_score", "Mark them up to {{ score_most }}.");
    ekklesia(&["check", text(&config("rule: borda"))]).says(2, &["ballot_score.j2:1", "score_most", "score_max"]);
    template(folder.path(), "ballot_score", "{% if score_max == 6 %}Mark them.{% endif %}");
    ekklesia(&["check", text(&config("rule: borda"))]).says(2, &["ballot_score.j2", "renders to nothing"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_transcript_tells_by_which_rule_each_count_decided() {
    let seats = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { random: { malformed: 0.4 } } }
seats: [{ count: 5 }]
";
    for (decision, told) in [
        ("rule: schulze, strength: winning_votes", "rule schulze of members · strength winning votes · "),
        ("rule: ranked_pairs", "rule ranked pairs of members · strength margins · "),
        ("rule: majority, of: valid", "rule majority of valid · "),
        ("rule: supermajority, of: members, threshold: 3/4", "rule supermajority of members · "),
        ("rule: borda", "rule borda of members · "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let decision = format!("{{ {decision}, invalid: abstain, tie_break: lot }}");
        let config = write(folder.path(), FRUIT, &format!("{seats}decision: {decision}\n"));
        let out = folder.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        let shown = ekklesia(&["show", text(&out.join("sessions/baseline-r000001"))]);
        shown.says(0, &[told]);
        let report = tally(&whole(&read(&config).arms[0], 1));
        let invalid = format!(" · {} invalid · invalid ballots count as abstentions", report.invalid);
        assert_eq!(report.invalid > 0, shown.stdout.contains(&invalid), "{}", shown.stdout);
        for count in &report.counts {
            let points = count.points.map_or(String::new(), |points| format!(", {points} points"));
            let label = match count.alternative.as_str() {
                "apple" => "Apples",
                "pear" => "Pears",
                "plum" => "Plums",
                _ => "Nothing",
            };
            let row = format!("- {label}: {}{points}", count.count);
            assert!(shown.stdout.lines().any(|line| line == row), "{}", shown.stdout);
        }
        assert_eq!(report.tie_break.is_some(), shown.stdout.contains(" · tie-break lot"), "{}", shown.stdout);
    }
}

/// A config on items of two, three and three options, with a confederate who votes so.
fn quiz(folder: &Path, options: &[&str], decision: &str, line: &str) -> PathBuf {
    let rows = options.iter().enumerate().map(|(row, options)| format!("q{},Which?,{options}\n", row + 1));
    fs::write(folder.join("questions.csv"), format!("qid,question,answers\n{}", rows.collect::<String>())).unwrap();
    let body = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}
seat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}
seats:
  - {{ count: 2 }}
  - name: Dora
    mind: {{ scripted: {{ table: [
      {{ phase: discussion, round: 1, step: statement, statement: \"Let us vote.\" }},
      {{ phase: vote, round: 0, step: ballot, {line} }} ] }} }}
discussion: {{ rounds: 1, order: random, vote: at_end }}
items: {{ file: questions.csv, id: qid, text: question, options: answers }}
decision: {{ {decision}, tie_break: lot }}
"
    );
    write_config(folder, &body)
}

#[test]
fn a_confederates_ballot_is_one_on_every_item_or_the_item_is_named() {
    const TWO_AND_THREE: [&str; 3] = ["Red|Green", "Red|Green|Blue", "Up|Down|Left"];
    let ballot = |voted: &str| format!("ballot: \"{voted}\"");
    let says = |options: &[&str], decision: &str, voted: &str, said: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        ekklesia(&["check", text(&quiz(folder.path(), options, decision, &ballot(voted)))]).says(2, said);
    };
    // It is whole on the items with two options and not on those with three, or the other way round.
    says(
        &TWO_AND_THREE,
        "rule: borda",
        "a > b",
        &["not a ranking", "in the item q2", "seats.Dora", "choice: a puts a before"],
    );
    says(&TWO_AND_THREE, "rule: borda", "a > b > c", &["unknown alternative", "in the item q1"]);
    says(&TWO_AND_THREE, "rule: score", "a = 5, b = 0", &["not scored", "in the item q2"]);
    says(
        &TWO_AND_THREE[1..],
        "rule: borda",
        "a > b",
        &["not a ranking", "in the item q1", "as in ballot: \"a > b > c\""],
    );
    let votes = |options: &[&str], decision: &str, line: &str| -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let config = quiz(folder.path(), options, decision, line);
        let out = folder.path().join("out");
        ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
        ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
        let mut table = csv::Reader::from_path(out.join("ballots.csv")).unwrap();
        let at = |name: &str, header: &csv::StringRecord| header.iter().position(|column| column == name).unwrap();
        let header = table.headers().unwrap().clone();
        let [seat, purpose, status, item, choice, rank] =
            ["seat", "purpose", "status", "item", "alternative", "rank"].map(|name| at(name, &header));
        let rows = table.records().map(Result::unwrap);
        let own = rows.filter(|row| &row[seat] == "Dora" && &row[purpose] == "vote" && &row[status] == "valid");
        own.map(|row| format!("{}:{}{}", &row[item], &row[choice], &row[rank])).collect()
    };
    assert_eq!(
        votes(&TWO_AND_THREE[1..], "rule: borda", &ballot("b > c > a")),
        ["q1:a3", "q1:b1", "q1:c2", "q2:a3", "q2:b1", "q2:c2"]
    );
    let cut = "rule: borda, truncated: true";
    assert_eq!(votes(&TWO_AND_THREE, cut, &ballot("b > a")).len(), 8);
    let ranked = votes(&TWO_AND_THREE, "rule: borda", "choice: b");
    assert_eq!(ranked, ["q1:a2", "q1:b1", "q2:a2", "q2:b1", "q2:c3", "q3:a2", "q3:b1", "q3:c3"]);
}

#[test]
fn an_agenda_or_a_rule_that_does_not_fit_the_item_with_the_most_options_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let many: Vec<String> = (0..16).map(|number| format!("o{number}")).collect();
    let check = |options: &[&str], decision: &str| {
        ekklesia(&["check", text(&quiz(folder.path(), options, decision, "choice: a"))])
    };
    check(&["Red|Green", "Red|Green|Blue"], "rule: amendment_agenda, agenda: [b, a]")
        .says(2, &["decision.agenda", "q2 has more than are named here", "leave it out"]);
    check(&["Red|Green|Blue", "Up|Down|Left"], "rule: amendment_agenda, agenda: [b, a, c]").says(0, &[]);
    check(&["Red|Green", &many.join("|")], "rule: kemeny_young").says(2, &["decision.rule", "the item q2 has 16"]);
    check(&["Red|Green", &many[1..].join("|")], "rule: kemeny_young").says(0, &[]);
}
