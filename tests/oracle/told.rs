//! Cells about the case: what seats were told alone, and which facts were cited. Worked out anew from the records.

use std::collections::BTreeMap;

use ekklesia::domain::{Event, FactId, Hand, Record};
use super::{Picked, Worked, absent, named, real, worked};
use ekklesia::text::names_word;

/// A cell about the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The seat's signal.
    Signal,
    /// The facts it holds.
    Held,
    /// Facts that were dealt.
    Facts,
    /// Facts that were cited.
    Mentioned,
    /// Of those that all seats were told.
    SharedMentioned,
    /// Of the others.
    UnsharedMentioned,
    /// The share of the others among all mentions.
    UnsharedShare,
    /// The facts that the row's statement cites.
    Cites,
}

/// A fact, by how many seats it is held, and the records that cite it.
struct Fact<'r> {
    id: &'r FactId,
    held_by: usize,
    cited_in: Vec<&'r Record>,
}

impl Told {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let dealt = picked.case.all.iter().find_map(|record| match &record.event {
            Event::Dealt { hands, .. } => Some((record, hands.as_slice())),
            _ => None,
        });
        let Some((record, hands)) = dealt else { return absent("no seat was told anything alone of a case") };
        match self {
            Told::Signal | Told::Held => self.of_seat(picked, record, hands),
            Told::Cites => cites(picked, hands),
            _ => self.of_session(picked, record, hands),
        }
    }

    fn of_seat(self, picked: &Picked<'_>, record: &Record, hands: &[Hand]) -> Worked {
        let seat = picked.case.scope.seat();
        let Some(hand) = hands.iter().find(|hand| Some(&hand.seat) == seat.as_ref()) else {
            return absent(format!("{} tells this seat nothing", named(record)));
        };
        let ids: Vec<&str> = hand.facts.iter().map(FactId::as_str).collect();
        let value =
            if self == Told::Signal { hand.signal.as_ref().map(ToString::to_string) } else { Some(ids.join("|")) };
        match value.filter(|value| !value.is_empty()) {
            Some(value) => worked(value),
            None => absent(format!("{} tells {} none", named(record), hand.seat)),
        }
    }

    fn of_session(self, picked: &Picked<'_>, record: &Record, hands: &[Hand]) -> Worked {
        let facts = facts(picked, hands);
        if facts.is_empty() {
            return absent(format!("{} deals no facts", named(record)));
        }
        let seats = picked.arm().seats.len();
        let (shared, unshared): (Vec<&Fact<'_>>, Vec<&Fact<'_>>) = facts.iter().partition(|fact| fact.held_by == seats);
        let mentioned = |facts: &[&Fact<'_>]| facts.iter().filter(|fact| !fact.cited_in.is_empty()).count();
        let mentions = |facts: &[&Fact<'_>]| facts.iter().map(|fact| fact.cited_in.len()).sum::<usize>();
        let cited = facts.iter().filter(|fact| !fact.cited_in.is_empty());
        let cited: Vec<String> = cited
            .map(|fact| {
                let records: Vec<String> = fact.cited_in.iter().map(|record| record.seq.0.to_string()).collect();
                format!("{} in {}", fact.id, records.join(" "))
            })
            .collect();
        if self != Told::Facts {
        }
        match self {
            Told::Facts => worked(facts.len()),
            Told::Mentioned => worked(mentioned(&shared) + mentioned(&unshared)),
            Told::SharedMentioned => worked(mentioned(&shared)),
            Told::UnsharedMentioned => worked(mentioned(&unshared)),
            _ => {
                let (of, all) = (mentions(&unshared), mentions(&shared) + mentions(&unshared));
                real((all > 0).then(|| of as f64 / all as f64), "no fact was cited")
            }
        }
    }
}

/// The facts that any seat was told, in the order in which the hands name them.
fn facts<'r>(picked: &Picked<'r>, hands: &'r [Hand]) -> Vec<Fact<'r>> {
    let mut facts: Vec<Fact<'r>> = Vec::new();
    let mut places: BTreeMap<&FactId, usize> = BTreeMap::new();
    for id in hands.iter().flat_map(|hand| &hand.facts) {
        match places.get(id) {
            Some(place) => facts[*place].held_by += 1,
            None => {
                places.insert(id, facts.len());
                facts.push(Fact { id, held_by: 1, cited_in: Vec::new() });
            }
        }
    }
    for record in picked.case.all {
        let Event::Spoke { text, .. } = &record.event else { continue };
        facts.iter_mut().filter(|fact| names_word(text, fact.id.as_str())).for_each(|fact| fact.cited_in.push(record));
    }
    facts
}

/// The facts that the row's statement cites.
fn cites(picked: &Picked<'_>, hands: &[Hand]) -> Worked {
    let own = picked.last().map(|record| (record, &record.event));
    let Some((record, Event::Spoke { text, .. })) = own else { return absent("the row is no statement") };
    let mut ids: Vec<&str> = Vec::new();
    for id in hands.iter().flat_map(|hand| &hand.facts).map(FactId::as_str) {
        if names_word(text, id) && !ids.contains(&id) {
            ids.push(id);
        }
    }
    match ids.is_empty() {
        true => absent(format!("{} cites no fact", named(record))),
        false => worked(ids.join("|")),
    }
}
