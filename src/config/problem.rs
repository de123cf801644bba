//! A mistake of the author: where it stands, what is wrong, and what was probably meant.
//!
//! It does not say what to do with it: the command line prints it and ends with exit code 2.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::config::tree::Node;
use crate::plan::Origin;
use crate::text;

/// What stands in the place of a file's name where a value is the program's own.
pub const DEFAULTS_SHOWN: &str = "defaults";

/// The place of a value or key in what the author wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// Where it comes from.
    pub origin: Origin,
    /// The file as it was named, or the option as it was typed: `--set key=value`.
    pub file: Arc<str>,
    /// The line, from 1; 0 when only the file is known, and on the command line.
    pub line: u32,
    /// The column in characters, from 1; 0 when only the file is known. On the command line, within the option's argument.
    pub column: u32,
}

/// A mistake of the author.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file as it was named, or the option as it was typed: `--set key=value`.
    pub file: String,
    /// The line, from 1; `None` when only the file is known.
    pub line: Option<u32>,
    /// The column in characters, from 1; `None` when only the file is known.
    pub column: Option<u32>,
    /// The dotted path of the key; empty for the file as a whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// The words of the value that are wrong, where these are only a part of it.
    pub words: Option<String>,
    /// What was probably meant; `None` when nothing comes near.
    pub hint: Option<String>,
    /// The arms that have it, in words; `None` when all have.
    pub arm: Option<String>,
    /// Whether it may only follow from mistakes of structure that are listed before it.
    pub may_follow: bool,
}

/// Everything that is wrong with what an author wrote, each problem once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    list: Vec<Problem>,
    known: BTreeSet<Problem>,
}

/// What makes two problems one: words at a place. Seats that are counted share their places, and differ in the path only.
fn dedup_key(problem: &Problem) -> Problem {
    let path = if problem.line.is_some() { String::new() } else { problem.path.clone() };
    Problem { path, hint: None, may_follow: false, ..problem.clone() }
}

impl Problems {
    /// Takes one more, unless the very same is there, of all arms or of these: arms share most of what was written.
    pub fn push(&mut self, problem: Problem) {
        let of_all = |problem: &Problem| dedup_key(&Problem { arm: None, ..problem.clone() });
        if problem.arm.is_some() && self.known.contains(&of_all(&problem)) {
            return;
        }
        if self.known.insert(dedup_key(&problem)) {
            self.list.push(problem);
        }
    }

    /// Takes what is wrong with the value at a dotted path of a tree, if anything is.
    pub fn note_value(&mut self, tree: &Node, path: &str, outcome: Result<(), String>) {
        if let Err(message) = outcome {
            self.push(tree.problem(path, message));
        }
    }

    /// Takes what is wrong with a key of the mapping at a dotted path of a tree, if anything is.
    pub fn note_key(&mut self, tree: &Node, section: &str, key: &str, outcome: Result<(), String>) {
        let Err(message) = outcome else { return };
        let entries = tree.find(section).map(Node::entries).unwrap_or_default();
        let entry = entries.iter().find(|entry| entry.key == key);
        let place = entry.map_or(tree.place_of(section), |entry| &entry.place);
        self.push(Problem::at_place(place, format!("{section}.{key}"), message));
    }

    /// The value, or nothing and one more problem.
    pub fn ok_or_report<T>(&mut self, outcome: Result<T, Problem>) -> Option<T> {
        outcome.map_err(|problem| self.push(problem)).ok()
    }

    /// Takes all of these.
    pub fn extend(&mut self, problems: Problems) {
        problems.list.into_iter().for_each(|problem| self.push(problem));
    }

    /// Puts the problems in the order in which an author reads: what may follow from others last, then by the file's rank, line and column.
    pub fn sort(&mut self, rank: impl Fn(&Problem) -> usize) {
        self.list.sort_by_cached_key(|problem| (problem.may_follow, rank(problem), problem.clone()));
    }

    /// Keeps only some.
    pub fn retain(&mut self, keep: impl Fn(&Problem) -> bool) {
        self.list.retain(keep);
        self.known = self.list.iter().map(dedup_key).collect();
    }

    /// The problems.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Nothing, when there are none.
    ///
    /// # Errors
    /// The problems, when there are any.
    pub fn into_result(self) -> Result<(), Problems> {
        if self.list.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// A place, to be looked up.
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
        for (place, problem) in self.list.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

impl SourcePlace {
    /// The place of what the program would do by itself.
    pub fn of_default() -> Self {
        Self::of_file(Origin::Default, DEFAULTS_SHOWN)
    }

    /// The place of a whole file.
    pub fn of_file(origin: Origin, file: &str) -> Self {
        Self { origin, file: Arc::from(file), line: 0, column: 0 }
    }
}

impl Problem {
    /// A problem of a whole file, or with no place in any.
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
        }
    }

    /// A problem at a place and path.
    pub fn at_place(place: &SourcePlace, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: place.file.to_string(),
            line: (place.line > 0).then_some(place.line),
            column: (place.column > 0).then_some(place.column),
            path: path.into(),
            message: message.into(),
            words: None,
            hint: None,
            arm: None,
            may_follow: false,
        }
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// The same problem, of these words of the value alone.
    #[must_use]
    pub fn with_words(mut self, words: &str) -> Self {
        self.words = Some(words.to_string()).filter(|words| !words.trim().is_empty());
        self
    }

    /// The same problem with one hint more.
    #[must_use]
    pub fn with_more_hint(mut self, hint: &str) -> Self {
        self.hint = Some(match self.hint {
            Some(first) => format!("{first}; {hint}"),
            None => hint.to_string(),
        });
        self
    }

    /// Whether it is about what stands at this place.
    pub fn is_at_place(&self, place: &SourcePlace) -> bool {
        let at = Self::at_place(place, "", "");
        (&self.file, self.line, self.column) == (&at.file, at.line, at.column)
    }

    /// The file, or the name of the option without its argument.
    pub fn source(&self) -> &str {
        match self.option() {
            Some((option, _)) => option,
            None => &self.file,
        }
    }

    /// Where it stands: `file:line:column`.
    pub fn show_place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.source()),
            _ => self.source().to_string(),
        }
    }

    /// Its path, what is wrong and in which arm, as they follow its place in one line.
    pub fn describe(&self) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!(": {}", one_line(&self.path)) };
        let arm = self.arm.as_ref().map_or(String::new(), |arm| format!(" (in the arm {arm})"));
        format!("{path}: {}{arm}", one_line(&self.message))
    }

    /// The option and its argument as typed, when this is a problem of the command line.
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

/// The text with control characters escaped: a key may hold a line break, a message is one line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => line.extend(character.escape_default()),
            false => line.push(character),
        }
    }
    line
}

/// What was probably meant by a word: the nearest known one, or all of them when none comes near and they are few.
pub fn suggest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    did_you_mean(word, known.iter().copied()).or_else(|| {
        let is_few = (1..=20).contains(&known.len());
        is_few.then(|| format!("known here: {}", known.join(", ")))
    })
}

/// The hint of the nearest known word, where one comes near: for messages that list all of them.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    text::nearest_word(word, known).map(|near| format!("did you mean \"{near}\"?"))
}
