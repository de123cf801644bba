//! What the naive memory recalls: every statement is weighed anew each time.

use std::collections::BTreeSet;

use ekklesia::memory::{FloorEvent, MemoryPolicy};
use ekklesia::text::{Bm25, millionths, terms};

use super::motion;
use super::naive::{Naive, Thing};

/// So many of the rarest words count, and so many of the newest statements that hold one.
const RAREST: usize = 16;
const NEWEST: usize = 512;

pub(super) fn words_of(text: &str) -> Vec<String> {
    terms(text).map(|term| term.word.into_owned()).collect()
}

impl Naive {
    /// The length of what is shown, without what is pinned.
    pub(super) fn length_shown(&self, seat: usize) -> u64 {
        let recalled: u64 = self.recalled(seat).iter().map(|place| self.floor[*place as usize].length).sum();
        self.length(seat, &self.brief(seat)) + self.told_length(seat) + recalled
    }

    /// The places of older statements that are shown beside the brief, in their order.
    pub(super) fn recalled(&self, seat: usize) -> Vec<u32> {
        let is_shown = !self.seats[seat].is_bare && self.plan.policy != MemoryPolicy::None;
        let Some(most) = self.plan.recall.filter(|_| is_shown) else { return Vec::new() };
        let brief = self.brief(seat);
        let statements = self.statements();
        let shown = statements.iter().find(|place| brief.contains(&Thing::Remark(**place)));
        let until = shown.copied().unwrap_or(self.floor.len());
        let mut ranked = self.ranked(self.seats[seat].forgotten, until);
        ranked.retain(|place| !self.floor[*place].is_pinned && !self.seats[seat].lost.contains(&Thing::Remark(*place)));
        ranked.truncate(most as usize);
        let limit = if self.plan.policy == MemoryPolicy::Full { u64::MAX } else { self.plan.memory_character_limit };
        let mut room = self.room(seat, limit);
        if let Some(allowance) = self.seats[seat].allowance {
            let shown = self.length(seat, &brief) + self.told_length(seat);
            room = room.min(self.room(seat, allowance).saturating_sub(shown));
        }
        let (mut fitting, mut sum) = (Vec::new(), 0);
        for place in ranked {
            sum += self.floor[place].length;
            if sum > room {
                break;
            }
            fitting.push(place as u32);
        }
        fitting.sort_unstable();
        fitting
    }

    /// The statements between two places that answer the motion and the newest statement, the best first.
    fn ranked(&self, from: usize, until: usize) -> Vec<usize> {
        let is_statement = |place: &usize| self.floor[*place].event == FloorEvent::Statement;
        let statements: Vec<usize> = (0..self.floor.len()).filter(is_statement).collect();
        let Some(newest) = statements.last() else { return Vec::new() };
        let (mut asked, mut seen) = (Vec::new(), BTreeSet::new());
        for word in words_of(&motion().text).into_iter().chain(self.floor[*newest].words.iter().cloned()) {
            if seen.insert(word.clone()) {
                asked.push(word);
            }
        }
        let holding = |word: &String| {
            let held = statements.iter().copied().filter(|place| self.floor[*place].words.contains(word));
            held.collect::<Vec<usize>>()
        };
        let mut held: Vec<(String, Vec<usize>)> =
            asked.into_iter().map(|word| (word.clone(), holding(&word))).collect();
        held.retain(|(_, holders)| !holders.is_empty());
        held.sort_by_key(|(_, holders)| holders.len());
        held.truncate(RAREST);
        let words = statements.iter().map(|place| self.floor[*place].words.len() as u64).sum();
        let collection = Bm25 { texts: statements.len() as u64, words };
        let score = |place: usize| {
            let mut score = 0.0;
            for (word, holders) in &held {
                let counts: Vec<usize> = holders.iter().copied().filter(|other| *other < until).collect();
                if counts[counts.len().saturating_sub(NEWEST)..].contains(&place) {
                    let own = &self.floor[place].words;
                    let times = own.iter().filter(|other| *other == word).count() as u64;
                    score += collection.part(collection.weight(holders.len() as u64), times, own.len() as u64);
                }
            }
            score
        };
        let scored = (from..until).filter(is_statement).map(|place| (score(place), place));
        let mut scored: Vec<(u64, usize)> =
            scored.filter(|(score, _)| *score > 0.0).map(|(score, place)| (millionths(score), place)).collect();
        scored.sort_unstable_by(|one, other| other.cmp(one));
        scored.into_iter().map(|(_, place)| place).collect()
    }
}
