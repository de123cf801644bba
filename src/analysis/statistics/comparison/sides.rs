//! The numbers of each side of a contrast under each rule for missing numbers.

use std::collections::BTreeMap;

use super::{AnswerValidity, Contrast, MetricScale, Observation, Study, Unit};
use crate::analysis::statistics::{mean, to_ten_decimals};

/// The treatment of sessions without a number: failed, incomplete, or with an undefined metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingRule {
    /// Uses the blocks in which every arm of both sides has a number. If a block has several sessions, averages those with a
    /// number in every arm. The main rule of paired designs.
    CompletePairs,
    /// Uses all sessions with a number and treats arms as independent. The main rule of independent designs.
    AllAvailable,
    /// The main rule, without sessions in which an answer stayed invalid or refused.
    WithoutInvalid,
    /// Replaces missing numbers by the lowest.
    MissingLowest,
    /// Replaces missing numbers by the highest.
    MissingHighest,
    /// Replaces missing numbers by the lowest possible on the first side and the highest possible on the second: the lower bound of the
    /// difference. Without limits of the metric there is no bound.
    LeastDifference,
    /// Replaces missing numbers by the highest possible on the first side and the lowest possible on the second: the upper bound.
    GreatestDifference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContrastSide {
    First,
    Second,
}

impl ContrastSide {
    /// The side to which a subtracted arm counts.
    fn other(self) -> Self {
        match self {
            ContrastSide::First => ContrastSide::Second,
            ContrastSide::Second => ContrastSide::First,
        }
    }
}

/// The least and greatest number.
type Range = Option<(f64, f64)>;

/// The observations by arm and block.
pub struct BlockTable<'a> {
    /// The sessions of each arm and block, sorted by replicate, item and wave.
    cells: Vec<Vec<Vec<&'a Observation>>>,
    /// The number of blocks of the design.
    pub blocks: usize,
    study: &'a Study,
}

/// The numbers of both sides per block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairedSides {
    pub first: Vec<f64>,
    pub second: Vec<f64>,
    pub sessions: u64,
}

impl PairedSides {
    /// First minus second. Equal differences are equal numbers, although those of doubles are rounded.
    pub fn differences(&self) -> Vec<f64> {
        self.first.iter().zip(&self.second).map(|(first, second)| to_ten_decimals(first - second)).collect()
    }
}

/// The numbers of both sides per pair of arms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ApartSides {
    pub pairs: Vec<(Vec<f64>, Vec<f64>)>,
    pub sessions: u64,
}

impl<'a> BlockTable<'a> {
    pub fn new(study: &'a Study) -> Self {
        let key = |seen: &'a Observation| match study.unit {
            Unit::Session | Unit::Panel => (seen.replicate, seen.item.as_str()),
            Unit::Replicate => (seen.replicate, ""),
            Unit::Item => (0, seen.item.as_str()),
        };
        let mut blocks: BTreeMap<(u32, &str), usize> = study.observations.iter().map(|seen| (key(seen), 0)).collect();
        blocks.values_mut().enumerate().for_each(|(place, block)| *block = place);
        let mut cells = vec![vec![Vec::new(); blocks.len()]; study.arms.len()];
        for seen in &study.observations {
            cells[seen.arm][blocks[&key(seen)]].push(seen);
        }
        cells.iter_mut().flatten().for_each(|cell| cell.sort_by_key(|seen| counterpart_key(seen)));
        Self { cells, blocks: blocks.len(), study }
    }

    /// The least and greatest replacement for a missing number of these arms: the possible bounds if known, otherwise the
    /// observed ones. `None` without a number.
    pub fn range_of(&self, arms: impl Iterator<Item = usize>) -> Range {
        let arms: Vec<usize> = arms.collect();
        let seen = self.study.observations.iter().filter(|seen| arms.contains(&seen.arm));
        let values: Vec<f64> = seen.filter_map(|seen| seen.value).collect();
        let (least, most) = (values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?);
        Some(match self.study.scale {
            MetricScale::Flag | MetricScale::Share => (0.0, 1.0),
            MetricScale::Number => {
                let known = arms.iter().filter_map(|arm| self.study.arms[*arm].limits);
                known.fold((least, most), |(least, most), (low, high)| (least.min(low), most.max(high)))
            }
        })
    }

    /// The least and greatest replacement for a missing number of these arms under a rule; `None` for a bound that nothing limits.
    fn replacements(&self, arms: impl Iterator<Item = usize>, rule: MissingRule) -> Range {
        let arms: Vec<usize> = arms.collect();
        let is_limited = |seen: &&Observation| {
            seen.value.is_some()
                || self.study.scale != MetricScale::Number
                || self.study.arms[seen.arm].limits.is_some()
        };
        let mut compared = self.study.observations.iter().filter(|seen| arms.contains(&seen.arm));
        match rule {
            MissingRule::LeastDifference | MissingRule::GreatestDifference
                if !compared.all(|seen| is_limited(&seen)) =>
            {
                None
            }
            _ => self.range_of(arms.into_iter()),
        }
    }

    /// An arm's numbers, one per block with a number.
    pub fn available_numbers(&self, arm: usize, rule: MissingRule) -> Vec<f64> {
        self.arm_numbers(arm, rule, (ContrastSide::First, None)).0
    }

    /// Both sides in the blocks in which every arm has a number. In a block with several sessions, only those with a number in
    /// every arm are averaged, so both sides are means over the same replicates and items.
    pub fn paired_sides(&self, contrast: &Contrast, rule: MissingRule) -> PairedSides {
        let mut sides = PairedSides::default();
        let k = contrast.pairs.len() as f64;
        let range = self.replacements(contrast.arms(), rule);
        for block in 0..self.blocks {
            let numbers = self.complete_numbers(contrast, block, (rule, range));
            let Some(sessions) = numbers.first().map(|(first, _)| first.len()).filter(|sessions| *sessions > 0) else {
                continue;
            };
            let means = numbers.iter().filter_map(|(first, second)| mean(first).zip(mean(second)));
            let (first, second) = means.fold((0.0, 0.0), |(first, second), (a, b)| (first + a, second + b));
            sides.first.push(first / k);
            sides.second.push(second / k);
            let arms = if contrast.is_interaction() { 4 } else { 2 };
            sides.sessions += (arms * numbers.len() * sessions) as u64;
        }
        sides
    }

    /// A block's numbers for each pair of arms, from the sessions with a number in every arm of both sides.
    fn complete_numbers(
        &self,
        contrast: &Contrast,
        block: usize,
        (rule, range): (MissingRule, Range),
    ) -> Vec<(Vec<f64>, Vec<f64>)> {
        let mut numbers = vec![(Vec::new(), Vec::new()); contrast.pairs.len()];
        let Some((reference, _)) = contrast.pairs.first() else { return numbers };
        for session in &self.cells[*reference][block] {
            let of = |arm: usize, side: ContrastSide| {
                let sessions = &self.cells[arm][block];
                let found =
                    sessions.binary_search_by_key(&counterpart_key(session), |seen| counterpart_key(seen)).ok()?;
                number_under_rule(sessions[found], rule, (side, range))
            };
            let less = |arm: usize, minus: Option<usize>, side: ContrastSide| {
                let own = of(arm, side)?;
                minus.map_or(Some(own), |minus| Some(to_ten_decimals(own - of(minus, side.other())?)))
            };
            let pair = |(place, (one, other)): (usize, &(usize, usize))| {
                let minus = contrast.minus.get(place);
                let first = less(*one, minus.map(|(first, _)| *first), ContrastSide::First)?;
                Some((first, less(*other, minus.map(|(_, second)| *second), ContrastSide::Second)?))
            };
            if let Some(found) = contrast.pairs.iter().enumerate().map(pair).collect::<Option<Vec<(f64, f64)>>>() {
                for ((first, second), (a, b)) in numbers.iter_mut().zip(found) {
                    first.push(a);
                    second.push(b);
                }
            }
        }
        numbers
    }

    /// Both sides with all their numbers.
    pub fn apart_sides(&self, contrast: &Contrast, rule: MissingRule) -> ApartSides {
        let mut sides = ApartSides::default();
        let range = self.replacements(contrast.arms(), rule);
        for (one, other) in &contrast.pairs {
            let (first, n) = self.arm_numbers(*one, rule, (ContrastSide::First, range));
            let (second, m) = self.arm_numbers(*other, rule, (ContrastSide::Second, range));
            sides.pairs.push((first, second));
            sides.sessions += n + m;
        }
        sides
    }

    /// An arm's numbers, each the mean of a block's sessions with a number, and the count of these sessions.
    fn arm_numbers(&self, arm: usize, rule: MissingRule, side: (ContrastSide, Range)) -> (Vec<f64>, u64) {
        let (mut numbers, mut sessions) = (Vec::with_capacity(self.blocks), 0);
        for cell in &self.cells[arm] {
            let there: Vec<f64> = cell.iter().filter_map(|seen| number_under_rule(seen, rule, side)).collect();
            sessions += there.len() as u64;
            numbers.extend(mean(&there));
        }
        (numbers, sessions)
    }
}

/// The key that a session shares with its counterparts in other arms.
fn counterpart_key(seen: &Observation) -> (u32, &str, u32) {
    (seen.replicate, seen.item.as_str(), seen.wave)
}

fn number_under_rule(seen: &Observation, rule: MissingRule, (side, range): (ContrastSide, Range)) -> Option<f64> {
    let replaced = match (rule, side) {
        (MissingRule::CompletePairs | MissingRule::AllAvailable, _) => return seen.value,
        (MissingRule::WithoutInvalid, _) => return seen.value.filter(|_| seen.answers == AnswerValidity::AllValid),
        (MissingRule::MissingLowest, _)
        | (MissingRule::LeastDifference, ContrastSide::First)
        | (MissingRule::GreatestDifference, ContrastSide::Second) => range?.0,
        (MissingRule::MissingHighest, _)
        | (MissingRule::GreatestDifference, ContrastSide::First)
        | (MissingRule::LeastDifference, ContrastSide::Second) => range?.1,
    };
    Some(seen.value.unwrap_or(replaced))
}
