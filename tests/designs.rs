//! Designs: arms that are left out, the baseline, the comparison that was announced.

mod desk;

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
