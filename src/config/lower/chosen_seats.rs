//! What words choose: seats, texts, or the options of a vote.

use crate::config::lower::grouping::list_roles;
use crate::config::lower::texts;
use crate::config::scenario::Scenario;
use crate::config::written::vote::{OptionConfig, OverConfig, VoteConfig};

/// What a vote is over, as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WrittenOver<'a> {
    /// The alternatives.
    Alternatives,
    /// Options of its own.
    Options(&'a [OptionConfig]),
    /// The texts under a name, by the position of the name, with the name.
    Texts(usize, &'a str),
    /// The seats that an expression selects.
    Seats(&'a str),
    /// A word that names nothing to vote on.
    Nothing(&'a str),
}

/// Reads what a vote is over.
pub fn read_over<'a>(vote: &'a VoteConfig, scenario: &Scenario) -> WrittenOver<'a> {
    let word = match vote.over.as_ref().map(OverConfig::own_options) {
        None | Some(Ok(None)) => return WrittenOver::Alternatives,
        Some(Ok(Some(options))) => return WrittenOver::Options(options),
        Some(Err(word)) => word.trim(),
    };
    if let Some(position) = texts::find_texts(&scenario.written.agenda, word) {
        return WrittenOver::Texts(position, word);
    }
    if names_seats(word, scenario) { WrittenOver::Seats(word) } else { WrittenOver::Nothing(word) }
}

/// Whether words select seats: an expression, or a name that seats have together. The expression may have mistakes.
pub fn names_seats(text: &str, scenario: &Scenario) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    !is_word
        || ["seats", "everyone", "others", "group"].contains(&text)
        || scenario.written.roles.contains_key(text)
        || scenario.variables.contains_key(text)
        || list_roles(scenario).iter().any(|(_, _, role, _)| *role == text)
}
