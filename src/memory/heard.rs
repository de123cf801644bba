//! What a seat remembers of the talk: the stances and proposals that its brief lists, and the summary in words.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::excerpt::View;
use super::{HeardTalk, HistoryInBrief, Memory};
use crate::domain::{Extent, Heard, HeardBetween, Ranges, Recollected, SeatId, Told};

impl Memory {
    /// The others' stances and proposals within a view.
    pub(super) fn build_heard(&self, seat: SeatId, view: &View, recalled: &[u32]) -> Heard<'_> {
        let (own, end) = (&self.seats[seat.index()], view.statements.end);
        let (start, lapses) = (view.statements.start, &own.lapses);
        let is_newest = end == self.floor(seat).len() && start < end;
        let between = |part: Range<usize>| HeardBetween {
            all: (self.floor(seat).stances_before(part.end), self.floor(seat).stances_before(part.start)),
            own: (own.stances_before(part.end), own.stances_before(part.start)),
        };
        let is_shown = |place: usize| place >= start && (place >= view.history || !lapses.floor.holds(place));
        let HeardBetween { all, own: of_own } = between(start..end);
        // The public history forgets nothing, so a seat that reads all of it knows all marks.
        let talk = match (view.standing, self.plan(seat).history) {
            (None, HistoryInBrief::Full) => &self.talk_versions(seat).whole,
            _ => self.talk(seat),
        };
        let proposals = &talk.proposals;
        Heard {
            all,
            own: of_own,
            forgotten: lapses.floor.within(start..end.min(view.history)).map(between).collect(),
            amounts: if is_newest { self.floor(seat).last_amounts(lapses, view.history) } else { Cow::Borrowed(&[]) },
            from: start as u32,
            round_from: self.floor(seat).round_from as u32,
            proposal: match view.standing {
                Some(_) => proposals.to_answer(seat, |_| true),
                None => {
                    let is_told =
                        |place: usize| is_shown(place) || view.pinned.0 > 0 && self.floor(seat).is_pinned(place);
                    proposals.to_answer(seat, is_told).filter(|_| is_newest)
                }
            },
            own_proposal: proposals.newest_own(seat),
            own_open: proposals.own_open(seat, |place| {
                is_shown(place) && place < end || recalled.binary_search(&(place as u32)).is_ok()
            }),
            backed: proposals.last_backed(seat),
            recalled: self.recollected_stances(seat, recalled, view, is_shown),
        }
    }

    /// The stances in recalled statements, pinned statements, and statements in the summary of the talk, unless the brief lists
    /// them.
    fn recollected_stances(
        &self,
        seat: SeatId,
        recalled: &[u32],
        view: &View,
        is_shown: impl Fn(usize) -> bool,
    ) -> Vec<Recollected> {
        let mut places: BTreeSet<usize> = recalled.iter().map(|place| *place as usize).collect();
        places.extend(self.floor(seat).pinned_statements(view.pinned.0));
        places.extend(view.standing.into_iter().flat_map(|extent| self.standing_stance_places(seat, extent)));
        let declared = places.into_iter().filter(|place| !is_shown(*place)).filter_map(|place| {
            let (remark, _) = self.floor(seat).remark(place);
            Some(Recollected { is_own: remark.speaker == Some(seat), stance: remark.stance? })
        });
        declared.collect()
    }

    /// The talk as a seat remembers it.
    fn talk(&self, seat: SeatId) -> &HeardTalk {
        match self.forgotten_places(seat) {
            Some(forgotten) => self.talk_versions(seat).talk_without(&forgotten),
            None => &self.talk_versions(seat).whole,
        }
    }

    /// The positions on the floor that a seat has forgotten; `None` if there are none.
    pub(super) fn forgotten_places(&self, seat: SeatId) -> Option<Ranges> {
        let own = &self.seats[seat.index()];
        let lapses = &own.lapses.floor;
        (own.forgotten_until > 0 || lapses.count() > 0).then(|| {
            let mut forgotten = lapses.clone();
            forgotten.add(0..own.forgotten_until);
            forgotten
        })
    }

    /// The length of a seat's summary, by extent.
    pub(super) fn standing_chars(&self, seat: SeatId) -> [u64; 2] {
        let standing = self.talk(seat).standing.as_ref();
        standing.map_or([0; 2], |standing| [Extent::Whole, Extent::Short].map(|extent| standing.chars(extent)))
    }

    /// A seat's summary of the talk.
    ///
    /// # Panics
    /// If the policy does not show it.
    pub(super) fn standing_words(&self, seat: SeatId, extent: Extent) -> Told<'_> {
        let standing = self.talk(seat).standing.as_ref().expect("invariant: only what there is is told");
        Told { extent, words: Cow::Borrowed(standing.words(extent)) }
    }

    /// The positions of the statements whose stance a seat's summary reports.
    fn standing_stance_places(&self, seat: SeatId, extent: Extent) -> BTreeSet<usize> {
        let talk = self.talk(seat);
        talk.standing.as_ref().map_or(BTreeSet::new(), |standing| standing.stance_places(extent, &talk.proposals))
    }
}
