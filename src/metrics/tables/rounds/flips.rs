//! Changes of stance as shares, and those from and to what is right; who took part; what was proposed.

use super::{Col, RoundRow, Switches};
use crate::metrics::why::{Marks, Of, Reach, Stances, Working};

/// Switches in a round of which somebody knows what is right.
fn keyed(row: &RoundRow) -> Option<Switches> {
    row.switches.filter(|switches| switches.has_key)
}

pub(super) static FLIPS: &[Col] = &[
    Col::real("switch_rate", "share of the seats that declared a stance and had declared one before that declared another one; empty when switch_n is 0", |r| {
        let stances = r.switches?.stances;
        (stances.n > 0).then(|| stances.switched as f64 / stances.n as f64)
    })
    .why(Reach::SoFar, &[Of::Stance], Working::Stances(Stances::Rate))
    .in_talk()
    .formula("n_switch / switch_n")
    .source("Spoke"),
    Col::count("flip_cw", "seats that had declared the key last and declared another alternative in this round; empty outside rounds of talk and where there is no key", |r| {
        keyed(r).map(|switches| switches.stances.from_right[0])
    })
    .why(Reach::SoFar, &[Of::Stance], Working::Stances(Stances::CorrectWrong))
    .in_talk()
    .unit("seats")
    .source("Spoke and the key"),
    Col::count("flip_cw_n", "seats that had declared the key last and declared a stance in this round: the denominator of flip_cw", |r| {
        keyed(r).map(|switches| switches.stances.from_right[1])
    })
    .why(Reach::SoFar, &[Of::Stance], Working::Stances(Stances::WereCorrect))
    .in_talk()
    .unit("seats")
    .source("Spoke and the key"),
    Col::count("flip_wc", "seats that had declared another alternative than the key last and declared the key in this round; empty outside rounds of talk and where there is no key", |r| {
        keyed(r).map(|switches| switches.stances.to_right[0])
    })
    .why(Reach::SoFar, &[Of::Stance], Working::Stances(Stances::WrongCorrect))
    .in_talk()
    .unit("seats")
    .source("Spoke and the key"),
    Col::count("flip_wc_n", "seats that had declared another alternative than the key last and declared a stance in this round: the denominator of flip_wc", |r| {
        keyed(r).map(|switches| switches.stances.to_right[1])
    })
    .why(Reach::SoFar, &[Of::Stance], Working::Stances(Stances::WereWrong))
    .in_talk()
    .unit("seats")
    .source("Spoke and the key"),
    Col::real("participation_rate", "share of the seats that made a statement; empty outside rounds of talk", |r| {
        r.spoke.map(|spoke| spoke as f64 / r.seats as f64)
    })
    .why(Reach::Part, &[Of::Spoke], Working::Stances(Stances::Participation))
    .in_talk()
    .formula("seats with a statement / seats")
    .source("Spoke"),
    Col::count("n_proposals", "proposals made in the round; empty outside rounds of talk and where no marks are read", |r| {
        r.proposed.map(|[proposals, _]| proposals)
    })
    .why(Reach::Part, &[Of::Marked], Working::Marks(Marks::Made))
    .in_marked_talk()
    .unit("proposals")
    .source("Spoke"),
    Col::count("n_decisions", "decisions stated in the round; empty outside rounds of talk and where no marks are read", |r| {
        r.proposed.map(|[_, decisions]| decisions)
    })
    .why(Reach::Part, &[Of::Marked], Working::Marks(Marks::Decisions))
    .in_marked_talk()
    .unit("decisions")
    .source("Spoke"),
];
