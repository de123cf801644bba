//! What one seat had before it when it answered one question: what it was shown, word by word, and what it had witnessed and
//! was not shown, each with the reason.
//!
//! The account of what a seat witnessed is kept from the records and the floor alone, as far as that can be done; what was
//! shown is the memory's word.

use std::ops::ControlFlow;

use super::retrace::{Misfit, Traced, retrace};
use super::wording::Wording;
use crate::domain::{
    Brief, Consequence, Event, Fault, MemoryReport, Motion, OwnEntry, QuestionId, Record, Remark, SeatId, Seq, Shown,
    Step,
};
use crate::memory::guidance::{kept_text, remark_line};
use crate::memory::notice::HUMAN;
use crate::memory::{Memory, MemoryPolicy};
use crate::plan::{OpenAiModel, Plan};
use crate::prompt::PromptError;
use crate::search::words_of;
use crate::text::chars;

/// What one seat had before it when it answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Glimpse {
    /// The question.
    pub question: QuestionId,
    /// The record that answers it.
    pub seq: Seq,
    /// The question as a model gets it.
    pub wording: Wording,
    /// What was shown, as the answer's record has it.
    pub shown: Shown,
    /// What was shown of the memory, oldest first.
    pub entries: Vec<Entry>,
    /// What was witnessed and not shown, oldest first.
    pub omitted: Vec<Omitted>,
    /// What the seat's memory holds.
    pub memory: MemoryReport,
    /// What the public history holds: remarks, and their length in characters as rendered.
    pub history: (u64, u64),
    /// What the public history has dropped since the session began, counted likewise.
    pub history_dropped: (u64, u64),
    /// The records in which the seat rewrote its memory before: given what happened, and because it was nearly full.
    pub rewritings: (Vec<Seq>, Vec<Seq>),
    /// The records in which its model refused a prompt as too long: it is shown less from each of them on.
    pub refusals: Vec<Seq>,
    /// For the rewriting of a memory: what it was to take the place of, before and after; they are alike where it failed.
    pub rewritten: Option<(Vec<Entry>, Vec<Entry>)>,
}

/// Something that was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The record it comes from.
    pub seq: Seq,
    /// What was shown, as the prompt has it.
    pub text: String,
    /// Whether it is never dropped or replaced.
    pub is_pinned: bool,
    /// Where a text was cut: the length that was kept, with the marker, and its own, in characters.
    pub cut: Option<(u64, u64)>,
}

/// Something that was witnessed and not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omitted {
    /// The record it comes from.
    pub seq: Seq,
    /// Why.
    pub why: Why,
}

/// Why something was not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The memory's policy keeps nothing.
    Policy,
    /// The public history had dropped it to stay within its limit.
    HistoryLimit,
    /// The memory had dropped it to stay within its limit, or to show less to a model that refused a prompt.
    MemoryLimit,
    /// The seat rewrote its memory in this record, and its text took the place of it.
    Replaced(Seq),
}

/// Why there is no glimpse.
#[derive(Debug, thiserror::Error)]
pub enum NoGlimpse {
    /// The minutes do not hold together.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A template fails on this question.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The record answers no question.
    #[error("record {} answers no question", .0.0)]
    NoAnswer(Seq),
}

/// What a seat of a session that has just been convened had before it when it answered in the record of this number. `model` words the question: the seat's own, or
/// any other for a seat that reads no prompt.
///
/// # Errors
/// [`NoGlimpse`].
pub fn glimpse(
    begun: crate::engine::Deliberation<'_>,
    records: &[Record],
    wanted: Seq,
    model: &OpenAiModel,
) -> Result<Glimpse, NoGlimpse> {
    let plan = begun.plan();
    let seat = records.get(wanted.0 as usize).and_then(|record| record.seat.as_ref());
    let seat = plan.seats.iter().position(|other| Some(&other.name) == seat).ok_or(NoGlimpse::NoAnswer(wanted))?;
    let mut account = Account::new(plan, SeatId(seat as u32), records);
    let agents = plan.agents(begun.replicate());
    let mut glimpse: Option<Result<Glimpse, PromptError>> = None;
    let mut see = |traced: &Traced<'_>| match (&glimpse, traced.query) {
        (None, Some(query)) if traced.record.seq == wanted => {
            let worded = Wording::of(plan, &agents, query, model);
            glimpse = Some(worded.map(|wording| account.glimpse(traced, &query.brief, wording)));
            ControlFlow::Continue(())
        }
        (None, _) => {
            account.take(traced);
            ControlFlow::Continue(())
        }
        // Effects wait for the last answer to the same ask.
        (Some(Ok(seen)), Some(query)) if is_one_ask(&seen.question, &query.id) => ControlFlow::Continue(()),
        (Some(_), _) => ControlFlow::Break(()),
    };
    let after = retrace(begun, records, &mut see)?;
    let mut glimpse = glimpse.ok_or(NoGlimpse::NoAnswer(wanted))??;
    if matches!(glimpse.question.at.step, Step::Integration | Step::Compression) {
        let (brief, _) = after.memory().recall(SeatId(seat as u32));
        glimpse.rewritten = Some(account.rewritten(&glimpse, &brief));
    }
    Ok(glimpse)
}

/// Whether two questions are put in one ask.
fn is_one_ask(one: &QuestionId, other: &QuestionId) -> bool {
    (&one.at.phase, one.at.round, one.at.step) == (&other.at.phase, other.at.round, other.at.step)
}

/// What one seat witnessed.
struct Account<'p> {
    plan: &'p Plan,
    seat: SeatId,
    records: &'p [Record],
    /// Its own entries, by record, and the rewriting that took the place of each.
    own: Vec<(Seq, Option<Seq>)>,
    /// The rewriting that took the place of a remark on the floor, in order.
    floor_replaced: Vec<(Seq, Seq)>,
    rewritings: (Vec<Seq>, Vec<Seq>),
    refusals: Vec<Seq>,
}

impl<'p> Account<'p> {
    fn new(plan: &'p Plan, seat: SeatId, records: &'p [Record]) -> Self {
        let (own, floor_replaced) = (Vec::new(), Vec::new());
        Self { plan, seat, records, own, floor_replaced, rewritings: Default::default(), refusals: Vec::new() }
    }

    /// Takes a record down.
    fn take(&mut self, traced: &Traced<'_>) {
        let record = traced.record;
        let name = &self.plan.seats[self.seat.index()].name;
        let is_own = record.seat.as_ref() == Some(name);
        if let (Some(query), true) = (traced.query, is_own) {
            match &record.event {
                Event::Integrated { .. } => {
                    self.replace_own(&query.brief, record.seq);
                    self.rewritings.0.push(record.seq);
                }
                Event::Compressed { .. } => {
                    self.replace_own(&query.brief, record.seq);
                    self.floor_replaced.extend(remarks(&query.brief).map(|remark| (remark.seq, record.seq)));
                    self.rewritings.1.push(record.seq);
                }
                Event::Faulted { fault: Fault::ContextTooLong, .. } => self.refusals.push(record.seq),
                _ => {}
            }
        }
        let keeps = match &record.event {
            Event::Instructed { to, .. } => to.contains(name),
            Event::Paid { payoffs, .. } => payoffs.iter().any(|payoff| payoff.seat == *name),
            _ => is_own && is_kept(record, &self.plan.motion),
        };
        if keeps {
            self.own.push((record.seq, None));
        }
    }

    /// The seat's own entries in a brief, but the pinned ones, are replaced by what it wrote in a record.
    fn replace_own(&mut self, brief: &Brief<'_>, by: Seq) {
        for entry in brief.own {
            if let Ok(place) = self.own.binary_search_by_key(&entry.seq, |(seq, _)| *seq) {
                self.own[place].1 = Some(by);
            }
        }
    }

    fn glimpse(&self, traced: &Traced<'_>, brief: &Brief<'_>, wording: Wording) -> Glimpse {
        let memory = traced.memory;
        let given = traced.record.event.given();
        let mut entries: Vec<Entry> = remarks(brief).map(|remark| self.remark(remark, brief)).collect();
        entries.extend(brief.pinned.iter().map(|entry| Entry { is_pinned: true, ..self.entry(entry) }));
        entries.extend(brief.own.iter().map(|entry| self.entry(entry)));
        entries.sort_by_key(|entry| entry.seq);
        let (dropped, dropped_chars) = memory.dropped();
        let held = &memory.remarks()[dropped as usize..];
        Glimpse {
            question: traced.record.question().expect("invariant: a question was answered"),
            seq: traced.record.seq,
            wording,
            shown: given.map(|given| given.shown.clone()).unwrap_or_default(),
            omitted: self.omitted(&entries, memory),
            entries,
            memory: memory.report(self.seat),
            history: (held.len() as u64, held.iter().map(|remark| chars(&self.line(remark, brief))).sum()),
            history_dropped: (u64::from(dropped), dropped_chars),
            rewritings: self.rewritings.clone(),
            refusals: self.refusals.clone(),
            rewritten: None,
        }
    }

    /// What was witnessed by now and is not among these entries.
    fn omitted(&self, entries: &[Entry], memory: &Memory) -> Vec<Omitted> {
        let is_shown = |seq: Seq| entries.binary_search_by_key(&seq, |entry| entry.seq).is_ok();
        let keeps_nothing = self.plan.memory.policy == MemoryPolicy::None;
        let dropped = memory.dropped().0 as usize;
        let floor = memory.remarks().iter().enumerate().map(|(place, remark)| {
            let by = self.floor_replaced.binary_search_by_key(&remark.seq, |(seq, _)| *seq);
            let by = by.ok().map(|place| self.floor_replaced[place].1);
            let limit = if place < dropped { Why::HistoryLimit } else { Why::MemoryLimit };
            (remark.seq, by.map_or(limit, Why::Replaced))
        });
        let own = self.own.iter().map(|(seq, by)| (*seq, by.map_or(Why::MemoryLimit, Why::Replaced)));
        let all = floor.chain(own).filter(|(seq, _)| !is_shown(*seq));
        let mut omitted: Vec<Omitted> =
            all.map(|(seq, why)| Omitted { seq, why: if keeps_nothing { Why::Policy } else { why } }).collect();
        omitted.sort_by_key(|omitted| omitted.seq);
        omitted
    }

    fn remark(&self, remark: &Remark, brief: &Brief<'_>) -> Entry {
        let kept = kept_text(remark);
        let cut = (kept.len() != remark.text.len()).then(|| (chars(&kept), chars(&remark.text)));
        let text = match remark.speaker {
            Some(speaker) if speaker == brief.seat => kept.into_owned(),
            None if remark.text.starts_with(HUMAN) => kept.into_owned(),
            _ => self.line(remark, brief),
        };
        Entry { seq: remark.seq, text, is_pinned: false, cut }
    }

    /// A remark as others read it.
    fn line(&self, remark: &Remark, brief: &Brief<'_>) -> String {
        let name = remark.speaker.map_or("", |seat| &self.plan.seats[seat.index()].agent.public_name);
        remark_line(remark, name, brief.style, &self.plan.motion)
    }

    fn entry(&self, entry: &OwnEntry) -> Entry {
        let record = &self.records[entry.seq.0 as usize];
        let written = match &record.event {
            Event::Reasoned { .. } | Event::Integrated { .. } | Event::Compressed { .. } => words_of(record),
            _ => None,
        };
        let cut = written.filter(|text| *text != entry.text).map(|text| (chars(&entry.text), chars(&text)));
        Entry { seq: entry.seq, text: entry.text.clone(), is_pinned: false, cut }
    }

    /// What a rewriting was to take the place of, and what stands there now: the seat's own entries, and to make a memory
    /// shorter what it has heard, too. A try that did not count took the place of nothing, whatever a later one did.
    fn rewritten(&self, glimpse: &Glimpse, after: &Brief<'_>) -> (Vec<Entry>, Vec<Entry>) {
        let is_all = glimpse.question.at.step == Step::Compression;
        let is_own = |entry: &Entry| self.own.binary_search_by_key(&entry.seq, |(seq, _)| *seq).is_ok();
        let at_stake = |entry: &&Entry| !entry.is_pinned && (is_all || is_own(entry));
        let before: Vec<Entry> = glimpse.entries.iter().filter(at_stake).cloned().collect();
        if matches!(self.records[glimpse.seq.0 as usize].event, Event::Faulted { .. }) {
            return (before.clone(), before);
        }
        let heard = remarks(after).filter(|_| is_all).map(|remark| self.remark(remark, after));
        let mut now: Vec<Entry> = heard.chain(after.own.iter().map(|entry| self.entry(entry))).collect();
        now.sort_by_key(|entry| entry.seq);
        (before, now)
    }
}

/// The remarks of a brief, oldest first.
fn remarks<'a>(brief: &Brief<'a>) -> impl Iterator<Item = &'a Remark> + use<'a> {
    brief.remarks.iter()
}

/// Whether a seat keeps what it answered: everything but what everyone hears or nobody is to remember.
fn is_kept(record: &Record, motion: &Motion) -> bool {
    match &record.event {
        Event::Reasoned { .. }
        | Event::Ranked { .. }
        | Event::Tested { .. }
        | Event::Applied { .. }
        | Event::AmountNamed { .. }
        | Event::Integrated { .. }
        | Event::Compressed { .. } => true,
        // A ballot is complete with its amount.
        Event::Balloted { alternative, .. } => {
            let alternative = motion.alternatives.iter().find(|other| other.name == *alternative);
            alternative.is_some_and(|alternative| !alternative.takes_amount)
        }
        Event::Faulted { then: Consequence::TriesUsedUp, .. } => matches!(record.at.step, Step::Ballot | Step::Amount),
        _ => false,
    }
}
