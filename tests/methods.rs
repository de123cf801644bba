//! The page of methods says what a plan says, arm by arm, and nothing that differs between equal runs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::adapters::tables::{design, experiment_facts};

#[path = "desk/mod.rs"]
#[allow(dead_code, reason = "each test file uses its own part of this")]
mod desk;

use desk::{BASE, Desk};

const TWO_ARMS: &str = "\
discussion: { rounds: 3, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [majority, unanimity] }
";

#[test]
fn a_page_tells_the_plan_and_what_differs_between_arms() {
    let desk = Desk::new();
    let experiment = desk.resolve(&format!("{BASE}{TWO_ARMS}")).unwrap().experiment;
    let page = design(&experiment);
    for part in [
        "# Methods: `base`\n",
        "Seed 7. The same replicate shares its draws in every arm",
        "Arms: 2; replicates of each: 3; sessions planned: 6.",
        "- `majority`: `rule` = `majority`; plan `b3:",
        "simulated mind `voter`; a persona of its own\n",
        "- `Bob`: member, language model `qwen`, temperature 0.7, at most ",
        "talk of at most 3 rounds",
        "a vote at the end of each round; a decision ends the talk\n",
        "In arm `majority`:\n\nRule `majority` of ",
        "In arm `unanimity`:\n\nRule `unanimity` of ",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    assert_eq!(page.matches("## Seats\n").count(), 1);
    assert!(!page.contains("127.0.0.1") && !page.contains(&desk.folder.path().display().to_string()));
}

#[test]
fn facts_tell_who_sits_where_and_share_their_open_columns() {
    let desk = Desk::new();
    let experiment = desk.resolve(&format!("{BASE}{TWO_ARMS}")).unwrap().experiment;
    let (layout, arms) = experiment_facts(&experiment);
    assert_eq!(layout.factors, ["rule"]);
    assert!(arms.iter().all(|arm| arm.layout == layout));
    let seats: Vec<(&str, Option<&str>)> =
        arms[0].seats.iter().map(|seat| (seat.model.as_str(), seat.mind.as_deref())).collect();
    assert_eq!(seats[..2], [("sim", Some("voter")), ("qwen", None)]);
    assert!(arms[0].decides_in_rounds());
}

#[test]
fn the_shipped_experiments_on_justice_have_a_page_and_open_columns() {
    for config in ["configs/justice.yaml", "configs/justice-memory-by-rule.yaml", "configs/justice-rawls.yaml"] {
        let inputs = Inputs::read(Path::new(config), Overrides::default()).unwrap();
        let experiment = inputs.resolve().unwrap().experiment;
        let (layout, arms) = experiment_facts(&experiment);
        assert_eq!(layout.ranked, ["floor", "average", "average_floor", "average_range"], "{config}");
        assert_eq!(layout.traits, ["risk_aversion", "fairness", "precision", "persuasion"], "{config}");
        assert!(arms.iter().all(|arm| arm.mechanism.is_some() && arm.takes_amount == [false, false, true, true]));
        let page = design(&experiment);
        for part in ["practice rounds (situations `A`, ", "times one multiplier from ", "simulated mind `justice`"] {
            assert!(page.contains(part), "{config}: {part}\n\n{page}");
        }
    }
}
