//! One record as HTML: who, what, who could hear it, the words, and what its seat was shown.

use std::collections::BTreeMap;

use super::markup::Markup;
use super::prompts::PackedPrompts;
use super::sight::Numbers;
use super::source::Talk;
use super::tables;
use crate::domain::{Choice, Record, Reply, Seq};
use crate::figure::PALETTE_SIZE;
use crate::report::told::{RecordAudience, RecordForm, RecordWording};
use crate::session::SeatSight;

/// Longer texts get their own scrolling window.
const LONG_BYTES: usize = 8_000;

/// Writes the records of one session.
pub(super) struct Turns<'t> {
    pub(super) talk: &'t Talk<'t>,
    pub(super) sights: BTreeMap<Seq, &'t SeatSight>,
    seats: BTreeMap<&'t str, u64>,
    pub(super) prompts: &'t PackedPrompts,
    /// Whether record numbers are links.
    pub(super) numbers: Numbers,
}

impl<'t> Turns<'t> {
    pub(super) fn new(talk: &'t Talk<'t>, prompts: &'t PackedPrompts, numbers: Numbers) -> Self {
        let sights = talk.sights.sights.iter().map(|sight| (sight.seq, sight)).collect();
        let seats = talk.seats.iter().copied().zip(0..).collect();
        Self { talk, sights, seats, prompts, numbers }
    }

    /// Writes a phase, a round, the session or its outcome as a heading.
    pub(super) fn heading(&self, out: &mut Markup, record: &Record, told: &RecordWording) {
        let is_round = record.event.is_round_opened();
        out.own(match (told.form, is_round) {
            (_, true) => "<h5 class=\"turn opening\"",
            (RecordForm::Outcome, _) => "<h4 class=\"turn outcome\"",
            _ => "<h4 class=\"turn opening\"",
        });
        self.id(out, record).own(">");
        self.number(out, record).own(" <span class=\"text title\" dir=\"auto\">").text(&told.what).own("</span>");
        for note in &told.notes {
            out.own(" <span class=\"text note\" dir=\"auto\">").text(note).own("</span>");
        }
        out.own(if is_round { "</h5>\n" } else { "</h4>\n" });
    }

    /// Writes any other record.
    pub(super) fn turn(&self, out: &mut Markup, record: &Record, told: &RecordWording) {
        out.own(match told.form {
            RecordForm::Speech => "<div class=\"turn speech",
            RecordForm::Fault => "<div class=\"turn aside fault",
            RecordForm::Closing => "<div class=\"turn closing procedure",
            RecordForm::Aside => "<div class=\"turn aside",
            RecordForm::Procedure | RecordForm::Opening | RecordForm::Outcome => "<div class=\"turn procedure",
        });
        let place = record.seat.as_ref().and_then(|seat| self.seats.get(seat.as_str())).copied();
        if let Some(place) = place {
            out.own(" seat").number(place % PALETTE_SIZE as u64);
        }
        out.own(if told.heard.is_private() { " private\"" } else { "\"" });
        self.id(out, record);
        if let Some(place) = place {
            out.own(" data-seat=\"").number(place).own("\"");
        }
        out.own(">\n");
        self.put_head(out, record, told);
        let by_tables = record.event.paid().filter(|payment| payment.tables.is_some());
        match (record.event.tallied(), by_tables) {
            (Some(report), _) => tables::tally(out, report, &self.talk.plan),
            (None, Some(payment)) => tables::payoffs(out, &payment.payoffs, &self.talk.plan),
            (None, None) => put_lines(out, told),
        }
        if let Some(words) = &told.words {
            out.own(match words.len() {
                0..LONG_BYTES => "<div class=\"words text\" dir=\"auto\">",
                _ => "<div class=\"words text long\" dir=\"auto\" tabindex=\"0\" role=\"group\" aria-label=\"A long text\">",
            });
            out.text(words).own("</div>\n");
        }
        if let Some(seat) = &record.seat {
            self.put_sight(out, seat, record.seq);
        }
        out.own("</div>\n");
    }

    fn put_head(&self, out: &mut Markup, record: &Record, told: &RecordWording) {
        out.own("<p class=\"head\">");
        self.number(out, record);
        if let (Some(who), RecordForm::Speech) = (&told.who, told.form) {
            out.own(" <span class=\"avatar\" aria-hidden=\"true\">").text(&initials(who)).own("</span>");
        }
        if let Some(who) = &told.who {
            out.own(" <strong class=\"text who\" dir=\"auto\">").text(who).own("</strong>");
        }
        if let (RecordForm::Speech, 1..) = (told.form, record.at.turn) {
            out.own(" <span class=\"soft\">#").number(record.at.round).own(".").number(record.at.turn).own("</span>");
        }
        out.own(" ").isolated(&told.what);
        if !matches!(told.heard, RecordAudience::Everyone) && told.form != RecordForm::Closing {
            out.own(" <span class=\"tag\">").text(&told.heard.words()).own("</span>");
        }
        for note in &told.notes {
            out.own(" <span class=\"text note\" dir=\"auto\">").text(note).own("</span>");
        }
        if let Some(Reply::Statement { stance: Some(Choice { alternative: stance, .. }), .. }) = record.reply() {
            let labels = self.talk.labels;
            out.own(" <span class=\"text chip ")
                .attribute(&labels.option_class(stance.as_str()))
                .own("\" dir=\"auto\">");
            out.text(&labels.option(stance.as_str())).own("</span>");
        }
        if self.talk.moves.contains(&record.seq.0) {
            out.own(" <strong class=\"moved\">moved</strong>");
        }
        out.own("</p>\n");
    }

    fn number<'m>(&self, out: &'m mut Markup, record: &Record) -> &'m mut Markup {
        match self.numbers {
            Numbers::Plain => out.own("<span class=\"seq\">").number(record.seq.0).own("</span>"),
            Numbers::Linked => {
                out.own("<a class=\"seq\" href=\"#").address(self.talk.name, record.seq);
                out.own("\">").number(record.seq.0).own("</a>")
            }
        }
    }

    fn id<'m>(&self, out: &'m mut Markup, record: &Record) -> &'m mut Markup {
        match self.numbers {
            Numbers::Plain => out,
            Numbers::Linked => out.own(" id=\"").address(self.talk.name, record.seq).own("\""),
        }
    }
}

/// The initials of the first two words of a name.
fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|word| word.chars().next()).take(2).collect()
}

fn put_lines(out: &mut Markup, told: &RecordWording) {
    if told.lines.is_empty() {
        return;
    }
    out.own("<ul class=\"lines\">");
    for line in &told.lines {
        out.own("<li class=\"text\" dir=\"auto\">").text(line).own("</li>");
    }
    out.own("</ul>\n");
}
