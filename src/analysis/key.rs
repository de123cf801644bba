//! The key block: the first columns of every table. Tables join on `session` and `seat`.

use crate::analysis::column::{CellKind, ColumnSpec, put_count, put_text};
use crate::analysis::facts::SessionFacts;
use crate::analysis::why::{CellProvenance, PlanSetting};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyColumn {
    Experiment,
    Arm,
    Level(usize),
    Replicate,
    Panel,
    Wave,
    Item,
    Session,
}

/// The specs of the key block for these factors.
pub fn key_specs(factors: &[String]) -> Vec<ColumnSpec> {
    list_key_columns(factors.len()).map(|key| key.column_spec(factors)).collect()
}

/// A session's key block as CSV, without a trailing comma.
pub fn key_cells(facts: &SessionFacts) -> Vec<u8> {
    let mut out = Vec::with_capacity(96);
    for (place, key) in list_key_columns(facts.arm.levels.len()).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        key.put_cell(facts, &mut out);
    }
    out
}

fn list_key_columns(factors: usize) -> impl Iterator<Item = KeyColumn> {
    let levels = (0..factors).map(KeyColumn::Level);
    let rest = [KeyColumn::Replicate, KeyColumn::Panel, KeyColumn::Wave, KeyColumn::Item, KeyColumn::Session];
    [KeyColumn::Experiment, KeyColumn::Arm].into_iter().chain(levels).chain(rest)
}

impl KeyColumn {
    fn put_cell(self, facts: &SessionFacts, out: &mut Vec<u8>) {
        match self {
            KeyColumn::Experiment => put_text(&facts.arm.experiment, out),
            KeyColumn::Arm => put_text(&facts.arm.arm, out),
            KeyColumn::Level(place) => put_text(&facts.arm.levels[place].1, out),
            KeyColumn::Replicate => put_count(Some(u64::from(facts.replicate)), out),
            KeyColumn::Panel => put_text(facts.panel.as_ref().map_or("", |(panel, _)| panel), out),
            KeyColumn::Wave => put_count(facts.panel.as_ref().map(|(_, wave)| u64::from(*wave)), out),
            KeyColumn::Item => put_text(facts.item.as_ref().map_or("", |item| &item.id), out),
            KeyColumn::Session => put_text(&facts.session, out),
        }
    }

    fn column_spec(self, factors: &[String]) -> ColumnSpec {
        let (name, kind, help) = match self {
            KeyColumn::Experiment => ("experiment".to_owned(), CellKind::Text, "name of the experiment".to_owned()),
            KeyColumn::Arm => {
                ("arm".to_owned(), CellKind::Text, "name of the arm: its level labels joined by -".to_owned())
            }
            KeyColumn::Level(place) => {
                let factor = &factors[place];
                (format!("arm_{factor}"), CellKind::Text, format!("level of the factor {factor} in this arm"))
            }
            KeyColumn::Replicate => (
                "replicate".to_owned(),
                CellKind::Count,
                "replicate, from 1; with common random numbers the same replicate pairs the arms".to_owned(),
            ),
            KeyColumn::Panel => (
                "panel".to_owned(),
                CellKind::Text,
                "panel: sessions in which the same agents meet again share it; empty in experiments without panels"
                    .to_owned(),
            ),
            KeyColumn::Wave => (
                "wave".to_owned(),
                CellKind::Count,
                "the session's place in its panel, from 1; empty in experiments without panels".to_owned(),
            ),
            KeyColumn::Item => {
                ("item".to_owned(), CellKind::Text, "item; empty in experiments without items".to_owned())
            }
            KeyColumn::Session => (
                "session".to_owned(),
                CellKind::Text,
                "name of the session's folder; unique in the experiment".to_owned(),
            ),
        };
        ColumnSpec {
            name,
            kind,
            unit: String::new(),
            help,
            formula: String::new(),
            source: "plan".to_owned(),
            why: CellProvenance::from_plan(self.setting()),
        }
    }

    fn setting(self) -> PlanSetting {
        match self {
            KeyColumn::Experiment => PlanSetting::Experiment,
            KeyColumn::Arm => PlanSetting::Arm,
            KeyColumn::Level(_) => PlanSetting::Level,
            KeyColumn::Replicate => PlanSetting::Replicate,
            KeyColumn::Panel => PlanSetting::Panel,
            KeyColumn::Wave => PlanSetting::Wave,
            KeyColumn::Item => PlanSetting::Item,
            KeyColumn::Session => PlanSetting::Session,
        }
    }
}
