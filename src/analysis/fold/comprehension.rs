//! Folds comprehension tests: right answers, and seats that failing excludes.

use crate::analysis::facts::OnFailing;
use crate::analysis::fold::state::SessionFold;

/// The outcome of a try of a test. A try without a valid answer is failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestEnd {
    Passed,
    Failed,
}

impl SessionFold {
    /// Folds a try of a test. The last try counts, so a seat that failed may still pass.
    pub(super) fn fold_test(&mut self, seat: usize, correct: Option<u32>, end: TestEnd) {
        let Some(part) = &self.part else { return };
        let on_failing = self.facts.arm.phases[part.place].on_failing;
        let state = &mut self.seats[seat];
        state.test_correct = correct;
        state.is_excluded = end == TestEnd::Failed && on_failing == OnFailing::IsExcluded;
    }
}
