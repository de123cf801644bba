//! The transcript of a session as Markdown. The words of seats are escaped, see [`inline`].

use crate::analysis::{ArmFacts, ItemFacts, SessionFacts};
use crate::domain::{AlternativeName, PhaseName, Record, SeatName, Truth, order_by_group};
use crate::report::arm::levels_in_words;
use crate::report::numbers::grouped;
use crate::report::plain::{block, inline};
use crate::report::told::{PlanWords, Reader, RecordAudience, RecordForm, RecordWording};
use crate::text::put_line;

/// The part of a session to show; `None` means everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only the records of this seat, and those of no seat.
    pub seat: Option<SeatName>,
    /// Only these phases; without a pass and a group all that are written under the name.
    pub phases: Option<Vec<PhaseName>>,
}

/// The transcript of one session.
#[derive(Debug, Clone)]
pub struct Transcript {
    session: String,
    /// The facts of the plan; `None` if it cannot be read.
    facts: Option<SessionFacts>,
    filter: Filter,
    reader: Reader,
    /// The records of groups that go on side by side: they are shown group by group once the last group is done.
    side_by_side: Vec<Record>,
}

impl Transcript {
    /// Begins the transcript of a session with a plan.
    pub fn new(facts: SessionFacts, filter: Filter) -> Self {
        let arm = &facts.arm;
        let ballots =
            arm.phases.iter().filter_map(|phase| Some((phase.name.clone(), phase.vote.as_ref()?.heard.ballots)));
        let seats = arm.seats.iter().map(|seat| seat.name.clone());
        let plan = PlanWords::new(seats, arm.alternatives.iter().zip(&arm.labels), ballots, arm.strength);
        let right = facts.item.as_ref().and_then(|item| item.key.as_ref());
        let reader = Reader::of_seat(plan, filter.seat.clone(), right);
        Self { session: facts.session.clone(), facts: Some(facts), filter, reader, side_by_side: Vec::new() }
    }

    /// Begins the transcript of a session whose plan cannot be read.
    pub fn without_plan(session: String, filter: Filter) -> Self {
        let reader = Reader::of_seat(PlanWords::default(), filter.seat.clone(), None);
        Self { session, facts: None, filter, reader, side_by_side: Vec::new() }
    }

    /// The heading: the session and its seats.
    pub fn header(&self) -> String {
        let mut out = format!("# {}\n\n", inline(&self.session));
        match &self.facts {
            Some(facts) => self.put_facts(facts, &mut out),
            None => out.push_str("Its plan cannot be read: this is what its record says.\n"),
        }
        out.push_str("\nA number in brackets is the record's number in the minutes; #2.1 is round 2, turn 1.\n");
        out
    }

    fn put_facts(&self, facts: &SessionFacts, out: &mut String) {
        let arm = &facts.arm;
        let seats: Vec<String> = arm.seats.iter().map(|seat| inline(seat.name.as_str())).collect();
        let lines = [
            ("experiment", inline(&arm.experiment)),
            ("arm", arm_in_words(arm)),
            ("replicate", facts.replicate.to_string()),
            ("seats", seats.join(", ")),
            ("plan", arm.plan_digest.to_string()),
            ("determinism", arm.determinism.as_str().to_owned()),
        ];
        for (name, value) in lines {
            put_line!(out, "- {name}: {value}");
        }
        if arm.seats.iter().any(|seat| seat.weight != 1) {
            let weights: Vec<String> =
                arm.seats.iter().map(|seat| format!("{} {}", inline(seat.name.as_str()), seat.weight)).collect();
            put_line!(out, "- how much each ballot counts: {}", weights.join(", "));
        }
        match &facts.item {
            Some(item) => put_item(item, arm, out),
            None if arm.alternatives.is_empty() => {}
            None => {
                out.push_str("- alternatives:\n");
                put_alternatives(arm, None, out);
            }
        }
    }

    /// Renders the next record; empty if it is filtered out or has nothing to read, or belongs to a group whose turn has not come.
    pub fn take(&mut self, record: &Record) -> String {
        if record.at.phase.group().is_some() {
            self.side_by_side.push(record.clone());
            return String::new();
        }
        let groups = self.take_groups();
        groups + &self.render_next(record)
    }

    /// Renders the records of groups that were not shown yet.
    pub fn take_groups(&mut self) -> String {
        let records = std::mem::take(&mut self.side_by_side);
        order_by_group(&records).into_iter().map(|record| self.render_next(record)).collect()
    }

    fn render_next(&mut self, record: &Record) -> String {
        let told = self.reader.take(record);
        let is_wanted = self.filter.seat.as_ref().is_none_or(|seat| record.concerns(seat))
            && self.filter.phases.as_ref().is_none_or(|phases| {
                let at = &record.at.phase;
                let names = [at.as_str(), at.occurrence(), at.written()];
                phases.iter().any(|phase| names.contains(&phase.as_str()))
            });
        // The heading names the session already, and the end of a round has no text.
        let is_redundant = record.event.is_convened() || record.event.is_round_closed();
        if !is_wanted || is_redundant && told.notes.is_empty() { String::new() } else { render_record(record, &told) }
    }
}

fn render_record(record: &Record, told: &RecordWording) -> String {
    let heard = match (told.form, &told.heard) {
        (RecordForm::Speech, RecordAudience::Replaced | RecordAudience::Nobody) => Some(told.heard.words()),
        _ => None,
    };
    let notes: String = told.notes.iter().chain(&heard).map(|note| format!(" · {}", inline(note))).collect();
    let what = format!("{}{notes} [{}]", inline(&told.what), record.seq.0);
    let who = told.who.as_ref().map_or(String::new(), |who| format!("**{}** ", inline(who)));
    let head = match told.form {
        RecordForm::Opening if record.at.round > 0 => format!("### {what}"),
        RecordForm::Opening => format!("## {what}"),
        RecordForm::Outcome => format!("## Outcome: {what}"),
        RecordForm::Speech => format!("{who}#{}.{} · {what}", record.at.round, record.at.turn),
        RecordForm::Aside | RecordForm::Procedure | RecordForm::Fault | RecordForm::Closing => match told.heard {
            RecordAudience::Everyone | RecordAudience::Listeners => format!("{who}{what}"),
            _ => format!("*{}* {who}{what}", inline(&told.heard.words())),
        },
    };
    let lines: String = told.lines.iter().map(|line| format!("- {}\n", inline(line))).collect();
    let words = told.words.as_ref().map_or(String::new(), |words| block(words));
    let parts = [lines, words].into_iter().filter(|part| !part.is_empty());
    parts.fold(format!("\n{head}\n"), |out, part| format!("{out}\n{part}"))
}

/// Lists the alternatives with their labels.
fn put_alternatives(arm: &ArmFacts, key: Option<&AlternativeName>, out: &mut String) {
    for (name, label) in arm.alternatives.iter().zip(&arm.labels) {
        let right = if key == Some(name) { " (the key)" } else { "" };
        put_line!(out, "  - {}: {}{right}", inline(name.as_str()), inline(label));
    }
}

/// The levels of an arm in words, and its name.
fn arm_in_words(arm: &ArmFacts) -> String {
    let levels = levels_in_words(&arm.levels);
    let name = inline(&arm.arm);
    if levels.is_empty() { name } else { format!("{} ({name})", inline(&levels)) }
}

/// Lists an item: question, alternatives and key.
fn put_item(item: &ItemFacts, arm: &ArmFacts, out: &mut String) {
    put_line!(out, "- item: {}", inline(&item.id));
    let question = item.text.split_whitespace().collect::<Vec<&str>>().join(" ");
    put_line!(out, "  - question: {}", inline(&question));
    put_alternatives(arm, item.key.as_ref().and_then(Truth::alternative), out);
    match &item.key {
        None => out.push_str("  - no key\n"),
        Some(Truth::Amount(amount)) => {
            let unit = arm.unit.as_deref().map_or(String::new(), |unit| format!(" {}", inline(unit)));
            put_line!(out, "  - right is {}{unit}; nobody is told", grouped(u64::from(*amount)));
        }
        Some(Truth::Alternative(_)) => {}
    }
}
