//! Rules that choose from ranked ballots, one per file: pure functions of weighted weak orders, in integers.
//!
//! Every rule returns all winners: ties are broken elsewhere, or stay. Alternatives that a ballot does not rank are below all
//! that it ranks, and tied with each other. Ballots with ties at the top count there in equal parts. No rule draws a lot: where
//! textbooks would break a tie within a count, every way of breaking it is followed and all winners are kept.

mod agenda;
mod borda;
mod copeland;
mod count;
mod counting;
mod first_places;
mod instant_runoff;
mod kemeny;
#[cfg(test)]
mod laws;
mod majority;
mod minimax;
mod pairwise;
mod plurality;
mod preferences;
mod random_ballot;
mod ranked_pairs;
mod schulze;
mod share;
mod stv;
mod supermajority;
#[cfg(test)]
mod tests;
mod two_round;
mod unanimity;

pub use agenda::amendment_agenda;
pub use borda::borda;
pub(super) use borda::borda_halves;
pub use copeland::copeland;
pub use count::{CountRefusal, Points, VoteCount};
pub use counting::{Counting, PAIRED_ALTERNATIVES_MAX};
pub use first_places::first_places;
pub use instant_runoff::{RunoffTies, instant_runoff};
pub use kemeny::{KEMENY_ALTERNATIVES_MAX, Kemeny, kemeny};
pub use majority::absolute_majority;
pub use minimax::minimax;
pub use pairwise::{DefeatStrength, Pairwise};
pub use plurality::plurality;
pub use preferences::{Preferences, Ranking, UNRANKED};
pub use random_ballot::{drawn_ballot, random_ballot};
pub use ranked_pairs::ranked_pairs;
pub use schulze::schulze;
pub use stv::{Committees, single_transferable_vote};
pub use supermajority::supermajority;
pub use two_round::two_round;
pub use unanimity::unanimity;
