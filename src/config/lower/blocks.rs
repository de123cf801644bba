//! Blocks of phases: the agenda as a flat list, and the passes of repeated blocks as phases of their own.

use crate::config::lower::each;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::{Block, Scenario};
use crate::config::tree::Node;
use crate::config::written::scenario::{PhaseConfig, RepeatConfig};
use crate::domain::PhaseName;
use crate::plan::Pass;

/// The most phases of a session, each pass of a block counted.
const PHASES_MAX: u64 = 10_000;

/// The phases of an agenda with the blocks that hold them.
pub fn flatten_agenda(agenda: Vec<PhaseConfig>) -> (Vec<PhaseConfig>, Vec<Block>) {
    fn gather(agenda: Vec<PhaseConfig>, within: &[usize], (phases, blocks): (&mut Vec<PhaseConfig>, &mut Vec<Block>)) {
        for mut phase in agenda {
            match phase.phases.take() {
                Some(inner) => {
                    let things = phase.each.as_ref().map(|each| each::words_of(each).len().max(1) as u32);
                    let times = phase.repeat.as_ref().map(RepeatConfig::passes_max).or(things);
                    let until = phase.repeat.and_then(|repeat| repeat.until);
                    blocks.push(Block {
                        name: phase.name,
                        times,
                        each: phase.each,
                        when: phase.when,
                        until,
                        who: phase.who,
                    });
                    let within = [within, &[blocks.len() - 1]].concat();
                    gather(inner, &within, (phases, blocks));
                }
                None => phases.push(PhaseConfig { within: within.to_vec(), ..phase }),
            }
        }
    }
    let (mut phases, mut blocks) = (Vec::new(), Vec::new());
    gather(agenda, &[], (&mut phases, &mut blocks));
    (phases, blocks)
}

impl Scenario {
    /// Checks the repetition of blocks, and that the passes are not too many.
    pub fn check_blocks(&self, problems: &mut Problems) {
        let list = self.tree.get("agenda").unwrap_or(&self.tree);
        check_block_nodes(list.items(), problems);
        let blocks = each::reckon_passes(self, None);
        let passes = |phase: &PhaseConfig| -> u64 {
            let times = phase.within.iter().map(|place| blocks[*place].times.unwrap_or(1));
            times.fold(1, |passes, times| passes.saturating_mul(times.into()))
        };
        let all = self.written.agenda.iter().fold(0_u64, |all, phase| all.saturating_add(passes(phase)));
        if all > PHASES_MAX {
            let message = format!("a session would have {all} phases, each pass counted; at most {PHASES_MAX}");
            problems.push(Problem::at_place(&list.place, "agenda", message));
        }
    }

    /// The names of phases and blocks with their nodes, in the order in which they are written.
    pub fn agenda_names(&self) -> Vec<(&str, &Node)> {
        fn gather<'n>(items: &'n [Node], names: &mut Vec<(&'n str, &'n Node)>) {
            for item in items {
                names.extend(item.get("name").and_then(Node::as_text).map(|name| (name, item)));
                gather(item.get("phases").map(Node::items).unwrap_or_default(), names);
            }
        }
        let mut names = Vec::new();
        gather(self.tree.get("agenda").map(Node::items).unwrap_or_default(), &mut names);
        names
    }
}

fn check_block_nodes(items: &[Node], problems: &mut Problems) {
    for (position, item) in items.iter().enumerate() {
        let path = format!("agenda.{}", item.segment(position));
        if let Some(repeat) = item.get("repeat") {
            let [times, until, max] = ["times", "until", "max"].map(|key| repeat.get(key).is_some());
            if times == (until && max) || until != max {
                let message = "a block is repeated by times, or by until with max: write times: N, or until: CONDITION and max: N";
                problems.push(Problem::at_place(&repeat.place, format!("{path}.repeat"), message));
            }
        }
        match item.get("phases") {
            None if item.get("repeat").is_some() => {
                let message = "only a block is repeated: write phases: [...] in place of the phase's kind";
                problems.push(Problem::at_place(item.place_of("repeat"), format!("{path}.repeat"), message));
            }
            None => {}
            Some(inner) if inner.items().is_empty() => {
                problems.push(Problem::at_place(&inner.place, format!("{path}.phases"), "the block has no phases"));
            }
            Some(inner) => check_block_nodes(inner.items(), problems),
        }
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
    /// The blocks that hold it, the outermost first, each with the passes of the blocks around it.
    pub within: Vec<(usize, Vec<u32>)>,
}

impl PhaseInPass<'_> {
    /// Its name with the passes.
    pub fn name(&self) -> PhaseName {
        PhaseName::in_passes(&self.written.name, self.passes.iter().map(Pass::label))
    }
}

/// The phases of a session in order, each pass of a block after the other.
pub fn list_passes<'a>(
    phases: &'a [PhaseConfig],
    blocks: &[Block],
    find_texts: &dyn Fn(&str) -> Option<usize>,
) -> Vec<PhaseInPass<'a>> {
    let mut all = Vec::new();
    let positions: Vec<usize> = (0..phases.len()).collect();
    gather_passes((phases, blocks, find_texts), &positions, (0, &mut Vec::new()), &mut all);
    all
}

/// The phases, their blocks, and the positions of names of kept texts.
type PassSource<'a, 'b> = (&'a [PhaseConfig], &'b [Block], &'b dyn Fn(&str) -> Option<usize>);

fn gather_passes<'a>(
    (phases, blocks, find_texts): PassSource<'a, '_>,
    positions: &[usize],
    (depth, passes): (usize, &mut Vec<Pass>),
    all: &mut Vec<PhaseInPass<'a>>,
) {
    let block_of = |position: usize| phases[position].within.get(depth).copied();
    for run in positions.chunk_by(|one, other| block_of(*one).is_some() && block_of(*one) == block_of(*other)) {
        match block_of(run[0]) {
            None => {
                let (written, position) = (&phases[run[0]], run[0]);
                let within = written.within.iter().scan(0, |repeated, block| {
                    let around = passes[..*repeated].iter().map(|pass: &Pass| pass.number).collect();
                    *repeated += usize::from(blocks[*block].times.is_some());
                    Some((*block, around))
                });
                all.push(PhaseInPass { written, position, passes: passes.clone(), within: within.collect() });
            }
            Some(block) => {
                let Some(of) = blocks[block].times else {
                    gather_passes((phases, blocks, find_texts), run, (depth + 1, passes), all);
                    continue;
                };
                for number in 1..=of {
                    passes.push(each::pass_of(&blocks[block], number, of, find_texts));
                    gather_passes((phases, blocks, find_texts), run, (depth + 1, passes), all);
                    passes.pop();
                }
            }
        }
    }
}
