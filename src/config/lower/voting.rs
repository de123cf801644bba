//! How votes are cast: the forms of ballots that a rule counts.

use crate::choice::ranked::{DefeatStrength, KEMENY_ALTERNATIVES_MAX};
use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::config::written::config::Config;
use crate::config::written::decision::{BallotWord, POINTS, SCORE_MAX, StrengthWord};
use crate::domain::{AlternativeId, Ballot, BallotForm, Motion, RuleKind};
use crate::plan::Voting;
use crate::prompt::parse_ballot;

/// Parses a ballot with more than one choice, as a person would type it.
///
/// # Errors
/// Why the text does not have this form, and an example.
pub fn parse_typed_ballot(
    text: &str,
    form: BallotForm,
    motion: &Motion,
) -> Result<Ballot<AlternativeId>, (String, String)> {
    let names: Vec<&str> = motion.alternatives.iter().map(|one| one.said().as_str()).collect();
    let example = match form {
        BallotForm::Choice | BallotForm::Amount => {
            let (asked, line) = match form {
                BallotForm::Amount => ("an amount alone", "`amount: <number>`"),
                _ => ("one choice", "`choice: <alternative>`"),
            };
            return Err((
                format!("seats vote by {asked} here: decision.ballot is {}", form.as_str()),
                format!(
                    "write {line}, or let decision.ballot be approval, ranking or score; for a vote with a ballot of its own write \
                     answer: {{ approves: […] }}, {{ ranking: [[…], […]] }}, {{ scores: {{ … }} }} or {{ points: {{ … }} }}"
                ),
            ));
        }
        BallotForm::Approval => names[..names.len().min(2)].join(", "),
        BallotForm::Allocation { points } => {
            let share = |place: usize| if place == 0 { points } else { 0 };
            let shared = names.iter().enumerate().map(|(place, name)| format!("{name} = {}", share(place)));
            shared.collect::<Vec<_>>().join(", ")
        }
        BallotForm::Score { max } => {
            let scored: Vec<String> = names.iter().map(|name| format!("{name} = {max}")).collect();
            scored.join(", ")
        }
        BallotForm::Ranking { .. } => names.join(" > "),
    };
    parse_ballot(form, motion, text).map_err(|fault| {
        let message = format!("no ballot of the form {} ({})", form.as_str(), fault.as_str().replace('_', " "));
        (message, format!("as in ballot: \"{example}\""))
    })
}

/// The voting of an arm; `None` after an error, which is reported: a setting belongs to another rule or form, or is out of range.
pub fn lower_voting(config: &Config, motion: &Motion, tree: &Node, problems: &mut Problems) -> Option<Voting> {
    let (decision, before) = (&config.decision, problems.len());
    let rule = decision.rule;
    let mut tell = |key: &str, message: String, hint: Option<String>| {
        problems.push(tree.problem(&format!("decision.{key}"), message).with_hint(hint));
    };
    let ballot = decision.ballot.unwrap_or_else(|| usual_ballot(rule));
    let alone = motion.only().is_some();
    if rule == RuleKind::Stv {
        let hint = "ekklesia retally --rule stv --seats K elects several from rankings".to_string();
        tell("rule", "stv elects several, and a session decides for one".to_string(), Some(hint));
    } else if alone && !is_amount_rule(rule) {
        let message = format!("{} decides among alternatives, and the scenario has one", rule.as_str());
        tell("rule", message, Some("write mean, median, plurality, majority, supermajority or unanimity".to_string()));
    } else if alone && decision.ballot.is_some() {
        tell("ballot", "there is nothing to choose: ballots name the amount".to_string(), None);
    } else if !alone && rule != RuleKind::Imposed && !can_count_form(rule, ballot) {
        let forms =
            [BallotWord::Choice, BallotWord::Approval, BallotWord::Ranking, BallotWord::Score, BallotWord::Allocation];
        let fitting: Vec<&str> =
            forms.into_iter().filter(|form| can_count_form(rule, *form)).map(BallotWord::as_str).collect();
        let message = format!("the rule {} counts no ballots of the form {}", rule.as_str(), ballot.as_str());
        let hint = format!("write ballot: {}, or leave it out", fitting.join(" or "));
        tell("ballot", message, Some(hint).filter(|_| !fitting.is_empty()));
    }
    if rule == RuleKind::KemenyYoung && motion.alternatives.len() > KEMENY_ALTERNATIVES_MAX {
        let (found, most) = (motion.alternatives.len(), KEMENY_ALTERNATIVES_MAX);
        let message = format!("kemeny_young is counted exactly up to {most} alternatives, and there are {found}");
        tell("rule", message, Some("schulze and ranked_pairs choose Condorcet's winner likewise".to_string()));
    }
    let takes_amount = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
    if !alone && takes_amount && ballot != BallotWord::Choice {
        let message =
            format!("an alternative takes an amount, and a ballot of the form {} names none", ballot.as_str());
        tell("rule", message, Some("a rule over choices asks for it".to_string()));
    }
    let score_max = ("score_max", decision.score_max, BallotWord::Score, "score have scores");
    let points = ("points", decision.points, BallotWord::Allocation, "allocation share points");
    for (key, written, form, what) in [score_max, points] {
        if written.is_some() && ballot != form {
            tell(key, format!("only ballots of the form {what}"), None);
        }
    }
    for (key, written) in [("ties", decision.ties), ("truncated", decision.truncated)] {
        if written.is_some() && ballot != BallotWord::Ranking {
            tell(key, "only ballots of the form ranking have this".to_string(), None);
        }
    }
    if let Some((message, hint)) = wrong_abstention(config, motion) {
        tell("abstain", message, hint);
    }
    if decision.reasons == Some(true) && rule == RuleKind::Imposed {
        tell("reasons", "nobody votes where the decision is imposed".to_string(), None);
    }
    let has_strength = matches!(rule, RuleKind::Minimax | RuleKind::Schulze | RuleKind::RankedPairs);
    if decision.strength.is_some() && !has_strength {
        tell("strength", "only minimax, schulze and ranked_pairs compare strengths".to_string(), None);
    }
    (problems.len() == before).then(|| Voting {
        form: match ballot {
            _ if alone => BallotForm::Amount,
            BallotWord::Choice => BallotForm::Choice,
            BallotWord::Approval => BallotForm::Approval,
            BallotWord::Ranking => BallotForm::Ranking {
                ties: decision.ties.unwrap_or(false),
                truncated: decision.truncated.unwrap_or(false),
                top: None,
            },
            BallotWord::Score => BallotForm::Score { max: decision.score_max.unwrap_or(SCORE_MAX) },
            BallotWord::Allocation => BallotForm::Allocation { points: decision.points.unwrap_or(POINTS) },
        },
        strength: match decision.strength.unwrap_or_default() {
            StrengthWord::Margins => DefeatStrength::Margins,
            StrengthWord::WinningVotes => DefeatStrength::WinningVotes,
        },
        may_abstain: decision.abstain.unwrap_or(false),
        asks_reasons: decision.reasons.unwrap_or(false),
    })
}

/// Why seats cannot abstain, with a hint; `None` if they can, or the author does not want it.
fn wrong_abstention(config: &Config, motion: &Motion) -> Option<(String, Option<String>)> {
    config.decision.abstain.filter(|may| *may)?;
    if config.decision.rule == RuleKind::Imposed {
        return Some(("nobody votes where the decision is imposed".to_string(), None));
    }
    let word = motion.language.abstain();
    motion.find_said(word)?;
    let message = format!("an alternative is called \"{word}\", which is what a seat writes that abstains");
    Some((message, Some("call the alternative something else, or leave `abstain` out".to_string())))
}

/// The default form of ballots for a rule.
pub fn usual_ballot(rule: RuleKind) -> BallotWord {
    match rule {
        RuleKind::Approval => BallotWord::Approval,
        RuleKind::Score => BallotWord::Score,
        RuleKind::Borda
        | RuleKind::Copeland
        | RuleKind::Minimax
        | RuleKind::Schulze
        | RuleKind::RankedPairs
        | RuleKind::KemenyYoung
        | RuleKind::InstantRunoff
        | RuleKind::TwoRound
        | RuleKind::Stv
        | RuleKind::AmendmentAgenda => BallotWord::Ranking,
        RuleKind::Unanimity
        | RuleKind::Majority
        | RuleKind::Supermajority
        | RuleKind::Plurality
        | RuleKind::RandomBallot
        | RuleKind::Imposed
        | RuleKind::Mean
        | RuleKind::Median => BallotWord::Choice,
    }
}

fn can_count_form(rule: RuleKind, form: BallotWord) -> bool {
    match form {
        BallotWord::Choice => usual_ballot(rule) == BallotWord::Choice,
        BallotWord::Approval => rule == RuleKind::Approval,
        BallotWord::Score | BallotWord::Allocation => rule == RuleKind::Score,
        BallotWord::Ranking => !matches!(
            rule,
            RuleKind::Approval | RuleKind::Score | RuleKind::Mean | RuleKind::Median | RuleKind::Imposed
        ),
    }
}

/// Whether a rule can decide an amount alone.
fn is_amount_rule(rule: RuleKind) -> bool {
    matches!(
        rule,
        RuleKind::Mean
            | RuleKind::Median
            | RuleKind::Plurality
            | RuleKind::Majority
            | RuleKind::Supermajority
            | RuleKind::Unanimity
            | RuleKind::Imposed
    )
}
