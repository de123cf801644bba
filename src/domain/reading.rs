//! What records of a session say about what another session begins with or is matched to.

use crate::domain::{Briefing, SeatNotes};
use std::collections::BTreeMap;

use super::{
    Before, FirstOpinion, FirstOpinions, NamedChoice, Needed, PhaseName, Record, Reply, SeatName, Step, Taken,
};

impl FirstOpinions {
    /// What seats answered last in these polls.
    pub fn in_polls(of: Needed, polls: &[PhaseName], records: &[Record]) -> Self {
        let mut seats: BTreeMap<SeatName, FirstOpinion> = BTreeMap::new();
        for record in records.iter().filter(|record| polls.contains(&record.at.phase)) {
            let reply = record.reply().filter(|_| record.at.step == Step::StrawPoll);
            let (Some((choice, opinion)), Some(seat)) = (reply.as_ref().and_then(Reply::choice), &record.seat) else {
                continue;
            };
            let NamedChoice { alternative, amount } = choice.clone();
            let first = FirstOpinion { seat: seat.clone(), seq: record.seq, alternative, amount, opinion };
            seats.insert(seat.clone(), first);
        }
        let mut seats: Vec<FirstOpinion> = seats.into_values().collect();
        seats.sort_by_key(|first| first.seq);
        Self { of, seats }
    }
}

impl Before {
    /// What the records of a session say that it began with; `None` where no session came before it.
    pub fn of(records: &[Record]) -> Option<Self> {
        let needed = records.first()?.event.convened()?.before.clone()?;
        let (mut names, mut notes) = (Vec::new(), Vec::new());
        for record in records.iter().take_while(|record| !record.event.is_phase_opened()) {
            if let seats @ [_, ..] = record.event.seated() {
                names = seats.iter().filter(|seated| seated.name.is_some()).cloned().collect();
            }
            let brought = record.event.briefed().and_then(Briefing::notes);
            notes.extend(brought.map(|(seat, lines)| SeatNotes { seat: seat.clone(), lines }));
        }
        Some(Self { needed, names, notes })
    }
}

impl Taken {
    /// What all of these records took.
    pub fn by<'r>(records: impl IntoIterator<Item = &'r Record>) -> Self {
        let mut taken = Self::default();
        records.into_iter().for_each(|record| taken.add(record));
        taken
    }

    /// Adds a record; one that no seat answered takes nothing, and a question that was found too long before it was put neither.
    pub fn add(&mut self, record: &Record) {
        let Some(given) = record.event.given().filter(|_| record.was_put()) else { return };
        self.calls += 1;
        match given.usage {
            Some(usage) => {
                self.total_tokens += usage.prompt_tokens + usage.completion_tokens;
                self.completion_tokens += usage.completion_tokens;
            }
            None => self.is_untold = true,
        }
    }
}
