//! The agenda of one arm: the scenario's phases with straw polls around the first discussion, without what the config
//! leaves out.

use std::num::NonZeroU32;

use super::config::{Config, VoteTime};
use super::interventions::POLL_PHASES;
use super::mechanism::Lowered;
use super::scenario::{AskConfig, BriefConfig, PhaseConfig, Scenario};
use super::tree::Node;
use super::{Discussion, Phase, PhaseKind, Problem, RoundVotes};
use crate::choice::DecisionRule;
use crate::domain::{Motion, PhaseName, PollTime, RuleKind};
use crate::mechanism::{Counterfactual, IncomePrinciples};
use crate::prompt::{Pack, PickFacts, Procedure, Votes};

/// Makes the phases.
///
/// # Errors
/// The first phase or setting that cannot be had.
pub fn lower(
    config: &Config,
    scenario: &Scenario,
    mechanism: Option<&Lowered>,
    words: (&Pack, &Motion),
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
    let drafter = Drafter { config, scenario, mechanism, words, votes: round_votes(config, scenario, tree)? };
    let [before, after] = POLL_PHASES;
    let mut agenda = Vec::new();
    for (position, phase) in written.iter().enumerate() {
        let is_first_talk = talk == Some(position);
        if is_first_talk && polls.contains(&PollTime::Before) {
            agenda.push(poll(before, PollTime::Before));
        }
        if let Some(kind) = drafter.kind(phase)? {
            agenda.push(Phase { name: PhaseName::new(&phase.name), kind });
        }
        if is_first_talk && polls.contains(&PollTime::After) {
            agenda.push(poll(after, PollTime::After));
        }
    }
    Ok(agenda)
}

/// Whether the config wants votes in rounds, and on whose call.
fn round_votes(config: &Config, scenario: &Scenario, tree: &Node) -> Result<RoundVotes, Problem> {
    let discussion = &config.discussion;
    if discussion.rounds_min == 0 {
        return Err(tree.problem("discussion.rounds_min", "rounds count from 1"));
    }
    if config.decision.rule == RuleKind::Imposed {
        return Ok(RoundVotes::Never);
    }
    let has_talk = scenario.written.agenda.iter().any(|phase| phase.discussion.is_some());
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

/// How the group talks and decides, as far as prompts tell it.
///
/// # Errors
/// When the config wants votes that cannot be held.
pub fn procedure(
    config: &Config,
    scenario: &Scenario,
    decision: &DecisionRule,
    tree: &Node,
) -> Result<Procedure, Problem> {
    let agenda = &scenario.written.agenda;
    let has_talk = agenda.iter().any(|phase| phase.discussion.is_some());
    let has_ballot = agenda.iter().any(|phase| phase.ballot.is_some()) && decision.rule != RuleKind::Imposed;
    let votes = match round_votes(config, scenario, tree)? {
        RoundVotes::EveryRound => Votes::EveryRound,
        RoundVotes::OnCall { rounds_min, .. } => Votes::OnCall { rounds_min },
        RoundVotes::Never if has_ballot => Votes::AtEnd,
        RoundVotes::Never => Votes::Never,
    };
    let seats = u32::try_from(config.seats.len()).unwrap_or(u32::MAX);
    Ok(Procedure {
        seats,
        rounds: if has_talk { config.discussion.rounds } else { 0 },
        votes,
        rule: decision.rule,
        ballots_needed: if votes == Votes::Never { None } else { decision.threshold(seats) },
        tolerance: decision.amount_tolerance,
    })
}

fn poll(name: &str, time: PollTime) -> Phase {
    Phase { name: PhaseName::new(name), kind: PhaseKind::Ask { time } }
}

/// The words of a brief that the scenario writes itself; `None` where the phase has none.
///
/// # Errors
/// When they are no template over what the scenario's texts may print.
pub fn brief_text(scenario: &Scenario, phase: &str, config: &Config) -> Result<Option<String>, Problem> {
    let phase = scenario.written.agenda.iter().find(|written| written.name == phase);
    let text = phase.and_then(|phase| Some((phase, phase.brief.as_ref()?.text.as_ref()?)));
    let fill = |(phase, text): (&PhaseConfig, &String)| {
        scenario.fill(text, &format!("agenda.{}.brief.text", phase.name), &config.parameters)
    };
    text.map(fill).transpose()
}

/// Makes phases of what a scenario's author wrote.
struct Drafter<'a> {
    config: &'a Config,
    scenario: &'a Scenario,
    mechanism: Option<&'a Lowered>,
    words: (&'a Pack, &'a Motion),
    votes: RoundVotes,
}

impl<'a> Drafter<'a> {
    /// What happens in a phase; `None` when this arm leaves it out.
    fn kind(&self, phase: &PhaseConfig) -> Result<Option<PhaseKind>, Problem> {
        if let Some(brief) = &phase.brief {
            return self.brief(brief, &phase.name).map(|text| Some(PhaseKind::Brief { text }));
        }
        if let Some(ask) = &phase.ask {
            return Ok(self.ask(ask));
        }
        if phase.settle.is_some() {
            return Ok(Some(PhaseKind::Settle));
        }
        if phase.ballot.is_some() {
            let is_held = self.votes == RoundVotes::Never && self.config.decision.rule != RuleKind::Imposed;
            return Ok(is_held.then_some(PhaseKind::Ballot));
        }
        let discussion = &self.config.discussion;
        Ok(NonZeroU32::new(discussion.rounds).map(|rounds| {
            PhaseKind::Discussion(Discussion {
                rounds,
                order: discussion.order,
                statement_min_length: discussion.statement_min_length,
                poll_each_round: self.config.straw_polls.contains(&PollTime::EachRound),
                private_reasoning: discussion.private_reasoning,
                votes: self.votes,
            })
        }))
    }

    fn ask(&self, ask: &AskConfig) -> Option<PhaseKind> {
        match (ask.time, &ask.ranking, &ask.comprehension) {
            (Some(time), _, _) => Some(PhaseKind::Ask { time }),
            (None, Some(_), _) => Some(PhaseKind::Ranking),
            (None, None, Some(_)) => self.mechanism().comprehension.clone().map(PhaseKind::Comprehension),
            (None, None, None) => (!self.mechanism().income.applications.is_empty()).then_some(PhaseKind::Applications),
        }
    }

    fn mechanism(&self) -> &'a Lowered {
        self.mechanism.expect("invariant: a scenario whose agenda needs a mechanism has one")
    }

    fn brief(&self, brief: &BriefConfig, name: &str) -> Result<String, Problem> {
        let path = format!("agenda.{name}.brief");
        if let Some(text) = &brief.text {
            return self.scenario.fill(text, &format!("{path}.text"), &self.config.parameters);
        }
        let template = brief.template.as_deref().expect("invariant: a brief has a text or names a template");
        let (pack, motion) = self.words;
        let income = self.mechanism.map(|lowered| &lowered.income);
        let picks = income.map(|income| examples(income));
        let sample = income.zip(picks.as_deref()).map(|(income, picks)| (&*income.sample, picks));
        pack.brief(template, motion, sample).map_err(|error| {
            self.scenario.tree.problem(&format!("{path}.template"), format!("the template fails: {}", error.reason))
        })
    }
}

/// What alternatives pick in the sample situation: one that takes an amount at the least and the greatest that differ, so
/// that both ends are seen and what is between is left to understand.
fn examples(income: &IncomePrinciples) -> Vec<PickFacts> {
    let all = income.counterfactuals(&income.sample, 0);
    let is_shown = |place: usize| {
        let same = |other: Option<&Counterfactual>| {
            other.is_some_and(|other| other.choice.alternative == all[place].choice.alternative)
        };
        !same(place.checked_sub(1).and_then(|before| all.get(before))) || !same(all.get(place + 1))
    };
    let shown = (0..all.len()).filter(|place| is_shown(*place));
    let pick = |place: usize| {
        let Counterfactual { choice, table, .. } = all[place];
        // A situation of a scenario has some tables, not billions.
        PickFacts { alternative: choice.alternative, amount: choice.amount, table: table as u32 + 1 }
    };
    shown.map(pick).collect()
}
