//! What seats that hear the same have heard, from the records alone: where no record tells who hears whom, that is everything.

use std::collections::BTreeMap;

use super::forgotten::Began;
use super::talk::Talk;
use super::{Said, Visibility};
use crate::domain::{Event, Record};

/// What one group of seats has heard.
#[derive(Debug, Clone)]
pub(super) struct Hearing {
    /// What was said, in order.
    pub floor: Vec<Said>,
    /// Where each phase began.
    pub phases: Vec<Began>,
    /// Where on the floor the round under way began.
    pub round_from: usize,
    /// The statements and marks, where seats are told where the talk stands.
    pub talk: Option<Talk>,
    /// The places on the floor of statements, of announcements that may be dropped, and of those that never are.
    pub places: [Vec<u32>; 3],
    /// How many of each were found to be true from the beginning.
    pub checked_floor: [usize; 3],
}

/// Who hears the same as who.
#[derive(Debug, Clone)]
pub(super) struct Hearings {
    pub all: Vec<Hearing>,
    /// For each seat what it hears.
    of: Vec<usize>,
    /// For each seat where it is heard.
    hear: Vec<Vec<usize>>,
}

impl Hearings {
    /// Nothing was heard, and all so many seats hear everything.
    pub fn new(talk: Option<Talk>, seats: usize) -> Self {
        let (floor, phases, places) = (Vec::new(), Vec::new(), Default::default());
        let hearing = Hearing { floor, phases, round_from: 0, talk, places, checked_floor: [0; 3] };
        Self { all: vec![hearing], of: vec![0; seats], hear: vec![vec![0]; seats] }
    }

    /// What a seat has heard.
    pub fn of(&self, seat: usize) -> &Hearing {
        &self.all[self.of[seat]]
    }

    /// The same, to note what of it was checked.
    pub fn of_mut(&mut self, seat: usize) -> &mut Hearing {
        &mut self.all[self.of[seat]]
    }

    /// All who hear a seat, or everyone.
    pub fn who_hear(&self, speaker: Option<usize>) -> Vec<usize> {
        speaker.map_or_else(|| (0..self.all.len()).collect(), |speaker| self.hear[speaker].clone())
    }

    /// Seats hear these others, each by its position, and themselves.
    fn part(&mut self, hears: &[Vec<usize>]) {
        let nothing = self.all[0].clone();
        let mut groups: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        self.hear = vec![Vec::new(); hears.len()];
        self.of.clear();
        for (listener, others) in hears.iter().enumerate() {
            let mut heard: Vec<usize> = others.iter().copied().chain([listener]).collect();
            heard.sort_unstable();
            heard.dedup();
            let group = groups.len();
            let group = *groups.entry(heard.clone()).or_insert(group);
            if groups.len() > self.of.iter().max().map_or(0, |last| last + 1) {
                heard.iter().for_each(|speaker| self.hear[*speaker].push(group));
            }
            self.of.push(group);
        }
        self.all = vec![nothing; groups.len().max(1)];
    }
}

impl Visibility {
    /// Takes down who hears whom.
    pub(super) fn witness_network(&mut self, record: &Record) {
        let Event::Networked { hears } = &record.event else { return };
        let mut heard = vec![Vec::new(); self.seats.len()];
        for of_seat in hears {
            let Some(listener) = self.seats.get_index_of(&of_seat.seat) else { continue };
            heard[listener] = of_seat.hears.iter().filter_map(|name| self.seats.get_index_of(name)).collect();
        }
        self.heard.part(&heard);
    }

    /// Whether a seat has heard what a record says.
    pub(super) fn has_heard(&self, seat: usize, record: crate::domain::Seq) -> bool {
        self.heard.of(seat).floor.binary_search_by_key(&record, |said| said.seq).is_ok()
    }
}
