//! Quantal response: its settings, and the utilities if none are written.

use std::sync::Arc;

use crate::config::lower::mind_reader::{MindReader, trait_value};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::written::mechanism::MechanismConfig;
use crate::config::written::minds::{QUANTAL_RESPONSE, QuantalResponseConfig};
use crate::minds::{Justice, Mind};

/// Whether the utilities come from the mechanism's payments.
pub fn goes_by_pay(written: &QuantalResponseConfig, scenario: &Scenario) -> bool {
    written.utilities.is_none() && matches!(scenario.written.mechanism, Some(MechanismConfig::IncomePrinciples(_)))
}

/// Lowers a mind whose utilities are payments; `None` if its precision or the mechanism has a reported error.
pub fn lower_pay_mind(
    reader: &MindReader<'_>,
    written: &QuantalResponseConfig,
    path: &str,
    problems: &mut Problems,
) -> Option<Mind> {
    let (name, _, greatest) = QUANTAL_RESPONSE[0];
    let path = format!("{path}.quantal_response.{name}");
    let precision = problems.ok_or_report_at(reader.tree, &path, trait_value(written.precision, greatest))?;
    Some(Mind::Justice(Justice::of_pay(precision, Arc::clone(reader.mechanism?))))
}

/// The problem that utilities are missing.
pub fn no_utilities(reader: &MindReader<'_>, path: &str) -> Problem {
    let message = "this mind chooses what is worth more the likelier; nothing says what the alternatives are worth, and the scenario has \
                   no mechanism that pays for them";
    let names: Vec<String> = reader.motion.alternatives.iter().map(|one| format!("{}: 1", one.name)).collect();
    reader.tree.problem(path, message).with_advice(format!("a number for each: utilities: {{ {} }}", names.join(", ")))
}
