//! What one seat is shown for one question. A brief borrows from memory: making one copies no text.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    AlternativeId, CaseFact, Choice, Found, Number, Opinion, PageShown, PhaseName, SeatId, Seq, Stretch, StretchIter,
};

/// One thing said on the floor: a statement, or an announcement of the facilitator. Stored once for all seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The record it came from.
    pub seq: Seq,
    /// The round it was said in; 0 outside rounds.
    pub round: u32,
    /// The turn it was said in; 0 for an announcement.
    pub turn: u32,
    /// Who spoke; `None` is the facilitator.
    pub speaker: Option<SeatId>,
    /// The text in full.
    pub text: Arc<str>,
    /// How many bytes of `text` a seat's memory keeps: all of them, or the part before the marker. The public history keeps all.
    pub kept_bytes: u32,
    /// What the speaker declared to favour, if anything.
    pub stance: Option<Choice>,
    /// The opinion it declared, if any.
    pub opinion: Option<Opinion>,
}

/// How a statement reads to those who hear it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuidanceStyle {
    /// `Alice (#2.3) said: "…"`.
    Narrative,
    /// `Round: 2 | Speaker: Alice | Favours: … | Number: #2.3 | Statement: …`.
    Structured,
}

/// Something only one seat remembers, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnEntry {
    /// The record it came from.
    pub seq: Seq,
    /// The phase it belongs to.
    pub phase: PhaseName,
    /// The round it belongs to; 0 outside rounds.
    pub round: u32,
    /// What kind of thing it is.
    pub kind: EntryKind,
    /// What is remembered, as the seat reads it.
    pub text: String,
}

/// The kinds of things only one seat remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// An exhibit that not every seat is shown.
    Exhibit,
    /// What it was told alone of the case: its signal and its facts.
    Dealt,
    /// An instruction to this seat, or to some.
    Instruction,
    /// What it thought before it spoke.
    OwnReasoning,
    /// Its own ballot.
    OwnBallot,
    /// Its own ranking.
    OwnRanking,
    /// Its own choice in a practice round.
    OwnApplication,
    /// An amount that it named in private: an estimate in a poll, or what it asked to take from a common stock.
    OwnAnswer,
    /// How it did in the comprehension test.
    OwnTest,
    /// What it noted when it met the others before.
    Notes,
    /// What it was paid, and what it would have been paid.
    Results,
    /// A statement that was marked, in full as memories keep it.
    Marked,
    /// A decision of the group, kept to be integrated.
    Decision,
    /// Its memory as it rewrote it itself.
    Rewritten,
    /// Something that all were told, put back in its own words after the seat had rewritten its memory.
    PutBack,
}

/// Where on the floor the remarks of each sort stand, as positions in the list of all of them, each in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The statements.
    pub statements: Vec<u32>,
    /// The announcements that memories keep and may drop.
    pub notices: Vec<u32>,
    /// The announcements that they never drop.
    pub pinned: Vec<u32>,
}

impl Places {
    /// Those of remarks of which none is pinned, and none kept from memories.
    pub fn of(floor: &[Remark]) -> Self {
        let (statements, notices) = (0..).zip(floor).partition::<Vec<_>, _>(|(_, remark)| remark.speaker.is_some());
        let places = |of: Vec<(u32, &Remark)>| of.into_iter().map(|(place, _)| place).collect();
        Self { statements: places(statements), notices: places(notices), pinned: Vec::new() }
    }

    /// All these remarks.
    pub fn over<'a>(&'a self, floor: &'a [Remark]) -> Remarks<'a> {
        let (statements, notices) = (self.statements.as_slice().into(), self.notices.as_slice().into());
        Remarks { floor, statements, notices, pinned: &self.pinned }
    }
}

/// Some remarks of the floor, borrowed; walked in the order in which they were made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remarks<'a> {
    /// The floor from its beginning.
    pub floor: &'a [Remark],
    /// The positions of the statements among them.
    pub statements: Stretch<'a, u32>,
    /// The positions of the announcements that may be dropped.
    pub notices: Stretch<'a, u32>,
    /// The positions of those that are never dropped.
    pub pinned: &'a [u32],
}

impl<'a> Remarks<'a> {
    /// All of them, oldest first.
    pub fn iter(&self) -> RemarksIter<'a> {
        let lists = [self.statements.iter(), self.notices.iter(), Stretch::from(self.pinned).iter()];
        RemarksIter { floor: self.floor, lists }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.statements.len() + self.notices.len() + self.pinned.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The newest.
    pub fn last(&self) -> Option<&'a Remark> {
        self.iter().next_back()
    }

    /// Copies of all of them, oldest first.
    pub fn to_vec(&self) -> Vec<Remark> {
        self.iter().cloned().collect()
    }
}

impl<'a> IntoIterator for Remarks<'a> {
    type Item = &'a Remark;
    type IntoIter = RemarksIter<'a>;

    fn into_iter(self) -> RemarksIter<'a> {
        self.iter()
    }
}

/// Remarks, one after the other; see [`Remarks::iter`].
#[derive(Debug, Clone)]
pub struct RemarksIter<'a> {
    floor: &'a [Remark],
    lists: [StretchIter<'a, u32>; 3],
}

impl<'a> Iterator for RemarksIter<'a> {
    type Item = &'a Remark;

    fn next(&mut self) -> Option<&'a Remark> {
        let heads = self.lists.iter_mut().filter_map(|list| Some((list.clone().next()?, list)));
        let (place, list) = heads.min_by_key(|(place, _)| **place)?;
        list.next();
        Some(&self.floor[*place as usize])
    }
}

impl DoubleEndedIterator for RemarksIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let tails = self.lists.iter_mut().filter_map(|list| Some((list.clone().next_back()?, list)));
        let (place, list) = tails.max_by_key(|(place, _)| **place)?;
        list.next_back();
        Some(&self.floor[*place as usize])
    }
}

/// Counts, per alternative, of the stances that others declared in the remarks of a brief.
///
/// Held as rows of running totals, so that asking costs nothing that grows with the history.
#[derive(Debug, Clone, Default)]
pub struct Heard<'a> {
    /// Running totals at the end and at the start of the shown floor, one entry an alternative.
    pub all: (&'a [u32], &'a [u32]),
    /// The same of the seat's own statements; empty slices when it made none.
    pub own: (&'a [u32], &'a [u32]),
    /// Of these, what the seat has forgotten and is not shown.
    pub forgotten: Vec<HeardBetween<'a>>,
    /// The amount declared last with each alternative, and the position on the floor where that was; one entry an alternative.
    pub amounts: Cow<'a, [Option<(u32, u32)>]>,
    /// The first position on the floor that is shown.
    pub from: u32,
    /// Where on the floor the round under way began, whether it is shown or not.
    pub round_from: u32,
    /// The newest active proposal of another seat, among what is shown, to which this seat has not reacted; `None` where there
    /// is none, and where no marks are read.
    pub proposal: Option<Proposed>,
    /// This seat's own newest proposal; `None` where it made none.
    pub own_proposal: Option<Proposed>,
    /// This seat's own active proposals among what is shown, in the order in which they were made.
    pub own_open: Vec<Proposed>,
    /// The proposal of another seat that this seat supported last; `None` where it supported none.
    pub backed: Option<Proposed>,
    /// What was declared in older statements that are shown, too, and what is told of others, in their order.
    pub recalled: Vec<Recollected>,
}

/// Running totals of declared stances at the end and at the start of a part of the floor.
#[derive(Debug, Clone, Copy)]
pub struct HeardBetween<'a> {
    /// Of all statements, one entry an alternative.
    pub all: (&'a [u32], &'a [u32]),
    /// Of the seat's own.
    pub own: (&'a [u32], &'a [u32]),
}

/// A proposal as a mind reads it: its number, and what its statement declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proposed {
    /// The record.
    pub seq: Seq,
    /// Its number.
    pub number: Number,
    /// The declared favourite; `None` where none was declared.
    pub stance: Option<Choice>,
}

/// A stance declared in an older statement that is shown, too, or of which it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recollected {
    /// Whether that is the seat that is shown it.
    pub is_own: bool,
    /// What it declared.
    pub stance: Choice,
}

impl Heard<'_> {
    /// How often others declared this alternative in what the seat is shown.
    pub fn count(&self, alternative: AlternativeId) -> u32 {
        let k = alternative.index();
        let between =
            |(end, start): (&[u32], &[u32])| end.get(k).copied().unwrap_or(0) - start.get(k).copied().unwrap_or(0);
        let recalled = self.recalled.iter().filter(|other| !other.is_own && other.stance.alternative == alternative);
        let forgotten = self.forgotten.iter().map(|part| between(part.all) - between(part.own));
        between(self.all) - between(self.own) - forgotten.sum::<u32>() + recalled.count() as u32
    }

    /// The amount that was declared last, by anyone, with this alternative in what the seat is shown.
    pub fn amount(&self, alternative: AlternativeId) -> Option<u32> {
        let last = self.amounts.get(alternative.index()).copied().flatten();
        if let Some((amount, _)) = last.filter(|(_, position)| *position >= self.from) {
            return Some(amount);
        }
        let recalled = self.recalled.iter().rev().filter(|other| other.stance.alternative == alternative);
        recalled.filter_map(|other| other.stance.amount).next()
    }
}

/// How much is told of where the talk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Decisions, proposals and what each seat declared last, beside the memory.
    Whole,
    /// Decisions and open proposals, in the place of the memory.
    Short,
}

/// Where the talk stands, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<'a> {
    /// How much of it.
    pub extent: Extent,
    /// The words.
    pub words: Cow<'a, str>,
}

/// What a seat is shown beside the question itself: the retained remarks of the floor and its own entries, oldest first.
#[derive(Debug, Clone)]
pub struct Brief<'a> {
    /// Whose brief it is.
    pub seat: SeatId,
    /// How its remarks read.
    pub style: GuidanceStyle,
    /// The remarks shown.
    pub remarks: Remarks<'a>,
    /// What the seat wrote when it made its memory shorter, and what was put back after that.
    pub summaries: Stretch<'a, OwnEntry>,
    /// From which record on each of these counts in the order of a prompt: that of the first statement it stands for, or where
    /// it stands for none of the last thing.
    pub since: Vec<Seq>,
    /// Where the talk stands.
    pub standing: Option<Told<'a>>,
    /// The seat's entries that are never dropped: its results, and what was told to it alone.
    pub pinned: &'a [OwnEntry],
    /// The seat's other own entries shown.
    pub own: Stretch<'a, OwnEntry>,
    /// The stances others declared in `remarks` and in what was recalled.
    pub heard: Heard<'a>,
    /// The positions of older statements that are shown, too, because they answer what the talk is about now.
    pub recalled: Vec<u32>,
    /// What the seat asked to see.
    pub found: Option<Found<'a>>,
    /// The alternative that the seat's evidence points to, where it was told and remembers; for minds.
    pub signal: Option<AlternativeId>,
    /// The facts that the seat holds, where it was told any and remembers; for minds.
    pub facts: &'a [CaseFact],
    /// What every fact of the case speaks for, so that a mind can tell what it hears cited; for minds.
    pub case: &'a [CaseFact],
    /// Whether something earlier is left out that it remembers and that nothing here stands for.
    pub is_cut: bool,
    /// Statements from this record on are shown in full, by the public history; earlier ones as memories keep them. `None` if the
    /// public history shows no statement.
    pub full_from: Option<Seq>,
}

impl<'a> Brief<'a> {
    /// Whether the public history shows a remark, and so in full.
    pub fn shows_in_full(&self, remark: &Remark) -> bool {
        remark.speaker.is_some() && self.full_from.is_some_and(|from| remark.seq >= from)
    }

    /// The remarks shown, those that were recalled among them, oldest first.
    pub fn all_remarks(&self) -> impl Iterator<Item = &'a Remark> {
        let floor = self.remarks.floor;
        let mut recalled =
            self.recalled.iter().map(move |place| &floor[*place as usize]).collect::<Vec<_>>().into_iter().peekable();
        let mut others = self.remarks.iter().peekable();
        std::iter::from_fn(move || match (recalled.peek(), others.peek()) {
            (Some(old), Some(other)) if old.seq < other.seq => recalled.next(),
            (Some(_), None) => recalled.next(),
            _ => others.next(),
        })
    }
}

/// What was shown, as coordinates; goes into the answer's record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// Where on the floor the statements shown stand, as positions in the list of all remarks: all statements in there.
    pub floor: Range<u32>,
    /// The same of the announcements shown; absent where it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notices: Option<Range<u32>>,
    /// The first position whose statement the public history showed, in full; statements before it were shown as memories keep
    /// them. Absent if it showed none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// How many announcements that are never dropped: all of them, from the first, unless its memory is switched off.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub pinned_remarks: u32,
    /// What the seat wrote when it made its memory shorter, and what was put back then, as positions in the list of all that.
    #[serde(default, skip_serializing_if = "Range::is_empty")]
    pub summaries: Range<u32>,
    /// How much it was told of where the talk stands; absent where it was told nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Extent>,
    /// How many of its pinned entries: all of them, from the first, unless its memory is switched off.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub pinned: u32,
    /// The shown part of the seat's other own entries, as positions in the list of all of them.
    pub own: Range<u32>,
    /// What of all these the seat had been made to forget and was not shown; absent where there is none.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub forgotten: Forgotten,
    /// How many remarks and own entries the seat had witnessed but was not shown, what it asked to see counted among them. Where
    /// another group's words are heard, these are the remarks witnessed.
    pub omitted: u32,
    /// The positions on the floor of older statements that were shown, too, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recalled: Vec<u32>,
    /// Whether the seat had asked to see something before it answered this question.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub inquired: bool,
    /// The positions on the floor of the statements that it was shown then, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<u32>,
    /// The page that it was shown then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageShown>,
}

/// What a seat was made to forget, as positions: of each list, within what is shown of it, those that are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forgotten {
    /// Of the statements, on the floor. What the public history shows all the same is not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<Range<u32>>,
    /// Of the announcements, on the floor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Range<u32>>,
    /// Of what the seat wrote when it made its memory shorter, and what was put back then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Range<u32>>,
    /// Of its other own entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Range<u32>>,
}

impl Forgotten {
    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Shown {
    /// Where on the floor the announcements shown stand.
    pub fn notices(&self) -> Range<u32> {
        self.notices.clone().unwrap_or_else(|| self.floor.clone())
    }
}
