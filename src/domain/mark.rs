//! Marks of statements: that one is a proposal, that it supports or opposes one, that it states a decision. How a mark is
//! written is the affair of [`crate::text`], what follows from it that of memories.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Seq;
use crate::domain::spelled;

/// The public number of a statement within its phase: its round and turn, written `#3.2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The round, from 1.
    pub round: u32,
    /// The turn, from 1.
    pub turn: u32,
}

/// What a mark says of its statement.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Sign {
    /// It is a proposal.
    Proposal,
    /// It supports a proposal.
    Support,
    /// It opposes a proposal.
    Oppose,
    /// It states what has been decided.
    Decision,
}

/// What a mark names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// Nothing.
    #[default]
    Nothing,
    /// A statement.
    Number(Number),
    /// Something that is no number.
    Unreadable,
}

/// A mark as its seat made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// What it says of the statement.
    pub sign: Sign,
    /// What it names.
    pub names: Named,
}

/// Why a mark, or what it names, counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Ignored {
    /// It names no number that can be read, and needs one.
    Unnamed,
    /// No proposal that the seat could have heard has this number.
    Unknown,
    /// The proposal is the seat's own.
    Own,
    /// The proposal that is to be changed is another seat's.
    NotOwn,
    /// The same statement says it before, or something else of the same proposal after it.
    Repeated,
}

/// A mark in the minutes: what it says, which proposal it means, and why it counts for nothing where it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marked {
    /// What it says of the statement.
    pub sign: Sign,
    /// What it names; absent for nothing.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub names: Named,
    /// The record of the proposal that it means; absent where it means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Seq>,
    /// Why it counts for nothing; absent where it counts. A proposal or decision counts all the same where only what it names
    /// does not, unless it is repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Ignored>,
}

/// How a proposal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ProposalStatus {
    /// It may still be accepted, rejected or modified.
    Active,
    /// More than half of the other seats supported it at the same time.
    Accepted,
    /// More than half of the other seats opposed it at the same time.
    Rejected,
    /// Its own seat made a new proposal in its place.
    Modified,
}

impl Named {
    /// The number, where one is named.
    pub fn number(self) -> Option<Number> {
        match self {
            Named::Number(number) => Some(number),
            Named::Nothing | Named::Unreadable => None,
        }
    }
}

impl Marked {
    /// Whether the statement is a proposal by this mark.
    pub fn proposes(&self) -> bool {
        self.sign == Sign::Proposal && self.ignored != Some(Ignored::Repeated)
    }

    /// Whether the statement states a decision by this mark.
    pub fn decides(&self) -> bool {
        self.sign == Sign::Decision && self.ignored != Some(Ignored::Repeated)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.round, self.turn)
    }
}

spelled!(Sign, Ignored, ProposalStatus);
