//! Simulated seats, what they decide on and how they vote.

mod amounts_alone;
mod ballots;
mod estimation;
mod evidence;
mod items;
mod matching;
mod measures;
mod network;
mod null_amounts;
mod nulls;
mod nulls_elsewhere;
mod opinions;
