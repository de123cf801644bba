//! One contrast in a short sentence: direction, size, interval and n.

use super::{Comparison, Metric, p_is};
use crate::analysis::statistics::{Estimate, MetricScale, Warning};
use crate::figure::ValueUnit;
use crate::report::numbers::counted;

impl Metric {
    /// The units of differences and of means.
    pub fn units(&self) -> (ValueUnit, ValueUnit) {
        match self.scale {
            MetricScale::Flag | MetricScale::Share => (ValueUnit::Points, ValueUnit::Percent),
            MetricScale::Number => (ValueUnit::Difference, ValueUnit::Number),
        }
    }
}

impl Comparison {
    /// The metric of a contrast.
    pub fn metric_of(&self, contrast: &Estimate) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.name == contrast.metric)
    }

    /// Both sides of a contrast in words; `label` gives the words of an arm.
    pub fn sides_in_words(&self, contrast: &Estimate, label: &dyn Fn(&str) -> String) -> (String, String) {
        let words = |side: &str| match &contrast.factor {
            Some(factor) if contrast.minus.is_empty() => {
                format!("{}: {}", factor.replace('_', " "), side.replace('_', " "))
            }
            Some(_) => side.replace('_', " "),
            None => label(side),
        };
        (words(&contrast.first), words(&contrast.second))
    }

    /// The reasons for caution with a contrast.
    pub fn cautions(&self, contrast: &Estimate) -> Vec<String> {
        contrast.warnings.iter().map(|warning| self.beware(contrast, *warning)).collect()
    }

    /// A sentence after the short one if test and interval disagree; otherwise empty.
    pub fn describe_doubts(&self, contrast: &Estimate) -> String {
        let disagreement = contrast.warnings.iter().filter(|warning| **warning == Warning::Disagree);
        disagreement.map(|warning| format!(" Caution: {}.", self.beware(contrast, *warning))).collect()
    }

    /// A contrast in a short sentence; `None` without a result.
    pub fn describe_contrast(&self, contrast: &Estimate, label: &dyn Fn(&str) -> String) -> Option<String> {
        let metric = self.metric_of(contrast)?;
        let main = &contrast.main;
        let (difference, first, second) = (main.difference?, contrast.first_mean?, contrast.second_mean?);
        let (difference_unit, unit) = metric.units();
        let (one, other) = self.sides_in_words(contrast, label);
        let name = capitalise(&metric.label);
        let points = if difference_unit == ValueUnit::Points { " percentage points" } else { "" };
        let size = difference_unit.write(difference.abs()).trim_start_matches('+').to_owned();
        let is_shown_as_zero = !size.contains(|c: char| ('1'..='9').contains(&c));
        let found = match difference {
            0.0 => format!("{name}: equal under {one} and under {other}"),
            _ if is_shown_as_zero => format!("{name}: equal to the digits shown under {one} and under {other}"),
            d if d < 0.0 => format!("{name}: {size}{points} lower under {one} than under {other}"),
            _ => format!("{name}: {size}{points} higher under {one} than under {other}"),
        };
        let means = format!("{} against {}", unit.write(first), unit.write(second));
        let interval = main.interval.map_or_else(
            || "no 95 % interval, because blocks are too few or too equal".to_owned(),
            |interval| {
                let [low, high] = [interval.low, interval.high].map(|bound| difference_unit.write(bound));
                let includes_none = interval.low <= 0.0 && interval.high >= 0.0;
                format!(
                    "{}95 % interval {low} to {high}{}",
                    self.unadjusted(contrast),
                    if includes_none { ", which includes no difference" } else { "" }
                )
            },
        );
        let n = match contrast.median_difference {
            Some(_) => counted(main.blocks, "paired block"),
            None => counted(main.sessions, "session"),
        };
        let p = match (contrast.p_adjusted, main.test) {
            (Some(adjusted), _) if self.tests > 1 => format!("; Holm-adjusted {}", p_is(adjusted)),
            (_, Some(test)) => format!("; {}", p_is(test.p)),
            (_, None) => String::new(),
        };
        let averaged = match contrast.pairs.len() {
            0 | 1 => String::new(),
            pairs => format!("; averaged over {pairs} pairs of arms"),
        };
        let left_out = self.describe_left_out(contrast).map_or(String::new(), |words| format!("; {words}"));
        Some(format!("{found} ({means}; {interval}{p}; {n}{averaged}{left_out})."))
    }
}

/// The text with a capital first letter.
pub fn capitalise(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
