//! Comprehension tests within the fold of a session: how many answers were right, and whom failing excludes.

use crate::analysis::facts::OnFailing;
use crate::analysis::fold::state::SessionFold;

/// How a try of a test ended; one without a valid answer is failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestEnd {
    Passed,
    Failed,
}

impl SessionFold {
    /// Takes a try of a test. The last one stands: whoever fails the first may still pass the second.
    pub(super) fn fold_test(&mut self, seat: usize, correct: Option<u32>, end: TestEnd) {
        let Some(part) = &self.part else { return };
        let on_failing = self.facts.arm.phases[part.place].on_failing;
        let state = &mut self.seats[seat];
        state.test_correct = correct;
        state.is_excluded = end == TestEnd::Failed && on_failing == OnFailing::IsExcluded;
    }
}
