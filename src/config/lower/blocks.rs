//! Blocks of phases: the agenda as a flat list, and the passes of repeated blocks as phases of their own.

use std::collections::BTreeMap;

use crate::config::lower::each;
use crate::config::lower::formula::lower_formula;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{AgendaBlock, Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::each::ForConfig;
use crate::config::written::scenario::{PhaseConfig, RepeatConfig};
use crate::domain::PhaseName;
use crate::plan::{GroupPlace, Pass, Thing};

/// The most phases of a session, each pass of a block counted.
const PHASES_MAX: u64 = 10_000;

/// The phases of an agenda with the blocks that hold them.
pub fn flatten_agenda(agenda: Vec<PhaseConfig>) -> (Vec<PhaseConfig>, Vec<AgendaBlock>) {
    fn gather(
        agenda: Vec<PhaseConfig>,
        within: &[usize],
        (phases, blocks): (&mut Vec<PhaseConfig>, &mut Vec<AgendaBlock>),
    ) {
        for mut phase in agenda {
            let Some(inner) = phase.phases.take() else {
                phases.push(PhaseConfig { within: within.to_vec(), ..phase });
                continue;
            };
            let PhaseConfig { name, each, repeat, when, who, heard_by, remember, groups, .. } = phase;
            let things = each.as_ref().map(|each| each::words_of(each).len().max(1) as u32);
            let times = repeat.as_ref().map(RepeatConfig::passes_max).or(things);
            let live_times = repeat.as_ref().and_then(|repeat| repeat.live_times().cloned());
            let until = repeat.and_then(|repeat| repeat.until);
            blocks.push(AgendaBlock { name, live_times, times, each, when, until, who, heard_by, remember, groups });
            let within = [within, &[blocks.len() - 1]].concat();
            gather(inner, &within, (phases, blocks));
        }
    }
    let (mut phases, mut blocks) = (Vec::new(), Vec::new());
    gather(agenda, &[], (&mut phases, &mut blocks));
    (phases, blocks)
}

impl Scenario {
    /// The names of the phases in order, in a repeated block with each pass.
    pub fn occurrence_names(&self) -> Vec<String> {
        if self.agenda == Soundness::Broken {
            return self.phase_names().map(str::to_owned).collect();
        }
        let lower_thing = |each: &ForConfig| each::lower_thing(each, self, &|_| None);
        let all = list_passes((&self.written.agenda, &each::reckon_passes(self, None)), &BTreeMap::new(), &lower_thing);
        all.iter().map(|phase| phase.name().to_string()).collect()
    }

    /// Checks the repetition of blocks, and that the passes are not too many.
    pub fn check_blocks(&self, problems: &mut Problems) {
        self.agenda_nodes().into_iter().for_each(|node| check_repetition(node, problems));
        let blocks = each::reckon_passes(self, None);
        let passes = |phase: &PhaseConfig| -> u64 {
            let times = phase.within.iter().map(|place| blocks[*place].times.unwrap_or(1));
            times.fold(1, |passes, times| passes.saturating_mul(times.into()))
        };
        let all = self.written.agenda.iter().fold(0_u64, |all, phase| all.saturating_add(passes(phase)));
        if all > PHASES_MAX {
            let message = format!("a session would have {all} phases, each pass counted; at most {PHASES_MAX}");
            problems.push(self.tree.problem("agenda", message));
        }
    }
}

/// Checks how a phase or block is repeated, and what only phases or only blocks have.
fn check_repetition(node: &Node, problems: &mut Problems) {
    let path = format!("agenda.{}", node.segment(0));
    let mut tell = |key: &str, message: &str| {
        problems.push(Problem::at_place(node.place_of(key), format!("{path}.{key}"), message));
    };
    if let Some(repeat) = node.get("repeat") {
        let [times, until, max] = ["times", "until", "max"].map(|key| repeat.get(key).is_some());
        let is_live = repeat.text_at("times").is_some();
        if times == until || max != (until || is_live) {
            tell(
                "repeat",
                "a block is repeated by times, or by until with max: write times: N, or until: CONDITION and max: N",
            );
        }
    }
    match node.get("phases") {
        None if node.get("repeat").is_some() => {
            tell("repeat", "only a block is repeated: write phases: [...] in place of the phase's kind");
        }
        Some(inner) if inner.items().is_empty() => tell("phases", "the block has no phases"),
        Some(_) if node.get("forget").is_some() => {
            tell("forget", "a phase has seats forget, not a block: write it on a phase of the block");
        }
        None | Some(_) => {}
    }
}

/// A phase of a session, in one pass of each block that holds it.
pub struct PhaseInPass<'a> {
    /// The phase as written.
    pub written: &'a PhaseConfig,
    /// Its position among the phases as written.
    pub position: usize,
    /// The passes of its repeated blocks, of the outermost first.
    pub passes: Vec<Pass>,
    /// The blocks that hold it, the outermost first.
    pub within: Vec<SpanKey>,
    /// The group in which it takes place; `None` outside groups.
    pub group: Option<GroupPlace>,
}

/// What tells one place of a block in the agenda from its others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SpanKey {
    /// The block, by its position.
    pub block: usize,
    /// The numbers of the passes of the blocks around it.
    pub around: Vec<u32>,
    /// The number of the group in which it takes place; `None` outside groups.
    pub group: Option<u32>,
}

impl PhaseInPass<'_> {
    /// Its name with the passes.
    pub fn name(&self) -> PhaseName {
        let name = PhaseName::in_passes(&self.written.name, self.passes.iter().map(Pass::label));
        self.group.as_ref().map_or(name.clone(), |group| name.in_group(group.number))
    }
}

/// The phases of a session in order, each pass of a block after the other, and each group of an assignment after the other; `groups`
/// has the number of groups of each assignment, and phases in groups of others are listed once.
pub fn list_passes<'a>(
    (phases, blocks): (&'a [PhaseConfig], &[AgendaBlock]),
    groups: &BTreeMap<String, u32>,
    lower_thing: &dyn Fn(&ForConfig) -> Option<Thing>,
) -> Vec<PhaseInPass<'a>> {
    let mut lister = PassLister {
        phases,
        blocks,
        groups,
        lower_thing,
        passes: Vec::new(),
        group: None,
        regions: 0,
        all: Vec::new(),
    };
    lister.gather(&(0..phases.len()).collect::<Vec<usize>>(), 0);
    lister.all
}

/// Lists phases pass by pass and group by group.
struct PassLister<'a, 'b> {
    phases: &'a [PhaseConfig],
    blocks: &'b [AgendaBlock],
    groups: &'b BTreeMap<String, u32>,
    /// Lowers what a block takes place for.
    lower_thing: &'b dyn Fn(&ForConfig) -> Option<Thing>,
    /// The passes around the place.
    passes: Vec<Pass>,
    /// The group around the place, with the number of blocks around that.
    group: Option<(GroupPlace, usize)>,
    regions: usize,
    all: Vec<PhaseInPass<'a>>,
}

impl PassLister<'_, '_> {
    fn gather(&mut self, positions: &[usize], depth: usize) {
        let (phases, blocks) = (self.phases, self.blocks);
        let block_of = |position: usize| phases[position].within.get(depth).copied();
        for run in positions.chunk_by(|one, other| block_of(*one).is_some() && block_of(*one) == block_of(*other)) {
            let block = block_of(run[0]);
            let assignment = block.map_or(&phases[run[0]].groups, |block| &blocks[block].groups);
            let known = assignment.as_ref().and_then(|name| Some((name, *self.groups.get(name)?)));
            match known.filter(|_| self.group.is_none()) {
                None => self.list(run, block, depth),
                Some((assignment, groups)) => {
                    let region = self.regions;
                    self.regions += 1;
                    for number in 1..=groups {
                        self.group = Some((GroupPlace { assignment: assignment.clone(), number, region }, depth));
                        self.list(run, block, depth);
                    }
                    self.group = None;
                }
            }
        }
    }

    /// Lists a phase, or the phases of a block in each of its passes.
    fn list(&mut self, run: &[usize], block: Option<usize>, depth: usize) {
        let Some(block) = block else {
            let (written, position, mut repeated) = (&self.phases[run[0]], run[0], 0);
            let mut within = Vec::new();
            for (level, block) in written.within.iter().copied().enumerate() {
                let around = self.passes[..repeated].iter().map(|pass| pass.number).collect();
                let group = self.group.as_ref().filter(|(_, depth)| *depth <= level).map(|(place, _)| place.number);
                within.push(SpanKey { block, around, group });
                repeated += usize::from(self.blocks[block].times.is_some());
            }
            let group = self.group.as_ref().map(|(place, _)| place.clone());
            self.all.push(PhaseInPass { written, position, passes: self.passes.clone(), within, group });
            return;
        };
        let block = &self.blocks[block];
        let Some(of) = block.times else { return self.gather(run, depth + 1) };
        for number in 1..=of {
            let times = || Some(Thing::Times { times: lower_formula(block.live_times.as_ref()?), assumed: None });
            let thing = block.each.as_ref().and_then(self.lower_thing).or_else(times);
            self.passes.push(Pass { block: block.name.clone(), number, of, thing });
            self.gather(run, depth + 1);
            self.passes.pop();
        }
    }
}
