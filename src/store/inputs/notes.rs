//! Reads the notes with which seats begin, from a session of another experiment, and keeps them among the inputs.

use std::path::{Path, PathBuf};

use super::Inputs;
use super::reading::{BYTES_MAX, KeptFile, normalise_path, shown_path};
use crate::config::{KEPT_NOTES, NOTES_SESSION, Node, Problem, Problems, suggest_word};
use crate::domain::{ImportedNotes, SeatNotes};
use crate::engine::handed_on;
use crate::store::files::indented_json;
use crate::store::needed::{NeededError, Trust, read_complete};
use crate::store::results::ResultsFolder;

fn named_session(tree: &Node) -> Option<&str> {
    // The type check reports a value of a wrong type.
    tree.find(NOTES_SESSION)?.as_text()
}

/// Reads the notes of the session that a config names. `place` returns the path of its folder.
pub(super) fn read_notes(tree: &Node, place: impl Fn(&str) -> PathBuf, problems: &mut Problems) -> Option<KeptFile> {
    let session = normalise_path(&place(named_session(tree)?));
    let notes = notes_of(&session).map_err(|(message, hint)| tree.problem(NOTES_SESSION, message).with_hint(hint));
    let bytes = indented_json(&problems.ok_or_report(notes)?);
    Some(KeptFile { shown: format!("the notes of {}", shown_path(&session)), bytes })
}

/// Reads the notes kept in a results folder.
pub(super) fn read_kept(tree: &Node, inputs: &Path, problems: &mut Problems) -> Option<KeptFile> {
    named_session(tree)?;
    problems.ok_or_report(KeptFile::read(&inputs.join(KEPT_NOTES), BYTES_MAX))
}

pub(super) fn parse_kept_notes(kept: Option<&KeptFile>, problems: &mut Problems) -> Option<ImportedNotes> {
    let KeptFile { shown, bytes } = kept?;
    let read = serde_json::from_slice(bytes);
    problems
        .ok_or_report(read.map_err(|error| Problem::of_file(shown, format!("not the notes that were kept: {error}"))))
}

/// The seats' notes at the end of a complete session, from the folder of that session.
///
/// # Errors
/// A message, and a hint.
fn notes_of(path: &Path) -> Result<ImportedNotes, (String, Option<String>)> {
    let refused = |message: String, hint: &str| (message, Some(hint.to_owned()));
    let place = path.file_name().and_then(|name| name.to_str()).zip(path.parent());
    let place = place
        .filter(|(_, sessions)| sessions.ends_with("sessions"))
        .and_then(|(name, sessions)| Some((name, sessions.parent()?)));
    let results = place.filter(|(_, root)| Inputs::are_kept(root));
    let Some((name, root)) = results else {
        let reason = if path.is_dir() { "not the folder of a session" } else { "no such folder" };
        let hint = "name the folder of a session by its path from the config, such as ../other/results/first/sessions/talk-r000001-w01";
        return Err(refused(format!("{}: {reason}", shown_path(path)), hint));
    };
    let (folder, root_shown) = (ResultsFolder::open_unchecked(root), shown_path(root));
    let names = folder.session_names().map_err(|error| (error.to_string(), None))?;
    if !names.iter().any(|known| known == name) {
        return Err((
            format!("{root_shown} has no session \"{name}\""),
            suggest_word(name, names.iter().map(String::as_str)),
        ));
    }
    let complete = read_complete(&folder, name.to_owned(), Trust::LastRun, None);
    let (from, records) = complete.map_err(|error| match error {
        NeededError::Incomplete(_) => {
            let hint = format!("finish it with `ekklesia run {root_shown}`, or name a session that is complete");
            (format!("{name} is not complete"), Some(hint))
        }
        NeededError::Changed(_) => {
            let hint = format!("`ekklesia replay {root_shown}` names the record");
            (format!("the minutes of {name} changed since they were written"), Some(hint))
        }
        other => (other.to_string(), None),
    })?;
    let unread = |problems: Problems| {
        let first = problems.iter().next().map_or(String::new(), Problem::to_string);
        (format!("the inputs of {root_shown} cannot be read: {first}"), None)
    };
    let experiment = Inputs::read_results(root).and_then(|inputs| inputs.resolve()).map_err(unread)?.experiment;
    let arm = records.first().and_then(|record| Some(&record.event.convened()?.arm));
    let plan = experiment.arms.iter().find(|plan| Some(&plan.arm) == arm);
    let plan = plan.ok_or_else(|| (format!("{name} is of no arm of {root_shown}"), None))?;
    let (_, mut notes) = handed_on(plan, &records);
    if notes.is_empty() {
        let hint = "name a session of a panel whose config has memory.notes";
        return Err(refused(format!("no seat took notes in {name}"), hint));
    }
    // Seats without notes begin with an empty list.
    let silent = plan.seats.iter().filter(|seat| notes.iter().all(|own| own.seat != seat.name)).collect::<Vec<_>>();
    notes.extend(silent.into_iter().map(|seat| SeatNotes { seat: seat.name.clone(), lines: Vec::new() }));
    Ok(ImportedNotes { from, notes })
}
