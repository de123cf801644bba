//! The facts that the fold of a session needs besides its records: names, levels, phases. `store` fills them from a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analysis::layout::ColumnLayout;
use crate::analysis::measures::ConvergenceProfile;
use crate::analysis::purpose::ChoicePurpose;
use crate::choice::ranked::DefeatStrength as Win;
use crate::domain::{
    AlternativeName, BallotForm, Base, Decimal, Digest, FieldValue, Measure, Moment, OpenBallots, Opinion,
    PhaseKindName, PhaseName, PollTime, SeatName, Step, Tariff, Truth, spelled,
};
use crate::mechanism::{IncomePrinciples, amount_unit};
use crate::memory::{Routing, Strategy};

/// Facts that all sessions of an arm share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmFacts {
    /// The experiment's name.
    pub experiment: String,
    /// The arm's name.
    pub arm: String,
    /// Factors and their labels, in factor order.
    pub levels: Vec<(String, String)>,
    /// The digest of the session's plan.
    pub plan_digest: Digest,
    /// How reproducible a session is.
    pub determinism: Determinism,
    /// The language of the prompts.
    pub language: String,
    /// The variant of the prompts.
    pub wording: String,
    /// The digest of the prompts.
    pub prompts_digest: Digest,
    /// The seats, in the plan's order.
    pub seats: Vec<SeatFacts>,
    /// The seats since a fork changed who answers; `None` for other sessions.
    pub later: Option<Box<LaterSeats>>,
    /// The pools from which personas are drawn.
    pub pools: Vec<PoolFacts>,
    /// The alternatives, in the scenario's order.
    pub alternatives: Vec<AlternativeName>,
    /// The labels of the alternatives.
    pub labels: Vec<String>,
    /// Whether each alternative takes an amount.
    pub takes_amount: Vec<bool>,
    /// The measure of the strength of a pairwise win.
    pub strength: Win,
    /// The unit of amounts; `None` if the scenario names none.
    pub unit: Option<String>,
    /// The least and the greatest admissible amount; `None` if no amount may be named.
    pub amounts: Option<[u32; 2]>,
    /// The tolerance of a right amount, relative to it, in parts per million.
    pub correct_within_ppm: u32,
    /// The phases, in the agenda's order.
    pub phases: Vec<PhaseFacts>,
    /// The part of the agenda to which each phase in a group belongs, by its position among those that take place side by side.
    pub regions: BTreeMap<PhaseName, usize>,
    /// The memory policy.
    pub memory: MemoryFacts,
    /// The measurement of convergence and its effect.
    pub convergence: ConvergenceFacts,
    /// The mechanism that pays; `None` if nothing is paid.
    pub mechanism: Option<Arc<IncomePrinciples>>,
    /// The values of variables before they are computed, by name; of a variable of seats that of each seat. None if it is missing.
    pub starts: BTreeMap<String, Vec<Option<FieldValue>>>,
    /// The experiment's open columns.
    pub layout: Arc<ColumnLayout>,
    /// The columns of the table of sessions whose numbers are those last answered or last set in a repeated block.
    pub repeated_columns: BTreeSet<String>,
}

impl ArmFacts {
    /// The unit of amounts, from the scenario or its mechanism; `None` if neither names one.
    pub fn amount_unit(&self) -> Option<&str> {
        amount_unit(self.unit.as_deref(), self.mechanism.as_deref())
    }

    /// Whether comparing alternatives says something: where an amount alone is decided, there is one.
    pub fn offers_choice(&self) -> bool {
        self.alternatives.len() != 1
    }

    /// The facts about a phase; `None` for an unknown one.
    pub fn find_phase(&self, name: &PhaseName) -> Option<&PhaseFacts> {
        self.phases.iter().find(|phase| phase.name == *name)
    }
}

/// Facts about a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatFacts {
    /// Its name.
    pub name: SeatName,
    /// The respondent of the seat.
    pub answers_by: AnswersBy,
    /// Its role: one that the scenario declares, or `member` or `manipulator`.
    pub role: String,
    /// Whether it speaks in discussions.
    pub speaks: bool,
    /// Its model's name in the config.
    pub model: String,
    /// Its mind's name; `None` if a language model answers.
    pub mind: Option<String>,
    /// The prices of its model; `None` if unknown or if a mind answers.
    pub tariff: Option<Tariff>,
    /// The pool of its persona, as an index in the arm's pools.
    pub pool: Option<usize>,
    /// The weight of its ballot.
    pub weight: u32,
    /// The language of its questions and answers.
    pub language: String,
}

/// Facts about a pool of personas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolFacts {
    /// The attributes' names.
    pub attributes: Vec<String>,
    /// Each persona's values by its id, one per attribute; empty if its file gives none.
    pub personas: BTreeMap<String, Vec<String>>,
}

/// Facts about memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFacts {
    /// The policy's name.
    pub policy: String,
    /// The events that are appended without a call.
    pub kept: MemoryIntake,
    /// The writer of texts that replace memories; `None` if each seat writes its own.
    pub written_by: Option<AnswersBy>,
    /// The writer's prices; `None` if unknown, if a rule writes, or if each seat writes its own.
    pub tariff: Option<Tariff>,
}

/// The events that a memory policy appends without a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryIntake {
    /// Nothing.
    Nothing,
    /// Everything that the routing does not skip.
    AsItComes(Routing),
    /// Events that the routing sends directly.
    Routed(Routing),
}

/// The seats since a fork changed who answers, or at which price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaterSeats {
    /// The seat that changed, by index; `None` for all.
    pub seat: Option<usize>,
    /// The number of the phase in which they change, from 1; 0 for before the first, and one more than there are for after the last.
    pub place: usize,
    /// The round.
    pub round: u32,
    /// The step; `None` for from the beginning of the phase or round on.
    pub step: Option<Step>,
    /// The seats, in the plan's order.
    pub seats: Vec<SeatFacts>,
    /// The memory policy.
    pub memory: MemoryFacts,
}

impl LaterSeats {
    /// Whether they hold for a seat at a moment.
    fn hold_for(&self, seat: usize, at: &Moment, phases: &[PhaseFacts]) -> bool {
        // In a round, the poll comes before the vote.
        let rank =
            |step: Step| if step == Step::StrawPoll { (Step::Statement as usize, 1) } else { (step as usize, 0) };
        let place = match phases.iter().position(|phase| phase.name.occurrence() == at.phase.occurrence()) {
            Some(place) => place + 1,
            None if at.step == Step::Naming => 0,
            None => phases.len() + 1,
        };
        let then = (self.place, self.round, self.step.map(rank));
        self.seat.is_none_or(|own| own == seat) && (place, at.round, Some(rank(at.step))) >= then
    }
}

impl ArmFacts {
    /// A seat, given by index, and the memory policy at a moment.
    fn seat_at(&self, seat: usize, at: &Moment) -> (&SeatFacts, &MemoryFacts) {
        match self.later.as_deref().filter(|later| later.hold_for(seat, at, &self.phases)) {
            Some(later) => (&later.seats[seat], &later.memory),
            None => (&self.seats[seat], &self.memory),
        }
    }

    /// The respondent of a seat, given by index, at a moment.
    pub fn answers_by(&self, seat: usize, at: &Moment) -> AnswersBy {
        let (seat, memory) = self.seat_at(seat, at);
        match at.step {
            Step::Integration | Step::Compression => memory.written_by.unwrap_or(seat.answers_by),
            _ => seat.answers_by,
        }
    }

    /// The prices of a seat's answers at a moment; `None` if unknown.
    pub fn seat_tariff(&self, seat: usize, at: &Moment) -> Option<Tariff> {
        let (seat, memory) = self.seat_at(seat, at);
        match at.step {
            Step::Integration | Step::Compression if memory.written_by.is_some() => memory.tariff,
            _ => seat.tariff,
        }
    }
}

impl MemoryFacts {
    /// Whether a kind of event is appended to memories without a call, in a phase that says how it is remembered.
    pub fn is_direct(&self, remember: Option<Strategy>, route: impl Fn(&Routing) -> Strategy) -> bool {
        match &self.kept {
            MemoryIntake::Nothing => false,
            MemoryIntake::AsItComes(routing) => route(routing) != Strategy::Skip,
            MemoryIntake::Routed(routing) => route(&routing.in_phase(remember)) == Strategy::Direct,
        }
    }
}

/// The respondent of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswersBy {
    /// A simulated agent. Its answers are not calls.
    Mind,
    /// A language model. Each answer is one call.
    Model,
    /// A person at the terminal. The answers are recorded and are not calls.
    Person,
}

/// Facts about a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseFacts {
    /// Its name.
    pub name: PhaseName,
    /// Its kind.
    pub kind: PhaseKindName,
    /// The time of its straw poll, or of the form that counts like one; `None` if it is neither.
    pub poll: Option<PollTime>,
    /// The maximum number of rounds; 0 for a phase without rounds.
    pub rounds_max: u32,
    /// The passes in which it takes place.
    pub passes: PassNumbers,
    /// When votes are held.
    pub votes: PhaseVotes,
    /// The effect of failing its test; `Stays` in other phases.
    pub on_failing: OnFailing,
    /// Whether marks are read from its statements.
    pub marks: MarksRead,
    /// The ids of the fields of its form; empty if it asks none.
    pub fields: Vec<String>,
    /// The right answers to them, by their ids.
    pub keys: Vec<(String, FieldValue)>,
    /// What they measure about the motion, by their ids, with the least and the greatest number.
    pub measures: Vec<(String, Measure, [Decimal; 2])>,
    /// What its form is about.
    pub about: FormAbout,
    /// The terms of its votes; `None` if none are held.
    pub vote: Option<VoteFacts>,
    /// How memories take what it brings; `None` for as the routing says.
    pub remember: Option<Strategy>,
}

impl PhaseFacts {
    /// The number of the group in which it takes place; `None` outside groups.
    pub fn group_number(&self) -> Option<u32> {
        self.name.group().and_then(|number| number.parse().ok())
    }

    /// Whether its form measures a choice, of the alternative or of the amount.
    pub fn measures_choice(&self, alternatives: usize) -> bool {
        self.measures.iter().any(|(_, measure, _)| *measure == Measure::Stance || alternatives == 1)
    }

    /// The field of its form that measures something, if it counts like a straw poll.
    pub fn find_measure(&self, wanted: Measure) -> Option<&str> {
        let counted = self.measures.iter().filter(|_| self.poll.is_some());
        counted.filter(|(_, measure, _)| *measure == wanted).map(|(field, ..)| field.as_str()).next_back()
    }
}

/// The passes of the blocks around a phase, outermost first. A block for seats is left out: its seats answer in turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassNumbers {
    /// Those of the blocks that go on for all groups.
    pub outside: Vec<u32>,
    /// Those of the blocks that each group goes through alone.
    pub within: Vec<u32>,
}

/// Facts about the votes of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoteFacts {
    /// The options of the vote's own; `None` if it is over the alternatives.
    pub options: Option<Vec<AlternativeName>>,
    /// Which results it can have.
    pub results: VoteResults,
    /// The form of ballots.
    pub ballot: BallotForm,
    /// The base of shares.
    pub base: Base,
    /// The greatest difference between amounts that count as one.
    pub amount_tolerance: u32,
    /// The weight of each seat's ballot; empty if every ballot counts once.
    pub weights: Vec<u32>,
    /// Whether something follows from it.
    pub force: VoteForce,
    /// Who hears what of it.
    pub heard: VoteHeard,
}

/// Which results a vote can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteResults {
    /// Its options.
    Options,
    /// Those of its options that there are when it is held, or several of them joined by `+`.
    Open,
    /// Letters of its options, which name other texts in each session, or several of them joined by `+`.
    Texts,
}

/// What follows from a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteForce {
    /// Nothing.
    NonBinding,
    /// A decision, which is not the result of the session.
    Binding,
    /// The result of the session.
    Deciding,
}

/// What all seats hear of a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoteHeard {
    /// Whether they hear the result.
    pub result: bool,
    /// When they hear each other's ballots.
    pub ballots: OpenBallots,
}

impl VoteFacts {
    /// The weight of a seat's ballot.
    pub fn weight(&self, seat: usize) -> u32 {
        self.weights.get(seat).copied().unwrap_or(1)
    }
}

/// What a form is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormAbout {
    /// Whoever is asked.
    #[default]
    Oneself,
    /// Each of several seats.
    Seats,
}

/// Whether marks are read from the statements of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarksRead {
    /// Marks are read.
    Yes,
    /// Marks are not read, or there are no statements.
    No,
}

/// The effect of failing the test of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailing {
    /// The seat continues.
    Stays,
    /// The seat gets no more questions, has no vote and is not paid.
    IsExcluded,
}

/// When votes are held in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseVotes {
    /// Never.
    None,
    /// Once, outside rounds.
    Once,
    /// At the end of each round; a decision ends the talk.
    EachRound,
    /// In a round in which a seat calls for a vote and all others agree; a decision ends the talk.
    OnCall,
}

/// How reproducible a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Determinism {
    /// All seats are simulated: a rerun gives equal bytes on any machine.
    Recomputed,
    /// A rerun from the recorded model calls gives equal bytes.
    Recorded,
}

/// One session of an arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    /// Its arm.
    pub arm: Arc<ArmFacts>,
    /// The replicate, from 1.
    pub replicate: u32,
    /// The replicate that its first record names: that whose draws it has.
    pub drawn_replicate: u32,
    /// Its folder's name.
    pub session: String,
    /// Its item; `None` in an experiment without items.
    pub item: Option<ItemFacts>,
    /// Its panel's name and its position in it, from 1; `None` in an experiment without panels.
    pub panel: Option<(String, u32)>,
}

/// The right answer of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RightAnswer {
    /// An alternative is right.
    Alternative(AlternativeName),
    /// Every amount between these two, both included, if the session decides an amount alone.
    Amount {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
}

impl RightAnswer {
    /// The amounts that differ from the right one by at most `within_ppm` millionths of it.
    pub fn from_amount(amount: u32, within_ppm: u32) -> Self {
        let amount = u64::from(amount);
        let reach = amount * u64::from(within_ppm) / 1_000_000;
        RightAnswer::Amount { least: amount - reach.min(amount), greatest: amount + reach }
    }

    /// Whether an answer is right; `None` if an amount is right and none was named.
    pub fn accepts_answer(&self, alternative: &AlternativeName, amount: Option<u32>) -> Option<bool> {
        match self {
            RightAnswer::Alternative(right) => Some(alternative == right),
            RightAnswer::Amount { least, greatest } => Some((*least..=*greatest).contains(&u64::from(amount?))),
        }
    }
}

/// Facts about an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemFacts {
    /// Its id.
    pub id: String,
    /// The question.
    pub text: String,
    /// The right alternative or amount; `None` if unknown.
    pub key: Option<Truth>,
    /// The wrong alternatives that it names for scripts; empty if it names none or the right one is unknown.
    pub misleading: Vec<AlternativeName>,
    /// Whether its own options replace the scenario's alternatives.
    pub has_options: bool,
    /// Whether it sets the admissible amounts and their unit.
    pub has_amounts: bool,
}

/// The measurement of convergence and its effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConvergenceFacts {
    /// The weights of the components.
    pub profile: ConvergenceProfile,
    /// The threshold in millionths, and the effect of a round that reaches it; `None` without an effect.
    pub asked: Option<(u32, ConvergenceEffect)>,
}

/// The effect of convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvergenceEffect {
    /// The talk ends.
    Ends,
    /// The convergence is reported.
    Told,
    /// No effect.
    Nothing,
}

impl ArmFacts {
    /// The results that a session can have, as far as they are known before: the options of the vote that its result comes from.
    pub fn decided_options(&self) -> &[AlternativeName] {
        let votes = self.phases.iter().filter_map(|phase| phase.vote.as_ref());
        let mut deciding = votes.filter(|vote| vote.force == VoteForce::Deciding);
        match deciding.clone().find(|vote| vote.results != VoteResults::Options) {
            Some(_) => &[],
            None => deciding.find_map(|vote| vote.options.as_deref()).unwrap_or(&self.alternatives),
        }
    }

    /// Whether the result is the letter of a text, so that it differs in meaning between sessions.
    pub fn decides_on_texts(&self) -> bool {
        let mut votes = self.phases.iter().filter_map(|phase| phase.vote.as_ref());
        votes.any(|vote| vote.force == VoteForce::Deciding && vote.results == VoteResults::Texts)
    }

    /// The name of the form of a choice; `vote` is what is known of the votes of its phase.
    pub fn form_name(&self, purpose: ChoicePurpose, vote: Option<&VoteFacts>) -> &'static str {
        match (purpose, vote) {
            (ChoicePurpose::Ranking, _) => "ranking",
            (ChoicePurpose::Vote, Some(vote)) => vote.ballot.as_str(),
            _ if self.alternatives.len() == 1 => "amount",
            _ => "choice",
        }
    }

    /// The position of an amount between the least and the greatest, in billionths, rounded half up; `None` unless an amount
    /// alone is decided.
    pub fn scale_amount(&self, amount: u32) -> Option<u32> {
        let [least, greatest] = self.amounts.filter(|_| self.alternatives.len() == 1)?.map(u64::from);
        let (above, range) = (u64::from(amount).checked_sub(least)?, greatest.checked_sub(least)?);
        let billionths = (above * u64::from(Opinion::ONE) + range / 2).checked_div(range)?;
        u32::try_from(billionths).ok().filter(|billionths| *billionths <= Opinion::ONE)
    }

    /// The maximum number of rounds of talk, over all phases. Rounds of groups side by side are the same rounds.
    pub fn rounds_max(&self) -> u32 {
        let mut longest: BTreeMap<&str, u32> = BTreeMap::new();
        for phase in &self.phases {
            let rounds = longest.entry(phase.name.occurrence()).or_default();
            *rounds = phase.rounds_max.max(*rounds);
        }
        longest.values().sum()
    }

    /// Whether the agenda holds a comprehension test.
    pub fn has_test(&self) -> bool {
        self.phases.iter().any(|phase| phase.kind == PhaseKindName::Comprehension)
    }

    /// Whether a decision can end the talk before its last round, so that the time to a decision is meaningful.
    pub fn decides_in_rounds(&self) -> bool {
        let decides = |phase: &PhaseFacts| phase.vote.as_ref().is_some_and(|vote| vote.force == VoteForce::Deciding);
        let in_rounds = |phase: &PhaseFacts| matches!(phase.votes, PhaseVotes::EachRound | PhaseVotes::OnCall);
        self.phases.iter().any(|phase| in_rounds(phase) && decides(phase))
    }
}

spelled!(Determinism);
