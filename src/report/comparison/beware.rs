//! What to beware of in a contrast, in words. When a warning holds is not decided here.

use super::Comparison;
use crate::analysis::statistics::{Estimate, LEVEL, SKEWED_BLOCKS, Warning};
use crate::report::numbers::counted;
use crate::report::plain::on_line;

impl Comparison {
    /// A warning in words.
    pub(super) fn beware(&self, contrast: &Estimate, warning: Warning) -> String {
        let blocks = contrast.main.blocks;
        let (first, second) = (on_line(&contrast.first), on_line(&contrast.second));
        let is_paired = contrast.median_difference.is_some();
        let constant = |side: &str| match (is_paired, contrast.pairs.len()) {
            (true, _) | (false, 1) => format!("{side} is the same in every session analysed"),
            (false, _) => format!("an arm of {side} is the same in every session analysed"),
        };
        match warning {
            Warning::NoBlock if is_paired => "no block has a number on both sides".to_owned(),
            Warning::NoBlock => "an arm has no session with a number".to_owned(),
            Warning::FewBlocks if is_paired => format!("only {}", counted(blocks, "block")),
            Warning::FewBlocks => format!("only {} in the smallest arm", counted(blocks, self.unit.as_str())),
            Warning::Skewed => {
                let skewness =
                    contrast.skewness.map_or(String::new(), |skewness| format!(" (skewness {skewness:+.1})"));
                let what = if is_paired { "blocks" } else { "sessions in an arm" };
                format!(
                    "the differences are skewed{skewness}: with fewer than {SKEWED_BLOCKS} {what} the interval covers less than 95 %"
                )
            }
            Warning::NoSmallP if is_paired => "too few blocks differ: no p below .05 is possible".to_owned(),
            Warning::NoSmallP => format!("too few {}s: no p below .05 is possible", self.unit.as_str()),
            Warning::Disagree => disagreement(contrast),
            Warning::EqualInEveryBlock => "both sides have the same number in every block".to_owned(),
            Warning::OppositePairs => self.opposite(contrast),
            Warning::FirstConstant => constant(&first),
            Warning::SecondConstant => constant(&second),
        }
    }

    /// The two pairs of arms that differ most, in opposite directions.
    fn opposite(&self, contrast: &Estimate) -> String {
        let (most, least) = contrast.opposite.expect("invariant: opposite pairs are known");
        let told = |place: usize| {
            let (first, second) = &contrast.pairs[place];
            let difference = contrast.pair_differences[place].expect("invariant: opposite pairs differ");
            format!("{} in {} against {}", self.signed(difference), on_line(first), on_line(second))
        };
        format!(
            "the arms that are averaged differ in opposite directions, {} and {}: the mean tells of neither; compare arms, with --by arm",
            told(most),
            told(least)
        )
    }
}

/// An interval of flags and a test that are not of one opinion.
fn disagreement(contrast: &Estimate) -> String {
    let p = contrast.main.test.map_or(1.0, |test| test.p);
    match p < LEVEL {
        true => "p is below .05 although Newcombe's interval holds 0; the conclusion follows p".to_owned(),
        false => "p is not below .05 although Newcombe's interval does not hold 0; the conclusion follows p".to_owned(),
    }
}
