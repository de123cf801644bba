//! Plans of which it is drawn who hears whom: what holds whatever is drawn.

use std::sync::Arc;

use super::{Forecast, forecast_courses};
use crate::plan::{ArmPlan, Network, Plan};
use crate::prompt::PromptError;

/// What one session of a plan may ask, by all courses.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn forecast_session(plan: &Plan) -> Result<Forecast, PromptError> {
    if !plan.network.is_drawn() {
        return forecast_courses(plan);
    }
    // A seat hears somebody between nobody and all.
    let with = |network: Network| {
        let shared = ArmPlan { network, ..(*plan.shared).clone() };
        forecast_courses(&Plan { shared: Arc::new(shared), ..plan.clone() })
    };
    Ok(with(Network::Complete)?.merge_bounds(with(Network::Alone)?))
}
