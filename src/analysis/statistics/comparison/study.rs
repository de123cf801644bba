//! The input of a comparison: arms, observations and design.

use crate::chance::Pairing;
use crate::domain::spelled;

/// The design's arms and one number per session.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// The experiment's seed, which seeds every resampling.
    pub seed: u64,
    /// The metric's name.
    pub metric: String,
    /// The metric's scale.
    pub scale: MetricScale,
    /// The arms, in the design's order.
    pub arms: Vec<StudyArm>,
    /// Whether blocks of different arms share their draws.
    pub pairing: Pairing,
    /// The independent unit.
    pub unit: Unit,
    /// All sessions of the design.
    pub observations: Vec<Observation>,
    /// The number of resamples.
    pub resamples: u32,
}

/// An arm of the design.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyArm {
    /// Its name.
    pub name: String,
    /// Its levels: factor and label, in factor order.
    pub levels: Vec<(String, String)>,
    /// The least and the greatest possible number, if known.
    pub limits: Option<(f64, f64)>,
}

/// The scale of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricScale {
    /// 0 or 1.
    Flag,
    /// A number from 0 to 1; both can occur.
    Share,
    /// Any number.
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

/// One session's observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Its arm, as an index in the study's `arms`.
    pub arm: usize,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// Its item; empty in experiments without items.
    pub item: String,
    /// Its position in its panel, from 1; 0 in experiments without panels.
    pub wave: u32,
    /// How the session ended.
    pub reached: CompletionStatus,
    /// Whether all its questions have a valid answer.
    pub answers: AnswerValidity,
    /// The measured value; `None` if undefined or if the session is not completed.
    pub value: Option<f64>,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionStatus {
    /// Completed.
    Completed,
    /// Interrupted or not started.
    Incomplete,
    /// Failed.
    Failed,
}

/// Whether all questions of a session have a valid answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerValidity {
    /// All are valid.
    AllValid,
    /// At least one stayed invalid or refused.
    SomeInvalid,
}

spelled!(Unit);
