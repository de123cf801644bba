//! The proposals and the summary of the talk for seats that heard it and forgot parts of it, from statements and marks alone.

use std::collections::BTreeSet;

use crate::domain::{Choice, Marked, Number, PhaseName, Ranges, Record};
use crate::memory::{self, MarkedStatement, MemoryPlan, RemarkHeader};
use crate::plan::Plan;

#[derive(Debug, Clone)]
pub(in crate::session) struct WitnessedTalk {
    /// The talk of seats that forgot nothing.
    pub whole: memory::HeardTalk,
    /// The statements that were heard, in order.
    pub heard: Vec<Statement>,
    /// The talk without these positions on the floor, and the number of statements of `heard` that it has processed.
    pub without: Vec<(Ranges, memory::HeardTalk, usize)>,
    /// Statements that nobody has heard yet, because all seats of a round speak at once.
    pub unheard: Vec<Statement>,
    /// Phases whose test excludes a seat that fails it, and the excluded seats.
    pub excluding: Vec<PhaseName>,
    pub failed: BTreeSet<usize>,
    /// The seats that speak in the phase under way, as far as they are not excluded.
    pub taking_part: BTreeSet<usize>,
}

#[derive(Debug, Clone)]
pub(in crate::session) struct Statement {
    pub at: (PhaseName, u32),
    pub said: RemarkHeader,
    /// Its position on the floor.
    pub place: usize,
    pub name: String,
    pub text: String,
    pub stance: Option<Choice>,
    pub marks: Vec<Marked>,
    /// The number of seats that spoke in its phase, less one.
    pub others: u32,
}

impl Statement {
    pub fn take_part_in(&self, talk: &mut memory::HeardTalk) {
        let Statement { said, place, name, text, stance, marks, others, .. } = self;
        let Some(seat) = said.speaker else { return };
        talk.add_statement(*said, *place, name, *stance);
        if !marks.is_empty() {
            let number = Number { round: said.round, turn: said.turn };
            let stated = MarkedStatement { seq: said.seq, number, seat, place: *place, stance: *stance };
            talk.add_marks(stated, text, marks, *others);
        }
    }
}

impl WitnessedTalk {
    /// No statements; `None` if no phase reads marks and the memory plan shows no summary of the talk.
    pub fn new(plan: &Plan, memory: &MemoryPlan) -> Option<Self> {
        let excluding = plan.agenda.iter().filter(|phase| phase.kind.may_exclude()).map(|phase| phase.name.clone());
        let whole = memory::HeardTalk::new(memory, &plan.motion);
        let is_needed = whole.standing.is_some() || plan.discussions().any(|talk| talk.proposals);
        is_needed.then(|| Self {
            whole,
            heard: Vec::new(),
            without: Vec::new(),
            unheard: Vec::new(),
            excluding: excluding.collect(),
            failed: BTreeSet::new(),
            taking_part: (0..plan.seats.len()).collect(),
        })
    }

    /// Notes whether a test excludes a seat.
    pub fn take_test(&mut self, record: &Record, seat: usize) {
        let passed = match record.test_result() {
            Some((_, passed)) => passed,
            None if record.final_fault().is_some() => false,
            None => return,
        };
        match !passed && self.excluding.contains(&record.at.phase) {
            true => drop(self.failed.insert(seat)),
            false => drop(self.failed.remove(&seat)),
        }
    }

    /// The number of seats that speak in the phase, less one.
    pub fn count_others(&self) -> u32 {
        (self.taking_part.difference(&self.failed).count() as u32).saturating_sub(1)
    }

    /// Adds the pending statements to the talk, unless they belong to the round `same_breath`, in which all seats speak at once.
    pub fn hear_pending(&mut self, same_breath: Option<&(PhaseName, u32)>) {
        let is_heard = self.unheard.first().is_some_and(|first| Some(&first.at) != same_breath);
        if is_heard {
            for mut statement in std::mem::take(&mut self.unheard) {
                statement.take_part_in(&mut self.whole);
                if statement.marks.is_empty() {
                    statement.text.clear();
                }
                self.heard.push(statement);
            }
            self.whole.update_words();
        }
    }

    /// The talk without these positions on the floor. Seats that forgot equal positions share it, and it processes each statement
    /// once.
    pub fn without_forgotten(&mut self, forgotten: &Ranges) -> &memory::HeardTalk {
        if forgotten.count() == 0 {
            return &self.whole;
        }
        let found = self.without.iter().position(|(other, ..)| other == forgotten);
        let found = found.unwrap_or_else(|| {
            self.without.push((forgotten.clone(), self.whole.empty_copy(), 0));
            self.without.len() - 1
        });
        let (forgotten, talk, until) = &mut self.without[found];
        if *until < self.heard.len() {
            let news = self.heard[*until..].iter().filter(|statement| !forgotten.holds(statement.place));
            news.for_each(|statement| statement.take_part_in(talk));
            talk.update_words();
            *until = self.heard.len();
        }
        talk
    }
}
