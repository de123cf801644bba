//! The amounts that groups decided for.

use serde::Serialize;

use crate::analysis::statistics::median;

/// The amounts decided with one alternative.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Amounts {
    /// Sessions with an amount.
    pub n: u64,
    /// The median.
    pub median: f64,
    /// The smallest.
    pub least: u32,
    /// The largest.
    pub greatest: u32,
    /// The unit; `None` if the scenario names none.
    #[serde(skip)]
    pub unit: Option<String>,
}

impl Amounts {
    /// The median and the range of amounts; `None` without any.
    pub(super) fn from_values(amounts: Vec<u32>, unit: Option<&str>) -> Option<Self> {
        let values: Vec<f64> = amounts.iter().copied().map(f64::from).collect();
        Some(Self {
            n: amounts.len() as u64,
            median: median(&values)?,
            least: amounts.iter().copied().min()?,
            greatest: amounts.iter().copied().max()?,
            unit: unit.map(str::to_owned),
        })
    }
}
