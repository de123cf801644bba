//! What one seat had before it when it answered one question, for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::Style;
use super::findings::LineShown;
use super::lines::{fitted, wrapped};
use super::plain::visible;
use super::render::{counted, grouped};

const WROTE: &str = "invariant: a string takes every character";
/// The columns of a line, and of a bar.
const WIDTH: usize = 80;
const BAR: u64 = 20;

/// What one seat had before it when it answered one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Context {
    /// The session.
    pub session: String,
    /// Its arm.
    pub arm: String,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// The record that answers the question.
    pub answer: LineShown,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The question in words.
    pub question: String,
    /// The model that got the prompt; for a simulated seat, one in its place.
    pub model: String,
    /// Whether the seat is simulated and reads no prompt.
    pub simulated: bool,
    /// How much of everything was used.
    pub usage: ContextUsage,
    /// What was shown of the memory, oldest first.
    pub shown: Vec<EntryShown>,
    /// What was witnessed and not shown, oldest first.
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
    /// Tokens of the prompt, estimated high.
    pub prompt_tokens_at_most: u64,
    /// The same as the server counted them; absent where it did not say or none was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens kept free for the reply.
    pub reply_tokens: u64,
    /// The model's context window in tokens, and what of it prompt and reply may use; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<(u64, u64)>,
    /// The memory's policy.
    pub policy: String,
    /// Entries shown, and their length in characters.
    pub memory: (u64, u64),
    /// What the memory may hold, in characters; absent where it has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Remarks the public history holds, and their length in characters.
    pub history: (u64, u64),
    /// What the public history may hold, in characters; absent where it has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_limit: Option<u64>,
    /// Everything the seat has witnessed, in characters.
    pub heard_chars: u64,
    /// The records in which it rewrote its memory, given what happened.
    pub integrations: Vec<u64>,
    /// The records in which it rewrote its memory, because that was nearly full.
    pub compressions: Vec<u64>,
    /// The records in which its model refused a prompt as too long.
    pub refused_as_too_long: Vec<u64>,
    /// Records before the question, and in all: the archive, of which nothing is lost.
    pub records: (u64, u64),
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
    /// Where a text was cut: the length that was kept, with the marker, and its own, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<(u64, u64)>,
}

/// Something that was witnessed and not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmittedShown {
    /// The record it comes from.
    pub record: LineShown,
    /// `policy`, `history_limit`, `memory_limit` or `replaced`.
    pub why: &'static str,
    /// The record that replaced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u64>,
}

/// A memory before and after it was rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RewritingShown {
    /// Whether it was rewritten, or stayed as it was.
    pub rewritten: bool,
    /// The seat's own entries before.
    pub before: Vec<EntryShown>,
    /// The seat's own entries after.
    pub after: Vec<EntryShown>,
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
    /// Everything but the prompt, as text of at most 80 columns.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.put_head(&mut out);
        self.usage.put(&mut out);
        writeln!(out, "\nshown, oldest first: {}", counted(self.shown.len() as u64, "entry")).expect(WROTE);
        self.shown.iter().for_each(|entry| entry.put(&mut out));
        self.put_omitted(&mut out);
        if let Some(rewriting) = &self.rewriting {
            rewriting.put(&mut out);
        }
        out
    }

    fn put_head(&self, out: &mut String) {
        let of = if self.attempt > 1 { format!(", try {}", self.attempt) } else { String::new() };
        let seq = self.answer.seq;
        line(out, "", &format!("{}: record {seq} answers it{of}", self.question));
        line(out, "", &format!("{} · arm {} · replicate {}", self.session, self.arm, self.replicate));
        if self.simulated {
            line(out, "", "this seat is simulated and reads no prompt; a model in its place would get the one below");
        }
        let words = if self.answer.is_words { self.answer.text.as_str() } else { "(no words)" };
        line(out, "", &format!("answer: {words}"));
    }

    /// What was left out, grouped by the reason.
    fn put_omitted(&self, out: &mut String) {
        let total = self.omitted.len() as u64;
        writeln!(
            out,
            "\nwitnessed and not shown: {}",
            if total == 0 { "nothing".to_owned() } else { counted(total, "entry") }
        )
        .expect(WROTE);
        let mut reasons: Vec<(&str, Option<u64>)> =
            self.omitted.iter().map(|omitted| (omitted.why, omitted.by)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        for reason in reasons {
            let same = || self.omitted.iter().filter(|omitted| (omitted.why, omitted.by) == reason);
            writeln!(out, "  {} {}", grouped(same().count() as u64), because(reason)).expect(WROTE);
            same().for_each(|omitted| omitted.record.put(out, "    "));
        }
    }
}

impl ContextUsage {
    fn put(&self, out: &mut String) {
        let Self { memory, history, .. } = self;
        let counted_by =
            self.prompt_tokens.map_or(String::new(), |tokens| format!("; the server counted {}", grouped(tokens)));
        let tokens = grouped(self.prompt_tokens_at_most);
        out.push('\n');
        match self.window {
            Some((window, usable)) => {
                let room = usable.saturating_sub(self.reply_tokens);
                let of = format!("at most {tokens} of {} tokens (window {})", grouped(room), grouped(window));
                row(out, "prompt", Some((self.prompt_tokens_at_most, room)), &(of + &counted_by));
            }
            None => {
                row(out, "prompt", None, &format!("at most {tokens} tokens, of a window that is not known{counted_by}"))
            }
        }
        let of = |limit: Option<u64>| limit.map_or("no limit".to_owned(), grouped);
        let share = |chars: u64, limit: Option<u64>| limit.map(|limit| (chars, limit));
        let entries = counted(memory.0, "entry");
        let text = format!("{} of {} characters, {entries}", grouped(memory.1), of(self.memory_limit));
        row(out, "memory", share(memory.1, self.memory_limit), &text);
        let remarks = counted(history.0, "remark");
        let text = format!("{} of {} characters, {remarks}", grouped(history.1), of(self.history_limit));
        row(out, "history", share(history.1, self.history_limit), &text);
        row(
            out,
            "policy",
            None,
            &format!("{}; witnessed {} characters in all", self.policy, grouped(self.heard_chars)),
        );
        for (what, records) in [
            ("integrated", &self.integrations),
            ("compressed", &self.compressions),
            ("refused", &self.refused_as_too_long),
        ] {
            let numbers: Vec<String> = records.iter().map(u64::to_string).collect();
            let too_long = if what == "refused" { "as too long by its model, and shown less since: " } else { "" };
            if !records.is_empty() {
                row(out, what, None, &format!("{too_long}record {}", numbers.join(", ")));
            }
        }
        let (before, all) = self.records;
        row(
            out,
            "archive",
            None,
            &format!("{} before the question, {} in all", counted(before, "record"), grouped(all)),
        );
    }
}

impl EntryShown {
    fn put(&self, out: &mut String) {
        self.record.put_head(out, "  ", &self.marks());
        wrapped(out, "          ", (&self.shown, &[]), 4 * WIDTH, Style::Plain);
    }

    fn marks(&self) -> String {
        let cut = self.cut.map(|(kept, of)| format!("cut to {} of {} characters", grouped(kept), grouped(of)));
        let pinned = self.pinned.then(|| "pinned".to_owned());
        let marks: Vec<String> = pinned.into_iter().chain(cut).collect();
        if marks.is_empty() { String::new() } else { format!(" · {}", marks.join(", ")) }
    }
}

impl RewritingShown {
    fn put(&self, out: &mut String) {
        for (when, entries) in [("before", &self.before), ("after", &self.after)] {
            let chars: u64 = entries.iter().map(|entry| crate::text::chars(&entry.shown)).sum();
            let what = format!("{}, {} characters", counted(entries.len() as u64, "entry"), grouped(chars));
            writeln!(out, "\nown memory {when}: {what}").expect(WROTE);
            for entry in entries {
                entry.record.put_head(out, "  ", &entry.marks());
                wrapped(out, "          ", (&entry.shown, &[]), usize::MAX, Style::Plain);
            }
        }
        if !self.rewritten {
            out.push_str("the answer did not count, and the memory stayed as it was\n");
        }
    }
}

fn because((why, by): (&str, Option<u64>)) -> String {
    match (why, by) {
        ("policy", _) => "kept by no memory of this policy".to_owned(),
        ("history_limit", _) => "dropped by the public history's limit".to_owned(),
        ("replaced", Some(by)) => format!("replaced by the rewriting in record {by}"),
        _ => "dropped by the memory's limit".to_owned(),
    }
}

fn line(out: &mut String, indent: &str, text: &str) {
    let indent = visible(indent);
    writeln!(out, "{indent}{}", fitted(text, WIDTH - indent.len())).expect(WROTE);
}

/// A line of the usage, with a bar of how much of a limit is used.
fn row(out: &mut String, name: &str, share: Option<(u64, u64)>, text: &str) {
    let bar = match share {
        Some((part, whole)) => {
            // Nothing used shows nothing, and a little shows a little.
            let full =
                (u128::from(part) * u128::from(BAR)).div_ceil(u128::from(whole.max(1))).min(u128::from(BAR)) as usize;
            format!("[{}{}] ", "#".repeat(full), ".".repeat(BAR as usize - full))
        }
        None => String::new(),
    };
    let lead = format!("{name:<11}{bar}");
    writeln!(out, "{lead}{}", fitted(text, WIDTH - lead.len())).expect(WROTE);
}
