//! Finds the session or experiment that a path or a name refers to.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Refusal;
use crate::store::results::ResultsFolder;

/// The place of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlace {
    /// The experiment's folder.
    pub experiment: PathBuf,
    /// The session's name.
    pub name: String,
}

/// Finds a session by its folder, or by its name in `results/*`.
///
/// # Errors
/// When no session or more than one matches.
pub fn find_session(text: &str) -> Result<SessionPlace, Refusal> {
    let found = session_folder(Path::new(text)).map_or_else(|| find_named_session(text), |place| Ok(Some(place)))?;
    match found {
        Some(place) => Ok(place),
        None => {
            refuse_damaged_packs(Path::new(text))?;
            Err(Refusal::wrong_input(format!("{text}: no such session; name its folder, or its name in results/*")))
        }
    }
}

/// Refuses to say that a session is not there if it may be in a pack that cannot be read.
fn refuse_damaged_packs(path: &Path) -> Result<(), Refusal> {
    for experiment in path.ancestors().skip(1).take(2).filter(|folder| folder.join("inputs").is_dir()) {
        ResultsFolder::open_unchecked(experiment).packs().numbers()?;
    }
    Ok(())
}

/// Finds an experiment's folder, and the session's name if the path refers to a session.
///
/// # Errors
/// When nothing matches, or several sessions have this name.
pub fn find_experiment(path: &Path) -> Result<(PathBuf, Option<String>), Refusal> {
    if path.join("inputs").is_dir() {
        return Ok((path.to_owned(), None));
    }
    let found = match (session_folder(path), path.to_str()) {
        (None, Some(text)) => find_named_session(text)?,
        (place, _) => place,
    };
    match found {
        Some(place) => Ok((place.experiment, Some(place.name))),
        None => Err(Refusal::wrong_input(format!(
            "{}: neither the folder of an experiment nor of a session; a session is named by its folder, as in \
             results/first/sessions/talk-r000001, or by its name where one experiment in results/* has it",
            path.display()
        ))),
    }
}

/// Finds a session by name in `results/*`.
fn find_named_session(name: &str) -> Result<Option<SessionPlace>, Refusal> {
    let mut found = Vec::new();
    if !name.contains(['/', '\\'])
        && let Ok(experiments) = fs::read_dir("results")
    {
        for experiment in experiments.flatten() {
            found.extend(session_folder(&experiment.path().join("sessions").join(name)));
        }
    }
    found.sort_by(|a, b| a.experiment.cmp(&b.experiment));
    match found.as_slice() {
        [] => Ok(None),
        [place] => Ok(Some(place.clone())),
        several => {
            let folders: Vec<String> = several
                .iter()
                .map(|p| format!("  {}", p.experiment.join("sessions").join(&p.name).display()))
                .collect();
            Err(Refusal::wrong_input(format!("{name} is the name of several sessions:\n{}", folders.join("\n"))))
        }
    }
}

/// Entries that mark an experiment's folder; no session has them.
const OF_EXPERIMENTS: [&str; 3] = ["inputs", "sessions", "plan.yaml"];

/// The session of a folder: `EXPERIMENT/sessions/NAME`, or `EXPERIMENT/NAME` for short. An experiment in a folder called
/// `sessions` is no session.
fn session_folder(path: &Path) -> Option<SessionPlace> {
    let name = path.file_name()?.to_str()?.to_owned();
    let parent = path.parent()?;
    let holds = |experiment: &Path| ResultsFolder::open_unchecked(experiment).has_session(&name);
    if parent.join("inputs").is_dir() && holds(parent) {
        return Some(SessionPlace { experiment: parent.to_owned(), name });
    }
    let is_experiment = || OF_EXPERIMENTS.iter().any(|part| path.join(part).exists());
    let experiment = parent.parent()?;
    if parent.file_name()? != "sessions" || is_experiment() || !path.is_dir() && !holds(experiment) {
        return None;
    }
    Some(SessionPlace { experiment: experiment.to_owned(), name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_experiment_in_a_folder_called_sessions_is_no_session_and_its_sessions_are_found() {
        let place = tempfile::tempdir().unwrap();
        let main = place.path().join("sessions/main");
        fs::create_dir_all(main.join("sessions/talk-r000001")).unwrap();
        assert!(session_folder(&main).is_none(), "half written, without inputs");
        let found = session_folder(&main.join("sessions/talk-r000001"));
        assert_eq!(found, Some(SessionPlace { experiment: main.clone(), name: "talk-r000001".to_owned() }));
        fs::create_dir(main.join("inputs")).unwrap();
        let short = session_folder(&main.join("talk-r000001"));
        assert_eq!(short, found);
        assert_eq!(find_experiment(&main).unwrap(), (main, None));
    }
}
