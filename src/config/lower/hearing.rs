//! Who hears phases: `heard_by` of phases and blocks.

use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::grouping::find_groups;
use crate::config::lower::participants::{WhoContext, lower_seats};
use crate::config::problem::Problems;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::written::config::Config;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::PhaseConfig;
use crate::plan::{SeatRule, SeatSet};

/// The seats of the group, or outside groups everyone.
const GROUP: &str = "group";

/// Who hears each phase, in their order; `None` if all hear its statements and counts, and nobody its answers.
pub fn lower_hearers(
    config: &Config,
    scenario: &Scenario,
    seats: Soundness,
    problems: &mut Problems,
) -> Vec<Option<SeatSet>> {
    let mut lower = |name: &str, written: &SeatsConfig| {
        let path = format!("agenda.{name}.heard_by");
        let node = scenario.tree.find(&path)?;
        if let SeatsConfig::Expression(expression) = written {
            let text = write_scalar(expression).trim().to_owned();
            if text == "nobody" {
                return Some(SeatSet { text, rule: SeatRule::Named(Vec::new()) });
            }
            if text == GROUP {
                let rule = SeatRule::of_formula(lower_formula(expression)).fixed_if(|_| true);
                return Some(SeatSet { text, rule });
            }
        }
        let context = WhoContext { config, scenario, node, path, seats };
        let before = problems.len();
        let set = lower_seats(written, &context, problems);
        (problems.len() == before).then(|| set.unwrap_or_else(|| SeatSet::everyone(config.seats.len())))
    };
    let blocks: Vec<Option<SeatSet>> = (scenario.blocks.iter())
        .map(|block| block.heard_by.as_ref().and_then(|written| lower(&block.name, written)))
        .collect();
    let mut hearers = Vec::new();
    for phase in &scenario.written.agenda {
        let own = phase.heard_by.as_ref().and_then(|written| lower(&phase.name, written));
        let around = || phase.within.iter().rev().find_map(|block| blocks[*block].clone());
        let is_inherited = phase.heard_by.is_none() && (phase.discussion.is_some() || phase.vote.is_some());
        let found = if is_inherited { around() } else { own };
        let is_grouped = find_groups(scenario, phase).is_some();
        let found = found.map(|set| match is_group(&set) && !is_grouped {
            true => SeatSet::everyone(config.seats.len()),
            false => set,
        });
        // Everyone hears what is said anyway, and in groups the group does.
        let is_usual = |set: &SeatSet| if is_grouped { is_group(set) } else { set.is_everyone(config.seats.len()) };
        hearers.push(found.filter(|set| phase.ask.is_some() || !is_usual(set)));
    }
    hearers
}

fn is_group(set: &SeatSet) -> bool {
    set.text == GROUP && matches!(set.rule, SeatRule::Where { .. })
}

/// Reports a `heard_by` of a phase in which nobody says anything.
pub fn check_hearers(scenario: &Scenario, problems: &mut Problems) {
    for phase in scenario.written.agenda.iter().filter(|phase| phase.heard_by.is_some()) {
        if let Some(message) = refuse_hearers(phase) {
            problems.push(scenario.tree.problem(&format!("agenda.{}.heard_by", phase.name), message));
        }
    }
}

fn refuse_hearers(phase: &PhaseConfig) -> Option<&'static str> {
    if phase.brief.is_some() {
        Some("a brief is heard by those who take part: write who in place of heard_by")
    } else if phase.built_in_ask().is_some() {
        Some("only answers to a form can be heard: ask a list of fields, or leave heard_by out")
    } else if phase.ask.is_none() && phase.discussion.is_none() && phase.vote.is_none() {
        Some("nobody says anything in this phase: leave heard_by out")
    } else {
        None
    }
}
