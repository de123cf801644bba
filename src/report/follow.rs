//! A session under way on a terminal: a few lines per record, at most as wide as the terminal.
//!
//! Long texts are cut, and draws and ends of rounds are left out. `show` prints everything.

use unicode_width::UnicodeWidthStr;

use super::lines::{fitted, padded, wrapped_within};
use super::numbers::{counted, grouped};
use super::sheet::{Sheet, Tone};
use super::told::{PlanWords, Reader, RecordAudience, RecordForm, RecordWording};
use crate::domain::{Record, Reply, Step};
use crate::text::{char_count, put_line};

/// The number of characters shown of one text.
const TEXT_MAX: usize = 4_000;
/// The minimum number of columns for words, whatever precedes them.
const WORDS_MIN: usize = 20;
/// The maximum width of a session's name, in columns.
const NAME_MAX: usize = 40;

/// One followed session.
#[derive(Debug, Clone)]
pub struct Follow {
    /// The name that begins each line if several sessions are followed.
    name: Option<String>,
    sheet: Sheet,
    reader: Reader,
    /// The number of records skipped since the last output.
    passed_over: u64,
}

impl Follow {
    /// Follows a session from its first record. If a name is given, it begins each line.
    pub fn new(name: Option<&str>, sheet: Sheet, plan: PlanWords) -> Self {
        let reader = Reader::of_seat(plan, None, None);
        Self { name: name.map(str::to_owned), sheet, reader, passed_over: 0 }
    }

    /// Reads an existing record without output, because later wording depends on it.
    pub fn pass_over(&mut self, record: &Record) {
        self.reader.take(record);
        self.passed_over += 1;
    }

    /// Renders the next record; empty if it has nothing to read.
    pub fn take(&mut self, record: &Record) -> String {
        let mut out = String::new();
        if self.passed_over > 0 {
            let before = format!("goes on; {} were there before", counted(self.passed_over, "record"));
            self.put_text(&mut out, Tone::Faint, "", &before);
            self.passed_over = 0;
        }
        let told = self.reader.take(record);
        if !is_left_out(record, &told) {
            self.put_record(&mut out, record, &told);
        }
        out
    }

    fn put_record(&self, out: &mut String, record: &Record, told: &RecordWording) {
        let number = match (told.form, record.at.turn) {
            (RecordForm::Speech, 1..) => format!("#{}.{} ", record.at.round, record.at.turn),
            _ => String::new(),
        };
        let who = told.who.as_deref().map_or(String::new(), |who| format!("{who} "));
        let heard = match told.heard {
            RecordAudience::Everyone | RecordAudience::Listeners => None,
            _ if matches!(told.form, RecordForm::Opening | RecordForm::Outcome) => None,
            _ => Some(told.heard.words()),
        };
        let is_brief = told.form == RecordForm::Aside;
        let more = told.notes.iter().filter(|note| !is_brief || !note.starts_with("shown in the order"));
        let more: String = more.cloned().chain(heard).map(|note| format!(" · {note}")).collect();
        let (lead, indent, tone) = match told.form {
            RecordForm::Opening | RecordForm::Outcome => ("── ", "   ", Tone::Strong),
            RecordForm::Speech => ("", "  ", Tone::Strong),
            RecordForm::Procedure if told.who.is_some() => ("", "  ", Tone::Strong),
            RecordForm::Aside | RecordForm::Fault | RecordForm::Procedure | RecordForm::Closing => {
                ("", "  ", Tone::Faint)
            }
        };
        self.put_text(out, tone, "", &format!("{lead}{number}{who}{}{more}", told.what));
        let words_tone = if told.heard.is_private() { Tone::Faint } else { Tone::Plain };
        for line in &told.lines {
            self.put_text(out, words_tone, indent, line);
        }
        if let Some(words) = told.words.as_deref().filter(|_| is_worth_reading(record)) {
            let end = words.char_indices().nth(TEXT_MAX).map_or(words.len(), |(end, _)| end);
            for line in words[..end].lines() {
                self.put_text(out, words_tone, indent, line);
            }
            if end < words.len() {
                let all = grouped(char_count(words));
                self.put_text(out, Tone::Faint, indent, &format!("… {all} characters in all"));
            }
        }
    }

    /// Writes one text, wrapped.
    fn put_text(&self, out: &mut String, tone: Tone, indent: &str, text: &str) {
        let columns = self.sheet.columns;
        let name = self.name.as_deref().map(|name| {
            let widest = columns.saturating_sub(WORDS_MIN + 5).clamp(1, NAME_MAX);
            let name = fitted(name, widest);
            format!("{name}  ")
        });
        let name = name.unwrap_or_default();
        let blank = padded("", name.width());
        let mut lines = String::new();
        wrapped_within(
            &mut lines,
            &format!("{blank}{indent}"),
            text,
            columns.max(blank.len() + indent.len() + WORDS_MIN),
        );
        for line in lines.lines() {
            let words = &line[blank.len()..];
            let (on, off) = self.sheet.style.tone_codes(tone);
            put_line!(out, "{name}{on}{words}{off}");
        }
    }
}

/// Whether a record has nothing to follow: draws, ends of rounds, and decisions not to act.
fn is_left_out(record: &Record, told: &RecordWording) -> bool {
    let is_draw = record.at.step == Step::Convening && !record.event.seated().is_empty();
    let is_no = match record.at.step {
        Step::Volunteer => record.reply() == Some(Reply::Urgency(None)),
        Step::VoteCall => record.reply() == Some(Reply::Assent(false)),
        _ => false,
    };
    told.form == RecordForm::Closing || is_draw || is_no
}

/// Whether the words of a record are shown. Replies behind choices are left to `show`.
fn is_worth_reading(record: &Record) -> bool {
    let is_written = matches!(
        record.reply(),
        Some(
            Reply::Statement { .. }
                | Reply::Note(_)
                | Reply::Application { .. }
                | Reply::Notes(_)
                | Reply::Recognition { .. }
        )
    );
    is_written
        || record.ballot_reasoning().is_some()
        || record.event.is_briefed()
        || record.event.is_faulted()
        || record.event.is_inquired()
        || record.event.is_reminded()
}
