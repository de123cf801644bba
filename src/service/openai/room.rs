//! How servers say that a reply may not be as long as it was asked for. A model has a greatest length of reply of its own, which
//! is told nowhere before; where twice the config's `max_tokens` is more, the server refuses the request.
//!
//! Only asked where more than the config's own was asked for: a server that refuses these tells of a mistake in the config.

use super::failure::Failure;

/// What the words name, in lower case: the parameter in the spellings of the protocol and of those behind it, or what it limits.
const NAMES: [&str; 6] = [
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxoutputtokens",
    "completion tokens",
    "output tokens",
];

/// Whether a failure is a server's refusal to let a reply be so long, by itself or beside the prompt.
pub(super) fn is_refused(failure: &Failure) -> bool {
    let words = failure.reason.to_lowercase();
    let names_it = NAMES.iter().any(|name| words.contains(name));
    failure.is_context_overflow || names_it && matches!(failure.told.or(failure.status), Some(400 | 416 | 422))
}
