//! The exhibits that were handed out, from the records and the plan's texts.

use crate::domain::{Briefing, Matter, Record, Seq};
use crate::plan::{HandOut, Plan};

#[derive(Debug, Clone)]
pub(in crate::session) struct Exhibits {
    planned: Vec<HandOut>,
    /// The records that handed out exhibits, in order, each with the exhibit's position in `planned`.
    handed: Vec<(Seq, usize)>,
}

impl Exhibits {
    pub fn for_plan(plan: &Plan) -> Self {
        Self { planned: plan.exhibits.clone(), handed: Vec::new() }
    }

    pub fn witness_record(&mut self, record: &Record) {
        if let Some(Briefing { what: Matter::Exhibit { name, .. }, .. }) = record.event.briefed()
            && let Some(place) = self.exhibit_index(name)
        {
            self.handed.push((record.seq, place));
        }
    }

    fn exhibit_index(&self, name: &str) -> Option<usize> {
        self.planned.iter().position(|planned| planned.exhibit.name() == name)
    }

    /// An exhibit and the record that handed it out; `None` if no record did.
    pub fn handed_exhibit(&self, name: &str) -> Option<(Seq, &HandOut)> {
        let place = self.exhibit_index(name)?;
        let (seq, _) = self.handed.iter().find(|(_, handed)| *handed == place)?;
        Some((*seq, &self.planned[place]))
    }
}
