//! Panels: the same agents meet in consecutive sessions and keep their names and notes. Seats may also bring notes from another
//! experiment, with or without a panel.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Plan, Seat, Sitter, Wave, digest_of};
use crate::domain::{Before, NAME_CHARS_MAX, Needed, SeatNotes, Seated};
use crate::text;

impl Plan {
    /// The plan of a wave, with its own digest.
    pub fn of_wave(&self, number: u32) -> Plan {
        let own = [("arm", self.digest.to_string()), ("wave", number.to_string())];
        let digest = digest_of(&BTreeMap::from(own));
        let fork = self.fork_with(|after| Arc::new(after.of_wave(number)));
        Plan { digest, wave: Some(Wave { number, before: None }), fork, ..self.clone() }
    }

    /// The plan of a session that starts from the outcome of the previous session.
    pub fn with_previous_outcome(&self, before: Before) -> Plan {
        let wave = self.wave.as_ref().map(|wave| Wave { number: wave.number, before: Some(Arc::new(before)) });
        let fork = self.fork_with(|after| Arc::new(Plan { wave: wave.clone(), ..(**after).clone() }));
        Plan { wave, fork, ..self.clone() }
    }

    /// The outcome of the previous session, if there is one.
    pub fn previous_outcome(&self) -> Option<&Before> {
        self.wave.as_ref()?.before.as_deref()
    }

    /// Whether seats take notes at the end of a session.
    pub fn takes_notes(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| notes.are_taken)
    }

    /// The notes that seats have at the start of a session, in the plan's order, and the other experiment's session they come
    /// from, if any.
    pub fn notes_to_bring(&self) -> (&[SeatNotes], Option<&Needed>) {
        let imported = self.notes.as_ref().and_then(|notes| notes.imported.as_ref());
        match (self.previous_outcome(), imported) {
            _ if self.notes.is_none() => (&[], None),
            (Some(before), _) => (&before.notes, None),
            (None, Some(imported)) => (&imported.notes, Some(&imported.from)),
            (None, None) => (&[], None),
        }
    }

    /// The maximum number of lines of notes shown to a seat.
    pub fn notes_lines_max(&self) -> usize {
        self.notes.as_ref().map_or(0, |notes| notes.lines as usize)
    }
}

/// The maximum length of a simulated seat's changes to its notes, in characters.
const MIND_CHARS_MAX: u64 = 2_000;
/// An upper bound on the average characters per token in a reply.
const CHARS_PER_TOKEN: u64 = 5;
/// A placeholder for a line of future notes.
const LINE: &str = "As long as it may be, so it is, and so it was when we met before.";

impl Plan {
    /// The plan of the last of `waves` sessions, with as many and as long names and notes as possible.
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
        let names = choosers.map(|(place, seat)| Seated::named(&seat.name, longest_name(place)));
        let notes =
            self.seats.iter().map(|seat| SeatNotes { seat: seat.name.clone(), lines: self.longest_notes(seat, waves) });
        let needed = Needed { session: String::new(), minutes: self.digest.clone() };
        let notes = if last.takes_notes() { notes.collect() } else { Vec::new() };
        last.with_previous_outcome(Before { needed, names: names.collect(), notes })
    }

    /// The longest notes that a seat may be shown in the last of `waves` sessions.
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
        let brought: u64 = imported.map(|line| text::char_count(line) + 1).sum();
        let chars_max = (brought + of_session * u64::from(waves - 1)).min(seat.memory.notes_room());
        let lines = chars_max.div_ceil(LINE.len() as u64 + 1).min(self.notes_lines_max() as u64);
        let mut lines = vec![LINE.to_string(); usize::try_from(lines).unwrap_or(usize::MAX)];
        // If the number of lines is the limit, extend the last line to the greatest length.
        if let Some(last) = lines.last_mut() {
            let missing = chars_max.saturating_sub((LINE.len() as u64 + 1) * self.notes_lines_max() as u64);
            last.push_str(&" so it is".repeat(usize::try_from(missing / 9).unwrap_or(0)));
        }
        lines
    }
}
