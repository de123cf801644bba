//! Determines what to compare, from the command line and the primary comparison in the config. It reads no numbers.

use std::collections::BTreeSet;

use super::arguments::{CompareArguments, CompareUnit};

use crate::analysis::statistics::{Adjustment, Unit};
use crate::chance::Pairing;
use crate::cli::exit::{Refusal, refuse_unknown};
use crate::plan::{Correction, Experiment, NULL_FACTOR};
use crate::report::BaselineFrom;

/// The value of `--by` that compares arms instead of levels of a factor.
pub const ARMS: &str = "arm";

/// A comparison to make.
#[derive(Clone)]
pub struct ComparisonRequest {
    pub metrics: Vec<String>,
    pub by: Option<String>,
    pub baseline: usize,
    pub baseline_from: BaselineFrom,
    pub unit: Unit,
    pub correction: Adjustment,
    pub exploratory_because: Vec<String>,
}

/// The unit of analysis: from the command line, else from the config, else the session.
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

/// Replaces sessions by panels if there are panels: the sessions of a panel share their agents and are never independent.
fn of_panels(unit: Unit, experiment: &Experiment) -> Unit {
    if unit == Unit::Session && experiment.waves.is_some() { Unit::Panel } else { unit }
}

impl ComparisonRequest {
    pub fn new(arguments: &CompareArguments, experiment: &Experiment, metrics: Vec<String>) -> Result<Self, Refusal> {
        let primary = experiment.primary.as_ref();
        let factors = || experiment.factors.iter().map(String::as_str);
        let by = match arguments.by.as_deref() {
            Some(by) if factors().any(|factor| factor == by) => Some(by.to_owned()),
            Some(ARMS) => None,
            Some(by) if by.contains(':') => {
                check_interaction(by, experiment)?;
                Some(by.to_owned())
            }
            Some(by) => return Err(refuse_unknown("factor", by, factors().chain([ARMS]))),
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
                let sorted = |metrics: &[String]| metrics.iter().cloned().collect::<BTreeSet<String>>();
                match primary.metrics.as_slice() {
                    announced if sorted(announced) == sorted(&metrics) => {}
                    [one] => because.push(format!("the primary metric is {one}")),
                    several => because.push(format!("the primary metrics are {}", several.join(", "))),
                }
                if !is_same_contrast(primary.contrast.as_deref(), by.as_deref()) {
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
        Ok(Self { metrics, by, baseline, baseline_from, unit, correction, exploratory_because: because })
    }
}

/// Whether two contrasts are equal. The order of an interaction's factors does not matter.
fn is_same_contrast(one: Option<&str>, other: Option<&str>) -> bool {
    let turned = |contrast: &str| contrast.split_once(':').map(|(first, second)| format!("{second}:{first}"));
    one == other || one.and_then(turned).is_some_and(|turned| Some(turned.as_str()) == other)
}

/// Checks that an interaction names two factors of the config and that arms share blocks.
fn check_interaction(by: &str, experiment: &Experiment) -> Result<(), Refusal> {
    let known = || experiment.factors.iter().map(String::as_str).filter(|factor| *factor != NULL_FACTOR);
    let parts: Vec<&str> = by.split(':').collect();
    if let Some(strange) = parts.iter().find(|part| !known().any(|factor| factor == **part)) {
        return Err(refuse_unknown("factor", strange, known()));
    }
    match parts[..] {
        [one, other] if one == other => {
            Err(Refusal::wrong_input(format!("{one} has no interaction with itself; name two factors, as in --by a:b")))
        }
        [_, _] => match experiment.arms.iter().any(|plan| plan.pairing == Pairing::Independent) {
            true => Err(Refusal::wrong_input(
                "an interaction is compared block by block, and arms that are independent have no blocks",
            )),
            false => Ok(()),
        },
        _ => Err(Refusal::wrong_input(format!("{by}: an interaction is of two factors, as in --by a:b"))),
    }
}

/// The baseline arm and where it was set.
pub fn baseline_of(arguments: &CompareArguments, experiment: &Experiment) -> Result<(usize, BaselineFrom), Refusal> {
    match (&arguments.baseline, &experiment.baseline) {
        (Some(name), _) => Ok((arm_named(name, experiment)?, BaselineFrom::CommandLine)),
        (None, Some(name)) => Ok((arm_named(name, experiment)?, BaselineFrom::Config)),
        (None, None) => Ok((0, BaselineFrom::FirstArm)),
    }
}

fn arm_named(name: &str, experiment: &Experiment) -> Result<usize, Refusal> {
    let names = || experiment.arms.iter().map(|plan| plan.arm.as_str());
    names().position(|arm| arm == name).ok_or_else(|| refuse_unknown("arm", name, names()))
}

/// The null factor, if all arms but one are nulls.
fn alone_with_nulls(experiment: &Experiment) -> Option<String> {
    let is_one = experiment.arms.iter().filter(|plan| plan.null.is_none()).count() == 1;
    is_one.then(|| NULL_FACTOR.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PrimaryComparison;
    use crate::store::inputs::{Inputs, Overrides};
    use std::path::Path;

    /// The shipped two-by-two experiment with a baseline and a primary comparison.
    fn announced() -> Experiment {
        let inputs =
            Inputs::read_config(Path::new("configs/justice-memory-by-rule.yaml"), Overrides::default()).unwrap();
        let mut experiment = inputs.resolve().unwrap().experiment;
        experiment.baseline = Some("selective-majority".to_owned());
        let (metrics, contrast) = (vec!["carried".to_owned()], Some("memory".to_owned()));
        let unit = Unit::Session;
        experiment.primary =
            Some(PrimaryComparison { metrics, contrast, correction: Correction::None, unit, replicates: None });
        experiment
    }

    fn asked(experiment: &Experiment, words: &[&str]) -> Result<ComparisonRequest, Refusal> {
        use crate::cli::arguments::{Arguments, Verb};
        use clap::Parser;
        let words = ["ekklesia", "compare", "results/x"].iter().chain(words);
        let Verb::Compare(arguments) = Arguments::try_parse_from(words).unwrap().verb else { panic!("compare") };
        let announced = experiment.primary.as_ref().map(|primary| primary.metrics.clone()).unwrap_or_default();
        let metrics = if arguments.metric.is_empty() { announced } else { arguments.metric.clone() };
        ComparisonRequest::new(&arguments, experiment, metrics)
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
            (&["--metric", "carried", "--metric", "words"], "the primary metric is carried"),
            (&["--by", "memory:rule"], "the primary contrast is memory"),
            (&["--metric", "words", "--by", "rule"], "the primary metric is carried; the primary contrast is memory"),
        ] {
            let found = asked(&experiment, words).unwrap();
            assert_eq!(found.exploratory_because.join("; "), because, "{words:?}");
            assert_eq!(found.correction, Adjustment::None);
        }
    }

    #[test]
    fn a_family_is_announced_as_a_whole_and_an_interaction_in_either_order() {
        let mut experiment = announced();
        let primary = experiment.primary.as_mut().unwrap();
        (primary.metrics, primary.contrast) =
            (vec!["carried".to_owned(), "words".to_owned()], Some("memory:rule".to_owned()));
        for (words, because) in [
            (&[][..], ""),
            (&["--metric", "words", "--metric", "carried", "--by", "rule:memory"], ""),
            (&["--metric", "words"], "the primary metrics are carried, words"),
        ] {
            assert_eq!(asked(&experiment, words).unwrap().exploratory_because.join("; "), because, "{words:?}");
        }
        for (by, message) in [
            ("memory:rul", "no factor \"rul\"; did you mean \"rule\"?"),
            ("memory:memory", "memory has no interaction with itself"),
            ("memory:rule:memory", "an interaction is of two factors"),
        ] {
            let refusal = asked(&experiment, &["--by", by]).err().unwrap();
            assert!(refusal.message.contains(message), "{}", refusal.message);
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
