//! What one seat had before it when it answered one question, for people and for programs.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::Style;
use super::findings::LineShown;
use super::follow::Sheet;
use super::lines::{hanging, wrapped_on};
use super::render::{counted, grouped};
use crate::domain::Extent;

/// The columns of a bar.
const BAR: u64 = 20;
/// Records that are named one by one.
const NUMBERS_MAX: usize = 8;

/// What one seat had before it when it answered one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Context {
    /// The session.
    pub session: String,
    /// Its arm.
    pub arm: String,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// The session whose statements are heard in the place of this one's; absent where its own are heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lender: Option<String>,
    /// The record that answers the question.
    pub answer: LineShown,
    /// How often the question had been put, from 1, not counting that it is put again after the seat asked to see something.
    pub attempt: u32,
    /// Whether the seat had asked to see something before it answered this question.
    pub inquired: bool,
    /// The question in words.
    pub question: String,
    /// The model that got the prompt; for a simulated seat, one in its place.
    pub model: String,
    /// Whether the seat is simulated and reads no prompt.
    pub simulated: bool,
    /// How much of everything was used.
    pub usage: ContextUsage,
    /// Where the talk stood, as far as that was told; in the prompt it comes after what stands for things long past.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<StandingShown>,
    /// What was shown of memory and public history, in the prompt's order.
    pub shown: Vec<EntryShown>,
    /// What was witnessed or answered and not shown, oldest first.
    pub omitted: Vec<OmittedShown>,
    /// For the rewriting of a memory: before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewriting: Option<RewritingShown>,
    /// The prompt, word by word.
    pub messages: Vec<MessageShown>,
    /// The schema of the reply; absent where the reply is free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

/// How much of everything was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextUsage {
    /// Tokens of the prompt: counted by the model's own tokenizer where it is known, else estimated high.
    pub prompt_tokens_at_most: u64,
    /// The tokenizer by which they were counted; absent where they were estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<String>,
    /// The same as the server counted them; absent where it did not say or none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens kept free for the reply.
    pub reply_tokens: u64,
    /// The model's context window, in tokens; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_tokens: Option<u64>,
    /// What of the window prompt and reply may use, in tokens; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usable_tokens: Option<u64>,
    /// The memory's policy.
    pub policy: String,
    /// Entries shown.
    pub memory_entries: u64,
    /// Their length, in characters as rendered.
    pub memory_chars: u64,
    /// What the memory may hold, in characters: less than the plan allows where its model could not take as much; absent where it
    /// has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_chars: Option<u64>,
    /// From which length on it is compressed, in characters; absent where it never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed_above_chars: Option<u64>,
    /// Remarks the public history holds.
    pub history_remarks: u64,
    /// Their length in characters, as the public history is measured.
    pub history_chars: u64,
    /// What the public history may hold, in characters; absent where it has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_limit_chars: Option<u64>,
    /// The records in which it rewrote its memory, given what happened.
    pub integrations: Vec<u64>,
    /// The records in which it rewrote its memory, because that was nearly full.
    pub compressions: Vec<u64>,
    /// The records in which its model refused a prompt as too long.
    pub refused_as_too_long: Vec<u64>,
    /// The records in which a prompt was not put, since by the estimate it could not fit its model.
    pub estimated_too_long: Vec<u64>,
    /// What the seat is shown at the most since then, in characters as rendered, what is pinned counted; absent where nothing was
    /// too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_at_most_chars: Option<u64>,
    /// Records before the answer: the archive by then, of which nothing is lost.
    pub records_before: u64,
    /// Records in all.
    pub records: u64,
}

/// Something that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryShown {
    /// The record it comes from.
    pub record: LineShown,
    /// What was shown, as the prompt has it.
    pub shown: String,
    /// Whether it is never dropped or replaced.
    pub pinned: bool,
    /// Whether only the public history holds it, and the memory does not.
    pub history: bool,
    /// Whether neither does, and the seat had asked to see it.
    pub looked_up: bool,
    /// Whether it is another group's, in the place of what the record says; the words are the other's.
    pub lent: bool,
    /// Where a text was cut, from which length to which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutShown>,
}

/// Where the talk stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StandingShown {
    /// `whole` beside a memory, `short` in its place.
    pub extent: Extent,
    /// The length of the words, in characters.
    pub chars: u64,
    /// The words, as the prompt has them.
    pub words: String,
}

/// How a text was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CutShown {
    /// The length that was kept, with the marker, in characters.
    pub kept_chars: u64,
    /// The text's own length, in characters.
    pub chars: u64,
}

/// Something that was witnessed or answered and not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmittedShown {
    /// The record it comes from.
    pub record: LineShown,
    /// `policy`, `routing`, `short_brief`, `window`, `history_limit`, `memory_limit`, `replaced`, `stays`, `forgotten`,
    /// `unremembered` or `lent`.
    pub why: &'static str,
    /// The record that replaced it, or by which it was forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
    /// Whether it is another group's, in the place of what the record says; the words are the other's.
    pub lent: bool,
}

/// A memory before and after it was rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RewritingShown {
    /// Whether it was rewritten, or stayed as it was.
    pub rewritten: bool,
    /// What it was to take the place of: the seat's own entries, and to make the memory shorter what it has heard, too.
    pub before: Vec<EntryShown>,
    /// What stands there afterwards.
    pub after: Vec<EntryShown>,
    /// The rest of the memory, which stays as it is; what is pinned always does and is not told here.
    pub rest: Vec<EntryShown>,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MessageShown {
    /// Who speaks, in the protocol's spelling.
    pub role: &'static str,
    /// The words.
    pub content: String,
}

impl Context {
    /// Everything but the prompt, as plain text within so many columns.
    pub fn text(&self, columns: usize) -> String {
        let mut out = Lines { text: String::new(), columns };
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
        out.heading(&format!("shown, oldest first: {}{of}", entry_count(self.shown.len() as u64)));
        let lender = self.lender.as_deref().unwrap_or_default();
        self.shown.iter().for_each(|entry| entry.put(&mut out, lender));
        self.put_omitted(&mut out);
        if let Some(rewriting) = &self.rewriting {
            rewriting.put(&mut out, self.lender.as_deref().unwrap_or_default());
        }
        out.text
    }

    fn put_head(&self, out: &mut Lines) {
        let of = if self.attempt > 1 { format!(", try {}", self.attempt) } else { String::new() };
        let seq = self.answer.seq;
        out.line("", &format!("{}: answered in record {seq}{of}", self.question));
        out.line("", &format!("{} · arm {} · replicate {}", self.session, self.arm, self.replicate));
        if let Some(lender) = &self.lender {
            let words = format!("in the place of what this group said, seats heard statements of {lender}");
            out.line("", &words);
        }
        if self.inquired {
            out.line("", "it had asked to see something first, and was shown what was found");
        }
        if self.simulated {
            out.line("", "this seat is simulated and reads no prompt; a model would get the one below");
        }
        let words = if self.answer.is_words { self.answer.text.as_str() } else { "(no words)" };
        out.beginning("  ", words, 2);
    }

    /// What was left out, grouped by the reason.
    fn put_omitted(&self, out: &mut Lines) {
        let total = self.omitted.len() as u64;
        let count = if total == 0 { "nothing".to_owned() } else { entry_count(total) };
        out.heading(&format!("witnessed or answered, and not shown: {count}"));
        let reason = |omitted: &OmittedShown| (omitted.why, omitted.by, omitted.lent);
        let reasons: BTreeSet<(&str, Option<u64>, bool)> = self.omitted.iter().map(reason).collect();
        for own in reasons {
            let same = || self.omitted.iter().filter(|omitted| reason(omitted) == own);
            let because = because((own.0, own.1), &self.usage);
            let lender = self.lender.as_ref().filter(|_| own.2);
            let of = lender.map_or(String::new(), |lender| format!(", words of {lender}"));
            out.line("  ", &format!("{} {because}{of}", grouped(same().count() as u64)));
            same().for_each(|omitted| omitted.record.put(&mut out.text, "    ", out.columns));
        }
    }
}

impl ContextUsage {
    fn put(&self, out: &mut Lines) {
        out.text.push('\n');
        self.put_prompt(out);
        let of = |limit: Option<u64>| limit.map_or("no limit".to_owned(), grouped);
        let share = |chars: u64, limit: Option<u64>| limit.map(|limit| (chars, limit));
        let entries = entry_count(self.memory_entries);
        let limit = self.memory_limit_chars;
        let text = format!("{} of {} characters, {entries}", grouped(self.memory_chars), of(limit));
        out.row("memory", share(self.memory_chars, limit), &text);
        let remarks = counted(self.history_remarks, "remark");
        let limit = self.history_limit_chars;
        let text = format!("{} of {} characters, {remarks}", grouped(self.history_chars), of(limit));
        out.row("history", share(self.history_chars, limit), &text);
        let above = self.compressed_above_chars.map(|above| format!(", compressed above {}", grouped(above)));
        let policy = format!("{}{}", self.policy, above.unwrap_or_default());
        out.row("policy", None, &policy);
        for (what, records) in [
            ("integrated", &self.integrations),
            ("compressed", &self.compressions),
            ("refused", &self.refused_as_too_long),
            ("not put", &self.estimated_too_long),
        ] {
            let numbers: Vec<String> = records.iter().map(u64::to_string).collect();
            let where_to = match numbers.as_slice() {
                [.., last] if numbers.len() > NUMBERS_MAX => {
                    format!("{} times, the last in record {last}", grouped(numbers.len() as u64))
                }
                few => format!("in record {}", few.join(", ")),
            };
            let too_long = match what {
                "refused" => "as too long by its model, and shown less since: ",
                "not put" => "too long by the estimate, and shown less since: ",
                _ => "",
            };
            if !records.is_empty() {
                out.row(what, None, &format!("{too_long}{where_to}"));
            }
        }
        if let Some(most) = self.shown_at_most_chars {
            out.row("shown", None, &format!("{} characters at the most since then, pinned ones too", grouped(most)));
        }
        let before = counted(self.records_before, "record");
        out.row("archive", None, &format!("{before} before the answer, {} in all", grouped(self.records)));
    }

    fn put_prompt(&self, out: &mut Lines) {
        let tokens = grouped(self.prompt_tokens_at_most);
        match (self.window_tokens, self.usable_tokens) {
            (Some(window), Some(usable)) => {
                let room = usable.saturating_sub(self.reply_tokens);
                let text = format!("{tokens} of {} tokens, window {}", grouped(room), grouped(window));
                out.row("prompt", Some((self.prompt_tokens_at_most, room)), &text);
            }
            _ => out.row("prompt", None, &format!("{tokens} tokens; the window is not known")),
        }
        let server = match self.prompt_tokens {
            Some(tokens) => format!("; the server counted {}", grouped(tokens)),
            None => String::new(),
        };
        let counted = self.counted_by.as_ref().map(|tokenizer| format!("counted as {tokenizer} does"));
        let counted = counted.unwrap_or_else(|| "an estimate that errs high".to_owned());
        out.row("", None, &format!("{counted}{server}"));
    }
}

impl StandingShown {
    fn put(&self, out: &mut Lines) {
        let chars = grouped(self.chars);
        let what = match self.extent {
            Extent::Whole => format!("where the talk stands: {chars} characters"),
            Extent::Short => {
                format!("a short brief: beside what is pinned, decisions and open proposals, {chars} characters")
            }
        };
        out.heading(&what);
        self.words.lines().for_each(|line| out.beginning("          ", line, 4));
    }
}

impl EntryShown {
    fn put(&self, out: &mut Lines, lender: &str) {
        out.entry(self, lender);
        out.beginning("          ", &self.shown, 4);
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
    fn put(&self, out: &mut Lines, lender: &str) {
        for (when, entries) in [("before", &self.before), ("after", &self.after)] {
            let chars: u64 = entries.iter().map(|entry| crate::text::char_count(&entry.shown)).sum();
            let what = format!("{}, {} characters", entry_count(entries.len() as u64), grouped(chars));
            out.heading(&format!("memory {when}: {what}"));
            for entry in entries {
                out.entry(entry, lender);
                out.beginning("          ", &entry.shown, usize::MAX);
            }
        }
        if !self.rewritten {
            out.line("", "the answer did not count, and the memory stayed as it was");
        } else if !self.rest.is_empty() {
            let rest: Vec<String> = self.rest.iter().map(|entry| entry.record.seq.to_string()).collect();
            let rest = format!("beside it stays what comes from {}", records(&rest));
            out.heading(&rest);
        }
    }
}

fn entry_count(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(count)) }
}

/// The numbers of records, in words.
fn records(numbers: &[String]) -> String {
    let s = if numbers.len() == 1 { "" } else { "s" };
    format!("record{s} {}", numbers.join(", "))
}

fn because((why, by): (&str, Option<u64>), usage: &ContextUsage) -> String {
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

/// Text under way, within so many columns.
struct Lines {
    text: String,
    columns: usize,
}

impl Lines {
    /// Words behind a blank line.
    fn heading(&mut self, words: &str) {
        self.text.push('\n');
        self.line("", words);
    }

    fn line(&mut self, indent: &str, words: &str) {
        hanging(&mut self.text, indent, words, self.columns);
    }

    /// A text from its beginning, of a long one about so many lines.
    fn beginning(&mut self, indent: &str, words: &str, lines: usize) {
        let sheet = Sheet { columns: self.columns, style: Style::Plain };
        wrapped_on(&mut self.text, indent, (words, &[]), self.columns.saturating_mul(lines), sheet);
    }

    /// Whose entry it is and where it comes from.
    fn entry(&mut self, entry: &EntryShown, lender: &str) {
        entry.record.put_head(&mut self.text, "  ", &entry.marks(lender), self.columns);
    }

    /// A line of the usage, with a bar of how much of a limit is used.
    fn row(&mut self, name: &str, share: Option<(u64, u64)>, words: &str) {
        let bar = match share {
            Some((part, whole)) => {
                // Nothing used shows nothing, and a little shows a little.
                let full = (u128::from(part) * u128::from(BAR)).div_ceil(u128::from(whole.max(1))).min(u128::from(BAR));
                format!("[{}{}] ", "#".repeat(full as usize), ".".repeat(BAR as usize - full as usize))
            }
            None => String::new(),
        };
        hanging(&mut self.text, &format!("{name:<11}{bar}"), words, self.columns);
    }
}
