//! One contrast: the difference under the main rule with all that belongs to it, and under each other rule.

use super::sides::{ApartSides, BlockTable, PairedSides};
use super::{CompletionCounts, Contrast, MetricScale, MissingRule, Study, Unit};
use crate::analysis::statistics::{
    Interval, InvertedTest, LEVEL, NullRange, PairTable, PermutationMethod, PermutationTest, Resampling, Stratum,
    StreamKey, central_moments, cohen_d, cohen_dz, fisher_p, is_constant, label_permutation, mcnemar_p, mean, median,
    newcombe_independent, newcombe_paired, pearson_correlation, sign_flip, to_ten_decimals,
};
use crate::chance::Pairing;

/// Fewer blocks than this carry next to nothing.
const FEW: usize = 10;
/// Fewer pairs than this cannot give a p below .05: 2 of 2⁵ patterns are a sixteenth.
const INFORMATIVE: u64 = 6;
/// With fewer blocks than this an interval of skewed differences covers less than it says.
pub const SKEWED_BLOCKS: usize = 40;
/// Differences with a greater skewness, in either direction, are skewed.
const SKEWED: f64 = 1.0;

/// A contrast, estimated: first side less second.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// What is compared.
    pub metric: String,
    /// The factor, or two with a colon for their interaction; `None` when whole arms are compared.
    pub factor: Option<String>,
    /// The first side: a level or an arm; of an interaction the difference under another level of the second factor.
    pub first: String,
    /// The second side, which is the baseline's.
    pub second: String,
    /// The arms compared, pair by pair; several are averaged.
    pub pairs: Vec<(String, String)>,
    /// In an interaction the arms taken off either side of each pair; empty elsewhere.
    pub minus: Vec<(String, String)>,
    /// What became of their sessions.
    pub sessions: CompletionCounts,
    /// The least and greatest number that a missing one is replaced by; `None` when the arms compared have none.
    pub range: Option<(f64, f64)>,
    /// Blocks of the design.
    pub blocks_planned: u64,
    /// The result under the main rule.
    pub main: EstimatedDifference,
    /// The main p, adjusted for all contrasts; `None` where none is adjusted for.
    pub p_adjusted: Option<f64>,
    /// The mean of the first side under the main rule.
    pub first_mean: Option<f64>,
    /// The mean of the second side under the main rule.
    pub second_mean: Option<f64>,
    /// The adjusted skewness of the blocks' differences; of arms drawn apart that of a difference of one session each. `None` for fewer
    /// than three, where nothing varies, and for flags.
    pub skewness: Option<f64>,
    /// The median of the blocks' differences; `None` in independent designs.
    pub median_difference: Option<f64>,
    /// Pearson's correlation of both sides over blocks: what sharing draws brought; `None` where it is undefined.
    pub correlation: Option<f64>,
    /// Cohen's d_z in paired designs, d in independent ones; `None` where nothing varies.
    pub effect_size: Option<f64>,
    /// What flags allow besides; `None` for numbers, and where several arms or sessions are averaged.
    pub flags: Option<Flags>,
    /// First less second of each of `pairs`, under the main rule, over the blocks that this pair has; `None` without a number.
    pub pair_differences: Vec<Option<f64>>,
    /// Of [`Warning::OppositePairs`] the pair with the greatest and the one with the least difference, as places in `pairs`.
    pub opposite: Option<(usize, usize)>,
    /// What to beware of.
    pub warnings: Vec<Warning>,
    /// The result under each other rule.
    pub other_rules: Vec<EstimatedDifference>,
}

/// A difference under one rule.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct EstimatedDifference {
    /// What is done about missing numbers.
    pub rule: MissingRule,
    /// Blocks with both sides in paired analyses; the smallest group in independent ones.
    pub blocks: u64,
    /// Sessions analysed.
    pub sessions: u64,
    /// First side's mean less second's; `None` where a side has no number.
    pub difference: Option<f64>,
    /// Its 95 % interval: Newcombe's of flags, else the inverted permutation test; `None` where `no_interval` says why.
    pub interval: Option<Interval>,
    /// Why there is no interval.
    pub no_interval: Option<NoInterval>,
    /// Blocks whose sides differ; `None` in independent analyses.
    pub differing: Option<u64>,
    /// The test: an exact one of flags, else by permutation; `None` where a side has no number.
    pub test: Option<PermutationTest>,
}

/// Why a difference has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoInterval {
    /// A side has no number.
    NoNumber,
    /// So few pairs differ, or so few sessions are on a side, that no p is below .05.
    TooFew,
    /// Every difference is equal, or every number of each side.
    Equal,
}

/// What two sides of flags allow besides.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Flags {
    /// Blocks by both sides' flags; `None` in independent designs.
    pub pairs: Option<PairTable>,
    /// The exact p: McNemar's of paired flags, Fisher's of independent ones.
    pub exact_p: f64,
    /// Newcombe's 95 % interval of the difference of shares; `None` without a number on a side.
    pub newcombe: Option<Interval>,
    /// Different tables that the exact test counts.
    #[serde(skip)]
    pub arrangements: u64,
}

/// What to beware of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// No block has both sides.
    NoBlock,
    /// Fewer than ten blocks; of arms that were drawn apart, fewer than ten sessions on a side.
    FewBlocks,
    /// The differences are skewed, and fewer than [`SKEWED_BLOCKS`]: the interval covers less than it says.
    Skewed,
    /// So few flags differ that no p is below .05.
    NoSmallP,
    /// 0 lies outside the interval of flags although p is not below .05, or inside although it is.
    Disagree,
    /// Both sides are the same in every block.
    EqualInEveryBlock,
    /// Pairs of arms that are averaged differ in opposite directions, each by more than two standard errors: the mean tells of
    /// neither.
    OppositePairs,
    /// All numbers of the first side are the same, or all of one of its arms where arms were drawn apart.
    FirstConstant,
    /// The same of the second side.
    SecondConstant,
}

/// Numbers whose mean counts for a weight.
struct WeightedGroup {
    weight: f64,
    values: Vec<f64>,
}

/// Both sides as an analysis takes them.
#[derive(Debug, Clone, PartialEq)]
enum Sides {
    Paired(PairedSides),
    Apart(ApartSides),
}

/// Estimates a contrast.
///
/// # Panics
/// When it is an interaction of arms that are independent: these have no blocks.
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
    let each: Vec<Sides> = each.map(|pair| self::contrast_sides(study, table, &pair, main_rule)).collect();
    let name = |arm: usize| study.arms[arm].name.clone();
    let named = |pairs: &[(usize, usize)]| pairs.iter().map(|(one, other)| (name(*one), name(*other))).collect();
    let compared = |arm: usize| contrast.arms().any(|other| other == arm);
    let mut warnings = list_warnings(&main, &sides, skewness, find_opposite_pairs(&each));
    if contrast.is_interaction() {
        // A difference that is the same in every block says nothing about the arms.
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
        blocks_planned: table.block_count() as u64,
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
        opposite: find_opposite_pairs(&each),
        warnings,
        main,
        other_rules,
    }
}

/// The sides of a contrast under a rule: by block, unless arms are independent or taken so.
fn contrast_sides(study: &Study, table: &BlockTable<'_>, contrast: &Contrast, rule: MissingRule) -> Sides {
    match (study.pairing, rule) {
        (Pairing::Independent, _) | (_, MissingRule::AllAvailable) => Sides::Apart(table.apart_sides(contrast, rule)),
        (Pairing::CommonRandomNumbers, _) => Sides::Paired(table.paired_sides(contrast, rule)),
    }
}

/// What all rules of a contrast are estimated with. All contrasts of a design share their streams: equal numbers give equal results.
struct Work<'a> {
    study: &'a Study,
    /// Whether one flag a block is compared with another.
    is_plain: bool,
    draw: &'a dyn Fn(&Resampling) -> Vec<NullRange>,
}

impl Work<'_> {
    /// The difference under each rule but the main one.
    fn under_other_rules(
        &self,
        table: &BlockTable<'_>,
        contrast: &Contrast,
        (sides, main): (&Sides, &EstimatedDifference),
    ) -> Vec<EstimatedDifference> {
        // A difference of differences is one of blocks.
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
            let sides = self::contrast_sides(self.study, table, contrast, rule);
            let same = known.iter().find(|(seen, _)| *seen == sides).map(|(_, found)| found.clone());
            // What leaves every number as it was leaves the result, too.
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
    /// The exact test, as a test of all arrangements.
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

    /// The means of both sides; `None` where one has no number.
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

    /// The standard error of the difference, of means over blocks; `None` for fewer than two blocks.
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

    /// Blocks whose sides differ.
    fn differing_blocks(&self) -> Option<u64> {
        let differences = self.block_differences()?;
        Some(differences.iter().filter(|difference| to_ten_decimals(**difference) != 0.0).count() as u64)
    }

    /// Whether every difference is equal, or, of arms drawn apart, every number of each arm.
    fn is_equal(&self) -> bool {
        let is_equal = |values: &[f64]| is_constant(&values.iter().copied().map(to_ten_decimals).collect::<Vec<_>>());
        self.weighted_groups().iter().all(|group| is_equal(&group.values))
    }

    /// The skewness of the difference times the square root of the number of blocks: of paired blocks the skewness of their
    /// differences.
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

    /// All numbers of either side.
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

    /// The exact test and Newcombe's interval; `None` without a number on a side.
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

impl Sides {
    /// Whether numbers of the first and the second side are all the same. Of arms drawn apart one is enough, and one session is none.
    fn constant_sides(&self) -> [bool; 2] {
        let is = |side: &Vec<f64>| side.len() > 1 && is_constant(side);
        match self {
            Sides::Paired(paired) => [is(&paired.first), is(&paired.second)],
            Sides::Apart(apart) => {
                [apart.pairs.iter().any(|(first, _)| is(first)), apart.pairs.iter().any(|(_, second)| is(second))]
            }
        }
    }

    /// The least p that a test of so many could give; `None` where it is always 1.
    ///
    /// The observed pattern of signs and its mirror image are two of 2 to the power of the blocks that differ. Labels of one stratum
    /// can be dealt out in as many ways as the first side can be chosen; with sides of one size the mirror image is as far from 0.
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

/// In how many ways the members of two sides of these sizes can be chosen.
fn count_dealings(first: usize, second: usize) -> f64 {
    let least = first.min(second);
    (1..=least).map(|k| (first + second - least + k) as f64 / k as f64).product()
}

/// Of the pairs of arms that differ by more than their chance the one that differs most and the one that differs least, where these
/// lie on different sides of 0.
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
    // An interval of means is a test's own; one of flags is another method.
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
