//! What nulls reach of the convergence of their arms, laid out.

use std::fmt::Write as _;

use serde::Serialize;

use super::lines::{cut, wrapped};
use super::{Comparison, WROTE, rounded};
use crate::report::render::{counted, grouped};
use crate::statistics::{Explained, Interval, Undefined};

/// The columns of names.
const NAME: usize = 28;

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
    pub nulls: Vec<Explained>,
}

impl Comparison {
    /// Tells what nulls reach; nothing where there are none.
    pub(super) fn nulls(&self, out: &mut String) {
        let Some(nulls) = &self.nulls else { return };
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
            writeln!(out, "{head}").expect(WROTE);
            let mut last = None;
            for null in &measure.nulls {
                // The arm again where its mean is over other blocks, those that it has in common with the next null.
                let arm = (&null.arm, null.of_arm, null.blocks);
                if last != Some(arm) {
                    put(out, &cut(&null.arm, NAME - 1), (null.of_arm, null.of_arm_interval), "");
                    last = Some(arm);
                }
                let name = null.null.rsplit("-null_").next().unwrap_or(&null.null);
                let share = share(null);
                put(out, &cut(&format!("  {name}"), NAME - 1), (null.of_null, null.of_null_interval), &share);
            }
            beware(out, &measure.nulls);
        }
        out.push('\n');
        wrapped(
            out,
            " share: ",
            "the null's change as a part of its arm's, both as means over the blocks that both have; for its interval these are drawn again \
             together. It is a ratio, not a part of a cause: nulls overlap, and their shares do not sum to 100 %",
        );
    }
}

/// A line of a mean with its interval, and what is told behind it.
fn put(out: &mut String, name: &str, (mean, interval): (Option<f64>, Option<Interval>), more: &str) {
    let mean = mean.map_or("–".to_owned(), signed);
    let interval =
        interval.map_or(String::new(), |Interval { low, high }| format!("{} – {}", signed(low), signed(high)));
    let line = format!(" {name:<NAME$}{mean:>7} {interval:<17} {more}");
    writeln!(out, "{}", line.trim_end()).expect(WROTE);
}

fn signed(value: f64) -> String {
    format!("{:+.3}", rounded(value, 3))
}

/// The share in per cent with its interval; empty where it is undefined.
fn share(null: &Explained) -> String {
    let percent = |share: f64| format!("{:.0}", rounded(100.0 * share, 0));
    let Some(share) = null.share else { return String::new() };
    let interval = null.share_interval.map(|Interval { low, high }| format!("{} – {} %", percent(low), percent(high)));
    format!("{:>4} %  {}", percent(share), interval.unwrap_or_else(|| "no interval".to_owned()))
}

/// What to beware of, once for each arm.
fn beware(out: &mut String, nulls: &[Explained]) {
    let mut arms: Vec<&str> = nulls.iter().map(|null| null.arm.as_str()).collect();
    arms.dedup();
    for arm in arms {
        let of_arm = || nulls.iter().filter(|null| null.arm == arm);
        if of_arm().any(|null| null.undefined == Some(Undefined::ArmNearZero)) {
            let words = format!("the convergence of {arm} cannot be told from none, so nothing is a share of it");
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
