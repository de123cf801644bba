//! Assignments of seats to groups, and phases that take place in each group.

use std::ops::Range;

use super::Formula;

/// How seats are put into groups.
#[derive(Debug, Clone, serde::Serialize)]
pub struct GroupRule {
    /// The name of the assignment.
    pub name: String,
    /// How large the groups are.
    pub size: GroupSize,
    /// Which seats come together.
    pub by: Grouping,
}

/// How large groups are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum GroupSize {
    /// So many seats each, or fewer where the seats do not divide.
    Seats(u32),
    /// So many groups, as equal as possible.
    Groups(u32),
}

/// Which seats come together.
#[derive(Debug, Clone, serde::Serialize)]
pub enum Grouping {
    /// By lot.
    Lot,
    /// Neighbours in the plan's order, which begins one seat later each time.
    Rotation,
    /// Seats with neighbouring values, the least first; equal ones by lot, and those without a value last.
    Value(Formula),
}

impl GroupSize {
    /// The number of groups of so many seats.
    pub fn count_groups(self, seats: usize) -> usize {
        match self {
            GroupSize::Seats(size) => seats.div_ceil(size as usize),
            GroupSize::Groups(groups) => groups as usize,
        }
    }

    /// Whether so many seats make equal groups.
    pub fn divides(self, seats: usize) -> bool {
        let (GroupSize::Seats(by) | GroupSize::Groups(by)) = self;
        seats.is_multiple_of(by as usize)
    }
}

/// Splits seats in an order into so many groups, as equal as possible, the larger ones first.
pub fn split_evenly<T: Clone>(seats: &[T], groups: usize) -> Vec<Vec<T>> {
    let (least, larger) = (seats.len() / groups.max(1), seats.len() % groups.max(1));
    let mut rest = seats;
    let mut all = Vec::with_capacity(groups);
    for group in 0..groups {
        let (own, others) = rest.split_at(least + usize::from(group < larger));
        all.push(own.to_vec());
        rest = others;
    }
    all
}

/// The group in which a phase takes place.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GroupPlace {
    /// The name of the assignment.
    pub assignment: String,
    /// The number of the group, from 1.
    pub number: u32,
    /// The position of the part of the agenda that takes place in each group.
    #[serde(skip)]
    pub region: usize,
}

/// A part of the agenda that takes place in each group, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRegion {
    /// The name of the assignment.
    pub assignment: String,
    /// The positions of the phases of each group.
    pub groups: Vec<Range<usize>>,
}

impl GroupRegion {
    /// The position of its first phase.
    pub fn start(&self) -> usize {
        self.groups.first().map_or(0, |group| group.start)
    }

    /// The position after its last phase.
    pub fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_equal_as_possible() {
        let seats: Vec<u32> = (0..7).collect();
        let sizes = |groups| split_evenly(&seats, groups).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!([sizes(1), sizes(2), sizes(3)], [vec![7], vec![4, 3], vec![3, 2, 2]]);
        assert_eq!(split_evenly(&seats, 3).concat(), seats);
        assert_eq!([GroupSize::Seats(4).count_groups(7), GroupSize::Groups(3).count_groups(7)], [2, 3]);
        assert!(GroupSize::Seats(4).divides(8) && !GroupSize::Seats(4).divides(7));
    }
}
