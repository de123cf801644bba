//! The state machine of a session: it declares what procedure calls for, asks seats, and turns answers into events.
//!
//! It does no IO and knows no time. `next` is pure, `admit` is total, and `evolve` alone changes state.

mod admit;
mod asking;
mod deliberation;
mod evolve;
mod next;

pub use admit::admissible;
pub use deliberation::Deliberation;
pub use next::Next;
