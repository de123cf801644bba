//! The stages of a session: what its procedure calls for next.

use crate::domain::{SeatId, Verdict};

/// What procedure calls for next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// The session begins.
    #[default]
    Convening,
    /// It is minuted who sits where.
    Seating,
    /// Seats are told the first thing of this position.
    Preparing(usize),
    /// It is minuted by which names seats go.
    Naming,
    /// The phase at this place of the agenda opens.
    Opening(usize),
    /// The phase of this place is left out, and what follows up to another place; with the block that is left out as a whole.
    Skipping(usize, usize, Option<usize>),
    /// The phase of this place is left out, because nobody would take part.
    SkippingForNobody(usize),
    /// The block of this position ends after the phase of this place.
    EndingLoop(usize, usize),
    /// A condition before the phase of this place has no value.
    Undefined(usize),
    /// The phase of this place computes the value of this position.
    Computing(usize, usize),
    /// The texts of this position among the kept fields of the phase of this place are minuted.
    Keeping(usize, usize),
    /// The phase of this place puts seats into the groups of this position.
    Assigning(usize, usize),
    /// The group is done, and waits for the others.
    GroupDone,
    /// The plan's intervention of this position is told, in this phase and round.
    Intervening(usize, u32, usize),
    /// Its brief is read.
    Briefing(usize),
    /// Its brief is read to one seat, which has words of its own.
    BriefingSeat(usize, SeatId),
    /// A manipulator, by its position in the plan, is told what to push in the discussion of this place.
    Manipulating(usize, usize),
    /// The speaking order of a round is drawn.
    Ordering(usize, u32),
    /// The phase of this place is forgotten, before the one of another place.
    Forgetting(usize, usize),
    /// It is announced that two rounds remain.
    CountingDown(usize, u32),
    /// The situation of a practice round is put before the seats.
    Situating(usize, u32),
    /// The pay of a practice round or of the settlement is drawn.
    Paying(usize, u32),
    /// Seats are asked.
    Asking,
    /// The ballots of a phase and round are counted.
    Counting(usize, u32),
    /// A decision is imposed before the phase of this place.
    Imposing(usize),
    /// A round closes.
    Closing(usize, u32),
    /// The session ends.
    Adjourning,
    /// It has ended.
    Adjourned(Verdict),
}

impl Stage {
    /// Whether a group at this stage declares nothing: it waits for answers, or is done.
    pub fn waits_for_others(&self) -> bool {
        matches!(self, Stage::Asking | Stage::GroupDone)
    }
}
