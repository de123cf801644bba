//! Errors of amounts, of the crowd and of its members.
//!
//! Amounts are measured only if a motion is about an amount alone; with alternatives they are not comparable.

use crate::analysis::column::columns;
use crate::analysis::counts::ChoiceCounts;
use crate::analysis::measures::{Crowd, crowd_errors, variance};

columns! {
    /// What amounts named at one time come to.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Estimates as r {
        /// How many there are.
        pub n: u64,
        /// How far they are from the right one; `None` where nobody knows it.
        pub errors: Option<Crowd>,
    }

    /// squared error of the mean amount {what}; individual_mse less diversity; empty without one, where an alternative is chosen with
    /// it, and where nobody knows the right one
    crowd_error: f64 = r.errors?.crowd_error => group, "{source} and Convened; Page 2007", unit: "squared units of the scenario",
        formula: "(mean x - t)^2 over {n} amounts x, t the right one";
    /// mean squared error of the amounts {what}; empty as crowd_error is
    individual_mse: f64 = r.errors?.individual_mse => group, "{source} and Convened; Page 2007", unit: "squared units of the scenario",
        formula: "sum (x - t)^2 / {n}";
    /// variance of the amounts {what}; empty without one, and where an alternative is chosen with it
    diversity: f64 => group, "{source}; Page 2007", unit: "squared units of the scenario", formula: "sum (x - mean x)^2 / {n}";
    /// squared error of the median amount {what}; empty as crowd_error is
    median_error: f64 = r.errors?.median_error => group, "{source} and Convened; Galton 1907", unit: "squared units of the scenario",
        formula: "(median x - t)^2; of an even number the mean of the two middle ones";
}

impl Estimates {
    /// Measures counted amounts against the right one; `None` without an amount, and if there are alternatives to choose from.
    pub fn from_count(count: &ChoiceCounts, right: Option<u32>) -> Option<Self> {
        let is_alone = count.counts.len() == 1;
        let amounts = count.exact.iter().filter_map(|(choice, n)| Some((choice.amount?, *n as usize)));
        let named: Vec<f64> =
            amounts.filter(|_| is_alone).flat_map(|(amount, n)| std::iter::repeat_n(f64::from(amount), n)).collect();
        let errors = right.and_then(|right| crowd_errors(&named, f64::from(right)));
        Some(Self { n: named.len() as u64, diversity: variance(&named)?, errors })
    }
}
