//! Who takes part in phases and blocks: lists of seats and expressions about a seat.

use crate::config::lower::scope::{lower_formula, write_scalar};
use crate::config::problem::{Problem, Problems, SourcePlace, suggest_word};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::config::Config;
use crate::config::written::participants::SeatsConfig;
use crate::domain::SeatId;
use crate::plan::{SeatRule, SeatSet};

/// Who takes part in the phases and blocks of a scenario, in their order.
pub struct LoweredParticipants {
    /// Of each phase.
    pub phases: Vec<Option<SeatSet>>,
    /// Of each block.
    pub blocks: Vec<Option<SeatSet>>,
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
        lower_seats(written, &WhoContext { config, node, path: format!("agenda.{name}.who"), seats }, problems)
    };
    let phases: Vec<_> = scenario.written.agenda.iter().map(|phase| lower(&phase.name, &phase.who)).collect();
    let blocks: Vec<_> = scenario.blocks.iter().map(|block| lower(&block.name, &block.who)).collect();
    let lowered = LoweredParticipants { phases, blocks };
    if seats == Soundness::Sound {
        for (phase, own) in scenario.written.agenda.iter().zip(&lowered.phases) {
            let around = phase.within.iter().filter_map(|block| lowered.blocks[*block].as_ref());
            let sets: Vec<&SeatSet> = around.chain(own).collect();
            let is_left = |seat: u32| sets.iter().all(|set| set.may_hold(SeatId(seat)));
            if sets.len() > 1 && !(0..config.seats.len() as u32).any(is_left) {
                let path = format!("agenda.{}.who", phase.name);
                let place = names.iter().find(|(name, _)| *name == phase.name).map(|(_, node)| node.place_of("who"));
                let all: Vec<&str> = sets.iter().map(|set| set.text.as_str()).collect();
                let message = format!(
                    "nobody would take part: no seat is in all of {}, which the blocks around say, too",
                    all.join(" · ")
                );
                problems.push(Problem::at_place(place.unwrap_or(&scenario.tree.place), path, message));
            }
        }
    }
    lowered
}

struct WhoContext<'a> {
    config: &'a Config,
    node: &'a Node,
    path: String,
    seats: Soundness,
}

/// A set of seats; `None` if all take part, or after a mistake.
fn lower_seats(written: &SeatsConfig, context: &WhoContext<'_>, problems: &mut Problems) -> Option<SeatSet> {
    match written {
        SeatsConfig::Expression(expression) => {
            let text = write_scalar(expression).trim().to_owned();
            if matches!(text.as_str(), "everyone" | "group" | "seats" | "true") {
                return None;
            }
            Some(SeatSet { text, rule: SeatRule::Where { formula: lower_formula(expression), assumed: None } })
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
