//! Checks marked statements: seats for which one was marked are shown it as they heard it, until they are made to forget it.

use super::{Leak, Visibility, leak};
use crate::domain::{EntryKind, Query};
use crate::memory::{guidance, notice};
use crate::session::witnessed::MarkAccount;

impl Visibility {
    /// Whether the pinned remark at this position on the floor is shown.
    pub(super) fn shows_pinned(&self, query: &Query<'_>, place: usize) -> bool {
        let number = self.account.heard.group_of(query.seat.index()).places[2].binary_search(&(place as u32));
        number.is_ok_and(|number| number < query.shown.pinned_remarks as usize)
    }

    /// Checks the marked statements shown.
    ///
    /// # Errors
    /// [`Leak`] if one was not marked for the seat, was to be forgotten, or was not said so.
    pub(super) fn check_marked(&self, query: &Query<'_>) -> Result<(), Leak> {
        let seat = query.seat.index();
        for entry in query.brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked) {
            let Some(mark) = self.account.marks.kept[seat].get(&entry.seq) else {
                let was_marked = self.account.marks.forgotten[seat].contains(&entry.seq);
                return leak(
                    query,
                    entry.seq,
                    if was_marked { "which it was to forget" } else { "which is not its own" },
                );
            };
            if self.quote_statement(query, mark).as_ref() != Some(&entry.text) {
                return leak(query, entry.seq, "which was not said so");
            }
        }
        Ok(())
    }

    /// A marked statement as a seat reads it; `None` if the seat has not heard it so.
    fn quote_statement(&self, query: &Query<'_>, mark: &MarkAccount) -> Option<String> {
        let floor = &self.account.heard.group_of(query.seat.index()).floor;
        let place = floor.binary_search_by_key(&mark.of, |said| said.seq).ok()?;
        let (said, remark) = (&floor[place], query.brief.remarks.floor.get(place)?);
        let speaker = said.speaker.filter(|speaker| remark.speaker.is_some_and(|seat| seat.index() == *speaker))?;
        let is_so = said.text == blake3::hash(remark.text.as_bytes())
            && (said.stance, said.opinion) == (remark.stance, remark.opinion);
        let (name, motion) = (&self.account.public_names[speaker], &self.account.reading.plan.motion);
        let style = self.account.memory.guidance_style;
        let line = is_so.then(|| guidance::remark_line((remark, &guidance::kept_text(remark)), name, style, motion));
        line.map(|line| notice::marked_line(&line, mark.by, motion.language))
    }
}
