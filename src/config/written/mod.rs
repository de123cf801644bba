//! What an author writes, as types: their schema is what `ekklesia schema` prints.

pub mod case;
pub mod config;
pub mod decision;
pub mod each;
pub mod interventions;
pub mod limits;
pub mod mechanism;
pub mod minds;
pub mod nulls;
pub mod openai;
pub mod panel;
pub mod participants;
pub mod policy;
pub mod primary;
pub mod scenario;
pub mod shapes;
pub mod vote;
