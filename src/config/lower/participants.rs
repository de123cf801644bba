//! Who takes part in phases and blocks: lists of seats and expressions about a seat.

use indexmap::IndexMap;

use crate::config::lower::each::{WrittenThings, read_things};
use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::grouping::{PartCount, list_roles};
use crate::config::lower::hearing;
use crate::config::lower::network::{find_seat, no_seat};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::config::{Config, SeatConfig};
use crate::config::written::each::ForConfig;
use crate::config::written::participants::{RoleConfig, SeatsConfig};
use crate::config::written::scenario::PhaseConfig;
use crate::domain::{PollTime, SeatId};
use crate::expression::{Fraction, RecordId, Value, World, evaluate, list_names, parse_expression};
use crate::plan::{Formula, Scalar, SeatRule, SeatSet, selects_all_there};

/// Who takes part in the phases and blocks of a scenario, in their order.
pub struct LoweredParticipants {
    /// Of each phase.
    pub phases: Vec<Option<SeatSet>>,
    /// Of each block.
    pub blocks: Vec<Option<SeatSet>>,
    /// Who hears each phase; `None` if all hear its statements and counts, and nobody its answers.
    pub hearers: Vec<Option<SeatSet>>,
}

/// What is known of a seat before a session: its place and role, and the parameters.
#[derive(Clone, Copy)]
struct SeatWorld<'a> {
    config: &'a Config,
    scenario: &'a Scenario,
    parameters: &'a IndexMap<String, Scalar>,
    seat: u32,
}

impl SeatWorld<'_> {
    /// The record of the parameters.
    const PARAMETERS: Value = Value::Record(RecordId(0));

    /// Whether a set of seats holds the seat; `None` if that is not known before a session.
    fn is_in(&self, set: &SeatSet) -> Option<bool> {
        let formula = match &set.rule {
            SeatRule::Named(seats) => return Some(seats.contains(&SeatId(self.seat))),
            SeatRule::Where { formula, .. } => formula,
        };
        match evaluate(&formula.expression, &mut { *self }).ok()? {
            Value::YesNo(yes) => Some(yes),
            Value::Seat(seat) => Some(seat == self.seat),
            Value::List(seats) => Some(seats.contains(&Value::Seat(self.seat))),
            Value::Missing => Some(false),
            _ => None,
        }
    }

    /// The seats of a role that the scenario declares.
    fn read_role(&self, name: &str) -> Option<Value> {
        let role = self.scenario.written.roles.get(name)?;
        let own = (0u32..).zip(&self.config.seats).filter(|(_, seat)| seat.role == name);
        let mut seats = own.map(|(place, _)| Value::Seat(place));
        Some(if role.seats == 1 { seats.next().unwrap_or(Value::Missing) } else { Value::List(seats.collect()) })
    }
}

impl World for SeatWorld<'_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        match name {
            "seat" => Some(Value::Seat(self.seat)),
            "parameters" => Some(Self::PARAMETERS),
            role => self.read_role(role),
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match (holder, attribute) {
            (Value::Record(_), name) => self.parameters.get(name)?.parameter_value().expression_value(),
            (Value::Seat(seat), "index") => Some(Value::Number(Fraction::from(seat + 1))),
            (Value::Seat(seat), "role") => {
                let role = &self.config.seats.get(*seat as usize)?.role;
                self.scenario.written.roles.contains_key(role).then(|| Value::Text(role.as_str().into()))
            }
            _ => None,
        }
    }
}

impl LoweredParticipants {
    /// How many seats of a config can take part in a phase: those of its roles and lists, and of expressions that read only parameters and
    /// the places and roles of seats.
    pub fn count_possible(
        &self,
        phase: &PhaseConfig,
        (config, scenario): (&Config, &Scenario),
        parameters: &IndexMap<String, Scalar>,
    ) -> PartCount {
        let place = scenario.written.agenda.iter().position(|own| own.name == phase.name);
        let own = place.and_then(|place| self.phases[place].as_ref());
        let sets = self.list_sets(phase, own);
        let mut count = PartCount { most: 0, is_certain: true };
        for seat in 0..config.seats.len() as u32 {
            let world = SeatWorld { config, scenario, parameters, seat };
            let held: Vec<Option<bool>> = sets.iter().map(|set| world.is_in(set)).collect();
            if !held.contains(&Some(false)) {
                count.most += 1;
                count.is_certain &= !held.contains(&None);
            }
        }
        count
    }

    /// The sets of seats of the blocks around a phase, and its own.
    fn list_sets<'a>(&'a self, phase: &PhaseConfig, own: Option<&'a SeatSet>) -> Vec<&'a SeatSet> {
        phase.within.iter().filter_map(|block| self.blocks[*block].as_ref()).chain(own).collect()
    }
}

/// Lowers every `who`, with the seats of a config; `seats` says whether their names are known.
pub fn lower_participants(
    config: &Config,
    scenario: &Scenario,
    seats: Soundness,
    problems: &mut Problems,
) -> LoweredParticipants {
    let mut lower = |name: &str, who: &Option<SeatsConfig>| {
        let path = format!("agenda.{name}.who");
        let (written, node) = who.as_ref().zip(scenario.tree.find(&path))?;
        lower_seats(written, &WhoContext { config, scenario, node, path, seats }, problems)
    };
    let phases: Vec<_> = scenario.written.agenda.iter().map(|phase| lower(&phase.name, &phase.who)).collect();
    let blocks: Vec<_> = scenario.blocks.iter().map(|block| lower(&block.name, &block.who)).collect();
    let hearers = hearing::lower_hearers(config, scenario, seats, problems);
    let lowered = LoweredParticipants { phases, blocks, hearers };
    // A config without seats has a mistake that is reported elsewhere.
    if seats == Soundness::Sound && !config.seats.is_empty() {
        for (phase, own) in scenario.written.agenda.iter().zip(&lowered.phases) {
            let sets = lowered.list_sets(phase, own.as_ref());
            let is_left = |(place, seat): (usize, &SeatConfig)| {
                let role = scenario.written.roles.get(&seat.role);
                sets.iter().all(|set| set.may_hold(SeatId(place as u32)))
                    && role.is_none_or(|role| has_part(role, phase, config))
            };
            if !config.seats.iter().enumerate().any(is_left) {
                let all: Vec<&str> = sets.iter().map(|set| set.text.as_str()).collect();
                let message = match all.as_slice() {
                    [] => "nobody would take part: no role has anything to do in this phase".to_owned(),
                    [only] => format!("nobody would take part: the roles of {only} have nothing to do in this phase"),
                    all => format!(
                        "nobody would take part: no seat that has a part in this phase is in all of {}",
                        all.join(" · ")
                    ),
                };
                problems.push(scenario.tree.problem(&format!("agenda.{}.who", phase.name), message));
            }
        }
    }
    lowered
}

/// Whether a role has anything to do in a phase, as [`Plan::has_part_in`](crate::plan::Plan::has_part_in) says of the plan.
fn has_part(role: &RoleConfig, phase: &PhaseConfig, config: &Config) -> bool {
    let polls = phase.built_in_ask().is_some_and(|ask| ask.time.is_some());
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
    let is_unconditional =
        |phase: &PhaseConfig| phase.when.is_none() && scenario.blocks_around(phase).all(|block| block.when.is_none());
    let mut assigned = list_roles(scenario).into_iter();
    if assigned.any(|(phase, _, role, _)| role == formula.text.trim() && is_unconditional(phase)) {
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
                    && lowered.list_sets(phase, own.as_ref()).into_iter().all(is_in)
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
            let is_fixed = |formula: &Formula| selects_all_there(&formula.text) || is_fixed(formula, scenario);
            let rule = SeatRule::of_formula(formula).fixed_if(is_fixed);
            Ok(SeatSet { text, rule })
        }
        SeatsConfig::Names(names) => {
            let find = |name: &String| find_seat(config, name).ok_or_else(|| format!("no seat is named \"{name}\""));
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
                let wrong = |message: String| {
                    let place = &context.node.items().get(position).unwrap_or(context.node).place;
                    Problem::at_place(place, format!("{}.{position}", context.path), message)
                };
                match find_seat(context.config, name) {
                    None if context.seats == Soundness::Broken => {}
                    None => problems.push(no_seat(context.config, name, wrong)),
                    Some(seat) if found.contains(&seat) => problems.push(wrong(format!("{name} is there twice"))),
                    Some(seat) => found.push(seat),
                }
            }
            found.sort_unstable();
            let text = names.join(", ");
            (problems.len() == before).then_some(SeatSet { text, rule: SeatRule::Named(found) })
        }
    }
}
