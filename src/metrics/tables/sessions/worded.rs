//! Columns of the prompts that a session's questions were put with.

use super::Col;
use crate::metrics::why::Setting;

/// Which variant, and its digest.
pub(super) static ALL: &[Col] = &[
    Col::text(
        "prompts",
        "variant of the prompts that controls.prompts names; scenario: the scenario's own",
        |r| Some(r.prompts.0.as_str()),
    )
    .plan(Setting::Prompts)
    .source("plan"),
    Col::text(
        "prompts_digest",
        "BLAKE3 digest of the names and texts of all templates in the session's language, a variant's in the place of the scenario's",
        |r| Some(r.prompts.1.as_str()),
    )
    .plan(Setting::PromptsDigest)
    .source("plan"),
];
