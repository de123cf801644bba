//! An ask under way: who still owes an answer, and what its answers will do once the last is in.

use crate::domain::{Choice, Fault, Opinion, Record, Room, SeatId, Step};

/// One ask, from its first question to its last admissible or forfeited answer.
#[derive(Debug, Clone, Default)]
pub struct Asking {
    /// The seats asked, in the order in which their answers are admitted.
    pub members: Vec<SeatId>,
    /// What is asked, and when.
    pub what: Option<Asked>,
    /// One entry a seat of the plan.
    debts: Vec<Debt>,
    outstanding: usize,
    /// The answers that take effect when the last of them is in, so that no seat is shown what another just answered.
    pub held: Vec<(SeatId, Record)>,
}

/// The place of what is asked outside every phase.
pub const OUTSIDE: usize = usize::MAX;

/// What is asked, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// The place of the phase in the agenda; [`OUTSIDE`] of all of them.
    pub phase: usize,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The turn of the first member; the next member's is one more. 0 outside speaking turns, but for parts of memories and
    /// for the times that names are asked for, which it counts.
    pub turn: u32,
    /// The step.
    pub step: Step,
}

/// Whether a seat owes an answer, and at which attempt.
#[derive(Debug, Clone, Default)]
struct Debt {
    owes: bool,
    attempt: u8,
    /// Answers that did not count, without questions that were too long: these are no try of the seat's.
    tries: u8,
    /// Replies that were cut by their length.
    cuts: u8,
    retry: Option<Fault>,
    /// The field that the fault is about.
    retry_field: Option<String>,
}

/// A question that a seat owes an answer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The seat's place among those asked.
    pub member: usize,
    /// The seat.
    pub seat: SeatId,
    /// The attempt, from 0.
    pub attempt: u8,
    /// Why it is asked again.
    pub retry: Option<Fault>,
    /// The field of the form that this is about.
    pub retry_field: Option<String>,
    /// How much room its reply has.
    pub room: Room,
}

impl Debt {
    /// A cut reply is given more room once. Where that was cut, too, or refused, more would not have helped.
    fn room(&self) -> Room {
        if self.cuts == 1 { Room::Doubled } else { Room::Planned }
    }
}

/// What a statement declares: its favourite, and its opinion.
pub type Declared = (Option<Choice>, Option<Opinion>);

impl Asking {
    /// No ask under way, for this many seats.
    pub fn new(seats: usize) -> Self {
        Self { debts: vec![Debt::default(); seats], ..Self::default() }
    }

    /// Begins an ask of these seats.
    ///
    /// # Panics
    /// When another is under way, or nobody is asked.
    pub fn begin(&mut self, what: Asked, members: impl IntoIterator<Item = SeatId>) {
        self.begin_if(what, members, |_| true);
    }

    /// Begins an ask of those of these seats for which something is true. The others keep their places, and so their turns.
    ///
    /// # Panics
    /// When another is under way, or nobody is asked.
    pub fn begin_if(&mut self, what: Asked, members: impl IntoIterator<Item = SeatId>, owes: impl Fn(SeatId) -> bool) {
        assert!(self.outstanding == 0 && self.held.is_empty(), "invariant: one ask at a time");
        self.what = Some(what);
        self.members.clear();
        self.members.extend(members);
        for member in &self.members {
            let owes = owes(*member);
            self.debts[member.index()] = Debt { owes, ..Debt::default() };
            self.outstanding += usize::from(owes);
        }
        assert!(self.outstanding > 0, "invariant: an ask asks somebody");
    }

    /// The seats to ask now: those that owe an answer at the lowest attempt, with their place among the members, so
    /// that a session cut in the middle of an ask goes on in the very order of the uncut one.
    pub fn due(&self) -> impl Iterator<Item = Due> {
        let debts = || self.members.iter().enumerate().map(|(place, seat)| (place, *seat, &self.debts[seat.index()]));
        let lowest = debts().filter(|(.., debt)| debt.owes).map(|(.., debt)| debt.attempt).min();
        debts().filter(move |(.., debt)| debt.owes && Some(debt.attempt) == lowest).map(|(member, seat, debt)| Due {
            member,
            seat,
            attempt: debt.attempt,
            retry: debt.retry,
            retry_field: debt.retry_field.clone(),
            room: debt.room(),
        })
    }

    /// Whether an answer is still owed.
    pub fn is_waiting(&self) -> bool {
        self.outstanding > 0
    }

    /// How many answers of a seat did not count, without questions that were too long for it.
    pub fn tries(&self, seat: SeatId) -> u8 {
        self.debts[seat.index()].tries
    }

    /// A seat's answer did not count and it is asked again.
    pub fn again(&mut self, seat: SeatId, fault: Fault, field: Option<String>) {
        let debt = &mut self.debts[seat.index()];
        assert!(debt.owes, "invariant: only a seat that owes an answer is asked again");
        debt.attempt += 1;
        debt.tries += u8::from(fault != Fault::ContextTooLong);
        debt.cuts += u8::from(fault == Fault::CutByLength);
        debt.retry = Some(fault);
        debt.retry_field = field;
    }

    /// A seat asked to see something and is asked again, with what was found; that is no try.
    pub fn inform(&mut self, seat: SeatId) {
        let debt = &mut self.debts[seat.index()];
        assert!(debt.owes, "invariant: only a seat that owes an answer is asked again");
        debt.attempt += 1;
        debt.retry = None;
        debt.retry_field = None;
    }

    /// A seat owes nothing any more. Returns whether it was the last.
    pub fn settle(&mut self, seat: SeatId) -> bool {
        let debt = &mut self.debts[seat.index()];
        assert!(debt.owes, "invariant: a question is answered once");
        debt.owes = false;
        self.outstanding -= 1;
        self.outstanding == 0
    }
}
