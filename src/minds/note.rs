//! Rewrites the memory and takes the notes of simulated seats, by rule and without a model.
//!
//! Nothing is summarised: lines are kept, and the oldest are dropped first.

use crate::domain::{Answer, Brief, EntryKind, Language, Motion, NoteTaken, OwnEntry, Query, Remark, Reply};
use crate::memory::notice::unlabelled_entry;
use crate::minds::reply;
use crate::text;

/// The text of an empty note.
fn empty_note(language: Language) -> &'static str {
    language.pick(["Nothing to note.", "Nada que anotar.", "没有要记的。"])
}

/// Notes for the next meeting: the stance that the seat declared last, else the ballot that it cast last, and the last
/// announcement, as far as its brief holds them.
pub(super) fn take_notes(motion: &Motion, query: &Query<'_>) -> Answer {
    let brief = &query.brief;
    let mut own = brief.remarks.iter().rev().filter(|remark| remark.speaker == Some(query.seat));
    let recalled = || brief.heard.recalled.iter().rev().find(|other| other.is_own).filter(|_| brief.standing.is_some());
    let stance = own.find_map(|remark| remark.stance).or_else(|| recalled().map(|own| own.stance));
    let ballot = || brief.own.iter().chain(brief.pinned).rev().find(|entry| entry.kind == EntryKind::OwnBallot);
    let position = match stance {
        Some(choice) => Some(match motion.language {
            Language::En => format!("I favoured {}.", motion.told(choice)),
            Language::Es => format!("Preferí {}.", motion.told(choice)),
            Language::Zh => format!("我倾向于{}。", motion.told(choice)),
        }),
        None => ballot().map(|entry| entry.text.clone()),
    };
    let result =
        brief.remarks.iter().rev().find(|remark| remark.speaker.is_none()).map(|remark| remark.text.to_string());
    let lines: Vec<String> = position.into_iter().chain(result).collect();
    let append = (!lines.is_empty()).then(|| lines.join(" ").into());
    reply::answer_with(motion, Reply::Notes(NoteTaken { append, replace: None }), query.state.clone())
}

/// Rewrites a simulated seat's memory, whatever its mind: the newest lines stay, and so does the mind's state.
///
/// # Panics
/// If the question does not ask for a rewrite.
pub fn rewrite_memory(motion: &Motion, query: &Query<'_>) -> Answer {
    let chars_max = query.ask.chars_max().expect("invariant: a memory that is rewritten has a greatest length");
    let left = (chars_max, query.ask.words_max().map_or(u64::MAX, u64::from));
    let text = compose_note(motion.language, query, left);
    reply::answer_with(motion, Reply::Note(text.into()), query.state.clone())
}

/// The lines of a note, newest last: as many of the last ones as fit. They come from the earlier memory, from the seat's own entries,
/// all of which the note replaces, and from the statements heard, or only the new ones if the question asks for news. `left` is the
/// room in characters and words.
fn compose_note(language: Language, query: &Query<'_>, left: (u64, u64)) -> String {
    let mut note = Note { lines: Vec::new(), left };
    // Both lists are walked from their ends, so that the work depends on the note's length and not on the talk's.
    let mut own = query.brief.own.iter().rev().peekable();
    // An integration leaves announcements in their place.
    let news_from = query.ask.news_from();
    let is_written = |remark: &&Remark| remark.speaker.is_some() || news_from.is_none();
    let said = query.brief.remarks.iter().rev().take_while(|remark| Some(remark.seq) >= news_from).filter(is_written);
    let mut said = said.peekable();
    loop {
        let goes_on = match (own.peek(), said.peek()) {
            (None, None) => break,
            (Some(entry), remark) if remark.is_none_or(|remark| remark.seq < entry.seq) => {
                own.next().is_some_and(|entry| note.prepend_lines("", entry_words(entry)))
            }
            _ => said
                .next()
                .is_some_and(|remark| note.prepend_lines(&statement_number(remark), words_shown(remark, &query.brief))),
        };
        if !goes_on {
            return note.into_text(language);
        }
    }
    for entry in query.brief.summaries.iter().rev() {
        if !note.prepend_lines("", entry_words(entry)) {
            break;
        }
    }
    note.into_text(language)
}

/// The words of a statement that its listener sees, without the truncation marker.
fn words_shown<'r>(remark: &'r Remark, brief: &Brief<'_>) -> &'r str {
    if brief.shows_in_full(remark) { &remark.text } else { &remark.text[..remark.kept_bytes as usize] }
}

/// The words of an entry. A rewritten memory loses its label, because the new note gets one.
fn entry_words(entry: &OwnEntry) -> &str {
    if entry.kind == EntryKind::Rewritten { unlabelled_entry(entry) } else { &entry.text }
}

/// A note that is written from its end.
struct Note {
    /// Last line first.
    lines: Vec<String>,
    /// How many characters and words still fit.
    left: (u64, u64),
}

impl Note {
    /// Puts the lines of a text before all others; `number` precedes its first line. Returns whether all lines fitted. If not
    /// even the note's last line fits, it is truncated.
    fn prepend_lines(&mut self, number: &str, text: &str) -> bool {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        for (place, line) in lines.into_iter().enumerate().rev() {
            let mut line = format!("{}{line}", if place == 0 { number } else { "" });
            // Every line but the last ends in a line feed.
            let length = text::char_count(&line) + u64::from(!self.lines.is_empty());
            // A text has at most as many words as characters.
            let words = if self.left.1 < self.left.0 { text::word_count(&line) } else { 0 };
            if length <= self.left.0 && words <= self.left.1 {
                self.left = (self.left.0 - length, self.left.1 - words);
                self.lines.push(line);
                continue;
            }
            if self.lines.is_empty() {
                text::truncate_text(&line, u32::try_from(self.left.0).unwrap_or(u32::MAX)).apply(&mut line);
                self.lines.push(line);
            }
            return false;
        }
        true
    }

    fn into_text(mut self, language: Language) -> String {
        self.lines.reverse();
        let text = self.lines.join("\n");
        if text.trim().is_empty() { empty_note(language).to_owned() } else { text }
    }
}

/// The number by which others refer to a statement; empty for announcements.
fn statement_number(remark: &Remark) -> String {
    if remark.turn > 0 { format!("#{}.{} ", remark.round, remark.turn) } else { String::new() }
}

#[cfg(test)]
mod tests;
