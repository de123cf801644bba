//! What answers a question: a seat's mind or model, or, for the texts that replace a memory, whatever the author names.
//!
//! Nothing is answered here.

use super::config::{Config, ModelConfig};
use super::nulls::NullWord;
use super::seats::model;
use super::tree::Node;
use super::{OpenAiModel, Plan, Problems, Sitter, suggest};
use crate::domain::{SeatId, Step};
use crate::memory::MemoryPolicy;
use crate::minds::Mind;

/// The word for each seat's own model.
const OWN: &str = "seat";

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

/// What answers a question.
#[derive(Debug, Clone, Copy)]
pub enum Respondent<'p> {
    /// A simulated agent; recomputed on replay.
    Mind(&'p Mind),
    /// The rule by which simulated seats rewrite their memories; recomputed on replay.
    Rule,
    /// A language model, as a position in the plan's `models`; recorded.
    Model(usize),
    /// A person at the terminal; recorded.
    Person(&'p Person),
}

impl Plan {
    /// What answers a question that is put to a seat at a step.
    pub fn respondent(&self, seat: SeatId, step: Step) -> Respondent<'_> {
        match (step, self.summary_model) {
            (Step::Integration | Step::Compression, SummaryModel::Rule) => Respondent::Rule,
            (Step::Integration | Step::Compression, SummaryModel::Model(place)) => Respondent::Model(place),
            _ => match &self.seats[seat.index()].sitter {
                Sitter::Mind(mind) => Respondent::Mind(mind),
                Sitter::Model(place) => Respondent::Model(*place),
                Sitter::Person(person) => Respondent::Person(person),
            },
        }
    }

    /// How many seats people answer for.
    pub fn people(&self) -> usize {
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

/// Who answers in a session and which null it is of. Sessions of plans that have it in common ask for much the same.
#[derive(Debug, PartialEq, Eq)]
pub struct Company {
    null: Option<NullWord>,
    models: Vec<usize>,
    people: usize,
}

impl Plan {
    /// Who answers.
    pub fn company(&self) -> Company {
        let null = self.null.as_ref().map(|null| null.word);
        Company { null, models: self.models_asked().collect(), people: self.people() }
    }
}

/// What writes the texts that replace memories; `None` when the author names no model, or one with a mistake of its own.
pub fn summary_model(
    config: &Config,
    models: &[OpenAiModel],
    tree: &Node,
    problems: &mut Problems,
) -> Option<SummaryModel> {
    let Some(name) = config.memory.summary_model.as_deref().filter(|name| *name != OWN) else {
        return Some(SummaryModel::Seat);
    };
    let named = model(name, "memory.summary_model", config, tree)
        .map_err(|problem| problem.with_hint(suggest(name, config.models.keys().map(String::as_str).chain([OWN]))));
    match problems.keep(named)? {
        ModelConfig::Simulated(_) => Some(SummaryModel::Rule),
        ModelConfig::Openai(_) => models.iter().position(|model| model.name == name).map(SummaryModel::Model),
        ModelConfig::Human(_) => {
            let message = format!("\"{name}\" is a person, who answers for seats and writes no texts for others");
            let hint = "name a model, or write summary_model: seat, by which each seat writes its own".to_string();
            problems.push(tree.problem("memory.summary_model", message).with_hint(Some(hint)));
            None
        }
    }
}

/// The same where a policy has memories rewritten; others ask nothing of the model.
pub fn used_by(policy: MemoryPolicy, written: SummaryModel) -> SummaryModel {
    if policy.rewrites() { written } else { SummaryModel::Seat }
}

/// Checks that what tells who types is a word that can hardly be a name or an address.
pub(super) fn check_pseudonym(id: Option<&str>, path: &str, tree: &Node, problems: &mut Problems) {
    /// The longest, in characters.
    const LONGEST: usize = 40;
    let is_word = |id: &str| {
        (1..=LONGEST).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    if let Some(id) = id.filter(|id| !is_word(id)) {
        let message = format!("\"{id}\" is no pseudonym: letters A-Z a-z, digits, `_` and `-`, at most {LONGEST}");
        let hint = "ids are kept in results: write one that names nobody, such as P01".to_string();
        problems.push(tree.problem(&format!("{path}.human.id"), message).with_hint(Some(hint)));
    }
}
