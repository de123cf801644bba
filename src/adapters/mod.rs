//! The rim: files and services.

pub mod minutes;
