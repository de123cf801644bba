//! What a policy does, as answers to what the rest of the program asks of it. Each policy's file gives its own, and leaves no
//! question open; nothing outside asks which policy it is.

use crate::memory::HistoryInBrief;

/// What a policy does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyTerms {
    /// The name in configs and tables.
    pub word: &'static str,
    /// What it keeps of what happens.
    pub keeps: EventRetention,
    /// Whose statements seats hear.
    pub hears: HearingScope,
    /// What is left out of what it keeps.
    pub bound: Bound,
    /// What a brief holds of the public history unless an author says otherwise.
    pub history: HistoryInBrief,
    /// How seats rewrite their memories; `None` where they never do.
    pub rewrites: Option<RewriteTerms>,
    /// Whether seats are told where the talk stands, and of small questions nothing else.
    pub standing: StandingDisclosure,
}

/// What a policy keeps of what happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventRetention {
    /// Nothing but exhibits, which lie on the table.
    Nothing,
    /// Everything as it comes, but what the routing skips.
    AsItComes,
    /// What the routing says, as it says.
    Routed,
}

/// Whose statements seats hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HearingScope {
    /// Those of their own group.
    OwnGroup,
    /// Those of a session of another arm, in the place of their own group's.
    AnotherGroup,
}

/// What is left out of what a policy keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nothing, as far as the seat's model goes.
    Unbounded,
    /// The oldest of what is over the plan's limits.
    Limits,
    /// The same, and all but the newest turns.
    Window {
        /// Of how many tokens together these are, what is pinned counted; `None` where statements are counted.
        tokens: Option<u64>,
    },
}

/// Whether something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandingDisclosure {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// How seats rewrite their memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RewriteTerms {
    /// When a memory is made shorter.
    pub due: RewriteTrigger,
    /// How many of the newest statements stay in their own words.
    pub keep: u32,
    /// How long the text is in words, at the most; `None` where its characters alone are limited.
    pub words_max: Option<u32>,
    /// What the text stands for.
    pub text: RewriteScope,
}

/// When a memory is made shorter without anybody's demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteTrigger {
    /// From the plan's threshold on, where more is held than the plan's target.
    PlanThreshold,
    /// From this share of its limit on, in parts per million.
    OwnThreshold(u32),
    /// Whenever enough waits for it.
    EnoughWaits,
}

/// What a text stands for that a seat wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteScope {
    /// For all that the seat had, with what happened since worked into it.
    Integrated,
    /// For what the seat was shown, earlier texts counted; named things are put back after it.
    OfAll,
    /// For what no other text stands for: earlier texts stay beside it.
    OfTheRest,
}

impl RewriteTerms {
    /// From which share of its limit on a memory is made shorter, in parts per million, where the plan has this threshold;
    /// `None` where its length does not matter.
    pub fn threshold_ppm(&self, of_plan: u32) -> Option<u32> {
        match self.due {
            RewriteTrigger::PlanThreshold => Some(of_plan),
            RewriteTrigger::OwnThreshold(ppm) => Some(ppm),
            RewriteTrigger::EnoughWaits => None,
        }
    }
}

impl PolicyTerms {
    /// Whether the plan's limits hold.
    pub fn is_limited(&self) -> bool {
        match self.bound {
            Bound::Unbounded => false,
            Bound::Limits | Bound::Window { .. } => true,
        }
    }

    /// Whether it keeps nothing.
    pub fn keeps_nothing(&self) -> bool {
        self.keeps == EventRetention::Nothing
    }

    /// Whether seats hear another group.
    pub fn is_lent(&self) -> bool {
        self.hears == HearingScope::AnotherGroup
    }

    /// Whether seats work what happens into their memories.
    pub fn integrates_events(&self) -> bool {
        self.has_scope(RewriteScope::Integrated)
    }

    /// Whether named things are put back after a text that a seat wrote.
    pub fn puts_entries_back(&self) -> bool {
        self.has_scope(RewriteScope::OfAll)
    }

    /// Whether texts that seats wrote stand beside each other.
    pub fn adds_texts(&self) -> bool {
        self.has_scope(RewriteScope::OfTheRest)
    }

    /// Whether seats are told where the talk stands.
    pub fn tells_standing(&self) -> bool {
        self.standing == StandingDisclosure::Yes
    }

    /// Whether the length of a memory has it rewritten from the plan's threshold on.
    pub fn has_plan_threshold(&self) -> bool {
        self.rewrites.is_some_and(|rewrites| rewrites.due == RewriteTrigger::PlanThreshold)
    }

    /// The tokens that are shown at the most, what is pinned counted; `None` where they are not counted.
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
