//! Van der Eijk's agreement A: the distance of a distribution over ordered categories from polarisation.
//!
//! The categories must be ordered and equidistant.

/// Van der Eijk's A: −1 (half at each end), 0 (uniform) to 1 (all in one category).
///
/// Peels the counts into layers. Each layer takes the smallest remaining count from every category that has one left. A layer
/// over S of K categories has A = U (1 − (S − 1)/(K − 1)), U = ((K − 2) TU − (K − 1) TDU) / ((K − 2)(TU + TDU)). TU counts
/// triples of categories of the pattern 110 or 011, TDU those of the pattern 101. U is 1 without such triples. A is the mean over
/// layers, weighted by the counts that they take.
///
/// `None` for fewer than three categories and if all counts are 0. Source: van der Eijk 2001, "Measuring agreement in ordered
/// rating scales", Quality and Quantity 35.
pub fn vdeijk_a(counts: &[u32]) -> Option<f64> {
    let n: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    if counts.len() < 3 || n == 0 {
        return None;
    }
    let (mut left, mut sum) = (counts.to_vec(), 0.0);
    while let Some(least) = left.iter().copied().filter(|count| *count > 0).min() {
        let layer: Vec<bool> = left.iter().map(|count| *count > 0).collect();
        let held = layer.iter().filter(|is_held| **is_held).count() as f64;
        sum += f64::from(least) * held * layer_agreement(&layer);
        left.iter_mut().for_each(|count| *count = count.saturating_sub(least));
    }
    Some(sum / n as f64)
}

/// A of one layer, given as the categories that it covers.
fn layer_agreement(layer: &[bool]) -> f64 {
    let (all, held) = (layer.len() as f64, layer.iter().filter(|is_held| **is_held).count() as f64);
    let spread = 1.0 - (held - 1.0) / (all - 1.0);
    let (unimodal, bimodal) = count_triples(layer);
    let both = unimodal + bimodal;
    let shape = if both == 0.0 { 1.0 } else { ((all - 2.0) * unimodal - (all - 1.0) * bimodal) / ((all - 2.0) * both) };
    shape * spread
}

/// The numbers of ordered triples of the pattern 110 or 011, and of the pattern 101. An uncovered category forms one of them with
/// every pair of covered categories.
fn count_triples(layer: &[bool]) -> (f64, f64) {
    let all = layer.iter().filter(|is_held| **is_held).count() as f64;
    let (mut before, mut unimodal, mut bimodal) = (0.0, 0.0, 0.0);
    for is_held in layer {
        if *is_held {
            before += 1.0;
            continue;
        }
        let behind = all - before;
        unimodal += before * (before - 1.0) / 2.0 + behind * (behind - 1.0) / 2.0;
        bimodal += before * behind;
    }
    (unimodal, bimodal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_published_distribution_one_bin_uniform_and_two_extremes() {
        let published = vdeijk_a(&[30, 40, 210, 130, 530, 50, 10]).unwrap();
        assert!((published - 0.6113).abs() < 5e-5, "{published}");
        assert_eq!(vdeijk_a(&[0, 0, 9, 0]), Some(1.0));
        assert_eq!(vdeijk_a(&[3, 3, 3, 3]), Some(0.0));
        assert_eq!(vdeijk_a(&[5, 0, 0, 0, 0, 0, 5]), Some(-1.0));
        assert_eq!((vdeijk_a(&[5, 5]), vdeijk_a(&[0, 0, 0])), (None, None));
    }

    proptest! {
        #[test]
        fn it_lies_between_the_ends_is_the_same_mirrored_and_knows_no_scale(counts in prop::collection::vec(0u32..30, 3..9)) {
            if let Some(value) = vdeijk_a(&counts) {
                prop_assert!((-1.0 - 1e-12..=1.0 + 1e-12).contains(&value), "{value}");
                let mirrored: Vec<u32> = counts.iter().rev().copied().collect();
                prop_assert!((vdeijk_a(&mirrored).unwrap() - value).abs() < 1e-12);
                let tripled: Vec<u32> = counts.iter().map(|count| 3 * count).collect();
                prop_assert!((vdeijk_a(&tripled).unwrap() - value).abs() < 1e-12);
            }
        }
    }
}
