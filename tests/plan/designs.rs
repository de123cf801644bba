//! Designs: arms that are left out, the baseline, the comparison that was announced.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{self, Server, assert_same, column, ekklesia, mixed, text};
use crate::fixtures::desk::{BASE, Desk};
use crate::fixtures::trial::write_config;
use ekklesia::analysis::statistics::Unit;
use ekklesia::plan::{Correction, Deviation, PlannedSession, PrimaryComparison};
use ekklesia::store::frozen::FrozenDesign;
use ekklesia::store::inputs::{Inputs, Overrides};

const DESIGN: &str = "\
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, plurality] }
    talk: { key: discussion.rounds, levels: { none: 0, some: 3 } }
    order: { key: discussion.order, levels: [fixed, random] }
";

#[test]
fn a_partial_combination_excludes_every_arm_that_has_it() {
    let desk = Desk::new();
    let config =
        format!("{BASE}{DESIGN}  exclude: [{{ talk: none, order: random }}, {{ rule: plurality, talk: some }}]\n");
    let resolved = desk.resolve(&config).expect("a plan");
    let names: Vec<&str> = resolved.experiment.arms.iter().map(|plan| plan.arm.as_str()).collect();
    assert_eq!(
        names,
        ["unanimity-none-fixed", "unanimity-some-fixed", "unanimity-some-random", "plurality-none-fixed"]
    );
}

#[test]
fn what_is_excluded_announced_or_compared_with_moves_no_other_session() {
    let desk = Desk::new();
    let all = desk.resolve(&format!("{BASE}{DESIGN}")).expect("a plan");
    let config = format!(
        "{BASE}{DESIGN}  exclude: [{{ talk: none }}]\n  baseline: {{ order: fixed, talk: some, rule: plurality }}\n\
         primary: {{ metric: words, contrast: order }}\n"
    );
    let some = desk.resolve(&config).expect("a plan");
    assert_eq!(some.experiment.baseline.as_deref(), Some("plurality-some-fixed"));
    let primary = PrimaryComparison {
        metrics: vec!["words".to_owned()],
        contrast: Some("order".to_owned()),
        correction: Correction::Holm,
        unit: Unit::Session,
        replicates: None,
    };
    assert_eq!(some.experiment.primary, Some(primary));
    assert_eq!(some.identities.len(), 4);
    assert!(some.identities.iter().all(|identity| all.identities.contains(identity)));
}

/// Seats that draw from a pool of eight: four of one stratum, three of another, one of a third.
fn panel(seats: u32, more: &str) -> String {
    format!(
        "experiment: panel\nscenario: scenario\nseed: 7\nreplicates: 2\nmodels: {{ sim: {{ simulated: {{}} }} }}\n\
         seat_defaults: {{ model: sim }}\nseats: [{{ name: Chair }}, {{ count: {seats}, personas: citizens }}]\n\
         personas: {{ citizens: {{ file: people.csv, id: pid, text: persona, strata: side }} }}\n{more}"
    )
}

const PEOPLE: &str = "pid,persona,side\np1,One.,left\np2,Two.,left\np3,Three.,left\np4,Four.,left\np5,Five.,right\np6,Six.,right\n\
                      p7,Seven.,right\np8,Eight.,none\n";

#[test]
fn every_group_has_the_composition_of_its_pool_and_it_is_the_same_in_every_arm() {
    let desk = Desk::new();
    fs::write(desk.path("people.csv"), PEOPLE).expect("a file written");
    // The exact shares of four seats are 2, 1.5 and 0.5, so that the last of them goes by lot; of five 2.5, 1.875 and 0.625;
    // of six 3, 2.25 and 0.75.
    let cases: [(u32, &[[usize; 3]]); 4] =
        [(8, &[[4, 3, 1]]), (4, &[[2, 2, 0], [2, 1, 1]]), (5, &[[2, 2, 1]]), (6, &[[3, 2, 1]])];
    for (seats, expected) in cases {
        let mut met = Vec::new();
        let resolved = desk.resolve(&panel(seats, DESIGN)).expect("a plan");
        let arms = &resolved.experiment.arms;
        for replicate in 1..=50 {
            let drawn = arms[0].draw_personas(replicate);
            let people = &arms[0].pools[0].personas;
            let of = |side: &str| drawn.iter().flatten().filter(|place| people[**place].attributes[0] == side).count();
            let counts = [of("left"), of("right"), of("none")];
            assert!(expected.contains(&counts), "{seats} seats: {counts:?}");
            if !met.contains(&counts) {
                met.push(counts);
            }
            assert!(drawn[0].is_none());
            assert!(arms.iter().all(|arm| arm.draw_personas(replicate) == drawn));
        }
        assert_eq!(met.len(), expected.len(), "{seats} seats: {met:?}");
    }
}

/// Two arms whose prompts differ in one word of Alice's, and a number of replicates.
fn two_of_alice(base_url: &str, replicates: u32) -> String {
    format!(
        "replicates: {replicates}{}design: {{ factors: {{ who: {{ key: seats.Alice.persona, levels: {{ first: Arm-one, \
         second: Arm-two }} }} }} }}\n",
        mixed(base_url, "fixed")
    )
}

#[test]
fn sessions_of_a_model_are_worked_on_replicate_by_replicate_across_the_arms() {
    let (server, place) = (Server::start(), tempfile::tempdir().expect("a folder"));
    let config = write_config(place.path(), &two_of_alice(&server.base_url(), 4));
    let (one, three) = (place.path().join("one"), place.path().join("three"));
    ekklesia(&["run", text(&config), "--out", text(&one), "--jobs", "1"]).says(0, &[]);
    let mut asked: Vec<&str> = Vec::new();
    for body in server.bodies() {
        let arm = ["first", "second"]
            .into_iter()
            .zip(["Arm-one", "Arm-two"])
            .find(|(_, word)| body.to_string().contains(word));
        // Only Alice's prompts tell the arms apart.
        asked.extend(arm.map(|(arm, _)| arm));
    }
    let experiment =
        Inputs::read_config(&config, Overrides::default()).and_then(|inputs| inputs.resolve()).expect("a plan");
    let mut planned: Vec<PlannedSession> = PlannedSession::for_experiment(&experiment.experiment).collect();
    PlannedSession::order_of_work(&mut planned);
    let mut expected: Vec<&str> = planned.iter().map(|session| session.arm.arm.as_str()).collect();
    asked.dedup();
    expected.dedup();
    assert_eq!(asked, expected);
    assert!(asked.len() > 4, "{asked:?}");
    // Whenever a service fails, or changes, both arms have been served alike, but for the session that was under way.
    let begun = |prefix: &[PlannedSession], arm: &str| prefix.iter().filter(|session| session.arm.arm == arm).count();
    for end in 0..=planned.len() {
        let prefix = &planned[..end];
        assert!(begun(prefix, "first").abs_diff(begun(prefix, "second")) <= 1, "after {end} sessions");
    }
    ekklesia(&["run", text(&config), "--out", text(&three), "--jobs", "3"]).says(0, &[]);
    assert_same(&one, &three);
}

#[test]
fn the_order_of_work_is_by_replicate_and_lot_and_the_simulated_come_first() {
    let desk = Desk::new();
    let model = "set: { sim: { seats.Bob.model: sim }, live: { seats.Bob.model: qwen } }";
    let design =
        DESIGN.replace("rule: { key: decision.rule, levels: [unanimity, plurality] }", &format!("who: {{ {model} }}"));
    let resolved = desk.resolve(&format!("{BASE}{design}").replace("replicates: 3", "replicates: 30")).expect("a plan");
    let plan: Vec<PlannedSession> = PlannedSession::for_experiment(&resolved.experiment).collect();
    let mut work = plan.clone();
    PlannedSession::order_of_work(&mut work);
    let names = |sessions: &[PlannedSession]| -> Vec<String> { sessions.iter().map(PlannedSession::name).collect() };
    let (simulated, live) = work.split_at(120);
    let planned_first: Vec<PlannedSession> =
        plan.iter().filter(|session| session.arm.is_simulated()).cloned().collect();
    assert_eq!(names(simulated), names(&planned_first));
    assert!(live.is_sorted_by_key(|session| session.replicate));
    let all = |sessions: &[PlannedSession]| -> BTreeSet<String> { names(sessions).into_iter().collect() };
    assert_eq!((all(&work), work.len()), (all(&plan), plan.len()));
    let orders: BTreeSet<Vec<&str>> =
        live.chunks(4).map(|arms| arms.iter().map(|session| session.arm.arm.as_str()).collect()).collect();
    assert!(orders.len() > 10, "of 24 orders of 4 arms 30 replicates had {}", orders.len());
    let mut again: Vec<PlannedSession> = plan.into_iter().rev().filter(|session| !session.arm.is_simulated()).collect();
    PlannedSession::order_of_work(&mut again);
    assert_eq!(names(&again), names(live));
}

const FROZEN: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ count: 3 }]
discussion: { rounds: 1 }
about: { title: First }
design: { factors: { rule: { key: decision.rule, levels: [unanimity, majority] } } }
";

fn run_in(place: &Path, body: &str, out: &Path, replicates: &str) -> cli::Told {
    let config = write_config(place, body);
    ekklesia(&["run", text(&config), "--out", text(out), "--replicates", replicates])
}

#[test]
fn what_is_changed_after_the_first_session_is_recorded_and_kept() {
    let place = tempfile::tempdir().expect("a folder");
    let (out, fresh) = (place.path().join("out"), place.path().join("fresh"));
    run_in(place.path(), FROZEN, &out, "2").says(0, &[]);
    let frozen = FrozenDesign::read(&out).expect("a frozen design");
    assert!(frozen.deviations.is_empty());
    let levels = FROZEN.replace("[unanimity, majority]", "[unanimity, majority, plurality]").replace("First", "Second");
    let announced = format!("{levels}primary: {{ metric: carried, contrast: rule }}\n");
    let told = run_in(place.path(), &announced, &out, "3");
    told.says(0, &["primary.metric was left out and is now carried, with 4 sessions done"]);
    let changed = FrozenDesign::read(&out).expect("a frozen design");
    assert_eq!(changed.plan_digest, frozen.plan_digest);
    let what: Vec<&str> = changed.deviations.iter().map(|deviation| deviation.what.as_str()).collect();
    let expected =
        ["about.title", "arms", "arms.plurality", "primary.contrast", "primary.correction", "primary.metric"];
    assert_eq!(what, [&expected[..], &["replicates"]].concat());
    let replicates = Deviation {
        what: "replicates".to_owned(),
        from: Some("2".to_owned()),
        to: Some("3".to_owned()),
        sessions_done: 4,
    };
    assert_eq!(changed.deviations.last(), Some(&replicates));
    // The same again adds nothing, and another plan is refused as before, with nothing recorded.
    let again = run_in(place.path(), &announced, &out, "3");
    again.says(0, &[]);
    assert!(!again.stderr.contains("primary"), "{}", again.stderr);
    run_in(place.path(), &announced.replace("rounds: 1", "rounds: 2"), &out, "3").says(2, &["discussion.rounds"]);
    assert_eq!(FrozenDesign::read(&out), Some(changed));
    run_in(place.path(), &announced, &fresh, "3").says(0, &[]);
    assert_same(&out, &fresh);
    assert!(FrozenDesign::read(&fresh).is_some_and(|fresh| fresh.deviations.is_empty()));
}

#[test]
fn the_frozen_digest_is_of_the_design_and_not_of_how_a_server_is_reached() {
    let desk = Desk::new();
    let digest = |config: &str| desk.resolve(config).expect("a plan").design_digest();
    let design = format!("{BASE}{DESIGN}");
    let one = digest(&design);
    assert_eq!(one, digest(&format!("{}about: {{ title: x }}\n", design.replace("8080", "9090"))));
    for other in [
        design.replace("replicates: 3", "replicates: 4"),
        design.replace("seed: 7", "seed: 8"),
        format!("{design}  exclude: [{{ talk: none }}]\n"),
        format!("{design}  baseline: {{ rule: plurality, talk: none, order: fixed }}\n"),
        format!("{design}primary: {{ metric: words }}\n"),
    ] {
        assert_ne!(one, digest(&other), "{other}");
    }
}

const QUESTIONS: &str = "qid,question,answers,right\nq1,Is it so?,Yes|No,Yes\nq2,\"Which, then?\",Red|Green|Blue,Blue\nq3,How many?,One|Two,\n";
const ITEMS: &str = "items: { file: questions.csv, id: qid, text: question, options: answers, key: right }\n";

fn asked(items: &str, replicates: u32) -> String {
    format!(
        "replicates: {replicates}\nmodels: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats: [{{ count: 3 }}]\n\
         discussion: {{ rounds: 1 }}\nstraw_polls: [before]\ndecision: {{ rule: plurality, tie_break: lot }}\n\
         design: {{ factors: {{ order: {{ key: discussion.order, levels: [fixed, random] }} }} }}\n{items}"
    )
}

fn run_items(place: &Path, items: &str, replicates: u32, out: &Path) -> cli::Told {
    let config = write_config(place, &asked(items, replicates));
    ekklesia(&["run", text(&config), "--out", text(out)])
}

#[test]
fn every_session_has_one_question_and_is_right_when_its_winner_is_the_key() {
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("questions.csv"), QUESTIONS).expect("a file");
    let out = place.path().join("out");
    run_items(place.path(), ITEMS, 12, &out).says(0, &[]);
    let sessions = column(&out, "session");
    assert_eq!(sessions.len(), 2 * 3 * 12);
    let expected: Vec<String> = ["fixed", "random"]
        .into_iter()
        .flat_map(|arm| ["q1", "q2", "q3"].into_iter().map(move |item| (arm, item)))
        .flat_map(|(arm, item)| (1..=12).map(move |replicate| format!("{arm}-i{item}-r{replicate:06}")))
        .collect();
    assert_eq!(sessions, expected);
    let (items, results, correct) = (column(&out, "item"), column(&out, "result"), column(&out, "correct"));
    let mut seen = BTreeSet::new();
    for ((item, result), correct) in items.iter().zip(&results).zip(&correct) {
        let key = match item.as_str() {
            "q1" => "a",
            "q2" => "c",
            _ => "",
        };
        let right = if key.is_empty() || result.is_empty() { "" } else { ["0", "1"][usize::from(result == key)] };
        assert_eq!(correct, right, "{item} {result}");
        seen.insert(correct.clone());
    }
    assert!(seen.contains("1") && seen.contains("0") && seen.contains(""), "{seen:?}");
    assert!(results.iter().zip(&items).any(|(result, item)| result == "c" && item == "q2"));
    let told = ekklesia(&["show", text(&out.join("sessions/random-iq2-r000002"))]);
    told.says(0, &["- item: q2", "Which, then?", "  - a: "]);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    assert_eq!(fs::read_to_string(out.join("inputs/items.csv")).expect("the kept file"), QUESTIONS);
    let answers = fs::read_to_string(out.join("tallies.csv")).expect("a table");
    assert!(answers.contains(",q2,random-iq2-r000001,"), "{answers}");
}

#[test]
fn more_items_and_more_replicates_extend_a_folder_and_another_question_is_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let (grown, whole) = (place.path().join("grown"), place.path().join("whole"));
    let file = place.path().join("questions.csv");
    fs::write(&file, QUESTIONS.rsplit_once("q3").expect("three items").0).expect("a file");
    run_items(place.path(), ITEMS, 1, &grown).says(0, &[]);
    fs::write(&file, QUESTIONS).expect("a file");
    run_items(place.path(), ITEMS, 2, &grown).says(0, &["4 sessions complete already"]);
    run_items(place.path(), ITEMS, 2, &whole).says(0, &[]);
    assert_same(&grown, &whole);
    let told = FrozenDesign::read(&grown).expect("a frozen design").deviations;
    let items = told.iter().find(|deviation| deviation.what == "items").expect("the number of items");
    assert_eq!((items.from.as_deref(), items.to.as_deref()), (Some("2"), Some("3")));
    // A key that was wrong is put right; the question itself is another session's.
    fs::write(&file, QUESTIONS.replace("Yes|No,Yes", "Yes|No,No")).expect("a file");
    run_items(place.path(), ITEMS, 2, &grown).says(0, &[]);
    let told = FrozenDesign::read(&grown).expect("a frozen design").deviations;
    assert!(told.iter().any(|deviation| deviation.what == "items.q1.key"), "{told:?}");
    fs::write(&file, QUESTIONS.replace("Is it so?", "Is it not so?")).expect("a file");
    run_items(place.path(), ITEMS, 2, &grown)
        .says(2, &["items.q1.text was \"Is it so?\" and is now \"Is it not so?\""]);
    fs::write(&file, QUESTIONS.replace("q2,", "q4,")).expect("a file");
    run_items(place.path(), ITEMS, 2, &grown).says(2, &["q2", "which is not in the plan"]);
}

#[test]
fn a_greater_sample_of_items_holds_a_smaller_one() {
    let desk = Desk::new();
    let rows: String = (0..200).map(|n| format!("i{n},Question {n}?\n")).collect();
    fs::write(desk.path("questions.csv"), format!("qid,question\n{rows}")).expect("a file");
    let sample = |seed: u32, count: u32| -> Vec<String> {
        let items = format!("items: {{ file: questions.csv, id: qid, text: question, sample: {count} }}\n");
        let config = format!("{BASE}{items}").replace("seed: 7", &format!("seed: {seed}"));
        desk.resolve(&config).expect("a plan").experiment.items.keys().cloned().collect()
    };
    let (ten, fifty, other) = (sample(7, 10), sample(7, 50), sample(8, 10));
    assert_eq!((ten.len(), fifty.len(), sample(7, 200).len()), (10, 50, 200));
    assert!(ten.iter().all(|id| fifty.contains(id)));
    assert_ne!(ten, other);
}

#[test]
fn items_draw_apart_and_leave_the_people_as_they_are() {
    let desk = Desk::new();
    fs::write(desk.path("people.csv"), PEOPLE).expect("a file");
    fs::write(desk.path("questions.csv"), "qid,question\n1,One?\n2,Two?\n").expect("a file");
    let resolved =
        desk.resolve(&panel(4, "items: { file: questions.csv, id: qid, text: question }\n")).expect("a plan");
    let sessions: Vec<PlannedSession> = PlannedSession::for_experiment(&resolved.experiment).collect();
    let (one, two) = (&sessions[0], &sessions[2]);
    assert_eq!((one.name().as_str(), two.name().as_str()), ("baseline-i1-r000001", "baseline-i2-r000001"));
    assert_eq!(one.plan().draw_personas(1), two.plan().draw_personas(1));
    assert_ne!(one.plan().session_seed(1).as_bytes(), two.plan().session_seed(1).as_bytes());
    assert_ne!(one.plan().digest, two.plan().digest);
    assert_eq!(one.plan().motion.text, "One?");
    for session in &sessions {
        let found = PlannedSession::find_by_name(&resolved.experiment, &session.name()).expect("a session of the plan");
        assert_eq!((found.plan().digest.clone(), found.replicate), (session.plan().digest.clone(), session.replicate));
    }
    assert!(PlannedSession::find_by_name(&resolved.experiment, "baseline-r000001").is_none());
    assert!(PlannedSession::find_by_name(&resolved.experiment, "baseline-i3-r000001").is_none());
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_hundred_thousand_items_are_planned_without_a_plan_of_each_being_kept() {
    let desk = Desk::new();
    let rows: String = (0..100_000).map(|n| format!("i{n},Question {n}?,Yes|No\n")).collect();
    fs::write(desk.path("questions.csv"), format!("qid,question,options\n{rows}")).expect("a file");
    let items =
        "decision: { tie_break: lot }\nitems: { file: questions.csv, id: qid, text: question, options: options }\n";
    let resolved = desk.resolve(&format!("{BASE}{items}")).expect("a plan");
    assert_eq!((resolved.experiment.items.len(), resolved.experiment.arms.len()), (100_000, 1));
    let shared = &resolved.experiment.arms[0].shared;
    assert_eq!(PlannedSession::for_experiment(&resolved.experiment).count(), 300_000);
    let last = PlannedSession::for_experiment(&resolved.experiment).last().expect("a session");
    assert_eq!(last.name(), "baseline-ii99999-r000003");
    assert!(std::sync::Arc::ptr_eq(shared, &last.arm.shared));
}
