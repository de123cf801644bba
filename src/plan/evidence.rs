//! The evidence of a case: the right answer, signals, facts and exhibits.

use crate::domain::{AlternativeId, Digest, FactId, Motion, SeatName};
use crate::memory::Exhibit;

/// Placeholders for a signal's alternative in texts. They are private-use characters, so that no author writes them.
pub const MARKS: [[&str; 2]; 2] = [["\u{e000}name\u{e001}", "\u{e000}label\u{e001}"], ["\u{e002}", "\u{e003}"]];

/// The case of an arm.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Evidence {
    /// How the right answer is determined; `None` if it is unknown, or if items have keys.
    pub truth: Option<TruthRule>,
    /// The signals about the truth; `None` if there are none.
    pub signals: Option<Signals>,
    /// The facts, in the scenario's order; empty if none are dealt.
    pub facts: Vec<Fact>,
    /// The facts that every seat gets.
    pub shared: SharedFacts,
    /// The number of seats that hold each other fact, 1 … seats.
    pub held_by: u32,
    /// The text before the facts.
    pub intro: Option<String>,
    /// The facts that no seat gets, even if they are dealt.
    pub withheld: Vec<FactId>,
}

/// How the right answer is determined.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum TruthRule {
    /// A fixed alternative.
    Alternative(AlternativeId),
    /// An alternative drawn with these probabilities, in parts per million; they sum to one million.
    Drawn(Vec<u32>),
    /// A fixed amount.
    Amount(u32),
}

/// Private signals about the truth.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Signals {
    /// The probability that a signal is right, in parts per million.
    pub accuracy_ppm: u32,
    /// The text that a seat gets.
    pub text: String,
}

/// A fact of the case.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fact {
    /// The id that statements refer to.
    pub id: FactId,
    /// One version for each possible right alternative, or a single version.
    #[serde(skip)]
    pub versions: Vec<Version>,
}

/// A fact's text and the alternative it supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The text that seats read.
    pub text: String,
    /// The alternative it supports, if any.
    pub favours: Option<AlternativeId>,
}

/// The facts that every seat gets.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum SharedFacts {
    /// The facts at these positions.
    Named(Vec<usize>),
    /// This number of facts, drawn at random.
    Count(u32),
}

impl Signals {
    /// The text of a signal for an alternative.
    pub fn signal_text(&self, motion: &Motion, alternative: AlternativeId) -> String {
        let label = &motion.alternatives[alternative.index()].label;
        let [name_mark, label_mark] = MARKS[0];
        self.text.replace(name_mark, motion.said(alternative).as_str()).replace(label_mark, label)
    }
}

impl Fact {
    /// The version for a right alternative, or without one.
    pub fn version_for_truth(&self, truth: Option<AlternativeId>) -> &Version {
        let place = truth.map_or(0, AlternativeId::index);
        self.versions.get(place).unwrap_or(&self.versions[0])
    }
}

/// Parses a truth value; templates print it capitalised.
pub fn parse_truth_value(words: &str) -> Option<bool> {
    match words.trim() {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

/// An exhibit and its recipients.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HandOut {
    /// The exhibit.
    pub exhibit: Exhibit,
    /// The digest of its text, with LF line ends.
    pub digest: Digest,
    /// The seats that see it; empty for every seat.
    pub to: Vec<SeatName>,
    /// Whether it is a column of the items. Outside the plans of items it has the longest text of the column.
    pub of_items: bool,
}

impl HandOut {
    /// Whether a seat sees it.
    pub fn is_shown_to(&self, seat: &SeatName) -> bool {
        self.to.is_empty() || self.to.contains(seat)
    }
}
