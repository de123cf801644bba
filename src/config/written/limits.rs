//! The least and greatest values of settings.

/// A longer least length of statements is taken for a slip.
pub const STATEMENT_MIN_LENGTH_MAX: u64 = 100_000;
/// More calls at once to one model are taken for a slip.
pub const CONCURRENCY_MAX: u32 = 1_024;
/// The longest that a call is tried again, in seconds: a week.
pub const RETRY_FOR_MAX: u32 = 604_800;
/// The least context window, in tokens: a question and a short reply.
pub const CONTEXT_WINDOW_MIN: u32 = 256;
/// The greatest seed: every program reads it as the same number.
pub const SEED_MAX: u64 = (1 << 53) - 1;
/// The most replicates of an arm.
pub const REPLICATES_MAX: u32 = 1_000_000;
/// The most rounds of a discussion.
pub const ROUNDS_MAX: u32 = 1_000_000;
/// The least length a memory limit may have: a character and the marker that says the rest was cut.
pub const LIMIT_MIN: u64 = 4;

/// More seats than this are taken for a slip.
pub const SEATS_MAX: usize = 100_000;
/// The name pattern of counted seats that do not give one.
pub const COUNTED_NAME: &str = "Member {n}";
