//! What an author writes of the case behind a motion: which answer is right, which signals seats get of it, and which facts are
//! dealt to them. What it means is another file's affair.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::config::written::shapes;
use crate::plan::Scalar;

/// Which answer is right: exactly one of alternative, drawn and amount. Nobody at the table is told.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::one_of_all_but(&[]))]
pub struct TruthConfig {
    /// This alternative in every session; a template over `parameters`.
    pub alternative: Option<String>,
    /// One of these alternatives, drawn for each replicate, the same in all arms: for each its probability, a number or a
    /// template that prints one. They sum to 1.
    pub drawn: Option<IndexMap<String, Scalar>>,
    /// This amount in every session: a whole number, or a template that prints one.
    pub amount: Option<Scalar>,
}

/// Before the talk each seat is told alone which alternative its evidence points to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalsConfig {
    /// The probability that it points to the right alternative; else it points to one of the others, each as likely. Drawn for
    /// each seat. A number, or a template that prints one.
    pub accuracy: Scalar,
    /// The words; a template over `parameters` that prints `{{ signal.name }}` or `{{ signal.label }}`.
    pub text: String,
    /// Whether signals are given at all: `true`, `false`, or a template that prints one of them. Left out, they are.
    pub when: Option<Scalar>,
}

/// A fact of the case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactConfig {
    /// How it is cited: letters, digits and `_`, beginning with a letter and with a digit in it, such as `F3`.
    pub id: String,
    /// What it says; a template over `parameters`, and `truth` for the name of the right alternative.
    pub text: String,
    /// The name of the alternative that it speaks for, or a template that prints one; left out, it speaks for none. Seats are not
    /// told.
    pub favours: Option<String>,
}

/// Who is told which facts. A fact that is not shared is held by some seats, by seeded lot, so that no seat holds two more of them
/// than another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DealConfig {
    /// The facts that every seat is told: `all`, their ids as a list or as one text with spaces, or how many, which are drawn. A
    /// text may be a template. Left out, none.
    pub shared: Option<Shared>,
    /// By how many seats each other fact is held: a number from 1 to that of the seats, or a template that prints one. Left out, 1.
    pub held_by: Option<Scalar>,
    /// What seats are told before their facts; a template over `parameters`. Left out, nothing.
    pub intro: Option<String>,
    /// Whether facts are dealt at all: `true`, `false`, or a template that prints one of them. Left out, they are.
    pub when: Option<Scalar>,
}

/// The facts that every seat is told, as they are written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Shared {
    /// By their ids.
    Ids(Vec<String>),
    /// A number, or a text.
    Scalar(Scalar),
}

impl JsonSchema for Shared {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Shared".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`all`, ids of facts, or how many.",
            "anyOf": [{ "type": ["string", "integer"] }, { "type": "array", "items": { "type": "string" } }],
        })
    }
}
