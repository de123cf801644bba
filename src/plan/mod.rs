//! The plan of an experiment: validated once, and independent of YAML. Lower layers do not validate values again.

mod agenda;
mod answer_words;
mod briefing;
mod dealing;
mod decimal;
mod disclosures;
mod endpoint;
mod evidence;
mod fork;
mod forms;
mod groups;
mod hearing;
mod held_keys;
mod identity;
mod item_plan;
mod items;
mod known;
mod limits;
mod linked_arms;
mod lints;
mod names;
mod network;
mod nulls;
mod origin;
mod other_words;
mod panel;
mod participants;
mod payment;
pub mod pinned;
#[allow(clippy::module_inception)]
mod plan;
mod planned;
mod presence;
mod primary;
mod reach;
mod respondent;
mod sampling;
mod scalar;
mod seat_set;
mod seating;
mod servers;
mod shard;
mod source_index;
mod starts;
pub mod statements;
mod value_reads;
mod values;
mod vote_terms;
mod voting;
mod windows;

pub use crate::expression::Formula;
pub use agenda::{
    BlockSpan, BoundEnd, Comprehension, Condition, Convergence, ConvergenceAction, Discussion, FormPlan, KeptField,
    LiveBound, Pass, PassOrder, Phase, PhaseKind, RoundVotes, SeatOptions, SpeakingOrder, TestFailurePolicy, Thing,
    VoteCall, find_regions, id_about, units_of_bound,
};
pub use answer_words::{QUESTION_CHARS_MAX, shorten_question, shorten_question_about};
pub use dealing::DealtCase;
pub use decimal::{parse_quorum, parse_threshold, parse_threshold_text, parts_per_million, scale_decimal};
pub use disclosures::{DisclosedBy, DisclosedValue, ITSELF, PhaseDisclosure};
pub use endpoint::{Answers, OpenAiModel};
pub use evidence::{Evidence, Fact, HandOut, MARKS, SharedFacts, Signals, TruthRule, Version, parse_truth_value};
pub use fork::{Fork, ForkCause, ForkPoint};
pub use groups::{
    AssignedRole, GroupPlace, GroupRegion, GroupRule, GroupSize, Grouping, Holders, RoleSeats, split_evenly,
};
pub use hearing::HearingKey;
pub use identity::{
    AROUND, CORRECT_WITHIN, DesignDifference, Deviation, REPLICATES, digest_of, find_differences, first_difference,
    is_around, is_on_this_machine,
};
pub use item_plan::{UNSAID, seats_needing_truth};
pub use items::{
    Item, ItemAmount, ItemsFile, LETTERS, LoopColumn, LoopItem, MARK, QuestionTemplates, apply_items_to_motion,
    item_of_key, narrowest_item, option_letter,
};
pub use limits::{Limits, Price};
pub use lints::Lint;
pub use names::{
    as_word, check_alternative, check_apart, check_folder_name, check_item_id, check_label, check_name,
    check_seat_name, check_word,
};
pub use network::{Edge, Network};
pub use nulls::{FACTOR, FACTOR as NULL_FACTOR, NullArm, NullStart, NullWord};
pub use origin::Origin;
pub use plan::{
    ArmPlan, COUNTDOWN, Change, ChangedAnswer, Controls, Correction, Deed, Experiment, FactorSetting, FactorSettings,
    Intervention, LendingArm, Level, MatchedArm, NotesPlan, OptionOrder, Person, Persona, PersonaPool, Plan,
    PrimaryComparison, Seat, SeatRole, Sitter, SummaryModel, TEST_TRIES, Wave,
};
pub use planned::{PlannedSession, is_session_name, session_name};
pub use presence::{MissingBound, MissingPlaces};
pub use primary::{CONFORMED, OF_ALTERNATIVES, UNITLESS, letter_of_many, list_units, name_unit, units_of_many};
pub use reach::{Reach, UnreachablePart};
pub use respondent::{Respondent, RespondentMix};
pub use sampling::{ReasoningEffort, Sampling};
pub use scalar::Scalar;
pub use seat_set::{AssumedSeats, DeclaredRole, SeatRule, SeatSet, selects_all_there};
pub use servers::{LengthLimit, SERVERS, SchemaUse, Server, SettingRefusal, is_version_of};
pub use shard::{Shard, sessions_of};
pub use source_index::{ConditionReader, SourceIndex};
pub use value_reads::{list_read_by, list_values_read};
pub use values::{Assignment, PayRule, Variable, VariableKind, store_number};
pub use voting::{
    BudgetMethod, Electorate, SeveralWinners, VoteEnds, VoteOver, VotePhase, VoteTerms, VoteWinners, Voting,
    WinnersPart, may_tie,
};
pub use windows::{OverfullSeat, TABLE_OF, UnknownWindow, known_window};
