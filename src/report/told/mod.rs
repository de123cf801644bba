//! The wording of records: what happened, who could hear it, and the words themselves.
//!
//! The texts are not escaped; terminal and page layouts escape them.

mod answered;
mod declared;
mod kept;
mod plan_words;

use std::collections::BTreeMap;

use crate::domain::{
    Consequence, Convened, OpenBallots, PhaseName, PhaseOpened, Record, RuleKind, SeatName, Step, StopReason, Truth,
    Verdict,
};
use crate::report::numbers::grouped;
use crate::report::quoted;

use kept::later_audience;
pub use plan_words::PlanWords;
pub(in crate::report) use plan_words::{fit_into_sentences, shorten_labels};

/// The role of a record in a session, which decides its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The beginning of a session, a phase or a round.
    Opening,
    /// A statement or a pass.
    Speech,
    /// A private answer.
    Aside,
    /// An announcement, a draw or a count.
    Procedure,
    /// An answer that does not count.
    Fault,
    /// The end of a round.
    Closing,
    /// The end of the session.
    Outcome,
}

/// The audience of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Every seat.
    Everyone,
    /// The seats that hear the speaker in the network.
    Listeners,
    /// No seat, because another group's words replace it.
    Replaced,
    /// These seats.
    Only(Vec<String>),
    /// These seats once the ballots are counted; `None` for every seat.
    WithCount(Option<Vec<String>>),
    /// Each seat its own part.
    Each,
    /// Only its own seat, which may remember it.
    Itself,
    /// No seat, and no memory keeps it.
    Nobody,
}

impl Heard {
    /// The audience in words.
    pub fn words(&self) -> String {
        match self {
            Heard::Everyone => "heard by all".to_owned(),
            Heard::Listeners => "heard by those whom the network lets hear it".to_owned(),
            Heard::Replaced => "heard by nobody: another group's words stand in its place".to_owned(),
            Heard::Only(seats) => format!("to {} only", seats.join(", ")),
            Heard::WithCount(None) => "private until the count, then heard by all".to_owned(),
            Heard::WithCount(Some(seats)) => format!("private until the count, then to {} only", seats.join(", ")),
            Heard::Each => "to each seat what concerns it".to_owned(),
            Heard::Itself => "private".to_owned(),
            Heard::Nobody => "only recorded".to_owned(),
        }
    }

    /// Whether it was not said to everyone. Statements in a network count as public.
    pub fn is_private(&self) -> bool {
        matches!(self, Heard::Only(_) | Heard::WithCount(_) | Heard::Each | Heard::Itself | Heard::Nobody)
    }
}

/// A record in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Its role in the session.
    pub form: Form,
    /// Its audience.
    pub heard: Heard,
    /// The seat, or the voice of the procedure.
    pub who: Option<String>,
    /// What happened; continues the name, if there is one.
    pub what: String,
    /// Short remarks.
    pub notes: Vec<String>,
    /// One line per seat or alternative.
    pub lines: Vec<String>,
    /// A quotation: a statement, a thought or a raw reply.
    pub words: Option<String>,
}

impl Told {
    fn new(form: Form, heard: Heard, what: impl Into<String>) -> Self {
        Self { form, heard, who: None, what: what.into(), notes: Vec::new(), lines: Vec::new(), words: None }
    }

    fn by(mut self, who: impl Into<String>) -> Self {
        self.who = Some(who.into());
        self
    }

    fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn listing(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// Has a ballot be heard by all, with the count or when it is cast, or leaves it private.
    fn heard_as_ballot(self, open: OpenBallots) -> Self {
        let heard = match open {
            OpenBallots::Never => self.heard.clone(),
            OpenBallots::Announced => Heard::WithCount(None),
            OpenBallots::InTurn => Heard::Everyone,
        };
        Self { heard, ..self }
    }

    fn saying(mut self, words: &str) -> Self {
        self.words = (!words.is_empty()).then(|| words.to_owned());
        self
    }
}

/// Words the records of a session, which must be passed in order.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    /// Whether another group's words replace this group's.
    is_lent: bool,
    /// The seats that hear each seat in the network; `None` where everyone hears everyone.
    listeners: Option<BTreeMap<SeatName, Vec<SeatName>>>,
    /// The same in the talks that have a network of their own.
    linked: BTreeMap<PhaseName, BTreeMap<SeatName, Vec<SeatName>>>,
    /// Whether nobody hears anybody, so that counts and calls are not announced either.
    is_alone: bool,
    /// The right answer, once the minutes give it.
    right: Option<String>,
    /// Whether the reader sees all records, so that the outcome need not repeat the right answer.
    is_beside_all: bool,
    /// The names that seats chose for themselves.
    called: BTreeMap<SeatName, String>,
    /// Who hears the phases that not everyone hears.
    hearers: BTreeMap<PhaseName, Vec<SeatName>>,
    /// The labels of options and the measure of defeat strength.
    plan: PlanWords,
    /// The only seat to report; `None` for all.
    seat: Option<SeatName>,
    /// How many votes were counted so far.
    votes: u32,
}

impl Reader {
    /// Words all records of a session.
    pub fn of(plan: PlanWords) -> Self {
        Self { plan, is_beside_all: true, ..Self::default() }
    }

    /// Words the records that concern one seat, or all. `right` is the right answer, if the plan gives it.
    pub fn of_seat(plan: PlanWords, seat: Option<SeatName>, right: Option<&Truth>) -> Self {
        let right = right.map(|right| right_words(right, &plan));
        Self { plan, seat, right, ..Self::default() }
    }

    /// Whether the seat is reported.
    fn is_of(&self, seat: &SeatName) -> bool {
        self.seat.as_ref().is_none_or(|wanted| wanted == seat)
    }

    /// Words the next record.
    pub fn take(&mut self, record: &Record) -> Told {
        if let Some(Convened { lender, truth, .. }) = record.event.convened() {
            self.is_lent = lender.is_some();
            self.right = truth.as_ref().map(|truth| right_words(truth, &self.plan)).or(self.right.take());
        }
        let seats = record.event.seated();
        if seats.iter().any(|of| of.hears.is_some()) {
            let listeners = list_listeners(seats.iter().map(|of| (&of.seat, of.hears.as_deref().unwrap_or_default())));
            self.is_alone = listeners.is_empty();
            self.listeners = Some(listeners);
        }
        self.called.extend(seats.iter().filter_map(|of| Some((of.seat.clone(), of.name.clone()?))));
        self.votes += u32::from(record.event.is_tallied());
        if let Some(PhaseOpened { heard_by, hears, .. }) = record.event.phase_opened() {
            self.hearers.extend(heard_by.clone().map(|names| (record.at.phase.clone(), names)));
            let listeners =
                hears.as_ref().map(|hears| list_listeners(hears.iter().map(|(seat, of)| (seat, of.as_slice()))));
            self.linked.extend(listeners.map(|listeners| (record.at.phase.clone(), listeners)));
        }
        let mut told = match &record.seat {
            Some(seat) => answered::word_answer(record, self.floor(&record.at.phase), &self.plan).by(seat.as_str()),
            None => declared::word_declaration(record, self),
        };
        if self.is_alone
            && (record.event.is_tallied()
                || matches!(record.at.step, Step::VoteCall | Step::Confirmation) && record.reply().is_some())
        {
            told.heard = Heard::Nobody;
        }
        let is_said = matches!(told.heard, Heard::Everyone | Heard::Listeners | Heard::WithCount(_))
            && (record.seat.is_some() || record.event.is_tallied());
        if let Some(names) = self.hearers.get(&record.at.phase)
            && (is_said || record.form_values().is_some())
        {
            // A network limits who hears statements, and nothing else.
            let speaker = record.seat.as_ref().filter(|_| told.heard == Heard::Listeners);
            let hears = |name: &&SeatName| {
                speaker.is_none_or(|speaker| *name == speaker || self.hears(name, speaker, &record.at.phase))
            };
            let names: Vec<String> = names.iter().filter(hears).map(ToString::to_string).collect();
            told.heard = match told.heard {
                Heard::WithCount(_) if names.is_empty() => Heard::Itself,
                Heard::WithCount(_) => Heard::WithCount(Some(names)),
                _ if names.is_empty() => Heard::Nobody,
                _ => Heard::Only(names),
            };
        }
        if told.form == Form::Outcome && !self.is_beside_all {
            told.notes.extend(self.right.clone());
        }
        match record.seat.as_ref().and_then(|seat| self.called.get(seat)) {
            Some(name) if told.form == Form::Speech => told.noting([format!("called {name}")]),
            _ => told,
        }
    }

    /// Whether a seat hears another in the network.
    fn hears(&self, listener: &SeatName, speaker: &SeatName, phase: &PhaseName) -> bool {
        let Some(all) = self.linked.get(phase).or(self.listeners.as_ref()) else { return true };
        all.get(speaker).is_some_and(|listeners| listeners.contains(listener))
    }

    /// The audience of statements.
    fn floor(&self, phase: &PhaseName) -> Heard {
        match (self.is_lent, self.linked.contains_key(phase) || self.listeners.is_some()) {
            (true, _) => Heard::Replaced,
            (false, _) if self.is_alone => Heard::Nobody,
            (false, true) => Heard::Listeners,
            (false, false) => Heard::Everyone,
        }
    }
}

/// The seats that hear each seat, of lists of those that each seat hears.
fn list_listeners<'n>(
    hears: impl Iterator<Item = (&'n SeatName, &'n [SeatName])>,
) -> BTreeMap<SeatName, Vec<SeatName>> {
    let mut listeners: BTreeMap<SeatName, Vec<SeatName>> = BTreeMap::new();
    for (listener, others) in hears {
        others.iter().for_each(|other| listeners.entry(other.clone()).or_default().push(listener.clone()));
    }
    listeners
}

fn right_words(truth: &Truth, plan: &PlanWords) -> String {
    match truth {
        Truth::Alternative(name) => format!("right is {}", quoted(&plan.word_option(name))),
        Truth::Amount(amount) => format!("right is {}", grouped(u64::from(*amount))),
    }
}

fn join_names<'n>(names: impl IntoIterator<Item = &'n SeatName>) -> String {
    names.into_iter().map(SeatName::as_str).collect::<Vec<_>>().join(", ")
}

/// Replaces underscores with blanks.
fn spell_out(word: &str) -> String {
    word.replace('_', " ")
}

/// The consequence of an answer that does not count, in words.
pub(in crate::report) fn consequence_words(then: Consequence, step: Step) -> &'static str {
    match (then, step) {
        (Consequence::AskedAgain, _) => "asked again",
        (Consequence::TriesUsedUp, Step::Ballot | Step::Amount) => "tries used up, the ballot is invalid",
        (Consequence::TriesUsedUp, Step::StrawPoll) => "tries used up, the poll stays unanswered",
        (Consequence::TriesUsedUp, Step::Statement) => "tries used up, the turn is forfeited",
        (Consequence::TriesUsedUp, Step::VoteCall) => "tries used up, no vote is called",
        (Consequence::TriesUsedUp, Step::Confirmation) => "tries used up, it counts as a no",
        (Consequence::TriesUsedUp, Step::Volunteer) => "tries used up, the seat does not speak in this round",
        (Consequence::TriesUsedUp, Step::Integration | Step::Compression) => "tries used up, the memory stays as it is",
        (Consequence::TriesUsedUp, Step::Naming) => "tries used up, it keeps the name of its seat",
        (Consequence::TriesUsedUp, Step::Notes) => "tries used up, its notes stay as they are",
        (Consequence::TriesUsedUp, Step::Ask) => "tries used up, the form stays unanswered",
        (Consequence::TriesUsedUp, Step::Recognition) => "tries used up, nothing is known of it",
        (Consequence::TriesUsedUp, Step::Application) => "tries used up, nothing is paid",
        (Consequence::TriesUsedUp, _) => "tries used up",
    }
}

/// The outcome of a session in words, with the decision if there is one.
pub(in crate::report) fn outcome_words(
    (verdict, stop): (Verdict, StopReason),
    decided: Option<String>,
    votes: u32,
) -> String {
    match (verdict, decided) {
        (Verdict::Carried, Some(name)) => format!("carried: {name}"),
        (Verdict::Carried, None) => "carried".to_owned(),
        (Verdict::Imposed, Some(name)) => format!("imposed: {name}"),
        (Verdict::Imposed, None) => "imposed".to_owned(),
        (Verdict::NoDecision, _) => "no decision".to_owned(),
        (Verdict::NoQuorum, _) => "no decision, for want of valid ballots".to_owned(),
        // Earlier votes are possible here.
        (Verdict::NotApplicable, _) if stop == StopReason::NobodyLeft => "nobody was left to decide".to_owned(),
        // A vote of each group decides nothing for the session, and neither does one that is not binding.
        (Verdict::NotApplicable, _) if votes > 0 => "no vote was to decide the session".to_owned(),
        (Verdict::NotApplicable, _) => "no vote was held".to_owned(),
    }
}

/// The reason for the end of a session, in words.
pub(in crate::report) fn stop_words(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Decided => "a vote decided",
        StopReason::RoundsUsedUp => "all rounds were used up",
        StopReason::Undecided => "the vote decided nothing",
        StopReason::Imposed => "the decision was imposed",
        StopReason::Converged => "statements had become alike, which ended the talk",
        StopReason::NobodyLeft => "every seat was excluded",
        StopReason::AgendaDone => "the agenda is at its end",
    }
}

/// Whether a rule weighs how strongly an alternative beats another.
pub(in crate::report) fn weighs_wins(rule: RuleKind) -> bool {
    matches!(rule, RuleKind::Minimax | RuleKind::Schulze | RuleKind::RankedPairs)
}

/// Formats thousandths as a decimal number.
pub(in crate::report) fn format_thousandths(value: u32) -> String {
    let text = format!("{}.{:03}", value / 1000, value % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats cents as dollars.
pub(in crate::report) fn format_dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
