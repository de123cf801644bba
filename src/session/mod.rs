//! The driver of a session. Live, resume, replay and fork are one function: they differ in what answers and in what the minutes
//! are compared with.
//!
//! A resume does not fold the minutes, though that gives the same state. It conducts the session again from its first record and
//! compares line by line until the lines end. This costs little, needs no second code path, and refuses minutes that this version
//! does not reproduce before it adds to them.

mod change;
mod conduct;
mod course;
mod forecast;
mod glimpse;
mod handed;
mod rehearsal;
mod retrace;
mod simulated;
mod visibility;
mod wording;

pub use change::Changed;
pub use conduct::{Halt, conduct};
pub use course::{Calling, Course, Player, Testing, Voting, Words};
pub use forecast::{Forecast, Load, Span, Spans, StatementsShown, Tightest, forecast};
pub use glimpse::{Entry, Glimpse, NoGlimpse, Omitted, Prompts, Rewritten, Sight, Sights, Why, glimpse, sights};
pub use rehearsal::{Put, QUESTIONS_MAX, Rehearsed, longest_agents, rehearse};
pub use retrace::{Misfit, Traced, retrace};
pub use simulated::{SimulatedSeats, run_simulated};
pub use visibility::{Leak, Visibility};
pub use wording::Wording;
