//! Turns an answer into an event. Total: whatever a seat says becomes a record.

use super::deliberation::Deliberation;
use super::{chosen_names, notes};
use crate::domain::{
    AlternativeName, Answer, Answered, Ask, Choice, Consequence, Draft, Event, Fault, Faulted, Given, Motion,
    NamedValues, Query, Reply, Step, TestQuestion, URGENCY_MAX, check_ballot, cut_values, test_values,
};
use crate::memory::fit_text;
use crate::prompt::check_choice;
use crate::question::check_values;
use crate::text;

impl Deliberation<'_> {
    /// What an answer is in the minutes.
    pub fn admit(&self, query: &Query<'_>, answer: Answer) -> Draft {
        let Answer { raw, parsed, field, usage, model_served, state } = answer;
        let given = Given { shown: query.shown.clone(), usage, model_served, state };
        let motion = self.plan.motion_asked(query);
        let parsed = match parsed {
            Ok(Reply::Inquiry(inquiry)) if query.offer.allows(&inquiry) && query.id.attempt < u8::MAX => {
                let event = self.inquired_event(query, inquiry, raw, given);
                return draft(query, event);
            }
            other => other,
        };
        let event = match parsed.and_then(|reply| admissible(motion, &query.ask, reply)) {
            Ok(reply) => self.event(query, reply, raw, given),
            Err(fault) => {
                let then = self.consequence(query, fault);
                let field = field.filter(|_| query.ask.form_asked().is_some());
                Event::Faulted(Faulted { fault, field, then, options: options(motion, query), raw, given })
            }
        };
        draft(query, event)
    }

    /// A question that was too long is put again as long as less can be shown; anything else, while tries last.
    fn consequence(&self, query: &Query<'_>, fault: Fault) -> Consequence {
        let is_last = match fault {
            Fault::ContextTooLong if query.id.attempt == u8::MAX => true,
            Fault::ContextTooLong if self.is_shown_found(query.seat) => false,
            Fault::ContextTooLong => match query.ask.step() {
                Step::Compression => !self.memory.can_halve_oldest(query.seat),
                step if step.is_small() => !self.memory.can_halve_short(query.seat),
                _ => !self.memory.can_halve(query.seat),
            },
            _ => self.course_of(query.seat).asking.tries(query.seat) + 1 >= self.plan.tries_max,
        };
        if is_last { Consequence::TriesUsedUp } else { Consequence::AskedAgain }
    }

    /// An admissible reply as an event.
    fn event(&self, query: &Query<'_>, reply: Reply, raw: String, given: Given) -> Event {
        let motion = self.plan.motion_asked(query);
        let step = query.id.at.step;
        let marks = match &reply {
            Reply::Statement { text, .. } if query.ask.reads_marks() => {
                let marks = text::parse_marks(text, motion.language);
                self.memory.proposals(query.seat).resolve_marks(query.seat, &marks)
            }
            _ => Vec::new(),
        };
        let found = self.find_values(query, &reply);
        let mut values = match (reply, query.ask.form_asked()) {
            (Reply::Form(values), Some(asked)) => asked.form.name_values(values),
            (Reply::Name(name), _) => {
                let name = chosen_names::fitting(&name).expect("invariant: an admissible name fits");
                Reply::Name(name.into()).into_values()
            }
            (reply, _) => {
                let reply = reply.find(|id| Some(motion.name(*id).clone()));
                reply.expect("invariant: every alternative has a name").into_values()
            }
        };
        values.extend(found);
        let options = if step == Step::Statement { Vec::new() } else { options(motion, query) };
        let raw = if step.is_written() { String::new() } else { raw };
        Event::Answered(Answered { values, marks, options, raw, given })
    }

    /// The values that follow from a reply, which a reader of the minutes could not find without the plan: the result of a test, and
    /// how much of a text a memory does not take over.
    fn find_values(&self, query: &Query<'_>, reply: &Reply) -> NamedValues {
        match (reply, &query.ask) {
            (Reply::Test(answers), Ask::Comprehension { questions, .. }) => {
                let test = self.comprehension_test(self.asked().phase);
                let is_right = |(answer, question): &(&u32, &TestQuestion)| **answer == question.answer;
                let correct = answers.iter().zip(questions.iter()).filter(is_right).count() as u32;
                test_values((correct, correct >= test.pass_mark))
            }
            (Reply::Note(text), Ask::Integration { chars_max, .. } | Ask::Compression { chars_max, .. }) => {
                cut_values(fit_text(text, *chars_max, self.memory.words_max(query.seat)).1)
            }
            _ => NamedValues::default(),
        }
    }
}

fn draft(query: &Query<'_>, event: Event) -> Draft {
    Draft { at: query.id.at.clone(), answered: Some((query.id.seat.clone(), query.id.attempt)), event }
}

fn options(motion: &Motion, query: &Query<'_>) -> Vec<AlternativeName> {
    query.ask.options().iter().map(|id| motion.name(*id).clone()).collect()
}

/// The reply, if it is one that the question allows.
///
/// # Errors
/// The [`Fault`] that it is otherwise.
pub fn admissible(motion: &Motion, ask: &Ask, reply: Reply) -> Result<Reply, Fault> {
    let check = |choice: &Choice| check_choice(motion, ask, *choice).map(drop);
    if ask.asks_reasons() && matches!(reply, Reply::Reasoned { .. }) {
        let (ballot, reasoning) = reply.split_reasoning();
        return Ok(admissible(motion, ask, ballot)?.with_reasoning(reasoning));
    }
    match (ask, &reply) {
        (Ask::Statement { chars_min, .. }, Reply::Statement { text, stance, .. }) => {
            if text.trim().is_empty() {
                return Err(Fault::Empty);
            }
            if text::char_count(text) < u64::from(*chars_min) {
                return Err(Fault::TooShort);
            }
            stance.iter().try_for_each(check)?;
        }
        (Ask::Statement { .. }, Reply::Pass) => {}
        (Ask::Ballot { .. }, Reply::Abstention) if ask.may_abstain() => {}
        (Ask::Ballot { .. }, Reply::Abstention) => return Err(Fault::UnknownAlternative),
        (Ask::Ballot { form, .. }, reply) if form.says_more() => {
            let Reply::Ballot(ballot) = reply else { return Err(Fault::Ambiguous) };
            return check_ballot(ask, ballot.clone()).map(Reply::Ballot);
        }
        (Ask::StrawPoll { .. } | Ask::Ballot { .. }, Reply::Choice(choice))
        | (Ask::StrawPoll { .. }, Reply::Opined(choice, _)) => check(choice)?,
        (Ask::Application { .. }, Reply::Application { choice, .. }) => check(choice)?,
        (Ask::Amount { alternative }, Reply::Amount(amount)) => {
            check(&Choice { alternative: *alternative, amount: Some(*amount) })?;
        }
        (Ask::Ranking { options }, Reply::Ranking { order, .. }) => {
            let mut ranked = order.clone();
            ranked.sort_unstable();
            let mut offered = options.clone();
            offered.sort_unstable();
            if ranked != offered {
                return Err(Fault::NotARanking);
            }
        }
        (Ask::Comprehension { questions, situation }, Reply::Test(answers)) => {
            let tables = 1..=situation.tables.len() as u32;
            if answers.len() != questions.len() || answers.iter().any(|answer| !tables.contains(answer)) {
                return Err(Fault::Unreadable);
            }
        }
        (Ask::Volunteer, Reply::Urgency(urgency)) => {
            if urgency.is_some_and(|urgency| urgency > URGENCY_MAX) {
                return Err(Fault::Unreadable);
            }
        }
        (Ask::VoteCall | Ask::Confirmation { .. }, Reply::Assent(_)) => {}
        (Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. }, Reply::Note(text)) => {
            if text.trim().is_empty() {
                return Err(Fault::Empty);
            }
        }
        (Ask::Form { asked }, Reply::Form(values)) => {
            check_values(&asked.form, values).map_err(|fault| fault.reason.as_fault())?;
        }
        (Ask::Recognition, Reply::Recognition { .. }) => {}
        (Ask::Naming { taken }, Reply::Name(name)) => chosen_names::check(name, taken)?,
        (Ask::Notes { notes }, Reply::Notes(note)) => {
            let is_once = |old: &str| notes::occurs_once(notes, old);
            if note.replace.as_ref().is_some_and(|replace| !is_once(&replace.old)) {
                return Err(Fault::NotOnce);
            }
        }
        _ => return Err(Fault::Ambiguous),
    }
    Ok(reply)
}
