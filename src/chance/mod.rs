//! Randomness as coordinates: every draw is found from the session's seed, a purpose and a question, never from a shared state.

mod draws;
mod seed;

pub use draws::Draws;
pub use seed::{Pairing, Purpose, SessionSeed, session_seed};
