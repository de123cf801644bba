//! The proof for what a seat is told of where the talk stands: the words are written anew from the statements that it has heard
//! and was not made to forget.

use std::collections::BTreeSet;

use super::{Leak, Visibility};
use crate::domain::{Choice, Consequence, Event, Marked, Number, PhaseName, Query, Record, SeatId, Seq, Step};
use crate::memory::{Proposals, Said, Standing, Stated};
use crate::plan::{Failing, PhaseKind, Plan};

/// The statements so far, and what they were marked as.
#[derive(Debug, Clone)]
pub(super) struct Talk {
    standing: Standing,
    proposals: Proposals,
    /// What nobody has heard yet, because all of a round speak at once.
    unheard: Vec<Statement>,
    /// Phases whose test excludes whoever fails it, and who failed one.
    excluding: Vec<PhaseName>,
    failed: BTreeSet<usize>,
    seats: usize,
}

/// A statement as its record has it.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub at: (PhaseName, u32),
    pub said: Said,
    /// Its position on the floor.
    pub place: usize,
    pub name: String,
    pub text: String,
    pub stance: Option<Choice>,
    pub marks: Vec<Marked>,
}

impl Talk {
    /// Nothing was said; `None` for sessions in which nobody is told where the talk stands.
    pub fn new(plan: &Plan) -> Option<Self> {
        let excludes =
            |kind: &PhaseKind| matches!(kind, PhaseKind::Comprehension(test) if test.failing == Failing::Excludes);
        let excluding = plan.agenda.iter().filter(|phase| excludes(&phase.kind)).map(|phase| phase.name.clone());
        Some(Self {
            standing: Standing::new(&plan.memory, &plan.motion)?,
            proposals: Proposals::default(),
            unheard: Vec::new(),
            excluding: excluding.collect(),
            failed: BTreeSet::new(),
            seats: plan.seats.len(),
        })
    }

    /// Takes down who does not take part in the talk.
    fn take_test(&mut self, record: &Record, seat: usize) {
        let passed = match &record.event {
            Event::Tested { passed, .. } => *passed,
            Event::Faulted { then: Consequence::TriesUsedUp, .. } if record.at.step == Step::Comprehension => false,
            _ => return,
        };
        match !passed && self.excluding.contains(&record.at.phase) {
            true => drop(self.failed.insert(seat)),
            false => drop(self.failed.remove(&seat)),
        }
    }

    fn take(&mut self, statement: Statement) {
        let Statement { said, place, name, text, stance, marks, .. } = statement;
        let Some(seat) = said.speaker else { return };
        self.standing.hear(said, place, &name, stance, &self.proposals);
        if !marks.is_empty() {
            let number = Number { round: said.round, turn: said.turn };
            let stated = Stated { seq: said.seq, number, seat, place, stance };
            let others = (self.seats - self.failed.len()).saturating_sub(1);
            self.proposals.take(stated, &marks, others as u32);
            self.standing.mark(stated, &text, &marks, &self.proposals);
        }
    }

    /// All have heard what was said so far, but for what is being said at this moment.
    fn hear(&mut self, same_breath: Option<&(PhaseName, u32)>) {
        let is_heard = self.unheard.first().is_some_and(|first| Some(&first.at) != same_breath);
        if is_heard {
            std::mem::take(&mut self.unheard).into_iter().for_each(|statement| self.take(statement));
        }
    }
}

impl Visibility {
    /// Takes down what is said, and who takes part.
    pub(super) fn witness_talk(&mut self, record: &Record, seat: Option<usize>, stance: Option<Choice>) {
        let Some((talk, seat)) = self.talk.as_mut().zip(seat) else { return };
        let Event::Spoke { text, marks, .. } = &record.event else { return talk.take_test(record, seat) };
        let at = (record.at.phase.clone(), record.at.round);
        talk.hear(Some(&at));
        let speaker = Some(SeatId(seat as u32));
        talk.unheard.push(Statement {
            at,
            said: Said { seq: record.seq, round: record.at.round, turn: record.at.turn, speaker },
            place: self.floor.len() - 1,
            name: self.public_names[seat].clone(),
            text: text.clone(),
            stance,
            marks: marks.clone(),
        });
        if !self.simultaneous.contains(&record.at.phase) {
            talk.hear(None);
        }
    }

    /// Checks what is told of where the talk stands. Costs what that takes, whatever was said before.
    pub(super) fn check_talk(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let told = query.brief.standing.as_ref();
        if told.map(|told| told.extent) != query.shown.standing {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        let at = (query.id.at.phase.clone(), query.id.at.round);
        let breath = (query.id.at.step == Step::Statement).then_some(&at);
        if let Some(talk) = &mut self.talk {
            talk.hear(breath);
        }
        let kept = |place: usize| !self.is_to_forget(query.seat.index(), place);
        let kept: Option<&dyn Fn(usize) -> bool> = self.has_to_forget(query.seat.index()).then_some(&kept);
        let stands =
            |talk: &Talk| told.is_none_or(|told| talk.standing.words(told.extent, &talk.proposals, kept) == told.words);
        if !self.talk.as_ref().map_or(told.is_none(), stands) {
            return leak(
                self.floor.last().map_or(Seq(0), |said| said.seq),
                "and is told that the talk stands otherwise",
            );
        }
        let Some(proposal) = query.brief.heard.proposal else { return Ok(()) };
        let is_told = |talk: &Talk| {
            let of = talk.proposals.of(proposal.seq);
            of.is_some_and(|of| of.stated.seat != query.seat && kept.is_none_or(|kept| kept(of.stated.place)))
        };
        match self.is_shown(query, proposal.seq) || told.is_some() && self.talk.as_ref().is_some_and(is_told) {
            true => Ok(()),
            false => leak(proposal.seq, "a proposal that it is not shown"),
        }
    }
}
