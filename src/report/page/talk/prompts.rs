//! The prompts of a session as data for the page's script: each line of them once, for prompts repeat each other.
//!
//! The script shows them as text; nothing of them is read as HTML.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Talk;
use super::markup::Markup;
use crate::domain::Seq;
use crate::report::page::Block;
use crate::session::SeatSight;
use crate::text::escape_unseen;

/// Bytes that the prompts of one session may take on the page, packed.
const PROMPTS_BYTES_MAX: usize = 150_000;

/// What the script reads.
#[derive(Serialize)]
struct Data<'t> {
    /// Every line, once.
    lines: Vec<String>,
    /// By the number of the answer's record.
    answers: BTreeMap<u64, Answer<'t>>,
}

/// A message: who speaks, and its lines as runs of those that follow one another.
type Spoken<'t> = (&'t str, Vec<(usize, usize)>);

#[derive(Default, Serialize)]
struct Answer<'t> {
    /// Who speaks, and the message as runs of lines: the first, and how many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Spoken<'t>>,
    /// The reply as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    /// What the model thought before.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<String>,
}

/// The data of a session, as it stands on the page.
#[derive(Debug, Default)]
pub(super) struct Packed {
    json: String,
    /// The records whose prompts it holds.
    prompts: BTreeSet<Seq>,
}

impl Packed {
    /// The data of a session; without the prompts where these would make the page too large.
    pub(super) fn of(talk: &Talk<'_>) -> Self {
        let mut lines = Lines::default();
        let mut answers: BTreeMap<u64, Answer<'_>> = BTreeMap::new();
        let mut prompts = BTreeSet::new();
        for sight in &talk.sights.sights {
            if let Some(messages) = messages(&mut lines, sight) {
                answers.entry(sight.seq.0).or_default().messages = messages;
                prompts.insert(sight.seq);
            }
        }
        let with_prompts = Data { lines: lines.all, answers };
        if !prompts.is_empty() && Block::pack(&with_prompts.json()).letters().len() <= PROMPTS_BYTES_MAX {
            return Self { json: with_prompts.replies(talk).json(), prompts };
        }
        let without = Data { lines: Vec::new(), answers: BTreeMap::new() }.replies(talk);
        let json = if without.answers.is_empty() { String::new() } else { without.json() };
        Self { json, prompts: BTreeSet::new() }
    }

    /// Whether the prompt of this answer is on the page.
    pub(super) fn holds(&self, answer: Seq) -> bool {
        self.prompts.contains(&answer)
    }

    /// Writes the data, where there is any.
    pub(super) fn put(&self, out: &mut Markup) {
        if !self.json.is_empty() {
            out.own("<script type=\"application/json\" class=\"prompts\">").data(&self.json).own("</script>\n");
        }
    }
}

impl Data<'_> {
    /// The same with what came back.
    fn replies(mut self, talk: &Talk<'_>) -> Self {
        for (seq, call) in talk.calls.iter().filter(|(_, call)| !call.raw.is_empty() || call.thinking.is_some()) {
            let answer = self.answers.entry(seq.0).or_default();
            answer.reply = (!call.raw.is_empty()).then(|| escape_unseen(&call.raw));
            answer.thinking = call.thinking.as_deref().map(escape_unseen);
        }
        self
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("invariant: texts and numbers are JSON")
    }
}

fn messages<'t>(lines: &mut Lines, sight: &'t SeatSight) -> Option<Vec<Spoken<'t>>> {
    let wording = sight.wording.as_ref()?;
    let message = |message: &'t crate::prompt::Message| (message.role.as_str(), lines.runs(&message.content()));
    Some(wording.messages.iter().map(message).collect())
}

/// Lines by their places.
#[derive(Default)]
struct Lines {
    all: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Lines {
    /// A text as runs of lines that follow one another.
    fn runs(&mut self, text: &str) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for line in text.split('\n') {
            let place = self.place(line);
            match runs.last_mut() {
                Some((first, count)) if *first + *count == place => *count += 1,
                _ => runs.push((place, 1)),
            }
        }
        runs
    }

    fn place(&mut self, line: &str) -> usize {
        if let Some(place) = self.places.get(line) {
            return *place;
        }
        let place = self.all.len();
        self.all.push(escape_unseen(line));
        self.places.insert(line.to_owned(), place);
        place
    }
}
