//! One file of a pack: zstd frames with several sessions each, then an index in a skippable frame, so that `zstd -dc` prints
//! the plain lines of all sessions.
//!
//! Any part of a file may be damaged. Index numbers are checked against each other before use, and each frame has a checksum.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::hash_of;
use crate::store::files::open_file;

/// The size at which a frame is closed, so that reading a session decompresses only a part of the pack.
const FRAME_BYTES: usize = 1 << 20;
/// The largest frame, in bytes.
pub(super) const FRAME_BYTES_MAX: u64 = 1 << 31;
const INDEX_BYTES_MAX: u64 = 1 << 24;
const LEVEL: i32 = 3;
/// The magic number of a skippable zstd frame.
const SKIPPABLE: u32 = 0x184D_2A5E;
/// The last bytes of a file.
const MARK: [u8; 8] = *b"ekkpack1";
/// The length of what follows the compressed index: its length, its hash, and the mark.
const FOOTER: usize = 4 + 8 + MARK.len();
/// The length of the header of a skippable frame.
const HEAD: usize = 8;

#[derive(Debug, Default, Serialize, Deserialize)]
struct PackIndex {
    /// Per frame: compressed length, plain length, and hash of the compressed bytes, because zstd's checksum misses some changes.
    frames: Vec<(u64, u64, u64)>,
    /// The sessions in order, with the length of their data.
    sessions: Vec<(Box<str>, u64)>,
}

/// The data of one session in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackEntry {
    /// The session's name.
    pub name: Box<str>,
    /// The frame number, from 0.
    pub frame: u32,
    /// Where the data begin in the frame.
    start: u64,
    /// The length of the data.
    pub bytes: u64,
}

impl PackEntry {
    /// The range of the data in the frame.
    pub fn byte_range(&self) -> Range<usize> {
        // The frame was decompressed into memory, so the numbers fit.
        let start = usize::try_from(self.start).unwrap_or(usize::MAX);
        start..start + usize::try_from(self.bytes).unwrap_or(0)
    }
}

/// A file of a pack, opened for reading.
#[derive(Debug)]
pub struct PackFile {
    file: Mutex<File>,
    /// Per frame: where it begins, its plain length, and its hash.
    frames: Vec<(u64, u64, u64)>,
    /// Where the index begins.
    end: u64,
    entries: Vec<PackEntry>,
    /// The positions of the entries, sorted by name.
    by_name: Vec<u32>,
}

impl PackFile {
    /// Opens a file and reads its index.
    ///
    /// # Errors
    /// When the file cannot be read, or its index is damaged.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = open_file(path)?;
        let length = file.metadata()?.len();
        let (index, end) = read_index(&mut file, length)?;
        let mut frames = Vec::with_capacity(index.frames.len());
        let mut begin = 0_u64;
        for (compressed, plain, check) in &index.frames {
            frames.push((begin, *plain, *check));
            begin = begin
                .checked_add(*compressed)
                .filter(|end_of_frame| *end_of_frame <= end)
                .ok_or_else(mismatch_error)?;
        }
        if begin != end || frames.iter().any(|(_, plain, _)| *plain > FRAME_BYTES_MAX) {
            return Err(mismatch_error());
        }
        let entries = index_entries(index)?;
        let mut by_name: Vec<u32> = (0..entries.len() as u32).collect();
        by_name.sort_unstable_by(|one, other| entries[*one as usize].name.cmp(&entries[*other as usize].name));
        if by_name.windows(2).any(|pair| entries[pair[0] as usize].name == entries[pair[1] as usize].name) {
            return Err(damage_error("its index names a session twice"));
        }
        Ok(Self { file: Mutex::new(file), frames, end, entries, by_name })
    }

    /// The entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = &PackEntry> {
        self.entries.iter()
    }

    /// Finds the entry of a session.
    pub fn find_entry(&self, name: &str) -> Option<&PackEntry> {
        let at = |place: &u32| &self.entries[*place as usize];
        let place = self.by_name.binary_search_by(|place| (*at(place).name).cmp(name)).ok()?;
        Some(at(&self.by_name[place]))
    }

    /// The hashes of the sessions' names, for the index of all packs.
    pub(super) fn name_hashes(&self) -> impl Iterator<Item = u64> {
        self.entries.iter().map(|entry| hash_of(entry.name.as_bytes()))
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// When the frame cannot be read, or is damaged.
    pub(super) fn read_frame(&self, number: u32) -> io::Result<Bytes> {
        let place = number as usize;
        let (begin, plain, check) = *self.frames.get(place).ok_or_else(mismatch_error)?;
        let end = self.frames.get(place + 1).map_or(self.end, |(begin, ..)| *begin);
        let mut compressed = Vec::new();
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(begin))?;
            (&mut *file).take(end - begin).read_to_end(&mut compressed)?;
        }
        if hash_of(&compressed) != check {
            return Err(damage_error(&format!("the frame at byte {begin} is not what was written")));
        }
        let bytes = decompress_frame(&compressed, plain)
            .map_err(|why| damage_error(&format!("the frame at byte {begin} cannot be read ({why})")))?;
        Ok(Bytes::from(bytes))
    }
}

/// Reads the index of a file. Also returns where it begins.
fn read_index(file: &mut File, length: u64) -> io::Result<(PackIndex, u64)> {
    let no_index = || damage_error("it does not end in an index");
    let footer_at = length.checked_sub(FOOTER as u64).ok_or_else(no_index)?;
    let mut footer = [0; FOOTER];
    file.seek(SeekFrom::Start(footer_at))?;
    file.read_exact(&mut footer)?;
    let ([a, b, c, d, check @ .., _, _, _, _, _, _, _, _], mark) = (footer, &footer[FOOTER - MARK.len()..]);
    let compressed = u64::from(u32::from_le_bytes([a, b, c, d]));
    let begin = footer_at.checked_sub(compressed + HEAD as u64).filter(|_| mark == MARK).ok_or_else(no_index)?;
    file.seek(SeekFrom::Start(begin))?;
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    let size = u32::try_from(compressed + FOOTER as u64).map_err(|_| no_index())?;
    if head != head_of(size) {
        return Err(no_index());
    }
    let mut bytes = Vec::new();
    file.take(compressed).read_to_end(&mut bytes)?;
    if hash_of(&bytes).to_le_bytes() != check {
        return Err(damage_error("its index is not what was written"));
    }
    let mut plain = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes.as_slice());
    let read = decoder.and_then(|decoder| decoder.take(INDEX_BYTES_MAX).read_to_end(&mut plain));
    read.map_err(|why| damage_error(&format!("its index cannot be read ({why})")))?;
    let index =
        serde_json::from_slice(&plain).map_err(|why| damage_error(&format!("its index cannot be read ({why})")))?;
    Ok((index, begin))
}

/// Converts the index to entries, and checks that each lies within one frame.
fn index_entries(index: PackIndex) -> io::Result<Vec<PackEntry>> {
    let mut entries = Vec::with_capacity(index.sessions.len());
    let (mut frame, mut start) = (0_u32, 0_u64);
    for (name, bytes) in index.sessions {
        let plain = |frame: u32| index.frames.get(frame as usize).map(|(_, plain, _)| *plain);
        if plain(frame) == Some(start) && bytes > 0 {
            (frame, start) = (frame + 1, 0);
        }
        let end = start.checked_add(bytes).filter(|end| plain(frame).is_some_and(|plain| *end <= plain));
        let end = end.ok_or_else(mismatch_error)?;
        entries.push(PackEntry { name, frame, start, bytes });
        start = end;
    }
    let is_last = frame as usize + 1 == index.frames.len() || entries.is_empty() && index.frames.is_empty();
    match is_last && index.frames.last().is_none_or(|(_, plain, _)| *plain == start) {
        true => Ok(entries),
        false => Err(mismatch_error()),
    }
}

fn decompress_frame(compressed: &[u8], plain: u64) -> io::Result<Vec<u8>> {
    // Do not allocate a length that may be wrong.
    let mut bytes = Vec::with_capacity(plain.min(FRAME_BYTES as u64 * 2) as usize);
    let decoder = zstd::stream::read::Decoder::with_buffer(compressed)?.single_frame();
    decoder.take(plain + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == plain {
        true => Ok(bytes),
        false => Err(io::Error::other("it is longer or shorter than the index says")),
    }
}

fn damage_error(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this pack is damaged: {why}; restore it from a copy"))
}

fn mismatch_error() -> io::Error {
    damage_error("its index does not fit its frames")
}

fn head_of(size: u32) -> [u8; HEAD] {
    let ([a, b, c, d], [e, f, g, h]) = (SKIPPABLE.to_le_bytes(), size.to_le_bytes());
    [a, b, c, d, e, f, g, h]
}

/// Writes a file of a pack, with one frame in memory at a time.
pub(super) struct PackWriter<W> {
    out: W,
    index: PackIndex,
    frame: Vec<u8>,
    compressor: zstd::bulk::Compressor<'static>,
}

impl<W: Write> PackWriter<W> {
    /// Begins a file.
    pub fn begin(out: W) -> io::Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_checksum(true)?;
        Ok(Self { out, index: PackIndex::default(), frame: Vec::new(), compressor })
    }

    /// Adds the data of a session.
    pub fn add_session(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // The reader derives the frame of each session from the lengths alone.
        if !self.frame.is_empty() && self.frame.len() >= FRAME_BYTES && !bytes.is_empty() {
            self.close_frame()?;
        }
        self.frame.extend_from_slice(bytes);
        self.index.sessions.push((name.into(), bytes.len() as u64));
        Ok(())
    }

    /// Writes the last frame and the index.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.index.sessions.is_empty() {
            self.close_frame()?;
        }
        let index = serde_json::to_vec(&self.index).expect("invariant: names and numbers have a JSON form");
        let compressed = self.compressor.compress(&index)?;
        let too_long = |_| io::Error::other("the index is too long");
        let size = u32::try_from(compressed.len() + FOOTER).map_err(too_long)?;
        let length = u32::try_from(compressed.len()).map_err(too_long)?;
        self.out.write_all(&head_of(size))?;
        self.out.write_all(&compressed)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&hash_of(&compressed).to_le_bytes())?;
        self.out.write_all(&MARK)?;
        Ok(self.out)
    }

    fn close_frame(&mut self) -> io::Result<()> {
        let compressed = self.compressor.compress(&self.frame)?;
        self.out.write_all(&compressed)?;
        self.index.frames.push((compressed.len() as u64, self.frame.len() as u64, hash_of(&compressed)));
        self.frame.clear();
        Ok(())
    }
}
