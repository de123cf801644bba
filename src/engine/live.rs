//! Briefs and questions that print values of the session, and forms whose bounds depend on it.

use std::sync::Arc;

use super::deliberation::{Deliberation, Supposed};
use super::stage::Stage;
use super::world::{ITEM, LINES, SessionWorld};
use crate::domain::{
    Briefing, Event, Field, FieldKind, FormAsked, Language, Matter, Opinion, POINTS_MAX, SeatId, Step,
};
use crate::expression::{Fraction, Value, World};
use crate::plan::{
    BoundEnd, FormPlan, Formula, LiveBound, PhaseKind, SeatOptions, shorten_question_about, units_of_bound,
};
use crate::prompt::{Attribute, Disclosure, LiveText, Scene};

/// A number as long as one that is computed may be, for rehearsals.
const LONG_NUMBER: &str = "-99999999.999999";
/// The bounds of a number that are not known in a rehearsal: as short and as long as they may be.
const SHORT_BOUNDS: (i64, i64) = (0, 9);
const LONG_BOUNDS: (i64, i64) = (-999_999_999_999, 999_999_999_999);

impl Deliberation<'_> {
    /// Goes to the next seat that a personal brief is read to, from this one on, or to the next phase.
    pub(super) fn brief_from(&mut self, place: usize, from: u32) {
        let next = self.participants().find(|seat| seat.0 >= from);
        match next {
            Some(seat) => self.course.stage = Stage::BriefingSeat(place, seat),
            None => self.finish(place, 0),
        }
    }

    /// What a brief tells all seats, or one.
    ///
    /// # Errors
    /// A message, if its text fails.
    pub(super) fn brief(&self, place: usize, reader: Option<SeatId>) -> Result<Event, String> {
        let PhaseKind::Brief { text, live, opinion } = &self.phase(place).kind else {
            unreachable!("invariant: only a brief phase is briefed")
        };
        let group = opinion.as_ref().map(|formula| self.group_opinion(place, formula)).transpose()?.flatten();
        let text = match live {
            None => text.clone(),
            Some(live) => {
                let scene = Arc::new(self.scene(place, live, self.plan.motion.language));
                let filled = live.fill(&scene, (reader, None), Disclosure::Everyones);
                filled.map_err(|error| describe_failure(&error, live))?
            }
        };
        let readers = reader.map_or_else(|| self.course.limited_to.clone().unwrap_or_default(), |reader| vec![reader]);
        let to = readers.into_iter().map(|seat| self.seat_name(seat).clone()).collect();
        let what = Matter::Instruction { pushes: None, group };
        Ok(Event::Briefed(Briefing { what, ..Briefing::new(text, to) }))
    }

    /// Where the group stands: a whole amount where an amount alone is decided, half a unit up, else a share; `None` if the value is
    /// missing, or outside the range.
    ///
    /// # Errors
    /// A message, if the expression fails.
    fn group_opinion(&self, place: usize, formula: &Formula) -> Result<Option<Opinion>, String> {
        let Some(number) = self.world_at(place).evaluate(formula)?.as_number() else { return Ok(None) };
        let motion = &self.plan.motion;
        let scaled = |factor: u32| {
            let twice = number.checked_mul(Fraction::from(2 * i64::from(factor))).ok()?.floor().to_integer()?;
            u32::try_from((twice + 1).div_euclid(2)).ok()
        };
        Ok(match motion.only() {
            Some(_) => scaled(1).and_then(|amount| motion.opinion_of(amount)),
            None => scaled(Opinion::ONE).and_then(Opinion::new),
        })
    }

    /// The form of a phase as it is put to a seat now.
    ///
    /// # Errors
    /// A message, if a question fails or a bound has no value.
    pub(super) fn fill_form(&self, seat: SeatId, place: usize) -> Result<Arc<FormAsked>, String> {
        let form = self.plan.form_for(seat, place);
        if form.is_fixed() {
            return Ok(Arc::clone(&form.asked));
        }
        let targets = match &form.per {
            Some(per) => self.select_seats_for(seat, place, per)?.into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut asked = match &form.per {
            Some(_) => form.about_seats(&targets.iter().copied().flatten().collect::<Vec<SeatId>>()),
            None => FormAsked::clone(&form.asked),
        };
        let fields = form.asked.form.fields.len();
        for (field, text) in &form.live {
            let scene = Arc::new(self.scene(place, text, asked.form.language));
            for (row, target) in targets.iter().enumerate() {
                let filled = text.fill(&scene, (Some(seat), *target), Disclosure::OwnOnly);
                asked.questions[row * fields + field] = filled.map_err(|error| describe_failure(&error, text))?;
            }
        }
        for options in &form.options {
            let names = self.name_options(seat, place, options)?;
            for row in 0..targets.len() {
                asked.form.fields[row * fields + options.field].kind.set_options(names.clone());
            }
        }
        for bound in &form.bounds {
            for row in 0..targets.len() {
                self.fill_bound(seat, place, bound, &mut asked.form.fields[row * fields + bound.field])?;
            }
        }
        for field in &form.amounts {
            let motion = self.plan.motion_for(seat);
            asked.form.fields[*field].kind.set_amounts(motion.amounts());
            if let Some(unit) = &motion.unit {
                let question = &mut asked.questions[*field];
                *question = format!("{question} ({unit})");
            }
        }
        for kept in &form.kept {
            if let Some(line) = self.own_texts_line((seat, place), kept, asked.form.language) {
                let question = &mut asked.questions[kept.field];
                *question = format!("{question}\n{line}");
            }
        }
        if form.per.is_some() {
            for (question, field) in asked.questions.iter_mut().zip(&asked.form.fields) {
                *question = format!("{}: {question}", field.id);
            }
        }
        for field in &mut asked.form.fields {
            let FieldKind::Number { min, max, .. } = &mut field.kind else { continue };
            match self.supposed {
                None if min > max => {
                    return Err(format!(
                        "the field {} would take no number: its least is above its greatest",
                        field.id
                    ));
                }
                None => {}
                // In a rehearsal the answers are not those of a session.
                Some(_) => *max = (*max).max(*min),
            }
        }
        Ok(Arc::new(asked))
    }

    /// The question of a field that prints values of the session, as it is put to a seat now, in short.
    pub(super) fn short_question(
        &self,
        (seat, place): (SeatId, usize),
        form: &FormPlan,
        field: usize,
        target: Option<SeatId>,
    ) -> String {
        let Some(text) = form.live_text(field) else { return form.open_question(field, None) };
        let scene = Arc::new(self.scene(place, text, form.asked.form.language));
        match text.fill(&scene, (Some(seat), target), Disclosure::OwnOnly) {
            Ok(question) => shorten_question_about(&question, target.map_or("", |target| self.public_name(target))),
            Err(_) => form.open_question(field, None),
        }
    }

    /// The public names of the seats that are the options of a field.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    fn name_options(&self, seat: SeatId, place: usize, options: &SeatOptions) -> Result<Vec<String>, String> {
        let seats = self.select_seats_for(seat, place, &options.seats)?.into_iter();
        Ok(seats.map(|seat| self.public_name(seat).to_owned()).collect())
    }

    /// Whether a seat has somebody to be asked about, and options in each field.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    fn has_questions(&self, seat: SeatId, place: usize, form: &FormPlan) -> Result<bool, String> {
        let least = |field: &Field| if matches!(field.kind, FieldKind::Allocation { .. }) { 2 } else { 1 };
        for options in &form.options {
            if self.name_options(seat, place, options)?.len() < least(&form.asked.form.fields[options.field]) {
                return Ok(false);
            }
        }
        match &form.per {
            Some(per) => Ok(!self.select_seats_for(seat, place, per)?.is_empty()),
            None => Ok(true),
        }
    }

    /// Asks every seat that takes part and has something to answer.
    pub(super) fn ask_about_seats(&mut self, place: usize, form: &FormPlan) {
        let asked = self.asked_at(Step::Ask).map(|seat| Ok((seat, self.has_questions(seat, place, form)?)));
        match asked.collect::<Result<Vec<(SeatId, bool)>, String>>() {
            Ok(asked) => {
                let members = asked.into_iter().filter_map(|(seat, has_target)| has_target.then_some(seat)).collect();
                self.ask_some(place, 0, Step::Ask, members);
            }
            Err(reason) => self.stop_undefined(place, reason),
        }
    }

    fn fill_bound(&self, seat: SeatId, place: usize, bound: &LiveBound, field: &mut Field) -> Result<(), String> {
        let decimals = if let FieldKind::Number { decimals, .. } = field.kind { decimals } else { 0 };
        let world = SessionWorld { seat: Some(seat), ..self.world_at(place) };
        let found = match world.evaluate(&bound.formula)? {
            Value::Number(number) => units_of_bound(number, decimals, bound.end)
                .ok_or_else(|| format!("the bound `{}` has more than 15 digits", bound.formula.shown())),
            _ => {
                let formula = bound.formula.shown();
                Err(format!("the bound `{formula}` of the field {} is missing; write default(…, 0)", field.id))
            }
        };
        let (short, long) = match bound.end {
            BoundEnd::Min => (SHORT_BOUNDS.0, LONG_BOUNDS.0),
            BoundEnd::Max => (SHORT_BOUNDS.1, LONG_BOUNDS.1),
        };
        let units = match self.supposed {
            None => found?,
            Some(Supposed::AsComputed) => found.unwrap_or(short),
            Some(Supposed::Short) => short,
            Some(Supposed::Long) => long,
        };
        match (&mut field.kind, bound.end) {
            (FieldKind::Number { min, .. }, BoundEnd::Min) => *min = units,
            (FieldKind::Number { max, .. }, BoundEnd::Max) => *max = units,
            (FieldKind::Score { max: most, .. } | FieldKind::Allocation { points: most, .. }, BoundEnd::Max) => {
                let fitting = u32::try_from(units).ok().filter(|units| *units <= POINTS_MAX);
                let supposed = self.supposed.map(|_| POINTS_MAX);
                *most = fitting.or(supposed).ok_or_else(|| {
                    let formula = bound.formula.shown();
                    format!("`{formula}` of the field {} is {units}, and points go from 0 to {POINTS_MAX}", field.id)
                })?;
            }
            _ => unreachable!("invariant: numbers, scores and points have bounds"),
        }
        Ok(())
    }

    /// What a text may print at a phase.
    fn scene(&self, place: usize, text: &LiveText, language: Language) -> Scene {
        let (plan, phase) = (self.plan, self.phase(place));
        let world = self.world_at(place);
        let attribute = |seat: u32, name: &str| {
            let value = world.read_attribute(&Value::Seat(seat), name)?;
            let fields: Vec<&str> = plan.sources.fields_of(name).collect();
            Some(self.describe_value(&world, value, &fields))
        };
        let seat = |seat: u32| {
            let named = text.attributes.iter().map(String::as_str).chain(["name"]);
            named.filter_map(|name| Some((name.to_owned(), attribute(seat, name)?))).collect()
        };
        let columns: Vec<&str> = text.columns.iter().map(String::as_str).collect();
        let values = text
            .names
            .iter()
            .filter_map(|name| Some((name.clone(), self.describe_value(&world, world.read_name(name)?, &columns))));
        let group_values = text.group_values.iter().filter_map(|name| {
            Some((name.clone(), self.describe_value(&world, world.read_member("group", name)?, &[])))
        });
        // In a forecast a missing value may be any other.
        let missing = if self.supposed == Some(Supposed::Long) { LONG_NUMBER } else { language.no_answer() };
        Scene {
            phase: phase.name.written().to_owned(),
            parameters: plan.parameters.clone(),
            item: plan.item.as_ref().map(|item| item.text.clone()),
            pass: phase.passes.last().map(|pass| (pass.number, self.count_passes(pass))),
            present: self.gathered_at(place),
            seats: (0..plan.seats.len() as u32).map(seat).collect(),
            group_values: group_values.collect(),
            values: values.collect(),
            missing: missing.into(),
        }
    }

    /// A value with its parts, which of the answers to a form are these. An item has these columns besides.
    fn describe_value(&self, world: &SessionWorld<'_, '_>, value: Value, fields: &[&str]) -> Attribute {
        match &value {
            Value::Record(_) => {
                let part = |name: &&str| {
                    let part = self.describe_value(world, world.read_attribute(&value, name)?, fields);
                    let part = match (*name, part) {
                        ("author" | "voters", part) => Attribute::Disclosed(Box::new(part)),
                        (LINES, Attribute::Value(Value::Text(text))) => Attribute::Lines(self.suppose_lines(text)),
                        (_, part) => part,
                    };
                    Some(((*name).to_owned(), part))
                };
                let columns = if value == Value::Record(ITEM) { fields } else { &[] };
                let parts = world.list_parts(&value).unwrap_or(fields).iter().chain(columns);
                Attribute::from_parts(parts.filter_map(part))
            }
            Value::List(items) if items.iter().any(|item| matches!(item, Value::Record(_))) => {
                Attribute::List(items.iter().map(|item| self.describe_value(world, item.clone(), fields)).collect())
            }
            _ => Attribute::Value(self.suppose(value)),
        }
    }

    /// A text as a rehearsal prints its lines: in the longest forecast it has as many more lines as characters.
    pub(super) fn suppose_lines(&self, text: Arc<str>) -> Arc<str> {
        if self.supposed != Some(Supposed::Long) {
            return text;
        }
        let breaks: String = text.chars().map(|_| '\n').collect();
        let (start, end) = text.split_at(text.char_indices().next_back().map_or(0, |(place, _)| place));
        [start, &breaks, end].concat().into()
    }

    /// A value as a rehearsal prints it: in a forecast every number as short or as long as a number may be.
    fn suppose(&self, value: Value) -> Value {
        if let Value::Points(points) = &value {
            let suppose = |(option, number): &(Value, Fraction)| match self.suppose(Value::Number(*number)) {
                Value::Number(supposed) => (option.clone(), supposed),
                _ => (option.clone(), *number),
            };
            return Value::Points(points.iter().map(suppose).collect());
        }
        let number = match (&value, self.supposed) {
            (Value::Number(_), Some(Supposed::Long)) => Fraction::parse(LONG_NUMBER).ok(),
            (Value::Number(_), Some(Supposed::Short)) => Some(Fraction::ZERO),
            _ => None,
        };
        number.map_or(value, Value::Number)
    }
}

fn describe_failure(error: &minijinja::Error, text: &LiveText) -> String {
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("the text fails: {}{detail} in `{}`", error.kind(), text.source.trim())
}
