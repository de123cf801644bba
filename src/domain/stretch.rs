//! A stretch of a list, but for parts of it that a seat has forgotten. It borrows: reading it copies nothing, and nothing that was
//! forgotten can be read through it.

use std::fmt;
use std::ops::Range;

/// Some things that stand one after the other in a list, but for those that were forgotten.
pub struct Stretch<'a, T> {
    /// From the first of the stretch to its last.
    list: &'a [T],
    /// The position of the first in the whole list.
    start: usize,
    /// Positions in the whole list that were forgotten: in order, none empty, none touching another.
    without: &'a [Range<u32>],
    /// From this position on all are there, whatever was forgotten.
    until: usize,
}

/// Walks a [`Stretch`].
pub struct StretchIter<'a, T> {
    of: Stretch<'a, T>,
    /// What is left, as positions in the whole list.
    left: Range<usize>,
}

impl<'a, T> Stretch<'a, T> {
    /// Of a whole list what stands between two positions; of that, what stands before `until` at one of the positions `without` is
    /// forgotten.
    ///
    /// # Panics
    /// When the list has no such positions.
    pub fn new(list: &'a [T], shown: Range<usize>, without: &'a [Range<u32>], until: usize) -> Self {
        Self { list: &list[shown.clone()], start: shown.start, without, until }
    }

    /// From the first to the last.
    pub fn iter(&self) -> StretchIter<'a, T> {
        StretchIter { of: *self, left: self.start..self.start + self.list.len() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        let end = self.start + self.list.len();
        let clip = |place: u32| (place as usize).clamp(self.start, end.min(self.until).max(self.start));
        let first = self.without.partition_point(|part| part.end as usize <= self.start);
        let forgotten = self.without[first..].iter().take_while(|part| (part.start as usize) < end);
        self.list.len() - forgotten.map(|part| clip(part.end) - clip(part.start)).sum::<usize>()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The first.
    pub fn first(&self) -> Option<&'a T> {
        self.iter().next()
    }

    /// The last.
    pub fn last(&self) -> Option<&'a T> {
        self.iter().next_back()
    }

    /// The forgotten part that a position stands in.
    fn part(&self, position: usize) -> Option<&'a Range<u32>> {
        let place = self.without.partition_point(|part| part.end as usize <= position);
        self.without.get(place).filter(|part| part.start as usize <= position && position < self.until)
    }
}

impl<'a, T: Clone> Stretch<'a, T> {
    /// Copies of all of them.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }
}

impl<T> Clone for Stretch<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Stretch<'_, T> {}

impl<T> Default for Stretch<'_, T> {
    fn default() -> Self {
        Self { list: &[], start: 0, without: &[], until: 0 }
    }
}

impl<'a, T> From<&'a [T]> for Stretch<'a, T> {
    fn from(list: &'a [T]) -> Self {
        Self { list, ..Self::default() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Stretch<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T> IntoIterator for Stretch<'a, T> {
    type Item = &'a T;
    type IntoIter = StretchIter<'a, T>;

    fn into_iter(self) -> StretchIter<'a, T> {
        self.iter()
    }
}

impl<T> Clone for StretchIter<'_, T> {
    fn clone(&self) -> Self {
        Self { of: self.of, left: self.left.clone() }
    }
}

impl<T: fmt::Debug> fmt::Debug for StretchIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a, T> Iterator for StretchIter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        while let Some(position) = self.left.clone().next() {
            match self.of.part(position) {
                Some(part) => self.left.start = (part.end as usize).min(self.of.until),
                None => {
                    self.left.start += 1;
                    return Some(&self.of.list[position - self.of.start]);
                }
            }
        }
        None
    }

    /// Passes over whole parts at once: what is skipped costs nothing.
    fn nth(&mut self, mut n: usize) -> Option<&'a T> {
        while let Some(position) = self.left.clone().next() {
            let place = self.of.without.partition_point(|part| part.end as usize <= position);
            // From `until` on nothing is passed over, though a part may end there.
            let is_left_out = |part: &&Range<u32>| position < self.of.until && (part.start as usize) < self.of.until;
            let part = self.of.without.get(place).filter(is_left_out);
            let run =
                part.map_or(self.left.end, |part| (part.start as usize).clamp(position, self.left.end)) - position;
            if n < run {
                self.left.start = position + n + 1;
                return Some(&self.of.list[position + n - self.of.start]);
            }
            n -= run;
            let past = part.map_or(self.left.end, |part| (part.end as usize).min(self.of.until));
            self.left.start = past.min(self.left.end);
        }
        None
    }
}

impl<'a, T> DoubleEndedIterator for StretchIter<'a, T> {
    fn next_back(&mut self) -> Option<&'a T> {
        while let Some(position) = self.left.clone().next_back() {
            match self.of.part(position) {
                Some(part) => self.left.end = (part.start as usize).max(self.left.start),
                None => {
                    self.left.end -= 1;
                    return Some(&self.of.list[position - self.of.start]);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_stretch_holds_what_was_not_forgotten_from_either_end(
            (from, to) in (0..40usize, 0..40usize), until in 0..50usize,
            gaps in prop::collection::vec((1..6u32, 1..6u32), 0..6)
        ) {
            let list: Vec<usize> = (0..40).collect();
            let shown = from.min(to)..from.max(to);
            let mut end = 0;
            let without: Vec<Range<u32>> = gaps.iter().map(|(before, length)| {
                let start = end + before;
                end = start + length;
                start..end
            }).collect();
            let is_forgotten = |place: usize| place < until && without.iter().any(|part| part.contains(&(place as u32)));
            let expected: Vec<usize> = shown.clone().filter(|place| !is_forgotten(*place)).collect();
            let stretch = Stretch::new(&list, shown, &without, until);
            prop_assert_eq!(stretch.to_vec(), expected.clone());
            prop_assert_eq!(stretch.len(), expected.len());
            prop_assert_eq!(stretch.is_empty(), expected.is_empty());
            prop_assert_eq!((stretch.first(), stretch.last()), (expected.first(), expected.last()));
            for skipped in 0..expected.len() + 2 {
                let rest: Vec<usize> = stretch.iter().skip(skipped).copied().collect();
                prop_assert_eq!(rest, expected.iter().skip(skipped).copied().collect::<Vec<_>>());
            }
            let backwards: Vec<usize> = stretch.iter().rev().copied().collect();
            prop_assert_eq!(backwards, expected.into_iter().rev().collect::<Vec<_>>());
        }
    }
}
