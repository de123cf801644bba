//! What seats are told before the first phase, and the words in which they are told something.

use super::{DealtCase, HandOut, Plan};
use crate::domain::{Briefing, Matter};
use crate::memory::notice;

impl Plan {
    /// What seats are told before names are chosen, exhibits first, and what they are told after that.
    pub fn first_briefings(&self, dealt: &DealtCase) -> [Vec<Briefing>; 2] {
        let exhibit = |HandOut { exhibit, digest, to, .. }: &HandOut| {
            let (name, digest, pages) = (exhibit.name().to_owned(), digest.clone(), exhibit.page_count());
            Briefing { what: Matter::Exhibit { name, digest, pages }, ..Briefing::new(String::new(), to.clone()) }
        };
        let (notes, from) = self.notes_to_bring();
        let notes = notes.iter().map(|own| {
            let what = Matter::Notes { from: from.cloned() };
            Briefing { what, ..Briefing::new(own.lines.join("\n"), vec![own.seat.clone()]) }
        });
        [self.exhibits.iter().map(exhibit).chain(dealt.hands.iter().cloned()).collect(), notes.collect()]
    }

    /// The words in which everyone, or a seat alone, is told something; `None` of notes, of which only the newest are shown, and of
    /// an exhibit that the plan does not have.
    pub fn briefing_text(&self, briefing: &Briefing) -> Option<String> {
        let Briefing { what, text, to, by } = briefing;
        match what {
            Matter::Exhibit { name, .. } => {
                let handed = self.exhibits.iter().find(|handed| handed.exhibit.name() == name)?;
                Some(handed.exhibit.shown_text().to_owned())
            }
            Matter::Notes { .. } => None,
            Matter::Decision { .. } => Some(text.clone()),
            _ if to.is_empty() => Some(notice::instruction_text(text, *by, self.motion.language)),
            _ => Some(notice::marked_line(text, *by, self.motion.language)),
        }
    }
}
