//! Answers to forms: drawn uniformly, or as a script says them.

use serde_json::Value;

use crate::chance::{DrawPurpose, Draws, SessionSeed};
use crate::domain::{
    AlternativeId, Answer, Ask, Choice, Decimal, Fault, FieldKind, FieldValue, FieldValues, Form, FormAsked, Measure,
    MindState, Motion, NamedValues, Opinion, Presence, Query, Reply,
};
use crate::minds::coordinates::noise_at;
use crate::minds::{random, reply};
use crate::prompt::read_fields;
use crate::question::{FieldFault, check_values, write_lines};

/// Answers a form at random: every value of a field is equally likely, also every split of points, and a field that may have no value
/// has none half of the time. Words are those of the mind `random`.
pub(super) fn answer_at_random(form: &Form, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    answer_with_values(form, draw_values(form, seed, query), query.state.clone())
}

/// Answers a form by the values of a rule; fields without one are answered at random.
pub(super) fn answer_by_rule(form: &Form, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    let drawn = form.fields.iter().zip(draw_values(form, seed, query));
    let values = drawn
        .map(|(field, drawn)| (field.id.clone(), query.ruled.find(&field.id).map_or(drawn, |ruled| ruled.cloned())));
    answer_as_written(form, &values.collect(), query.state.clone())
}

/// Answers a question that is no form of the scenario by what is written for its fields; a fault if that is no answer to it.
pub(super) fn answer_by_fields(ask: &Ask, motion: &Motion, values: &NamedValues, state: MindState) -> Answer {
    let Ok(Value::Object(fields)) = serde_json::to_value(values) else { unreachable!("invariant: values are JSON") };
    let reply = read_fields(ask, motion, &fields).map_err(|_| Fault::Unreadable);
    reply::simulated_answer(Value::Object(fields).to_string(), reply, state)
}

/// What a mind favours, as forms measure it.
pub(super) struct Measured<'a> {
    /// The alternative that it favours, with its amount.
    pub choice: Choice,
    /// How far it favours the first of two alternatives; `None` if its model does not say so.
    pub opinion: Option<Opinion>,
    /// All alternatives in its own order, the best first.
    pub order: &'a [AlternativeId],
    /// The motion.
    pub motion: &'a Motion,
}

/// Answers the fields of a form that measure something by what a mind favours, and the others at random.
pub(super) fn answer_measures(
    asked: &FormAsked,
    measured: &Measured<'_>,
    seed: &SessionSeed,
    query: &Query<'_>,
    state: MindState,
) -> Answer {
    let form = &asked.form;
    let drawn = form.fields.iter().zip(draw_values(form, seed, query));
    let values = drawn.map(|(field, drawn)| {
        let measure = asked.measures.iter().find(|(id, _)| *id == field.id);
        measure.map_or(drawn, |(_, measure)| Some(measured.value_of(&field.kind, *measure)))
    });
    answer_with_values(form, values.collect(), state)
}

impl Measured<'_> {
    fn value_of(&self, kind: &FieldKind, measure: Measure) -> FieldValue {
        let Choice { alternative, amount } = self.choice;
        match (measure, kind) {
            (Measure::Opinion, FieldKind::Number { min, max, decimals }) => {
                let is_amount = self.motion.alternatives.len() == 1;
                let stance = if alternative.0 == 0 { 100 } else { 0 };
                let opinion = self.opinion.or_else(|| Opinion::percent(stance)).expect("invariant: it is at most one");
                let units = match amount.filter(|_| is_amount) {
                    Some(amount) => i64::from(amount),
                    None => opinion.place_between((*min, *max)),
                };
                FieldValue::Number(Decimal::new(units.clamp(*min, *max), *decimals))
            }
            // The models have no opinion on certainty.
            (Measure::Certainty, FieldKind::Number { min, max, decimals }) => {
                let middle = Opinion::percent(50).expect("invariant: it is at most one");
                FieldValue::Number(Decimal::new(middle.place_between((*min, *max)), *decimals))
            }
            (Measure::Ranking, _) => {
                FieldValue::Ranks(self.order.iter().map(|id| vec![self.motion.name(*id).to_string()]).collect())
            }
            _ => FieldValue::Words(self.motion.name(alternative).clone().into()),
        }
    }
}

fn draw_values(form: &Form, seed: &SessionSeed, query: &Query<'_>) -> FieldValues {
    let id = noise_at(query);
    let mut draws = seed.at_question(DrawPurpose::Choice, &id, 0);
    let values = form.fields.iter().zip(0..).map(|(field, place)| {
        let is_left_out = field.presence != Presence::Required && draws.draw_below(2) == 1;
        let mut words = seed.at_question(DrawPurpose::Words, &id, place);
        (!is_left_out).then(|| draw_value(&field.kind, &mut draws, &mut words))
    });
    values.collect()
}

/// Answers a form by what is written for its fields; a field for which nothing is written has no value.
pub(super) fn answer_as_written(form: &Form, written: &NamedValues, state: MindState) -> Answer {
    let values = form.fields.iter().map(|field| match (&field.kind, written.find(&field.id).flatten().cloned()) {
        // A ranking without ties may be written as a plain list.
        (FieldKind::Ranking { .. }, Some(FieldValue::Options(names))) => {
            Some(FieldValue::Ranks(names.into_iter().map(|name| vec![name]).collect()))
        }
        (_, value) => value,
    });
    answer_with_values(form, values.collect(), state)
}

/// An answer with values; a fault if the form does not allow them.
fn answer_with_values(form: &Form, values: FieldValues, state: MindState) -> Answer {
    let (raw, checked) = (write_lines(form, &values), check_values(form, &values));
    match checked {
        Ok(()) => reply::simulated_answer(raw, Ok(Reply::Form(values)), state),
        Err(FieldFault { field, reason }) => {
            Answer { field, ..reply::simulated_answer(raw, Err(reason.as_fault()), state) }
        }
    }
}

fn draw_value(kind: &FieldKind, draws: &mut Draws, words: &mut Draws) -> FieldValue {
    match kind {
        FieldKind::Choice { options } => {
            FieldValue::Words(options[draws.draw_below(options.len() as u64) as usize].as_str().into())
        }
        FieldKind::Approval { options } => {
            FieldValue::Options(options.iter().filter(|_| draws.draw_below(2) == 1).cloned().collect())
        }
        FieldKind::Ranking { options, .. } => {
            let order = draws.draw_order(options.len() as u32).into_iter();
            FieldValue::Ranks(order.map(|place| vec![options[place as usize].clone()]).collect())
        }
        FieldKind::Score { options, max } => {
            let score = |name: &String| (name.clone(), draws.draw_below(u64::from(*max) + 1) as u32);
            FieldValue::Shares(options.iter().map(score).collect())
        }
        FieldKind::Allocation { options, points } => {
            FieldValue::Shares(options.iter().cloned().zip(draws.draw_split(*points, options.len())).collect())
        }
        FieldKind::Number { min, max, decimals } => {
            let units = min + draws.draw_below((max - min) as u64 + 1) as i64;
            FieldValue::Number(Decimal::new(units, *decimals))
        }
        FieldKind::Numbers { min, max, count } => {
            let number = |_| i64::from(*min) + draws.draw_below(u64::from(max - min) + 1) as i64;
            FieldValue::Numbers((0..*count).map(number).collect())
        }
        FieldKind::YesNo => FieldValue::YesNo(draws.draw_below(2) == 1),
        FieldKind::Texts { chars_min, chars_max, count_min, count_max } => {
            let count = count_min + draws.draw_below(u64::from(count_max - count_min) + 1) as u32;
            let text = |_| random::draw_words(words, *chars_min, *chars_max).replace(['\n', '\r'], " ");
            FieldValue::Options((0..count).map(text).map(|text| text.trim().to_owned()).collect())
        }
        FieldKind::Text { chars_min, chars_max, one_line } => {
            let text = random::draw_words(words, *chars_min, *chars_max);
            FieldValue::Words(if *one_line { text.replace(['\n', '\r'], " ").trim().into() } else { text.into() })
        }
    }
}
