//! The account of what each seat witnessed, from the records alone: what it heard, did, received and was made to forget. It does
//! not read the state of memories, because the proof of visibility checks memories against it. The views of seats read it too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use indexmap::IndexSet;

use crate::domain::{
    AlternativeId, AlternativeName, Briefing, Choice, Consequence, Donor, EntryKind, Event, FactId, Faulted, Inquired,
    Lent, Matter, MemoryAct, NamedChoice, OpenBallots, Opinion, PhaseName, PhaseOpened, Ranges, Record, Reminded,
    Reply, SeatId, SeatName, Seq, Shown, Step, TallyReport, Voted,
};
use crate::engine::Deliberation;
use crate::memory::{FloorEvent, MemoryPlan, RemarkHeader, Strategy, guidance, notice};
use crate::plan::{Network, Plan};
use crate::text::{char_count, repeat_to};

mod exhibits;
mod hearing;
mod parts;
mod reading;
mod talk;

use exhibits::Exhibits;
use hearing::HearingGroups;
use parts::{BallotRoll, ForgottenParts, LentAccount, Marks, OwnRecord, ReplacementText, WitnessedRemark};
pub(super) use parts::{MarkAccount, OTHERS, PINNED, SUMMARIES, SeatInquiry, UNKEPT};
use reading::{EntryWording, EntryWords};
use talk::{Statement, WitnessedTalk};

/// The declared favourite with its amount, and the declared opinion.
type Declared = (Option<NamedChoice>, Option<Opinion>);

/// What the seats have witnessed so far.
#[derive(Debug, Clone)]
pub(in crate::session) struct Witnessed {
    /// The next record to add.
    next: Seq,
    pub seats: IndexSet<SeatName>,
    /// The seats whose role does not speak.
    pub silent: BTreeSet<usize>,
    pub alternatives: IndexSet<AlternativeName>,
    /// Phases in which the statements of a round are heard only after the round.
    pub simultaneous: Vec<PhaseName>,
    /// The remarks of the floor, by groups of seats that hear the same.
    pub heard: HearingGroups,
    /// The seats that hear what is said, counted or answered in a phase, for phases that not everyone hears.
    pub hearers: BTreeMap<PhaseName, BTreeSet<usize>>,
    /// The others whose statements each seat hears, in talks that have a network of their own.
    pub linked: BTreeMap<PhaseName, BTreeMap<usize, BTreeSet<usize>>>,
    /// The groups of seats that hear the same for which a phase began, for phases in groups: not all attend it.
    pub attending: BTreeMap<PhaseName, BTreeSet<usize>>,
    pub public_names: Vec<String>,
    /// The names that seats chose; empty if no seat chose one.
    pub chosen: Vec<Option<String>>,
    /// For each seat, its own records in order: the lists `PINNED`, `OTHERS`, `SUMMARIES` and `UNKEPT`.
    pub own: Vec<[Vec<OwnRecord>; 4]>,
    /// The seats whose pinned entries the newest record moved to the others, and where each stands there.
    pub unpinned: Vec<(usize, usize)>,
    pub reading: EntryWording,
    /// The alternative that each seat was instructed to push.
    pub pushes: Vec<Option<AlternativeId>>,
    /// Each seat's private signal and facts of the case.
    pub hands: Vec<(Option<AlternativeId>, Vec<FactId>)>,
    /// Whether no seat hears another.
    pub is_alone: bool,
    /// The memory plan of the arm; `heard` has those of the seats.
    pub memory: MemoryPlan,
    pub exhibits: Exhibits,
    pub to_forget: Vec<ForgottenParts>,
    pub marks: Marks,
    /// The ballots of the current vote.
    pub roll: BallotRoll,
    /// Each seat's newest inquiry.
    pub asked: Vec<Option<SeatInquiry>>,
    /// Another session's statements; `None` if seats hear their own group.
    pub lent: Option<LentAccount>,
}

impl Witnessed {
    pub fn new(plan: &Plan) -> Self {
        let plan = plan.whole_plan();
        let simultaneous = plan.agenda.iter().filter(|phase| phase.kind.speaks_at_once());
        Self {
            next: Seq(0),
            seats: plan.seats.iter().map(|seat| seat.name.clone()).collect(),
            silent: (0..plan.seats.len()).filter(|seat| !plan.seats[*seat].speaks()).collect(),
            alternatives: plan.motion.alternatives.iter().map(|alternative| alternative.name.clone()).collect(),
            simultaneous: simultaneous.map(|phase| phase.name.clone()).collect(),
            heard: HearingGroups::new(|memory| WitnessedTalk::new(plan, memory), plan),
            hearers: BTreeMap::new(),
            linked: BTreeMap::new(),
            attending: BTreeMap::new(),
            public_names: plan.seats.iter().map(|seat| seat.agent.public_name.clone()).collect(),
            chosen: Vec::new(),
            own: vec![Default::default(); plan.seats.len()],
            unpinned: Vec::new(),
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
            lent: plan.memory.policy.terms().is_lent.then(LentAccount::default),
        }
    }

    /// An account without records, with the statements of the session's donor.
    pub fn of_session(begun: &Deliberation<'_>) -> Self {
        let mut account = Self::new(begun.plan());
        if let Some(donor) = begun.donor() {
            account.borrow_statements(donor);
        }
        account
    }

    /// Adds all records before `seq` that were not added yet.
    pub fn witness_until(&mut self, records: &[Record], seq: Seq) {
        for record in &records[self.next.0 as usize..seq.0 as usize] {
            self.witness_record(record);
        }
    }

    /// Takes another session's statements, if seats hear those instead of their own group's.
    pub fn borrow_statements(&mut self, donor: &Donor) {
        if let Some(account) = &mut self.lent {
            let at = |lent: &Lent| (lent.phase.clone(), lent.round, lent.turn);
            account.at = donor.statements.iter().map(|lent| (at(lent), lent.clone())).collect();
            account.again = donor.statements.iter().cloned().collect();
        }
    }

    pub fn witness_record(&mut self, record: &Record) {
        self.next = Seq(record.seq.0 + 1);
        self.unpinned.clear();
        let seat = record.seat.as_ref().and_then(|name| self.seats.get_index_of(name));
        self.exhibits.witness_record(record);
        self.witness_seats(record);
        self.witness_hearers(record);
        self.witness_search(record, seat);
        self.witness_forgetting(record, seat);
        self.witness_alone(record, seat);
        self.witness_ballot(record, seat);
        self.witness_mark(record);
        let language = self.reading.plan.motion.language;
        let name = || seat.map_or("", |seat| self.public_names[seat].as_str());
        let reply = record.reply();
        if let Some(Reply::Statement { text, stance, opinion }) = &reply {
            let Some((text, (stance, opinion))) = self.heard_words(record, text, (stance.clone(), *opinion)) else {
                return;
            };
            let stance = stance.and_then(|choice| choice.find(|name| self.alternative_id(name)));
            self.witness_remark(record, seat, (FloorEvent::Statement, text), (stance, opinion));
            return self.witness_talk(record, seat, stance);
        }
        if record.at.step == Step::Comprehension {
            return self.witness_talk(record, seat, None);
        }
        let (event, text) = match &record.event {
            Event::Briefed(briefing) if briefing.to.is_empty() => {
                let event = match briefing.what {
                    Matter::Exhibit { .. } => FloorEvent::Exhibit,
                    Matter::Decision { .. } => FloorEvent::TallyDecided,
                    _ => FloorEvent::Instruction,
                };
                (event, self.reading.plan.briefing_text(briefing).unwrap_or_default())
            }
            Event::Tallied(report) => {
                let event = if report.decided.is_some() { FloorEvent::TallyDecided } else { FloorEvent::TallyOpen };
                let Some(text) = self.tally_text(record, report) else { return };
                (event, text)
            }
            _ if matches!(record.at.step, Step::Ballot | Step::Amount) => {
                let Some(text) = seat.and_then(|seat| self.heard_ballot(record, seat)) else { return };
                (FloorEvent::VoteAnswered, text)
            }
            _ => match (record.at.step, reply) {
                (Step::VoteCall, Some(Reply::Assent(true))) => {
                    (FloorEvent::VoteCalled, notice::call_line(name(), language))
                }
                (Step::Confirmation, Some(Reply::Assent(true))) => {
                    (FloorEvent::VoteAnswered, notice::agreed_line(name(), language))
                }
                (Step::Confirmation, reply) if reply.is_some() || record.final_fault().is_some() => {
                    (FloorEvent::VoteAnswered, notice::declined_line(name(), language))
                }
                (Step::Ask, Some(_)) if self.hearers.contains_key(&record.at.phase) => {
                    let answers = self.reading.heard_answers(record, &self.public_names);
                    let Some(answers) = answers else { return };
                    (FloorEvent::Answer, notice::heard_answers_line(name(), &answers, language))
                }
                _ => return,
            },
        };
        let opinion = record.event.briefed().and_then(Briefing::group);
        self.witness_remark(record, None, (event, text), (None, opinion));
    }

    /// The words and declarations of a statement as it is heard. A borrowed statement has the original's coordinate; if there is
    /// none, it is the next in order, starting over after the last. Its text is repeated or cut to the original's length. `None`
    /// if there is nothing to borrow.
    pub fn heard_words(&mut self, record: &Record, text: &str, declared: Declared) -> Option<(String, Declared)> {
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

    /// Adds a remark to the floor of each group that hears it.
    pub fn witness_remark(
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
            // A seat alone keeps no calls, answers and tallies, because they come from others.
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
        for group in self.who_hear(record, speaker, event) {
            let heard = &mut self.heard.all[group];
            if record.at.phase.group().is_some() {
                heard.enter_part(record);
            }
            let memory = &heard.memory;
            let said = match as_before.take() {
                Some((kept_so, said)) if kept_so == *memory => said,
                _ => {
                    let kept_bytes = self.reading.kept_bytes(memory, (event, number), name, stance, &text);
                    let put_back = is_put_back.then(|| self.reading.put_back_words(memory, &text));
                    let (at, text) = (at.clone(), hash);
                    WitnessedRemark { seq, at, event, speaker, number, stance, opinion, text, kept_bytes, put_back }
                }
            };
            if let Some(sort) = sort {
                heard.places[sort].push(heard.floor.len() as u32);
            }
            heard.floor.push(said.clone());
            as_before = Some((heard.memory, said));
        }
    }

    pub fn alternative_id(&self, name: &AlternativeName) -> Option<AlternativeId> {
        self.alternatives.get_index_of(name).map(|place| AlternativeId(place as u32))
    }

    /// Adds a seat's own answer, or what some seats received.
    pub(in crate::session) fn witness_alone(&mut self, record: &Record, seat: Option<usize>) {
        self.reading.witness_record(record);
        match &record.event {
            Event::Briefed(briefing) => {
                for name in &briefing.to {
                    let Some(place) = self.seats.get_index_of(name) else { continue };
                    let kind = match &briefing.what {
                        Matter::Instruction { pushes, .. } => {
                            if let Some(target) = pushes {
                                self.pushes[place] = self.alternative_id(target);
                            }
                            EntryKind::Instruction
                        }
                        Matter::Exhibit { .. } => EntryKind::Exhibit,
                        Matter::Case { signal, facts } => {
                            let signal = signal.as_ref().and_then(|name| self.alternative_id(name));
                            self.hands[place] = (signal, facts.clone());
                            EntryKind::Dealt
                        }
                        Matter::Notes { .. } => EntryKind::Notes,
                        Matter::Decision { .. } => continue,
                    };
                    if let Some(words) = self.reading.briefing_words(place, briefing) {
                        self.keep_entry(place, record, kind, words);
                    }
                }
            }
            Event::Marked { to, of: Some(of), .. } => {
                for place in self.who_have_heard(to, *of) {
                    self.keep_entry(place, record, EntryKind::Marked, EntryWords::Elsewhere);
                }
            }
            Event::Paid(payment) => {
                for payoff in &payment.payoffs {
                    let Some(place) = self.seats.get_index_of(&payoff.seat) else { continue };
                    if let Some(words) = self.reading.payment_words(place, payment, payoff) {
                        self.keep_entry(place, record, EntryKind::Results, words);
                    }
                }
            }
            _ => {
                if let Some(seat) = seat
                    && let Some((kind, words)) = self.reading.answer_words(record, seat, &self.public_names)
                {
                    self.keep_entry(seat, record, kind, words);
                }
            }
        }
    }

    /// Adds an own record to the list that the memory plan determines.
    pub fn keep_entry(&mut self, seat: usize, record: &Record, kind: EntryKind, words: EntryWords) {
        let list = if record.at.step == Step::Compression {
            SUMMARIES
        } else if self.memory.routing.of_entry(kind) == Strategy::Skip {
            UNKEPT
        } else if self.memory.pins_entry(kind) {
            PINNED
        } else {
            OTHERS
        };
        let phase = record.at.phase.clone();
        if list == PINNED && self.memory.pins_newest_pass(kind) {
            self.unpin_earlier_pass(seat, &phase);
        }
        self.own[seat][list].push(OwnRecord { seq: record.seq, phase, kind, words });
    }

    /// Moves a seat's private instructions of another pass of this phase from the pinned entries to the others.
    fn unpin_earlier_pass(&mut self, seat: usize, phase: &PhaseName) {
        let is_earlier =
            |owned: &OwnRecord| self.memory.pins_newest_pass(owned.kind) && owned.phase.is_other_pass_of(phase);
        while let Some(place) = self.own[seat][PINNED].iter().position(is_earlier) {
            let owned = self.own[seat][PINNED].remove(place);
            let later = self.own[seat][OTHERS].partition_point(|other| other.seq < owned.seq);
            self.own[seat][OTHERS].insert(later, owned);
            self.unpinned.push((seat, later));
        }
    }

    /// Notes the start of phases and rounds, what seats are to forget, and what their texts cover.
    pub(in crate::session) fn witness_forgetting(&mut self, record: &Record, seat: Option<usize>) {
        match (&record.event, seat) {
            (Event::PhaseOpened(opened), _) => self.enter_phase(record, opened),
            (Event::RoundOpened(_), _) => {
                let attending = self.attending.get(&record.at.phase);
                let is_there = |place: usize| attending.is_none_or(|attending| attending.contains(&place));
                for (_, heard) in self.heard.all.iter_mut().enumerate().filter(|(place, _)| is_there(*place)) {
                    heard.round_from = heard.floor.len();
                    if attending.is_some() {
                        heard.enter_part(record);
                    }
                }
            }
            (Event::Reminded(Reminded { to, act: MemoryAct::Forget { phase }, .. }), _) => {
                for seat in self.places_of(to) {
                    let parts = self.to_be_forgotten(seat, phase.as_ref(), record.seq);
                    self.forget_parts(seat, phase.as_ref(), &parts);
                }
            }
            (event, Some(seat)) if record.at.step == Step::Compression && record.reply().is_some() => {
                if let Some(given) = event.given() {
                    self.note_replacement(record.seq, seat, &given.shown);
                }
            }
            _ => {}
        }
    }

    /// Has the groups for which a phase begins enter it.
    fn enter_phase(&mut self, record: &Record, PhaseOpened { who, heard_by, .. }: &PhaseOpened) {
        let there = who.iter().chain(heard_by.iter().flatten());
        let there: BTreeSet<usize> = there.filter_map(|name| self.seats.get_index_of(name)).collect();
        // A phase in a group begins for those who take part in it or hear it.
        let begins: BTreeSet<usize> = match record.at.phase.group() {
            Some(_) => there.into_iter().map(|seat| self.heard.of[seat]).collect(),
            None => (0..self.heard.all.len()).collect(),
        };
        if record.at.phase.group().is_some() {
            self.attending.insert(record.at.phase.clone(), begins.clone());
        }
        let seats = self.seats.iter().enumerate();
        let speaks = |(place, name): (usize, &SeatName)| {
            (!self.silent.contains(&place) && (who.is_empty() || who.contains(name))).then_some(place)
        };
        let taking_part: BTreeSet<usize> = seats.filter_map(speaks).collect();
        for (_, heard) in self.heard.all.iter_mut().enumerate().filter(|(place, _)| begins.contains(place)) {
            if let Some(talk) = &mut heard.talk {
                talk.taking_part.clone_from(&taking_part);
            }
            heard.round_from = heard.floor.len();
            heard.enter_part(record);
        }
    }

    /// Notes what a text that replaces part of a memory covers.
    fn note_replacement(&mut self, seq: Seq, seat: usize, shown: &Shown) {
        let mut of = Ranges::default();
        for (sort, list, without) in
            [(0, shown.floor.clone(), &shown.forgotten.statements), (1, shown.notices(), &shown.forgotten.notices)]
        {
            let places = &self.heard.group_of(seat).places[sort];
            let places = places.iter().filter(|place| list.contains(place));
            let kept = places.filter(|place| !without.iter().any(|part| part.contains(place)));
            kept.for_each(|place| of.add(*place as usize..*place as usize + 1));
        }
        let earlier = self.to_forget[seat].texts.last().filter(|text| !text.is_to_be_forgotten);
        if let (Some(earlier), false) = (earlier, shown.summaries.is_empty()) {
            of.add_all(&earlier.of.clone());
        }
        self.to_forget[seat].texts.push(ReplacementText { seq, of, is_to_be_forgotten: false });
    }

    /// The parts of a phase before the record `by`, or everything before it: on the floor, and in the records.
    pub fn to_be_forgotten(&self, seat: usize, phase: Option<&PhaseName>, by: Seq) -> Vec<(Range<usize>, Range<Seq>)> {
        let heard = self.heard.group_of(seat);
        let Some(phase) = phase else { return vec![(0..heard.floor.len(), Seq(0)..by)] };
        let next = heard.phases.iter().skip(1).map(|next| (next.place, next.seq)).chain([(heard.floor.len(), by)]);
        let of = heard.phases.iter().zip(next).filter(|(began, _)| phase.covers_moment(&began.phase));
        of.map(|(began, (place, seq))| (began.place..place, began.seq..seq)).collect()
    }

    pub fn forget_parts(&mut self, seat: usize, phase: Option<&PhaseName>, parts: &[(Range<usize>, Range<Seq>)]) {
        let places = &self.heard.group_of(seat).places;
        let counts = |place: usize| {
            let is_among = |sort: usize| places[sort].binary_search(&(place as u32)).is_ok();
            is_among(1) || is_among(0) && self.memory.routing.statement != Strategy::Skip
        };
        let to_forget = &mut self.to_forget[seat];
        for (floor, own) in parts {
            to_forget.floor.add(floor.clone());
            to_forget.own.push(own.clone());
            for text in &mut to_forget.texts {
                text.is_to_be_forgotten |= phase.is_none() || text.of.within(floor.clone()).flatten().any(counts);
            }
        }
    }

    /// Adds a mark, or removes those that are forgotten.
    pub(in crate::session) fn witness_mark(&mut self, record: &Record) {
        match &record.event {
            Event::Marked { to, by, phase, of: Some(of), .. } => {
                let mark = MarkAccount { of: *of, phase: phase.clone(), by: *by };
                for seat in self.who_have_heard(to, *of) {
                    self.marks.kept[seat].insert(record.seq, mark.clone());
                }
            }
            Event::Reminded(Reminded { to, act: MemoryAct::Forget { phase }, .. }) => {
                for seat in self.places_of(to) {
                    let is_lost =
                        |mark: &MarkAccount| phase.as_ref().is_none_or(|phase| phase.covers_moment(&mark.phase));
                    let kept = std::mem::take(&mut self.marks.kept[seat]);
                    let (lost, kept) = kept.into_iter().partition::<BTreeMap<_, _>, _>(|(_, mark)| is_lost(mark));
                    self.marks.kept[seat] = kept;
                    if !lost.is_empty() {
                        let pinned = std::mem::take(&mut self.own[seat][PINNED]);
                        let (lost_entries, pinned) =
                            pinned.into_iter().partition(|owned| lost.contains_key(&owned.seq));
                        self.own[seat][PINNED] = pinned;
                        self.own[seat][UNKEPT].extend::<Vec<_>>(lost_entries);
                        self.marks.forgotten[seat].extend(lost.into_keys());
                    }
                }
            }
            _ => {}
        }
    }

    /// The seats named, as positions; all seats if none is.
    fn places_of(&self, to: &[SeatName]) -> Vec<usize> {
        match to {
            [] => (0..self.seats.len()).collect(),
            to => to.iter().filter_map(|name| self.seats.get_index_of(name)).collect(),
        }
    }

    /// Whether its own marks pin a statement.
    pub(in crate::session) fn pins_statement(&self, record: &Record) -> bool {
        self.memory.pins_statement(record.event.marks())
    }

    pub(in crate::session) fn witness_ballot(&mut self, record: &Record, seat: Option<usize>) {
        let (roll, Some(seat)) = (&mut self.roll, seat) else { return };
        if roll.hearing.get(&record.at.phase).is_none_or(|hearing| hearing.open == OpenBallots::Never) {
            return;
        }
        let voted = match (record.at.step, record.reply()) {
            (Step::Ballot, Some(Reply::Choice(choice))) => Some(Voted::For(choice)),
            (Step::Ballot, Some(Reply::Ballot(ballot))) => Some(Voted::Over(ballot)),
            (Step::Ballot, Some(Reply::Abstention)) => Some(Voted::Abstained),
            (Step::Amount, Some(Reply::Amount(amount))) => {
                if let Some((_, Some(Voted::For(choice)))) = &mut roll.ballots[seat] {
                    choice.amount = Some(amount);
                }
                return;
            }
            (Step::Ballot | Step::Amount, None) if record.final_fault().is_some() => None,
            _ => return,
        };
        roll.ballots[seat] = Some((record.at.phase.clone(), voted));
    }

    /// What all hear of a ballot when it is cast, where seats vote in turn.
    fn heard_ballot(&self, record: &Record, seat: usize) -> Option<String> {
        let hearing = self.roll.hearing.get(&record.at.phase)?;
        let (_, ballot) = self.roll.ballots[seat].as_ref().filter(|_| hearing.open == OpenBallots::InTurn)?;
        if record.at.step == Step::Ballot
            && let Some(Reply::Choice(Choice { alternative, amount: None })) = record.reply()
            && self.reading.takes_amount(&alternative, &record.at)
        {
            return None;
        }
        let (name, tongue) = (&self.public_names[seat], self.reading.tongue_of_vote(&record.at.phase));
        let is_put_again =
            matches!(record.event, Event::Inquired(_) | Event::Faulted(Faulted { then: Consequence::AskedAgain, .. }));
        (!is_put_again).then(|| guidance::roll_line(name, ballot.as_ref(), hearing.invalid, tongue))
    }

    /// The announcement of a tally; `None` if nobody hears it. Clears the ballots of its phase.
    pub(in crate::session) fn tally_text(&mut self, record: &Record, report: &TallyReport) -> Option<String> {
        let take = |ballot: &mut Option<(PhaseName, Option<Voted>)>| {
            let own = ballot.take_if(|(phase, _)| *phase == record.at.phase);
            own.map(|(_, ballot)| ballot)
        };
        let cast: Vec<Option<Option<Voted>>> = self.roll.ballots.iter_mut().map(take).collect();
        let tongue = self.reading.tongue_of_vote(&record.at.phase);
        let hearing = self.roll.hearing.get(&record.at.phase).filter(|hearing| hearing.is_announced)?;
        if hearing.open != OpenBallots::Announced {
            return Some(guidance::tally_line(report, tongue));
        }
        let named = self.public_names.iter().zip(cast).filter_map(|(name, ballot)| Some((name.as_str(), ballot?)));
        Some(guidance::roll_call(report, hearing.invalid, named, tongue))
    }

    /// Adds a statement to the talk, or notes whether a test excludes a seat.
    pub(in crate::session) fn witness_talk(&mut self, record: &Record, seat: Option<usize>, stance: Option<Choice>) {
        let Some(seat) = seat else { return };
        let Some(text) = record.statement_text() else {
            let talks = self.heard.all.iter_mut().filter_map(|heard| heard.talk.as_mut());
            return talks.for_each(|talk| talk.take_test(record, seat));
        };
        let at = (record.at.phase.clone(), record.at.round);
        let is_heard_at_once = !self.simultaneous.contains(&record.at.phase);
        for group in self.who_hear(record, Some(seat), FloorEvent::Statement) {
            let heard = &mut self.heard.all[group];
            let Some(talk) = &mut heard.talk else { continue };
            talk.hear_pending(Some(&at));
            let speaker = Some(SeatId(seat as u32));
            let others = talk.count_others();
            talk.unheard.push(Statement {
                at: at.clone(),
                said: RemarkHeader { seq: record.seq, round: record.at.round, turn: record.at.turn, speaker },
                place: heard.floor.len() - 1,
                name: self.public_names[seat].clone(),
                text: text.to_owned(),
                stance,
                marks: record.event.marks().to_vec(),
                others,
            });
            if is_heard_at_once {
                talk.hear_pending(None);
            }
        }
    }

    pub(in crate::session) fn witness_search(&mut self, record: &Record, seat: Option<usize>) {
        if let (Event::Inquired(Inquired { inquiry, found, .. }), Some(seat)) = (&record.event, seat) {
            let (at, inquiry, found) = (record.at.clone(), inquiry.clone(), found.clone());
            self.asked[seat] = Some(SeatInquiry { at, inquiry, found });
        }
    }

    /// Notes whom seats hear, and the names that they chose.
    pub(in crate::session) fn witness_seats(&mut self, record: &Record) {
        let mut heard = vec![Vec::new(); self.seats.len()];
        for seated in record.event.seated() {
            let Some(place) = self.seats.get_index_of(&seated.seat) else { continue };
            let hears = seated.hears.iter().flatten();
            heard[place] = hears.filter_map(|name| self.seats.get_index_of(name)).collect();
            if let Some(name) = &seated.name {
                self.public_names[place].clone_from(name);
                self.chosen.resize(self.seats.len(), None);
                self.chosen[place] = Some(name.clone());
            }
        }
        if record.event.seated().iter().any(|seated| seated.hears.is_some()) {
            self.heard.split_groups(&heard);
        }
    }

    /// Notes who hears a phase that opens.
    fn witness_hearers(&mut self, record: &Record) {
        if let Event::PhaseOpened(PhaseOpened { heard_by: Some(names), .. }) = &record.event {
            let seats = names.iter().filter_map(|name| self.seats.get_index_of(name)).collect();
            self.hearers.insert(record.at.phase.clone(), seats);
        }
        if let Event::PhaseOpened(PhaseOpened { hears: Some(hears), .. }) = &record.event {
            let find = |name: &SeatName| self.seats.get_index_of(name);
            let of_listener = |names: &Vec<SeatName>| names.iter().filter_map(find).collect();
            let linked = hears.iter().filter_map(|(listener, others)| Some((find(listener)?, of_listener(others))));
            self.linked.insert(record.at.phase.clone(), linked.collect());
        }
    }

    /// The groups that hear a remark.
    fn who_hear(&self, record: &Record, speaker: Option<usize>, event: FloorEvent) -> Vec<usize> {
        let mut groups = match (speaker, self.linked.get(&record.at.phase)) {
            (Some(speaker), Some(linked)) => {
                let hears = |seat: &usize| *seat == speaker || linked.get(seat).is_some_and(|of| of.contains(&speaker));
                let of_seats: BTreeSet<usize> =
                    (0..self.seats.len()).filter(hears).map(|seat| self.heard.of[seat]).collect();
                of_seats.into_iter().collect()
            }
            _ => self.heard.who_hear(speaker),
        };
        if let Some(hearers) = self.hearers.get(&record.at.phase).filter(|_| event.is_of_phase()) {
            let hears = |seat: usize| hearers.contains(&seat) || Some(seat) == speaker;
            let listening: BTreeSet<usize> =
                (0..self.seats.len()).filter(|seat| hears(*seat)).map(|seat| self.heard.of[seat]).collect();
            groups.retain(|group| listening.contains(group));
        }
        // The author of an announced answer or ballot remembers it as its own.
        let is_ballot = event == FloorEvent::VoteAnswered && matches!(record.at.step, Step::Ballot | Step::Amount);
        let author = record.seat.as_ref().filter(|_| event == FloorEvent::Answer || is_ballot);
        let author = author.and_then(|name| self.seats.get_index_of(name)).map(|seat| self.heard.of[seat]);
        groups.retain(|group| Some(*group) != author);
        groups
    }

    /// Those of the seats named that have heard the remark of a record.
    fn who_have_heard(&self, to: &[SeatName], record: Seq) -> Vec<usize> {
        let has_heard =
            |seat: &usize| self.heard.group_of(*seat).floor.binary_search_by_key(&record, |said| said.seq).is_ok();
        self.places_of(to).into_iter().filter(has_heard).collect()
    }

    /// The records that only this seat witnessed, with their kinds, list by list.
    pub fn own_records(&self, seat: SeatId) -> impl Iterator<Item = (Seq, EntryKind)> {
        self.own[seat.index()].iter().flatten().map(|owned| (owned.seq, owned.kind))
    }

    pub fn is_own(&self, seat: SeatId, seq: Seq) -> bool {
        self.own_records(seat).any(|(own, _)| own == seq)
    }

    /// The remarks that a seat has heard, in order.
    pub fn remarks(&self, seat: SeatId) -> &[WitnessedRemark] {
        &self.heard.group_of(seat.index()).floor
    }

    pub fn is_pinned(&self, seat: SeatId, place: usize) -> bool {
        self.heard.group_of(seat.index()).places[2].binary_search(&(place as u32)).is_ok()
    }
}
