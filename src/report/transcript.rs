//! A session as readable Markdown, record by record. What seats wrote is shown inert, see [`inline`].

use std::fmt::Write as _;

use crate::domain::{
    AlternativeName, Event, FirstOpinions, Hand, Inquiry, Language, MemoryAct, NameGiven, Needed, NoteTaken, Number,
    PhaseName, Record, SeatHears, SeatName, SeatNotes, Seated, Seq, Spared, Target, Truth, Voice,
};
use crate::metrics::{ArmFacts, ItemFacts, SessionFacts};
use crate::report::arm::levels_in_words;
use crate::report::passages::{adjourned, faulted, harvested, names, paid, right_one, said, tallied, thousandths};
use crate::report::plain::{block, inline};
use crate::report::render::grouped;
use crate::report::told::kept;

/// The policy under which a group hears another's words.
const SHUFFLED: &str = "shuffled";
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
    session: String,
    /// What its plan says of it; `None` where that cannot be read.
    facts: Option<SessionFacts>,
    filter: Filter,
    /// What is right, as far as it is known by now: by the item, or what the minutes say.
    right: Option<Truth>,
}

impl Transcript {
    /// Begins a transcript.
    pub fn new(facts: SessionFacts, filter: Filter) -> Self {
        let right = facts.item.as_ref().and_then(|item| item.key.clone());
        Self { session: facts.session.clone(), facts: Some(facts), filter, right }
    }

    /// Begins the transcript of a session whose plan cannot be read.
    pub fn without_plan(session: String, filter: Filter) -> Self {
        Self { session, facts: None, filter, right: None }
    }

    /// The head: which session this is and who sits at the table.
    pub fn header(&self) -> String {
        let mut out = format!("# {}\n\n", inline(&self.session));
        match &self.facts {
            Some(facts) => self.planned(facts, &mut out),
            None => out.push_str("Its plan cannot be read: this is what its record says.\n"),
        }
        out.push_str("\nA number in brackets is the record's number in the minutes; #2.1 is round 2, turn 1.\n");
        out
    }

    /// What is known of it by its plan.
    fn planned(&self, facts: &SessionFacts, out: &mut String) {
        let arm = &facts.arm;
        let seats: Vec<String> = arm.seats.iter().map(|seat| inline(seat.name.as_str())).collect();
        let lines = [
            ("experiment", inline(&arm.experiment)),
            ("arm", of_arm(arm)),
            ("replicate", facts.replicate.to_string()),
            ("seats", seats.join(", ")),
            ("plan", arm.plan_digest.to_string()),
            ("determinism", arm.determinism.as_str().to_owned()),
        ];
        for (name, value) in lines {
            writeln!(out, "- {name}: {value}").expect(WROTE);
        }
        if arm.seats.iter().any(|seat| seat.weight != 1) {
            let weights: Vec<String> =
                arm.seats.iter().map(|seat| format!("{} {}", inline(seat.name.as_str()), seat.weight)).collect();
            writeln!(out, "- how much each ballot counts: {}", weights.join(", ")).expect(WROTE);
        }
        match &facts.item {
            Some(item) => item_of(item, arm, out),
            None => {
                out.push_str("- alternatives:\n");
                alternatives_of(arm, None, out);
            }
        }
    }

    fn arm(&self) -> Option<&ArmFacts> {
        self.facts.as_ref().map(|facts| &*facts.arm)
    }

    /// One record; empty when it is filtered out or holds nothing to read.
    pub fn take(&mut self, record: &Record) -> String {
        if let Event::Dealt { truth: Some(truth), .. } = &record.event {
            self.right = Some(truth.clone());
        }
        let in_phase = self.filter.phase.as_ref().is_none_or(|phase| *phase == record.at.phase);
        if !in_phase || !record.seat.as_ref().is_none_or(|seat| self.is_of(seat)) {
            return String::new();
        }
        let (at, seq) = (&record.at, record.seq.0);
        match &record.event {
            Event::SessionConvened { lender: Some(lender), .. } => {
                let other = inline(&lender.session);
                format!(
                    "\n**Another group's words** [{seq}]\n\nSeats did not hear what was said here. In the place of each statement they \
                     heard one of {other}, of the same round and turn, cut or repeated to the same length; where {other} has none, its \
                     statements from the first on.\n"
                )
            }
            Event::SessionConvened { target: Some(target), .. } => matched(target, seq),
            Event::SessionConvened { first: Some(first), .. } => begun_with(first, seq),
            Event::SessionConvened { lender: None, target: None, first: None, .. } | Event::RoundClosed { .. } => {
                String::new()
            }
            Event::Spoke { text, stance, stance_amount, .. } => {
                let stance = stance.as_ref().map(|name| said(name, *stance_amount));
                self.spoke(record, text, stance)
            }
            Event::PhaseOpened { .. } => format!("\n## {} [{seq}]\n", inline(at.phase.as_str())),
            Event::Seated { seats } => self.seated(seq, seats),
            Event::Networked { hears } => self.networked(seq, hears),
            Event::NamesGiven { names } => self.named(seq, names),
            Event::NotesBrought { notes, from } => self.brought(seq, notes, from.as_ref()),
            Event::Instructed { text, to, by, pushes, .. } => self.instructed(seq, text, to, *by, pushes.as_ref()),
            Event::Exhibited { exhibit, pages, to, .. } => self.exhibited(seq, exhibit, *pages, to),
            Event::Dealt { truth, hands } => self.dealt(seq, truth.as_ref(), hands),
            Event::Reminded { to, act, spared } => self.reminded(seq, to, act, spared),
            Event::Marked { to, phase, statement, of, .. } => self.marked(seq, to, (phase, *statement), *of),
            Event::SituationOpened { situation, multiplier } => {
                let times = multiplier.map_or(String::new(), |times| format!(", incomes × {}", thousandths(times)));
                format!("\n### Round {} · situation {}{times} [{seq}]\n", at.round, inline(situation))
            }
            Event::RoundOpened { order } => {
                let order: Vec<String> = order.iter().map(|name| inline(name.as_str())).collect();
                let speaking = match order.as_slice() {
                    [] => "Nobody speaks in this round.".to_owned(),
                    order => format!("Speaking order: {}", order.join(", ")),
                };
                format!("\n### Round {} [{seq}]\n\n{speaking}\n", at.round)
            }
            Event::Paid { stage, situation, multiplier, payoffs } => {
                let shown = payoffs.iter().filter(|payoff| self.is_of(&payoff.seat));
                paid(seq, (*stage, situation, *multiplier), shown)
            }
            Event::Sampled { samples, taken } => {
                let taken = taken.map_or("not told".to_owned(), |taken| taken.to_string());
                format!("\n**Votes taken**: {samples} of every seat; the session took {taken} by then [{seq}]\n")
            }
            Event::Harvested { stock, harvests, left, grown } => {
                harvested(seq, (*stock, *left, *grown), harvests.iter().filter(|harvest| self.is_of(&harvest.seat)))
            }
            Event::Tallied(report) => tallied(seq, report, self.arm().map(|arm| arm.strength)),
            Event::Imposed { alternative, amount } => {
                format!("\n**Imposed**: {} [{seq}]\n", said(alternative, *amount))
            }
            Event::Adjourned { verdict, stop, decided } => {
                adjourned(seq, (*verdict, *stop), decided.as_ref(), self.right.as_ref())
            }
            _ => answered(record),
        }
    }

    /// Whether the filter lets through what belongs to this seat.
    fn is_of(&self, seat: &SeatName) -> bool {
        self.filter.seat.as_ref().is_none_or(|wanted| wanted == seat)
    }

    fn spoke(&self, record: &Record, text: &str, stance: Option<String>) -> String {
        let seat = record.seat.as_ref().map(|seat| inline(seat.as_str())).unwrap_or_default();
        let stance = stance.map_or("no stance declared".to_owned(), |stance| format!("favours {stance}"));
        let unheard =
            if self.arm().is_some_and(|arm| arm.memory.policy == SHUFFLED) { " · heard by nobody" } else { "" };
        let (round, turn, seq) = (record.at.round, record.at.turn, record.seq.0);
        format!("\n**{seat}** #{round}.{turn} · {stance}{unheard} [{seq}]\n\n{}", block(text))
    }

    fn seated(&self, seq: u64, seats: &[Seated]) -> String {
        let mut out = String::new();
        for seated in seats.iter().filter(|seated| self.is_of(&seated.seat)) {
            let persona = seated.persona.iter().map(|id| format!("persona {}", inline(id)));
            let traits =
                seated.traits.iter().map(|drawn| format!("{} {}", inline(&drawn.name), drawn.millionths as f64 / 1e6));
            let words: Vec<String> = persona.chain(traits).collect();
            writeln!(out, "- {}: {}", inline(seated.seat.as_str()), words.join(", ")).expect(WROTE);
        }
        if out.is_empty() { out } else { format!("\n**Seats, as drawn** [{seq}]\n\n{out}") }
    }

    fn exhibited(&self, seq: u64, exhibit: &str, pages: u32, to: &[SeatName]) -> String {
        if !to.is_empty() && !to.iter().any(|seat| self.is_of(seat)) {
            return String::new();
        }
        let length = if pages == 0 { String::new() } else { format!(", by {pages} pages") };
        let whom: Vec<String> = to.iter().map(|seat| inline(seat.as_str())).collect();
        let whom = if whom.is_empty() { "every seat".to_owned() } else { whom.join(", ") };
        format!("\n**Exhibit** {} is shown to {whom}{length} [{seq}]\n", inline(exhibit))
    }

    fn named(&self, seq: u64, names: &[NameGiven]) -> String {
        let mut out = String::new();
        for given in names.iter().filter(|given| self.is_of(&given.seat)) {
            writeln!(out, "- {} is called {}", inline(given.seat.as_str()), inline(&given.name)).expect(WROTE);
        }
        if out.is_empty() { out } else { format!("\n**Names that seats chose** [{seq}]\n\n{out}") }
    }

    fn networked(&self, seq: u64, all: &[SeatHears]) -> String {
        let shown = all.iter().filter(|of| self.is_of(&of.seat));
        let each = shown.map(|SeatHears { seat, hears }| {
            let others: Vec<String> = hears.iter().map(|other| inline(other.as_str())).collect();
            let others = if others.is_empty() { "nobody else".to_owned() } else { others.join(", ") };
            format!("- {} hears {others}\n", inline(seat.as_str()))
        });
        let each: String = each.collect();
        if each.is_empty() { each } else { format!("\n**Who hears whom** [{seq}]\n\n{each}") }
    }

    fn brought(&self, seq: u64, notes: &[SeatNotes], from: Option<&Needed>) -> String {
        let from = from.map_or(String::new(), |from| format!(" of {}", inline(&from.session)));
        let shown = notes.iter().filter(|notes| self.is_of(&notes.seat));
        let each = shown.map(|notes| {
            let seat = inline(notes.seat.as_str());
            format!("\n*private* **{seat}** has its notes{from} again [{seq}]\n\n{}", block(&notes.lines.join("\n")))
        });
        each.collect()
    }

    fn dealt(&self, seq: u64, truth: Option<&Truth>, hands: &[Hand]) -> String {
        let right = truth.map(|truth| format!("\n**Right is** {}; nobody is told [{seq}]\n", right_one(truth)));
        let told = hands.iter().filter(|hand| self.is_of(&hand.seat)).map(|hand| {
            let seat = inline(hand.seat.as_str());
            format!("\n*private* **{seat}** is told alone [{seq}]\n\n{}", block(&hand.text))
        });
        right.into_iter().chain(told).collect()
    }

    /// A statement is to be kept, or was not made by then.
    fn marked(&self, seq: u64, to: &[SeatName], (phase, statement): (&PhaseName, Number), of: Option<Seq>) -> String {
        let Some(whose) = self.whose(to) else { return String::new() };
        let named = format!("{statement} of {}", inline(phase.as_str()));
        match of {
            Some(of) => format!("\n**Marked for {whose}: {named}, record {}** [{seq}]\n", of.0),
            None => format!("\n**Nothing is marked for {whose}: {named} was not made by then** [{seq}]\n"),
        }
    }

    /// Seats as they are named; `None` where none of them is told of.
    fn whose(&self, to: &[SeatName]) -> Option<String> {
        if !to.is_empty() && !to.iter().any(|seat| self.is_of(seat)) {
            return None;
        }
        let whose: Vec<String> = to.iter().map(|seat| inline(seat.as_str())).collect();
        Some(if whose.is_empty() { "every seat".to_owned() } else { whose.join(", ") })
    }

    fn reminded(&self, seq: u64, to: &[SeatName], act: &MemoryAct, spared: &[Spared]) -> String {
        let Some(whose) = self.whose(to) else { return String::new() };
        match act {
            MemoryAct::Compact { focus } => {
                let focus = focus.as_ref().map_or(String::new(), |focus| format!("\n{}", block(focus)));
                let spared = spared.iter().filter(|Spared { seat, .. }| self.is_of(seat));
                let stays = spared.map(|Spared { seat, why }| {
                    format!("\nThe memory of {} stays as it is, because {}.\n", inline(seat.as_str()), why.words())
                });
                format!(
                    "\n**The memory of {whose} is to be made shorter** [{seq}]\n{focus}{}",
                    stays.collect::<String>()
                )
            }
            MemoryAct::Forget { phase: None } => format!("\n**Forgets all but what is pinned: {whose}** [{seq}]\n"),
            MemoryAct::Forget { phase: Some(phase) } => {
                let phase = inline(phase.as_str());
                format!("\n**Forgets what is not pinned of {phase}: {whose}** [{seq}]\n")
            }
        }
    }

    fn instructed(&self, seq: u64, text: &str, to: &[SeatName], by: Voice, pushes: Option<&AlternativeName>) -> String {
        let by = match by {
            Voice::Facilitator => "Facilitator",
            Voice::Human => "Human",
        };
        if to.is_empty() {
            return format!("\n**{by}** [{seq}]\n\n{}", block(text));
        }
        if !to.iter().any(|seat| self.is_of(seat)) {
            return String::new();
        }
        let to: Vec<String> = to.iter().map(|seat| inline(seat.as_str())).collect();
        let pushes = pushes.map_or(String::new(), |name| format!(" · is to push {}", said(name, None)));
        format!("\n*private* **{by}** to {}{pushes} [{seq}]\n\n{}", to.join(", "), block(text))
    }
}

/// What may be chosen, each with its label.
fn alternatives_of(arm: &ArmFacts, key: Option<&AlternativeName>, out: &mut String) {
    for (name, label) in arm.alternatives.iter().zip(&arm.labels) {
        let right = if key == Some(name) { " (the key)" } else { "" };
        writeln!(out, "  - {}: {}{right}", inline(name.as_str()), inline(label)).expect(WROTE);
    }
}

/// An arm by its levels in words, and its name.
fn of_arm(arm: &ArmFacts) -> String {
    let levels = levels_in_words(&arm.levels);
    let name = inline(&arm.arm);
    if levels.is_empty() { name } else { format!("{} ({name})", inline(&levels)) }
}

/// The item: its question, what may be chosen and what is right.
fn item_of(item: &ItemFacts, arm: &ArmFacts, out: &mut String) {
    writeln!(out, "- item: {}", inline(&item.id)).expect(WROTE);
    let question = item.text.split_whitespace().collect::<Vec<&str>>().join(" ");
    writeln!(out, "  - question: {}", inline(&question)).expect(WROTE);
    alternatives_of(arm, item.key.as_ref().and_then(Truth::alternative), out);
    match &item.key {
        None => out.push_str("  - no key\n"),
        Some(Truth::Amount(amount)) => {
            let unit = arm.unit.as_deref().map_or(String::new(), |unit| format!(" {}", inline(unit)));
            writeln!(out, "  - right is {}{unit}; nobody is told", grouped(u64::from(*amount))).expect(WROTE);
        }
        Some(Truth::Alternative(_)) => {}
    }
}

/// What a seat did to its notes.
fn noted(note: &NoteTaken, alone: impl Fn(&str, &str) -> String) -> String {
    let replaced = note
        .replace
        .as_ref()
        .map(|replace| alone("replaces in its notes", &replace.old) + &alone("with", &replace.new));
    let added = note.append.as_ref().map(|text| alone("notes", text));
    let all: String = replaced.into_iter().chain(added).collect();
    if all.is_empty() { alone("notes nothing", "") } else { all }
}

/// How a seat did in a test.
fn tested(round: u32, answers: &[u32], (correct, passed): (u32, bool)) -> String {
    let tables: Vec<String> = answers.iter().map(u32::to_string).collect();
    let passed = if passed { "passed" } else { "failed" };
    format!("test, try {round}: {correct} of {} right, {passed}; tables {}", answers.len(), tables.join(", "))
}

/// An answer of a seat; empty for what no seat answered.
fn answered(record: &Record) -> String {
    let seat = record.seat.as_ref().map(|seat| inline(seat.as_str())).unwrap_or_default();
    let (at, seq) = (&record.at, record.seq.0);
    let label = kept(record).words();
    let alone = |what: &str, words: &str| {
        let words = if words.is_empty() { String::new() } else { format!("\n{}", block(words)) };
        format!("\n*{label}* **{seat}** {what} [{seq}]\n{words}")
    };
    let shown = |options: &[AlternativeName]| format!("(shown: {})", names(options));
    match &record.event {
        Event::Passed { .. } => format!("\n**{seat}** #{}.{} passed [{seq}]\n", at.round, at.turn),
        Event::Reasoned { text, .. } => alone("thinks", text),
        Event::Polled { alternative, amount, options, raw, .. } => {
            alone(&format!("straw poll: {} {}", said(alternative, *amount), shown(options)), raw)
        }
        Event::Balloted { alternative, amount, options, raw, .. } => {
            alone(&format!("ballot: {} {}", said(alternative, *amount), shown(options)), raw)
        }
        Event::Voted { ballot, options, raw, .. } => {
            alone(&format!("ballot: {} {}", inline(&ballot.told(Language::En)), shown(options)), raw)
        }
        Event::Abstained { options, raw, .. } => alone(&format!("ballot: abstains {}", shown(options)), raw),
        Event::AmountNamed { amount, raw, .. } => alone(&format!("amount: {}", grouped(u64::from(*amount))), raw),
        Event::HarvestAsked { amount, raw, .. } => alone(&format!("asks for {amount} of the stock"), raw),
        Event::Ranked { order, certainty, options, raw, .. } => {
            let order: Vec<String> = order.iter().map(|name| inline(name.as_str())).collect();
            let certainty = certainty.as_str().replace('_', " ");
            alone(&format!("ranking: {} · {certainty} {}", order.join(" › "), shown(options)), raw)
        }
        Event::Tested { answers, correct, passed, raw, .. } => {
            alone(&tested(at.round, answers, (*correct, *passed)), raw)
        }
        Event::Applied { alternative, amount, certainty, reasoning, options, .. } => {
            let certainty = certainty.as_str().replace('_', " ");
            alone(&format!("applies {} · {certainty} {}", said(alternative, *amount), shown(options)), reasoning)
        }
        Event::Volunteered { urgency: Some(urgency), .. } => alone(&format!("wants to speak, urgency {urgency}"), ""),
        Event::Volunteered { urgency: None, .. } => alone("does not want to speak", ""),
        Event::CallAnswered { calls: true, .. } => format!("\n**{seat}** calls a vote [{seq}]\n"),
        Event::CallAnswered { calls: false, .. } => alone("does not call a vote", ""),
        Event::Confirmed { agrees: true, .. } => format!("\n**{seat}** agrees to vote now [{seq}]\n"),
        Event::Confirmed { agrees: false, .. } => format!("\n**{seat}** does not agree to vote now [{seq}]\n"),
        Event::Integrated { text, .. } => alone("rewrites its memory, given what happened", text),
        Event::Compressed { text, .. } => alone("makes its memory shorter", text),
        Event::Inquired { inquiry, found, .. } => {
            let found: Vec<String> = found.iter().map(|seq| format!("[{}]", seq.0)).collect();
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
            match inquiry {
                Inquiry::LookUp(words) => alone(&format!("looks up, and finds {found}"), words),
                Inquiry::Page(name) => alone(&format!("asks for a page, and finds {found}"), name),
            }
        }
        Event::Named { name, .. } => alone(&format!("wants to be called {}", inline(name)), ""),
        Event::Noted { note, .. } => noted(note, alone),
        Event::Recognised { recognised, recognised_as, .. } => {
            let what = if *recognised { "recognises it" } else { "recognises nothing" };
            alone(what, recognised_as.as_deref().unwrap_or_default())
        }
        Event::Faulted { fault, then, raw, .. } => faulted(record, &seat, *fault, *then, raw),
        _ => String::new(),
    }
}

/// What a session of matched votes is to take.
fn matched(target: &Target, seq: u64) -> String {
    format!(
        "\n**Matched votes** [{seq}]\n\nEvery seat votes, each time as if it were the first, until the session took as much as {}: {} \
         {}.\n",
        inline(&target.of.session),
        target.amount,
        target.unit.as_str()
    )
}

/// What the seats of a null begin with.
fn begun_with(first: &FirstOpinions, seq: u64) -> String {
    format!(
        "\n**A null** [{seq}]\n\nEvery seat is simulated and begins with what the same seat of {} said alone before the talk: {} of \
         them said something that counted.\n",
        inline(&first.of.session),
        first.seats.len()
    )
}
