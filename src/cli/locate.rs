//! Finds the session or experiment that a path or a name means.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Refusal;

/// A session's place: its experiment's folder, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlace {
    /// The experiment's folder.
    pub experiment: PathBuf,
    /// The session's name.
    pub name: String,
}

/// The session that a folder or a name means; a name is looked up in `results/*`.
///
/// # Errors
/// When there is none, or more than one.
pub fn session(text: &str) -> Result<SessionPlace, Refusal> {
    if let Some(place) = session_folder(Path::new(text)) {
        return Ok(place);
    }
    let mut found = Vec::new();
    if !text.contains(['/', '\\'])
        && let Ok(experiments) = fs::read_dir("results")
    {
        for experiment in experiments.flatten() {
            found.extend(session_folder(&experiment.path().join("sessions").join(text)));
        }
    }
    found.sort_by(|a, b| a.experiment.cmp(&b.experiment));
    match found.as_slice() {
        [place] => Ok(place.clone()),
        [] => Err(Refusal::wrong(format!("{text}: no such session; name its folder, or its name in results/*"))),
        several => {
            let folders: Vec<String> = several
                .iter()
                .map(|p| format!("  {}", p.experiment.join("sessions").join(&p.name).display()))
                .collect();
            Err(Refusal::wrong(format!("{text} is the name of several sessions:\n{}", folders.join("\n"))))
        }
    }
}

/// The experiment's folder that a path means, and the session within it if the path means one.
///
/// # Errors
/// When the path is neither.
pub fn experiment(path: &Path) -> Result<(PathBuf, Option<String>), Refusal> {
    if path.join("inputs").is_dir() {
        return Ok((path.to_owned(), None));
    }
    match session_folder(path) {
        Some(place) => Ok((place.experiment, Some(place.name))),
        None => {
            Err(Refusal::wrong(format!("{}: neither the folder of an experiment nor of a session", path.display())))
        }
    }
}

fn session_folder(path: &Path) -> Option<SessionPlace> {
    let name = path.file_name()?.to_str()?.to_owned();
    let sessions = path.parent()?;
    if !path.is_dir() || sessions.file_name()? != "sessions" {
        return None;
    }
    Some(SessionPlace { experiment: sessions.parent()?.to_owned(), name })
}
