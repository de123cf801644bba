//! The case: what is right, what seats know of it, and what is shown to whom.

use crate::domain::{AlternativeId, Digest, FactId, Motion, SeatName};
use crate::memory::Exhibit;

/// Stand in texts where the alternative of a signal belongs; of the private use area, so that no author writes them.
pub const MARKS: [[&str; 2]; 2] = [["\u{e000}name\u{e001}", "\u{e000}label\u{e001}"], ["\u{e002}", "\u{e003}"]];

/// The case of an arm.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Evidence {
    /// Which answer is right; `None` where nobody knows, or where items have keys.
    pub truth: Option<TruthRule>,
    /// What seats are told of it; `None` where they are told nothing.
    pub signals: Option<Signals>,
    /// The facts, in the scenario's order; empty where none are dealt.
    pub facts: Vec<Fact>,
    /// Which of them every seat is told.
    pub shared: SharedFacts,
    /// By how many seats each other fact is held, 1 … seats.
    pub held_by: u32,
    /// What stands before the facts.
    pub intro: Option<String>,
    /// The facts that nobody is told, whoever they are dealt to.
    pub withheld: Vec<FactId>,
}

/// How it is settled which answer is right.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum TruthRule {
    /// This alternative.
    Alternative(AlternativeId),
    /// An alternative by lot: the probability of each in parts per million, which sum to a million.
    Drawn(Vec<u32>),
    /// This amount.
    Amount(u32),
}

/// What seats are told alone of the truth.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Signals {
    /// The probability that a signal is right, in parts per million.
    pub accuracy_ppm: u32,
    /// What a seat is told of its signal.
    pub text: String,
}

/// A fact of the case.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// What it is where an alternative is right, one entry an alternative; a single one where it is always the same.
    #[serde(skip)]
    pub versions: Vec<Version>,
}

/// What a fact says, and for what it speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The words.
    pub text: String,
    /// The alternative that it speaks for; `None` where it speaks for none.
    pub favours: Option<AlternativeId>,
}

/// The facts that every seat is told.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum SharedFacts {
    /// These, by their positions.
    Named(Vec<usize>),
    /// So many, by lot.
    Count(u32),
}

impl Signals {
    /// The words of a signal for an alternative.
    pub fn signal_text(&self, motion: &Motion, alternative: AlternativeId) -> String {
        let label = &motion.alternatives[alternative.index()].label;
        let [name_mark, label_mark] = MARKS[0];
        self.text.replace(name_mark, motion.said(alternative).as_str()).replace(label_mark, label)
    }
}

impl Fact {
    /// What it is where this alternative is right, or where none is.
    pub fn version_for_truth(&self, truth: Option<AlternativeId>) -> &Version {
        let place = truth.map_or(0, AlternativeId::index);
        self.versions.get(place).unwrap_or(&self.versions[0])
    }

    /// What it is, whatever is right.
    pub fn versions(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter()
    }
}

/// The truth value that these words are; `None` where they are none. Templates print them with a capital.
pub fn parse_truth_value(words: &str) -> Option<bool> {
    match words.trim() {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

/// An exhibit that some seats are shown.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HandOut {
    /// The exhibit.
    pub exhibit: Exhibit,
    /// The digest of its text; line ends are LF.
    pub digest: Digest,
    /// Who is shown it; empty when every seat is.
    pub to: Vec<SeatName>,
}

impl HandOut {
    /// Whether a seat is shown it.
    pub fn is_shown_to(&self, seat: &SeatName) -> bool {
        self.to.is_empty() || self.to.contains(seat)
    }
}
