//! What the fold of a session must know beside its records: names, levels, phases. Filled from a plan elsewhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::analysis::layout::ColumnLayout;
use crate::analysis::measures::ConvergenceProfile;
use crate::analysis::purpose::ChoicePurpose;
use crate::choice::ranked::DefeatStrength as Win;
use crate::domain::{
    AlternativeName, BallotForm, Digest, Opinion, PhaseKindName, PhaseName, PollTime, SeatName, Step, Tariff, Truth,
    spelled,
};
use crate::mechanism::{Commons, IncomePrinciples, amount_unit};
use crate::memory::{Routing, Strategy};

/// What all sessions of an arm have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmFacts {
    /// The experiment's name.
    pub experiment: String,
    /// The arm's name.
    pub arm: String,
    /// Factor and label, in factor order.
    pub levels: Vec<(String, String)>,
    /// The digest of the session's own plan.
    pub plan_digest: Digest,
    /// What can be promised about running a session again.
    pub determinism: Determinism,
    /// The language of the prompts.
    pub language: String,
    /// The variant of the prompts.
    pub wording: String,
    /// The digest of the prompts.
    pub prompts_digest: Digest,
    /// The seats, in the plan's order.
    pub seats: Vec<SeatFacts>,
    /// Who may sit on seats whose personas are drawn.
    pub pools: Vec<PoolFacts>,
    /// The alternatives, in the scenario's order.
    pub alternatives: Vec<AlternativeName>,
    /// Their labels: what may be chosen, in words.
    pub labels: Vec<String>,
    /// Whether choosing it means naming an amount, one entry an alternative.
    pub takes_amount: Vec<bool>,
    /// What seats vote by.
    pub ballot: BallotForm,
    /// How strong a win of one alternative over another is.
    pub strength: Win,
    /// What amounts are counted in; `None` where the scenario does not say.
    pub unit: Option<String>,
    /// The least and the greatest amount that may be named; `None` where none may.
    pub amounts: Option<[u32; 2]>,
    /// By how much of the right amount an amount may miss it and still be correct, in parts per million.
    pub correct_within_ppm: u32,
    /// The phases, in the agenda's order.
    pub phases: Vec<PhaseFacts>,
    /// How memories are kept.
    pub memory: MemoryFacts,
    /// How convergence is measured, and what follows from it.
    pub convergence: ConvergenceFacts,
    /// The mechanism that pays; `None` where nothing is paid.
    pub mechanism: Option<Arc<IncomePrinciples>>,
    /// The stock that everyone takes from; `None` where there is none.
    pub commons: Option<Commons>,
    /// The open columns of the experiment.
    pub layout: Arc<ColumnLayout>,
}

impl ArmFacts {
    /// What amounts are counted in, by the scenario or by its mechanism; `None` where neither says.
    pub fn amount_unit(&self) -> Option<&str> {
        amount_unit(self.unit.as_deref(), self.mechanism.as_deref())
    }

    /// How many ballots the ballot of a seat counts for.
    pub fn seat_weight(&self, name: Option<&SeatName>) -> u32 {
        self.seats.iter().find(|seat| Some(&seat.name) == name).map_or(1, |seat| seat.weight)
    }
}

/// What a fold knows of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatFacts {
    /// Its name.
    pub name: SeatName,
    /// What answers for it.
    pub answers_by: AnswersBy,
    /// What it is there for: `member` or `manipulator`.
    pub role: &'static str,
    /// The name of its model in the config.
    pub model: String,
    /// The name of its mind; `None` for a seat that a language model answers for.
    pub mind: Option<String>,
    /// What the tokens of its model cost; `None` where that is not known, or a mind answers.
    pub tariff: Option<Tariff>,
    /// The pool its persona is drawn from, as a position in the arm's pools.
    pub pool: Option<usize>,
    /// How many ballots its ballot counts for.
    pub weight: u32,
    /// The language of its questions and replies.
    pub language: String,
}

/// What a fold knows of a pool of personas.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolFacts {
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The values of each persona by its id, one for each attribute; empty where its file says nothing.
    pub personas: BTreeMap<String, Vec<String>>,
}

/// What a fold knows of memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFacts {
    /// The name of the policy.
    pub policy: String,
    /// What is appended without asking a model.
    pub kept: MemoryIntake,
    /// What writes the texts that replace memories; `None` where each seat's own does.
    pub written_by: Option<AnswersBy>,
    /// What its tokens cost; `None` where that is not known, a rule writes, or each seat's own does.
    pub tariff: Option<Tariff>,
}

/// What a memory policy keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryIntake {
    /// Nothing.
    Nothing,
    /// Everything as it comes, but what the routing skips.
    AsItComes(Routing),
    /// What the routing says.
    Routed(Routing),
}

impl ArmFacts {
    /// What answers for a seat of this position at a step.
    pub fn answers_by(&self, seat: usize, step: Step) -> AnswersBy {
        let own = self.seats[seat].answers_by;
        match step {
            Step::Integration | Step::Compression => self.memory.written_by.unwrap_or(own),
            _ => own,
        }
    }
}

impl ArmFacts {
    /// What the tokens of an answer of a seat of this position cost at a step; `None` where that is not known.
    pub fn seat_tariff(&self, seat: usize, step: Step) -> Option<Tariff> {
        match step {
            Step::Integration | Step::Compression if self.memory.written_by.is_some() => self.memory.tariff,
            _ => self.seats[seat].tariff,
        }
    }
}

impl MemoryFacts {
    /// Whether a kind of event is appended to memories without asking a model.
    pub fn is_direct(&self, route: impl Fn(&Routing) -> Strategy) -> bool {
        match &self.kept {
            MemoryIntake::Nothing => false,
            MemoryIntake::AsItComes(routing) => route(routing) != Strategy::Skip,
            MemoryIntake::Routed(routing) => route(routing) == Strategy::Direct,
        }
    }
}

/// What answers for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswersBy {
    /// A simulated agent; its answers are no calls.
    Mind,
    /// A language model; each answer is one call.
    Model,
    /// A person at the terminal; its answers are recorded and are no calls.
    Person,
}

/// What a fold knows of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseFacts {
    /// Its name.
    pub name: PhaseName,
    /// Its kind.
    pub kind: PhaseKindName,
    /// Where its straw poll stands, for a phase that is one.
    pub poll: Option<PollTime>,
    /// Rounds at the most; 0 for a phase without rounds.
    pub rounds_max: u32,
    /// When votes are held in it.
    pub votes: PhaseVotes,
    /// What failing its test does to a seat; nothing in a phase that is no test.
    pub on_failing: OnFailing,
    /// Whether marks are read from its statements.
    pub marks: MarksRead,
}

/// Whether marks are read from the statements of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarksRead {
    /// They are.
    Yes,
    /// They are not, or there are no statements.
    No,
}

/// What failing the test of a phase does to a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailing {
    /// It takes part as before.
    Stays,
    /// It is asked nothing more, has no vote and is not paid.
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
    /// In a round in which a seat calls for it and all others agree; a decision ends the talk.
    OnCall,
}

/// What can be promised about running a session again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Determinism {
    /// All seats are simulated: the same bytes on any machine.
    Recomputed,
    /// The same bytes from its record of model calls.
    Recorded,
}

/// One session of an arm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    /// Its arm.
    pub arm: Arc<ArmFacts>,
    /// The replicate, from 1.
    pub replicate: u32,
    /// The name of its folder.
    pub session: String,
    /// Its question; `None` in an experiment without items.
    pub item: Option<ItemFacts>,
    /// The name of its panel and its place in it, from 1; `None` in an experiment without panels.
    pub panel: Option<(String, u32)>,
}

/// What is right in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RightAnswer {
    /// An alternative.
    Alternative(AlternativeName),
    /// Every amount between these two, both included, where an amount alone is decided.
    Amount {
        /// The least.
        least: u64,
        /// The greatest.
        greatest: u64,
    },
}

impl RightAnswer {
    /// The amounts that miss the right one by at most so many millionths of it.
    pub fn from_amount(amount: u32, within_ppm: u32) -> Self {
        let amount = u64::from(amount);
        let reach = amount * u64::from(within_ppm) / 1_000_000;
        RightAnswer::Amount { least: amount - reach.min(amount), greatest: amount + reach }
    }

    /// Whether an answer is right; `None` where an amount would be right and none was named.
    pub fn accepts_answer(&self, alternative: &AlternativeName, amount: Option<u32>) -> Option<bool> {
        match self {
            RightAnswer::Alternative(right) => Some(alternative == right),
            RightAnswer::Amount { least, greatest } => Some((*least..=*greatest).contains(&u64::from(amount?))),
        }
    }
}

/// What a fold knows of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemFacts {
    /// Its id.
    pub id: String,
    /// The question.
    pub text: String,
    /// The right alternative or amount; `None` where nobody knows.
    pub key: Option<Truth>,
    /// The wrong alternatives that it names for scripts; empty where it names none, or nobody knows what is right.
    pub misleading: Vec<AlternativeName>,
    /// The line of `inputs/items.csv` in which its row begins, from 1.
    pub line: u64,
    /// Whether it has options of its own in the place of the scenario's alternatives.
    pub has_options: bool,
    /// Whether it says which amounts may be named, and in what they are counted.
    pub has_amounts: bool,
}

impl ItemFacts {
    /// Where it comes from, in words.
    pub fn describe_source(&self) -> String {
        format!("the item {}, line {} of inputs/items.csv", self.id, self.line)
    }
}

/// How convergence is measured, and what follows from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConvergenceFacts {
    /// How the components weigh.
    pub profile: ConvergenceProfile,
    /// From which convergence of a round on something follows, in millionths, and what; `None` where nothing does.
    pub asked: Option<(u32, ConvergenceEffect)>,
}

/// What follows from convergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvergenceEffect {
    /// The talk ends.
    Ends,
    /// It is told.
    Told,
    /// Nothing.
    Nothing,
}

impl ArmFacts {
    /// What a choice is given by.
    pub fn form_name(&self, purpose: ChoicePurpose) -> &'static str {
        match purpose {
            ChoicePurpose::Ranking => "ranking",
            ChoicePurpose::Vote if self.ballot.says_more() => self.ballot.as_str(),
            _ if self.alternatives.len() == 1 => "amount",
            _ => "choice",
        }
    }

    /// Where an amount lies between the least and the greatest, in billionths, rounded half up; `None` unless the motion is about an
    /// amount alone.
    pub fn scale_amount(&self, amount: u32) -> Option<u32> {
        let [least, greatest] = self.amounts.filter(|_| self.alternatives.len() == 1)?.map(u64::from);
        let (above, range) = (u64::from(amount).checked_sub(least)?, greatest.checked_sub(least)?);
        let billionths = (above * u64::from(Opinion::ONE) + range / 2).checked_div(range)?;
        u32::try_from(billionths).ok().filter(|billionths| *billionths <= Opinion::ONE)
    }

    /// Rounds of talk at the most, over all phases.
    pub fn rounds_max(&self) -> u32 {
        self.phases.iter().map(|phase| phase.rounds_max).sum()
    }

    /// Whether the agenda holds a comprehension test.
    pub fn has_test(&self) -> bool {
        self.phases.iter().any(|phase| phase.kind == PhaseKindName::Comprehension)
    }

    /// Whether a decision can end the talk before its last round, so that the time to it means something.
    pub fn decides_in_rounds(&self) -> bool {
        self.phases.iter().any(|phase| matches!(phase.votes, PhaseVotes::EachRound | PhaseVotes::OnCall))
    }
}

spelled!(Determinism);
