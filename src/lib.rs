//! Group deliberations among language-model or simulated agents, run as reproducible experiments.
//!
//! The minutes are the experiment: every event is appended before it takes effect, and memory, tables and reports are computed
//! from the minutes. `ARCHITECTURE.md` describes the modules.

pub mod analysis;
pub mod builtin;
pub mod chance;
pub mod choice;
#[cfg(feature = "cli")]
pub mod cli;
pub mod config;
pub mod domain;
pub mod engine;
pub mod expression;
#[cfg(feature = "report")]
pub mod figure;
pub mod mechanism;
pub mod memory;
pub mod minds;
pub mod plan;
pub mod ports;
pub mod prompt;
pub mod question;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "service")]
pub mod service;
pub mod session;
pub mod store;
pub mod text;
