//! Checks that seats are not shown the remarks, own entries and rewritten texts that they were made to forget, and that records
//! omit nothing else.

use super::{Leak, Visibility, leak};
use crate::domain::{EntryKind, Forgotten, OwnEntry, Query, Ranges, Seq, Step, Stretch};
use crate::memory::HistoryInBrief;
use crate::session::witnessed::{PINNED, SUMMARIES};

impl Visibility {
    /// The statements and announcements to show, as positions among those of the sort, by the question's record. The record must
    /// omit exactly what the seat was to forget, except that the public history shows forgotten statements.
    ///
    /// # Errors
    /// [`Leak`] if a forgotten remark is shown, or one is omitted that was not to be forgotten.
    pub(super) fn remembered_remarks(&self, query: &Query<'_>) -> Result<[Ranges; 2], Leak> {
        let (to_forget, heard) =
            (&self.account.to_forget[query.seat.index()], self.account.heard.group_of(query.seat.index()));
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
                    return leak(query, Seq(0), "and is not shown what it was not to forget");
                }
                let forgotten = to_forget.floor.within(start..part.start).map(|gap| number(gap.start)..number(gap.end));
                let mut shown = forgotten.flatten().map(|number| places[number] as usize);
                if let Some(place) = shown.find(|place| sort == 1 || !self.is_history(query, *place)) {
                    return leak(query, heard.floor[place].seq, "which it was to forget");
                }
                remembered[sort].add(number(start)..number(part.start));
                start = part.end;
            }
        }
        Ok(remembered)
    }

    /// Whether the public history showed the statement, by the question's record.
    fn is_history(&self, query: &Query<'_>, place: usize) -> bool {
        query.shown.history.is_some_and(|from| place >= from as usize)
    }

    /// Whether the public history may begin at this position. Its limit is not checked.
    pub(super) fn may_be_history(&self, query: &Query<'_>, place: usize) -> bool {
        query.id.at.step != Step::Compression
            && match self.account.memory.history {
                HistoryInBrief::Full => true,
                HistoryInBrief::CurrentRound => place >= self.account.heard.group_of(query.seat.index()).round_from,
                HistoryInBrief::None => false,
            }
    }

    pub(super) fn is_to_forget(&self, seat: usize, place: usize) -> bool {
        self.account.to_forget[seat].floor.holds(place)
    }

    /// The first shown entry that the seat was to forget. Pinned entries are skipped, because only marked ones can be forgotten
    /// and `check_marked` checks those. A summary is forgotten if any part that it covers is.
    pub(super) fn forgotten_entry(&self, seat: usize, entries: Stretch<'_, OwnEntry>, list: usize) -> Option<Seq> {
        let to_forget = &self.account.to_forget[seat];
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
