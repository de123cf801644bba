//! Cells about seats: who sits there, rankings, tests, memories.

use ekklesia::analysis::OnFailing;
use ekklesia::domain::{
    AlternativeName, Answered, Certainty, Event, MemoryReport, Record, Reply, RoundClosed, SeatName, Seated,
    StatementChars, Step,
};
use ekklesia::memory::{Routing, Strategy};

use super::{Cell, flag, is_by, list, real, share, show};

impl<'c> Cell<'c> {
    /// What was drawn for the row's seat.
    fn seated(&self) -> Option<&'c Seated> {
        self.last()?.event.seated().iter().find(|seated| Some(&seated.seat) == self.seat().as_ref())
    }
}

pub fn read_persona(cell: &Cell<'_>) -> Option<String> {
    show(cell.seated()?.persona.as_ref()?)
}

pub fn read_trait(cell: &Cell<'_>) -> Option<String> {
    let drawn = cell.seated()?.traits.iter().find(|drawn| drawn.name == cell.name)?;
    real(drawn.millionths as f64 / 1e6)
}

/// The attribute of the persona that the column names.
pub fn read_attribute(cell: &Cell<'_>) -> Option<String> {
    let persona = cell.seated()?.persona.as_ref()?;
    let seat = cell.arm().seats.iter().find(|facts| Some(&facts.name) == cell.seat().as_ref())?;
    let pool = cell.arm().pools.get(seat.pool?)?;
    let place = pool.attributes.iter().position(|attribute| attribute == cell.name)?;
    pool.personas.get(persona)?.get(place).cloned()
}

pub fn read_chosen_name(cell: &Cell<'_>) -> Option<String> {
    show(cell.seated()?.name.as_ref()?)
}

pub fn count_heard(cell: &Cell<'_>) -> Option<String> {
    show(cell.seated()?.hears.as_ref()?.len())
}

pub fn count_hearers(cell: &Cell<'_>) -> Option<String> {
    let (seated, seat) = (cell.last()?.event.seated(), cell.seat()?);
    let all: Option<Vec<_>> = seated.iter().map(|of| of.hears.as_ref()).collect();
    show(all?.iter().filter(|hears| hears.contains(&seat)).count())
}

/// The models that services say they used.
pub fn list_models(cell: &Cell<'_>) -> Option<String> {
    let mut models: Vec<&str> =
        cell.records.iter().filter_map(|record| record.event.given()?.model_served.as_deref()).collect();
    models.sort_unstable();
    models.dedup();
    list(models)
}

/// The order and certainty of a ranking.
pub fn read_ranking(record: &Record) -> Option<(Vec<AlternativeName>, Certainty)> {
    match record.reply()? {
        Reply::Ranking { order, certainty } => Some((order, certainty)),
        _ => None,
    }
}

pub fn rank_of_column(cell: &Cell<'_>) -> Option<String> {
    let (order, _) = read_ranking(cell.last()?)?;
    show(order.iter().position(|name| name.as_str() == cell.name)? + 1)
}

/// The certainty, from 1 to 5.
pub fn read_certainty_level(cell: &Cell<'_>) -> Option<String> {
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

pub fn rank_footrule(cell: &Cell<'_>) -> Option<String> {
    show(find_footrule(cell, cell.seat()?.as_str())?)
}

/// The mean over seats with two rankings or more.
pub fn rank_footrule_mean(cell: &Cell<'_>) -> Option<String> {
    let all: Vec<u64> = cell.seat_names().into_iter().filter_map(|seat| find_footrule(cell, seat)).collect();
    share(all.iter().sum::<u64>() as usize, all.len())
}

/// The right answers at the last try of the test.
pub fn read_test_correct(cell: &Cell<'_>) -> Option<String> {
    show(cell.last()?.test_result()?.0)
}

/// Whether a seat failed, at its last try, a test that excludes.
fn has_failed(cell: &Cell<'_>, seat: &str) -> bool {
    let Some(last) = cell.records.iter().rfind(|record| is_by(record, seat)) else { return false };
    let phase = cell.arm().phases.iter().find(|phase| phase.name == last.at.phase);
    let failed = last.final_fault().is_some() || last.test_result().is_some_and(|(_, passed)| !passed);
    failed && phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
}

pub fn is_excluded(cell: &Cell<'_>) -> Option<String> {
    flag(cell.seat().is_some_and(|seat| has_failed(cell, seat.as_str())))
}

pub fn count_excluded(cell: &Cell<'_>) -> Option<String> {
    show(cell.seat_names().into_iter().filter(|seat| has_failed(cell, seat)).count())
}

impl Cell<'_> {
    /// Reads a number of the report on the memory of the row's seat.
    pub(super) fn of_memory(&self, read: impl Fn(&MemoryReport) -> Option<u64>) -> Option<String> {
        let Event::RoundClosed(RoundClosed { memory, .. }) = &self.last()?.event else { return None };
        let place = self.arm().seats.iter().position(|facts| Some(&facts.name) == self.seat().as_ref())?;
        show(read(memory.get(place)?)?)
    }

    /// Sums a number of the statements in prompts over seats and rounds.
    pub(super) fn sum_statement_chars(&self, read: fn(StatementChars) -> u64) -> Option<String> {
        let reports = self.records.iter().filter_map(|record| match &record.event {
            Event::RoundClosed(RoundClosed { memory, .. }) => Some(memory),
            _ => None,
        });
        show(reports.flatten().filter_map(|report| report.statements).map(read).sum::<u64>())
    }
}

/// What a prompt lacked of the statements because some were left out.
pub fn dropped(chars: StatementChars) -> u64 {
    chars.heard - chars.shown - chars.cut
}

/// What `memory.routing` says of an event that goes into a seat's memory.
fn find_route(record: &Record, seat: &SeatName) -> Option<fn(&Routing) -> Strategy> {
    let is_own = record.seat.as_ref() == Some(seat);
    match &record.event {
        Event::Faulted(_) if record.at.step == Step::Confirmation => Some(|routing| routing.vote_answered),
        Event::Tallied(report) if report.decided.is_some() => Some(|routing| routing.tally_decided),
        Event::Tallied(_) => Some(|routing| routing.tally_open),
        Event::Briefed(_) => Some(|routing| routing.instruction),
        Event::Paid(_) => Some(|routing| routing.results),
        Event::Answered(Answered { values, options, .. }) => match record.at.step {
            Step::Statement if values.find("statement").flatten().is_some() => Some(|routing| routing.statement),
            Step::VoteCall => Some(|routing| routing.vote_called),
            Step::Confirmation => Some(|routing| routing.vote_answered),
            _ if !is_own => None,
            Step::Reasoning => Some(|routing| routing.own_reasoning),
            Step::Ballot | Step::Amount => Some(|routing| routing.own_ballot),
            Step::Application | Step::Comprehension => Some(|routing| routing.own_application),
            Step::Ask => Some(|routing| routing.own_answer),
            // Of a motion with one alternative the amount alone is asked for.
            Step::StrawPoll if values.find("amount").is_some() && options.len() == 1 => {
                Some(|routing| routing.own_answer)
            }
            Step::Ranking => Some(|routing| routing.own_ranking),
            _ => None,
        },
        _ => None,
    }
}

/// Whether all other seats hear a ballot when it is cast.
fn is_heard_at_once(cell: &Cell<'_>, record: &Record) -> bool {
    let phase = cell.arm().phases.iter().find(|phase| phase.name == record.at.phase);
    phase
        .and_then(|phase| phase.vote.as_ref())
        .is_some_and(|vote| vote.heard.ballots == ekklesia::domain::OpenBallots::InTurn)
}

/// Counts the events that went into the seat's memory without a call. However many seats call for it, a vote is one event.
pub fn count_calls_saved(cell: &Cell<'_>) -> Option<String> {
    let (seat, memory) = (cell.seat()?, &cell.arm().memory);
    let is_call = |record: &Record| matches!(record.event, Event::Answered(_)) && record.at.step == Step::VoteCall;
    let first_call = cell.records.iter().find(|record| is_call(record)).map(|record| record.seq);
    let once = cell.records.iter().filter(|record| !is_call(record) || Some(record.seq) == first_call);
    let open = |record: &Record| -> Option<fn(&Routing) -> Strategy> {
        let is_ballot = matches!(record.at.step, Step::Ballot | Step::Amount) && is_heard_at_once(cell, record);
        (is_ballot && record.seat.as_ref() != Some(&seat)).then_some(|routing| routing.vote_answered)
    };
    let remembered = |record: &Record| {
        let phase = cell.arm().phases.iter().find(|phase| phase.name == record.at.phase);
        phase.and_then(|phase| phase.remember)
    };
    let routes = once.flat_map(|record| {
        let routes = [find_route(record, &seat), open(record)].into_iter().flatten();
        routes.map(|route| (remembered(record), route)).collect::<Vec<_>>()
    });
    show(routes.filter(|(remember, route)| memory.is_direct(*remember, *route)).count())
}
