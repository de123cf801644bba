//! rows.
