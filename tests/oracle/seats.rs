//! Cells about seats: who sits there, rankings, tests, memories.

use ekklesia::domain::{AlternativeName, Certainty, Event, MemoryReport, Record, SeatName, StatementChars, Step};
use ekklesia::memory::{Routing, Strategy};
use ekklesia::metrics::OnFailing;
use ekklesia::metrics::why::lost;

use super::{Cell, flag, is_by, list, real, show};

/// How the row's seat is filled: the drawn persona and traits.
macro_rules! seated {
    ($cell:expr) => {{
        let Event::Seated { seats } = &$cell.last()?.event else { return None };
        let seat = $cell.seat();
        seats.iter().find(|seated| Some(&seated.seat) == seat.as_ref())?
    }};
}

/// The id of the drawn persona.
pub fn persona(cell: &Cell<'_>) -> Option<String> {
    show(seated!(cell).persona.as_ref()?)
}

/// The trait that the column names.
pub fn drawn_trait(cell: &Cell<'_>) -> Option<String> {
    let drawn = seated!(cell).traits.iter().find(|drawn| drawn.name == cell.name)?;
    real(drawn.millionths as f64 / 1e6)
}

/// The attribute of the persona that the column names.
pub fn attribute(cell: &Cell<'_>) -> Option<String> {
    let persona = seated!(cell).persona.as_ref()?;
    let seat = cell.arm().seats.iter().find(|facts| Some(&facts.name) == cell.seat().as_ref())?;
    let pool = cell.arm().pools.get(seat.pool?)?;
    let place = pool.attributes.iter().position(|attribute| attribute == cell.name)?;
    pool.personas.get(persona)?.get(place).cloned()
}

pub fn chosen_name(cell: &Cell<'_>) -> Option<String> {
    let Event::NamesGiven { names } = &cell.last()?.event else { return None };
    show(&names.iter().find(|given| Some(&given.seat) == cell.seat().as_ref())?.name)
}

/// How many others the seat hears.
pub fn degree_in(cell: &Cell<'_>) -> Option<String> {
    let Event::Networked { hears } = &cell.last()?.event else { return None };
    let seat = cell.seat()?;
    show(hears.iter().filter(|of| of.seat == seat).map(|of| of.hears.len()).sum::<usize>())
}

/// How many others hear the seat.
pub fn degree_out(cell: &Cell<'_>) -> Option<String> {
    let Event::Networked { hears } = &cell.last()?.event else { return None };
    let seat = cell.seat()?;
    show(hears.iter().filter(|of| of.hears.contains(&seat)).count())
}

/// The models that services say they used.
pub fn models_served(cell: &Cell<'_>) -> Option<String> {
    let mut models: Vec<&str> =
        cell.records.iter().filter_map(|record| record.event.given()?.model_served.as_deref()).collect();
    models.sort_unstable();
    models.dedup();
    list(models)
}

/// The order and certainty of a ranking.
fn read_ranking<'r>(record: &'r Record) -> Option<(&'r [AlternativeName], Certainty)> {
    match &record.event {
        Event::Ranked { order, certainty, .. } => Some((order, *certainty)),
        _ => None,
    }
}

/// The rank of the alternative that the column names.
pub fn rank_of_column(cell: &Cell<'_>) -> Option<String> {
    let (order, _) = read_ranking(cell.last()?)?;
    show(order.iter().position(|name| name.as_str() == cell.name)? + 1)
}

pub fn certainty(cell: &Cell<'_>) -> Option<String> {
    show(read_ranking(cell.last()?)?.1.as_str())
}

/// The certainty, from 1 to 5.
pub fn certainty_level(cell: &Cell<'_>) -> Option<String> {
    let own = read_ranking(cell.last()?)?.1;
    show(Certainty::ALL.iter().position(|certainty| *certainty == own)? + 1)
}

/// Spearman's footrule between a seat's first and last ranking; `None` below two rankings.
fn find_footrule(cell: &Cell<'_>, seat: &str) -> Option<u64> {
    let own = cell.records.iter().filter(|record| is_by(record, seat));
    let orders: Vec<_> = own.filter_map(|record| Some(read_ranking(record)?.0)).collect();
    let [first, .., last] = orders.as_slice() else { return None };
    let place = |order: &[AlternativeName], name| order.iter().position(|other| other == name);
    let distance = |name| Some(place(first, name)?.abs_diff(place(last, name)?) as u64);
    cell.arm().alternatives.iter().map(distance).sum()
}

pub fn footrule(cell: &Cell<'_>) -> Option<String> {
    show(find_footrule(cell, cell.seat()?.as_str())?)
}

/// The mean over seats with two rankings or more.
pub fn footrule_mean(cell: &Cell<'_>) -> Option<String> {
    let all: Vec<u64> = cell.seat_names().into_iter().filter_map(|seat| find_footrule(cell, seat)).collect();
    super::share(all.iter().sum::<u64>() as usize, all.len())
}

/// The right answers at the last try of the test.
pub fn test_correct(cell: &Cell<'_>) -> Option<String> {
    match &cell.last()?.event {
        Event::Tested { correct, .. } => show(correct),
        _ => None,
    }
}

/// Whether a seat failed, at its last try, a test that excludes.
fn has_failed(cell: &Cell<'_>, seat: &str) -> bool {
    let Some(last) = cell.records.iter().rfind(|record| is_by(record, seat)) else { return false };
    let phase = cell.arm().phases.iter().find(|phase| phase.name == last.at.phase);
    let failed = lost(last).is_some() || matches!(last.event, Event::Tested { passed: false, .. });
    failed && phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
}

pub fn is_excluded(cell: &Cell<'_>) -> Option<String> {
    flag(cell.seat().is_some_and(|seat| has_failed(cell, seat.as_str())))
}

pub fn count_excluded(cell: &Cell<'_>) -> Option<String> {
    show(cell.seat_names().into_iter().filter(|seat| has_failed(cell, seat)).count())
}

/// Reads a number of the report on the memory of the row's seat.
pub fn of_memory(cell: &Cell<'_>, read: impl Fn(&MemoryReport) -> Option<u64>) -> Option<String> {
    let Event::RoundClosed { memory, .. } = &cell.last()?.event else { return None };
    let place = cell.arm().seats.iter().position(|facts| Some(&facts.name) == cell.seat().as_ref())?;
    show(read(memory.get(place)?)?)
}

/// What a prompt lacked of the statements because some were left out.
pub fn dropped(chars: StatementChars) -> u64 {
    chars.heard - chars.shown - chars.cut
}

/// Sums a number of the statements in prompts over seats and rounds.
pub fn sum_statement_chars(cell: &Cell<'_>, read: impl Fn(StatementChars) -> u64) -> Option<String> {
    let mut sum = 0;
    for record in &cell.records {
        if let Event::RoundClosed { memory, .. } = &record.event {
            sum += memory.iter().filter_map(|report| report.statements).map(&read).sum::<u64>();
        }
    }
    show(sum)
}

/// What `memory.routing` says of an event that goes into a seat's memory.
fn find_route(record: &Record, seat: &SeatName) -> Option<fn(&Routing) -> Strategy> {
    let is_own = record.seat.as_ref() == Some(seat);
    match &record.event {
        Event::Spoke { .. } => Some(|routing| routing.statement),
        Event::CallAnswered { .. } => Some(|routing| routing.vote_called),
        Event::Confirmed { .. } => Some(|routing| routing.vote_answered),
        Event::Faulted { .. } if record.at.step == Step::Confirmation => Some(|routing| routing.vote_answered),
        Event::Tallied(report) if report.decided.is_some() => Some(|routing| routing.tally_decided),
        Event::Tallied(_) => Some(|routing| routing.tally_open),
        Event::Instructed { .. } => Some(|routing| routing.instruction),
        Event::Paid { .. } => Some(|routing| routing.results),
        Event::Reasoned { .. } if is_own => Some(|routing| routing.own_reasoning),
        Event::Balloted { .. } | Event::AmountNamed { .. } | Event::Voted { .. } | Event::Abstained { .. }
            if is_own =>
        {
            Some(|routing| routing.own_ballot)
        }
        Event::Applied { .. } | Event::Tested { .. } if is_own => Some(|routing| routing.own_application),
        Event::Ranked { .. } if is_own => Some(|routing| routing.own_ranking),
        _ => None,
    }
}

/// Counts the events that went into the seat's memory without a call. However many seats call for it, a vote is one event.
pub fn calls_saved(cell: &Cell<'_>) -> Option<String> {
    let (seat, memory) = (cell.seat()?, &cell.arm().memory);
    let is_call = |record: &Record| matches!(record.event, Event::CallAnswered { .. });
    let first_call = cell.records.iter().find(|record| is_call(record)).map(|record| record.seq);
    let once = cell.records.iter().filter(|record| !is_call(record) || Some(record.seq) == first_call);
    show(once.filter_map(|record| find_route(record, &seat)).filter(|route| memory.is_direct(*route)).count())
}
