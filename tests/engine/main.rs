//! The engine: a session, and that it can be cut, replayed and believed wherever.

#[path = "../fixtures/mod.rs"]
mod fixtures;

mod chance;
mod company;
mod controls;
mod convergence;
mod crn;
mod cut;
mod effects;
mod exhibits;
mod focus;
mod inquiries;
mod justice;
mod justice_crn;
mod justice_cut;
mod justice_replay;
mod justice_visibility;
mod lapses;
mod marks;
mod naming;
mod pins;
mod polls;
mod proposals;
mod recognition;
mod record;
mod roll_call;
mod session;
mod shuffled;
mod solo;
mod speed;
mod visibility;
mod visibility_own;
mod volunteers;
