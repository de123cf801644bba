//! How wrong estimates are before and after the talk, and what was decided by them.

use super::{Col, SessionTotals};
use crate::metrics::why::{Estimate, Of, Reach, Working};

/// The five columns of one straw poll.
macro_rules! poll_columns {
    ($columns:ident, $prefix:literal, $place:literal, $when:literal, $of:expr) => {
        pub(super) static $columns: &[Col] = &[
            Col::count(
                concat!($prefix, "_estimates_n"),
                concat!(
                    "seats that named an amount in the straw poll ",
                    $when,
                    " the talk; of several the last; empty without one, and where an alternative is chosen with it"
                ),
                |r| Some(r.totals.as_ref()?.estimates[$place]?.n),
            )
            .unit("seats")
            .why(Reach::Session, $of, Working::Estimate(Estimate::N))
            .source("Polled"),
            Col::real(
                concat!($prefix, "_crowd_error"),
                concat!(
                    "squared error of the mean amount named in the straw poll ",
                    $when,
                    " the talk; empty where nobody knows the right amount"
                ),
                |r| r.totals.as_ref()?.estimates[$place]?.errors.map(|errors| errors.crowd_error),
            )
            .unit("squared units of the scenario")
            .formula(concat!("(mean x - t)^2 over ", $prefix, "_estimates_n amounts x, t the right one"))
            .why(Reach::Session, $of, Working::Estimate(Estimate::CrowdError))
            .source("Polled and Dealt; Page 2007"),
            Col::real(
                concat!($prefix, "_individual_mse"),
                concat!(
                    "mean squared error of the amounts named in the straw poll ",
                    $when,
                    " the talk; empty where nobody knows the right amount"
                ),
                |r| r.totals.as_ref()?.estimates[$place]?.errors.map(|errors| errors.individual_mse),
            )
            .unit("squared units of the scenario")
            .formula(concat!("sum (x - t)^2 / ", $prefix, "_estimates_n"))
            .why(Reach::Session, $of, Working::Estimate(Estimate::IndividualMse))
            .source("Polled and Dealt; Page 2007"),
            Col::real(
                concat!($prefix, "_diversity"),
                concat!("variance of the amounts named in the straw poll ", $when, " the talk; empty without one"),
                |r| Some(r.totals.as_ref()?.estimates[$place]?.diversity),
            )
            .unit("squared units of the scenario")
            .formula(concat!("sum (x - mean x)^2 / ", $prefix, "_estimates_n"))
            .why(Reach::Session, $of, Working::Estimate(Estimate::Diversity))
            .source("Polled; Page 2007"),
            Col::real(
                concat!($prefix, "_median_error"),
                concat!(
                    "squared error of the median amount named in the straw poll ",
                    $when,
                    " the talk; empty where nobody knows the right amount"
                ),
                |r| r.totals.as_ref()?.estimates[$place]?.errors.map(|errors| errors.median_error),
            )
            .unit("squared units of the scenario")
            .formula("(median x - t)^2; of an even number the mean of the two middle ones")
            .why(Reach::Session, $of, Working::Estimate(Estimate::MedianError))
            .source("Polled and Dealt; Galton 1907"),
        ];
    };
}

poll_columns!(BEFORE, "straw_before", 0, "before", &[Of::PollBefore]);
poll_columns!(AFTER, "straw_after", 1, "after", &[Of::PollAfter]);

pub(super) static RESULT: &[Col] = &[Col::real(
    "result_error",
    "squared error of the amount decided for; empty without a decision, where an alternative is chosen with it, and where nobody knows the right amount",
    |r| r.totals.as_ref()?.result_error,
)
.unit("squared units of the scenario")
.formula("(x - t)^2, x the amount decided for, t the right one")
.why(Reach::Session, &[Of::Adjourned], Working::Estimate(Estimate::Result))
.source("Adjourned and Dealt")];

pub(super) static RELATIVE: &[Col] = &[Col::real(
    "result_relative_error",
    "distance of the amount decided for from the right one, over the right one: it has no unit, so that items of several units can be averaged; empty as result_error is, and where 0 is right",
    |r| r.totals.as_ref()?.relative_error(),
)
.formula("|x - t| / t, x the amount decided for, t the right one")
.why(Reach::Session, &[Of::Adjourned], Working::Estimate(Estimate::Relative))
.source("Adjourned and Dealt; Hyndman and Koehler 2006 on percentage errors")];

impl SessionTotals {
    /// The distance of the amount decided for from the right one, over the right one; from 0 on. `None` without a decision, where an
    /// alternative is chosen with it, where nobody knows the right amount, and where 0 is right.
    pub fn relative_error(&self) -> Option<f64> {
        let (amount, right) = (self.result.as_ref()?.amount?, self.right_amount?);
        let is_told = self.result_error.is_some() && right > 0;
        is_told.then(|| f64::from(amount.abs_diff(right)) / f64::from(right))
    }
}
