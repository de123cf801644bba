//! The vote under way, the ballots cast in it, and the votes that were counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{AlternativeId, Ballot, Choice, Motion, SeatId, TallyReport};

/// A vote: from the first call for it to its count.
#[derive(Debug, Clone, Default)]
pub(super) struct Vote {
    /// The seats still to be asked whether they call it, the next one last.
    pub uncalled: Vec<SeatId>,
    /// Who called it.
    pub caller: Option<SeatId>,
    /// All who called it, where all are asked at once; one entry a seat, or none.
    pub callers: Vec<bool>,
    /// Whether somebody did not agree to vote.
    pub is_declined: bool,
    /// The ballots of the samples so far, of votes that are taken again and again.
    pub sampled: Vec<Cast>,
    /// The seats still to be asked where seats vote in turn, the next one last.
    pub unasked: Vec<SeatId>,
    /// What it is about, if that is known only when it opens: all options that some voter has.
    pub motion: Option<Arc<Motion>>,
    /// The same with the options of one voter, for voters that do not have all of them.
    pub own_motions: BTreeMap<SeatId, Arc<Motion>>,
    /// The place of its phase, once ballots are asked for.
    pub place: Option<usize>,
    /// How many seats may vote, and how many ballots they have together.
    pub electorate: (u32, u32),
    /// Whether something follows from it: it is binding, or something of the session reads it.
    pub is_binding: bool,
}

/// A seat's ballot in the vote under way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Cast {
    /// Not cast.
    #[default]
    Nothing,
    /// Cast, and invalid.
    Invalid,
    /// Cast; complete once its amount is known.
    For(Choice),
    /// Cast, and it says more than one choice.
    Over(Ballot<AlternativeId>),
    /// Cast for nothing, by choice.
    Abstained,
}

/// A vote that was counted.
#[derive(Debug, Clone)]
pub(super) struct HeldVote {
    /// The count, with the winners and what was decided.
    pub report: TallyReport,
    /// What it was about, if that was known only when it opened.
    pub motion: Option<Arc<Motion>>,
    /// The seats with valid ballots.
    pub voters: Vec<Voter>,
}

/// A seat with a valid ballot.
#[derive(Debug, Clone)]
pub(super) struct Voter {
    /// The seat.
    pub seat: SeatId,
    /// What stands at the top of its ballot.
    pub tops: Vec<AlternativeId>,
    /// What it chose, approved or ranked, the best first; empty of scores and points.
    pub named: Vec<AlternativeId>,
}
