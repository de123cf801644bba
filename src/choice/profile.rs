//! What was cast in one vote, before any rule is applied.

/// What was cast in one vote. Together at most `u32::MAX` ballots, one a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Valid ballots per alternative, in the scenario's order.
    pub counts: Vec<u32>,
    /// Ballots that stayed invalid.
    pub invalid: u32,
}

impl Profile {
    /// Valid ballots, of all alternatives together.
    pub fn valid(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Seats that were asked: valid and invalid ballots.
    pub fn members(&self) -> u32 {
        self.valid() + self.invalid
    }
}
