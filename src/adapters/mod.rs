//! The rim: everything that touches files, the network or a clock.

pub mod calls;
pub mod models;
pub mod openai;
