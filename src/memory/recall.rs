//! A search index of the statements on a floor.
//!
//! The cost of a search does not grow with the talk: it uses only the rarest words of the query, and for each word only the
//! newest statements that contain it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::domain::Ranges;
use crate::text::{Bm25, split_terms, to_millionths};

/// The number of words of a query that count: the rarest.
const WORDS: usize = 16;
/// The number of statements with a word that count: the newest.
const HOLDERS: usize = 512;

/// An inverted index of statements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementIndex {
    /// For each word, the statements that contain it, in order, and its frequency in each.
    holders: BTreeMap<Box<str>, Vec<(u32, u32)>>,
    /// For each statement, its position on the floor and its number of words.
    statements: Vec<(u32, u32)>,
    /// Words in all statements.
    words: u64,
    /// The words of the subject, which begin every query for related statements.
    subject: Vec<Box<str>>,
    /// The words of the newest statement.
    newest: Vec<Box<str>>,
}

impl StatementIndex {
    /// An empty index; `subject` is the topic of the talk.
    pub fn new(subject: &str) -> Self {
        Self { subject: distinct_words(subject), ..Self::default() }
    }

    /// Adds the statement at this position on the floor.
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

    /// The `most` statements between two positions, without forgotten ones, that match a text best. Returns positions on the
    /// floor, best first; if scores are equal, the newest comes first. A statement without any word of the text does not match.
    pub fn find_best(&self, text: &str, within: Range<usize>, forgotten: &Ranges, most: usize) -> Vec<u32> {
        let words = distinct_words(text);
        self.rank_statements(words.iter().map(AsRef::as_ref), (within, forgotten), most)
    }

    /// Like `find_best`, for the subject and the newest statement.
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

/// The distinct words of a text, in order.
fn distinct_words(text: &str) -> Vec<Box<str>> {
    let mut seen = BTreeSet::new();
    let words = split_terms(text).filter(|term| seen.insert(term.word.to_string()));
    words.map(|term| term.word.as_ref().into()).collect()
}
