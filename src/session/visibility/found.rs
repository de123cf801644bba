//! Checks what a seat is shown beside its memory: recalled statements, statements that it looked up, and pages that it asked for.

use super::{Leak, Visibility, leak};
use crate::domain::{Found, PageShown, Query, Seq};
use crate::session::witnessed::SeatInquiry;

impl Visibility {
    /// Checks what is shown beside the memory. The cost does not grow with the session's length.
    pub(super) fn check_found(&self, query: &Query<'_>) -> Result<(), Leak> {
        let (brief, shown) = (&query.brief, &query.shown);
        let asked = self.account.asked[query.seat.index()].as_ref().filter(|asked| asked.at == query.id.at);
        let found = brief.found.as_ref();
        let told = found.map_or((&[][..], None), |found| (found.remarks, found.page));
        if shown.recalled != brief.recalled
            || shown.found != told.0
            || shown.page.is_some() != told.1.is_some()
            || (shown.inquired, found.map(|found| found.inquiry))
                != (asked.is_some(), asked.map(|asked| &asked.inquiry))
        {
            return leak(query, Seq(0), "and its record would not say all that is shown");
        }
        let is_older = |place: &u32| *place < shown.floor.start;
        if !brief.recalled.is_sorted_by(|one, other| one < other) || !brief.recalled.iter().all(is_older) {
            return leak(query, Seq(0), "and would be shown it twice");
        }
        for place in brief.recalled.iter().chain(told.0) {
            self.check_statement(query, *place as usize)?;
        }
        if let (Some(asked), Some(found)) = (asked, found) {
            let floor = &self.account.heard.group_of(query.seat.index()).floor;
            let seqs = told.0.iter().filter_map(|place| Some(floor.get(*place as usize)?.seq));
            if !told.0.is_empty() && !seqs.eq(asked.found.iter().copied()) {
                return leak(query, asked.found.first().copied().unwrap_or(Seq(0)), "which is not what was found");
            }
            return self.check_page(query, asked, found);
        }
        Ok(())
    }

    /// Checks that a statement was heard, is not forgotten, and has its own words.
    fn check_statement(&self, query: &Query<'_>, place: usize) -> Result<(), Leak> {
        let Some(remark) = query.brief.remarks.floor.get(place) else {
            return leak(query, Seq(0), "which was not said so");
        };
        if !self.has_been_heard(query, place) {
            return leak(query, remark.seq, "which it has not heard yet");
        }
        if self.is_to_forget(query.seat.index(), place) {
            return leak(query, remark.seq, "which it was to forget");
        }
        match remark.speaker.is_some()
            && self.account.heard.group_of(query.seat.index()).floor[place].matches_remark(remark)
        {
            true => Ok(()),
            false => leak(query, remark.seq, "which was not said so"),
        }
    }

    /// Checks that a page belongs to an exhibit that was handed to the seat, and has its own words.
    fn check_page(&self, query: &Query<'_>, asked: &SeatInquiry, found: &Found<'_>) -> Result<(), Leak> {
        let (Some(PageShown { exhibit, page }), Some(words)) = (&query.shown.page, found.page) else { return Ok(()) };
        let Some((seq, handed)) = self.account.exhibits.handed_exhibit(exhibit) else {
            return leak(query, Seq(0), "a page of what was not handed out");
        };
        if !handed.is_shown_to(&query.id.seat) {
            return leak(query, seq, "which is not its own");
        }
        match asked.found == [seq] && handed.exhibit.page(*page) == Some(words) {
            true => Ok(()),
            false => leak(query, seq, "which is not what was found"),
        }
    }
}
