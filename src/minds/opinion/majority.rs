//! Local majorities: seats are put in small groups, and each adopts its group's majority.
//!
//! Source: Galam 1986, "Majority rule, hierarchical structures, and democratic totalitarianism", Journal of Mathematical
//! Psychology 30(4); 2002, "Minority opinion spreading in random geometry", European Physical Journal B 25. With groups of three
//! and a share p, the share after a round is 3p² − 2p³ in an infinite population.
//!
//! The speakers of a round and the seat itself are put in one random order and cut into groups; the last may be smaller. If a
//! group is tied, its members keep their alternatives.

/// The alternative that a seat holds after the count of its group, which includes itself.
pub fn local_majority(own: u32, group: &[u32]) -> u32 {
    let (mut mode, mut most, mut is_tied) = (own, 0, false);
    for held in group {
        let count = group.iter().filter(|other| *other == held).count();
        if count > most {
            (mode, most, is_tied) = (*held, count, false);
        } else if count == most && *held != mode {
            is_tied = true;
        }
    }
    if is_tied { own } else { mode }
}

/// A seat's group if all are cut into groups of this size, in this order.
///
/// # Panics
/// If the size is 0.
pub fn group_of(seat: u32, order: &[u32], size: usize) -> &[u32] {
    order.chunks(size).find(|group| group.contains(&seat)).unwrap_or(&[])
}
