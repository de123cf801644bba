//! What the fold of a session keeps of a seat from its first record to its last.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domain::{AlternativeName, Choice, FactId, Record, SeatHears, Seated};
use crate::metrics::effort::Effort;
use crate::metrics::facts::{RightAnswer, SessionFacts};
use crate::metrics::fold::influence::Credit;
use crate::metrics::fold::{Misfit, SessionFold, misfit};
use crate::metrics::tables::{RankingGiven, Recognition, SeatRow, joined};

impl SessionFold {
    /// Takes down who sits where.
    pub(super) fn seated(&mut self, record: &Record, seats: &[Seated]) -> Result<(), Misfit> {
        for seated in seats {
            let seat = self.seat(record, &seated.seat)?;
            let columns = &self.facts.arm.layout.traits;
            self.seats[seat].seat(seated, columns).map_err(|name| misfit(record, "trait", &name))?;
        }
        Ok(())
    }

    /// Takes down how many others each seat hears, and how many hear it.
    pub(super) fn networked(&mut self, record: &Record, all: &[SeatHears]) -> Result<(), Misfit> {
        self.seats.iter_mut().for_each(|seat| seat.degrees = Some([0; 2]));
        for SeatHears { seat, hears } in all {
            let listener = self.seat(record, seat)?;
            for other in hears {
                let other = self.seat(record, other)?;
                for (seat, end) in [(listener, 0), (other, 1)] {
                    self.seats[seat].degrees.get_or_insert_default()[end] += 1;
                }
            }
        }
        Ok(())
    }
}

/// One seat.
#[derive(Debug, Clone, Default)]
pub(super) struct SeatState {
    /// The alternative of its first declared stance.
    pub first_stance: Option<usize>,
    /// The stance declared last.
    pub stance: Option<Choice>,
    /// Its opinions told last, in a statement and in a poll, in billionths.
    pub opinions: [Option<u32>; 2],
    /// Others' changes of stance that it is credited with.
    pub credit: Credit,
    pub statements: u64,
    pub words: u64,
    /// Whether the last poll differed from the stance declared last by then.
    pub differs: Option<bool>,
    /// Last valid choices in the polls before and after the talk.
    pub straws: [Option<Choice>; 2],
    /// The last valid ballot.
    pub ballot: Option<Choice>,
    pub first_ranking: Option<RankingGiven>,
    pub last_ranking: Option<RankingGiven>,
    pub ranked: u32,
    /// Class and income of the settlement.
    pub settled: Option<(u8, u32)>,
    /// Paid for practice rounds and in the settlement, in cents; `None` where it was not paid.
    pub paid_cents: [Option<u64>; 2],
    /// Right answers at its last try of the test.
    pub test_correct: Option<u32>,
    /// Whether it failed a test that excludes who fails.
    pub is_excluded: bool,
    pub votes_called: u64,
    pub effort: Effort,
    pub models: BTreeSet<String>,
    pub persona: Option<String>,
    pub chosen_name: Option<String>,
    pub recognised: Option<Recognition>,
    pub degrees: Option<[u64; 2]>,
    pub traits: Vec<Option<f64>>,
    /// What it was told alone of the case.
    pub signal: Option<AlternativeName>,
    pub facts: Vec<FactId>,
    /// Tries before the last question that it settled.
    pub tries_before: u8,
    /// What it took from a common stock; `None` before any harvest.
    pub gain: Option<u64>,
}

impl SeatState {
    /// Takes what was drawn for the seat; the name of a trait that has no column is an error.
    pub fn seat(&mut self, seated: &Seated, columns: &[String]) -> Result<(), String> {
        self.persona.clone_from(&seated.persona);
        self.traits = vec![None; columns.len()];
        for drawn in &seated.traits {
            let place = columns.iter().position(|name| *name == drawn.name).ok_or_else(|| drawn.name.clone())?;
            self.traits[place] = Some(drawn.millionths as f64 / 1e6);
        }
        Ok(())
    }

    /// Its row; `words` are those of all seats, and `right` is what is right.
    pub fn row(self, facts: &SessionFacts, place: usize, (words, right): (u64, Option<RightAnswer>)) -> SeatRow {
        let arm = &facts.arm;
        let name = |choice: Choice| arm.alternatives[choice.alternative.index()].clone();
        SeatRow {
            place,
            model_served: joined(self.models.iter().map(String::as_str)),
            traits: self.traits,
            persona_id: self.persona,
            chosen_name: self.chosen_name,
            recognised: self.recognised,
            degrees: self.degrees,
            straws: self.straws.map(|choice| choice.map(|choice| (name(choice), choice.amount))),
            ballot: self.ballot.map(|choice| (name(choice), choice.amount)),
            rankings: self.first_ranking.zip(self.last_ranking).map(|(first, last)| [first, last]),
            ranked: self.ranked,
            switched: self.first_stance.zip(self.stance).map(|(first, last)| first != last.alternative.index()),
            settled: self.settled,
            paid_cents: self.paid_cents,
            statements: self.statements,
            words: self.words,
            speaking_share: (words > 0).then(|| self.words as f64 / words as f64),
            votes_called: self.votes_called,
            effort: self.effort,
            test_correct: self.test_correct,
            excluded: self.is_excluded,
            mattr_50: None,
            influence: [0; 2],
            signal: self.signal,
            gain: self.gain,
            facts: joined(self.facts.iter().map(FactId::as_str)),
            right,
            arm: Arc::clone(arm),
        }
    }
}
