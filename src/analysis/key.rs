//! The key block: the first columns of every table. Tables join on `session` and `seat`.

use crate::analysis::column::{CellKind, CellValue, ColumnSpec, put_text};
use crate::analysis::facts::SessionFacts;
use crate::analysis::why::{CellProvenance, PlanSetting};

/// A column of the key block: name, kind, help, setting of the plan, and cell.
type KeyColumn = (&'static str, CellKind, &'static str, PlanSetting, fn(&SessionFacts, &mut Vec<u8>));

/// The columns before the levels of the factors.
const BEFORE_LEVELS: [KeyColumn; 2] = [
    ("experiment", CellKind::Text, "name of the experiment", PlanSetting::Experiment, |facts, out| {
        put_text(&facts.arm.experiment, out);
    }),
    ("arm", CellKind::Text, "name of the arm: its level labels joined by -", PlanSetting::Arm, |facts, out| {
        put_text(&facts.arm.arm, out);
    }),
];

/// The columns after the levels of the factors.
const AFTER_LEVELS: [KeyColumn; 5] = [
    (
        "replicate",
        CellKind::Count,
        "replicate, from 1; with common random numbers the same replicate pairs the arms",
        PlanSetting::Replicate,
        |facts, out| facts.replicate.put(out),
    ),
    (
        "panel",
        CellKind::Text,
        "panel: sessions in which the same agents meet again share it; empty in experiments without panels",
        PlanSetting::Panel,
        |facts, out| facts.panel.as_ref().map(|(panel, _)| panel.as_str()).put(out),
    ),
    (
        "wave",
        CellKind::Count,
        "the session's place in its panel, from 1; empty in experiments without panels",
        PlanSetting::Wave,
        |facts, out| facts.panel.as_ref().map(|(_, wave)| *wave).put(out),
    ),
    ("item", CellKind::Text, "item; empty in experiments without items", PlanSetting::Item, |facts, out| {
        facts.item.as_ref().map(|item| item.id.as_str()).put(out);
    }),
    (
        "session",
        CellKind::Text,
        "name of the session's folder; unique in the experiment",
        PlanSetting::Session,
        |facts, out| put_text(&facts.session, out),
    ),
];

/// The specs of the key block for these factors.
pub fn key_specs(factors: &[String]) -> Vec<ColumnSpec> {
    let spec = |name: String, kind, help: String, setting| ColumnSpec {
        name,
        kind,
        unit: String::new(),
        help,
        formula: String::new(),
        source: "plan".to_owned(),
        why: CellProvenance::from_plan(setting),
    };
    let fixed = |(name, kind, help, setting, _): KeyColumn| spec(name.to_owned(), kind, help.to_owned(), setting);
    let level = |factor: &String| {
        let help = format!("level of the factor {factor} in this arm");
        spec(format!("arm_{factor}"), CellKind::Text, help, PlanSetting::Level)
    };
    let (before, after) = (BEFORE_LEVELS.into_iter().map(fixed), AFTER_LEVELS.into_iter().map(fixed));
    before.chain(factors.iter().map(level)).chain(after).collect()
}

/// A session's key block as CSV, without a trailing comma.
pub fn key_cells(facts: &SessionFacts) -> Vec<u8> {
    let mut out = Vec::with_capacity(96);
    for (.., put) in BEFORE_LEVELS {
        put(facts, &mut out);
        out.push(b',');
    }
    for (_, label) in &facts.arm.levels {
        put_text(label, &mut out);
        out.push(b',');
    }
    for (.., put) in AFTER_LEVELS {
        put(facts, &mut out);
        out.push(b',');
    }
    out.pop();
    out
}
