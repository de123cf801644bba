//! The proof for what seats were made to forget: what was said and kept in a phase, or before a moment, and what they wrote of it
//! when they made their memories shorter.

use std::ops::Range;

use super::own::{PINNED, SUMMARIES};
use super::{Leak, Visibility};
use crate::domain::{
    EntryKind, Event, Forgotten, MemoryAct, OwnEntry, PhaseName, Query, Ranges, Record, Seq, Step, Stretch,
};
use crate::memory::{HistoryInBrief, Strategy};

/// What one seat was made to forget, from the records alone.
#[derive(Debug, Clone, Default)]
pub(super) struct ForgottenParts {
    /// Remarks, by their places on the floor.
    floor: Ranges,
    /// What it kept: from one record to another.
    own: Vec<Range<Seq>>,
    /// What it wrote when it made its memory shorter.
    texts: Vec<ReplacementText>,
}

/// A text that took the place of what its writer was shown.
#[derive(Debug, Clone)]
struct ReplacementText {
    seq: Seq,
    /// The remarks of which it was written, by their places on the floor.
    of: Ranges,
    is_to_be_forgotten: bool,
}

/// Where a part of a session began: on the floor, and in the records.
#[derive(Debug, Clone)]
pub(super) struct PartStart {
    phase: PhaseName,
    place: usize,
    seq: Seq,
}

impl ForgottenParts {
    /// What it was to forget of the floor, by place.
    pub fn remarks(&self) -> &Ranges {
        &self.floor
    }
}

impl Visibility {
    /// Takes down where phases and rounds begin, what seats are to forget, and of what they write.
    pub(super) fn witness_forgetting(&mut self, record: &Record, seat: Option<usize>) {
        match (&record.event, seat) {
            (Event::PhaseOpened { .. }, _) => {
                for heard in &mut self.heard.all {
                    let (phase, place, seq) = (record.at.phase.clone(), heard.floor.len(), record.seq);
                    heard.round_from = place;
                    heard.phases.push(PartStart { phase, place, seq });
                }
            }
            (Event::RoundOpened { .. } | Event::SituationOpened { .. }, _) => {
                self.heard.all.iter_mut().for_each(|heard| heard.round_from = heard.floor.len());
            }
            (Event::Reminded { to, act: MemoryAct::Forget { phase }, .. }, _) => {
                let named: Vec<usize> = match to.as_slice() {
                    [] => (0..self.seats.len()).collect(),
                    to => to.iter().filter_map(|name| self.seats.get_index_of(name)).collect(),
                };
                for seat in named {
                    let parts = self.to_be_forgotten(seat, phase.as_ref(), record.seq);
                    self.forget_parts(seat, phase.as_ref(), &parts);
                }
            }
            (Event::Compressed { given, .. }, Some(seat)) => {
                let shown = &given.shown;
                let mut of = Ranges::default();
                for (sort, list, without) in [
                    (0, shown.floor.clone(), &shown.forgotten.statements),
                    (1, shown.notices(), &shown.forgotten.notices),
                ] {
                    let places = &self.heard.group_of(seat).places[sort];
                    let places = places.iter().filter(|place| list.contains(place));
                    let kept = places.filter(|place| !without.iter().any(|part| part.contains(place)));
                    kept.for_each(|place| of.add(*place as usize..*place as usize + 1));
                }
                let earlier = self.to_forget[seat].texts.last().filter(|text| !text.is_to_be_forgotten);
                if let (Some(earlier), false) = (earlier, shown.summaries.is_empty()) {
                    of.add_all(&earlier.of.clone());
                }
                self.to_forget[seat].texts.push(ReplacementText { seq: record.seq, of, is_to_be_forgotten: false });
            }
            _ => {}
        }
    }

    /// The parts of the session before a record that belong to a phase, or all of it: on the floor, and in the records.
    fn to_be_forgotten(&self, seat: usize, phase: Option<&PhaseName>, by: Seq) -> Vec<(Range<usize>, Range<Seq>)> {
        let heard = self.heard.group_of(seat);
        let Some(phase) = phase else { return vec![(0..heard.floor.len(), Seq(0)..by)] };
        let next = heard.phases.iter().skip(1).map(|next| (next.place, next.seq)).chain([(heard.floor.len(), by)]);
        let of = heard.phases.iter().zip(next).filter(|(began, _)| began.phase == *phase);
        of.map(|(began, (place, seq))| (began.place..place, began.seq..seq)).collect()
    }

    fn forget_parts(&mut self, seat: usize, phase: Option<&PhaseName>, parts: &[(Range<usize>, Range<Seq>)]) {
        let places = &self.heard.group_of(seat).places;
        let counts = |place: usize| {
            let is_among = |sort: usize| places[sort].binary_search(&(place as u32)).is_ok();
            is_among(1) || is_among(0) && self.memory.routing.statement != Strategy::Skip
        };
        let to_forget = &mut self.to_forget[seat];
        for (floor, own) in parts {
            to_forget.floor.add(floor.clone());
            to_forget.own.push(own.clone());
            for text in &mut to_forget.texts {
                text.is_to_be_forgotten |= phase.is_none() || text.of.within(floor.clone()).flatten().any(counts);
            }
        }
    }

    /// The remarks of two sorts that are to be shown, as positions among those of the sort: what the record tells, which is to tell
    /// exactly what was to be forgotten; the public history forgets nothing.
    ///
    /// # Errors
    /// [`Leak`] where something is shown all the same, or is left out though it was not to be forgotten.
    pub(super) fn remembered_remarks(&self, query: &Query<'_>) -> Result<[Ranges; 2], Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let (to_forget, heard) = (&self.to_forget[query.seat.index()], self.heard.group_of(query.seat.index()));
        let Forgotten { statements, notices, .. } = &query.shown.forgotten;
        let lists = [(query.shown.floor.clone(), statements), (query.shown.notices(), notices)];
        let mut remembered = [Ranges::default(), Ranges::default()];
        for (sort, (list, left_out)) in lists.into_iter().enumerate() {
            let places = &heard.places[sort];
            let number = |place: usize| places.partition_point(|other| (*other as usize) < place);
            let shown = list.start as usize..list.end as usize;
            let mut start = shown.start;
            let parts = left_out.iter().map(|part| part.start as usize..part.end as usize);
            for part in parts.chain(std::iter::once(shown.end..shown.end)) {
                let is_part = start <= part.start && part.start <= part.end && part.end <= shown.end;
                if !is_part || to_forget.floor.within(part.clone()).map(|gap| gap.len()).sum::<usize>() != part.len() {
                    return leak(Seq(0), "and is not shown what it was not to forget");
                }
                let forgotten = to_forget.floor.within(start..part.start).map(|gap| number(gap.start)..number(gap.end));
                let mut shown = forgotten.flatten().map(|number| places[number] as usize);
                if let Some(place) = shown.find(|place| sort == 1 || !self.is_history(query, *place)) {
                    return leak(heard.floor[place].seq, "which it was to forget");
                }
                remembered[sort].add(number(start)..number(part.start));
                start = part.end;
            }
        }
        Ok(remembered)
    }

    /// Whether the record says that the public history showed a statement.
    fn is_history(&self, query: &Query<'_>, place: usize) -> bool {
        query.shown.history.is_some_and(|from| place >= from as usize)
    }

    /// Whether the public history in the seat's prompts may begin at a place. How much of it is dropped is not looked at here.
    pub(super) fn may_be_history(&self, query: &Query<'_>, place: usize) -> bool {
        query.id.at.step != Step::Compression
            && match self.memory.history {
                HistoryInBrief::Full => true,
                HistoryInBrief::CurrentRound => place >= self.heard.group_of(query.seat.index()).round_from,
                HistoryInBrief::None => false,
            }
    }

    /// Whether a seat was to forget something that was said.
    pub(super) fn is_to_forget(&self, seat: usize, place: usize) -> bool {
        self.to_forget[seat].floor.holds(place)
    }

    /// The first of a seat's own entries that it was to forget and is shown. Of its three lists, what is pinned is never forgotten,
    /// and what stands in the place of others, the third, is when any of these is.
    pub(super) fn forgotten_entry(&self, seat: usize, entries: Stretch<'_, OwnEntry>, list: usize) -> Option<Seq> {
        let to_forget = &self.to_forget[seat];
        if to_forget.own.is_empty() || list == PINNED {
            return None;
        }
        let is_lost = |entry: &&OwnEntry| match entry.kind {
            EntryKind::Rewritten if list == SUMMARIES => {
                let text = to_forget.texts.binary_search_by_key(&entry.seq, |text| text.seq).ok();
                text.is_some_and(|text| to_forget.texts[text].is_to_be_forgotten)
            }
            _ => to_forget.own.iter().any(|part| part.contains(&entry.seq)),
        };
        entries.iter().find(is_lost).map(|entry| entry.seq)
    }
}
