//! Some positions in a list, as ranges. It knows nothing of the list.

use std::ops::Range;

use super::Stretch;

/// Some positions in a list, as ranges: in order, none empty, none touching another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges(Vec<Range<u32>>);

impl Ranges {
    /// These positions belong to it, too.
    pub fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (start, end) = (range.start as u32, range.end as u32);
        let first = self.0.partition_point(|part| part.end < start);
        let past = self.0.partition_point(|part| part.start <= end);
        let joined = self.0[first..past]
            .iter()
            .fold(start..end, |one, other| one.start.min(other.start)..one.end.max(other.end));
        self.0.splice(first..past, [joined]);
    }

    /// The same of all positions of others.
    pub fn add_all(&mut self, others: &Ranges) {
        others.parts().for_each(|part| self.add(part));
    }

    /// These positions but for its own.
    pub fn gaps_in(&self, range: Range<usize>) -> Ranges {
        let mut rest = Ranges::default();
        let mut start = range.start;
        for part in self.within(range.clone()) {
            rest.add(start..part.start);
            start = part.end;
        }
        rest.add(start..range.end);
        rest
    }

    /// What of it lies within these positions.
    pub fn within(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
        let first = self.0.partition_point(|part| part.end as usize <= range.start);
        let past = self.0.partition_point(|part| (part.start as usize) < range.end).max(first);
        let clip = move |place: u32| (place as usize).clamp(range.start, range.end.max(range.start));
        self.0[first..past].iter().map(move |part| clip(part.start)..clip(part.end)).filter(|part| !part.is_empty())
    }

    /// How many positions these are.
    pub fn count(&self) -> usize {
        self.parts().map(|part| part.len()).sum()
    }

    /// All of it.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0.iter().map(|part| part.start as usize..part.end as usize)
    }

    /// Moves everything from a position on up by one, because the list has a new entry there, which does not belong to it.
    pub fn make_room_at(&mut self, position: usize) {
        let moved: Vec<_> = self.within(0..position).chain(self.within(position..u32::MAX as usize)).collect();
        let shift = |part: Range<usize>| if part.start < position { part } else { part.start + 1..part.end + 1 };
        self.0 = moved.into_iter().map(shift).map(|part| part.start as u32..part.end as u32).collect();
    }

    /// Whether a position belongs to it.
    pub fn holds(&self, position: usize) -> bool {
        self.within(position..position + 1).next().is_some()
    }

    /// Of a running total, what it has grown by between two positions, but for what it has grown by within these ranges.
    pub fn rest(&self, range: Range<usize>, total: impl Fn(usize) -> u64) -> u64 {
        let between = |range: Range<usize>| total(range.end) - total(range.start);
        between(range.clone()) - self.within(range).map(between).sum::<u64>()
    }

    /// How many of these positions do not belong to it.
    pub fn count_rest(&self, range: Range<usize>) -> usize {
        range.len() - self.within(range).map(|part| part.len()).sum::<usize>()
    }

    /// The part of a list between two positions, without these ranges as far as they lie before `until`.
    pub fn stretch<'a, T>(&'a self, list: &'a [T], shown: Range<usize>, until: usize) -> Stretch<'a, T> {
        Stretch::new(list, shown, &self.0, until)
    }

    /// From a record: what these parts are.
    pub fn of(parts: &[Range<u32>]) -> Self {
        let mut ranges = Self::default();
        parts.iter().for_each(|part| ranges.add(part.start as usize..part.end as usize));
        ranges
    }

    /// As they go on record: what lies within these positions.
    pub fn told(&self, range: Range<usize>) -> Vec<Range<u32>> {
        self.within(range).map(|part| part.start as u32..part.end as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn ranges_hold_what_was_added_and_nothing_else(
            added in prop::collection::vec((0..40usize, 0..9usize), 0..9), (from, length) in (0..40usize, 0..20usize)
        ) {
            let (mut ranges, mut set) = (Ranges::default(), BTreeSet::new());
            for (start, length) in added {
                ranges.add(start..start + length);
                set.extend(start..start + length);
            }
            prop_assert!(ranges.0.windows(2).all(|pair| pair[0].end < pair[1].start), "{ranges:?}");
            prop_assert!(ranges.0.iter().all(|range| !range.is_empty()));
            let asked = from..from + length;
            let within: Vec<usize> = ranges.within(asked.clone()).flatten().collect();
            prop_assert_eq!(&within, &set.range(asked.clone()).copied().collect::<Vec<_>>());
            prop_assert_eq!(ranges.holds(from), set.contains(&from));
            let rest: Vec<usize> = asked.clone().filter(|place| !set.contains(place)).collect();
            prop_assert_eq!(ranges.count_rest(asked.clone()), rest.len());
            let square = |place: usize| (place * place) as u64;
            let grown = rest.iter().map(|place| square(place + 1) - square(*place)).sum::<u64>();
            prop_assert_eq!(ranges.rest(asked.clone(), square), grown);
            let gaps: Vec<usize> = ranges.gaps_in(asked).within(0..99).flatten().collect();
            prop_assert_eq!(gaps, rest);
        }
    }
}
