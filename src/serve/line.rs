//! A record as the live view shows it: in words, escaped, with the original record.

use serde::Serialize;

use super::tail;
use crate::domain::{FORMAT_VERSION, Record};
use crate::report::{PlanWords, Reader, RecordForm, inert_json};
use crate::text::escape_but_tabs;

/// Renders a session's records in order.
#[derive(Debug)]
pub struct RecordRenderer(Reader);

/// A rendered record. Every text is escaped, except those in `record`.
#[derive(Debug, Serialize)]
struct LiveLine<'a> {
    session: &'a str,
    seq: u64,
    when: String,
    form: &'static str,
    heard: String,
    is_private: bool,
    who: Option<String>,
    what: String,
    notes: Vec<String>,
    lines: Vec<String>,
    words: Option<String>,
    /// The record as in the minutes.
    record: &'a Record,
}

impl RecordRenderer {
    /// Renders the records of a session.
    pub fn new(plan: PlanWords) -> Self {
        Self(Reader::of(plan))
    }

    /// Reads a record that was already sent, to rebuild the state.
    pub fn replay_line(&mut self, line: &tail::TailLine) {
        if let Ok(record) = parse_record(line.place, &line.bytes) {
            self.0.take(&record);
        }
    }

    /// Renders a record as one JSON object.
    pub fn render_record(&mut self, session: &str, record: &Record) -> String {
        let told = self.0.take(record);
        let inert = |texts: Vec<String>| texts.iter().map(|text| escape_but_tabs(text)).collect();
        let line = LiveLine {
            session,
            seq: record.seq.0,
            when: escape_but_tabs(&moment_words(record)),
            form: form_name(told.form),
            is_private: told.heard.is_private(),
            heard: escape_but_tabs(&told.heard.words()),
            who: told.who.as_deref().map(escape_but_tabs),
            what: escape_but_tabs(&told.what),
            notes: inert(told.notes),
            lines: inert(told.lines),
            words: told.words.as_deref().map(escape_but_tabs),
            record,
        };
        inert_json(&serde_json::to_string(&line).expect("invariant: a record has a JSON form"))
    }
}

fn moment_words(record: &Record) -> String {
    let at = &record.at;
    match (at.round, at.turn) {
        (0, _) => at.phase.to_string(),
        (round, 0) => format!("{}, round {round}", at.phase),
        (round, turn) => format!("{}, round {round}, turn {turn}", at.phase),
    }
}

fn form_name(form: RecordForm) -> &'static str {
    match form {
        RecordForm::Opening => "opening",
        RecordForm::Speech => "speech",
        RecordForm::Aside => "aside",
        RecordForm::Procedure => "procedure",
        RecordForm::Fault => "fault",
        RecordForm::Closing => "closing",
        RecordForm::Outcome => "outcome",
    }
}

/// Parses a line of minutes. `place` is the expected sequence number.
///
/// # Errors
/// If the line is not that record, or has another format.
pub fn parse_record(place: u64, line: &[u8]) -> Result<Record, String> {
    let other_format =
        |format| format!("the minutes have format {format}; this version of ekklesia reads format {FORMAT_VERSION}");
    let record: Record = serde_json::from_slice(line).map_err(|error| match format_of(line) {
        Some(format) if format != FORMAT_VERSION => other_format(format),
        _ => format!("line {} is no record: {error}", place + 1),
    })?;
    if let Some(format) = record.event.other_format() {
        return Err(other_format(format));
    }
    match record.seq.0 == place {
        true => Ok(record),
        false => Err(format!("line {} holds record {}", place + 1, record.seq.0)),
    }
}

/// The format version in a first record, even if the record is otherwise invalid.
fn format_of(line: &[u8]) -> Option<u32> {
    let line: serde_json::Value = serde_json::from_slice(line).ok()?;
    u32::try_from(line.get("event")?.get("Convened")?.get("format")?.as_u64()?).ok()
}
