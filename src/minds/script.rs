//! A confederate's script: a list in the order of the questions, or a table by coordinate.
//!
//! A confederate says its script verbatim. A line that does not fit its question is a fault of the seat, as for any seat. The
//! rule of all simulated seats rewrites its memory, takes its notes and answers that it recognises nothing, unless a table has a
//! line for the question.

use serde_json::Value;

use crate::domain::{
    AlternativeId, Answer, Ask, Ballot, BallotForm, Certainty, Choice, Fault, Inquiry, Language, Mark, MindState,
    Motion, NamedValues, NoteTaken, Opinion, Outage, PhaseName, Query, QuestionId, Reply, Step,
};
use crate::minds::{form, marks, note, reply};
use crate::prompt::read_fields;
use crate::text;

/// A confederate's lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Script {
    /// One line for each question, in order. Repeated questions take a line too; questions about memory, notes and recognition
    /// take none.
    List(Vec<ScriptLine>),
    /// A line for each coordinate (phase, round, step), on every attempt.
    Table(Vec<(PhaseName, u32, Step, ScriptLine)>),
}

impl Script {
    /// Whether one of its lines passes.
    pub fn contains_pass(&self) -> bool {
        match self {
            Script::List(lines) => lines.contains(&ScriptLine::Pass),
            Script::Table(lines) => lines.iter().any(|(.., line)| *line == ScriptLine::Pass),
        }
    }
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptLine {
    /// A statement.
    Statement {
        /// The words.
        text: String,
        /// The declared favourite.
        stance: Option<Choice>,
        /// Its marks, for questions that read marks.
        marks: Vec<Mark>,
    },
    /// The seat passes.
    Pass,
    /// A choice in a poll or ballot. A ballot drops the amount, which a later question asks for.
    Choice(Choice),
    /// An abstention, where the seat may abstain.
    Abstention,
    /// The amount for the alternative voted for, or an amount voted for alone.
    Amount(u32),
    /// A ranking.
    Ranking {
        /// The alternatives, best first.
        order: Vec<AlternativeId>,
        /// How certain the seat is.
        certainty: Certainty,
    },
    /// A ballot that says more than one choice.
    Ballot(Ballot<AlternativeId>),
    /// A choice in a practice round.
    Application {
        /// The choice.
        choice: Choice,
        /// How certain the seat is.
        certainty: Certainty,
        /// The reasons; may be empty.
        reasoning: String,
    },
    /// Answers to a comprehension test: a table's number, from 1, for each question.
    Test(Vec<u32>),
    /// Whether the seat calls a vote, agrees to one or recognises something; `false` also declines to speak.
    Assent(bool),
    /// The urgency to speak.
    Urgency(u32),
    /// A thought before speaking or, in a table, a rewritten memory.
    Note(String),
    /// A name for itself.
    Name(String),
    /// In a table, a change to the notes.
    Notes(NoteTaken),
    /// In a table, what the seat recognises.
    Recognises(String),
    /// Values for the fields of any question.
    Values(NamedValues),
    /// An unreadable reply, sent as it is.
    Malformed(String),
    /// The seat first asks to see something, if it may; then it says the other line.
    After(Inquiry, Box<ScriptLine>),
    /// The other line, a statement or a choice in a poll, with an opinion.
    Opining(Opinion, Box<ScriptLine>),
    /// The other line, with the alternative that this column of the session's item names. Its text gets that alternative's words
    /// for each `{{ item.column }}`.
    OfItem(String, Box<ScriptLine>),
}

/// Looks up the alternative that a column of an item names, and its words.
pub type NamedByItem<'a> = &'a dyn Fn(&str) -> Option<(AlternativeId, String)>;

impl Script {
    /// Whether it chooses a name: a list by its first line, a table by its line for that step.
    pub fn chooses_name(&self) -> bool {
        match self {
            Script::List(lines) => matches!(lines.first(), Some(ScriptLine::Name(_))),
            Script::Table(lines) => lines.iter().any(|(_, _, step, _)| *step == Step::Naming),
        }
    }

    /// Whether a line depends on the item.
    pub fn reads_items(&self) -> bool {
        match self {
            Script::List(lines) => lines.iter().any(ScriptLine::reads_items),
            Script::Table(lines) => lines.iter().any(|(.., line)| line.reads_items()),
        }
    }

    /// The script for the sessions of one item.
    #[must_use]
    pub fn of_item(&self, named: NamedByItem<'_>) -> Self {
        match self {
            Script::List(lines) => Script::List(lines.iter().map(|line| line.of_item(named)).collect()),
            Script::Table(lines) => {
                let line = |(phase, round, step, line): &(PhaseName, u32, Step, ScriptLine)| {
                    (phase.clone(), *round, *step, line.of_item(named))
                };
                Script::Table(lines.iter().map(line).collect())
            }
        }
    }

    /// Answers a ballot over those of the options in `written`, by which a table refers to them, that `motion` has.
    pub(super) fn answer_among(
        &self,
        (written, motion): (&Motion, &Motion),
        query: &Query<'_>,
    ) -> Result<Answer, Outage> {
        match self {
            Script::Table(lines) if written != motion => {
                let line = |(phase, round, step, line): &(PhaseName, u32, Step, ScriptLine)| {
                    (phase.clone(), *round, *step, line.among_options(written, motion))
                };
                Script::Table(find_line(lines, &query.id).map(line).into_iter().collect()).answer(motion, query)
            }
            _ => self.answer(motion, query),
        }
    }

    /// Answers a query. The state of a list is one number: the lines said so far.
    pub(super) fn answer(&self, motion: &Motion, query: &Query<'_>) -> Result<Answer, Outage> {
        let by_rule = match query.ask {
            Ask::Integration { .. } | Ask::Compression { .. } => Some(note::rewrite_memory(motion, query)),
            Ask::Notes { .. } => Some(note::take_notes(motion, query)),
            Ask::Recognition => Some(reply::answer_with_recognition(None, query.state.clone())),
            _ => None,
        };
        let (line, state) = match (self, &by_rule) {
            (Script::List(_), Some(answer)) => return Ok(answer.clone()),
            (Script::List(lines), None) => {
                let said = query.state.0.first().copied().unwrap_or(0);
                let line = usize::try_from(said).ok().and_then(|place| lines.get(place));
                (line, MindState(vec![said.saturating_add(1)]))
            }
            (Script::Table(lines), _) => (find_line(lines, &query.id).map(|(.., line)| line), MindState::default()),
        };
        if let Some(ScriptLine::After(inquiry, _)) = line.filter(|line| line.makes_inquiry(query)) {
            let (raw, state) = (write_inquiry(inquiry), query.state.clone());
            return Ok(reply::simulated_answer(raw, Ok(Reply::Inquiry(inquiry.clone())), state));
        }
        match (line, by_rule) {
            (Some(line), _) => Ok(line.answer(motion, query, state)),
            (None, Some(answer)) => Ok(answer),
            (None, None) => {
                Err(Outage::ScriptEnded { seat: query.id.seat.to_string(), question: Box::new(query.id.clone()) })
            }
        }
    }
}

/// A line of a table with its coordinate.
type TableLine = (PhaseName, u32, Step, ScriptLine);

/// The first line of a table for a question: one for this pass of its phase, else one for every pass.
fn find_line<'a>(lines: &'a [TableLine], id: &QuestionId) -> Option<&'a TableLine> {
    let of_step = lines.iter().filter(|(_, round, step, _)| (*round, *step) == (id.at.round, id.at.step));
    let own = of_step.clone().find(|(phase, ..)| *phase == id.at.phase);
    let of_pass = || of_step.clone().find(|(phase, ..)| phase.as_str() == id.at.phase.occurrence());
    let of_all = || of_step.clone().find(|(phase, ..)| phase.as_str() == id.at.phase.written());
    own.or_else(of_pass).or_else(of_all)
}

/// Answers a question that is no form of the scenario by what is written for its fields; a fault if that is no answer to it.
fn answer_by_fields(ask: &Ask, motion: &Motion, values: &NamedValues, state: MindState) -> Answer {
    let Ok(Value::Object(fields)) = serde_json::to_value(values) else { unreachable!("invariant: values are JSON") };
    let reply = read_fields(ask, motion, &fields).map_err(|_| Fault::Unreadable);
    reply::simulated_answer(Value::Object(fields).to_string(), reply, state)
}

fn write_inquiry(inquiry: &Inquiry) -> String {
    match inquiry {
        Inquiry::LookUp(words) => format!("LOOK_UP: {words}"),
        Inquiry::Page(name) => format!("PAGE: {name}"),
    }
}

impl ScriptLine {
    /// Whether the seat asks to see something before it says this line.
    fn makes_inquiry(&self, query: &Query<'_>) -> bool {
        matches!(self, ScriptLine::After(inquiry, _) if query.offer.allows(inquiry))
    }

    fn reads_items(&self) -> bool {
        match self {
            ScriptLine::OfItem(..) => true,
            ScriptLine::After(_, then) | ScriptLine::Opining(_, then) => then.reads_items(),
            _ => false,
        }
    }

    fn of_item(&self, named: NamedByItem<'_>) -> Self {
        match self {
            ScriptLine::After(inquiry, then) => ScriptLine::After(inquiry.clone(), Box::new(then.of_item(named))),
            ScriptLine::Opining(opinion, line) => ScriptLine::Opining(*opinion, Box::new(line.of_item(named))),
            ScriptLine::OfItem(column, line) => {
                named(column).map_or_else(|| (**line).clone(), |named| line.with_alternative(column, named))
            }
            line => line.clone(),
        }
    }

    /// The line of a ballot by the ids of another motion; what names an option that this motion does not have is no ballot.
    fn among_options(&self, written: &Motion, motion: &Motion) -> Self {
        let find = |id: &AlternativeId| motion.find(written.name(*id).as_str());
        let unknown = || ScriptLine::Malformed(self.raw_text(written));
        match self {
            ScriptLine::After(inquiry, then) => {
                ScriptLine::After(inquiry.clone(), Box::new(then.among_options(written, motion)))
            }
            ScriptLine::Choice(choice) => find(&choice.alternative)
                .map_or_else(unknown, |alternative| ScriptLine::Choice(Choice { alternative, ..*choice })),
            ScriptLine::Ballot(ballot) => ballot.find(find).map_or_else(unknown, ScriptLine::Ballot),
            ScriptLine::Ranking { order, certainty } => {
                let order: Option<Vec<AlternativeId>> = order.iter().map(find).collect();
                order.map_or_else(unknown, |order| ScriptLine::Ranking { order, certainty: *certainty })
            }
            line => line.clone(),
        }
    }

    /// The line with the alternative that a column of the item names.
    fn with_alternative(&self, column: &str, (alternative, called): (AlternativeId, String)) -> Self {
        let choice = |amount| Choice { alternative, amount };
        match self {
            ScriptLine::Statement { text, stance, marks } => ScriptLine::Statement {
                text: text::fill_placeholder(text, &format!("item.{column}"), &called),
                stance: stance.map(|stance| choice(stance.amount)),
                marks: marks.clone(),
            },
            ScriptLine::Choice(own) => ScriptLine::Choice(choice(own.amount)),
            ScriptLine::Application { choice: own, certainty, reasoning } => {
                let (choice, reasoning) = (choice(own.amount), reasoning.clone());
                ScriptLine::Application { choice, certainty: *certainty, reasoning }
            }
            line => line.clone(),
        }
    }

    fn answer(&self, motion: &Motion, query: &Query<'_>, state: MindState) -> Answer {
        match (self, &query.ask) {
            (ScriptLine::After(_, line) | ScriptLine::OfItem(_, line), _) => line.answer(motion, query, state),
            (ScriptLine::Opining(opinion, line), _) => {
                reply::add_opinion(query, line.answer(motion, query, state), *opinion)
            }
            (ScriptLine::Malformed(raw), _) if raw.trim().is_empty() => {
                reply::simulated_answer(raw.clone(), Err(Fault::Empty), state)
            }
            (ScriptLine::Malformed(raw), _) => reply::simulated_answer(raw.clone(), Err(Fault::Unreadable), state),
            (ScriptLine::Statement { text, .. }, Ask::Statement { .. }) if text.trim().is_empty() => {
                reply::simulated_answer(text.clone(), Err(Fault::Empty), state)
            }
            (ScriptLine::Statement { text, stance, marks }, Ask::Statement { marks: is_marked, .. }) => {
                let marks = if *is_marked { marks.as_slice() } else { &[] };
                reply::answer_with_statement(
                    motion,
                    query,
                    marks::prefix_marks(motion, marks, text.clone()),
                    *stance,
                    state,
                )
            }
            (ScriptLine::Pass, Ask::Statement { .. }) => reply::simulated_answer(String::new(), Ok(Reply::Pass), state),
            (ScriptLine::Choice(choice), Ask::StrawPoll { .. } | Ask::Ballot { .. }) => {
                reply::answer_with_choice(motion, query, *choice, state)
            }
            (ScriptLine::Amount(amount), Ask::Amount { .. }) => reply::answer_with_amount(motion, *amount, state),
            (ScriptLine::Amount(amount), Ask::StrawPoll { .. } | Ask::Ballot { .. }) if motion.only().is_some() => {
                let choice = Choice { alternative: AlternativeId(0), amount: Some(*amount) };
                reply::answer_with_choice(motion, query, choice, state)
            }
            (ScriptLine::Abstention, Ask::Ballot { .. }) => reply::answer_with_abstention(query, state),
            (ScriptLine::Ranking { order, .. }, Ask::Ballot { form: BallotForm::Ranking { .. }, .. }) => {
                let levels = order.iter().map(|one| vec![*one]).collect();
                reply::answer_with_ballot(motion, query, Ballot::Ranking(levels), state)
            }
            (ScriptLine::Ballot(ballot), Ask::Ballot { .. }) => {
                reply::answer_with_ballot(motion, query, ballot.clone(), state)
            }
            (ScriptLine::Ranking { order, certainty }, Ask::Ranking { .. }) => {
                reply::answer_with_ranking(motion, query, order.clone(), *certainty, state)
            }
            (ScriptLine::Application { choice, certainty, reasoning }, Ask::Application { .. }) => {
                reply::answer_with_application(motion, query, (*choice, *certainty, reasoning.clone()), state)
            }
            (ScriptLine::Test(answers), Ask::Comprehension { .. }) => {
                reply::answer_with_test(query, answers.clone(), state)
            }
            (ScriptLine::Urgency(urgency), Ask::Volunteer) => reply::answer_with_urgency(Some(*urgency), state),
            (ScriptLine::Assent(false), Ask::Volunteer) => reply::answer_with_urgency(None, state),
            (ScriptLine::Assent(assents), Ask::VoteCall | Ask::Confirmation { .. }) => {
                reply::answer_with_assent(Reply::Assent(*assents), state)
            }
            (ScriptLine::Note(text), Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. }) => {
                reply::answer_with_note(text.clone(), state)
            }
            (ScriptLine::Values(values), Ask::Form { asked }) => form::answer_as_written(&asked.form, values, state),
            (ScriptLine::Values(values), ask) => answer_by_fields(ask, motion, values, state),
            (ScriptLine::Name(name), Ask::Naming { .. }) => {
                reply::simulated_answer(name.clone(), Ok(Reply::Name(name.as_str().into())), state)
            }
            (ScriptLine::Recognises(words), Ask::Recognition) => {
                reply::answer_with_recognition(Some(words.clone()), state)
            }
            (ScriptLine::Assent(true), Ask::Recognition) => reply::answer_unnamed_recognition(state),
            (ScriptLine::Assent(false), Ask::Recognition) => reply::answer_with_recognition(None, state),
            (ScriptLine::Notes(note), Ask::Notes { .. }) => reply::answer_with_note_change(note.clone(), state),
            _ => reply::simulated_answer(self.raw_text(motion), Err(Fault::Ambiguous), state),
        }
    }

    /// The raw reply if the question asked for something else.
    fn raw_text(&self, motion: &Motion) -> String {
        match self {
            ScriptLine::Statement { text, .. }
            | ScriptLine::Note(text)
            | ScriptLine::Name(text)
            | ScriptLine::Recognises(text)
            | ScriptLine::Malformed(text) => text.clone(),
            ScriptLine::Notes(note) => reply::write_note_change(note),
            ScriptLine::Values(values) => serde_json::to_string(values).expect("invariant: values are JSON"),
            ScriptLine::After(_, line) | ScriptLine::OfItem(_, line) | ScriptLine::Opining(_, line) => {
                line.raw_text(motion)
            }
            ScriptLine::Pass => String::new(),
            ScriptLine::Choice(choice) => reply::write_choice(motion, *choice),
            ScriptLine::Abstention => Language::En.abstain().to_owned(),
            ScriptLine::Amount(amount) => amount.to_string(),
            ScriptLine::Ballot(ballot) => ballot.map(|id| motion.name(*id).clone()).told(Language::En),
            ScriptLine::Ranking { order, certainty } => reply::write_ranking(motion, order, *certainty),
            ScriptLine::Application { choice, certainty, reasoning } => {
                reply::write_application(motion, *choice, *certainty, reasoning)
            }
            ScriptLine::Test(answers) => reply::write_test_answers(answers),
            ScriptLine::Urgency(urgency) => urgency.to_string(),
            ScriptLine::Assent(true) => reply::YES.to_owned(),
            ScriptLine::Assent(false) => reply::NO.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
