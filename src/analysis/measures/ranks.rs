//! The distance between two rankings, given as ranks in one order of alternatives.

/// Spearman's footrule: Σ |aᵢ − bᵢ| over the alternatives' ranks, from 0 (equal) to ⌊K²/2⌋.
///
/// Source: Diaconis and Graham 1977, "Spearman's footrule as a measure of disarray".
pub fn footrule(first: &[u32], last: &[u32]) -> u64 {
    first.iter().zip(last).map(|(a, b)| u64::from(a.abs_diff(*b))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reversed_ranking_of_four_is_eight_ranks_away() {
        assert_eq!(footrule(&[1, 2, 3, 4], &[4, 3, 2, 1]), 8);
        assert_eq!(footrule(&[1, 2, 3, 4], &[2, 1, 3, 4]), 2);
        assert_eq!(footrule(&[2, 1], &[2, 1]), 0);
    }
}
