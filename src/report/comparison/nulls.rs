//! What nulls reach of the convergence of their arms, laid out.

use crate::text::put_line;
use serde::Serialize;

use super::lines::{cut, wrapped};
use super::{Comparison, rounded, write_difference};
use crate::analysis::statistics::{Interval, NullComparison, Undefined};
use crate::report::numbers::{counted, grouped};

/// The columns of names.
const NAME: usize = 28;
/// The digits of a change after the point.
const DIGITS: usize = 3;

/// A measure of convergence, with what each null reaches of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NullMeasure {
    /// `agreement` or `variance`.
    pub name: &'static str,
    /// The column of `rounds.csv` of which the change is measured.
    pub column: &'static str,
    /// What it means.
    pub definition: &'static str,
    /// The nulls, in the design's order.
    pub nulls: Vec<NullComparison>,
}

impl Comparison {
    /// Tells what nulls reach; nothing where there are none.
    pub(super) fn nulls(&self, out: &mut String) {
        if let Some(nulls) = &self.nulls {
            measures(out, nulls);
        }
    }
}

/// Tells of each measure.
fn measures(out: &mut String, nulls: &[NullMeasure]) {
    wrapped(out, "\n nulls: ", "how much of the convergence of each arm comes without what they lack");
    if nulls.is_empty() {
        let words =
            "no session has both private polls, so there is no convergence; straw_polls: [before, after] asks them";
        return wrapped(out, "   ", words);
    }
    for measure in nulls {
        out.push('\n');
        wrapped(
            out,
            &format!(" {}: ", measure.name),
            &format!("{} ({} of rounds.csv)", measure.definition, measure.column),
        );
        let head = format!(" {:<NAME$}{:>7} {:<17} {:>6}  95 %", "", "change", "95 %", "share");
        put_line!(out, "{head}");
        let mut last = None;
        for null in &measure.nulls {
            // The arm again where its mean is over other blocks, those that it has in common with the next null.
            let arm = (&null.arm, null.of_arm, null.blocks);
            if last != Some(arm) {
                put(out, &cut(&null.arm, NAME - 1), (null.of_arm, null.of_arm_interval), "");
                last = Some(arm);
            }
            let name = null_name(null);
            let share = share(null);
            put(out, &cut(&format!("  {name}"), NAME - 1), (null.of_null, null.of_null_interval), &share);
        }
        beware(out, &measure.nulls);
    }
    out.push('\n');
    wrapped(
        out,
        " share: ",
        "the null's change as a part of its arm's, both as means over the blocks that both have; its interval holds the shares that \
         a test by flipped signs does not reject, block by block. It is a ratio, not a part of a cause: nulls overlap, and their shares do not sum to 100 %",
    );
}

/// What a null is called beside its arm.
fn null_name(null: &NullComparison) -> &str {
    null.null.rsplit("-null_").next().unwrap_or(&null.null)
}

/// A line of a mean with its interval, and what is told behind it.
fn put(out: &mut String, name: &str, (mean, interval): (Option<f64>, Option<Interval>), more: &str) {
    let mean = mean.map_or("–".to_owned(), signed);
    let interval =
        interval.map_or(String::new(), |Interval { low, high }| format!("{} – {}", signed(low), signed(high)));
    let line = format!(" {name:<NAME$}{mean:>7} {interval:<17} {more}");
    put_line!(out, "{}", line.trim_end());
}

fn signed(value: f64) -> String {
    write_difference(value, DIGITS)
}

/// The share in per cent with its interval; empty where it is undefined.
fn share(null: &NullComparison) -> String {
    let percent = |share: f64| format!("{:.0}", rounded(100.0 * share, 0));
    let Some(share) = null.share else { return String::new() };
    let interval = null.share_interval.map(|Interval { low, high }| format!("{} – {} %", percent(low), percent(high)));
    format!("{:>4} %  {}", percent(share), interval.unwrap_or_else(|| "no interval".to_owned()))
}

/// What to beware of, once for each arm.
fn beware(out: &mut String, nulls: &[NullComparison]) {
    let mut arms: Vec<&str> = nulls.iter().map(|null| null.arm.as_str()).collect();
    arms.dedup();
    for arm in arms {
        let of_arm = || nulls.iter().filter(|null| null.arm == arm);
        if of_arm().any(|null| null.undefined == Some(Undefined::ArmNearZero)) {
            let words = format!("the convergence of {arm} cannot be told from none, so nothing is a share of it");
            wrapped(out, "   beware       ", &words);
        }
        if let Some(null) = of_arm().find(|null| null.undefined == Some(Undefined::ArmBelowZero)) {
            let by = null.of_arm.map_or(String::new(), |change| format!(" ({})", signed(change)));
            let words = format!("{arm} grew apart{by}: there is no convergence of which a null could be a share");
            wrapped(out, "   beware       ", &words);
        }
        let apart: Vec<&str> =
            of_arm().filter(|null| null.undefined == Some(Undefined::OtherScale)).map(null_name).collect();
        if !apart.is_empty() {
            let words = format!(
                "opinions of {arm} and of {} are not of one kind: some are numbers that were told, others choices counted as 1 or 0. \
                 Their variances are on other scales, so none is a share of the other",
                apart.join(", ")
            );
            wrapped(out, "   beware       ", &words);
        }
        let lost =
            of_arm().filter(|null| null.blocks < null.blocks_planned).map(|null| (null.blocks, null.blocks_planned));
        if let Some((least, planned)) = lost.min() {
            let words = format!(
                "with some null only {} of {} of {arm} have both polls",
                grouped(least),
                counted(planned, "block")
            );
            wrapped(out, "   beware       ", &words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A null of an arm: the means of both over so many of twenty blocks, and the share.
    fn null(
        (arm, name): (&str, &str),
        (of_arm, of_null): (f64, f64),
        blocks: u64,
        share: Option<f64>,
    ) -> NullComparison {
        let around = |mean: f64| Some(Interval { low: mean - 0.05, high: mean + 0.05 });
        NullComparison {
            arm: arm.to_owned(),
            null: format!("{arm}-null_{name}"),
            blocks,
            blocks_planned: 20,
            of_arm: Some(of_arm),
            of_arm_interval: around(of_arm),
            of_null: Some(of_null),
            of_null_interval: around(of_null),
            left: Some(of_arm - of_null),
            left_interval: None,
            share,
            share_interval: share.map(|share| Interval { low: share - 0.1, high: share + 0.1 }),
            undefined: match (share, of_arm < -0.05) {
                (Some(_), _) => None,
                (None, true) => Some(Undefined::ArmBelowZero),
                (None, false) => Some(Undefined::ArmNearZero),
            },
        }
    }

    #[test]
    fn each_null_has_its_line_beneath_its_arm_and_an_arm_its_own_for_each_set_of_blocks() {
        let nulls = vec![
            null(("talk", "no_talk"), (0.4, 0.0), 20, Some(0.0)),
            null(("talk", "polya"), (0.4, 0.3), 20, Some(0.75)),
            null(("talk", "shuffled_speech"), (0.35, -0.07), 18, Some(-0.2)),
            null(("still", "random"), (0.01, 0.2), 20, None),
            null(("split", "no_talk"), (-0.167, 0.0), 20, None),
        ];
        let measure =
            NullMeasure { name: "agreement", column: "straw_pair_agreement", definition: "pairs alike", nulls };
        let mut out = String::new();
        measures(&mut out, &[measure]);
        let lines: Vec<&str> = out.lines().filter(|line| !line.is_empty()).collect();
        let expected = [
            " nulls: how much of the convergence of each arm comes without what they lack",
            " agreement: pairs alike (straw_pair_agreement of rounds.csv)",
            "                              change 95 %               share  95 %",
            " talk                         +0.400 +0.350 – +0.450",
            "   no_talk                    +0.000 -0.050 – +0.050      0 %  -10 – 10 %",
            "   polya                      +0.300 +0.250 – +0.350     75 %  65 – 85 %",
            " talk                         +0.350 +0.300 – +0.400",
            "   shuffled_speech            -0.070 -0.120 – -0.020    -20 %  -30 – -10 %",
            " still                        +0.010 -0.040 – +0.060",
            "   random                     +0.200 +0.150 – +0.250",
            " split                        -0.167 -0.217 – -0.117",
            "   no_talk                    +0.000 -0.050 – +0.050",
            "   beware       with some null only 18 of 20 blocks of talk have both polls",
            "   beware       the convergence of still cannot be told from none, so nothing is",
            "                a share of it",
            "   beware       split grew apart (-0.167): there is no convergence of which a",
        ];
        assert_eq!(lines[..expected.len()], expected, "{out}");
        let apart = null(("talk", "random"), (0.4, 0.1), 20, None).on_other_scales();
        let mut out = String::new();
        beware(&mut out, &[apart]);
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.starts_with("beware opinions of talk and of random are not of one kind"), "{out}");
        let mut out = String::new();
        measures(&mut out, &[]);
        assert!(out.contains("no session has both private polls"), "{out}");
    }
}
