//! What seats were paid, and what the amount decided for did to it.

use super::Col;
use crate::metrics::why::{Of, Pay, Reach, Working};

pub(super) static PAY: &[Col] = &[
    Col::real("payoff_applications_cents_mean", "mean over the seats that were paid for practice rounds of what each was paid for them; empty where none was", |r| {
        r.totals.as_ref()?.paid_cents_mean[0]
    })
.why(Reach::Session, &[Of::PaidApplication], Working::Pay(Pay::Mean))
    .unit("cents")
    .formula("sum of payoff_cents of stage application / seats with such a payoff")
    .source("Paid"),
    Col::real("payoff_settlement_cents_mean", "mean over the seats that were paid in the settlement of what each was paid; empty where none was", |r| {
        r.totals.as_ref()?.paid_cents_mean[1]
    })
.why(Reach::Session, &[Of::PaidSettlement], Working::Pay(Pay::Mean))
    .unit("cents")
    .formula("sum of payoff_cents of stage settlement / seats with such a payoff")
    .source("Paid"),
    Col::flag(
        "binding",
        "1 if the amount decided for removed at least one of the settlement's tables, 0 if it removed none; empty where nothing with an amount was decided and paid",
        |r| r.totals.as_ref()?.settlement?.0,
    )
.why(Reach::Session, &[Of::PaidSettlement], Working::Pay(Pay::Binding))
    .source("Paid and the settlement's tables; Frohlich and Oppenheimer 1992"),
    Col::flag(
        "same_as_average",
        "1 if the highest mean income picks the same of the settlement's tables as what was decided; empty where nothing was decided and paid",
        |r| Some(r.totals.as_ref()?.settlement?.1),
    )
.why(Reach::Session, &[Of::PaidSettlement], Working::Pay(Pay::SameAsAverage))
    .source("Paid and the settlement's tables"),
];
