//! Designs: arms that are left out, the baseline, the comparison that was announced.

mod cli;
mod desk;
mod trial;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cli::{Server, assert_same, ekklesia, mixed, text};
use desk::{BASE, Desk};
use ekklesia::adapters::frozen::{Deviation, Frozen};
use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::plan::{Correction, Planned, Primary};
use trial::write_config;

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
    let primary =
        Primary { metric: "words".to_owned(), contrast: Some("order".to_owned()), correction: Correction::Holm };
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
            let drawn = arms[0].personas(replicate);
            let people = &arms[0].pools[0].personas;
            let of = |side: &str| drawn.iter().flatten().filter(|place| people[**place].attributes[0] == side).count();
            let counts = [of("left"), of("right"), of("none")];
            assert!(expected.contains(&counts), "{seats} seats: {counts:?}");
            if !met.contains(&counts) {
                met.push(counts);
            }
            assert!(drawn[0].is_none());
            assert!(arms.iter().all(|arm| arm.personas(replicate) == drawn));
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
        let arm = ["first", "second"].into_iter().zip(["Arm-one", "Arm-two"]).find(|(_, word)| body.contains(word));
        // Only Alice's prompts tell the arms apart.
        asked.extend(arm.map(|(arm, _)| arm));
    }
    let experiment = Inputs::read(&config, Overrides::default()).and_then(|inputs| inputs.resolve()).expect("a plan");
    let mut planned: Vec<Planned> = Planned::all(&experiment.experiment).collect();
    Planned::order_of_work(&mut planned);
    let mut expected: Vec<&str> = planned.iter().map(|session| session.plan.arm.as_str()).collect();
    asked.dedup();
    expected.dedup();
    assert_eq!(asked, expected);
    assert!(asked.len() > 4, "{asked:?}");
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
    let plan: Vec<Planned> = Planned::all(&resolved.experiment).collect();
    let mut work = plan.clone();
    Planned::order_of_work(&mut work);
    let names = |sessions: &[Planned]| -> Vec<String> { sessions.iter().map(Planned::name).collect() };
    let (simulated, live) = work.split_at(120);
    let planned_first: Vec<Planned> = plan.iter().filter(|session| session.plan.is_simulated()).cloned().collect();
    assert_eq!(names(simulated), names(&planned_first));
    assert!(live.is_sorted_by_key(|session| session.replicate));
    let all = |sessions: &[Planned]| -> BTreeSet<String> { names(sessions).into_iter().collect() };
    assert_eq!((all(&work), work.len()), (all(&plan), plan.len()));
    let orders: BTreeSet<Vec<&str>> =
        live.chunks(4).map(|arms| arms.iter().map(|session| session.plan.arm.as_str()).collect()).collect();
    assert!(orders.len() > 10, "of 24 orders of 4 arms 30 replicates had {}", orders.len());
    let mut again: Vec<Planned> = plan.into_iter().rev().filter(|session| !session.plan.is_simulated()).collect();
    Planned::order_of_work(&mut again);
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
    let frozen = Frozen::read(&out).expect("a frozen design");
    assert!(frozen.deviations.is_empty());
    let levels = FROZEN.replace("[unanimity, majority]", "[unanimity, majority, plurality]").replace("First", "Second");
    let announced = format!("{levels}primary: {{ metric: carried, contrast: rule }}\n");
    let told = run_in(place.path(), &announced, &out, "3");
    told.says(0, &["primary.metric was left out and is now carried, with 4 sessions done"]);
    let changed = Frozen::read(&out).expect("a frozen design");
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
    assert_eq!(Frozen::read(&out), Some(changed));
    run_in(place.path(), &announced, &fresh, "3").says(0, &[]);
    assert_same(&out, &fresh);
    assert!(Frozen::read(&fresh).is_some_and(|fresh| fresh.deviations.is_empty()));
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
