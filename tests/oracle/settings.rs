//! Cells with a setting of the plan.

use ekklesia::analysis::SessionFacts;
use ekklesia::analysis::why::{Scope, Setting};

/// Reads a setting of a session, or of the row's seat.
pub fn read(setting: Setting, facts: &SessionFacts, row: &Scope, column: &str) -> Option<String> {
    let arm = &facts.arm;
    let place = arm.seats.iter().position(|seat| Some(&seat.name) == row.seat().as_ref());
    let seat = || place.map(|place| &arm.seats[place]);
    match setting {
        Setting::Experiment => Some(arm.experiment.clone()),
        Setting::Arm => Some(arm.arm.clone()),
        Setting::Level => {
            let factor = column.strip_prefix("arm_")?;
            arm.levels.iter().find(|(name, _)| name == factor).map(|(_, label)| label.clone())
        }
        Setting::Replicate => Some(facts.replicate.to_string()),
        Setting::Session => Some(facts.session.clone()),
        Setting::Item => facts.item.as_ref().map(|item| item.id.clone()),
        Setting::Panel => facts.panel.as_ref().map(|(panel, _)| panel.clone()),
        Setting::Wave => facts.panel.as_ref().map(|(_, wave)| wave.to_string()),
        Setting::RoundsMax => Some(arm.phases.iter().map(|phase| phase.rounds_max).sum::<u32>().to_string()),
        Setting::Seats => Some(arm.seats.len().to_string()),
        Setting::Determinism => Some(arm.determinism.as_str().to_owned()),
        Setting::PlanDigest => Some(arm.plan_digest.as_str().to_owned()),
        Setting::SeatName => seat().map(|seat| seat.name.to_string()),
        Setting::SeatIndex => place.map(|place| (place + 1).to_string()),
        Setting::Role => seat().map(|seat| seat.role.to_owned()),
        Setting::Model => seat().map(|seat| seat.model.clone()),
        Setting::Mind => seat()?.mind.clone(),
        Setting::Language => seat().map(|seat| seat.language.clone()),
        Setting::MemoryPolicy => Some(arm.memory.policy.clone()),
        Setting::Prompts => Some(arm.wording.clone()),
        Setting::PromptsDigest => Some(arm.prompts_digest.as_str().to_owned()),
    }
}
