//! A metric as one number per session, read from the table of sessions.

use crate::analysis::statistics::MetricScale;
use crate::analysis::{
    CellKind, ColumnSpec, describe_repeated_column, is_share_column, name_answer_column, name_correct_column,
    name_variable_column, option_of_share,
};
use crate::cli::exit::{Refusal, refuse_unknown};
use crate::config::{NO_METRICS, suggest_word};
use crate::domain::{Decimal, FieldKind, Holder};
use crate::plan::{
    CONFORMED, Experiment, FormPlan, OF_ALTERNATIVES, PhaseKind, Plan, Variable, VariableKind, name_unit,
};
use crate::report::{Metric, counted};
use crate::store::session_table::SessionTable;
use crate::store::tables::find_repeated_columns;

/// A metric and its number for each session.
pub struct MeasuredMetric {
    pub metric: Metric,
    pub values: Vec<Option<f64>>,
    /// The least and the greatest possible number in each arm, where known.
    pub limits: Vec<Option<(f64, f64)>>,
    pub notes: Vec<String>,
}

impl MeasuredMetric {
    pub fn read(name: &str, table: &SessionTable, experiment: &Experiment) -> Result<Self, Refusal> {
        let columns = || table.measured_columns().iter().filter(|column| !NO_METRICS.contains(&column.name.as_str()));
        let find = |name: &str| columns().find(|column| column.name == name);
        if let Some(column) = find(name) {
            return Self::from_numbers(column, table, experiment);
        }
        match name.split_once('=') {
            Some((column, value)) => match find(column) {
                Some(column) => Self::from_value_matches(column, value, table, experiment),
                None => Err(refuse_unknown("column", column, columns().map(|column| column.name.as_str()))),
            },
            None if NO_METRICS.contains(&name) => Err(Refusal::wrong_input(format!(
                "{name} is no metric: every comparison tells how many sessions failed"
            ))),
            None => Err(refuse_unknown("column", name, columns().map(|column| column.name.as_str()))),
        }
    }

    fn from_numbers(column: &ColumnSpec, table: &SessionTable, experiment: &Experiment) -> Result<Self, Refusal> {
        let name = &column.name;
        let scale = match column.kind {
            CellKind::Flag => MetricScale::Flag,
            CellKind::Real if is_yes_no(name, experiment) => MetricScale::Flag,
            CellKind::Real if is_share_column(name) => MetricScale::Share,
            CellKind::Count | CellKind::Real => MetricScale::Number,
            CellKind::Text => {
                let mut there: Vec<&str> = table.cells(name).filter(|cell| !cell.is_empty()).collect();
                there.sort_unstable();
                there.dedup();
                let some = there.first().map_or(String::new(), |value| format!(", such as --metric {name}={value}"));
                return Err(Refusal::wrong_input(format!(
                    "{name} holds text; say of which value the share is asked{some}"
                )));
            }
        };
        let number = |(row, cell): (usize, &str)| match cell {
            "" => Ok(None),
            cell => cell.parse::<f64>().ok().filter(|number| number.is_finite()).map(Some).ok_or_else(|| {
                Refusal::wrong_input(format!(
                    "{}: line {}: {name} is no number: {cell:?}",
                    table.path.display(),
                    row + 2
                ))
            }),
        };
        let values: Vec<Option<f64>> =
            only_completed(table, table.cells(name).enumerate().map(number).collect::<Result<_, _>>()?);
        let mut notes = Vec::new();
        let mut limits: Vec<Option<(f64, f64)>> = experiment.arms.iter().map(|plan| find_limits(name, plan)).collect();
        if name == "time_to_decision" {
            limits = rounds_limits(table, experiment);
            let censored = table.cells("censored").filter(|cell| *cell == "1").count() as u64;
            notes.extend((censored > 0).then(|| format!(
                "time_to_decision is empty in {} that ended without a decision (censored): they are not in the main result, \
which is of groups that decided; missing as the highest counts them as if they had decided in the last round that \
either of the two sides compared could have had",
                counted(censored, "session")
            )));
        }
        let (mut definition, unit) = (column.help.clone(), name_unit(&column.unit, experiment));
        if name == CONFORMED {
            let critical = experiment.items.values().filter(|item| !item.misleading_options().is_empty()).count();
            definition.push_str(&format!("; here {critical} of {}", counted(experiment.items.len() as u64, "item")));
        }
        let alternative = option_of_share(name).and_then(|option| alternative_label(option, experiment));
        let mut label = match is_yes_no(name, experiment) {
            true => format!("share of sessions in which {name} is yes"),
            false => ColumnSpec { unit: unit.clone(), ..column.clone() }.label(),
        };
        if experiment.arms.iter().any(|plan| find_repeated_columns(plan).contains(name)) {
            label.push_str(&format!(" {}", describe_repeated_column(name)));
        }
        let metric = Metric { name: name.clone(), label, alternative, definition, unit, scale };
        Ok(Self { metric, values, limits, notes })
    }

    /// Measures whether a column has a given value: 1 or 0.
    fn from_value_matches(
        column: &ColumnSpec,
        value: &str,
        table: &SessionTable,
        experiment: &Experiment,
    ) -> Result<Self, Refusal> {
        let name = &column.name;
        let mut known: Vec<&str> = table.cells(name).filter(|cell| !cell.is_empty()).collect();
        if OF_ALTERNATIVES.contains(&name.as_str()) {
            let arms = experiment.arms.iter();
            known.extend(arms.flat_map(|plan| plan.motion.alternatives.iter().map(|other| other.name.as_str())));
        }
        known.sort_unstable();
        known.dedup();
        if !known.contains(&value) {
            let hint = suggest_word(value, known.iter().copied()).map_or(String::new(), |hint| format!("; {hint}"));
            return Err(Refusal::wrong_input(format!("no session has {name} {value:?}{hint}")));
        }
        // Without a vote on the agenda, an empty choice means nothing.
        let is_asked = |outcome: &str| !OF_ALTERNATIVES.contains(&name.as_str()) || outcome != "not_applicable";
        let cells = table.cells(name).zip(table.cells("outcome"));
        let values =
            cells.map(|(cell, outcome)| is_asked(outcome).then(|| f64::from(u8::from(cell == value)))).collect();
        let metric = Metric {
            name: format!("{name}={value}"),
            label: format!("share of sessions in which the {} is {value}", column.label()),
            alternative: OF_ALTERNATIVES
                .contains(&name.as_str())
                .then(|| alternative_label(value, experiment))
                .flatten(),
            definition: format!(
                "1 if {name} is {value}, 0 if it is another or empty in a completed session; {name}: {}",
                column.help
            ),
            unit: String::new(),
            scale: MetricScale::Flag,
        };
        let limits = vec![None; experiment.arms.len()];
        Ok(Self { metric, values: only_completed(table, values), limits, notes: Vec::new() })
    }
}

/// An alternative's name and label; `None` if each item gives it another meaning.
fn alternative_label(name: &str, experiment: &Experiment) -> Option<(String, String)> {
    let mut alternatives = experiment.arms.first()?.motion.alternatives.iter();
    let found = alternatives.find(|other| other.name.as_str() == name).filter(|_| experiment.items.is_empty())?;
    Some((name.to_owned(), found.label.clone()))
}

/// The least and the greatest possible time to a decision in each arm. A vote outside rounds may decide before the first.
fn rounds_limits(table: &SessionTable, experiment: &Experiment) -> Vec<Option<(f64, f64)>> {
    let rounds: Vec<Option<f64>> = table.cells("rounds_max").map(|cell| cell.parse().ok()).collect();
    let of_arm = |plan: &Plan| {
        let own = table.sessions.iter().zip(&rounds).filter(|(session, _)| session.arm.arm == plan.arm);
        let least = if plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Vote(_))) { 0.0 } else { 1.0 };
        Some((least, own.filter_map(|(_, rounds)| *rounds).reduce(f64::max)?))
    };
    experiment.arms.iter().map(|plan| of_arm(plan)).collect()
}

/// Whether a column holds a yes/no variable of the session in every arm that has it.
fn is_yes_no(column: &str, experiment: &Experiment) -> bool {
    let mut variables = experiment.arms.iter().filter_map(|plan| find_variable(column, plan)).peekable();
    let is_flag = |variable: &Variable| variable.of == Holder::Session && variable.kind == VariableKind::YesNo;
    variables.peek().is_some() && variables.all(is_flag)
}

fn find_variable<'a>(column: &str, plan: &'a Plan) -> Option<&'a Variable> {
    plan.variables.iter().find(|variable| name_variable_column(&variable.name) == column)
}

/// The least and the greatest number that a column of an arm can have; `None` if the plan gives no limits.
fn find_limits(column: &str, plan: &Plan) -> Option<(f64, f64)> {
    match column {
        "switch_rate" | "participation_rate" | "public_private_gap" | "speaking_gini" => return Some((0.0, 1.0)),
        "straw_shift_net" => return Some((-1.0, 1.0)),
        _ => {}
    }
    if let Some(variable) = find_variable(column, plan) {
        return (variable.kind == VariableKind::YesNo).then_some((0.0, 1.0));
    }
    plan.agenda.iter().find_map(|phase| {
        let PhaseKind::Form(form) = &phase.kind else { return None };
        let phase = phase.name.written();
        form.asked.form.fields.iter().enumerate().find_map(|(position, field)| {
            if name_correct_column(phase, &field.id) == column {
                return Some((0.0, 1.0));
            }
            field_limits(position, form, plan).filter(|_| name_answer_column(phase, &field.id) == column)
        })
    })
}

/// The bounds of the answers to a field as numbers; `None` for fields without numbers, and if a bound depends on the session.
fn field_limits(position: usize, form: &FormPlan, plan: &Plan) -> Option<(f64, f64)> {
    if form.amounts.contains(&position) {
        return Some((plan.motion.amount_min.into(), plan.motion.amount_max?.into()));
    }
    if form.bounds.iter().any(|bound| bound.field == position) {
        return None;
    }
    let number = |units: i64, decimals: u8| Decimal::new(units, decimals).to_string().parse().ok();
    match form.asked.form.fields[position].kind {
        FieldKind::YesNo => Some((0.0, 1.0)),
        FieldKind::Number { min, max, decimals } => Some((number(min, decimals)?, number(max, decimals)?)),
        _ => None,
    }
}

/// Keeps the numbers of completed sessions only. Other rows may hold values from the plan.
fn only_completed(table: &SessionTable, values: Vec<Option<f64>>) -> Vec<Option<f64>> {
    values
        .into_iter()
        .zip(table.cells("status"))
        .map(|(value, status)| value.filter(|_| status == "completed"))
        .collect()
}
