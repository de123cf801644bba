//! What prompts may hold of a seat's own proposals, beside what the courses show, in which nobody proposes anything.

use crate::domain::{Ask, Query};
use crate::memory::guidance::statement_opening;
use crate::text::tokens_at_most;

/// Tokens of a number, with what stands around it and the words.
const AROUND: u64 = 16;

/// The tokens that a question may have more, were each of the seat's statements that it shows an open proposal.
pub(super) fn proposal_surplus(query: &Query<'_>) -> u64 {
    if !matches!(query.ask, Ask::Statement { marks: true, .. }) {
        return 0;
    }
    let own = query.brief.all_remarks().filter(|remark| remark.speaker == Some(query.seat));
    let each = own.map(|remark| AROUND + tokens_at_most(&statement_opening(remark)));
    let most = each.sum::<u64>();
    if most > 0 { most + AROUND } else { 0 }
}
