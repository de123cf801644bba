//! Influence: the share of other seats' changes of stance that went to the seat's own stance.
//!
//! A change takes constant time. A seat's credit follows from counters of all changes, read when it takes and when it leaves a
//! stance.

/// Counters of changes of stance since the session began.
#[derive(Debug, Default)]
pub(super) struct Influence {
    /// Changes to each alternative.
    to: Vec<u64>,
    all: u64,
}

/// The credit of one seat.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Credit {
    /// Other seats' changes to its stance, and all their changes, up to its latest change.
    earned: [u64; 2],
    /// The counters when it took its current stance.
    since: [u64; 2],
}

impl Influence {
    pub fn for_alternatives(alternatives: usize) -> Self {
        Self { to: vec![0; alternatives], all: 0 }
    }

    /// Counts a declared stance; `before` is the seat's previous one.
    pub fn count_stance(&mut self, credit: &mut Credit, now: usize, before: Option<usize>) {
        if before == Some(now) {
            return;
        }
        if let Some(before) = before {
            credit.earned = self.earned_changes(credit, before);
            self.to[now] += 1;
            self.all += 1;
        }
        credit.since = [self.to[now], self.all];
    }

    /// Other seats' changes to the stance that the seat held at the time, and all their changes while it held a stance.
    pub fn earned_changes(&self, credit: &Credit, stance: usize) -> [u64; 2] {
        let now = [self.to[stance], self.all];
        [0, 1].map(|which| credit.earned[which] + now[which] - credit.since[which])
    }
}
