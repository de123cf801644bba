//! A session as it happens, on a terminal: a few lines a record, none wider than the terminal.
//!
//! What is said stands in full up to a length, behind which `show` tells the rest; what was drawn and closed is left out.

use super::diagnostic::Style;
use super::lines::{fitted, padded, wrapped_within};
use super::render::{counted, grouped};
use super::told::{Form, Heard, Reader, Told};
use crate::domain::{Event, Record};
use crate::text::{char_count, put_line};

/// Characters of one text that are shown.
const TEXT_MAX: usize = 4_000;
/// Columns that words have at the least, whatever stands before them.
const WORDS_MIN: usize = 20;
/// Columns of a session's name at the most.
const NAME_MAX: usize = 40;

/// What is written on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// Columns of a line.
    pub columns: usize,
    /// Whether names and private words are set off.
    pub style: Style,
}

impl Sheet {
    /// What is no terminal: plain, and as wide as a page.
    pub const PAGE: Self = Self { columns: 80, style: Style::Plain };

    /// The sheet with lines that can be read: no longer than eyes find back from, and none so short that a line holds no words.
    pub fn for_reading(self) -> Self {
        Self { columns: self.columns.clamp(40, 120), ..self }
    }

    /// What sets a heading off, and what ends it.
    pub fn strong(self) -> (&'static str, &'static str) {
        match self.style {
            Style::Plain => ("", ""),
            Style::Coloured => ("\u{1b}[1m", "\u{1b}[0m"),
        }
    }
}

/// One session that is followed.
#[derive(Debug, Clone)]
pub struct Follow {
    /// What begins each line, where several sessions are followed.
    name: Option<String>,
    sheet: Sheet,
    reader: Reader,
    /// Records that were there before, since the last one that was told.
    passed_over: u64,
}

impl Follow {
    /// Follows a session from its first record; with a name each of its lines begins with it.
    pub fn new(name: Option<&str>, sheet: Sheet) -> Self {
        Self { name: name.map(str::to_owned), sheet, reader: Reader::default(), passed_over: 0 }
    }

    /// Takes note of a record that was there before, and tells nothing of it.
    pub fn pass_over(&mut self, record: &Record) {
        self.reader.take(record);
        self.passed_over += 1;
    }

    /// The next record, in lines; empty where there is nothing to read in it.
    pub fn take(&mut self, record: &Record) -> String {
        let mut out = String::new();
        if self.passed_over > 0 {
            let before = format!("goes on; {} were there before", counted(self.passed_over, "record"));
            self.put(&mut out, Tone::Faint, "", &before);
            self.passed_over = 0;
        }
        let told = self.reader.take(record);
        if !is_left_out(record, &told) {
            self.told(&mut out, record, &told);
        }
        out
    }

    fn told(&self, out: &mut String, record: &Record, told: &Told) {
        let number = match (told.form, record.at.turn) {
            (Form::Speech, 1..) => format!("#{}.{} ", record.at.round, record.at.turn),
            _ => String::new(),
        };
        let who = told.who.as_deref().map_or(String::new(), |who| format!("{who} "));
        let heard = match told.heard {
            Heard::Everyone | Heard::Listeners => None,
            _ if matches!(told.form, Form::Opening | Form::Outcome) => None,
            _ => Some(told.heard.words()),
        };
        let is_brief = told.form == Form::Aside;
        let more = told.notes.iter().filter(|note| !is_brief || !note.starts_with("shown in the order"));
        let more: String = more.cloned().chain(heard).map(|note| format!(" · {note}")).collect();
        let (lead, indent, tone) = match told.form {
            Form::Opening => ("── ", "   ", Tone::Strong),
            Form::Outcome => ("── ", "   ", Tone::Strong),
            Form::Speech => ("", "  ", Tone::Strong),
            Form::Procedure if told.who.is_some() => ("", "  ", Tone::Strong),
            Form::Aside | Form::Fault | Form::Procedure | Form::Closing => ("", "  ", Tone::Faint),
        };
        self.put(out, tone, "", &format!("{lead}{number}{who}{}{more}", told.what));
        let words_tone = if told.heard.is_private() { Tone::Faint } else { Tone::Plain };
        for line in &told.lines {
            self.put(out, words_tone, indent, line);
        }
        if let Some(words) = told.words.as_deref().filter(|_| is_worth_reading(record)) {
            let end = words.char_indices().nth(TEXT_MAX).map_or(words.len(), |(end, _)| end);
            for line in words[..end].lines() {
                self.put(out, words_tone, indent, line);
            }
            if end < words.len() {
                let all = grouped(char_count(words));
                self.put(out, Tone::Faint, indent, &format!("… {all} characters in all"));
            }
        }
    }

    /// One text, in as many lines as it takes.
    fn put(&self, out: &mut String, tone: Tone, indent: &str, text: &str) {
        let columns = self.sheet.columns;
        let name = self.name.as_deref().map(|name| {
            let widest = columns.saturating_sub(WORDS_MIN + 5).clamp(1, NAME_MAX);
            let name = fitted(name, widest);
            format!("{name}  ")
        });
        let name = name.unwrap_or_default();
        let blank = padded("", super::lines::width(&name));
        let mut lines = String::new();
        wrapped_within(
            &mut lines,
            &format!("{blank}{indent}"),
            text,
            columns.max(blank.len() + indent.len() + WORDS_MIN),
        );
        for line in lines.lines() {
            let words = &line[blank.len()..];
            let (on, off) = match (self.sheet.style, tone) {
                (Style::Plain, _) | (_, Tone::Plain) => ("", ""),
                (Style::Coloured, Tone::Strong) => ("\u{1b}[1m", "\u{1b}[0m"),
                (Style::Coloured, Tone::Faint) => ("\u{1b}[2m", "\u{1b}[0m"),
            };
            put_line!(out, "{name}{on}{words}{off}");
        }
    }
}

/// How words are set off on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Plain,
    Strong,
    Faint,
}

/// What is drawn, closed or not done is nothing to follow.
fn is_left_out(record: &Record, told: &Told) -> bool {
    let is_silent = matches!(
        record.event,
        Event::Seated { .. }
            | Event::Networked { .. }
            | Event::Volunteered { urgency: None, .. }
            | Event::CallAnswered { calls: false, .. }
    );
    told.form == Form::Closing || is_silent
}

/// The reply behind a choice is left to `show`; what is said, thought, written and wrong is not.
fn is_worth_reading(record: &Record) -> bool {
    matches!(
        record.event,
        Event::Spoke { .. }
            | Event::Reasoned { .. }
            | Event::Instructed { .. }
            | Event::Integrated { .. }
            | Event::Compressed { .. }
            | Event::Faulted { .. }
            | Event::Applied { .. }
            | Event::Noted { .. }
            | Event::Recognised { .. }
            | Event::Inquired { .. }
            | Event::Reminded { .. }
    )
}
