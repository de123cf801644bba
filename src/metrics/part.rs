//! What a fold keeps of the round, or the part of a phase outside rounds, that it is in.

use crate::domain::{AlternativeName, PhaseKindName, PhaseName, TallyReport};
use crate::metrics::effort::Effort;
use crate::metrics::facts::PhaseFacts;
use crate::metrics::measures;
use crate::metrics::tables::{RoundRow, Spread, Switches};

/// A vote or poll in progress: its counts and how many answers are settled.
#[derive(Debug, Clone, Default)]
pub(super) struct Count {
    /// Valid choices per alternative.
    pub counts: Vec<u32>,
    /// Questions settled, valid or not.
    pub settled: u32,
}

/// The current round, or the current phase's part outside rounds.
#[derive(Debug)]
pub(super) struct Part {
    /// The phase.
    pub phase: PhaseName,
    /// Its place in the agenda.
    pub place: usize,
    kind: PhaseKindName,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The place of each seat in the speaking order, from 1; empty outside rounds.
    pub positions: Vec<Option<u32>>,
    /// Whether a question was asked or a round opened.
    pub worth_a_row: bool,
    /// Statements, passes and forfeits.
    pub turns: [u64; 3],
    words: Vec<u64>,
    statements: Vec<u32>,
    stances: Vec<u32>,
    /// The straw poll, if one was begun.
    pub straw: Option<Count>,
    /// The vote, if one was begun.
    pub ballot: Option<Count>,
    majority: Option<usize>,
    switched: u64,
    switchers: u64,
    to_majority: u64,
    from_majority: u64,
    tally: Option<(bool, u32)>,
    /// Answers, calls, tokens.
    pub effort: Effort,
}

impl Part {
    /// Opens a part; `held` counts all seats' last declared stances at its start.
    pub fn open(place: usize, phase: &PhaseFacts, round: u32, seats: usize, held: &[u32]) -> Self {
        let seats = if round > 0 { seats } else { 0 };
        Self {
            phase: phase.name.clone(),
            place,
            kind: phase.kind,
            round,
            positions: vec![None; seats],
            worth_a_row: false,
            turns: [0; 3],
            words: vec![0; seats],
            statements: vec![0; seats],
            stances: vec![0; held.len()],
            straw: None,
            ballot: None,
            majority: measures::single_mode(held),
            switched: 0,
            switchers: 0,
            to_majority: 0,
            from_majority: 0,
            tally: None,
            effort: Effort::default(),
        }
    }

    /// Takes a statement of a seat.
    pub fn statement(&mut self, seat: usize, words: u64) {
        self.turns[0] += 1;
        if self.round > 0 {
            self.words[seat] += words;
            self.statements[seat] += 1;
        }
    }

    /// Takes a declared stance, and the one the seat had declared before.
    pub fn stance(&mut self, stance: usize, before: Option<usize>) {
        self.stances[stance] += 1;
        let Some(before) = before else { return };
        self.switchers += 1;
        if before != stance {
            self.switched += 1;
            self.to_majority += u64::from(self.majority == Some(stance));
            self.from_majority += u64::from(self.majority == Some(before));
        }
    }

    /// Takes a counted vote.
    pub fn tallied(&mut self, report: &TallyReport) {
        self.tally = Some((report.decided.is_some(), report.abstained));
    }

    /// The part's row.
    pub fn row(&self, seats: usize, alternatives: &[AlternativeName]) -> RoundRow {
        let talk = self.round > 0;
        RoundRow {
            phase: self.phase.clone(),
            kind: self.kind,
            round: self.round,
            seats: seats as u64,
            turns: talk.then_some(self.turns),
            words: talk.then(|| self.words.iter().sum()),
            stance: talk.then(|| Spread::of(&self.stances, alternatives)),
            straw: self.straw.as_ref().map(|poll| Spread::of(&poll.counts, alternatives)),
            ballot: self.ballot.as_ref().map(|vote| Spread::of(&vote.counts, alternatives)),
            switches: talk.then(|| Switches {
                switched: self.switched,
                n: self.switchers,
                majority: self.majority.map(|_| (self.to_majority, self.from_majority)),
            }),
            vote_held: self.tally.is_some(),
            decided: self.tally.map(|(decided, _)| decided),
            speaking_gini: measures::gini(&self.words),
            turn_entropy_norm: measures::entropy_norm(&self.statements),
            abstained: self.tally.map(|(_, abstained)| u64::from(abstained)),
            effort: self.effort,
        }
    }
}
