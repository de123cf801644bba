//! Forms that measure a stance or an estimate, written as the straw polls for which they stand in the tables.

use ekklesia::analysis::ArmFacts;
use ekklesia::domain::{Event, FieldValue, Measure, Record, Step};
use serde_json::{Map, Value, json};

/// The columns beside those of polls that forms may feed, by their beginnings.
const OPINIONS: [&str; 6] = ["opinion", "esteban_ray", "vdeijk_a", "trivial_consensus", "public_private", "share_"];

/// Whether a column of a table is about what seats favoured in polls.
pub fn is_about_polls(table: &str, column: &str) -> bool {
    ["ballots", "tallies"].contains(&table)
        || column.contains("straw")
        || OPINIONS.iter().any(|beginning| column.starts_with(beginning))
}

/// The records of a session, with such forms as polls.
pub fn write_as_polls(all: &[Record], arm: &ArmFacts) -> Vec<Record> {
    all.iter().map(|record| write_as_poll(record, arm).unwrap_or_else(|| record.clone())).collect()
}

fn write_as_poll(record: &Record, arm: &ArmFacts) -> Option<Record> {
    let phase = arm.phases.iter().find(|phase| phase.name == record.at.phase)?;
    let is_counted = record.at.step == Step::Ask && phase.poll.is_some();
    let only = arm.alternatives.first().filter(|_| arm.alternatives.len() == 1);
    let is_choice = |measure: &Measure| *measure == Measure::Stance || *measure == Measure::Opinion && only.is_some();
    let (field, ..) = phase.measures.iter().rev().find(|(_, measure, _)| is_counted && is_choice(measure))?;
    let mut poll = record.clone();
    poll.at.step = Step::StrawPoll;
    if let Event::Answered(answered) = &mut poll.event {
        let mut values = Map::new();
        match answered.values.find(field).flatten() {
            Some(FieldValue::Words(option)) => drop(values.insert("choice".to_owned(), json!(&**option))),
            Some(FieldValue::Number(number)) => {
                values.insert("choice".to_owned(), json!(only.expect("an amount alone").as_str()));
                values.insert("amount".to_owned(), json!(number.in_units(0)));
            }
            _ => return None,
        }
        answered.values = serde_json::from_value(Value::Object(values)).expect("a choice is an answer");
        answered.options.clone_from(&arm.alternatives);
    }
    Some(poll)
}
