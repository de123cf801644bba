//! What words choose: seats, texts, or the options of a vote.

use crate::config::lower::grouping::list_roles;
use crate::config::lower::texts;
use crate::config::scenario::Scenario;
use crate::config::written::scenario::PhaseConfig;
use crate::config::written::vote::{OptionConfig, OverConfig, VoteConfig};
use crate::plan::WinnersPart;

/// What a vote is over, as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WrittenOver<'a> {
    /// The alternatives.
    Alternatives,
    /// Options of its own.
    Options(&'a [OptionConfig]),
    /// The texts under a name, by the position of the name, with the name.
    Texts(usize, &'a str),
    /// What has won the vote of this name, as in `pick.winner` and `pick.winners`.
    Winners(&'a str, WinnersPart),
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
    if let Some((name, part)) = read_winners(word)
        && scenario.written.agenda.iter().any(|phase| phase.name == name && phase.vote.is_some())
    {
        return WrittenOver::Winners(name, part);
    }
    if names_seats(word, scenario) { WrittenOver::Seats(word) } else { WrittenOver::Nothing(word) }
}

/// The name and the part of `NAME.winner` and `NAME.winners`.
fn read_winners(text: &str) -> Option<(&str, WinnersPart)> {
    let (name, part) = text.split_once('.')?;
    [WinnersPart::One, WinnersPart::All].into_iter().find(|own| own.attribute() == part).map(|part| (name, part))
}

/// What the options of a vote are in the end: of a vote over the winners of another, those of that vote. `None` of a vote over the
/// winners of one that is held later.
pub fn read_options<'a>(phase: &'a PhaseConfig, scenario: &'a Scenario) -> Option<WrittenOver<'a>> {
    let agenda = &scenario.written.agenda;
    let mut current = phase;
    while let WrittenOver::Winners(name, _) = read_over(current.vote.as_ref()?, scenario) {
        current = agenda.iter().take_while(|other| other.name != current.name).find(|other| other.name == name)?;
    }
    Some(read_over(current.vote.as_ref()?, scenario))
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
