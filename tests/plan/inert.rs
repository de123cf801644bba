//! Settings of minds that do nothing.

use crate::plan::check::warnings;

#[test]
fn settings_of_minds_that_do_nothing_are_told_and_none_that_does_something_in_some_arm() {
    let mind = |mind: &str, rest: &str| {
        warnings(&format!(
            "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {{ {mind} }} }}\n{rest}\n"
        ))
    };
    let friedkin = |traits: &str| format!("friedkin_johnsen: {{ {traits} }}");
    let pulls = "design: { factors: { pull: { key: seat_defaults.mind.friedkin_johnsen.pull, levels: { none: 0, half: 0.5 } } } }";
    let scheme = "social_decision_scheme: { scheme: majority_else_proportional }".to_owned();
    let [attractor, pull, indifference, votes] =
        ["attractor of friedkin", "pull of friedkin", "indifference has", "social_decision_scheme votes"];
    let cases = [
        (friedkin("attractor: 0.7"), "", Some(attractor)),
        (friedkin("attractor: 0.7, pull: 0.1"), "", None),
        (friedkin("attractor: 0.7"), pulls, None),
        (friedkin("attractor: 0.7, pull: 0.1, stubbornness: 0"), "", Some(pull)),
        (friedkin("stubbornness: 0"), "", None),
        (friedkin("indifference: 0.1"), "", Some(indifference)),
        (friedkin("indifference: 0.1"), "decision: { abstain: true }", None),
        (scheme.clone(), "discussion: { rounds: 0 }", Some(votes)),
        (scheme, "", None),
    ];
    for (written, rest, warning) in cases {
        let told = mind(&written, rest);
        for known in [attractor, pull, indifference, votes] {
            let is_told = told.iter().any(|told| told.starts_with(known));
            assert_eq!(is_told, warning == Some(known), "{written} {rest}: {known}\n{told:#?}");
        }
    }
}
