//! Folds the case: private information, the right answer, and citations of facts.

use crate::analysis::RightAnswer;
use crate::analysis::fold::state::{ForeignRecord, SessionFold, TrackedFact};
use crate::analysis::tables::CitationTotals;
use crate::domain::{AlternativeName, FactId, Record, SeatName, Truth};
use crate::text::names_word;

impl SessionFold {
    /// Folds a seat's own part of the case.
    pub(super) fn fold_hand(
        &mut self,
        record: &Record,
        to: &[SeatName],
        signal: Option<&AlternativeName>,
        facts: &[FactId],
    ) -> Result<(), ForeignRecord> {
        for name in to {
            let seat = self.find_seat(record, name)?;
            self.seats[seat].signal = signal.cloned();
            self.seats[seat].facts = facts.to_vec();
            for id in facts {
                let next = self.case.facts.len();
                let place = *self.case.places.entry(id.clone()).or_insert(next);
                if place == next {
                    self.case.facts.push(TrackedFact { id: id.clone(), held_by: 0, cited: 0 });
                }
                self.case.facts[place].held_by += 1;
            }
        }
        Ok(())
    }

    /// The right alternative: the key of the item or, without an item, the truth in the records; `None` if unknown or if an
    /// amount is right.
    pub(super) fn right_alternative(&self) -> Option<AlternativeName> {
        match &self.facts.item {
            Some(item) => item.key.as_ref().and_then(Truth::alternative).cloned(),
            None => self.case.truth.clone(),
        }
    }

    /// The right amount, from the key or the truth in the records; `None` if unknown or if an alternative is right.
    pub(super) fn right_amount(&self) -> Option<u32> {
        match &self.facts.item {
            Some(item) => item.key.as_ref().and_then(Truth::amount),
            None => self.case.amount,
        }
    }

    /// The right answer, with the tolerance of a right amount; `None` if unknown, or if an amount is right among several
    /// alternatives.
    pub(super) fn right_answer(&self) -> Option<RightAnswer> {
        let amount = || self.right_amount().filter(|_| self.facts.arm.alternatives.len() == 1);
        let around = |amount| RightAnswer::from_amount(amount, self.facts.arm.correct_within_ppm);
        self.right_alternative().map(RightAnswer::Alternative).or_else(|| amount().map(around))
    }

    /// The facts that a statement cites, joined by `|`; `None` if it cites none.
    pub(super) fn cite_facts(&mut self, text: &str) -> Option<String> {
        let mut cited = Vec::new();
        for fact in self.case.facts.iter_mut().filter(|fact| names_word(text, fact.id.as_str())) {
            fact.cited += 1;
            cited.push(fact.id.as_str());
        }
        (!cited.is_empty()).then(|| cited.join("|"))
    }

    /// `None` if no seat was dealt a fact.
    pub(super) fn citation_totals(&self) -> Option<CitationTotals> {
        let seats = self.facts.arm.seats.len();
        let is_shared = |fact: &&TrackedFact| fact.held_by == seats;
        let (shared, unshared): (Vec<&TrackedFact>, Vec<&TrackedFact>) = self.case.facts.iter().partition(is_shared);
        let mentioned = |facts: &[&TrackedFact]| facts.iter().filter(|fact| fact.cited > 0).count() as u64;
        let mentions = |facts: &[&TrackedFact]| facts.iter().map(|fact| fact.cited).sum::<u64>();
        (!self.case.facts.is_empty()).then(|| CitationTotals {
            n_facts: self.case.facts.len() as u64,
            n_shared_mentioned: mentioned(&shared),
            n_unshared_mentioned: mentioned(&unshared),
            mentions: [mentions(&shared), mentions(&unshared)],
        })
    }
}
