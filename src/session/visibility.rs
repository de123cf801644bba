//! The proof that no question shows what its seat has not witnessed, against the account of what each seat witnessed.

use super::witnessed::{PINNED, Witnessed};
use crate::domain::{Ask, Donor, Event, MemoryAct, Query, Ranges, Record, Seq, Step, Stretch};
use crate::plan::Plan;

mod forgotten;
mod found;
mod marked;
mod own;
mod talk;

/// What everyone and each seat has witnessed so far, and what of it was found to be shown as it was.
#[derive(Debug, Clone)]
pub struct Visibility {
    account: Witnessed,
    /// The parts found to be true for a seat that is shown later parts only.
    checked_later: Vec<[Ranges; 3]>,
    /// The parts of each seat's own entries, pinned ones, others and summaries, that were found to be its own.
    checked_own: Vec<[Ranges; 3]>,
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
        Self {
            account: Witnessed::new(plan),
            checked_later: vec![Default::default(); plan.seats.len()],
            checked_own: vec![Default::default(); plan.seats.len()],
        }
    }

    /// Gives a session that shows another's statements the account of which these are. Without them no statement may be shown.
    #[must_use]
    pub fn with_donor(mut self, donor: &Donor) -> Self {
        self.account.borrow_statements(donor);
        self
    }

    /// Notes who witnesses a record.
    pub fn witness_record(&mut self, record: &Record) {
        self.account.witness_record(record);
        if matches!(record.event, Event::Reminded { act: MemoryAct::Forget { .. }, .. }) {
            // What stands behind a forgotten mark moves up, so pinned entries are checked anew.
            self.checked_own.iter_mut().for_each(|lists| lists[PINNED] = Ranges::default());
        }
    }

    /// Checks a question against the account. Each remark and entry is looked at once, whatever the number of questions
    /// that show it: memories only ever append.
    ///
    /// # Errors
    /// The first [`Leak`].
    pub fn check_query(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        if self.account.is_alone && matches!(query.ask, Ask::Confirmation { caller: Some(_) }) {
            return leak(Seq(0), "and nobody hears who calls for a vote");
        }
        let remarks = &query.brief.remarks;
        let lists = [remarks.statements, remarks.notices, remarks.pinned.into()];
        if let Some(newest) = lists.iter().filter_map(Stretch::last).max()
            && !self.has_been_heard(query, *newest as usize)
        {
            return leak(remarks.floor[*newest as usize].seq, "which it has not heard yet");
        }
        let [statements, notices] = self.remembered_remarks(query)?;
        let mut pinned = Ranges::default();
        pinned.add(0..query.shown.pinned_remarks as usize);
        let told = [statements, notices, pinned];
        if told.iter().map(Ranges::count).sum::<usize>() != remarks.len()
            || query.shown.pinned as usize != query.brief.pinned.len()
        {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        self.check_talk(query)?;
        for (sort, (list, told)) in lists.into_iter().zip(told).enumerate() {
            self.check_remarks(query, sort, list, &told)?;
        }
        let history = query.shown.history.map(|place| place as usize);
        let first = history.and_then(|place| remarks.floor.get(place)).map(|remark| remark.seq);
        if query.brief.full_from != first || history.is_some_and(|place| !self.may_be_history(query, place)) {
            return leak(first.unwrap_or(Seq(0)), "from a public history that its record does not tell of");
        }
        self.check_found(query)?;
        self.check_marked(query)?;
        self.check_own(query)
    }

    /// Whether another seat's statement of a record is among those shown.
    fn is_shown(&self, query: &Query<'_>, seq: Seq) -> bool {
        let floor = &self.account.heard.group_of(query.seat.index()).floor;
        let place = floor.binary_search_by_key(&seq, |said| said.seq).ok();
        place.is_some_and(|place| {
            let speaker = floor[place].speaker;
            speaker.is_some_and(|speaker| speaker != query.seat.index())
                && (self.shows_pinned(query, place)
                    || query.shown.floor.contains(&(place as u32))
                        && !query.shown.forgotten.statements.iter().any(|part| part.contains(&(place as u32))))
                && self.has_been_heard(query, place)
        })
    }

    /// Checks the remarks of one sort, which are to be those of these positions among all of that sort.
    fn check_remarks(
        &mut self,
        query: &Query<'_>,
        sort: usize,
        list: Stretch<'_, u32>,
        told: &Ranges,
    ) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let seat = query.seat.index();
        let heard = self.account.heard.group_of(seat);
        let mut before = 0;
        // What is shown beyond what is told is looked at, too: it may not have been said at all.
        let end = told.parts().last().map_or(0, |part| part.end);
        let beyond = end..end + list.len().saturating_sub(told.count());
        for part in told.parts().chain(std::iter::once(beyond)) {
            // A memory that was rewritten has room again for what it had left out, which was checked for nobody yet.
            let from = part.start.max(heard.checked_floor[sort]).min(part.end);
            for position in self.checked_later[seat][sort].gaps_in(from..part.end).parts().flatten() {
                let Some(place) = list.iter().nth(before + position - part.start) else { break };
                let remark = &query.brief.remarks.floor[*place as usize];
                let said = heard.places[sort].get(position).and_then(|place| heard.floor.get(*place as usize));
                let Some(said) = said else {
                    return leak(remark.seq, "which was not said so");
                };
                if !said.matches_remark(remark) {
                    return leak(remark.seq, "which was not said so");
                }
            }
            before += part.len();
        }
        if told.count() != list.len() {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        for part in told.parts() {
            let checked = &mut self.account.heard.group_of_mut(seat).checked_floor[sort];
            match part.start <= *checked {
                true => *checked = part.end.max(*checked),
                false => self.checked_later[seat][sort].add(part),
            }
        }
        Ok(())
    }

    /// Whether the newest remark shown was said before the question was put.
    fn has_been_heard(&self, query: &Query<'_>, place: usize) -> bool {
        let Some(said) = self.account.heard.group_of(query.seat.index()).floor.get(place) else { return false };
        let at = &query.id.at;
        let same_breath = at.step == Step::Statement && said.at.0 == at.phase && said.at.1 == at.round;
        !(same_breath && said.speaker.is_some() && self.account.simultaneous.contains(&at.phase))
    }
}
