//! Counter-based randomness: each draw is a function of the session's seed, a purpose and a question, without shared state.
//!
//! A draw that is omitted, added or repeated therefore changes no other draw.

mod coordinate;
mod draws;
mod seed;

pub use coordinate::{DrawPurpose, canonical_bytes};
pub use draws::Draws;
pub use seed::{OpenedStream, Pairing, SessionKey, SessionSeed, observe_streams, session_seed};
