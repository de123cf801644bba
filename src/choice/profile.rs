//! What was cast in one vote, before any rule is applied.

/// What was cast in one vote. Together at most `u32::MAX` ballots, one a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Valid ballots for each option: in the scenario's order, and then by amount, see [`counted`](super::counted).
    pub counts: Vec<u32>,
    /// Valid ballots, each once.
    pub valid: u32,
    /// Ballots that stayed invalid.
    pub invalid: u32,
}

impl Profile {
    /// Seats that were asked: valid and invalid ballots.
    pub fn members(&self) -> u32 {
        self.valid + self.invalid
    }
}
