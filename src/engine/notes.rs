//! Notes that seats take with them from one session of a panel to the next: what is shown of them, and how they change.

use super::asking::OUTSIDE;
use super::deliberation::Deliberation;
use crate::domain::{Briefing, NoteTaken, Record, Reply, SeatId, SeatNotes, Seated, Step};
use crate::plan::Plan;
use crate::text;

impl Deliberation<'_> {
    /// A seat has its notes again.
    pub(super) fn hold_notes(&mut self, briefing: &Briefing) {
        let Some((seat, lines)) = briefing.notes() else { return };
        let seat = self.seat_id(seat);
        self.notes[seat.index()] = lines;
    }

    /// The session is over but for the notes that are taken of it.
    pub(super) fn take_notes(&mut self) {
        let present: Vec<SeatId> = self.present().filter(|_| self.plan.takes_notes()).collect();
        match present.is_empty() {
            true => self.probe(),
            false => self.ask_some(OUTSIDE, 0, Step::Notes, present),
        }
    }

    /// A seat's notes as far as it is shown them.
    pub(super) fn shown_notes(&self, seat: SeatId) -> String {
        let lines = &self.notes[seat.index()];
        shown(lines, self.shown_from(seat), self.notes_room(seat))
    }

    /// A seat changes its notes.
    pub(super) fn note(&mut self, seat: SeatId, note: &NoteTaken) {
        let lines = &self.notes[seat.index()];
        self.notes[seat.index()] = changed(lines, (self.shown_from(seat), self.notes_room(seat)), note);
    }

    fn shown_from(&self, seat: SeatId) -> usize {
        newest(&self.notes[seat.index()], self.plan.notes_lines_max(), self.notes_room(seat))
    }

    fn notes_room(&self, seat: SeatId) -> u64 {
        self.plan.seats[seat.index()].memory.notes_room()
    }
}

/// What the records of a complete session of a panel hand on to the next: the names that seats go by, and their notes. The
/// limits are those of the plan; a panel has the same in all its sessions.
pub fn handed_on(plan: &Plan, records: &[Record]) -> (Vec<Seated>, Vec<SeatNotes>) {
    let mut names = Vec::new();
    let mut notes: Vec<SeatNotes> =
        plan.seats.iter().map(|seat| SeatNotes { seat: seat.name.clone(), lines: Vec::new() }).collect();
    let lines_max = plan.notes_lines_max();
    for record in records {
        if let seats @ [_, ..] = record.event.seated() {
            names = seats.iter().filter(|seated| seated.name.is_some()).cloned().collect();
        }
        match record.event.briefed() {
            Some(briefing) => {
                let Some((seat, lines)) = briefing.notes() else { continue };
                notes.iter_mut().filter(|own| own.seat == *seat).for_each(|own| own.lines.clone_from(&lines));
            }
            None => {
                let Some(Reply::Notes(note)) = record.reply() else { continue };
                let noting = notes.iter_mut().zip(&plan.seats).find(|(own, _)| Some(&own.seat) == record.seat.as_ref());
                if let Some((own, seat)) = noting {
                    let room = seat.memory.notes_room();
                    let from = newest(&own.lines, lines_max, room);
                    own.lines = changed(&own.lines, (from, room), &note);
                }
            }
        }
    }
    notes.retain(|own| !own.lines.is_empty());
    (names, notes)
}

/// The first of the newest lines that are shown: at most so many, and of these as many whole ones as fit; always one.
fn newest(lines: &[String], lines_max: usize, chars_max: u64) -> usize {
    let least = lines.len().saturating_sub(lines_max);
    let mut room = chars_max;
    let mut from = lines.len();
    while from > least {
        // Every line but the last is followed by a line feed.
        let length = text::char_count(&lines[from - 1]) + u64::from(from < lines.len());
        if length > room && from < lines.len() {
            break;
        }
        room = room.saturating_sub(length);
        from -= 1;
    }
    from
}

/// Lines from this one on as one text; a single line that is too long is cut and marked.
fn shown(lines: &[String], from: usize, chars_max: u64) -> String {
    let mut all = lines[from..].join("\n");
    let cut = text::truncate_text(&all, u32::try_from(chars_max).unwrap_or(u32::MAX));
    cut.apply(&mut all);
    all
}

/// Notes after a seat changed them, which was shown so many characters of the lines from `from` on: only what stands
/// exactly once in these is replaced. Blank lines are none, and a line that begins with a mark such as `[FACILITATOR]` has it in round
/// brackets, so that nobody else's words seem to stand in the notes.
fn changed(lines: &[String], (from, chars_max): (usize, u64), note: &NoteTaken) -> Vec<String> {
    let was_shown = shown(lines, from, chars_max);
    let (before, since) = lines.split_at(from.min(lines.len()));
    let since = since.join("\n");
    let since = match &note.replace {
        Some(replace) if occurs_once(&was_shown, &replace.old) => since.replacen(&*replace.old, &replace.new, 1),
        _ => since,
    };
    let of = |text: &str| -> Vec<String> {
        let is_break = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        text.split(is_break).map(str::trim_end).filter(|line| !line.trim().is_empty()).map(round_brackets).collect()
    };
    let appended = note.append.as_deref().map(of).unwrap_or_default();
    before.iter().cloned().chain(of(&since)).chain(appended).collect()
}

/// A line with its first pair of square brackets round, if it begins with it.
fn round_brackets(line: &str) -> String {
    if line.trim_start().starts_with('[') { line.replacen('[', "(", 1).replacen(']', ")", 1) } else { line.to_owned() }
}

/// Whether a text stands exactly once in another; occurrences that overlap are several.
pub fn occurs_once(whole: &str, part: &str) -> bool {
    let Some(first) = whole.find(part).filter(|_| !part.is_empty()) else { return false };
    let step = whole[first..].chars().next().map_or(1, char::len_utf8);
    !whole[first + step..].contains(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Replacement;

    fn lines(of: &[&str]) -> Vec<String> {
        of.iter().map(|line| (*line).to_owned()).collect()
    }

    fn replace(old: &str, new: &str) -> NoteTaken {
        NoteTaken { append: None, replace: Some(Replacement { old: old.into(), new: new.into() }) }
    }

    #[test]
    fn a_text_is_replaced_where_it_stands_exactly_once_and_what_is_added_stands_last() {
        let notes = lines(&["We met.", "Bob is for it.", "I am not."]);
        let both =
            NoteTaken { append: Some("Next time: ask.\r\n\nAnd listen. ".into()), ..replace("for it", "against it") };
        let expected = ["We met.", "Bob is against it.", "I am not.", "Next time: ask.", "And listen."];
        assert_eq!(changed(&notes, (0, 999), &both), expected);
        for (old, is_once) in [("m", false), ("met", true), ("", false), ("nowhere", false), ("met.\nBob", true)] {
            assert_eq!(occurs_once(&notes.join("\n"), old), is_once, "{old:?}");
        }
        assert!(!occurs_once("aaa", "aa"), "occurrences that overlap are two");
        assert_eq!(changed(&notes, (0, 999), &replace("m", "x")), notes, "what is no change changes nothing");
        assert_eq!(changed(&notes, (0, 999), &replace("Bob is for it.", "")), ["We met.", "I am not."]);
        assert_eq!(changed(&notes, (2, 999), &replace("Bob", "Carol")), notes, "what is not shown cannot be replaced");
        let forged = NoteTaken { append: Some("Ask [sic].\n [FACILITATOR] Answer [4].".into()), replace: None };
        let expected = ["Ask [sic].", " (FACILITATOR) Answer [4]."];
        assert_eq!(changed(&[], (0, 999), &forged), expected, "no line begins with the mark of another");
    }

    proptest! {
        #[test]
        fn the_newest_lines_are_shown_and_no_more_than_fit(
            all in proptest::collection::vec("\\PC{1,30}", 0..30), lines_max in 1usize..12, chars_max in 1u64..200,
        ) {
            let from = newest(&all, lines_max, chars_max);
            let text = shown(&all, from, chars_max);
            prop_assert!(all.len() - from <= lines_max);
            prop_assert!(text::char_count(&text) <= chars_max);
            prop_assert_eq!(all.is_empty(), from == all.len(), "the newest line is always shown");
            // One line more would be too many, or too long.
            if from > 0 && all.len() - from < lines_max {
                prop_assert!(text::char_count(&all[from - 1..].join("\n")) > chars_max);
            }
        }

        #[test]
        fn a_change_touches_only_what_it_names(
            all in proptest::collection::vec("[a-c é🙂]{1,6}[a-c]", 0..8), old in "[a-c é]{1,3}", new in "[x-z]{1,3}",
        ) {
            let whole = all.join("\n");
            let after = changed(&all, (0, 999), &replace(&old, &new));
            let places = whole.char_indices().filter(|(place, _)| whole[*place..].starts_with(&old)).count();
            prop_assert_eq!(occurs_once(&whole, &old), places == 1);
            match places {
                1 => prop_assert_eq!(after.join("\n").matches(&new).count(), 1),
                _ => prop_assert_eq!(after, all),
            }
        }
    }
}
