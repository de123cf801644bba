//! The state of one session.

use indexmap::IndexSet;

use super::asking::Asking;
use crate::chance::{Purpose, SessionSeed, session_seed};
use crate::domain::{AlternativeId, Draft, MindState, Moment, PhaseName, Record, SeatId, SeatName, Seq, Step, Verdict};
use crate::memory::Memory;
use crate::plan::{Phase, Plan};

/// One session of a plan, as far as its minutes go.
#[derive(Debug, Clone)]
pub struct Deliberation<'p> {
    pub(super) plan: &'p Plan,
    pub(super) replicate: u32,
    pub(super) seed: SessionSeed,
    pub(super) stage: Stage,
    pub(super) asking: Asking,
    /// The speaking order of the round.
    pub(super) order: Vec<SeatId>,
    pub(super) memory: Memory,
    pub(super) states: Vec<MindState>,
    /// Ballots of the vote under way: valid ones per alternative, and invalid ones.
    pub(super) cast: (Vec<u32>, u32),
    pub(super) votes_held: u32,
    pub(super) decided: Option<AlternativeId>,
    /// Where the latin order of options begins.
    pub(super) latin_start: u32,
    seats: IndexSet<SeatName>,
    next_seq: u64,
}

/// What procedure calls for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The session begins.
    Convening,
    /// The phase at this place of the agenda opens.
    Opening(usize),
    /// Its brief is read.
    Briefing(usize),
    /// The speaking order of a round is drawn.
    Ordering(usize, u32),
    /// Seats are asked.
    Asking,
    /// The ballots of a phase and round are counted.
    Counting(usize, u32),
    /// A round closes.
    Closing(usize, u32),
    /// The session ends.
    Adjourning,
    /// It has ended.
    Adjourned(Verdict),
}

impl<'p> Deliberation<'p> {
    /// Begins a session: nothing is minuted yet.
    pub fn convene(plan: &'p Plan, replicate: u32) -> Self {
        let seed = session_seed(plan.seed, replicate, plan.pairing, &plan.arm);
        let alternatives = plan.motion.alternatives.len();
        let outside = session_moment(Step::Convening);
        let latin_start = seed.at_moment(Purpose::OptionOrder, &outside, 0).below(alternatives as u64) as u32;
        Self {
            plan,
            replicate,
            seed,
            stage: Stage::Convening,
            asking: Asking::new(plan.seats.len()),
            order: Vec::new(),
            memory: Memory::new(plan.memory, &plan.motion, plan.seats.len()),
            states: vec![MindState::default(); plan.seats.len()],
            cast: (vec![0; alternatives], 0),
            votes_held: 0,
            decided: None,
            latin_start,
            seats: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            next_seq: 0,
        }
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

    /// The seed of the session's draws.
    pub fn seed(&self) -> &SessionSeed {
        &self.seed
    }

    /// What the seats remember.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    pub(super) fn count_record(&mut self, record: &Record) {
        assert!(record.seq.0 == self.next_seq, "invariant: records are numbered without gaps");
        self.next_seq += 1;
    }

    pub(super) fn phase(&self, place: usize) -> &'p Phase {
        &self.plan.agenda[place]
    }

    /// The position of a seat of the plan.
    pub(super) fn seat_id(&self, name: &SeatName) -> SeatId {
        let place = self.seats.get_index_of(name).expect("invariant: minutes name seats of their plan");
        SeatId(place as u32)
    }

    pub(super) fn all_seats(&self) -> impl Iterator<Item = SeatId> + use<> {
        (0..self.plan.seats.len() as u32).map(SeatId)
    }
}

/// A moment outside every phase.
pub(super) fn session_moment(step: Step) -> Moment {
    Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step }
}
