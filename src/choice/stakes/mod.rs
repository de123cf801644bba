//! What a result hangs on: whose ballot alone could have changed it, how few ballots could have, and how often others would win.
//!
//! A result is the set of winners as they are tied; another set is another result. A ballot may be changed into any other of its
//! form: of rankings into any strict and complete order. Nothing is said of rules that draw a lot.

mod bootstrap;
mod change;
mod search;
mod sums;
#[cfg(test)]
mod tests;

pub use bootstrap::{Shares, bootstrap_ballots, resampling_draws};
pub use change::{FewestBallots, Stakes, find_stakes};
