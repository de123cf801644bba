//! How many options positions come to, and how many of them are right.

use super::Col;
use crate::metrics::why::{Of, Reach, Spread as Positions, Working};

/// The three columns of one source of positions.
macro_rules! diversity_columns {
    ($columns:ident, $prefix:literal, $field:ident, $what:literal, $source:literal, $of:expr) => {
        pub(super) static $columns: &[Col] = &[
            Col::real(
                concat!($prefix, "_effective_options"),
                concat!(
                    "as many equally frequent alternatives would be as diverse as the positions ",
                    $what,
                    "; 1 unanimous; empty without a position"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.effective_options),
            )
            .unit("alternatives")
            .formula(concat!("1 / sum p^2, p = c / ", $prefix, "_n"))
            .why(Reach::Part, $of, Working::Spread(Positions::EffectiveOptions))
            .source(concat!($source, "; Laakso and Taagepera 1979")),
            Col::real(
                concat!($prefix, "_correct_share"),
                concat!(
                    "share of positions ",
                    $what,
                    " that are the key (of the item, or the truth of the scenario); empty without a position and where there is no key"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.correct).map(|(share, _)| share),
            )
            .formula(concat!("positions that are the key / ", $prefix, "_n"))
            .why(Reach::Part, $of, Working::Spread(Positions::CorrectShare))
            .source(concat!($source, " and the key")),
            Col::flag(
                concat!($prefix, "_group_correct"),
                concat!(
                    "1 if the key is the single most frequent alternative ",
                    $what,
                    ", 0 if it is tied or another is; empty without a position and where there is no key"
                ),
                |r| r.$field.as_ref().and_then(|spread| spread.correct).map(|(_, is_right)| is_right),
            )
            .why(Reach::Part, $of, Working::Spread(Positions::GroupCorrect))
            .source(concat!($source, " and the key")),
        ];
    };
}

diversity_columns!(
    STANCE,
    "stance",
    stance,
    "among stances declared in this round's statements",
    "Spoke",
    &[Of::Stance]
);
diversity_columns!(STRAW, "straw", straw, "in the private straw poll", "Polled", &[Of::Poll]);
diversity_columns!(BALLOT, "ballot", ballot, "in the vote", "Balloted", &[Of::Ballot]);
