//! Cells about talk: words, turns, the order of speaking.

use ekklesia::domain::{Answered, Briefing, Event, PhaseOpened, Record, Reply, RoundOpened};
use unicode_segmentation::UnicodeSegmentation as _;

use super::positions::normalised_entropy;
use super::{Cell, flag, is_by, real, share, show};

/// What a record says aloud.
fn spoken(record: &Record) -> Option<String> {
    match &record.event {
        Event::Briefed(Briefing { text, .. }) => Some(text.clone()),
        _ => match record.reply()? {
            Reply::Statement { text, .. } => Some(text.to_string()),
            _ => None,
        },
    }
}

fn count_words_in(text: &str) -> usize {
    text.unicode_words().count()
}

/// Sums the lengths of what was said. A turn without words has no length; a seat or a round without statements has 0.
fn sum(cell: &Cell<'_>, measure: fn(&str) -> usize) -> Option<String> {
    let lengths: Vec<usize> = cell.records.iter().filter_map(|record| Some(measure(&spoken(record)?))).collect();
    if lengths.is_empty() && cell.row.table() == "statements" { None } else { show(lengths.iter().sum::<usize>()) }
}

pub fn count_words(cell: &Cell<'_>) -> Option<String> {
    sum(cell, count_words_in)
}

/// Counts Unicode scalar values.
pub fn count_chars(cell: &Cell<'_>) -> Option<String> {
    sum(cell, |text| text.chars().count())
}

/// A number of each seat's records, silent seats included.
fn sum_by_seat(cell: &Cell<'_>, measure: fn(&Record) -> usize) -> Vec<usize> {
    let of = |name| cell.records.iter().filter(|record| is_by(record, name)).map(|record| measure(record)).sum();
    cell.names_there().into_iter().map(of).collect()
}

fn words_by_seat(cell: &Cell<'_>) -> Vec<usize> {
    sum_by_seat(cell, |record| spoken(record).map_or(0, |text| count_words_in(&text)))
}

pub fn speaking_share(cell: &Cell<'_>) -> Option<String> {
    let (seat, words) = (cell.seat()?, words_by_seat(cell));
    let place = cell.seat_names().iter().position(|name| *name == seat.as_str())?;
    share(words[place], words.iter().sum())
}

/// Gini's coefficient of the seats' words, pair by pair.
pub fn speaking_gini(cell: &Cell<'_>) -> Option<String> {
    let words = words_by_seat(cell);
    let differences = words.iter().flat_map(|one| words.iter().map(|other| one.abs_diff(*other)));
    share(differences.sum(), 2 * words.len() * words.iter().sum::<usize>())
}

/// The seats that take part.
pub fn count_seats(cell: &Cell<'_>) -> Option<String> {
    show(cell.names_there().len())
}

/// How evenly statements are spread over seats.
pub fn turn_entropy(cell: &Cell<'_>) -> Option<String> {
    real(normalised_entropy(&sum_by_seat(cell, |record| usize::from(spoken(record).is_some())))?)
}

pub fn find_position(cell: &Cell<'_>) -> Option<String> {
    let Event::RoundOpened(RoundOpened { order, situation: None, .. }) = &cell.last()?.event else { return None };
    show(order.iter().position(|name| Some(name) == cell.seat().as_ref())? + 1)
}

pub fn has_volunteered(cell: &Cell<'_>) -> Option<String> {
    flag(matches!(cell.last()?.reply(), Some(Reply::Urgency(Some(_)))))
}

pub fn read_kind(cell: &Cell<'_>) -> Option<String> {
    let last = cell.last()?;
    show(match (&last.event, last.reply()) {
        (_, Some(Reply::Statement { .. })) => "statement",
        (_, Some(Reply::Pass)) => "pass",
        (Event::Briefed(_), _) => "intervention",
        _ => "forfeit",
    })
}

/// Who alone heard it.
pub fn list_hearers(cell: &Cell<'_>) -> Option<String> {
    let own = cell.records.iter().find(|record| cell.row.cell_number("seq") == Some(record.seq.0))?;
    match &own.event {
        Event::Briefed(_) => cell.names("event.to"),
        Event::Answered(Answered { values, .. }) if values.find("statement").flatten().is_some() => {
            let speaker = own.seat.as_ref()?;
            let mut others = cell.seat_names();
            others.retain(|name| *name != speaker.as_str());
            let all = others.len();
            for record in &cell.records {
                match &record.event {
                    Event::PhaseOpened(PhaseOpened { heard_by: Some(names), .. }) => {
                        others.retain(|other| names.iter().any(|name| name.as_str() == *other));
                    }
                    Event::Seated { seats } => others.retain(|other| {
                        let hears = seats.iter().find(|of| of.seat.as_str() == *other).and_then(|of| of.hears.as_ref());
                        hears.is_none_or(|hears| hears.contains(speaker))
                    }),
                    _ => {}
                }
            }
            if others.len() == all {
                return None;
            }
            show(if others.is_empty() { "nobody".to_owned() } else { others.join("|") })
        }
        _ => None,
    }
}

/// In whose name an intervention was made.
pub fn read_voice(cell: &Cell<'_>) -> Option<String> {
    match &cell.last()?.event {
        Event::Briefed(Briefing { by, .. }) => show(by.as_str()),
        _ => None,
    }
}
