//! Cells that are a setting of the plan, and under which keys of `plan.yaml` it stands.

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
}
