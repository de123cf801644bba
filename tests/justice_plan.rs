//! The scenario `justice` and its configs as plans: what presets, the mechanism and personas come to.

use std::path::Path;

use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::plan::Plan;

fn plans(config: &str, set: &[&str]) -> Vec<std::sync::Arc<Plan>> {
    let overrides = Overrides { set: set.iter().map(|one| one.to_string()).collect(), ..Overrides::default() };
    let inputs = Inputs::read(Path::new(config), overrides).expect("inputs");
    inputs.resolve().unwrap_or_else(|problem| panic!("{problem}")).experiment.arms
}

#[test]
fn every_shipped_config_makes_a_plan() {
    for config in ["justice", "justice-memory-by-rule", "justice-rawls", "justice-local-model"] {
        for plan in plans(&format!("configs/{config}.yaml"), &[]) {
            println!("{config} {} {:?}", plan.arm, plan.agenda);
        }
    }
}
