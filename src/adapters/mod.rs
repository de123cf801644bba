//! The rim: what touches files and services.

pub mod tables;
