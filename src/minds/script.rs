//! A confederate's script: a list in the order of the questions, or a table by coordinate.
//!
//! A confederate says its script verbatim. A line that does not fit its question is a fault of the seat, as for any seat. The
//! rule of all simulated seats rewrites its memory, takes its notes and answers that it recognises nothing, unless a table has a
//! line for the question.

use crate::domain::{
    AlternativeId, Answer, Ballot, BallotForm, Choice, Fault, Inquiry, Mark, MindState, Motion, NamedValues, Outage,
    PhaseName, Query, QuestionId, Reply, Step,
};
use crate::minds::{form, marks, reply};
use crate::text;

/// A confederate's lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Script {
    /// One line for each question, in order. Repeated questions take a line too; questions about memory, notes and recognition
    /// take none.
    List(Vec<ScriptLine>),
    /// A line for each coordinate, on every attempt.
    Table(Vec<TableLine>),
}

/// A line of a table with its coordinate: phase, round and step.
pub type TableLine = (PhaseName, u32, Step, ScriptLine);

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptLine {
    /// What the seat asks to see before it says the line, if it may.
    pub first: Option<Inquiry>,
    /// The column of the session's item that names the alternative of the line. Its text gets that alternative's words for each
    /// `{{ item.column }}`.
    pub column: Option<String>,
    /// The marks of a statement, for questions that read marks.
    pub marks: Vec<Mark>,
    /// What the seat says.
    pub said: Said,
}

/// What a line of a script says.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// A reply. Beside the question that it fits, a ranking answers a ballot, an amount a vote for an amount alone, and `no` whether
    /// the seat wants to speak and whether it recognises something. A ballot drops the amount of a choice, which a later question asks
    /// for.
    Reply(Reply),
    /// Values for the fields of any question.
    Values(NamedValues),
    /// An unreadable reply, sent as it is.
    Malformed(String),
}

impl From<Said> for ScriptLine {
    fn from(said: Said) -> Self {
        Self { first: None, column: None, marks: Vec::new(), said }
    }
}

impl From<Reply> for ScriptLine {
    fn from(reply: Reply) -> Self {
        Said::Reply(reply).into()
    }
}

/// Looks up the alternative that a column of an item names, and its words.
pub type NamedByItem<'a> = &'a dyn Fn(&str) -> Option<(AlternativeId, String)>;

impl Script {
    fn contains_line(&self, is_wanted: impl Fn(&ScriptLine) -> bool) -> bool {
        match self {
            Script::List(lines) => lines.iter().any(is_wanted),
            Script::Table(lines) => lines.iter().any(|(.., line)| is_wanted(line)),
        }
    }

    /// Whether one of its lines passes.
    pub fn contains_pass(&self) -> bool {
        self.contains_line(|line| line.said == Said::Reply(Reply::Pass))
    }

    /// Whether it chooses a name: a list by its first line, a table by its line for that step.
    pub fn chooses_name(&self) -> bool {
        match self {
            Script::List(lines) => matches!(lines.first(), Some(ScriptLine { said: Said::Reply(Reply::Name(_)), .. })),
            Script::Table(lines) => lines.iter().any(|(_, _, step, _)| *step == Step::Naming),
        }
    }

    /// Whether a line depends on the item.
    pub fn reads_items(&self) -> bool {
        self.contains_line(|line| line.column.is_some())
    }

    /// The script for the sessions of one item.
    #[must_use]
    pub fn of_item(&self, named: NamedByItem<'_>) -> Self {
        match self {
            Script::List(lines) => Script::List(lines.iter().map(|line| line.of_item(named)).collect()),
            Script::Table(lines) => {
                let line = |(phase, round, step, line): &TableLine| (phase.clone(), *round, *step, line.of_item(named));
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
                let line = |(phase, round, step, line): &TableLine| {
                    (phase.clone(), *round, *step, line.among_options(written, motion))
                };
                Script::Table(find_line(lines, &query.id).map(line).into_iter().collect()).answer(motion, query)
            }
            _ => self.answer(motion, query),
        }
    }

    /// Answers a query. The state of a list is one number: the lines said so far.
    pub(super) fn answer(&self, motion: &Motion, query: &Query<'_>) -> Result<Answer, Outage> {
        let (line, state) = match self {
            Script::List(lines) => {
                let said = query.state.0.first().copied().unwrap_or(0);
                let line = usize::try_from(said).ok().and_then(|place| lines.get(place));
                (line, MindState(vec![said.saturating_add(1)]))
            }
            Script::Table(lines) => (find_line(lines, &query.id).map(|(.., line)| line), MindState::default()),
        };
        let line = line.ok_or_else(|| Outage::ScriptEnded {
            seat: query.id.seat.to_string(),
            question: Box::new(query.id.clone()),
            remedy: self.write_remedy(&query.id),
        })?;
        if let Some(inquiry) = line.first.as_ref().filter(|inquiry| query.offer.allows(inquiry)) {
            return Ok(reply::answer_with(motion, Reply::Inquiry(inquiry.clone()), query.state.clone()));
        }
        Ok(line.answer(motion, query, state))
    }

    /// Whether its table has a line for a question.
    pub(super) fn has_line_at(&self, id: &QuestionId) -> bool {
        matches!(self, Script::Table(lines) if find_line(lines, id).is_some())
    }

    /// What the author may add if there is no line for a question.
    fn write_remedy(&self, id: &QuestionId) -> String {
        match self {
            Script::List(lines) if lines.len() == 1 => "its list has one line: add another".to_owned(),
            Script::List(lines) => format!("its list has {} lines: add another", lines.len()),
            Script::Table(_) => {
                let (phase, round, step) = (id.at.phase.occurrence(), id.at.round, id.at.step.as_str());
                format!("add a line to its table with phase: {phase}, round: {round}, step: {step}")
            }
        }
    }
}

/// The first line of a table for a question: one for this pass of its phase, else one for every pass.
fn find_line<'a>(lines: &'a [TableLine], id: &QuestionId) -> Option<&'a TableLine> {
    let of_step = lines.iter().filter(|(_, round, step, _)| (*round, *step) == (id.at.round, id.at.step));
    let own = of_step.clone().find(|(phase, ..)| *phase == id.at.phase);
    let of_pass = || of_step.clone().find(|(phase, ..)| phase.as_str() == id.at.phase.occurrence());
    let of_all = || of_step.clone().find(|(phase, ..)| phase.as_str() == id.at.phase.written());
    own.or_else(of_pass).or_else(of_all)
}

impl ScriptLine {
    /// The line for the sessions of one item.
    fn of_item(&self, named: NamedByItem<'_>) -> Self {
        let Some((column, (alternative, called))) =
            self.column.as_ref().and_then(|column| Some((column, named(column)?)))
        else {
            return Self { column: None, ..self.clone() };
        };
        let choice = |own: Choice| Choice { alternative, ..own };
        let said = match self.said.clone() {
            Said::Reply(Reply::Statement { text, stance, opinion }) => {
                let text = text::fill_placeholder(&text, &format!("item.{column}"), &called).into();
                Said::Reply(Reply::Statement { text, stance: stance.map(choice), opinion })
            }
            Said::Reply(Reply::Choice(own)) => Said::Reply(Reply::Choice(choice(own))),
            Said::Reply(Reply::Opined(own, opinion)) => Said::Reply(Reply::Opined(choice(own), opinion)),
            Said::Reply(Reply::Application { choice: own, certainty, reasoning }) => {
                Said::Reply(Reply::Application { choice: choice(own), certainty, reasoning })
            }
            said => said,
        };
        Self { column: None, said, ..self.clone() }
    }

    /// The line of a ballot by the ids of another motion; what names an option that this motion does not have is no ballot.
    fn among_options(&self, written: &Motion, motion: &Motion) -> Self {
        let said = match &self.said {
            Said::Reply(reply) => {
                let found = reply.clone().find(|id| motion.find(written.name(*id).as_str()));
                found.map_or_else(|| Said::Malformed(reply::write_reply(written, reply)), Said::Reply)
            }
            said => said.clone(),
        };
        Self { said, ..self.clone() }
    }

    fn answer(&self, motion: &Motion, query: &Query<'_>, state: MindState) -> Answer {
        let ask = &query.ask;
        let reply = match &self.said {
            Said::Reply(reply) => reply.clone(),
            Said::Values(values) => {
                return match ask.form_asked() {
                    Some(asked) => form::answer_as_written(&asked.form, values, state),
                    None => form::answer_by_fields(ask, motion, values, state),
                };
            }
            Said::Malformed(raw) => {
                let fault = if raw.trim().is_empty() { Fault::Empty } else { Fault::Unreadable };
                return reply::simulated_answer(raw.clone(), Err(fault), state);
            }
        };
        let reply = match (reply, ask.step()) {
            (Reply::Statement { text, stance, opinion }, Step::Statement) => {
                let marks = if ask.reads_marks() && !text.trim().is_empty() { self.marks.as_slice() } else { &[] };
                let text = marks::prefix_marks(motion, marks, text.to_string());
                reply::build_statement(motion, query, text, (stance, opinion))
            }
            (Reply::Choice(choice) | Reply::Opined(choice, _), Step::Ballot) => reply::build_choice(query, choice),
            (Reply::Amount(amount), Step::StrawPoll | Step::Ballot) if motion.only().is_some() => {
                Reply::Choice(Choice { alternative: AlternativeId(0), amount: Some(amount) })
            }
            (Reply::Ranking { order, .. }, _) if matches!(ask.ballot_form(), Some(BallotForm::Ranking { .. })) => {
                Reply::Ballot(Ballot::Ranking(order.into_iter().map(|one| vec![one]).collect()))
            }
            (Reply::Assent(false), Step::Volunteer) => Reply::Urgency(None),
            (Reply::Assent(recognised), Step::Recognition) => Reply::Recognition { recognised, recognised_as: None },
            (reply, _) => reply,
        };
        reply::answer_with(motion, reply, state)
    }
}

#[cfg(test)]
mod tests;
