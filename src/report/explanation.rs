//! The origin of one table cell, as text for a terminal of 80 columns and as one JSON object.

use crate::text::{put, put_line, wrap_words};
use serde::Serialize;
use serde_json::Value;

use crate::domain::{Moment, Record};
use crate::report::lines::WIDTH;
use crate::report::numbers::{counted, grouped};
use crate::report::plain::escape_unseen;
use crate::report::told::Reader;

/// The maximum number of records shown in full. Further ones are listed by number.
const RECORDS_SHOWN: usize = 40;
/// The maximum number of values that an expression read.
const READS_SHOWN: usize = 60;
/// The maximum number of lines of the plan.
const SETTINGS_SHOWN: usize = 20;
/// The kind of record in which a seat asks to see something before it answers.
const INQUIRED: &str = "Inquired";

/// The explanation of one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The table's file.
    pub table: String,
    /// The row, counted from 1 below the header.
    pub row: u64,
    /// The column.
    pub column: String,
    /// The session of the row.
    pub session: String,
    /// The columns that identify the row, with their cells.
    pub at: Vec<(String, String)>,
    /// The cell in the file; `None` if it is empty.
    pub value: Option<String>,
    /// The unit; empty for text and pure numbers.
    pub unit: String,
    /// The meaning of the column.
    pub help: String,
    /// The formula; empty if the value is copied from a record.
    pub formula: String,
    /// The kinds of records it uses, or the literature.
    pub source: String,
    /// The value that the records give, if it differs from the file; `None` if they agree.
    pub recomputed: Option<String>,
    /// What its expression read; empty if it has none.
    pub reads: Vec<ReadShown>,
    /// The settings that it depends on.
    pub settings: Vec<SettingLine>,
    /// The file of the session's records.
    pub minutes: String,
    /// The records that enter the value.
    pub records: Vec<RecordShown>,
}

/// A value that an expression read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadShown {
    /// Its name, behind the seat whose it is.
    pub name: String,
    /// The value, in words.
    pub value: String,
    /// The numbers of the records that set it; of the values of several passes, one for each.
    pub records: Vec<u64>,
}

/// A line of `plan.yaml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingLine {
    /// The line number, from 1.
    pub line: u64,
    /// The dotted path of its key.
    pub key: String,
    /// The line, with the origin of its value.
    pub text: String,
}

/// A record that enters a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordShown {
    /// The record's number.
    pub seq: u64,
    /// The phase, round, turn and step.
    pub at: Moment,
    /// The seat that answered; `None` if no seat did.
    pub seat: Option<String>,
    /// The attempt, from 0; `None` if no seat answered.
    pub attempt: Option<u8>,
    /// Earlier answers to this question that did not count; `None` if no seat answered.
    pub tries_before: Option<u8>,
    /// The kind of event.
    pub kind: String,
    /// The event's fields, without the words and without what the seat was shown.
    pub says: Value,
    /// What happened, in words, then one line per seat or alternative.
    #[serde(skip)]
    pub told: Vec<String>,
    /// The raw words; `None` if nobody spoke or wrote.
    pub raw: Option<String>,
    /// The call, if a language model answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallSummary>,
    /// Earlier answers to this question that did not count, and the seat's requests to see something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<RecordShown>,
}

/// The recorded call behind an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallSummary {
    /// The raw reply of the service.
    pub raw: String,
    /// The model that the service reported.
    pub model: Option<String>,
    /// The finish reason, in the service's spelling.
    pub finish_reason: Option<String>,
    /// The number of attempts.
    pub attempts: usize,
    /// The digest of the request.
    pub request: String,
}

impl RecordShown {
    /// Converts a record. Calls and tries are added elsewhere.
    pub fn of(record: &Record) -> Self {
        let json = serde_json::to_value(&record.event).expect("invariant: an event has a JSON form");
        let (kind, mut says) = match json {
            Value::Object(kinds) => kinds.into_iter().next().unwrap_or_default(),
            other => (other.to_string(), Value::Null),
        };
        let mut raw = None;
        if let Value::Object(fields) = &mut says {
            for words in ["raw", "text"] {
                if let Some(Value::String(text)) = fields.remove(words) {
                    raw = Some(text);
                }
            }
            // Keep tokens and model, but not what the seat was shown or what its mind keeps.
            if let Some(Value::Object(mut given)) = fields.remove("given") {
                fields.extend(["usage", "model_served"].into_iter().filter_map(|key| given.remove_entry(key)));
                if let Some(omitted) = given.get("shown").and_then(|shown| shown.get("omitted")) {
                    fields.insert("omitted".to_owned(), omitted.clone());
                }
            }
        }
        Self {
            seq: record.seq.0,
            at: record.at.clone(),
            seat: record.seat.as_ref().map(ToString::to_string),
            attempt: record.attempt,
            tries_before: record.tries_before(),
            kind,
            says,
            told: word_record(record),
            raw,
            call: None,
            tries: Vec::new(),
        }
    }

    fn heading(&self) -> String {
        let Moment { phase, round, turn, step } = &self.at;
        let mut out = format!("record {}  {phase}", self.seq);
        if *round > 0 {
            put!(out, " round {round}");
        }
        if *turn > 0 {
            put!(out, " turn {turn}");
        }
        put!(out, ", {}", step.as_str());
        if let Some(seat) = &self.seat {
            put!(out, " of {seat}");
        }
        match self.tries_before {
            Some(_) if self.kind == INQUIRED => out.push_str(", asks to see something first"),
            Some(0) => out.push_str(", first try"),
            Some(before) => put!(out, ", asked again, try {}", u32::from(before) + 1),
            None => {}
        }
        if self.attempt > self.tries_before {
            out.push_str(", shown what it asked to see");
        }
        out
    }

    fn put_record(&self, indent: usize, out: &mut String) {
        wrapped(&self.heading(), indent, indent + 2, out);
        self.told.iter().for_each(|line| wrapped(line, indent + 2, indent + 4, out));
        if let Some(raw) = &self.raw {
            put_quotation(raw, indent + 2, out);
        }
        if let Some(call) = &self.call {
            let model = call.model.as_deref().unwrap_or("not said");
            let reason = call.finish_reason.as_deref().unwrap_or("not said");
            let words = format!(
                "call: model {model}, stopped: {reason}, tried {}, request {}",
                counted(call.attempts as u64, "time"),
                call.request
            );
            wrapped(&words, indent + 2, indent + 4, out);
            if self.raw.as_ref() != Some(&call.raw) {
                wrapped("the reply as it came:", indent + 2, indent + 4, out);
                put_quotation(&call.raw, indent + 2, out);
            }
        }
        for earlier in &self.tries {
            let what = if earlier.kind == INQUIRED { "before it, and no try:" } else { "before it, and not counted:" };
            wrapped(what, indent + 2, indent + 4, out);
            earlier.put_record(indent + 4, out);
        }
    }
}

impl Explanation {
    /// The text, with control characters made visible.
    pub fn text(&self) -> String {
        let mut out = String::new();
        wrapped(&format!("{}, row {}, {}", self.table, grouped(self.row), self.column), 0, 2, &mut out);
        let at: Vec<String> = self.at.iter().map(|(name, cell)| format!("{name} {cell}")).collect();
        wrapped(
            &format!("session {}{}{}", self.session, if at.is_empty() { "" } else { " · " }, at.join(" · ")),
            2,
            4,
            &mut out,
        );
        out.push('\n');
        self.put_value(&mut out);
        for (name, text) in [("means", &self.help), ("formula", &self.formula), ("source", &self.source)] {
            if !text.is_empty() {
                wrapped(&format!("{name:8} {text}"), 2, 11, &mut out);
            }
        }
        self.put_reads(&mut out);
        self.put_settings(&mut out);
        self.put_records(&mut out);
        out
    }

    fn put_value(&self, out: &mut String) {
        let unit = match self.unit.as_str() {
            "" => String::new(),
            many if self.value.as_deref() == Some("1") => format!(" {}", to_singular(many)),
            many => format!(" {many}"),
        };
        match &self.value {
            Some(value) => wrapped(&format!("value    {value}{unit}"), 2, 11, out),
            None => wrapped("value    empty", 2, 11, out),
        }
        if let Some(recomputed) = &self.recomputed {
            let recomputed = if recomputed.is_empty() { "an empty cell" } else { recomputed };
            wrapped(
                &format!(
                    "CHANGED  the records of the session give {recomputed}, not what stands in the table: the table was changed after it was written"
                ),
                2,
                11,
                out,
            );
        }
    }

    fn put_reads(&self, out: &mut String) {
        if self.reads.is_empty() {
            return;
        }
        out.push_str("\nWhat the expression read\n");
        for read in self.reads.iter().take(READS_SHOWN) {
            let numbers: Vec<String> = read.records.iter().map(u64::to_string).collect();
            let behind = match numbers.as_slice() {
                [] => String::new(),
                [only] => format!("  (record {only})"),
                many => format!("  (records {})", many.join(", ")),
            };
            wrapped(&format!("{} = {}{behind}", read.name, read.value), 2, 4, out);
        }
        put_more(self.reads.len(), READS_SHOWN, out);
    }

    fn put_settings(&self, out: &mut String) {
        if self.settings.is_empty() {
            return;
        }
        out.push_str("\nSettings in plan.yaml, and where each comes from\n");
        for line in self.settings.iter().take(SETTINGS_SHOWN) {
            wrapped(&format!("line {}  {} : {}", line.line, line.key, line.text), 2, 4, out);
        }
        put_more(self.settings.len(), SETTINGS_SHOWN, out);
    }

    fn put_records(&self, out: &mut String) {
        match self.records.len() {
            0 => {}
            1 => put!(out, "\nThe record that enters, from {}\n", escape_unseen(&self.minutes)),
            n => put!(out, "\n{} records enter, from {}\n", grouped(n as u64), escape_unseen(&self.minutes)),
        }
        self.records.iter().take(RECORDS_SHOWN).for_each(|record| record.put_record(2, out));
        if let Some(rest) = self.records.get(RECORDS_SHOWN..).filter(|rest| !rest.is_empty()) {
            let numbers: Vec<u64> = rest.iter().map(|record| record.seq).collect();
            let words =
                format!("and {} more: records {}; --json lists all", grouped(rest.len() as u64), list_ranges(&numbers));
            wrapped(&words, 2, 4, out);
        }
    }
}

/// The singular of a unit.
fn to_singular(unit: &str) -> String {
    match unit {
        "entries" => "entry".to_owned(),
        "switches" => "switch".to_owned(),
        "squared units of the scenario" => "squared unit of the scenario".to_owned(),
        "Unicode scalar values" => "Unicode scalar value".to_owned(),
        // The first word is the noun: units of the scenario, dollars a year.
        _ => {
            let (first, rest) = unit.split_at(unit.find(' ').unwrap_or(unit.len()));
            format!("{}{rest}", first.strip_suffix('s').unwrap_or(first))
        }
    }
}

/// Lists ascending numbers with ranges: `3, 5-9`.
fn list_ranges(numbers: &[u64]) -> String {
    let words = numbers.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        only => only[0].to_string(),
    });
    words.collect::<Vec<String>>().join(", ")
}

/// Says how many of a list are not shown.
fn put_more(all: usize, shown: usize, out: &mut String) {
    if all > shown {
        wrapped(&format!("and {} more; --json lists all", all - shown), 2, 4, out);
    }
}

fn word_record(record: &Record) -> Vec<String> {
    let told = Reader::default().take(record);
    let head = [told.what].into_iter().chain(told.notes).collect::<Vec<String>>().join(" · ");
    [head].into_iter().chain(told.lines).collect()
}

/// Appends words wrapped at 80 columns, with separate indentations for the first line and the others.
pub fn wrapped(text: &str, first: usize, others: usize, out: &mut String) {
    out.push_str(&wrap_words(&escape_unseen(text), WIDTH, &" ".repeat(first), &" ".repeat(others)));
    out.push('\n');
}

/// Appends a quotation with a bar before each line.
fn put_quotation(text: &str, indent: usize, out: &mut String) {
    let bar = format!("{}| ", " ".repeat(indent));
    for line in text.split('\n') {
        let line = escape_unseen(line);
        let is_blank = line.trim().is_empty();
        let lines = if is_blank { bar.trim_end().to_owned() } else { wrap_words(&line, WIDTH, &bar, &bar) };
        put_line!(out, "{lines}");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::analysis::{ColumnLayout, table_specs};
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn one_of_every_unit_of_a_table_is_in_the_singular() {
        let specs = table_specs(&ColumnLayout::default());
        let units: BTreeSet<String> =
            specs.iter().flat_map(|spec| spec.columns.iter().map(|column| to_singular(&column.unit))).collect();
        let found: Vec<&str> = units.iter().map(String::as_str).collect();
        assert_eq!(
            found.join(", "),
            ", USD, Unicode scalar value, alternative, answer, ballot, call, cent, character, decision, dollar a year, entry, fact, \
             phrase, proposal, question, rank, ranking, record, round, sample, seat, squared unit of the scenario, stance, \
             statement, switch, token, turn, unit of the scenario, vote, word"
        );
    }

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(list_ranges(&[1, 3, 4, 5, 9]), "1, 3-5, 9");
    }

    proptest! {
        #[test]
        fn words_as_they_came_stay_whole_within_the_width_and_inert(text in "[a-z田 \u{1b}\n]{0,300}") {
            let mut out = String::new();
            put_quotation(&text, 4, &mut out);
            prop_assert!(out.lines().all(|line| (line.width() <= WIDTH || !line.trim_start_matches([' ', '|']).contains(' ')) && line.starts_with("    |")));
            let letters = |text: &str| text.chars().filter(|c| c.is_ascii_lowercase()).count();
            let escapes = text.matches('\u{1b}').count();
            prop_assert_eq!(letters(&out), letters(&text) + 2 * escapes);
            prop_assert!(!out.contains('\u{1b}'), "an escape is left");
        }
    }
}
