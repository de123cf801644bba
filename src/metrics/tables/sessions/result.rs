//! What was decided for, as a number with its unit, and whether it is what confederates said wrongly.

use super::Col;
use crate::metrics::why::{Of, Plain, Reach, Working};

pub(super) static RESULT: &[Col] = &[
    Col::count(
        "result_value",
        "number decided for: the amount, where the motion is one about an amount with a unit",
        |r| r.unit.as_ref().and(r.totals.as_ref()?.result.as_ref()?.amount).map(u64::from),
    )
    .why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::ResultValue))
    .unit("units of the scenario")
    .source("Adjourned"),
    Col::text("result_unit", "what result_value is counted in; empty where there is none", |r| {
        r.totals.as_ref()?.result.as_ref()?.amount.and(r.unit.as_deref())
    })
    .why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::ResultUnit))
    .source("the scenario, and Adjourned"),
];

pub(super) static CONFORMED: &[Col] = &[Col::flag(
    "conformed",
    "1 if what was decided for is a wrong option that the item names for scripts (items.columns), whether or not they speak in this arm, 0 if it is another; empty without a decision, and where the item names no wrong option: only the others are critical trials",
    |r| {
        let decided = &r.totals.as_ref()?.result.as_ref()?.alternative;
        (!r.misleading.is_empty()).then(|| r.misleading.contains(decided))
    },
)
.why(Reach::Session, &[Of::Adjourned], Working::Plain(Plain::Conformed))
.source("Adjourned, and the file of items; Asch 1956")];
