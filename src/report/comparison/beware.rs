//! What to beware of in a contrast, in words. When a warning holds is not decided here.

use super::{Comparison, on_line};
use crate::report::render::counted;
use crate::statistics::{Estimate, NARROW_BLOCKS, Warning};

impl Comparison {
    /// A warning in words.
    pub(super) fn beware(&self, contrast: &Estimate, warning: Warning) -> String {
        let blocks = contrast.main.blocks;
        let (first, second) = (on_line(&contrast.first), on_line(&contrast.second));
        let is_paired = contrast.median_difference.is_some();
        let constant = |side: &str| match (is_paired, contrast.pairs.len()) {
            (true, _) => format!("{side} is the same in every session analysed"),
            (false, 1) => {
                format!(
                    "{side} is the same in every session analysed, so the interval holds the other arm's chance alone"
                )
            }
            (false, _) => format!(
                "an arm of {side} is the same in every session analysed, so the interval holds the others' chance alone"
            ),
        };
        match warning {
            Warning::NoBlock if is_paired => "no block has a number on both sides".to_owned(),
            Warning::NoBlock => "an arm has no session with a number".to_owned(),
            Warning::FewBlocks if is_paired => format!("only {}", counted(blocks, "block")),
            Warning::FewBlocks => format!("only {} in the smallest arm", counted(blocks, self.unit.as_str())),
            Warning::NarrowBootstrap if is_paired => {
                format!("with fewer than {NARROW_BLOCKS} blocks the bootstrap is too narrow")
            }
            Warning::NarrowBootstrap => {
                format!("with fewer than {NARROW_BLOCKS} {}s in an arm the bootstrap is too narrow", self.unit.as_str())
            }
            Warning::NoSmallP if is_paired => {
                "too few blocks differ: no arrangement of their signs gives a p below 0.05".to_owned()
            }
            Warning::NoSmallP => {
                format!("too few {}s: however they are dealt out to the arms, no p is below 0.05", self.unit.as_str())
            }
            Warning::EqualInEveryBlock => "both sides have the same number in every block".to_owned(),
            Warning::NoWidth => {
                "the interval has no width because nothing varies here; that is no sign of certainty".to_owned()
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_name_the_number_of_blocks_under_which_an_interval_is_too_narrow() {
        let page = |path: &str| std::fs::read_to_string(path).expect("a page of the documentation");
        assert!(
            page("docs/src/reference/summary.md").contains(&format!("(under {NARROW_BLOCKS} or so) it is too narrow"))
        );
        assert!(
            page("docs/src/explanation/pairing.md").contains(&format!("under {NARROW_BLOCKS} or so; `compare` warns"))
        );
    }
}
