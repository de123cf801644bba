//! A file of a session, wherever it lies: in the session's own folder, or in a pack.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::store::files::open_file;
use crate::store::packs::{Entry, PackFile, Packs};

/// A file of a session.
#[derive(Debug, Clone)]
pub struct SessionFile {
    path: PathBuf,
    place: Place,
}

/// Where a file of a session lies.
#[derive(Debug, Clone)]
enum Place {
    /// At its path.
    Loose,
    /// In a pack.
    Packed { packs: Arc<Packs>, pack: Arc<PackFile>, entry: Entry },
    /// The session is packed and has no such file.
    Absent,
    /// In a pack that cannot be read.
    Damaged(String),
}

impl SessionFile {
    /// A file of a packed session, by the path that is shown.
    pub fn packed(path: PathBuf, packs: Arc<Packs>, pack: Arc<PackFile>, entry: Entry) -> Self {
        Self { path, place: Place::Packed { packs, pack, entry } }
    }

    /// A file that a packed session does not have.
    pub fn absent(path: PathBuf) -> Self {
        Self { path, place: Place::Absent }
    }

    /// A file of a packed session whose pack cannot be read.
    pub fn damaged(path: PathBuf, reason: String) -> Self {
        Self { path, place: Place::Damaged(reason) }
    }

    /// Its path; of a packed one the pack's and, after `#`, the session's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its path in words.
    pub fn display(&self) -> impl fmt::Display + '_ {
        self.path.display()
    }

    /// Whether it lies, or would lie, in a folder of its own.
    pub fn is_loose(&self) -> bool {
        matches!(self.place, Place::Loose)
    }

    /// Whether it is there. A pack that cannot be read counts, so that reading it reports the error.
    pub fn exists(&self) -> bool {
        match &self.place {
            Place::Loose => self.path.exists(),
            Place::Packed { .. } | Place::Damaged(_) => true,
            Place::Absent => false,
        }
    }

    /// Whether it is there, and neither a folder nor a pipe.
    pub fn is_file(&self) -> bool {
        match &self.place {
            Place::Loose => self.path.is_file(),
            Place::Packed { .. } | Place::Damaged(_) | Place::Absent => self.exists(),
        }
    }

    /// How long it is, in bytes.
    ///
    /// # Errors
    /// When it is not there.
    pub fn length(&self) -> io::Result<u64> {
        match &self.place {
            Place::Loose => fs::metadata(&self.path).map(|found| found.len()),
            Place::Packed { entry, .. } => Ok(entry.bytes),
            Place::Absent => Err(io::ErrorKind::NotFound.into()),
            Place::Damaged(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone())),
        }
    }

    /// Opens it to read it.
    ///
    /// # Errors
    /// What the operating system says, that it is no file, or that its pack is damaged.
    pub fn open(&self) -> io::Result<Opened> {
        match &self.place {
            Place::Loose => open_file(&self.path).map(Opened::Loose),
            Place::Packed { packs, pack, entry } => Ok(Opened::Packed(Cursor::new(packs.read(pack, entry)?))),
            Place::Absent => Err(io::ErrorKind::NotFound.into()),
            Place::Damaged(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone())),
        }
    }

    /// Reads it whole.
    ///
    /// # Errors
    /// As of [`SessionFile::open`].
    pub fn read_whole(&self) -> io::Result<Bytes> {
        self.open()?.read_whole()
    }
}

impl From<PathBuf> for SessionFile {
    fn from(path: PathBuf) -> Self {
        Self { path, place: Place::Loose }
    }
}

impl From<&Path> for SessionFile {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}

impl From<&PathBuf> for SessionFile {
    fn from(path: &PathBuf) -> Self {
        path.clone().into()
    }
}

impl From<&SessionFile> for SessionFile {
    fn from(file: &SessionFile) -> Self {
        file.clone()
    }
}

/// A file of a session that is open.
#[derive(Debug)]
pub enum Opened {
    /// On the disk.
    Loose(File),
    /// In memory.
    Packed(Cursor<Bytes>),
}

impl Opened {
    /// Reads it whole.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn read_whole(self) -> io::Result<Bytes> {
        match self {
            Opened::Packed(bytes) => Ok(bytes.into_inner()),
            Opened::Loose(mut file) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }

    /// How long it is, in bytes.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn length(&self) -> io::Result<u64> {
        match self {
            Opened::Loose(file) => file.metadata().map(|found| found.len()),
            Opened::Packed(bytes) => Ok(bytes.get_ref().len() as u64),
        }
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Opened::Loose(file) => file.read(buffer),
            Opened::Packed(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Opened {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            Opened::Loose(file) => file.seek(place),
            Opened::Packed(bytes) => bytes.seek(place),
        }
    }
}
