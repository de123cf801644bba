//! What is run: the experiment as it was checked once. Nothing below this layer validates a value again, and nothing here knows YAML.

mod beside;
mod dealing;
mod decimal;
mod endpoint;
mod evidence;
mod forms;
mod identity;
mod items;
mod limits;
mod lints;
mod names;
mod network;
mod nulls;
mod of_item;
mod origin;
mod panel;
pub mod pinned;
#[allow(clippy::module_inception)]
mod plan;
mod planned;
mod primary;
mod respondent;
mod sampling;
mod scalar;
mod seating;
mod servers;
mod shard;
pub mod statements;
mod voting;
mod windows;

pub use dealing::Dealt;
pub use decimal::{parts_per_million, quorum, ratio, scaled, threshold_of};
pub use endpoint::{Answers, OpenAiModel};
pub use evidence::{Evidence, Fact, HandOut, MARKS, SharedFacts, Signals, TruthRule, Version, truth};
pub use identity::{
    AROUND, CORRECT_WITHIN, Deviation, Difference, REPLICATES, differences, digest_of, first_difference, is_around,
    is_on_this_machine,
};
pub use items::{Item, ItemAmount, ItemsFile, LETTERS, MARK, Questions, item_of_key, letter, narrowest, offer};
pub use limits::{Limits, Price};
pub use lints::Lint;
pub use names::{
    as_word, check_alternative, check_apart, check_folder_name, check_item_id, check_label, check_name,
    check_seat_name, check_word,
};
pub use network::{Edge, Network};
pub use nulls::{Begins, FACTOR, FACTOR as NULL_FACTOR, NullArm, NullWord};
pub use of_item::{UNSAID, needing};
pub use origin::Origin;
pub use plan::{
    ArmPlan, COUNTDOWN, Change, Comprehension, Controls, Convergence, ConvergenceAction, Correction, Deed, Discussion,
    Experiment, FactorSetting, FactorSettings, Failing, Intervention, LendingArm, Level, MatchedArm, Notes,
    OptionOrder, Person, Persona, Phase, PhaseKind, Plan, Pool, Primary, RoundVotes, Seat, SeatRole, Sitter,
    SpeakingOrder, SummaryModel, TEST_TRIES, VoteCall, Wave,
};
pub use planned::{Planned, is_session_name, session_name};
pub use primary::{CONFORMED, OF_ALTERNATIVES, UNITLESS, few, letter_of_many, units_of_many};
pub use respondent::{Company, Respondent};
pub use sampling::{ReasoningEffort, Sampling};
pub use scalar::Scalar;
pub use servers::{LengthLimit, Refusal, SERVERS, SchemaUse, Server, is_version_of};
pub use shard::{Shard, sessions_of};
pub use voting::{Electorate, Voting, may_tie};
pub use windows::{TABLE_OF, TooFull, UnknownWindow, known_window};
