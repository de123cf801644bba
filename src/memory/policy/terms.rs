//! The properties of a policy that the rest of the program queries, so that no code outside depends on the policy's variant.

/// The properties of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyTerms {
    /// The name in configs and tables.
    pub word: &'static str,
    /// The events that it keeps.
    pub keeps: EventRetention,
    /// Whether the statements that seats hear come from another group, a session of another arm.
    pub is_lent: bool,
    /// The limits of what it shows.
    pub bound: Bound,
    /// The default part of the public history in a brief.
    pub history: HistoryInBrief,
    /// How seats rewrite their memories; `None` if they never do.
    pub rewrites: Option<RewriteTerms>,
    /// Whether briefs contain the summary of the talk, and short questions nothing else that is unpinned.
    pub tells_standing: bool,
}

/// The events that a policy keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventRetention {
    /// Only exhibits.
    Nothing,
    /// All events as they occur, except those that the routing skips.
    AsItComes,
    /// Events according to the routing.
    Routed,
}

/// The limits of what a policy shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Only the model's limit.
    Unbounded,
    /// The plan's limits; the oldest entries beyond them are omitted.
    Limits,
    /// The plan's limits, and only the newest turns.
    Window {
        /// Their total tokens, pinned entries included; `None` if the window counts statements.
        tokens: Option<u64>,
    },
}

/// How much of the public history a brief holds beside the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HistoryInBrief {
    /// All that it still holds.
    Full,
    /// Of that, the statements of the round under way.
    CurrentRound,
    /// Nothing.
    None,
}

/// How seats rewrite their memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewriteTerms {
    /// When a seat must shorten its memory.
    pub due: RewriteTrigger,
    /// The number of newest statements that stay verbatim.
    pub keep: u32,
    /// The maximal length in words; `None` if only characters are limited.
    pub words_max: Option<u32>,
    /// The coverage of the text.
    pub text: RewriteScope,
}

/// When a seat must shorten its memory without a demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteTrigger {
    /// Above the plan's threshold, if the memory exceeds the plan's target.
    PlanThreshold,
    /// Above this share of its limit, in parts per million.
    OwnThreshold(u32),
    /// When enough statements wait.
    EnoughWaits,
}

/// The coverage of a text that a seat wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteScope {
    /// The complete memory and the events since.
    Integrated,
    /// The part shown to the writer, earlier texts included; some kinds of events are put back after it.
    OfAll,
    /// Only what no other text covers; earlier texts remain.
    OfTheRest,
}

impl RewriteTerms {
    /// The share of its limit above which a memory is rewritten, in parts per million; `of_plan` is the plan's threshold. `None`
    /// if the length does not matter.
    pub fn threshold_ppm(&self, of_plan: u32) -> Option<u32> {
        match self.due {
            RewriteTrigger::PlanThreshold => Some(of_plan),
            RewriteTrigger::OwnThreshold(ppm) => Some(ppm),
            RewriteTrigger::EnoughWaits => None,
        }
    }
}

impl PolicyTerms {
    /// Everything as it comes from the seats' own group, within the plan's limits. Nobody rewrites anything, and briefs contain neither
    /// public history nor summary. Policies name only what they do otherwise.
    pub const PLAIN: PolicyTerms = PolicyTerms {
        word: "",
        keeps: EventRetention::AsItComes,
        is_lent: false,
        bound: Bound::Limits,
        history: HistoryInBrief::None,
        rewrites: None,
        tells_standing: false,
    };

    /// Whether the plan's limits apply.
    pub fn is_limited(&self) -> bool {
        self.bound != Bound::Unbounded
    }

    /// Whether the policy keeps nothing.
    pub fn keeps_nothing(&self) -> bool {
        self.keeps == EventRetention::Nothing
    }

    /// Whether seats integrate events into their memories.
    pub fn integrates_events(&self) -> bool {
        self.has_scope(RewriteScope::Integrated)
    }

    /// Whether some kinds of events are put back after a rewrite.
    pub fn puts_entries_back(&self) -> bool {
        self.has_scope(RewriteScope::OfAll)
    }

    /// Whether earlier texts remain beside a new one.
    pub fn adds_texts(&self) -> bool {
        self.has_scope(RewriteScope::OfTheRest)
    }

    /// Whether the plan's threshold triggers rewrites.
    pub fn has_plan_threshold(&self) -> bool {
        self.rewrites.is_some_and(|rewrites| rewrites.due == RewriteTrigger::PlanThreshold)
    }

    /// The maximal tokens shown, pinned entries included; `None` if tokens are not limited.
    pub fn tokens_max(&self) -> Option<u64> {
        match self.bound {
            Bound::Window { tokens } => tokens,
            Bound::Unbounded | Bound::Limits => None,
        }
    }

    fn has_scope(&self, text: RewriteScope) -> bool {
        self.rewrites.is_some_and(|rewrites| rewrites.text == text)
    }
}
