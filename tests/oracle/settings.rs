//! Cells with a setting of the plan.

use std::collections::BTreeMap;

use ekklesia::analysis::why::{PlanSetting, TracedRow};
use ekklesia::analysis::{ArmFacts, SessionFacts};

pub fn read(setting: PlanSetting, facts: &SessionFacts, row: &TracedRow, column: &str) -> Option<String> {
    let arm = &facts.arm;
    let place = arm.seats.iter().position(|seat| Some(&seat.name) == row.seat().as_ref());
    let seat = || place.map(|place| &arm.seats[place]);
    match setting {
        PlanSetting::Experiment => Some(arm.experiment.clone()),
        PlanSetting::Arm => Some(arm.arm.clone()),
        PlanSetting::Level => {
            let factor = column.strip_prefix("arm_")?;
            arm.levels.iter().find(|(name, _)| name == factor).map(|(_, label)| label.clone())
        }
        PlanSetting::Replicate => Some(facts.replicate.to_string()),
        PlanSetting::Session => Some(facts.session.clone()),
        PlanSetting::Item => facts.item.as_ref().map(|item| item.id.clone()),
        PlanSetting::Panel => facts.panel.as_ref().map(|(panel, _)| panel.clone()),
        PlanSetting::Wave => facts.panel.as_ref().map(|(_, wave)| wave.to_string()),
        PlanSetting::RoundsMax => Some(count_rounds_max(arm).to_string()),
        PlanSetting::Seats => Some(arm.seats.len().to_string()),
        PlanSetting::Determinism => Some(arm.determinism.as_str().to_owned()),
        PlanSetting::PlanDigest => Some(arm.plan_digest.as_str().to_owned()),
        PlanSetting::SeatName => seat().map(|seat| seat.name.to_string()),
        PlanSetting::SeatIndex => place.map(|place| (place + 1).to_string()),
        PlanSetting::Role => seat().map(|seat| seat.role.to_owned()),
        PlanSetting::Model => seat().map(|seat| seat.model.clone()),
        PlanSetting::Mind => seat()?.mind.clone(),
        PlanSetting::Language => seat().map(|seat| seat.language.clone()),
        PlanSetting::MemoryPolicy => Some(arm.memory.policy.clone()),
        PlanSetting::Prompts => Some(arm.wording.clone()),
        PlanSetting::PromptsDigest => Some(arm.prompts_digest.as_str().to_owned()),
    }
}

/// The rounds of all phases; groups side by side hold the same ones.
fn count_rounds_max(arm: &ArmFacts) -> u32 {
    let mut rounds = BTreeMap::new();
    for phase in &arm.phases {
        let name = phase.name.to_string();
        let of_groups: &mut Vec<u32> = rounds.entry(name.split('#').next().unwrap_or_default().to_owned()).or_default();
        of_groups.push(phase.rounds_max);
    }
    rounds.values().map(|of_groups| of_groups.iter().max().unwrap_or(&0)).sum()
}
