//! Problems as an author reads them: the line that is wrong, what is wrong in it, and a way out.
//!
//! The text is the same with and without colour. Where the lines come from is not known here.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::plain::escape_unseen;
use super::secrets::{cover_secrets, cover_secrets_in_lines};
use super::sheet::Style;
use crate::config::{Problem, Problems};

/// More problems than this are counted and not shown.
const SHOWN: usize = 100;
/// The most cells of a line that are shown before what is wrong, and from there on.
const CELLS: usize = 50;
/// Stands before the problems that may only follow from those above.
const MAY_FOLLOW: &str = "possible consequences of the mistakes above:";

/// A problem with the line it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The problem.
    pub problem: Problem,
    /// The column behind what is wrong, from 1; `None` when no line is known.
    pub end_column: Option<u32>,
    snippet: Option<Snippet>,
}

/// A line as it is shown, and the cells in it that are wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Snippet {
    text: String,
    before: usize,
    cells: usize,
}

/// Finds the line of every problem; `read_source` gives the text of a file by its name, as far as it can be read.
pub fn diagnose(problems: &Problems, mut read_source: impl FnMut(&str) -> Option<String>) -> Vec<Diagnostic> {
    // Thousands of problems may stand in one long line: it is read once.
    let mut sources: BTreeMap<&str, Vec<Vec<char>>> = BTreeMap::new();
    let mut diagnoses = Vec::with_capacity(problems.len());
    for problem in problems.iter() {
        let lines = sources.entry(problem.file.as_str()).or_insert_with(|| match problem.option() {
            Some(_) => vec![cover_secrets(&problem.file).chars().collect()],
            None => split_lines(&read_source(&problem.file).unwrap_or_default()),
        });
        let number = if problem.option().is_some() { Some(1) } else { problem.line };
        let line = number.and_then(|number| lines.get(number.checked_sub(1)? as usize));
        diagnoses.push(point_out(problem, line.map(Vec::as_slice)));
    }
    diagnoses
}

fn split_lines(text: &str) -> Vec<Vec<char>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    cover_secrets_in_lines(&text).iter().map(|line| line.chars().collect()).collect()
}

fn point_out(problem: &Problem, line: Option<&[char]>) -> Diagnostic {
    let problem = Problem {
        message: cover_secrets(&problem.message),
        hint: problem.hint.as_deref().map(cover_secrets),
        ..problem.clone()
    };
    let Some(line) = line else { return Diagnostic { problem, end_column: None, snippet: None } };
    let column = problem.column.map_or(0, |column| (column as usize).saturating_sub(1));
    let start = match problem.option() {
        Some((option, _)) => option.chars().count() + 1 + column,
        None => column,
    };
    let length = measure_mistake(&problem, line, start.min(line.len()));
    let end_column = u32::try_from(column + length + 1).ok();
    Diagnostic { problem, end_column, snippet: Some(Snippet::new(line, start.min(line.len()), length)) }
}

/// How many characters are wrong from a place of a line on.
fn measure_mistake(problem: &Problem, line: &[char], start: usize) -> usize {
    let rest = &line[start..];
    let words = problem.words.as_deref().unwrap_or_default();
    if !words.is_empty() && words.chars().eq(rest.iter().take(words.chars().count()).copied()) {
        return words.chars().count();
    }
    let count = |is_part: fn(char) -> bool| rest.iter().take_while(|c| is_part(**c)).count().max(1);
    match problem.option() {
        _ if problem.file.ends_with(".j2") && start > 0 => count(|c| c.is_alphanumeric() || matches!(c, '_' | '.')),
        Some(_) if problem.column.is_none() => rest.len(),
        // A key of a dotted path.
        Some(_) if rest.contains(&'=') => count(|c| !matches!(c, '.' | '=')),
        _ => measure_token(rest),
    }
}

/// How many characters the key, value or cell has that a text begins with.
fn measure_token(rest: &[char]) -> usize {
    let end = match rest.first() {
        None => 0,
        Some(quote @ ('"' | '\'')) => {
            rest[1..].iter().position(|c| c == quote).map_or(rest.len(), |closing| closing + 2)
        }
        Some('[' | '{' | '|' | '>') => 1,
        Some('-') if rest.get(1).is_none_or(|next| next.is_whitespace()) => 1,
        Some(_) => {
            let is_end = |place: &usize| match rest[*place] {
                ',' | ']' | '}' => true,
                ':' => rest.get(place + 1).is_none_or(|next| next.is_whitespace()),
                '#' => *place > 0 && rest[place - 1].is_whitespace(),
                _ => false,
            };
            (0..rest.len()).find(is_end).unwrap_or(rest.len())
        }
    };
    let blank = rest[..end].iter().rev().take_while(|c| c.is_whitespace()).count();
    (end - blank).max(1)
}

impl Snippet {
    /// The part of a line around what is wrong, as many cells as fit on a screen.
    fn new(line: &[char], start: usize, length: usize) -> Self {
        let first = start - count_fitting(line[..start].iter().rev());
        let last = start + count_fitting(line[start..].iter());
        let end = (start + length).min(last);
        let before = format!("{}{}", if first > 0 { "…" } else { "" }, show(&line[first..start]));
        let wrong = show(&line[start..end]);
        let behind = format!("{}{}", show(&line[end..last]), if last < line.len() { "…" } else { "" });
        Self { before: before.width(), cells: wrong.width().max(1), text: format!("{before}{wrong}{behind}") }
    }
}

/// How many characters fit into the cells that are shown on one side. One that takes no cell counts as one.
fn count_fitting<'c>(characters: impl Iterator<Item = &'c char>) -> usize {
    let mut used = 0;
    let fits = |c: &&char| {
        used += c.width().unwrap_or(0).max(1);
        used <= CELLS
    };
    characters.take_while(fits).count()
}

fn show(characters: &[char]) -> String {
    escape_unseen(&characters.iter().collect::<String>().replace('\t', "    "))
}

/// The problems as text, each with its line, and how many there are; ends without a line break.
pub fn render_problems(diagnoses: &[Diagnostic], style: Style) -> String {
    let mut text = String::new();
    for (place, diagnosis) in diagnoses.iter().enumerate().take(SHOWN) {
        let is_first = place > 0 && !diagnoses[place - 1].problem.may_follow;
        if diagnosis.problem.may_follow && is_first {
            text.push_str(&format!("{MAY_FOLLOW}\n"));
        }
        diagnosis.render(style, &mut text);
    }
    if diagnoses.len() > SHOWN {
        text.push_str(&format!("and {} more\n", diagnoses.len() - SHOWN));
    }
    text.push_str(&count_problems(diagnoses));
    text
}

fn count_problems(diagnoses: &[Diagnostic]) -> String {
    let sources: IndexSet<&str> = diagnoses.iter().map(|diagnosis| diagnosis.problem.source()).collect();
    let sources = Vec::from_iter(sources);
    let number = diagnoses.len();
    let noun = if number == 1 { "problem" } else { "problems" };
    let places = match &sources[..] {
        [] => String::new(),
        [one] => format!(" in {one}"),
        [before @ .., last] if before.len() < 3 => format!(" in {} and {last}", before.join(", ")),
        [first, ..] => format!(" in {first} and {} other files", sources.len() - 1),
    };
    escape_unseen(&format!("{number} {noun}{places}"))
}

impl Diagnostic {
    fn render(&self, style: Style, text: &mut String) {
        let problem = &self.problem;
        let place = paint(&escape_unseen(&problem.show_place()), "1", style);
        text.push_str(&format!("{place}{}\n", escape_unseen(&problem.describe())));
        if let Some(snippet) = &self.snippet {
            let number = problem.line.map_or(String::new(), |line| line.to_string());
            let carets = paint(&"^".repeat(snippet.cells), "1;31", style);
            text.push_str(format!("{number:>5} | {}", snippet.text).trim_end());
            text.push_str(&format!("\n      | {}{carets}\n", " ".repeat(snippet.before)));
        }
        if let Some(hint) = &problem.hint {
            text.push_str(&format!("      = {}\n", escape_unseen(hint).replace('\n', "\\n")));
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let problem = &self.problem;
        serde_json::json!({
            "file": problem.source(),
            "argument": problem.option().map(|(_, argument)| cover_secrets(argument)),
            "line": problem.line,
            "column": problem.column,
            "end_column": self.end_column,
            "path": problem.path,
            "message": problem.message,
            "hint": problem.hint,
            "arm": problem.arm,
        })
    }
}

/// The problems as a list for other programs: file, line, column, end column, path, message, hint, arm.
pub fn diagnoses_json(diagnoses: &[Diagnostic]) -> serde_json::Value {
    diagnoses.iter().map(Diagnostic::to_json).collect()
}

fn paint(text: &str, code: &str, style: Style) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Coloured => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}

#[cfg(test)]
mod tests;
