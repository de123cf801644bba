//! Checks the summary of the talk and the proposals: both are rebuilt from the statements that the seat heard and was not made to
//! forget.

use super::{Leak, Visibility, leak};
use crate::domain::{ProposalStatus, Query, Ranges, Seq, Step};
use crate::memory::HistoryInBrief;

impl Visibility {
    /// Checks the summary of the talk, and the proposals that a mind knows.
    pub(super) fn check_talk(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let told = query.brief.standing.as_ref();
        if told.map(|told| told.extent) != query.shown.standing {
            return leak(query, Seq(0), "and its record would not say all that is shown");
        }
        let at = (query.id.at.phase.clone(), query.id.at.round);
        let breath = (query.id.at.step == Step::Statement).then_some(&at);
        let newest = self.account.heard.group_of(query.seat.index()).floor.last().map_or(Seq(0), |said| said.seq);
        let is_history = told.is_none() && self.account.memory.history == HistoryInBrief::Full;
        let shown = query.brief.heard.proposal.map(|proposal| (proposal.seq, self.is_shown(query, proposal.seq)));
        // The public history forgets nothing.
        let nothing = Ranges::default();
        let forgotten = if is_history { &nothing } else { &self.account.to_forget[query.seat.index()].floor };
        let Some(talk) = &mut self.account.heard.group_of_mut(query.seat.index()).talk else {
            let heard = &query.brief.heard;
            let is_silent = told.is_none() && heard.own_proposal.is_none() && heard.backed.is_none();
            return match (is_silent, shown) {
                (false, _) => leak(query, newest, "and is told that the talk stands otherwise"),
                (true, Some((seq, false))) => leak(query, seq, "a proposal that it is not shown"),
                (true, _) => Ok(()),
            };
        };
        talk.hear_pending(breath);
        let talk = talk.without_forgotten(forgotten);
        let stands = match (told, &talk.standing) {
            (Some(told), Some(standing)) => standing.words(told.extent) == told.words,
            (told, _) => told.is_none(),
        };
        let heard = &query.brief.heard;
        let of_its_own = (talk.proposals.newest_own(query.seat), talk.proposals.last_backed(query.seat));
        if !stands || of_its_own != (heard.own_proposal, heard.backed) {
            return leak(query, newest, "and is told that the talk stands otherwise");
        }
        let Some((seq, is_shown)) = shown else { return Ok(()) };
        let may_answer = talk.proposals.find_proposal(seq).is_some_and(|of| {
            of.stated.seat != query.seat && of.status == ProposalStatus::Active && !of.has_reacted(query.seat)
        });
        match may_answer && (is_shown || told.is_some()) {
            true => Ok(()),
            false => leak(query, seq, "a proposal that it is not shown"),
        }
    }
}
