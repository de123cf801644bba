//! The kinds of warnings of `check`; the report computes and words them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What `check` may warn about. Nothing of it is a mistake; `allow` lists what an author has weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lint {
    /// Each arm has one session: there is no interval and no test.
    OneReplicate,
    /// The design has factors and names no arm with which the others are compared.
    NoBaseline,
    /// The design has another number of replicates than `primary` announces.
    AnnouncedReplicates,
    /// The announced metric is a letter or an amount that means something else in another item.
    MetricOverItems,
    /// The phase votes after a vote that may have decided, so that it may never run.
    VoteAfterVote,
    /// The result comes from a vote that may be left out, and another vote comes before it.
    ConditionalResult,
    /// A phase never takes place in any arm, or a loop or talk ends at once.
    UnreachablePhase,
    /// A value is read after a repeated block that asks some seats in each pass: it is there only for those of the last pass.
    LastPassOnly,
    /// A factor changes what seats meet before a question that is asked before the talk, to be compared with later answers.
    TreatmentBeforePoll,
    /// The levels of a factor differ in texts alone, and simulated seats read none.
    UnreadTexts,
    /// Models or people vote by a rule that a factor changes, or by more than a majority, or with a default, and no template states it.
    RuleUntold,
    /// A factor changes settings of the section `decision`, and every vote has its own.
    DecisionOverridden,
    /// A constraint excludes a table in few of the settlements that may be drawn.
    ConstraintHardlyBinds,
    /// No native speaker has read what the program says in the language.
    LanguageNotProofread,
    /// The rounds of a talk do not fill its Williams squares.
    BrokenSquare,
    /// A shuffled arm is shown the talk of an arm that differs from it in more than the policy.
    LentAcrossLevels,
    /// A shuffled arm hears another group and is told what its own group came to.
    OwnCountsTold,
    /// Prompts show statements cut, and no public history shows them in full.
    StatementsCut,
    /// Prompts may leave out the oldest statements.
    StatementsLeftOut,
    /// A form allows longer texts than the model's `max_tokens` leave room for, and prompts allow only these.
    TextsHeldShort,
    /// A prompt may be longer than the model's window takes.
    PromptOverWindow,
    /// The config does not say how long a prompt the model takes.
    WindowNotGiven,
    /// The environment variable that holds a key is not set.
    KeyNotSet,
    /// Many replicates are asked at temperature 0 and may be copies of each other.
    TemperatureZero,
    /// The limits may not be enough for all sessions.
    LimitsTooLow,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
