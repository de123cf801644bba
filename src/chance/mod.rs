//! Randomness as coordinates: every draw is found from the session's seed, a purpose and a question, never from a shared state.
//!
//! A draw that is left out, added or repeated therefore moves no other. What a draw is used for is the caller's affair.

mod coordinate;
mod draws;
mod seed;

pub use coordinate::{DrawPurpose, canonical_bytes};
pub use draws::Draws;
pub use seed::{OpenedStream, Pairing, SessionSeed, item_seed, observe_streams, session_seed, wave_seed};
