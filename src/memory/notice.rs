//! What announcements and a seat's own entries say, in one line each. They state what happened and never paraphrase anyone.

use crate::domain::{Certainty, EntryKind, NamedChoice, OwnEntry, Voice};

/// What everyone is told: a human's words carry their mark; the facilitator's get theirs where remarks are written.
pub fn told(text: &str, by: Voice) -> String {
    match by {
        Voice::Facilitator => text.to_owned(),
        Voice::Human => format!("{HUMAN} {text}"),
    }
}

/// What one seat is told alone, with the mark of who says so.
pub fn told_alone(text: &str, by: Voice) -> String {
    match by {
        Voice::Facilitator => format!("{FACILITATOR} {text}"),
        Voice::Human => format!("{HUMAN} {text}"),
    }
}

/// A statement that was marked, as its seats read it.
pub fn marked(line: &str, by: Voice) -> String {
    let voice = if by == Voice::Human { HUMAN } else { FACILITATOR };
    format!("{voice} {line}")
}

/// The mark of the facilitator's words.
const FACILITATOR: &str = "[FACILITATOR]";

/// The mark of a human's words.
pub const HUMAN: &str = "[HUMAN]";

/// The mark of what a seat wrote when it rewrote its memory.
pub const MEMORY: &str = "[MEMORY] ";

/// What stands before what a seat thought for itself.
pub const THOUGHT: &str = "You thought: ";

/// What stands before the words that a seat wrote itself, so that it reads them as nobody else's; empty where an entry has none.
pub(super) fn label(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Rewritten => MEMORY,
        EntryKind::OwnReasoning => THOUGHT,
        _ => "",
    }
}

/// An entry's words without what stands before those that the seat wrote itself.
pub fn unlabelled(entry: &OwnEntry) -> &str {
    entry.text.strip_prefix(label(entry.kind)).unwrap_or(&entry.text)
}

/// How the mark of an exhibit begins.
pub const EXHIBIT: &str = "[EXHIBIT ";

/// An exhibit as seats read it, with a mark at its beginning and at its end.
pub fn exhibit(name: &str, text: &str) -> String {
    format!("{EXHIBIT}{name}]\n{text}\n[END OF EXHIBIT {name}]")
}

/// A page of an exhibit as seats read it.
pub fn page(name: &str, text: &str) -> String {
    format!("[PAGE {name}]\n{text}\n[END OF PAGE {name}]")
}

/// What is shown of an exhibit that is too long to be shown whole.
pub fn exhibit_outline(name: &str, (words, pages): (u64, usize), first: &str, last: &str) -> String {
    let end = if last.is_empty() { String::new() } else { format!("\nIt ends:\n{last}") };
    let called =
        if pages == 1 { format!("page \"{name} 1\"") } else { format!("pages \"{name} 1\" to \"{name} {pages}\"") };
    format!(
        "It has {words} words and is too long to be shown whole: {pages} pages. It begins:\n{first}{end}\nThe whole is in the {called}."
    )
}

/// A seat's notes, when it meets the others again: for the second time in meeting 2.
pub fn notes(meeting: u32, text: &str) -> String {
    format!("Your notes from when you met before (this is meeting {meeting}):\n{text}")
}

/// A seat's own ranking, the best first.
pub fn ranking_line(order: &[&str], certainty: Certainty) -> String {
    format!("You ranked: {} (certainty: {}).", order.join(" > "), certainty.as_str())
}

/// A seat's own choice in a practice round.
pub fn application_line(situation: &str, choice: &NamedChoice, certainty: Certainty) -> String {
    format!("In practice situation {situation} you chose: {choice} (certainty: {}).", certainty.as_str())
}

/// A vote was called.
pub fn call_line(public_name: &str) -> String {
    format!("{public_name} calls for a vote now.")
}

/// A seat agreed to vote.
pub fn agreed_line(public_name: &str) -> String {
    format!("{public_name} agrees to vote now.")
}

/// A seat did not agree to vote.
pub fn declined_line(public_name: &str) -> String {
    format!("{public_name} does not agree to vote now.")
}

/// A decision was imposed.
pub fn imposed_line(choice: &NamedChoice) -> String {
    format!("The decision is given to the group: {choice}.")
}
