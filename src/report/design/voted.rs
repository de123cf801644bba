//! What a design votes on and by which rule, in words.

use serde::Serialize;

use crate::choice::DecisionRule;
use crate::domain::{BallotForm, Base, InvalidBallots, RuleKind, SeatId, TieBreak};
use crate::mechanism::amount_unit;
use crate::plan::{PhaseKind, Plan, RoundVotes, VotePhase, VoteTerms, may_tie};
use crate::report::grouped;
use crate::report::plain::escape_unseen;
use crate::report::told::weighs_wins;
use crate::text::put;

/// One thing a group may choose.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AlternativeShown {
    /// The name used in ballots and tables.
    pub name: String,
    /// The words that describe it to a seat.
    pub label: String,
    /// Whether choosing it leaves things as they are.
    pub status_quo: bool,
    /// The greatest amount that may be named with it; absent where it takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_max: Option<u32>,
    /// The least; absent where it takes none, and where it is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_min: Option<u32>,
    /// What is counted; absent where it takes none, and where the scenario does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The same, or what the mechanism's incomes are counted in.
    #[serde(skip)]
    pub counted_in: Option<String>,
}

/// The alternatives of a plan, in the scenario's order.
pub(super) fn alternatives(plan: &Plan) -> Vec<AlternativeShown> {
    let motion = &plan.motion;
    let counted_in = amount_unit(motion.unit.as_deref(), plan.income_principles().map(|income| &**income));
    let shown = motion.alternatives.iter().map(|alternative| AlternativeShown {
        name: alternative.name.as_str().to_owned(),
        label: alternative.label.clone(),
        status_quo: alternative.status_quo,
        amount_max: motion.amount_max.filter(|_| alternative.takes_amount),
        amount_min: Some(motion.amount_min).filter(|least| alternative.takes_amount && *least != 1),
        unit: motion.unit.clone().filter(|_| alternative.takes_amount),
        counted_in: counted_in.filter(|_| alternative.takes_amount).map(str::to_owned),
    });
    shown.collect()
}

/// The rule by which a plan's ballots become a decision, with the ballots it needs at this table.
pub(super) fn decision(plan: &Plan) -> String {
    if let Some(choice) = plan.imposed {
        return format!("imposed, {}; nobody votes", plan.motion.named(choice));
    }
    if !plan.agenda.iter().any(|phase| phase.kind.holds_votes()) {
        return "none; nobody votes".to_owned();
    }
    let usual = plan.talk_terms();
    let is_usual = |vote: &VotePhase| {
        (&vote.decision, &vote.voting, &vote.electorate) == (usual.decision, usual.voting, usual.electorate)
    };
    let votes = |place: &usize| plan.agenda[*place].kind.holds_votes() && plan.agenda[*place].is_first_pass();
    let (as_usual, own): (Vec<usize>, Vec<usize>) =
        (0..plan.agenda.len()).filter(votes).partition(|place| match &plan.agenda[*place].kind {
            PhaseKind::Vote(vote) => is_usual(vote),
            _ => true,
        });
    let weights: Vec<Option<u32>> =
        as_usual.iter().map(|place| plan.voting_weight_at(*place, usual.electorate)).collect();
    let named = |place: usize, terms: &VoteTerms<'_>| {
        let weight = plan.voting_weight_at(place, terms.electorate);
        format!("{}: {}", plan.agenda[place].name.written(), counting(plan, terms, weight))
    };
    let mut all = match weights.as_slice() {
        [] => Vec::new(),
        [first, others @ ..] if others.iter().all(|other| other == first) => vec![counting(plan, &usual, *first)],
        // The same rule needs other numbers of ballots in other phases.
        _ => as_usual.into_iter().map(|place| named(place, &usual)).collect(),
    };
    all.extend(own.into_iter().map(|place| named(place, &plan.vote_terms(place))));
    let counted = all.join(". ");
    match plan.all_vote_terms().any(|terms| terms.decides) {
        true => counted,
        false => format!("none; votes are counted by {counted}"),
    }
}

/// How the ballots of a vote become a decision, with the total weight of those who vote; `None` if that differs between sessions.
fn counting(plan: &Plan, terms: &VoteTerms<'_>, weight: Option<u32>) -> String {
    let rule = terms.decision;
    let mut words = needed(rule, weight);
    if weighs_wins(rule.rule) {
        put!(words, ", strength {}", terms.voting.strength.as_str().replace('_', " "));
    }
    words.push_str(match rule.invalid {
        InvalidBallots::VoidRound => "; an invalid ballot voids the vote",
        InvalidBallots::Abstain => "; an invalid ballot is an abstention",
        InvalidBallots::Exclude => "; a seat with an invalid ballot is not counted",
    });
    words.push_str(match terms.voting.form {
        BallotForm::Choice | BallotForm::Amount => "",
        BallotForm::Approval => "; a ballot names all that it approves of",
        BallotForm::Ranking { .. } => "; a ballot ranks the alternatives",
        BallotForm::Score { .. } => "; a ballot scores each alternative",
        BallotForm::Allocation { .. } => "; a ballot shares points among the alternatives",
    });
    words.push_str(&left_to_seats(terms));
    if rule.amount_tolerance > 0 {
        let apart = grouped(rule.amount_tolerance.into());
        put!(words, "; amounts up to {apart} apart count as the same");
    }
    // Of two shares above one half only amounts that overlap can both win.
    if may_tie(rule.rule) || rule.amount_tolerance > 0 {
        words.push_str(match rule.tie_break {
            TieBreak::Lot => "; a tie is broken by lot",
            TieBreak::AgendaOrder => "; of a tie the first alternative is taken",
            TieBreak::StatusQuo => "; a tie leaves the status quo, if it is tied",
            TieBreak::NoDecision => "; a tie decides nothing",
            TieBreak::Chair => "; the ballot of the chair breaks a tie, or else the lot",
            TieBreak::RandomBallot => "; ballots drawn by lot break a tie",
        });
    }
    if let Some((share, whole)) = terms.electorate.quorum {
        put!(words, "; valid ballots of at least {share}/{whole} of members are needed");
    }
    if let Some(default) = terms.electorate.otherwise {
        let name = terms.motion.name(default);
        put!(words, "; where the last count decides nothing, {name} is decided by default");
    }
    if terms.electorate.is_weighted() {
        let all = (0..).zip(&plan.seats).map(|(place, seat)| (terms.electorate.weight(SeatId(place)), &seat.name));
        let counting: Vec<_> = all.clone().filter(|(weight, _)| *weight > 0).collect();
        let listed: Vec<String> =
            all.filter(|(weight, _)| *weight != 1).map(|(weight, name)| format!("{name} {weight}")).collect();
        match counting[..] {
            [(_, alone)] => put!(words, "; only {alone}'s ballot counts"),
            _ if listed.is_empty() => {}
            _ => put!(words, "; ballots count once, but for {}", listed.join(", ")),
        }
    }
    words
}

/// How a group of a plan comes to a decision: its rule, and who has a vote held; empty where nobody votes.
pub fn way_to_decide(plan: &Plan) -> String {
    let is_voted = plan.vote_phases().next().is_some();
    if plan.imposed.is_some() || !is_voted && plan.discussions().all(|talk| talk.votes == RoundVotes::Never) {
        return String::new();
    }
    let called = plan.discussions().any(|talk| matches!(talk.votes, RoundVotes::OnCall { .. }));
    let called = if called { "; a vote is held when a seat calls one and all others agree" } else { "" };
    decision(plan) + called
}

/// Whether seats may abstain and are asked for reasons, and the order of an amendment agenda where it is written.
fn left_to_seats(terms: &VoteTerms<'_>) -> String {
    let mut words = String::new();
    if terms.voting.may_abstain {
        words.push_str("; seats may abstain");
    }
    if terms.voting.asks_reasons {
        words.push_str("; ballots ask for reasons");
    }
    if !terms.electorate.agenda.is_empty() {
        let order: Vec<&str> = terms.electorate.agenda.iter().map(|id| terms.motion.name(*id).as_str()).collect();
        let order = order.join(", ");
        put!(words, "; one against the next, in the order {order}; of a tied pair what stood before stands");
    }
    words
}

/// The rule and how many ballots it needs among so many seats; of those who take part if the number is not known.
fn needed(rule: &DecisionRule, seats: Option<u32>) -> String {
    let name = match (rule.rule, rule.threshold) {
        (RuleKind::Unanimity, _) => "unanimity".to_owned(),
        (RuleKind::Majority, _) => "majority".to_owned(),
        (RuleKind::Supermajority, Some((share, whole))) => format!("supermajority of {share}/{whole}"),
        (RuleKind::Supermajority, None) => "supermajority".to_owned(),
        (RuleKind::Plurality | RuleKind::Imposed, _) => return "plurality, the most ballots".to_owned(),
        (RuleKind::Mean, _) => return "the mean of the amounts, to the nearest whole number".to_owned(),
        (RuleKind::Median, _) => return "the median of the amounts".to_owned(),
        (other, _) => return other.as_str().replace('_', " "),
    };
    let of = match rule.base {
        Base::Members => "of those who take part",
        Base::Valid => "of the valid ballots",
    };
    let Some(seats) = seats else { return format!("{name} {of}") };
    let Some(ballots) = rule.winning_threshold(seats) else { return name };
    match rule.base {
        Base::Members => format!("{name}, {ballots} of {seats} members"),
        Base::Valid => format!("{name} {of}, {ballots} of {seats} if all are valid"),
    }
}

/// Alternatives in a few words, within a paragraph.
pub(super) fn listed(alternatives: &[AlternativeShown]) -> String {
    let listed = alternatives.iter().map(|alternative| format!("{}: {}", alternative.name, alternative.words()));
    escape_unseen(&listed.collect::<Vec<_>>().join(" · "))
}

impl AlternativeShown {
    /// Its label, and what else there is to know.
    pub(super) fn words(&self) -> String {
        let mut words = self.label.clone();
        if let Some(most) = self.amount_max {
            let least = self.amount_min.unwrap_or(1);
            let unit = self.counted_in.as_deref().map_or(String::new(), |unit| format!(" {unit}"));
            put!(words, " (amount from {} to {}{unit})", grouped(least.into()), grouped(most.into()));
        }
        if self.status_quo {
            words.push_str(" (status quo)");
        }
        words
    }
}
