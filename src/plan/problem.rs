//! A mistake of the author: where it stands, what is wrong, and what was probably meant.
//!
//! It does not say what to do with it: the command line prints it and ends with exit code 2.

use std::fmt;
use std::sync::Arc;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The engine's default.
    Default,
    /// The scenario.
    Scenario,
    /// The config.
    Config,
    /// The command line: `--set`, `--seed` or `--replicates`.
    CommandLine,
    /// The change of a fork.
    Fork,
    /// A level of the design.
    Arm,
}

/// The place of a value or key in what the author wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it comes from.
    pub origin: Origin,
    /// The file as it was named, or `--set`.
    pub file: Arc<str>,
    /// The line, from 1; 0 when only the file is known.
    pub line: u32,
    /// The column in characters, from 1; 0 when only the file is known.
    pub column: u32,
}

/// A mistake of the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file as it was named, or `--set`.
    pub file: String,
    /// The line, from 1; `None` when only the file is known.
    pub line: Option<u32>,
    /// The column in characters, from 1; `None` when only the file is known.
    pub column: Option<u32>,
    /// The dotted path of the key; empty for the file as a whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What was probably meant; `None` when nothing comes near.
    pub hint: Option<String>,
}

/// Everything that is wrong with what an author wrote, in the order in which it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Takes one more, unless the very same is there: arms share most of what was written.
    pub fn push(&mut self, problem: Problem) {
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// The value, or nothing and one more problem.
    pub fn keep<T>(&mut self, outcome: Result<T, Problem>) -> Option<T> {
        outcome.map_err(|problem| self.push(problem)).ok()
    }

    /// Takes all of these.
    pub fn extend(&mut self, problems: Problems) {
        problems.0.into_iter().for_each(|problem| self.push(problem));
    }

    /// The problems.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Nothing, when there are none.
    ///
    /// # Errors
    /// The problems, when there are any.
    pub fn none(self) -> Result<(), Problems> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

impl Origin {
    /// The word behind `#` in `plan.yaml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::Scenario => "scenario",
            Origin::Config => "config",
            Origin::CommandLine => "--set",
            Origin::Fork => "fork",
            Origin::Arm => "arm",
        }
    }
}

impl Place {
    /// The place of a whole file.
    pub fn file(origin: Origin, file: &str) -> Self {
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
            hint: None,
        }
    }

    /// A problem at a place and path.
    pub fn at(place: &Place, path: impl Into<String>, message: impl Into<String>) -> Self {
        let known = place.line > 0;
        Self {
            file: place.file.to_string(),
            line: known.then_some(place.line),
            column: known.then_some(place.column),
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", one_line(&self.path))?;
        }
        write!(f, ": {}", one_line(&self.message))?;
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
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let nearest = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase()), *candidate))
        .min();
    match nearest {
        Some((distance, candidate)) if distance <= 1 + candidate.chars().count() / 4 => {
            Some(format!("did you mean \"{candidate}\"?"))
        }
        Some(_) if known.len() <= 12 => Some(format!("known here: {}", known.join(", "))),
        _ => None,
    }
}
