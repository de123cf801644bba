//! Facts of the case that are said for the first time in a talk, and to whom they were new.
//!
//! New to a seat is what it was not told before the talk and had not heard. Whether its memory kept it is told beside its answers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::hearing::Floor;
use super::moves::Spoken;

/// A statement that says facts which nobody had said before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct News {
    /// Who.
    pub seat: String,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The facts, in the order in which the words cite them.
    pub facts: Vec<NewFact>,
}

/// A fact that nobody had said before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewFact {
    /// Its id.
    pub fact: String,
    /// The seats that had not been told it, in the plan's order; empty where it cannot be told who heard it.
    pub to: Vec<String>,
    /// Whether these are all but the speaker.
    pub is_to_all: bool,
    /// Whether it can be told who heard it.
    pub is_told: bool,
}

/// A fact that was new to a seat, where it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// Its id.
    pub fact: String,
    /// Who said it.
    pub seat: String,
    /// The record.
    pub seq: u64,
}

impl News {
    /// What of it was new to a seat.
    pub fn heard_by(&self, seat: &str) -> impl Iterator<Item = Cited> {
        let own = self.facts.iter().filter(move |new| new.to.iter().any(|name| name == seat));
        own.map(|new| Cited { fact: new.fact.clone(), seat: self.seat.clone(), seq: self.seq })
    }
}

/// The facts that were said for the first time; those that everybody had been told before the talk are none. `seats` are all with
/// the facts that each was told.
pub fn news(spoken: &[Spoken], seats: &[(String, Vec<String>)], floor: Floor) -> Vec<News> {
    let mut said: BTreeSet<&str> = BTreeSet::new();
    let mut all = Vec::new();
    for turn in spoken {
        let mut facts = Vec::new();
        for fact in turn.facts.iter().filter(|fact| said.insert(fact)) {
            let others = || seats.iter().filter(|(seat, _)| *seat != turn.seat);
            let to: Vec<String> =
                others().filter(|(_, told)| !told.contains(fact)).map(|(seat, _)| seat.clone()).collect();
            if to.is_empty() {
                continue;
            }
            let is_told = floor != Floor::Some;
            let is_to_all = is_told && to.len() == others().count();
            facts.push(NewFact { fact: fact.clone(), to: if is_told { to } else { Vec::new() }, is_to_all, is_told });
        }
        if !facts.is_empty() {
            all.push(News { seat: turn.seat.clone(), round: turn.round, seq: turn.seq, facts });
        }
    }
    all
}
