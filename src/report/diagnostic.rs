//! Problems as an author reads them: the line that is wrong, what is wrong in it, and a way out.
//!
//! The text is the same with and without colour. Where the lines come from is not known here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

use concealed::{concealed, concealed_line, concealed_lines, covered, key_of};
use hidden::Hidden;

use super::plain::visible;
use crate::plan::{Problem, Problems};

mod concealed;
mod hidden;

/// More problems than this are counted and not told.
const SHOWN: usize = 100;
/// Cells of a line that are shown before and behind what is wrong.
const BEFORE: usize = 50;
const BEHIND: usize = 50;
/// Characters that are shown there at the most: some take no cell.
const CHARACTERS: usize = 200;
/// Cells to the next stop of a tab.
const TAB: usize = 4;

/// Whether the terminal is told to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With the codes of a terminal for bold and red.
    Coloured,
}

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

/// Finds the line of every problem; `source` gives the text of a file by its name, as far as it can be read.
///
/// However many problems a line has, it is gone through once: a flow of thousands of values may stand in one.
pub fn diagnose(problems: &Problems, mut source: impl FnMut(&str) -> Option<String>) -> Vec<Diagnostic> {
    let mut texts: BTreeMap<&str, Text> = BTreeMap::new();
    let mut lines: BTreeMap<(&str, usize), Option<Line>> = BTreeMap::new();
    let mut diagnoses = Vec::with_capacity(problems.len());
    for problem in problems.iter() {
        let number = problem.line.map_or(0, |line| line as usize);
        let text = texts.entry(problem.file.as_str()).or_insert_with(|| match problem.option() {
            Some(_) => Text::of_option(&problem.file),
            None => Text::of(&lines_of(source(&problem.file))),
        });
        let place = if problem.option().is_some() { Some(0) } else { number.checked_sub(1) };
        let line = lines
            .entry((problem.file.as_str(), number))
            .or_insert_with(|| place.and_then(|place| text.told.get(place)).map(|line| Line::of(line)));
        // A key that stands in a line of its own is known by the path alone.
        let covered = line.as_ref().zip(key_of(problem)).map(|(line, key)| line.covered_from(problem, key));
        if let Some((before, after)) = line.as_ref().zip(covered.as_ref()) {
            text.hidden.note(&before.text(), &after.text());
        }
        diagnoses.push(diagnosis(&text.unquoted(problem), covered.as_ref().or(line.as_ref())));
    }
    diagnoses
}

/// What an author wrote, as it is told.
struct Text {
    told: Vec<String>,
    /// The values that are covered in it.
    hidden: Hidden,
}

impl Text {
    fn of(lines: &[String]) -> Self {
        let (told, mut hidden) = (concealed_lines(lines), Hidden::default());
        lines.iter().zip(&told).for_each(|(line, told)| hidden.note(line, told));
        Self { told, hidden }
    }

    fn of_option(option: &str) -> Self {
        let (told, mut hidden) = (concealed_line(option), Hidden::default());
        hidden.note(option, &told);
        Self { told: vec![told], hidden }
    }

    /// The problem without the covered values, which a message or hint may quote.
    fn unquoted(&self, problem: &Problem) -> Problem {
        let without = |words: &str| self.hidden.without(words);
        Problem { message: without(&problem.message), hint: problem.hint.as_deref().map(without), ..problem.clone() }
    }
}

/// What an author wrote in a file, without keys and without what addresses hold of passwords.
pub fn without_secrets(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    concealed_lines(&lines).join("\n")
}

/// The lines of a text; none where there is no text.
fn lines_of(text: Option<String>) -> Vec<String> {
    let Some(text) = text else { return Vec::new() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_owned).collect()
}

/// A line in which something is wrong.
struct Line {
    characters: Vec<char>,
    /// The cells before each character, and those of the whole line.
    cells: Vec<usize>,
    /// The brackets opened and not closed before each character; less than none where more are closed.
    open: Vec<i32>,
}

impl Line {
    fn of(line: &str) -> Self {
        let characters: Vec<char> = line.chars().collect();
        let (mut cells, mut open) = (vec![0], Vec::with_capacity(characters.len()));
        let (mut column, mut depth) = (0, 0);
        for character in &characters {
            open.push(depth);
            depth += match character {
                '[' | '{' => 1,
                ']' | '}' => -1,
                _ => 0,
            };
            column += width(*character, column);
            cells.push(column);
        }
        Self { characters, cells, open }
    }

    fn text(&self) -> String {
        self.characters.iter().collect()
    }

    /// The same with the value of a key covered that begins where a problem stands.
    fn covered_from(&self, problem: &Problem, key: &str) -> Self {
        let argument = problem.option().map_or(0, |(option, _)| option.chars().count() + 1);
        let column = problem.column.map_or(0, |column| (column as usize).saturating_sub(1));
        let place = (argument + column).min(self.characters.len());
        let (before, value): (String, String) =
            (self.characters[..place].iter().collect(), self.characters[place..].iter().collect());
        Self::of(&format!("{before}{}", covered(key, &value)))
    }

    /// The characters of the line without the blank space around them.
    fn trimmed(&self) -> (usize, usize) {
        let is_blank = |character: &&char| character.is_whitespace();
        let before = self.characters.iter().take_while(is_blank).count();
        let behind = self.characters[before..].iter().rev().take_while(is_blank).count();
        (before, self.characters.len() - before - behind)
    }
}

fn diagnosis(problem: &Problem, line: Option<&Line>) -> Diagnostic {
    let Some(line) = line else {
        return Diagnostic { problem: problem.clone(), end_column: None, snippet: None };
    };
    let column = problem.column.map_or(0, |column| (column as usize).saturating_sub(1));
    let (start, length) = match problem.option() {
        Some((option, _)) => {
            let argument = option.chars().count() + 1;
            let start = if problem.column.is_some() { argument + column } else { argument };
            let whole = line.characters.len().saturating_sub(start);
            (start, if problem.column.is_some() { in_argument(line, start) } else { whole })
        }
        None if is_at(line, column, problem.words.as_deref()) => {
            (column, problem.words.as_deref().unwrap_or_default().chars().count())
        }
        None if is_yaml(&problem.file) => (column, in_yaml(line, column)),
        None if is_of(&problem.file, ".csv") => (column, in_csv(line, column)),
        None if is_of(&problem.file, ".j2") && column > 0 => (column, in_template(line, column)),
        None => {
            let (blank, length) = line.trimmed();
            (column.max(blank), length)
        }
    };
    let end = u32::try_from(column + length + 1).unwrap_or(u32::MAX);
    let snippet = Some(Snippet::of(line, start, length.max(1)));
    Diagnostic { problem: problem.clone(), end_column: Some(end), snippet }
}

/// Whether these words stand at a place of a line.
fn is_at(line: &Line, column: usize, words: Option<&str>) -> bool {
    let rest = line.characters.get(column..).unwrap_or_default();
    words.is_some_and(|words| {
        let mut rest = rest.iter();
        words.chars().all(|character| rest.next() == Some(&character))
    })
}

fn is_yaml(file: &str) -> bool {
    [".yaml", ".yml"].iter().any(|ending| is_of(file, ending))
}

fn is_of(file: &str, ending: &str) -> bool {
    file.to_ascii_lowercase().ends_with(ending)
}

/// How many characters the cell takes that begins at a place of a line of CSV; a cell may end in another line.
fn in_csv(line: &Line, start: usize) -> usize {
    let rest = line.characters.get(start..).unwrap_or_default();
    match rest.first() {
        Some('"') => rest[1..].iter().position(|character| *character == '"').map_or(rest.len(), |end| end + 2),
        _ => rest.iter().position(|character| *character == ',').unwrap_or(rest.len()),
    }
}

/// How many characters the name takes that begins at a place of a template; any other mark is one.
fn in_template(line: &Line, start: usize) -> usize {
    let rest = line.characters.get(start..).unwrap_or_default();
    let is_of_name = |character: &&char| character.is_alphanumeric() || matches!(character, '_' | '.');
    rest.iter().take_while(is_of_name).count().max(1)
}

/// How many characters of an option's argument are wrong: a key up to the next dot or `=`, a value as in YAML.
fn in_argument(line: &Line, start: usize) -> usize {
    let characters = &line.characters;
    let equals = characters.iter().position(|character| *character == '=').unwrap_or(characters.len());
    match start < equals {
        true => characters[start..equals].iter().position(|character| *character == '.').unwrap_or(equals - start),
        false => in_yaml(line, start),
    }
}

/// How many characters the key or value takes that begins at a place of a YAML line; 0 behind its end.
fn in_yaml(line: &Line, start: usize) -> usize {
    let rest = line.characters.get(start..).unwrap_or_default();
    let Some(first) = rest.first() else { return 0 };
    match first {
        '"' | '\'' => quoted(rest, *first),
        '[' | '{' => bracketed(rest),
        '|' | '>' => rest.iter().take_while(|character| !character.is_whitespace()).count(),
        '-' if rest.get(1).is_none_or(|next| *next == ' ') => 1,
        first if first.is_whitespace() => 1,
        _ => plain(line, start),
    }
}

fn quoted(rest: &[char], mark: char) -> usize {
    let mut escaped = false;
    for (place, character) in rest.iter().enumerate().skip(1) {
        if *character == mark && !escaped {
            return place + 1;
        }
        escaped = mark == '"' && *character == '\\' && !escaped;
    }
    rest.len()
}

/// To the bracket that closes the first one, or the first one alone when that stands on another line.
fn bracketed(rest: &[char]) -> usize {
    let mut depth = 0usize;
    for (place, character) in rest.iter().enumerate() {
        match character {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return place + 1;
        }
    }
    1
}

fn plain(line: &Line, start: usize) -> usize {
    let is_flow = line.open[start] > 0;
    let rest = &line.characters[start..];
    let ends = |place: usize| {
        let next = rest.get(place + 1);
        match rest[place] {
            ':' => next.is_none_or(|next| next.is_whitespace()),
            '#' => place > 0 && rest[place - 1] == ' ',
            ',' => is_flow || next.is_none(),
            ']' | '}' => is_flow,
            _ => false,
        }
    };
    let end = (0..rest.len()).find(|place| ends(*place)).unwrap_or(rest.len());
    let blank = rest[..end].iter().rev().take_while(|character| character.is_whitespace()).count();
    (end - blank).max(1)
}

impl Snippet {
    /// The part of a line around what is wrong, as many cells as fit on a screen.
    fn of(line: &Line, start: usize, length: usize) -> Self {
        let Line { characters, cells, .. } = line;
        let start = start.min(characters.len());
        let sum = |from: usize, to: usize| cells[to] - cells[from];
        let mut first = start;
        while first > 0 && start - first < CHARACTERS && sum(first - 1, start) <= BEFORE {
            first -= 1;
        }
        let mut last = start;
        while last < characters.len() && last - start < CHARACTERS && sum(start, last + 1) <= BEHIND {
            last += 1;
        }
        let (head, tail) = (if first > 0 { "…" } else { "" }, if last < characters.len() { "…" } else { "" });
        let part: String = (first..last).map(|place| shown(characters[place], cells[place])).collect();
        Self {
            text: format!("{head}{part}{tail}"),
            before: head.chars().count() + sum(first, start),
            cells: sum(start, (start + length).min(last)).max(1),
        }
    }
}

/// A character as it is shown behind so many cells.
fn shown(character: char, column: usize) -> String {
    match character {
        '\t' => " ".repeat(width(character, column)),
        _ => visible(character.encode_utf8(&mut [0; 4])),
    }
}

/// The cells that a character takes behind so many others.
fn width(character: char, column: usize) -> usize {
    match character {
        '\t' => TAB - column % TAB,
        ' '..='~' => 1,
        _ => {
            // What is made visible is longer than one character.
            let written = visible(character.encode_utf8(&mut [0; 4])).chars().count();
            if written > 1 { written } else { character.width().unwrap_or(0) }
        }
    }
}

/// The problems as text, each with its line, and how many there are; ends without a line break.
pub fn tell(diagnoses: &[Diagnostic], style: Style) -> String {
    let mut text = String::new();
    for diagnosis in diagnoses.iter().take(SHOWN) {
        diagnosis.tell(style, &mut text);
    }
    if diagnoses.len() > SHOWN {
        line(&mut text, &format!("and {} more", diagnoses.len() - SHOWN));
    }
    text.push_str(&counted(diagnoses));
    text
}

fn counted(diagnoses: &[Diagnostic]) -> String {
    let mut sources: Vec<&str> = Vec::new();
    for diagnosis in diagnoses {
        let source = diagnosis.problem.source();
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let number = diagnoses.len();
    let noun = if number == 1 { "problem" } else { "problems" };
    let places = match &sources[..] {
        [] => String::new(),
        [one] => format!(" in {one}"),
        [before @ .., last] if before.len() < 3 => format!(" in {} and {last}", before.join(", ")),
        [first, ..] => format!(" in {first} and {} other files", sources.len() - 1),
    };
    visible(&format!("{number} {noun}{places}"))
}

fn line(text: &mut String, words: &str) {
    text.push_str(words);
    text.push('\n');
}

impl Diagnostic {
    fn tell(&self, style: Style, text: &mut String) {
        let problem = &self.problem;
        let mut place = visible(problem.source());
        if let (Some(line), Some(column), None) = (problem.line, problem.column, problem.option()) {
            write!(place, ":{line}:{column}").expect("invariant: a string takes every character");
        }
        let said = Problem { hint: None, ..problem.clone() }.to_string();
        let said = said.strip_prefix(&said_place(problem)).unwrap_or(&said).to_owned();
        line(text, &format!("{}{}", painted(&place, "1", style), visible(&concealed(&said))));
        if let Some(snippet) = &self.snippet {
            let number = problem.line.map_or(String::new(), |line| line.to_string());
            line(text, format!("{number:>5} | {}", snippet.text).trim_end());
            let carets = painted(&"^".repeat(snippet.cells), "1;31", style);
            line(text, &format!("      | {}{carets}", " ".repeat(snippet.before)));
        }
        if let Some(hint) = &problem.hint {
            line(text, &format!("      = {}", visible(&concealed_line(hint)).replace('\n', "\\n")));
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let problem = &self.problem;
        serde_json::json!({
            "file": problem.source(),
            "argument": problem.option().map(|(_, argument)| concealed_line(argument)),
            "line": problem.line,
            "column": problem.column,
            "end_column": self.end_column,
            "path": problem.path,
            "message": concealed(&problem.message),
            "hint": problem.hint.as_deref().map(concealed_line),
            "arm": problem.arm,
        })
    }
}

/// What a problem's one line says first: where it is.
fn said_place(problem: &Problem) -> String {
    match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!("{}:{line}:{column}", problem.source()),
        _ => problem.source().to_owned(),
    }
}

/// The problems as a list for other programs: file, line, column, end column, path, message, hint, arm.
pub fn diagnoses_json(diagnoses: &[Diagnostic]) -> serde_json::Value {
    diagnoses.iter().map(Diagnostic::to_json).collect()
}

fn painted(text: &str, code: &str, style: Style) -> String {
    match style {
        Style::Plain => text.to_owned(),
        Style::Coloured => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}

#[cfg(test)]
mod tests;
