//! The proof that no question shows what its seat has not witnessed. It keeps its own account of who witnessed what, from
//! the records alone, and knows nothing of how memory works.

use indexmap::IndexSet;

use crate::domain::{AlternativeId, AlternativeName, Event, PhaseName, Query, Record, SeatId, SeatName, Seq, Step};
use crate::memory::guidance;
use crate::plan::{PhaseKind, Plan, SpeakingOrder};

/// What everyone and each seat has witnessed so far.
#[derive(Debug, Clone)]
pub struct Visibility {
    seats: IndexSet<SeatName>,
    alternatives: IndexSet<AlternativeName>,
    /// Phases in which nobody hears a round's statements before the round has been spoken.
    simultaneous: Vec<PhaseName>,
    /// What was said on the floor, in order.
    floor: Vec<Said>,
    /// The records of each seat's own ballots, in order.
    own: Vec<Vec<Seq>>,
    /// Up to where the floor and each seat's own entries were found to be true.
    checked_floor: usize,
    checked_own: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Said {
    seq: Seq,
    at: (PhaseName, u32),
    speaker: Option<usize>,
    stance: Option<AlternativeId>,
    text: blake3::Hash,
}

/// A question that would show what its seat has not witnessed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("visibility: {question} would be shown record {}, {reason}", seq.0)]
pub struct Leak {
    /// The question, in words.
    pub question: String,
    /// The record shown.
    pub seq: Seq,
    /// Why the seat may not see it.
    pub reason: &'static str,
}

impl Visibility {
    /// Nobody has witnessed anything yet.
    pub fn new(plan: &Plan) -> Self {
        let simultaneous = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(discussion) if discussion.order == SpeakingOrder::Simultaneous);
        Self {
            seats: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
            simultaneous: plan.agenda.iter().filter(|p| simultaneous(&p.kind)).map(|p| p.name.clone()).collect(),
            floor: Vec::new(),
            own: vec![Vec::new(); plan.seats.len()],
            checked_floor: 0,
            checked_own: vec![0; plan.seats.len()],
        }
    }

    /// Takes down who witnesses a record.
    pub fn witness(&mut self, record: &Record) {
        let seat = record.seat.as_ref().and_then(|name| self.seats.get_index_of(name));
        let text = match &record.event {
            Event::Spoke { text, .. } | Event::Instructed { text, .. } => blake3::hash(text.as_bytes()),
            Event::Tallied(report) => blake3::hash(guidance::tally_line(report).as_bytes()),
            Event::Balloted { .. } | Event::Faulted { .. } if record.at.step == Step::Ballot => {
                if let Some(seat) = seat {
                    self.own[seat].push(record.seq);
                }
                return;
            }
            _ => return,
        };
        let at = (record.at.phase.clone(), record.at.round);
        let declared = match &record.event {
            Event::Spoke { stance, .. } => stance.as_ref(),
            _ => None,
        };
        let stance = declared.and_then(|name| self.alternatives.get_index_of(name));
        let stance = stance.map(|place| AlternativeId(place as u32));
        self.floor.push(Said { seq: record.seq, at, speaker: seat, stance, text });
    }

    /// Checks a question against the account. Each remark and entry is looked at once, whatever the number of questions
    /// that show it: memories only ever append.
    ///
    /// # Errors
    /// The first [`Leak`].
    pub fn check(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let start = query.shown.floor.start as usize;
        if query.shown.floor.len() != query.brief.remarks.len() || query.shown.own.len() != query.brief.own.len() {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        let newest = query.brief.remarks.last();
        if let Some(newest) = newest
            && !self.has_been_heard(query, start + query.brief.remarks.len() - 1)
        {
            return leak(newest.seq, "which it has not heard yet");
        }
        let from = self.checked_floor.max(start);
        for (place, remark) in query.brief.remarks.iter().enumerate().skip(from - start) {
            let Some(said) = self.floor.get(start + place) else {
                return leak(remark.seq, "which nobody has said");
            };
            let speaker = remark.speaker.map(SeatId::index);
            let same = said.seq == remark.seq
                && said.speaker == speaker
                && said.stance == remark.stance.map(|choice| choice.alternative);
            if !same || said.text != blake3::hash(remark.text.as_bytes()) {
                return leak(remark.seq, "which was not said so");
            }
        }
        self.checked_floor = from.max(start + query.brief.remarks.len());
        let (seat, start) = (query.seat.index(), query.shown.own.start as usize);
        let from = self.checked_own[seat].max(start);
        for (place, entry) in query.brief.own.iter().enumerate().skip(from - start) {
            // Faults of earlier attempts are in the account too; an entry must be one of the seat's own records.
            if self.own[seat].binary_search(&entry.seq).is_err() {
                return leak(entry.seq, "which is not its own");
            }
            self.checked_own[seat] = start + place + 1;
        }
        Ok(())
    }

    /// Whether the newest remark shown was said before the question was put.
    fn has_been_heard(&self, query: &Query<'_>, place: usize) -> bool {
        let Some(said) = self.floor.get(place) else { return false };
        let at = &query.id.at;
        let same_breath = at.step == Step::Statement && said.at.0 == at.phase && said.at.1 == at.round;
        !(same_breath && said.speaker.is_some() && self.simultaneous.contains(&at.phase))
    }
}
