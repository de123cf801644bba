//! Cells that are settings of the plan, and their keys in `plan.yaml`.

/// A setting of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanSetting {
    /// The experiment's name.
    Experiment,
    /// The arm's name.
    Arm,
    /// The level of a factor.
    Level,
    /// The replicate.
    Replicate,
    /// The session's name.
    Session,
    /// The item.
    Item,
    /// The panel.
    Panel,
    /// The position in the panel.
    Wave,
    /// The maximum number of rounds of talk.
    RoundsMax,
    /// The number of seats.
    Seats,
    /// How reproducible the session is.
    Determinism,
    /// The digest of the session's plan.
    PlanDigest,
    /// A seat's name.
    SeatName,
    /// A seat's index.
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

impl PlanSetting {
    /// The prefixes of the setting's keys in `plan.yaml`; `place` is the row's seat, from 0.
    pub fn plan_keys(self, place: Option<usize>, column: &str) -> Vec<String> {
        let own = |key: &str| place.map_or_else(|| "seats".to_owned(), |place| format!("seats.{place}.{key}"));
        let factor = column.strip_prefix("arm_").unwrap_or_default();
        match self {
            PlanSetting::Experiment => vec!["experiment".to_owned()],
            PlanSetting::Arm => vec!["arms.*.name".to_owned(), "design.factors".to_owned()],
            PlanSetting::Level => vec![format!("design.factors.{factor}")],
            PlanSetting::Replicate => vec!["replicates".to_owned()],
            PlanSetting::Session => vec!["arms.*.name".to_owned(), "items.id".to_owned(), "replicates".to_owned()],
            PlanSetting::Item => vec!["items.file".to_owned(), "items.id".to_owned()],
            PlanSetting::Panel | PlanSetting::Wave => vec!["panel.waves".to_owned()],
            PlanSetting::RoundsMax => vec!["discussion.rounds".to_owned()],
            PlanSetting::Seats => vec!["seats.*.name".to_owned()],
            PlanSetting::Determinism => {
                vec!["models".to_owned(), "seat_defaults.model".to_owned(), "seats.*.model".to_owned()]
            }
            PlanSetting::PlanDigest => vec!["arms.*.digest".to_owned()],
            PlanSetting::SeatName | PlanSetting::SeatIndex => vec![own("name")],
            PlanSetting::Role => vec![own("role")],
            PlanSetting::Model => vec![own("model")],
            PlanSetting::Mind => vec![own("mind")],
            PlanSetting::Language => vec!["language".to_owned(), own("language")],
            PlanSetting::MemoryPolicy => vec!["memory.policy".to_owned()],
            PlanSetting::Prompts => ["controls.prompts", "prompts", "scenario"].map(str::to_owned).to_vec(),
            PlanSetting::PromptsDigest => {
                ["controls.prompts", "language", "prompts", "scenario"].map(str::to_owned).to_vec()
            }
        }
    }
}
