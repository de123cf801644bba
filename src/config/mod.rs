//! Turns a config and a scenario into a [`Plan`](crate::plan::Plan), or reports every error with its place.
//!
//! Nothing here reads a file.

mod agenda_settings;
mod arms;
mod change;
mod check;
mod draft;
mod filling;
mod identity;
mod later_settings;
mod layers;
mod lower;
mod overlay;
mod overrides;
mod pack_cache;
mod parameters;
mod personas;
mod presets;
mod print;
mod problem;
mod resolve;
mod scenario;
mod schema;
mod texts;
mod tree;
mod wording;
mod written;
pub mod yaml;

pub use change::WrittenChange;
pub use check::structure::check_config;
pub use draft::ExhibitFile;
pub use later_settings::join_plans;
pub use lower::edges::{NETWORKS, named_edge_files as named_networks, stored_network_path as kept_network};
pub use lower::exhibits::stored_exhibit_path as kept_exhibit;
pub use lower::items::KEPT as KEPT_ITEMS;
pub use lower::panel::{KEPT_NOTES, NOTES_SESSION};
pub use lower::primary::{NO_METRICS, OF_KEYS};
pub use personas::{PersonaFile, PersonaRow, report_rows, stored_persona_path as kept_personas};
pub use problem::{DEFAULTS_SHOWN, Problem, Problems, SourcePlace, did_you_mean, suggest_word};
pub use resolve::{ResolvedExperiment, Sources, resolve_sources};
pub use schema::{DEFAULTS, OPENAI_DEFAULTS, config_schema, scenario_schema};
pub use tree::{MapEntry, Node, Value};
pub use wording::{Templates, Variant, stored_wording_path as kept_prompts, unread_variant as unread_prompts};
pub use written::config::Config;
pub use written::openai::{SECRET_KEYS, is_plain_address, is_variable};
