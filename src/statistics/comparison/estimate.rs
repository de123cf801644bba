//! One contrast: the difference under the main rule with all that belongs to it, and under each other rule.

use super::sides::{Apart, Paired, Table};
use super::{Account, Contrast, Rule, Scale, Study, Unit};
use crate::chance::Pairing;
use crate::statistics::{
    Group, Interval, PairTable, PermutationTest, Resampling, Scheme, Stratum, StreamKey, bca_interval, cohen_d,
    cohen_dz, correlation, fisher, is_constant, label_permutation, mcnemar, mean, median, newcombe_independent,
    newcombe_paired, percentile_interval, sign_flip,
};

/// Fewer blocks than this carry next to nothing.
const FEW: usize = 10;
/// With fewer blocks than this the percentile bootstrap is noticeably too narrow: at 30, √(29/30) and 1.96 in place of Student's
/// 2.05 take 6 % off its width.
pub const NARROW_BLOCKS: usize = 30;
/// The level that a p of 95 % intervals goes with.
const LEVEL: f64 = 0.05;

/// A contrast, estimated: first side less second.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The factor; `None` when whole arms are compared.
    pub factor: Option<String>,
    /// The first side: a level or an arm.
    pub first: String,
    /// The second side, which is the baseline's.
    pub second: String,
    /// The arms compared, pair by pair; several are averaged.
    pub pairs: Vec<(String, String)>,
    /// What became of their sessions.
    pub sessions: Account,
    /// The least and greatest number that a missing one is replaced by; `None` when the arms compared have none.
    pub range: Option<(f64, f64)>,
    /// Blocks of the design.
    pub blocks_planned: u64,
    /// The result under the main rule.
    pub main: Difference,
    /// The main p, adjusted for all contrasts; `None` where none is adjusted for.
    pub p_adjusted: Option<f64>,
    /// The mean of the first side under the main rule.
    pub first_mean: Option<f64>,
    /// The mean of the second side under the main rule.
    pub second_mean: Option<f64>,
    /// The bias-corrected and accelerated bootstrap interval, beside the percentile interval of `main`.
    pub interval_bca: Option<Interval>,
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
    pub other_rules: Vec<Difference>,
}

/// A difference under one rule.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Difference {
    /// What is done about missing numbers.
    pub rule: Rule,
    /// Blocks with both sides in paired analyses; the smallest group in independent ones.
    pub blocks: u64,
    /// Sessions analysed.
    pub sessions: u64,
    /// First side's mean less second's; `None` where a side has no number.
    pub difference: Option<f64>,
    /// Its 95 % percentile bootstrap interval; `None` for fewer than two blocks.
    pub interval: Option<Interval>,
    /// The permutation test; `None` where a side has no number.
    pub test: Option<PermutationTest>,
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
}

/// What to beware of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// No block has both sides.
    NoBlock,
    /// Fewer than ten blocks; of arms that were drawn apart, fewer than ten sessions on a side.
    FewBlocks,
    /// Fewer than [`NARROW_BLOCKS`] of them: the bootstrap is too narrow.
    NarrowBootstrap,
    /// No arrangement of so few differing blocks, or no dealing of so few labels, could give a p below 0.05.
    NoSmallP,
    /// Both sides are the same in every block.
    EqualInEveryBlock,
    /// The interval has no width, because nothing that is drawn again varies.
    NoWidth,
    /// Pairs of arms that are averaged differ in opposite directions, each by more than two standard errors: the mean tells of
    /// neither.
    OppositePairs,
    /// All numbers of the first side are the same, or all of one of its arms where arms were drawn apart.
    FirstConstant,
    /// The same of the second side.
    SecondConstant,
}

/// Both sides as an analysis takes them.
#[derive(Debug, Clone, PartialEq)]
enum Sides {
    Paired(Paired),
    Apart(Apart),
}

/// Estimates a contrast.
pub fn estimate(
    study: &Study,
    table: &Table<'_>,
    contrast: &Contrast,
    draw: &dyn Fn(&Resampling) -> Vec<f64>,
) -> Estimate {
    let (main_rule, other_rules): (Rule, &[Rule]) = match study.pairing {
        Pairing::CommonRandomNumbers => (Rule::CompletePairs, &[Rule::AllAvailable, Rule::WithoutInvalid]),
        Pairing::Independent => (Rule::AllAvailable, &[Rule::WithoutInvalid]),
    };
    let replacing = [Rule::MissingLowest, Rule::MissingHighest, Rule::LeastDifference, Rule::GreatestDifference];
    let sides = sides(study, table, contrast, main_rule);
    let work = Work { study, key: StreamKey::new(study.seed, &[&study.metric, &contrast.stream_name()]), draw };
    let (main, drawn) = work.difference(main_rule, &sides);
    let mut known = vec![(sides.clone(), main.clone())];
    let mut others = Vec::new();
    for rule in other_rules.iter().chain(&replacing) {
        let sides = self::sides(study, table, contrast, *rule);
        let same = known.iter().find(|(seen, _)| *seen == sides).map(|(_, found)| found.clone());
        // What leaves every number as it was leaves the result, too.
        let found = same.unwrap_or_else(|| work.difference(*rule, &sides).0);
        known.push((sides, found.clone()));
        others.push(Difference { rule: *rule, ..found });
    }
    let (first, second) = sides.numbers();
    let each = contrast.pairs.iter().map(|pair| Contrast { pairs: vec![*pair], ..contrast.clone() });
    let each: Vec<Sides> = each.map(|pair| self::sides(study, table, &pair, main_rule)).collect();
    let name = |arm: usize| study.arms[arm].name.clone();
    let compared = |arm: usize| contrast.arms().any(|other| other == arm);
    let is_plain = study.scale == Scale::Flag && study.unit == Unit::Session && contrast.pairs.len() == 1;
    Estimate {
        factor: contrast.factor.clone(),
        first: contrast.first.clone(),
        second: contrast.second.clone(),
        pairs: contrast.pairs.iter().map(|(one, other)| (name(*one), name(*other))).collect(),
        sessions: Account::of(study.observations.iter().filter(|seen| compared(seen.arm))),
        range: table.range_of(contrast.arms()),
        blocks_planned: table.blocks() as u64,
        interval_bca: main.difference.and_then(|observed| bca_interval(&drawn, observed, &sides.groups())),
        p_adjusted: None,
        first_mean: sides.means().map(|(first, _)| first),
        second_mean: sides.means().map(|(_, second)| second),
        median_difference: sides.differences().and_then(|differences| median(&differences)),
        correlation: match &sides {
            Sides::Paired(paired) => correlation(&paired.first, &paired.second),
            Sides::Apart(_) => None,
        },
        effect_size: sides.effect_size(main.difference),
        flags: if is_plain { sides.flags(&first, &second) } else { None },
        pair_differences: each.iter().map(Sides::difference).collect(),
        opposite: opposite(&each),
        warnings: warnings(&main, &sides, opposite(&each)),
        main,
        other_rules: others,
    }
}

/// The sides of a contrast under a rule: by block, unless arms are independent or taken so.
fn sides(study: &Study, table: &Table<'_>, contrast: &Contrast, rule: Rule) -> Sides {
    match (study.pairing, rule) {
        (Pairing::Independent, _) | (_, Rule::AllAvailable) => Sides::Apart(table.apart(contrast, rule)),
        (Pairing::CommonRandomNumbers, _) => Sides::Paired(table.paired(contrast, rule)),
    }
}

/// What all rules of a contrast are estimated with. They share their streams: a rule changes numbers, not draws.
struct Work<'a> {
    study: &'a Study,
    key: StreamKey,
    draw: &'a dyn Fn(&Resampling) -> Vec<f64>,
}

impl Work<'_> {
    /// The difference under a rule, and the sorted bootstrap numbers.
    fn difference(&self, rule: Rule, sides: &Sides) -> (Difference, Vec<f64>) {
        let blocks = sides.blocks();
        let mut drawn = Vec::new();
        if blocks > 1 {
            let scheme = Scheme::Groups(sides.groups());
            drawn = (self.draw)(&Resampling { scheme, key: self.key.clone(), resamples: self.study.resamples });
            drawn.sort_unstable_by(f64::total_cmp);
        }
        let found = Difference {
            rule,
            blocks: blocks as u64,
            sessions: sides.sessions(),
            difference: sides.difference(),
            interval: percentile_interval(&drawn),
            test: match sides {
                Sides::Paired(paired) => sign_flip(&paired.differences(), &self.key, self.study.resamples, self.draw),
                Sides::Apart(apart) => label_permutation(apart.strata(), &self.key, self.study.resamples, self.draw),
            },
        };
        (found, drawn)
    }
}

impl Sides {
    fn blocks(&self) -> usize {
        match self {
            Sides::Paired(paired) => paired.first.len(),
            Sides::Apart(apart) => apart.pairs.iter().map(|(a, b)| a.len().min(b.len())).min().unwrap_or(0),
        }
    }

    fn sessions(&self) -> u64 {
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

    fn difference(&self) -> Option<f64> {
        match self.differences() {
            Some(differences) => mean(&differences),
            None => self.means().map(|(first, second)| first - second),
        }
    }

    /// The standard error of the difference, of means over blocks; `None` for fewer than two blocks.
    fn standard_error(&self) -> Option<f64> {
        let squares = self.groups().into_iter().map(|group| {
            let n = group.values.len() as f64;
            let centre = mean(&group.values).filter(|_| n > 1.0)?;
            let spread: f64 = group.values.iter().map(|value| (value - centre).powi(2)).sum();
            Some(group.weight.powi(2) * spread / (n - 1.0) / n)
        });
        squares.sum::<Option<f64>>().map(f64::sqrt)
    }

    /// The differences block by block; `None` in independent analyses.
    fn differences(&self) -> Option<Vec<f64>> {
        match self {
            Sides::Paired(paired) => Some(paired.differences()),
            Sides::Apart(_) => None,
        }
    }

    /// What the bootstrap draws again.
    fn groups(&self) -> Vec<Group> {
        match self {
            Sides::Paired(paired) => vec![Group { weight: 1.0, values: paired.differences() }],
            Sides::Apart(apart) => {
                let weight = 1.0 / apart.pairs.len() as f64;
                let groups = apart.pairs.iter().flat_map(|(first, second)| {
                    [Group { weight, values: first.clone() }, Group { weight: -weight, values: second.clone() }]
                });
                groups.collect()
            }
        }
    }

    /// All numbers of either side.
    fn numbers(&self) -> (Vec<f64>, Vec<f64>) {
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

    fn flags(&self, first: &[f64], second: &[f64]) -> Option<Flags> {
        let share = |values: &[f64]| (values.iter().filter(|value| **value == 1.0).count() as u64, values.len() as u64);
        match self {
            Sides::Paired(_) => {
                let pairs = PairTable::of(first, second).filter(|_| !first.is_empty())?;
                let exact_p = mcnemar(pairs.first_only, pairs.second_only);
                Some(Flags { pairs: Some(pairs), exact_p, newcombe: newcombe_paired(pairs) })
            }
            Sides::Apart(_) if first.is_empty() || second.is_empty() => None,
            Sides::Apart(_) => {
                let (first, second) = (share(first), share(second));
                let newcombe = newcombe_independent(first, second);
                Some(Flags { pairs: None, exact_p: fisher(first, second), newcombe })
            }
        }
    }
}

impl Apart {
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
    fn constant(&self) -> [bool; 2] {
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
                let (first, second) = self.numbers();
                if is_constant(&[first, second].concat()) {
                    return None;
                }
                let ways: f64 = apart.pairs.iter().map(|(first, second)| dealings(first.len(), second.len())).product();
                let mirrored = apart.pairs.iter().all(|(first, second)| first.len() == second.len());
                Some(if mirrored { 2.0 } else { 1.0 } / ways)
            }
        }
    }
}

/// In how many ways the members of two sides of these sizes can be chosen.
fn dealings(first: usize, second: usize) -> f64 {
    let least = first.min(second);
    (1..=least).map(|k| (first + second - least + k) as f64 / k as f64).product()
}

/// Of the pairs of arms that differ by more than their chance the one that differs most and the one that differs least, where these
/// lie on different sides of 0.
fn opposite(each: &[Sides]) -> Option<(usize, usize)> {
    let clear = |(place, sides): (usize, &Sides)| {
        let (difference, error) = sides.difference().zip(sides.standard_error())?;
        (difference.abs() > 2.0 * error).then_some((place, difference))
    };
    let clear: Vec<(usize, f64)> = each.iter().enumerate().filter_map(clear).collect();
    let most = clear.iter().copied().reduce(|one, other| if other.1 > one.1 { other } else { one })?;
    let least = clear.iter().copied().reduce(|one, other| if other.1 < one.1 { other } else { one })?;
    (most.1 > 0.0 && least.1 < 0.0).then_some((most.0, least.0))
}

fn warnings(main: &Difference, sides: &Sides, opposite: Option<(usize, usize)>) -> Vec<Warning> {
    let blocks = main.blocks as usize;
    if blocks == 0 {
        return vec![Warning::NoBlock];
    }
    let is_same = sides.differences().is_some_and(|all| all.iter().all(|difference| *difference == 0.0));
    let [first, second] = sides.constant();
    let found = [
        (blocks < FEW, Warning::FewBlocks),
        (blocks < NARROW_BLOCKS, Warning::NarrowBootstrap),
        (is_same, Warning::EqualInEveryBlock),
        (sides.least_p().is_some_and(|least| least > LEVEL), Warning::NoSmallP),
        (main.interval.is_some_and(|interval| interval.low == interval.high), Warning::NoWidth),
        (opposite.is_some(), Warning::OppositePairs),
        (first, Warning::FirstConstant),
        (second, Warning::SecondConstant),
    ];
    found.into_iter().filter(|(holds, _)| *holds).map(|(_, warning)| warning).collect()
}
