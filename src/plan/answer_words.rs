//! The answers to a form with their questions, as memories and announcements have them: the question in short, in the author's words.

use super::{FormPlan, Plan};
use crate::domain::{FieldValue, NamedValues, SeatId};
use crate::memory::notice::AnswerTold;
use crate::prompt::{GAP, LiveText};
use crate::text::{join_lines, truncate_text};

/// The greatest length of a question in a memory, in characters.
pub const QUESTION_CHARS_MAX: u32 = 100;

impl FormPlan {
    /// The answers to the form with their questions in short. `question` writes that of a field, by its position, about a seat.
    pub fn list_answers<'v>(
        &self,
        values: &'v NamedValues,
        question: impl Fn(usize, Option<SeatId>) -> String,
        name: impl Fn(SeatId) -> String,
    ) -> Vec<AnswerTold<'v>> {
        let fields = self.asked.form.fields.len().max(1);
        let told = |(place, (id, value)): (usize, (&str, Option<&'v FieldValue>))| {
            let target = self.per.as_ref().and_then(|_| find_target(id));
            AnswerTold { question: question(place % fields, target), about: target.map(&name), value }
        };
        values.iter().enumerate().map(told).collect()
    }

    /// The question of a field in short, with a gap for the name of a seat that it is about; `None` if it prints other values of the
    /// session.
    pub fn fixed_question(&self, field: usize, unit: Option<&str>) -> Option<String> {
        match self.live_text(field) {
            Some(live) if !live.prints_only_target() => None,
            _ => Some(self.open_question(field, unit)),
        }
    }

    /// The question of a field in short, with a gap for every value of the session, as those may read it who were not asked.
    pub fn open_question(&self, field: usize, unit: Option<&str>) -> String {
        let words = self.live_text(field).map(LiveText::write_with_gaps);
        let words = words.unwrap_or_else(|| self.asked.questions[field].clone());
        let unit = unit.filter(|_| self.amounts.contains(&field)).map_or(String::new(), |unit| format!(" ({unit})"));
        shorten_question(&format!("{words}{unit}"))
    }

    /// Whether every question is the same whatever happened in the session, but for the name of a seat that it is about.
    pub fn has_fixed_questions(&self) -> bool {
        self.live.iter().all(|(_, live)| live.prints_only_target())
    }

    /// The question of a field that prints values of the session.
    pub fn live_text(&self, field: usize) -> Option<&LiveText> {
        self.live.iter().find(|(position, _)| *position == field).map(|(_, live)| live)
    }
}

impl Plan {
    /// The answers to a form as those may read them who were not asked.
    pub fn list_heard_answers<'v>(
        &self,
        form: &FormPlan,
        values: &'v NamedValues,
        name: impl Fn(SeatId) -> String,
    ) -> Vec<AnswerTold<'v>> {
        form.list_answers(values, |field, _| form.open_question(field, self.motion.unit.as_deref()), name)
    }
}

/// A question in one line, cut after a word.
pub fn shorten_question(question: &str) -> String {
    let mut line = join_lines(question);
    truncate_text(&line.clone(), QUESTION_CHARS_MAX).apply(&mut line);
    line
}

/// A question about a seat in short, with a gap in the place of its name.
pub fn shorten_question_about(question: &str, name: &str) -> String {
    if name.is_empty() { shorten_question(question) } else { shorten_question(&question.replace(name, GAP)) }
}

/// The seat that a field is about, by its id.
fn find_target(id: &str) -> Option<SeatId> {
    let (_, number) = id.rsplit_once('_')?;
    Some(SeatId(number.parse::<u32>().ok()?.checked_sub(1)?))
}
