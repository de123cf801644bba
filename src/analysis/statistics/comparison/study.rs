//! What is compared.

use crate::chance::Pairing;
use crate::domain::spelled;

/// What is compared: the design's arms and one number a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The experiment's seed; it seeds every resampling.
    pub seed: u64,
    /// The name of what is measured.
    pub metric: String,
    /// How it is measured.
    pub scale: MetricScale,
    /// The arms, in the design's order.
    pub arms: Vec<StudyArm>,
    /// Whether blocks of different arms share their draws.
    pub pairing: Pairing,
    /// What is independent.
    pub unit: Unit,
    /// The sessions that the design calls for.
    pub observations: Vec<Observation>,
    /// How often is resampled.
    pub resamples: u32,
}

/// An arm of the design.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyArm {
    /// Its name.
    pub name: String,
    /// Its levels: factor and label, in factor order.
    pub levels: Vec<(String, String)>,
    /// The greatest number that could be in it, where that is known.
    pub most: Option<f64>,
}

/// How something is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricScale {
    /// 0 or 1.
    Flag,
    /// A number from 0 to 1, both possible.
    Share,
    /// A number.
    Number,
}

/// What is independent: the block.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Unit {
    /// Each replicate of each item; without items, each replicate.
    #[default]
    Session,
    /// The replicate; its items are averaged.
    Replicate,
    /// The item; its replicates are averaged.
    Item,
    /// The panel, each replicate of each item; its waves are averaged.
    Panel,
}

/// One session, as it is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Its arm, as a position in the study's `arms`.
    pub arm: usize,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// Its item; empty in experiments without items.
    pub item: String,
    /// Its place in its panel, from 1; 0 in experiments without panels.
    pub wave: u32,
    /// How far it got.
    pub reached: CompletionStatus,
    /// Whether all its questions were answered in the end.
    pub answers: AnswerValidity,
    /// What was measured; `None` where it is undefined, and unless the session is completed.
    pub value: Option<f64>,
}

/// How far a session got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionStatus {
    /// To its end.
    Completed,
    /// Not to its end.
    Incomplete,
    /// It could not go on.
    Failed,
}

/// Whether all questions of a session were answered in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerValidity {
    /// Yes.
    AllValid,
    /// At least one stayed invalid or refused.
    SomeInvalid,
}

spelled!(Unit);
