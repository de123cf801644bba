//! Moves a problem to a line that the author wrote and, in a long text, to the wrong words.

use super::Inputs;
use super::reading::SCENARIO_YAML;
use crate::config::yaml;
use crate::config::{DEFAULTS_SHOWN, Problem, Problems, SourcePlace};
use crate::plan::Origin;

impl Inputs {
    /// Moves the problem to the place where the author can correct it.
    pub(super) fn place_problem(&self, problem: Problem) -> Problem {
        match problem.file == DEFAULTS_SHOWN {
            true => self.at_home(problem),
            false => self.at_words(problem),
        }
    }

    /// Moves a problem of the built-in defaults, which are in no file of the author, to the nearest key of the config.
    fn at_home(&self, problem: Problem) -> Problem {
        let config =
            yaml::gather_document(&self.config.bytes, &self.config.shown, Origin::Config, &mut Problems::default());
        let section = problem.path.split('.').next().unwrap_or_default();
        let place = match config.filter(|config| config.get(section).is_some()) {
            Some(config) => config.place_of(&problem.path).clone(),
            None => SourcePlace::of_file(Origin::Config, &self.config.shown),
        };
        let Problem { path, message, hint, arm, may_follow, .. } = problem;
        Problem { arm, may_follow, ..Problem::at_place(&place, path, message).with_hint(hint) }
    }

    /// Moves a problem about some words of a value to these words, if the file spells them as they were read. YAML joins lines
    /// and decodes escapes.
    fn at_words(&self, problem: Problem) -> Problem {
        let (Some(words), Some(line), Some(column)) = (&problem.words, problem.line, problem.column) else {
            return problem;
        };
        let bytes = match &problem.file {
            file if *file == self.config.shown => Some(&self.config.bytes),
            file if *file == format!("{}/{SCENARIO_YAML}", self.scenario.shown) => {
                self.scenario.files.get(SCENARIO_YAML)
            }
            _ => None,
        };
        let text = bytes.and_then(|bytes| yaml::decode_text(bytes, &problem.file).ok()).unwrap_or_default();
        let first = words.split_whitespace().next().unwrap_or_default();
        let found = [words.as_str(), first]
            .into_iter()
            .find_map(|words| Some((find_words(text, (line, column), words)?, words)));
        match found {
            Some(((line, column), words)) => {
                let words = Some(words.to_owned());
                Problem { line: Some(line), column: Some(column), words, ..problem }
            }
            None => Problem { words: None, ..problem },
        }
    }
}

/// Finds words in a value that begins at a line and column of a YAML text, both from 1.
fn find_words(text: &str, (line, column): (u32, u32), words: &str) -> Option<(u32, u32)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (line..).zip(text.lines().skip(line as usize - 1));
    for (number, written) in lines {
        let indent = written.chars().take_while(|c| c.is_whitespace()).count();
        // A continued text is not indented less than its first line, unless that line follows the key.
        let is_key = written.trim_start().split_once(':').is_some_and(|(key, _)| !key.contains(' '));
        if number > line && !written.trim().is_empty() && indent + 1 < column as usize && is_key {
            return None;
        }
        let from = if number == line { column as usize - 1 } else { 0 };
        let before = written.char_indices().nth(from).map_or(written.len(), |(place, _)| place);
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_whole = |at: &usize| {
            let behind = &written[at + words.len()..];
            let ends = !words.ends_with(is_of_name) || !behind.starts_with(is_of_name);
            ends && (!words.starts_with(is_of_name) || !written[..*at].ends_with(|c| is_of_name(c) || c == '.'))
        };
        let mut places = written[before..].match_indices(words).map(|(place, _)| before + place);
        if let Some(at) = places.find(is_whole) {
            let column = u32::try_from(written[..at].chars().count() + 1).ok()?;
            return Some((number, column));
        }
    }
    None
}
