//! The words in which a seat reads its own answers, payments, notes and entries put back, from the records and the plan, and how
//! much of a remark memories keep. It does not know how long memories keep entries.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{
    Alternative, AlternativeName, Briefing, Choice, EntryKind, Language, Moment, Motion, Payment, Payoff, PhaseName,
    Record, Reply, RoundOpened, SeatId, Seq, Situation, Step, Tongue, Voted,
};
use crate::mechanism::multiply_incomes;
use crate::memory::notice::AnswerTold;
use crate::memory::{FloorEvent, MemoryPlan, RENDERED_LIMIT_MIN, RemarkHeader, guidance, notice};
use crate::plan::{PhaseKind, Plan, TEST_TRIES};
use crate::prompt::TestFacts;
use crate::text::{MARKER, char_count, first_words, join_lines, truncate_text};

/// The state needed to word records.
#[derive(Debug, Clone)]
pub(in crate::session) struct EntryWording {
    pub plan: Arc<Plan>,
    /// The announced situation of the practice round.
    situation: Option<Arc<Situation>>,
    /// For each seat, the alternative that it voted for, until its amount is named.
    voted: Vec<Option<AlternativeName>>,
    /// The seats as options, under the names that they have now.
    seats: Motion,
    /// The positions of the forms in the agenda.
    forms: BTreeMap<PhaseName, usize>,
}

/// The expected words of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session) enum EntryWords {
    /// The text with this digest.
    Exactly(blake3::Hash),
    /// A text that holds these words in this order. What a question printed when it was put is not known here.
    Holding(Vec<String>),
    /// Any text; checked elsewhere.
    Elsewhere,
    /// A text that the seat wrote, or its beginning with the marker of a cut. The room for it depends on the memory, which is not
    /// known here.
    Written {
        text: String,
        /// Whether an empty text matches too, because there may be no room for the marker.
        may_be_nothing: bool,
    },
}

impl EntryWords {
    pub fn from_text(text: &str) -> Self {
        Self::Exactly(blake3::hash(text.as_bytes()))
    }

    pub fn matches_text(&self, shown: &str) -> bool {
        match self {
            EntryWords::Elsewhere => true,
            EntryWords::Holding(words) => {
                let mut rest = shown;
                let mut is_next = |words: &String| match rest.split_once(words.as_str()) {
                    Some((_, after)) => {
                        rest = after;
                        true
                    }
                    None => shown.ends_with(MARKER),
                };
                words.iter().all(&mut is_next)
            }
            EntryWords::Exactly(hash) => *hash == blake3::hash(shown.as_bytes()),
            EntryWords::Written { text, may_be_nothing } => strip_memory_mark(shown).is_some_and(|shown| {
                let is_beginning = |shown: &str| text.starts_with(shown);
                text == shown
                    || shown.is_empty() && *may_be_nothing
                    || shown.strip_suffix(MARKER).is_some_and(is_beginning)
            }),
        }
    }
}

impl EntryWording {
    pub fn new(plan: &Plan) -> Self {
        let options = plan.seats.iter().map(|seat| Alternative::of_seat(&seat.name, &seat.agent.public_name));
        let seats = Motion { alternatives: options.collect(), ..(*plan.motion).clone() };
        let phases = plan.agenda.iter().enumerate();
        let forms = phases.filter(|(_, phase)| matches!(phase.kind, PhaseKind::Form(_)));
        let forms = forms.map(|(place, phase)| (phase.name.clone(), place)).collect();
        Self { plan: Arc::new(plan.clone()), situation: None, voted: vec![None; plan.seats.len()], seats, forms }
    }

    /// What ballots of a phase are told in.
    pub fn tongue_of_vote(&self, phase: &PhaseName) -> Tongue<'_> {
        if self.plan.votes_over_seats(phase) { self.seats.tongue() } else { self.plan.motion.tongue() }
    }

    pub fn witness_record(&mut self, record: &Record) {
        for seated in record.event.seated() {
            let Some(name) = &seated.name else { continue };
            let options = self.seats.alternatives.iter_mut();
            for option in options.filter(|option| option.name.as_str() == seated.seat.as_str()) {
                *option = Alternative::of_seat(&seated.seat, name);
            }
        }
        if let Some(RoundOpened { situation: Some(_), multiplier, .. }) = record.event.round_opened()
            && let Some(mechanism) = self.plan.income_principles()
            && let Some(of_round) = (record.at.round as usize).checked_sub(1)
            && let Some(situation) = mechanism.applications.get(of_round)
        {
            self.situation = Some(match multiplier {
                Some(thousandths) => Arc::new(multiply_incomes(situation, *thousandths, &situation.name)),
                None => Arc::clone(situation),
            });
        }
    }

    /// The words of a seat's own answer; `None` if it does not remember the answer.
    pub fn answer_words(&mut self, record: &Record, seat: usize, names: &[String]) -> Option<(EntryKind, EntryWords)> {
        let (phase, step) = (&record.at.phase, record.at.step);
        let plan = Arc::clone(&self.plan);
        let (memory, tongue) = (&plan.seats[seat].memory, plan.motion.tongue());
        let Some(reply) = record.reply() else {
            let is_ballot = matches!(step, Step::Ballot | Step::Amount);
            return (is_ballot && record.final_fault().is_some()).then(|| {
                self.voted[seat] = None;
                self.ballot_words(seat, phase, None)
            });
        };
        let (kind, text) = match reply {
            Reply::Note(text) if step == Step::Reasoning => {
                return Some((EntryKind::OwnReasoning, self.reasoning_words(memory, &text)));
            }
            Reply::Note(text) => return Some((EntryKind::Rewritten, self.rewritten_words(memory, &text))),
            Reply::Choice(choice) | Reply::Opined(choice, _) if step == Step::StrawPoll => {
                let motion = &plan.motion;
                let amount = choice.amount.filter(|_| motion.only().is_some())?;
                (EntryKind::OwnAnswer, notice::estimate_line(amount, motion.unit.as_deref(), motion.language))
            }
            Reply::Choice(choice) if choice.amount.is_none() && self.takes_amount(&choice.alternative, &record.at) => {
                self.voted[seat] = Some(choice.alternative);
                return None;
            }
            Reply::Choice(choice) => return Some(self.ballot_words(seat, phase, Some(Voted::For(choice)))),
            Reply::Ballot(ballot) => return Some(self.ballot_words(seat, phase, Some(Voted::Over(ballot)))),
            Reply::Abstention => return Some(self.ballot_words(seat, phase, Some(Voted::Abstained))),
            Reply::Amount(amount) => {
                let voted = self.voted[seat].take();
                let voted = voted.map(|alternative| Voted::For(Choice { alternative, amount: Some(amount) }));
                return Some(self.ballot_words(seat, phase, voted));
            }
            Reply::Form(_) => {
                let words = self.form_words(record, seat, names)?;
                return Some((EntryKind::OwnAnswer, words));
            }
            Reply::Ranking { order, certainty } => {
                (EntryKind::OwnRanking, notice::ranking_line(&Vec::from_iter(&order), certainty, tongue))
            }
            Reply::Application { choice, certainty, .. } => {
                let situation = &self.situation.as_ref()?.name;
                (EntryKind::OwnApplication, notice::application_line(situation, &choice, certainty, tongue))
            }
            Reply::Test(_) => (EntryKind::OwnTest, self.test_line(record, record.test_result()?)?),
            _ => return None,
        };
        Some((kind, self.entry_words(memory, kind, text)))
    }

    /// The words of a seat's own answers to a form; `None` of any other record.
    fn form_words(&self, record: &Record, seat: usize, names: &[String]) -> Option<EntryWords> {
        let own = SeatId(seat as u32);
        let values = record.form_values()?;
        let (motion, form) = (self.plan.motion_for(own), self.plan.form_for(own, self.find_form(&record.at.phase)?));
        let question = |field: usize, _| form.open_question(field, motion.unit.as_deref());
        let answers = form.list_answers(values, question, |target| name_of(names, target));
        if form.has_fixed_questions() {
            let text = notice::answers_line(&answers, motion.language);
            return Some(self.entry_words(&self.plan.seats[seat].memory, EntryKind::OwnAnswer, text));
        }
        // Answers about one seat each are grouped by their questions.
        let told = |answer: &AnswerTold<'_>| answer.value_text(motion.language);
        let words = if form.per.is_some() { Vec::new() } else { answers.iter().map(told).collect() };
        Some(EntryWords::Holding(words))
    }

    /// The answers to a form as others hear them; `None` of any other record.
    pub fn heard_answers<'r>(&self, record: &'r Record, names: &[String]) -> Option<Vec<AnswerTold<'r>>> {
        let PhaseKind::Form(form) = &self.plan.agenda[self.find_form(&record.at.phase)?].kind else { return None };
        Some(self.plan.list_heard_answers(form, record.form_values()?, |target| name_of(names, target)))
    }

    /// The position of the form of a phase.
    fn find_form(&self, phase: &PhaseName) -> Option<usize> {
        self.forms.get(phase).copied()
    }

    /// The words of a seat's own ballot; `None` for one that does not count.
    fn ballot_words(&self, seat: usize, phase: &PhaseName, voted: Option<Voted>) -> (EntryKind, EntryWords) {
        let text = guidance::ballot_line(voted.as_ref(), self.tongue_of_vote(phase));
        let words = self.entry_words(&self.plan.seats[seat].memory, EntryKind::OwnBallot, text);
        (EntryKind::OwnBallot, words)
    }

    /// The words of an entry. An unpinned entry is cut if it alone exceeds the limit of a brief.
    fn entry_words(&self, memory: &MemoryPlan, kind: EntryKind, mut text: String) -> EntryWords {
        if !memory.pins_entry(kind) {
            cut_text(&mut text, self.if_limited(memory.memory_character_limit));
        }
        EntryWords::from_text(&text)
    }

    /// The words of an announcement that is put back. It is cut if it alone exceeds the limit of a brief.
    pub fn put_back_words(&self, memory: &MemoryPlan, announced: &str) -> EntryWords {
        let mut text = announced.to_owned();
        let mark = char_count(&guidance::read_aloud("", self.language()));
        cut_text(&mut text, self.if_limited(memory.memory_character_limit).saturating_sub(mark));
        EntryWords::from_text(&guidance::read_aloud(&text, self.language()))
    }

    fn reasoning_words(&self, memory: &MemoryPlan, text: &str) -> EntryWords {
        let mut text = join_lines(text);
        let room = self
            .if_limited(memory.memory_character_limit)
            .saturating_sub(char_count(notice::thought_label(self.language())));
        let of_its_own = self.if_limited(memory.reasoning_max_length.into());
        cut_text(&mut text, if memory.enable_truncation { room.min(of_its_own) } else { room });
        EntryWords::from_text(&format!("{}{text}", notice::thought_label(self.language())))
    }

    fn rewritten_words(&self, memory: &MemoryPlan, text: &str) -> EntryWords {
        // A writer may repeat the mark that it was shown.
        let mut text = strip_memory_mark(text).unwrap_or(text).to_owned();
        if let Some(words_max) = memory.policy.terms().rewrites.and_then(|rewrites| rewrites.words_max) {
            first_words(&text, words_max).apply(&mut text);
        }
        let least = RENDERED_LIMIT_MIN * u64::from(memory.compression_target_ppm) / 1_000_000;
        let may_be_nothing = least < char_count(notice::memory_mark(self.language())) + char_count(MARKER);
        EntryWords::Written { text, may_be_nothing }
    }

    /// The words in which a seat is told something alone; `None` if there are none.
    pub fn briefing_words(&self, seat: usize, briefing: &Briefing) -> Option<EntryWords> {
        match briefing.notes() {
            Some((_, lines)) => self.notes_words(seat, &lines),
            None => self.plan.briefing_text(briefing).map(|text| EntryWords::from_text(&text)),
        }
    }

    /// The words of a seat's notes: the newest lines that fit, up to the plan's maximum; `None` if there are none.
    fn notes_words(&self, seat: usize, lines: &[String]) -> Option<EntryWords> {
        let meeting = self.plan.wave.as_ref().map_or(1, |wave| wave.number);
        let room = self.plan.seats[seat].memory.notes_room();
        let mut length = 0;
        let fits = |line: &&String| {
            length += char_count(line) + u64::from(length > 0);
            length <= room
        };
        let newest = lines.iter().rev().take(self.plan.notes_lines_max());
        let fitting = newest.clone().take_while(fits).count().max(1).min(newest.count());
        let mut shown = lines[lines.len() - fitting..].join("\n");
        cut_text(&mut shown, room);
        (!shown.is_empty()).then(|| EntryWords::from_text(&notice::notes_text(meeting, &shown, self.language())))
    }

    fn test_line(&self, record: &Record, (correct, passed): (u32, bool)) -> Option<String> {
        let phase = self.plan.agenda.iter().find(|phase| phase.name == record.at.phase)?;
        let PhaseKind::Comprehension(test) = &phase.kind else { return None };
        let (of, last_try) = (test.questions.len() as u32, record.at.round >= TEST_TRIES);
        self.plan.prompts.test_result(&TestFacts { correct, of, passed, last_try }).ok()
    }

    /// The words of a payment; `None` if nothing was paid. Of an unpinned income they are cut as those of any entry.
    pub fn payment_words(&self, seat: usize, payment: &Payment, payoff: &Payoff) -> Option<EntryWords> {
        let paid = (SeatId(seat as u32), payoff);
        let text = self.plan.payment_text(payment, self.situation.as_deref(), paid)?;
        Some(match payment.tables {
            Some(_) => self.entry_words(&self.plan.seats[seat].memory, EntryKind::Results, text),
            None => EntryWords::from_text(&text),
        })
    }

    /// The bytes of a remark that memories keep. A statement is cut to the plan's limits, an announcement only if it alone
    /// exceeds the limit of a brief, and an exhibit never.
    pub fn kept_bytes(
        &self,
        memory: &MemoryPlan,
        (event, number): (FloorEvent, Option<(u32, u32)>),
        name: &str,
        stance: Option<Choice>,
        text: &str,
    ) -> u32 {
        if event == FloorEvent::Exhibit {
            return text.len() as u32;
        }
        let favours = stance.map(|choice| self.plan.motion.told(choice));
        let language = self.language();
        // The frame shows the name and the number only, so any seat will do.
        let ((round, turn), speaker) = (number.unwrap_or_default(), number.map(|_| SeatId(0)));
        let said = RemarkHeader { seq: Seq(0), round, turn, speaker };
        let frame = guidance::frame_chars(&said, name, favours.as_ref(), (memory.guidance_style, language));
        let mut room = self.if_limited(memory.memory_character_limit).saturating_sub(frame);
        if event == FloorEvent::Statement && memory.enable_truncation {
            room = room.min(self.if_limited(memory.statement_max_length.into()));
        }
        truncate_text(text, u32::try_from(room).unwrap_or(u32::MAX)).kept_bytes as u32
    }

    fn language(&self) -> Language {
        self.plan.motion.language
    }

    /// Whether a ballot for this option is complete only with an amount.
    pub fn takes_amount(&self, name: &AlternativeName, at: &Moment) -> bool {
        let alternatives = &self.plan.motion.alternatives;
        !self.plan.votes_on_own_options(at)
            && alternatives.iter().any(|alternative| alternative.name == *name && alternative.takes_amount)
    }

    fn if_limited(&self, limit: u64) -> u64 {
        if self.plan.memory.policy.terms().is_limited() { limit } else { u64::MAX }
    }
}

/// The text after the mark of a rewritten memory, in any language; `None` if there is no mark.
fn strip_memory_mark(text: &str) -> Option<&str> {
    Language::ALL.into_iter().find_map(|language| text.strip_prefix(notice::memory_mark(language)))
}

/// Cuts a text to this many characters, the marker included.
fn cut_text(text: &mut String, chars_max: u64) {
    truncate_text(text, u32::try_from(chars_max).unwrap_or(u32::MAX)).apply(text);
}

fn name_of(names: &[String], seat: SeatId) -> String {
    names.get(seat.index()).cloned().unwrap_or_default()
}
