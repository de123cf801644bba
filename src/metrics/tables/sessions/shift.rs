//! How far opinions shifted from the poll before the talk to the one after it.

use super::Col;
use crate::metrics::measures;
use crate::metrics::why::{Of, Opinions as Scale, Reach, Working};

pub(super) static SHIFT: &[Col] = &[
    Col::count(
        "straw_shift_n",
        "seats with an opinion in the straw polls before and after the talk, of several the last: the denominator of straw_shift_net; empty without one, and where there are more than two alternatives",
        |r| Some(r.totals.as_ref()?.straw_shifts.len() as u64).filter(|n| *n > 0),
    )
    .unit("seats")
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Opinions(Scale::PollShiftN))
    .source("Polled"),
    Col::real(
        "straw_shift_net",
        "mean change of opinion from the straw poll before the talk to the one after it, from -1 to 1, like opinion_mean; empty without a seat that answered both",
        |r| measures::mean_of(&r.totals.as_ref()?.straw_shifts),
    )
    .formula("sum (x after - x before) / straw_shift_n")
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Opinions(Scale::PollShiftNet))
    .source("Polled; Stoner 1961, Moscovici and Zavalloni 1969 on shifts of groups"),
];
