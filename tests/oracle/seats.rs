//! Cells about seats: who sits there, rankings, tests, memories.

use ekklesia::domain::{AlternativeName, Certainty, Event, MemoryReport, Record, SeatName, StatementChars};
use ekklesia::memory::{Routing, Strategy};
use ekklesia::metrics::{ArmFacts, OnFailing};
use ekklesia::metrics::why::lost;
use super::spread::takes_amount;
use super::talk::or_none;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfSeat {
    /// The id of the drawn persona.
    Persona,
    /// The trait that the column names.
    Trait,
    /// The attribute that the column names.
    Attribute,
    /// The name that it chose.
    ChosenName,
    /// How many others it hears.
    DegreeIn,
    /// How many others hear it.
    DegreeOut,
    /// The models that services say they used.
    ModelsServed,
    /// The rank that the column names, in the ranking picked.
    Rank,
    /// The certainty of the ranking picked.
    Certainty,
    /// The same, 1 to 5.
    CertaintyLevel,
    /// Spearman's footrule between first and last ranking.
    Footrule,
    /// Its mean over the seats with two rankings or more.
    FootruleMean,
    /// Right answers at the last try of the test.
    TestCorrect,
    /// Whether the seat failed a test that excludes.
    Excluded,
    /// How many seats did.
    ExcludedSeats,
    /// What the seat's memory held.
    Memory(Held),
    /// The sum of such a number over seats and rounds.
    MemorySum(Held),
    /// Events that went into the seat's memory without a call.
    CallsSaved,
}

/// A number of a memory's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Entries it would be shown.
    Entries,
    /// Their length.
    Chars,
    /// The length of the statements that it could hear.
    Heard,
    /// Of that, what its last prompt showed.
    Shown,
    /// Of that, what it lacked because a statement was shortened.
    Cut,
    /// Of that, what it lacked because a statement was left out.
    Dropped,
    /// Entries that it would not be shown.
    DroppedEntries,
    /// Tokens of the entries it would be shown.
    Tokens,
    /// Texts among them that the seat wrote.
    Summaries,
}

/// The name that the row's seat chose.
fn chosen_name(picked: &Picked<'_>) -> Worked {
    let Some(Event::NamesGiven { names }) = picked.last().map(|record| &record.event) else {
        return absent("the seat chose no name");
    };
    let seat = picked.case.scope.seat();
    match names.iter().find(|given| Some(&given.seat) == seat.as_ref()) {
        Some(given) => worked(&given.name),
        None => absent("the seat chose no name"),
    }
}

impl OfSeat {
    /// How many others the row's seat hears, or hear it.
    fn degree(self, picked: &Picked<'_>) -> Worked {
        let (Some(Event::Networked { hears }), Some(seat)) =
            (picked.last().map(|record| &record.event), picked.case.scope.seat())
        else {
            return absent("everyone hears everyone");
        };
        let linked: Vec<&str> = match self {
            OfSeat::DegreeIn => {
                let own = hears.iter().filter(|of| of.seat == seat);
                own.flat_map(|of| &of.hears).map(SeatName::as_str).collect()
            }
            _ => hears.iter().filter(|of| of.hears.contains(&seat)).map(|of| of.seat.as_str()).collect(),
        };
        worked(linked.len())
    }

    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            OfSeat::Persona | OfSeat::Trait | OfSeat::Attribute => self.seated(picked),
            OfSeat::ModelsServed => served(picked),
            OfSeat::ChosenName => chosen_name(picked),
            OfSeat::DegreeIn | OfSeat::DegreeOut => self.degree(picked),
            OfSeat::Rank | OfSeat::Certainty | OfSeat::CertaintyLevel => self.ranking(picked),
            OfSeat::Footrule => match picked.case.scope.seat() {
                Some(seat) => footrule(picked, seat.as_str()).map_or_else(
                    || absent("the seat gave fewer than two rankings"),
                    |(step, distance)| worked(distance),
                ),
                None => absent("the row has no seat"),
            },
            OfSeat::FootruleMean => footrule_mean(picked),
            OfSeat::TestCorrect => match picked.last().map(|record| (record, &record.event)) {
                Some((record, Event::Tested { correct, .. })) => {
                    worked(correct)
                }
                Some(_) => absent("the seat's last try has no valid answer"),
                None => absent("the seat took no test"),
            },
            OfSeat::Excluded => {
                let seat = picked.case.scope.seat();
                let is_out = seat.as_ref().is_some_and(|seat| excluded(picked, seat.as_str()));
                let last = picked.last().map_or("no test".to_owned(), named);
                worked(u8::from(is_out),
                )
            }
            OfSeat::ExcludedSeats => {
                let out: Vec<&str> = picked.seat_names().into_iter().filter(|name| excluded(picked, name)).collect();
                worked(out.len(),
                )
            }
            OfSeat::Memory(held) => held.work(picked),
            OfSeat::MemorySum(held) => held.sum(picked),
            OfSeat::CallsSaved => saved(picked),
        }
    }

    fn seated(self, picked: &Picked<'_>) -> Worked {
        let Some(Event::Seated { seats }) = picked.last().map(|record| &record.event) else {
            return absent("nothing was drawn for this seat");
        };
        let seat = picked.case.scope.seat();
        let Some(seated) = seats.iter().find(|seated| Some(&seated.seat) == seat.as_ref()) else {
            return absent("nothing was drawn for this seat");
        };
        let column = picked.case.column;
        if self == OfSeat::Trait {
            let name = column.strip_prefix("trait_").unwrap_or(column);
            let Some(drawn) = seated.traits.iter().find(|drawn| drawn.name == name) else {
                return absent(format!("the seat's mind has no trait {name}"));
            };
            return real(Some(drawn.millionths as f64 / 1e6),
                "",
            );
        }
        let Some(persona) = &seated.persona else {
            return absent("the seat's persona is fixed, not drawn from a pool");
        };
        if self == OfSeat::Persona {
            return worked(persona);
        }
        let name = column.strip_prefix("attr_").unwrap_or(column);
        let arm = picked.arm();
        let facts = arm.seats.iter().find(|facts| Some(&facts.name) == seat.as_ref());
        let pool = facts.and_then(|facts| arm.pools.get(facts.pool?));
        let value = pool.and_then(|pool| {
            let place = pool.attributes.iter().position(|attribute| attribute == name)?;
            pool.personas.get(persona)?.get(place).filter(|value| !value.is_empty())
        });
        match value {
            Some(value) => {
                worked(value)
            }
            None => absent(format!("the file of personas says nothing of {name} for {persona}")),
        }
    }

    fn ranking(self, picked: &Picked<'_>) -> Worked {
        let Some(record) = picked.last() else { return absent("the seat gave no ranking") };
        let Event::Ranked { order, certainty, .. } = &record.event else { return absent("the seat gave no ranking") };
        match self {
            OfSeat::Certainty => {
                worked(certainty.as_str())
            }
            OfSeat::CertaintyLevel => {
                let level = certainty.level();
                let scale: Vec<&str> = Certainty::ALL.iter().map(|certainty| certainty.as_str()).collect();
                worked(level,
                )
            }
            _ => {
                let column = picked.case.column;
                let name = column.strip_prefix("first_rank_").or(column.strip_prefix("last_rank_")).unwrap_or(column);
                let names: Vec<&str> = order.iter().map(|name| name.as_str()).collect();
                match names.iter().position(|ranked| *ranked == name) {
                    Some(place) => worked(place + 1),
                    None => Err(format!("{name} was not ranked")),
                }
            }
        }
    }
}

/// A seat's first and last ranking, and how far they are apart; `None` below two rankings.
fn footrule(picked: &Picked<'_>, seat: &str) -> Option<(String, u64)> {
    let own = picked.records.iter().filter(|record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat));
    let orders: Vec<_> = own
        .filter_map(|record| match &record.event {
            Event::Ranked { order, .. } => Some(order),
            _ => None,
        })
        .collect();
    let [first, .., last] = orders.as_slice() else { return None };
    let rank =
        |order: &[AlternativeName], name| order.iter().position(|other| other == name).map(|place| place as u64 + 1);
    let mut sum = 0;
    let mut terms = Vec::new();
    for name in &picked.arm().alternatives {
        let (a, b) = (rank(first, name)?, rank(last, name)?);
        sum += a.abs_diff(b);
        terms.push(format!("{name} |{b} - {a}|"));
    }
    Some((format!("{seat}: {} = {sum}", terms.join(" + ")), sum))
}

fn footrule_mean(picked: &Picked<'_>) -> Worked {
    let (mut steps, distances): (Vec<String>, Vec<u64>) =
        picked.seat_names().into_iter().filter_map(|name| footrule(picked, name)).unzip();
    if distances.is_empty() {
        return absent("no seat gave two rankings");
    }
    let (sum, n): (u64, usize) = (distances.iter().sum(), distances.len());
    let mean = sum as f64 / n as f64;
    real(Some(mean), "")
}

/// Whether a seat failed, at its last try, a test that excludes who fails.
fn excluded(picked: &Picked<'_>, seat: &str) -> bool {
    let own = |record: &&&Record| record.seat.as_ref().is_some_and(|name| name.as_str() == seat);
    let Some(last) = picked.records.iter().rfind(own) else { return false };
    let phase = picked.arm().phases.iter().find(|phase| phase.name == last.at.phase);
    let failed = lost(last).is_some() || matches!(last.event, Event::Tested { passed: false, .. });
    failed && phase.is_some_and(|phase| phase.on_failing == OnFailing::IsExcluded)
}

fn served(picked: &Picked<'_>) -> Worked {
    let mut models: Vec<&str> =
        picked.records.iter().filter_map(|record| record.event.given()?.model_served.as_deref()).collect();
    models.sort_unstable();
    models.dedup();
    if models.is_empty() {
        return absent("no service was called for this, or none said which model it used");
    }
    worked(models.join("|"))
}

impl Held {
    fn work(self, picked: &Picked<'_>) -> Worked {
        let Some(Event::RoundClosed { memory, .. }) = picked.last().map(|record| &record.event) else {
            return absent("no round closed in this part");
        };
        let seat = picked.case.scope.seat();
        let place = picked.arm().seats.iter().position(|facts| Some(&facts.name) == seat.as_ref());
        let Some(report) = place.and_then(|place| memory.get(place)) else {
            return absent("the record does not tell what memories hold");
        };
        let MemoryReport { entries, chars, dropped_entries, tokens, summaries, statements } = *report;
        match self {
            Held::Entries => worked(entries),
            Held::Chars => worked(chars),
            Held::DroppedEntries => worked(dropped_entries),
            Held::Tokens => worked(tokens),
            Held::Summaries => worked(summaries),
            Held::Heard | Held::Shown | Held::Cut | Held::Dropped => {
                let Some(statements) = statements else { return absent("the seat had no prompt in this round") };
                let StatementChars { heard, shown, cut } = statements;
                if self == Held::Dropped {
                }
                worked(self.of(statements))
            }
        }
    }

    /// A number of the statements in one prompt.
    fn of(self, statements: StatementChars) -> u64 {
        match self {
            Held::Heard => statements.heard,
            Held::Shown => statements.shown,
            Held::Cut => statements.cut,
            Held::Dropped => statements.dropped(),
            _ => unreachable!("invariant: {self:?} is no number of statements"),
        }
    }

    /// Its sum over seats and rounds.
    fn sum(self, picked: &Picked<'_>) -> Worked {
        let mut total = 0;
        for record in &picked.records {
            let Event::RoundClosed { memory, .. } = &record.event else { continue };
            let sum: u64 = memory.iter().filter_map(|report| report.statements).map(|of| self.of(of)).sum();
            total += sum;
        }
        worked(total)
    }
}

/// A key of `memory.routing`, and what it says.
type Route = (&'static str, fn(&Routing) -> Strategy);

/// Under which key of `memory.routing` a record goes into a seat's memory; `None` where it goes under none.
pub(super) fn route(record: &Record, seat: &str, arm: &ArmFacts) -> Option<Route> {
    let own = record.seat.as_ref().is_some_and(|name| name.as_str() == seat);
    let told = |to: &[SeatName]| to.is_empty() || to.iter().any(|name| name.as_str() == seat);
    match &record.event {
        Event::Spoke { .. } => Some(("statement", |routing| routing.statement)),
        Event::CallAnswered { calls: true, .. } => Some(("vote_called", |routing| routing.vote_called)),
        Event::Confirmed { .. } => Some(("vote_answered", |routing| routing.vote_answered)),
        Event::Faulted { .. } if lost(record).is_some() && record.at.step.as_str() == "confirmation" => {
            Some(("vote_answered", |routing| routing.vote_answered))
        }
        Event::Tallied(report) if report.decided.is_some() => Some(("tally_decided", |routing| routing.tally_decided)),
        Event::Tallied(_) => Some(("tally_open", |routing| routing.tally_open)),
        Event::Instructed { to, .. } if told(to) => Some(("instruction", |routing| routing.instruction)),
        Event::Paid { payoffs, .. } if payoffs.iter().any(|payoff| payoff.seat.as_str() == seat) => {
            Some(("results", |routing| routing.results))
        }
        Event::Reasoned { .. } if own => Some(("own_reasoning", |routing| routing.own_reasoning)),
        Event::Balloted { alternative, amount, .. } if own && (amount.is_some() || !takes_amount(alternative, arm)) => {
            Some(("own_ballot", |routing| routing.own_ballot))
        }
        Event::AmountNamed { .. } | Event::Voted { .. } | Event::Abstained { .. } if own => {
            Some(("own_ballot", |routing| routing.own_ballot))
        }
        Event::Applied { .. } | Event::Tested { .. } if own => {
            Some(("own_application", |routing| routing.own_application))
        }
        Event::Ranked { .. } if own => Some(("own_ranking", |routing| routing.own_ranking)),
        _ => None,
    }
}

fn saved(picked: &Picked<'_>) -> Worked {
    let arm = picked.arm();
    let Some(seat) = picked.case.scope.seat() else { return absent("the row has no seat") };
    let (mut direct, mut is_called) = (Vec::new(), false);
    for record in &picked.records {
        let Some((key, strategy)) = route(record, seat.as_str(), arm) else { continue };
        // However many seats call for it, a vote is one event.
        if key == "vote_called" && std::mem::replace(&mut is_called, true) {
            continue;
        }
        if arm.memory.is_direct(strategy) {
            direct.push(format!("{key} (record {})", record.seq.0));
        }
    }
    let n = direct.len();
    worked(n,
    )
}
