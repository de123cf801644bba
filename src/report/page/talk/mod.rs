//! A session as a script that can be read: by phase and round, each record with its number as its address, and with what its
//! seat had before it.
//!
//! It reads records and what was found of them elsewhere; it asks nobody and opens no file. Without script all of it is there but
//! prompts, which are packed by their lines.

mod beside;
mod call;
mod markup;
mod prompts;
mod sight;
mod tables;
mod turn;

use std::collections::BTreeMap;

pub use beside::{Beside, beside};
pub use call::{CallShown, TryShown};
use markup::Markup;
use prompts::Packed;
use turn::{Numbers, Turns};

use crate::choice::ranked::DefeatStrength;
use crate::domain::{Event, Record, Seq};
use crate::report::told::{Form, Reader, Told};
use crate::session::SeatSights;

/// A session to be told.
#[derive(Debug)]
pub struct Talk<'t> {
    /// Its name, which begins the address of each record.
    pub name: &'t str,
    /// Its records, as far as they can be read.
    pub records: &'t [Record],
    /// The names of the seats, in the plan's order.
    pub seats: Vec<&'t str>,
    /// What each seat had before it.
    pub sights: &'t SeatSights,
    /// The calls that brought answers, by the record of the answer.
    pub calls: &'t BTreeMap<Seq, CallShown>,
    /// How strong a win of one alternative over another is under its rule; `None` where the plan cannot be read.
    pub strength: Option<DefeatStrength>,
    /// What else is to be said of the transcript, a line each.
    pub notes: Vec<String>,
}

/// The transcript as HTML.
pub fn talk(talk: &Talk<'_>) -> String {
    let mut out = Markup::default();
    out.own("<div class=\"talk\" data-name=\"").attribute(talk.name).own("\">\n<h3>What was said, in order</h3>\n");
    if talk.records.is_empty() {
        out.own("<p>There is no record that can be read.</p>\n</div>\n");
        return out.html();
    }
    heads(&mut out, talk);
    let prompts = Packed::of(talk);
    let turns = Turns::new(talk, &prompts, Numbers::Linked);
    script(&mut out, &turns, talk.records, &mut Reader::of(talk.strength));
    prompts.put(&mut out);
    out.own("</div>\n");
    out.html()
}

/// What stands before the first record.
fn heads(out: &mut Markup, talk: &Talk<'_>) {
    introduction(out, talk);
    filters(out, talk);
}

/// What the marks mean, and what is not told here.
fn introduction(out: &mut Markup, talk: &Talk<'_>) {
    out.own("<p class=\"soft\">The number before each entry is its record's; it is a link to the entry. <span class=\"tag\">private</span> \
             is what its seat alone may remember, as its reasoning, rankings and ballots (under a roll call their count reads ballots out to all), <span class=\"tag\">only recorded</span> what no memory keeps, as private polls and tries that did not count. <code>ekklesia context ")
        .isolated(talk.name)
        .own(" --seat NAME --at NUMBER</code> tells all that a seat had before it at an answer, also where prompts and replies are left out or no script runs.</p>\n");
    if let Some(stopped) = &talk.sights.stopped {
        out.own("<p class=\"banner\">What seats were shown is told as far as the records hold together: ")
            .isolated(&stopped.to_string())
            .own(".</p>\n");
    }
    for note in &talk.notes {
        out.own("<p class=\"banner text\" dir=\"auto\">").text(note).own("</p>\n");
    }
}

/// What leaves only a seat's or a phase's records in sight; without script everything is.
fn filters(out: &mut Markup, talk: &Talk<'_>) {
    out.own("<div class=\"only-scripted filters\" role=\"group\" aria-label=\"What is shown of the transcript\">\n<label>Seat <select class=\"by-seat\"><option value=\"\">all</option>");
    for (place, seat) in (0u64..).zip(&talk.seats) {
        out.own("<option value=\"").number(place).own("\">").text(seat).own("</option>");
    }
    out.own("</select></label>\n<label>Phase <select class=\"by-phase\"><option value=\"\">all</option>");
    for (place, phase) in phases(talk.records) {
        out.own("<option value=\"").number(place).own("\">").text(phase).own("</option>");
    }
    out.own("</select></label>\n<label><input type=\"checkbox\" class=\"with-private\" checked> what is private</label>\n<label><input type=\"checkbox\" class=\"with-procedure\" checked> procedure</label>\n<span class=\"found\" role=\"status\"></span>\n</div>\n");
}

/// The phases that open, numbered by the place in which they do.
fn phases(records: &[Record]) -> impl Iterator<Item = (u64, &str)> {
    let opened = records.iter().filter(|record| matches!(record.event, Event::PhaseOpened { .. }));
    (1..).zip(opened.map(|record| record.at.phase.as_str()))
}

/// Records by phase and round.
fn script(out: &mut Markup, turns: &Turns<'_>, records: &[Record], reader: &mut Reader) {
    let (mut phases, mut round) = (0u64, None);
    let first = records.first().map(|record| &record.event);
    let is_sampled = matches!(first, Some(Event::SessionConvened { target: Some(_), .. }));
    let mut phase = None;
    for record in records {
        let told = reader.take(record);
        let is_phase = matches!(record.event, Event::PhaseOpened { .. } | Event::Adjourned { .. });
        if is_phase || phase.is_none() {
            close(out, &mut phase, &mut round);
            phases += u64::from(matches!(record.event, Event::PhaseOpened { .. }));
            out.own("<section class=\"phase\" data-phase=\"").number(phases).own("\">\n");
            phase = Some(phases);
        }
        if record.at.round == 0 || is_phase {
            end_round(out, &mut round);
        } else if round != Some(record.at.round) {
            end_round(out, &mut round);
            out.own("<section class=\"round\">\n");
            round = Some(record.at.round);
            if told.form != Form::Opening {
                // Votes that are taken several times are held in no round of talk.
                let (head, tail) = if is_sampled { ("Vote ", " of every seat") } else { ("Round ", "") };
                out.own("<h5>").own(head).number(record.at.round).own(tail).own("</h5>\n");
            }
        }
        put(out, turns, record, &told);
    }
    close(out, &mut phase, &mut round);
}

fn put(out: &mut Markup, turns: &Turns<'_>, record: &Record, told: &Told) {
    match told.form {
        Form::Opening | Form::Outcome => turns.heading(out, record, told),
        Form::Speech | Form::Aside | Form::Procedure | Form::Fault | Form::Closing => turns.turn(out, record, told),
    }
}

fn end_round(out: &mut Markup, round: &mut Option<u32>) {
    if round.take().is_some() {
        out.own("</section>\n");
    }
}

fn close(out: &mut Markup, phase: &mut Option<u64>, round: &mut Option<u32>) {
    end_round(out, round);
    if phase.take().is_some() {
        out.own("</section>\n");
    }
}
