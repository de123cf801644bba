//! The proof that no question shows what its seat has not witnessed. It keeps its own account of who witnessed what, from
//! the records alone, and knows nothing of how memory works.

use std::collections::{BTreeMap, VecDeque};

use indexmap::IndexSet;

use super::handed::Exhibits;
use crate::domain::{
    AlternativeId, AlternativeName, Ask, Choice, Consequence, Donor, Event, FactId, Lent, NamedChoice, Opinion,
    PhaseName, Query, Ranges, Record, Remark, SeatId, SeatName, Seq, Step, Stretch,
};
use crate::memory::{FloorEvent, MemoryPlan, Strategy, notice};
use crate::plan::{Network, PhaseKind, Plan, SpeakingOrder};
use crate::text::{char_count, repeat_to};

/// What a statement declares to favour, with its amount, and its opinion.
type Declared = (Option<(AlternativeName, Option<u32>)>, Option<Opinion>);

mod forgotten;
mod found;
mod hearing;
mod marked;
mod own;
mod reading;
mod rolled;
mod talk;

use forgotten::ForgottenParts;
use found::SeatInquiry;
use hearing::HearingGroups;
use marked::Marks;
use own::OwnRecord;
use reading::{EntryWording, EntryWords};
use rolled::BallotRoll;
use talk::WitnessedTalk;

/// What everyone and each seat has witnessed so far.
#[derive(Debug, Clone)]
pub struct Visibility {
    seats: IndexSet<SeatName>,
    alternatives: IndexSet<AlternativeName>,
    /// Phases in which nobody hears a round's statements before the round has been spoken.
    simultaneous: Vec<PhaseName>,
    /// What was said on the floor, as those have heard it who hear the same.
    heard: HearingGroups,
    /// How the others see each seat.
    public_names: Vec<String>,
    /// The names that seats chose, by seat; empty where nobody did.
    chosen: Vec<Option<String>>,
    /// What each seat did, thought, was paid or was told alone, in order: what is never dropped, the rest, and what it wrote when
    /// it made its memory shorter.
    own: Vec<[Vec<OwnRecord>; 3]>,
    /// How records read.
    reading: EntryWording,
    /// What each seat was told to push.
    pushes: Vec<Option<AlternativeId>>,
    /// What each seat was told alone of the case: its signal, and the facts it holds.
    hands: Vec<(Option<AlternativeId>, Vec<FactId>)>,
    /// Whether nobody hears another.
    is_alone: bool,
    /// What memories keep, and what of that they never drop.
    memory: MemoryPlan,
    exhibits: Exhibits,
    /// What each seat was told to forget.
    to_forget: Vec<ForgottenParts>,
    marks: Marks,
    /// The ballots of the vote under way, where they are told with its count.
    roll: Option<BallotRoll>,
    /// What each seat asked to see last.
    asked: Vec<Option<SeatInquiry>>,
    /// The parts found to be true for a seat that is shown later parts only.
    checked_later: Vec<[Ranges; 3]>,
    /// Another session's statements by coordinate and in order, where nobody is shown this one's; and how many of this one's
    /// stood at a coordinate that it has not.
    lent: Option<LentAccount>,
    /// The parts of each seat's own entries, pinned ones, others and summaries, that were found to be its own.
    checked_own: Vec<[Ranges; 3]>,
}

/// What another session said, and how far it was gone through again.
#[derive(Debug, Clone)]
struct LentAccount {
    at: BTreeMap<(PhaseName, u32, u32), Lent>,
    again: VecDeque<Lent>,
}

#[derive(Debug, Clone)]
struct WitnessedRemark {
    seq: Seq,
    at: (PhaseName, u32),
    speaker: Option<usize>,
    /// The round and turn of a statement, as its number is told.
    number: Option<(u32, u32)>,
    stance: Option<Choice>,
    opinion: Option<Opinion>,
    text: blake3::Hash,
    /// How much of it memories keep.
    kept_bytes: u32,
    /// How a seat may put it back into its memory; `None` of what is never put back.
    put_back: Option<EntryWords>,
}

impl WitnessedRemark {
    /// Whether this is what a remark tells.
    fn matches_remark(&self, remark: &Remark) -> bool {
        let number = remark.speaker.map(|_| (remark.round, remark.turn));
        (self.seq, self.speaker, self.number) == (remark.seq, remark.speaker.map(SeatId::index), number)
            && (self.stance, self.opinion, self.kept_bytes) == (remark.stance, remark.opinion, remark.kept_bytes)
            && self.text == blake3::hash(remark.text.as_bytes())
    }
}

/// A question that would show what its seat has not witnessed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("visibility: {question} would be shown record {}, {reason}", seq.0)]
pub struct Leak {
    /// The question, in words.
    pub question: String,
    /// The record shown.
    pub seq: Seq,
    /// Why the seat may not see it.
    pub reason: &'static str,
}

impl Visibility {
    /// Nobody has witnessed anything yet.
    pub fn new(plan: &Plan) -> Self {
        let simultaneous = |kind: &PhaseKind| matches!(kind, PhaseKind::Discussion(discussion) if discussion.order == SpeakingOrder::Simultaneous);
        Self {
            seats: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
            simultaneous: plan.agenda.iter().filter(|p| simultaneous(&p.kind)).map(|p| p.name.clone()).collect(),
            heard: HearingGroups::new(
                |memory| WitnessedTalk::new(plan, memory),
                plan.seats.iter().map(|seat| seat.memory),
            ),
            public_names: plan.seats.iter().map(|seat| seat.agent.public_name.clone()).collect(),
            chosen: Vec::new(),
            own: vec![Default::default(); plan.seats.len()],
            reading: EntryWording::new(plan),
            pushes: vec![None; plan.seats.len()],
            hands: vec![Default::default(); plan.seats.len()],
            memory: plan.memory,
            is_alone: plan.network == Network::Alone,
            exhibits: Exhibits::for_plan(plan),
            to_forget: vec![ForgottenParts::default(); plan.seats.len()],
            marks: Marks::new(plan),
            roll: BallotRoll::new(plan),
            asked: vec![None; plan.seats.len()],
            checked_later: vec![Default::default(); plan.seats.len()],
            checked_own: vec![Default::default(); plan.seats.len()],
            lent: (plan.memory.policy.terms().is_lent())
                .then(|| LentAccount { at: BTreeMap::new(), again: VecDeque::new() }),
        }
    }

    /// Of a plan whose sessions show another's statements, the account knows which these are. Without them no statement may be
    /// shown at all.
    #[must_use]
    pub fn with_donor(mut self, donor: &Donor) -> Self {
        if let Some(account) = &mut self.lent {
            let at = |lent: &Lent| (lent.phase.clone(), lent.round, lent.turn);
            account.at = donor.statements.iter().map(|lent| (at(lent), lent.clone())).collect();
            account.again = donor.statements.iter().cloned().collect();
        }
        self
    }

    /// Takes down who witnesses a record.
    pub fn witness_record(&mut self, record: &Record) {
        let seat = record.seat.as_ref().and_then(|name| self.seats.get_index_of(name));
        self.exhibits.witness_record(record);
        self.witness_network(record);
        self.witness_search(record, seat);
        self.witness_forgetting(record, seat);
        if let Event::NamesGiven { names } = &record.event {
            for given in names {
                if let Some(place) = self.seats.get_index_of(&given.seat) {
                    self.public_names[place].clone_from(&given.name);
                    self.chosen.resize(self.seats.len(), None);
                    self.chosen[place] = Some(given.name.clone());
                }
            }
        }
        self.witness_alone(record, seat);
        self.witness_ballot(record, seat);
        self.witness_mark(record);
        let language = self.marks.motion().language;
        let name = || seat.map_or("", |seat| self.public_names[seat].as_str());
        let (event, text) = match &record.event {
            Event::Spoke { text, stance, stance_amount, opinion, .. } => {
                let own = stance.as_ref().map(|stance| (stance.clone(), *stance_amount));
                let Some((text, (stance, opinion))) = self.heard_words(record, text, (own, *opinion)) else { return };
                let stance =
                    stance.and_then(|(name, amount)| Some(Choice { alternative: self.alternative_id(&name)?, amount }));
                self.witness_remark(record, seat, (FloorEvent::Statement, text), (stance, opinion));
                self.witness_talk(record, seat, stance);
                return;
            }
            Event::Tested { .. } => return self.witness_talk(record, seat, None),
            Event::Faulted { .. } if record.at.step == Step::Comprehension => {
                return self.witness_talk(record, seat, None);
            }
            Event::Instructed { text, to, by, .. } if to.is_empty() => {
                (FloorEvent::Instruction, notice::instruction_text(text, *by, language))
            }
            Event::Exhibited { exhibit, to, .. } if to.is_empty() => {
                (FloorEvent::Exhibit, self.exhibits.exhibit_text(exhibit).to_owned())
            }
            Event::Tallied(report) => {
                let event = if report.decided.is_some() { FloorEvent::TallyDecided } else { FloorEvent::TallyOpen };
                (event, self.tally_text(report))
            }
            Event::Imposed { alternative, amount } => {
                let choice = NamedChoice { alternative: alternative.clone(), amount: *amount };
                (FloorEvent::TallyDecided, notice::imposed_line(&choice, self.marks.motion().tongue()))
            }
            Event::CallAnswered { calls: true, .. } => (FloorEvent::VoteCalled, notice::call_line(name(), language)),
            Event::Confirmed { agrees: true, .. } => (FloorEvent::VoteAnswered, notice::agreed_line(name(), language)),
            Event::Confirmed { agrees: false, .. } => {
                (FloorEvent::VoteAnswered, notice::declined_line(name(), language))
            }
            Event::Faulted { then: Consequence::TriesUsedUp, .. } if record.at.step == Step::Confirmation => {
                (FloorEvent::VoteAnswered, notice::declined_line(name(), language))
            }
            _ => return,
        };
        let opinion = if let Event::Instructed { group, .. } = &record.event { *group } else { None };
        self.witness_remark(record, None, (event, text), (None, opinion));
    }

    /// What all hear of a statement: its words, or what stands in their place. The account goes through another session's
    /// statements once more wherever it has none at the coordinate.
    fn heard_words(&mut self, record: &Record, text: &str, declared: Declared) -> Option<(String, Declared)> {
        let Some(account) = &mut self.lent else { return Some((text.to_owned(), declared)) };
        let at = (record.at.phase.clone(), record.at.round, record.at.turn);
        let lent = match account.at.get(&at) {
            Some(lent) => lent.clone(),
            None => {
                let next = account.again.pop_front()?;
                account.again.push_back(next.clone());
                next
            }
        };
        Some((repeat_to(&lent.text, char_count(text) as usize), (lent.stance, lent.opinion)))
    }

    /// Takes down what all hear.
    fn witness_remark(
        &mut self,
        record: &Record,
        speaker: Option<usize>,
        (event, text): (FloorEvent, String),
        (stance, opinion): (Option<Choice>, Option<Opinion>),
    ) {
        let at = (record.at.phase.clone(), record.at.round);
        let number = speaker.map(|_| (record.at.round, record.at.turn));
        let name = speaker.map_or("", |seat| &self.public_names[seat]);
        let sort = match event {
            FloorEvent::Statement if self.pins_statement(record) => Some(2),
            FloorEvent::Statement => Some(0),
            // What votes come to, and who wants them, are words of others.
            FloorEvent::VoteCalled | FloorEvent::VoteAnswered | FloorEvent::TallyOpen | FloorEvent::TallyDecided
                if self.is_alone =>
            {
                None
            }
            _ if self.memory.routing.of_floor(event) == Strategy::Skip => None,
            _ if self.memory.pin.hold_remark(event) => Some(2),
            _ => Some(1),
        };
        let is_put_back = sort == Some(1) && self.memory.reinject.hold_remark(event);
        let hash = blake3::hash(text.as_bytes());
        let (seq, mut as_before) = (record.seq, None::<(MemoryPlan, WitnessedRemark)>);
        for group in self.heard.who_hear(speaker) {
            let heard = &mut self.heard.all[group];
            let memory = &heard.memory;
            let said = match as_before.take() {
                Some((kept_so, said)) if kept_so == *memory => said,
                _ => {
                    let kept_bytes = self.reading.kept_bytes(memory, (event, number), name, stance, &text);
                    let put_back = is_put_back.then(|| self.reading.put_back_words(memory, &text));
                    let at = at.clone();
                    WitnessedRemark { seq, at, speaker, number, stance, opinion, text: hash, kept_bytes, put_back }
                }
            };
            if let Some(sort) = sort {
                heard.places[sort].push(heard.floor.len() as u32);
            }
            heard.floor.push(said.clone());
            as_before = Some((heard.memory, said));
        }
    }

    fn alternative_id(&self, name: &AlternativeName) -> Option<AlternativeId> {
        self.alternatives.get_index_of(name).map(|place| AlternativeId(place as u32))
    }

    /// Checks a question against the account. Each remark and entry is looked at once, whatever the number of questions
    /// that show it: memories only ever append.
    ///
    /// # Errors
    /// The first [`Leak`].
    pub fn check_query(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        if self.is_alone && matches!(query.ask, Ask::Confirmation { caller: Some(_) }) {
            return leak(Seq(0), "and nobody hears who calls for a vote");
        }
        let remarks = &query.brief.remarks;
        let lists = [remarks.statements, remarks.notices, remarks.pinned.into()];
        if let Some(newest) = lists.iter().filter_map(Stretch::last).max()
            && !self.has_been_heard(query, *newest as usize)
        {
            return leak(remarks.floor[*newest as usize].seq, "which it has not heard yet");
        }
        let [statements, notices] = self.remembered_remarks(query)?;
        let mut pinned = Ranges::default();
        pinned.add(0..query.shown.pinned_remarks as usize);
        let told = [statements, notices, pinned];
        if told.iter().map(Ranges::count).sum::<usize>() != remarks.len()
            || query.shown.pinned as usize != query.brief.pinned.len()
        {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        self.check_talk(query)?;
        for (sort, (list, told)) in lists.into_iter().zip(told).enumerate() {
            self.check_remarks(query, sort, list, &told)?;
        }
        let history = query.shown.history.map(|place| place as usize);
        let first = history.and_then(|place| remarks.floor.get(place)).map(|remark| remark.seq);
        if query.brief.full_from != first || history.is_some_and(|place| !self.may_be_history(query, place)) {
            return leak(first.unwrap_or(Seq(0)), "from a public history that its record does not tell of");
        }
        self.check_found(query)?;
        self.check_marked(query)?;
        self.check_own(query)
    }

    /// Whether another seat's statement of a record is among those shown.
    fn is_shown(&self, query: &Query<'_>, seq: Seq) -> bool {
        let floor = &self.heard.group_of(query.seat.index()).floor;
        let place = floor.binary_search_by_key(&seq, |said| said.seq).ok();
        place.is_some_and(|place| {
            let speaker = floor[place].speaker;
            speaker.is_some_and(|speaker| speaker != query.seat.index())
                && (self.shows_pinned(query, place)
                    || query.shown.floor.contains(&(place as u32))
                        && !query.shown.forgotten.statements.iter().any(|part| part.contains(&(place as u32))))
                && self.has_been_heard(query, place)
        })
    }

    /// Checks the remarks of one sort, which are to be those of these positions among all of that sort.
    fn check_remarks(
        &mut self,
        query: &Query<'_>,
        sort: usize,
        list: Stretch<'_, u32>,
        told: &Ranges,
    ) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let seat = query.seat.index();
        let heard = self.heard.group_of(seat);
        let mut before = 0;
        // What is shown beyond what is told is looked at, too: it may not have been said at all.
        let end = told.parts().last().map_or(0, |part| part.end);
        let beyond = end..end + list.len().saturating_sub(told.count());
        for part in told.parts().chain(std::iter::once(beyond)) {
            // A memory that was rewritten has room again for what it had left out, which was checked for nobody yet.
            let from = part.start.max(heard.checked_floor[sort]).min(part.end);
            for position in self.checked_later[seat][sort].gaps_in(from..part.end).parts().flatten() {
                let Some(place) = list.iter().nth(before + position - part.start) else { break };
                let remark = &query.brief.remarks.floor[*place as usize];
                let said = heard.places[sort].get(position).and_then(|place| heard.floor.get(*place as usize));
                let Some(said) = said else {
                    return leak(remark.seq, "which was not said so");
                };
                if !said.matches_remark(remark) {
                    return leak(remark.seq, "which was not said so");
                }
            }
            before += part.len();
        }
        if told.count() != list.len() {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        for part in told.parts() {
            let checked = &mut self.heard.group_of_mut(seat).checked_floor[sort];
            match part.start <= *checked {
                true => *checked = part.end.max(*checked),
                false => self.checked_later[seat][sort].add(part),
            }
        }
        Ok(())
    }

    /// Whether the newest remark shown was said before the question was put.
    fn has_been_heard(&self, query: &Query<'_>, place: usize) -> bool {
        let Some(said) = self.heard.group_of(query.seat.index()).floor.get(place) else { return false };
        let at = &query.id.at;
        let same_breath = at.step == Step::Statement && said.at.0 == at.phase && said.at.1 == at.round;
        !(same_breath && said.speaker.is_some() && self.simultaneous.contains(&at.phase))
    }
}
