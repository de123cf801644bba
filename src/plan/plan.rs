//! What is true of a session: complete, checked, and the same for all replicates of an arm.

use std::num::NonZeroU32;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Electorate, Evidence, HandOut, Item, ItemsFile, Limits, Lint, Network, NullArm, OpenAiModel, QuestionTemplates,
    Voting,
};
use crate::analysis::measures::ConvergenceProfile;
use crate::analysis::statistics::Unit;
use crate::chance::{Pairing, SessionSeed, session_seed, wave_seed};
use crate::choice::{CountTerms, DecisionRule};
use crate::domain::{
    Agent, Ballot, BallotForm, Before, Choice, Digest, ImportedNotes, Links, MatchUnit, MemoryAct, Motion, Number,
    PhaseKindName, PhaseName, PollTime, Reply, Scored, SeatId, SeatName, Step, TestQuestion, Voice, Voted,
};
use crate::mechanism::{Commons, IncomePrinciples, Mechanism};
use crate::memory::MemoryPlan;
use crate::minds::Mind;
use crate::prompt::{Pack, Parameter};

/// How often a seat may take the comprehension test.
pub const TEST_TRIES: u32 = 2;
/// It is announced when this many rounds remain, the one that opens included.
pub const COUNTDOWN: u32 = 2;

/// What a seat says or does instead of its own answer, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Who.
    pub seat: SeatName,
    /// In which phase.
    pub phase: PhaseName,
    /// In which round; 0 outside rounds.
    pub round: u32,
    /// At which step.
    pub step: Step,
    /// What instead.
    pub reply: Reply,
}

/// Experimental controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Controls {
    /// Whether seats see each other as `Participant 1`, `Participant 2`, ….
    pub anonymous: bool,
    /// In which order options are shown.
    pub option_order: OptionOrder,
    /// Whether each seat is asked at the end if it recognises what it took part in.
    pub recognition_probe: bool,
}

/// What follows when the statements of a round have become alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Convergence {
    /// How the components weigh.
    pub profile: ConvergenceProfile,
    /// From which convergence on, in millionths.
    pub threshold: u32,
    /// What follows.
    pub action: ConvergenceAction,
}

/// What follows from convergence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, Deserialize, schemars::JsonSchema)]
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
    /// Whether a round's convergence, in millionths, reaches the threshold; that of fewer than two speakers does not.
    pub fn is_reached(&self, convergence: Option<u32>) -> bool {
        convergence.is_some_and(|millionths| millionths >= self.threshold)
    }

    /// Whether it ends the talk.
    pub fn ends_talk(&self, convergence: Option<u32>) -> bool {
        self.action == ConvergenceAction::Stop && self.is_reached(convergence)
    }
}

/// What the levels of a factor set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactorSettings {
    /// The factor's name.
    pub factor: String,
    /// The settings in which its levels differ, in the order in which they are written.
    pub settings: Vec<FactorSetting>,
}

/// A setting in which the levels of a factor differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactorSetting {
    /// Its dotted key.
    pub key: String,
    /// The label of each level and its value in one line; `None` if the level keeps the value of the config.
    pub levels: Vec<(String, Option<String>)>,
}

/// The arm that lends its statements.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LendingArm {
    /// Its name.
    pub name: String,
    /// Whether its sessions are recomputed.
    pub is_simulated: bool,
    /// The factors, beside those that set the policy, of which it has another level than the arm that it lends to.
    pub apart_in: Vec<String>,
}

/// The arm whose sessions votes are matched to.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MatchedArm {
    /// What is made equal.
    pub unit: MatchUnit,
    /// Its plan, which knows no item.
    #[serde(skip)]
    pub plan: Arc<Plan>,
}

impl Plan {
    /// Who hears whom in a replicate; `None` where everyone hears everyone. Drawn by replicate alone, so that every arm has the
    /// same.
    pub fn links(&self, replicate: u32) -> Option<Links> {
        let seed = session_seed(self.seed, replicate, Pairing::CommonRandomNumbers, "");
        self.network.links(self.seats.len(), &seed)
    }
}

impl Plan {
    /// The name of the arm whose draws its sessions have: a null has those of the arm that it stands beside.
    pub fn drawn_as(&self) -> &str {
        self.null.as_ref().map_or(&self.arm, |null| &null.of)
    }
}

/// The notes of an arm's seats.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NotesPlan {
    /// At most how many lines of its notes a seat is shown.
    pub lines: u32,
    /// Whether seats take notes when a session ends: they meet again.
    pub are_taken: bool,
    /// Those of another experiment with which seats begin, in the order of the seats; `None` where they begin without.
    pub imported: Option<ImportedNotes>,
}

/// A session's place in its panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its number, from 1.
    pub number: u32,
    /// What it begins with; `None` in the first session, and in a plan that no session has followed yet.
    pub before: Option<Arc<Before>>,
}

impl Seat {
    /// Whether it is asked for a name: a model or a person whose config lets it choose one, and a script with a line for it.
    pub fn chooses_name(&self) -> bool {
        self.is_self_named
            && match &self.sitter {
                Sitter::Model(_) | Sitter::Person(_) => true,
                Sitter::Mind(Mind::Scripted(script)) => script.chooses_name(),
                Sitter::Mind(_) => false,
            }
    }
}

impl ArmPlan {
    /// What decisions pay; `None` where no decision is paid.
    pub fn income_principles(&self) -> Option<&Arc<IncomePrinciples>> {
        if let Some(Mechanism::IncomePrinciples(income)) = &self.mechanism { Some(income) } else { None }
    }

    /// The stock that everyone takes from; `None` where there is none.
    pub fn commons(&self) -> Option<&Commons> {
        if let Some(Mechanism::Commons(commons)) = &self.mechanism { Some(commons) } else { None }
    }
}

/// An experiment: its arms, and how often each is replicated.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Experiment {
    /// Its name; the results folder is named after it.
    pub name: String,
    /// The names of the factors, in the author's order.
    pub factors: Vec<String>,
    /// The replicates of each arm, from 1.
    pub replicates: u32,
    /// How often the agents of a replicate meet, each time in a session; `None` without a panel.
    pub waves: Option<u32>,
    /// One plan an arm, in the order of the design.
    #[serde(skip)]
    pub arms: Vec<Arc<Plan>>,
    /// The questions by id, in the file's order; each session has one. Empty in an experiment without items.
    #[serde(skip)]
    pub items: IndexMap<String, Arc<Item>>,
    /// The file that the questions come from; `None` in an experiment without items.
    pub items_file: Option<ItemsFile>,
    /// The name of the arm that the others are compared with; `None` where the config names none.
    pub baseline: Option<String>,
    /// The one comparison that was announced; `None` where the config announces none.
    pub primary: Option<PrimaryComparison>,
    /// What its calls may take at the most.
    #[serde(skip)]
    pub limits: Limits,
    /// The warnings of `check` that the author has weighed and allows.
    #[serde(skip)]
    pub allow: Vec<Lint>,
}

/// The comparison that was announced before the run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PrimaryComparison {
    /// The columns of `sessions.csv` that are compared, at least one; together they are one family of tests.
    pub metrics: Vec<String>,
    /// The factor whose levels are compared with the baseline's, or two with a colon for their interaction; `None` compares every arm
    /// with the baseline.
    pub contrast: Option<String>,
    /// How several contrasts are corrected for.
    pub correction: Correction,
    /// What is independent.
    pub unit: Unit,
    /// How many replicates each arm is to have in the end; `None` for as many as the first run had.
    pub replicates: Option<u32>,
}

/// How several contrasts are corrected for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Holm's step-down.
    #[default]
    Holm,
    /// Not at all.
    None,
}

/// A level of one factor, by its label.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Level {
    /// The factor.
    pub factor: String,
    /// The label, `[A-Za-z0-9_]+`.
    pub label: String,
    /// What the level sets: dotted keys and values, as they were written.
    pub sets: Vec<(String, String)>,
}

/// A checked, complete instance of an experiment's arm: what the sessions of one item have, and what all share.
///
/// What all sessions of the arm share is read as if it stood here.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The question; `None` in an experiment without items.
    pub item: Option<Arc<Item>>,
    /// The digest of the session's own resolved plan.
    pub digest: Digest,
    /// What is decided.
    pub motion: Arc<Motion>,
    /// The phases in order; names are unique.
    pub agenda: Vec<Phase>,
    /// Its place in its panel; `None` in an experiment without panels, and in the plan of an arm.
    pub wave: Option<Wave>,
    /// The same plan in each other language that a seat has, of which only the motion, the prompts and the least length of statements are used.
    pub translations: Vec<Arc<Plan>>,
    /// What all sessions of the arm share.
    pub shared: Arc<ArmPlan>,
}

impl Plan {
    /// What is decided, as a seat reads and names it: in its own language.
    ///
    /// # Panics
    /// When the plan has no such seat.
    pub fn motion_for(&self, seat: SeatId) -> &Arc<Motion> {
        &self.translation_for(seat).motion
    }

    /// The prompts of a seat, in its own language.
    ///
    /// # Panics
    /// When the plan has no such seat.
    pub fn prompts_for(&self, seat: SeatId) -> &Pack {
        &self.translation_for(seat).prompts
    }

    /// The least length of a seat's statements in the discussion at this place of the agenda, in characters of the seat's language.
    ///
    /// # Panics
    /// When the plan has no such seat, or no discussion there.
    pub fn statement_min_length(&self, seat: SeatId, place: usize) -> u32 {
        match &self.translation_for(seat).agenda[place].kind {
            PhaseKind::Discussion(talk) => talk.statement_min_length,
            _ => unreachable!("invariant: statements belong to discussions"),
        }
    }

    fn translation_for(&self, seat: SeatId) -> &Plan {
        let own = self.seats[seat.index()].language.as_deref();
        let own = own.and_then(|own| self.translations.iter().find(|other| other.language == own));
        own.map_or(self, |own| own)
    }
}

impl std::ops::Deref for Plan {
    type Target = ArmPlan;

    fn deref(&self) -> &ArmPlan {
        &self.shared
    }
}

/// What all sessions of an arm share, whatever their item.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ArmPlan {
    /// The experiment's name.
    pub experiment: String,
    /// The arm's name: its level labels joined by `-`, or `baseline`.
    pub arm: String,
    /// What makes the arm a null; `None` for an arm of the author's.
    #[serde(skip)]
    pub null: Option<NullArm>,
    /// The arm's levels, in factor order.
    pub levels: Vec<Level>,
    /// The experiment's seed, 0 … 2⁵³−1.
    pub seed: u64,
    /// Whether arms share their draws.
    pub pairing: Pairing,
    /// The language of the prompts.
    pub language: String,
    /// The texts that an item's question is put into; `None` in an experiment without items.
    pub questions: Option<QuestionTemplates>,
    /// The seats in the author's order; at least one.
    pub seats: Vec<Seat>,
    /// Who hears whom.
    pub network: Network,
    /// How ballots become a decision.
    pub decision: DecisionRule,
    /// What seats vote by, and how strengths are counted.
    pub voting: Voting,
    /// What counts in a vote beside ballots and rule.
    pub electorate: Electorate,
    /// Whether everyone hears, when ballots are counted, who voted for what.
    pub roll_call: bool,
    /// Whether models and people are asked for an opinion with each statement and straw poll; then there are two alternatives.
    pub asks_opinion: bool,
    /// What is decided without a vote; `None` where the group votes.
    pub imposed: Option<Choice>,
    /// Names and the order of options.
    pub controls: Controls,
    /// What memories hold, and how.
    pub memory: MemoryPlan,
    /// The arm whose sessions' statements are shown in the place of what is said; `None` where that is shown.
    pub lender: Option<LendingArm>,
    /// The arm whose sessions the votes of this one's are matched to; `None` where votes are held once.
    pub matched: Option<MatchedArm>,
    /// The notes of the seats; `None` where none are taken or brought.
    pub notes: Option<NotesPlan>,
    /// What a shorter memory is to keep above all; told to the seat that writes it.
    pub memory_focus: Option<Arc<str>>,
    /// What writes the texts that replace memories.
    pub summary_model: SummaryModel,
    /// What is told to seats besides the agenda, in the author's order.
    pub interventions: Vec<Intervention>,
    /// The evidence documents that seats are shown, in the author's order.
    pub exhibits: Vec<HandOut>,
    /// The case behind the motion: what is right, and what seats are told alone of it; `None` where the scenario has none.
    pub evidence: Option<Arc<Evidence>>,
    /// By how much of the right amount an amount may miss it and still be correct, in parts per million.
    pub correct_within_ppm: u32,
    /// The mechanism that turns decisions or harvests into pay; `None` where nothing is paid.
    pub mechanism: Option<Mechanism>,
    /// Who may sit on seats whose personas are drawn.
    #[serde(skip)]
    pub pools: Vec<PersonaPool>,
    /// The scenario's parameters as templates read them, in the scenario's order.
    pub parameters: Vec<(String, Parameter)>,
    /// How often a question is put at the most; at least 1.
    pub tries_max: u8,
    /// The variant of the prompts, by its name; `scenario` for the scenario's own.
    pub wording: String,
    /// The prompts of the plan's language.
    #[serde(skip)]
    pub prompts: Pack,
    /// The models that seats refer to.
    pub models: Vec<OpenAiModel>,
}

/// A place at the table.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Seat {
    /// Its name, unique.
    pub name: SeatName,
    /// Whether the config lets it choose the name that the others know it by; see [`Seat::chooses_name`].
    pub is_self_named: bool,
    /// Who sits there; where the persona is drawn, [`Plan::agents`] knows it.
    pub agent: Agent,
    /// The pool its persona is drawn from, as a position in the plan's `pools`; `None` where it is fixed.
    pub pool: Option<usize>,
    /// What the seat is there for.
    pub role: SeatRole,
    /// The name of its model in the config.
    pub model: String,
    /// What answers for it.
    pub sitter: Sitter,
    /// How it remembers: the plan's memory with the seat's own limits.
    pub memory: MemoryPlan,
    /// Whether it thinks privately before it speaks; `None` if the discussion says so for all.
    pub private_reasoning: Option<bool>,
    /// The language of its questions and replies; `None` if it is that of the session.
    pub language: Option<String>,
}

/// What a seat is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatRole {
    /// To deliberate.
    Member,
    /// To push, on private instruction, what the others rank lowest.
    Manipulator,
}

/// Personas to draw from, without replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaPool {
    /// Its name in the config.
    pub name: String,
    /// The names of the personas' attributes, in the file's order.
    pub attributes: Vec<String>,
    /// The personas, in the file's order; at least as many as seats draw from the pool.
    pub personas: Vec<Persona>,
    /// For each persona the position of its stratum, from 0 in the order in which the file names them; empty where the pool
    /// is drawn from as a whole.
    pub strata: Vec<usize>,
}

/// One of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    /// Its id, unique in the pool.
    pub id: String,
    /// Who it is, in words.
    pub text: String,
    /// One value for each attribute of the pool; empty where the file says nothing.
    pub attributes: Vec<String>,
}

/// Something told to seats at a moment that the author chose.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Intervention {
    /// In which phase.
    pub phase: PhaseName,
    /// At the start of which round; 0 is the phase's opening.
    pub round: u32,
    /// Who is told; empty when everyone is.
    pub to: Vec<SeatName>,
    /// In whose name.
    pub by: Voice,
    /// What is done.
    pub deed: Deed,
}

/// What an intervention does.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Deed {
    /// Seats are told these words.
    Told(String),
    /// Their memories are made shorter, or forget.
    Reminded(MemoryAct),
    /// Their memories keep a statement.
    Marked {
        /// The phase in which it is made.
        phase: PhaseName,
        /// Its public number in that phase.
        statement: Number,
    },
}

impl Intervention {
    /// The words that seats are told, where they are told any.
    pub fn text(&self) -> Option<&String> {
        match &self.deed {
            Deed::Told(text) => Some(text),
            Deed::Reminded(_) | Deed::Marked { .. } => None,
        }
    }
}

/// What answers for a seat.
#[derive(Debug, Clone, serde::Serialize)]
pub enum Sitter {
    /// A simulated agent; recomputed on replay.
    Mind(Mind),
    /// A language model, as a position in the plan's `models`; recorded.
    Model(usize),
    /// A person at the terminal; recorded.
    Person(Person),
}

/// A named part of the agenda.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Phase {
    /// Its name, unique in the agenda.
    pub name: PhaseName,
    /// What happens in it.
    pub kind: PhaseKind,
}

/// What happens in a phase.
#[derive(Debug, Clone, serde::Serialize)]
pub enum PhaseKind {
    /// The facilitator says this to every seat.
    Brief {
        /// The words.
        text: String,
    },
    /// Every seat answers a straw poll, all at once.
    Ask {
        /// Where the poll stands.
        time: PollTime,
    },
    /// Every seat ranks the alternatives, all at once.
    Ranking,
    /// Every seat is tested on the mechanism's sample situation, all at once; who fails tries once more.
    Comprehension(Comprehension),
    /// Practice rounds, one for each of the mechanism's situations.
    Applications,
    /// Talk in rounds.
    Discussion(Discussion),
    /// Every seat votes once, all at once.
    Ballot,
    /// The mechanism pays what was decided.
    Settle,
}

/// A test of whether seats understood what the alternatives do.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Comprehension {
    /// The questions; at least one.
    pub questions: Arc<[TestQuestion]>,
    /// How many right answers are enough.
    pub pass_mark: u32,
    /// What follows from failing twice.
    pub failing: TestFailurePolicy,
}

/// What follows from failing a comprehension test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum TestFailurePolicy {
    /// It is recorded.
    Recorded,
    /// The seat is asked nothing more and has no vote.
    Excludes,
}

/// How the seats talk.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Discussion {
    /// Rounds at the most; a discussion of no rounds is left out of the agenda.
    pub rounds: NonZeroU32,
    /// Who speaks when.
    pub order: SpeakingOrder,
    /// The least length of a statement, in Unicode scalar values.
    pub statement_min_length: u32,
    /// Whether a straw poll closes each round.
    pub poll_each_round: bool,
    /// Whether seats think privately before they speak, other than a seat that has a setting of its own.
    pub private_reasoning: bool,
    /// Whether all seats are told what the straw poll that closes a round came to.
    pub poll_told: bool,
    /// Whether all seats are told when [`COUNTDOWN`](super::COUNTDOWN) rounds remain.
    pub announce_end: bool,
    /// Whether statements may carry marks: proposals, reactions to them, decisions.
    pub proposals: bool,
    /// Whether, and on whose call, votes are held in the rounds; a decision ends the discussion.
    pub votes: RoundVotes,
    /// What follows when statements have become alike; `None` where nothing does.
    pub convergence: Option<Convergence>,
}

/// Votes within the rounds of a discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum RoundVotes {
    /// None.
    Never,
    /// One closes each round.
    EveryRound,
    /// One is held in a round in which a seat calls for it and all others agree; at most one a round.
    OnCall {
        /// The first round in which a vote may be called.
        rounds_min: u32,
        /// How seats are asked.
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
    /// Whether it may end because statements have become alike.
    pub fn stops_when_alike(&self) -> bool {
        self.convergence.is_some_and(|convergence| convergence.action == ConvergenceAction::Stop)
    }

    /// Whether a seat thinks privately before it speaks.
    pub fn has_private_reasoning(&self, seat: &Seat) -> bool {
        seat.private_reasoning.unwrap_or(self.private_reasoning)
    }

    /// Whether votes are held in its rounds.
    pub fn votes_in_rounds(&self) -> bool {
        self.votes != RoundVotes::Never
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
    /// Nobody: a round is what closes it, a straw poll or a vote.
    Nobody,
    /// Those who want to, the most urgent first and equals by seeded lot: before each round every seat is asked.
    Volunteer,
}

/// In which order the options of a ballot are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OptionOrder {
    /// The scenario's order.
    Fixed,
    /// By seeded lot for each question.
    Seeded,
    /// Rotated by one from seat to seat, from a seeded start.
    Latin,
}

impl PhaseKind {
    /// The kind's name in the minutes.
    pub fn name(&self) -> PhaseKindName {
        match self {
            PhaseKind::Brief { .. } => PhaseKindName::Brief,
            PhaseKind::Ask { .. } => PhaseKindName::Ask,
            PhaseKind::Ranking => PhaseKindName::Ranking,
            PhaseKind::Comprehension(_) => PhaseKindName::Comprehension,
            PhaseKind::Applications => PhaseKindName::Applications,
            PhaseKind::Discussion(_) => PhaseKindName::Discussion,
            PhaseKind::Ballot => PhaseKindName::Ballot,
            PhaseKind::Settle => PhaseKindName::Settle,
        }
    }
}

impl Plan {
    /// Whether no model and no person is asked anything, so that a session is recomputed and needs no call record.
    pub fn is_simulated(&self) -> bool {
        self.models_asked().next().is_none() && self.people_count() == 0
    }

    /// The seed of a session.
    pub fn session_seed(&self, replicate: u32) -> SessionSeed {
        let wave = self.wave.as_ref().map_or(1, |wave| wave.number);
        let item = self.item.as_ref().map(|item| item.id.as_str());
        wave_seed(self.seed, replicate, (self.pairing, self.drawn_as()), item, wave)
    }
}

/// What writes the texts that replace memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum SummaryModel {
    /// What answers for each seat.
    Seat,
    /// The rule by which simulated seats rewrite their memories.
    Rule,
    /// A language model, as a position in the plan's `models`.
    Model(usize),
}

/// Who answers at the terminal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Person {
    /// The name in the config, under `models`.
    pub name: String,
    /// A pseudonym of who types; not part of a session's identity.
    pub id: Option<String>,
}

impl Plan {
    /// How many seats people answer for.
    pub fn people_count(&self) -> usize {
        self.seats.iter().filter(|seat| matches!(seat.sitter, Sitter::Person(_))).count()
    }

    /// The models that are asked anything, as positions in the plan's `models`: those of seats in their order, then the one that
    /// writes for them.
    pub fn models_asked(&self) -> impl Iterator<Item = usize> {
        let of_seats = self.seats.iter().filter_map(|seat| match seat.sitter {
            Sitter::Model(place) => Some(place),
            Sitter::Mind(_) | Sitter::Person(_) => None,
        });
        let writes = match self.summary_model {
            SummaryModel::Model(place) => Some(place),
            SummaryModel::Seat | SummaryModel::Rule => None,
        };
        of_seats.chain(writes)
    }
}

impl Plan {
    /// What the arm's rule leaves open, as the author settled it; of what its rule does not need, what is usual.
    pub fn rule_terms(&self) -> CountTerms {
        let usual = CountTerms::default();
        CountTerms {
            strength: self.voting.strength,
            threshold: self.decision.threshold.unwrap_or(usual.threshold),
            agenda: self.electorate.agenda.iter().map(|id| id.index()).collect(),
            ..usual
        }
    }

    /// What seats are asked for when they vote.
    pub fn ballot_form(&self) -> BallotForm {
        self.voting.form
    }

    /// The ballot with the most words of those that say more than one choice; `None` where no ballot does.
    pub fn fullest_ballot(&self) -> Option<Voted> {
        let names = || self.motion.alternatives.iter().map(|alternative| alternative.name.clone());
        Some(Voted::Over(match self.voting.form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => Ballot::Approval(names().collect()),
            BallotForm::Ranking { .. } => Ballot::Ranking(names().map(|name| vec![name]).collect()),
            BallotForm::Score { max } => {
                Ballot::Score(names().map(|alternative| Scored { alternative, score: max }).collect())
            }
        }))
    }
}
