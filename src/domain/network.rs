//! Who hears whom in one session.
//!
//! It draws nothing and reads no file; what is announced to all is heard by all, whatever stands here.

use super::SeatId;

/// For each seat the others whose statements it hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Links(Vec<Vec<SeatId>>);

impl Links {
    /// The links of these lists, one a seat, each in the order of the seats and without the seat itself.
    pub fn of(mut hears: Vec<Vec<SeatId>>) -> Self {
        for (listener, heard) in (0u32..).zip(&mut hears) {
            heard.retain(|other| other.0 != listener);
            heard.sort_unstable();
            heard.dedup();
        }
        Self(hears)
    }

    /// Every one of so many seats hears every other.
    pub fn complete(seats: usize) -> Self {
        let all: Vec<SeatId> = (0..seats as u32).map(SeatId).collect();
        Self::of(vec![all; seats])
    }

    /// The others that a seat hears, in the order of the seats.
    ///
    /// # Panics
    /// When there is no such seat.
    pub fn heard_by(&self, listener: SeatId) -> &[SeatId] {
        &self.0[listener.index()]
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.0.len()
    }
}

/// Seats that hear the same statements share a circle: their own and those of the same others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circles {
    /// The circle of each seat, from 0 in the order of the seats.
    of: Vec<u32>,
    /// For each seat the circles that hear it, its own among them, in order.
    hearing: Vec<Vec<u32>>,
    /// How many there are.
    count: usize,
}

impl Circles {
    /// All of so many seats hear everything.
    pub fn one(seats: usize) -> Self {
        Self { of: vec![0; seats], hearing: vec![vec![0]; seats], count: 1 }
    }

    /// The circles of a network.
    pub fn of(links: &Links) -> Self {
        let mut known: std::collections::BTreeMap<Vec<SeatId>, u32> = std::collections::BTreeMap::new();
        let (mut of, mut hearing) = (Vec::with_capacity(links.seats()), vec![Vec::new(); links.seats()]);
        for listener in (0..links.seats() as u32).map(SeatId) {
            let mut heard = links.heard_by(listener).to_vec();
            let place =
                heard.binary_search(&listener).expect_err("invariant: no seat is among the others that it hears");
            heard.insert(place, listener);
            let next = known.len() as u32;
            let circle = *known.entry(heard).or_insert_with_key(|heard| {
                heard.iter().for_each(|speaker| hearing[speaker.index()].push(next));
                next
            });
            of.push(circle);
        }
        Self { of, hearing, count: known.len() }
    }

    /// The same circles, each split by a key of its seats: seats share a circle if they hear the same and have equal keys.
    ///
    /// # Panics
    /// When there are fewer keys than seats.
    #[must_use]
    pub fn split_by<K: PartialEq>(self, keys: &[K]) -> Self {
        let mut kinds: Vec<&K> = Vec::new();
        let mut known: std::collections::BTreeMap<(u32, usize), u32> = std::collections::BTreeMap::new();
        let (mut of, mut parts) = (Vec::with_capacity(self.of.len()), vec![Vec::new(); self.count]);
        for (circle, key) in self.of.iter().zip(keys) {
            let kind = kinds.iter().position(|kind| *kind == key).unwrap_or(kinds.len());
            if kind == kinds.len() {
                kinds.push(key);
            }
            let next = known.len() as u32;
            of.push(*known.entry((*circle, kind)).or_insert_with(|| {
                parts[*circle as usize].push(next);
                next
            }));
        }
        assert!(of.len() == self.of.len(), "invariant: every seat has a key");
        let parts_of = |circles: Vec<u32>| circles.iter().flat_map(|circle| parts[*circle as usize].clone()).collect();
        Self { hearing: self.hearing.into_iter().map(parts_of).collect(), of, count: known.len() }
    }

    /// The circle of a seat.
    pub fn circle(&self, seat: SeatId) -> usize {
        self.of[seat.index()] as usize
    }

    /// The circles that hear a seat.
    pub fn hearing(&self, speaker: SeatId) -> impl Iterator<Item = usize> + '_ {
        self.hearing[speaker.index()].iter().map(|circle| *circle as usize)
    }

    /// How many there are; at least one where there is a seat.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_that_hear_the_same_share_a_circle_and_no_others_do() {
        let hears =
            |lists: &[&[u32]]| Links::of(lists.iter().map(|list| list.iter().copied().map(SeatId).collect()).collect());
        let all = Circles::of(&Links::complete(4));
        assert_eq!(all, Circles::one(4));
        // 0 and 1 hear each other and 2; 2 hears 0; 3 hears nobody.
        let some = Circles::of(&hears(&[&[1, 2, 0], &[2, 0, 2], &[0], &[]]));
        assert_eq!((some.count(), [0, 1, 2, 3].map(|seat| some.circle(SeatId(seat)))), (3, [0, 0, 1, 2]));
        let hearing = |seat| some.hearing(SeatId(seat)).collect::<Vec<_>>();
        assert_eq!([hearing(0), hearing(1), hearing(2), hearing(3)], [vec![0, 1], vec![0], vec![0, 1], vec![2]]);
        // 1 and 3 differ from 0 and 2 by their key: the circle of 0 and 1 is split.
        let split = some.split_by(&["a", "b", "a", "b"]);
        assert_eq!((split.count(), [0, 1, 2, 3].map(|seat| split.circle(SeatId(seat)))), (4, [0, 1, 2, 3]));
        let hearing = |seat| split.hearing(SeatId(seat)).collect::<Vec<_>>();
        assert_eq!(
            [hearing(0), hearing(1), hearing(2), hearing(3)],
            [vec![0, 1, 2], vec![0, 1], vec![0, 1, 2], vec![3]]
        );
        assert_eq!(Circles::one(3).split_by(&[7; 3]), Circles::one(3));
    }
}
