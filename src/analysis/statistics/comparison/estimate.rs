//! Estimates one contrast under the main rule and under each other rule.

use super::sides::{ApartSides, BlockTable, PairedSides};
use super::{CompletionCounts, Contrast, MetricScale, MissingRule, Study, Unit};
use crate::analysis::statistics::{
    Interval, InvertedTest, LEVEL, NullRange, PairTable, PermutationMethod, PermutationTest, Resampling, Stratum,
    StreamKey, central_moments, cohen_d, cohen_dz, fisher_p, is_constant, label_permutation, mcnemar_p, mean, median,
    newcombe_independent, newcombe_paired, pearson_correlation, sign_flip, to_ten_decimals,
};
use crate::chance::Pairing;

/// Fewer blocks than this give almost no information.
const FEW: usize = 10;
/// With fewer differing pairs, p cannot be below .05: 2 of 2⁵ patterns are a sixteenth.
const INFORMATIVE: u64 = 6;
/// With fewer blocks than this, an interval of skewed differences has too low a coverage.
pub const SKEWED_BLOCKS: usize = 40;
/// Absolute skewness above which differences count as skewed.
const SKEWED: f64 = 1.0;

/// An estimated contrast: first side minus second side.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The metric's name.
    pub metric: String,
    /// The factor, or two factors joined by a colon; `None` if arms are compared.
    pub factor: Option<String>,
    /// The first side: a level or an arm; in an interaction, the difference under another level of the second factor.
    pub first: String,
    /// The second side (the baseline).
    pub second: String,
    /// The compared arms, pair by pair. Several pairs are averaged.
    pub pairs: Vec<(String, String)>,
    /// In an interaction, the arms subtracted from each side of each pair; otherwise empty.
    pub minus: Vec<(String, String)>,
    /// Counts of the arms' sessions.
    pub sessions: CompletionCounts,
    /// The least and greatest replacement for a missing number; `None` if the compared arms have no number.
    pub range: Option<(f64, f64)>,
    /// Blocks of the design.
    pub blocks_planned: u64,
    /// The result under the main rule.
    pub main: EstimatedDifference,
    /// The main p adjusted for all contrasts; `None` without an adjustment or a test.
    pub p_adjusted: Option<f64>,
    /// The mean of the first side under the main rule.
    pub first_mean: Option<f64>,
    /// The mean of the second side under the main rule.
    pub second_mean: Option<f64>,
    /// Adjusted skewness of the blocks' differences; in independent designs, of a difference between single sessions. `None` for
    /// flags, for fewer than three values and if nothing varies.
    pub skewness: Option<f64>,
    /// Median of the blocks' differences; `None` in independent designs.
    pub median_difference: Option<f64>,
    /// Pearson's correlation of both sides over blocks, which shows the gain from shared draws; `None` if undefined.
    pub correlation: Option<f64>,
    /// Cohen's d_z in paired designs, d in independent designs; `None` if nothing varies.
    pub effect_size: Option<f64>,
    /// Results for flags only; `None` for numbers, and if several arms or sessions are averaged.
    pub flags: Option<Flags>,
    /// First minus second of each of `pairs` under the main rule, over this pair's own blocks; `None` without a number.
    pub pair_differences: Vec<Option<f64>>,
    /// For [`Warning::OppositePairs`], the indices in `pairs` of the greatest and the least difference.
    pub opposite: Option<(usize, usize)>,
    /// Reasons for caution.
    pub warnings: Vec<Warning>,
    /// The result under each other rule.
    pub other_rules: Vec<EstimatedDifference>,
}

/// A difference under one rule for missing numbers.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct EstimatedDifference {
    /// The rule for missing numbers.
    pub rule: MissingRule,
    /// Blocks with both sides in paired analyses; size of the smallest group in independent ones.
    pub blocks: u64,
    /// Sessions analysed.
    pub sessions: u64,
    /// Mean of the first side minus mean of the second; `None` if a side has no number.
    pub difference: Option<f64>,
    /// The 95 % interval: Newcombe's for flags, otherwise the inverted permutation test. `None` if `no_interval` gives a reason.
    pub interval: Option<Interval>,
    /// The reason for a missing interval.
    pub no_interval: Option<NoInterval>,
    /// Blocks whose sides differ; `None` in independent analyses.
    pub differing: Option<u64>,
    /// The test: exact for flags, otherwise by permutation; `None` if a side has no number.
    pub test: Option<PermutationTest>,
}

/// The reason why a difference has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoInterval {
    /// A side has no number.
    NoNumber,
    /// Too few pairs differ, or a side has too few sessions, for a p below .05.
    TooFew,
    /// All differences are equal, or all numbers of each side.
    Equal,
}

/// Results that only flags allow.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Flags {
    /// Counts of blocks by both sides' flags; `None` in independent designs.
    pub pairs: Option<PairTable>,
    /// The exact p: McNemar's for paired flags, Fisher's for independent flags.
    pub exact_p: f64,
    /// Newcombe's 95 % interval of the difference of shares; `None` if a side has no number.
    pub newcombe: Option<Interval>,
    /// Number of different tables in the exact test.
    #[serde(skip)]
    pub arrangements: u64,
}

/// A reason for caution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// No block has both sides.
    NoBlock,
    /// Fewer than ten blocks; in independent designs, fewer than ten sessions on a side.
    FewBlocks,
    /// Skewed differences with fewer than [`SKEWED_BLOCKS`] blocks: the interval's coverage is too low.
    Skewed,
    /// Too few flags differ for a p below .05.
    NoSmallP,
    /// The interval of flags excludes 0 although p is not below .05, or contains 0 although p is.
    Disagree,
    /// Both sides are equal in every block.
    EqualInEveryBlock,
    /// Averaged pairs of arms differ in opposite directions, each by more than two standard errors. The mean describes neither.
    OppositePairs,
    /// All numbers of the first side are equal; in independent designs, all numbers of one of its arms.
    FirstConstant,
    /// All numbers of the second side are equal; in independent designs, all numbers of one of its arms.
    SecondConstant,
}

/// Values whose mean enters the difference with a weight.
struct WeightedGroup {
    weight: f64,
    values: Vec<f64>,
}

/// The numbers of both sides.
#[derive(Debug, Clone, PartialEq)]
enum Sides {
    Paired(PairedSides),
    Apart(ApartSides),
}

/// Estimates a contrast.
///
/// # Panics
/// If it is an interaction of independent arms, which have no blocks.
pub fn estimate_contrast(
    study: &Study,
    table: &BlockTable<'_>,
    contrast: &Contrast,
    draw: &dyn Fn(&Resampling) -> Vec<NullRange>,
) -> Estimate {
    let main_rule = match study.pairing {
        Pairing::CommonRandomNumbers => MissingRule::CompletePairs,
        Pairing::Independent => MissingRule::AllAvailable,
    };
    assert!(
        !contrast.is_interaction() || study.pairing == Pairing::CommonRandomNumbers,
        "invariant: an interaction is one of blocks"
    );
    let sides = contrast_sides(study, table, contrast, main_rule);
    let is_plain = study.scale == MetricScale::Flag
        && study.unit == Unit::Session
        && contrast.pairs.len() == 1
        && !contrast.is_interaction();
    let work = Work { study, is_plain, draw };
    let main = work.estimate_difference(main_rule, &sides);
    let other_rules = work.under_other_rules(table, contrast, (&sides, &main));
    let flags = if is_plain { sides.test_flags() } else { None };
    let skewness = if is_plain { None } else { sides.skewness() };
    let each = contrast.pairs.iter().enumerate().map(|(place, pair)| Contrast {
        pairs: vec![*pair],
        minus: contrast.minus.get(place).copied().into_iter().collect(),
        ..contrast.clone()
    });
    let each: Vec<Sides> = each.map(|pair| contrast_sides(study, table, &pair, main_rule)).collect();
    let name = |arm: usize| study.arms[arm].name.clone();
    let named = |pairs: &[(usize, usize)]| pairs.iter().map(|(one, other)| (name(*one), name(*other))).collect();
    let compared = |arm: usize| contrast.arms().any(|other| other == arm);
    let opposite = find_opposite_pairs(&each);
    let mut warnings = list_warnings(&main, &sides, skewness, opposite);
    if contrast.is_interaction() {
        // A difference that is equal in every block says nothing about the arms.
        warnings.retain(|warning| ![Warning::FirstConstant, Warning::SecondConstant].contains(warning));
    }
    Estimate {
        metric: study.metric.clone(),
        factor: contrast.factor.clone(),
        first: contrast.first.clone(),
        second: contrast.second.clone(),
        pairs: named(&contrast.pairs),
        minus: named(&contrast.minus),
        sessions: CompletionCounts::from_observations(study.observations.iter().filter(|seen| compared(seen.arm))),
        range: table.range_of(contrast.arms()),
        blocks_planned: table.blocks as u64,
        skewness,
        p_adjusted: None,
        first_mean: sides.means().map(|(first, _)| first),
        second_mean: sides.means().map(|(_, second)| second),
        median_difference: sides.block_differences().and_then(|differences| median(&differences)),
        correlation: match &sides {
            Sides::Paired(paired) => pearson_correlation(&paired.first, &paired.second),
            Sides::Apart(_) => None,
        },
        effect_size: sides.effect_size(main.difference),
        flags,
        pair_differences: each.iter().map(Sides::mean_difference).collect(),
        opposite,
        warnings,
        main,
        other_rules,
    }
}

/// The sides of a contrast under a rule: paired by block, unless the design or the rule treats arms as independent.
fn contrast_sides(study: &Study, table: &BlockTable<'_>, contrast: &Contrast, rule: MissingRule) -> Sides {
    match (study.pairing, rule) {
        (Pairing::Independent, _) | (_, MissingRule::AllAvailable) => Sides::Apart(table.apart_sides(contrast, rule)),
        (Pairing::CommonRandomNumbers, _) => Sides::Paired(table.paired_sides(contrast, rule)),
    }
}

/// Inputs shared by all rules of a contrast. All contrasts of a design share their streams, so equal numbers give equal results.
struct Work<'a> {
    study: &'a Study,
    /// Whether each block compares one flag with another.
    is_plain: bool,
    draw: &'a dyn Fn(&Resampling) -> Vec<NullRange>,
}

impl Work<'_> {
    /// The differences under all rules except the main one.
    fn under_other_rules(
        &self,
        table: &BlockTable<'_>,
        contrast: &Contrast,
        (sides, main): (&Sides, &EstimatedDifference),
    ) -> Vec<EstimatedDifference> {
        // A difference of differences needs blocks.
        let is_paired = self.study.pairing == Pairing::CommonRandomNumbers;
        let unpaired = (is_paired && !contrast.is_interaction()).then_some(MissingRule::AllAvailable);
        let replacing = [
            MissingRule::MissingLowest,
            MissingRule::MissingHighest,
            MissingRule::LeastDifference,
            MissingRule::GreatestDifference,
        ];
        let mut known = vec![(sides.clone(), main.clone())];
        let mut others = Vec::new();
        for rule in unpaired.into_iter().chain([MissingRule::WithoutInvalid]).chain(replacing) {
            let sides = contrast_sides(self.study, table, contrast, rule);
            let same = known.iter().find(|(seen, _)| *seen == sides).map(|(_, found)| found.clone());
            // A rule that changes no number keeps the result.
            let found = same.unwrap_or_else(|| self.estimate_difference(rule, &sides));
            known.push((sides, found.clone()));
            others.push(EstimatedDifference { rule, ..found });
        }
        others
    }

    fn estimate_difference(&self, rule: MissingRule, sides: &Sides) -> EstimatedDifference {
        let differing = sides.differing_blocks();
        let (test, interval) = match self.is_plain {
            true => sides.test_flags().map_or((None, None), |flags| (Some(flags.exact_test()), flags.newcombe)),
            false => self.invert_test(sides).map_or((None, None), |found| (Some(found.test), found.interval)),
        };
        let no_interval = match (test, interval) {
            (None, _) => Some(NoInterval::NoNumber),
            _ if self.is_plain => None,
            _ if sides.is_equal() && differing.is_none_or(|pairs| pairs == 0 || pairs >= INFORMATIVE) => {
                Some(NoInterval::Equal)
            }
            (_, None) => Some(NoInterval::TooFew),
            _ if differing.is_some_and(|pairs| pairs < INFORMATIVE) => Some(NoInterval::TooFew),
            (_, Some(_)) => None,
        };
        EstimatedDifference {
            rule,
            blocks: sides.block_count() as u64,
            sessions: sides.session_count(),
            difference: sides.mean_difference(),
            interval: interval.filter(|_| no_interval.is_none()),
            no_interval,
            differing,
            test,
        }
    }

    fn invert_test(&self, sides: &Sides) -> Option<InvertedTest> {
        let key = StreamKey::of_design(self.study.seed);
        match sides {
            Sides::Paired(paired) => sign_flip(&paired.differences(), &key, self.study.resamples, self.draw),
            Sides::Apart(apart) => label_permutation(apart.strata(), &key, self.study.resamples, self.draw),
        }
    }
}

impl Flags {
    fn exact_test(&self) -> PermutationTest {
        PermutationTest { p: self.exact_p, method: PermutationMethod::Exact, arrangements: self.arrangements }
    }
}

impl Sides {
    fn block_count(&self) -> usize {
        match self {
            Sides::Paired(paired) => paired.first.len(),
            Sides::Apart(apart) => apart.pairs.iter().map(|(a, b)| a.len().min(b.len())).min().unwrap_or(0),
        }
    }

    fn session_count(&self) -> u64 {
        match self {
            Sides::Paired(paired) => paired.sessions,
            Sides::Apart(apart) => apart.sessions,
        }
    }

    /// The means of both sides; `None` if a side has no number.
    fn means(&self) -> Option<(f64, f64)> {
        match self {
            Sides::Paired(paired) => mean(&paired.first).zip(mean(&paired.second)),
            Sides::Apart(apart) => {
                let of = |means: Option<Vec<f64>>| means.and_then(|means| mean(&means));
                let first = of(apart.pairs.iter().map(|(first, _)| mean(first)).collect());
                first.zip(of(apart.pairs.iter().map(|(_, second)| mean(second)).collect()))
            }
        }
    }

    fn mean_difference(&self) -> Option<f64> {
        match self.block_differences() {
            Some(differences) => mean(&differences),
            None => self.means().map(|(first, second)| first - second),
        }
    }

    /// The standard error of the difference of means; `None` if a group has fewer than two values.
    fn standard_error(&self) -> Option<f64> {
        let squares = self.weighted_groups().into_iter().map(|group| {
            let n = group.values.len() as f64;
            let centre = mean(&group.values).filter(|_| n > 1.0)?;
            let spread: f64 = group.values.iter().map(|value| (value - centre).powi(2)).sum();
            Some(group.weight.powi(2) * spread / (n - 1.0) / n)
        });
        squares.sum::<Option<f64>>().map(f64::sqrt)
    }

    /// The differences block by block; `None` in independent analyses.
    fn block_differences(&self) -> Option<Vec<f64>> {
        match self {
            Sides::Paired(paired) => Some(paired.differences()),
            Sides::Apart(_) => None,
        }
    }

    /// The number of blocks whose sides differ; `None` in independent analyses.
    fn differing_blocks(&self) -> Option<u64> {
        let differences = self.block_differences()?;
        Some(differences.iter().filter(|difference| to_ten_decimals(**difference) != 0.0).count() as u64)
    }

    /// Whether all differences are equal or, in independent analyses, all numbers of each arm.
    fn is_equal(&self) -> bool {
        let is_equal = |values: &[f64]| is_constant(&values.iter().copied().map(to_ten_decimals).collect::<Vec<_>>());
        self.weighted_groups().iter().all(|group| is_equal(&group.values))
    }

    /// The skewness of the mean difference times the square root of the number of blocks. For paired blocks this is the skewness
    /// of their differences.
    fn skewness(&self) -> Option<f64> {
        let (mut variance, mut third) = (0.0, 0.0);
        for WeightedGroup { weight, values } in self.weighted_groups() {
            let ((second_moment, third_moment), n) = (central_moments(&values)?, values.len() as f64);
            variance += weight.powi(2) * second_moment / n;
            third += weight.powi(3) * third_moment / n.powi(2);
        }
        (!self.is_equal()).then(|| (self.block_count() as f64).sqrt() * third / variance.powf(1.5))
    }

    /// The groups whose weighted means sum to the difference.
    fn weighted_groups(&self) -> Vec<WeightedGroup> {
        match self {
            Sides::Paired(paired) => vec![WeightedGroup { weight: 1.0, values: paired.differences() }],
            Sides::Apart(apart) => {
                let weight = 1.0 / apart.pairs.len() as f64;
                let groups = apart.pairs.iter().flat_map(|(first, second)| {
                    [
                        WeightedGroup { weight, values: first.clone() },
                        WeightedGroup { weight: -weight, values: second.clone() },
                    ]
                });
                groups.collect()
            }
        }
    }

    fn side_numbers(&self) -> (Vec<f64>, Vec<f64>) {
        match self {
            Sides::Paired(paired) => (paired.first.clone(), paired.second.clone()),
            Sides::Apart(apart) => {
                let first = apart.pairs.iter().flat_map(|(first, _)| first).copied().collect();
                (first, apart.pairs.iter().flat_map(|(_, second)| second).copied().collect())
            }
        }
    }

    fn effect_size(&self, difference: Option<f64>) -> Option<f64> {
        match self {
            Sides::Paired(paired) => cohen_dz(&paired.differences()),
            Sides::Apart(apart) => {
                let groups: Vec<&[f64]> =
                    apart.pairs.iter().flat_map(|(first, second)| [first.as_slice(), second.as_slice()]).collect();
                cohen_d(difference?, &groups)
            }
        }
    }

    /// The exact test and Newcombe's interval; `None` if a side has no number.
    fn test_flags(&self) -> Option<Flags> {
        let (first, second) = self.side_numbers();
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let share = |values: &[f64]| (values.iter().filter(|value| **value == 1.0).count() as u64, values.len() as u64);
        match self {
            Sides::Paired(_) => {
                let pairs = PairTable::from_flags(&first, &second)?;
                Some(Flags {
                    pairs: Some(pairs),
                    exact_p: mcnemar_p(pairs.first_only, pairs.second_only),
                    newcombe: newcombe_paired(pairs),
                    arrangements: pairs.first_only + pairs.second_only + 1,
                })
            }
            Sides::Apart(_) => {
                let (first, second) = (share(&first), share(&second));
                Some(Flags {
                    pairs: None,
                    exact_p: fisher_p(first, second),
                    newcombe: newcombe_independent(first, second),
                    arrangements: (first.0 + second.0).min(first.1) - (first.0 + second.0).saturating_sub(second.1) + 1,
                })
            }
        }
    }

    /// Whether a side's numbers (or, in independent analyses, those of one of its arms) are equal; one number is not enough.
    fn constant_sides(&self) -> [bool; 2] {
        let is = |side: &Vec<f64>| side.len() > 1 && is_constant(side);
        match self {
            Sides::Paired(paired) => [is(&paired.first), is(&paired.second)],
            Sides::Apart(apart) => {
                [apart.pairs.iter().any(|(first, _)| is(first)), apart.pairs.iter().any(|(_, second)| is(second))]
            }
        }
    }

    /// The least p that the test could give; `None` if p is always 1.
    ///
    /// For signs, the observed pattern and its mirror image are two of 2ⁿ patterns of n differing blocks. For labels, the number
    /// of patterns is the number of ways to choose the first sides; with sides of equal size the mirror image is as far from 0.
    fn least_p(&self) -> Option<f64> {
        match self {
            Sides::Paired(paired) => {
                let moved = paired.differences().iter().filter(|difference| **difference != 0.0).count();
                (moved > 0).then(|| 0.5f64.powi(moved as i32 - 1))
            }
            Sides::Apart(apart) => {
                let (first, second) = self.side_numbers();
                if is_constant(&[first, second].concat()) {
                    return None;
                }
                let ways: f64 =
                    apart.pairs.iter().map(|(first, second)| count_dealings(first.len(), second.len())).product();
                let mirrored = apart.pairs.iter().all(|(first, second)| first.len() == second.len());
                Some(if mirrored { 2.0 } else { 1.0 } / ways)
            }
        }
    }
}

impl ApartSides {
    fn strata(&self) -> Vec<Stratum> {
        let stratum = |(first, second): &(Vec<f64>, Vec<f64>)| Stratum {
            values: first.iter().chain(second).copied().collect(),
            first: first.len(),
        };
        self.pairs.iter().map(stratum).collect()
    }
}

/// The number of ways to divide values into two sides of these sizes.
fn count_dealings(first: usize, second: usize) -> f64 {
    let least = first.min(second);
    (1..=least).map(|k| (first + second - least + k) as f64 / k as f64).product()
}

/// Among the pairs whose difference exceeds two standard errors, the one with the greatest and the one with the least difference,
/// if their signs are opposite.
fn find_opposite_pairs(each: &[Sides]) -> Option<(usize, usize)> {
    let clear = |(place, sides): (usize, &Sides)| {
        let (difference, error) = sides.mean_difference().zip(sides.standard_error())?;
        (difference.abs() > 2.0 * error).then_some((place, difference))
    };
    let clear: Vec<(usize, f64)> = each.iter().enumerate().filter_map(clear).collect();
    let most = clear.iter().copied().reduce(|one, other| if other.1 > one.1 { other } else { one })?;
    let least = clear.iter().copied().reduce(|one, other| if other.1 < one.1 { other } else { one })?;
    (most.1 > 0.0 && least.1 < 0.0).then_some((most.0, least.0))
}

fn list_warnings(
    main: &EstimatedDifference,
    sides: &Sides,
    skewness: Option<f64>,
    opposite: Option<(usize, usize)>,
) -> Vec<Warning> {
    let blocks = main.blocks as usize;
    if blocks == 0 {
        return vec![Warning::NoBlock];
    }
    let [first, second] = sides.constant_sides();
    let is_skewed = skewness.is_some_and(|skewness| skewness.abs() > SKEWED);
    // An interval of means comes from the test itself; an interval of flags comes from another method.
    let disagrees = main
        .test
        .zip(main.interval)
        .is_some_and(|(test, Interval { low, high })| (test.p < LEVEL) != (low > 0.0 || high < 0.0));
    let found = [
        (blocks < FEW, Warning::FewBlocks),
        (main.interval.is_some() && is_skewed && blocks < SKEWED_BLOCKS, Warning::Skewed),
        (main.differing == Some(0), Warning::EqualInEveryBlock),
        (main.interval.is_some() && sides.least_p().is_some_and(|least| least >= LEVEL), Warning::NoSmallP),
        (disagrees, Warning::Disagree),
        (opposite.is_some(), Warning::OppositePairs),
        (first, Warning::FirstConstant),
        (second, Warning::SecondConstant),
    ];
    found.into_iter().filter(|(holds, _)| *holds).map(|(_, warning)| warning).collect()
}
