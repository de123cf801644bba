//! Reply text → reply, strictly: nothing guesses a choice, a rank or an amount out of prose.
//!
//! A reply is read by the form of its question; what a form cannot say is checked here. Keys of JSON are the same in every language;
//! names of options, anchors and other fixed words are those of the session's, and those of another are as good as any other wrong
//! word.
//!
//! A name counts only when it equals an option's name after blank space around it is dropped: `For` and `**for**` are no `for`. A
//! statement loses the blank space around it and is otherwise kept as it came. A stance may be withheld (`null` in JSON, `none` in
//! lines). Marks of proposals are tags in the words; in JSON they may also stand apart, and are then written before the words. A
//! model cannot pass: both forms ask for words; a person may.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::domain::{
    AlternativeId, Ask, Ballot, BallotForm, Certainty, Choice, Fault, Field, FieldKind, FieldValue, FieldValues, Form,
    Language, Motion, NoteTaken, Opinion, Presence, Replacement, Reply, Scored, check_ballot,
};
use crate::prompt::AnswerForm;
use crate::prompt::abstention::read_abstention;
use crate::prompt::amount::check_choice;
use crate::prompt::anchors::PASS;
use crate::prompt::form::{TextRoom, build_form};
use crate::prompt::marks::{add_tags, split_marks};
use crate::question::{FieldFault, FieldReason, read_json, read_lines, read_typed};

/// Reads a reply in the form that was asked for.
///
/// The JSON form is exactly one object, `{"choice": "for"}`, with the keys that the question's schema names, none twice and
/// none besides, and nothing around it. The anchored form has a line for each of them (`CHOICE: for`); a statement and
/// reasoning are passages that go on to the next anchor or the end. Lines without an anchor count for nothing outside
/// those passages. An amount stands in both only where the motion has an alternative that takes one; `null`, `none` and
/// nothing at all say that none is given. Reasoning and rewritten memories are plain text in the anchored
/// form.
///
/// # Errors
/// * [`Fault::Empty`]: nothing was said, or a statement or choice is blank.
/// * [`Fault::Unreadable`]: it does not have the form.
/// * [`Fault::Ambiguous`]: an anchor stands twice and says two things.
/// * [`Fault::UnknownAlternative`]: it names something that is not an option of this question.
/// * [`Fault::NotARanking`], [`Fault::NamedTwice`], [`Fault::NotScored`], [`Fault::ScoreOutOfRange`]: as of [`check_ballot`].
/// * [`Fault::TooShort`]: the statement is shorter than the question demands.
/// * The faults of amounts, as [`check_choice`] has them.
pub fn parse(ask: &Ask, motion: &Motion, answer_form: AnswerForm, raw: &str) -> Result<Reply, Fault> {
    parse_by_field(ask, motion, answer_form, raw).map_err(|unfit| unfit.fault)
}

/// A reply that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitReply {
    /// Why.
    pub fault: Fault,
    /// The field of the form that the fault is about; `None` if it is about the whole reply, or no form is asked.
    pub field: Option<String>,
}

impl UnfitReply {
    /// A fault of the whole reply.
    pub(super) fn of_whole(fault: Fault) -> Self {
        Self { fault, field: None }
    }
}

/// The same, with the field that a fault is about.
pub(super) fn parse_by_field(
    ask: &Ask,
    motion: &Motion,
    answer_form: AnswerForm,
    raw: &str,
) -> Result<Reply, UnfitReply> {
    if let Some(asked) = ask.form_asked().filter(|_| !raw.trim().is_empty()) {
        return read_values(&asked.form, answer_form, raw)
            .map(Reply::Form)
            .map_err(|FieldFault { field, reason }| UnfitReply { fault: reason.as_fault(), field });
    }
    parse_built_in(ask, motion, answer_form, raw).map_err(UnfitReply::of_whole)
}

fn read_values(form: &Form, answer_form: AnswerForm, raw: &str) -> Result<FieldValues, FieldFault> {
    match answer_form {
        AnswerForm::JsonSchema => read_json(form, raw),
        AnswerForm::Anchored => read_lines(form, raw),
        AnswerForm::Typed => read_typed(form, raw),
    }
}

fn parse_built_in(ask: &Ask, motion: &Motion, answer_form: AnswerForm, raw: &str) -> Result<Reply, Fault> {
    if raw.trim().is_empty() {
        return Err(Fault::Empty);
    }
    if answer_form == AnswerForm::Typed && matches!(ask, Ask::Statement { .. }) && raw.trim() == PASS {
        return Ok(Reply::Pass);
    }
    if let Some(abstention) = read_abstention(ask, motion, answer_form, raw) {
        return Ok(abstention);
    }
    let form = build_form(ask, motion, TextRoom::Any);
    let (raw, marks) = match answer_form {
        AnswerForm::JsonSchema => split_marks(ask, motion.language, raw)?,
        AnswerForm::Anchored | AnswerForm::Typed => (raw.to_owned(), Vec::new()),
    };
    let values = read_values(&form, answer_form, &raw).map_err(|fault| fault_of(&fault))?;
    let reply = FormAnswer { ask, motion, form, values }.into_reply()?;
    Ok(add_tags(reply, &marks, motion.language))
}

/// Reads a ballot over all alternatives of a motion, as a person types it who may not abstain.
pub fn parse_ballot(form: BallotForm, motion: &Motion, raw: &str) -> Result<Ballot<AlternativeId>, Fault> {
    let options = motion.alternative_ids().collect();
    let ask = Ask::Ballot { options, form, may_abstain: false, asks_reasons: false };
    match parse(&ask, motion, AnswerForm::Typed, raw)? {
        Reply::Ballot(ballot) => Ok(ballot),
        _ => Err(Fault::Unreadable),
    }
}

/// A reply that an author wrote field by field. Alternatives go by their names in the config, yes and no are `true` and `false`, and a
/// field that may have no value may be left out.
pub fn read_fields(ask: &Ask, motion: &Motion, fields: &Map<String, Value>) -> Result<Reply, UnfitAnswer> {
    let form = build_form(ask, motion, TextRoom::Any);
    let describe = |field: &Field| format!("{}: {}", field.id, field.describe());
    let asked: Vec<String> = form.fields.iter().map(describe).collect();
    let unfit = |field: Option<String>, reason: String| UnfitAnswer { field, reason, asked: asked.join("; ") };
    if let Some(unknown) = fields.keys().find(|key| form.fields.iter().all(|field| field.id != **key)) {
        return Err(unfit(Some(unknown.clone()), "is no field of this question".to_owned()));
    }
    let written = |field: &Field| {
        let value = fields.get(&field.id).cloned();
        let missing = (field.presence != Presence::Required).then_some(Value::Null);
        Some((field.id.clone(), value.map(|value| write_for_seat(value, field, motion)).or(missing)?))
    };
    let written = Value::Object(form.fields.iter().filter_map(written).collect()).to_string();
    if let Some(abstention) = read_abstention(ask, motion, AnswerForm::JsonSchema, &written) {
        return Ok(abstention);
    }
    let values = read_json(&form, &written);
    let values = values.map_err(|fault| unfit(fault.field, fault.reason.describe().to_owned()))?;
    let reply = FormAnswer { ask, motion, form, values }.into_reply();
    reply.map_err(|fault| unfit(None, format!("is not admissible: {}", fault.as_str())))
}

/// What an author wrote, in the words of the seat.
fn write_for_seat(value: Value, field: &Field, motion: &Motion) -> Value {
    let is_text = matches!(field.kind, FieldKind::Text { .. } | FieldKind::Texts { .. });
    let name = |name: String| match motion.find(&name) {
        Some(id) => motion.said(id).to_string(),
        None if name == Language::En.abstain() => motion.language.abstain().to_owned(),
        None => name,
    };
    match value {
        Value::Bool(yes) => json!(if yes { motion.language.yes() } else { motion.language.no() }),
        Value::String(word) if !is_text => Value::String(name(word)),
        Value::Array(values) => values.into_iter().map(|value| write_for_seat(value, field, motion)).collect(),
        Value::Object(values) => values.into_iter().map(|(key, value)| (name(key), value)).collect(),
        other => other,
    }
}

/// Why an author's answer is none to the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitAnswer {
    /// The field; `None` if the whole answer is meant.
    pub field: Option<String>,
    /// What is wrong with it.
    pub reason: String,
    /// What the question asks for, field by field.
    pub asked: String,
}

/// The fault of a reply whose field has a fault.
fn fault_of(FieldFault { field, reason }: &FieldFault) -> Fault {
    match (field.as_deref(), reason) {
        (Some("amount"), FieldReason::NotAnswered | FieldReason::SaidTwice) => reason.as_fault(),
        (Some("amount"), FieldReason::Missing) => Fault::AmountMissing,
        (Some("amount"), FieldReason::OutOfRange) => Fault::AmountOutOfRange,
        (Some("amount"), _) => Fault::AmountUnreadable,
        (Some("scores"), FieldReason::OutOfRange) => Fault::ScoreOutOfRange,
        (Some("points"), FieldReason::WrongTotal) => Fault::WrongTotal,
        (_, FieldReason::OutOfRange | FieldReason::WrongTotal | FieldReason::TooLong) => Fault::Unreadable,
        (_, reason) => reason.as_fault(),
    }
}

/// A question with the values of its form.
struct FormAnswer<'a> {
    ask: &'a Ask,
    motion: &'a Motion,
    form: Form,
    values: FieldValues,
}

impl FormAnswer<'_> {
    /// What the values mean, if the question allows it.
    fn into_reply(mut self) -> Result<Reply, Fault> {
        match self.ask {
            Ask::Statement { .. } => self.take_statement(),
            Ask::StrawPoll { .. } => {
                let choice = self.take_choice("choice")?;
                let opinion = self.take_opinion();
                Ok(opinion.map_or(Reply::Choice(choice), |opinion| Reply::Opined(choice, opinion)))
            }
            Ask::Ballot { form, .. } => {
                let reasoning = self.take_text("reasoning");
                let ballot = match form.says_more() {
                    true => self.take_ballot()?,
                    false => Reply::Choice(self.take_choice("choice")?),
                };
                Ok(ballot.with_reasoning(reasoning))
            }
            Ask::Amount { alternative, .. } => {
                let choice = Choice { alternative: *alternative, amount: self.take_whole("amount") };
                check_choice(self.motion, self.ask, choice)?.amount.map(Reply::Amount).ok_or(Fault::AmountMissing)
            }
            Ask::Ranking { .. } => {
                let Some(FieldValue::Ranks(ranks)) = self.take("ranking") else { unreachable!("{OF_ITS_KIND}") };
                let order = ranks.iter().flatten().map(|name| self.find_option(name)).collect();
                Ok(Reply::Ranking { order, certainty: self.take_certainty() })
            }
            Ask::Comprehension { .. } => match self.take("answers") {
                Some(FieldValue::Numbers(numbers)) => Ok(Reply::Test(numbers.into_iter().map(as_whole).collect())),
                _ => unreachable!("{OF_ITS_KIND}"),
            },
            Ask::Application { .. } => {
                let choice = self.take_choice("choice")?;
                let certainty = self.take_certainty();
                Ok(Reply::Application { choice, certainty, reasoning: self.take_text("reasoning").unwrap_or_default() })
            }
            Ask::Volunteer => Ok(Reply::Urgency(self.take_whole("urgency"))),
            Ask::VoteCall | Ask::Confirmation { .. } => Ok(Reply::Assent(self.take_assent("answer"))),
            Ask::Naming { .. } => Ok(Reply::Name(self.take_text("name").unwrap_or_default())),
            Ask::Form { .. } => Ok(Reply::Form(self.values)),
            Ask::Recognition => {
                let recognised = self.take_assent("recognised");
                Ok(Reply::Recognition { recognised, recognised_as: self.take_text("which") })
            }
            Ask::Notes { .. } => {
                let append = self.take_text("append");
                let replace = match (self.take_text("replace"), self.take_text("with")) {
                    (Some(old), Some(new)) => Some(Replacement { old, new }),
                    (None, None) => None,
                    (None, Some(new)) if new.is_empty() => None,
                    (Some(_), None) | (None, Some(_)) => return Err(Fault::Unreadable),
                };
                Ok(Reply::Notes(NoteTaken { append, replace }))
            }
            Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => {
                Ok(Reply::Note(self.take_text("text").unwrap_or_default()))
            }
        }
    }

    fn take_statement(&mut self) -> Result<Reply, Fault> {
        let text = self.take_text("statement").unwrap_or_default();
        let amount = self.take_whole("amount");
        let stance = match self.motion.only().filter(|_| !self.ask.options().is_empty()) {
            Some(only) => amount.map(|_| only),
            None => self.take_option("stance"),
        };
        let stance = match (stance, amount) {
            (None, Some(_)) => return Err(Fault::AmountUncalledFor),
            (None, None) => None,
            (Some(alternative), amount) => Some(check_choice(self.motion, self.ask, Choice { alternative, amount })?),
        };
        Ok(Reply::Statement { text, stance, opinion: self.take_opinion() })
    }

    fn take_ballot(&mut self) -> Result<Reply, Fault> {
        let value = self.values[0].take();
        let ids = |names: Vec<String>| names.iter().map(|name| self.find_option(name)).collect();
        let ballot: Ballot<AlternativeId> = match value {
            Some(FieldValue::Options(names)) => Ballot::Approval(ids(names)),
            Some(FieldValue::Ranks(ranks)) => Ballot::Ranking(ranks.into_iter().map(ids).collect()),
            Some(FieldValue::Shares(scores)) => {
                let scored = |(name, score): (String, u32)| Scored { alternative: self.find_option(&name), score };
                Ballot::Score(scores.into_iter().map(scored).collect())
            }
            _ => unreachable!("{OF_ITS_KIND}"),
        };
        check_ballot(self.ask, ballot).map(Reply::Ballot)
    }

    /// The value of a field; `None` if it has none, or if the form has no such field.
    fn take(&mut self, id: &str) -> Option<FieldValue> {
        let place = self.form.fields.iter().position(|field| field.id == id)?;
        self.values[place].take()
    }

    fn take_text(&mut self, id: &str) -> Option<Arc<str>> {
        self.take(id).map(|value| match value {
            FieldValue::Words(text) => text,
            _ => unreachable!("{OF_ITS_KIND}"),
        })
    }

    fn take_whole(&mut self, id: &str) -> Option<u32> {
        self.take(id).map(|value| match value {
            FieldValue::Number(number) => as_whole(number.in_units(0).expect(OF_ITS_KIND)),
            _ => unreachable!("{OF_ITS_KIND}"),
        })
    }

    fn take_option(&mut self, id: &str) -> Option<AlternativeId> {
        self.take(id).map(|value| match value {
            FieldValue::Words(name) => self.find_option(&name),
            _ => unreachable!("{OF_ITS_KIND}"),
        })
    }

    /// The alternative and its amount; the only alternative where there is one.
    fn take_choice(&mut self, id: &str) -> Result<Choice, Fault> {
        let alternative = self.motion.only().or_else(|| self.take_option(id)).expect(OF_ITS_KIND);
        check_choice(self.motion, self.ask, Choice { alternative, amount: self.take_whole("amount") })
    }

    fn take_assent(&mut self, id: &str) -> bool {
        matches!(self.take(id), Some(FieldValue::YesNo(true)))
    }

    fn take_opinion(&mut self) -> Option<Opinion> {
        self.take_whole("opinion").map(|hundredths| Opinion::percent(hundredths).expect(OF_ITS_KIND))
    }

    fn take_certainty(&mut self) -> Certainty {
        let Some(FieldValue::Words(word)) = self.take("certainty") else { unreachable!("{OF_ITS_KIND}") };
        let said = |certainty: &Certainty| certainty.said(self.motion.language) == &*word;
        Certainty::ALL.into_iter().find(said).expect(OF_ITS_KIND)
    }

    fn find_option(&self, name: &str) -> AlternativeId {
        self.motion.find_said(name).expect(OF_ITS_KIND)
    }
}

const OF_ITS_KIND: &str = "invariant: a field has a value of its kind, within its bounds";

fn as_whole(number: i64) -> u32 {
    u32::try_from(number).expect(OF_ITS_KIND)
}

#[cfg(test)]
mod tests;
