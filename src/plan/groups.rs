//! Assignments of seats to groups or roles, and phases that take place in each group.

use std::ops::Range;

use super::Formula;
use crate::domain::SeatId;

/// How seats are put into groups.
#[derive(Debug, Clone, serde::Serialize)]
pub struct GroupRule {
    /// The name of the assignment.
    pub name: String,
    /// How large the groups are.
    pub size: GroupSize,
    /// Which seats come together.
    pub by: Grouping,
    /// What the groups mix; `None` for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mix: Option<Formula>,
}

/// How large groups are, or what they are.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum GroupSize {
    /// So many seats each, or fewer where the seats do not divide.
    Seats(u32),
    /// So many groups, as equal as possible.
    Groups(u32),
    /// So many groups, each with the seats that have its number.
    Joined(u32),
    /// The seats of each of these roles, in this order.
    Roles(Vec<RoleSeats>),
}

/// A role that seats have until roles are assigned anew.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RoleSeats {
    /// Its name.
    pub name: String,
    /// The number of its seats; `None` for all that are left.
    pub seats: Option<u32>,
}

/// Where a role is assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignedRole {
    /// The name of the assignment.
    pub assignment: String,
    /// Its number among the roles that the agenda assigns.
    pub number: usize,
    /// How many seats have it.
    pub holders: Holders,
}

/// How many seats have a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holders {
    /// One.
    One,
    /// One in each group.
    OneAGroup,
    /// Any number.
    Many,
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

impl GroupRule {
    /// The expressions by which seats come together or are mixed.
    pub fn list_formulas(&self) -> impl Iterator<Item = &Formula> {
        let by = match &self.by {
            Grouping::Value(formula) => Some(formula),
            Grouping::Lot | Grouping::Rotation => None,
        };
        by.into_iter().chain(&self.mix)
    }
}

impl GroupSize {
    /// The number of groups of so many seats.
    pub fn count_groups(&self, seats: usize) -> usize {
        match self {
            GroupSize::Seats(size) => seats.div_ceil(*size as usize),
            GroupSize::Groups(groups) | GroupSize::Joined(groups) => *groups as usize,
            GroupSize::Roles(roles) => roles.len(),
        }
    }

    /// Whether so many seats make equal groups.
    pub fn divides(&self, seats: usize) -> bool {
        match self {
            GroupSize::Seats(by) | GroupSize::Groups(by) => seats.is_multiple_of(*by as usize),
            GroupSize::Joined(_) | GroupSize::Roles(_) => true,
        }
    }

    /// The number of seats of the smallest group at the least.
    pub fn least_group(&self, seats: &[SeatId]) -> usize {
        match self {
            GroupSize::Joined(_) => 0,
            _ => self.split_seats(seats).iter().map(Vec::len).min().unwrap_or(0),
        }
    }

    /// Splits seats in an order into groups: as equal as possible, or as many for each role as it has.
    pub fn split_seats(&self, seats: &[SeatId]) -> Vec<Vec<SeatId>> {
        let GroupSize::Roles(roles) = self else { return split_evenly(seats, self.count_groups(seats.len())) };
        let counted: usize = roles.iter().filter_map(|role| role.seats).map(|count| count as usize).sum();
        let mut rest = seats.iter().copied();
        let left = seats.len().saturating_sub(counted);
        let own = |role: &RoleSeats| rest.by_ref().take(role.seats.map_or(left, |count| count as usize)).collect();
        roles.iter().map(own).collect()
    }

    /// Deals seats in an order to the groups in turn.
    pub fn deal_seats(&self, seats: &[SeatId]) -> Vec<Vec<SeatId>> {
        let mut groups = vec![Vec::new(); self.count_groups(seats.len())];
        let count = groups.len().max(1);
        for (place, seat) in seats.iter().enumerate() {
            groups[place % count].push(*seat);
        }
        groups
    }

    /// The names of the roles; none of groups.
    pub fn list_roles(&self) -> &[RoleSeats] {
        if let GroupSize::Roles(roles) = self { roles } else { &[] }
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
        let roles = [("wolf", Some(2)), ("villager", None), ("seer", Some(1))];
        let roles = roles.map(|(name, seats)| RoleSeats { name: name.to_owned(), seats }).to_vec();
        let sizes = |seats| {
            let seats: Vec<SeatId> = (0..seats).map(SeatId).collect();
            GroupSize::Roles(roles.clone()).split_seats(&seats).iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!([sizes(7), sizes(3), sizes(1)], [vec![2, 4, 1], vec![2, 0, 1], vec![1, 0, 0]]);
    }
}
