//! What an author writes: configs and scenarios as plans, and every mistake in them.

mod bad_input;
mod broken;
mod builtin;
mod change;
mod check;
mod config;
mod designs;
mod disclosures;
pub mod forecast;
mod forecast_of_arms;
mod frames;
mod hints;
mod identity;
mod import;
mod justice_plan;
mod languages;
mod lints;
mod methods;
mod methods_wording;
mod prefixes;
mod presence;
mod reach;
mod scenarios;
mod schema;
mod texts;
