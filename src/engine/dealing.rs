//! The case is set before anything is said: what is right is minuted and told to nobody, and each seat is told its own part.

use std::collections::BTreeSet;

use super::deliberation::Deliberation;
use super::standing::Held;
use crate::domain::{AlternativeId, AlternativeName, Brief, CaseFact, EntryKind, FactId, SeatId, SeatName};
use crate::plan::Sitter;

impl Deliberation<'_> {
    /// A seat knows its part of the case from now on.
    pub(super) fn hold_case(&mut self, to: &[SeatName], signal: Option<&AlternativeName>, facts: &[FactId]) {
        self.hands.resize(self.plan.seats.len(), Held::default());
        for name in to {
            let seat = self.seat_id(name);
            self.hands[seat.index()] =
                Held { signal: signal.map(|name| self.alternative(name)), facts: of_hand(&self.dealt.case, facts) };
        }
    }

    /// Puts before a mind what its seat is shown of the case: nothing where its memory shows it nothing.
    pub(super) fn tell_case<'b>(&'b self, seat: SeatId, brief: &mut Brief<'b>) {
        brief.case = &self.dealt.case;
        if let Some(held) = self.hands.get(seat.index())
            && brief.pinned.iter().any(|entry| entry.kind == EntryKind::Dealt)
        {
            brief.signal = held.signal;
            brief.facts = &held.facts;
        }
    }

    /// The alternative that a seat's signal says is right; `None` if it got none.
    pub(super) fn signal_of(&self, seat: SeatId) -> Option<&AlternativeName> {
        let signal = self.hands.get(seat.index()).and_then(|held| held.signal)?;
        Some(self.plan.motion.name(signal))
    }

    /// What is right, where a seat's mind asks for it: the key of the item, or what the scenario says or drew.
    pub(super) fn truth_for(&self, seat: SeatId) -> Option<AlternativeId> {
        let Sitter::Mind(mind) = &self.plan.seats[seat.index()].sitter else { return None };
        if !mind.needs_truth() {
            return None;
        }
        let of_item = self.plan.item.as_ref().and_then(|item| item.key.as_ref());
        let right = of_item.or(self.dealt.truth.as_ref())?.alternative()?;
        self.plan.motion.find(right.as_str())
    }
}

/// The facts of a case that a hand holds, in the case's order. Each of both lists is gone through once.
fn of_hand(case: &[CaseFact], hand: &[FactId]) -> Vec<CaseFact> {
    let held: BTreeSet<&FactId> = hand.iter().collect();
    case.iter().filter(|fact| held.contains(&fact.id)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A case of so many facts, none of which speaks for anything.
    fn case(count: usize) -> Vec<CaseFact> {
        (0..count).map(|place| CaseFact { id: FactId::new(&format!("F{place}")), favours: None }).collect()
    }

    proptest! {
        #[test]
        fn a_hand_holds_the_facts_that_it_names_in_the_order_of_the_case(
            count in 0usize..40,
            named in prop::collection::vec(0usize..60, 0..60),
        ) {
            let hand: Vec<FactId> = named.iter().map(|place| FactId::new(&format!("F{place}"))).collect();
            let held: Vec<String> = of_hand(&case(count), &hand).iter().map(|fact| fact.id.to_string()).collect();
            let expected: Vec<String> =
                (0..count).filter(|place| named.contains(place)).map(|place| format!("F{place}")).collect();
            prop_assert_eq!(held, expected);
        }
    }
}
