//! Proves that no question shows what its seat has not witnessed, by the account in `witnessed`.

use super::witnessed::{OTHERS, PINNED, Witnessed};
use crate::domain::{Donor, Query, Ranges, Record, Seq, Step, Stretch};
use crate::plan::Plan;

mod forgotten;
mod found;
mod marked;
mod own;
mod talk;

/// The account of what the seats have witnessed, and the parts of it that were verified in questions.
#[derive(Debug, Clone)]
pub struct Visibility {
    account: Witnessed,
    /// For each seat and sort, verified remarks that are not among the first ones that its group has verified.
    checked_later: Vec<[Ranges; 3]>,
    /// For each seat, verified own entries: pinned ones, others and summaries.
    checked_own: Vec<[Ranges; 3]>,
}

/// A question that would show what its seat has not witnessed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("visibility: {question} would be shown record {}, {reason}", seq.0)]
pub struct Leak {
    /// The question's coordinate.
    pub question: String,
    /// The record shown; 0 if no single record is at fault.
    pub seq: Seq,
    /// Why the seat may not see it.
    pub reason: &'static str,
}

fn leak<T>(query: &Query<'_>, seq: Seq, reason: &'static str) -> Result<T, Leak> {
    Err(Leak { question: query.id.to_string(), seq, reason })
}

impl Visibility {
    /// An account without records.
    pub fn new(plan: &Plan) -> Self {
        Self {
            account: Witnessed::new(plan),
            checked_later: vec![Default::default(); plan.seats.len()],
            checked_own: vec![Default::default(); plan.seats.len()],
        }
    }

    /// Adds the statements of another session, if the policy shows those. Without them, no statement may be shown.
    #[must_use]
    pub fn with_donor(mut self, donor: &Donor) -> Self {
        self.account.borrow_statements(donor);
        self
    }

    /// Adds a record to the account.
    pub fn witness_record(&mut self, record: &Record) {
        self.account.witness_record(record);
        if record.event.makes_forget() {
            // Entries after a forgotten mark move up, so pinned entries are checked again.
            self.checked_own.iter_mut().for_each(|lists| lists[PINNED] = Ranges::default());
        }
        for (seat, place) in &self.account.unpinned {
            let lists = &mut self.checked_own[*seat];
            lists[PINNED] = Ranges::default();
            lists[OTHERS].make_room_at(*place);
        }
    }

    /// Checks a question against the account. Remarks and own entries are checked once, however many questions show them, because
    /// memories only append.
    ///
    /// # Errors
    /// The first [`Leak`].
    pub fn check_query(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        if self.account.is_alone && query.ask.caller().is_some() {
            return leak(query, Seq(0), "and nobody hears who calls for a vote");
        }
        let remarks = &query.brief.remarks;
        let lists = [remarks.statements, remarks.notices, remarks.pinned.into()];
        if let Some(newest) = lists.iter().filter_map(Stretch::last).max()
            && !self.has_been_heard(query, *newest as usize)
        {
            return leak(query, remarks.floor[*newest as usize].seq, "which it has not heard yet");
        }
        let [statements, notices] = self.remembered_remarks(query)?;
        let mut pinned = Ranges::default();
        pinned.add(0..query.shown.pinned_remarks as usize);
        let told = [statements, notices, pinned];
        if told.iter().map(Ranges::count).sum::<usize>() != remarks.len()
            || query.shown.pinned as usize != query.brief.pinned.len()
        {
            return leak(query, Seq(0), "and its record would not say all that is shown");
        }
        self.check_talk(query)?;
        for (sort, (list, told)) in lists.into_iter().zip(told).enumerate() {
            self.check_remarks(query, sort, list, &told)?;
        }
        let history = query.shown.history.map(|place| place as usize);
        let first = history.and_then(|place| remarks.floor.get(place)).map(|remark| remark.seq);
        if query.brief.full_from != first || history.is_some_and(|place| !self.may_be_history(query, place)) {
            return leak(query, first.unwrap_or(Seq(0)), "from a public history that its record does not tell of");
        }
        self.check_found(query)?;
        self.check_marked(query)?;
        self.check_own(query)
    }

    /// Whether a question shows another seat's statement from this record.
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

    /// Checks the remarks of one sort against these positions in the account's list.
    fn check_remarks(
        &mut self,
        query: &Query<'_>,
        sort: usize,
        list: Stretch<'_, u32>,
        told: &Ranges,
    ) -> Result<(), Leak> {
        let seat = query.seat.index();
        let heard = self.account.heard.group_of(seat);
        let mut before = 0;
        // Remarks beyond the recorded positions are checked too, because they may never have been said.
        let end = told.parts().last().map_or(0, |part| part.end);
        let beyond = end..end + list.len().saturating_sub(told.count());
        for part in told.parts().chain(std::iter::once(beyond)) {
            // A rewritten memory has room again for remarks that it left out, which nobody has checked yet.
            let from = part.start.max(heard.checked_floor[sort]).min(part.end);
            for position in self.checked_later[seat][sort].gaps_in(from..part.end).parts().flatten() {
                let Some(place) = list.iter().nth(before + position - part.start) else { break };
                let remark = &query.brief.remarks.floor[*place as usize];
                let said = heard.places[sort].get(position).and_then(|place| heard.floor.get(*place as usize));
                if !said.is_some_and(|said| said.matches_remark(remark)) {
                    return leak(query, remark.seq, "which was not said so");
                }
            }
            before += part.len();
        }
        if told.count() != list.len() {
            return leak(query, Seq(0), "and its record would not say all that is shown");
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

    /// Whether the remark at this position on the floor was heard before the question was put.
    fn has_been_heard(&self, query: &Query<'_>, place: usize) -> bool {
        let Some(said) = self.account.heard.group_of(query.seat.index()).floor.get(place) else { return false };
        let at = &query.id.at;
        let same_breath = at.step == Step::Statement && said.at.0 == at.phase && said.at.1 == at.round;
        !(same_breath && said.speaker.is_some() && self.account.simultaneous.contains(&at.phase))
    }
}
