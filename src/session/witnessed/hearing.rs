//! What each group of seats has heard, from the records alone. The seats of a group hear the same and remember alike; unless a
//! record says who hears whom, every seat hears everything.

use std::collections::BTreeMap;

use super::parts::{PartStart, WitnessedRemark};
use super::talk::WitnessedTalk;
use crate::domain::Record;
use crate::memory::MemoryPlan;
use crate::plan::Plan;

/// What one group of seats has heard.
#[derive(Debug, Clone)]
pub(in crate::session) struct HearingGroup {
    /// How the seats of the group remember.
    pub memory: MemoryPlan,
    /// The remarks, in order.
    pub floor: Vec<WitnessedRemark>,
    pub phases: Vec<PartStart>,
    /// The position on the floor at which the current round began.
    pub round_from: usize,
    /// Statements and marks; `None` if no phase reads marks and no summary of the talk is shown.
    pub talk: Option<WitnessedTalk>,
    /// Positions on the floor: of unpinned statements, of unpinned announcements, and of pinned remarks.
    pub places: [Vec<u32>; 3],
    /// For each list of `places`, the number of remarks from the first that the proof has verified.
    pub checked_floor: [usize; 3],
}

impl HearingGroup {
    /// Has what follows belong to the phase of a record. A seat outside groups may hear several that go on side by side.
    pub fn enter_part(&mut self, record: &Record) {
        if self.phases.last().is_none_or(|part| part.phase != record.at.phase) {
            let (phase, place, seq) = (record.at.phase.clone(), self.floor.len(), record.seq);
            self.phases.push(PartStart { phase, place, seq });
        }
    }
}

/// The groups, and which of them hear whom.
#[derive(Debug, Clone)]
pub(in crate::session) struct HearingGroups {
    pub all: Vec<HearingGroup>,
    /// The group of each seat.
    pub of: Vec<usize>,
    /// For each seat, the groups that hear it.
    pub hear: Vec<Vec<usize>>,
}

impl HearingGroups {
    /// Groups by memory plan, without remarks; if phases limit who hears them, each seat is a group of its own.
    pub fn new(talk: impl Fn(&MemoryPlan) -> Option<WitnessedTalk>, plan: &Plan) -> Self {
        let mut hearings = Self { all: Vec::new(), of: Vec::new(), hear: Vec::new() };
        for memory in plan.seats.iter().map(|seat| seat.memory) {
            let known = hearings.all.iter().position(|group| group.memory == memory).filter(|_| !plan.limits_hearing());
            hearings.of.push(known.unwrap_or(hearings.all.len()));
            if known.is_none() {
                let (floor, phases, places) = (Vec::new(), Vec::new(), Default::default());
                let (talk, checked_floor) = (talk(&memory), [0; 3]);
                hearings.all.push(HearingGroup { memory, floor, phases, round_from: 0, talk, places, checked_floor });
            }
        }
        hearings.hear = vec![(0..hearings.all.len()).collect(); hearings.of.len()];
        hearings
    }

    pub fn group_of(&self, seat: usize) -> &HearingGroup {
        &self.all[self.of[seat]]
    }

    pub fn group_of_mut(&mut self, seat: usize) -> &mut HearingGroup {
        &mut self.all[self.of[seat]]
    }

    /// The groups that hear a speaker; without a speaker, all.
    pub fn who_hear(&self, speaker: Option<usize>) -> Vec<usize> {
        speaker.map_or_else(|| (0..self.all.len()).collect(), |speaker| self.hear[speaker].clone())
    }

    /// Splits the groups by who hears whom. `hears` lists the others that each seat hears.
    pub fn split_groups(&mut self, hears: &[Vec<usize>]) {
        let nothing = std::mem::take(&mut self.all);
        let mut groups: BTreeMap<(Vec<usize>, usize), usize> = BTreeMap::new();
        self.hear = vec![Vec::new(); hears.len()];
        for (listener, others) in hears.iter().enumerate() {
            let mut heard: Vec<usize> = others.iter().copied().chain([listener]).collect();
            heard.sort_unstable();
            heard.dedup();
            let of_its_memory = self.of[listener];
            self.of[listener] = *groups.entry((heard, of_its_memory)).or_insert_with_key(|(heard, _)| {
                heard.iter().for_each(|speaker| self.hear[*speaker].push(self.all.len()));
                self.all.push(nothing[of_its_memory].clone());
                self.all.len() - 1
            });
        }
    }
}
