//! Checks the structure of configs and scenarios (keys, variants and ranges) in one walk over the schema.

pub mod declared;
pub mod decode;
pub mod foreign;
pub mod hints;
pub mod literal;
pub mod structure;
