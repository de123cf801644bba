//! Panels: the same agents meet in several sessions, one after the other, with the names and notes of the sessions before. And
//! notes that seats bring from another experiment, with or without a panel.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::config::{Config, NamingWord};
use super::identity::digest_of;
use super::lower::Draft;
use super::scenario::Soundness;
use super::tree::{Node, Value};
use super::{Origin, Plan, Problem, Problems, Seat, Sitter};
use crate::domain::{Before, ImportedNotes, NAME_CHARS_MAX, NameGiven, Needed, SeatNotes};
use crate::minds::Mind;
use crate::text;

/// The most sessions of a panel.
pub const WAVES_MAX: u32 = 99;
/// The lines of a seat's notes that it is shown, unless an author says otherwise.
pub const LINES_MAX: u32 = 200;

/// The same agents meet in several sessions.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PanelConfig {
    /// How often they meet in a replicate. Each meeting is a session, and begins when the one before it is complete. It may be
    /// raised later: the sessions that are there stay.
    #[schemars(range(min = 1, max = WAVES_MAX))]
    pub waves: u32,
}

/// Seats take notes when a session of a panel ends, and have them in the next.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotesConfig {
    /// The most lines of its notes that a seat is shown, the newest.
    #[serde(default = "lines_max")]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_lines: u32,
    /// The notes with which seats begin: those that seats of the same names took in another experiment. They need no panel.
    #[schemars(extend("default" = "none"))]
    pub from: Option<NotesFromConfig>,
}

/// The notes with which seats begin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotesFromConfig {
    /// None.
    None,
    /// Those after a complete session of another experiment: the folder of the session, relative to the config.
    Session(String),
}

/// The key of the notes with which seats begin.
pub const NOTES_FROM: &str = "memory.notes.from";
/// The key of the session of another experiment.
pub const NOTES_SESSION: &str = "memory.notes.from.session";
/// Where its notes are kept, beside the config.
pub const KEPT_NOTES: &str = "notes.json";

/// Names the notes by where they are kept: `plan.yaml` holds no path of the author's machine.
pub fn fill(memory: &mut Node) {
    let from = memory.child_mut("notes").and_then(|notes| notes.child_mut("from"));
    let session = from.and_then(|from| from.child_mut("session"));
    if let Some(session) = session.filter(|session| session.as_text().is_some()) {
        session.value = Value::Text(KEPT_NOTES.to_string());
    }
}

fn lines_max() -> u32 {
    LINES_MAX
}

/// The notes of an arm's seats.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Notes {
    /// At most how many lines of its notes a seat is shown.
    pub lines: u32,
    /// Whether seats take notes when a session ends: they meet again.
    pub are_taken: bool,
    /// Those of another experiment with which seats begin, in the order of the seats; `None` where they begin without.
    pub imported: Option<ImportedNotes>,
}

/// A session's place in its panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its number, from 1.
    pub number: u32,
    /// What it begins with; `None` in the first session, and in a plan that no session has followed yet.
    pub before: Option<Arc<Before>>,
}

impl Plan {
    /// The plan of a wave, which has a digest of its own.
    pub fn of_wave(&self, number: u32) -> Plan {
        let own = [("arm", self.digest.to_string()), ("wave", number.to_string())];
        let digest = digest_of(&BTreeMap::from(own));
        Plan { digest, wave: Some(Wave { number, before: None }), ..self.clone() }
    }

    /// The same plan for a session that begins with what came of the one before.
    pub fn after(&self, before: Before) -> Plan {
        let wave = self.wave.as_ref().map(|wave| Wave { number: wave.number, before: Some(Arc::new(before)) });
        Plan { wave, ..self.clone() }
    }

    /// What a session begins with that came of the one before; `None` where none came before.
    pub fn before(&self) -> Option<&Before> {
        self.wave.as_ref()?.before.as_deref()
    }

    /// Whether a session of it cannot begin without what came of another: [`Plan::after`] gives it that.
    pub fn lacks_before(&self) -> bool {
        self.wave.as_ref().is_some_and(|wave| wave.number > 1 && wave.before.is_none())
    }

    /// Whether seats are asked for notes when a session ends.
    pub fn takes_notes(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| notes.are_taken)
    }

    /// The notes that seats have when a session begins, in the plan's order, and the session of another experiment that they
    /// come from; `None` where they come from the panel.
    pub fn notes_to_bring(&self) -> (&[SeatNotes], Option<&Needed>) {
        let imported = self.notes.as_ref().and_then(|notes| notes.imported.as_ref());
        match (self.before(), imported) {
            _ if self.notes.is_none() => (&[], None),
            (Some(before), _) => (&before.notes, None),
            (None, Some(imported)) => (&imported.notes, Some(&imported.from)),
            (None, None) => (&[], None),
        }
    }

    /// The most lines of its notes that a seat is shown.
    pub fn notes_lines_max(&self) -> usize {
        self.notes.as_ref().map_or(0, |notes| notes.lines as usize)
    }
}

/// The longest words with which a simulated seat changes its notes, in characters.
const MIND_CHARS_MAX: u64 = 2_000;
/// Characters of prose that a token holds at the most, on average over a reply.
const CHARS_PER_TOKEN: u64 = 5;
/// What stands for a line of notes that nobody has written yet.
const LINE: &str = "As long as it may be, so it is, and so it was when we met before.";

impl Plan {
    /// The plan of a panel's last session of so many, with as many and as long names and notes as can be by then.
    pub fn longest_of_panel(&self, waves: u32) -> Plan {
        let last = self.of_wave(waves);
        if waves < 2 {
            return last;
        }
        let longest_name = |place: usize| {
            let name = format!("{place:0>6} {}", "wide ".repeat(8));
            name.chars().take(NAME_CHARS_MAX as usize - 1).collect::<String>().trim_end().to_string() + "x"
        };
        let choosers = self.seats.iter().enumerate().filter(|(_, seat)| seat.chooses_name());
        let names = choosers.map(|(place, seat)| NameGiven { seat: seat.name.clone(), name: longest_name(place) });
        let notes =
            self.seats.iter().map(|seat| SeatNotes { seat: seat.name.clone(), lines: self.longest_notes(seat, waves) });
        let needed = Needed { session: String::new(), minutes: self.digest.clone() };
        let notes = if last.takes_notes() { notes.collect() } else { Vec::new() };
        last.after(Before { needed, names: names.collect(), notes })
    }

    /// As many lines as a seat can be shown of what it may have noted before the last of so many sessions.
    fn longest_notes(&self, seat: &Seat, waves: u32) -> Vec<String> {
        let of_session = match &seat.sitter {
            Sitter::Mind(_) | Sitter::Person(_) => MIND_CHARS_MAX,
            Sitter::Model(place) => u64::from(self.models[*place].max_tokens) * CHARS_PER_TOKEN,
        };
        let imported = self.notes.iter().filter_map(|notes| notes.imported.as_ref());
        let imported = imported
            .flat_map(|imported| &imported.notes)
            .filter(|notes| notes.seat == seat.name)
            .flat_map(|notes| &notes.lines);
        let brought: u64 = imported.map(|line| text::chars(line) + 1).sum();
        let chars_max = (brought + of_session * u64::from(waves - 1)).min(seat.memory.notes_room());
        let lines = chars_max.div_ceil(LINE.len() as u64 + 1).min(self.notes_lines_max() as u64);
        let mut lines = vec![LINE.to_string(); usize::try_from(lines).unwrap_or(usize::MAX)];
        // Fewer lines than characters: the lines are longer.
        if let Some(last) = lines.last_mut() {
            let missing = chars_max.saturating_sub((LINE.len() as u64 + 1) * self.notes_lines_max() as u64);
            last.push_str(&" so it is".repeat(usize::try_from(missing / 9).unwrap_or(0)));
        }
        lines
    }
}

impl Seat {
    /// Whether it is asked for a name: a model or a person whose config lets it choose one, and a script with a line for it.
    pub fn chooses_name(&self) -> bool {
        self.is_self_named
            && match &self.sitter {
                Sitter::Model(_) | Sitter::Person(_) => true,
                Sitter::Mind(Mind::Scripted(script)) => script.chooses_name(),
                Sitter::Mind(_) => false,
            }
    }
}

/// Checks that notes are taken where somebody will read them, and that no name is chosen that nobody sees.
pub fn check(config: &Config, tree: &Node, problems: &mut Problems) {
    let is_read = |notes: &NotesConfig| config.panel.is_some() || notes.from.is_some();
    if config.memory.notes.as_ref().is_some_and(|notes| !is_read(notes)) {
        problems.push(unread(tree));
    }
    let named = config.seats.iter().find(|seat| seat.naming == Some(NamingWord::SelfChosen));
    if let Some(seat) = named.filter(|_| config.controls.anonymous) {
        let message = "names that seats choose are seen by nobody, with controls.anonymous: true";
        problems.push(tree.problem(&format!("seats.{}.naming", seat.name), message));
    }
}

fn unread(tree: &Node) -> Problem {
    let problem = tree.problem("memory.notes", "notes are for the next meeting, and no seat meets the others again");
    let hint =
        "write panel: { waves: 2 }, take notes of another experiment with memory.notes.from, or leave memory.notes out";
    problem.with_hint(Some(hint.to_string()))
}

/// The notes of the seats of an arm, the inner `None` where none are taken or brought; the outer when something is wrong with those
/// of another experiment. What could not be read was told.
pub fn notes(config: &Config, draft: &Draft<'_>, problems: &mut Problems) -> Option<Option<Notes>> {
    let Some(notes) = &config.memory.notes else { return Some(None) };
    let imported = match notes.from {
        Some(NotesFromConfig::Session(_)) => Some(imported(config, draft, problems)?),
        Some(NotesFromConfig::None) | None => None,
    };
    Some(Some(Notes { lines: notes.max_lines, are_taken: config.panel.is_some(), imported }))
}

/// The notes of another experiment with which every seat begins.
fn imported(config: &Config, draft: &Draft<'_>, problems: &mut Problems) -> Option<ImportedNotes> {
    let tree = draft.tree;
    if tree.place_of(NOTES_SESSION).origin != Origin::Config {
        let problem = tree.problem(NOTES_SESSION, "only the config itself can name a session");
        let hint = format!(
            "write it outside of the levels, and {NOTES_FROM}: none in the levels that are to begin without notes"
        );
        problems.push(problem.with_hint(Some(hint)));
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
        problems.push(tree.problem(NOTES_SESSION, message).with_hint(Some(hint.to_string())));
        return None;
    }
    Some(ImportedNotes { from: from.clone(), notes: names.filter_map(notes_of).cloned().collect() })
}
