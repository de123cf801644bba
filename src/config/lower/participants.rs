//! Who takes part in phases and blocks: lists of seats and expressions about a seat.

use crate::config::lower::each::{WrittenThings, read_things};
use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::grouping::list_roles;
use crate::config::lower::hearing;
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::config::{Config, SeatConfig};
use crate::config::written::each::ForConfig;
use crate::config::written::participants::{RoleConfig, SeatsConfig};
use crate::config::written::scenario::{AskConfig, PhaseConfig};
use crate::domain::{PollTime, SeatId};
use crate::expression::{list_names, parse_expression};
use crate::plan::{Formula, SeatRule, SeatSet, selects_all_there};

/// Who takes part in the phases and blocks of a scenario, in their order.
pub struct LoweredParticipants {
    /// Of each phase.
    pub phases: Vec<Option<SeatSet>>,
    /// Of each block.
    pub blocks: Vec<Option<SeatSet>>,
    /// Who hears each phase; `None` if all hear its statements and counts, and nobody its answers.
    pub hearers: Vec<Option<SeatSet>>,
}

impl LoweredParticipants {
    /// How many of the first `seats` seats can take part in a phase: those of its roles and lists, whatever expressions say.
    pub fn count_possible(&self, phase: &PhaseConfig, scenario: &Scenario, seats: usize) -> usize {
        let place = scenario.written.agenda.iter().position(|own| own.name == phase.name);
        let own = place.and_then(|place| self.phases[place].as_ref());
        let sets: Vec<&SeatSet> =
            phase.within.iter().filter_map(|block| self.blocks[*block].as_ref()).chain(own).collect();
        (0..seats).filter(|seat| sets.iter().all(|set| set.may_hold(SeatId(*seat as u32)))).count()
    }
}

/// Lowers every `who`, with the seats of a config; `seats` says whether their names are known.
pub fn lower_participants(
    config: &Config,
    scenario: &Scenario,
    seats: Soundness,
    problems: &mut Problems,
) -> LoweredParticipants {
    let names = scenario.agenda_names();
    let mut lower = |name: &str, who: &Option<SeatsConfig>| {
        let node = names.iter().find(|(own, _)| *own == name).and_then(|(_, node)| node.get("who"));
        let (written, node) = who.as_ref().zip(node)?;
        lower_seats(
            written,
            &WhoContext { config, scenario, node, path: format!("agenda.{name}.who"), seats },
            problems,
        )
    };
    let phases: Vec<_> = scenario.written.agenda.iter().map(|phase| lower(&phase.name, &phase.who)).collect();
    let blocks: Vec<_> = scenario.blocks.iter().map(|block| lower(&block.name, &block.who)).collect();
    let hearers = hearing::lower_hearers(config, scenario, seats, problems);
    let lowered = LoweredParticipants { phases, blocks, hearers };
    // A config without seats has a mistake that is reported elsewhere.
    if seats == Soundness::Sound && !config.seats.is_empty() {
        for (phase, own) in scenario.written.agenda.iter().zip(&lowered.phases) {
            let around = phase.within.iter().filter_map(|block| lowered.blocks[*block].as_ref());
            let sets: Vec<&SeatSet> = around.chain(own).collect();
            let is_left = |(place, seat): (usize, &SeatConfig)| {
                let role = scenario.written.roles.get(&seat.role);
                sets.iter().all(|set| set.may_hold(SeatId(place as u32)))
                    && role.is_none_or(|role| has_part(role, phase, config))
            };
            if !config.seats.iter().enumerate().any(is_left) {
                let path = format!("agenda.{}.who", phase.name);
                let place = names.iter().find(|(name, _)| *name == phase.name).map(|(_, node)| node.place_of("who"));
                let all: Vec<&str> = sets.iter().map(|set| set.text.as_str()).collect();
                let message = match all.as_slice() {
                    [] => "nobody would take part: no role has anything to do in this phase".to_owned(),
                    [only] => format!("nobody would take part: the roles of {only} have nothing to do in this phase"),
                    all => format!(
                        "nobody would take part: no seat that has a part in this phase is in all of {}",
                        all.join(" · ")
                    ),
                };
                problems.push(Problem::at_place(place.unwrap_or(&scenario.tree.place), path, message));
            }
        }
    }
    lowered
}

/// Whether a role has anything to do in a phase, as [`Plan::has_part_in`](crate::plan::Plan::has_part_in) says of the plan.
fn has_part(role: &RoleConfig, phase: &PhaseConfig, config: &Config) -> bool {
    let polls = phase.ask.as_ref().and_then(AskConfig::built_in).is_some_and(|ask| ask.time.is_some());
    if phase.vote.is_some() || polls {
        return role.votes;
    }
    let in_rounds = config.votes_in_rounds(phase) || config.straw_polls.contains(&PollTime::EachRound);
    phase.discussion.is_none() || role.speaks || in_rounds && role.votes
}

/// Whether an expression selects as many seats in every session: it reads only parameters, passes and what seats are, or is a role that
/// is assigned without a condition.
fn is_fixed(formula: &Formula, scenario: &Scenario) -> bool {
    let roles = &scenario.written.roles;
    if is_one_thing(formula, scenario) {
        return true;
    }
    if list_roles(scenario)
        .iter()
        .any(|(phase, _, role, _)| *role == formula.text.trim() && is_unconditional(scenario, phase))
    {
        return true;
    }
    let is_fixed = |name: &str, attributes: &[String]| match name {
        "parameters" | "pass" => true,
        "seat" | "seats" | "nobody" => attributes.iter().all(|own| matches!(own.as_str(), "index" | "role")),
        role => roles.contains_key(role) && attributes.iter().all(|own| matches!(own.as_str(), "index" | "role")),
    };
    let reads = list_names(&formula.expression);
    let mut reads = reads.iter();
    reads.all(|read| read.series.is_none() && read.name.as_deref().is_some_and(|name| is_fixed(name, &read.attributes)))
}

/// Whether an expression selects the one seat that a pass takes place for, of seats that are the same in every session.
fn is_one_thing(formula: &Formula, scenario: &Scenario) -> bool {
    let text = formula.text.trim();
    let name = text.strip_prefix("seat ==").or_else(|| text.strip_suffix("== seat")).unwrap_or(text).trim();
    let mut things =
        scenario.blocks.iter().filter_map(|block| block.each.as_ref()).filter(|each| each.name() == name).peekable();
    let is_same = |each: &ForConfig| match read_things(each, scenario) {
        WrittenThings::Seats(seats) => selects_all_there(seats) || scenario.written.roles.contains_key(seats),
        WrittenThings::Words(_) | WrittenThings::Texts(..) | WrittenThings::Items => false,
    };
    things.peek().is_some() && things.all(is_same)
}

/// Whether an expression selects as many of the seats that are there in every session, for the seat that answers.
fn is_fixed_for_seat(formula: &Formula, scenario: &Scenario) -> bool {
    selects_all_there(&formula.text) || is_fixed(formula, scenario)
}

/// Whether a phase takes place in every session.
fn is_unconditional(scenario: &Scenario, phase: &PhaseConfig) -> bool {
    phase.when.is_none() && phase.within.iter().all(|block| scenario.blocks[*block].when.is_none())
}

/// The seats of a config that may vote, by their positions: in the vote of this name, or in some vote if none is named.
pub fn find_voters(config: &Config, scenario: &Scenario, vote: Option<&str>) -> Vec<usize> {
    let lowered = lower_participants(config, scenario, Soundness::Broken, &mut Problems::default());
    let may_vote = |seat: &usize| {
        let role = scenario.written.roles.get(&config.seats[*seat].role);
        let mut phases = scenario.written.agenda.iter().zip(&lowered.phases);
        let is_in = |set: &SeatSet| set.may_hold(SeatId(*seat as u32));
        role.is_none_or(|role| role.votes)
            && phases.any(|(phase, own)| {
                vote.is_none_or(|vote| phase.name == vote)
                    && (phase.vote.is_some() || config.votes_in_rounds(phase))
                    && phase.within.iter().filter_map(|block| lowered.blocks[*block].as_ref()).chain(own).all(is_in)
            })
    };
    (0..config.seats.len()).filter(may_vote).collect()
}

/// Seats that depend on the seat that answers: those about each of which a form is asked, and those that are voted on.
///
/// # Errors
/// A message, if there is no seat of a name.
pub fn lower_targets(written: &SeatsConfig, config: &Config, scenario: &Scenario) -> Result<SeatSet, String> {
    match written {
        SeatsConfig::Expression(expression) => {
            let formula = lower_formula(expression);
            let text = formula.text.trim().to_owned();
            let rule = SeatRule::of_formula(formula).fixed_if(|formula| is_fixed_for_seat(formula, scenario));
            Ok(SeatSet { text, rule })
        }
        SeatsConfig::Names(names) => {
            let find = |name: &String| {
                let place = config.seats.iter().position(|seat| seat.name == *name);
                place.map(|place| SeatId(place as u32)).ok_or_else(|| format!("no seat is named \"{name}\""))
            };
            let mut seats = names.iter().map(find).collect::<Result<Vec<SeatId>, String>>()?;
            seats.sort_unstable();
            seats.dedup();
            Ok(SeatSet { text: names.join(", "), rule: SeatRule::Named(seats) })
        }
    }
}

/// Where a set of seats is written.
pub struct WhoContext<'a> {
    /// The config with the seats.
    pub config: &'a Config,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The node, with its dotted path.
    pub node: &'a Node,
    /// The dotted path.
    pub path: String,
    /// Whether the names of all seats are known.
    pub seats: Soundness,
}

/// A set of seats; `None` if all take part, or after a mistake.
pub fn lower_seats(written: &SeatsConfig, context: &WhoContext<'_>, problems: &mut Problems) -> Option<SeatSet> {
    match written {
        SeatsConfig::Expression(expression) => {
            let text = write_scalar(expression).trim().to_owned();
            if matches!(text.as_str(), "everyone" | "group" | "seats" | "true") {
                return None;
            }
            if context.scenario.written.roles.contains_key(&text) {
                let of_role = (0u32..).zip(&context.config.seats).filter(|(_, seat)| seat.role == text);
                let seats = of_role.map(|(place, _)| SeatId(place)).collect();
                return Some(SeatSet { text, rule: SeatRule::Named(seats) });
            }
            // `check_expressions` reports what is no expression.
            parse_expression(&text).ok()?;
            let formula = lower_formula(expression);
            let rule = SeatRule::of_formula(formula).fixed_if(|formula| is_fixed(formula, context.scenario));
            Some(SeatSet { text, rule })
        }
        SeatsConfig::Names(names) => {
            let before = problems.len();
            let mut found: Vec<SeatId> = Vec::new();
            for (position, name) in names.iter().enumerate() {
                let mut tell = |message: String, hint: Option<String>| {
                    let place: &SourcePlace =
                        context.node.items().get(position).map_or(&context.node.place, |item| &item.place);
                    let path = format!("{}.{position}", context.path);
                    problems.push(Problem::at_place(place, path, message).with_hint(hint));
                };
                let known = || context.config.seats.iter().map(|seat| seat.name.as_str());
                match known().position(|known| known == name) {
                    None if context.seats == Soundness::Broken => {}
                    None => tell(format!("no seat is named \"{name}\""), suggest_word(name, known())),
                    Some(place) if found.contains(&SeatId(place as u32)) => {
                        tell(format!("{name} is there twice"), None)
                    }
                    Some(place) => found.push(SeatId(place as u32)),
                }
            }
            found.sort_unstable();
            let text = names.join(", ");
            (problems.len() == before).then_some(SeatSet { text, rule: SeatRule::Named(found) })
        }
    }
}
