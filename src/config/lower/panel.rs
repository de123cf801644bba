//! Panels: their waves, and the notes that seats bring.

use crate::config::draft::ArmDraft;
use crate::config::problem::Problems;
use crate::config::scenario::Soundness;
use crate::config::tree::Node;
use crate::config::written::config::{Config, NamingWord};
use crate::config::written::panel::{NotesConfig, NotesFromConfig};
use crate::domain::ImportedNotes;
use crate::plan::{NotesPlan, Origin};

/// The dotted key of the notes with which seats begin.
pub const NOTES_FROM: &str = "memory.notes.from";
/// The dotted key of the other experiment's session.
pub const NOTES_SESSION: &str = "memory.notes.from.session";
/// The stored path of its notes, beside the config.
pub const KEPT_NOTES: &str = "notes.json";

/// Checks that notes are read later, and that names chosen by seats are visible.
pub fn check_panel(config: &Config, tree: &Node, problems: &mut Problems) {
    let is_read = |notes: &NotesConfig| config.panel.is_some() || notes.from.is_some();
    if config.memory.notes.as_ref().is_some_and(|notes| !is_read(notes)) {
        let problem =
            tree.problem("memory.notes", "notes are for the next meeting, and no seat meets the others again");
        let hint = "write panel: { waves: 2 }, take notes of another experiment with memory.notes.from, or leave memory.notes out";
        problems.push(problem.with_advice(hint));
    }
    let named = config.seats.iter().find(|seat| seat.naming == Some(NamingWord::SelfChosen));
    if let Some(seat) = named.filter(|_| config.controls.anonymous) {
        let message = "names that seats choose are seen by nobody, with controls.anonymous: true";
        problems.push(tree.problem(&format!("seats.{}.naming", seat.name), message));
    }
}

/// The notes of an arm's seats; `Some(None)` if none are taken or brought, `None` if those of another experiment are invalid.
/// Unreadable notes have already been reported.
pub fn lower_notes(config: &Config, draft: &ArmDraft<'_>, problems: &mut Problems) -> Option<Option<NotesPlan>> {
    let Some(notes) = &config.memory.notes else { return Some(None) };
    let imported = match notes.from {
        Some(NotesFromConfig::Session(_)) => Some(lower_imported_notes(config, draft, problems)?),
        Some(NotesFromConfig::None) | None => None,
    };
    Some(Some(NotesPlan { lines: notes.max_lines, are_taken: config.panel.is_some(), imported }))
}

/// The other experiment's notes with which every seat begins.
fn lower_imported_notes(config: &Config, draft: &ArmDraft<'_>, problems: &mut Problems) -> Option<ImportedNotes> {
    let tree = draft.tree;
    if tree.place_of(NOTES_SESSION).origin != Origin::Config {
        let problem = tree.problem(NOTES_SESSION, "only the config itself can name a session");
        let hint = format!(
            "write it outside of the levels, and {NOTES_FROM}: none in the levels that are to begin without notes"
        );
        problems.push(problem.with_advice(hint));
        return None;
    }
    let ImportedNotes { from, notes } = draft.files.imported_notes?;
    let notes_of = |name: &str| notes.iter().find(|notes| notes.seat.as_str() == name);
    let names = config.seats.iter().map(|seat| seat.name.as_str());
    let missing: Vec<&str> = names.clone().filter(|name| notes_of(name).is_none()).collect();
    if !missing.is_empty() && draft.seats == Soundness::Sound {
        let there: Vec<&str> = notes.iter().map(|notes| notes.seat.as_str()).collect();
        let message =
            format!("{} has no notes of {}; it has notes of {}", from.session, missing.join(", "), there.join(", "));
        let hint = "give every seat the name that it had there, or name another session";
        problems.push(tree.problem(NOTES_SESSION, message).with_advice(hint));
        return None;
    }
    Some(ImportedNotes { from: from.clone(), notes: names.filter_map(notes_of).cloned().collect() })
}
