//! The index of an archive: the records that hold each word, and the word's places in them. It is made anew for each search.

use indexmap::{IndexMap, IndexSet};

use crate::text::split_terms;

/// An indexed session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexedSession {
    /// Its name.
    pub name: String,
    /// Its arm.
    pub arm: String,
    /// The number of lines that are not records, and the first such line, from 1.
    pub unread: (u64, u64),
    /// The length of a last line that has no end, in bytes.
    pub torn: u64,
    /// Exhibits shown to it whose text is unknown.
    pub unknown_texts: u64,
}

impl IndexedSession {
    /// Its item, if any.
    pub fn item(&self) -> Option<&str> {
        item_of(&self.name, &self.arm)
    }

    /// Counts a line, numbered from 1, that is not a record.
    pub fn leave_out(&mut self, line: u64) {
        self.unread.0 += 1;
        if self.unread.1 == 0 {
            self.unread.1 = line;
        }
    }
}

/// The item in a session's name, `<arm>-i<item>-r<replicate>`; `None` for `<arm>-r<replicate>`.
pub(super) fn item_of<'n>(name: &'n str, arm: &str) -> Option<&'n str> {
    let (item, _) = name.strip_prefix(arm)?.strip_prefix("-i")?.rsplit_once("-r")?;
    Some(item)
}

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

/// An indexed record that holds words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// Index in the list of sessions.
    pub session: u32,
    /// Its sequence number in the session's minutes.
    pub seq: u64,
    /// The start of its line in the minutes, in bytes.
    pub offset: u64,
    /// Index in the list of phases.
    pub phase: u32,
    /// Index in the list of seats; `None` if no seat answered.
    pub seat: Option<u32>,
    /// Index in the list of kinds.
    pub kind: u32,
    /// Its round; 0 outside rounds.
    pub round: u32,
    /// The number of its words.
    pub words: u32,
}

/// A place of a word: the index of a document, and the number of the word in it, from 0.
pub(super) type WordPlace = (u32, u32);

/// The records that hold each word.
#[derive(Debug, Default)]
pub struct SearchIndex {
    /// The sessions.
    pub sessions: Vec<IndexedSession>,
    /// All phases of the records.
    pub phases: IndexSet<String>,
    /// All seats of the records.
    pub seats: IndexSet<String>,
    /// All kinds of the records.
    pub kinds: IndexSet<String>,
    /// All records that hold words, session by session.
    pub documents: Vec<Document>,
    /// Total words of all documents.
    pub words: u64,
    /// The places of each word, in order.
    pub(super) terms: IndexMap<String, Vec<WordPlace>>,
}

impl SearchIndex {
    /// Adds a record of the last session, unless it has no words.
    ///
    /// # Panics
    /// If there is no session.
    pub fn add_passage(&mut self, passage: &Passage<'_>) {
        let (document, mut words) = (self.documents.len() as u32, 0);
        for term in split_terms(passage.text) {
            match self.terms.get_mut(term.word.as_ref()) {
                Some(places) => places.push((document, words)),
                None => drop(self.terms.insert(term.word.into_owned(), vec![(document, words)])),
            }
            words += 1;
        }
        if words == 0 {
            return;
        }
        self.words += u64::from(words);
        let place = |names: &mut IndexSet<String>, name: &str| match names.get_index_of(name) {
            Some(place) => place as u32,
            None => names.insert_full(name.to_owned()).0 as u32,
        };
        self.documents.push(Document {
            session: self.sessions.len().checked_sub(1).expect("invariant: a session was begun") as u32,
            seq: passage.seq,
            offset: passage.offset,
            phase: place(&mut self.phases, passage.phase),
            seat: passage.seat.map(|seat| place(&mut self.seats, seat)),
            kind: place(&mut self.kinds, passage.kind),
            round: passage.round,
            words,
        });
    }

    /// Appends the sessions of another index.
    pub fn append(&mut self, other: SearchIndex) {
        let (sessions, documents) = (self.sessions.len() as u32, self.documents.len() as u32);
        self.sessions.extend(other.sessions);
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
        for (word, places) in other.terms {
            let places = places.into_iter().map(|(document, place)| (document + documents, place));
            self.terms.entry(word).or_default().extend(places);
        }
    }
}
