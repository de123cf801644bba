//! What seats have heard that hear the same and remember alike, from the records alone: where no record tells who hears whom, that is everything.

use std::collections::BTreeMap;

use super::parts::{PartStart, WitnessedRemark};
use super::talk::WitnessedTalk;
use crate::memory::MemoryPlan;

/// What one group of seats has heard that remember alike.
#[derive(Debug, Clone)]
pub(in crate::session) struct HearingGroup {
    /// How the seats of the group remember.
    pub memory: MemoryPlan,
    /// What was said, in order.
    pub floor: Vec<WitnessedRemark>,
    /// Where each phase began.
    pub phases: Vec<PartStart>,
    /// Where on the floor the round under way began.
    pub round_from: usize,
    /// The statements and marks, where seats are told where the talk stands.
    pub talk: Option<WitnessedTalk>,
    /// The places on the floor of statements, of announcements that may be dropped, and of those that never are.
    pub places: [Vec<u32>; 3],
    /// How many of each were found to be true from the beginning.
    pub checked_floor: [usize; 3],
}

/// Who hears the same as who.
#[derive(Debug, Clone)]
pub(in crate::session) struct HearingGroups {
    pub all: Vec<HearingGroup>,
    /// For each seat what it hears.
    pub of: Vec<usize>,
    /// For each seat where it is heard.
    pub hear: Vec<Vec<usize>>,
}

impl HearingGroups {
    /// Nothing was heard, and all seats, whose memories these are, hear everything.
    pub fn new(
        talk: impl Fn(&MemoryPlan) -> Option<WitnessedTalk>,
        memories: impl Iterator<Item = MemoryPlan>,
    ) -> Self {
        let mut hearings = Self { all: Vec::new(), of: Vec::new(), hear: Vec::new() };
        for memory in memories {
            let known = hearings.all.iter().position(|group| group.memory == memory);
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

    /// What a seat has heard.
    pub fn group_of(&self, seat: usize) -> &HearingGroup {
        &self.all[self.of[seat]]
    }

    /// The same, to note what of it was checked.
    pub fn group_of_mut(&mut self, seat: usize) -> &mut HearingGroup {
        &mut self.all[self.of[seat]]
    }

    /// All who hear a seat, or everyone.
    pub fn who_hear(&self, speaker: Option<usize>) -> Vec<usize> {
        speaker.map_or_else(|| (0..self.all.len()).collect(), |speaker| self.hear[speaker].clone())
    }

    /// Seats hear these others, each by its position, and themselves.
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
