//! The structure of what is written: keys, kinds and ranges, checked in one walk over the schema.

pub mod declared;
pub mod decode;
pub mod foreign;
pub mod hints;
pub mod literal;
pub mod structure;
