//! Folds the answers to forms.

use crate::analysis::column::put_row;
use crate::analysis::effort::AnswerStatus;
use crate::analysis::facts::{FormAbout, PhaseFacts};
use crate::analysis::fold::choices::ChoiceAnswer;
use crate::analysis::fold::state::{AnswerCoordinates, ForeignRecord, SessionFold, foreign_record};
use crate::analysis::measures;

use crate::analysis::tables::{AssignmentRow, TextRow, ValueRow, VariableRow, mark_answers, number_of};
use crate::domain::{
    Certainty, ComputedValues, Fault, FieldValue, KeptText, Measure, NamedChoice, NamedValues, Opinion, Record,
    SeatName,
};

impl SessionFold {
    /// Folds the values of a form.
    ///
    /// # Errors
    /// If the session's plan has no such field.
    pub(super) fn fold_values(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        values: &NamedValues,
    ) -> Result<(), ForeignRecord> {
        let layout = self.facts.arm.layout.clone();
        let is_about_seats = self.current_phase().is_some_and(|phase| phase.about == FormAbout::Seats);
        for (field, value) in values.iter() {
            if is_about_seats {
                let about = self.find_target(field).ok_or_else(|| foreign_record(record, "field", field))?;
                self.write_value(answered, about, value.cloned(), AnswerStatus::Valid);
                continue;
            }
            let place = layout.find_answer(&answered.at.phase, field);
            let place = place.ok_or_else(|| foreign_record(record, "field", field))?;
            self.write_value(answered, (field, None), value.cloned(), AnswerStatus::Valid);
            self.keep_answer(answered.seat, place, value.cloned());
        }
        self.fold_measures(record, answered, values)
    }

    /// Keeps a seat's latest answer to a field, and who else gave theirs in the same pass.
    fn keep_answer(&mut self, seat: usize, place: usize, value: Option<FieldValue>) {
        let arm = self.facts.arm.clone();
        let answers = &mut self.seats[seat].answers;
        answers.resize(arm.layout.answers.len(), None);
        answers[place] = value;
        if let Some(part) = &self.part {
            let phase = &arm.phases[part.place];
            self.last_passes[place].add_seat(&phase.passes, phase.group_number(), seat);
        }
    }

    /// The phase of the record that is folded.
    pub(super) fn current_phase(&self) -> Option<&PhaseFacts> {
        self.part.as_ref().map(|part| &self.facts.arm.phases[part.place])
    }

    /// Folds what the fields of a form measure like the answer to a straw poll.
    fn fold_measures(
        &mut self,
        record: &Record,
        answered: AnswerCoordinates<'_>,
        values: &NamedValues,
    ) -> Result<(), ForeignRecord> {
        let arm = self.facts.arm.clone();
        let Some(phase) = self.part.as_ref().map(|part| &arm.phases[part.place]) else { return Ok(()) };
        if phase.poll.is_none() {
            return Ok(());
        }
        let (mut chosen, mut opinion, mut order, mut certainty) = (None, None, None, None);
        for (field, measure, bounds) in &phase.measures {
            match (measure, values.find(field).flatten()) {
                (Measure::Stance, Some(FieldValue::Words(option))) => {
                    let name = arm.alternatives.iter().find(|name| name.as_str() == &**option);
                    let name = name.ok_or_else(|| foreign_record(record, "alternative", option))?;
                    chosen = Some(NamedChoice { alternative: name.clone(), amount: None });
                }
                (Measure::Opinion, Some(FieldValue::Number(number))) => match arm.alternatives.as_slice() {
                    [only] => {
                        let amount = number.in_units(0).and_then(|amount| u32::try_from(amount).ok());
                        chosen = Some(NamedChoice { alternative: only.clone(), amount });
                    }
                    _ => opinion = Opinion::between(*number, *bounds),
                },
                (Measure::Ranking, Some(FieldValue::Ranks(levels))) => {
                    let name = |word: &String| arm.alternatives.iter().find(|name| name.as_str() == word).cloned();
                    let names: Option<Vec<_>> = levels.iter().flatten().map(name).collect();
                    order = Some(names.ok_or_else(|| foreign_record(record, "ranking in field", field))?);
                }
                (Measure::Certainty, Some(FieldValue::Number(number))) => {
                    certainty = Opinion::between(*number, *bounds).map(Certainty::nearest);
                }
                _ => {}
            }
        }
        let cast = ChoiceAnswer { certainty, options: &arm.alternatives, ..ChoiceAnswer::of_record(record) };
        if let Some(order) = order {
            self.count_ranking(record, answered, &order, cast.clone())?;
        }
        if !phase.measures_choice(arm.alternatives.len()) {
            self.fold_poll_opinion(answered.seat, opinion);
            return Ok(());
        }
        self.fold_poll(record, answered, ChoiceAnswer { chosen, ..cast }, opinion)
    }

    /// A field about a seat, with the seat, by the id that the record has: the field's with the number of the seat.
    fn find_target<'f>(&self, id: &'f str) -> Option<(&'f str, Option<SeatName>)> {
        let (field, number) = id.rsplit_once('_')?;
        let seat = self.seat_names.get_index(number.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some((field, Some(seat.clone())))
    }

    /// Folds a form whose tries are used up: no field has a value.
    pub(super) fn fold_lost_form(&mut self, answered: AnswerCoordinates<'_>, fault: Fault) {
        let arm = self.facts.arm.clone();
        let phase = self.part.as_ref().map(|part| &arm.phases[part.place]);
        for field in phase.map_or(&[][..], |phase| &phase.fields) {
            if let Some(place) = arm.layout.find_answer(&answered.at.phase, field) {
                self.keep_answer(answered.seat, place, None);
            }
            self.write_value(answered, (field, None), None, AnswerStatus::from_fault(Some(fault)));
        }
    }

    fn write_value(
        &mut self,
        answered: AnswerCoordinates<'_>,
        (field, target): (&str, Option<SeatName>),
        answer: Option<FieldValue>,
        status: AnswerStatus,
    ) {
        let key = self.current_phase().and_then(|phase| phase.keys.iter().find(|(own, _)| own == field));
        let row = ValueRow {
            key: key.map(|(_, key)| key.clone()),
            seq: answered.seq,
            phase: answered.at.phase.clone(),
            seat: answered.name.clone(),
            field: field.to_owned(),
            answer,
            status,
            target,
            thing: self.things.get(&answered.at.phase).cloned(),
        };
        put_row(&self.key, &row, &mut self.rows.values);
    }

    /// Folds a computed variable, or texts that are kept.
    ///
    /// # Errors
    /// If the session's plan has no such variable or seat.
    pub(super) fn fold_computed(
        &mut self,
        record: &Record,
        name: &str,
        values: &ComputedValues,
    ) -> Result<(), ForeignRecord> {
        let scope = match values {
            ComputedValues::Session(_) => "session",
            ComputedValues::Group(_) => "group",
            ComputedValues::Seats(_) => "seat",
            ComputedValues::Texts(texts) => {
                self.fold_texts(record, name, texts);
                return Ok(());
            }
        };
        let layout = self.facts.arm.layout.clone();
        let place = layout.variables.iter().position(|column| column.name == *name);
        let place = place.ok_or_else(|| foreign_record(record, "variable", name))?;
        for (seat, value) in values.iter() {
            let own = match seat {
                None => &mut self.variables,
                Some(seat) => {
                    let seat = self.find_seat(record, seat)?;
                    &mut self.seats[seat].variables
                }
            };
            own[place] = value.cloned();
            let row = VariableRow {
                seq: record.seq,
                phase: record.at.phase.clone(),
                scope: scope.to_owned(),
                seat: seat.cloned(),
                name: name.to_owned(),
                computed: value.cloned(),
            };
            put_row(&self.key, &row, &mut self.rows.variables);
        }
        Ok(())
    }

    fn fold_texts(&mut self, record: &Record, name: &str, texts: &[KeptText]) {
        for kept in texts {
            let row = TextRow {
                seq: record.seq,
                phase: record.at.phase.clone(),
                name: name.to_owned(),
                letter: kept.letter.clone(),
                version: kept.version,
                author: kept.author.clone(),
                place: kept.place,
                words: kept.text.clone(),
            };
            put_row(&self.key, &row, &mut self.rows.texts);
        }
    }

    /// Folds seats that are put into groups.
    ///
    /// # Errors
    /// If the session has no such seat.
    pub(super) fn fold_groups(
        &mut self,
        record: &Record,
        name: &str,
        groups: &[Vec<SeatName>],
        roles: &[String],
    ) -> Result<(), ForeignRecord> {
        for (place, seats) in groups.iter().enumerate() {
            let role = roles.get(place).cloned();
            let group = match &role {
                Some(_) => record.at.phase.group().and_then(|number| number.parse().ok()),
                None => Some(place as u32 + 1),
            };
            for seat in seats {
                self.find_seat(record, seat)?;
                let (phase, name, seat) = (record.at.phase.clone(), name.to_owned(), seat.clone());
                let row = AssignmentRow { seq: record.seq, phase, name, group, seat, role: role.clone() };
                put_row(&self.key, &row, &mut self.rows.assignments);
            }
        }
        Ok(())
    }

    /// The mean of each variable over the seats, in the order of the columns.
    pub(super) fn variable_means(&self) -> Vec<Option<f64>> {
        let mean = |place: usize| {
            let values = self.seats.iter().filter_map(|seat| number_of(seat.variables.get(place)?.as_ref()?));
            measures::mean_of(&values.collect::<Vec<f64>>())
        };
        (0..self.facts.arm.layout.variables.len()).map(mean).collect()
    }

    /// The share of right answers to each field with a key, over the seats that answered in its last pass, in the order of the columns.
    pub(super) fn correct_shares(&self) -> Vec<Option<f64>> {
        let arm = &self.facts.arm;
        let marked: Vec<Vec<Option<bool>>> = self.seats.iter().map(|seat| mark_answers(arm, &seat.answers)).collect();
        let share = |place: usize| {
            let asked = arm.layout.answers.iter().position(|answer| *answer == arm.layout.keyed[place]);
            let seats = asked.map(|asked| self.last_passes[asked].seats()).into_iter().flatten();
            let given: Vec<bool> = seats.filter_map(|seat| marked[seat][place]).collect();
            measures::share_of(given.iter().filter(|right| **right).count() as u64, given.len() as u64)
        };
        (0..arm.layout.keyed.len()).map(share).collect()
    }

    /// The mean of each field of a form that is a number, over the seats that answered in its last pass, in the order of the columns.
    pub(super) fn answer_means(&self) -> Vec<Option<f64>> {
        let mean = |place: usize| {
            let seats = self.last_passes[place].seats().into_iter();
            let answers = seats.filter_map(|seat| number_of(self.seats[seat].answers.get(place)?.as_ref()?));
            measures::mean_of(&answers.collect::<Vec<f64>>())
        };
        let columns = self.facts.arm.layout.answers.iter().enumerate();
        columns.filter(|(_, column)| column.is_number).map(|(place, _)| mean(place)).collect()
    }
}
