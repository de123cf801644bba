//! The index of an archive: the records that hold each word, and the word's places in them. Its bytes are stored on disk.
//!
//! Equal records give equal bytes. The index holds words and places but no text; text comes from the minutes. Damaged, truncated
//! or differently versioned bytes are not an index.
//!
//! Format: a start of fixed length with the length and the digest of the head; the head with sessions, names, documents and
//! words; the postings, each with a digest in the head. A search reads only the head and the postings of its words.

use std::ops::Range;

use super::bytes::{Bytes, put_short, put_text};

/// The first bytes of an index.
const MAGIC: &[u8; 16] = b"ekklesia search\n";
/// The version of the format; an index of another version is rebuilt.
const VERSION: u32 = 2;
/// Bytes per document.
const DOCUMENT: usize = 40;
/// Bytes before the head: magic, version, head length, head digest.
const START: usize = MAGIC.len() + 4 + 8 + 32;
/// Bytes of the digest of a word's postings.
const SEAL: usize = 8;
/// The seat number of a record without a seat.
pub(super) const NOBODY: u32 = u32::MAX;

/// An indexed session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedSession {
    /// Its name.
    pub name: String,
    /// Its arm.
    pub arm: String,
    /// The fingerprint of its minutes when they were indexed.
    pub state: MinutesFingerprint,
    /// Its first document; its last one precedes the next session's first.
    pub first_document: u32,
    /// The number of lines that are not records, and the first such line, from 1.
    pub unread: (u64, u64),
    /// Exhibits shown to it whose text is unknown.
    pub unknown_texts: u64,
}

impl IndexedSession {
    /// Its item, if any.
    pub fn item(&self) -> Option<&str> {
        item_of(&self.name, &self.arm)
    }
}

/// The item in a session's name, `<arm>-i<item>-r<replicate>`; `None` for `<arm>-r<replicate>`.
pub(super) fn item_of<'n>(name: &'n str, arm: &str) -> Option<&'n str> {
    let (item, _) = name.strip_prefix(arm)?.strip_prefix("-i")?.rsplit_once("-r")?;
    Some(item)
}

/// A fingerprint of a session's minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinutesFingerprint {
    /// Their length in bytes up to the last line end.
    pub bytes: u64,
    /// A digest of the inspected content.
    pub digest: [u8; 32],
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

/// An index that can be searched.
#[derive(Debug, Clone)]
pub struct SearchIndex {
    head: Vec<u8>,
    /// The sessions, sorted by name.
    pub sessions: Vec<IndexedSession>,
    /// All phases of the records.
    pub phases: Vec<String>,
    /// All seats of the records.
    pub seats: Vec<String>,
    /// All kinds of the records.
    pub kinds: Vec<String>,
    /// Total words of all documents.
    pub words: u64,
    documents: (usize, usize),
    terms: usize,
    /// Starts of these parts of the head: ends of words, document counts, ends of postings, seals, words.
    parts: [usize; 5],
}

impl SearchIndex {
    /// The number of first bytes that give the length of the head.
    pub const START: usize = START;

    /// The number of bytes that [`SearchIndex::from_head`] takes, read from the first [`SearchIndex::START`] bytes; `None` if
    /// these do not start an index of this version.
    pub fn head_bytes(start: &[u8]) -> Option<u64> {
        let mut bytes = Bytes(start.strip_prefix(MAGIC)?);
        if bytes.read_u32()? != VERSION {
            return None;
        }
        bytes.read_u64()?.checked_add(START as u64)
    }

    /// Reads an index up to the end of its head; `None` if the bytes are damaged or of another version.
    pub fn from_head(head: Vec<u8>) -> Option<Self> {
        let end = usize::try_from(Self::head_bytes(&head)?).ok()?;
        if head.len() != end || blake3::hash(&head[START..]).as_bytes()[..] != head[START - 32..START] {
            return None;
        }
        let mut rest = Bytes(&head[START..]);
        let (documents, terms, words) = (rest.read_u32()? as usize, rest.read_u32()? as usize, rest.read_u64()?);
        let sessions = rest.read_u32()?;
        let sessions: Vec<IndexedSession> = (0..sessions).map(|_| read_session(&mut rest)).collect::<Option<_>>()?;
        let (phases, seats, kinds) = (rest.read_texts()?, rest.read_texts()?, rest.read_texts()?);
        let mut at = end - rest.0.len();
        let mut begin = |length: usize| {
            let start = at;
            at = at.checked_add(length).filter(|at| *at <= end)?;
            Some(start)
        };
        let first = begin(documents.checked_mul(DOCUMENT)?)?;
        let parts = [4, 4, 8, SEAL].map(|width| begin(terms.checked_mul(width)?));
        let [ends, counts, posting_ends, seals] = parts;
        let parts = [ends?, counts?, posting_ends?, seals?, begin(0)?];
        Some(Self { head, sessions, phases, seats, kinds, words, documents: (first, documents), terms, parts })
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.documents.1
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document at an index.
    pub fn document(&self, place: usize) -> Option<Document> {
        let start = self.documents.0.checked_add(place.checked_mul(DOCUMENT)?)?;
        let mut bytes = Bytes(self.head.get(start..start + DOCUMENT).filter(|_| place < self.len())?);
        let (session, seq, offset) = (bytes.read_u32()?, bytes.read_u64()?, bytes.read_u64()?);
        let [phase, seat, kind, round, words] = [(); 5].map(|()| bytes.read_u32().unwrap_or_default());
        let seat = Some(seat).filter(|seat| *seat != NOBODY);
        Some(Document { session, seq, offset, phase, seat, kind, round, words })
    }

    /// The number of different words.
    pub(super) fn term_count(&self) -> usize {
        self.terms
    }

    /// The word at an index; words are sorted by their bytes.
    pub(super) fn word(&self, place: usize) -> Option<&str> {
        let start = if place == 0 { 0 } else { self.word_end(place)? };
        let word = self.head.get(self.parts[4] + start..self.parts[4] + self.word_end(place + 1)?)?;
        std::str::from_utf8(word).ok()
    }

    /// The number of documents that hold the word at an index.
    pub(super) fn documents_with(&self, place: usize) -> Option<u32> {
        self.u32_at(1, place)
    }

    /// The index of a word; `None` if no document holds it.
    pub(super) fn find_word(&self, word: &str) -> Option<usize> {
        let first = self.first_from(word)?;
        (first < self.terms && self.word(first)? == word).then_some(first)
    }

    /// The index of the first word that is not less than this one.
    pub(super) fn first_from(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.terms);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.word(middle)? < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// The byte range of a word's postings. For each document, they hold the distance from the previous document (from 0 for the
    /// first), the count of the word, and its places, each as the distance from the previous place.
    pub(super) fn postings_range(&self, place: usize) -> Option<Range<u64>> {
        let end = |count: usize| match count {
            0 => Some(0),
            _ => self.u64_at(2, count - 1),
        };
        let from = |offset: u64| offset.checked_add(self.head.len() as u64);
        Some(from(end(place)?)?..from(end(place + 1)?)?)
    }

    /// Checks the postings of the word at an index against their digest.
    pub(super) fn is_sealed(&self, place: usize, postings: &[u8]) -> bool {
        self.u64_at(3, place) == Some(postings_seal(postings))
    }

    /// The end of the first `count` words.
    fn word_end(&self, count: usize) -> Option<usize> {
        if count == 0 { Some(0) } else { self.u32_at(0, count - 1).map(|end| end as usize) }
    }

    fn u32_at(&self, part: usize, place: usize) -> Option<u32> {
        let start = self.parts[part] + 4 * place;
        Bytes(self.head.get(start..)?).read_u32().filter(|_| place < self.terms)
    }

    fn u64_at(&self, part: usize, place: usize) -> Option<u64> {
        let start = self.parts[part] + 8 * place;
        Bytes(self.head.get(start..)?).read_u64().filter(|_| place < self.terms)
    }
}

fn read_session(bytes: &mut Bytes<'_>) -> Option<IndexedSession> {
    let (name, arm) = (bytes.read_text()?.to_owned(), bytes.read_text()?.to_owned());
    let state = MinutesFingerprint { bytes: bytes.read_u64()?, digest: bytes.take_bytes(32)?.try_into().ok()? };
    let (first_document, unread) = (bytes.read_u32()?, (bytes.read_u64()?, bytes.read_u64()?));
    Some(IndexedSession { name, arm, state, first_document, unread, unknown_texts: bytes.read_u64()? })
}

/// The parts from which an index is written.
pub(super) struct Parts<'p> {
    pub sessions: &'p [IndexedSession],
    pub names: [Vec<&'p str>; 3],
    pub documents: &'p [Document],
    pub words: u64,
    /// Word, number of documents and postings, sorted by word.
    pub terms: Vec<(&'p str, u32, &'p [u8])>,
}

impl Parts<'_> {
    /// The bytes that `SearchIndex::from_head` and its postings are read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.resize(START, 0);
        out.extend((self.documents.len() as u32).to_le_bytes());
        out.extend((self.terms.len() as u32).to_le_bytes());
        out.extend(self.words.to_le_bytes());
        out.extend((self.sessions.len() as u32).to_le_bytes());
        for session in self.sessions {
            put_text(&session.name, &mut out);
            put_text(&session.arm, &mut out);
            out.extend(session.state.bytes.to_le_bytes());
            out.extend(session.state.digest);
            out.extend(session.first_document.to_le_bytes());
            out.extend(session.unread.0.to_le_bytes());
            out.extend(session.unread.1.to_le_bytes());
            out.extend(session.unknown_texts.to_le_bytes());
        }
        for names in &self.names {
            out.extend((names.len() as u32).to_le_bytes());
            names.iter().for_each(|name| put_text(name, &mut out));
        }
        for document in self.documents {
            out.extend(document.session.to_le_bytes());
            out.extend(document.seq.to_le_bytes());
            out.extend(document.offset.to_le_bytes());
            let Document { phase, seat, kind, round, words, .. } = *document;
            let numbers = [phase, seat.unwrap_or(NOBODY), kind, round, words];
            numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
        let mut end = 0;
        for (word, ..) in &self.terms {
            end += word.len() as u32;
            out.extend(end.to_le_bytes());
        }
        self.terms.iter().for_each(|(_, documents, _)| out.extend(documents.to_le_bytes()));
        let mut end = 0;
        for (.., postings) in &self.terms {
            end += postings.len() as u64;
            out.extend(end.to_le_bytes());
        }
        self.terms.iter().for_each(|(.., postings)| out.extend(postings_seal(postings).to_le_bytes()));
        self.terms.iter().for_each(|(word, ..)| out.extend(word.as_bytes()));
        let (length, digest) = ((out.len() - START) as u64, blake3::hash(&out[START..]));
        out[MAGIC.len() + 4..START - 32].copy_from_slice(&length.to_le_bytes());
        out[START - 32..START].copy_from_slice(digest.as_bytes());
        self.terms.iter().for_each(|(.., postings)| out.extend(*postings));
        out
    }
}

/// The digest of a word's postings.
fn postings_seal(postings: &[u8]) -> u64 {
    let digest = blake3::hash(postings);
    let (first, _) = digest.as_bytes().split_first_chunk().expect("invariant: a digest has 32 bytes");
    u64::from_le_bytes(*first)
}

/// Appends a document to the postings of a word.
pub(super) fn put_posting(distance: u32, places: &[u32], out: &mut Vec<u8>) {
    put_short(distance, out);
    put_short(places.len() as u32, out);
    let mut before = 0;
    for place in places {
        put_short(place - before, out);
        before = *place;
    }
}
