//! The state of one session.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;

use super::asking::{Asking, OUTSIDE};
use super::ballot_box::HeldVote;
use super::chosen_names::Naming;
use super::courses::{Course, GroupAssignment, RoleAssignment, SideBySide};
use super::departure::Departure;
use super::lending::Lending;
use super::standing::{Held, Standing};
use super::text_pool::TextPool;
use super::variables::VariableState;
use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{
    Briefing, Circles, ContextWindow, Donor, Draft, FirstOpinions, LearntForm, Links, Moment, NamedChoice,
    OUTSIDE_PHASES, PhaseName, Record, SeatId, SeatName, SeatNotes, Seated, Seq, Situation, Step, Taken, Target,
};
use crate::mechanism::IncomePrinciples;
use crate::memory::{Memory, MemoryPlan};
use crate::plan::{DealtCase, GroupRegion, Phase, Plan, find_regions};

/// One session of a plan, as far as its minutes go.
#[derive(Debug, Clone)]
pub struct Deliberation<'p> {
    pub(super) plan: &'p Plan,
    /// The replicate whose draws it has.
    pub(super) replicate: u32,
    pub(super) seed: SessionSeed,
    /// The course of the session; where groups go on side by side, that of one of them.
    pub(super) course: Course,
    /// Who sits where and whom it hears, as far as that was drawn.
    pub(super) seated: Vec<Seated>,
    /// Whom each seat hears; `None` if everyone hears everyone.
    pub(super) links: Option<Links>,
    /// The same in the talks that have a network of their own, by their places.
    pub(super) talk_links: BTreeMap<usize, Links>,
    /// The records that handed the plan's exhibits out, in the plan's order.
    pub(super) handed_out_in: Vec<Seq>,
    /// The case as it is drawn.
    pub(super) dealt: DealtCase,
    /// What seats are told before names are chosen, and after that before the first phase.
    pub(super) first_told: [Vec<Briefing>; 2],
    /// What seats were told alone of it, one entry a seat; empty where nobody was told anything.
    pub(super) hands: Vec<Held>,
    pub(super) memory: Memory,
    /// How much of a statement any seat can read at most, in characters; `None` if all of it.
    pub(super) readable_length: Option<u32>,
    /// One entry a seat.
    pub(super) standing: Vec<Standing>,
    /// How many seats are present.
    pub(super) taking_part: u32,
    /// The parts of the agenda that take place in each group.
    pub(super) regions: Vec<GroupRegion>,
    /// The groups of each assignment.
    pub(super) assigned: BTreeMap<String, GroupAssignment>,
    /// The roles of each assignment.
    pub(super) assigned_roles: BTreeMap<String, RoleAssignment>,
    /// The number of the group of each seat in each part of the agenda that began, by its position.
    pub(super) memberships: BTreeMap<usize, Vec<Option<u32>>>,
    /// The groups that go on side by side; `None` outside groups.
    pub(super) side: Option<SideBySide>,
    /// The votes that were counted, by the positions of their phases; of a discussion the last.
    pub(super) held_votes: BTreeMap<usize, HeldVote>,
    /// The discussion in which a vote decided last, by its position.
    pub(super) decided_talk: Option<usize>,
    /// The last discussion that voted in rounds and ended without a decision.
    pub(super) undecided_talk: Option<usize>,
    /// The number of votes that were counted and from which the result comes.
    pub(super) votes_held: u32,
    /// Whether too few ballots were valid in the last one of them.
    pub(super) is_short: bool,
    /// The result.
    pub(super) decided: Option<NamedChoice>,
    /// Whether it was decided by default.
    pub(super) is_by_default: bool,
    /// The situation of the practice round, and what its incomes were multiplied with.
    pub(super) situation: Option<(Arc<Situation>, Option<u32>)>,
    /// Where the latin order of options begins.
    pub(super) latin_start: u32,
    /// The plan's intervention that has memories made shorter now, by its position.
    pub(super) reminding: Option<usize>,
    /// What is heard in the place of what is said; `None` where that is heard itself.
    pub(super) lending: Option<Lending>,
    /// What independent votes are matched to; `None` where votes are held once.
    pub(super) target: Option<Target>,
    /// What the seats of a null begin with; `None` where each begins with what its own mind has.
    pub(super) first: Option<FirstOpinions>,
    /// What answers took so far.
    pub(super) taken: Taken,
    /// The context windows of models, as far as they were learnt.
    pub(super) windows: Vec<ContextWindow>,
    /// How models are asked to phrase their replies, as far as it was learnt.
    pub(super) forms: Vec<LearntForm>,
    pub(super) naming: Naming,
    /// The names that seats go by since they chose them, one entry a seat; empty where nobody did.
    pub(super) chosen: Vec<Option<String>>,
    /// What seats noted, one list of lines a seat; empty where no notes are taken or brought.
    pub(super) notes: Vec<Vec<String>>,
    /// The places of the agenda that were reached, in order: phases that opened, and those that were left out alone.
    pub(super) visited: Vec<usize>,
    /// The values of variables, in the plan's order.
    pub(super) variables: Vec<VariableState>,
    /// The things of blocks in the order of their passes, by the names of blocks: numbers of letters or seats, or positions of words.
    pub(super) things: BTreeMap<String, Vec<u32>>,
    /// The texts that are kept, by the positions of their names.
    pub(super) texts: Vec<TextPool>,
    /// What makes it a fork, and whether it has departed from its parent; `None` of other sessions.
    pub(super) departure: Option<Departure<'p>>,
    /// How values that nobody knows yet are taken in a rehearsal; `None` in a session.
    pub(super) supposed: Option<Supposed>,
    /// Why a condition has no value; empty unless one has none.
    pub(super) undefined: String,
    seats: IndexSet<SeatName>,
    next_seq: u64,
}

/// How values that nobody knows yet are taken in a rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supposed {
    /// As the answers of the rehearsal give them.
    AsComputed,
    /// As short as they may be.
    Short,
    /// As long as they may be.
    Long,
}

impl<'p> Deliberation<'p> {
    /// Begins a session: nothing is minuted yet.
    pub fn convene(plan: &'p Plan, replicate: u32) -> Self {
        let seed = plan.session_seed(replicate);
        let alternatives = plan.motion.alternatives.len();
        let outside = Moment::outside_phases(Step::Convening);
        let dealt = plan.deal_case(replicate);
        let links = plan.links(replicate);
        let talk_links = plan.talk_links(replicate);
        let circles = links.as_ref().map_or_else(|| Circles::one(plan.seats.len()), Circles::of);
        let circles = circles.split_by(&plan.hearing_keys());
        let names: Vec<Box<str>> = plan.seats.iter().map(|seat| seat.name.as_str().into()).collect();
        let memories: Vec<MemoryPlan> = plan.seats.iter().map(|seat| seat.memory).collect();
        // A seat that reads all of a statement sets no limit; of others the greatest tells what anybody reads.
        let readable: Option<Vec<u32>> = memories.iter().map(MemoryPlan::readable_length).collect();
        let latin_start =
            seed.at_moment(DrawPurpose::OptionOrder, &outside, 0).draw_below(alternatives.max(1) as u64) as u32;
        let mut session = Self {
            plan,
            replicate: plan.drawn_replicate(replicate),
            seed,
            course: Course { asking: Asking::new(plan.seats.len()), ..Course::default() },
            seated: plan.seat_assignments(replicate, links.as_ref()),
            links,
            talk_links,
            handed_out_in: Vec::new(),
            first_told: plan.first_briefings(&dealt),
            dealt,
            hands: Vec::new(),
            memory: Memory::with_circles(&memories, &plan.motion, (names, circles)),
            readable_length: readable.and_then(|all| all.into_iter().max()),
            standing: vec![Standing::default(); plan.seats.len()],
            taking_part: plan.seats.len() as u32,
            regions: find_regions(&plan.agenda),
            assigned: BTreeMap::new(),
            assigned_roles: BTreeMap::new(),
            memberships: BTreeMap::new(),
            side: None,
            held_votes: BTreeMap::new(),
            decided_talk: None,
            undecided_talk: None,
            votes_held: 0,
            is_short: false,
            is_by_default: false,
            decided: None,
            situation: None,
            latin_start,
            reminding: None,
            lending: None,
            target: None,
            first: None,
            taken: Taken::default(),
            windows: Vec::new(),
            forms: Vec::new(),
            naming: Naming::default(),
            chosen: Vec::new(),
            notes: vec![Vec::new(); if plan.notes.is_some() { plan.seats.len() } else { 0 }],
            visited: Vec::new(),
            variables: Vec::new(),
            things: BTreeMap::new(),
            texts: vec![TextPool::default(); plan.sources.count_texts()],
            departure: Departure::of(plan),
            supposed: None,
            undefined: String::new(),
            seats: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            next_seq: 0,
        };
        session.variables = session.first_values();
        session
    }

    /// The same with another session's statements, which are heard in the place of its own. A session of a plan that calls for
    /// them and has none is only rehearsed: its own stand for words that nobody knows yet.
    #[must_use]
    pub fn borrowing(self, donor: Donor) -> Self {
        Self { lending: Some(Lending::of(donor)), ..self }
    }

    /// The same with what its independent votes are matched to. A session of a plan that calls for it and has none is only
    /// rehearsed: one sample stands for as many as there will be.
    #[must_use]
    pub fn matched(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// The same with what its seats begin with. A session of a plan that calls for it and has none is only rehearsed: seats begin
    /// with what their own minds have.
    #[must_use]
    pub fn beginning(self, first: FirstOpinions) -> Self {
        Self { first: Some(first), ..self }
    }

    /// The same with another case than the one that is drawn; for rehearsals.
    #[must_use]
    pub fn dealing(self, dealt: DealtCase) -> Self {
        Self { first_told: self.plan.first_briefings(&dealt), dealt, ..self }
    }

    /// The same for a rehearsal: an expression without a value is missing, and texts print numbers as short or as long as they may be.
    #[must_use]
    pub fn supposing(self, supposed: Supposed) -> Self {
        Self { supposed: Some(supposed), ..self }
    }

    /// The same with the context windows that were learnt before it began; they are minuted, and nothing else depends on them.
    #[must_use]
    pub fn within(self, windows: Vec<ContextWindow>) -> Self {
        Self { windows, ..self }
    }

    /// The same with the forms of replies that were learnt before it began, likewise.
    #[must_use]
    pub fn phrased(self, forms: Vec<LearntForm>) -> Self {
        Self { forms, ..self }
    }

    /// The other session's statements; `None` where its own are heard.
    pub fn donor(&self) -> Option<&Donor> {
        self.lending.as_ref().map(Lending::donor)
    }

    /// Gives a draft its number.
    pub fn minute(&self, draft: Draft) -> Record {
        let (seat, attempt) = draft.answered.unzip();
        Record { seq: Seq(self.next_seq), at: draft.at, seat, attempt, event: draft.event }
    }

    /// The plan the session follows.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// The replicate whose draws it has, from 1.
    pub fn replicate(&self) -> u32 {
        self.replicate
    }

    /// The seed of the session's draws.
    pub fn seed(&self) -> &SessionSeed {
        &self.seed
    }

    /// What the seats remember.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// What seats have noted, in the plan's order: those that have any, with all their lines.
    pub fn notes(&self) -> Vec<SeatNotes> {
        let all = self.plan.seats.iter().zip(&self.notes).filter(|(_, lines)| !lines.is_empty());
        all.map(|(seat, lines)| SeatNotes { seat: seat.name.clone(), lines: lines.clone() }).collect()
    }

    /// The names that seats chose, in the plan's order.
    pub fn names(&self) -> Vec<Seated> {
        let all = self.plan.seats.iter().zip(&self.chosen);
        all.filter_map(|(seat, name)| Some(Seated::named(&seat.name, name.clone()?))).collect()
    }

    /// How the others see a seat.
    pub(super) fn public_name(&self, seat: SeatId) -> &str {
        let chosen = self.chosen.get(seat.index()).and_then(Option::as_deref);
        chosen.unwrap_or(&self.plan.seats[seat.index()].agent.public_name)
    }

    /// The name of a phase, or of what is outside all of them.
    pub(super) fn phase_name(&self, place: usize) -> PhaseName {
        if place == OUTSIDE { PhaseName::new(OUTSIDE_PHASES) } else { self.phase(place).name.clone() }
    }

    pub(super) fn count_record(&mut self, record: &Record) {
        assert!(record.seq.0 == self.next_seq, "invariant: records are numbered without gaps");
        self.next_seq += 1;
    }

    pub(super) fn phase(&self, place: usize) -> &'p Phase {
        &self.plan.agenda[place]
    }

    pub(super) fn moment(&self, place: usize, round: u32, step: Step) -> Moment {
        Moment { phase: self.phase(place).name.clone(), round, turn: 0, step }
    }

    /// # Panics
    /// When the plan has no mechanism, though a phase needs one.
    pub(super) fn mechanism(&self) -> &'p IncomePrinciples {
        self.plan.income_principles().expect("invariant: phases that pay come with a mechanism")
    }

    /// The position of a seat of the plan.
    pub(super) fn seat_id(&self, name: &SeatName) -> SeatId {
        let place = self.seats.get_index_of(name).expect("invariant: minutes name seats of their plan");
        SeatId(place as u32)
    }

    pub(super) fn seat_name(&self, seat: SeatId) -> &'p SeatName {
        &self.plan.seats[seat.index()].name
    }

    /// The seats that are present, in the plan's order.
    pub(super) fn present(&self) -> impl Iterator<Item = SeatId> + '_ {
        let seats = (0u32..).zip(&self.standing);
        seats.filter(|(_, standing)| !standing.is_excluded).map(|(place, _)| SeatId(place))
    }
}
