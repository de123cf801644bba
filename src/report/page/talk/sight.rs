//! What a seat was shown before one answer: the records shown, the records left out and why, and the call.

use std::collections::BTreeMap;

use super::markup::Markup;
use super::turn::Turns;
use crate::domain::{Extent, SeatName, Seq};
use crate::session::{OmissionReason, SeatSight};

/// How record numbers appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// As the address of the record on this page, and as a link to it.
    Linked,
    /// As plain text: they refer to another session.
    Plain,
}

impl Turns<'_> {
    /// Writes what a seat was shown before the answer in a record, as a closed `details` element.
    pub(super) fn put_sight(&self, out: &mut Markup, seat: &SeatName, seq: Seq) {
        let (sight, call) = (self.sights.get(&seq).copied(), self.talk.calls.get(&seq));
        if sight.is_none() && call.is_none() {
            return;
        }
        // The script finds prompts and replies by the record number, which is valid only in its own session.
        match self.numbers {
            Numbers::Linked => out.own("<details class=\"sight\" data-of=\"").number(seq.0).own("\">"),
            Numbers::Plain => out.own("<details class=\"sight\">"),
        };
        out.own("<summary>What ").isolated(seat.as_str());
        out.own(match self.numbers {
            Numbers::Linked => " was shown</summary>\n",
            Numbers::Plain => {
                " was shown in the parent</summary>\n<p class=\"soft\">The numbers refer to the parent’s records.</p>\n"
            }
        });
        if let Some(sight) = sight {
            self.put_shown(out, sight);
        }
        if let Some(call) = call {
            out.own("<p class=\"call\">").isolated(&call.words()).own("</p>\n");
            // The prompts of a parent are not on the page.
            if self.numbers == Numbers::Plain || !self.prompts.holds(seq) {
                let seat = seat.as_str().replace('\'', "'\\''");
                let command = format!("ekklesia context {} --seat '{seat}' --at {}", self.talk.name, seq.0);
                out.own("<p>This page leaves out the prompt because of its size. <code class=\"text\" dir=\"auto\">");
                out.text(&command).own("</code> prints it.</p>\n");
            }
        }
        out.own("</details>\n");
    }

    fn put_shown(&self, out: &mut Markup, sight: &SeatSight) {
        match sight.shown.as_slice() {
            [] => out.own("<p>No record was shown.</p>\n"),
            records => {
                out.own("<p class=\"was-shown\">Records shown: ");
                self.put_numbers(out, records);
                out.own(".</p>\n")
            }
        };
        match sight.standing {
            Some(Extent::Whole) => out.own("<p>The state of the discussion was shown, too.</p>\n"),
            Some(Extent::Short) => out.own("<p>Decisions and open proposals were shown instead of the memory.</p>\n"),
            None => out,
        };
        if !sight.cut.is_empty() {
            out.own("<p>Shortened to the length that memories keep: ");
            self.put_numbers(out, &sight.cut);
            out.own(".</p>\n");
        }
        if !sight.replaced.is_empty() {
            out.own("<p class=\"was-replaced\">The text above replaces: ");
            self.put_numbers(out, &sight.replaced);
            out.own(".</p>\n");
        }
        self.put_omitted(out, sight);
    }

    fn put_omitted(&self, out: &mut Markup, sight: &SeatSight) {
        let mut by_reason: BTreeMap<&'static str, BTreeMap<Option<Seq>, Vec<Seq>>> = BTreeMap::new();
        for omitted in &sight.omitted {
            let (words, by) = omission_words(omitted.why);
            by_reason.entry(words).or_default().entry(by).or_default().push(omitted.seq);
        }
        if by_reason.is_empty() {
            out.own("<p>No record that the seat had witnessed was left out.</p>\n");
            return;
        }
        out.own("<p>Witnessed or answered before, but not shown:</p>\n<ul>");
        for (words, by_record) in by_reason {
            out.own("<li>").own(words).own(": ").own(self.refs());
            for (place, (by, records)) in by_record.iter().enumerate() {
                out.own(if place > 0 { "; " } else { "" });
                if let Some(by) = by {
                    out.own("by ").number(by.0).own(": ");
                }
                put_list(out, records);
            }
            out.own("</span></li>");
        }
        out.own("</ul>\n");
    }

    fn put_numbers(&self, out: &mut Markup, records: &[Seq]) {
        out.own(self.refs());
        put_list(out, records);
        out.own("</span>");
    }

    /// The opening tag of a list of record numbers. The page's script turns numbers of this session into links.
    fn refs(&self) -> &'static str {
        match self.numbers {
            Numbers::Linked => "<span class=\"refs\">",
            Numbers::Plain => "<span>",
        }
    }
}

fn put_list(out: &mut Markup, records: &[Seq]) {
    for (place, seq) in records.iter().enumerate() {
        if place > 0 {
            out.own(" ");
        }
        out.number(seq.0);
    }
}

/// The reason for an omission in words, and the record that caused it.
fn omission_words(why: OmissionReason) -> (&'static str, Option<Seq>) {
    match why {
        OmissionReason::Policy => ("not kept by this memory policy", None),
        OmissionReason::Routing => ("skipped by memory.routing", None),
        OmissionReason::ShortBrief => ("left out of a short brief", None),
        OmissionReason::Window => ("older than the memory's window", None),
        OmissionReason::HistoryLimit => ("dropped by the public history's limit", None),
        OmissionReason::MemoryLimit => {
            ("dropped by the memory's limit, or because a prompt was too long for the model", None)
        }
        OmissionReason::Replaced(by) => ("replaced when the seat rewrote its memory", Some(by)),
        OmissionReason::Stays => ("not part of this rewriting of the memory", None),
        OmissionReason::Forgotten(by) => ("forgotten by an intervention", Some(by)),
        OmissionReason::Lent => ("replaced by another group's words", None),
        OmissionReason::Unremembered => ("own answers that no memory keeps", None),
    }
}
