//! Ranks the records that match a query.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use super::bytes::Bytes;
use super::index::{Document, IndexedSession, SearchIndex};
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
struct Holders<'q> {
    word: &'q str,
    /// Records that hold it as a separate word.
    records: u32,
    postings: Vec<u8>,
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
    /// The `most` best matches of a query. `fetch` returns the index's bytes in a range behind the head. `None` if the index is
    /// damaged.
    pub fn rank_records(
        &self,
        question: &SearchQuestion,
        sieve: &Sieve,
        most: usize,
        fetch: &mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
    ) -> Option<SearchHits> {
        let is_in: Vec<bool> = self.sessions.iter().map(|session| sieve.admits_session(session)).collect();
        let passes = self.filter_documents(sieve, &is_in)?;
        let holders = question.words.iter().map(|word| self.find_holders((question, word), fetch));
        let holders: Vec<Holders<'_>> = holders.collect::<Option<_>>()?;
        let mut scores = vec![Score::default(); self.len()];
        let records_with: Vec<u32> =
            holders.iter().map(|holders| self.add_scores(holders, &mut scores)).collect::<Option<_>>()?;
        keep_phrases(question, &holders, &mut scores)?;
        let held = |place: &usize| scores[*place].sum > 0.0;
        let mut best: Vec<usize> = (0..self.len()).filter(held).collect();
        let found_anywhere = best.len() as u64;
        best.retain(|place| passes[*place]);
        let hit = |place: usize| {
            let Score { sum, whole_words } = scores[place];
            Some(Hit { document: self.document(place)?, score: to_millionths(sum), whole_words })
        };
        let mut hits: Vec<Hit> = best.into_iter().map(hit).collect::<Option<_>>()?;
        let found = hits.len() as u64;
        let order =
            |hit: &Hit| (Reverse(hit.score), Reverse(hit.whole_words), Reverse(hit.document.seq), hit.document.session);
        if most < hits.len() && most > 0 {
            hits.select_nth_unstable_by_key(most - 1, order);
        }
        hits.truncate(most);
        hits.sort_unstable_by_key(order);
        let searched = passes.iter().filter(|passes| **passes).count() as u64;
        let sessions = is_in.iter().filter(|is_in| **is_in).count() as u64;
        Some(SearchHits { records_with, searched, sessions, found, found_anywhere, hits })
    }

    /// Adds a word's part to the score of each record that holds it; returns the number of these records.
    ///
    /// A record that holds the word only inside longer words scores less for it than any record that holds it as a separate word.
    fn add_scores(&self, holders: &Holders<'_>, scores: &mut [Score]) -> Option<u32> {
        let Holders { records, postings, longer, .. } = holders;
        let collection = Bm25 { texts: self.len() as u64, words: self.words };
        let (weight, mut least_part) = (collection.weight(u64::from(*records)), f64::INFINITY);
        let part = |weight: f64, document: u32, times: u32| {
            let words = self.document(document as usize)?.words;
            Some(collection.score_part(weight, u64::from(times), u64::from(words)))
        };
        let (mut postings, mut document, mut only_longer) = (Bytes(postings), 0, longer.clone());
        for _ in 0..*records {
            document += postings.read_short()?;
            let times = postings.read_short()?;
            postings.skip_short(times)?;
            let part = part(weight, document, times)?;
            least_part = least_part.min(part);
            only_longer.remove(&document);
            let score = scores.get_mut(document as usize)?;
            *score = Score { sum: score.sum + part, whole_words: score.whole_words + 1 };
        }
        let all = records + only_longer.len() as u32;
        let weight = collection.weight(u64::from(all)).min(least_part / Bm25::PART_LIMIT);
        for (document, times) in only_longer {
            scores.get_mut(document as usize)?.sum += part(weight, document, times)?;
        }
        Some(all)
    }

    /// At most `most` words of the archive that resemble a word: longer words that begin with it, and words that differ by one or
    /// two letters. The nearest come first, and among equally near ones those in most records.
    pub fn near_words(&self, word: &str, most: usize) -> Option<Vec<String>> {
        let letters = word.chars().count();
        let differ_most = if letters < 5 { 1 } else { NEAR };
        let mut near = Vec::new();
        for place in 0..self.term_count() {
            let other = self.word(place)?;
            // A letter has at most four bytes.
            if other.len().abs_diff(word.len()) > 4 * NEAR && !other.starts_with(word) {
                continue;
            }
            let differ = match strsim::osa_distance(word, other) {
                _ if letters > 2 && other.starts_with(word) => 0,
                differ if differ <= differ_most && differ < letters => differ,
                _ => continue,
            };
            near.push((differ, Reverse(self.documents_with(place)?), other));
        }
        near.sort_unstable();
        Some(near.into_iter().take(most).map(|(.., word)| word.to_owned()).collect())
    }

    /// Whether each document passes the filters; `sessions` gives the sessions that pass.
    fn filter_documents(&self, sieve: &Sieve, sessions: &[bool]) -> Option<Vec<bool>> {
        let place = |names: &[String], name: &Option<String>| {
            name.as_ref().map(|name| names.iter().position(|other| other == name).map(|place| place as u32))
        };
        let seat = place(&self.seats, &sieve.seat);
        let phase = place(&self.phases, &sieve.phase);
        let kind = place(&self.kinds, &sieve.kind);
        let mut passes = vec![false; self.len()];
        let (mut session, mut is_in, mut left) = (u32::MAX, false, 0);
        for place in (0..self.len()).rev() {
            let document = self.document(place)?;
            if document.session != session {
                session = document.session;
                (is_in, left) = (*sessions.get(session as usize)?, sieve.last.unwrap_or(u32::MAX));
            }
            let passed = is_in
                && left > 0
                && seat.is_none_or(|seat| seat.is_some() && seat == document.seat)
                && phase.is_none_or(|phase| phase == Some(document.phase))
                && kind.is_none_or(|kind| kind == Some(document.kind))
                && sieve.rounds.as_ref().is_none_or(|rounds| rounds.contains(&document.round));
            left -= u32::from(passed);
            passes[place] = passed;
        }
        Some(passes)
    }

    /// The records that hold a word and, for a loose word, those that hold longer words that contain it.
    fn find_holders<'q>(
        &self,
        (question, word): (&SearchQuestion, &'q str),
        fetch: &mut dyn FnMut(Range<u64>) -> Option<Vec<u8>>,
    ) -> Option<Holders<'q>> {
        let mut fetch =
            |place: usize| fetch(self.postings_range(place)?).filter(|postings| self.is_sealed(place, postings));
        let mut holders = Holders { word, records: 0, postings: Vec::new(), longer: BTreeMap::new() };
        if let Some(place) = self.find_word(word) {
            (holders.records, holders.postings) = (self.documents_with(place)?, fetch(place)?);
        }
        let finder = memchr::memmem::Finder::new(word);
        let places = if question.is_loose(word) { 0..self.term_count() } else { 0..0 };
        for place in places {
            let other = self.word(place)?;
            if other.len() == word.len() || finder.find(other.as_bytes()).is_none() {
                continue;
            }
            let postings = fetch(place)?;
            let (mut postings, mut document) = (Bytes(&postings), 0);
            for _ in 0..self.documents_with(place)? {
                document += postings.read_short()?;
                let times = postings.read_short()?;
                postings.skip_short(times)?;
                *holders.longer.entry(document).or_default() += times;
            }
        }
        Some(holders)
    }
}

/// Clears the scores of documents that lack a phrase.
fn keep_phrases(question: &SearchQuestion, holders: &[Holders<'_>], scores: &mut [Score]) -> Option<()> {
    for phrase in &question.phrases {
        let holding = phrase_documents(phrase, holders)?;
        let mut next = holding.iter().peekable();
        for (document, score) in scores.iter_mut().enumerate() {
            if next.next_if(|holding| **holding as usize == document).is_none() {
                *score = Score::default();
            }
        }
    }
    Some(())
}

/// The documents in which these words are consecutive.
fn phrase_documents(phrase: &[String], holders: &[Holders<'_>]) -> Option<Vec<u32>> {
    // Documents, with the places at which the phrase so far ends.
    let mut ends: Vec<(u32, Vec<u32>)> = Vec::new();
    for (nth, word) in phrase.iter().enumerate() {
        let Holders { records, postings, .. } = holders.iter().find(|holders| holders.word == word)?;
        let mut before = std::mem::take(&mut ends).into_iter().peekable();
        let (mut postings, mut document) = (Bytes(postings), 0);
        for _ in 0..*records {
            document += postings.read_short()?;
            let (times, mut at) = (postings.read_short()?, 0);
            while before.next_if(|(earlier, _)| *earlier < document).is_some() {}
            let follows = before.next_if(|(same, _)| *same == document);
            if nth > 0 && follows.is_none() {
                postings.skip_short(times)?;
                continue;
            }
            let mut here = Vec::new();
            for _ in 0..times {
                at += postings.read_short()?;
                let is_behind = |ends: &Vec<u32>| at > 0 && ends.binary_search(&(at - 1)).is_ok();
                if follows.as_ref().is_none_or(|(_, ends)| is_behind(ends)) {
                    here.push(at);
                }
            }
            if !here.is_empty() {
                ends.push((document, here));
            }
        }
    }
    Some(ends.into_iter().map(|(document, _)| document).collect())
}
