//! The parts of the account: remarks, own records, marks, ballots, and what was to be forgotten.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::reading::EntryWords;
use crate::domain::{
    Choice, EntryKind, Inquiry, InvalidBallots, Lent, Moment, Motion, Opinion, OwnEntry, PhaseName, Ranges, Remark,
    SeatId, Seq, Voice, Voted,
};
use crate::memory::{FloorEvent, MemoryPlan};
use crate::plan::Plan;

/// The lists of a seat's own entries: what is never dropped, the others, and what stands in the place of others.
pub(in crate::session) const PINNED: usize = 0;
pub(in crate::session) const OTHERS: usize = 1;
pub(in crate::session) const SUMMARIES: usize = 2;
/// The list of entries that no memory keeps, or that their seat was made to forget with a mark.
pub(in crate::session) const UNKEPT: usize = 3;

/// What another session said, and how far it was gone through again.
#[derive(Debug, Clone)]
pub(in crate::session) struct LentAccount {
    pub at: BTreeMap<(PhaseName, u32, u32), Lent>,
    pub again: VecDeque<Lent>,
}

#[derive(Debug, Clone)]
pub(in crate::session) struct WitnessedRemark {
    pub seq: Seq,
    pub at: (PhaseName, u32),
    pub event: FloorEvent,
    pub speaker: Option<usize>,
    /// The round and turn of a statement, as its number is told.
    pub number: Option<(u32, u32)>,
    pub stance: Option<Choice>,
    pub opinion: Option<Opinion>,
    pub text: blake3::Hash,
    /// How much of it memories keep.
    pub kept_bytes: u32,
    /// How a seat may put it back into its memory; `None` of what is never put back.
    pub put_back: Option<EntryWords>,
}

impl WitnessedRemark {
    /// Whether this is what a remark tells.
    pub fn matches_remark(&self, remark: &Remark) -> bool {
        let number = remark.speaker.map(|_| (remark.round, remark.turn));
        (self.seq, self.speaker, self.number) == (remark.seq, remark.speaker.map(SeatId::index), number)
            && (self.stance, self.opinion, self.kept_bytes) == (remark.stance, remark.opinion, remark.kept_bytes)
            && self.text == blake3::hash(remark.text.as_bytes())
    }
}

/// What one seat may read of one record and nobody else may.
#[derive(Debug, Clone)]
pub(in crate::session) struct OwnRecord {
    pub seq: Seq,
    pub kind: EntryKind,
    pub words: EntryWords,
}

impl OwnRecord {
    /// Its record.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Why an entry is not this; `None` where it is.
    pub fn mismatch_reason(&self, entry: &OwnEntry) -> Option<&'static str> {
        let is_this = self.seq == entry.seq && self.kind == entry.kind && self.words.matches_text(&entry.text);
        (!is_this).then_some(match entry.kind {
            EntryKind::Exhibit => "which is not what was handed out",
            EntryKind::Notes => "which it did not note",
            _ => "which does not read so",
        })
    }
}

/// What one seat was made to forget, from the records alone.
#[derive(Debug, Clone, Default)]
pub(in crate::session) struct ForgottenParts {
    /// Remarks, by their places on the floor.
    pub floor: Ranges,
    /// What it kept: from one record to another.
    pub own: Vec<Range<Seq>>,
    /// What it wrote when it made its memory shorter.
    pub texts: Vec<ReplacementText>,
}

impl ForgottenParts {
    /// What it was to forget of the floor, by place.
    pub fn remarks(&self) -> &Ranges {
        &self.floor
    }
}

/// A text that took the place of what its writer was shown.
#[derive(Debug, Clone)]
pub(in crate::session) struct ReplacementText {
    pub seq: Seq,
    /// The remarks of which it was written, by their places on the floor.
    pub of: Ranges,
    pub is_to_be_forgotten: bool,
}

/// Where a part of a session began: on the floor, and in the records.
#[derive(Debug, Clone)]
pub(in crate::session) struct PartStart {
    pub phase: PhaseName,
    pub place: usize,
    pub seq: Seq,
}

/// What a seat asked to see, from the records alone.
#[derive(Debug, Clone)]
pub(in crate::session) struct SeatInquiry {
    /// At which question.
    pub at: Moment,
    pub inquiry: Inquiry,
    pub found: Vec<Seq>,
}

/// What was marked for whom, from the records alone.
#[derive(Debug, Clone)]
pub(in crate::session) struct Marks {
    pub motion: Arc<Motion>,
    pub memory: MemoryPlan,
    /// By seat what it was not made to forget since, by the record that marked it.
    pub kept: Vec<BTreeMap<Seq, MarkAccount>>,
    /// By seat the records that marked what it was made to forget.
    pub forgotten: Vec<BTreeSet<Seq>>,
}

impl Marks {
    /// Nothing was marked yet.
    pub fn new(plan: &Plan) -> Self {
        let (kept, forgotten) = (vec![BTreeMap::new(); plan.seats.len()], vec![BTreeSet::new(); plan.seats.len()]);
        Self { motion: Arc::clone(&plan.motion), memory: plan.memory, kept, forgotten }
    }

    /// What the group decides.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}

/// One marked statement.
#[derive(Debug, Clone)]
pub(in crate::session) struct MarkAccount {
    /// The statement's record.
    pub of: Seq,
    pub phase: PhaseName,
    pub by: Voice,
}

/// The ballots of the vote under way.
#[derive(Debug, Clone)]
pub(in crate::session) struct BallotRoll {
    pub invalid: InvalidBallots,
    /// One entry a seat: `None` where it has not voted, and an invalid ballot where it chose nothing.
    pub ballots: Vec<Option<Option<Voted>>>,
}

impl BallotRoll {
    /// Nobody has voted; `None` where ballots are told to nobody.
    pub fn new(plan: &Plan) -> Option<Self> {
        plan.roll_call.then(|| Self { invalid: plan.decision.invalid, ballots: vec![None; plan.seats.len()] })
    }
}
