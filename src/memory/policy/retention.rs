//! What each policy retains of a memory, and where the part ends that it has a seat rewrite.

use super::{CompactPolicy, DigestPolicy, MemoryPolicy, Window};
use crate::memory::excerpt::{ViewStart, first_true};
use crate::memory::floor::Floor;
use crate::memory::own::{OwnMemory, RewriteEnd};

impl MemoryPolicy {
    /// The part that the policy retains, before limits apply.
    pub(in crate::memory) fn in_hand(&self, floor: &Floor, own: &OwnMemory) -> ViewStart {
        match self {
            MemoryPolicy::None => {
                ViewStart { summaries: own.summaries_len(), ..ViewStart::from_places(floor.len(), own.len()) }
            }
            MemoryPolicy::Window(window) => window.in_hand(floor, own),
            MemoryPolicy::Selective
            | MemoryPolicy::Full
            | MemoryPolicy::Compact(_)
            | MemoryPolicy::Digest(_)
            | MemoryPolicy::Shuffled => {
                ViewStart { summaries: own.summaries_from, ..ViewStart::from_places(own.floor_from, own.entries_from) }
            }
        }
    }

    /// The end of a rewrite now; `None` if the policy never rewrites or too few statements wait for a digest.
    pub(in crate::memory) fn rewrite_end(&self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        match self {
            MemoryPolicy::Selective => Some(RewriteEnd { floor: floor.len(), own: own.len() }),
            MemoryPolicy::Compact(compact) => Some(compact.rewrite_end(floor, own)),
            MemoryPolicy::Digest(digest) => digest.rewrite_end(floor, own),
            MemoryPolicy::Full | MemoryPolicy::None | MemoryPolicy::Window(_) | MemoryPolicy::Shuffled => None,
        }
    }
}

impl Window {
    /// The window's part of the memory.
    fn in_hand(self, floor: &Floor, own: &OwnMemory) -> ViewStart {
        let place = self.window_start(floor, own).max(own.floor_from);
        ViewStart {
            summaries: own.summaries_from,
            ..ViewStart::from_places(place, own.entries_before(place).max(own.entries_from))
        }
    }

    /// The position on the floor at which the window begins. Forgotten statements do not count.
    fn window_start(self, floor: &Floor, own: &OwnMemory) -> usize {
        let (statements, lapses) = (&floor.places.statements, &own.lapses);
        match self {
            Window::Statements(most) => match floor.start_of_newest(lapses, most.saturating_add(1)) {
                None => 0,
                Some(_) => floor.start_of_newest(lapses, most).expect("invariant: there are more"),
            },
            Window::Tokens(most) => {
                let room = most.saturating_sub(floor.pinned_tokens() + own.pinned_tokens);
                let fits = |place: usize| {
                    floor.tokens_from(lapses, place) + own.tokens_from(own.entries_before(place)) <= room
                };
                let place = first_true(0, floor.len(), fits);
                if place == 0 {
                    return 0;
                }
                // The window begins with a statement, so that turns stay complete.
                let known =
                    |from: usize| lapses.statements.stretch(statements, from..statements.len(), statements.len());
                let next = known(statements.partition_point(|other| (*other as usize) < place));
                next.first().or(known(0).last()).map_or(place, |place| *place as usize)
            }
        }
    }
}

impl CompactPolicy {
    /// The end of the part to replace.
    fn rewrite_end(self, floor: &Floor, own: &OwnMemory) -> RewriteEnd {
        let place =
            floor.start_of_newest(&own.lapses, self.keep).unwrap_or_else(|| floor.first_remembered(&own.lapses));
        RewriteEnd { floor: place.max(own.floor_from), own: own.kept_until(floor, place) }
    }
}

impl DigestPolicy {
    /// The end of the part to digest; `None` if too few statements wait and nobody demands a digest.
    fn rewrite_end(self, floor: &Floor, own: &OwnMemory) -> Option<RewriteEnd> {
        let newest =
            floor.start_of_newest(&own.lapses, self.keep).unwrap_or_else(|| floor.first_remembered(&own.lapses));
        let place = newest.max(own.floor_from);
        let waiting = floor.statements_known(&own.lapses, own.floor_from..place, floor.len());
        (waiting >= self.every || own.is_demanded)
            .then(|| RewriteEnd { floor: place, own: own.kept_until(floor, newest) })
    }
}
