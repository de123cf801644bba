//! Reply text → reply, strictly: nothing guesses a choice, a rank or an amount out of prose.
//!
//! Keys of JSON are the same in every language; names of options, anchors and other fixed words are those of the session's, and those
//! of another are as good as any other wrong word.
//!
//! In both forms a name counts only when it equals an option's name after blank space around it is dropped: `For` and
//! `**for**` are no `for`. A statement loses the blank space around it and is otherwise kept as it came. A stance may be
//! withheld (`null` in JSON, `none` in the anchored form). What a person types is brought into the
//! anchored form first. Marks of proposals are tags in the words; in JSON they may also stand apart, and are then written before
//! the words. A model cannot pass: both forms ask for words; a person may.

use serde_json::Value;

use crate::domain::{
    AlternativeId, Ask, BallotForm, Certainty, Choice, Fault, Language, Mark, Motion, Named, NoteTaken, Opinion,
    Replacement, Reply,
};
use crate::prompt::AnswerForm;
use crate::prompt::amount::{check_choice, read_amount, read_json_amount};
use crate::prompt::schema::MARKS_MAX;
use crate::prompt::typed::{self, Meant};
use crate::text::{parse_marks, render_tag};

mod abstention;
mod alone;
pub(super) mod anchors;
mod ballots;
mod fixed;
mod objects;
pub(super) mod opinion;

use anchors::{Anchored, Extent, anchors};
use fixed::{assent, name, read_sign, recognition, table_number, urgency};
use objects::{
    AmountObject, ApplicationObject, AssentObject, ChoiceObject, MarkObject, NameObject, NoteObject, NotesObject,
    RankingObject, RecognitionObject, StatementObject, TestObject, UrgencyObject, read_object,
};

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
/// * [`Fault::NotARanking`]: a name stands twice or not at all, or two share a rank.
/// * [`Fault::TooShort`]: the statement is shorter than the question demands.
/// * The faults of amounts, as [`read_amount`] and [`check_choice`] have them.
pub fn parse(ask: &Ask, motion: &Motion, form: AnswerForm, raw: &str) -> Result<Reply, Fault> {
    if raw.trim().is_empty() {
        return Err(Fault::Empty);
    }
    let reading = Reading { ask, motion };
    match form {
        AnswerForm::JsonSchema => reading.json(raw),
        AnswerForm::Anchored | AnswerForm::Typed if is_note(ask) => Ok(Reply::Note(raw.trim().to_owned())),
        AnswerForm::Typed => match typed::meant(ask, motion, raw)? {
            Meant::Pass => Ok(Reply::Pass),
            Meant::Lines(lines) => reading.anchored(&Anchored::new(&lines, anchors(ask, motion), motion.language)),
        },
        AnswerForm::Anchored => reading.anchored(&Anchored::new(raw, anchors(ask, motion), motion.language)),
    }
}

/// Whether the reply to a question is words and nothing else. In the anchored form these come as plain text.
pub(super) fn is_note(ask: &Ask) -> bool {
    match ask {
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => true,
        Ask::Statement { .. }
        | Ask::StrawPoll { .. }
        | Ask::Ballot { .. }
        | Ask::Amount { .. }
        | Ask::Ranking { .. }
        | Ask::Comprehension { .. }
        | Ask::Application { .. }
        | Ask::Volunteer
        | Ask::VoteCall
        | Ask::Naming { .. }
        | Ask::Recognition
        | Ask::Notes { .. }
        | Ask::Confirmation { .. } => false,
    }
}

/// A question whose reply is being read.
struct Reading<'a> {
    ask: &'a Ask,
    motion: &'a Motion,
}

impl Reading<'_> {
    fn json(&self, raw: &str) -> Result<Reply, Fault> {
        if let Some(reply) = self.ballot_in_json(raw).or_else(|| self.amount_alone_in_json(raw)) {
            return reply;
        }
        match self.ask {
            Ask::Statement { .. } => {
                let said: StatementObject = read_object(raw)?;
                let stance = said.stance.map(|name| self.option(&name)).transpose()?;
                let marks = self.typed_marks(said.marks)?;
                let opinion = opinion::of_json(self.ask, said.opinion.as_ref())?;
                let reply = self.statement(&said.statement, stance, self.json_amount(said.amount)?, opinion)?;
                Ok(with_tags(reply, &marks, self.motion.language))
            }
            Ask::StrawPoll { .. } | Ask::Ballot { .. } => {
                let said: ChoiceObject = read_object(raw)?;
                let opinion = opinion::of_json(self.ask, said.opinion.as_ref())?;
                self.choice(&said.choice, self.json_amount(said.amount)?)
                    .map(|choice| opinion::with_choice(choice, opinion))
            }
            Ask::Amount { alternative, .. } => {
                let said: AmountObject = read_object(raw)?;
                self.amount(*alternative, read_json_amount(&said.amount, self.motion.language)?)
            }
            Ask::Ranking { .. } => {
                let said: RankingObject = read_object(raw)?;
                let names = said.ranking.iter().map(|name| match name {
                    Value::String(name) => Ok(name.as_str()),
                    // A list in the list would be a tie, and `null` a gap.
                    Value::Array(_) | Value::Null => Err(Fault::NotARanking),
                    Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(Fault::Unreadable),
                });
                self.ranking(names, &said.certainty)
            }
            Ask::Comprehension { .. } => {
                let said: TestObject = read_object(raw)?;
                self.test(said.answers)
            }
            Ask::Application { .. } => {
                let said: ApplicationObject = read_object(raw)?;
                let choice = self.choice(&said.choice, self.json_amount(said.amount)?)?;
                application(choice, self.certainty(&said.certainty)?, &said.reasoning)
            }
            Ask::Volunteer => {
                let said: UrgencyObject = read_object(raw)?;
                urgency(said.urgency)
            }
            Ask::VoteCall | Ask::Confirmation { .. } => {
                let said: AssentObject = read_object(raw)?;
                assent(&said.answer, self.motion.language)
            }
            Ask::Naming { .. } => name(&read_object::<NameObject>(raw)?.name),
            Ask::Recognition => self.recognition(read_object(raw)?),
            Ask::Notes { .. } => {
                let said: NotesObject = read_object(raw)?;
                Ok(Reply::Notes(note_taken(said.append, said.replace)))
            }
            Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => {
                let said: NoteObject = read_object(raw)?;
                match said.text.trim() {
                    "" => Err(Fault::Empty),
                    text => Ok(Reply::Note(text.to_owned())),
                }
            }
        }
    }

    fn anchored(&self, said: &Anchored<'_>) -> Result<Reply, Fault> {
        let line = |anchor: &str| said.one(anchor, Extent::Line);
        if let Some(reply) = self.ballot_in_lines(said).or_else(|| self.amount_alone_in_lines(said)) {
            return reply;
        }
        match self.ask {
            Ask::Statement { .. } => {
                let words = said.one("STATEMENT:", Extent::Passage)?;
                let name = line("STANCE:")?;
                let stance = match self.option(&name) {
                    Err(Fault::UnknownAlternative) if self.motion.language.is_none(&name) => None,
                    known_or_fault => Some(known_or_fault?),
                };
                self.statement(&words, stance, self.amount_line(said)?, opinion::of_lines(self.ask, said)?)
            }
            Ask::StrawPoll { .. } | Ask::Ballot { .. } => {
                let choice = self.choice(&line("CHOICE:")?, self.amount_line(said)?)?;
                Ok(opinion::with_choice(choice, opinion::of_lines(self.ask, said)?))
            }
            Ask::Amount { alternative, .. } => {
                said.one("AMOUNT:", Extent::Line)?;
                self.amount(*alternative, self.amount_line(said)?)
            }
            Ask::Ranking { .. } => self.ranking(line("RANKING:")?.split('>').map(Ok), &line("CERTAINTY:")?),
            Ask::Comprehension { .. } => {
                let answers = line("ANSWERS:")?;
                let answers: Result<Vec<u32>, Fault> = answers.split(',').map(table_number).collect();
                self.test(answers?)
            }
            Ask::Application { .. } => {
                let choice = self.choice(&line("CHOICE:")?, self.amount_line(said)?)?;
                let certainty = self.certainty(&line("CERTAINTY:")?)?;
                application(choice, certainty, &said.one("REASONING:", Extent::Passage)?)
            }
            Ask::Volunteer => match line("URGENCY:")?.as_str() {
                none if self.motion.language.is_none(none) => urgency(None),
                number => urgency(Some(table_number(number)?)),
            },
            Ask::VoteCall | Ask::Confirmation { .. } => assent(&line("ANSWER:")?, self.motion.language),
            Ask::Naming { .. } => name(&line("NAME:")?),
            Ask::Recognition => {
                let which = said.at_most_one("WHICH:", Extent::Passage)?;
                recognition(&line("RECOGNISED:")?, which.as_deref(), self.motion.language)
            }
            Ask::Notes { .. } => {
                let append = said.one("APPEND:", Extent::Passage)?;
                let passage = |anchor: &str| said.at_most_one(anchor, Extent::Passage);
                let replace = match (passage("REPLACE:")?, passage("WITH:")?) {
                    (None, None) => None,
                    (Some(old), Some(new)) => Some(Replacement { old, new }),
                    (Some(_), None) | (None, Some(_)) => return Err(Fault::Unreadable),
                };
                Ok(Reply::Notes(note_taken(Some(append).filter(|text| !self.motion.language.is_none(text)), replace)))
            }
            Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => Err(Fault::Unreadable),
        }
    }

    fn recognition(&self, said: RecognitionObject) -> Result<Reply, Fault> {
        recognition(&said.recognised, said.which.as_deref(), self.motion.language)
    }

    /// The tags of the marks of a statement that are no words of it; only where marks are read, and not more than there may
    /// be. What a mark names stands in its tag as it was written, so that nothing is lost where it is no number.
    fn typed_marks(&self, written: Option<Vec<MarkObject>>) -> Result<Vec<String>, Fault> {
        let written = written.unwrap_or_default();
        let is_read = matches!(self.ask, Ask::Statement { marks: true, .. });
        if (!written.is_empty() && !is_read) || written.len() > MARKS_MAX {
            return Err(Fault::Unreadable);
        }
        let language = self.motion.language;
        let tagged = |MarkObject { mark, to }: MarkObject| {
            let sign = read_sign(&mark, language).ok_or(Fault::Unreadable)?;
            let bare = render_tag(Mark { sign, names: Named::Nothing }, language);
            let Some(to) = to else { return Ok(bare) };
            let inside: String =
                to.chars().map(|c| if c.is_control() || "[]\u{2028}\u{2029}".contains(c) { '?' } else { c }).collect();
            let inside = if inside.trim().is_empty() { "?" } else { inside.trim() };
            Ok(format!("{} {inside}]", bare.trim_end_matches(']')))
        };
        written.into_iter().map(tagged).collect()
    }

    /// Whether the form of the reply has a place for an amount.
    fn has_amount(&self) -> bool {
        match self.ask {
            Ask::Statement { .. } | Ask::StrawPoll { .. } => self.motion.amount_max.is_some(),
            Ask::Amount { .. } | Ask::Application { .. } | Ask::Ballot { form: BallotForm::Amount, .. } => true,
            _ => false,
        }
    }

    fn json_amount(&self, value: Option<Value>) -> Result<Option<u32>, Fault> {
        match value {
            None => Ok(None),
            Some(_) if !self.has_amount() => Err(Fault::Unreadable),
            Some(value) => read_json_amount(&value, self.motion.language),
        }
    }

    fn amount_line(&self, said: &Anchored<'_>) -> Result<Option<u32>, Fault> {
        if !self.has_amount() {
            return Ok(None);
        }
        match said.at_most_one("AMOUNT:", Extent::Line)? {
            None => Ok(None),
            Some(none) if self.motion.language.is_none(&none) => Ok(None),
            Some(amount) => read_amount(&amount, self.motion.language).map(Some),
        }
    }

    /// The option of that name, among those of this question.
    fn option(&self, name: &str) -> Result<AlternativeId, Fault> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Fault::Empty);
        }
        self.motion.find_said(name).filter(|id| self.ask.options().contains(id)).ok_or(Fault::UnknownAlternative)
    }

    fn choice(&self, name: &str, amount: Option<u32>) -> Result<Choice, Fault> {
        let alternative = self.option(name)?;
        check_choice(self.motion, self.ask, Choice { alternative, amount })
    }

    fn statement(
        &self,
        words: &str,
        stance: Option<AlternativeId>,
        amount: Option<u32>,
        opinion: Option<Opinion>,
    ) -> Result<Reply, Fault> {
        let Ask::Statement { chars_min, .. } = self.ask else {
            return Err(Fault::Unreadable);
        };
        let text = words.trim();
        if text.is_empty() {
            return Err(Fault::Empty);
        }
        if text.chars().count() < *chars_min as usize {
            return Err(Fault::TooShort);
        }
        let stance = match (stance, amount) {
            (None, Some(_)) => return Err(Fault::AmountUncalledFor),
            (None, None) => None,
            (Some(alternative), amount) => Some(check_choice(self.motion, self.ask, Choice { alternative, amount })?),
        };
        Ok(Reply::Statement { text: text.to_owned(), stance, opinion })
    }

    fn amount(&self, alternative: AlternativeId, amount: Option<u32>) -> Result<Reply, Fault> {
        let choice = check_choice(self.motion, self.ask, Choice { alternative, amount })?;
        choice.amount.map(Reply::Amount).ok_or(Fault::AmountMissing)
    }

    fn ranking<'a>(
        &self,
        names: impl Iterator<Item = Result<&'a str, Fault>>,
        certainty: &str,
    ) -> Result<Reply, Fault> {
        let mut order = Vec::new();
        let mut repeated = false;
        for name in names {
            let alternative = self.ranked(name?)?;
            repeated |= order.contains(&alternative);
            // What is ranked once too often is looked up all the same, but the list does not grow with it.
            if !repeated {
                order.push(alternative);
            }
        }
        if repeated || order.len() != self.ask.options().len() {
            return Err(Fault::NotARanking);
        }
        Ok(Reply::Ranking { order, certainty: self.certainty(certainty)? })
    }

    /// What has one rank: one option, neither a gap nor options that share it.
    fn ranked(&self, name: &str) -> Result<AlternativeId, Fault> {
        if name.contains('=') {
            name.split('=').try_for_each(|tied| self.option(tied).map(|_| ()))?;
            return Err(Fault::NotARanking);
        }
        self.option(name).map_err(|fault| if fault == Fault::Empty { Fault::NotARanking } else { fault })
    }

    fn certainty(&self, word: &str) -> Result<Certainty, Fault> {
        let (word, language) = (word.trim(), self.motion.language);
        Certainty::ALL.into_iter().find(|certainty| certainty.said(language) == word).ok_or(Fault::Unreadable)
    }

    fn test(&self, answers: Vec<u32>) -> Result<Reply, Fault> {
        let Ask::Comprehension { situation, questions } = self.ask else {
            return Err(Fault::Unreadable);
        };
        let is_table = |answer: &u32| (1..=situation.tables.len()).contains(&(*answer as usize));
        if answers.len() == questions.len() && answers.iter().all(is_table) {
            Ok(Reply::Test(answers))
        } else {
            Err(Fault::Unreadable)
        }
    }
}

/// A statement behind the tags of its typed marks, so that others hear them; not of those that its words carry already.
fn with_tags(reply: Reply, typed: &[String], language: Language) -> Reply {
    let Reply::Statement { text, stance, opinion } = reply else { return reply };
    let said = parse_marks(&text, language);
    let is_new = |tag: &&String| !parse_marks(tag, language).iter().all(|mark| said.contains(mark));
    let tags: String = typed.iter().filter(is_new).map(|tag| format!("{tag} ")).collect();
    Reply::Statement { text: tags + &text, stance, opinion }
}

/// Blank words add nothing.
fn note_taken(append: Option<String>, replace: Option<Replacement>) -> NoteTaken {
    let append = append.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    NoteTaken { append, replace }
}

fn application(choice: Choice, certainty: Certainty, reasoning: &str) -> Result<Reply, Fault> {
    let reasoning = reasoning.trim().to_owned();
    Ok(Reply::Application { choice, certainty, reasoning })
}

#[cfg(test)]
mod tests;
