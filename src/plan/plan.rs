//! The plan of an arm's sessions: complete, checked, and shared by all replicates.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;

use super::{
    BlockSpan, DeclaredRole, Electorate, Evidence, Fork, FormPlan, HandOut, Item, ItemsFile, Limits, Lint, Network,
    NullArm, OpenAiModel, Phase, QuestionTemplates, SourceIndex, Variable, Voting,
};
use crate::analysis::statistics::Unit;
use crate::chance::{Pairing, session_seed};
use crate::choice::DecisionRule;
use crate::domain::{
    Agent, Before, Choice, Digest, ImportedNotes, Links, MatchUnit, MemoryAct, Moment, Motion, Number, PhaseName,
    Query, Reply, SeatId, SeatName, Step, Voice,
};
use crate::expression::Value;
use crate::mechanism::IncomePrinciples;
use crate::memory::MemoryPlan;
use crate::minds::Mind;
use crate::prompt::{Pack, Parameter};

/// The maximum number of attempts at the comprehension test.
pub const TEST_TRIES: u32 = 2;
/// The number of remaining rounds, including the one that starts, at which the end is announced.
pub const COUNTDOWN: u32 = 2;

/// A change to one answer of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The seat that answers.
    pub seat: SeatName,
    /// The phase of the answer.
    pub phase: PhaseName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The step of the answer.
    pub step: Step,
    /// The answer that replaces the seat's own.
    pub answer: ChangedAnswer,
}

/// An answer that replaces a seat's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedAnswer {
    /// What the seat says.
    Reply(Reply),
    /// The fields of its question, which are known when the question is.
    Fields(serde_json::Map<String, serde_json::Value>),
}

/// Experimental controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Controls {
    /// Whether seats see each other as `Participant 1`, `Participant 2`, ….
    pub anonymous: bool,
    /// The order in which options are shown.
    pub option_order: OptionOrder,
    /// Whether each seat is asked at the end if it recognises the experiment.
    pub recognition_probe: bool,
}

/// The settings of a factor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactorSettings {
    /// The factor's name.
    pub factor: String,
    /// The settings in which its levels differ, in written order.
    pub settings: Vec<FactorSetting>,
}

/// A setting in which the levels of a factor differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactorSetting {
    /// Its dotted key.
    pub key: String,
    /// The label of each level and its value on one line; `None` if the level keeps the value of the config.
    pub levels: Vec<(String, Option<String>)>,
}

/// The arm that lends its statements.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LendingArm {
    /// The arm's name.
    pub name: String,
    /// Whether its sessions are recomputed.
    pub is_simulated: bool,
    /// The factors, except those that set the policy, in which its level differs from the borrowing arm's.
    pub apart_in: Vec<String>,
}

/// The arm to whose sessions votes are matched.
#[derive(Debug, Clone, serde::Serialize)]
pub struct MatchedArm {
    /// The matched quantity.
    pub unit: MatchUnit,
    /// Its plan, without an item.
    #[serde(skip)]
    pub plan: Arc<Plan>,
}

impl Plan {
    /// The links of a replicate, shared by all arms; `None` if every seat hears every other.
    pub fn links(&self, replicate: u32) -> Option<Links> {
        let seed = session_seed(self.seed, self.drawn_replicate(replicate), Pairing::CommonRandomNumbers, "");
        self.network.links(self.seats.len(), &seed)
    }

    /// The links of a replicate in the talk at each place that has a network of its own. Networks with the same settings have the same
    /// links in all talks.
    pub fn talk_links(&self, replicate: u32) -> BTreeMap<usize, Links> {
        let seed = session_seed(self.seed, self.drawn_replicate(replicate), Pairing::CommonRandomNumbers, "");
        let seats = self.seats.len();
        let own = self.agenda.iter().enumerate().filter_map(|(place, phase)| Some((place, phase.kind.own_network()?)));
        own.map(|(place, network)| (place, network.links(seats, &seed).unwrap_or_else(|| Links::complete(seats))))
            .collect()
    }

    /// The name of the arm whose draws its sessions use; a null uses those of its arm.
    pub fn drawn_as(&self) -> &str {
        self.null.as_ref().map_or(&self.arm, |null| &null.of)
    }
}

/// The notes of an arm's seats.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NotesPlan {
    /// The maximum number of lines of notes shown to a seat.
    pub lines: u32,
    /// Whether seats take notes at the end of a session, for the next.
    pub are_taken: bool,
    /// The other experiment's notes with which seats start, in the order of the seats; `None` if they start without.
    pub imported: Option<ImportedNotes>,
}

/// A session's place in its panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wave {
    /// Its number, from 1.
    pub number: u32,
    /// The outcome of the previous session; `None` in the first session, and in a plan before the previous session is over.
    pub before: Option<Arc<Before>>,
}

impl Seat {
    /// The name of its role as expressions read it; missing without a role.
    pub fn role_value(&self) -> Value {
        self.part.as_ref().map_or(Value::Missing, |role| Value::Text(role.name.as_str().into()))
    }

    /// Whether it is asked for a name: its config allows it, and it is a model, a person, or a script with a line for a name.
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
    /// A parameter as expressions read it; `None` if the scenario has no such parameter, or expressions cannot read it.
    pub fn parameter_value(&self, name: &str) -> Option<Value> {
        self.parameters.iter().find(|(own, _)| own == name)?.1.expression_value()
    }

    /// The mechanism that pays for decisions, if there is one.
    pub fn income_principles(&self) -> Option<&Arc<IncomePrinciples>> {
        self.mechanism.as_ref()
    }
}

/// An experiment: its arms and the number of replicates.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Experiment {
    /// Its name, which is also the name of the results folder.
    pub name: String,
    /// The names of the factors, in the author's order.
    pub factors: Vec<String>,
    /// The number of replicates of each arm.
    pub replicates: u32,
    /// The number of sessions in which the agents of a replicate meet; `None` without a panel.
    pub waves: Option<u32>,
    /// One plan per arm, in the order of the design.
    #[serde(skip)]
    pub arms: Vec<Arc<Plan>>,
    /// The items by id, in the file's order; each session has one. Empty in an experiment without items.
    #[serde(skip)]
    pub items: IndexMap<String, Arc<Item>>,
    /// The file of the items; `None` in an experiment without items.
    pub items_file: Option<ItemsFile>,
    /// The arm that the others are compared with; `None` if the config names none.
    pub baseline: Option<String>,
    /// The primary comparison; `None` if the config has none.
    pub primary: Option<PrimaryComparison>,
    /// Limits on its calls.
    #[serde(skip)]
    pub limits: Limits,
    /// The warnings of `check` that the author allows.
    #[serde(skip)]
    pub allow: Vec<Lint>,
}

/// The primary comparison, announced before the run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PrimaryComparison {
    /// The columns of `sessions.csv` to compare, at least one; together they are one family of tests.
    pub metrics: Vec<String>,
    /// The factor whose levels are compared with the baseline's, or two with a colon for their interaction; `None` for every arm.
    pub contrast: Option<String>,
    /// The correction for several contrasts.
    pub correction: Correction,
    /// The unit of independent observations.
    pub unit: Unit,
    /// The planned number of replicates of each arm; `None` for that of the first run.
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

/// A level of a factor.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Level {
    /// The factor's name.
    pub factor: String,
    /// The label, `[A-Za-z0-9_]+`.
    pub label: String,
    /// Dotted keys and values of the level, as written.
    pub sets: Vec<(String, String)>,
}

/// The checked, complete plan of an arm's sessions with one item.
///
/// It dereferences to the part that all sessions of the arm share.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The item; `None` in an experiment without items.
    pub item: Option<Arc<Item>>,
    /// The digest of the session's own resolved plan.
    pub digest: Digest,
    /// The motion to decide.
    pub motion: Arc<Motion>,
    /// The phases in order; names are unique.
    pub agenda: Vec<Phase>,
    /// The blocks of phases, an outer one before those within it.
    pub blocks: Vec<BlockSpan>,
    /// The variables, in the order in which they are declared or first computed.
    pub variables: Arc<[Variable]>,
    /// Where the agenda sets what expressions read.
    pub sources: Arc<SourceIndex>,
    /// Its place in its panel; `None` in an experiment without panels, and in the plan of an arm.
    pub wave: Option<Wave>,
    /// What makes its sessions forks of another one; `None` for other sessions, and for forks that change settings or an answer of
    /// one session from the beginning, or only an answer.
    pub fork: Option<Arc<Fork>>,
    /// The plan in each other language of a seat; only motion, prompts, forms and the minimum length of statements are used.
    pub translations: Vec<Arc<Plan>>,
    /// The part that all sessions of the arm share.
    pub shared: Arc<ArmPlan>,
}

impl Plan {
    /// The motion in the seat's language.
    ///
    /// # Panics
    /// If the plan has no such seat.
    pub fn motion_for(&self, seat: SeatId) -> &Arc<Motion> {
        &self.translation_for(seat).motion
    }

    /// The prompts in the seat's language.
    ///
    /// # Panics
    /// If the plan has no such seat.
    pub fn prompts_for(&self, seat: SeatId) -> &Pack {
        &self.translation_for(seat).prompts
    }

    /// The form of the phase at this position in the seat's language.
    ///
    /// # Panics
    /// If the plan has no such seat, or no form there.
    pub fn form_for(&self, seat: SeatId, place: usize) -> &Arc<FormPlan> {
        self.translation_for(seat).agenda[place].kind.as_form().expect("invariant: a form belongs to its phase")
    }

    /// The minimum length of a seat's statements in the discussion at this position, in characters of the seat's language.
    ///
    /// # Panics
    /// If the plan has no such seat, or no discussion there.
    pub fn statement_min_length(&self, seat: SeatId, place: usize) -> u32 {
        let talk = self.translation_for(seat).agenda[place].kind.as_discussion();
        talk.expect("invariant: statements belong to discussions").statement_min_length
    }

    fn translation_for(&self, seat: SeatId) -> &Plan {
        let own = self.seats[seat.index()].language.as_deref();
        let own = own.and_then(|own| self.translations.iter().find(|other| other.language == own));
        own.map_or(self, |own| own)
    }

    /// What a seat is asked about at a moment, in its language: the motion, or in a vote what the vote is about.
    ///
    /// # Panics
    /// If the plan has no such seat.
    pub fn motion_at(&self, seat: SeatId, at: &Moment) -> &Arc<Motion> {
        let plan = self.translation_for(seat);
        plan.own_vote_at(at).and_then(|vote| vote.motion.as_ref()).unwrap_or(&plan.motion)
    }

    /// What a question is about: as at its moment, or the options that were found when its vote opened.
    pub fn motion_asked<'q>(&'q self, query: &'q Query<'_>) -> &'q Arc<Motion> {
        query.motion.as_ref().unwrap_or_else(|| self.motion_at(query.seat, &query.id.at))
    }
}

impl std::ops::Deref for Plan {
    type Target = ArmPlan;

    fn deref(&self) -> &ArmPlan {
        &self.shared
    }
}

/// The part of a plan that all sessions of an arm share, whatever their item.
#[derive(Debug, Clone, serde::Serialize)]
pub struct ArmPlan {
    /// The experiment's name.
    pub experiment: String,
    /// The arm's name: its level labels joined by `-`, or `baseline`.
    pub arm: String,
    /// `None` unless the arm is a null.
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
    /// The texts that print an item's question; `None` in an experiment without items.
    pub questions: Option<QuestionTemplates>,
    /// The seats in the author's order; at least one.
    pub seats: Vec<Seat>,
    /// The roles that the scenario declares, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Arc<DeclaredRole>>,
    /// Which seats hear which.
    pub network: Network,
    /// The rule that turns ballots into a decision, unless a vote of the agenda has its own.
    pub decision: DecisionRule,
    /// The form of ballots, and the strength of wins, unless a vote of the agenda has its own.
    pub voting: Voting,
    /// Weights, quorum, the chair, and the order of pairwise votes, unless a vote of the agenda has its own.
    pub electorate: Electorate,
    /// Whether all seats hear who voted for what once ballots are counted, unless a vote of the agenda says otherwise.
    pub roll_call: bool,
    /// Whether models and people are asked for an opinion with each statement and straw poll; requires two alternatives.
    pub asks_opinion: bool,
    /// The imposed decision; `None` if the group votes.
    pub imposed: Option<Choice>,
    /// Names and the order of options.
    pub controls: Controls,
    /// The content and policy of memories.
    pub memory: MemoryPlan,
    /// The arm whose statements seats are shown; `None` if they hear their own group.
    pub lender: Option<LendingArm>,
    /// The arm to whose sessions the votes are matched; `None` if votes are held once.
    pub matched: Option<MatchedArm>,
    /// The notes of the seats; `None` if none are taken or brought.
    pub notes: Option<NotesPlan>,
    /// What summaries should preserve; shown to the seat that writes them.
    pub memory_focus: Option<Arc<str>>,
    /// The writer of summaries.
    pub summary_model: SummaryModel,
    /// Events outside the agenda, in the author's order.
    pub interventions: Vec<Intervention>,
    /// The evidence documents and their recipients, in the author's order.
    pub exhibits: Vec<HandOut>,
    /// The evidence of the case; `None` if the scenario has none.
    pub evidence: Option<Arc<Evidence>>,
    /// The relative error within which an amount is correct, in parts per million.
    pub correct_within_ppm: u32,
    /// The mechanism that turns decisions into pay, if there is one.
    pub mechanism: Option<Arc<IncomePrinciples>>,
    /// The pools from which personas are drawn.
    #[serde(skip)]
    pub pools: Vec<PersonaPool>,
    /// The scenario's parameters as templates read them, in the scenario's order.
    pub parameters: Vec<(String, Parameter)>,
    /// The maximum number of tries for a question; at least 1.
    pub tries_max: u8,
    /// The name of the prompt variant; `scenario` for the scenario's own prompts.
    pub wording: String,
    /// The prompts in the plan's language.
    #[serde(skip)]
    pub prompts: Pack,
    /// The models that seats refer to.
    pub models: Vec<OpenAiModel>,
}

/// A seat at the table.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Seat {
    /// Its unique name.
    pub name: SeatName,
    /// Whether the config lets it choose its public name; see [`Seat::chooses_name`].
    pub is_self_named: bool,
    /// Its agent; [`Plan::agents`] adds a drawn persona.
    pub agent: Agent,
    /// The position of its persona pool in `pools`; `None` if the persona is fixed.
    pub pool: Option<usize>,
    /// Whether it deliberates or manipulates.
    pub role: SeatRole,
    /// Its role; `None` if the scenario declares none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Arc<DeclaredRole>>,
    /// The name of its model in the config.
    pub model: String,
    /// Its respondent.
    pub sitter: Sitter,
    /// The memory plan with the seat's own limits.
    pub memory: MemoryPlan,
    /// Whether it thinks privately before it speaks; `None` if the discussion's setting applies.
    pub private_reasoning: Option<bool>,
    /// The language of its questions and replies; `None` for the session's language.
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

/// A pool of personas, drawn without replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaPool {
    /// Its name in the config.
    pub name: String,
    /// The names of the personas' attributes, in the file's order.
    pub attributes: Vec<String>,
    /// The personas, in the file's order; at least as many as seats draw from the pool.
    pub personas: Vec<Persona>,
    /// The position of each persona's stratum, numbered from 0 in the file's order; empty without strata.
    pub strata: Vec<usize>,
}

/// A persona of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    /// Its id, unique in the pool.
    pub id: String,
    /// The description of the person.
    pub text: String,
    /// One value per attribute of the pool; empty for an empty cell.
    pub attributes: Vec<String>,
}

/// An event at a moment that the author chose.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Intervention {
    /// The phase in which it happens.
    pub phase: PhaseName,
    /// The round at whose start it happens; 0 is the phase's opening.
    pub round: u32,
    /// The seats it concerns; empty for every seat.
    pub to: Vec<SeatName>,
    /// Whether it concerns the seats that take part in the phase, whoever they are then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_for_participants: bool,
    /// The voice of the message.
    pub by: Voice,
    /// Its effect.
    pub deed: Deed,
}

/// The effect of an intervention.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum Deed {
    /// Seats get this message.
    Told(String),
    /// Memories are shortened, or forget.
    Reminded(MemoryAct),
    /// Memories keep a statement.
    Marked {
        /// The phase of the statement.
        phase: PhaseName,
        /// Its public number in that phase.
        statement: Number,
    },
}

impl Intervention {
    /// Whether it takes place in a phase; of a phase in groups it does in each of them.
    pub fn is_in(&self, phase: &Phase) -> bool {
        self.phase.as_str() == phase.name.occurrence()
    }

    /// Whether it is for a seat, if that is there.
    pub fn is_for(&self, seat: &SeatName) -> bool {
        self.to.is_empty() || self.to.contains(seat)
    }

    /// The message to seats, if there is one.
    pub fn text(&self) -> Option<&String> {
        match &self.deed {
            Deed::Told(text) => Some(text),
            Deed::Reminded(_) | Deed::Marked { .. } => None,
        }
    }
}

/// The respondent of a seat.
#[derive(Debug, Clone, serde::Serialize)]
pub enum Sitter {
    /// A simulated agent; recomputed on replay.
    Mind(Mind),
    /// A language model, as a position in the plan's `models`; recorded.
    Model(usize),
    /// A person at the terminal; recorded.
    Person(Person),
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

/// The writer of summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum SummaryModel {
    /// Each seat's own respondent.
    Seat,
    /// The rule by which simulated seats rewrite their memories.
    Rule,
    /// A language model, as a position in the plan's `models`.
    Model(usize),
}

/// A person who answers at the terminal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Person {
    /// The name in the config, under `models`.
    pub name: String,
    /// The person's pseudonym; not part of a session's identity.
    pub id: Option<String>,
}

impl Plan {
    /// Whether no model and no person is asked, so that a replay recomputes the session without a call record.
    pub fn is_simulated(&self) -> bool {
        self.models_asked().next().is_none() && self.people_count() == 0 && self.is_simulated_after()
    }

    /// The number of seats for which people answer.
    pub fn people_count(&self) -> usize {
        self.seats.iter().filter(|seat| matches!(seat.sitter, Sitter::Person(_))).count()
    }

    /// The models that are asked, as positions in `models`: those of seats in their order, then the writer of summaries.
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
