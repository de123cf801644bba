//! The proof for what a seat is told of where the talk stands: the words are written anew from the statements that it has heard
//! and was not made to forget.

use std::collections::BTreeSet;

use super::{Leak, Visibility};
use crate::domain::{
    Choice, Consequence, Event, Marked, Number, PhaseName, ProposalStatus, Query, Ranges, Record, SeatId, Seq, Step,
};
use crate::memory::{self, HistoryInBrief, MarkedStatement, MemoryPlan, RemarkHeader};
use crate::plan::{PhaseKind, Plan, TestFailurePolicy};

/// The statements so far, and what they were marked as.
#[derive(Debug, Clone)]
pub(super) struct WitnessedTalk {
    /// As whoever has forgotten nothing has heard it.
    whole: memory::HeardTalk,
    /// What all have heard, in order.
    heard: Vec<Statement>,
    /// The same without these positions on the floor, and of how many statements it is folded.
    without: Vec<(Ranges, memory::HeardTalk, usize)>,
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
    pub said: RemarkHeader,
    /// Its position on the floor.
    pub place: usize,
    pub name: String,
    pub text: String,
    pub stance: Option<Choice>,
    pub marks: Vec<Marked>,
    /// The seats that took part beside any one when it was heard.
    pub others: u32,
}

impl Statement {
    fn take_part_in(&self, talk: &mut memory::HeardTalk) {
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
    /// Nothing was said; `None` for sessions in which no marks are read and nobody is told where the talk stands.
    pub fn new(plan: &Plan, memory: &MemoryPlan) -> Option<Self> {
        let excludes = |kind: &PhaseKind| matches!(kind, PhaseKind::Comprehension(test) if test.failing == TestFailurePolicy::Excludes);
        let excluding = plan.agenda.iter().filter(|phase| excludes(&phase.kind)).map(|phase| phase.name.clone());
        let whole = memory::HeardTalk::new(memory, &plan.motion);
        let reads_marks = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(discussion) if discussion.proposals);
        let is_needed = whole.standing().is_some() || plan.agenda.iter().any(|phase| reads_marks(&phase.kind));
        is_needed.then(|| Self {
            whole,
            heard: Vec::new(),
            without: Vec::new(),
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

    /// All have heard what was said so far, but for what is being said at this moment.
    fn hear_pending(&mut self, same_breath: Option<&(PhaseName, u32)>) {
        let is_heard = self.unheard.first().is_some_and(|first| Some(&first.at) != same_breath);
        if is_heard {
            let others = (self.seats - self.failed.len()).saturating_sub(1) as u32;
            for mut statement in std::mem::take(&mut self.unheard) {
                statement.others = others;
                statement.take_part_in(&mut self.whole);
                if statement.marks.is_empty() {
                    statement.text.clear();
                }
                self.heard.push(statement);
            }
            self.whole.update_words();
        }
    }

    /// The talk as whoever was to forget these positions on the floor remembers it. Each statement is gone through once for all
    /// of these seats.
    fn without_forgotten(&mut self, forgotten: &Ranges) -> &memory::HeardTalk {
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

impl Visibility {
    /// Takes down what is said, and who takes part.
    pub(super) fn witness_talk(&mut self, record: &Record, seat: Option<usize>, stance: Option<Choice>) {
        let Some(seat) = seat else { return };
        let Event::Spoke { text, marks, .. } = &record.event else {
            let talks = self.heard.all.iter_mut().filter_map(|heard| heard.talk.as_mut());
            return talks.for_each(|talk| talk.take_test(record, seat));
        };
        let at = (record.at.phase.clone(), record.at.round);
        let is_heard_at_once = !self.simultaneous.contains(&record.at.phase);
        for group in self.heard.who_hear(Some(seat)) {
            let heard = &mut self.heard.all[group];
            let Some(talk) = &mut heard.talk else { continue };
            talk.hear_pending(Some(&at));
            let speaker = Some(SeatId(seat as u32));
            talk.unheard.push(Statement {
                at: at.clone(),
                said: RemarkHeader { seq: record.seq, round: record.at.round, turn: record.at.turn, speaker },
                place: heard.floor.len() - 1,
                name: self.public_names[seat].clone(),
                text: text.clone(),
                stance,
                marks: marks.clone(),
                others: 0,
            });
            if is_heard_at_once {
                talk.hear_pending(None);
            }
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
        let newest = self.heard.group_of(query.seat.index()).floor.last().map_or(Seq(0), |said| said.seq);
        let is_history = told.is_none() && self.memory.history == HistoryInBrief::Full;
        let shown = query.brief.heard.proposal.map(|proposal| (proposal.seq, self.is_shown(query, proposal.seq)));
        // The public history forgets nothing.
        let nothing = Ranges::default();
        let forgotten = if is_history { &nothing } else { self.to_forget[query.seat.index()].remarks() };
        let Some(talk) = &mut self.heard.group_of_mut(query.seat.index()).talk else {
            let heard = &query.brief.heard;
            let is_silent = told.is_none() && heard.own_proposal.is_none() && heard.backed.is_none();
            return match (is_silent, shown) {
                (false, _) => leak(newest, "and is told that the talk stands otherwise"),
                (true, Some((seq, false))) => leak(seq, "a proposal that it is not shown"),
                (true, _) => Ok(()),
            };
        };
        talk.hear_pending(breath);
        let talk = talk.without_forgotten(forgotten);
        let stands = match (told, talk.standing()) {
            (Some(told), Some(standing)) => standing.words(told.extent) == told.words,
            (told, _) => told.is_none(),
        };
        let heard = &query.brief.heard;
        let of_its_own = (talk.proposals().newest_own(query.seat), talk.proposals().last_backed(query.seat));
        if !stands || of_its_own != (heard.own_proposal, heard.backed) {
            return leak(newest, "and is told that the talk stands otherwise");
        }
        let Some((seq, is_shown)) = shown else { return Ok(()) };
        let may_answer = talk.proposals().find_proposal(seq).is_some_and(|of| {
            of.stated.seat != query.seat && of.status == ProposalStatus::Active && !of.has_reacted(query.seat)
        });
        match may_answer && (is_shown || told.is_some()) {
            true => Ok(()),
            false => leak(seq, "a proposal that it is not shown"),
        }
    }
}
