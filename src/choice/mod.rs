//! Ballots → tally → winners, and tie-breaking apart. Integers only.
//!
//! A rule never picks among equals: every alternative that meets it is a winner, and a tie stays visible in the data. Ballots are
//! counted with what they weigh and without their voters, so every rule is anonymous by construction. Who may vote, and when, is the engine's affair.

mod approval;
mod ballots;
mod casting;
mod central;
mod options;
pub mod ranked;
mod recount;
mod rule;
mod score;
pub mod stakes;
mod tally;
mod tie;
mod voted;

pub use approval::approval;
pub use ballots::{Ballot, Ballots, Bundle, Form};
pub use casting::{highest_of, named_of};
pub use central::{mean, median};
pub use options::{Counted, counted, placed};
pub use recount::{Outcome, Terms, Uncounted, countable, recount};
pub use rule::DecisionRule;
pub use score::score;
pub use tally::{Blank, Tally, tally};
pub use tie::break_tie;
pub use voted::{bundle, form_of};
