//! An error in the author's input: its place, message and hint.
//!
//! The command line prints it and exits with code 2.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::config::tree::Node;
use crate::plan::Origin;
use crate::text;

/// The file name for values that are the program's defaults.
pub const DEFAULTS_SHOWN: &str = "defaults";

/// The place of a value or key in the author's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The layer that set the value.
    pub origin: Origin,
    /// The file name, or the option as typed: `--set key=value`.
    pub file: Arc<str>,
    /// The line, from 1; 0 if only the file is known, and on the command line.
    pub line: u32,
    /// The column in characters, from 1, on the command line within the option's argument; 0 if only the file is known.
    pub column: u32,
}

/// An error in the author's input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file name, or the option as typed: `--set key=value`.
    pub file: String,
    /// The line, from 1; `None` if only the file is known.
    pub line: Option<u32>,
    /// The column in characters, from 1; `None` if only the file is known.
    pub column: Option<u32>,
    /// The dotted path of the key; empty for the entire file.
    pub path: String,
    /// The error message.
    pub message: String,
    /// The wrong words, if they are only a part of the value.
    pub words: Option<String>,
    /// How to fix it, if there is a suggestion.
    pub hint: Option<String>,
    /// The arms that have the problem, in words; `None` for all.
    pub arm: Option<String>,
    /// Whether earlier structural errors may have caused it.
    pub may_follow: bool,
    /// The only section whose structural errors may cause it; `None` if those of any may.
    pub depends_on: Option<&'static str>,
}

/// All problems in the author's input, without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    list: Vec<Problem>,
    known: BTreeSet<Problem>,
}

/// The identity of a problem: its message and place. Counted seats share their places, so the path counts only without a line.
fn dedup_key(problem: &Problem) -> Problem {
    let path = if problem.line.is_some() { String::new() } else { problem.path.clone() };
    Problem { path, hint: None, may_follow: false, ..problem.clone() }
}

impl Problems {
    /// Adds a problem, unless an equal one is known for the same arms or for all: arms share most of their config.
    pub fn push(&mut self, problem: Problem) {
        let of_all = |problem: &Problem| dedup_key(&Problem { arm: None, ..problem.clone() });
        if problem.arm.is_some() && self.known.contains(&of_all(&problem)) {
            return;
        }
        if self.known.insert(dedup_key(&problem)) {
            self.list.push(problem);
        }
    }

    /// Adds a problem with a key of the mapping at a dotted path of a tree, if there is one.
    pub fn note_key(&mut self, tree: &Node, section: &str, key: &str, outcome: Result<(), String>) {
        let Err(message) = outcome else { return };
        let entry = tree.entries_at(section).iter().find(|entry| entry.key == key);
        let place = entry.map_or(tree.place_of(section), |entry| &entry.place);
        self.push(Problem::at_place(place, format!("{section}.{key}"), message));
    }

    /// Returns the value, or adds the problem.
    pub fn ok_or_report<T>(&mut self, outcome: Result<T, Problem>) -> Option<T> {
        outcome.map_err(|problem| self.push(problem)).ok()
    }

    /// Returns the value, or adds a problem with what stands at a dotted path of a tree.
    pub fn ok_or_report_at<T>(&mut self, tree: &Node, path: &str, outcome: Result<T, String>) -> Option<T> {
        self.ok_or_report(outcome.map_err(|message| tree.problem(path, message)))
    }

    /// Adds all problems of another list.
    pub fn extend(&mut self, problems: Problems) {
        problems.list.into_iter().for_each(|problem| self.push(problem));
    }

    /// Sorts by reading order: problems that may follow from others last, then by the file's rank, line and column.
    pub fn sort(&mut self, rank: impl Fn(&Problem) -> usize) {
        self.list.sort_by_cached_key(|problem| (problem.may_follow, rank(problem), problem.clone()));
    }

    /// Keeps the problems that match.
    pub fn retain(&mut self, keep: impl Fn(&Problem) -> bool) {
        self.list.retain(keep);
        self.known = self.list.iter().map(dedup_key).collect();
    }

    /// All problems in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// The number of problems.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// `Ok` if there are no problems.
    ///
    /// # Errors
    /// All problems, if there are any.
    pub fn into_result(self) -> Result<(), Problems> {
        if self.list.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// A place as a key for lookups: file, line and column.
pub type Spot<'a> = (&'a str, u32, u32);

pub fn gather_spots<'a>(node: &'a Node, places: &mut BTreeSet<Spot<'a>>) {
    places.insert(spot_of(&node.place));
    node.items().iter().for_each(|item| gather_spots(item, places));
    for entry in node.entries() {
        places.insert(spot_of(&entry.place));
        gather_spots(&entry.node, places);
    }
}

pub fn spot_of(place: &SourcePlace) -> Spot<'_> {
    (&place.file, place.line, place.column)
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        let mut problems = Self::default();
        problems.push(problem);
        problems
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.list.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Problems {}

impl SourcePlace {
    /// The place of the program's own defaults.
    pub fn of_default() -> Self {
        Self::of_file(Origin::Default, DEFAULTS_SHOWN)
    }

    /// The place of an entire file.
    pub fn of_file(origin: Origin, file: &str) -> Self {
        Self { origin, file: Arc::from(file), line: 0, column: 0 }
    }
}

impl Problem {
    /// A problem of an entire file, or without a place.
    pub fn of_file(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_string(),
            line: None,
            column: None,
            path: String::new(),
            message: message.into(),
            words: None,
            hint: None,
            arm: None,
            may_follow: false,
            depends_on: None,
        }
    }

    /// A problem at a place and path.
    pub fn at_place(place: &SourcePlace, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            line: (place.line > 0).then_some(place.line),
            column: (place.column > 0).then_some(place.column),
            path: path.into(),
            ..Self::of_file(&place.file, message)
        }
    }

    /// A name that nothing of a kind has; the hint suggests one of the known names.
    pub fn unknown_name<'a>(
        place: &SourcePlace,
        path: &str,
        (kind, name): (&str, &str),
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::at_place(place, path, format!("no {kind} is named \"{name}\"")).with_hint(suggest_word(name, known))
    }

    /// Sets the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Limits the problem to some words of the value.
    #[must_use]
    pub fn with_words(mut self, words: &str) -> Self {
        self.words = Some(words.to_string()).filter(|words| !words.trim().is_empty());
        self
    }

    /// Sets the hint, or adds to it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        let advice = advice.into();
        self.hint = Some(self.hint.map_or(advice.clone(), |first| format!("{first}; {advice}")));
        self
    }

    /// Whether the problem is at this place.
    pub fn is_at_place(&self, place: &SourcePlace) -> bool {
        let at = Self::at_place(place, "", "");
        (&self.file, self.line, self.column) == (&at.file, at.line, at.column)
    }

    /// The file name, or the option without its argument.
    pub fn source(&self) -> &str {
        self.option().map_or(&self.file, |(option, _)| option)
    }

    /// Formats the place as `file:line:column`.
    pub fn show_place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.source()),
            _ => self.source().to_string(),
        }
    }

    /// Formats the path, the message and the arms, to follow the place.
    pub fn describe(&self) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!(": {}", one_line(&self.path)) };
        let arm = self.arm.as_ref().map_or(String::new(), |arm| format!(" (in the arm {arm})"));
        format!("{path}: {}{arm}", one_line(&self.message))
    }

    /// The option and its argument as typed, for a problem of the command line.
    pub fn option(&self) -> Option<(&str, &str)> {
        self.file.strip_prefix("--").and_then(|_| self.file.split_once(' '))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.show_place(), self.describe())?;
        match &self.hint {
            Some(hint) => write!(f, "; {}", one_line(hint)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// Escapes control characters, because keys may contain line breaks and a message is one line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { line.extend(character.escape_default()) } else { line.push(character) }
    }
    line
}

/// A hint with the nearest known word, or with all of them if there are few.
pub fn suggest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    did_you_mean(word, known.iter().copied()).or_else(|| {
        let is_few = (1..=24).contains(&known.len());
        is_few.then(|| format!("known here: {}", known.join(", ")))
    })
}

/// A hint with the nearest known word, if one is similar.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    text::nearest_word(word, known).map(|near| format!("did you mean \"{near}\"?"))
}
