//! What happened on the way: changes of stance and choice, who took part, ballots, proposals.

use super::{Col, SessionTotals};
use crate::metrics::why::{Language, Marks, Of, Reach, Stances, Vote, Working};

pub(super) static CONDUCT: &[Col] = &[
    Col::count("n_switch", "stances declared in rounds of talk that are another than the seat had declared last", |r| {
        r.totals.as_ref().map(|t| t.switches.switched)
    })
    .why(Reach::Session, &[Of::Stance], Working::Stances(Stances::Switched))
    .unit("stances")
    .formula("sum of n_switch in rounds")
    .source("Spoke"),
    Col::count("switch_n", "stances declared by seats that had declared one before: the denominator of n_switch", |r| {
        r.totals.as_ref().map(|t| t.switches.n)
    })
    .why(Reach::Session, &[Of::Stance], Working::Stances(Stances::Switchers))
    .unit("stances")
    .formula("sum of switch_n in rounds")
    .source("Spoke"),
    Col::real("switch_rate", "share of stances declared after one before that are another one; empty when switch_n is 0", |r| {
        let switches = r.totals.as_ref()?.switches;
        (switches.n > 0).then(|| switches.switched as f64 / switches.n as f64)
    })
    .why(Reach::Session, &[Of::Stance], Working::Stances(Stances::Rate))
    .formula("n_switch / switch_n")
    .source("Spoke"),
    Col::count("flip_cw", "seats that chose the key in the straw poll before the talk and another alternative in that after it; empty without both polls and where there is no key", |r| {
        polls(r.totals.as_ref()?).map(|[[flips, _], _]| flips)
    })
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Stances(Stances::CorrectWrong))
    .unit("seats")
    .source("Polled and the key"),
    Col::count("flip_cw_n", "seats that chose the key before the talk and chose validly after it: the denominator of flip_cw", |r| {
        polls(r.totals.as_ref()?).map(|[[_, n], _]| n)
    })
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Stances(Stances::WereCorrect))
    .unit("seats")
    .source("Polled and the key"),
    Col::count("flip_wc", "seats that chose another alternative than the key in the straw poll before the talk and the key in that after it; empty without both polls and where there is no key", |r| {
        polls(r.totals.as_ref()?).map(|[_, [flips, _]]| flips)
    })
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Stances(Stances::WrongCorrect))
    .unit("seats")
    .source("Polled and the key"),
    Col::count("flip_wc_n", "seats that chose another alternative than the key before the talk and chose validly after it: the denominator of flip_wc", |r| {
        polls(r.totals.as_ref()?).map(|[_, [_, n]]| n)
    })
    .why(Reach::Session, &[Of::PollBefore, Of::PollAfter], Working::Stances(Stances::WereWrong))
    .unit("seats")
    .source("Polled and the key"),
    Col::real("participation_rate", "share of the seats that made a statement", |r| {
        r.totals.as_ref().map(|t| t.spoke as f64 / r.seats as f64)
    })
    .why(Reach::Session, &[Of::Spoke], Working::Stances(Stances::Participation))
    .formula("seats with a statement / seats")
    .source("Spoke"),
    Col::count("n_ballots", "valid ballots, each as often as it counts, over all votes; empty without a vote", |r| {
        r.totals.as_ref()?.ballots.map(|[ballots, _]| ballots)
    })
    .why(Reach::Session, &[Of::Tallied], Working::Vote(Vote::Ballots))
    .unit("ballots")
    .source("Tallied"),
    Col::count("n_abstain", "abstentions, with those that invalid ballots became, each as often as its seat's ballots count, over all votes; empty without a vote", |r| {
        r.totals.as_ref()?.ballots.map(|[_, abstained]| abstained)
    })
    .why(Reach::Session, &[Of::Tallied], Working::Vote(Vote::Abstentions))
    .unit("ballots")
    .source("Tallied"),
    Col::count("n_proposals", "proposals made; empty where no marks are read", |r| r.totals.as_ref()?.marks.map(|marks| marks.made))
        .why(Reach::Session, &[Of::Marked], Working::Marks(Marks::Made))
        .unit("proposals")
        .source("Spoke"),
    Col::count("n_decisions", "decisions stated; empty where no marks are read", |r| {
        r.totals.as_ref()?.marks.map(|marks| marks.decisions)
    })
    .why(Reach::Session, &[Of::Marked], Working::Marks(Marks::Decisions))
    .unit("decisions")
    .source("Spoke"),
    Col::count("converged_round", "first round of talk whose convergence reached the threshold of discussion.convergence; empty where none did, and where that is not set", |r| {
        r.totals.as_ref()?.converged_round.map(u64::from)
    })
    .why(Reach::Session, &[Of::RoundClosed], Working::Language(Language::ConvergedRound))
    .source("RoundClosed"),
];

/// Flips from and to what is right; `None` where no seat chose before and after the talk, or nobody knows what is right.
fn polls(totals: &SessionTotals) -> Option<[[u64; 2]; 2]> {
    totals.polls.filter(|polls| polls.n > 0).map(|polls| [polls.from_right, polls.to_right])
}
