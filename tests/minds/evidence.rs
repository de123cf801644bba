//! The case behind a motion: the truth is drawn and told to nobody, signals and facts are told to each seat alone.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{ekklesia, json_lines, text};
use crate::fixtures::trial::{self, POLICIES, folded, list_problems, whole, write_file};
use ekklesia::domain::{
    AlternativeName, Briefing, CaseFact, Convened, EntryKind, Event, FactId, Matter, Query, Record, Truth,
};
use ekklesia::engine::{Deliberation, Next};
use ekklesia::plan::{Experiment, Plan};
use ekklesia::session::{Visibility, forecast_session};

const SCENARIO: &str = r#"
scenario: trial
title: A trial
parameters:
  accuracy: { type: number, default: 0.6, range: [0, 1], help: How often a signal is right. }
  shared: { type: text, default: "F1 F2", help: Which facts all are told. }
  signalled: { type: bool, default: true, help: Whether there are signals. }
motion: { text: Is the accused guilty? }
alternatives:
  - { name: guilty, label: Guilty as charged }
  - { name: not_guilty, label: Not guilty }
  - { name: insane, label: Not to be tried }
agenda:
  - { name: welcome, brief: { text: Welcome. } }
  - { name: talk, discussion: {} }
  - { name: vote, vote: {} }
default_mind: { voter: { copy: 0.3 } }
discussion: { rounds: 2 }
decision: { rule: plurality, tie_break: lot }
truth: { drawn: { guilty: 0.5, not_guilty: 0.3, insane: 0.2 } }
signals:
  accuracy: "{{ parameters.accuracy }}"
  text: "What you saw points to: {{ signal.label }} ({{ signal.name }})."
  when: "{{ parameters.signalled }}"
facts:
  - { id: F1, text: The glove was found. }
  - { id: F2, text: "The glove {% if truth == 'guilty' %}fits{% else %}does not fit{% endif %}.", favours: "{{ truth }}" }
  - { id: F3, text: The clock stopped at nine., favours: not_guilty }
  - { id: F4, text: The neighbour heard a shot., favours: guilty }
  - { id: F5, text: The dog did not bark., favours: guilty }
  - { id: F6, text: The window was open., favours: not_guilty }
  - { id: F7, text: The letter is a forgery., favours: insane }
deal: { shared: "{{ parameters.shared }}", held_by: 2, intro: "Cite a fact by its id." }
"#;

const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Ann }, { name: Bea }, { name: Cid }, { name: Dov }]
replicates: 3
";

fn court(scenario: &str, body: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    write_file(place.path(), "court/scenario.yaml", scenario);
    let config =
        write_file(place.path(), "config.yaml", format!("experiment: trial\nscenario: court\nseed: 42\n{body}"));
    (place, config)
}

fn experiment(body: &str) -> Arc<Experiment> {
    let (_place, config) = court(SCENARIO, &format!("{BODY}{body}"));
    trial::read(&config)
}

fn plan(body: &str) -> Arc<Plan> {
    Arc::clone(&experiment(body).arms[0])
}

fn truth_of(plan: &Plan, replicate: u32) -> String {
    let Some(Truth::Alternative(name)) = plan.deal_case(replicate).truth else { panic!("a truth") };
    name.to_string()
}

fn case(hand: &Briefing) -> (&Option<AlternativeName>, &Vec<FactId>) {
    let Matter::Case { signal, facts } = &hand.what else { panic!("a part of the case") };
    (signal, facts)
}

fn held(hand: &Briefing) -> Vec<&str> {
    case(hand).1.iter().map(FactId::as_str).collect()
}

#[test]
fn the_truth_is_drawn_as_often_as_it_is_written_and_signals_are_right_as_often() {
    let plan = plan("");
    let sessions = 4_000;
    let (mut truths, mut right, mut wrong) = (BTreeMap::new(), 0, BTreeMap::new());
    for replicate in 1..=sessions {
        let truth = truth_of(&plan, replicate);
        for hand in plan.deal_case(replicate).hands {
            let signal = case(&hand).0.as_ref().unwrap().to_string();
            if signal == truth { right += 1 } else { *wrong.entry((truth.clone(), signal)).or_insert(0) += 1 }
        }
        *truths.entry(truth).or_insert(0) += 1;
    }
    // Three standard errors around what is written.
    let near = |count: u32, of: u32, share: f64| {
        let error = 3.0 * (share * (1.0 - share) / f64::from(of)).sqrt();
        assert!((f64::from(count) / f64::from(of) - share).abs() < error, "{count} of {of}, {share}");
    };
    for (name, share) in [("guilty", 0.5), ("not_guilty", 0.3), ("insane", 0.2)] {
        near(truths[name], sessions, share);
    }
    near(right, 4 * sessions, 0.6);
    for ((truth, signal), count) in &wrong {
        near(*count, 4 * truths[truth], 0.2);
        assert_ne!(truth, signal);
    }
    assert_eq!(wrong.len(), 6);
}

#[test]
fn all_arms_draw_the_same_case_and_a_greater_accuracy_keeps_every_right_signal() {
    let design = "design: { factors: { accuracy: { key: parameters.accuracy, levels: { low: 0.6, high: 0.9 } }, \
                  talk: { key: discussion.rounds, levels: { brief: 1, long: 4 } } } }\n";
    let experiment = experiment(design);
    assert_eq!(experiment.arms.len(), 4);
    for replicate in 1..=200 {
        let cases: Vec<_> = experiment.arms.iter().map(|plan| plan.deal_case(replicate)).collect();
        assert_eq!((&cases[0], &cases[2]), (&cases[1], &cases[3]), "the talk is another, the case is not");
        assert_eq!((&cases[0].truth, &cases[0].case), (&cases[2].truth, &cases[2].case));
        for (low, high) in cases[0].hands.iter().zip(&cases[2].hands) {
            assert_eq!((&low.to, case(low).1), (&high.to, case(high).1));
            let is_right = |hand: &Briefing| case(hand).0.as_ref() == cases[0].truth.as_ref().unwrap().alternative();
            assert!(is_right(high) || !is_right(low));
            assert!(is_right(low) || is_right(high) || case(low).0 == case(high).0);
        }
    }
    let apart = plan("design: { pairing: independent }\n");
    let together = plan("");
    let differ = (1..=50).filter(|replicate| apart.deal_case(*replicate).truth != together.deal_case(*replicate).truth);
    assert!(differ.count() > 10, "independent arms draw their own");
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn facts_are_dealt_evenly_by_lot_and_a_greater_number_of_shared_ones_keeps_a_smaller() {
    let plan = plan("");
    let own =
        |hand: &Briefing| case(hand).1.iter().filter(|fact| !["F1", "F2"].contains(&fact.as_str())).cloned().collect();
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut together: BTreeMap<usize, u32> = BTreeMap::new();
    for replicate in 1..=2_000 {
        let dealt = plan.deal_case(replicate);
        let Some(Truth::Alternative(truth)) = &dealt.truth else { panic!("a truth") };
        let mut holders: BTreeMap<&str, u32> = BTreeMap::new();
        let counts: Vec<usize> = dealt.hands.iter().map(|hand| case(hand).1.len()).collect();
        // Two shared ones, and five times two among four seats.
        assert!(counts.iter().all(|count| [4, 5].contains(count)) && counts.iter().sum::<usize>() == 18, "{counts:?}");
        for hand in &dealt.hands {
            assert!(held(hand).starts_with(&["F1", "F2"]) && held(hand).is_sorted(), "in the scenario's order");
            assert!(hand.text.contains("\nCite a fact by its id.\nF1: The glove was found.\nF2: The glove "));
            let fits = hand.text.contains("F2: The glove fits.");
            assert_eq!(fits, truth.as_str() == "guilty");
            for fact in case(hand).1 {
                *holders.entry(fact.as_str()).or_default() += 1;
                *seen.entry((hand.to[0].to_string(), fact.to_string())).or_default() += 1;
            }
        }
        assert!(holders.iter().all(|(fact, count)| *count == if ["F1", "F2"].contains(fact) { 4 } else { 2 }));
        let (one, other): (BTreeSet<FactId>, BTreeSet<FactId>) = (own(&dealt.hands[0]), own(&dealt.hands[1]));
        *together.entry(one.intersection(&other).count()).or_default() += 1;
    }
    for ((seat, fact), count) in &seen {
        let share = if ["F1", "F2"].contains(&fact.as_str()) { 2_000 } else { 1_000 };
        assert!((share - 90..=share + 90).contains(count), "{seat} {fact} {count}");
    }
    // No two seats hold the same by habit: of four that hold five facts twice each, a pair shares any number that it can.
    // Each of the five facts is held by this pair in 1 of 6 cases, and a hand is seldom another one's.
    let mean = together.iter().map(|(shared, count)| *shared as f64 * f64::from(*count)).sum::<f64>() / 2_000.0;
    assert!((mean - 5.0 / 6.0).abs() < 0.1, "{together:?}");
    assert!(
        [0, 1, 2].iter().all(|shared| together[shared] > 150) && together.get(&3).is_none_or(|count| *count < 40),
        "{together:?}"
    );
    // Which are shared is drawn, too, where only their number is said: a greater number keeps those of a smaller one.
    let shared = |number: &str, replicate: u32| {
        let plan = plan_with(number);
        let hands = plan.deal_case(replicate).hands;
        let mut all: Vec<FactId> = plan.evidence.as_ref().unwrap().facts.iter().map(|fact| fact.id.clone()).collect();
        all.retain(|fact| hands.iter().all(|hand| case(hand).1.contains(fact)));
        all
    };
    for replicate in 1..=20 {
        let (three, five, all) = (shared("3", replicate), shared("5", replicate), shared("all", replicate));
        assert_eq!((three.len(), five.len(), all.len()), (3, 5, 7));
        assert!(three.iter().all(|fact| five.contains(fact)), "{three:?} {five:?}");
    }
}

fn plan_with(shared: &str) -> Arc<Plan> {
    plan(&format!("parameters: {{ shared: \"{shared}\" }}\n"))
}

/// What a seat is shown of the case.
fn told(query: &Query<'_>) -> Vec<String> {
    let own = query.brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Dealt);
    own.map(|entry| entry.text.clone()).collect()
}

#[test]
fn every_seat_has_its_own_part_of_the_case_before_it_and_no_other_whatever_it_remembers() {
    for memory in POLICIES {
        // What is pinned has room in all of them.
        let limited = memory.replace("memory_character_limit: ", "memory_character_limit: 1");
        let plan = plan(&format!("memory: {limited}\n"));
        let records = whole(&plan, 1);
        let Event::Convened(Convened { truth, .. }) = &records[0].event else { panic!("the session begins") };
        let hands: Vec<Briefing> = records[1..].iter().map_while(|record| record.event.briefed().cloned()).collect();
        let hands: Vec<_> = hands.into_iter().filter(|told| matches!(told.what, Matter::Case { .. })).collect();
        assert_eq!((truth, &hands), (&plan.deal_case(1).truth, &plan.deal_case(1).hands));
        let shows = !plan.memory.policy.terms().keeps_nothing();
        let mut account = Visibility::new(&plan);
        let mut deliberation = Deliberation::convene(&plan, 1);
        let mut asked = 0;
        for record in &records {
            if let Next::Ask(queries) = deliberation.next() {
                for query in &queries {
                    let hand = hands.iter().find(|hand| hand.is_for(&query.id.seat)).unwrap();
                    let expected = shows.then(|| format!("[FACILITATOR] {}", hand.text));
                    assert_eq!(told(query), expected.into_iter().collect::<Vec<_>>(), "{memory}");
                    let facts: Vec<&FactId> = query.brief.facts.iter().map(|fact| &fact.id).collect();
                    let signal = query.brief.signal.map(|id| plan.motion.name(id).clone());
                    match shows {
                        true => assert_eq!((facts, signal), (case(hand).1.iter().collect(), case(hand).0.clone())),
                        false => assert_eq!((facts.len(), signal), (0, None)),
                    }
                    assert_eq!(account.check_query(query).map_err(|leak| leak.to_string()), Ok(()), "{memory}");
                    asked += 1;
                }
            }
            account.witness_record(record);
            deliberation.evolve(record);
        }
        assert!(asked >= 12, "{memory}");
    }
}

#[test]
fn what_another_seat_was_told_alone_is_caught_in_words_and_for_minds() {
    let plan = plan("");
    let records = whole(&plan, 1);
    let first = records.iter().position(|record: &Record| record.seat.is_some()).unwrap();
    let mut account = Visibility::new(&plan);
    records[..first].iter().for_each(|record| account.witness_record(record));
    let deliberation = folded(&plan, 1, &records[..first]);
    let Next::Ask(queries) = deliberation.next() else { panic!("a question stands here") };
    let query = &queries[0];
    let verdict = |query: &Query<'_>| account.clone().check_query(query).map_err(|leak| leak.to_string());
    assert_eq!(verdict(query), Ok(()));
    let others = plan.deal_case(1).hands.into_iter().find(|hand| !hand.is_for(&query.id.seat)).unwrap();
    let mut pinned = query.brief.pinned.to_vec();
    pinned[0].text = format!("[FACILITATOR] {}", others.text);
    let mut leaked = query.clone();
    leaked.brief.pinned = &pinned;
    assert!(verdict(&leaked).unwrap_err().contains("which does not read so"));
    let case = query.brief.case;
    let fewer: Vec<CaseFact> = query.brief.facts[1..].to_vec();
    let wrong = query.brief.signal.map(|id| ekklesia::domain::AlternativeId((id.0 + 1) % 3));
    for (signal, facts) in [(query.brief.signal, case), (query.brief.signal, &fewer[..]), (wrong, query.brief.facts)] {
        let mut leaked = query.clone();
        (leaked.brief.signal, leaked.brief.facts) = (signal, facts);
        assert!(verdict(&leaked).unwrap_err().contains("knows of the case what it was not told"));
    }
}

#[test]
fn a_fact_that_is_withheld_is_told_to_nobody_and_nothing_else_changes() {
    let (whole_case, without) = (plan(""), plan("withhold: [F3, F1]\n"));
    for replicate in 1..=50 {
        let (all, less) = (whole_case.deal_case(replicate), without.deal_case(replicate));
        assert_eq!(all.truth, less.truth);
        for (all, less) in all.hands.iter().zip(&less.hands) {
            let expected: Vec<&str> = held(all).into_iter().filter(|id| !["F1", "F3"].contains(id)).collect();
            assert_eq!((held(less), case(less).0), (expected, case(all).0));
            assert!(!less.text.contains("F3:") && !less.text.contains("F1:"));
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_withholds_a_fact_and_a_replay_proves_both() {
    let (place, config) = court(SCENARIO, BODY);
    let out = |name: &str| place.path().join(name);
    ekklesia(&["run", text(&config), "--out", text(&out("parent"))]).says(0, &["3 of 3 sessions completed"]);
    let change = out("change.yaml");
    fs::write(&change, "withhold: F5\n").unwrap();
    let session = out("parent").join("sessions/baseline-r000002");
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&out("fork"))]).says(0, &[]);
    let minutes = fs::read_dir(out("fork").join("sessions")).unwrap().next().unwrap().unwrap().path();
    let hands = |session: &Path| {
        let told = json_lines(&session.join("minutes.jsonl")).into_iter();
        let told = told.filter_map(|line| line["event"].get("Briefed").cloned());
        let hands = told.filter(|told| told["what"].get("case").is_some());
        hands.map(|hand| serde_json::from_value(hand).unwrap()).collect::<Vec<Briefing>>()
    };
    let (before, after) = (hands(&session), hands(&minutes));
    for (before, after) in before.iter().zip(&after) {
        let expected: Vec<&str> = held(before).into_iter().filter(|id| *id != "F5").collect();
        assert_eq!(held(after), expected);
    }
    assert_ne!(before, after);
    // Several in a list.
    fs::write(&change, "withhold: [F5, F6]\n").unwrap();
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&out("two"))]).says(0, &[]);
    let minutes = fs::read_dir(out("two").join("sessions")).unwrap().next().unwrap().unwrap().path();
    for (before, after) in before.iter().zip(hands(&minutes)) {
        let expected: Vec<&str> = held(before).into_iter().filter(|id| !["F5", "F6"].contains(id)).collect();
        assert_eq!(held(&after), expected);
    }
    for folder in ["parent", "fork", "two"] {
        ekklesia(&["replay", text(&out(folder))]).says(0, &["no divergence"]);
    }
    let show = ekklesia(&["show", text(&session), "--seat", "Bea"]);
    show.says(0, &["right is ", "to Bea only", "part of the case", "Cite a fact by its id."]);
    assert!(!show.stdout.contains("- Ann"), "{}", show.stdout);
    let seen = ekklesia(&["context", text(&session), "--seat", "Bea"]);
    seen.says(0, &["Cite a fact by its id."]);
}

#[test]
fn what_is_told_alone_lies_within_the_forecast_and_within_limits() {
    let server = "models: { m: { openai: { base_url: \"http://127.0.0.1:1\", model: m, context_window: 8192 } } }\n\
                  seats: [{ name: Ann, model: m }, { name: Bea, model: m }, { name: Cid, model: m }, { name: Dov, model: m }]\n";
    let (_place, config) = court(SCENARIO, server);
    let plan = Arc::clone(&trial::read(&config).arms[0]);
    let foreseen = forecast_session(&plan).unwrap().models[0].prompt_tokens;
    let (longest, shortest) = (plan.longest_hand().unwrap(), plan.shortest_hand().unwrap());
    for replicate in 1..=200 {
        for hand in plan.deal_case(replicate).hands {
            assert!(
                (shortest.len()..=longest.len()).contains(&hand.text.len()),
                "{} in {shortest} … {longest}",
                hand.text
            );
        }
    }
    assert!(foreseen.low < foreseen.high);
    let (_place, config) = court(SCENARIO, &format!("{BODY}memory: {{ memory_character_limit: 300 }}\n"));
    assert!(list_problems(&config).contains("its signal and facts"), "{}", list_problems(&config));
}

#[test]
fn each_mistake_of_a_case_is_told_in_its_line_with_what_was_meant() {
    for (old, new, expected) in [
        ("truth: { drawn:", "truth: { alternative: guilty, drawn:", "truth"),
        ("insane: 0.2 }", "insane: 0.3 }", "the probabilities sum to 1.1 and not to 1"),
        ("insane: 0.2 }", "insan: 0.2 }", "did you mean \"insane\"?"),
        ("{{ signal.label }} ({{ signal.name }})", "the truth", "the text does not tell the alternative"),
        ("{{ signal.label }}", "{{ signal.label | upper }}", "prints the alternative as it is"),
        ("{{ signal.label }}", "{{ signal.labl }}", "unknown variable signal.labl"),
        ("when: \"{{ parameters.signalled }}\"", "when: 3", "expected true or false"),
        ("accuracy: \"{{ parameters.accuracy }}\"", "accuracy: 1.5", "no probability"),
        ("id: F7", "id: seven", "\"seven\" is no id"),
        ("id: F7", "id: F6", "F6"),
        ("favours: insane", "favours: insan", "did you mean \"insane\"?"),
        ("shared: \"{{ parameters.shared }}\"", "shared: [F1, F9]", "no fact has the id \"F9\""),
        ("shared: \"{{ parameters.shared }}\"", "shared: 8", "8 is no whole number from 0 to 7"),
        ("held_by: 2", "held_by: 5", "5 is no whole number from 1 to 4"),
        ("truth: { drawn: { guilty: 0.5, not_guilty: 0.3, insane: 0.2 } }", "", "the scenario has no truth"),
        (
            "truth: { drawn: { guilty: 0.5, not_guilty: 0.3, insane: 0.2 } }",
            "truth: { amount: 3 }",
            "the truth is an amount",
        ),
    ] {
        assert!(SCENARIO.contains(old), "{old}");
        let (_place, config) = court(&SCENARIO.replacen(old, new, 1), BODY);
        let told = list_problems(&config);
        assert!(told.contains(expected) && told.contains("scenario.yaml:"), "{new}: {told}");
    }
    let (_place, config) = court(SCENARIO, &format!("{BODY}withhold: [F33]\n"));
    let told = list_problems(&config);
    assert!(told.contains("no fact has the id \"F33\"") && told.contains("config.yaml:"), "{told}");
}

#[test]
fn a_prompt_that_is_shown_beforehand_has_what_the_first_replicate_deals() {
    let (place, config) = court(SCENARIO, BODY);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let session = out.join("sessions/baseline-r000001");
    for (seat, step) in [("Ann", "statement"), ("Bea", "statement"), ("Ann", "ballot")] {
        let shown = ekklesia(&["check", text(&config), "--show", &format!("{seat}:{step}"), "--json"]);
        let shown: serde_json::Value = serde_json::from_str(&shown.says(0, &[]).stdout).unwrap();
        assert_eq!(shown["replicate"], 1, "{shown}");
        let at = &shown["question"]["at"];
        let at = format!("{}:{}:{}", at["phase"].as_str().unwrap(), at["round"], at["step"].as_str().unwrap());
        let sent = ekklesia(&["context", text(&session), "--seat", seat, "--at", &at, "--json"]);
        let sent: serde_json::Value = serde_json::from_str(&sent.says(0, &[]).stdout).unwrap();
        assert_eq!(shown["messages"], sent["messages"], "{seat} {step}");
    }
}
