//! `run --pack`: when complete sessions are moved into packs. How a pack is written is in [`crate::store::packs`].

use std::collections::BTreeMap;
use std::fs;

use crate::plan::{Experiment, PlannedSession};
use crate::store::files::{FileError, file_error};
use crate::store::packs::{pack_sessions, unpack_sessions};
use crate::store::places::PACKS;
use crate::store::results::ResultsFolder;

/// How complete sessions are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Each in a folder of its own.
    Loose,
    /// In packs.
    Packed,
}

impl Storage {
    /// In packs where that is asked for; else as the folder has it.
    ///
    /// # Errors
    /// When the place for the packs cannot be made.
    pub fn for_folder(folder: &ResultsFolder, asked: Option<Storage>) -> Result<Self, FileError> {
        if asked == Some(Storage::Packed) {
            // From now on the folder is continued in packs, even if nothing of it is packed yet.
            let place = folder.root().join(PACKS);
            fs::create_dir_all(&place).map_err(|error| file_error(&place, &error))?;
        }
        Ok(if folder.is_packed() { Storage::Packed } else { Storage::Loose })
    }
}

/// Which sessions a pack holds.
#[derive(Debug, Default)]
pub struct PackLayout {
    /// The pack of each session, and its place among the sessions; pack by pack, and within each in plan order.
    places: Vec<(u32, u32)>,
}

impl PackLayout {
    /// The packs of these sessions of an experiment, which are in plan order.
    pub fn for_sessions(experiment: &Experiment, sessions: &[PlannedSession]) -> Self {
        let mut places: Vec<(u32, u32)> = sessions.iter().map(|session| experiment.pack_of(session)).zip(0..).collect();
        places.sort_unstable();
        Self { places }
    }

    /// The numbers of the packs.
    pub fn pack_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.places.chunk_by(|one, other| one.0 == other.0).map(|pack| pack[0].0)
    }

    /// The places of the sessions of a pack, in plan order.
    pub fn session_places(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.places.partition_point(|(pack, _)| *pack < number);
        self.places[first..].iter().take_while(move |(pack, _)| *pack == number).map(|(_, place)| *place as usize)
    }
}

/// Lays down loose what another layout of the packs put elsewhere, as one with fewer arms does.
///
/// # Errors
/// When a pack cannot be read or written.
pub fn unpack_elsewhere(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[PlannedSession],
) -> Result<(), FileError> {
    let elsewhere = sessions.iter().filter_map(|session| {
        let name = session.name();
        let found = folder.packs().find_pack(&name)?;
        (found != experiment.pack_of(session)).then_some(name)
    });
    unpack_sessions(folder, elsewhere)
}

/// Moves complete sessions of a run into packs, where they are kept so.
pub struct Packer<'r> {
    storage: Storage,
    folder: &'r ResultsFolder,
    experiment: &'r Experiment,
    sessions: &'r [PlannedSession],
    layout: PackLayout,
    /// How many sessions of each pack are still to be run.
    waiting: BTreeMap<u32, u64>,
}

impl<'r> Packer<'r> {
    /// A packer of these sessions, which are in plan order. What is to be run of them, and what another layout of the packs put
    /// elsewhere, is laid down loose.
    ///
    /// # Errors
    /// When a pack cannot be read or written.
    pub fn begin(
        storage: Storage,
        (folder, experiment): (&'r ResultsFolder, &'r Experiment),
        sessions: &'r [PlannedSession],
        missing: &mut [PlannedSession],
    ) -> Result<Self, FileError> {
        if storage == Storage::Loose {
            return Ok(Self {
                storage,
                folder,
                experiment,
                sessions,
                layout: PackLayout::default(),
                waiting: BTreeMap::new(),
            });
        }
        let pack = |session: &PlannedSession| experiment.pack_of(session);
        let mut waiting = BTreeMap::new();
        missing.iter().for_each(|session| *waiting.entry(pack(session)).or_default() += 1);
        unpack_sessions(folder, missing.iter().map(PlannedSession::name))?;
        unpack_elsewhere(folder, experiment, sessions)?;
        if sessions.iter().all(|session| session.arm.is_simulated()) {
            // One pack after the other, so that few sessions are loose at a time. The order within a pack stays.
            missing.sort_by_key(pack);
        }
        Ok(Self {
            storage,
            folder,
            experiment,
            sessions,
            layout: PackLayout::for_sessions(experiment, sessions),
            waiting,
        })
    }

    /// Counts a session that was run. After the last one of a pack, writes the pack.
    ///
    /// # Errors
    /// When the pack cannot be written.
    pub fn end_session(&mut self, session: &PlannedSession) -> Result<(), FileError> {
        if self.storage == Storage::Loose {
            return Ok(());
        }
        let number = self.experiment.pack_of(session);
        let left = self.waiting.entry(number).or_default();
        *left = left.saturating_sub(1);
        if *left > 0 {
            return Ok(());
        }
        self.waiting.remove(&number);
        self.write_pack(number)
    }

    /// Packs every complete session that is loose.
    ///
    /// # Errors
    /// When a folder cannot be listed, or a pack cannot be written.
    pub fn finish(self) -> Result<(), FileError> {
        let loose = if self.storage == Storage::Packed { self.folder.loose_names()? } else { Vec::new() };
        let sessions = loose.iter().filter_map(|name| PlannedSession::find_by_name(self.experiment, name));
        let mut numbers: Vec<u32> = sessions.map(|session| self.experiment.pack_of(&session)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().try_for_each(|number| self.write_pack(number))
    }

    fn write_pack(&self, number: u32) -> Result<(), FileError> {
        let own = self.layout.session_places(number).map(|place| (self.sessions[place].name(), self.folder));
        pack_sessions(self.folder, number, own)
    }
}
