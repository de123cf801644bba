//! Finds phases that never take place, as far as parameters, passes and the order of phases decide.
//!
//! The analysis follows the agenda as a session does, and goes both ways wherever a condition depends on the session. It may miss a phase
//! that never takes place, but not name one that may.

use super::known::{KnownWorld, Outcomes, ParametersKnown};
use super::{BlockSpan, GroupRegion, Pass, Phase, Plan, Thing, VoteEnds, find_regions};
use crate::domain::SeatId;

/// Phases that never take place, or a loop that ends at once.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UnreachablePart {
    /// The phases that never take place; empty if a block only never repeats, or a talk never has a second round.
    pub phases: Vec<String>,
    /// What happens, and why.
    pub message: String,
    /// Whether that may differ with other parameters: a switch of the scenario.
    pub by_parameters: bool,
}

/// Why phases never take place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UnreachableReason {
    words: String,
    by_parameters: bool,
}

impl UnreachablePart {
    /// These phases, with the reason.
    fn of_phases(phases: Vec<String>, UnreachableReason { words, by_parameters }: UnreachableReason) -> Self {
        let verb = if phases.len() == 1 { "takes" } else { "take" };
        let message = format!("{} never {verb} place: {words}", phases.join(", "));
        Self { phases, message, by_parameters }
    }

    /// The same of those of its phases that are as wanted; `None` if it is about phases and none of them is.
    pub fn only_phases(&self, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let kept: Vec<String> = self.phases.iter().filter(|phase| is_wanted(phase)).cloned().collect();
        match (self.message.split_once(": "), kept.len()) {
            _ if self.phases.len() == kept.len() => Some(self.clone()),
            (_, 0) | (None, _) => None,
            (Some((_, words)), _) => {
                let reason = UnreachableReason { words: words.to_owned(), by_parameters: self.by_parameters };
                Some(Self::of_phases(kept, reason))
            }
        }
    }
}

/// Which phases of an agenda may take place.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The parameters for which it is known.
    pub(super) parameters: ParametersKnown,
    /// Whether the phase at each place may open.
    pub may_open: Vec<bool>,
    /// The ways that a session may take through the agenda, in the order of the stops at which they begin. The end of the agenda is the
    /// place after the last phase.
    pub(super) ways: Vec<Way>,
    /// Why the session does not come to the phase at each place, as far as something certain leads past it.
    passed_by: Vec<Option<String>>,
    /// The blocks that end at once, by name, with the reason.
    ended_at_once: Vec<(String, String)>,
}

/// A way from one stop of a session to a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    pub from: Stop,
    pub to: Stop,
    /// Whether the phase at which it begins takes place.
    pub passage: WayThrough,
}

/// A place of an agenda to which a session comes as one, or in one of several groups side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stop {
    pub place: usize,
    pub course: CourseKind,
}

/// Whether the session is followed as one, or in one of several groups side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CourseKind {
    Whole,
    Group,
}

/// Whether a phase takes place before the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WayThrough {
    LeftOut,
    Opened,
}

impl Plan {
    /// Which phases may take place.
    pub fn find_reach(&self) -> Reach {
        self.find_reach_with(ParametersKnown::Own)
    }

    /// Which phases may take place with the plan's parameters, or with any.
    fn find_reach_with(&self, parameters: ParametersKnown) -> Reach {
        let count = self.agenda.len();
        let (may_open, passed_by) = (vec![false; count], vec![None; count]);
        let reach = Reach { parameters, may_open, ways: Vec::new(), passed_by, ended_at_once: Vec::new() };
        let entered = [vec![false; count + 1], vec![false; count + 1]];
        let mut walk = Walk { plan: self, regions: find_regions(&self.agenda), entered, reach };
        walk.follow_agenda();
        walk.reach
    }

    /// The phases that certainly never take place, and the loops and talks that certainly end at once.
    pub fn find_unreachable(&self) -> Vec<UnreachablePart> {
        let reach = self.find_reach();
        let missing = self.list_unheld_phases(&reach);
        let short_talks = self.list_short_talks(&reach);
        if missing.is_empty() && short_talks.is_empty() && reach.ended_at_once.is_empty() {
            return Vec::new();
        }
        // What no parameters would change is no switch of the scenario.
        let any = self.find_reach_with(ParametersKnown::None);
        let mut found: Vec<(UnreachableReason, Vec<String>)> = Vec::new();
        for (name, words) in missing {
            let by_parameters = self.may_be_held(&any, &name);
            let reason = UnreachableReason { words, by_parameters };
            match found.iter_mut().find(|(own, _)| *own == reason) {
                Some((_, phases)) => phases.push(name),
                None => found.push((reason, vec![name])),
            }
        }
        let parts = found.into_iter().map(|(reason, phases)| UnreachablePart::of_phases(phases, reason));
        let mut parts: Vec<UnreachablePart> = parts.collect();
        let names_reason =
            |parts: &[UnreachablePart], reason: &str| parts.iter().any(|part| part.message.ends_with(reason));
        for (block, reason) in &reach.ended_at_once {
            if !names_reason(&parts, reason) {
                let message = format!("{block} never repeats: {reason}");
                let by_parameters = !any.ended_at_once.iter().any(|(other, _)| other == block);
                parts.push(UnreachablePart { phases: Vec::new(), message, by_parameters });
            }
        }
        let always_short = self.list_short_talks(&any);
        parts.extend(short_talks.into_iter().map(|message| {
            let by_parameters = !always_short.contains(&message);
            UnreachablePart { phases: Vec::new(), message, by_parameters }
        }));
        parts
    }

    /// Whether a phase may take place in any of its passes.
    fn may_be_held(&self, reach: &Reach, written: &str) -> bool {
        self.sources.places_of(written).iter().any(|place| reach.may_open[*place])
    }

    /// The phases that never take place, by their written names, with the reason.
    fn list_unheld_phases(&self, reach: &Reach) -> Vec<(String, String)> {
        let first_passes = self.agenda.iter().enumerate().filter(|(_, phase)| phase.is_first_pass());
        let unheld = first_passes.filter_map(|(place, phase)| {
            let name = phase.name.written();
            let unknown = || "the session never comes to it".to_owned();
            let reason = || reach.passed_by[place].clone().unwrap_or_else(unknown);
            (!self.may_be_held(reach, name)).then(|| (name.to_owned(), reason()))
        });
        unheld.collect()
    }

    /// Talks of several rounds that end after the first one, in words.
    fn list_short_talks(&self, reach: &Reach) -> Vec<String> {
        let first_passes = self.agenda.iter().filter(|phase| phase.is_first_pass());
        let short = first_passes.filter_map(|phase| {
            let talk = phase.kind.as_discussion()?;
            let until = talk.until.as_ref().filter(|_| talk.rounds.get() > 1)?;
            let name = phase.name.written();
            let mut open = self.sources.places_of(name).iter().filter(|place| reach.may_open[**place]).peekable();
            open.peek()?;
            let ends = |place: &usize| {
                let world = KnownWorld { round: Some(1), ..KnownWorld::after(self, reach, *place) };
                world.weigh_formula(&until.formula).always_holds()
            };
            let shown = until.formula.shown();
            let message = || format!("{name} always ends after its first round: its until `{shown}` is true at once");
            open.all(ends).then(message)
        });
        short.collect()
    }
}

/// How often a block takes place, at least and at most.
struct PassCount {
    low: u32,
    high: u32,
}

struct Walk<'p> {
    plan: &'p Plan,
    regions: Vec<GroupRegion>,
    /// Whether the session may come to each place: as one, and in groups.
    entered: [Vec<bool>; 2],
    reach: Reach,
}

impl Walk<'_> {
    fn follow_agenda(&mut self) {
        self.entered[0][0] = true;
        for place in 0..self.plan.agenda.len() {
            let group = self.plan.agenda[place].group.clone();
            if self.entered[0][place] && self.passes_gates(place, CourseKind::Whole) {
                match &group {
                    Some(group) => self.enter_groups(group.region),
                    None => self.enter_phase(place, CourseKind::Whole),
                }
            }
            if self.entered[1][place] && group.is_some() && self.passes_gates(place, CourseKind::Group) {
                self.enter_phase(place, CourseKind::Group);
            }
        }
    }

    /// The session may go on at this place. A group that is done goes on as one with the others behind the last of them.
    fn go_to(&mut self, from: Stop, place: usize, passage: WayThrough) {
        let own = self.region_of(from.place).filter(|_| from.course == CourseKind::Group);
        let group = own.and_then(|region| region.groups.iter().find(|group| group.contains(&from.place)));
        let to = match (own, group) {
            (Some(_), Some(group)) if place < group.end => Stop { place, course: CourseKind::Group },
            (Some(region), _) => Stop { place: region.end(), course: CourseKind::Whole },
            (None, _) => Stop { place, course: CourseKind::Whole },
        };
        self.entered[to.course as usize][to.place] = true;
        self.reach.ways.push(Way { from, to, passage });
    }

    /// The session certainly goes on at a place, past what lies between.
    fn pass_by(&mut self, from: Stop, place: usize, reason: &str) {
        self.go_to(from, place, WayThrough::LeftOut);
        for passed in &mut self.reach.passed_by[from.place..place] {
            passed.get_or_insert_with(|| reason.to_owned());
        }
    }

    fn region_of(&self, place: usize) -> Option<&GroupRegion> {
        self.plan.agenda[place].group.as_ref().map(|group| &self.regions[group.region])
    }

    /// Whether the session may come through what is looked at before a phase: the ends of loops, and whether blocks begin.
    fn passes_gates(&mut self, place: usize, course: CourseKind) -> bool {
        let plan = self.plan;
        let group = plan.agenda[place].group.as_ref().map(|group| group.number).filter(|_| course == CourseKind::Group);
        let held_by = |place: usize| {
            let within = plan.agenda[place].within.iter().map(|block| &plan.blocks[*block]);
            within.filter(move |block| block.group == group).collect::<Vec<&BlockSpan>>()
        };
        if let Some(last) = place.checked_sub(1) {
            for block in held_by(last).into_iter().rev().filter(|block| place < block.end) {
                let Some(until) = &block.until else { continue };
                let world = KnownWorld::after(plan, &self.reach, last).in_passes(block.around + 1);
                let outcomes = world.weigh_formula(&until.formula);
                if outcomes.always_holds() {
                    let end = block.end;
                    let after = plan.agenda[last].name.written();
                    let reason = format!(
                        "the block {} ends after {after}, where its until `{}` is always true",
                        block.name,
                        until.formula.shown()
                    );
                    if plan.agenda[last].passes.get(block.around).is_none_or(|pass| pass.number == 1) {
                        self.reach.ended_at_once.push((block.name.clone(), reason.clone()));
                    }
                    self.pass_by(Stop { place, course }, end, &reason);
                    return false;
                }
                if outcomes.may_hold() {
                    self.go_to(Stop { place, course }, block.end, WayThrough::LeftOut);
                }
            }
        }
        for block in held_by(place) {
            if !self.passes_into(place, block, course) {
                return false;
            }
        }
        true
    }

    /// Whether the session may come into a block, or on in it, at a place.
    fn passes_into(&mut self, place: usize, block: &BlockSpan, course: CourseKind) -> bool {
        let stop = Stop { place, course };
        let phase = &self.plan.agenda[place];
        if let Some(pass) = phase.passes.get(block.around).filter(|pass| pass.block == block.name) {
            let passes = self.count_passes(place, block.around, pass);
            let is_begun = |before: &Phase| before.passes.get(block.around) == Some(pass);
            let begins = place == block.start || !is_begun(&self.plan.agenda[place - 1]);
            if pass.number > passes.high {
                let most = passes.high;
                let reason = format!("the block {} has {most} passes", block.name);
                self.pass_by(stop, block.end, &reason);
                return false;
            }
            if begins && pass.number > passes.low {
                self.go_to(stop, block.end, WayThrough::LeftOut);
            }
        }
        let Some(when) = block.when.as_ref().filter(|_| block.start == place) else { return true };
        let outcomes = self.build_world(place, block.around).weigh_formula(&when.formula);
        if !outcomes.may_hold() {
            let reason = format!("the when `{}` of the block {} is never true", when.formula.shown(), block.name);
            self.pass_by(stop, block.end, &reason);
            return false;
        }
        if !outcomes.always_holds() {
            self.go_to(stop, block.end, WayThrough::LeftOut);
        }
        true
    }

    /// The number of passes of a block.
    fn count_passes(&self, place: usize, around: usize, pass: &Pass) -> PassCount {
        let world = self.build_world(place, around);
        let known = match &pass.thing {
            None | Some(Thing::Word { .. } | Thing::Item { .. }) => Some(pass.of),
            Some(Thing::Times { times, .. }) => world.count_times(times).map(|times| times.min(pass.of)),
            Some(Thing::Seat { seats, .. }) => {
                let all = self.plan.seat_ids();
                let may_be = all.clone().any(|seat| world.may_select(seats, seat));
                let is_sure = |seat: &SeatId| !self.plan.may_lose_seats() && world.must_select(seats, *seat);
                let sure = all.filter(is_sure).count() as u32;
                let low = if self.plan.agenda[place].group.is_some() { 0 } else { sure };
                return PassCount { low, high: if may_be { pass.of } else { 0 } };
            }
            Some(Thing::Text { pool, .. }) => {
                let agenda = &self.plan.agenda;
                let kept = |place: usize| agenda[place].kind.as_form().into_iter().flat_map(|form| &form.kept);
                let keeping = (0..agenda.len()).filter(|place| kept(*place).any(|kept| kept.pool == *pool));
                world.is_before_all(keeping).then_some(0)
            }
        };
        PassCount { low: known.unwrap_or(0), high: known.unwrap_or(pass.of) }
    }

    /// The groups of an assignment begin side by side.
    fn enter_groups(&mut self, region: usize) {
        let region = self.regions[region].clone();
        let (start, end) = (region.start(), region.end());
        self.entered[0][end] = true;
        let agenda = &self.plan.agenda;
        let mut assigning =
            (0..agenda.len()).filter(|place| agenda[*place].kind.assigns(&region.assignment)).peekable();
        if assigning.peek().is_some() && !assigning.any(|place| place < start && self.reach.may_open[place]) {
            let reason = format!("no phase assigns {} before it, so that its groups are empty", region.assignment);
            self.pass_by(Stop { place: start, course: CourseKind::Whole }, end, &reason);
            return;
        }
        for group in &region.groups {
            self.entered[1][group.start] = true;
            let from = Stop { place: start, course: CourseKind::Whole };
            let to = Stop { place: group.start, course: CourseKind::Group };
            self.reach.ways.push(Way { from, to, passage: WayThrough::LeftOut });
        }
    }

    /// The session may come to a phase, which opens or is left out.
    fn enter_phase(&mut self, place: usize, course: CourseKind) {
        let phase = &self.plan.agenda[place];
        let stop = Stop { place, course };
        let world = self.build_world(place, phase.passes.len());
        let outcomes = phase.when.as_ref().map(|when| world.weigh_formula(&when.formula));
        if let Some(when) = phase.when.as_ref().filter(|_| outcomes.is_some_and(|outcomes| !outcomes.may_hold())) {
            let reason = format!("its when `{}` is never true", when.formula.shown());
            return self.pass_by(stop, place + 1, &reason);
        }
        if let Some(nobody) = self.find_nobody(place) {
            return self.pass_by(stop, place + 1, &nobody);
        }
        let is_sure = outcomes.is_none_or(Outcomes::always_holds)
            && self.surely_takes_somebody(place)
            && !self.may_be_decided_before(place);
        self.reach.may_open[place] = true;
        self.go_to(stop, place + 1, WayThrough::Opened);
        if !is_sure {
            self.go_to(stop, place + 1, WayThrough::LeftOut);
        }
        let ends = phase.kind.as_vote().map_or(VoteEnds::Nothing, |vote| vote.ends);
        match (ends, phase.within.last()) {
            (VoteEnds::Block, Some(block)) => self.go_to(stop, self.plan.blocks[*block].end, WayThrough::Opened),
            (VoteEnds::Session, _) => self.go_to(stop, self.plan.agenda.len(), WayThrough::Opened),
            _ => {}
        }
    }

    /// Whether a talk of the same pass may have decided before, so that the phase at a place votes no more.
    fn may_be_decided_before(&self, place: usize) -> bool {
        let phase = &self.plan.agenda[place];
        let is_talk = |phase: &Phase| phase.kind.votes_in_rounds();
        let mut before = self.plan.agenda[..place].iter().filter(|other| other.passes == phase.passes);
        phase.kind.holds_votes() && before.any(is_talk)
    }

    /// Whether it is certain that somebody takes part in a phase.
    fn surely_takes_somebody(&self, place: usize) -> bool {
        let plan = self.plan;
        let is_open = plan.who(place).next().is_none();
        let mut sure = plan.find_sure_participants(&self.reach, place).into_iter();
        is_open || plan.agenda[place].group.is_none() && sure.any(|takes_part| takes_part)
    }

    /// Why nobody takes part in a phase, if that is certain.
    fn find_nobody(&self, place: usize) -> Option<String> {
        let plan = self.plan;
        if plan.find_possible_participants(&self.reach, place).contains(&true) {
            return None;
        }
        let written: Vec<String> = plan.who(place).map(|set| format!("`{}`", set.text)).collect();
        Some(match written.is_empty() {
            true => "no seat may take part in it".to_owned(),
            false => format!("who {} selects nobody", written.join(" and ")),
        })
    }

    /// What is known at a place, in so many of its passes.
    fn build_world(&self, place: usize, passes: usize) -> KnownWorld<'_> {
        KnownWorld::new(self.plan, &self.reach, place).in_passes(passes)
    }
}
