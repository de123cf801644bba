//! Cells about the case: what seats were told alone, and which facts were cited.

use ekklesia::domain::{AlternativeName, FactId, Matter, Record, Reply, SeatName};
use ekklesia::text::names_word;

use super::{Cell, list, share, show};

impl<'c> Cell<'c> {
    /// What the seats were told alone.
    fn hands(&self) -> impl Iterator<Item = (&'c SeatName, Option<&'c AlternativeName>, &'c [FactId])> {
        self.told.iter().filter_map(|told| match &told.what {
            Matter::Case { signal, facts } => Some((told.to.first()?, signal.as_ref(), facts.as_slice())),
            _ => None,
        })
    }

    /// What the row's seat was told alone.
    fn hand(&self) -> Option<(Option<&'c AlternativeName>, &'c [FactId])> {
        let own = self.hands().find(|(seat, ..)| Some(*seat) == self.seat().as_ref());
        own.map(|(_, signal, facts)| (signal, facts))
    }

    /// The facts that any seat was told, in the order of the hands.
    pub(super) fn facts(&self) -> Option<Vec<&'c FactId>> {
        let mut facts: Vec<&FactId> = Vec::new();
        for id in self.hands().flat_map(|(_, _, facts)| facts) {
            if !facts.contains(&id) {
                facts.push(id);
            }
        }
        Some(facts).filter(|facts| !facts.is_empty())
    }

    /// How often each fact was cited that all seats hold, or that only some hold.
    fn mentions(&self, is_shared: bool) -> Option<Vec<usize>> {
        let holders = |id: &FactId| self.hands().filter(|(_, _, facts)| facts.contains(id)).count();
        let cites = |record: &Record, id: &FactId| matches!(record.reply(), Some(Reply::Statement { text, .. }) if names_word(&text, id.as_str()));
        let mentions = |id: &FactId| self.records.iter().filter(|record| cites(record, id)).count();
        let is_asked = |id: &&FactId| (holders(id) == self.arm().seats.len()) == is_shared;
        Some(self.facts()?.into_iter().filter(is_asked).map(mentions).collect())
    }
}

pub fn read_signal(cell: &Cell<'_>) -> Option<String> {
    show(cell.hand()?.0?)
}

pub fn list_held(cell: &Cell<'_>) -> Option<String> {
    list(cell.hand()?.1.iter().map(FactId::as_str))
}

pub fn list_cited(cell: &Cell<'_>) -> Option<String> {
    let Reply::Statement { text, .. } = cell.last()?.reply()? else { return None };
    list(cell.facts()?.into_iter().map(FactId::as_str).filter(|id| names_word(&text, id)))
}

/// Counts the facts that were cited among those that all seats hold, or that only some hold.
pub fn count_mentioned(cell: &Cell<'_>, is_shared: bool) -> Option<usize> {
    Some(cell.mentions(is_shared)?.into_iter().filter(|mentions| *mentions > 0).count())
}

/// The share of all mentions that are of facts that only some seats hold.
pub fn unshared_share(cell: &Cell<'_>) -> Option<String> {
    let [shared, unshared] = [true, false].map(|is_shared| cell.mentions(is_shared));
    let unshared: usize = unshared?.iter().sum();
    share(unshared, unshared + shared?.iter().sum::<usize>())
}
