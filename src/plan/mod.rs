//! Text's meaning, checked once: what was written ([`Config`] and scenario) becomes what is true ([`Plan`]).
//!
//! Nothing below this layer validates a value again, and nothing here reads a file.

mod agenda;
mod alternatives;
mod case;
mod change;
mod config;
mod convergence;
mod dealing;
mod decimal;
mod decision;
mod decision_config;
mod declared;
mod decode;
mod design;
mod edges;
mod endpoint;
mod evidence;
mod exhibits;
mod filling;
mod foreign;
mod forms;
mod hints;
mod identity;
mod interventions;
mod item_rows;
mod items;
mod languages;
mod layers;
mod lender;
mod limits;
mod literal;
mod lower;
mod matching;
mod meant;
mod mechanism;
mod memory;
mod minds;
mod names;
mod network;
mod nulls;
mod numeral;
mod openai;
mod opinion_minds;
mod opinions;
mod overrides;
mod packs;
mod panel;
mod parameters;
mod personas;
mod pinned;
#[allow(clippy::module_inception)]
mod plan;
mod planned;
mod policy;
mod presets;
mod primary;
mod print;
mod problem;
mod resolve;
mod respondent;
mod room;
mod scenario;
mod schema;
mod scripts;
mod seating;
mod seats;
mod servers;
mod statements;
mod structure;
mod texts;
mod tree;
mod voting;
mod walker;
mod windows;
mod wording;

pub use agenda::{COUNTDOWN, TEST_TRIES};
pub use change::{Change, WrittenChange};
pub use config::Config;
pub use convergence::{Convergence, ConvergenceAction};
pub use dealing::Dealt;
pub use edges::{NETWORKS, kept as kept_network, named as named_networks};
pub use endpoint::OpenAiModel;
pub use evidence::{Evidence, Fact, SharedFacts, Signals, TruthRule, Version};
pub use exhibits::{ExhibitFile, HandOut, kept as kept_exhibit};
pub use identity::{Difference, differences, digest_of, first_difference};
pub use lender::LendingArm;
pub use limits::{Limits, Price};
pub use matching::MatchedArm;
pub use names::{check_folder_name, check_seat_name};
pub use network::{Edge, Network};
pub use nulls::{FACTOR as NULL_FACTOR, NullArm, NullWord};
pub use openai::{Answers, is_variable};
pub use panel::Wave;
pub use personas::{PersonaFile, PersonaRow, kept as kept_personas, tell_rows};
pub use planned::Planned;
pub use primary::{NO_METRICS, OF_ALTERNATIVES, letter_of_many};
pub use problem::{DEFAULTS_SHOWN, Origin, Place, Problem, Problems, did_you_mean, suggest};
pub use resolve::{DEFAULTS, OPENAI_DEFAULTS, Resolved, Sources, resolve};
pub use respondent::{Person, Respondent, SummaryModel};
pub use room::TooFull;
pub use schema::{config_schema, scenario_schema};
pub use servers::{LengthLimit, SERVERS, SchemaUse, Server};
pub use structure::{is_key, mended_config};
pub use tree::{Entry, Node, Value};
pub use voting::{Voting, may_tie};
pub use windows::{TABLE_OF, known_window};
pub use wording::{Templates, Variant, kept as kept_prompts, unread as unread_prompts};

pub use items::{Item, ItemsFile, KEPT as KEPT_ITEMS, Questions, item_of_key};
pub use plan::{
    ArmPlan, Comprehension, Controls, Correction, Deed, Discussion, Experiment, Failing, Intervention, Level,
    OptionOrder, Persona, Phase, PhaseKind, Plan, Pool, Primary, RoundVotes, Seat, SeatRole, Sitter, SpeakingOrder,
    VoteCall,
};
