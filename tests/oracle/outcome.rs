//! Cells about how a session ended, and whether an answer is right.

use std::collections::BTreeSet;

use ekklesia::analysis::{PhaseFacts, PhaseVotes, VoteForce};
use ekklesia::domain::{Adjourned, AlternativeName, Convened, Event, NamedChoice, Truth, Verdict};

use super::{Cell, flag, show};

impl Cell<'_> {
    pub(super) fn decided(&self) -> Option<&NamedChoice> {
        match &self.last()?.event {
            Event::Adjourned(Adjourned { decided, .. }) => decided.as_ref(),
            _ => None,
        }
    }

    /// Whether the group decided by vote; `None` where it had no vote to decide by.
    fn is_carried(&self) -> Option<bool> {
        let Event::Adjourned(Adjourned { verdict, .. }) = &self.last()?.event else { return None };
        match verdict {
            Verdict::Carried => Some(true),
            Verdict::ByDefault | Verdict::NoDecision | Verdict::NoQuorum => Some(false),
            Verdict::Imposed | Verdict::NotApplicable => None,
        }
    }

    /// The same of sessions that hold votes in rounds.
    fn is_carried_in_rounds(&self) -> Option<bool> {
        let is_in_rounds = |votes| matches!(votes, PhaseVotes::EachRound | PhaseVotes::OnCall);
        let decides = |phase: &PhaseFacts| phase.vote.as_ref().is_some_and(|vote| vote.force == VoteForce::Deciding);
        let decides = self.arm().phases.iter().any(|phase| is_in_rounds(phase.votes) && decides(phase));
        self.is_carried().filter(|_| decides)
    }

    /// What is right: the item's key, or without items the truth of the scenario.
    fn truth(&self) -> Option<&Truth> {
        if let Some(item) = &self.facts.item {
            return item.key.as_ref();
        }
        match &self.dealt?.event {
            Event::Convened(Convened { truth, .. }) => truth.as_ref(),
            _ => None,
        }
    }

    pub(super) fn right_alternative(&self) -> Option<&AlternativeName> {
        self.truth()?.alternative()
    }

    pub(super) fn right_amount(&self) -> Option<i128> {
        self.truth()?.amount().map(i128::from)
    }

    /// Whether an answer is right: its alternative, or its amount where an amount alone is decided.
    pub(super) fn is_right(&self, alternative: &AlternativeName, amount: Option<u32>) -> Option<bool> {
        match self.right_amount() {
            Some(right) if self.arm().alternatives.len() == 1 => {
                let error = (i128::from(amount?) - right).abs();
                Some(error * 1_000_000 <= i128::from(self.arm().correct_within_ppm) * right)
            }
            _ => Some(self.right_alternative()? == alternative),
        }
    }
}

pub fn is_carried(cell: &Cell<'_>) -> Option<String> {
    flag(cell.is_carried()?)
}

/// Whether there was no decision although votes are held in rounds.
pub fn is_censored(cell: &Cell<'_>) -> Option<String> {
    flag(!cell.is_carried_in_rounds()?)
}

pub fn count_rounds_to_decision(cell: &Cell<'_>) -> Option<String> {
    cell.is_carried_in_rounds()?.then(|| count_talk_rounds(cell)).flatten()
}

/// Counts the rounds of talk; groups side by side hold the same ones.
pub fn count_talk_rounds(cell: &Cell<'_>) -> Option<String> {
    let opened = cell.records.iter().filter(|record| record.event.opens_talk_round());
    let rounds = opened.map(|record| {
        let phase = record.at.phase.to_string();
        (phase.split('#').next().unwrap_or_default().to_owned(), record.at.round)
    });
    Some(rounds.collect::<BTreeSet<_>>().len().to_string())
}

pub fn is_correct(cell: &Cell<'_>) -> Option<String> {
    let decided = cell.decided()?;
    flag(cell.is_right(&decided.alternative, decided.amount)?)
}

/// Whether the session decided for a wrong alternative that the item names for scripts.
pub fn is_conformed(cell: &Cell<'_>) -> Option<String> {
    let misleading = &cell.facts.item.as_ref()?.misleading;
    let decided = cell.decided()?;
    if misleading.is_empty() { None } else { flag(misleading.contains(&decided.alternative)) }
}

/// The amount decided for, if the scenario names its unit.
pub fn read_result_value(cell: &Cell<'_>) -> Option<String> {
    cell.arm().unit.as_ref()?;
    show(cell.decided()?.amount?)
}

pub fn read_result_unit(cell: &Cell<'_>) -> Option<String> {
    cell.decided()?.amount?;
    cell.arm().unit.clone()
}
