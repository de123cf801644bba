//! An account of the exhibits that were handed out, kept from the records and the plan's own texts.

use crate::domain::{Event, Record, Seq};
use crate::plan::{HandOut, Plan};

/// What was handed out so far.
#[derive(Debug, Clone)]
pub(in crate::session) struct Exhibits {
    /// All that the plan has.
    planned: Vec<HandOut>,
    /// The records that hand them out, in order, and the position of each.
    handed: Vec<(Seq, usize)>,
}

impl Exhibits {
    /// Nothing was handed out yet.
    pub fn for_plan(plan: &Plan) -> Self {
        Self { planned: plan.exhibits.clone(), handed: Vec::new() }
    }

    /// Takes a record down.
    pub fn witness_record(&mut self, record: &Record) {
        if let Event::Exhibited { exhibit, .. } = &record.event
            && let Some(place) = self.exhibit_index(exhibit)
        {
            self.handed.push((record.seq, place));
        }
    }

    fn exhibit_index(&self, name: &str) -> Option<usize> {
        self.planned.iter().position(|planned| planned.exhibit.name() == name)
    }

    /// What is shown of the exhibit of a name; nothing for one that the plan has not.
    pub fn exhibit_text(&self, name: &str) -> &str {
        self.exhibit_index(name).map_or("", |place| self.planned[place].exhibit.shown_text())
    }

    /// The exhibit of a name, and the record that handed it out; `None` where none did.
    pub fn handed_exhibit(&self, name: &str) -> Option<(Seq, &HandOut)> {
        let place = self.exhibit_index(name)?;
        let (seq, _) = self.handed.iter().find(|(_, handed)| *handed == place)?;
        Some((*seq, &self.planned[place]))
    }
}
