//! Interventions: events outside the agenda, checked against the phases and seats of one arm.

use crate::config::lower::network::{find_seat, no_seat};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::{Node, Value};
use crate::config::written::config::Config;
use crate::config::written::interventions::{AtConfig, InterventionConfig, POLL_PHASES};
use crate::domain::{MemoryAct, Number, PhaseName, SeatName, Voice};
use crate::memory::MemoryPolicy;
use crate::plan::{Deed, Intervention, Phase, PhaseKind};
use crate::text;

/// The word in `forget` for all content.
const EVERYTHING: &str = "all";

/// Fills in defaults.
pub fn fill_intervention_defaults(interventions: &mut Node) {
    for item in interventions.items_mut() {
        item.insert_default("as", Value::Text("facilitator".to_string()));
        if let Some(at) = item.child_mut("at") {
            at.insert_default("round", Value::Int(0));
        }
    }
}

/// The context against which interventions are checked.
pub struct InterventionContext<'a> {
    /// The scenario of the arm.
    pub scenario: &'a Scenario,
    /// The phases of this arm; `None` if they have an error.
    pub agenda: Option<&'a [Phase]>,
    /// The number of practice rounds.
    pub practice_rounds: u32,
    /// The number of seats.
    pub table: usize,
    /// Whether all names of seats are known.
    pub seats: Soundness,
}

impl InterventionContext<'_> {
    /// Checks that a phase has this name, or a poll around the first discussion.
    fn check_phase_name(&self, name: &str, path: &str, tree: &Node) -> Result<(), Problem> {
        let names = self.scenario.occurrence_names();
        let known = || names.iter().map(String::as_str).chain(POLL_PHASES);
        if known().any(|known| known == name) { Ok(()) } else { Err(tree.unknown_name(path, ("phase", name), known())) }
    }
}

/// The interventions of one arm; `None` if one names an unknown phase, round or seat, or has no content. Interventions in a phase
/// that this arm leaves out are left out, too.
pub fn lower_interventions(
    config: &Config,
    at: &InterventionContext<'_>,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Vec<Intervention>> {
    let before = problems.len();
    let mut interventions = lower_forgetting(at, problems);
    for (i, written) in config.interventions.iter().enumerate() {
        let path = format!("interventions.{i}");
        let done = problems.ok_or_report(lower_deed(written, at, &path, tree));
        let to = lower_recipients(written.to.as_deref(), config, at.seats, (&format!("{path}.to"), tree), problems);
        let path = format!("{path}.at");
        let Some(Some(phase)) = problems.ok_or_report(find_phase(&written.at, at, &path, tree)) else { continue };
        let Some(deed) = done else { continue };
        problems.ok_or_report(check_round(&written.at, phase, at.practice_rounds, &path, tree));
        interventions.push(Intervention {
            phase: PhaseName::new(&written.at.phase),
            round: written.at.round,
            to,
            is_for_participants: false,
            by: written.by,
            deed,
        });
    }
    (problems.len() == before && at.agenda.is_some()).then_some(interventions)
}

/// What phases have the seats that take part in them forget, by the key `forget`: of each phase named there what took place so far, in
/// all its passes.
fn lower_forgetting(at: &InterventionContext<'_>, problems: &mut Problems) -> Vec<Intervention> {
    let mut interventions = Vec::new();
    let names: Vec<&str> = at.scenario.phase_names().collect();
    for (phase, node) in at.scenario.written.agenda.iter().zip(at.scenario.phase_nodes()) {
        let Some(forget) = &phase.forget else { continue };
        for (position, name) in forget.iter().enumerate().filter(|(_, name)| !names.contains(&name.as_str())) {
            let place = node.place_of(&format!("forget.{position}"));
            let path = format!("agenda.{}.forget.{position}", phase.name);
            problems.push(Problem::unknown_name(place, &path, ("phase", name), names.iter().copied()));
        }
        let agenda = at.agenda.unwrap_or_default();
        for (position, own) in agenda.iter().enumerate().filter(|(_, own)| own.name.written() == phase.name) {
            let is_earlier =
                |name: &&String| agenda[..position].iter().any(|other| other.name.written() == name.as_str());
            // An intervention in groups takes place in each of them.
            if !own.is_in_first_group() {
                continue;
            }
            for name in forget.iter().filter(is_earlier) {
                interventions.push(Intervention {
                    phase: PhaseName::new(own.name.occurrence()),
                    round: 0,
                    to: Vec::new(),
                    is_for_participants: true,
                    by: Voice::Facilitator,
                    deed: Deed::Reminded(MemoryAct::Forget { phase: Some(PhaseName::new(name)) }),
                });
            }
        }
    }
    interventions
}

fn lower_deed(
    written: &InterventionConfig,
    at: &InterventionContext<'_>,
    path: &str,
    tree: &Node,
) -> Result<Deed, Problem> {
    let words = |key: &str, text: &str| match text.trim() {
        "" => Err(tree.problem(&format!("{path}.{key}"), "the text is empty")),
        text => Ok(text.replace("\r\n", "\n")),
    };
    if written.phase.is_some() && written.mark.is_none() {
        let hint = "leave it out: only a marked statement is of another phase than `at`";
        return Err(tree.problem(&format!("{path}.phase"), "nothing is marked").with_advice(hint));
    }
    match (&written.text, &written.compact, &written.forget) {
        (None, None, None) if let Some(number) = &written.mark => lower_mark(number, written, at, path, tree),
        _ if written.mark.is_some() => Err(tree.problem(path, ONE_OF)),
        (Some(text), None, None) => Ok(Deed::Told(words("text", text)?)),
        (None, Some(compact), None) => {
            let focus = compact.focus.as_ref().map(|focus| words("compact.focus", focus)).transpose()?;
            Ok(Deed::Reminded(MemoryAct::Compact { focus }))
        }
        (None, None, Some(what)) if what == EVERYTHING => Ok(Deed::Reminded(MemoryAct::Forget { phase: None })),
        (None, None, Some(what)) => {
            at.check_phase_name(what, &format!("{path}.forget"), tree).map_err(|problem| Problem {
                message: format!("{}; \"{EVERYTHING}\" is everything", problem.message),
                ..problem
            })?;
            Ok(Deed::Reminded(MemoryAct::Forget { phase: Some(PhaseName::new(what)) }))
        }
        _ => Err(tree.problem(path, ONE_OF)),
    }
}

/// The message for an intervention that does nothing, or several things.
const ONE_OF: &str = "expected exactly one of text, compact, forget, mark";

/// Lowers a mark on a statement that a seat may make in a phase of this arm.
fn lower_mark(
    number: &str,
    written: &InterventionConfig,
    moments: &InterventionContext<'_>,
    path: &str,
    tree: &Node,
) -> Result<Deed, Problem> {
    let wrong = |message: String| tree.problem(&format!("{path}.mark"), message);
    let Some(statement) = text::parse_statement_number(number) else {
        return Err(wrong(format!("{number:?} is no number of a statement, as in \"#2.3\": turn 3 of round 2")));
    };
    let name = written.phase.as_ref().unwrap_or(&written.at.phase);
    if written.phase.is_some() {
        moments.check_phase_name(name, &format!("{path}.phase"), tree)?;
    }
    let phase = moments.agenda.and_then(|agenda| agenda.iter().find(|phase| phase.name.occurrence() == name));
    if phase.is_some_and(|phase| phase.group.is_some()) {
        return Err(wrong(format!("each group makes statements in {name}, so a number names none of them")));
    }
    let deed = Deed::Marked { phase: PhaseName::new(name), statement };
    // If the arm leaves the phase out, there is nothing to check.
    let Some(phase) = phase else { return Ok(deed) };
    let PhaseKind::Discussion(talk) = &phase.kind else {
        return Err(wrong(format!("nobody makes statements in {name}: only a discussion has some")));
    };
    let Number { round, turn } = statement;
    let rounds = talk.rounds.get();
    if !(1..=rounds).contains(&round) {
        return Err(wrong(format!("{name} has the rounds 1 to {rounds}, and no statement {statement}")));
    }
    if turn == 0 || turn as usize > moments.table {
        let message = format!("a round of {name} has the turns 1 to {}, and no statement {statement}", moments.table);
        return Err(wrong(message));
    }
    Ok(deed)
}

/// Checks that the memory of at least one arm can keep what is marked; `None` if none can.
pub fn check_used<'a>(
    tree: &Node,
    mut policies: impl Iterator<Item = &'a MemoryPolicy>,
    problems: &mut Problems,
) -> Option<()> {
    let written = tree.items_at("interventions");
    let Some(place) = written.iter().position(|item| item.get("mark").is_some()) else { return Some(()) };
    if policies.any(|policy| !policy.terms().keeps_nothing()) {
        return Some(());
    }
    let message = "no arm's memory policy keeps what is marked; any other than none would";
    problems.push(tree.problem(&format!("interventions.{place}.mark"), message));
    None
}

/// The named seats; reports every unknown name.
pub fn lower_recipients(
    names: Option<&[String]>,
    config: &Config,
    seats: Soundness,
    (path, tree): (&str, &Node),
    problems: &mut Problems,
) -> Vec<SeatName> {
    let Some(names) = names else { return Vec::new() };
    if names.is_empty() {
        problems.push(tree.problem(path, "nobody is told").with_advice("leave `to` out to tell everyone"));
    }
    for (i, name) in names.iter().enumerate() {
        let path = format!("{path}.{i}");
        if seats == Soundness::Sound && find_seat(config, name).is_none() {
            problems.push(no_seat(config, name, |message| tree.problem(&path, message)));
        }
        if names[..i].contains(name) {
            problems.push(tree.problem(&path, "this seat is listed twice"));
        }
    }
    names.iter().map(|name| SeatName::new(name)).collect()
}

/// The phase of an intervention; `None` if this arm leaves it out or the phases have an error.
fn find_phase<'a>(
    at: &AtConfig,
    moments: &InterventionContext<'a>,
    path: &str,
    tree: &Node,
) -> Result<Option<&'a Phase>, Problem> {
    moments.check_phase_name(&at.phase, &format!("{path}.phase"), tree)?;
    let Some(agenda) = moments.agenda else { return Ok(None) };
    let phase = agenda.iter().find(|phase| phase.name.occurrence() == at.phase);
    if phase.is_none() && POLL_PHASES.contains(&at.phase.as_str()) {
        return Err(tree.problem(&format!("{path}.phase"), "`straw_polls` does not ask for this poll"));
    }
    Ok(phase)
}

fn check_round(at: &AtConfig, phase: &Phase, practice_rounds: u32, path: &str, tree: &Node) -> Result<(), Problem> {
    let rounds = match &phase.kind {
        PhaseKind::Discussion(discussion) => discussion.rounds.get(),
        PhaseKind::Applications => practice_rounds,
        _ => 0,
    };
    let message = match rounds {
        _ if at.round <= rounds => return Ok(()),
        0 => format!("{} has no rounds; 0 is its opening", at.phase),
        _ => format!("{} has the rounds 1 to {rounds}, and 0 is its opening", at.phase),
    };
    Err(tree.problem(&format!("{path}.round"), message))
}
