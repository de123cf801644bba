//! What of a session is held constant, or asked besides, so that its result is no artefact. Prompts and polls are elsewhere.

use super::OptionOrder;
use super::config::Config;

/// Experimental controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Controls {
    /// Whether seats see each other as `Participant 1`, `Participant 2`, ….
    pub anonymous: bool,
    /// In which order options are shown.
    pub option_order: OptionOrder,
    /// Whether each seat is asked at the end if it recognises what it took part in.
    pub recognition_probe: bool,
}

/// What is held constant or asked besides.
pub(super) fn lower(config: &Config) -> Controls {
    let written = &config.controls;
    Controls {
        anonymous: written.anonymous,
        option_order: written.option_order,
        recognition_probe: written.recognition_probe == Some(true),
    }
}
