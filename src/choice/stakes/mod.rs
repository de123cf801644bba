//! The stakes of a result: whose ballot alone could have changed it, how few ballots could have, and how often others would win.
//!
//! A result is the set of tied winners. A changed ballot may be any other of its form; a changed ranking is strict and complete.
//! Rules that draw a lot are left out.

mod bootstrap;
mod change;
mod search;
mod sums;
#[cfg(test)]
mod tests;

pub use bootstrap::{Shares, bootstrap_ballots, resampling_draws};
pub use change::{FewestBallots, Stakes, find_stakes};
