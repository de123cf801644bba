//! Items that a session goes through in a block, one a pass.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::minuted::rows;
use crate::fixtures::trial::{check_every_cut, read, whole};
use crate::oracle::check_cells;
use crate::plan::forecast::assert_foreseen;
use ekklesia::domain::{Briefing, Event, Record};
use ekklesia::minds::Mind;

/// Numbers of phases that depend on parameters are computed for each arm, and the items with them.
const AGENDA: &str = "parameters: { rounds: { type: int, default: 1, help: \"how many\" } }
agenda:
  - name: quiz
    for: { each: items }
    phases:
      - { name: read, brief: { text: \"Question {{ pass.number }}: {{ item.text }}\" } }
      - name: answer
        ask:
          - { id: size, number: { min: 0, max: 9 }, key: item.key, question: \"How many? ({{ item.id }}: {{ item.text }})\" }
      - { name: talk, when: item.id != moons, discussion: { rounds: parameters.rounds } }
      - { name: mark, compute: { seat.hit: \"1 if seat.size == item.key else 0\" } }
  - { name: score, compute: { seat.score: total(hit) } }
";

const ITEMS: &str = "name,words,right\nlegs,How many legs has a spider?,8\nmoons,How many moons has Venus?,0\nlost,How many are lost?,\n";

fn write_design(place: &Path, agenda: &str, items: &str) -> PathBuf {
    let (folder, config) = (place.join("own"), place.join("config.yaml"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scenario.yaml"), format!("scenario: own\n{agenda}")).unwrap();
    fs::write(place.join("items.csv"), ITEMS).unwrap();
    let body = format!(
        "experiment: quiz\nscenario: own\nseed: 3\nreplicates: 4\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim, mind: {{ random: {{ malformed: 0.2 }} }} }}\n\
         items: {{ file: items.csv, id: name, text: words{items} }}\n\
         seats: [ {{ name: Ada }}, {{ name: Ben }}, {{ name: Cem }} ]\n"
    );
    fs::write(&config, body).unwrap();
    config
}

#[test]
fn a_session_goes_through_the_items_and_their_keys_say_what_is_right() {
    let place = tempfile::tempdir().unwrap();
    let config = write_design(place.path(), &AGENDA.replace("!= moons", "!= 'moons'"), ", key: right, per: loop");
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    let told: Vec<(&str, &str)> = records
        .iter()
        .filter_map(|record| match &record.event {
            Event::Briefed(Briefing { text, .. }) => Some((record.at.phase.as_str(), text.as_str())),
            _ => None,
        })
        .collect();
    let expected = [
        ("read@legs", "Question 1: How many legs has a spider?"),
        ("read@moons", "Question 2: How many moons has Venus?"),
        ("read@lost", "Question 3: How many are lost?"),
    ];
    assert_eq!(told, expected);
    let opened = |record: &&Record| record.event.is_phase_opened();
    let talks = records.iter().filter(opened).map(|record| record.at.phase.as_str());
    assert_eq!(talks.filter(|name| name.starts_with("talk")).collect::<Vec<_>>(), ["talk@legs", "talk@lost"]);
    let out = place.path().join("out");
    ekklesia(&["check", text(&config)]).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    check_cells(&out, 1);
    assert_eq!(rows(&out, "sessions").len(), 4, "a session goes through all items");
    let right = BTreeMap::from([("legs", "8"), ("moons", "0")]);
    let mut hits: BTreeMap<(String, String), u32> = BTreeMap::new();
    for row in rows(&out, "values") {
        let correct = match (right.get(row["pass"].as_str()), row["status"].as_str()) {
            (Some(key), "valid") => {
                if row["value"] == *key {
                    "1"
                } else {
                    "0"
                }
            }
            _ => "",
        };
        assert_eq!(row["correct"], correct, "{row:?}");
        *hits.entry((row["session"].clone(), row["seat"].clone())).or_default() += u32::from(correct == "1");
    }
    for row in rows(&out, "seats") {
        let score: f64 = row["var_score"].parse().unwrap();
        assert_eq!(score, f64::from(hits[&(row["session"].clone(), row["seat"].clone())]), "{row:?}");
    }
    assert_foreseen(&plan, 3, &Mind::Voter { copy_ppm: 400_000 });
}

#[test]
fn items_go_by_lot_or_by_a_latin_square_and_each_is_asked_once() {
    let place = tempfile::tempdir().unwrap();
    for order in ["lot", "latin"] {
        let agenda = format!(
            "agenda:\n  - name: quiz\n    for: {{ each: items, order: {order} }}\n    phases:\n      \
             - {{ name: read, brief: {{ text: \"{{{{ item.id }}}}\" }} }}\n"
        );
        let plan = Arc::clone(&read(&write_design(place.path(), &agenda, ", per: loop")).arms[0]);
        let mut orders = std::collections::BTreeSet::new();
        for replicate in 1..=12 {
            let records = whole(&plan, replicate);
            let told = records.iter().filter_map(|record| match &record.event {
                Event::Briefed(Briefing { text, .. }) => Some(text.clone()),
                _ => None,
            });
            let told: Vec<String> = told.collect();
            let mut sorted = told.clone();
            sorted.sort();
            assert_eq!(sorted, ["legs", "lost", "moons"]);
            orders.insert(told);
        }
        assert!(orders.len() > 2, "{orders:?}");
    }
}

#[test]
fn what_does_not_fit_together_is_told() {
    let place = tempfile::tempdir().unwrap();
    let agenda = AGENDA.replace("!= moons", "!= 'moons'");
    let refuse = |agenda: &str, items: &str, words: &str| {
        let told = ekklesia(&["check", text(&write_design(place.path(), agenda, items))]);
        assert!(told.code != Some(0), "{told:?}");
        assert!(format!("{}{}", told.stdout, told.stderr).contains(words), "{words}: {told:?}");
    };
    refuse(&agenda, ", key: right", "give the config items: { file: …, per: loop }");
    refuse(&agenda, ", key: right, per: loop, columns: [right]", "the column of right answers is shown to no seat");
    refuse(&agenda, ", per: loop, columns: [gone]", "no column \"gone\"");
    let choice = agenda.replace("number: { min: 0, max: 9 }", "choice: { options: item.options }");
    refuse(&choice, ", key: right, per: loop", "name it in the config's items.options");
    refuse(
        &choice.replace("choice", "score"),
        ", key: right, per: loop",
        "a choice, an approval or a ranking has the options of an item",
    );
    refuse(&agenda.replace("max: 9", "max: 7"), ", key: right, per: loop", "the item legs has the key \"8\"");
    refuse(&agenda.replace("each: items", "each: items, order: lot"), ", key: right, per: loop", "leave `order` out");
    refuse(
        &agenda.replace("{ item.id }", "{ item.key }"),
        ", key: right, per: loop",
        "a brief after it prints a computed value",
    );
    let plain = "agenda:\n  - { name: ask, ask: [ { id: size, number: { min: 0, max: 9 }, key: item.key, question: \"?\" } ] }\n";
    refuse(plain, ", key: right, per: loop", "in a block with for: { each: items }");
    refuse(plain, ", key: right, per: loop", "no block of the agenda goes through the items");
    let by_item = ", key: right, per: loop }\nprimary: { metric: ans_answer_size, unit: item";
    refuse(&agenda, by_item, "primary.unit: with items.per: loop every session goes through all items");
}

/// A choice may offer the words by which truth values and numbers are written, and a rule answers them by a computed value.
#[test]
fn a_key_that_reads_as_a_number_or_yes_stays_a_text_and_counts_as_one_where_one_is_needed() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "variables: { double: { start: 0 }, copy: { start: 0 }, rank: { start: 0 } }
agenda:
  - name: quiz
    for: { each: items }
    phases:
      - { name: case, compute: { told: \"item.key if pass.number > 0 else 'x'\" } }
      - { name: answer, ask: [ { id: says, choice: { options: ['yes', '2'] }, key: item.key, question: '{{ item.text }}' } ] }
      - { name: noted, when: item.key, compute: { agreed: 1 } }
      - { name: mark, compute: { seat.hit: 1 if seat.says == item.key else 0 } }
      - { name: sums, when: pass.last, compute: { double: 2 * item.key, copy: item.key, rank: \"rank_of(item.key, [3, 2, 1])\" } }
";
    let config = write_design(place.path(), agenda, ", key: right, per: loop");
    fs::write(
        place.path().join("items.csv"),
        "name,words,right\nmars,Is Mars red?,yes\nmoons,How many moons has it?,2\n",
    )
    .unwrap();
    let rule = fs::read_to_string(&config).unwrap().replace("random: { malformed: 0.2 }", "rule: { says: told }");
    fs::write(&config, rule).unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "1"]).says(0, &["6 first try", "0 invalid"]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    check_cells(&out, 1);
    let values = rows(&out, "values");
    let answers = values.iter().map(|row| (row["value"].as_str(), row["status"].as_str(), row["correct"].as_str()));
    assert_eq!(answers.collect::<Vec<_>>(), [[("yes", "valid", "1"); 3], [("2", "valid", "1"); 3]].concat());
    let variables = rows(&out, "variables");
    let read = |name: &str| {
        let own = variables.iter().filter(|row| row["name"] == name);
        own.map(|row| [row["pass"].as_str(), row["value"].as_str(), row["value_n"].as_str()].join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(read("told"), ["mars yes ", "moons 2 "]);
    assert_eq!(read("agreed"), ["mars 1 1.000000"]);
    assert_eq!(read("hit"), [["mars 1 1.000000"; 3], ["moons 1 1.000000"; 3]].concat());
    assert_eq!((read("double"), read("copy")), (vec!["moons 4 4.000000".into()], vec!["moons 2 2.000000".into()]));
    assert_eq!(read("rank"), ["moons 2 2.000000"]);
}

/// The Brier score of a confidence, against the key of the session's item.
#[test]
fn expressions_read_the_item_of_a_session() {
    let place = tempfile::tempdir().unwrap();
    let agenda = "motion: { text: \"{{ item.text }}\" }
agenda:
  - { name: sure, ask: [ { id: p, number: { min: 0, max: 100 }, question: \"{{ item.text }} How sure are you of a?\" } ] }
  - { name: score, compute: { about: item.id, seat.brier: \"(seat.p / 100 - (1 if item.key == 'a' else 0)) * (seat.p / 100 - (1 if item.key == 'a' else 0))\" } }
";
    let config = write_design(place.path(), agenda, ", options: options, key: right, per: session");
    fs::write(
        place.path().join("items.csv"),
        "name,words,options,right\nlegs,Legs of a spider?,8|6,8\nmoons,Moons of Venus?,1|0,0\n",
    )
    .unwrap();
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let confidence: BTreeMap<(String, String), f64> = rows(&out, "values")
        .into_iter()
        .filter(|row| row["status"] == "valid")
        .map(|row| ((row["session"].clone(), row["seat"].clone()), row["value_n"].parse().unwrap()))
        .collect();
    let mut scored = 0;
    for row in rows(&out, "seats") {
        let Some(sure) = confidence.get(&(row["session"].clone(), row["seat"].clone())) else { continue };
        let is_a = if row["item"] == "legs" { 1.0 } else { 0.0 };
        let brier: f64 = row["var_brier"].parse().unwrap();
        assert!((brier - (sure / 100.0 - is_a).powi(2)).abs() < 1e-6, "{row:?}");
        scored += 1;
    }
    assert!(scored > 20, "{scored}");
    let none = agenda.replace("motion: { text: \"{{ item.text }}\" }\n", "").replace("{{ item.text }}", "");
    let config = write_design(place.path(), &none, ", per: session");
    let without = fs::read_to_string(&config)
        .unwrap()
        .replace("items: { file: items.csv, id: name, text: words, per: session }\n", "");
    fs::write(&config, without).unwrap();
    ekklesia(&["check", text(&config)]).says(2, &["there is no item: give the config `items`"]);
}

/// A question cannot show what is right through computed values either; a brief that follows may, and is listed.
#[test]
fn a_question_shows_no_value_that_is_the_key() {
    let agenda = |first: &str, question: &str, after: &str| {
        format!(
            "variables: {{ right: {{ start: 0 }}, own: {{ start: 0 }} }}
agenda:
  - name: quiz
    for: {{ each: items }}
    phases:
      - {{ name: first, compute: {{ {first} }} }}
      - {{ name: ask, ask: [ {{ id: size, number: {{ min: 0, max: 9 }}, key: item.key, question: \"How many? {question}\" }} ] }}
      - {{ name: told, brief: {{ text: \"{after}\" }} }}
"
        )
    };
    let check = |first: &str, question: &str, after: &str| {
        let place = tempfile::tempdir().unwrap();
        ekklesia(&[
            "check",
            text(&write_design(place.path(), &agenda(first, question, after), ", key: right, per: loop")),
        ])
    };
    for first in [
        "right: item.key",
        "own: item.key, right: \"default(own, 0)\"",
        "right: \"[1, item.key][1]\"",
        "right: item.key * 2 + 1",
    ] {
        check(first, "{{ right }}", "Well.")
            .says(2, &["agenda.ask.ask: the question of size would show what is right"]);
        check(first, "", "It was {{ right }}.").says(0, &["what is right"]);
    }
    check("far: item.key - pass.number, large: item.key > 4", "{{ far }} {{ large }}", "Well.").says(0, &[]);
}

/// A judge and two debaters, of whom the debaters alone read a passage. Each item has options of its own.
const DEBATE: &str = "roles: { debater: { seats: 2 }, judge: { seats: 1, speaks: false } }
agenda:
  - name: each
    for: { each: items }
    phases:
      - { name: read, who: debater, brief: { text: \"Passage: {{ item.passage }}\" } }
      - name: check
        who: debater
        heard_by: everyone
        ask: [ { id: sure, yes_no: {}, question: \"Does {{ item.passage }} answer it?\" } ]
      - name: answer
        ask: [ { id: pick, choice: { options: item.options }, key: item.key, question: \"{{ item.text }} ({{ item.topic }})\" } ]
      - { name: order, who: judge, ask: [ { id: best, ranking: { options: item.options }, question: \"Rank them.\" } ] }
      - { name: note, when: item.topic != 'sky', compute: { about: item.topic } }
";

fn write_debate(place: &Path, agenda: &str, items: &str) -> PathBuf {
    let config = write_design(place, agenda, items);
    let file = "name,words,choices,right,topic,passage\nlegs,Legs of a spider?,six|eight,eight,animals,SPIDERS WALK\n\
                moons,Moons of Mars?,zero|one|two,two,sky,MARS TURNS\n";
    fs::write(place.join("items.csv"), file).unwrap();
    config
}

const COLUMNS: &str = ", options: choices, key: right, columns: [topic], shown_to: { debater: [passage] }, per: loop";

#[test]
fn items_of_passes_have_options_and_columns_that_some_roles_alone_read() {
    let place = tempfile::tempdir().unwrap();
    let config = write_debate(place.path(), DEBATE, COLUMNS);
    let plan = Arc::clone(&read(&config).arms[0]);
    let records = whole(&plan, 1);
    check_every_cut(&plan, 1, &records);
    let mut session = ekklesia::engine::Deliberation::convene(&plan, 1);
    let (mut picks, mut passages) = (Vec::new(), 0);
    for record in &records {
        if let ekklesia::engine::Next::Ask(queries) = session.next() {
            for query in &queries {
                let shown = format!(
                    "{:?} {:?}",
                    query.ask,
                    query.brief.own.iter().chain(query.brief.pinned).collect::<Vec<_>>()
                );
                let heard: Vec<String> = query.brief.all_remarks().map(|remark| remark.text.to_string()).collect();
                let (shown, is_judge) = (shown + &heard.join(" "), query.id.seat.as_str() == "Cem");
                let has_passage = shown.contains("SPIDERS WALK") || shown.contains("MARS TURNS");
                assert!(!(is_judge && has_passage), "{}: {shown}", query.id);
                passages += u32::from(has_passage);
                if let ekklesia::domain::Ask::Form { asked } = &query.ask
                    && let ekklesia::domain::FieldKind::Choice { options } = &asked.form.fields[0].kind
                {
                    picks.push((record.at.phase.to_string(), options.join("|"), asked.questions[0].clone()));
                }
            }
        }
        session.evolve(record);
    }
    picks.dedup();
    let expected = [
        ("answer@legs", "six|eight", "Legs of a spider? (animals)"),
        ("answer@moons", "zero|one|two", "Moons of Mars? (sky)"),
    ];
    assert_eq!(
        picks,
        expected.map(|(phase, options, question)| (phase.to_owned(), options.to_owned(), question.to_owned()))
    );
    assert!(passages > 3, "debaters read the passages");
    assert!(plan.exhibits.is_empty(), "a column is printed by texts alone");
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    check_cells(&out, 1);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    for said in ["(one of the options of the item)", "(a ranking of the options of the item)"] {
        assert!(methods.contains(said), "{methods}");
    }
    assert!(!methods.contains("`six`"), "{methods}");
    let mut marked = 0;
    for row in rows(&out, "values").iter().filter(|row| row["field"] == "pick" && row["status"] == "valid") {
        let right = if row["pass"] == "legs" { "eight" } else { "two" };
        assert_eq!(row["correct"] == "1", row["value"] == right, "{row:?}");
        marked += 1;
    }
    assert!(marked > 12, "{marked}");
    assert!(rows(&out, "variables").iter().all(|row| row["value"] == "animals"));
    assert_foreseen(&plan, 3, &Mind::Voter { copy_ppm: 400_000 });
}

#[test]
fn a_column_of_one_role_is_printed_for_no_other_seat() {
    let place = tempfile::tempdir().unwrap();
    let refuse = |from: &str, to: &str, items: &str, words: &str| {
        let told = ekklesia(&["check", text(&write_debate(place.path(), &DEBATE.replace(from, to), items))]);
        assert!(told.code != Some(0), "{words}: {told:?}");
        assert!(format!("{}{}", told.stdout, told.stderr).contains(words), "{words}: {told:?}");
    };
    refuse("{{ item.topic }}", "{{ item.passage }}", COLUMNS, "item.passage");
    refuse("read, who: debater", "read, who: judge", COLUMNS, "item.passage");
    refuse("about: item.topic", "about: item.passage", COLUMNS, "only texts for debater print this column");
    refuse("each: items }", "each: items, order: lot }", &COLUMNS.replace("key: right, ", ""), "leave `order` out");
    let both = COLUMNS.replace("[topic]", "[topic, passage]");
    refuse("Passage", "Passage", &both, "the column is shown to some roles alone");
    refuse("Passage", "Passage", &COLUMNS.replace("debater:", "debator:"), "no role is named \"debator\"");
    refuse(
        "Passage",
        "Passage",
        &COLUMNS.replace("[passage]", "[right]"),
        "the column of right answers is shown to no seat",
    );
}
