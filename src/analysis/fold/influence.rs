//! Influence within the fold of a session: how many of the others' changes of stance went where a seat stood.
//!
//! A change costs the same however many seats there are: what a seat is credited with follows from counters of all changes,
//! read when it takes its stance and when it gives it up.

/// Changes of stance, counted since the session began.
#[derive(Debug, Default)]
pub(super) struct Influence {
    /// Changes to each alternative.
    to: Vec<u64>,
    all: u64,
}

/// What one seat is credited with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Credit {
    /// Others' changes to its stance, and all of them, up to its latest change.
    earned: [u64; 2],
    /// The counters when it took the stance that it holds.
    since: [u64; 2],
}

impl Influence {
    /// Nothing changed yet over this many alternatives.
    pub fn for_alternatives(alternatives: usize) -> Self {
        Self { to: vec![0; alternatives], all: 0 }
    }

    /// A seat declares a stance, after this one.
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

    /// Others' changes to the stance that a seat held at the time, and all their changes while it held one.
    pub fn earned_changes(&self, credit: &Credit, stance: usize) -> [u64; 2] {
        let now = [self.to[stance], self.all];
        [0, 1].map(|which| credit.earned[which] + now[which] - credit.since[which])
    }
}
