//! The proof that no question shows what its seat has not witnessed. It keeps its own account of who witnessed what, from
//! the records alone, and knows nothing of how memory works.

use std::collections::{BTreeMap, VecDeque};

use indexmap::IndexSet;

use super::handed::Exhibits;
use crate::domain::{
    AlternativeId, AlternativeName, Choice, Consequence, Donor, EntryKind, Event, Lent, NamedChoice, OwnEntry,
    PhaseName, Query, Ranges, Record, SeatId, SeatName, Seq, Step, Stretch,
};
use crate::memory::{EventKinds, FloorEvent, HistoryInBrief, Routing, Strategy, guidance, notice};
use crate::plan::{PhaseKind, Plan, SpeakingOrder};
use crate::text::{MARKER, chars, repeat_to};

/// What a statement declares to favour, with its amount.
type Declared = Option<(AlternativeName, Option<u32>)>;

mod forgotten;
mod found;
mod marked;
mod rolled;
mod talk;

use forgotten::{Began, ToForget};
use found::Asked;
use marked::Marks;
use rolled::Roll;
use talk::Talk;

/// What everyone and each seat has witnessed so far.
#[derive(Debug, Clone)]
pub struct Visibility {
    seats: IndexSet<SeatName>,
    alternatives: IndexSet<AlternativeName>,
    /// Phases in which nobody hears a round's statements before the round has been spoken.
    simultaneous: Vec<PhaseName>,
    /// What was said on the floor, in order.
    floor: Vec<Said>,
    /// How the others see each seat.
    public_names: Vec<String>,
    /// The names that seats chose, by seat; empty where nobody did.
    chosen: Vec<Option<String>>,
    /// What each seat noted when it met the others before, as one text.
    noted: Vec<String>,
    /// What each seat did, thought, was paid or was told alone, by record, in order.
    own: Vec<Vec<Seq>>,
    /// What each seat was told to push.
    pushes: Vec<Option<AlternativeId>>,
    /// What memories keep of the floor, and what of that they never drop.
    routing: Routing,
    pin: EventKinds,
    exhibits: Exhibits,
    history: HistoryInBrief,
    /// Where each phase began.
    phases: Vec<Began>,
    /// Where on the floor the round under way began.
    round_from: usize,
    /// What each seat was told to forget.
    to_forget: Vec<ToForget>,
    /// The statements and marks, where seats are told where the talk stands.
    talk: Option<Talk>,
    marks: Marks,
    /// The ballots of the vote under way, where they are told with its count.
    roll: Option<Roll>,
    /// What each seat asked to see last.
    asked: Vec<Option<Asked>>,
    /// The places on the floor of statements, of announcements that may be dropped, and of those that never are.
    places: [Vec<u32>; 3],
    /// How many of each were found to be true from the beginning.
    checked_floor: [usize; 3],
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
struct Said {
    seq: Seq,
    at: (PhaseName, u32),
    speaker: Option<usize>,
    stance: Option<Choice>,
    text: blake3::Hash,
    /// The text of an announcement as seats read it.
    read: Option<blake3::Hash>,
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
            floor: Vec::new(),
            public_names: plan.seats.iter().map(|seat| seat.agent.public_name.clone()).collect(),
            chosen: Vec::new(),
            noted: vec![String::new(); plan.seats.len()],
            own: vec![Vec::new(); plan.seats.len()],
            pushes: vec![None; plan.seats.len()],
            routing: plan.memory.routing,
            pin: plan.memory.pin,
            exhibits: Exhibits::of(plan),
            history: plan.memory.history,
            phases: Vec::new(),
            round_from: 0,
            to_forget: vec![ToForget::default(); plan.seats.len()],
            talk: Talk::new(plan),
            marks: Marks::new(plan),
            roll: Roll::new(plan),
            asked: vec![None; plan.seats.len()],
            places: Default::default(),
            checked_floor: [0; 3],
            checked_later: vec![Default::default(); plan.seats.len()],
            checked_own: vec![Default::default(); plan.seats.len()],
            lent: (plan.memory.policy.terms().is_lent())
                .then(|| LentAccount { at: BTreeMap::new(), again: VecDeque::new() }),
        }
    }

    /// Of a plan whose sessions show another's statements, the account knows which these are. Without them no statement may be
    /// shown at all.
    #[must_use]
    pub fn borrowing(mut self, donor: &Donor) -> Self {
        if let Some(account) = &mut self.lent {
            let at = |lent: &Lent| (lent.phase.clone(), lent.round, lent.turn);
            account.at = donor.statements.iter().map(|lent| (at(lent), lent.clone())).collect();
            account.again = donor.statements.iter().cloned().collect();
        }
        self
    }

    /// Takes down who witnesses a record.
    pub fn witness(&mut self, record: &Record) {
        let seat = record.seat.as_ref().and_then(|name| self.seats.get_index_of(name));
        self.exhibits.witness(record);
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
        let name = || seat.map_or("", |seat| self.public_names[seat].as_str());
        let (event, text) = match &record.event {
            Event::Spoke { text, stance, stance_amount, .. } => {
                let own = stance.as_ref().map(|stance| (stance.clone(), *stance_amount));
                let Some((text, stance)) = self.heard(record, text, own) else { return };
                let stance =
                    stance.and_then(|(name, amount)| Some(Choice { alternative: self.alternative(&name)?, amount }));
                self.take_down(record, seat, (FloorEvent::Statement, text), stance);
                self.witness_talk(record, seat, stance);
                return;
            }
            Event::Tested { .. } => return self.witness_talk(record, seat, None),
            Event::Faulted { .. } if record.at.step == Step::Comprehension => {
                return self.witness_talk(record, seat, None);
            }
            Event::Instructed { text, to, by, .. } if to.is_empty() => {
                (FloorEvent::Instruction, notice::told(text, *by))
            }
            Event::Exhibited { exhibit, to, .. } if to.is_empty() => {
                (FloorEvent::Exhibit, self.exhibits.shown(exhibit).to_owned())
            }
            Event::Tallied(report) => {
                let event = if report.decided.is_some() { FloorEvent::TallyDecided } else { FloorEvent::TallyOpen };
                (event, self.tally_text(report))
            }
            Event::Imposed { alternative, amount } => {
                let choice = NamedChoice { alternative: alternative.clone(), amount: *amount };
                (FloorEvent::TallyDecided, notice::imposed_line(&choice))
            }
            Event::CallAnswered { calls: true, .. } => (FloorEvent::VoteCalled, notice::call_line(name())),
            Event::Confirmed { agrees: true, .. } => (FloorEvent::VoteAnswered, notice::agreed_line(name())),
            Event::Confirmed { agrees: false, .. } => (FloorEvent::VoteAnswered, notice::declined_line(name())),
            Event::Faulted { then: Consequence::TriesUsedUp, .. } if record.at.step == Step::Confirmation => {
                (FloorEvent::VoteAnswered, notice::declined_line(name()))
            }
            _ => return,
        };
        self.take_down(record, None, (event, text), None);
    }

    /// What all hear of a statement: its words, or what stands in their place. The account goes through another session's
    /// statements once more wherever it has none at the coordinate.
    fn heard(&mut self, record: &Record, text: &str, stance: Declared) -> Option<(String, Declared)> {
        let Some(account) = &mut self.lent else { return Some((text.to_owned(), stance)) };
        let at = (record.at.phase.clone(), record.at.round, record.at.turn);
        let lent = match account.at.get(&at) {
            Some(lent) => lent.clone(),
            None => {
                let next = account.again.pop_front()?;
                account.again.push_back(next.clone());
                next
            }
        };
        Some((repeat_to(&lent.text, chars(text) as usize), lent.stance))
    }

    /// Takes down what all hear.
    fn take_down(
        &mut self,
        record: &Record,
        speaker: Option<usize>,
        (event, text): (FloorEvent, String),
        stance: Option<Choice>,
    ) {
        let at = (record.at.phase.clone(), record.at.round);
        let read = (event != FloorEvent::Statement).then(|| blake3::hash(guidance::read_aloud(&text).as_bytes()));
        let text = blake3::hash(text.as_bytes());
        let place = self.floor.len() as u32;
        self.floor.push(Said { seq: record.seq, at, speaker, stance, text, read });
        match event {
            FloorEvent::Statement if self.pins_statement(record) => self.places[2].push(place),
            FloorEvent::Statement => self.places[0].push(place),
            _ if self.routing.of_floor(event) == Strategy::Skip => {}
            _ if self.pin.hold_remark(event) => self.places[2].push(place),
            _ => self.places[1].push(place),
        }
    }

    /// Takes down what a seat did itself, and what was told or paid to some.
    fn witness_alone(&mut self, record: &Record, seat: Option<usize>) {
        let told = match &record.event {
            Event::Instructed { to, pushes, .. } => {
                for name in to {
                    let place = self.seats.get_index_of(name);
                    if let (Some(place), Some(target)) = (place, pushes) {
                        self.pushes[place] = self.alternative(target);
                    }
                }
                to.iter().collect()
            }
            Event::Exhibited { to, .. } => to.iter().collect(),
            Event::Marked { to, of: Some(_), .. } if to.is_empty() => self.seats.iter().collect(),
            Event::Marked { to, of: Some(_), .. } => to.iter().collect(),
            Event::Paid { payoffs, .. } => payoffs.iter().map(|payoff| &payoff.seat).collect(),
            Event::NotesBrought { notes } => {
                for notes in notes {
                    if let Some(place) = self.seats.get_index_of(&notes.seat) {
                        self.noted[place] = notes.lines.join("\n");
                    }
                }
                notes.iter().map(|notes| &notes.seat).collect()
            }
            _ => Vec::new(),
        };
        let told: Vec<usize> = told.into_iter().filter_map(|name| self.seats.get_index_of(name)).collect();
        let does = !matches!(record.event, Event::Spoke { .. } | Event::Passed { .. } | Event::Polled { .. });
        for place in told.into_iter().chain(seat.filter(|_| does)) {
            self.own[place].push(record.seq);
        }
    }

    fn alternative(&self, name: &AlternativeName) -> Option<AlternativeId> {
        self.alternatives.get_index_of(name).map(|place| AlternativeId(place as u32))
    }

    /// Checks a question against the account. Each remark and entry is looked at once, whatever the number of questions
    /// that show it: memories only ever append.
    ///
    /// # Errors
    /// The first [`Leak`].
    pub fn check(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let remarks = &query.brief.remarks;
        let lists = [remarks.statements, remarks.notices, remarks.pinned.into()];
        if let Some(newest) = lists.iter().filter_map(Stretch::last).max()
            && !self.has_been_heard(query, *newest as usize)
        {
            return leak(remarks.floor[*newest as usize].seq, "which it has not heard yet");
        }
        let [statements, notices] = self.remembered(query)?;
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
        self.check_found(query)?;
        self.check_marked(query)?;
        self.check_own(query)
    }

    /// Whether another seat's statement of a record is among those shown.
    fn is_shown(&self, query: &Query<'_>, seq: Seq) -> bool {
        let place = self.floor.binary_search_by_key(&seq, |said| said.seq).ok();
        place.is_some_and(|place| {
            let speaker = self.floor[place].speaker;
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
        let mut before = 0;
        // What is shown beyond what is told is looked at, too: it may not have been said at all.
        let end = told.parts().last().map_or(0, |part| part.end);
        let beyond = end..end + list.len().saturating_sub(told.count());
        for part in told.parts().chain(std::iter::once(beyond)) {
            // A memory that was rewritten has room again for what it had left out, which was checked for nobody yet.
            let from = part.start.max(self.checked_floor[sort]).min(part.end);
            for position in self.checked_later[seat][sort].gaps_in(from..part.end).parts().flatten() {
                let Some(place) = list.iter().nth(before + position - part.start) else { break };
                let remark = &query.brief.remarks.floor[*place as usize];
                let said = self.places[sort].get(position).and_then(|place| self.floor.get(*place as usize));
                let Some(said) = said else {
                    return leak(remark.seq, "which was not said so");
                };
                let speaker = remark.speaker.map(SeatId::index);
                let same = said.seq == remark.seq && said.speaker == speaker && said.stance == remark.stance;
                if !same || said.text != blake3::hash(remark.text.as_bytes()) {
                    return leak(remark.seq, "which was not said so");
                }
            }
            before += part.len();
        }
        if told.count() != list.len() {
            return leak(Seq(0), "and its record would not say all that is shown");
        }
        for part in told.parts() {
            match part.start <= self.checked_floor[sort] {
                true => self.checked_floor[sort] = self.checked_floor[sort].max(part.end),
                false => self.checked_later[seat][sort].add(part),
            }
        }
        Ok(())
    }

    /// Whether what stands below the heading of a seat's notes is a part of them, and the end unless it was cut.
    fn has_noted(&self, seat: usize, entry: &str) -> bool {
        let Some((_, shown)) = entry.split_once('\n') else { return false };
        let noted = &self.noted[seat];
        noted.ends_with(shown) || shown.strip_suffix(MARKER).is_some_and(|start| noted.contains(start))
    }

    /// Checks the seat's own entries, and what it knows besides.
    fn check_own(&mut self, query: &Query<'_>) -> Result<(), Leak> {
        let leak = |seq, reason| Err(Leak { question: query.id.to_string(), seq, reason });
        let seat = query.seat.index();
        if query.pushes != self.pushes[seat] {
            return leak(Seq(0), "and is to push what it was not told to");
        }
        if query.chosen.get(seat).and_then(Option::as_ref) != self.chosen.get(seat).and_then(Option::as_ref) {
            return leak(Seq(0), "under a name that it did not choose");
        }
        let (shown, forgotten) = (&query.shown, &query.shown.forgotten);
        let lists = [
            (query.brief.pinned.into(), 0..shown.pinned, &[][..]),
            (query.brief.own, shown.own.clone(), forgotten.own.as_slice()),
            (query.brief.summaries, shown.summaries.clone(), forgotten.summaries.as_slice()),
        ];
        for (list, (entries, told, without)) in lists.into_iter().enumerate() {
            let told = Ranges::of(without).gaps_in(told.start as usize..told.end as usize);
            if told.count() != entries.len() {
                return leak(Seq(0), "and its record would not say all that is shown");
            }
            if let Some(seq) = self.forgotten_entry(seat, entries, list) {
                return leak(seq, "which it was to forget");
            }
            let mut before = 0;
            for part in told.parts() {
                for place in self.checked_own[seat][list].gaps_in(part.clone()).parts().flatten() {
                    let entry = entries.iter().nth(before + place - part.start);
                    let entry = entry.expect("invariant: as many as are told");
                    if let Some(reason) = self.is_no_entry(seat, entry) {
                        return leak(entry.seq, reason);
                    }
                }
                before += part.len();
            }
            self.checked_own[seat][list].add_all(&told);
        }
        Ok(())
    }

    /// Why an entry is none of the seat's own. Faults of earlier attempts are in the account too; an entry must be one of the seat's
    /// own records.
    fn is_no_entry(&self, seat: usize, entry: &OwnEntry) -> Option<&'static str> {
        if entry.kind == EntryKind::PutBack {
            (!self.was_announced(entry)).then_some("which was not said so")
        } else if entry.kind == EntryKind::Exhibit && !self.exhibits.are_so(entry) {
            Some("which is not what was handed out")
        } else if self.own[seat].binary_search(&entry.seq).is_err() {
            Some("which is not its own")
        } else if entry.kind == EntryKind::Notes && !self.has_noted(seat, &entry.text) {
            Some("which it did not note")
        } else {
            None
        }
    }

    /// Whether all were told what a seat has put back; a very long announcement is put back as far as it is remembered.
    fn was_announced(&self, entry: &OwnEntry) -> bool {
        let said = self.floor.binary_search_by_key(&entry.seq, |said| said.seq).ok().map(|place| &self.floor[place]);
        let read = said.and_then(|said| said.read);
        read.is_some_and(|read| read == blake3::hash(entry.text.as_bytes()) || entry.text.ends_with(MARKER))
    }

    /// Whether the newest remark shown was said before the question was put.
    fn has_been_heard(&self, query: &Query<'_>, place: usize) -> bool {
        let Some(said) = self.floor.get(place) else { return false };
        let at = &query.id.at;
        let same_breath = at.step == Step::Statement && said.at.0 == at.phase && said.at.1 == at.round;
        !(same_breath && said.speaker.is_some() && self.simultaneous.contains(&at.phase))
    }
}
