//! The decision: its rule, the ratio of a supermajority as two whole numbers, and what is imposed.

use super::config::Config;
use super::decimal::scaled;
use super::decision_config::ImposedConfig;
use super::parameters::Scalar;
use super::tree::Node;
use super::voting::{self, Voting};
use super::{Origin, Problem, Problems, suggest};
use crate::choice::DecisionRule;
use crate::domain::{Choice, Motion, RuleKind, TieBreak};

/// Decimals of a ratio.
const DECIMALS: usize = 6;
/// What to do where two arms differ in the rule and in what only one of them needs.
const IN_A_DESIGN: &str = "in a design, let the levels of one factor `set` both";

/// The rule, what seats vote by, and what is decided without a vote; each `None` when something about it is wrong.
pub fn lower(
    config: &Config,
    motion: &Motion,
    tree: &Node,
    problems: &mut Problems,
) -> (Option<DecisionRule>, Option<Voting>, Option<Option<Choice>>) {
    let rule = rule(config, motion, tree, problems);
    let voting = voting::voting(config, motion, tree, problems);
    (rule, voting, problems.keep(imposed(config, motion, tree)))
}

/// How ballots become a decision; `None` when a setting is missing, belongs to another rule, or is out of range.
fn rule(config: &Config, motion: &Motion, tree: &Node, problems: &mut Problems) -> Option<DecisionRule> {
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
        // Where nothing ties it does not matter what is said here.
        let word = if voting::may_tie(decision.rule) { "lot" } else { "no_decision" };
        let hint = match tree.place_of("decision.tie_break").origin {
            Origin::Default | Origin::Table | Origin::Scenario => {
                format!("write decision: {{ tie_break: {word} }} in the config")
            }
            _ => format!("write tie_break: {word}"),
        };
        problems.push(tree.problem("decision.tie_break", message).with_hint(Some(hint)));
    }
    if matches!(decision.rule, RuleKind::Mean | RuleKind::Median) && motion.only().is_none() {
        let word = decision.rule.as_str();
        let problem =
            tree.problem("decision.rule", format!("the {word} of amounts decides nothing among alternatives"));
        let hint = format!("{word} is for a scenario with one alternative, which takes an amount");
        problems.push(problem.with_hint(Some(hint)));
    }
    let threshold = threshold(config, tree, problems);
    (problems.len() == before).then_some(DecisionRule {
        rule: decision.rule,
        base: decision.of,
        invalid: decision.invalid,
        tie_break: decision.tie_break,
        threshold,
        amount_tolerance: decision.amount_tolerance,
    })
}

/// The ratio of a supermajority; `None` for every other rule, and when something about it is wrong.
pub fn threshold(config: &Config, tree: &Node, problems: &mut Problems) -> Option<(u32, u32)> {
    let decision = &config.decision;
    let problem = match (&decision.threshold, decision.rule) {
        (Some(written), RuleKind::Supermajority) => {
            return problems.keep(ratio(written).map_err(|message| tree.problem("decision.threshold", message)));
        }
        (None, RuleKind::Supermajority) => {
            let problem = tree.problem("decision.rule", "a supermajority needs `threshold`");
            let hint = if differs_by_arm(tree) { IN_A_DESIGN } else { "as in threshold: 2/3" };
            problem.with_hint(Some(hint.to_string()))
        }
        (Some(_), _) => {
            let problem = tree.problem("decision.threshold", "only the rule supermajority has a threshold");
            problem.with_hint(Some(match differs_by_arm(tree) {
                true => IN_A_DESIGN.to_string(),
                false => "write rule: supermajority, or leave the threshold out".to_string(),
            }))
        }
        (None, _) => return None,
    };
    problems.push(problem);
    None
}

/// Whether arms differ in the rule, or in what belongs to one.
fn differs_by_arm(tree: &Node) -> bool {
    let is_of_rule = |key: &str| ["decision.rule", "decision.threshold", "decision.imposed"].contains(&key);
    let factors = tree.find("design.factors").map(Node::entries).unwrap_or_default();
    factors.iter().any(|factor| {
        let key = factor.node.get("key").and_then(Node::as_text).is_some_and(is_of_rule);
        let sets = factor.node.get("set").map(Node::entries).unwrap_or_default();
        key || sets.iter().flat_map(|level| level.node.entries()).any(|value| is_of_rule(&value.key))
    })
}

/// What is decided without a vote.
///
/// # Errors
/// When it is missing, belongs to another rule, or cannot be decided.
fn imposed(config: &Config, motion: &Motion, tree: &Node) -> Result<Option<Choice>, Problem> {
    match (&config.decision.imposed, config.decision.rule) {
        (Some(written), RuleKind::Imposed) => imposed_choice(written, motion, tree).map(Some),
        (None, RuleKind::Imposed) => {
            let problem = tree.problem("decision.rule", "what is imposed is missing");
            Err(problem.with_hint(Some("as in imposed: { alternative: … }".to_string())))
        }
        (Some(_), _) => {
            let problem = tree.problem("decision.imposed", "only the rule imposed has this");
            let hint = if differs_by_arm(tree) { IN_A_DESIGN } else { "write rule: imposed, or leave it out" };
            Err(problem.with_hint(Some(hint.to_string())))
        }
        (None, _) => Ok(None),
    }
}

fn imposed_choice(written: &ImposedConfig, motion: &Motion, tree: &Node) -> Result<Choice, Problem> {
    let alternative = motion.find(&written.alternative).ok_or_else(|| {
        let known = motion.alternatives.iter().map(|alternative| alternative.name.as_str());
        let message = format!("no alternative is named \"{}\"", written.alternative);
        tree.problem("decision.imposed.alternative", message).with_hint(suggest(&written.alternative, known))
    })?;
    let choice = Choice { alternative, amount: written.amount };
    check_amount(choice, motion, motion.amount_max).map_err(|(key, message)| {
        let path = if key.is_empty() { "decision.imposed".to_string() } else { format!("decision.imposed.{key}") };
        tree.problem(&path, message)
    })?;
    Ok(choice)
}

/// Checks that a choice has an amount where its alternative takes one, and one that is at most `greatest`.
///
/// # Errors
/// The key that is wrong, empty where it is missing, and what is wrong with it.
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

/// The share of a supermajority as it is typed, a ratio as in `2/3` or a decimal.
///
/// # Errors
/// What is wrong with it.
pub fn threshold_of(text: &str) -> Result<(u32, u32), String> {
    ratio(&Scalar::Text(text.to_owned()))
}

/// The share that a supermajority needs.
fn ratio(written: &Scalar) -> Result<(u32, u32), String> {
    share(written, |whole| whole / 2, "a supermajority is more than 1/2 and at most 1")
}

/// The share of members that a quorum needs.
///
/// # Errors
/// What is wrong with it.
pub fn quorum(written: &Scalar) -> Result<(u32, u32), String> {
    share(written, |_| 0, "a quorum is more than 0 and at most 1")
}

/// A share as a ratio of two whole numbers, from `a/b` or a decimal; above so many of the whole, or else it is wrong.
fn share(written: &Scalar, least: impl Fn(u64) -> u64, wrong: &str) -> Result<(u32, u32), String> {
    let shape = || {
        let found = match written {
            Scalar::Text(text) => format!(", found the text {text:?}"),
            _ => String::new(),
        };
        format!("expected a ratio as in 2/3, or a decimal as in 0.75{found}")
    };
    let whole = 10u64.pow(DECIMALS as u32);
    let (share, whole) = match written {
        Scalar::Text(text) => match text.split_once('/') {
            Some((share, whole)) => {
                let number = |text: &str| text.trim().parse::<u32>().map(u64::from).map_err(|_| shape());
                (number(share)?, number(whole)?)
            }
            None => {
                let number = text.trim().parse::<f64>().map_err(|_| shape())?;
                (scaled(number, DECIMALS)?, whole)
            }
        },
        Scalar::Int(number) => (u64::try_from(*number).map_err(|_| shape())?.saturating_mul(whole), whole),
        Scalar::Real(number) => (scaled(*number, DECIMALS)?, whole),
        Scalar::Bool(_) => return Err(shape()),
    };
    if whole == 0 || share > whole || share <= least(whole) {
        return Err(wrong.to_string());
    }
    let common = greatest_common_divisor(share, whole);
    let narrow = |number: u64| u32::try_from(number / common).map_err(|_| shape());
    Ok((narrow(share)?, narrow(whole)?))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_exact_and_reduced() {
        let text = |text: &str| ratio(&Scalar::Text(text.to_string()));
        assert_eq!((text("2/3"), text("4/6"), text("0.6")), (Ok((2, 3)), Ok((2, 3)), Ok((3, 5))));
        assert_eq!((ratio(&Scalar::Real(0.75)), ratio(&Scalar::Int(1))), (Ok((3, 4)), Ok((1, 1))));
        assert_eq!(text("500001/1000000"), Ok((500_001, 1_000_000)));
        for written in
            ["1/2", "2/4", "0.5", "4/3", "0/0", "1/0", "x", "2/x", "-2/3", "0.6666667", "NaN", "inf", "3/5/7"]
        {
            assert!(text(written).is_err(), "{written}");
        }
        assert_eq!((quorum(&Scalar::Real(0.5)), quorum(&Scalar::Int(1))), (Ok((1, 2)), Ok((1, 1))));
        assert!(quorum(&Scalar::Int(0)).is_err() && quorum(&Scalar::Text("3/2".to_string())).is_err());
        assert!(ratio(&Scalar::Int(2)).is_err() && ratio(&Scalar::Int(0)).is_err() && ratio(&Scalar::Int(-1)).is_err());
    }

    #[test]
    fn just_above_one_half_is_a_supermajority_also_of_an_odd_whole() {
        assert_eq!(ratio(&Scalar::Text("2/3".to_string())), Ok((2, 3)));
        assert_eq!(ratio(&Scalar::Text("3/5".to_string())), Ok((3, 5)));
        assert!(ratio(&Scalar::Text("1/3".to_string())).is_err());
    }
}
