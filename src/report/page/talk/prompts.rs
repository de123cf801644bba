//! The prompts of a session as data for the page's script. Each line is stored once, because prompts repeat each other.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;
use serde::Serialize;

use super::markup::Markup;
use super::source::Talk;
use crate::domain::Seq;
use crate::report::page::Block;
use crate::session::SeatSight;
use crate::text::escape_but_tabs;

/// The limit of the packed prompts of one session, in bytes.
const PROMPTS_BYTES_MAX: usize = 150_000;

/// The data that the script reads.
#[derive(Serialize)]
struct PromptData<'t> {
    /// All different lines.
    lines: Vec<String>,
    /// By the number of the answer's record.
    answers: BTreeMap<u64, AnswerData<'t>>,
}

/// A message: its role, and its lines as runs of consecutive lines (first line, number of lines).
type PackedMessage<'t> = (&'t str, Vec<(usize, usize)>);

#[derive(Default, Serialize)]
struct AnswerData<'t> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<PackedMessage<'t>>,
    /// The raw reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    /// The model's thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<String>,
}

/// The data of one session, ready for the page.
#[derive(Debug, Default)]
pub(super) struct PackedPrompts {
    json: String,
    /// The answers whose prompts are included.
    prompts: BTreeSet<Seq>,
}

impl PackedPrompts {
    /// Packs the data of a session, without the prompts if they are too large.
    pub(super) fn pack(talk: &Talk<'_>) -> Self {
        let mut lines = IndexSet::new();
        let mut answers: BTreeMap<u64, AnswerData<'_>> = BTreeMap::new();
        let mut prompts = BTreeSet::new();
        for sight in &talk.sights.sights {
            if let Some(messages) = pack_messages(&mut lines, sight) {
                answers.entry(sight.seq.0).or_default().messages = messages;
                prompts.insert(sight.seq);
            }
        }
        let lines = lines.iter().map(|line| escape_but_tabs(line)).collect();
        let with_prompts = PromptData { lines, answers };
        if !prompts.is_empty() && Block::pack(&with_prompts.json()).letters().len() <= PROMPTS_BYTES_MAX {
            return Self { json: with_prompts.with_replies(talk).json(), prompts };
        }
        let without = PromptData { lines: Vec::new(), answers: BTreeMap::new() }.with_replies(talk);
        let json = if without.answers.is_empty() { String::new() } else { without.json() };
        Self { json, prompts: BTreeSet::new() }
    }

    /// Whether the prompt of this answer is on the page.
    pub(super) fn holds(&self, answer: Seq) -> bool {
        self.prompts.contains(&answer)
    }

    /// Writes the data, if there are any.
    pub(super) fn put(&self, out: &mut Markup) {
        if !self.json.is_empty() {
            out.own("<script type=\"application/json\" class=\"prompts\">").data(&self.json).own("</script>\n");
        }
    }
}

impl PromptData<'_> {
    /// Adds the replies and the thinking.
    fn with_replies(mut self, talk: &Talk<'_>) -> Self {
        for (seq, call) in talk.calls.iter().filter(|(_, call)| !call.raw.is_empty() || call.thinking.is_some()) {
            let answer = self.answers.entry(seq.0).or_default();
            answer.reply = (!call.raw.is_empty()).then(|| escape_but_tabs(&call.raw));
            answer.thinking = call.thinking.as_deref().map(escape_but_tabs);
        }
        self
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("invariant: texts and numbers are JSON")
    }
}

fn pack_messages<'t>(lines: &mut IndexSet<String>, sight: &'t SeatSight) -> Option<Vec<PackedMessage<'t>>> {
    let wording = sight.wording.as_ref()?;
    let message = |message: &'t crate::prompt::Message| (message.role.as_str(), store_text(lines, &message.content()));
    Some(wording.messages.iter().map(message).collect())
}

/// Stores the lines of a text and returns it as runs of consecutive lines.
fn store_text(lines: &mut IndexSet<String>, text: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for line in text.split('\n') {
        let place = lines.get_index_of(line).unwrap_or_else(|| lines.insert_full(line.to_owned()).0);
        match runs.last_mut() {
            Some((first, count)) if *first + *count == place => *count += 1,
            _ => runs.push((place, 1)),
        }
    }
    runs
}
