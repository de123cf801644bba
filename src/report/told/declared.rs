//! The records that no seat answered, in words.

use super::phrases::{
    format_dollars, format_thousandths, join_names, outcome_words, right_words, spell_out, stop_words, weighs_wins,
};
use super::plan_words::PlanWords;
use super::reader::Reader;
use super::telling::{RecordAudience, RecordForm, RecordWording};
use crate::domain::{
    Adjourned, Assigned, Base, Briefing, CLASS_NAMES, Computed, ComputedValues, Convened, Event, FactId, FieldValue,
    Language, LoopEnded, Matter, MemoryAct, Payment, PaymentTables, Payoff, PhaseOpened, PhaseSkipped, Record,
    Reminded, RoundClosed, RoundOpened, SampledVotes, SeatName, Seated, Spared, Step, TallyReport, Voice,
};
use crate::report::numbers::grouped;
use crate::report::quoted;

/// Words that a phase or block is left out, or that a block ends.
fn word_gate(record: &Record) -> String {
    match &record.event {
        Event::PhaseSkipped(PhaseSkipped { nobody: true, .. }) => {
            format!("{} is left out: nobody would take part", record.at.phase)
        }
        Event::PhaseSkipped(PhaseSkipped { block: Some(block), .. }) => {
            format!("the block {block} is left out: its condition does not hold")
        }
        Event::LoopEnded(LoopEnded { block }) => format!("the block {block} ends"),
        _ => format!("{} is left out: its condition does not hold", record.at.phase),
    }
}

/// Words in whose name seats are told something.
fn word_voice(by: Voice) -> &'static str {
    match by {
        Voice::Facilitator => "Facilitator",
        Voice::Human => "Human",
    }
}

/// Words the speaking order of a round.
fn word_order(order: &[SeatName]) -> String {
    match order {
        [] => "nobody speaks".to_owned(),
        order => format!("speaking order {}", join_names(order)),
    }
}

/// Words a record that no seat answered.
pub(super) fn word_declaration(record: &Record, reader: &Reader) -> RecordWording {
    let opening = |what: String| RecordWording::new(RecordForm::Opening, RecordAudience::Everyone, what);
    let procedure = |heard: RecordAudience, what: String| RecordWording::new(RecordForm::Procedure, heard, what);
    let at = &record.at;
    match &record.event {
        Event::PhaseOpened(PhaseOpened { kind, who, heard_by, hears, thing }) => {
            let kind = kind.as_str();
            let kind = (kind != at.phase.as_str()).then(|| spell_out(kind));
            let who = (!who.is_empty()).then(|| format!("with {}", join_names(who)));
            let heard_by = heard_by.as_ref().map(|names| match names.as_slice() {
                [] => "heard by nobody else".to_owned(),
                names => format!("heard by {}", join_names(names)),
            });
            let hears = hears.iter().flatten().map(|(seat, others)| match others.as_slice() {
                [] => format!("{seat} hears nobody else"),
                others => format!("{seat} hears {}", join_names(others)),
            });
            let thing = thing.as_ref().map(|thing| format!("for {thing}"));
            opening(at.phase.to_string()).noting(kind.into_iter().chain(thing).chain(who).chain(heard_by).chain(hears))
        }
        Event::PhaseSkipped(_) | Event::LoopEnded(_) => procedure(RecordAudience::Nobody, word_gate(record)),
        Event::RoundOpened(RoundOpened { order, situation: None, .. }) => {
            opening(format!("round {}", at.round)).noting([word_order(order)])
        }
        Event::RoundOpened(RoundOpened { situation: Some(situation), multiplier, .. }) => {
            let times = multiplier.map(|times| format!("incomes × {}", format_thousandths(times)));
            opening(format!("round {} · situation {situation}", at.round)).noting(times)
        }
        Event::Briefed(briefing) => word_briefing(briefing, &reader.plan),
        Event::Paid(payment) => word_payment(payment, reader),
        Event::Assigned(Assigned { name, groups, roles }) => {
            let head = |place: usize| roles.get(place).cloned().unwrap_or_else(|| (place + 1).to_string());
            let seats =
                groups.iter().enumerate().map(|(place, seats)| format!("{}: {}", head(place), join_names(seats)));
            let what = if roles.is_empty() { "groups" } else { "roles" };
            procedure(RecordAudience::Nobody, format!("{what} of {name}")).listing(seats)
        }
        Event::Computed(Computed { name, values }) => word_values(name, values, reader),
        Event::Tallied(report) => word_tally(report, &reader.plan),
        Event::RoundClosed(RoundClosed { convergence, .. }) => {
            let alike = convergence.map(|millionths| format!("statements alike {:.3}", f64::from(millionths) / 1e6));
            RecordWording::new(RecordForm::Closing, RecordAudience::Nobody, format!("round {} closes", at.round))
                .noting(alike)
        }
        Event::Adjourned(Adjourned { verdict, stop, decided }) => {
            let told = RecordWording::new(
                RecordForm::Outcome,
                RecordAudience::Nobody,
                outcome_words(
                    (*verdict, *stop),
                    decided.as_ref().map(|to| quoted(&reader.plan.word_named_choice(to))),
                    reader.votes,
                ),
            );
            told.noting([stop_words(*stop).to_owned()])
        }
        _ => word_setup(record, reader),
    }
}

/// Words computed values, or texts that are kept.
fn word_values(name: &str, values: &ComputedValues, reader: &Reader) -> RecordWording {
    let told = |value: Option<&FieldValue>| value.map_or("missing".to_owned(), |value| value.told(Language::En));
    let procedure = |what: String| RecordWording::new(RecordForm::Procedure, RecordAudience::Nobody, what);
    match values {
        ComputedValues::Session(value) | ComputedValues::Group(value) => {
            procedure(format!("computed: {name} = {}", told(value.as_ref())))
        }
        ComputedValues::Seats(values) => {
            let own = values.iter().filter(|(seat, _)| reader.is_of(seat));
            procedure(format!("computed: {name} of each seat"))
                .listing(own.map(|(seat, value)| format!("{seat}: {}", told(value.as_ref()))))
        }
        ComputedValues::Texts(texts) => {
            let texts = texts.iter().filter(|text| reader.is_of(&text.author));
            procedure(format!("texts of {name}")).listing(texts.map(|kept| {
                let words = kept.text.as_deref().map_or("withdrawn".to_owned(), quoted);
                format!("{} of {}, version {}: {words}", kept.letter, kept.author, kept.version)
            }))
        }
    }
}

/// Words a record of the beginning of a session, or of a change of memories.
fn word_setup(record: &Record, reader: &Reader) -> RecordWording {
    let procedure = |heard: RecordAudience, what: &str| RecordWording::new(RecordForm::Procedure, heard, what);
    match &record.event {
        Event::Seated { seats } => {
            let (heard, what) = match record.at.step {
                Step::Naming => (RecordAudience::Everyone, "names that seats chose"),
                _ => (RecordAudience::Nobody, "seats, as drawn"),
            };
            procedure(heard, what).listing(seats.iter().filter(|seated| reader.is_of(&seated.seat)).map(seating_words))
        }
        Event::Reminded(Reminded { to, act, spared }) => {
            word_memory_act(to, act, spared.iter().filter(|spared| reader.is_of(&spared.seat)))
        }
        Event::Marked { to, phase, statement, of, .. } => {
            let what = match of {
                Some(of) => format!("statement {statement} of {phase}, record {}, is to be kept", of.0),
                None => format!("nothing is marked: statement {statement} of {phase} was not made by then"),
            };
            procedure(heard_by(to), &what)
        }
        Event::Convened(Convened { lender, target, first, before, truth, arm, replicate, .. }) => {
            let lent = lender.as_ref().map(|lender| {
                format!("in the place of its own statements the group hears those of {}", lender.session)
            });
            let target = target.as_ref().map(|target| {
                let (amount, unit) = (grouped(target.amount), spell_out(target.unit.as_str()));
                format!("votes until it took as much as {}: {amount} {unit}", target.of.session)
            });
            let first =
                first.as_ref().map(|first| format!("each seat begins with what it said alone in {}", first.of.session));
            let before = before.as_ref().map(|before| format!("after {}", before.session));
            let right = truth.as_ref().map(|truth| format!("{}; nobody is told", right_words(truth, &reader.plan)));
            let notes = [lent, target, first, before, right].into_iter().flatten();
            RecordWording::new(
                RecordForm::Opening,
                RecordAudience::Nobody,
                format!("session of arm {arm}, replicate {replicate}"),
            )
            .noting(notes)
        }
        _ => procedure(RecordAudience::Nobody, "an answer without its seat"),
    }
}

fn heard_by(to: &[SeatName]) -> RecordAudience {
    match to {
        [] => RecordAudience::Everyone,
        some => RecordAudience::Only(some.iter().map(SeatName::to_string).collect()),
    }
}

fn seating_words(seated: &Seated) -> String {
    let persona = seated.persona.iter().map(|id| format!("persona {id}"));
    let traits = seated.traits.iter().map(|drawn| format!("{} {}", drawn.name, drawn.millionths as f64 / 1e6));
    let hears = seated.hears.iter().map(|hears| match hears.as_slice() {
        [] => "hears nobody else".to_owned(),
        others => format!("hears {}", join_names(others)),
    });
    let name = seated.name.iter().map(|name| format!("is called {name}"));
    format!("{}: {}", seated.seat, persona.chain(traits).chain(hears).chain(name).collect::<Vec<_>>().join(", "))
}

/// Words what seats are told.
fn word_briefing(briefing: &Briefing, plan: &PlanWords) -> RecordWording {
    let (what, notes) = match &briefing.what {
        Matter::Instruction { pushes, .. } => {
            let pushes = pushes.as_ref().map(|name| format!("is to push {}", quoted(&plan.word_option(name))));
            ("says".to_owned(), vec![pushes])
        }
        Matter::Exhibit { name, pages, .. } => {
            (format!("exhibit {name} is shown"), vec![(*pages > 0).then(|| format!("by {pages} pages"))])
        }
        Matter::Case { signal, facts } => {
            let signal = signal.as_ref().map(|name| format!("points to {}", quoted(&plan.word_option(name))));
            let facts: Vec<&str> = facts.iter().map(FactId::as_str).collect();
            let facts = (!facts.is_empty()).then(|| format!("facts {}", facts.join(", ")));
            ("part of the case".to_owned(), vec![signal, facts])
        }
        Matter::Decision { alternative, amount } => {
            let what = format!("imposed: {}", quoted(&plan.word_choice(alternative, *amount)));
            return RecordWording::new(RecordForm::Procedure, RecordAudience::Everyone, what);
        }
        Matter::Notes { from } => {
            let from = from.as_ref().map(|from| format!("taken in {}, a session of another experiment", from.session));
            ("notes from before".to_owned(), vec![from])
        }
    };
    let told =
        RecordWording::new(RecordForm::Procedure, heard_by(&briefing.to), what).noting(notes.into_iter().flatten());
    let told = told.saying(&briefing.text);
    if matches!(briefing.what, Matter::Instruction { .. }) { told.by(word_voice(briefing.by)) } else { told }
}

fn word_memory_act<'s>(to: &[SeatName], act: &MemoryAct, spared: impl Iterator<Item = &'s Spared>) -> RecordWording {
    let whose = if to.is_empty() { "every seat".to_owned() } else { join_names(to) };
    let told = |what: String| RecordWording::new(RecordForm::Procedure, RecordAudience::Nobody, what);
    match act {
        MemoryAct::Compact { focus } => {
            let stays = spared.map(|Spared { seat, why }| {
                format!("the memory of {} stays as it is, because {}", spell_out(seat.as_str()), why.words())
            });
            let told = told(format!("the memory of {whose} is to be made shorter"));
            told.saying(focus.as_deref().unwrap_or_default()).noting(stays)
        }
        MemoryAct::Forget { phase: None } => told(format!("{whose} forgets all but what is pinned")),
        MemoryAct::Forget { phase: Some(phase) } => told(format!("{whose} forgets what is not pinned of {phase}")),
    }
}

/// Words a payment: of all seats, or of the one that is reported.
fn word_payment(payment: &Payment, reader: &Reader) -> RecordWording {
    let (what, times) = match &payment.tables {
        Some(PaymentTables { stage, situation, multiplier }) => {
            let times = multiplier.map(|times| format!("incomes × {}", format_thousandths(times)));
            (format!("payment, {}, situation {situation}", stage.as_str()), times)
        }
        None => ("payment".to_owned(), None),
    };
    let unit = payment.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
    let own = payment.payoffs.iter().filter(|payoff| reader.is_of(&payoff.seat));
    RecordWording::new(RecordForm::Procedure, RecordAudience::Each, what)
        .noting(times)
        .listing(own.map(|payoff| format!("{}: {}", payoff.seat, payoff_words(payoff, &unit, &reader.plan))))
}

fn payoff_words(payoff: &Payoff, unit: &str, plan: &PlanWords) -> String {
    let Some(income) = &payoff.income else {
        let paid = payoff.payoff.map_or("nothing, for a value is missing".to_owned(), |paid| format!("{paid}{unit}"));
        let money = |cents: i64| format!("; only recorded: {cents} cents in money, with any fee");
        return format!("{paid}{}", payoff.payoff_cents.map_or(String::new(), money));
    };
    let by = income.alternative.as_ref().map_or("by lot".to_owned(), |name| plan.word_choice(name, income.amount));
    let class = CLASS_NAMES.get(usize::from(income.class)).copied().map(spell_out).unwrap_or_default();
    format!(
        "{by}, table {}, class {class}, income {}, paid ${}, balance ${}",
        income.table,
        grouped(u64::from(income.income)),
        format_dollars(payoff.payoff_cents.unwrap_or(0).unsigned_abs()),
        format_dollars(income.balance_cents),
    )
}

/// Words a count: the ballots by alternative and the result.
fn word_tally(report: &TallyReport, plan: &PlanWords) -> RecordWording {
    let winners: Vec<String> = report.winners.iter().map(|winner| quoted(&plan.word_named_choice(winner))).collect();
    let winners = if winners.is_empty() { "no winner".to_owned() } else { winners.join(", ") };
    let decided = report
        .decided
        .as_ref()
        .map_or("nothing is decided".to_owned(), |to| format!("decided for {}", quoted(&plan.word_named_choice(to))));
    let is_tie = report.winners.len() > 1 && !report.elects_several;
    let tie = is_tie.then(|| format!("a tie of {}", report.winners.len()));
    let tie_break = report.tie_break.map(|by| {
        let ballots = match report.tie_ballots.as_slice() {
            [] => String::new(),
            seats => format!(", looking at the ballots of {}", join_names(seats)),
        };
        format!("tie-break {}{ballots}", spell_out(by.as_str()))
    });
    let notes = [
        Some(format!("rule {} of {}", spell_out(report.rule.as_str()), report.base.as_str())),
        plan.strength
            .filter(|_| weighs_wins(report.rule))
            .map(|strength| format!("strength {}", spell_out(strength.as_str()))),
        report.threshold.map(|least| {
            let base = if report.base == Base::Valid { report.valid } else { report.eligible };
            format!("{least} of {base} needed")
        }),
        Some(format!("{} eligible", report.eligible)),
        Some(format!("{} valid", report.valid)),
        (report.invalid > 0).then(|| format!("{} invalid", report.invalid)),
        (report.abstained > report.by_choice).then(|| "invalid ballots count as abstentions".to_owned()),
        (report.by_choice > 0).then(|| format!("{} abstained", report.by_choice)),
        (report.quorum_met == Some(false)).then(|| "no quorum".to_owned()),
        report.sampled.map(|SampledVotes { samples, taken }| {
            let taken = taken.map_or("not told".to_owned(), |taken| taken.to_string());
            format!("every seat voted {samples} times; the session took {taken} by then")
        }),
        report.is_void().then(|| "an invalid ballot voids the vote".to_owned()),
        report.uncounted.clone(),
        Some(format!("winners by the rule: {winners}")),
        tie,
        tie_break,
        report.by_default.then(|| "decided by default, not by ballots".to_owned()),
        report.condorcet_winner.as_ref().map(|name| format!("Condorcet winner {}", quoted(&plan.word_option(name)))),
    ];
    let counts = report.counts.iter().map(|count| {
        let points = count.points.map_or(String::new(), |points| format!(", {points} points"));
        format!("{}: {}{points}", plan.word_choice(&count.alternative, count.amount), count.count)
    });
    RecordWording::new(RecordForm::Procedure, RecordAudience::Everyone, format!("count: {decided}"))
        .noting(notes.into_iter().flatten())
        .listing(counts)
}
