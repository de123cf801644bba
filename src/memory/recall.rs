//! An index of the statements on a floor, which finds those that answer a question best. It grows with each statement.
//!
//! A search costs the same at any length of the talk: only the rarest words of the question count, and only the newest statements
//! that hold each of them. Nothing here knows what a seat is shown.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::domain::Ranges;
use crate::text::{Bm25, split_terms, to_millionths};

/// How many of a question's words count: the rarest.
const WORDS: usize = 16;
/// How many of the statements that hold a word count: the newest.
const HOLDERS: usize = 512;

/// The words of all statements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementIndex {
    /// For each word the statements that hold it, in order, and how often each does.
    holders: BTreeMap<Box<str>, Vec<(u32, u32)>>,
    /// For each statement its position on the floor, and how many words it has.
    statements: Vec<(u32, u32)>,
    /// Words in all statements.
    words: u64,
    /// The words that questions of every seat begin with.
    subject: Vec<Box<str>>,
    /// The words of the newest statement.
    newest: Vec<Box<str>>,
}

impl StatementIndex {
    /// No statement; `subject` is what all talk is about.
    pub fn new(subject: &str) -> Self {
        Self { subject: distinct_words(subject), ..Self::default() }
    }

    /// Takes a statement that stands at this position on the floor.
    pub fn push(&mut self, place: usize, text: &str) {
        let number = self.statements.len() as u32;
        let mut length = 0;
        for term in split_terms(text) {
            length += 1;
            let holders = match self.holders.get_mut(term.word.as_ref()) {
                Some(holders) => holders,
                None => self.holders.entry(term.word.as_ref().into()).or_default(),
            };
            match holders.last_mut() {
                Some((holder, times)) if *holder == number => *times += 1,
                _ => holders.push((number, 1)),
            }
        }
        self.words += u64::from(length);
        self.statements.push((place as u32, length));
        self.newest = distinct_words(text);
    }

    /// Of the statements that stand between two positions and at none of those that are forgotten, the `most` that answer a text
    /// best, as positions on the floor, the best first and of equal ones the newest. A statement that holds none of its words is no
    /// answer.
    pub fn find_best(&self, text: &str, within: Range<usize>, forgotten: &Ranges, most: usize) -> Vec<u32> {
        let words = distinct_words(text);
        self.rank_statements(words.iter().map(AsRef::as_ref), (within, forgotten), most)
    }

    /// The same for the subject and the newest statement.
    pub fn find_related(&self, within: Range<usize>, forgotten: &Ranges, most: usize) -> Vec<u32> {
        let words: Vec<&str> = self.subject.iter().map(AsRef::as_ref).collect();
        let others = self.newest.iter().map(AsRef::as_ref).filter(|word| !words.contains(word));
        self.rank_statements(words.iter().copied().chain(others), (within, forgotten), most)
    }

    fn rank_statements<'w>(
        &self,
        words: impl Iterator<Item = &'w str>,
        (within, forgotten): (Range<usize>, &Ranges),
        most: usize,
    ) -> Vec<u32> {
        let number = |place: usize| self.statements.partition_point(|(other, _)| (*other as usize) < place) as u32;
        let (first, end) = (number(within.start), number(within.end.max(within.start)));
        let mut known: Vec<&[(u32, u32)]> = words.filter_map(|word| Some(self.holders.get(word)?.as_slice())).collect();
        known.sort_by_key(|holders| holders.len());
        let collection = Bm25 { texts: self.statements.len() as u64, words: self.words };
        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for holders in known.into_iter().take(WORDS) {
            let weight = collection.weight(holders.len() as u64);
            let until = holders.partition_point(|(holder, _)| *holder < end);
            for (holder, times) in &holders[until.saturating_sub(HOLDERS)..until] {
                let (place, length) = self.statements[*holder as usize];
                if *holder >= first && !forgotten.holds(place as usize) {
                    *scores.entry(*holder).or_default() +=
                        collection.score_part(weight, u64::from(*times), u64::from(length));
                }
            }
        }
        let mut ranked: Vec<(u64, u32)> =
            scores.into_iter().map(|(holder, score)| (to_millionths(score), holder)).collect();
        ranked.sort_unstable_by_key(|hit| Reverse(*hit));
        ranked.into_iter().take(most).map(|(_, holder)| self.statements[holder as usize].0).collect()
    }
}

/// The words of a text, each once, in their order.
fn distinct_words(text: &str) -> Vec<Box<str>> {
    let mut seen = BTreeSet::new();
    let words = split_terms(text).filter(|term| seen.insert(term.word.to_string()));
    words.map(|term| term.word.as_ref().into()).collect()
}
