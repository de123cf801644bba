//! Designs: arms that are left out, the baseline, the comparison that was announced.

mod desk;

use std::fs;

use desk::{BASE, Desk};
use ekklesia::plan::{Correction, Primary};

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
