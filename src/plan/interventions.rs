//! Interventions: what is told to seats besides the agenda, checked against the phases and seats of one arm.

use schemars::JsonSchema;
use serde::Deserialize;

use super::config::Config;
use super::scenario::Scenario;
use super::tree::{Entry, Node, Value};
use super::{Intervention, Origin, Phase, PhaseKind, Place, Problem, Seat, suggest};
use crate::domain::{PhaseName, SeatName, Voice};

/// The polls that a config puts around the first discussion.
pub const POLL_PHASES: [&str; 2] = ["straw_before", "straw_after"];

/// Something told to seats at a moment that the author chose.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterventionConfig {
    /// When it is told.
    pub at: AtConfig,
    /// The names of the seats that are told; left out, everyone is.
    #[schemars(length(min = 1))]
    pub to: Option<Vec<String>>,
    /// In whose name it is told.
    #[serde(rename = "as")]
    #[schemars(extend("default" = "facilitator"))]
    pub by: Voice,
    /// The words.
    pub text: String,
}

/// A phase, and a round in it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtConfig {
    /// The phase's name: one of the scenario's, or `straw_before` or `straw_after`.
    pub phase: String,
    /// The round; 0 is the phase's opening.
    #[schemars(extend("default" = 0))]
    pub round: u32,
}

/// Fills in what an author may leave out.
pub fn fill(interventions: &mut Node) {
    let Value::List(items) = &mut interventions.value else { return };
    let place = || Place::file(Origin::Default, "defaults");
    let entry =
        |key: &str, value: Value| Entry { key: key.to_string(), place: place(), node: Node { value, place: place() } };
    for item in items {
        let mut lower = Node::empty_map(place());
        lower.put(entry("as", Value::Text("facilitator".to_string())));
        if matches!(item.get("at").map(|at| &at.value), Some(Value::Map(_))) {
            lower.put(entry("at", Value::Map(vec![entry("round", Value::Int(0))])));
        }
        item.underlay(&lower);
    }
}

/// The interventions of one arm. One in a phase that this arm leaves out is left out with it.
///
/// # Errors
/// The first that names a phase, round or seat that is not there, or says nothing.
pub fn lower(
    config: &Config,
    scenario: &Scenario,
    agenda: &[Phase],
    seats: &[Seat],
    practice_rounds: u32,
    tree: &Node,
) -> Result<Vec<Intervention>, Problem> {
    let mut interventions = Vec::new();
    for (i, written) in config.interventions.iter().enumerate() {
        let path = format!("interventions.{i}");
        if written.text.trim().is_empty() {
            return Err(tree.problem(&format!("{path}.text"), "the text is empty"));
        }
        let to = told(written.to.as_deref(), seats, &format!("{path}.to"), tree)?;
        let path = format!("{path}.at");
        if let Some(phase) = phase(&written.at, scenario, agenda, &path, tree)? {
            check_round(&written.at, phase, practice_rounds, &path, tree)?;
            interventions.push(Intervention {
                phase: PhaseName::new(&written.at.phase),
                round: written.at.round,
                to,
                by: written.by,
                text: written.text.trim().replace("\r\n", "\n"),
            });
        }
    }
    Ok(interventions)
}

fn told(names: Option<&[String]>, seats: &[Seat], path: &str, tree: &Node) -> Result<Vec<SeatName>, Problem> {
    let Some(names) = names else { return Ok(Vec::new()) };
    if names.is_empty() {
        let problem = tree.problem(path, "nobody is told");
        return Err(problem.with_hint(Some("leave `to` out to tell everyone".to_string())));
    }
    for (i, name) in names.iter().enumerate() {
        let path = format!("{path}.{i}");
        let known = || seats.iter().map(|seat| seat.name.as_str());
        if !known().any(|seat| seat == name) {
            let problem = tree.problem(&path, format!("no seat is named \"{name}\""));
            return Err(problem.with_hint(suggest(name, known())));
        }
        if names[..i].contains(name) {
            return Err(tree.problem(&path, "this seat is listed twice"));
        }
    }
    Ok(names.iter().map(|name| SeatName::new(name)).collect())
}

/// The phase of an intervention; `None` when this arm leaves it out.
fn phase<'a>(
    at: &AtConfig,
    scenario: &Scenario,
    agenda: &'a [Phase],
    path: &str,
    tree: &Node,
) -> Result<Option<&'a Phase>, Problem> {
    let phase = agenda.iter().find(|phase| phase.name.as_str() == at.phase);
    let known = || scenario.phase_names().chain(POLL_PHASES);
    if !known().any(|name| name == at.phase) {
        let problem = tree.problem(&format!("{path}.phase"), format!("no phase is named \"{}\"", at.phase));
        return Err(problem.with_hint(suggest(&at.phase, known())));
    }
    let Some(phase) = phase else {
        if POLL_PHASES.contains(&at.phase.as_str()) {
            let problem = tree.problem(&format!("{path}.phase"), "`straw_polls` does not ask for this poll");
            return Err(problem);
        }
        return Ok(None);
    };
    Ok(Some(phase))
}

fn check_round(at: &AtConfig, phase: &Phase, practice_rounds: u32, path: &str, tree: &Node) -> Result<(), Problem> {
    let rounds = match &phase.kind {
        PhaseKind::Discussion(discussion) => discussion.rounds.get(),
        PhaseKind::Applications => practice_rounds,
        PhaseKind::Brief { .. }
        | PhaseKind::Ask { .. }
        | PhaseKind::Ranking
        | PhaseKind::Comprehension(_)
        | PhaseKind::Ballot
        | PhaseKind::Settle => 0,
    };
    let message = match rounds {
        _ if at.round <= rounds => return Ok(()),
        0 => format!("{} has no rounds; 0 is its opening", at.phase),
        _ => format!("{} has the rounds 1 to {rounds}, and 0 is its opening", at.phase),
    };
    Err(tree.problem(&format!("{path}.round"), message))
}
