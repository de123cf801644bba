//! What a reader of records in order knows so far: who hears whom, what seats are called, and the seat that is reported.

use std::collections::BTreeMap;

use super::phrases::right_words;
use super::plan_words::PlanWords;
use super::telling::{RecordAudience, RecordForm, RecordWording};
use crate::domain::{Convened, PhaseName, PhaseOpened, Record, SeatName, Step, Truth};

/// Words the records of a session, which must be passed in order.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    /// Whether another group's words replace this group's.
    is_lent: bool,
    /// The seats that hear each seat in the network; `None` where everyone hears everyone.
    listeners: Option<BTreeMap<SeatName, Vec<SeatName>>>,
    /// The same in the talks that have a network of their own.
    linked: BTreeMap<PhaseName, BTreeMap<SeatName, Vec<SeatName>>>,
    /// Whether nobody hears anybody, so that counts and calls are not announced either.
    is_alone: bool,
    /// The right answer, once the minutes give it.
    right: Option<String>,
    /// Whether the reader sees all records, so that the outcome need not repeat the right answer.
    is_beside_all: bool,
    /// The names that seats chose for themselves.
    called: BTreeMap<SeatName, String>,
    /// Who hears the phases that not everyone hears.
    hearers: BTreeMap<PhaseName, Vec<SeatName>>,
    /// The labels of options and the measure of defeat strength.
    pub(super) plan: PlanWords,
    /// The only seat to report; `None` for all.
    seat: Option<SeatName>,
    /// How many votes were counted so far.
    pub(super) votes: u32,
}

impl Reader {
    /// Words all records of a session.
    pub fn of(plan: PlanWords) -> Self {
        Self { plan, is_beside_all: true, ..Self::default() }
    }

    /// Words the records that concern one seat, or all. `right` is the right answer, if the plan gives it.
    pub fn of_seat(plan: PlanWords, seat: Option<SeatName>, right: Option<&Truth>) -> Self {
        let right = right.map(|right| right_words(right, &plan));
        Self { plan, seat, right, ..Self::default() }
    }

    /// Whether the seat is reported.
    pub(super) fn is_of(&self, seat: &SeatName) -> bool {
        self.seat.as_ref().is_none_or(|wanted| wanted == seat)
    }

    /// Takes up what a record says about who hears whom, names, votes and the right answer.
    pub(super) fn learn_from(&mut self, record: &Record) {
        if let Some(Convened { lender, truth, .. }) = record.event.convened() {
            self.is_lent = lender.is_some();
            self.right = truth.as_ref().map(|truth| right_words(truth, &self.plan)).or(self.right.take());
        }
        let seats = record.event.seated();
        if seats.iter().any(|of| of.hears.is_some()) {
            let listeners = list_listeners(seats.iter().map(|of| (&of.seat, of.hears.as_deref().unwrap_or_default())));
            self.is_alone = listeners.is_empty();
            self.listeners = Some(listeners);
        }
        self.called.extend(seats.iter().filter_map(|of| Some((of.seat.clone(), of.name.clone()?))));
        self.votes += u32::from(record.event.is_tallied());
        if let Some(PhaseOpened { heard_by, hears, .. }) = record.event.phase_opened() {
            self.hearers.extend(heard_by.clone().map(|names| (record.at.phase.clone(), names)));
            let listeners =
                hears.as_ref().map(|hears| list_listeners(hears.iter().map(|(seat, of)| (seat, of.as_slice()))));
            self.linked.extend(listeners.map(|listeners| (record.at.phase.clone(), listeners)));
        }
    }

    /// Limits the audience of a record to those who hear it, and adds what only the reader knows.
    pub(super) fn finish_telling(&self, record: &Record, mut told: RecordWording) -> RecordWording {
        if self.is_alone
            && (record.event.is_tallied()
                || matches!(record.at.step, Step::VoteCall | Step::Confirmation) && record.reply().is_some())
        {
            told.heard = RecordAudience::Nobody;
        }
        let is_said =
            matches!(told.heard, RecordAudience::Everyone | RecordAudience::Listeners | RecordAudience::WithCount(_))
                && (record.seat.is_some() || record.event.is_tallied());
        if let Some(names) = self.hearers.get(&record.at.phase)
            && (is_said || record.form_values().is_some())
        {
            // A network limits who hears statements, and nothing else.
            let speaker = record.seat.as_ref().filter(|_| told.heard == RecordAudience::Listeners);
            let hears = |name: &&SeatName| {
                speaker.is_none_or(|speaker| *name == speaker || self.hears(name, speaker, &record.at.phase))
            };
            let names: Vec<String> = names.iter().filter(hears).map(ToString::to_string).collect();
            told.heard = match told.heard {
                RecordAudience::WithCount(_) if names.is_empty() => RecordAudience::Itself,
                RecordAudience::WithCount(_) => RecordAudience::WithCount(Some(names)),
                _ if names.is_empty() => RecordAudience::Nobody,
                _ => RecordAudience::Only(names),
            };
        }
        told.heard = match told.heard {
            RecordAudience::Only(names) if self.plan.are_all_seats(&names) => RecordAudience::Everyone,
            RecordAudience::WithCount(Some(names)) if self.plan.are_all_seats(&names) => {
                RecordAudience::WithCount(None)
            }
            heard => heard,
        };
        if told.form == RecordForm::Outcome && !self.is_beside_all {
            told.notes.extend(self.right.clone());
        }
        match record.seat.as_ref().and_then(|seat| self.called.get(seat)) {
            Some(name) if told.form == RecordForm::Speech => told.noting([format!("called {name}")]),
            _ => told,
        }
    }

    /// Whether a seat hears another in the network.
    fn hears(&self, listener: &SeatName, speaker: &SeatName, phase: &PhaseName) -> bool {
        let Some(all) = self.linked.get(phase).or(self.listeners.as_ref()) else { return true };
        all.get(speaker).is_some_and(|listeners| listeners.contains(listener))
    }

    /// The audience of statements.
    pub(super) fn floor(&self, phase: &PhaseName) -> RecordAudience {
        match (self.is_lent, self.linked.contains_key(phase) || self.listeners.is_some()) {
            (true, _) => RecordAudience::Replaced,
            (false, _) if self.is_alone => RecordAudience::Nobody,
            (false, true) => RecordAudience::Listeners,
            (false, false) => RecordAudience::Everyone,
        }
    }
}

/// The seats that hear each seat, of lists of those that each seat hears.
fn list_listeners<'n>(
    hears: impl Iterator<Item = (&'n SeatName, &'n [SeatName])>,
) -> BTreeMap<SeatName, Vec<SeatName>> {
    let mut listeners: BTreeMap<SeatName, Vec<SeatName>> = BTreeMap::new();
    for (listener, others) in hears {
        others.iter().for_each(|other| listeners.entry(other.clone()).or_default().push(listener.clone()));
    }
    listeners
}
