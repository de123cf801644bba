//! The values of valid answers: which ones each question has, how a reply becomes values, and how it is read back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    AlternativeName, Ballot, Certainty, Choice, Decimal, FieldValue, Given, Marked, NamedChoice, NamedValues,
    NoteTaken, Opinion, Record, Replacement, Reply, Scored, Step,
};

/// The names of the values of a valid answer at each step: the fields that the question asks for, and what follows from them. The step
/// `ask` is not listed, because a form of the scenario names its own values. A value that is not said is absent. `null` means no: a
/// statement without `statement` is a pass, a ballot without `choice` is an abstention, and a seat without `urgency` does not want to
/// speak.
pub const ANSWER_VALUES: [(Step, &[&str]); 16] = [
    (Step::Naming, &["name"]),
    (Step::Ranking, &["ranking", "certainty"]),
    (Step::Comprehension, &["answers", "correct", "passed"]),
    (Step::Application, &["choice", "amount", "certainty", "reasoning"]),
    (Step::Volunteer, &["urgency"]),
    (Step::Reasoning, &["text"]),
    (Step::Statement, &["statement", "stance", "amount", "opinion"]),
    (Step::VoteCall, &["answer"]),
    (Step::Confirmation, &["answer"]),
    (Step::StrawPoll, &["choice", "amount", "opinion"]),
    (Step::Ballot, &["choice", "amount", "approves", "ranking", "scores", "reasoning"]),
    (Step::Amount, &["amount"]),
    (Step::Integration, &["text", "cut_chars"]),
    (Step::Compression, &["text", "cut_chars"]),
    (Step::Notes, &["append", "replace", "with"]),
    (Step::Recognition, &["recognised", "which"]),
];

/// A valid answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The values by name: of a form of the scenario those of its fields, in their order; of every other question those of its
    /// step. A value is a number, `true` or `false`, words, a list of names, a list of ranks from best to worst, or names with
    /// their scores or points; `null` where a field that may stay unanswered has none.
    pub values: NamedValues,
    /// The marks that a statement carries; absent for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Marked>,
    /// The options in the order in which they were shown; absent where none were, and of statements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<AlternativeName>,
    /// The words of the answer as they came; absent where the values hold them in full.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub raw: String,
    /// What belongs to every answer.
    pub given: Given,
}

impl Answered {
    /// Makes an answer of a reply, without options, words and marks.
    ///
    /// # Panics
    /// If the reply is a form, whose fields name its values, or an inquiry, which is no answer.
    pub fn of_reply(reply: Reply<AlternativeName>) -> Self {
        let (values, raw, given) = (reply.into_values(), String::new(), Given::default());
        Self { values, marks: Vec::new(), options: Vec::new(), raw, given }
    }

    /// The number of this name, if it is whole and not negative.
    fn find_number(&self, name: &str) -> Option<u64> {
        to_whole_number(self.values.find(name)??)
    }
}

impl Step {
    /// The names of the values of a valid answer at this step. `None` at the step `ask`, where the form names them, and at steps at which
    /// no seat is asked.
    pub fn value_names(self) -> Option<&'static [&'static str]> {
        ANSWER_VALUES.iter().find(|(step, _)| *step == self).map(|(_, names)| *names)
    }

    /// Whether the values of an answer hold its words in full.
    pub fn is_written(self) -> bool {
        matches!(self, Step::Statement | Step::Reasoning | Step::Integration | Step::Compression)
    }
}

/// Values under construction.
#[derive(Default)]
struct ValueWriter(NamedValues);

impl ValueWriter {
    fn put(mut self, name: &'static str, value: FieldValue) -> Self {
        self.0.add(name, Some(value));
        self
    }

    fn put_null(mut self, name: &'static str) -> Self {
        self.0.add(name, None);
        self
    }

    fn put_number(self, name: &'static str, number: Option<u32>) -> Self {
        match number {
            Some(number) => self.put(name, FieldValue::Number(i64::from(number).into())),
            None => self,
        }
    }

    fn put_words(self, name: &'static str, words: Option<Arc<str>>) -> Self {
        match words {
            Some(words) => self.put(name, FieldValue::Words(words)),
            None => self,
        }
    }

    fn put_choice(self, name: &'static str, choice: Option<NamedChoice>) -> Self {
        match choice {
            Some(choice) => self.put_words(name, Some(choice.alternative.into())).put_number("amount", choice.amount),
            None => self,
        }
    }
}

impl Reply<AlternativeName> {
    /// The values of the reply, as the minutes have them.
    ///
    /// # Panics
    /// If the reply is a form, whose fields name its values, or an inquiry, which is no answer.
    pub fn into_values(self) -> NamedValues {
        let values = ValueWriter::default();
        let values = match self {
            Reply::Reasoned { ballot, reasoning } => {
                ValueWriter(ballot.into_values()).put_words("reasoning", Some(reasoning))
            }
            Reply::Statement { text, stance, opinion } => values
                .put_words("statement", Some(text))
                .put_choice("stance", stance)
                .put_number("opinion", opinion.map(Opinion::billionths)),
            Reply::Pass => values.put_null("statement"),
            Reply::Choice(choice) => values.put_choice("choice", Some(choice)),
            Reply::Opined(choice, opinion) => {
                values.put_choice("choice", Some(choice)).put_number("opinion", Some(opinion.billionths()))
            }
            Reply::Ballot(Ballot::Approval(approved)) => {
                values.put("approves", FieldValue::Options(list_words(&approved)))
            }
            Reply::Ballot(Ballot::Ranking(levels)) => values.put("ranking", to_ranks(levels.iter().map(Vec::as_slice))),
            Reply::Ballot(Ballot::Score(scores)) => {
                let score = |one: Scored<AlternativeName>| (one.alternative.to_string(), one.score);
                values.put("scores", FieldValue::Shares(scores.into_iter().map(score).collect()))
            }
            Reply::Abstention => values.put_null("choice"),
            Reply::Amount(amount) => values.put_number("amount", Some(amount)),
            Reply::Ranking { order, certainty } => values
                .put("ranking", to_ranks(order.iter().map(std::slice::from_ref)))
                .put_words("certainty", Some(certainty.as_str().into())),
            Reply::Application { choice, certainty, reasoning } => values
                .put_choice("choice", Some(choice))
                .put_words("certainty", Some(certainty.as_str().into()))
                .put_words("reasoning", Some(reasoning)),
            Reply::Test(answers) => {
                values.put("answers", FieldValue::Numbers(answers.into_iter().map(i64::from).collect()))
            }
            Reply::Assent(yes) => values.put("answer", FieldValue::YesNo(yes)),
            Reply::Urgency(None) => values.put_null("urgency"),
            Reply::Urgency(urgency) => values.put_number("urgency", urgency),
            Reply::Note(text) => values.put_words("text", Some(text)),
            Reply::Name(name) => values.put_words("name", Some(name)),
            Reply::Notes(NoteTaken { append, replace }) => {
                let (old, new) = replace.map(|replaced| (replaced.old, replaced.new)).unzip();
                values.put_words("append", append).put_words("replace", old).put_words("with", new)
            }
            Reply::Recognition { recognised, recognised_as } => {
                values.put("recognised", FieldValue::YesNo(recognised)).put_words("which", recognised_as)
            }
            Reply::Form(_) | Reply::Inquiry(_) => unreachable!("invariant: a form names its own values"),
        };
        values.0
    }

    /// The reply that these values stand for at a step; `None` if they are not those of the step.
    pub fn from_values(step: Step, values: &NamedValues) -> Option<Self> {
        if step == Step::Ask {
            return Some(Reply::Form(values.iter().map(|(_, value)| value.cloned()).collect()));
        }
        let names = step.value_names()?;
        if !values.iter().all(|(name, _)| names.contains(&name)) {
            return None;
        }
        if step == Step::Ballot && values.find("reasoning").is_some() {
            let reasoning = ValueReader(values).read_words("reasoning")?;
            let mut ballot = NamedValues::default();
            for (name, value) in values.iter().filter(|(name, _)| *name != "reasoning") {
                ballot.add(name.to_owned(), value.cloned());
            }
            return Some(ValueReader(&ballot).read_ballot()?.with_reasoning(Some(reasoning)));
        }
        let values = ValueReader(values);
        Some(match step {
            Step::Statement if values.is_null("statement") => Reply::Pass,
            Step::Statement => Reply::Statement {
                text: values.read_words("statement")?,
                stance: values.read_choice("stance")?,
                opinion: values.read_opinion()?,
            },
            Step::Reasoning | Step::Integration | Step::Compression => Reply::Note(values.read_words("text")?),
            Step::StrawPoll => {
                let choice = values.read_choice("choice")??;
                match values.read_opinion()? {
                    Some(opinion) => Reply::Opined(choice, opinion),
                    None => Reply::Choice(choice),
                }
            }
            Step::Ballot => values.read_ballot()?,
            Step::Amount => Reply::Amount(values.read_number("amount")?),
            Step::Ranking => Reply::Ranking { order: values.read_order()?, certainty: values.read_certainty()? },
            Step::Application => Reply::Application {
                choice: values.read_choice("choice")??,
                certainty: values.read_certainty()?,
                reasoning: values.read_words("reasoning")?,
            },
            Step::Comprehension => {
                let FieldValue::Numbers(answers) = values.find_value("answers")? else { return None };
                Reply::Test(answers.iter().map(|answer| u32::try_from(*answer).ok()).collect::<Option<_>>()?)
            }
            Step::Volunteer if values.is_null("urgency") => Reply::Urgency(None),
            Step::Volunteer => Reply::Urgency(Some(values.read_number("urgency")?)),
            Step::VoteCall | Step::Confirmation => Reply::Assent(values.read_yes_no("answer")?),
            Step::Naming => Reply::Name(values.read_words("name")?),
            Step::Notes => Reply::Notes(NoteTaken {
                append: values.read_if_any("append", |values| values.read_words("append"))?,
                replace: values.read_if_any("replace", |values| {
                    Some(Replacement { old: values.read_words("replace")?, new: values.read_words("with")? })
                })?,
            }),
            Step::Recognition => Reply::Recognition {
                recognised: values.read_yes_no("recognised")?,
                recognised_as: values.read_if_any("which", |values| values.read_words("which"))?,
            },
            _ => return None,
        })
    }
}

/// Reads values by their names. Every method returns `None` if a value is missing or of another kind.
struct ValueReader<'v>(&'v NamedValues);

impl ValueReader<'_> {
    fn find_value(&self, name: &str) -> Option<&FieldValue> {
        self.0.find(name)?
    }

    fn is_null(&self, name: &str) -> bool {
        self.0.iter().len() == 1 && self.0.find(name) == Some(None)
    }

    /// Reads a value that may be absent: `Some(None)` if it is.
    fn read_if_any<T>(&self, name: &str, read: impl FnOnce(&Self) -> Option<T>) -> Option<Option<T>> {
        if self.0.find(name).is_some() { read(self).map(Some) } else { Some(None) }
    }

    fn read_words(&self, name: &str) -> Option<Arc<str>> {
        let FieldValue::Words(words) = self.find_value(name)? else { return None };
        Some(Arc::clone(words))
    }

    fn read_number(&self, name: &str) -> Option<u32> {
        u32::try_from(to_whole_number(self.find_value(name)?)?).ok()
    }

    fn read_yes_no(&self, name: &str) -> Option<bool> {
        let FieldValue::YesNo(yes) = self.find_value(name)? else { return None };
        Some(*yes)
    }

    /// Options from best to worst; `None` if two share a rank.
    fn read_order(&self) -> Option<Vec<AlternativeName>> {
        let ranks = match self.find_value("ranking")? {
            FieldValue::Ranks(ranks) => ranks.as_slice(),
            // An empty list is one of names.
            FieldValue::Options(none) if none.is_empty() => &[],
            _ => return None,
        };
        ranks.iter().map(|rank| (rank.len() == 1).then(|| AlternativeName::new(&rank[0]))).collect()
    }

    /// A choice, which may be absent, with its amount.
    fn read_choice(&self, name: &str) -> Option<Option<NamedChoice>> {
        self.read_if_any(name, |values| {
            let alternative = values.read_words(name)?.into();
            Some(Choice { alternative, amount: values.read_if_any("amount", |values| values.read_number("amount"))? })
        })
    }

    fn read_opinion(&self) -> Option<Option<Opinion>> {
        self.read_if_any("opinion", |values| Opinion::new(values.read_number("opinion")?))
    }

    fn read_certainty(&self) -> Option<Certainty> {
        let word = self.read_words("certainty")?;
        Certainty::ALL.into_iter().find(|certainty| certainty.as_str() == &*word)
    }

    fn read_ballot(&self) -> Option<Reply<AlternativeName>> {
        if self.is_null("choice") {
            return Some(Reply::Abstention);
        }
        if let Some(choice) = self.read_choice("choice")? {
            return Some(Reply::Choice(choice));
        }
        let (name, value) = self.0.iter().next().filter(|_| self.0.iter().len() == 1)?;
        let list = |names: &Vec<String>| names.iter().map(|name| AlternativeName::new(name)).collect();
        Some(Reply::Ballot(match (name, value?) {
            ("approves", FieldValue::Options(names)) => Ballot::Approval(list(names)),
            ("ranking", FieldValue::Ranks(levels)) => Ballot::Ranking(levels.iter().map(list).collect()),
            ("ranking", FieldValue::Options(none)) if none.is_empty() => Ballot::Ranking(Vec::new()),
            ("scores", FieldValue::Shares(scores)) => {
                let scored =
                    |(name, score): (&String, &u32)| Scored { alternative: AlternativeName::new(name), score: *score };
                Ballot::Score(scores.iter().map(scored).collect())
            }
            _ => return None,
        }))
    }
}

fn to_whole_number(value: &FieldValue) -> Option<u64> {
    let FieldValue::Number(number) = value else { return None };
    u64::try_from(number.in_units(0)?).ok()
}

/// Ranks from best to worst; none is written like an empty list of names.
fn to_ranks<'n>(levels: impl ExactSizeIterator<Item = &'n [AlternativeName]>) -> FieldValue {
    match levels.len() {
        0 => FieldValue::Options(Vec::new()),
        _ => FieldValue::Ranks(levels.map(list_words).collect()),
    }
}

fn list_words(names: &[AlternativeName]) -> Vec<String> {
    names.iter().map(AlternativeName::to_string).collect()
}

/// The values that say how many answers to a comprehension test are right, and whether they are enough.
pub fn test_values((correct, passed): (u32, bool)) -> NamedValues {
    ValueWriter::default().put_number("correct", Some(correct)).put("passed", FieldValue::YesNo(passed)).0
}

/// The value that says how many characters at its end a memory does not take over from a text; none where it takes over all.
pub fn cut_values(cut_chars: u64) -> NamedValues {
    let number = i64::try_from(cut_chars).expect("invariant: a text has fewer characters");
    let values = ValueWriter::default();
    if number == 0 { values.0 } else { values.put("cut_chars", FieldValue::Number(Decimal::from(number))).0 }
}

impl Record {
    /// The valid answer that it holds, a ballot without its reasons; `None` if it holds none.
    pub fn reply(&self) -> Option<Reply<AlternativeName>> {
        Some(self.full_reply()?.split_reasoning().0)
    }

    /// The valid answer that it holds, a ballot with its reasons; `None` if it holds none.
    pub fn full_reply(&self) -> Option<Reply<AlternativeName>> {
        Reply::from_values(self.at.step, &self.event.answered()?.values)
    }

    /// The reasons that a ballot is cast for; `None` without any, and of every other record.
    pub fn ballot_reasoning(&self) -> Option<&str> {
        let answered = self.event.answered().filter(|_| self.at.step == Step::Ballot)?;
        match answered.values.find("reasoning")? {
            Some(FieldValue::Words(words)) => Some(words),
            _ => None,
        }
    }

    /// Whether it is an answer that its seat remembers as its own: the values of a form, or an estimate in a poll of a motion with one
    /// alternative.
    pub fn is_own_answer(&self) -> bool {
        match (self.at.step, self.event.answered()) {
            (Step::Ask, Some(_)) => true,
            (Step::StrawPoll, Some(answered)) => {
                answered.values.find("amount").is_some() && answered.options.len() == 1
            }
            _ => false,
        }
    }

    /// The words of a statement; `None` of any other record.
    pub fn statement_text(&self) -> Option<&str> {
        let answered = self.event.answered().filter(|_| self.at.step == Step::Statement)?;
        match answered.values.find("statement")? {
            Some(FieldValue::Words(text)) => Some(text),
            _ => None,
        }
    }

    /// The values of a form of the scenario; `None` of any other record.
    pub fn form_values(&self) -> Option<&NamedValues> {
        self.event.answered().filter(|_| self.at.step == Step::Ask).map(|answered| &answered.values)
    }

    /// How many answers to a comprehension test are right, and whether they are enough; `None` of any other record.
    pub fn test_result(&self) -> Option<(u32, bool)> {
        let answered = self.event.answered().filter(|_| self.at.step == Step::Comprehension)?;
        let passed = answered.values.find("passed")? == Some(&FieldValue::YesNo(true));
        Some((u32::try_from(answered.find_number("correct")?).ok()?, passed))
    }

    /// How many characters at its end a memory does not take over from a text that it was rewritten to.
    pub fn cut_chars(&self) -> u64 {
        let is_rewriting = matches!(self.at.step, Step::Integration | Step::Compression);
        let answered = self.event.answered().filter(|_| is_rewriting);
        answered.and_then(|answered| answered.find_number("cut_chars")).unwrap_or(0)
    }
}
