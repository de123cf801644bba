//! Assignments of seats to groups, and phases that take place in each group.

use std::collections::BTreeMap;

use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::problem::Problems;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::written::config::{Config, VoteTime};
use crate::config::written::scenario::{AssignConfig, GroupsConfig, PhaseConfig};
use crate::plan::{GroupRule, GroupSize, Grouping, Holders, RoleSeats, Scalar};

/// What a phase assigns; `None` if it assigns nothing.
pub fn lower_assign(phase: &PhaseConfig) -> Option<Vec<GroupRule>> {
    let lower = |(name, written): (&String, &AssignConfig)| GroupRule {
        name: name.clone(),
        size: lower_size(written),
        by: match write_scalar(&written.by).trim() {
            "lot" => Grouping::Lot,
            "rotation" => Grouping::Rotation,
            _ => Grouping::Value(lower_formula(&written.by)),
        },
        mix: written.mix.as_ref().map(lower_formula),
    };
    phase.assign.as_ref().map(|assign| assign.iter().map(lower).collect())
}

fn lower_size(written: &AssignConfig) -> GroupSize {
    match (&written.roles, &written.groups) {
        (Some(roles), _) => {
            let lower = |(name, seats): (&String, &Scalar)| RoleSeats { name: name.clone(), seats: read_count(seats) };
            GroupSize::Roles(roles.iter().map(lower).collect())
        }
        (None, Some(GroupsConfig { size: Some(size), .. })) => GroupSize::Seats(*size),
        (None, Some(GroupsConfig { joined: Some(joined), .. })) => GroupSize::Joined(*joined),
        (None, groups) => GroupSize::Groups(groups.as_ref().and_then(|groups| groups.count).unwrap_or(1)),
    }
}

/// The number of seats of a role; `None` of the rest.
pub fn read_count(written: &Scalar) -> Option<u32> {
    write_scalar(written).trim().parse().ok()
}

/// The assignments of an agenda, with their phases and nodes.
fn list_assignments(scenario: &Scenario) -> Vec<(&PhaseConfig, &str, &AssignConfig)> {
    let phases = scenario.written.agenda.iter();
    let assigned = phases
        .flat_map(|phase| phase.assign.iter().flatten().map(move |(name, written)| (phase, name.as_str(), written)));
    assigned.collect()
}

/// Whether a name is that of an assignment of the agenda that makes groups.
pub fn makes_groups(scenario: &Scenario, name: &str) -> bool {
    list_assignments(scenario).into_iter().any(|(_, own, written)| own == name && written.groups.is_some())
}

/// The roles that an agenda assigns: the phase, the assignment and the role, with the number of seats as it is written.
pub fn list_roles(scenario: &Scenario) -> Vec<(&PhaseConfig, &str, &str, &Scalar)> {
    let assignments = list_assignments(scenario).into_iter();
    let roles = assignments.flat_map(|(phase, name, written)| {
        let roles = written.roles.iter().flatten();
        roles.map(move |(role, seats)| (phase, name, role.as_str(), seats))
    });
    roles.collect()
}

/// How many seats have a role that the agenda assigns; `None` of an unknown role.
pub fn find_holders(scenario: &Scenario, role: &str) -> Option<Holders> {
    let roles = list_roles(scenario);
    let (phase, .., seats) = roles.iter().find(|(_, _, name, _)| *name == role)?;
    Some(match (read_count(seats), find_groups(scenario, phase)) {
        (Some(1), None) => Holders::One,
        (Some(1), Some(_)) => Holders::OneAGroup,
        _ => Holders::Many,
    })
}

/// How many seats take part in a phase, as far as that is known before a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartCount {
    /// The most that can take part.
    pub most: usize,
    /// Whether it is certain that as many do.
    pub is_certain: bool,
}

/// The number of groups of each assignment that phases take place in, with the seats of a config. `count_part` counts the seats that can take
/// part in a phase.
pub fn count_groups(
    config: &Config,
    scenario: &Scenario,
    (seats, count_part): (Soundness, &dyn Fn(&PhaseConfig) -> PartCount),
    problems: &mut Problems,
) -> BTreeMap<String, u32> {
    let mut groups = BTreeMap::new();
    for (phase, name, written) in list_assignments(scenario).into_iter().filter(|(.., own)| own.roles.is_none()) {
        let PartCount { most: all, is_certain } = count_part(phase);
        let size = lower_size(written);
        let count = u32::try_from(size.count_groups(all)).unwrap_or(u32::MAX);
        let most = groups.entry(name.to_owned()).or_insert(count);
        *most = count.max(*most);
        if seats == Soundness::Broken || all == 0 {
            continue;
        }
        let path = format!("agenda.{}.assign.{name}.groups", phase.name);
        let message = match size {
            GroupSize::Seats(size) if size as usize > all => {
                format!("groups of {size} are larger than all {all} seats")
            }
            GroupSize::Groups(count) if count as usize > all => {
                format!("{count} groups are more than there are seats, {all}")
            }
            // How many do take part is found in the session.
            _ if written.uneven || !is_certain || size.divides(all) => continue,
            GroupSize::Seats(size) => {
                format!("{all} seats do not make groups of {size}: change the size or the seats, or write uneven: true")
            }
            GroupSize::Groups(count) => format!(
                "{all} seats do not make {count} equal groups: change the count or the seats, or write uneven: true"
            ),
            GroupSize::Joined(_) | GroupSize::Roles(_) => continue,
        };
        problems.push(scenario.tree.problem(&path, message));
    }
    if seats == Soundness::Sound && !config.seats.is_empty() {
        check_role_seats(count_part, scenario, problems);
    }
    check_settings(config, scenario, problems);
    groups
}

/// The number of groups of an assignment of so many seats, and the most seats that are ever in one of them: all, if seats are put into
/// groups again or choose their group.
pub fn count_members(scenario: &Scenario, assignment: &str, seats: u32) -> (u32, u32) {
    let own: Vec<(&PhaseConfig, &str, &AssignConfig)> =
        list_assignments(scenario).into_iter().filter(|(_, name, _)| *name == assignment).collect();
    let counts = own.iter().map(|(.., written)| lower_size(written).count_groups(seats as usize) as u32);
    let groups = counts.max().unwrap_or(1).max(1);
    let is_joined = own.iter().any(|(.., written)| matches!(lower_size(written), GroupSize::Joined(_)));
    let is_again =
        own.len() > 1 || own.iter().any(|(phase, ..)| scenario.blocks_around(phase).any(|block| block.times.is_some()));
    (groups, if is_again || is_joined { seats } else { seats.div_ceil(groups) })
}

/// Reports roles that do not fit those who get them.
fn check_role_seats(count_part: &dyn Fn(&PhaseConfig) -> PartCount, scenario: &Scenario, problems: &mut Problems) {
    let assignments = list_assignments(scenario);
    for (phase, name, written) in &assignments {
        let Some(roles) = &written.roles else { continue };
        let is_limited = phase.who.is_some() || scenario.blocks_around(phase).any(|block| block.who.is_some());
        if is_limited {
            continue;
        }
        let sizes: Vec<usize> = match find_groups(scenario, phase) {
            None => vec![count_part(phase).most],
            Some(groups) => {
                let own = assignments.iter().filter(|(_, own, _)| *own == groups);
                let known = own.map(|(phase, _, own)| (count_part(phase), own)).filter(|(part, _)| part.is_certain);
                let split = known.flat_map(|(PartCount { most: all, .. }, own)| {
                    let count = lower_size(own).count_groups(all).max(1);
                    match lower_size(own) {
                        GroupSize::Joined(_) => [all, all],
                        _ => [all / count, all.div_ceil(count)],
                    }
                });
                split.collect()
            }
        };
        let counted: usize = roles.values().filter_map(read_count).map(|count| count as usize).sum();
        let has_rest = roles.values().any(|seats| read_count(seats).is_none());
        let wrong = sizes.iter().find(|size| counted > **size || counted < **size && !has_rest);
        let Some(size) = wrong else { continue };
        let message = match counted > *size {
            true => format!("the roles have {counted} seats, and there are {size} to be given roles"),
            false => format!("{} of {size} seats would have no role: write ROLE: rest", size - counted),
        };
        problems.push(scenario.tree.problem(&format!("agenda.{}.assign.{name}.roles", phase.name), message));
    }
}

/// Reports settings of a config under which phases cannot take place in groups.
fn check_settings(config: &Config, scenario: &Scenario, problems: &mut Problems) {
    let is_grouped = |phase: &&PhaseConfig| find_groups(scenario, phase).is_some();
    for phase in scenario.written.agenda.iter().filter(is_grouped) {
        let Some(own) = &phase.discussion else { continue };
        let talk = config.discussion.of_talk(own);
        let refused = [
            (talk.vote != VoteTime::AtEnd, "votes in its rounds: write discussion.vote: at_end"),
            (talk.convergence.is_some(), "discussion.convergence: leave it out"),
            (talk.proposals == Some(true), "discussion.proposals: leave it out"),
        ];
        for (_, what) in refused.iter().filter(|(is_refused, _)| *is_refused) {
            let path = format!("agenda.{}", phase.name);
            problems.push(scenario.tree.problem(&path, format!("a discussion in groups does not work with {what}")));
        }
    }
}

/// The name of the assignment in whose groups a phase takes place; `None` outside groups.
pub fn find_groups<'a>(scenario: &'a Scenario, phase: &'a PhaseConfig) -> Option<&'a str> {
    let around = scenario.blocks_around(phase).find_map(|block| block.groups.as_deref());
    around.or(phase.groups.as_deref())
}

/// Reports what is wrong with assignments and groups, as far as that is clear without a config.
pub fn check_groups(scenario: &Scenario, problems: &mut Problems) {
    let mut tell = |phase: &str, key: &str, message: String| {
        problems.push(scenario.tree.problem(&format!("agenda.{phase}.{key}"), message));
    };
    let assignments = list_assignments(scenario);
    let is_assigned = |name: &str| assignments.iter().any(|(_, own, written)| *own == name && written.roles.is_none());
    let grouped = scenario.blocks.iter().map(|block| (&block.name, &block.groups));
    let grouped = grouped.chain(scenario.written.agenda.iter().map(|phase| (&phase.name, &phase.groups)));
    for (name, groups) in grouped {
        if let Some(groups) = groups.as_ref().filter(|groups| !is_assigned(groups)) {
            let message = format!("no phase assigns \"{groups}\": write a phase with assign: {{ {groups}: … }} before");
            tell(name, "groups", message);
        }
    }
    for phase in &scenario.written.agenda {
        let around: Vec<&str> = scenario.blocks_around(phase).filter_map(|block| block.groups.as_deref()).collect();
        let depth = around.len() + usize::from(phase.groups.is_some());
        if depth == 0 {
            if let Some(name) =
                phase.compute.iter().flatten().map(|(name, _)| name).find(|name| name.starts_with("group."))
            {
                let message =
                    "a value of each group is computed within groups: write groups: NAME on the phase".to_owned();
                tell(&phase.name, &format!("compute.{name}"), message);
            }
            continue;
        }
        if depth > 1 {
            let key = if phase.groups.is_some() { "groups" } else { "name" };
            tell(&phase.name, key, "groups cannot be within groups".to_owned());
        }
        if let Some((key, message)) = refuse_in_groups(phase) {
            tell(&phase.name, key, message.to_owned());
        }
    }
}

/// Why a phase cannot take place in groups, with its key.
fn refuse_in_groups(phase: &PhaseConfig) -> Option<(&'static str, &'static str)> {
    if phase.pays_decision() {
        Some(("pay", "a decision is paid outside groups"))
    } else if phase.assign.iter().flatten().any(|(_, written)| written.roles.is_none()) {
        Some(("assign", "seats are put into groups outside groups"))
    } else if phase.built_in_ask().is_some() {
        Some(("ask", "only a form is asked within groups"))
    } else if phase.compute.iter().flatten().any(|name| !name.0.starts_with("seat.") && !name.0.starts_with("group.")) {
        Some((
            "compute",
            "within groups only values of seats and of the group are computed: write seat.NAME or group.NAME",
        ))
    } else {
        None
    }
}
