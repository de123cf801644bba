//! A session as readable Markdown, record by record. What seats wrote is shown inert, see [`inline`].

use std::fmt::Write as _;

use crate::domain::{
    AlternativeName, Consequence, Event, Fault, PhaseName, Record, SeatName, Step, StopReason, TallyReport, Verdict,
};
use crate::metrics::SessionFacts;
use crate::report::plain::{block, inline};

const WROTE: &str = "invariant: a string takes every character";

/// What of a session is shown; `None` is everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only what this seat said or answered, and what belongs to no seat.
    pub seat: Option<SeatName>,
    /// Only this phase.
    pub phase: Option<PhaseName>,
}

/// The transcript of one session.
#[derive(Debug, Clone)]
pub struct Transcript {
    facts: SessionFacts,
    filter: Filter,
}

impl Transcript {
    /// Begins a transcript.
    pub fn new(facts: SessionFacts, filter: Filter) -> Self {
        Self { facts, filter }
    }

    /// The head: which session this is and who sits at the table.
    pub fn header(&self) -> String {
        let arm = &self.facts.arm;
        let seats: Vec<String> = arm.seats.iter().map(|seat| inline(seat.name.as_str())).collect();
        let mut out = format!("# {}\n\n", inline(&self.facts.session));
        let lines = [
            ("experiment", inline(&arm.experiment)),
            ("arm", inline(&arm.arm)),
            ("replicate", self.facts.replicate.to_string()),
            ("seats", seats.join(", ")),
            ("alternatives", names(&arm.alternatives)),
            ("plan", arm.plan_digest.to_string()),
            ("determinism", arm.determinism.as_str().to_owned()),
        ];
        for (name, value) in lines {
            writeln!(out, "- {name}: {value}").expect(WROTE);
        }
        out.push_str("\nA number in brackets is the record's number in the minutes; #2.1 is round 2, turn 1.\n");
        out
    }

    /// One record; empty when it is filtered out or holds nothing to read.
    pub fn take(&self, record: &Record) -> String {
        let in_phase = self.filter.phase.as_ref().is_none_or(|phase| *phase == record.at.phase);
        let of_seat = match (&self.filter.seat, &record.seat) {
            (Some(wanted), Some(seat)) => wanted == seat,
            _ => true,
        };
        if !in_phase || !of_seat {
            return String::new();
        }
        let seat = record.seat.as_ref().map(|seat| inline(seat.as_str())).unwrap_or_default();
        let (at, seq) = (&record.at, record.seq.0);
        match &record.event {
            Event::SessionConvened { .. } | Event::RoundClosed { .. } => String::new(),
            Event::PhaseOpened { .. } => format!("\n## {} [{seq}]\n", inline(at.phase.as_str())),
            Event::Instructed { text, .. } => format!("\n**Facilitator** [{seq}]\n\n{}", block(text)),
            Event::RoundOpened { order } => {
                let order: Vec<String> = order.iter().map(|name| inline(name.as_str())).collect();
                format!("\n### Round {} [{seq}]\n\nSpeaking order: {}\n", at.round, order.join(", "))
            }
            Event::Spoke { text, stance, .. } => {
                let stance = stance
                    .as_ref()
                    .map_or("no stance declared".to_owned(), |name| format!("favours {}", inline(name.as_str())));
                format!("\n**{seat}** #{}.{} · {stance} [{seq}]\n\n{}", at.round, at.turn, block(text))
            }
            Event::Passed { .. } => format!("\n**{seat}** #{}.{} passed [{seq}]\n", at.round, at.turn),
            Event::Polled { alternative, options, raw, .. } => {
                private(&seat, "straw poll", seq, alternative, options, raw)
            }
            Event::Balloted { alternative, options, raw, .. } => {
                private(&seat, "ballot", seq, alternative, options, raw)
            }
            Event::Faulted { fault, then, raw, .. } => faulted(record, &seat, *fault, *then, raw),
            Event::Tallied(report) => tallied(seq, report),
            Event::Adjourned { verdict, stop, decided } => {
                adjourned(seq, *verdict, *stop, decided.as_ref().map(|choice| &choice.alternative))
            }
            _ => String::new(),
        }
    }
}

fn private(
    seat: &str,
    what: &str,
    seq: u64,
    choice: &AlternativeName,
    options: &[AlternativeName],
    raw: &str,
) -> String {
    format!(
        "\n*private* **{seat}** {what}: {} (shown: {}) [{seq}]\n\n{}",
        inline(choice.as_str()),
        names(options),
        block(raw)
    )
}

fn faulted(record: &Record, seat: &str, fault: Fault, then: Consequence, raw: &str) -> String {
    let then = match (then, record.at.step) {
        (Consequence::AskedAgain, _) => "asked again",
        (Consequence::TriesUsedUp, Step::Ballot) => "tries used up, the ballot is invalid",
        (Consequence::TriesUsedUp, Step::StrawPoll) => "tries used up, the poll stays unanswered",
        (Consequence::TriesUsedUp, _) => "tries used up, the turn is forfeited",
    };
    let step = record.at.step.as_str().replace('_', " ");
    let attempt = u32::from(record.attempt.unwrap_or(0)) + 1;
    let fault = fault.as_str().replace('_', " ");
    format!("\n*private* **{seat}** {step}, try {attempt}: {fault}; {then} [{}]\n\n{}", record.seq.0, block(raw))
}

fn tallied(seq: u64, report: &TallyReport) -> String {
    let mut out = format!("\n**Count** [{seq}]\n\n| alternative | ballots |\n| --- | ---: |\n");
    for count in &report.counts {
        writeln!(out, "| {} | {} |", inline(count.alternative.as_str()), count.count).expect(WROTE);
    }
    writeln!(
        out,
        "\n{} eligible, {} valid, {} invalid, {} abstained{}; winners: {}; decided: {}",
        report.eligible,
        report.valid,
        report.invalid,
        report.abstained,
        report.threshold.map(|threshold| format!(", {threshold} needed")).unwrap_or_default(),
        if report.winners.is_empty() {
            "none".to_owned()
        } else {
            names(&report.winners.iter().map(|winner| winner.alternative.clone()).collect::<Vec<_>>())
        },
        report.decided.as_ref().map_or("nothing".to_owned(), |name| inline(name.alternative.as_str())),
    )
    .expect(WROTE);
    out
}

fn adjourned(seq: u64, verdict: Verdict, stop: StopReason, decided: Option<&AlternativeName>) -> String {
    let outcome = match (verdict, decided) {
        (Verdict::Carried, Some(name)) => format!("carried: {}", inline(name.as_str())),
        (Verdict::Carried, None) => "carried".to_owned(),
        (Verdict::Imposed, _) => "imposed".to_owned(),
        (Verdict::NoDecision, _) => "no decision".to_owned(),
        (Verdict::NotApplicable, _) => "the agenda holds no vote".to_owned(),
    };
    let why = match stop {
        StopReason::Decided => "a vote decided",
        StopReason::RoundsUsedUp => "all rounds were used up",
        StopReason::Undecided => "the vote decided nothing",
        StopReason::Imposed => "the decision was imposed",
        StopReason::AgendaDone => "the agenda is at its end",
    };
    format!("\n## Outcome [{seq}]\n\n{outcome} ({why})\n")
}

fn names(names: &[AlternativeName]) -> String {
    let names: Vec<String> = names.iter().map(|name| inline(name.as_str())).collect();
    names.join(", ")
}
