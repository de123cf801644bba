//! The proof for what a seat is shown of its own: each entry stands where its record says, in the words in which this seat may read
//! that record.

use super::reading::EntryWords;
use super::{Leak, Visibility};
use crate::domain::{EntryKind, Event, OwnEntry, Query, Ranges, Record, SeatNotes, Seq};
use crate::memory::{Strategy, notice};

/// The lists of a seat's own entries: what is never dropped, the others, and what stands in the place of others.
pub(super) const PINNED: usize = 0;
const OTHERS: usize = 1;
pub(super) const SUMMARIES: usize = 2;

/// What one seat may read of one record and nobody else may.
#[derive(Debug, Clone)]
pub(super) struct OwnRecord {
    seq: Seq,
    kind: EntryKind,
    words: EntryWords,
}

impl OwnRecord {
    /// Its record.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Why an entry is not this; `None` where it is.
    fn mismatch_reason(&self, entry: &OwnEntry) -> Option<&'static str> {
        let is_this = self.seq == entry.seq && self.kind == entry.kind && self.words.matches_text(&entry.text);
        (!is_this).then_some(match entry.kind {
            EntryKind::Exhibit => "which is not what was handed out",
            EntryKind::Notes => "which it did not note",
            _ => "which does not read so",
        })
    }
}

impl Visibility {
    /// Takes down what a seat did itself, and what was told or paid to some.
    pub(super) fn witness_alone(&mut self, record: &Record, seat: Option<usize>) {
        self.reading.witness_record(record);
        match &record.event {
            Event::Instructed { text, to, by, pushes, .. } => {
                for name in to {
                    let Some(place) = self.seats.get_index_of(name) else { continue };
                    if let Some(target) = pushes {
                        self.pushes[place] = self.alternative_id(target);
                    }
                    let words =
                        EntryWords::from_text(&notice::private_instruction(text, *by, self.marks.motion().language));
                    self.keep_entry(place, record, EntryKind::Instruction, words);
                }
            }
            Event::Exhibited { exhibit, to, .. } => {
                let words = EntryWords::from_text(self.exhibits.exhibit_text(exhibit));
                for place in to.iter().filter_map(|name| self.seats.get_index_of(name)).collect::<Vec<_>>() {
                    self.keep_entry(place, record, EntryKind::Exhibit, words.clone());
                }
            }
            Event::Dealt { hands, .. } => {
                for hand in hands {
                    let Some(place) = self.seats.get_index_of(&hand.seat) else { continue };
                    let words = EntryWords::from_text(&notice::dealt_text(&hand.text, self.marks.motion().language));
                    self.keep_entry(place, record, EntryKind::Dealt, words);
                    let signal = hand.signal.as_ref().and_then(|name| self.alternative_id(name));
                    self.hands[place] = (signal, hand.facts.clone());
                }
            }
            Event::Marked { to, of: Some(of), .. } => {
                for place in
                    self.places_of(to).into_iter().filter(|seat| self.has_heard(*seat, *of)).collect::<Vec<_>>()
                {
                    self.keep_entry(place, record, EntryKind::Marked, EntryWords::Elsewhere);
                }
            }
            Event::Paid { stage, multiplier, payoffs, .. } => {
                for payoff in payoffs {
                    let Some(place) = self.seats.get_index_of(&payoff.seat) else { continue };
                    if let Some(words) = self.reading.payment_words(place, *stage, *multiplier, payoff) {
                        self.keep_entry(place, record, EntryKind::Results, words);
                    }
                }
            }
            Event::NotesBrought { notes, .. } => {
                for SeatNotes { seat, lines } in notes {
                    let Some(place) = self.seats.get_index_of(seat) else { continue };
                    if let Some(words) = self.reading.notes_words(place, lines) {
                        self.keep_entry(place, record, EntryKind::Notes, words);
                    }
                }
            }
            _ => {
                if let Some(seat) = seat
                    && let Some((kind, words)) = self.reading.answer_words(record, seat)
                {
                    self.keep_entry(seat, record, kind, words);
                }
            }
        }
    }

    /// A seat keeps something where its plan says.
    fn keep_entry(&mut self, seat: usize, record: &Record, kind: EntryKind, words: EntryWords) {
        let list = match &record.event {
            Event::Compressed { .. } => SUMMARIES,
            _ if self.memory.routing.of_entry(kind) == Strategy::Skip => return,
            _ if self.memory.pins_entry(kind) => PINNED,
            _ => OTHERS,
        };
        self.own[seat][list].push(OwnRecord { seq: record.seq, kind, words });
    }

    /// Checks the seat's own entries, and what it knows besides.
    pub(super) fn check_own(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let seat = query.seat.index();
        if query.pushes != self.pushes[seat] {
            return leak(Seq(0), "and is to push what it was not told to");
        }
        if query.chosen.get(seat).and_then(Option::as_ref) != self.chosen.get(seat).and_then(Option::as_ref) {
            return leak(Seq(0), "under a name that it did not choose");
        }
        if self.is_no_hand(query) {
            return leak(Seq(0), "and knows of the case what it was not told");
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
                return leak(Seq(0), "and its record would not say all that is shown");
            }
            if let Some(seq) = self.forgotten_entry(seat, entries, list) {
                return leak(seq, "which it was to forget");
            }
            let mut before = 0;
            for part in told.parts() {
                for place in self.checked_own[seat][list].gaps_in(part.clone()).parts().flatten() {
                    let entry = entries.iter().nth(before + place - part.start);
                    let entry = entry.expect("invariant: as many as are told");
                    if let Some(reason) = self.find_entry_mismatch((seat, list), place, entry) {
                        return leak(entry.seq, reason);
                    }
                }
                before += part.len();
            }
            self.checked_own[seat][list].add_all(&told);
        }
        Ok(())
    }

    /// Whether a mind would know of its seat's signal and facts what it was not told, or is not shown.
    fn is_no_hand(&self, query: &Query<'_>) -> bool {
        let (signal, facts) = &self.hands[query.seat.index()];
        let is_shown = query.brief.pinned.iter().any(|entry| entry.kind == EntryKind::Dealt);
        match is_shown {
            true => query.brief.signal != *signal || !query.brief.facts.iter().map(|fact| &fact.id).eq(facts),
            false => query.brief.signal.is_some() || !query.brief.facts.is_empty(),
        }
    }

    /// Why an entry is none of the seat's own, or does not stand at this place of the list. What stands in the place of others
    /// depends on what was shown when it was written: of that it is only known which records it is.
    fn find_entry_mismatch(
        &self,
        (seat, list): (usize, usize),
        place: usize,
        entry: &OwnEntry,
    ) -> Option<&'static str> {
        let own = &self.own[seat];
        let find = |list: usize| {
            let found = own[list].binary_search_by_key(&entry.seq, |owned| owned.seq).ok();
            found.map(|place| &own[list][place])
        };
        let found = match (list, entry.kind) {
            (SUMMARIES, EntryKind::PutBack) => {
                return (!self.was_announced(seat, entry)).then_some("which was not said so");
            }
            (SUMMARIES, EntryKind::Rewritten) => find(SUMMARIES),
            (SUMMARIES, kind) if self.memory.reinject.hold_entry(kind) => find(OTHERS),
            (SUMMARIES, _) => None,
            (list, _) => match own[list].get(place).filter(|owned| owned.seq == entry.seq) {
                Some(there) => Some(there),
                None if find(list).is_some() => return Some("which does not stand there"),
                None => None,
            },
        };
        found.map_or(Some("which is not its own"), |owned| owned.mismatch_reason(entry))
    }

    /// Whether all were told what a seat has put back, in the words in which it was told.
    fn was_announced(&self, seat: usize, entry: &OwnEntry) -> bool {
        let floor = &self.heard.group_of(seat).floor;
        let said = floor.binary_search_by_key(&entry.seq, |said| said.seq).ok().map(|place| &floor[place]);
        said.and_then(|said| said.put_back.as_ref()).is_some_and(|words| words.matches_text(&entry.text))
    }
}
