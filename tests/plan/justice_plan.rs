//! The scenario `justice` and its configs as plans: what presets, the mechanism, imposed decisions and personas come to.

use std::path::Path;
use std::sync::Arc;

use ekklesia::chance::Pairing;
use ekklesia::minds::{Mind, TraitValue, principle_shares};
use ekklesia::plan::{ArmPlan, PhaseKind, Plan, RoundVotes, Sitter, TestFailurePolicy, VoteCall};
use ekklesia::store::inputs::{Inputs, Overrides};

fn plans(config: &str, set: &[&str]) -> Vec<Arc<Plan>> {
    let overrides = Overrides { set: set.iter().map(|one| one.to_string()).collect(), ..Overrides::default() };
    let inputs = Inputs::read_config(Path::new(config), overrides).expect("inputs");
    inputs.resolve().unwrap_or_else(|problem| panic!("{problem}")).experiment.arms
}

fn justice(set: &[&str]) -> Arc<Plan> {
    plans("configs/justice.yaml", set).remove(0)
}

fn names(plan: &Plan) -> Vec<&str> {
    plan.agenda.iter().map(|phase| phase.name.as_str()).collect()
}

fn votes(plan: &Plan) -> RoundVotes {
    let talk = plan.agenda.iter().find_map(|phase| match &phase.kind {
        PhaseKind::Discussion(talk) => Some(talk.votes),
        _ => None,
    });
    talk.expect("a discussion")
}

#[test]
fn every_shipped_config_makes_its_arms() {
    let arms = |config: &str| plans(config, &[]).iter().map(|plan| plan.arm.clone()).collect::<Vec<_>>();
    assert_eq!(arms("configs/justice.yaml"), ["baseline"]);
    assert_eq!(arms("configs/justice-rawls.yaml"), ["baseline"]);
    assert_eq!(arms("configs/justice-local-model.yaml"), ["baseline"]);
    let four = ["selective-unanimity", "selective-majority", "none-unanimity", "none-majority"];
    assert_eq!(arms("configs/justice-memory-by-rule.yaml"), four);
}

#[test]
fn the_first_protocol_is_the_published_one() {
    let plan = justice(&[]);
    let before = ["welcome", "ranking_1", "explanation", "ranking_2", "comprehension", "applications", "ranking_3"];
    assert_eq!(names(&plan)[..7], before);
    assert_eq!(
        names(&plan)[7..],
        ["vote_process", "straw_before", "discussion", "straw_after", "settlement", "ranking_4"]
    );
    assert_eq!(votes(&plan), RoundVotes::OnCall { rounds_min: 3, call: VoteCall::Sequential });
    let income = plan.income_principles().expect("a mechanism");
    assert_eq!((income.settlement.least, income.settlement.greatest), (800, 1_250));
    assert_eq!((income.application_cents, income.settlement_cents), (100, 500));
    assert_eq!(income.applications.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["A", "B", "C", "D"]);
    assert!(income.drawn.is_none() && income.sample.weights_shown && !income.applications[0].weights_shown);
    assert_eq!(income.applications[1].weights_ppm, [63_060, 208_333, 283_333, 345_274, 100_000]);
    assert_eq!(plan.motion.amount_max, Some(40_000));
    let test = plan.agenda.iter().find_map(|phase| match &phase.kind {
        PhaseKind::Comprehension(test) => Some(test),
        _ => None,
    });
    let test = test.expect("a test");
    assert_eq!(test.questions.iter().map(|question| question.answer).collect::<Vec<_>>(), [4, 1, 3, 2]);
    assert_eq!((test.pass_mark, test.failing), (3, TestFailurePolicy::Recorded));
}

#[test]
fn the_second_protocol_differs_where_the_table_says() {
    let plan = justice(&["parameters.protocol=rawls_v3"]);
    assert!(!names(&plan).contains(&"comprehension"));
    assert_eq!(votes(&plan), RoundVotes::OnCall { rounds_min: 1, call: VoteCall::Sequential });
    let income = plan.income_principles().expect("a mechanism");
    assert_eq!((income.settlement.least, income.settlement.greatest, income.settlement_cents), (2_000, 6_000, 100));
    assert!(income.applications[0].weights_shown);
    assert_eq!(plan.motion.amount_max, Some(192_000));
}

#[test]
fn whoever_speaks_outdoes_a_preset() {
    let set = ["parameters.protocol=rawls_v3", "discussion.rounds_min=5", "parameters.comprehension=excludes"];
    let plan = justice(&set);
    assert!(names(&plan).contains(&"comprehension"));
    assert_eq!(votes(&plan), RoundVotes::OnCall { rounds_min: 5, call: VoteCall::Sequential });
    let arms = "design={ factors: { protocol: { key: parameters.protocol, levels: [fo1992, rawls_v3] } } }";
    let arms = plans("configs/justice.yaml", &[arms]);
    let cents = |plan: &Plan| plan.income_principles().expect("a mechanism").settlement_cents;
    assert_eq!((cents(&arms[0]), cents(&arms[1])), (500, 100));
}

#[test]
fn an_imposed_decision_leaves_no_vote() {
    let imposed = "decision={ rule: imposed, imposed: { alternative: average_floor, amount: 13000 } }";
    let plan = justice(&[imposed]);
    assert_eq!(votes(&plan), RoundVotes::Never);
    assert!(!names(&plan).contains(&"vote"));
    assert_eq!(plan.imposed.and_then(|choice| choice.amount), Some(13_000));
    let silent = justice(&[imposed, "discussion.rounds=0"]);
    assert!(!names(&silent).contains(&"discussion") && names(&silent).contains(&"settlement"));
}

#[test]
fn weights_of_the_sample_may_be_overruled() {
    let plan = justice(&["parameters.sample_weights=0.2/0.2/0.2/0.2/0.2"]);
    assert_eq!(plan.income_principles().expect("a mechanism").sample.weights_ppm, [200_000; 5]);
}

#[test]
fn traits_are_exact_millionths() {
    let plan = justice(&["seats.Alice.mind={ justice: { risk_aversion: 0.1, fairness: { uniform: [0, 0.3] } } }"]);
    let Sitter::Mind(Mind::Justice(justice)) = &plan.seats[0].sitter else { panic!("no justice mind") };
    assert_eq!(justice.risk_aversion, TraitValue::Fixed(100_000));
    assert_eq!(justice.fairness, TraitValue::Uniform { least: 0, greatest: 300_000 });
    assert_eq!((justice.precision, justice.persuasion), (TraitValue::Fixed(4_000_000), TraitValue::Fixed(500_000)));
    let seated = plan.seat_assignments(1, None);
    assert_eq!((seated.len(), seated[0].traits[0].millionths), (5, 100_000));
}

#[test]
fn personas_are_drawn_without_replacement_and_alike_in_every_arm() {
    let plan = plans("configs/justice-rawls.yaml", &[]).remove(0);
    let mut moved = 0;
    for replicate in 1..=20 {
        let drawn: Vec<usize> =
            plan.draw_personas(replicate).into_iter().map(|drawn| drawn.expect("a persona")).collect();
        let mut each = drawn.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!(each.len(), 5, "{drawn:?}");
        moved += usize::from(plan.draw_personas(replicate) != plan.draw_personas(1));
        let agents = plan.agents(replicate);
        assert_eq!(agents[2].persona.as_ref(), Some(&plan.pools[0].personas[drawn[2]].text));
        let ids: Vec<_> =
            plan.seat_assignments(replicate, None).into_iter().map(|seated| seated.persona.expect("an id")).collect();
        assert_eq!(ids[4], plan.pools[0].personas[drawn[4]].id);
        let mut other = ArmPlan::clone(&plan.shared);
        (other.arm, other.pairing) = ("another".to_string(), Pairing::Independent);
        let with = |shared: &ArmPlan| Plan { shared: Arc::new(shared.clone()), ..Plan::clone(&plan) };
        assert_eq!(with(&other).draw_personas(replicate), plan.draw_personas(replicate));
        other.seats.push(plan.seats[4].clone());
        assert_eq!(with(&other).draw_personas(replicate)[..5], plan.draw_personas(replicate)[..]);
    }
    assert!(moved > 15, "replicates draw their own");
    assert_eq!((plan.pools[0].attributes[0].as_str(), plan.pools[0].personas.len()), ("ideology", 26));
}

/// The shares that the scenario's README prints for a mind that has heard nobody.
#[test]
fn the_readme_prints_the_shares_of_the_null() {
    let plan = justice(&[]);
    let income = plan.income_principles().expect("a mechanism");
    let readme = std::fs::read_to_string("scenarios/justice/README.md").expect("a readme");
    let row = |risk_aversion: u32| {
        let shares = principle_shares(income, f64::from(risk_aversion), 0.0, 4.0);
        let cells: Vec<String> = shares.iter().map(|share| format!("{share:.3}")).collect();
        format!("| {risk_aversion} | {} |", cells.join(" | "))
    };
    let rows = [0, 1, 2, 5].map(row).join("\n");
    assert!(readme.contains(&rows), "the README lacks these rows:\n{rows}");
}
