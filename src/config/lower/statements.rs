//! Checks that pinned statements can be kept.

use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::plan::Plan;
use crate::plan::statements::can_keep_statements;

/// Checks that pins of marked statements can have an effect, and that marked statements are not reinjected.
pub fn check_pins<'p>(tree: &Node, plans: impl Iterator<Item = &'p Plan>, problems: &mut Problems) -> Option<()> {
    let before = problems.len();
    let marks = |key: &str| {
        let kinds = tree.find(key).map(Node::items).unwrap_or_default();
        kinds.iter().position(|kind| matches!(kind.as_text(), Some("proposal" | "decision")))
    };
    if let Some(place) = marks("memory.reinject") {
        let problem = tree.problem(&format!("memory.reinject.{place}"), "marked statements are not put back");
        problems.push(problem.with_hint(Some("pin them: they are never replaced".to_owned())));
    }
    let reads = |plan: &Plan| plan.discussions().any(|talk| talk.proposals) && can_keep_statements(&plan.memory);
    if let Some(place) = marks("memory.pin")
        && !plans.into_iter().any(reads)
    {
        let problem = tree.problem(&format!("memory.pin.{place}"), "in no arm statements are marked and remembered");
        problems.push(problem.with_hint(Some("write discussion: { proposals: true }".to_owned())));
    }
    (problems.len() == before).then_some(())
}
