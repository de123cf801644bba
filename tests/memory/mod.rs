//! What seats keep, are shown, note and forget.

mod digest;
mod forgetting;
mod heard_in_full;
mod imported_notes;
mod limits;
mod memory_faults;
mod memory_heard;
mod panel;
mod panel_notes;
mod past;
mod public_history;
mod quoting;
mod summary_model;
mod unput;
mod windows;
