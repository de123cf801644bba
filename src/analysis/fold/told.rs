//! What a fold keeps of the case: what seats were told alone, and which facts were cited.

use std::collections::BTreeMap;

use crate::analysis::RightAnswer;
use crate::analysis::fold::state::{ForeignRecord, SessionFold, TrackedFact};
use crate::analysis::tables::CitationTotals;
use crate::domain::{AlternativeName, FactId, Hand, Record, Truth};
use crate::text::names_word;

impl SessionFold {
    /// Takes what the case is.
    pub(super) fn fold_case(
        &mut self,
        record: &Record,
        truth: Option<&Truth>,
        hands: &[Hand],
    ) -> Result<(), ForeignRecord> {
        self.case.truth = truth.and_then(Truth::alternative).cloned();
        self.case.amount = truth.and_then(Truth::amount);
        let mut places: BTreeMap<&FactId, usize> = BTreeMap::new();
        for hand in hands {
            let seat = self.find_seat(record, &hand.seat)?;
            self.seats[seat].signal.clone_from(&hand.signal);
            self.seats[seat].facts.clone_from(&hand.facts);
            for id in &hand.facts {
                match places.get(id) {
                    Some(place) => self.case.facts[*place].held_by += 1,
                    None => {
                        places.insert(id, self.case.facts.len());
                        self.case.facts.push(TrackedFact { id: id.clone(), held_by: 1, cited: 0 });
                    }
                }
            }
        }
        Ok(())
    }

    /// The right alternative of the session: the key of its item, or what its own minutes say; `None` where nobody knows, or an
    /// amount is right.
    pub(super) fn right_alternative(&self) -> Option<AlternativeName> {
        match &self.facts.item {
            Some(item) => item.key.as_ref().and_then(Truth::alternative).cloned(),
            None => self.case.truth.clone(),
        }
    }

    /// The right amount of the session, found likewise; `None` where nobody knows, or an alternative is right.
    pub(super) fn right_amount(&self) -> Option<u32> {
        match &self.facts.item {
            Some(item) => item.key.as_ref().and_then(Truth::amount),
            None => self.case.amount,
        }
    }

    /// What is right in the session, with the amounts that count as right; `None` where nobody knows, and where amounts stand beside a
    /// choice.
    pub(super) fn right_answer(&self) -> Option<RightAnswer> {
        let amount = || self.right_amount().filter(|_| self.facts.arm.alternatives.len() == 1);
        let around = |amount| RightAnswer::from_amount(amount, self.facts.arm.correct_within_ppm);
        self.right_alternative().map(RightAnswer::Alternative).or_else(|| amount().map(around))
    }

    /// The facts that a statement cites, joined by `|`; `None` where it cites none.
    pub(super) fn cite_facts(&mut self, text: &str) -> Option<String> {
        let mut cited = Vec::new();
        for fact in self.case.facts.iter_mut().filter(|fact| names_word(text, fact.id.as_str())) {
            fact.cited += 1;
            cited.push(fact.id.as_str());
        }
        (!cited.is_empty()).then(|| cited.join("|"))
    }

    /// What was said of the facts; `None` where no seat was told any.
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
