//! What is foreseen of a design whose plans are too many to be rehearsed: every arm lies between what was seen of those like it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::trial::write_config;
use serde_json::Value;

const BODY: &str = "models: { small: { openai: { base_url: \"http://127.0.0.1:1/v1\", model: m, max_tokens: 100, context_window: 100000 } } }
seat_defaults: { model: small }
seats: [{ count: 3 }]
replicates: 2
discussion: { rounds: 1 }
straw_polls: [before, after]
design:
  factors:
    rounds: { key: discussion.rounds, levels: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }
  baseline: { rounds: 1 }
  nulls: [self_revision, friedkin_johnsen]
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_null_of_minds_is_not_foreseen_by_arms_of_models() {
    let place = tempfile::tempdir().unwrap();
    let told = ekklesia(&["check", "--json", text(&write_config(place.path(), BODY))]);
    let design: Value = serde_json::from_str(&told.says(0, &[]).stdout).unwrap();
    assert!(design["plans_rehearsed"].as_u64() < design["plans"].as_u64(), "{design}");
    let span = |of: &Value| (of["low"].as_u64().unwrap(), of["high"].as_u64().unwrap());
    let arms = design["arms"].as_array().unwrap();
    assert_eq!(arms.len(), 30);
    for arm in arms {
        let (name, bill) = (arm["arm"].as_str().unwrap(), &arm["forecast"]);
        let (models, simulated) = (span(&bill["models"]["questions"]), span(&bill["simulated"]));
        assert!(models.0 <= models.1 && simulated.0 <= simulated.1, "{arm}");
        // Two sessions of three seats: two polls, a ballot, and what is said; the fewest and the most rounds are rehearsed.
        if name.ends_with("friedkin_johnsen") {
            assert_eq!(models, (0, 0), "{name}");
            assert!(24 <= simulated.0 && simulated.1 <= 78, "{arm}");
        } else {
            assert_eq!(simulated, (0, 0), "{name}");
            assert!(24 <= models.0 && models.1 <= 78, "{arm}");
        }
    }
    let all = &design["forecast"];
    assert!(span(&all["simulated"]).0 <= span(&all["simulated"]).1, "{all}");
}
