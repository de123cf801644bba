//! The rim: everything that touches a file or the network.

pub mod inputs;
pub mod yaml;
