//! A file of a session, in the session's folder or in a pack.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::store::files::{FileError, file_error, open_file};
use crate::store::packs::{PackEntry, PackFile, SessionPacks};
use crate::store::places::SessionPart;

/// A file of a session.
#[derive(Debug, Clone)]
pub struct SessionFile {
    path: PathBuf,
    place: FilePlace,
}

#[derive(Debug, Clone)]
enum FilePlace {
    /// At its path.
    Loose,
    /// In a pack.
    Packed { packs: Arc<SessionPacks>, pack: Arc<PackFile>, entry: PackEntry },
    /// The session is packed and lacks this file.
    Absent,
    /// In an unreadable pack, with the reason.
    Damaged(String),
}

impl SessionFile {
    /// A file of a session that is in a pack.
    pub fn in_pack(packs: &Arc<SessionPacks>, part: SessionPart, name: &str, number: u32) -> Self {
        let mut path = packs.file_path(part, number).into_os_string();
        path.push(format!("#{name}"));
        let place = match packs.cached_file(part, number) {
            Err(error) => FilePlace::Damaged(error.reason),
            Ok(pack) => match pack.and_then(|pack| Some((pack.find_entry(name)?.clone(), pack))) {
                Some((entry, pack)) => FilePlace::Packed { packs: Arc::clone(packs), pack, entry },
                None => FilePlace::Absent,
            },
        };
        Self { path: path.into(), place }
    }

    /// The path. For a packed file: the pack's path, `#`, and the session's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path for messages.
    pub fn display(&self) -> impl fmt::Display + '_ {
        self.path.display()
    }

    /// Whether the file is, or would be, in the session's own folder.
    pub fn is_loose(&self) -> bool {
        matches!(self.place, FilePlace::Loose)
    }

    /// Whether the file exists. True for an unreadable pack, so that reading it reports the error.
    pub fn exists(&self) -> bool {
        match &self.place {
            FilePlace::Loose => self.path.exists(),
            FilePlace::Packed { .. } | FilePlace::Damaged(_) => true,
            FilePlace::Absent => false,
        }
    }

    /// Whether the file exists and is a regular file.
    pub fn is_file(&self) -> bool {
        match &self.place {
            FilePlace::Loose => self.path.is_file(),
            FilePlace::Packed { .. } | FilePlace::Damaged(_) | FilePlace::Absent => self.exists(),
        }
    }

    /// The length in bytes.
    ///
    /// # Errors
    /// When the file is missing or its pack is unreadable.
    pub fn length(&self) -> io::Result<u64> {
        match &self.place {
            FilePlace::Loose => fs::metadata(&self.path).map(|found| found.len()),
            FilePlace::Packed { entry, .. } => Ok(entry.bytes),
            FilePlace::Absent | FilePlace::Damaged(_) => self.open()?.length(),
        }
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    /// The operating system's error, that the path is not a file, or that the pack is damaged.
    pub fn open(&self) -> io::Result<OpenSessionFile> {
        match &self.place {
            FilePlace::Loose => open_file(&self.path).map(OpenSessionFile::Loose),
            FilePlace::Packed { packs, pack, entry } => {
                Ok(OpenSessionFile::Packed(Cursor::new(packs.read_entry(pack, entry)?)))
            }
            FilePlace::Absent => Err(io::ErrorKind::NotFound.into()),
            FilePlace::Damaged(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone())),
        }
    }

    /// Reads the complete file.
    ///
    /// # Errors
    /// As of [`SessionFile::open`].
    pub fn read_whole(&self) -> io::Result<Bytes> {
        self.open()?.read_whole()
    }

    /// Reads the complete file, with an error that names it.
    ///
    /// # Errors
    /// As of [`SessionFile::open`].
    pub fn load(&self) -> Result<Bytes, FileError> {
        self.read_whole().map_err(|error| file_error(&self.path, &error))
    }
}

impl From<PathBuf> for SessionFile {
    fn from(path: PathBuf) -> Self {
        Self { path, place: FilePlace::Loose }
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

/// An open file of a session.
#[derive(Debug)]
pub enum OpenSessionFile {
    /// On disk.
    Loose(File),
    /// In memory.
    Packed(Cursor<Bytes>),
}

impl OpenSessionFile {
    /// Reads the rest of a loose file, or all of a packed one.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn read_whole(self) -> io::Result<Bytes> {
        match self {
            OpenSessionFile::Packed(bytes) => Ok(bytes.into_inner()),
            OpenSessionFile::Loose(mut file) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }

    /// The length in bytes.
    ///
    /// # Errors
    /// The operating system's error.
    pub fn length(&self) -> io::Result<u64> {
        match self {
            OpenSessionFile::Loose(file) => file.metadata().map(|found| found.len()),
            OpenSessionFile::Packed(bytes) => Ok(bytes.get_ref().len() as u64),
        }
    }
}

impl Read for OpenSessionFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            OpenSessionFile::Loose(file) => file.read(buffer),
            OpenSessionFile::Packed(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for OpenSessionFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            OpenSessionFile::Loose(file) => file.seek(place),
            OpenSessionFile::Packed(bytes) => bytes.seek(place),
        }
    }
}
