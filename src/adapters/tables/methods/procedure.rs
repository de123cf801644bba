//! What happens in a session, phase by phase, and how ballots become a decision, in words.

use std::fmt::Write as _;

use super::words::{WROTE, block, code, count, inert, list, thousandths, word};
use crate::choice::DecisionRule;
use crate::domain::{BallotForm, Base, InvalidBallots, MatchUnit, MemoryAct, PollTime, RuleKind, TieBreak};
use crate::mechanism::{Average, Commons, Feedback, Multiplier};
use crate::minds::{Mind, Script};
use crate::plan::{
    COUNTDOWN, Comprehension, Convergence, ConvergenceAction, Deed, Discussion, Failing, MatchedArm, Network,
    PhaseKind, Plan, RoundVotes, Sitter, SpeakingOrder, VoteCall, may_tie,
};

/// The phases of a plan, and what was told to seats besides them.
pub(super) fn procedure(plan: &Plan) -> String {
    let mut out = format!("A session had {}:\n\n", count(plan.agenda.len() as u64, "phase"));
    for ((place, phase), number) in plan.agenda.iter().enumerate().zip(1..) {
        let is_asked = plan.questions.as_ref().is_some_and(|questions| questions.are_in_brief(place));
        let text = match &phase.kind {
            PhaseKind::Brief { .. } if is_asked => {
                "The facilitator told every seat an introduction with the question of the session.".to_owned()
            }
            PhaseKind::Brief { text } => {
                format!(
                    "The facilitator told every seat an introduction of {}.",
                    count(text.split_whitespace().count() as u64, "word")
                )
            }
            PhaseKind::Ask { time } => poll(plan, *time),
            PhaseKind::Ranking => {
                "Every seat ranked the alternatives privately and said how certain it was.".to_owned()
            }
            PhaseKind::Comprehension(test) => comprehension(test),
            PhaseKind::Applications => applications(plan),
            PhaseKind::Discussion(talk) => harvests(plan) + &discussion(plan, talk),
            PhaseKind::Ballot if plan.roll_call => "Every seat voted once, all at once.".to_owned(),
            PhaseKind::Ballot => match &plan.matched {
                Some(matched) => sampled(matched),
                None => "Every seat voted once, all at once and secretly.".to_owned(),
            },
            PhaseKind::Settle => settlement(plan),
        };
        writeln!(out, "{number}. {}. {text}", code(phase.name.as_str())).expect(WROTE);
    }
    for intervention in &plan.interventions {
        let to: Vec<String> = intervention.to.iter().map(|name| code(name.as_str())).collect();
        let to = if to.is_empty() { "every seat".to_owned() } else { list(&to) };
        let (by, phase, round) = (word(&intervention.by), code(intervention.phase.as_str()), intervention.round);
        let when =
            if round == 0 { "at the opening of".to_owned() } else { format!("at the start of round {round} of") };
        let told = match &intervention.deed {
            Deed::Told(text) => format!("told {to}, {when} {phase}:\n\n{}", block(text).trim_end()),
            Deed::Reminded(MemoryAct::Compact { focus: None }) => {
                format!("had the memory of {to} made shorter, {when} {phase}.")
            }
            Deed::Reminded(MemoryAct::Compact { focus: Some(focus) }) => format!(
                "had the memory of {to} made shorter, {when} {phase}; it was to keep above all:\n\n{}",
                block(focus).trim_end()
            ),
            Deed::Marked { phase: of, statement } => {
                format!("had {to} remember the statement {statement} of {}, {when} {phase}.", code(of.as_str()))
            }
            Deed::Reminded(MemoryAct::Forget { phase: None }) => {
                format!("had {to} forget all but what is pinned, {when} {phase}.")
            }
            Deed::Reminded(MemoryAct::Forget { phase: Some(forgotten) }) => {
                format!("had {to} forget what is not pinned of {}, {when} {phase}.", code(forgotten.as_str()))
            }
        };
        writeln!(out, "\nAn intervention ({by}) {told}").expect(WROTE);
    }
    out
}

fn poll(plan: &Plan, time: PollTime) -> String {
    let has_talk = plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Discussion(_)));
    let when = match (time, has_talk) {
        (PollTime::Before, true) => "Before the talk every seat",
        (PollTime::EachRound, _) => "At the end of a round every seat",
        (PollTime::After, true) => "After the talk every seat",
        (PollTime::Before | PollTime::After, false) => "Every seat",
    };
    format!("{when} was asked privately what it favours (a straw poll: it binds nobody and is never announced).")
}

fn comprehension(test: &Comprehension) -> String {
    format!(
        "Every seat took a comprehension test of {}; {} passed it, and who failed tried once more. Failing twice {}.",
        count(test.questions.len() as u64, "question"),
        count(u64::from(test.pass_mark), "right answer"),
        match test.failing {
            Failing::Recorded => "was recorded and had no consequence",
            Failing::Excludes => "excluded the seat: it was asked nothing more and had no vote",
        }
    )
}

fn applications(plan: &Plan) -> String {
    let Some(mechanism) = plan.income() else { return "Every seat made practice choices.".to_owned() };
    let names: Vec<String> = mechanism.applications.iter().map(|situation| code(&situation.name)).collect();
    let drawn = mechanism.drawn.map_or(String::new(), |drawn| {
        format!(
            " Every income of a round was multiplied with one number drawn from {} to {}.",
            thousandths(drawn.least),
            thousandths(drawn.greatest)
        )
    });
    format!(
        "In {} (situations {}) every seat chose alone what is applied to a table of incomes, was put into an income class by lot, \
         and was paid {} cents for 10 000 dollars of income.{drawn}",
        count(names.len() as u64, "practice round"),
        list(&names),
        mechanism.application_cents
    )
}

fn settlement(plan: &Plan) -> String {
    let Some(mechanism) = plan.income() else { return "The decision was paid.".to_owned() };
    let mean = match mechanism.average {
        Average::Weighted => "weighted by the probability of each class",
        Average::Unweighted => "over the classes alike",
    };
    let multiplied = match mechanism.settlement {
        Multiplier { least: 1_000, greatest: 1_000 } => "its incomes as they are".to_owned(),
        Multiplier { least, greatest } if least == greatest => {
            format!("its incomes multiplied with {}", thousandths(least))
        }
        Multiplier { least, greatest } => {
            let (least, greatest) = (thousandths(least), thousandths(greatest));
            format!("its incomes multiplied with one number drawn from {least} to {greatest}")
        }
    };
    format!(
        "The decision was paid, or where there was none a table drawn for each seat: situation {}, {multiplied}, paid {} \
         cents for 10 000 dollars of income. Mean incomes are taken {mean}.",
        code(&mechanism.sample.name),
        mechanism.settlement_cents
    )
}

/// Who heard whom, where not everyone heard everyone.
fn hearing(network: &Network, plan: &Plan) -> String {
    let whom = match network {
        Network::Complete => return String::new(),
        Network::Alone => "only its own".to_owned(),
        Network::Ring => "beside its own those of its two neighbours in a ring".to_owned(),
        Network::Star { hub } => {
            let hub = plan.seats[hub.index()].name.as_str();
            format!("beside its own those of {hub}, who heard all")
        }
        Network::SmallWorld { neighbours, rewired_ppm } => format!(
            "beside its own those of the seats linked with it in a small world (Watts and Strogatz 1998: {neighbours} neighbours, links \
             moved with probability {}), drawn for each replicate",
            f64::from(*rewired_ppm) / 1e6
        ),
        Network::Edges(edges) => format!(
            "beside its own those of the seats that a file of {} names for it",
            count(edges.len() as u64, "edge")
        ),
    };
    format!(" Of the statements a seat heard {whom}.")
}

/// How a common stock is used, with a blank behind it; empty where there is none.
fn harvests(plan: &Plan) -> String {
    let Some(Commons { unit, stock_max, growth, collapse_below, feedback }) = plan.commons() else {
        return String::new();
    };
    let told = match feedback {
        Feedback::ByName => "who took how many",
        Feedback::Total => "how many were taken together",
    };
    format!(
        "Each round began with a harvest from a common stock of {stock_max} {unit} at first: every seat was asked privately, all at once, how \
         many it takes; where all asked for more than there was, it was shared out in proportion. Everyone was told {told}. With fewer \
         than {collapse_below} left the stock was gone and the session ended; else what was left was multiplied with {}, up to \
         {stock_max}. ",
        thousandths(*growth)
    )
}

fn discussion(plan: &Plan, talk: &Discussion) -> String {
    let order = match talk.order {
        SpeakingOrder::Fixed => "one after the other in the config's order",
        SpeakingOrder::Random => "one after the other in an order drawn anew for each round",
        SpeakingOrder::Rotating => "one after the other in the config's order, begun one seat later in each round",
        SpeakingOrder::Williams => "one after the other in the orders of a Williams square",
        SpeakingOrder::Volunteer => "one after the other, the most urgent first and equals in a drawn order",
        SpeakingOrder::Nobody => return silent(talk),
        SpeakingOrder::Simultaneous => "all at once, so that nobody heard this round's statements before its end",
    };
    let vote = if plan.roll_call { "vote by roll call" } else { "secret vote" };
    let votes = match talk.votes {
        RoundVotes::Never => "No vote was held in these rounds.".to_owned(),
        RoundVotes::EveryRound => format!("A {vote} closed each round, and a decision ended the talk."),
        RoundVotes::OnCall { rounds_min, call } => {
            let asked = match call {
                VoteCall::Sequential => "one after the other in a drawn order, until one does",
                VoteCall::Simultaneous => "all at once",
            };
            format!(
                "From round {rounds_min} on the seats were asked in each round whether they call a vote ({asked}); when all others agreed a \
                 {vote} was held, and a decision ended the talk."
            )
        }
    };
    // Minds and models make statements; only a script or a change of a fork lets a seat pass.
    let scripts = plan.seats.iter().filter_map(|seat| match &seat.sitter {
        Sitter::Mind(Mind::Scripted(script)) => Some(script),
        _ => None,
    });
    let pass = if scripts.into_iter().any(Script::passes) { "; a seat that follows a script could pass" } else { "" };
    let thinking = describe_private_reasoning(talk, plan);
    let poll = poll_of_rounds(talk);
    let countdown = match talk.announce_end && talk.rounds.get() >= COUNTDOWN {
        true => format!(" When {COUNTDOWN} rounds remained every seat was told so."),
        false => String::new(),
    };
    let marks = match talk.proposals {
        true => " Statements could be marked as proposals, as support of or opposition to one, and as decisions.",
        false => "",
    };
    let alike = talk.convergence.map_or(String::new(), when_alike);
    let who = match talk.order {
        SpeakingOrder::Volunteer => {
            "Before each every seat said privately whether it wanted to speak in it, and how urgently, from 0 to 10. Those that did spoke \
             once"
        }
        _ => "In each every seat spoke once",
    };
    let hearing = hearing(&plan.network, plan);
    let opinion = match plan.asks_opinion {
        true => " With each statement models and people told their opinion as a whole number from 0 to 100.",
        false => "",
    };
    format!(
        "The seats talked for at most {}. {who}, {order}{thinking}, in at least {}, and could declare which \
         alternative it favours{pass}.{opinion}{hearing}{marks}{countdown} {votes}{poll}{alike}",
        count(u64::from(talk.rounds.get()), "round"),
        count(u64::from(talk.statement_min_length), "character")
    )
}

/// Which seats thought privately before they spoke.
fn describe_private_reasoning(talk: &Discussion, plan: &Plan) -> String {
    let thinking = plan.seats.iter().filter(|seat| talk.has_private_reasoning(seat));
    let names: Vec<String> = thinking.map(|seat| inert(seat.name.as_str())).collect();
    match names.len() {
        0 => String::new(),
        all if all == plan.seats.len() => ", after thinking privately".to_owned(),
        _ => format!(", {} after thinking privately", list(&names)),
    }
}

/// What followed when statements had become alike.
fn when_alike(asked: Convergence) -> String {
    let then = match asked.action {
        ConvergenceAction::Stop => "the talk ended after it",
        ConvergenceAction::Warn => "it was told, and the talk went on",
        ConvergenceAction::Continue => "the talk went on",
    };
    let (profile, threshold) = (asked.profile.as_str(), f64::from(asked.threshold) / 1e6);
    format!(
        " When the convergence of a round's statements, in words and form by the profile {profile}, reached {threshold}, {then}."
    )
}

/// Votes that are matched to another arm's sessions.
fn sampled(matched: &MatchedArm) -> String {
    let unit = match matched.unit {
        MatchUnit::TotalTokens => "tokens of prompts and replies",
        MatchUnit::CompletionTokens => "tokens of replies",
        MatchUnit::Calls => "answers",
    };
    format!(
        "Every seat voted again and again, all at once and secretly, each time as if it were the first, until the session had taken as many \
         {unit} as that of {} with the same replicate; all ballots were counted.",
        code(&matched.plan.arm)
    )
}

/// A discussion in which nobody speaks.
fn silent(talk: &Discussion) -> String {
    let votes = match talk.votes {
        RoundVotes::Never => "",
        RoundVotes::EveryRound => " A vote closed each round, and a decision ended them.",
        RoundVotes::OnCall { .. } => " In a round in which a seat called a vote and all others agreed, one was held.",
    };
    let rounds = count(u64::from(talk.rounds.get()), "round");
    format!("There were at most {rounds} in which nobody spoke.{votes}{}", poll_of_rounds(talk))
}

/// The straw poll of each round.
fn poll_of_rounds(talk: &Discussion) -> &'static str {
    match (talk.poll_each_round, talk.poll_told) {
        (false, _) => "",
        (true, false) => " A straw poll, private and not binding, closed each round.",
        (true, true) => {
            " A straw poll, not binding, closed each round, and all were told the counts and the median of the amounts, without names."
        }
    }
}

/// How ballots become a decision.
pub(super) fn decision(plan: &Plan) -> String {
    let rule = &plan.decision;
    if let Some(imposed) = plan.imposed {
        return format!("The decision was imposed: {}. Nobody voted.\n", code(&plan.motion.named(imposed).to_string()));
    }
    let wins = wins(rule);
    let invalid = match rule.invalid {
        InvalidBallots::VoidRound => "made its vote decide nothing",
        InvalidBallots::Abstain => "counted as an abstention",
        InvalidBallots::Exclude => "took its seat out of members and votes for this vote",
    };
    // The other rules never have two winners.
    let ties = match (may_tie(rule.rule), rule.tie_break) {
        (true, TieBreak::Lot) => " Ties were settled by a seeded lot.",
        (true, TieBreak::AgendaOrder) => " Ties were settled by the scenario's order.",
        (true, TieBreak::StatusQuo) => {
            " A tie was settled for the status quo if it was among the tied, and else decided nothing."
        }
        (true, TieBreak::NoDecision) => " A tie decided nothing.",
        (true, TieBreak::Chair) => {
            " A tie was settled by the ballot of the chair among the tied, and by a seeded lot where it told none apart."
        }
        (true, TieBreak::RandomBallot) => {
            " A tie was settled by ballots drawn by seeded lot, one after the other, among the tied."
        }
        _ => "",
    };
    let same = match rule.amount_tolerance {
        0 => String::new(),
        most => format!(" Amounts that differ by at most {most} counted as the same."),
    };
    let form = match plan.ballot_form() {
        BallotForm::Choice | BallotForm::Amount => "",
        BallotForm::Approval => " Each ballot named all alternatives that its seat approved of.",
        BallotForm::Ranking { .. } => " Each ballot ranked the alternatives.",
        BallotForm::Score { .. } => " Each ballot scored every alternative.",
    };
    let heard = match plan.roll_call {
        true => " When ballots were counted everyone heard who had voted for what (a roll call).",
        false => "",
    };
    let quorum = match plan.electorate.quorum {
        Some((share, whole)) => {
            format!(" A vote decided nothing unless at least {share}/{whole} of the members cast valid ballots.")
        }
        None => String::new(),
    };
    let weights = match plan.electorate.is_weighted() {
        true => " Ballots counted as often as the plan weighs their seats (column `weight` of `ballots`).",
        false => "",
    };
    let abstained = match plan.voting.may_abstain {
        true => " Seats could abstain, which counted as a vote of a member for nothing.",
        false => "",
    };
    format!(
        "The rule was {}: an alternative was decided for when {wins}. A ballot that was still invalid after its last try \
         {invalid}.{form}{abstained}{weights}{quorum}{ties}{same}{heard}\n",
        code(&word(&rule.rule))
    )
}

/// When an alternative is decided for.
fn wins(rule: &DecisionRule) -> String {
    let base = match rule.base {
        Base::Members => "the seats that may vote",
        Base::Valid => "the valid ballots",
    };
    match (rule.rule, rule.threshold) {
        (RuleKind::Unanimity, _) => format!("all of {base} choose it"),
        (RuleKind::Majority, _) => format!("more than half of {base} choose it"),
        (RuleKind::Supermajority, Some((part, whole))) => format!("at least {part}/{whole} of {base} choose it"),
        (RuleKind::Plurality, _) => "it has the most ballots".to_owned(),
        (RuleKind::Mean, _) => "its amount was the mean of all valid ballots, rounded half up to a whole number".to_owned(),
        (RuleKind::Median, _) => {
            "its amount was the median of all valid ballots, of an even number the mean of the two middle ones rounded half up"
                .to_owned()
        }
        (RuleKind::Supermajority, None) | (RuleKind::Imposed, _) => "the plan says so".to_owned(),
        (RuleKind::Approval, _) => "most ballots approved of it".to_owned(),
        (RuleKind::Score, _) => "its scores had the greatest sum".to_owned(),
        (RuleKind::Borda, _) => "it had the most points by place (Borda; ties count half)".to_owned(),
        (RuleKind::Copeland, _) => "it beat the most others, one against one (Copeland; ties count half)".to_owned(),
        (RuleKind::Minimax, _) => "its greatest defeat was the least (minimax)".to_owned(),
        (RuleKind::Schulze, _) => "it had the strongest paths of wins (Schulze)".to_owned(),
        (RuleKind::RankedPairs, _) => "it came first when wins were locked in, the strongest first (Tideman)".to_owned(),
        (RuleKind::KemenyYoung, _) => "it stood first in the order with which rankings agreed most (Kemeny and Young)".to_owned(),
        (RuleKind::InstantRunoff, _) => "it was left when those with the fewest first places were dropped in turn".to_owned(),
        (RuleKind::TwoRound, _) => "it won between the two with the most first places, or had more than half".to_owned(),
        (RuleKind::RandomBallot, _) => "it stood first on a ballot that was drawn".to_owned(),
        (RuleKind::AmendmentAgenda, _) => {
            "it won one against the next, in the order of the agenda, where of a tied pair what stood before stood".to_owned()
        },
        (RuleKind::Stv, _) => "it was elected by transferred votes".to_owned(),
    }
}
