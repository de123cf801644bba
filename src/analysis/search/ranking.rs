//! Ranks the records that match a query.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use indexmap::IndexSet;

use super::index::{Document, IndexedSession, SearchIndex, WordPlace};
use super::search_query::SearchQuestion;
use crate::text::{Bm25, to_millionths};

/// The most letters by which a near word may differ.
const NEAR: usize = 2;

/// The filters of a search; `None` filters nothing. A filter removes records and never changes a score.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sieve {
    /// Only this session.
    pub session: Option<String>,
    /// Only sessions of this arm.
    pub arm: Option<String>,
    /// Only sessions of this item.
    pub item: Option<String>,
    /// Only statements and answers of this seat.
    pub seat: Option<String>,
    /// Only this phase.
    pub phase: Option<String>,
    /// Only these rounds.
    pub rounds: Option<RangeInclusive<u32>>,
    /// Only records of this kind.
    pub kind: Option<String>,
    /// Only this many of each session's newest records, after all other filters.
    pub last: Option<u32>,
}

/// A matching record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The record.
    pub document: Document,
    /// Its score, in millionths.
    pub score: u64,
    /// The number of the query's words that it holds as separate words.
    pub whole_words: u32,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchHits {
    /// For each word of the query, the number of records that hold it, also inside longer words.
    pub records_with: Vec<u32>,
    /// Records that pass the filters.
    pub searched: u64,
    /// Sessions that pass the filters by session, arm and item.
    pub sessions: u64,
    /// Records that pass the filters and match.
    pub found: u64,
    /// Records that match without filters.
    pub found_anywhere: u64,
    /// The best matches, sorted by score (highest first), number of separate words (most first), record (newest first), session.
    pub hits: Vec<Hit>,
}

impl Sieve {
    /// Whether records of a session can pass.
    fn admits_session(&self, session: &IndexedSession) -> bool {
        let is =
            |wanted: &Option<String>, name: Option<&str>| wanted.as_deref().is_none_or(|wanted| name == Some(wanted));
        is(&self.session, Some(&session.name)) && is(&self.arm, Some(&session.arm)) && is(&self.item, session.item())
    }
}

/// A word of a query, and the records that hold it.
struct WordHolders<'i> {
    /// Its places as a separate word.
    places: &'i [WordPlace],
    /// Per record, the occurrences of longer words that contain it.
    longer: BTreeMap<u32, u32>,
}

/// A record's score.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    sum: f64,
    whole_words: u32,
}

impl SearchIndex {
    /// The `most` best matches of a query.
    pub fn rank_records(&self, question: &SearchQuestion, sieve: &Sieve, most: usize) -> SearchHits {
        let is_in: Vec<bool> = self.sessions.iter().map(|session| sieve.admits_session(session)).collect();
        let passes = self.filter_documents(sieve, &is_in);
        let mut scores = vec![Score::default(); self.documents.len()];
        let holders = question.words.iter().map(|word| self.find_holders(question, word));
        let records_with: Vec<u32> = holders.map(|holders| self.add_scores(&holders, &mut scores)).collect();
        for phrase in &question.phrases {
            let holding = self.phrase_documents(phrase);
            let lacking = (0..).zip(&mut scores).filter(|(document, _)| holding.binary_search(document).is_err());
            lacking.for_each(|(_, score)| *score = Score::default());
        }
        let held = |place: &usize| scores[*place].sum > 0.0;
        let mut best: Vec<usize> = (0..self.documents.len()).filter(held).collect();
        let found_anywhere = best.len() as u64;
        best.retain(|place| passes[*place]);
        let hit = |place: usize| {
            let Score { sum, whole_words } = scores[place];
            Hit { document: self.documents[place], score: to_millionths(sum), whole_words }
        };
        let mut hits: Vec<Hit> = best.into_iter().map(hit).collect();
        let found = hits.len() as u64;
        let order =
            |hit: &Hit| (Reverse(hit.score), Reverse(hit.whole_words), Reverse(hit.document.seq), hit.document.session);
        hits.sort_unstable_by_key(order);
        hits.truncate(most);
        let searched = passes.iter().filter(|passes| **passes).count() as u64;
        let sessions = is_in.iter().filter(|is_in| **is_in).count() as u64;
        SearchHits { records_with, searched, sessions, found, found_anywhere, hits }
    }

    /// Adds a word's part to the score of each record that holds it; returns the number of these records.
    ///
    /// A record that holds the word only inside longer words scores less for it than any record that holds it as a separate word.
    fn add_scores(&self, holders: &WordHolders<'_>, scores: &mut [Score]) -> u32 {
        let collection = Bm25 { texts: self.documents.len() as u64, words: self.words };
        let records = || holders.places.chunk_by(|one, next| one.0 == next.0);
        let whole = records().count() as u32;
        let (weight, mut least_part) = (collection.weight(u64::from(whole)), f64::INFINITY);
        let part = |weight: f64, document: u32, times: u64| {
            collection.score_part(weight, times, u64::from(self.documents[document as usize].words))
        };
        let mut only_longer = holders.longer.clone();
        for places in records() {
            let document = places[0].0;
            let part = part(weight, document, places.len() as u64);
            least_part = least_part.min(part);
            only_longer.remove(&document);
            let score = &mut scores[document as usize];
            *score = Score { sum: score.sum + part, whole_words: score.whole_words + 1 };
        }
        let all = whole + only_longer.len() as u32;
        let weight = collection.weight(u64::from(all)).min(least_part / Bm25::PART_LIMIT);
        for (document, times) in only_longer {
            scores[document as usize].sum += part(weight, document, times.into());
        }
        all
    }

    /// At most `most` words of the archive that resemble a word: longer words that begin with it, and words that differ by one or
    /// two letters. The nearest come first, and among equally near ones those in most records.
    pub fn near_words(&self, word: &str, most: usize) -> Vec<String> {
        let letters = word.chars().count();
        let differ_most = if letters < 5 { 1 } else { NEAR };
        let mut near = Vec::new();
        for (other, places) in &self.terms {
            // A letter has at most four bytes.
            if other.len().abs_diff(word.len()) > 4 * NEAR && !other.starts_with(word) {
                continue;
            }
            let differ = match strsim::osa_distance(word, other) {
                _ if letters > 2 && other.starts_with(word) => 0,
                differ if differ <= differ_most && differ < letters => differ,
                _ => continue,
            };
            near.push((differ, Reverse(places.chunk_by(|one, next| one.0 == next.0).count()), other));
        }
        near.sort_unstable();
        near.into_iter().take(most).map(|(.., word)| word.clone()).collect()
    }

    /// Whether each document passes the filters; `sessions` gives the sessions that pass.
    fn filter_documents(&self, sieve: &Sieve, sessions: &[bool]) -> Vec<bool> {
        let place = |names: &IndexSet<String>, name: &Option<String>| {
            name.as_ref().map(|name| names.get_index_of(name).map(|place| place as u32))
        };
        let seat = place(&self.seats, &sieve.seat);
        let phase = place(&self.phases, &sieve.phase);
        let kind = place(&self.kinds, &sieve.kind);
        let mut passes = vec![false; self.documents.len()];
        let (mut session, mut left) = (u32::MAX, 0);
        for (document, passes) in self.documents.iter().zip(&mut passes).rev() {
            if document.session != session {
                (session, left) = (document.session, sieve.last.unwrap_or(u32::MAX));
            }
            *passes = sessions[session as usize]
                && left > 0
                && seat.is_none_or(|seat| seat.is_some() && seat == document.seat)
                && phase.is_none_or(|phase| phase == Some(document.phase))
                && kind.is_none_or(|kind| kind == Some(document.kind))
                && sieve.rounds.as_ref().is_none_or(|rounds| rounds.contains(&document.round));
            left -= u32::from(*passes);
        }
        passes
    }

    /// The places of a word; none of a word that no record holds.
    fn find_places(&self, word: &str) -> &[WordPlace] {
        self.terms.get(word).map_or(&[], Vec::as_slice)
    }

    /// The records that hold a word and, for a loose word, those that hold longer words that contain it.
    fn find_holders(&self, question: &SearchQuestion, word: &str) -> WordHolders<'_> {
        let mut longer = BTreeMap::new();
        if question.is_loose(word) {
            let finder = memchr::memmem::Finder::new(word);
            let contains = |other: &&String| other.len() != word.len() && finder.find(other.as_bytes()).is_some();
            for other in self.terms.keys().filter(contains) {
                self.find_places(other).iter().for_each(|(document, _)| *longer.entry(*document).or_default() += 1);
            }
        }
        WordHolders { places: self.find_places(word), longer }
    }

    /// The documents in which these words are consecutive, in order.
    fn phrase_documents(&self, phrase: &[String]) -> Vec<u32> {
        let mut ends = self.find_places(&phrase[0]).to_vec();
        for word in &phrase[1..] {
            let follows = |(document, place): &&WordPlace| {
                place.checked_sub(1).is_some_and(|before| ends.binary_search(&(*document, before)).is_ok())
            };
            ends = self.find_places(word).iter().filter(follows).copied().collect();
        }
        let mut documents: Vec<u32> = ends.into_iter().map(|(document, _)| document).collect();
        documents.dedup();
        documents
    }
}
