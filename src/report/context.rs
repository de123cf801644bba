//! Everything that one seat was shown before one answer, as text and as JSON.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::findings::LineShown;
use super::lines::{hanging, wrapped_on};
use super::numbers::{counted, grouped};
use super::sheet::{Sheet, Style};
use crate::domain::Extent;

/// The width of a bar, in columns.
const BAR: u64 = 20;
/// The maximum number of record numbers in a list.
const NUMBERS_MAX: usize = 8;

/// Everything that one seat was shown before one answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Context {
    /// The session.
    pub session: String,
    /// The arm.
    pub arm: String,
    /// The replicate, from 1.
    pub replicate: u32,
    /// The session whose statements replace this session's; absent if none do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lender: Option<String>,
    /// The record of the answer.
    pub answer: LineShown,
    /// The attempt, from 1. Repeating the question after the seat asked to see something is not an attempt.
    pub attempt: u32,
    /// Whether the seat asked to see something before it answered.
    pub inquired: bool,
    /// The question in words.
    pub question: String,
    /// The model that got the prompt; for a simulated seat, a substitute.
    pub model: String,
    /// Whether the seat is simulated and never reads a prompt.
    pub simulated: bool,
    /// How far the limits were used.
    pub usage: ContextUsage,
    /// The state of the discussion, if the prompt had one. It follows the summaries of older statements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<StandingShown>,
    /// The entries shown from memory and public history, in the order of the prompt.
    pub shown: Vec<EntryShown>,
    /// The records witnessed or answered but not shown, oldest first.
    pub omitted: Vec<OmittedShown>,
    /// The memory before and after, if the answer rewrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewriting: Option<RewritingShown>,
    /// The exact prompt.
    pub messages: Vec<MessageShown>,
    /// The schema of the reply; absent for free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

/// How far the limits were used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextUsage {
    /// Tokens of the prompt, counted by the model's tokenizer if it is known, otherwise an overestimate.
    pub prompt_tokens_at_most: u64,
    /// The tokenizer that counted them; absent for an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// Tokens of the prompt by the server's count; absent without a server or a count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens reserved for the reply.
    pub reply_tokens: u64,
    /// The model's context window, in tokens; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<u64>,
    /// The part of the window that prompt and reply may use, in tokens; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable_tokens: Option<u64>,
    /// The memory policy.
    pub policy: String,
    /// The number of entries shown.
    pub memory_entries: u64,
    /// Their rendered length, in characters.
    pub memory_chars: u64,
    /// The limit of the memory, in characters; absent without one. It is below the plan's limit if the model could not take that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_chars: Option<u64>,
    /// The length above which the memory is compressed, in characters; absent if it never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed_above_chars: Option<u64>,
    /// The number of remarks in the public history.
    pub history_remarks: u64,
    /// Their length by the measure of the public history, in characters.
    pub history_chars: u64,
    /// The limit of the public history, in characters; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_limit_chars: Option<u64>,
    /// The records in which the seat rewrote its memory to integrate events.
    pub integrations: Vec<u64>,
    /// The records in which the seat compressed its memory because it was nearly full.
    pub compressions: Vec<u64>,
    /// The records in which the model refused a prompt as too long.
    pub refused_as_too_long: Vec<u64>,
    /// The records in which a prompt was not sent because the estimate exceeded the model's window.
    pub estimated_too_long: Vec<u64>,
    /// The limit of the entries shown since then, pinned ones included, in rendered characters; absent if no prompt was too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_at_most_chars: Option<u64>,
    /// The number of records before the answer.
    pub records_before: u64,
    /// The number of records in the session.
    pub records: u64,
}

/// An entry that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryShown {
    /// The record that it comes from.
    pub record: LineShown,
    /// The words in the prompt.
    pub shown: String,
    /// Whether it is pinned, that is, never dropped or replaced.
    pub pinned: bool,
    /// Whether it comes only from the public history.
    pub history: bool,
    /// Whether it comes only from a request of the seat.
    pub looked_up: bool,
    /// Whether the words are those of another group and replace the record's.
    pub lent: bool,
    /// The lengths before and after a cut; absent without a cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutShown>,
}

/// The state of the discussion, as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingShown {
    /// `whole` beside a memory, `short` instead of it.
    pub extent: Extent,
    /// The length, in characters.
    pub chars: u64,
    /// The words in the prompt.
    pub words: String,
}

/// The lengths of a cut text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CutShown {
    /// The length kept, including the marker, in characters.
    pub kept_chars: u64,
    /// The original length, in characters.
    pub chars: u64,
}

/// A record that was witnessed or answered but not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmittedShown {
    /// The record.
    pub record: LineShown,
    /// The reason: `policy`, `routing`, `short_brief`, `window`, `history_limit`, `memory_limit`, `replaced`, `stays`,
    /// `forgotten`, `unremembered` or `lent`.
    pub why: &'static str,
    /// The record that replaced it or made the seat forget it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
    /// Whether the words are those of another group and replace the record's.
    pub lent: bool,
}

/// A memory before and after a rewriting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RewritingShown {
    /// Whether the answer counted; otherwise the memory is unchanged.
    pub rewritten: bool,
    /// The entries to be replaced: the seat's own, and in a compression also heard ones.
    pub before: Vec<EntryShown>,
    /// The entries that replaced them.
    pub after: Vec<EntryShown>,
    /// The unchanged rest of the memory, without pinned entries.
    pub rest: Vec<EntryShown>,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageShown {
    /// The role, in the protocol's spelling.
    pub role: &'static str,
    /// The words.
    pub content: String,
}

impl Context {
    /// Everything but the prompt, as text of so many columns.
    pub fn text(&self, columns: usize) -> String {
        let mut out = TextLayout { text: String::new(), columns };
        self.put_head(&mut out);
        self.usage.put(&mut out);
        if let Some(standing) = &self.standing {
            standing.put(&mut out);
        }
        let history = self.shown.iter().filter(|entry| entry.history).count() as u64;
        let of = match history {
            0 => String::new(),
            some => format!(", {} of them from the public history alone", grouped(some)),
        };
        out.put_heading(&format!("shown, oldest first: {}{of}", entry_count(self.shown.len() as u64)));
        let lender = self.lender.as_deref().unwrap_or_default();
        self.shown.iter().for_each(|entry| entry.put(&mut out, lender));
        self.put_omitted(&mut out);
        if let Some(rewriting) = &self.rewriting {
            rewriting.put(&mut out, self.lender.as_deref().unwrap_or_default());
        }
        out.text
    }

    fn put_head(&self, out: &mut TextLayout) {
        let of = if self.attempt > 1 { format!(", try {}", self.attempt) } else { String::new() };
        let seq = self.answer.seq;
        out.put_line("", &format!("{}: answered in record {seq}{of}", self.question));
        out.put_line("", &format!("{} · arm {} · replicate {}", self.session, self.arm, self.replicate));
        if let Some(lender) = &self.lender {
            let words = format!("in the place of what this group said, seats heard statements of {lender}");
            out.put_line("", &words);
        }
        if self.inquired {
            out.put_line("", "it had asked to see something first, and was shown what was found");
        }
        if self.simulated {
            out.put_line("", "this seat is simulated and reads no prompt; a model would get the one below");
        }
        let words = if self.answer.is_words { self.answer.text.as_str() } else { "(no words)" };
        out.put_beginning("  ", words, 2);
    }

    /// Writes the records left out, grouped by reason.
    fn put_omitted(&self, out: &mut TextLayout) {
        let total = self.omitted.len() as u64;
        let count = if total == 0 { "nothing".to_owned() } else { entry_count(total) };
        out.put_heading(&format!("witnessed or answered, and not shown: {count}"));
        let reason = |omitted: &OmittedShown| (omitted.why, omitted.by, omitted.lent);
        let reasons: BTreeSet<(&str, Option<u64>, bool)> = self.omitted.iter().map(reason).collect();
        for own in reasons {
            let same = || self.omitted.iter().filter(|omitted| reason(omitted) == own);
            let because = omission_words((own.0, own.1), &self.usage);
            let lender = self.lender.as_ref().filter(|_| own.2);
            let of = lender.map_or(String::new(), |lender| format!(", words of {lender}"));
            out.put_line("  ", &format!("{} {because}{of}", grouped(same().count() as u64)));
            same().for_each(|omitted| omitted.record.put(&mut out.text, "    ", out.columns));
        }
    }
}

impl ContextUsage {
    fn put(&self, out: &mut TextLayout) {
        out.text.push('\n');
        self.put_prompt(out);
        let of = |limit: Option<u64>| limit.map_or("no limit".to_owned(), grouped);
        let share = |chars: u64, limit: Option<u64>| limit.map(|limit| (chars, limit));
        let entries = entry_count(self.memory_entries);
        let limit = self.memory_limit_chars;
        let text = format!("{} of {} characters, {entries}", grouped(self.memory_chars), of(limit));
        out.put_row("memory", share(self.memory_chars, limit), &text);
        let remarks = counted(self.history_remarks, "remark");
        let limit = self.history_limit_chars;
        let text = format!("{} of {} characters, {remarks}", grouped(self.history_chars), of(limit));
        out.put_row("history", share(self.history_chars, limit), &text);
        let above = self.compressed_above_chars.map(|above| format!(", compressed above {}", grouped(above)));
        let policy = format!("{}{}", self.policy, above.unwrap_or_default());
        out.put_row("policy", None, &policy);
        for (what, too_long, records) in [
            ("integrated", "", &self.integrations),
            ("compressed", "", &self.compressions),
            ("refused", "as too long by its model, and shown less since: ", &self.refused_as_too_long),
            ("not put", "too long by the estimate, and shown less since: ", &self.estimated_too_long),
        ] {
            let numbers: Vec<String> = records.iter().map(u64::to_string).collect();
            let where_to = match numbers.as_slice() {
                [.., last] if numbers.len() > NUMBERS_MAX => {
                    format!("{} times, the last in record {last}", grouped(numbers.len() as u64))
                }
                few => format!("in record {}", few.join(", ")),
            };
            if !records.is_empty() {
                out.put_row(what, None, &format!("{too_long}{where_to}"));
            }
        }
        if let Some(most) = self.shown_at_most_chars {
            out.put_row(
                "shown",
                None,
                &format!("{} characters at the most since then, pinned ones too", grouped(most)),
            );
        }
        let before = counted(self.records_before, "record");
        out.put_row("archive", None, &format!("{before} before the answer, {} in all", grouped(self.records)));
    }

    fn put_prompt(&self, out: &mut TextLayout) {
        let tokens = grouped(self.prompt_tokens_at_most);
        match (self.window_tokens, self.usable_tokens) {
            (Some(window), Some(usable)) => {
                let room = usable.saturating_sub(self.reply_tokens);
                let text = format!("{tokens} of {} tokens, window {}", grouped(room), grouped(window));
                out.put_row("prompt", Some((self.prompt_tokens_at_most, room)), &text);
            }
            _ => out.put_row("prompt", None, &format!("{tokens} tokens; the window is not known")),
        }
        let server = match self.prompt_tokens {
            Some(tokens) => format!("; the server counted {}", grouped(tokens)),
            None => String::new(),
        };
        let counted = self.counted_by.as_ref().map(|tokenizer| format!("counted as {tokenizer} does"));
        let counted = counted.unwrap_or_else(|| "an estimate that errs high".to_owned());
        out.put_row("", None, &format!("{counted}{server}"));
    }
}

impl StandingShown {
    fn put(&self, out: &mut TextLayout) {
        let chars = grouped(self.chars);
        let what = match self.extent {
            Extent::Whole => format!("where the talk stands: {chars} characters"),
            Extent::Short => {
                format!("a short brief: beside what is pinned, decisions and open proposals, {chars} characters")
            }
        };
        out.put_heading(&what);
        self.words.lines().for_each(|line| out.put_beginning("          ", line, 4));
    }
}

impl EntryShown {
    fn put(&self, out: &mut TextLayout, lender: &str) {
        out.put_entry(self, lender);
        out.put_beginning("          ", &self.shown, 4);
    }

    fn marks(&self, lender: &str) -> String {
        let cut =
            self.cut.map(|cut| format!("cut to {} of {} characters", grouped(cut.kept_chars), grouped(cut.chars)));
        let pinned = self.pinned.then(|| "pinned".to_owned());
        let history = self.history.then(|| "public history".to_owned());
        let found = self.looked_up.then(|| "looked up".to_owned());
        let lent = self.lent.then(|| format!("words of {lender}"));
        let marks: Vec<String> = pinned.into_iter().chain(history).chain(found).chain(lent).chain(cut).collect();
        if marks.is_empty() { String::new() } else { format!(" · {}", marks.join(", ")) }
    }
}

impl RewritingShown {
    fn put(&self, out: &mut TextLayout, lender: &str) {
        for (when, entries) in [("before", &self.before), ("after", &self.after)] {
            let chars: u64 = entries.iter().map(|entry| crate::text::char_count(&entry.shown)).sum();
            let what = format!("{}, {} characters", entry_count(entries.len() as u64), grouped(chars));
            out.put_heading(&format!("memory {when}: {what}"));
            for entry in entries {
                out.put_entry(entry, lender);
                out.put_beginning("          ", &entry.shown, usize::MAX);
            }
        }
        if !self.rewritten {
            out.put_line("", "the answer did not count, and the memory stayed as it was");
        } else if !self.rest.is_empty() {
            let rest: Vec<String> = self.rest.iter().map(|entry| entry.record.seq.to_string()).collect();
            let rest = format!("beside it stays what comes from {}", list_records(&rest));
            out.put_heading(&rest);
        }
    }
}

fn entry_count(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(count)) }
}

fn list_records(numbers: &[String]) -> String {
    let s = if numbers.len() == 1 { "" } else { "s" };
    format!("record{s} {}", numbers.join(", "))
}

/// The reason for an omission, in words.
fn omission_words((why, by): (&str, Option<u64>), usage: &ContextUsage) -> String {
    match (why, by) {
        ("policy", _) => "kept by no memory of this policy".to_owned(),
        ("short_brief", _) => "left out of a short brief".to_owned(),
        ("routing", _) => "skipped by memory.routing".to_owned(),
        ("window", _) => "older than the memory's window".to_owned(),
        ("history_limit", _) => "dropped by the public history's limit".to_owned(),
        ("replaced", Some(by)) => format!("replaced by the rewriting in record {by}"),
        ("stays", _) => "not rewritten now: it stays as it is".to_owned(),
        ("forgotten", Some(by)) => format!("forgotten by the intervention in record {by}"),
        ("lent", _) => "another group's words stand in their place".to_owned(),
        ("unremembered", _) => "its own answers that no memory keeps: polls, passes, calls not made, faults".to_owned(),
        _ if usage.shown_at_most_chars.is_none() => "dropped by the memory's limit".to_owned(),
        _ => "dropped by the memory's limit, or to show less to its model".to_owned(),
    }
}

/// Unfinished text of so many columns.
struct TextLayout {
    text: String,
    columns: usize,
}

impl TextLayout {
    /// Writes a line after a blank line.
    fn put_heading(&mut self, words: &str) {
        self.text.push('\n');
        self.put_line("", words);
    }

    fn put_line(&mut self, indent: &str, words: &str) {
        hanging(&mut self.text, indent, words, self.columns);
    }

    /// Writes the beginning of a text, about so many lines of it.
    fn put_beginning(&mut self, indent: &str, words: &str, lines: usize) {
        let sheet = Sheet { columns: self.columns, style: Style::Plain };
        wrapped_on(&mut self.text, indent, (words, &[]), self.columns.saturating_mul(lines), sheet);
    }

    /// Writes the origin of an entry.
    fn put_entry(&mut self, entry: &EntryShown, lender: &str) {
        entry.record.put_head(&mut self.text, "  ", &entry.marks(lender), self.columns);
    }

    /// Writes a row of the usage table. `share` (used, limit) adds a bar.
    fn put_row(&mut self, name: &str, share: Option<(u64, u64)>, words: &str) {
        let bar = match share {
            Some((part, whole)) => {
                // Rounded up, so that any use is visible.
                let full = (u128::from(part) * u128::from(BAR)).div_ceil(u128::from(whole.max(1))).min(u128::from(BAR));
                format!("[{}{}] ", "#".repeat(full as usize), ".".repeat(BAR as usize - full as usize))
            }
            None => String::new(),
        };
        hanging(&mut self.text, &format!("{name:<11}{bar}"), words, self.columns);
    }
}
