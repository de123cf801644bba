//! The decision: its rule, the ratio of a supermajority as two integers, and an imposed choice.

use crate::choice::DecisionRule;
use crate::config::lower::voting;
use crate::config::problem::{Problem, Problems};
use crate::config::tree::Node;
use crate::config::written::config::Config;
use crate::domain::{AlternativeId, Choice, Motion, RuleKind, TieBreak};
use crate::plan::{Origin, Voting, may_tie, parse_threshold};

/// The hint if arms differ in the rule and in a setting that only one of them needs.
const IN_A_DESIGN: &str = "in a design, let the levels of one factor `set` both";

/// The rule, the ballots, and the imposed choice; each is `None` if it has an error.
pub fn lower_decision(
    config: &Config,
    motion: &Motion,
    tree: &Node,
    problems: &mut Problems,
) -> (Option<DecisionRule>, Option<Voting>, Option<Option<Choice>>) {
    let rule = lower_rule(config, motion, tree, problems);
    let voting = voting::lower_voting(config, motion, tree, problems);
    (rule, voting, problems.ok_or_report(lower_imposed(config, motion, tree)))
}

/// The decision rule; `None` if a setting is missing, belongs to another rule, or is out of range.
fn lower_rule(config: &Config, motion: &Motion, tree: &Node, problems: &mut Problems) -> Option<DecisionRule> {
    let decision = &config.decision;
    let before = problems.len();
    let has_status_quo = motion.alternatives.iter().any(|alternative| alternative.status_quo);
    if decision.tie_break == TieBreak::StatusQuo && !has_status_quo {
        let message = match &config.items {
            Some(items) if items.options.is_some() => {
                "the options of items take the place of the scenario's alternatives: there is no status quo"
            }
            _ => "the scenario has no status quo alternative",
        };
        // The value does not matter if there are no ties.
        let word = if may_tie(decision.rule) { "lot" } else { "no_decision" };
        let hint = match tree.place_of("decision.tie_break").origin {
            Origin::Default | Origin::Table | Origin::Scenario => {
                format!("write decision: {{ tie_break: {word} }} in the config")
            }
            _ => format!("write tie_break: {word}"),
        };
        problems.push(tree.problem("decision.tie_break", message).with_advice(hint));
    }
    if matches!(decision.rule, RuleKind::Mean | RuleKind::Median) && motion.only().is_none() {
        let word = decision.rule.as_str();
        let problem =
            tree.problem("decision.rule", format!("the {word} of amounts decides nothing among alternatives"));
        let hint = format!("{word} is for a scenario with one alternative, which takes an amount");
        problems.push(problem.with_advice(hint));
    }
    let threshold = lower_threshold(config, tree, problems);
    (problems.len() == before).then_some(DecisionRule {
        rule: decision.rule,
        base: decision.of,
        invalid: decision.invalid,
        tie_break: decision.tie_break,
        threshold,
        amount_tolerance: decision.amount_tolerance,
    })
}

/// The ratio of a supermajority; `None` for every other rule, and after an error.
pub fn lower_threshold(config: &Config, tree: &Node, problems: &mut Problems) -> Option<(u32, u32)> {
    let decision = &config.decision;
    let problem = match (&decision.threshold, decision.rule) {
        (Some(written), RuleKind::Supermajority) => {
            return problems.ok_or_report_at(tree, "decision.threshold", parse_threshold(written));
        }
        (None, RuleKind::Supermajority) => {
            let problem = tree.problem("decision.rule", "a supermajority needs `threshold`");
            let hint = if differs_by_arm(tree) { IN_A_DESIGN } else { "as in threshold: 2/3" };
            problem.with_advice(hint)
        }
        (Some(_), _) => {
            let problem = tree.problem("decision.threshold", "only the rule supermajority has a threshold");
            let beside = "write rule: supermajority, or leave the threshold out";
            problem.with_advice(if differs_by_arm(tree) { IN_A_DESIGN } else { beside })
        }
        (None, _) => return None,
    };
    problems.push(problem);
    None
}

/// Whether arms differ in the rule or in one of its settings.
pub fn differs_by_arm(tree: &Node) -> bool {
    let is_of_rule = |key: &str| ["decision.rule", "decision.threshold", "decision.imposed"].contains(&key);
    let factors = tree.entries_at("design.factors");
    factors.iter().any(|factor| {
        let key = factor.node.text_at("key").is_some_and(is_of_rule);
        let sets = factor.node.entries_at("set");
        key || sets.iter().flat_map(|level| level.node.entries()).any(|value| is_of_rule(&value.key))
    })
}

/// The imposed choice.
///
/// # Errors
/// If it is missing, belongs to another rule, or is not a possible choice.
fn lower_imposed(config: &Config, motion: &Motion, tree: &Node) -> Result<Option<Choice>, Problem> {
    match (&config.decision.imposed, config.decision.rule) {
        (Some(written), RuleKind::Imposed) => {
            let alternative = find_alternative(motion, &written.alternative, "decision.imposed.alternative", tree)?;
            let choice = Choice { alternative, amount: written.amount };
            check_amount(choice, motion, motion.amount_max).map(|()| Some(choice)).map_err(|(key, message)| {
                let path = format!("decision.imposed.{key}");
                tree.problem(path.trim_end_matches('.'), message)
            })
        }
        (None, RuleKind::Imposed) => {
            let problem = tree.problem("decision.rule", "what is imposed is missing");
            Err(problem.with_advice("as in imposed: { alternative: … }"))
        }
        (Some(_), _) => {
            let problem = tree.problem("decision.imposed", "only the rule imposed has this");
            let hint = if differs_by_arm(tree) { IN_A_DESIGN } else { "write rule: imposed, or leave it out" };
            Err(problem.with_advice(hint))
        }
        (None, _) => Ok(None),
    }
}

/// The alternative of a name at a dotted path.
///
/// # Errors
/// If there is none, with the names that there are.
pub fn find_alternative(motion: &Motion, name: &str, path: &str, tree: &Node) -> Result<AlternativeId, Problem> {
    let known = motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    motion.find(name).ok_or_else(|| tree.unknown_name(path, ("alternative", name), known))
}

/// Checks that a choice has an amount of at most `greatest` if its alternative takes one, and none otherwise.
///
/// # Errors
/// The wrong key (empty if it is missing) and the message.
pub fn check_amount(choice: Choice, motion: &Motion, greatest: Option<u32>) -> Result<(), (&'static str, String)> {
    let named = &motion.alternatives[choice.alternative.index()];
    match (choice.amount, named.takes_amount) {
        (None, true) => Err(("", format!("\"{}\" needs an amount", named.name))),
        (Some(_), false) => Err(("amount", format!("\"{}\" takes no amount", named.name))),
        (None, false) => Ok(()),
        (Some(amount), true) => {
            let greatest = greatest.unwrap_or(u32::MAX);
            let message = format!("{amount} is outside {} … {greatest}", motion.amount_min);
            (motion.amount_min..=greatest).contains(&amount).then_some(()).ok_or(("amount", message))
        }
    }
}
