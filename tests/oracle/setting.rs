//! Cells that are a setting of the plan: its value, and under which keys of `plan.yaml` it stands.

use ekklesia::metrics::{ItemFacts, SeatFacts};
use super::{Picked, Worked, absent, worked};

/// A setting of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// The experiment's name.
    Experiment,
    /// The arm's name.
    Arm,
    /// The level of the column's factor.
    Level,
    /// The replicate.
    Replicate,
    /// The session's name.
    Session,
    /// The item.
    Item,
    /// The panel.
    Panel,
    /// The place in the panel.
    Wave,
    /// Rounds of talk at the most.
    RoundsMax,
    /// The number of seats.
    Seats,
    /// What can be promised about running the session again.
    Determinism,
    /// The digest of the session's own plan.
    PlanDigest,
    /// A seat's name.
    SeatName,
    /// A seat's place.
    SeatIndex,
    /// A seat's role.
    Role,
    /// A seat's model.
    Model,
    /// A seat's mind.
    Mind,
    /// The language of the prompts.
    Language,
    /// The memory policy.
    MemoryPolicy,
    /// The variant of the prompts.
    Prompts,
    /// The digest of the prompts.
    PromptsDigest,
}

impl Setting {
    /// The beginnings of the keys of `plan.yaml` that it comes from; `seats.N` is the row's seat, counted from 0.
    pub fn keys(self, place: Option<usize>, column: &str) -> Vec<String> {
        let own = |key: &str| place.map_or_else(|| "seats".to_owned(), |place| format!("seats.{place}.{key}"));
        let factor = column.strip_prefix("arm_").unwrap_or_default();
        match self {
            Setting::Experiment => vec!["experiment".to_owned()],
            Setting::Arm => vec!["arms.*.name".to_owned(), "design.factors".to_owned()],
            Setting::Level => vec![format!("design.factors.{factor}")],
            Setting::Replicate => vec!["replicates".to_owned()],
            Setting::Session => vec!["arms.*.name".to_owned(), "items.id".to_owned(), "replicates".to_owned()],
            Setting::Item => vec!["items.file".to_owned(), "items.id".to_owned()],
            Setting::Panel | Setting::Wave => vec!["panel.waves".to_owned()],
            Setting::RoundsMax => vec!["discussion.rounds".to_owned()],
            Setting::Seats => vec!["seats.*.name".to_owned()],
            Setting::Determinism => {
                vec!["models".to_owned(), "seat_defaults.model".to_owned(), "seats.*.model".to_owned()]
            }
            Setting::PlanDigest => vec!["arms.*.digest".to_owned()],
            Setting::SeatName | Setting::SeatIndex => vec![own("name")],
            Setting::Role => vec![own("role")],
            Setting::Model => vec![own("model")],
            Setting::Mind => vec![own("mind")],
            Setting::Language => vec!["language".to_owned(), own("language")],
            Setting::MemoryPolicy => vec!["memory.policy".to_owned()],
            Setting::Prompts => ["controls.prompts", "prompts", "scenario"].map(str::to_owned).to_vec(),
            Setting::PromptsDigest => {
                ["controls.prompts", "language", "prompts", "scenario"].map(str::to_owned).to_vec()
            }
        }
    }

    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        let facts = picked.case.facts;
        let arm = picked.arm();
        let seat = picked.case.scope.seat();
        let place = arm.seats.iter().position(|facts| Some(&facts.name) == seat.as_ref());
        let of_seat = |value: fn(&SeatFacts) -> Option<String>| place.and_then(|place| value(&arm.seats[place]));
        let value = match self {
            Setting::Experiment => Some(arm.experiment.clone()),
            Setting::Arm => Some(arm.arm.clone()),
            Setting::Level => {
                let factor = picked.case.column.strip_prefix("arm_").unwrap_or_default();
                arm.levels.iter().find(|(name, _)| name == factor).map(|(_, label)| label.clone())
            }
            Setting::Replicate => Some(facts.replicate.to_string()),
            Setting::Session => Some(facts.session.clone()),
            // They are read as the fold wrote them: they choose the session and come from no record of it.
            Setting::Item | Setting::Panel | Setting::Wave => {
                picked.case.scope.text(picked.case.column).map(str::to_owned)
            }
            Setting::RoundsMax => Some(arm.rounds_max().to_string()),
            Setting::Seats => Some(arm.seats.len().to_string()),
            Setting::Determinism => Some(arm.determinism.as_str().to_owned()),
            Setting::PlanDigest => Some(arm.plan_digest.as_str().to_owned()),
            Setting::SeatName => of_seat(|seat| Some(seat.name.to_string())),
            Setting::SeatIndex => place.map(|place| (place + 1).to_string()),
            Setting::Role => of_seat(|seat| Some(seat.role.to_owned())),
            Setting::Model => of_seat(|seat| Some(seat.model.clone())),
            Setting::Mind => of_seat(|seat| seat.mind.clone()),
            Setting::Language => of_seat(|seat| Some(seat.language.clone())),
            Setting::MemoryPolicy => Some(arm.memory.policy.clone()),
            Setting::Prompts => Some(arm.wording.clone()),
            Setting::PromptsDigest => Some(arm.prompts_digest.as_str().to_owned()),
        };
        match (value, self) {
            (Some(value), _) => worked(value),
            (None, Setting::Mind) => absent("a language model answers for this seat"),
            (None, Setting::Item) => absent("the experiment has no items"),
            (None, Setting::Panel | Setting::Wave) => absent("the experiment has no panels"),
            (None, _) => absent("the plan of this session has none"),
        }
    }

    /// The words behind a value that is put together from several settings.
    fn steps(self, picked: &Picked<'_>) -> Vec<String> {
        let arm = picked.arm();
        match self {
            Setting::Seats => {
                vec![format!("seats of the plan: {}: {}", picked.seat_names().join(", "), arm.seats.len())]
            }
            Setting::RoundsMax => {
                let phases: Vec<String> = arm
                    .phases
                    .iter()
                    .filter(|phase| phase.rounds_max > 0)
                    .map(|phase| format!("{} {}", phase.name, phase.rounds_max))
                    .collect();
                vec![format!("rounds at the most: {}; sum {}", phases.join(", "), arm.rounds_max())]
            }
            Setting::Arm => {
                let labels: Vec<String> =
                    arm.levels.iter().map(|(factor, label)| format!("{factor} {label}")).collect();
                vec![format!(
                    "levels: {}",
                    if labels.is_empty() { "none, the only arm".to_owned() } else { labels.join(", ") }
                )]
            }
            Setting::Session => {
                let facts = picked.case.facts;
                let item = facts.item.as_ref().map_or(String::new(), |item| format!(", item {}", item.id));
                let wave = facts.panel.as_ref().map_or(String::new(), |(_, wave)| format!(", wave {wave}"));
                vec![format!("arm {}{item}, replicate {}{wave}", arm.arm, facts.replicate)]
            }
            Setting::Item => picked.case.facts.item.iter().map(ItemFacts::row).collect(),
            Setting::PlanDigest => match &picked.case.facts.item {
                None => vec!["a setting of the plan".to_owned()],
                Some(item) => vec![format!(
                    "digest of the plan of the arm {} as plan.yaml gives it, with id, text and options of {}",
                    arm.arm,
                    item.row()
                )],
            }
            .into_iter()
            .chain(picked.case.facts.panel.iter().map(|(_, wave)| format!("and wave {wave}")))
            .collect(),
            _ => vec!["a setting of the plan".to_owned()],
        }
    }
}
