//! The phases of a session and their settings.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;

use super::{
    Assignment, Formula, GroupPlace, GroupRegion, GroupRule, LoopItem, Network, PayRule, SeatSet, VoteEnds, VoteOver,
    VotePhase, VoteWinners,
};
use crate::analysis::measures::ConvergenceProfile;
use crate::domain::{
    Field, FieldValue, Form, FormAsked, Measure, NUMBER_MAX, PhaseKindName, PhaseName, PollTime, SeatId, TestQuestion,
};
use crate::expression::Fraction;
use crate::memory::Strategy;
use crate::prompt::LiveText;

/// A phase of the agenda. A phase of a repeated block is listed once for each pass.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Phase {
    /// Its name, unique in the agenda; of a phase in a block with the numbers of the passes.
    pub name: PhaseName,
    /// The kind of phase.
    pub kind: PhaseKind,
    /// The passes of the blocks that hold it, of the outermost block first; empty outside blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<Pass>,
    /// Whether it takes place; `None` if it always does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// The seats that take part; `None` if all present seats do, as far as the blocks around it let them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<SeatSet>,
    /// The seats that hear it; `None` if all hear its statements and counts, and nobody its answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heard_by: Option<SeatSet>,
    /// How memories take what it brings; `None` for as the routing says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remember: Option<Strategy>,
    /// The group in which it takes place; `None` outside groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupPlace>,
    /// The positions of the blocks that hold it, the outermost first.
    #[serde(skip)]
    pub within: Vec<usize>,
}

/// A block of phases at one place of the agenda.
#[derive(Debug, Clone, serde::Serialize)]
pub struct BlockSpan {
    /// Its name.
    pub name: String,
    /// The position of its first phase.
    pub start: usize,
    /// The position after its last phase, in the last pass.
    pub end: usize,
    /// The number of repeated blocks around it.
    pub around: usize,
    /// Whether it takes place; `None` if it always does.
    pub when: Option<Condition>,
    /// When it ends before that; `None` if it never does.
    pub until: Option<Condition>,
    /// The seats that take part in its phases; `None` if all present seats do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<SeatSet>,
    /// The number of the group in which it takes place; `None` outside groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
}

/// A condition of a phase or block.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The expression.
    pub formula: Formula,
    /// What it is taken to be in a rehearsal; `None` in a session, and of a condition that reads no answers.
    pub assumed: Option<bool>,
    /// The places of the phases that set what it reads: nothing is assumed before the first of them takes place. `None` if something
    /// that it reads is not set by phases.
    pub set_at: Option<Vec<usize>>,
}

impl Condition {
    /// A condition that never holds.
    pub fn never() -> Self {
        Self { formula: Formula::never(), assumed: Some(false), set_at: None }
    }

    /// Whether a rehearsal takes it never to hold.
    pub fn is_taken_as_never(&self) -> bool {
        self.assumed == Some(false) && self.set_at.is_none()
    }
}

impl serde::Serialize for Condition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.formula.serialize(serializer)
    }
}

impl Phase {
    /// The sets of seats that its questions and passes depend on.
    pub fn seat_sets(&self) -> Vec<&SeatSet> {
        let of_passes = self.passes.iter().filter_map(|pass| match &pass.thing {
            Some(Thing::Seat { seats, .. }) => Some(seats),
            _ => None,
        });
        let of_kind = match &self.kind {
            PhaseKind::Form(form) => form.per.iter().chain(form.options.iter().map(|options| &options.seats)).collect(),
            PhaseKind::Vote(vote) => match &vote.over {
                VoteOver::Seats(set) => vec![set],
                VoteOver::Alternatives | VoteOver::OwnOptions | VoteOver::Texts(_) | VoteOver::Winners(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        of_passes.chain(of_kind).collect()
    }

    /// The sets of seats that its questions and passes depend on, to be changed.
    pub fn seat_sets_mut(&mut self) -> Vec<&mut SeatSet> {
        let of_passes = self.passes.iter_mut().filter_map(|pass| match &mut pass.thing {
            Some(Thing::Seat { seats, .. }) => Some(seats),
            _ => None,
        });
        of_passes.chain(self.kind.seat_sets_mut()).collect()
    }

    /// Whether it is in the first pass of each block that holds it, and in the first group.
    pub fn is_first_pass(&self) -> bool {
        self.is_in_first_group() && self.passes.iter().all(|pass| pass.number == 1)
    }

    /// Whether it takes place outside groups, or in the first group.
    pub fn is_in_first_group(&self) -> bool {
        self.group.as_ref().is_none_or(|group| group.number == 1)
    }
}

/// One pass of a block.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Pass {
    /// The block's name.
    pub block: String,
    /// Its number, from 1.
    pub number: u32,
    /// The number of passes; of a block for texts or seats the most that there may be.
    pub of: u32,
    /// The thing that it takes place for; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<Thing>,
}

/// The order of passes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PassOrder {
    /// As written, by the letters of texts, or in the order of the table.
    #[default]
    Fixed,
    /// By lot.
    Lot,
    /// By a row of a Williams square for each replicate, so that over its rows each thing takes each place, and follows each other, equally
    /// often.
    Latin,
}

/// The thing that a pass takes place for.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum Thing {
    /// A word.
    Word {
        /// What it is called in expressions and texts.
        name: String,
        /// All words.
        words: Arc<[String]>,
        /// The order of the passes.
        order: PassOrder,
    },
    /// An item.
    Item {
        /// What it is called in expressions and texts.
        name: String,
        /// All items.
        #[serde(serialize_with = "LoopItem::write_digest")]
        items: Arc<[LoopItem]>,
        /// The order of the passes.
        order: PassOrder,
    },
    /// None: the number of passes is known only when the block begins.
    Times {
        /// The number.
        times: Formula,
        /// What it is taken to be in a rehearsal; `None` in a session.
        #[serde(skip)]
        assumed: Option<u32>,
    },
    /// A text that is live when the block begins.
    Text {
        /// What it is called in expressions and texts.
        name: String,
        /// The position of the name under which the texts are kept.
        pool: usize,
        /// The order of the passes.
        order: PassOrder,
    },
    /// A seat that is selected when the block begins.
    Seat {
        /// What it is called in expressions and texts.
        name: String,
        /// The seats.
        seats: SeatSet,
        /// The order of the passes.
        order: PassOrder,
    },
}

impl Thing {
    /// Whether the passes are known only when the block begins.
    pub fn is_found_at_beginning(&self) -> bool {
        matches!(self, Thing::Times { .. } | Thing::Text { .. } | Thing::Seat { .. })
    }

    /// What it is called in expressions and texts; empty if there is none.
    pub fn name(&self) -> &str {
        match self {
            Thing::Times { .. } => "",
            Thing::Word { name, .. }
            | Thing::Item { name, .. }
            | Thing::Text { name, .. }
            | Thing::Seat { name, .. } => name,
        }
    }
}

impl Pass {
    /// The item that it takes place for, if the order is fixed; `None` of any other pass.
    pub fn item(&self) -> Option<&LoopItem> {
        match &self.thing {
            Some(Thing::Item { items, order: PassOrder::Fixed, .. }) => items.get(self.number as usize - 1),
            _ => None,
        }
    }

    /// The pass in the names of its phases: the word or the id of the item that it takes place for, if the order is fixed and it is one of letters, digits,
    /// `_` and `-`; or its number.
    pub fn label(&self) -> String {
        let is_plain = |word: &&String| {
            let mut signs = word.chars();
            signs.all(|sign| sign.is_ascii_alphanumeric() || "_-".contains(sign)) && word.parse::<u64>().is_err()
        };
        match &self.thing {
            Some(Thing::Word { words, order: PassOrder::Fixed, .. }) => {
                words.get(self.number as usize - 1).filter(is_plain).cloned().unwrap_or_else(|| self.number.to_string())
            }
            Some(Thing::Item { items, order: PassOrder::Fixed, .. }) => {
                let item = items.get(self.number as usize - 1).map(|item| &item.id).filter(is_plain);
                item.cloned().unwrap_or_else(|| self.number.to_string())
            }
            _ => self.number.to_string(),
        }
    }
}

/// The kind of a phase.
#[derive(Debug, Clone, serde::Serialize)]
pub enum PhaseKind {
    /// The facilitator addresses every seat.
    Brief {
        /// The message; of one that prints values of the session, its template.
        text: String,
        /// The template; `None` if it prints no values of the session.
        #[serde(skip_serializing_if = "Option::is_none")]
        live: Option<Arc<LiveText>>,
        /// Where the group stands, as models of opinions hear it; `None` if it does not say so.
        #[serde(skip_serializing_if = "Option::is_none")]
        opinion: Option<Formula>,
    },
    /// All seats answer a straw poll simultaneously.
    Ask {
        /// The time of the poll relative to the talk.
        time: PollTime,
    },
    /// All seats answer a form simultaneously.
    Form(Arc<FormPlan>),
    /// All seats rank the alternatives simultaneously.
    Ranking,
    /// All seats are tested simultaneously on the mechanism's sample situation; a seat that fails tries once more.
    Comprehension(Comprehension),
    /// Practice rounds, one for each of the mechanism's situations.
    Applications,
    /// Discussion in rounds.
    Discussion(Discussion),
    /// All seats vote once.
    Vote(Arc<VotePhase>),
    /// The mechanism pays for the decision.
    Settle,
    /// Values are computed, in order.
    Compute(Arc<[Assignment]>),
    /// Seats are paid by an expression.
    Pay(Arc<PayRule>),
    /// Seats are put into groups.
    Assign(Arc<[GroupRule]>),
}

/// A form of the agenda.
#[derive(Debug, Clone, serde::Serialize)]
pub struct FormPlan {
    /// The form, as far as it is the same for all seats and passes.
    pub asked: Arc<FormAsked>,
    /// The questions that print values of the session, with the positions of their fields.
    pub live: Vec<(usize, LiveText)>,
    /// The bounds of numbers that depend on the session.
    pub bounds: Vec<LiveBound>,
    /// The fields with the bounds and the unit of the motion's amounts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<usize>,
    /// The fields whose options are seats. A seat that has no option in one of them is not asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<SeatOptions>,
    /// The seats about each of which it is asked; `None` if it is about nobody else.
    pub per: Option<SeatSet>,
    /// The fields whose texts are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptField>,
    /// The right answers to fields, by their ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<(String, FieldValue)>,
    /// Those that are the key of the pass's item.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub item_keys: Vec<(String, FieldValue)>,
}

impl FormPlan {
    /// The field that measures something about the motion; the last of several.
    pub fn find_measure(&self, wanted: Measure) -> Option<&str> {
        let found = self.asked.measures.iter().rfind(|(_, measure)| *measure == wanted);
        found.map(|(field, _)| field.as_str())
    }
}

/// A field whose options are seats.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SeatOptions {
    /// The position of the field.
    pub field: usize,
    /// The seats, which may depend on the seat that answers.
    pub seats: SeatSet,
}

/// A field whose texts are kept.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KeptField {
    /// The position of the field.
    pub field: usize,
    /// The name under which they are kept.
    pub name: String,
    /// The position of the name among the names of kept texts.
    pub pool: usize,
}

/// The id of a field about a seat, with the number of the seat from 1.
pub fn id_about(field: &str, seat: SeatId) -> String {
    format!("{field}_{}", seat.0 + 1)
}

impl FormPlan {
    /// Whether the answers to the field at a position are seats.
    pub fn names_seats(&self, field: usize) -> bool {
        self.options.iter().any(|options| options.field == field)
    }

    /// Whether it is the same for all seats, passes and items.
    pub fn is_fixed(&self) -> bool {
        let is_filled = !self.live.is_empty() || !self.bounds.is_empty() || !self.amounts.is_empty();
        !is_filled && !self.may_be_empty() && self.kept.is_empty()
    }

    /// Whether some seats may have nothing to answer: nobody to be asked about, or no options.
    pub fn may_be_empty(&self) -> bool {
        self.per.is_some() || !self.options.is_empty()
    }

    /// The form at its longest, for a table of so many seats.
    pub fn at_most(&self, seats: usize) -> Cow<'_, FormAsked> {
        match &self.per {
            Some(_) => Cow::Owned(self.about_seats(&(0..seats as u32).map(SeatId).collect::<Vec<SeatId>>())),
            None => Cow::Borrowed(&self.asked),
        }
    }

    /// The form about each of these seats.
    pub fn about_seats(&self, targets: &[SeatId]) -> FormAsked {
        let (mut fields, mut questions) = (Vec::new(), Vec::new());
        for target in targets {
            for (field, question) in self.asked.form.fields.iter().zip(&self.asked.questions) {
                let anchor = format!("{} {}", field.anchor, target.0 + 1);
                fields.push(Field { id: id_about(&field.id, *target), anchor, ..field.clone() });
                questions.push(question.clone());
            }
        }
        FormAsked { form: Form { fields, language: self.asked.form.language }, questions, measures: Vec::new() }
    }
}

impl std::ops::Deref for FormPlan {
    type Target = FormAsked;

    fn deref(&self) -> &FormAsked {
        &self.asked
    }
}

/// A bound of numbers, or a sum of points, that depends on the session.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct LiveBound {
    /// The position of the field.
    pub field: usize,
    /// Which bound.
    pub end: BoundEnd,
    /// The bound.
    pub formula: Formula,
}

/// Which bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum BoundEnd {
    /// The least number.
    Min,
    /// The greatest number, score or sum of points.
    Max,
}

/// A bound of numbers in units of the last decimal place; one with more places is tightened to the next number that has as many. `None`
/// if it has more than 15 digits.
pub fn units_of_bound(bound: Fraction, decimals: u8, end: BoundEnd) -> Option<i64> {
    let scaled = bound.checked_mul(Fraction::from(10_i64.pow(u32::from(decimals)))).ok()?;
    let units = match end {
        BoundEnd::Min => scaled.ceiling(),
        BoundEnd::Max => scaled.floor(),
    };
    i64::try_from(units.to_integer()?).ok().filter(|units| units.abs() <= NUMBER_MAX)
}

/// A test of whether seats understand the alternatives.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Comprehension {
    /// The questions; at least one.
    pub questions: Arc<[TestQuestion]>,
    /// The number of right answers needed to pass.
    pub pass_mark: u32,
    /// The consequence of failing twice.
    pub failing: TestFailurePolicy,
}

/// The consequence of failing a comprehension test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum TestFailurePolicy {
    /// The failure is only recorded.
    Recorded,
    /// The seat is asked nothing more and has no vote.
    Excludes,
}

/// The settings of a discussion.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Discussion {
    /// The maximum number of rounds; a discussion without rounds is left out of the agenda.
    pub rounds: NonZeroU32,
    /// The speaking order.
    pub order: SpeakingOrder,
    /// How many seats speak in each round, the first in its order; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speakers: Option<u32>,
    /// When it ends before its last round, looked at after each; `None` if it never does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Condition>,
    /// Whether seats declare with a statement which alternative they favour.
    pub stance: bool,
    /// The minimum length of a statement, in Unicode scalar values.
    pub statement_min_length: u32,
    /// Whether a straw poll closes each round.
    pub poll_each_round: bool,
    /// Whether seats without their own setting think privately before they speak.
    pub private_reasoning: bool,
    /// Whether the end is announced to all seats when [`COUNTDOWN`](super::COUNTDOWN) rounds remain.
    pub announce_end: bool,
    /// Whether statements may carry marks: proposals, reactions to them, decisions.
    pub proposals: bool,
    /// When votes are held in the rounds; a decision ends the discussion.
    pub votes: RoundVotes,
    /// The rule for convergence, if there is one.
    pub convergence: Option<Convergence>,
    /// Which seats hear which; `None` as in the whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Network>,
}

/// Votes within the rounds of a discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum RoundVotes {
    /// No votes are held.
    Never,
    /// A vote closes each round.
    EveryRound,
    /// A vote is held in a round in which a seat calls for it and all others agree; at most one per round.
    OnCall {
        /// The first round in which a vote may be called.
        rounds_min: u32,
        /// Whether seats are asked in turn or all at once.
        call: VoteCall,
    },
}

/// How seats are asked whether they call a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VoteCall {
    /// One after the other in a seeded order, until one does.
    Sequential,
    /// All at once; the first in the seeded order that does is the caller.
    Simultaneous,
}

impl Discussion {
    /// Whether convergence of statements may end it.
    pub fn stops_when_alike(&self) -> bool {
        self.convergence.is_some_and(|convergence| convergence.action == ConvergenceAction::Stop)
    }

    /// Whether it is drawn, or depends on answers, which of the seats speak in a round.
    pub fn draws_speakers(&self) -> bool {
        let is_drawn = matches!(self.order, SpeakingOrder::Random | SpeakingOrder::Williams | SpeakingOrder::Volunteer);
        is_drawn && self.speakers.is_some()
    }

    /// Whether votes are held in its rounds.
    pub fn votes_in_rounds(&self) -> bool {
        self.votes != RoundVotes::Never
    }
}

/// The rule for convergence of a round's statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Convergence {
    /// The weights of the components.
    pub profile: ConvergenceProfile,
    /// The threshold, in parts per million.
    pub threshold: u32,
    /// The action on convergence.
    pub action: ConvergenceAction,
}

/// What follows from convergence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceAction {
    /// The talk ends after the round.
    Stop,
    /// The summary tells it; the talk goes on.
    #[default]
    Warn,
    /// The minutes tell it; the talk goes on.
    Continue,
}

impl Convergence {
    /// Whether a round's convergence, in parts per million, reaches the threshold; `None` (fewer than two speakers) does not.
    pub fn is_reached(&self, convergence: Option<u32>) -> bool {
        convergence.is_some_and(|millionths| millionths >= self.threshold)
    }

    /// Whether it ends the discussion.
    pub fn ends_talk(&self, convergence: Option<u32>) -> bool {
        self.action == ConvergenceAction::Stop && self.is_reached(convergence)
    }
}

/// Who speaks when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpeakingOrder {
    /// The author's order, in every round.
    Fixed,
    /// By seeded lot, anew in every round; who spoke last does not open the next round.
    Random,
    /// The author's order, begun one seat later in each round.
    Rotating,
    /// By the rows of a Williams square, so that over its rounds each seat follows each other equally often.
    Williams,
    /// All at once: nobody hears this round's statements before it ends.
    Simultaneous,
    /// Those who want to, the most urgent first and equals by seeded lot: before each round every seat is asked.
    Volunteer,
}

impl PhaseKind {
    /// The network of a talk that has another one than the session.
    pub fn own_network(&self) -> Option<&Network> {
        self.as_discussion()?.network.as_ref()
    }

    /// Whether it is a vote in which a decision ends nothing else.
    pub fn votes_without_end(&self) -> bool {
        matches!(self, PhaseKind::Vote(vote) if vote.ends == VoteEnds::Nothing)
    }

    /// Whether votes may be held in it.
    pub fn holds_votes(&self) -> bool {
        match self {
            PhaseKind::Vote(_) => true,
            PhaseKind::Discussion(discussion) => discussion.votes_in_rounds(),
            _ => false,
        }
    }

    /// The winners that it is a vote over, to be changed; `None` of any other phase.
    pub fn winners_mut(&mut self) -> Option<&mut VoteWinners> {
        let PhaseKind::Vote(vote) = self else { return None };
        if !matches!(vote.over, VoteOver::Winners(_)) {
            return None;
        }
        match &mut Arc::make_mut(vote).over {
            VoteOver::Winners(winners) => Some(winners),
            _ => None,
        }
    }

    /// The sets of seats that its questions depend on, to be changed.
    fn seat_sets_mut(&mut self) -> Vec<&mut SeatSet> {
        match self {
            PhaseKind::Form(form) => {
                let FormPlan { per, options, .. } = Arc::make_mut(form);
                per.iter_mut().chain(options.iter_mut().map(|options| &mut options.seats)).collect()
            }
            PhaseKind::Vote(vote) => match &mut Arc::make_mut(vote).over {
                VoteOver::Seats(set) => vec![set],
                VoteOver::Alternatives | VoteOver::OwnOptions | VoteOver::Texts(_) | VoteOver::Winners(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The kind's name in the minutes.
    pub fn name(&self) -> PhaseKindName {
        match self {
            PhaseKind::Brief { .. } => PhaseKindName::Brief,
            PhaseKind::Ask { .. } | PhaseKind::Form(_) => PhaseKindName::Ask,
            PhaseKind::Ranking => PhaseKindName::Ranking,
            PhaseKind::Comprehension(_) => PhaseKindName::Comprehension,
            PhaseKind::Applications => PhaseKindName::Applications,
            PhaseKind::Discussion(_) => PhaseKindName::Discussion,
            PhaseKind::Vote(_) => PhaseKindName::Vote,
            PhaseKind::Settle => PhaseKindName::Pay,
            PhaseKind::Compute(_) => PhaseKindName::Compute,
            PhaseKind::Pay(_) => PhaseKindName::Pay,
            PhaseKind::Assign(_) => PhaseKindName::Assign,
        }
    }
}

/// The parts of an agenda that take place in each group.
pub fn find_regions(agenda: &[Phase]) -> Vec<GroupRegion> {
    let mut regions: Vec<GroupRegion> = Vec::new();
    for (place, phase) in agenda.iter().enumerate() {
        let Some(GroupPlace { assignment, number, region }) = &phase.group else { continue };
        if regions.len() <= *region {
            regions.push(GroupRegion { assignment: assignment.clone(), groups: Vec::new() });
        }
        let groups = &mut regions[*region].groups;
        match groups.get_mut(*number as usize - 1) {
            Some(group) => group.end = place + 1,
            None => groups.push(place..place + 1),
        }
    }
    regions
}
