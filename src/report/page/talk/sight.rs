//! What a seat had before it at one answer: which records it was shown, which it was not and why, and the call.

use std::collections::BTreeMap;

use super::call::CallShown;
use super::markup::Markup;
use super::turn::Numbers;
use crate::domain::{Extent, Seq};
use crate::session::{OmissionReason, SeatSight};

/// What a seat had before it at one answer.
pub(super) struct Before<'t> {
    pub(super) session: &'t str,
    pub(super) seat: &'t str,
    /// The record of the answer.
    pub(super) seq: Seq,
    pub(super) sight: Option<&'t SeatSight>,
    pub(super) call: Option<&'t CallShown>,
    /// Whether the prompt is on the page.
    pub(super) is_prompt_here: bool,
    /// Whether the numbers of records lead to them.
    pub(super) numbers: Numbers,
}

impl Before<'_> {
    /// Writes it, folded away.
    pub(super) fn put(&self, out: &mut Markup) {
        if self.sight.is_none() && self.call.is_none() {
            return;
        }
        // Prompts and replies are found by the number of a record, which is another one in another session.
        match self.numbers {
            Numbers::Linked => out.own("<details class=\"sight\" data-of=\"").number(self.seq.0).own("\">"),
            Numbers::Plain => out.own("<details class=\"sight\">"),
        };
        out.own("<summary>What ").isolated(self.seat);
        out.own(match self.numbers {
            Numbers::Linked => " was shown</summary>\n",
            Numbers::Plain => {
                " was shown in the parent</summary>\n<p class=\"soft\">The numbers are of the parent’s records.</p>\n"
            }
        });
        if let Some(sight) = self.sight {
            self.shown(out, sight);
        }
        if let Some(call) = self.call {
            out.own("<p class=\"call\">").isolated(&call.words()).own("</p>\n");
            if !self.is_prompt_here {
                let seat = self.seat.replace('\'', "'\\''");
                let command = format!("ekklesia context {} --seat '{seat}' --at {}", self.session, self.seq.0);
                out.own("<p>The prompt is left out of this page for its size. <code class=\"text\" dir=\"auto\">");
                out.text(&command).own("</code> prints it.</p>\n");
            }
        }
        out.own("</details>\n");
    }
}

impl Before<'_> {
    fn shown(&self, out: &mut Markup, sight: &SeatSight) {
        match sight.shown.as_slice() {
            [] => out.own("<p>No record was shown.</p>\n"),
            records => {
                out.own("<p class=\"was-shown\">Shown, by record: ");
                self.put_numbers(out, records);
                out.own(".</p>\n")
            }
        };
        match sight.standing {
            Some(Extent::Whole) => out.own("<p>It was also told where the talk stands.</p>\n"),
            Some(Extent::Short) => {
                out.own("<p>It was told decisions and open proposals in the place of its memory.</p>\n")
            }
            None => out,
        };
        if !sight.cut.is_empty() {
            out.own("<p>Cut to the length that memories keep: ");
            self.put_numbers(out, &sight.cut);
            out.own(".</p>\n");
        }
        if !sight.replaced.is_empty() {
            out.own("<p class=\"was-replaced\">Before: ");
            self.put_numbers(out, &sight.replaced);
            out.own(". The text above takes the place of these.</p>\n");
        }
        self.omitted(out, sight);
    }

    fn omitted(&self, out: &mut Markup, sight: &SeatSight) {
        let mut by_reason: BTreeMap<&'static str, BTreeMap<Option<Seq>, Vec<Seq>>> = BTreeMap::new();
        for omitted in &sight.omitted {
            let (words, by) = because(omitted.why);
            by_reason.entry(words).or_default().entry(by).or_default().push(omitted.seq);
        }
        if by_reason.is_empty() {
            out.own("<p>Nothing that it had witnessed was left out.</p>\n");
            return;
        }
        out.own("<p>Witnessed or answered before, and not shown:</p>\n<ul>");
        for (words, by_record) in by_reason {
            out.own("<li>").own(words).own(": ").own(self.refs());
            for (place, (by, records)) in by_record.iter().enumerate() {
                out.own(if place > 0 { "; " } else { "" });
                if let Some(by) = by {
                    out.own("by ").number(by.0).own(": ");
                }
                listed(out, records);
            }
            out.own("</span></li>");
        }
        out.own("</ul>\n");
    }

    /// The numbers of records; the page's script makes links of them.
    fn put_numbers(&self, out: &mut Markup, records: &[Seq]) {
        out.own(self.refs());
        listed(out, records);
        out.own("</span>");
    }

    /// What begins numbers of records: the page's script makes links of those of this session.
    fn refs(&self) -> &'static str {
        match self.numbers {
            Numbers::Linked => "<span class=\"refs\">",
            Numbers::Plain => "<span>",
        }
    }
}

fn listed(out: &mut Markup, records: &[Seq]) {
    for (place, seq) in records.iter().enumerate() {
        if place > 0 {
            out.own(" ");
        }
        out.number(seq.0);
    }
}

/// Why something was not shown, and the record that this names.
fn because(why: OmissionReason) -> (&'static str, Option<Seq>) {
    match why {
        OmissionReason::Policy => ("kept by no memory of this policy", None),
        OmissionReason::Routing => ("skipped by memory.routing", None),
        OmissionReason::ShortBrief => ("left out of a short brief", None),
        OmissionReason::Window => ("older than the memory's window", None),
        OmissionReason::HistoryLimit => ("dropped by the public history's limit", None),
        OmissionReason::MemoryLimit => ("dropped by the memory's limit, or to show less to its model", None),
        OmissionReason::Replaced(by) => ("replaced when it rewrote its memory", Some(by)),
        OmissionReason::Stays => ("not rewritten now: it stays as it is", None),
        OmissionReason::Forgotten(by) => ("forgotten, as an intervention made it", Some(by)),
        OmissionReason::Lent => ("another group's words stand in their place", None),
        OmissionReason::Unremembered => ("its own answers that no memory keeps", None),
    }
}
