//! Weights in a file of edges by which no seat goes.

use crate::plan::{Plan, Resolved, goes_by_edges};

/// Says in which arm weights of the network's file change nothing; nothing where each such file weighs somebody's means.
pub(super) fn unweighed(resolved: &Resolved) -> Option<String> {
    // A null has other minds than its arm, or none of its talk.
    let own = || resolved.experiment.arms.iter().filter(|plan| plan.null.is_none());
    let is_weighed = |plan: &Plan| plan.network.weights().next().is_some();
    let plan = own().find(|plan| is_weighed(plan) && !plan.seats.iter().any(goes_by_edges))?;
    Some(format!(
        "the weights in the network's file have no effect in the arm {}: only the minds degroot and friedkin_johnsen go by them, where they \
         have no weights of their own",
        plan.arm
    ))
}
