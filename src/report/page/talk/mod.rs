//! The transcript of a session as HTML, by phase and round. Each record has its number as its address and shows what its seat
//! was shown before it answered.
//!
//! Without script, everything but prompts and raw replies is readable.

mod beside;
mod call;
mod markup;
mod prompts;
mod sight;
mod source;
mod tables;
mod turn;

pub use beside::{Beside, beside};
pub use call::{CallShown, TryShown};
use markup::Markup;
use prompts::PackedPrompts;
use sight::Numbers;
pub use source::Talk;
use turn::Turns;

use crate::domain::{Record, order_by_group};
use crate::report::told::{Reader, RecordForm, RecordWording};

/// Renders the transcript as HTML.
pub fn talk(talk: &Talk<'_>) -> String {
    let mut out = Markup::default();
    out.own("<div class=\"talk\" data-name=\"").attribute(talk.name).own("\">\n<h3>Transcript</h3>\n");
    if talk.records.is_empty() {
        out.own("<p>No record can be read.</p>\n</div>\n");
        return out.html();
    }
    put_intro(&mut out, talk);
    let prompts = PackedPrompts::pack(talk);
    let turns = Turns::new(talk, &prompts, Numbers::Linked);
    put_records(&mut out, &turns, talk.records, &mut Reader::of(talk.plan.clone()));
    prompts.put(&mut out);
    out.own("</div>\n");
    out.html()
}

/// Writes everything before the first record.
fn put_intro(out: &mut Markup, talk: &Talk<'_>) {
    put_legend(out, talk);
    put_filters(out, talk);
}

/// Explains the marks and lists the remarks.
fn put_legend(out: &mut Markup, talk: &Talk<'_>) {
    out.own("<p class=\"soft\">The number before each entry is its record number and links to the entry. <span class=\"tag\">private</span> \
             marks what only the seat itself may remember, such as reasoning, rankings, estimates and ballots (a roll call reads the ballots out to all when it counts them). <span class=\"tag\">only recorded</span> marks what no memory keeps, such as polls about alternatives and attempts that did not count. <code>ekklesia context ")
        .isolated(talk.name)
        .own(" --seat NAME --at NUMBER</code> prints everything that a seat was shown before an answer, even if this page leaves it out or scripts are off.</p>\n");
    if let Some(stopped) = &talk.sights.stopped {
        out.own("<p class=\"banner\">What seats were shown is known only up to an inconsistency in the records: ")
            .isolated(&stopped.to_string())
            .own(".</p>\n");
    }
    for note in &talk.notes {
        out.own("<p class=\"banner text\" dir=\"auto\">").text(note).own("</p>\n");
    }
}

/// Writes the filters by seat, phase and kind, and the links to the rounds. The filters need script.
fn put_filters(out: &mut Markup, talk: &Talk<'_>) {
    out.own("<div class=\"only-scripted filters\" role=\"group\" aria-label=\"Filters of the transcript\">\n<label>Seat <select class=\"by-seat\"><option value=\"\">all</option>");
    for (place, seat) in (0u64..).zip(&talk.seats) {
        out.own("<option value=\"").number(place).own("\">").text(seat).own("</option>");
    }
    out.own("</select></label>\n<label>Phase <select class=\"by-phase\"><option value=\"\">all</option>");
    for (place, phase) in list_phases(talk.records) {
        out.own("<option value=\"").number(place).own("\">").text(phase).own("</option>");
    }
    out.own("</select></label>\n<label><input type=\"checkbox\" class=\"with-private\"> private records</label>\n<label><input type=\"checkbox\" class=\"with-procedure\"> procedure</label>\n<span class=\"found\" role=\"status\"></span>\n</div>\n");
    let rounds = talk.records.iter().filter(|record| record.event.opens_talk_round());
    if rounds.clone().count() > 1 {
        out.own("<nav class=\"rounds\" aria-label=\"Rounds\">Round");
        for record in rounds {
            out.own(" <a href=\"#").address(talk.name, record.seq).own("\">").number(record.at.round).own("</a>");
        }
        out.own("</nav>\n");
    }
}

/// The phases in the order in which they open, numbered from 1.
fn list_phases(records: &[Record]) -> impl Iterator<Item = (u64, &str)> {
    let opened = order_by_group(records).into_iter();
    let opened = opened.filter(|record| record.event.is_phase_opened());
    (1..).zip(opened.map(|record| record.at.phase.as_str()))
}

/// Writes the records by phase and round.
fn put_records(out: &mut Markup, turns: &Turns<'_>, records: &[Record], reader: &mut Reader) {
    let (mut phases, mut round) = (0u64, None);
    let first = records.first().map(|record| &record.event);
    let is_sampled = first.and_then(|event| event.convened()).is_some_and(|convened| convened.target.is_some());
    let mut phase = None;
    for record in order_by_group(records) {
        let told = reader.take(record);
        let is_phase = record.event.is_phase_opened() || record.event.is_adjourned();
        if is_phase || phase.is_none() {
            end_phase(out, &mut phase, &mut round);
            phases += u64::from(record.event.is_phase_opened());
            out.own("<section class=\"phase\" data-phase=\"").number(phases).own("\">\n");
            phase = Some(phases);
        }
        if record.at.round == 0 || is_phase {
            end_round(out, &mut round);
        } else if round != Some(record.at.round) {
            end_round(out, &mut round);
            out.own("<section class=\"round\">\n");
            round = Some(record.at.round);
            if told.form != RecordForm::Opening {
                // Repeated votes of a sampled session belong to no round of talk.
                let (head, tail) = if is_sampled { ("Vote ", " of every seat") } else { ("Round ", "") };
                out.own("<h5>").own(head).number(record.at.round).own(tail).own("</h5>\n");
            }
        }
        put_record(out, turns, record, &told);
    }
    end_phase(out, &mut phase, &mut round);
}

fn put_record(out: &mut Markup, turns: &Turns<'_>, record: &Record, told: &RecordWording) {
    match told.form {
        RecordForm::Opening | RecordForm::Outcome => turns.heading(out, record, told),
        RecordForm::Speech | RecordForm::Aside | RecordForm::Procedure | RecordForm::Fault | RecordForm::Closing => {
            turns.turn(out, record, told)
        }
    }
}

fn end_round(out: &mut Markup, round: &mut Option<u32>) {
    if round.take().is_some() {
        out.own("</section>\n");
    }
}

fn end_phase(out: &mut Markup, phase: &mut Option<u64>, round: &mut Option<u32>) {
    end_round(out, round);
    if phase.take().is_some() {
        out.own("</section>\n");
    }
}
