//! What of a session is held constant, or asked besides, so that its result is no artefact. Prompts and polls are elsewhere.

use crate::config::written::config::Config;
use crate::plan::Controls;

/// What is held constant or asked besides.
pub fn lower_controls(config: &Config) -> Controls {
    let written = &config.controls;
    Controls {
        anonymous: written.anonymous,
        option_order: written.option_order,
        recognition_probe: written.recognition_probe == Some(true),
    }
}
