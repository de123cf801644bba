//! Amounts in a motion about an amount alone: how diverse they are, and how wrong.

use super::Col;
use crate::metrics::why::{Estimate, Of, Reach, Working};

/// The four columns of one source of positions.
macro_rules! estimate_columns {
    ($columns:ident, $prefix:literal, $place:literal, $what:literal, $source:literal, $of:expr) => {
        pub(super) static $columns: &[Col] = &[
            Col::real(
                concat!($prefix, "_crowd_error"),
                concat!(
                    "squared error of the mean of the amounts ",
                    $what,
                    "; individual_mse less diversity; empty without one, where an alternative is chosen with it, and where nobody knows the right one"
                ),
                |r| r.estimates[$place]?.errors.map(|errors| errors.crowd_error),
            )
            .unit("squared units of the scenario")
            .formula(concat!("(mean x - t)^2 over ", $prefix, "_n amounts x, t the right one"))
            .why(Reach::Part, $of, Working::Estimate(Estimate::CrowdError))
            .source(concat!($source, " and Dealt; Page 2007")),
            Col::real(
                concat!($prefix, "_individual_mse"),
                concat!("mean squared error of the amounts ", $what, "; empty as crowd_error is"),
                |r| r.estimates[$place]?.errors.map(|errors| errors.individual_mse),
            )
            .unit("squared units of the scenario")
            .formula(concat!("sum (x - t)^2 / ", $prefix, "_n"))
            .why(Reach::Part, $of, Working::Estimate(Estimate::IndividualMse))
            .source(concat!($source, " and Dealt; Page 2007")),
            Col::real(
                concat!($prefix, "_diversity"),
                concat!(
                    "variance of the amounts ",
                    $what,
                    "; empty without one, and where an alternative is chosen with it"
                ),
                |r| Some(r.estimates[$place]?.diversity),
            )
            .unit("squared units of the scenario")
            .formula(concat!("sum (x - mean x)^2 / ", $prefix, "_n"))
            .why(Reach::Part, $of, Working::Estimate(Estimate::Diversity))
            .source(concat!($source, "; Page 2007")),
            Col::real(
                concat!($prefix, "_median_error"),
                concat!("squared error of the median of the amounts ", $what, "; empty as crowd_error is"),
                |r| r.estimates[$place]?.errors.map(|errors| errors.median_error),
            )
            .unit("squared units of the scenario")
            .formula("(median x - t)^2; of an even number the mean of the two middle ones")
            .why(Reach::Part, $of, Working::Estimate(Estimate::MedianError))
            .source(concat!($source, " and Dealt; Galton 1907")),
        ];
    };
}

estimate_columns!(STANCE, "stance", 0, "declared in this round's statements", "Spoke", &[Of::Stance]);
estimate_columns!(STRAW, "straw", 1, "named in the private straw poll", "Polled", &[Of::Poll]);
estimate_columns!(BALLOT, "ballot", 2, "named in the vote", "Balloted", &[Of::Ballot]);
