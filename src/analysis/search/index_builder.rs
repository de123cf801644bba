//! Builds an index from records that hold words, session by session.

use indexmap::{IndexMap, IndexSet};

use super::bytes::{Bytes, put_short};
use super::index::{Document, IndexedSession, MinutesFingerprint, Parts, put_posting};
use crate::text::split_terms;

/// A record that holds words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage<'p> {
    /// Its sequence number in the session's minutes.
    pub seq: u64,
    /// The start of its line in the minutes, in bytes.
    pub offset: u64,
    /// Its phase.
    pub phase: &'p str,
    /// Its round; 0 outside rounds.
    pub round: u32,
    /// The seat that answered; `None` if no seat did.
    pub seat: Option<&'p str>,
    /// Its kind.
    pub kind: &'p str,
    /// Its words.
    pub text: &'p str,
}

/// An index under construction.
#[derive(Debug, Default)]
pub struct Collection {
    sessions: Vec<IndexedSession>,
    phases: IndexSet<String>,
    seats: IndexSet<String>,
    kinds: IndexSet<String>,
    documents: Vec<Document>,
    words: u64,
    terms: IndexMap<String, IndexPostings>,
    /// Words and places of the current passage; kept to reuse its memory.
    found: Vec<(u32, u32)>,
}

#[derive(Debug, Default)]
struct IndexPostings {
    documents: u32,
    last: u32,
    bytes: Vec<u8>,
}

impl Collection {
    /// Starts a session, to which the following passages belong. Sessions must come in the order of their names.
    pub fn begin_session(&mut self, name: &str, state: MinutesFingerprint) {
        let first_document = self.documents.len() as u32;
        let (name, arm) = (name.to_owned(), String::new());
        self.sessions.push(IndexedSession { name, arm, state, first_document, unread: (0, 0), unknown_texts: 0 });
    }

    /// Sets the arm of the current session.
    ///
    /// # Panics
    /// If there is no session.
    pub fn set_arm(&mut self, arm: &str) {
        arm.clone_into(&mut self.current_session().arm);
    }

    /// Counts a line of the current session, numbered from 1, that is not a record.
    ///
    /// # Panics
    /// If there is no session.
    pub fn leave_out(&mut self, line: u64) {
        let unread = &mut self.current_session().unread;
        unread.0 += 1;
        if unread.1 == 0 {
            unread.1 = line;
        }
    }

    /// Counts an exhibit of the current session whose text is unknown.
    ///
    /// # Panics
    /// If there is no session.
    pub fn miss_text(&mut self) {
        self.current_session().unknown_texts += 1;
    }

    /// Adds a passage, unless it has no words.
    ///
    /// # Panics
    /// If there is no session.
    pub fn add_passage(&mut self, passage: &Passage<'_>) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        for (term, place) in split_terms(passage.text).zip(0..) {
            let word = match self.terms.get_index_of(term.word.as_ref()) {
                Some(word) => word,
                None => self.terms.insert_full(term.word.into_owned(), IndexPostings::default()).0,
            };
            found.push((word as u32, place));
        }
        if !found.is_empty() {
            let document = self.documents.len() as u32;
            let entry = self.build_document(passage, found.len() as u32);
            self.documents.push(entry);
            self.words += found.len() as u64;
            found.sort_unstable();
            let mut places = Vec::new();
            for same in found.chunk_by(|a, b| a.0 == b.0) {
                places.clear();
                places.extend(same.iter().map(|(_, place)| *place));
                let postings = &mut self.terms[same[0].0 as usize];
                put_posting(document - postings.last, &places, &mut postings.bytes);
                postings.documents += 1;
                postings.last = document;
            }
        }
        self.found = found;
    }

    /// Appends another collection.
    pub fn append(&mut self, other: Collection) {
        let (sessions, documents) = (self.sessions.len() as u32, self.documents.len() as u32);
        let more = other.sessions.into_iter();
        self.sessions.extend(
            more.map(|session| IndexedSession { first_document: session.first_document + documents, ..session }),
        );
        let own = |names: &mut IndexSet<String>, theirs: IndexSet<String>| -> Vec<u32> {
            theirs.into_iter().map(|name| names.insert_full(name).0 as u32).collect()
        };
        let phases = own(&mut self.phases, other.phases);
        let seats = own(&mut self.seats, other.seats);
        let kinds = own(&mut self.kinds, other.kinds);
        self.documents.extend(other.documents.into_iter().map(|document| Document {
            session: document.session + sessions,
            phase: phases[document.phase as usize],
            seat: document.seat.map(|seat| seats[seat as usize]),
            kind: kinds[document.kind as usize],
            ..document
        }));
        self.words += other.words;
        for (word, theirs) in other.terms {
            let postings = self.terms.entry(word).or_default();
            // Only the first distance depends on earlier documents.
            let mut bytes = Bytes(&theirs.bytes);
            let first = bytes.read_short().expect("invariant: a word that was found has a posting");
            put_short(first + documents - postings.last, &mut postings.bytes);
            postings.bytes.extend(bytes.0);
            postings.documents += theirs.documents;
            postings.last = theirs.last + documents;
        }
    }

    /// The index as bytes. Equal passages give equal bytes in whatever pieces they were collected.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut terms: Vec<_> = self.terms.iter().map(|(w, p)| (w.as_str(), p.documents, p.bytes.as_slice())).collect();
        terms.sort_unstable_by_key(|(word, ..)| *word);
        let names = [&self.phases, &self.seats, &self.kinds].map(|names| names.iter().map(String::as_str).collect());
        Parts { sessions: &self.sessions, names, documents: &self.documents, words: self.words, terms }.to_bytes()
    }

    fn current_session(&mut self) -> &mut IndexedSession {
        self.sessions.last_mut().expect("invariant: a session was begun")
    }

    fn build_document(&mut self, passage: &Passage<'_>, words: u32) -> Document {
        let place = |names: &mut IndexSet<String>, name: &str| match names.get_index_of(name) {
            Some(place) => place as u32,
            None => names.insert_full(name.to_owned()).0 as u32,
        };
        let session = self.sessions.len().checked_sub(1).expect("invariant: a session was begun") as u32;
        let Passage { seq, offset, round, .. } = *passage;
        let phase = place(&mut self.phases, passage.phase);
        let seat = passage.seat.map(|seat| place(&mut self.seats, seat));
        let kind = place(&mut self.kinds, passage.kind);
        Document { session, seq, offset, phase, seat, kind, round, words }
    }
}
