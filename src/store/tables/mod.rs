//! Writes the tables of a results folder to temporary files, then moves all of them into place.
//!
//! [`crate::analysis`] defines and computes the rows.

mod codebook;
mod dictionary;
mod facts;
mod loaders;
mod methods;
mod verification;

pub use dictionary::render_dictionary;
pub use facts::{ArmsByName, arm_facts, arms_by_name, experiment_facts, find_repeated_columns, session_facts};
pub use methods::{ResultsScope, render_design};
pub use verification::{AWAITED, ExpectedTables, TableShare, UnconfirmedTables};

use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use loaders::ColumnLevels;
use methods::Methods;
use tempfile::NamedTempFile;

use crate::analysis::{ColumnLayout, FoldedSession, SessionRow, TableSpec, key_cells, put_row, put_text, table_specs};
use crate::domain::Digest;
use crate::plan::{Deviation, Experiment};
use crate::store::calls::FailedAttempt;
use crate::store::files::{FileError, file_error};
use crate::store::places::UNFINISHED;

/// Enough for most lines of `sessions.csv`.
const LINE_BYTES: usize = 1 << 10;

/// The tables of one experiment while they are written.
///
/// No file has its final name before [`TableSet::finish`]. If the set is dropped before, no file remains.
pub struct TableSet {
    folder: PathBuf,
    specs: Vec<TableSpec>,
    files: Vec<GrowingFile>,
    sessions: SessionLines,
    methods: Methods,
    categories: ColumnLevels,
}

/// The lines of `sessions.csv`. One cell depends on all sessions of an arm: whether a transcript is unique. It is written as 1
/// and corrected in the file at the end, because there may be a million sessions.
#[derive(Default)]
struct SessionLines {
    /// The number of bytes written.
    written: u64,
    /// The transcript digests of sessions with statements, and the place of that cell.
    spoken: Vec<([u8; 16], u64)>,
    /// How many cells of a line precede that cell; `None` before the first session with statements.
    cells_before: Option<usize>,
}

impl SessionLines {
    /// Renders the line of a session.
    fn render_line(&mut self, key: &[u8], arm: &str, mut session: SessionRow) -> Vec<u8> {
        let spoken = session.totals.as_ref().filter(|totals| totals.statements > 0);
        let transcript = spoken.map(|totals| blake3::hash(format!("{arm} {}", totals.transcript).as_bytes()));
        session.distinct_transcript = transcript.map(|_| true);
        let mut line = Vec::with_capacity(LINE_BYTES);
        put_row(key, &session, &mut line);
        if let Some(transcript) = transcript {
            let cells_before = *self.cells_before.get_or_insert_with(|| {
                session.distinct_transcript = Some(false);
                let mut other = Vec::new();
                put_row(key, &session, &mut other);
                let place = line.iter().zip(&other).position(|(one, other)| one != other);
                let place = place.expect("invariant: a flag is a cell of one digit");
                list_commas(&line).take_while(|comma| *comma < place).count()
            });
            let before = cells_before.checked_sub(1).and_then(|comma| list_commas(&line).nth(comma));
            let place = before.map_or(0, |comma| comma + 1);
            let mut short = [0; 16];
            short.copy_from_slice(&transcript.as_bytes()[..16]);
            self.spoken.push((short, self.written + place as u64));
        }
        self.written += line.len() as u64;
        line
    }

    /// The places of the cells to correct, whose transcripts occur more than once.
    fn repeated_places(mut self) -> Vec<u64> {
        self.spoken.sort_unstable();
        let same = self.spoken.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1);
        let mut places: Vec<u64> = same.flatten().map(|(_, place)| *place).collect();
        places.sort_unstable();
        places
    }
}

/// The places of the commas between the cells of a line of CSV.
fn list_commas(line: &[u8]) -> impl Iterator<Item = usize> {
    let mut is_quoted = false;
    let ends_cell = move |(_, byte): &(usize, &u8)| {
        is_quoted ^= **byte == b'"';
        **byte == b',' && !is_quoted
    };
    line.iter().enumerate().filter(ends_cell).map(|(place, _)| place)
}

/// A file under a temporary name.
struct GrowingFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl TableSet {
    /// Creates the tables of an experiment in a folder. `design` is the first part of `methods.md`, see [`render_design`].
    ///
    /// # Errors
    /// When the folder is not writable.
    pub fn create(folder: &Path, layout: &ColumnLayout, design: String) -> Result<Self, FileError> {
        let specs = table_specs(layout);
        let files = specs.iter().map(|spec| GrowingFile::begin_table(folder, spec)).collect::<Result<_, _>>()?;
        let methods = Methods::with_design(design);
        let folder = folder.to_owned();
        Ok(Self { folder, specs, files, sessions: SessionLines::default(), methods, categories: ColumnLevels::new() })
    }

    /// Passes the order of arms and levels to `load.R` and `load.py`, and the digest of the scenario file to `methods.md`.
    #[must_use]
    pub fn with_experiment(mut self, experiment: &Experiment, scenario: Digest) -> Self {
        self.categories = loaders::column_levels(experiment);
        self.methods.scenario = Some(scenario);
        self
    }

    /// Passes changes to the design after its first session to `methods.md`.
    pub fn set_deviations(&mut self, deviations: Vec<Deviation>) {
        self.methods.deviations = deviations;
    }

    /// Passes a session that was run again, with its earlier attempts, to `methods.md`.
    pub fn add_retried_session(&mut self, session: String, ended: Vec<FailedAttempt>) {
        self.methods.retried.push((session, ended));
    }

    /// The folder to which the tables are written.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a session. The caller adds sessions in the order of the plan.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add_session(&mut self, folded: FoldedSession) -> Result<(), FileError> {
        self.methods.add_session(&folded);
        let FoldedSession { facts, session, rows } = folded;
        for (file, part) in self.files.iter_mut().skip(1).zip(rows.table_buffers()) {
            file.write(part)?;
        }
        let line = self.sessions.render_line(&key_cells(&facts), &facts.arm.arm, session);
        self.files[0].write(&line)
    }

    /// Corrects the cells that depend on all sessions, writes the files that describe the tables, and moves all files into place.
    ///
    /// # Errors
    /// When a file cannot be written or moved; the error names it.
    pub fn finish(mut self) -> Result<(), FileError> {
        let begin = header_line(&self.specs[0]).len() as u64;
        let repeated = std::mem::take(&mut self.sessions).repeated_places();
        self.files[0].overwrite_bytes(repeated.into_iter().map(|place| begin + place), b'0')?;
        let described = [
            ("codebook.csv", codebook::render_codebook(&self.specs)),
            ("datapackage.json", codebook::render_datapackage(&self.specs)),
            ("load.R", loaders::load_r(&self.specs, &self.categories)),
            ("load.py", loaders::load_py(&self.specs, &self.categories)),
            ("methods.md", self.methods.render_page()),
        ];
        for (name, text) in described {
            let mut file = GrowingFile::open(&self.folder, name)?;
            file.write(text.as_bytes())?;
            self.files.push(file);
        }
        self.files.into_iter().try_for_each(GrowingFile::persist)
    }
}

impl GrowingFile {
    fn begin_table(folder: &Path, spec: &TableSpec) -> Result<Self, FileError> {
        let mut file = Self::open(folder, &format!("{}.csv", spec.name))?;
        file.write(&header_line(spec))?;
        Ok(file)
    }

    fn open(folder: &Path, name: &str) -> Result<Self, FileError> {
        let path = folder.join(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| file_error(&path, &error))?;
        Ok(Self { path, out: BufWriter::new(file) })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.out.write_all(bytes).map_err(|error| file_error(&self.path, &error))
    }

    /// Overwrites one byte at each of these places, then returns to the end.
    fn overwrite_bytes(&mut self, places: impl Iterator<Item = u64>, byte: u8) -> Result<(), FileError> {
        let write = || {
            self.out.flush()?;
            let file = self.out.get_mut().as_file_mut();
            for place in places {
                file.seek(SeekFrom::Start(place))?;
                file.write_all(&[byte])?;
            }
            file.seek(SeekFrom::End(0)).map(drop)
        };
        write().map_err(|error| file_error(&self.path, &error))
    }

    /// Moves the file to its final name.
    fn persist(self) -> Result<(), FileError> {
        let fail = |error: io::Error| file_error(&self.path, &error);
        let file = self.out.into_inner().map_err(|error| fail(error.into_error()))?;
        file.persist(&self.path).map(drop).map_err(|error| fail(error.error))
    }
}

/// Renders one table of a session that was folded alone, as CSV with its header; `None` if there is no table of this name.
pub fn table_of(folded: &FoldedSession, name: &str) -> Option<String> {
    let specs = table_specs(&folded.facts.arm.layout);
    let place = specs.iter().position(|spec| spec.name == name)?;
    let mut table = header_line(&specs[place]);
    match place.checked_sub(1) {
        Some(other) => table.extend_from_slice(folded.rows.table_buffers()[other]),
        None => table.extend(SessionLines::default().render_line(
            &key_cells(&folded.facts),
            &folded.facts.arm.arm,
            folded.session.clone(),
        )),
    }
    Some(String::from_utf8(table).expect("invariant: tables are UTF-8"))
}

fn header_line(spec: &TableSpec) -> Vec<u8> {
    let mut header = Vec::new();
    for (place, column) in spec.columns.iter().enumerate() {
        if place > 0 {
            header.push(b',');
        }
        put_text(&column.name, &mut header);
    }
    header.push(b'\n');
    header
}
