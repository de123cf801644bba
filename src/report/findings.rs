//! The results of a search, as text and as JSON.

use crate::text::put_line;
use std::ops::Range;

use serde::Serialize;

use super::lines::{fitted, hanging, wrapped_on, wrapped_within};
use super::numbers::{counted, grouped};
use super::plain::escape_unseen;
use super::sheet::Sheet;
use super::told::Reader;
use crate::analysis::search::{ShownText, kind_of, words_of};
use crate::domain::{Moment, Record, Step};

/// The excerpt shown of a long text, in columns.
const EXCERPT: usize = 450;

/// The results of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// The query.
    pub query: String,
    /// The words of the query.
    pub words: Vec<WordFound>,
    /// The number of records searched: those with words that pass the filters.
    pub searched: u64,
    /// The number of sessions that pass the filters by session, arm and item.
    pub sessions: u64,
    /// The number of matching records.
    pub found: u64,
    /// The number of matching records without filters.
    pub found_without_filters: u64,
    /// The best matches.
    pub hits: Vec<Finding>,
    /// What could not be searched or stored, in words.
    pub notes: Vec<String>,
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WordFound {
    /// The word, in lower case.
    pub word: String,
    /// The number of records that contain it.
    pub records: u32,
    /// Similar words of the archive, if no record contains it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

/// One matching record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The rank, from 1.
    pub rank: usize,
    /// The score, rounded to six decimals.
    pub score: f64,
    /// The session.
    pub session: String,
    /// The session's arm.
    pub arm: String,
    /// The record.
    pub record: LineShown,
    /// File and line of the first match, if the record only refers to the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The byte ranges of the query's words in the text, without the end.
    pub matches: Vec<(usize, usize)>,
    /// The records before it.
    pub before: Vec<LineShown>,
    /// The records after it.
    pub after: Vec<LineShown>,
}

/// A record in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineShown {
    /// The record's number.
    pub seq: u64,
    /// Phase, round and step, as `context --at` accepts them.
    pub coordinate: String,
    /// The phase, round, turn and step.
    pub at: Moment,
    /// The seat that answered; absent if no seat did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The kind of record.
    pub kind: &'static str,
    /// The record's words in full; without words, a description of the event.
    pub text: String,
    /// Whether the text quotes the record.
    pub is_words: bool,
}

impl LineShown {
    /// Summarises a record.
    pub fn of(record: &Record) -> Self {
        let words = words_of(record);
        let Moment { phase, round, step, .. } = &record.at;
        Self {
            seq: record.seq.0,
            coordinate: format!("{phase}:{round}:{}", step.as_str()),
            at: record.at.clone(),
            seat: record.seat.as_ref().map(|seat| seat.as_str().to_owned()),
            kind: kind_of(record),
            is_words: words.is_some(),
            text: words.map_or_else(|| Reader::default().take(record).what, std::borrow::Cow::into_owned),
        }
    }

    /// Summarises a record with the text that it refers to.
    pub fn with_text(record: &Record, shown: &ShownText) -> Self {
        Self { kind: shown.kind, text: shown.text.clone(), is_words: true, ..Self::of(record) }
    }

    /// The seat, if any, and the kind.
    fn who(&self) -> String {
        match &self.seat {
            Some(seat) => format!("{} {}", escape_unseen(seat), self.kind.replace('_', " ")),
            None => self.kind.replace('_', " "),
        }
    }

    /// The seat, the kind and the beginning of the text.
    pub fn summary(&self) -> String {
        format!("{}, {}", self.who(), fitted(&self.text, 40))
    }

    /// Writes number, seat, kind and position on one line.
    pub(super) fn put_head(&self, out: &mut String, indent: &str, more: &str, columns: usize) {
        let turn = match (self.at.step, self.at.turn) {
            (_, 0) => String::new(),
            // In a compression by parts, the turn is the number of the part.
            (Step::Compression, before) => format!(" part {}", before + 1),
            (Step::Statement, turn) => format!(" #{}.{turn}", self.at.round),
            (Step::Reasoning, turn) => format!(" before #{}.{turn}", self.at.round),
            _ => String::new(),
        };
        let text = format!("{}{turn} · {}{more}", self.who(), self.at.phase);
        hanging(out, &format!("{indent}{:>6}  ", self.seq), &text, columns);
    }

    pub(super) fn put(&self, out: &mut String, indent: &str, columns: usize) {
        let open = format!("{indent}{:>6}  {}", self.seq, self.who());
        let text = if self.is_words { format!("{open}: {}", self.text) } else { format!("{open} ({})", self.text) };
        // `fitted` would remove the indent.
        let lead = text.len() - text.trim_start().len();
        put_line!(out, "{}{}", &text[..lead], fitted(&text[lead..], columns.saturating_sub(lead)));
    }
}

impl Findings {
    /// The findings as text for a sheet.
    pub fn text(&self, sheet: Sheet) -> String {
        let mut out = String::new();
        let query = fitted(&self.query, 40);
        let sessions = counted(self.sessions, "session");
        match (self.found, self.found_without_filters) {
            (0, 0) => put_line!(out, "no record answers {query}; searched {} in {sessions}", self.searched_words()),
            (0, others) => put_line!(
                out,
                "none of the {} that the filters let through answers {query}; without filters {} would",
                self.searched_words(),
                grouped(others)
            ),
            (found, _) => {
                let best = if found > self.hits.len() as u64 {
                    format!(", the best {}", self.hits.len())
                } else {
                    String::new()
                };
                put_line!(out, "{} of {} in {sessions} answer {query}{best}", grouped(found), self.searched_words())
            }
        }
        for word in self.words.iter().filter(|word| word.records == 0) {
            let near: Vec<String> = word.near.iter().map(|near| escape_unseen(near)).collect();
            let near = if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) };
            put_line!(out, "no record holds \"{}\"{near}", fitted(&word.word, 40));
        }
        self.hits.iter().for_each(|hit| hit.put(&mut out, sheet));
        out
    }

    fn searched_words(&self) -> String {
        counted(self.searched, "record")
    }
}

impl Finding {
    fn put(&self, out: &mut String, sheet: Sheet) {
        let Finding { rank, score, session, record: line, place, .. } = self;
        let turn = if line.at.turn > 0 { format!(" · #{}.{}", line.at.round, line.at.turn) } else { String::new() };
        let head = format!(
            "{rank} · {score:.6} · {session} · record {} · {}{turn} · {}{}",
            line.seq,
            line.coordinate,
            line.who(),
            place.as_ref().map_or(String::new(), |place| format!(" · {place}"))
        );
        let marks: Vec<Range<usize>> = self.matches.iter().map(|(start, end)| *start..*end).collect();
        out.push('\n');
        let columns = sheet.columns;
        wrapped_within(out, "", &head, columns);
        self.before.iter().for_each(|line| line.put(out, "  ", columns));
        wrapped_on(out, "  > ", (&line.text, &marks), EXCERPT, sheet);
        self.after.iter().for_each(|line| line.put(out, "  ", columns));
    }
}
