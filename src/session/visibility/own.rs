//! Checks a seat's own entries: each is where the question's record puts it, in the words in which the seat may read it.

use super::{Leak, Visibility, leak};
use crate::domain::{EntryKind, OwnEntry, Query, Ranges, Seq};
use crate::session::witnessed::{OTHERS, SUMMARIES};

impl Visibility {
    /// Checks the seat's own entries, its chosen name, its private part of the case, and what it is to push.
    pub(super) fn check_own(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let seat = query.seat.index();
        if query.pushes != self.account.pushes[seat] {
            return leak(query, Seq(0), "and is to push what it was not told to");
        }
        if query.chosen.get(seat).and_then(Option::as_ref) != self.account.chosen.get(seat).and_then(Option::as_ref) {
            return leak(query, Seq(0), "under a name that it did not choose");
        }
        if self.is_no_hand(query) {
            return leak(query, Seq(0), "and knows of the case what it was not told");
        }
        let (shown, forgotten) = (&query.shown, &query.shown.forgotten);
        let lists = [
            (query.brief.pinned.into(), 0..shown.pinned, &[][..]),
            (query.brief.own, shown.own.clone(), forgotten.own.as_slice()),
            (query.brief.summaries, shown.summaries.clone(), forgotten.summaries.as_slice()),
        ];
        for (list, (entries, told, without)) in lists.into_iter().enumerate() {
            let told = Ranges::of(without).gaps_in(told.start as usize..told.end as usize);
            if told.count() != entries.len() {
                return leak(query, Seq(0), "and its record would not say all that is shown");
            }
            if let Some(seq) = self.forgotten_entry(seat, entries, list) {
                return leak(query, seq, "which it was to forget");
            }
            let mut before = 0;
            for part in told.parts() {
                for place in self.checked_own[seat][list].gaps_in(part.clone()).parts().flatten() {
                    let entry = entries.iter().nth(before + place - part.start);
                    let entry = entry.expect("invariant: as many as are told");
                    if let Some(reason) = self.find_entry_mismatch((seat, list), place, entry) {
                        return leak(query, entry.seq, reason);
                    }
                }
                before += part.len();
            }
            self.checked_own[seat][list].add_all(&told);
        }
        Ok(())
    }

    /// Whether the signal and facts for a mind differ from those that its seat received, or are given though not shown.
    fn is_no_hand(&self, query: &Query<'_>) -> bool {
        let (signal, facts) = &self.account.hands[query.seat.index()];
        let is_shown = query.brief.pinned.iter().any(|entry| entry.kind == EntryKind::Dealt);
        match is_shown {
            true => query.brief.signal != *signal || !query.brief.facts.iter().map(|fact| &fact.id).eq(facts),
            false => query.brief.signal.is_some() || !query.brief.facts.is_empty(),
        }
    }

    /// Why an entry is not the seat's own, or not at this position of the list; `None` if it is. For a summary, the position
    /// depends on what was shown when it was written, and is not checked.
    fn find_entry_mismatch(
        &self,
        (seat, list): (usize, usize),
        place: usize,
        entry: &OwnEntry,
    ) -> Option<&'static str> {
        let own = &self.account.own[seat];
        let find = |list: usize| {
            let found = own[list].binary_search_by_key(&entry.seq, |owned| owned.seq).ok();
            found.map(|place| &own[list][place])
        };
        let found = match (list, entry.kind) {
            (SUMMARIES, EntryKind::PutBack) => {
                return (!self.was_announced(seat, entry)).then_some("which was not said so");
            }
            (SUMMARIES, EntryKind::Rewritten) => find(SUMMARIES),
            (SUMMARIES, kind) if self.account.memory.reinject.hold_entry(kind) => find(OTHERS),
            (SUMMARIES, _) => None,
            (list, _) => match own[list].get(place).filter(|owned| owned.seq == entry.seq) {
                Some(there) => Some(there),
                None if find(list).is_some() => return Some("which does not stand there"),
                None => None,
            },
        };
        found.map_or(Some("which is not its own"), |owned| owned.mismatch_reason(entry))
    }

    /// Whether an entry that was put back was announced, in these words.
    fn was_announced(&self, seat: usize, entry: &OwnEntry) -> bool {
        let floor = &self.account.heard.group_of(seat).floor;
        let said = floor.binary_search_by_key(&entry.seq, |said| said.seq).ok().map(|place| &floor[place]);
        said.and_then(|said| said.put_back.as_ref()).is_some_and(|words| words.matches_text(&entry.text))
    }
}
