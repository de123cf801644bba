//! The words of the project: what is asked, answered, minuted and remembered.
//!
//! Nothing here does IO, draws a random number or takes a decision, and no number here is a float.

mod answer;
mod answered;
mod ballot;
mod beginning;
mod brief;
mod briefing;
mod choice;
mod chronicle;
mod computed;
mod dealt;
mod decimal;
mod digest;
mod donor;
mod event;
mod fault;
mod form;
mod given;
mod ids;
mod inquiry;
mod language;
mod mark;
mod matching;
mod moment;
mod money;
mod motion;
mod named_values;
mod network;
mod opinion;
mod outage;
mod panel;
mod payoff;
mod phase_kind;
mod query;
mod question;
mod ranges;
mod reading;
mod record;
mod remembered;
mod seated;
mod situation;
mod spelled;
mod stop;
mod stretch;
mod tally;
#[cfg(test)]
pub(crate) mod tests;
mod texts;
mod voice;
mod voted;
mod window;

pub use answer::{Answer, MindState, Reply, Usage};
pub use answered::{ANSWER_VALUES, Answered, cut_values, test_values};
pub use ballot::{BallotForm, Base, InvalidBallots, OpenBallots, RuleKind, TieBreak, Verdict};
pub use beginning::{First, FirstOpinion, FirstOpinions};
pub use brief::{
    Brief, EntryKind, Extent, Forgotten, GuidanceStyle, Heard, HeardBetween, OwnEntry, Places, Proposed, Recollected,
    Remark, Remarks, RemarksIter, Shown, Told,
};
pub use briefing::{Briefing, Matter};
pub use choice::{Certainty, Choice, NamedChoice};
pub use chronicle::Held;
pub use computed::{ComputedValues, Holder};
pub use dealt::{CaseFact, Truth};
pub use decimal::Decimal;
pub use digest::Digest;
pub use donor::{Donor, Lent};
pub use event::{
    Adjourned, Assigned, Computed, Convened, Event, Faulted, Inquired, LoopEnded, PhaseOpened, PhaseSkipped, Reminded,
    RoundClosed, RoundOpened,
};
pub use fault::{Consequence, Fault};
pub use form::{FormSource, LearntForm, ReplyForm};
pub use given::Given;
pub use ids::{AlternativeId, AlternativeName, FactId, PhaseName, SeatId, SeatName, Seq};
pub use inquiry::{Found, Inquiry, Offer, PageShown};
pub use language::Language;
pub use mark::{Ignored, Mark, Marked, Named, Number, ProposalStatus, Sign};
pub use matching::{MatchUnit, Taken, Target};
pub use moment::{Moment, OUTSIDE_PHASES, PollTime, QuestionId, Step};
pub use money::{Dollars, Tariff};
pub use motion::{Agent, Alternative, Motion, Tongue};
pub use named_values::{NamedValues, ValueName};
pub use network::{Circles, Links};
pub use opinion::Opinion;
pub use outage::Outage;
pub use panel::{Before, ImportedNotes, NAME_CHARS_MAX, Needed, NoteTaken, Replacement, SeatNotes};
pub use payoff::{PaidIncome, Payment, PaymentStage, PaymentTables, Payoff};
pub use phase_kind::PhaseKindName;
pub use query::{Ask, Audience, Query, Room, RuleTold, URGENCY_MAX, check_ballot};
pub use question::{
    Field, FieldKind, FieldValue, FieldValues, Form, FormAsked, Measure, NUMBER_MAX, POINTS_MAX, Presence,
};
pub use ranges::Ranges;
pub use record::{Draft, FORMAT_VERSION, Record, list_reading_places, order_by_group};
pub use remembered::{MemoryAct, MemoryReport, Spared, SparedBecause, StatementChars};
pub use seated::{Seated, Trait};
pub use situation::{CLASS_NAMES, CLASSES, Situation, TestQuestion};
pub(crate) use spelled::spelled;
pub use stop::StopReason;
pub use stretch::{Stretch, StretchIter};
pub use tally::{Ratio, SampledVotes, TallyCount, TallyReport, join_choices};
pub use texts::{KeptText, TextId, letter_of, number_of_letter};
pub use voice::Voice;
pub use voted::{Ballot, Scored, Voted};
pub use window::{ContextWindow, WindowSource};
