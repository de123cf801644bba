//! The tables of a results folder: written to temporary files, then put in place all together.
//!
//! What the rows mean is the affair of [`crate::metrics`]; nothing here computes a number.

mod borne_out;
mod codebook;
mod dictionary;
mod facts;
mod loaders;
mod methods;

pub use borne_out::{AWAITED, BorneOut, Share, Unborne};
pub use dictionary::dictionary;
pub use facts::{arm_facts, experiment_facts, session_facts};
pub use methods::{Held, design};

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use loaders::Categories;
use methods::Methods;
use tempfile::NamedTempFile;

use crate::adapters::calls::FailedAttempt;
use crate::adapters::results::{UNFINISHED, in_words};
use crate::domain::Digest;
use crate::metrics::{Folded, Layout, SessionRow, TableSpec, key_cells, put_row, put_text, table_specs};
use crate::plan::{Deviation, Experiment};

/// A file of a results folder could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", path.display(), in_words(source))]
pub struct Unwritable {
    /// The file.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

/// The tables of one experiment while they are written.
///
/// Nothing is visible under its final name before [`TableSet::finish`]; dropped before that, it leaves no file behind.
pub struct TableSet {
    folder: PathBuf,
    specs: Vec<TableSpec>,
    files: Vec<Growing>,
    sessions: SessionLines,
    methods: Methods,
    categories: Categories,
}

/// The lines of `sessions.csv`, whole but for the cell that needs all sessions of an arm: one text, since there may be a million.
#[derive(Default)]
struct SessionLines {
    text: Vec<u8>,
    /// Where that cell stands, and the transcript that it is about.
    open: Vec<(usize, [u8; 32])>,
    /// How many sessions of an arm have a transcript.
    seen: BTreeMap<[u8; 32], u32>,
}

impl SessionLines {
    fn add(&mut self, key: &[u8], arm: &str, mut session: SessionRow) {
        let begin = self.text.len();
        let spoken = session.totals.as_ref().is_some_and(|totals| totals.statements > 0);
        session.distinct_transcript = spoken.then_some(false);
        put_row(key, &session, &mut self.text);
        let Some(totals) = &session.totals else { return };
        let transcript = *blake3::hash(format!("{arm} {}", totals.transcript).as_bytes()).as_bytes();
        *self.seen.entry(transcript).or_default() += 1;
        if spoken {
            session.distinct_transcript = Some(true);
            let mut other = Vec::new();
            put_row(key, &session, &mut other);
            let place = self.text[begin..].iter().zip(&other).position(|(one, other)| one != other);
            self.open.push((begin + place.expect("invariant: a flag is a cell of one digit"), transcript));
        }
    }

    /// The lines, every cell filled in.
    fn finish(mut self) -> Vec<u8> {
        for (place, transcript) in self.open {
            self.text[place] = if self.seen[&transcript] == 1 { b'1' } else { b'0' };
        }
        self.text
    }
}

/// A file that grows under a temporary name.
struct Growing {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl TableSet {
    /// Opens the tables of an experiment with these open columns in a folder; `design` begins its page of methods, see [`design`].
    ///
    /// # Errors
    /// When the folder takes no files.
    pub fn create(folder: &Path, layout: &Layout, design: String) -> Result<Self, Unwritable> {
        let specs = table_specs(layout);
        let files = specs.iter().map(|spec| Growing::begin(folder, spec)).collect::<Result<_, _>>()?;
        let methods = Methods::begin(design);
        let folder = folder.to_owned();
        Ok(Self { folder, specs, files, sessions: SessionLines::default(), methods, categories: Categories::new() })
    }

    /// Lets the scripts that read the tables know arms and levels in order, the baseline's first, and the page of methods the
    /// digest of the scenario's file.
    #[must_use]
    pub fn of(mut self, experiment: &Experiment, scenario: Digest) -> Self {
        self.categories = loaders::categories(experiment);
        self.methods.of(scenario);
        self
    }

    /// Lets the page of methods list what was changed in the design after its first session was run.
    pub fn deviated(&mut self, deviations: Vec<Deviation>) {
        self.methods.deviated(deviations);
    }

    /// Lets the page of methods tell of a session that was run again after these attempts.
    pub fn was_retried(&mut self, session: String, ended: Vec<FailedAttempt>) {
        self.methods.was_retried(session, ended);
    }

    /// Adds a session. The caller adds them in the order of the plan.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, folded: Folded) -> Result<(), Unwritable> {
        self.methods.add(&folded);
        let Folded { facts, session, rows } = folded;
        for (file, part) in self.files.iter_mut().skip(1).zip(rows.parts()) {
            file.write(part)?;
        }
        self.sessions.add(&key_cells(&facts), &facts.arm.arm, session);
        Ok(())
    }

    /// Writes what needs all sessions, and the files that describe the tables; then puts every file in place.
    ///
    /// # Errors
    /// When a file cannot be written or put in place; the error names it.
    pub fn finish(mut self) -> Result<(), Unwritable> {
        self.files[0].write(&std::mem::take(&mut self.sessions).finish())?;
        let described = [
            ("codebook.csv", codebook::codebook(&self.specs)),
            ("datapackage.json", codebook::datapackage(&self.specs)),
            ("load.R", loaders::load_r(&self.specs, &self.categories)),
            ("load.py", loaders::load_py(&self.specs, &self.categories)),
            ("methods.md", self.methods.page()),
        ];
        for (name, text) in described {
            let mut file = Growing::open(&self.folder, name)?;
            file.write(text.as_bytes())?;
            self.files.push(file);
        }
        self.files.into_iter().try_for_each(Growing::persist)
    }
}

impl Growing {
    fn begin(folder: &Path, spec: &TableSpec) -> Result<Self, Unwritable> {
        let mut file = Self::open(folder, &format!("{}.csv", spec.name))?;
        file.write(&header(spec))?;
        Ok(file)
    }

    fn open(folder: &Path, name: &str) -> Result<Self, Unwritable> {
        let path = folder.join(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        match builder.tempfile_in(folder) {
            Ok(file) => Ok(Self { path, out: BufWriter::new(file) }),
            Err(source) => Err(Unwritable { path, source }),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Unwritable> {
        self.out.write_all(bytes).map_err(|source| Unwritable { path: self.path.clone(), source })
    }

    /// Puts the file in place under its final name.
    fn persist(self) -> Result<(), Unwritable> {
        let path = self.path;
        let fail = |source| Unwritable { path: path.clone(), source };
        let file = self.out.into_inner().map_err(|error| fail(error.into_error()))?;
        file.persist(&path).map(drop).map_err(|error| fail(error.error))
    }
}

/// The first line of a table.
fn header(spec: &TableSpec) -> Vec<u8> {
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

/// The names of all files that a finished set leaves, in order.
pub fn file_names() -> Vec<String> {
    let mut names: Vec<String> =
        table_specs(&Layout::default()).iter().map(|spec| format!("{}.csv", spec.name)).collect();
    names.extend(["codebook.csv", "datapackage.json", "load.R", "load.py", "methods.md"].map(str::to_owned));
    names
}
