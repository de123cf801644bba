//! The state machine of a session, without IO: `convene`, then again and again `next`, `admit`, `minute`, `evolve`.
//!
//! `next` is pure, `admit` is total, and `evolve` is the only writer. The engine asks no model, reads no file, keeps no time.

mod admit;
mod ask;
mod asking;
mod ballot_box;
mod beginning;
mod briefing;
mod chosen_names;
mod compute;
mod conditions;
mod convergence;
mod count;
mod courses;
mod dealing;
mod deliberation;
mod departure;
mod effect;
mod evolve;
mod groups;
mod inquiry;
mod lending;
mod live;
mod naming;
mod next;
mod notes;
mod options;
mod order;
mod participants;
mod pay;
mod procedure;
mod reads;
mod recognition;
mod rules;
mod sampling;
mod stage;
mod standing;
mod stored_values;
mod text_pool;
mod texts;
mod things;
mod variables;
mod vote;
mod world;

pub use admit::admissible;
pub use deliberation::{Deliberation, Supposed};
pub use next::Next;
pub use notes::handed_on;
pub use order::williams_rows;
pub use reads::ValueRead;
