//! First mentions of facts, and the seats to which these facts were new.
//!
//! A fact is new to a seat if the seat was not given it before the talk and had not heard it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::hearing::Earshot;
use super::spoken::Spoken;

/// A statement with facts that no earlier statement mentions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct News {
    /// The speaker.
    pub seat: String,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The facts, in the order in which the statement cites them.
    pub facts: Vec<NewFact>,
}

/// A fact mentioned for the first time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewFact {
    /// The id of the fact.
    pub fact: String,
    /// The seats to which the fact was new, in the plan's order; empty if the hearers are unknown.
    pub to: Vec<String>,
    /// Whether the fact was new to every seat except the speaker.
    pub is_to_all: bool,
    /// Whether the hearers are known.
    pub is_told: bool,
}

/// A fact that was new to a seat, with the statement that mentioned it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// The id of the fact.
    pub fact: String,
    /// The speaker.
    pub seat: String,
    /// The record.
    pub seq: u64,
}

impl News {
    /// The facts of this statement that were new to a seat.
    pub fn heard_by(&self, seat: &str) -> impl Iterator<Item = Cited> {
        let own = self.facts.iter().filter(move |new| new.to.iter().any(|name| name == seat));
        own.map(|new| Cited { fact: new.fact.clone(), seat: self.seat.clone(), seq: self.seq })
    }
}

/// Finds the first mentions of facts, except facts that every seat was given before the talk. `seats` holds every seat with the
/// ids of the facts given to it.
pub fn find_news(spoken: &[Spoken], seats: &[(String, Vec<String>)], floor: Earshot) -> Vec<News> {
    let mut said: BTreeSet<&str> = BTreeSet::new();
    let mut all = Vec::new();
    for turn in spoken {
        let mut facts = Vec::new();
        for fact in turn.facts.iter().filter(|fact| said.insert(fact)) {
            let others = || seats.iter().filter(|(seat, _)| *seat != turn.seat);
            let to: Vec<String> =
                others().filter(|(_, given)| !given.contains(fact)).map(|(seat, _)| seat.clone()).collect();
            if to.is_empty() {
                continue;
            }
            let is_told = floor != Earshot::Some;
            let is_to_all = is_told && to.len() == others().count();
            facts.push(NewFact { fact: fact.clone(), to: if is_told { to } else { Vec::new() }, is_to_all, is_told });
        }
        if !facts.is_empty() {
            all.push(News { seat: turn.seat.clone(), round: turn.round, seq: turn.seq, facts });
        }
    }
    all
}
