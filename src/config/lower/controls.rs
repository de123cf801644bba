//! The controls of a session: anonymity, option order and the recognition probe.

use crate::config::written::config::Config;
use crate::plan::Controls;

/// Reads the controls.
pub fn lower_controls(config: &Config) -> Controls {
    let written = &config.controls;
    Controls {
        anonymous: written.anonymous,
        option_order: written.option_order,
        recognition_probe: written.recognition_probe == Some(true),
    }
}
