//! Notes kept by somebody who only reads records, character by character.

use std::collections::BTreeMap;

use ekklesia::domain::{Event, Record};

/// What all seats have noted.
pub struct Notebook {
    lines_max: usize,
    pub lines: BTreeMap<String, Vec<String>>,
}

impl Notebook {
    pub fn new(lines_max: usize) -> Self {
        Self { lines_max, lines: BTreeMap::new() }
    }

    /// Takes a record; what a session brings is what the one before it left.
    pub fn read(&mut self, record: &Record) {
        match &record.event {
            Event::NotesBrought { notes } => {
                let brought: BTreeMap<String, Vec<String>> =
                    notes.iter().map(|own| (own.seat.to_string(), own.lines.clone())).collect();
                assert_eq!(brought, self.lines, "record {}", record.seq.0);
            }
            Event::Noted { note, .. } => {
                let seat = record.seat.as_ref().expect("a seat answered").to_string();
                let mut lines = self.lines.remove(&seat).unwrap_or_default();
                if let Some(replace) = &note.replace {
                    let hidden = lines.len().saturating_sub(self.lines_max);
                    let shown: Vec<char> = lines.split_off(hidden).join("\n").chars().collect();
                    let old: Vec<char> = replace.old.chars().collect();
                    let places: Vec<usize> = (0..shown.len()).filter(|at| shown[*at..].starts_with(&old)).collect();
                    assert_eq!(places.len(), 1, "record {} replaces what does not stand once", record.seq.0);
                    let after = &shown[places[0] + old.len()..];
                    let new: String = shown[..places[0]]
                        .iter()
                        .copied()
                        .chain(replace.new.chars())
                        .chain(after.iter().copied())
                        .collect();
                    lines.extend(new.split('\n').filter(|line| !line.trim().is_empty()).map(str::to_owned));
                }
                let added = note.append.iter().flat_map(|text| text.lines());
                lines.extend(added.filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()));
                if !lines.is_empty() {
                    self.lines.insert(seat, lines);
                }
            }
            _ => {}
        }
    }
}
