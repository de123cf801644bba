//! Contrasts: the arms on each side of a comparison.

use super::StudyArm;

/// One comparison: arms of a first side, each paired with its counterpart on the second side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The factor, or two factors joined by a colon; `None` if arms are compared.
    pub factor: Option<String>,
    /// The first side: a level or an arm.
    pub first: String,
    /// The second side (the baseline): a level or an arm.
    pub second: String,
    /// Pairs of arms as indices in the design. The arms of a pair share the levels of all other factors.
    pub pairs: Vec<(usize, usize)>,
    /// In an interaction, the arms subtracted from each side of each pair; otherwise empty.
    pub minus: Vec<(usize, usize)>,
}

impl Contrast {
    /// All arms of both sides.
    pub(super) fn arms(&self) -> impl Iterator<Item = usize> {
        self.pairs.iter().chain(&self.minus).flat_map(|(one, other)| [*one, *other])
    }

    /// Whether the contrast is a difference of differences.
    pub(super) fn is_interaction(&self) -> bool {
        !self.minus.is_empty()
    }
}

/// Compares every other arm with the baseline, in the design's order.
///
/// # Panics
/// If `baseline` is not an index of `arms`.
pub fn contrast_arms(arms: &[StudyArm], baseline: usize) -> Vec<Contrast> {
    let contrast = |(place, arm): (usize, &StudyArm)| Contrast {
        factor: None,
        first: arm.name.clone(),
        second: arms[baseline].name.clone(),
        pairs: vec![(place, baseline)],
        minus: Vec::new(),
    };
    arms.iter().enumerate().filter(|(place, _)| *place != baseline).map(contrast).collect()
}

/// Compares every other level of a factor with the baseline's level, over the combinations of the other factors' levels that
/// exist with both. A level without a combination has no contrast.
///
/// # Panics
/// If `baseline` is not an index of `arms`, or its arm lacks the factor.
pub fn contrast_factor(arms: &[StudyArm], baseline: usize, factor: &str) -> Vec<Contrast> {
    let level = |arm: &StudyArm| arm.levels.iter().find(|(name, _)| name == factor).map(|(_, label)| label.clone());
    let others = |arm: &StudyArm| arm.levels.iter().filter(|(name, _)| name != factor).cloned().collect::<Vec<_>>();
    let reference = level(&arms[baseline]).expect("invariant: an arm has a level of each factor");
    let mut contrasts: Vec<Contrast> = Vec::new();
    for (place, arm) in arms.iter().enumerate() {
        let Some(label) = level(arm).filter(|label| *label != reference) else { continue };
        let is_counterpart =
            |other: &StudyArm| level(other).as_ref() == Some(&reference) && others(other) == others(arm);
        let Some(counterpart) = arms.iter().position(is_counterpart) else { continue };
        match contrasts.iter_mut().find(|contrast| contrast.first == label) {
            Some(contrast) => contrast.pairs.push((place, counterpart)),
            None => contrasts.push(Contrast {
                factor: Some(factor.to_owned()),
                first: label,
                second: reference.clone(),
                pairs: vec![(place, counterpart)],
                minus: Vec::new(),
            }),
        }
    }
    contrasts
}

/// The interactions of two factors. A contrast is the difference between a level of the first factor and the baseline's level,
/// under another level of the second factor minus under the baseline's. It covers the combinations of the other factors' levels
/// that have all four arms. Levels without a combination have no contrast.
///
/// # Panics
/// If `baseline` is not an index of `arms`, or its arm lacks one of the factors.
pub fn contrast_interaction(arms: &[StudyArm], baseline: usize, [one, other]: [&str; 2]) -> Vec<Contrast> {
    let level = |arm: &StudyArm, factor: &str| {
        arm.levels.iter().find(|(name, _)| name == factor).map(|(_, label)| label.clone())
    };
    let reference = [one, other]
        .map(|factor| level(&arms[baseline], factor).expect("invariant: an arm has a level of each factor"));
    let rest = |arm: &StudyArm| {
        arm.levels.iter().filter(|(name, _)| name != one && name != other).cloned().collect::<Vec<_>>()
    };
    let mut contrasts: Vec<Contrast> = Vec::new();
    for (place, arm) in arms.iter().enumerate() {
        let [Some(here), Some(there)] = [one, other].map(|factor| level(arm, factor)) else { continue };
        if here == reference[0] || there == reference[1] {
            continue;
        }
        let find = |of_one: &String, of_other: &String| {
            arms.iter().position(|candidate| {
                level(candidate, one).as_ref() == Some(of_one)
                    && level(candidate, other).as_ref() == Some(of_other)
                    && rest(candidate) == rest(arm)
            })
        };
        let [from_one, from_other] = &reference;
        let (Some(under_other), Some(of_one), Some(of_both)) =
            (find(&here, from_other), find(from_one, &there), find(from_one, from_other))
        else {
            continue;
        };
        let side = |label: &str| format!("({here} − {from_one}) under {label}");
        let (first, second) = (side(&there), side(from_other));
        let contrast = match contrasts.iter_mut().find(|contrast| contrast.first == first && contrast.second == second)
        {
            Some(contrast) => contrast,
            None => {
                contrasts.push(Contrast {
                    factor: Some(format!("{one}:{other}")),
                    first,
                    second,
                    pairs: Vec::new(),
                    minus: Vec::new(),
                });
                contrasts.last_mut().expect("invariant: a contrast was pushed")
            }
        };
        contrast.pairs.push((place, under_other));
        contrast.minus.push((of_one, of_both));
    }
    contrasts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(levels: [&str; 2]) -> StudyArm {
        let [memory, rule] = levels.map(str::to_owned);
        StudyArm {
            name: levels.join("-"),
            levels: vec![("memory".to_owned(), memory), ("rule".to_owned(), rule)],
            limits: None,
        }
    }

    #[test]
    fn a_factor_is_compared_over_the_combinations_that_have_both_levels() {
        let arms = [["full", "all"], ["full", "most"], ["none", "all"], ["none", "most"], ["some", "most"]].map(arm);
        let contrasts = contrast_factor(&arms, 1, "memory");
        let found: Vec<_> = contrasts.iter().map(|c| (c.first.as_str(), c.second.as_str(), c.pairs.clone())).collect();
        assert_eq!(found, [("none", "full", vec![(2, 0), (3, 1)]), ("some", "full", vec![(4, 1)])]);
        assert_eq!(contrast_factor(&arms[3..], 1, "rule"), []);
    }

    #[test]
    fn an_interaction_takes_the_four_arms_of_each_combination() {
        let arms = [["full", "all"], ["full", "most"], ["none", "all"], ["none", "most"], ["some", "most"]].map(arm);
        let contrasts = contrast_interaction(&arms, 1, ["memory", "rule"]);
        assert_eq!(contrasts.len(), 1, "some has no counterpart under all: {contrasts:?}");
        assert_eq!((&contrasts[0].pairs[..], &contrasts[0].minus[..]), (&[(2, 3)][..], &[(0, 1)][..]));
        assert_eq!(contrasts[0].factor.as_deref(), Some("memory:rule"));
        assert_eq!(contrasts[0].first, "(none − full) under all");
        assert_eq!(contrasts[0].second, "(none − full) under most");
        let mirrored = contrast_interaction(&arms, 1, ["rule", "memory"]);
        assert_eq!((&mirrored[0].pairs[..], &mirrored[0].minus[..]), (&[(2, 0)][..], &[(3, 1)][..]));
    }

    #[test]
    fn every_other_arm_stands_against_the_baseline() {
        let arms = [["full", "all"], ["full", "most"], ["none", "all"]].map(arm);
        let found: Vec<_> = contrast_arms(&arms, 1).into_iter().map(|c| (c.first, c.second, c.pairs)).collect();
        let name = str::to_owned;
        let expected = [(name("full-all"), vec![(0, 1)]), (name("none-all"), vec![(2, 1)])];
        assert_eq!(found, expected.map(|(first, pairs)| (first, name("full-most"), pairs)));
    }
}
