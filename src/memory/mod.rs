//! The selective memory manager, in its smallest true form.

pub mod guidance;

/// What memories hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    /// A statement's kept length, in Unicode scalar values, with its marker.
    pub statement_max_length: u32,
    /// Whether statements are cut at all.
    pub enable_truncation: bool,
    /// What one seat's brief holds at the most, in Unicode scalar values as rendered.
    pub memory_character_limit: u64,
    /// What the public history holds at the most, in Unicode scalar values as rendered.
    pub public_history_max_length: u64,
}
