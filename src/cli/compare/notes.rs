//! Notes on how to read a comparison. They change no number and leave out no session.

use super::measured::MeasuredMetric;
use crate::analysis::statistics::{Study, Unit};
use crate::chance::Pairing;
use crate::plan::{Experiment, UNITLESS, letter_of_many, list_units, units_of_many};

/// Collects the notes on a comparison.
pub fn comparison_notes(measured: &MeasuredMetric, study: &Study, experiment: &Experiment) -> Vec<String> {
    let has_items = study.observations.iter().any(|seen| !seen.item.is_empty());
    let mut notes = measured.notes.clone();
    if has_items && study.unit != Unit::Item {
        notes.push(
            "sessions of the same item are counted as independent; the result is about these items, not about others"
                .to_owned(),
        );
    }
    if let Some(letter) = letter_of_many(&measured.metric.name, &experiment.items) {
        notes.push(format!(
            "{letter} is another option in another item, so this counts a letter and no choice; {}",
            instead_of_letters(experiment)
        ));
    }
    let of_result = measured.metric.name.split_once('=').filter(|(name, _)| *name == "result");
    if let Some((_, letter)) = of_result.filter(|_| experiment.arms.iter().any(|plan| plan.decides_on_texts())) {
        notes.push(format!(
            "{letter} names another text in each session, so this counts a letter and no choice; {}",
            instead_of_letters(experiment)
        ));
    }
    if let Some(units) = units_of_many(&measured.metric.name, &experiment.items) {
        notes.push(format!(
            "items are counted in {}: a mean over them is in no unit, and the items of the widest range decide it; {UNITLESS} has no unit",
            list_units(&units)
        ));
    }
    let is_live = experiment.arms.iter().any(|plan| !plan.is_simulated());
    if is_live && study.pairing == Pairing::CommonRandomNumbers {
        notes.push(
            "language models draw for themselves: arms share lots and seats, and r tells what that brought".to_owned(),
        );
    }
    notes
}

/// Suggests another metric if the options' letters differ in meaning between items.
fn instead_of_letters(experiment: &Experiment) -> &'static str {
    match experiment.items.values().any(|item| item.right_alternative().is_some()) {
        true => "correct compares choices with the right ones",
        false => "compare what does not depend on which option it is, such as carried",
    }
}
