//! The agenda of one arm: the scenario's phases with straw polls around the first discussion, without what the config
//! leaves out.

use std::num::NonZeroU32;

use super::config::{Config, VoteTime};
use super::interventions::POLL_PHASES;
use super::mechanism::Lowered;
use super::scenario::{PhaseConfig, Scenario};
use super::tree::Node;
use super::{Discussion, Phase, PhaseKind, Problem, RoundVotes};
use crate::domain::{PhaseName, PollTime, RuleKind};

/// Makes the phases.
///
/// # Errors
/// The first phase or setting that cannot be had.
pub fn lower(
    config: &Config,
    scenario: &Scenario,
    mechanism: Option<&Lowered>,
    tree: &Node,
) -> Result<Vec<Phase>, Problem> {
    let written = &scenario.written.agenda;
    let talk = written.iter().position(|phase| phase.discussion.is_some());
    let polls = &config.straw_polls;
    if let Some(twice) = (1..polls.len()).find(|i| polls[..*i].contains(&polls[*i])) {
        return Err(tree.problem(&format!("straw_polls.{twice}"), "this poll is listed twice"));
    }
    if !polls.is_empty() && talk.is_none() {
        return Err(tree.problem("straw_polls", "the scenario has no discussion to put polls around"));
    }
    let votes = round_votes(config, talk.is_some(), tree)?;
    let [before, after] = POLL_PHASES;
    let mut agenda = Vec::new();
    for (position, phase) in written.iter().enumerate() {
        let is_first_talk = talk == Some(position);
        if is_first_talk && polls.contains(&PollTime::Before) {
            agenda.push(poll(before, PollTime::Before));
        }
        if let Some(kind) = phase_kind(phase, config, scenario, mechanism, votes)? {
            agenda.push(Phase { name: PhaseName::new(&phase.name), kind });
        }
        if is_first_talk && polls.contains(&PollTime::After) {
            agenda.push(poll(after, PollTime::After));
        }
    }
    Ok(agenda)
}

/// Whether the config wants votes in rounds, and on whose call.
fn round_votes(config: &Config, has_talk: bool, tree: &Node) -> Result<RoundVotes, Problem> {
    let discussion = &config.discussion;
    if discussion.rounds_min == 0 {
        return Err(tree.problem("discussion.rounds_min", "rounds count from 1"));
    }
    if config.decision.rule == RuleKind::Imposed {
        return Ok(RoundVotes::Never);
    }
    let without_rounds = !has_talk || discussion.rounds == 0;
    let hint = || Some("with rounds: 0 say vote: at_end".to_string());
    match discussion.vote {
        VoteTime::AtEnd => Ok(RoundVotes::Never),
        VoteTime::EveryRound if without_rounds => {
            Err(tree.problem("discussion.vote", "a vote in every round needs at least one round").with_hint(hint()))
        }
        VoteTime::EveryRound => Ok(RoundVotes::EveryRound),
        VoteTime::OnCall if without_rounds => {
            Err(tree.problem("discussion.vote", "a vote on call needs at least one round").with_hint(hint()))
        }
        VoteTime::OnCall if discussion.rounds_min > discussion.rounds => {
            let message = format!("no vote could be called: there are only {} rounds", discussion.rounds);
            let hint = format!("rounds_min is at most {}", discussion.rounds);
            Err(tree.problem("discussion.rounds_min", message).with_hint(Some(hint)))
        }
        VoteTime::OnCall => Ok(RoundVotes::OnCall { rounds_min: discussion.rounds_min, call: discussion.vote_call }),
    }
}

fn poll(name: &str, time: PollTime) -> Phase {
    Phase { name: PhaseName::new(name), kind: PhaseKind::Ask { time } }
}

fn phase_kind(
    phase: &PhaseConfig,
    config: &Config,
    scenario: &Scenario,
    mechanism: Option<&Lowered>,
    votes: RoundVotes,
) -> Result<Option<PhaseKind>, Problem> {
    let mechanism = || {
        mechanism.ok_or_else(|| {
            let path = format!("agenda.{}", phase.name);
            scenario.tree.problem(&path, "this phase needs a mechanism, and the scenario has none")
        })
    };
    if let Some(brief) = &phase.brief {
        let path = format!("agenda.{}.brief.text", phase.name);
        let text = scenario.fill(&brief.text, &path, &config.parameters)?;
        return Ok(Some(PhaseKind::Brief { text }));
    }
    if let Some(ask) = &phase.ask {
        return Ok(match (ask.time, &ask.ranking, &ask.comprehension) {
            (Some(time), _, _) => Some(PhaseKind::Ask { time }),
            (None, Some(_), _) => Some(PhaseKind::Ranking),
            (None, None, Some(_)) => mechanism()?.comprehension.clone().map(PhaseKind::Comprehension),
            (None, None, None) => (!mechanism()?.income.applications.is_empty()).then_some(PhaseKind::Applications),
        });
    }
    if phase.settle.is_some() {
        return mechanism().map(|_| Some(PhaseKind::Settle));
    }
    if phase.ballot.is_some() {
        let is_held = votes == RoundVotes::Never && config.decision.rule != RuleKind::Imposed;
        return Ok(is_held.then_some(PhaseKind::Ballot));
    }
    let discussion = &config.discussion;
    Ok(NonZeroU32::new(discussion.rounds).map(|rounds| {
        PhaseKind::Discussion(Discussion {
            rounds,
            order: discussion.order,
            statement_min_length: discussion.statement_min_length,
            poll_each_round: config.straw_polls.contains(&PollTime::EachRound),
            private_reasoning: discussion.private_reasoning,
            votes,
        })
    }))
}
