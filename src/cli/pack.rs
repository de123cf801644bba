//! `run --pack`: decides when complete sessions move into packs. [`crate::store::packs`] writes the packs.

use std::collections::BTreeMap;
use std::fs;

use crate::plan::{Experiment, PlannedSession};
use crate::store::files::{FileError, file_error};
use crate::store::packs::{pack_sessions, unpack_sessions};
use crate::store::places::PACKS;
use crate::store::results::ResultsFolder;

/// How a folder keeps complete sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// One folder per session.
    Loose,
    /// In packs.
    Packed,
}

impl Storage {
    /// Packs if requested, else as the folder already does.
    pub fn for_folder(folder: &ResultsFolder, asked: Option<Storage>) -> Result<Self, FileError> {
        if asked == Some(Storage::Packed) {
            // The packs' folder alone makes later runs pack.
            let place = folder.root().join(PACKS);
            fs::create_dir_all(&place).map_err(|error| file_error(&place, &error))?;
        }
        Ok(if folder.is_packed() { Storage::Packed } else { Storage::Loose })
    }
}

/// The sessions of each pack.
#[derive(Debug, Default)]
pub struct PackLayout {
    /// Pack number and session index, sorted by pack, then in plan order.
    places: Vec<(u32, u32)>,
}

impl PackLayout {
    /// Assigns sessions to packs. The sessions must be in plan order.
    pub fn for_sessions(experiment: &Experiment, sessions: &[PlannedSession]) -> Self {
        let mut places: Vec<(u32, u32)> = sessions.iter().map(|session| experiment.pack_of(session)).zip(0..).collect();
        places.sort_unstable();
        Self { places }
    }

    /// The numbers of the packs.
    pub fn pack_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.places.chunk_by(|one, other| one.0 == other.0).map(|pack| pack[0].0)
    }

    /// The indices of a pack's sessions, in plan order.
    pub fn session_places(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.places.partition_point(|(pack, _)| *pack < number);
        self.places[first..].iter().take_while(move |(pack, _)| *pack == number).map(|(_, place)| *place as usize)
    }
}

/// Unpacks sessions that the plan now assigns to another pack.
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

/// Moves the complete sessions of a run into packs, unless the folder keeps them loose.
pub struct Packer<'r> {
    storage: Storage,
    folder: &'r ResultsFolder,
    experiment: &'r Experiment,
    sessions: &'r [PlannedSession],
    layout: PackLayout,
    /// The number of sessions still to run, by pack.
    waiting: BTreeMap<u32, u64>,
}

impl<'r> Packer<'r> {
    /// Begins to pack sessions, which must be in plan order. Unpacks sessions that are incomplete or in another pack than
    /// planned.
    pub fn begin(
        storage: Storage,
        (folder, experiment): (&'r ResultsFolder, &'r Experiment),
        sessions: &'r [PlannedSession],
        missing: &mut [PlannedSession],
    ) -> Result<Self, FileError> {
        let (mut layout, mut waiting) = (PackLayout::default(), BTreeMap::new());
        if storage == Storage::Loose {
            return Ok(Self { storage, folder, experiment, sessions, layout, waiting });
        }
        let pack = |session: &PlannedSession| experiment.pack_of(session);
        missing.iter().for_each(|session| *waiting.entry(pack(session)).or_default() += 1);
        unpack_sessions(folder, missing.iter().map(PlannedSession::name))?;
        unpack_elsewhere(folder, experiment, sessions)?;
        if sessions.iter().all(|session| session.arm.is_simulated()) {
            // Finish one pack after the other, so that few sessions are loose. The sort is stable.
            missing.sort_by_key(pack);
        }
        layout = PackLayout::for_sessions(experiment, sessions);
        Ok(Self { storage, folder, experiment, sessions, layout, waiting })
    }

    /// Counts a finished session and writes its pack after the last one.
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

    /// Packs all complete loose sessions.
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
