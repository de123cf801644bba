//! The agenda of one arm: the scenario's phases that the config keeps, with straw polls around the first discussion.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::choice::DecisionRule;
use crate::config::filling::FilledText;
use crate::config::lower::blocks::{PhaseInPass, SpanKey};
use crate::config::lower::formula::lower_formula;
use crate::config::lower::mechanism::IncomeMechanism;
use crate::config::lower::printable::PrintableNames;
use crate::config::lower::scope::holds_votes;
use crate::config::lower::{
    blocks, conditions, each, electorate, field_keys, forms, grouping, network, participants, seats, texts,
};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::config::{Config, ConvergenceConfig, DiscussionConfig, VoteTime};
use crate::config::written::each::ForConfig;
use crate::config::written::interventions::POLL_PHASES;
use crate::config::written::scenario::{AskConfig, BriefConfig, BuiltInAsk, FieldConfig, PhaseConfig};
use crate::domain::{AlternativeId, Language, Motion, OpenBallots, PhaseName, PollTime, RuleKind, RuleTold, SeatId};
use crate::mechanism::{Counterfactual, IncomePrinciples};
use crate::memory::{MemoryPlan, Strategy};
use crate::plan::{
    BlockSpan, Convergence, Discussion, Origin, Pass, Phase, PhaseKind, RoundVotes, Scalar, SeatOptions, VotePhase,
    parts_per_million,
};
use crate::prompt::{Disclosure, Pack, PickFacts, Procedure, Votes};

/// The supermajority with which templates are tried if the written one is invalid.
const USUAL: (u32, u32) = (2, 3);
/// The default threshold of convergence, in parts per million.
const CONVERGENCE_THRESHOLD: u32 = 800_000;

/// The inputs of phases.
pub struct AgendaContext<'a> {
    /// The config of the arm.
    pub config: &'a Config,
    /// The scenario, with valid phases.
    pub scenario: &'a Scenario,
    /// The payments for decisions; `None` if there are none.
    pub mechanism: Option<&'a IncomeMechanism>,
    /// The language pack and the motion.
    pub words: (&'a Pack, &'a Motion),
    /// The values of the parameters.
    pub parameters: &'a IndexMap<String, Scalar>,
    /// The votes of the agenda by the names of their phases; this arm leaves the others out.
    pub held: &'a BTreeMap<String, Arc<VotePhase>>,
    /// Whether the names of all seats are known.
    pub seats: Soundness,
    /// The config as it is written.
    pub tree: &'a Node,
}

/// Lowers the phases; `None` if a text or template fails.
pub fn lower_agenda(context: &AgendaContext<'_>, problems: &mut Problems) -> Option<(Vec<Phase>, Vec<BlockSpan>)> {
    let AgendaContext { config, scenario, seats: known_seats, .. } = *context;
    let written = &scenario.written.agenda;
    let polled = find_polled(written);
    let polls = &config.straw_polls;
    let problems_before = problems.len();
    let who = participants::lower_participants(config, scenario, known_seats, problems);
    let [before, after] = POLL_PHASES;
    let mut agenda = Vec::new();
    let mut spans: IndexMap<SpanKey, BlockSpan> = IndexMap::new();
    let count_part = |phase: &PhaseConfig| who.count_possible(phase, (config, scenario), context.parameters);
    let groups = grouping::count_groups(config, scenario, (known_seats, &count_part), problems);
    let seats = u32::try_from(config.seats.len()).unwrap_or(u32::MAX);
    let reckoned = each::reckon_passes(scenario, Some(seats));
    let lower_thing = |each: &ForConfig| {
        each::lower_thing(each, scenario, &|seats| participants::lower_targets(seats, config, scenario).ok())
    };
    let occurrences = blocks::list_passes((written, &reckoned), &groups, &lower_thing);
    let is_polled = |occurrence: &PhaseInPass<'_>| polled.contains(&occurrence.position);
    let [first_polled, last_polled] = [occurrences.iter().position(is_polled), occurrences.iter().rposition(is_polled)];
    for (place, occurrence) in occurrences.into_iter().enumerate() {
        let (phase, name) = (occurrence.written, occurrence.name());
        if first_polled == Some(place) && polls.contains(&PollTime::Before) {
            agenda.push(poll_phase(before, PollTime::Before));
        }
        if let Some(Some(mut kind)) = problems.ok_or_report(context.lower_phase_kind(phase)) {
            if let (PhaseKind::Form(form), Some(ask)) = (&mut kind, &phase.ask) {
                let path = format!("agenda.{}.ask", phase.name);
                if ask.fields().iter().any(FieldConfig::has_item_options) {
                    let asked = Arc::make_mut(&mut Arc::make_mut(form).asked);
                    let filled = forms::fill_item_options(&mut asked.form, ask.fields(), &occurrence.passes);
                    problems.ok_or_report_at(&scenario.tree, &path, filled);
                }
                let keys = field_keys::lower_item_keys(ask.fields(), &form.asked.form, &occurrence.passes);
                let keys = problems.ok_or_report_at(&scenario.tree, &path, keys);
                Arc::make_mut(form).item_keys = keys.unwrap_or_default();
            }
            let mut within = Vec::new();
            for key in occurrence.within {
                let (block, taking_part) = (&scenario.blocks[key.block], &who.blocks[key.block]);
                let (around, group) = (key.around.len(), key.group);
                let entry = spans.entry(key);
                within.push(entry.index());
                let span = entry.or_insert_with(|| BlockSpan {
                    name: block.name.clone(),
                    start: agenda.len(),
                    end: agenda.len(),
                    around,
                    when: block.when.as_ref().map(conditions::lower_condition),
                    until: block.until.as_ref().map(conditions::lower_condition),
                    who: taking_part.clone(),
                    group,
                });
                span.end = agenda.len() + 1;
            }
            let when = phase.when.as_ref().map(conditions::lower_condition);
            let taking_part = who.phases[occurrence.position].clone();
            let heard_by = who.hearers[occurrence.position].clone();
            let (passes, group) = (occurrence.passes, occurrence.group);
            let by_default = || remember_by_default(phase, &passes, context.tree);
            let remember = find_remembering(scenario, phase).or_else(by_default);
            agenda.push(Phase { name, kind, passes, when, who: taking_part, heard_by, remember, group, within });
        }
        if last_polled == Some(place) && polls.contains(&PollTime::After) {
            agenda.push(poll_phase(after, PollTime::After));
        }
    }
    (problems.len() == problems_before).then(|| (agenda, spans.into_values().collect()))
}

/// Checks the polls around the discussion, and the action on convergence.
pub fn check_talk(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    if let Some(written) = &config.discussion.convergence {
        let lowered = lower_convergence(written);
        problems.ok_or_report_at(tree, "discussion.convergence.threshold", lowered);
    }
    for phase in &scenario.written.agenda {
        let Some(own) = &phase.discussion else { continue };
        if own.stance == Some(true) && scenario.written.alternatives.is_empty() {
            let path = format!("agenda.{}.discussion.stance", phase.name);
            problems.push(scenario.tree.problem(&path, "there is no stance to take: the scenario has no alternatives"));
        }
    }
    let polls = &config.straw_polls;
    for twice in (1..polls.len()).filter(|i| polls[..*i].contains(&polls[*i])) {
        problems.push(tree.problem(&format!("straw_polls.{twice}"), "this poll is listed twice"));
    }
    let has_talk = scenario.written.agenda.iter().any(|phase| phase.discussion.is_some());
    if !polls.is_empty() && !has_talk && scenario.agenda == Soundness::Sound {
        problems.push(tree.problem("straw_polls", "the scenario has no discussion to put polls around"));
    }
}

/// The action to take once the statements of a round have become similar.
///
/// # Errors
/// If the threshold has more than six decimals.
fn lower_convergence(written: &ConvergenceConfig) -> Result<Convergence, String> {
    Ok(Convergence {
        profile: written.profile.unwrap_or_default(),
        threshold: written.threshold.map(parts_per_million).transpose()?.unwrap_or(CONVERGENCE_THRESHOLD),
        action: written.action.unwrap_or_default(),
    })
}

/// Checks that nothing asks for a choice among alternatives where there are none.
pub fn check_choices(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    let advice = "give the scenario alternatives, or ask in a form of your own";
    let mut tell = |problem: Problem| problems.push(problem.with_advice(advice));
    if !config.straw_polls.is_empty() {
        tell(tree.problem("straw_polls", "there is nothing to poll: the scenario has no alternatives"));
    }
    if config.discussion.vote != VoteTime::AtEnd {
        let message = "there is nothing to vote on in rounds: the scenario has no alternatives";
        tell(tree.problem("discussion.vote", message));
    }
    for phase in &scenario.written.agenda {
        let asked = phase.built_in_ask();
        if asked.is_some_and(|ask| ask.time.is_some() || ask.ranking.is_some()) {
            let message = "this asks about alternatives, and the scenario has none";
            tell(scenario.tree.problem(&format!("agenda.{}.ask", phase.name), message));
        }
    }
}

/// The settings of each discussion of the agenda, in order.
pub fn list_talks<'a>(config: &'a Config, scenario: &'a Scenario) -> impl Iterator<Item = DiscussionConfig> + use<'a> {
    let own = scenario.written.agenda.iter().filter_map(|phase| phase.discussion.as_ref());
    own.map(|own| config.discussion.of_talk(own))
}

/// The rounds of the longest discussion; those of the section `discussion` if the agenda has none.
fn rounds_max(config: &Config, scenario: &Scenario) -> u32 {
    list_talks(config, scenario).map(|talk| talk.rounds).max().unwrap_or(config.discussion.rounds)
}

/// The phases that polls before and after are put around, by their positions: the first discussion outside blocks and groups; if there is
/// none, the first one in groups, or all phases of the outermost block that holds the first one.
fn find_polled(agenda: &[PhaseConfig]) -> Vec<usize> {
    let is_talk = |phase: &PhaseConfig| phase.discussion.is_some();
    let is_at_top = |phase: &PhaseConfig| is_talk(phase) && phase.within.is_empty() && phase.groups.is_none();
    let talk = agenda.iter().position(is_at_top).or_else(|| agenda.iter().position(is_talk));
    let Some(talk) = talk else { return Vec::new() };
    match agenda[talk].within.first() {
        None => vec![talk],
        Some(block) => (0..agenda.len()).filter(|place| agenda[*place].within.first() == Some(block)).collect(),
    }
}

/// When votes are held in the rounds of a discussion with these settings.
pub fn lower_round_votes(config: &Config, talk: &DiscussionConfig) -> RoundVotes {
    match talk.vote {
        _ if config.decision.rule == RuleKind::Imposed => RoundVotes::Never,
        VoteTime::AtEnd => RoundVotes::Never,
        VoteTime::EveryRound => RoundVotes::EveryRound,
        VoteTime::OnCall => RoundVotes::OnCall { rounds_min: talk.rounds_min, call: talk.vote_call },
    }
}

/// Checks that the votes in rounds, which the config or a discussion wants, are possible; `None` if they are not.
pub fn check_round_votes(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) -> Option<()> {
    let before = problems.len();
    for phase in &scenario.written.agenda {
        let Some(own) = phase.discussion.as_ref().filter(|own| own.vote.is_some() || own.rounds_min.is_some()) else {
            continue;
        };
        let talk = config.discussion.of_talk(own);
        let message = match lower_round_votes(config, &talk) {
            RoundVotes::Never => continue,
            _ if talk.rounds == 0 => "votes in rounds need at least one round".to_owned(),
            RoundVotes::OnCall { rounds_min, .. } if rounds_min > talk.rounds => {
                format!("no vote could be called before round {rounds_min}, and there are only {} rounds", talk.rounds)
            }
            _ if scenario.written.alternatives.is_empty() => {
                "there is nothing to vote on in rounds: the scenario has no alternatives".to_owned()
            }
            _ => continue,
        };
        let key = if own.vote.is_some() { "vote" } else { "rounds_min" };
        problems.push(scenario.tree.problem(&format!("agenda.{}.discussion.{key}", phase.name), message));
    }
    if lower_round_votes(config, &config.discussion) != RoundVotes::Never {
        check_usual_votes(config, scenario, tree, problems);
    }
    (problems.len() == before).then_some(())
}

/// Checks the same of the section `discussion`.
fn check_usual_votes(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    let discussion = &config.discussion;
    let has_talk = scenario.written.agenda.iter().any(|phase| phase.discussion.is_some());
    let is_known = scenario.agenda == Soundness::Sound;
    let rounds = rounds_max(config, scenario);
    let without_rounds = rounds == 0 || (!has_talk && is_known);
    let is_on_call = discussion.vote == VoteTime::OnCall;
    if without_rounds {
        let named = if is_on_call { "a vote on call" } else { "a vote in every round" };
        let message = format!("{named} needs at least one round");
        let (problem, hint) = match rounds {
            0 => (tree.clash("discussion.vote", "discussion.rounds", message), "with rounds: 0 say vote: at_end"),
            _ => {
                (tree.problem("discussion.vote", message), "the scenario's agenda has no discussion: say vote: at_end")
            }
        };
        problems.push(problem.with_advice(hint));
    } else if is_on_call && discussion.rounds_min > rounds {
        let least = discussion.rounds_min;
        let message = format!("no vote could be called: there are only {rounds} rounds");
        let problem = tree.clash("discussion.rounds_min", "discussion.rounds", message);
        let way_out = match problem.path.as_str() {
            "discussion.rounds_min" => format!("rounds_min is at most {rounds}"),
            _ => format!("write rounds: {least}, or rounds_min: {rounds} beside it"),
        };
        problems.push(problem.with_advice(&way_out));
    }
}

/// How the group talks and decides, as prompts describe it; follows an impossible config, so that templates can be tried. `described` is
/// the vote phase that is described: the one that gives the result, else the last binding one, else the last; without votes, or with
/// votes in the rounds of a talk, it is described as the section `decision` has it.
pub fn lower_procedure(
    config: &Config,
    scenario: &Scenario,
    threshold: Option<(u32, u32)>,
    described: Option<(&str, &VotePhase)>,
) -> Procedure {
    let agenda = &scenario.written.agenda;
    let has_talk = agenda.iter().any(|phase| phase.discussion.is_some());
    let mut in_rounds = list_talks(config, scenario).map(|talk| lower_round_votes(config, &talk));
    let in_rounds = in_rounds.find(|votes| *votes != RoundVotes::Never);
    let has_ballot = agenda.iter().any(|phase| phase.vote.is_some()) && config.decision.rule != RuleKind::Imposed;
    let votes = match in_rounds.unwrap_or_else(|| lower_round_votes(config, &config.discussion)) {
        RoundVotes::EveryRound => Votes::EveryRound,
        RoundVotes::OnCall { rounds_min, .. } => Votes::OnCall { rounds_min },
        RoundVotes::Never if has_ballot => Votes::AtEnd,
        RoundVotes::Never => Votes::Never,
    };
    let in_talk = agenda.iter().find(|phase| config.votes_in_rounds(phase)).map(|phase| phase.name.as_str());
    let voters = participants::find_voters(config, scenario, described.map(|(name, _)| name).or(in_talk));
    let ballots = match described {
        Some((_, vote)) => voters.iter().map(|seat| vote.electorate.weight(SeatId(*seat as u32))).sum(),
        None => electorate::total_weight(config, &voters),
    };
    let decision = &config.decision;
    let rule = described.map_or_else(
        || DecisionRule {
            rule: decision.rule,
            base: decision.of,
            invalid: decision.invalid,
            tie_break: decision.tie_break,
            threshold: threshold.or(Some(USUAL)).filter(|_| decision.rule == RuleKind::Supermajority),
            amount_tolerance: decision.amount_tolerance,
        },
        |(_, vote)| vote.decision,
    );
    let roll_call = decision.roll_call.unwrap_or(false) && !network::is_alone(config);
    let is_binding = has_binding_vote(scenario, votes);
    Procedure {
        rounds: if has_talk { rounds_max(config, scenario) } else { 0 },
        decides: is_binding,
        votes,
        vote: RuleTold {
            is_binding: described.map_or(is_binding, |(_, vote)| vote.is_binding),
            seats: u32::try_from(voters.len()).unwrap_or(u32::MAX),
            ballots,
            needed: if votes == Votes::Never { None } else { rule.winning_threshold(ballots) },
            rule: rule.rule,
            tolerance: rule.amount_tolerance,
            otherwise: described
                .map_or_else(|| find_otherwise(config, scenario), |(_, vote)| vote.electorate.otherwise),
        },
        open: match described {
            Some((_, vote)) => vote.open,
            None if roll_call => OpenBallots::Announced,
            None => OpenBallots::Never,
        },
    }
}

/// What is decided by default; `None` if nothing is, or if it is no alternative of the scenario.
fn find_otherwise(config: &Config, scenario: &Scenario) -> Option<AlternativeId> {
    let name = config.decision.otherwise.as_ref()?;
    let place = scenario.written.alternatives.iter().position(|alternative| alternative.name == *name)?;
    u32::try_from(place).ok().map(AlternativeId)
}

/// Whether some vote is binding.
fn has_binding_vote(scenario: &Scenario, votes: Votes) -> bool {
    let mut in_phase = scenario.written.agenda.iter().filter_map(|phase| phase.vote.as_ref());
    in_phase.any(|vote| vote.binding != Some(false)) || !matches!(votes, Votes::Never | Votes::AtEnd)
}

/// How memories take what a phase brings; `None` if neither it nor a block around it says so.
pub fn find_remembering(scenario: &Scenario, phase: &PhaseConfig) -> Option<Strategy> {
    let around = || scenario.blocks_around(phase).rev().find_map(|block| block.remember);
    match refuse_remembering(phase) {
        None => phase.remember.or_else(around),
        Some(_) => phase.remember,
    }
}

/// How memories take what an expression pays, and a decision in a repeated block, which would be integrated in each pass; `None` where
/// `memory.routing` goes on: of all else, and if it is written.
fn remember_by_default(phase: &PhaseConfig, passes: &[Pass], tree: &Node) -> Option<Strategy> {
    let routing = tree.entries_at("memory.routing");
    let is_written = routing.iter().any(|entry| entry.node.place.origin != Origin::Default);
    let pays = phase.pay.as_ref().is_some_and(|pay| pay.seat.is_some());
    (!is_written && (pays || !passes.is_empty() && holds_votes(phase))).then_some(Strategy::Direct)
}

/// Why a phase cannot say how it is remembered, if it cannot.
fn refuse_remembering(phase: &PhaseConfig) -> Option<&'static str> {
    let ask = phase.built_in_ask();
    if ask.is_some_and(|ask| ask.time.is_some()) {
        Some("a straw poll is not remembered anyway: ask a form in its place")
    } else if phase.discussion.is_none() && phase.vote.is_none() && phase.ask.is_none() {
        Some("memories take nothing of this phase but what the facilitator says: leave remember out")
    } else {
        None
    }
}

/// Checks that phases are remembered in ways that the memory of the arm has.
pub fn check_remembering(memory: &MemoryPlan, scenario: &Scenario, problems: &mut Problems) {
    for phase in &scenario.written.agenda {
        let Some(way) = find_remembering(scenario, phase) else { continue };
        let keeps_statements = memory.routing.statement != Strategy::Skip;
        let (message, hint) = match refuse_remembering(phase) {
            Some(message) => (message, None),
            None if way == Strategy::Integrated && !memory.policy.terms().integrates_events() => (
                "the memory policy rewrites nothing of what it takes",
                Some("write memory.policy: selective, or direct"),
            ),
            None if way != Strategy::Skip && phase.discussion.is_some() && !keeps_statements => (
                "memory.routing.statement: skip has memories keep no statements",
                Some("let it be direct, and write remember: skip on the other discussions"),
            ),
            None => continue,
        };
        let path = format!("agenda.{}.remember", phase.name);
        problems.push(scenario.tree.problem(&path, message).with_hint(hint.map(str::to_owned)));
    }
}

fn poll_phase(name: &str, time: PollTime) -> Phase {
    Phase {
        name: PhaseName::new(name),
        kind: PhaseKind::Ask { time },
        passes: Vec::new(),
        when: None,
        who: None,
        heard_by: None,
        remember: None,
        group: None,
        within: Vec::new(),
    }
}

/// The text of a brief that the scenario writes itself; `None` if the phase has none.
///
/// # Errors
/// If it is not a valid template, or prints nothing.
pub fn brief_text(
    scenario: &Scenario,
    phase: &str,
    values: &IndexMap<String, Scalar>,
    language: Language,
) -> Result<Option<FilledText>, Problem> {
    let phase = scenario.find_phase(phase);
    let text = phase.and_then(|phase| Some((phase, phase.brief.as_ref()?.text.as_ref()?)));
    let fill = |(phase, text): (&PhaseConfig, &String)| {
        let printable = PrintableNames::of_phase(scenario, phase);
        let path = format!("agenda.{}.brief.text", phase.name);
        scenario.lower_text((text, &path), values, (&printable, Disclosure::Everyones), language)
    };
    text.map(fill).transpose()
}

impl<'a> AgendaContext<'a> {
    /// The kind of a phase; `None` if this arm leaves it out.
    fn lower_phase_kind(&self, phase: &PhaseConfig) -> Result<Option<PhaseKind>, Problem> {
        if let Some(brief) = &phase.brief {
            return self.lower_brief(brief, phase).map(Some);
        }
        if let Some(ask) = &phase.ask {
            return match ask.built_in() {
                None => self.lower_form(ask, phase).map(Some),
                Some(ask) => Ok(self.lower_ask(ask)),
            };
        }
        if phase.compute.is_some() {
            return Ok(Some(PhaseKind::Compute(conditions::lower_compute(self.scenario, phase).into())));
        }
        if let Some(rules) = grouping::lower_assign(phase) {
            return Ok(Some(PhaseKind::Assign(rules.into())));
        }
        if phase.pays_decision() {
            return Ok(Some(PhaseKind::Settle));
        }
        if let Some(rule) = conditions::lower_pay_rule(phase) {
            return Ok(Some(PhaseKind::Pay(Arc::new(rule))));
        }
        if phase.vote.is_some() {
            return Ok(self.held.get(&phase.name).cloned().map(PhaseKind::Vote));
        }
        let own = phase.discussion.as_ref().expect("invariant: a phase is of one kind");
        let discussion = &self.config.discussion.of_talk(own);
        let convergence = discussion.convergence.as_ref();
        // `check_talk` has reported errors.
        let convergence = convergence.and_then(|written| lower_convergence(written).ok());
        let seats = (self.config, self.seats);
        let network = network::lower_talk_network((own, &phase.name), seats, &self.scenario.tree)?;
        Ok(NonZeroU32::new(discussion.rounds).map(|rounds| {
            PhaseKind::Discussion(Discussion {
                rounds,
                network,
                order: discussion.order,
                speakers: own.speakers,
                until: own.until.as_ref().map(conditions::lower_condition),
                stance: own.stance != Some(false),
                statement_min_length: discussion.statement_min_length,
                poll_each_round: self.config.straw_polls.contains(&PollTime::EachRound),
                private_reasoning: discussion.private_reasoning,
                announce_end: discussion.announce_end != Some(false),
                proposals: discussion.proposals == Some(true),
                votes: lower_round_votes(self.config, discussion),
                convergence,
            })
        }))
    }

    fn lower_form(&self, ask: &AskConfig, phase: &PhaseConfig) -> Result<PhaseKind, Problem> {
        let AgendaContext { scenario, words: (_, motion), parameters, .. } = self;
        let (printable, key) = PrintableNames::of_form(scenario, phase, ask);
        let fill = |text: &str, field: &str| {
            let path = format!("agenda.{}.{key}.{field}", phase.name);
            scenario.lower_text((text, &path), parameters, (&printable, Disclosure::OwnOnly), motion.language)
        };
        let mut form = forms::lower_form(ask.fields(), (motion.language, parameters), &fill)?;
        let per = ask.per().map(|per| participants::lower_targets(per, self.config, scenario)).transpose();
        form.per = per.map_err(|message| scenario.tree.problem(&format!("agenda.{}.ask.per", phase.name), message))?;
        form.kept = texts::lower_kept(ask.fields(), &scenario.written.agenda);
        // All seats are options, of which a session selects some.
        let seats = 0..self.config.seats.len();
        let names =
            || seats.clone().map(|position| seats::public_name(self.config, position, motion.language)).collect();
        for (field, written) in ask.fields().iter().enumerate() {
            let Some(seats) = written.seat_options() else { continue };
            let seats = participants::lower_targets(seats, self.config, scenario);
            let seats = seats.expect("invariant: an expression names no seats in a list");
            form.options.push(SeatOptions { field, seats });
            Arc::make_mut(&mut form.asked).form.fields[field].kind.set_options(names());
        }
        Ok(PhaseKind::Form(Arc::new(form)))
    }

    fn lower_ask(&self, ask: &BuiltInAsk) -> Option<PhaseKind> {
        match (ask.time, &ask.ranking, &ask.comprehension) {
            (Some(time), _, _) => Some(PhaseKind::Ask { time }),
            (None, Some(_), _) => Some(PhaseKind::Ranking),
            (None, None, Some(_)) => self.mechanism().comprehension.clone().map(PhaseKind::Comprehension),
            (None, None, None) => (!self.mechanism().income.applications.is_empty()).then_some(PhaseKind::Applications),
        }
    }

    fn mechanism(&self) -> &'a IncomeMechanism {
        self.mechanism.expect("invariant: a scenario whose agenda needs a mechanism has one")
    }

    fn lower_brief(&self, brief: &BriefConfig, phase: &PhaseConfig) -> Result<PhaseKind, Problem> {
        let AgendaContext { scenario, words: (_, motion), parameters, .. } = self;
        let (text, live) = match brief_text(scenario, &phase.name, parameters, motion.language)? {
            None => (self.fill_brief_template(brief, &phase.name)?, None),
            Some(FilledText::Fixed(text)) => (text, None),
            Some(FilledText::Live(live)) => (live.source.clone(), Some(Arc::new(live))),
        };
        let is_personal = live.as_ref().is_some_and(|live| live.is_personal);
        let is_limited = phase.who.is_some()
            || scenario.blocks_around(phase).any(|block| block.who.is_some())
            || grouping::find_groups(scenario, phase).is_some();
        if brief.opinion.is_some() && (is_personal || is_limited) {
            let path = format!("agenda.{}.brief.opinion", phase.name);
            let message = "models of opinions hear where the group stands only if all seats are told the same";
            return Err(scenario.tree.problem(&path, message));
        }
        Ok(PhaseKind::Brief { text, live, opinion: brief.opinion.as_ref().map(lower_formula) })
    }

    fn fill_brief_template(&self, brief: &BriefConfig, name: &str) -> Result<String, Problem> {
        let path = format!("agenda.{name}.brief");
        let template = brief.template.as_deref().expect("invariant: a brief has a text or names a template");
        let (pack, motion) = self.words;
        self.scenario.texts.of_pack(pack, template, || {
            let income = self.mechanism.map(|lowered| &lowered.income);
            let picks = income.map(|income| example_picks(income));
            let sample = income.zip(picks.as_deref()).map(|(income, picks)| (&*income.sample, picks));
            pack.brief(template, motion, sample).map_err(|error| {
                let message = format!("the template fails: {}", error.reason);
                self.scenario.tree.problem(&format!("{path}.template"), message)
            })
        })
    }
}

/// The tables that alternatives pick in the sample situation; for an alternative with an amount, only the two extremes.
fn example_picks(income: &IncomePrinciples) -> Vec<PickFacts> {
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
        // The number of tables is small.
        PickFacts { alternative: choice.alternative, amount: choice.amount, table: table as u32 + 1 }
    };
    shown.map(pick).collect()
}
