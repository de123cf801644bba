//! What is to be compared: what the command line asks for, else what the config announced.
//!
//! No number is read here.

use super::arguments::{CompareArguments, CompareUnit};
use super::unknown;
use crate::cli::exit::Refusal;
use crate::plan::{Correction, Experiment, NULL_FACTOR};
use crate::report::BaselineFrom;
use crate::statistics::{Adjustment, Unit};

/// The word for comparing whole arms.
pub const ARMS: &str = "arm";

/// What is to be compared.
pub struct Asked {
    pub metric: String,
    pub by: Option<String>,
    pub baseline: usize,
    pub baseline_from: BaselineFrom,
    pub unit: Unit,
    pub correction: Adjustment,
    pub exploratory_because: Vec<String>,
}

/// What is independent: what the command line says, else what was announced, else the session.
pub fn unit_of(arguments: &CompareArguments, experiment: &Experiment) -> Unit {
    let announced = experiment.primary.as_ref().map(|primary| primary.unit).unwrap_or_default();
    let unit = arguments.unit.map_or(announced, |unit| match unit {
        CompareUnit::Session => Unit::Session,
        CompareUnit::Replicate => Unit::Replicate,
        CompareUnit::Item => Unit::Item,
        CompareUnit::Panel => Unit::Panel,
    });
    of_panels(unit, experiment)
}

/// The same agents meet in all sessions of a panel: these are never independent.
fn of_panels(unit: Unit, experiment: &Experiment) -> Unit {
    if unit == Unit::Session && experiment.waves.is_some() { Unit::Panel } else { unit }
}

impl Asked {
    pub fn new(arguments: &CompareArguments, experiment: &Experiment, metric: String) -> Result<Self, Refusal> {
        let primary = experiment.primary.as_ref();
        let factors = || experiment.factors.iter().map(String::as_str);
        let by = match arguments.by.as_deref() {
            Some(by) if factors().any(|factor| factor == by) => Some(by.to_owned()),
            Some(ARMS) => None,
            Some(by) => return Err(unknown("factor", by, factors().chain([ARMS]))),
            None => primary.and_then(|primary| primary.contrast.clone()).or_else(|| alone_with_nulls(experiment)),
        };
        let (baseline, baseline_from) = baseline_of(arguments, experiment)?;
        let correction = match primary.map(|primary| primary.correction).unwrap_or_default() {
            Correction::Holm => Adjustment::Holm,
            Correction::None => Adjustment::None,
        };
        let unit = unit_of(arguments, experiment);
        let mut because = Vec::new();
        match primary {
            None => because.push("the config announces no primary comparison".to_owned()),
            Some(primary) => {
                if primary.metric != metric {
                    because.push(format!("the primary metric is {}", primary.metric));
                }
                if primary.contrast != by {
                    because.push(format!("the primary contrast is {}", primary.contrast.as_deref().unwrap_or(ARMS)));
                }
                let declared = experiment.baseline.as_deref().map_or(Ok(0), |name| arm_named(name, experiment))?;
                if declared != baseline {
                    because.push(format!("the baseline is {}", experiment.arms[declared].arm));
                }
                if of_panels(primary.unit, experiment) != unit {
                    because.push(format!("the primary unit is the {}", primary.unit.as_str()));
                }
            }
        }
        Ok(Self { metric, by, baseline, baseline_from, unit, correction, exploratory_because: because })
    }
}

/// The arm that others are compared with, and who says so.
pub fn baseline_of(arguments: &CompareArguments, experiment: &Experiment) -> Result<(usize, BaselineFrom), Refusal> {
    match (&arguments.baseline, &experiment.baseline) {
        (Some(name), _) => Ok((arm_named(name, experiment)?, BaselineFrom::CommandLine)),
        (None, Some(name)) => Ok((arm_named(name, experiment)?, BaselineFrom::Config)),
        (None, None) => Ok((0, BaselineFrom::FirstArm)),
    }
}

fn arm_named(name: &str, experiment: &Experiment) -> Result<usize, Refusal> {
    let names = || experiment.arms.iter().map(|plan| plan.arm.as_str());
    names().position(|arm| arm == name).ok_or_else(|| unknown("arm", name, names()))
}

/// The factor of the nulls, where they are all that one arm could be compared with.
fn alone_with_nulls(experiment: &Experiment) -> Option<String> {
    let is_one = experiment.arms.iter().filter(|plan| plan.null.is_none()).count() == 1;
    is_one.then(|| NULL_FACTOR.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::inputs::{Inputs, Overrides};
    use crate::plan::Primary;
    use std::path::Path;

    /// The shipped two-by-two experiment with a baseline and a primary comparison.
    fn announced() -> Experiment {
        let inputs = Inputs::read(Path::new("configs/justice-memory-by-rule.yaml"), Overrides::default()).unwrap();
        let mut experiment = inputs.resolve().unwrap().experiment;
        experiment.baseline = Some("selective-majority".to_owned());
        let (metric, contrast) = ("carried".to_owned(), Some("memory".to_owned()));
        let unit = Unit::Session;
        experiment.primary = Some(Primary { metric, contrast, correction: Correction::None, unit });
        experiment
    }

    fn asked(experiment: &Experiment, words: &[&str]) -> Result<Asked, Refusal> {
        use crate::cli::arguments::{Arguments, Verb};
        use clap::Parser;
        let words = ["ekklesia", "compare", "results/x"].iter().chain(words);
        let Verb::Compare(arguments) = Arguments::try_parse_from(words).unwrap().verb else { panic!("compare") };
        let announced = experiment.primary.as_ref().map(|primary| primary.metric.clone());
        let metric = arguments.metric.clone().or(announced).expect("a metric");
        Asked::new(&arguments, experiment, metric)
    }

    #[test]
    fn only_what_was_announced_is_primary() {
        let experiment = announced();
        for (words, because) in [
            (&[][..], ""),
            (&["--metric", "carried", "--by", "memory", "--baseline", "selective-majority"], ""),
            (&["--resamples", "500", "--unit", "session"], ""),
            (&["--metric", "words"], "the primary metric is carried"),
            (&["--by", "rule"], "the primary contrast is memory"),
            (&["--by", "arm"], "the primary contrast is memory"),
            (&["--baseline", "none-majority"], "the baseline is selective-majority"),
            (&["--unit", "replicate"], "the primary unit is the session"),
            (&["--metric", "words", "--by", "rule"], "the primary metric is carried; the primary contrast is memory"),
        ] {
            let found = asked(&experiment, words).unwrap();
            assert_eq!(found.exploratory_because.join("; "), because, "{words:?}");
            assert_eq!(found.correction, Adjustment::None);
        }
    }

    #[test]
    fn without_an_announcement_everything_is_exploratory_and_the_first_arm_the_baseline() {
        let experiment = Experiment { primary: None, baseline: None, ..announced() };
        let found = asked(&experiment, &["--metric", "carried"]).unwrap();
        assert_eq!(found.exploratory_because, ["the config announces no primary comparison"]);
        assert_eq!((found.baseline, found.by, found.correction), (0, None, Adjustment::Holm));
    }
}
