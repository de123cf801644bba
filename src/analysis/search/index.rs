//! The index of an archive: which record holds which word, and where in it. Its bytes are what is kept on disk.
//!
//! Equal records give equal bytes. It holds no text of its own, only words and places: what was said is read from the
//! minutes. Bytes that are damaged, cut off or of another version are no index.
//!
//! The bytes are: a start of fixed length, with the length of the head and its digest; the head, with sessions, names,
//! documents and words; the postings, each with a digest in the head. To answer a question, the head and the postings of its
//! words are read, and no more.

use std::ops::Range;

use super::bytes::{Bytes, put_short, put_text};

/// What the bytes begin with.
const MAGIC: &[u8; 16] = b"ekklesia search\n";
/// The version of the format; another one is rebuilt.
const VERSION: u32 = 2;
/// The bytes of a document.
const DOCUMENT: usize = 40;
/// The bytes before the head: the mark, the version, the head's length and its digest.
const START: usize = MAGIC.len() + 4 + 8 + 32;
/// The bytes of the digest of a word's postings.
const SEAL: usize = 8;
/// Stands for no seat.
pub(super) const NOBODY: u32 = u32::MAX;

/// A session that was indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedSession {
    /// Its name.
    pub name: String,
    /// Its arm.
    pub arm: String,
    /// Tells its minutes from any others, as far as they went.
    pub state: MinutesFingerprint,
    /// Its records that hold words are those from here, up to the next session's.
    pub first_document: u32,
    /// Lines of its minutes that are no record and were left out, and the number of the first of them, from 1.
    pub unread: (u64, u64),
    /// Exhibits that it was shown and whose text is not known.
    pub unknown_texts: u64,
}

impl IndexedSession {
    /// The item it is of.
    pub fn item(&self) -> Option<&str> {
        item_of(&self.name, &self.arm)
    }
}

/// The item of a session, whose name is `<arm>-i<item>-r<replicate>`, or `<arm>-r<replicate>` where there are no items.
pub(super) fn item_of<'n>(name: &'n str, arm: &str) -> Option<&'n str> {
    let (item, _) = name.strip_prefix(arm)?.strip_prefix("-i")?.rsplit_once("-r")?;
    Some(item)
}

/// Tells the minutes of a session from any others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinutesFingerprint {
    /// Their length up to the last line end, in bytes.
    pub bytes: u64,
    /// A digest of what was looked at.
    pub digest: [u8; 32],
}

/// A record that holds words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// Its session, as a place in the list of sessions.
    pub session: u32,
    /// Its number in the session's minutes.
    pub seq: u64,
    /// Where its line begins in the minutes, in bytes.
    pub offset: u64,
    /// Its phase, as a place in the list of phases.
    pub phase: u32,
    /// Its seat, as a place in the list of seats.
    pub seat: Option<u32>,
    /// Its kind, as a place in the list of kinds.
    pub kind: u32,
    /// Its round; 0 outside rounds.
    pub round: u32,
    /// How many words it holds.
    pub words: u32,
}

/// An index that can be asked.
#[derive(Debug, Clone)]
pub struct SearchIndex {
    head: Vec<u8>,
    /// The sessions, sorted by name.
    pub sessions: Vec<IndexedSession>,
    /// Every phase that a record names.
    pub phases: Vec<String>,
    /// Every seat that a record names.
    pub seats: Vec<String>,
    /// Every kind of record that holds words.
    pub kinds: Vec<String>,
    /// Words in all documents.
    pub words: u64,
    documents: (usize, usize),
    terms: usize,
    /// Where these parts of the head begin: ends of words, documents of each, ends of postings, their seals, the words.
    parts: [usize; 5],
}

impl SearchIndex {
    /// How many bytes at the beginning of an index tell how long its head is.
    pub const START: usize = START;

    /// How many bytes from the beginning of an index [`SearchIndex::from_head`] takes, told by its first [`SearchIndex::START`]; `None` when these
    /// do not begin an index of this version.
    pub fn head_bytes(start: &[u8]) -> Option<u64> {
        let mut bytes = Bytes(start.strip_prefix(MAGIC)?);
        if bytes.read_u32()? != VERSION {
            return None;
        }
        bytes.read_u64()?.checked_add(START as u64)
    }

    /// Reads an index up to the end of its head; `None` when the bytes are none of this version, or are damaged.
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

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document of this place.
    pub fn document(&self, place: usize) -> Option<Document> {
        let start = self.documents.0.checked_add(place.checked_mul(DOCUMENT)?)?;
        let mut bytes = Bytes(self.head.get(start..start + DOCUMENT).filter(|_| place < self.len())?);
        let (session, seq, offset) = (bytes.read_u32()?, bytes.read_u64()?, bytes.read_u64()?);
        let [phase, seat, kind, round, words] = [(); 5].map(|()| bytes.read_u32().unwrap_or_default());
        let seat = Some(seat).filter(|seat| *seat != NOBODY);
        Some(Document { session, seq, offset, phase, seat, kind, round, words })
    }

    /// How many different words the documents hold.
    pub(super) fn term_count(&self) -> usize {
        self.terms
    }

    /// The word of this place; words are sorted by their bytes.
    pub(super) fn word(&self, place: usize) -> Option<&str> {
        let start = if place == 0 { 0 } else { self.word_end(place)? };
        let word = self.head.get(self.parts[4] + start..self.parts[4] + self.word_end(place + 1)?)?;
        std::str::from_utf8(word).ok()
    }

    /// How many documents hold the word of this place.
    pub(super) fn documents_with(&self, place: usize) -> Option<u32> {
        self.u32_at(1, place)
    }

    /// The place of a word; `None` where no document holds it.
    pub(super) fn find_word(&self, word: &str) -> Option<usize> {
        let first = self.first_from(word)?;
        (first < self.terms && self.word(first)? == word).then_some(first)
    }

    /// The first word that does not come before this one.
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

    /// Where in the bytes of the index the postings of the word of this place stand: for each document that holds it the
    /// distance from the one before (from 0 for the first), how often it stands there, and its places, each as the distance
    /// from the one before.
    pub(super) fn postings_range(&self, place: usize) -> Option<Range<u64>> {
        let end = |count: usize| match count {
            0 => Some(0),
            _ => self.u64_at(2, count - 1),
        };
        let from = |offset: u64| offset.checked_add(self.head.len() as u64);
        Some(from(end(place)?)?..from(end(place + 1)?)?)
    }

    /// Whether these are the postings of the word of this place.
    pub(super) fn is_sealed(&self, place: usize, postings: &[u8]) -> bool {
        self.u64_at(3, place) == Some(postings_seal(postings))
    }

    /// Where the first `count` words end.
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

/// What an index is written from.
pub(super) struct Parts<'p> {
    pub sessions: &'p [IndexedSession],
    pub names: [Vec<&'p str>; 3],
    pub documents: &'p [Document],
    pub words: u64,
    /// Sorted by the word: how many documents hold it, and its postings.
    pub terms: Vec<(&'p str, u32, &'p [u8])>,
}

impl Parts<'_> {
    /// The bytes that [`Index::open`] reads.
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

/// What tells postings from any others.
fn postings_seal(postings: &[u8]) -> u64 {
    let digest = blake3::hash(postings);
    let (first, _) = digest.as_bytes().split_first_chunk().expect("invariant: a digest has 32 bytes");
    u64::from_le_bytes(*first)
}

/// Adds a document to the postings of a word.
pub(super) fn put_posting(distance: u32, places: &[u32], out: &mut Vec<u8>) {
    put_short(distance, out);
    put_short(places.len() as u32, out);
    let mut before = 0;
    for place in places {
        put_short(place - before, out);
        before = *place;
    }
}
