//! The parts of the account: remarks, own records, forgotten parts, inquiries, marks, ballots and borrowed statements.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use super::reading::EntryWords;
use crate::domain::{
    Choice, EntryKind, Inquiry, InvalidBallots, Lent, Moment, OpenBallots, Opinion, OwnEntry, PhaseName, Ranges,
    Remark, SeatId, Seq, Voice, Voted,
};
use crate::memory::FloorEvent;
use crate::plan::Plan;

/// The lists of a seat's own records: pinned entries, others, and summaries.
pub(in crate::session) const PINNED: usize = 0;
pub(in crate::session) const OTHERS: usize = 1;
pub(in crate::session) const SUMMARIES: usize = 2;
/// The list of entries that no memory keeps, and of marked statements that were forgotten.
pub(in crate::session) const UNKEPT: usize = 3;

/// Another session's statements: by coordinate, and as a queue for coordinates that it lacks.
#[derive(Debug, Clone, Default)]
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
    /// The round and turn of a statement; `None` for an announcement.
    pub number: Option<(u32, u32)>,
    pub stance: Option<Choice>,
    pub opinion: Option<Opinion>,
    pub text: blake3::Hash,
    /// The bytes of the text that memories keep.
    pub kept_bytes: u32,
    /// Its words if it is put back into a rewritten memory; `None` if it never is.
    pub put_back: Option<EntryWords>,
}

impl WitnessedRemark {
    /// Whether a shown remark is this one.
    pub fn matches_remark(&self, remark: &Remark) -> bool {
        let number = remark.speaker.map(|_| (remark.round, remark.turn));
        (self.seq, self.speaker, self.number) == (remark.seq, remark.speaker.map(SeatId::index), number)
            && (self.stance, self.opinion, self.kept_bytes) == (remark.stance, remark.opinion, remark.kept_bytes)
            && self.text == blake3::hash(remark.text.as_bytes())
    }
}

/// A record that only one seat may read.
#[derive(Debug, Clone)]
pub(in crate::session) struct OwnRecord {
    pub seq: Seq,
    pub phase: PhaseName,
    pub kind: EntryKind,
    pub words: EntryWords,
}

impl OwnRecord {
    /// Why an entry is not this record; `None` if it is.
    pub fn mismatch_reason(&self, entry: &OwnEntry) -> Option<&'static str> {
        let is_this = self.seq == entry.seq && self.kind == entry.kind && self.words.matches_text(&entry.text);
        (!is_this).then_some(match entry.kind {
            EntryKind::Exhibit => "which is not what was handed out",
            EntryKind::Notes => "which it did not note",
            _ => "which does not read so",
        })
    }
}

/// What one seat was made to forget.
#[derive(Debug, Clone, Default)]
pub(in crate::session) struct ForgottenParts {
    /// Positions on the floor.
    pub floor: Ranges,
    /// Own entries, by their records.
    pub own: Vec<Range<Seq>>,
    /// All texts of the seat that replaced part of its memory, forgotten or not.
    pub texts: Vec<ReplacementText>,
}

/// A text that replaced part of a memory.
#[derive(Debug, Clone)]
pub(in crate::session) struct ReplacementText {
    pub seq: Seq,
    /// The positions on the floor that it covers.
    pub of: Ranges,
    pub is_to_be_forgotten: bool,
}

/// The start of a phase, on the floor and in the records.
#[derive(Debug, Clone)]
pub(in crate::session) struct PartStart {
    pub phase: PhaseName,
    pub place: usize,
    pub seq: Seq,
}

/// What a seat asked to see, and the records found.
#[derive(Debug, Clone)]
pub(in crate::session) struct SeatInquiry {
    pub at: Moment,
    pub inquiry: Inquiry,
    pub found: Vec<Seq>,
}

/// The marked statements of each seat.
#[derive(Debug, Clone)]
pub(in crate::session) struct Marks {
    /// For each seat, the marks in effect, by the records that made them.
    pub kept: Vec<BTreeMap<Seq, MarkAccount>>,
    /// For each seat, the records whose marks were forgotten.
    pub forgotten: Vec<BTreeSet<Seq>>,
}

impl Marks {
    pub fn new(plan: &Plan) -> Self {
        Self { kept: vec![BTreeMap::new(); plan.seats.len()], forgotten: vec![BTreeSet::new(); plan.seats.len()] }
    }
}

#[derive(Debug, Clone)]
pub(in crate::session) struct MarkAccount {
    /// The statement's record.
    pub of: Seq,
    pub phase: PhaseName,
    pub by: Voice,
}

/// What all seats hear of the votes of a phase.
#[derive(Debug, Clone, Copy)]
pub(in crate::session) struct VoteHearing {
    pub open: OpenBallots,
    pub invalid: InvalidBallots,
    pub is_announced: bool,
}

/// The ballots of the vote under way, as far as seats hear them.
#[derive(Debug, Clone)]
pub(in crate::session) struct BallotRoll {
    /// What is heard of the votes of each phase that holds some.
    pub hearing: BTreeMap<PhaseName, VoteHearing>,
    /// For each seat the phase and its ballot there, which is `None` if it is invalid; `None` if it has not voted.
    pub ballots: Vec<Option<(PhaseName, Option<Voted>)>>,
}

impl BallotRoll {
    /// No ballots.
    pub fn new(plan: &Plan) -> Self {
        let votes = plan.agenda.iter().enumerate().filter(|(_, phase)| phase.kind.holds_votes());
        let hearing = votes.map(|(place, phase)| {
            let terms = plan.vote_terms(place);
            let (open, invalid, is_announced) = (terms.open, terms.decision.invalid, terms.is_announced);
            (phase.name.clone(), VoteHearing { open, invalid, is_announced })
        });
        Self { hearing: hearing.collect(), ballots: vec![None; plan.seats.len()] }
    }
}
