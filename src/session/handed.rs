//! An account of the exhibits that were handed out, kept from the records and the plan's own texts.

use crate::domain::{Event, OwnEntry, Record, Seq};
use crate::plan::{HandOut, Plan};

/// What was handed out so far.
#[derive(Debug, Clone)]
pub(super) struct Exhibits {
    /// What is shown of each, by its name.
    shown: Vec<(String, String)>,
    /// The records that hand them out, in order, and the position of each.
    handed: Vec<(Seq, usize)>,
}

impl Exhibits {
    /// Nothing was handed out yet.
    pub fn of(plan: &Plan) -> Self {
        let shown = |handed: &HandOut| (handed.exhibit.name().to_owned(), handed.exhibit.shown().to_owned());
        Self { shown: plan.exhibits.iter().map(shown).collect(), handed: Vec::new() }
    }

    /// Takes a record down.
    pub fn witness(&mut self, record: &Record) {
        if let Event::Exhibited { exhibit, .. } = &record.event
            && let Some(place) = self.shown.iter().position(|(name, _)| name == exhibit)
        {
            self.handed.push((record.seq, place));
        }
    }

    /// What is shown of the exhibit of a name; nothing for one that the plan has not.
    pub fn shown(&self, name: &str) -> &str {
        self.shown.iter().find(|(other, _)| other == name).map_or("", |(_, shown)| shown)
    }

    /// Whether an entry is what its record handed out.
    pub fn are_so(&self, entry: &OwnEntry) -> bool {
        let handed = self.handed.binary_search_by_key(&entry.seq, |(seq, _)| *seq).ok();
        handed.is_some_and(|place| self.shown[self.handed[place].1].1 == entry.text)
    }
}
