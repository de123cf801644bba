//! The rim: files and services.

pub mod archive;
pub mod bundle;
pub mod calls;
pub mod cells;
pub mod evidence;
pub mod fold;
pub mod frozen;
pub mod inputs;
pub mod minutes;
pub mod models;
pub mod needed;
pub mod openai;
pub mod panel;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod personas;
pub mod rawls;
pub mod results;
pub mod retried;
pub mod seating;
pub mod session_table;
pub mod sessions;
pub mod stopwatch;
pub mod tables;
pub mod windows;
pub mod yaml;
