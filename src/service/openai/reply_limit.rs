//! Recognises errors about a reply limit that is too high. Models have an undocumented maximum reply length, and twice the
//! config's `max_tokens` may exceed it.
//!
//! Used only for requests beyond the config's limit; otherwise the error shows a mistake in the config.

use super::failure::RequestFailure;

/// Lower-case names of the parameter in the protocol and in upstream APIs, or of the limited quantity.
const NAMES: [&str; 6] = [
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "maxoutputtokens",
    "completion tokens",
    "output tokens",
];

/// Whether the server refuses the length of the reply, by itself or together with the prompt.
pub(super) fn is_refused(failure: &RequestFailure) -> bool {
    let words = failure.reason.to_lowercase();
    let names_it = NAMES.iter().any(|name| words.contains(name));
    failure.is_context_overflow || names_it && matches!(failure.error_status(), Some(400 | 416 | 422))
}
